"""Transforms that draw how, or whether, colors and sharpness are changed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from PIL import Image, ImageEnhance

from agar.dataset.transforms._checks import LARGEST, is_number, is_whole
from agar.dataset.transforms._random import Random
from agar.dataset.vision import _color_arrays, _cv, _pil
from agar.dataset.vision._base import (
    C,
    ImageOnly,
    ImageTensorOperation,
    VisionCheck,
    check_pil,
)
from agar.dataset.vision._color import Contrast, equalized, inverted, posterized, solarized

__all__ = [
    "RandomAdjustSharpness",
    "RandomAutoContrast",
    "RandomColor",
    "RandomColorAdjust",
    "RandomEqualize",
    "RandomGrayscale",
    "RandomInvert",
    "RandomLighting",
    "RandomPosterize",
    "RandomSharpness",
    "RandomSolarize",
]


def _factors(check: VisionCheck, degrees: Any) -> tuple[float, float]:
    """A range of factors."""
    if degrees is None:
        return 0.1, 1.9
    if not isinstance(degrees, (list, tuple)):
        check.wrong_type("degrees", degrees, "a list or tuple (min, max)")
    if len(degrees) != 2:
        check.wrong_value("degrees", degrees, "of length 2")
    check.ordered("degrees", degrees, 0)
    return degrees[0], degrees[1]


def _python_factor(degrees: tuple[float, float]) -> float:
    return (degrees[1] - degrees[0]) * random.random() + degrees[0]


class RandomColor(Random, ImageTensorOperation):
    """Blend an image with its luminance by a random factor.

    Args:
        degrees (Sequence[float], optional): the range (min, max) of the factor. 0 gives gray, 1 the
            image. Default: ``(0.1, 1.9)``.

    Raises:
        TypeError: `degrees` is not a list or tuple of numbers.
        ValueError: it is out of range or order.
        RuntimeError: the shape of the input is not (H, W, 3).

    Difference from PyTorch: ``torchvision.transforms.ColorJitter(saturation=...)``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomColor((0.0, 0.0))(np.array([[[100, 0, 0]]], np.uint8))
        array([[[30, 30, 30]]], dtype=uint8)
    """

    def __init__(self, degrees: Any = (0.1, 1.9)) -> None:
        self.degrees = _factors(VisionCheck(self._name), degrees)

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._numeric(self._rgb(image))
        factor = float(self._stream.uniform(*self.degrees))
        return _color_arrays.adjust_saturation(image, factor, swap=False)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return ImageEnhance.Color(img).enhance(_python_factor(self.degrees))


class RandomSharpness(Random, ImageTensorOperation):
    """Blend an image with a smoothed copy by a random factor.

    Args:
        degrees (Sequence[float], optional): the range (min, max) of the factor. 0 gives the
            smoothed image, 1 the image. Default: ``(0.1, 1.9)``.

    Raises:
        TypeError: `degrees` is not a list or tuple of numbers.
        ValueError: it is out of range or order.
        RuntimeError: the input is not an image.

    Difference from PyTorch: ``torchvision.transforms.RandomAdjustSharpness`` has one factor.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomSharpness((1.0, 1.0))(np.array([[1, 2]], np.uint8))
        array([[1, 2]], dtype=uint8)
    """

    def __init__(self, degrees: Any = (0.1, 1.9)) -> None:
        self.degrees = _factors(VisionCheck(self._name), degrees)

    def _image(self, image: np.ndarray) -> np.ndarray:
        factor = float(self._stream.uniform(*self.degrees))
        return _color_arrays.adjust_sharpness(self._numeric(image), factor)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return ImageEnhance.Sharpness(img).enhance(_python_factor(self.degrees))


class RandomColorAdjust(Random, ImageTensorOperation):
    """Adjust brightness, contrast, saturation and hue by random amounts in random order.

    Args:
        brightness (Union[float, Sequence[float]], optional): the range of the factor; a number b
            stands for (max(0, 1 - b), 1 + b). Default: ``(1, 1)``.
        contrast (Union[float, Sequence[float]], optional): likewise. Default: ``(1, 1)``.
        saturation (Union[float, Sequence[float]], optional): likewise. Default: ``(1, 1)``.
        hue (Union[float, Sequence[float]], optional): the range of the shift, within [-0.5, 0.5]; a
            number h stands for (-h, h). Default: ``(0, 0)``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range or order.
        RuntimeError: the shape of the input is not (H, W, 3).

    Difference from PyTorch: as ``torchvision.transforms.ColorJitter``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> change = vision.RandomColorAdjust(brightness=(2, 2))
        >>> change(np.array([[[10, 20, 200]]], np.uint8))
        array([[[ 20,  40, 255]]], dtype=uint8)
    """

    def __init__(
        self,
        brightness: Any = (1, 1),
        contrast: Any = (1, 1),
        saturation: Any = (1, 1),
        hue: Any = (0, 0),
    ) -> None:
        self.brightness = self._range("brightness", brightness)
        self.contrast = self._range("contrast", contrast)
        self.saturation = self._range("saturation", saturation)
        self.hue = self._range("hue", hue)

    def _range(self, name: str, value: Any) -> tuple[float, float]:
        check = VisionCheck(self._name)
        low, high = (-0.5, 0.5) if name == "hue" else (0, LARGEST)
        if is_number(value):
            check.number(name, value, 0)
            value = (-value, value) if name == "hue" else (max(0, 1 - value), 1 + value)
        check.ordered(name, value, low, high)
        return value[0], value[1]

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._numeric(self._rgb(image))
        stream = self._stream
        order = ["brightness", "contrast", "saturation", "hue"]
        stream.shuffle(order)
        for name in order:
            low, high = getattr(self, name)
            factor = float(stream.uniform(low, high)) if low != high else low
            if name == "brightness":
                image = _color_arrays.scale(image, factor)
            elif name == "contrast":
                image = _color_arrays.adjust_contrast(image, factor)
            elif name == "saturation":
                image = _color_arrays.adjust_saturation(image, factor)
            elif factor != 0:
                image = _color_arrays.adjust_hue(self._bytes(image), factor)
        return image

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        factors = {
            name: random.uniform(*getattr(self, name))
            for name in ("brightness", "contrast", "saturation", "hue")
        }
        order = list(factors)
        random.shuffle(order)
        for name in order:
            if name == "brightness":
                img = ImageEnhance.Brightness(img).enhance(factors[name])
            elif name == "contrast":
                img = ImageEnhance.Contrast(img).enhance(factors[name])
            elif name == "saturation":
                img = ImageEnhance.Color(img).enhance(factors[name])
            else:
                img = _pil.adjust_hue(img, factors[name])
        return img


# eigenvectors of the colors of ImageNet, times the roots of their eigenvalues
_LIGHTING = np.array(
    [
        [55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009],
        [55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140],
        [55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203],
    ]
)


class RandomLighting(Random, ImageTensorOperation):
    """Add random light along the principal colors of ImageNet, as AlexNet did.

    Args:
        alpha (float, optional): the deviation of the normal draws. Default: ``0.05``.

    Raises:
        TypeError: `alpha` is not a number.
        ValueError: it is negative.
        RuntimeError: the shape of the input is not (H, W, 3).

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomLighting(0.0)(np.array([[[1, 2, 3]]], np.uint8))
        array([[[1, 2, 3]]], dtype=uint8)
    """

    def __init__(self, alpha: float = 0.05) -> None:
        self.alpha = VisionCheck(self._name).number("alpha", alpha, 0)

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._numeric(self._rgb(image))
        stream = self._stream
        drawn = [stream.normal(0, self.alpha, stream.spare) for _ in range(3)]
        light = (_LIGHTING.astype(np.float32) * np.array(drawn)).sum(axis=1, dtype=np.float32)
        return _cv.saturate((image + light).clip(0, 255), image.dtype)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        img = img if img.mode == "RGB" else img.convert("RGB")
        light = _LIGHTING @ [np.random.normal(loc=0.0, scale=self.alpha) for _ in range(3)]
        return Image.fromarray((np.asarray(img) + light).clip(0, 255).astype(np.uint8))


class RandomPosterize(Random, ImageTensorOperation):
    """Keep a random number of the highest bits of each value.

    Args:
        bits (Union[int, Sequence[int]], optional): the range (min, max) of the number, within
            [1, 8], or the number. Default: ``(8, 8)``.

    Raises:
        TypeError: `bits` has the wrong type.
        ValueError: it is out of range or order.
        RuntimeError: the input is not an image of type uint8.

    Difference from PyTorch: ``torchvision.transforms.RandomPosterize`` draws whether.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomPosterize(1)(np.array([[100, 200]], np.uint8))
        array([[  0, 128]], dtype=uint8)
    """

    implementation = C
    _batched = True

    def __init__(self, bits: Any = (8, 8)) -> None:
        check = VisionCheck(self._name)
        if is_whole(bits):
            check.whole("bits", bits, 1, 8)
            bits = (bits, bits)
        check.sequence("bits", bits, 2)
        for i, part in enumerate(bits):
            check.whole(f"bits[{i}]", part, 0, 255)
        self.bits = check.ordered("bits", bits, 1, 8)

    def _image(self, image: np.ndarray) -> np.ndarray:
        bits = self._stream.integer(*self.bits) if self.bits[0] != self.bits[1] else self.bits[0]
        return posterized(self, np.ascontiguousarray(image), bits)


class RandomSolarize(Random, ImageTensorOperation):
    """Invert the values of an image that lie in a random range.

    Args:
        threshold (tuple, optional): the range of the ends, two ints within [0, 255].
            Default: ``(0, 255)``.

    Raises:
        TypeError: `threshold` is not a tuple of ints.
        ValueError: it is out of range or order.
        RuntimeError: the input is not an image with 1 or 3 channels.

    Difference from PyTorch: ``torchvision.transforms.RandomSolarize`` draws whether.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomSolarize((0, 0))(np.array([[10, 60]], np.uint8))
        array([[245, 195]], dtype=uint8)
    """

    implementation = C
    _batched = True

    def __init__(self, threshold: Any = (0, 255)) -> None:
        check = VisionCheck(self._name)
        check.kind("threshold", threshold, tuple)
        for i, part in enumerate(threshold):
            check.kind(f"threshold[{i}]", part, int)
        if len(threshold) != 2:
            check.wrong_value("threshold", threshold, "of length 2")
        self.threshold = check.ordered("threshold", threshold, 0, 255)

    def _image(self, image: np.ndarray) -> np.ndarray:
        first = self._stream.integer(*self.threshold)
        second = self._stream.integer(*self.threshold)
        return solarized(self, image, min(first, second), max(first, second))


# --- drawn whether --------------------------------------------------------------------------------


class RandomAdjustSharpness(Random, ImageTensorOperation):
    """Adjust the sharpness of an image with a given probability.

    Args:
        degree (float): the factor, as in `AdjustSharpness`.
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: an argument is not a number.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.RandomAdjustSharpness``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomAdjustSharpness(2.0, prob=0.0)(np.array([[1, 2]], np.uint8))
        array([[1, 2]], dtype=uint8)
    """

    implementation = C

    def __init__(self, degree: float, prob: float = 0.5) -> None:
        check = VisionCheck(self._name)
        self.degree = check.number("degree", degree, 0)
        self.prob = check.probability("prob", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        if self._stream.chance(self.prob):
            return _color_arrays.adjust_sharpness(self._numeric(image), self.degree)
        return image


class RandomAutoContrast(Random, Contrast):
    """Stretch the values of an image as `AutoContrast` does, with a given probability.

    Args:
        cutoff (float, optional): the share of the lightest and of the darkest pixels left out, in
            percent, within [0, 50). Default: ``0.0``.
        ignore (Union[int, Sequence[int]], optional): values to ignore. Default: ``None``.
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image of type uint8.

    Difference from PyTorch: ``torchvision.transforms.RandomAutocontrast`` leaves nothing out.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomAutoContrast(prob=1.0)(np.array([[10, 20, 30]], np.uint8))
        array([[  0, 127, 255]], dtype=uint8)
    """

    implementation = C

    def __init__(self, cutoff: float = 0.0, ignore: Any = None, prob: float = 0.5) -> None:
        self._ends(cutoff, ignore)
        self.prob = VisionCheck(self._name).probability("prob", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._stretched(image) if self._stream.chance(self.prob) else image


class RandomEqualize(Random, ImageTensorOperation):
    """Equalize the histogram of an image with a given probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: it is not within [0, 1].
        RuntimeError: the input is not an image of type uint8 with 1 or 3 channels.

    Difference from PyTorch: as ``torchvision.transforms.RandomEqualize``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomEqualize(1.0)(np.array([[1, 2, 3]], np.uint8))
        array([[  0, 128, 255]], dtype=uint8)
    """

    implementation = C
    _batched = True

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = VisionCheck(self._name).probability("prob", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return equalized(self, image) if self._stream.chance(self.prob) else image


class RandomInvert(Random, ImageTensorOperation):
    """Invert an image with a given probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: it is not within [0, 1].
        RuntimeError: the shape of the input is not (H, W, 3).

    Difference from PyTorch: as ``torchvision.transforms.RandomInvert``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomInvert(1.0)(np.array([[[0, 100, 255]]], np.uint8))
        array([[[255, 155,   0]]], dtype=uint8)
    """

    implementation = C

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = VisionCheck(self._name).probability("prob", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return inverted(self, image) if self._stream.chance(self.prob) else image


class RandomGrayscale(ImageOnly):
    """Convert a PIL image to gray with a given probability, with as many channels.

    Args:
        prob (float, optional): the probability. Default: ``0.1``.

    Raises:
        TypeError: `prob` is not a number, or the input is not a PIL image.
        ValueError: `prob` is not within [0, 1].

    Difference from PyTorch: as ``torchvision.transforms.RandomGrayscale``.

    Source: behavior observed in MindSpore 2.10; drawn with Python's ``random``.

    Examples:
        >>> from PIL import Image
        >>> import agar.dataset.vision as vision
        >>> vision.RandomGrayscale(1.0)(Image.new("RGB", (8, 6))).mode
        'RGB'
    """

    random = True

    def __init__(self, prob: float = 0.1) -> None:
        self.prob = VisionCheck(self._name).probability("prob", prob)

    def _execute_py(self, img: Any) -> Image.Image:
        img = self._image_of(img)
        if self.prob > random.random():
            return _pil.grayscale(img, 1 if img.mode == "L" else 3)
        return img
