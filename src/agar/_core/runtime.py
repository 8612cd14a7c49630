"""Flags that every call reads: which mode is active, and the hooks of engines above.

One object with slots, because an attribute of a slotted instance is the cheapest mutable thing
that several modules can share.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

GRAPH_MODE = 0
PYNATIVE_MODE = 1


class _Runtime:
    __slots__ = ("epoch", "graph_call", "initializer", "mode")

    def __init__(self) -> None:
        self.mode: int = PYNATIVE_MODE
        #: Bumped whenever an attribute of any Cell changes; compiled plans compare it first.
        self.epoch: int = 0
        #: ``graph_call(cell, args, kwargs)`` runs a cell in GRAPH_MODE; None runs eagerly.
        self.graph_call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] | None = None
        #: ``initializer(init, shape, dtype)`` of agar.common, which stands above the core.
        self.initializer: Callable[[Any, Any, Any], Any] | None = None


class _ThreadState(threading.local):
    """What belongs to one thread: gradient scopes and precision scopes, innermost last."""

    def __init__(self) -> None:
        self.grad_depth: int = 0
        self.grad_scopes: list[Any] = []
        self.precision: list[Any] = []
        self.in_graph: bool = False
        #: True while a recomputed cell runs again for its gradient: no statistics are updated.
        self.recomputing: bool = False


runtime = _Runtime()
thread = _ThreadState()
