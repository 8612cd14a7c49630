"""Memory of tensors that arrays of numpy, or other libraries, may write to without a trace.

The mark is on torch's storage, so it holds for every view of the memory.
"""

from __future__ import annotations

import weakref
from typing import Any

import torch

from agar._core.runtime import runtime

__all__ = [
    "capture",
    "give_to_torch",
    "is_lent",
    "is_with_torch",
    "lend",
    "may_require_grad",
    "take_from_torch",
    "watch",
]

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


# --------------------------------------------------------------------- tensors that torch has


def give_to_torch(value: torch.Tensor) -> None:
    """Note that code of torch is given a tensor, and may ask for its gradient at any time."""
    if not is_with_torch(value):
        value._agar_with_torch = True  # type: ignore[attr-defined]
        if getattr(value, "_agar_captured", False):
            runtime.processes += 1
            runtime.epoch += 1


def take_from_torch(value: torch.Tensor) -> None:
    """Note that a tensor is one of torch's code."""
    value._agar_of_torch = True  # type: ignore[attr-defined]


def is_with_torch(value: torch.Tensor) -> bool:
    """Whether code of torch was given a tensor."""
    return getattr(value, "_agar_with_torch", False)


def may_require_grad(value: torch.Tensor) -> bool:
    """Whether code of torch has a tensor, wherever it is from."""
    return is_with_torch(value) or getattr(value, "_agar_of_torch", False)


def capture(value: torch.Tensor) -> None:
    """Note that recordings hold a tensor; they do not look at what torch has not."""
    value._agar_captured = True  # type: ignore[attr-defined]
