"""Activation layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar import ops
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
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    lrn,
    mish,
    prelu,
    relu,
    relu6,
    rrelu,
    selu,
    sigmoid,
    silu,
    softmax,
    softmin,
    softshrink,
    softsign,
    tanhshrink,
    threshold,
)
from agar.ops._checks import boolean, choice, integer, number
from agar.ops.nn.activation import softmax_layer

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


class ReLU(Cell):
    r"""Rectifier: :math:`out_i = \max(x_i, 0)`.

    Inputs: input (Tensor), real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no Tensor.

    Difference from PyTorch: none, but for `inplace`.

    Source: Nair and Hinton 2010, "Rectified Linear Units Improve Restricted Boltzmann Machines".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReLU()(ms.Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def construct(self, input: Tensor) -> Tensor:
        """The output; see the class."""
        return relu(input)


class ReLU6(Cell):
    r"""Rectifier with a ceiling: :math:`out_i = \min(\max(x_i, 0), 6)`.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: none.

    Source: Howard et al. 2017, "MobileNets".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReLU6()(ms.Tensor([-1.0, 8.0])))
        [0. 6.]
    """

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return relu6(x)


class LeakyReLU(Cell):
    r"""Rectifier with a slope: :math:`out_i = x_i` if positive, else :math:`\alpha x_i`.

    Args:
        alpha (Union[int, float]): slope of the negative part. Default: 0.2.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `alpha` is no number, or the input no floating-point Tensor.

    Difference from PyTorch: the default slope is 0.2, there 0.01.

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
        """The output; see the class."""
        return leaky_relu(x, self.alpha)


class RReLU(Cell):
    r"""Rectifier with random slopes.

    Negative elements are multiplied by a number drawn for each from :math:`U(lower, upper)`.

    Args:
        lower (Union[int, float]): lower bound of the slopes. Default: 1/8.
        upper (Union[int, float]): upper bound of the slopes. Default: 1/3.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: a bound is no number.
        ValueError: `upper` is below `lower`.

    Difference from PyTorch: draws in evaluation, too.

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
        """The output; see the class."""
        return rrelu(x, self.lower, self.upper)


class PReLU(Cell):
    r"""Rectifier with learned slopes: :math:`out = \max(0, x) + w \cdot \min(0, x)`.

    Args:
        channel (int): number of slopes: 1, or the number of channels. Default: 1.
        w (Union[float, list, Tensor]): initial slopes. Default: 0.25.

    Inputs: x (Tensor), floating point, shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype. The parameter `w` has shape (channel,) and, like
    the attribute, is called ``a`` in checkpoints.

    Raises:
        TypeError: `channel` is no int, or `w` of another type.
        ValueError: `channel` is below 1, or `w` of another length.

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
        """The output; see the class."""
        return prelu(x, self.w)


class PReLUExt(Cell):
    r"""Rectifier with learned slopes, with PyTorch's argument names; see ``nn.PReLU``.

    Args:
        num_parameters (int): number of slopes: 1, or the number of channels. Default: 1.
        init (float): initial slope. Default: 0.25.
        dtype (mindspore.dtype): type of the parameter. Default: None, ``float32``.

    Inputs: input (Tensor), floating point, shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `num_parameters` is no int.
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
        """The output; see the class."""
        return prelu(input, self.weight)


class ELU(Cell):
    r"""Exponential linear unit.

    :math:`out_i = x_i` if positive, else :math:`\alpha (e^{x_i} - 1)`.

    Args:
        alpha (Union[int, float]): scale of the negative part. Default: 1.0.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `alpha` is no number, or the input no floating-point Tensor.

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
        """The output; see the class."""
        return elu(x, self.alpha)


class CELU(Cell):
    r"""Continuously differentiable exponential linear unit.

    .. math:: out_i = \max(0, x_i) + \min(0, \alpha (e^{x_i / \alpha} - 1))

    Args:
        alpha (Union[int, float]): :math:`\alpha`, not 0. Default: 1.0.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `alpha` is no number, or the input no floating-point Tensor.
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
        """The output; see the class."""
        return celu(x, self.alpha)


class SeLU(Cell):
    r"""Self-normalising exponential linear unit; see ``ops.selu``.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: there called ``SELU``.

    Source: Klambauer et al. 2017, "Self-Normalizing Neural Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.SeLU()(ms.Tensor([2.0])))
        [2.101402]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        """The output; see the class."""
        return selu(input_x)


class GELU(Cell):
    r"""Gaussian error linear unit.

    :math:`out_i = x_i \Phi(x_i)`, by default in its tanh form
    :math:`0.5 x_i (1 + \tanh(\sqrt{2 / \pi} (x_i + 0.044715 x_i^3)))`.

    Args:
        approximate (bool): whether the tanh form is used. Default: True.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `approximate` is no bool, or the input no floating-point Tensor.

    Difference from PyTorch: a bool, and the tanh form is the default, there the exact one.

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
        """The output; see the class."""
        return gelu(x, self._form)


class FastGelu(Cell):
    r"""Fast form of the Gaussian error linear unit: :math:`out_i = x_i \sigma(1.702 x_i)`.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: no counterpart.

    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.FastGelu()(ms.Tensor([1.0])))
        [0.8457958]
    """

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return fast_gelu(x)


class SiLU(Cell):
    r"""Sigmoid-weighted linear unit: :math:`out_i = x_i \sigma(x_i)`.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: none.

    Source: Elfwing et al. 2018, "Sigmoid-Weighted Linear Units for Neural Network Function
    Approximation in Reinforcement Learning".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.SiLU()(ms.Tensor([1.0])))
        [0.7310586]
    """

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return silu(x)


class Mish(Cell):
    r"""Mish: :math:`out_i = x_i \tanh(\ln(1 + e^{x_i}))`.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: none.

    Source: Misra 2020, "Mish: A Self Regularized Non-Monotonic Activation Function".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Mish()(ms.Tensor([1.0])))
        [0.86509836]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        """The output; see the class."""
        return mish(input_x)


class HSwish(Cell):
    r"""Hard swish: :math:`out_i = x_i \cdot \mathrm{ReLU6}(x_i + 3) / 6`.

    Inputs: input (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: there called ``Hardswish``.

    Source: Howard et al. 2019, "Searching for MobileNetV3".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.HSwish()(ms.Tensor([1.0, 4.0])))
        [0.6666667 4.       ]
    """

    def construct(self, input: Tensor) -> Tensor:
        """The output; see the class."""
        return hardswish(input)


class HSigmoid(Cell):
    r"""Piecewise linear sigmoid: :math:`out_i = \mathrm{ReLU6}(x_i + 3) / 6`.

    Inputs: input (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: there called ``Hardsigmoid``.

    Source: Courbariaux et al. 2015, "BinaryConnect".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.HSigmoid()(ms.Tensor([-4.0, 0.0, 4.0])))
        [0.  0.5 1. ]
    """

    def construct(self, input: Tensor) -> Tensor:
        """The output; see the class."""
        return hardsigmoid(input)


class Sigmoid(Cell):
    r"""Logistic function: :math:`out_i = 1 / (1 + e^{-x_i})`.

    Inputs: x (Tensor), floating point or complex, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is an integer or bool Tensor.

    Difference from PyTorch: integers are not converted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Sigmoid()(ms.Tensor([0.0, 100.0])))
        [0.5 1. ]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        """The output; see the class."""
        return sigmoid(input_x)


