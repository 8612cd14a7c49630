"""The documentation of the public surface: every parameter is described, no section is a stub.

A layer describes what it is called with once, in the section `Inputs` of its class, in one form::

    Inputs:
        - **x** (Tensor) - floating point, shape :math:`(N, C)`.

    Outputs: Tensor of shape :math:`(N,)`.

Its method `construct` has a docstring only where there is more to say.
"""

from __future__ import annotations

import enum
import functools
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from agar import Tensor
from agar._core import optable
from agar.nn import Cell

_ENTRY = re.compile(
    r"^\s*(`?\*{0,2}\w+`?(?:\s*(?:,|/|and)\s*`?\*{0,2}\w+`?)*)\s*(?:\([^)]*(?:\)[^):\n]*)*\))?"
    r"\s*(?:,[^:\n]*)?:(?!:)",
    re.MULTILINE,
)
_STUB = re.compile(r"see the (?:class|layer)\.", re.IGNORECASE)
_NO_WORDS = re.compile(
    r"^ +(?!Traceback)\*{0,2}(\w+) \(.*\): *(?:Default: .*)?$(?!\n {8,}\S)", re.MULTILINE
)
_INPUTS = re.compile(r"^Inputs:(.*\n?)((?:[ \t]+.*\n?|\n)*)", re.MULTILINE)
_INPUT = re.compile(r"    - \*\*(\w+)\*\* \(.+?\) - \S")


def described(doc: str) -> set[str]:
    """The names that a docstring has entries for."""
    return {name for entry in _ENTRY.findall(doc) for name in re.findall(r"\w+", entry)}


def inputs(doc: str) -> list[str] | None:
    """The names in a layer's section `Inputs`, None without one; ValueError for another form."""
    section = _INPUTS.search(doc)
    if section is None:
        return None
    lines = [section[1].strip(), *section[2].splitlines()]
    entries = [line for line in lines if line.strip() and not line.startswith(" " * 5)]
    matches = [_INPUT.match(entry) for entry in entries]
    if not entries or None in matches:
        raise ValueError(f"'Inputs' is not a list of '- **name** (type) - meaning': {lines}")
    return [match[1] for match in matches if match]


def asked(value: Any) -> list[str]:
    """The parameters of a callable that its documentation has to describe."""
    if inspect.isclass(value) and {"__new__", "__init__"} <= vars(value).keys():
        value = value.__init__  # the other takes anything
    try:
        parameters = inspect.signature(value).parameters
    except (TypeError, ValueError):
        return []
    return [n for n in parameters if n not in ("self", "cls") and not n.startswith("_")]


def gaps(value: Any, doc: str) -> list[str]:
    """What the documentation of a callable lacks: parameters, words for them, and "a stub"."""
    names = described(doc)
    missing = [name for name in asked(value) if name not in names]
    missing += [f"words for {name}" for name in _NO_WORDS.findall(doc)]
    return missing + (["a stub"] if _STUB.search(doc) else [])


def layer_gaps(layer: type[Cell]) -> list[str]:
    """What the description of a layer's inputs lacks: parameters of `construct`, or the form."""
    doc = inspect.getdoc(layer.construct) or ""  # that of a base class, if it has none
    layer_doc = inspect.cleandoc(layer.__doc__ or "")
    try:
        listed = inputs(layer_doc)
    except ValueError:
        return ["another form of Inputs"]
    if listed is None:
        return gaps(layer.construct, doc)
    names = asked(layer.construct)
    return (
        [name for name in names if name not in listed]
        + [f"no parameter {name}" for name in listed if name not in names]
        + (["a stub"] if _STUB.search(doc) else [])
        + (["another form of Outputs"] if re.search(r"^Outputs:$", layer_doc, re.MULTILINE) else [])
    )


@functools.cache
def _public_classes() -> frozenset[type]:
    modules = importlib.import_module("test_public_names").public_modules().values()
    values = (getattr(module, name) for module in modules for name in module.__all__)
    return frozenset(value for value in values if inspect.isclass(value))


def _class_doc(cls: type) -> str:
    """The docstring of a class, and that of the public class whose constructor it inherits."""
    doc = inspect.getdoc(cls) or ""
    owner = next((part for part in cls.__mro__ if "__init__" in vars(part)), cls)
    inherited = owner is not cls and owner in _public_classes()
    return f"{doc}\n{inspect.getdoc(owner)}" if inherited else doc


