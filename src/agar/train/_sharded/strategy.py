"""MindSpore's strategy files: how each parameter of a program is split over devices.

A file is a protobuf message (see :mod:`agar.train.node_strategy_pb2`), or JSON with the same fields
where its name ends in ``.json``. MindSpore writes one for each pipeline stage; in a merged file the
stage stands before each name: ``1-fc.weight``.

Nothing in a file is believed: whatever contradicts itself raises an error that names the file and
the parameter.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from agar._core.errors import describe
from agar._core.messages import parsed
from agar.train._sharded.layout import LayoutError, Sharding

__all__ = [
    "Strategy",
    "StrategyFileError",
    "build_searched_strategy",
    "load_json",
    "open_strategy",
    "read_message",
    "restore_group_info_list",
    "sharding_of",
]

# Files of the largest programs have some ten megabytes.
_MAX_BYTES = 1 << 29
_MERGED_NAME = re.compile(r"(\d{1,9})-(.+)", re.DOTALL)
_NUMBERS = ("field", "opt_weight_shard_step", "opt_weight_shard_size")


class StrategyFileError(ValueError, TypeError):
    """A strategy file is damaged, hostile or something else.

    It is a ValueError, as MindSpore's documentation says, and a TypeError, as MindSpore raises for
    files that are not protobuf.

    Args:
        path: the file.
        reason: what is wrong with it.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"The strategy file '{path}' cannot be used: {reason}. The strategy file type should "
            "be one of json or protobuf, by its ending; check whether it is a file that MindSpore "
            "wrote with strategy_ckpt_save_file or save_param_strategy_file."
        )


# ------------------------------------------------------------------------------------- reading


def build_searched_strategy(strategy_filename: str) -> dict[str, Any] | None:
    """Read how the parameters of a program are split over devices.

    Args:
        strategy_filename (str): the strategy file; None for none.

    Returns:
        dict, from the name of each parameter (in a merged file with the stage before it, ``1-w``)
        to a message ``ParallelLayouts``; None without a file.

    Raises:
        TypeError: `strategy_filename` is not a str.
        ValueError: the file does not exist, is empty, damaged or another kind of file.

    Difference from PyTorch: none (no counterpart; ``torch.distributed.checkpoint`` keeps layouts in
    its own metadata).

    Source: behavior observed in MindSpore 2.10, which takes some damaged files for empty ones.

    Examples:
        >>> import json, os, tempfile
        >>> import agar as ms
        >>> layout = {
        ...     "dev_matrix": [2, 2],
        ...     "tensor_map": [0, -1],
        ...     "field": 0,
        ...     "opt_weight_shard_step": 0,
        ...     "opt_weight_shard_size": 0,
        ... }
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "strategy.json")
        ...     with open(path, "w") as file:
        ...         json.dump({"current_stage": 0, "parallel_layout_item": {"w": layout}}, file)
        ...     strategy = ms.parallel.build_searched_strategy(path)
        >>> list(strategy["w"].dev_matrix[0].dim), list(strategy["w"].tensor_map[0].dim)
        ([2, 2], [0, -1])
    """
    if strategy_filename is None:
        return None
    path = _checked_path("build_searched_strategy", "strategy_filename", strategy_filename)
    items = read_message(path).parallel_layout_item
    return {item.param_name: item.parallel_layouts for item in items}


def _checked_path(op_name: str, argument: str, value: Any) -> str:
    path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(path, str):
        raise TypeError(
            f"For '{op_name}', the argument '{argument}' should be string, but got "
            f"{describe(value)}."
        )
    if not os.path.isfile(path):
        raise ValueError(
            f"For '{op_name}', no such strategy file: {path}. Please check whether the "
            f"'{argument}' exists."
        )
    if os.path.getsize(path) == 0:
        raise ValueError(
            f"For '{op_name}', the strategy file {path} should not be empty. Please check whether "
            f"the '{argument}' is correct."
        )
    return path


def read_message(path: str) -> Any:
    """The message of a strategy file, checked as far as that needs no other file.

    Raises:
        StrategyFileError: it is not such a file.
    """
    if path.endswith(".json"):
        return _message_of_json(path, load_json(path))
    from agar.train.node_strategy_pb2 import ParallelStrategyMap

    try:
        message = parsed(ParallelStrategyMap, _content(path))
    except ValueError as error:
        raise StrategyFileError(path, str(error)) from None
    if not message.HasField("current_stage"):
        raise StrategyFileError(path, "it has no 'current_stage', so it is another kind of file")
    names: set[str] = set()
    for place, item in enumerate(message.parallel_layout_item):
        name = item.param_name
        # bytes where the file has something else than UTF-8
        if not item.HasField("param_name") or not isinstance(name, str) or not name:
            raise StrategyFileError(path, f"the layout at place {place} has no name of a parameter")
        if name in names:
            raise StrategyFileError(path, f"the parameter '{name}' occurs twice")
        names.add(name)
        for field in _NUMBERS:
            if not item.parallel_layouts.HasField(field):
                raise StrategyFileError(path, f"the layout of '{name}' has no '{field}'")
    return message


