"""``dataset.vision.py_transforms_util``: the functions over PIL images behind the transforms."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from agar.dataset import vision
from agar.dataset.vision import Border, Inter

__all__ = [
    "adjust_brightness",
    "adjust_contrast",
    "adjust_hue",
    "adjust_saturation",
    "augment_error_message",
    "auto_contrast",
    "center_crop",
    "crop",
    "decode",
    "equalize",
    "five_crop",
    "grayscale",
    "horizontal_flip",
    "hwc_to_chw",
    "invert_color",
    "is_pil",
    "normalize",
    "pad",
    "random_crop",
    "random_horizontal_flip",
    "random_vertical_flip",
    "resize",
    "rotate",
    "ten_crop",
    "to_pil",
    "to_tensor",
    "to_type",
    "vertical_flip",
]

augment_error_message = "img should be PIL image. Got {}. Use Decode() or ToPIL() before."


def is_pil(img: Any) -> bool:
    """Whether an image is one of PIL."""
    return isinstance(img, Image.Image)


def _pil(img: Any) -> Image.Image:
    if not is_pil(img):
        raise TypeError(augment_error_message.format(type(img)))
    return img


def decode(img: Any) -> Image.Image:
    """The image of a file's bytes, as RGB."""
    return vision.Decode(True)(img)


def to_pil(img: Any) -> Image.Image:
    """An array <H, W, C> as an image of PIL."""
    return vision.ToPIL()(img)


def to_tensor(img: Any, output_type: Any) -> np.ndarray:
    """An image as an array <C, H, W> with values from 0 to 1."""
    return vision.ToTensor(output_type)(img)


def to_type(img: Any, output_type: Any) -> np.ndarray:
    """An image as an array of another dtype."""
    return vision.ToType(output_type)(img)


def hwc_to_chw(img: Any) -> np.ndarray:
    """An array <H, W, C> as <C, H, W>."""
    return vision.HWC2CHW()(img)


def normalize(
    img: Any, mean: Any, std: Any, pad_channel: bool = False, dtype: str = "float32"
) -> np.ndarray:
    """An array <C, H, W> less its mean, divided by its standard deviation."""
    if pad_channel:
        return vision.NormalizePad(mean, std, dtype, is_hwc=False)(img)
    return vision.Normalize(mean, std, is_hwc=False)(img)


def horizontal_flip(img: Any) -> Image.Image:
    """An image with left and right exchanged."""
    return ImageOps.mirror(_pil(img))


def vertical_flip(img: Any) -> Image.Image:
    """An image with top and bottom exchanged."""
    return ImageOps.flip(_pil(img))


def random_horizontal_flip(img: Any, prob: float) -> Image.Image:
    """An image, its sides exchanged with a probability."""
    return horizontal_flip(img) if prob > random.random() else _pil(img)


def random_vertical_flip(img: Any, prob: float) -> Image.Image:
    """An image, its top and bottom exchanged with a probability."""
    return vertical_flip(img) if prob > random.random() else _pil(img)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Image.Image:
    """A part of an image."""
    return _pil(img).crop((left, top, left + width, top + height))


def resize(img: Any, size: Any, interpolation: Any = Inter.BILINEAR) -> Image.Image:
    """An image in another size."""
    return vision.Resize(size, interpolation)(_pil(img))


def center_crop(img: Any, size: Any) -> Image.Image:
    """The middle of an image."""
    return vision.CenterCrop(size)(_pil(img))


def pad(img: Any, padding: Any, fill_value: Any, padding_mode: Any) -> Image.Image:
    """An image with a border."""
    return vision.Pad(padding, fill_value, padding_mode)(_pil(img))


def random_crop(
    img: Any,
    size: Any,
    padding: Any,
    pad_if_needed: bool,
    fill_value: Any,
    padding_mode: Any = Border.CONSTANT,
) -> Image.Image:
    """A part of an image at a random place."""
    return vision.RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)(_pil(img))


def adjust_brightness(img: Any, brightness_factor: float) -> Image.Image:
    """An image brighter by a factor."""
    return ImageEnhance.Brightness(_pil(img)).enhance(brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Image.Image:
    """An image with more contrast by a factor."""
    return ImageEnhance.Contrast(_pil(img)).enhance(contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Image.Image:
    """An image with stronger colors by a factor."""
    return ImageEnhance.Color(_pil(img)).enhance(saturation_factor)


def adjust_hue(img: Any, hue_factor: float) -> Image.Image:
    """An image with its hues turned."""
    return vision.AdjustHue(hue_factor)(_pil(img))


def rotate(
    img: Any, angle: float, resample: Any, expand: bool, center: Any, fill_value: Any
) -> Image.Image:
    """An image turned to the left by an angle in degrees."""
    modes = {Inter.NEAREST: 0, Inter.BILINEAR: 2, Inter.BICUBIC: 3}
    mode = Image.Resampling(modes.get(resample, resample))
    return _pil(img).rotate(angle, mode, expand, center, fillcolor=fill_value)


def five_crop(img: Any, size: Any) -> tuple[Image.Image, ...]:
    """The corners and the middle of an image."""
    return vision.FiveCrop(size)(_pil(img))


def ten_crop(img: Any, size: Any, use_vertical_flip: bool = False) -> tuple[Image.Image, ...]:
    """The corners and the middle of an image and of the flipped one."""
    return vision.TenCrop(size, use_vertical_flip)(_pil(img))


def grayscale(img: Any, num_output_channels: int) -> Image.Image:
    """An image in shades of gray."""
    return vision.Grayscale(num_output_channels)(_pil(img))


def invert_color(img: Any) -> Image.Image:
    """The negative of an image."""
    return ImageOps.invert(_pil(img))


def equalize(img: Any) -> Image.Image:
    """An image with its values spread evenly."""
    return ImageOps.equalize(_pil(img))


def auto_contrast(img: Any, cutoff: float, ignore: Any) -> Image.Image:
    """An image with its values spread from black to white."""
    return ImageOps.autocontrast(_pil(img), cutoff, ignore)
