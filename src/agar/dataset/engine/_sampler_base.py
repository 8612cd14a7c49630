"""The base of samplers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from agar._core.errors import describe

__all__ = ["BuiltinSampler", "Shuffle", "checked_count", "checked_order", "typed"]


_INT64 = 2**63 - 1


class Shuffle(str, Enum):
    """How a dataset of files is shuffled: all rows, the files, or the rows within each file."""

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"


def typed(owner: str, name: str, value: Any, kind: type | tuple[type, ...], word: str) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise TypeError(f"For '{owner}', '{name}' must be {word}, but got {describe(value)}.")
    return value


def checked_count(owner: str, value: Any) -> int | None:
    if value is None:
        return None
    typed(owner, "num_samples", value, int, "an int or None")
    if not 0 <= value <= _INT64:
        raise ValueError(f"For '{owner}', 'num_samples' must not be negative, but got {value}.")
    return value


class BuiltinSampler:
    """Base of the samplers; a sampler may choose among the samples of another, its child.

    Args:
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
    """

    def __init__(self, num_samples: int | None = None) -> None:
        self.child_sampler: BuiltinSampler | None = None
        self.num_samples = num_samples

    def add_child(self, sampler: BuiltinSampler | None) -> None:
        """Choose among the samples that another sampler gives instead of all samples.

        Args:
            sampler (Sampler): the sampler to choose from. Its `shuffle` must not be
                ``Shuffle.PARTIAL``.

        Raises:
            RuntimeError: there is a child already, or the way of shuffling does not allow one.
        """
        if self.child_sampler is not None:
            raise RuntimeError("Cannot add child sampler, this sampler already has a child.")
        if sampler is not None and sampler.get_shuffle_mode() == Shuffle.PARTIAL:
            raise RuntimeError(
                f"For '{type(self).__name__}.add_child', the child's shuffle must not be "
                "Shuffle.PARTIAL."
            )
        if self.get_shuffle_mode() not in (Shuffle.GLOBAL, Shuffle.FALSE):
            raise RuntimeError(
                f"For '{type(self).__name__}.add_child', the sampler's shuffle must be "
                f"Shuffle.FALSE or Shuffle.GLOBAL, but got {self.get_shuffle_mode()}."
            )
        self.child_sampler = sampler

    def get_child(self) -> BuiltinSampler | None:
        """The sampler whose samples this one chooses from."""
        return self.child_sampler

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return self.child_sampler.is_shuffled() if self.child_sampler is not None else False

    def is_sharded(self) -> bool:
        """Whether this is one of several shards."""
        return self.child_sampler.is_sharded() if self.child_sampler is not None else False

    def get_num_samples(self) -> int | None:
        """The maximum number of samples in an epoch; None if it is that of the dataset."""
        if self.child_sampler is None:
            return self.num_samples
        child = self.child_sampler.get_num_samples()
        known = [n for n in (self.num_samples, child) if n is not None]
        return min(known) if known else None

    def get_shuffle_mode(self) -> Shuffle:
        """How samples are shuffled."""
        return Shuffle.FALSE

    def _orders(self, count: int, seed: int, labels: Any) -> Iterator[Sequence[int]]:
        """The positions of each epoch, endlessly, among `count`."""
        raise NotImplementedError(
            f"'{type(self).__name__}' derives from BuiltinSampler, which gives no samples; derive "
            "from Sampler and define __iter__."
        )

    def _epochs(self, count: int, seed: int, labels: Any = None) -> Iterator[Sequence[int]]:
        """The indices of each epoch, endlessly, for a dataset of `count` samples."""
        if self.child_sampler is None:
            yield from (checked_order(order, count) for order in self._orders(count, seed, labels))
            return
        children = self.child_sampler._epochs(count, seed, labels)
        size = self.child_sampler._size(count, labels)
        for order in self._orders(size, seed, labels):
            child = next(children)
            yield [child[i] for i in checked_order(order, size)]

    def _own_size(self, count: int, labels: Any) -> int:
        return count if not self.num_samples else min(self.num_samples, count)

    def _size(self, count: int, labels: Any = None) -> int:
        """How many indices an epoch has for a dataset of `count` samples."""
        if self.child_sampler is not None:
            count = self.child_sampler._size(count, labels)
        return self._own_size(count, labels)


def checked_order(order: Sequence[int], count: int) -> Sequence[int]:
    if len(order) and not (min(order) >= 0 and max(order) < count):
        wrong = min(order) if min(order) < 0 else max(order)
        raise RuntimeError(
            f"A sampler gave sample {wrong}, which is out of the range [0, {count - 1}] of the "
            "dataset."
        )
    return order
