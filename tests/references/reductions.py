"""Sums, means, extremes and counts along axes, in numpy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["REFERENCES"]


def _axes(axis: Any) -> Any:
    """numpy's axes: an empty tuple means all of them in MindSpore, none in numpy."""
    if axis is None:
        return None
    return (tuple(axis) or None) if isinstance(axis, (tuple, list)) else axis


def _count(x: np.ndarray, axis: Any) -> int:
    """How many elements make one element of the result."""
    axes = _axes(axis)
    if axes is None:
        return x.size
    return math.prod(x.shape[a] for a in (axes if isinstance(axes, tuple) else (axes,)))


def _array(x: Any, dtype: Any = None) -> np.ndarray:
    x = np.asarray(x)
    return x if dtype is None else x.astype(np.dtype(str(dtype).lower()))


# -------------------------------------------------------------- sums, means, products


def _sum(x: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    return _array(x, dtype).sum(_axes(axis), keepdims=keepdims)


def _mean(x: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    x = _array(x, dtype)
    result = x.sum(_axes(axis), keepdims=keepdims) / _count(x, axis)
    return np.trunc(result) if x.dtype.kind == "i" else result


def _prod(x: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    x = _array(x, dtype)
    x = x.astype(np.int64) if x.dtype == bool else x
    axes = _axes(axis)
    axes = range(x.ndim) if axes is None else axes if isinstance(axes, tuple) else (axes,)
    for a in axes:
        parts = np.moveaxis(x, a, 0)
        result = np.ones(parts.shape[1:], x.dtype)
        for part in parts:
            result = result * part
        x = np.expand_dims(result, a)
    return x if keepdims else x.reshape([n for a, n in enumerate(x.shape) if a not in axes])


def _truth(whole: bool) -> Callable[..., Any]:
    """all or any, by counting."""

    def compute(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        x = np.asarray(x)
        true = (x != 0).sum(_axes(axis), keepdims=keepdims)
        return true == _count(x, axis) if whole else true > 0

    return compute


def _named(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction whose arguments go by the names of all faces."""

    def call(
        x: Any,
        axis: Any = None,
        keepdims: bool = False,
        *,
        dim: Any = None,
        keepdim: bool = False,
        keep_dims: bool = False,
        **rest: Any,
    ) -> Any:
        return compute(x, axis if dim is None else dim, keepdims or keepdim or keep_dims, **rest)

    return call


def _sum_method(x: Any, axis: Any = None, second: Any = None, **rest: Any) -> Any:
    """In the second place a type or whether the axes stay; `initial` is added."""
    initial = rest.pop("initial", 0)
    if isinstance(second, bool):
        rest["keepdims"] = second
    elif second is not None:
        rest["dtype"] = second
    return _named(_sum)(x, axis, **rest) + initial


def _sum_to_size(x: Any, *sizes: Any) -> Any:
    shape = tuple(sizes[0]) if sizes and isinstance(sizes[0], tuple) else sizes
    result = np.zeros(shape)
    for place in np.ndindex(*x.shape):
        last = place[x.ndim - len(shape) :]
        result[tuple(p if n > 1 else 0 for p, n in zip(last, shape, strict=True))] += float(
            x[place]
        )
    return result


def _reduce_sum(x: Any, axis: Any = (), *, keep_dims: bool = False, skip_mode: bool = False) -> Any:
    return x if skip_mode and axis == () else _sum(x, axis, keep_dims)


# -------------------------------------------------------------------------- statistics


def _var_mean(x: Any, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> tuple:
    x = np.asarray(x)
    middle = _mean(x, axis, True)
    var = ((x - middle) ** 2).sum(_axes(axis), keepdims=keepdims) / (_count(x, axis) - int(ddof))
    return var, _mean(x, axis, keepdims)


def _spread(root: bool, mean: bool, default: int = 0, with_dim: int = 0) -> Callable[..., Any]:
    """std, var, std_mean or var_mean, with its defaults of `ddof` by older names and newer."""

    def compute(
        x: Any, axis: Any = None, ddof: Any = None, keepdims: bool = False, **other: Any
    ) -> Any:
        if ddof is None:
            newer = "dim" in other or "keepdim" in other
            ddof = other.get("correction", with_dim if newer else default)
        var, middle = _var_mean(
            x, other.get("dim", axis), ddof, keepdims or other.get("keepdim", False)
        )
        spread = np.sqrt(var) if root else var
        return (spread, middle) if mean else spread

    return compute


def _reduce_std(x: Any, *, axis: Any = (), unbiased: bool = True, keep_dims: bool = False) -> Any:
    var, middle = _var_mean(x, axis, int(unbiased), keep_dims)
    return np.sqrt(var), middle


def _count_nonzero(x: Any, axis: Any = (), keepdims: bool = False) -> Any:
    return np.where(np.asarray(x) == 0, 0, 1).sum(_axes(axis), keepdims=keepdims)


def _nansum(x: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    x = _array(x, dtype)
    return _sum(np.where(x == x, x, 0), axis, keepdims)


def _nanmean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    x = np.asarray(x)
    return _nansum(x, axis, keepdims) / _sum(x == x, axis, keepdims)


def _median(x: Any, axis: int = -1, keepdims: bool = False, *, nan: bool = True) -> Any:
    """The lower of two middle elements and its place; a nan is the median unless left out."""
    x = np.moveaxis(np.asarray(x), axis, -1)
    values, places = np.zeros(x.shape[:-1]), np.zeros(x.shape[:-1], np.int64)
    for line in np.ndindex(*x.shape[:-1]):
        order = sorted(
            (i for i in range(x.shape[-1]) if x[line][i] == x[line][i]), key=lambda i: x[line][i]
        )
        empty = [i for i in range(x.shape[-1]) if i not in order]
        place = empty[0] if not order or (nan and empty) else order[(len(order) - 1) // 2]
        values[line], places[line] = x[line][place], place
    return tuple(np.expand_dims(v, axis) if keepdims else v for v in (values, places))


def _median_mint(x: Any, *args: Any) -> Any:
    return _median(x, *args) if args else _median(x.reshape(-1))[0]


def _quantile(x: Any, q: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Between the neighbors of place q (n - 1) of the sorted elements that are not nan."""
    x, several = np.asarray(x), np.asarray(q)
    whole = x.ndim
    if axis is None:
        x, axis = x.reshape(-1), 0
        remaining = (1,) * whole
    else:
        remaining = tuple(1 if a == axis % whole else n for a, n in enumerate(x.shape))
    x = np.moveaxis(x, axis, -1)
    result = np.zeros((several.size, *x.shape[:-1]))
    for i, at in enumerate(several.reshape(-1)):
        for line in np.ndindex(*x.shape[:-1]):
            values = sorted(v for v in x[line] if v == v)
            place = at * (len(values) - 1)
            low = math.floor(place)
            high = math.ceil(place)
            result[(i, *line)] = values[low] + (place - low) * (values[high] - values[low])
    shape = remaining if keepdims else x.shape[:-1]
    return result.reshape((*several.shape, *shape))


def _cov(x: Any, *, correction: int = 1) -> Any:
    x = np.asarray(x)
    rows = x if x.ndim == 2 else x[None]
    n = rows.shape[1]
    items = [
        [((a - a.sum() / n) * (b - b.sum() / n)).sum() / (n - correction) for b in rows]
        for a in rows
    ]
    return np.array(items).reshape(() if x.ndim == 1 else (len(rows), len(rows)))


def _bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    numbers = [int(v) for v in x]
    result = np.zeros(max([minlength, *(v + 1 for v in numbers)]))
    for i, v in enumerate(numbers):
        result[v] += 1 if weights is None else float(weights[i])
    return result


def _histc(x: Any, bins: int = 100, low: float = 0.0, high: float = 0.0) -> Any:
    values = [float(v) for v in x.reshape(-1)]
    if low == high:
        low, high = min(values), max(values)
    result = np.zeros(bins)
    for v in values:
        if low <= v <= high:  # the last interval has its right end
            result[min(int((v - low) / (high - low) * bins), bins - 1)] += 1
    return result


# ---------------------------------------------------------------------------- extremes


def _better(sign: int, x: Any, initial: Any = None, where: Any = None) -> np.ndarray:
    """The elements times `sign`, so that the largest is looked for, bounded by `initial`."""
    x = np.asarray(x)
    if where is not None:
        x = np.where(where, x, initial)
    x = sign * x
    return x if initial is None else np.where(x < sign * initial, sign * initial, x)


def _values(sign: int) -> Callable[..., Any]:
    """The largest (1) or smallest (-1) elements: those at the end of the sorted ones."""

    def compute(
        x: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
    ) -> Any:
        x, axes = _better(sign, x, initial, where), _axes(axis)
        axes = range(x.ndim) if axes is None else axes if isinstance(axes, tuple) else (axes,)
        rest = [a for a in range(x.ndim) if a not in axes]
        lines = x.transpose(*rest, *axes).reshape(*(x.shape[a] for a in rest), -1)
        result = sign * np.sort(lines, -1)[..., -1]
        shape = [1 if a in axes else n for a, n in enumerate(x.shape)]
        return result.reshape(shape) if keepdims else result

    return compute


def _places(sign: int) -> Callable[..., Any]:
    """Where the first of the largest or smallest elements is, in the flat tensor without axis."""

    def compute(x: Any, axis: int | None = None, keepdims: bool = False, **bounds: Any) -> Any:
        x = _better(sign, x, **bounds)
        lines = x.reshape(-1) if axis is None else np.moveaxis(x, axis, -1)
        places = np.zeros(lines.shape[:-1], np.int64)
        for line in np.ndindex(*lines.shape[:-1]):
            places[line] = list(lines[line]).index(max(lines[line]))
        if not keepdims:
            return places
        return places.reshape((1,) * x.ndim) if axis is None else np.expand_dims(places, axis)

    return compute


def _both(sign: int, default: Any = None, first: str = "values") -> Callable[..., Any]:
    """Values and places; without an axis the place is 0."""

    def compute(x: Any, axis: Any = default, keepdims: bool = False, **bounds: Any) -> Any:
        keepdims = bounds.pop("keep_dims", keepdims)
        if axis is None:
            return _values(sign)(x, **bounds), np.int64(0)
        pair = (
            _values(sign)(x, axis, keepdims, **bounds),
            _places(sign)(x, axis, keepdims, **bounds),
        )
        return pair if first == "values" else pair[::-1]

    return compute


def _method(sign: int) -> Callable[..., Any]:
    """`dim` gives values and places, `axis` values alone unless places are asked for."""

    def compute(
        x: Any,
        dim: Any = None,
        keepdim: bool = False,
        *,
        axis: Any = None,
        keepdims: bool = False,
        return_indices: bool = False,
        **bounds: Any,
    ) -> Any:
        if dim is None and axis is None:
            return _values(sign)(x, **bounds)
        if dim is not None or return_indices:
            place = axis if dim is None else dim
            return _both(sign)(x, place, keepdim or keepdims, **bounds)
        return _values(sign)(x, axis, keepdims, **bounds)

    return compute


def _aminmax(x: Any, *, axis: int | None = 0, keepdims: bool = False) -> Any:
    return _values(-1)(x, axis, keepdims), _values(1)(x, axis, keepdims)


def _ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _values(1)(x, axis, keepdims) - _values(-1)(x, axis, keepdims)


def _typed(sign: int) -> Callable[..., Any]:
    return lambda x, *, axis=-1, output_type=None: _places(sign)(x, axis)


REFERENCES = {
    "ops.sum+mint.sum": _sum,
    "Tensor.sum": _sum_method,
    "Tensor.sum_to_size": _sum_to_size,
    "ops.mean": _mean,
    "mint.mean": _mean,
    "Tensor.mean": _named(_mean),
    "ops.prod": _prod,
    "mint.prod": _prod,
    "Tensor.prod": _named(_prod),
    "ops.all": _truth(True),
    "Tensor.all": _named(_truth(True)),
    "mint.all": _truth(True),
    "ReduceAll": _named(_truth(True)),
    "ops.any": _truth(False),
    "Tensor.any": _named(_truth(False)),
    "mint.any": _truth(False),
    "ReduceAny": _named(_truth(False)),
    "ReduceMean": _named(_mean),
    "ops.reduce_mean": _mean,
    "ReduceProd": _named(_prod),
    "ReduceSum": _reduce_sum,
    "ops.reduce_sum": _sum,
    "ReduceMax": _named(_values(1)),
    "ops.reduce_max": _values(1),
    "ReduceMin": _named(_values(-1)),
    "ops.reduce_min": _values(-1),
    "ops.std": _spread(True, False),
    "mint.std": _spread(True, False, 1),
    "ops.var": _spread(False, False),
    "mint.var": _spread(False, False, 1),
    "ops.std_mean": _spread(True, True),
    "mint.std_mean": _spread(True, True, 1),
    "ops.var_mean": _spread(False, True),
    "mint.var_mean": _spread(False, True, 1),
    "Tensor.std": _spread(True, False),
    "Tensor.var": _spread(False, False, with_dim=1),
    "ReduceStd": _reduce_std,
    "ops.count_nonzero": _count_nonzero,
    "Tensor.count_nonzero": _named(_count_nonzero),
    "mint.count_nonzero": _count_nonzero,
    "ops.nansum+Tensor.nansum": _nansum,
    "mint.nansum": _nansum,
    "ops.nanmean+Tensor.nanmean": _nanmean,
    "ops.median+Tensor.median": _median,
    "mint.median": _median_mint,
    "ops.nanmedian+Tensor.nanmedian": lambda *args: _median(*args, nan=False),
    "ops.quantile+Tensor.quantile": _quantile,
    "ops.nanquantile+Tensor.nanquantile": _quantile,
    "ops.cov+Tensor.cov": _cov,
    "ops.bincount+Tensor.bincount": _bincount,
    "mint.bincount": _bincount,
    "ops.histc+Tensor.histc+mint.histc": _histc,
    "ops.max": _both(1),
    "ops.min": _both(-1),
    "Tensor.max": _method(1),
    "Tensor.min": _method(-1),
    "mint.max": _method(1),
    "mint.min": _method(-1),
    "ops.amax+Tensor.amax": _values(1),
    "ops.amin+Tensor.amin": _values(-1),
    "mint.amax": _values(1),
    "mint.amin": _values(-1),
    "ops.aminmax+Tensor.aminmax": _aminmax,
    "Tensor.ptp": _ptp,
    "ops.argmax+mint.argmax": _places(1),
    "Tensor.argmax": _named(_places(1)),
    "ops.argmin": _places(-1),
    "mint.argmin": _places(-1),
    "Tensor.argmin": _named(_places(-1)),
    "Argmax": _typed(1),
    "Argmin": _typed(-1),
    "ArgMaxWithValue": _both(1, 0, "places"),
    "ArgMinWithValue": _both(-1, 0, "places"),
    "Tensor.argmax_with_value": _both(1, 0),
    "Tensor.argmin_with_value": _both(-1, 0),
}
