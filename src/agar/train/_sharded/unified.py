"""Safetensors files of a split program, merged into files of whole parameters."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable
from typing import Any

import torch  # files hold raw tensors

from agar import log
from agar._core.errors import describe
from agar._core.files import replacing_together
from agar.train._formats import codec_of
from agar.train._sharded.conversion import Conversion, needed_ranks
from agar.train._sharded.sources import (
    Sources,
    is_deduplicated,
    path_argument,
    rank_files,
    run_each,
)
from agar.train._sharded.strategy import Strategy, open_strategy
from agar.train._sharded.transform import check_count

__all__ = ["HYPER_FILE", "MAP_FILE", "TRANSIENT", "unified_safetensors"]

HYPER_FILE = "hyper_param.safetensors"
MAP_FILE = "param_name_map.json"
# How much goes into one file, as in MindSpore.
_PART_BYTES = 3 << 30
# Sums of gradients that a step has not used yet: nobody loads them, and the ranks' differ.
TRANSIENT = "accu_grads"


def unified_safetensors(
    src_dir: str,
    src_strategy_file: str,
    dst_dir: str,
    merge_with_redundancy: bool = True,
    file_suffix: str | None = None,
    max_process_num: int = 64,
    choice_func: Callable[[str], bool | str] | None = None,
    split_dst_file: tuple[int, int] | tuple[()] = (),
) -> None:
    """Merge the safetensors files of a split program into files of whole parameters.

    Writes ``part0.safetensors`` and so on, of at most about 3 GiB each; ``param_name_map.json``,
    which says in which file a parameter is; and ``hyper_param.safetensors`` with what the strategy
    does not describe, such as a learning rate, as the first rank of each stage has it. All files
    are written before the first takes its place: a call that raises has changed nothing.

    Accumulated gradients (``accu_grads...``) are left out, and so is what `choice_func` leaves out.

    Args:
        src_dir (str): the folder with ``rank_N/*.safetensors``. Of several files in a folder the
            one is taken in whose name the last two numbers are the largest.
        src_strategy_file (str): how they are split, a file or what
            :func:`build_searched_strategy` returns.
        dst_dir (str): the folder for the new files, which is created if necessary.
        merge_with_redundancy (bool): whether each rank's file has all of its parameters; False if
            they were saved with remove_redundancy. What the files themselves say counts more, with
            a warning. Default: True.
        file_suffix (str): the end of the names of the files to take, such as ``"1-10_100"``.
            Default: None, any.
        max_process_num (int): the largest number of files that are written at the same time, by
            threads. Default: 64.
        choice_func (Callable): takes the name of a parameter of the strategy and returns whether it
            is written, or the name under which it is. Default: None, all are, under their names.
        split_dst_file (tuple): ``(i, n)`` writes the i-th of n portions of the files, for several
            machines that share the work; the first writes ``param_name_map.json`` and
            ``hyper_param.safetensors``. Default: (), all of them.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a file is missing or damaged, a part of a parameter is missing, parameters do
            not fit the strategy, `choice_func` returns something else or a name twice, or another
            argument is out of range.
        FileWriteError: a file cannot be written, for example because the disk is full.

    Difference from PyTorch: none (no counterpart; ``torch.distributed.checkpoint.format_utils``
    makes one file of a distributed checkpoint).

    Source: behavior observed in MindSpore 2.10. There, ``hyper_param.safetensors`` holds parts of
    accumulated gradients and of what `choice_func` leaves out, and lacks the values of later
    pipeline stages.

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
        ...         path = os.path.join(folder, f"rank_{rank}", "net.safetensors")
        ...         os.makedirs(os.path.dirname(path))
        ...         part = {"name": "w", "data": ms.Tensor([rank, rank + 10])}
        ...         ms.save_checkpoint([part], path, format="safetensors")
        ...     whole = os.path.join(folder, "whole")
        ...     ms.unified_safetensors(folder, strategy, whole)
        ...     file = os.path.join(whole, "part0.safetensors")
        ...     print(ms.load_checkpoint(file, format="safetensors")["w"].asnumpy())
        [ 0 10  1 11]
    """
    op_name = "unified_safetensors"
    source = path_argument(op_name, "src_dir", src_dir)
    target = path_argument(op_name, "dst_dir", dst_dir)
    _check_arguments(op_name, source, target, merge_with_redundancy, file_suffix, choice_func)
    check_count(op_name, "max_process_num", max_process_num)
    number, count = _portion(op_name, split_dst_file)
    src = open_strategy(op_name, "src_strategy_file", src_strategy_file)
    if src is None:
        raise ValueError(
            f"For '{op_name}', 'src_strategy_file' must be given: it says how the files are split."
        )
    files = _files(op_name, source, src, file_suffix)
    complete = merge_with_redundancy and not _are_deduplicated(op_name, files)
    conversion = Conversion(Sources(op_name, files, "safetensors"), src, None, complete)
    plan = _Plan(op_name, conversion, src, files, choice_func)
    codec = codec_of("safetensors")
    with replacing_together() as begin:

        def write(part: int) -> None:
            path = os.path.join(target, f"part{part}.safetensors")
            codec.write(begin(path), plan.entries(part))

        own = _share(len(plan.parts), number, count)
        run_each(write, own, min(max_process_num, os.cpu_count() or 1))
        if number == 1:
            with open(begin(os.path.join(target, MAP_FILE)), "wb") as file:
                file.write(plan.map().encode())
                file.flush()
                os.fsync(file.fileno())
            if plan.other:
                codec.write(begin(os.path.join(target, HYPER_FILE)), plan.other_entries())


def _check_arguments(
    op_name: str, source: str, target: str, redundancy: Any, suffix: Any, choice_func: Any
) -> None:
    if os.path.isfile(source):
        raise ValueError(f"For '{op_name}', the 'src_dir' can not be a file, but got '{source}'.")
    if os.path.exists(target) and not os.path.isdir(target):
        raise NotADirectoryError(
            f"For '{op_name}', the path({target}) is a file path, it should be a directory path."
        )
    if not isinstance(redundancy, bool):
        raise TypeError(
            f"For '{op_name}', 'merge_with_redundancy' must be a bool, but got {redundancy!r}."
        )
    if suffix is not None and not isinstance(suffix, str):
        raise TypeError(f"For '{op_name}', 'file_suffix' must be a str, but got {suffix!r}.")
    if choice_func is not None and not callable(choice_func):
        raise TypeError(
            f"For '{op_name}', 'choice_func' must be callable, but got {describe(choice_func)}."
        )


def _portion(op_name: str, given: Any) -> tuple[int, int]:
    if isinstance(given, tuple) and not given:
        return 1, 1
    if (
        not isinstance(given, (tuple, list))
        or len(given) != 2
        or not all(isinstance(n, int) and not isinstance(n, bool) for n in given)
        or not 1 <= given[0] <= given[1]
    ):
        raise ValueError(
            f"For '{op_name}', 'split_dst_file' must be (i, n) with 1 <= i <= n: the number of "
            f"this portion, and how many there are; but got {given!r}."
        )
    return given[0], given[1]


def _share(total: int, number: int, count: int) -> range:
    """The files of a portion; the first portions have one more where the division leaves some."""
    each, more = divmod(total, count)
    start = each * (number - 1) + min(number - 1, more)
    return range(start, start + each + (number <= more))


def _files(op_name: str, source: str, src: Strategy, suffix: str | None) -> dict[int, str]:
    """The files of all ranks; those that each parameter needs at least are there."""
    if src.stage:
        raise ValueError(
            f"For '{op_name}', the strategy file '{src.path}' describes pipeline stage {src.stage} "
            "alone. Merge the files of all stages with merge_pipeline_strategys first."
        )
    count = src.devices * src.stages
    files = rank_files(op_name, source, "safetensors", suffix)
    if files and rank_files(op_name, source, "ckpt"):
        raise ValueError(
            f"For '{op_name}', the 'src_dir' cannot contain both ckpt file and safetensors file "
            f"simultaneously, but '{source}' does."
        )
    for rank in sorted(needed_ranks(src, None, 0)):
        if rank not in files:
            raise ValueError(
                f"For '{op_name}', the safetensors file of rank {rank} is needed, but there is no "
                f"'{os.path.join(source, f'rank_{rank}', '*.safetensors')}'."
            )
    beyond = sorted(rank for rank in files if rank >= count)
    if beyond:
        raise ValueError(
            f"For '{op_name}', there is a file '{files[beyond[0]]}', but the strategy file "
            f"'{src.path}' describes {count} ranks. Please check whether they belong together."
        )
    return files


def _are_deduplicated(op_name: str, files: dict[int, str]) -> bool:
    marked = [path for path in files.values() if is_deduplicated(path)]
    if marked:
        log.warning(
            "For '%s', '%s' was saved with remove_redundancy: parameters are looked for in the "
            "files of all ranks that have copies.",
            op_name,
            marked[0],
        )
    return bool(marked)


class _Plan:
    """Which parameter goes into which file.

    Attributes:
        parts: the parameters of each file.
        other: the names of values that the strategy does not describe.
    """

    def __init__(
        self,
        op_name: str,
        conversion: Conversion,
        src: Strategy,
        files: dict[int, str],
        choice_func: Callable[[str], Any] | None,
    ) -> None:
        self._conversion = conversion
        self._ranks = sorted(files, reverse=True)
        names = sorted(conversion.names(self._ranks))
        self.other = [name for name in names if name not in src.layouts]
        self._new_names: dict[str, str] = {}
        sizes: dict[str, int] = {}
        for name in names:
            if name in src.layouts and not name.startswith(TRANSIENT):
                new = _chosen(op_name, name, choice_func)
                if new is not None:
                    self._new_names[name] = new
                    sizes[name] = conversion.full_bytes(name)
        _check_names(op_name, self._new_names)
        if not sizes:
            raise ValueError(
                f"For '{op_name}', no parameter of the strategy file '{src.path}' is in the files"
                + (", or 'choice_func' chose none." if choice_func else ".")
                + " Please check whether they belong together."
            )
        self._total = sum(sizes.values())
        self.parts = _balanced(sizes, min(math.ceil(self._total / _PART_BYTES) or 1, len(sizes)))

    def entries(self, part: int) -> Iterable[tuple[str, torch.Tensor | str]]:
        """The names and values of a file."""
        for name in self.parts[part]:
            yield self._new_names[name], self._conversion.parameter(name, 0)

    def other_entries(self) -> Iterable[tuple[str, torch.Tensor | str]]:
        """The names and values that the strategy does not describe."""
        return ((name, self._conversion.copied(name, 0, self._ranks)) for name in self.other)

    def map(self) -> str:
        """The content of the file that says where each parameter is."""
        where = {
            self._new_names[name]: f"part{part}.safetensors"
            for part, names in enumerate(self.parts)
            for name in names
        }
        return json.dumps({"metadata": {"total_size": self._total}, "weight_map": where}, indent=4)


def _chosen(op_name: str, name: str, choice_func: Callable[[str], Any] | None) -> str | None:
    """The name under which a parameter is written; None if it is left out."""
    choice = True if choice_func is None else choice_func(name)
    if not isinstance(choice, (bool, str)):
        raise ValueError(
            f"For '{op_name}', the return value type of the function 'choice_func' must be bool or "
            f"str, but got {type(choice)} for '{name}'."
        )
    if isinstance(choice, str):
        return choice
    return name if choice else None


def _check_names(op_name: str, new_names: dict[str, str]) -> None:
    first: dict[str, str] = {}
    for name, new in new_names.items():
        if first.setdefault(new, name) != name:
            raise ValueError(
                f"For '{op_name}', 'choice_func' gives '{first[new]}' and '{name}' the same name "
                f"'{new}'."
            )


def _balanced(sizes: dict[str, int], count: int) -> list[list[str]]:
    """Names in groups of about the same size: the largest first, each to the smallest group."""
    groups: list[list[str]] = [[] for _ in range(count)]
    totals = [0] * count
    for name in sorted(sizes, key=lambda n: -sizes[n]):
        smallest = totals.index(min(totals))
        groups[smallest].append(name)
        totals[smallest] += sizes[name]
    return groups
