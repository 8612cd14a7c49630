"""What image transforms share: their bases, and the checks of their arguments."""

from __future__ import annotations

import numbers
from typing import Any, TypeVar

import numpy as np
from PIL import Image

from agar._core.errors import describe
from agar.dataset.transforms._checks import INT32, LARGEST, Check, is_number, is_whole
from agar.dataset.transforms.py_transforms_util import Implementation
from agar.dataset.transforms.transforms import PyTensorOperation, TensorOperation
from agar.dataset.vision.utils import Border, Inter

__all__ = [
    "ImageOnly",
    "ImageTensorOperation",
    "OnDevice",
    "VideoTensorOperation",
    "VisionCheck",
    "color",
    "cv_mode",
    "pil_mode",
]

PY, C = Implementation.PY, Implementation.C
Kind = TypeVar("Kind", bound="OnDevice")


class ImageTensorOperation(TensorOperation):
    """Base of transforms of images given as arrays of shape (H, W) or (H, W, C), or PIL images.

    Arrays with more dimensions in front are taken image by image where MindSpore does so
    (`_batched`).
    """

    _batched = False

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Transform one row's images."""
        for value in input_tensor_list:
            is_tensor = hasattr(value, "asnumpy")
            if not is_tensor and not isinstance(value, (np.ndarray, Image.Image)):
                raise TypeError(
                    f"For '{self._name}', the input must be a numpy array, a PIL image or a "
                    f"Tensor, but got {describe(value)}."
                )
        return super().__call__(*input_tensor_list)

    def _execute(self, *arrays: np.ndarray) -> Any:
        image = self._single(arrays)
        if image.ndim < 2:
            raise self._failed(
                f"an image has at least two dimensions, but got shape {list(image.shape)}; "
                "decode it first with vision.Decode()"
            )
        if image.ndim > 3:
            if not self._batched:
                raise self._wrong_rank(image)
            flat = image.reshape(-1, *image.shape[-3:])
            result = np.stack([self._image(one) for one in flat])
            return result.reshape(*image.shape[:-3], *result.shape[1:])
        return self._image(image)

    def _wrong_rank(self, image: np.ndarray) -> RuntimeError:
        return self._failed(
            f"an image is of shape (H, W) or (H, W, C), but got shape {list(image.shape)}"
        )

    def _image(self, image: np.ndarray) -> Any:
        raise NotImplementedError(
            f"'{type(self).__name__}' derives from ImageTensorOperation and must define "
            "_image(array), or __call__."
        )

    def _rgb(self, image: np.ndarray) -> np.ndarray:
        """The image, which must have three channels."""
        if image.ndim != 3 or image.shape[2] != 3:
            raise self._failed(f"an image is of shape (H, W, 3), but got shape {list(image.shape)}")
        return image

    def _bytes(self, image: np.ndarray) -> np.ndarray:
        """The image, which must be of uint8."""
        if image.dtype != np.uint8:
            raise self._failed(f"an image is of type uint8, but got {image.dtype}")
        return image

    def _numeric(self, image: np.ndarray) -> np.ndarray:
        if image.dtype.kind not in "biuf":
            raise self._failed(f"an image holds numbers, but got {image.dtype}")
        return image


class VideoTensorOperation(TensorOperation):
    """Base of transforms of videos."""

    implementation = C


class ImageOnly(PyTensorOperation):
    """Base of transforms that take PIL images alone."""

    implementation = PY

    def _image_of(self, img: Any) -> Image.Image:
        return check_pil(self._name, img)


