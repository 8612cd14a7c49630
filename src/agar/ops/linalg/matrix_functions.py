"""Logarithms of matrices, least squares with a penalty, and the incomplete beta function."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar.ops._checks import boolean
from agar.ops.spec import primitive

__all__: list[str] = []


def _same(op_name: str, name: str, value: Tensor, other: str, like: Tensor) -> None:
    """Check that a tensor has the type of another.

    Raises:
        TypeError: it has another one.
    """
    if value.dtype != like.dtype:
        raise TypeError(
            f"For '{op_name}', '{name}' must have the type of '{other}', {FROM_TORCH[like.dtype]}, "
            f"but got {FROM_TORCH[value.dtype]}."
        )


# ------------------------------------------------------------------------------- logarithms

# NOTE Logarithm. 2^k ln(A^(1/2^k)): after k square roots the matrix is close to the identity, where
# ln(I + X) is an integral over rational functions, which a rule of Gauss has exactly up to a high
# degree. Counts are fixed, so that recordings and gradients need no values.
_ROOTS, _STEPS, _POINTS = 7, 14, 10


def _square_root(matrix: Tensor) -> Tensor:
    """The principal square root, by Newton's method in product form with scaling at first."""
    size = matrix.shape[-1]
    one = torch.eye(size, dtype=matrix.dtype, device=matrix.device)
    root, product = matrix, matrix
    for step in range(_STEPS):
        inverse = torch.linalg.inv(product)
        if step < 5:
            factor = torch.linalg.det(product).abs().pow(-0.5 / size)[..., None, None].detach()
        else:
            factor = torch.ones_like(root[..., :1, :1].real)
        squared = factor * factor
        root = root @ (factor * (one + inverse / squared)) / 2
        product = (one + (squared * product + inverse / squared) / 2) / 2
    return root


@functools.lru_cache
def _gauss() -> list[tuple[float, float]]:
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    return list(zip(((points + 1) / 2).tolist(), (weights / 2).tolist(), strict=True))


@primitive(
    "MatrixLogarithm",
    samples=("torch.eye(3) + 0.2 * c(3, 3)", "2 * torch.eye(2) + 0.3 * c(2, 2, 2)"),
    errors=(
        ("f(2, 2)", TypeError, "complex"),
        ("c(2, 3)", ValueError, "square"),
        ("c(2)", ValueError, "square"),
    ),
    cast="never",
)
def _matrix_logarithm(x: Tensor) -> Tensor:
    """Principal logarithms of square matrices, the inverse of the matrix exponential.

    Inputs:
        - **x** (Tensor) - complex64 or complex128, shape :math:`(.., M, M)`; no eigenvalue may be
          zero or negative real.

    Outputs: Tensor like `x`.
    Raises TypeError: `x` is not complex.
    Raises ValueError: the last two axes differ.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.MatrixLogarithm()(ms.Tensor([[1 + 0j, 1 + 0j], [0j, 1 + 0j]])).real())
    [[0. 1.]
     [0. 0.]]
    """
    op_name = "MatrixLogarithm"
    if not x.is_complex():
        raise TypeError(f"For '{op_name}', 'x' must be complex, but got {FROM_TORCH[x.dtype]}.")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{op_name}', 'x' must be square matrices, but got {list(x.shape)}.")
    root = x.to(torch.complex128)
    for _ in range(_ROOTS):
        root = _square_root(root)
    one = torch.eye(x.shape[-1], dtype=root.dtype, device=x.device)
    rest = root - one
    parts = [weight * torch.linalg.solve(one + point * rest, rest) for point, weight in _gauss()]
    return (torch.stack(parts).sum(0) * 2.0**_ROOTS).to(x.dtype)


# ---------------------------------------------------------------------------- least squares


def _check_fast(instance: Any) -> None:
    boolean("MatrixSolveLs", "fast", instance.fast)


