"""Private parts of ``train`` that read files: messages, strategies, and which ranks have copies."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from typing import Any

import agar as ms
from agar import log
from agar._core.encryption import DecryptionError, decrypted
from agar._core.files import remove
from agar._core.messages import parsed
from agar.communication.management import get_process_group_ranks, get_rank
from agar.train import _protobuf_files, node_strategy_pb2
from agar.train._sharded.copies import (
    dealt_out,
    holders_of_parts,
    parts_by_ranks,
    ranks_with_all_parts,
)
from agar.train._sharded.strategy import open_strategy, read_message
from agar.train.serialization import load_checkpoint

__all__ = [
    "CheckpointManager",
    "_check_lineage_value",
    "_collect_settings_by_rank",
    "_construct_input_tensors",
    "_convert_type",
    "_get_cur_rank_dp",
    "_get_pp_size_from_redundancy_map",
    "_load_and_transform",
    "_parse_ckpt_proto",
    "_rotate_list_elements",
    "get_parameter_redundancy",
    "parse_hccl_file",
    "parse_strategy_ckpt",
    "read_proto",
    "remove_param_redundancy",
]

_Ranks = tuple[int, ...]
_CRC_MARK, _CRC_BYTES = b"crc_num", 10


# ------------------------------------------------------------------------------------ messages


def _message(module: str, name: str) -> Any:
    return _protobuf_files.lookup(f"train.{module}", name, None)


def _parse_ckpt_proto(ckpt_file_name: Any, dec_key: Any, dec_mode: str, crc_check: bool) -> Any:
    """The message ``Checkpoint`` of a ``.ckpt`` file.

    Raises:
        ValueError: the file is damaged, encrypted with another key, or fails its checksum.
    """
    if crc_check or dec_key is not None:
        # reads every entry, and so names what is wrong with the file
        load_checkpoint(
            os.fspath(ckpt_file_name), dec_key=dec_key, dec_mode=dec_mode, crc_check=crc_check
        )
    with open(ckpt_file_name, "rb") as file:
        content = file.read()
    try:
        if dec_key is not None:
            content = b"".join(decrypted(content, dec_key, dec_mode))
        if content[-_CRC_BYTES - len(_CRC_MARK) : -_CRC_BYTES] == _CRC_MARK:
            content = content[: -_CRC_BYTES - len(_CRC_MARK)]
        return parsed(_message("checkpoint_pb2", "Checkpoint"), content)
    except (ValueError, DecryptionError) as error:
        raise ValueError(
            f"The checkpoint file '{ckpt_file_name}' cannot be read: {error}. Check the file, "
            "'dec_key' and 'dec_mode'."
        ) from None


def read_proto(file_name: str, proto_format: str = "MINDIR", display_data: bool = False) -> Any:
    """The message of a file of a network, a checkpoint or a strategy.

    Without `display_data` each piece of numbers in it is one zero byte.

    Raises:
        ValueError: there is no such format, or the file is of another one.
    """
    kinds: dict[str, Callable[[], Any]] = {
        "MINDIR": lambda: _message("mind_ir_pb2", "ModelProto"),
        "CKPT": lambda: _message("checkpoint_pb2", "Checkpoint"),
        "CKPT_STRATEGY": lambda: node_strategy_pb2.ParallelStrategyMap,
    }
    if proto_format not in kinds:
        raise ValueError(
            f"For 'read_proto', 'proto_format' must be one of {sorted(kinds)}, but got "
            f"{proto_format!r}."
        )
    with open(os.path.realpath(file_name), "rb") as file:
        message = parsed(kinds[proto_format](), file.read())
    if display_data:
        return message
    if proto_format == "MINDIR":
        for parameter in message.graph.parameter:
            parameter.raw_data = b"\0"
    if proto_format == "CKPT":
        for entry in message.value:
            single = entry.HasField("tensor")
            for tensor in [entry.tensor] if single else entry.maptensor.tensor:
                tensor.tensor_content = b"\0"
    return message


_LINEAGE = {
    "dataset_graph": "DatasetGraph",
    "eval_lineage": "EvaluationLineage",
    "train_lineage": "TrainLineage",
    "custom_lineage_data": "UserDefinedInfo",
}


def _check_lineage_value(plugin: str, value: Any) -> None:
    """Raise TypeError unless a value is the message that a kind of lineage has."""
    expected = _LINEAGE.get(plugin)
    if expected is not None and not isinstance(value, _message("lineage_pb2", expected)):
        raise TypeError(f"Plugin {plugin!r} expects a {expected} value, but got {value!r}.")


# ---------------------------------------------------------------------------------- strategies


def parse_strategy_ckpt(file_name: str) -> dict[str, list[Any]]:
    """From each parameter of a strategy file to ``[dev_matrix, tensor_map, step, size]``.

    The last two are of the optimizer's split.
    """
    result = {}
    for item in read_message(os.fspath(file_name)).parallel_layout_item:
        layouts = item.parallel_layouts
        matrix, places = ([list(m.dim) for m in layouts.dev_matrix], layouts.tensor_map)
        result[item.param_name] = [
            matrix[0] if matrix else [],
            list(places[0].dim) if places else [],
            layouts.opt_weight_shard_step,
            layouts.opt_weight_shard_size,
        ]
    return result


def get_parameter_redundancy(
    layout_obj: Any, initial_rank: int | None = None
) -> dict[str, tuple[_Ranks, ...]]:
    """For each parameter the ranks that hold each of its parts.

    Args:
        layout_obj (Union[str, Cell]): a strategy file, or a network whose parameters every process
            has whole.
        initial_rank (int): the first rank of this stage. Default: None, that of this process.

    Raises:
        TypeError: `layout_obj` is something else, such as the layouts of MindSpore's compiler.
    """
    if isinstance(layout_obj, ms.nn.Cell):
        everyone = (tuple(get_process_group_ranks()),)
        names = sorted(parameter.name for parameter in layout_obj.get_parameters())
        return dict.fromkeys(names, everyone)
    if not isinstance(layout_obj, str):
        raise TypeError(
            "For 'get_parameter_redundancy', 'layout_obj' must be the path of a strategy file or a "
            f"Cell, but got {type(layout_obj).__name__}: agar's networks have no layouts of "
            "MindSpore's compiler. Save a strategy file and give its path."
        )
    strategy = open_strategy("get_parameter_redundancy", "layout_obj", layout_obj)
    assert strategy is not None
    first = initial_rank
    if first is None:
        first = get_rank() // strategy.devices * strategy.devices
    return holders_of_parts(strategy, first)


def _get_pp_size_from_redundancy_map(param_redundancy: Mapping[str, Any]) -> int | None:
    """How many devices the stage of these parameters has."""
    for parts in param_redundancy.values():
        return len(parts) * len(parts[0])
    return None


def _collect_settings_by_rank(redundancy_map: Mapping[str, Any]) -> dict[_Ranks, list[Any]]:
    """From ranks to the parts that they hold, as pairs of a name and a place."""
    return dict(parts_by_ranks(redundancy_map))


def _rotate_list_elements(i: int, input_list: Any) -> list[Any]:
    """A list that begins at another of its elements."""
    start = i % len(input_list)
    return [*input_list[start:], *input_list[:start]]


def remove_param_redundancy(
    param_redundancy_dict: Mapping[str, Any], keep_redundancy: int = 1
) -> dict[int, set[str]]:
    """Which parameters each rank saves, so that each part is saved by so many ranks.

    Parts that the same ranks hold are dealt out to them in turn.
    """
    return dealt_out(param_redundancy_dict, keep_redundancy)


def _get_cur_rank_dp(parameter_layout_dict: Any) -> _Ranks:
    """The ranks that hold the same part of every parameter as this process."""
    strategy = open_strategy("_get_cur_rank_dp", "parameter_layout_dict", parameter_layout_dict)
    rank = get_rank()
    return (rank,) if strategy is None else ranks_with_all_parts(strategy, rank)


# ------------------------------------------------------------------------------------- others


def parse_hccl_file(hccl_file_path: str) -> dict[int, str]:
    """From each rank of a file of Ascend's devices to the address of its device."""
    with open(hccl_file_path, encoding="utf-8") as file:
        servers = json.load(file)["server_list"]
    devices = [device for server in servers for device in server["device"]]
    return {int(device["rank_id"]): device["device_ip"] for device in devices}


