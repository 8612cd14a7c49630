"""Linear algebra: factorizations of a matrix, and equations."""

from __future__ import annotations

from typing import Any

import numpy as np

# These are implementations on the engine's tensors, as the operators' are.
import torch
from torch import Tensor  # what annotations of a binding mean

from agar._core.dtype import FROM_TORCH
from agar.ops import Cholesky as Cholesky
from agar.ops._checks import boolean
from agar.ops._checks import integer as _integer
from agar.scipy._declare import binding

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "det",
    "eigh",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "solve_triangular",
]

_REAL = (torch.int32, torch.int64, torch.float32, torch.float64)
_WHOLE = (torch.int32, torch.int64)
_TRANSPOSED = {0: False, 1: True, 2: True, "N": False, "T": True, "C": True}


def _check_flags(op_name: str, **flags: Any) -> None:
    for name, value in flags.items():
        boolean(op_name, name, value)


def _check_type(op_name: str, name: str, value: Tensor, allowed: tuple[torch.dtype, ...]) -> None:
    if value.dtype not in allowed:
        names = ", ".join(str(FROM_TORCH[kind]) for kind in allowed)
        raise TypeError(
            f"For '{op_name}', the data type of '{name}' should be one of {names}, but got "
            f"{FROM_TORCH[value.dtype]}."
        )


def _check_square(op_name: str, name: str, value: Tensor) -> None:
    if value.ndim != 2:
        raise ValueError(
            f"For '{op_name}', the dimension of '{name}' should be 2, but got {value.ndim}."
        )
    if value.shape[0] != value.shape[1]:
        raise ValueError(
            f"For '{op_name}', the matrix '{name}' should be a square matrix like (N, N), but got "
            f"{tuple(value.shape)}."
        )


def _matrix(op_name: str, value: Tensor, allowed: tuple[torch.dtype, ...] = _REAL) -> Tensor:
    """A square matrix; one of integers as float64."""
    _check_square(op_name, "a", value)
    _check_type(op_name, "a", value, allowed)
    return value.double() if value.dtype in _WHOLE else value


def _check_system(op_name: str, names: tuple[str, str], matrix: Tensor, right: Tensor) -> None:
    """That a square matrix and a right-hand side fit."""
    first, second = names
    _check_type(op_name, first, matrix, _REAL)
    _check_type(op_name, second, right, _REAL)
    _check_square(op_name, first, matrix)
    if right.ndim not in (1, 2):
        raise ValueError(
            f"For '{op_name}', the dimension of '{second}' should be one of (1, 2), but got "
            f"{right.ndim}."
        )
    if matrix.shape[1] != right.shape[0]:
        raise ValueError(
            f"For '{op_name}', the last two dimensions of '{first}' and '{second}' should be "
            f"matched, but got shape of {tuple(matrix.shape)} and {tuple(right.shape)}. Please "
            f"make sure that the shape of '{first}' and '{second}' be like (N, N) X (N, M) or (N, "
            "N) X (N)."
        )
    if matrix.dtype is not right.dtype:
        raise TypeError(
            f"For '{op_name}', the data type of '{first}' and '{second}' should be the same, but "
            f"got {FROM_TORCH[matrix.dtype]} and {FROM_TORCH[right.dtype]}."
        )


def _columns(right: Tensor) -> Tensor:
    return right if right.ndim == 2 else right.unsqueeze(-1)


@binding("linalg")
def block_diag(*arrs: Tensor) -> Tensor:
    """A matrix with matrices along its diagonal, zeros elsewhere.

    Args:
        arrs (Tensor): matrices; vectors count as rows, 0-d tensors as matrices of one element.

    Returns:
        Tensor with two axes, of the common type; of shape (1, 0) without arguments.

    Raises:
        TypeError: an argument is not a Tensor.
        ValueError: one has more than two axes.

    Difference from PyTorch: ``torch.block_diag``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.linalg.block_diag(ms.Tensor([[1, 2]]), ms.Tensor([[3]])))
        [[1 2 0]
         [0 0 3]]
    """
    if not arrs:
        return torch.zeros(1, 0)
    for value in arrs:
        if value.ndim > 2:
            raise ValueError(
                "Arguments to agar.scipy.linalg.block_diag must have at most 2 dimensions, but got "
                f"shape {tuple(value.shape)}."
            )
    kind = arrs[0].dtype
    for value in arrs[1:]:
        kind = torch.promote_types(kind, value.dtype)
    return torch.block_diag(*(value.to(kind) for value in arrs))


