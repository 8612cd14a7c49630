"""Functions that apply functions to tensors."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from agar._core.tensor import Tensor
from agar.numpy._declare import (
    axis_of,
    find,
    publish,
)
from agar.ops._checks import integer

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise"]


def _tensor(op_name: str, name: str, value: Any) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For 'numpy.{op_name}', '{name}' must be a Tensor, but got '{type(value).__name__}'."
        )
    return value


def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: Tensor, *args: Any, **kwargs: Any
) -> Tensor:
    """Apply a function to every line of a tensor along a dimension.

    Args:
        func1d (Callable): maps a Tensor with one dimension to a Tensor.
        axis (int): the dimension.
        arr (Tensor): the input.
        args: further arguments of `func1d`.
        kwargs: further keyword arguments of `func1d`.

    Returns:
        Tensor; the dimensions of what `func1d` returns replace `axis`.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `axis` is out of range.

    Difference from PyTorch: torch has no such function; ``ms.vmap`` is faster.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.apply_along_axis(mnp.sum, 0, mnp.array([[1.0, 2.0], [3.0, 4.0]])))
        [4. 6.]
    """
    arr = _tensor("apply_along_axis", "arr", arr)
    place = axis_of("numpy.apply_along_axis", axis, arr.ndim)
    move, stack = find("moveaxis"), find("stack")
    last = move(arr, place, -1)
    around = last.shape[:-1]
    lines = last.reshape((-1, arr.shape[place]))
    result = stack([func1d(lines[i], *args, **kwargs) for i in range(lines.shape[0])])
    result = result.reshape((*around, *result.shape[1:]))
    own = result.ndim - arr.ndim + 1
    if own < 1:
        return result
    return move(result, tuple(range(arr.ndim - 1, result.ndim)), tuple(range(place, place + own)))


def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Tensor:
    """Apply a function along one dimension after another; each stays, with size one.

    Args:
        func (Callable): takes a Tensor and the keyword ``axis``.
        a (Union[Tensor, number, list, tuple]): the input.
        axes (Union[int, tuple(int), list(int)]): the dimensions.

    Returns:
        Tensor with as many dimensions as `a`.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `func` removes more than one dimension.

    Difference from PyTorch: torch has no such function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.apply_over_axes(mnp.sum, mnp.array([[1.0, 2.0], [3.0, 4.0]]), 0))
        [[4. 6.]]
    """
    result = start = find("asarray")(a)
    for axis in (axes,) if isinstance(axes, int) else axes:
        integer("numpy.apply_over_axes", "axes", axis)
        result = func(result, axis=axis)
        if result.ndim != start.ndim:
            result = find("expand_dims")(result, axis)
        if result.ndim != start.ndim:
            raise ValueError(
                "For 'numpy.apply_over_axes', 'func' must return a Tensor of the input's number of "
                f"dimensions or one less, but got shape {list(result.shape)}."
            )
    return result


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """A function that is defined differently from part to part.

    Args:
        x (Union[Tensor, number, list, tuple]): the input.
        condlist (Union[Tensor, list, tuple]): the conditions.
        funclist (Union[Tensor, list, tuple]): for each condition a function of `x` or a number.
            One more at the end is used where no condition holds, else there are zeros.
        args: further arguments of the functions.
        kw: further keyword arguments of the functions.

    Returns:
        Tensor.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the number of functions does not fit that of conditions.

    Difference from PyTorch: torch has no such function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> x = mnp.array([-2.0, 1.0, 3.0])
        >>> print(mnp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * 2]))
        [2. 2. 6.]
    """
    asarray = find("asarray")
    x = asarray(x)
    choices: Any = funclist
    if isinstance(choices, (tuple, list)) and choices and _callable(choices[0]):
        choices = [func(x, *args, **kw) for func in choices]
    conditions, values = _rows(condlist), _rows(choices)
    count = conditions.shape[0]
    default: Any = 0
    if len(funclist) == count + 1:
        values, default = values[:-1], values[-1]
    elif len(funclist) != count:
        raise ValueError(
            "For 'numpy.piecewise', there must be as many functions as conditions or one more, but "
            f"got {len(funclist)} and {count}."
        )
    return find("select")(conditions, values, default)


def _callable(value: Any) -> bool:
    return isinstance(value, types.FunctionType) or (
        callable(value) and not isinstance(value, Tensor)
    )


def _rows(values: Any) -> Tensor:
    """One tensor of all conditions or values."""
    if isinstance(values, (tuple, list)):
        return find("stack")([find("asarray")(value) for value in values])
    return find("atleast_1d")(find("asarray")(values))


for _function in (apply_along_axis, apply_over_axes, piecewise):
    publish(_function.__name__, _function, "array_ops")
