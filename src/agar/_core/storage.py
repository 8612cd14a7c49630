"""The memory of tensors, by itself: what ``Tensor.untyped_storage()`` returns."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from agar._core import context
from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.runtime import runtime
from agar._core.tensor import Tensor

__all__ = ["UntypedStorage"]


class UntypedStorage:
    """The memory of a tensor, as bytes.

    Made by ``Tensor.untyped_storage()`` and ``Tensor.storage()``.

    Args:
        owner (Tensor): the tensor whose memory it is.

    Difference from PyTorch: making it smaller gives the tensor new memory; other tensors keep the
    old one. A tensor without enough memory is zero everywhere, and cannot be written to, until it
    is made larger again.

    Source: behavior observed in MindSpore 2.10, whose tensors then show freed memory.

    Examples:
        >>> import agar as ms
        >>> ms.Tensor([1.0, 2.0]).untyped_storage().size()
        8
    """

    def __init__(self, owner: Tensor) -> None:
        if not isinstance(owner, Tensor):
            raise TypeError(
                "For 'UntypedStorage', the memory of a Tensor is meant: use "
                f"tensor.untyped_storage(); got {describe(owner)}."
            )
        self._owner = owner

    def _small(self) -> _Small | None:
        """What the owner remembers while its memory is too small for it."""
        small = vars(self._owner).get("_small_memory")
        return small if small is not None and small.shown is self._owner._value else None

    def _torch(self) -> torch.UntypedStorage:
        small = self._small()
        return self._owner._value.untyped_storage() if small is None else small.memory

    def size(self) -> int:
        """Bytes of the memory."""
        return self._torch().nbytes()

    def nbytes(self) -> int:
        """Bytes of the memory; the same as :meth:`size`."""
        return self._torch().nbytes()

    def element_size(self) -> int:
        """Bytes of one element: 1."""
        return 1

    def data_ptr(self) -> int:
        """The address of the memory."""
        return self._torch().data_ptr()

    def is_shared(self) -> bool:
        """Whether other processes share the memory."""
        memory = self._torch()
        return memory.device.type == "cpu" and memory.is_shared()

    @property
    def device(self) -> str:
        """Where the memory is, for example ``CPU``."""
        return context.device_name(self._torch().device)

    @property
    def dtype(self) -> mstype.Number:
        """The type of the elements: bytes."""
        return mstype.uint8

    def copy_(self, source: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Write the bytes of other memory of the same size. Returns this memory.

        Args:
            source (UntypedStorage): the memory that is read, of the same size.
            non_blocking (bool): whether a copy between devices may run beside the program. Default:
                False.

        Raises:
            TypeError: `source` is not an UntypedStorage.
            RuntimeError: the sizes differ.
        """
        if not isinstance(source, UntypedStorage):
            raise TypeError(
                "For 'UntypedStorage.copy_', 'source' must be an UntypedStorage, but got "
                f"{describe(source)}."
            )
        if source.size() != self.size():
            raise RuntimeError(
                "For 'UntypedStorage.copy_', both must have one size, but got "
                f"{source.size()} and {self.size()} bytes."
            )
        self._torch().copy_(source._torch(), non_blocking)
        runtime.weights += 1
        return self

    def resize_(self, size: int) -> UntypedStorage:
        """Make the memory larger or smaller; the first bytes stay. Returns this memory.

        Args:
            size (int): the new size in bytes; 0 frees the memory.

        Raises:
            TypeError: `size` is not an int.
            ValueError: it is negative.
        """
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(
                f"For 'UntypedStorage.resize_', 'size' must be int, but got {describe(size)}."
            )
        if size < 0:
            raise ValueError(
                f"For 'UntypedStorage.resize_', 'size' must not be negative, but got {size}."
            )
        old = self._torch()
        if size == old.nbytes():
            return self
        untyped_storage = torch.UntypedStorage(size, device=old.device)
        result = min(size, old.nbytes())
        _bytes(untyped_storage)[:result].copy_(_bytes(old)[:result])
        self._give(untyped_storage)
        return self

    def _give(self, memory: torch.UntypedStorage) -> None:
        """Let the tensor lie in this memory, if it fits."""
        owner, small = self._owner, self._small()
        value = owner._value
        layout = (value.storage_offset(), value.shape, value.stride())
        offset, shape, stride = layout if small is None else small.layout
        last = sum((n - 1) * s for n, s in zip(shape, stride, strict=True))
        needed = 0 if 0 in shape else (offset + last + 1) * value.element_size()
        if needed <= memory.nbytes():
            vars(owner).pop("_small_memory", None)
            empty = torch.empty(0, dtype=value.dtype, device=value.device)
            owner._value = empty.set_(memory, offset, shape, stride)
        else:
            owner._value = absent_values(value)
            vars(owner)["_small_memory"] = _Small(memory, (offset, shape, stride), owner._value)
        runtime.epoch += 1


def _bytes(memory: torch.UntypedStorage) -> torch.Tensor:
    return torch.empty(0, dtype=torch.uint8, device=memory.device).set_(memory)


class _Small(NamedTuple):
    """Memory that does not hold its tensor, and how the tensor lay in it."""

    memory: torch.UntypedStorage
    layout: tuple[Any, torch.Size, tuple[int, ...]]
    shown: torch.Tensor  # what stands in the tensor's slot meanwhile


def absent_values(value: torch.Tensor) -> torch.Tensor:
    """A tensor of the same shape and type that needs no memory of its own: zeros."""
    return torch.zeros((), dtype=value.dtype, device=value.device).expand(value.shape)


UntypedStorage.__module__ = "agar.common.storage"
