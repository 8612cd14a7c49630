"""Checkpoints in the layout of model hubs: a folder with one file, or several and their index."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import torch  # files hold raw tensors

from agar._core.file_reading import checked_name, reading

__all__ = [
    "checkpoint_of_folder",
    "is_safetensors",
    "read_index",
    "read_json",
    "read_safetensors",
]

#: Names of the hubs' libraries, the index of several files before a single file.
_NAMES = (
    "model.safetensors.index.json",
    "diffusion_pytorch_model.safetensors.index.json",
    "model.safetensors",
    "diffusion_pytorch_model.safetensors",
    "pytorch_model.bin.index.json",
    "pytorch_model.bin",
)
_ENDINGS = (".pth", ".pt", ".bin", ".safetensors", ".index.json")


def checkpoint_of_folder(op_name: str, folder: str) -> str:
    """The checkpoint in a folder, or the index of its files.

    Raises:
        ValueError: there is none, or there are several of other names.
    """
    for name in _NAMES:
        if os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    names = sorted(n for n in os.listdir(folder) if n.endswith(_ENDINGS))
    if len(names) == 1:
        return os.path.join(folder, names[0])
    raise ValueError(
        f"For '{op_name}', the folder '{folder}' holds "
        + (f"several checkpoints ({', '.join(names[:8])}); name one." if names else "no checkpoint")
    )


def is_safetensors(place: str) -> bool:
    """Whether a file is in that format, by its ending, or by its first bytes."""
    if place.endswith(".safetensors"):
        return True
    if place.endswith((".pth", ".pt", ".bin", ".ckpt")):
        return False
    with open(place, "rb") as file:
        head = file.read(9)
    return len(head) == 9 and head[8:] == b"{"


def read_safetensors(op_name: str, place: str) -> dict[str, torch.Tensor]:
    """The tensors of a safetensors file, in memory of their own.

    Raises:
        ValueError: it is damaged, or none.
    """
    from safetensors import safe_open

    advice = "It is not a safetensors file, or it was changed: restore it from its source."
    with reading(op_name, place, ValueError, advice), safe_open(place, framework="pt") as file:
        # torch's order is lost in the format; its names are sorted
        return {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118


def read_json(op_name: str, place: str) -> Any:
    """What a JSON file says.

    Raises:
        ValueError: it cannot be parsed.
    """
    with (
        reading(op_name, place, ValueError, "It must be a JSON file."),
        open(place, encoding="utf-8") as file,
    ):
        return json.load(file)


def read_index(
    op_name: str, index: str, read: Callable[[str], Mapping[str, Any]]
) -> tuple[list[str], dict[str, Any]]:
    """The tensors of a checkpoint in several files.

    Args:
        op_name: the public name of the reader.
        index: a JSON file with a ``weight_map`` of names to files of the same folder.
        read: reads one file.

    Returns:
        The names of the files, and the tensors in the order of the index.

    Raises:
        FileNotFoundError: one of the files is missing.
        ValueError: the index is damaged, leads out of its folder, or names what no file holds.
    """
    content = read_json(op_name, index)
    places = content.get("weight_map") if isinstance(content, dict) else None
    if not isinstance(places, dict) or not all(isinstance(v, str) for v in places.values()):
        raise ValueError(f"For '{op_name}', '{index}' has no 'weight_map' of names to files.")
    folder = os.path.dirname(os.path.abspath(index))
    files = sorted(set(places.values()))
    outside = [file for file in files if not _is_name(file)]
    if outside:
        raise ValueError(
            f"For '{op_name}', '{index}' names files outside of its folder: {outside[:3]}."
        )
    absent = [file for file in files if not os.path.isfile(os.path.join(folder, file))]
    if absent:
        raise FileNotFoundError(
            f"For '{op_name}', parts of the checkpoint '{index}' are missing: {', '.join(absent)}."
        )
    parts = {file: read(os.path.join(folder, file)) for file in files}
    lost = [name for name, file in places.items() if name not in parts[file]]
    if lost:
        raise ValueError(
            f"For '{op_name}', {len(lost)} names of '{index}' are not in the file that it "
            f"names for them: {', '.join(lost[:5])}."
        )
    return files, {name: parts[file][name] for name, file in places.items()}


def _is_name(file: str) -> bool:
    try:
        checked_name(file)
    except ValueError:
        return False
    return True
