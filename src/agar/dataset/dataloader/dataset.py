"""Datasets of a loader: rows by index, rows in order, and rows of Tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import torch.utils.data as torch_data  # so that PyTorch's loader knows datasets in order by class

from agar._core.errors import describe
from agar._core.tensor import Tensor

__all__ = ["Dataset", "IterableDataset", "TensorDataset"]

_Row = TypeVar("_Row", covariant=True)


class Dataset(torch_data.Dataset[_Row]):
    """Base of datasets whose rows are taken by index.

    A subclass has ``__getitem__``, and ``__len__`` where samplers are to know how many rows there
    are.

    Difference from PyTorch: none, ``torch.utils.data.Dataset``, from which it derives.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.dataloader import Dataset
        >>> class Squares(Dataset):
        ...     def __getitem__(self, index):
        ...         return index**2
        ...
        ...     def __len__(self):
        ...         return 4
        >>> Squares()[3]
        9
    """

    def __getitem__(self, index: Any) -> _Row:
        raise NotImplementedError(
            f"{type(self).__name__} must implement the method __getitem__, which gives the row of "
            "an index."
        )


class IterableDataset(Dataset[_Row], torch_data.IterableDataset[_Row]):
    """Base of datasets whose rows come one after another.

    A subclass has ``__iter__``. In several workers each iterates a copy of the dataset:
    :func:`get_worker_info` says which of them it is.

    Difference from PyTorch: none, ``torch.utils.data.IterableDataset``, from which it derives.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.dataloader import DataLoader, IterableDataset
        >>> class Counted(IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(3))
        >>> print([batch.asnumpy().tolist() for batch in DataLoader(Counted(), batch_size=2)])
        [[0, 1], [2]]
    """

    def __iter__(self) -> Iterator[_Row]:
        raise NotImplementedError(
            f"{type(self).__name__} must implement the method __iter__, which gives its rows in "
            "order."
        )


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Rows of Tensors: a row has the same place in each of them.

    Args:
        *tensors (Tensor): the columns; all have the same length along their first axis.

    Raises:
        TypeError: a column is not a Tensor, or there is none.
        ValueError: the lengths differ.

    Difference from PyTorch: none, ``torch.utils.data.TensorDataset``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.dataset.dataloader import TensorDataset
        >>> rows = TensorDataset(ms.Tensor([0, 1]), ms.Tensor([2.0, 3.0]))
        >>> print(len(rows), *rows[1])
        2 1 3.0
    """

    def __init__(self, *tensors: Tensor) -> None:
        super().__init__()
        for place, tensor in enumerate(tensors):
            if not isinstance(tensor, Tensor):
                raise TypeError(
                    f"For 'TensorDataset', column {place} must be a Tensor, but got "
                    f"{describe(tensor)}."
                )
        if not tensors:
            raise TypeError("For 'TensorDataset', give at least one Tensor.")
        lengths = [tensor.shape[0] for tensor in tensors]
        if len(set(lengths)) > 1:
            raise ValueError(
                "All tensors must have the same size in the first dimension, but got "
                f"{lengths} for 'TensorDataset'."
            )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        if isinstance(index, int) and not -len(self) <= index < len(self):
            # so that a loop over the dataset ends
            raise IndexError(f"the index {index} is out of range: there are {len(self)} rows")
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]
