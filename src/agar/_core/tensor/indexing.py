"""Indices: MindSpore's rules for reading and writing parts of a tensor, as torch takes them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import torch

from agar._core import precision
from agar._core.errors import describe
from agar._core.tensor.base import TensorBase, wrap
from agar._core.tensor.conversion import data_on_device

__all__ = [
    "PLAIN",
    "has_tensor",
    "is_plain",
    "number_as",
    "out_of_bounds",
    "places",
    "plain_source",
    "read",
    "with_places",
]

#: What torch takes as an index, or as a part of one, in the way that MindSpore does.
PLAIN = frozenset({int, slice, type(None), type(Ellipsis)})
# The types of tensors that it takes so.
_PLACES = frozenset({torch.bool, torch.int32, torch.int64})
_EXACT = 3e4  # smaller numbers are finite in the target, or land as torch makes them
_SMALL = 128  # smaller integers fit into every type
_NOT_A_PLACE = (list, tuple, slice, TensorBase, type(None), type(Ellipsis))


def is_plain(index: tuple[Any, ...]) -> bool:
    """Whether torch takes an index as it is, or refuses it: numbers, slices, None, an ellipsis.

    It refuses slices with a negative step, which `read` and `places` know.
    """
    for item in index:
        if type(item) not in PLAIN:
            return False
    return index.count(Ellipsis) < 2


def with_places(index: Any) -> Any:
    """The index that torch takes where tensors are among slices and None, or None for others.

    Numbers beside tensors, and 0-d tensors, have rules of their own, see `read`.
    """
    if isinstance(index, TensorBase):
        elements = index._value
        if elements.dtype is torch.int32:
            return elements.long()
        return elements if elements.dtype in _PLACES else None
    if type(index) is not tuple:
        return None
    parts = []
    for item in index:
        if isinstance(item, TensorBase) and item._value.ndim:
            item = with_places(item)
            if item is None:
                return None
        elif item is not None and type(item) is not slice:
            return None
        parts.append(item)
    return tuple(parts)


def plain_source(target: torch.Tensor, value: Any) -> Any:
    """What torch writes in a value's place at a plain index; None where there is more to say."""
    kind = type(value)
    if kind is float:
        return value if -_EXACT < value < _EXACT and target.is_floating_point() else None
    if kind is int:
        return value if 0 <= value < _SMALL else None
    if not isinstance(value, TensorBase):
        return None
    source = value._value
    alike = source.__class__ is torch.Tensor and source.dtype is target.dtype
    return source if alike and source.is_cpu and target.is_cpu else None


def out_of_bounds(index: int, value: torch.Tensor, axis: int) -> IndexError:
    size, shape = value.shape[axis], tuple(value.shape)
    return IndexError(
        f"index {index} is out of bounds for dimension with size {size}: axis {axis} of a Tensor "
        f"of shape {shape} takes {-size} to {size - 1}."
        if size
        else f"index {index} is out of bounds for dimension with size 0: a Tensor of shape {shape} "
        f"has no element along axis {axis}."
    )


def number_as(target: torch.Tensor, value: Any) -> Any:
    """A Python number as it lands in a tensor of that type: truncated, wrapped, or infinite."""
    if isinstance(value, np.generic):
        value = value.item()
    if target.dtype.is_floating_point or target.dtype.is_complex:
        return (
            torch.tensor(value, dtype=torch.float64).to(target.dtype)
            if isinstance(value, (int, float))
            and not isinstance(value, bool)
            and abs(value) > _EXACT
            else value
        )
    if target.dtype is torch.bool:
        return bool(value)
    return torch.tensor(int(value)).to(target.dtype)


def read(value: torch.Tensor, index: Any) -> torch.Tensor:
    items = _index(value, index)
    rest: tuple[Any, ...] = tuple(items)
    if any(isinstance(i, _Reversed) for i in items):
        value, rest = _forward(value, items)
    try:
        part = value[rest]
    except IndexError as error:
        text = str(error)
        kind: type[Exception] = IndexError
        if "too many indices" in text:
            given = sum(_width(item) for item in items if item is not Ellipsis)
            text = (
                f"too many indices for tensor of dimension {value.ndim}: {given} axes of a Tensor "
                f"of shape {tuple(value.shape)} are asked for."
            )
        elif "shape mismatch" in text:
            kind = ValueError
        elif has_tensor(index):  # MindSpore finds these faults in an operator
            kind = ValueError if "shape of the mask" in text else RuntimeError
        raise kind(text) from error
    if any(isinstance(i, (torch.Tensor, _Reversed)) for i in items):
        # an index that copies is an operator, so a cell's floating type applies to it
        scope = precision.current()
        if isinstance(scope, precision.CastScope) and part.is_floating_point():
            part = part.to(scope.dtype or part.dtype)
    return part


def places(target: torch.Tensor, index: Any) -> tuple[Any, ...]:
    """An index under which torch writes; a negative step is written through element places."""
    items = _index(target, index)
    if not any(isinstance(i, _Reversed) for i in items):
        return tuple(items)
    numbers = torch.arange(target.numel(), device=target.device).reshape(target.shape)
    return torch.unravel_index(read(numbers, index), target.shape)


def _bound(value: Any) -> Any:
    open_size = isinstance(value, torch.SymInt)  # of an exported or dynamic graph
    return value if value is None or open_size else operator.index(value)


