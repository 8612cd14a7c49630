"""MATLAB files of level 5, as MATLAB writes them."""

from __future__ import annotations

import struct
import zlib

import numpy as np

__all__ = ["mat_array", "mat_file", "mat_packed"]


def _element(order: str, kind: int, content: bytes) -> bytes:
    return struct.pack(f"{order}II", kind, len(content)) + content + bytes(-len(content) % 8)


def mat_array(
    order: str, name: bytes, values: np.ndarray, stored: int, kind: int, flags: int = 0
) -> bytes:
    """An array of class ``kind``, its numbers of type ``stored``; ``order`` is ``<`` or ``>``."""
    parts = _element(order, 6, struct.pack(f"{order}II", flags << 8 | kind, 0))
    parts += _element(order, 5, struct.pack(f"{order}{values.ndim}i", *values.shape))
    # a name of at most four letters lies in the head of its element
    if len(name) <= 4:
        parts += struct.pack(f"{order}I", len(name) << 16 | 1) + name.ljust(4, b"\0")
    else:
        parts += _element(order, 1, name)
    parts += _element(order, stored, values.tobytes(order="F"))
    return _element(order, 14, parts)


def mat_packed(order: str, element: bytes) -> bytes:
    """A compressed element."""
    content = zlib.compress(element)
    return struct.pack(f"{order}II", 15, len(content)) + content


def mat_file(order: str, *elements: bytes) -> bytes:
    """The file of these elements."""
    version = struct.pack(f"{order}HH", 0x0100, 0x4D49)
    return b"MATLAB 5.0 MAT-file".ljust(124) + version + b"".join(elements)
