"""Transforms of images with bounding boxes.

Boxes are an array of shape (N, M) with M at least 4: x, y, width, height, and what else a box has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.dataset.transforms._random import Random
from agar.dataset.vision._base import C, ImageTensorOperation, VisionCheck, cv_mode
from agar.dataset.vision._geometry import flip_columns, flip_rows, resize_array, shorter_side
from agar.dataset.vision._random_crops import DRAWN_MODES, RandomCrop, RandomResizedCrop, draw_box
from agar.dataset.vision.utils import Inter

__all__ = [
    "BoundingBoxAugment",
    "RandomCropWithBBox",
    "RandomHorizontalFlipWithBBox",
    "RandomResizeWithBBox",
    "RandomResizedCropWithBBox",
    "RandomVerticalFlipWithBBox",
    "ResizeWithBBox",
]


class _WithBoxes(ImageTensorOperation):
    """The part that transforms of images with boxes share."""

    implementation = C

    def _execute(self, *arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if len(arrays) != 2:
            raise self._failed(
                f"two inputs are needed, an image and its boxes, but {len(arrays)} were given"
            )
        image, boxes = arrays
        if image.ndim not in (2, 3):
            raise self._wrong_rank(image)
        if boxes.ndim != 2 or boxes.shape[1] < 4 or boxes.dtype != np.float32:
            raise self._failed(
                "boxes must be float32 of shape (N, M) with M at least 4: x, y, width, height, "
                f"..., but got {boxes.dtype} of shape {list(boxes.shape)}"
            )
        rows, columns = image.shape[:2]
        outside = (
            (boxes[:, :2] < 0).any(axis=1)
            | (boxes[:, 0] + boxes[:, 2] > columns)
            | (boxes[:, 1] + boxes[:, 3] > rows)
        )
        if outside.any():
            raise self._failed(
                f"box {boxes[outside][0, :4].tolist()} (x, y, width, height) does not lie within "
                f"the image of size ({rows}, {columns})"
            )
        return self._both(image, boxes.copy())

    def _both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        raise NotImplementedError(f"{type(self).__name__} must define _both(image, boxes).")


class _RandomFlipWithBBox(Random, _WithBoxes):
    def __init__(self, prob: float = 0.5) -> None:
        self.prob = VisionCheck(self._name).probability("prob", prob)


class RandomHorizontalFlipWithBBox(_RandomFlipWithBBox):
    """Flip an image and its boxes horizontally with a given probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not within [0, 1].
        RuntimeError: the inputs are not an image and its boxes.

    Difference from PyTorch: ``torchvision.transforms.v2.RandomHorizontalFlip``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[1, 0, 2, 2]], np.float32)
        >>> vision.RandomHorizontalFlipWithBBox(1.0)(image, boxes)[1]
        array([[5., 0., 2., 2.]], dtype=float32)
    """

    def _both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not self._stream.chance(self.prob):
            return image, boxes
        boxes[:, 0] = image.shape[1] - (boxes[:, 0] + boxes[:, 2])
        return flip_columns(image), boxes


class RandomVerticalFlipWithBBox(_RandomFlipWithBBox):
    """Flip an image and its boxes vertically with a given probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not within [0, 1].
        RuntimeError: the inputs are not an image and its boxes.

    Difference from PyTorch: ``torchvision.transforms.v2.RandomVerticalFlip``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[1, 0, 2, 2]], np.float32)
        >>> vision.RandomVerticalFlipWithBBox(1.0)(image, boxes)[1]
        array([[1., 2., 2., 2.]], dtype=float32)
    """

    def _both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not self._stream.chance(self.prob):
            return image, boxes
        boxes[:, 1] = image.shape[0] - (boxes[:, 1] + boxes[:, 3])
        return flip_rows(image), boxes


def _scaled(boxes: np.ndarray, old: tuple[int, ...], height: int, width: int) -> np.ndarray:
    """Boxes of an image that was brought to another size."""
    across, down = np.float32(width / old[1]), np.float32(height / old[0])
    boxes[:, [0, 2]] *= across
    boxes[:, [1, 3]] *= down
    return boxes


class ResizeWithBBox(_WithBoxes):
    """Resize an image and its boxes.

    Args:
        size (Union[int, Sequence[int]]): (height, width), or the length of the shorter side.
        interpolation (Inter, optional): as in `Resize`. Default: ``Inter.LINEAR``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `size` is out of range.
        RuntimeError: the inputs are not an image and its boxes.

    Difference from PyTorch: ``torchvision.transforms.v2.Resize``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[1, 0, 2, 2]], np.float32)
        >>> vision.ResizeWithBBox(2)(image, boxes)[1]
        array([[0.5, 0. , 1. , 1. ]], dtype=float32)
    """

    def __init__(self, size: Any, interpolation: Inter = Inter.LINEAR) -> None:
        check = VisionCheck(self._name)
        check.size("size", size)
        self.size = size
        self.interpolation = check.inter("interpolation", interpolation)

    def _mode(self) -> str:
        return cv_mode(self._name, self.interpolation, pil=False)

    def _both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        size = self.size
        height, width = shorter_side(size, *image.shape[:2]) if isinstance(size, int) else size
        result = resize_array(self._name, image, height, width, self._mode())
        return result, _scaled(boxes, image.shape, height, width)


class RandomResizeWithBBox(Random, ResizeWithBBox):
    """Resize an image and its boxes with a random interpolation.

    Args:
        size (Union[int, Sequence[int]]): (height, width), or the length of the shorter side.

    Raises:
        TypeError: `size` has the wrong type.
        ValueError: `size` is out of range.
        RuntimeError: the inputs are not an image and its boxes.

    Difference from PyTorch: ``torchvision.transforms.v2.RandomResize`` draws the size.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[1, 0, 2, 2]], np.float32)
        >>> vision.RandomResizeWithBBox(2)(image, boxes)[1]
        array([[0.5, 0. , 1. , 1. ]], dtype=float32)
    """

    def __init__(self, size: Any) -> None:
        super().__init__(size)

    def _mode(self) -> str:
        return DRAWN_MODES[self._stream.integer(0, len(DRAWN_MODES) - 1)]


def _cropped(boxes: np.ndarray, left: int, top: int, width: int, height: int) -> np.ndarray:
    """The boxes that a part of an image touches, cut to it, in its coordinates."""
    ends = boxes[:, :2] + boxes[:, 2:4]
    low = np.array([left, top], np.float32)
    high = low + np.array([width, height], np.float32)
    seen = ~((boxes[:, :2] > high) | (ends < low)).any(axis=1)
    boxes, ends = boxes[seen], ends[seen]
    start = np.maximum(boxes[:, :2], low)
    boxes[:, 2:4] = np.minimum(ends, high) - start
    boxes[:, :2] = start - low
    return boxes


class RandomCropWithBBox(_WithBoxes, RandomCrop):
    """Crop an image and its boxes at a random position; boxes outside the crop are dropped.

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
        ValueError: an argument is out of range.
        RuntimeError: the part is larger than the image, or the inputs are not an image and its
            boxes.

    Difference from PyTorch: ``torchvision.transforms.v2.RandomCrop``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[0, 0, 8, 4]], np.float32)
        >>> vision.RandomCropWithBBox(2)(image, boxes)[1]
        array([[0., 0., 2., 2.]], dtype=float32)
    """

    _execute_py = None  # type: ignore[assignment]

    def _both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        borders = self._borders(*image.shape[:2])
        if any(borders):
            image = self._padded(image, borders)
            boxes[:, 0] += borders[2]
            boxes[:, 1] += borders[0]
        top, left = self._place(self._stream, *image.shape[:2])
        height, width = self.size
        part = np.ascontiguousarray(image[top : top + height, left : left + width])
        return part, _cropped(boxes, left, top, width, height)


class RandomResizedCropWithBBox(_WithBoxes, RandomResizedCrop):
    """Crop an image and its boxes at random and resize them; boxes outside the crop are dropped.

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
        RuntimeError: the inputs are not an image and its boxes.

    Difference from PyTorch: ``torchvision.transforms.v2.RandomResizedCrop``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[0, 0, 8, 4]], np.float32)
        >>> vision.RandomResizedCropWithBBox(2)(image, boxes)[1]
        array([[0., 0., 2., 2.]], dtype=float32)
    """

    _execute_py = None  # type: ignore[assignment]

    def _both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mode = cv_mode(self._name, self.interpolation, pil=False)
        left, top, width, height = draw_box(
            self._stream, image.shape, self.scale, self.ratio, self.max_attempts
        )
        part = image[top : top + height, left : left + width]
        boxes = _cropped(boxes, left, top, width, height)
        result = resize_array(self._name, part, *self.size, mode)
        return result, _scaled(boxes, part.shape, *self.size)


class BoundingBoxAugment(Random, _WithBoxes):
    """Apply a transform to the contents of randomly chosen boxes of an image.

    Args:
        transform (TensorOperation): the transform; its result is brought to the box's size.
        ratio (float, optional): the share of the boxes. Default: ``0.3``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `ratio` is not within [0, 1].
        RuntimeError: the inputs are not an image and its boxes.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10; other boxes are drawn for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> image, boxes = np.zeros((1, 4, 3), np.uint8), np.array([[1, 0, 2, 1]], np.float32)
        >>> vision.BoundingBoxAugment(vision.Invert(), 1.0)(image, boxes)[0][..., 0]
        array([[  0, 255, 255,   0]], dtype=uint8)
    """

    def __init__(self, transform: Any, ratio: float = 0.3) -> None:
        check = VisionCheck(self._name)
        self.ratio = check.probability("ratio", ratio)
        if isinstance(transform, type) or not callable(transform):
            check.wrong_type("transform", transform, "a transform such as vision.Invert()")
        self.transform = transform

    def _both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        order = list(range(len(boxes)))
        self._stream.shuffle(order)
        result = image.copy()
        for i in order[: int(len(boxes) * self.ratio)]:
            left, top, width, height = (int(v) for v in boxes[i, :4])
            if width == 0 or height == 0:
                continue
            place = (slice(top, top + height), slice(left, left + width))
            changed = np.asarray(self.transform(result[place].copy()))
            if changed.shape[:2] != (height, width):
                changed = resize_array(self._name, changed, height, width, "linear")
            result[place] = changed
        return result, boxes