def _one(value: torch.Tensor, item: Any, axis: int) -> Any:
    """One element of an index as torch takes it."""
    if item is None or item is Ellipsis:
        return item
    if isinstance(item, (bool, np.bool_)):
        if not item:
            raise IndexError("Bool element of tuple index must be 'True', but got 'False'.")
        return True
    if isinstance(item, (int, np.integer)):
        size = value.shape[axis] if axis < value.ndim else None
        if size is not None and not -size <= item < size:
            raise out_of_bounds(int(item), value, axis)
        return int(item)
    if isinstance(item, slice):
        start, stop, step = _bound(item.start), _bound(item.stop), _bound(item.step)
        if step == 0:
            raise ValueError("For a slice of a Tensor, 'step' must not be 0.")
        if step is not None and step < 0 and axis < value.ndim:
            places = range(*slice(start, stop, step).indices(value.shape[axis]))
            return _Reversed(torch.tensor(list(places), dtype=torch.int64, device=value.device))
        return slice(start, stop, step)
    if isinstance(item, TensorBase):
        elements = item._value
        kind = elements.dtype
        if kind in _PLACES:
            return elements.long() if kind is torch.int32 else elements
        if kind.is_floating_point or kind.is_complex or kind is torch.uint8:
            raise IndexError(
                f"The tensor index must be int or bool type, but got {describe(item)}; convert it "
                "with .astype(ms.int64) or .astype(ms.bool_)."
            )
        return elements.long()
    if isinstance(item, np.ndarray):
        return _one(value, wrap(data_on_device(item)), axis)
    if isinstance(item, (list, tuple, range)):
        if len(item) == 0:
            raise IndexError("When a tensor is indexed by a list, the list must not be empty.")
        return _one(value, wrap(data_on_device(list(item))), axis).to(value.device)
    raise IndexError(
        f"Unsupported Python object type {type(item).__name__} in a tensor's index: use integers, "
        "slices, ellipsis, None, bool, Tensor, list, tuple or ndarray."
    )


class _Reversed:
    """The places that a slice with a negative step takes, which torch has not."""

    __slots__ = ("places",)

    def __init__(self, places: torch.Tensor) -> None:
        self.places = places


def has_tensor(index: Any) -> bool:
    return isinstance(index, TensorBase) or (
        isinstance(index, (tuple, list)) and any(isinstance(i, TensorBase) for i in index)
    )


def _width(item: Any) -> int:
    """How many axes of the tensor an element of an index takes."""
    if type(item) is int or type(item) is slice:
        return 1
    if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)):
        return 0
    if isinstance(item, TensorBase):
        return item._value.ndim if item._value.dtype is torch.bool else 1
    if getattr(item, "dtype", None) == np.dtype(bool):
        return item.ndim
    if isinstance(item, list) and item and isinstance(item[0], (list, bool)):
        return max(1, np.ndim(np.array(item, dtype=object))) if _is_mask(item) else 1
    return 1


def _is_mask(item: Any) -> bool:
    while isinstance(item, list) and item:
        item = item[0]
    return isinstance(item, bool)


def _index(value: torch.Tensor, index: Any) -> list[Any]:
    """The parts of a MindSpore index as torch takes them, negative steps as `_Reversed`."""
    if value.ndim == 0 and (isinstance(index, (int, slice)) and not isinstance(index, bool)):
        raise TypeError("Cannot index a 0-d tensor with a number or slice; use [...] or item().")
    if isinstance(index, list) and any(isinstance(i, _NOT_A_PLACE) for i in index):
        index = tuple(index)  # a list of anything but numbers means a tuple (numpy's old rule)
    items = index if isinstance(index, tuple) else (index,)
    if sum(i is Ellipsis for i in items) > 1:
        raise IndexError("An index can only have a single ellipsis('...').")
    axis, out = 0, []
    for item in items:
        if item is Ellipsis:
            axis += value.ndim - sum(map(_width, items))
            out.append(item)
        else:
            out.append(_one(value, item, axis))
            axis += _width(item)
    if any(isinstance(i, torch.Tensor) and i.ndim for i in out):
        # numpy counts integers among the advanced indices when it places the result's axes
        return [
            torch.tensor([i], device=value.device)
            if type(i) is int
            else i.reshape(1)
            if isinstance(i, torch.Tensor) and i.ndim == 0 and i.dtype is torch.int64
            else i
            for i in out
        ]
    return [None if i is True else i for i in out]  # alone, True adds an axis of size 1


def _forward(value: torch.Tensor, items: list[Any]) -> tuple[torch.Tensor, tuple[Any, ...]]:
    """The tensor with its reversed axes read out, and the index that remains."""
    ellipsis_width = value.ndim - sum(
        i.ndim if isinstance(i, torch.Tensor) and i.dtype is torch.bool else 1
        for i in items
        if i is not None and i is not Ellipsis and i is not True
    )
    axis, rest = 0, []
    for item in items:
        if isinstance(item, _Reversed):
            value = value.index_select(axis, item.places)
            item = slice(None)
        rest.append(item)
        if item is Ellipsis:
            axis += ellipsis_width
        elif isinstance(item, torch.Tensor) and item.dtype is torch.bool:
            axis += item.ndim
        elif item is not None and item is not True:
            axis += 1
    return value, tuple(rest)
