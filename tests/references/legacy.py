"""Primitive classes without a function, or with another one, by their definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from .assignment import at_places, copied

__all__ = ["REFERENCES"]


# ------------------------------------------------------------------------------ elements


def _finite(x: Any) -> bool:
    return all(math.isfinite(v) for v in x.ravel().tolist())


def _check_numerics(x: Any) -> Any:
    assert _finite(x)
    return x


def _equal_count(x: Any, y: Any) -> list[int]:
    return [sum(a == b for a, b in zip(x.ravel().tolist(), y.ravel().tolist(), strict=True))]


def _conjugate(x: Any, perm: Any) -> np.ndarray:
    x = np.asarray(x).transpose(perm)
    return x.real - 1j * x.imag


# ------------------------------------------------------------------------------ reductions


def _count_non_zero(x: Any, *, dims: Any = None) -> Any:
    return np.where(np.asarray(x) == 0, 0, 1).sum(dims)


def _euclidean_norm(x: Any, axes: Any, *, keep_dims: bool = False) -> Any:
    whole = np.asarray(x).dtype.kind == "i"
    result = np.sqrt((np.asarray(x) ** 2).sum(tuple(int(a) for a in axes), keepdims=keep_dims))
    return np.floor(result) if whole else result


def _nuclear_norm(x: Any, *, dim: Any = (-2, -1), keepdim: bool = False) -> np.ndarray:
    """The trace of the root of x^T x: the sum of the roots of its eigenvalues."""
    planes = np.moveaxis(np.asarray(x), dim, (-2, -1))
    squares = np.linalg.eigvalsh(np.einsum("...ij,...ik->...jk", planes, planes))
    small = min(planes.shape[-2:])  # the other eigenvalues are zero but for rounding
    total = np.sqrt(squares[..., -small:]).sum(-1)
    return np.expand_dims(total, dim) if keepdim else total


def _pdist(x: Any, *, p: float = 2.0) -> list[float]:
    return [
        sum(abs(a - b) ** p for a, b in zip(one, other, strict=True)) ** (1 / p)
        for one, other in itertools.combinations(x.tolist(), 2)
    ]


def _renorm(x: Any, *, p: float, dim: int, maxnorm: float) -> np.ndarray:
    result = copied(x)
    for part in np.moveaxis(result, dim, 0):
        size = (np.abs(part) ** p).sum() ** (1 / p)
        if size > maxnorm:
            part *= maxnorm / size
    return result


def _median(
    x: Any, *, global_median: bool = False, axis: int = 0, keep_dims: bool = False
) -> tuple:
    """The lower of two middle elements; that of all elements has place 0."""
    if global_median:
        return sorted(x.ravel().tolist())[(x.numel() - 1) // 2], 0
    x = np.asarray(x)
    order = np.argsort(x, axis)
    places = np.take(order, [(x.shape[axis] - 1) // 2], axis)
    values = np.take_along_axis(x, places, axis)
    return (values, places) if keep_dims else (values.squeeze(axis), places.squeeze(axis))


def _quantile(x: Any, q: Any, *, dim: Any = None, keep_dims: bool = False) -> Any:
    return np.quantile(np.asarray(x), np.asarray(q), axis=dim, keepdims=keep_dims)


def _histogram(x: Any, *, bins: int = 100, min: float = 0.0, max: float = 0.0) -> list[int]:
    """The last interval includes its end; what is outside of all does not count."""
    values = x.ravel().tolist()
    if min == max:
        values.sort()
        min, max = values[0], values[-1]
    counts = [0] * bins
    for value in values:
        if min <= value <= max:
            place = math.floor((value - min) * bins / (max - min))
            counts[bins - 1 if place == bins else place] += 1
    return counts


def _histogram_fixed_width(x: Any, range: Any, *, nbins: int) -> list[int]:
    low, high = range.tolist()
    counts = [0] * nbins
    for value in x.ravel().tolist():
        place = math.floor((value - low) * nbins / (high - low))
        counts[min(max(place, 0), nbins - 1)] += 1
    return counts


def _bincount(array: Any, size: Any, weights: Any) -> list[float]:
    pairs = list(zip(array.tolist(), weights.tolist(), strict=True))
    return [sum((w for a, w in pairs if a == k), 0.0) for k in range(int(size))]


# --------------------------------------------------------------------------------- orders


def _list_diff(x: Any, y: Any, *, out_idx: Any = None) -> tuple:
    unwanted = set(y.tolist())
    places = [i for i, v in enumerate(x.tolist()) if v not in unwanted]
    return np.array([int(x[i]) for i in places], np.int64), np.array(places, np.int64)


def _bound(right: bool) -> Callable[..., np.ndarray]:
    """How many elements of the row lie before each value."""

    def compute(x: Any, values: Any) -> np.ndarray:
        x, values = np.asarray(x)[:, None, :], np.asarray(values)[:, :, None]
        return ((x <= values) if right else (x < values)).sum(-1)

    return compute


def _unravel_index(indices: Any, dims: Any) -> np.ndarray:
    rest, rows = np.asarray(indices), []
    for size in reversed(dims.tolist()):
        rows.append(rest % size)
        rest = rest // size
    return np.array(rows[::-1])


# NHWC to NCHW: what is on axis 0, 1, 2, 3 goes to 0, 2, 3, 1
_NEW_AXIS = {0: 0, 1: 2, 2: 3, 3: 1}


def _old_axes(src_format: str, dst_format: str) -> list[int]:
    """For each new axis the old one."""
    pairs = {
        "NHWC": list(_NEW_AXIS.items()),
        "NCHW": [(new, old) for old, new in _NEW_AXIS.items()],
    }
    assert src_format != dst_format
    return [old for old, _ in sorted(pairs[src_format], key=lambda pair: pair[1])]


def _dim_map(x: Any, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> list[int]:
    return [_old_axes(src_format, dst_format)[v % 4] for v in x.tolist()]


def _vec_permute(x: Any, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> np.ndarray:
    return np.array([np.asarray(x)[old] for old in _old_axes(src_format, dst_format)])


# -------------------------------------------------------------------------- creation, writing


def _log_space(start: Any, end: Any, *, steps: int = 10, base: int = 10) -> list[float]:
    return [base ** (start + (end - start) * i / (steps - 1)) for i in range(steps)]


def _fill_diagonal(x: Any, *, fill_value: float, wrap: bool = False) -> np.ndarray:
    """With `wrap` it starts again, one row below its end."""
    result = copied(x)
    height, width = result.shape
    for row in range(height):
        column = row % (width + 1) if wrap else row
        if column < width:
            result[row, column] = fill_value
    return result


def _index_put(x: Any, values: Any, indices: Any, *, accumulate: int = 0) -> np.ndarray:
    places = torch.stack(list(indices), -1)
    return at_places("add" if accumulate else "update")(x, places, values)


# ------------------------------------------------------------------------------- matrices


def _lstsq(a: Any, b: Any) -> np.ndarray:
    """The normal equations."""
    a, b = np.asarray(a), np.asarray(b)
    return np.linalg.solve(a.T @ a, a.T @ b)


def _factors(data: Any, pivots: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """P, L and U of one matrix; rows were exchanged in the order of the pivots, counted from 1."""
    data = np.asarray(data)
    permutation = np.eye(len(data))
    for row, other in enumerate(pivots.tolist()):
        permutation[[row, other - 1]] = permutation[[other - 1, row]]
    below = np.tri(len(data), k=-1)
    return permutation.T, data * below + np.eye(len(data)), data * (1 - below)


def _lu_solve(b: Any, data: Any, pivots: Any) -> np.ndarray:
    permutation, lower, upper = _factors(data, pivots)
    return np.linalg.inv(permutation @ lower @ upper) @ np.asarray(b)


def _ormqr(
    x: Any, tau: Any, other: Any, *, left: bool = True, transpose: bool = False
) -> np.ndarray:
    """Q is the product of the reflections 1 - tau v v^T; v has a one, then what is below."""
    x, q = np.asarray(x), np.eye(len(x))
    for k, scale in enumerate(tau.tolist()):
        v = np.concatenate((np.zeros(k), [1.0], x[k + 1 :, k]))
        q = q @ (np.eye(len(x)) - scale * np.outer(v, v))
    q = q.T if transpose else q
    return q @ np.asarray(other) if left else np.asarray(other) @ q


def _tridiagonal(above: Any, middle: Any, below: Any, rhs: Any) -> np.ndarray:
    rhs = np.asarray(rhs)
    lead, size = rhs.shape[:-2], rhs.shape[-2]
    above, middle, below = (np.asarray(d).reshape(*lead, size) for d in (above, middle, below))
    result = np.zeros(rhs.shape)
    for b in np.ndindex(*lead):
        for i in range(size):
            result[(*b, i)] = middle[(*b, i)] * rhs[(*b, i)]
            if i > 0:
                result[(*b, i)] += below[(*b, i)] * rhs[(*b, i - 1)]
            if i < size - 1:
                result[(*b, i)] += above[(*b, i)] * rhs[(*b, i + 1)]
    return result


def _pad_and_shift(x: Any, sums: Any, place: int) -> list[float]:
    start, end, length = int(sums[place]), int(sums[place + 1]), int(sums[-1])
    return [x[i - start].item() if start <= i < end else -1 for i in range(length)]


# --------------------------------------------------------------------- counts, bits, masks


def _confusion_matrix(
    labels: Any, predictions: Any, weights: Any = None, *, num_classes: int, dtype: str = "int32"
) -> np.ndarray:
    result = np.zeros((num_classes, num_classes))
    for i in range(len(labels)):
        result[labels[i], predictions[i]] += 1 if weights is None else int(weights[i])
    return result


def _bitpack(x: Any, threshold: Any) -> np.ndarray:
    """The first bit is the highest one, of bools the lowest."""
    x, threshold = np.asarray(x), np.asarray(threshold)
    order = "little" if x.dtype == bool else "big"
    return np.packbits(x > threshold, axis=-1, bitorder=order)


def _ragged_range(starts: Any, limits: Any, deltas: Any, *, Tsplits: Any) -> tuple:
    numbers: list[float] = []
    splits = [0]
    kind = np.asarray(starts).dtype
    first, end, step = (np.atleast_1d(np.asarray(v)) for v in (starts, limits, deltas))
    for start, limit, delta in zip(first, end, step, strict=True):
        i = 0
        while (start + i * delta < limit) if delta > 0 else (start + i * delta > limit):
            numbers.append(start + i * delta)
            i += 1
        splits.append(len(numbers))
    return np.array(splits), np.array(numbers, kind)


def _batch_to_space(x: Any, block: Any, crops: Any) -> np.ndarray:
    """Part (i, j) of the batch gives the pixels of rows i and columns j modulo the block."""
    (down, right), ((top, bottom), (left, end)) = block, crops
    x = np.asarray(x)
    batch = len(x) // (down * right)
    result = np.zeros((batch, x.shape[1], x.shape[2] * down, x.shape[3] * right))
    for i in range(down):
        for j in range(right):
            part = (i * right + j) * batch
            result[:, :, i::down, j::right] = x[part : part + batch]
    return result[:, :, top : result.shape[2] - bottom, left : result.shape[3] - end]


def _masked(x: Any, mask: Any, keep: float) -> np.ndarray:
    bits = [byte >> bit & 1 for byte in mask.tolist() for bit in range(8)]
    return np.array(bits[: x.numel()]).reshape(x.shape) * np.asarray(x) / keep


REFERENCES: dict[str, Callable[..., Any]] = {
    # legacy
    "ComplexAbs": lambda x: np.hypot(np.real(np.asarray(x)), np.imag(np.asarray(x))),
    "ConjugateTranspose": _conjugate,
    "CheckNumerics": _check_numerics,
    "FloatStatus": lambda x: np.array([0.0 if _finite(x) else 1.0]),
    "EqualCount": lambda x, y: np.array(_equal_count(x, y)),
    "SquareSumAll": lambda x, y: (np.sum(np.asarray(x) ** 2), np.sum(np.asarray(y) ** 2)),
    "CountNonZero": _count_non_zero,
    "EuclideanNorm": _euclidean_norm,
    "NuclearNorm": _nuclear_norm,
    "Pdist": lambda x, **p: np.array(_pdist(x, **p)),
    "Renorm": _renorm,
    "Median": lambda x, **by: tuple(np.asarray(part) for part in _median(x, **by)),
    "Quantile": _quantile,
    "Histogram": lambda x, **by: np.array(_histogram(x, **by)),
    "HistogramFixedWidth": lambda *x, **by: np.array(_histogram_fixed_width(*x, **by)),
    "Bincount": lambda *x: np.array(_bincount(*x)),
    "ListDiff": _list_diff,
    "LowerBound": _bound(False),
    "UpperBound": _bound(True),
    "UnravelIndex": _unravel_index,
    "DataFormatDimMap": lambda x, **by: np.array(_dim_map(x, **by)),
    "DataFormatVecPermute": _vec_permute,
    "ParallelConcat": lambda values: np.array([np.asarray(v)[0] for v in values]),
    "LogSpace": lambda start, end, **by: np.array(_log_space(start, end, **by)),
    "FillDiagonal": _fill_diagonal,
    "IndexPut": _index_put,
    "Lstsq": _lstsq,
    "LuSolve": _lu_solve,
    "LuUnpack": _factors,
    "Ormqr": _ormqr,
    "TridiagonalMatMul": _tridiagonal,
    "TypeAs": lambda x, other: np.asarray(x).astype(np.asarray(other).dtype),
    "PadAndShift": lambda *x: np.array(_pad_and_shift(*x)),
    # legacy_values
    "ConfusionMatrix": _confusion_matrix,
    "CompareAndBitpack": _bitpack,
    "RaggedRange": _ragged_range,
    "BatchToSpaceNDV2": _batch_to_space,
    "DropoutDoMask": _masked,
    "NPUAllocFloatStatus": lambda: np.zeros(8),
    "NPUGetFloatStatus": np.asarray,
}
