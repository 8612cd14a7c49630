"""Transforms that erase parts of images, or mix the images of a batch."""

from __future__ import annotations

import math
import numbers
import random
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.transforms._checks import LARGEST, is_number
from agar.dataset.transforms._random import Random
from agar.dataset.vision import _cv
from agar.dataset.vision._base import (
    PY,
    C,
    ImageOnly,
    ImageTensorOperation,
    OnDevice,
    VisionCheck,
)
from agar.dataset.vision.utils import ImageBatchFormat

__all__ = ["CutMixBatch", "CutOut", "Erase", "MixUp", "MixUpBatch", "RandomErasing"]


class Erase(OnDevice, ImageTensorOperation):
    """Erase a rectangle of an image.

    Args:
        top (int): the part's first row.
        left (int): its first column.
        height (int): its height.
        width (int): its width.
        value (Union[float, tuple[float]], optional): what it is filled with, or (red, green, blue),
            within [0, 255]. Default: ``0.0``.
        inplace (bool, optional): whether the input itself is changed. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the part is larger than the image, or the shape of the input is not (H, W, C).

    Difference from PyTorch: ``torchvision.transforms.functional.erase`` has the channels first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Erase(0, 1, 1, 1)(np.ones((1, 3, 1), np.uint8)).ravel()
        array([1, 0, 1], dtype=uint8)
    """

    def __init__(
        self,
        top: int,
        left: int,
        height: int,
        width: int,
        value: Any = 0.0,
        inplace: bool = False,
    ) -> None:
        check = VisionCheck(self._name)
        self.top = check.whole("top", top, 0)
        self.left = check.whole("left", left, 0)
        self.height = check.whole("height", height, 1)
        self.width = check.whole("width", width, 1)
        self.inplace = check.flag("inplace", inplace)
        if is_number(value):
            value = (value,)
        elif not isinstance(value, tuple) or len(value) != 3:
            check.wrong_type("value", value, "a number or a tuple (red, green, blue)")
        for i, part in enumerate(value):
            check.number(f"value[{i}]", part, 0, 255)
        self.value = value

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.ndim != 3:
            raise self._wrong_rank(image)
        rows, columns = image.shape[:2]
        if self.height > rows or self.width > columns:
            raise self._failed(
                f"the part of size ({self.height}, {self.width}) is larger than the image of size "
                f"({rows}, {columns})"
            )
        result = image if self.inplace and image.flags.writeable else image.copy()
        value = np.asarray(self.value, np.float64)
        part = result[self.top : self.top + self.height, self.left : self.left + self.width]
        part[:] = _cv.saturate(value, image.dtype)
        return result


