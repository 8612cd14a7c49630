"""Checks of float arguments, shared by optimizers, schedules, train cells and callbacks.

MindSpore is strict here: where it says float, an int is a TypeError. These functions raise the same
types of exception and return the value. Ints and bools are checked by ``agar.ops._checks``.
"""

from __future__ import annotations

from typing import Any

from agar._core.errors import type_name
from agar.ops._checks import boolean, integer

__all__ = [
    "boolean",
    "float_only",
    "greater",
    "integer",
    "not_negative",
    "number",
    "open_unit",
    "positive",
]


def _type_error(owner: str, name: str, expected: str, value: Any) -> TypeError:
    return TypeError(
        f"For '{owner}', the argument '{name}' must be {expected}, but got {value!r} with type "
        f"{type_name(value)}."
    )


def float_only(owner: str, name: str, value: Any) -> float:
    """A float; an int is refused as MindSpore does.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, float):
        hint = f"; write {float(value)}" if type(value) is int else ""
        raise _type_error(owner, name, f"float{hint}", value)
    return value


def number(owner: str, name: str, value: Any) -> float:
    """A float or an int, as float.

    Raises:
        TypeError: it is neither.
    """
    if not isinstance(value, (int, float)):
        raise _type_error(owner, name, "float or int", value)
    return float(value)


def positive(owner: str, name: str, value: Any, *, strict: bool = True) -> float:
    """A number above zero; with `strict` it must be a float.

    Raises:
        TypeError: it has the wrong type.
        ValueError: it is not positive.
    """
    result = float_only(owner, name, value) if strict else number(owner, name, value)
    if not result > 0:
        raise ValueError(
            f"For '{owner}', the '{name}' must be float and must > 0, but got {value!r}."
        )
    return result


def not_negative(owner: str, name: str, value: Any, *, strict: bool = True) -> float:
    """A number not below zero; with `strict` it must be a float.

    Raises:
        TypeError: it has the wrong type.
        ValueError: it is negative.
    """
    result = float_only(owner, name, value) if strict else number(owner, name, value)
    if not result >= 0:
        raise ValueError(
            f"For '{owner}', the '{name}' must be float and must >= 0, but got {value!r}."
        )
    return result


def open_unit(owner: str, name: str, value: Any) -> float:
    """A float between zero and one, both excluded.

    Raises:
        TypeError: it is not a float.
        ValueError: it is out of range.
    """
    if not 0.0 < float_only(owner, name, value) < 1.0:
        raise ValueError(
            f"For '{owner}', the '{name}' must be in range of (0.0, 1.0), but got {value!r}."
        )
    return value


def greater(owner: str, high: str, low: str, values: tuple[float, float]) -> None:
    """That the first of two values, named `high`, is above the second, named `low`.

    Raises:
        ValueError: it is not.
    """
    if values[0] <= values[1]:
        raise ValueError(
            f"For '{owner}', the '{high}' must be greater than '{low}', but got '{high}' "
            f"{values[0]} and '{low}' {values[1]}."
        )
