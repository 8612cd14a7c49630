"""The operations that join rows to batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.core import config
from agar.dataset.engine._checks import (
    Check,
    check_callable,
    check_columns,
    check_names,
    check_workers,
)
from agar.dataset.engine._flow import Flow, Run, failure, processes, reading
from agar.dataset.engine._operation import Operation, checked_rowsize, copy_without, described_by
from agar.dataset.engine._order import RepeatDataset
from agar.dataset.engine._stack import PadInfo, checked_pad_info, pad_shapes, padded, stack
from agar.dataset.engine._sync import multiply_sync
from agar.dataset.engine._values import Row, as_array, copied
from agar.dataset.engine.datasets import Dataset
from agar.log import warning

__all__ = ["BatchDataset", "BatchInfo", "BucketBatchByLengthDataset", "PaddedBatchDataset"]


class BatchInfo:
    """The position of a batch, passed to `batch_size` and `per_batch_map` of :meth:`Dataset.batch`.

    Args:
        epoch (int, optional): the number of the epoch, from 0. Default: ``0``.
        number (int, optional): the number of the batch in the epoch, from 0. Default: ``0``.
    """

    def __init__(self, epoch: int = 0, number: int = 0) -> None:
        self._epoch = epoch
        self._number = number

    def get_batch_num(self) -> int:
        """The number of the batch in the epoch, from 0."""
        return self._number

    def get_epoch_num(self) -> int:
        """The number of the epoch, from 0."""
        return self._epoch


# --- batches -----------------------------------------------------------------------------------


def _grouped(tasks: Iterator[Any], size: int, drop: bool) -> Iterator[list[Any]]:
    while group := list(islice(tasks, size)):
        if len(group) == size or not drop:
            yield group
        if len(group) < size:
            return


def _grouped_by(
    tasks: Iterator[Any], size: Callable[[BatchInfo], int], drop: bool, run: Run
) -> Iterator[list[Any]]:
    number = 0
    while True:
        info = BatchInfo(run.epoch, number)
        expected = size(info)
        if not isinstance(expected, int) or expected <= 0:
            raise RuntimeError(
                "For 'Dataset.batch', batch_size as a function should return a positive int, but "
                f"got {describe(expected)} for batch {number}."
            )
        group = list(islice(tasks, expected))
        if group and (len(group) == expected or not drop):
            yield group
        if len(group) < expected:
            return
        number += 1


class Batched:
    """Work that makes a batch of several tasks."""

    def __init__(
        self,
        inner: Any,
        columns: list[str],
        function: Callable[..., Any] | None,
        places: list[int],
        outputs: list[str],
        rest: list[int] | None,
        pad_info: PadInfo | None,
        copies: bool,
    ) -> None:
        self.inner = inner
        self.columns = columns
        self.function = function
        self.places = places
        self.outputs = outputs
        self.rest = rest
        self.pad_info = pad_info
        self.copies = copies

    def __call__(self, task: tuple[int, int, list[Any]]) -> Row:
        epoch, number, group = task
        inner = self.inner
        rows = group if inner is None else [inner(t) for t in group]
        columns: list[Any] = [list(values) for values in zip(*rows, strict=True)]
        names = self.columns
        if self.function is not None:
            columns, names = self._changed(columns, BatchInfo(epoch, number))
        if self.pad_info is not None:
            self._fill(columns, names)
        return tuple(
            [
                values if isinstance(values, (np.ndarray, dict)) else stack(name, values)
                for name, values in zip(names, columns, strict=True)
            ]
        )

    def _changed(self, columns: list[Any], info: BatchInfo) -> tuple[list[Any], list[str]]:
        """The columns after the program's function of batches."""
        assert self.function is not None
        taken = [columns[i] for i in self.places]
        if self.copies:
            taken = [[copied(v) for v in values] for values in taken]
        reading.enter("the per_batch_map of Dataset.batch", self.function)
        try:
            result = self.function(*taken, info)
        except Exception as error:
            raise failure("For 'Dataset.batch', the per_batch_map", error) from error
        given = result if isinstance(result, tuple) else (result,)
        if len(given) != len(self.outputs):
            raise RuntimeError(
                "For 'Dataset.batch', the number of columns returned in 'per_batch_map' function "
                f"should be {len(self.outputs)}, but got: {len(given)}."
            )
        size = len(columns[0])
        checked = [
            self._checked(name, values, size)
            for name, values in zip(self.outputs, given, strict=True)
        ]
        if self.rest is not None:
            names = [*self.outputs, *(self.columns[i] for i in self.rest)]
            return [*checked, *(columns[i] for i in self.rest)], names
        names = list(self.columns)
        for place, values, name in zip(self.places, checked, self.outputs, strict=True):
            columns[place], names[place] = values, name
        return columns, names

    def _checked(self, name: str, values: Any, size: int) -> Any:
        try:
            if not isinstance(values, (list, tuple)):
                return as_array(values)
            entries = [as_array(value) for value in values]
        except TypeError as error:
            raise RuntimeError(
                "For 'Dataset.batch', the per_batch_map returned what no column can hold for "
                f"'{name}': {error}."
            ) from error
        if entries and len(entries) == size and all(isinstance(v, dict) for v in entries):
            first = entries[0]
            if all(value.keys() == first.keys() for value in entries):
                # what a function of batches gave stays as it is, a list for each key
                return {key: [value[key] for value in entries] for key in first}
        if len(entries) != size:
            raise RuntimeError(
                f"For 'Dataset.batch', column '{name}' expects {size} rows returned from "
                f"'per_batch_map', but got: {len(entries)}; return an array to give another number."
            )
        return entries

    def _fill(self, columns: list[Any], names: list[str]) -> None:
        assert self.pad_info is not None
        for i, name in enumerate(names):
            if self.pad_info and name not in self.pad_info:
                continue
            if isinstance(columns[i], dict) or isinstance(columns[i][0], dict):
                if name in self.pad_info:
                    raise RuntimeError(
                        f"For 'padded_batch', the column '{name}' holds dicts, which cannot be "
                        "filled up; leave it out of pad_info."
                    )
                continue
            shape, fill = self.pad_info.get(name, (None, None))
            expected = pad_shapes(name, columns[i], shape)
            columns[i] = padded(name, columns[i], expected, fill)


