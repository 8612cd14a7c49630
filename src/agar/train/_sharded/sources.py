"""The checkpoint files of a program's ranks: finding them, and reading them once."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch  # files hold raw tensors

from agar._core.errors import describe
from agar.train._background import background
from agar.train._formats import codec_of

__all__ = ["Sources", "is_deduplicated", "path_argument", "rank_files"]

_RANK = re.compile(r"rank_(\d{1,9})")
# -EPOCH_STEP at the end of the name of a file that ModelCheckpoint wrote
_STEP = re.compile(r"-(\d+)_(\d+)$")
# A mapped file keeps a handle; of more files than these everything is copied at once.
_MAPPED_FILES = 128


def path_argument(op_name: str, argument: str, value: Any) -> str:
    """A path that was given.

    Raises:
        TypeError: it is neither a str nor a path.
    """
    path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(path, str):
        raise TypeError(
            f"For '{op_name}', the argument '{argument}' should be a string, but got "
            f"{describe(value)}."
        )
    return path


# --------------------------------------------------------------------------------- finding files


def rank_files(op_name: str, folder: str, format: str, suffix: str | None = None) -> dict[int, str]:
    """The checkpoint of each rank: ``FOLDER/rank_N/*.FORMAT``.

    Of several files in a folder the last is taken: of ``.ckpt`` in the order of the names, of
    ``.safetensors`` in the order of the last two numbers in them, as MindSpore does. With a suffix,
    the name must end with it.

    Raises:
        ValueError: two folders are of one rank, no or several names end with the suffix, or the
            files of the ranks are of different steps.
    """
    files: dict[int, str] = {}
    for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        match = _RANK.fullmatch(entry)
        path = os.path.join(folder, entry)
        if match is None or not os.path.isdir(path):
            continue
        names = [
            name
            for name in sorted(os.listdir(path))
            if name.endswith(f".{format}") and os.path.isfile(os.path.join(path, name))
        ]
        if suffix is not None:
            names = [_ending_with(op_name, path, names, suffix, format)]
        if not names:
            continue
        rank = int(match[1])
        if rank in files:
            raise ValueError(
                f"For '{op_name}', '{path}' and '{os.path.dirname(files[rank])}' are both of rank "
                f"{rank}; remove one of them."
            )
        chosen = names[-1] if format == "ckpt" else max(names, key=_last_numbers)
        files[rank] = os.path.join(path, chosen)
    _check_steps(op_name, files)
    return files


def _last_numbers(name: str) -> tuple[list[int], str]:
    return [int(n) for n in re.findall(r"\d+", name)[-2:]], name


def _check_steps(op_name: str, files: Mapping[int, str]) -> None:
    endings = {rank: _STEP.search(os.path.splitext(path)[0]) for rank, path in files.items()}
    matches = {rank: match for rank, match in endings.items() if match}
    if all(int(match[1]) == rank for rank, match in matches.items()):
        return  # somebody's names for ranks
    steps: dict[str, int] = {}
    for rank, match in matches.items():
        steps.setdefault(match[0], rank)
    if len(steps) > 1:
        listed = ", ".join(f"'{files[rank]}' of rank {rank}" for rank in steps.values())
        raise ValueError(
            f"For '{op_name}', the files of the ranks are of different epochs or steps: {listed}. "
            "Leave only the files of one step, as parts of different steps make no checkpoint."
        )


def _ending_with(op_name: str, folder: str, names: Sequence[str], suffix: str, format: str) -> str:
    """The only file that a suffix means."""
    matching = [name for name in names if name.endswith(f"{suffix}.{format}")]
    if not matching:
        raise ValueError(
            f"For '{op_name}', no {format} file in '{folder}' has a name that ends with "
            f"'{suffix}'. Recommend setting file_suffix to the longest common suffix."
        )
    if len(matching) == 1:
        return matching[0]
    # 10_100 means -10_100, and not 110_100; 1-10_100 means _1-10_100, and not rank_1-10_100
    if re.fullmatch(r"_?\d+-\d+_\d+", suffix):
        ending = f"_{suffix.removeprefix('_')}.{format}"
        exact = [n for n in matching if n.endswith(ending) and not n.endswith(f"rank{ending}")]
    elif re.fullmatch(r"-?\d+_\d+", suffix):
        exact = [n for n in matching if n.endswith(f"-{suffix.removeprefix('-')}.{format}")]
    elif re.fullmatch(r"_?\d+", suffix):
        exact = [n for n in matching if n.endswith(f"_{suffix.removeprefix('_')}.{format}")]
    else:
        exact = []
    shortest = [n for n in exact if len(n) == min(map(len, exact))]
    if len(shortest) == 1:
        return shortest[0]
    raise ValueError(
        f"For '{op_name}', multiple {format} files in '{folder}' end with '{suffix}': {matching}. "
        "Please set file_suffix to the longest common suffix."
    )


def is_deduplicated(path: str) -> bool:
    """Whether a safetensors file says that it lacks what other ranks have.

    Raises:
        ValueError: the file is damaged.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            return (file.metadata() or {}).get("remove_redundancy") == "True"
    except (SafetensorError, OSError) as error:
        raise ValueError(f"Failed to read the checkpoint file '{path}': {error}.") from None


# ---------------------------------------------------------------------------------- reading them


class Sources:
    """The files of ranks, each read when it is first asked for.

    Args:
        op_name (str): the function that reads them, for errors.
        files (Mapping): the file of each rank.
        format (str): ``"ckpt"`` or ``"safetensors"``.
        key (tuple): the key and mode of encrypted files. Default: None.
    """

    def __init__(
        self,
        op_name: str,
        files: Mapping[int, str],
        format: str,
        key: tuple[bytes, str] | None = None,
    ) -> None:
        self.op_name = op_name
        self.files = dict(files)
        self._format = format
        self._options = {} if key is None else {"key": key}
        self._copy = os.name == "nt" or len(self.files) > _MAPPED_FILES
        self._read: dict[int, dict[str, torch.Tensor | str]] = {}
        self._locks = {rank: threading.Lock() for rank in self.files}

    def __contains__(self, rank: object) -> bool:
        return rank in self.files

    def of(self, rank: int) -> dict[str, torch.Tensor | str]:
        """The values of a rank's file by name.

        Raises:
            ValueError: the file is missing or damaged.
        """
        with self._locks[rank]:
            if rank not in self._read:
                self._read[rank] = self._values(rank)
            return self._read[rank]

    def _values(self, rank: int) -> dict[str, torch.Tensor | str]:
        path = self.files[rank]
        background.finish(os.path.realpath(path))  # this program may be writing it still
        if not os.path.isfile(path):
            raise ValueError(
                f"For '{self.op_name}', the checkpoint file '{path}' of rank {rank} does not exist."
            )
        try:
            codec = codec_of(self._format)
            return dict(codec.read(path, copy=self._copy, **self._options))
        except (OSError, ValueError) as error:
            raise ValueError(
                f"For '{self.op_name}', the checkpoint file '{path}' of rank {rank} cannot be "
                f"read: {error}"
            ) from error

    def names(self, ranks: Iterable[int]) -> dict[str, None]:
        """The names in the files of some ranks, in the order in which they come."""
        return {name: None for rank in ranks for name in self.of(rank)}

    def first_with(self, name: str, ranks: Iterable[int]) -> int | None:
        """The first of some ranks whose file has a name; None if there is none."""
        return next((r for r in ranks if r in self and name in self.of(r)), None)


def run_each(work: Callable[[Any], None], items: Sequence[Any], workers: int) -> None:
    """Do some work for each item, in threads where several may work; the first error is raised."""
    if workers < 2 or len(items) < 2:
        for item in items:
            work(item)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(workers, len(items))) as pool:
        pending = [pool.submit(work, item) for item in items]
        try:
            for future in pending:
                future.result()
        finally:
            for future in pending:
                future.cancel()
