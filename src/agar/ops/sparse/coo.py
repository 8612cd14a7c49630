"""Sparse tensors of coordinates (COOTensor, RowTensor)."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from agar._core import sparse
from agar._core.errors import describe
from agar._core.sparse import COOTensor, RowTensorInner
from agar._core.tensor import Tensor as AgarTensor
from agar._core.tensor import wrap
from agar.ops._checks import integer
from agar.ops.sparse.elementwise import expect

__all__: list[str] = [
    "coo_add",
    "coo_concat",
    "make_coo_tensor",
    "make_row_tensor",
    "make_row_tensor_inner",
    "make_sparse_tensor",
]

# ------------------------------------------------------------------ the coordinate format


def coo_add(x1: COOTensor, x2: COOTensor, thresh: AgarTensor) -> COOTensor:
    """The sum of two COOTensors of one shape.

    Args:
        x1 (COOTensor): the first summand.
        x2 (COOTensor): the second.
        thresh (Tensor): a number; where both have a value and the sum's absolute is smaller, the
            sum has none.

    Returns:
        COOTensor, with its places in order.

    Raises:
        TypeError: a summand is not a COOTensor, or `thresh` is not a Tensor.
        ValueError: the shapes differ.

    Difference from PyTorch: ``torch.add`` of sparse tensors has no threshold.

    Source: behavior observed in MindSpore 2.10, which takes indices of int64 only.

    Examples:
        >>> import agar as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.coo_add(x, x, ms.Tensor(0.0)).values)
        [2.]
    """
    return expect("coo_add", "x1", x1, COOTensor).add(x2, thresh)


def coo_concat(sp_input: Sequence[COOTensor], concat_dim: int = 0) -> COOTensor:
    """COOTensors joined along an axis.

    Args:
        sp_input (Union[list[COOTensor], tuple[COOTensor]]): at least two.
        concat_dim (int): the axis, 0 or 1, or counted from the end. Default: 0.

    Returns:
        COOTensor, with its places in order.

    Raises:
        TypeError: an element is not a COOTensor, or `concat_dim` is not an int.
        ValueError: there are fewer than two, the axis is out of range, or other sizes differ.

    Difference from PyTorch: ``torch.cat`` of sparse tensors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.coo_concat((x, x), 1).to_dense())
        [[0. 1. 0. 1.]
         [0. 0. 0. 0.]]
    """
    op_name = "coo_concat"
    if not isinstance(sp_input, (list, tuple)) or len(sp_input) < 2:
        raise ValueError(
            f"For '{op_name}', 'sp_input' must be a list or tuple of at least two COOTensors, but "
            f"got {describe(sp_input)}."
        )
    parts: list[COOTensor] = [expect(op_name, "sp_input", x, COOTensor) for x in sp_input]
    axis = integer(op_name, "concat_dim", concat_dim)
    if not -2 <= axis < 2:
        raise ValueError(f"For '{op_name}', 'concat_dim' must be in [-2, 2), but got {axis}.")
    axis %= 2
    other = 1 - axis
    if len({x.shape[other] for x in parts}) > 1:
        raise ValueError(
            f"For '{op_name}', sizes other than of axis {axis} must be equal, but got shapes "
            f"{[x.shape for x in parts]}."
        )
    places, total = [], 0
    for x in parts:
        rows = x.indices._value.clone()
        rows[:, axis] += total
        places.append(rows)
        total += x.shape[axis]
    shape = (total, parts[0].shape[1]) if axis == 0 else (parts[0].shape[0], total)
    joined = torch.cat(places)
    order = torch.argsort(joined[:, 0].long() * shape[1] + joined[:, 1], stable=True)
    values = torch.cat([x.values._value for x in parts])
    return COOTensor._make((wrap(joined[order]), wrap(values[order]), shape))


def make_coo_tensor(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> COOTensor:
    """A COOTensor of its parts.

    Args:
        indices (Tensor): the places, of shape :math:`(N, 2)`.
        values (Tensor): the values, of shape :math:`(N,)`.
        dense_shape (tuple[int]): the sizes of the dense matrix.

    Returns:
        COOTensor.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_coo_tensor`` has the indices transposed.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.make_coo_tensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2)).size
        1
    """
    return COOTensor(indices, values, dense_shape)


def make_sparse_tensor(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> COOTensor:
    """A COOTensor of its parts; the former name of making one.

    Args:
        indices (Tensor): the places, of shape :math:`(N, 2)`.
        values (Tensor): the values, of shape :math:`(N,)`.
        dense_shape (tuple[int]): the sizes of the dense matrix.

    Returns:
        COOTensor.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_coo_tensor`` has the indices transposed.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.ops.make_sparse_tensor(ms.Tensor([[0, 1]]), ms.Tensor([1.0]), (2, 2))
        >>> type(x).__name__
        'COOTensor'
    """
    return COOTensor(indices, values, dense_shape)


def make_row_tensor_inner(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> RowTensorInner:
    r"""A RowTensor of its parts; the same as :func:`make_row_tensor`.

    Args:
        indices (Tensor): the rows, of shape :math:`(N,)`.
        values (Tensor): their contents, of shape :math:`(N, *dense\_shape_{1:})`.
        dense_shape (tuple[int]): the sizes of the larger tensor.

    Returns:
        RowTensor.

    Raises:
        TypeError: an argument has the wrong type.

    Difference from PyTorch: no counterpart.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> row = ms.ops.make_row_tensor_inner(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2))
        >>> row.dense_shape
        (3, 2)
    """
    return sparse.RowTensor(indices, values, dense_shape)


def make_row_tensor(
    indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> RowTensorInner:
    r"""A RowTensor of its parts.

    Args:
        indices (Tensor): the rows, of shape :math:`(N,)`.
        values (Tensor): their contents, of shape :math:`(N, *dense\_shape_{1:})`.
        dense_shape (tuple[int]): the sizes of the larger tensor.

    Returns:
        RowTensor.

    Raises:
        TypeError: an argument has the wrong type.

    Difference from PyTorch: no counterpart.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.make_row_tensor(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2)).dense_shape
        (3, 2)
    """
    return make_row_tensor_inner(indices, values, dense_shape)
