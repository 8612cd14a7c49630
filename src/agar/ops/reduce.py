"""Sums, means, extremes and other reductions along axes; running ones; statistics.

NOTE Axes. `axis` is None (all axes), an int, or a tuple or list of ints; an empty one means all axes.
Methods of Tensor take MindSpore's older and newer argument names: ``axis``/``dim`` and
``keepdims``/``keep_dims``/``keepdim``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import to_torch_dtype
from agar._core.optable import op, primitive
from agar.ops._checks import integer, number
from agar.ops.math import input_is_integer
from agar.ops.shape import axes_of, axis_of

__all__: list[str] = []


def _wanted(who: str, input: Tensor, dtype: Any) -> Tensor:
    return input if dtype is None else input.to(to_torch_dtype(dtype, who=who))


def _either(who: str, first: Any, second: Any, default: Any, names: str) -> Any:
    """The one of two synonymous arguments that was given."""
    if second is default or (second is None and default is None):
        return first
    if first is not default:
        raise TypeError(f"For '{who}', {names} mean the same; give one of them.")
    return second


def _reduced(
    who: str, compute: Callable[..., Tensor], input: Tensor, axis: Any, keepdims: bool
) -> Tensor:
    """A torch reduction over axes; all of them for None or an empty tuple (NOTE Axes)."""
    if axis is None and not keepdims:
        return compute(input)
    axes = axes_of(who, axis, input.ndim)
    if not axes:  # a 0-d tensor
        return compute(input)
    return compute(input, axes, keepdims)


# ------------------------------------------------------------------------------------- sums

_AXIS_ERRORS = (
    ("f(2, 3), 2", ValueError, "must be in the range"),
    ("f(2, 3), 'x'", TypeError, "int"),
    ("f(2, 3), (0, 0)", ValueError, "twice"),
)


@op(
    mint=True,
    samples=(
        "f(2, 3)",
        "f(2, 3), 1",
        "f(2, 3), (0, 1), True",
        "i(3)",
        "b(3)",
        "f(2, 3), ()",
        "f(3), dtype=ms.float32",
    ),
    errors=_AXIS_ERRORS,
)
def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Sum over axes: :math:`out = \sum_{dim} input`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether they stay, with size 1. Default: False.
        dtype (Type): the type to sum in and to return. Default None: that of `input`; int64 for
            integers and bool.

    Returns:
        Tensor.

    Raises:
        TypeError: `dim` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.sum(ms.Tensor([[1, 2], [3, 4]]), 1))
        [3 7]
    """
    if dtype is not None:
        input = input.to(to_torch_dtype(dtype, who="sum"))
        kind = input.dtype
        return _reduced("sum", lambda x, *a: torch.sum(x, *a, dtype=kind), input, dim, keepdim)
    return _reduced("sum", torch.sum, input, dim, keepdim)


@op(
    "sum",
    function=False,
    method="sum",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1, ms.float32",
        "f(2, 3), 1, True",
        "f(2, 3), axis=1, keepdims=True",
        "f(2, 3), dim=1, keepdim=True",
        "f(2, 3), 1, initial=5",
    ),
    errors=(*_AXIS_ERRORS, ("f(2, 3), 1, dim=0", TypeError, "axis")),
)
def _sum(
    input: Tensor,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    *,
    dim: Any = None,
    keepdim: bool = False,
) -> Tensor:
    """Sum over axes.

    Args:
        input (Tensor): this tensor.
        axis (Union[None, int, tuple, list]): the axes; `dim` means the same. Default None: all.
        dtype (Type): the type of the result. A bool in this place is `keepdim`. Default: None.
        keepdims (bool): whether the axes stay, with size 1; `keepdim` means the same.
            Default: False.
        initial (number): what is added to the sum. Default: None.
        dim (Union[None, int, tuple, list]): see `axis`. Default: None.
        keepdim (bool): see `keepdims`. Default: False.

    Returns:
        Tensor.

    Raises:
        TypeError: an argument is of another type, or given under both names.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: ``axis``, ``keepdims`` and ``initial`` are numpy's.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 2], [3, 4]]).sum(axis=0, keepdims=True))
        [[4 6]]
    """
    if isinstance(dtype, bool):
        dtype, keepdim = None, dtype
    axis = axis if dim is None else _either("sum", axis, dim, None, "'axis' and 'dim'")
    made = sum(input, axis, keepdims or keepdim, dtype=dtype)
    return made if initial is None else made + number("sum", "initial", initial)


@op(
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1), True", "i(3)"),
    errors=(*_AXIS_ERRORS, ("b(2)", TypeError, "bool")),
)
def mean(x: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    r"""Mean over axes: :math:`out = \frac{1}{N} \sum_{axis} x`.

    Args:
        x (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether they stay, with size 1. Default: False.

    Returns:
        Tensor of the type of `x`; the mean of integers is truncated.

    Raises:
        TypeError: `axis` is of another type, or `x` is bool.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: integers are accepted and stay integers; `keep_dims` is called
    ``keepdim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.mean(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1.5 3.5]
    """
    return _mean("mean", x, axis, keep_dims)


def _mean(who: str, x: Tensor, axis: Any, keepdims: bool) -> Tensor:
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        if x.dtype is torch.bool:
            raise TypeError(
                f"For '{who}', the mean of bool is not defined; convert with .astype(ms.float32)."
            )
        total = _reduced(who, torch.sum, x, axis, keepdims)
        count = x.numel() // (total.numel() or 1)
        return torch.div(total, count, rounding_mode="trunc").to(x.dtype)
    return _reduced(who, torch.mean, x, axis, keepdims)


@op("mean", function=False, mint="mean", samples=("f(2, 3)", "f(2, 3), 1, True", "i(3)"))
def _mean_mint(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Mean over axes; see :func:`ops.mean`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.mean(ms.Tensor([1.0, 2.0])))
        1.5
    """
    return _mean("mean", _wanted("mean", input, dtype), dim, keepdim)


@op(
    "mean",
    function=False,
    method="mean",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1, True",
        "f(2, 3), axis=1, keep_dims=True",
        "f(2, 3), dim=1, keepdim=True",
        "f(3), dtype=ms.float32",
    ),
    errors=_AXIS_ERRORS,
)
def _mean_method(
    input: Tensor,
    axis: Any = None,
    keep_dims: bool = False,
    *,
    dim: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:
    """Mean over axes; `dim` and `keepdim` mean `axis` and `keep_dims`. See :func:`ops.mean`.

    Args:
        input (Tensor): this tensor.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether they stay, with size 1. Default: False.
        dim (Union[None, int, tuple, list]): see `axis`. Default: None.
        keepdim (bool): see `keep_dims`. Default: False.
        dtype (Type): the type to compute in and to return. Default: None.

    Returns:
        Tensor.

    Raises:
        TypeError: an argument is of another type, or given under both names.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: integers are accepted and stay integers.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]).mean(axis=0))
        [2. 3.]
    """
    axis = axis if dim is None else _either("mean", axis, dim, None, "'axis' and 'dim'")
    return _mean("mean", _wanted("mean", input, dtype), axis, keep_dims or keepdim)


def _product(input: Tensor, axes: tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    if axes is None:
        return torch.prod(input)
    for axis in sorted(axes, reverse=True):
        input = torch.prod(input, axis, keepdims)
    return input


@op(
    mint=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1), True", "i(3)", "b(3)"),
    errors=_AXIS_ERRORS,
)
def prod(input: Tensor, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    r"""Product over axes: :math:`out = \prod_{axis} input`.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether they stay, with size 1. Default: False.
        dtype (Type): the type to compute in and to return. Default None: that of `input`; int64
            for integers and bool.

    Returns:
        Tensor.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: several axes are accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.prod(ms.Tensor([[1, 2], [3, 4]]), 1))
        [ 2 12]
    """
    made = _reduced("prod", _product, _wanted("prod", input, dtype), axis, keep_dims)
    return _wanted("prod", made, dtype)


@op("prod", function=False, mint="prod", samples=("f(2, 3)", "f(2, 3), 1, True"))
def _prod_mint(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Product over axes; see :func:`ops.prod`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.prod(ms.Tensor([2.0, 3.0])))
        6.0
    """
    return prod(input, dim, keepdim, dtype)


