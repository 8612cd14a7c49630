"""Primitive classes of convolutions, which take their settings in the constructor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import choice, int_tuple, integer
from agar.ops.nn.convolution import (
    PAD_MODES,
    conv3d_transpose,
    convolve,
    pad_pairs,
    same_padding,
    transposed_convolution,
)
from agar.ops.spec import primitive

__all__: list[str] = []


# ------------------------------------------------------------------------------- primitives


def _channels_first(op_name: str, data_format: str, input: Tensor, planar: str) -> Tensor:
    """The input as NCHW or NCDHW, from the format the primitive was made for."""
    choice(op_name, "data_format", data_format, (planar, "NHWC", "NDHWC"))
    return input if data_format == planar else input.movedim(-1, 1)


def _channels_back(data_format: str, planar: str, output: Tensor) -> Tensor:
    return output if data_format == planar else output.movedim(1, -1)


def _check_conv(prim: Any) -> None:
    """The options of a convolution primitive when it is made."""
    op_name, count = prim.name, 3 if "3D" in prim.name else 2
    for channels in ("in_channel", "out_channel", "channel_multiplier"):
        if hasattr(prim, channels):
            integer(op_name, channels, getattr(prim, channels), 1)
    int_tuple(op_name, "kernel_size", prim.kernel_size, count)
    choice(op_name, "pad_mode", prim.pad_mode, PAD_MODES)
    integer(op_name, "group", prim.group, 1)
    mode = 3 if op_name == "DepthwiseConv2dNative" else 1
    if integer(op_name, "mode", prim.mode) != mode:
        raise ValueError(
            f"For '{op_name}', 'mode' must be {mode}, the kind of convolution that it computes, "
            f"but got {prim.mode}."
        )


def _check_kernel(op_name: str, kernel_size: int | Sequence[int], weight: Tensor) -> None:
    sizes = tuple(weight.shape[2:])
    asked = (kernel_size,) * len(sizes) if isinstance(kernel_size, int) else tuple(kernel_size)
    if sizes != asked:
        raise ValueError(
            f"For '{op_name}', the weight must have kernels of kernel_size {asked}, but got "
            f"{sizes}."
        )


def _check_out_channel(op_name: str, out_channel: int, value: int) -> None:
    if value != out_channel:
        raise ValueError(
            f"For '{op_name}', the weight must have out_channel {out_channel} output channels, but "
            f"got {value}."
        )


@primitive(
    "Conv2D",
    samples=(
        "f(1, 2, 5, 5), f(3, 2, 3, 3), out_channel=3, kernel_size=3",
        "f(1, 2, 5, 5), f(3, 2, 3, 3), out_channel=3, kernel_size=3, pad_mode='same', stride=2",
        "f(1, 4, 4, 4), f(4, 2, 2, 2), out_channel=4, kernel_size=2, pad_mode='pad', pad=1, "
        "group=2",
        "f(1, 5, 5, 2), f(3, 3, 3, 2), out_channel=3, kernel_size=3, data_format='NHWC'",
    ),
    errors=(
        ("f(2, 5, 5), f(3, 2, 3, 3), out_channel=3, kernel_size=3", ValueError, "equal to 4"),
        ("f(1, 2, 5, 5), f(3, 2, 3, 3), out_channel=4, kernel_size=3", ValueError, "out_channel"),
    ),
    setup=_check_conv,
)
def _conv2d_primitive(
    x: Tensor,
    weight: Tensor,
    *,
    out_channel: int,
    kernel_size: int | Sequence[int],
    mode: int = 1,
    pad_mode: str = "valid",
    pad: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Tensor:
    """Convolution over two dimensions with the options of the constructor.

    Args:
        x (Tensor): shape (N, C, H, W), or (N, H, W, C) in format NHWC.
        weight (Tensor): shape (out_channel, C / group, K_h, K_w); (out_channel, K_h, K_w,
            C / group) in format NHWC.
        out_channel (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 1, a convolution. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Returns: Tensor in the format of `x`.
    Raises ValueError: the rank, the size of the kernel or an option is wrong.
    Raises RuntimeError: the channels of x and weight disagree.
    Difference from PyTorch: ``torch.nn.functional.conv2d`` is a function.

    >>> conv = ms.ops.Conv2D(out_channel=4, kernel_size=3)
    >>> conv(ms.ops.ones((1, 2, 5, 5)), ms.ops.ones((4, 2, 3, 3))).shape
    (1, 4, 3, 3)
    """
    x = _channels_first("Conv2D", data_format, x, "NCHW")
    weight = _channels_first("Conv2D", data_format, weight, "NCHW")
    _check_out_channel("Conv2D", out_channel, weight.shape[0])
    _check_kernel("Conv2D", kernel_size, weight)
    out = convolve("Conv2D", 2, x, weight, None, stride, pad_mode, pad, dilation, group)
    return _channels_back(data_format, "NCHW", out)


@primitive(
    "DepthwiseConv2dNative",
    samples=("f(1, 3, 5, 5), f(2, 3, 3, 3), channel_multiplier=2, kernel_size=3",),
    errors=(
        (
            "f(1, 3, 5, 5), f(1, 3, 3, 3), channel_multiplier=2, kernel_size=3",
            ValueError,
            "channel_multiplier",
        ),
    ),
    setup=_check_conv,
)
def _depthwise_primitive(
    x: Tensor,
    weight: Tensor,
    *,
    channel_multiplier: int,
    kernel_size: int | Sequence[int],
    mode: int = 3,
    pad_mode: str = "valid",
    pad: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
) -> Tensor:
    """Convolution of every channel with kernels of its own.

    Args:
        x (Tensor): shape (N, C, H, W).
        weight (Tensor): shape (channel_multiplier, C, K_h, K_w).
        channel_multiplier (int): number of kernels for each channel.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 3, a depthwise convolution. Default: 3.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): accepted for compatibility; there is one group for each channel. Default: 1.

    Returns: Tensor of shape (N, channel_multiplier * C, H_out, W_out); output channel m * C + c is
        channel c with its kernel m.
    Raises ValueError: the weight has another number or size of kernels, or an option is wrong.
    Difference from PyTorch: there, the multiples of a channel are neighbors, and the weight has
        shape (C * multiplier, 1, K_h, K_w).
    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    >>> conv = ms.ops.DepthwiseConv2dNative(channel_multiplier=1, kernel_size=2)
    >>> conv(ms.ops.ones((1, 3, 4, 4)), ms.ops.ones((1, 3, 2, 2))).shape
    (1, 3, 3, 3)
    """
    op_name = "DepthwiseConv2dNative"
    if weight.shape[0] != channel_multiplier:
        raise ValueError(
            f"For '{op_name}', the weight's first size must be channel_multiplier "
            f"{channel_multiplier}, but got {weight.shape[0]}."
        )
    _check_kernel(op_name, kernel_size, weight)
    parts = [
        convolve(op_name, 2, x, w.unsqueeze(1), None, stride, pad_mode, pad, dilation, x.shape[1])
        for w in weight
    ]
    return torch.cat(parts, 1)


@primitive(
    ("Conv2DTranspose", "Conv2DBackpropInput"),
    samples=(
        "f(1, 3, 3, 3), f(3, 2, 3, 3), (1, 2, 5, 5), out_channel=3, kernel_size=3",
        "f(1, 3, 3, 3), f(3, 2, 3, 3), (1, 2, 5, 6), out_channel=3, kernel_size=3, "
        "pad_mode='same', stride=2",
        "f(1, 3, 3, 3), f(3, 2, 3, 3), (1, 2, 6, 6), out_channel=3, kernel_size=3, "
        "pad_mode='pad', pad=1, stride=2",
    ),
    errors=(
        (
            "f(1, 3, 3, 3), f(3, 2, 3, 3), (1, 2, 9, 9), out_channel=3, kernel_size=3",
            ValueError,
            "input_size",
        ),
    ),
    setup=_check_conv,
)
def _conv2d_transpose_primitive(
    dout: Tensor,
    weight: Tensor,
    input_size: Sequence[int],
    *,
    out_channel: int,
    kernel_size: int | Sequence[int],
    pad_mode: str = "valid",
    pad: int | Sequence[int] = 0,
    pad_list: Sequence[int] | None = None,
    mode: int = 1,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
    data_format: str = "NCHW",
) -> Tensor:
    """The gradient of a two-dimensional convolution with respect to its input, of a given size.

    Args:
        dout (Tensor): shape (N, out_channel, H, W): the gradient of the convolution's output.
        weight (Tensor): the convolution's weight, shape (out_channel, C / group, K_h, K_w).
        input_size (tuple[int]): the convolution's input shape (N, C, H_in, W_in).
        out_channel (int): number of the convolution's output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        pad_list (tuple[int]): (top, bottom, left, right), in place of `pad`. Default: None.
        mode (int): 1, a convolution. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Returns: Tensor of shape `input_size`.
    Raises ValueError: no convolution leads from `input_size` to the shape of `dout`.
    Difference from PyTorch: ``conv_transpose2d`` takes `output_padding` in place of a size.

    >>> up = ms.ops.Conv2DTranspose(out_channel=4, kernel_size=3)
    >>> up(ms.ops.ones((1, 4, 3, 3)), ms.ops.ones((4, 2, 3, 3)), (1, 2, 5, 5)).shape
    (1, 2, 5, 5)
    """
    op_name = "Conv2DTranspose"
    choice(op_name, "pad_mode", pad_mode, PAD_MODES)
    choice(op_name, "data_format", data_format, ("NCHW",))
    steps = _trailing(op_name, "stride", stride)
    spread = _trailing(op_name, "dilation", dilation)
    sizes = tuple(input_size)[2:]
    pairs = pad_pairs(op_name, pad if pad_list is None else pad_list, 2)
    starts, fits = [], []
    for i, (n, k) in enumerate(zip(sizes, weight.shape[2:], strict=True)):
        before, after = pairs[i]
        if pad_mode == "same":
            before, after = same_padding(n, k, steps[i], spread[i])
        reach = spread[i] * (k - 1) + 1
        starts.append(before)
        fits.append((n + before + after - reach) // steps[i] + 1 == dout.shape[i + 2])
    if not all(fits):
        raise ValueError(
            f"For '{op_name}', a convolution of an input_size {tuple(input_size)} has no output of "
            f"shape {tuple(dout.shape)} under the given stride, padding and dilation."
        )
    return transposed_convolution(
        op_name, 2, dout, weight, None, steps, spread, group, starts, sizes
    )


def _trailing(op_name: str, name: str, value: Any) -> tuple[int, ...]:
    """Steps for height and width; primitives also take four of them, in the order NCHW."""
    if isinstance(value, (tuple, list)) and len(value) == 4:
        value = tuple(value[2:])
    return int_tuple(op_name, name, value, 2)


@primitive(
    "Conv3D",
    samples=(
        "f(1, 2, 3, 4, 4), f(3, 2, 2, 2, 2), out_channel=3, kernel_size=2",
        "f(1, 2, 3, 4, 4), f(3, 2, 2, 2, 2), out_channel=3, kernel_size=2, pad_mode='same'",
    ),
    errors=(
        ("f(2, 3, 4, 4), f(3, 2, 2, 2, 2), out_channel=3, kernel_size=2", ValueError, "equal to 5"),
    ),
    setup=_check_conv,
)
def _conv3d_primitive(
    x: Tensor,
    weight: Tensor,
    *,
    out_channel: int,
    kernel_size: int | Sequence[int],
    mode: int = 1,
    pad_mode: str = "valid",
    pad: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
    data_format: str = "NCDHW",
) -> Tensor:
    """Convolution over three dimensions with the options of the constructor.

    Args:
        x (Tensor): shape (N, C, D, H, W), or (N, D, H, W, C) in format NDHWC.
        weight (Tensor): shape (out_channel, C / group, K_d, K_h, K_w); the channels last in
            format NDHWC.
        out_channel (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 1, a convolution. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        data_format (str): ``NCDHW`` or ``NDHWC``. Default: ``"NCDHW"``.

    Returns: Tensor in the format of `x`.
    Raises ValueError: the rank, the size of the kernel or an option is wrong.
    Raises RuntimeError: the channels of x and weight disagree.
    Difference from PyTorch: ``torch.nn.functional.conv3d`` is a function.

    >>> conv = ms.ops.Conv3D(out_channel=4, kernel_size=2)
    >>> conv(ms.ops.ones((1, 2, 3, 3, 3)), ms.ops.ones((4, 2, 2, 2, 2))).shape
    (1, 4, 2, 2, 2)
    """
    x = _channels_first("Conv3D", data_format, x, "NCDHW")
    weight = _channels_first("Conv3D", data_format, weight, "NCDHW")
    _check_out_channel("Conv3D", out_channel, weight.shape[0])
    _check_kernel("Conv3D", kernel_size, weight)
    out = convolve("Conv3D", 3, x, weight, None, stride, pad_mode, pad, dilation, group)
    return _channels_back(data_format, "NCDHW", out)


@primitive(
    "Conv3DTranspose",
    samples=(
        "f(1, 2, 2, 2, 2), f(2, 3, 2, 2, 2), in_channel=2, out_channel=3, kernel_size=2",
        "f(1, 2, 2, 2, 2), f(2, 3, 3, 3, 3), in_channel=2, out_channel=3, kernel_size=3, "
        "pad_mode='pad', pad=1, stride=2, output_padding=1",
    ),
    errors=(
        (
            "f(2, 2, 2, 2), f(2, 3, 2, 2, 2), in_channel=2, out_channel=3, kernel_size=2",
            ValueError,
            "equal to 5",
        ),
    ),
    setup=_check_conv,
)
def _conv3d_transpose_primitive(
    dout: Tensor,
    weight: Tensor,
    *,
    in_channel: int,
    out_channel: int,
    kernel_size: int | Sequence[int],
    mode: int = 1,
    pad_mode: str = "valid",
    pad: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
    output_padding: int | Sequence[int] = 0,
    data_format: str = "NCDHW",
) -> Tensor:
    """Transposed convolution over three dimensions with the options of the constructor.

    Args:
        dout (Tensor): shape (N, in_channel, D, H, W).
        weight (Tensor): shape (in_channel, out_channel / group, K_d, K_h, K_w).
        in_channel (int): number of channels of `dout`.
        out_channel (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 1, a convolution. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): taken away in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        output_padding (Union[int, tuple[int]]): added at the end in mode ``pad``. Default: 0.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Returns: Tensor of shape (N, out_channel, D_out, H_out, W_out).
    Raises ValueError: the rank, the size of the kernel or an option is wrong.
    Raises RuntimeError: the channels of dout and weight disagree.
    Difference from PyTorch: ``torch.nn.functional.conv_transpose3d`` is a function.

    >>> up = ms.ops.Conv3DTranspose(in_channel=2, out_channel=3, kernel_size=2, stride=2)
    >>> up(ms.ops.ones((1, 2, 2, 2, 2)), ms.ops.ones((2, 3, 2, 2, 2))).shape
    (1, 3, 4, 4, 4)
    """
    choice("Conv3DTranspose", "data_format", data_format, ("NCDHW",))
    _check_kernel("Conv3DTranspose", kernel_size, weight)
    return conv3d_transpose(dout, weight, pad_mode, pad, stride, dilation, group, output_padding)
