"""Choices of image transforms, and reading and writing image files (``dataset.vision.utils``)."""

from __future__ import annotations

import enum
import importlib
import io
import numbers
import os
import sys
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from PIL import Image, UnidentifiedImageError

from agar._core.errors import describe, missing_feature
from agar._core.files import replacing
from agar.dataset.transforms._checks import Check

__all__ = [
    "AutoAugmentPolicy",
    "Border",
    "ConvertMode",
    "DecodeParams",
    "ImageBatchFormat",
    "ImageReadMode",
    "Inter",
    "SliceMode",
    "VideoDecoder",
    "VideoFrameDvpp",
    "encode_jpeg",
    "encode_png",
    "get_image_num_channels",
    "get_image_size",
    "parse_padding",
    "read_file",
    "read_image",
    "read_video",
    "read_video_timestamps",
    "write_file",
    "write_jpeg",
    "write_png",
]


class AutoAugmentPolicy(str, enum.Enum):
    """Which published policy `AutoAugment` follows: IMAGENET, CIFAR10 or SVHN."""

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


class Border(str, enum.Enum):
    """How the border of a padded image is filled.

    CONSTANT is a value, EDGE the last pixel, REFLECT the image mirrored at its last pixel,
    SYMMETRIC the image mirrored with its last pixel.
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ConvertMode(enum.IntEnum):
    """What `ConvertColor` converts, such as COLOR_RGB2GRAY; equal conversions are one member."""

    COLOR_BGR2BGRA = 0
    COLOR_RGB2RGBA = COLOR_BGR2BGRA
    COLOR_BGRA2BGR = 1
    COLOR_RGBA2RGB = COLOR_BGRA2BGR
    COLOR_BGR2RGBA = 2
    COLOR_RGB2BGRA = COLOR_BGR2RGBA
    COLOR_RGBA2BGR = 3
    COLOR_BGRA2RGB = COLOR_RGBA2BGR
    COLOR_BGR2RGB = 4
    COLOR_RGB2BGR = COLOR_BGR2RGB
    COLOR_BGRA2RGBA = 5
    COLOR_RGBA2BGRA = COLOR_BGRA2RGBA
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = 8
    COLOR_GRAY2RGB = COLOR_GRAY2BGR
    COLOR_GRAY2BGRA = 9
    COLOR_GRAY2RGBA = COLOR_GRAY2BGRA
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class ImageBatchFormat(enum.IntEnum):
    """Where a batch of images has its channels: NHWC or NCHW."""

    NHWC = 0
    NCHW = 1


class ImageReadMode(enum.IntEnum):
    """What `read_image` returns: UNCHANGED as in the file, GRAYSCALE one channel, COLOR RGB."""

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class Inter(enum.IntEnum):
    """How pixels are interpolated.

    NEAREST, LINEAR (also BILINEAR) and CUBIC (also BICUBIC) are for arrays and PIL images, AREA and
    PILCUBIC for arrays, ANTIALIAS for PIL images.
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class SliceMode(enum.IntEnum):
    """What `SlicePatches` does when sizes do not divide: PAD the image, or DROP the rest."""

    PAD = 0
    DROP = 1


def parse_padding(padding: Any) -> tuple[int, ...]:
    """A padding as (left, top, right, bottom).

    Args:
        padding (Union[int, Sequence]): one number for all sides, (left and right, top and bottom),
            or all four.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.vision.utils import parse_padding
        >>> parse_padding((1, 2))
        (1, 2, 1, 2)
    """
    if isinstance(padding, numbers.Number):
        return (padding,) * 4  # type: ignore[return-value]
    return (*padding, *padding) if len(padding) == 2 else tuple(padding)


# --- encoded images -------------------------------------------------------------------------------


@cache
def jpeg_decoder() -> Any:
    """The package simplejpeg, or None where it is not installed."""
    try:
        return importlib.import_module("simplejpeg")
    except ImportError:
        return None


