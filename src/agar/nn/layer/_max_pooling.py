"""Max pooling over windows, fractional windows, and its inverse."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer._pooling_base import _listed_window, _pads, _Pool
from agar.ops._checks import boolean, int_tuple, integer
from agar.ops.nn.pooling import (
    max_pool_layer,
    max_pool_same_layer,
)

__all__ = [
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool2dExt",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]


class _MaxPool(_Pool):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        dilation: Any,
        return_indices: bool,
        ceil_mode: bool,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, data_format)
        op_name = self.cls_name
        self._spread = int_tuple(op_name, "dilation", dilation, self.count)
        self.return_indices = boolean(op_name, "return_indices", return_indices)
        self.ceil_mode = boolean(op_name, "ceil_mode", ceil_mode)
        self._only_with_pad(
            padding=any(self._padding),
            dilation=any(d != 1 for d in self._spread),
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )
        if return_indices and self._channels_last:
            raise ValueError(
                f"For '{op_name}', indices are counted within planes: return_indices=True needs "
                "data_format='NCHW'."
            )

    def _pool(self, x: Any) -> Any:
        if self._same:
            return max_pool_same_layer(x, self._kernel, self._steps)
        return max_pool_layer(
            x,
            self._kernel,
            self._steps,
            self._padding,
            self._spread,
            self.ceil_mode,
            self.return_indices,
        )


class MaxPool1d(_MaxPool):
    r"""Max pooling of sequences.

    Args:
        kernel_size (int): size of the window. Default: 1.
        stride (int): stride of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), an odd
            element of padding at the end) or ``pad`` (with `padding`); case-insensitive. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel; in
            mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of a window; in mode
            ``pad``. Default: 1.
        return_indices (bool): whether the indices of the maxima are returned as well; in mode
            ``pad``. Default: False.
        ceil_mode (bool): whether incomplete windows at the end are included; in mode ``pad``.
            Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the maxima; with `return_indices` a tuple of the maxima and their indices
    (int64), counted within each channel.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has the wrong
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size default to 1; in PyTorch the stride defaults to
    the kernel size.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxPool1d(2, 2)(ms.Tensor([[[1.0, 3.0, 2.0, 5.0]]])))
        [[[3. 5.]]]
    """

    count = 1

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        integer("MaxPool1d", "kernel_size", kernel_size, 1)
        integer("MaxPool1d", "stride", stride, 1)
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            return_indices,
            ceil_mode,
        )
        front = (1, 1) if self.pad_mode == "PAD" else (1,)
        self.kernel_size = (*front, kernel_size)
        self.stride = (*front, stride)


class MaxPool2d(_MaxPool):
    r"""Max pooling of images.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): stride of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), an odd
            element of padding at the end) or ``pad`` (with `padding`); case-insensitive. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel; in
            mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of a window; in mode
            ``pad``. Default: 1.
        return_indices (bool): whether the indices of the maxima are returned as well; in mode
            ``pad``. Default: False.
        ceil_mode (bool): whether incomplete windows at the end are included; in mode ``pad``.
            Default: False.
        data_format (str): ``NCHW``, or ``NHWC`` for channels last. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a tuple of the maxima and their indices
    (int64), counted within each channel.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has the wrong
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size default to 1; in PyTorch the stride defaults to
    the kernel size.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxPool2d(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """

    count = 2

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            return_indices,
            ceil_mode,
            data_format,
        )


class MaxPool3d(_MaxPool):
    r"""Max pooling of volumes.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): stride of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), an odd
            element of padding at the end) or ``pad`` (with `padding`); case-insensitive. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel; in
            mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of a window; in mode
            ``pad``. Default: 1.
        return_indices (bool): whether the indices of the maxima are returned as well; in mode
            ``pad``. Default: False.
        ceil_mode (bool): whether incomplete windows at the end are included; in mode ``pad``.
            Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a tuple of the maxima and their indices
    (int64), counted within each channel.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has the wrong
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size default to 1; in PyTorch the stride defaults to
    the kernel size.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxPool3d(2, 2)(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 2, 2)
    """

    count = 3

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            return_indices,
            ceil_mode,
        )


class FractionalMaxPool2d(Cell):
    r"""Max pooling of images over random windows; see ``ops.fractional_max_pool2d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): size of the output as a fraction of the input's,
            in (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the indices of the maxima are returned as well. Default:
            False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape (N, C, 2). Default:
            None, drawn at every call.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a tuple of the maxima and their indices.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: neither or both of the sizes are given, or one is out of range.

    Difference from PyTorch: other random numbers.

    Source: Graham 2015, "Fractional Max-Pooling".

    Examples:
        >>> import agar as ms
        >>> pool = ms.nn.FractionalMaxPool2d(2, output_size=3)
        >>> pool(ms.ops.ones((1, 1, 7, 7))).shape
        (1, 1, 3, 3)
    """

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = boolean("FractionalMaxPool2d", "return_indices", return_indices)
        if (output_size is None) == (output_ratio is None):
            raise ValueError(
                "For 'FractionalMaxPool2d', one of 'output_size' and 'output_ratio' must be given, "
                f"but got output_size={output_size}, output_ratio={output_ratio}."
            )
        self._random_samples = _random_samples

    def construct(self, input: Tensor) -> Any:
        return ops.fractional_max_pool2d(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            self._random_samples,
        )


class FractionalMaxPool3d(Cell):
    r"""Max pooling of volumes over random windows; see ``ops.fractional_max_pool3d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): size of the output as a fraction of the input's,
            in (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the indices of the maxima are returned as well. Default:
            False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape (N, C, 3). Default:
            None, drawn at every call.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a tuple of the maxima and their indices.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: neither or both of the sizes are given, or one is out of range.

    Difference from PyTorch: other random numbers.

    Source: Graham 2015, "Fractional Max-Pooling".

    Examples:
        >>> import agar as ms
        >>> pool = ms.nn.FractionalMaxPool3d(2, output_size=3)
        >>> pool(ms.ops.ones((1, 1, 7, 7, 7))).shape
        (1, 1, 3, 3, 3)
    """

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = boolean("FractionalMaxPool3d", "return_indices", return_indices)
        if (output_size is None) == (output_ratio is None):
            raise ValueError(
                "For 'FractionalMaxPool3d', one of 'output_size' and 'output_ratio' must be given, "
                f"but got output_size={output_size}, output_ratio={output_ratio}."
            )
        self._random_samples = _random_samples

    def construct(self, input: Tensor) -> Any:
        return ops.fractional_max_pool3d(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            self._random_samples,
        )


class MaxUnpool1d(Cell):
    r"""Inverse of max pooling of sequences: each maximum returns to its index, the rest is zero.

    Args:
        kernel_size (int): size of the pooling window.
        stride (int): stride of the window. Default: None, the kernel size.
        padding (int): padding of the pooling. Default: 0.

    Inputs:
        - **x** (Tensor) - the maxima, shape :math:`(N, C, L)` or :math:`(C, L)`.
        - **indices** (Tensor) - their positions, integers of the same shape, counted within each
          row.
        - **output_size** (tuple[int], optional) - the shape of the result. Default: None, which
          computes it from the window.

    Outputs: Tensor with the maxima at their indices.

    Raises:
        TypeError: the indices are not integers.
        ValueError: a rank or shape is wrong, or an input of `output_size` is not pooled to this
            shape.
        RuntimeError: an index is out of range.

    Difference from PyTorch: none.

    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxUnpool1d(2)(ms.Tensor([[[5.0, 7.0]]]), ms.Tensor([[[1, 2]]])))
        [[[0. 5. 7. 0.]]]
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        return ops.max_unpool1d(
            x, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool2d(Cell):
    r"""Inverse of max pooling of images: each maximum returns to its index, the rest is zero.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the pooling window.
        stride (Union[int, tuple[int]]): stride of the window. Default: None, the kernel size.
        padding (Union[int, tuple[int]]): padding of the pooling. Default: 0.

    Inputs:
        - **x** (Tensor) - the maxima, shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        - **indices** (Tensor) - their positions, integers of the same shape, counted within each
          plane.
        - **output_size** (tuple[int], optional) - the shape of the result. Default: None, which
          computes it from the window.

    Outputs: Tensor with the maxima at their indices.

    Raises:
        TypeError: the indices are not integers.
        ValueError: a rank or shape is wrong, or an input of `output_size` is not pooled to this
            shape.
        RuntimeError: an index is out of range.

    Difference from PyTorch: none.

    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxUnpool2d(2)(ms.Tensor([[[[5.0]]]]), ms.Tensor([[[[2]]]])).shape)
        (1, 1, 2, 2)
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        return ops.max_unpool2d(
            x, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool3d(Cell):
    r"""Inverse of max pooling of volumes: each maximum returns to its index, the rest is zero.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the pooling window.
        stride (Union[int, tuple[int]]): stride of the window. Default: None, the kernel size.
        padding (Union[int, tuple[int]]): padding of the pooling. Default: 0.

    Inputs:
        - **x** (Tensor) - the maxima, shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        - **indices** (Tensor) - their positions, integers of the same shape, counted within each
          volume.
        - **output_size** (tuple[int], optional) - the shape of the result. Default: None, which
          computes it from the window.

    Outputs: Tensor with the maxima at their indices.

    Raises:
        TypeError: the indices are not integers.
        ValueError: a rank or shape is wrong, or an input of `output_size` is not pooled to this
            shape.
        RuntimeError: an index is out of range.

    Difference from PyTorch: none.

    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MaxUnpool3d(2)(ms.Tensor([[[[[5.0]]]]]), ms.Tensor([[[[[2]]]]])).shape)
        (1, 1, 2, 2, 2)
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        return ops.max_unpool3d(
            x, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxPool2dExt(Cell):
    r"""Max pooling of images, with PyTorch's arguments; see ``nn.MaxPool2d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int], list[int]]): stride of the window. Default: None, the kernel
            size.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel.
            Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of a window. Default: 1.
        return_indices (bool): whether the indices of the maxima are returned as well. Default:
            False.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the maxima; with `return_indices` a tuple of the maxima and their indices
    (int64).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.MaxPool2dExt(2)(ms.ops.ones((1, 1, 4, 4))).shape
        (1, 1, 2, 2)
    """

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        op_name = "MaxPool2dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding, dilation
        self._kernel = _listed_window(op_name, "kernel_size", kernel_size, 2)
        self._steps = (
            self._kernel if stride is None else _listed_window(op_name, "stride", stride, 2)
        )
        self._padding = _pads(op_name, padding, 2)
        self._spread = int_tuple(op_name, "dilation", dilation, 2)
        self.return_indices = boolean(op_name, "return_indices", return_indices)
        self.ceil_mode = boolean(op_name, "ceil_mode", ceil_mode)

    def construct(self, input: Tensor) -> Any:
        return max_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._padding,
            self._spread,
            self.ceil_mode,
            self.return_indices,
        )
