"""Selection by masks and by indices.

NOTE Indices. Operators that look values up take negative indices, counted from the end, where
MindSpore does; an index out of range raises at the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar._core.runtime import thread
from agar.ops._checks import choice, integer
from agar.ops.math.elementwise import as_tensor, check_integers, common_dtype, promoted
from agar.ops.spec import Call, Scalar, op, primitive
from agar.ops.tensor.axes import axis_of

__all__ = ["check_mask", "nd_index", "places_on_axis"]


def places_on_axis(
    op_name: str,
    index: Tensor,
    size: int,
    name: str = "input_indices",
    error: type[Exception] = RuntimeError,
) -> Tensor:
    """Indices of an axis as int64 from 0 on.

    Raises:
        TypeError: they are not integers.
        RuntimeError: one lies outside of the axis (or `error`: MindSpore's operators differ).
    """
    check_integers(op_name, name, index)
    index = index.long()
    if index.numel() and not index.is_meta:
        low, high = torch.aminmax(index)
        if low < 0:
            index = torch.where(index < 0, index + size, index)
        if low < -size or high >= size:
            wrong = int(high) if high >= size else int(low)
            raise error(
                f"For '{op_name}', '{name}' must be in the range [{-size}, {size}), but got "
                f"{wrong}."
            )
    return index


def _wrapped(op_name: str, index: Tensor, size: int, name: str = "input_indices") -> Tensor:
    """Indices of an axis as int64, negative ones counted from the end.

    Kernels of the CPU refuse what lies outside of an axis, so nothing is read here, which would end
    a recording. Those of other devices do not raise errors of Python: there all are looked at.
    """
    if index.device.type != "cpu":
        return places_on_axis(op_name, index, size, name)
    check_integers(op_name, name, index)
    index = index.long()
    return torch.where(index < 0, index + size, index)


def _looked_up(
    op_name: str,
    kernel: Callable[[Tensor], Tensor],
    index: Tensor,
    size: int,
    name: str = "input_indices",
    types: Sequence[torch.dtype] = (torch.int64,),
) -> Tensor:
    """A kernel's result for indices of an axis; it takes those of `types` that are not negative."""
    # a kernel that runs now, on a CPU, refuses what is negative or outside of the axis
    eager = thread.recorder is None and type(index) is Tensor and index.is_cpu
    if eager and index.dtype in types:
        try:
            return kernel(index)
        except (IndexError, RuntimeError):
            pass  # some may be negative
    try:
        return kernel(_wrapped(op_name, index, size, name))
    except (IndexError, RuntimeError):
        places_on_axis(op_name, index, size, name)  # says which index is outside
        raise


# ----------------------------------------------------------------------------- by conditions


def _condition(op_name: str, condition: Tensor, *values: Any) -> Tensor:
    if condition.dtype is torch.bool:
        return condition
    if condition.dtype.is_floating_point or condition.dtype.is_complex:
        torch.broadcast_tensors(condition, *(v for v in values if isinstance(v, Tensor)))
        raise TypeError(
            f"For '{op_name}', 'condition' must be bool, but got "
            f"{FROM_TORCH[condition.dtype]}; compare first, for example x > 0."
        )
    return condition != 0


def _where(op_name: str, condition: Tensor, input: Any, other: Any) -> Tensor:
    condition = _condition(op_name, condition, input, other)
    if isinstance(input, Tensor):
        input, other = promoted(input, other)
    elif isinstance(other, Tensor):
        other, input = promoted(other, input)
    else:
        input, other = as_tensor(input), as_tensor(other)
        kind = common_dtype(input.dtype, other.dtype)
        where = condition.device
        return torch.where(condition, input.to(where, kind), other.to(where, kind))
    return torch.where(condition, input, other)


_WHERE_SAMPLES = (
    "b(2, 3), f(2, 3), f(3)",
    "b(3), f(3), 1.5",
    "b(3), 1, 2",
    "b(3), 1.5, i(3)",
    "b(3), f(3), f()",
)
_WHERE_ERRORS = (
    ("b(2), f(2), f(3)", ValueError, "broadcast"),
    ("f(2), f(2), f(2)", TypeError, "condition"),
    ("b(2), f(2), 'x'", TypeError, "Tensor"),
)


_WHERE_CALLS = (
    Call(
        "torch.where(condition, input._value, other._value)",
        "type(input) is _Tensor and type(other) is _Tensor"
        " and input._value.dtype is other._value.dtype and condition._value.dtype is torch.bool",
    ),
    Call(
        "torch.where(condition, input._value, other)",
        "(type(other) is float or type(other) is int) and type(input) is _Tensor"
        " and condition._value.dtype is torch.bool",
    ),
)


@op(
    mint=True,
    samples=_WHERE_SAMPLES,
    errors=_WHERE_ERRORS,
    fast=_WHERE_CALLS,
)
def where(condition: Tensor, input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Select elements of two tensors by a condition: :math:`input_i` or :math:`other_i`.

    Args:
        condition (Tensor): bool.
        input (Union[Tensor, number]): the values where the condition is true.
        other (Union[Tensor, number]): the values where it is false; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other; with one
        argument only, use :func:`ops.nonzero`.

    >>> print(ms.ops.where(ms.Tensor([True, False]), ms.Tensor([1.0, 2.0]), 0))
    [1. 0.]
    """
    return _where("where", condition, input, other)


@op(
    primitive="Select",
    samples=_WHERE_SAMPLES,
    errors=_WHERE_ERRORS,
    fast=_WHERE_CALLS,
)
def select(condition: Tensor, input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    """Select elements of two tensors by a condition; the same as :func:`ops.where`.

    Args:
        condition (Tensor): bool.
        input (Union[Tensor, number]): the values where the condition is true.
        other (Union[Tensor, number]): the values where it is false; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: ``torch.select`` takes one slice of a tensor, which is
        ``Tensor.select(axis, index)`` here.

    >>> print(ms.ops.select(ms.Tensor([True, False]), ms.Tensor([1, 2]), ms.Tensor([3, 4])))
    [1 4]
    """
    return _where("select", condition, input, other)


@op(
    "where",
    function=False,
    method="where",
    samples=("f(3), b(3), 2.0", "f(3), b(3), f(3)"),
    errors=(
        ("f(3), f(3), 2.0", TypeError, "condition"),
        ("f(3), b(2), 2.0", ValueError, "broadcast"),
        ("f(3), b(3), 'x'", TypeError, "y"),
    ),
    keywords={"other": "y"},
)
def _where_method(input: Tensor, condition: Tensor, y: Tensor | Scalar) -> Tensor:
    """This tensor where the condition is true, else `y`; see :func:`ops.where`.

    >>> print(ms.Tensor([1.0, 2.0]).where(ms.Tensor([True, False]), 0))
    [1. 0.]
    """
    return _where("where", condition, input, y)


def _one_slice(op_name: str, input: Tensor, axis: Any, index: Any, name: str = "axis") -> Tensor:
    place = axis_of(op_name, axis, input.ndim, name)
    size = input.shape[place] if input.ndim else 0
    at = integer(op_name, "index", index)
    if not -size <= at < size:
        raise IndexError(
            f"For '{op_name}', 'index' must be in the range [{-size}, {size}), but got {at}."
        )
    return input.select(place, at)


@op(
    "select",
    function=False,
    method="select",
    samples=("f(2, 3), 0, 1", "f(3), b(3), f(3)"),
    errors=(("f(2, 3), 0, 2", IndexError, "index"),),
    keywords={"dim": "condition", "index": "y"},
)
def _select_method(input: Tensor, condition: Tensor | int, y: Tensor | Scalar) -> Tensor:
    """One slice along an axis, or this tensor where a condition is true.

    Args:
        input (Tensor): this tensor.
        condition (Union[int, Tensor]): the axis; or a bool Tensor.
        y (Union[int, number, Tensor]): the index on the axis; or the values where the condition is
            false.

    Returns: Tensor; a slice is a view.
    Raises TypeError: the arguments fit neither form.
    Raises IndexError: the index is out of range.
    Difference from PyTorch: the form with a condition.

    >>> print(ms.Tensor([[1, 2], [3, 4]]).select(0, 1))
    [3 4]
    """
    if isinstance(condition, Tensor):
        return _where("select", condition, input, y)
    return _one_slice("select", input, condition, y)


@op(
    "select",
    function=False,
    mint="select",
    cast="never",
    samples=("f(2, 3), 0, 1",),
    errors=(
        ("f(2, 3), 0, 2", IndexError, "index"),
        ("f(2, 3), 2, 0", ValueError, "dim"),
        ("f(2, 3), 0, 0.5", TypeError, "index"),
    ),
)
def _select_mint(input: Tensor, dim: int, index: int) -> Tensor:
    """One slice along an axis, a view.

    Args:
        input (Tensor): one axis or more.
        dim (int): the axis.
        index (int): which slice; a negative one counts from the end.

    Returns: Tensor without that axis.

    >>> print(ms.mint.select(ms.Tensor([[1, 2], [3, 4]]), 0, 1))
    [3 4]
    """
    return _one_slice("select", input, dim, index, "dim")


@op(
    primitive="MaskedFill",
    method=True,
    samples=("f(2, 3), b(3), 1.5", "f(2, 3), b(2, 3), f()", "i(3), b(3), 2"),
    errors=(
        ("f(2), b(3), 1.0", ValueError, "broadcast"),
        ("f(2), i(2), 1.0", TypeError, "mask"),
        ("f(2), b(2), f(2)", ValueError, "0-d"),
    ),
    fast=Call(
        "torch.masked_fill(input_x, mask, value)", "type(value) is float or type(value) is int"
    ),
)
def masked_fill(input_x: Tensor, mask: Tensor, value: Tensor | Scalar) -> Tensor:
    """The tensor with one value where a mask is true.

    Args:
        input_x (Tensor): any shape.
        mask (Tensor): bool, of a shape that broadcasts with `input_x`.
        value (Union[number, Tensor]): the value, 0-d if a Tensor.

    Returns: Tensor of the broadcast shape and the type of `input_x`.
    Raises TypeError: `mask` is not bool.
    Raises ValueError: the shapes do not broadcast or `value` is not 0-d.

    >>> print(ms.ops.masked_fill(ms.Tensor([1.0, 2.0]), ms.Tensor([True, False]), 0.0))
    [0. 2.]
    """
    check_mask("masked_fill", mask)
    if isinstance(value, Tensor) and value.ndim:
        raise ValueError(
            f"For 'masked_fill', 'value' must be a number or 0-d, but got shape "
            f"{list(value.shape)}."
        )
    return input_x.masked_fill(mask, value)


def check_mask(op_name: str, mask: Tensor) -> None:
    """Check that a mask is bool.

    Raises:
        TypeError: it is of another type.
    """
    if mask.dtype is not torch.bool:
        raise TypeError(
            f"For '{op_name}', 'mask' must be bool, but got {FROM_TORCH[mask.dtype]}; compare "
            "first, for example x > 0, or convert with .astype(ms.bool_)."
        )


@op(
    primitive="MaskedSelect",
    method=True,
    mint=True,
    samples=("f(2, 3), b(2, 3)", "f(2, 3), b(3)"),
    errors=(("f(2), b(3)", ValueError, "broadcast"), ("f(2), i(2)", TypeError, "mask")),
)
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask is true, as a vector.

    Args:
        input (Tensor): any shape.
        mask (Tensor): bool, of a shape that broadcasts with `input`.

    Returns: Tensor with one axis; its size depends on the values of `mask`.
    Raises TypeError: `mask` is not bool.
    Raises ValueError: the shapes do not broadcast.

    >>> print(ms.ops.masked_select(ms.Tensor([1, 2, 3]), ms.Tensor([True, False, True])))
    [1 3]
    """
    check_mask("masked_select", mask)
    return torch.masked_select(input, mask)


@op(
    function=False,
    method="masked_scatter",
    primitive="MaskedScatter",
    samples=("f(2, 3), b(2, 3), f(6)",),
    errors=(
        ("f(3), i(3), f(3)", TypeError, "mask"),
        ("f(3), b(3) | True, f(2)", ValueError, "source"),
    ),
)
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The tensor with the elements of another, in order, where a mask is true.

    Args:
        input (Tensor): any shape.
        mask (Tensor): bool, of a shape that broadcasts with `input`.
        source (Tensor): at least as many elements as the mask has true ones.

    Returns: Tensor.
    Raises TypeError: `mask` is not bool.
    Raises ValueError: `source` has too few elements.

    >>> x, mask = ms.Tensor([1, 2, 3]), ms.Tensor([True, False, True])
    >>> print(x.masked_scatter(mask, ms.Tensor([8, 9])))
    [8 2 9]
    """
    check_mask("masked_scatter", mask)
    needed = int(mask.expand(torch.broadcast_shapes(mask.shape, input.shape)).sum())
    if source.numel() < needed:
        raise ValueError(
            f"For 'masked_scatter', 'source' must have at least {needed} elements, but has "
            f"{source.numel()}."
        )
    return input.masked_scatter(mask, source.to(input.dtype))


@op(
    method=True,
    mint=True,
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "b(3)", "f(2, 3), as_tuple=True"),
    errors=(
        ("[1.0, 0.0]", TypeError, "must be a Tensor"),
        ("f(2), as_tuple=1", TypeError, "as_tuple"),
    ),
)
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Indices of the elements that are not zero.

    Args:
        input (Tensor): any shape.
        as_tuple (bool): whether to give one vector of indices for each axis. Default: False.

    Returns: Tensor of int64 of shape (N, rank); or a tuple of `rank` vectors.

    >>> print(ms.ops.nonzero(ms.Tensor([0, 3, 4])))
    [[1]
     [2]]
    """
    return torch.nonzero(input, as_tuple=as_tuple)


@primitive(
    "NonZero",
    cast="never",
    samples=("f(2, 3)",),
    errors=(("[1.0, 0.0]", TypeError, "must be a Tensor"),),
    differentiable=False,
)
def _nonzero_primitive(input: Tensor) -> Tensor:
    """Indices of the elements that are not zero; see :func:`ops.nonzero`.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs: Tensor of int64, shape (N, rank): a row for each such element.

    >>> print(ms.ops.NonZero()(ms.Tensor([0, 3, 4])))
    [[1]
     [2]]
    """
    return torch.nonzero(input)


@op(
    method=True,
    cast="never",
    samples=("f(2, 3)", "b(3)"),
    errors=(("[1.0, 0.0]", TypeError, "must be a Tensor"),),
    differentiable=False,
)
def argwhere(input: Tensor) -> Tensor:
    """Indices of the elements that are not zero.

    Args:
        input (Tensor): any shape.

    Returns: Tensor of int64 of shape (N, rank).

    >>> print(ms.ops.argwhere(ms.Tensor([0, 3, 4])))
    [[1]
     [2]]
    """
    return torch.argwhere(input)


# ------------------------------------------------------------------------------- by indices


def _selected(op_name: str, params: Tensor, axis: int, indices: Tensor) -> Tensor:
    """The slices along an axis that the indices name, of any shape."""
    size = params.shape[axis]
    flat = indices if indices.ndim == 1 else indices.reshape(-1)
    picked = _looked_up(
        op_name,
        lambda index: torch.index_select(params, axis, index),
        flat,
        size,
        types=(torch.int64, torch.int32),
    )
    if flat is indices:
        return picked
    shape = params.shape
    return picked.reshape((*shape[:axis], *indices.shape, *shape[axis + 1 :]))


def _gather(op_name: str, params: Tensor, indices: Tensor, axis: Any, batch_dims: Any) -> Tensor:
    place = axis_of(op_name, axis, params.ndim)
    shape = params.shape
    size = shape[place] if shape else 0
    batch = batch_dims if type(batch_dims) is int else integer(op_name, "batch_dims", batch_dims)
    if not batch and shape:
        return _selected(op_name, params, place, indices)
    index = places_on_axis(op_name, indices, size)
    if not batch:
        return torch.index_select(params, place, index.reshape(-1)).reshape(index.shape)
    batch += indices.ndim if batch < 0 else 0
    if not 0 <= batch <= min(place, indices.ndim) or params.shape[:batch] != indices.shape[:batch]:
        raise ValueError(
            f"For '{op_name}', the first 'batch_dims' {batch_dims} axes of params and indices must "
            f"agree and come before 'axis', but got shapes {list(params.shape)} and "
            f"{list(indices.shape)}, axis {place}."
        )
    # axes of the result: batch, params before the axis, indices, params behind it
    before, behind = params.shape[batch:place], params.shape[place + 1 :]
    inner = index.shape[batch:]
    flat = index.reshape(*index.shape[:batch], *(1,) * len(before), -1, *(1,) * len(behind))
    flat = flat.expand(*params.shape[:place], flat.shape[place], *behind)
    return torch.gather(params, place, flat).reshape(
        *params.shape[:batch], *before, *inner, *behind
    )


_GATHER_ERRORS = (
    ("f(3, 2), torch.tensor([0, 5]), 0", RuntimeError, "range"),
    ("f(3, 2), f(2), 0", TypeError, "integer"),
    ("f(3, 2), i(2), 2", ValueError, "axis"),
)


@op(
    primitive="Gather, GatherV2, SparseGatherV2(batch_dims)",
    samples=(
        "f(3, 2), i(2), 0",
        "f(3, 4), i(2, 2), 1",
        "f(3, 2), i(), 0",
        "f(2, 3, 4), i(2, 2), 1, 1",
        "f(3, 2), torch.tensor([-1]), 0",
    ),
    errors=_GATHER_ERRORS,
    fast=Call(
        "torch.index_select(input_params, axis, input_indices)",
        "type(axis) is int and type(batch_dims) is int and batch_dims == 0"
        " and input_indices._value.ndim == 1 and input_params._value.is_cpu",
    ),
)
def gather(
    input_params: Tensor,
    input_indices: Tensor,
    axis: Any,
    batch_dims: int = 0,
    *,
    _op_name: str = "gather",
) -> Tensor:
    r"""Slices of a tensor: :math:`out_{.., j.., ..} = params_{.., indices_{j..}, ..}`.

    Args:
        input_params (Tensor): the tensor to take from.
        input_indices (Tensor): integers, any shape; negative ones count from the end.
        axis (int): the axis the indices belong to.
        batch_dims (int): how many leading axes the two have in common. Default: 0.

    Returns: Tensor in which the axis is replaced by the axes of the indices.
    Raises TypeError: the indices are not integers.
    Raises ValueError: `axis` is out of range or the common axes differ.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``torch.gather`` is :func:`ops.gather_elements`.

    >>> print(ms.ops.gather(ms.Tensor([[1, 2], [3, 4], [5, 6]]), ms.Tensor([2, 0]), 0))
    [[5 6]
     [1 2]]
    """
    return _gather(_op_name, input_params, input_indices, axis, batch_dims)


def _gather_d(op_name: str, input: Tensor, dim: Any, index: Tensor) -> Tensor:
    place = axis_of(op_name, dim, input.ndim, "dim")
    size = input.shape[place] if input.ndim else 1
    return _looked_up(
        op_name, lambda places: torch.gather(input, place, places), index, size, "index"
    )


_GATHER_D_SAMPLES = ("f(2, 3), 1, i(2, 2)", "f(3), 0, torch.tensor([-1, 0])")
_GATHER_D_ERRORS = (
    ("f(2, 2), 1, torch.tensor([[0, 5]])", RuntimeError, "range"),
    ("f(2, 2), 1, f(2, 2)", TypeError, "integer"),
    ("f(2, 2), 2, i(2, 2)", ValueError, "dim"),
)


@op(
    "gather_elements",
    primitive="GatherD()(x: input, dim, index)",
    function=("gather_elements", "gather_d"),
    renamed={"gather_d": {"input": "x"}},
    method="gather_elements",
    mint="gather",
    samples=_GATHER_D_SAMPLES,
    errors=_GATHER_D_ERRORS,
    fast=Call("torch.gather(input, dim, index)", "type(dim) is int and index._value.is_cpu"),
)
def gather_elements(
    input: Tensor, dim: int, index: Tensor, *, _op_name: str = "gather_elements"
) -> Tensor:
    r"""Single elements along an axis: for axis 0, :math:`out_{ij} = input_{index_{ij}, j}`.

    Args:
        input (Tensor): the tensor to take from.
        dim (int): the axis.
        index (Tensor): integers, of the rank of `input`; negative ones count from the end.

    Returns: Tensor of the shape of `index`.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `dim` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``torch.gather``; negative indices are accepted.

    >>> x = ms.Tensor([[1, 2], [3, 4]])
    >>> print(ms.ops.gather_elements(x, 1, ms.Tensor([[0, 0], [1, 0]])))
    [[1 1]
     [4 3]]
    """
    return _gather_d(_op_name, input, dim, index)


@op(
    "gather",
    function=False,
    method="gather",
    samples=(
        "f(2, 3), 1, i(2, 2)",
        "f(3, 2), i(2), 0",
        "f(2, 3), dim=1, index=i(2, 2)",
        "f(2, 3, 4), input_indices=i(2, 2), axis=1, batch_dims=1",
    ),
    errors=(
        ("f(2, 2), 1, torch.tensor([[0, 5]])", RuntimeError, "range"),
        ("f(2, 2), 1", TypeError, "gather"),
    ),
)
def _gather_method(
    input: Tensor,
    dim: Tensor | Scalar = None,  # type: ignore[assignment]
    index: Tensor | Scalar = None,  # type: ignore[assignment]
    batch_dims: int = 0,
    *,
    input_indices: Tensor | None = None,
    axis: Any = None,
) -> Tensor:
    """Single elements, ``gather(dim, index)``, or slices, ``gather(input_indices, axis)``.

    Args:
        input (Tensor): this tensor.
        dim (Union[int, Tensor]): the axis, or the indices of slices.
        index (Union[Tensor, int]): the indices as in :func:`ops.gather_elements`, or the axis as in
            :func:`ops.gather`.
        batch_dims (int): for slices, see :func:`ops.gather`. Default: 0.
        input_indices (Tensor): the indices of slices by name. Default: None.
        axis (int): their axis by name. Default: None.

    Returns: Tensor.
    Raises TypeError: the arguments fit neither form.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: the second form.

    >>> print(ms.Tensor([[1, 2], [3, 4]]).gather(ms.Tensor([1]), 0))
    [[3 4]]
    """
    if isinstance(dim, Tensor):
        input_indices, axis = dim, index if axis is None else axis
    if input_indices is not None:
        return _gather("gather", input, input_indices, axis, batch_dims)
    if not isinstance(index, Tensor):
        raise TypeError(
            "For 'gather', give (dim, index) with an int and a Tensor, or (input_indices, axis) "
            "with a Tensor and an int."
        )
    return _gather_d("gather", input, dim, index)


@op(
    method=True,
    primitive="GatherNd",
    samples=("f(2, 3), i(4, 2) // 2", "f(3, 2), i(4, 1)", "f(2, 3, 4), i(2, 2) // 2"),
    errors=(
        ("f(2, 2), torch.tensor([[0, 5]])", RuntimeError, "range"),
        ("f(2, 2), f(2, 2)", TypeError, "integer"),
        ("f(2), i(1, 2)", ValueError, "indices"),
    ),
)
def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    r"""Slices at positions given by vectors of indices: :math:`out_i = input_x[indices_i]`.

    Args:
        input_x (Tensor): the tensor to take from.
        indices (Tensor): integers; the last axis holds the indices of the leading axes of
            `input_x`.

    Returns: Tensor of shape ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: the last axis of `indices` is longer than the rank of `input_x`.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.gather_nd(ms.Tensor([[1, 2], [3, 4]]), ms.Tensor([[0, 0], [1, 1]])))
    [1 4]
    """
    return input_x[nd_index("gather_nd", input_x, indices)]


def nd_index(
    op_name: str, input: Tensor, indices: Tensor, error: type[Exception] = RuntimeError
) -> tuple[Tensor, ...]:
    """One index tensor for each leading axis that the last axis of `indices` names."""
    if indices.ndim == 0 or indices.shape[-1] > input.ndim:
        raise ValueError(
            f"For '{op_name}', the last axis of 'indices' must have at most {input.ndim} entries, "
            f"the rank of the input, but 'indices' has shape {list(indices.shape)}."
        )
    return tuple(
        places_on_axis(op_name, index, size, "indices", error)
        for index, size in zip(indices.unbind(-1), input.shape, strict=False)
    )


@op(
    method="index_select",
    samples=("f(3, 2), 0, i(2)", "f(2, 4), -1, i(3)"),
    errors=(
        ("f(3, 2), 0, torch.tensor([5])", RuntimeError, "range"),
        ("f(3, 2), 0, i(2, 2)", ValueError, "1-D"),
        ("f(3, 2), 2, i(2)", ValueError, "axis"),
    ),
    keywords={"dim": "axis"},
    fast=Call(
        "torch.index_select(input, axis, index)",
        "type(axis) is int and index._value.ndim == 1 and input._value.is_cpu",
    ),
)
def index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """Slices along an axis.

    Args:
        input (Tensor): the tensor to take from.
        axis (int): the axis.
        index (Tensor): integers, 1-D.

    Returns: Tensor.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `axis` is out of range or `index` not 1-D.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.index_select(ms.Tensor([[1, 2], [3, 4]]), 0, ms.Tensor([1])))
    [[3 4]]
    """
    return _index_select(input, axis, index)


def _index_select(input: Tensor, axis: Any, index: Tensor, name: str = "axis") -> Tensor:
    place = axis_of("index_select", axis, input.ndim, name)
    if index.ndim != 1:
        raise ValueError(
            f"For 'index_select', 'index' must be 1-D, but got shape {list(index.shape)}."
        )
    size = input.shape[place] if input.ndim else 1
    return torch.index_select(input, place, places_on_axis("index_select", index, size, "index"))


@op(
    "index_select",
    function=False,
    mint="index_select",
    samples=("f(3, 2), 0, i(2)",),
    errors=(
        ("f(3, 2), 0, torch.tensor([5])", RuntimeError, "range"),
        ("f(3, 2), 0, i(2, 2)", ValueError, "1-D"),
        ("f(3, 2), 2, i(2)", ValueError, "dim"),
    ),
)
def _index_select_mint(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Slices along an axis; see :func:`ops.index_select`.

    >>> print(ms.mint.index_select(ms.Tensor([1, 2, 3]), 0, ms.Tensor([2])))
    [3]
    """
    return _index_select(input, dim, index, "dim")


@op(
    mint=True,
    samples=("f(2, 3), i(2)", "f(2, 3), i(2, 2)"),
    errors=(("f(2), torch.tensor([5])", RuntimeError, "range"),),
)
def take(input: Tensor, index: Tensor) -> Tensor:
    """Elements of the flattened tensor.

    Args:
        input (Tensor): the tensor to take from.
        index (Tensor): integers, any shape.

    Returns: Tensor of the shape of `index`.
    Raises TypeError: `index` are not integers.
    Raises RuntimeError: an index is out of range.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.ops.take(ms.Tensor([[1, 2], [3, 4]]), ms.Tensor([3])))
    [4]
    """
    return torch.take(input, places_on_axis("take", index, input.numel(), "index"))


@op(
    "take",
    function=False,
    method="take",
    samples=(
        "f(2, 3), i(2)",
        "f(2, 3), i(2), 1",
        "f(2, 3), torch.tensor([0, 9]), mode='wrap'",
        "f(2, 3), torch.tensor([0, 9])",
    ),
    errors=(
        ("f(2), torch.tensor([5]), mode='raise'", RuntimeError, "range"),
        ("f(2), i(2), mode='x'", ValueError, "mode"),
    ),
    keywords={"index": "indices"},
)
def _take_method(
    input: Tensor, indices: Tensor, axis: int | None = None, mode: str = "clip"
) -> Tensor:
    """Elements of the flattened tensor, or slices along an axis.

    Args:
        input (Tensor): this tensor.
        indices (Tensor): integers, any shape.
        axis (int): the axis. Default None: the tensor is flattened first.
        mode (str): what to do with indices out of range: ``"clip"`` takes the nearest, ``"wrap"``
            counts on from the start, ``"raise"`` raises. Negative indices count from the end.
            Default: ``"clip"``.

    Returns: Tensor.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: `mode` is unknown or `axis` is out of range.
    Raises RuntimeError: an index is out of range and `mode` is ``"raise"``.
    Difference from PyTorch: `axis` and `mode` are numpy's.

    >>> print(ms.Tensor([1, 2, 3]).take(ms.Tensor([0, 9])))
    [1 3]
    """
    choice("take", "mode", mode, ("clip", "wrap", "raise"))
    if axis is None:
        input, axis = input.reshape(-1), 0
    place = axis_of("take", axis, input.ndim)
    size = input.shape[place]
    if mode == "wrap":
        indices = torch.remainder(indices, size)
    elif mode == "clip":
        indices = torch.where(indices < -size, 0, indices).clamp(max=size - 1)
    return _gather("take", input, indices, place, 0)


@op(
    function=False,
    method=True,
    samples=("i(3), [f(3), f(3), f(3)]", "i(2), f(3, 2)", "i(2), [[1, 2], [3, 4]]"),
    errors=(
        ("torch.tensor([7]), [f(1), f(1)], 'raise'", RuntimeError, "range"),
        ("i(2), ['a']", TypeError, "choices"),
    ),
)
def choose(input: Tensor, choices: Sequence[Tensor | Scalar], mode: str = "clip") -> Tensor:
    """For each position, the element of the tensor in a list whose index is in this tensor.

    Args:
        input (Tensor): this tensor, integers.
        choices (Union[Tensor, tuple, list]): the tensors, numbers or nests of numbers to choose
            from, or one tensor of them along the first axis; shapes broadcast.
        mode (str): as in :meth:`Tensor.take`. Default: ``"clip"``.

    Returns: Tensor.
    Raises TypeError: this tensor has no integers, or a choice is none of these.
    Raises ValueError: the shapes do not broadcast or `mode` is unknown.
    Raises RuntimeError: an index is out of range and `mode` is ``"raise"``.
    Difference from PyTorch: no counterpart; numpy's ``choose``.

    >>> print(ms.Tensor([0, 1]).choose([ms.Tensor([1, 2]), ms.Tensor([3, 4])]))
    [1 4]
    """
    choice("choose", "mode", mode, ("clip", "wrap", "raise"))
    parts = [as_tensor(c).to(input.device) for c in choices]
    count = len(parts)
    index = input.long()
    if mode == "raise":
        index = places_on_axis("choose", input, count, "input")
    else:
        index = index.remainder(count) if mode == "wrap" else index.clamp(0, count - 1)
    *same, index = torch.broadcast_tensors(*parts, index)
    kind = same[0].dtype
    for part in same[1:]:
        kind = torch.promote_types(kind, part.dtype)
    stacked = torch.stack([part.to(kind) for part in same])
    index = index.unsqueeze(0)
    return torch.gather(stacked, 0, index)[0]