def _content(path: str) -> bytes:
    if os.path.getsize(path) > _MAX_BYTES:
        raise StrategyFileError(path, f"it has more than {_MAX_BYTES} bytes")
    with open(path, "rb") as file:
        return file.read()


def load_json(path: str) -> dict[str, Any]:
    """The content of a JSON strategy file.

    Raises:
        StrategyFileError: it is not JSON, or lacks what every such file has.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries = dict(pairs)
        if len(entries) != len(pairs):
            raise ValueError("a name occurs twice")
        return entries

    try:
        content = json.loads(_content(path), object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise StrategyFileError(path, f"it is not JSON ({error})") from None
    if not isinstance(content, dict):
        raise StrategyFileError(path, "it does not hold a JSON object")
    for key in ("parallel_strategy_item", "parallel_layout_item"):
        section = content.get(key, {})
        if not isinstance(section, dict) or not all(isinstance(v, dict) for v in section.values()):
            raise StrategyFileError(path, f"'{key}' does not hold objects by name")
    return content


def _message_of_json(path: str, content: dict[str, Any]) -> Any:
    from agar.train.node_strategy_pb2 import ParallelStrategyMap

    message = ParallelStrategyMap(current_stage=0)
    for name, entry in content.get("parallel_strategy_item", {}).items():
        item = message.parallel_strategy_item.add(node_name=name)
        item.parallel_strategys.stage = _number(path, name, "stage", entry.get("stage"))
    for name, entry in content.get("parallel_layout_item", {}).items():
        layouts = message.parallel_layout_item.add(param_name=name).parallel_layouts
        for field in _NUMBERS:
            setattr(layouts, field, _number(path, name, field, entry.get(field)))
        layouts.dev_matrix.add().dim.extend(_numbers(path, name, "dev_matrix", entry))
        map_ = entry.get("tensor_map")
        nested = isinstance(map_, list) and any(isinstance(e, list) for e in map_)
        for part in map_ if nested else [map_]:
            part = part if isinstance(part, list) or not nested else [part]
            layouts.tensor_map.add().dim.extend(
                _numbers(path, name, "tensor_map", {"tensor_map": part})
            )
        for field in ("param_split_shape", "indices_offset"):
            target = getattr(layouts, field).add()
            if field in entry:
                target.dim.extend(_numbers(path, name, field, entry))
    return message


def _number(path: str, name: str, field: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 31:
        raise StrategyFileError(path, f"'{field}' of '{name}' is not an int32 number: {value!r}")
    return value


def _numbers(path: str, name: str, field: str, entry: Mapping[str, Any]) -> list[int]:
    values = entry.get(field)
    if not isinstance(values, list):
        raise StrategyFileError(path, f"'{field}' of '{name}' is not a list of numbers")
    numbers = [_number(path, name, field, value) for value in values]
    if field == "dev_matrix" and any(number < 0 for number in numbers):
        raise StrategyFileError(path, f"'{field}' of '{name}' has a negative number")
    return numbers


# ------------------------------------------------------------------------------- what it says


def sharding_of(layouts: Any) -> Sharding:
    """The layout that a message ``ParallelLayouts`` describes.

    Raises:
        LayoutError: it contradicts itself, or only `merge_sliced_parameter` takes such a one.
    """
    matrix = list(layouts.dev_matrix[0].dim) if layouts.dev_matrix else []
    if len(layouts.dev_matrix) > 1:
        raise LayoutError("it has several device matrices")
    if len(layouts.tensor_map) > 1:  # one for each dimension, which several axes may split
        tensor_map = [list(entry.dim) for entry in layouts.tensor_map if entry.dim]
    else:
        tensor_map = list(layouts.tensor_map[0].dim) if layouts.tensor_map else []
    if layouts.field > 0:
        raise LayoutError("it is split by fields, which only merge_sliced_parameter puts together")
    if any(entry.dim for entry in layouts.param_split_shape):
        raise LayoutError(
            "it is split into unequal parts, which only merge_sliced_parameter puts together"
        )
    return Sharding(
        matrix, tensor_map, layouts.opt_weight_shard_step, layouts.opt_weight_shard_size
    )


class Strategy:
    """The layouts of a program's parameters, by name and pipeline stage.

    Args:
        path (str): the file, for errors.
        layouts (Mapping): messages ``ParallelLayouts`` by the names of the file.
        stage (int): the stage that an unmerged file says it is of. Default: None, unknown.

    Raises:
        StrategyFileError: the layouts contradict themselves or each other.
    """

    def __init__(self, path: str, layouts: Mapping[str, Any], stage: int | None = None) -> None:
        self.path = path
        self.layouts: dict[str, dict[int, Sharding]] = {}
        merged = [_MERGED_NAME.fullmatch(name) for name in layouts]
        self.is_merged = any(merged)
        self.stage = None if self.is_merged else stage
        devices: dict[int, str] = {}  # of what is split
        for (name, message), match in zip(layouts.items(), merged, strict=True):
            stage, own = (int(match[1]), match[2]) if match else (0, name)
            try:
                sharding = sharding_of(message)
            except LayoutError as error:
                raise StrategyFileError(path, f"the layout of '{name}': {error}") from None
            self.layouts.setdefault(own, {})[stage] = sharding
            if not sharding.is_whole:
                devices[sharding.devices] = name
        if not self.layouts:
            raise StrategyFileError(path, "it has no layout of any parameter")
        if len(devices) > 1:
            listed = ", ".join(f"'{name}' has {count}" for count, name in devices.items())
            raise StrategyFileError(path, f"numbers of devices differ: {listed}")
        every = [sharding for entry in self.layouts.values() for sharding in entry.values()]
        #: of one pipeline stage
        self.devices = next(iter(devices), max(sharding.devices for sharding in every))
        for entry in self.layouts.values():
            for stage, sharding in entry.items():
                if sharding.devices != self.devices:
                    entry[stage] = sharding.on(self.devices)

    @property
    def stages(self) -> int:
        """The number of pipeline stages.

        Raises:
            StrategyFileError: a stage is missing.
        """
        stages = {stage for entry in self.layouts.values() for stage in entry}
        if stages != set(range(len(stages))):
            raise StrategyFileError(
                self.path,
                "the strategy file for pipeline parallel does not contain all stages, but only "
                f"{sorted(stages)}; merge the files of all stages with merge_pipeline_strategys",
            )
        return len(stages)

    def first_stage(self, name: str) -> int:
        """The first stage that has a parameter."""
        return min(self.layouts[name])

    def at_stage(self, stage: int) -> Strategy:
        """The layouts of a file of one stage, as those of that stage."""
        moved = object.__new__(Strategy)
        vars(moved).update(vars(self))
        moved.layouts = {name: {stage: entry[0]} for name, entry in self.layouts.items()}
        return moved


def open_strategy(op_name: str, argument: str, value: Any) -> Strategy | None:
    """The strategy that an argument gives: a file, a dict of `build_searched_strategy`, or None.

    Raises:
        TypeError: it is something else.
        ValueError: the file does not exist, is damaged or contradicts itself.
    """
    if value is None:
        return None
    if isinstance(value, dict):
        from agar.train.node_strategy_pb2 import ParallelLayouts

        for name, layouts in value.items():
            if not isinstance(name, str) or not isinstance(layouts, ParallelLayouts):
                raise TypeError(
                    f"For '{op_name}', the dict '{argument}' should be one of "
                    f"build_searched_strategy, but it has {name!r}: {describe(layouts)}."
                )
        return Strategy(f"the dict '{argument}'", value)
    path = _checked_path(op_name, argument, value)
    message = read_message(path)
    items = message.parallel_strategy_item
    stage = items[0].parallel_strategys.stage if items else None
    layouts = {item.param_name: item.parallel_layouts for item in message.parallel_layout_item}
    return Strategy(path, layouts, stage)


# -------------------------------------------------------------------------------------- groups


def restore_group_info_list(group_info_file_name: str) -> list[int]:
    """Read from a file of communication groups which ranks have the same parameters.

    MindSpore writes such a file where the environment variable ``GROUP_INFO_FILE`` says, or
    ``group_ckpt_save_file`` of the context: a rank whose checkpoint is lost takes that of another
    rank in the list.

    Args:
        group_info_file_name (str): the file.

    Returns:
        list of int, the ranks.

    Raises:
        TypeError: `group_info_file_name` is not a str.
        ValueError: the file does not exist, is empty, damaged, or has no such list.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10. There, a damaged file raises an error of the
    protobuf library.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> from agar.train.node_strategy_pb2 import ParallelGroupMap
        >>> groups = ParallelGroupMap()
        >>> groups.ckpt_restore_rank_list.dim.extend([0, 2])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "groups.pb")
        ...     with open(path, "wb") as file:
        ...         _ = file.write(groups.SerializeToString())
        ...     ms.restore_group_info_list(path)
        [0, 2]
    """
    op_name = "restore_group_info_list"
    if not isinstance(group_info_file_name, (str, os.PathLike)):
        raise TypeError(
            f"For '{op_name}', the argument 'group_info_file_name' should be str, but got "
            f"{describe(group_info_file_name)}."
        )
    path = os.fspath(group_info_file_name)
    if not os.path.isfile(path):
        raise ValueError(f"For '{op_name}', no such group information file: {path}.")
    content = _content(path)
    if not content:
        raise ValueError(f"For '{op_name}', the group information file {path} should not be empty.")
    from agar.train.node_strategy_pb2 import ParallelGroupMap

    try:
        message = parsed(ParallelGroupMap, content)
    except ValueError as error:
        raise ValueError(
            f"For '{op_name}', the group information file {path} is damaged: {error}."
        ) from None
    if not message.HasField("ckpt_restore_rank_list"):
        raise ValueError(
            f"For '{op_name}', the group information file {path} has no restore rank list."
        )
    return list(message.ckpt_restore_rank_list.dim)