def check_pil(owner: str, img: Any) -> Image.Image:
    """A PIL image, or the error that says how to get one.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(img, Image.Image):
        raise TypeError(
            f"For '{owner}', the input must be a PIL image, but got {describe(img)}; use "
            "vision.Decode(to_pil=True) for encoded images or vision.ToPIL() for arrays."
        )
    return img


_CPU_ONLY = (
    "transforms run on the CPU; leave out .device('Ascend'), or move whole batches to a device "
    "after the pipeline"
)


class OnDevice(TensorOperation):
    """The part of an operation that MindSpore can also run on Ascend chips."""

    def device(self: Kind, device_target: str = "CPU") -> Kind:
        """Say where the transform runs.

        Args:
            device_target (str, optional): ``"CPU"``; ``"Ascend"`` is refused. Default: ``"CPU"``.

        Raises:
            TypeError: it is not a str.
            ValueError: it is neither "CPU" nor "Ascend".
            RuntimeError: it is "Ascend".
        """
        Check(f"{self._name}.device").choice("device_target", device_target, ("CPU", "Ascend"))
        if device_target == "Ascend":
            raise RuntimeError(f"For '{self._name}.device', Ascend is not available: {_CPU_ONLY}.")
        self.device_target = device_target
        return self


class VisionCheck(Check):
    """Checks of the arguments that image transforms share."""

    def size(self, name: str, value: Any) -> tuple[int, int]:
        """An int, or (height, width)."""
        if is_whole(value):
            self.whole(name, value, 1, LARGEST)
            return value, value
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            self.wrong_type(name, value, "an int or a list or tuple (height, width)")
        for i, part in enumerate(value):
            self.whole(f"{name}[{i}]", part, 1, LARGEST)
        return value[0], value[1]

    def fill(self, name: str, value: Any) -> tuple[int, int, int]:
        """An int within [0, 255], or three of them, for red, green and blue."""
        if is_whole(value):
            self.whole(name, value, 0, 255)
            return (value,) * 3
        if not isinstance(value, tuple) or len(value) != 3:
            self.wrong_type(name, value, "an int or a tuple (red, green, blue)")
        for i, part in enumerate(value):
            self.whole(f"{name}[{i}]", part, 0, 255)
        return value

    def padding(self, name: str, value: Any) -> tuple[int, int, int, int]:
        """An int, (left and right, top and bottom) or (left, top, right, bottom)."""
        if is_whole(value):
            self.whole(name, value, 0)
            return (value,) * 4
        if not isinstance(value, (list, tuple)):
            self.wrong_type(name, value, "an int or a list or tuple of 2 or 4 ints")
        if len(value) not in (2, 4):
            self.wrong_value(name, value, "of length 2 or 4")
        for i, part in enumerate(value):
            self.whole(f"{name}[{i}]", part, 0)
        left, top, right, bottom = value if len(value) == 4 else (*value, *value)
        return left, top, right, bottom

    def inter(self, name: str, value: Any) -> Inter:
        """A member of Inter."""
        return self.kind(name, value, Inter)

    def border(self, name: str, value: Any) -> Border:
        """A member of Border."""
        return self.kind(name, value, Border)

    def degrees(self, name: str, value: Any) -> Any:
        """A number that is not negative, or (min, max)."""
        if is_number(value):
            return self.number(name, value, 0)
        return self.ordered(name, value, -LARGEST)

    def crop_ranges(self, scale: Any, ratio: Any, max_attempts: Any) -> None:
        """The arguments of random crops that are resized."""
        self.ordered("scale", scale, 0)
        self.number("scale[1]", scale[1], 0, above=True)
        self.ordered("ratio", ratio, 0)
        for i, part in enumerate(ratio):
            self.number(f"ratio[{i}]", part, 0, above=True)
        self.whole("max_attempts", max_attempts, 1)

    def mean_and_deviation(self, mean: Any, std: Any) -> None:
        """The arguments of normalization."""
        for name, values in (("mean", mean), ("std", std)):
            self.sequence(name, values)
            for i, value in enumerate(values):
                self.number(f"{name}[{i}]", value, 0, 255, above=name == "std")
        if len(mean) != len(std):
            raise ValueError(
                f"For '{self.owner}', mean and std must be of one length, but got {len(mean)} and "
                f"{len(std)}."
            )

    def center(self, name: str, value: Any) -> Any:
        """None, or a tuple (x, y)."""
        if value is None:
            return None
        if not isinstance(value, tuple) or len(value) != 2:
            self.wrong_value(name, value, "a tuple (x, y)")
        for i, part in enumerate(value):
            self.number(f"{name}[{i}]", part, -INT32, INT32)
        return value

    def points(self, name: str, value: Any) -> Any:
        """Four points (x, y)."""
        self.sequence(name, value, 4)
        for i, point in enumerate(value):
            self.sequence(f"{name}[{i}]", point, 2)
            for j, part in enumerate(point):
                self.whole(f"{name}[{i}][{j}]", part, -INT32)
        return value


_CV_MODES = {
    Inter.NEAREST: "nearest",
    Inter.LINEAR: "linear",
    Inter.CUBIC: "cubic",
    Inter.AREA: "area",
    Inter.PILCUBIC: "pilcubic",
}
_PIL_MODES = {
    Inter.NEAREST: Image.Resampling.NEAREST,
    Inter.ANTIALIAS: Image.Resampling.LANCZOS,
    Inter.LINEAR: Image.Resampling.BILINEAR,
    Inter.CUBIC: Image.Resampling.BICUBIC,
}


def cv_mode(owner: str, value: Inter, *, warp: bool = False, pil: bool = True) -> str:
    """How arrays are interpolated.

    Raises:
        TypeError: PIL images alone can be interpolated so.
        RuntimeError: a warp cannot interpolate so, or the operation has no way for PIL images.
    """
    if value is Inter.ANTIALIAS:
        raise (TypeError if pil else RuntimeError)(
            f"For '{owner}', Inter.ANTIALIAS is for PIL images; convert the array with "
            "vision.ToPIL() first, or use another interpolation."
        )
    if warp and value is Inter.PILCUBIC:
        raise RuntimeError(f"For '{owner}', Inter.PILCUBIC only serves to resize; use Inter.CUBIC.")
    mode = _CV_MODES[value]
    return "linear" if warp and mode == "area" else mode


def pil_mode(owner: str, value: Inter) -> Any:
    """How PIL images are interpolated.

    Raises:
        TypeError: arrays alone can be interpolated so.
    """
    if value not in _PIL_MODES:
        raise TypeError(
            f"For '{owner}', Inter.{value.name} is for arrays; convert the image with "
            "vision.ToNumpy() first, or use NEAREST, LINEAR, CUBIC or ANTIALIAS."
        )
    return _PIL_MODES[value]


def color(img: Image.Image, fill: Any) -> Any:
    """A fill value as a PIL image takes it."""
    if isinstance(fill, numbers.Number):
        return fill if len(img.getbands()) == 1 else (fill,) * len(img.getbands())
    fill = tuple(fill)
    bands = len(img.getbands())
    if bands == 1:
        return fill[0]
    return fill[:bands] if bands <= len(fill) else fill + (255,) * (bands - len(fill))