def _warn_of_repeat(dataset: Dataset, owner: str) -> None:
    entries = [dataset]
    for node in entries:
        if isinstance(node, RepeatDataset):
            warning(
                f"Repeat is located before {owner}, data from two epochs can be batched together."
            )
            return
        entries.extend(node.children)


@described_by(Dataset.batch)
class BatchDataset(Operation):
    """Rows stacked into batches: the result of :meth:`Dataset.batch`."""

    _owner = "Dataset.batch"

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: int | Callable[[Any], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        python_multiprocessing: bool = False,
        max_rowsize: Any = None,
    ) -> None:
        owner = self._owner
        check = Check(owner)
        self.batch_size_func = batch_size if callable(batch_size) else None
        if self.batch_size_func is None:
            if not isinstance(batch_size, int) or isinstance(batch_size, bool):
                raise TypeError(
                    f"For '{owner}', batch_size should either be an int or a callable, but got "
                    f"{describe(batch_size)}."
                )
            check.whole("batch_size", batch_size, 1)
        self.batch_size: int = 1 if callable(batch_size) else batch_size
        self.drop_remainder = check.flag("drop_remainder", drop_remainder)
        workers = check_workers(owner, num_parallel_workers)
        self.per_batch_map = per_batch_map
        if per_batch_map is not None:
            check_callable(owner, "per_batch_map", per_batch_map)
        elif input_columns is not None or output_columns is not None:
            given = "input_columns" if input_columns is not None else "output_columns"
            raise ValueError(
                f"For '{owner}', {given} can be specified only when per_batch_map is set."
            )
        self.input_columns = (
            [] if input_columns is None else check_names(owner, "input_columns", input_columns)
        )
        self.output_columns = (
            [] if output_columns is None else check_names(owner, "output_columns", output_columns)
        )
        self.python_multiprocessing = check.flag("python_multiprocessing", python_multiprocessing)
        checked_rowsize(check, max_rowsize)
        self.max_rowsize = max_rowsize
        self.pad_info: PadInfo | None = None
        _warn_of_repeat(input_dataset, owner.partition(".")[2])
        multiply_sync(input_dataset, batch_size)
        super().__init__(input_dataset, workers)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy_without(self, memo, ("per_batch_map", "batch_size_func"))

    def _outputs(self) -> tuple[list[str], list[str]]:
        known = list(self._child._columns())
        taken = self.input_columns or known
        check_columns(self._owner, taken, known)
        if self.pad_info:
            check_columns(f"{self._owner}(pad_info)", list(self.pad_info), known)
        return taken, self.output_columns or taken

    def _columns(self) -> list[str]:
        known = self._child._columns()
        taken, given = self._outputs()
        if len(taken) == len(given):
            new = dict(zip(taken, given, strict=True))
            return [new.get(name, name) for name in known]
        return [*given, *(name for name in known if name not in taken)]

    def _size(self) -> int:
        if self.batch_size_func is not None:
            return self._counted()
        rows = self._child.get_dataset_size()
        return rows // self.batch_size if self.drop_remainder else -(-rows // self.batch_size)

    def get_batch_size(self) -> int:
        """The number of rows in a batch; -1 if a function gives it."""
        return -1 if self.batch_size_func is not None else self.batch_size

    def _flow(self, run: Run) -> Flow:
        known = list(self._child._columns())
        taken, given = self._outputs()
        places = [known.index(name) for name in taken]
        rest = None
        if len(taken) != len(given):
            rest = [i for i, name in enumerate(known) if name not in taken]
        flow = self._child._supply(run)
        workers = 0
        if self.per_batch_map is not None and self.python_multiprocessing:
            expected = self.num_parallel_workers
            workers = processes(config.get_num_parallel_workers() if expected is None else expected)
        workers = 0 if run.alone else workers
        function = self.per_batch_map
        # the program may see where its own function runs, so that stays where it was asked for
        joined = (workers > 0 and (flow.workers > 0 or flow.pure)) or (
            workers == 0 and (flow.workers == 0 or function is None)
        )
        size, drop = self.batch_size_func or self.batch_size, self.drop_remainder

        def tasks() -> Iterator[tuple[int, int, list[Any]]]:
            source = flow.tasks() if joined else flow.rows()
            groups = (
                _grouped_by(source, size, drop, run)
                if callable(size)
                else _grouped(source, size, drop)
            )
            return ((run.epoch, number, group) for number, group in enumerate(groups))

        count = None
        if flow.count is not None and not callable(size):
            count = flow.count // size if drop else -(-flow.count // size)
        return Flow(
            run,
            tasks,
            Batched(
                flow.work if joined else None,
                known,
                function,
                places,
                given,
                rest,
                self.pad_info,
                not flow.fresh,
            ),
            advance=flow.advance,
            workers=max(workers, flow.workers) if joined else workers,
            pure=function is None and joined and (flow.pure or flow.work is None),
            fresh=True,
            count=count,
        )


