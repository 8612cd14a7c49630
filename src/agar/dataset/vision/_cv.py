"""Geometry and filters on arrays, with the numbers of OpenCV, which MindSpore calls.

NOTE OpenCV computes 8-bit images in fixed point: weights of 11 bits in `resize`, positions of 5 and
weights of 15 bits in `warp`, kernels of 8 bits in `gaussian_blur`. The same integers here give the
same pixels. Other types are computed in float32, where the last bits may differ.

NOTE With the package cv2 (``agar-ms[opencv]``) 8-bit images go to OpenCV itself where it gives
MindSpore's pixels: `resize` other than cubic, `filter3x3` and `gaussian_blur`. The warps of
OpenCV 5 have other positions than those of version 4 in MindSpore, and in cubic interpolation and
in types of floating point the width of the processor's vectors decides the last bit.

Images are of shape (H, W) or (H, W, C); nothing here checks arguments.
"""

from __future__ import annotations

import math
import os
from functools import cache, lru_cache
from typing import Any

import numpy as np

__all__ = [
    "CUBIC",
    "LINEAR",
    "NEAREST",
    "affine_matrix_inverse",
    "filter3x3",
    "gaussian_blur",
    "opencv_for",
    "pad",
    "perspective_matrix",
    "resize",
    "resize_area",
    "saturate",
    "warp_affine",
    "warp_perspective",
]

LINEAR, NEAREST, CUBIC = "linear", "nearest", "cubic"
_F32 = np.float32
Weights = tuple[np.ndarray, np.ndarray]


@cache
def opencv() -> Any:
    """The package cv2, or None where it is not installed."""
    try:
        import cv2
    except ImportError:
        return None
    # its pool of threads does not survive a fork: workers of a pipeline compute in one thread
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: cv2.setNumThreads(0))
    return cv2


def opencv_for(image: np.ndarray) -> Any:
    """OpenCV, if its pixels of such an image are those of this module."""
    if image.dtype != np.uint8 or not image.size or (image.ndim == 3 and image.shape[2] > 4):
        return None
    return opencv()


def _rows(image: np.ndarray) -> np.ndarray:
    """The image as (H, W * C)."""
    return np.ascontiguousarray(image).reshape(image.shape[0], -1)


# --- resize ---------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _positions(source: int, target: int, area: bool) -> tuple[np.ndarray, np.ndarray]:
    """For each target pixel the source pixel to its left, and how far it lies from that one."""
    inverse = target / source
    scale = 1.0 / inverse
    x = np.arange(target)
    if area:
        left = np.floor(x * scale).astype(np.int64)
        part = ((x + 1) - (left + 1) * inverse).astype(_F32)
        return left, np.where(part <= 0, _F32(0), part - np.floor(part))
    exact = ((x + 0.5) * scale - 0.5).astype(_F32)
    left = np.floor(exact).astype(np.int64)
    return left, exact - left.astype(_F32)


def _cubic(part: np.ndarray) -> np.ndarray:
    """The four weights of cubic interpolation with A = -0.75, in float32."""
    a, one = _F32(-0.75), _F32(1)
    x, y = part + one, one - part
    first = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    second = ((a + 2) * part - (a + 3)) * part * part + one
    third = ((a + 2) * y - (a + 3)) * y * y + one
    return np.stack([first, second, third, one - first - second - third])


@lru_cache(maxsize=256)
def _taps(source: int, target: int, mode: str, across: bool) -> tuple[np.ndarray, np.ndarray]:
    """Which pixels make a target pixel, (taps, target), and their weights in float32."""
    left, part = _positions(source, target, mode == "area")
    if mode == CUBIC:
        indices = left + np.arange(-1, 3)[:, None]
        return indices.clip(0, source - 1), _cubic(part)
    if across:
        outside = (left < 0) | (left >= source - 1)
        part = np.where(outside, _F32(0), part)
    indices = left + np.arange(2)[:, None]
    return indices.clip(0, source - 1), np.stack([_F32(1) - part, part])