@op(
    "prod",
    function=False,
    method="prod",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1, True",
        "f(2, 3), axis=1, keep_dims=True",
        "f(2, 3), dim=1, keepdim=True",
    ),
    errors=_AXIS_ERRORS,
)
def _prod_method(
    input: Tensor,
    axis: Any = None,
    keep_dims: bool = False,
    dtype: Any = None,
    *,
    dim: Any = None,
    keepdim: bool = False,
) -> Tensor:
    """Product over axes; `dim` and `keepdim` mean `axis` and `keep_dims`. See :func:`ops.prod`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([2.0, 3.0]).prod())
        6.0
    """
    axis = axis if dim is None else _either("prod", axis, dim, None, "'axis' and 'dim'")
    return prod(input, axis, keep_dims or keepdim, dtype)


# -------------------------------------------------------------------------------- any and all


def _truth(name: str, compute: Callable[..., Tensor], words: str, shown: str) -> None:
    """Declare any or all: function, method and Primitive."""

    def with_axes(input: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
        if axes is None:
            return compute(input)
        for axis in sorted(axes, reverse=True):
            input = compute(input, axis, keepdims)
        return input

    def impl(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
        return _reduced(name, with_axes, input, axis, keep_dims)

    doc = (
        f"Whether {words} along axes are true (not zero).\n\n"
        "    Args:\n"
        "        input (Tensor): any shape and type.\n"
        "        axis (Union[None, int, tuple, list]): the axes. Default None: all.\n"
        "        keep_dims (bool): whether they stay, with size 1. Default: False.\n\n"
        "    Returns:\n"
        "        Tensor of bool.\n\n"
        "    Raises:\n"
        "        TypeError: `axis` is of another type.\n"
        "        ValueError: an axis is out of range or given twice.\n\n"
        "    Difference from PyTorch: `keep_dims` is called ``keepdim`` there.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> print(ms.ops.{name}(ms.Tensor([[True, False], [True, True]]), 1))\n"
        f"        {shown}\n"
    )
    impl.__name__ = name
    impl.__doc__ = doc
    options: dict[str, Any] = {"cast": "never", "differentiable": False}
    op(
        name,
        samples=("b(2, 3)", "b(2, 3), 1, True", "f(2, 3), (0, 1)", "i(3)"),
        errors=_AXIS_ERRORS,
        **options,
    )(impl)

    def method(
        input: Tensor,
        axis: Any = None,
        keep_dims: bool = False,
        *,
        dim: Any = None,
        keepdim: bool = False,
    ) -> Tensor:
        axis = axis if dim is None else _either(name, axis, dim, None, "'axis' and 'dim'")
        return _reduced(name, with_axes, input, axis, keep_dims or keepdim)

    method.__doc__ = (
        f"Whether {words} along axes are true; `dim` and `keepdim` mean `axis` and `keep_dims`.\n"
        f"    See :func:`ops.{name}`.\n"
    )
    op(
        name,
        function=False,
        method=name,
        samples=("b(2, 3)", "b(2, 3), dim=1, keepdim=True"),
        **options,
    )(method)

    def in_mint(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        return _reduced(name, with_axes, input, dim, keepdim)

    in_mint.__doc__ = f"Whether {words} along axes are true; see :func:`ops.{name}`.\n"
    op(name, function=False, mint=name, samples=("b(2, 3)", "b(2, 3), 1, True"), **options)(in_mint)

    def made(x: Tensor, axis: Any = None, *, keep_dims: bool = False) -> Tensor:
        return _reduced(name, with_axes, x, axis, keep_dims)

    made.__doc__ = f"Whether {words} along axes are true; see :func:`ops.{name}`.\n"
    primitive(
        f"Reduce{name.capitalize()}", samples=("b(2, 3)", "b(2, 3), 1, keep_dims=True"), **options
    )(made)


_truth("all", torch.all, "all elements", "[False  True]")
_truth("any", torch.any, "some elements", "[ True  True]")


# ----------------------------------------------------------------------------------- extremes


def _with_where(
    who: str, input: Tensor, initial: Any, where: Tensor | None, largest: bool
) -> Tensor:
    """The input with what `where` leaves out replaced by `initial`, and bounded by it."""
    if where is not None:
        if initial is None:
            raise ValueError(f"For '{who}', 'initial' must be given together with 'where'.")
        fill = torch.full((), initial, dtype=input.dtype, device=input.device)
        input = torch.where(where.to(torch.bool), input, fill)
    if initial is not None:
        bound = number(who, "initial", initial)
        input = torch.clamp(input, min=bound) if largest else torch.clamp(input, max=bound)
    return input


def _extreme(
    who: str, input: Tensor, axis: Any, keepdims: bool, largest: bool
) -> tuple[Tensor, Tensor]:
    """Value and place of the largest or smallest element along one axis."""
    place = axis_of(who, axis, input.ndim)
    if input.ndim == 0:
        return input, torch.zeros((), dtype=torch.int64, device=input.device)
    found = (torch.max if largest else torch.min)(input, place, keepdims)
    return found.values, found.indices


def _largest(input: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
    # Without axes torch.max is meant: its gradient goes to one element, as MindSpore's does.
    return torch.max(input) if axes is None else torch.amax(input, axes, keepdims)


def _smallest(input: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
    return torch.min(input) if axes is None else torch.amin(input, axes, keepdims)


def _value_and_place(
    who: str, input: Tensor, axis: Any, keepdims: bool, largest: bool
) -> tuple[Tensor, Tensor]:
    if axis is None:
        place = torch.zeros((), dtype=torch.int64, device=input.device)
        return (_largest if largest else _smallest)(input), place
    return _extreme(who, input, integer(who, "axis", axis), keepdims, largest)


_EXTREME_SAMPLES = (
    "f(2, 3)",
    "f(2, 3), 1",
    "f(2, 3), 0, True",
    "i(3)",
    "f(2, 3), 1, initial=0.5, where=b(2, 3)",
)
_EXTREME_ERRORS = (
    ("f(2, 3), 2", ValueError, "must be in the range"),
    ("f(2, 3), (0, 1)", TypeError, "axis"),
    ("f(2, 3), 1, where=b(2, 3)", ValueError, "initial"),
)


@op(samples=_EXTREME_SAMPLES, errors=_EXTREME_ERRORS)
def max(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest elements along an axis and their places.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: all elements; the place is then 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tuple of the values and the places (int64); of equal elements the first counts.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range, or `where` is given without `initial`.

    Difference from PyTorch: without `axis` there is a place too, always 0; the result is a plain
    tuple.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> values, places = ms.ops.max(ms.Tensor([[1, 5], [7, 3]]), 1)
        >>> print(values, places)
        [5 7] [1 0]
    """
    input = _with_where("max", input, initial, where, largest=True)
    return _value_and_place("max", input, axis, keepdims, largest=True)


@op(samples=_EXTREME_SAMPLES, errors=_EXTREME_ERRORS)
def min(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The smallest elements along an axis and their places.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: all elements; the place is then 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tuple of the values and the places (int64); of equal elements the first counts.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range, or `where` is given without `initial`.

    Difference from PyTorch: without `axis` there is a place too, always 0; the result is a plain
    tuple.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> values, places = ms.ops.min(ms.Tensor([[1, 5], [7, 3]]), 1)
        >>> print(values, places)
        [1 3] [0 1]
    """
    input = _with_where("min", input, initial, where, largest=False)
    return _value_and_place("min", input, axis, keepdims, largest=False)


def _extreme_method(
    who: str,
    largest: bool,
    input: Tensor,
    dim: Any,
    axis: Any,
    keepdims: bool,
    return_indices: bool,
) -> Any:
    compute = _largest if largest else _smallest
    if dim is not None:
        if axis is not None:
            raise TypeError(f"For '{who}', 'axis' and 'dim' mean the same; give one of them.")
        return _extreme(who, input, dim, keepdims, largest)
    if axis is None:  # MindSpore leaves out all axes then, also with keepdims
        return compute(input)
    if return_indices:
        return _extreme(who, input, axis, keepdims, largest)
    return _reduced(who, compute, input, axis, keepdims)


_METHOD_SAMPLES = (
    "f(2, 3)",
    "f(2, 3), 1",
    "f(2, 3), axis=(0, 1)",
    "f(2, 3), axis=1, keepdims=True",
    "f(2, 3), axis=1, return_indices=True",
    "f(2, 3), axis=0, initial=0.5",
)
_METHOD_ERRORS = (
    ("f(2, 3), 2", ValueError, "must be in the range"),
    ("f(2, 3), 0, axis=1", TypeError, "axis"),
)


@op("max", function=False, method="max", samples=_METHOD_SAMPLES, errors=_METHOD_ERRORS)
def _max(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    axis: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Tensor | None = None,
    return_indices: bool = False,
) -> Any:
    """The largest element, or those along axes.

    Args:
        input (Tensor): this tensor.
        dim (int): an axis: gives values and places. Default: None.
        keepdim (bool): whether the axis stays, with size 1. Default: False.
        axis (Union[int, tuple, list]): axes: gives values only. Default: None.
        keepdims (bool): as `keepdim`. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.
        return_indices (bool): with `axis`, whether to give places too. Default: False.

    Returns:
        Tensor; with `dim` or `return_indices` a tuple of values and places (int64).

    Raises:
        TypeError: both `dim` and `axis` are given.
        ValueError: an axis is out of range, or `where` is given without `initial`.

    Difference from PyTorch: `axis` gives values only.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 5], [7, 3]]).max(axis=1))
        [5 7]
    """
    input = _with_where("max", input, initial, where, largest=True)
    return _extreme_method("max", True, input, dim, axis, keepdim or keepdims, return_indices)


@op("min", function=False, method="min", samples=_METHOD_SAMPLES, errors=_METHOD_ERRORS)
def _min(
    input: Tensor,
    dim: Any = None,
    keepdim: bool = False,
    *,
    axis: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Tensor | None = None,
    return_indices: bool = False,
) -> Any:
    """The smallest element, or those along axes.

    Args:
        input (Tensor): this tensor.
        dim (int): an axis: gives values and places. Default: None.
        keepdim (bool): whether the axis stays, with size 1. Default: False.
        axis (Union[int, tuple, list]): axes: gives values only. Default: None.
        keepdims (bool): as `keepdim`. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.
        return_indices (bool): with `axis`, whether to give places too. Default: False.

    Returns:
        Tensor; with `dim` or `return_indices` a tuple of values and places (int64).

    Raises:
        TypeError: both `dim` and `axis` are given.
        ValueError: an axis is out of range, or `where` is given without `initial`.

    Difference from PyTorch: `axis` gives values only.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 5], [7, 3]]).min(axis=1))
        [1 3]
    """
    input = _with_where("min", input, initial, where, largest=False)
    return _extreme_method("min", False, input, dim, axis, keepdim or keepdims, return_indices)


@op("max", function=False, mint="max", samples=("f(2, 3)", "f(2, 3), 1, True"))
def _max_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The largest element; with `dim` those along an axis and their places.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.max(ms.Tensor([1, 5, 3])))
        5
    """
    return _extreme_method("max", True, input, dim, None, keepdim, False)


@op("min", function=False, mint="min", samples=("f(2, 3)", "f(2, 3), 1, True"))
def _min_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The smallest element; with `dim` those along an axis and their places.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.min(ms.Tensor([1, 5, 3])))
        1
    """
    return _extreme_method("min", False, input, dim, None, keepdim, False)


_OVER_SAMPLES = (
    "f(2, 3)",
    "f(2, 3), 1",
    "f(2, 3), (0, 1), True",
    "i(3)",
    "f(2, 3), 1, initial=0.5, where=b(2, 3)",
)


@op(method=True, samples=_OVER_SAMPLES, errors=_AXIS_ERRORS)
def amax(
    input: Tensor,
    axis: Any = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> Tensor:
    """The largest elements along axes.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether they stay, with size 1. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tensor. Along axes, equal elements share the gradient.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range, or `where` is given without `initial`.

    Difference from PyTorch: `initial` and `where` are numpy's.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.amax(ms.Tensor([[1, 5], [7, 3]]), 1))
        [5 7]
    """
    input = _with_where("amax", input, initial, where, largest=True)
    return _reduced("amax", _largest, input, axis, keepdims)


@op(method=True, samples=_OVER_SAMPLES, errors=_AXIS_ERRORS)
def amin(
    input: Tensor,
    axis: Any = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> Tensor:
    """The smallest elements along axes.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether they stay, with size 1. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tensor. Along axes, equal elements share the gradient.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range, or `where` is given without `initial`.

    Difference from PyTorch: `initial` and `where` are numpy's.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.amin(ms.Tensor([[1, 5], [7, 3]]), 1))
        [1 3]
    """
    input = _with_where("amin", input, initial, where, largest=False)
    return _reduced("amin", _smallest, input, axis, keepdims)


@op("amax", function=False, mint="amax", samples=("f(2, 3)", "f(2, 3), 1, True"))
def _amax_mint(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest elements along axes; see :func:`ops.amax`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.amax(ms.Tensor([[1, 5], [7, 3]]), 1))
        [5 7]
    """
    return _reduced("amax", _largest, input, dim, keepdim)


@op("amin", function=False, mint="amin", samples=("f(2, 3)", "f(2, 3), 1, True"))
def _amin_mint(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest elements along axes; see :func:`ops.amin`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.amin(ms.Tensor([[1, 5], [7, 3]]), 1))
        [1 3]
    """
    return _reduced("amin", _smallest, input, dim, keepdim)


@op(
    method=True,
    samples=("f(2, 3)", "f(2, 3), axis=1, keepdims=True"),
    errors=(("f(2, 3), axis=2", ValueError, "axis"),),
)
def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple:
    """The smallest and the largest elements along an axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis; None for all. Default: 0.
        keepdims (bool): whether it stays, with size 1. Default: False.

    Returns:
        Tuple of the smallest and the largest.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: `axis` is None by default there and called ``dim``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> low, high = ms.ops.aminmax(ms.Tensor([[1, 5], [7, 3]]))
        >>> print(low, high)
        [1 3] [7 5]
    """
    return (
        _reduced("aminmax", _smallest, input, axis, keepdims),
        _reduced("aminmax", _largest, input, axis, keepdims),
    )


@op(function=False, method=True, samples=("f(2, 3)", "f(2, 3), 1, True"), errors=_AXIS_ERRORS)
def ptp(input: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The range along axes: the largest element minus the smallest.

    Args:
        input (Tensor): this tensor.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether they stay, with size 1. Default: False.

    Returns:
        Tensor.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range.

    Difference from PyTorch: no counterpart; numpy's ``ptp``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 5, 3]).ptp())
        4
    """
    return amax(input, axis, keepdims) - amin(input, axis, keepdims)


# ------------------------------------------------------------------------- places of extremes


def _arg(
    who: str, compute: Callable[..., Tensor], input: Tensor, axis: Any, keepdims: bool
) -> Tensor:
    if axis is None:
        return compute(input.reshape(-1), 0) if input.ndim else compute(input)
    return compute(input, axis_of(who, axis, input.ndim), keepdims)


@op(
    mint=True,
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), 0, True"),
    errors=_AXIS_ERRORS[:2],
)
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Places of the largest elements along an axis.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: the place in the flattened tensor.
        keepdim (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tensor of int64; of equal elements the first counts.

    Raises:
        TypeError: `dim` is no int.
        ValueError: `dim` is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.argmax(ms.Tensor([[1, 5], [7, 3]]), 1))
        [1 0]
    """
    return _arg("argmax", torch.argmax, input, dim, keepdim)


@op(
    "argmax",
    function=False,
    method="argmax",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), dim=0, keepdim=True"),
    errors=_AXIS_ERRORS[:2],
)
def _argmax(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    dim: int | None = None,
    keepdim: bool = False,
) -> Tensor:
    """Places (int64) of the largest elements; `dim`, `keepdim` mean `axis`, `keepdims`.

    See :func:`ops.argmax`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 5], [7, 3]]).argmax(axis=1))
        [1 0]
    """
    axis = axis if dim is None else _either("argmax", axis, dim, None, "'axis' and 'dim'")
    return _arg("argmax", torch.argmax, input, axis, keepdims or keepdim)


@op(
    method=False,
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), 0, True"),
    errors=_AXIS_ERRORS[:2],
)
def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Places of the smallest elements along an axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: the place in the flattened tensor.
        keepdims (bool): whether it stays, with size 1. Default: False.

    Returns:
        Tensor of int32; of equal elements the first counts.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: int64 there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.argmin(ms.Tensor([[1, 5], [7, 3]]), 1))
        [0 1]
    """
    return _arg("argmin", torch.argmin, input, axis, keepdims).to(torch.int32)


@op(
    "argmin",
    function=False,
    mint="argmin",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1, True"),
)
def _argmin_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Places (int64) of the smallest elements; see :func:`ops.argmin`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.argmin(ms.Tensor([3, 1, 2])))
        1
    """
    return _arg("argmin", torch.argmin, input, dim, keepdim)


@op(
    "argmin",
    function=False,
    method="argmin",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), dim=0, keepdim=True"),
    errors=_AXIS_ERRORS[:2],
)
def _argmin(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    dim: int | None = None,
    keepdim: bool = False,
) -> Tensor:
    """Places (int32) of the smallest elements; `dim`, `keepdim` mean `axis`, `keepdims`.

    See :func:`ops.argmin`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 5], [7, 3]]).argmin(axis=1))
        [0 1]
    """
    axis = axis if dim is None else _either("argmin", axis, dim, None, "'axis' and 'dim'")
    return argmin(input, axis, keepdims or keepdim)


@primitive(
    "Argmax",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), axis=0, output_type=ms.int64"),
    errors=(("f(2), axis=1", ValueError, "axis"),),
)
def _argmax_primitive(input_x: Tensor, *, axis: int = -1, output_type: Any = torch.int32) -> Tensor:
    """Places of the largest elements along an axis.

    Args:
        axis (int): the axis. Default: -1.
        output_type (Type): int32 or int64. Default: int32.
        input_x (Tensor): any shape.

    Returns:
        Tensor of `output_type`; of equal elements the first counts.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: int64 there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Argmax()(ms.Tensor([[1, 5], [7, 3]])))
        [1 0]
    """
    found = _arg("Argmax", torch.argmax, input_x, axis, False)
    return found.to(to_torch_dtype(output_type, who="Argmax"))


@primitive(
    "Argmin",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), axis=0, output_type=ms.int64"),
    errors=(("f(2), axis=1", ValueError, "axis"),),
)
def _argmin_primitive(x: Tensor, *, axis: int = -1, output_type: Any = torch.int32) -> Tensor:
    """Places of the smallest elements along an axis; the arguments are those of `Argmax`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Argmin()(ms.Tensor([[1, 5], [7, 3]])))
        [0 1]
    """
    found = _arg("Argmin", torch.argmin, x, axis, False)
    return found.to(to_torch_dtype(output_type, who="Argmin"))


@primitive(
    "ArgMaxWithValue",
    samples=("f(2, 3)", "f(2, 3), axis=1, keep_dims=True"),
    errors=(("f(2), axis=1", ValueError, "axis"),),
)
def _argmax_with_value(
    input: Tensor, *, axis: int = 0, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Places and values of the largest elements along an axis.

    Args:
        axis (int): the axis. Default: 0.
        keep_dims (bool): whether it stays, with size 1. Default: False.
        input (Tensor): any shape.

    Returns:
        Tuple of places (int64) and values; of equal elements the first counts.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: no counterpart; the places come first.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> places, values = ms.ops.ArgMaxWithValue()(ms.Tensor([[1, 5], [7, 3]]))
        >>> print(places, values)
        [1 0] [7 5]
    """
    values, places = _extreme("ArgMaxWithValue", input, axis, keep_dims, largest=True)
    return places, values


@primitive(
    "ArgMinWithValue",
    samples=("f(2, 3)", "f(2, 3), axis=1, keep_dims=True"),
    errors=(("f(2), axis=1", ValueError, "axis"),),
)
def _argmin_with_value(
    input: Tensor, *, axis: int = 0, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Places and values of the smallest elements; the arguments are those of `ArgMaxWithValue`.

    Examples:
        >>> import agar as ms
        >>> places, values = ms.ops.ArgMinWithValue()(ms.Tensor([[1, 5], [7, 3]]))
        >>> print(places, values)
        [0 1] [1 3]
    """
    values, places = _extreme("ArgMinWithValue", input, axis, keep_dims, largest=False)
    return places, values


@op(
    function=False,
    method=True,
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=(("f(2), 1", ValueError, "axis"),),
)
def argmax_with_value(
    input: Tensor, axis: int = 0, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Values and places (int64) of the largest elements along an axis.

    Args:
        input (Tensor): this tensor.
        axis (int): the axis. Default: 0.
        keep_dims (bool): whether it stays, with size 1. Default: False.

    Returns:
        Tuple of values and places.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: ``torch.max`` with ``dim``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> values, places = ms.Tensor([[1, 5], [7, 3]]).argmax_with_value(1)
        >>> print(values, places)
        [5 7] [1 0]
    """
    return _extreme("argmax_with_value", input, axis, keep_dims, largest=True)


@op(
    function=False,
    method=True,
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=(("f(2), 1", ValueError, "axis"),),
)
def argmin_with_value(
    input: Tensor, axis: int = 0, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Values and places (int64) of the smallest elements; as :meth:`argmax_with_value`.

    Examples:
        >>> import agar as ms
        >>> values, places = ms.Tensor([[1, 5], [7, 3]]).argmin_with_value(1)
        >>> print(values, places)
        [1 3] [0 1]
    """
    return _extreme("argmin_with_value", input, axis, keep_dims, largest=False)


# ----------------------------------------------------------------------- Reduce* primitives


def _reduction(
    name: str, compute: Callable[..., Tensor], words: str, shown: str, *, function: str = ""
) -> None:
    """Declare the Primitive of a reduction, and its old function without keep_dims."""

    def made(x: Tensor, axis: Any = (), *, keep_dims: bool = False) -> Tensor:
        return _reduced(name, compute, x, axis, keep_dims)

    doc = (
        f"{words} along axes.\n\n"
        "    Args:\n"
        "        keep_dims (bool): whether the axes stay, with size 1. Default: False.\n"
        "        x (Tensor): any shape.\n"
        "        axis (Union[int, tuple, list]): the axes. Default (): all.\n\n"
        "    Returns:\n"
        "        Tensor of the type of `x`.\n\n"
        "    Raises:\n"
        "        TypeError: `axis` is of another type.\n"
        "        ValueError: an axis is out of range or given twice.\n\n"
        "    Difference from PyTorch: integers keep their type.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        "        >>> x = ms.Tensor([[1, 2], [3, 4]])\n"
    )
    made.__doc__ = f"{doc}        >>> print(ms.ops.{name}()(x, 1))\n        {shown}\n"
    samples = ("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1)", "i(3)")
    primitive(name, samples=(*samples, "f(2, 3), 1, keep_dims=True"), errors=_AXIS_ERRORS)(made)
    if function:

        def impl(x: Tensor, axis: Any = ()) -> Tensor:
            return _reduced(name, compute, x, axis, False)

        impl.__name__ = function
        shorter = doc.replace(
            "        keep_dims (bool): whether the axes stay, with size 1. Default: False.\n", ""
        )
        impl.__doc__ = f"{shorter}        >>> print(ms.ops.{function}(x, 1))\n        {shown}\n"
        op(function, samples=samples, errors=_AXIS_ERRORS)(impl)


def _sum_in_type(x: Tensor, *axes: Any) -> Tensor:
    return torch.sum(x, *axes, dtype=x.dtype)


def _product_in_type(x: Tensor, *axes: Any) -> Tensor:
    return _product(x, *axes).to(x.dtype)


def _mean_in_type(x: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
    return _mean("ReduceMean", x, axes, keepdims)


_reduction("ReduceMean", _mean_in_type, "Mean", "[1 3]", function="reduce_mean")
_reduction("ReduceMax", _largest, "Largest elements", "[2 4]", function="reduce_max")
_reduction("ReduceMin", _smallest, "Smallest elements", "[1 3]", function="reduce_min")
_reduction("ReduceProd", _product_in_type, "Product", "[ 2 12]")


@primitive(
    "ReduceSum",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1",
        "f(2, 3), (0, 1), keep_dims=True",
        "i(3)",
        "f(2, 3), (), skip_mode=True",
    ),
    errors=_AXIS_ERRORS,
)
def _reduce_sum(
    x: Tensor, axis: Any = (), *, keep_dims: bool = False, skip_mode: bool = False
) -> Tensor:
    """Sum along axes.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        skip_mode (bool): whether an empty `axis` means that nothing is summed. Default: False.
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all, see `skip_mode`.

    Returns:
        Tensor of the type of `x`.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: integers keep their type.

    Source: behaviour observed in MindSpore 2.10; `skip_mode` as documented there.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.ReduceSum(keep_dims=True)(ms.Tensor([[1, 2], [3, 4]]), 1))
        [[3]
         [7]]
    """
    if skip_mode and isinstance(axis, (tuple, list)) and not axis:
        return x
    return _reduced("ReduceSum", _sum_in_type, x, axis, keep_dims)


@op(samples=("f(2, 3)", "f(2, 3), 1"), errors=_AXIS_ERRORS)
def reduce_sum(x: Tensor, axis: Any = ()) -> Tensor:
    """Sum along axes in the type of the input; see `ReduceSum`.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.

    Returns:
        Tensor of the type of `x`.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: integers keep their type.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.reduce_sum(ms.Tensor([[1, 2], [3, 4]]), 1))
        [3 7]
    """
    return _reduced("reduce_sum", _sum_in_type, x, axis, False)


# ------------------------------------------------------------------------------- statistics


def _spread_of(
    who: str, compute: Callable[..., Any], input: Tensor, axis: Any, ddof: Any, keepdims: bool
) -> Any:
    """Variance or standard deviation; integers are taken as float32."""
    if isinstance(ddof, bool):
        ddof = int(ddof)
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        input = input.to(torch.float32)
    axes = None if axis is None else axes_of(who, axis, input.ndim)
    return compute(input, axes or None, correction=integer(who, "ddof", ddof), keepdim=keepdims)


_SPREAD_SAMPLES = ("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1), 1, True", "f(2, 3), ddof=True")


def _spreads(
    name: str, compute: Callable[..., Any], purpose: str, formula: str, returns: str, example: str
) -> None:
    """Declare std, var, std_mean or var_mean, and the mint form with torch's default."""

    def impl(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
        return _spread_of(name, compute, input, axis, ddof, keepdims)

    impl.__name__ = name
    impl.__doc__ = (
        f"{purpose} along axes: :math:`{formula}`.\n\n"
        "    Args:\n"
        "        input (Tensor): any shape.\n"
        "        axis (Union[None, int, tuple, list]): the axes. Default None: all.\n"
        "        ddof (Union[int, bool]): what is taken from the number of elements N in the\n"
        "            divisor. Default: 0.\n"
        "        keepdims (bool): whether the axes stay, with size 1. Default: False.\n\n"
        "    Returns:\n"
        f"        {returns}; integers give float32.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type.\n"
        "        ValueError: an axis is out of range or given twice.\n\n"
        "    Difference from PyTorch: `ddof` is called ``correction`` there and is 1 by default.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> {example}\n"
    )
    op(name, samples=_SPREAD_SAMPLES, errors=_AXIS_ERRORS)(impl)

    def in_mint(
        input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False
    ) -> Any:
        return _spread_of(name, compute, input, dim, correction, keepdim)

    in_mint.__doc__ = f"{purpose} along axes, N - 1 in the divisor; see :func:`ops.{name}`.\n"
    op(name, function=False, mint=name, samples=("f(2, 3)", "f(2, 3), 1, correction=0"))(in_mint)


_spreads(
    "std",
    torch.std,
    "Standard deviation",
    r"\sqrt{\frac{1}{N - ddof} \sum (input - \overline{input})^2}",
    "Tensor",
    "print(ms.ops.std(ms.Tensor([1.0, 3.0])))\n        1.0",
)
_spreads(
    "var",
    torch.var,
    "Variance",
    r"\frac{1}{N - ddof} \sum (input - \overline{input})^2",
    "Tensor",
    "print(ms.ops.var(ms.Tensor([1.0, 3.0])))\n        1.0",
)
_spreads(
    "std_mean",
    torch.std_mean,
    "Standard deviation and mean",
    r"\sqrt{\frac{1}{N - ddof} \sum (input - \overline{input})^2}, \overline{input}",
    "Tuple of two Tensors",
    "[float(t) for t in ms.ops.std_mean(ms.Tensor([1.0, 3.0]))]\n        [1.0, 2.0]",
)
_spreads(
    "var_mean",
    torch.var_mean,
    "Variance and mean",
    r"\frac{1}{N - ddof} \sum (input - \overline{input})^2, \overline{input}",
    "Tuple of two Tensors",
    "[float(t) for t in ms.ops.var_mean(ms.Tensor([1.0, 3.0]))]\n        [1.0, 2.0]",
)


def _spread_method(name: str, compute: Callable[..., Any], purpose: str) -> None:
    """Declare the method std or var: axis with ddof 0, or dim with correction 1."""

    def impl(
        input: Tensor,
        axis: Any = None,
        ddof: Any = 0,
        keepdims: bool = False,
        *,
        dim: Any = None,
        correction: int | None = None,
        keepdim: bool = False,
    ) -> Tensor:
        if dim is not None or correction is not None:
            axis = _either(name, axis, dim, None, "'axis' and 'dim'")
            ddof = 1 if correction is None else correction
        return _spread_of(name, compute, input, axis, ddof, keepdims or keepdim)

    impl.__doc__ = (
        f"{purpose} along axes; see :func:`ops.{name}`.\n\n"
        "    Args:\n"
        "        input (Tensor): this tensor.\n"
        "        axis (Union[None, int, tuple, list]): the axes. Default None: all.\n"
        "        ddof (Union[int, bool]): what is taken from N in the divisor. Default: 0.\n"
        "        keepdims (bool): whether the axes stay; `keepdim` means the same. Default: False.\n"
        "        dim (Union[None, int, tuple, list]): as `axis`; the divisor is then N - 1 unless\n"
        "            `correction` is given. Default: None.\n"
        "        correction (int): as `ddof`. Default: None.\n"
        "        keepdim (bool): see `keepdims`. Default: False.\n\n"
        "    Returns:\n"
        "        Tensor.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type, or given under both names.\n"
        "        ValueError: an axis is out of range or given twice.\n\n"
        "    Difference from PyTorch: the divisor is N unless `dim` or `correction` is given.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> print(ms.Tensor([1.0, 3.0]).{name}())\n"
        "        1.0\n"
    )
    op(
        name,
        function=False,
        method=name,
        samples=(*_SPREAD_SAMPLES, "f(2, 3), dim=1, keepdim=True", "f(2, 3), dim=1, correction=0"),
        errors=(*_AXIS_ERRORS, ("f(2, 3), 1, dim=0", TypeError, "axis")),
    )(impl)


_spread_method("std", torch.std, "Standard deviation")
_spread_method("var", torch.var, "Variance")


@primitive("ReduceStd", samples=("f(2, 3)", "f(2, 3), axis=1, unbiased=False, keep_dims=True"))
def _reduce_std(
    x: Tensor, *, axis: Any = (), unbiased: bool = True, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean along axes.

    Args:
        axis (Union[int, tuple, list]): the axes. Default (): all.
        unbiased (bool): whether the divisor is N - 1. Default: True.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        x (Tensor): any shape.

    Returns:
        Tuple of standard deviation and mean.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: ``torch.std_mean``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> std, mean = ms.ops.ReduceStd(unbiased=False)(ms.Tensor([1.0, 3.0]))
        >>> print(std, mean)
        1.0 2.0
    """
    return _spread_of("ReduceStd", torch.std_mean, x, axis, int(unbiased), keep_dims)


@op(
    method=True,
    mint=True,
    samples=("f(2, 3), 1", "f(2, 3), (0, 1), True", "i(2, 3), 0"),
    errors=_AXIS_ERRORS,
    reference="np.log(np.exp(np.asarray(input)).sum(dim, keepdims=keepdim))",
)
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    r"""Logarithm of the sum of exponentials along axes: :math:`\ln \sum_{dim} e^{input}`.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple, list]): the axes; empty for all.
        keepdim (bool): whether they stay, with size 1. Default: False.

    Returns:
        Tensor, computed without overflow; integers give float32.

    Raises:
        TypeError: `dim` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.logsumexp(ms.Tensor([1.0, 2.0]), 0))
        2.3132617
    """
    axes = axes_of("logsumexp", dim, input.ndim, "dim")
    return torch.logsumexp(input, axes, keepdim) if axes else torch.logsumexp(input, 0, keepdim)


def _count_nonzero(who: str, x: Tensor, axis: Any, keepdims: bool, dtype: Any) -> Tensor:
    kind = torch.int32 if dtype is None else to_torch_dtype(dtype, who=who)
    return _reduced(who, torch.sum, x != 0, axis, keepdims).to(kind)


@op(
    samples=("f(2, 3)", "f(2, 3), 1, True", "i(3)"),
    errors=_AXIS_ERRORS,
    cast="never",
    differentiable=False,
)
def count_nonzero(
    x: Tensor, axis: Any = (), keep_dims: bool = False, dtype: Any = torch.int32
) -> Tensor:
    """How many elements along axes are not zero.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.
        keep_dims (bool): whether they stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: int32.

    Returns:
        Tensor of `dtype`.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: int64 there, and no `keep_dims`.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.count_nonzero(ms.Tensor([[0, 1], [2, 3]]), 1))
        [1 2]
    """
    return _count_nonzero("count_nonzero", x, axis, keep_dims, dtype)


@op(
    "count_nonzero",
    function=False,
    method="count_nonzero",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), axis=1, keep_dims=True", "f(2, 3), dim=1"),
)
def _count_nonzero_method(
    input: Tensor,
    axis: Any = (),
    keep_dims: bool = False,
    dtype: Any = None,
    *,
    dim: Any = None,
) -> Tensor:
    """How many elements along axes are not zero; `dim` means `axis`. See :func:`ops.count_nonzero`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([0, 1, 2]).count_nonzero())
        2
    """
    return _count_nonzero("count_nonzero", input, axis if dim is None else dim, keep_dims, dtype)


@op(
    "count_nonzero",
    function=False,
    mint="count_nonzero",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1"),
)
def _count_nonzero_mint(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements along axes are not zero, as int64; see :func:`ops.count_nonzero`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.count_nonzero(ms.Tensor([0, 1, 2])))
        2
    """
    return _count_nonzero("count_nonzero", input, dim, False, torch.int64)


@op(
    method=True,
    samples=("f(2, 3)", "f(2, 3), 1, True", "f(2, 3), dtype=ms.float32"),
    errors=_AXIS_ERRORS,
)
def nansum(input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum along axes, nan counting as 0.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether they stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: None.

    Returns:
        Tensor.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.nansum(ms.Tensor([1.0, float("nan")])))
        1.0
    """
    return _reduced("nansum", torch.nansum, _wanted("nansum", input, dtype), axis, keepdims)


@op(method=True, samples=("f(2, 3)", "f(2, 3), 1, True"), errors=_AXIS_ERRORS)
def nanmean(
    input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None
) -> Tensor:
    """Mean along axes of the elements that are not nan.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether they stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: None.

    Returns:
        Tensor.

    Raises:
        TypeError: `axis` is of another type.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.nanmean(ms.Tensor([1.0, float("nan"), 3.0])))
        2.0
    """
    return _reduced("nanmean", torch.nanmean, _wanted("nanmean", input, dtype), axis, keepdims)


def _median(
    who: str, compute: Callable[..., Any], input: Tensor, axis: Any, keepdims: bool
) -> tuple:
    if input.ndim == 0:
        return input, torch.zeros((), dtype=torch.int64, device=input.device)
    found = compute(input, axis_of(who, axis, input.ndim), keepdims)
    return found.values, found.indices


@op(
    method=True,
    samples=("f(2, 3)", "f(2, 3), 0, True"),
    errors=(("f(2, 3), None", TypeError, "axis"), ("f(2), 1", ValueError, "axis")),
)
def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Medians along an axis and their places; of an even number the lower one.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        keepdims (bool): whether it stays, with size 1. Default: False.

    Returns:
        Tuple of values and places (int64).

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: there is always an axis; ``torch.median(x)`` takes all elements.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> values, places = ms.ops.median(ms.Tensor([3.0, 1.0, 2.0]))
        >>> print(values, places)
        2.0 2
    """
    return _median("median", torch.median, input, axis, keepdims)


