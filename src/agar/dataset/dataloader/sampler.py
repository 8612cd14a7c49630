"""Samplers of a loader: which rows come, in which order and batches."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sized
from typing import Any, Generic, TypeVar, cast

import numpy as np

from agar.dataset.dataloader._utils import check_positive, check_type

__all__ = ["BatchSampler", "InfiniteSampler", "RandomSampler", "Sampler", "SequentialSampler"]

_Index = TypeVar("_Index", covariant=True)

_AT_ONCE = 32  # indices drawn at once, as in MindSpore: other sizes would draw other indices


class Sampler(Generic[_Index]):
    """Base of samplers. A subclass has ``__iter__``, which gives indices.

    Args:
        data_source (Dataset): not used. Default: ``None``.

    Difference from PyTorch: none, ``torch.utils.data.Sampler``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.dataloader import DataLoader, Sampler
        >>> class Backwards(Sampler):
        ...     def __iter__(self):
        ...         return iter([2, 1, 0])
        >>> print([int(x) for x in DataLoader([10, 20, 30], sampler=Backwards())])
        [30, 20, 10]
    """

    def __init__(self, data_source: Any = None) -> None:
        del data_source

    def __iter__(self) -> Iterator[_Index]:
        raise NotImplementedError(
            f"{type(self).__name__} must implement the method __iter__, which gives indices."
        )


class SequentialSampler(Sampler[int]):
    """All rows in order.

    Args:
        data_source (Dataset): what is sampled; its length is asked for.

    Difference from PyTorch: none, ``torch.utils.data.SequentialSampler``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.dataloader import SequentialSampler
        >>> list(SequentialSampler(["a", "b", "c"]))
        [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        super().__init__(data_source)
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        yield from range(len(self))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Rows in random order.

    Args:
        data_source (Dataset): what is sampled; its length is asked for.
        replacement (bool): whether a row may come several times. Default: ``False``.
        num_samples (int, optional): how many indices are drawn. Default: ``None``, as many as there
            are rows.
        generator (numpy.random.Generator, optional): draws them. Default: ``None``, each iteration
            makes one, seeded by ``numpy.random``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_samples` is not positive.

    Difference from PyTorch: ``torch.utils.data.RandomSampler`` takes a ``torch.Generator``.

    Source: behavior observed in MindSpore 2.10, with the same indices for the same generator.

    Examples:
        >>> import numpy as np
        >>> from agar.dataset.dataloader import RandomSampler
        >>> list(RandomSampler(range(5), generator=np.random.default_rng(0)))
        [2, 4, 3, 0, 1]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: np.random.Generator | None = None,
    ) -> None:
        super().__init__(data_source)
        check_type(replacement, "replacement", bool)
        check_type(num_samples, "num_samples", int, allow_none=True)
        check_positive(num_samples, "num_samples", allow_none=True)
        check_type(generator, "generator", np.random.Generator, allow_none=True)
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator

    @property
    def num_samples(self) -> int:
        """How many indices are drawn."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        size, total = len(self.data_source), self.num_samples
        generator = self.generator
        if generator is None:
            limit = np.iinfo(np.int64).max
            seed = np.random.randint(0, int(limit) + 1, dtype=np.int64)
            generator = np.random.default_rng(seed)
        if self.replacement:
            for start in range(0, total, _AT_ONCE):
                count = min(_AT_ONCE, total - start)
                yield from generator.integers(0, size, (count,), np.int64).tolist()
            return
        if not size:
            return
        for _ in range(total // size):
            yield from generator.permutation(size).tolist()
        # drawn even where nothing is left, as in MindSpore: the next iteration goes on behind it
        yield from generator.permutation(size).tolist()[: total % size]

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Indices of another sampler in batches.

    Args:
        sampler (Union[Sampler, Iterable]): gives single indices.
        batch_size (int): how many make a batch.
        drop_last (bool): whether a last batch with fewer is left out.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `batch_size` is not positive.

    Difference from PyTorch: none, ``torch.utils.data.BatchSampler``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.dataloader import BatchSampler
        >>> list(BatchSampler(range(5), 2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self, sampler: Sampler[Any] | Iterable[Any], batch_size: int, drop_last: bool
    ) -> None:
        super().__init__()
        check_type(batch_size, "batch_size", int, bool)
        check_positive(batch_size, "batch_size")
        check_type(drop_last, "drop_last", bool)
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := [*itertools.islice(indices, self.batch_size)]:
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        count = len(cast("Sized", self.sampler))
        return (count if self.drop_last else count + self.batch_size - 1) // self.batch_size


class InfiniteSampler(Sampler[None]):
    """Stands for the indices of a dataset whose rows come in order: None without end."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)
