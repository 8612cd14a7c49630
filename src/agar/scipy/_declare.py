"""Bindings of implementations on torch tensors, as the operator table makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core import optable

__all__ = ["binding"]


def binding(module: str, name: str | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Make a function of a module: it takes agar's tensors (NOTE Annotations of the table).

    Args:
        module: the module below ``agar.scipy``.
        name: the name that errors show; None takes that of the implementation.
    """

    def make(impl: Callable[..., Any]) -> Any:
        own = name or impl.__name__
        entry = optable.Op(own, impl)
        entry.names = (own,)
        entry.cast = optable.CAST_NEVER
        return optable.binding(entry, own, module=f"agar.scipy.{module}")

    return make