@binding("linalg")
def solve_triangular(
    a: Tensor,
    b: Tensor,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: Any = False,
    debug: Any = None,
    check_finite: Any = True,
) -> Tensor:
    """The solution of triangular equations.

    Args:
        a (Tensor): shape :math:`(*, M, M)`; one triangle of it counts.
        b (Tensor): shape :math:`(*, M)` or :math:`(*, M, N)`, of the same type.
        trans (Union[int, str]): 0 or ``"N"`` for a x = b, 1 or ``"T"`` for the transposed matrix, 2
            or ``"C"`` for its complex conjugate. Default: ``0``.
        lower (bool): whether the lower triangle counts, else the upper. Default: ``False``.
        unit_diagonal (bool): whether the diagonal counts as ones. Default: ``False``.
        overwrite_b (bool): accepted. Default: ``False``.
        debug (Any): accepted. Default: ``None``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        Tensor of the shape of `b`; float32 for int32, float64 for int64.

    Raises:
        TypeError: the types of `a` and `b` differ.
        ValueError: `trans` is none of those, or the shapes do not fit.

    Difference from PyTorch: ``torch.linalg.solve_triangular(a, b, upper=...)`` takes no vectors and
    no `trans`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> a = ms.Tensor([[2.0, 0.0], [1.0, 4.0]])
        >>> print(ms.scipy.linalg.solve_triangular(a, ms.Tensor([2.0, 5.0]), lower=True))
        [1. 1.]
    """
    op_name = "solve_triangular"
    if isinstance(trans, bool) or trans not in _TRANSPOSED:
        raise ValueError(
            f"For '{op_name}', 'trans' must be in [0, 1, 2, 'N', 'T', 'C'], but got {trans!r}."
        )
    _check_flags(op_name, lower=lower, unit_diagonal=unit_diagonal)
    if a.dtype is not b.dtype:
        raise TypeError(
            f"For '{op_name}', the types of a and b must be the same, but got "
            f"{FROM_TORCH[a.dtype]} and {FROM_TORCH[b.dtype]}."
        )
    if a.ndim < 2:
        raise ValueError(
            f"For '{op_name}', the dimension of 'a' must be at least 2, but got {a.ndim}."
        )
    if a.shape[-1] != a.shape[-2]:
        raise ValueError(
            f"For '{op_name}', the last two dimensions of 'a' should be the same, but got shape "
            f"{tuple(a.shape)}."
        )
    vector = b.ndim == a.ndim - 1
    right = b.unsqueeze(-1) if vector else b
    if right.ndim != a.ndim or right.shape[:-1] != a.shape[:-1]:
        raise ValueError(
            f"For '{op_name}', the shapes of 'a' and 'b' should match like (..., N, N) and (..., "
            f"N, M) or (..., N), but got {tuple(a.shape)} and {tuple(b.shape)}."
        )
    kind = {torch.int32: torch.float32, torch.int64: torch.float64}.get(a.dtype, a.dtype)
    # torch has no such kernel for half precision
    narrow = kind in (torch.float16, torch.bfloat16)
    work = torch.float32 if narrow else kind
    matrix = a.to(work)
    upper = not lower
    if _TRANSPOSED[trans]:
        matrix = matrix.mH if trans in (2, "C") else matrix.mT
        upper = lower
    out = torch.linalg.solve_triangular(
        matrix, right.to(work), upper=upper, unitriangular=unit_diagonal
    )
    return (out.squeeze(-1) if vector else out).to(kind)


@binding("linalg")
def inv(a: Tensor, overwrite_a: Any = False, check_finite: Any = True) -> Tensor:
    """The inverse of a matrix.

    Args:
        a (Tensor): shape (M, M): float32 or float64, int32 or int64.
        overwrite_a (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        Tensor of the same shape; float64 for integers.

    Raises:
        LinAlgError: `a` is singular.
        TypeError: `a` is of another type, or a flag is not a bool.
        ValueError: `a` is not square.

    Difference from PyTorch: ``torch.linalg.inv`` takes batches.

    Source: behavior observed in MindSpore 2.10, which on CPU returns numbers without meaning for
    a singular matrix.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.linalg.inv(ms.Tensor([[2.0, 0.0], [0.0, 4.0]])))
        [[0.5  0.  ]
         [0.   0.25]]
    """
    _check_flags("inv", overwrite_a=overwrite_a, check_finite=check_finite)
    matrix = _matrix("inv", a)
    try:
        return torch.linalg.inv(matrix)
    except torch.linalg.LinAlgError as error:
        raise np.linalg.LinAlgError(f"For 'inv', the matrix 'a' is singular: {error}") from error


