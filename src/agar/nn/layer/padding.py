"""Padding layers."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
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
    "ZeroPad2d",
]


def _flat(op_name: str, padding: Any, count: int) -> tuple[int, ...]:
    """Paddings of the last `count` dimensions, the last one first."""
    if type(padding) is bool or not isinstance(padding, (int, tuple)):
        raise TypeError(
            f"For '{op_name}', the type of parameter 'padding' must be an integer or tuple, but "
            f"got {type(padding).__name__}."
        )
    if isinstance(padding, int):
        return (padding,) * (2 * count)
    if len(padding) % 2:
        raise ValueError(
            f"For '{op_name}', the length of parameter 'padding' with tuple type must be divisible "
            f"by (a multiple of) 2, but got {len(padding)}: {padding}."
        )
    if len(padding) > 2 * count:
        raise ValueError(
            f"For '{op_name}', the length of parameter 'padding' must be at most {2 * count}, but "
            f"got {len(padding)}: {padding}."
        )
    return tuple(integer(op_name, "padding", n) for n in padding)


class _ConstantPad(Cell):
    count = 0

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__()
        self.padding = _flat(self.cls_name, padding, self.count)
        self.value = number(self.cls_name, "value", value)

    def construct(self, x: Tensor) -> Tensor:
        return ops.pad(x, self.padding, "constant", self.value)


class _ReflectionPad(Cell):
    count = 0

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _flat(self.cls_name, padding, self.count)
        if min(self.padding) < 0:
            raise ValueError(
                f"For '{self.cls_name}' every element in 'padding' must be >= 0, but got "
                f"{self.padding}."
            )

    def construct(self, x: Tensor) -> Tensor:
        return ops.pad(x, self.padding, "reflect")


class _ReplicationPad(Cell):
    count = 0

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _flat(self.cls_name, padding, self.count)

    def construct(self, x: Tensor) -> Tensor:
        return ops.pad(x, self.padding, "replicate")


class ConstantPad1d(_ConstantPad):
    r"""Pad sequences with a constant.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right);
            negative numbers crop.
        value (Union[int, float]): the constant.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `padding` is of odd length or too long, or leaves no elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ConstantPad1d((1, 2), 5.0)(ms.Tensor([[[1.0, 2.0]]])))
        [[[5. 1. 2. 5. 5.]]]
    """

    count = 1


class ConstantPad2d(_ConstantPad):
    r"""Pad images with a constant.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right, top,
            bottom); negative numbers crop.
        value (Union[int, float]): the constant.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `padding` is of odd length or too long, or leaves no elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ConstantPad2d(1, 5.0)(ms.ops.ones((1, 1, 2, 2))).shape)
        (1, 1, 4, 4)
    """

    count = 2


class ConstantPad3d(_ConstantPad):
    r"""Pad volumes with a constant.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right, top,
            bottom, front, back); negative numbers crop.
        value (Union[int, float]): the constant.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `padding` is of odd length or too long, or leaves no elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ConstantPad3d(1, 5.0)(ms.ops.ones((1, 1, 2, 2, 2))).shape)
        (1, 1, 4, 4, 4)
    """

    count = 3


class ZeroPad2d(_ConstantPad):
    r"""Pad images with zeros.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right, top,
            bottom); negative numbers crop.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `padding` has the wrong type.
        ValueError: `padding` is of odd length or too long, or leaves no elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ZeroPad2d((1, 0, 0, 1))(ms.Tensor([[[[1.0]]]])))
        [[[[0. 1.]
           [0. 0.]]]]
    """

    count = 2

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0)


class ReflectionPad1d(_ReflectionPad):
    r"""Pad sequences by reflection, without repeating the border element.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right); not
            negative, and less than the input's size.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `padding` has the wrong type.
        ValueError: `padding` is of odd length, too long, negative or too large.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReflectionPad1d(1)(ms.Tensor([[[1.0, 2.0, 3.0]]])))
        [[[2. 1. 2. 3. 2.]]]
    """

    count = 1


class ReflectionPad2d(_ReflectionPad):
    r"""Pad images by reflection, without repeating the border element.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right, top,
            bottom); not negative, and less than the input's size.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `padding` has the wrong type.
        ValueError: `padding` is of odd length, too long, negative or too large.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReflectionPad2d(1)(ms.ops.ones((1, 1, 2, 2))).shape)
        (1, 1, 4, 4)
    """

    count = 2


class ReflectionPad3d(_ReflectionPad):
    r"""Pad volumes by reflection, without repeating the border element.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right, top,
            bottom, front, back); not negative, and less than the input's size.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `padding` has the wrong type.
        ValueError: `padding` is of odd length, too long, negative or too large.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReflectionPad3d(1)(ms.ops.ones((1, 1, 2, 2, 2))).shape)
        (1, 1, 4, 4, 4)
    """

    count = 3


class ReplicationPad1d(_ReplicationPad):
    r"""Pad sequences by repeating their border elements.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right);
            negative numbers crop.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `padding` has the wrong type.
        ValueError: `padding` is of odd length or too long, or leaves no elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReplicationPad1d(1)(ms.Tensor([[[1.0, 2.0, 3.0]]])))
        [[[1. 1. 2. 3. 3.]]]
    """

    count = 1


class ReplicationPad2d(_ReplicationPad):
    r"""Pad images by repeating their border elements.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right, top,
            bottom); negative numbers crop.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `padding` has the wrong type.
        ValueError: `padding` is of odd length or too long, or leaves no elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReplicationPad2d(1)(ms.ops.ones((1, 1, 2, 2))).shape)
        (1, 1, 4, 4)
    """

    count = 2


class ReplicationPad3d(_ReplicationPad):
    r"""Pad volumes by repeating their border elements.

    Args:
        padding (Union[int, tuple[int]]): how much to pad, on every side or as (left, right, top,
            bottom, front, back); negative numbers crop.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)`, or with other leading dimensions.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: `padding` has the wrong type.
        ValueError: `padding` is of odd length or too long, or leaves no elements.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReplicationPad3d(1)(ms.ops.ones((1, 1, 2, 2, 2))).shape)
        (1, 1, 4, 4, 4)
    """

    count = 3
