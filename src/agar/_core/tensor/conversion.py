"""Torch tensors of Python's and numpy's data, and of what callers give as shapes and devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from agar._core import context
from agar._core.errors import describe, type_name
from agar._core.runtime import thread
from agar._core.tensor.base import TensorBase

__all__ = [
    "PLAIN_ARRAYS",
    "contains_tensor",
    "data_on_device",
    "device_of",
    "new_data",
    "shape_tuple",
    "torch_args",
]


#: The characters of numpy's types of arrays that torch takes as they are.
PLAIN_ARRAYS = frozenset("?bhilqBHILQefdFD")
# Smaller numbers are finite in float32.
_FINITE = 3e38
# Types in which torch makes of a list of such numbers what numpy makes of it.
_SAME_IN_TORCH = {
    bool: (torch.bool,),
    int: (torch.int64, torch.int32),
    float: (torch.float32, torch.float64),
}


def new_data(value: Any, dtype: torch.dtype | None) -> torch.Tensor:
    """A new torch tensor with a copy of Python or numpy data."""
    recorder = thread.recorder
    if recorder is None or contains_tensor(value):
        return _copied(value, dtype)
    data = recorder.unseen(_copied, (value, dtype))
    recorder.created(data)
    return data


def data_on_device(value: Any) -> torch.Tensor:
    """The same on the context's device."""
    data, device = new_data(value, None), context.torch_device()
    return data if device.type == "cpu" else data.to(device)


def _copied(value: Any, dtype: torch.dtype | None) -> torch.Tensor:
    if type(value) is float and dtype is None and -_FINITE < value < _FINITE:
        return torch.scalar_tensor(value, dtype=torch.float32)  # sooner than torch.tensor
    if isinstance(value, (np.ndarray, np.generic)):
        return _from_array(np.asarray(value), dtype)
    if isinstance(value, (bool, int, float, complex)):
        return torch.tensor(value, dtype=dtype or _scalar_dtype(value))
    if isinstance(value, (list, tuple)):
        return _from_sequence(value, dtype)
    raise TypeError(
        "For Tensor, the type of 'input_data' should be one of Tensor, float, int, bool, complex, "
        f"list, tuple, numpy.ndarray, but got {value!r} with type {type_name(value)}."
    )


def _scalar_dtype(value: Any) -> torch.dtype:
    if isinstance(value, bool):
        return torch.bool
    if isinstance(value, int):
        if -(2**63) <= value < 2**63:
            return torch.int64
        if 0 < value < 2**64:
            return torch.uint64
        raise RuntimeError(f"For Tensor, no integer type has the value {value}; use a float.")
    return torch.float32 if isinstance(value, float) else torch.complex128


def _from_array(array: np.ndarray, dtype: torch.dtype | None) -> torch.Tensor:
    if array.dtype.char in PLAIN_ARRAYS and array.dtype.isnative:
        data = torch.from_numpy(np.array(array, order="C"))  # torch knows no negative strides
        return data if dtype is None or dtype is data.dtype else data.to(dtype)
    if array.dtype.kind in "OUSVMm" and array.dtype.name not in ("bfloat16",):
        raise TypeError(
            "For Tensor, the 'input_data' contains unsupported element: a numpy array of type "
            f"{array.dtype} cannot become a tensor; all elements must be numbers in rows of equal "
            "length."
        )
    if array.dtype.name == "bfloat16":
        data = torch.from_numpy(array.view(np.uint16).copy()).view(torch.bfloat16)
        return data if dtype is None else data.to(dtype)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    data = torch.from_numpy(np.array(array, order="C"))
    return data if dtype is None or dtype == data.dtype else data.to(dtype)


def contains_tensor(value: Any) -> bool:
    return isinstance(value, TensorBase) or (
        isinstance(value, (list, tuple)) and any(contains_tensor(v) for v in value)
    )


def _from_numbers(value: Sequence[Any], dtype: torch.dtype | None) -> torch.Tensor | None:
    """A list of numbers of one type as a tensor, or None if there is more to it."""
    kinds = set(map(type, value))
    if len(kinds) != 1:
        return None
    types = _SAME_IN_TORCH.get(kinds.pop())
    if types is None or (dtype is not None and dtype not in types):
        return None
    try:
        return torch.tensor(value, dtype=dtype or types[0])
    except (RuntimeError, TypeError, ValueError, OverflowError):
        return None  # numbers that are too large


def _from_sequence(value: Sequence[Any], dtype: torch.dtype | None) -> torch.Tensor:
    plain = _from_numbers(value, dtype)
    if plain is not None:
        return plain
    if contains_tensor(value):
        parts = [
            v._value if isinstance(v, TensorBase) else new_data(v, None)  # nested rows of tensors
            for v in value
        ]
        common = parts[0].dtype
        for part in parts[1:]:
            common = torch.promote_types(common, part.dtype)
        data = torch.stack([p.to(common) for p in parts])
        return data if dtype is None else data.to(dtype)
    try:
        array = np.array(value)
    except ValueError as error:
        raise TypeError(
            "For Tensor, the 'input_data' contains unsupported element: the rows of "
            f"{describe(list(value))} have different lengths."
        ) from error
    if dtype is None and array.dtype == np.float64 and array.size:
        dtype = torch.float64 if _has_np_double(value) else torch.float32
    elif dtype is None and not array.size:
        dtype = torch.float32
    return _from_array(array, dtype)


def _has_np_double(value: Any) -> bool:
    """Whether the first leaf is numpy double data (which keeps its type) and not a float."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (np.ndarray, np.float64)) and type(value) is not float


def device_of(device: Any) -> torch.device:
    return torch.device("meta") if device == "meta" else context.parse_device(device)


def torch_args(value: Any) -> Any:
    if isinstance(value, TensorBase):
        return value._value
    if isinstance(value, (tuple, list)):
        return type(value)(torch_args(v) for v in value)
    return value


def shape_tuple(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, int):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(
            f"For Tensor, 'shape' must be an int, tuple or list, but got {type(shape).__name__}."
        )
    dims = tuple(-1 if n is None else int(n) if hasattr(n, "__index__") else -1 for n in shape)
    if any(n < -1 for n in dims):
        raise ValueError(f"For Tensor, sizes in 'shape' must not be negative, but got {shape}.")
    return dims