@op("median", function=False, mint="median", samples=("f(2, 3)", "f(2, 3), 0, True"))
def _median_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Median of all elements, or medians along `dim` and their places; see :func:`ops.median`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.median(ms.Tensor([3.0, 1.0, 2.0])))
        2.0
    """
    if dim is None:
        return torch.median(input)
    return _median("median", torch.median, input, dim, keepdim)


@op(method=True, samples=("f(2, 3)", "f(2, 3), 0, True"), errors=(("f(2), 1", ValueError, "axis"),))
def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Medians along an axis of the elements that are not nan, and their places.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        keepdims (bool): whether it stays, with size 1. Default: False.

    Returns:
        Tuple of values and places (int64).

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: there is always an axis.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.nanmedian(ms.Tensor([3.0, float("nan"), 2.0]))[0])
        2.0
    """
    return _median("nanmedian", torch.nanmedian, input, axis, keepdims)


def _quantile(who: str, compute: Any, input: Tensor, q: Any, axis: Any, keepdims: bool) -> Tensor:
    at = q if isinstance(q, Tensor) else torch.tensor(q, device=input.device)
    at = at.to(input.dtype)
    if bool(((at < 0) | (at > 1)).any()):
        raise ValueError(f"For '{who}', 'q' must lie in [0, 1], but got {at.tolist()}.")
    place = None if axis is None else axis_of(who, axis, input.ndim)
    return compute(input, at, place, keepdims)


