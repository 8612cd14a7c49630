"""Files that are read from first to last: in which order their rows come, and which of them."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from agar._core.errors import describe
from agar._core.file_reading import reading as reading_file
from agar.dataset.core import config
from agar.dataset.engine._checks import Check, check_source
from agar.dataset.engine._flow import Flow, Run, reading
from agar.dataset.engine._random import SHUFFLED_ROWS, Engine64, mixed
from agar.dataset.engine._values import Row, listed
from agar.dataset.engine.datasets import SourceDataset
from agar.dataset.engine.samplers import Shuffle
from agar.dataset.transforms._random import Engine

__all__ = ["LineFiles", "find_files", "text"]


def find_files(owner: str, argument: str, patterns: Any) -> list[str]:
    """The files of patterns.

    Raises:
        TypeError: they are not strings.
        ValueError: no file is found for one of them.
    """
    check = Check(owner)
    check.kind(argument, patterns, str, list)
    entries: list[str] = []
    missing = []
    for pattern in listed(patterns):
        check.kind(f"the elements of {argument}", pattern, str)
        files = [path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path)]
        entries += files
        if not files:
            missing.append(pattern)
    if missing:
        raise ValueError(
            f"For '{owner}', the following patterns did not match any files: {missing}."
        )
    if not entries:
        raise ValueError(f"For '{owner}', the list '{argument}' of files is empty.")
    return entries


def text(value: str) -> np.ndarray:
    """A string as the value of a column."""
    return np.array(value)


class LineFiles(SourceDataset):
    """Base of datasets of files that are read from first to last.

    Several workers would each read a file, and their rows come by turns: that order is kept here,
    without the workers. With Shuffle.GLOBAL the files are shuffled, and the rows in a buffer.
    """

    _owner = ""
    _names: ClassVar[list[str]]

    def __init__(
        self,
        files: list[str],
        *,
        num_samples: int | None,
        num_parallel_workers: int | None,
        shuffle: bool | Shuffle | None,
        num_shards: int | None,
        shard_id: int | None,
        cache: Any = None,
    ) -> None:
        check_source(
            self._owner,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        if shuffle not in (None, True, False, Shuffle.FALSE, Shuffle.GLOBAL, Shuffle.FILES):
            raise TypeError(
                f"For '{self._owner}', shuffle must be a bool, Shuffle.GLOBAL or Shuffle.FILES, "
                f"but got {describe(shuffle)}."
            )
        super().__init__(num_parallel_workers, num_samples, shuffle, num_shards, shard_id, cache)
        self._files = files
        self._counts: list[int] | None = None

    def _rows_of(self, file: str) -> Iterator[Row]:
        """The rows of a file."""
        raise NotImplementedError(f"'{type(self).__name__}' must define how files are read.")

    def _read_rows(self, file: str) -> Iterator[Row]:
        """The rows of a file; damaged files end them with a RuntimeError."""
        with reading_file(self._owner, file):
            yield from self._rows_of(file)

    def _columns(self) -> list[str]:
        return self._names

    def _counted_rows(self) -> list[int]:
        """The number of rows of each file."""
        if self._counts is None:
            self._counts = [sum(1 for _ in self._read_rows(file)) for file in self._files]
        return self._counts

    def _share(self, total: int) -> int:
        return -(-total // self.num_shards)

    def _size(self) -> int:
        size = self._share(sum(self._counted_rows()))
        return min(size, self.num_samples) if self.num_samples else size

    def _parts(self, order: list[int]) -> list[tuple[str, int, int]]:
        """The pieces of files that this shard reads: file, first row, row behind the last."""
        if self.num_shards == 1:
            return [(self._files[i], 0, -1) for i in order]
        counts = self._counted_rows()
        total = sum(counts)
        share = self._share(total)
        start, end = self.shard_id * share, (self.shard_id + 1) * share
        entries = []
        before = 0
        while before < end and total:  # the last shards go on with the first rows
            for i in order:
                first, last = max(start - before, 0), min(end - before, counts[i])
                if first < last:
                    entries.append((self._files[i], first, last))
                before += counts[i]
        return entries

    def _in_turns(self, parts: list[tuple[str, int, int]]) -> Iterator[Row]:
        """The rows as several workers would give them."""
        workers = self.num_parallel_workers or config.get_num_parallel_workers()
        workers = max(min(workers, len(self._files)), 1)
        queues: list[Iterator[Row]] = [
            self._pieces(parts[i::workers]) for i in range(min(workers, len(parts)))
        ]
        number = 0
        while queues:
            left = []
            for queue in queues:
                for row in queue:
                    reading.sample = number
                    number += 1
                    yield row
                    left.append(queue)
                    break
            queues = left

    def _pieces(self, parts: list[tuple[str, int, int]]) -> Iterator[Row]:
        for file, first, last in parts:
            rows = self._read_rows(file)
            yield from islice(rows, first, None if last < 0 else last)

    def _flow(self, run: Run) -> Flow:
        order = list(range(len(self._files)))
        mixing = Engine64(run.seed)
        begun = 0

        def arranged() -> list[tuple[str, int, int]]:
            nonlocal begun
            begun += 1
            if self._shuffle is not Shuffle.FALSE:
                # shards must agree on the order of the files, whatever the seed
                seed = run.seed if self.num_shards == 1 else begun
                Engine(seed & 0xFFFFFFFF).shuffle(order)
            return self._parts(order)

        def rows() -> Iterator[Row]:
            source = self._in_turns(arranged())
            if self.num_samples:
                source = islice(source, self.num_samples)
            return (
                mixed(source, mixing, SHUFFLED_ROWS) if self._shuffle is Shuffle.GLOBAL else source
            )

        def advance() -> None:
            if self._shuffle is Shuffle.GLOBAL:
                for _ in range(self.get_dataset_size()):
                    mixing()
            arranged()

        return Flow(run, rows, advance=advance, fresh=True)
