"""Random numbers of cells inside ``torch.utils.checkpoint``: its second run draws the same.

torch's checkpoint puts torch's own generators back before it runs a part again in the backward
pass; agar's streams it does not know. Here the first run of a cell notes where agar's streams
were, with the checkpoint that encloses it, and the second run starts there.

NOTE Which checkpoint. Nothing tells code that it runs inside of a checkpoint but the frames on the
stack: ``checkpoint`` in a first run, the hook that unpacks a saved tensor in a second one, and a
function's forward and backward where it is reentrant. They hold torch's record of the call, with
which the notes live and die.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from types import GeneratorType
from typing import Any, TypeVar

# torch's checkpoints are what this file is about
import torch
import torch.utils.checkpoint

from agar._core import random
from agar._core.recompute import put_back, random_state
from agar.nn.cell import Cell

__all__ = ["repeated", "watched"]

_T = TypeVar("_T")
_FILE = torch.utils.checkpoint.CheckpointFunction.forward.__code__.co_filename


class _Notes:
    """Where agar's streams were at the calls of one checkpoint's first run."""

    def __init__(self) -> None:
        self.states: list[dict[str, Any]] = []
        #: how many of them a second run has come to, by the backward pass that it belongs to
        self.reached: dict[Any, int] = {}


_notes: weakref.WeakKeyDictionary[Any, _Notes] = weakref.WeakKeyDictionary()


class _Enclosing:
    """The checkpoints around this code, up to the innermost that runs for the second time."""

    def __init__(self) -> None:
        self.first: list[Any] = []
        self.second: Any = None
        self.run: Any = None  # the backward pass of the second run


def _enclosing() -> _Enclosing:
    frames = _Enclosing()
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename == _FILE:
            name = frame.f_code.co_name
            if name == "checkpoint":
                started = frame.f_locals.get("gen")
                if isinstance(started, GeneratorType) and started.gi_frame is not None:
                    record = started.gi_frame.f_locals.get("new_frame")
                    if record is not None:
                        frames.first.append(record)
            elif name == "unpack_hook" and "frame" in frame.f_locals:
                frames.second = frame.f_locals["frame"]
                frames.run = frame.f_locals.get("gid")
                break
            elif name == "forward":  # of the reentrant kind, from here on
                frames.first.append(frame.f_locals["ctx"])
            elif name == "backward":
                frames.second = frame.f_locals["ctx"]
                break
        frame = frame.f_back
    return frames


def repeated(cell: Cell, call: Callable[[], _T]) -> _T:
    """Call a cell that may draw random numbers; a checkpoint's second run draws them again.

    Args:
        cell (Cell): the cell, for messages.
        call: the call.

    Raises:
        RuntimeError: it draws, and the numbers of the first run are not known.
    """
    around = _enclosing()
    if around.second is None:
        if not around.first:
            return call()
        state = random_state()
        for record in around.first:
            _notes.setdefault(record, _Notes()).states.append(state)
        return call()
    notes = _notes.get(around.second)
    at = 0 if notes is None else notes.reached.get(around.run, 0)
    if notes is None or (at >= len(notes.states) and around.run is not None):
        return _compared(cell, call)
    notes.reached[around.run] = at + 1
    at %= len(notes.states)  # a reentrant checkpoint runs as a whole each time
    state = notes.states[at]
    for record in around.first:
        _notes.setdefault(record, _Notes()).states.append(state)
    now = random_state()
    put_back(state)
    try:
        return call()
    finally:  # torch leaves a second run by an exception, as soon as it has what it needs
        put_back(now)


def watched(cell: Cell, call: Callable[[], _T]) -> _T:
    """Call a cell that draws no random numbers; where it does in a second run, that is an error.

    Args:
        cell (Cell): the cell, for messages.
        call: the call.

    Raises:
        RuntimeError: it draws while a checkpoint runs it again.
    """
    if torch._C._current_graph_task_id() == -1:
        return call()
    return _compared(cell, call)


def _compared(cell: Cell, call: Callable[[], _T]) -> _T:
    before = random.get_all_state()
    try:
        return call()
    finally:
        if random.get_all_state() != before:
            random.set_all_state(before, strict=False)
            raise RuntimeError(
                f"A {type(cell).__name__} draws random numbers of agar's in the second run of "
                "torch.utils.checkpoint, and those of its first run are not known; let a child "
                "that the checkpointed code calls itself draw them (a hook does not), or leave "
                "the checkpoint out and use cell.recompute() instead."
            )