_QUANTILE_SAMPLES = ("f(5), 0.25", "f(2, 5), torch.tensor([0.25, 0.5]), 1", "f(2, 5), 0.5, 0, True")


@op(method=True, samples=_QUANTILE_SAMPLES, errors=(("f(3), 1.5", ValueError, "q"),))
def quantile(
    input: Tensor, q: Tensor | float, axis: int | None = None, keepdims: bool = False
) -> Tensor:
    """Quantiles along an axis, interpolated linearly.

    Args:
        input (Tensor): float32 or float64, any shape.
        q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
        axis (int): the axis. Default None: all elements.
        keepdims (bool): whether it stays, with size 1. Default: False.

    Returns:
        Tensor; several `q` give a new first axis.

    Raises:
        TypeError: `axis` is no int or `input` of another type.
        ValueError: `q` is outside of [0, 1], or `axis` out of range.

    Difference from PyTorch: `axis` is called ``dim`` there; a list is accepted.

    Source: MindSpore 2.10's interface (it has no CPU kernel).

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.quantile(ms.Tensor([1.0, 2.0, 3.0]), 0.25))
        1.5
    """
    return _quantile("quantile", torch.quantile, input, q, axis, keepdims)


@op(method=True, samples=_QUANTILE_SAMPLES, errors=(("f(3), 1.5", ValueError, "q"),))
def nanquantile(
    input: Tensor, q: Tensor | float, axis: int | None = None, keepdims: bool = False
) -> Tensor:
    """Quantiles along an axis of the elements that are not nan; see :func:`ops.quantile`.

    Args:
        input (Tensor): float32 or float64, any shape.
        q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
        axis (int): the axis. Default None: all elements.
        keepdims (bool): whether it stays, with size 1. Default: False.

    Returns:
        Tensor; several `q` give a new first axis.

    Raises:
        TypeError: `axis` is no int or `input` of another type.
        ValueError: `q` is outside of [0, 1], or `axis` out of range.

    Difference from PyTorch: `axis` is called ``dim`` there; a list is accepted.

    Source: MindSpore 2.10's interface (it has no CPU kernel).

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.nanquantile(ms.Tensor([1.0, float("nan"), 3.0]), 0.5))
        2.0
    """
    return _quantile("nanquantile", torch.nanquantile, input, q, axis, keepdims)


