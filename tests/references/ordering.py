"""Sorting, searching, sets, and running sums and extremes, in Python's own functions."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["REFERENCES"]


def _lines(x: Any, axis: int, compute: Callable[[list], Sequence[Any]], count: int) -> tuple:
    """Arrays of the `count` lists, or numbers, that a function makes of each line along an axis."""
    x = np.asarray(x)
    if x.ndim == 0:
        return tuple(np.array(part).reshape(()) for part in compute([x.item()]))
    moved = np.moveaxis(x, axis, -1)
    lead = moved.shape[:-1]
    items = [compute(moved[i].tolist()) for i in np.ndindex(*lead)]
    parts = [np.array([f[k] for f in items]) for k in range(count)]
    shaped = [p.reshape(*lead, *p.shape[1:]) for p in parts]
    return tuple(np.moveaxis(p, -1, axis) if p.ndim == x.ndim else p for p in shaped)


# --------------------------------------------------------------------------------- sorting


def _ordered(line: list, descending: bool) -> tuple[list, list]:
    order = sorted(range(len(line)), key=line.__getitem__, reverse=descending)
    return [line[i] for i in order], order


def _sort(
    x: Any, axis: int = -1, descending: bool = False, stable: bool = True, **by: Any
) -> tuple:
    """Python sorts stably, also in descending order."""
    axis = by.get("dim", axis)
    return _lines(x, axis, lambda line: _ordered(line, descending), 2)


def _argsort(*args: Any, **by: Any) -> Any:
    return _sort(*args, **by)[1]


def _top(x: Any, k: Any, dim: Any = None, largest: bool = True, sorted: bool = True) -> tuple:
    def compute(line: list) -> tuple:
        values, places = _ordered(line, largest)
        return values[: int(k)], places[: int(k)]

    return _lines(x, -1 if dim is None else dim, compute, 2)


class _LastTop:
    """The k largest of the last axis; without `sorted` in any order, so they are brought in one."""

    def __call__(self, x: Any, k: Any, sorted: bool = True) -> tuple:
        return _top(x, k)

    @staticmethod
    def of(result: Any) -> tuple:
        values, places = (np.asarray(r) for r in result)
        order = np.argsort(-values, -1)
        return np.take_along_axis(values, order, -1), np.take_along_axis(places, order, -1)


def _kth(x: Any, k: int, dim: int = -1, keepdim: bool = False) -> tuple:
    values, places = _sort(x, dim)
    result = (np.take(values, [k - 1], dim), np.take(places, [k - 1], dim))
    return result if keepdim else tuple(f.squeeze(dim) for f in result)


def _nth(x: Any, n: int, *, reverse: bool = False) -> Any:
    return _sort(x, -1, reverse)[0][..., n]


def _in_top(x: Any, targets: Any, k: int) -> list[bool]:
    return [
        sum(v > row[t] for v in row) < k
        for row, t in zip(x.tolist(), targets.tolist(), strict=True)
    ]


# ------------------------------------------------------------------------------- searching


def _search(
    sequence: Any,
    values: Any,
    side: str | None = None,
    sorter: Any = None,
    *,
    right: bool = False,
    **types: Any,
) -> np.ndarray:
    find = bisect.bisect_right if right or side == "right" else bisect.bisect_left
    lines, values = np.asarray(sequence), np.asarray(values)
    if sorter is not None:
        lines = np.take_along_axis(lines, np.asarray(sorter), -1)
    result = np.zeros(values.shape, np.int64)
    for i in np.ndindex(*values.shape):
        line = lines if lines.ndim == 1 else lines[i[:-1]]
        result[i] = find(line.tolist(), float(values[i]))
    return result


def _search_primitive(sequence: Any, values: Any, sorter: Any = None, **by: Any) -> np.ndarray:
    return _search(sequence, values, None, sorter, **by)


def _bucketize(x: Any, boundaries: Any, *, right: bool = False) -> np.ndarray:
    """How many bounds are less than an element, or not greater."""
    bounds, x = np.asarray(boundaries), np.asarray(x)[..., None]
    return ((bounds <= x) if right else (bounds < x)).sum(-1)


# ------------------------------------------------------------------------------------ sets


def _first_seen(x: Any) -> tuple:
    values = list(dict.fromkeys(x.ravel().tolist()))
    return values, np.array([values.index(v) for v in x.ravel().tolist()]).reshape(x.shape)


def _unique(x: Any) -> tuple:
    values, places = _first_seen(x)
    return np.array(values), places


def _unique_with_pad(x: Any, pad: int) -> tuple:
    values, places = _first_seen(x)
    return np.array(values + [pad] * (x.numel() - len(values))), places


def _slices(x: Any, dim: int | None) -> tuple[list, Callable[[list], np.ndarray]]:
    """What is compared, elements or slices, and how an array is made of some of them."""
    if dim is None:
        return x.ravel().tolist(), np.array
    moved = np.moveaxis(np.asarray(x), dim, 0)
    keys = [tuple(part.ravel().tolist()) for part in moved]
    shape = moved.shape[1:]
    return keys, lambda some: np.moveaxis(np.array(some).reshape(-1, *shape), 0, dim)


def _chosen(values: Any, inverse: Any, counts: Any, wants: tuple[bool, bool]) -> Any:
    items = [values, *(v for v, want in zip((inverse, counts), wants, strict=True) if want)]
    return tuple(items) if len(items) > 1 else values


def _unique_sorted(
    x: Any, sorted: bool = True, inverse: bool = False, counts: bool = False, dim: Any = None
) -> Any:
    keys, result = _slices(x, dim)
    values = list(dict.fromkeys(keys))
    values.sort()
    places = np.array([values.index(key) for key in keys])
    numbers = np.array([keys.count(v) for v in values])
    return _chosen(
        result(values),
        places.reshape(x.shape) if dim is None else places,
        numbers,
        (inverse, counts),
    )


def _runs(
    x: Any, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    keys, result = _slices(x, dim)
    groups = [(key, len(list(run))) for key, run in itertools.groupby(keys)]
    places = np.repeat(np.arange(len(groups)), [n for _, n in groups])
    return _chosen(
        result([key for key, _ in groups]),
        places.reshape(x.shape) if dim is None else places,
        np.array([n for _, n in groups]),
        (return_inverse, return_counts),
    )


def _combinations(x: Any, r: int = 2, with_replacement: bool = False) -> np.ndarray:
    pick = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    return np.array(list(pick(x.tolist(), r)))


def _product(*vectors: Any) -> Any:
    return np.array(list(itertools.product(*(v.tolist() for v in vectors))))


def _inverse(places: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(places.index(i) for i in range(len(places)))


# --------------------------------------------------------------------------------- running


def _typed(x: Any, dtype: Any) -> Any:
    return x if dtype is None else np.asarray(x).astype(str(dtype).lower())


def _accumulate(
    x: Any,
    axis: int,
    combine: Callable[[Any, Any], Any],
    neutral: float = 0,
    exclusive: bool = False,
    reverse: bool = False,
) -> np.ndarray:
    def compute(line: list) -> tuple[list]:
        line = line[::-1] if reverse else line
        line = [neutral, *line[:-1]] if exclusive else line
        items = list(itertools.accumulate(line, combine))
        return (items[::-1] if reverse else items,)

    return _lines(x, axis, compute, 1)[0]


def _sum(a: float, b: float) -> float:
    return a + b


def _product_of(a: float, b: float) -> float:
    return a * b


def _log_of_sum(a: float, b: float) -> float:
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


def _cumsum(x: Any, axis: Any = None, dtype: Any = None, *, dim: Any = None) -> np.ndarray:
    axis = dim if axis is None else axis
    x = _typed(x, dtype)
    return _accumulate(x.reshape(-1), 0, _sum) if axis is None else _accumulate(x, axis, _sum)


def _running(combine: Callable[[Any, Any], Any], neutral: float) -> Callable[..., np.ndarray]:
    return lambda x, axis, **options: _accumulate(x, axis, combine, neutral, **options)


def _extremes(better: Callable[[Any, Any], bool]) -> Callable[..., tuple]:
    """The best so far and its place; of equal ones the last."""

    def compute(line: list) -> tuple[list, list]:
        places = [0]
        for i in range(1, len(line)):
            places.append(i if better(line[i], line[places[-1]]) else places[-1])
        return [line[p] for p in places], places

    return lambda x, axis: _lines(x, axis, compute, 2)


_largest = _extremes(lambda a, b: a >= b)
_smallest = _extremes(lambda a, b: a <= b)


def _diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    parts = [np.asarray(p) for p in (prepend, x, append) if p is not None]
    result = np.moveaxis(np.concatenate(parts, axis), axis, 0)
    for _ in range(n):
        result = result[1:] - result[:-1]
    return np.moveaxis(result, 0, axis)


def _trapz(y: Any, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Any:
    y = np.moveaxis(np.asarray(y), dim, -1)
    steps = dx if x is None else _diff(np.moveaxis(np.asarray(x), dim, -1))
    return (steps * (y[..., 1:] + y[..., :-1]) / 2).sum(-1)


REFERENCES: dict[str, Callable[..., Any]] = {
    # order
    "ops.sort": _sort,
    "Sort": _sort,
    "Tensor.sort": _sort,
    "mint.sort": _sort,
    "ops.argsort": _argsort,
    "Tensor.argsort": _argsort,
    "mint.argsort": _argsort,
    "ops.msort+Tensor.msort": lambda x: _sort(x, 0)[0],
    "ops.topk": _top,
    "Tensor.topk": _top,
    "mint.topk": _top,
    "ops.top_k+Tensor.top_k": _LastTop(),
    "TopK": _LastTop(),
    "Tensor.kthvalue+mint.kthvalue": _kth,
    "NthElement": _nth,
    "ops.intopk": _in_top,
    "InTopK": _in_top,
    "ops.searchsorted+mint.searchsorted": _search,
    "Tensor.searchsorted": _search,
    "SearchSorted": _search_primitive,
    "ops.bucketize": _bucketize,
    "Bucketize": lambda x, boundaries: _bucketize(x, boundaries, right=True),
    "ops.unique+Unique": _unique,
    "Tensor.unique+mint.unique": _unique_sorted,
    "ops.unique_consecutive+Tensor.unique_consecutive+mint.unique_consecutive": _runs,
    "UniqueConsecutive": _runs,
    "ops.unique_with_pad+Tensor.unique_with_pad+UniqueWithPad": _unique_with_pad,
    "ops.cartesian_prod": _product,
    "ops.combinations": _combinations,
    "InvertPermutation": _inverse,
    # running
    "ops.cumsum": _cumsum,
    "Tensor.cumsum": _cumsum,
    "mint.cumsum": _cumsum,
    "ops.cumprod+Tensor.cumprod+mint.cumprod": lambda x, dim, dtype=None: _accumulate(
        _typed(x, dtype), dim, _product_of
    ),
    "CumSum": _running(_sum, 0),
    "CumProd": _running(_product_of, 1),
    "ops.cummax+Tensor.cummax": _largest,
    "mint.cummax": _largest,
    "Cummax": _largest,
    "ops.cummin+Tensor.cummin": _smallest,
    "mint.cummin": _smallest,
    "Cummin": _smallest,
    "ops.logcumsumexp+Tensor.logcumsumexp": _running(_log_of_sum, -math.inf),
    "CumulativeLogsumexp": _running(_log_of_sum, -math.inf),
    "ops.diff": _diff,
    "Tensor.diff": _diff,
    "mint.diff": _diff,
    "ops.trapz": _trapz,
}
