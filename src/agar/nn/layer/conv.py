"""Convolution layers and their transposes."""

from __future__ import annotations

import math
from typing import Any

from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import HeUniform, Uniform, initializer
from agar.nn.cell import Cell
from agar.ops import conv1d, conv2d, conv3d
from agar.ops._checks import boolean, choice, int_tuple, integer
from agar.ops.nn.convolution import pad_pairs, transpose_plan, transposed_conv

__all__ = ["Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dTranspose", "Conv3d", "Conv3dTranspose"]

_PAD_MODES = ("valid", "same", "pad")


def _bound_of(fan_in: int) -> float:
    return 1.0 / math.sqrt(fan_in)


class _Conv(Cell):
    """The checks, parameters and text that the convolution layers share."""

    def __init__(
        self,
        count: int,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        dilation: Any,
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        data_format: str,
        dtype: Any,
        *,
        transposed: bool = False,
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.in_channels = integer(op_name, "in_channels", in_channels, 1)
        self.out_channels = integer(op_name, "out_channels", out_channels, 1)
        self.kernel_size = int_tuple(op_name, "kernel_size", kernel_size, count, lists=False)
        self.stride = int_tuple(op_name, "stride", stride, count, lists=False)
        self.dilation = int_tuple(op_name, "dilation", dilation, count, lists=False)
        self.pad_mode = choice(op_name, "pad_mode", pad_mode, _PAD_MODES)
        self.padding = padding
        self.group = integer(op_name, "group", group, 1)
        self.has_bias = boolean(op_name, "has_bias", has_bias)
        self.data_format = data_format
        if in_channels % group or out_channels % group:
            raise ValueError(
                f"For '{op_name}', 'in_channels' and 'out_channels' should be divisible by "
                f"'group', but got group:{group}, in_channels:{in_channels}, "
                f"out_channels:{out_channels}."
            )
        pairs = self._pad_pairs(count)
        if pad_mode != "pad" and any(map(any, pairs)):
            raise ValueError(
                f"For '{op_name}', the 'padding' must be zero when 'pad_mode' is not 'pad', but "
                f"got padding {padding!r} and pad_mode '{pad_mode}'; pass pad_mode='pad'."
            )
        first, second = (
            (in_channels, out_channels // group)
            if transposed
            else (out_channels, in_channels // group)
        )
        shape = self._weight_shape(first, second)
        fan_in = second * math.prod(self.kernel_size)
        if count == 1 and isinstance(weight_init, Tensor) and weight_init.ndim == 3:
            # MindSpore's layers of one dimension take the weight without the axis of size 1
            expected = (shape[0], shape[1], *shape[3:])
            if tuple(weight_init.shape) != expected:
                raise ValueError(
                    f"For '{op_name}', a Tensor 'weight_init' must have the shape "
                    f"{list(expected)}, but got {list(weight_init.shape)}."
                )
            weight_init = Tensor(weight_init.asnumpy()[:, :, None], weight_init.dtype)
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(self.weight_init, shape, dtype), name="weight")
        self.bias_init = bias_init
        self.bias: Parameter | None = None
        if has_bias:
            if bias_init is None:
                self.bias_init = Uniform(_bound_of(fan_in))
            self.bias = Parameter(initializer(self.bias_init, (out_channels,), dtype), name="bias")
        self._pairs = pairs

    def _pad_pairs(self, count: int) -> tuple[tuple[int, int], ...]:
        op_name, padding = self.cls_name, self.padding
        if not isinstance(padding, (int, tuple)) or type(padding) is bool:
            raise TypeError(
                f"For '{op_name}', the type of 'padding' must be int or tuple(int), but got "
                f"{type(padding).__name__}."
            )
        if isinstance(padding, tuple) and len(padding) != 2 * count:
            raise ValueError(
                f"For '{op_name}', the 'padding size' must be {2 * count}, one number for each "
                f"side, but got {len(padding)}: {padding}."
            )
        return pad_pairs(op_name, padding, count)

    def _weight_shape(self, first: int, second: int) -> tuple[int, ...]:
        if self.data_format in ("NHWC", "NDHWC"):
            return (first, *self.kernel_size, second)
        return (first, second, *self.kernel_size)

    def _plan(self) -> None:
        """Reduce mode and padding to what the operator's direct way takes, where that can be.

        Padding of mode ``same`` depends on the input's size only with strides.
        """
        pairs: list[tuple[int, int]] | None = list(self._pairs)
        if self.pad_mode == "same":
            totals = [(k - 1) * d for k, d in zip(self.kernel_size, self.dilation, strict=True)]
            fixed = all(total == 0 or s == 1 for total, s in zip(totals, self.stride, strict=True))
            pairs = [(t // 2, t - t // 2) for t in totals] if fixed else None
        if pairs is None:
            self._mode, self._both = "same", 0
        elif all(a == b for a, b in pairs):
            self._mode, self._both = "pad", tuple(a for a, _ in pairs)
        else:
            self._mode, self._both = "pad", tuple(n for pair in pairs for n in pair)

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
            f"padding={self.padding}, dilation={self.dilation}, group={self.group}, "
            f"has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


class Conv1d(_Conv):
    r"""Convolution over one dimension with a learned kernel.

    .. math:: out_{n,o} = b_o + \sum_{c} w_{o,c} \star x_{n,c}

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (int): width of the kernel.
        stride (int): stride of the kernel. Default: 1.
        pad_mode (str): ``same`` (output length ceil(L / stride), an odd element of padding at the
            end), ``valid`` (no padding) or ``pad`` (with `padding`). Default: ``"same"``.
        padding (int): zeros on both sides, in mode ``pad``. Default: 0.
        dilation (int): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        has_bias (bool): whether there is a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(fan_in).
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within 1/sqrt(fan_in).
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, L)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, L_{out})`. The parameter `weight` has shape
    :math:`(C_{out}, C_{in} / group, 1, kernel\_size)`.

    Raises:
        TypeError: an argument has the wrong type; tuples are not taken.
        ValueError: an argument is out of range, or `padding` is given without mode ``pad``.

    Difference from PyTorch: padding ``same`` and no bias by default; `group`, `has_bias`; the
    weight has four dimensions; no input without a batch dimension.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> conv = ms.nn.Conv1d(3, 5, 4, stride=2)
        >>> conv(ms.ops.ones((2, 3, 7))).shape
        (2, 5, 4)
        >>> conv.weight.shape
        (5, 3, 1, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        _only_ints(type(self).__name__, kernel_size, stride, padding, dilation)
        super().__init__(
            1,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
            "NCHW",
            dtype,
        )
        self._plan()
        self._steps = self.stride
        self._spread = self.dilation
        _show_as_two(self)

    def _weight_shape(self, first: int, second: int) -> tuple[int, ...]:
        return (first, second, 1, *self.kernel_size)

    def construct(self, x: Tensor) -> Tensor:
        return conv1d(
            x,
            self.weight,
            self.bias,
            self._steps,
            self._mode,
            self._both,
            self._spread,
            self.group,
        )


def _only_ints(op_name: str, kernel_size: Any, stride: Any, padding: Any, dilation: Any) -> None:
    given = {
        "kernel_size": kernel_size,
        "stride": stride,
        "padding": padding,
        "dilation": dilation,
    }
    for name, value in given.items():
        if type(value) is not int:
            raise TypeError(
                f"For '{op_name}', the type of '{name}' should be 'int', but got type "
                f"'{type(value).__name__}'."
            )


def _show_as_two(conv: _Conv) -> None:
    """Give the options the form that MindSpore shows: of a convolution over (1, width)."""
    conv.kernel_size = (1, *conv.kernel_size)
    conv.stride = (1, *conv.stride)
    conv.dilation = (1, *conv.dilation)
    conv.padding = (0, 0, conv.padding, conv.padding)


class Conv2d(_Conv):
    r"""Convolution over two dimensions with a learned kernel.

    .. math:: out_{n,o} = b_o + \sum_{c} w_{o,c} \star x_{n,c}

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): height and width of the kernel.
        stride (Union[int, tuple[int]]): stride of the kernel. Default: 1.
        pad_mode (str): ``same`` (output size ceil(in / stride), an odd row or column of padding at
            the bottom or right), ``valid`` (no padding) or ``pad`` (with `padding`). Default:
            ``"same"``.
        padding (Union[int, tuple[int]]): zeros in mode ``pad``: on every side, or (top, bottom,
            left, right). Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels; `in_channels` and `out_channels` are multiples
            of it. Default: 1.
        has_bias (bool): whether there is a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(fan_in).
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within 1/sqrt(fan_in).
        data_format (str): ``NCHW``, or ``NHWC`` for channels last. Default: ``"NCHW"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, H, W)`, or :math:`(N, H, W, C_{in})` for NHWC.

    Outputs: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`, or channels last. The parameter
    `weight` has shape :math:`(C_{out}, C_{in} / group, K_h, K_w)`; for NHWC,
    :math:`(C_{out}, K_h, K_w, C_{in} / group)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `padding` is given without mode ``pad``.

    Difference from PyTorch: padding ``same`` and no bias by default; `group`, `has_bias`; no input
    without a batch dimension. (MindSpore 2.10 has NHWC on GPU only.)

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> conv = ms.nn.Conv2d(3, 8, 3, stride=2)
        >>> conv(ms.ops.ones((2, 3, 7, 8))).shape
        (2, 8, 4, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            2,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
            choice(type(self).__name__, "data_format", data_format, ("NCHW", "NHWC")),
            dtype,
        )
        self._plan()
        self._channels_last = data_format == "NHWC"

    def construct(self, x: Tensor) -> Tensor:
        if self._channels_last:
            return self._construct_channels_last(x)
        return conv2d(
            x,
            self.weight,
            self.bias,
            self.stride,
            self._mode,
            self._both,
            self.dilation,
            self.group,
        )

    def _construct_channels_last(self, x: Any) -> Any:
        out = conv2d(
            x.transpose(0, 3, 1, 2),
            self.weight.transpose(0, 3, 1, 2),
            self.bias,
            self.stride,
            self._mode,
            self._both,
            self.dilation,
            self.group,
        )
        return out.transpose(0, 2, 3, 1)


class Conv3d(_Conv):
    r"""Convolution over three dimensions with a learned kernel.

    .. math:: out_{n,o} = b_o + \sum_{c} w_{o,c} \star x_{n,c}

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): depth, height and width of the kernel.
        stride (Union[int, tuple[int]]): stride of the kernel. Default: 1.
        pad_mode (str): ``same`` (output size ceil(in / stride), an odd element of padding at the
            end), ``valid`` (no padding) or ``pad`` (with `padding`). Default: ``"same"``.
        padding (Union[int, tuple[int]]): zeros in mode ``pad``: on every side, or (head, tail, top,
            bottom, left, right). Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        has_bias (bool): whether there is a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(fan_in).
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within 1/sqrt(fan_in).
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, D, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})`. The parameter `weight`
    has shape :math:`(C_{out}, C_{in} / group, K_d, K_h, K_w)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `padding` is given without mode ``pad``.

    Difference from PyTorch: padding ``same`` and no bias by default; `group`, `has_bias`; no input
    without a batch dimension.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Conv3d(3, 8, 3)(ms.ops.ones((2, 3, 4, 4, 4))).shape
        (2, 8, 4, 4, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            3,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
            choice(type(self).__name__, "data_format", data_format, ("NCDHW",)),
            dtype,
        )
        self._plan()

    def construct(self, x: Tensor) -> Tensor:
        return conv3d(
            x,
            self.weight,
            self.bias,
            self.stride,
            self._mode,
            self._both,
            self.dilation,
            self.group,
        )


# ------------------------------------------------------------------------------- transposed


def _transpose_options(conv: _Conv, count: int, output_padding: Any) -> tuple[Any, ...]:
    """The plan of a transposed layer, see ``agar.ops.nn_conv.transposed_conv``."""
    op_name = conv.cls_name
    if conv.pad_mode != "pad":
        int_tuple(op_name, "output_padding", output_padding, count, 0)
        output_padding = 0  # these modes fix the output's size
    steps, _, _, more, spread = transpose_plan(
        op_name, count, conv.stride, 0, output_padding, conv.dilation
    )
    return steps, conv.pad_mode, conv._pairs, more, spread


class Conv1dTranspose(_Conv):
    r"""Transposed convolution over one dimension: the gradient of a convolution for its input.

    Output length: ``same`` :math:`L \cdot stride`; ``valid``
    :math:`L \cdot stride + \max(dilation (K - 1) + 1 - stride, 0)`; ``pad``
    :math:`(L - 1) \cdot stride + dilation (K - 1) + 1 - 2 \cdot padding`.

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (int): width of the kernel.
        stride (int): stride of the kernel in the output. Default: 1.
        pad_mode (str): ``same``, ``valid`` or ``pad``. Default: ``"same"``.
        padding (int): how much is cropped on both sides, in mode ``pad``. Default: 0.
        dilation (int): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        has_bias (bool): whether there is a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(fan), with the fan of the
            weight's second size.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within the same bounds.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, L)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, L_{out})`. The parameter `weight` has shape
    :math:`(C_{in}, C_{out} / group, 1, kernel\_size)`.

    Raises:
        TypeError: an argument has the wrong type; tuples are not taken.
        ValueError: an argument is out of range, or `padding` is given without mode ``pad``.

    Difference from PyTorch: ``ConvTranspose1d``; padding modes, and no bias by default.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Conv1dTranspose(3, 5, 4, stride=2)(ms.ops.ones((2, 3, 7))).shape
        (2, 5, 14)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        pad_mode: str = "same",
        padding: int = 0,
        dilation: int = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        _only_ints(type(self).__name__, kernel_size, stride, padding, dilation)
        super().__init__(
            1,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
            "NCHW",
            dtype,
            transposed=True,
        )
        self._options = _transpose_options(self, 1, 0)
        _show_as_two(self)

    def _weight_shape(self, first: int, second: int) -> tuple[int, ...]:
        return (first, second, 1, *self.kernel_size)

    def construct(self, x: Tensor) -> Tensor:
        return transposed_conv[1](x, self.weight, self.bias, self._options, self.group)


class Conv2dTranspose(_Conv):
    r"""Transposed convolution over two dimensions: the gradient of a convolution for its input.

    Output height: ``same`` :math:`H \cdot stride`; ``valid``
    :math:`H \cdot stride + \max(dilation (K - 1) + 1 - stride, 0)`; ``pad``
    :math:`(H - 1) \cdot stride + dilation (K - 1) + 1 - top - bottom + output\_padding`; the width
    likewise.

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): height and width of the kernel.
        stride (Union[int, tuple[int]]): stride of the kernel in the output. Default: 1.
        pad_mode (str): ``same``, ``valid`` or ``pad``. Default: ``"same"``.
        padding (Union[int, tuple[int]]): how much is cropped in mode ``pad``: on every side, or
            (top, bottom, left, right). Default: 0.
        output_padding (Union[int, tuple[int]]): rows and columns added at the bottom and right in
            mode ``pad``; less than stride or dilation. Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        has_bias (bool): whether there is a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(fan), with the fan of the
            weight's second size.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within the same bounds.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`. The parameter `weight` has
    shape :math:`(C_{in}, C_{out} / group, K_h, K_w)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `padding` is given without mode ``pad``.

    Difference from PyTorch: ``ConvTranspose2d``; padding modes, and no bias by default.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Conv2dTranspose(3, 5, 4, stride=2)(ms.ops.ones((2, 3, 7, 8))).shape
        (2, 5, 14, 16)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            2,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
            "NCHW",
            dtype,
            transposed=True,
        )
        self.output_padding = output_padding
        self._options = _transpose_options(self, 2, output_padding)

    def construct(self, x: Tensor) -> Tensor:
        return transposed_conv[2](x, self.weight, self.bias, self._options, self.group)


class Conv3dTranspose(_Conv):
    r"""Transposed convolution over three dimensions: the gradient of a convolution for its input.

    Output sizes as in ``nn.Conv2dTranspose``.

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): depth, height and width of the kernel.
        stride (Union[int, tuple[int]]): stride of the kernel in the output. Default: 1.
        pad_mode (str): ``same``, ``valid`` or ``pad``. Default: ``"same"``.
        padding (Union[int, tuple[int]]): how much is cropped in mode ``pad``: on every side, or
            (head, tail, top, bottom, left, right). Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        output_padding (Union[int, tuple[int]]): elements added at the end in mode ``pad``; less
            than stride or dilation. Default: 0.
        has_bias (bool): whether there is a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(fan), with the fan of the
            weight's second size.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within the same bounds.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, D, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})`. The parameter `weight`
    has shape :math:`(C_{in}, C_{out} / group, K_d, K_h, K_w)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `padding` is given without mode ``pad``.

    Difference from PyTorch: ``ConvTranspose3d``; padding modes, and no bias by default.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Conv3dTranspose(3, 5, 2, stride=2)(ms.ops.ones((2, 3, 2, 3, 4))).shape
        (2, 5, 4, 6, 8)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        output_padding: Any = 0,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__(
            3,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
            choice(type(self).__name__, "data_format", data_format, ("NCDHW",)),
            dtype,
            transposed=True,
        )
        self.output_padding = output_padding
        self._options = _transpose_options(self, 3, output_padding)

    def construct(self, x: Tensor) -> Tensor:
        return transposed_conv[3](x, self.weight, self.bias, self._options, self.group)
