"""The operators that MindSpore's layers hold as attributes, for subclasses that compute with them.

agar's layers call operators directly. A part such as ``dense.matmul`` is built from `parts.txt`
when it is read, with the options that the layer has at that moment, and is stored nowhere: it is
in no ``vars``, copy, pickle or checkpoint, and costs nothing where it is not used.

NOTE Replacing. A part that is assigned is an ordinary attribute. Where the construct that runs is
agar's own, which would not use it, the assignment raises.
"""

from __future__ import annotations

import builtins
import functools
import re
import sys
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from agar._core.errors import missing_feature
from agar._core.optable import Primitive
from agar._core.tensor import Tensor

__all__ = ["WithParts", "check_replaced", "names_of_parts", "part_of", "parts_of"]

#: Names in the table beside those of operators and of the package.
_HELPERS = {
    "broadcast_like": "agar.nn.probability._tools",
    "inverse_softplus": "agar.nn.probability.bijector.softplus",
    "need_tensor": "agar.nn.probability._tools",
    "need_tuple": "agar.nn.probability._tools",
}


#: Methods that compute with parts in MindSpore and without them here.
_OWN_METHODS = {
    "super",
    "construct",
    "decay_weight",
    "get_loss",
    "gradients_centralization",
    "scale_grad",
}


class _Part(NamedTuple):
    """A line's entry: its expression, and whether it is assigned freely."""

    text: str
    free: bool

    def build(self, cell: Any) -> Any:
        """The part of an object."""
        value = eval(_compiled(self.text), {"self": cell}, _NAMES)
        return value() if isinstance(value, type) else value


class _Names(dict[str, Any]):
    """What the names of expressions stand for: operators before the rest of the package."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError(name)
        operators = import_module("agar.ops.operations")  # generated when first asked for
        package = import_module("agar")
        if name in _HELPERS:
            value = getattr(import_module(_HELPERS[name]), name)
        elif name[0].isupper() and hasattr(operators, name):
            value = getattr(operators, name)
        elif name == "inner":
            value = import_module("agar.ops.operations._inner_ops")
        elif hasattr(package, name):
            value = getattr(package, name)
        else:
            raise KeyError(name)
        self[name] = value
        return value


_NAMES = _Names()


@functools.cache
def _compiled(text: str) -> CodeType:
    return compile(text, "parts.txt", "eval")


@functools.cache
def _text() -> str:
    return Path(__file__).with_name("parts.txt").read_text(encoding="utf-8")


@functools.cache
def _lines() -> dict[str, dict[str, list[str]]]:
    """The lines of the table by package and class; entries are parsed when a class needs them."""
    table: dict[str, dict[str, list[str]]] = {}
    classes: dict[str, list[str]] = {}
    for line in _text().splitlines():
        if line.startswith("["):
            classes = table.setdefault(line.strip("[]"), {})
        elif not line.startswith("#"):
            owner, _, entries = line.partition(" ")
            classes.setdefault(owner, []).append(entries.strip())
    return table


def _entries(package: str, owner: str) -> dict[str, _Part]:
    """The parts of one class, given by the package that its module lies in."""
    sections = [name for name in _lines() if f"{package}.".startswith(f"{name}.")]
    lines = _lines()[max(sections, key=len)].get(owner, []) if sections else []
    entries = {}
    for line in lines:
        for entry in re.split(r"\s+(?=\w+[=~])", line):
            name, sign, text = re.split("([=~])", entry, maxsplit=1)
            entries[name] = _Part(text, sign == "~")
    return entries


@functools.cache
def parts_of(kind: type) -> dict[str, _Part]:
    """The parts that the objects of a class have, with those of its bases."""
    entries: dict[str, _Part] = {}
    for base in reversed(kind.__mro__):
        package, _, rest = base.__module__.partition(".")
        if package in ("agar", "mindspore"):
            entries.update(_entries(rest, base.__name__))
    return entries


@functools.cache
def names_of_parts() -> frozenset[str]:
    """The names of all parts of all classes."""
    return frozenset(re.findall(r" (\w+)[=~]", _text()))


def part_of(cell: Any, name: str) -> Any:
    """A part of a layer, by its name in `parts_of` its class, built now."""
    part = parts_of(type(cell))[name].build(cell)
    if isinstance(part, Primitive):
        part.set_instance_name(name)
    return part


def check_replaced(cell: Any, name: str, value: Any) -> None:
    """Refuse another part for a layer whose own construct would not use it.

    Raises:
        NotImplementedError: `value` differs from the layer's part, and agar's construct runs.
    """
    writer = sys._getframe(2).f_globals.get("__name__", "")
    if writer.startswith("agar."):  # a layer of agar that keeps something of its own by this name
        return
    kind = type(cell)
    part = parts_of(kind).get(name)
    if part is None or part.free or not _uses_own_construct(kind):
        return
    if not _equal(part_of(cell, name), value):
        raise missing_feature(
            f"Another '{name}' of {kind.__name__}",
            f"its computation, or a part of it, is agar's, which does not call self.{name}",
            f"write a subclass whose construct calls self.{name} itself, or use another name",
        )


def _uses_own_construct(kind: Any) -> bool:
    """Whether the construct of a class is agar's, or one that goes on to agar's."""
    names = ("construct", "get_lr", "step")  # a cell's, a scheduler's
    construct = next(getattr(kind, name) for name in names if hasattr(kind, name))
    if getattr(construct, "__module__", "").startswith(("agar.", "mindspore.")):
        return True
    code = getattr(construct, "__code__", None)
    return code is None or not _OWN_METHODS.isdisjoint(code.co_names)


def _equal(part: Any, value: Any) -> bool:
    """Whether two parts compute the same: of one class, the same options or numbers."""
    if type(part) is not type(value):
        return False
    if isinstance(part, Tensor):
        return part.dtype == value.dtype and np.array_equal(part.asnumpy(), value.asnumpy())
    if isinstance(part, tuple):
        return len(part) == len(value) and all(map(_equal, part, value))
    if isinstance(part, Primitive):
        return part.attrs == value.attrs
    if type(part).__module__.startswith("agar."):  # a HyperMap, for instance
        return vars(part) == vars(value)
    return part == value


class WithParts:
    """Base of classes with parts that are not cells."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in parts_of(type(self)):
            return part_of(self, name)
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in names_of_parts():
            check_replaced(self, name, value)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *parts_of(type(self))})
