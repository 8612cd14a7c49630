"""Transforms between encoded images, PIL images and arrays, and of the scale of values."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from agar._core.errors import describe
from agar.dataset.transforms.transforms import TypeCast, cast
from agar.dataset.transforms.transforms import output_type as type_of
from agar.dataset.vision._base import (
    PY,
    C,
    ImageOnly,
    ImageTensorOperation,
    OnDevice,
    VideoTensorOperation,
    VisionCheck,
)
from agar.dataset.vision.utils import decode_rgb, no_video, opened

__all__ = [
    "HWC2CHW",
    "Decode",
    "DecodeVideo",
    "LinearTransformation",
    "Normalize",
    "NormalizePad",
    "Rescale",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
]


class Decode(OnDevice, ImageTensorOperation):
    """Decode an encoded image (JPEG, PNG, BMP, WebP, GIF, TIFF) to RGB.

    Args:
        to_pil (bool, optional): whether the result is a PIL image; otherwise it is an array of
            uint8 and shape (H, W, 3). Default: ``False``.

    Raises:
        TypeError: `to_pil` is not a bool, or the input neither bytes nor a 1-D array of numbers.
        RuntimeError: it is no encoded image; with `to_pil` ValueError.

    Difference from PyTorch: ``torchvision.io.decode_image``, which puts the channels first.

    Source: behavior observed in MindSpore 2.10. The orientation of EXIF data is not applied.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> data = vision.encode_png(np.zeros((8, 12, 3), np.uint8))
        >>> vision.Decode()(data).shape
        (8, 12, 3)
        >>> vision.Decode(to_pil=True)(data).size
        (12, 8)
    """

    def __init__(self, to_pil: bool = False) -> None:
        self.to_pil = VisionCheck(self._name).flag("to_pil", to_pil)
        self.implementation = PY if to_pil else C

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Decode one image."""
        img = self._single(input_tensor_list)
        if isinstance(img, (bytes, bytearray)):
            img = np.frombuffer(img, np.uint8)
        elif hasattr(img, "asnumpy"):
            img = img.asnumpy()
        if not isinstance(img, np.ndarray) or img.dtype.kind == "U" or img.ndim != 1:
            raise TypeError(
                f"For '{self._name}', an encoded image is a 1-D array of uint8, or bytes, but got "
                f"{describe(img)}; images that are decoded already need no Decode."
            )
        data = np.ascontiguousarray(img).view(np.uint8)
        if not self.to_pil:
            return decode_rgb(self._name, data)
        try:
            with opened(self._name, data) as image:
                return image.convert("RGB")
        except RuntimeError as error:
            raise ValueError(str(error)) from error


class DecodeVideo(VideoTensorOperation):
    """Decode a video, which agar cannot do.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: ``torchcodec``.

    Source: the name of MindSpore 2.10.
    """

    def __init__(self) -> None:
        no_video("DecodeVideo")


class ToPIL(ImageOnly):
    """Convert an array to a PIL image.

    The input has shape (H, W), (H, W, 1), or, of type uint8, (H, W, 2), (H, W, 3) or (H, W, 4).

    Raises:
        TypeError: the input is not an array, or its type does not suit its shape.
        ValueError: it has another shape.

    Difference from PyTorch: as ``torchvision.transforms.ToPILImage`` of arrays.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.ToPIL()(np.zeros((8, 12, 3), np.uint8)).size
        (12, 8)
    """

    def _execute_py(self, img: Any) -> Image.Image:
        if isinstance(img, Image.Image):
            return img
        array = img.asnumpy() if hasattr(img, "asnumpy") else img
        if not isinstance(array, np.ndarray):
            raise TypeError(
                f"For '{self._name}', the input must be a numpy array, a Tensor or a PIL image, "
                f"but got {describe(img)}."
            )
        if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] > 4):
            raise ValueError(
                f"For '{self._name}', an image is of shape (H, W) or (H, W, C) with C at most 4, "
                f"but got {list(array.shape)}."
            )
        if array.ndim == 3 and array.shape[2] == 1:
            array = array[:, :, 0]
        fits = array.dtype == np.uint8 if array.ndim == 3 else array.dtype.name in _GRAY_TYPES
        if not fits:
            expected = "uint8" if array.ndim == 3 else ", ".join(_GRAY_TYPES)
            raise TypeError(
                f"For '{self._name}', an image of shape {list(img.shape)} is of type {expected}, "
                f"but got {array.dtype}."
            )
        if array.dtype in (np.uint32, np.int8):
            # Pillow has no mode for these: it shows the same bytes
            return Image.fromarray(array.view(np.int32 if array.dtype == np.uint32 else np.uint8))
        return Image.fromarray(array)


_GRAY_TYPES = (
    *("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32"),
    *("float32", "float64"),
)


