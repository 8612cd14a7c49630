"""Colors of arrays, with the numbers of OpenCV, which MindSpore calls.

Images are RGB, of shape (H, W) or (H, W, C); nothing here checks arguments.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from agar.dataset.vision import _cv

__all__ = [
    "SECTORS",
    "adjust_contrast",
    "adjust_gamma",
    "adjust_hue",
    "adjust_saturation",
    "adjust_sharpness",
    "autocontrast_table",
    "blend",
    "equalize",
    "gray",
    "lookup",
    "scale",
    "solarize",
]

_F32 = np.float32
_BYTES = np.arange(256)


def lookup(image: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Each 8-bit value replaced by that of a table, (256,) or (256, C)."""
    if table.ndim == 1:
        return table.take(image)
    result = np.empty(image.shape, table.dtype)
    for channel in range(table.shape[1]):
        result[..., channel] = table[:, channel].take(image[..., channel])
    return result


def scale(image: np.ndarray, factor: float) -> np.ndarray:
    """``image * factor``, rounded and cut to the type's range."""
    if image.dtype == np.uint8:
        values = np.rint(_BYTES.astype(_F32) * _F32(factor)).clip(0, 255)
        return lookup(image, values.astype(np.uint8))
    if image.dtype.kind in "iu":
        return _cv.saturate(image.astype(np.float64) * factor, image.dtype)
    return (image * image.dtype.type(factor)).astype(image.dtype)


def gray(image: np.ndarray) -> np.ndarray:
    """The luminance of red, green and blue, (H, W)."""
    red, green, blue = image[..., 0], image[..., 1], image[..., 2]
    if image.dtype.kind in "iu":
        total = red.astype(np.int32) * 9798
        total += green.astype(np.int32) * 19235
        total += blue.astype(np.int32) * 3735
        total += 1 << 14
        return (total >> 15).astype(image.dtype)
    kind = image.dtype.type
    return red * kind(0.299) + green * kind(0.587) + blue * kind(0.114)


def blend(image: np.ndarray, other: Any, factor: float, *, swap: bool = False) -> np.ndarray:
    """``image * factor + other * (1 - factor)``, rounded and cut to the type's range.

    OpenCV rounds the second product to float32 and adds the first one exactly; `swap` says that the
    product of `other` is the first one.
    """
    one = _F32(factor)
    two = _F32(1) - one
    if image.dtype == np.uint8:
        exact, rounded = (other, image) if swap else (image, other)
        weight, last = (two, one) if swap else (one, two)
        result = np.multiply(exact, float(weight), dtype=np.float64)
        result = result + np.asarray(rounded, _F32) * last
        result = result.astype(_F32)
        return np.rint(result, out=result).clip(0, 255).astype(np.uint8)
    working: Any = np.float64 if image.dtype != _F32 else _F32
    result = image.astype(working) * working(one)
    return _cv.saturate(result + np.asarray(other, working) * working(two), image.dtype)


def adjust_contrast(image: np.ndarray, factor: float) -> np.ndarray:
    """Blended with the mean luminance."""
    mean: float = gray(image).mean(dtype=np.float64)
    if image.dtype.kind in "iu":
        mean = int(mean + 0.5)
    return blend(image, mean, factor, swap=True)


def adjust_saturation(image: np.ndarray, factor: float, *, swap: bool = True) -> np.ndarray:
    """Blended with the luminance."""
    return blend(image, gray(image)[..., None], factor, swap=swap)


def adjust_gamma(image: np.ndarray, gamma: float, gain: float) -> np.ndarray:
    """``gain * image ** gamma`` of integers taken as parts of 255.

    Of floats, whose values are within [0, 1], MindSpore computes ``(gain * image) ** gamma``.
    """
    if image.dtype.kind == "f":
        return np.power(image.astype(_F32) * _F32(gain), _F32(gamma)).clip(0, 1)
    table = np.floor(np.power(_BYTES / 255.0, gamma) * gain * (256 - 0.001)).clip(0, 255)
    return lookup(image.clip(0, 255), table.astype(image.dtype))


_SHARPEN = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]]) / 13.0


def adjust_sharpness(image: np.ndarray, factor: float) -> np.ndarray:
    """Blended with a smoothed image, but for the outermost pixels."""
    smooth = _cv.filter3x3(image, _SHARPEN)
    smooth[[0, -1]] = image[[0, -1]]
    smooth[:, [0, -1]] = image[:, [0, -1]]
    return blend(image, smooth, factor)


@lru_cache(maxsize=1)
def _divisions() -> tuple[np.ndarray, np.ndarray]:
    """Tables of 255 / i and 256 / (6 i) in 1 / 4096."""
    i = np.arange(1, 256)
    saturation = np.concatenate([[0], np.rint((255 << 12) / i)])
    hue = np.concatenate([[0], np.rint((256 << 12) / (6.0 * i))])
    return saturation.astype(np.int32), hue.astype(np.int32)


