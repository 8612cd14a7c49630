"""Holds Python's search for cycles still for a while.

What is built while it rests is built to stay: declarations, graphs, code, modules. The collector
takes so many new objects for a reason to walk over all that the process has, and torch alone has
some 200,000: a pause of 100 to 200 ms, in the first call or in the middle of others.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from collections.abc import Iterator

__all__ = [
    "Pause",
    "collector_at_rest",
    "collector_for_program",
    "collector_from_program",
    "collector_on_new_objects",
]


class _State:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.holders = 0
        self.was_on = False
        self.blocks = 0
        #: Whether the program was once seen to set its own objects apart by `gc.freeze`, which our
        #: `gc.unfreeze` would undo. To ask again takes a walk over all of them, milliseconds.
        self.set_apart = False


_state = _State()


def _hold() -> None:
    with _state.lock:
        _state.holders += 1
        if _state.holders == 1:
            _state.was_on = gc.isenabled()
            gc.disable()


def _let_go() -> None:
    with _state.lock:
        _state.holders -= 1
        if _state.holders == 0 and _state.was_on:
            gc.enable()


class Pause:
    """The collector does not run while this object lives, also when the code between fails."""

    def __init__(self) -> None:
        _hold()

    def __del__(self) -> None:
        _let_go()


@contextlib.contextmanager
def collector_at_rest() -> Iterator[None]:
    """The collector does not run in this block, in any thread; blocks may overlap."""
    _hold()
    try:
        yield
    finally:
        _let_go()


def collector_for_program() -> None:
    """Have the collector as the program has set it, for a function that tells or changes that."""
    with _state.lock:
        if _state.holders and _state.was_on:
            gc.enable()


def collector_from_program() -> None:
    """Let it rest again, and be afterwards as the program has set it now."""
    with _state.lock:
        if _state.holders:
            _state.was_on = gc.isenabled()
            gc.disable()


@contextlib.contextmanager
def collector_on_new_objects() -> Iterator[None]:
    """In this block the collector leaves alone what was there before it; blocks may overlap."""
    state = _state
    with state.lock:
        state.blocks += 1
        if state.blocks == 1:
            state.set_apart = state.set_apart or gc.get_freeze_count() > 0
            if not state.set_apart:
                gc.freeze()
    try:
        yield
    finally:
        with state.lock:
            state.blocks -= 1
            if state.blocks == 0 and not state.set_apart:
                gc.unfreeze()


def _forget() -> None:
    """In a forked child: the threads that hold it are the parent's."""
    global _state
    if _state.holders and _state.was_on:
        gc.enable()
    _state = _State()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
