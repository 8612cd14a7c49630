"""Convolution layers with PyTorch's arguments."""

from __future__ import annotations

import math
from typing import Any

from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import HeUniform, Uniform, initializer
from agar.mint.nn import functional as F
from agar.nn.cell import Cell
from agar.ops._checks import boolean, choice, int_tuple, integer

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d"]


def _sizes(op_name: str, name: str, value: Any, count: int, least: int = 1) -> tuple[int, ...]:
    """An int for every dimension, or a tuple or list of one or `count` ints."""
    if isinstance(value, (tuple, list)) and len(value) == 1:
        value = value[0]
    return int_tuple(op_name, name, value, count, least)


class _Conv(Cell):
    """What the layers share: checked options, and the parameters."""

    def __init__(
        self,
        count: int,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        dtype: Any,
        *,
        transposed: bool = False,
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.in_channels = integer(op_name, "in_channels", in_channels, 1)
        self.out_channels = integer(op_name, "out_channels", out_channels, 1)
        self.groups = integer(op_name, "groups", groups, 1)
        if in_channels % groups or out_channels % groups:
            raise ValueError(
                f"For '{op_name}', in_channels and out_channels must be divisible by groups, but "
                f"got in_channels {in_channels}, out_channels {out_channels}, groups {groups}."
            )
        self.kernel_size = _sizes(op_name, "kernel_size", kernel_size, count)
        self.stride = _sizes(op_name, "stride", stride, count)
        self.dilation = _sizes(op_name, "dilation", dilation, count)
        self.padding = self._checked_padding(padding, count)
        modes = ("zeros",) if transposed else ("zeros", "reflect", "replicate", "circular")
        self.padding_mode = choice(op_name, "padding_mode", padding_mode, modes)
        self.transposed = transposed
        first, second = (
            (in_channels, out_channels // groups)
            if transposed
            else (out_channels, in_channels // groups)
        )
        kind = dtype or mstype.float32
        shape = (first, second, *self.kernel_size)
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)), shape, kind), name="weight")
        self.bias: Parameter | None = None
        if boolean(op_name, "bias", bias):
            bound = 1 / math.sqrt(second * math.prod(self.kernel_size))
            self.bias = Parameter(initializer(Uniform(bound), (out_channels,), kind), name="bias")

    def _checked_padding(self, padding: Any, count: int) -> Any:
        op_name = self.cls_name
        if not isinstance(padding, str):
            return _sizes(op_name, "padding", padding, count, 0)
        choice(op_name, "padding", padding, ("same", "valid"))
        if padding == "same" and any(s != 1 for s in self.stride):
            raise ValueError(
                f"For '{op_name}', padding='same' is not supported for strided convolutions, but "
                f"got stride {self.stride}."
            )
        return padding

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, groups={self.groups}, bias={self.bias is not None}"
        )


