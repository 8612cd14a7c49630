"""Activations that saturate, shrink or gate: sigmoids, tanh, shrinkage, threshold, GLU."""

from __future__ import annotations

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops import (
    glu,
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    logsigmoid,
    sigmoid,
    softshrink,
    softsign,
    tanhshrink,
    threshold,
)
from agar.ops._checks import integer, number

__all__ = [
    "GLU",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "Hardtanh",
    "LogSigmoid",
    "Sigmoid",
    "SoftShrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


class HSwish(Cell):
    r"""Hard swish: :math:`out_i = x_i \cdot \mathrm{ReLU6}(x_i + 3) / 6`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: called ``Hardswish``.

    Source: Howard et al. 2019, "Searching for MobileNetV3".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.HSwish()(ms.Tensor([1.0, 4.0])))
        [0.6666667 4.       ]
    """

    def construct(self, input: Tensor) -> Tensor:
        return hardswish(input)


class HSigmoid(Cell):
    r"""Piecewise linear sigmoid: :math:`out_i = \mathrm{ReLU6}(x_i + 3) / 6`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: called ``Hardsigmoid``.

    Source: Courbariaux et al. 2015, "BinaryConnect".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.HSigmoid()(ms.Tensor([-4.0, 0.0, 4.0])))
        [0.  0.5 1. ]
    """

    def construct(self, input: Tensor) -> Tensor:
        return hardsigmoid(input)


class Sigmoid(Cell):
    r"""Logistic function: :math:`out_i = 1 / (1 + e^{-x_i})`.

    Inputs:
        - **input_x** (Tensor) - floating point or complex, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is an integer or bool Tensor.

    Difference from PyTorch: integers are not converted.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Sigmoid()(ms.Tensor([0.0, 100.0])))
        [0.5 1. ]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return sigmoid(input_x)


class LogSigmoid(Cell):
    r"""Logarithm of the logistic function: :math:`out_i = -\ln(1 + e^{-x_i})`.

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: none. (MindSpore 2.10 overflows to -inf below about -88.)

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LogSigmoid()(ms.Tensor([0.0])))
        [-0.6931472]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return logsigmoid(input_x)


class Tanh(Cell):
    r"""Hyperbolic tangent: :math:`out_i = \tanh(x_i)`.

    Inputs:
        - **x** (Tensor) - floating point or complex, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a Tensor of such a type.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Tanh()(ms.Tensor([0.0, 1.0])))
        [0.        0.7615942]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(x)


class Tanhshrink(Cell):
    r"""The input minus its hyperbolic tangent: :math:`out_i = x_i - \tanh(x_i)`.

    Inputs:
        - **x** (Tensor) - real, any shape.

    Outputs: Tensor of the input's shape.

    Raises:
        TypeError: the input is a bool Tensor.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Tanhshrink()(ms.Tensor([-4.0, 1.0])))
        [-3.0006707   0.23840582]
    """

    def construct(self, x: Tensor) -> Tensor:
        return tanhshrink(x)


class Hardtanh(Cell):
    r"""Clamp to an interval: :math:`out_i = \min(\max(x_i, min), max)`.

    Args:
        min_val (Union[int, float]): lower bound. Default: -1.0.
        max_val (Union[int, float]): upper bound. Default: 1.0.

    Inputs:
        - **x** (Tensor) - real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: a bound is not a number.
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
        return hardtanh(x, self.min_val, self.max_val)


class HShrink(Cell):
    r"""Set small elements to zero: :math:`out_i = x_i` where :math:`|x_i| > \lambda`, else 0.

    Args:
        lambd (Union[int, float]): :math:`\lambda`. Default: 0.5.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `lambd` is not a number, or the input is not a floating-point Tensor.

    Difference from PyTorch: called ``Hardshrink``.

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
        return hardshrink(input, self.lambd)


class SoftShrink(Cell):
    r"""Shrink elements towards zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

    Args:
        lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `lambd` is not a number, or the input is not a floating-point Tensor.
        RuntimeError: `lambd` is negative, at the first call.

    Difference from PyTorch: called ``Softshrink``.

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
        return softshrink(input_x, self.lambd)


class Softsign(Cell):
    r"""Softsign: :math:`out_i = x_i / (1 + |x_i|)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: Glorot and Bengio 2010, "Understanding the Difficulty of Training Deep Feedforward
    Neural Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Softsign()(ms.Tensor([-4.0, 1.0])))
        [-0.8  0.5]
    """

    def construct(self, x: Tensor) -> Tensor:
        return softsign(x)


class Threshold(Cell):
    r"""Replace elements up to a threshold: :math:`out_i = x_i` if above it, else `value`.

    Args:
        threshold (Union[int, float]): the threshold.
        value (Union[int, float]): the replacement of elements that do not exceed it.

    Inputs:
        - **input_x** (Tensor) - real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `threshold` or `value` is not a number.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

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
        return threshold(input_x, self.threshold, self.value)


class GLU(Cell):
    r"""Gated linear unit.

    The input is split in half along an axis into a and b; :math:`out = a \cdot \sigma(b)`.

    Args:
        axis (int): the axis that is split. Default: -1.

    Inputs:
        - **x** (Tensor) - floating point, even size along `axis`.

    Outputs: Tensor, half as large along `axis`.

    Raises:
        ValueError: the size is odd, or the axis out of range.
        TypeError: `axis` is not an int.

    Difference from PyTorch: `axis` is called `dim` there.

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
        return glu(x, self.dim)