def _decoded_jpeg(data: Any) -> np.ndarray | None:
    """A JPEG image as RGB from libjpeg-turbo itself; None for what Pillow has to look at.

    The pixels are Pillow's, which decodes with the same library but reads every marker in Python
    and copies the pixels twice. What is damaged, larger than Pillow's limit, has four channels or
    is sampled in an unusual way is left to Pillow.
    """
    decoder = jpeg_decoder()
    if decoder is None or isinstance(data, str) or bytes(data[:2]) != b"\xff\xd8":
        return None
    try:
        height, width, colors, _ = decoder.decode_jpeg_header(data)
        if colors in _PLAIN_JPEG and height * width <= (Image.MAX_IMAGE_PIXELS or sys.maxsize):
            return decoder.decode_jpeg(data)
    except ValueError:  # what is wrong with the image is told by Pillow
        pass
    return None


#: Colors of a JPEG image that become RGB in one way, as simplejpeg calls them.
_PLAIN_JPEG = frozenset({"Gray", "RGB", "YCbCr"})


def decode_rgb(owner: str, data: Any) -> np.ndarray:
    """The pixels of an encoded image as RGB, uint8.

    Raises:
        RuntimeError: the bytes are not an image that Pillow reads.
    """
    pixels = _decoded_jpeg(data)
    if pixels is not None:
        return pixels
    with opened(owner, data) as image:
        if image.mode.startswith("I"):  # 16 bits, of which Pillow's own conversion takes the lower
            gray = (np.asarray(image) >> 8).clip(0, 255).astype(np.uint8)
            return np.repeat(gray[:, :, None], 3, axis=2)
        # a copy, as arrays that share Pillow's memory cannot be written to
        return np.array(image if image.mode == "RGB" else image.convert("RGB"))


@contextmanager
def opened(owner: str, data: Any):
    """An encoded image, opened by Pillow.

    Raises:
        RuntimeError: the bytes are not an image that Pillow reads.
    """
    # bytes that are there: of a file, Python reserves as much as a damaged length asks for
    held = Path(data).read_bytes() if isinstance(data, str) else memoryview(data)
    stream = io.BytesIO(held)
    what = f"file {data!r}" if isinstance(data, str) else "data"
    try:
        image = Image.open(stream)  # Pillow refuses images of more pixels than it has a limit for
        image.load()
    except UnidentifiedImageError as error:
        raise RuntimeError(
            f"For '{owner}', the {what} is no encoded image of a known format; give the bytes of "
            "a JPEG, PNG, BMP, WebP, GIF or TIFF file."
        ) from error
    except Exception as error:  # of damaged images, Pillow raises what its parsers happen to raise
        raise RuntimeError(
            f"For '{owner}', the {what} cannot be decoded: {error}. Is it a whole image?"
        ) from error
    with image:
        yield image


def _pixels(owner: str, image: Any) -> np.ndarray:
    """The image to encode: uint8 of shape (H, W), (H, W, 1) or (H, W, 3)."""
    array = image.asnumpy() if hasattr(image, "asnumpy") else image
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"For '{owner}', argument 'image' must be a numpy array or a Tensor, but got "
            f"{describe(image)}."
        )
    if array.dtype != np.uint8:
        raise RuntimeError(
            f"For '{owner}', the image must be of type uint8, but got {array.dtype}."
        )
    if (
        array.size == 0
        or array.ndim not in (2, 3)
        or (array.ndim == 3 and array.shape[2] not in (1, 3))
    ):
        raise RuntimeError(
            f"For '{owner}', the image must be of shape (H, W), (H, W, 1) or (H, W, 3), but got "
            f"{list(array.shape)}."
        )
    return array[:, :, 0] if array.ndim == 3 and array.shape[2] == 1 else array


def _encoded(owner: str, image: Any, **options: Any) -> np.ndarray:
    stream = io.BytesIO()
    Image.fromarray(_pixels(owner, image)).save(stream, **options)
    return np.frombuffer(stream.getvalue(), np.uint8).copy()