class LogSigmoid(Cell):
    r"""Logarithm of the logistic function: :math:`out_i = -\ln(1 + e^{-x_i})`.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: none. (MindSpore 2.10 overflows to -inf below about -88.)

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LogSigmoid()(ms.Tensor([0.0])))
        [-0.6931472]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        """The output; see the class."""
        return logsigmoid(input_x)


class Tanh(Cell):
    r"""Hyperbolic tangent: :math:`out_i = \tanh(x_i)`.

    Inputs: x (Tensor), floating point or complex, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no Tensor of such a type.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Tanh()(ms.Tensor([0.0, 1.0])))
        [0.        0.7615942]
    """

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return ops.tanh(x)


class Tanhshrink(Cell):
    r"""What the hyperbolic tangent takes away: :math:`out_i = x_i - \tanh(x_i)`.

    Inputs: x (Tensor), real, any shape.

    Outputs: Tensor of the input's shape.

    Raises:
        TypeError: the input is a bool Tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Tanhshrink()(ms.Tensor([-4.0, 1.0])))
        [-3.0006707   0.23840582]
    """

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return tanhshrink(x)


class Hardtanh(Cell):
    r"""Cut to an interval: :math:`out_i = \min(\max(x_i, min), max)`.

    Args:
        min_val (Union[int, float]): lower end. Default: -1.0.
        max_val (Union[int, float]): upper end. Default: 1.0.

    Inputs: x (Tensor), real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an end is no number.
        ValueError: `min_val` is not below `max_val`.

    Difference from PyTorch: none.

    Source: Collobert 2004, "Large Scale Machine Learning".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Hardtanh()(ms.Tensor([-3.0, 0.5, 3.0])))
        [-1.   0.5  1. ]
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0) -> None:
        super().__init__()
        self.min_val = number("Hardtanh", "min_val", min_val)
        self.max_val = number("Hardtanh", "max_val", max_val)
        if min_val >= max_val:
            raise ValueError(
                f"For Hardtanh, min_val should be less than max_val, but got {min_val} and "
                f"{max_val}."
            )

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return hardtanh(x, self.min_val, self.max_val)


