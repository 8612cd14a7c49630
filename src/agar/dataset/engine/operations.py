"""The operations on datasets, each a dataset of its own."""

from __future__ import annotations

import copy
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.core import config
from agar.dataset.engine._checks import (
    INT32,
    Check,
    check_callable,
    check_columns,
    check_names,
    check_workers,
)
from agar.dataset.engine._flow import Flow, Run, failure, name_of, processes, reading
from agar.dataset.engine._random import Engine64, mixed
from agar.dataset.engine._stack import PadInfo, checked_pad_info, pad_shapes, padded, stack
from agar.dataset.engine._values import Row, as_array, copied, listed
from agar.dataset.engine.datasets import Dataset, MappableDataset, UnionBaseDataset
from agar.dataset.engine.samplers import DistributedSampler, RandomSampler, SequentialSampler
from agar.dataset.transforms._random import Engine
from agar.log import warning

__all__ = [
    "BatchDataset",
    "BatchInfo",
    "BlockReleasePair",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "FilterDataset",
    "MapDataset",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RenameDataset",
    "RepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "TransferDataset",
    "ZipDataset",
]


class BatchInfo:
    """Which batch of which epoch it is; given to functions of batches."""

    def __init__(self, epoch: int = 0, number: int = 0) -> None:
        self._epoch = epoch
        self._number = number

    def get_batch_num(self) -> int:
        """The number of the batch in the epoch, from 0 on."""
        return self._number

    def get_epoch_num(self) -> int:
        """The number of the epoch, from 0 on."""
        return self._epoch


class _Operation(UnionBaseDataset):
    """An operation on one dataset."""

    @property
    def _child(self) -> Dataset:
        return self.children[0]


# --- columns -----------------------------------------------------------------------------------


class _Picked:
    """Work that takes some columns."""

    def __init__(self, places: Sequence[int]) -> None:
        self.places = tuple(places)

    def __call__(self, row: Row) -> Row:
        return tuple([row[i] for i in self.places])


class ProjectDataset(_Operation):
    """Some columns of a dataset, see :meth:`Dataset.project`."""

    def __init__(self, input_dataset: Dataset, columns: Any) -> None:
        self.columns = check_names("Dataset.project", "columns", columns)
        super().__init__(input_dataset)

    def _columns(self) -> list[str]:
        check_columns("Dataset.project", self.columns, self._child._columns())
        return self.columns

    def _flow(self, run: Run) -> Flow:
        places = check_columns("Dataset.project", self.columns, self._child._columns())
        return self._child._flow(run).then(_Picked(places), pure=True)


class RenameDataset(_Operation):
    """Columns under other names, see :meth:`Dataset.rename`."""

    def __init__(self, input_dataset: Dataset, input_columns: Any, output_columns: Any) -> None:
        self.input_column_names = check_names("Dataset.rename", "input_columns", input_columns)
        self.output_column_names = check_names("Dataset.rename", "output_columns", output_columns)
        if len(self.input_column_names) != len(self.output_column_names):
            raise ValueError(
                "For 'Dataset.rename', number of column in input_columns and output_columns is not "
                f"equal: {self.input_column_names} and {self.output_column_names}."
            )
        super().__init__(input_dataset)

    def _columns(self) -> list[str]:
        names = list(self._child._columns())
        places = check_columns("Dataset.rename", self.input_column_names, names)
        for place, name in zip(places, self.output_column_names, strict=True):
            names[place] = name
        if len(set(names)) < len(names):
            raise RuntimeError(f"For 'Dataset.rename', two columns would have one name: {names}.")
        return names

    def _flow(self, run: Run) -> Flow:
        self._columns()
        return self._child._flow(run)


# --- map ---------------------------------------------------------------------------------------


def _is_own(operation: Any) -> bool:
    """Whether a transform is agar's: it runs in any process without the program noticing."""
    home = type(operation).__module__
    if not home.startswith(("agar.dataset.", "mindspore.dataset.")):
        return False
    inner = getattr(operation, "transforms", ())
    return all(_is_own(op) for op in inner) if isinstance(inner, (list, tuple)) else True


