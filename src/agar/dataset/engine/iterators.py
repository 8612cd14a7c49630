"""Iterators of datasets, and where they are."""

from __future__ import annotations

import atexit
import random
import weakref
from collections.abc import Iterator as Rows
from typing import Any

import numpy as np

from agar.dataset.engine._checks import Check
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._mapping import ProjectDataset
from agar.dataset.engine._registry import provide
from agar.dataset.engine._values import Row, copied, plain, to_tensor
from agar.dataset.engine.datasets import Dataset
from agar.dataset.transforms._random import get_state, set_state
from agar.log import warning

__all__ = ["DictIterator", "DummyIterator", "Iterator", "TupleIterator", "check_iterator_cleanup"]

_alive: weakref.WeakSet[Any] = weakref.WeakSet()
_cleaned = False


def check_iterator_cleanup() -> bool:
    """Whether all iterators were stopped at the end of the program."""
    return _cleaned


@atexit.register
def _cleanup() -> None:
    global _cleaned
    _cleaned = True
    for iterator in list(_alive):
        iterator.release()


class Iterator:
    """Base of the iterators of datasets.

    Args:
        dataset (Dataset): the dataset.
        num_epochs (int, optional): how many epochs there are; -1 for any number. Default: ``-1``.
        output_numpy (bool, optional): whether values are numpy arrays instead of Tensors. Default:
            ``False``.
        do_copy (bool, optional): accepted. Default: ``False``.
        state (dict, optional): where to go on, from :meth:`state`. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `num_epochs` is 0, or the state is of another pipeline.
    """

    def __init__(
        self,
        dataset: Dataset,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
        state: dict[str, Any] | None = None,
    ) -> None:
        check = Check(f"Dataset.create_{self._kind}_iterator")
        check.kind("num_epochs", num_epochs, int)
        if output_numpy is not None:
            check.flag("output_numpy", output_numpy)
        check.flag("do_copy", do_copy)
        if num_epochs != -1 and num_epochs <= 0:
            raise RuntimeError(
                f"For '{check.owner}', num_epochs should be either -1 or positive integer, "
                f"num_epochs: {num_epochs}."
            )
        self._dataset = dataset
        names = list(dataset._columns())
        # a column of metadata shows only where it was given another name
        self._shown = [i for i, name in enumerate(names) if not name.startswith("_meta-")]
        self._some = len(self._shown) < len(names)
        self._names = [names[i] for i in self._shown]
        self._epochs = num_epochs
        self._as_numpy = bool(output_numpy)
        self._epoch = 0
        self._step = 0
        self._rows: Rows[Row] | None = None
        self._epoch_streams: dict[str, Any] | None = None
        start = dataset.get_init_step()
        if state is not None:
            check.kind("state", state, dict)
            self._run = Run(state["seed"])
        else:
            self._run = Run()
        self._flow: Flow | None = dataset._supply(self._run)
        self._owned = self._flow.fresh
        _alive.add(self)
        if state is not None:
            self._resume(state)
        elif start:
            size = dataset.get_dataset_size()
            self._skip(start // size, start % size)

    _kind = "tuple"

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self._flow is None:
            raise RuntimeError(
                "The iterator was stopped; make another one with create_dict_iterator or "
                "create_tuple_iterator."
            )
        if self._rows is None:
            if self._epochs != -1 and self._epoch >= self._epochs:
                raise RuntimeError(
                    "User tries to fetch data beyond the specified number of epochs, which is "
                    f"{self._epochs}: make another iterator, or one with num_epochs="
                    f"{self._epochs + 1}."
                )
            self._run.epoch = self._epoch
            self._epoch_streams = self._streams()
            self._rows = self._flow.rows()
        try:
            row = next(self._rows)
        except StopIteration:
            self._end_of_epoch()
            raise
        except Exception:
            self._rows = iter(())
            raise
        except BaseException:  # Ctrl-C ends the workers too, whatever they are busy with
            self._rows = iter(())
            self._run.close(now=True)
            raise
        self._step += 1
        return self._given(row)

    def _end_of_epoch(self) -> None:
        if self._step == 0:
            warning("No records available.")
        elif self._dataset.dataset_size is None:
            self._dataset.dataset_size = self._step
        self._epoch += 1
        self._step = 0
        self._rows = None
        if self._epoch == self._epochs:
            self._run.close()

    def _values(self, row: Row) -> list[Any]:
        if self._some:
            row = tuple([row[i] for i in self._shown])
        if not self._owned:
            row = tuple([copied(value) for value in row])
        change = plain if self._as_numpy else to_tensor
        return [change(value) for value in row]

    def _given(self, row: Row) -> Any:
        raise NotImplementedError("Use Dataset.create_dict_iterator or create_tuple_iterator.")

    def get_col_names(self) -> list[str]:
        """The names of the columns."""
        return list(self._names)

    # --- going on ------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The position of the iterator, for ``create_*_iterator(state=...)`` of an equal pipeline.

        The rows that come are then those that come here, bit for bit: the seed of shuffles, the
        epoch, the step in it, and the states of ``random``, ``numpy.random`` and of the transforms
        that draw are in it. A source or function that keeps a state of its own must restore it
        itself.

        Returns:
            dict of ints, strings and lists, which JSON can hold.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset(list(range(5)), ["x"])
            >>> rows = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
            >>> first = next(rows)
            >>> again = data.create_tuple_iterator(num_epochs=1, state=rows.state())
            >>> [int(x) for (x,) in again] == [int(x) for (x,) in rows]
            True
        """
        return {
            "version": 1,
            "epoch": self._epoch,
            "step": self._step,
            "seed": self._run.seed,
            "columns": list(self._names),
            "streams": _listed(self._streams()),
            # rows that were read ahead, into the buffer of a shuffle, were drawn since then
            "streams_of_epoch": _listed(self._epoch_streams or self._streams()),
        }

    @property
    def under_way(self) -> bool:
        """Whether an epoch was begun and not ended."""
        return self._rows is not None

    def epoch_state(self) -> dict[str, Any]:
        """Where the next epoch begins; of ``random`` and ``numpy.random`` it knows nothing."""
        streams = {**self._streams(), "python": None, "numpy": None}
        return {
            "version": 1,
            "epoch": self._epoch + self.under_way,
            "step": 0,
            "seed": self._run.seed,
            "columns": list(self._names),
            "streams": _listed(streams),
            "streams_of_epoch": _listed(streams),
        }

    def _streams(self) -> dict[str, Any]:
        """The states of what functions and transforms draw from."""
        entries: dict[str, Any] = {
            "python": random.getstate(),
            "numpy": np.random.get_state(legacy=False),
            "operations": [],
        }
        if self._run.random_operations:
            entries["operations"] = get_state(self._run.random_operations)
        return entries

    def _set_streams(self, streams: dict[str, Any]) -> None:
        if streams["python"] is not None:
            kind, numbers, gauss = streams["python"]
            random.setstate((kind, tuple(numbers), gauss))
        if streams["numpy"] is not None:
            np.random.set_state(streams["numpy"])
        if self._run.random_operations:
            set_state(self._run.random_operations, streams["operations"])

    def _resume(self, state: dict[str, Any]) -> None:
        if state.get("version") != 1 or state.get("columns") != self._names:
            raise RuntimeError(
                "The state is of another pipeline: its columns are "
                f"{state.get('columns')}, those of this one are {self._names}."
            )
        self._skip(state["epoch"], 0)
        self._set_streams(state["streams_of_epoch"])
        self._epoch_streams = state["streams_of_epoch"]
        self._skip(0, state["step"])
        self._set_streams(state["streams"])

    def _skip(self, epochs: int, steps: int) -> None:
        """Go on after some epochs and steps."""
        assert self._flow is not None
        for _ in range(epochs):
            self._flow.advance()
            self._epoch += 1
            self._run.epoch = self._epoch
        if steps:
            self._rows = self._flow.rows(steps)
            self._step = steps

    def _reset(self, step: int, dataset_size: int) -> None:
        """Go to a step counted over epochs."""
        self.release()
        self._run = Run(self._run.seed)
        self._rows = None
        self._flow = self._dataset._supply(self._run)
        self._epoch = self._step = 0
        self._skip(step // dataset_size, step % dataset_size)

    # --- the end -------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop the iterator and end its worker processes."""
        flow, self._flow = self._flow, None
        if flow is not None:
            self._rows = None
            self._run.close()

    def release(self) -> None:
        """Stop the iterator and end its worker processes."""
        self.stop()

    @staticmethod
    def terminate(ref: Any) -> None:
        """Stop an iterator that may no longer exist.

        Args:
            ref (weakref.ref): a weak reference to the iterator.
        """
        iterator = ref()
        if iterator is not None:
            iterator.stop()

    def __del__(self) -> None:
        if hasattr(self, "_flow"):
            self.stop()

    def __deepcopy__(self, memo: dict[int, Any]) -> Iterator:
        return self


def _listed(value: Any) -> Any:
    """The value with arrays as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _listed(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_listed(v) for v in value]
    return value


class TupleIterator(Iterator):
    """Yields each row as a list of values; :meth:`Dataset.create_tuple_iterator` makes it.

    Args:
        dataset (Dataset): the dataset to iterate over.
        columns (Union[str, list[str]], optional): the columns to yield, in this order.
            Default: ``None``, all.
        num_epochs (int, optional): the number of epochs, each of which ends with a StopIteration;
            -1 for no limit. Default: ``-1``.
        output_numpy (bool, optional): whether values are numpy arrays instead of Tensors.
            Default: ``False``.
        do_copy (bool, optional): accepted; values are never shared with the pipeline.
            Default: ``False``.
        state (dict, optional): the position to continue from, as :meth:`state` returned it. agar's
            own argument. Default: ``None``.
    """

    def __init__(
        self,
        dataset: Dataset,
        columns: Any = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
        state: dict[str, Any] | None = None,
    ) -> None:
        if columns is not None:
            Check("Dataset.create_tuple_iterator").kind("columns", columns, str, list)
            dataset = ProjectDataset(dataset, columns)
        super().__init__(dataset, num_epochs, output_numpy, do_copy, state)

    def _given(self, row: Row) -> list[Any]:
        return self._values(row)


class DictIterator(Iterator):
    """Yields each row as a dict of values; :meth:`Dataset.create_dict_iterator` makes it.

    Args:
        dataset (Dataset): the dataset to iterate over.
        num_epochs (int, optional): the number of epochs, each of which ends with a StopIteration;
            -1 for no limit. Default: ``-1``.
        output_numpy (bool, optional): whether values are numpy arrays instead of Tensors.
            Default: ``False``.
        do_copy (bool, optional): accepted; values are never shared with the pipeline.
            Default: ``False``.
        state (dict, optional): the position to continue from, as :meth:`state` returned it. agar's
            own argument. Default: ``None``.
    """

    _kind = "dict"

    def _given(self, row: Row) -> dict[str, Any]:
        return dict(zip(self._names, self._values(row), strict=True))


class DummyIterator:
    """Yields one row of zeros with the types and shapes of a dataset.

    Args:
        dataset (Dataset): the dataset.
        mode (str): ``'dict'`` or ``'tuple'``.
        output_numpy (bool, optional): whether values are numpy arrays instead of Tensors. Default:
            ``False``.
    """

    def __init__(self, dataset: Dataset, mode: str, output_numpy: bool = False) -> None:
        self.mode = mode
        self.shapes = dataset.output_shapes()
        self.types = dataset.output_types()
        self.col_names = dataset.get_col_names()
        self.fetched_first = False
        self.output_numpy = output_numpy

    def __iter__(self) -> DummyIterator:
        return self

    def __next__(self) -> Any:
        if self.fetched_first:
            raise StopIteration
        self.fetched_first = True
        zeros = [
            np.zeros([size or 1 for size in shape], kind)
            for shape, kind in zip(self.shapes, self.types, strict=True)
        ]
        row = zeros if self.output_numpy else [to_tensor(value) for value in zeros]
        return dict(zip(self.col_names, row, strict=True)) if self.mode == "dict" else row


provide(DictIterator, TupleIterator)
