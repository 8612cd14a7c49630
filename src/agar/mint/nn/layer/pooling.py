"""Pooling layers with PyTorch's arguments."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.mint.nn import functional as F
from agar.nn.cell import Cell
from agar.nn.layer import pooling as nn_pooling
from agar.ops._checks import boolean, integer

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "MaxUnpool2d",
]


class AdaptiveAvgPool1d(nn_pooling.AdaptiveAvgPool1d):
    r"""Adaptive average pooling of sequences: the mean of each of `output_size` windows.

    Args:
        output_size (int): number of windows.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of shape :math:`(N, C, output\_size)` or without N.

    Raises:
        TypeError: `output_size` is not an int.
        ValueError: it is not positive, or the input has the wrong rank.

    Difference from PyTorch: `output_size` is not a tuple.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.AdaptiveAvgPool1d(1)(ms.Tensor([[[1.0, 3.0]]])))
        [[[2.]]]
    """

    def extend_repr(self) -> str:
        """The options."""
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2d(nn_pooling.AdaptiveAvgPool2d):
    """Adaptive average pooling of images: the mean of each of `output_size` windows.

    Args:
        output_size (Union[int, tuple[int]]): numbers of windows (height, width); None keeps the
            input's size.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of that size.

    Raises:
        TypeError: a size is not an int.
        ValueError: there are not two sizes, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.AdaptiveAvgPool2d((None, 1))(ms.Tensor([[[1.0, 3.0], [5.0, 9.0]]])))
        [[[2.]
          [7.]]]
    """

    def __init__(self, output_size: Any) -> None:
        super().__init__(output_size)
        self._shown = output_size

    def extend_repr(self) -> str:
        """The options."""
        return f"output_size={self._shown}"


class AdaptiveAvgPool3d(nn_pooling.AdaptiveAvgPool3d):
    """Adaptive average pooling of volumes: the mean of each of `output_size` windows.

    Args:
        output_size (Union[int, tuple[int]]): numbers of windows (depth, height, width); None keeps
            the input's size.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of that size.

    Raises:
        TypeError: a size is not an int.
        ValueError: there are not three sizes, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.AdaptiveAvgPool3d((None, 1, 2))(ms.ops.ones((1, 1, 4, 4, 4))).shape
        (1, 1, 4, 1, 2)
    """


class AdaptiveMaxPool1d(Cell):
    """Adaptive max pooling of sequences: the maximum of each of `output_size` windows.

    Args:
        output_size (Union[int, tuple[int]]): number of windows.
        return_indices (bool): whether the indices of the maxima are returned as well. Default:
            False.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the maxima; with `return_indices` a tuple of the maxima and their indices
    (int64).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `output_size` is not positive, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.AdaptiveMaxPool1d(2)(ms.Tensor([[[1.0, 3.0, 2.0, 0.0]]])))
        [[[3. 2.]]]
    """

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        single = isinstance(output_size, (tuple, list)) and len(output_size) == 1
        integer("AdaptiveMaxPool1d", "output_size", output_size[0] if single else output_size, 1)
        self.output_size = output_size
        self.return_indices = boolean("AdaptiveMaxPool1d", "return_indices", return_indices)

    def construct(self, input: Tensor) -> Any:
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)

    def extend_repr(self) -> str:
        """The options."""
        return f"output_size={self.output_size}, return_indices={self.return_indices}"


class MaxUnpool2d(Cell):
    """Inverse of ``MaxPool2d``: each maximum returns to its index, the rest is zero.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): stride of the window. Default: None, the kernel size.
        padding (Union[int, tuple[int]]): padding of the pooling. Default: 0.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        - **indices** (Tensor) - int32 or int64, indices within each plane of the output.
        - **output_size** (tuple[int]) - size of the output. Default: None, computed from the
          window.

    Outputs: Tensor.

    Raises:
        ValueError: shapes or sizes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x, places = ms.Tensor([[[[5.0]]]]), ms.Tensor([[[[2]]]])
        >>> print(ms.mint.nn.MaxUnpool2d(2)(x, places))
        [[[[0. 0.]
           [5. 0.]]]]
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        return F.max_unpool2d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )
