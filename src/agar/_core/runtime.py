"""Flags that every call reads: which mode is active, and the hooks of engines above.

One object with slots, because an attribute of a slotted instance is the cheapest mutable thing
that several modules can share.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

GRAPH_MODE = 0
PYNATIVE_MODE = 1


def load_engine() -> None:
    """Load the graph engine, which programs in PYNATIVE_MODE do without."""
    from agar._core.graph.cache import function, gradients_of

    runtime.graph_call = function.call_cell
    runtime.graph_gradient = gradients_of.call_gradient


def _first_graph_call(*call: Any) -> Any:
    load_engine()
    return runtime.graph_call(*call)


def _first_graph_gradient(*call: Any) -> Any:
    load_engine()
    return runtime.graph_gradient(*call)


def _first_audited(function: Any) -> None:
    from agar._core.graph.inspect import audit

    audit.begin_from_environment(function)


class _Runtime:
    __slots__ = (
        "audit",
        "epoch",
        "graph_call",
        "graph_gradient",
        "initializer",
        "mode",
        "plans",
        "processes",
        "scopes",
        "weights",
    )

    def __init__(self) -> None:
        self.mode: int = PYNATIVE_MODE
        #: Bumped whenever an attribute of any Cell changes; compiled plans compare it first.
        self.epoch: int = 0
        #: Bumped whenever something has changed that no recording may outlive: groups of processes
        #: are made or given up, dropout takes another stream.
        self.processes: int = 0
        #: Bumped when parameters may have changed without a change of their tensors' versions.
        self.weights: int = 0
        #: An item for each gradient or precision scope that any thread has open: lists grow and
        #: shrink in one step, and most calls ask no more than whether it is empty.
        self.scopes: list[None] = []
        #: Whether compiled calls may look for a faster plan than O0.
        self.plans: bool = os.environ.get("AGAR_PLANS", "1") != "0"
        #: ``graph_call(cell, args, kwargs)`` runs a cell in GRAPH_MODE.
        self.graph_call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] = _first_graph_call
        #: ``graph_gradient(owner, key, solve, args, kwargs)`` takes a gradient in GRAPH_MODE.
        self.graph_gradient: Callable[..., Any] = _first_graph_gradient
        #: Is given each function that is compiled, while replays are compared with Python.
        self.audit: Callable[[Any], None] | None = (
            _first_audited if os.environ.get("AGAR_AUDIT") else None
        )
        #: ``initializer(init, shape, dtype)`` of agar.common, which stands above the core.
        self.initializer: Callable[[Any, Any, Any], Any] | None = None


class _ThreadState(threading.local):
    """What belongs to one thread: gradient scopes and precision scopes, innermost last."""

    def __init__(self) -> None:
        self.grad_depth: int = 0
        self.grad_scopes: list[Any] = []
        #: The torch tensors that stand in for those of agar's tensors, by the latter's identity.
        self.lent: dict[int, Any] = {}
        self.precision: list[Any] = []
        #: True while a run is recorded: what varies by step must stay a tensor.
        self.in_graph: bool = False
        #: True inside a call that the graph engine serves: cells in it are part of it.
        self.inside: bool = False
        #: True while a call is compiled ahead of its time: nothing is printed.
        self.silent: bool = False
        #: The recording of this thread, or None.
        self.recorder: Any = None
        #: True while a recomputed cell runs again for its gradient: no statistics are updated.
        self.recomputing: bool = False

    def open_gradient(self, scope: Any) -> None:
        """Open a gradient scope in this thread; `close_gradient` closes the innermost one."""
        self.grad_scopes.append(scope)
        runtime.scopes.append(None)

    def close_gradient(self) -> None:
        """Close the innermost gradient scope of this thread."""
        self.grad_scopes.pop()
        runtime.scopes.pop()


runtime = _Runtime()
thread = _ThreadState()


def host_node(function: _F, gives: str = "object") -> _F:
    """Let a recording take a call of a function as one node, which runs again at every replay.

    For what a recording must not look into, since it would see constants: random draws above all.

    Args:
        function: what it returns belongs to nobody else.
        gives: ``"object"``, ``"tensor"`` or ``"tensors"``. Default: ``"object"``.
    """
    label = function.__name__

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        recorder = thread.recorder
        if recorder is None:
            return function(*args, **kwargs)
        run = functools.partial(function, **kwargs) if kwargs else function
        return recorder.host(run, args, label, gives)

    return call  # type: ignore[return-value]
