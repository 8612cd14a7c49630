"""Softmax, its logarithm, its negative and its variant over channels."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops import (
    log_softmax,
    softmax,
    softmin,
)
from agar.ops._checks import integer
from agar.ops.nn.softmax import softmax_layer

__all__ = ["LogSoftmax", "LogSoftmaxExt", "Softmax", "Softmax2d", "Softmin"]


class Softmax(Cell):
    r"""Softmax along an axis: :math:`out_i = e^{x_i} / \sum_j e^{x_j}`.

    Args:
        axis (Union[int, tuple[int]]): the axis whose elements sum to one; a tuple of axes is
            treated as one axis. Default: -1.

    Inputs:
        - **x** (Tensor) - floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `axis` is neither int nor tuple, or the input is not a floating-point Tensor.
        ValueError: the axis is out of range.

    Difference from PyTorch: `axis` is -1 by default, there `dim` has no default.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softmax()(ms.Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, axis: Any = -1) -> None:
        super().__init__()
        if type(axis) is bool or not isinstance(axis, (int, tuple)):
            raise TypeError(
                "For 'Softmax', the type of 'axis' should be one of '[int, tuple of int]', but got "
                f"{type(axis).__name__}."
            )
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return softmax_layer(x, self.axis)


class LogSoftmax(Cell):
    r"""Logarithm of the softmax along an axis: :math:`out_i = x_i - \ln \sum_j e^{x_j}`.

    Args:
        axis (int): the axis. Default: -1.

    Inputs:
        - **x** (Tensor) - floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `axis` is not an int, or the input is not a floating-point Tensor.
        ValueError: the axis is out of range.

    Difference from PyTorch: `axis` is -1 by default, there `dim` has no default.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LogSoftmax()(ms.Tensor([1.0, 1.0])))
        [-0.6931472 -0.6931472]
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = integer("LogSoftmax", "axis", axis)

    def construct(self, x: Tensor) -> Tensor:
        return log_softmax(x, self.axis)


def _implied_dim(rank: int) -> int:
    return 0 if rank in (0, 1, 3) else 1


class LogSoftmaxExt(Cell):
    r"""Logarithm of the softmax, with PyTorch's argument name; see ``nn.LogSoftmax``.

    Args:
        dim (int): the dimension. Default: None: 0 for inputs of rank 1 or 3, otherwise 1.

    Inputs:
        - **x** (Tensor) - floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `dim` is not an int, or the input is not a floating-point Tensor.
        ValueError: the dimension is out of range.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LogSoftmaxExt()(ms.Tensor([1.0, 1.0])))
        [-0.6931472 -0.6931472]
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = None if dim is None else integer("LogSoftmaxExt", "dim", dim)

    def construct(self, x: Tensor) -> Tensor:
        return log_softmax(x, _implied_dim(x.ndim) if self.dim is None else self.dim)


class Softmin(Cell):
    r"""Softmax of the negated input: :math:`out_i = e^{-x_i} / \sum_j e^{-x_j}`.

    Args:
        axis (int): the axis whose elements sum to one. Default: -1.

    Inputs:
        - **x** (Tensor) - floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `axis` is not an int, or the input is not a floating-point Tensor.
        ValueError: the axis is out of range.

    Difference from PyTorch: `axis` is -1 by default, there `dim` has no default.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softmin()(ms.Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = integer("Softmin", "axis", axis)

    def construct(self, x: Tensor) -> Tensor:
        return softmin(x, self.axis)


class Softmax2d(Cell):
    r"""Softmax over the channels of images.

    Inputs:
        - **x** (Tensor) - floating point, shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the channels at every position sum to one.

    Raises:
        ValueError: the input's rank is neither 3 nor 4.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softmax2d()(ms.ops.ones((2, 1, 1))).reshape(2))
        [0.5 0.5]
    """

    def construct(self, x: Tensor) -> Tensor:
        if x.ndim not in (3, 4):
            raise ValueError(
                f"For 'Softmax2d', the in_shape must have 3 or 4 dims, but got {x.ndim} (shape "
                f"{x.shape})."
            )
        return softmax(x, -3)
