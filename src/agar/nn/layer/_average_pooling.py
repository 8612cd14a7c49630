"""Average and power-average pooling over windows."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer._pooling_base import _listed_window, _pads, _Pool
from agar.ops._checks import boolean, integer, number
from agar.ops.nn.pooling import (
    avg_pool_layer,
    avg_pool_same_layer,
)

__all__ = [
    "AvgPool1d",
    "AvgPool1dExt",
    "AvgPool2d",
    "AvgPool2dExt",
    "AvgPool3d",
    "AvgPool3dExt",
    "LPPool1d",
    "LPPool2d",
]


class _AvgPool(_Pool):
    def __init__(
        self,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, data_format)
        op_name = self.cls_name
        self.ceil_mode = boolean(op_name, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(op_name, "count_include_pad", count_include_pad)
        self.divisor_override = divisor_override
        if (
            divisor_override is not None
            and integer(op_name, "divisor_override", divisor_override) < 1
        ):
            raise ValueError(
                f"For '{op_name}', the 'divisor_override' must be > 0, but got {divisor_override}."
            )
        if self.pad_mode != "PAD" and any(self._padding):
            raise ValueError(
                f"For '{op_name}', the 'padding' must be zero when 'pad_mode' is not \"PAD\", but "
                f"got padding {padding} and pad_mode {pad_mode!r}; pass pad_mode='pad'."
            )
        self._pairs = tuple((p, p) for p in self._padding)
        # only the mean over volumes counts the padding of mode ``same``
        self._count_same = count_include_pad and self.count == 3

    def _pool(self, x: Any) -> Any:
        if self._same:
            return avg_pool_same_layer(
                x, self._kernel, self._steps, self._count_same, self.divisor_override
            )
        return avg_pool_layer(
            x,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool1d(_AvgPool):
    r"""Average pooling of sequences.

    In mode ``same`` the divisor counts the elements of the input only.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): stride of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), an odd
            element of padding at the end) or ``pad`` (with `padding`); case-insensitive. Default:
            ``"valid"``.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides, at most half the kernel;
            in mode ``pad``. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has the wrong
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size default to 1; in PyTorch the stride defaults to
    the kernel size.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AvgPool1d(2)(ms.Tensor([[[1.0, 3.0, 5.0]]])))
        [[[2. 4.]]]
    """

    count = 1

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            ceil_mode,
            count_include_pad,
            None,
        )
        if self.pad_mode != "PAD":
            self.kernel_size = (1, *self._kernel)
            self.stride = (1, *self._steps)


class AvgPool2d(_AvgPool):
    r"""Average pooling of images.

    In mode ``same`` the divisor counts the elements of the input only.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): stride of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), an odd
            element of padding at the end) or ``pad`` (with `padding`); case-insensitive. Default:
            ``"valid"``.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides, at most half the kernel;
            in mode ``pad``. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.
        data_format (str): ``NCHW``, or ``NHWC`` for channels last. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has the wrong
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size default to 1; in PyTorch the stride defaults to
    the kernel size.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AvgPool2d(2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    count = 2

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            ceil_mode,
            count_include_pad,
            divisor_override,
            data_format,
        )


class AvgPool3d(_AvgPool):
    r"""Average pooling of volumes.

    In mode ``same`` the divisor counts the padding as well, unless `count_include_pad` is False.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): stride of the window. Default: 1.
        pad_mode (str): ``valid`` (no padding), ``same`` (output size ceil(in / stride), an odd
            element of padding at the end) or ``pad`` (with `padding`); case-insensitive. Default:
            ``"valid"``.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides, at most half the kernel;
            in mode ``pad``. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or needs mode ``pad``; or the input has the wrong
            rank or is smaller than the window.

    Difference from PyTorch: stride and kernel size default to 1; in PyTorch the stride defaults to
    the kernel size.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.AvgPool3d(2, 2)(ms.ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 1, 2, 2, 2)
    """

    count = 3

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(
            kernel_size,
            stride,
            pad_mode,
            padding,
            ceil_mode,
            count_include_pad,
            divisor_override,
        )


