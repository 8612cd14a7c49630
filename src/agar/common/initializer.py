"""Initializers: how the parameters of a layer are filled.

``initializer(init, shape, dtype)`` makes a lazy tensor; the numbers are drawn when a Parameter is
built from it. Random initializers take one number each from numpy's global state, so
``ms.set_seed`` fixes them, and any other numpy draw in between changes them.

NOTE Precision. Random values are made in float32 and cast to the type of the parameter, also for
float64. Subclasses of Initializer get an array of the parameter's own type to fill.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.random import get_seed as get_seed
from agar._core.random import initializer_fills
from agar._core.runtime import runtime
from agar._core.tensor import Tensor

if TYPE_CHECKING:
    # Only for annotations: this module fills numpy views of torch's memory.
    import torch

__all__ = [
    "Constant",
    "Dirac",
    "HeNormal",
    "HeUniform",
    "Identity",
    "Initializer",
    "Normal",
    "One",
    "Orthogonal",
    "Sparse",
    "TruncatedNormal",
    "Uniform",
    "VarianceScaling",
    "XavierNormal",
    "XavierUniform",
    "Zero",
    "calculate_gain",
    "initializer",
]

_ALIASES: dict[str, type[Initializer]] = {}


_Class = TypeVar("_Class", bound="type[Initializer]")


def _register(*aliases: str) -> Callable[[_Class], _Class]:
    """Decorator: make an Initializer known to ``initializer`` by its name and by `aliases`."""

    def add(cls: _Class) -> _Class:
        for alias in (cls.__name__, *aliases):
            _ALIASES[alias.lower()] = cls
        return cls

    return add


class Initializer:
    """The base of all initializers.

    Subclasses define ``_initialize(self, arr)``, which fills the numpy array `arr` in place. The
    array has the shape and type of the parameter (float32 where numpy lacks the type).

    Args:
        **kwargs (Any): kept in ``_kwargs``; the subclass's own arguments.

    Difference from PyTorch: ``torch.nn.init`` has functions that fill a tensor; an initializer is
    an object that is passed to a layer.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import Initializer, initializer
        >>> class Ramp(Initializer):
        ...     def _initialize(self, arr):
        ...         arr[:] = range(arr.shape[0])
        >>> print(ms.Parameter(initializer(Ramp(), [3]), name="w").data)
        [0. 1. 2.]
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    def __repr__(self) -> str:
        # layers show their initializers, and an address would make two equal networks print apart
        settings = {k: v for k, v in vars(self).items() if not k.startswith("_")}
        text = ", ".join(f"{name}={describe(value)}" for name, value in settings.items())
        return f"{type(self).__name__}({text})"

    def _initialize(self, arr: np.ndarray) -> None:
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method '_initialize(self, arr)' must be defined: it "
            "fills the numpy array 'arr' in place."
        )

    def __call__(self, arr: np.ndarray) -> None:
        """Fill a numpy array in place."""
        self._initialize(arr)

    def fill(self, target: torch.Tensor) -> None:
        """Fill a torch tensor in place; it may have any type and lie on any device.

        Args:
            target (torch.Tensor): the tensor that is filled.
        """
        try:
            on_cpu = target if target.device.type == "cpu" else target.new_empty(0, device="cpu")
            seen = on_cpu.numpy()
        except TypeError:  # numpy has no such type
            numpy_type = np.dtype(np.float32)
        else:
            if on_cpu is target:
                self(seen)
                return
            numpy_type = seen.dtype
        arr = np.zeros(tuple(target.shape), numpy_type)
        self(arr)
        initializer_fills.write(target, arr)


def _single(value: Any) -> Any:
    """The number that a Tensor, a Parameter or an array of one element holds; else `value`."""
    if isinstance(value, Tensor) and value.size == 1:
        value = value.asnumpy()
    if isinstance(value, np.ndarray) and value.size == 1:
        return value.reshape(())[()]
    return value


def _number(owner: str, what: str, value: Any) -> float:
    """`value`, which must be a real number, as MindSpore takes it: also of a Tensor or an array."""
    number = _single(value)
    if not isinstance(number, (int, float, np.integer, np.floating, np.bool_)):
        raise TypeError(
            f"For '{owner}', '{what}' must be a number, or a Tensor or array of one number, but "
            f"got {describe(value)} with type {type(value).__name__}."
        )
    return float(number)