@described_by(Dataset.padded_batch)
class PaddedBatchDataset(BatchDataset):
    """Rows padded and stacked into batches: the result of :meth:`Dataset.padded_batch`."""

    _owner = "Dataset.padded_batch"

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: int | Callable[[Any], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> None:
        info = checked_pad_info(self._owner, pad_info)
        super().__init__(input_dataset, batch_size, drop_remainder, num_parallel_workers)
        self.pad_info = info


@described_by(Dataset.bucket_batch_by_length)
class BucketBatchByLengthDataset(Operation):
    """Batches of rows of similar length: the result of :meth:`Dataset.bucket_batch_by_length`."""

    def __init__(
        self,
        input_dataset: Dataset,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None,
        pad_info: dict[str, Any] | None,
        pad_to_bucket_boundary: bool,
        drop_remainder: bool,
    ) -> None:
        owner = "Dataset.bucket_batch_by_length"
        check = Check(owner)
        self.column_names = check_names(owner, "column_names", column_names)
        check.kind("bucket_boundaries", bucket_boundaries, list, tuple)
        check.kind("bucket_batch_sizes", bucket_batch_sizes, list, tuple)
        if not bucket_boundaries:
            raise ValueError(f"For '{owner}', bucket_boundaries cannot be empty.")
        for i, boundary in enumerate(bucket_boundaries):
            check.whole(f"bucket_boundaries[{i}]", boundary, 1)
            if i and boundary <= bucket_boundaries[i - 1]:
                raise ValueError(
                    f"For '{owner}', bucket_boundaries should be strictly increasing, but got "
                    f"{list(bucket_boundaries)}."
                )
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError(
                f"For '{owner}', bucket_batch_sizes must contain one element more than "
                f"bucket_boundaries, but got {list(bucket_batch_sizes)} for "
                f"{list(bucket_boundaries)}."
            )
        for i, size in enumerate(bucket_batch_sizes):
            check.whole(f"bucket_batch_sizes[{i}]", size, 1)
        if element_length_function is None and len(self.column_names) != 1:
            raise ValueError(
                f"For '{owner}', if element_length_function is not specified, exactly one column "
                f"name should be passed, but got {self.column_names}."
            )
        if element_length_function is not None:
            check_callable(owner, "element_length_function", element_length_function)
        self.bucket_boundaries = list(bucket_boundaries)
        self.bucket_batch_sizes = list(bucket_batch_sizes)
        self.element_length_function = element_length_function
        self.pad_info = checked_pad_info(owner, pad_info) or {}
        self.pad_to_bucket_boundary = check.flag("pad_to_bucket_boundary", pad_to_bucket_boundary)
        self.drop_remainder = check.flag("drop_remainder", drop_remainder)
        super().__init__(input_dataset)

    def _columns(self) -> list[str]:
        known = self._child._columns()
        check_columns("Dataset.bucket_batch_by_length", self.column_names, known)
        check_columns("Dataset.bucket_batch_by_length", list(self.pad_info), known)
        return known

    def _size(self) -> int:
        return self._counted()

    def _flow(self, run: Run) -> Flow:
        names = self._columns()
        places = [names.index(name) for name in self.column_names]
        function = self.element_length_function

        def length(row: Row) -> int:
            values = [row[i] for i in places]
            if function is None:
                return int(values[0].shape[0]) if values[0].ndim else 0
            try:
                return int(function(*values))
            except Exception as error:
                what = "For 'Dataset.bucket_batch_by_length', the element_length_function"
                raise failure(what, error) from error

        def batches(rows: Iterator[Row]) -> Iterator[Row]:
            buckets: list[list[Row]] = [[] for _ in self.bucket_batch_sizes]
            for row in rows:
                size = length(row)
                place = sum(size >= boundary for boundary in self.bucket_boundaries)
                buckets[place].append(row)
                if len(buckets[place]) == self.bucket_batch_sizes[place]:
                    yield self._batch(place, buckets[place], names)
                    buckets[place] = []
            if not self.drop_remainder:
                for place, bucket in enumerate(buckets):
                    if bucket:
                        yield self._batch(place, bucket, names)

        result = self._child._supply(run).over(batches)
        result.fresh = True
        return result

    def _batch(self, place: int, rows: list[Row], names: list[str]) -> Row:
        entries = []
        for name, values in zip(names, zip(*rows, strict=True), strict=True):
            if self.pad_info and name not in self.pad_info:
                entries.append(stack(name, values))
                continue
            shape, fill = self.pad_info.get(name, (None, None))
            if self.pad_to_bucket_boundary:
                shape = list(shape) if shape is not None else [None] * values[0].ndim
                if None in shape and place >= len(self.bucket_boundaries):
                    raise RuntimeError(
                        "For 'Dataset.bucket_batch_by_length', pad_to_bucket_boundary needs an end "
                        "of each bucket, but a row is longer than the last of bucket_boundaries "
                        f"{self.bucket_boundaries}."
                    )
                shape = [
                    self.bucket_boundaries[place] - 1 if size is None else size for size in shape
                ]
            expected = pad_shapes(name, values, shape)
            entries.append(stack(name, padded(name, values, expected, fill)))
        return tuple(entries)
