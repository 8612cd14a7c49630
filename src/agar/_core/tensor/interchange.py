"""The part of Tensor that hands values to numpy, torch and DLPack, and takes them from there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from agar._core import context
from agar._core import dtype as mstype
from agar._core.distributed.sharding import whole
from agar._core.errors import describe, type_name
from agar._core.lent import give_to_torch, lend, seen, take_from_torch
from agar._core.tensor.base import TensorBase, wrap
from agar._core.tensor.conversion import PLAIN_ARRAYS, data_on_device, shape_tuple, torch_args

if TYPE_CHECKING:
    from collections.abc import Callable

    from agar._core.tensor.tensor_class import Tensor

__all__ = ["TensorInterchange", "from_numpy", "from_torch"]

_NO_NUMPY = (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2)


class TensorInterchange(TensorBase):
    """Interchange with other libraries; a base class of Tensor."""

    __slots__ = ()

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Let torch's functions accept agar tensors; their results are agar tensors."""
        return wrap(
            func(*torch_args(args), **{k: torch_args(v) for k, v in (kwargs or {}).items()})
        )

    def to_torch(self) -> torch.Tensor:
        """The torch tensor underneath, sharing its memory.

        Difference from PyTorch: none (no counterpart).

        Source: agar's own, for interchange.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1, 2]).to_torch()
            tensor([1, 2])
        """
        give_to_torch(self._value)
        return self._value

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """A tensor that shares the memory of a numpy array, see :func:`agar.from_numpy`.

        Args:
            array (numpy.ndarray): any numeric array; a read-only one is copied.
        """
        return from_numpy(array)

    def asnumpy(self) -> np.ndarray:
        """The values as a numpy array in C order, sharing memory with a tensor on the CPU.

        A view that is not contiguous, such as a transposed tensor, is copied. Gradients do not
        flow through it: what is computed from the array is a constant. bfloat16 gives an array of
        ml_dtypes' type if that package is installed, else float32.

        Returns:
            numpy.ndarray of the same shape.

        Difference from PyTorch: ``Tensor.numpy()`` refuses tensors that require a gradient and
        those on other devices.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> ms.Tensor([1, 2]).asnumpy()
            array([1, 2])
        """
        value = self._value
        if value.__class__ is torch.Tensor:
            try:
                array = value.numpy() if value.is_contiguous() else None
            except (RuntimeError, TypeError):
                array = None  # it is on another device, takes part in a gradient, or not numpy's
            if array is not None:
                if not seen.aliases:  # else torch's function has
                    lend(value, array)
                return array
        value = whole(value).detach().contiguous()
        if value.device.type != "cpu":
            value = value.cpu()
        if value.dtype in _NO_NUMPY:
            try:
                kind = mstype.to_numpy_dtype(mstype.FROM_TORCH[value.dtype])
            except TypeError:
                return value.float().numpy()
            bits = value.view(torch.uint8 if value.dtype.itemsize == 1 else torch.uint16)
            array = bits.numpy().view(kind)
        else:
            array = value.resolve_conj().resolve_neg().numpy()
        if not seen.aliases:
            lend(value, array)
        return array

    def numpy(self) -> np.ndarray:
        """The values as a numpy array; the same as :meth:`asnumpy`."""
        return self.asnumpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.asnumpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(f"A copy is needed to convert {self.dtype} to {dtype}.")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, **kwargs: Any) -> Any:
        lend(self._value)
        give_to_torch(self._value)
        return self._value.detach().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> Any:
        return self._value.__dlpack_device__()

    def to_dlpack(self) -> Any:
        """The tensor as a DLPack capsule, which shares its memory.

        Returns:
            A capsule that ``Tensor.from_dlpack``, or another library, takes once.

        Difference from PyTorch: ``torch.utils.dlpack.to_dlpack``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> print(ms.Tensor.from_dlpack(ms.Tensor([1, 2]).to_dlpack()))
            [1 2]
        """
        return self.__dlpack__()

    @staticmethod
    def from_dlpack(dlpack: Any) -> Tensor:
        """A tensor over the memory of a DLPack capsule.

        Args:
            dlpack: a capsule, which is used up, or an object with ``__dlpack__``.

        Returns:
            Tensor.

        Raises:
            RuntimeError: it is not a capsule, or was used before.

        Difference from PyTorch: ``torch.from_dlpack``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms, numpy as np
            >>> print(ms.Tensor.from_dlpack(np.arange(2)))
            [0 1]
        """
        try:
            return wrap(torch.from_dlpack(dlpack))
        except Exception as error:
            raise RuntimeError(
                "For 'Tensor.from_dlpack', expected a DLPack capsule that was not used before, or "
                f"an object with __dlpack__, but got {describe(dlpack)}: {error}"
            ) from error

    @staticmethod
    def convert_bytes_to_tensor(bytes_data: bytes, dims: Sequence[int], dtype: Any) -> Tensor:
        """The tensor of which :meth:`get_bytes` gave these bytes.

        Args:
            bytes_data (bytes): the elements in C order.
            dims (tuple[int]): the shape.
            dtype (Type): the type of the elements.

        Returns:
            Tensor.

        Raises:
            TypeError: `bytes_data` is not bytes, or `dtype` is not a type of tensors.
            ValueError: there are not as many bytes as shape and type need.

        Difference from PyTorch: ``torch.frombuffer`` shares the memory.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> x = ms.Tensor([1, 2], ms.int16)
            >>> print(ms.Tensor.convert_bytes_to_tensor(x.get_bytes(), x.shape, x.dtype))
            [1 2]
        """
        op_name = "Tensor.convert_bytes_to_tensor"
        if not isinstance(bytes_data, (bytes, bytearray)):
            raise TypeError(
                f"For '{op_name}', 'bytes_data' must be bytes, but got {type(bytes_data).__name__}."
            )
        kind = mstype.to_torch_dtype(dtype, op_name=op_name)
        shape = shape_tuple(dims)
        expected = torch.Size(shape).numel() * kind.itemsize
        if len(bytes_data) != expected:
            raise ValueError(
                f"For '{op_name}', shape {shape} and type {dtype} need {expected} bytes, but got "
                f"{len(bytes_data)}."
            )
        if not expected:
            return wrap(torch.empty(shape, dtype=kind))
        value = torch.frombuffer(bytearray(bytes_data), dtype=kind).reshape(shape)
        return wrap(value.to(context.torch_device()))


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of a numpy array.

    Args:
        array (numpy.ndarray): any numeric array; a read-only one is copied.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: it is not an array, or has a type that tensors cannot have.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms, numpy as np
        >>> a = np.array([1.0, 2.0])
        >>> x = ms.from_numpy(a)
        >>> a[0] = 9
        >>> print(x)
        [9. 2.]
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"For 'from_numpy', 'array' must be a numpy.ndarray, but got {type_name(array)}."
            + (" Use agar.from_torch(t)." if isinstance(array, torch.Tensor) else "")
        )
    plain = array.dtype.char in PLAIN_ARRAYS and array.dtype.isnative
    if not plain:
        mstype.from_numpy_dtype(array.dtype)
    if not array.flags.writeable or (array.strides and min(array.strides) < 0):
        return wrap(data_on_device(array))
    if not plain and array.dtype.name == "bfloat16":
        value = torch.from_numpy(array.view(np.uint16)).view(torch.bfloat16)
    else:
        value = torch.from_numpy(array)
    lend(value)
    return wrap(value)


def from_torch(value: torch.Tensor) -> Tensor:
    """A tensor over the same memory as a torch tensor.

    Args:
        value (torch.Tensor): any torch tensor; its gradient history is kept.

    Returns:
        Tensor.

    Raises:
        TypeError: `value` is not a torch tensor.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own, for interchange.

    Examples:
        >>> import agar as ms, torch
        >>> print(ms.from_torch(torch.ones(2)))
        [1. 1.]
    """
    if not isinstance(value, torch.Tensor):
        raise TypeError(
            f"For 'from_torch', 'value' must be a torch.Tensor, but got {type_name(value)}."
        )
    take_from_torch(value)
    return wrap(value)