class LPPool1d(Cell):
    r"""Power pooling of sequences: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (int): size of the window.
        stride (int): stride of the window. Default: None, the kernel size.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the power sums.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `norm_type` is 0, or the input has the wrong rank or is smaller than the window.

    Difference from PyTorch: none.

    Source: Boureau et al. 2010, "A Theoretical Analysis of Feature Pooling in Visual Recognition".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LPPool1d(2, 2)(ms.Tensor([[[3.0, 4.0]]])))
        [[[5.]]]
    """

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = number("LPPool1d", "norm_type", norm_type)
        if norm_type == 0:
            raise ValueError("For 'LPPool1d', 'norm_type' must not be 0.")
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = boolean("LPPool1d", "ceil_mode", ceil_mode)

    def construct(self, x: Tensor) -> Any:
        return ops.lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(Cell):
    r"""Power pooling of images: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): stride of the window. Default: None, the kernel size.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the power sums.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `norm_type` is 0, or the input has the wrong rank or is smaller than the window.

    Difference from PyTorch: none.

    Source: Boureau et al. 2010, "A Theoretical Analysis of Feature Pooling in Visual Recognition".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LPPool2d(2, (1, 2))(ms.Tensor([[[[3.0, 4.0]]]])))
        [[[[5.]]]]
    """

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = number("LPPool2d", "norm_type", norm_type)
        if norm_type == 0:
            raise ValueError("For 'LPPool2d', 'norm_type' must not be 0.")
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = boolean("LPPool2d", "ceil_mode", ceil_mode)

    def construct(self, x: Tensor) -> Any:
        return ops.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class AvgPool1dExt(Cell):
    r"""Average pooling of sequences, with PyTorch's arguments; see ``nn.AvgPool1d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window.
        stride (Union[int, tuple[int], list[int]]): stride of the window. Default: None, the kernel
            size.
        padding (Union[int, tuple[int]]): zeros on both sides, at most half the kernel. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, L)` or :math:`(C, L)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.AvgPool1dExt(2)(ms.ops.ones((1, 1, 4))).shape
        (1, 1, 2)
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        op_name = "AvgPool1dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding
        self._kernel = _listed_window(op_name, "kernel_size", kernel_size, 1)
        self._steps = (
            self._kernel if stride is None else _listed_window(op_name, "stride", stride, 1)
        )
        self._pairs = tuple((p, p) for p in _pads(op_name, padding, 1))
        self.ceil_mode = boolean(op_name, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(op_name, "count_include_pad", count_include_pad)
        self.divisor_override = None

    def construct(self, input: Tensor) -> Any:
        return avg_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool2dExt(Cell):
    r"""Average pooling of images, with PyTorch's arguments; see ``nn.AvgPool2d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window.
        stride (Union[int, tuple[int], list[int]]): stride of the window. Default: None, the kernel
            size.
        padding (Union[int, tuple[int]]): zeros on both sides, at most half the kernel. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.AvgPool2dExt(2)(ms.ops.ones((1, 1, 4, 4))).shape
        (1, 1, 2, 2)
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        op_name = "AvgPool2dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding
        self._kernel = _listed_window(op_name, "kernel_size", kernel_size, 2)
        self._steps = (
            self._kernel if stride is None else _listed_window(op_name, "stride", stride, 2)
        )
        self._pairs = tuple((p, p) for p in _pads(op_name, padding, 2))
        self.ceil_mode = boolean(op_name, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(op_name, "count_include_pad", count_include_pad)
        self.divisor_override = divisor_override

    def construct(self, input: Tensor) -> Any:
        return avg_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3dExt(Cell):
    r"""Average pooling of volumes, with PyTorch's arguments; see ``nn.AvgPool3d``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of the window.
        stride (Union[int, tuple[int], list[int]]): stride of the window. Default: None, the kernel
            size.
        padding (Union[int, tuple[int]]): zeros on both sides, at most half the kernel. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end are included. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs: Tensor of the means.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.AvgPool3dExt(2)(ms.ops.ones((1, 1, 4, 4, 4))).shape
        (1, 1, 2, 2, 2)
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        op_name = "AvgPool3dExt"
        self._given = kernel_size, kernel_size if stride is None else stride, padding
        self._kernel = _listed_window(op_name, "kernel_size", kernel_size, 3)
        self._steps = (
            self._kernel if stride is None else _listed_window(op_name, "stride", stride, 3)
        )
        self._pairs = tuple((p, p) for p in _pads(op_name, padding, 3))
        self.ceil_mode = boolean(op_name, "ceil_mode", ceil_mode)
        self.count_include_pad = boolean(op_name, "count_include_pad", count_include_pad)
        self.divisor_override = divisor_override

    def construct(self, input: Tensor) -> Any:
        return avg_pool_layer(
            input,
            self._kernel,
            self._steps,
            self._pairs,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )
