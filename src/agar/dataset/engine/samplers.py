"""Samplers: in which order the samples of a dataset are read, and which of them.

The orders of a seed are MindSpore's, bit for bit: its engine is ``std::mt19937`` and its
distributions are those of libstdc++.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from types import GeneratorType
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.core import config
from agar.dataset.engine._sampler_base import (
    BuiltinSampler,
    Shuffle,
    checked_count,
    checked_order,
    typed,
)
from agar.dataset.transforms._random import Engine

__all__ = [
    "BuiltinSampler",
    "DistributedSampler",
    "IterSampler",
    "PKSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Shuffle",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
    "select_sampler",
]

_MASK = 0xFFFFFFFF


class Sampler(BuiltinSampler):
    """Base of custom samplers, which define ``__iter__`` and may define ``reset``.

    Args:
        num_samples (int, optional): how many elements of the iterator are taken at most; a
            subclass with ``__len__`` need not give it. Default: ``None``, all.

    Difference from PyTorch: ``torch.utils.data.Sampler``; it may also yield lists of indices, for
    `batch_sampler`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> class Reverse(ds.Sampler):
        ...     def __iter__(self):
        ...         yield from range(self.dataset_size - 1, -1, -1)
        >>> data = ds.GeneratorDataset([1, 2, 3], ["x"], sampler=Reverse())
        >>> [int(x) for (x,) in data]
        [3, 2, 1]
    """

    def __init__(self, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.dataset_size = 0
        if self.num_samples is None and hasattr(self, "__len__"):
            self.num_samples = len(self)  # type: ignore[arg-type]
        self.batch_sizes: list[list[int]] = []

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(
            f"'{type(self).__name__}' derives from dataset.Sampler and must define __iter__, which "
            "yields the indices of an epoch."
        )

    def reset(self) -> None:
        """Called before every epoch but the first; a subclass may define it."""

    def add_child(self, sampler: BuiltinSampler | None) -> None:
        """Choose among the samples that another sampler gives instead of all samples.

        Args:
            sampler (Sampler): the sampler to choose from; ``None`` removes it.
        """
        self.child_sampler = sampler

    def get_indices(self) -> np.ndarray:
        """The indices of an epoch, those of batches one after the other.

        Raises:
            RuntimeError: what was yielded are not integers.
        """
        value, sizes = self._drawn()
        self.batch_sizes.append(sizes)
        indices = np.array(value)
        if indices.dtype == object:
            raise RuntimeError("Fetched indices can not be converted to a valid ndarray.")
        return indices

    def _drawn(self) -> tuple[list[Any], list[int]]:
        entries: list[Any] = []
        sizes = []
        for number, index in enumerate(self):
            if isinstance(index, numbers.Number):
                entries.append(index)
                sizes.append(0)
            else:
                entries.extend(index)
                sizes.append(len(index))
            if self.num_samples is not None and number + 1 >= self.num_samples:
                break
        return entries, sizes

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        self.dataset_size = count
        first = True
        while True:
            if not first:
                self.reset()
            first = False
            yield [int(i) for i in self._drawn()[0]]

    def _batches(self, count: int) -> Iterator[list[list[int]]]:
        """The batches of each epoch, endlessly, of a sampler that yields lists."""
        self.dataset_size = count
        first = True
        while True:
            if not first:
                self.reset()
            first = False
            value, sizes = self._drawn()
            checked_order([int(i) for i in value], count)
            start, batches = 0, []
            for size in sizes:
                batches.append([int(i) for i in value[start : start + max(size, 1)]])
                start += max(size, 1)
            yield batches

    def _own_size(self, count: int, labels: Any) -> int:
        if self.num_samples is not None:
            return self.num_samples
        return len(deepcopy(self)._drawn()[1])

    def get_num_samples(self) -> int | None:
        """How many elements the iterator yields, found by iterating a copy where it is unknown."""
        if self.num_samples is not None:
            return self.num_samples
        return len(deepcopy(self)._drawn()[1])


class DistributedSampler(BuiltinSampler):
    """Every `num_shards`-th sample from number `shard_id`, so that each process reads its shard.

    The shards have one size; the last ones repeat the first samples where it does not divide. With
    an `offset`, no sample is repeated, and a shard without any reads the first sample.

    Args:
        num_shards (int): into how many parts.
        shard_id (int): the shard to read, in [0, num_shards).
        shuffle (Union[bool, Shuffle], optional): whether all samples are shuffled first, alike in
            all processes. Default: ``True``.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
        offset (int, optional): the shard that gets the first sample, at most `num_shards`; -1 for
            the first shard and shards of one size. Default: ``-1``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_samples` is negative.
        RuntimeError: `shard_id` is not a number of a shard, or `offset` is above `num_shards`.

    Difference from PyTorch: ``torch.utils.data.distributed.DistributedSampler``, whose order
    changes with ``set_epoch``; here it changes by itself.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> sampler = ds.DistributedSampler(2, 1, shuffle=False)
        >>> [int(x) for (x,) in ds.GeneratorDataset([1, 2, 3], ["x"], sampler=sampler)]
        [2, 1]
    """

    def __init__(
        self,
        num_shards: int,
        shard_id: int,
        shuffle: bool | Shuffle = True,
        num_samples: int | None = None,
        offset: int = -1,
    ) -> None:
        owner = "DistributedSampler"
        typed(owner, "num_shards", num_shards, int, "an int")
        typed(owner, "shard_id", shard_id, int, "an int")
        typed(owner, "shuffle", shuffle, (bool, Shuffle), "a bool or a Shuffle")
        typed(owner, "offset", offset, int, "an int")
        super().__init__(checked_count(owner, num_samples))
        self.num_shards = num_shards
        self.shard_id = shard_id
        if isinstance(shuffle, bool):
            shuffle = Shuffle.GLOBAL if shuffle else Shuffle.FALSE
        self.shuffle = shuffle
        self.seed = config.get_seed()
        self.offset = offset

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        if self.child_sampler is None:
            return self.shuffle != Shuffle.FALSE
        return self.child_sampler.is_shuffled()

    def is_sharded(self) -> bool:
        """Whether this is one of several shards."""
        if self.child_sampler is None:
            return self.num_shards > 1
        return self.child_sampler.is_sharded()

    def set_offset(self, offset: int) -> DistributedSampler:
        """Set the shard that gets the first sample.

        Args:
            offset (int): the number of the shard, at most `num_shards`; -1 for the first shard and
                shards of one size.

        Returns:
            DistributedSampler, the sampler itself.
        """
        self.offset = offset
        return self

    def get_shuffle_mode(self) -> Shuffle:
        """How samples are shuffled."""
        return self.shuffle

    def _check(self) -> None:
        if self.num_shards <= 0:
            raise RuntimeError(
                "For 'DistributedSampler', 'num_shards' must be positive, but got "
                f"{self.num_shards}."
            )
        if not 0 <= self.shard_id < self.num_shards:
            raise RuntimeError(
                f"For 'DistributedSampler', 'shard_id' must be within [0, {self.num_shards - 1}] "
                f"as 'num_shards' is {self.num_shards}, but got {self.shard_id}."
            )
        if self.offset > self.num_shards:
            raise RuntimeError(
                "For 'DistributedSampler', 'offset' must be at most 'num_shards', "
                f"{self.num_shards}, but got {self.offset}."
            )
        if self.shuffle not in (Shuffle.FALSE, Shuffle.GLOBAL):
            raise RuntimeError(
                f"The shuffle mode: {self.shuffle} is not supported with current dataset."
            )

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        self._check()
        places: list[int] = list(range(count))
        # every shard must shuffle alike, so the seed is that of when the sampler was made
        own = self.seed + 1
        first = self.shard_id
        if self.offset != -1:
            first -= self.offset
            if self.shard_id < self.offset:
                first += self.num_shards
        size = self._own_size(count, labels)
        picked = range(first, first + size * self.num_shards, self.num_shards)
        empty = self._samples_of_shard(count) <= 0
        while True:
            if self.shuffle == Shuffle.GLOBAL:
                Engine(own & _MASK).shuffle(places)
                own += 1
            if not count:
                yield []
            elif empty:
                yield [0]
            else:
                yield [places[i % count] for i in picked]

    def _samples_of_shard(self, count: int) -> int:
        if self.offset == -1:  # all shards have as many, the last ones samples of the beginning
            return -(-count // self.num_shards)
        rounds, left = divmod(count + self.offset, self.num_shards)
        return rounds + (self.shard_id < left) - (self.shard_id < self.offset)

    def _own_size(self, count: int, labels: Any) -> int:
        self._check()
        size = max(self._samples_of_shard(count), 1 if count else 0)
        return size if not self.num_samples else min(self.num_samples, size)


class PKSampler(BuiltinSampler):
    """`num_val` random samples of each class, class after class.

    Args:
        num_val (int): how many samples of a class.
        num_class (int, optional): only None is supported. Default: ``None``.
        shuffle (bool, optional): whether the classes come in random order. Default: ``False``.
        class_column (str, optional): the column of the class. Default: ``'label'``.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_samples` is negative.
        NotImplementedError: `num_class` is given.
        RuntimeError: the dataset has no classes, or `num_val` is not positive.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> ds.PKSampler(2).num_val
        2
    """

    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: int | None = None,
    ) -> None:
        typed("PKSampler", "num_val", num_val, int, "an int")
        if num_class is not None:
            raise NotImplementedError(
                "For 'PKSampler', 'num_class' must be None: samples of every class are drawn."
            )
        typed("PKSampler", "shuffle", shuffle, bool, "a bool")
        typed("PKSampler", "class_column", class_column, str, "a str")
        super().__init__(checked_count("PKSampler", num_samples))
        self.num_val = num_val
        self.shuffle = shuffle
        self.class_column = class_column

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return self.shuffle if self.child_sampler is None else self.child_sampler.is_shuffled()

    def _classes(self, labels: Any) -> dict[int, list[int]]:
        if labels is None:
            raise RuntimeError(
                "For 'PKSampler', the dataset does not tell the classes of its samples; use a "
                "dataset of classes such as ImageFolderDataset, or WeightedRandomSampler."
            )
        if self.num_val <= 0:
            raise RuntimeError(
                f"For 'PKSampler', 'num_val' must be positive, but got {self.num_val}."
            )
        entries: dict[int, list[int]] = {}
        for index, label in enumerate(labels()):
            entries.setdefault(int(label), []).append(index)
        return entries

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        classes = self._classes(labels)
        names = sorted(classes)
        own = seed
        size = self._own_size(count, labels)
        while True:
            engine = Engine(own & _MASK)
            own += 1
            if self.shuffle:
                engine.shuffle(names)
            chosen = []
            for position in range(size):
                members = classes[names[position // self.num_val]]
                chosen.append(members[engine.integer(0, len(members) - 1)])
            yield chosen

    def _own_size(self, count: int, labels: Any) -> int:
        size = len(self._classes(labels)) * self.num_val
        return size if not self.num_samples else min(self.num_samples, size)


class RandomSampler(BuiltinSampler):
    """The samples in random order, different in every epoch.

    Args:
        replacement (bool, optional): whether a sample may come more than once. Default: ``False``.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
        shuffle (Shuffle, optional): only Shuffle.GLOBAL outside MindDataset.
            Default: ``Shuffle.GLOBAL``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_samples` is negative.

    Difference from PyTorch: ``torch.utils.data.RandomSampler``; the seed is that of
    ``dataset.config.set_seed``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> ds.config.set_seed(1)
        >>> data = ds.GeneratorDataset(range(10), ["x"], sampler=ds.RandomSampler())
        >>> [int(x) for (x,) in data]
        [9, 0, 2, 5, 7, 4, 6, 3, 1, 8]
        >>> ds.config.set_seed(5489)
    """

    def __init__(
        self,
        replacement: bool = False,
        num_samples: int | None = None,
        shuffle: Shuffle = Shuffle.GLOBAL,
    ) -> None:
        typed("RandomSampler", "replacement", replacement, bool, "a bool")
        if not isinstance(shuffle, Shuffle) or shuffle is Shuffle.FALSE:
            raise TypeError(
                "For 'RandomSampler', 'shuffle' must be a mode of Shuffle that shuffles, but got "
                f"{shuffle!r}."
            )
        super().__init__(checked_count("RandomSampler", num_samples))
        self.shuffle = shuffle
        self.deterministic = False
        self.replacement = replacement
        self.reshuffle_each_epoch = True

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return True

    def get_shuffle_mode(self) -> Shuffle:
        """How samples are shuffled."""
        return self.shuffle

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        if self.shuffle is not Shuffle.GLOBAL:
            raise RuntimeError(
                f"The shuffle mode: {self.shuffle} is not supported with current dataset."
            )
        places = list(range(count))
        size = self._own_size(count, labels)
        reshuffle = self.reshuffle_each_epoch
        first = True
        while True:
            engine = Engine(seed & _MASK)
            if self.replacement:
                yield [engine.integer(0, count - 1) for _ in range(size)]
            else:
                if first or reshuffle:
                    engine.shuffle(places)
                yield places[:size]
            first = False
            seed += reshuffle


class SequentialSampler(BuiltinSampler):
    """The samples in order.

    Args:
        start_index (int, optional): the first of them. Default: ``None``, 0.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.

    Raises:
        TypeError: an argument is not an int.
        ValueError: `num_samples` is negative.
        RuntimeError: `start_index` is negative or beyond the last sample.

    Difference from PyTorch: ``torch.utils.data.SequentialSampler`` gives all.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> sampler = ds.SequentialSampler(1, 2)
        >>> [int(x) for (x,) in ds.GeneratorDataset(range(5), ["x"], sampler=sampler)]
        [1, 2]
    """

    def __init__(self, start_index: int | None = None, num_samples: int | None = None) -> None:
        if start_index is not None:
            typed("SequentialSampler", "start_index", start_index, int, "an int or None")
        super().__init__(checked_count("SequentialSampler", num_samples))
        self.start_index = start_index

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        start = self.start_index or 0
        size = self._own_size(count, labels)
        while True:
            yield range(start, start + size)

    def _own_size(self, count: int, labels: Any) -> int:
        start = self.start_index or 0
        if start < 0 or (start >= count and count):
            raise RuntimeError(
                "For 'SequentialSampler', 'start_index' must be within the dataset's range "
                f"[0, {count - 1}], but got {start}."
            )
        left = count - start
        return left if not self.num_samples else min(self.num_samples, left)


class SubsetSampler(BuiltinSampler):
    """The given samples, in the given order.

    Args:
        indices (Iterable): their indices.
        num_samples (int, optional): the maximum number of them. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_samples` is negative.
        RuntimeError: an index is beyond the dataset.

    Difference from PyTorch: no counterpart, other than ``torch.utils.data.Subset``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> sampler = ds.SubsetSampler([3, 1])
        >>> [int(x) for (x,) in ds.GeneratorDataset(range(5), ["x"], sampler=sampler)]
        [3, 1]
    """

    def __init__(self, indices: Iterable[int] | int, num_samples: int | None = None) -> None:
        owner = type(self).__name__
        checked_count(owner, num_samples)
        if isinstance(indices, int):
            entries: list[Any] = [indices]
        elif not isinstance(indices, str) and isinstance(indices, Iterable):
            entries = list(indices)[:num_samples]
        else:
            raise TypeError(
                f"For '{owner}', 'indices' must be ints that can be iterated, but got "
                f"{describe(indices)}."
            )
        for i, item in enumerate(entries):
            if not isinstance(item, (int, np.integer)):
                raise TypeError(
                    f"For '{owner}', the elements of 'indices' must be ints, but indices[{i}] is "
                    f"{describe(item)}."
                )
        self.indices = entries
        super().__init__(num_samples)

    def get_num_samples(self) -> int | None:
        """The number of samples in an epoch."""
        value = super().get_num_samples()
        return len(self.indices) if value is None else min(len(self.indices), value)

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        chosen = self.indices[: self._own_size(count, labels)]
        while True:
            yield chosen

    def _own_size(self, count: int, labels: Any) -> int:
        size = len(self.indices)
        return size if not self.num_samples else min(self.num_samples, size)


class SubsetRandomSampler(SubsetSampler):
    """The given samples in random order, different in every epoch.

    Args:
        indices (Iterable): their indices.
        num_samples (int, optional): the maximum number of them. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_samples` is negative.
        RuntimeError: an index is beyond the dataset.

    Difference from PyTorch: ``torch.utils.data.SubsetRandomSampler``; the seed is that of
    ``dataset.config.set_seed``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> sampler = ds.SubsetRandomSampler([3, 1])
        >>> sorted(int(x) for (x,) in ds.GeneratorDataset(range(5), ["x"], sampler=sampler))
        [1, 3]
    """

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return True

    def get_shuffle_mode(self) -> Shuffle:
        """How samples are shuffled."""
        return Shuffle.GLOBAL

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        places = [int(i) for i in self.indices]
        size = self._own_size(count, labels)
        while True:
            Engine(seed & _MASK).shuffle(places)
            yield places[:size]


class IterSampler(Sampler):
    """The samples whose indices an iterable yields.

    Args:
        sampler (Iterable): gives the indices of an epoch each time it is iterated.
        num_samples (int, optional): the maximum number of them. Default: ``None``.

    Difference from PyTorch: a DataLoader takes any iterable as its sampler.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> sampler = ds.IterSampler([2, 0])
        >>> [int(x) for (x,) in ds.GeneratorDataset(range(5), ["x"], sampler=sampler)]
        [2, 0]
    """

    def __init__(self, sampler: Iterable[Any], num_samples: int | None = None) -> None:
        if num_samples is None and hasattr(sampler, "__len__"):
            num_samples = len(sampler)  # type: ignore[arg-type]
        super().__init__(num_samples=num_samples)
        self.sampler = sampler

    def __iter__(self) -> Iterator[Any]:
        return iter(self.sampler)


class WeightedRandomSampler(BuiltinSampler):
    """Samples drawn with the given probabilities.

    Args:
        weights (list): one number for each sample; they need not sum to one.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
        replacement (bool, optional): whether a sample may come more than once. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_samples` is negative.
        RuntimeError: a weight is negative, all are 0, or there are not as many as samples.

    Difference from PyTorch: ``torch.utils.data.WeightedRandomSampler``; every epoch draws the same
    samples, as in MindSpore.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> sampler = ds.WeightedRandomSampler([0, 0, 1], 2)
        >>> [int(x) for (x,) in ds.GeneratorDataset(range(3), ["x"], sampler=sampler)]
        [2, 2]
    """

    def __init__(
        self, weights: list[float], num_samples: int | None = None, replacement: bool = True
    ) -> None:
        owner = "WeightedRandomSampler"
        weights = weights if isinstance(weights, list) else [weights]
        for i, weight in enumerate(weights):
            typed(owner, f"weights[{i}]", weight, numbers.Number, "a number")
        typed(owner, "replacement", replacement, bool, "a bool")
        super().__init__(checked_count(owner, num_samples))
        self.weights = weights
        self.replacement = replacement

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return True

    def get_shuffle_mode(self) -> Shuffle:
        """How samples are shuffled."""
        return Shuffle.GLOBAL

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        weights = np.asarray(self.weights, np.float32).astype(np.float64)
        size = self._own_size(count, labels)
        owner = "WeightedRandomSampler"
        if not weights.size or weights.min() < 0 or not weights.any():
            raise RuntimeError(
                f"For '{owner}', 'weights' must not be negative, nor all 0, but got "
                f"{describe(self.weights)}."
            )
        if len(weights) > count:
            raise RuntimeError(
                f"For '{owner}', 'weights' must have an element for each of the {count} samples, "
                f"but got {len(weights)}."
            )
        if not self.replacement and size > np.count_nonzero(weights):
            raise RuntimeError(
                f"For '{owner}' without replacement, 'num_samples' must not be larger than the "
                f"number of weights above 0, but got {size}."
            )
        bounds = np.cumsum(weights / weights.sum())
        while True:
            engine = Engine(seed & _MASK)
            if self.replacement:
                drawn = [engine.unit_double() for _ in range(size)]
                last = len(weights) - 1
                yield np.minimum(np.searchsorted(bounds, drawn), last).tolist()
            else:
                keys = np.array([-np.log(1.0 - engine.unit_double()) for _ in weights])
                with np.errstate(divide="ignore"):
                    keys = keys / weights
                yield np.argsort(keys, kind="stable")[:size].tolist()


def gives_indices(sampler: Any) -> bool:
    """Whether an object of the program's can be a sampler: it can be iterated, or indexed."""
    kind = type(sampler)
    return not isinstance(sampler, str) and (
        hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")
    )