class _Forward(_Conv):
    """Convolutions that pad with zeros, or with a part of the input before."""

    def __init__(self, count: int, function: str, *options: Any) -> None:
        super().__init__(count, *options)
        self._function = function
        self._border: tuple[int, ...] = ()
        if self.padding_mode == "zeros":
            self._inner: Any = self.padding
        else:
            self._inner = 0
            self._border = self._sides()

    def _sides(self) -> tuple[int, ...]:
        """Padding of every side, the last dimension first."""
        if self.padding == "valid":
            return ()
        if self.padding == "same":
            totals = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
            pairs = [(total // 2, total - total // 2) for total in totals]
        else:
            pairs = [(p, p) for p in self.padding]
        return tuple(n for pair in reversed(pairs) for n in pair)

    def construct(self, input: Tensor) -> Tensor:
        if self._border:
            input = F.pad(input, self._border, self.padding_mode)
        return getattr(F, self._function)(
            input,
            self.weight,
            self.bias,
            self.stride,
            self._inner,
            self.dilation,
            self.groups,
        )


class Conv1d(_Forward):
    r"""Convolution over sequences.

    .. math:: out(n, o) = bias(o) + \sum_{c} weight(o, c) \star input(n, c)

    :math:`\star` is the cross-correlation. Weight and bias are drawn from
    :math:`U(-b, b)` with :math:`b = 1 / \sqrt{C_{in} K / groups}`.

    Args:
        in_channels (int): channels of the input :math:`C_{in}`.
        out_channels (int): channels of the output :math:`C_{out}`.
        kernel_size (Union[int, tuple[int], list[int]]): size of the kernel K.
        stride (Union[int, tuple[int], list[int]]): stride of the window. Default: 1.
        padding (Union[int, tuple[int], list[int], str]): padding on both sides; ``"valid"`` means
            none, ``"same"`` keeps the length (with stride 1). Default: 0.
        dilation (Union[int, tuple[int], list[int]]): spacing between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.
        bias (bool): whether the layer has a bias. Default: True.
        padding_mode (str): how to pad: ``zeros``, ``reflect``, ``replicate`` or ``circular``.
            Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C_{in}, L)` or :math:`(C_{in}, L)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, L_{out})` or without N.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.
        RuntimeError: the input has another number of channels.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.Conv1d(3, 4, 2)(ms.ops.ones((1, 3, 8))).shape
        (1, 4, 7)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ) -> None:
        super().__init__(
            1,
            "conv1d",
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            dtype,
        )


class Conv2d(_Forward):
    r"""Convolution over images.

    .. math:: out(n, o) = bias(o) + \sum_{c} weight(o, c) \star input(n, c)

    :math:`\star` is the cross-correlation. Weight and bias are drawn from
    :math:`U(-b, b)` with :math:`b = 1 / \sqrt{C_{in} K_h K_w / groups}`.

    Args:
        in_channels (int): channels of the input :math:`C_{in}`.
        out_channels (int): channels of the output :math:`C_{out}`.
        kernel_size (Union[int, tuple[int], list[int]]): size of the kernel
            :math:`(K_h, K_w)`.
        stride (Union[int, tuple[int], list[int]]): stride of the window. Default: 1.
        padding (Union[int, tuple[int], list[int], str]): padding on both sides; ``"valid"`` means
            none, ``"same"`` keeps the size (with stride 1). Default: 0.
        dilation (Union[int, tuple[int], list[int]]): spacing between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.
        bias (bool): whether the layer has a bias. Default: True.
        padding_mode (str): how to pad: ``zeros``, ``reflect``, ``replicate`` or ``circular``.
            Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C_{in}, H, W)` or :math:`(C_{in}, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})` or without N.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.
        RuntimeError: the input has another number of channels.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.Conv2d(3, 4, 3, padding=1)(ms.ops.ones((1, 3, 8, 8))).shape
        (1, 4, 8, 8)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ) -> None:
        super().__init__(
            2,
            "conv2d",
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            dtype,
        )


class Conv3d(_Forward):
    r"""Convolution over volumes.

    .. math:: out(n, o) = bias(o) + \sum_{c} weight(o, c) \star input(n, c)

    :math:`\star` is the cross-correlation. Weight and bias are drawn from
    :math:`U(-b, b)` with :math:`b = 1 / \sqrt{C_{in} K_d K_h K_w / groups}`.

    Args:
        in_channels (int): channels of the input :math:`C_{in}`.
        out_channels (int): channels of the output :math:`C_{out}`.
        kernel_size (Union[int, tuple[int], list[int]]): size of the kernel
            :math:`(K_d, K_h, K_w)`.
        stride (Union[int, tuple[int], list[int]]): stride of the window. Default: 1.
        padding (Union[int, tuple[int], list[int], str]): padding on both sides; ``"valid"`` means
            none, ``"same"`` keeps the size (with stride 1). Default: 0.
        dilation (Union[int, tuple[int], list[int]]): spacing between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.
        bias (bool): whether the layer has a bias. Default: True.
        padding_mode (str): how to pad: ``zeros``, ``reflect``, ``replicate`` or ``circular``.
            Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C_{in}, D, H, W)` or :math:`(C_{in}, D, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})` or without N.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.
        RuntimeError: the input has another number of channels.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.Conv3d(1, 2, 2)(ms.ops.ones((1, 1, 4, 4, 4))).shape
        (1, 2, 3, 3, 3)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ) -> None:
        super().__init__(
            3,
            "conv3d",
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            dtype,
        )


