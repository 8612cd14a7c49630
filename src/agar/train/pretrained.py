"""Pretrained networks from a folder in the layout of model hubs: weights and ``config.json``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from agar import log
from agar._core.errors import describe
from agar.nn.cell import Cell
from agar.train._hub_files import read_json
from agar.train._stored_values import read_values
from agar.train.structure import load_by_structure

__all__ = ["load_pretrained"]

_OP_NAME = "load_pretrained"
#: Entries of ``config.json`` that describe the file; those that begin with ``_`` do, too.
_DESCRIPTIONS = frozenset(
    {"architectures", "auto_map", "dtype", "model_type", "torch_dtype", "transformers_version"}
)


def load_pretrained(
    net: Cell | type[Cell] | Callable[[dict[str, Any]], Cell],
    folder: str | os.PathLike[str],
    strict: bool = True,
    config: Mapping[str, Any] | None = None,
) -> Cell:
    """Build a network from a local folder in the layout of model hubs, and load its weights.

    The folder holds ``model.safetensors``, or several files and
    ``model.safetensors.index.json``, or the same as ``pytorch_model.bin``, of which only tensors
    are read, never code; and ``config.json``, where the network is to be built by it. Names of
    PyTorch's layers are matched as :func:`agar.train.load_by_structure` does, and values are cast
    to the types of the network's parameters.

    Args:
        net (Union[Cell, type, Callable]): a network; or a class of cells, which gets the entries
            of ``config.json`` as keywords, without those that describe the file
            (``architectures``, ``auto_map``, ``dtype``, ``model_type``, ``torch_dtype``,
            ``transformers_version``, and names that begin with ``_``); or a function that takes
            all entries as a dict and returns the network.
        folder (Union[str, PathLike]): the folder. Nothing is downloaded.
        strict (bool): whether a tensor without a value, a value without a tensor, and a match by
            order alone are errors. If not, they are logged as a warning. Default: True.
        config (Mapping): entries that replace those of ``config.json``, or are added to them.
            Default: ``None``.

    Returns:
        Cell, `net` itself or the one that was built.

    Raises:
        TypeError: `net` is none of these or its function returns something else, `config` is not
            a mapping of names or is given beside a network, `strict` is not a bool, or the class
            does not take an entry of the configuration.
        FileNotFoundError: there is no such folder, no ``config.json`` where it is needed, or a
            part of the checkpoint is missing.
        ValueError: a file is damaged, or the folder holds no checkpoint or several.
        RuntimeError: weights and network do not fit, see `strict`. Nothing is loaded then.

    Difference from PyTorch: libraries above it have ``from_pretrained`` methods, which also
    download.

    Source: agar's own.

    Examples:
        >>> import json, os, tempfile
        >>> import agar as ms
        >>> from agar.train import load_pretrained
        >>> net = ms.nn.Dense(3, 2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.save_checkpoint(net, os.path.join(folder, "model.safetensors"))
        ...     with open(os.path.join(folder, "config.json"), "w") as file:
        ...         json.dump({"in_channels": 3, "out_channels": 2, "model_type": "dense"}, file)
        ...     again = load_pretrained(ms.nn.Dense, folder)
        >>> (again.weight == net.weight).all()
        Tensor(shape=[], dtype=Bool, value= True)
    """
    if not isinstance(strict, bool):
        raise TypeError(f"For '{_OP_NAME}', 'strict' must be a bool, but got {describe(strict)}.")
    path = os.fspath(folder)
    if not os.path.isdir(path):
        raise FileNotFoundError(
            f"For '{_OP_NAME}', there is no folder '{path}'. Nothing is downloaded: get a network "
            "of a hub with the hub's own tool first, such as huggingface_hub.snapshot_download."
        )
    network = _network(net, path, config)
    values = read_values(_OP_NAME, path)
    report = load_by_structure(network, values, dry_run=True)
    if not report.complete or report.uncertain:
        if strict:
            raise RuntimeError(
                f"For '{_OP_NAME}', nothing was loaded, because not everything in '{path}' has a "
                f"certain counterpart in the network; strict=False loads what has one.\n{report}"
            )
        log.warning(
            "For '%s', not everything in '%s' has a certain counterpart:\n%s",
            *(_OP_NAME, path, report),
        )
    load_by_structure(network, values)
    return network


def _network(net: Any, folder: str, config: Any) -> Cell:
    """The given network, or the one that the configuration describes."""
    if isinstance(net, Cell):
        if config is not None:
            raise TypeError(
                f"For '{_OP_NAME}', 'config' says how a network is built, but 'net' is one "
                "already; give its class, or leave 'config' out."
            )
        return net
    if not callable(net):
        raise TypeError(
            f"For '{_OP_NAME}', 'net' must be a Cell, a class of cells or a function of the "
            f"configuration, but got {describe(net)}."
        )
    entries = _configuration(folder, config)
    if isinstance(net, type):
        described = {k for k in entries if k in _DESCRIPTIONS or k.startswith("_")}
        network = net(**{k: v for k, v in entries.items() if k not in described})
    else:
        network = net(entries)
    if not isinstance(network, Cell):
        raise TypeError(
            f"For '{_OP_NAME}', 'net' must give a Cell, but it gave {describe(network)}."
        )
    return network


def _configuration(folder: str, changes: Any) -> dict[str, Any]:
    if changes is None:
        changes = {}
    if not isinstance(changes, Mapping) or not all(isinstance(name, str) for name in changes):
        raise TypeError(
            f"For '{_OP_NAME}', 'config' must be a mapping of names to values, but got "
            f"{describe(changes)}."
        )
    place = os.path.join(folder, "config.json")
    if not os.path.isfile(place):
        raise FileNotFoundError(
            f"For '{_OP_NAME}', the folder '{folder}' has no config.json, by which the network "
            "could be built; give the network itself."
        )
    entries = read_json(_OP_NAME, place)
    if not isinstance(entries, dict):
        raise ValueError(f"For '{_OP_NAME}', '{place}' must hold one object of names and values.")
    return {**entries, **changes}
