"""The two formats of checkpoint files, and how they are read.

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

import torch  # files hold raw tensors

FORMATS = ("ckpt", "safetensors")


def codec_of(format: str) -> ModuleType:
    """The module that reads and writes a format; its library is only loaded here."""
    if format == "ckpt":
        from agar.train import _ckpt_codec

        return _ckpt_codec
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
