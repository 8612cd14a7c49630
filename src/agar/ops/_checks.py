"""Checks of constructor and operator arguments that are not tensors.

Every check returns the value, or raises MindSpore's exception type with a sentence that names the
class or operator, the argument, what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

# sizes of graphs that leave them open are torch's
import torch

__all__ = ["between", "boolean", "choice", "function", "int_tuple", "integer", "number"]


def integer(op_name: str, name: str, value: Any, minimum: int | None = None) -> int:
    """An int, at least `minimum` if one is given.

    Raises:
        TypeError: it is not an int.
        ValueError: it is too small.
    """
    # a SymInt is a size that an exported or dynamic graph leaves open
    if type(value) is bool or not isinstance(value, (int, torch.SymInt)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be int, but got '{type(value).__name__}'."
        )
    if minimum is not None and value < minimum:
        bound = "> 0" if minimum == 1 else f">= {minimum}"
        raise ValueError(
            f"For '{op_name}', '{name}' must be int and must {bound}, but got '{value}'."
        )
    return value  # pyright: ignore[reportReturnType] (a SymInt behaves as an int)


def number(op_name: str, name: str, value: Any) -> float:
    """An int or float.

    Raises:
        TypeError: it is neither.
    """
    if type(value) is bool or not isinstance(value, (int, float)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be float or int, but got "
            f"'{type(value).__name__}'."
        )
    return value


def between(
    op_name: str, name: str, value: Any, low: float, high: float, ends: str = "[]"
) -> float:
    """A number within an interval; `ends` says which ends belong to it.

    Raises:
        TypeError: it is not a number.
        ValueError: it lies outside.
    """
    number(op_name, name, value)
    above = value >= low if ends[0] == "[" else value > low
    below = value <= high if ends[1] == "]" else value < high
    if not (above and below):
        raise ValueError(
            f"For '{op_name}', '{name}' must be in the range {ends[0]}{low}, {high}{ends[1]}, but "
            f"got '{value}'."
        )
    return value


def boolean(op_name: str, name: str, value: Any) -> bool:
    """A bool.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, bool):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be bool, but got '{type(value).__name__}'."
        )
    return value


def choice(op_name: str, name: str, value: Any, options: Iterable[str]) -> str:
    """One of several words.

    Raises:
        TypeError: it is not a str.
        ValueError: it is another word.
    """
    options = list(options)
    if not isinstance(value, str):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be str (one of {options}), but got "
            f"'{type(value).__name__}'."
        )
    if value not in options:
        raise ValueError(
            f"For '{op_name}', the '{name}' must be in '{options}', but got '{value}'."
        )
    return value


def function(op_name: str, name: str, value: Any) -> Callable[..., Any]:
    """What can be called.

    Raises:
        TypeError: it cannot be called.
    """
    if not callable(value):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' should be one of '['function', 'method']', but "
            f"got type '{type(value).__name__}'."
        )
    return value


def int_tuple(
    op_name: str, name: str, value: Any, count: int, minimum: int = 1, *, lists: bool = True
) -> tuple[int, ...]:
    """An int for every dimension, or a tuple (or list) of `count` ints.

    Raises:
        TypeError: it is of another type or length.
        ValueError: an int is too small.
    """
    if isinstance(value, tuple) or (lists and isinstance(value, list)):
        if len(value) != count:
            raise TypeError(
                f"For '{op_name}', '{name}' is an int or a tuple: the input tuple dimension must "
                f"be {count}, but got {value!r}."
            )
        return tuple(integer(op_name, name, v, minimum) for v in value)
    return (integer(op_name, name, value, minimum),) * count


def ints(op_name: str, name: str, value: Any) -> Sequence[int]:
    """A tuple or list of ints.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, (tuple, list)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be tuple or list, but got "
            f"'{type(value).__name__}'."
        )
    for v in value:
        integer(op_name, name, v)
    return value
