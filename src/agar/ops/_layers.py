"""Bindings of operators that only layers call.

A layer has checked its options when it was made, so its operator takes them as they are. Such an
operator is not public and not in the table; precision lists know it by its public relative's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core.optable import Op, binding

__all__ = ["layer_binding"]


def layer_binding(op_name: str, impl: Callable[..., Any], public: str) -> Callable[..., Any]:
    """The binding of an implementation over torch tensors.

    Args:
        op_name: the name that errors show, a layer's.
        impl: annotated as operators of the table are.
        public: the primitive whose place in precision lists it shares.
    """
    entry = Op(op_name, impl)
    entry.primitives = (public,)
    return binding(entry, impl.__name__.lstrip("_"), module=impl.__module__)
