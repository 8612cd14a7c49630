"""Pipelines over datasets with a cache."""

from __future__ import annotations

import copy
import functools
import itertools
import tempfile
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._random import SHUFFLED_ROWS, Engine64, mixed
from agar.dataset.engine._values import Row, copied
from agar.dataset.engine.cache_client import DatasetCache
from agar.dataset.engine.samplers import Shuffle

__all__ = ["StoredRows", "cached"]


class _Entry(NamedTuple):
    """A stored row: in memory, or where its arrays lie in the file."""

    row: Row | None
    places: tuple[tuple[int, np.dtype[Any], tuple[int, ...]], ...]
    nbytes: int


def _bytes_of(row: Row) -> int | None:
    """How large a row is; None for a row with dicts or objects, whose size is not known."""
    if all(type(value) is np.ndarray and not value.dtype.hasobject for value in row):
        return sum(value.nbytes for value in row)
    return None


class StoredRows:
    """The rows of one dataset in a cache, by the index of the sample or the place in the files.

    Args:
        cache (DatasetCache): bounds the memory of all its datasets.
    """

    def __init__(self, cache: DatasetCache) -> None:
        self._cache = cache
        self._rows: dict[int, _Entry] = {}
        self._file: Any = None
        self._end = 0
        #: the bytes of the rows in memory
        self.used = 0
        #: whether all rows of a source that is read in order are kept
        self.whole = False
        cache._stores.add(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> StoredRows:
        return self  # a copy of the dataset has the same rows

    def __reduce__(self) -> Any:
        return StoredRows, (self._cache,)

    def __len__(self) -> int:
        return len(self._rows)

    def entries(self) -> list[_Entry]:
        """What is store."""
        return list(self._rows.values())

    def get(self, key: int) -> Row | None:
        """A row that is kept, else None."""
        entry = self._rows.get(key)
        if entry is None:
            return None
        if entry.row is not None:
            return tuple(map(copied, entry.row))
        with self._cache._lock:
            return tuple(self._load(*place) for place in entry.places)

    def _load(self, start: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
        result = np.empty(shape, dtype)
        self._file.seek(start)
        content = self._file.read(result.nbytes)
        return np.frombuffer(content, dtype).reshape(shape).copy() if content else result

    def put(self, key: int, row: Row) -> bool:
        """Keep a row, if there is room for it; whether there was."""
        if key in self._rows:
            return True
        size = _bytes_of(row)
        with self._cache._lock:
            if size is None or self._cache._fits(size):
                self._rows[key] = _Entry(tuple(map(copied, row)), (), size or 0)
                self.used += size or 0
            elif self._cache.spilling:
                self._rows[key] = _Entry(None, tuple(map(self._spill, row)), size)
            else:
                return False
        return True

    def _spill(self, value: np.ndarray) -> tuple[int, np.dtype[Any], tuple[int, ...]]:
        if self._file is None:
            # open for as long as the rows are kept; the system removes it with its last user
            self._file = tempfile.TemporaryFile(prefix="agar-cache-")  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        start = self._end
        self._file.seek(start)
        self._file.write(value.tobytes())
        self._end += value.nbytes
        return start, value.dtype, value.shape


#: what may be below a cache, beside sources: one row for each row, in its order
_ROW_BY_ROW = ("MapDataset", "ProjectDataset", "RenameDataset")


def cached(dataset: Any, run: Run) -> Flow:
    """A dataset with a cache within a running pipeline.

    Raises:
        RuntimeError: what is cached would not be the same each time.
    """
    source = _source_below(dataset)
    store = dataset._stored_rows
    before = len(run.random_operations)
    alone, run.alone = run.alone, True  # one process reads what is kept
    try:
        in_order = source._flow(Run(alone=True)).work is None
        limit, shuffled = source.num_samples, in_order and source.is_shuffled()
        flow = (_as_in_files(dataset) if shuffled else dataset)._flow(run)
    finally:
        run.alone = alone
    if len(run.random_operations) > before:
        raise RuntimeError(
            f"For '{type(dataset).__name__}' with a cache, random operations are not supported as "
            "descendants of a cache: they would draw once for all epochs. Give the cache to a "
            "dataset below them."
        )
    if not in_order:
        return Flow(
            run,
            flow.tasks,
            functools.partial(_row_of, store, flow.work),
            advance=flow.advance,
            fresh=True,
            count=flow.count,
        )
    engine = Engine64(run.seed)

    def rows() -> Iterator[Row]:
        if not shuffled:
            return _in_order(store, flow)
        mixing = mixed(_in_order(store, flow), engine, SHUFFLED_ROWS)
        return itertools.islice(mixing, limit or None)

    return Flow(run, rows, advance=flow.advance, fresh=True, count=flow.count)


def _row_of(store: StoredRows, work: Callable[[Any], Row], task: Any) -> Row:
    """A row of a sample, which is read where it is not store."""
    row = store.get(task)
    if row is None:
        row = work(task)
        store.put(int(task), row)
    return row


def _in_order(store: StoredRows, flow: Flow) -> Iterator[Row]:
    """The rows of an epoch of files, from the cache once it holds them all."""
    if store.whole:
        flow.advance()
        for place in range(len(store)):
            row = store.get(place)
            assert row is not None
            yield row
        return
    every = True
    for place, row in enumerate(flow.rows()):
        every = store.put(place, row) and every
        yield row
    store.whole = every  # a row without room would leave a hole


def _as_in_files(dataset: Any) -> Any:
    """A copy whose source gives every row in the order of its files."""
    result = copy.copy(dataset)
    if result.children:
        result.children = [_as_in_files(child) for child in result.children]
    else:
        result._shuffle = Shuffle.FALSE
        result.num_samples = 0
    return result


def _source_below(dataset: Any) -> Any:
    """The source of a dataset with a cache.

    Raises:
        RuntimeError: something below the cache cannot be cached.
    """
    one = dataset
    while True:
        name = type(one).__name__
        if one is not dataset and one.cache is not None:
            raise RuntimeError(
                "Nested cache operations are not supported: give a cache to one of "
                f"'{type(dataset).__name__}' and the '{name}' below it."
            )
        steps = (
            (bool(one.children) and name not in _ROW_BY_ROW, "it changes which rows there are"),
            (bool(getattr(one, "callbacks", None)), "its callbacks would miss later epochs"),
            (getattr(one, "has_batch_sampler", False), "it gives batches"),
        )
        for refused, why in steps:
            if refused:
                raise RuntimeError(
                    f"'{name}' is not supported as a descendant of the cache of "
                    f"'{type(dataset).__name__}': {why}. Give the cache to a dataset below it, or "
                    "leave it out."
                )
        if not one.children:
            return one
        one = one.children[0]
