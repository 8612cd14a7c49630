"""The largest and smallest elements, and where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import to_torch_dtype
from agar.ops._checks import integer, number
from agar.ops.math.reduction import AXIS_ERRORS, either, reduced, reduction
from agar.ops.spec import Call, op, primitive
from agar.ops.tensor.axes import axis_of

__all__: list[str] = []


# ----------------------------------------------------------------------------------- extremes


def _with_where(
    op_name: str, input: Tensor, initial: Any, where: Tensor | None, largest: bool
) -> Tensor:
    """The input with what `where` leaves out replaced by `initial`, and bounded by it."""
    if where is not None:
        if initial is None:
            raise ValueError(f"For '{op_name}', 'initial' must be given together with 'where'.")
        fill = torch.full((), initial, dtype=input.dtype, device=input.device)
        input = torch.where(where.bool(), input, fill)
    if initial is not None:
        bound = number(op_name, "initial", initial)
        input = torch.clamp(input, min=bound) if largest else torch.clamp(input, max=bound)
    return input


def _extreme(
    op_name: str, input: Tensor, axis: Any, keepdims: bool, largest: bool
) -> tuple[Tensor, Tensor]:
    """Value and index of the largest or smallest element along one axis."""
    place = axis_of(op_name, axis, input.ndim)
    if input.ndim == 0:
        return input, torch.zeros((), dtype=torch.int64, device=input.device)
    result = (torch.max if largest else torch.min)(input, place, keepdims)
    return result.values, result.indices


def _largest(input: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
    # Without axes torch.max is meant: its gradient goes to one element, as MindSpore's does.
    return torch.max(input) if axes is None else torch.amax(input, axes, keepdims)


def _smallest(input: Tensor, axes: Any = None, keepdims: bool = False) -> Tensor:
    return torch.min(input) if axes is None else torch.amin(input, axes, keepdims)


def _value_and_place(
    op_name: str, input: Tensor, axis: Any, keepdims: bool, largest: bool
) -> tuple[Tensor, Tensor]:
    if axis is None:
        place = torch.zeros((), dtype=torch.int64, device=input.device)
        return (_largest if largest else _smallest)(input), place
    return _extreme(op_name, input, integer(op_name, "axis", axis), keepdims, largest)


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


_UNBOUNDED = " and initial is None and where is None"


def _along(
    name: str,
    axis: str = "axis",
    keep: str = "keepdims",
    more: str = _UNBOUNDED,
    several: bool = False,
) -> Call:
    """What is tried first along one axis."""
    when = f"type({axis}) is int and input._value.ndim{more}"
    return Call(f"torch.{name}(input, {axis}, {keep})", when, several)


@op(samples=_EXTREME_SAMPLES, errors=_EXTREME_ERRORS, fast=_along("max", several=True))
def max(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest elements along an axis and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: all elements; the index is then 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns: Tuple of the values and the indices (int64); of equal elements, that of the first.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range, or `where` is given without `initial`.
    Difference from PyTorch: without `axis` there is an index too, always 0; the result is a plain
        tuple.

    >>> values, places = ms.ops.max(ms.Tensor([[1, 5], [7, 3]]), 1)
    >>> print(values, places)
    [5 7] [1 0]
    """
    input = _with_where("max", input, initial, where, largest=True)
    return _value_and_place("max", input, axis, keepdims, largest=True)


