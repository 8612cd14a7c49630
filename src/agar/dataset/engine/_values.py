"""Values of rows: what a program may give, and what it gets.

Inside a pipeline a value is a numpy array (scalars have no dimension), a dict of the program's own,
or, between operations of one ``map``, anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Rows may hold torch tensors, and those of worker processes come as such.
import torch

from agar._core.context import torch_device
from agar._core.tensor import Tensor, from_numpy, wrap

__all__ = ["Row", "as_array", "copied", "listed", "packed", "plain", "to_tensor", "unpacked"]

#: The values of one row, in the order of the columns.
Row = tuple[Any, ...]

_KINDS = frozenset("biufUS")
# smaller arrays travel faster through the pipe than as a file descriptor
_SHARED_BYTES = 1 << 16
_SHARED = frozenset(np.dtype(t) for t in "?bBhHiIqQefd")


def listed(value: Any) -> list[Any]:
    """None as no element, a tuple or list as its elements, anything else as the only one."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def as_array(value: Any) -> Any:
    """A value of a program's row as an array; a dict stays.

    Raises:
        TypeError: it is neither numbers nor strings of one shape.
    """
    if type(value) is np.ndarray:
        array = value
    elif isinstance(value, dict):
        return value
    elif isinstance(value, Tensor):
        array = value.asnumpy()
    elif isinstance(value, torch.Tensor):
        array = value.detach().cpu().numpy()
    else:
        try:
            array = np.asarray(value)
        except ValueError:  # nested lists of different lengths
            array = np.empty((), object)
    kind = array.dtype.kind
    if kind not in _KINDS or (kind == "f" and array.dtype.itemsize > 8):
        shown = type(value).__name__ if array.dtype == object else f"dtype {array.dtype}"
        raise TypeError(
            f"a value must be a bool, an int, a float, a string, bytes, an array or a Tensor of "
            f"these, or a dict, but got {shown}"
        )
    return array


def copied(value: Any) -> Any:
    """The value in memory of its own."""
    return value.copy() if type(value) is np.ndarray else value


def to_tensor(value: Any) -> Any:
    """A value as programs get it from iterators: numbers as a Tensor, strings as an array."""
    if type(value) is np.ndarray:
        if value.dtype.kind in "US":
            return value
        result = from_numpy(value)
        where = torch_device()
        return result if where.type == "cpu" else wrap(result._value.to(where))
    if isinstance(value, dict):
        return {key: _inner(v, to_tensor) for key, v in value.items()}
    return value


def _inner(value: Any, change: Any) -> Any:
    if isinstance(value, dict):
        return {key: _inner(v, change) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_inner(v, change) for v in value)
    if isinstance(value, (bool, int, float, str, np.generic, np.ndarray)):
        return change(np.array(value))
    if isinstance(value, Tensor) and change is not to_tensor:
        return value.asnumpy()
    return value


def plain(value: Any) -> Any:
    """A value as programs get it with ``output_numpy``."""
    if isinstance(value, dict):
        return {key: _inner(v, lambda x: x) for key, v in value.items()}
    return value


def packed(row: Row) -> Row:
    """A row for the way out of a worker: large arrays in shared memory."""
    return tuple(
        torch.from_numpy(np.require(value, requirements=["C", "W"]))
        if type(value) is np.ndarray
        and value.nbytes >= _SHARED_BYTES
        and value.dtype in _SHARED
        and value.dtype.isnative
        else value
        for value in row
    )


def unpacked(row: Row) -> Row:
    """A row that came out of a worker, as arrays."""
    return tuple(value.numpy() if type(value) is torch.Tensor else value for value in row)
