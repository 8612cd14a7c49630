"""Event files as TensorBoard reads them: records with checksums, and the messages in them.

NOTE Format. A file is a row of records: the length (8 bytes, little-endian), its masked CRC-32C,
the message, its masked CRC-32C. A message is an ``Event`` of protobuf, of which only a few fields
are used; they are encoded here, so that neither TensorFlow nor protobuf has to be loaded.
"""

from __future__ import annotations

import math
import struct
import zlib
from functools import cache
from typing import Any

import numpy as np

__all__ = ["crc32c", "event", "histogram", "image", "record", "scalar", "tensor", "text"]

_BLOCK = 8192  # bytes from which on checksums are computed in lanes
_LANES = 1024  # a power of two
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


# ------------------------------------------------------------------------------- records


@cache
def _table() -> np.ndarray:
    """The register's change by one byte, for every byte."""
    entries = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        entries = np.where(entries & 1, (entries >> 1) ^ np.uint32(0x82F63B78), entries >> 1)
    return entries.astype(np.uint32)


@cache
def _list() -> list[int]:
    return _table().tolist()


def _apply(columns: np.ndarray, registers: np.ndarray) -> np.ndarray:
    """A linear map of registers, given by what it makes of each bit."""
    bits = (registers[:, None] >> np.arange(32, dtype=np.uint32)) & 1
    return np.bitwise_xor.reduce(np.where(bits == 1, columns, np.uint32(0)), axis=1)


def _zeros(count: int) -> np.ndarray:
    """The map that ``count`` bytes of zero are, by repeated squaring."""
    bits = np.uint32(1) << np.arange(32, dtype=np.uint32)
    result, power = bits, _table()[bits & 0xFF] ^ (bits >> 8)
    while count:
        if count & 1:
            result = _apply(power, result)
        power = _apply(power, power)
        count >>= 1
    return result


def crc32c(data: bytes) -> int:
    """The CRC-32C (Castagnoli) of bytes.

    Python is slow byte by byte, so long data are cut into lanes that numpy takes at once; the
    register is linear, so two lanes are joined by moving the first over the length of the second.
    """
    register = 0xFFFFFFFF
    if len(data) >= _BLOCK:
        length = len(data) // _LANES
        lanes = np.frombuffer(data, np.uint8, _LANES * length).reshape(_LANES, length)
        state = np.zeros(_LANES, np.uint32)
        state[0] = register
        for column in lanes.T:
            state = _table()[(state ^ column) & 0xFF] ^ (state >> 8)
        shift = _zeros(length)
        while len(state) > 1:
            state = _apply(shift, state[::2]) ^ state[1::2]
            shift = _apply(shift, shift)
        register, data = int(state[0]), data[_LANES * length :]
    table = _list()
    for byte in data:
        register = table[(register ^ byte) & 0xFF] ^ (register >> 8)
    return register ^ 0xFFFFFFFF


def _checksum(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def record(message: bytes) -> bytes:
    """A message as it stands in a file (NOTE Format)."""
    length = struct.pack("<Q", len(message))
    return length + _checksum(length) + message + _checksum(message)


# ------------------------------------------------------------------------------ messages


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _int(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _double(number: int, value: float) -> bytes:
    return _varint(number << 3 | 1) + struct.pack("<d", value)


def _bytes(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def event(
    wall_time: float, step: int = 0, *, version: str | None = None, values: tuple[bytes, ...] = ()
) -> bytes:
    """An event: the version that a file begins with, or the values of one step."""
    message = _double(1, wall_time) + _int(2, step)
    if version is not None:
        return message + _bytes(3, version.encode())
    return message + _bytes(5, b"".join(_bytes(1, v) for v in values))


def _tag(name: str) -> bytes:
    return _bytes(1, name.encode())


def scalar(name: str, value: np.ndarray) -> bytes:
    """The value of one number."""
    number = float(value.reshape(-1)[0].real)
    try:
        packed = struct.pack("<f", number)
    except OverflowError:
        packed = struct.pack("<f", math.copysign(math.inf, number))
    return _tag(name) + _varint(2 << 3 | 5) + packed


def _shape(sizes: tuple[int, ...]) -> bytes:
    return _bytes(2, b"".join(_bytes(2, _int(1, size)) for size in sizes))


def tensor(name: str, value: np.ndarray) -> bytes:
    """The value of a whole tensor."""
    if value.dtype.name not in _TYPES:
        value = value.astype(np.float32)  # such as bfloat16
    raw = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False).tobytes()
    proto = _int(1, _TYPES[value.dtype.name]) + _shape(value.shape) + _bytes(4, raw)
    return _tag(name) + _bytes(8, proto)


def text(name: str, value: str) -> bytes:
    """The value of a text."""
    proto = _int(1, _STRING) + _shape((1,)) + _bytes(8, value.encode())
    metadata = _bytes(1, _bytes(1, b"text"))
    return _tag(name) + _bytes(8, proto) + _bytes(9, metadata)


def _bins(count: int) -> int:
    """How many bins so many numbers get: about ten numbers to a bin, and not too many bins."""
    if count <= 10:
        return 2 if count <= 5 else 3
    return count // 10 + 1 if count <= 10 * (_MOST_BINS - 2) else _MOST_BINS


def histogram(name: str, value: np.ndarray) -> bytes:
    """The value of a distribution; numbers that are infinite or none are left out."""
    numbers = value.astype(np.float64).reshape(-1)
    numbers = numbers[np.isfinite(numbers)]
    if not numbers.size:
        return _tag(name) + _bytes(5, b"")
    low, high = float(numbers.min()), float(numbers.max())
    ends = (low, high) if low < high else (low - 0.5, high + 0.5)
    counts, edges = np.histogram(numbers, bins=_bins(numbers.size), range=ends)
    parts = (low, high, numbers.size, numbers.sum(), np.square(numbers).sum())
    message = b"".join(_double(i, float(part)) for i, part in enumerate(parts, 1))
    message += _bytes(6, edges[1:].astype("<f8").tobytes())
    message += _bytes(7, counts.astype("<f8").tobytes())
    return _tag(name) + _bytes(5, message)


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
    height, width, _ = pixels.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    # each line begins with its filter, of which 0 is none
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(lines.tobytes())
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def image(name: str, value: np.ndarray) -> bytes:
    """The value of a batch of images of one or three channels, as one picture."""
    pixels = _pixels(_canvas(value))
    height, width, channels = pixels.shape
    message = _int(1, height) + _int(2, width) + _int(3, channels) + _bytes(4, _png(pixels))
    return _tag(name) + _bytes(4, message)


#: how values of each kind are encoded
ENCODERS: dict[str, Any] = {
    "scalar": scalar,
    "tensor": tensor,
    "histogram": histogram,
    "image": image,
}
