"""Conversions that programs import from MindSpore's path ``numpy.utils``."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor, wrap
from agar.numpy._declare import array, as_tensor

__all__: list[str] = []


def _to_tensor(*args: Any) -> Any:
    """Tensors of the arguments; numbers and lists get 32 bits."""
    items = tuple(
        arg if isinstance(arg, Tensor) else wrap(array("array", "a", arg)) for arg in args
    )
    return items[0] if len(items) == 1 else items


def _to_tensor_origin_dtype(*args: Any) -> Any:
    """Tensors of the arguments; numbers and lists become what ``Tensor(value)`` is."""
    items = [arg if isinstance(arg, Tensor) else wrap(as_tensor("array", "a", arg)) for arg in args]
    return items[0] if len(items) == 1 else items