@binding("linalg")
def cholesky(
    a: Tensor, lower: bool = False, overwrite_a: Any = False, check_finite: Any = True
) -> Tensor:
    """The factor of Cholesky: a = L L^T, or a = U^T U.

    Args:
        a (Tensor): shape (M, M), symmetric and positive definite: float32 or float64, int32 or
            int64. The lower triangle counts.
        lower (bool): whether L is returned, else U. Default: ``False``.
        overwrite_a (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        Tensor of the same shape; float64 for integers.

    Raises:
        RuntimeError: `a` is not positive definite.
        TypeError: `a` is of another type, or a flag is not a bool.
        ValueError: `a` is not square.

    Difference from PyTorch: ``torch.linalg.cholesky`` returns L by default and takes batches.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.linalg.cholesky(ms.Tensor([[4.0, 2.0], [2.0, 5.0]]), lower=True))
        [[2. 0.]
         [1. 2.]]
    """
    return _cholesky("cholesky", a, lower, overwrite_a, check_finite)


def _cholesky(op_name: str, a: Tensor, lower: bool, overwrite_a: Any, check_finite: Any) -> Tensor:
    _check_flags(op_name, lower=lower, overwrite_a=overwrite_a, check_finite=check_finite)
    factor = torch.linalg.cholesky(_matrix(op_name, a))
    return factor if lower else factor.mT


@binding("linalg", "cho_factor")
def _factor(a: Tensor, lower: bool, overwrite_a: Any, check_finite: Any) -> Tensor:
    """`cholesky`, whose errors name cho_factor."""
    return _cholesky("cho_factor", a, lower, overwrite_a, check_finite)


def cho_factor(
    a: Any, lower: bool = False, overwrite_a: Any = False, check_finite: Any = True
) -> tuple[Any, bool]:
    """The factor of Cholesky, for :func:`cho_solve`.

    Args:
        a (Tensor): shape (M, M), symmetric and positive definite, see :func:`cholesky`.
        lower (bool): whether L is returned, else U. Default: ``False``.
        overwrite_a (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        The factor, with zeros in the other triangle, and `lower`.

    Raises:
        RuntimeError: `a` is not positive definite.
        TypeError: `a` is of another type, or a flag is not a bool.
        ValueError: `a` is not square.

    Difference from PyTorch: ``torch.linalg.cholesky``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> factor, lower = ms.scipy.linalg.cho_factor(ms.Tensor([[4.0, 2.0], [2.0, 5.0]]))
        >>> print(factor, lower)
        [[2. 1.]
         [0. 2.]] False
    """
    return _factor(a, lower, overwrite_a, check_finite), lower


@binding("linalg", "cho_solve")
def _cho_solve(c: Tensor, b: Tensor, lower: bool) -> Tensor:
    _check_system("cho_solve", ("c", "b"), c, b)
    if c.dtype in _WHOLE:
        c, b = c.double(), b.double()
    # the other triangle may hold anything
    factor = c.tril() if lower else c.triu()
    return torch.cholesky_solve(_columns(b), factor, upper=not lower).reshape(b.shape)


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True) -> Any:
    """The solution of A x = b, from the factor of Cholesky of A.

    Args:
        c_and_lower (tuple[Tensor, bool]): what :func:`cho_factor` returns.
        b (Tensor): shape (M,) or (M, N), of the type of the factor.
        overwrite_b (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        Tensor of the shape of `b`; float64 for integers.

    Raises:
        TypeError: the types differ or are not supported, or a flag is not a bool.
        ValueError: the shapes do not fit.

    Difference from PyTorch: ``torch.cholesky_solve(b, factor, upper=...)`` takes no vectors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> factor = ms.scipy.linalg.cho_factor(ms.Tensor([[4.0, 2.0], [2.0, 5.0]]))
        >>> print(ms.scipy.linalg.cho_solve(factor, ms.Tensor([6.0, 7.0])))
        [1. 1.]
    """
    c, lower = c_and_lower
    _check_flags("cho_solve", overwrite_b=overwrite_b, check_finite=check_finite, lower=lower)
    return _cho_solve(c, b, lower)