@op(
    method=True,
    samples=("f(2, 5)", "f(5)", "f(2, 5), correction=0"),
    errors=(("f(2, 2, 2)", ValueError, "cov"),),
)
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Covariance matrix of variables (rows) over observations (columns).

    Args:
        input (Tensor): a matrix, or a vector of one variable.
        correction (int): what is taken from the number of observations in the divisor. Default: 1.
        fweights (Tensor): how often each observation counts, integers. Default: None.
        aweights (Tensor): weights of the observations. Default: None.

    Returns:
        Tensor, a matrix (0-d for a vector).

    Raises:
        TypeError: `input` is no Tensor.
        ValueError: `input` has more than two axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.cov(ms.Tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])))
        [[1. 1.]
         [1. 1.]]
    """
    if input.ndim > 2:
        raise ValueError(
            f"For 'cov', 'input' must be a matrix or a vector, but got shape {list(input.shape)}."
        )
    return torch.cov(input, correction=correction, fweights=fweights, aweights=aweights)


# ---------------------------------------------------------------------------------- running


def _running(who: str, input: Tensor, axis: Any, name: str = "axis") -> int:
    return axis_of(who, axis, input.ndim, name)


@op(
    samples=("f(2, 3), 1", "i(3), 0", "f(2, 3), 0, ms.float32"),
    errors=(("f(2), 1", ValueError, "axis"), ("f(2), 1.5", TypeError, "axis")),
)
def cumsum(x: Tensor, axis: int, dtype: Any = None) -> Tensor:
    r"""Running sum along an axis: :math:`out_i = x_1 + \dots + x_i`.

    Args:
        x (Tensor): any shape.
        axis (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `x` (int32 for
            bool).

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: integers keep their type, they become int64 there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.cumsum(ms.Tensor([1, 2, 3]), 0))
        [1 3 6]
    """
    return _cumsum("cumsum", x, axis, dtype, "axis")


def _cumsum(who: str, x: Tensor, axis: Any, dtype: Any, name: str) -> Tensor:
    kind = x.dtype if dtype is None else to_torch_dtype(dtype, who=who)
    if dtype is None and kind is torch.bool:
        kind = torch.int32
    return torch.cumsum(x, _running(who, x, axis, name), dtype=kind)


@op(
    "cumsum",
    function=False,
    method="cumsum",
    samples=("f(2, 3)", "f(2, 3), 1", "b(3), 0", "f(2, 3), dim=0", "f(3), 0, ms.float32"),
    errors=(("f(2), 1", ValueError, "axis"),),
)
def _cumsum_method(
    input: Tensor, axis: int | None = None, dtype: Any = None, *, dim: int | None = None
) -> Tensor:
    """Running sum along an axis, of the flattened tensor without one; `dim` means `axis`.

    See :func:`ops.cumsum`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 2], [3, 4]]).cumsum())
        [ 1  3  6 10]
    """
    axis = axis if dim is None else _either("cumsum", axis, dim, None, "'axis' and 'dim'")
    if axis is None:
        input, axis = input.reshape(-1), 0
    return _cumsum("cumsum", input, axis, dtype, "axis")


@op("cumsum", function=False, mint="cumsum", samples=("f(2, 3), 1", "i(3), 0"))
def _cumsum_mint(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Running sum along an axis; integers give int64. See :func:`ops.cumsum`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.cumsum(ms.Tensor([1, 2, 3]), 0))
        [1 3 6]
    """
    place = _running("cumsum", input, dim, "dim")
    return torch.cumsum(_wanted("cumsum", input, dtype), place)


