"""Sparse tensors in rows (CSRTensor)."""

from __future__ import annotations

from typing import Any

import torch

from agar._core import dtype as mstype
from agar._core import sparse
from agar._core.sparse import COOTensor, CSRTensor
from agar._core.tensor import Tensor as AgarTensor
from agar._core.tensor import wrap
from agar.ops._checks import boolean
from agar.ops.sparse.elementwise import expect

__all__: list[str] = [
    "csr_add",
    "csr_div",
    "csr_mm",
    "csr_mul",
    "csr_mv",
    "csr_reduce_sum",
    "csr_softmax",
    "csr_to_coo",
    "csr_to_dense",
    "dense_to_sparse_coo",
    "dense_to_sparse_csr",
    "make_csr_tensor",
]

# ------------------------------------------------------------------------ the row format


def make_csr_tensor(
    indptr: AgarTensor, indices: AgarTensor, values: AgarTensor, dense_shape: tuple[int, ...]
) -> CSRTensor:
    """A CSRTensor of its parts.

    Args:
        indptr (Tensor): where each row begins.
        indices (Tensor): the column of each value.
        values (Tensor): the values.
        dense_shape (tuple[int]): the sizes of the dense tensor.

    Returns:
        CSRTensor.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse_csr_tensor``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> indptr, indices = ms.Tensor([0, 1, 1]), ms.Tensor([1])
        >>> ms.ops.make_csr_tensor(indptr, indices, ms.Tensor([1.0]), (2, 2)).size
        1
    """
    return CSRTensor(indptr, indices, values, dense_shape)


def csr_add(a: CSRTensor, b: CSRTensor, alpha: AgarTensor, beta: AgarTensor) -> CSRTensor:
    """``alpha * a + beta * b`` for CSRTensors of one shape.

    Args:
        a (CSRTensor): the first summand.
        b (CSRTensor): the second.
        alpha (Tensor): a number.
        beta (Tensor): a number.

    Returns:
        CSRTensor, with the places of both.

    Raises:
        TypeError: a summand is not a CSRTensor, or a factor is not a Tensor.
        ValueError: the shapes differ.

    Difference from PyTorch: ``torch.add(a, b, alpha=...)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_add(x, x, ms.Tensor(2.0), ms.Tensor(3.0)).values)
        [5.]
    """
    return expect("csr_add", "a", a, CSRTensor).add(b, alpha, beta)


def csr_mul(x: CSRTensor, y: AgarTensor | float) -> Any:
    """A CSRTensor times a dense tensor that broadcasts to its shape.

    Args:
        x (CSRTensor): the sparse factor.
        y (Union[Tensor, number]): the dense one.

    Returns:
        CSRTensor; for a single number a Tensor, the values alone.

    Raises:
        TypeError: `x` is not a CSRTensor, or `y` neither Tensor nor number.
        ValueError: `y` does not broadcast.

    Difference from PyTorch: ``torch.mul`` always gives a sparse tensor.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_mul(x, ms.Tensor([[3.0], [4.0]])).values)
        [3.]
    """
    return expect("csr_mul", "x", x, CSRTensor) * y


def csr_div(x: CSRTensor, y: AgarTensor | float) -> Any:
    """A CSRTensor divided by a dense tensor that broadcasts to its shape.

    Args:
        x (CSRTensor): the dividend.
        y (Union[Tensor, number]): the divisor; only its elements at the places of `x` count.

    Returns:
        CSRTensor; for a single number a Tensor, the values alone.

    Raises:
        TypeError: `x` is not a CSRTensor, or `y` neither Tensor nor number.
        ValueError: `y` does not broadcast.

    Difference from PyTorch: ``torch.div`` takes sparse tensors and numbers only.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_div(x, ms.Tensor([[2.0], [4.0]])).values)
        [0.5]
    """
    return expect("csr_div", "x", x, CSRTensor) / y


def csr_mv(csr_tensor: CSRTensor, dense: AgarTensor) -> AgarTensor:
    """A CSRTensor times a dense column.

    Args:
        csr_tensor (CSRTensor): a matrix.
        dense (Tensor): of shape :math:`(N, 1)` for a matrix of :math:`N` columns.

    Returns:
        Tensor of shape :math:`(M, 1)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.mv`` takes a vector.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([2.0]), (2, 2))
        >>> print(ms.ops.csr_mv(x, ms.Tensor([[1.0], [3.0]])))
        [[6.]
         [0.]]
    """
    return expect("csr_mv", "csr_tensor", csr_tensor, CSRTensor).mv(dense)