def _not_negative(owner: str, what: str, value: Any) -> float:
    number = _number(owner, what, value)
    if number < 0:
        raise ValueError(f"For '{owner}', '{what}' must not be negative, but got {value}.")
    return number


def _dimensions(owner: str, arr: np.ndarray, allowed: Sequence[int], words: str) -> None:
    if arr.ndim not in allowed:
        raise ValueError(
            f"For {owner} initializer, the dimension of the initialized tensor should be {words}, "
            f"but got {arr.ndim} (shape {arr.shape})."
        )


@_register("zeros")
class Zero(Initializer):
    """Zeros. Alias ``"zeros"``.

    Difference from PyTorch: ``torch.nn.init.zeros_`` fills in place.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.common.initializer import Zero, initializer
        >>> print(initializer(Zero(), [2]).init_data())
        [0. 0.]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        arr.fill(0)


@_register("ones")
class One(Initializer):
    """Ones. Alias ``"ones"``.

    Difference from PyTorch: ``torch.nn.init.ones_`` fills in place.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.common.initializer import One, initializer
        >>> print(initializer(One(), [2]).init_data())
        [1. 1.]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        arr.fill(1)


class Constant(Initializer):
    """One value everywhere.

    Args:
        value (Union[int, float, bool, complex, numpy.ndarray, Tensor]): the value; an array or
            Tensor must have one element.

    Raises:
        ValueError: `value` is not a number.

    Difference from PyTorch: ``torch.nn.init.constant_`` fills in place.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.common.initializer import Constant, initializer
        >>> print(initializer(Constant(3), [2]).init_data())
        [3. 3.]
    """

    def __init__(self, value: Any) -> None:
        super().__init__(value=value)
        result = _single(value)
        if not isinstance(result, (numbers.Number, np.generic)) or isinstance(result, np.character):
            raise ValueError(
                f"For 'Constant', 'value' must be one number, but got {describe(value)} with type "
                f"{type(value).__name__}."
            )
        self.value = value
        self._scalar = result

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = self._scalar


@_register()
class Identity(Initializer):
    r"""The identity matrix: ones where row and column are equal. Two dimensions only.

    Raises:
        ValueError: the tensor does not have two dimensions.

    Difference from PyTorch: ``torch.nn.init.eye_`` fills in place.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.common.initializer import Identity, initializer
        >>> print(initializer(Identity(), [2, 3]).init_data())
        [[1. 0. 0.]
         [0. 1. 0.]]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        _dimensions("Identity", arr, (2,), "2")
        arr[...] = np.eye(*arr.shape)


@_register()
class Dirac(Initializer):
    """A convolution kernel that passes each channel through: one at its center, zero elsewhere.

    Args:
        groups (int): groups of the convolution; each group passes its own channels.
            Default: ``1``.

    Raises:
        ValueError: the tensor does not have three to five dimensions, or its first dimension is
            not divisible by `groups`.
        TypeError: `groups` is not an int.

    Difference from PyTorch: ``torch.nn.init.dirac_`` fills in place; same values.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.common.initializer import Dirac, initializer
        >>> print(initializer(Dirac(groups=2), [2, 1, 3]).init_data())
        [[[0. 1. 0.]]
        <BLANKLINE>
         [[0. 1. 0.]]]
    """

    def __init__(self, groups: int = 1) -> None:
        super().__init__(groups=groups)
        if isinstance(groups, bool) or not isinstance(groups, (int, np.integer)):
            raise TypeError(f"For 'Dirac', 'groups' must be an int, but got {groups!r}.")
        if groups < 1:
            raise ValueError(f"For 'Dirac', 'groups' must be positive, but got {groups}.")
        self.groups = groups

    def _initialize(self, arr: np.ndarray) -> None:
        _dimensions("Dirac", arr, (3, 4, 5), "3, 4 or 5")
        if arr.shape[0] % self.groups:
            raise ValueError(
                f"For Dirac initializer, the first dimension {arr.shape[0]} of the initialized "
                f"tensor must be divisible by 'groups' {self.groups}."
            )
        arr.fill(0)
        per_group = arr.shape[0] // self.groups
        center = tuple(n // 2 for n in arr.shape[2:])
        for channel in range(min(per_group, arr.shape[1])):
            arr[(slice(channel, None, per_group), channel, *center)] = 1


@_register()
class Uniform(Initializer):
    r"""Uniform numbers: :math:`U(-scale, scale)`. Alias ``"uniform"``.

    Args:
        scale (float): the bound. Default: ``0.07``.

    Raises:
        TypeError: `scale` is not a number.

    Difference from PyTorch: ``torch.nn.init.uniform_`` takes both bounds, default 0 and 1.

    Source: behavior observed in MindSpore 2.10; numbers are equal bit for bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import Uniform, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(Uniform(0.5), [2]).init_data())
        [ 0.29152092 -0.25549805]
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        _number("Uniform", "scale", scale)
        self.scale = _single(scale)

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = initializer_fills.uniform(arr.shape, -self.scale, self.scale)


