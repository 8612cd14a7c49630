"""The records of TFRecord and event files: lengths and checksums around each message.

NOTE Format. A record is the length of the message (8 bytes, little-endian), its checksum, the
message, its checksum. Checksums are CRC-32C, rotated and shifted ("masked").

NOTE Speed. Python takes 0.1 us a byte, too long for images. CRC is linear: without its first and
last inversion, that of a whole is the sum of those of its parts, each moved on by the bytes behind
it. So numpy takes parts of 64 bytes side by side and joins them by pairs; moving on by 64 * 2**k
bytes is four look-ups.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from agar._core.messages import message_classes, parsed

__all__ = ["crc32c", "example", "record", "records"]

_PART = 64
#: below this many bytes Python's own loop is faster
_SMALL = 2048


@functools.cache
def _table() -> np.ndarray:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ 0x82F63B78, table >> 1).astype(np.uint32)
    return table


@functools.cache
def _listed_table() -> tuple[int, ...]:
    return tuple(_table().tolist())


@functools.cache
def _wide_table() -> np.ndarray:
    """The table of two bytes at a time."""
    table = _table()
    values = np.arange(1 << 16, dtype=np.uint32)
    for _ in range(2):
        values = table[values & 0xFF] ^ values >> 8
    return values


@functools.cache
def _moved(level: int) -> np.ndarray:
    """Tables (4, 256) that move a checksum on by ``64 * 2**level`` bytes of zeros."""
    values = np.arange(256, dtype=np.uint32) << (8 * np.arange(4, dtype=np.uint32))[:, None]
    if level:
        before = _moved(level - 1)
        return _move(before, _move(before, values))
    table = _table()
    for _ in range(_PART):
        values = table[values & 0xFF] ^ values >> 8
    return values


def _move(tables: np.ndarray, values: np.ndarray) -> np.ndarray:
    return (
        tables[0][values & 0xFF]
        ^ tables[1][values >> 8 & 0xFF]
        ^ tables[2][values >> 16 & 0xFF]
        ^ tables[3][values >> 24]
    )


def crc32c(data: bytes) -> int:
    """The CRC-32C of bytes."""
    if len(data) < _SMALL:
        table, value = _listed_table(), 0xFFFFFFFF
        for byte in data:
            value = table[(value ^ byte) & 0xFF] ^ value >> 8
        return value ^ 0xFFFFFFFF
    count = -(-len(data) // _PART)
    # zeros before the first byte change nothing if it begins with zero; the inversion of the start
    # is that of the first four bytes
    held = np.zeros(count * _PART, np.uint8)
    held[-len(data) :] = np.frombuffer(data, np.uint8)
    held[len(held) - len(data) :][:4] ^= 0xFF
    columns = np.ascontiguousarray(held.view("<u2").reshape(count, _PART // 2).T)
    table = _wide_table()
    values = np.zeros(count, np.uint32)
    for column in columns:
        values = table.take(values & 0xFFFF ^ column) ^ values >> 16
    level = 0
    while len(values) > 1:
        if len(values) % 2:
            values = np.concatenate([np.zeros(1, np.uint32), values])
        values = _move(_moved(level), values[::2]) ^ values[1::2]
        level += 1
    return int(values[0]) ^ 0xFFFFFFFF


def _masked(value: int) -> int:
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(message: bytes) -> bytes:
    """A message as it stands in a file (NOTE Format)."""
    length = struct.pack("<Q", len(message))
    checksums = [struct.pack("<I", _masked(crc32c(part))) for part in (length, message)]
    return length + checksums[0] + message + checksums[1]


def _is_whole(data: bytes, place: int, record: bytes, end: int) -> bool:
    """Whether a record has its two checksums: of its length and of its content.

    Small writers leave both zero; such files hold no checksums.
    """
    of_length = int.from_bytes(data[place + 8 : place + 12], "little")
    of_record = int.from_bytes(data[end : end + 4], "little")
    if not of_length and not of_record:
        return True
    return (
        _masked(crc32c(data[place : place + 8])) == of_length
        and _masked(crc32c(record)) == of_record
    )


def records(owner: str, file: str, data: bytes) -> Iterator[bytes]:
    """The records of a file's bytes; each has its length and two checksums around it.

    Raises:
        RuntimeError: the bytes are not records, are cut off or damaged.
    """
    place = 0
    while place < len(data):
        size = int.from_bytes(data[place : place + 8], "little")
        end = place + 12 + size
        if end + 4 > len(data):
            raise RuntimeError(
                f"For '{owner}', {file} is not a TFRecord file, is cut off, or is compressed "
                "(compression_type)."
            )
        entry = data[place + 12 : end]
        if not _is_whole(data, place, entry, end):
            raise RuntimeError(
                f"For '{owner}', {file} is damaged: the record at byte {place} has another "
                "checksum. Restore the file from its source."
            )
        yield entry
        place = end + 4


@functools.cache
def _example_class() -> Any:
    """TensorFlow's ``Example``; a map is a list of pairs on the wire."""
    classes = message_classes(
        "agar.example",
        {
            "Example": {"features": (1, "Features")},
            "Features": {"feature": (1, "repeated Entry")},
            "Entry": {"key": (1, "bytes"), "value": (2, "Feature")},
            "Feature": {
                "bytes_list": (1, "Bytes"),
                "float_list": (2, "Floats"),
                "int64_list": (3, "Ints"),
            },
            "Bytes": {"value": (1, "repeated bytes")},
            "Floats": {"value": (1, "packed float")},
            "Ints": {"value": (1, "packed int64")},
        },
    )
    return classes["Example"]


def example(data: bytes) -> dict[str, tuple[int, list[Any]]]:
    """The features of a serialized ``tf.train.Example``: kind and elements by name."""
    features = {}
    for entry in parsed(_example_class(), data).features.feature:
        for kind, values in entry.value.ListFields():
            features[entry.key.decode("utf-8")] = (kind.number, list(values.value))
    return features
