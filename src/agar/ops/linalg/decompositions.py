"""Determinants, inverses, solutions and decompositions of matrices.

NOTE Matrices. The last two axes are the matrices; any axes before them are a batch. The functions
take float32, float64 and complex types; float16 and bfloat16 are computed in float32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.autodiff import functorch_level
from agar._core.dtype import FROM_TORCH
from agar.ops._checks import boolean, choice, integer
from agar.ops.linalg.norms import norm
from agar.ops.linalg.svd_signs import singular_vectors, worth_it
from agar.ops.spec import Flag, op, primitive

__all__ = ["POSITIVE", "SQUARE", "SQUARE_ERRORS", "check_matrices", "solved"]

_WIDE = (torch.float32, torch.float64, torch.complex64, torch.complex128)


def check_matrices(op_name: str, x: Tensor, square: bool = False) -> None:
    """Check a batch of matrices (NOTE Matrices).

    Raises:
        TypeError: the type is another one.
        ValueError: there are fewer than two axes, or the matrices are not square.
    """
    if x.dtype not in _WIDE:
        raise TypeError(
            f"For '{op_name}', the input must be float32, float64, complex64 or complex128, but "
            f"got {FROM_TORCH[x.dtype]}; convert with .astype(ms.float32)."
        )
    if x.ndim < 2:
        raise ValueError(
            f"For '{op_name}', the input must have at least two axes, but got shape "
            f"{list(x.shape)}."
        )
    if square and x.shape[-1] != x.shape[-2]:
        raise ValueError(
            f"For '{op_name}', the matrices must be square, but got shape {list(x.shape)}."
        )


def solved(op_name: str, compute: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of a torch function that fails for singular matrices, which gets a name here."""
    try:
        return compute(*args, **kwargs)
    except torch.linalg.LinAlgError as error:
        text = str(error)
        why = "is not finite"
        if "singular" in text:
            why = "is singular"
        elif "positive-definite" in text:
            why = "is not positive definite"
        raise RuntimeError(
            f"For '{op_name}', the matrix {why} and cannot be decomposed."
        ) from error


SQUARE_ERRORS = (
    ("f(2, 3)", ValueError, "square"),
    ("f(3)", ValueError, "two axes"),
    ("i(2, 2)", TypeError, "float32"),
)
SQUARE = ("f(3, 3)", "f(2, 3, 3)")
POSITIVE = "f(3, 3) @ torch.eye(3).double() * 0.1 + 3 * torch.eye(3).double()"


_LARGEST = 2**63 - 1


@op(
    primitive="MatrixPower(n)(x: input)",
    method=True,
    samples=("f(3, 3), 2", "f(3, 3), 0", "f(3, 3), -1"),
    errors=(("f(2, 3), 2", ValueError, "square"), ("f(2, 2), 1.5", TypeError, "n")),
    halves=True,
)
def matrix_power(input: Tensor, n: int) -> Tensor:
    r"""Power of square matrices: :math:`input^n`, of the inverse if n is negative.

    Args:
        input (Tensor): shape :math:`(.., N, N)`; integers for n of 0 and above.
        n (int): the exponent.

    Returns: Tensor of the same shape.
    Raises TypeError: the type is not supported or `n` is not an int.
    Raises ValueError: the matrices are not square, or `n` is below :math:`-2^{63} + 1`.
    Raises RuntimeError: n is negative and a matrix singular.

    >>> print(ms.ops.matrix_power(ms.Tensor([[2.0, 0.0], [0.0, 4.0]]), 2))
    [[ 4.  0.]
     [ 0. 16.]]
    """
    power = integer("matrix_power", "n", n)
    if power < -_LARGEST:  # torch negates it without end
        raise ValueError(f"For 'matrix_power', 'n' must be at least {-_LARGEST}, but got {n}.")
    whole = not (input.is_floating_point() or input.is_complex() or input.dtype is torch.bool)
    check_matrices("matrix_power", input.double() if whole else input, square=True)
    if whole:
        return _integer_power(input, power)
    return solved("matrix_power", torch.linalg.matrix_power, input, power)


