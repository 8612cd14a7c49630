"""Pooling, window by window."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Pads = Sequence[tuple[int, int]]


def each(value: Any, rank: int) -> tuple[int, ...]:
    """One number for every dimension; of five with two leading ones, the last three."""
    return (value,) * rank if isinstance(value, int) else tuple(value)[-rank:]


def pairs(padding: Any, rank: int) -> Pads:
    """(before, after) for every dimension, from one number, one for each, or two for each."""
    if not isinstance(padding, int) and len(padding) == 2 * rank:
        return [(padding[2 * a], padding[2 * a + 1]) for a in range(rank)]
    return [(p, p) for p in each(padding, rank)]


def same_pads(sizes: Sequence[int], kernel: Any, stride: Any, dilation: Any = 1) -> Pads:
    """Padding for ceil(size / stride) windows, the odd element at the end."""
    rank = len(sizes)
    items = []
    for n, k, s, d in zip(
        sizes, each(kernel, rank), each(stride, rank), each(dilation, rank), strict=True
    ):
        total = max((math.ceil(n / s) - 1) * s + d * (k - 1) + 1 - n, 0)
        items.append((total // 2, total - total // 2))
    return items


def _starts(n: int, k: int, s: int, d: int, pads: tuple[int, int], ceil: bool) -> range:
    room = n + sum(pads) - d * (k - 1) - 1
    count = (math.ceil(room / s) if ceil else room // s) + 1
    if ceil and (count - 1) * s >= n + pads[0]:  # it would begin in the padding at the end
        count -= 1
    return range(-pads[0], -pads[0] + count * s, s)


def _windows(
    sizes: Sequence[int], kernel: Any, stride: Any, pads: Pads, dilation: Any, ceil: bool
) -> tuple[tuple[int, ...], Iterator[tuple[tuple[int, ...], list[list[int]], int]]]:
    """Shape of the output; and for each window its place, what it sees along every dimension, and
    how many elements it has with the padding."""
    rank = len(sizes)
    ks, ss, ds = each(kernel, rank), each(stride, rank), each(dilation, rank)
    starts = [
        _starts(n, k, s, d, p, ceil) for n, k, s, d, p in zip(sizes, ks, ss, ds, pads, strict=True)
    ]

    def walk() -> Iterator[tuple[tuple[int, ...], list[list[int]], int]]:
        for place in np.ndindex(*map(len, starts)):
            seen, full = [], 1
            for a, i in enumerate(place):
                all_of = [starts[a][i] + j * ds[a] for j in range(ks[a])]
                seen.append([p for p in all_of if 0 <= p < sizes[a]])
                full *= sum(p < sizes[a] + pads[a][1] for p in all_of)
            yield place, seen, full

    return tuple(map(len, starts)), walk()


def _fill(
    x: Any, rank: int, shape: Sequence[int], found: Any, reduce: Callable[[np.ndarray, int], Any]
) -> np.ndarray:
    x = np.asarray(x)
    lead = x.shape[: x.ndim - rank]
    out = np.zeros((*lead, *shape), x.dtype)
    for place, seen, full in found:
        block = x[(..., *np.ix_(*seen))].reshape(*lead, -1)
        out[(..., *place)] = reduce(block, full)
    return out


def largest(
    x: Any,
    rank: int,
    kernel: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil: bool = False,
    places: bool = False,
) -> Any:
    x = np.asarray(x)
    sizes = x.shape[-rank:]
    stride = kernel if stride is None else stride

    def windows() -> Any:
        return _windows(sizes, kernel, stride, pairs(padding, rank), dilation, ceil)

    shape, result = windows()
    values = _fill(x, rank, shape, result, lambda block, full: block.max(-1))
    return (values, _places(x, rank, *windows())) if places else values


def _places(x: np.ndarray, rank: int, shape: Sequence[int], found: Any) -> np.ndarray:
    """Where in its plane each window has its first maximum."""
    sizes = x.shape[-rank:]
    numbers = np.arange(math.prod(sizes)).reshape(sizes)
    lead = x.shape[: x.ndim - rank]
    out = np.zeros((*lead, *shape), np.int64)
    for place, seen, _ in found:
        block = x[(..., *np.ix_(*seen))].reshape(*lead, -1)
        out[(..., *place)] = numbers[np.ix_(*seen)].ravel()[block.argmax(-1)]
    return out


def mean(
    x: Any,
    rank: int,
    kernel: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil: bool = False,
    include: bool = True,
    divisor: int | None = None,
) -> np.ndarray:
    def reduce(block: np.ndarray, full: int) -> np.ndarray:
        return block.sum(-1) / (divisor or (full if include else block.shape[-1]))

    sizes = np.asarray(x).shape[-rank:]
    stride = kernel if stride is None else stride
    result = _windows(sizes, kernel, stride, pairs(padding, rank), 1, ceil)
    return _fill(x, rank, *result, reduce)


def _adaptive(sizes: Sequence[int], target: Any) -> tuple[tuple[int, ...], Any]:
    rank = len(sizes)
    expected = (target,) * rank if isinstance(target, int) else tuple(target)
    shape = [n if t is None else t for n, t in zip(sizes, expected, strict=True)]

    def walk() -> Iterator[tuple[tuple[int, ...], list[list[int]], int]]:
        for place in np.ndindex(*shape):
            seen = [
                list(range(i * n // t, -(-(i + 1) * n // t)))
                for i, n, t in zip(place, sizes, shape, strict=True)
            ]
            yield place, seen, 0

    return tuple(shape), walk()


def adaptive_mean(x: Any, rank: int, target: Any) -> np.ndarray:
    result = _adaptive(np.asarray(x).shape[-rank:], target)
    return _fill(x, rank, *result, lambda block, full: block.mean(-1))


def adaptive_largest(x: Any, rank: int, target: Any, places: bool = False) -> Any:
    x = np.asarray(x)
    values = _fill(x, rank, *_adaptive(x.shape[-rank:], target), lambda block, full: block.max(-1))
    return (values, _places(x, rank, *_adaptive(x.shape[-rank:], target))) if places else values


def power(
    x: Any, rank: int, p: float, kernel: Any, stride: Any = None, ceil: bool = False
) -> np.ndarray:
    """Where the border cuts a window, its sum is scaled up to a whole one."""
    count = math.prod(each(kernel, rank))
    means = mean(np.asarray(x) ** p, rank, kernel, stride, 0, ceil)
    return (means * count) ** (1 / p)


def unpool(
    x: Any,
    places: Any,
    rank: int,
    kernel: Any,
    stride: Any = None,
    padding: Any = 0,
    shape: Any = None,
) -> np.ndarray:
    x, places = np.asarray(x), np.asarray(places)
    stride = stride or kernel
    sizes = [
        (n - 1) * s - 2 * p + k
        for n, s, p, k in zip(
            x.shape[-rank:],
            each(stride, rank),
            each(padding, rank),
            each(kernel, rank),
            strict=True,
        )
    ]
    sizes = tuple(shape)[-rank:] if shape else sizes
    lead = x.shape[: x.ndim - rank]
    out = np.zeros((*lead, *sizes))
    for i in np.ndindex(*x.shape):
        out[(*i[: x.ndim - rank], *np.unravel_index(places[i], sizes))] = x[i]
    return out


# ------------------------------------------------------------------- options of the primitives


def _pads(x: Any, rank: int, kernel: Any, strides: Any, mode: str, pad: Any = 0) -> Pads:
    if mode.lower() == "same":
        return same_pads(np.asarray(x).shape[-rank:], kernel, strides)
    return pairs(pad if mode.lower() == "pad" else 0, rank)


def _flat(pads: Pads) -> list[int]:
    return list(itertools.chain(*pads))


def _max_pool(
    x: Any,
    *,
    kernel_size: Any,
    strides: Any = 1,
    pad_mode: str = "valid",
    data_format: str = "NCHW",
    places: bool = False,
) -> Any:
    x = np.moveaxis(np.asarray(x), -1, 1) if data_format == "NHWC" else np.asarray(x)
    pads = _flat(_pads(x, 2, kernel_size, strides, pad_mode))
    out = largest(x, 2, kernel_size, strides, pads, places=places)
    return np.moveaxis(out, 1, -1) if data_format == "NHWC" else out


def _through_planes(x: Any, found: Any) -> Any:
    """Places within a plane, counted through the planes of an image."""
    values, places = found
    planes = np.arange(x.shape[1]).reshape(1, -1, 1, 1) * math.prod(x.shape[2:])
    return values, places + planes


def _avg_pool(x: Any, *, kernel_size: Any, strides: Any, pad_mode: str = "valid") -> np.ndarray:
    pads = _flat(_pads(x, 2, kernel_size, strides, pad_mode))
    return mean(x, 2, kernel_size, strides, pads, include=False)


def _max_pool_3d(
    x: Any,
    *,
    kernel_size: Any,
    strides: Any = 1,
    pad_mode: str = "valid",
    pad_list: Any = 0,
    ceil_mode: bool = False,
) -> np.ndarray:
    pads = _flat(_pads(x, 3, kernel_size, strides, pad_mode, pad_list))
    return largest(x, 3, kernel_size, strides, pads, ceil=ceil_mode)


def _avg_pool_3d(
    x: Any,
    *,
    kernel_size: Any,
    strides: Any = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    count_include_pad: bool = True,
) -> np.ndarray:
    pads = _flat(_pads(x, 3, kernel_size, strides, pad_mode, pad))
    return mean(x, 3, kernel_size, strides, pads, include=count_include_pad)


def _fixed(
    x: Any, samples: Any, rank: int, ksize: Any, output_shape: Any, last: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Windows that begin at floor((i + u) a) - floor(u a); the last one at the end."""
    x, samples = np.asarray(x), np.asarray(samples)
    x = np.moveaxis(x, -1, 1) if last else x
    sizes, ks, outs = x.shape[-rank:], each(ksize, rank), each(output_shape, rank)
    values = np.zeros((*x.shape[:2], *outs))
    places = np.zeros(values.shape, np.int64)
    numbers = np.arange(math.prod(sizes)).reshape(sizes)
    for b, c in np.ndindex(*x.shape[:2]):
        # of two dimensions the first number is for the columns
        us = samples[b, c][::-1] if rank == 2 else samples[b, c]
        starts = []
        for n, k, o, u in zip(sizes, ks, outs, us, strict=True):
            step = (n - k) / (o - 1)
            starts.append([int((i + u) * step) - int(u * step) for i in range(o - 1)] + [n - k])
        for place in np.ndindex(*outs):
            box = tuple(slice(s[i], s[i] + k) for s, i, k in zip(starts, place, ks, strict=True))
            block = x[(b, c, *box)]
            values[(b, c, *place)] = block.max()
            places[(b, c, *place)] = numbers[box].ravel()[block.argmax()]
    if last:
        return np.moveaxis(values, 1, -1), np.moveaxis(places, 1, -1)
    return values, places


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.max_pool2d": lambda x, k, s=None, p=0, d=1, return_indices=False, ceil=False: largest(
        x, 2, k, s, p, d, ceil, return_indices
    ),
    "ops.max_pool3d": lambda x, k, s=None, p=0, d=1, ceil=False, indices=False: largest(
        x, 3, k, s, p, d, ceil, indices
    ),
    "ops.avg_pool1d": lambda x, k=1, s=1, *rest: mean(x, 1, k, s, *rest),
    "ops.avg_pool2d": lambda x, k=1, s=1, *rest, divisor_override=None: mean(
        x, 2, k, s, *rest, divisor=divisor_override
    ),
    "ops.avg_pool3d": lambda x, k=1, s=1, *rest: mean(x, 3, k, s, *rest),
    "ops.adaptive_avg_pool1d+mint.nn.functional.adaptive_avg_pool1d": (
        lambda x, n: adaptive_mean(x, 1, n)
    ),
    "ops.adaptive_avg_pool2d+mint.nn.functional.adaptive_avg_pool2d": (
        lambda x, n: adaptive_mean(x, 2, n)
    ),
    "ops.adaptive_avg_pool3d+mint.nn.functional.adaptive_avg_pool3d": (
        lambda x, n: adaptive_mean(x, 3, n)
    ),
    "ops.adaptive_max_pool1d": lambda x, n: adaptive_largest(x, 1, n),
    "ops.adaptive_max_pool2d+mint.nn.functional.adaptive_max_pool2d": (
        lambda x, n, places=False: adaptive_largest(x, 2, n, places)
    ),
    "ops.adaptive_max_pool3d": lambda x, n, places=False: adaptive_largest(x, 3, n, places),
    "ops.lp_pool1d": lambda x, p, *rest: power(x, 1, p, *rest),
    "ops.lp_pool2d": lambda x, p, *rest: power(x, 2, p, *rest),
    "ops.max_unpool1d": lambda x, places, *rest: unpool(x, places, 1, *rest),
    "ops.max_unpool2d+mint.nn.functional.max_unpool2d": (
        lambda x, places, *rest: unpool(x, places, 2, *rest)
    ),
    "ops.max_unpool3d": lambda x, places, *rest: unpool(x, places, 3, *rest),
    "MaxPool": _max_pool,
    "AvgPool": _avg_pool,
    "MaxPool3D": _max_pool_3d,
    "AvgPool3D": _avg_pool_3d,
    "MaxPoolWithArgmax": lambda x, **options: _through_planes(
        x, _max_pool(x, **options, places=True)
    ),
    "MaxPoolWithArgmaxV2": lambda x, *, kernel_size, strides=None, pads=0: largest(
        x, 2, kernel_size, strides, pads, places=True
    ),
    "MaxPool3DWithArgmax": lambda x, *, ksize, strides, pads, ceil_mode=False: largest(
        x, 3, ksize, strides, pads, ceil=ceil_mode, places=True
    ),
    "FractionalMaxPoolWithFixedKsize": lambda x, u, *, ksize, output_shape: _fixed(
        x, u, 2, ksize, output_shape
    ),
    "FractionalMaxPool3DWithFixedKsize": (
        lambda x, u, *, ksize, output_shape, data_format="NCDHW": _fixed(
            x, u, 3, ksize, output_shape, data_format == "NDHWC"
        )
    ),
    "AdaptiveAvgPool2D": lambda x, *, output_size: adaptive_mean(x, 2, output_size),
    "AdaptiveAvgPool3D": lambda x, *, output_size: adaptive_mean(x, 3, output_size),
    "AdaptiveMaxPool2D": lambda x, *, output_size: adaptive_largest(x, 2, output_size, True),
    "AdaptiveMaxPool3D": lambda x, output_size: adaptive_largest(x, 3, output_size, True),
    "MaxUnpool2D": lambda x, places, *, ksize: unpool(x, places, 2, ksize),
    "MaxUnpool3D": lambda x, places, *, ksize: unpool(x, places, 3, ksize),
}
