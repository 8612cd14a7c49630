"""Fully connected layers."""

from __future__ import annotations

import math
from typing import Any

from agar._core import dtype as mstype
from agar._core.optable import Primitive
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import HeUniform, Uniform, initializer
from agar.nn.cell import Cell
from agar.nn.layer.activation import get_activation
from agar.nn.layer.dense import checked_init
from agar.ops import dense
from agar.ops._checks import boolean, integer

__all__ = ["Dense", "Linear"]


class Dense(Cell):
    r"""Fully connected layer: :math:`out = activation(x \cdot W^T + b)`.

    Args:
        in_channels (int): size of the input's last dimension.
        out_channels (int): size of the output's last dimension.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, He
            uniform with slope sqrt(5), that is uniform within 1/sqrt(in_channels).
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, uniform
            within 1/sqrt(in_channels).
        has_bias (bool): whether there is a bias. Default: True.
        activation (Union[str, Cell, Primitive]): the activation that follows; a name as for
            ``nn.get_activation``. Default: None.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(*, C_{in})`.

    Outputs: Tensor of shape :math:`(*, C_{out})`. The parameter `weight` has shape
    :math:`(C_{out}, C_{in})`.

    Raises:
        TypeError: an argument has the wrong type, or the input's dtype is not the weight's.
        ValueError: an argument is out of range, or an initial Tensor has the wrong shape.
        KeyError: there is no activation of that name.

    Difference from PyTorch: ``torch.nn.Linear`` under another name, with `has_bias` and
    `activation`; initial values come before `has_bias`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.nn.Dense(3, 4, activation="relu")
        >>> layer(ms.ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.in_channels = integer("Dense", "in_channels", in_channels, 1)
        self.out_channels = integer("Dense", "out_channels", out_channels, 1)
        self.has_bias = boolean("Dense", "has_bias", has_bias)
        self.weight, self.bias = _dense_parameters(
            "Dense", in_channels, out_channels, weight_init, bias_init, has_bias, dtype
        )
        if isinstance(activation, str):
            activation = get_activation(activation, "Dense")
        elif activation is not None and not isinstance(activation, (Cell, Primitive)):
            raise TypeError(
                "For 'Dense', the 'activation' must be str or Cell or Primitive, but got "
                f"{type(activation).__name__}."
            )
        self.activation = activation
        self.activation_flag = activation is not None

    def construct(self, x: Tensor) -> Tensor:
        x = dense(x, self.weight, self.bias)
        return x if self.activation is None else self.activation(x)

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        if self.activation_flag:
            text += f", activation={self.activation}"
        return text


def _dense_parameters(
    op_name: str,
    in_channels: int,
    out_channels: int,
    weight_init: Any,
    bias_init: Any,
    has_bias: bool,
    dtype: Any,
) -> tuple[Parameter, Parameter | None]:
    shape = (out_channels, in_channels)
    checked_init(op_name, "weight", weight_init, shape)
    if has_bias:
        checked_init(op_name, "bias", bias_init, (out_channels,))
    init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
    weight = Parameter(initializer(init, shape, dtype), name="weight")
    if not has_bias:
        return weight, None
    init = Uniform(1 / math.sqrt(in_channels)) if bias_init is None else bias_init
    return weight, Parameter(initializer(init, (out_channels,), dtype), name="bias")


class Linear(Cell):
    r"""Fully connected layer with PyTorch's argument names; see ``nn.Dense``.

    Args:
        in_features (int): size of the input's last dimension.
        out_features (int): size of the output's last dimension.
        bias (bool): whether there is a bias. Default: True.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default: None, as
            for ``nn.Dense``.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: None, as for
            ``nn.Dense``.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(*, C_{in})`.

    Outputs: Tensor of shape :math:`(*, C_{out})`.

    Raises:
        TypeError: an argument has the wrong type, or the input's dtype is not the weight's.
        ValueError: an argument is out of range, or an initial Tensor has the wrong shape.

    Difference from PyTorch: none except the initial values' arguments.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.nn.Linear(3, 4)(ms.ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = integer("Linear", "in_features", in_features, 1)
        self.out_features = integer("Linear", "out_features", out_features, 1)
        self.has_bias = boolean("Linear", "bias", bias)
        self.weight, self.bias = _dense_parameters(
            "Linear",
            in_features,
            out_features,
            weight_init,
            bias_init,
            bias,
            dtype or mstype.float32,
        )

    def construct(self, x: Tensor) -> Tensor:
        return dense(x, self.weight, self.bias)

    def extend_repr(self) -> str:
        """The options, by MindSpore's names."""
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text
