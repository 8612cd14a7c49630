"""The random streams of transforms: MindSpore's engine and distributions, bit for bit.

NOTE Each random operation has a stream of its own, ``std::mt19937`` seeded with
``dataset.config.get_seed()``; a worker adds its number to the seed. All operations of a pipeline
start from the same seed, as in MindSpore: the first draws of two flips with one probability agree.
Without a seed the streams come from the operating system. The distributions follow libstdc++.

Operations on PIL images draw from Python's ``random`` and ``numpy.random`` instead, as in
MindSpore; whoever starts a worker process seeds those.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from typing import Any

import numpy as np

from agar.dataset.core import config

__all__ = ["Engine", "Random", "get_state", "reseed", "set_state"]

_UNSEEDED = 5489  # of std::mt19937: MindSpore takes it as "no seed was given"
_F32 = np.float32
_TWO32 = 4294967296.0
_BELOW_ONE = np.nextafter(_F32(1), _F32(0))


class Engine:
    """``std::mt19937`` with the distributions of libstdc++."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.MT19937()
        self._bits._legacy_seeding(seed & 0xFFFFFFFF)
        self._raw = self._bits.random_raw
        #: what a normal distribution that lives as long as its operation keeps for its next draw
        self.spare: list[np.float32] = []

    def integer(self, low: int, high: int) -> int:
        """``uniform_int_distribution<int>(low, high)``: both ends belong to it."""
        # the algorithm of libstdc++ before GCC 11, which shuffles of 2000 elements tell from later
        scaling = 0xFFFFFFFF // (high - low + 1)
        past = scaling * (high - low + 1)
        while (drawn := int(self._raw())) >= past:
            continue
        return low + drawn // scaling

    def unit(self) -> np.float32:
        """``generate_canonical<float>``: a float32 within [0, 1)."""
        return min(_F32(self._raw()) / _F32(_TWO32), _BELOW_ONE)

    def unit_double(self) -> float:
        """``generate_canonical<double>``: a double within [0, 1)."""
        low = int(self._raw())
        drawn = (float(low) + float(self._raw()) * _TWO32) / (_TWO32 * _TWO32)
        return drawn if drawn < 1.0 else math.nextafter(1.0, 0.0)

    def uniform(self, low: float, high: float) -> np.float32:
        """``uniform_real_distribution<float>(low, high)``."""
        return self.unit() * (_F32(high) - _F32(low)) + _F32(low)

    def uniform_double(self, low: float, high: float) -> float:
        """``uniform_real_distribution<double>(low, high)``."""
        return self.unit_double() * (high - low) + low

    def chance(self, probability: float) -> bool:
        """``bernoulli_distribution(probability)``."""
        return self.unit_double() < probability

    def normal(self, mean: float, deviation: float, spare: list[np.float32]) -> np.float32:
        """``normal_distribution<float>(mean, deviation)``, which draws two at a time.

        `spare` holds the second one for the next draw of the same distribution.
        """
        if spare:
            drawn = spare.pop()
        else:
            one, two = _F32(1), _F32(2)
            while True:
                x, y = two * self.unit() - one, two * self.unit() - one
                square = x * x + y * y
                if 0 < square <= 1:
                    break
            scale = np.sqrt(_F32(-2) * np.log(square) / square)
            drawn = y * scale
            spare.append(x * scale)
        return drawn * _F32(deviation) + _F32(mean)

    def gamma(self, alpha: float, spare: list[np.float32]) -> np.float32:
        """``gamma_distribution<float>(alpha, 1)`` (Marsaglia and Tsang); `spare` as in `normal`."""
        shape, one = _F32(alpha), _F32(1)
        raised = shape + one if shape < 1 else shape
        first = raised - one / _F32(3)
        second = one / np.sqrt(_F32(9) * first)
        while True:
            drawn = self.normal(0, 1, spare)
            cube = one + second * drawn
            if cube <= 0:
                continue
            cube = cube * cube * cube
            unit = self.unit()
            square = float(drawn) * float(drawn)
            if unit <= 1.0 - 0.0331 * square * square:
                break
            if np.log(unit) <= 0.5 * square + float(first) * float(one - cube + np.log(cube)):
                break
        if shape == raised:
            return first * cube
        while (unit := self.unit()) == 0:
            continue
        return np.power(unit, one / shape) * first * cube

    def beta(self, alpha: float, spare: list[np.float32]) -> np.float32:
        """A draw of Beta(alpha, alpha) from two of a gamma distribution; `spare` as in `normal`."""
        first = self.gamma(alpha, spare)
        second = self.gamma(alpha, spare)
        return first / (first + second)

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """``std::shuffle``, in place."""
        count = len(items)
        if count == 0:
            return
        place = 1
        if count > 0xFFFF:  # two positions no longer fit into one draw
            for place in range(1, count):
                other = self.integer(0, place)
                items[place], items[other] = items[other], items[place]
            return
        if count % 2 == 0:
            other = self.integer(0, 1)
            items[place], items[other] = items[other], items[place]
            place += 1
        while place < count:
            # one draw serves two swaps
            size = place + 1
            drawn = self.integer(0, size * (size + 1) - 1)
            for other in (drawn // (size + 1), drawn % (size + 1)):
                items[place], items[other] = items[other], items[place]
                place += 1

    def sample(self, items: Sequence[Any], count: int) -> list[Any]:
        """``std::sample``: some of the items, in their order."""
        chosen: list[Any] = []
        left = len(items)
        first = second = 0
        for place, item in enumerate(items):
            if len(chosen) == count:
                break
            if place % 2 == 0 and left >= 2:
                # one draw decides on two items
                first, second = divmod(self.integer(0, left * (left - 1) - 1), left - 1)
            elif place % 2 == 0:
                first = self.integer(0, left - 1)
            if (first if place % 2 == 0 else second) < count - len(chosen):
                chosen.append(item)
            left -= 1
        return chosen

    def get_state(self) -> dict[str, Any]:
        """What `set_state` needs to go on from here."""
        return {**self._bits.state, "kept": list(self.spare)}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from where `get_state` was called."""
        state = dict(state)
        bits: Any = self._bits
        self.spare = list(state.pop("kept"))
        bits.state = state

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.get_state(),)

    def __deepcopy__(self, memo: dict[int, Any]) -> Engine:
        return _rebuild(self.get_state())


def _rebuild(state: dict[str, Any]) -> Engine:
    engine = Engine(0)
    engine.set_state(state)
    return engine


def _worker() -> int:
    """The number of this worker of a torch DataLoader; 0 outside."""
    data = sys.modules.get("torch.utils.data")
    info = data.get_worker_info() if data is not None else None
    return info.id if info is not None else 0


def _fresh(seed: int) -> Engine:
    if seed == _UNSEEDED:
        return Engine(int.from_bytes(os.urandom(4), "little"))
    return Engine(seed)


class Random:
    """The part of an operation that draws: a stream that starts when it is first used.

    It starts anew when a seed is set, and in a worker process that got a copy of the operation.
    """

    random = True
    _engine: Engine | None = None
    _started: tuple[Any, ...] | None = None

    @property
    def _stream(self) -> Engine:
        here = (config.seed_mark(), os.getpid())
        if self._engine is None or self._started != here:
            self._start(config.get_seed() if here[0][0] == _UNSEEDED else here[0][0] + _worker())
        assert self._engine is not None
        return self._engine

    def _start(self, seed: int) -> None:
        self._engine = _fresh(seed)
        self._started = (config.seed_mark(), os.getpid())

    def __getstate__(self) -> dict[str, Any]:
        # the copy in another process starts a stream of its own
        return {k: v for k, v in vars(self).items() if k not in ("_engine", "_started")}


def _walk(operations: Any) -> Iterator[Random]:
    """The random operations among some, inner ones included, in an order that stays."""
    if isinstance(operations, Random):
        yield operations
    if isinstance(operations, (list, tuple)):
        for operation in operations:
            yield from _walk(operation)
        return
    for name in ("transforms", "transform", "policy"):
        inner = getattr(operations, name, None)
        if isinstance(inner, (list, tuple)) or (name == "transform" and callable(inner)):
            yield from _walk(inner)


def reseed(operations: Any, seed: int | None = None) -> None:
    """Start the streams of operations anew.

    Args:
        operations: an operation or a list of them; operations within operations count too, other
            callables are left alone.
        seed (int, optional): the seed; 5489 stands for none. Default: ``dataset.config``'s, plus
            the number of the worker.
    """
    if seed is None:
        seed = config.get_seed()
        seed = seed if seed == _UNSEEDED else seed + _worker()
    for operation in _walk(operations):
        operation._start(seed)


def get_state(operations: Any) -> list[dict[str, Any]]:
    """Where the streams of operations are, for `set_state`.

    Args:
        operations: an operation or a list of them, with the operations within them.
    """
    return [operation._stream.get_state() for operation in _walk(operations)]


def set_state(operations: Any, state: Iterable[dict[str, Any]]) -> None:
    """Put the streams of operations where they were when `get_state` was called.

    Args:
        operations: the same operations, or ones made alike.
        state: what `get_state` gave.

    Raises:
        ValueError: the number of random operations is another.
    """
    value, states = list(_walk(operations)), list(state)
    if len(value) != len(states):
        raise ValueError(
            f"The saved random state is of {len(states)} operations, but there are {len(value)}; "
            "make the pipeline as it was when the state was saved."
        )
    for operation, saved in zip(value, states, strict=True):
        operation._stream.set_state(saved)
