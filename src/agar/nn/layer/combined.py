"""Convolution or dense layer with normalization and activation in one cell."""

from __future__ import annotations

from typing import Any

from agar._core.optable import Primitive
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer.activation import LeakyReLU, get_activation
from agar.nn.layer.basic import Dense
from agar.nn.layer.conv import Conv2d
from agar.nn.layer.normalization import BatchNorm1d, BatchNorm2d
from agar.ops._checks import boolean

__all__ = ["Conv2dBnAct", "DenseBnAct"]


def _activation(op_name: str, activation: Any, alpha: float) -> Any:
    if activation == "leakyrelu":
        return LeakyReLU(alpha)
    if isinstance(activation, str):
        return get_activation(activation, op_name)
    if activation is not None and not isinstance(activation, (Cell, Primitive)):
        raise TypeError(
            f"For '{op_name}', the 'activation' must be str or Cell or Primitive, but got "
            f"{type(activation).__name__}."
        )
    return activation


class Conv2dBnAct(Cell):
    r"""Convolution, optionally followed by batch normalization and an activation.

    Args:
        in_channels (int): number of input channels.
        out_channels (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): height and width of the kernel.
        stride (Union[int, tuple[int]]): stride of the kernel. Default: 1.
        pad_mode (str): ``same``, ``valid`` or ``pad``, see ``nn.Conv2d``. Default: ``"same"``.
        padding (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        dilation (Union[int, tuple[int]]): spacing between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        has_bias (bool): whether the convolution has a bias. Default: False.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default:
            ``"normal"``.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: ``"zeros"``.
        has_bn (bool): whether batch normalization follows. Default: False.
        momentum (float): its momentum. Default: 0.997.
        eps (float): its epsilon. Default: 1e-5.
        activation (Union[str, Cell, Primitive]): the activation that follows. Default: None.
        alpha (float): slope of the activation ``leakyrelu``. Default: 0.2.
        after_fake (bool): kept for compatibility. Default: True.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in}, H, W)`.

    Outputs: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        KeyError: there is no activation of that name.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.nn.Conv2dBnAct(3, 8, 3, has_bn=True, activation="relu")
        >>> layer(ms.ops.ones((1, 3, 4, 4))).shape
        (1, 8, 4, 4)
        >>> list(layer.name_cells())
        ['conv', 'batchnorm', 'activation']
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
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bn: bool = False,
        momentum: float = 0.997,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        self.conv = Conv2d(
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
        )
        self.has_bn = boolean("Conv2dBnAct", "has_bn", has_bn)
        if has_bn:
            self.batchnorm = BatchNorm2d(out_channels, eps, momentum)
        self.after_fake = boolean("Conv2dBnAct", "after_fake", after_fake)
        self.activation = _activation("Conv2dBnAct", activation, alpha)
        self.has_act = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        x = self.conv(x)
        if self.has_bn:
            x = self.batchnorm(x)
        return self.activation(x) if self.has_act else x


class DenseBnAct(Cell):
    r"""Dense layer, optionally followed by batch normalization and an activation.

    Args:
        in_channels (int): size of the input.
        out_channels (int): size of the output.
        weight_init (Union[Tensor, str, Initializer, Number]): initial weights. Default:
            ``"normal"``.
        bias_init (Union[Tensor, str, Initializer, Number]): initial bias. Default: ``"zeros"``.
        has_bias (bool): whether the dense layer has a bias. Default: True.
        has_bn (bool): whether batch normalization follows. Default: False.
        momentum (float): its momentum. Default: 0.9.
        eps (float): its epsilon. Default: 1e-5.
        activation (Union[str, Cell, Primitive]): the activation that follows. Default: None.
        alpha (float): slope of the activation ``leakyrelu``. Default: 0.2.
        after_fake (bool): kept for compatibility. Default: True.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C_{in})`.

    Outputs: Tensor of shape :math:`(N, C_{out})`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        KeyError: there is no activation of that name.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> layer = ms.nn.DenseBnAct(3, 4, has_bn=True, activation="relu")
        >>> layer(ms.ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: float = 0.9,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ) -> None:
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self.has_bn = boolean("DenseBnAct", "has_bn", has_bn)
        if has_bn:
            self.batchnorm = BatchNorm1d(out_channels, eps, momentum)
        self.after_fake = boolean("DenseBnAct", "after_fake", after_fake)
        self.activation = _activation("DenseBnAct", activation, alpha)
        self.has_act = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        x = self.dense(x)
        if self.has_bn:
            x = self.batchnorm(x)
        return self.activation(x) if self.has_act else x