def _integer_power(matrix: Tensor, power: int) -> Tensor:
    """A power by squaring, exact modulo the type, which torch has for floating types only."""
    if power < 0:
        raise RuntimeError(
            f"For 'matrix_power', the inverse of a matrix of {FROM_TORCH[matrix.dtype]} is none; "
            "convert with .astype(ms.float32)."
        )
    result = torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    result = result.expand_as(matrix)
    while power:
        if power & 1:
            result = result @ matrix
        matrix, power = matrix @ matrix, power >> 1
    return result.clone()


@op(primitive="MatrixExp", samples=SQUARE, errors=SQUARE_ERRORS, halves=True)
def matrix_exp(input: Tensor) -> Tensor:
    r"""Exponential of square matrices: :math:`\sum_k input^k / k!`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns: Tensor of the same shape.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.ops.matrix_exp(ms.Tensor([[0.0, 0.0], [0.0, 0.0]])))
    [[1. 0.]
     [0. 1.]]
    """
    check_matrices("matrix_exp", input, square=True)
    return torch.linalg.matrix_exp(input)


def _right_side(op_name: str, matrix: Tensor, rhs: Tensor) -> None:
    check_matrices(op_name, matrix, square=True)
    if rhs.dtype is not matrix.dtype:
        raise TypeError(
            f"For '{op_name}', both inputs must have the same type, but got "
            f"{FROM_TORCH[matrix.dtype]} and {FROM_TORCH[rhs.dtype]}."
        )
    if rhs.ndim < 2 or rhs.shape[-2] != matrix.shape[-1]:
        raise ValueError(
            f"For '{op_name}', the right side must have {matrix.shape[-1]} rows, but got shape "
            f"{list(rhs.shape)}."
        )


_SOLVE_ERRORS = (
    ("f(3, 3), f(2, 1)", ValueError, "rows"),
    ("f(2, 3), f(2, 1)", ValueError, "square"),
)


@op(
    primitive="MatrixSolve(adjoint)",
    samples=("f(3, 3), f(3, 2)", "f(3, 3), f(3, 2), True"),
    errors=(*_SOLVE_ERRORS, ("torch.ones(2, 2), torch.ones(2, 1)", RuntimeError, "singular")),
    halves=True,
)
def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    r"""Solution of linear equations: :math:`matrix \cdot out = rhs`.

    Args:
        matrix (Tensor): shape :math:`(.., N, N)`.
        rhs (Tensor): shape :math:`(.., N, K)`, of the same type.
        adjoint (bool): whether the conjugate transpose of `matrix` is meant. Default: False.

    Returns: Tensor of shape :math:`(.., N, K)`.
    Raises TypeError: the types differ or are not supported.
    Raises ValueError: the shapes do not fit.
    Raises RuntimeError: a matrix is singular.
    Difference from PyTorch: ``torch.linalg.solve``.

    >>> print(ms.ops.matrix_solve(ms.Tensor([[2.0, 0.0], [0.0, 4.0]]), ms.Tensor([[2.0], [2.0]])))
    [[1. ]
     [0.5]]
    """
    _right_side("matrix_solve", matrix, rhs)
    turned = matrix.mH if boolean("matrix_solve", "adjoint", adjoint) else matrix
    return solved("matrix_solve", torch.linalg.solve, turned, rhs)


@primitive(
    "MatrixTriangularSolve",
    samples=(f"{POSITIVE}, f(3, 2)", f"{POSITIVE}, f(3, 2), lower=False, adjoint=True"),
    errors=_SOLVE_ERRORS,
    halves=True,
)
def _matrix_triangular_solve(
    matrix: Tensor, rhs: Tensor, *, lower: bool = True, adjoint: bool = False
) -> Tensor:
    r"""Solution of triangular equations: :math:`matrix \cdot out = rhs`.

    Args:
        lower (bool): whether the lower triangle is meant, else the upper. Default: True.
        adjoint (bool): whether the conjugate transpose of `matrix` is meant. Default: False.
        matrix (Tensor): shape :math:`(.., N, N)`; the other triangle does not count.
        rhs (Tensor): shape :math:`(.., N, K)`, of the same type.

    Returns: Tensor of shape :math:`(.., N, K)`.
    Raises TypeError: the types differ or are not supported.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``torch.linalg.solve_triangular``.

    >>> solve = ms.ops.MatrixTriangularSolve()
    >>> print(solve(ms.Tensor([[2.0, 0.0], [1.0, 4.0]]), ms.Tensor([[2.0], [5.0]])))
    [[1.]
     [1.]]
    """
    _right_side("MatrixTriangularSolve", matrix, rhs)
    if boolean("MatrixTriangularSolve", "adjoint", adjoint):
        return torch.linalg.solve_triangular(matrix.mH, rhs, upper=lower)
    return torch.linalg.solve_triangular(matrix, rhs, upper=not lower)


