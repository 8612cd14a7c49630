"""Memories of reinforcement learning, as MindSpore 1.8 to 2.9 had them.

MindSpore drew from them with its C++ library's generators; which elements are drawn differs, the
probabilities do not.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import agar as ms
from agar import ops
from agar._core.optable import Primitive
from agar.common import dtype as mstype

__all__ = [
    "PriorityReplayBufferCreate",
    "PriorityReplayBufferDestroy",
    "PriorityReplayBufferPush",
    "PriorityReplayBufferSample",
    "PriorityReplayBufferUpdate",
    "ReservoirReplayBufferCreate",
    "ReservoirReplayBufferDestroy",
    "ReservoirReplayBufferPush",
    "ReservoirReplayBufferSample",
]

_handles = itertools.count(1)
_open: dict[int, _Memory] = {}


class _Memory:
    """Elements with priorities, and the generator that draws from them."""

    def __init__(self, capacity: int, alpha: float, seed: int) -> None:
        self.capacity, self.alpha = capacity, alpha
        self.items: list[Any] = []
        self.priorities: list[float] = []
        self.head = self.total = 0
        self.largest = 1.0
        self.draw = np.random.default_rng(seed or None)


def _memory(name: str, handle: Any) -> _Memory:
    number = int(handle) if isinstance(handle, (int, ms.Tensor)) else -1
    if number not in _open:
        raise ValueError(f"For '{name}', the handle {handle} is of no memory; create another.")
    return _open[number]


class _Creates(Primitive):
    def __init__(
        self, capacity: int, alpha: float, shapes: Any, dtypes: Any, seed0: int, seed1: int
    ) -> None:
        super().__init__(type(self).__name__)
        if isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1:
            raise ValueError(
                f"For '{self.name}', 'capacity' must be a positive int, but got {capacity!r}."
            )
        self._given = (capacity, alpha, seed0 * 1_000_003 + seed1)

    def __call__(self) -> Any:
        number = next(_handles)
        _open[number] = _Memory(*self._given)
        return ms.Tensor(number, mstype.int64)


class _Uses(Primitive):
    def __init__(self, handle: Any) -> None:
        super().__init__(type(self).__name__)
        self._memory = _memory(self.name, handle)
        self._handle = handle


class _Destroys(_Uses):
    def __call__(self) -> Any:
        _memory(self.name, self._handle)
        del _open[int(self._handle)]
        return ms.Tensor(0, mstype.int64)


class _Samples(_Uses):
    def __init__(self, handle: Any, batch_size: int, shapes: Any, dtypes: Any) -> None:
        super().__init__(handle)
        self.batch_size = batch_size

    def _filled(self) -> _Memory:
        _memory(self.name, self._handle)
        if not self._memory.items:
            raise RuntimeError(f"For '{self.name}', the memory is empty; push an element first.")
        return self._memory

    @staticmethod
    def _batch(items: list[Any]) -> tuple[Any, ...]:
        return tuple(ops.stack(list(column)) for column in zip(*items, strict=True))


class PriorityReplayBufferCreate(_Creates):
    r"""A memory whose elements are drawn by :math:`p_i^\alpha`; a call returns its handle."""

    def __init__(
        self, capacity: int, alpha: float, shapes: Any, dtypes: Any, seed0: int, seed1: int
    ) -> None:
        super().__init__(capacity, alpha, shapes, dtypes, seed0, seed1)


class PriorityReplayBufferPush(_Uses):
    """Put an element in, with the largest priority so far."""

    def __init__(self, handle: Any) -> None:
        super().__init__(handle)

    def __call__(self, *transition: Any) -> Any:
        if len(transition) == 1 and isinstance(transition[0], (tuple, list)):
            transition = tuple(transition[0])
        memory = self._memory
        retained = tuple(one.copy() for one in transition)
        if len(memory.items) < memory.capacity:
            memory.items.append(retained)
            memory.priorities.append(memory.largest)
        else:
            memory.items[memory.head] = retained
            memory.priorities[memory.head] = memory.largest
            memory.head = (memory.head + 1) % memory.capacity
        return self._handle


class PriorityReplayBufferSample(_Samples):
    r"""Draw elements; a call with :math:`\beta` returns indices, weights and the elements' parts.

    The weights are :math:`(N P_i)^{-\beta}`, divided by the largest.
    """

    def __call__(self, beta: Any) -> tuple[Any, ...]:
        memory = self._filled()
        powers = np.asarray(memory.priorities) ** memory.alpha
        shares = powers / powers.sum()
        places = memory.draw.choice(len(shares), self.batch_size, p=shares)
        weights = (len(shares) * shares) ** -float(beta)
        weights = weights[places] / weights.max()
        return (
            ms.Tensor(places, mstype.int64),
            ms.Tensor(weights, mstype.float32),
            *self._batch([memory.items[place] for place in places]),
        )


class PriorityReplayBufferUpdate(_Uses):
    """Give drawn elements new priorities."""

    def __call__(self, indices: Any, priorities: Any) -> Any:
        memory = self._memory
        pairs = zip(indices.asnumpy().tolist(), priorities.asnumpy().tolist(), strict=True)
        for place, priority in pairs:
            if not (priority > 0 and math.isfinite(priority)):
                raise ValueError(
                    f"For '{self.name}', priorities must be positive and finite, but got "
                    f"{priority}."
                )
            memory.priorities[place] = priority
            memory.largest = max(memory.largest, priority)
        return self._handle


class PriorityReplayBufferDestroy(_Destroys):
    """End the memory."""


class ReservoirReplayBufferCreate(_Creates):
    """A memory that keeps every element pushed with the same probability."""

    def __init__(
        self, capacity: int, shapes: Any, dtypes: Any, seed0: int = 0, seed1: int = 0
    ) -> None:
        super().__init__(capacity, 0.0, shapes, dtypes, seed0, seed1)


class ReservoirReplayBufferPush(_Uses):
    """Put an element in; a full memory keeps it with probability capacity by pushes so far."""

    def __call__(self, *transition: Any) -> Any:
        if len(transition) == 1 and isinstance(transition[0], (tuple, list)):
            transition = tuple(transition[0])
        memory = self._memory
        memory.total += 1
        retained = tuple(one.copy() for one in transition)
        if len(memory.items) < memory.capacity:
            memory.items.append(retained)
        elif (place := int(memory.draw.integers(memory.total))) < memory.capacity:
            memory.items[place] = retained
        return self._handle


class ReservoirReplayBufferSample(_Samples):
    """Draw elements, each with the same probability; a call returns the elements' parts."""

    def __call__(self) -> tuple[Any, ...]:
        memory = self._filled()
        places = memory.draw.integers(len(memory.items), size=self.batch_size)
        return self._batch([memory.items[place] for place in places])


class ReservoirReplayBufferDestroy(_Destroys):
    """End the memory."""
