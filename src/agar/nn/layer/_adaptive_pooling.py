"""Pooling to a given output size."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import boolean, integer
from agar.ops.nn.pooling_adaptive import output_sizes

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
]


class AdaptiveAvgPool1d(Cell):
    r"""Adaptive average pooling of sequences: the mean of each of `output_size` windows.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (int): number of windows.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the means, of size `output_size`.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: a size is out of range, or the input has the wrong rank.

    Difference from PyTorch: none. (MindSpore 2.10 takes only divisors of L.)

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveAvgPool1d(2)(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[2. 6.]]]
    """

    def __init__(self, output_size: int) -> None:
        super().__init__()
        self.output_size = integer("AdaptiveAvgPool1d", "output_size", output_size, 1)

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Cell):
    r"""Adaptive average pooling of images: the mean of each of `output_size` windows.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the means, of size `output_size`.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: a size is out of range, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveAvgPool2d(1)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveAvgPool2d", output_size, 2)

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Cell):
    r"""Adaptive average pooling of volumes: the mean of each of `output_size` windows.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the means, of size `output_size`.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: a size is out of range, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveAvgPool3d((2, None, 1))(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 4, 1)
    """

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveAvgPool3d", output_size, 3)

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(Cell):
    r"""Adaptive max pooling of sequences: the maximum of each of `output_size` windows.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (int): number of windows.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the maxima, of size `output_size`.

    Raises:
        TypeError: a size has the wrong type.
        ValueError: a size is out of range, or the input has the wrong rank.

    Difference from PyTorch: none. (MindSpore 2.10 takes only divisors of L.)

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveMaxPool1d(2)(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[3. 7.]]]
    """

    def __init__(self, output_size: int) -> None:
        super().__init__()
        self.output_size = integer("AdaptiveMaxPool1d", "output_size", output_size, 1)

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_max_pool1d(input, self.output_size)


class AdaptiveMaxPool2d(Cell):
    r"""Adaptive max pooling of images: the maximum of each of `output_size` windows.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.
        return_indices (bool): whether the indices of the maxima are returned as well. Default:
            False.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the maxima, of size `output_size`; with `return_indices` a tuple of the
    maxima and their indices (int64).

    Raises:
        TypeError: a size has the wrong type.
        ValueError: a size is out of range, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveMaxPool2d(1)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveMaxPool2d", output_size, 2)
        self.return_indices = boolean("AdaptiveMaxPool2d", "return_indices", return_indices)

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(Cell):
    r"""Adaptive max pooling of volumes: the maximum of each of `output_size` windows.

    Window i of a dimension of size L reaches from :math:`\lfloor i L / out \rfloor` to
    :math:`\lceil (i + 1) L / out \rceil`.

    Args:
        output_size (Union[int, None, tuple]): sizes of the output, one for all dimensions or one
            for each; None keeps the input's.
        return_indices (bool): whether the indices of the maxima are returned as well. Default:
            False.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the maxima, of size `output_size`; with `return_indices` a tuple of the
    maxima and their indices (int32).

    Raises:
        TypeError: a size has the wrong type.
        ValueError: a size is out of range, or the input has the wrong rank.

    Difference from PyTorch: the indices are int32; in PyTorch, int64.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AdaptiveMaxPool3d((2, None, 1))(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 4, 1)
    """

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_sizes("AdaptiveMaxPool3d", output_size, 3)
        self.return_indices = boolean("AdaptiveMaxPool3d", "return_indices", return_indices)

    def construct(self, input: Tensor) -> Any:
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)