@_register()
class Normal(Initializer):
    r"""Normal numbers: :math:`N(mean, sigma^2)`. Alias ``"normal"``.

    Args:
        sigma (float): standard deviation. Default: ``0.01``.
        mean (float): mean. Default: ``0.0``.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `sigma` is negative.

    Difference from PyTorch: ``torch.nn.init.normal_`` has the mean first, default N(0, 1).

    Source: behavior observed in MindSpore 2.10; numbers are equal bit for bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import Normal, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(Normal(), [2]).init_data())
        [0.00653037 0.01509193]
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0) -> None:
        super().__init__(sigma=sigma, mean=mean)
        _not_negative("Normal", "sigma", sigma)
        _number("Normal", "mean", mean)
        self.sigma = _single(sigma)
        self.mean = _single(mean)

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = initializer_fills.normal(arr.shape, self.mean, self.sigma)


@_register()
class TruncatedNormal(Initializer):
    r"""Normal numbers between `a` and `b`. Alias ``"truncatedNormal"``.

    Args:
        sigma (float): standard deviation before truncation. Default: ``0.01``.
        mean (float): mean before truncation. Default: ``0.0``.
        a (float): the lowest value (not in units of sigma). Default: ``-2.0``.
        b (float): the highest value. Default: ``2.0``.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `sigma` is negative or zero, or `b` is not above `a`.

    Difference from PyTorch: ``torch.nn.init.trunc_normal_`` has mean first, then std (default 1);
    a and b mean the same.

    Source: behavior observed in MindSpore 2.10; numbers are equal bit for bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import TruncatedNormal, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(TruncatedNormal(), [2]).init_data())
        [ 0.0081171  -0.00691894]
    """

    def __init__(
        self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0
    ) -> None:
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        if _not_negative("TruncatedNormal", "sigma", sigma) == 0:
            raise ValueError("For 'TruncatedNormal', 'sigma' must be positive, but got 0.")
        _number("TruncatedNormal", "mean", mean)
        if _number("TruncatedNormal", "a", a) >= _number("TruncatedNormal", "b", b):
            raise ValueError(
                f"For 'TruncatedNormal', the bound 'a' must be below 'b', but got {a} and {b}."
            )
        self.sigma = _single(sigma)
        self.mean = _single(mean)
        self.a = _single(a)
        self.b = _single(b)

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = initializer_fills.truncated_normal(
            arr.shape, self.a, self.b, self.mean, self.sigma
        )


# ------------------------------------------------------------- bounds from the size of a layer


def _calculate_fan_in_and_fan_out(shape: Sequence[int]) -> tuple[int, int]:
    """Inputs and outputs of one unit of a weight of that shape (outputs first, inputs second)."""
    if len(shape) < 2:
        raise ValueError(
            "'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 dimensions, "
            f"but got dimensions {len(shape)} (shape {tuple(shape)}); use 'zeros', 'normal' or "
            "'uniform' for vectors."
        )
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


# the spelling of MindSpore 1
_calculate_in_and_out = _calculate_fan_in_and_fan_out


def _calculate_correct_fan(shape: Sequence[int], mode: str) -> int:
    """The fan that `mode` names, ``fan_in`` or ``fan_out``."""
    return _calculate_fan_in_and_fan_out(shape)[_checked_fan("initializer", mode) == "fan_out"]


def _checked_fan(owner: str, mode: Any) -> str:
    low = mode.lower() if isinstance(mode, str) else mode
    if low not in ("fan_in", "fan_out"):
        raise ValueError(
            f"For '{owner}', 'mode' {mode} not supported, please use one of ['fan_in', 'fan_out']."
        )
    return low


_GAINS = {
    **dict.fromkeys(
        (
            "linear",
            "conv1d",
            "conv2d",
            "conv3d",
            "conv_transpose1d",
            "conv_transpose2d",
            "conv_transpose3d",
            "sigmoid",
        ),
        1.0,
    ),
    "tanh": 5.0 / 3.0,
    "relu": math.sqrt(2.0),
    "selu": 0.75,
}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    r"""The factor of weights before an activation that preserves the variance of signals.

    ======================== ===========================
    activation               gain
    ======================== ===========================
    linear, conv*, sigmoid   1
    tanh                     5/3
    relu                     :math:`\sqrt 2`
    leaky_relu               :math:`\sqrt{2/(1+param^2)}`
    selu                     3/4
    ======================== ===========================

    Args:
        nonlinearity (str): the name of the activation.
        param (float): the slope of ``leaky_relu``. Default: ``None``, 0.01.

    Returns:
        float.

    Raises:
        ValueError: the activation is not in the table, or `param` is not a number.

    Difference from PyTorch: none (``torch.nn.init.calculate_gain``).

    Source: He et al., Delving Deep into Rectifiers (2015), and PyTorch's table. MindSpore has
    the function inside its initializers only.

    Examples:
        >>> from agar.common.initializer import calculate_gain
        >>> calculate_gain("leaky_relu", 1.0)
        1.0
    """
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        if isinstance(param, bool) or not isinstance(param, (int, float, np.number)):
            raise ValueError(
                f"For 'calculate_gain', 'param' (the negative slope) must be int or float when "
                f"'nonlinearity' is 'leaky_relu', but got {param!r}."
            )
        return math.sqrt(2.0 / (1.0 + float(param) ** 2))
    try:
        return _GAINS[nonlinearity]
    except (KeyError, TypeError):
        raise ValueError(
            f"For 'calculate_gain', the argument 'nonlinearity' should be one of "
            f"{sorted([*_GAINS, 'leaky_relu'])}, but got {nonlinearity!r}."
        ) from None


_calculate_gain = calculate_gain


class _He(Initializer):
    """What HeUniform and HeNormal share: the arguments and the standard deviation."""

    def __init__(
        self,
        negative_slope: float = 0,
        mode: str = "fan_in",
        nonlinearity: str = "leaky_relu",
    ) -> None:
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        _checked_fan(type(self).__name__, mode)
        self.negative_slope = _single(negative_slope)
        calculate_gain(nonlinearity, self.negative_slope)
        self.mode = mode
        self.nonlinearity = nonlinearity

    def _deviation(self, shape: Sequence[int]) -> float:
        fan = _calculate_correct_fan(shape, self.mode)
        return calculate_gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


@_register("he_uniform")
class HeUniform(_He):
    r"""Uniform numbers for layers before a rectified linear unit. Alias ``"he_uniform"``.

    .. math:: U(-b, b), \quad b = gain \cdot \sqrt{3 / fan}

    Args:
        negative_slope (float): slope of ``leaky_relu``. Default: ``0``.
        mode (str): ``"fan_in"`` or ``"fan_out"``, which size of the layer counts.
            Default: ``"fan_in"``.
        nonlinearity (str): the activation, see :func:`calculate_gain`. Default: ``"leaky_relu"``.

    Raises:
        ValueError: `mode` or `nonlinearity` is unknown, `negative_slope` is not a number, or the
            tensor has fewer than two dimensions.

    Difference from PyTorch: ``torch.nn.init.kaiming_uniform_`` fills in place; same bounds.

    Source: He et al., Delving Deep into Rectifiers (2015); numbers equal MindSpore 2.10's bit for
    bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import HeUniform, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(HeUniform(5**0.5), [1, 2]).init_data())
        [[ 0.4122728  -0.36132878]]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        bound = math.sqrt(3.0) * self._deviation(arr.shape)
        arr[...] = initializer_fills.uniform(arr.shape, -bound, bound)


