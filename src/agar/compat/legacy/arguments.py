"""Functions that are still there and took other arguments: `arguments.txt` lists them.

A listed function gets a wrapper, which looks at the names of its keywords and hands on the rest.
They are put in place by `install`, that is under the alias only. An old keyword warns once.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from agar._core.errors import stack_level

__all__ = ["Changed", "install", "table", "uninstall"]


class Changed(NamedTuple):
    """What a function took in older MindSpores.

    Attributes:
        versions: which took it, such as ``1.3-1.10``.
        renamed: old keywords, with today's.
        rules: old keywords, with the rules that translate them.
        defaults: today's arguments of calls with an old keyword, where they are not given.
    """

    versions: str
    renamed: dict[str, str]
    rules: dict[str, str]
    defaults: dict[str, Any]


@cache
def table() -> dict[str, Changed]:
    """The listed functions, without ``mindspore.``."""
    entries: dict[str, Changed] = {}
    text = Path(__file__).with_name("arguments.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, versions, *words = line.split()
        entry = entries[name] = Changed(versions, {}, {}, {})
        for word in words:
            if ">" in word:
                old, _, new = word.partition(">")
                entry.renamed[old] = new
            elif ":" in word:
                old, _, rule = word.partition(":")
                entry.rules[old] = rule
            else:
                key, _, value = word.partition("=")
                entry.defaults[key] = ast.literal_eval(value)
    return entries


# ------------------------------------------------------------------------------------- rules
# Each takes the label of the function and its arguments by name, and changes these.


def _output_num(label: str, given: dict[str, Any]) -> None:
    count, axis = given.pop("output_num"), given.get("axis", 0)
    tensor = given["tensor"] if "tensor" in given else given["input"]
    size = tensor.shape[axis]
    if isinstance(count, bool) or not isinstance(count, int) or count < 1 or size % count:
        raise ValueError(
            f"For '{label}', 'output_num' must be an int that divides the size {size} of axis "
            f"{axis}, but got {count!r}."
        )
    given["split_size_or_sections"] = size // count


def _repeat(label: str, given: dict[str, Any]) -> Any:
    axis, tensor = given.pop("axis"), given.pop("input")
    counts = given.pop("times", ()) or (given.pop("repeats"),)
    repeats = counts[0] if len(counts) == 1 else counts
    if isinstance(repeats, (tuple, list)) and len(repeats) == 1:
        repeats = repeats[0]
    return tensor.repeat_interleave(
        list(repeats) if isinstance(repeats, tuple) else repeats, dim=axis
    )


def _paddings(label: str, given: dict[str, Any]) -> None:
    pairs = given.pop("paddings")
    given["padding"] = tuple(size for pair in reversed(tuple(pairs)) for size in pair)


def _unbiased(label: str, given: dict[str, Any]) -> None:
    given["ddof"] = int(given.pop("unbiased"))


def _order(label: str, given: dict[str, Any]) -> None:
    given["ord"] = given.pop("p")


def _epsilon(label: str, given: dict[str, Any]) -> None:
    value = given.pop("epsilon")
    if value != 1e-12:
        raise ValueError(
            f"For '{label}', 'epsilon' is not added any more; leave it out instead of {value!r}."
        )


def _coordinates(label: str, given: dict[str, Any]) -> None:
    mode = given.pop("coordinate_transformation_mode")
    if mode not in ("align_corners", "half_pixel"):
        raise ValueError(
            f"For '{label}', 'coordinate_transformation_mode' must be 'align_corners' or "
            f"'half_pixel' today, but got {mode!r}."
        )
    given["align_corners"] = mode == "align_corners"


_RULES: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "coordinates": _coordinates,
    "epsilon": _epsilon,
    "order": _order,
    "output_num": _output_num,
    "paddings": _paddings,
    "repeat": _repeat,
    "unbiased": _unbiased,
}


# ---------------------------------------------------------------------------------- wrappers


def _translate(
    label: str, entry: Changed, names: list[inspect.Parameter], args: Any, kwargs: dict[str, Any]
) -> tuple[dict[str, Any], Any]:
    """Today's arguments by name, and the result if a rule has it."""
    given = dict(kwargs)
    for old, new in entry.renamed.items():
        if old in given:
            if new in given:
                raise TypeError(f"For '{label}', '{old}' and '{new}' mean the same; give one.")
            given[new] = given.pop(old)
    for place, parameter in enumerate(names):
        if place >= len(args):
            break
        if parameter.kind is parameter.VAR_POSITIONAL:
            given[parameter.name] = args[place:]
            break
        if parameter.name in given:
            raise TypeError(f"For '{label}', '{parameter.name}' was given twice.")
        given[parameter.name] = args[place]
    for key, value in entry.defaults.items():
        given.setdefault(key, value)
    result = None
    for old, rule in entry.rules.items():
        if old in given:
            result = _RULES[rule](label, given)
    return given, result


@cache  # so that a keyword warns once
def _warned(label: str, old: str, today: str) -> None:
    warnings.warn(
        f"The argument '{old}' of 'mindspore.{label}' is of MindSpore "
        f"{table()[label].versions}; today's are {today}.",
        DeprecationWarning,
        stacklevel=stack_level(),
    )


def _wrapped(label: str, entry: Changed, today: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(today)
    names = list(signature.parameters.values())
    own = set(signature.parameters)
    old_names = frozenset({*entry.renamed, *entry.rules} - own)

    @functools.wraps(today)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not kwargs or old_names.isdisjoint(kwargs):
            return today(*args, **kwargs)
        for old in sorted(old_names.intersection(kwargs)):
            _warned(label, old, ", ".join(signature.parameters))
        given, result = _translate(label, entry, names, args, kwargs)
        return today(**given) if result is None else result

    call._agar_today = today  # type: ignore[attr-defined]
    return call


#: modules that hand on the functions of ``ops``
_BINDINGS = ("agar.ops", "agar.ops.function", "agar.ops.functional")


def install() -> None:
    """Let the listed functions take the arguments of older MindSpores."""
    ops, tensor = sys.modules["agar.ops"], sys.modules["agar"].Tensor
    for label, entry in table().items():
        owner, _, name = label.partition(".")
        home = ops if owner == "ops" else tensor
        today = getattr(home, name)
        if hasattr(today, "_agar_today"):
            continue
        result = _wrapped(label, entry, today)
        setattr(home, name, result)
        for path in _BINDINGS if home is ops else ():
            module = sys.modules.get(path)
            if module is not None and getattr(module, name, None) is today:
                setattr(module, name, result)


def uninstall() -> None:
    """Put the functions of today back, for tests."""
    ops, tensor = sys.modules["agar.ops"], sys.modules["agar"].Tensor
    for label in table():
        owner, _, name = label.partition(".")
        home = ops if owner == "ops" else tensor
        present = getattr(home, name)
        today = getattr(present, "_agar_today", None)
        if today is None:
            continue
        setattr(home, name, today)
        for path in _BINDINGS if home is ops else ():
            module = sys.modules.get(path)
            if module is not None and getattr(module, name, None) is present:
                setattr(module, name, today)
