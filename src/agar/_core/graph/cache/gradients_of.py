"""The compiled gradients of functions and cells: where they are kept, and for whom.

They are kept by what is differentiated, so that a program may ask for a gradient anew in each step:
in the namespace of a function or cell; of the cell, for its methods. Those of anything else
(methods of ordinary objects, objects that are called, partial functions) live with the gradient
function, since the attributes of such objects are the program's own.

NOTE Copies. A program may copy a namespace: `functools.wraps` does. What it finds there is another
function's then, and is told by its owner.
"""

from __future__ import annotations

import contextlib
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from agar._core.graph.cache.function import CompiledFunction
from agar._core.graph.guard.entry import gradients_are_watched
from agar._core.graph.guard.reads import is_cell

__all__ = ["call_gradient", "gradient_of", "gradients_of"]

_REQUESTS = 64  # gradients of one function that are kept, least recently asked for first out


class _Gradients:
    """What is compiled of one owner, by what was asked for."""

    def __init__(self, owner: Any = None) -> None:
        self.owner = owner
        self.functions: OrderedDict[Any, CompiledFunction] = OrderedDict()

    def __reduce__(self) -> tuple[Any, ...]:  # what is compiled belongs to a process
        return _Gradients, ()


def _owner_of(differentiated: Any, solve: Any) -> tuple[Any, Any]:
    """Who keeps the gradients of something, and which of its functions is differentiated."""
    if type(differentiated) is types.FunctionType or is_cell(differentiated):
        return differentiated, None
    if type(differentiated) is types.MethodType and is_cell(differentiated.__self__):
        return differentiated.__self__, differentiated.__func__
    return solve, None


def _stored_for(owner: Any) -> _Gradients | None:
    known = getattr(owner, "__dict__", {}).get("_gradients")
    return known if isinstance(known, _Gradients) and known.owner is owner else None


def call_gradient(
    differentiated: Any,
    key: Any,
    solve: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Call a gradient function in GRAPH_MODE (`runtime.graph_gradient`).

    Args:
        differentiated: the function or cell.
        key: the kind of gradient asked of it.
        solve: computes value and gradients as Python; each gradient function has its own.
        args: of the call.
        kwargs: of the call.
    """
    if gradients_are_watched():
        return solve(*args, **kwargs)
    known = solve.__dict__.get("_compiled")  # found before, most often for the same key
    if known is None or (known[0] is not key and known[0] != key):
        known = solve.__dict__["_compiled"] = key, _compiled(differentiated, key, solve)
    return known[1].call(args, kwargs)


def _compiled(differentiated: Any, key: Any, solve: Callable[..., Any]) -> CompiledFunction:
    """What is compiled of such a gradient, by this gradient function or an earlier one."""
    owner, method = _owner_of(differentiated, solve)
    stored = _stored_for(owner)
    if stored is None:
        stored = owner.__dict__["_gradients"] = _Gradients(owner)
    function = stored.functions.get((method, key))
    if function is None:
        name = getattr(differentiated, "__qualname__", type(differentiated).__name__)
        function = stored.functions[method, key] = CompiledFunction(
            solve, f"the gradient of {name}", solve, differentiated, at_first=False
        )
        while len(stored.functions) > _REQUESTS:  # weights that are new in each step, say
            stored.functions.popitem(last=False)
    else:
        with contextlib.suppress(KeyError):  # another thread has taken it out just now
            stored.functions.move_to_end((method, key))
    return function


def gradients_of(owner: Any) -> list[CompiledFunction]:
    """What is compiled of the gradients of a function or cell."""
    stored = _stored_for(owner)
    return [] if stored is None else list(stored.functions.values())


def gradient_of(differentiated: Any, key: Any, solve: Any) -> CompiledFunction | None:
    """What is compiled of one gradient function."""
    known = solve.__dict__.get("_compiled")
    if known is not None:
        return known[1]
    owner, method = _owner_of(differentiated, solve)
    stored = _stored_for(owner)
    return None if stored is None else stored.functions.get((method, key))
