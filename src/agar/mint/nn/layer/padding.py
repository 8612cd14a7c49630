"""Padding layers with PyTorch's arguments."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.mint.nn import functional as F
from agar.nn.cell import Cell
from agar.ops._checks import integer, number

__all__ = [
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _Pad(Cell):
    """What the layers share: checked paddings, a pair for each of the last `count` dimensions."""

    count = 0
    mode = "constant"
    #: the least size of one number for all sides, and of one of several numbers
    least: tuple[int | None, int | None] = (None, None)

    def __init__(self, padding: Any) -> None:
        super().__init__()
        op_name, expected = self.cls_name, 2 * self.count
        if isinstance(padding, (tuple, list)):
            if len(padding) != expected:
                raise ValueError(
                    f"For '{op_name}', the length of parameter 'padding' with tuple type must "
                    f"equal to {expected}, but got {len(padding)}: {padding}."
                )
            self.padding = tuple(
                integer(op_name, f"padding[{i}]", n, self.least[1]) for i, n in enumerate(padding)
            )
        elif isinstance(padding, int):
            self.padding = (integer(op_name, "padding", padding, self.least[0]),) * expected
        else:
            raise ValueError(
                f"For '{op_name}', 'padding' must be integer or tuple/list of {expected} integers, "
                f"but got {padding!r}."
            )
        self.value: Any = None

    def construct(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode, self.value)


class _ConstantPad(_Pad):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = number(self.cls_name, "value", value)


class _ZeroPad(_Pad):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding)
        self.value = 0


class _ReflectionPad(_Pad):
    mode = "reflect"
    least = (1, 0)


class _ReplicationPad(_Pad):
    mode = "replicate"
    least = (1, 0)


class ConstantPad1d(_ConstantPad):
    """Pad the last dimension with a number.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or (left, right);
            negative ones crop.
        value (Union[int, float]): the number.

    Inputs:
        - **input** (Tensor) - any type, with at least the padded dimensions.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size or the value has the wrong type.
        ValueError: `padding` has another length, or crops more than there is.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ConstantPad1d((0, 1), 0.5)(ms.Tensor([[1.0, 2.0]])))
        [[1.  2.  0.5]]
    """

    count = 1


class ConstantPad2d(_ConstantPad):
    """Pad the last two dimensions with a number.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or (left, right, top,
            bottom); negative ones crop.
        value (Union[int, float]): the number.

    Inputs:
        - **input** (Tensor) - any type, with at least the padded dimensions.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size or the value has the wrong type.
        ValueError: `padding` has another length, or crops more than there is.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ConstantPad2d((0, 1, 0, 0), 0.5)(ms.ops.ones((1, 1, 2))).shape)
        (1, 1, 3)
    """

    count = 2


class ConstantPad3d(_ConstantPad):
    """Pad the last three dimensions with a number.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or (left, right, top,
            bottom, front, back); negative ones crop.
        value (Union[int, float]): the number.

    Inputs:
        - **input** (Tensor) - any type, with at least the padded dimensions.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size or the value has the wrong type.
        ValueError: `padding` has another length, or crops more than there is.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(
        ...     ms.mint.nn.ConstantPad3d((0, 1, 0, 0, 0, 0), 0.5)(ms.ops.ones((1, 1, 1, 2))).shape
        ... )
        (1, 1, 1, 3)
    """

    count = 3


class ZeroPad1d(_ZeroPad):
    """Pad the last dimension with zeros.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or (left, right);
            negative ones crop.

    Inputs:
        - **input** (Tensor) - any type, with at least the padded dimensions.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or crops more than there is.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ZeroPad1d((0, 1))(ms.Tensor([[1.0, 2.0]])))
        [[1. 2. 0.]]
    """

    count = 1


class ZeroPad2d(_ZeroPad):
    """Pad the last two dimensions with zeros.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or (left, right, top,
            bottom); negative ones crop.

    Inputs:
        - **input** (Tensor) - any type, with at least the padded dimensions.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or crops more than there is.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ZeroPad2d((0, 1, 0, 0))(ms.ops.ones((1, 1, 2))).shape)
        (1, 1, 3)
    """

    count = 2


class ZeroPad3d(_ZeroPad):
    """Pad the last three dimensions with zeros.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or (left, right, top,
            bottom, front, back); negative ones crop.

    Inputs:
        - **input** (Tensor) - any type, with at least the padded dimensions.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or crops more than there is.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ZeroPad3d((0, 1, 0, 0, 0, 0))(ms.ops.ones((1, 1, 1, 2))).shape)
        (1, 1, 1, 3)
    """

    count = 3


class ReflectionPad1d(_ReflectionPad):
    """Pad sequences by their mirror image, the border not repeated.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or
            (left, right).

    Inputs:
        - **input** (Tensor) - shape :math:`(C, L)` or :math:`(N, C, L)`.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or is negative (a single size: or zero), or a size
            is not smaller than the dimension.

    Difference from PyTorch: one size of 0 is refused.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ReflectionPad1d((1, 1))(ms.Tensor([[[1.0, 2.0, 3.0]]])))
        [[[2. 1. 2. 3. 2.]]]
    """

    count = 1


class ReflectionPad2d(_ReflectionPad):
    """Pad images by their mirror image, the border not repeated.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or
            (left, right, top, bottom).

    Inputs:
        - **input** (Tensor) - shape :math:`(C, H, W)` or :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or is negative (a single size: or zero), or a size
            is not smaller than the dimension.

    Difference from PyTorch: one size of 0 is refused.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ReflectionPad2d((1, 1, 0, 0))(ms.ops.ones((1, 1, 2, 3))).shape)
        (1, 1, 2, 5)
    """

    count = 2


class ReflectionPad3d(_ReflectionPad):
    """Pad volumes by their mirror image, the border not repeated.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or
            (left, right, top, bottom, front, back).

    Inputs:
        - **input** (Tensor) - shape :math:`(C, D, H, W)` or :math:`(N, C, D, H, W)`.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or is negative (a single size: or zero), or a size
            is not smaller than the dimension.

    Difference from PyTorch: one size of 0 is refused.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(
        ...     ms.mint.nn.ReflectionPad3d((1, 1, 0, 0, 0, 0))(ms.ops.ones((1, 1, 2, 2, 3))).shape
        ... )
        (1, 1, 2, 2, 5)
    """

    count = 3


class ReplicationPad1d(_ReplicationPad):
    """Pad sequences by repeating their border.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or
            (left, right).

    Inputs:
        - **input** (Tensor) - shape :math:`(C, L)` or :math:`(N, C, L)`.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or is negative (a single size: or zero).

    Difference from PyTorch: one size of 0 and negative sizes are refused.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ReplicationPad1d((1, 2))(ms.Tensor([[[1.0, 2.0]]])))
        [[[1. 1. 2. 2. 2.]]]
    """

    count = 1


class ReplicationPad2d(_ReplicationPad):
    """Pad images by repeating their border.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or
            (left, right, top, bottom).

    Inputs:
        - **input** (Tensor) - shape :math:`(C, H, W)` or :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or is negative (a single size: or zero).

    Difference from PyTorch: one size of 0 and negative sizes are refused.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ReplicationPad2d((1, 2, 0, 0))(ms.ops.ones((1, 1, 2, 2))).shape)
        (1, 1, 2, 5)
    """

    count = 2


class ReplicationPad3d(_ReplicationPad):
    """Pad volumes by repeating their border.

    Args:
        padding (Union[int, tuple[int], list[int]]): one size for all sides, or
            (left, right, top, bottom, front, back).

    Inputs:
        - **input** (Tensor) - shape :math:`(C, D, H, W)` or :math:`(N, C, D, H, W)`.

    Outputs: Tensor of the input's dtype, larger by the paddings.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: `padding` has another length, or is negative (a single size: or zero).

    Difference from PyTorch: one size of 0 and negative sizes are refused.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(
        ...     ms.mint.nn.ReplicationPad3d((1, 2, 0, 0, 0, 0))(ms.ops.ones((1, 1, 2, 2, 2))).shape
        ... )
        (1, 1, 2, 2, 5)
    """

    count = 3
