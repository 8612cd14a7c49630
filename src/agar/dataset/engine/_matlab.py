"""Numeric arrays of MATLAB's level 5 files (``.mat``), read without SciPy.

NOTE Why a reader of our own. SciPy's parser follows nested cells and structures and takes sizes as
they stand, so a damaged file can end the process. Here only plain numeric arrays with an expected
name are read, every size is compared with the bytes that are there, and nothing is nested.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Collection, Iterator

import numpy as np

from agar._core.file_reading import MAX_EXPANSION

__all__ = ["read_arrays"]

_HEADER = 128
_MATRIX, _COMPRESSED = 14, 15
#: numbers of a data element's type
_STORED = {
    1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8",
}  # fmt: skip
#: types of a name: signed and unsigned bytes, UTF-8
_TEXTS = (1, 2, 16)
#: classes of arrays with flags, shape and name; plain numbers are double, single and the integers
_ARRAYS = range(1, 16)
_NUMERIC = range(6, 16)
_COMPLEX = 0x08
#: an array of more dimensions is not what a data set holds
_MAX_RANK = 32


def read_arrays(path: str, names: Collection[str]) -> dict[str, np.ndarray]:
    """The numeric arrays of a MATLAB level 5 file, with the types in which they are stored.

    Args:
        path (str): the file.
        names (collection): the arrays that are read; everything else is left alone.

    Returns:
        dict of name and array, one for each of `names`.

    Raises:
        ValueError: the file is damaged or of another format, or lacks one of the names, or the
            array of a name is not a plain numeric one.
        OSError: it cannot be opened.
    """
    with open(path, "rb") as stream:
        data = stream.read()
    if len(data) < _HEADER:
        raise ValueError(f"a MATLAB file has a header of {_HEADER} bytes, this one {len(data)}")
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None or data[:4] == b"\0\0\0\0":
        raise ValueError(
            "it is not a MATLAB file of level 5; save it in MATLAB with the option -v7"
        )
    out: dict[str, np.ndarray] = {}
    for kind, content in _elements(memoryview(data)[_HEADER:], order, packed=True):
        if kind == _COMPRESSED:
            kind, content = _unpacked(content, order)
        if kind != _MATRIX:
            raise ValueError(f"an element of type {kind} stands where an array is expected")
        parts = _elements(content, order)
        described = _described(parts, order)
        if described is None:
            continue
        flags, shape, name = described
        if name not in names:
            continue
        if name in out:
            raise ValueError(f"it has two arrays with the name {name}")
        if flags[0] not in _NUMERIC or flags[1] & _COMPLEX:
            raise ValueError(f"{name} is not an array of real numbers")
        out[name] = _numbers(parts, shape, name, order)
    missing = [name for name in names if name not in out]
    if missing:
        raise ValueError(f"it has no array with the name {missing[0]}")
    return out


def _elements(
    data: memoryview, order: str, packed: bool = False
) -> Iterator[tuple[int, memoryview]]:
    """The data elements that follow each other: type and content.

    Args:
        data: the bytes.
        order: ``<`` or ``>``, the order of bytes in a number.
        packed: they are those of the file itself, where compressed ones end without padding.
    """
    at = 0
    while at < len(data):
        if len(data) - at < 8:
            raise ValueError("it is cut off inside the head of an element")
        kind, size = struct.unpack_from(f"{order}II", data, at)
        start = at + 8
        if kind >> 16:  # up to four bytes lie in the head itself
            kind, size, start = kind & 0xFFFF, kind >> 16, at + 4
            if size > 4:
                raise ValueError(f"a small element has {size} bytes, and 4 are possible")
        if size > len(data) - start:
            raise ValueError(
                f"it is cut off or damaged: an element has {size} bytes, but "
                f"{len(data) - start} follow"
            )
        yield kind, data[start : start + size]
        at = start + size
        if not (packed and kind == _COMPRESSED):
            at += -at % 8


def _unpacked(content: memoryview, order: str) -> tuple[int, memoryview]:
    """The one element in a compressed one."""
    unpacker = zlib.decompressobj()
    limit = MAX_EXPANSION * len(content)
    try:
        data = unpacker.decompress(content, limit + 1)
    except zlib.error as error:
        raise ValueError(f"a compressed element is damaged: {error}") from error
    if len(data) > limit or not unpacker.eof:
        raise ValueError("a compressed element is cut off or damaged")
    (value,) = _elements(memoryview(data), order)
    return value


def _described(
    parts: Iterator[tuple[int, memoryview]], order: str
) -> tuple[tuple[int, int], tuple[int, ...], str] | None:
    """Class and flags, shape and name: the first three elements of an array.

    None for an object of MATLAB's newer classes, which has other elements.
    """
    kind, flags = next(parts, (0, memoryview(b"")))
    if kind != 6 or len(flags) != 8:
        raise ValueError("an array does not begin with its flags")
    (word,) = struct.unpack_from(f"{order}I", flags)
    if word & 0xFF not in _ARRAYS:
        return None
    kind, sizes = next(parts, (0, memoryview(b"")))
    if kind != 5 or len(sizes) % 4 or not 8 <= len(sizes) <= 4 * _MAX_RANK:
        raise ValueError(f"the shape of an array is of type {kind} and has {len(sizes)} bytes")
    shape = struct.unpack(f"{order}{len(sizes) // 4}i", sizes)
    if min(shape) < 0:
        raise ValueError(f"an array has the shape {list(shape)}")
    kind, name = next(parts, (0, memoryview(b"")))
    if kind not in _TEXTS:
        raise ValueError(f"the name of an array is of type {kind}")
    return (word & 0xFF, word >> 8 & 0xFF), shape, bytes(name).decode("latin-1")


def _numbers(
    parts: Iterator[tuple[int, memoryview]], shape: tuple[int, ...], name: str, order: str
) -> np.ndarray:
    kind, content = next(parts, (0, memoryview(b"")))
    if kind not in _STORED:
        raise ValueError(f"the numbers of {name} are of the unknown type {kind}")
    dtype = np.dtype(order + _STORED[kind])
    # numpy's product of sizes wraps around
    count = math.prod(shape)
    if count * dtype.itemsize != len(content):
        raise ValueError(
            f"{name} has {list(shape)} values of {dtype.itemsize} bytes, but {len(content)} bytes "
            "follow"
        )
    value = np.frombuffer(content, dtype).reshape(shape, order="F")
    return value.astype(dtype.newbyteorder("="), copy=False)
