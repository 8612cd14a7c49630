"""What both checkpoint formats share: how files are replaced, raw tensors, the error.

A checkpoint is written beside its target and moved over it once it is on the disk, see
:mod:`agar._core.files`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

# Files hold raw tensors, so this module and the codecs work on torch tensors, not on agar's.
import torch

from agar._core.distributed.sharding import whole
from agar._core.dtype import FROM_TORCH
from agar._core.files import replacing

# Tensors of at least this size are handed out as private views of the mapped file; smaller ones
# are copied, which costs nothing and does not keep the whole file mapped for their sake.
MAP_BYTES = 1 << 16


class CheckpointFileError(ValueError):
    """The content of a checkpoint file is damaged, hostile or of another kind.

    Args:
        path: the file.
        reason: what is wrong with it, and what to do if that is known.
    """

    def __init__(self, path: str | os.PathLike[str], reason: str) -> None:
        super().__init__(
            f"Failed to read the checkpoint file '{os.fspath(path)}': it may be corrupted, and its "
            f"content cannot be parsed. {reason}"
        )


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Writer]:
    """Give a :class:`Writer` whose file takes the place of ``path`` at the end, see `replacing`.

    Args:
        path: the file to create or replace; a symbolic link is followed.

    Raises:
        FileNotFoundError: the directory does not exist.
        IsADirectoryError: ``path`` is a directory.
        FileWriteError: the file could not be written.
    """
    with replacing(path) as temp, open(temp, "r+b", buffering=1 << 20) as file:
        yield Writer(file)


class Writer:
    """Writes a file from its beginning and knows how far it is.

    Nothing is advised to the system about the pages: beginning to write them out early dropped
    some from memory, and a load right after the save took 0.1 s for 1 GB instead of 0.006 s, while
    the save itself was not faster.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.position = 0

    def write(self, part: bytes | memoryview) -> None:
        """Append a part."""
        self._file.write(part)
        self.position += len(part)


def unique(entries: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Pass on named values while every name is a new one.

    Raises:
        ValueError: a name occurs twice.
        TypeError: a name is not a str.
    """
    names: set[str] = set()
    for name, value in entries:
        if not isinstance(name, str):
            raise TypeError(f"A name in a checkpoint must be str, but got {name!r}.")
        if name in names:
            raise ValueError(
                f"Two values are named '{name}'; each name of a checkpoint must occur once."
            )
        names.add(name)
        yield name, value


def dense(name: str, value: Any) -> torch.Tensor:
    """The tensor on the CPU and contiguous, sharing memory where it is so already.

    Raises:
        TypeError: it is not a tensor, it is sparse, or it has a dtype that no checkpoint can hold.
    """
    if not isinstance(value, torch.Tensor):
        raise TypeError(
            f"The value '{name}' of a checkpoint must be a tensor (or, with format='ckpt', a "
            f"str), but got {type(value).__name__}."
        )
    value = whole(value)
    if value.layout is not torch.strided:
        raise TypeError(
            f"The value '{name}' is sparse ({value.layout}), which a checkpoint cannot hold; save "
            "its values and indices, or its to_dense()."
        )
    if value.dtype not in FROM_TORCH:
        raise TypeError(
            f"The value '{name}' has dtype {value.dtype}, which a checkpoint cannot hold; cast it "
            "to one of " + ", ".join(map(str, FROM_TORCH.values())) + "."
        )
    return value.detach().cpu().resolve_conj().resolve_neg().contiguous()


def raw_bytes(t: torch.Tensor) -> memoryview:
    """The memory of a tensor that `dense` gave, as little-endian bytes."""
    if sys.byteorder != "little":
        raise NotImplementedError(
            "Checkpoints hold little-endian numbers; agar does not convert them on this "
            "big-endian machine. Read and write them on another."
        )
    # Not reshape: of a single element it may keep a stride that a view of bytes does not allow.
    return t.as_strided((t.numel(),), (1,)).view(torch.uint8).numpy().data


def checked(t: torch.Tensor) -> torch.Tensor:
    """Give back a tensor that came from a file.

    Raises:
        ValueError: truth values other than 0 and 1, whose effect in kernels is undefined.
    """
    if t.dtype is torch.bool and bool((t.view(torch.uint8) > 1).any()):
        raise ValueError("A truth value is neither 0 nor 1.")
    return t
