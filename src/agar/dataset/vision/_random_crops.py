"""Transforms that draw which part of an image is taken, or how it is resized."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from PIL import Image

from agar.dataset.transforms._random import Engine, Random
from agar.dataset.vision import _cv, _pil
from agar.dataset.vision._base import (
    C,
    ImageTensorOperation,
    VisionCheck,
    check_pil,
    cv_mode,
    pil_mode,
)
from agar.dataset.vision._geometry import resize_array, shorter_side
from agar.dataset.vision.utils import Border, Inter, decode_rgb

__all__ = [
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomResize",
    "RandomResizedCrop",
]


class RandomCrop(Random, ImageTensorOperation):
    """Crop a part of an image at a random position.

    Args:
        size (Union[int, Sequence[int]]): its (height, width), or both.
        padding (Union[int, Sequence[int]], optional): a border put around the image before, as in
            `Pad`. Default: ``None``.
        pad_if_needed (bool, optional): whether a smaller image gets a border. Default: ``False``.
        fill_value (Union[int, tuple[int]], optional): the border's value, or (red, green, blue).
            Default: ``0``.
        padding_mode (Border, optional): how the border is filled. Default: ``Border.CONSTANT``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the part is larger than a PIL image.
        RuntimeError: the part is larger than the image, or the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.RandomCrop``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomCrop(4, padding=1)(np.zeros((8, 12, 3), np.uint8)).shape
        (4, 4, 3)
    """

    _batched = True

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        check = VisionCheck(self._name)
        self.size = check.size("size", size)
        self.pad_if_needed = check.flag("pad_if_needed", pad_if_needed)
        self.padding = (0, 0, 0, 0) if padding is None else check.padding("padding", padding)
        self.fill_value = check.fill("fill_value", 0 if fill_value is None else fill_value)
        mode = Border.CONSTANT if padding_mode is None else padding_mode
        self.padding_mode = check.border("padding_mode", mode)

    def _borders(self, rows: int, columns: int) -> list[int]:
        """How far the image is widened: top, bottom, left, right."""
        left, top, right, bottom = self.padding
        if self.pad_if_needed:
            missing_y = max(self.size[0] - (rows + top + bottom), 0)
            missing_x = max(self.size[1] - (columns + left + right), 0)
            return [top + missing_y, bottom + missing_y, left + missing_x, right + missing_x]
        return [top, bottom, left, right]

    def _padded(self, image: np.ndarray, borders: list[int]) -> np.ndarray:
        top, bottom, left, right = borders
        mode = self.padding_mode.value
        return _cv.pad(image, top, bottom, left, right, mode, self.fill_value)

    def _place(self, stream: Engine, rows: int, columns: int) -> tuple[int, int]:
        height, width = self.size
        if rows < height or columns < width:
            raise self._failed(
                f"the part of size {self.size} is larger than the image of size "
                f"({rows}, {columns}); use pad_if_needed=True or a smaller part"
            )
        if (rows, columns) == (height, width):
            return 0, 0
        left = stream.integer(0, columns - width)
        return stream.integer(0, rows - height), left

    def _image(self, image: np.ndarray) -> np.ndarray:
        borders = self._borders(*image.shape[:2])
        if any(borders):
            image = self._padded(image, borders)
        top, left = self._place(self._stream, *image.shape[:2])
        height, width = self.size
        return np.ascontiguousarray(image[top : top + height, left : left + width])

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        mode = self.padding_mode.value
        if any(self.padding):
            img = _pil.pad(img, self.padding, self.fill_value, mode)
        height, width = self.size
        if self.pad_if_needed and img.width < width:
            add = width - img.width
            img = _pil.pad(img, (add, 0, add, 0), self.fill_value, mode)
        if self.pad_if_needed and img.height < height:
            add = height - img.height
            img = _pil.pad(img, (0, add, 0, add), self.fill_value, mode)
        if height > img.height or width > img.width:
            raise ValueError(
                f"For '{self._name}', the part of size {self.size} is larger than the image of "
                f"size ({img.height}, {img.width})."
            )
        if (img.height, img.width) == (height, width):
            return img
        top = random.randint(0, img.height - height)
        left = random.randint(0, img.width - width)
        return img.crop((left, top, left + width, top + height))


def draw_box(
    stream: Engine, shape: tuple[int, ...], scale: Any, ratio: Any, attempts: int
) -> tuple[int, int, int, int]:
    """The part of an image that a random resized crop takes: left, top, width, height."""
    rows, columns = shape[:2]
    low, high = math.log(np.float32(ratio[0])), math.log(np.float32(ratio[1]))
    for _ in range(attempts):
        area = float(stream.uniform(scale[0], scale[1]))
        aspect = math.exp(stream.uniform(low, high))
        width = _round(math.sqrt(rows * columns * area * aspect))
        height = _round(width / aspect)
        if 0 < width <= columns and 0 < height <= rows:
            left = stream.integer(0, columns - width)
            return left, stream.integer(0, rows - height), width, height
    width, height = columns, rows
    if columns / rows < ratio[0]:
        height = _round(width / np.float32(ratio[0]))
    elif columns / rows > ratio[1]:
        width = _round(height * np.float32(ratio[1]))
    return _round((columns - width) / 2.0), _round((rows - height) / 2.0), width, height


def _round(value: float) -> int:
    """C++'s round: halves go away from zero."""
    return math.floor(value + 0.5)


