"""Products, bands and diagonals of matrices, by einsum and loops over elements."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

__all__ = ["REFERENCES"]


# ------------------------------------------------------------------------------ products


def _product(x: Any, y: Any) -> Any:
    """The matrix product; a vector is a row on the left and a column on the right."""
    x, y = np.asarray(x), np.asarray(y)
    left, right = x.ndim > 1, y.ndim > 1
    rows = "...i" if left else ""
    columns = "...{}j" if right else "{}"
    return np.einsum(f"{rows}k,{columns.format('k')}->{rows}{'j' if right else ''}", x, y)


def _turned(x: Any, yes: bool) -> Any:
    return np.swapaxes(np.asarray(x), -2, -1) if yes else x


def _turned_product(x: Any, y: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    return _product(_turned(x, transpose_a), _turned(y, transpose_b))


def _inner(x: Any, y: Any) -> Any:
    x, y = np.asarray(x), np.asarray(y)
    if not y.ndim:
        return x * y
    items = [(a * b).sum() for a in x.reshape(-1, x.shape[-1]) for b in y.reshape(-1, y.shape[-1])]
    return np.array(items).reshape(x.shape[:-1] + y.shape[:-1])


def _outer(x: Any, y: Any) -> Any:
    return np.array([[a * b for b in np.ravel(y)] for a in np.ravel(x)])


def _kron(x: Any, y: Any) -> Any:
    x, y = np.asarray(x), np.asarray(y)
    rank = max(x.ndim, y.ndim)  # axes that one lacks come first, with size 1
    x, y = (v.reshape([1] * (rank - v.ndim) + list(v.shape)) for v in (x, y))
    result = np.zeros([m * n for m, n in zip(x.shape, y.shape, strict=True)])
    for place in np.ndindex(*result.shape):
        outer = tuple(p // n for p, n in zip(place, y.shape, strict=True))
        result[place] = x[outer] * y[tuple(p % n for p, n in zip(place, y.shape, strict=True))]
    return result


def _contracted(x: Any, y: Any, first: Any, second: Any, batch: int = 0) -> Any:
    """Sum over axes of `x` and those of `y`; the first `batch` axes are shared."""
    x, y = np.asarray(x), np.asarray(y)
    left = list(string.ascii_lowercase[: x.ndim])
    right = list(string.ascii_uppercase[: y.ndim])
    shared = list(zip(range(batch), range(batch), strict=True))
    for a, b in [*shared, *zip(first, second, strict=True)]:
        right[b] = left[a]
    summed = [left[a] for a in first]
    items = [c for c in left if c not in summed]
    items += [c for c in right[batch:] if c not in summed]
    return np.einsum(f"{''.join(left)},{''.join(right)}->{''.join(items)}", x, y)


def _tensor_dot(x: Any, y: Any, axes: Any) -> Any:
    if isinstance(axes, int):
        return _contracted(x, y, range(x.ndim - axes, x.ndim), range(axes))
    return _contracted(x, y, *((a,) if isinstance(a, int) else a for a in axes))


def _batch_dot(x: Any, y: Any, axes: Any = None) -> Any:
    if axes is None:
        axes = (x.ndim - 1, max(y.ndim - 2, 1))
    a, b = (axes, axes) if isinstance(axes, int) else axes
    result = _contracted(x, y, (a,), (b,), 1)
    return result.reshape(-1, 1) if result.ndim == 1 else result


def _vecdot(x: Any, y: Any, *, axis: int = -1) -> Any:
    return (np.asarray(x).conj() * np.asarray(y)).sum(axis)


def _einsum_class(inputs: Any, *, equation: str) -> Any:
    return np.atleast_1d(np.einsum(equation, *inputs))


def _added(x: Any, product: Any, beta: float = 1, alpha: float = 1) -> Any:
    return beta * np.asarray(x) + alpha * product


def _trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return _diagonal(x, offset, axis1, axis2).sum(-1)


def _cross(x: Any, y: Any, dim: int | None = None) -> Any:
    place = list(x.shape).index(3) if dim is None else dim
    (a, b, c), (d, e, f) = (
        np.moveaxis(np.asarray(x), place, 0),
        np.moveaxis(np.asarray(y), place, 0),
    )
    return np.stack([b * f - c * e, c * d - a * f, a * e - b * d], place)


# ----------------------------------------------------------------------------- diagonals


def _kept(x: Any, low: float, high: float) -> Any:
    """The diagonals from `low` to `high`, zeros elsewhere."""
    x = np.asarray(x)
    rows, columns = np.indices(x.shape[-2:])
    return x * ((columns - rows >= low) & (columns - rows <= high))


def _tril(x: Any, diagonal: int = 0) -> Any:
    return _kept(x, -np.inf, diagonal)


def _triu(x: Any, diagonal: int = 0) -> Any:
    return _kept(x, diagonal, np.inf)


def _band_part(x: Any, lower: int, upper: int) -> Any:
    return _kept(x, -lower if lower >= 0 else -np.inf, upper if upper >= 0 else np.inf)


def _diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> np.ndarray:
    planes = np.moveaxis(np.asarray(x), (axis1, axis2), (-2, -1))
    rows, columns = planes.shape[-2:]
    places = [(i, i + offset) for i in range(rows) if 0 <= i + offset < columns]
    return np.stack([planes[..., i, j] for i, j in places], -1)


def _on_diagonal(x: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> np.ndarray:
    """Matrices with vectors on a diagonal."""
    x = np.asarray(x)
    size = x.shape[-1] + abs(offset)
    result = np.zeros((*x.shape[:-1], size, size))
    for i in range(x.shape[-1]):
        result[..., i + max(-offset, 0), i + max(offset, 0)] = x[..., i]
    return np.moveaxis(result, (-2, -1), (dim1, dim2))


def _twice(x: Any) -> Any:
    result = np.zeros(tuple(x.shape) * 2)
    for place in np.ndindex(*x.shape):
        result[place * 2] = x[place]
    return result


def _diag_part(x: Any) -> Any:
    result = np.zeros(x.shape[: x.ndim // 2])
    for place in np.ndindex(*result.shape):
        result[place] = x[place * 2]
    return result


def _diag_mint(x: Any, diagonal: int = 0) -> Any:
    return _on_diagonal(x, diagonal) if x.ndim == 1 else _diagonal(x, diagonal)


def _places(k: Any, rows: int, columns: int, align: str) -> list[tuple[int, int, int, int]]:
    """Where each element of a band stands: row and place in the band, row and column outside.

    The band has the highest diagonal first. Shorter ones stand at the left or at the right, as the
    word of `align` for those above the main diagonal, or for those below it, says.
    """
    k = [int(v) for v in np.ravel(k)]
    items = []
    for row, d in enumerate(range(k[-1], k[0] - 1, -1)):
        inside = [(i, i + d) for i in range(rows) if 0 <= i + d < columns]
        lengths = [
            len([i for i in range(rows) if 0 <= i + e < columns]) for e in range(k[0], k[-1] + 1)
        ]
        side = align.split("_")[0 if d > 0 else 1]  # no diagonal is longer than the main one
        skip = max(lengths) - len(inside) if side == "RIGHT" else 0
        items += [(row, n + skip, i, j) for n, (i, j) in enumerate(inside)]
    return items


def _matrix_diag(
    x: Any,
    k: Any = 0,
    rows: int = -1,
    columns: int = -1,
    padding: float = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    x = np.asarray(x)
    low, high = np.ravel(k)[0], np.ravel(k)[-1]
    band = x[..., None, :] if low == high else x
    # as few rows and columns as hold the longest diagonal; square where neither is given
    least = band.shape[-1] - min(high, 0), band.shape[-1] + max(low, 0)
    if rows == columns == -1:
        rows = columns = max(least)
    rows, columns = (n if m == -1 else m for m, n in zip((rows, columns), least, strict=True))
    result = np.full((*band.shape[:-2], rows, columns), float(padding))
    for row, place, i, j in _places(k, rows, columns, align):
        result[..., i, j] = band[..., row, place]
    return result


def _matrix_diag_part(x: Any, k: Any, padding: Any, align: str = "RIGHT_LEFT") -> Any:
    x = np.asarray(x)
    places = _places(k, *x.shape[-2:], align)
    rows, columns = max(p[0] for p in places) + 1, max(p[1] for p in places) + 1
    result = np.full((*x.shape[:-2], rows, columns), float(padding))
    for row, place, i, j in places:
        result[..., row, place] = x[..., i, j]
    return result[..., 0, :] if rows == 1 else result


def _matrix_set_diag(x: Any, band: Any, k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    result, band = np.asarray(x).copy(), np.asarray(band)
    band = band if band.ndim == result.ndim else band[..., None, :]
    for row, place, i, j in _places(k, *result.shape[-2:], align):
        result[..., i, j] = band[..., row, place]
    return result


REFERENCES = {
    "ops.matmul+Tensor.__matmul__+mint.matmul": _product,
    "Tensor.matmul": _product,
    "ops.mm+Tensor.mm+mint.mm": _product,
    "MatMul": _turned_product,
    "BatchMatMul": _turned_product,
    "ops.bmm": _product,
    "Tensor.bmm+mint.bmm": _product,
    "ops.mv+mint.mv": _product,
    "mint.dot": _product,
    "mint.vdot": _vecdot,
    "ops.inner+Tensor.inner": _inner,
    "ops.outer+Tensor.outer+Ger+mint.outer": _outer,
    "ops.vecdot": _vecdot,
    "ops.kron": _kron,
    "ops.tensor_dot": _tensor_dot,
    "ops.batch_dot": _batch_dot,
    "ops.einsum+mint.einsum": lambda equation, *x: np.einsum(equation, *x),
    "Einsum": _einsum_class,
    "ops.addmm+Tensor.addmm+mint.addmm": lambda x, a, b, **k: _added(x, _product(a, b), **k),
    "ops.addmv+mint.addmv": lambda x, a, b, **k: _added(x, _product(a, b), **k),
    "Tensor.addmv": lambda x, a, b, *k: _added(x, _product(a, b), *k),
    "ops.addr": lambda x, a, b, **k: _added(x, _outer(a, b), **k),
    "Tensor.addr": lambda x, a, b, *k: _added(x, _outer(a, b), *k),
    "ops.addbmm+Tensor.addbmm+mint.addbmm": lambda x, a, b: _added(x, _product(a, b).sum(0)),
    "ops.baddbmm": lambda x, a, b, *k: _added(x, _product(a, b), *k),
    "Tensor.baddbmm+mint.baddbmm": lambda x, a, b, **k: _added(x, _product(a, b), **k),
    "ops.trace+Trace+mint.trace": _trace,
    "Tensor.trace": _trace,
    "ops.cross+Tensor.cross+mint.cross": _cross,
    "Cross": _cross,
    "ops.tril+Tensor.tril+mint.tril": _tril,
    "ops.triu+Tensor.triu+mint.triu": _triu,
    "Tril": _tril,
    "Triu": _triu,
    "ops.diag+Diag": _twice,
    "DiagPart": _diag_part,
    "Tensor.diag": _on_diagonal,
    "mint.diag": _diag_mint,
    "ops.diagonal": _diagonal,
    "Tensor.diagonal": _diagonal,
    "ops.diag_embed": _on_diagonal,
    "ops.diagflat+Tensor.diagflat": lambda x, *k: _on_diagonal(x.reshape(-1), *k),
    "ops.matrix_band_part+MatrixBandPart": _band_part,
    "ops.matrix_diag": _matrix_diag,
    "MatrixDiagV3": _matrix_diag,
    "ops.matrix_diag_part": _matrix_diag_part,
    "MatrixDiagPartV3": _matrix_diag_part,
    "ops.matrix_set_diag": _matrix_set_diag,
    "MatrixSetDiagV3": _matrix_set_diag,
}
