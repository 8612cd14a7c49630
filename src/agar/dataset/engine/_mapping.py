"""The operations on columns and single rows."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.core import config
from agar.dataset.engine._checks import (
    Check,
    check_cache,
    check_columns,
    check_names,
    check_workers,
)
from agar.dataset.engine._flow import Flow, Run, failure, name_of, processes, reading
from agar.dataset.engine._operation import Operation, checked_rowsize, copy_without, described_by
from agar.dataset.engine._values import Row, as_array, copied, listed
from agar.dataset.engine.datasets import Dataset
from agar.dataset.transforms._random import _walk
from agar.dataset.transforms.transforms import Compose

__all__ = ["FilterDataset", "MapDataset", "ProjectDataset", "RenameDataset"]


# --- columns -----------------------------------------------------------------------------------


class _Picked:
    """Work that takes some columns."""

    def __init__(self, places: Sequence[int]) -> None:
        self.places = tuple(places)

    def __call__(self, row: Row) -> Row:
        return tuple([row[i] for i in self.places])


@described_by(Dataset.project)
class ProjectDataset(Operation):
    """Selected columns: the result of :meth:`Dataset.project`."""

    def __init__(self, input_dataset: Dataset, columns: Any) -> None:
        self.columns = check_names("Dataset.project", "columns", columns)
        super().__init__(input_dataset)

    def _columns(self) -> list[str]:
        check_columns("Dataset.project", self.columns, self._child._columns())
        return self.columns

    def _flow(self, run: Run) -> Flow:
        places = check_columns("Dataset.project", self.columns, self._child._columns())
        return self._child._supply(run).then(_Picked(places), pure=True)


@described_by(Dataset.rename)
class RenameDataset(Operation):
    """Renamed columns: the result of :meth:`Dataset.rename`."""

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
        return self._child._supply(run)


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
                result = operation(*values)
                values = result if type(result) is tuple else (result,)
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


@described_by(Dataset.map)
class MapDataset(Operation):
    """Rows changed by functions: the result of :meth:`Dataset.map`."""

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
        checked_rowsize(check, max_rowsize)
        if offload is not None:
            check.flag("offload", offload)
        check_cache(owner, cache)
        self.callbacks = listed(callbacks)
        if self.callbacks:
            from agar.dataset.callback import DSCallback

            for callback in self.callbacks:
                check.kind("callbacks", callback, DSCallback)
        self.max_rowsize = max_rowsize
        self.offload = offload
        super().__init__(input_dataset, check_workers(owner, num_parallel_workers), cache)

    def __deepcopy__(self, memo: dict[int, Any]) -> MapDataset:
        return copy_without(self, memo, ("operations", "callbacks"))

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
        expected = self.num_parallel_workers
        if self.python_multiprocessing:
            return processes(config.get_num_parallel_workers() if expected is None else expected)
        if expected is not None and all(map(_is_own, self.operations)):
            return processes(expected)
        return 0

    def _flow(self, run: Run) -> Flow:
        self._columns()
        known = self._child._columns()
        taken, given = self._inputs()
        places = [known.index(name) for name in taken]
        rest = None
        if len(taken) != len(given):
            rest = [i for i, name in enumerate(known) if name not in taken]
        flow = self._child._supply(run)
        operations = []
        for operation in Compose.decompose(self.operations):
            # a stream of draws is the iterator's own, and starts with it
            drawing = list(_walk(operation))
            result = copy.deepcopy(operation) if drawing else operation
            run.random_operations.extend(_walk(result))
            operations.append(result)
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


# --- the order and number of rows --------------------------------------------------------------


@described_by(Dataset.filter)
class FilterDataset(Operation):
    """Rows that passed a test: the result of :meth:`Dataset.filter`."""

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
        return copy_without(self, memo, ("predicate",))

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

        def keeps(row: Row) -> bool:
            try:
                return bool(predicate(*[row[i] for i in places]))
            except Exception as error:
                raise failure("For 'Dataset.filter', the predicate", error) from error

        return self._child._supply(run).over(lambda rows: filter(keeps, rows))
