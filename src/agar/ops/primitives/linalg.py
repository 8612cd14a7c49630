"""Primitive classes of linear algebra."""

from __future__ import annotations

import torch
from torch import Tensor

from agar.ops.linalg import decompositions
from agar.ops.spec import primitive

__all__: list[str] = []


# ------------------------------------------------------------------------------- matrices


@primitive(
    "Lstsq",
    samples=("f(4, 2), f(4, 3)",),
    errors=(
        ("f(4, 2), f(3, 3)", ValueError, "rows"),
        ("f(4), f(4)", ValueError, "axes"),
        ("i(4, 2), i(4, 2)", TypeError, "float32"),
    ),
    differentiable=False,
    halves=True,
)
def _lstsq(
    matrix: Tensor, rhs: Tensor, *, fast: bool = True, l2_regularizer: float = 0.0
) -> Tensor:
    r"""Least squares: minimize :math:`\|matrix \cdot X - rhs\|_2`; see :func:`ops.lstsq`.

    Attributes:
        fast (bool): accepted, without effect. Default: True.
        l2_regularizer (float): accepted, without effect. Default: 0.0.

    Inputs:
        - **matrix** (Tensor) - shape :math:`(M, N)`, of full rank.
        - **rhs** (Tensor) - shape :math:`(M, K)` or :math:`(M,)`, of the same type.

    Outputs: Tensor of shape :math:`(N, K)`, K = 1 for a vector.
    Raises TypeError: the type is not supported.
    Raises ValueError: the numbers of rows differ, or `matrix` has not two axes.
    Difference from PyTorch: ``torch.linalg.lstsq``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.Lstsq()(ms.Tensor([[2.0], [2.0]]), ms.Tensor([[2.0], [4.0]])))
    [[1.5]]
    """
    return decompositions.lstsq(matrix, rhs)


@primitive(
    "LuSolve",
    samples=(
        "f(2, 1), torch.eye(2).double(), torch.tensor([1, 2])",
        "f(3, 2), f(3, 3) + 3 * torch.eye(3), torch.tensor([2, 3, 3])",
    ),
    errors=(
        ("f(3, 1), torch.eye(2).double(), torch.tensor([1, 2])", ValueError, "rows"),
        ("f(2, 1), f(2), torch.tensor([1, 2])", ValueError, "axes"),
    ),
    halves=True,
)
def _lu_solve(x: Tensor, lu_data: Tensor, lu_pivots: Tensor) -> Tensor:
    """Solution of linear equations from an LU decomposition; see :func:`ops.lu_solve`.

    >>> print(ms.ops.LuSolve()(ms.Tensor([[4.0]]), ms.Tensor([[2.0]]), ms.Tensor([1])))
    [[2.]]
    """
    return decompositions.lu_solve(x, lu_data, lu_pivots)


@primitive(
    "LuUnpack",
    samples=("f(3, 3), torch.tensor([2, 3, 3])",),
    errors=(
        ("f(3), torch.tensor([1, 2, 3])", ValueError, "axes"),
        ("f(3, 3), torch.tensor([1, 2, 5])", ValueError, "pivots"),
    ),
    differentiable=False,
    halves=True,
)
def _lu_unpack(
    lu_data: Tensor, lu_pivots: Tensor, *, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """The factors of an LU decomposition; see :func:`ops.lu_unpack`.

    >>> print(ms.ops.LuUnpack()(ms.Tensor([[4.0, 3.0], [0.5, 2.0]]), ms.Tensor([1, 2]))[1])
    [[1.  0. ]
     [0.5 1. ]]
    """
    return decompositions.lu_unpack(lu_data, lu_pivots, unpack_data, unpack_pivots)


@primitive(
    "Ormqr",
    samples=("f(3, 2), u(2), f(3, 4)", "f(3, 2), u(2), f(4, 3), left=False, transpose=True"),
    errors=(
        ("f(3), u(2), f(3, 4)", ValueError, "axes"),
        ("f(3, 2), u(3), f(3, 4)", ValueError, "sizes"),
    ),
    differentiable=False,
)
def _ormqr(
    x: Tensor, tau: Tensor, other: Tensor, *, left: bool = True, transpose: bool = False
) -> Tensor:
    """Product of a matrix with the Q of reflections; see :func:`ops.ormqr`.

    >>> x = ms.ops.ones((2, 2))
    >>> print(ms.ops.Ormqr()(x, ms.ops.zeros(2), x))
    [[1. 1.]
     [1. 1.]]
    """
    return decompositions.ormqr(x, tau, other, left, transpose)


@primitive(
    "TridiagonalMatMul",
    samples=("f(2, 3), f(2, 3), f(2, 3), f(2, 3, 4)",),
    errors=(("f(2), f(2), f(3), f(3, 1)", ValueError, "shape"),),
)
def _tridiagonal_mat_mul(
    superdiag: Tensor, maindiag: Tensor, subdiag: Tensor, rhs: Tensor
) -> Tensor:
    """Product of a matrix given by its three middle diagonals with another matrix.

    The last element of `superdiag` and the first one of `subdiag` are not used; all diagonals have
    shape :math:`(.., 1, M)` or :math:`(.., M)`.

    >>> one = ms.ops.ones((1, 2))
    >>> print(ms.ops.TridiagonalMatMul()(one, one * 3, one * 2, ms.ops.eye(2, 2)))
    [[3. 1.]
     [2. 3.]]
    """
    size = rhs.shape[-2]
    parts = [d.reshape(*rhs.shape[:-2], -1) for d in (superdiag, maindiag, subdiag)]
    if any(d.shape[-1] != size for d in parts):
        raise ValueError(
            "For 'TridiagonalMatMul', the diagonals must have the shape of the columns of 'rhs', "
            f"but got {[list(d.shape) for d in (superdiag, maindiag, subdiag)]} and "
            f"{list(rhs.shape)}."
        )
    above, middle, below = parts
    matrix = (
        torch.diag_embed(above[..., :-1], 1)
        + torch.diag_embed(middle)
        + torch.diag_embed(below[..., 1:], -1)
    )
    return matrix @ rhs
