"""Convolution layers and their transposes."""

from __future__ import annotations

import math
from typing import Any

from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar.common.initializer import HeUniform, Uniform, initializer
from agar.nn.cell import Cell
from agar.ops import conv1d, conv2d, conv3d
from agar.ops._checks import boolean, choice, int_tuple, integer
from agar.ops.nn_conv import pad_pairs, transpose_plan, transposed_conv

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
        who = self.cls_name
        self.in_channels = integer(who, "in_channels", in_channels, 1)
        self.out_channels = integer(who, "out_channels", out_channels, 1)
        self.kernel_size = int_tuple(who, "kernel_size", kernel_size, count, lists=False)
        self.stride = int_tuple(who, "stride", stride, count, lists=False)
        self.dilation = int_tuple(who, "dilation", dilation, count, lists=False)
        self.pad_mode = choice(who, "pad_mode", pad_mode, _PAD_MODES)
        self.padding = padding
        self.group = integer(who, "group", group, 1)
        self.has_bias = boolean(who, "has_bias", has_bias)
        self.data_format = data_format
        if in_channels % group or out_channels % group:
            raise ValueError(
                f"For '{who}', 'in_channels' and 'out_channels' should be divisible by 'group', "
                f"but got group:{group}, in_channels:{in_channels}, out_channels:{out_channels}."
            )
        pairs = self._pad_pairs(count)
        if pad_mode != "pad" and any(map(any, pairs)):
            raise ValueError(
                f"For '{who}', the 'padding' must be zero when 'pad_mode' is not 'pad', but got "
                f"padding {padding!r} and pad_mode '{pad_mode}'; pass pad_mode='pad'."
            )
        first, second = (
            (in_channels, out_channels // group)
            if transposed
            else (out_channels, in_channels // group)
        )
        shape = self._weight_shape(first, second)
        fan_in = second * math.prod(self.kernel_size)
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(self.weight_init, shape, dtype), name="weight")
        self.bias_init = bias_init
        self.bias: Parameter | None = None
        if has_bias:
            if bias_init is None:
                self.bias_init = Uniform(_bound_of(fan_in))
            self.bias = Parameter(
                initializer(self.bias_init, (out_channels,), dtype), name="bias"
            )
        self._pairs = pairs

    def _pad_pairs(self, count: int) -> tuple[tuple[int, int], ...]:
        who, padding = self.cls_name, self.padding
        if not isinstance(padding, (int, tuple)) or type(padding) is bool:
            raise TypeError(
                f"For '{who}', the type of 'padding' must be int or tuple(int), but got "
                f"{type(padding).__name__}."
            )
        if isinstance(padding, tuple) and len(padding) != 2 * count:
            raise ValueError(
                f"For '{who}', the 'padding size' must be {2 * count}, one number for each side, "
                f"but got {len(padding)}: {padding}."
            )
        return pad_pairs(who, padding, count)

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
            totals = [
                (k - 1) * d for k, d in zip(self.kernel_size, self.dilation, strict=True)
            ]
            fixed = all(
                total == 0 or s == 1 for total, s in zip(totals, self.stride, strict=True)
            )
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
