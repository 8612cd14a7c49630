"""The bilinear layer."""

from __future__ import annotations

import math
from typing import Any

from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import Uniform, initializer
from agar.nn.cell import Cell
from agar.ops import bidense
from agar.ops._checks import boolean, integer

__all__ = ["BiDense"]


def checked_init(op_name: str, name: str, init: Any, shape: tuple[int, ...]) -> Any:
    """An initial value; a Tensor must have the parameter's shape.

    Raises:
        ValueError: it has another one.
    """
    if isinstance(init, Tensor) and init.shape != shape:
        raise ValueError(
            f"For '{op_name}', {name} init shape error: the Tensor '{name}_init' must have shape "
            f"{shape}, but got {init.shape}."
        )
    return init


class BiDense(Cell):
    r"""Bilinear layer: :math:`out_o = x_1^T w_o x_2 + b_o`.

    Args:
        in1_channels (int): size of the first input.
        in2_channels (int): size of the second input.
        out_channels (int): size of the output.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None,
            uniform within 1/sqrt(in1_channels).
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within 1/sqrt(in1_channels).
        has_bias (bool): whether there is a bias. Default: True.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **input1** (Tensor) - shape :math:`(*, C_1)`.
        - **input2** (Tensor) - shape :math:`(*, C_2)`.

    Outputs: Tensor of shape :math:`(*, C_{out})`. The parameter `weight` has shape
    :math:`(C_{out}, C_1, C_2)`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the inputs do not fit.

    Difference from PyTorch: called ``Bilinear``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.nn.BiDense(3, 4, 5)
        >>> layer(ms.ops.ones((2, 3)), ms.ops.ones((2, 4))).shape
        (2, 5)
    """

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.in_channels = integer("BiDense", "in1_channels", in1_channels, 1)
        self.in1_channels = in1_channels
        self.in2_channels = integer("BiDense", "in2_channels", in2_channels, 1)
        self.out_channels = integer("BiDense", "out_channels", out_channels, 1)
        self.has_bias = boolean("BiDense", "has_bias", has_bias)
        bound = 1 / math.sqrt(in1_channels)
        shape = (out_channels, in1_channels, in2_channels)
        init = Uniform(bound) if weight_init is None else weight_init
        checked_init("BiDense", "weight", init, shape)
        self.weight = Parameter(initializer(init, shape, dtype), name="weight")
        self.bias: Parameter | None = None
        if has_bias:
            init = Uniform(bound) if bias_init is None else bias_init
            checked_init("BiDense", "bias", init, (out_channels,))
            self.bias = Parameter(initializer(init, (out_channels,), dtype), name="bias")

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        return bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        text = (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
            f"output_channels={self.out_channels}"
        )
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text
