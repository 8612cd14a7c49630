"""References of the operators that make tensors, bound and combine them: create, combine."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

Array = np.ndarray


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, torch.Tensor) else value


def _filled(value: float) -> Callable[..., Array]:
    """One value in the shape of the first argument; the test converts it to the result's type."""

    def of(size: Any, dtype: Any = None) -> Array:
        shape = size if isinstance(size, (tuple, list)) else (size,)
        return np.array([value] * math.prod(shape)).reshape(shape)

    return of


def _like(value: float) -> Callable[..., Array]:
    return lambda x, dtype=None: np.array([value] * x.numel()).reshape(x.shape)


def _new(value: float) -> Callable[..., Array]:
    return lambda x, size, dtype=None: _filled(value)(size)


def _full(size: Any, value: Any, dtype: Any = None) -> Array:
    return _filled(_plain(value))(size)


def _full_like(x: torch.Tensor, value: Any, dtype: Any = None) -> Array:
    return _full(tuple(x.shape), value)


def _range(
    start: Any, end: Any = None, step: Any = 1, maxlen: Any = None, dtype: Any = None
) -> Any:
    start, end, step = (_plain(v) for v in (start, end, step))
    if end is None:
        start, end = 0, start
    count = max(0, math.ceil((end - start) / step))
    assert maxlen is None or count <= maxlen
    return np.array([start + i * step for i in range(count)])


def _spaced(start: Any, end: Any, steps: int, dtype: Any = None) -> Array:
    start, end = float(start), float(end)
    return np.array([start + i * (end - start) / (steps - 1) for i in range(steps)])


def _powers(start: Any, end: Any, steps: int, base: int = 10, dtype: Any = None) -> Array:
    return np.array([base**exponent for exponent in _spaced(start, end, steps).tolist()])


def _eye(n: int, m: int | None = None, dtype: Any = None) -> Array:
    return np.array([[float(i == j) for j in range(n if m is None else m)] for i in range(n)])


def _triangle(inside: Callable[[int, int], bool]) -> Callable[..., Array]:
    """The places of a matrix whose distance from the diagonal is on the right side of `offset`."""

    def of(row: int, col: int, offset: int = 0) -> Array:
        places = itertools.product(range(row), range(col))
        return np.array([(i, j) for i, j in places if inside(j - i, offset)]).T

    return of


_LOWER = _triangle(lambda distance, offset: distance <= offset)
_UPPER = _triangle(lambda distance, offset: distance >= offset)


def _one_hot(indices: torch.Tensor, depth: int, on: Any = 1, off: Any = 0, axis: int = -1) -> Array:
    result = np.full((*indices.shape, depth), _plain(off))
    for place in np.ndindex(*indices.shape):
        result[(*place, int(indices[place]))] = _plain(on)
    return np.moveaxis(result, -1, axis)


def _grid(*inputs: torch.Tensor, indexing: str = "xy") -> tuple[Array, ...]:
    lists = [t.reshape(-1).tolist() for t in inputs]
    items = [np.empty([len(values) for values in lists]) for _ in lists]
    for place in np.ndindex(items[0].shape):
        for axis, values in enumerate(lists):
            items[axis][place] = values[place[axis]]
    return tuple(m.swapaxes(0, 1) if indexing == "xy" else m for m in items)


def _vander(x: torch.Tensor, n: int | None = None) -> Array:
    count = len(x) if n is None else n
    rows = [[value ** (count - 1 - j) for j in range(count)] for value in x.tolist()]
    return np.array(rows).reshape(len(x), count)


