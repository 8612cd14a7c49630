"""Whether Python's or numpy's global random generator was used: their states, comparable.

NOTE Memory. ``get_state`` of numpy builds dicts and arrays, 40 microseconds each time, and each
recording asks twice. The memory behind a generator tells the same in one: the key and position of
numpy's MT19937, and the object around it, which keeps a normal number for later; the object of
Python's ``Random``, and its attribute of that kind. Generators of one's own show first, once, that
each of their draws is seen there; else, and for other generators, the states are asked for.
"""

from __future__ import annotations

import _random
import ctypes
import functools
import random
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["random_states"]

_HEAD = object.__basicsize__  # count of references and class
_KEY = 4 * (624 + 1)  # bytes of MT19937: its words, and the position


def _memory_of(value: Any, size: int) -> bytes:
    return ctypes.string_at(id(value) + _HEAD, size - _HEAD)


def _all_differ(witness: Callable[[], Any], draws: list[Callable[[], Any]]) -> bool:
    """Whether a witness tells after each draw that there was one, and else nothing."""
    states = [witness()]
    for draw in draws:
        if witness() != states[-1]:
            return False
        draw()
        states.append(witness())
    return len(set(states)) == len(states)


# ------------------------------------------------------------------------------------- numpy


def _numpy_memory(source: Any) -> tuple[bytes, bytes]:
    words = ctypes.string_at(source._bit_generator.ctypes.state_address, _KEY)
    return words, _memory_of(source, type(source).__basicsize__)


@functools.cache
def _shows_numpys() -> bool:
    module: Any = sys.modules["numpy.random"]
    if sys.implementation.name != "cpython":
        return False
    try:
        source = module.RandomState(module.MT19937(1))
        numbers = functools.partial(source.randint, 7)
        normal = source.standard_normal  # makes two numbers at every other call
        draws = [source.random_sample, normal, normal, normal, normal, numbers]
        return _all_differ(functools.partial(_numpy_memory, source), draws)
    except AttributeError:  # another numpy
        return False


def _numpy_state() -> Any:
    """The state of numpy's global generator."""
    module: Any = sys.modules.get("numpy.random")
    if module is None:
        return None
    source: Any = getattr(module.mtrand, "_rand", None)
    if (
        type(source) is module.RandomState
        and type(getattr(source, "_bit_generator", None)) is module.MT19937
        and _shows_numpys()
    ):
        return id(source._bit_generator), *_numpy_memory(source)
    state = module.get_state(legacy=False)
    inner = state.get("state", {})
    key = inner.get("key")
    return (
        state.get("bit_generator"),
        inner.get("pos"),
        key.tobytes() if key is not None else repr(inner),
        state.get("has_gauss"),
        state.get("gauss"),
    )


# ------------------------------------------------------------------------------------ Python


def _python_memory(source: Any) -> tuple[Any, bytes]:
    return source.gauss_next, _memory_of(source, _random.Random.__basicsize__)


@functools.cache
def _shows_pythons() -> bool:
    if sys.implementation.name != "cpython":
        return False
    source = random.Random(1)
    normal = functools.partial(source.gauss, 0.0, 1.0)  # makes two numbers at every other call
    bits = functools.partial(source.getrandbits, 3)
    draws: list[Callable[[], Any]] = [source.random, normal, normal, normal, normal, bits]
    return _all_differ(functools.partial(_python_memory, source), draws)


def _python_state() -> Any:
    """The state of Python's global generator."""
    source = getattr(random.getstate, "__self__", None)
    if type(source) is random.Random and _shows_pythons():
        return _python_memory(source)
    return random.getstate()


def random_states() -> tuple[Any, Any]:
    """The states of numpy's global generator and Python's."""
    return _numpy_state(), _python_state()