def _to_hsv(image: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hue (the circle is 256), saturation and value of an 8-bit image."""
    red, green, blue = (image[..., i].astype(np.int32) for i in range(3))
    value = np.maximum(np.maximum(red, green), blue)
    spread = value - np.minimum(np.minimum(red, green), blue)
    by_saturation, by_hue = _divisions()
    saturation = (spread * by_saturation[value] + (1 << 11)) >> 12
    hue = np.where(
        value == red,
        green - blue,
        np.where(value == green, blue - red + 2 * spread, red - green + 4 * spread),
    )
    hue = (hue * by_hue[spread] + (1 << 11)) >> 12
    hue = np.where(hue < 0, hue + 256, hue)
    return hue.clip(0, 255), saturation, value


SECTORS = np.array(
    # which of (v, v (1 - s), v (1 - s h), v (1 - s (1 - h))) is red, green, blue
    [[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]]
)


def _from_hsv(hue: np.ndarray, saturation: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The 8-bit RGB image of hue (the circle is 255), saturation and value, in float32.

    OpenCV takes the columns in groups of 32 (with AVX2), whose values it cuts off to integers; in
    the rest of a row it rounds. ``1 - s h`` is computed with one rounding.
    """
    part = hue.astype(_F32) * _F32(6.0 / 255.0)
    sector = np.floor(part)
    part -= sector
    s = saturation.astype(_F32) * _F32(1.0 / 255.0)
    v = value.astype(_F32) * _F32(1.0 / 255.0)
    exact = s.astype(np.float64)
    falling = (1 - exact * part).astype(_F32)
    rising = (1 - exact * (_F32(1) - part)).astype(_F32)
    table = np.stack([v, v * (_F32(1) - s), v * falling, v * rising], -1)
    result = np.take_along_axis(table, SECTORS[sector.astype(np.int64) % 6], -1)
    result *= _F32(255)
    whole = hue.shape[1] // 32 * 32
    result[:, :whole] = np.trunc(result[:, :whole])
    result[:, whole:] = np.rint(result[:, whole:])
    return result.clip(0, 255).astype(np.uint8)


def adjust_hue(image: np.ndarray, factor: float) -> np.ndarray:
    """The hue of an 8-bit image moved around the circle by a part of it."""
    hue, saturation, value = _to_hsv(image)
    return _from_hsv((hue + int(factor * 255)) & 0xFF, saturation, value)


def _cut(histogram: np.ndarray, cutoff: float, ignore: Any) -> tuple[int, int]:
    """The lowest and highest value after a share was taken from both ends."""
    counts = histogram.copy()
    counts[list(ignore)] = 0
    if cutoff > 0:
        count = int(counts.sum()) * int(cutoff) // 100  # MindSpore takes whole percents
        for order in (range(256), range(255, -1, -1)):
            left = count
            for i in order:
                taken = min(left, counts[i])
                counts[i] -= taken
                left -= taken
                if left <= 0:
                    break
    match = np.flatnonzero(counts)
    return (int(match[0]), int(match[-1])) if len(match) else (0, 0)


def autocontrast_table(channel: np.ndarray, cutoff: float, ignore: Any) -> np.ndarray:
    """The table that stretches a channel's values over [0, 255]."""
    low, high = _cut(np.bincount(channel.ravel(), minlength=256), cutoff, ignore)
    if high <= low:
        return _BYTES.astype(np.uint8)
    factor = _F32(255.0) / _F32(high - low)
    values = (_BYTES.astype(_F32) * factor + _F32(-low) * factor).astype(np.int64)
    return values.clip(0, 255).astype(np.uint8)


def equalize(channel: np.ndarray) -> np.ndarray:
    """``cv::equalizeHist``: values spread so that all are about equally frequent."""
    counts = np.bincount(channel.ravel(), minlength=256)
    first = int(np.flatnonzero(counts)[0])
    if counts[first] == channel.size:
        return channel.copy()
    factor = _F32(255.0) / _F32(channel.size - counts[first])
    counts[: first + 1] = 0
    table = np.rint(np.cumsum(counts).astype(_F32) * factor).clip(0, 255).astype(np.uint8)
    return table.take(channel)


def solarize(image: np.ndarray, low: float, high: float) -> np.ndarray:
    """``255 - image`` where a value is within [low, high]; above low where both are equal."""
    values = _BYTES if image.dtype == np.uint8 else image
    inside = (values >= low) & ((values <= high) if low != high else True)
    if image.dtype == np.uint8:
        return lookup(image, np.where(inside, 255 - _BYTES, _BYTES).astype(np.uint8))
    return np.where(inside, 255 - image, image).astype(image.dtype)
