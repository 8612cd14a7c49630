"""The part of Tensor that is about its memory: copies, devices, storage, values taken over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import torch

from agar._core import context
from agar._core import dtype as mstype
from agar._core.distributed.sharding import check_writable, whole
from agar._core.errors import describe, type_name
from agar._core.runtime import runtime, thread
from agar._core.tensor.base import TensorBase, wrap
from agar._core.tensor.conversion import shape_tuple

if TYPE_CHECKING:
    from typing_extensions import Self

    from agar._core.tensor.tensor_class import Tensor

__all__ = ["TensorMemory"]


class TensorMemory(TensorBase):
    """Copies, devices and storage; a base class of Tensor."""

    __slots__ = ()

    def _writable(self, what: str) -> torch.Tensor:
        """The torch tensor for an in-place change, known to the gradient scope if one is open."""
        for scope in reversed(thread.grad_scopes):
            if scope.touch(self):
                break
        value = self._value
        if value.__class__ is not torch.Tensor:
            check_writable(value, what)
        if value.requires_grad and value.is_leaf and torch.is_grad_enabled():
            raise RuntimeError(
                f"{what} changes {describe(self)} in place while its gradient is being taken. "
                "Assign to it as a whole (ops.assign(p, value) or self.p = value), or change a "
                "copy: x = p.copy()."
            )
        return value

    def get_bytes(self) -> bytes:
        """The memory of the elements in C order, as bytes."""
        value = whole(self._value).detach().cpu().contiguous()
        return value.reshape(-1).view(torch.uint8).numpy().tobytes()

    def move_to(self, to: str, blocking: bool = True) -> Tensor:
        """A tensor of these values on another device, or this memory if it is there already.

        Args:
            to (str): the device, for example ``"CPU"`` or ``"GPU:0"``.
            blocking (bool): whether to wait until the values have arrived. Default: True.

        Returns:
            Tensor.

        Raises:
            ValueError: `to` is not the name of a device.
            RuntimeError: the device is not available.

        Difference from PyTorch: ``Tensor.to(device, non_blocking=False)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1]).move_to("CPU").device
            'CPU'
        """
        return wrap(self._value.to(context.parse_device(to), non_blocking=not blocking))

    def is_pinned(self) -> bool:
        """Whether the memory is page-locked, so that copies to a device need not wait."""
        return self._value.is_pinned()

    def pin_memory(self) -> Tensor:
        """A tensor of these values in page-locked memory; needs an accelerator."""
        return wrap(self._value.pin_memory())

    def copy(self) -> Tensor:
        """A tensor with a copy of the values; gradients flow through it."""
        return wrap(self._value.clone())

    def value(self) -> Tensor:
        """The tensor's values as a Tensor that shares its memory."""
        return wrap(self._value)

    def assign_value(self, value: Any) -> Self:
        """Replace values and type by those of another tensor. Returns this tensor.

        Args:
            value (Tensor): the new values.

        Raises:
            TypeError: `value` is not a Tensor.

        Difference from PyTorch: ``Tensor.data = other``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor([1]).assign_value(ms.Tensor([2.5])))
            [2.5]
        """
        if not isinstance(value, TensorBase):
            raise TypeError(
                f"For 'assign_value', 'value' must be a Tensor, but got {type_name(value)}."
            )
        self._value = value._value
        return self

    def set_dtype(self, dtype: mstype.Type) -> mstype.Number:
        """Convert the tensor itself to another type. Returns the type.

        Args:
            dtype (Type): the new type of the elements.

        Raises:
            TypeError: `dtype` is not a type that a tensor can have.

        Difference from PyTorch: none (no counterpart).

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> x = ms.Tensor([1.5, 2.0])
            >>> x.set_dtype(ms.int32)
            mindspore.int32
            >>> print(x)
            [1 2]
        """
        self._value = self._value.detach().to(mstype.to_torch_dtype(dtype, op_name="set_dtype"))
        runtime.epoch += 1
        return self.dtype

    def assign_value_cpp(self, value: Any) -> Self:
        """Replace the values by those of another tensor; the same as :meth:`assign_value`.

        Args:
            value (Tensor): the new values.
        """
        return self.assign_value(value)

    def set_(
        self, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None
    ) -> Self:
        """Use other memory from now on. Returns this tensor.

        Args:
            source (Union[Tensor, UntypedStorage]): a tensor of the same type whose memory and
                shape are shared, or memory. Default: None, an empty tensor.
            storage_offset (int): where in the memory to begin, in elements. Default: 0.
            size (tuple[int]): the shape. Default: None, all of the memory in one axis.
            stride (tuple[int]): elements to step over along each axis. Default: None, in C order.

        Raises:
            TypeError: `source` is neither Tensor nor UntypedStorage.
            RuntimeError: the types differ, or the shape does not fit into the memory.

        Difference from PyTorch: none.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> x = ms.Tensor([0.0])
            >>> print(x.set_(ms.Tensor([1.0, 2.0])))
            [1. 2.]
        """
        from agar._core.storage import UntypedStorage

        value = self._writable("set_")
        other = torch.empty(0, dtype=value.dtype, device=value.device)
        if isinstance(source, UntypedStorage):
            memory = source._torch()
            if size is None:
                size = (memory.nbytes() // value.element_size() - storage_offset,)
            shape = shape_tuple(size)
            other.set_(memory, storage_offset, shape, *([] if stride is None else [tuple(stride)]))
        elif isinstance(source, TensorBase):
            shared = source._value
            if shared.dtype != value.dtype:
                raise RuntimeError(
                    f"For 'Tensor.set_', a tensor of type {source.dtype} cannot be set into one of "
                    f"type {self.dtype}; convert it with .astype({self.dtype!r})."
                )
            other = shared.detach()
            if size is not None:
                steps = stride or torch.empty(shape_tuple(size), device="meta").stride()
                other = other.as_strided(shape_tuple(size), tuple(steps), storage_offset)
        elif source is not None:
            raise TypeError(
                "For 'Tensor.set_', 'source' must be a Tensor or an UntypedStorage, but got "
                f"{describe(source)}."
            )
        self._value = other
        runtime.epoch += 1
        return self

    def to_(self, device: Any = None, non_blocking: bool = False) -> Self:
        """Move the tensor itself to another device. Returns the tensor.

        Args:
            device (str): the device, for example ``"CPU"`` or ``"GPU:0"``. Default: None, which is
                refused.
            non_blocking (bool): whether not to wait until the values have arrived. Default: False.

        Raises:
            ValueError: `device` is not the name of a device, or `non_blocking` is not a bool.
            RuntimeError: the device is not available.

        Difference from PyTorch: ``Tensor.to`` gives another tensor.

        Source: documentation of MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1]).to_("CPU").device
            'CPU'
        """
        _check_bool("to_", "non_blocking", non_blocking)
        self._value = self._value.to(context.parse_device(device), non_blocking=non_blocking)
        runtime.epoch += 1
        return self

    def delete_(self, non_blocking: bool = False) -> Self:
        """Free the tensor's memory, if no other tensor uses it. Returns the tensor, now of zeros.

        The shape and the type stay; the tensor cannot be written to until ``data`` is assigned.

        Args:
            non_blocking (bool): accepted for compatibility. Default: False.

        Raises:
            ValueError: `non_blocking` is not a bool.

        Difference from PyTorch: no counterpart; ``del`` frees memory with the last reference.

        Source: documentation of MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor([1, 2]).delete_())
            [0 0]
        """
        from agar._core.storage import absent_values

        _check_bool("delete_", "non_blocking", non_blocking)
        self._value = absent_values(self._value.detach())
        runtime.epoch += 1
        return self

    def untyped_storage(self) -> Any:
        """The memory of the tensor, as an :class:`agar.UntypedStorage` of bytes.

        Difference from PyTorch: see there.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1.0, 2.0])[1:].untyped_storage().size()
            8
        """
        from agar._core.storage import UntypedStorage

        return UntypedStorage(cast("Tensor", self))

    def storage(self) -> Any:
        """The memory of the tensor; the same as :meth:`untyped_storage`."""
        return self.untyped_storage()

    def is_shared(self) -> bool:
        """Whether other processes share the memory."""
        return self._value.is_cpu and self._value.is_shared()

    def offload(self, file_path: str) -> bool:
        """Write the values to a file and free the memory; they are read back when they are used.

        Args:
            file_path (str): the file. It must stay as it is until then.

        Returns:
            True.

        Raises:
            TypeError: `file_path` is not a str.
            RuntimeError: the file cannot be written.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10, which does not read the values back.

        Examples:
            >>> import agar as ms, os, tempfile
            >>> x = ms.Tensor([1.0, 2.0])
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     _ = x.offload(os.path.join(folder, "x.data"))
            ...     print(x + 1)
            [2. 3.]
        """
        from agar._core.offload import offload

        return offload(cast("Tensor", self), file_path)

    def offload_file_path(self) -> str:
        """The file in which :meth:`offload` put the values, or an empty text."""
        return vars(self).get("_offload_path", "")

    def data_sync(self, need_wait: bool = True) -> None:
        """Wait until the tensor's values have been computed.

        Args:
            need_wait (bool): accepted for compatibility; agar always waits. Default: True.
        """
        _wait_for(self._value)

    def wait_pipeline(self) -> None:
        """Wait until the tensor's values have been computed."""
        _wait_for(self._value)

    def flush_from_cache(self) -> None:
        """Accepted for compatibility: no values are kept in caches of embeddings."""


def _wait_for(value: torch.Tensor) -> None:
    if value.is_cuda:
        torch.cuda.synchronize(value.device)


def _check_bool(method: str, name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(
            f"For 'Tensor.{method}', the type of '{name}' must be bool, but got {value!r}."
        )
