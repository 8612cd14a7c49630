"""Images: padding, moving blocks, resizing, sampling, colors, boxes; place by place."""

from __future__ import annotations

import colorsys
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .pooling import each, same_pads

# ------------------------------------------------------------------------------------ padding

_MODES = {
    "constant": "constant",
    "reflect": "reflect",
    "replicate": "edge",
    "edge": "edge",
    "circular": "wrap",
}


def pad(x: Any, padding: Any, mode: str = "constant", value: Any = None) -> np.ndarray:
    """Pairs for the last dimension first; negative ones cut."""
    x = np.asarray(x)
    widths = [(0, 0)] * x.ndim
    for a in range(len(padding) // 2):
        before, after = padding[2 * a], padding[2 * a + 1]
        result = slice(max(-before, 0), x.shape[-1 - a] - max(-after, 0))
        x = np.moveaxis(np.moveaxis(x, -1 - a, 0)[result], 0, -1 - a)
        widths[-1 - a] = (max(before, 0), max(after, 0))
    if mode == "constant":
        return np.pad(x, widths, constant_values=value or 0)
    return np.pad(x, widths, mode=_MODES[mode])  # pyright: ignore[reportCallIssue, reportArgumentType]


def _pad_v3(
    x: Any,
    paddings: Any,
    value: Any = None,
    *,
    mode: str = "constant",
    paddings_contiguous: bool = True,
) -> np.ndarray:
    if not paddings_contiguous:
        half = len(paddings) // 2
        paddings = [p for pair in zip(paddings[:half], paddings[half:], strict=True) for p in pair]
    return pad(x, paddings, mode, value)


def _mirror_pad(x: Any, paddings: Any, *, mode: str = "REFLECT") -> np.ndarray:
    return np.pad(x, paddings, mode=mode.lower())  # pyright: ignore[reportCallIssue, reportArgumentType]


def _padding(x: Any, pad_dim_size: int = 8) -> np.ndarray:
    x = np.asarray(x)
    return np.concatenate((x, np.zeros((*x.shape[:-1], pad_dim_size - 1))), -1)


# ------------------------------------------------------------------------------------- blocks


def _pixel_shuffle(x: Any, r: int) -> np.ndarray:
    x = np.asarray(x)
    *lead, c, h, w = x.shape
    out = np.zeros((*lead, c // r**2, h * r, w * r))
    for k, i, j in np.ndindex(c // r**2, h * r, w * r):
        out[..., k, i, j] = x[..., k * r**2 + i % r * r + j % r, i // r, j // r]
    return out


def _pixel_unshuffle(x: Any, r: int) -> np.ndarray:
    x = np.asarray(x)
    *lead, c, h, w = x.shape
    out = np.zeros((*lead, c * r**2, h // r, w // r))
    for k, i, j in np.ndindex(c, h, w):
        out[..., k * r**2 + i % r * r + j % r, i // r, j // r] = x[..., k, i, j]
    return out


def _channel_shuffle(x: Any, group: int) -> np.ndarray:
    x = np.asarray(x)
    out, part = np.zeros(x.shape), x.shape[1] // group
    for g, c in np.ndindex(group, part):
        out[:, c * group + g] = x[:, g * part + c]
    return out


def _space_to_depth(x: Any, *, block_size: int) -> np.ndarray:
    x, b = np.asarray(x), block_size
    n, c, h, w = x.shape
    out = np.zeros((n, c * b * b, h // b, w // b))
    for k, i, j in np.ndindex(c, h, w):
        out[:, (i % b * b + j % b) * c + k, i // b, j // b] = x[:, k, i, j]
    return out


def _depth_to_space(x: Any, *, block_size: int) -> np.ndarray:
    x, b = np.asarray(x), block_size
    n, c, h, w = x.shape
    c //= b * b
    out = np.zeros((n, c, h * b, w * b))
    for k, i, j in np.ndindex(c, h * b, w * b):
        out[:, k, i, j] = x[:, (i % b * b + j % b) * c + k, i // b, j // b]
    return out


def _space_to_batch(x: Any, block: Any, paddings: Any) -> np.ndarray:
    x, (b, d) = np.pad(x, [(0, 0), (0, 0), *paddings]), each(block, 2)
    return np.concatenate([x[:, :, i::b, j::d] for i in range(b) for j in range(d)])


def _batch_to_space(x: Any, block: Any, crops: Any) -> np.ndarray:
    x, (b, d) = np.asarray(x), each(block, 2)
    n, c, h, w = x.shape
    n //= b * d
    out = np.zeros((n, c, h * b, w * d))
    for i, j in np.ndindex(b, d):
        first = (i * d + j) * n
        out[:, :, i::b, j::d] = x[first : first + n]
    (top, bottom), (left, right) = crops
    return out[:, :, top : h * b - bottom, left : w * d - right]


def _patches(
    x: Any, kernel: Any, dilation: Any, pads: Sequence[tuple[int, int]], stride: Any
) -> tuple[np.ndarray, tuple[int, ...]]:
    """(N, C, elements of a patch, patches) and how the patches lie."""
    x = np.pad(x, [(0, 0), (0, 0), *pads])
    rank = x.ndim - 2
    ks, ds, ss = each(kernel, rank), each(dilation, rank), each(stride, rank)
    shape = tuple(
        (n - d * (k - 1) - 1) // s + 1 for n, k, d, s in zip(x.shape[2:], ks, ds, ss, strict=True)
    )
    out = np.zeros((*x.shape[:2], math.prod(ks), math.prod(shape)))
    for p, place in enumerate(np.ndindex(*shape)):
        for e, inside in enumerate(np.ndindex(*ks)):
            where = tuple(i * s + j * d for i, s, j, d in zip(place, ss, inside, ds, strict=True))
            out[:, :, e, p] = x[(..., *where)]
    return out, shape


def _unfold(x: Any, kernel: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    result, _ = _patches(x, kernel, dilation, [(p, p) for p in each(padding, 2)], stride)
    return result.reshape(len(result), -1, result.shape[-1])


def _col2im(
    x: Any, size: Any, kernel: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> np.ndarray:
    """What unfolding the numbers 0, 1, ... gives tells where each element belongs."""
    x, size = np.asarray(x), tuple(int(s) for s in size)
    pads = [(p, p) for p in each(padding, 2)]
    count = math.prod(size)
    numbers = np.arange(1, count + 1).reshape(1, 1, *size)
    where = _patches(numbers, kernel, dilation, pads, stride)[0][0, 0].astype(int)
    out = np.zeros((*x.shape[:2], count + 1))
    for e, p in np.ndindex(*where.shape):
        out[..., where[e, p]] += x[..., e, p]
    return out[..., 1:].reshape(*x.shape[:2], *size)


def _fold(x: Any, size: Any, kernel: Any) -> np.ndarray:
    x = np.asarray(x)
    alone, elements = x.ndim == 2, math.prod(each(kernel, 2))
    x = x[None] if alone else x
    out = _col2im(x.reshape(len(x), -1, elements, x.shape[-1]), size, kernel)
    return out[0] if alone else out


def _im2col(x: Any, *, ksizes: Any, strides: Any = 1, pads: Any = 0) -> np.ndarray:
    return _patches(x, ksizes, 1, [(p, p) for p in each(pads, 2)], strides)[0]


def _extract(x: Any, kernel: Any, stride: Any, padding: str) -> np.ndarray:
    x = np.asarray(x)
    sizes = x.shape[2:]
    rank = len(sizes)
    nothing = [(0, 0)] * rank
    pads = same_pads(sizes, kernel, stride) if padding == "SAME" else nothing
    result, shape = _patches(x, kernel, 1, pads, stride)
    return result.swapaxes(1, 2).reshape(len(x), -1, *shape)


# ----------------------------------------------------------------------------------- resizing


def _cubic(t: float, a: float) -> float:
    t = abs(t)
    if t <= 1:
        return (a + 2) * t**3 - (a + 3) * t**2 + 1
    return a * (t**3 - 5 * t**2 + 8 * t - 4) if t < 2 else 0.0


def _nearest(n: int, places: Sequence[int]) -> np.ndarray:
    return np.eye(n)[[min(p, n - 1) for p in places]]


def _linear(n: int, places: Sequence[float]) -> np.ndarray:
    """What every element counts at each of the places, which are cut to the line."""
    rows = [[max(1 - abs(min(max(p, 0), n - 1) - j), 0) for j in range(n)] for p in places]
    return np.array(rows)


def _cubic_weights(
    n: int, places: Sequence[float], a: float, drop: bool = False, steps: int = 0
) -> np.ndarray:
    """MindSpore has a table of `steps` places between two elements."""
    rows = np.zeros((len(places), n))
    for i, p in enumerate(places):
        p = math.floor(p) + round((p - math.floor(p)) * steps) / steps if steps else p
        first = math.floor(p) - 1
        for j in range(first, first + 4):
            if 0 <= j < n or not drop:
                rows[i, min(max(j, 0), n - 1)] += _cubic(p - j, a)
    return rows / rows.sum(1, keepdims=True) if drop else rows


def _weighted(x: Any, weights: Sequence[np.ndarray], first: int = 2) -> np.ndarray:
    """Every dimension from `first` on replaced by its weighted sums."""
    x = np.asarray(x)
    for a, w in enumerate(weights):
        x = np.moveaxis(np.tensordot(w, x, (1, first + a)), 0, first + a)
    return x


def interpolate(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
) -> np.ndarray:
    x = np.asarray(x)
    rank = x.ndim - 2
    inputs = x.shape[2:]
    factors = (None,) * rank
    if size is None:
        factors = (scale_factor,) * rank if isinstance(scale_factor, float) else scale_factor
        size = [int(n * f) for n, f in zip(inputs, factors, strict=True)]
        factors = (None,) * rank if recompute_scale_factor else factors
    weights = []
    for n, m, f in zip(inputs, each(size, rank) if isinstance(size, int) else size, factors,
                       strict=True):  # fmt: skip
        step = n / m if f is None else 1 / f
        half = [(i + 0.5) * step - 0.5 for i in range(m)]
        if align_corners:
            half = [i * (n - 1) / (m - 1) for i in range(m)]
        if mode == "nearest":
            weights.append(_nearest(n, [int(i * step) for i in range(m)]))
        elif mode == "nearest-exact":
            weights.append(_nearest(n, [int((i + 0.5) * step) for i in range(m)]))
        elif mode == "area":
            rows = np.zeros((m, n))
            for i in range(m):
                low, high = i * n // m, -(-(i + 1) * n // m)
                rows[i, low:high] = 1 / (high - low)
            weights.append(rows)
        elif mode == "bicubic":
            weights.append(_cubic_weights(n, half, -0.75))
        else:
            weights.append(_linear(n, half))
    return _weighted(x, weights)


def _places(n: int, m: int, align: bool, half: bool) -> list[float]:
    if align:
        return [i * (n - 1) / (m - 1) for i in range(m)]
    return [(i + 0.5) * n / m - 0.5 if half else i * n / m for i in range(m)]


def _resize_bilinear(
    x: Any, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> np.ndarray:
    sizes = np.asarray(x).shape[2:]
    return _weighted(
        x,
        [
            _linear(n, _places(n, m, align_corners, half_pixel_centers))
            for n, m in zip(sizes, size, strict=True)
        ],
    )


def _resize_nearest(
    x: Any, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> np.ndarray:
    weights = []
    for n, m in zip(np.asarray(x).shape[2:], size, strict=True):
        places = _places(n, m, align_corners, half_pixel_centers)
        up = 0.5 if align_corners or half_pixel_centers else 0  # half of them up
        weights.append(_nearest(n, [math.floor(p + up) for p in places]))
    return _weighted(x, weights)


def _resize_bicubic(
    x: Any, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> np.ndarray:
    a = -0.5 if half_pixel_centers else -0.75
    weights = []
    for n, m in zip(np.asarray(x).shape[2:], size, strict=True):
        places = _places(n, m, align_corners, half_pixel_centers)
        weights.append(_cubic_weights(n, places, a, half_pixel_centers, 1024))
    return _weighted(x, weights)


def _interpolate(x: Any, size: Any = None, *rest: Any, **options: Any) -> np.ndarray:
    if options.get("mode") == "bicubic":
        return _resize_bicubic(x, size, half_pixel_centers=True)
    return interpolate(x, size, *rest, **options)


def _resize_linear(
    x: Any, size: Any, *, coordinate_transformation_mode: str = "align_corners"
) -> np.ndarray:
    align = coordinate_transformation_mode == "align_corners"
    n = np.asarray(x).shape[2]
    return _weighted(x, [_linear(n, _places(n, size[0], align, not align))])


def _resize_area(x: Any, size: Any, *, align_corners: bool = False) -> np.ndarray:
    """Beyond the end the last element goes on."""
    x, weights = np.asarray(x), []
    for n, m in zip(x.shape[1:3], [int(s) for s in size], strict=True):
        step = (n - 1) / (m - 1) if align_corners else n / m
        rows = np.zeros((m, n))
        for i in range(m):
            low, high = i * step, (i + 1) * step
            for j in range(math.floor(low), math.ceil(high)):
                rows[i, min(j, n - 1)] += (min(j + 1, high) - max(j, low)) / step
        weights.append(rows)
    return _weighted(x, weights, 1)


# ----------------------------------------------------------------------------------- sampling


def _at(image: np.ndarray, place: Sequence[int]) -> np.ndarray:
    """The channels at a place, zero outside."""
    if all(0 <= p < n for p, n in zip(place, image.shape[1:], strict=True)):
        return image[(slice(None), *place)]
    return np.zeros(len(image))


def between(image: np.ndarray, place: Sequence[float]) -> np.ndarray:
    """The channels between the pixels around a place, linearly; zero outside."""
    total = np.zeros(len(image))
    for corner in itertools.product(*((math.floor(p), math.floor(p) + 1) for p in place)):
        share = math.prod(1 - abs(p - c) for p, c in zip(place, corner, strict=True))
        total += share * _at(image, corner)
    return total


def _cubic_at(image: np.ndarray, place: Sequence[float]) -> np.ndarray:
    total = np.zeros(len(image))
    for corner in itertools.product(*(range(math.floor(p) - 1, math.floor(p) + 3) for p in place)):
        share = math.prod(_cubic(p - c, -0.75) for p, c in zip(place, corner, strict=True))
        total += share * _at(image, corner)
    return total


def _folded(p: float, low: float, high: float) -> float:
    while not low <= p <= high:
        p = 2 * low - p if p < low else 2 * high - p
    return p


def _grid_sample(
    x: Any,
    grid: Any,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Any = None,
) -> np.ndarray:
    x, grid = np.asarray(x), np.asarray(grid)
    sizes = x.shape[2:]
    out = np.zeros((*x.shape[:2], *grid.shape[1:-1]))
    for n, *where in np.ndindex(*grid.shape[:-1]):
        place = []
        for g, size in zip(grid[(n, *where)][::-1], sizes, strict=True):
            p = (g + 1) / 2 * (size - 1) if align_corners else ((g + 1) * size - 1) / 2
            if padding_mode == "reflection":
                p = _folded(p, -0.5, size - 0.5)
            place.append(p if padding_mode == "zeros" else min(max(p, 0), size - 1))
        read = _cubic_at if mode == "bicubic" else between
        out[(n, slice(None), *where)] = read(x[n], place)
    return out


def _grid_sampler(x: Any, grid: Any, *, padding_mode: str = "zeros") -> np.ndarray:
    return _grid_sample(x, grid, "bilinear", padding_mode)


def _affine_grid(theta: Any, size: Any, align_corners: bool = False) -> np.ndarray:
    theta, sizes = np.asarray(theta), size[2:]
    out = np.zeros((len(theta), *sizes, len(sizes)))

    def place(i: int, n: int) -> float:
        if align_corners:
            return 2 * i / (n - 1) - 1 if n > 1 else 0.0
        return (2 * i + 1) / n - 1

    for where in np.ndindex(*sizes):
        point = [place(i, n) for i, n in zip(where, sizes, strict=True)][::-1]
        out[(slice(None), *where)] = theta @ np.array([*point, 1.0])
    return out


def _crop_and_resize(
    image: Any,
    boxes: Any,
    owners: Any,
    crop_size: Any,
    method: str = "bilinear",
    outside: float = 0.0,
) -> np.ndarray:
    image, boxes = np.asarray(image), np.asarray(boxes)
    _, height, width, channels = image.shape
    out = np.zeros((len(boxes), *crop_size, channels))

    def line(low: float, high: float, n: int, m: int, i: int) -> float:
        if method == "bilinear_v2":
            first = int(low * n)
            count = max(int(high * n) - first + 1, 1)
            inside = min(max((i + 0.5) * count / m - 0.5, 0), count - 1)
            return min(max(first + inside, 0), n - 1)
        if m == 1:
            return (low + high) / 2 * (n - 1)
        return (low + (high - low) * i / (m - 1)) * (n - 1)

    for b, i, j in np.ndindex(len(boxes), *crop_size):
        top, left, bottom, right = boxes[b].tolist()
        y = line(top, bottom, height, crop_size[0], i)
        x = line(left, right, width, crop_size[1], j)
        if not (0 <= y <= height - 1 and 0 <= x <= width - 1):
            out[b, i, j] = outside
            continue
        if method == "nearest":
            y, x = math.floor(y + 0.5), math.floor(x + 0.5)
        out[b, i, j] = between(np.moveaxis(image[int(owners[b])], -1, 0), (y, x))
    return out


def _roi_align(
    features: Any,
    rois: Any,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sample_num: int = 2,
    roi_end_mode: int = 1,
) -> np.ndarray:
    features, rois = np.asarray(features), np.asarray(rois)
    _, channels, height, width = features.shape
    out = np.zeros((len(rois), channels, pooled_height, pooled_width))
    for r, (owner, x1, y1, x2, y2) in enumerate(rois.tolist()):
        x1, y1 = x1 * spatial_scale, y1 * spatial_scale
        x2, y2 = (x2 + roi_end_mode) * spatial_scale, (y2 + roi_end_mode) * spatial_scale
        high, wide = y2 - y1, x2 - x1
        if roi_end_mode == 0:
            high, wide = max(high, 1), max(wide, 1)
        part_y, part_x = high / pooled_height, wide / pooled_width
        down = sample_num if sample_num > 0 else max(1, int(part_y))
        across = sample_num if sample_num > 0 else max(1, int(part_x))
        for i, j in np.ndindex(pooled_height, pooled_width):
            total = np.zeros(channels)
            for p, q in np.ndindex(down, across):
                y = y1 + (i + (p + 0.5) / down) * part_y
                x = x1 + (j + (q + 0.5) / across) * part_x
                if -1 <= y <= height and -1 <= x <= width:
                    near = (min(max(y, 0), height - 1), min(max(x, 0), width - 1))
                    total += between(features[int(owner)], near)
            out[r, :, i, j] = total / (down * across)
    return out


# ------------------------------------------------------------------------------------ colors


def _each_color(change: Callable[..., Any], image: Any) -> np.ndarray:
    image = np.asarray(image)
    rows = [change(*pixel) for pixel in image.reshape(-1, 3).tolist()]
    return np.array(rows).reshape(image.shape)


def _adjust_hue(image: Any, delta: Any) -> np.ndarray:
    def turn(r: float, g: float, b: float) -> tuple[float, float, float]:
        h, s, v = colorsys.rgb_to_hsv(r, g, b)
        return colorsys.hsv_to_rgb((h + float(delta)) % 1, s, v)

    return _each_color(turn, image)


def _adjust_saturation(image: Any, scale: Any) -> np.ndarray:
    def strengthen(r: float, g: float, b: float) -> tuple[float, float, float]:
        h, s, v = colorsys.rgb_to_hsv(r, g, b)
        return colorsys.hsv_to_rgb(h, min(max(s * float(scale), 0), 1), v)

    return _each_color(strengthen, image)


# ------------------------------------------------------------------------------------ windows


def _scale_and_translate(
    images: Any,
    size: Any,
    scale: Any,
    translation: Any,
    *,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
) -> np.ndarray:
    """Places in single precision, as MindSpore has them."""

    def kernel(t: float) -> float:
        if kernel_type == "triangle":
            return max(1 - t, 0)
        return float(np.sinc(t) * np.sinc(t / 3)) if t <= 3 else 0.0

    one = np.float32(1)
    weights = []
    for n, m, s, shift in zip(np.asarray(images).shape[1:3], size, scale, translation, strict=True):
        inverse = one / np.float32(s)
        reach = max(inverse, one) if antialias else one
        rows = np.zeros((m, n))
        for i in range(m):
            center = (np.float32(i) + np.float32(0.5)) * inverse - inverse * np.float32(shift)
            for j in range(n):
                away = np.float32(j + 0.5) - center
                rows[i, j] = kernel(float(abs(away * (one / reach))))
            total = rows[i].sum()
            rows[i] *= 1 / total if 0 <= center <= n and total else 0
        weights.append(rows)
    return _weighted(images, weights, 1)


def _dilation(
    x: Any, filters: Any, *, stride: Any, dilation: Any, pad_mode: str = "SAME"
) -> np.ndarray:
    x, filters = np.asarray(x).astype(float), np.asarray(filters)
    kernel = filters.shape[1:]
    pads = [(0, 0)] * 2
    if pad_mode == "SAME":
        pads = same_pads(x.shape[2:], kernel, stride, dilation)
    x = np.pad(x, [(0, 0), (0, 0), *pads], constant_values=-np.inf)
    result, shape = _patches(x, kernel, dilation, [(0, 0)] * 2, stride)
    sums = result + filters.reshape(1, len(filters), -1, 1)
    return sums.max(2).reshape(*x.shape[:2], *shape)


def _deformed(
    x: Any,
    offsets: Any,
    *,
    strides: Any,
    pads: Any,
    ksize: Any,
    dilations: Any = (1, 1, 1, 1),
    deformable_groups: int = 1,
) -> np.ndarray:
    """The windows side by side, (N, C, H_out h, W_out w)."""
    x, offsets = np.asarray(x), np.asarray(offsets)
    n, c, _, _ = x.shape
    high, wide = offsets.shape[2:]
    h, w = ksize
    parts = offsets.reshape(n, 3, deformable_groups, h, w, high, wide)
    out = np.zeros((n, c, high * h, wide * w))
    for b, k, i, j, p, q in np.ndindex(n, c, high, wide, h, w):
        group = k // (c // deformable_groups)
        right, down, factor = parts[b, :, group, p, q, i, j]
        row = i * strides[2] - pads[0] + p * dilations[2] + down
        column = j * strides[3] - pads[2] + q * dilations[3] + right
        out[b, k, i * h + p, j * w + q] = factor * between(x[b, k : k + 1], (row, column))[0]
    return out


def _deformable_conv(
    x: Any,
    weight: Any,
    offsets: Any,
    kernel_size: Any,
    strides: Any,
    padding: Any,
    bias: Any = None,
    dilations: Any = (1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
) -> np.ndarray:
    seen = _deformed(
        x,
        offsets,
        strides=strides,
        pads=padding,
        ksize=kernel_size,
        dilations=dilations,
        deformable_groups=deformable_groups,
    )
    weight, (h, w) = np.asarray(weight), kernel_size
    n, c = seen.shape[:2]
    outputs, part = len(weight), c // groups
    out = np.zeros((n, outputs, seen.shape[2] // h, seen.shape[3] // w))
    for b, o, i, j in np.ndindex(*out.shape):
        first = o // (outputs // groups) * part
        window = seen[b, first : first + part, i * h : (i + 1) * h, j * w : (j + 1) * w]
        out[b, o, i, j] = (window * weight[o]).sum()
    return out if bias is None else out + np.asarray(bias)[:, None, None]


def _deformable_attention(
    value: Any, shapes: Any, begins: Any, locations: Any, weight: Any
) -> np.ndarray:
    value, locations, weight = (np.asarray(t) for t in (value, locations, weight))
    n, queries, heads, levels, points = weight.shape
    out = np.zeros((n, queries, heads, value.shape[-1]))
    for b, q, h, level, p in np.ndindex(n, queries, heads, levels, points):
        high, wide = (int(s) for s in shapes[level])
        first = int(begins[level])
        plane = value[b, first : first + high * wide, h].T.reshape(-1, high, wide)
        x, y = locations[b, q, h, level, p]
        place = (y * high - 0.5, x * wide - 0.5)
        out[b, q, h] += weight[b, q, h, level, p] * between(plane, place)
    return out.reshape(n, queries, -1)


# -------------------------------------------------------------------------------------- boxes


def _iou(anchors: Any, truths: Any, mode: str = "iou") -> np.ndarray:
    """The corners are part of a box."""
    anchors, truths = np.asarray(anchors), np.asarray(truths)
    out = np.zeros((len(truths), len(anchors)))

    def area(x1: float, y1: float, x2: float, y2: float) -> float:
        return (x2 - x1 + 1) * (y2 - y1 + 1)

    for i, j in np.ndindex(*out.shape):
        g, a = truths[i], anchors[j]
        low, high = np.maximum(g[:2], a[:2]), np.minimum(g[2:], a[2:])
        common = np.prod(np.maximum(high - low + 1, 0))
        whole = area(*g) if mode == "iof" else area(*a) + area(*g) - common
        out[i, j] = common / whole
    return out


def _centers(boxes: Any) -> tuple[np.ndarray, np.ndarray]:
    boxes = np.asarray(boxes)
    return (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2] + 1


def _encode(
    anchors: Any, truths: Any, means: Any = (0.0,) * 4, stds: Any = (1.0,) * 4
) -> np.ndarray:
    (a, size), (g, expected) = _centers(anchors), _centers(truths)
    return (np.concatenate(((g - a) / size, np.log(expected / size)), 1) - means) / stds


def _decode(anchors: Any, deltas: Any, max_shape: Any) -> np.ndarray:
    a, size = _centers(anchors)
    deltas = np.asarray(deltas)
    bound = -math.log(0.016)
    center, size = a + deltas[:, :2] * size, size * np.exp(deltas[:, 2:].clip(-bound, bound))
    corners = np.concatenate((center - (size - 1) / 2, center + (size - 1) / 2), 1)
    return corners.clip(0, [max_shape[1], max_shape[0]] * 2)


def _check_valid(boxes: Any, meta: Any) -> np.ndarray:
    height, width, ratio = np.asarray(meta).tolist()
    return np.array(
        [
            x1 >= 0 and y1 >= 0 and x2 <= width * ratio - 1 and y2 <= height * ratio - 1
            for x1, y1, x2, y2 in np.asarray(boxes).tolist()
        ]
    )


def _corners(box: Sequence[float]) -> tuple[float, float, float, float]:
    a, b, c, d = (float(v) for v in box)
    return min(a, c), min(b, d), max(a, c), max(b, d)


def _overlap(first: Sequence[float], second: Sequence[float]) -> float:
    """Shared area over the area of both; nothing for boxes without area."""
    a, b = _corners(first), _corners(second)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    common = max(min(a[2], b[2]) - max(a[0], b[0]), 0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0)
    return common / (sum(areas) - common) if min(areas) > 0 else 0.0


def _greedy(
    scores: Sequence[float], over: Callable[[int, int], bool], count: int, lowest: float
) -> list[int]:
    items: list[int] = []
    for i in sorted(range(len(scores)), key=lambda i: -scores[i]):
        if len(items) < count and scores[i] > lowest and not any(over(j, i) for j in items):
            items.append(i)
    return items


def _nms_with_mask(boxes: Any, *, iou_threshold: float) -> tuple[np.ndarray, ...]:
    boxes = np.asarray(boxes)
    boxes = boxes[np.argsort(-boxes[:, 4], kind="stable")]
    result = np.zeros(len(boxes), bool)
    for i, box in enumerate(boxes):
        near = [_overlap(box[:4], other[:4]) for other in boxes[:i][result[:i]]]
        result[i] = all(n <= iou_threshold for n in near)
    return boxes, np.arange(len(boxes)), result


def _nms(boxes: Any, scores: Any, count: int, bound: float, lowest: float) -> np.ndarray:
    boxes = np.asarray(boxes).tolist()
    result = _greedy(
        scores.tolist(), lambda i, j: _overlap(boxes[i], boxes[j]) > bound, max(count, 0), lowest
    )
    return np.array(result, np.int64)


def _nms_given(overlaps: Any, scores: Any, count: int, bound: float, lowest: float) -> np.ndarray:
    table = np.asarray(overlaps)
    result = _greedy(scores.tolist(), lambda i, j: bool(table[j, i] > bound), count, lowest)
    return np.array(result, np.int64)


def _combined(
    boxes: Any,
    scores: Any,
    per_class: int,
    total: int,
    bound: float,
    lowest: float,
    *,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
) -> tuple[np.ndarray, ...]:
    boxes, scores = np.asarray(boxes), np.asarray(scores)
    n, _, q, _ = boxes.shape
    labels = scores.shape[2]
    rows = min(total, per_class * labels) if pad_per_class else total
    out, best = np.zeros((n, rows, 4)), np.zeros((n, rows))
    kinds, counts = np.zeros((n, rows)), np.zeros(n, np.int64)
    for b in range(n):
        items = []
        for label in range(labels):
            own = boxes[b, :, label if q > 1 else 0]
            column = scores[b, :, label].tolist()
            near = _greedy(
                column, lambda i, j, own=own: _overlap(own[i], own[j]) > bound, per_class, lowest
            )
            items += [(column[p], label, own[p]) for p in near]
        items = sorted(items, key=lambda one: -one[0])[:rows]
        counts[b] = len(items)
        for row, (score, label, box) in enumerate(items):
            out[b, row] = box.clip(0, 1) if clip_boxes else box
            best[b, row], kinds[b, row] = score, label
    return out, best, kinds, counts


def _clipped(polygon: list[np.ndarray], a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """The part of a polygon on the left of the line from a to b."""

    def side(p: np.ndarray) -> float:
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    out = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        s, t = side(p), side(q)
        if s >= 0:
            out.append(p)
        if s * t < 0:
            out.append(p + (q - p) * (s / (s - t)))
    return out


def _turned(box: Any) -> list[np.ndarray]:
    x, y, width, height, angle = box
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [
        np.array([x + c * u * width / 2 - s * v * height / 2,
                  y + s * u * width / 2 + c * v * height / 2])
        for u, v in ends
    ]  # fmt: skip


def _rotated_iou(boxes: Any, others: Any, *, mode: int = 0, is_cross: bool = True) -> np.ndarray:
    """The common polygon, cut out side by side; its area by the trapezoids."""

    def one(first: np.ndarray, second: np.ndarray) -> float:
        polygon, sides = _turned(first), _turned(second)
        for a, b in zip(sides, sides[1:] + sides[:1], strict=True):
            polygon = _clipped(polygon, a, b)
        common = 0.0
        if polygon:
            common = sum(
                p[0] * q[1] - p[1] * q[0]
                for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True)
            )
        common = abs(common) / 2
        area, rest = first[2] * first[3], second[2] * second[3]
        return common / (area if mode == 1 else area + rest - common)

    boxes, others = np.asarray(boxes), np.asarray(others)
    if not is_cross:
        return np.array(
            [
                [one(p, q) for p, q in zip(ours, theirs, strict=True)]
                for ours, theirs in zip(boxes, others, strict=True)
            ]
        )
    return np.array(
        [
            [[one(p, q) for q in theirs] for p in ours]
            for ours, theirs in zip(boxes, others, strict=True)
        ]
    )


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.pad": pad,
    "MirrorPad": _mirror_pad,
    "PadV3": _pad_v3,
    "ops.padding": _padding,
    "Padding": _padding,
    "ops.interpolate": _interpolate,
    "ResizeBilinearV2": _resize_bilinear,
    "ResizeBilinear": _resize_bilinear,
    "ResizeNearestNeighborV2": _resize_nearest,
    "ResizeNearestNeighbor": _resize_nearest,
    "ResizeBicubic": _resize_bicubic,
    "ResizeLinear1D": _resize_linear,
    "ops.pixel_shuffle+mint.nn.functional.pixel_shuffle": _pixel_shuffle,
    "ops.pixel_unshuffle": _pixel_unshuffle,
    "ops.channel_shuffle": _channel_shuffle,
    "ChannelShuffle": _channel_shuffle,
    "SpaceToDepth": _space_to_depth,
    "DepthToSpace": _depth_to_space,
    "ops.space_to_batch_nd": _space_to_batch,
    "ops.batch_to_space_nd": _batch_to_space,
    "SpaceToBatchND": lambda x, *, block_shape, paddings: _space_to_batch(x, block_shape, paddings),
    "BatchToSpaceND": lambda x, *, block_shape, crops: _batch_to_space(x, block_shape, crops),
    "SpaceToBatch": lambda x, *, block_size, paddings: _space_to_batch(x, block_size, paddings),
    "BatchToSpace": lambda x, *, block_size, crops: _batch_to_space(x, block_size, crops),
    "ops.unfold+Tensor.unfold+mint.nn.functional.unfold": _unfold,
    "ops.fold+Tensor.fold+mint.nn.functional.fold": _fold,
    "ops.col2im+Tensor.col2im": _col2im,
    "Col2Im": lambda x, size, *, kernel_size: _col2im(x, size, kernel_size),
    "Im2Col": _im2col,
    "ExtractImagePatches": lambda x, *, ksizes, strides, rates, padding="VALID": _extract(
        x, ksizes, strides, padding
    ),
    "ExtractVolumePatches": lambda x, *, kernel_size, strides, padding: _extract(
        x, kernel_size, strides, padding
    ),
    "ops.grid_sample+mint.nn.functional.grid_sample": _grid_sample,
    "GridSampler2D": _grid_sampler,
    "GridSampler3D": _grid_sampler,
    "ops.affine_grid": _affine_grid,
    "AffineGrid": _affine_grid,
    "ops.crop_and_resize": _crop_and_resize,
    "CropAndResize": _crop_and_resize,
    "ROIAlign": _roi_align,
    "ResizeArea": _resize_area,
    "UpsampleNearest3D": interpolate,
    "UpsampleTrilinear3D": lambda x, size=None, scales=None, *, align_corners=False: interpolate(
        x, size, scales, "trilinear", align_corners
    ),
    "AdjustHue": _adjust_hue,
    "AdjustSaturation": _adjust_saturation,
    "RGBToHSV": lambda x: _each_color(colorsys.rgb_to_hsv, x),
    "HSVToRGB": lambda x: _each_color(colorsys.hsv_to_rgb, x),
    "ScaleAndTranslate": _scale_and_translate,
    "Dilation2D": _dilation,
    "DeformableOffsets": _deformed,
    "ops.deformable_conv2d": _deformable_conv,
    "ops.multi_scale_deformable_attn_function+MultiScaleDeformableAttn": _deformable_attention,
    "ops.iou": _iou,
    "IOU": _iou,
    "ops.bounding_box_encode": _encode,
    "BoundingBoxEncode": _encode,
    "ops.bounding_box_decode": _decode,
    "BoundingBoxDecode": _decode,
    "ops.check_valid+CheckValid": _check_valid,
    "NMSWithMask": _nms_with_mask,
    "NonMaxSuppressionV3": _nms,
    "NonMaxSuppressionWithOverlaps": _nms_given,
    "CombinedNonMaxSuppression": _combined,
    "ops.rotated_iou+RotatedIou": _rotated_iou,
}
