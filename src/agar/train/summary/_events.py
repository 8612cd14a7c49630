"""Event files as TensorBoard reads them: the messages in their records.

A message is an ``Event`` of TensorFlow's, of which only a few fields are used; they are declared
here, so that TensorFlow need not be there.
"""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import numpy as np

from agar._core.messages import message_classes

__all__ = ["event", "histogram", "image", "scalar", "tensor", "text"]

_COLUMNS = 8  # images in a row
_MOST_BINS = 90

# numpy's types as TensorFlow's protobuf numbers them
_TYPES = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
_STRING = 7


@cache
def _messages() -> Any:
    """The messages, as far as they are used."""
    return message_classes(
        "agar.events",
        {
            "Event": {
                "wall_time": (1, "double"),
                "step": (2, "int64"),
                "file_version": (3, "string"),
                "summary": (5, "Summary"),
            },
            "Summary": {"value": (1, "repeated Value")},
            "Value": {
                "tag": (1, "string"),
                "simple_value": (2, "float"),
                "image": (4, "Image"),
                "histo": (5, "Histogram"),
                "tensor": (8, "Tensor"),
                "metadata": (9, "Metadata"),
            },
            "Image": {
                "height": (1, "int32"),
                "width": (2, "int32"),
                "colorspace": (3, "int32"),
                "encoded_image_string": (4, "bytes"),
            },
            "Histogram": {
                "min": (1, "double"),
                "max": (2, "double"),
                "num": (3, "double"),
                "sum": (4, "double"),
                "sum_squares": (5, "double"),
                "bucket_limit": (6, "packed double"),
                "bucket": (7, "packed double"),
            },
            "Tensor": {
                "dtype": (1, "int32"),
                "tensor_shape": (2, "Shape"),
                "tensor_content": (4, "bytes"),
                "string_val": (8, "repeated bytes"),
            },
            "Shape": {"dim": (2, "repeated Dim")},
            "Dim": {"size": (1, "int64")},
            "Metadata": {"plugin_data": (1, "Plugin")},
            "Plugin": {"plugin_name": (1, "string")},
        },
    )


def event(
    wall_time: float, step: int = 0, *, version: str | None = None, values: tuple[Any, ...] = ()
) -> bytes:
    """An event: the version that a file begins with, or the values of one step."""
    message = _messages()["Event"](wall_time=wall_time, step=step)
    if version is not None:
        message.file_version = version
    else:
        message.summary.value.extend(values)
        message.summary.SetInParent()
    return message.SerializeToString()


def _value(name: str, **content: Any) -> Any:
    return _messages()["Value"](tag=name, **content)


def scalar(name: str, value: np.ndarray) -> Any:
    """The value of one number."""
    return _value(name, simple_value=float(value.reshape(-1)[0].real))


def _shape(sizes: tuple[int, ...]) -> dict[str, Any]:
    return {"dim": [{"size": size} for size in sizes]}


def tensor(name: str, value: np.ndarray) -> Any:
    """The value of a whole tensor."""
    if value.dtype.name not in _TYPES:
        value = value.astype(np.float32)  # such as bfloat16
    raw = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()
    content = {
        "dtype": _TYPES[value.dtype.name],
        "tensor_shape": _shape(value.shape),
        "tensor_content": raw,
    }
    return _value(name, tensor=content)


def text(name: str, value: str) -> Any:
    """The value of a text."""
    content = {"dtype": _STRING, "tensor_shape": _shape((1,)), "string_val": [value.encode()]}
    return _value(name, tensor=content, metadata={"plugin_data": {"plugin_name": "text"}})


def _bins(count: int) -> int:
    """How many bins so many numbers get: about ten numbers to a bin, and not too many bins."""
    if count <= 10:
        return 2 if count <= 5 else 3
    return count // 10 + 1 if count <= 10 * (_MOST_BINS - 2) else _MOST_BINS


def histogram(name: str, value: np.ndarray) -> Any:
    """The value of a distribution; numbers that are infinite or not a number are left out."""
    numbers = value.astype(np.float64).reshape(-1)
    numbers = numbers[np.isfinite(numbers)]
    if not numbers.size:
        return _value(name, histo={})
    low, high = float(numbers.min()), float(numbers.max())
    ends = (low, high) if low < high else (low - 0.5, high + 0.5)
    counts, edges = np.histogram(numbers, bins=_bins(numbers.size), range=ends)
    content = {
        "min": low,
        "max": high,
        "num": numbers.size,
        "sum": float(numbers.sum()),
        "sum_squares": float(np.square(numbers).sum()),
        "bucket_limit": edges[1:].tolist(),
        "bucket": counts.tolist(),
    }
    return _value(name, histo=content)


def _canvas(images: np.ndarray) -> np.ndarray:
    """A batch of images, (N, C, H, W), as one image, (H, W, 3), of rows of eight."""
    count, channels, height, width = images.shape
    if channels == 1:
        images = np.repeat(images, 3, axis=1)
    columns = min(count, _COLUMNS)
    rows = -(-count // columns)
    canvas = np.zeros((rows * height, columns * width, 3), images.dtype)
    for i, one in enumerate(images):
        top, left = i // columns * height, i % columns * width
        canvas[top : top + height, left : left + width] = one.transpose(1, 2, 0)
    return canvas


def _pixels(canvas: np.ndarray) -> np.ndarray:
    """Bytes: those given, or numbers of 0 to 1 stretched, or any numbers stretched."""
    if canvas.dtype == np.uint8:
        return canvas
    numbers = canvas.astype(np.float64)
    low, high = numbers.min(), numbers.max()
    if low >= 0 and high <= 1:
        return (numbers * 255).astype(np.uint8)
    scale = 255 / (high - low + 1) if high != low else 1.0
    return ((numbers - low) * scale).astype(np.uint8)


def _png(pixels: np.ndarray) -> bytes:
    from PIL import Image  # here, so that a run without images does not load it

    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


def image(name: str, value: np.ndarray) -> Any:
    """The value of a batch of images of one or three channels, as one picture."""
    pixels = _pixels(_canvas(value))
    height, width, channels = pixels.shape
    content = {
        "height": height,
        "width": width,
        "colorspace": channels,
        "encoded_image_string": _png(pixels),
    }
    return _value(name, image=content)


#: how values of each kind are encoded
ENCODERS: dict[str, Any] = {
    "scalar": scalar,
    "tensor": tensor,
    "histogram": histogram,
    "image": image,
}
