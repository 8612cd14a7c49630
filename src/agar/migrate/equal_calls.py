"""Calls that compute the same: one of them is compared for all.

A network's layers repeat. Two calls have one signature where modules and cells have the same
classes, settings and shapes of weights, and receive arguments of the same shapes. The weights'
values are compared on their own before, the arguments' values count in the comparison of the whole
network.
"""

from __future__ import annotations

import io
import pickle
import types
from collections.abc import Container
from typing import Any

import torch

from agar._core.random import Stream
from agar._core.tensor import Tensor
from agar.migrate.cell_matching import Pair
from agar.migrate.isolated import Wiring
from agar.migrate.recorder import RunCall, is_mask
from agar.nn.cell import Cell

__all__ = ["signature"]

#: Tensors that are neither weights nor arguments are compared by their values, up to this size.
_LARGEST = 1 << 14
#: What tells two cells of the same settings apart, and its caches.
_OF_ONE_CELL = frozenset(
    {
        "_compiled",
        "_create_time",
        "_gradient_records",
        "_gradients",
        "_param_prefix",
        "_serial",
    }
)


class _NotComparableError(Exception):
    """Something has no form that says when two of its kind are equal."""


#: What says that something has no such form: lambdas, cycles, objects of C.
_UNTOLD = (
    _NotComparableError,
    pickle.PicklingError,
    AttributeError,
    RecursionError,
    TypeError,
    ValueError,
)


class _Signature(pickle.Pickler):
    """Settings by value, tensors by their metadata, classes and functions by identity."""

    def __init__(self, file: io.BytesIO, known: Container[int]) -> None:
        super().__init__(file, protocol=5)
        self.fast = True  # without references to what was written before: by value alone
        self.known = known

    def reducer_override(self, obj: Any) -> Any:
        """What stands for an object, or NotImplemented for its own form.

        Args:
            obj (Any): an object that is not a number, a text or a built-in container.
        """
        if obj is _form:
            return NotImplemented
        if isinstance(obj, (type, types.FunctionType, types.BuiltinFunctionType)):
            return _form, (id(obj),)
        if isinstance(obj, Tensor):
            return _form, (id(type(obj)), _extras(obj), self._of_tensor(obj._value, id(obj)))
        if isinstance(obj, torch.Tensor):
            return _form, self._of_tensor(obj, id(obj))
        if isinstance(obj, Cell):
            settings = {n: v for n, v in vars(obj).items() if n not in _OF_ONE_CELL}
            return _form, (id(type(obj)), settings)
        if isinstance(obj, torch.nn.Module):
            return _form, (id(type(obj)), vars(obj))
        if isinstance(obj, Stream):
            return _form, ()  # both sides are given the original's random numbers
        return NotImplemented

    def _of_tensor(self, value: torch.Tensor, number: int) -> tuple[Any, ...]:
        form = (
            value.dtype,
            tuple(value.shape),
            str(value.device),
            str(value.layout),
            value.stride() if value.layout is torch.strided else None,
            value.requires_grad,
        )
        if number in self.known:
            return form
        if value.numel() > _LARGEST or value.layout is not torch.strided:
            raise _NotComparableError
        return *form, value.detach().cpu().contiguous().reshape(-1).view(
            torch.uint8
        ).numpy().tobytes()


def _form(*parts: Any) -> tuple[Any, ...]:
    """Stands in signatures for an object that has these parts."""
    return parts


def _extras(tensor: Tensor) -> Any:
    """What a Parameter has besides its value and its name."""
    return getattr(tensor, "requires_grad", None), bool(getattr(tensor, "_hooks", None))


def signature(pair: Pair, run: RunCall, wiring: Wiring) -> bytes | None:
    """What decides about the result of a call besides values; None where it cannot be told.

    Args:
        pair (Pair): the module and its cell.
        run (RunCall): the call of the module.
        wiring (Wiring): the weights that belong together.
    """
    entries = wiring.below(pair)
    tensors = [t for _, t in run.call.tensors()]
    known = {id(t) for t in tensors}
    known |= {id(e.original) for e in entries.values()} | {id(e.cell) for e in entries.values()}
    places = {id(t): i for i, t in reversed(list(enumerate(tensors)))}
    parts = (
        pair.module,
        pair.cell,
        pair.foreign,
        [(n, e.cell_name.rpartition(".")[2], e.there, e.back) for n, e in entries.items()],
        [places[id(t)] for t in tensors],  # which arguments are one tensor
        [is_mask(t) for t in tensors],
        run.call.args,
        run.call.kwargs,
        run.outputs,
        sorted(run.grads),
        [(d.kind, tuple(d.value.shape)) for d in run.draws],
    )
    file = io.BytesIO()
    try:
        _Signature(file, known).dump(parts)
    except _UNTOLD:
        return None
    return file.getvalue()
