"""Checkpoints of split programs, rewritten for another number of devices or another layout."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from agar._core.errors import describe
from agar._core.files import replacing_together
from agar.train._formats import FORMATS, codec_of
from agar.train._sharded.conversion import Conversion, needed_ranks
from agar.train._sharded.sources import (
    Sources,
    is_deduplicated,
    path_argument,
    rank_files,
    run_each,
)
from agar.train._sharded.strategy import Strategy, open_strategy

__all__ = [
    "rank_list_for_transform",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
    "transform_safetensors_by_rank",
]

# Names of accumulated gradients and of an optimizer's state, which a strategy for prediction lacks.
_STATE_PREFIXES = ("accu_grads", "adam_v", "adam_m")


def rank_list_for_transform(
    rank_id: int, src_strategy_file: str | None = None, dst_strategy_file: str | None = None
) -> list[int]:
    """Say which ranks' checkpoints are needed to make that of a rank in another layout.

    Args:
        rank_id (int): the rank of the target.
        src_strategy_file (str): how the checkpoints are split, a file or what
            :func:`build_searched_strategy` returns. Default: ``None``, rank 0 has the whole.
        dst_strategy_file (str): how they are to be split. Default: ``None``, a rank has the whole.

    Returns:
        list of int, the ranks of the source, the last one first.

    Raises:
        TypeError: `rank_id` is not an int, or a strategy is neither a str nor a dict.
        ValueError: the target has no such rank, or a strategy file is missing or damaged.

    Difference from PyTorch: none (no counterpart; ``torch.distributed.checkpoint`` finds out which
    files to read by itself).

    Source: behavior observed in MindSpore 2.10, with this difference: numbers of devices need not
    be multiples of each other.

    Examples:
        >>> import json, os, tempfile
        >>> import agar as ms
        >>> def strategy(path, matrix, tensor_map):
        ...     layout = {
        ...         "dev_matrix": matrix,
        ...         "tensor_map": tensor_map,
        ...         "field": 0,
        ...         "opt_weight_shard_step": 0,
        ...         "opt_weight_shard_size": 0,
        ...     }
        ...     with open(path, "w") as file:
        ...         json.dump({"current_stage": 0, "parallel_layout_item": {"w": layout}}, file)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     four, two = os.path.join(folder, "4.json"), os.path.join(folder, "2.json")
        ...     strategy(four, [2, 2], [0, -1])
        ...     strategy(two, [2], [-1, 0])
        ...     ms.rank_list_for_transform(1, four, two), ms.rank_list_for_transform(0, four)
        ([1, 0], [1, 0])
    """
    op_name = "rank_list_for_transform"
    rank = _rank_argument(op_name, rank_id)
    if src_strategy_file is None:
        return [0]
    src = open_strategy(op_name, "src_strategy_file", src_strategy_file)
    dst = open_strategy(op_name, "dst_strategy_file", dst_strategy_file)
    _check_rank(op_name, rank, src, dst)
    return needed_ranks(src, dst, rank)


def _rank_argument(op_name: str, rank_id: Any) -> int:
    if not isinstance(rank_id, int) or isinstance(rank_id, bool):
        raise TypeError(f"For '{op_name}', the rank_id should be a int, but got {rank_id!r}.")
    return rank_id


def _check_rank(op_name: str, rank: int, src: Strategy | None, dst: Strategy | None) -> None:
    counts = [s.devices * s.stages for s in (dst, src) if s is not None]
    # without a target's strategy every rank of the source may ask for the whole
    layout = dst if dst is not None else src
    count = counts[0] if counts else 1
    if not 0 <= rank < count:
        of = "" if layout is None else f" by the strategy file '{layout.path}'"
        raise ValueError(
            f"For '{op_name}', rank_id is {rank}, but there are {count} ranks{of}; the first is 0."
        )


# ------------------------------------------------------------------------------------- one rank


def transform_checkpoint_by_rank(
    rank_id: int,
    checkpoint_files_map: dict[int, str],
    save_checkpoint_file_name: str,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
) -> None:
    """Make the checkpoint of one rank in another layout.

    Args:
        rank_id (int): the rank of the target.
        checkpoint_files_map (dict): the files of the source by rank, at least those of
            :func:`rank_list_for_transform`.
        save_checkpoint_file_name (str): the file to write, which ends with ``.ckpt``. Its folder is
            created if necessary.
        src_strategy_file (str): how the checkpoints are split, a file or what
            :func:`build_searched_strategy` returns. Default: ``None``, rank 0 has the whole.
        dst_strategy_file (str): how they are to be split. Default: ``None``, a rank has the whole.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a file is missing or damaged, a part of a parameter is missing, parameters do
            not fit the strategies, or the name does not end with ``.ckpt``. Nothing was written.

    Difference from PyTorch: none (no counterpart; ``torch.distributed.checkpoint`` reads any layout
    into any other).

    Source: behavior observed in MindSpore 2.10, with the differences of
    :func:`transform_checkpoints`.

    Examples:
        >>> import os, tempfile
        >>> import agar as ms
        >>> from agar.parallel import transform_checkpoint_by_rank
        >>> from agar.train.node_strategy_pb2 import ParallelLayouts
        >>> layout = ParallelLayouts(field=0, opt_weight_shard_step=0, opt_weight_shard_size=0)
        >>> layout.dev_matrix.add().dim.append(2)
        >>> layout.tensor_map.add().dim.append(0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = {rank: os.path.join(folder, f"{rank}.ckpt") for rank in (0, 1)}
        ...     for rank, file in files.items():
        ...         ms.save_checkpoint([{"name": "w", "data": ms.Tensor([rank, rank + 10])}], file)
        ...     whole = os.path.join(folder, "whole.ckpt")
        ...     transform_checkpoint_by_rank(0, files, whole, {"w": layout})
        ...     print(ms.load_checkpoint(whole)["w"].asnumpy())
        [ 0 10  1 11]
    """
    _by_rank(
        "transform_checkpoint_by_rank", "ckpt", ("checkpoint_files_map", checkpoint_files_map),
        ("save_checkpoint_file_name", save_checkpoint_file_name),
        rank_id, src_strategy_file, dst_strategy_file,
    )  # fmt: skip


def transform_safetensors_by_rank(
    rank_id: int,
    safetensor_files_map: dict[int, str],
    save_safetensor_file_name: str,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
) -> None:
    """Make the safetensors file of one rank in another layout.

    Args:
        rank_id (int): the rank of the target.
        safetensor_files_map (dict): the files of the source by rank.
        save_safetensor_file_name (str): the file to write, which ends with ``.safetensors``.
        src_strategy_file (str): how the files are split. Default: ``None``, rank 0 has the whole.
        dst_strategy_file (str): how they are to be split. Default: ``None``, a rank has the whole.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: as :func:`transform_checkpoint_by_rank` raises it.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.
    """
    _by_rank(
        "transform_safetensors_by_rank", "safetensors",
        ("safetensor_files_map", safetensor_files_map),
        ("save_safetensor_file_name", save_safetensor_file_name),
        rank_id, src_strategy_file, dst_strategy_file,
    )  # fmt: skip


def _by_rank(
    op_name: str,
    format: str,
    files_argument: tuple[str, Any],
    target_argument: tuple[str, Any],
    rank_id: Any,
    src_strategy_file: Any,
    dst_strategy_file: Any,
) -> None:
    files = _files_argument(op_name, *files_argument)
    rank = _rank_argument(op_name, rank_id)
    target = path_argument(op_name, *target_argument)
    if not target.endswith(f".{format}"):
        raise ValueError(
            f"For '{op_name}', the {target_argument[0]} {target} should end with .{format}."
        )
    src = open_strategy(op_name, "src_strategy_file", src_strategy_file)
    dst = open_strategy(op_name, "dst_strategy_file", dst_strategy_file)
    _check_rank(op_name, rank, src, dst)
    _check_complete(op_name, files, format)
    conversion = Conversion(Sources(op_name, files, format), src, dst)
    with replacing_together() as begin:
        codec_of(format).write(begin(target), conversion.entries(rank, files))


def _files_argument(op_name: str, argument: str, value: Any) -> dict[int, str]:
    if not isinstance(value, dict):
        raise TypeError(
            f"For '{op_name}', the {argument} should be a dict, but got {describe(value)}."
        )
    files = {}
    for rank, file in value.items():
        if not isinstance(rank, int) or isinstance(rank, bool):
            raise TypeError(f"For '{op_name}', a key of {argument} should be a rank, got {rank!r}.")
        files[rank] = path_argument(op_name, argument, file)
        if not os.path.isfile(files[rank]):
            raise ValueError(
                f"For '{op_name}', the checkpoint file {file} of rank {rank} does not exist."
            )
    if not files:
        raise ValueError(f"For '{op_name}', the {argument} should not be empty.")
    return files


def _check_complete(op_name: str, files: dict[int, str], format: str) -> None:
    """Files from which copies were removed may lack any parameter, which nobody would notice."""
    for rank, file in files.items():
        if format == "safetensors" and is_deduplicated(file):
            raise ValueError(
                f"For '{op_name}', '{file}' of rank {rank} was saved with remove_redundancy and "
                "lacks what other ranks have. Merge the files first with unified_safetensors("
                "merge_with_redundancy=False)."
            )


# ------------------------------------------------------------------------------------ all ranks


def transform_checkpoints(
    src_checkpoints_dir: str,
    dst_checkpoints_dir: str,
    ckpt_prefix: str,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
    process_num: int = 1,
    output_format: str = "ckpt",
) -> None:
    """Rewrite the checkpoints of a split program for another number of devices or another layout.

    The files are ``src_checkpoints_dir/rank_N/*.ckpt`` (or ``.safetensors``). What is written is
    ``dst_checkpoints_dir/rank_N/PREFIXN.ckpt``. Of several files in a folder the last is taken: of
    ``.ckpt`` in the order of their names, of ``.safetensors`` in that of the last two numbers in
    them. All files are written before the first takes its place: a call that raises has changed
    nothing.

    Numbers are moved, never computed with: going to another layout and back gives the same bits.
    What no strategy describes, such as a learning rate, is copied. A parameter that is split in the
    source and that the target's strategy does not describe, such as the state of an optimizer when
    the target is for prediction, is left out with a warning.

    If the target's strategy describes more parameters than the source's, both are of one pipeline
    stage, and the files are ``.ckpt``, then the source is one stage of a pipeline: the files become
    ``PREFIXN_partSTAGE.ckpt``, which :func:`load_segmented_checkpoints` puts together.

    Args:
        src_checkpoints_dir (str): the folder of the source, or a single ``.safetensors`` file.
        dst_checkpoints_dir (str): the folder for the target, which is created if necessary.
        ckpt_prefix (str): the beginning of the names of the new files.
        src_strategy_file (str): how the checkpoints are split, a file or what
            :func:`build_searched_strategy` returns. Default: ``None``, rank 0 has the whole.
        dst_strategy_file (str): how they are to be split. Default: ``None``, one rank has the
            whole.
        process_num (int): how many ranks are written at the same time, by threads. Default: 1.
        output_format (str): ``"ckpt"``, or from ``.safetensors`` files also ``"safetensors"``.
            Default: ``"ckpt"``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a strategy file or checkpoint is missing, damaged or saved with
            remove_redundancy, parameters do not fit the strategies, files of ranks are of different
            steps, `ckpt_prefix` is not the beginning of a file's name, or `process_num` or
            `output_format` is another.
        NotADirectoryError: a folder is a file.
        FileWriteError: a file cannot be written, for example because the disk is full.

    Difference from PyTorch: none (no counterpart; ``torch.distributed.checkpoint`` reads any layout
    into any other).

    Source: behavior observed in MindSpore 2.10, with these differences. There, split parameters
    that the target does not describe are copied as one part of them; transposed tensor maps with
    optimizer shards give wrong numbers; ``.safetensors`` files of pipelines lose parameters that
    stages share; and numbers of devices must be multiples of each other.

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
        ...     strategy = os.path.join(folder, "strategy.json")
        ...     with open(strategy, "w") as file:
        ...         json.dump({"current_stage": 0, "parallel_layout_item": {"w": layout}}, file)
        ...     for rank in (0, 1):
        ...         os.makedirs(os.path.join(folder, f"split/rank_{rank}"))
        ...         part = {"name": "w", "data": ms.Tensor([rank, rank + 10])}
        ...         ms.save_checkpoint([part], os.path.join(folder, f"split/rank_{rank}/net.ckpt"))
        ...     target = os.path.join(folder, "whole")
        ...     ms.transform_checkpoints(os.path.join(folder, "split"), target, "net_", strategy)
        ...     print(ms.load_checkpoint(os.path.join(target, "rank_0/net_0.ckpt"))["w"].asnumpy())
        [ 0 10  1 11]
    """
    op_name = "transform_checkpoints"
    source = path_argument(op_name, "src_checkpoints_dir", src_checkpoints_dir)
    target = path_argument(op_name, "dst_checkpoints_dir", dst_checkpoints_dir)
    _check_outputs(op_name, target, ckpt_prefix, process_num, output_format)
    files, format = _source_files(op_name, source, output_format)
    src = open_strategy(op_name, "src_strategy_file", src_strategy_file)
    dst = open_strategy(op_name, "dst_strategy_file", dst_strategy_file)
    if src is None and dst is None:
        raise ValueError(
            f"For '{op_name}', neither 'src_strategy_file' nor 'dst_strategy_file' is given: there "
            "is nothing to transform. Copy the files instead."
        )
    count = 1 if dst is None else dst.devices * dst.stages
    part = _stage_to_convert(op_name, src, dst, format)
    if part is None:
        ranks = {rank: needed_ranks(src, dst, rank) for rank in range(count)}
    else:
        assert src is not None
        src = src.at_stage(part)
        own = [part * src.devices + rank for rank in range(src.devices)]
        ranks = dict.fromkeys(range(count), own)
    _check_present(op_name, files, ranks)
    _check_complete(op_name, files, format)
    conversion = Conversion(Sources(op_name, files, format), src, dst)
    codec = codec_of(output_format)
    ending = "" if part is None else f"_part{part}"
    with replacing_together() as begin:

        def write(rank: int) -> None:
            name = f"{ckpt_prefix}{rank}{ending}.{output_format}"
            path = os.path.join(target, f"rank_{rank}", name)
            codec.write(begin(path), conversion.entries(rank, ranks[rank]))

        run_each(write, list(ranks), process_num)


def _check_outputs(
    op_name: str, target: str, prefix: Any, process_num: Any, output_format: Any
) -> None:
    if os.path.exists(target) and not os.path.isdir(target):
        raise NotADirectoryError(
            f"For '{op_name}', the path({target}) is a file path, it should be a directory path."
        )
    check_prefix(op_name, prefix)
    check_count(op_name, "process_num", process_num)
    if output_format not in FORMATS:
        raise ValueError(
            f"For '{op_name}', the output_format must be 'safetensors' or 'ckpt', but got "
            f"{output_format!r}."
        )


def check_prefix(op_name: str, prefix: Any) -> None:
    """Raise unless a value can begin the name of a file."""
    if not isinstance(prefix, str):
        raise TypeError(f"The ckpt_prefix should be a str, but got {describe(prefix)}.")
    if ".." in prefix or any(mark in prefix for mark in ("/", "\\", "\0")):
        raise ValueError(
            f"For '{op_name}', ckpt_prefix {prefix!r} is not safe: it is the beginning of a file's "
            "name, without folders and without '..'. Please use a safe one."
        )


def check_count(op_name: str, argument: str, value: Any) -> None:
    """Raise unless a value is a positive number of workers."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"For '{op_name}', '{argument}' must be an int, but got {value!r}.")
    if value < 1:
        raise ValueError(f"For '{op_name}', '{argument}' must be at least 1, but got {value}.")


def _source_files(op_name: str, source: str, output_format: str) -> tuple[dict[int, str], str]:
    """The files by rank, and their format."""
    if os.path.isfile(source):
        if not source.endswith(".safetensors"):
            raise NotADirectoryError(
                f"For '{op_name}', src_checkpoints_dir {source} is not a directory."
            )
        return {0: source}, "safetensors"
    files = {format: rank_files(op_name, source, format) for format in FORMATS}
    if all(files.values()):
        raise ValueError(
            f"For '{op_name}', the 'src_checkpoints_dir' cannot contain both ckpt file and "
            f"safetensors file simultaneously, but '{source}' does."
        )
    format = next((format for format in FORMATS if files[format]), None)
    if format is None:
        raise ValueError(
            f"For '{op_name}', the 'src_checkpoints_dir' can not be empty: there is no file "
            f"'rank_N/*.ckpt' or 'rank_N/*.safetensors' in '{source}'."
        )
    if format == "ckpt" and output_format == "safetensors":
        raise ValueError(
            f"For '{op_name}', 'output_format' can not be 'safetensors' when 'src_checkpoints_dir' "
            "only contains ckpt file; convert the result with ckpt_to_safetensors."
        )
    return files[format], format


def _stage_to_convert(
    op_name: str, src: Strategy | None, dst: Strategy | None, format: str
) -> int | None:
    """The stage of a pipeline that the source is, if it is converted alone."""
    if src is None:
        return None
    stage = src.stage or 0
    single = src.stages == 1 and dst is not None and dst.stages == 1
    if dst is not None and single and format == "ckpt":
        old, new = (_without_state(s.layouts) for s in (src, dst))
        if old < new:
            return stage
    if stage:
        raise ValueError(
            f"For '{op_name}', the strategy file '{src.path}' describes pipeline stage {stage} "
            "alone. Merge the files of all stages with merge_pipeline_strategys first."
        )
    return None


def _without_state(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.startswith(_STATE_PREFIXES)}


def _check_present(op_name: str, files: dict[int, str], ranks: dict[int, list[int]]) -> None:
    for rank, needed in ranks.items():
        missing = sorted(r for r in needed if r not in files)
        if missing:
            raise ValueError(
                f"For '{op_name}', the checkpoint file of rank {missing[0]} is needed for "
                f"converting rank {rank}'s checkpoint, but it is missing."
            )