@op(
    "triangular_solve",
    function=False,
    mint="triangular_solve",
    samples=(f"f(3, 2), {POSITIVE}", f"f(3, 2), {POSITIVE}, False, True, True"),
    errors=(("f(2, 1), f(3, 3)", ValueError, "rows"),),
    method="triangular_solve",
    halves=True,
)
def _triangular_solve(
    b: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> tuple[Tensor, Tensor]:
    r"""Solution of triangular equations, and the matrix: :math:`A \cdot out = b`.

    Args:
        b (Tensor): shape :math:`(.., N, K)`.
        A (Tensor): shape :math:`(.., N, N)`, of the same type; the other triangle does not count.
        upper (bool): whether the upper triangle is meant, else the lower. Default: True.
        transpose (bool): whether the transpose of `A` is meant. Default: False.
        unitriangular (bool): whether the diagonal is taken as ones. Default: False.

    Returns: Tuple of the solution and `A`.
    Raises TypeError: the types differ or are not supported.
    Raises ValueError: the shapes do not fit.
    Source: MindSpore 2.10's interface.

    >>> print(ms.Tensor([[2.0]]).triangular_solve(ms.Tensor([[4.0]]))[0])
    [[0.5]]
    """
    _right_side("triangular_solve", A, b)
    turned, up = (A.mT, not upper) if transpose else (A, upper)
    result = torch.linalg.solve_triangular(turned, b, upper=up, unitriangular=unitriangular)
    return result, A


# ---------------------------------------------------------------------------------- Cholesky

_CHOLESKY_ERRORS = (
    ("f(2, 3)", ValueError, "square"),
    ("-torch.eye(2)", RuntimeError, "positive"),
)


def _cholesky(op_name: str, input_x: Tensor, upper: Any) -> Tensor:
    check_matrices(op_name, input_x, square=True)
    up = boolean(op_name, "upper", upper)
    return solved(op_name, torch.linalg.cholesky, input_x, upper=up)


@op(
    primitive="Cholesky(upper)",
    method=True,
    differentiable=False,  # as a function of one triangle; the gradient is made symmetric
    samples=(f"(lambda x: x @ x.mT)({POSITIVE})", f"(lambda x: x @ x.mT)({POSITIVE}), True"),
    errors=_CHOLESKY_ERRORS,
    halves=True,
)
def cholesky(input_x: Tensor, upper: bool = False, *, _op_name: str = "cholesky") -> Tensor:
    r"""Cholesky decomposition of positive definite matrices: :math:`input = L L^H`.

    Args:
        input_x (Tensor): shape :math:`(.., N, N)`, symmetric and positive definite.
        upper (bool): whether :math:`L^H` is given, else :math:`L`. Default: False.

    Returns: Tensor of the same shape, triangular.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.
    Raises RuntimeError: a matrix is not positive definite.

    >>> print(ms.ops.cholesky(ms.Tensor([[4.0, 0.0], [0.0, 9.0]])))
    [[2. 0.]
     [0. 3.]]
    """
    return _cholesky(_op_name, input_x, upper)


@op(
    primitive="CholeskyInverse(upper)",
    method=True,
    samples=(POSITIVE, f"{POSITIVE}, True"),
    errors=SQUARE_ERRORS[:1],
    halves=True,
)
def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    r"""Inverse of a matrix from its Cholesky factor: :math:`(L L^H)^{-1}`.

    Args:
        input_x (Tensor): the factor, shape :math:`(N, N)`.
        upper (bool): whether it is the upper one. Default: False.

    Returns: Tensor of the same shape.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrix is not square.

    >>> print(ms.ops.cholesky_inverse(ms.Tensor([[2.0, 0.0], [0.0, 1.0]])))
    [[ 0.25 -0.  ]
     [-0.    1.  ]]
    """
    check_matrices("cholesky_inverse", input_x, square=True)
    up = boolean("cholesky_inverse", "upper", upper)
    # the triangle that does not count must have no gradient either
    return torch.cholesky_inverse(input_x.triu() if up else input_x.tril(), up)


@op(
    primitive="CholeskySolve(upper)(x1: input, x2: input2)",
    method=True,
    samples=(f"f(3, 2), {POSITIVE}", f"f(3, 2), {POSITIVE}, True"),
    errors=(("f(2, 1), f(3, 3)", ValueError, "rows"),),
    halves=True,
)
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    r"""Solution of linear equations from a Cholesky factor: :math:`L L^H \cdot out = input`.

    Args:
        input (Tensor): the right side, shape :math:`(.., N, K)`.
        input2 (Tensor): the factor, shape :math:`(.., N, N)`, of the same type.
        upper (bool): whether it is the upper one. Default: False.

    Returns: Tensor of shape :math:`(.., N, K)`.
    Raises TypeError: the types differ or are not supported.
    Raises ValueError: the shapes do not fit.

    >>> print(ms.ops.cholesky_solve(ms.Tensor([[4.0]]), ms.Tensor([[2.0]])))
    [[1.]]
    """
    _right_side("cholesky_solve", input2, input)
    up = boolean("cholesky_solve", "upper", upper)
    return torch.cholesky_solve(input, input2.triu() if up else input2.tril(), up)


# ------------------------------------------------------------------- other decompositions


def _qr(op_name: str, input: Tensor, mode: str) -> tuple[Tensor, Tensor]:
    check_matrices(op_name, input)
    return tuple(torch.linalg.qr(input, mode))


@op(
    samples=("f(3, 2)", "f(2, 3)", "f(3, 2), 'complete'"),
    differentiable=False,
    errors=(("f(3, 2), 'r'", ValueError, "mode"), ("f(3)", ValueError, "two axes")),
    halves=True,
)
def qr(input: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    r"""QR decomposition: :math:`input = Q R` with orthonormal columns in Q and triangular R.

    Args:
        input (Tensor): shape :math:`(.., M, N)`.
        mode (str): ``"reduced"`` or ``"complete"``, which makes Q square. Default: ``"reduced"``.

    Returns: Tuple of Q and R.
    Raises TypeError: the type is not supported.
    Raises ValueError: `mode` is unknown.
    Difference from PyTorch: there is no mode ``"r"``.

    >>> q, r = ms.ops.qr(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]))
    >>> q.shape, r.shape
    ((2, 2), (2, 2))
    """
    return _qr("qr", input, choice("qr", "mode", mode, ("reduced", "complete")))


@op(
    "qr",
    function=False,
    method="qr",
    samples=("f(3, 2)", "f(3, 2), False"),
    differentiable=False,
    errors=(("f(3)", ValueError, "two axes"), ("i(3, 2)", TypeError, "float32")),
    halves=True,
)
def _qr_method(input: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    r"""QR decomposition, complete if `some` is False; see :func:`ops.qr`.

    Own Args:
        some (bool): whether Q has :math:`\min(M, N)` columns; with False it is square.
            Default: True.

    >>> ms.ops.ones((3, 2)).qr()[0].shape
    (3, 2)
    """
    return _qr("qr", input, "reduced" if some else "complete")


@op(
    "qr",
    function=False,
    mint="linalg.qr",
    samples=("f(3, 2)", "f(3, 2), 'complete'", "f(3, 2), 'r'"),
    differentiable=False,
    errors=(("f(3, 2), 'x'", ValueError, "mode"), ("f(3)", ValueError, "two axes")),
    halves=True,
)
def _qr_mint(A: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """QR decomposition; ``mode="r"`` gives an empty Q; see :func:`ops.qr`.

    >>> ms.mint.linalg.qr(ms.ops.ones((3, 2)))[0].shape
    (3, 2)
    """
    return _qr("qr", A, choice("qr", "mode", mode, ("reduced", "complete", "r")))


@primitive(
    "Qr",
    samples=("f(3, 2)", "f(3, 2), full_matrices=True"),
    differentiable=False,
    errors=(("f(3)", ValueError, "two axes"), ("i(3, 2)", TypeError, "float32")),
    halves=True,
)
def _qr_primitive(x: Tensor, *, full_matrices: bool = False) -> tuple[Tensor, Tensor]:
    """QR decomposition: :math:`x = Q R`; see :func:`ops.qr`.

    Attributes:
        full_matrices (bool): whether Q is square, shape :math:`(.., M, M)`; otherwise Q and R have
            min(M, N) columns and rows. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., M, N)`.

    Outputs: Tuple of Q and R.
    Raises TypeError: the type of `x` is not supported.
    Raises ValueError: `x` has less than two axes.
    Difference from PyTorch: ``torch.linalg.qr`` with `mode`.
    Source: behavior observed in MindSpore 2.10.

    >>> ms.ops.Qr()(ms.ops.ones((3, 2)))[0].shape
    (3, 2)
    """
    return _qr("Qr", x, "complete" if full_matrices else "reduced")


def _svd(op_name: str, input: Tensor, full_matrices: bool, compute_uv: bool) -> Any:
    check_matrices(op_name, input)
    if not compute_uv:
        return torch.linalg.svdvals(input)
    u, s, vh = torch.linalg.svd(input, full_matrices=full_matrices)
    v = vh.mH.resolve_conj()
    if worth_it(input) and not functorch_level():
        u, v = singular_vectors(input, u, v)
    return s, u, v


@op(
    primitive="Svd(full_matrices, compute_uv)",
    method=True,
    samples=("f(3, 2)", "f(2, 3), True", "f(3, 2), compute_uv=False"),
    differentiable=False,
    errors=(("f(3)", ValueError, "two axes"),),
    halves=True,
)
def svd(
    input: Tensor, full_matrices: Flag = False, compute_uv: Flag = True, *, _op_name: str = "svd"
) -> Any:
    r"""Singular value decomposition: :math:`input = U \operatorname{diag}(S) V^H`.

    Args:
        input (Tensor): shape :math:`(.., M, N)`.
        full_matrices (bool): whether U and V are square. Default: False.
        compute_uv (bool): whether to give U and V too. Default: True.

    Returns: Tuple of S, U and V; S alone if `compute_uv` is False.
    Raises TypeError: the type is not supported.
    Raises ValueError: there are fewer than two axes.
    Difference from PyTorch: S comes first, and V is not transposed.

    >>> print(ms.ops.svd(ms.Tensor([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False))
    [4. 3.]
    """
    return _svd(_op_name, input, full_matrices, compute_uv)


@op(
    samples=("f(3, 2)", "f(2, 3), rtol=0.1"),
    errors=(("f(3)", ValueError, "two axes"),),
    halves=True,
)
def pinv(x: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Tensor:
    """Pseudo-inverse of matrices.

    Args:
        x (Tensor): shape :math:`(.., M, N)`.
        atol (Union[float, Tensor]): singular values up to it count as 0. Default: None.
        rtol (Union[float, Tensor]): the same, relative to the largest one. Default: None.
        hermitian (bool): whether the matrices are symmetric. Default: False.

    Returns: Tensor of shape :math:`(.., N, M)`.
    Raises TypeError: the type is not supported.
    Raises ValueError: there are fewer than two axes.
    Difference from PyTorch: ``torch.linalg.pinv``.

    >>> print(ms.ops.pinv(ms.Tensor([[2.0, 0.0]])))
    [[0.5]
     [0. ]]
    """
    check_matrices("pinv", x)
    return torch.linalg.pinv(x, atol=atol, rtol=rtol, hermitian=hermitian)


@op(samples=SQUARE, differentiable=False, tags=("ambiguous",), errors=SQUARE_ERRORS, halves=True)
def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    r"""Eigenvalues and eigenvectors: :math:`A v_i = \lambda_i v_i`.

    Args:
        A (Tensor): shape :math:`(.., N, N)`.

    Returns: Tuple of the eigenvalues and the eigenvectors, as columns; both complex.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.
    Difference from PyTorch: ``torch.linalg.eig``; the order is that of LAPACK.

    >>> print(ms.ops.eig(ms.Tensor([[2.0, 0.0], [0.0, 3.0]]))[0])
    [2.+0.j 3.+0.j]
    """
    check_matrices("eig", A, square=True)
    return tuple(solved("eig", torch.linalg.eig, A))


@op(
    samples=SQUARE,
    differentiable=False,
    errors=(*SQUARE_ERRORS, ("f(3, 3) / 0", RuntimeError, "finite")),
    method=True,
    halves=True,
)
def eigvals(A: Tensor) -> Tensor:
    """Eigenvalues of square matrices; see :func:`ops.eig`.

    Args:
        A (Tensor): shape :math:`(.., N, N)`.

    Returns: Tensor of shape :math:`(.., N)`, complex.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.
    Raises RuntimeError: a number is infinite or NaN.
    Difference from PyTorch: ``torch.linalg.eigvals``, which ends the process there.

    >>> print(ms.ops.eigvals(ms.Tensor([[2.0, 0.0], [0.0, 3.0]])))
    [2.+0.j 3.+0.j]
    """
    check_matrices("eigvals", A, square=True)
    # without the vectors, LAPACK ends the process where a number is not finite (torch 2.13)
    if not bool(torch.isfinite(A).all()):
        return solved("eigvals", torch.linalg.eig, A)[0]  # raises
    return solved("eigvals", torch.linalg.eigvals, A)


@primitive(
    "Eig",
    samples=("f(3, 3)", "f(3, 3), compute_v=True"),
    differentiable=False,
    tags=("ambiguous",),
    errors=SQUARE_ERRORS,
    halves=True,
)
def _eig_primitive(x: Tensor, *, compute_v: bool = False) -> tuple[Tensor, Tensor]:
    """Eigenvalues and, if asked for, eigenvectors of square matrices; see :func:`ops.eig`.

    Attributes:
        compute_v (bool): whether to compute the eigenvectors. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., N, N)`.

    Outputs: Tuple of the eigenvalues, shape :math:`(.., N)`, and the eigenvectors as columns, shape
        :math:`(.., N, N)`, or an empty Tensor; both complex.
    Raises ValueError: the matrices are not square.
    Difference from PyTorch: ``torch.linalg.eig``, which computes both.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.Eig()(ms.Tensor([[2.0]]))[0])
    [2.+0.j]
    """
    check_matrices("Eig", x, square=True)
    if compute_v:
        return tuple(solved("Eig", torch.linalg.eig, x))
    result = solved("Eig", torch.linalg.eigvals, x)
    return result, result.new_empty((0,))


@op(
    method=True,
    samples=("f(4, 2), f(4, 3)", "f(4, 2), f(4)"),
    differentiable=False,
    errors=(("f(4, 2), f(3, 1)", ValueError, "rows"),),
    halves=True,
)
def lstsq(input: Tensor, A: Tensor) -> Tensor:
    r"""Least squares: minimize :math:`\|input \cdot out - A\|_2`.

    Args:
        input (Tensor): shape :math:`(M, N)`, of full rank.
        A (Tensor): shape :math:`(M, K)` or :math:`(M,)`, of the same type.

    Returns: Tensor of shape :math:`(N, K)`, K = 1 for a vector.
    Raises TypeError: the type is not supported.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``torch.linalg.lstsq(...).solution``; a vector gives a matrix.

    >>> print(ms.ops.lstsq(ms.Tensor([[2.0], [2.0]]), ms.Tensor([2.0, 4.0])))
    [[1.5]]
    """
    check_matrices("lstsq", input)
    rhs = A.unsqueeze(-1) if A.ndim == 1 else A
    if rhs.shape[-2] != input.shape[-2]:
        raise ValueError(
            f"For 'lstsq', both inputs must have equally many rows, but got shapes "
            f"{list(input.shape)} and {list(A.shape)}."
        )
    return torch.linalg.lstsq(input, rhs).solution


@op(
    method=False,
    samples=(
        f"f(3, 2), {POSITIVE}, torch.tensor([1, 2, 3]).int()",
        f"f(3, 2), {POSITIVE}, torch.tensor([2, 3, 3]).int()",
    ),
    errors=(("f(2, 1), f(3, 3), i(3)", ValueError, "rows"),),
    halves=True,
)
def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """Solution of linear equations from an LU decomposition.

    Args:
        b (Tensor): the right side, shape :math:`(.., N, K)`.
        LU_data (Tensor): L and U in one matrix, shape :math:`(.., N, N)`.
        LU_pivots (Tensor): the row exchanges, counted from 1, shape :math:`(.., N)`.

    Returns: Tensor of shape :math:`(.., N, K)`.
    Raises TypeError: the types differ or are not supported.
    Raises ValueError: the shapes do not fit.

    >>> print(ms.ops.lu_solve(ms.Tensor([[4.0]]), ms.Tensor([[2.0]]), ms.Tensor([1])))
    [[2.]]
    """
    _right_side("lu_solve", LU_data, b)
    return torch.linalg.lu_solve(LU_data, LU_pivots.int(), b)


@op(
    "lu_solve",
    function=False,
    method="lu_solve",
    samples=(f"f(3, 2), {POSITIVE}, torch.tensor([3, 2, 3]).int()",),
    errors=(("f(2, 1), f(3, 3), i(3)", ValueError, "rows"),),
    halves=True,
)
def _lu_solve_method(input: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """Solution of linear equations from an LU decomposition; see :func:`ops.lu_solve`.

    >>> print(ms.Tensor([[4.0]]).lu_solve(ms.Tensor([[2.0]]), ms.Tensor([1])))
    [[2.]]
    """
    return lu_solve(input, LU_data, LU_pivots)


def _check_pivots(op_name: str, data: Tensor, pivots: Tensor) -> None:
    """Check the number of row exchanges: torch reads memory behind them without looking."""
    rows, columns = data.shape[-2:]
    shape = (*data.shape[:-2], min(rows, columns))
    if pivots.shape != shape:
        raise ValueError(
            f"For '{op_name}', 'LU_pivots' must have shape {list(shape)}, but got "
            f"{list(pivots.shape)}."
        )


@op(
    samples=("f(3, 3), torch.tensor([2, 3, 3]).int()",),
    differentiable=False,
    errors=(
        ("f(3), i(3)", ValueError, "two axes"),
        ("i(2, 2), i(2)", TypeError, "float32"),
        ("f(3, 3), i(0)", ValueError, "shape"),
        ("f(3, 3), i(3) + 2", ValueError, "pivots"),
    ),
    halves=True,
)
def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """The factors of an LU decomposition: the permutation P, L and U.

    Args:
        LU_data (Tensor): L and U in one matrix, shape :math:`(.., M, N)`.
        LU_pivots (Tensor): the row exchanges, counted from 1.
        unpack_data (bool): whether to give L and U, else empty tensors. Default: True.
        unpack_pivots (bool): whether to give P, else an empty tensor. Default: True.

    Returns: Tuple of P, L and U.
    Raises TypeError: the type is not supported.
    Raises ValueError: there are fewer than two axes, or the exchanges are not those of such a
        matrix.
    Source: MindSpore 2.10's interface.

    >>> p, l, u = ms.ops.lu_unpack(ms.Tensor([[4.0, 3.0], [0.5, 2.0]]), ms.Tensor([1, 2]))
    >>> print(l)
    [[1.  0. ]
     [0.5 1. ]]
    """
    check_matrices("lu_unpack", LU_data)
    _check_pivots("lu_unpack", LU_data, LU_pivots)
    permutation, lower, upper = torch.lu_unpack(
        LU_data, LU_pivots.int(), unpack_data, unpack_pivots
    )
    return permutation, lower, upper


@op(
    method=True,
    primitive="Geqrf",
    samples=("f(3, 2)",),
    differentiable=False,
    errors=(("f(3)", ValueError, "two axes"),),
    halves=True,
)
def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """QR decomposition in LAPACK's form: R above the diagonal, reflections below it.

    Args:
        input (Tensor): shape :math:`(.., M, N)`.

    Returns: Tuple of the matrix and the factors of the reflections.
    Raises TypeError: the type is not supported.
    Raises ValueError: there are fewer than two axes.

    >>> ms.ops.geqrf(ms.ops.ones((3, 2)))[1].shape
    (2,)
    """
    check_matrices("geqrf", input)
    reflectors, tau = torch.geqrf(input)
    return reflectors, tau


@op(
    method=True,
    primitive="Orgqr",
    samples=("f(3, 2), u(2)",),
    differentiable=False,
    errors=(("f(3), f(1)", ValueError, "two axes"),),
    halves=True,
)
def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first columns of Q from reflections, see :func:`ops.geqrf`.

    Args:
        input (Tensor): the reflections, shape :math:`(.., M, N)`.
        input2 (Tensor): their factors, shape :math:`(.., K)`.

    Returns: Tensor of shape :math:`(.., M, N)`.
    Raises TypeError: the type is not supported.
    Raises ValueError: there are fewer than two axes.

    >>> ms.ops.orgqr(ms.ops.ones((3, 2)), ms.ops.zeros(2)).shape
    (3, 2)
    """
    check_matrices("orgqr", input)
    return torch.linalg.householder_product(input, input2)


@op(
    samples=("f(3, 2), u(2), f(3, 4)", "f(3, 2), u(2), f(4, 3), False, True"),
    errors=(("f(3), u(1), f(3, 4)", ValueError, "two axes"),),
    differentiable=False,
    method=True,
    renamed={"Tensor.ormqr": {"tau": "input2", "other": "input3"}},
    halves=True,
)
def ormqr(
    input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False
) -> Tensor:
    """Product of a matrix with the Q of reflections, see :func:`ops.geqrf`.

    Args:
        input (Tensor): the reflections, shape :math:`(.., M, N)`.
        tau (Tensor): their factors, shape :math:`(.., K)`.
        other (Tensor): the matrix.
        left (bool): whether Q stands on the left. Default: True.
        transpose (bool): whether the conjugate transpose of Q is meant. Default: False.

    Returns: Tensor of the shape of `other`.
    Raises TypeError: the type is not supported.
    Raises ValueError: there are fewer than two axes.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> x = ms.ops.ones((3, 2))
    >>> print(ms.ops.ormqr(x, ms.ops.zeros(2), x))
    [[1. 1.]
     [1. 1.]
     [1. 1.]]
    """
    check_matrices("ormqr", input)
    return torch.ormqr(input, tau, other, left, transpose)


@op(
    samples=("f(3, 3)", "f(3, 3), 'fro'", "f(3, 2), 2", "f(3, 3), 1"),
    errors=(("f(3)", ValueError, "two axes"), ("f(2, 3), 'fro'", ValueError, "square")),
    halves=True,
)
def cond(A: Tensor, p: Any = None) -> Tensor:
    r"""Condition number of matrices: :math:`\|A\|_p \|A^{-1}\|_p`.

    Args:
        A (Tensor): shape :math:`(.., M, N)`; square unless p is None, 2 or -2.
        p (Union[int, float, str]): the norm, see :func:`ops.norm`. Default None: 2.

    Returns: Tensor of shape :math:`(..)`; infinite for singular matrices.
    Raises TypeError: the type is not supported.
    Raises ValueError: the matrices are not square.
    Difference from PyTorch: ``torch.linalg.cond``.

    >>> print(ms.ops.cond(ms.Tensor([[2.0, 0.0], [0.0, 4.0]])))
    2.0
    """
    check_matrices("cond", A, square=p not in (None, 2, -2))
    if p in (None, 2, -2):
        return torch.linalg.cond(A, p)
    return norm(A, p, (-2, -1)) * norm(torch.linalg.inv_ex(A).inverse, p, (-2, -1))
