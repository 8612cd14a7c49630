"""Tensors whose values lie in a file until they are used: ``Tensor.offload``.

The tensor becomes an object of a class of the same layout, whose slot reads the file when it is
asked for the values (as NOTE Lazy tensors in `agar._core.tensor`).
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.files import replacing
from agar._core.printing import uninitialized_text
from agar._core.tensor import Tensor, _become

__all__ = ["offload"]

_KEYS = ("_stored_shape", "_stored_dtype", "_stored_device", "_stored_class")


def offload(tensor: Tensor, file_path: Any) -> bool:
    """Write a tensor's bytes to a file and free its memory; it is read back when it is used.

    Raises:
        TypeError: the path is not a str.
        RuntimeError: the file cannot be written, or a gradient is being taken.
    """
    if not isinstance(file_path, str):
        raise TypeError(
            f"For 'Tensor.offload', 'file_path' must be a str, but got {describe(file_path)}."
        )
    value = tensor._value
    if value.requires_grad:
        raise RuntimeError(
            "For 'Tensor.offload', the tensor takes part in a gradient, which needs its values; "
            "offload it outside of ms.grad."
        )
    try:
        with replacing(file_path, durable=False) as unfinished, open(unfinished, "wb") as file:
            file.write(tensor.get_bytes())
    except OSError as error:
        raise RuntimeError(
            f"For 'Tensor.offload', the file '{file_path}' cannot be written: {error}."
        ) from error
    cls = type(tensor)
    vars(tensor).update(
        _stored_shape=tuple(value.shape),
        _stored_dtype=value.dtype,
        _stored_device=value.device,
        _stored_class=cls,
        _offload_path=file_path,
    )
    tensor._value = torch.empty(0)  # the memory goes with its last user
    _become(tensor, _stored_class_of(cls))
    return True


class _Stored(Tensor):
    """What tensors whose values are in a file have in place of their slot."""

    __slots__ = ()
    _stored_shape: tuple[int, ...]
    _stored_dtype: torch.dtype
    _stored_device: torch.device
    _stored_class: type[Tensor]
    _offload_path: str

    @property
    def _value(self) -> torch.Tensor:
        shape, dtype, device = self._stored_shape, self._stored_dtype, self._stored_device
        with open(self._offload_path, "rb") as file:
            data = bytearray(file.read())
        if len(data) != torch.Size(shape).numel() * dtype.itemsize:
            raise RuntimeError(
                f"The file '{self._offload_path}' of an offloaded tensor of shape {shape} has "
                f"{len(data)} bytes; it was changed after Tensor.offload."
            )
        empty = torch.empty(shape, dtype=dtype)
        value = torch.frombuffer(data, dtype=dtype).reshape(shape) if data else empty
        self._value = value.to(device)
        return self._value

    @_value.setter
    def _value(self, value: torch.Tensor) -> None:
        _become(self, self._stored_class)
        for key in (*_KEYS, "_offload_path"):
            vars(self).pop(key)
        self._value = value

    def __reduce__(self) -> tuple[Any, ...]:
        assert self._value is not None  # reading the slot turns the object into a plain one
        return type(self).__reduce__(self)

    @Tensor.shape.getter
    def shape(self) -> tuple[int, ...]:
        return self._stored_shape

    @property
    def dtype(self) -> mstype.Number:
        return mstype.FROM_TORCH[self._stored_dtype]

    @property
    def ndim(self) -> int:
        return len(self._stored_shape)

    @property
    def size(self) -> int:
        return torch.Size(self._stored_shape).numel()


def _shown(tensor: Any) -> str:
    return uninitialized_text(tensor.shape, str(tensor.dtype))


@functools.cache
def _stored_class_of(cls: type[Tensor]) -> type[Tensor]:
    """The class of tensors of `cls` whose values are in a file."""
    body: dict[str, Any] = {"__slots__": (), "__module__": cls.__module__}
    if "__repr__" not in vars(cls) or cls is Tensor:
        body.update(__repr__=_shown, __str__=_shown)  # a Parameter shows no values anyway
    result = type(_Stored)(cls.__name__, (_Stored, cls), body)
    result.__qualname__ = cls.__qualname__
    return result
