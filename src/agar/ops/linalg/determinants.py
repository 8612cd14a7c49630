"""Determinants and inverses."""

from __future__ import annotations

import torch
from torch import Tensor

from agar.ops._checks import boolean
from agar.ops.linalg.decompositions import POSITIVE, SQUARE, SQUARE_ERRORS, check_matrices, solved
from agar.ops.spec import op, primitive

__all__: list[str] = []


@op(
    "det",
    function=("det", "matrix_determinant"),
    method=("det", "matrix_determinant"),
    primitive="MatrixDeterminant",
    samples=SQUARE,
    errors=SQUARE_ERRORS,
    halves=True,
)
def det(input: Tensor) -> Tensor:
    r"""Determinant of square matrices.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns: Tensor of shape :math:`(..)`.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.

    >>> print(ms.ops.det(ms.Tensor([[2.0, 0.0], [0.0, 3.0]])))
    6.0
    """
    check_matrices("det", input, square=True)
    return torch.linalg.det(input)


@op(method=True, samples=SQUARE, errors=SQUARE_ERRORS, halves=True)
def slogdet(input: Tensor) -> tuple[Tensor, Tensor]:
    r"""Sign and logarithm of the absolute value of the determinant.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns: Tuple of two Tensors of shape :math:`(..)`.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.

    >>> sign, log = ms.ops.slogdet(ms.Tensor([[1.0, 0.0], [0.0, -1.0]]))
    >>> print(sign, log)
    -1.0 0.0
    """
    check_matrices("slogdet", input, square=True)
    return tuple(torch.linalg.slogdet(input))


@op(
    method=True,
    primitive="LogMatrixDeterminant",
    samples=SQUARE,
    errors=SQUARE_ERRORS,
    halves=True,
)
def log_matrix_determinant(input: Tensor) -> tuple[Tensor, Tensor]:
    r"""Sign and logarithm of the absolute value of the determinant; see :func:`ops.slogdet`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns: Tuple of two Tensors of shape :math:`(..)`.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.
    Difference from PyTorch: ``torch.slogdet``.

    >>> print(ms.ops.log_matrix_determinant(ms.Tensor([[1.0, 0.0], [0.0, 1.0]]))[0])
    1.0
    """
    check_matrices("log_matrix_determinant", input, square=True)
    return tuple(torch.linalg.slogdet(input))


@op(method=True, samples=(POSITIVE,), errors=SQUARE_ERRORS, halves=True)
def logdet(input: Tensor) -> Tensor:
    r"""Logarithm of the determinant, nan where that is negative.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns: Tensor of shape :math:`(..)`.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.

    >>> print(ms.ops.logdet(ms.Tensor([[1.0, 0.0], [0.0, 1.0]])))
    0.0
    """
    check_matrices("logdet", input, square=True)
    return torch.logdet(input)


@op(
    method=True,
    mint=("inverse", "linalg.inv"),
    samples=SQUARE,
    errors=(*SQUARE_ERRORS, ("torch.ones(2, 2)", RuntimeError, "singular")),
    halves=True,
)
def inverse(input: Tensor) -> Tensor:
    r"""Inverse of square matrices: :math:`out \cdot input = I`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns: Tensor of the same shape.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.
    Raises RuntimeError: a matrix is singular (MindSpore returns numbers without meaning).

    >>> print(ms.ops.inverse(ms.Tensor([[2.0, 0.0], [0.0, 4.0]])))
    [[0.5  0.  ]
     [0.   0.25]]
    """
    check_matrices("inverse", input, square=True)
    return solved("inverse", torch.linalg.inv, input)


@primitive(
    "MatrixInverse",
    samples=("f(3, 3)", "f(3, 3), adjoint=True"),
    errors=SQUARE_ERRORS,
    halves=True,
)
def _matrix_inverse(x: Tensor, *, adjoint: bool = False) -> Tensor:
    """Inverse of square matrices; see :func:`ops.inverse`.

    Attributes:
        adjoint (bool): whether to return the conjugate transpose of the inverse. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., N, N)`.

    Outputs: Tensor of the same shape.
    Raises TypeError: the type is not supported, or `adjoint` is not a bool.
    Raises ValueError: the matrices are not square.
    Raises RuntimeError: a matrix is singular.
    Difference from PyTorch: ``torch.linalg.inv``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.MatrixInverse()(ms.Tensor([[2.0, 0.0], [0.0, 4.0]])))
    [[0.5  0.  ]
     [0.   0.25]]
    """
    check_matrices("MatrixInverse", x, square=True)
    result = solved("MatrixInverse", torch.linalg.inv, x)
    return result.mH.resolve_conj() if boolean("MatrixInverse", "adjoint", adjoint) else result
