"""References of the methods that change their tensor: what it holds afterwards."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

Array = np.ndarray


def _array(value: Any) -> Any:
    return value.numpy() if isinstance(value, torch.Tensor) else value


def _on_arrays(compute: Callable[..., Array]) -> Callable[..., Array]:
    """Tensors become arrays on the way in; the first one may be changed."""
    return lambda *args, **kwargs: compute(
        *(_array(a) for a in args), **{k: _array(v) for k, v in kwargs.items()}
    )


def _kept(compute: Callable[..., Array]) -> Callable[..., Array]:
    """The result in the first argument's type, as it has to fit in there."""

    def of(x: Array, *args: Any, **kwargs: Any) -> Array:
        return compute(x, *args, **kwargs).astype(x.dtype)

    return _on_arrays(of)


def _divided(x: Array, y: Any, rounding_mode: str | None = None) -> Array:
    rounded = {None: lambda v: v, "floor": np.floor, "trunc": np.trunc}[rounding_mode]
    return rounded(x / y)


def _bounded(x: Array, low: Any, high: Any) -> Array:
    above = x if low is None else np.where(x < low, low, x)
    return above if high is None else np.where(above > high, high, above)


def _erfinv(x: Array) -> Array:
    """Newton's method on ``math.erf``, from 0: it converges from one side."""

    def solve(value: float) -> float:
        y = 0.0
        for _ in range(100):
            y -= (math.erf(y) - value) * math.sqrt(math.pi) / 2 * math.exp(y * y)
        return y

    return np.vectorize(solve)(x)


def _masked_fill(x: Array, mask: Array, value: float) -> Array:
    return np.where(mask, value, x)


def _masked_scatter(x: Array, mask: Array, source: Array) -> Array:
    values = iter(source.flat)
    for place in np.ndindex(x.shape):
        if mask[place]:
            x[place] = next(values)
    return x


def _slices(write: Callable[[Any, Any], Any]) -> Callable[..., Array]:
    """Slices of the first argument along an axis replaced, one after the other."""

    def of(x: Array, dim: int, index: Array, source: Any, alpha: float = 1) -> Array:
        rows = np.moveaxis(x, dim, 0)
        for n, i in enumerate(index):
            given = np.moveaxis(source, dim, 0)[n] if isinstance(source, Array) else source
            rows[i] = write(rows[i], alpha * given)
        return x

    return _on_arrays(of)


def _new(old: Any, value: Any) -> Any:
    return value


def _sum(old: Any, value: Any) -> Any:
    return old + value


def _index_put(
    x: torch.Tensor, indices: Sequence[torch.Tensor], values: torch.Tensor, accumulate: bool = False
) -> torch.Tensor:
    for n, place in enumerate(zip(*(i.tolist() for i in indices), strict=True)):
        x[place] = values[n] + (x[place] if accumulate else 0)
    return x


def _put(x: Array, index: Array, source: Array, accumulate: bool = False) -> Array:
    for i, value in zip(index.flat, source.flat, strict=True):
        x.flat[i] = x.flat[i] + value if accumulate else value
    return x


def _scatter(x: Array, dim: int, index: Array, src: Any, reduce: str | None = None) -> Array:
    for place in np.ndindex(index.shape):
        to = list(place)
        to[dim] = index[place]
        value = src[place] if isinstance(src, Array) else src
        old = x[tuple(to)]
        x[tuple(to)] = {"add": old + value, "multiply": old * value}.get(reduce or "", value)
    return x


def _fill_diagonal(x: Array, value: float, wrap: bool = False) -> Array:
    """Every (columns + 1)-th element in memory; without `wrap` down to the first square's end."""
    rows, columns = x.shape
    last = x.size if wrap else min(rows, columns) * columns
    for i in range(0, last, columns + 1):
        x[i // columns, i % columns] = value
    return x


def _itemset(x: Array, *args: Any) -> Array:
    *where, value = args
    if where and isinstance(where[0], tuple):
        x[where[0]] = value
    else:
        x.flat[where[0] if where else 0] = value
    return x


REFERENCES: dict[str, Callable[..., Any]] = {
    "Tensor.add_": _kept(lambda x, y, alpha=1: x + alpha * y),
    "Tensor.sub_": _kept(lambda x, y, alpha=1: x - alpha * y),
    "Tensor.mul_": _kept(lambda x, y: x * y),
    "Tensor.div_": _kept(_divided),
    "Tensor.pow_": _kept(lambda x, y: np.exp(y * np.log(x))),
    "Tensor.remainder_": _kept(lambda x, y: x - y * np.floor(x / y)),
    "Tensor.floor_divide_": _kept(lambda x, y: np.floor(x / y)),
    "ops.clamp_+Tensor.clamp_": _kept(_bounded),
    "Tensor.lerp_": _kept(lambda x, end, weight: (1 - weight) * x + weight * end),
    "Tensor.addmm_": _kept(
        lambda x, a, b, beta=1, alpha=1: beta * x + alpha * np.einsum("ik,kj->ij", a, b)
    ),
    "Tensor.logical_not_": _kept(lambda x: x == 0),
    "Tensor.exp_": _kept(np.exp),
    "Tensor.log_": _kept(np.log),
    "Tensor.sqrt_": _kept(np.sqrt),
    "Tensor.rsqrt_": _kept(lambda x: 1 / np.sqrt(x)),
    "Tensor.square_": _kept(lambda x: x * x),
    "Tensor.reciprocal_": _kept(lambda x: 1 / x),
    "Tensor.abs_": _kept(lambda x: np.where(x < 0, -x, x)),
    "Tensor.neg_": _kept(lambda x: 0 - x),
    "Tensor.floor_": _kept(np.floor),
    "Tensor.ceil_": _kept(np.ceil),
    "Tensor.round_": _kept(np.rint),
    "Tensor.trunc_": _kept(lambda x: np.where(x < 0, np.ceil(x), np.floor(x))),
    "Tensor.sign_": _kept(lambda x: (x > 0) * 1.0 - (x < 0)),
    "Tensor.sigmoid_": _kept(lambda x: 1 / (1 + np.exp(-x))),
    "ops.tanh_+Tensor.tanh_": _kept(lambda x: 1 - 2 / (np.exp(2 * x) + 1)),
    "Tensor.sin_": _kept(np.sin),
    "Tensor.cos_": _kept(np.cos),
    "ops.erfinv_+Tensor.erfinv_": _kept(_erfinv),
    "ops.zero_+Tensor.zero_": _kept(np.zeros_like),
    "Tensor.fill_": _kept(lambda x, value: np.full(x.shape, value)),
    "Tensor.masked_fill_": _kept(_masked_fill),
    "Tensor.masked_scatter_": _kept(_masked_scatter),
    "Tensor.copy_": _kept(lambda x, src: np.broadcast_to(src, x.shape)),
    "Tensor.index_add_": _slices(_sum),
    "Tensor.index_copy_": _slices(_new),
    "Tensor.index_fill_": _slices(_new),
    "Tensor.index_put_": _index_put,
    "ops.put_+Tensor.put_": _kept(_put),
    "Tensor.scatter_": _kept(_scatter),
    "Tensor.scatter_add_": _kept(lambda x, dim, index, src: _scatter(x, dim, index, src, "add")),
    "Tensor.fill_diagonal_": _kept(_fill_diagonal),
    "Tensor.fill_diagonal": _kept(_fill_diagonal),
    "Tensor.itemset": _kept(_itemset),
}