@op(
    method=True,
    mint=True,
    samples=("f(2, 3), 1", "i(3), 0", "f(2, 3), 0, ms.float32"),
    errors=(("f(2), 1", ValueError, "dim"),),
)
def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    r"""Running product along an axis: :math:`out_i = input_1 \cdots input_i`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `input`, int64
            for integers and bool.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: `dim` is no int.
        ValueError: `dim` is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.cumprod(ms.Tensor([1, 2, 3]), 0))
        [1 2 6]
    """
    place = _running("cumprod", input, dim, "dim")
    return torch.cumprod(_wanted("cumprod", input, dtype), place)


def _exclusive(
    who: str,
    compute: Callable[..., Tensor],
    x: Tensor,
    axis: Any,
    exclusive: bool,
    reverse: bool,
    neutral: float,
) -> Tensor:
    """A running reduction, from the end if `reverse`, without the element itself if `exclusive`."""
    place = _running(who, x, axis)
    if reverse:
        x = x.flip(place)
    if exclusive and x.shape[place]:
        first = torch.full_like(x.narrow(place, 0, 1), neutral)
        x = torch.cat((first, x.narrow(place, 0, x.shape[place] - 1)), place)
    made = compute(x, place).to(x.dtype)
    return made.flip(place) if reverse else made