@_register("he_normal")
class HeNormal(_He):
    r"""Normal numbers for layers before a rectified linear unit. Alias ``"he_normal"``.

    .. math:: N(0, \sigma^2), \quad \sigma = gain / \sqrt{fan}

    Args:
        negative_slope (float): slope of ``leaky_relu``. Default: ``0``.
        mode (str): ``"fan_in"`` or ``"fan_out"``, which size of the layer counts.
            Default: ``"fan_in"``.
        nonlinearity (str): the activation, see :func:`calculate_gain`. Default: ``"leaky_relu"``.

    Raises:
        ValueError: `mode` or `nonlinearity` is unknown, `negative_slope` is not a number, or the
            tensor has fewer than two dimensions.

    Difference from PyTorch: ``torch.nn.init.kaiming_normal_`` fills in place; same deviation.

    Source: He et al., Delving Deep into Rectifiers (2015); numbers equal MindSpore 2.10's bit for
    bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import HeNormal, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(HeNormal(), [1, 2]).init_data())
        [[0.6530371 1.5091926]]
    """

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = initializer_fills.normal(arr.shape, 0.0, self._deviation(arr.shape))


@_register("xavier_uniform")
class XavierUniform(Initializer):
    r"""Uniform numbers that preserve the variance in both directions. Alias ``"xavier_uniform"``.

    .. math:: U(-b, b), \quad b = gain \cdot \sqrt{6 / (fan_{in} + fan_{out})}

    Args:
        gain (float): factor. Default: ``1``.

    Raises:
        TypeError: `gain` is not a number.
        ValueError: the tensor has fewer than two dimensions.

    Difference from PyTorch: ``torch.nn.init.xavier_uniform_`` fills in place; same bounds.

    Source: Glorot and Bengio, Understanding the difficulty of training deep feedforward networks
    (2010); numbers equal MindSpore 2.10's bit for bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import XavierUniform, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(XavierUniform(), [1, 2]).init_data())
        [[ 0.8245456  -0.72265756]]
    """

    def __init__(self, gain: float = 1) -> None:
        super().__init__(gain=gain)
        _number("XavierUniform", "gain", gain)
        self.gain = _single(gain)

    def _initialize(self, arr: np.ndarray) -> None:
        bound = self.gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(arr.shape)))
        arr[...] = initializer_fills.uniform(arr.shape, -bound, bound)


