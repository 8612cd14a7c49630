"""Checks of parameters and values, shared by distributions and bijectors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from agar import ops
from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor

__all__ = [
    "as_tensor",
    "broadcast_like",
    "common_type",
    "float_type",
    "in_domain",
    "need_tensor",
    "need_tuple",
    "only_numbers",
    "shape_of_all",
    "where",
]

where = ops.select


def float_type(owner: str, dtype: Any) -> Any:
    """A type, checked to be one of floating-point numbers.

    Raises:
        TypeError: it is none.
    """
    if dtype not in mstype.float_type:
        raise TypeError(
            f"For '{owner}', the type of 'dtype' must be a float type, but got {describe(dtype)}."
        )
    return dtype


def number_type(owner: str, dtype: Any) -> Any:
    """A type, checked to be one of numbers.

    Raises:
        TypeError: it is none.
    """
    if dtype not in (*mstype.float_type, *mstype.int_type, *mstype.uint_type):
        raise TypeError(
            f"For '{owner}', the type of 'dtype' must be a number type, but got {describe(dtype)}."
        )
    return dtype


def as_tensor(value: Any, dtype: Any) -> Tensor:
    """A parameter of a distribution as a tensor; a Parameter stays itself.

    Raises:
        TypeError: it is a bool, or of a type that has no numbers.
    """
    if isinstance(value, Parameter):
        return value
    if isinstance(value, bool):
        raise TypeError("A parameter of a distribution must be a number, but got a bool.")
    if isinstance(value, Tensor):
        return value.astype(dtype)
    if isinstance(value, (np.ndarray, list, int, float)):
        return Tensor(value, dtype=dtype)
    raise TypeError(f"Unable to convert {describe(value)} to a Tensor of type {dtype}.")


def common_type(given: dict[str, Any], hint: Any) -> Any:
    """The type in which a distribution computes: that of its parameters, else `hint`, else float32.

    Raises:
        TypeError: the parameters are of different types.
    """
    result = None
    for name, value in given.items():
        if isinstance(value, np.ndarray):
            kind = Tensor(value[..., None][:0]).dtype
        elif isinstance(value, Tensor):
            kind = value.dtype
        else:
            continue
        if result is not None and kind != result:
            raise TypeError(
                f"{name} should have the same dtype as other arguments, {result}, but got {kind}."
            )
        result = kind
    kind = hint if result is None else result
    whole = (None, mstype.float64, *mstype.int_type, *mstype.uint_type)
    if result is None:
        return mstype.float32 if hint is None or hint in whole[2:] else hint
    return mstype.float32 if kind in whole else kind


def shape_of_all(values: Iterable[Any]) -> tuple[int, ...] | None:
    """The shape in which parameters meet; None if one is not given."""
    given = list(values)
    if any(value is None for value in given):
        return None
    shapes = [value.shape if isinstance(value, Tensor) else np.shape(value) for value in given]
    return tuple(np.broadcast_shapes(*shapes))


def only_numbers(values: Iterable[Any]) -> bool:
    """Whether no parameter is an array."""
    return all(value is None or isinstance(value, (int, float)) for value in values)


def need_tensor(value: Any, name: str) -> Tensor:
    """A value, checked to be a tensor.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For {name}, input type must be a Tensor or Parameter, but got {describe(value)}."
        )
    return value


def need_tuple(value: Any, name: str) -> tuple[Any, ...]:
    """A value, checked to be a tuple.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, tuple):
        raise TypeError(f"For {name}, input type must be a tuple, but got {describe(value)}.")
    return value


def broadcast_like(x: Tensor, target: Tensor) -> Tensor:
    """A tensor in the shape of another one, or itself if it has it."""
    return x if x.shape == target.shape else ops.broadcast_to(x, target.shape)


def in_domain(value: Tensor | None, holds: Callable[[Any], Any], message: str) -> None:
    """That every element of a parameter is in its range; one that is not given passes.

    Raises:
        ValueError: one is not.
    """
    if value is not None and not holds(value.asnumpy().astype(np.float64)).all():
        raise ValueError(message)


def shape_tuple(shape: Any) -> tuple[int, ...]:
    """The shape of samples.

    Raises:
        TypeError: it is not a tuple.
    """
    if not isinstance(shape, tuple):
        raise TypeError(f"For shape, input type must be a tuple, but got {describe(shape)}.")
    return shape


def same_name(given: Any, expected: str) -> None:
    """That the other distribution is of the same kind.

    Raises:
        ValueError: it is not.
    """
    if given != expected:
        raise ValueError(f"Expected dist input is {expected}, but got {given}.")


def zeros_below(value: Tensor, bound: Any, result: Tensor) -> Tensor:
    """`result`, but 0 where `value` is below `bound`."""
    return where(value < bound, 0.0, result)


#: The smallest positive number of float32, from where logarithms are drawn.
TINY = float(np.finfo(np.float32).tiny)
EULER = float(np.euler_gamma)
LOG_2PI = math.log(2.0 * math.pi)