_RUNNING_SAMPLES = (
    "f(2, 3), 1",
    "f(2, 3), 0, exclusive=True",
    "f(4), 0, reverse=True",
    "f(4), 0, exclusive=True, reverse=True",
)


@primitive("CumSum", samples=_RUNNING_SAMPLES, errors=(("f(2), 1", ValueError, "axis"),))
def _cumsum_primitive(
    input: Tensor, axis: int, *, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Running sum along an axis.

    Args:
        exclusive (bool): whether each sum leaves out the element at its own place.
            Default: False.
        reverse (bool): whether to sum from the end. Default: False.
        input (Tensor): any shape.
        axis (int): the axis.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: `exclusive` and `reverse` have no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.CumSum(exclusive=True)(ms.Tensor([1, 2, 3]), 0))
        [0 1 3]
    """
    return _exclusive("CumSum", torch.cumsum, input, axis, exclusive, reverse, 0)


@primitive("CumProd", samples=_RUNNING_SAMPLES, errors=(("f(2), 1", ValueError, "axis"),))
def _cumprod_primitive(
    x: Tensor, axis: int, *, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Running product along an axis; the arguments are those of `CumSum`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.CumProd(reverse=True)(ms.Tensor([1, 2, 3]), 0))
        [6 6 3]
    """
    return _exclusive("CumProd", torch.cumprod, x, axis, exclusive, reverse, 1)