_CREATE: dict[str, Callable[..., Any]] = {
    "ops.zeros+Zeros": _filled(0),
    "ops.ones+Ones": _filled(1),
    "mint.zeros": _filled(0),
    "mint.ones": _filled(1),
    # of `empty` the shape is all there is to compare: the samples have no elements
    "mint.empty": lambda *size, dtype=None: np.empty(size[0] if len(size) == 1 else size),
    "mint.empty_like": lambda x, dtype=None: np.empty(x.shape),
    "ops.deepcopy+Tensor.clone+mint.clone": lambda x: np.array(x.tolist()),
    "ops.full+mint.full": _full,
    "ops.fill+Fill": lambda dtype, shape, value: _full(shape, value),
    "FillV2": _full,
    "ops.fills+Tensor.fill+Fills": _full_like,
    "ops.zeros_like+mint.zeros_like": _like(0),
    "ops.ones_like+mint.ones_like": _like(1),
    "ops.full_like+mint.full_like": _full_like,
    "ZerosLike": _like(0),
    "OnesLike": _like(1),
    "Tensor.new_zeros": _new(0),
    "Tensor.new_ones": _new(1),
    "Tensor.new_full": lambda x, size, value: _full(size, value),
    "Tensor.new_tensor": lambda x, data: np.array(data),
    "ops.arange+mint.arange": _range,
    "ops.range": _range,
    "Range": _range,
    "ops.linspace+LinSpace": _spaced,
    "mint.linspace": _spaced,
    "ops.logspace": _powers,
    "ops.eye+mint.eye": _eye,
    "Eye": _eye,
    "ops.tril_indices": _LOWER,
    "TrilIndices": _LOWER,
    "ops.triu_indices": _UPPER,
    "TriuIndices": _UPPER,
    "ops.one_hot": _one_hot,
    "OneHot": _one_hot,
    "ops.meshgrid": _grid,
    "mint.meshgrid": lambda *inputs: _grid(*inputs, indexing="ij"),
    "Meshgrid": lambda inputs, indexing="xy": _grid(*inputs, indexing=indexing),
    "ops.vander": _vander,
}


# ---------------------------------------------------------------------------------- combine


def _array(value: Any) -> Any:
    return value.numpy() if isinstance(value, torch.Tensor) else value


def _bounded(x: torch.Tensor, low: Any = None, high: Any = None) -> Array:
    result = _array(x)
    if low is not None:
        result = np.where(result < _array(low), _array(low), result)
    if high is not None:
        result = np.where(result > _array(high), _array(high), result)
    return result


def _bounded_by_value(
    x: torch.Tensor, clip_value_min: Any = None, clip_value_max: Any = None
) -> Array:
    return _bounded(x, clip_value_min, clip_value_max).astype(_array(x).dtype)  # the type stays


def _finite(x: torch.Tensor, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Array:
    copied = _array(x).copy()
    if x.is_floating_point():
        limits = np.finfo(copied.dtype)
        copied[np.isnan(copied)] = 0.0 if nan is None else nan
        copied[copied == np.inf] = limits.max if posinf is None else posinf
        copied[copied == -np.inf] = limits.min if neginf is None else neginf
    return copied


def _between(x: torch.Tensor, end: torch.Tensor, weight: Any) -> Array:
    return (1 - _array(weight)) * _array(x) + _array(weight) * _array(end)


def _plus_product(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor, value: Any = 1) -> Array:
    return _array(x) + _array(value) * _array(a) * _array(b)


def _plus_quotient(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor, value: Any = 1) -> Array:
    return _array(x) + _array(value) * _array(a) / _array(b)


def _norm(tensors: Sequence[torch.Tensor], p: float = 2.0) -> float:
    return sum(abs(v) ** p for t in tensors for v in t.flatten().tolist()) ** (1 / p)


def _within_norm(
    x: torch.Tensor | Sequence[torch.Tensor], largest: float, p: float = 2.0
) -> Array | tuple[Array, ...]:
    tensors = [x] if isinstance(x, torch.Tensor) else x
    factor = min(1.0, largest / (_norm(tensors, p) + 1e-6))
    items = tuple(_array(t) * factor for t in tensors)
    return items[0] if isinstance(x, torch.Tensor) else items


def _within_global_norm(x: Sequence[torch.Tensor], largest: float) -> tuple[Array, ...]:
    total = _norm(x)
    return tuple(_array(t) * (largest / total if total > largest else 1.0) for t in x)


_COMBINE: dict[str, Callable[..., Any]] = {
    "ops.clamp+Tensor.clamp+mint.clamp": _bounded,
    "ops.clip_by_value": _bounded_by_value,
    "ops.nan_to_num+Tensor.nan_to_num+mint.nan_to_num": _finite,
    "NanToNum": _finite,
    "ops.lerp+Tensor.lerp+Lerp+mint.lerp": _between,
    "ops.addcmul+Tensor.addcmul+Addcmul": _plus_product,
    "ops.addcdiv+Tensor.addcdiv+Addcdiv": _plus_quotient,
    "mint.addcmul": _plus_product,
    "mint.addcdiv": _plus_quotient,
    "ops.addn+AddN": lambda x: np.sum([_array(t) for t in x], axis=0),
    "ops.clip_by_global_norm": _within_global_norm,
    "ops.clip_by_norm": _within_norm,
}

REFERENCES: dict[str, Callable[..., Any]] = {**_CREATE, **_COMBINE}