@op(samples=_EXTREME_SAMPLES, errors=_EXTREME_ERRORS, fast=_along("min", several=True))
def min(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The smallest elements along an axis and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: all elements; the index is then 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns: Tuple of the values and the indices (int64); of equal elements, that of the first.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range, or `where` is given without `initial`.
    Difference from PyTorch: without `axis` there is an index too, always 0; the result is a plain
        tuple.

    >>> values, places = ms.ops.min(ms.Tensor([[1, 5], [7, 3]]), 1)
    >>> print(values, places)
    [1 3] [0 1]
    """
    input = _with_where("min", input, initial, where, largest=False)
    return _value_and_place("min", input, axis, keepdims, largest=False)


def _extreme_method(
    op_name: str,
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
            raise TypeError(f"For '{op_name}', 'axis' and 'dim' mean the same; give one of them.")
        return _extreme(op_name, input, dim, keepdims, largest)
    if axis is None:  # MindSpore leaves out all axes then, also with keepdims
        return compute(input)
    if return_indices:
        return _extreme(op_name, input, axis, keepdims, largest)
    return reduced(op_name, compute, input, axis, keepdims)


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


# Of a method that looks at the whole tensor, and at nothing else.
_OF_ALL = "dim is None and axis is None and initial is None and where is None"
# Of one that gives the values along one axis, and has no bound.
_OF_AXIS = f"{_UNBOUNDED} and dim is None and keepdim is False and return_indices is False"


@op(
    "max",
    function=False,
    method="max",
    samples=_METHOD_SAMPLES,
    errors=_METHOD_ERRORS,
    fast=(Call("torch.max(input)", _OF_ALL), _along("amax", more=_OF_AXIS)),
)
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
        dim (int): an axis: gives values and indices. Default: None.
        keepdim (bool): whether the axis stays, with size 1. Default: False.
        axis (Union[int, tuple, list]): axes: gives values only. Default: None.
        keepdims (bool): as `keepdim`. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.
        return_indices (bool): with `axis`, whether to give places too. Default: False.

    Returns: Tensor; with `dim` or `return_indices` a tuple of values and indices (int64).
    Raises TypeError: both `dim` and `axis` are given.
    Raises ValueError: an axis is out of range, or `where` is given without `initial`.
    Difference from PyTorch: `axis` gives values only.

    >>> print(ms.Tensor([[1, 5], [7, 3]]).max(axis=1))
    [5 7]
    """
    input = _with_where("max", input, initial, where, largest=True)
    return _extreme_method("max", True, input, dim, axis, keepdim or keepdims, return_indices)


@op(
    "min",
    function=False,
    method="min",
    samples=_METHOD_SAMPLES,
    errors=_METHOD_ERRORS,
    fast=(Call("torch.min(input)", _OF_ALL), _along("amin", more=_OF_AXIS)),
)
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
        dim (int): an axis: gives values and indices. Default: None.
        keepdim (bool): whether the axis stays, with size 1. Default: False.
        axis (Union[int, tuple, list]): axes: gives values only. Default: None.
        keepdims (bool): as `keepdim`. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.
        return_indices (bool): with `axis`, whether to give places too. Default: False.

    Returns: Tensor; with `dim` or `return_indices` a tuple of values and indices (int64).
    Raises TypeError: both `dim` and `axis` are given.
    Raises ValueError: an axis is out of range, or `where` is given without `initial`.
    Difference from PyTorch: `axis` gives values only.

    >>> print(ms.Tensor([[1, 5], [7, 3]]).min(axis=1))
    [1 3]
    """
    input = _with_where("min", input, initial, where, largest=False)
    return _extreme_method("min", False, input, dim, axis, keepdim or keepdims, return_indices)


@op(
    "max",
    function=False,
    mint="max",
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=AXIS_ERRORS[:2],
    fast=(Call("torch.max(input)", "dim is None"), _along("max", "dim", "keepdim", "", True)),
)
def _max_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The largest element; with `dim` those along an axis and their indices.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: all elements.
        keepdim (bool): whether the axis stays, with size 1; only with `dim`. Default: False.

    Returns: Tensor without axes; with `dim` a tuple of values and indices (int64).

    >>> print(ms.mint.max(ms.Tensor([1, 5, 3])))
    5
    """
    return _extreme_method("max", True, input, dim, None, keepdim, False)


@op(
    "min",
    function=False,
    mint="min",
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=AXIS_ERRORS[:2],
    fast=(Call("torch.min(input)", "dim is None"), _along("min", "dim", "keepdim", "", True)),
)
def _min_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The smallest element; with `dim` those along an axis and their indices.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: all elements.
        keepdim (bool): whether the axis stays, with size 1; only with `dim`. Default: False.

    Returns: Tensor without axes; with `dim` a tuple of values and indices (int64).

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


@op(method=True, samples=_OVER_SAMPLES, errors=AXIS_ERRORS, fast=_along("amax"))
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
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns: Tensor. Along axes, equal elements share the gradient.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range, or `where` is given without `initial`.
    Difference from PyTorch: `initial` and `where` are numpy's.

    >>> print(ms.ops.amax(ms.Tensor([[1, 5], [7, 3]]), 1))
    [5 7]
    """
    input = _with_where("amax", input, initial, where, largest=True)
    return reduced("amax", _largest, input, axis, keepdims)


@op(method=True, samples=_OVER_SAMPLES, errors=AXIS_ERRORS, fast=_along("amin"))
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
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns: Tensor. Along axes, equal elements share the gradient.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range, or `where` is given without `initial`.
    Difference from PyTorch: `initial` and `where` are numpy's.

    >>> print(ms.ops.amin(ms.Tensor([[1, 5], [7, 3]]), 1))
    [1 3]
    """
    input = _with_where("amin", input, initial, where, largest=False)
    return reduced("amin", _smallest, input, axis, keepdims)


@op(
    "amax",
    function=False,
    mint="amax",
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=AXIS_ERRORS,
    fast=_along("amax", "dim", "keepdim", ""),
)
def _amax_mint(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The largest elements along axes; see :func:`ops.amax`.

    >>> print(ms.mint.amax(ms.Tensor([[1, 5], [7, 3]]), 1))
    [5 7]
    """
    return reduced("amax", _largest, input, dim, keepdim)


@op(
    "amin",
    function=False,
    mint="amin",
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=AXIS_ERRORS,
    fast=_along("amin", "dim", "keepdim", ""),
)
def _amin_mint(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    """The smallest elements along axes; see :func:`ops.amin`.

    >>> print(ms.mint.amin(ms.Tensor([[1, 5], [7, 3]]), 1))
    [1 3]
    """
    return reduced("amin", _smallest, input, dim, keepdim)


@op(
    method=True,
    samples=(
        "f(2, 3)",
        "f(2, 3), axis=1, keepdims=True",
        "f(2, 3), axis=None, keepdims=True",
        "i(2, 3)",
    ),
    errors=(("f(2, 3), axis=2", ValueError, "axis"),),
)
def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple:
    """The smallest and the largest elements along an axis.

    Nan is left out, unless it is the first element.

    Args:
        input (Tensor): any shape.
        axis (int): the axis; None for all. Default: 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tuple of the smallest and the largest.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: `axis` is None by default there and called ``dim``; nan wins there.

    >>> low, high = ms.ops.aminmax(ms.Tensor([[1, 5], [7, 3]]))
    >>> print(low, high)
    [1 3] [7 5]
    """
    if not input.is_floating_point() or not input.numel():
        return (
            reduced("aminmax", _smallest, input, axis, keepdims),
            reduced("aminmax", _largest, input, axis, keepdims),
        )
    empty = torch.isnan(input)
    low, high = input.masked_fill(empty, torch.inf), input.masked_fill(empty, -torch.inf)
    if axis is None:
        first = empty.reshape(-1)[0]
        first = first.reshape((1,) * input.ndim) if keepdims else first
    elif input.ndim:
        first = empty.narrow(axis_of("aminmax", axis, input.ndim), 0, 1)
        first = first if keepdims else first.squeeze(axis)
    else:
        first = empty
    return (
        reduced("aminmax", _smallest, low, axis, keepdims).masked_fill(first, torch.nan),
        reduced("aminmax", _largest, high, axis, keepdims).masked_fill(first, torch.nan),
    )


@op(function=False, method=True, samples=("f(2, 3)", "f(2, 3), 1, True"), errors=AXIS_ERRORS)
def ptp(input: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The range along axes: the largest element minus the smallest.

    Args:
        input (Tensor): this tensor.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.

    Returns: Tensor.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: no counterpart; numpy's ``ptp``.

    >>> print(ms.Tensor([1, 5, 3]).ptp())
    4
    """
    low = reduced("ptp", _smallest, input, axis, keepdims)
    return reduced("ptp", _largest, input, axis, keepdims) - low


# ------------------------------------------------------------------------- places of extremes


def _place(name: str, axis: str, keep: str, more: str = "", then: str = "") -> tuple[Call, Call]:
    """What is tried first: the whole tensor, or one axis."""
    whole = Call(f"torch.{name}(input){then}", f"{axis} is None{more}")
    return whole, Call(f"torch.{name}(input, {axis}, {keep}){then}", f"type({axis}) is int{more}")


_NO_DIM = " and dim is None and keepdim is False"


def _arg(
    op_name: str, compute: Callable[..., Tensor], input: Tensor, axis: Any, keepdims: bool
) -> Tensor:
    if axis is None:
        return compute(input.reshape(-1), 0) if input.ndim else compute(input)
    return compute(input, axis_of(op_name, axis, input.ndim), keepdims)


@op(
    mint=True,
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), 0, True"),
    errors=AXIS_ERRORS[:2],
    fast=_place("argmax", "dim", "keepdim"),
)
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Indices of the largest elements along an axis.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: the index in the flattened tensor.
        keepdim (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tensor of int64; of equal elements, that of the first.
    Raises TypeError: `dim` is not an int.
    Raises ValueError: `dim` is out of range.

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
    errors=AXIS_ERRORS[:2],
    fast=_place("argmax", "axis", "keepdims", _NO_DIM),
)
def _argmax(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    dim: int | None = None,
    keepdim: bool = False,
) -> Tensor:
    """Indices (int64) of the largest elements; `dim`, `keepdim` mean `axis`, `keepdims`.

    See :func:`ops.argmax`.

    >>> print(ms.Tensor([[1, 5], [7, 3]]).argmax(axis=1))
    [1 0]
    """
    axis = either("argmax", axis, dim)
    return _arg("argmax", torch.argmax, input, axis, keepdims or keepdim)


@op(
    method=False,
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), 0, True"),
    errors=AXIS_ERRORS[:2],
    fast=_place("argmin", "axis", "keepdims", then=".int()"),
)
def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Indices of the smallest elements along an axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: the index in the flattened tensor.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tensor of int32; of equal elements, that of the first.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: int64 there.

    >>> print(ms.ops.argmin(ms.Tensor([[1, 5], [7, 3]]), 1))
    [0 1]
    """
    return _arg("argmin", torch.argmin, input, axis, keepdims).int()


@op(
    "argmin",
    function=False,
    mint="argmin",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=AXIS_ERRORS[:2],
    fast=_place("argmin", "dim", "keepdim"),
)
def _argmin_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Indices (int64) of the smallest elements; see :func:`ops.argmin`.

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
    errors=AXIS_ERRORS[:2],
    fast=_place("argmin", "axis", "keepdims", _NO_DIM, ".int()"),
)
def _argmin(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    dim: int | None = None,
    keepdim: bool = False,
) -> Tensor:
    """Indices (int32) of the smallest elements; `dim`, `keepdim` mean `axis`, `keepdims`.

    See :func:`ops.argmin`.

    >>> print(ms.Tensor([[1, 5], [7, 3]]).argmin(axis=1))
    [0 1]
    """
    axis = either("argmin", axis, dim)
    return argmin(input, axis, keepdims or keepdim)


@primitive(
    "Argmax",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), axis=0, output_type=ms.int64"),
    errors=(("f(2), axis=1", ValueError, "axis"),),
)
def _argmax_primitive(input_x: Tensor, *, axis: int = -1, output_type: Any = torch.int32) -> Tensor:
    """Indices of the largest elements along an axis.

    Args:
        axis (int): the axis. Default: -1.
        output_type (Type): int32 or int64. Default: int32.
        input_x (Tensor): any shape.

    Returns: Tensor of `output_type`; of equal elements, that of the first.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: int64 there.

    >>> print(ms.ops.Argmax()(ms.Tensor([[1, 5], [7, 3]])))
    [1 0]
    """
    result = _arg("Argmax", torch.argmax, input_x, axis, False)
    return result.to(to_torch_dtype(output_type, op_name="Argmax"))


@primitive(
    "Argmin",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), axis=0, output_type=ms.int64"),
    errors=(("f(2), axis=1", ValueError, "axis"),),
)
def _argmin_primitive(x: Tensor, *, axis: int = -1, output_type: Any = torch.int32) -> Tensor:
    """Indices of the smallest elements along an axis.

    Attributes:
        axis (int): the axis. Default: -1.
        output_type (Type): int32 or int64. Default: int32.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs: Tensor of `output_type`, without `axis`; of equal elements, that of the first.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: int64 there.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.Argmin()(ms.Tensor([[1, 5], [7, 3]])))
    [0 1]
    """
    result = _arg("Argmin", torch.argmin, x, axis, False)
    return result.to(to_torch_dtype(output_type, op_name="Argmin"))


@primitive(
    "ArgMaxWithValue",
    samples=("f(2, 3)", "f(2, 3), axis=1, keep_dims=True"),
    errors=(("f(2), axis=1", ValueError, "axis"),),
)
def _argmax_with_value(
    input: Tensor, *, axis: int = 0, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Indices and values of the largest elements along an axis.

    Args:
        axis (int): the axis. Default: 0.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.
        input (Tensor): any shape.

    Returns: Tuple of indices (int64) and values; of equal elements, that of the first.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: no counterpart; the indices come first.

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
    """Indices and values of the smallest elements along an axis; see :class:`ArgMaxWithValue`.

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
    input: Tensor, axis: int | None = 0, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Values and indices (int64) of the largest elements along an axis.

    Args:
        input (Tensor): this tensor.
        axis (int): the axis; None for all elements, with index 0 and without axes. Default: 0.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tuple of values and indices.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: ``torch.max`` with ``dim``.

    >>> values, places = ms.Tensor([[1, 5], [7, 3]]).argmax_with_value(1)
    >>> print(values, places)
    [5 7] [1 0]
    """
    return _value_and_place("argmax_with_value", input, axis, keep_dims, largest=True)


@op(
    function=False,
    method=True,
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=(("f(2), 1", ValueError, "axis"),),
)
def argmin_with_value(
    input: Tensor, axis: int | None = 0, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Values and indices (int64) of the smallest elements; as :meth:`argmax_with_value`.

    Args:
        input (Tensor): this tensor.
        axis (int): the axis; None for all elements, with index 0 and without axes. Default: 0.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tuple of values and indices.

    >>> values, places = ms.Tensor([[1, 5], [7, 3]]).argmin_with_value(1)
    >>> print(values, places)
    [1 3] [0 1]
    """
    return _value_and_place("argmin_with_value", input, axis, keep_dims, largest=False)


reduction("ReduceMax", _largest, "Largest elements", "[2 4]", function="reduce_max")
reduction("ReduceMin", _smallest, "Smallest elements", "[1 3]", function="reduce_min")