@_register("xavier_normal")
class XavierNormal(Initializer):
    r"""Normal numbers that preserve the variance in both directions. Alias ``"xavier_normal"``.

    .. math:: N(0, \sigma^2), \quad \sigma = gain \cdot \sqrt{2 / (fan_{in} + fan_{out})}

    Args:
        gain (float): factor. Default: ``1``.

    Raises:
        TypeError: `gain` is not a number.
        ValueError: the tensor has fewer than two dimensions, or `gain` is negative.

    Difference from PyTorch: ``torch.nn.init.xavier_normal_`` fills in place; same deviation.

    Source: Glorot and Bengio, Understanding the difficulty of training deep feedforward networks
    (2010); numbers equal MindSpore 2.10's bit for bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import XavierNormal, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(XavierNormal(), [1, 2]).init_data())
        [[0.5332025 1.2322507]]
    """

    def __init__(self, gain: float = 1) -> None:
        super().__init__(gain=gain)
        _not_negative("XavierNormal", "gain", gain)
        self.gain = _single(gain)

    def _initialize(self, arr: np.ndarray) -> None:
        sigma = self.gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(arr.shape)))
        arr[...] = initializer_fills.normal(arr.shape, 0.0, sigma)


@_register()
class VarianceScaling(Initializer):
    r"""Numbers whose variance is `scale` divided by a size of the layer.

    .. math:: \sigma^2 = scale / n, \quad b = \sqrt{3 \cdot scale / n}

    where n is fan_in, fan_out or their mean.

    NOTE Default distribution. MindSpore 2.10 draws uniform numbers for ``"truncated_normal"`` as
    well; networks that are initialized with it must be equal, so agar does the same. Use
    ``"untruncated_normal"`` for normal numbers.

    Args:
        scale (float): the variance, before division. Default: ``1.0``.
        mode (str): ``"fan_in"``, ``"fan_out"`` or ``"fan_avg"``. Default: ``"fan_in"``.
        distribution (str): ``"uniform"`` and ``"truncated_normal"`` draw from U(-b, b),
            ``"untruncated_normal"`` from N(0, sigma^2). Default: ``"truncated_normal"``.

    Raises:
        TypeError: `scale` is not a number.
        ValueError: `scale` is not positive, `mode` or `distribution` is unknown, or the tensor has
            fewer than two dimensions.

    Difference from PyTorch: no counterpart; the ``kaiming_*`` and ``xavier_*`` functions are
    special cases.

    Source: behavior observed in MindSpore 2.10; numbers are equal bit for bit.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import VarianceScaling, initializer
        >>> ms.set_seed(1)
        >>> print(initializer(VarianceScaling(), [3, 4]).init_data()[0, :2])
        [ 0.504929   -0.44253558]
    """

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal"
    ) -> None:
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        if _number("VarianceScaling", "scale", scale) <= 0:
            raise ValueError(
                "For VarianceScaling initializer, the argument 'scale' must be greater than 0, "
                f"but got {scale}."
            )
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(
                "For VarianceScaling initializer, the argument 'mode' must be fan_in, fan_out or "
                f"fan_avg, but got {mode}."
            )
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                "For VarianceScaling initializer, the argument 'distribution' must be uniform, "
                f"truncated_normal or untruncated_normal, but got {distribution}."
            )
        self.scale = _single(scale)
        self.mode = mode
        self.distribution = distribution

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = _calculate_fan_in_and_fan_out(arr.shape)
        size = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}
        variance = self.scale / size[self.mode]
        if self.distribution == "untruncated_normal":
            arr[...] = initializer_fills.normal(arr.shape, 0.0, math.sqrt(variance))
        else:
            bound = math.sqrt(3.0 * variance)
            arr[...] = initializer_fills.uniform(arr.shape, -bound, bound)