class _Mapped:
    """Work that calls operations with some columns."""

    def __init__(
        self,
        operations: list[Any],
        places: list[int],
        outputs: list[str],
        rest: list[int] | None,
        copies: bool,
    ) -> None:
        self.operations = operations
        self.places = places
        self.outputs = outputs
        self.rest = rest
        self.copies = copies

    def __call__(self, row: Row) -> Row:
        values: tuple[Any, ...] = tuple([row[i] for i in self.places])
        if self.copies:
            values = tuple([copied(v) for v in values])
        operation = None
        try:
            for operation in self.operations:
                reading.enter("the operation of Dataset.map", operation)
                made = operation(*values)
                values = made if type(made) is tuple else (made,)
        except Exception as error:
            name = name_of(operation)
            raise failure(f"For 'Dataset.map', the operation {name}", error) from error
        if len(values) != len(self.outputs):
            raise RuntimeError(
                "For 'Dataset.map', the number of columns returned in 'map' operations should "
                f"match the number of 'output_columns' {self.outputs}, but got {len(values)} "
                f"values from {name_of(operation)}."
            )
        try:
            arrays = [
                v if type(v) is np.ndarray and v.dtype.kind in "biuf" else as_array(v)
                for v in values
            ]
        except TypeError as error:
            hint = "; a None usually comes from a missing return" if None in values else ""
            raise RuntimeError(
                f"For 'Dataset.map', the operation {name_of(operation)} returned what "
                f"no column can hold: {error}{hint}."
            ) from error
        if self.rest is not None:
            return (*arrays, *[row[i] for i in self.rest])
        changed = list(row)
        for place, array in zip(self.places, arrays, strict=True):
            changed[place] = array
        return tuple(changed)


class MapDataset(_Operation):
    """Values changed by functions, see :meth:`Dataset.map`."""

    def __init__(
        self,
        input_dataset: Dataset,
        operations: Any = None,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: Any = None,
        offload: bool | None = None,
    ) -> None:
        owner = "Dataset.map"
        check = Check(owner)
        self.operations = listed(operations)
        if not self.operations:
            check.wrong_value("operations", operations, "at least one operation")
        for operation in self.operations:
            if isinstance(operation, type):
                raise ValueError(
                    f"For '{owner}', an element of operations is the class {operation.__name__}; "
                    "it may be missing parentheses for instantiation."
                )
            if not callable(operation):
                raise ValueError(
                    f"For '{owner}', an element of operations should be a python function or an "
                    f"operation, which is callable, but got {describe(operation)}."
                )
        self.input_columns = (
            [] if input_columns is None else check_names(owner, "input_columns", input_columns)
        )
        self.output_columns = self.input_columns
        if output_columns is not None:
            self.output_columns = check_names(owner, "output_columns", output_columns)
        self.python_multiprocessing = check.flag("python_multiprocessing", python_multiprocessing)
        self._checked_rowsize(check, max_rowsize)
        if offload is not None:
            check.flag("offload", offload)
        if cache is not None:
            from agar.dataset.engine.cache_client import refuse_cache

            refuse_cache(owner)
        self.callbacks = listed(callbacks)
        if self.callbacks:
            from agar.dataset.callback import DSCallback

            for callback in self.callbacks:
                check.kind("callbacks", callback, DSCallback)
        self.max_rowsize = max_rowsize
        self.offload = offload
        super().__init__(input_dataset, check_workers(owner, num_parallel_workers))

    @staticmethod
    def _checked_rowsize(check: Check, value: Any) -> None:
        if value is not None:
            check.kind("max_rowsize", value, int, list)
            for size in listed(value):
                check.whole("max_rowsize", size, -1)

    def __deepcopy__(self, memo: dict[int, Any]) -> MapDataset:
        return _copy_without(self, memo, ("operations", "callbacks"))

    def _inputs(self) -> tuple[list[str], list[str]]:
        """The names of the columns that are taken, and of those that are given."""
        known = self._child._columns()
        taken = self.input_columns or list(known[:1])
        check_columns("Dataset.map", taken, known)
        return taken, self.output_columns or taken

    def _columns(self) -> list[str]:
        known = self._child._columns()
        taken, given = self._inputs()
        if len(taken) == len(given):
            new = dict(zip(taken, given, strict=True))
            names = [new.get(name, name) for name in known]
        else:
            names = [*given, *(name for name in known if name not in taken)]
        if len(set(names)) < len(names):
            raise RuntimeError(
                f"For 'Dataset.map', two columns would have one name: {names}; choose other "
                "output_columns."
            )
        return names

    def _workers(self) -> int:
        wanted = self.num_parallel_workers
        if self.python_multiprocessing:
            return processes(config.get_num_parallel_workers() if wanted is None else wanted)
        if wanted is not None and all(map(_is_own, self.operations)):
            return processes(wanted)
        return 0

    def _flow(self, run: Run) -> Flow:
        from agar.dataset.transforms._random import _walk
        from agar.dataset.transforms.transforms import Compose

        self._columns()
        known = self._child._columns()
        taken, given = self._inputs()
        places = [known.index(name) for name in taken]
        rest = None
        if len(taken) != len(given):
            rest = [i for i, name in enumerate(known) if name not in taken]
        flow = self._child._flow(run)
        operations = []
        for operation in Compose.decompose(self.operations):
            # a stream of draws is the iterator's own, and starts with it
            drawing = list(_walk(operation))
            made = copy.deepcopy(operation) if drawing else operation
            run.random_operations.extend(_walk(made))
            operations.append(made)
        operations = _with_hooks(operations)
        own = all(map(_is_own, operations))
        copies = not flow.fresh and not _is_own(operations[0])
        work = _Mapped(operations, places, given, rest, copies)
        if self.callbacks:
            from agar.dataset.callback.ds_callback import watched

            return watched(flow, work, self.callbacks, run)
        return flow.then(work, workers=self._workers(), pure=own)