class HShrink(Cell):
    r"""Set small elements to zero: :math:`out_i = x_i` where :math:`|x_i| > \lambda`, else 0.

    Args:
        lambd (Union[int, float]): :math:`\lambda`. Default: 0.5.

    Inputs: input (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `lambd` is no number, or the input no floating-point Tensor.

    Difference from PyTorch: there called ``Hardshrink``.

    Source: Donoho and Johnstone 1994, "Ideal Spatial Adaptation by Wavelet Shrinkage".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.HShrink()(ms.Tensor([-1.0, 0.5, 0.7])))
        [-1.   0.   0.7]
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = number("HShrink", "lambd", lambd)

    def construct(self, input: Tensor) -> Tensor:
        """The output; see the class."""
        return hardshrink(input, self.lambd)


class SoftShrink(Cell):
    r"""Draw elements towards zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

    Args:
        lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `lambd` is no number, or the input no floating-point Tensor.
        RuntimeError: `lambd` is negative, at the first call.

    Difference from PyTorch: there called ``Softshrink``.

    Source: Donoho 1995, "De-noising by Soft-Thresholding".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.SoftShrink()(ms.Tensor([-1.0, 0.5, 2.0])))
        [-0.5  0.   1.5]
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = number("SoftShrink", "lambd", lambd)

    def construct(self, input_x: Tensor) -> Tensor:
        """The output; see the class."""
        return softshrink(input_x, self.lambd)


class Softsign(Cell):
    r"""Softsign: :math:`out_i = x_i / (1 + |x_i|)`.

    Inputs: x (Tensor), floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is no floating-point Tensor.

    Difference from PyTorch: none.

    Source: Glorot and Bengio 2010, "Understanding the Difficulty of Training Deep Feedforward
    Neural Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softsign()(ms.Tensor([-4.0, 1.0])))
        [-0.8  0.5]
    """

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return softsign(x)


class Threshold(Cell):
    r"""Replace what is not above a threshold: :math:`out_i = x_i` if above it, else `value`.

    Args:
        threshold (Union[int, float]): the threshold.
        value (Union[int, float]): what stands in place of elements not above it.

    Inputs: x (Tensor), real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `threshold` or `value` is no number.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Threshold(0.2, 9)(ms.Tensor([0.1, 0.5])))
        [9.  0.5]
    """

    def __init__(self, threshold: float, value: float) -> None:
        super().__init__()
        self.threshold = number("Threshold", "threshold", threshold)
        self.value = number("Threshold", "value", value)

    def construct(self, input_x: Tensor) -> Tensor:
        """The output; see the class."""
        return threshold(input_x, self.threshold, self.value)


class GLU(Cell):
    r"""Gated linear unit.

    The input is halved along an axis into a and b; :math:`out = a \cdot \sigma(b)`.

    Args:
        axis (int): the axis that is halved. Default: -1.

    Inputs: x (Tensor), floating point, even size along `axis`.

    Outputs: Tensor, half as large along `axis`.

    Raises:
        ValueError: the size is odd, or the axis out of range.
        TypeError: `axis` is no int.

    Difference from PyTorch: `axis`, there `dim`.

    Source: Dauphin et al. 2017, "Language Modeling with Gated Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.GLU()(ms.Tensor([[2.0, 0.0]])))
        [[1.]]
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.dim = integer("GLU", "axis", axis)

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return glu(x, self.dim)


class Softmax(Cell):
    r"""Softmax along an axis: :math:`out_i = e^{x_i} / \sum_j e^{x_j}`.

    Args:
        axis (Union[int, tuple[int]]): the axis whose elements sum to one; several count as one.
            Default: -1.

    Inputs: x (Tensor), floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `axis` is neither int nor tuple, or the input no floating-point Tensor.
        ValueError: the axis is out of range.

    Difference from PyTorch: `axis` is -1 by default, there `dim` has no default.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softmax()(ms.Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, axis: Any = -1) -> None:
        super().__init__()
        if type(axis) is bool or not isinstance(axis, (int, tuple)):
            raise TypeError(
                "For 'Softmax', the type of 'axis' should be one of '[int, tuple of int]', but got "
                f"{type(axis).__name__}."
            )
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return softmax_layer(x, self.axis)


