"""MindSpore's ``.ckpt`` files: named tensors and strings in the protobuf wire format.

A file is a sequence of entries, each one field of the message below; a 17-byte checksum may follow.

    message Checkpoint  { repeated Value value = 1; }
    message Value       { string tag = 1; TensorProto tensor = 2; MapTensorProto maptensor = 3; }
    message TensorProto { repeated int64 dims = 1; string tensor_type = 2;
                          bytes tensor_content = 3; bytes padding = 15; }

``padding`` is agar's: before the content of a large tensor it fills up to the next multiple of 64
bytes, so that the tensor can be used where it lies in the mapped file. Other readers skip a field
that they do not know. Files without large tensors are MindSpore's to the byte.

The protobuf library cannot hold a message above 2 GiB and copies contents twice, so this module
walks the entries itself, hands the library the few bytes around each content, and never copies a
content that it can use in place. Everything a file claims is checked against its size first.
"""

from __future__ import annotations

import functools
import math
import mmap
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

# A codec is about raw tensors; agar's Tensor and Parameter are made by its caller.
import torch

from agar._core.dtype import FROM_TORCH
from agar._core.encryption import BLOCK_BYTES, DecryptionError, decrypted, encrypted
from agar._core.messages import message_classes, parsed
from agar.train._checkpoint_file import (
    MAP_BYTES,
    CheckpointFileError,
    checked,
    dense,
    raw_bytes,
    unique,
    writing,
)

# The wire types, and the keys (number * 8 + wire type) of the fields of which the library sees
# nothing. The keys are below 128, so one byte each.
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_VALUE = 1 << 3 | _BYTES
_TENSOR = 2 << 3 | _BYTES
_MAP_TENSOR = 3 << 3 | _BYTES
_CONTENT = 3 << 3 | _BYTES
_PADDING = 15 << 3 | _BYTES

# MindSpore cuts contents above this size into entries of the same tag, to stay below 2 GiB.
SLICE_BYTES = 512 << 20
_ALIGNMENT = 64

_CRC_MARK = b"crc_num"
_CRC_BYTES = 10
_TAIL = len(_CRC_MARK) + _CRC_BYTES

# Bounds that keep a hostile file from taking much more memory than it has bytes; real files have
# some thousand entries, whose names and shapes take some hundred bytes.
_MAX_ENTRIES = 1 << 20
_HEAD_BYTES = 1 << 16
_MAX_RANK = 64

_STR = "str"
_TORCH_TYPES = {str(type_): torch_dtype for torch_dtype, type_ in FROM_TORCH.items()}
_ENCRYPTED = {
    b"\xd8\x5e\x3a\x7f": "AES-GCM",
    b"\xd9\x5e\x3a\x7f": "AES-CBC",
    b"\xda\x5e\x3a\x7f": "SM4-CBC",
}