class ConvTranspose2d(_Conv):
    r"""Transposed convolution over images: the gradient of ``Conv2d`` for its input.

    .. math:: H_{out} = (H - 1) \cdot stride - 2 \cdot padding + dilation (K_h - 1)
        + output\_padding + 1

    Weight and bias are drawn from :math:`U(-b, b)` with
    :math:`b = 1 / \sqrt{C_{out} K_h K_w / groups}`.

    Args:
        in_channels (int): channels of the input :math:`C_{in}`.
        out_channels (int): channels of the output :math:`C_{out}`.
        kernel_size (Union[int, tuple[int]]): size of the kernel :math:`(K_h, K_w)`.
        stride (Union[int, tuple[int]]): stride of the window in the output. Default: 1.
        padding (Union[int, tuple[int]]): rows and columns cropped on each side. Default: 0.
        output_padding (Union[int, tuple[int]]): added at bottom and right, less than stride or
            dilation. Default: 0.
        groups (int): number of groups of channels. Default: 1.
        bias (bool): whether the layer has a bias. Default: True.
        dilation (Union[int, tuple[int]]): spacing between kernel elements. Default: 1.
        padding_mode (str): only ``zeros``. Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C_{in}, H, W)` or :math:`(C_{in}, H, W)`.
        - **output_size** (tuple[int]) - the size of the output, in place of `output_padding`;
          leading sizes (N, C) are ignored. Default: None.

    Outputs: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})` or without N.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, `output_size` cannot be reached, or the input has
            the wrong rank.
        RuntimeError: the input has another number of channels.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.mint.nn.ConvTranspose2d(3, 2, 3, stride=2, padding=1)
        >>> layer(ms.ops.ones((1, 3, 6, 6)), output_size=(12, 12)).shape
        (1, 2, 12, 12)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        dtype: Any = None,
    ) -> None:
        super().__init__(
            2,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            dtype,
            transposed=True,
        )
        self.output_padding = _sizes("ConvTranspose2d", "output_padding", output_padding, 2, 0)

    def _checked_padding(self, padding: Any, count: int) -> Any:
        return _sizes(self.cls_name, "padding", padding, count, 0)

    def construct(self, input: Tensor, output_size: Any = None) -> Tensor:
        more = self.output_padding
        if output_size is not None:
            more = self._padding_for(input.shape, tuple(output_size))
        return F.conv_transpose2d(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            more,
            self.groups,
            self.dilation,
        )

    def _padding_for(self, shape: tuple[int, ...], expected: tuple[int, ...]) -> tuple[int, ...]:
        """The output padding that gives a size."""
        if len(expected) not in (2, len(shape)):
            raise ValueError(
                f"For 'ConvTranspose2d', 'output_size' must have 2 or {len(shape)} elements for an "
                f"input of shape {shape}, but got {expected}."
            )
        rows_columns = zip(
            shape[-2:], self.stride, self.padding, self.dilation, self.kernel_size, strict=True
        )
        least = tuple((n - 1) * s - 2 * p + d * (k - 1) + 1 for n, s, p, d, k in rows_columns)
        more = tuple(w - n for w, n in zip(expected[-2:], least, strict=True))
        if not all(0 <= m < s for m, s in zip(more, self.stride, strict=True)):
            most = tuple(n + s - 1 for n, s in zip(least, self.stride, strict=True))
            raise ValueError(
                f"For 'ConvTranspose2d', requested an output size of {expected[-2:]}, but valid "
                f"sizes range from {least} to {most} (for an input of shape {shape})."
            )
        return more
