"""Transforms that change colors and sharpness."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from agar.dataset.transforms._checks import LARGEST, is_number, is_whole
from agar.dataset.vision import _color_arrays, _cv, _pil
from agar.dataset.vision._base import (
    C,
    ImageOnly,
    ImageTensorOperation,
    OnDevice,
    VisionCheck,
    check_pil,
)
from agar.dataset.vision.utils import ConvertMode

__all__ = [
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustGamma",
    "AdjustHue",
    "AdjustSaturation",
    "AdjustSharpness",
    "AutoContrast",
    "ConvertColor",
    "Equalize",
    "GaussianBlur",
    "Grayscale",
    "HsvToRgb",
    "Invert",
    "Posterize",
    "RgbToHsv",
    "Solarize",
]


class AdjustBrightness(OnDevice, ImageTensorOperation):
    """Multiply the values of an image by a factor.

    Args:
        brightness_factor (float): the factor: 0 gives black, 1 the image, 2 twice the brightness.

    Raises:
        TypeError: `brightness_factor` is not a number.
        ValueError: it is negative.
        RuntimeError: the shape of the input is not (H, W) or (H, W, C).

    Difference from PyTorch: as ``torchvision.transforms.functional.adjust_brightness``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AdjustBrightness(2.0)(np.array([[10, 200]], np.uint8))
        array([[ 20, 255]], dtype=uint8)
    """

    def __init__(self, brightness_factor: float) -> None:
        check = VisionCheck(self._name)
        self.brightness_factor = check.number("brightness_factor", brightness_factor, 0)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return _color_arrays.scale(self._numeric(image), self.brightness_factor)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return ImageEnhance.Brightness(img).enhance(self.brightness_factor)


class AdjustContrast(OnDevice, ImageTensorOperation):
    """Blend an image with its mean luminance.

    Args:
        contrast_factor (float): the factor: 0 gives gray, 1 the image, 2 twice the contrast.

    Raises:
        TypeError: `contrast_factor` is not a number.
        ValueError: it is negative.
        RuntimeError: the shape of the input is not (H, W, 3).

    Difference from PyTorch: as ``torchvision.transforms.functional.adjust_contrast``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AdjustContrast(0.0)(np.array([[[9, 9, 9], [11, 11, 11]]], np.uint8))[0, 0]
        array([10, 10, 10], dtype=uint8)
    """

    def __init__(self, contrast_factor: float) -> None:
        check = VisionCheck(self._name)
        self.contrast_factor = check.number("contrast_factor", contrast_factor, 0)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return _color_arrays.adjust_contrast(self._numeric(self._rgb(image)), self.contrast_factor)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return ImageEnhance.Contrast(img).enhance(self.contrast_factor)


class AdjustGamma(ImageTensorOperation):
    r"""An image with the values :math:`gain \cdot I^{gamma}`, for values within [0, 1].

    Args:
        gamma (float): the exponent: above 1 shadows get darker, below 1 lighter.
        gain (float, optional): the factor. Default: ``1``.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `gamma` is negative.
        RuntimeError: the input is not an image with 1 or 3 channels.

    Difference from PyTorch: as ``torchvision.transforms.functional.adjust_gamma``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AdjustGamma(2.0)(np.array([[0, 51, 255]], np.uint8))
        array([[  0,  10, 255]], dtype=uint8)
    """

    _batched = True

    def __init__(self, gamma: float, gain: float = 1) -> None:
        check = VisionCheck(self._name)
        self.gamma = check.number("gamma", gamma, 0)
        self.gain = check.number("gain", gain)

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.ndim == 3 and image.shape[2] not in (1, 3):
            raise self._failed(f"an image has 1 or 3 channels, but got {image.shape[2]}")
        return _color_arrays.adjust_gamma(self._numeric(image), self.gamma, self.gain)

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        bands = len(img.getbands())
        if bands not in (1, 3):
            return img
        top = 255 + 1 - 0.001
        table = [int(top * self.gain * pow(x / 255.0, self.gamma)) for x in range(256)]
        return img.point(table * bands)


class AdjustHue(OnDevice, ImageTensorOperation):
    """Shift the hue of an image.

    Args:
        hue_factor (float): by which part of the circle, within [-0.5, 0.5].

    Raises:
        TypeError: `hue_factor` is not a number.
        ValueError: it is out of range.
        RuntimeError: the shape of the input is not (H, W, 3) and type uint8.

    Difference from PyTorch: as ``torchvision.transforms.functional.adjust_hue``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AdjustHue(0.0)(np.array([[[200, 10, 10]]], np.uint8))
        array([[[200,  10,  10]]], dtype=uint8)
    """

    def __init__(self, hue_factor: float) -> None:
        check = VisionCheck(self._name)
        self.hue_factor = check.number("hue_factor", hue_factor, -0.5, 0.5)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return _color_arrays.adjust_hue(self._bytes(self._rgb(image)), self.hue_factor)

    def _execute_py(self, img: Any) -> Image.Image:
        return _pil.adjust_hue(check_pil(self._name, img), self.hue_factor)


class AdjustSaturation(OnDevice, ImageTensorOperation):
    """Blend an image with its luminance.

    Args:
        saturation_factor (float): the factor: 0 gives a gray image, 1 the image, 2 twice the
            saturation.

    Raises:
        TypeError: `saturation_factor` is not a number.
        ValueError: it is negative.
        RuntimeError: the shape of the input is not (H, W, 3).

    Difference from PyTorch: as ``torchvision.transforms.functional.adjust_saturation``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AdjustSaturation(0.0)(np.array([[[100, 0, 0]]], np.uint8))
        array([[[30, 30, 30]]], dtype=uint8)
    """

    def __init__(self, saturation_factor: float) -> None:
        check = VisionCheck(self._name)
        self.saturation_factor = check.number("saturation_factor", saturation_factor, 0)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return _color_arrays.adjust_saturation(
            self._numeric(self._rgb(image)), self.saturation_factor
        )

    def _execute_py(self, img: Any) -> Image.Image:
        img = check_pil(self._name, img)
        return ImageEnhance.Color(img).enhance(self.saturation_factor)


class AdjustSharpness(OnDevice, ImageTensorOperation):
    """Blend an image with a smoothed copy; the outermost pixels are unchanged.

    Args:
        sharpness_factor (float): the factor: 0 gives the smoothed image, 1 the image, 2 twice the
            sharpness.

    Raises:
        TypeError: `sharpness_factor` is not a number.
        ValueError: it is negative.
        RuntimeError: the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.functional.adjust_sharpness``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AdjustSharpness(1.0)(np.array([[1, 2]], np.uint8))
        array([[1, 2]], dtype=uint8)
    """

    implementation = C

    def __init__(self, sharpness_factor: float) -> None:
        check = VisionCheck(self._name)
        self.sharpness_factor = check.number("sharpness_factor", sharpness_factor, 0)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return _color_arrays.adjust_sharpness(self._numeric(image), self.sharpness_factor)


def _per_channel(image: np.ndarray, change: Any) -> np.ndarray:
    if image.ndim == 2:
        return change(image)
    return np.stack([change(image[..., i]) for i in range(image.shape[2])], -1)


class Contrast(ImageTensorOperation):
    """The part that the transforms which stretch values share."""

    _batched = True
    cutoff: float
    ignore: Any

    def _ends(self, cutoff: Any, ignore: Any) -> None:
        check = VisionCheck(self._name)
        self.cutoff = check.number("cutoff", cutoff, 0, 50, below=True)
        if ignore is None:
            self.ignore = []
        elif is_whole(ignore):
            self.ignore = [check.whole("ignore", ignore, 0, 255)]
        else:
            check.kind("ignore", ignore, int, list, tuple)
            self.ignore = [check.whole(f"ignore[{i}]", v, 0, 255) for i, v in enumerate(ignore)]

    def _stretched(self, image: np.ndarray) -> np.ndarray:
        self._bytes(image)

        def change(channel: np.ndarray) -> np.ndarray:
            return _color_arrays.autocontrast_table(channel, self.cutoff, self.ignore).take(channel)

        return _per_channel(image, change)


class AutoContrast(OnDevice, Contrast):
    """Stretch the values of each channel over [0, 255].

    Args:
        cutoff (float, optional): the share of the lightest and of the darkest pixels left out, in
            percent, within [0, 50). Default: ``0.0``.
        ignore (Union[int, Sequence[int]], optional): values to ignore. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an image of type uint8.

    Difference from PyTorch: ``torchvision.transforms.functional.autocontrast`` leaves nothing out.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.AutoContrast()(np.array([[10, 20, 30]], np.uint8))
        array([[  0, 127, 255]], dtype=uint8)
    """

    def __init__(self, cutoff: float = 0.0, ignore: Any = None) -> None:
        self._ends(cutoff, ignore)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._stretched(image)

    def _execute_py(self, img: Any) -> Image.Image:
        # Pillow's own type of `ignore` is one int; it takes a list too
        ignore: Any = self.ignore
        return ImageOps.autocontrast(check_pil(self._name, img), self.cutoff, ignore)


def equalized(operation: ImageTensorOperation, image: np.ndarray) -> np.ndarray:
    if image.ndim == 3 and image.shape[2] not in (1, 3):
        raise operation._failed(f"an image has 1 or 3 channels, but got {image.shape[2]}")
    return _per_channel(operation._bytes(image), _color_arrays.equalize)


class Equalize(OnDevice, ImageTensorOperation):
    """Equalize the histogram of an image.

    Raises:
        RuntimeError: the input is not an image of type uint8 with 1 or 3 channels.

    Difference from PyTorch: as ``torchvision.transforms.functional.equalize``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Equalize()(np.array([[1, 2, 3]], np.uint8))
        array([[  0, 128, 255]], dtype=uint8)
    """

    _batched = True

    def _image(self, image: np.ndarray) -> np.ndarray:
        return equalized(self, image)

    def _execute_py(self, img: Any) -> Image.Image:
        return ImageOps.equalize(check_pil(self._name, img))


def inverted(operation: ImageTensorOperation, image: np.ndarray) -> np.ndarray:
    operation._numeric(operation._rgb(image))
    if image.dtype == np.uint8:
        return ~image
    return _cv.saturate(255 - image.astype(np.float64), image.dtype)


class Invert(OnDevice, ImageTensorOperation):
    """Invert an image: each value v becomes 255 - v.

    Raises:
        RuntimeError: the shape of the input is not (H, W, 3).

    Difference from PyTorch: as ``torchvision.transforms.functional.invert``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Invert()(np.array([[[0, 100, 255]]], np.uint8))
        array([[[255, 155,   0]]], dtype=uint8)
    """

    def _image(self, image: np.ndarray) -> np.ndarray:
        return inverted(self, image)

    def _execute_py(self, img: Any) -> Image.Image:
        return ImageOps.invert(check_pil(self._name, img))


def posterized(operation: ImageTensorOperation, image: np.ndarray, bits: int) -> np.ndarray:
    if image.dtype not in (np.uint8, np.int8):
        raise operation._failed(f"an image is of type uint8, but got {image.dtype}")
    mask = (0xFF << (8 - bits)) & 0xFF
    return (image.view(np.uint8) & np.uint8(mask)).view(image.dtype)


class Posterize(OnDevice, ImageTensorOperation):
    """Keep only the highest bits of each value.

    Args:
        bits (int): how many bits are kept, within [0, 8].

    Raises:
        TypeError: `bits` is not an int.
        ValueError: it is out of range.
        RuntimeError: the input is not an image of type uint8.

    Difference from PyTorch: as ``torchvision.transforms.functional.posterize``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Posterize(1)(np.array([[100, 200]], np.uint8))
        array([[  0, 128]], dtype=uint8)
    """

    implementation = C
    _batched = True

    def __init__(self, bits: int) -> None:
        self.bits = VisionCheck(self._name).whole("bits", bits, 0, 8)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return posterized(self, np.ascontiguousarray(image), self.bits)


def solarized(
    operation: ImageTensorOperation, image: np.ndarray, low: float, high: float
) -> np.ndarray:
    if image.ndim == 3 and image.shape[2] not in (1, 3):
        raise operation._failed(f"an image has 1 or 3 channels, but got {image.shape[2]}")
    return _color_arrays.solarize(operation._numeric(image), low, high)


class Solarize(OnDevice, ImageTensorOperation):
    """Invert the values of an image that lie in a range.

    Args:
        threshold (Union[float, Sequence[float, float]]): the range (low, high); one number inverts
            all values from it on. Within [0, 255].

    Raises:
        TypeError: `threshold` has the wrong type.
        ValueError: it is out of range.
        RuntimeError: the input is not an image with 1 or 3 channels.

    Difference from PyTorch: ``torchvision.transforms.functional.solarize`` takes one number.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.Solarize((50, 100))(np.array([[10, 60, 200]], np.uint8))
        array([[ 10, 195, 200]], dtype=uint8)
    """

    implementation = C
    _batched = True

    def __init__(self, threshold: Any) -> None:
        check = VisionCheck(self._name)
        if is_number(threshold):
            check.number("threshold", threshold, 0, 255)
            threshold = (threshold, threshold)
        self.threshold = check.ordered("threshold", threshold, 0, 255)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return solarized(self, image, *self.threshold)


class GaussianBlur(OnDevice, ImageTensorOperation):
    """Blur an image with a Gaussian kernel.

    Args:
        kernel_size (Union[int, Sequence[int]]): its odd (width, height), or both.
        sigma (Union[float, Sequence[float]], optional): its deviation along x and y, or both; 0
            stands for one that suits the size. Default: ``None``, 0.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or a size even.
        RuntimeError: the input is not an image.

    Difference from PyTorch: as ``torchvision.transforms.functional.gaussian_blur``.

    Source: behavior observed in MindSpore 2.10; 8-bit images agree exactly.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.GaussianBlur(3)(np.array([[0, 0, 64, 0, 0]], np.uint8))
        array([[ 0, 15, 34, 15,  0]], dtype=uint8)
    """

    implementation = C
    _batched = True

    def __init__(self, kernel_size: Any, sigma: Any = None) -> None:
        check = VisionCheck(self._name)
        sizes = kernel_size
        if isinstance(kernel_size, int):
            sizes = (check.whole("kernel_size", kernel_size, 1, LARGEST),) * 2
        check.sequence("kernel_size", sizes, 2)
        for i, size in enumerate(sizes):
            if check.whole(f"kernel_size[{i}]", size, 1, LARGEST) % 2 == 0:
                check.wrong_value(f"kernel_size[{i}]", size, "odd")
        if sigma is None:
            deviations: Any = (0, 0)
        elif is_number(sigma):
            deviations = (check.number("sigma", sigma, 0),) * 2
        else:
            deviations = check.sequence("sigma", sigma, 2)
            for i, part in enumerate(deviations):
                check.number(f"sigma[{i}]", part, 0)
        self.kernel_size = tuple(sizes)
        self.sigma = tuple(float(np.float32(part)) for part in deviations)

    def _image(self, image: np.ndarray) -> np.ndarray:
        sizes: Any = self.kernel_size
        sigma: Any = self.sigma
        return _cv.gaussian_blur(self._numeric(image), sizes, sigma)


# which channels are taken, where 3 stands for a full one if there are but three
_CHANNELS = {
    ConvertMode.COLOR_RGB2RGBA: (3, [0, 1, 2, 3]),
    ConvertMode.COLOR_RGBA2RGB: (4, [0, 1, 2]),
    ConvertMode.COLOR_RGB2BGRA: (3, [2, 1, 0, 3]),
    ConvertMode.COLOR_RGBA2BGR: (4, [2, 1, 0]),
    ConvertMode.COLOR_RGB2BGR: (3, [2, 1, 0]),
    ConvertMode.COLOR_RGBA2BGRA: (4, [2, 1, 0, 3]),
    ConvertMode.COLOR_GRAY2RGB: (1, [0, 0, 0]),
    ConvertMode.COLOR_GRAY2RGBA: (1, [0, 0, 0, 3]),
    ConvertMode.COLOR_RGB2GRAY: (3, None),
    ConvertMode.COLOR_BGR2GRAY: (3, None),
    ConvertMode.COLOR_RGBA2GRAY: (4, None),
    ConvertMode.COLOR_BGRA2GRAY: (4, None),
}
_FROM_BGR = {ConvertMode.COLOR_BGR2GRAY, ConvertMode.COLOR_BGRA2GRAY}


class ConvertColor(OnDevice, ImageTensorOperation):
    """Convert an image to another color space or order of channels.

    Args:
        convert_mode (ConvertMode): what is converted to what.

    Raises:
        TypeError: `convert_mode` has the wrong type.
        RuntimeError: the input has another number of channels, or is not of type uint8, uint16 or
            float32.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> to_gray = vision.ConvertColor(vision.ConvertMode.COLOR_RGB2GRAY)
        >>> to_gray(np.array([[[10, 20, 30]]], np.uint8))
        array([[18]], dtype=uint8)
    """

    implementation = C

    def __init__(self, convert_mode: ConvertMode) -> None:
        check = VisionCheck(self._name)
        self.convert_mode = check.kind("convert_mode", convert_mode, ConvertMode)

    def _image(self, image: np.ndarray) -> np.ndarray:
        mode = self.convert_mode
        expected, order = _CHANNELS[mode]
        have = image.shape[2] if image.ndim == 3 else 1
        if have != expected or image.dtype not in (np.uint8, np.uint16, np.float32):
            raise self._failed(
                f"{mode.name} is for images of type uint8, uint16 or float32 with {expected} "
                f"channels, but got {image.dtype} of shape {list(image.shape)}"
            )
        if order is None:
            return _color_arrays.gray(image[..., 2::-1] if mode in _FROM_BGR else image)
        planes = image.reshape(*image.shape[:2], have)
        full = 1 if image.dtype.kind == "f" else np.iinfo(image.dtype).max
        result = np.full((*image.shape[:2], len(order)), full, image.dtype)
        for to, come in enumerate(order):
            if come < have:
                result[..., to] = planes[..., come]
        return result


class Grayscale(ImageOnly):
    """Convert a PIL image to grayscale.

    Args:
        num_output_channels (int, optional): 1, or 3 equal ones. Default: ``1``.

    Raises:
        TypeError: `num_output_channels` is not an int, or the input is not a PIL image.
        ValueError: `num_output_channels` is neither 1 nor 3.

    Difference from PyTorch: as ``torchvision.transforms.Grayscale``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from PIL import Image
        >>> import agar.dataset.vision as vision
        >>> vision.Grayscale()(Image.new("RGB", (8, 6))).mode
        'L'
    """

    def __init__(self, num_output_channels: int = 1) -> None:
        check = VisionCheck(self._name)
        if check.kind("num_output_channels", num_output_channels, int) not in (1, 3):
            check.wrong_value("num_output_channels", num_output_channels, "1 or 3")
        self.num_output_channels = num_output_channels

    def _execute_py(self, img: Any) -> Image.Image:
        return _pil.grayscale(self._image_of(img), self.num_output_channels)


def _three_planes(operation: Any, images: Any, is_hwc: bool) -> np.ndarray:
    """The images with the channels in front, (3, ...)."""
    array = images.asnumpy() if hasattr(images, "asnumpy") else images
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"For '{operation._name}', the input must be a numpy array, but got "
            f"{type(images).__name__}; use vision.ToNumpy() for PIL images."
        )
    axis = (array.ndim - 1 if is_hwc else array.ndim - 3) if array.ndim in (3, 4) else None
    if axis is None or array.shape[axis] != 3:
        raise TypeError(
            f"For '{operation._name}', the input must have 3 or 4 dimensions and 3 channels, but "
            f"got shape {list(array.shape)} with is_hwc={is_hwc}."
        )
    return np.moveaxis(array, axis, 0)


class RgbToHsv(ImageOnly):
    """Convert RGB images to HSV.

    Values are computed as ``colorsys.rgb_to_hsv`` does, in float64; red, green and blue are
    expected within [0, 1].

    Args:
        is_hwc (bool, optional): whether the channels come last. Default: ``False``.

    Raises:
        TypeError: `is_hwc` is not a bool, or the shape of the input is not (H, W, 3), (3, H, W) or
            a batch of those.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.RgbToHsv(is_hwc=True)(np.array([[[0.0, 0.5, 0.0]]])).ravel().round(3)
        array([0.333, 1.   , 0.5  ])
    """

    def __init__(self, is_hwc: bool = False) -> None:
        self.is_hwc = VisionCheck(self._name).flag("is_hwc", is_hwc)

    def _execute_py(self, img: Any) -> np.ndarray:
        red, green, blue = _three_planes(self, img, self.is_hwc).astype(np.float64)
        high = np.maximum(np.maximum(red, green), blue)
        spread = high - np.minimum(np.minimum(red, green), blue)
        safe, safe_high = np.where(spread == 0, 1, spread), np.where(high == 0, 1, high)
        from_red, from_green, from_blue = ((high - c) / safe for c in (red, green, blue))
        hue = np.where(
            red == high,
            from_blue - from_green,
            np.where(green == high, 2.0 + from_red - from_blue, 4.0 + from_green - from_red),
        )
        hue = np.where(spread == 0, 0.0, (hue / 6.0) % 1.0)
        saturation = np.where(spread == 0, 0.0, spread / safe_high)
        axis = -1 if self.is_hwc else -3
        return np.stack([hue, saturation, high], axis)


class HsvToRgb(ImageOnly):
    """Convert HSV images with values in [0, 1] to RGB, in float64.

    Args:
        is_hwc (bool, optional): whether the channels come last. Default: ``False``.

    Raises:
        TypeError: `is_hwc` is not a bool, or the shape of the input is not (H, W, 3), (3, H, W) or
            a batch of those.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.HsvToRgb(is_hwc=True)(np.array([[[0.5, 1.0, 0.5]]])).ravel()
        array([0. , 0.5, 0.5])
    """

    def __init__(self, is_hwc: bool = False) -> None:
        self.is_hwc = VisionCheck(self._name).flag("is_hwc", is_hwc)

    def _execute_py(self, img: Any) -> np.ndarray:
        hue, saturation, value = _three_planes(self, img, self.is_hwc).astype(np.float64)
        sector = np.trunc(hue * 6.0)
        part = hue * 6.0 - sector
        low = value * (1.0 - saturation)
        falling = value * (1.0 - saturation * part)
        rising = value * (1.0 - saturation * (1.0 - part))
        table = np.stack([value, low, falling, rising], -1)
        order = _color_arrays.SECTORS[sector.astype(np.int64) % 6]
        result = np.take_along_axis(table, order, -1)
        result = np.where(saturation[..., None] == 0.0, value[..., None], result)
        return result if self.is_hwc else np.moveaxis(result, -1, -3)