@_register()
class Orthogonal(Initializer):
    """A matrix with orthonormal rows or columns, whichever are fewer, times `gain`.

    Dimensions after the first are taken together.

    Args:
        gain (float): factor. Default: ``1.0``.

    Raises:
        TypeError: `gain` is not a number.
        ValueError: the tensor has fewer than two dimensions.

    Difference from PyTorch: ``torch.nn.init.orthogonal_`` fills in place.

    Source: Saxe et al., Exact solutions to the nonlinear dynamics of learning in deep linear
    neural networks (2013); numbers equal MindSpore 2.10's to rounding.

    Examples:
        >>> from agar.common.initializer import Orthogonal, initializer
        >>> q = initializer(Orthogonal(), [2, 2]).init_data().asnumpy()
        >>> print(abs(q @ q.T).round(5))
        [[1. 0.]
         [0. 1.]]
    """

    def __init__(self, gain: float = 1.0) -> None:
        super().__init__(gain=gain)
        _number("Orthogonal", "gain", gain)
        self.gain = _single(gain)

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim < 2:
            _dimensions("Orthogonal", arr, (), "no less than 2")
        arr[...] = initializer_fills.orthogonal(arr.shape, self.gain)


@_register()
class Sparse(Initializer):
    """A normal matrix in which a fraction of each column is zero.

    Args:
        sparsity (float): the fraction of zeros in a column, 0 to 1.
        sigma (float): standard deviation of the other elements. Default: ``0.01``.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `sparsity` or `sigma` is negative, or the tensor does not have two dimensions.

    Difference from PyTorch: ``torch.nn.init.sparse_`` fills in place.

    Source: Martens, Deep learning via Hessian-free optimization (2010); numbers equal MindSpore
    2.10's bit for bit.

    Examples:
        >>> from agar.common.initializer import Sparse, initializer
        >>> int((initializer(Sparse(0.5), [4, 4]).init_data().asnumpy() == 0).sum())
        8
    """

    def __init__(self, sparsity: float, sigma: float = 0.01) -> None:
        super().__init__(sparsity=sparsity, sigma=sigma)
        _not_negative("Sparse", "sparsity", sparsity)
        _not_negative("Sparse", "sigma", sigma)
        self.sparsity = _single(sparsity)
        self.sigma = _single(sigma)

    def _initialize(self, arr: np.ndarray) -> None:
        _dimensions("Sparse", arr, (2,), "2")
        arr[...] = initializer_fills.sparse(arr.shape, self.sparsity, self.sigma)