def _whole(owner: str, name: str, value: Any, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        Check(owner).wrong_type(name, value, "an int")
    if not low <= value <= high:
        raise RuntimeError(
            f"For '{owner}', argument '{name}' must be within [{low}, {high}], but got {value}."
        )
    return value


def encode_jpeg(image: Any, quality: int = 75) -> np.ndarray:
    """Encode an image as JPEG.

    Args:
        image (Union[numpy.ndarray, Tensor]): uint8 of shape (H, W), (H, W, 1) or (H, W, 3), RGB.
        quality (int, optional): within [1, 100]. Default: ``75``.

    Returns:
        numpy.ndarray, 1-D, of type uint8.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the image is of another type or shape, or `quality` out of range.

    Difference from PyTorch: as ``torchvision.io.encode_jpeg``, with the channels last.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.encode_jpeg(np.zeros((8, 8, 3), np.uint8))[:2]
        array([255, 216], dtype=uint8)
    """
    owner = "vision.encode_jpeg"
    return _encoded(owner, image, format="JPEG", quality=_whole(owner, "quality", quality, 1, 100))


def encode_png(image: Any, compression_level: int = 6) -> np.ndarray:
    """Encode an image as PNG.

    Args:
        image (Union[numpy.ndarray, Tensor]): uint8 of shape (H, W), (H, W, 1) or (H, W, 3), RGB.
        compression_level (int, optional): within [0, 9]. Default: ``6``.

    Returns:
        numpy.ndarray, 1-D, of type uint8.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the image is of another type or shape, or the level out of range.

    Difference from PyTorch: as ``torchvision.io.encode_png``, with the channels last.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.encode_png(np.zeros((8, 8, 3), np.uint8))[1:4].tobytes()
        b'PNG'
    """
    owner = "vision.encode_png"
    level = _whole(owner, "compression_level", compression_level, 0, 9)
    return _encoded(owner, image, format="PNG", compress_level=level)


def get_image_num_channels(image: Any) -> int:
    """The number of channels of an image; 1 for an array of shape (H, W).

    Args:
        image (Union[numpy.ndarray, PIL.Image.Image]): the image.

    Raises:
        TypeError: it is not an image.
        RuntimeError: an array has less than two dimensions.

    Difference from PyTorch: as ``torchvision.transforms.functional.get_image_num_channels``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.get_image_num_channels(np.zeros((8, 6, 3)))
        3
    """
    shape = _shape("vision.get_image_num_channels", image)
    return shape[2] if len(shape) > 2 else 1


def get_image_size(image: Any) -> list[int]:
    """The height and width of an image.

    Args:
        image (Union[numpy.ndarray, PIL.Image.Image]): the image.

    Raises:
        TypeError: it is not an image.
        RuntimeError: an array has less than two dimensions.

    Difference from PyTorch: ``torchvision.transforms.functional.get_image_size`` gives the width
    first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.vision as vision
        >>> vision.get_image_size(np.zeros((8, 6, 3)))
        [8, 6]
    """
    return list(_shape("vision.get_image_size", image)[:2])


def _shape(owner: str, image: Any) -> tuple[int, ...]:
    """(H, W) or (H, W, C)."""
    if isinstance(image, Image.Image):
        return image.height, image.width, len(image.getbands())
    if not isinstance(image, np.ndarray):
        raise TypeError(
            f"For '{owner}', argument 'image' must be a numpy array or a PIL image, but got "
            f"{describe(image)}."
        )
    if image.ndim < 2:
        raise RuntimeError(
            f"For '{owner}', an image has at least two dimensions, but got {list(image.shape)}."
        )
    return image.shape[-3:] if image.ndim > 2 else image.shape


# --- files ----------------------------------------------------------------------------------------


def _path(owner: str, filename: Any) -> str:
    if not isinstance(filename, str):
        Check(owner).wrong_type("filename", filename, "a str")
    return filename


def _existing(owner: str, filename: Any) -> str:
    path = _path(owner, filename)
    if not os.path.isfile(path):
        what = "is not a regular file" if os.path.exists(path) else "does not exist"
        raise RuntimeError(f"For '{owner}', the file {path!r} {what}.")
    return path


def read_file(filename: str) -> np.ndarray:
    """Read the bytes of a file.

    Args:
        filename (str): the file.

    Returns:
        numpy.ndarray, 1-D, of type uint8.

    Raises:
        TypeError: `filename` is not a str.
        RuntimeError: the file does not exist or cannot be read.

    Difference from PyTorch: as ``torchvision.io.read_file``.

    Source: behavior observed in MindSpore 2.10.
    """
    owner = "vision.read_file"
    path = _existing(owner, filename)
    try:
        return np.fromfile(path, np.uint8)
    except OSError as error:
        raise RuntimeError(f"For '{owner}', the file {path!r} cannot be read: {error}.") from error


def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> np.ndarray:
    """Read and decode an image file.

    Args:
        filename (str): a JPEG, PNG, BMP or TIFF file, or of another format that Pillow reads.
        mode (ImageReadMode, optional): what is given. Default: ``ImageReadMode.UNCHANGED``.

    Returns:
        numpy.ndarray of shape (H, W, C); C is 1 for gray images, else 3: transparency is left out.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the file does not exist or is not an image.

    Difference from PyTorch: as ``torchvision.io.read_image``, with the channels last.

    Source: behavior observed in MindSpore 2.10.
    """
    owner = "vision.read_image"
    Check(owner).kind("filename", filename, str)
    Check(owner).kind("mode", mode, ImageReadMode)
    with opened(owner, _existing(owner, filename)) as image:
        if mode is ImageReadMode.GRAYSCALE:
            image = image.convert("L")
        elif mode is ImageReadMode.COLOR:
            image = image.convert("RGB")
        elif image.mode not in ("L", "RGB") and not image.mode.startswith(("I", "F")):
            image = image.convert("L" if image.mode in ("1", "LA") else "RGB")
        pixels = np.asarray(image)
    return pixels[:, :, None].copy() if pixels.ndim == 2 else pixels.copy()


def _write(owner: str, filename: Any, data: bytes) -> None:
    """Write a file whole or not at all."""
    path = Path(_path(owner, filename))
    try:
        with replacing(path) as name:
            Path(name).write_bytes(data)
    except OSError as error:
        raise RuntimeError(
            f"For '{owner}', the file {str(path)!r} cannot be written: {error}."
        ) from error


def write_file(filename: str, data: Any) -> None:
    """Write bytes to a file.

    Args:
        filename (str): the file.
        data (Union[numpy.ndarray, Tensor]): 1-D, of type uint8.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the data are not 1-D of uint8, or the file cannot be written.

    Difference from PyTorch: as ``torchvision.io.write_file``.

    Source: behavior observed in MindSpore 2.10.
    """
    owner = "vision.write_file"
    _path(owner, filename)
    array = data.asnumpy() if hasattr(data, "asnumpy") else data
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"For '{owner}', argument 'data' must be a numpy array or a Tensor, but got "
            f"{describe(data)}."
        )
    if array.dtype != np.uint8 or array.ndim != 1:
        raise RuntimeError(
            f"For '{owner}', the data must be 1-D and of type uint8, but got {describe(array)}."
        )
    _write(owner, filename, array.tobytes())


