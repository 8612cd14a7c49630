"""MindSpore's encrypted blocks: AES-GCM, AES-CBC and SM4-CBC, with the library cryptography.

A file is cut into blocks of at most 64 MiB. Each becomes, with numbers of four bytes, low byte
first:

    mark, [tag of 16 bytes, for GCM], length of what follows, length of the vector, the vector,
    length of the data, the data

NOTE The vector of GCM has 16 bytes, of which the first 12 are used, as MindSpore does. CBC has no
tag: of a wrong key the padding tells, and the parser of what comes out.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "BLOCK_BYTES",
    "MODES",
    "DecryptionError",
    "check_key",
    "decrypted",
    "encrypted",
    "is_encrypted",
]

BLOCK_BYTES = 64 << 20
_MARKS = {
    "AES-GCM": b"\xd8\x5e\x3a\x7f",
    "AES-CBC": b"\xd9\x5e\x3a\x7f",
    "SM4-CBC": b"\xda\x5e\x3a\x7f",
}
MODES = tuple(_MARKS)
_TAG = _VECTOR = 16
_NONCE = 12
_KEYS = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}


class DecryptionError(ValueError):
    """Data were not encrypted in this way, or with another key, or are damaged."""


def is_encrypted(start: bytes) -> bool:
    """Whether a file with this beginning is one of encrypted blocks."""
    return start[:4] in _MARKS.values()


def check_key(owner: str, key: bytes, mode: str) -> None:
    """Refuse a key or a mode that cannot be used, and a library that is missing.

    Raises:
        ValueError: the mode is none, or the key has another length.
        ImportError: the library is not installed.
    """
    if mode not in _KEYS:
        raise ValueError(f"For '{owner}', the mode must be one of {list(MODES)}, but got {mode!r}.")
    if len(key) not in _KEYS[mode]:
        sizes = " or ".join(map(str, _KEYS[mode]))
        raise ValueError(
            f"For '{owner}', the key of {mode} must have {sizes} bytes, but has {len(key)}."
        )
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"For '{owner}', encryption needs the package cryptography: pip install cryptography, "
            "or agar-ms[encryption]."
        ) from error


def _cbc(key: bytes, mode: str, vector: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    kind: Callable[[bytes], Any] = algorithms.AES if mode == "AES-CBC" else algorithms.SM4
    return Cipher(kind(key), modes.CBC(vector))


def encrypted(data: bytes, key: bytes, mode: str) -> bytes:
    """One block of at most `BLOCK_BYTES`."""
    vector = os.urandom(_VECTOR)
    tag = b""
    if mode == "AES-GCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        result = AESGCM(key).encrypt(vector[:_NONCE], data, None)
        result, tag = result[:-_TAG], result[-_TAG:]
    else:
        missing = _VECTOR - len(data) % _VECTOR
        encryptor = _cbc(key, mode, vector).encryptor()
        result = encryptor.update(data + bytes([missing]) * missing) + encryptor.finalize()
    inner = struct.pack("<I", _VECTOR) + vector + struct.pack("<I", len(result)) + result
    return _MARKS[mode] + tag + struct.pack("<I", len(inner)) + inner


def decrypted(data: Buffer, key: bytes, mode: str) -> Iterator[bytes]:
    """The content of blocks that follow each other.

    Raises:
        DecryptionError: they are none, or of another mode or key.
    """
    view = memoryview(data)
    position = 0
    while position < len(view):
        if bytes(view[position : position + 4]) != _MARKS[mode]:
            raise DecryptionError(f"at byte {position} no block of {mode} begins")
        position += 4
        tag = b""
        if mode == "AES-GCM":
            tag, position = _taken(view, position, _TAG)
        inner, position = _taken(view, position, _number(view, position), 4)
        vector, place = _taken(inner, 0, _number(inner, 0), 4)
        content, place = _taken(inner, place, _number(inner, place), 4)
        if place != len(inner) or len(vector) != _VECTOR:
            raise DecryptionError("a block is damaged")
        yield _opened(bytes(content), bytes(tag), bytes(vector), key, mode)


def _number(view: Any, position: int) -> int:
    if position + 4 > len(view):
        raise DecryptionError("a block is cut off")
    return int.from_bytes(view[position : position + 4], "little")


def _taken(view: Any, position: int, length: int, before: int = 0) -> tuple[Any, int]:
    start = position + before
    if start + length > len(view):
        raise DecryptionError("a block is cut off")
    return view[start : start + length], start + length


def _opened(content: bytes, tag: bytes, vector: bytes, key: bytes, mode: str) -> bytes:
    if mode == "AES-GCM":
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            return AESGCM(key).decrypt(vector[:_NONCE], content + tag, None)
        except InvalidTag as error:
            raise DecryptionError("the key is another, or a block is damaged") from error
    if not content or len(content) % _VECTOR:
        raise DecryptionError("a block is damaged")
    decryptor = _cbc(key, mode, vector).decryptor()
    result = decryptor.update(content) + decryptor.finalize()
    missing = result[-1]
    if not 1 <= missing <= _VECTOR or result[-missing:] != bytes([missing]) * missing:
        raise DecryptionError("the key is another, or a block is damaged")
    return result[:-missing]