@binding("linalg")
def eigh(
    a: Tensor,
    b: Any = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    turbo: Any = True,
    eigvals: Any = None,
    type: Any = 1,
    check_finite: Any = True,
) -> Any:
    """Eigenvalues and eigenvectors of a symmetric or Hermitian matrix.

    Args:
        a (Tensor): shape (M, M): float32, float64, complex64 or complex128, int32 or int64.
        b (None): must be None. Default: ``None``.
        lower (bool): whether the lower triangle counts, else the upper. Default: ``True``.
        eigvals_only (bool): whether eigenvectors are left out. Default: ``False``.
        overwrite_a (bool): accepted. Default: ``False``.
        overwrite_b (bool): accepted. Default: ``False``.
        turbo (bool): accepted. Default: ``True``.
        eigvals (None): must be None. Default: ``None``.
        type (int): accepted; it is for `b`. Default: ``1``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        The eigenvalues in ascending order, shape (M,), real; and the eigenvectors as columns, shape
        (M, M), whose signs are not determined.

    Raises:
        TypeError: `a` is of another type, a flag is not a bool, or `type` is not an int.
        ValueError: `a` is not square, or `b` or `eigvals` is given.

    Difference from PyTorch: ``torch.linalg.eigh(a, UPLO=...)`` takes batches.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.linalg.eigh(ms.Tensor([[1.0, 2.0], [2.0, 1.0]]), eigvals_only=True))
        [-1.  3.]
    """
    _check_flags(
        "eigh",
        lower=lower,
        eigvals_only=eigvals_only,
        overwrite_a=overwrite_a,
        overwrite_b=overwrite_b,
        turbo=turbo,
        check_finite=check_finite,
    )
    _integer("eigh", "type", type)
    matrix = _matrix("eigh", a, (*_REAL, torch.complex64, torch.complex128))
    for name, value in (("b", b), ("eigvals", eigvals)):
        if value is not None:
            raise ValueError(
                f"For 'eigh', currently only case {name}=None of 'eigh' is implemented; reduce the "
                "generalized problem with cholesky, or take the rows of the result that you need."
            )
    side = "L" if lower else "U"
    if eigvals_only:
        return torch.linalg.eigvalsh(matrix, UPLO=side)
    return tuple(torch.linalg.eigh(matrix, UPLO=side))


