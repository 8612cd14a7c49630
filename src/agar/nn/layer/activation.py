"""Activation layers."""

from __future__ import annotations

from agar._core.hints import similar
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.layer._rectifiers import (
    CELU,
    ELU,
    GELU,
    FastGelu,
    LeakyReLU,
    Mish,
    PReLU,
    PReLUExt,
    ReLU,
    ReLU6,
    RReLU,
    SeLU,
    SiLU,
)
from agar.nn.layer._saturating import (
    GLU,
    Hardtanh,
    HShrink,
    HSigmoid,
    HSwish,
    LogSigmoid,
    Sigmoid,
    SoftShrink,
    Softsign,
    Tanh,
    Tanhshrink,
    Threshold,
)
from agar.nn.layer._softmax import LogSoftmax, LogSoftmaxExt, Softmax, Softmax2d, Softmin
from agar.ops import (
    lrn,
)
from agar.ops._checks import choice, integer, number

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "LRN",
    "FastGelu",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "LogSoftmaxExt",
    "Mish",
    "PReLU",
    "PReLUExt",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SeLU",
    "SiLU",
    "Sigmoid",
    "SoftShrink",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
    "get_activation",
]


class LRN(Cell):
    r"""Local response normalization across channels; see ``ops.lrn``.

    .. math:: out_c = x_c \Big/ \Big(bias + \alpha \sum_{|k - c| \le radius} x_k^2\Big)^\beta

    Args:
        depth_radius (int): number of neighboring channels on each side. Default: 5.
        bias (float): added to the sum. Default: 1.0.
        alpha (float): factor of the sum. Default: 1.0.
        beta (float): exponent. Default: 0.5.
        norm_region (str): ``ACROSS_CHANNELS``. Default: ``"ACROSS_CHANNELS"``.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        ValueError: the rank is not 4, or the region is unknown.
        TypeError: an argument has the wrong type.

    Difference from PyTorch: `alpha` multiplies the sum, there the mean over the window; a radius in
    place of the window's size.

    Source: Krizhevsky et al. 2012, "ImageNet Classification with Deep Convolutional Neural
    Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LRN(beta=1.0)(ms.ops.ones((1, 3, 1, 1))).reshape(3))
        [0.25 0.25 0.25]
    """

    def __init__(
        self,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ) -> None:
        super().__init__()
        self.depth_radius = integer("LRN", "depth_radius", depth_radius, 0)
        self.bias = number("LRN", "bias", bias)
        self.alpha = number("LRN", "alpha", alpha)
        self.beta = number("LRN", "beta", beta)
        self.norm_region = choice("LRN", "norm_region", norm_region, ("ACROSS_CHANNELS",))

    def construct(self, input_x: Tensor) -> Tensor:
        return lrn(input_x, self.depth_radius, self.bias, self.alpha, self.beta, self.norm_region)


_BY_NAME: dict[str, type[Cell]] = {
    "softmin": Softmin,
    "softmax": Softmax,
    "softmax2d": Softmax2d,
    "logsoftmax": LogSoftmax,
    "logsoftmaxExt": LogSoftmaxExt,
    "relu": ReLU,
    "relu6": ReLU6,
    "rrelu": RReLU,
    "silu": SiLU,
    "tanh": Tanh,
    "tanhshrink": Tanhshrink,
    "hardtanh": Hardtanh,
    "gelu": GELU,
    "fast_gelu": FastGelu,
    "elu": ELU,
    "sigmoid": Sigmoid,
    "softsign": Softsign,
    "prelu": PReLU,
    "preluExt": PReLUExt,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "logsigmoid": LogSigmoid,
    "softshrink": SoftShrink,
    "hshrink": HShrink,
    "threshold": Threshold,
    "mish": Mish,
}


def get_activation(name: str | None, prim_name: str | None = None) -> Cell | None:
    """The activation layer of the given name, as ``nn.Dense(activation=...)`` takes it.

    Args:
        name (str): for example ``relu``, ``leakyrelu``, ``gelu``; None gives None.
        prim_name (str): the layer that error messages name. Default: None.

    Returns:
        Cell with its default options, or None.

    Raises:
        KeyError: there is no such name.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> nn.get_activation("relu")
        ReLU()
    """
    if name is None:
        return None
    if name not in _BY_NAME:
        owner = f"For '{prim_name}', the" if isinstance(prim_name, str) else "The"
        hint = similar(str(name), _BY_NAME)
        raise KeyError(f"{owner} 'name' must be in {list(_BY_NAME)}, but got {name!r}{hint}.")
    return _BY_NAME[name]()


# the path under which users and pickles know them
for _public in (
    CELU,
    ELU,
    FastGelu,
    GELU,
    GLU,
    HShrink,
    HSigmoid,
    HSwish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    LogSoftmaxExt,
    Mish,
    PReLU,
    PReLUExt,
    RReLU,
    ReLU,
    ReLU6,
    SeLU,
    SiLU,
    Sigmoid,
    SoftShrink,
    Softmax,
    Softmax2d,
    Softmin,
    Softsign,
    Tanh,
    Tanhshrink,
    Threshold,
):
    _public.__module__ = __name__
