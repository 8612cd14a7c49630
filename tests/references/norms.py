"""Norms, distances and sums by segment, from their formulas, row by row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def _p_norm(values: np.ndarray, p: float) -> float:
    sizes = [abs(v) for v in values.ravel().tolist()]
    if abs(p) == math.inf:
        return max(sizes) if p > 0 else min(sizes)
    if p == 0:
        return sum(v != 0 for v in sizes)
    return sum(v**p for v in sizes) ** (1 / p)


def _along(
    x: Any, axis: Any, keep: bool, rank: int, compute: Callable[[np.ndarray], float]
) -> np.ndarray:
    """A number for each block that the axes span, which has `rank` axes itself (0: one row)."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(a % x.ndim for a in axes)
    rest = [a for a in range(x.ndim) if a not in axes]
    blocks = x.transpose(*rest, *axes).reshape(-1, *(x.shape[a] for a in axes))
    values = np.array([compute(b if rank else b.ravel()) for b in blocks])
    shape = [1 if a in axes else n for a, n in enumerate(x.shape) if keep or a not in axes]
    return values.reshape(shape)


def _vectors(
    x: Any, order: Any = 2, axis: Any = None, keep: bool = False, least: float = 0.0
) -> np.ndarray:
    return _along(x, axis, keep, 0, lambda block: max(_p_norm(block, order), least))


def _matrix(block: np.ndarray, order: Any) -> float:
    if order == "fro":
        return _p_norm(block, 2)
    if order in ("nuc", 2, -2):  # singular values are the roots of eigenvalues
        small = block if len(block) <= block.shape[1] else block.T
        singular = np.sqrt(np.linalg.eigvalsh(small @ small.T))
        return float({"nuc": np.sum, 2: np.max, -2: np.min}[order](singular))
    sums = [float(np.abs(line).sum()) for line in (block.T if abs(order) == 1 else block)]
    return max(sums) if order > 0 else min(sums)


def _matrices(x: Any, order: Any = "fro", axis: Any = (-2, -1), keep: bool = False) -> np.ndarray:
    return _along(x, axis, keep, 2, lambda block: _matrix(block, order))


def _norm(x: Any, order: Any = None, axis: Any = None, keep: bool = False) -> np.ndarray:
    """ops.norm: matrices for two axes, or for a matrix with an order; else vectors."""
    two = isinstance(axis, tuple) or (axis is None and np.asarray(x).ndim == 2)
    if order is None or not two:
        return _vectors(x, 2 if order is None else order, axis, keep)
    return _matrices(x, order, (0, 1) if axis is None else axis, keep)


def _lp_norm(x: Any, *, axis: Any, p: int = 2, keep_dims: bool = False) -> np.ndarray:
    return _vectors(x, p, axis, keep_dims, 1e-12)


def _cdist(x: Any, y: Any, p: float = 2.0) -> np.ndarray:
    x, y = np.asarray(x), np.asarray(y)
    if x.ndim > 2:
        return np.stack([_cdist(a, b, p) for a, b in zip(x, y, strict=True)])
    return np.array([[_p_norm(a - b, p) for b in y] for a in x])


def _pdist(x: Any, p: float = 2.0) -> np.ndarray:
    rows = np.asarray(x)
    return np.array([_p_norm(a - b, p) for i, a in enumerate(rows) for b in rows[i + 1 :]])


def _dist(x: Any, y: Any, p: float = 2) -> np.ndarray:
    return np.array(_p_norm(np.asarray(x) - np.asarray(y), p))


def _renorm(x: Any, p: float, axis: int, largest: float) -> np.ndarray:
    result = np.moveaxis(np.asarray(x).copy(), axis, 0)
    for i, part in enumerate(result):
        size = _p_norm(part, p)
        if size > largest:
            result[i] = part * (largest / size)
    return np.moveaxis(result, 0, axis)


def _cosine(x: Any, y: Any, axis: int = 1, least: float = 1e-8) -> np.ndarray:
    x, y = np.broadcast_arrays(np.asarray(x), np.asarray(y))
    return (x * y).sum(axis) / (
        _vectors(x, 2, axis, least=least) * _vectors(y, 2, axis, least=least)
    )


# ---------------------------------------------------------------------------------- segments


def _extreme(dtype: np.dtype, sign: float) -> Any:
    """The largest number of the type, or for a negative sign the smallest."""
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    return limits.max if sign > 0 else limits.min


def _grouped(
    rows: Sequence[np.ndarray], ids: Sequence[int], count: int, reduce: Any, empty: float
) -> np.ndarray:
    """What `reduce` makes of the rows of each number, `empty` where there are none."""
    groups = [[r for r, n in zip(rows, ids, strict=True) if n == s] for s in range(count)]
    none = np.full_like(rows[0], _extreme(rows[0].dtype, empty) if np.isinf(empty) else empty)
    return np.stack([reduce(g, 0) if g else none for g in groups])


def _unsorted(reduce: Any, empty: float) -> Callable[..., np.ndarray]:
    def compute(x: Any, segment_ids: Any, count: int) -> np.ndarray:
        ids = np.asarray(segment_ids)
        rows = np.asarray(x).reshape(ids.size, *x.shape[ids.ndim :])
        return _grouped(list(rows), ids.ravel().tolist(), count, reduce, empty)

    return compute


def _ascending(reduce: Any, empty: float = 0) -> Callable[..., np.ndarray]:
    def compute(x: Any, segment_ids: Any) -> np.ndarray:
        ids = segment_ids.tolist()
        return _grouped(list(np.asarray(x)), ids, ids[-1] + 1, reduce, empty)

    return compute


def _sparse_mean(x: Any, indices: Any, segment_ids: Any) -> np.ndarray:
    rows = [np.asarray(x)[i] for i in indices.tolist()]
    ids = segment_ids.tolist()
    return _grouped(rows, ids, ids[-1] + 1, np.mean, 0)


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.cdist": _cdist,
    "mint.cdist": _cdist,
    "Cdist": _cdist,
    "ops.pdist": _pdist,
    "ops.dist": _dist,
    "ops.norm+Tensor.norm+mint.linalg.norm": _norm,
    "mint.norm": _vectors,
    "ops.vector_norm": _vectors,
    "ops.matrix_norm": _matrices,
    "mint.linalg.vector_norm": _vectors,
    "mint.linalg.matrix_norm": _matrices,
    "LpNorm": _lp_norm,
    "ops.renorm+Tensor.renorm": _renorm,
    "ops.cosine_similarity": _cosine,
    "ops.unsorted_segment_sum+UnsortedSegmentSum": _unsorted(np.sum, 0),
    "ops.unsorted_segment_max+Tensor.unsorted_segment_max+UnsortedSegmentMax": _unsorted(
        np.max, -math.inf
    ),
    "ops.unsorted_segment_min+Tensor.unsorted_segment_min+UnsortedSegmentMin": _unsorted(
        np.min, math.inf
    ),
    "ops.unsorted_segment_prod+Tensor.unsorted_segment_prod+UnsortedSegmentProd": _unsorted(
        np.prod, 1
    ),
    "SegmentSum": _ascending(np.sum),
    "SegmentMean": _ascending(np.mean),
    "SegmentMax": _ascending(np.max),
    "SegmentMin": _ascending(np.min),
    "SegmentProd": _ascending(np.prod, 1),
    "ops.sparse_segment_mean": _sparse_mean,
}