def _callables(name: str, value: Any) -> Iterator[tuple[str, Any, list[str]]]:
    """A public value and its own methods: name, callable, gaps."""
    if not str(getattr(value, "__module__", "")).startswith("agar"):
        return
    if inspect.isroutine(value):
        yield name, value, gaps(value, inspect.getdoc(value) or "")
        return
    if not inspect.isclass(value):
        return
    if not issubclass(value, (BaseException, enum.Enum)):  # their signatures are Python's
        yield name, value, gaps(value, _class_doc(value))
    if issubclass(value, Cell):
        yield f"{name}.construct", (value, "construct"), layer_gaps(value)
    members = dict(vars(value))
    for part in value.__mro__[
        1:
    ]:  # base classes that nobody sees, whose methods are named after it
        if part.__name__ != value.__name__:
            for method, raw in vars(part).items():
                path = getattr(getattr(raw, "__func__", raw), "__qualname__", "")
                if path == f"{value.__qualname__}.{method}":
                    members.setdefault(method, raw)
    for method, raw in members.items():
        function = getattr(raw, "__func__", raw)
        if method == "construct" and issubclass(value, Cell):
            continue
        if not method.startswith("_") and inspect.isfunction(function):
            lacking = gaps(function, inspect.getdoc(getattr(value, method)) or "")
            if value is Tensor:  # what an operator calls its first argument is the tensor itself
                lacking = [part for part in lacking if part not in asked(function)[:1]]
            yield f"{name}.{method}", function, lacking


def incomplete() -> dict[str, list[str]]:
    """The gaps of each incomplete callable; its name has the package but not the module."""
    public_modules = importlib.import_module("test_public_names").public_modules
    for method in optable.table.methods:  # methods come into being when they are first asked for
        getattr(Tensor, method)
    seen: set[Any] = set()
    entries: dict[str, set[str]] = {}
    for path, module in public_modules().items():
        package = ".".join(path.split(".")[1:2])
        for name in module.__all__:
            for key, value, lacking in _callables(name, getattr(module, name)):
                if value in seen:
                    continue
                seen.add(value)
                if lacking:
                    entries.setdefault(f"{package}.{key}".lstrip("."), set()).update(lacking)
    return {key: sorted(entries[key]) for key in sorted(entries)}


def test_documentation_is_complete():
    # in a process of its own: methods of operators are put into Tensor when they are first asked
    # for, so what there is depends on what ran before
    run = subprocess.run(
        [sys.executable, "-W", "ignore", __file__],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert run.returncode == 0, run.stderr
    gaps_of_all = json.loads(run.stdout.splitlines()[-1])
    lines = [f"{key} lacks {', '.join(lacking)}" for key, lacking in gaps_of_all.items()]
    assert not lines, "describe these:\n" + "\n".join(lines)


def test_a_missing_parameter_and_a_stub_are_seen():
    def call(first: int, second: int) -> None: ...

    assert gaps(call, "Args:\n    first (int): one.\n") == ["second"]
    assert gaps(call, "Args:\n    first, second (int): both.\n") == []
    only_a_default = "Args:\n    first (int): Default: 1.\n    second (int):\n        two.\n"
    assert gaps(call, only_a_default) == ["words for first"]
    described_as_a_stub = "first: a.\nsecond (Union[int, tuple(int)]): b.\nSee the class."
    assert gaps(call, described_as_a_stub) == ["a stub"]


def test_another_form_of_inputs_is_seen():
    class Layer(Cell):
        def construct(self, first: int, second: int) -> None: ...

    def lacking(*inputs: str) -> list[str]:
        Layer.__doc__ = "\n".join(["A layer.", "", *inputs, "", "Outputs: none."])
        return layer_gaps(Layer)

    first = "    - **first** (tuple(int), optional) - one."
    second = "    - **second** (int) - the other, which\n      takes two lines."
    assert lacking("Inputs:", first, second) == []
    assert lacking("Inputs:", first) == ["second"]
    assert lacking("Inputs:", first, second, "    - **third** (int) - more.") == [
        "no parameter third"
    ]
    assert lacking("Inputs: first (int), second (int).") == ["another form of Inputs"]
    assert lacking("Inputs:", first, "    - second (int), the other.") == ["another form of Inputs"]
    assert lacking("Inputs:", first, "    - **second** (int): one.") == ["another form of Inputs"]
    assert lacking() == ["first", "second"]
    assert lacking("Inputs:", first, second, "", "Outputs:", "    A block.") == [
        "another form of Outputs"
    ]


if __name__ == "__main__":
    print(json.dumps(incomplete()))