@binding("linalg")
def lu_factor(a: Tensor, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """The factors L and U of a matrix with exchanged rows, in one matrix, for :func:`lu_solve`.

    Args:
        a (Tensor): shape (M, M): float32 or float64, int32 or int64.
        overwrite_a (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        U in the upper triangle and L, whose diagonal is 1, below it; and the pivots, int32, shape
        (M,): row i was exchanged with that row, from 0.

    Raises:
        TypeError: `a` is of another type, or a flag is not a bool.
        ValueError: `a` is not square.

    Difference from PyTorch: ``torch.linalg.lu_factor`` counts pivots from 1.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> factor, pivots = ms.scipy.linalg.lu_factor(ms.Tensor([[2.0, 5.0], [4.0, 4.0]]))
        >>> print(factor, pivots)
        [[4.  4. ]
         [0.5 3. ]] [1 1]
    """
    _check_flags("lu_factor", overwrite_a=overwrite_a, check_finite=check_finite)
    factor, pivots = torch.linalg.lu_factor(_matrix("lu_factor", a))
    return factor, pivots - 1


@binding("linalg")
def lu(
    a: Tensor, permute_l: bool = False, overwrite_a: Any = False, check_finite: Any = True
) -> Any:
    """The factors of a matrix: a = P L U.

    Args:
        a (Tensor): shape (M, N): float32 or float64, int32 or int64.
        permute_l (bool): whether P L is returned in place of P and L. Default: ``False``.
        overwrite_a (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        With K the smaller of M and N: P, int32, shape (M, M), unless it is part of L; L, shape
        (M, K), whose diagonal is 1; and U, shape (K, N). float64 for integers.

    Raises:
        TypeError: `a` is of another type, or a flag is not a bool.
        ValueError: `a` has not two axes.

    Difference from PyTorch: ``torch.linalg.lu`` returns P in the type of `a` and takes batches.

    Source: behavior observed in MindSpore 2.10, which refuses M > N and, on CPU, `permute_l`.

    Examples:
        >>> import agar as ms
        >>> p, l, u = ms.scipy.linalg.lu(ms.Tensor([[2.0, 5.0], [4.0, 4.0]]))
        >>> print(p, l, u)
        [[0 1]
         [1 0]] [[1.  0. ]
         [0.5 1. ]] [[4. 4.]
         [0. 3.]]
    """
    _check_flags("lu", permute_l=permute_l, overwrite_a=overwrite_a, check_finite=check_finite)
    _check_type("lu", "a", a, _REAL)
    if a.ndim != 2:
        raise ValueError(f"For 'lu', the dimension of 'a' should be 2, but got {a.ndim}.")
    order, left, right = torch.linalg.lu(a.double() if a.dtype in _WHOLE else a)
    if permute_l:
        return order @ left, right
    return order.int(), left, right


@binding("linalg", "lu_solve")
def _lu_solve(lu_matrix: Tensor, pivot: Tensor, b: Tensor, trans: Any) -> Tensor:
    _check_type("lu_solve", "pivot", pivot, (torch.int32,))
    _check_system("lu_solve", ("lu_matrix", "b"), lu_matrix, b)
    if pivot.shape != lu_matrix.shape[:1]:
        raise ValueError(
            f"For 'lu_solve', 'pivot' should have the shape {tuple(lu_matrix.shape[:1])}, but got "
            f"{tuple(pivot.shape)}."
        )
    if trans not in (0, 1, 2):
        raise ValueError(
            f"For 'lu_solve', the value of 'trans' should be one of (0, 1, 2), but got {trans!r}."
        )
    if lu_matrix.dtype in _WHOLE:
        lu_matrix, b = lu_matrix.double(), b.double()
    result = torch.linalg.lu_solve(lu_matrix, pivot + 1, _columns(b), adjoint=trans != 0)
    return result.reshape(b.shape)


def lu_solve(
    lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: Any = False, check_finite: Any = True
) -> Any:
    """The solution of A x = b, from the factors of A.

    Args:
        lu_and_piv (tuple[Tensor, Tensor]): what :func:`lu_factor` returns.
        b (Tensor): shape (M,) or (M, N), of the type of the factors.
        trans (int): 0 for A, 1 or 2 for its transposed. Default: ``0``.
        overwrite_b (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        Tensor of the shape of `b`; float64 for integers.

    Raises:
        TypeError: the types differ or are not supported, or a flag is not a bool.
        ValueError: the shapes do not fit, or `trans` is none of those.

    Difference from PyTorch: ``torch.linalg.lu_solve`` takes no vectors.

    Source: documented in MindSpore 2.10, which on CPU refuses vectors and exchanges rows too early
    with `trans`.

    Examples:
        >>> import agar as ms
        >>> factors = ms.scipy.linalg.lu_factor(ms.Tensor([[2.0, 5.0], [4.0, 4.0]]))
        >>> print(ms.scipy.linalg.lu_solve(factors, ms.Tensor([7.0, 8.0])))
        [1. 1.]
    """
    _check_flags("lu_solve", overwrite_b=overwrite_b, check_finite=check_finite)
    factor, pivots = lu_and_piv
    return _lu_solve(factor, pivots, b, trans)


@binding("linalg")
def det(a: Tensor, overwrite_a: Any = False, check_finite: Any = True) -> Tensor:
    """The determinant of a matrix.

    Args:
        a (Tensor): shape (M, M): float32 or float64, int32 or int64.
        overwrite_a (bool): accepted. Default: ``False``.
        check_finite (bool): accepted. Default: ``True``.

    Returns:
        Tensor, 0-d; float64 for integers.

    Raises:
        TypeError: `a` is of another type, or a flag is not a bool.
        ValueError: `a` is not square.

    Difference from PyTorch: ``torch.linalg.det`` takes batches.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.scipy.linalg.det(ms.Tensor([[2.0, 0.0], [1.0, 4.0]])))
        8.0
    """
    _check_flags("det", overwrite_a=overwrite_a, check_finite=check_finite)
    matrix = _matrix("det", a)
    if matrix.shape[0] == 2:  # exact where elimination rounds
        return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]
    if matrix.shape[0] == 3:
        return (matrix[0] * torch.linalg.cross(matrix[1], matrix[2])).sum()
    return torch.linalg.det(matrix)


