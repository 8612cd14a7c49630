"""Axes given as numbers, checked; and sizes spread over dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar.ops._checks import integer

__all__: list[str] = ["axes_of", "axis_of", "spread"]


def axis_of(op_name: str, axis: Any, rank: int, name: str = "axis") -> int:
    """One axis, counted from the front.

    Raises:
        TypeError: it is not an int.
        ValueError: it lies outside of the rank.
    """
    if type(axis) is int and -rank <= axis < rank:  # nearly always
        return axis % rank
    result = integer(op_name, name, axis)
    low = max(rank, 1)
    if not -low <= result < low:
        raise ValueError(
            f"For '{op_name}', '{name}' must be in the range of [{-low}, {low}), but got {result}."
        )
    return result % low


def axes_of(op_name: str, axis: Any, rank: int, name: str = "axis") -> tuple[int, ...]:
    """Axes as a tuple, counted from the front; None and an empty tuple mean all of them.

    Raises:
        TypeError: `axis` is neither None, an int nor a tuple or list of ints.
        ValueError: an axis lies outside of the rank or is given twice.
    """
    if type(axis) is int and -rank <= axis < rank:
        return (axis % rank,)
    if axis is None or (isinstance(axis, (tuple, list)) and not axis):
        return tuple(range(rank))
    items = tuple(
        axis_of(op_name, a, rank, name)
        for a in (axis if isinstance(axis, (tuple, list)) else (axis,))
    )
    if len(set(items)) != len(items):
        raise ValueError(f"For '{op_name}', '{name}' has an axis twice: {axis}.")
    return items


def spread(values: tuple[Any, ...]) -> Sequence[Any]:
    """The ints of a call ``f(2, 3)`` or ``f((2, 3))``."""
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        return values[0]
    return values
