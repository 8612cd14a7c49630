"""Memory of tensors that arrays of numpy, or other libraries, may write to without a trace.

The mark is on torch's storage, so it holds for every view of the memory.

NOTE Code of torch. A tensor's ``data`` counts its changes by itself, as an array does. Since plans
depend on what weights hold, `see_aliases` puts functions around ``data``, ``numpy`` and
``__dlpack__`` of torch's tensors that note such aliases: networks may share weights with a module
of torch, and ``weight.to_torch().data.mul_(2)`` is what many programs of torch write.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from agar._core.runtime import runtime

__all__ = [
    "capture",
    "data_of",
    "give_to_torch",
    "is_lent",
    "is_with_torch",
    "lend",
    "may_require_grad",
    "numpy_of",
    "see_aliases",
    "seen",
    "take_from_torch",
    "watch",
]

_base: Any = torch._C.TensorBase
data_of: Callable[[torch.Tensor], torch.Tensor] = _base.data.__get__
"""A tensor's ``data``, for agar itself: nobody else is given it."""
numpy_of: Callable[[torch.Tensor], np.ndarray] = _base.numpy
"""A tensor as an array, for agar itself: nobody else is given it."""


class _Seen:
    """Whether code of torch notes the aliases that it makes."""

    aliases = False


seen = _Seen()
_MANY = 64  # arrays over one memory that are told apart


def lend(value: torch.Tensor, array: Any = None) -> None:
    """Note that an array has a tensor's memory while it lives; without one, for good."""
    if value.layout is not torch.strided:
        return
    marks = vars(value.untyped_storage())
    earlier = marks.get("_agar_lent")
    if array is None or earlier is True:
        marks["_agar_lent"] = True
    elif not earlier:
        marks["_agar_lent"] = (weakref.ref(array),)
    else:
        living = [ref for ref in earlier if ref() is not None]
        marks["_agar_lent"] = (*living, weakref.ref(array)) if len(living) < _MANY else True
    if "_agar_watched" in marks:
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


def _note_alias(value: torch.Tensor, alias: Any = None) -> None:
    """Note that code of torch has made another tensor or array over the memory of one."""
    with torch._C.DisableTorchFunction():  # nobody is to hear of the questions
        try:
            lend(value, alias)
        except (NotImplementedError, RuntimeError):  # it has no memory of its own
            return


def see_aliases() -> None:
    """Put functions around those of torch that give another tensor or array of the same memory."""
    if seen.aliases:
        return
    seen.aliases = True
    kind: Any = torch.Tensor
    data, numpy, dlpack = kind.data, kind.numpy, kind.__dlpack__

    def get_data(self: torch.Tensor) -> Any:
        alias = data_of(self)
        _note_alias(self, alias)
        return alias

    def set_data(self: torch.Tensor, value: Any) -> None:
        data.__set__(self, value)
        runtime.weights += 1  # plans may hold what they have computed from the former
        if value is not self:
            _note_alias(self, value)

    @functools.wraps(numpy)
    def as_numpy(self: torch.Tensor, **kwargs: Any) -> Any:
        array = numpy(self, **kwargs)
        lend(self, array)
        return array

    @functools.wraps(dlpack)
    def as_dlpack(self: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        _note_alias(self)
        return dlpack(self, *args, **kwargs)

    kind.data = property(get_data, set_data, doc=data.__doc__)
    kind.numpy, kind.__dlpack__ = as_numpy, as_dlpack


# --------------------------------------------------------------------- tensors that torch has


def give_to_torch(value: torch.Tensor) -> None:
    """Note that code of torch is given a tensor, and may ask for its gradient at any time."""
    if not is_with_torch(value):
        see_aliases()
        value._agar_with_torch = True  # type: ignore[attr-defined]
        if getattr(value, "_agar_captured", False):
            runtime.processes += 1
            runtime.epoch += 1


def take_from_torch(value: torch.Tensor) -> None:
    """Note that a tensor is one of torch's code."""
    see_aliases()
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
