"""Checks of types and shapes that programs import from MindSpore's path ``numpy.utils_const``."""

from __future__ import annotations

from typing import Any

from agar._core.dtype import Type
from agar.numpy._declare import promoted_type, public_type, value_type
from agar.ops.tensor.creation import sizes

__all__: list[str] = []


def _check_dtype(dtype: Any) -> Type:
    """The type for any spelling of a type of real numbers.

    Raises:
        TypeError: it names none.
    """
    return public_type(value_type("check_dtype", dtype))


def _promote(dtype1: Any, dtype2: Any) -> Type:
    """The type in which two types meet.

    Raises:
        TypeError: an argument names no type of real numbers.
    """
    first = value_type("promote_types", dtype1, "dtype1")
    return public_type(promoted_type(first, value_type("promote_types", dtype2, "dtype2")))


def _check_shape(shape: Any) -> tuple[int, ...]:
    """A shape from an int, or from a tuple or list of ints.

    Raises:
        TypeError: it is something else.
        ValueError: a size is negative.
    """
    return sizes("numpy.check_shape", shape)
