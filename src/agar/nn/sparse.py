"""Layers over sparse tensors."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.sparse import COOTensor
from agar._core.tensor import Tensor
from agar.nn.cell import Cell

__all__ = ["SparseTensorDenseMatmul", "SparseToDense"]

# a package for imports: MindSpore's paths below it have no files
__path__: list[str] = []


class SparseToDense(Cell):
    """A COOTensor as a dense Tensor.

    Inputs:
        - **sparse_tensor** (COOTensor) - of several values at one position the last stays.

    Outputs: Tensor.

    Raises:
        TypeError: the input is not a sparse tensor.

    Difference from PyTorch: ``Tensor.to_dense`` sums values at the same position.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([2.0]), (2, 2))
        >>> print(ms.nn.SparseToDense()(x))
        [[0. 2.]
         [0. 0.]]
    """

    def __init__(self) -> None:
        super().__init__()
        self.sparse_to_dense = ops.SparseToDense()

    def construct(self, sparse_tensor: COOTensor) -> Tensor:
        """The dense tensor."""
        if not hasattr(sparse_tensor, "indices"):
            raise TypeError(
                "For 'SparseToDense', the input must be a COOTensor, but got "
                f"{type(sparse_tensor).__name__}."
            )
        return self.sparse_to_dense(
            sparse_tensor.indices, sparse_tensor.values, sparse_tensor.shape
        )


class SparseTensorDenseMatmul(Cell):
    """A sparse matrix, given by its parts, times a dense one.

    Args:
        adjoint_st (bool): whether the sparse matrix is transposed. Default: ``False``.
        adjoint_dt (bool): whether the dense matrix is transposed. Default: ``False``.

    Inputs:
        - **indices** (Tensor) - the indices, of shape :math:`(N, 2)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`.
        - **sparse_shape** (tuple[int]) - the two sizes of the sparse matrix.
        - **dense** (Tensor) - a matrix of the type of `values`.

    Outputs: Tensor, a matrix of the type of `values`.

    Raises:
        TypeError: an argument is not a bool, the indices are not integers, or the types of `values`
            and `dense` differ.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.sparse.mm`` takes a sparse tensor.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> places, values = ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0])
        >>> print(ms.nn.SparseTensorDenseMatmul()(places, values, (2, 3), ms.ops.ones((3, 1))))
        [[1.]
         [2.]]
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None:
        super().__init__()
        self.adj_st = adjoint_st
        self.adj_dt = adjoint_dt
        self.sparse_dense_matmul = ops.SparseTensorDenseMatmul(adjoint_st, adjoint_dt)

    def construct(
        self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor
    ) -> Tensor:
        """The product."""
        return self.sparse_dense_matmul(indices, values, sparse_shape, dense)
