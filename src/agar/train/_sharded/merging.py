"""Putting together: strategy files of pipeline stages, and the parts of one parameter."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agar._core.dtype import bfloat16
from agar._core.files import replacing_together
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.train._sharded.layout import LayoutError, Sharding
from agar.train._sharded.sources import path_argument
from agar.train._sharded.strategy import Strategy, StrategyFileError, load_json, read_message

__all__ = ["merge_pipeline_strategys", "merge_sliced_parameter"]


def merge_pipeline_strategys(src_strategy_dirs: str, dst_strategy_file: str) -> None:
    """Merge the strategy files of the stages of a pipeline.

    Every rank of a stage writes the same file, so of the files of a stage one is taken.

    Args:
        src_strategy_dirs (str): the folder with the files, all ``.ckpt`` or all ``.json``.
        dst_strategy_file (str): the file to write, with the same ending where that is ``.json``.
            Its folder is created if necessary.

    Raises:
        TypeError: an argument is not a str.
        NotADirectoryError: `src_strategy_dirs` is not a folder.
        ValueError: there is no strategy file, there are files of both kinds, one is damaged or
            empty, files of one stage contradict each other, or the ending is another. Nothing was
            written.
        FileWriteError: the file cannot be written.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10. There, an empty folder gives an empty file, the
    ending is not looked at, and of files that contradict each other any is taken.

    Examples:
        >>> import json, os, tempfile
        >>> import agar as ms
        >>> layout = {
        ...     "dev_matrix": [2],
        ...     "tensor_map": [0],
        ...     "field": 0,
        ...     "opt_weight_shard_step": 0,
        ...     "opt_weight_shard_size": 0,
        ... }
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for stage in (0, 1):
        ...         content = {
        ...             "current_stage": stage,
        ...             "parallel_strategy_item": {"MatMul": {"stage": stage}},
        ...             "parallel_layout_item": {f"w{stage}": layout},
        ...         }
        ...         with open(os.path.join(folder, f"{stage}.json"), "w") as file:
        ...             json.dump(content, file)
        ...     merged = os.path.join(folder, "merged", "strategy.json")
        ...     ms.merge_pipeline_strategys(folder, merged)
        ...     list(ms.build_searched_strategy(merged))
        ['0-w0', '1-w1']
    """
    op_name = "merge_pipeline_strategys"
    folder = path_argument(op_name, "src_strategy_dirs", src_strategy_dirs)
    target = path_argument(op_name, "dst_strategy_file", dst_strategy_file)
    if not os.path.isdir(folder):
        raise NotADirectoryError(f"For '{op_name}', src_strategy_dirs {folder} is not a directory.")
    files = {
        ending: [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(ending)]
        for ending in (".ckpt", ".json")
    }
    if all(files.values()):
        raise ValueError(
            f"For '{op_name}', the strategys format should be all '.ckpt' or all '.json', but "
            f"'{folder}' has both."
        )
    if not any(files.values()):
        raise ValueError(f"For '{op_name}', there is no strategy file in '{folder}'.")
    is_json = bool(files[".json"])
    if target.endswith(".json") != is_json:
        raise ValueError(
            f"For '{op_name}', the files in '{folder}' are {'' if is_json else 'not '}JSON, so "
            f"dst_strategy_file must {'' if is_json else 'not '}end with '.json', by which readers "
            f"tell the format; but got '{target}'."
        )
    content = _merged_json(files[".json"]) if is_json else _merged_messages(files[".ckpt"])
    with replacing_together() as begin, open(begin(target), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


class _Stages:
    """The stages that were merged, each with the first file of it."""

    def __init__(self) -> None:
        self._first: dict[int, tuple[str, Mapping[str, Any]]] = {}

    def is_new(self, path: str, stage: int, layouts: Mapping[str, Any]) -> bool:
        """Whether the file is the first of its stage.

        Raises:
            StrategyFileError: it contradicts the first.
        """
        Strategy(path, layouts)  # raises what is wrong with it
        first, known = self._first.setdefault(stage, (path, layouts))
        if first == path:
            return True
        if dict(known) != dict(layouts):
            raise StrategyFileError(
                path, f"it is of pipeline stage {stage}, as '{first}', and has other layouts"
            )
        return False


def _merged_messages(files: Sequence[str]) -> bytes:
    from agar.train.node_strategy_pb2 import ParallelStrategyMap

    merged = ParallelStrategyMap(current_stage=1)
    stages = _Stages()
    for path in files:
        message = read_message(path)
        if not message.parallel_strategy_item or not message.parallel_layout_item:
            raise StrategyFileError(path, "it is empty: it has no strategies or no layouts")
        stage = message.parallel_strategy_item[0].parallel_strategys.stage
        layouts = {i.param_name: i.parallel_layouts for i in message.parallel_layout_item}
        if not stages.is_new(path, stage, layouts):
            continue
        merged.parallel_strategy_item.extend(message.parallel_strategy_item)
        for item in message.parallel_layout_item:
            merged.parallel_layout_item.add().CopyFrom(item)
            merged.parallel_layout_item[-1].param_name = f"{stage}-{item.param_name}"
    return merged.SerializeToString()


def _merged_json(files: Sequence[str]) -> bytes:
    strategies: dict[str, Any] = {}
    merged: dict[str, Any] = {}
    stages = _Stages()
    for path in files:
        content = load_json(path)
        items = content.get("parallel_strategy_item")
        if not items or not content.get("parallel_layout_item"):
            raise StrategyFileError(path, "it is empty: it has no strategies or no layouts")
        message = read_message(path)  # checks every number
        stage = message.parallel_strategy_item[0].parallel_strategys.stage
        layouts = {i.param_name: i.parallel_layouts for i in message.parallel_layout_item}
        if not stages.is_new(path, stage, layouts):
            continue
        strategies.update(items)
        for name, layout in content["parallel_layout_item"].items():
            merged[f"{stage}-{name}"] = layout
    whole = {
        "current_stage": 1,
        "parallel_strategy_item": strategies,
        "parallel_layout_item": merged,
    }
    return json.dumps(whole).encode()


# --------------------------------------------------------------------------------- one parameter


def merge_sliced_parameter(
    sliced_parameters: list[Parameter], strategy: dict[str, Any] | None = None
) -> Parameter:
    """Put the parts of a parameter together.

    Args:
        sliced_parameters (list[Parameter]): the parts in order of their devices, of one name.
        strategy (dict): how they were split, as :func:`build_searched_strategy` returns it.
            Default: ``None``, along the first axis, each device another part.

    Returns:
        Parameter, of float32 if the parts are bfloat16.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there is no part, their names or shapes do not fit, or their number is not that
            of the devices.
        KeyError: the parameter is not in `strategy`.

    Difference from PyTorch: ``torch.cat``.

    Source: behavior observed in MindSpore 2.10, with this difference: there, optimizer shards and
    dimensions that several axes of the device matrix split are not put together.

    Examples:
        >>> import agar as ms
        >>> parts = [ms.Parameter(ms.Tensor([1.0]), "w"), ms.Parameter(ms.Tensor([2.0]), "w")]
        >>> print(ms.merge_sliced_parameter(parts).asnumpy())
        [1. 2.]
    """
    op_name = "merge_sliced_parameter"
    _check_parts(op_name, sliced_parameters, strategy)
    first = sliced_parameters[0]
    # bfloat16 becomes float32, which numpy has and which holds the same values
    arrays = [
        p.float().asnumpy() if p.dtype is bfloat16 else p.asnumpy() for p in sliced_parameters
    ]
    if not strategy:
        data = np.concatenate(arrays)
    elif first.name not in strategy:
        raise KeyError(
            f"For '{op_name}', the parameter name {first.name} should be a key in the 'strategy'. "
            "Please check 'sliced_parameter' and 'strategy'."
        )
    else:
        try:
            data = _merged(arrays, strategy[first.name])
        except (LayoutError, AttributeError, IndexError) as error:
            raise ValueError(
                f"For '{op_name}', the parts of '{first.name}' do not fit the 'strategy': {error}. "
                "Please make sure that 'strategy' is correct."
            ) from None
    return Parameter(Tensor(data), first.name, first.requires_grad, first.layerwise_parallel)


def _check_parts(op_name: str, parts: Any, strategy: Any) -> None:
    if not isinstance(parts, list):
        raise TypeError(
            f"For '{op_name}', the argument 'sliced_parameters' should be list, but got "
            f"{type(parts)}."
        )
    if not parts:
        raise ValueError(f"For '{op_name}', the argument 'sliced_parameters' should not be empty.")
    if strategy and not isinstance(strategy, dict):
        raise TypeError(
            f"For '{op_name}', the argument 'strategy' should be dict, but got {type(strategy)}."
        )
    for index, part in enumerate(parts):
        if not isinstance(part, Parameter):
            raise TypeError(
                f"For '{op_name}', the element in 'sliced_parameters' should be 'Parameter', but "
                f"got {type(part)} at index {index}."
            )
    first = parts[0]
    for index, part in enumerate(parts):
        fits = len(part.shape) == len(first.shape) and part.shape[1:] == first.shape[1:]
        if part.name != first.name or not fits:
            raise ValueError(
                f"For '{op_name}', the elements in 'sliced_parameters' must have the same name and "
                f"shape except axis 0: {first.name} {tuple(first.shape)}, but got {part.name} "
                f"{tuple(part.shape)} at index {index}."
            )


def _merged(arrays: Sequence[np.ndarray], layouts: Any) -> np.ndarray:
    """The whole of arrays, one for each device, that a message ``ParallelLayouts`` describes."""
    lengths = list(layouts.param_split_shape[0].dim) if layouts.param_split_shape else []
    maps = [list(m.dim) for m in layouts.tensor_map if m.dim]
    sharding = Sharding(
        list(layouts.dev_matrix[0].dim),
        maps if len(maps) > 1 else list(layouts.tensor_map[0].dim),
        layouts.opt_weight_shard_step,
        layouts.opt_weight_shard_size,
    )
    if len(arrays) != sharding.devices:
        raise LayoutError(
            "the length of 'sliced_parameters' should be equal to device_count. The length of "
            f"'sliced_parameters' is {len(arrays)}, but device_count is {sharding.devices}"
        )
    if not lengths and len({a.shape for a in arrays}) > 1:
        raise LayoutError("the shapes of the parts should be the same when they are equal parts")
    if layouts.field > 0 and not lengths:
        return _merged_fields(arrays, layouts.field)
    sharding.full_shape(arrays[0].shape)  # raises where the number of dimensions is another
    blocks = np.empty(sharding.parts, object)
    if lengths and len(lengths) != blocks.size:
        raise LayoutError(
            f"the param_split_shape length should be {blocks.size}, but got {len(lengths)}"
        )
    for rank, array in enumerate(arrays):
        position = sharding.position(rank)
        if lengths:
            _check_length(array, lengths, int(np.ravel_multi_index(position, sharding.parts)))
        blocks[position] = array
    return np.block(blocks.tolist()) if blocks.ndim else arrays[0]


def _check_length(array: np.ndarray, lengths: Sequence[int], place: int) -> None:
    if array.shape[0] != lengths[place]:
        raise LayoutError(
            f"the slice {place} should be {lengths[place]} in 0 axis, but got {array.shape[0]}"
        )


def _merged_fields(arrays: Sequence[np.ndarray], fields: int) -> np.ndarray:
    """The whole of a table of which each device has some rows of every field."""
    if any(a.ndim != 2 or a.shape[0] % fields for a in arrays):
        raise LayoutError(f"parts of {fields} fields should have two axes and rows of each field")
    columns = arrays[0].shape[1]
    parts = [a.reshape(fields, -1, columns) for a in arrays]
    return np.concatenate(parts, axis=1).reshape(-1, columns)