_DRIVERS = (None, "gels", "gelsy", "gelss", "gelsd")


@binding("linalg")
def lstsq(A: Tensor, B: Tensor, rcond: Any = None, driver: Any = None) -> Any:
    """The least-squares solution of A X = B.

    Args:
        A (Tensor): shape :math:`(*, M, N)`: float16, float32, float64, complex64 or complex128.
        B (Tensor): shape :math:`(*, M)` or :math:`(*, M, K)`, of the same type.
        rcond (Any): accepted. Default: ``None``.
        driver (str): the method, ``"gels"``, ``"gelsy"``, ``"gelss"`` or ``"gelsd"``; None is
            ``"gelsy"``. Default: ``None``.

    Returns:
        The solution, shape :math:`(*, N)` or :math:`(*, N, K)`; the squared errors of its columns,
        shape :math:`(*, K)`, empty with ``"gelsy"`` and where M <= N; the rank, int64, empty with
        ``"gels"``; the singular values, empty but with ``"gelss"`` and ``"gelsd"``.

    Raises:
        TypeError: the types differ.
        ValueError: the shapes do not fit, or `driver` is unknown.

    Difference from PyTorch: ``torch.linalg.lstsq`` takes no vectors, and `rcond` counts.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> a = ms.Tensor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
        >>> print(ms.scipy.linalg.lstsq(a, ms.Tensor([1.0, 4.0, 1.0]))[0])
        [1. 2.]
    """
    if driver not in _DRIVERS:
        raise ValueError(f"For 'lstsq', 'driver' must be one of {_DRIVERS}, but got {driver!r}.")
    if A.dtype is not B.dtype:
        raise TypeError(
            f"For 'lstsq', the types of A and B must be the same, but got {FROM_TORCH[A.dtype]} "
            f"and {FROM_TORCH[B.dtype]}."
        )
    if not (A.is_floating_point() or A.is_complex()):
        raise TypeError(
            "For 'lstsq', the type of A must be a floating or complex one, but got "
            f"{FROM_TORCH[A.dtype]}."
        )
    if A.ndim < 2:
        raise ValueError(f"For 'lstsq', the dimension of A must be at least 2, but got {A.ndim}.")
    vector = B.ndim == A.ndim - 1
    right = B.unsqueeze(-1) if vector else B
    if right.ndim != A.ndim or right.shape[-2] != A.shape[-2]:
        raise ValueError(
            f"For 'lstsq', the shapes of A and B should match like (..., M, N) and (..., M, K) or "
            f"(..., M), but got {tuple(A.shape)} and {tuple(B.shape)}."
        )
    narrow = A.dtype in (torch.float16, torch.bfloat16)
    matrix, right = (v.float() if narrow else v for v in (A, right))
    # other devices have one driver, for matrices of full rank
    chosen = (driver or "gelsy") if A.device.type == "cpu" else "gels"
    result = torch.linalg.lstsq(matrix, right, driver=chosen)
    solution = result.solution
    residuals, rank, singular = result.residuals, result.rank, result.singular_values
    empty = matrix.new_zeros(0)
    if driver in (None, "gelsy") or matrix.shape[-2] <= matrix.shape[-1]:
        residuals = empty
    elif residuals.numel() == 0:
        residuals = (matrix @ solution - right).abs().square().sum(-2)
    if driver == "gels":
        rank, singular = rank.new_zeros(0, dtype=torch.int64), empty
    elif chosen == "gels":
        rank = torch.linalg.matrix_rank(matrix)
    if driver in ("gelss", "gelsd"):
        if singular.numel() == 0:
            singular = torch.linalg.svdvals(matrix)
    else:
        singular = empty
    if vector:
        solution = solution.squeeze(-1)
    return (
        solution.to(A.dtype),
        residuals.to(A.real.dtype if A.is_complex() else A.dtype),
        rank.to(torch.int64),
        singular.to(A.real.dtype if A.is_complex() else A.dtype),
    )
