"""The part of Cell that chooses floating types and devices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

# a cell moves its tensors between devices and types
import torch

from agar._core import autodiff, context, precision
from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.runtime import runtime
from agar._core.tensor import Tensor

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["CellTypes"]

_FLOAT_TYPES = {
    mstype.float16: ("fp16", "FP16"),
    mstype.float32: ("fp32", "FP32"),
    mstype.bfloat16: ("bf16", "BF16"),
}


class MixedPrecisionType:
    """Names of a cell's floating type, as ``cell.mixed_precision_type`` shows them."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"MixedPrecisionType.{self.name}"


class CellTypes:
    """The floating type in which a cell computes, and where its tensors are; a base of Cell."""

    _float_type: Any
    _flags: dict[str, Any]

    if TYPE_CHECKING:

        def cells_and_names(
            self, cells: set[int] | None = None, name_prefix: str = ""
        ) -> Iterator[tuple[str, Any]]: ...
        def get_parameters(self, expand: bool = True) -> Iterator[Parameter]: ...
        def buffers(self, recurse: bool = True) -> Iterator[Tensor]: ...

    def to_float(self, dst_type: mstype.Type) -> Self:
        """Compute this cell and all its present descendants in a floating type. Returns the cell.

        Nothing is cast at the cell's border: each operator inside casts its floating inputs.
        Parameters keep their type, gradients come back in the type of what they belong to. The
        last call wins, so a part is set back with ``part.to_float(ms.float32)``.

        Args:
            dst_type (Type): ``ms.float16``, ``ms.bfloat16`` or ``ms.float32``.

        Raises:
            ValueError: another type.

        Difference from PyTorch: like ``torch.autocast`` bound to a part of a network, for all
        operators.

        Source: behavior observed in MindSpore 2.10; the type ends with the call also when
        ``construct`` raises.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Dense(2, 1).to_float(ms.float16)
            >>> net(ms.Tensor([[1.0, 2.0]])).dtype
            mindspore.float16
        """
        if dst_type not in _FLOAT_TYPES:
            raise ValueError(
                "For 'to_float', the argument 'dst_type' must be mindspore.float32, "
                f"mindspore.float16 or mindspore.bfloat16, but got {dst_type!r}."
            )
        flag = _FLOAT_TYPES[dst_type][0]
        for _, cell in self.cells_and_names():
            cell._float_type = precision.CastScope(mstype.to_torch_dtype(dst_type))
            cell._flags.update({"fp16": False, "fp32": False, "bf16": False, flag: True})
        return self

    @property
    def mixed_precision_type(self) -> MixedPrecisionType | None:
        """The type set by :meth:`to_float`, or None."""
        scope = self._float_type
        if not isinstance(scope, precision.CastScope) or scope.dtype is None:
            return None
        return MixedPrecisionType(_FLOAT_TYPES[mstype.FROM_TORCH[scope.dtype]][1])

    def get_mixed_precision_type(self) -> Any:
        """The type set by :meth:`set_mixed_precision_type` or :meth:`to_float`, or None."""
        return self.__dict__.get("_mixed_precision_type", self.mixed_precision_type)

    def set_mixed_precision_type(self, arg0: Any) -> None:
        """Store what :meth:`get_mixed_precision_type` gives; :meth:`to_float` sets the type.

        Args:
            arg0: any value.
        """
        self._mixed_precision_type = arg0

    def set_precision_scope(self, scope: Any) -> Self:
        """Compute this cell, without its descendants, under a precision scope of agar's own.

        Args:
            scope: an object of agar's ``_core.precision``, or None for no scope.
        """
        self._float_type = scope
        return self

    def cast_inputs(self, inputs: Any, dst_type: mstype.Type) -> Any:
        """The inputs with all floating tensors cast to a type.

        Args:
            inputs: Tensors, also in tuples, lists and dictionaries.
            dst_type (Type): the type.

        Returns:
            The same structure; what is not a floating Tensor is unchanged.
        """
        dtype = mstype.to_torch_dtype(dst_type)

        def cast(t: Tensor) -> Tensor:
            kind = t._value.dtype
            return Tensor.astype(t, dst_type) if kind.is_floating_point and kind != dtype else t

        return autodiff.map_tensors(inputs, cast)

    # ----------------------------------------------------------------------- devices

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Move all parameters and buffers to a device or floating type. Returns the cell.

        Args:
            args: a device (``"GPU:0"``, ``"CPU"``), a dtype, or both.
            kwargs: ``device``, ``dtype``.

        Raises:
            TypeError: an argument is neither a device nor a type.
            RuntimeError: the device is not available.

        Difference from PyTorch: none.

        Source: agar's own; MindSpore 2.10 moves whole programs with ``set_device``.

        Examples:
            >>> import agar as ms
            >>> ms.nn.Dense(2, 1).to(ms.float16).weight.dtype
            mindspore.float16
        """
        device, dtype = kwargs.pop("device", None), kwargs.pop("dtype", None)
        if kwargs:
            raise TypeError(f"For 'Cell.to', unexpected arguments {sorted(kwargs)}.")
        for value in args:
            if isinstance(value, (mstype.Type, torch.dtype)):
                dtype = value
            elif isinstance(value, (str, torch.device)):
                device = value
            else:
                raise TypeError(
                    f"For 'Cell.to', expected a device such as 'GPU:0' or a dtype, got {value!r}."
                )
        where = None if device is None else context.parse_device(device)
        kind = None if dtype is None else mstype.to_torch_dtype(dtype)
        for t in [*self.get_parameters(), *self.buffers()]:
            floating = kind if t._value.is_floating_point() else None
            t._value = t._value.detach().to(device=where, dtype=floating)
        runtime.epoch += 1
        return self

    def to_empty(self, *, device: Any = None, recurse: bool = True) -> Self:
        """Move parameters and buffers to a device without copying values. Returns the cell.

        Args:
            device (str): for example ``"CPU"`` or ``"GPU:0"``. Default: None, the context's.
            recurse (bool): whether descendants are included. Default: True.
        """
        where = context.torch_device() if device is None else context.parse_device(device)
        for t in [*self.get_parameters(recurse), *self.buffers(recurse)]:
            t._value = torch.empty_like(t._value, device=where)
        runtime.epoch += 1
        return self
