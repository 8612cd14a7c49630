"""Generators of random numbers as MindSpore shows them: their state is a tensor of 16 bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core import random
from agar._core.random import GeneratorState
from agar._core.tensor import Tensor

__all__ = [
    "Generator",
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]


class Generator:
    """A source of random numbers for ``mint`` functions and in-place random methods.

    Its state is a seed and an offset; two generators of equal state give equal numbers.

    Difference from PyTorch: the state has 16 bytes (there: 5056 on the CPU), and can be shared
    between devices.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> a, b = ms.Generator().manual_seed(5), ms.Generator()
        >>> b.set_state(a.get_state())
        >>> b.initial_seed()
        5
    """

    def __init__(self, _state: GeneratorState | None = None) -> None:
        self._state = GeneratorState() if _state is None else _state

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from a seed. Returns the generator.

        Args:
            seed (int): the seed.

        Raises:
            TypeError: no int.
        """
        self._state.manual_seed(seed)
        return self

    def seed(self) -> int:
        """Start anew from a random seed, and return it."""
        return self._state.seed()

    def initial_seed(self) -> int:
        """The seed from which the generator started."""
        return self._state.initial_seed()

    def get_state(self) -> Tensor:
        """The state: uint8 tensor of 16 bytes, seed and offset as little-endian int64."""
        return Tensor(np.array(self._state.get_state(), dtype=np.uint8))

    def set_state(self, state: Any) -> None:
        """Continue from a state.

        Args:
            state (Tensor): what :meth:`get_state` returned, of this or another generator.

        Raises:
            RuntimeError: not a uint8 tensor of 16 elements.
        """
        self._state.set_state(state.asnumpy() if isinstance(state, Tensor) else state)

    def __reduce__(self) -> tuple[Any, ...]:
        return Generator, (self._state,)


default_generator = Generator(random.default_generator)


def manual_seed(seed: int) -> Generator:
    """Seed the default generator. Returns it.

    Args:
        seed (int): the seed.

    Raises:
        TypeError: no int.

    Difference from PyTorch: does not touch operators of ``ops``; those follow ``ms.set_seed``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.manual_seed(5).initial_seed()
        5
    """
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Seed the default generator at random, and return the seed.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> isinstance(ms.seed(), int)
        True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """The seed from which the default generator started.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> _ = ms.manual_seed(3)
        >>> ms.initial_seed()
        3
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator, see :meth:`Generator.get_state`.

    Difference from PyTorch: 16 bytes.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.get_rng_state().shape
        (16,)
    """
    return default_generator.get_state()


def set_rng_state(state: Tensor) -> None:
    """Continue the default generator from a state, see :meth:`Generator.set_state`.

    Args:
        state (Tensor): what :func:`get_rng_state` returned.

    Raises:
        RuntimeError: not a uint8 tensor of 16 elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_rng_state(ms.get_rng_state())
    """
    default_generator.set_state(state)
