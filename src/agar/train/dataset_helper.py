"""Rows of a dataset for loops of one's own, under MindSpore's path."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import boolean, integer
from agar.train._dataset_rows import Rows

__all__ = ["DatasetHelper", "connect_network_with_dataset", "data_sink"]


class DatasetHelper:
    """The rows of a dataset, as tuples, each time it is iterated.

    Args:
        dataset (Iterable): anything that gives rows, see :class:`agar.Model`.
        dataset_sink_mode (bool): accepted: rows are not queued on a device. Default: ``True``.
        sink_size (int): how many rows an iteration gives; -1 for all. Default: ``-1``.
        epoch_num (int): accepted. Default: ``1``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sink_size` is neither -1 nor positive.

    Difference from PyTorch: ``torch.utils.data.DataLoader`` gives rows by itself.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> rows = [(ms.Tensor([1.0]), ms.Tensor([2.0]))]
        >>> for x, y in ms.DatasetHelper(rows, dataset_sink_mode=False):
        ...     print(x + y)
        [3.]
    """

    def __init__(
        self,
        dataset: Any,
        dataset_sink_mode: bool = True,
        sink_size: int = -1,
        epoch_num: int = 1,
    ) -> None:
        boolean("DatasetHelper", "dataset_sink_mode", dataset_sink_mode)
        integer("DatasetHelper", "sink_size", sink_size, -1)
        if sink_size == 0:
            raise ValueError("The 'sink_size' must be -1 or positive, but got sink_size 0.")
        self._rows = Rows("DatasetHelper", dataset)
        self._dataset = dataset
        self._count = sink_size

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for index, row in enumerate(self._rows.epoch()):
            if index == self._count:
                return
            yield row

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """The types and shapes of the columns: the dataset's own words, or those of a first row."""
        if hasattr(self._dataset, "output_types"):
            return self._dataset.output_types(), self._dataset.output_shapes()
        row = next(iter(self._rows.epoch()))
        values = [v if isinstance(v, Tensor) else Tensor(np.asarray(v)) for v in row]
        return [v.dtype for v in values], [list(v.shape) for v in values]

    def sink_size(self) -> int:
        """How many rows an iteration gives, 1 if the dataset does not know."""
        return self._count if self._count > 0 else self._rows.size or 1

    def stop_send(self) -> None:
        """Accepted: no thread sends rows."""

    def release(self) -> None:
        """Accepted: nothing is held on a device."""

    def continue_send(self) -> None:
        """Accepted: no thread sends rows."""


def connect_network_with_dataset(network: Cell, dataset_helper: DatasetHelper) -> Cell:
    """A Cell without inputs, whose call computes the next row of a dataset.

    Args:
        network (Cell): takes a row.
        dataset_helper (DatasetHelper): gives rows.

    Returns:
        Cell. After the last row it begins again.

    Raises:
        TypeError: an argument has the wrong type.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10, which queues rows on Ascend and GPU.

    Examples:
        >>> import agar as ms
        >>> helper = ms.DatasetHelper([(ms.Tensor([-1.0, 1.0]),)])
        >>> print(ms.connect_network_with_dataset(ms.nn.ReLU(), helper)())
        [0. 1.]
    """
    if not isinstance(network, Cell):
        raise TypeError(
            "For 'connect_network_with_dataset', the 'network' must be a Cell, but got "
            f"{type(network).__name__}."
        )
    if not isinstance(dataset_helper, DatasetHelper):
        raise TypeError(
            "For 'connect_network_with_dataset', the 'dataset_helper' must be a DatasetHelper, but "
            f"got {type(dataset_helper).__name__}."
        )
    return _DataWrapper(network, dataset_helper)


class _DataWrapper(Cell):
    """A network with the dataset that feeds it."""

    def __init__(self, network: Cell, helper: DatasetHelper) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self._next = _endless(helper)

    def construct(self) -> Any:
        """What the network computes from the next row."""
        return self.network(*self._next())


def _endless(rows: Any) -> Callable[[], tuple[Any, ...]]:
    """A function that gives the next row, and after the last the first."""
    iterator: Iterator[tuple[Any, ...]] = iter(())

    def following() -> tuple[Any, ...]:
        nonlocal iterator
        try:
            return next(iterator)
        except StopIteration:
            iterator = iter(rows)
            return next(iterator)

    return following


def data_sink(
    fn: Callable[..., Any],
    dataset: Any,
    sink_size: int = 1,
    jit_config: Any = None,
    input_signature: Any = None,
) -> Callable[..., Any]:
    """A function without arguments that calls `fn` with the next rows of a dataset.

    Args:
        fn (function): takes a row.
        dataset (Iterable): anything that gives rows, see :class:`agar.Model`.
        sink_size (int): how many rows a call computes; positive. Default: ``1``.
        jit_config (JitConfig): if given, `fn` is compiled. Default: ``None``.
        input_signature (Union[Tensor, list]): accepted. Default: ``None``.

    Returns:
        function; it returns what `fn` gave for the last row.

    Raises:
        TypeError: `sink_size` is not an int.
        ValueError: it is not positive.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10, which does it on Ascend and GPU alone.

    Examples:
        >>> import agar as ms
        >>> step = ms.data_sink(lambda x, y: x + y, [(ms.Tensor(1), ms.Tensor(2))])
        >>> print(step())
        3
    """
    integer("data_sink", "sink_size", sink_size, 1)
    following = _endless(DatasetHelper(dataset))
    if jit_config is not None:
        from agar._core.jit import jit

        fn = jit(fn)

    @functools.wraps(fn)
    def sink_process(*args: Any, **kwargs: Any) -> Any:
        out = None
        for _ in range(sink_size):
            out = fn(*following())
        return out

    return sink_process