def _cumulative(
    name: str, compute: Callable[..., Any], words: str, kind: torch.dtype, shown: str
) -> None:
    """Declare cummax or cummin: function, method, mint form and Primitive."""

    def run(who: str, input: Tensor, axis: Any, places: torch.dtype) -> tuple[Tensor, Tensor]:
        found = compute(input, _running(who, input, axis))
        return found.values, found.indices.to(places)

    def impl(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
        return run(name, input, axis, kind)

    impl.__name__ = name
    impl.__doc__ = (
        f"The {words} elements so far along an axis, and their places.\n\n"
        "    Args:\n"
        "        input (Tensor): any shape.\n"
        "        axis (int): the axis.\n\n"
        "    Returns:\n"
        f"        Tuple of values and places ({str(kind).removeprefix('torch.')}); of equal elements\n"
        "        the last counts.\n\n"
        "    Raises:\n"
        "        TypeError: `axis` is no int.\n"
        "        ValueError: `axis` is out of range.\n\n"
        "    Difference from PyTorch: the places are int64 there.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> values, places = ms.ops.{name}(ms.Tensor([2, 3, 1]), 0)\n"
        "        >>> print(values, places)\n"
        f"        {shown}\n"
    )
    op(name, method=True, samples=("f(2, 3), 1",), errors=(("f(2), 1", ValueError, "axis"),))(impl)

    def in_mint(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
        return run(name, input, dim, torch.int64)

    in_mint.__doc__ = f"The {words} elements so far, places in int64; see :func:`ops.{name}`.\n"
    op(name, function=False, mint=name, samples=("f(2, 3), 1",))(in_mint)

    def made(input: Tensor, *, axis: int) -> tuple[Tensor, Tensor]:
        return run(name.capitalize(), input, axis, kind)

    made.__doc__ = f"The {words} elements so far and their places; see :func:`ops.{name}`.\n"
    primitive(name.capitalize(), samples=("f(2, 3), axis=1",))(made)


_cumulative("cummax", torch.cummax, "largest", torch.int64, "[2 3 3] [0 1 1]")
_cumulative("cummin", torch.cummin, "smallest", torch.int32, "[2 2 1] [0 0 2]")


@op(method=True, samples=("f(2, 3), 1",), errors=(("f(2), 1", ValueError, "axis"),))
def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    r"""Running logarithm of the sum of exponentials: :math:`out_i = \ln \sum_{j \le i} e^{x_j}`.

    Args:
        input (Tensor): a floating type, any shape.
        axis (int): the axis.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.logcumsumexp(ms.Tensor([0.0, 0.0]), 0))
        [0.        0.6931472]
    """
    return torch.logcumsumexp(input, _running("logcumsumexp", input, axis))


@primitive("CumulativeLogsumexp", samples=("f(2, 3), 1", "f(4), 0, reverse=True"))
def _cumulative_logsumexp(
    x: Tensor, axis: Any, *, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Running logarithm of the sum of exponentials; the arguments are those of `CumSum`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.CumulativeLogsumexp()(ms.Tensor([0.0, 0.0]), 0))
        [0.        0.6931472]
    """
    return _exclusive(
        "CumulativeLogsumexp", torch.logcumsumexp, x, axis, exclusive, reverse, float("-inf")
    )


def _diff(
    who: str, x: Tensor, n: int, axis: Any, prepend: Tensor | None, append: Tensor | None
) -> Tensor:
    place = axis_of(who, axis, x.ndim)
    return torch.diff(x, integer(who, "n", n, 0), place, prepend, append)


@op(
    samples=("f(5)", "f(2, 5), 2", "f(2, 3), 1, 0", "f(3), prepend=f(1), append=f(2)"),
    errors=(("f(3), -1", ValueError, "n"), ("f()", ValueError, "")),
)
def diff(
    x: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    r"""Differences of neighbours along an axis: :math:`out_i = x_{i+1} - x_i`, `n` times over.

    Args:
        x (Tensor): one axis or more.
        n (int): how often. Default: 1.
        axis (int): the axis. Default: -1.
        prepend (Tensor): what to put before `x` first. Default: None.
        append (Tensor): what to put behind `x` first. Default: None.

    Returns:
        Tensor, shorter by `n` along the axis.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `axis` is out of range, `n` negative or `x` 0-d.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.diff(ms.Tensor([1, 4, 9])))
        [3 5]
    """
    if x.ndim == 0:
        raise ValueError("For 'diff', 'x' must have at least one axis, but it is 0-d.")
    return _diff("diff", x, n, axis, prepend, append)


@op("diff", function=False, method="diff", samples=("f(5)", "f(2, 5), 2, 0"))
def _diff_method(
    input: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours along an axis; see :func:`ops.diff`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 4, 9]).diff())
        [3 5]
    """
    return diff(input, n, axis, prepend, append)


@op("diff", function=False, mint="diff", samples=("f(5)", "f(2, 5), 2, 0"))
def _diff_mint(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours along an axis; see :func:`ops.diff`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.diff(ms.Tensor([1, 4, 9])))
        [3 5]
    """
    return diff(input, n, dim, prepend, append)


@op(
    samples=("f(3)", "f(2, 3), f(2, 3)", "f(2, 3), dx=0.5, dim=0"),
    errors=(("f(3), dim=1", ValueError, "dim"),),
)
def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    r"""Integral by the trapezoidal rule: :math:`\sum_i (x_{i+1} - x_i)(y_i + y_{i+1}) / 2`.

    Args:
        y (Tensor): the values of the function.
        x (Tensor): where they are taken. Default None: at distances `dx`.
        dx (float): the distance. Default: 1.0.
        dim (int): the axis. Default: -1.

    Returns:
        Tensor without that axis.

    Raises:
        TypeError: `y` is no Tensor.
        ValueError: `dim` is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.trapz(ms.Tensor([1.0, 2.0, 3.0])))
        4.0
    """
    place = axis_of("trapz", dim, y.ndim, "dim")
    if x is None:
        return torch.trapezoid(y, dx=number("trapz", "dx", dx), dim=place)
    return torch.trapezoid(y, x, dim=place)


# ---------------------------------------------------------------------------------- counting


@op(
    method=True,
    mint=False,
    cast="never",
    differentiable=False,
    samples=("i(5)", "i(5), minlength=6", "i(3), f(3)"),
    errors=(
        ("f(3)", TypeError, "bincount"),
        ("i(2, 2)", ValueError, "1-D"),
        ("i(3), minlength=-1", ValueError, "minlength"),
    ),
)
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    r"""How often each number occurs: :math:`out_v = \sum_i [input_i = v]\, weights_i`.

    Args:
        input (Tensor): integers from 0 on, 1-D.
        weights (Tensor): what each occurrence counts. Default None: 1.
        minlength (int): the least length of the result. Default: 0.

    Returns:
        Tensor of float32, or of the type of `weights`.

    Raises:
        TypeError: `input` are no integers.
        ValueError: `input` is not 1-D or has negative numbers, or `minlength` is negative.

    Difference from PyTorch: counts are int64 there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.bincount(ms.Tensor([0, 1, 1, 3])))
        [1. 2. 0. 1.]
    """
    if not input_is_integer(input):
        raise TypeError(
            f"For 'bincount', 'input' must be of an integer type, but got {input.dtype}."
        )
    if input.ndim != 1:
        raise ValueError(f"For 'bincount', 'input' must be 1-D, but got shape {list(input.shape)}.")
    least = integer("bincount", "minlength", minlength, 0)
    if input.numel() and int(input.min()) < 0:
        raise ValueError("For 'bincount', 'input' must not have negative numbers.")
    counts = torch.bincount(input.to(torch.int64), weights, least)
    return counts.to(torch.float32 if weights is None else weights.dtype)


@op(
    method=True,
    mint=True,
    cast="never",
    differentiable=False,
    samples=("f(9), 4", "f(9), 4, -1.0, 1.0", "i(5), 3, 0, 3"),
    errors=(("f(3), 0", ValueError, "bins"), ("f(3), 2, 1.0, 0.0", ValueError, "max")),
)
def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """How many elements fall into each of equal intervals.

    Args:
        input (Tensor): any shape.
        bins (int): how many intervals. Default: 100.
        min (number): where the first begins. Default: 0.
        max (number): where the last ends; if equal to `min`, both are taken from `input`.
            Default: 0.

    Returns:
        Tensor of shape (bins,), of the type of `input`.

    Raises:
        TypeError: `bins` is no int.
        ValueError: `bins` is not positive or `max` less than `min`.

    Difference from PyTorch: integers are accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.histc(ms.Tensor([1.0, 2.0, 1.0]), 4, 0.0, 3.0))
        [0. 2. 1. 0.]
    """
    count = integer("histc", "bins", bins, 1)
    if max < min:
        raise ValueError(f"For 'histc', 'max' {max} must not be less than 'min' {min}.")
    values = input if input.is_floating_point() else input.to(torch.float64)
    return torch.histc(values, count, min, max).to(input.dtype)
