"""Datasets as Model sees them: rows of tensors, epoch by epoch, from anything that can be iterated.

NOTE Sources. A row becomes the inputs of the network. Sources of rows are objects with MindSpore's
``create_tuple_iterator`` or ``create_dict_iterator``, functions that give an iterator, and anything
Python can iterate: a list of tuples, a torch DataLoader, an iterator (for one epoch).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

# Rows of torch's own data loaders hold torch tensors.
import torch

from agar._core.context import torch_device
from agar._core.errors import describe
from agar._core.tensor import Tensor, wrap

__all__ = ["Rows"]


class Rows:
    """A dataset, checked, whose epochs are iterators of tuples of inputs."""

    def __init__(self, owner: str, dataset: Any) -> None:
        self._owner = owner
        self._dataset = dataset
        self._begun = False
        makers = ("create_tuple_iterator", "create_dict_iterator", "__iter__")
        if isinstance(dataset, (str, bytes, Mapping, Tensor, np.ndarray)) or not (
            callable(dataset) or any(hasattr(dataset, name) for name in makers)
        ):
            raise TypeError(
                f"For '{owner}', the dataset must be iterable by rows: a list of tuples, a "
                "generator function, a torch DataLoader, or a dataset with create_tuple_iterator; "
                f"but got {describe(dataset)}."
            )

        # a training goes through epochs that differ, an evaluation always through the first one
        trains: Any = None if owner.endswith("eval") else dataset
        self._epochs = getattr(trains, "training_epoch", None)
        self._end = None if self._epochs is None else trains.reset
        self.close()

    def close(self) -> None:
        """End the worker processes of an iterator that was left before its end."""
        if self._end is not None:
            self._end()

    @property
    def size(self) -> int | None:
        """The number of rows in an epoch, if the dataset says it."""
        dataset = self._dataset
        if hasattr(dataset, "get_dataset_size"):
            return int(dataset.get_dataset_size())
        try:
            return len(dataset)
        except TypeError:
            return None

    def epoch(self, done: int = 0) -> Iterator[tuple[Any, ...]]:
        """One pass over the rows.

        Args:
            done (int): so many rows are left out, at once. Default: ``0``.

        Raises:
            RuntimeError: an iterator that was used up is asked for another epoch.
        """
        dataset = self._dataset
        if self._epochs is not None:
            source = self._epochs()
        elif hasattr(dataset, "create_tuple_iterator"):
            source = dataset.create_tuple_iterator(num_epochs=1)
            self._end = getattr(source, "stop", None)
        elif hasattr(dataset, "create_dict_iterator"):
            source = dataset.create_dict_iterator(num_epochs=1)
        elif hasattr(dataset, "__iter__"):
            source = iter(dataset)
            if source is dataset and self._begun:
                raise RuntimeError(
                    f"For '{self._owner}', the dataset is an iterator, which lasts for one epoch; "
                    "pass a list, or the function that makes the iterator."
                )
        else:
            source = iter(dataset())
        self._begun = True
        source = iter(source)
        for _ in range(done):
            if next(source, self) is self:
                break
        return map(_inputs, source)


def _inputs(row: Any) -> tuple[Any, ...]:
    if isinstance(row, Mapping):
        row = tuple(row.values())
    elif not isinstance(row, (tuple, list)):
        row = (row,)
    where = torch_device()
    return tuple(_tensor(value, where) for value in row)


def _tensor(value: Any, where: torch.device) -> Any:
    """A value of a row as a Tensor on the device; nested values one by one."""
    if isinstance(value, Tensor):
        held = value._value
        return value if held.device.type == where.type else wrap(held.to(where))
    if isinstance(value, torch.Tensor):
        return wrap(value.detach().to(where))
    if isinstance(value, (np.ndarray, np.generic, bool, int, float)):
        return Tensor(value)
    if isinstance(value, (tuple, list)):
        parts = [_tensor(v, where) for v in value]
        return tuple(parts) if isinstance(value, tuple) else parts
    return value