def _columns(image: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """Columns of an image as (H, len(indices) * C)."""
    if image.ndim == 2:
        return image.take(indices, 1)
    channels = image.shape[2]
    flat = (indices[:, None] * channels + np.arange(channels)).ravel()
    return _rows(image).take(flat, 1)


def _fixed(weights: np.ndarray) -> np.ndarray:
    return np.rint(weights * _F32(2048)).astype(np.int32)


def _flag(cv: Any, mode: str) -> int:
    return getattr(cv, f"INTER_{mode.upper()}")


def resize(image: np.ndarray, height: int, width: int, mode: str) -> np.ndarray:
    """``cv::resize``: `mode` is linear, nearest, cubic or area."""
    rows, columns = image.shape[:2]
    if (rows, columns) == (height, width):
        return image.copy()
    shape = (height, width, *image.shape[2:])
    if mode != CUBIC and (cv := opencv_for(image)):
        return cv.resize(image, (width, height), interpolation=_flag(cv, mode)).reshape(shape)
    if mode == NEAREST:
        y = np.minimum(np.floor(np.arange(height) * (1 / (height / rows))), rows - 1)
        x = np.minimum(np.floor(np.arange(width) * (1 / (width / columns))), columns - 1)
        return _columns(image.take(y.astype(np.int64), 0), x.astype(np.int64)).reshape(shape)
    if mode == LINEAR and rows == 2 * height and columns == 2 * width:
        mode = "area"  # as OpenCV does
    if mode == "area" and rows >= height and columns >= width:
        return resize_area(image, height, width)
    return _resize_taps(image, shape, mode)


def _resize_taps(image: np.ndarray, shape: tuple[int, ...], mode: str) -> np.ndarray:
    rows, columns = image.shape[:2]
    height, width = shape[:2]
    channels = shape[2] if len(shape) == 3 else 1
    across, alpha = _taps(columns, width, mode, True)
    down, beta = _taps(rows, height, mode, False)
    # rows that no target row needs are left out
    used = np.unique(down) if height < rows else np.arange(rows)
    if len(used) < rows:
        image = image.take(used, 0)
        down = np.searchsorted(used, down)
    exact = image.dtype == np.uint8
    working: Any = np.int32 if exact else (np.float64 if image.dtype == np.float64 else _F32)
    alpha = _fixed(alpha) if exact else alpha.astype(working)
    total = None
    for k in range(len(across)):
        part = np.multiply(_columns(image, across[k]), np.repeat(alpha[k], channels), dtype=working)
        total = part if total is None else np.add(total, part, out=total)
    assert total is not None
    if exact and mode == CUBIC:
        return _cubic_down(total, down, _fixed(beta)).reshape(shape)
    if exact:
        total >>= 4
        result = None
        for k, weight in enumerate(_fixed(beta)):
            part = total.take(down[k], 0)
            part *= weight[:, None]
            part >>= 16
            result = part if result is None else np.add(result, part, out=result)
        assert result is not None
        result += 2
        result >>= 2
        return result.astype(np.uint8).reshape(shape)
    result = _weighted(total, down, beta.astype(working))
    return saturate(result, image.dtype).reshape(shape)


def _cubic_down(rows: np.ndarray, down: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """The second pass of cubic interpolation of 8-bit images.

    OpenCV takes groups of eight values in float32, and the rest of a row in integers.
    """
    whole = rows.shape[1] // 8 * 8
    weights = beta.astype(_F32) * _F32(1 / (2048 * 2048))
    result = np.rint(_weighted(rows[:, :whole].astype(_F32), down, weights))
    if whole < rows.shape[1]:
        rest = _weighted(rows[:, whole:].astype(np.int64), down, beta.astype(np.int64))
        result = np.concatenate([result, (rest + (1 << 21)) >> 22], axis=1)
    return result.clip(0, 255).astype(np.uint8)


def _weighted(rows: np.ndarray, down: np.ndarray, beta: np.ndarray) -> np.ndarray:
    result = None
    for k in range(len(down) - 1, -1, -1):
        part = rows.take(down[k], 0)
        part *= beta[k][:, None]
        result = part if result is None else np.add(result, part, out=result)
    assert result is not None
    return result


def saturate(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """``cv::saturate_cast``: rounded to even and cut to the type's range."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.rint(values).clip(limits.min, limits.max).astype(dtype)
    return values.astype(dtype, copy=False)


@lru_cache(maxsize=64)
def _area_taps(source: int, target: int) -> Weights:
    """The pixels under each target pixel, (taps, target), and their shares of its area."""
    scale = 1.0 / (target / source)
    cells: list[list[tuple[int, float]]] = []
    for x in range(target):
        start, end = x * scale, x * scale + scale
        cell = min(scale, source - start)
        last = min(math.floor(end), source - 1)
        first = min(math.ceil(start), last)
        taps = [(first - 1, (first - start) / cell)] if first - start > 1e-3 else []
        taps += [(i, 1.0 / cell) for i in range(first, last)]
        if end - last > 1e-3:
            taps.append((last, min(min(end - last, 1.0), cell) / cell))
        cells.append(taps)
    longest = max(map(len, cells))
    filled = [taps + [(0, 0.0)] * (longest - len(taps)) for taps in cells]
    both = np.asarray(filled).transpose(1, 0, 2)
    return both[..., 0].astype(np.int64), both[..., 1].astype(_F32)


def resize_area(image: np.ndarray, height: int, width: int) -> np.ndarray:
    """``cv::resize`` with INTER_AREA to a smaller size: means over areas."""
    rows, columns = image.shape[:2]
    channels = image.shape[2] if image.ndim == 3 else 1
    shape = (height, width, *image.shape[2:])
    working: Any = np.float64 if image.dtype == np.float64 else _F32
    if rows % height == 0 and columns % width == 0:
        y, x = rows // height, columns // width
        kind: Any = np.int64 if image.dtype.kind in "iu" else working
        blocks = image.reshape(height, y, width, x, channels).astype(kind)
        total = blocks.sum(axis=(1, 3)).reshape(shape)
        if image.dtype == np.uint8 and (y, x) == (2, 2):
            return ((total + 2) >> 2).astype(np.uint8)
        return saturate(total.astype(working) * working(_F32(1.0 / (x * y))), image.dtype)
    across, alpha = _area_taps(columns, width)
    down, beta = _area_taps(rows, height)
    total = np.zeros((rows, width * channels), working)
    for k in range(len(across)):
        total += _columns(image, across[k]) * np.repeat(alpha[k], channels).astype(working)
    result = np.zeros((height, width * channels), working)
    for k in range(len(down)):
        result += total.take(down[k], 0) * beta[k].astype(working)[:, None]
    return saturate(result.reshape(shape), image.dtype)


# --- borders --------------------------------------------------------------------------------------

_MODES = {"edge": "edge", "reflect": "reflect", "symmetric": "symmetric"}


def pad(
    image: np.ndarray,
    top: int,
    bottom: int,
    left: int,
    right: int,
    mode: str,
    fill: tuple[float, ...],
) -> np.ndarray:
    """``cv::copyMakeBorder``; `fill` has a value for each channel."""
    widths = ((top, bottom), (left, right), *(((0, 0),) * (image.ndim - 2)))
    if mode != "constant":
        return np.pad(image, widths, mode=_MODES[mode])  # type: ignore[call-overload]
    height, width = image.shape[0] + top + bottom, image.shape[1] + left + right
    result = np.empty((height, width, *image.shape[2:]), image.dtype)
    value = np.asarray(fill[: image.shape[2]] if image.ndim == 3 else fill[0])
    result[:] = saturate(np.atleast_1d(value), image.dtype)
    result[top : top + image.shape[0], left : left + image.shape[1]] = image
    return result


# --- warps ----------------------------------------------------------------------------------------


def affine_matrix_inverse(matrix: np.ndarray) -> np.ndarray:
    """The inverse of a 2 x 3 matrix, as OpenCV computes it."""
    m = np.asarray(matrix, np.float64)
    determinant = m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
    determinant = 1.0 / determinant if determinant != 0 else 0.0
    a11, a22 = m[1, 1] * determinant, m[0, 0] * determinant
    a12, a21 = -m[0, 1] * determinant, -m[1, 0] * determinant
    b1 = -a11 * m[0, 2] - a12 * m[1, 2]
    b2 = -a21 * m[0, 2] - a22 * m[1, 2]
    return np.array([[a11, a12, b1], [a21, a22, b2]])


def warp_affine(
    image: np.ndarray,
    matrix: np.ndarray,
    height: int,
    width: int,
    mode: str,
    fill: tuple[float, ...],
) -> np.ndarray:
    """``cv::warpAffine`` with a constant border: `matrix` maps source to target."""
    m = affine_matrix_inverse(matrix)
    x, y = np.arange(width), np.arange(height)
    step_x = np.rint(m[0, 0] * x * 1024).astype(np.int64)
    step_y = np.rint(m[1, 0] * x * 1024).astype(np.int64)
    half = 512 if mode == NEAREST else 16
    start_x = np.rint((m[0, 1] * y + m[0, 2]) * 1024).astype(np.int64) + half
    start_y = np.rint((m[1, 1] * y + m[1, 2]) * 1024).astype(np.int64) + half
    at_x = start_x[:, None] + step_x
    at_y = start_y[:, None] + step_y
    shift = 10 if mode == NEAREST else 5
    return _remap(image, at_x >> shift, at_y >> shift, mode, fill)


def perspective_matrix(start: Any, end: Any) -> np.ndarray:
    """``cv::getPerspectiveTransform``: the 3 x 3 matrix that maps four points to four others."""
    source, target = np.asarray(start, np.float64), np.asarray(end, np.float64)
    a, b = np.zeros((8, 8)), np.zeros(8)
    for i in range(4):
        x, y = source[i]
        u, v = target[i]
        a[i] = [x, y, 1, 0, 0, 0, -x * u, -y * u]
        a[i + 4] = [0, 0, 0, x, y, 1, -x * v, -y * v]
        b[i], b[i + 4] = u, v
    solved = np.linalg.lstsq(a, b, rcond=None)[0]
    return np.append(solved, 1.0).reshape(3, 3)


def warp_perspective(image: np.ndarray, matrix: np.ndarray, mode: str) -> np.ndarray:
    """``cv::warpPerspective`` to the same size with a black border."""
    height, width = image.shape[:2]
    m = np.linalg.inv(np.asarray(matrix, np.float64))
    x, y = np.arange(width), np.arange(height)[:, None]
    below = m[2, 0] * x + m[2, 1] * y + m[2, 2]
    scale = 1.0 if mode == NEAREST else 32.0
    with np.errstate(divide="ignore"):
        factor = np.where(below != 0, scale / below, 0.0)
    limit = 2.0**31 - 1
    at_x = ((m[0, 0] * x + m[0, 1] * y + m[0, 2]) * factor).clip(-limit - 1, limit)
    at_y = ((m[1, 0] * x + m[1, 1] * y + m[1, 2]) * factor).clip(-limit - 1, limit)
    where = np.rint(at_x).astype(np.int64), np.rint(at_y).astype(np.int64)
    return _remap(image, *where, mode, (0.0,) * 4)


def _fill_value(image: np.ndarray, fill: tuple[float, ...]) -> np.ndarray:
    channels = image.shape[2] if image.ndim == 3 else 1
    values = (*fill, 0.0, 0.0, 0.0, 0.0)[:channels]
    result = saturate(np.asarray(values, np.float64), image.dtype)
    return result if image.ndim == 3 else result[0]


def _remap(
    image: np.ndarray, at_x: np.ndarray, at_y: np.ndarray, mode: str, fill: tuple[float, ...]
) -> np.ndarray:
    """The image at positions: whole for nearest, else in 1/32 of a pixel; `fill` outside."""
    rows, columns = image.shape[:2]
    value = _fill_value(image, fill)
    if mode == NEAREST:
        inside = (at_x >= 0) & (at_x < columns) & (at_y >= 0) & (at_y < rows)
        result = np.empty((*at_x.shape, *image.shape[2:]), image.dtype)
        result[:] = value
        result[inside] = image[at_y[inside], at_x[inside]]
        return result
    # in a frame as wide as the taps reach, positions farther outside see nothing but the fill
    taps, reach = (4, 4) if mode == CUBIC else (2, 2)
    before = taps // 2 - 1
    framed = pad_constant(image, reach, value)
    x = (at_x >> 5).clip(before - reach, columns + before) + (reach - before)
    y = (at_y >> 5).clip(before - reach, rows + before) + (reach - before)
    part_x, part_y = at_x & 31, at_y & 31
    exact = image.dtype == np.uint8
    table = _warp_table(mode)
    working: Any = np.int32 if exact else (np.float64 if image.dtype == np.float64 else _F32)
    weights = table[0] if exact else table[1].astype(working)
    channels = image.shape[2] if image.ndim == 3 else 1
    flat = framed.reshape(-1, channels)
    place = y * framed.shape[1] + x
    total: Any = np.zeros((*at_x.shape, channels), working)
    chosen = weights[part_y, part_x]
    for i in range(taps):
        for j in range(taps):
            part = flat.take(place + (i * framed.shape[1] + j), 0).astype(working)
            part *= chosen[..., i, j, None]
            total += part
    result = ((total + (1 << 14)) >> 15).clip(0, 255) if exact else total
    return saturate(result, image.dtype).reshape(*at_x.shape, *image.shape[2:])


def pad_constant(image: np.ndarray, width: int, value: Any) -> np.ndarray:
    """The image in a frame of one value."""
    shape = (image.shape[0] + 2 * width, image.shape[1] + 2 * width, *image.shape[2:])
    result = np.empty(shape, image.dtype)
    result[:] = value
    result[width:-width, width:-width] = image
    return result


@lru_cache(maxsize=4)
def _warp_table(mode: str) -> Weights:
    """Weights of 32 x 32 positions within a pixel: of 15 bits that sum to one, and float32."""
    part = np.arange(32, dtype=_F32) / _F32(32)
    one = _cubic(part).T if mode == CUBIC else np.stack([_F32(1) - part, part], 1)
    exact = one[:, None, :, None] * one[None, :, None, :]
    whole = np.rint(exact * _F32(32768)).clip(-32768, 32767).astype(np.int32)
    taps = one.shape[1]
    for i in range(32):
        for j in range(32):
            missing = 32768 - int(whole[i, j].sum())
            if missing:
                # OpenCV adds what is missing to the largest of the last four, or takes what is
                # too much from the smallest
                block = whole[i, j, taps // 2 :, taps // 2 :]
                at = np.argmax(block) if missing > 0 else np.argmin(block)
                block[np.unravel_index(at, block.shape)] += missing
    return whole, exact


# --- filters --------------------------------------------------------------------------------------


def filter3x3(image: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """``cv::filter2D`` with a 3 x 3 kernel in float32."""
    if cv := opencv_for(image):
        return cv.filter2D(image, -1, kernel.astype(_F32)).reshape(image.shape)
    widths = np.zeros((image.ndim, 2), int)
    widths[:2] = 1
    framed = np.pad(image, widths, mode="reflect")
    framed = framed.astype(_F32)
    rows, columns = image.shape[:2]
    total = np.zeros(image.shape, _F32)
    for i in range(3):
        for j in range(3):
            total += framed[i : i + rows, j : j + columns] * _F32(kernel[i, j])
    return saturate(total, image.dtype)


@lru_cache(maxsize=32)
def _gaussian(size: int, sigma: float) -> np.ndarray:
    x = np.arange(size) - (size - 1) * 0.5
    kernel = np.exp(-0.5 / (sigma * sigma) * x * x)
    return kernel / kernel.sum()


def _fixed_gaussian(size: int, sigma: float) -> np.ndarray:
    """The kernel in 1/256 with the error of rounding handed on, so that it sums to 256."""
    kernel = _gaussian(size, sigma)
    result = np.zeros(size, np.int64)
    error = 0.0
    for i in range(size // 2):
        expected = kernel[i] * 256 + error
        result[i] = result[size - 1 - i] = round(expected)
        error = expected - round(expected)
    result[size // 2] = 256 - result.sum()
    return result


def _along(image: np.ndarray, kernel: np.ndarray, axis: int, working: Any) -> np.ndarray:
    reach = len(kernel) // 2
    widths = np.zeros((image.ndim, 2), int)
    widths[axis] = reach
    framed = np.pad(image, widths, mode="reflect") if reach else image
    size = image.shape[axis]
    total = np.zeros(image.shape, working)
    for i, weight in enumerate(kernel):
        part = framed[i : i + size] if axis == 0 else framed[:, i : i + size]
        total += part.astype(working) * working(weight)
    return total


def gaussian_blur(
    image: np.ndarray, size: tuple[int, int], sigma: tuple[float, float]
) -> np.ndarray:
    """``cv::GaussianBlur``: `size` and `sigma` are (x, y); MindSpore chooses a sigma of 0."""
    first = sigma[0] if sigma[0] > 0 else size[0] * 0.15 + 0.35
    second = sigma[1] if sigma[1] > 0 else first
    if cv := opencv_for(image):
        return cv.GaussianBlur(image, size, first, sigmaY=second).reshape(image.shape)
    if image.dtype == np.uint8:
        total = _along(image, _fixed_gaussian(size[0], first), 1, np.int64)
        total = _along(total, _fixed_gaussian(size[1], second), 0, np.int64)
        return ((total + (1 << 15)) >> 16).clip(0, 255).astype(np.uint8)
    working: Any = np.float64 if image.dtype == np.float64 else _F32
    total = _along(image, _gaussian(size[0], first), 1, working)
    total = _along(total, _gaussian(size[1], second), 0, working)
    return saturate(total, image.dtype)