def select_sampler(
    num_samples: int | None,
    input_sampler: Any,
    shuffle: bool | Shuffle | None,
    num_shards: int | None,
    shard_id: int | None,
) -> BuiltinSampler:
    """The sampler that the arguments of a dataset ask for.

    Args:
        num_samples (int): the maximum number of samples in an epoch; ``None`` for all. If it is
            given and samples are shuffled, they are drawn with replacement.
        input_sampler (Union[Sampler, Iterable]): a sampler, a list, tuple or array of indices, or
            another object whose ``__iter__`` yields indices; ``None`` for the sampler that the
            other arguments describe.
        shuffle (Union[bool, Shuffle]): how samples are shuffled; ``True`` and ``None`` mean
            ``Shuffle.GLOBAL``.
        num_shards (int): the number of shards; ``None`` for one.
        shard_id (int): the shard to read, in [0, num_shards); needed with `num_shards`.

    Raises:
        TypeError: `input_sampler` does not yield indices, or is a generator.
        ValueError: `input_sampler` is a sampler and another argument is given too.
    """
    if input_sampler is not None:
        if isinstance(input_sampler, BuiltinSampler):
            if any(a is not None for a in (num_shards, shard_id, shuffle, num_samples)):
                raise ValueError(
                    "Conflicting arguments during sampler assignments. num_samples: "
                    f"{num_samples}, num_shards: {num_shards}, shard_id: {shard_id}, shuffle: "
                    f"{shuffle}."
                )
            return input_sampler
        if isinstance(input_sampler, (np.ndarray, list, tuple)):
            return SubsetSampler(input_sampler, num_samples)
        if isinstance(input_sampler, GeneratorType):
            raise TypeError(
                "A generator as the sampler gives its indices once, but each epoch needs them. "
                "Give a list of them, or an object with '__iter__'."
            )
        if gives_indices(input_sampler):
            return IterSampler(input_sampler, num_samples)
        raise TypeError(f"Unsupported sampler object of type ({type(input_sampler)})")
    if shuffle is None or shuffle is True:
        shuffle = Shuffle.GLOBAL
    elif shuffle is False:
        shuffle = Shuffle.FALSE
    if num_shards is not None:
        assert shard_id is not None
        return DistributedSampler(num_shards, shard_id, shuffle=shuffle, num_samples=num_samples)
    if shuffle is not Shuffle.FALSE:
        replacement = num_samples is not None
        return RandomSampler(replacement=replacement, num_samples=num_samples, shuffle=shuffle)
    return SequentialSampler(num_samples=num_samples)
