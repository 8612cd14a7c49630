"""Operators over the parts of sparse tensors, given as ordinary tensors."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core import dtype as mstype
from agar._core import sparse
from agar._core.optable import CAST_NEVER
from agar.ops._checks import boolean, integer
from agar.ops.spec import op, primitive

__all__: list[str] = []

# -------------------------------------------------------------- over ordinary tensors


def _one_axis(op_name: str, name: str, value: Tensor) -> None:
    if value.ndim != 1:
        raise ValueError(
            f"For '{op_name}', '{name}' must be a 1-D tensor, but got shape {list(value.shape)}."
        )


def _whole(op_name: str, name: str, value: Tensor) -> None:
    if value.dtype not in (torch.int16, torch.int32, torch.int64):
        raise TypeError(
            f"For '{op_name}', '{name}' must be of an integer type, but got "
            f"{mstype.FROM_TORCH[value.dtype]}; convert it with .astype(ms.int64)."
        )


def _sizes(op_name: str, name: str, shape: Any, count: int) -> tuple[int, ...]:
    """A shape that came as a tuple, or as the values of a tensor."""
    if not isinstance(shape, (tuple, list)):  # a binding reads a Tensor's values and asks again
        raise TypeError(
            f"For '{op_name}', '{name}' must be a tuple or a Tensor, but got "
            f"{type(shape).__name__}."
        )
    if len(shape) != count:
        raise ValueError(f"For '{op_name}', '{name}' must have {count} sizes, but got {shape!r}.")
    for n in shape:
        integer(op_name, name, n, 1)
    return tuple(shape)


def _check_places(op_name: str, indices: Tensor, values: Tensor, names: tuple[str, str]) -> None:
    """Indices of shape (N, rank), and a value for each."""
    _whole(op_name, names[0], indices)
    _one_axis(op_name, names[1], values)
    if indices.ndim != 2 or indices.shape[0] != values.shape[0]:
        raise ValueError(
            f"For '{op_name}', '{names[0]}' must be a 2-D tensor with a row for each of "
            f"'{names[1]}', but got shapes {list(indices.shape)} and {list(values.shape)}."
        )


@op(
    cast=CAST_NEVER,
    samples=("torch.tensor([0, 1, 1, 3]), 3", "torch.tensor([0, 2, 2], dtype=torch.int32), 2"),
    errors=(("f(3), 2", TypeError, "integer"), ("i(2, 2), 2", ValueError, "1-D")),
    reference="torch.repeat_interleave(torch.arange(len(indptr) - 1), indptr.diff())",
)
def csr2coo(indptr: Tensor, nnz: int) -> Tensor:
    """The row of each value of a CSRTensor.

    Args:
        indptr (Tensor): where each row begins.
        nnz (int): the number of values.

    Returns: Tensor of shape :math:`(nnz,)`, of the type of `indptr`.
    Raises TypeError: `indptr` are not integers.
    Raises ValueError: `indptr` is not 1-D.
    Difference from PyTorch: ``torch._convert_indices_from_csr_to_coo``.
    Source: documentation of MindSpore 2.10.

    >>> print(ms.ops.csr2coo(ms.Tensor([0, 2, 3]), 3))
    [0 0 1]
    """
    _whole("csr2coo", "indptr", indptr)
    _one_axis("csr2coo", "indptr", indptr)
    return sparse.rows_of(indptr, integer("csr2coo", "nnz", nnz, 0))


@op(
    cast=CAST_NEVER,
    samples=("torch.tensor([0, 1, 1]), 4", "torch.tensor([0, 2], dtype=torch.int32), 3"),
    errors=(("f(3), 2", TypeError, "integer"), ("i(2), 0", ValueError, "height")),
    reference="np.searchsorted(row_indices, np.arange(height + 1))",
)
def coo2csr(row_indices: Tensor, height: int) -> Tensor:
    """Where each row begins among values whose rows are given in order.

    Args:
        row_indices (Tensor): the row of each value.
        height (int): the number of rows.

    Returns: Tensor of shape :math:`(height + 1,)`, of the type of `row_indices`.
    Raises TypeError: `row_indices` are not integers.
    Raises ValueError: `row_indices` is not 1-D, or `height` not positive.
    Difference from PyTorch: ``torch._convert_indices_from_coo_to_csr``.
    Source: documentation of MindSpore 2.10.

    >>> print(ms.ops.coo2csr(ms.Tensor([0, 0, 1]), 2))
    [0 2 3]
    """
    _whole("coo2csr", "row_indices", row_indices)
    _one_axis("coo2csr", "row_indices", row_indices)
    return sparse.pointers_of(row_indices, integer("coo2csr", "height", height, 1))


@op(
    samples=(
        "torch.tensor([0, 1, 3]), torch.tensor([2, 0, 1]), f(2, 3), (2, 3)",
        "torch.tensor([0, 1, 2]), torch.tensor([2, 0]), f(3), (2, 3)",
    ),
    errors=(
        ("torch.tensor([0, 1, 2]), torch.tensor([2, 0]), f(4), (2, 3)", ValueError, "broadcast"),
    ),
)
def csr_gather(
    indptr: Tensor, indices: Tensor, dense: Tensor, sparse_shape: tuple[int, ...]
) -> Tensor:
    """The elements of a dense tensor at the indices of a CSRTensor.

    Args:
        indptr (Tensor): where each row begins.
        indices (Tensor): the column of each value.
        dense (Tensor): a tensor that broadcasts to `sparse_shape`.
        sparse_shape (tuple[int]): the sizes of the CSRTensor.

    Returns: Tensor with an element for each of `indices`.
    Raises TypeError: `indptr` or `indices` are not integers.
    Raises ValueError: `dense` does not broadcast.
    Difference from PyTorch: ``Tensor.sparse_mask`` gives a sparse tensor.
    Source: documentation of MindSpore 2.10.

    >>> indptr, indices = ms.Tensor([0, 1, 2]), ms.Tensor([1, 0])
    >>> print(ms.ops.csr_gather(indptr, indices, ms.Tensor([[1.0, 2], [3, 4]]), (2, 2)))
    [2. 3.]
    """
    op_name = "csr_gather"
    for name, value in (("indptr", indptr), ("indices", indices)):
        _whole(op_name, name, value)
        _one_axis(op_name, name, value)
    try:
        wide = dense.expand(tuple(sparse_shape))
    except RuntimeError as error:
        raise ValueError(
            f"For '{op_name}', 'dense' must broadcast to the shape {sparse_shape}, but got shape "
            f"{list(dense.shape)}."
        ) from error
    return wide[sparse.rows_of(indptr, indices.shape[0]).long(), indices.long()]


_DUPLICATES = "torch.tensor([[0, 0, 1], [1, 1, 2]]), f(3), torch.tensor([3, 3])"


@op(
    primitive="Coalesce",
    samples=(_DUPLICATES, "torch.tensor([[2, 0, 2], [1, 1, 1]]), f(3), torch.tensor([3, 3])"),
    errors=(
        ("torch.tensor([[0, 5]]), f(2), torch.tensor([3])", ValueError, "x_indices"),
        ("i(2, 3), f(2), torch.tensor([3, 3])", ValueError, "shape"),
        ("f(2, 3), f(3), torch.tensor([3, 3])", TypeError, "x_indices"),
    ),
)
def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The indices of a sparse tensor in order, with values of the same index summed.

    Args:
        x_indices (Tensor): the places, one in each column: shape :math:`(rank, N)`.
        x_values (Tensor): the values, of shape :math:`(N,)`.
        x_shape (Tensor): the sizes of the dense tensor, of shape :math:`(rank,)`.

    Returns: Three Tensors: places, values, and `x_shape`.
    Raises TypeError: `x_indices` or `x_shape` are not integers.
    Raises ValueError: the shapes do not fit, or a place lies outside.
    Difference from PyTorch: ``Tensor.coalesce`` of a sparse tensor.
    Source: documentation of MindSpore 2.10, whose kernel merges neighbors only.

    >>> places = ms.Tensor([[0, 0, 1], [1, 1, 2]])
    >>> out = ms.ops.coalesce(places, ms.Tensor([1.0, 5.0, 4.0]), ms.Tensor([3, 3]))
    >>> print(out[1])
    [6. 4.]
    """
    op_name = "coalesce"
    _whole(op_name, "x_indices", x_indices)
    _whole(op_name, "x_shape", x_shape)
    _one_axis(op_name, "x_values", x_values)
    if x_indices.shape != (x_shape.shape[0], x_values.shape[0]):
        raise ValueError(
            f"For '{op_name}', 'x_indices' must have the shape (sizes in 'x_shape', 'x_values'), "
            f"but got {list(x_indices.shape)}, {list(x_shape.shape)} and {list(x_values.shape)}."
        )
    outside = torch.logical_or(x_indices < 0, x_indices >= x_shape[:, None])
    if outside.any():
        raise ValueError(f"For '{op_name}', 'x_indices' has places outside of the shape 'x_shape'.")
    places, sums = sparse.coalesced(x_indices, x_values, x_shape)
    return places, sums, x_shape.clone()