def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Write an image to a JPEG file.

    Args:
        filename (str): the file.
        image (Union[numpy.ndarray, Tensor]): uint8 of shape (H, W), (H, W, 1) or (H, W, 3), RGB.
        quality (int, optional): within [1, 100]. Default: ``75``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the image is of another type or shape, `quality` out of range, or the file
            cannot be written.

    Difference from PyTorch: as ``torchvision.io.write_jpeg``, with the channels last.

    Source: behavior observed in MindSpore 2.10.
    """
    owner = "vision.write_jpeg"
    _path(owner, filename)
    level = _whole(owner, "quality", quality, 1, 100)
    _write(owner, filename, _encoded(owner, image, format="JPEG", quality=level).tobytes())


def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Write an image to a PNG file.

    Args:
        filename (str): the file.
        image (Union[numpy.ndarray, Tensor]): uint8 of shape (H, W), (H, W, 1) or (H, W, 3), RGB.
        compression_level (int, optional): within [0, 9]. Default: ``6``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the image is of another type or shape, the level out of range, or the file
            cannot be written.

    Difference from PyTorch: as ``torchvision.io.write_png``, with the channels last.

    Source: behavior observed in MindSpore 2.10.
    """
    owner = "vision.write_png"
    _path(owner, filename)
    level = _whole(owner, "compression_level", compression_level, 0, 9)
    _write(owner, filename, _encoded(owner, image, format="PNG", compress_level=level).tobytes())


# --- video ----------------------------------------------------------------------------------------