class RandomResizedCrop(Random, ImageTensorOperation):
    """Crop a part of random size, aspect ratio and position, and resize it.

    Args:
        size (Union[int, Sequence[int]]): the (height, width) of the result, or both.
        scale (Union[list, tuple], optional): the range of the part's share of the image's area.
            Default: ``(0.08, 1.0)``.
        ratio (Union[list, tuple], optional): the range of its width over its height.
            Default: ``(3. / 4., 4. / 3.)``.
        interpolation (Inter, optional): as in `Resize`. Default: ``Inter.BILINEAR``.
        max_attempts (int, optional): the number of attempts before the center is taken. Default:
            ``10``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image.

    Difference from PyTorch: ``torchvision.transforms.RandomResizedCrop`` smooths.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomResizedCrop((4, 6))(np.zeros((8, 12, 3), np.uint8)).shape
        (4, 6, 3)
    """

    _batched = True

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        check = VisionCheck(self._name)
        self.size = check.size("size", size)
        self.interpolation = check.inter("interpolation", interpolation)
        check.crop_ranges(scale, ratio, max_attempts)
        self.scale = scale
        self.ratio = ratio
        self.max_attempts = max_attempts

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.interpolation)
        left, top, width, height = draw_box(
            self._stream, image.shape, self.scale, self.ratio, self.max_attempts
        )
        part = image[top : top + height, left : left + width]
        return resize_array(self._name, part, *self.size, mode)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        mode = pil_mode(self._name, self.interpolation)
        left, top, width, height = _pil.resized_crop_box(
            img.width, img.height, self.scale, self.ratio, self.max_attempts
        )
        part = img.crop((left, top, left + width, top + height))
        return _pil.resize(part, self.size, mode)


class RandomCropDecodeResize(RandomResizedCrop):
    """Decode an image and apply `RandomResizedCrop`.

    Args:
        size (Union[int, Sequence[int]]): the (height, width) of the result, or both.
        scale (Union[list, tuple], optional): the range of the part's share of the image's area.
            Default: ``(0.08, 1.0)``.
        ratio (Union[list, tuple], optional): the range of its width over its height.
            Default: ``(3. / 4., 4. / 3.)``.
        interpolation (Inter, optional): as in `Resize`. Default: ``Inter.BILINEAR``.
        max_attempts (int, optional): the number of attempts before the center is taken. Default:
            ``10``.

    Raises:
        TypeError: an argument has the wrong type, or the input is not 1-D of type uint8.
        ValueError: an argument is out of range.
        RuntimeError: the input is no encoded image.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> data = vision.encode_png(np.zeros((8, 12, 3), np.uint8))
        >>> vision.RandomCropDecodeResize(4)(data).shape
        (4, 4, 3)
    """

    implementation = C

    def __call__(self, *input_tensor_list: Any) -> np.ndarray:
        """Decode and transform one image."""
        img = self._single(input_tensor_list)
        data = self._array(img)
        if data.ndim != 1 or data.dtype != np.uint8:
            raise TypeError(
                f"For '{self._name}', the input must be an encoded image, 1-D and of type uint8, "
                f"but got {data.dtype} of shape {list(data.shape)}."
            )
        return self._image(decode_rgb(self._name, data))


class RandomResize(Random, ImageTensorOperation):
    """Resize an image with a random interpolation.

    Args:
        size (Union[int, Sequence[int]]): (height, width), or the length of the shorter side.

    Raises:
        TypeError: `size` has the wrong type.
        ValueError: `size` is out of range.
        RuntimeError: the input is not an image.

    Difference from PyTorch: ``torchvision.transforms.v2.RandomResize`` draws the size.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomResize(4)(np.zeros((8, 12, 3), np.uint8)).shape
        (4, 6, 3)
    """

    implementation = C
    _batched = True

    def __init__(self, size: Any) -> None:
        VisionCheck(self._name).size("size", size)
        self.size = size

    def _image(self, image: np.ndarray) -> np.ndarray:
        size = self.size
        height, width = shorter_side(size, *image.shape[:2]) if isinstance(size, int) else size
        mode = DRAWN_MODES[self._stream.integer(0, len(DRAWN_MODES) - 1)]
        return resize_array(self._name, image, height, width, mode)


DRAWN_MODES = ("linear", "nearest", "cubic", "area")
