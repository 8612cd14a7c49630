"""The parameters in a file of any format, in several files and their index, or in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import torch  # files hold raw tensors

from agar.train._hub_files import checkpoint_of_folder, read_index
from agar.train._torch_file import read_torch
from agar.train.serialization import load_checkpoint

__all__ = ["read_values"]

# Under one of these keys files of PyTorch hold the parameters beside other things.
_STATE_KEYS = ("state_dict", "model_state_dict", "model")


def read_values(op_name: str, path: str) -> Mapping[str, Any]:
    """The values of a file, of several files and their index, or of a folder of such files.

    Raises:
        FileNotFoundError: a file that an index names is missing.
        ValueError: the file does not exist, cannot be read or has no parameters in it.
    """
    if os.path.isdir(path):
        path = checkpoint_of_folder(op_name, path)
    if path.endswith(".index.json") and os.path.isfile(path):
        return read_index(op_name, path, lambda part: _file(op_name, part))[1]
    return _file(op_name, path)


def _file(op_name: str, path: str) -> Mapping[str, Any]:
    extension = os.path.splitext(path)[1]
    if extension in (".ckpt", ".safetensors"):
        return load_checkpoint(path)
    if extension not in (".pth", ".pt", ".bin"):
        raise ValueError(
            f"For '{op_name}', '{path}' must end with .ckpt, .safetensors, .pth, .pt, .bin or "
            ".index.json, which says how it is read."
        )
    if not os.path.isfile(path):
        raise ValueError(f"For '{op_name}', the file '{path}' does not exist.")
    return _state_dict(op_name, read_torch(op_name, path), path)


def _state_dict(op_name: str, content: Any, path: str) -> Mapping[str, Any]:
    """The parameters in what a file of PyTorch holds."""
    if _has_tensors(content):
        return content
    nested = (
        {k: v for k, v in content.items() if _has_tensors(v)} if isinstance(content, dict) else {}
    )
    if len(nested) > 1:
        nested = {k: nested[k] for k in _STATE_KEYS if k in nested} or nested
    if len(nested) >= 1 and (len(nested) == 1 or next(iter(nested)) in _STATE_KEYS):
        return next(iter(nested.values()))
    raise ValueError(
        f"For '{op_name}', '{path}' "
        + (
            f"holds parameters under each of {list(nested)}; read it with "
            "torch.load(file, weights_only=True) and pass one of them."
            if nested
            else f"holds no dict of names to tensors, but {type(content).__name__}."
        )
    )


def _has_tensors(value: Any) -> bool:
    return isinstance(value, Mapping) and any(isinstance(v, torch.Tensor) for v in value.values())
