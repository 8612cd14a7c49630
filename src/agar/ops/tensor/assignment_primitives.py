"""Primitives that write into a parameter and have no function, and those that give views."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from agar.ops._checks import integer
from agar.ops.math.elementwise import as_tensor
from agar.ops.spec import Scalar, primitive
from agar.ops.tensor.assignment import _replace, _store
from agar.ops.tensor.axes import axes_of, axis_of
from agar.ops.tensor.scattering import _rows, add_at, combine_at, scatter_slices

__all__: list[str] = []


@primitive(
    "InplaceIndexAdd",
    cast="never",
    inplace=_store,
    differentiable=False,
    samples=("f(3, 2), i(4), f(4, 2), axis=0", "f(2, 3), i(2), f(2, 2), axis=1"),
    errors=(
        ("f(2, 3), i(2) // 2, f(3, 3), axis=0", ValueError, "shape"),
        ("f(2, 3), i(2), f(2, 3), axis=2", ValueError, "axis"),
        ("f(2, 3), torch.tensor([5]), f(1, 3), axis=0", RuntimeError, "range"),
    ),
)
def _inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, *, axis: int) -> None:
    """Add slices to a parameter along an axis; see :func:`ops.index_add`.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.InplaceIndexAdd(0)(p, ms.Tensor([1]), ms.Tensor([5.0])))
    [1. 7.]
    """
    var.copy_(add_at("InplaceIndexAdd", var.clone(), axis, indices, updates, "axis"))


@primitive(
    "InplaceUpdateV2",
    cast="never",
    samples=("f(3, 2), (0, 2), f(2, 2)", "f(3, 2), 1, f(1, 2)"),
    errors=(
        ("f(3, 2), (0, 1), f(2, 3)", ValueError, "v"),
        ("f(3, 2), 5, f(1, 2)", RuntimeError, "range"),
    ),
)
def _inplace_update_v2(x: Tensor, indices: Any, v: Tensor) -> Tensor:
    """A copy of a tensor in which rows are replaced; see :func:`ops.inplace_update`.

    >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(ms.ops.InplaceUpdateV2()(x, 0, ms.Tensor([[5.0, 5.0]])))
    [[5. 5.]
     [3. 4.]]
    """
    return _rows("InplaceUpdateV2", x, v, indices, "update", from_end=True)


@primitive(
    "ScatterAddWithAxis",
    cast="never",
    samples=("f(3, 3), torch.tensor([[1, 0, 2]]), f(1, 3)", "f(2, 5), i(2, 2), f(2, 2), axis=1"),
    errors=(
        ("f(3, 3), i(2, 3), f(1, 3)", ValueError, "updates"),
        ("f(3, 3), i(1, 3), f(1, 3), axis=2", ValueError, "axis"),
        ("f(3, 3), i(1, 3), f(1, 3), axis=0.5", TypeError, "axis"),
    ),
)
def _scatter_add_with_axis(
    input_x: Tensor, indices: Tensor, updates: Tensor, *, axis: int = 0
) -> Tensor:
    """A copy of a tensor with numbers added at indices along an axis.

    See :func:`ops.tensor_scatter_elements` with ``reduction="add"``.

    >>> x = ms.Tensor([[1, 2, 3, 4, 5]])
    >>> print(ms.ops.ScatterAddWithAxis(1)(x, ms.Tensor([[2, 4]]), ms.Tensor([[8, 8]])))
    [[ 1  2 11  4 13]]
    """
    op_name = "ScatterAddWithAxis"
    place = axis_of(op_name, integer(op_name, "axis", axis), input_x.ndim)
    if updates.shape != indices.shape or indices.ndim != input_x.ndim:
        raise ValueError(
            f"For '{op_name}', 'updates' and 'indices' must have one shape, with as many axes as "
            f"'input_x' ({input_x.ndim}), but got {list(updates.shape)} and {list(indices.shape)}."
        )
    return combine_at(op_name, "add", input_x, place, indices.long(), updates)


@primitive(
    "ScatterNonAliasingAdd",
    cast="never",
    inplace=_store,
    differentiable=False,
    samples=(
        "f(8), torch.tensor([[2], [4], [1]]), f(3)",
        "f(3, 2), torch.tensor([[0], [2]]), f(2, 2)",
    ),
    errors=(("f(3, 2), torch.tensor([[0]]), f(2, 2)", ValueError, "updates"),),
)
def _scatter_non_aliasing_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> None:
    """Add slices to a parameter at indices; see :func:`ops.scatter_nd_add`.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
    >>> print(ms.ops.ScatterNonAliasingAdd()(p, ms.Tensor([[2]]), ms.Tensor([6.0])))
    [1. 2. 9.]
    """
    result = scatter_slices("ScatterNonAliasingAdd", input_x.clone(), indices, updates, "add")
    input_x.copy_(result)


@primitive(
    "CopyWithSlice",
    cast="never",
    inplace=_replace,
    differentiable=False,
    samples=("f(2, 3), f(2, 3)", "f(2, 3), f(3)", "f(2), 1.5"),
    errors=(("f(2), f(3)", ValueError, "y"),),
)
def _copy_with_slice(x: Tensor, y: Tensor | Scalar) -> None:
    """Write values into a parameter or a view of a tensor; shapes broadcast.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.CopyWithSlice()(p, ms.Tensor([3.0, 4.0])))
    [3. 4.]
    """
    tensor = as_tensor(y, x)
    try:
        tensor = tensor.expand(x.shape)
    except RuntimeError as error:
        raise ValueError(
            f"For 'CopyWithSlice', 'y' must broadcast to the shape of 'x', {list(x.shape)}, but "
            f"got {list(tensor.shape)}."
        ) from error
    x.copy_(tensor)


# ------------------------------------------------------------------------------------- views


@primitive(
    "SelectView",
    cast="never",
    samples=("f(2, 3), 1, 0", "f(2, 3), -1, 1"),
    errors=(
        ("f(2, 3), 2, 0", ValueError, "input_indices"),
        ("f(2, 3), 0, 2", ValueError, "axis"),
        ("f(2, 3), 0.5, 0", TypeError, "input_indices"),
    ),
)
def _select_view(input_tensor: Tensor, input_indices: int, axis: int) -> Tensor:
    """One slice of a tensor along an axis, as a view of it.

    >>> print(ms.ops.SelectView()(ms.Tensor([[1, 2], [3, 4]]), 1, 0))
    [3 4]
    """
    op_name = "SelectView"
    place = axis_of(op_name, axis, input_tensor.ndim)
    index = integer(op_name, "input_indices", input_indices)
    size = input_tensor.shape[place]
    if not -size <= index < size:
        raise ValueError(
            f"For '{op_name}', 'input_indices' must be in the range [{-size}, {size}), but got "
            f"{index}."
        )
    return input_tensor.select(place, index)


@primitive(
    "TransposeView",
    cast="never",
    samples=("f(2, 3, 4), (0, 2, 1)",),
    errors=(("f(2, 3), (0, 0)", ValueError, "input_perm"), ("f(2, 3), (0,)", ValueError, "perm")),
)
def _transpose_view(input: Tensor, input_perm: Any) -> Tensor:
    """A tensor with its axes in another order, as a view of it; see :func:`ops.transpose`.

    >>> print(ms.ops.TransposeView()(ms.Tensor([[1, 2], [3, 4]]), (1, 0)))
    [[1 3]
     [2 4]]
    """
    op_name = "TransposeView"
    order = axes_of(op_name, input_perm, input.ndim, "input_perm")
    if sorted(order) != list(range(input.ndim)):
        raise ValueError(
            f"For '{op_name}', 'input_perm' must name each of the {input.ndim} axes once, but got "
            f"{input_perm}."
        )
    return input.permute(order)


@primitive(
    "TransposeExtView",
    cast="never",
    samples=("f(2, 3, 4), 0, 2",),
    errors=(("f(2, 3), 0, 2", ValueError, "dim1"), ("f(2, 3), 0, 0.5", TypeError, "dim1")),
)
def _transpose_ext_view(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """A tensor with two axes exchanged, as a view of it; see :func:`ops.swapaxes`.

    >>> print(ms.ops.TransposeExtView()(ms.Tensor([[1, 2], [3, 4]]), 0, 1))
    [[1 3]
     [2 4]]
    """
    op_name = "TransposeExtView"
    return input.transpose(
        axis_of(op_name, dim0, input.ndim, "dim0"), axis_of(op_name, dim1, input.ndim, "dim1")
    )
