"""The formats of checkpoint files, and how they are read.

NOTE Mapped files. Large parameters that `load_checkpoint` returns lie in private views of the
mapped file: they are there at once and take memory as they are used, and writing to them never
reaches the file. Reading 1 GB into memory of its own took 0.2 to 2 s against 0.01 s, and
safetensors' own loader, which is our measure, maps as well. Every program that replaces a file as a
whole (agar, MindSpore, ``mv``) leaves the views as they are. One that writes into the file in place
(``cp`` over it) changes them, or ends the process if the file gets shorter; so do that only after
``load_param_into_net``, which copies, and after the dict is gone. Windows does not let a mapped
file be replaced, so there everything is copied.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import torch  # files hold raw tensors

FORMATS = ("ckpt", "safetensors")
#: Endings of files, and the formats that they stand for where none is given.
_ENDINGS = {".ckpt": "ckpt", ".safetensors": "safetensors", ".pth": "pth", ".pt": "pth"}
_READ_ENDINGS = {**_ENDINGS, ".bin": "pth"}


def target_of(path: str, format: str | None) -> tuple[str, str]:
    """The file that is written, and its format: as given, by the ending of the name, or ckpt."""
    ending = os.path.splitext(path)[1]
    if format is None:
        return (path, _ENDINGS[ending]) if ending in _ENDINGS else (f"{path}.ckpt", "ckpt")
    fits = ending == f".{format}" or _ENDINGS.get(ending) == format
    return (path if fits else f"{path}.{format}"), format


def check_format(op_name: str, format: Any) -> None:
    """Raise for what is not the name of a format.

    Raises:
        ValueError: it is not.
    """
    if format not in (None, "pth", *FORMATS):
        raise ValueError(
            f"For '{op_name}', the format must be 'ckpt', 'safetensors' or 'pth', or None to "
            f"choose it by the ending of the file, but got {format!r}."
        )


def format_of(op_name: str, path: str, format: str | None) -> str:
    """The format of a file that is read.

    Raises:
        ValueError: its ending says another one than `format`, or nothing.
    """
    by_name = _READ_ENDINGS.get(os.path.splitext(path)[1])
    if by_name is not None and format in (None, by_name):
        return by_name
    if by_name is not None:
        hint = f"Pass format='{by_name}', or leave it out."
    else:
        hint = "Rename the file if it is a checkpoint."
    raise ValueError(
        f"For '{op_name}', the checkpoint file format must be the same as 'format', and a file "
        f"ends with '.ckpt', '.safetensors' or '.pth', but got the file '{path}' and "
        f"format={format!r}. {hint}"
    )


def codec_of(format: str) -> ModuleType:
    """The module that reads and writes a format; its library is only loaded here."""
    if format == "ckpt":
        from agar.train import _ckpt_codec

        return _ckpt_codec
    if format == "pth":
        from agar.train import _torch_codec

        return _torch_codec
    from agar.train import _safetensors_codec

    return _safetensors_codec


def read(
    path: str, format: str, crc: bool = False, key: tuple[bytes, str] | None = None
) -> Iterator[tuple[str, torch.Tensor | str]]:
    """The names and values of a file, in its order; large ones as views of it.

    Raises:
        ValueError: the file cannot be read, or is damaged.
    """
    try:
        more = {} if key is None else {"key": key}  # which only one format has
        yield from codec_of(format).read(path, crc=crc, copy=os.name == "nt", **more)
    except OSError as error:
        raise ValueError(f"Failed to read the checkpoint file '{path}': {error}.") from error
