"""Rows of MindRecord files as a dataset, and the orders in which MindSpore shuffles them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar._core.random.engines import MinStd
from agar._core.random.index_draws import shuffle_order
from agar.dataset.engine import samplers
from agar.dataset.engine._checks import Check, check_names
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._operation import copy_without
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import MappableDataset, UnionBaseDataset
from agar.dataset.engine.samplers import Shuffle
from agar.mindrecord.filereader import Records

__all__ = ["MindDataset"]

_AT_ONCE = 1_000_000  # rows that Shuffle.PARTIAL shuffles together
_SAMPLERS = (
    samplers.SubsetSampler,
    samplers.PKSampler,
    samplers.RandomSampler,
    samplers.SequentialSampler,
    samplers.DistributedSampler,
)


class MindDataset(MappableDataset, UnionBaseDataset):
    """Rows of MindRecord files.

    Args:
        dataset_files (Union[str, list[str]]): one file of a set, all of which are read; or a list
            of files, of which those alone are read.
        columns_list (list[str], optional): the fields that become columns. Default: ``None``, all.
        num_parallel_workers (int, optional): accepted: rows are read where they are used.
            Default: ``None``.
        shuffle (Union[bool, Shuffle], optional): whether and how rows are shuffled in each epoch:
            ``Shuffle.GLOBAL`` all, ``Shuffle.FILES`` the files, ``Shuffle.INFILE`` rows within each
            file, ``Shuffle.PARTIAL`` files and then a million rows at a time; ``Shuffle.ADAPTIVE``
            one of them by size. Default: ``None``, ``Shuffle.ADAPTIVE``.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        sampler (Sampler, optional): gives the order: a SubsetRandomSampler, SubsetSampler,
            PKSampler, RandomSampler, SequentialSampler or DistributedSampler. Default: ``None``.
        padded_sample (dict, optional): a row that fills up, by columns. Default: ``None``.
        num_padded (int, optional): how many such rows follow the others. Default: ``None``.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        ValueError: arguments contradict each other, or a file is missing or damaged (also while
            rows are read).
        TypeError: an argument has the wrong type.
        RuntimeError: there is no such column, or the padded row is not given.

    Difference from PyTorch: no counterpart.

    Source: behavior and orders observed in MindSpore 2.10; the order of rows that are drawn with
    replacement (`shuffle` together with `num_samples`) is that of RandomSampler, not MindSpore's.

    Examples:
        >>> import os, tempfile
        >>> import agar.dataset as ds
        >>> from agar.mindrecord import FileWriter
        >>> file = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(file)
        >>> writer.add_schema({"label": {"type": "int32"}, "data": {"type": "bytes"}})
        >>> writer.write_raw_data([{"label": i, "data": b"%d" % i} for i in range(3)])
        >>> writer.commit()
        >>> data = ds.MindDataset(file, ["label"], shuffle=False)
        >>> [int(label) for (label,) in data.create_tuple_iterator(num_epochs=1)]
        [0, 1, 2]
    """

    def __init__(
        self,
        dataset_files: str | list[str],
        columns_list: list[str] | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        sampler: Any = None,
        padded_sample: dict[str, Any] | None = None,
        num_padded: int | None = None,
        num_samples: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check("MindDataset")
        check.kind("dataset_files", dataset_files, str, list)
        for path in [dataset_files] if isinstance(dataset_files, str) else dataset_files:
            check.kind("dataset_files", path, str)
            if not os.path.isfile(path) or not os.access(path, os.R_OK):
                raise ValueError(f"The file {path} does not exist or permission denied!")
        if sampler is not None and not isinstance(sampler, _SAMPLERS):
            raise ValueError(f"The sampler {describe(sampler)} is not supported by MindDataset.")
        if num_samples and shuffle in (Shuffle.FILES, Shuffle.INFILE):
            raise ValueError(
                "'Shuffle.FILES' or 'Shuffle.INFILE' and 'num_samples' cannot be specified at the "
                "same time."
            )
        _check_padded(columns_list, padded_sample, num_padded, shuffle)
        super().__init__(
            num_parallel_workers=num_parallel_workers,
            sampler=sampler,
            num_samples=num_samples,
            shuffle=None if shuffle is Shuffle.ADAPTIVE else shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        if columns_list is not None:
            check_names("MindDataset", "columns_list", columns_list)
        self.dataset_files = dataset_files
        self._records = Records(dataset_files)
        unknown = [name for name in columns_list or () if name not in self._records.schema]
        if unknown:
            raise RuntimeError(
                f"For 'MindDataset', the columns {unknown} are not in the file, which has "
                f"{sorted(self._records.schema)}."
            )
        self.columns_list = columns_list or sorted(self._records.schema)
        self.shuffle_option = shuffle
        self.padded_sample = padded_sample
        self.num_padded = num_padded or 0
        self._reader = _Read(self._records, self.columns_list, padded_sample)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy_without(self, memo, ("_records", "_reader"))

    def _length(self) -> int:
        return len(self._records) + self.num_padded

    def _columns(self) -> list[str]:
        return list(self.columns_list)

    def _labels(self) -> Any:
        sampler = self.sampler
        column = getattr(sampler, "class_column", None)
        if not isinstance(sampler, samplers.PKSampler):
            return None
        if column not in self._records.schema:
            raise RuntimeError(
                f"For 'MindDataset', PKSampler needs a 'class_column' among "
                f"{sorted(self._records.schema)}, but got {column!r}."
            )
        return lambda: np.array([row[column] for row in self._records])

    def _orders(self, run: Run) -> Iterator[Sequence[int]]:
        own = self._own_orders(run.seed)
        return super()._orders(run) if own is None else own

    def _own_orders(self, seed: int) -> Iterator[Sequence[int]] | None:
        """The orders that MindSpore gives, or None where the sampler gives them."""
        sampler, count = self.sampler, self._length()
        if sampler is None or sampler.child_sampler is not None or self.num_padded:
            return None
        sizes = [len(places) for places in self._records._places]
        if isinstance(sampler, samplers.RandomSampler) and not sampler.replacement:
            mode = sampler.get_shuffle_mode()
            if mode in (Shuffle.FILES, Shuffle.INFILE, Shuffle.PARTIAL):
                return _by_files(sizes, seed, mode)
            return _cumulative(count, seed, sampler.num_samples)
        if isinstance(sampler, samplers.SubsetRandomSampler):
            return _subset(list(sampler.indices), seed)
        if isinstance(sampler, samplers.DistributedSampler) and sampler.is_shuffled():
            mode = sampler.get_shuffle_mode()
            if mode is Shuffle.GLOBAL and sampler.offset == -1:
                return _sharded(
                    count, seed, sampler.num_shards, sampler.shard_id, sampler.num_samples
                )
        return None

    def _flow(self, run: Run) -> Flow:
        orders = self._orders(run)

        def skip() -> None:
            next(orders)

        return Flow(
            run,
            lambda: iter(next(orders)),
            self._reader,
            advance=skip,
            pure=True,
            fresh=True,
            count=self.get_dataset_size(),
        )

    def __getitem__(self, index: int) -> Any:
        Check("MindDataset").kind("index", index, int, np.number)
        if index < 0:
            raise ValueError(f"index cannot be negative, but got {index}.")
        order = next(self._orders(Run(alone=True)))
        return list(self._reader(order[int(index)]))


class _Read:
    """Reads a row of the files as arrays."""

    def __init__(self, records: Records, columns: list[str], padded: Any) -> None:
        self.records = records
        self.columns = columns
        self.padded = padded

    def __call__(self, index: int) -> Row:
        if index >= len(self.records):
            row = self.padded
        else:
            row = self.records[index]
        schema = self.records.schema
        return tuple([_array(row[name], schema[name]["type"]) for name in self.columns])


def _array(value: Any, kind: str) -> np.ndarray:
    if isinstance(value, bytes):
        # of its whole length: zeros at the end belong to it
        return np.frombuffer(value, f"S{max(len(value), 1)}") if value else np.array([b""])
    if isinstance(value, np.ndarray):
        return value
    return np.array(value) if kind == "string" else np.array(value, kind)


def _check_padded(columns: Any, sample: Any, number: Any, shuffle: Any) -> None:
    check = Check("MindDataset")
    if sample is None:
        if number is not None:
            raise RuntimeError("num_padded is specified but padded_sample is not.")
        return
    check.kind("padded_sample", sample, dict)
    if number is None:
        raise RuntimeError("padded_sample is specified and requires num_padded as well.")
    check.kind("num_padded", number, int)
    if number < 0:
        raise ValueError("num_padded must be greater than or equal to zero.")
    if columns is None:
        raise RuntimeError("padded_sample is specified and requires columns_list as well.")
    if any(name not in sample for name in columns):
        raise ValueError("padded_sample cannot match columns_list.")


# NOTE Orders. Every epoch has an engine of its own, seeded with the pipeline's seed plus the number
# of the epoch, from 1. It shuffles what the epoch before left, but for parts of a divided dataset.


def _shuffled(count: int, seed: int) -> np.ndarray:
    return shuffle_order(count, MinStd(seed))


def _cumulative(count: int, seed: int, limit: int | None) -> Iterator[Sequence[int]]:
    order = np.arange(count)
    while True:
        seed += 1
        order = order[_shuffled(len(order), seed)][: limit or None]
        yield order.tolist()


def _subset(indices: list[int], seed: int) -> Iterator[Sequence[int]]:
    chosen = np.array(indices)[_shuffled(len(indices), seed + 1)].tolist()
    while True:
        yield chosen


def _sharded(
    count: int, seed: int, shards: int, shard: int, limit: int | None
) -> Iterator[Sequence[int]]:
    size = -(-count // shards)
    while True:
        seed += 1
        order = _shuffled(count, seed)
        yield order[np.arange(shard, size * shards, shards) % count][: limit or None].tolist()


def _by_files(sizes: list[int], seed: int, mode: Shuffle) -> Iterator[Sequence[int]]:
    places = np.cumsum(sizes)[:-1]
    first = order = np.arange(sum(sizes))
    while True:
        seed += 1
        # MindSpore cuts what the epoch before left at the places where files end at first
        parts = np.split(first if mode is Shuffle.PARTIAL else order, places)
        if mode is Shuffle.INFILE:
            parts = [part[_shuffled(len(part), seed)] for part in parts]
        else:
            parts = [parts[i] for i in _shuffled(len(parts), seed)]
        order = np.concatenate(parts)
        if mode is Shuffle.PARTIAL:
            pieces = [order[i : i + _AT_ONCE] for i in range(0, len(order), _AT_ONCE)]
            order = np.concatenate([piece[_shuffled(len(piece), seed)] for piece in pieces])
        yield order.tolist()
