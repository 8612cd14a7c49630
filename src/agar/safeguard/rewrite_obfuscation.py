"""Checkpoints whose parameters are multiplied or mixed, so that they serve nobody without the key.

NOTE Targets. A target is the path of a parameter with "/" for ".", such as ``net/fc/weight``; in a
target with layers ``${layer}`` stands for the number of each.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from string import Template
from typing import Any

import numpy as np

from agar import log, ops
from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer.container import CellList
from agar.train.serialization import load_checkpoint, save_checkpoint

__all__ = ["load_obf_params_into_net", "obfuscate_ckpt"]

_METADATA = "obf_metadata_config"
_WEIGHTS = "weight_obf_config"
_NETWORK = "network_obf_config"
_KEY = "obf_metadata"  # names that begin with it are of random numbers, others of the parameter
_MOST_LAYERS = 12


def obfuscate_ckpt(
    network: Cell,
    ckpt_files: str,
    target_modules: list[str] | None = None,
    obf_config: dict[str, Any] | None = None,
    saved_path: str = "./",
    obfuscate_scale: float = 100,
) -> dict[str, np.ndarray]:
    """Multiply or mix parameters of checkpoint files with random numbers.

    Every file ``NAME.ckpt`` of a folder, and of the folders in it, is written as ``NAME_obf.ckpt``.
    It is not encryption: whoever knows one of the parameters finds the factors. The numbers are
    drawn by numpy's global generator.

    Args:
        network (Cell): the network that the files belong to.
        ckpt_files (str): the folder of the files.
        target_modules (list[str]): where the parameters are: the path of a cell, such as "a/b", and
            the names of cells in it, such as "fc1|fc2"; then, for layers, "obfuscate_layers:all" or
            "obfuscate_layers:N". Their weight and bias are multiplied by one number. With an empty
            path, or with layers, nothing is changed, as in MindSpore 2.10, and a warning says so.
            Default: ``None``.
        obf_config (dict): instead of `target_modules`, what is drawn and done: lists of dicts under
            "obf_metadata_config" (name, shape, type "random" or "rearrange", save_metadata,
            metadata_op "invert", layers) and "weight_obf_config" (target, layers, weight_obf_ops:
            dicts of name "mul", "matmul" or "permuate", input_x, input_y, transpose_a,
            transpose_b). Default: ``None``.
        saved_path (str): the folder for the new files. Default: ``'./'``.
        obfuscate_scale (Union[float, int]): random numbers are whole ones below it.
            Default: ``100``.

    Returns:
        dict[str, numpy.ndarray], the numbers that `obf_config` says are to be saved.

    Raises:
        TypeError: an argument or a part of `obf_config` is of another type; a path is a file.
        ValueError: a folder or a target is missing; `obfuscate_scale` is not above 1; a part of
            `obf_config` has another value.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> net = ms.nn.SequentialCell(ms.nn.SequentialCell(ms.nn.Dense(2, 1)))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.save_checkpoint(net, os.path.join(folder, "net.ckpt"))
        ...     key = ms.obfuscate_ckpt(net, folder, ["0", "0"], saved_path=folder)
        ...     sorted(os.listdir(folder)), sorted(key)
        (['net.ckpt', 'net_obf.ckpt'], ['obf_metadata'])
    """
    op_name = "obfuscate_ckpt"
    _check_network(op_name, network)
    _check_folder(op_name, "ckpt_files", ckpt_files)
    _check_folder(op_name, "saved_path", saved_path)
    config = _configuration(op_name, network, target_modules, obf_config, (_METADATA, _WEIGHTS))
    if not isinstance(obfuscate_scale, (float, int)) or obfuscate_scale <= 1:
        raise ValueError(
            f"For '{op_name}', 'obfuscate_scale' must be float or int, and larger than 1, but got "
            f"{obfuscate_scale}."
        )
    drawn: dict[str, Tensor] = {}
    saved: dict[str, np.ndarray] = {}
    for entry in config[_METADATA]:
        for name in _names(entry["name"], entry.get("layers")):
            if name in drawn and not entry.get("layers"):
                continue
            drawn[name] = value = _draw(op_name, entry, obfuscate_scale)
            if entry.get("save_metadata", False):
                saved[name] = _inverted(op_name, entry, value).asnumpy()
    for source, folder in _files(ckpt_files, saved_path):
        _obfuscate(source, folder, drawn, config[_WEIGHTS])
    return saved


def load_obf_params_into_net(
    network: Cell,
    target_modules: list[str] | None = None,
    obf_ratios: Tensor | None = None,
    obf_config: dict[str, Any] | None = None,
    data_parallel_num: int = 1,
    **kwargs: Any,
) -> Cell:
    """Check that a network suits an obfuscation, and give it back.

    MindSpore 2.10 no longer changes the network: users of an obfuscated checkpoint multiply by
    the numbers that :func:`obfuscate_ckpt` returned, in the network's own code.

    Args:
        network (Cell): the network.
        target_modules (list[str]): see :func:`obfuscate_ckpt`. Default: ``None``.
        obf_ratios (Tensor): accepted. Default: ``None``.
        obf_config (dict): instead of `target_modules`, with the list "network_obf_config" of dicts
            (module, target, insert_new_input, insert_ops, layers). Default: ``None``.
        data_parallel_num (int): positive. Default: ``1``.
        kwargs: accepted, ignored_func_decorators and ignored_class_decorators.

    Returns:
        Cell, `network`.

    Raises:
        TypeError: an argument or a part of `obf_config` is of another type.
        ValueError: a target is missing; `obf_config` is empty; `data_parallel_num` is not positive.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 1))
        >>> ms.load_obf_params_into_net(net, ["", "0"]) is net
        True
    """
    op_name = "load_obf_params_into_net"
    _check_network(op_name, network)
    _configuration(op_name, network, target_modules, obf_config, (_NETWORK,))
    if not isinstance(data_parallel_num, int) or data_parallel_num <= 0:
        raise ValueError(
            f"For '{op_name}', 'data_parallel_num' must be positive number, but got "
            f"{data_parallel_num}."
        )
    return network


# ------------------------------------------------------------------------------------- files


def _files(source: str, target: str) -> Iterator[tuple[str, str]]:
    """The checkpoints of a folder and of those in it, each with the folder for the new one."""
    for name in os.listdir(source):
        path = os.path.join(os.path.realpath(source), name)
        if os.path.isdir(path):
            folder = os.path.join(os.path.realpath(target), name)
            os.makedirs(folder, mode=0o700, exist_ok=True)
            inner = [os.path.join(path, n) for n in os.listdir(path) if n.endswith(".ckpt")]
            yield from ((file, folder) for file in inner)
        elif name.endswith(".ckpt"):
            yield path, target


def _obfuscate(
    source: str, folder: str, drawn: dict[str, Tensor], config: list[dict[str, Any]]
) -> None:
    try:
        parameters = load_checkpoint(source)
    except (ValueError, TypeError, OSError) as error:
        log.error(f"For 'obfuscate_ckpt', '{source}' is left out: {error}")
        return
    changed = False
    for name, parameter in parameters.items():
        if isinstance(parameter, str):
            continue  # a text that stands in the file
        for entry in config:
            layers = entry.get("layers") or [None]
            for layer in layers:
                if _filled(entry["target"], layer) != name.replace(".", "/"):
                    continue
                value: Tensor | None = Tensor(parameter.asnumpy(), parameter.dtype)
                for step in entry["weight_obf_ops"]:
                    value = _step(step, value, drawn, layer) if value is not None else None
                if value is None:
                    log.error(f"For 'obfuscate_ckpt', '{source}' is left out: see above.")
                    return
                parameter.set_data(value)
                changed = True
    if not changed:
        log.warning(
            f"For 'obfuscate_ckpt', no parameter of '{source}' is a target: its copy holds the "
            "values as they are."
        )
    base = os.path.basename(source).split(".")[0]
    entries = [{"name": name, "data": parameter} for name, parameter in parameters.items()]
    save_checkpoint(entries, os.path.join(os.path.realpath(folder), f"{base}_obf.ckpt"))


def _filled(text: str, layer: int | None) -> str:
    return text if layer is None else Template(text).safe_substitute({"layer": str(layer)})


def _names(name: str, layers: list[int] | None) -> list[str]:
    return [_filled(name, layer) for layer in layers] if layers else [name]


def _step(
    step: dict[str, Any], value: Tensor, drawn: dict[str, Tensor], layer: int | None
) -> Tensor | None:
    """One operator on a parameter; None, with a message, where its other input is not there."""
    kind = step["name"]
    layer = layer or 0

    def given(which: str) -> Tensor | None:
        name = _filled(step[which], layer)
        if kind == "matmul" and not name.startswith(_KEY):
            return value
        if name not in drawn:
            log.error(f"For 'obfuscate_ckpt', '{which}' of '{kind}' is '{name}', which is unknown.")
        return drawn.get(name)

    if kind == "mul":
        y = given("input_y")
        return None if y is None else ops.mul(value, y.astype(value.dtype))
    if kind == "permuate":
        order = given("input_x")
        return None if order is None else value[order]
    if kind == "matmul":
        x, y = given("input_x"), given("input_y")
        if x is None or y is None:
            return None
        x = ops.transpose(x, (1, 0)) if step.get("transpose_a", False) else x
        y = ops.transpose(y, (1, 0)) if step.get("transpose_b", False) else y
        return ops.matmul(x.astype(value.dtype), y.astype(value.dtype))
    return value


def _draw(op_name: str, entry: dict[str, Any], scale: float) -> Tensor:
    shape, kind = entry["shape"], entry.get("type")
    if kind == "random":
        return Tensor(np.random.randint(1, scale, size=shape), mstype.float16)  # type: ignore[arg-type]
    if kind == "rearrange" and len(shape) == 1:
        return Tensor(np.random.permutation(shape[0]), mstype.int32)
    if kind == "rearrange" and len(shape) == 2:
        square = np.identity(shape[0])[:, np.random.permutation(shape[1])]
        return Tensor(square, mstype.int32)
    raise ValueError(
        f"For '{op_name}', obf_config['{_METADATA}'] must have type 'random', or 'rearrange' and a "
        f"shape of one or two numbers, but '{entry['name']}' has type {kind!r} and shape {shape}."
    )


def _inverted(op_name: str, entry: dict[str, Any], value: Tensor) -> Tensor:
    name = entry.get("metadata_op")
    if name is None:
        return value
    if name != "invert":
        raise KeyError(
            f"For '{op_name}', 'metadata_op' must be 'invert' or None, but got {name!r}."
        )
    return ops.reciprocal(value)


# ------------------------------------------------------------------------------------ checks


def _check_network(op_name: str, network: Any) -> None:
    if not isinstance(network, Cell):
        raise TypeError(f"For '{op_name}', network must be nn.Cell, but got {describe(network)}.")


def _check_folder(op_name: str, name: str, path: Any) -> None:
    if not isinstance(path, str):
        raise TypeError(f"For '{op_name}', '{name}' must be str, but got {describe(path)}.")
    if not os.path.exists(path):
        raise ValueError(f"For '{op_name}', the folder '{path}' of '{name}' does not exist.")
    if not os.path.isdir(path):
        raise TypeError(f"For '{op_name}', '{name}' must be a folder, but '{path}' is a file.")


def _configuration(
    op_name: str, network: Cell, targets: Any, config: Any, needed: tuple[str, ...]
) -> dict[str, Any]:
    if config is None:
        _check_targets(op_name, network, targets)
        log.warning(
            f"For '{op_name}', 'target_modules' is deprecated in MindSpore; use 'obf_config' "
            "instead."
        )
        config = _of_targets(targets)
    if not isinstance(config, dict):
        raise TypeError(f"For '{op_name}', 'obf_config' must be dict, but got {describe(config)}.")
    if not config:
        raise ValueError(f"For '{op_name}', 'obf_config' is empty.")
    known = (_METADATA, _WEIGHTS, _NETWORK)
    for kind in config:
        if kind not in known:
            raise TypeError(
                f"For '{op_name}', the keys of 'obf_config' must be in {list(known)}, but got "
                f"{kind!r}."
            )
    for kind in needed:
        _check_entries(op_name, kind, config.get(kind))
    return config


def _of_targets(targets: list[str]) -> dict[str, Any]:
    path = targets[0]
    key: dict[str, Any] = {
        "name": _KEY,
        "shape": [1],
        "type": "random",
        "save_metadata": True,
        "metadata_op": "invert",
    }
    factor = _KEY
    if len(targets) >= 3:
        count = targets[2].split(":")[1]
        key["layers"] = list(range(_MOST_LAYERS if count == "all" else int(count)))
        path = path.replace("blocks", "blocks/${layer}")
        factor = f"{_KEY}_${{layer}}"
    step = {"name": "mul", "input_x": "weight", "input_y": factor}
    cells = targets[1].split("|")
    return {
        _METADATA: [key],
        _WEIGHTS: [
            {"target": f"{path}/{cell}/{part}", "weight_obf_ops": [step]}
            for cell in cells
            for part in ("weight", "bias")
        ],
        _NETWORK: [
            {
                "module": f"/{path}",
                "target": cell,
                "insert_new_input": [{"name": factor}],
                "insert_ops": [step],
            }
            for cell in cells
        ],
    }


def _typed(op_name: str, where: str, value: Any, kind: type, empty: bool = True) -> None:
    if not isinstance(value, kind) or (not empty and not value):
        raise TypeError(
            f"For '{op_name}', {where} must be {kind.__name__}{'' if empty else ' and not empty'}, "
            f"but got {describe(value)}."
        )


def _check_entries(op_name: str, kind: str, entries: Any) -> None:
    _typed(op_name, f"obf_config['{kind}']", entries, list)
    for entry in entries:
        at = f"obf_config['{kind}'][]"
        _typed(op_name, at, entry, dict)
        if kind == _METADATA:
            _typed(op_name, f"{at}['name']", entry.get("name"), str, False)
            _typed(op_name, f"{at}['shape']", entry.get("shape"), list, False)
            for size in entry["shape"]:
                _typed(op_name, f"{at}['shape'][]", size, int)
            _typed(op_name, f"{at}['save_metadata']", entry.get("save_metadata", True), bool)
            if entry.get("type", "random") not in ("random", "rearrange"):
                raise TypeError(
                    f"For '{op_name}', {at}['type'] must be 'random' or 'rearrange', but got "
                    f"{entry['type']!r}."
                )
        else:
            _typed(op_name, f"{at}['target']", entry.get("target"), str, False)
            steps = "weight_obf_ops"
            if kind == _NETWORK:
                steps = "insert_ops"
                _typed(op_name, f"{at}['module']", entry.get("module"), str, False)
                inputs = entry.get("insert_new_input", [])
                _typed(op_name, f"{at}['insert_new_input']", inputs, list)
                for one in inputs:
                    _typed(op_name, f"{at}['insert_new_input'][]['name']", one.get("name"), str)
            given = entry.get(steps, [])
            _typed(op_name, f"{at}['{steps}']", given, list, empty=kind == _NETWORK)
            for step in given:
                for part in ("name", "input_x", "input_y"):
                    _typed(op_name, f"{at}['{steps}'][]['{part}']", step.get(part), str)
                for part in ("transpose_a", "transpose_b"):
                    _typed(op_name, f"{at}['{steps}'][]['{part}']", step.get(part, False), bool)
        if entry.get("layers") is not None:
            _typed(op_name, f"{at}['layers']", entry["layers"], list)
            for layer in entry["layers"]:
                _typed(op_name, f"{at}['layers'][]", layer, int)


def _check_targets(op_name: str, network: Cell, targets: Any) -> None:
    _typed(op_name, "'target_modules'", targets, list)
    if len(targets) < 2:
        raise ValueError(
            f"For '{op_name}', 'target_modules' should contain at least two str, in the form of "
            f"['A/B/C', 'D1|D2'], but got {targets}."
        )
    for text in targets[:2]:
        _typed(op_name, "each of 'target_modules'", text, str)
    path, cells = targets[:2]
    if not re.fullmatch(r"[a-zA-Z0-9_/]*", path) or not re.fullmatch(r"[a-zA-Z0-9_|]+", cells):
        raise ValueError(
            f"For '{op_name}', 'target_modules' must hold letters, digits, '_' and '/', and then "
            f"letters, digits, '_' and '|', but got {targets}."
        )
    result = _descend(op_name, network, path)
    expected = cells.split("|")
    missing = [cell for cell in expected if not hasattr(result, cell)]
    if len(missing) == len(expected):
        raise ValueError(
            f"For '{op_name}', all targets {expected} do not exist in the path '{path}'."
        )
    if missing:
        log.warning(f"For '{op_name}', {missing} do not exist in the path '{path}'.")
    if len(targets) >= 3 and not re.fullmatch(r"obfuscate_layers:(all|\d+)", targets[2]):
        raise ValueError(
            f"For '{op_name}', the third of 'target_modules' must be 'obfuscate_layers:all' or "
            f"'obfuscate_layers:N', but got {targets[2]!r}."
        )


def _descend(op_name: str, network: Cell, path: str) -> Any:
    """The cell at a path; of a list of cells, the last that has what the path names next."""
    cells = [network]
    for part in filter(None, path.split("/")):
        inner = [getattr(cell, part) for cell in cells if hasattr(cell, part)]
        if not inner:
            raise ValueError(f"For '{op_name}', the path '{path}' does not exist in the network.")
        if not isinstance(inner[-1], Cell):
            raise TypeError(
                f"For '{op_name}', the path '{path}' must be one of cells, but '{part}' is "
                f"{describe(inner[-1])}."
            )
        last = inner[-1]
        cells = list(last) if isinstance(last, CellList) else [last]
    return cells[-1] if cells else network
