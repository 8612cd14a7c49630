"""Conversions that programs import from MindSpore's path ``numpy.utils``."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor, wrap
from agar.numpy._declare import array, kept_array

__all__: list[str] = []


def _to_tensor(*args: Any) -> Any:
    """Tensors of the arguments; numbers and lists get 32 bits."""
    made = tuple(arg if isinstance(arg, Tensor) else wrap(array("array", "a", arg)) for arg in args)
    return made[0] if len(made) == 1 else made


def _to_tensor_origin_dtype(*args: Any) -> Any:
    """Tensors of the arguments; numbers and lists become what ``Tensor(value)`` is."""
    made = [arg if isinstance(arg, Tensor) else wrap(kept_array("array", "a", arg)) for arg in args]
    return made[0] if len(made) == 1 else made
