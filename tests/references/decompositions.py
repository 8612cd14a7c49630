"""Determinants, inverses, factors and functions of small matrices, from their definitions.

Factors have no unique sign, and eigenvalues no order. Such a reference gives what is unique of
them; its attribute ``of`` makes the same of the operator's result.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["REFERENCES"]


def _each(compute: Callable[..., Any]) -> Callable[..., Any]:
    """`compute` for every matrix of a batch; other arguments are the same for all."""

    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        x = np.asarray(x)
        items = [compute(m, *args, **kwargs) for m in x.reshape(-1, *x.shape[-2:])]
        array = np.array(items)
        return array.reshape((*x.shape[:-2], *array.shape[1:]))

    return call


def _adjoint(x: Any) -> np.ndarray:
    return np.swapaxes(np.asarray(x), -2, -1).conj()


# ------------------------------------------------------------- determinants and inverses


@_each
def _det(x: np.ndarray) -> Any:
    """Sum over permutations (Leibniz)."""
    size, total = len(x), 0.0
    for order in itertools.permutations(range(size)):
        swaps = sum(order[i] > order[j] for i in range(size) for j in range(i + 1, size))
        total = total + (-1) ** swaps * np.prod([x[i, j] for i, j in enumerate(order)])
    return total


def _slogdet(x: Any) -> tuple:
    result = _det(x)
    return np.sign(result), np.log(abs(result))


@_each
def _inverse(x: np.ndarray) -> np.ndarray:
    """Cofactors over the determinant."""
    size, result = len(x), np.zeros_like(x)
    for i in range(size):
        for j in range(size):
            rest = np.delete(np.delete(x, i, 0), j, 1)
            result[j, i] = (-1) ** (i + j) * (_det(rest) if size > 1 else 1.0)
    return result / _det(x)


def _matrix_inverse(x: Any, *, adjoint: bool = False) -> np.ndarray:
    return _inverse(_adjoint(x)) if adjoint else _inverse(x)


def _power(x: Any, n: int) -> np.ndarray:
    x = np.asarray(x) if n >= 0 else _inverse(x)
    result = np.eye(x.shape[-1])
    for _ in range(abs(n)):
        result = result @ x
    return result


def _exp(x: Any) -> np.ndarray:
    """The series for a small part of the matrix, squared again and again."""
    x = np.asarray(x) / 2**10
    term = result = np.eye(x.shape[-1])
    for k in range(1, 12):
        term = term @ x / k
        result = result + term
    for _ in range(10):
        result = result @ result
    return result


def _solve(x: Any, rhs: Any, adjoint: bool = False) -> np.ndarray:
    return _inverse(_adjoint(x) if adjoint else x) @ np.asarray(rhs)


def _triangle(x: Any, upper: bool, ones: bool = False) -> np.ndarray:
    """One triangle of a matrix, with ones on its diagonal if wanted."""
    rows, columns = np.indices(np.asarray(x).shape)
    result = np.where(columns >= rows if upper else columns <= rows, np.asarray(x), 0)
    return np.where(rows == columns, 1, result) if ones else result


def _triangular(x: Any, rhs: Any, *, lower: bool = True, adjoint: bool = False) -> np.ndarray:
    """The triangle is that of the matrix as given, before it is turned."""
    return _solve(_triangle(x, not lower), rhs, adjoint)


def _triangular_method(
    b: Any, a: Any, upper: bool = True, transpose: bool = False, ones: bool = False
) -> tuple:
    return _solve(_triangle(a, upper, ones), b, transpose), a


# ------------------------------------------------------------------------------ Cholesky


def _cholesky(x: Any, upper: bool = False) -> np.ndarray:
    x = np.asarray(x)
    result = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(i):
            result[i, j] = (x[i, j] - result[i, :j] @ result[j, :j]) / result[j, j]
        result[i, i] = math.sqrt(x[i, i] - result[i, :i] @ result[i, :i])
    return result.T if upper else result


def _cholesky_inverse(x: Any, upper: bool = False) -> np.ndarray:
    factor = _triangle(x, upper)
    return _inverse(factor.T @ factor if upper else factor @ factor.T)


def _cholesky_solve(b: Any, x: Any, upper: bool = False) -> np.ndarray:
    return _cholesky_inverse(x, upper) @ np.asarray(b)


# ----------------------------------------------------------------- factors without a sign


def _uniquely(of: Callable[[Any], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A reference that gives what `of` makes of the operator's result."""

    def mark(reference: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            return reference(*args, **kwargs)

        call.of = of  # type: ignore[attr-defined]
        return call

    return mark


def _of_qr(result: Any) -> Any:
    """The product, how the columns of Q stand on each other, and what is below R's diagonal."""
    q, r = result
    if not q.numel():  # R alone: it has the squares of the matrix
        return q, r.mT @ r, r.tril(-1)
    return q @ r, q.mT @ q, r.tril(-1)


def _qr(columns: Callable[..., str]) -> Callable[..., Any]:
    """Of which sort, "reduced", "complete" or "r", `columns` tells from the arguments."""

    @_uniquely(_of_qr)
    def compute(x: Any, *args: Any, **kwargs: Any) -> Any:
        x, sort = np.asarray(x), columns(*args, **kwargs)
        m, n = x.shape
        k = m if sort == "complete" else min(m, n)
        if sort == "r":
            return np.zeros(0), x.T @ x, np.zeros((k, n))
        return x, np.eye(k), np.zeros((k, n))

    return compute


def _of_svd(result: Any) -> Any:
    """The singular values, the product, and how the vectors stand on each other."""
    if not isinstance(result, tuple):
        return result
    s, u, v = result
    k = s.shape[-1]
    return s, (u[..., :k] * s) @ v[..., :k].mT, u.mT @ u, v.mT @ v


def _squared_values(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Squares of the singular values of real matrices, falling, and left singular vectors."""
    values, vectors = np.linalg.eigh(x @ x.T)
    k = min(x.shape)
    return values[::-1][:k], vectors[:, ::-1][:, :k]


@_uniquely(_of_svd)
def _svd(x: Any, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    x = np.asarray(x)
    s = np.sqrt(_squared_values(x)[0])
    if not compute_uv:
        return s
    m, n = x.shape if full_matrices else (len(s), len(s))
    return s, x, np.eye(m), np.eye(n)


def _pinv(x: Any, *, rtol: float = 1e-12) -> np.ndarray:
    x = np.asarray(x)
    squares, vectors = _squared_values(x)
    result = np.sqrt(squares) > rtol * math.sqrt(squares[0])
    return x.T @ (vectors[:, result] / squares[result]) @ vectors[:, result].T


def _characteristic(x: np.ndarray) -> np.ndarray:
    """Coefficients of det(z I - x), by Newton's identities from traces of powers."""
    traces = [np.trace(_power(x, k)) for k in range(1, len(x) + 1)]
    items = [1.0]
    for k in range(1, len(x) + 1):
        items.append(-sum(items[k - i] * traces[i - 1] for i in range(1, k + 1)) / k)
    return np.array(items)


@_each
def _polynomial(values: np.ndarray) -> np.ndarray:
    """The coefficients of the polynomial with these zeros, a row."""
    return np.poly(values[0])


def _of_eigenvalues(values: Any) -> Any:
    return _polynomial(np.asarray(values)[..., None, :])


def _of_eig(result: Any) -> Any:
    """The polynomial of the eigenvalues, the matrix that they make, the lengths of the vectors."""
    values, vectors = (np.asarray(part) for part in result)
    if not vectors.size:
        return _of_eigenvalues(values), vectors
    output = (vectors * values[..., None, :]) @ _inverse(vectors)
    return _of_eigenvalues(values), output, abs(vectors**2).sum(-2)


@_uniquely(_of_eigenvalues)
def _eigvals(x: Any) -> Any:
    return _each(_characteristic)(x)


@_uniquely(_of_eig)
def _eig(x: Any, *, compute_v: bool = True) -> Any:
    if not compute_v:
        return _eigvals(x), np.zeros(0)
    return _eigvals(x), x, np.ones(x.shape[:-1])


# ------------------------------------------------------------------ solutions from factors


def _lstsq(x: Any, rhs: Any) -> np.ndarray:
    """The normal equations."""
    x, rhs = np.asarray(x), np.asarray(rhs)
    return _inverse(x.T @ x) @ x.T @ (rhs[:, None] if rhs.ndim == 1 else rhs)


def _lu_unpack(data: Any, pivots: Any) -> tuple:
    data = np.asarray(data)
    order = list(range(len(data)))
    for row, pivot in enumerate(pivots):  # counted from 1; exchanged one after the other
        order[row], order[int(pivot) - 1] = order[int(pivot) - 1], order[row]
    permutation = np.zeros(data.shape)
    for row, place in enumerate(order):
        permutation[place, row] = 1
    return permutation, _triangle(data, False, True), _triangle(data, True)


def _lu_solve(b: Any, data: Any, pivots: Any) -> np.ndarray:
    permutation, lower, upper = _lu_unpack(data, pivots)
    return _inverse(permutation @ lower @ upper) @ np.asarray(b)


def _geqrf(x: Any) -> tuple:
    """Reflections I - tau v v^T that take each column to its first element (LAPACK's signs)."""
    r = np.array(np.asarray(x))
    tau = np.zeros(min(r.shape))
    for k in range(len(tau)):
        column = r[k:, k].copy()
        beta = -math.copysign(math.sqrt((column**2).sum()), column[0])
        v = column / (column[0] - beta)
        v[0] = 1
        tau[k] = (beta - column[0]) / beta
        r[k:, k:] -= tau[k] * np.outer(v, v @ r[k:, k:])
        r[k + 1 :, k] = v[1:]
    return r, tau


def _reflections(x: Any, tau: Any) -> np.ndarray:
    """Q: the product of all reflections, square."""
    x = np.asarray(x)
    q = np.eye(len(x))
    for k, factor in enumerate(np.asarray(tau)):
        v = np.concatenate((np.zeros(k), [1.0], x[k + 1 :, k]))
        q = q @ (np.eye(len(x)) - factor * np.outer(v, v))
    return q


def _ormqr(x: Any, tau: Any, other: Any, left: bool = True, transpose: bool = False) -> Any:
    q = _reflections(x, tau)
    q = q.T if transpose else q
    return q @ np.asarray(other) if left else np.asarray(other) @ q


def _cond(x: Any, p: Any = None) -> Any:
    if p in (None, 2):
        squares, _ = _squared_values(np.asarray(x))
        return np.sqrt(squares[0] / squares[-1])
    sizes = [abs(m) ** 2 if p == "fro" else abs(m) for m in (np.asarray(x), _inverse(x))]
    if p == "fro":
        return np.sqrt(sizes[0].sum() * sizes[1].sum())
    return np.prod([m.sum(0).max() for m in sizes])


# ----------------------------------------------------------------- functions of matrices


@_each
def _logarithm(x: np.ndarray) -> np.ndarray:
    """The logarithms of the eigenvalues, with the same eigenvectors."""
    values, vectors = np.linalg.eig(x)
    return vectors * np.log(values) @ _inverse(vectors)


def _solve_ls(a: Any, b: Any, penalty: Any, *, fast: bool = True) -> np.ndarray:
    """Plain least squares with rows added for the penalty; without `fast` it does not count."""
    a, b = np.asarray(a), np.asarray(b)
    n = a.shape[-1]
    items = []
    for x, y in zip(a.reshape(-1, *a.shape[-2:]), b.reshape(-1, *b.shape[-2:]), strict=True):
        rows = np.concatenate((x, math.sqrt(float(penalty)) * np.eye(n) * fast))
        right = np.concatenate((y, np.zeros((n, y.shape[1]))))
        items.append(np.linalg.lstsq(rows, right)[0])
    return np.array(items).reshape(*a.shape[:-2], n, b.shape[-1])


@np.vectorize
def _betainc(a: float, b: float, x: float) -> float:
    """A series of positive terms for the integral, divided by the beta function."""
    term = total = 1.0
    for n in range(3000):
        term *= (a + b + n) / (a + 1 + n) * x
        total += term
    beta = math.gamma(a) * math.gamma(b) / math.gamma(a + b)
    return x**a * (1 - x) ** b / (a * beta) * total


REFERENCES = {
    "ops.det+Tensor.det+MatrixDeterminant": _det,
    "ops.slogdet+Tensor.slogdet": _slogdet,
    "ops.log_matrix_determinant+Tensor.log_matrix_determinant+LogMatrixDeterminant": _slogdet,
    "ops.logdet+Tensor.logdet": lambda x: np.log(_det(x)),
    "ops.inverse+Tensor.inverse+mint.inverse": _inverse,
    "MatrixInverse": _matrix_inverse,
    "ops.matrix_power+Tensor.matrix_power": _power,
    "MatrixPower": _power,
    "ops.matrix_exp+MatrixExp": _exp,
    "ops.matrix_solve": _solve,
    "MatrixSolve": _solve,
    "MatrixTriangularSolve": _triangular,
    "Tensor.triangular_solve+mint.triangular_solve": _triangular_method,
    "ops.cholesky+Tensor.cholesky": _cholesky,
    "Cholesky": _cholesky,
    "ops.cholesky_inverse+Tensor.cholesky_inverse": _cholesky_inverse,
    "CholeskyInverse": _cholesky_inverse,
    "ops.cholesky_solve+Tensor.cholesky_solve": _cholesky_solve,
    "CholeskySolve": _cholesky_solve,
    "ops.qr": _qr(lambda mode="reduced": mode),
    "Tensor.qr": _qr(lambda some=True: "reduced" if some else "complete"),
    "mint.linalg.qr": _qr(lambda mode="reduced": mode),
    "Qr": _qr(lambda full_matrices=False: "complete" if full_matrices else "reduced"),
    "ops.svd+Tensor.svd": _svd,
    "Svd": _svd,
    "ops.pinv": _pinv,
    "ops.eig": _eig,
    "ops.eigvals+Tensor.eigvals": _eigvals,
    "Eig": _uniquely(_of_eig)(lambda x, *, compute_v=False: _eig(x, compute_v=compute_v)),
    "ops.lstsq+Tensor.lstsq": _lstsq,
    "ops.lu_solve": _lu_solve,
    "Tensor.lu_solve": _lu_solve,
    "ops.lu_unpack": _lu_unpack,
    "ops.geqrf+Tensor.geqrf+Geqrf": _geqrf,
    "ops.orgqr+Tensor.orgqr+Orgqr": lambda x, tau: _reflections(x, tau)[:, : x.shape[1]],
    "ops.ormqr+Tensor.ormqr": _ormqr,
    "ops.cond": _cond,
    "MatrixLogarithm": _logarithm,
    "MatrixSolveLs": _solve_ls,
    "Betainc": lambda a, b, x: _betainc(*map(np.asarray, (a, b, x))),
}
