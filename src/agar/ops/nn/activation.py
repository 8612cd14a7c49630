"""Activation functions."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core import random
from agar._core.random.draws import uniform_real
from agar.ops.random.distributions import drawn
from agar.ops.spec import Call, Float, Number, op, primitive

__all__ = ["checked_axis", "needs_float", "random_slopes"]


def needs_float(op_name: str, x: Tensor) -> None:
    """Refuse what is not floating point."""
    if not x.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the input must be a floating-point Tensor, but got dtype "
            f"{str(x.dtype).removeprefix('torch.')}; convert with .astype(ms.float32)."
        )


def checked_axis(op_name: str, axis: Any, rank: int) -> int:
    """An axis, or the only one in a tuple or list."""
    if isinstance(axis, (tuple, list)) and len(axis) == 1:
        axis = axis[0]
    if type(axis) is not int:
        raise TypeError(
            f"For '{op_name}', the type of 'axis' must be 'int', but got '{axis}' with type "
            f"'{type(axis).__name__}'."
        )
    if not -rank <= axis < rank:
        raise ValueError(
            f"For '{op_name}', the axis must be in [{-rank},{rank}) for an input of rank {rank}, "
            f"but got {axis}."
        )
    return axis


# ------------------------------------------------------------------------------ rectifiers


@op(
    primitive="ReLU",
    mint="nn.functional.relu",
    fast=torch.relu,
    samples=("f(2, 3)", "i(4)"),
    errors=(("[1.0]", TypeError, "Failed calling relu"),),
    reference="np.maximum(input, 0)",
)
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    r"""Rectifier: :math:`out_i = \max(input_i, 0)`.

    Args:
        input (Tensor): real, any shape.
        inplace (bool): whether the result overwrites the input. Default: False.

    Raises TypeError: `input` is not a Tensor, or bool.
    Source: Nair and Hinton 2010, "Rectified Linear Units Improve Restricted Boltzmann Machines".

    >>> print(ms.ops.relu(ms.Tensor([-1.0, 2.0])))
    [0. 2.]
    """
    return torch.relu_(input) if inplace else torch.relu(input)


@op(
    primitive="ReLU6",
    samples=("f(2, 3) * 8",),
    reference="np.clip(x, 0, 6)",
)
def relu6(x: Float) -> Tensor:
    r"""Rectifier with a ceiling: :math:`out_i = \min(\max(x_i, 0), 6)`.

    Args:
        x (Tensor): floating point, any shape.

    Source: Howard et al. 2017, "MobileNets".

    >>> print(ms.ops.relu6(ms.Tensor([-1.0, 2.0, 8.0])))
    [0. 2. 6.]
    """
    return F.relu6(x)


@op(
    mint="nn.functional.leaky_relu(input, negative_slope: alpha = 0.01)",
    samples=("f(2, 3)", "f(2, 3), 0.01", "f(3), -0.5"),
    reference="np.where(input > 0, input, alpha * input)",
    fast=Call(
        "torch._C._nn.leaky_relu(input, alpha)",
        "type(alpha) is float and input._value.dtype in _floats",
    ),
)
def leaky_relu(input: Float, alpha: Number = 0.2) -> Tensor:
    r"""Rectifier with a slope for negative values.

    :math:`out_i = x_i` if positive, else :math:`\alpha x_i`.

    Args:
        input (Tensor): floating point, any shape.
        alpha (Union[int, float]): slope of the negative part. Default: 0.2.

    Difference from PyTorch: the default slope is 0.2, there 0.01.
    Source: Maas et al. 2013, "Rectifier Nonlinearities Improve Neural Network Acoustic Models".

    >>> print(ms.ops.leaky_relu(ms.Tensor([-1.0, 2.0])))
    [-0.2  2. ]
    """
    return F.leaky_relu(input, alpha)


@op(
    mint="nn.functional.prelu",
    primitive="PReLU",
    samples=("f(2, 3, 4), f(3)", "f(2, 3), f(1)", "f(4), f(1)"),
    errors=(
        ("f(2, 3), f(2)", ValueError, "number of channels: 3"),
        ("f(2, 3), f(3, 1)", ValueError, "1-D"),
    ),
)
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    r"""Rectifier with learned slopes: :math:`out = \max(0, x) + w \cdot \min(0, x)`.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        weight (Tensor): one slope, or one for each channel: shape (1,) or :math:`(C,)`.

    Raises ValueError: `weight` has another size.
    Source: He et al. 2015, "Delving Deep into Rectifiers".

    >>> print(ms.ops.prelu(ms.Tensor([-1.0, 2.0]), ms.Tensor([0.5])))
    [-0.5  2. ]
    """
    channels = input.shape[1] if input.dim() > 1 else 1
    if weight.dim() != 1:
        raise ValueError(
            f"For 'prelu', the weight must be a 1-D Tensor, but got shape {tuple(weight.shape)}."
        )
    if weight.shape[0] not in (1, channels):
        raise ValueError(
            "For 'prelu', the length of 'weight' must be 1 or equal to number of channels: "
            f"{channels}, but got {weight.shape[0]}."
        )
    return torch.prelu(input, weight.to(input.dtype))


@op(
    samples=("f(2, 3)", "f(2, 3), 0.5, 0.5"),
    errors=(("f(2), 0.5, 0.1", ValueError, "'upper'"),),
    differentiable=False,  # every call draws other slopes
    tags=("random",),
)
def rrelu(input: Float, lower: Number = 1.0 / 8, upper: Number = 1.0 / 3) -> Tensor:
    r"""Rectifier with random slopes.

    Negative elements are multiplied by a number drawn for each from :math:`U(lower, upper)`.

    Args:
        input (Tensor): floating point, any shape.
        lower (Union[int, float]): lower bound of the slopes. Default: 1/8.
        upper (Union[int, float]): upper bound of the slopes. Default: 1/3.

    Raises ValueError: `upper` is below `lower`.
    Difference from PyTorch: draws in evaluation, too.
    Source: Xu et al. 2015, "Empirical Evaluation of Rectified Activations in Convolution Network".

    >>> print(ms.ops.rrelu(ms.Tensor([-1.0, 2.0]), 0.5, 0.5))
    [-0.5  2. ]
    """
    if upper < lower:
        raise ValueError(
            "For 'rrelu', the value of 'upper' must be greater than or equal to 'lower', but got "
            f"upper: {upper}, lower: {lower}."
        )
    return torch.where(input >= 0, input, input * random_slopes(input, lower, upper))


def random_slopes(like: Tensor, lower: float, upper: float) -> Tensor:
    """A uniform draw in [lower, upper) of the shape, type and device of `like`."""
    engine = random.make_engine("mt", random.next_pair(None, "uniform"))
    unit = drawn(uniform_real, tuple(like.shape), engine, device=torch.device("cpu"))
    low, high = torch.tensor([lower, upper], dtype=torch.float32)
    return (unit * (high - low) + low).to(device=like.device, dtype=like.dtype)


@op(
    samples=("f(2, 3) * 3", "f(2, 3), -0.5, 0.5", "i(4)"),
    reference="np.minimum(np.maximum(input, min_val), max_val)",
)
def hardtanh(input: Tensor, min_val: Number = -1.0, max_val: Number = 1.0) -> Tensor:
    r"""Clamp to an interval: :math:`out_i = \min(\max(input_i, min), max)`.

    Args:
        input (Tensor): real, any shape.
        min_val (Union[int, float]): lower end. Default: -1.0.
        max_val (Union[int, float]): upper end. Default: 1.0.

    Difference from PyTorch: ends in the wrong order give `max_val` everywhere, there an error.
    Source: Collobert 2004, "Large Scale Machine Learning".

    >>> print(ms.ops.hardtanh(ms.Tensor([-3.0, 0.5, 3.0])))
    [-1.   0.5  1. ]
    """
    if min_val > max_val:
        return torch.full_like(input, max_val)
    if input.dtype in (torch.bool, torch.uint8):  # which do not hold a negative end
        return F.hardtanh(input.int(), min_val, max_val).to(input.dtype)
    return F.hardtanh(input, min_val, max_val)


@op(
    samples=("f(2, 3), 0.1, 2", "i(4), 1, 20"),
    reference="np.where(input > thr, input, value)",
)
def threshold(input: Tensor, thr: Number, value: Number) -> Tensor:
    r"""Replace elements that are not above a threshold.

    :math:`out_i = x_i` if :math:`x_i > thr`, else `value`.

    Args:
        input (Tensor): real, any shape.
        thr (Union[int, float]): the threshold.
        value (Union[int, float]): the value for elements not above it.

    Difference from PyTorch: the parameter is called `thr`, there `threshold`.

    >>> print(ms.ops.threshold(ms.Tensor([0.1, 0.5]), 0.2, 9))
    [9.  0.5]
    """
    return F.threshold(input, thr, value)


@op(
    method=True,
    mint="nn.functional.hardshrink",
    primitive="HShrink(lambd)",
    samples=("f(2, 3)", "f(2, 3), 0.1"),
    reference="np.where(np.abs(input) > lambd, input, 0) if lambd >= 0 else input",
)
def hardshrink(input: Float, lambd: Number = 0.5) -> Tensor:
    r"""Set small elements to zero: :math:`out_i = x_i` where :math:`|x_i| > \lambda`, else 0.

    Args:
        input (Tensor): floating point, any shape.
        lambd (Union[int, float]): :math:`\lambda`. Default: 0.5.

    Source: Donoho and Johnstone 1994, "Ideal Spatial Adaptation by Wavelet Shrinkage".

    >>> print(ms.ops.hardshrink(ms.Tensor([-1.0, 0.5, 0.7])))
    [-1.   0.   0.7]
    """
    return F.hardshrink(input, lambd)


@op(
    function=("softshrink", "soft_shrink"),
    method="soft_shrink",
    primitive="SoftShrink(lambd)",
    mint="nn.functional.softshrink",
    samples=("f(2, 3)", "f(2, 3), 0.1"),
    errors=(("f(2), -0.1", RuntimeError, "greater or equal to 0"),),
    reference="np.sign(input) * np.maximum(np.abs(input) - lambd, 0)",
)
def softshrink(input: Float, lambd: Number = 0.5) -> Tensor:
    r"""Shrink elements toward zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

    Args:
        input (Tensor): floating point, any shape.
        lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

    Raises RuntimeError: `lambd` is negative.
    Source: Donoho 1995, "De-noising by Soft-Thresholding".

    >>> print(ms.ops.softshrink(ms.Tensor([-1.0, 0.5, 2.0])))
    [-0.5  0.   1.5]
    """
    if lambd < 0:
        raise RuntimeError(
            "For 'softshrink', the values for lambd should be greater or equal to 0, but got "
            f"{lambd}."
        )
    return F.softshrink(input, lambd)


# --------------------------------------------------------------------- exponential and smooth


@op(
    samples=("f(2, 3)", "f(2, 3), 2.0"),
    primitive="Elu(alpha)",
    reference="np.where(input_x > 0, input_x, alpha * np.expm1(np.minimum(input_x, 0)))",
    fast=Call(
        "torch._C._nn.elu(input_x, alpha)",
        "type(alpha) is float and input_x._value.dtype in _floats",
    ),
)
def elu(input_x: Float, alpha: Number = 1.0) -> Tensor:
    r"""Exponential linear unit.

    :math:`out_i = x_i` if positive, else :math:`\alpha (e^{x_i} - 1)`.

    Args:
        input_x (Tensor): floating point, any shape.
        alpha (Union[int, float]): scale of the negative part. Default: 1.0.

    Difference from PyTorch: none. (MindSpore 2.10 takes no other `alpha` than 1 on CPU.)
    Source: Clevert et al. 2016, "Fast and Accurate Deep Network Learning by Exponential Linear
        Units".

    >>> print(ms.ops.elu(ms.Tensor([-1.0, 2.0])))
    [-0.63212055  2.        ]
    """
    return F.elu(input_x, alpha)


@op(
    samples=("f(2, 3)", "f(2, 3), 2.0"),
    primitive="CeLU(alpha)",
    errors=(("f(2), 0.0", ValueError, "not equal to 0"),),
    reference="np.maximum(x, 0) + np.minimum(0, alpha * np.expm1(x / alpha))",
)
def celu(x: Float, alpha: Number = 1.0) -> Tensor:
    r"""Continuously differentiable exponential linear unit.

    .. math:: out_i = \max(0, x_i) + \min(0, \alpha (e^{x_i / \alpha} - 1))

    Args:
        x (Tensor): floating point, any shape.
        alpha (Union[int, float]): :math:`\alpha`, not 0. Default: 1.0.

    Raises ValueError: `alpha` is 0.
    Source: Barron 2017, "Continuously Differentiable Exponential Linear Units".

    >>> print(ms.ops.celu(ms.Tensor([0.0, 2.0, -100.0]), 2.0))
    [ 0.  2. -2.]
    """
    if alpha == 0:
        raise ValueError("For 'celu', the alpha must be not equal to 0, but got 0.")
    return F.celu(x, alpha)


@op(
    mint="nn.functional.selu",
    primitive="SeLU",
    samples=("f(2, 3)",),
)
def selu(input_x: Float) -> Tensor:
    r"""Self-normalizing exponential linear unit.

    .. math:: out_i = s \cdot x_i \text{ if positive, else } s \cdot \alpha (e^{x_i} - 1),
        \quad s = 1.05070098,\ \alpha = 1.67326324

    Args:
        input_x (Tensor): floating point, any shape.

    Source: Klambauer et al. 2017, "Self-Normalizing Neural Networks".

    >>> print(ms.ops.selu(ms.Tensor([2.0])))
    [2.101402]
    """
    return F.selu(input_x)


@op(
    mint="nn.functional.gelu(input, *, approximate)",
    samples=("f(2, 3)", "f(2, 3), 'tanh'"),
    errors=(("f(2), 'foo'", ValueError, "'none' or 'tanh'"),),
)
def gelu(input: Float, approximate: str = "none") -> Tensor:
    r"""Gaussian error linear unit.

    :math:`out_i = x_i \Phi(x_i)`, with the normal distribution
    function :math:`\Phi`, or
    :math:`0.5 x_i (1 + \tanh(\sqrt{2 / \pi} (x_i + 0.044715 x_i^3)))` for ``tanh``.

    Args:
        input (Tensor): floating point, any shape.
        approximate (str): ``none`` or ``tanh``. Default: ``"none"``.

    Raises ValueError: `approximate` is unknown.
    Difference from PyTorch: none; ``nn.GELU`` and the primitive ``ops.GeLU`` approximate.
    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    >>> print(ms.ops.gelu(ms.Tensor([1.0])))
    [0.8413447]
    """
    if approximate not in ("none", "tanh"):
        raise ValueError(
            f"For 'gelu', approximate value should be either 'none' or 'tanh', but got "
            f"{approximate!r}."
        )
    return F.gelu(input, approximate=approximate)


@primitive(("GeLU", "Gelu"), samples=("f(2, 3)",), errors=(("i(3)", TypeError, "floating-point"),))
def _gelu_primitive(input: Tensor) -> Tensor:
    """Gaussian error linear unit in its tanh form; see ``ops.gelu``.

    Args:
        input (Tensor): floating point, any shape.

    Difference from PyTorch: ``gelu(approximate="tanh")``.
    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    >>> print(ms.ops.GeLU()(ms.Tensor([1.0])))
    [0.841192]
    """
    needs_float("GeLU", input)
    return F.gelu(input, approximate="tanh")


@op(
    primitive=("FastGeLU", "FastGelu"),
    samples=("f(2, 3)",),
    reference="x / (1 + np.exp(-1.702 * np.abs(x))) * np.exp(0.851 * (x - np.abs(x)))",
)
def fast_gelu(x: Float) -> Tensor:
    r"""Fast form of the Gaussian error linear unit: :math:`out_i = x_i \sigma(1.702 x_i)`.

    Args:
        x (Tensor): floating point, any shape.

    Difference from PyTorch: no counterpart.
    Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units".

    >>> print(ms.ops.fast_gelu(ms.Tensor([1.0])))
    [0.8457958]
    """
    return x * torch.sigmoid(1.702 * x)


@op(
    samples=("f(2, 3)",),
    reference="input / (1 + np.exp(-input))",
    fast=Call("torch._C._nn.silu(input)", "input._value.dtype in _floats"),
)
def silu(input: Float) -> Tensor:
    r"""Sigmoid-weighted linear unit: :math:`out_i = x_i \sigma(x_i)`.

    Args:
        input (Tensor): floating point, any shape.

    Source: Elfwing et al. 2018, "Sigmoid-Weighted Linear Units for Neural Network Function
        Approximation in Reinforcement Learning".

    >>> print(ms.ops.silu(ms.Tensor([1.0])))
    [0.7310586]
    """
    return F.silu(input)


@op(
    mint="nn.functional.mish(input: x)",
    primitive="Mish",
    samples=("f(2, 3)",),
    reference="x * np.tanh(np.log1p(np.exp(x)))",
)
def mish(x: Float) -> Tensor:
    r"""Mish: :math:`out_i = x_i \tanh(\ln(1 + e^{x_i}))`.

    Args:
        x (Tensor): floating point, any shape.

    Source: Misra 2020, "Mish: A Self Regularized Non-Monotonic Activation Function".

    >>> print(ms.ops.mish(ms.Tensor([1.0])))
    [0.86509836]
    """
    return F.mish(x)


@op(
    mint="nn.functional.hardswish",
    primitive="HSwish",
    samples=("f(2, 3) * 4",),
    reference="input * np.clip(input + 3, 0, 6) / 6",
)
def hardswish(input: Float) -> Tensor:
    r"""Hard swish: :math:`out_i = x_i \cdot \mathrm{ReLU6}(x_i + 3) / 6`.

    Args:
        input (Tensor): floating point, any shape.

    Source: Howard et al. 2019, "Searching for MobileNetV3".

    >>> print(ms.ops.hardswish(ms.Tensor([-4.0, 1.0, 4.0])))
    [-0.         0.6666667  4.       ]
    """
    return F.hardswish(input)


@op(
    mint="nn.functional.hardsigmoid",
    primitive="HSigmoid",
    samples=("f(2, 3) * 4",),
    reference="np.clip(input + 3, 0, 6) / 6",
)
def hardsigmoid(input: Float) -> Tensor:
    r"""Piecewise linear sigmoid: :math:`out_i = \mathrm{ReLU6}(x_i + 3) / 6`.

    Args:
        input (Tensor): floating point, any shape.

    Source: Courbariaux et al. 2015, "BinaryConnect".

    >>> print(ms.ops.hardsigmoid(ms.Tensor([-4.0, 0.0, 4.0])))
    [0.  0.5 1. ]
    """
    return F.hardsigmoid(input)


@op(
    method=True,
    mint=("sigmoid", "nn.functional.sigmoid"),
    primitive="Sigmoid",
    samples=("f(2, 3)", "c(2, 3)"),
    errors=(("i(3)", TypeError, "floating-point"),),
    reference="1 / (1 + np.exp(-input))",
    fast=Call("torch.sigmoid(input)", "input._value.dtype in _floats"),
)
def sigmoid(input: Tensor) -> Tensor:
    r"""Logistic function: :math:`out_i = 1 / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point or complex, any shape.

    Raises TypeError: the input is an integer or bool Tensor.
    Difference from PyTorch: integers are not converted.

    >>> print(ms.ops.sigmoid(ms.Tensor([0.0, 100.0])))
    [0.5 1. ]
    """
    if not input.is_complex():
        needs_float("sigmoid", input)
    return torch.sigmoid(input)


@op(
    mint="nn.functional.logsigmoid(input: x)",
    samples=("f(2, 3)", "f(2) * 400"),
    reference="-np.logaddexp(0, -x)",
)
def logsigmoid(x: Float) -> Tensor:
    r"""Logarithm of the logistic function: :math:`out_i = -\ln(1 + e^{-x_i})`.

    Args:
        x (Tensor): floating point, any shape.

    Difference from PyTorch: none. (MindSpore 2.10 overflows to -inf below about -88.)

    >>> print(ms.ops.logsigmoid(ms.Tensor([0.0])))
    [-0.6931472]
    """
    return F.logsigmoid(x)


@op(
    mint="nn.functional.softplus",
    primitive="Softplus()(input)",
    samples=("f(2, 3)", "f(2, 3), 2, 1"),
    reference="np.where(input * beta > threshold, input, np.log1p(np.exp(beta * input)) / beta)",
    fast=Call(
        "torch._C._nn.softplus(input, beta, threshold)",
        "(type(beta) is int or type(beta) is float) and (type(threshold) is int or"
        " type(threshold) is float) and input._value.dtype in _floats",
    ),
)
def softplus(input: Float, beta: Number = 1, threshold: float = 20) -> Tensor:
    r"""Smooth rectifier.

    :math:`out_i = \ln(1 + e^{\beta x_i}) / \beta`, and :math:`x_i` itself
    where :math:`\beta x_i` exceeds the threshold.

    Args:
        input (Tensor): floating point, any shape.
        beta (Union[int, float]): :math:`\beta`. Default: 1.
        threshold (Union[int, float]): from where on the function is linear. Default: 20.

    Source: Dugas et al. 2001, "Incorporating Second-Order Functional Knowledge for Better Option
        Pricing".

    >>> print(ms.ops.softplus(ms.Tensor([0.0, 30.0])))
    [ 0.6931472 30.       ]
    """
    return F.softplus(input, beta, threshold)


@op(
    primitive="Softsign",
    samples=("f(2, 3)",),
    reference="x / (1 + np.abs(x))",
)
def softsign(x: Float) -> Tensor:
    r"""Softsign: :math:`out_i = x_i / (1 + |x_i|)`.

    Args:
        x (Tensor): floating point, any shape.

    Source: Glorot and Bengio 2010, "Understanding the Difficulty of Training Deep Feedforward
        Neural Networks".

    >>> print(ms.ops.softsign(ms.Tensor([-4.0, 1.0])))
    [-0.8  0.5]
    """
    return F.softsign(x)


@op(
    samples=("f(2, 3)", "i(3)"),
    errors=(("b(3)", TypeError, "bool"),),
)
def tanhshrink(input: Tensor) -> Tensor:
    r"""The input minus its hyperbolic tangent: :math:`out_i = x_i - \tanh(x_i)`.

    Args:
        input (Tensor): any shape; integers are computed in float32.

    Returns: Tensor of the input's shape.
    Raises TypeError: the input is a bool Tensor.

    >>> print(ms.ops.tanhshrink(ms.Tensor([-4.0, 1.0])))
    [-3.0006707   0.23840582]
    """
    if input.dtype is torch.bool:
        raise TypeError("For 'tanhshrink', the input must be a number Tensor, but got bool.")
    wide = input.is_floating_point() or input.is_complex()
    return F.tanhshrink(input if wide else input.float())


# ---------------------------------------------------------------------------------- gates


@op(
    mint="nn.functional.glu(input: x, dim: axis)",
    primitive="GLU(axis)",
    samples=("f(2, 4)", "f(2, 3), 0"),
    errors=(
        ("f(2, 3)", ValueError, "divisible"),
        ("f(2, 4), 2", ValueError, "axis must be in"),
        ("f(2, 4), 1.5", TypeError, "axis"),
    ),
)
def glu(x: Tensor, axis: int = -1) -> Tensor:
    r"""Gated linear unit.

    The input is halved along an axis into a and b; :math:`out = a \cdot \sigma(b)`.

    Args:
        x (Tensor): floating point, even size along `axis`.
        axis (int): the axis that is halved. Default: -1.

    Returns: Tensor, half as large along `axis`.
    Raises ValueError: the size is odd, or the axis out of range.
    Raises TypeError: `axis` is not an int.
    Difference from PyTorch: the parameter is called `axis`, there `dim`.
    Source: Dauphin et al. 2017, "Language Modeling with Gated Convolutional Networks".

    >>> print(ms.ops.glu(ms.Tensor([[2.0, 0.0]])))
    [[1.]]
    """
    axis = checked_axis("glu", axis, x.dim())
    if x.shape[axis] % 2:
        raise ValueError(
            f"For 'glu', the size along axis {axis} must be divisible by 2, but got "
            f"{x.shape[axis]} (shape {tuple(x.shape)})."
        )
    return F.glu(x, axis)


@op(
    samples=("f(2, 4)", "f(2, 3), 0"),
    errors=(("f(2, 3)", ValueError, "divisible"),),
)
def swiglu(input: Tensor, dim: int = -1) -> Tensor:
    r"""Gated linear unit with a SiLU gate.

    The input is halved along a dimension into a and b; :math:`out = a \sigma(a) \cdot b`.

    Args:
        input (Tensor): floating point, even size along `dim`.
        dim (int): the dimension that is halved. Default: -1.

    Returns: Tensor, half as large along `dim`.
    Raises ValueError: the size is odd, or the dimension out of range.
    Difference from PyTorch: no counterpart.
    Source: Shazeer 2020, "GLU Variants Improve Transformer".

    >>> print(ms.ops.swiglu(ms.Tensor([[0.0, 2.0]])))
    [[0.]]
    """
    dim = checked_axis("swiglu", dim, input.dim())
    if input.shape[dim] % 2:
        raise ValueError(
            f"For 'swiglu', the size along dim {dim} must be divisible by 2, but got "
            f"{input.shape[dim]} (shape {tuple(input.shape)})."
        )
    gate, value = input.chunk(2, dim)
    return F.silu(gate) * value
