"""The 64-bit engine that MindSpore's ``shuffle`` operation draws from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from agar.dataset.core import config

__all__ = ["UNSEEDED", "Engine64", "pipeline_seed"]

#: The default of ``config.get_seed()``: MindSpore takes it as "no seed was given".
UNSEEDED = 5489
#: how many rows of files are mixed at a time
SHUFFLED_ROWS = 10000

_COUNT, _SHIFT = 312, 156
_ONE = np.uint64(1)
_LOW = np.uint64(0x7FFFFFFF)
_HIGH = np.uint64(0xFFFFFFFF80000000)
_TWIST = np.uint64(0xB5026F5AA96619E9)
_ALL = (1 << 64) - 1


def pipeline_seed() -> int:
    """The seed of a pipeline that starts now: the configured one, or one of the system."""
    seed = config.get_seed()
    return int.from_bytes(os.urandom(4), "little") if seed == UNSEEDED else seed


class Engine64:
    """``std::mt19937_64``."""

    def __init__(self, seed: int) -> None:
        words = [seed & _ALL]
        for i in range(1, _COUNT):
            words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + i) & _ALL)
        self._state = np.array(words, np.uint64)
        self._drawn: list[int] = []

    def __call__(self) -> int:
        """The next 64 bits."""
        if not self._drawn:
            self._drawn = self._block()
        return self._drawn.pop()

    def _block(self) -> list[int]:
        """The next 312 draws, the first of them at the end."""
        state = self._state

        def twisted(first: np.ndarray, second: np.ndarray) -> np.ndarray:
            mixed = (first & _HIGH) | (second & _LOW)
            return (mixed >> _ONE) ^ np.where(mixed & _ONE, _TWIST, np.uint64(0))

        # the second half of a block depends on the first
        upper = state[_SHIFT:] ^ twisted(state[:_SHIFT], state[1 : _SHIFT + 1])
        following = np.append(state[_SHIFT + 1 :], upper[0])
        lower = upper ^ twisted(state[_SHIFT:], following)
        self._state = x = np.concatenate([upper, lower])
        x = x ^ ((x >> np.uint64(29)) & np.uint64(0x5555555555555555))
        x = x ^ ((x << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000))
        x = x ^ ((x << np.uint64(37)) & np.uint64(0xFFF7EEE000000000))
        x = x ^ (x >> np.uint64(43))
        return x[::-1].tolist()


def mixed(rows: Iterator[Any], draw: Callable[[], int], size: int) -> Iterator[Any]:
    """The rows in random order, through a buffer of some."""
    buffer = list(islice(rows, size))
    filled = len(buffer) == size
    while buffer:
        place = draw() % len(buffer)
        yield buffer[place]
        buffer[place] = buffer[-1]
        if filled:
            for row in rows:
                buffer[-1] = row
                break
            else:
                filled = False
        if not filled:
            buffer.pop()