@primitive(
    "SparseToDense",
    samples=("torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4)",),
    errors=(
        ("torch.tensor([[0, 1], [1, 4]]), f(2), (3, 4)", ValueError, "bounds"),
        ("i(2, 2), f(3), (3, 4)", ValueError, "indices"),
        ("f(2, 2), f(2), (3, 4)", TypeError, "indices"),
    ),
)
def _sparse_to_dense(indices: Tensor, values: Tensor, sparse_shape: Any) -> Tensor:
    """A dense tensor of the values at their indices, zero elsewhere.

    Inputs:
        - **indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`; of one place the last stays.
        - **sparse_shape** (tuple[int]) - the sizes of the dense tensor.

    Outputs: Tensor of the type of `values`.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: the shapes do not fit, or a place lies outside.
    Difference from PyTorch: ``torch.sparse_coo_tensor(...).to_dense()`` sums values of one place.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.SparseToDense()(ms.Tensor([[0, 1]]), ms.Tensor([2.0]), (2, 2)))
    [[0. 2.]
     [0. 0.]]
    """
    op_name = "SparseToDense"
    _check_places(op_name, indices, values, ("indices", "values"))
    sizes = _sizes(op_name, "sparse_shape", sparse_shape, indices.shape[1])
    zeros = values.new_zeros(sizes)
    try:
        return zeros.index_put([p.long() for p in indices.unbind(1)], values)
    except IndexError as error:
        raise ValueError(
            f"For '{op_name}', a place in 'indices' is out of bounds for the shape {sizes}."
        ) from error