class LogSoftmax(Cell):
    r"""Logarithm of the softmax along an axis: :math:`out_i = x_i - \ln \sum_j e^{x_j}`.

    Args:
        axis (int): the axis. Default: -1.

    Inputs: x (Tensor), floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `axis` is no int, or the input no floating-point Tensor.
        ValueError: the axis is out of range.

    Difference from PyTorch: `axis` is -1 by default, there `dim` has no default.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LogSoftmax()(ms.Tensor([1.0, 1.0])))
        [-0.6931472 -0.6931472]
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = integer("LogSoftmax", "axis", axis)

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return log_softmax(x, self.axis)


def _implied_dim(rank: int) -> int:
    return 0 if rank in (0, 1, 3) else 1


class LogSoftmaxExt(Cell):
    r"""Logarithm of the softmax, with PyTorch's argument name; see ``nn.LogSoftmax``.

    Args:
        dim (int): the dimension. Default: None: 0 for inputs of rank 1 or 3, otherwise 1.

    Inputs: x (Tensor), floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `dim` is no int, or the input no floating-point Tensor.
        ValueError: the dimension is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LogSoftmaxExt()(ms.Tensor([1.0, 1.0])))
        [-0.6931472 -0.6931472]
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = None if dim is None else integer("LogSoftmaxExt", "dim", dim)

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return log_softmax(x, _implied_dim(x.ndim) if self.dim is None else self.dim)


class Softmin(Cell):
    r"""Softmax of the negated input: :math:`out_i = e^{-x_i} / \sum_j e^{-x_j}`.

    Args:
        axis (int): the axis whose elements sum to one. Default: -1.

    Inputs: x (Tensor), floating point, rank 1 or more.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `axis` is no int, or the input no floating-point Tensor.
        ValueError: the axis is out of range.

    Difference from PyTorch: `axis` is -1 by default, there `dim` has no default.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softmin()(ms.Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = integer("Softmin", "axis", axis)

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        return softmin(x, self.axis)


class Softmax2d(Cell):
    r"""Softmax over the channels of images.

    Inputs: x (Tensor), floating point, shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs: Tensor of the input's shape and dtype; the channels of every place sum to one.

    Raises:
        ValueError: the input's rank is neither 3 nor 4.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softmax2d()(ms.ops.ones((2, 1, 1))).reshape(2))
        [0.5 0.5]
    """

    def construct(self, x: Tensor) -> Tensor:
        """The output; see the class."""
        if x.ndim not in (3, 4):
            raise ValueError(
                f"For 'Softmax2d', the in_shape must have 3 or 4 dims, but got {x.ndim} (shape "
                f"{x.shape})."
            )
        return softmax(x, -3)


class LRN(Cell):
    r"""Local response normalisation across channels; see ``ops.lrn``.

    .. math:: out_c = x_c \Big/ \Big(bias + \alpha \sum_{|k - c| \le radius} x_k^2\Big)^\beta

    Args:
        depth_radius (int): number of neighbouring channels on each side. Default: 5.
        bias (float): added to the sum. Default: 1.0.
        alpha (float): factor of the sum. Default: 1.0.
        beta (float): exponent. Default: 0.5.
        norm_region (str): ``ACROSS_CHANNELS``. Default: ``"ACROSS_CHANNELS"``.

    Inputs: x (Tensor), shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        ValueError: the rank is not 4, or another region.
        TypeError: an argument is of another type.

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
        """The output; see the class."""
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
    """The activation layer of a name, as ``nn.Dense(activation=...)`` takes it.

    Args:
        name (str): for example ``relu``, ``leakyrelu``, ``gelu``; None gives None.
        prim_name (str): the layer that asks, for the message. Default: None.

    Returns:
        Cell with its default options, or None.

    Raises:
        KeyError: there is no such name.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> nn.get_activation("relu")
        ReLU()
    """
    if name is None:
        return None
    if name not in _BY_NAME:
        owner = f"For '{prim_name}', the" if isinstance(prim_name, str) else "The"
        raise KeyError(f"{owner} 'name' must be in {list(_BY_NAME)}, but got {name!r}.")
    return _BY_NAME[name]()