class ToNumpy(ImageOnly):
    """Convert a PIL image to an array.

    Difference from PyTorch: ``torchvision.transforms.PILToTensor``, which puts channels first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from PIL import Image
        >>> import agar.dataset.vision as vision
        >>> vision.ToNumpy()(Image.new("RGB", (12, 8))).shape
        (8, 12, 3)
    """

    implementation = C

    def _execute_py(self, img: Any) -> np.ndarray:
        return img.asnumpy() if hasattr(img, "asnumpy") else np.array(img)


class ToTensor(ImageTensorOperation):
    """Convert an image to an array of shape (C, H, W) with its values divided by 255.

    Args:
        output_type (Union[mindspore.dtype, numpy.dtype], optional): the type of the result.
            Default: ``np.float32``.

    Raises:
        TypeError: `output_type` is not a type, or the input is not an image.
        RuntimeError: the shape of the input is not (H, W) or (H, W, C).

    Difference from PyTorch: ``torchvision.transforms.ToTensor`` divides images of uint8 only, and
        gives a tensor.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.ToTensor()(np.full((1, 2, 3), 51, np.uint8))[0]
        array([[0.2, 0.2]], dtype=float32)
    """

    implementation = C

    def __init__(self, output_type: Any = np.float32) -> None:
        self._dtype = type_of(self._name, "output_type", output_type)
        self.output_type = str(self._dtype)

    def _execute_py(self, img: Any) -> np.ndarray:
        return self._execute(np.asarray(img))

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._numeric(image)
        planes = image[None] if image.ndim == 2 else image.transpose(2, 0, 1)
        if image.dtype == np.uint8 and self._dtype == np.float32:
            return _PARTS.take(planes)
        return cast(planes.astype(np.float32) / np.float32(255.0), self._dtype)


_PARTS = np.arange(256, dtype=np.float32) / np.float32(255.0)


class ToType(TypeCast):
    """Cast the input to another type.

    Args:
        data_type (Union[mindspore.dtype, numpy.dtype]): the type.

    Raises:
        TypeError: `data_type` is not a type.
        RuntimeError: strings are to become numbers, or numbers strings.

    Difference from PyTorch: ``Tensor.to``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.ToType(np.float32)(np.array([1, 2]))
        array([1., 2.], dtype=float32)
    """


class HWC2CHW(ImageTensorOperation):
    """Convert an image of shape (H, W, C) to (C, H, W); one of shape (H, W) is unchanged.

    Raises:
        RuntimeError: the input has another number of dimensions.

    Difference from PyTorch: ``Tensor.permute(2, 0, 1)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.HWC2CHW()(np.zeros((8, 12, 3))).shape
        (3, 8, 12)
    """

    implementation = C

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.ndim == 2:
            return image
        return np.ascontiguousarray(image.transpose(2, 0, 1))


class Normalize(OnDevice, ImageTensorOperation):
    """Subtract the mean of each channel and divide by its standard deviation.

    Args:
        mean (Sequence[float]): the mean of each channel, within [0, 255], or one for all.
        std (Sequence[float]): the deviation of each channel, within (0, 255], or one for all.
        is_hwc (bool, optional): whether the channels come last. Default: ``True``.

    Returns:
        An array of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the lengths differ.
        RuntimeError: the input has another number of channels, or is not an image.

    Difference from PyTorch: ``torchvision.transforms.Normalize`` has the channels first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Normalize([100.0], [50.0])(np.array([[0, 150]], np.uint8))
        array([[-2.,  1.]], dtype=float32)
    """

    implementation = C
    _batched = True

    def __init__(self, mean: Any, std: Any, is_hwc: bool = True) -> None:
        check = VisionCheck(self._name)
        check.mean_and_deviation(mean, std)
        self.mean = mean
        self.std = std
        self.is_hwc = check.flag("is_hwc", is_hwc)
        self._last_row: tuple[tuple[int, int], np.ndarray, np.ndarray] | None = None

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._normalized(image)

    def _normalized(self, image: np.ndarray) -> np.ndarray:
        if image.dtype.kind not in "biuf":
            raise self._failed(f"an image holds numbers, but got {image.dtype}")
        channels = 1 if image.ndim == 2 else image.shape[2 if self.is_hwc else 0]
        if len(self.mean) not in (1, channels):
            raise self._failed(
                f"mean and std have {len(self.mean)} values, but the image of shape "
                f"{list(image.shape)} has {channels} channels with is_hwc={self.is_hwc}"
            )
        last = image.ndim == 3 and self.is_hwc
        width = image.shape[1] if last else 1
        row = self._last_row
        if row is None or row[0] != (width, channels):
            # threads share this object, so what is used is never read back from it
            self._last_row = row = ((width, channels), *self._row(width, channels))
        _, mean, std = row
        # numpy is several times faster with a row of numbers for all rows than with one per channel
        flat = image.reshape(len(image), width * channels) if last else image
        if image.ndim == 3 and not last:
            mean, std = mean[:, None, None], std[:, None, None]
        result = flat.astype(np.float32)
        result -= mean
        result /= std
        return result.reshape(image.shape)

    def _row(self, width: int, channels: int) -> tuple[np.ndarray, np.ndarray]:
        """The means and deviations of a row of pixels whose channels come last."""
        mean, std = np.array(self.mean, np.float32), np.array(self.std, np.float32)
        repeats = width * channels // len(mean)
        return np.tile(mean, repeats), np.tile(std, repeats)


