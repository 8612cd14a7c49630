"""Every public name of MindSpore 2.10 exists here, and takes the arguments that it takes there.

The names and signatures are those recorded from MindSpore (tests/data/oracle/names.json).
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import agar

RECORD = Path(__file__).resolve().parent / "data" / "oracle" / "names.json"
CLASSES = {"Tensor": agar.Tensor, "Parameter": agar.Parameter, "Cell": agar.nn.Cell}

#: Names that agar leaves out, with the reason.
LEFT_OUT: dict[str, str] = {}

#: Callables that take other arguments on purpose, with the reason.
OTHER_ARGUMENTS: dict[str, str] = {
    "ops.DynamicShape": "the type is bookkeeping of a kernel",
}


@cache
def _recorded() -> dict[str, Any]:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def _owner(label: str) -> Any:
    if label in CLASSES:
        return CLASSES[label]
    return importlib.import_module(f"agar.{label}".removesuffix(".mindspore"))


def _label(module: str) -> str:
    return module.removeprefix("mindspore.")


@pytest.mark.parametrize("module", sorted(_recorded()["names"]))
def test_every_name_exists(module):
    recorded = _recorded()["names"][module]
    # `all` of some modules lists text that is not a name; `names` alone holds imports for own use
    names = set(recorded["names"]) & set(recorded.get("all", recorded["names"]))
    label = _label(module)
    if label not in CLASSES and "all" not in recorded:
        pytest.skip("MindSpore does not say which names of this module are public")
    owner = _owner(label)
    missing = {f"{label}.{name}" for name in names if not hasattr(owner, name)}
    assert missing == {name for name in LEFT_OUT if name.rpartition(".")[0] == label}


class Argument(NamedTuple):
    """A parameter of a recorded signature."""

    name: str
    has_default: bool
    named: bool


def _arguments(text: str) -> list[Argument] | None:
    """The parameters of a signature; None where the text is none of Python's."""
    try:
        parsed = ast.parse(f"def f{text.split('->')[0].strip()}: ...").body[0]
    except SyntaxError:
        return None
    assert isinstance(parsed, ast.FunctionDef)
    a = parsed.args
    positional = [*a.posonlyargs, *a.args]
    first = len(positional) - len(a.defaults)
    items = [Argument(p.arg, i >= first, True) for i, p in enumerate(positional)]
    if a.vararg is not None:
        items.append(Argument(a.vararg.arg, True, False))
    items += [
        Argument(p.arg, d is not None, True)
        for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)
    ]
    return [p for p in items if p.name != "self"]


def _complaint(own: list[inspect.Parameter], expected: list[Argument]) -> str:
    """Why a call that suits MindSpore's signature would fail here; empty if none would."""
    if any(not p.named for p in expected) or any(p.kind is p.VAR_KEYWORD for p in own):
        return ""
    by_name = {p.name: p for p in own if p.kind not in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY)}
    wanted_names = {p.name for p in expected}
    unknown = [p.name for p in expected if p.name not in by_name and not p.name.startswith("_")]
    needed = [
        p.name
        for p in own
        if p.default is p.empty and p.kind is not p.VAR_POSITIONAL and p.name not in wanted_names
    ]
    optional = [
        p.name
        for p in expected
        if p.has_default
        and p.name in by_name
        and by_name[p.name].default is inspect.Parameter.empty
    ]
    parts = (("no", unknown), ("needs", needed), ("no default for", optional))
    return "; ".join(f"{word} {', '.join(names)}" for word, names in parts if names)


@pytest.mark.parametrize("label", sorted(_recorded()["signatures"]))
def test_arguments_are_accepted(label):
    owner = _owner(label)
    complaints = {}
    for name, texts in _recorded()["signatures"][label].items():
        value = getattr(owner, name, None)
        if name.startswith("_") or not callable(value):
            continue
        try:
            own = list(inspect.signature(value).parameters.values())
        except (TypeError, ValueError):
            continue
        if label in CLASSES and own and own[0].kind is own[0].POSITIONAL_OR_KEYWORD:
            is_bound = inspect.ismethod(value)
            own = (
                own
                if is_bound or isinstance(inspect.getattr_static(owner, name), staticmethod)
                else own[1:]
            )
        for text in texts:
            expected = _arguments(text)
            complaint = _complaint(own, expected) if expected is not None else ""
            if complaint:
                complaints[f"{label}.{name}"] = f"{text} here {complaint}"
    unexpected = [f"{k}{v}" for k, v in complaints.items() if k not in OTHER_ARGUMENTS]
    assert not unexpected, "\n".join(unexpected)
    listed = {name for name in OTHER_ARGUMENTS if name.rpartition(".")[0] == label}
    assert listed <= complaints.keys(), "these agree now"