class CutOut(Random, ImageTensorOperation):
    """Set squares at random positions of an image to zero.

    Args:
        length (int): the side of a square.
        num_patches (int, optional): how many there are. Default: ``1``.
        is_hwc (bool, optional): whether the channels come last. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the square is larger than the image, or the input has not three dimensions.

    Difference from PyTorch: ``torchvision.transforms.RandomErasing``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.CutOut(4)(np.ones((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    implementation = C

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True) -> None:
        check = VisionCheck(self._name)
        self.length = check.whole("length", length, 1, LARGEST)
        self.num_patches = check.whole("num_patches", num_patches, 1, LARGEST)
        self.is_hwc = check.flag("is_hwc", is_hwc)

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.ndim != 3:
            raise self._wrong_rank(image)
        result = image.copy()
        view = result if self.is_hwc else result.transpose(1, 2, 0)
        rows, columns = view.shape[:2]
        side = self.length
        if side > rows or side > columns:
            raise self._failed(
                f"a square of side {side} is larger than the image of size ({rows}, {columns})"
            )
        stream = self._stream
        for _ in range(self.num_patches):
            # a square may lie partly outside
            top = stream.integer(0, rows + side) - side
            left = stream.integer(0, columns + side) - side
            view[max(top, 0) : max(top + side, 0), max(left, 0) : max(left + side, 0)] = 0
        return result


class RandomErasing(ImageOnly):
    """Erase a random rectangle of an array (C, H, W) with a given probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.
        scale (Sequence[float], optional): the range of the part's share of the image.
            Default: ``(0.02, 0.33)``.
        ratio (Sequence[float], optional): the range of its width over its height.
            Default: ``(0.3, 3.3)``.
        value (Union[int, str, Sequence[int]], optional): what it is filled with: a number, (red,
            green, blue), or ``"random"`` for normal draws. Default: ``0``.
        inplace (bool, optional): whether the input itself is changed. Default: ``False``.
        max_attempts (int, optional): how often is drawn before the image stays. Default: ``10``.

    Raises:
        TypeError: an argument has the wrong type, or the input is not an array.
        ValueError: an argument is out of range.

    Difference from PyTorch: as ``torchvision.transforms.RandomErasing``.

    Source: behavior observed in MindSpore 2.10; drawn with Python's ``random``.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomErasing(prob=0.0)(np.ones((1, 2, 2))).sum().item()
        4.0
    """

    random = True

    def __init__(
        self,
        prob: float = 0.5,
        scale: Any = (0.02, 0.33),
        ratio: Any = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ) -> None:
        check = VisionCheck(self._name)
        self.prob = check.probability("prob", prob)
        self.inplace = check.flag("inplace", inplace)
        self.max_attempts = check.whole("max_attempts", max_attempts, 1, LARGEST)
        self.scale = check.ordered("scale", scale, 0)
        check.number("scale[1]", scale[1], 0, above=True)
        self.ratio = check.ordered("ratio", ratio, 0)
        check.number("ratio[0]", ratio[0], 0, above=True)
        check.kind("value", value, int, list, tuple, str)
        if isinstance(value, int):
            check.whole("value", value, 0, 255)
        elif isinstance(value, str):
            check.choice("value", value, ("random",))
        elif len(value) != 3:
            check.wrong_value("value", value, "a number, 'random' or three ints")
        else:
            for i, part in enumerate(value):
                check.whole(f"value[{i}]", part, 0, 255)
        self.value = value

    def _execute_py(self, img: Any) -> np.ndarray:
        array = img.asnumpy() if hasattr(img, "asnumpy") else img
        if not isinstance(array, np.ndarray) or array.ndim != 3:
            raise TypeError(
                f"For '{self._name}', the input must be a numpy array (C, H, W), but got "
                f"{describe(img)}; use vision.ToTensor() first."
            )
        if self.prob <= random.random():
            return array
        channels, rows, columns = array.shape
        for _ in range(self.max_attempts):
            area = random.uniform(*self.scale) * (rows * columns)
            aspect = random.uniform(*self.ratio)
            width = round(math.sqrt(area * aspect))
            height = round(width / aspect)
            if height >= rows or width >= columns:
                continue
            top = random.randint(0, rows - height)
            left = random.randint(0, columns - width)
            if isinstance(self.value, numbers.Number):
                value: Any = self.value
            elif isinstance(self.value, str):
                value = np.random.normal(loc=0.0, scale=1.0, size=(channels, height, width))
            else:
                value = np.asarray(self.value)[:, None, None]
            result = array if self.inplace else array.copy()
            result[:, top : top + height, left : left + width] = value
            return result
        return array


class MixUp(ImageOnly):
    """Mix each image and label of a batch with its neighbor, or with the batch before.

    The weights are drawn from Beta(alpha, alpha) with ``numpy.random``, one for each image.

    Args:
        batch_size (int): the number of images in a batch.
        alpha (float): the parameter of the distribution.
        is_single (bool, optional): whether images are mixed within a batch; otherwise with the
            mixture of the batch before. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torchvision.transforms.v2.MixUp`` draws one weight for a batch.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> images, labels = np.zeros((2, 4, 4, 3)), np.eye(2)
        >>> [part.shape for part in vision.MixUp(2, alpha=0.2)(images, labels)]
        [(2, 4, 4, 3), (2, 2)]
    """

    implementation = PY
    random = True

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True) -> None:
        check = VisionCheck(self._name)
        self.is_single = check.flag("is_single", is_single)
        self.batch_size = check.whole("batch_size", batch_size, 1, LARGEST)
        self.alpha = check.number("alpha", alpha, 0, above=True)
        self.is_first = True
        self.image: Any = 0
        self.label: Any = 0

    def __call__(self, *input_tensor_list: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mix one batch: images and labels."""
        if len(input_tensor_list) != 2:
            raise TypeError(
                f"For '{self._name}', two inputs are needed, images and labels, but "
                f"{len(input_tensor_list)} were given."
            )
        image, label = (v.asnumpy() if hasattr(v, "asnumpy") else v for v in input_tensor_list)
        size = self.batch_size
        weight = np.random.beta(self.alpha, self.alpha, size)
        if self.is_single:
            order = [*range(1, size), 0]
            other, other_label = image[order, ...], label[order, ...]
        else:
            if self.is_first:
                weight, self.is_first = np.ones(size), False
            other, other_label = self.image, self.label
        for_image, for_label = weight.reshape(size, 1, 1, 1), weight.reshape(size, 1)
        mixed = for_image * image + (1 - for_image) * other
        mixed_label = for_label * label + (1 - for_label) * other_label
        if not self.is_single:
            self.image, self.label = mixed, mixed_label
        return mixed, mixed_label