def _check_matmul(prim: Any) -> None:
    for name in ("adjoint_st", "adjoint_dt"):
        boolean("SparseTensorDenseMatmul", name, getattr(prim, name))


@primitive(
    "SparseTensorDenseMatmul",
    setup=_check_matmul,
    samples=(
        "torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4), f(4, 2)",
        "torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4), f(3, 2), adjoint_st=True",
        "torch.tensor([[0, 1], [1, 2]]), f(2), (3, 4), f(2, 4), adjoint_dt=True",
    ),
    errors=(
        ("torch.tensor([[0, 1]]), f(1), (3, 4), f(3, 2)", ValueError, "dense"),
        ("torch.tensor([[0, 1]]), f(1), (3, 4), i(4, 2)", TypeError, "dense"),
        ("torch.tensor([[0, 1]]), f(1), (3, 4), f(4, 2), adjoint_st=1", TypeError, "bool"),
    ),
)
def _sparse_dense_matmul(
    indices: Tensor,
    values: Tensor,
    sparse_shape: Any,
    dense: Tensor,
    *,
    adjoint_st: bool = False,
    adjoint_dt: bool = False,
    _state: Any = None,
) -> Tensor:
    """A sparse matrix times a dense one.

    Args:
        indices (Tensor): the places, of shape :math:`(N, 2)`.
        values (Tensor): the values, of shape :math:`(N,)`.
        sparse_shape (Union[tuple[int], Tensor]): the two sizes of the sparse matrix.
        dense (Tensor): a matrix of the type of `values`.
        adjoint_st (bool): whether the sparse matrix is transposed (and conjugated). Default: False.
        adjoint_dt (bool): whether the dense matrix is transposed (and conjugated). Default: False.

    Outputs: Tensor, a matrix of the type of `values`.
    Raises TypeError: `indices` are not integers, the types of `values` and `dense` differ, or an
        attribute is not a bool.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``torch.sparse.mm`` takes a sparse tensor.
    Source: behavior observed in MindSpore 2.10, which does not check the rows of `dense`.

    >>> places, values = ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0])
    >>> print(ms.ops.SparseTensorDenseMatmul()(places, values, (2, 3), ms.ops.ones((3, 1))))
    [[1.]
     [2.]]
    """
    op_name = "SparseTensorDenseMatmul"
    _check_places(op_name, indices, values, ("indices", "values"))
    height, width = _sizes(op_name, "sparse_shape", sparse_shape, 2)
    if dense.dtype != values.dtype:
        raise TypeError(
            f"For '{op_name}', 'values' and 'dense' must be of one type, but got "
            f"{mstype.FROM_TORCH[values.dtype]} and {mstype.FROM_TORCH[dense.dtype]}."
        )
    rows, columns = indices.unbind(1)
    if adjoint_st:
        rows, columns, height, width = columns, rows, width, height
        values = values.conj()
    if adjoint_dt and dense.ndim == 2:
        dense = dense.mH
    if dense.ndim != 2 or dense.shape[0] != width:
        raise ValueError(
            f"For '{op_name}', 'dense' (transposed, if adjoint_dt) must be a matrix of {width} "
            f"rows, but got shape {list(dense.shape)}."
        )
    return sparse.multiplied(rows, columns, values, dense, height)


