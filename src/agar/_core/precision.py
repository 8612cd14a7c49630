"""Precision scopes: casts of floating inputs, per operator, while a cell with a type executes.

MindSpore's ``to_float`` casts nothing at the border of a cell. While the cell executes, each
operator casts its floating inputs to the cell's type; views and casts are left alone. A scope is
left whatever happens inside, also when ``construct`` raises.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from agar._core.runtime import runtime, thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agar._core.optable import Op

__all__ = ["AutoScope", "CastScope", "current", "scope"]

# Listeners get True when the first scope of the process opens and False when the last closes.
# Operator bindings use it to skip the whole matter while no scope is open anywhere.
_listeners: list[Callable[[bool], None]] = []
_open = 0
_lock = threading.Lock()


class CastScope:
    """Every operator computes in one floating type."""

    __slots__ = ("dtype",)

    def __init__(self, dtype: torch.dtype | None) -> None:
        self.dtype = dtype

    def target(self, op: Op, tensors: list[torch.Tensor]) -> torch.dtype | None:
        """The type in which this operator computes, or None to leave it alone."""
        return self.dtype


class AutoScope:
    """Operators of a white list compute in a narrow type, those of a black list in float32.

    Any other operator follows its inputs: the widest floating type among them.
    """

    __slots__ = ("black", "dtype", "white")

    def __init__(self, dtype: torch.dtype, white: frozenset[str], black: frozenset[str]) -> None:
        self.dtype = dtype
        self.white = white
        self.black = black

    def target(self, op: Op, tensors: list[torch.Tensor]) -> torch.dtype | None:
        """The type in which this operator computes, or None to leave it alone."""
        names = op.all_names
        if not self.white.isdisjoint(names):
            return self.dtype
        if not self.black.isdisjoint(names):
            return torch.float32
        kinds = {t.dtype for t in tensors if t.is_floating_point()}
        if len(kinds) > 1:
            widest = torch.float16
            for kind in kinds:
                widest = torch.promote_types(widest, kind)
            return widest
        return None


def current() -> CastScope | AutoScope | None:
    """The innermost scope of this thread."""
    stack = thread.precision
    return stack[-1] if stack else None


def listen(listener: Callable[[bool], None]) -> None:
    """Be told when scopes begin and cease to be open in the process."""
    _listeners.append(listener)
    listener(_open > 0)


def enter(new: CastScope | AutoScope) -> None:
    """Open a scope in this thread. Every call needs its `leave`, in a ``finally``."""
    global _open
    thread.precision.append(new)
    runtime.scopes.append(None)
    with _lock:
        _open += 1
        if _open == 1:
            for listener in _listeners:
                listener(True)


def leave() -> None:
    """Close the innermost scope of this thread."""
    global _open
    thread.precision.pop()
    runtime.scopes.pop()
    with _lock:
        _open -= 1
        if _open == 0:
            for listener in _listeners:
                listener(False)


@contextmanager
def scope(new: CastScope | AutoScope) -> Iterator[Any]:
    """A scope as a ``with`` block."""
    enter(new)
    try:
        yield
    finally:
        leave()