class Entry(NamedTuple):
    """One named value of a file, before its content is read.

    ``dtype`` is MindSpore's name of the type (``"Float32"``, ``"str"``); ``spans`` are the offset
    and length of each piece of the content in the file.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def nbytes(self) -> int:
        """The size of the content."""
        return sum(length for _, length in self.spans)


def write(
    path: str | os.PathLike[str],
    entries: Iterable[tuple[str, torch.Tensor | str]],
    *,
    crc: bool = False,
    key: tuple[bytes, str] | None = None,
) -> None:
    """Write a ``.ckpt`` file, or leave the previous one untouched.

    Args:
        path: the file; its directory must exist.
        entries: names and values in file order, taken one by one.
        crc: append the CRC-32 of the file.
        key: encrypt the file with this key and mode.

    Raises:
        ValueError: a name occurs twice, or a text cannot be encoded.
        TypeError: a name or a value has the wrong type, or the dtype is none of MindSpore's.
    """
    if key is not None:
        _write_encrypted(path, entries, *key)
        return
    with writing(path) as file:
        checksum = 0
        for count, (name, value) in enumerate(unique(entries)):
            if count == _MAX_ENTRIES:
                raise ValueError(f"A checkpoint can hold {_MAX_ENTRIES} values, not more.")
            for part in _encode(name, value, file.position):
                file.write(part)
                if crc:
                    checksum = zlib.crc32(part, checksum)
        if crc:
            file.write(_CRC_MARK + checksum.to_bytes(_CRC_BYTES, "big"))


def _write_encrypted(
    path: str | os.PathLike[str],
    entries: Iterable[tuple[str, torch.Tensor | str]],
    key: bytes,
    mode: str,
) -> None:
    """Write the blocks of an encrypted file, each as soon as it is full."""
    with writing(path) as file:
        waiting = bytearray()
        position = 0
        for count, (name, value) in enumerate(unique(entries)):
            if count == _MAX_ENTRIES:
                raise ValueError(f"A checkpoint can hold {_MAX_ENTRIES} values, not more.")
            for part in _encode(name, value, position):
                waiting += part
                position += len(part)
                while len(waiting) >= BLOCK_BYTES:
                    file.write(encrypted(bytes(waiting[:BLOCK_BYTES]), key, mode))
                    del waiting[:BLOCK_BYTES]
        if waiting:
            file.write(encrypted(bytes(waiting), key, mode))


def read(
    path: str | os.PathLike[str],
    *,
    crc: bool = False,
    copy: bool = False,
    key: tuple[bytes, str] | None = None,
) -> Iterator[tuple[str, torch.Tensor | str]]:
    """Read a ``.ckpt`` file, in file order.

    The structure of the whole file is checked before this returns. Tensors of 64 KiB and more
    that lie at a multiple of their item size are private views of the mapped file: they take
    memory as they are used, writing to them does not change the file, and replacing the file (as
    `write` does) does not change them. Overwriting or truncating the file in place would; pass
    ``copy=True`` where that may happen.

    Args:
        path: the file.
        crc: verify the checksum; a file without one is accepted.
        copy: read every tensor into memory of its own.
        key: decrypt the file with this key and mode.

    Raises:
        CheckpointFileError: the content is damaged or not understood (a ValueError).
        OSError: the file is missing or cannot be read.
    """
    # Copy-on-write: torch wants writable memory, and writes must never reach the file.
    data, entries = _open(path, mmap.ACCESS_COPY, crc, key)
    return ((entry.name, _value(path, data, entry, copy)) for entry in entries)


def read_names(path: str | os.PathLike[str]) -> list[Entry]:
    """List what a ``.ckpt`` file holds without reading any content.

    Args:
        path: the file.

    Raises:
        CheckpointFileError: the content is damaged or not understood (a ValueError).
        OSError: the file is missing or cannot be read.
    """
    return _open(path, mmap.ACCESS_READ, crc=False)[1]


class _Malformed(Exception):
    """The reason why a file cannot be parsed; `_open` adds the file's name."""


@functools.cache
def _messages() -> tuple[Any, Any]:
    """The message classes for what surrounds a content, declared here rather than generated."""
    classes = message_classes(
        "agar.checkpoint",
        {
            "Value": {"tag": (1, "string")},
            "TensorProto": {"dims": (1, "repeated int64"), "tensor_type": (2, "string")},
        },
    )
    return classes["Value"], classes["TensorProto"]