def _load_and_transform(
    path: Any, name_map: Mapping[str, str] | None, load_func: Callable[[Any], Mapping[str, Any]]
) -> dict[str, Any]:
    """What a function loads, under other names where `name_map` has them."""
    return {(name_map or {}).get(name, name): value for name, value in load_func(path).items()}


def _convert_type(types: Any) -> list[Any]:
    """Numpy's types as MindSpore's."""
    from agar.compat._common_parts import _pytype_to_dtype

    return [_pytype_to_dtype(kind) for kind in types]


def _construct_input_tensors(
    dataset_types: Any, dataset_shapes: Any, device_number: int = 1
) -> tuple[list[Any], list[Any]]:
    """Tensors of zeros of one process's rows, and of those of all."""
    from agar.train._utils import _construct_tensor_list

    return (
        _construct_tensor_list(dataset_types, dataset_shapes),
        _construct_tensor_list(dataset_types, dataset_shapes, device_number),
    )


class CheckpointManager:
    """The checkpoint files of a training in a folder.

    Args:
        format (str): the ending of their names. Default: ``"ckpt"``.
    """

    def __init__(self, format: str = "ckpt") -> None:
        self._format = format
        self._ckpoint_filelist: list[str] = []

    @property
    def ckpoint_filelist(self) -> list[str]:
        """The files."""
        return self._ckpoint_filelist

    @property
    def ckpoint_num(self) -> int:
        """How many there are."""
        return len(self._ckpoint_filelist)

    def update_ckpoint_filelist(self, directory: str, prefix: str) -> None:
        """Look for the files ``prefix-epoch_step`` in a folder."""
        pattern = re.compile(rf"{re.escape(prefix)}-[^a-zA-Z]*\.{re.escape(self._format)}")
        names = filter(pattern.fullmatch, sorted(os.listdir(directory)))
        self._ckpoint_filelist = [os.path.join(directory, name) for name in names]

    def remove_ckpoint_file(self, file_name: str) -> None:
        """Remove one of the files; a warning says where that fails."""
        known = file_name in self._ckpoint_filelist
        if known:
            self._ckpoint_filelist.remove(file_name)
        if not known or not remove(file_name):
            log.warning(f"The checkpoint file {file_name} is not listed, or could not be removed.")

    def remove_oldest_ckpoint_file(self) -> None:
        """Remove the file that was written first."""
        self.remove_ckpoint_file(min(self._ckpoint_filelist, key=os.path.getmtime))

    def keep_one_ckpoint_per_minutes(self, minutes: float, cur_time: float) -> None:
        """Of the files of the last minutes keep the first."""
        recent = [
            file
            for file in self._ckpoint_filelist
            if cur_time - os.path.getmtime(file) < 60 * minutes
        ]
        for file in sorted(recent, key=os.path.getmtime)[1:]:
            self.remove_ckpoint_file(file)