@primitive(
    "SparseTensorDenseAdd",
    samples=("torch.tensor([[0, 1], [1, 2], [0, 1]]), f(3), torch.tensor([3, 4]), f(3, 4)",),
    errors=(
        ("torch.tensor([[0, 1]]), f(1), (3, 4), f(4, 4)", ValueError, "x2"),
        ("torch.tensor([[0, 1]]), f(1), (3, 4), i(3, 4)", TypeError, "x2"),
    ),
)
def _sparse_dense_add(x1_indices: Tensor, x1_values: Tensor, x1_shape: Any, x2: Tensor) -> Tensor:
    """The sum of a sparse and a dense tensor.

    Inputs:
        - **x1_indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **x1_values** (Tensor) - the values, of shape :math:`(N,)`.
        - **x1_shape** (Union[tuple[int], Tensor]) - the sizes of the sparse tensor.
        - **x2** (Tensor) - a dense tensor of this shape, of the type of `x1_values`.

    Outputs: Tensor of the shape and type of `x2`.
    Raises TypeError: `x1_indices` are not integers, or the types of `x1_values` and `x2` differ.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``torch.add`` of a dense and a sparse tensor.
    Source: behavior observed in MindSpore 2.10.

    >>> places, values, x = ms.Tensor([[0, 1]]), ms.Tensor([2.0]), ms.ops.ones((2, 2))
    >>> print(ms.ops.SparseTensorDenseAdd()(places, values, ms.Tensor([2, 2]), x))
    [[1. 3.]
     [1. 1.]]
    """
    op_name = "SparseTensorDenseAdd"
    _check_places(op_name, x1_indices, x1_values, ("x1_indices", "x1_values"))
    sizes = _sizes(op_name, "x1_shape", x1_shape, x1_indices.shape[1])
    if x2.shape != sizes:
        raise ValueError(
            f"For '{op_name}', 'x2' must have the shape 'x1_shape', but got {list(x2.shape)} and "
            f"{sizes}."
        )
    if x2.dtype != x1_values.dtype:
        raise TypeError(
            f"For '{op_name}', 'x1_values' and 'x2' must be of one type, but got "
            f"{mstype.FROM_TORCH[x1_values.dtype]} and {mstype.FROM_TORCH[x2.dtype]}."
        )
    return x2.index_put([p.long() for p in x1_indices.unbind(1)], x1_values, accumulate=True)


@primitive(
    "SparseSlice",
    samples=(
        "torch.tensor([[0, 1], [1, 2], [1, 3], [2, 2]]), f(4), torch.tensor([3, 4]), "
        "torch.tensor([0, 1]), torch.tensor([2, 3])",
        "torch.tensor([[0, 1], [1, 2], [1, 3], [2, 2]]), f(4), torch.tensor([3, 4]), "
        "torch.tensor([1, 1]), torch.tensor([5, 5])",
    ),
    errors=(
        (
            "i(4, 2), f(4), torch.tensor([3, 4]), torch.tensor([0]), torch.tensor([2, 3])",
            ValueError,
            "start",
        ),
        (
            "f(4, 2), f(4), torch.tensor([3, 4]), torch.tensor([0, 1]), torch.tensor([2, 3])",
            TypeError,
            "indices",
        ),
    ),
)
def _sparse_slice(
    indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """A block of a sparse tensor.

    Inputs:
        - **indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`.
        - **shape** (Tensor) - the sizes of the sparse tensor, of shape :math:`(rank,)`.
        - **start** (Tensor) - where the block begins, of shape :math:`(rank,)`.
        - **size** (Tensor) - the sizes of the block, of shape :math:`(rank,)`; what reaches beyond
          the tensor is cut off.

    Outputs: Three Tensors: places inside of the block, values, and the block's sizes.
    Raises TypeError: `indices`, `shape`, `start` or `size` are not integers.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> places, values = ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1, 2])
    >>> sizes, start = ms.Tensor([3, 4]), ms.Tensor([1, 1])
    >>> out = ms.ops.SparseSlice()(places, values, sizes, start, ms.Tensor([1, 2]))
    >>> print(out[0], out[1], out[2])
    [[0 1]] [2] [1 2]
    """
    op_name = "SparseSlice"
    _check_places(op_name, indices, values, ("indices", "values"))
    for name, value in (("shape", shape), ("start", start), ("size", size)):
        _whole(op_name, name, value)
        if value.shape != (indices.shape[1],):
            raise ValueError(
                f"For '{op_name}', '{name}' must have a number for each of the {indices.shape[1]} "
                f"columns of 'indices', but got shape {list(value.shape)}."
            )
    sizes = torch.minimum(size, shape - start).clamp(min=0)
    moved = indices - start
    inside = torch.logical_and(moved >= 0, moved < sizes).all(1)
    return moved[inside], values[inside], sizes