class NormalizePad(ImageTensorOperation):
    """Normalize an image as `Normalize` does, and append a channel of zeros.

    Args:
        mean (Sequence[float]): the mean of each channel, within [0, 255], or one for all.
        std (Sequence[float]): the deviation of each channel, within (0, 255], or one for all.
        dtype (str, optional): ``"float32"`` or ``"float16"``. Default: ``"float32"``.
        is_hwc (bool, optional): whether the channels come last. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the lengths differ.
        RuntimeError: the input has another number of channels, or is not an image.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.NormalizePad([100.0], [50.0])(np.array([[0, 150]], np.uint8))
        array([[[-2.,  0.],
                [ 1.,  0.]]], dtype=float32)
    """

    implementation = C

    def __init__(self, mean: Any, std: Any, dtype: str = "float32", is_hwc: bool = True) -> None:
        check = VisionCheck(self._name)
        self.dtype = check.choice("dtype", dtype, ("float32", "float16"))
        self.is_hwc = check.flag("is_hwc", is_hwc)
        check.mean_and_deviation(mean, std)
        self._normalize = Normalize(mean, std, is_hwc)
        self.mean = mean
        self.std = std

    def _image(self, image: np.ndarray) -> np.ndarray:
        try:
            result = self._normalize._normalized(image)
        except RuntimeError as error:
            raise RuntimeError(str(error).replace(self._normalize._name, self._name)) from None
        if result.ndim == 2:
            result = result[..., None] if self.is_hwc else result[None]
        widths = np.zeros((3, 2), int)
        widths[2 if self.is_hwc else 0] = (0, 1)
        return np.pad(result, widths).astype(self.dtype, copy=False)


class Rescale(ImageTensorOperation):
    """Multiply an image by a factor and add a number, in float32.

    Args:
        rescale (float): the factor.
        shift (float): the number.

    Raises:
        TypeError: an argument is not a number.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Rescale(0.5, -1.0)(np.array([[4, 6]], np.uint8))
        array([[1., 2.]], dtype=float32)
    """

    implementation = C

    def __init__(self, rescale: float, shift: float) -> None:
        check = VisionCheck(self._name)
        self.rescale = check.number("rescale", rescale)
        self.shift = check.number("shift", shift)

    def _execute(self, *arrays: np.ndarray) -> np.ndarray:
        image = self._numeric(self._single(arrays))
        factor, shift = np.float32(self.rescale), np.float32(self.shift)
        if image.dtype == np.uint8:
            values = np.arange(256, dtype=np.float64) * float(factor) + float(shift)
            return values.astype(np.float32).take(image)
        return (image.astype(np.float64) * float(factor) + float(shift)).astype(np.float32)


class LinearTransformation(ImageOnly):
    """Flatten an image, subtract a vector, multiply by a matrix, and restore the shape (whitening).

    Args:
        transformation_matrix (numpy.ndarray): of shape (D, D), where D is the number of values.
        mean_vector (numpy.ndarray): of shape (D,).

    Raises:
        TypeError: an argument is not an array, or the input is none.
        ValueError: the shapes do not agree.

    Difference from PyTorch: as ``torchvision.transforms.LinearTransformation``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.LinearTransformation(2 * np.eye(2), np.ones(2))(np.array([[3, 4]]))
        array([[4., 6.]])
    """

    def __init__(self, transformation_matrix: np.ndarray, mean_vector: np.ndarray) -> None:
        check = VisionCheck(self._name)
        check.kind("transformation_matrix", transformation_matrix, np.ndarray)
        check.kind("mean_vector", mean_vector, np.ndarray)
        shape = transformation_matrix.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError(
                f"For '{self._name}', transformation_matrix must be square, but got {list(shape)}."
            )
        if mean_vector.shape[0] != shape[0]:
            raise ValueError(
                f"For '{self._name}', mean_vector must be of shape ({shape[0]},), as the matrix "
                f"is, but got {list(mean_vector.shape)}."
            )
        self.transformation_matrix = transformation_matrix
        self.mean_vector = mean_vector

    def _execute_py(self, img: Any) -> np.ndarray:
        array = img.asnumpy() if hasattr(img, "asnumpy") else img
        if not isinstance(array, np.ndarray):
            raise TypeError(
                f"For '{self._name}', the input must be a numpy array, but got {describe(img)}."
            )
        size = self.transformation_matrix.shape[0]
        if array.size != size:
            raise ValueError(
                f"For '{self._name}', an image of shape {list(array.shape)} has {array.size} "
                f"values, but the matrix is for {size}."
            )
        flat = array.reshape(1, -1) - self.mean_vector
        return np.dot(flat, self.transformation_matrix).reshape(array.shape)
