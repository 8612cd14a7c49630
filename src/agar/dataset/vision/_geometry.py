"""Transforms that move pixels: sizes, crops, flips, borders, tiles."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from PIL import Image

from agar.dataset.transforms._checks import is_whole
from agar.dataset.transforms._random import Random
from agar.dataset.vision import _cv, _pil
from agar.dataset.vision._base import (
    C,
    ImageOnly,
    ImageTensorOperation,
    OnDevice,
    VisionCheck,
    check_pil,
    cv_mode,
    pil_mode,
)
from agar.dataset.vision.utils import Border, Inter, SliceMode

__all__ = [
    "CenterCrop",
    "Crop",
    "FiveCrop",
    "HorizontalFlip",
    "Pad",
    "PadToSize",
    "RandomHorizontalFlip",
    "RandomVerticalFlip",
    "Resize",
    "ResizedCrop",
    "SlicePatches",
    "TenCrop",
    "VerticalFlip",
]

_RESIZABLE = {"uint8", "uint16", "int16", "float32", "float64", "bool"}


def resize_array(owner: str, image: np.ndarray, height: int, width: int, mode: str) -> np.ndarray:
    """An array in another size.

    Raises:
        RuntimeError: its type or shape does not allow it.
    """
    rows, columns = image.shape[:2]
    if rows == 0 or columns == 0:
        raise RuntimeError(f"For '{owner}', the image is empty: {list(image.shape)}.")
    if height > rows * 1000 or width > columns * 1000:
        raise RuntimeError(
            f"For '{owner}', ({height}, {width}) is more than 1000 times the size of the image, "
            f"({rows}, {columns})."
        )
    if image.dtype.name not in _RESIZABLE:
        raise RuntimeError(
            f"For '{owner}', an image is of type uint8, uint16, int16, float32 or float64, but "
            f"got {image.dtype}; convert it with vision.ToType first."
        )
    if mode == "pilcubic":
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise RuntimeError(
                f"For '{owner}', Inter.PILCUBIC is for images of type uint8 and shape (H, W, 3), "
                f"but got {image.dtype} of shape {list(image.shape)}."
            )
        img = Image.fromarray(image)
        return np.array(img.resize((width, height), Image.Resampling.BICUBIC))
    if image.dtype == np.bool_:
        return _cv.resize(image.astype(np.uint8), height, width, mode).astype(np.bool_)
    return _cv.resize(image, height, width, mode)


def shorter_side(size: int, height: int, width: int) -> tuple[int, int]:
    """The size whose shorter side is `size`, with the ratio of (height, width)."""
    if height < width:
        return size, int(np.floor(np.float32(width) / np.float32(height) * np.float32(size)))
    return int(np.floor(np.float32(height) / np.float32(width) * np.float32(size))), size


def crop_array(
    owner: str, image: np.ndarray, top: int, left: int, height: int, width: int
) -> np.ndarray:
    """A part of an array.

    Raises:
        RuntimeError: it reaches beyond the image.
    """
    rows, columns = image.shape[:2]
    if top + height > rows or left + width > columns:
        raise RuntimeError(
            f"For '{owner}', the part from ({top}, {left}) of size ({height}, {width}) reaches "
            f"beyond the image of size ({rows}, {columns})."
        )
    return image[top : top + height, left : left + width]


class Resize(OnDevice, ImageTensorOperation):
    """Resize an image.

    Arrays are interpolated as OpenCV does, without smoothing in front; PIL images as Pillow does,
    with smoothing.

    Args:
        size (Union[int, Sequence[int]]): (height, width), or the length of the shorter side, where
            the ratio stays.
        interpolation (Inter, optional): Inter.NEAREST, LINEAR or CUBIC; for arrays AREA and
            PILCUBIC too, for PIL images ANTIALIAS. Default: ``Inter.LINEAR``.

    Raises:
        TypeError: an argument has the wrong type, or the interpolation is not for this input.
        ValueError: `size` is out of range.
        RuntimeError: the shape of the input is not (..., H, W), (..., H, W, C), or of another type.

    Difference from PyTorch: ``torchvision.transforms.Resize`` smooths (``antialias=True``).

    Source: behavior observed in MindSpore 2.10; 8-bit images agree exactly.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Resize(4)(np.zeros((8, 12, 3), np.uint8)).shape
        (4, 6, 3)
    """

    _batched = True

    def __init__(self, size: Any, interpolation: Inter = Inter.LINEAR) -> None:
        check = VisionCheck(self._name)
        check.size("size", size)
        self.size = size
        self.interpolation = check.inter("interpolation", interpolation)

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.interpolation)
        size = self.size
        height, width = shorter_side(size, *image.shape[:2]) if isinstance(size, int) else size
        return resize_array(self._name, image, height, width, mode)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return _pil.resize(img, self.size, pil_mode(self._name, self.interpolation))


class Crop(OnDevice, ImageTensorOperation):
    """Crop a part of an image.

    Args:
        coordinates (Sequence[int]): its first row and column, (y, x).
        size (Union[int, Sequence[int]]): its (height, width), or both.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the part reaches beyond the image, or the input is not an image.

    Difference from PyTorch: slicing.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Crop((1, 2), 4)(np.zeros((8, 12, 3), np.uint8)).shape
        (4, 4, 3)
    """

    implementation = C
    _batched = True

    def __init__(self, coordinates: Any, size: Any) -> None:
        check = VisionCheck(self._name)
        check.sequence("coordinates", coordinates, 2)
        for i, value in enumerate(coordinates):
            check.whole(f"coordinates[{i}]", value, 0)
        self.coordinates = coordinates
        self.size = check.size("size", size)

    def _image(self, image: np.ndarray) -> np.ndarray:
        top, left = self.coordinates
        height, width = self.size
        return crop_array(self._name, image, top, left, height, width).copy()


class ResizedCrop(OnDevice, ImageTensorOperation):
    """Crop a part of an image and resize it.

    Args:
        top (int): its first row.
        left (int): its first column.
        height (int): its height.
        width (int): its width.
        size (Union[int, Sequence[int]]): the (height, width) of the result, or both.
        interpolation (Inter, optional): as in `Resize`. Default: ``Inter.BILINEAR``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the part reaches beyond the image, or the input is not an image.

    Difference from PyTorch: ``torchvision.transforms.functional.resized_crop`` smooths.

    Source: behavior observed in MindSpore 2.10; 8-bit images agree exactly.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.ResizedCrop(0, 1, 4, 4, (2, 3))(np.zeros((8, 12, 3), np.uint8)).shape
        (2, 3, 3)
    """

    implementation = C
    _batched = True

    def __init__(
        self,
        top: int,
        left: int,
        height: int,
        width: int,
        size: Any,
        interpolation: Inter = Inter.BILINEAR,
    ) -> None:
        check = VisionCheck(self._name)
        self.top = check.whole("top", top, 0)
        self.left = check.whole("left", left, 0)
        self.height = check.whole("height", height, 1)
        self.width = check.whole("width", width, 1)
        self.size = check.size("size", size)
        self.interpolation = check.inter("interpolation", interpolation)

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.interpolation, pil=False)
        part = crop_array(self._name, image, self.top, self.left, self.height, self.width)
        return resize_array(self._name, part, *self.size, mode)


class CenterCrop(ImageTensorOperation):
    """Crop the center of an image; where the image is smaller, it is padded with black.

    Args:
        size (Union[int, Sequence[int]]): the (height, width), or both.

    Raises:
        TypeError: `size` has the wrong type.
        ValueError: `size` is out of range.
        RuntimeError: the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.CenterCrop``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.CenterCrop((4, 6))(np.zeros((8, 12, 3), np.uint8)).shape
        (4, 6, 3)
    """

    _batched = True

    def __init__(self, size: Any) -> None:
        self.size = VisionCheck(self._name).size("size", size)

    def _image(self, image: np.ndarray) -> np.ndarray:
        rows, columns = image.shape[:2]
        height, width = self.size
        add_y, add_x = max(height - rows, 0), max(width - columns, 0)
        if add_y or add_x:
            top, left = add_y // 2 + add_y % 2, add_x // 2 + add_x % 2
            image = _cv.pad(image, top, add_y // 2, left, add_x // 2, "constant", (0,) * 4)
            rows, columns = image.shape[:2]
        top, left = (rows - height) // 2, (columns - width) // 2
        return image[top : top + height, left : left + width].copy()

    def _execute_py(self, img: Any) -> Image.Image:
        return _pil.center_crop(check_pil(self._name, img), self.size)


class FiveCrop(ImageOnly):
    """Crop the four corners and the center of a PIL image, as a tuple.

    Args:
        size (Union[int, Sequence[int]]): the (height, width) of each, or both.

    Raises:
        TypeError: `size` has the wrong type, or the input is not a PIL image.
        ValueError: `size` is out of range, or larger than the image.

    Difference from PyTorch: as ``torchvision.transforms.FiveCrop``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from PIL import Image
        >>> import agar.dataset.vision as vision
        >>> [part.size for part in vision.FiveCrop(4)(Image.new("RGB", (8, 6)))]
        [(4, 4), (4, 4), (4, 4), (4, 4), (4, 4)]
    """

    def __init__(self, size: Any) -> None:
        self.size = VisionCheck(self._name).size("size", size)

    def _execute_py(self, img: Any) -> tuple[Image.Image, ...]:
        return _pil.five_crop(self._name, self._image_of(img), self.size)


class TenCrop(ImageOnly):
    """The crops of `FiveCrop` of a PIL image and of its flipped copy, as a tuple of ten.

    Args:
        size (Union[int, Sequence[int]]): the (height, width) of each, or both.
        use_vertical_flip (bool, optional): whether it is mirrored upside down. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type, or the input is not a PIL image.
        ValueError: `size` is out of range, or larger than the image.

    Difference from PyTorch: as ``torchvision.transforms.TenCrop``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from PIL import Image
        >>> import agar.dataset.vision as vision
        >>> len(vision.TenCrop(4)(Image.new("RGB", (8, 6))))
        10
    """

    def __init__(self, size: Any, use_vertical_flip: bool = False) -> None:
        check = VisionCheck(self._name)
        self.size = check.size("size", size)
        self.use_vertical_flip = check.flag("use_vertical_flip", use_vertical_flip)

    def _execute_py(self, img: Any) -> tuple[Image.Image, ...]:
        img = self._image_of(img)
        way = _pil.FLIP_TOP_BOTTOM if self.use_vertical_flip else _pil.FLIP_LEFT_RIGHT
        mirrored = img.transpose(way)
        return _pil.five_crop(self._name, img, self.size) + _pil.five_crop(
            self._name, mirrored, self.size
        )


# --- flips ----------------------------------------------------------------------------------------


def flip_columns(image: np.ndarray) -> np.ndarray:
    """The image with left and right exchanged."""
    if cv := _cv.opencv_for(image):
        return cv.flip(image, 1).reshape(image.shape)
    return np.ascontiguousarray(image[:, ::-1])


def flip_rows(image: np.ndarray) -> np.ndarray:
    """The image upside down."""
    return np.ascontiguousarray(image[::-1])


class HorizontalFlip(OnDevice, ImageTensorOperation):
    """Flip an image horizontally (left and right).

    Raises:
        TypeError: the input is neither an array, nor a PIL image, nor a Tensor.
        RuntimeError: it is not an image.

    Difference from PyTorch: as ``torchvision.transforms.functional.hflip``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.HorizontalFlip()(np.array([[1, 2, 3]]))
        array([[3, 2, 1]])
    """

    implementation = C
    _batched = True

    def _image(self, image: np.ndarray) -> np.ndarray:
        return flip_columns(image)


class VerticalFlip(OnDevice, ImageTensorOperation):
    """Flip an image vertically (top and bottom).

    Raises:
        TypeError: the input is neither an array, nor a PIL image, nor a Tensor.
        RuntimeError: it is not an image.

    Difference from PyTorch: as ``torchvision.transforms.functional.vflip``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.VerticalFlip()(np.array([[1], [2]]))
        array([[2],
               [1]])
    """

    implementation = C
    _batched = True

    def _image(self, image: np.ndarray) -> np.ndarray:
        return flip_rows(image)


class _RandomFlip(Random, ImageTensorOperation):
    _batched = True

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = VisionCheck(self._name).probability("prob", prob)

    def _flip(self, image: np.ndarray) -> np.ndarray:
        raise NotImplementedError(f"{type(self).__name__} must define _flip(array).")

    _way = _pil.FLIP_LEFT_RIGHT

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._flip(image) if self._stream.chance(self.prob) else image

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return img.transpose(self._way) if self.prob > random.random() else img


class RandomHorizontalFlip(_RandomFlip):
    """Flip an image horizontally with a given probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not within [0, 1].
        RuntimeError: the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.RandomHorizontalFlip``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomHorizontalFlip(1.0)(np.array([[1, 2, 3]]))
        array([[3, 2, 1]])
    """

    def _flip(self, image: np.ndarray) -> np.ndarray:
        return flip_columns(image)


class RandomVerticalFlip(_RandomFlip):
    """Flip an image vertically with a given probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not within [0, 1].
        RuntimeError: the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.RandomVerticalFlip``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomVerticalFlip(1.0)(np.array([[1], [2]]))
        array([[2],
               [1]])
    """

    _way = _pil.FLIP_TOP_BOTTOM

    def _flip(self, image: np.ndarray) -> np.ndarray:
        return flip_rows(image)


# --- borders --------------------------------------------------------------------------------------


class Pad(OnDevice, ImageTensorOperation):
    """Pad an image.

    Args:
        padding (Union[int, Sequence[int]]): its width on all sides, (left and right, top and
            bottom), or (left, top, right, bottom).
        fill_value (Union[int, tuple[int]], optional): the value, or (red, green, blue), for
            Border.CONSTANT. Default: ``0``.
        padding_mode (Border, optional): how the border is filled. Default: ``Border.CONSTANT``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image with 1 or 3 channels.

    Difference from PyTorch: as ``torchvision.transforms.Pad``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Pad((1, 2))(np.zeros((8, 12, 3), np.uint8)).shape
        (12, 14, 3)
    """

    _batched = True

    def __init__(
        self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT
    ) -> None:
        check = VisionCheck(self._name)
        self.padding = check.padding("padding", padding)
        self.fill_value = check.fill("fill_value", fill_value)
        self.padding_mode = check.border("padding_mode", padding_mode)

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.ndim == 3 and image.shape[2] not in (1, 3):
            raise self._failed(f"an image has 1 or 3 channels, but got {image.shape[2]}")
        left, top, right, bottom = self.padding
        return _cv.pad(image, top, bottom, left, right, self.padding_mode.value, self.fill_value)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return _pil.pad(img, self.padding, self.fill_value, self.padding_mode.value)


class PadToSize(ImageTensorOperation):
    """Pad an image to a given size.

    Args:
        size (Union[int, Sequence[int]]): the (height, width), or both.
        offset (Union[int, Sequence[int]], optional): the rows above and columns left of the image,
            (top, left), or both. Default: ``None``, the image stands in the middle.
        fill_value (Union[int, tuple[int]], optional): the value, or (red, green, blue), for
            Border.CONSTANT. Default: ``0``.
        padding_mode (Border, optional): how the border is filled. Default: ``Border.CONSTANT``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the image does not fit into the size, or is not an image.

    Difference from PyTorch: ``torchvision.transforms.Pad`` takes the border's widths.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.PadToSize(12)(np.zeros((8, 12, 3), np.uint8)).shape
        (12, 12, 3)
    """

    implementation = C
    _batched = True

    def __init__(
        self,
        size: Any,
        offset: Any = None,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        check = VisionCheck(self._name)
        check.kind("size", size, int, list, tuple)
        if isinstance(size, int):
            self.size = [check.whole("size", size, 1)] * 2
        else:
            if len(size) != 2:
                check.wrong_value("size", size, "of length 2")
            self.size = [check.whole(f"size[{i}]", v, 1) for i, v in enumerate(size)]
        self.offset: list[int] = []
        if is_whole(offset):
            self.offset = [check.whole("offset", offset, 0)] * 2
        elif offset is not None:
            check.kind("offset", offset, int, list, tuple)
            if len(offset) not in (0, 2):
                check.wrong_value("offset", offset, "empty or of length 2")
            self.offset = [check.whole(f"offset[{i}]", v, 0) for i, v in enumerate(offset)]
        self.fill_value = check.fill("fill_value", fill_value)
        self.padding_mode = check.border("padding_mode", padding_mode)

    def _image(self, image: np.ndarray) -> np.ndarray:
        rows, columns = image.shape[:2]
        add_y, add_x = self.size[0] - rows, self.size[1] - columns
        top, left = self.offset or (add_y // 2, add_x // 2)
        if add_y < 0 or add_x < 0 or top > add_y or left > add_x:
            where = f" from {tuple(self.offset)} on" if self.offset else ""
            raise self._failed(
                f"an image of size ({rows}, {columns}) does not fit into size "
                f"({self.size[0]}, {self.size[1]}){where}"
            )
        return _cv.pad(
            image,
            top,
            add_y - top,
            left,
            add_x - left,
            self.padding_mode.value,
            self.fill_value,
        )


# --- tiles -------------------------------------------------------------------------------------


class SlicePatches(ImageTensorOperation):
    """Cut an image into tiles, row by row, as a tuple.

    Args:
        num_height (int, optional): the number of rows of tiles. Default: ``1``.
        num_width (int, optional): the number of tiles in a row. Default: ``1``.
        slice_mode (SliceMode, optional): what happens where the sizes do not divide.
            Default: ``SliceMode.PAD``.
        fill_value (int, optional): the value of what SliceMode.PAD adds. Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image, or has fewer pixels than tiles.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> [t.shape for t in vision.SlicePatches(1, 2)(np.zeros((8, 12, 3), np.uint8))]
        [(8, 6, 3), (8, 6, 3)]
    """

    implementation = C

    def __init__(
        self,
        num_height: int = 1,
        num_width: int = 1,
        slice_mode: SliceMode = SliceMode.PAD,
        fill_value: int = 0,
    ) -> None:
        check = VisionCheck(self._name)
        self.num_height = check.whole("num_height", num_height, 1)
        self.num_width = check.whole("num_width", num_width, 1)
        self.slice_mode = check.kind("slice_mode", slice_mode, SliceMode)
        self.fill_value = check.whole("fill_value", fill_value, 0, 255)

    def _image(self, image: np.ndarray) -> Any:
        rows, columns = image.shape[:2]
        down, across = self.num_height, self.num_width
        if rows < down or columns < across:
            raise self._failed(
                f"an image of size ({rows}, {columns}) has no {down} x {across} tiles"
            )
        height, width = rows // down, columns // across
        if self.slice_mode is SliceMode.PAD and (rows % down or columns % across):
            height, width = -(-rows // down), -(-columns // across)
            image = _cv.pad(
                image,
                0,
                height * down - rows,
                0,
                width * across - columns,
                "constant",
                (self.fill_value,) * 4,
            )
        tiles = tuple(
            image[y * height : (y + 1) * height, x * width : (x + 1) * width].copy()
            for y in range(down)
            for x in range(across)
        )
        return tiles[0] if len(tiles) == 1 else tiles