def no_video(path: str) -> NoReturn:
    """Raise the error of what would decode a video.

    Raises:
        NotImplementedError: always.
    """
    raise missing_feature(
        f"'dataset.vision.{path}'",
        "agar has no video decoder",
        "read frames with PyAV, torchcodec or OpenCV in a generator and give it to "
        "GeneratorDataset",
    )


class DecodeParams:
    """What MindSpore's video decoder for Ascend chips is given; a plain record.

    Args:
        container (object): the opened file.
        start_offset (int): the first frame's time.
        end_offset (int): the last frame's time.
        stream (object): the stream within the file.
    """

    def __init__(self, container: Any, start_offset: Any, end_offset: Any, stream: Any) -> None:
        self.container = container
        self.start_offset = start_offset
        self.end_offset = end_offset
        self.stream = stream


class VideoFrameDvpp:
    """A frame of MindSpore's video decoder for Ascend chips; a plain record.

    Args:
        dts (int, optional): when it is decoded. Default: ``0``.
        pts (int, optional): when it is shown. Default: ``0``.
    """

    positions: int
    frame: np.ndarray

    def __init__(self, dts: int = 0, pts: int = 0) -> None:
        self.dts = dts
        self.pts = pts


class VideoDecoder:
    """Decode a video file, which agar cannot do.

    Args:
        source (str): the file.

    Raises:
        TypeError: `source` is not a str.
        ValueError: the file does not exist.
        NotImplementedError: always, where the argument is right.
    """

    def __init__(self, source: str) -> None:
        Check("vision.VideoDecoder").kind("source", source, str)
        if not os.path.isfile(source):
            raise ValueError(f"For 'vision.VideoDecoder', the file {source!r} does not exist.")
        no_video("VideoDecoder")

    def get_frames_at(self, indices: list[int]) -> np.ndarray:
        """Decode frames by their positions; not available.

        Args:
            indices (list[int]): the positions of the frames, from 0.

        Raises:
            NotImplementedError: always.
        """
        no_video("VideoDecoder.get_frames_at")

    @property
    def metadata(self) -> dict[str, Any]:
        """What the file says of itself; not available.

        Raises:
            NotImplementedError: always.
        """
        no_video("VideoDecoder.metadata")


def _video_file(owner: str, filename: Any, pts_unit: Any) -> None:
    check = Check(owner)
    check.kind("filename", filename, str)
    check.choice("pts_unit", pts_unit, ("pts", "sec"))
    if not os.path.isfile(filename):
        raise ValueError(f"For '{owner}', the file {filename!r} does not exist or is not a file.")


def read_video(
    filename: str, start_pts: Any = 0, end_pts: Any = None, pts_unit: str = "pts"
) -> NoReturn:
    """Read the frames, sound and metadata of a video file, which agar cannot do.

    Args:
        filename (str): the file.
        start_pts (Union[float, Fraction, int], optional): from when on. Default: ``0``.
        end_pts (Union[float, Fraction, int], optional): until when. Default: ``None``, the end.
        pts_unit (str, optional): ``"pts"`` or ``"sec"``. Default: ``"pts"``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the file does not exist.
        NotImplementedError: always, where the arguments are right.
    """
    owner = "vision.read_video"
    check = Check(owner)
    check.kind("start_pts", start_pts, float, Fraction, int)
    if start_pts < 0:
        check.wrong_value("start_pts", start_pts, "at least 0")
    if end_pts is not None:
        check.kind("end_pts", end_pts, float, Fraction, int)
        if end_pts < start_pts:
            check.wrong_value("end_pts", end_pts, f"at least start_pts, {start_pts}")
    _video_file(owner, filename, pts_unit)
    no_video("read_video")


def read_video_timestamps(filename: str, pts_unit: str = "pts") -> NoReturn:
    """Read the times of the frames of a video, which agar cannot do.

    Args:
        filename (str): the file.
        pts_unit (str, optional): ``"pts"`` or ``"sec"``. Default: ``"pts"``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `pts_unit` is another, or the file does not exist.
        NotImplementedError: always, where the arguments are right.
    """
    _video_file("vision.read_video_timestamps", filename, pts_unit)
    no_video("read_video_timestamps")
