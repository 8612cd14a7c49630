"""MindSpore's safetensors files: the standard format, with MindSpore's metadata.

A file is the length of a header as eight bytes, the header (JSON, filled up with spaces to a
multiple of eight), and the contents. The header says ``"format": "ms"`` and, on request,
``"crc_num"``: the CRC-32 of every name and content in the order of the names.

Files are read by the safetensors library. They are written here, to the byte as the library would,
because it writes a whole file before anything goes to the disk (see `Writer`).
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

# A codec is about raw tensors; agar's Tensor and Parameter are made by its caller.
import torch
from safetensors import SafetensorError, safe_open

from agar._core.dtype import FROM_TORCH
from agar.train._checkpoint_file import (
    MAP_BYTES,
    CheckpointFileError,
    checked,
    dense,
    raw_bytes,
    unique,
    writing,
)

_CRC = "crc_num"
_METADATA = "__metadata__"

# The format's names of types, in the order in which the library lays out their tensors.
_CODES = {
    torch.uint64: "U64",
    torch.int64: "I64",
    torch.float64: "F64",
    torch.float32: "F32",
    torch.uint32: "U32",
    torch.int32: "I32",
    torch.bfloat16: "BF16",
    torch.float16: "F16",
    torch.uint16: "U16",
    torch.int16: "I16",
    torch.float8_e4m3fn: "F8_E4M3",
    torch.float8_e5m2: "F8_E5M2",
    torch.int8: "I8",
    torch.uint8: "U8",
    torch.bool: "BOOL",
}
_PLACES = {dtype: place for place, dtype in enumerate(_CODES)}
# A limit of the library's reader.
_MAX_HEADER = 100_000_000


def write(
    path: str | os.PathLike[str],
    entries: Iterable[tuple[str, torch.Tensor]],
    *,
    crc: bool = False,
) -> None:
    """Write a safetensors file, or leave the previous one untouched.

    Args:
        path: the file; its directory must exist.
        entries: names and tensors; the format orders them by dtype size and name.
        crc: put the CRC-32 of names and contents into the header.

    Raises:
        ValueError: a name occurs twice, cannot be encoded or is ``__metadata__``.
        TypeError: a name or a value has the wrong type, or the format lacks the dtype.
    """
    tensors = {name: _storable(name, value) for name, value in unique(entries)}
    tensors = dict(sorted(tensors.items(), key=lambda item: (_PLACES[item[1].dtype], item[0])))
    header = _header(tensors, str(_crc_of(tensors)) if crc else None)
    with writing(path) as file:
        file.write(len(header).to_bytes(8, "little"))
        file.write(header)
        for value in tensors.values():
            file.write(raw_bytes(value))


def read(
    path: str | os.PathLike[str], *, crc: bool = False, copy: bool = False
) -> Iterator[tuple[str, torch.Tensor]]:
    """Read a safetensors file, one tensor at a time, in the order of the names.

    The header is checked before this returns. Tensors of 64 KiB and more that lie at a multiple
    of their item size are private views of the mapped file: they take memory as they are used,
    writing to them does not change the file, and replacing the file (as `write` does) does not
    change them. Overwriting or truncating the file in place would; pass ``copy=True`` where that
    may happen.

    Args:
        path: the file.
        crc: verify the checksum; a file without one is accepted.
        copy: read every tensor into memory of its own.

    Raises:
        CheckpointFileError: the content is damaged or not understood (a ValueError).
        OSError: the file is missing or cannot be read.
    """
    file = _open(path)
    names = sorted(file.keys())
    stored = (file.metadata() or {}).get(_CRC) if crc else None
    if stored is not None:
        result = _crc_of({name: _tensor(path, file, name, copy=False) for name in names})
        if stored != str(result):
            raise CheckpointFileError(
                path, f"The CRC check failed: the file says {stored}, its content gives {result}."
            )
    return ((name, _tensor(path, file, name, copy)) for name in names)


def _storable(name: str, value: torch.Tensor) -> torch.Tensor:
    """The tensor on the CPU and contiguous, if the format can hold it under this name."""
    if name == _METADATA:
        raise ValueError(
            f"A value of a safetensors file cannot be named '{name}', which is the format's own "
            "word; rename it, or use format='ckpt'."
        )
    value = dense(name, value)
    if value.dtype not in _CODES:
        raise TypeError(
            f"The value '{name}' has dtype {value.dtype}, which MindSpore's safetensors files do "
            "not hold; use format='ckpt'"
            + (", or save torch.view_as_real of it." if value.is_complex() else ".")
        )
    return value


def _header(tensors: dict[str, torch.Tensor], crc: str | None) -> bytes:
    metadata = {"format": "ms"} if crc is None else {"format": "ms", _CRC: crc}
    header: dict[str, Any] = {_METADATA: metadata}
    end = 0
    for name, value in tensors.items():
        begin, end = end, end + value.nbytes
        header[name] = {
            "dtype": _CODES[value.dtype],
            "shape": list(value.shape),
            "data_offsets": [begin, end],
        }
    try:
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"A checkpoint cannot hold a name: {error}.") from None
    text += b" " * (-len(text) % 8)
    if len(text) > _MAX_HEADER:
        raise ValueError(
            f"The names and shapes take {len(text)} bytes, and a safetensors file can hold "
            f"{_MAX_HEADER} of them; use format='ckpt', or several files."
        )
    return text


def _crc_of(tensors: dict[str, torch.Tensor]) -> int:
    checksum = 0
    for name in sorted(tensors):
        checksum = zlib.crc32(name.encode(), checksum)
        checksum = zlib.crc32(raw_bytes(tensors[name]), checksum)
    return checksum


def _open(path: str | os.PathLike[str]) -> safe_open:
    try:
        return safe_open(path, framework="pt")
    except SafetensorError as error:
        raise CheckpointFileError(path, f"{error}.") from None


def _tensor(path: str | os.PathLike[str], file: safe_open, name: str, copy: bool) -> torch.Tensor:
    try:
        value = file.get_tensor(name)
        if value.dtype not in FROM_TORCH:
            raise ValueError(f"agar has no tensors of dtype {value.dtype}.")
        checked(value)
    except (SafetensorError, ValueError) as error:
        raise CheckpointFileError(path, f"In '{name}': {error}") from None
    if copy or value.nbytes < MAP_BYTES or value.data_ptr() % value.itemsize:
        return value.clone()
    return value
