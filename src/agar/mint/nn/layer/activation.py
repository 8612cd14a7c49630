"""Activation layers with PyTorch's arguments."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.mint.nn import functional as F
from agar.nn.cell import Cell
from agar.ops._checks import boolean, choice, integer, number

__all__ = [
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardtanh",
    "LogSigmoid",
    "Mish",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "SoftmaxExt",
    "Tanh",
    "Threshold",
]


class ELU(Cell):
    r"""Exponential linear unit.

    .. math:: out_i = x_i \text{ if } x_i > 0, \text{ else } \alpha (e^{x_i} - 1)

    Args:
        alpha (float): :math:`\alpha`. Default: 1.0.
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument or the input has the wrong type.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ELU()(ms.Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = number("ELU", "alpha", alpha)
        self.inplace = boolean("ELU", "inplace", inplace)

    def construct(self, input: Tensor) -> Tensor:
        return F.elu_(input, self.alpha) if self.inplace else F.elu(input, self.alpha)


class GELU(Cell):
    r"""Gaussian error linear unit: :math:`out_i = x_i \Phi(x_i)`.

    Args:
        approximate (str): ``"none"``, or ``"tanh"`` for an approximation of :math:`\Phi`. Default:
            ``"none"``.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.
        ValueError: `approximate` is unknown.

    Difference from PyTorch: none.

    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.GELU()(ms.Tensor([1.0])))
        [0.8413447]
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = choice("GELU", "approximate", approximate, ("none", "tanh"))

    def construct(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


class GLU(Cell):
    r"""Gated linear unit: :math:`out = a \cdot \sigma(b)` for the halves a and b of the input.

    Args:
        dim (int): the dimension that is split in half. Default: -1.

    Inputs:
        - **input** (Tensor) - floating point, of even size in that dimension.

    Outputs: Tensor with half the size in that dimension.

    Raises:
        TypeError: `dim` is not an int.
        ValueError: the dimension is out of range, or its size is odd.

    Difference from PyTorch: none.

    Source: Dauphin et al. 2016, "Language Modeling with Gated Convolutional Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.GLU()(ms.Tensor([2.0, 0.0])))
        [1.]
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = integer("GLU", "dim", dim)

    def construct(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class Hardtanh(Cell):
    r"""Clamp to an interval: :math:`out_i = \min(\max(x_i, min), max)`.

    Args:
        min_val (Union[int, float]): lower bound. Default: -1.0.
        max_val (Union[int, float]): upper bound. Default: 1.0.
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs:
        - **input** (Tensor) - real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.

    Difference from PyTorch: a lower bound above the upper one is no error; the upper one counts.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.Hardtanh()(ms.Tensor([-2.0, 0.5, 3.0])))
        [-1.   0.5  1. ]
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val = number("Hardtanh", "min_val", min_val)
        self.max_val = number("Hardtanh", "max_val", max_val)
        self.inplace = boolean("Hardtanh", "inplace", inplace)

    def construct(self, input: Tensor) -> Tensor:
        function = F.hardtanh_ if self.inplace else F.hardtanh
        return function(input, self.min_val, self.max_val)


class LogSigmoid(Cell):
    r"""Logarithm of the logistic function: :math:`out_i = -\log(1 + e^{-x_i})`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.LogSigmoid()(ms.Tensor([1.0])).asnumpy().round(3))
        [-0.313]
    """

    def construct(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Mish(Cell):
    r"""Mish: :math:`out_i = x_i \tanh(\log(1 + e^{x_i}))`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: no `inplace`.

    Source: Misra 2019, "Mish: A Self Regularized Non-Monotonic Activation Function".

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.Mish()(ms.Tensor([0.0, 1.0])))
        [0.         0.86509836]
    """

    def construct(self, input: Tensor) -> Tensor:
        return F.mish(input)


class ReLU6(Cell):
    r"""Rectified linear unit, capped at 6: :math:`out_i = \min(\max(x_i, 0), 6)`.

    Args:
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `inplace` is not a bool, or the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.ReLU6()(ms.Tensor([-1.0, 3.0, 9.0])))
        [0. 3. 6.]
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = boolean("ReLU6", "inplace", inplace)

    def construct(self, input: Tensor) -> Tensor:
        return F.hardtanh_(input, 0, 6) if self.inplace else F.relu6(input)


class SELU(Cell):
    r"""Scaled exponential linear unit.

    .. math:: out_i = s \cdot (x_i \text{ if } x_i > 0, \text{ else } \alpha (e^{x_i} - 1))

    with :math:`s \approx 1.0507` and :math:`\alpha \approx 1.6733`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: no `inplace`.

    Source: Klambauer et al. 2017, "Self-Normalizing Neural Networks".

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.SELU()(ms.Tensor([0.0, 1.0])))
        [0.       1.050701]
    """

    def construct(self, input: Tensor) -> Tensor:
        return F.selu(input)


class SiLU(Cell):
    r"""Sigmoid linear unit: :math:`out_i = x_i / (1 + e^{-x_i})`.

    Args:
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `inplace` is not a bool, or the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.SiLU()(ms.Tensor([0.0, 1.0])).asnumpy().round(3))
        [0.    0.731]
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = boolean("SiLU", "inplace", inplace)

    def construct(self, x: Tensor) -> Tensor:
        return F.inplace_silu(x) if self.inplace else F.silu(x)


class Sigmoid(Cell):
    r"""Logistic function: :math:`out_i = 1 / (1 + e^{-x_i})`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.Sigmoid()(ms.Tensor([0.0])))
        [0.5]
    """

    def construct(self, input: Tensor) -> Tensor:
        return F.sigmoid(input)


class SoftmaxExt(Cell):
    r"""Softmax along a dimension: :math:`out_i = e^{x_i} / \sum_j e^{x_j}`.

    Args:
        dim (int): the dimension whose elements sum to one. Default: None: 0 for inputs of rank 0,
            1 and 3, otherwise 1.

    Inputs:
        - **input** (Tensor) - floating point.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `dim` is not an int, or the input is not a floating-point Tensor.
        ValueError: the dimension is out of range.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.Softmax(dim=0)(ms.Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = None if dim is None else integer("SoftmaxExt", "dim", dim)

    def construct(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim)


class Tanh(Cell):
    r"""Hyperbolic tangent: :math:`out_i = \tanh(x_i)`.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs: Tensor of the input's shape and dtype; integers become float32.

    Raises:
        TypeError: the input is not a Tensor.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.Tanh()(ms.Tensor([0.0, 1.0])))
        [0.        0.7615942]
    """

    def construct(self, input: Tensor) -> Tensor:
        return F.tanh(input)


class Threshold(Cell):
    r"""Replace elements up to a threshold: :math:`out_i = x_i` if :math:`x_i > threshold`.

    Args:
        threshold (Union[int, float]): what an element must exceed to stay.
        value (Union[int, float]): what replaces the others.
        inplace (bool): whether the result overwrites the input. Default: False.

    Inputs:
        - **input** (Tensor) - real, any shape.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.Threshold(1, 100)(ms.Tensor([0.0, 2.0])))
        [100.   2.]
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = number("Threshold", "threshold", threshold)
        self.value = number("Threshold", "value", value)
        self.inplace = boolean("Threshold", "inplace", inplace)

    def construct(self, input: Tensor) -> Tensor:
        function: Any = F.threshold_ if self.inplace else F.threshold
        return function(input, self.threshold, self.value)
