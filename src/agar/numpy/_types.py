"""Promotion of types."""

from __future__ import annotations

import functools
from typing import Any

from agar._core.dtype import Type
from agar._core.tensor import Tensor
from agar.numpy._declare import number_type, promoted_type, public_type, publish, value_type

__all__ = ["promote_types", "result_type"]


def promote_types(type1: Any, type2: Any) -> Type:
    """The type in which two types meet.

    Args:
        type1 (Union[Type, str]): the first type.
        type2 (Union[Type, str]): the second.

    Returns:
        Type: floating types win over integers; a signed type that holds both integers is taken, and
        float64 where there is none.

    Raises:
        TypeError: an argument names no type of real numbers.

    Difference from PyTorch: uint16, uint32 and uint64 meet other types; uint16 and float64 give
    float32.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.promote_types(mnp.float32, mnp.float64))
        Float64
    """
    first = value_type("promote_types", type1, "type1")
    return public_type(promoted_type(first, value_type("promote_types", type2, "type2")))


def result_type(*arrays_and_dtypes: Any) -> Type:
    """The type in which tensors, numbers and types meet.

    Args:
        arrays_and_dtypes (Union[Tensor, int, float, bool, Type, str]): what meets; numbers count
            as int32, float32 and bool.

    Returns:
        Type.

    Raises:
        TypeError: an argument is of another type, or there is none.

    Difference from PyTorch: any number of arguments; a 0-d tensor counts like any other.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.result_type("i2", mnp.array([1.0]), True))
        Float32
    """
    if not arrays_and_dtypes:
        raise TypeError("For 'numpy.result_type', at least one argument must be given.")
    kinds = []
    for value in arrays_and_dtypes:
        if isinstance(value, Tensor):
            kinds.append(value._value.dtype)
        elif isinstance(value, (bool, int, float)):
            kinds.append(number_type(value))
        else:
            kinds.append(_named_type(value))
    return public_type(functools.reduce(promoted_type, kinds))


def _named_type(value: Any) -> Any:
    """A type; names may be numpy's short ones, such as ``"i2"``."""
    try:
        return value_type("result_type", value)
    except TypeError:
        if not isinstance(value, str):
            raise
    import numpy as np

    try:
        return value_type("result_type", np.dtype(value))
    except TypeError as error:
        raise TypeError(f"For 'numpy.result_type', {value!r} is not a type.") from error


for _function in (promote_types, result_type):
    publish(_function.__name__, _function, "math_ops")
