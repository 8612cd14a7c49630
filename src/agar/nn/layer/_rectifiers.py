"""Activations of the ReLU family: piecewise linear, exponential and smooth rectifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core import dtype as mstype
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import initializer
from agar.nn.cell import Cell
from agar.ops import (
    celu,
    elu,
    fast_gelu,
    gelu,
    leaky_relu,
    mish,
    prelu,
    relu,
    relu6,
    rrelu,
    selu,
    silu,
)
from agar.ops._checks import boolean, integer, number

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "FastGelu",
    "LeakyReLU",
    "Mish",
    "PReLU",
    "PReLUExt",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SeLU",
    "SiLU",
]


class ReLU(Cell):
    r"""Rectified linear unit: :math:`out_i = \max(x_i, 0)`.

    Inputs:
        - **input** (Tensor) - real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a Tensor.

    Difference from PyTorch: none except `inplace`.

    Source: Nair and Hinton 2010, "Rectified Linear Units Improve Restricted Boltzmann Machines".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReLU()(ms.Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def construct(self, input: Tensor) -> Tensor:
        return relu(input)


class ReLU6(Cell):
    r"""Rectified linear unit, capped at 6: :math:`out_i = \min(\max(x_i, 0), 6)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: Howard et al. 2017, "MobileNets".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReLU6()(ms.Tensor([-1.0, 8.0])))
        [0. 6.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return relu6(x)


class LeakyReLU(Cell):
    r"""Leaky rectified linear unit: :math:`out_i = x_i` if positive, else :math:`\alpha x_i`.

    Args:
        alpha (Union[int, float]): slope of the negative part. Default: 0.2.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `alpha` is not a number, or the input is not a floating-point Tensor.

    Difference from PyTorch: the default slope is 0.2; in PyTorch, 0.01.

    Source: Maas et al. 2013, "Rectifier Nonlinearities Improve Neural Network Acoustic Models".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LeakyReLU()(ms.Tensor([-1.0, 2.0])))
        [-0.2  2. ]
    """

    def __init__(self, alpha: float = 0.2) -> None:
        super().__init__()
        self.alpha = number("LeakyReLU", "alpha", alpha)

    def construct(self, x: Tensor) -> Tensor:
        return leaky_relu(x, self.alpha)


class RReLU(Cell):
    r"""Randomized leaky rectified linear unit.

    Negative elements are multiplied by a number drawn for each from :math:`U(lower, upper)`.

    Args:
        lower (Union[int, float]): lower bound of the slopes. Default: 1/8.
        upper (Union[int, float]): upper bound of the slopes. Default: 1/3.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: a bound is not a number.
        ValueError: `upper` is below `lower`.

    Difference from PyTorch: also draws in evaluation mode.

    Source: Xu et al. 2015, "Empirical Evaluation of Rectified Activations in Convolution Network".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.RReLU(0.5, 0.5)(ms.Tensor([-1.0, 2.0])))
        [-0.5  2. ]
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3) -> None:
        super().__init__()
        self.lower = number("RReLU", "lower", lower)
        self.upper = number("RReLU", "upper", upper)
        if upper < lower:
            raise ValueError(
                "For RReLU, the value of 'upper' must be greater than or equal to 'lower', but got "
                f"upper: {upper}, lower: {lower}."
            )

    def construct(self, x: Tensor) -> Tensor:
        return rrelu(x, self.lower, self.upper)


class PReLU(Cell):
    r"""Parametric rectified linear unit: :math:`out = \max(0, x) + w \cdot \min(0, x)`.

    Args:
        channel (int): number of slopes: 1, or the number of channels. Default: 1.
        w (Union[float, list, Tensor]): initial slopes. Default: 0.25.

    Inputs:
        - **x** (Tensor) - floating point, shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype. The parameter `w` has shape (channel,) and, like
    the attribute, is called ``a`` in checkpoints.

    Raises:
        TypeError: `channel` is not an int, or `w` has the wrong type.
        ValueError: `channel` is below 1, or `w` has the wrong length.

    Difference from PyTorch: `channel` and `w` for `num_parameters` and `init`.

    Source: He et al. 2015, "Delving Deep into Rectifiers".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.PReLU()(ms.Tensor([-1.0, 2.0])))
        [-0.25  2.  ]
    """

    def __init__(self, channel: int = 1, w: Any = 0.25) -> None:
        super().__init__()
        integer("PReLU", "channel", channel, 1)
        if isinstance(w, float):
            values = Tensor(np.full((channel,), w, np.float32))
        elif isinstance(w, list):
            if len(w) != channel:
                raise ValueError(
                    "For 'PReLU', the length of 'w' must be equal to the 'channel' when the 'w' is "
                    f"a list, but got the length of 'w': {len(w)}, the 'channel': {channel}."
                )
            values = Tensor(np.array(w, np.float32))
        elif isinstance(w, Tensor):
            if w.shape != (channel,):
                raise ValueError(
                    f"For 'PReLU', a Tensor 'w' must have shape ({channel},), the 'channel', but "
                    f"got {w.shape}."
                )
            values = w
        else:
            raise TypeError(
                "For 'PReLU', the 'w' only supported float, list and tensor, but got "
                f"{type(w).__name__}."
            )
        self.w = Parameter(values, name="a")

    def construct(self, x: Tensor) -> Tensor:
        return prelu(x, self.w)