def _encode(name: str, value: Any, position: int) -> Iterator[bytes | memoryview]:
    """The parts of a value's entries, for a file in which they begin at ``position``."""
    value_class, tensor_class = _messages()
    if isinstance(value, str):
        # MindSpore stores numpy's '<U' type, which has no empty string.
        content = memoryview(_utf("utf-32-le", value or "\0", f"the text '{name}'"))
        if len(content) > SLICE_BYTES:
            raise ValueError(f"The text '{name}' is too long; a checkpoint holds short ones.")
        around = tensor_class(dims=[0], tensor_type=_STR)
    else:
        value = dense(name, value)
        content = raw_bytes(value)
        around = tensor_class(dims=value.shape, tensor_type=str(FROM_TORCH[value.dtype]))
    _utf("utf-8", name, "the name")
    tag = value_class(tag=name).SerializeToString()
    if len(tag) > _HEAD_BYTES or len(around.dims) > _MAX_RANK:
        raise ValueError(
            f"The value '{name[:100]}' has a name of {len(name)} characters and "
            f"{len(around.dims)} dimensions, which is beyond any reader."
        )
    around = around.SerializeToString()
    starts = range(0, len(content) or 1, SLICE_BYTES)
    pieces = [content[start : start + SLICE_BYTES] for start in starts]
    for piece in pieces:
        head = _head(tag, around, b"", len(piece))
        if len(pieces) == 1 and len(piece) >= MAP_BYTES:
            head = _aligned_head(tag, around, len(piece), position)
        position += len(head) + len(piece)
        yield head
        yield piece


