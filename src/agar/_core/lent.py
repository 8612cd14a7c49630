"""Memory of tensors that arrays of numpy, or other libraries, may write to without a trace.

The mark is on torch's storage, so it holds for every view of the memory.
"""

from __future__ import annotations

import weakref
from typing import Any

import torch

from agar._core.runtime import runtime

__all__ = ["is_lent", "lend", "watch"]

_MANY = 64  # arrays over one memory that are told apart


def lend(value: torch.Tensor, array: Any = None) -> None:
    """Note that an array has a tensor's memory while it lives; without one, for good."""
    if value.layout is not torch.strided:
        return
    storage: Any = value.untyped_storage()
    earlier = getattr(storage, "_agar_lent", ())
    if array is None or earlier is True:
        storage._agar_lent = True
    else:
        living = [ref for ref in earlier if ref() is not None]
        storage._agar_lent = (*living, weakref.ref(array)) if len(living) < _MANY else True
    if hasattr(storage, "_agar_watched"):
        runtime.weights += 1


def is_lent(value: torch.Tensor) -> bool:
    """Whether somebody may write to a tensor's memory now without a change of its version."""
    if value.layout is not torch.strided:
        return False
    lent = getattr(value.untyped_storage(), "_agar_lent", ())
    return lent is True or any(ref() is not None for ref in lent)


def watch(value: torch.Tensor) -> None:
    """From now on, count a new loan of a tensor's memory as a change of the weights."""
    if value.layout is torch.strided:
        storage: Any = value.untyped_storage()
        storage._agar_watched = True
