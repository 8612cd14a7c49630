"""PyTorch's checkpoint files, read without running anything that stands in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

# files of torch hold torch tensors
import torch

from agar._core.files import replacing
from agar.train._hub_files import (
    checkpoint_of_folder,
    is_safetensors,
    read_index,
    read_safetensors,
)
from agar.train._torch_file import read_torch

__all__ = ["TorchCheckpoint", "read_torch_file", "write_torch_file"]

#: Under one of these keys programs keep the network beside other things, the likeliest first.
_STATE = (
    "state_dict", "model_state_dict", "model_state", "model", "module", "net", "network", "state",
    "params", "weights", "params_ema", "ema", "state_dict_ema", "model_ema",
)  # fmt: skip
_OPTIMIZER = (
    "optimizer", "optimizer_state_dict", "optim_state_dict", "optimizer_state", "optim",
    "optimizer_states", "opt", "opt_state_dict",
)  # fmt: skip
#: What wrappers put before every name.
_WRAPPERS = ("module.", "_orig_mod.")


class TorchCheckpoint(dict[str, torch.Tensor]):
    """The network's state of a file, and what else is in it.

    Args:
        path (str): the file or folder.
        state (Mapping[str, torch.Tensor]): the network's tensors by name. Default: ``None``, none.

    Attributes:
        path: the file or folder.
        optimizer: the optimizer's state (``{"state": ..., "param_groups": ...}``), or None.
        rest: the other entries: epochs, rates, versions.
        notes: what was done to find the state, as sentences.
    """

    def __init__(self, path: str, state: Mapping[str, torch.Tensor] | None = None) -> None:
        super().__init__(state or {})
        self.path = path
        self.optimizer: dict[str, Any] | None = None
        self.rest: dict[str, Any] = {}
        self.notes: list[str] = []


def read_torch_file(path: str | os.PathLike[str]) -> TorchCheckpoint:
    """Read a checkpoint of PyTorch: only tensors and plain values, never code.

    Args:
        path (str, Path): a ``.pth``, ``.pt`` or ``.bin`` file of ``torch.save``, a
            ``.safetensors`` file, the ``.index.json`` of a checkpoint in several files, or the
            folder in which such files lie. A state nested in a larger checkpoint (``state_dict``,
            ``model``, ...) is found; names lose a ``module.`` or ``_orig_mod.`` that all have.

    Returns:
        TorchCheckpoint, a dictionary of names to tensors on the CPU.

    Raises:
        FileNotFoundError: there is no such file, or a part of the checkpoint is missing.
        ValueError: the file is damaged, holds more than tensors and plain values, has no state,
            or has several of which none is the usual one.

    Source: agar's own.

    Examples:
        >>> import os, tempfile, torch
        >>> from agar.migrate import read_torch_file
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "a.pth")
        ...     torch.save({"model": torch.nn.Linear(2, 1).state_dict(), "epoch": 3}, file)
        ...     found = read_torch_file(file)
        >>> list(found), found.rest
        (['weight', 'bias'], {'epoch': 3})
    """
    place = os.fspath(path)
    if not os.path.exists(place):
        raise FileNotFoundError(f"For 'read_torch_file', there is no file '{place}'.")
    if os.path.isdir(place):
        place = checkpoint_of_folder("read_torch_file", place)
    if place.endswith(".json"):
        files, tensors = read_index("read_torch_file", place, _whole)
        checkpoint = TorchCheckpoint(place, tensors)
        checkpoint.notes.append(f"read from {len(files)} files")
        return _unwrapped(checkpoint)
    return _unwrapped(_whole(place))


def _whole(place: str) -> TorchCheckpoint:
    """The state of one file."""
    if is_safetensors(place):
        return TorchCheckpoint(place, read_safetensors("read_torch_file", place))
    return _checkpoint_of(read_torch("read_torch_file", place), place)


def _checkpoint_of(value: Any, place: str) -> TorchCheckpoint:
    """The state in what a file holds."""
    if isinstance(value, torch.Tensor):
        raise ValueError(
            f"For 'read_torch_file', '{place}' holds one tensor of shape {tuple(value.shape)}, no "
            "state of a network."
        )
    if not isinstance(value, Mapping):
        raise ValueError(
            f"For 'read_torch_file', '{place}' holds no state of a network, but a "
            f"{type(value).__name__}."
        )
    state, path = _state(value, place)
    checkpoint = TorchCheckpoint(place)
    for name, item in state.items():
        if isinstance(item, torch.Tensor) and isinstance(name, str):
            checkpoint[name] = item.detach()
        else:
            checkpoint.rest[str(name)] = item
    if path:
        checkpoint.notes.append(f"the state stood under '{path}'")
        for name, item in value.items():
            if str(name) != path.split(".")[0]:
                checkpoint.rest[str(name)] = item
    for name in _OPTIMIZER:
        held: Any = checkpoint.rest.get(name)
        if isinstance(held, (list, tuple)) and held and _is_optimizer(held[0]):
            held = held[0]
        if _is_optimizer(held):
            checkpoint.optimizer = dict(held)
            del checkpoint.rest[name]
            break
    return checkpoint


def _state(value: Mapping[Any, Any], place: str) -> tuple[Mapping[Any, Any], str]:
    """The dictionary of tensors, and the keys under which it stands."""
    if _has_tensors(value):
        return value, ""
    nested = {str(k): v for k, v in value.items() if isinstance(v, Mapping)}
    good = {k: v for k, v in nested.items() if _has_tensors(v)}
    chosen = next((k for k in _STATE if k in good), None)
    if chosen is None and len(good) == 1:
        chosen = next(iter(good))
    if chosen is not None:
        return good[chosen], chosen
    if good:
        raise ValueError(
            f"For 'read_torch_file', '{place}' holds states under each of {list(good)}; save the "
            "one that is meant: torch.save(torch.load(file)['name'], other)."
        )
    for name in (*[k for k in _STATE if k in nested], *nested):
        if name in _OPTIMIZER or _is_optimizer(nested[name]):
            continue
        try:
            checkpoint, path = _state(nested[name], place)
        except ValueError:
            continue  # the last word is the message below
        return checkpoint, f"{name}.{path}"
    raise ValueError(
        f"For 'read_torch_file', '{place}' holds no dictionary of names to tensors; its keys are "
        f"{[str(k) for k in list(value)[:8]]}."
    )


def _has_tensors(value: Any) -> bool:
    return isinstance(value, Mapping) and any(isinstance(v, torch.Tensor) for v in value.values())


def _is_optimizer(value: Any) -> bool:
    return isinstance(value, Mapping) and "param_groups" in value and "state" in value


def _unwrapped(checkpoint: TorchCheckpoint) -> TorchCheckpoint:
    """Without what wrappers put before every name."""
    changed = True
    while changed:
        changed = False
        for word in _WRAPPERS:
            if checkpoint and all(name.startswith(word) for name in checkpoint):
                items = {name[len(word) :]: value for name, value in checkpoint.items()}
                checkpoint.clear()
                checkpoint.update(items)
                checkpoint.notes.append(f"'{word}' was taken off every name")
                changed = True
    return checkpoint


def write_torch_file(
    path: str | os.PathLike[str],
    state: Mapping[str, torch.Tensor],
    optimizer: Mapping[str, Any] | None = None,
    rest: Mapping[str, Any] | None = None,
) -> Path:
    """Write a checkpoint of PyTorch, or leave the previous file untouched.

    Args:
        path (str, Path): ends with ``.pth``, ``.pt`` or ``.bin`` (as ``torch.save`` writes it), or
            with ``.safetensors``.
        state (mapping): the network's state. Tensors that share memory do so in the file, but not
            in a safetensors file, whose format does not know it.
        optimizer (mapping, optional): the optimizer's state; the file is then ``{"state_dict":
            ..., "optimizer": ...}``. Default: ``None``.
        rest (mapping, optional): more entries of such a file. Default: ``None``.

    Raises:
        ValueError: the ending says no format, or the format has no place for the optimizer.
    """
    place = Path(path)
    if place.suffix == ".safetensors":
        if optimizer or rest:
            raise ValueError(
                f"A safetensors file holds tensors alone, so '{place}' cannot hold the optimizer's "
                "state; write a .pth file."
            )
        from safetensors.torch import save_file

        with replacing(place) as temporary:
            save_file(dict(_apart(state.items())), temporary, metadata={"format": "pt"})
        return place
    if place.suffix not in (".pth", ".pt", ".bin"):
        raise ValueError(
            f"'{place}' must end with .pth, .pt, .bin or .safetensors, which says how to write it."
        )
    held: Any = dict(state)
    if optimizer or rest:
        held = {"state_dict": held, **(rest or {})}
        if optimizer:
            held["optimizer"] = dict(optimizer)
    with replacing(place) as temporary:
        torch.save(held, temporary)
    return place


def _apart(items: Iterable[tuple[str, torch.Tensor]]) -> Iterable[tuple[str, torch.Tensor]]:
    """Dense tensors of which no two share memory."""
    seen: set[int] = set()
    for name, value in items:
        storage = value.untyped_storage().data_ptr()
        shared = storage in seen and value.numel() > 0
        seen.add(storage)
        whole = value.is_contiguous() and value.untyped_storage().nbytes() == value.nbytes
        yield name, value if whole and not shared else value.clone().contiguous()