def _with_hooks(operations: list[Any]) -> list[Any]:
    """The operations with the debug hooks around them, in debug mode."""
    hooks = config.debug_hooks() if config.get_debug_mode() else []
    if not hooks:
        return operations
    from agar.dataset.debug.debug_hook import around

    return around(operations, hooks)


def _copy_without(dataset: Any, memo: dict[int, Any], shared: Sequence[str]) -> Any:
    """A copy of a dataset that shares what belongs to the program."""
    if id(dataset) in memo:
        return memo[id(dataset)]
    made = dataset.__class__.__new__(dataset.__class__)
    memo[id(dataset)] = made
    for name, value in dataset.__getstate__().items():
        setattr(made, name, value if name in shared else copy.deepcopy(value, memo))
    return made


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
        wanted = size(info)
        if not isinstance(wanted, int) or wanted <= 0:
            raise RuntimeError(
                "For 'Dataset.batch', batch_size as a function should return a positive int, but "
                f"got {describe(wanted)} for batch {number}."
            )
        group = list(islice(tasks, wanted))
        if group and (len(group) == wanted or not drop):
            yield group
        if len(group) < wanted:
            return
        number += 1


class _Batched:
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
            made = self.function(*taken, info)
        except Exception as error:
            raise failure("For 'Dataset.batch', the per_batch_map", error) from error
        given = made if isinstance(made, tuple) else (made,)
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
            found = [as_array(value) for value in values]
        except TypeError as error:
            raise RuntimeError(
                "For 'Dataset.batch', the per_batch_map returned what no column can hold for "
                f"'{name}': {error}."
            ) from error
        if found and len(found) == size and all(isinstance(v, dict) for v in found):
            first = found[0]
            if all(value.keys() == first.keys() for value in found):
                # what a function of batches gave stays as it is, a list for each key
                return {key: [value[key] for value in found] for key in first}
        if len(found) != size:
            raise RuntimeError(
                f"For 'Dataset.batch', column '{name}' expects {size} rows returned from "
                f"'per_batch_map', but got: {len(found)}; return an array to give another number."
            )
        return found

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
            wanted = pad_shapes(name, columns[i], shape)
            columns[i] = padded(name, columns[i], wanted, fill)


def _warn_of_repeat(dataset: Dataset, owner: str) -> None:
    found = [dataset]
    for node in found:
        if isinstance(node, RepeatDataset):
            warning(
                f"Repeat is located before {owner}, data from two epochs can be batched together."
            )
            return
        found.extend(node.children)


