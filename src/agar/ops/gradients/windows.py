"""Gradients as primitives: of convolution and pooling.

See the note on gradient primitives in `agar.ops.gradients.elementwise`, whose register these join.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.optable import Primitive
from agar.ops._private import NEEDED
from agar.ops.gradients.elementwise import declare, forward, pull_back
from agar.ops.nn.pooling_fractional import pooled

__all__: list[str] = []


def with_forward(name: str, *attributes: str, **renamed: str) -> Callable[[Primitive], Any]:
    """A setup that makes the operator itself, from the attributes of its gradient."""

    def setup(instance: Primitive) -> Any:
        given = {key: getattr(instance, key) for key in attributes}
        given.update({key: getattr(instance, source) for key, source in renamed.items()})
        return forward(name, **given)

    return setup


def ints(value: Any) -> tuple[int, ...]:
    return tuple(int(v) for v in value)


# ------------------------------------------------------------------------------- convolution


def _conv_filter(dout: Tensor, x: Tensor, sizes: Any, _state: Any, **_: Any) -> Tensor:
    weight = x.new_zeros(ints(sizes))
    return pull_back(lambda w: _state(x, w), (weight,), dout)


def _conv_options(instance: Primitive) -> Any:
    name = "Conv3D" if instance.name.startswith("Conv3D") else "Conv2D"
    entries = {
        key: getattr(instance, key)
        for key in ("out_channel", "kernel_size", "pad_mode", "pad", "group", "data_format", "mode")
    }
    for key in ("stride", "dilation"):
        value = getattr(instance, key)
        # the gradient takes batch and channels too, or space alone
        full = 5 if name == "Conv3D" else 4
        entries[key] = (
            tuple(value[2:]) if isinstance(value, tuple) and len(value) == full else value
        )
    return forward(name, **entries)


declare(
    "Conv2DBackpropFilter",
    "out_backprop input filter_sizes!",
    _conv_filter,
    setup=_conv_options,
    words="Gradient of Conv2D for its weights",
    out_channel=NEEDED,
    kernel_size=NEEDED,
    pad_mode="valid",
    pad=0,
    pad_list=(0, 0, 0, 0),
    mode=1,
    stride=(1, 1),
    dilation=(1, 1, 1, 1),
    group=1,
    data_format="NCHW",
)
declare(
    "Conv3DBackpropFilter",
    "x out_backprop filter_size!",
    lambda x, dout, sizes, **options: _conv_filter(dout, x, sizes, **options),
    setup=_conv_options,
    words="Gradient of Conv3D for its weights",
    out_channel=NEEDED,
    kernel_size=NEEDED,
    mode=1,
    pad_mode="valid",
    pad=0,
    stride=(1, 1, 1, 1, 1),
    dilation=(1, 1, 1, 1, 1),
    group=1,
    data_format="NCDHW",
)


def _depthwise(instance: Primitive) -> Any:
    keys = ("channel_multiplier", "kernel_size", "pad_mode", "pad", "stride", "dilation", "mode")
    return forward("DepthwiseConv2dNative", **{key: getattr(instance, key) for key in keys})


def _depthwise_filter(x: Tensor, sizes: Any, dout: Tensor, _state: Any, **_: Any) -> Tensor:
    return pull_back(lambda w: _state(x, w), (x.new_zeros(ints(sizes)),), dout)


def _depthwise_input(sizes: Any, w: Tensor, dout: Tensor, _state: Any, **_: Any) -> Tensor:
    return pull_back(lambda x: _state(x, w), (w.new_zeros(ints(sizes)),), dout)


_DEPTHWISE: dict[str, Any] = {
    "channel_multiplier": NEEDED,
    "kernel_size": NEEDED,
    "pad_mode": "valid",
    "pad": 0,
    "pad_list": (0, 0, 0, 0),
    "mode": 3,
    "stride": 1,
    "dilation": 1,
    "group": 1,
}
declare(
    "DepthwiseConv2dNativeBackpropFilter",
    "input filter_size! dout",
    _depthwise_filter,
    setup=_depthwise,
    words="Gradient of DepthwiseConv2dNative for its weights",
    **_DEPTHWISE,
)
declare(
    "DepthwiseConv2dNativeBackpropInput",
    "input_size! filter dout",
    _depthwise_input,
    setup=_depthwise,
    words="Gradient of DepthwiseConv2dNative for its input",
    **_DEPTHWISE,
)


def _convolution(
    dout: Tensor,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    output_mask: Any,
) -> tuple[Tensor | None, ...]:
    def several(value: Any) -> list[int]:
        return [value] * (x.ndim - 2) if isinstance(value, int) else list(value)

    mask = [bool(v) for v in output_mask] or [True, True, bias is not None]
    channels = weight.shape[1] * groups if transposed else weight.shape[0]
    return torch.ops.aten.convolution_backward(
        dout,
        x,
        weight,
        [channels] if mask[2] else None,
        several(stride),
        several(padding),
        several(dilation),
        transposed,
        several(output_padding),
        groups,
        mask,
    )


declare(
    "ConvolutionGrad",
    "dout input weight bias? stride=1 padding=0 dilation=(1,1) transposed=False output_padding=0"
    " groups=1 output_mask=()",
    _convolution,
    words="Gradients of a convolution for input, weights and bias",
)
declare(
    "BiasAddGrad",
    "dout",
    lambda dout, data_format: dout.sum(
        [i for i in range(dout.ndim) if i != (dout.ndim - 1 if data_format == "NHWC" else 1)]
    ),
    data_format="NCHW",
)


# ----------------------------------------------------------------------------------- pooling


def of_first(x: Tensor, out: Tensor, dout: Tensor, _state: Any, **_: Any) -> Tensor:
    """Of an operator of one tensor, from (x, out, dout)."""
    return pull_back(_state, (x,), dout)


_WINDOW: dict[str, Any] = {
    "kernel_size": 1,
    "strides": 1,
    "pad_mode": "VALID",
    "data_format": "NCHW",
}
for _name, _forward, _inputs in (
    ("MaxPoolGrad", "MaxPool", "x_origin out_origin grad"),
    ("MaxPoolGradV1", "MaxPool", "x_origin out_origin grad"),
    ("AvgPoolGrad", "AvgPool", "x out dout"),
):
    declare(_name, _inputs, of_first, setup=with_forward(_forward, *_WINDOW), **_WINDOW)
declare(
    "MaxPoolGradGrad",
    "x_origin out_origin grad",
    lambda x, out, dout, _state, **_: _where_largest(x, out, dout, _state),
    setup=with_forward("MaxPoolWithArgmax", "kernel_size", "strides", "pad_mode"),
    words="Gradient of MaxPoolGrad for the gradient that it takes",
    kernel_size=1,
    strides=1,
    pad_mode="VALID",
)


def _spatial(value: Any) -> Any:
    """Sizes without those of batch and channels, where they are given too."""
    return tuple(value[2:]) if isinstance(value, (tuple, list)) and len(value) == 5 else value


def _max_pool_3d(instance: Primitive) -> Any:
    keys = ("pad_mode", "pad_list", "data_format")
    entries = {key: getattr(instance, key) for key in keys}
    sizes = {key: _spatial(getattr(instance, key)) for key in ("kernel_size", "strides")}
    return forward("MaxPool3D", **entries, **sizes)


declare(
    "MaxPool3DGrad",
    "x_origin out_origin grad",
    of_first,
    setup=_max_pool_3d,
    kernel_size=(1, 1, 1, 1, 1),
    strides=(1, 1, 1, 1, 1),
    pad_mode="VALID",
    pad_list=0,
    data_format="NCDHW",
)


def _where_largest(x: Tensor, out: Tensor, dout: Tensor, run: Any) -> Tensor:
    """The elements of `dout` at the indices of the maxima of `x`."""
    places = run(x)[1].long()
    flat = dout.flatten(2)
    return flat.gather(2, places.flatten(2)).reshape(places.shape)


def _avg_pool_3d(shape: Any, dout: Tensor, _state: Any, **_: Any) -> Tensor:
    return pull_back(_state, (dout.new_zeros(ints(shape)),), dout)


def _avg_pool_3d_forward(instance: Primitive) -> Any:
    keys = ("pad_mode", "ceil_mode", "count_include_pad", "divisor_override", "data_format")
    entries = {key: getattr(instance, key) for key in keys}
    sizes = {key: _spatial(getattr(instance, key)) for key in ("kernel_size", "strides")}
    return forward("AvgPool3D", pad=instance.pads, **entries, **sizes)


declare(
    "AvgPool3DGrad",
    "origin_input_shape! grads",
    _avg_pool_3d,
    setup=_avg_pool_3d_forward,
    kernel_size=1,
    strides=1,
    pads=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=0,
    data_format="NCDHW",
    pad_mode="pad",
)
declare(
    "AvgPool2DGrad",
    "grad image kernel_size! stride=None padding=0 ceil_mode=False count_include_pad=True"
    " divisor_override=None",
    lambda dout, x, *options: pull_back(lambda v: F.avg_pool2d(v, *options), (x,), dout),
)
declare(
    "AvgPool3DGradExt",
    "grad input kernel_size! stride=None padding=0 ceil_mode=False count_include_pad=True"
    " divisor_override=None",
    lambda dout, x, *options: pull_back(lambda v: F.avg_pool3d(v, *options), (x,), dout),
)


def _adaptive(run: Callable[..., Tensor], axes: int) -> Callable[..., Tensor]:
    def compute(dout: Tensor, shape: Any) -> Tensor:
        x = dout.new_zeros(ints(shape))
        return pull_back(lambda v: run(v, dout.shape[-axes:]), (x,), dout)

    return compute


declare(
    "AdaptiveAvgPool2DGrad", "input_grad orig_input_shape!", _adaptive(F.adaptive_avg_pool2d, 2)
)
declare("AdaptiveAvgPool3DGrad", "y_grad orig_input_shape!", _adaptive(F.adaptive_avg_pool3d, 3))
declare(
    "AdaptiveAvgPool2DGradExt",
    "grad_output x",
    lambda dout, x: _adaptive(F.adaptive_avg_pool2d, 2)(dout, x.shape),
)
declare(
    "AdaptiveAvgPool3DGradExt",
    "input_grad input",
    lambda dout, x: _adaptive(F.adaptive_avg_pool3d, 3)(dout, x.shape),
)


def _scattered(x: Tensor, dout: Tensor, argmax: Tensor, planes: int) -> Tensor:
    """The gradient put to the flat places within the last `planes` axes, and added up."""
    lead = x.shape[: x.ndim - planes]
    flat = torch.zeros(*lead, x.shape[-planes:].numel(), dtype=dout.dtype, device=dout.device)
    index = argmax.reshape(*lead, -1).long()
    return flat.scatter_add(-1, index, dout.reshape(*lead, -1)).reshape(x.shape)


declare("AdaptiveMaxPool2DGrad", "y_grad x argmax", lambda dout, x, at: _scattered(x, dout, at, 2))
declare(
    "AdaptiveMaxPool3DGrad", "input_grad x argmax", lambda dout, x, at: _scattered(x, dout, at, 3)
)
declare(
    "MaxPoolGradWithArgmax",
    "x grad argmax",
    lambda x, dout, at, **_: _scattered(x, dout, at, 3),  # places count through the planes
    **_WINDOW,
)
declare(
    "MaxPoolGradWithArgmaxV2",
    "x grad argmax",
    lambda x, dout, at, **_: _scattered(x, dout, at, 2),
    kernel_size=NEEDED,
    strides=None,
    pads=0,
    dilation=(1, 1),
    ceil_mode=False,
    argmax_type=torch.int64,
)
for _name in ("MaxPoolGradWithIndices", "MaxPoolGradWithMask"):
    declare(
        _name,
        "x grad argmax" if _name.endswith("Indices") else "x grad mask",
        lambda x, dout, at, **_: _scattered(x, dout, at, 2),
        kernel_size=NEEDED,
        strides=None,
        pads=0,
        dilation=(1, 1),
        ceil_mode=False,
        argmax_type=torch.int64,
    )
declare(
    "MaxPool3DGradWithArgmax",
    "x grads argmax",
    lambda x, dout, at, **_: _scattered(x, dout, at, 3),
    ksize=NEEDED,
    strides=NEEDED,
    pads=NEEDED,
    dilation=(1, 1, 1),
    ceil_mode=False,
    data_format="NCDHW",
)
for _name, _planes, _layout in (("MaxUnpool2DGrad", 2, "NCHW"), ("MaxUnpool3DGrad", 3, "NCDHW")):
    declare(
        _name,
        "x grads argmax",
        lambda x, dout, at, _planes=_planes, **_: (
            dout.flatten(-_planes).gather(-1, at.flatten(-_planes).long()).reshape(x.shape)
        ),
        ksize=NEEDED,
        strides=0,
        pads=0,
        output_shape=(),
        data_format=_layout,
    )
for _name, _planes, _layout in (
    ("FractionalMaxPoolGradWithFixedKsize", 2, "NCHW"),
    ("FractionalMaxPool3DGradWithFixedKsize", 3, "NCDHW"),
):
    declare(
        _name,
        "origin_input out_backprop argmax",
        lambda x, dout, at, data_format, _planes=_planes: _scattered(x, dout, at, _planes),
        data_format=_layout,
    )


def _fractional_max(
    x: Tensor, out: Tensor, dout: Tensor, rows: Tensor, columns: Tensor, overlapping: bool
) -> Tensor:
    return pull_back(lambda v: pooled(v, rows, columns, overlapping, "max"), (x,), dout)


def _fractional_avg(
    shape: Any, dout: Tensor, rows: Tensor, columns: Tensor, overlapping: bool
) -> Tensor:
    x = dout.new_zeros(ints(shape))
    return pull_back(lambda v: pooled(v, rows, columns, overlapping, "avg"), (x,), dout)


declare(
    "FractionalMaxPoolGrad",
    "orig_input orig_output out_backprop row_pooling_sequence col_pooling_sequence",
    _fractional_max,
    overlapping=False,
)
declare(
    "FractionalAvgPoolGrad",
    "orig_input_tensor_shape! out_backprop row_pooling_sequence col_pooling_sequence",
    _fractional_avg,
    overlapping=False,
)
