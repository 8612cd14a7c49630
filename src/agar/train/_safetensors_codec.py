"""MindSpore's safetensors files: the standard format, with MindSpore's metadata.

The header says ``"format": "ms"`` and, on request, ``"crc_num"``: the CRC-32 of every name and
content in the order of the names.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator

# A codec is about raw tensors; agar's Tensor and Parameter are made by its caller.
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from agar._core.dtype import FROM_TORCH
from agar.train._checkpoint_file import (
    MAP_BYTES,
    CheckpointFileError,
    checked,
    dense,
    raw_bytes,
    replacing,
    unique,
)

_CRC = "crc_num"


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
        ValueError: a name occurs twice.
        TypeError: a name or a value is of another type, or the format lacks the dtype.
    """
    tensors: dict[str, torch.Tensor] = {}
    storages: set[int] = set()
    for name, value in unique(entries):
        tensors[name] = _storable(name, value, storages)
    metadata = {"format": "ms"}
    if crc:
        metadata[_CRC] = str(_crc_of(tensors))
    with replacing(path) as temp:
        try:
            save_file(tensors, temp, metadata)
        except SafetensorError as error:
            raise OSError(f"Cannot write the checkpoint '{os.fspath(path)}': {error}") from error


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
        found = _crc_of({name: _tensor(path, file, name, copy=False) for name in names})
        if stored != str(found):
            raise CheckpointFileError(
                path, f"The CRC check failed: the file says {stored}, its content gives {found}."
            )
    return ((name, _tensor(path, file, name, copy)) for name in names)


def _storable(name: str, value: torch.Tensor, storages: set[int]) -> torch.Tensor:
    """The tensor in the form that the library takes: on the CPU, contiguous, sharing nothing."""
    value = dense(name, value)
    if value.is_complex():
        raise TypeError(
            f"The value '{name}' has dtype {value.dtype}, which MindSpore's safetensors files do "
            "not hold; use format='ckpt', or save torch.view_as_real of it."
        )
    # The library refuses tensors that overlap; in a checkpoint each has its own bytes.
    storage = value.untyped_storage().data_ptr()
    if storage in storages:
        return value.clone()
    storages.add(storage)
    return value


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