class BatchDataset(_Operation):
    """Rows stacked to batches, see :meth:`Dataset.batch`."""

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
        MapDataset._checked_rowsize(check, max_rowsize)
        self.max_rowsize = max_rowsize
        self.pad_info: PadInfo | None = None
        _warn_of_repeat(input_dataset, owner.partition(".")[2])
        _multiply_sync(input_dataset, batch_size)
        super().__init__(input_dataset, workers)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return _copy_without(self, memo, ("per_batch_map", "batch_size_func"))

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
        """The rows of a batch; -1 where a function gives them."""
        return -1 if self.batch_size_func is not None else self.batch_size

    def _flow(self, run: Run) -> Flow:
        known = list(self._child._columns())
        taken, given = self._outputs()
        places = [known.index(name) for name in taken]
        rest = None
        if len(taken) != len(given):
            rest = [i for i, name in enumerate(known) if name not in taken]
        flow = self._child._flow(run)
        workers = 0
        if self.per_batch_map is not None and self.python_multiprocessing:
            wanted = self.num_parallel_workers
            workers = processes(config.get_num_parallel_workers() if wanted is None else wanted)
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
            _Batched(
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


class PaddedBatchDataset(BatchDataset):
    """Rows filled up and stacked to batches, see :meth:`Dataset.padded_batch`."""

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


class BucketBatchByLengthDataset(_Operation):
    """Batches of rows of similar length, see :meth:`Dataset.bucket_batch_by_length`."""

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

        made = self._child._flow(run).over(batches)
        made.fresh = True
        return made

    def _batch(self, place: int, rows: list[Row], names: list[str]) -> Row:
        found = []
        for name, values in zip(names, zip(*rows, strict=True), strict=True):
            if self.pad_info and name not in self.pad_info:
                found.append(stack(name, values))
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
            wanted = pad_shapes(name, values, shape)
            found.append(stack(name, padded(name, values, wanted, fill)))
        return tuple(found)


# --- the order and number of rows --------------------------------------------------------------


class FilterDataset(_Operation):
    """The rows for which a function gives true, see :meth:`Dataset.filter`."""

    def __init__(
        self,
        input_dataset: Dataset,
        predicate: Callable[..., Any],
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ) -> None:
        owner = "Dataset.filter"
        if not callable(predicate):
            raise TypeError(
                f"For '{owner}', predicate should be a Python function or a callable Python "
                f"object, but got {describe(predicate)}."
            )
        self.predicate = predicate
        self.input_columns = (
            [] if input_columns is None else check_names(owner, "input_columns", input_columns)
        )
        super().__init__(input_dataset, check_workers(owner, num_parallel_workers))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return _copy_without(self, memo, ("predicate",))

    def _columns(self) -> list[str]:
        known = self._child._columns()
        check_columns("Dataset.filter", self.input_columns, known)
        return known

    def _size(self) -> int:
        return self._counted()

    def _flow(self, run: Run) -> Flow:
        known = self._columns()
        places = [known.index(name) for name in self.input_columns or known]
        predicate = self.predicate

        def kept(row: Row) -> bool:
            try:
                return bool(predicate(*[row[i] for i in places]))
            except Exception as error:
                raise failure("For 'Dataset.filter', the predicate", error) from error

        return self._child._flow(run).over(lambda rows: filter(kept, rows))


class ShuffleDataset(_Operation):
    """Rows in random order, see :meth:`Dataset.shuffle`."""

    def __init__(self, input_dataset: Dataset, buffer_size: int) -> None:
        Check("Dataset.shuffle").whole("buffer_size", buffer_size, 2)
        super().__init__(input_dataset)
        self.buffer_size = buffer_size
        self.reshuffle_each_epoch = True
        if self.is_sync():
            raise RuntimeError(
                "For 'Dataset.shuffle', there must be no sync_wait before it: rows that wait "
                "would fill the buffer."
            )

    def is_shuffled(self) -> bool:
        """True."""
        return True

    def _flow(self, run: Run) -> Flow:
        engine = Engine64(run.seed)
        again = self.reshuffle_each_epoch
        flow = self._child._flow(run)

        def begin() -> Engine64:
            nonlocal engine
            if not again:
                engine = Engine64(run.seed)
            return engine

        def advance() -> None:
            count = flow.count
            if not again:
                flow.advance()
            elif count is None:
                for _ in shuffled(flow.tasks() if on_tasks else flow.rows()):
                    pass
            else:
                flow.advance()
                for _ in range(count):
                    engine()

        def shuffled(rows: Iterator[Any]) -> Iterator[Any]:
            return mixed(rows, begin(), self.buffer_size)

        on_tasks = bool(flow.workers or flow.pure or flow.work is None)
        return flow.over(shuffled, count=flow.count, advance=advance, on_tasks=True)


class RepeatDataset(_Operation):
    """Rows several times, see :meth:`Dataset.repeat`."""

    def __init__(self, input_dataset: Dataset, count: int | None) -> None:
        if count is not None:
            check = Check("Dataset.repeat")
            check.kind("count", count, int)
            if count != -1:
                check.whole("count", count, 1)
        super().__init__(input_dataset)
        self.count = -1 if count is None else count

    def _size(self) -> int:
        return self._child.get_dataset_size() * max(self.count, 1)

    def get_repeat_count(self) -> int:
        """How often the rows come; -1 for endlessly."""
        return self.count

    def _flow(self, run: Run) -> Flow:
        flow = self._child._flow(run)
        times = self.count

        def epochs(start: Callable[[], Iterator[Any]]) -> Iterator[Any]:
            done = 0
            while done != times:
                number = 0
                for task in start():
                    number = 1
                    yield task
                if not number and times == -1:
                    return  # endlessly nothing
                done += 1

        def advance() -> None:
            for _ in range(max(times, 1)):
                flow.advance()

        count = None if flow.count is None or times == -1 else flow.count * times
        # tasks keep their work, so that one pool of workers serves all repetitions
        return Flow(
            run,
            lambda: epochs(flow.tasks),
            flow.work,
            advance=advance,
            workers=flow.workers,
            pure=flow.pure,
            fresh=flow.fresh,
            count=count,
        )


class SkipDataset(_Operation):
    """Rows without the first ones, see :meth:`Dataset.skip`."""

    def __init__(self, input_dataset: Dataset, count: int) -> None:
        Check("Dataset.skip").whole("count", count, 0)
        super().__init__(input_dataset)
        self.count = count

    def _size(self) -> int:
        return max(self._child.get_dataset_size() - self.count, 0)

    def _flow(self, run: Run) -> Flow:
        flow = self._child._flow(run)
        count = None if flow.count is None else max(flow.count - self.count, 0)
        return flow.over(lambda rows: islice(rows, self.count, None), count=count, on_tasks=True)


class TakeDataset(_Operation):
    """The first rows, see :meth:`Dataset.take`."""

    def __init__(self, input_dataset: Dataset, count: int) -> None:
        check = Check("Dataset.take")
        check.kind("count", count, int)
        if count != -1 and not 0 < count <= INT32:
            raise ValueError(
                "For 'Dataset.take', count should be either -1 or within the required interval of "
                f"(0, {INT32}], got {count}."
            )
        super().__init__(input_dataset)
        self.count = count

    def _size(self) -> int:
        size = self._child.get_dataset_size()
        if self.count == -1:
            return size
        endless = self._child.get_repeat_count() == -1
        return self.count if endless else min(size, self.count)

    def _flow(self, run: Run) -> Flow:
        flow = self._child._flow(run)
        if self.count == -1:
            return flow
        count = None if flow.count is None else min(flow.count, self.count)
        # what is not taken is not worked on: tasks are cut, not rows
        return Flow(
            run,
            lambda: islice(flow.tasks(), self.count),
            flow.work,
            advance=flow.advance,
            workers=flow.workers,
            pure=flow.pure,
            fresh=flow.fresh,
            count=count,
        )


# --- several datasets --------------------------------------------------------------------------


def _all_advance(flows: Sequence[Flow]) -> Callable[[], None]:
    def advance() -> None:
        for flow in flows:
            flow.advance()

    return advance


class ZipDataset(UnionBaseDataset):
    """Columns of several datasets side by side, see :meth:`Dataset.zip`."""

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        super().__init__(children=list(datasets))

    def _columns(self) -> list[str]:
        names = [name for child in self.children for name in child._columns()]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise RuntimeError(
                f"For 'zip', the column '{twice}' exists in two datasets; give one of them another "
                "name with rename."
            )
        return names

    def _size(self) -> int:
        return min(child.get_dataset_size() for child in self.children)

    def is_sync(self) -> bool:
        """Whether rows wait for a condition."""
        return any(child.is_sync() for child in self.children)

    def _flow(self, run: Run) -> Flow:
        self._columns()
        flows = [child._flow(run) for child in self.children]

        def rows() -> Iterator[Row]:
            sources = [flow.rows() for flow in flows]
            return (tuple(chain.from_iterable(parts)) for parts in zip(*sources, strict=False))

        counts = [flow.count for flow in flows]
        known = [n for n in counts if n is not None]
        return Flow(
            run,
            rows,
            advance=_all_advance(flows),
            fresh=all(flow.fresh for flow in flows),
            count=min(known) if len(known) == len(counts) else None,
        )


class ConcatDataset(UnionBaseDataset):
    """The rows of several datasets one after the other, see :meth:`Dataset.concat`."""

    def __init__(self, datasets: list[Dataset]) -> None:
        for i, dataset in enumerate(datasets):
            if not isinstance(dataset, Dataset):
                raise TypeError(
                    f"Invalid dataset, expected Dataset object, but got {describe(dataset)}!"
                )
            if dataset.get_dataset_size() == 0:
                raise ValueError(
                    f"There are no samples in the dataset number {i}. Please make sure there are "
                    "valid samples in the dataset."
                )
        super().__init__(children=datasets)
        self.datasets = datasets
        self._sampler: Any = SequentialSampler()

    def use_sampler(self, sampler: Any) -> None:
        """Mix the rows of the datasets, or give every shard its part.

        Args:
            sampler (Union[RandomSampler, DistributedSampler]): a RandomSampler mixes the datasets
                and keeps the order within each; a DistributedSampler must not shuffle.

        Raises:
            TypeError: it is another sampler.
            ValueError: it has arguments that do not suit.

        Difference from PyTorch: no counterpart.

        Source: behaviour observed in MindSpore 2.10.
        """
        owner = "ConcatDataset.use_sampler"
        if not isinstance(sampler, (DistributedSampler, RandomSampler)):
            raise TypeError(
                f"For '{owner}', the sampler must be a DistributedSampler or a RandomSampler, but "
                f"got {describe(sampler)}."
            )
        if sampler.get_num_samples() is not None:
            raise ValueError(f"For '{owner}', num_samples of the sampler cannot be set.")
        if isinstance(sampler, RandomSampler):
            if sampler.replacement:
                raise ValueError(f"For '{owner}', replacement of the RandomSampler must be False.")
            nodes: list[Dataset] = list(self.children)
            for node in nodes:
                if isinstance(node, ConcatDataset):
                    node._sampler = sampler
                nodes.extend(node.children)
        else:
            if sampler.is_shuffled():
                raise ValueError(f"For '{owner}', shuffle of the DistributedSampler must be False.")
            if sampler.num_shards <= 0:
                raise ValueError(f"For '{owner}', num_shards must be positive.")
            for child in self.children:
                if isinstance(child, BatchDataset):
                    raise TypeError(f"For '{owner}', the datasets must not be batched.")
                own = getattr(child, "sampler", None)
                if isinstance(child, MappableDataset) and own is not None:
                    if own.get_num_samples() is not None:
                        raise ValueError(f"For '{owner}', no dataset may have num_samples.")
                    child.use_sampler(SequentialSampler())
        self.dataset_size = None
        self._sampler = sampler

    def _columns(self) -> list[str]:
        names = self.children[0]._columns()
        for child in self.children[1:]:
            if list(child._columns()) != list(names):
                raise RuntimeError(
                    "For 'concat', 'column name' or 'column order' of concat datasets should be "
                    f"the same, but got {list(names)} and {list(child._columns())}; use rename or "
                    "project."
                )
        return names

    def _size(self) -> int:
        total = sum(child.get_dataset_size() for child in self.children)
        if isinstance(self._sampler, DistributedSampler):
            return len(range(self._sampler.shard_id, total, self._sampler.num_shards))
        return total

    def is_sharded(self) -> bool:
        """Whether other processes read other rows."""
        return self._sampler.is_sharded() or super().is_sharded()

    def _flow(self, run: Run) -> Flow:
        self._columns()
        flows = [child._flow(run) for child in self.children]
        sampler = self._sampler

        def rows() -> Iterator[Row]:
            if isinstance(sampler, RandomSampler):
                return mixed()
            joined = chain.from_iterable(flow.rows() for flow in flows)
            if isinstance(sampler, DistributedSampler):
                return islice(joined, sampler.shard_id, None, sampler.num_shards)
            return joined

        def mixed() -> Iterator[Row]:
            left = [child.get_dataset_size() for child in self.children]
            sources = [flow.rows() for flow in flows]
            engine = Engine(run.seed & 0xFFFFFFFF)
            while any(left):
                # std::discrete_distribution with the rows that are left as weights
                bounds = np.cumsum(np.array(left) / sum(left))
                bounds[-1] = 1.0
                place = int(np.searchsorted(bounds, engine.unit_double()))
                left[place] -= 1
                yield next(sources[place])

        counts = [flow.count for flow in flows]
        known = [n for n in counts if n is not None]
        count = sum(known) if len(known) == len(counts) else None
        if isinstance(sampler, DistributedSampler) and count is not None:
            count = len(range(sampler.shard_id, count, sampler.num_shards))
        return Flow(
            run,
            rows,
            advance=_all_advance(flows),
            fresh=all(flow.fresh for flow in flows),
            count=count,
        )


# --- waiting -----------------------------------------------------------------------------------


class BlockReleasePair:
    """Lets rows pass as far as the program has used those before.

    Args:
        init_release_rows (int): how many pass without waiting.
        callback (Callable, optional): called with the data of each release. Default: ``None``.

    Raises:
        ValueError: `init_release_rows` is not positive.
    """

    def __init__(
        self, init_release_rows: int, callback: Callable[[Any], Any] | None = None
    ) -> None:
        Check("BlockReleasePair").whole("init_release_rows", init_release_rows, 1)
        self.row_count = -init_release_rows
        self.cv = threading.Condition()
        self.callback = callback
        self.default_rows = init_release_rows
        self.disable = False

    def __deepcopy__(self, memo: dict[int, Any]) -> BlockReleasePair:
        return self

    def reset(self) -> None:
        """Begin anew."""
        with self.cv:
            self.row_count = -self.default_rows
            self.cv.notify_all()

    def update_batched_size(self, batch_size: int) -> None:
        """Count in rows what was counted in batches."""
        Check("BlockReleasePair.update_batched_size").whole("batch_size", batch_size, 1)
        self.row_count *= batch_size
        self.default_rows *= batch_size

    def block_func(self) -> bool:
        """Wait until a row may pass; not longer than ``config.get_callback_timeout()`` seconds."""
        with self.cv:
            released = self.cv.wait_for(
                lambda: self.row_count < 0 or self.disable, timeout=config.get_callback_timeout()
            )
            if not released:
                warning(
                    "Timeout happened in sync_wait, maybe dataset.sync_update(condition=...) is "
                    "not called after a row was used; rows pass without waiting from now on."
                )
                self.disable = True
            self.row_count += 1
        return True

    def release_func(self, pass_rows: int | None = None, data: Any = None) -> None:
        """Let more rows pass."""
        with self.cv:
            self.row_count -= self.default_rows if pass_rows is None else pass_rows
            if self.callback is not None:
                self.callback(data)
            self.cv.notify_all()

    def disable_lock(self) -> None:
        """Let all rows pass."""
        with self.cv:
            self.disable = True
            self.cv.notify_all()


def _multiply_sync(dataset: Dataset, batch_size: Any) -> None:
    nodes = [dataset]
    for node in nodes:
        if isinstance(node, SyncWaitDataset):
            node.update_sync_batch_size(batch_size)
        nodes.extend(node.children)


class SyncWaitDataset(_Operation):
    """Rows that wait for the program, see :meth:`Dataset.sync_wait`."""

    def __init__(
        self,
        input_dataset: Dataset,
        condition_name: str,
        num_batch: int,
        callback: Callable[[Any], Any] | None = None,
    ) -> None:
        check = Check("Dataset.sync_wait")
        check.kind("condition_name", condition_name, str)
        check.kind("num_batch", num_batch, int)
        if num_batch <= 0:
            raise ValueError(
                "For 'Dataset.sync_wait', num_batch need to be greater than 0, but got "
                f"{num_batch}."
            )
        if callback is not None:
            check_callable("Dataset.sync_wait", "callback", callback)
        if condition_name in input_dataset.get_sync_notifiers():
            raise RuntimeError(f"Condition name is already in use: {condition_name!r}.")
        super().__init__(input_dataset)
        self._condition_name = condition_name
        self._pair = BlockReleasePair(num_batch, callback)

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        """What lets rows pass, by condition."""
        return {
            **self._child.get_sync_notifiers(),
            self._condition_name: self._pair.release_func,
        }

    def is_sync(self) -> bool:
        """True."""
        return True

    def update_sync_batch_size(self, batch_size: Any) -> None:
        """Count in rows what was counted in batches."""
        if isinstance(batch_size, int):
            self._pair.update_batched_size(batch_size)

    def disable_sync(self) -> None:
        """Let all rows pass without waiting."""
        self._pair.disable_lock()
        super().disable_sync()

    def _flow(self, run: Run) -> Flow:
        pair = self._pair
        if not run.alone:
            pair.reset()

        def waiting(rows: Iterator[Row]) -> Iterator[Row]:
            for row in rows:
                pair.block_func()
                yield row

        flow = self._child._flow(run)
        if run.alone and not config.get_debug_mode():  # a question about the rows waits for no one
            return flow
        return flow.over(waiting, count=flow.count)


class TransferDataset(Dataset):
    """A dataset whose rows wait in a queue for a network, see :meth:`Dataset.device_que`."""

    def __init__(
        self,
        input_dataset: Dataset,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ) -> None:
        check = Check("Dataset.device_que")
        check.flag("send_epoch_end", send_epoch_end)
        check.flag("create_data_info_queue", create_data_info_queue)
        check.kind("queue_name", queue_name, str)
        super().__init__(children=input_dataset)
        if not queue_name:
            import uuid

            queue_name = str(uuid.uuid1())
        self.queue_name = queue_name
        self.column_name = input_dataset.get_col_names()
        self._queue: Any = None
        self._sent: deque[Any] = deque(maxlen=1)

    def _flow(self, run: Run) -> Flow:
        return self.children[0]._flow(run)

    def create_dict_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: the rows are those of the network."""
        raise RuntimeError("TransferDataset is not iterable.")

    def create_tuple_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: the rows are those of the network."""
        raise RuntimeError("TransferDataset is not iterable.")

    def __iter__(self) -> Any:
        raise RuntimeError("TransferDataset is not iterable.")

    def output_shapes(self, estimate: bool = False) -> Any:
        """Refused."""
        raise RuntimeError("TransferDataset does not support obtaining output_shapes.")

    def output_types(self) -> Any:
        """Refused."""
        raise RuntimeError("TransferDataset does not support obtaining output_types.")

    def send(self, num_epochs: int = -1) -> None:
        """Begin to give rows.

        Args:
            num_epochs (int, optional): of so many epochs; -1 for any number. Default: ``-1``.
        """
        Check("TransferDataset.send").kind("num_epochs", num_epochs, int)
        self._queue = self.children[0].create_tuple_iterator(num_epochs=num_epochs)

    def stop_send(self) -> None:
        """Accepted: no thread sends rows."""

    def continue_send(self) -> None:
        """Accepted: no thread sends rows."""

    def get_data_info(self) -> tuple[list[Any], list[Any]]:
        """The types and shapes of the columns.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Calling get_data_info with bad state: call send first.")
        return self.children[0].output_types(), self.children[0].output_shapes()

    def get_mbuf_queue_size(self) -> int:
        """The rows that wait: none, each is made when it is asked for.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Device queue is not init, call get_mbuf_queue_size failed.")
        return 0

    def get_send_info(self) -> list[Any]:
        """The times at which rows were sent: none, no thread sends them.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Calling get_send_info with bad state: call send first.")
        return []

    def get_offload_model(self) -> None:
        """None: all transforms run on the host.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Calling get_offload_model with bad state: call send first.")

    def release(self) -> None:
        """End what gives rows."""
        if self._queue is not None:
            self._queue.release()
            self._queue = None


# their path is that of MindSpore
for _name in __all__:
    globals()[_name].__module__ = "agar.dataset.engine.datasets"
