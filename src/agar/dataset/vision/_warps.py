"""Transforms that turn, shear and bend images."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from PIL import Image

from agar.dataset.transforms._checks import is_number
from agar.dataset.transforms._random import Engine, Random
from agar.dataset.vision import _cv, _pil
from agar.dataset.vision._base import (
    C,
    ImageOnly,
    ImageTensorOperation,
    OnDevice,
    VisionCheck,
    check_pil,
    color,
    cv_mode,
    pil_mode,
)
from agar.dataset.vision.utils import Inter

__all__ = [
    "Affine",
    "Perspective",
    "RandomAffine",
    "RandomPerspective",
    "RandomRotation",
    "Rotate",
]


def rotate_array(
    image: np.ndarray, degrees: float, mode: str, expand: bool, center: Any, fill: Any
) -> np.ndarray:
    """An array turned counterclockwise around a point (x, y), or its middle."""
    rows, columns = image.shape[:2]
    x, y = center if center is not None else ((columns - 1) / 2.0, (rows - 1) / 2.0)
    x, y = float(np.float32(x)), float(np.float32(y))
    angle = float(np.float32(degrees)) * math.pi / 180
    cosine, sine = math.cos(angle), math.sin(angle)
    matrix = np.array(
        [
            [cosine, sine, (1 - cosine) * x - sine * y],
            [-sine, cosine, sine * x + (1 - cosine) * y],
        ]
    )
    height, width = rows, columns
    if expand:
        wide, high = _bounds(rows, columns, x, y, cosine, sine)
        matrix[0, 2] += wide / 2.0 - columns / 2.0
        matrix[1, 2] += high / 2.0 - rows / 2.0
        height, width = round(high), round(wide)
    return _cv.warp_affine(image, matrix, height, width, mode, fill)


def _bounds(
    rows: int, columns: int, x: float, y: float, cosine: float, sine: float
) -> tuple[float, float]:
    """The width and height that a turned image covers, from its corners in float32 as OpenCV."""
    f: Any = np.float32
    across, down = f(cosine) * f(0.5), f(sine) * f(0.5)
    wide, high, at_x, at_y = f(columns), f(rows), f(x), f(y)
    first = (at_x - down * high - across * wide, at_y + across * high - down * wide)
    second = (at_x + down * high - across * wide, at_y - across * high - down * wide)
    spans = []
    for axis, center in enumerate((at_x, at_y)):
        ends = [first[axis], second[axis]]
        ends += [f(2) * center - end for end in ends]
        spans.append(float(max(ends) - min(ends)))
    return spans[0], spans[1]


class Rotate(OnDevice, ImageTensorOperation):
    """Rotate an image counterclockwise.

    Args:
        degrees (Union[int, float]): the angle.
        resample (Inter, optional): Inter.NEAREST, LINEAR or CUBIC. Default: ``Inter.NEAREST``.
        expand (bool, optional): whether the result is large enough for the whole image.
            Default: ``False``.
        center (tuple, optional): the point (x, y) that stays. Default: ``None``, the middle.
        fill_value (Union[int, tuple[int]], optional): the fill value outside the image, or (red,
            green, blue). Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image, or `resample` Inter.PILCUBIC.

    Difference from PyTorch: as ``torchvision.transforms.functional.rotate``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Rotate(90, expand=True)(np.zeros((8, 12, 3), np.uint8)).shape
        (12, 8, 3)
    """

    implementation = C
    _batched = True

    def __init__(
        self,
        degrees: float,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ) -> None:
        check = VisionCheck(self._name)
        self.degrees = check.number("degrees", degrees) % 360
        self.resample = check.inter("resample", resample)
        self.expand = check.flag("expand", expand)
        self.center = check.center("center", center)
        self.fill_value = check.fill("fill_value", fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.resample, warp=True, pil=False)
        self._numeric(image)
        return rotate_array(image, self.degrees, mode, self.expand, self.center, self.fill_value)


class RandomRotation(Random, ImageTensorOperation):
    """Rotate an image by a random angle.

    Args:
        degrees (Union[int, float, Sequence]): the range (min, max) of the angle, or a number for
            (-degrees, degrees).
        resample (Inter, optional): Inter.NEAREST, LINEAR or CUBIC. Default: ``Inter.NEAREST``.
        expand (bool, optional): whether the result is large enough for the whole image.
            Default: ``False``.
        center (tuple, optional): the point (x, y) that stays. Default: ``None``, the middle.
        fill_value (Union[int, tuple[int]], optional): the fill value outside the image, or (red,
            green, blue). Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type, or the interpolation is not for this input.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.RandomRotation``.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomRotation(30)(np.zeros((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    _batched = True

    def __init__(
        self,
        degrees: Any,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ) -> None:
        check = VisionCheck(self._name)
        check.degrees("degrees", degrees)
        self.resample = check.inter("resample", resample)
        self.expand = check.flag("expand", expand)
        self.center = check.center("center", center)
        self.fill_value = check.fill("fill_value", fill_value)
        if isinstance(degrees, (int, float)):
            self.degrees = [-(degrees % 360), degrees % 360]
        elif degrees[1] - degrees[0] >= 360:
            self.degrees = [-180, 180]
        else:
            low, high = degrees[0] % 360, degrees[1] % 360
            self.degrees = [low, high + 360 if low > high else high]

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.resample, warp=True)
        self._numeric(image)
        angle = float(self._stream.uniform(*self.degrees))
        return rotate_array(image, angle, mode, self.expand, self.center, self.fill_value)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        mode = pil_mode(self._name, self.resample)
        angle = random.uniform(*self.degrees) % 360.0
        if self.resample is Inter.ANTIALIAS and (angle % 90 or self.center):
            raise ValueError(
                f"For '{self._name}', Inter.ANTIALIAS needs multiples of 90 degrees and no center."
            )
        return img.rotate(
            angle, mode, self.expand, self.center, fillcolor=color(img, self.fill_value)
        )


def affine_array(
    image: np.ndarray,
    degrees: float,
    translation: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
    mode: str,
    fill: Any,
) -> np.ndarray:
    """An array turned clockwise, moved by pixels, scaled and sheared around its middle."""
    rows, columns = image.shape[:2]
    angle = math.radians(degrees)
    shear_x, shear_y = math.radians(shear[0]), math.radians(shear[1])
    one = math.cos(angle - shear_y) / math.cos(shear_y)
    other = math.sin(angle - shear_y) / math.cos(shear_y)
    m = [
        scale * one,
        scale * (-one * math.tan(shear_x) - math.sin(angle)),
        scale * other,
        scale * (-other * math.tan(shear_x) + math.cos(angle)),
    ]
    a, b, d, e = (float(np.float32(value)) for value in m)
    x, y = (columns - 1) / 2.0, (rows - 1) / 2.0
    c = np.float32((1 - a) * x - b * y + translation[0])
    f = np.float32((1 - e) * y - d * x + translation[1])
    matrix = np.array([[a, b, float(c)], [d, e, float(f)]])
    return _cv.warp_affine(image, matrix, rows, columns, mode, fill)


def _shear_pair(check: VisionCheck, shear: Any) -> tuple[float, float]:
    if is_number(shear):
        return check.number("shear", shear, -180, 180), 0.0
    check.sequence("shear", shear, 2)
    for i, part in enumerate(shear):
        check.number(f"shear[{i}]", part, -180, 180)
    return shear[0], shear[1]


class Affine(OnDevice, ImageTensorOperation):
    """Rotate, translate, scale and shear an image around its center.

    Args:
        degrees (float): the angle, clockwise, within [-180, 180].
        translate (Sequence[float]): how far it is moved to the right and down, in parts of width
            and height, within [-1, 1].
        scale (float): the factor, above 0.
        shear (Union[float, Sequence[float]]): the angle along x, or those along x and y.
        resample (Inter, optional): Inter.NEAREST, LINEAR or CUBIC. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): the fill value outside the image, or (red,
            green, blue). Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image, or `resample` Inter.PILCUBIC.

    Difference from PyTorch: ``torchvision.transforms.functional.affine`` takes pixels.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Affine(15, [0.1, 0.2], 1.1, [1.0, 0.0])(np.zeros((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    implementation = C
    _batched = True

    def __init__(
        self,
        degrees: float,
        translate: Any,
        scale: float,
        shear: Any,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        check = VisionCheck(self._name)
        self.degrees = check.number("degrees", degrees, -180, 180)
        self.translate = check.sequence("translate", translate, 2)
        for i, part in enumerate(translate):
            check.number(f"translate[{i}]", part, -1, 1)
        self.scale_ = check.number("scale", scale, 0, above=True)
        self.shear = _shear_pair(check, shear)
        self.resample = check.inter("resample", resample)
        self.fill_value = check.fill("fill_value", fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.resample, warp=True, pil=False)
        self._numeric(image)
        rows, columns = image.shape[:2]
        move = self.translate[0] * columns, self.translate[1] * rows
        return affine_array(
            image, self.degrees, move, self.scale_, self.shear, mode, self.fill_value
        )


class RandomAffine(Random, ImageTensorOperation):
    """Rotate, translate, scale and shear an image at random.

    Args:
        degrees (Union[int, float, Sequence[float]]): the range of the angle, or a number for
            (-degrees, degrees).
        translate (Sequence[float], optional): the range of the shift along x, and along y, in parts
            of width and height: (min_x, max_x) or (min_x, max_x, min_y, max_y). Of PIL images the
            first two are the largest shifts along x and y. Default: ``None``.
        scale (Sequence[float], optional): the range of the factor. Default: ``None``.
        shear (Union[float, Sequence[float]], optional): the range of the angle along x, and along
            y; a number for (-shear, shear). Default: ``None``.
        resample (Inter, optional): Inter.NEAREST, LINEAR or CUBIC. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): the fill value outside the image, or (red,
            green, blue). Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type, or the interpolation is not for this input.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image.

    Difference from PyTorch: ``torchvision.transforms.RandomAffine`` takes the largest shifts.

    Source: behavior observed in MindSpore 2.10; the draws agree for the same seed.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RandomAffine(15, scale=(0.9, 1.1))(np.zeros((8, 12, 3), np.uint8)).shape
        (8, 12, 3)
    """

    _batched = True

    def __init__(
        self,
        degrees: Any,
        translate: Any = None,
        scale: Any = None,
        shear: Any = None,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        check = VisionCheck(self._name)
        check.degrees("degrees", degrees)
        self.degrees = (-degrees, degrees) if isinstance(degrees, (int, float)) else degrees
        if translate is not None:
            check.sequence("translate", translate, 2, 4)
            for i, part in enumerate(translate):
                check.number(f"translate[{i}]", part, -1, 1)
        self.translate = (0.0, 0.0, 0.0, 0.0) if translate is None else tuple(translate)
        if scale is not None:
            check.ordered("scale", scale, 0)
            check.number("scale[1]", scale[1], 0, above=True)
        self.scale = (1.0, 1.0) if scale is None else scale
        self.shear = self._shear_ranges(check, shear)
        self.resample = check.inter("resample", resample)
        self.fill_value = check.fill("fill_value", 0 if fill_value is None else fill_value)

    @staticmethod
    def _shear_ranges(check: VisionCheck, shear: Any) -> tuple[float, ...]:
        if shear is None:
            return 0.0, 0.0, 0.0, 0.0
        if is_number(shear):
            check.number("shear", shear, 0, above=True)
            return -shear, shear, 0.0, 0.0
        check.sequence("shear", shear, 2, 4)
        check.ordered("shear[:2]", shear[:2], -(2**24))
        if len(shear) == 2:
            return shear[0], shear[1], 0.0, 0.0
        check.ordered("shear[2:]", shear[2:], -(2**24))
        return tuple(shear)

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.resample, warp=True)
        self._numeric(image)
        stream = self._stream
        rows, columns = image.shape[:2]
        low_x, high_x, low_y, high_y = (*self.translate, 0.0, 0.0)[:4]
        degrees = _between(stream, *self.degrees)
        move = _between(stream, low_x, high_x) * columns, _between(stream, low_y, high_y) * rows
        factor = _between(stream, *self.scale)
        shear = _between(stream, *self.shear[:2]), _between(stream, *self.shear[2:])
        return affine_array(image, degrees, move, factor, shear, mode, self.fill_value)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        mode = pil_mode(self._name, self.resample)
        return _pil.random_affine(
            img, self.degrees, self.translate, self.scale, self.shear, mode, self.fill_value
        )


def _between(stream: Engine, low: float, high: float) -> float:
    return float(stream.uniform(min(low, high), max(low, high)))


class Perspective(OnDevice, ImageTensorOperation):
    """Warp an image so that four points are mapped to four others.

    Args:
        start_points (Sequence[Sequence[int]]): four points (x, y).
        end_points (Sequence[Sequence[int]]): where they come to.
        interpolation (Inter, optional): Inter.NEAREST, LINEAR or CUBIC; for arrays AREA too, for
            PIL images ANTIALIAS. Default: ``Inter.BILINEAR``.

    Raises:
        TypeError: an argument has the wrong type, or the interpolation is not for this input.
        ValueError: a number is out of range.
        RuntimeError: the input is not an image, or the interpolation is Inter.PILCUBIC.

    Difference from PyTorch: as ``torchvision.transforms.functional.perspective``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> start, end = [[0, 0], [7, 0], [7, 7], [0, 7]], [[1, 0], [6, 1], [7, 7], [0, 6]]
        >>> vision.Perspective(start, end)(np.zeros((8, 8, 3), np.uint8)).shape
        (8, 8, 3)
    """

    _batched = True

    def __init__(
        self, start_points: Any, end_points: Any, interpolation: Inter = Inter.BILINEAR
    ) -> None:
        check = VisionCheck(self._name)
        self.start_points = check.points("start_points", start_points)
        self.end_points = check.points("end_points", end_points)
        self.interpolation = check.inter("interpolation", interpolation)

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = cv_mode(self._name, self.interpolation, warp=True)
        matrix = _cv.perspective_matrix(self.start_points, self.end_points)
        return _cv.warp_perspective(self._numeric(image), matrix, mode)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        mode = pil_mode(self._name, self.interpolation)
        return _pil.perspective(img, self.start_points, self.end_points, mode)


class RandomPerspective(ImageOnly):
    """Warp a PIL image by a random perspective with a given probability.

    Args:
        distortion_scale (float, optional): how far the corners may move, within [0, 1].
            Default: ``0.5``.
        prob (float, optional): the probability. Default: ``0.5``.
        interpolation (Inter, optional): Inter.NEAREST, LINEAR, CUBIC or ANTIALIAS.
            Default: ``Inter.BICUBIC``.

    Raises:
        TypeError: an argument has the wrong type, or the input is not a PIL image.
        ValueError: an argument is out of range.

    Difference from PyTorch: as ``torchvision.transforms.RandomPerspective``.

    Source: behavior observed in MindSpore 2.10; drawn with Python's ``random``.

    Examples:
        >>> from PIL import Image
        >>> import agar.dataset.vision as vision
        >>> vision.RandomPerspective(prob=1.0)(Image.new("RGB", (8, 6))).size
        (8, 6)
    """

    random = True

    def __init__(
        self,
        distortion_scale: float = 0.5,
        prob: float = 0.5,
        interpolation: Inter = Inter.BICUBIC,
    ) -> None:
        check = VisionCheck(self._name)
        check.kind("distortion_scale", distortion_scale, float)
        self.distortion_scale = check.number("distortion_scale", distortion_scale, 0, 1)
        check.kind("prob", prob, float)
        self.prob = check.probability("prob", prob)
        self.interpolation = check.inter("interpolation", interpolation)

    def _execute_py(self, img: Any) -> Image.Image:
        img = self._image_of(img)
        mode = pil_mode(self._name, self.interpolation)
        if self.prob <= random.random():
            return img
        width, height = img.size
        reach_x = int(width / 2 * self.distortion_scale)
        reach_y = int(height / 2 * self.distortion_scale)

        def near() -> tuple[int, int]:
            return 0, reach_x

        right, bottom = (width - reach_x - 1, width - 1), (height - reach_y - 1, height - 1)
        corners = ((near(), (0, reach_y)), (right, (0, reach_y)), (right, bottom), (near(), bottom))
        end = [(random.randint(*x), random.randint(*y)) for x, y in corners]
        start = [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)]
        return _pil.perspective(img, start, end, mode)
