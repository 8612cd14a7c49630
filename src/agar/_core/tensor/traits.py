"""What MindSpore's own code asks of a tensor: stored flags, and what has no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agar._core.errors import missing_feature
from agar._core.tensor.base import TensorBase

if TYPE_CHECKING:
    from typing_extensions import Self


__all__ = ["TensorTraits"]


class TensorTraits(TensorBase):
    """Traits of MindSpore's tensors; a base class of Tensor."""

    __slots__ = ()

    const_arg: bool = False
    param_info: Any = None
    # Read by MindSpore's own code; a tensor here is whole from the start, and a view of its base.
    delta_seed: int = 0
    index_of_parent_: Any = None
    init_finished: bool = True
    init_flag: bool = False
    parent_tensor_: Any = None
    symbolic_shape: Any = None
    virtual_flag: bool = False

    def is_init(self) -> bool:
        """Whether :meth:`set_init_flag` marked the tensor as initialized on a device."""
        return self.init_flag

    def set_init_flag(self, flag: bool) -> None:
        """Mark the tensor as initialized on a device; the mark has no effect.

        Args:
            flag (bool): the mark that :meth:`is_init` gives.
        """
        self.init_flag = bool(flag)

    def set_const_arg(self, const_arg: bool = True) -> Self:
        """Set whether compiled code may treat the values as constants. Returns the tensor.

        Args:
            const_arg (bool): whether it may. Default: True.

        Raises:
            TypeError: it is not a bool.
        """
        if not isinstance(const_arg, bool):
            raise TypeError(
                "For 'set_const_arg', the type of 'const_arg' should be 'bool', but got type "
                f"'{type(const_arg).__name__}'."
            )
        self.const_arg = const_arg
        return self

    def set_cast_dtype(self, dtype: Any = None) -> None:
        """Accepted for compatibility: cells choose the type to compute in (``Cell.to_float``).

        Args:
            dtype (Type): the type that MindSpore casts to. Default: None.
        """

    def set_param_info(self, param_info: Any) -> None:
        """Store an object as ``param_info``.

        Args:
            param_info: any object.
        """
        self.param_info = param_info

    def set_device_address(self, address: int, shape: Any, dtype: Any) -> None:
        """Not available: lie at an address of an Ascend chip's memory.

        Args:
            address (int): the address.
            shape (tuple[int]): the shape of what is there.
            dtype (Type): the type of what is there.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "Tensor.set_device_address",
            "it takes raw addresses of Ascend's memory",
            "use Tensor.set_(storage) or Tensor.from_dlpack(capsule)",
        )

    @staticmethod
    def getitem_index_info(*args: Any) -> Any:
        """Not available: how MindSpore's kernels would read an index.

        Args:
            args: the tensor and the index.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "Tensor.getitem_index_info",
            "it prepares an index for MindSpore's own kernels",
            "index the tensor: tensor[index]",
        )

    @staticmethod
    def setitem_index_info(*args: Any) -> Any:
        """Not available: how MindSpore's kernels would write to an index.

        Args:
            args: the tensor, the index and the value.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "Tensor.setitem_index_info",
            "it prepares an index for MindSpore's own kernels",
            "assign to the tensor: tensor[index] = value",
        )

    def requires_grad_(self, requires_grad: bool = True) -> None:
        """Accepted for compatibility: a tensor is differentiated by its position in ``ms.grad``.

        A Parameter has ``requires_grad``.

        Args:
            requires_grad (bool): not used. Default: True.
        """