def _utf(encoding: str, text: str, what: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise ValueError(f"A checkpoint cannot hold {what}: {error}.") from None


def _head(tag: bytes, around: bytes, padding: bytes, length: int) -> bytes:
    """Everything of an entry that stands before its content."""
    around += padding + _opening(_CONTENT, length)
    value = tag + _opening(_TENSOR, len(around) + length) + around
    return _opening(_VALUE, len(value) + length) + value


def _aligned_head(tag: bytes, around: bytes, length: int, position: int) -> bytes:
    """The head with the padding that lets the content begin at a multiple of 64 in the file."""
    bare = _head(tag, around, b"", length)
    # The padding enters the lengths before it, whose own sizes may change with it: so it is
    # searched, and in the rare case that such a change leaps over the right one, left out.
    for gap in range(2 * _ALIGNMENT):
        if (position + len(bare)) % _ALIGNMENT == 0:
            break
        padding = _opening(_PADDING, gap) + bytes(gap)
        head = _head(tag, around, padding, length)
        if (position + len(head)) % _ALIGNMENT == 0:
            return head
    return bare


def _opening(key: int, length: int) -> bytes:
    """The key and length that stand before a field of ``length`` bytes."""
    out = bytearray([key])
    while length > 0x7F:
        out.append(length & 0x7F | 0x80)
        length >>= 7
    out.append(length)
    return bytes(out)


def _open(
    path: str | os.PathLike[str],
    access: int,
    crc: bool,
    key: tuple[bytes, str] | None = None,
) -> tuple[mmap.mmap | bytes, list[Entry]]:
    """Map a file and check all of it but the contents."""
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return b"", []
        data = mmap.mmap(file.fileno(), 0, access=access)
    if key is not None:
        data = _decrypted(path, data, *key)
    try:
        entries, end = _index(data)
        if crc and end < len(data):
            _check_crc(data, end)
    except _Malformed as error:
        raise CheckpointFileError(path, f"{error}{_hint(data)}") from None
    return data, entries


def _decrypted(path: str | os.PathLike[str], data: mmap.mmap, key: bytes, mode: str) -> mmap.mmap:
    """The content of an encrypted file, in memory that belongs to no file."""
    try:
        content = b"".join(decrypted(data, key, mode))
    except DecryptionError as error:
        raise CheckpointFileError(
            path, f"It cannot be decrypted: {error}. Check 'dec_key' and 'dec_mode'."
        ) from None
    result = mmap.mmap(-1, max(len(content), 1))
    result[: len(content)] = content
    return result


def _check_crc(data: mmap.mmap, end: int) -> None:
    with memoryview(data) as view, view[:end] as body:
        result = zlib.crc32(body)
    stored = int.from_bytes(data[-_CRC_BYTES:], "big")
    if result != stored:
        raise _Malformed(
            f"The CRC check failed: the file says {stored}, its content gives {result}."
        )


def _hint(data: mmap.mmap) -> str:
    """What the file seems to be instead."""
    start = data[:9]
    if start[:4] in _ENCRYPTED:
        return f" It is encrypted ({_ENCRYPTED[start[:4]]}): give 'dec_key' and 'dec_mode'."
    if start[:2] == b"PK":
        return " It is a zip archive; PyTorch's .pt and .pth files are such."
    if start[8:] == b"{":
        return " It looks like a safetensors file; pass format='safetensors'."
    if start[:1] == b"\x80":
        return " It looks like a Python pickle, which agar does not load."
    return ""


def _index(data: mmap.mmap) -> tuple[list[Entry], int]:
    """The entries of a file, and where they end: at its end, or before the checksum."""
    entries: dict[str, Entry] = {}
    pieces: list[Entry] = []  # of the tensor that is not complete yet
    missing = 0
    end = len(data)
    tail = end - _TAIL if data[-_TAIL:-_CRC_BYTES] == _CRC_MARK else end
    position = count = 0
    while position < end and position != tail:
        start = position
        count += 1
        if count > _MAX_ENTRIES:
            raise _Malformed(f"It has more than {_MAX_ENTRIES} entries.")
        key, payload, position = _field(data, start, end)
        if key != _VALUE:
            raise _Malformed(f"At byte {start} there is no entry of a checkpoint.")
        piece = _entry(data, start, payload, position)
        if not pieces:
            if piece.name in entries:
                raise _Malformed(f"The name '{piece.name}' occurs twice.")
            missing = _expected_bytes(piece)
        elif pieces[0][:3] != piece[:3]:
            raise _Malformed(_wrong_size(pieces))
        pieces.append(piece)
        missing -= piece.spans[0][1]
        if missing == 0:  # a content that is too long never gets here
            if len(pieces) > 1:
                piece = piece._replace(spans=tuple(p.spans[0] for p in pieces))
            entries[piece.name] = piece
            pieces = []
    if pieces:
        raise _Malformed(_wrong_size(pieces))
    return list(entries.values()), position


def _wrong_size(pieces: list[Entry]) -> str:
    name, dtype, shape, _ = pieces[0]
    return (
        f"'{name}' is {dtype} of shape {list(shape)}, which takes {_expected_bytes(pieces[0])} "
        f"bytes, but its content has {sum(p.nbytes for p in pieces)}."
    )


def _expected_bytes(entry: Entry) -> int:
    if entry.dtype == _STR:
        return entry.nbytes
    return math.prod(entry.shape) * _TORCH_TYPES[entry.dtype].itemsize


def _entry(data: mmap.mmap, start: int, payload: int, stop: int) -> Entry:
    """The entry that begins at ``start``, whose message lies between the other two offsets."""
    value_class, tensor_class = _messages()
    head, large = _around(data, payload, stop, (_TENSOR, _MAP_TENSOR))
    value = _parse(value_class, head, start)
    name = value.tag
    if not isinstance(name, str) or not value.HasField("tag"):
        raise _Malformed(f"The entry at byte {start} has no name, or one that is not UTF-8.")
    if _MAP_TENSOR in large:
        raise _Malformed(f"'{name}' is a map parameter (a hash table), which agar does not read.")
    if _TENSOR not in large:
        raise _Malformed(f"'{name}' has no tensor.")
    head, large = _around(data, *large[_TENSOR], (_CONTENT,))
    tensor = _parse(tensor_class, head, start)
    if _CONTENT not in large or not tensor.HasField("tensor_type"):
        raise _Malformed(f"The tensor '{name}' lacks its type or its content.")
    offset, stop = large[_CONTENT]
    span = (offset, stop - offset)
    dtype = tensor.tensor_type
    shape = tuple(tensor.dims)
    if dtype == _STR:
        return Entry(name, dtype, (), (span,))
    torch_dtype = _TORCH_TYPES.get(dtype)
    if torch_dtype is None:
        raise _Malformed(f"'{name}' has the type {dtype!r}, which agar does not know.")
    if len(shape) > _MAX_RANK or min(shape, default=0) < 0:
        raise _Malformed(f"'{name}' has the impossible shape {list(shape[: _MAX_RANK + 1])}.")
    if math.prod(n or 1 for n in shape) * torch_dtype.itemsize >= 1 << 63:
        raise _Malformed(f"'{name}' has a shape beyond any memory, {list(shape)}.")
    if shape == (0,) and span[1] == torch_dtype.itemsize:
        shape = ()  # a second way to write 0-d
    return Entry(name, dtype, shape, (span,))


def _parse(message_class: Any, head: bytes, position: int) -> Any:
    try:
        return parsed(message_class, head)
    except ValueError as error:
        raise _Malformed(f"The entry at byte {position} is malformed ({error}).") from None


def _around(
    data: mmap.mmap, start: int, end: int, large: tuple[int, ...]
) -> tuple[bytes, dict[int, tuple[int, int]]]:
    """Part a message in the fields that may be huge, as offsets by key, and the bytes around."""
    entries: dict[int, tuple[int, int]] = {}
    rest = b""
    position = result = start  # what lies between them goes to the rest
    while position < end:
        key, payload, stop = _field(data, position, end)
        if key in large:
            if key in entries:
                raise _Malformed(f"The field at byte {position} occurs for the second time.")
            entries[key] = (payload, stop)
            rest += data[result:position]
            result = stop
        elif len(rest) + stop - result > _HEAD_BYTES:
            raise _Malformed(f"The entry around byte {start} has too much beside its content.")
        position = stop
    return rest + data[result:end], entries


def _field(data: mmap.mmap, start: int, end: int) -> tuple[int, int, int]:
    """The key of a field, and where its value begins and ends (which is not after ``end``)."""
    key, payload = _varint(data, start, end)
    wire = key & 7
    if wire == _BYTES:
        length, payload = _varint(data, payload, end)
        stop = payload + length
    elif wire == _VARINT:
        stop = _varint(data, payload, end)[1]
    elif wire == _FIXED64:
        stop = payload + 8
    elif wire == _FIXED32:
        stop = payload + 4
    else:
        raise _Malformed(f"At byte {start} there is no field of a checkpoint.")
    if stop > end:
        raise _Malformed(
            f"The field at byte {start} claims {stop - payload} bytes, but only {end - payload} "
            "are left."
        )
    return key, payload, stop


def _varint(data: mmap.mmap, position: int, end: int) -> tuple[int, int]:
    """A number and the offset after it."""
    value = shift = 0
    while position < end:
        byte = data[position]
        position += 1
        if byte < 0x80:
            return value | byte << shift, position
        value |= (byte & 0x7F) << shift
        shift += 7
        if shift == 70:
            raise _Malformed(f"A number of more than ten bytes stands before byte {position}.")
    raise _Malformed(f"The file, or a field, ends inside a number at byte {position}.")


def _value(
    path: str | os.PathLike[str], data: mmap.mmap | bytes, entry: Entry, copy: bool
) -> torch.Tensor | str:
    try:
        if entry.dtype == _STR:
            ((offset, length),) = entry.spans
            # numpy's '<U' type, which MindSpore uses, drops trailing zeros too.
            return data[offset : offset + length].decode("utf-32-le").rstrip("\0")
        return _tensor(data, entry, copy)
    except ValueError as error:
        raise CheckpointFileError(path, f"In '{entry.name}': {error}") from None


def _tensor(data: mmap.mmap | bytes, entry: Entry, copy: bool) -> torch.Tensor:
    dtype = _TORCH_TYPES[entry.dtype]
    spans = [span for span in entry.spans if span[1]]
    if not spans:
        return torch.empty(entry.shape, dtype=dtype)
    # These tensors keep the mapping alive; it is never closed by hand.
    pieces = [
        torch.frombuffer(data, dtype=torch.uint8, count=length, offset=offset)
        for offset, length in spans
    ]
    (offset, length), raw = spans[0], pieces[0]
    if len(pieces) > 1:
        raw = torch.cat(pieces)
    elif copy or length < MAP_BYTES or offset % dtype.itemsize:
        raw = raw.clone()
    return checked(raw.view(dtype)).view(entry.shape)