class _Mixing(Random, ImageTensorOperation):
    """The part that the transforms of whole batches share."""

    implementation = C

    def _batch(self, arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray]:
        if len(arrays) != 2:
            raise self._failed(
                f"two inputs are needed, images and labels, but {len(arrays)} were given"
            )
        images, labels = arrays
        if images.ndim != 4 or labels.ndim not in (2, 3) or len(images) != len(labels):
            raise self._failed(
                "images must be a batch with four dimensions and labels one-hot, of shape (N, C) "
                f"or (N, L, C), but got {list(images.shape)} and {list(labels.shape)}; use OneHot "
                "and batch() first"
            )
        if labels.dtype.kind not in "biuf":
            raise self._failed(f"labels must hold numbers, but got {labels.dtype}")
        return images, labels.astype(np.float32)


class MixUpBatch(_Mixing):
    """Mix a batch of images and one-hot labels with a permutation of itself.

    Args:
        alpha (float, optional): the weight is drawn from Beta(alpha, alpha). Default: ``1.0``.

    Raises:
        TypeError: `alpha` is not a number.
        ValueError: it is not positive.
        RuntimeError: the inputs are no batches of images and one-hot labels.

    Difference from PyTorch: ``torchvision.transforms.v2.MixUp``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> images, labels = np.zeros((2, 4, 4, 3), np.uint8), np.eye(2)
        >>> [part.shape for part in vision.MixUpBatch()(images, labels)]
        [(2, 4, 4, 3), (2, 2)]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = VisionCheck(self._name).number("alpha", alpha, 0, above=True)

    def _execute(self, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        images, labels = self._batch(arrays)
        if not {images.shape[1], images.shape[3]} & {1, 3}:
            raise self._failed(f"images have 1 or 3 channels, but got shape {list(images.shape)}")
        stream = self._stream
        # MindSpore makes a distribution for each of the two draws
        first, second = stream.gamma(self.alpha, []), stream.gamma(self.alpha, [])
        weight = first / (first + second)
        order = list(range(len(images)))
        stream.shuffle(order)
        rest = np.float32(1) - weight
        mixed_labels = labels * weight + labels[order] * rest
        working: Any = np.float64 if images.dtype != np.float32 else np.float32
        mixed = images * working(weight) + images[order] * working(rest)
        return _cv.saturate(mixed, images.dtype), mixed_labels


class CutMixBatch(_Mixing):
    """Paste boxes of other images of the batch into each image, and mix the one-hot labels.

    Args:
        image_batch_format (ImageBatchFormat): where the channels are.
        alpha (float, optional): the box's share is drawn with Beta(alpha, alpha). Default: ``1.0``.
        prob (float, optional): the probability that an image is changed. Default: ``1.0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the inputs are no batches of images and one-hot labels.

    Difference from PyTorch: ``torchvision.transforms.v2.CutMix`` draws one box for a batch.

    Source: behavior observed in MindSpore 2.10; other boxes are drawn for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> images, labels = np.zeros((2, 4, 4, 3), np.uint8), np.eye(2)
        >>> mix = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)
        >>> [part.shape for part in mix(images, labels)]
        [(2, 4, 4, 3), (2, 2)]
    """

    def __init__(
        self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0
    ) -> None:
        check = VisionCheck(self._name)
        check.kind("image_batch_format", image_batch_format, ImageBatchFormat)
        self.image_batch_format = image_batch_format
        self.alpha = check.number("alpha", alpha, 0, above=True)
        self.prob = check.probability("prob", prob)

    def _execute(self, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        images, labels = self._batch(arrays)
        last = self.image_batch_format is ImageBatchFormat.NHWC
        if images.shape[3 if last else 1] not in (1, 3):
            raise self._failed(
                f"images have 1 or 3 channels, but got shape {list(images.shape)} with "
                f"{self.image_batch_format.name}"
            )
        rows, columns = images.shape[1:3] if last else images.shape[2:]
        stream = self._stream
        order = list(range(len(images)))
        stream.shuffle(order)
        result, mixed = images.copy(), labels.copy()
        retained: list[np.float32] = []
        for i, other in enumerate(order):
            share = stream.beta(self.alpha, retained)
            if stream.unit_double() >= self.prob:
                continue
            left, top, width, height = self._box(float(share), rows, columns)
            place: Any = (slice(top, top + height), slice(left, left + width))
            place = place if last else (slice(None), *place)
            result[i][place] = images[other][place]
            weight = np.float32(1) - np.float32(width * height) / np.float32(rows * columns)
            mixed[i] = weight * labels[i] + (np.float32(1) - weight) * labels[other]
        return result, mixed

    def _box(self, share: float, rows: int, columns: int) -> tuple[int, int, int, int]:
        side = math.sqrt(1 - share)
        width, height = int(columns * side), int(rows * side)
        x = self._stream.integer(0, columns)
        y = self._stream.integer(0, rows)
        left, right = (min(max(v, 0), columns) for v in (x - width // 2, x + width // 2))
        top, bottom = (min(max(v, 0), rows) for v in (y - height // 2, y + height // 2))
        return left, top, right - left, bottom - top
