"""Checkpoints in PyTorch's format: a dict of names to tensors, as ``torch.save`` writes it.

``torch.load`` reads them by its default rules (``weights_only=True``), and what PyTorch saved of a
``state_dict`` is read here, without running what stands in the file.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch  # files hold raw tensors

from agar._core.dtype import FROM_TORCH
from agar._core.files import replacing
from agar.train._checkpoint_file import CheckpointFileError, checked, unique
from agar.train._torch_file import read_torch


def write(
    path: str | os.PathLike[str],
    entries: Iterable[tuple[str, torch.Tensor | str]],
    *,
    crc: bool = False,
) -> None:
    """Write a file of PyTorch, or leave the previous one untouched.

    Args:
        path: the file; its directory must exist.
        entries: names and values, in the order of the file.
        crc: asked for a checksum, which archives of PyTorch always have.

    Raises:
        ValueError: a name occurs twice.
        TypeError: a name has the wrong type.
    """
    state = {name: _alone(value) for name, value in unique(entries)}
    with replacing(path) as temp, open(temp, "r+b", buffering=1 << 20) as file:
        torch.save(state, file)


def _alone(value: torch.Tensor | str) -> torch.Tensor | str:
    """A value without the rest of the memory that it is a part of, which torch would save too."""
    if isinstance(value, str):
        return value
    whole = value.untyped_storage().nbytes() == value.nbytes
    return value.detach() if whole else value.detach().clone()


def read(
    path: str | os.PathLike[str], *, crc: bool = False, copy: bool = False
) -> Iterator[tuple[str, torch.Tensor | str]]:
    """Read a file of PyTorch, in its order.

    Args:
        path: the file.
        crc: verify the checksums of the archive.
        copy: has no effect: nothing is mapped.

    Raises:
        CheckpointFileError: a checksum differs (a ValueError).
        ValueError: the file is damaged, or holds something else than named values.
    """
    place = os.fspath(path)
    result = read_torch("load_checkpoint", place)
    if crc and zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            damaged = archive.testzip()
        if damaged is not None:
            raise CheckpointFileError(path, f"The CRC check of '{damaged}' failed.")
    if not isinstance(result, Mapping):
        raise ValueError(
            f"For 'load_checkpoint', '{place}' holds a {type(result).__name__}, where names and "
            "tensors are needed: torch.save(module.state_dict(), file)."
        )
    return iter([(str(name), _value(place, name, value)) for name, value in result.items()])


def _value(place: str, name: Any, value: Any) -> torch.Tensor | str:
    """One value; numbers are tensors, as `save_checkpoint` saves those of ``append_dict``."""
    if isinstance(value, torch.Tensor):
        if value.dtype in FROM_TORCH and value.layout is torch.strided:
            return checked(value.detach())
        raise ValueError(
            f"For 'load_checkpoint', in '{place}' the value '{name}' is a tensor of {value.dtype} "
            f"and {value.layout}, which agar does not have."
        )
    if isinstance(value, (bool, int, float)):
        kind = torch.float32 if isinstance(value, float) else None
        return torch.tensor(value, dtype=kind)
    if isinstance(value, str):
        return value
    raise ValueError(
        f"For 'load_checkpoint', in '{place}' the value '{name}' is a {type(value).__name__}, and "
        "no tensor, number or text. agar.load_by_structure(net, file) finds the state of a network "
        "inside of such files, and torch.load(file) gives the whole."
    )
