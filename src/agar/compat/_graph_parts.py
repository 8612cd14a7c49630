"""Private decorators of ``common.api`` (``graph.api``): marks for MindSpore's compiler.

agar compiles by recording calls, so it needs none of them; the marks are set as MindSpore sets
them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from agar.nn import Cell

__all__ = ["_add_flags", "_core", "_function_forbid_reuse", "_no_recursive"]


def _function_forbid_reuse(func: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function whose graph must not be used for two calls.

    Raises:
        TypeError: it is not a function.
    """
    if not inspect.isfunction(func):
        raise TypeError(
            f"Decorator _function_forbid_reuse can only be used for function type, but got {func}."
        )
    func.__function_forbid_reuse__ = True  # type: ignore[attr-defined]
    return func


def _add_flags(fn: Any = None, **flags: bool) -> Any:
    """Add marks to a function; without one, the decorator that does."""

    def decorate(function: Any) -> Any:
        marks = dict(getattr(function, "_func_graph_flags", None) or {})
        function._func_graph_flags = {**marks, **flags}
        return function

    return decorate if fn is None else decorate(fn)


def _core(fn: Any = None, **flags: bool) -> Any:
    """Mark a function as one of the core, beside other marks."""
    return _add_flags(fn, core=True, **flags)


def _no_recursive(callable_obj: Any) -> Any:
    """Mark a function, a method or a class of cells that does not call itself.

    Raises:
        TypeError: it is something else.
    """
    is_cell = inspect.isclass(callable_obj) and issubclass(callable_obj, Cell)
    if not (is_cell or inspect.ismethod(callable_obj) or inspect.isfunction(callable_obj)):
        raise TypeError(
            f"Decorator no_recursive is used for callable object, but got {callable_obj}."
        )
    return _add_flags(callable_obj, no_recursive=True)