def csr_mm(
    a: CSRTensor,
    b: CSRTensor,
    trans_a: bool = False,
    trans_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
) -> CSRTensor:
    """The product of two CSRTensors.

    Args:
        a (CSRTensor): a matrix.
        b (CSRTensor): a matrix.
        trans_a (bool): whether `a` is transposed first. Default: False.
        trans_b (bool): whether `b` is transposed first. Default: False.
        adjoint_a (bool): whether `a` is transposed and conjugated first. Default: False.
        adjoint_b (bool): whether `b` is transposed and conjugated first. Default: False.

    Returns:
        CSRTensor.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the shapes do not fit, or a matrix is transposed in two ways.

    Difference from PyTorch: ``torch.sparse.mm``.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 2]), ms.Tensor([1, 0]), ms.Tensor([2.0, 3.0]), (2, 2))
        >>> print(ms.ops.csr_mm(x, x).to_dense())
        [[6. 0.]
         [0. 6.]]
    """
    op_name = "csr_mm"
    for name, value in (("a", a), ("b", b)):
        expect(op_name, name, value, CSRTensor)
    for name, value in (
        ("trans_a", trans_a),
        ("trans_b", trans_b),
        ("adjoint_a", adjoint_a),
        ("adjoint_b", adjoint_b),
    ):
        boolean(op_name, name, value)
    if (trans_a and adjoint_a) or (trans_b and adjoint_b):
        raise ValueError(f"For '{op_name}', a matrix is either transposed or adjoint, not both.")
    return sparse.matrix_product(a, b, trans_a, trans_b, adjoint_a, adjoint_b)


def csr_reduce_sum(csr_tensor: CSRTensor, axis: int) -> AgarTensor:
    """The sum of a CSRTensor over its columns.

    Args:
        csr_tensor (CSRTensor): the tensor.
        axis (int): 1, or -1 for a matrix.

    Returns:
        Tensor of shape :math:`(M, 1)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `axis` is another one.

    Difference from PyTorch: ``torch.sparse.sum``.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 2, 2]), ms.Tensor([0, 1]), ms.Tensor([2.0, 3.0]), (2, 2))
        >>> print(ms.ops.csr_reduce_sum(x, 1))
        [[5.]
         [0.]]
    """
    return expect("csr_reduce_sum", "csr_tensor", csr_tensor, CSRTensor).sum(axis)


def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """The softmax over the values of each row of a CSRTensor.

    Args:
        logits (CSRTensor): a matrix.
        dtype (Type): the type in which to compute, and of the result.

    Returns:
        CSRTensor with the same places.

    Raises:
        TypeError: `logits` is not a CSRTensor, or `dtype` no floating type.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``torch.sparse.softmax``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 2, 2]), ms.Tensor([0, 1]), ms.Tensor([2.0, 2.0]), (2, 2))
        >>> print(ms.ops.csr_softmax(x, ms.float32).values)
        [0.5 0.5]
    """
    expect("csr_softmax", "logits", logits, CSRTensor)
    if logits.ndim != 2:
        raise ValueError(f"For 'csr_softmax', 'logits' must be 2-D, but got shape {logits.shape}.")
    kind = mstype.to_torch_dtype(dtype, op_name="csr_softmax")
    if not kind.is_floating_point:
        raise TypeError(f"For 'csr_softmax', 'dtype' must be a floating type, but got {dtype}.")
    rows = logits._places[0].long()
    values = logits.values._value.to(kind)
    lowest = values.new_full((logits.shape[0],), -torch.inf)
    largest = lowest.scatter_reduce(0, rows, values.detach(), "amax")
    weights = (values - largest[rows]).exp()
    sums = weights.new_zeros(logits.shape[0]).index_add(0, rows, weights)
    return logits._with(wrap(weights / sums[rows]))


def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """A CSRTensor in coordinate format.

    Args:
        tensor (CSRTensor): a matrix.

    Returns:
        COOTensor.

    Raises:
        TypeError: `tensor` is not a CSRTensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_sparse_coo``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_to_coo(x).indices)
        [[0 1]]
    """
    return expect("csr_to_coo", "tensor", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor: CSRTensor) -> AgarTensor:
    """A CSRTensor as a dense matrix.

    Args:
        csr_tensor (CSRTensor): a matrix.

    Returns:
        Tensor.

    Raises:
        TypeError: `csr_tensor` is not a CSRTensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_dense``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([1.0]), (2, 2))
        >>> print(ms.ops.csr_to_dense(x))
        [[0. 1.]
         [0. 0.]]
    """
    if expect("csr_to_dense", "csr_tensor", csr_tensor, CSRTensor).ndim != 2:
        raise ValueError(
            f"For 'csr_to_dense', 'csr_tensor' must be 2-D, but got shape {csr_tensor.shape}."
        )
    return csr_tensor.to_dense()


def dense_to_sparse_coo(tensor: AgarTensor) -> COOTensor:
    """The elements of a matrix that are not zero, as a COOTensor.

    Args:
        tensor (Tensor): a matrix.

    Returns:
        COOTensor with indices of int32.

    Raises:
        TypeError: `tensor` is not a Tensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_sparse_coo`` takes any number of axes.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.dense_to_sparse_coo(ms.Tensor([[0.0, 2.0]])).indices)
        [[0 1]]
    """
    return sparse.dense_to_coo(tensor)


def dense_to_sparse_csr(tensor: AgarTensor) -> CSRTensor:
    """The elements of a matrix that are not zero, as a CSRTensor.

    Args:
        tensor (Tensor): a matrix.

    Returns:
        CSRTensor with indices of int32.

    Raises:
        TypeError: `tensor` is not a Tensor.
        ValueError: it is not 2-D.

    Difference from PyTorch: ``Tensor.to_sparse_csr``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.dense_to_sparse_csr(ms.Tensor([[0.0, 2.0]])).indptr)
        [0 1]
    """
    return sparse.dense_to_csr(tensor)