@primitive(
    "MatrixSolveLs",
    samples=(
        "f(3, 2), f(3, 1), 0.5",
        "f(2, 2, 3), f(2, 2, 1), torch.tensor(0.5).double()",
        "f(3, 2), f(3, 1), 0.5, fast=False",
        "c(3, 2), c(3, 1), 0.0",
    ),
    errors=(
        ("f(3, 2), f(2, 1), 0.5", ValueError, "rhs"),
        ("f(3), f(3), 0.5", ValueError, "matrix"),
        ("i(3, 2), i(3, 1), 0.5", TypeError, "matrix"),
        ("f(3, 2), f(3, 1), 0.5, fast=1", TypeError, "fast"),
    ),
    cast="never",
    setup=_check_fast,
)
def _matrix_solve_ls(
    matrix: Tensor, rhs: Tensor, l2_regularizer: Tensor | float, *, fast: bool = True, _state: None
) -> Tensor:
    r"""Least squares: the X for which :math:`\|A X - B\|^2 + \lambda \|X\|^2` is smallest.

    Args:
        fast (bool): whether to solve the normal equations; otherwise the solution of least norm is
            found by singular values, and the penalty does not count. Default: True.
        matrix (Tensor): A, shape :math:`(.., M, N)`: float32, float64 or complex.
        rhs (Tensor): B, shape :math:`(.., M, K)`, in the type of `matrix`.
        l2_regularizer (Union[Tensor, float]): the penalty's factor.

    Outputs: Tensor of shape :math:`(.., N, K)`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: ``torch.linalg.lstsq`` has no penalty.

    >>> a, b = ms.Tensor([[1.0], [1.0]]), ms.Tensor([[1.0], [3.0]])
    >>> print(ms.ops.MatrixSolveLs()(a, b, ms.Tensor(2.0)))
    [[1.]]
    """
    op_name = "MatrixSolveLs"
    if matrix.dtype not in (torch.float32, torch.float64, torch.complex64, torch.complex128):
        raise TypeError(
            f"For '{op_name}', 'matrix' must be float32, float64, complex64 or complex128, but got "
            f"{FROM_TORCH[matrix.dtype]}."
        )
    _same(op_name, "rhs", rhs, "matrix", matrix)
    if matrix.ndim < 2:
        raise ValueError(
            f"For '{op_name}', 'matrix' must have at least two axes, but got {list(matrix.shape)}."
        )
    if rhs.ndim != matrix.ndim or rhs.shape[:-1] != matrix.shape[:-1]:
        raise ValueError(
            f"For '{op_name}', 'rhs' must have the shape of 'matrix' up to its last axis, "
            f"{[*matrix.shape[:-1], 'K']}, but got {list(rhs.shape)}."
        )
    if not fast:
        return torch.linalg.pinv(matrix) @ rhs
    tall = matrix.shape[-2] >= matrix.shape[-1]
    square = matrix.mH @ matrix if tall else matrix @ matrix.mH
    one = torch.eye(square.shape[-1], dtype=matrix.dtype, device=matrix.device)
    if isinstance(l2_regularizer, Tensor):
        l2_regularizer = l2_regularizer.to(matrix.dtype)
    square = square + l2_regularizer * one
    if tall:
        return torch.linalg.solve(square, matrix.mH @ rhs)
    return matrix.mH @ torch.linalg.solve(square, rhs)


# ---------------------------------------------------------------------------- beta function

_TERMS = 160


def _fraction(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The continued fraction of the incomplete beta function, from the front (Lentz)."""
    tiny = 1e-30

    def away(value: Tensor) -> Tensor:
        return torch.where(value.abs() < tiny, torch.full_like(value, tiny), value)

    both = a + b
    c = torch.ones_like(x)
    d = 1 / away(1 - both * x / (a + 1))
    result = d
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / away(1 + even * d), away(1 + even / c)
        result = result * d * c
        odd = -(a + m) * (both + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / away(1 + odd * d), away(1 + odd / c)
        result = result * d * c
    return result


@primitive(
    "Betainc",
    samples=("p(2, 3), p(2, 3) + 1, u(2, 3)", "p(3) * 9, p(3) * 9, u(3)"),
    errors=(
        ("p(2), p(3), u(2)", ValueError, "'b'"),
        ("i(2), i(2), i(2)", TypeError, "'a'"),
        ("p(2), p(2), u(2).float()", TypeError, "'x'"),
    ),
)
def _betainc(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    r"""The regularized incomplete beta function.

    .. math::
        I_x(a, b) = \frac{\int_0^x t^{a-1} (1-t)^{b-1} dt}{\int_0^1 t^{a-1} (1-t)^{b-1} dt}

    Inputs:
        - **a** (Tensor) - positive, floating.
        - **b** (Tensor) - positive, of the type and shape of `a`.
        - **x** (Tensor) - in [0, 1], of the type and shape of `a`.

    Outputs: Tensor like `a`; nan where an argument is out of range.
    Raises TypeError: the type of `a` is not floating, or another one differs.
    Raises ValueError: a shape differs.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> one = ms.Tensor([1.0, 2.0])
    >>> print(ms.ops.Betainc()(one, one, ms.Tensor([0.25, 0.5])))
    [0.25 0.5 ]
    """
    op_name = "Betainc"
    if not a.is_floating_point():
        raise TypeError(
            f"For '{op_name}', 'a' must be of a floating type, but got {FROM_TORCH[a.dtype]}."
        )
    for name, value in (("b", b), ("x", x)):
        _same(op_name, name, value, "a", a)
        if value.shape != a.shape:
            raise ValueError(
                f"For '{op_name}', '{name}' must have the shape of 'a', {list(a.shape)}, but got "
                f"{list(value.shape)}."
            )
    given = a.dtype
    a, b, x = (v.double() for v in (a, b, x))
    legal = (a > 0) & (b > 0) & (x >= 0) & (x <= 1)
    # values that need no fraction are replaced before it, so that gradients stay finite
    inner = legal & (x > 0) & (x < 1)
    a = torch.where(legal, a, torch.ones_like(a))
    b = torch.where(legal, b, torch.ones_like(b))
    safe = torch.where(inner, x, torch.full_like(x, 0.5))
    front = torch.exp(
        torch.lgamma(a + b)
        - torch.lgamma(a)
        - torch.lgamma(b)
        + a * torch.log(safe)
        + b * torch.log1p(-safe)
    )
    # the fraction converges fast below the mean; above it, I_x(a, b) = 1 - I_(1-x)(b, a)
    flip = safe > (a + 1) / (a + b + 2)
    first, second = torch.where(flip, b, a), torch.where(flip, a, b)
    tail = front * _fraction(first, second, torch.where(flip, 1 - safe, safe)) / first
    result = torch.where(flip, 1 - tail, tail)
    result = torch.where(inner, result, x)
    return torch.where(legal, result, torch.full_like(result, torch.nan)).to(given)
