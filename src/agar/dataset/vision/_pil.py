"""Geometry on PIL images, as MindSpore's Python transforms do it with Pillow."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from agar.dataset.vision._base import color

__all__ = [
    "adjust_hue",
    "center_crop",
    "five_crop",
    "grayscale",
    "pad",
    "perspective",
    "random_affine",
    "resize",
    "resized_crop_box",
]

FLIP_LEFT_RIGHT = Image.Transpose.FLIP_LEFT_RIGHT
FLIP_TOP_BOTTOM = Image.Transpose.FLIP_TOP_BOTTOM


def resize(img: Image.Image, size: Any, mode: Any, box: Any = None) -> Image.Image:
    """To (height, width), or the shorter side to an int; `box` is what is resized."""
    if not isinstance(size, int):
        return img.resize((size[1], size[0]), mode, box=box)
    width, height = img.size
    if size == min(width, height):
        return img
    ratio = width / height
    target = (size, int(size / ratio)) if width < height else (int(size * ratio), size)
    return img.resize(target, mode)


def center_crop(img: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The middle; black where the image is smaller."""
    height, width = size
    top = round((img.height - height) / 2.0)
    left = round((img.width - width) / 2.0)
    return img.crop((left, top, left + width, top + height))


def five_crop(owner: str, img: Image.Image, size: tuple[int, int]) -> tuple[Image.Image, ...]:
    """The corners and the middle.

    Raises:
        ValueError: the crop is larger than the image.
    """
    (height, width), (columns, rows) = size, img.size
    if height > rows or width > columns:
        raise ValueError(
            f"For '{owner}', the crop {size} is larger than the image, ({rows}, {columns})."
        )
    return (
        img.crop((0, 0, width, height)),
        img.crop((columns - width, 0, columns, height)),
        img.crop((0, rows - height, width, rows)),
        img.crop((columns - width, rows - height, columns, rows)),
        center_crop(img, size),
    )


def pad(img: Image.Image, padding: tuple[int, int, int, int], fill: Any, mode: str) -> Image.Image:
    """The image with a border: `padding` is (left, top, right, bottom)."""
    left, top, right, bottom = padding
    if mode == "constant":
        palette = img.getpalette() if img.mode == "P" else None
        value = fill[0] if palette is not None else color(img, fill)
        result = ImageOps.expand(img, border=padding, fill=value)
    else:
        palette = img.getpalette() if img.mode == "P" else None
        array = np.asarray(img)
        widths = ((top, bottom), (left, right), *(((0, 0),) * (array.ndim - 2)))
        result = Image.fromarray(np.pad(array, widths, mode=mode))  # type: ignore[call-overload]
    if palette is not None:
        result.putpalette(palette)
    return result


def grayscale(img: Image.Image, channels: int) -> Image.Image:
    """Gray, as one channel or three equal ones."""
    gray = img.convert("L")
    return gray if channels == 1 else Image.merge("RGB", (gray, gray, gray))


def adjust_hue(img: Image.Image, factor: float) -> Image.Image:
    """The hue moved around the circle by a part of it."""
    if img.mode in {"L", "1", "I", "F"}:
        return img
    hue, saturation, value = img.convert("HSV").split()
    shift = int(factor * 255) & 0xFF
    hue = hue.point([(i + shift) & 0xFF for i in range(256)])
    return Image.merge("HSV", (hue, saturation, value)).convert(img.mode)


def resized_crop_box(
    width: int, height: int, scale: Any, ratio: Any, attempts: int
) -> tuple[int, int, int, int]:
    """A box (left, top, width, height) drawn with Python's ``random``."""
    low, high = math.log(ratio[0]), math.log(ratio[1])
    for _ in range(attempts):
        area = random.uniform(scale[0], scale[1]) * (width * height)
        aspect = math.exp(random.uniform(low, high))
        across = round(math.sqrt(area * aspect))
        down = round(across / aspect)
        if 0 < across <= width and 0 < down <= height:
            top = random.randint(0, height - down)
            return random.randint(0, width - across), top, across, down
    across, down = width, height
    if width / height < ratio[0]:
        down = round(width / ratio[0])
    elif width / height > ratio[1]:
        across = round(height * ratio[1])
    return round((width - across) / 2.0), round((height - down) / 2.0), across, down


def perspective(img: Image.Image, start: Any, end: Any, mode: Any) -> Image.Image:
    """The image moved so that the start points come to the end points."""
    rows, expected = [], np.asarray(start, float).reshape(8)
    for (x, y), (u, v) in zip(end, start, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.lstsq(np.asarray(rows, float), expected, rcond=None)[0]
    return img.transform(img.size, Image.Transform.PERSPECTIVE, solved.tolist(), mode)


def random_affine(
    img: Image.Image, degrees: Any, translate: Any, scale: Any, shear: Any, mode: Any, fill: Any
) -> Image.Image:
    """Rotation, shift, scale and shear drawn with Python's ``random``."""
    width, height = img.size
    angle = math.radians(random.uniform(degrees[0], degrees[1]))
    reach_x, reach_y = translate[0] * width, translate[1] * height
    move_x = np.round(random.uniform(-reach_x, reach_x))
    move_y = np.round(random.uniform(-reach_y, reach_y))
    factor = 1.0 / random.uniform(scale[0], scale[1])
    shear_x = math.radians(random.uniform(shear[0], shear[1]))
    shear_y = math.radians(random.uniform(shear[2], shear[3]))
    one, other = angle + shear_x, angle + shear_y
    factor /= math.cos(one) * math.cos(other) + math.sin(one) * math.sin(other)
    a, b = factor * math.cos(one), factor * math.sin(one)
    d, e = -factor * math.sin(other), factor * math.cos(other)
    center_x, center_y = width * 0.5 + 0.5, height * 0.5 + 0.5
    c = a * (-center_x - move_x) + b * (-center_y - move_y) + center_x
    f = d * (-center_x - move_x) + e * (-center_y - move_y) + center_y
    return img.transform(
        img.size,
        Image.Transform.AFFINE,
        (a, b, c, d, e, f),
        mode,
        fillcolor=color(img, fill),
    )
