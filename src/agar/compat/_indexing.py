"""``ops.composite.multitype_ops._compile_utils``: what an index of a Tensor means, as functions."""

from __future__ import annotations

from typing import Any

import agar as ms
from agar import ops

__all__ = [
    "_scalar_to_tensor",
    "_tensor_add",
    "_tensor_div",
    "_tensor_floordiv",
    "_tensor_getitem",
    "_tensor_getitem_origin",
    "_tensor_index_by_bool",
    "_tensor_index_by_integer",
    "_tensor_matmul",
    "_tensor_mod",
    "_tensor_mul",
    "_tensor_pow",
    "_tensor_rpow",
    "_tensor_setitem",
    "_tensor_setitem_origin",
    "_tensor_sub",
    "sequence_to_tensor",
    "tensor_in_sequence",
    "tensor_index_by_bool_tensor",
    "tensor_index_by_list",
    "tensor_index_by_number",
    "tensor_index_by_slice",
    "tensor_index_by_tensor",
    "tensor_index_by_tuple",
    "tensor_item",
]


def _tensor_getitem(self: Any, index: Any) -> Any:
    """``self[index]``."""
    return self[index]


def _tensor_setitem(self: Any, index: Any, value: Any) -> Any:
    """``self[index] = value``; returns the Tensor."""
    self[index] = value
    return self


_tensor_getitem_origin = _tensor_getitem
_tensor_setitem_origin = _tensor_setitem
tensor_index_by_slice = tensor_index_by_number = tensor_index_by_tensor = _tensor_getitem
tensor_index_by_list = tensor_index_by_tuple = tensor_index_by_bool_tensor = _tensor_getitem
_tensor_index_by_bool = _tensor_index_by_integer = _tensor_getitem


def _tensor_add(self: Any, other: Any) -> Any:
    """``self + other``."""
    return self + other


def _tensor_sub(self: Any, other: Any) -> Any:
    """``self - other``."""
    return self - other


def _tensor_mul(self: Any, other: Any) -> Any:
    """``self * other``."""
    return self * other


def _tensor_matmul(self: Any, other: Any) -> Any:
    """``self @ other``."""
    return self @ other


def _tensor_div(self: Any, other: Any) -> Any:
    """``self / other``."""
    return self / other


def _tensor_mod(self: Any, other: Any) -> Any:
    """``self % other``."""
    return self % other


def _tensor_pow(self: Any, other: Any) -> Any:
    """``self ** other``."""
    return self**other


def _tensor_rpow(self: Any, other: Any) -> Any:
    """``other ** self``."""
    return other**self


def _tensor_floordiv(self: Any, other: Any) -> Any:
    """``self // other``."""
    return self // other


def _scalar_to_tensor(input_x: Any) -> Any:
    """A number as a Tensor."""
    return ops.scalar_to_tensor(input_x)


def tensor_item(data: Any) -> Any:
    """The number of a Tensor of one element."""
    return data.item()


def sequence_to_tensor(value: Any, dtype: Any) -> Any:
    """A list or tuple of numbers as a Tensor."""
    return ms.Tensor(value, dtype)


def tensor_in_sequence(x: Any, y: Any) -> bool:
    """Whether a Tensor equals an element of a list or tuple."""
    return any(
        isinstance(element, ms.Tensor) and x.shape == element.shape and bool((x == element).all())
        for element in y
    )
