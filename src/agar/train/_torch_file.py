"""Files that ``torch.save`` wrote: read without running what stands in them, or growing."""

from __future__ import annotations

import io
import os
import pickle
import warnings
import zipfile
from collections.abc import Mapping
from typing import Any

import torch  # reads its own files

from agar._core.tensor import Tensor

__all__ = ["read_torch"]

#: How much more than its size a file may claim to hold; torch compresses nothing.
_GROWTH = 4
#: Values of a state that are not tensors lie in dictionaries and lists; deeper ones are not state.
_MAX_DEPTH = 100


def read_torch(owner: str, place: str) -> Any:
    """What ``torch.save`` wrote: tensors and plain values, never code.

    Raises:
        ValueError: the file is damaged, holds something else, or claims to hold more than it has.
    """
    try:
        size = os.path.getsize(place)
        _check_size(owner, place, size)
        with warnings.catch_warnings():
            # of files that are no such: that their pickle protocol is an unusual one
            warnings.simplefilter("ignore")
            if zipfile.is_zipfile(place):
                result = torch.load(place, map_location="cpu", weights_only=True)
            else:
                with open(place, "rb", buffering=0) as file:
                    result = torch.load(_Bounded(file), map_location="cpu", weights_only=True)
        result = _unwrapped(result, 0)
        _check_storages(result, size)
        return result
    except _Refused as error:
        raise ValueError(f"For '{owner}', '{place}' {error}") from None
    except pickle.UnpicklingError as error:
        raise ValueError(
            f"For '{owner}', '{place}' holds more than tensors and plain values, and reading that "
            "could run code, so it is refused. In PyTorch, save only the state: "
            f"torch.save(module.state_dict(), file). ({_line(error)})"
        ) from error
    except MemoryError as error:
        raise ValueError(
            f"For '{owner}', '{place}' claims to hold more than the memory takes; it may be "
            "damaged."
        ) from error
    except Exception as error:  # of damaged files, torch raises what its parsers happen to raise
        hint = (
            " It looks like a TorchScript archive: save torch.jit.load(file).state_dict()."
            if "TorchScript" in str(error) or "torch.jit" in str(error)
            else ""
        )
        raise ValueError(
            f"For '{owner}', '{place}' cannot be parsed as a file of PyTorch: {_line(error)}. "
            f"Restore it from its source.{hint}"
        ) from error


class _Refused(Exception):
    """Why a file is not read; the rest of a sentence that begins with its name."""


class _Bounded(io.BufferedReader):
    """A file of which no more is asked for than it has: a damaged length reserves nothing."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size >= 0:
            left = os.fstat(self.fileno()).st_size - self.tell()
            size = min(size, max(left, 0))
        return super().read(size)


def _check_size(owner: str, place: str, size: int) -> None:
    """Refuse an archive that would grow: torch stores its tensors as they are."""
    if size == 0:
        raise _Refused("is empty.")
    if not zipfile.is_zipfile(place):
        return
    try:
        with zipfile.ZipFile(place) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise _Refused(f"is a damaged archive: {_line(error)}.") from error
    held = sum(entry.file_size for entry in entries)
    if held > _GROWTH * size + (1 << 20):
        raise _Refused(
            f"has {size} bytes and claims to hold {held}; files of PyTorch are not compressed, so "
            "it is refused."
        )


def _unwrapped(value: Any, depth: int) -> Any:
    """PyTorch's tensors in place of agar's, which a file may hold as well."""
    if depth > _MAX_DEPTH:
        raise _Refused("has values that are nested too deeply to be a state.")
    if isinstance(value, Tensor):
        return value._value.detach()
    if isinstance(value, dict):
        for name, inside in value.items():
            value[name] = _unwrapped(inside, depth + 1)
    elif isinstance(value, list):
        value[:] = [_unwrapped(inside, depth + 1) for inside in value]
    elif type(value) is tuple:
        return tuple(_unwrapped(inside, depth + 1) for inside in value)
    return value


def _check_storages(value: Any, size: int) -> None:
    """Refuse tensors with more memory than the file has: torch lets memory grow to a shape."""
    if isinstance(value, torch.Tensor):
        if value.layout is torch.strided and value.untyped_storage().nbytes() > size:
            raise _Refused(
                f"has {size} bytes, and a tensor of shape {tuple(value.shape)} in it claims "
                f"{value.untyped_storage().nbytes()}; it is damaged."
            )
    elif isinstance(value, Mapping):
        for inside in value.values():
            _check_storages(inside, size)
    elif isinstance(value, (list, tuple)):
        for inside in value:
            _check_storages(inside, size)


def _line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
