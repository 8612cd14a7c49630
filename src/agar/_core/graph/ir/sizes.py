"""Sizes that depend on the sizes of the inputs: expressions among a graph's constants."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from agar._core.graph.guard.dynamic import Unsupported
from agar._core.graph.ir.graph import Meta

__all__ = [
    "NAMES",
    "SYMBOLIC",
    "Size",
    "frozen_meta",
    "has_sizes",
    "holds_size",
    "map_sizes",
    "size_of",
    "text_of_size",
    "value_of_size",
]


# ------------------------------------------------------------------------------------- sizes


class Size:
    """A number in a graph that depends on the sizes of the inputs, as a sympy expression."""

    __slots__ = ("expr",)

    def __init__(self, expr: Any) -> None:
        self.expr = expr

    def __eq__(self, other: object) -> bool:
        return type(other) is Size and self.expr == other.expr

    def __hash__(self) -> int:
        return hash(self.expr)

    def __repr__(self) -> str:
        return str(self.expr)


SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)


def size_of(value: Any) -> Any:
    """A symbolic number as a plain one where it is constant, else as a `Size`.

    Raises:
        Unsupported: its value would be rounded in another way than Python does.
    """
    expr = value.node.expr
    if isinstance(value, torch.SymBool):
        if expr.is_Boolean and not expr.free_symbols:
            return bool(expr)
        return Size(expr)
    if expr.is_number and not expr.free_symbols:
        return int(expr) if isinstance(value, torch.SymInt) else float(expr)
    if not _rounds_alike(expr):
        raise Unsupported("Python computes with fractions of sizes")
    return Size(expr)


def _rounds_alike(expr: Any) -> bool:
    """Whether an expression rounds as Python did: sums and products of floats may be reordered."""
    if (expr.is_Add or expr.is_Mul or expr.is_Pow) and not _is_whole(expr):
        return False
    return all(map(_rounds_alike, expr.args))


def _is_whole(expr: Any) -> bool:
    """Whether all parts of a sum or product are whole numbers, which are not rounded."""
    if expr.is_integer or type(expr).__name__ == "ToFloat":
        return True
    if expr.is_Float:
        return float(expr).is_integer()
    return (expr.is_Add or expr.is_Mul) and all(map(_is_whole, expr.args))


def text_of_size(expr: Any) -> str:
    """An expression as Python."""
    from torch.utils._sympy.printers import PythonPrinter

    return PythonPrinter().doprint(expr)


#: What printed expressions use beside the symbols.
NAMES: dict[str, Any] = {"math": math, "torch": torch}


def has_sizes(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(has_sizes, value))
    if isinstance(value, dict):
        return any(map(has_sizes, value.values()))
    return isinstance(value, SYMBOLIC)


def map_sizes(value: Any, fn: Callable[[Size], Any]) -> Any:
    """The same arguments with `fn` applied to each size."""
    kind = type(value)
    if kind is Size:
        return fn(value)
    if kind is tuple or kind is list:
        return kind([map_sizes(v, fn) for v in value])
    if kind is dict:
        return {k: map_sizes(v, fn) for k, v in value.items()}
    return value


def frozen_meta(meta: Meta) -> Meta:
    """Metadata whose sizes can be compared without asking ShapeEnv."""
    result = object.__new__(Meta)
    result.shape = tuple(map(_fixed_size, meta.shape))
    result.stride = tuple(map(_fixed_size, meta.stride))
    result.dtype, result.device, result.storage = meta.dtype, meta.device, meta.storage
    return result


def _fixed_size(size: Any) -> Any:
    return size if type(size) is int else size_of(size)


def holds_size(value: Any) -> bool:
    results: list[Size] = []
    map_sizes(value, results.append)
    return bool(results)


def value_of_size(size: Size, sizes: dict[Any, int]) -> Any:
    """What an expression is for sizes."""
    names = {str(s): n for s, n in sizes.items()}
    return eval(text_of_size(size.expr), dict(NAMES), names)