class PReLUExt(Cell):
    r"""Parametric rectified linear unit, with PyTorch's argument names; see ``nn.PReLU``.

    Args:
        num_parameters (int): number of slopes: 1, or the number of channels. Default: 1.
        init (float): initial slope. Default: 0.25.
        dtype (mindspore.dtype): type of the parameter. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - floating point, shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `num_parameters` is not an int.
        ValueError: `num_parameters` is below 1.

    Difference from PyTorch: none.

    Source: He et al. 2015, "Delving Deep into Rectifiers".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.PReLUExt()(ms.Tensor([-1.0, 2.0])))
        [-0.25  2.  ]
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None) -> None:
        super().__init__()
        integer("PReLUExt", "num_parameters", num_parameters, 1)
        number("PReLUExt", "init", init)
        self.weight = Parameter(
            initializer(init, (num_parameters,), dtype or mstype.float32), name="weight"
        )

    def construct(self, input: Tensor) -> Tensor:
        return prelu(input, self.weight)


class ELU(Cell):
    r"""Exponential linear unit.

    :math:`out_i = x_i` if positive, else :math:`\alpha (e^{x_i} - 1)`.

    Args:
        alpha (Union[int, float]): scale of the negative part. Default: 1.0.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `alpha` is not a number, or the input is not a floating-point Tensor.

    Difference from PyTorch: none. (MindSpore 2.10 takes no other `alpha` than 1 on CPU.)

    Source: Clevert et al. 2016, "Fast and Accurate Deep Network Learning by Exponential Linear
    Units".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ELU()(ms.Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = number("ELU", "alpha", alpha)

    def construct(self, x: Tensor) -> Tensor:
        return elu(x, self.alpha)


class CELU(Cell):
    r"""Continuously differentiable exponential linear unit.

    .. math:: out_i = \max(0, x_i) + \min(0, \alpha (e^{x_i / \alpha} - 1))

    Args:
        alpha (Union[int, float]): :math:`\alpha`, not 0. Default: 1.0.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `alpha` is not a number, or the input is not a floating-point Tensor.
        ValueError: `alpha` is 0.

    Difference from PyTorch: none.

    Source: Barron 2017, "Continuously Differentiable Exponential Linear Units".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.CELU(2.0)(ms.Tensor([0.0, 2.0, -100.0])))
        [ 0.  2. -2.]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        if number("CELU", "alpha", alpha) == 0:
            raise ValueError("For 'CELU', the alpha must be not equal to 0, but got 0.")
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return celu(x, self.alpha)


class SeLU(Cell):
    r"""Self-normalizing exponential linear unit; see ``ops.selu``.

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: called ``SELU``.

    Source: Klambauer et al. 2017, "Self-Normalizing Neural Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.SeLU()(ms.Tensor([2.0])))
        [2.101402]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return selu(input_x)


class GELU(Cell):
    r"""Gaussian error linear unit.

    :math:`out_i = x_i \Phi(x_i)`, by default in its tanh form
    :math:`0.5 x_i (1 + \tanh(\sqrt{2 / \pi} (x_i + 0.044715 x_i^3)))`.

    Args:
        approximate (bool): whether the tanh form is used. Default: True.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `approximate` is not a bool, or the input is not a floating-point Tensor.

    Difference from PyTorch: a bool; the tanh form is the default, in PyTorch the exact one.

    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.GELU()(ms.Tensor([1.0])), ms.nn.GELU(False)(ms.Tensor([1.0])))
        [0.841192] [0.8413447]
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = boolean("GELU", "approximate", approximate)
        self._form = "tanh" if approximate else "none"

    def construct(self, x: Tensor) -> Tensor:
        return gelu(x, self._form)


class FastGelu(Cell):
    r"""Fast form of the Gaussian error linear unit: :math:`out_i = x_i \sigma(1.702 x_i)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: no counterpart.

    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.FastGelu()(ms.Tensor([1.0])))
        [0.8457958]
    """

    def construct(self, x: Tensor) -> Tensor:
        return fast_gelu(x)


class SiLU(Cell):
    r"""Sigmoid-weighted linear unit: :math:`out_i = x_i \sigma(x_i)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: Elfwing et al. 2018, "Sigmoid-Weighted Linear Units for Neural Network Function
    Approximation in Reinforcement Learning".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.SiLU()(ms.Tensor([1.0])))
        [0.7310586]
    """

    def construct(self, x: Tensor) -> Tensor:
        return silu(x)


class Mish(Cell):
    r"""Mish: :math:`out_i = x_i \tanh(\ln(1 + e^{x_i}))`.

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: Misra 2020, "Mish: A Self Regularized Non-Monotonic Activation Function".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Mish()(ms.Tensor([1.0])))
        [0.86509836]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return mish(input_x)