def _assignment(arr: np.ndarray, num: Any) -> np.ndarray:
    """Write `num` (a number or an array of the same shape) over `arr`; returns `arr`."""
    arr[...] = num
    return arr


# --------------------------------------------------------------------------------- initializer


def initializer(init: Any, shape: Any = None, dtype: Any = mstype.float32) -> Tensor:
    """A tensor that is filled when a Parameter is made of it, or when it is first used.

    Args:
        init (Union[Tensor, str, Initializer, Number]): an Initializer; its name in any case, such
            as ``"normal"``, ``"he_uniform"``, ``"zeros"``; a number, which fills the tensor; or a
            Tensor of the right shape, which is returned as it is.
        shape (Union[tuple, list, int]): the shape.
        dtype (Type): the type of the elements. Default: ``float32``.

    Returns:
        Tensor, not filled yet: ``has_init`` is True and it prints as ``<uninitialized>``.

    Raises:
        TypeError: `init` has the wrong type, or the named class needs arguments.
        ValueError: `init` is not a known name, `shape` is missing or not made of positive ints, or
            the Tensor `init` has another shape.

    Difference from PyTorch: ``torch.nn.init`` fills existing tensors.

    Source: behavior observed in MindSpore 2.10. There, using the tensor before ``init_data()`` is
    an error; here it is filled when it is used.

    Examples:
        >>> import agar as ms
        >>> from agar.common.initializer import initializer
        >>> print(ms.Parameter(initializer("ones", [1, 2]), name="w").data)
        [[1. 1.]]
    """
    if isinstance(init, Tensor):
        expected = None if shape is None else _checked_shape(shape)
        if expected != tuple(init.shape):
            raise ValueError(
                "For 'initializer', the shape of the 'init' argument should be same as the "
                f"argument 'shape', but got the 'init' shape {list(init.shape)} and the 'shape' "
                f"{None if expected is None else list(expected)}."
            )
        return init
    if isinstance(init, str):
        init = _by_name(init)
    elif isinstance(init, numbers.Number):
        init = Constant(init)
    elif not isinstance(init, Initializer):
        hint = ""
        if isinstance(init, type) and issubclass(init, Initializer):
            hint = f" Make an object of it: {init.__name__}()."
        elif isinstance(init, (np.ndarray, list, tuple)):
            hint = " Make a Tensor of it: ms.Tensor(array)."
        raise TypeError(
            "For 'initializer', the type of the 'init' argument should be 'Tensor', 'number', "
            f"'string' or 'initializer', but got {type(init)}.{hint}"
        )
    if shape is None:
        raise ValueError(
            "For 'initializer', the argument 'shape' must be given unless 'init' is a Tensor."
        )
    if dtype is None:
        raise ValueError("For 'initializer', the argument 'dtype' must not be None.")
    return Tensor(shape=_checked_shape(shape), dtype=dtype, init=init)


@functools.cache
def _needed(entry: type[Initializer]) -> list[str]:
    """The arguments that an initializer cannot be made without."""
    return [
        p.name
        for p in inspect.signature(entry).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]


def _by_name(name: str) -> Initializer:
    entry = _ALIASES.get(name.lower())
    if entry is None:
        raise ValueError(
            f"For 'initializer', the class corresponding to '{name}' was not found. Known names: "
            f"{', '.join(sorted(_ALIASES))}."
        )
    needed = _needed(entry)
    if needed:
        raise TypeError(
            f"For 'initializer', '{name}' needs the argument '{needed[0]}', which a string cannot "
            f"give; pass an object: {entry.__name__}({needed[0]}=...)."
        )
    return entry()


def _checked_shape(shape: Any) -> tuple[int, ...]:
    dims = shape if isinstance(shape, (tuple, list)) else (shape,)
    if not all(isinstance(n, (int, np.integer)) and n > 0 for n in dims):
        raise ValueError(
            "For 'initializer', the argument 'shape' is invalid, the value of 'shape' must be "
            f"positive integer, but got {tuple(dims) if isinstance(shape, list) else shape}."
        )
    return tuple(int(n) for n in dims)


runtime.initializer = initializer
