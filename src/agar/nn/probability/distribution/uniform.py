"""Uniform."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import float_type, where
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Uniform"]


class Uniform(Distribution):
    r"""The uniform distribution.

    .. math::
        f(x) = \frac{1}{b - a}, \quad a \le x \le b

    Args:
        low (Union[int, float, list, numpy.ndarray, Tensor]): the lower bound, a. Default:
            ``None``.
        high (Union[int, float, list, numpy.ndarray, Tensor]): the upper bound, b, above a. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Uniform"``.

    Raises:
        ValueError: `low` is not below `high`.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.Uniform``; values outside have the probability 0.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> u = distribution.Uniform(0.0, 2.0)
        >>> print(u.prob(ms.Tensor([-1.0, 1.0])), u.mean())
        [0.  0.5] 1.0
    """

    _kind = "Uniform"
    _shown = (("low", "low"), ("high", "high"))

    def __init__(
        self,
        low: Any = None,
        high: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Uniform",
    ) -> None:
        numbers = {"low": low, "high": high}
        float_type("Uniform", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._low = self._add_parameter(low, "low")
        self._high = self._add_parameter(high, "high")
        if (
            isinstance(self._low, Tensor)
            and isinstance(self._high, Tensor)
            and not (self._low.asnumpy() < self._high.asnumpy()).all()
        ):
            raise ValueError("low must be less than high")

    @property
    def low(self) -> Any:
        """The parameter `low`, or None."""
        return self._low

    @property
    def high(self) -> Any:
        """The parameter `high`, or None."""
        return self._high

    def _mean(self, low: Any = None, high: Any = None) -> Any:
        low, high = self._check_param_type(low, high)
        return (low + high) / 2.0

    def _var(self, low: Any = None, high: Any = None) -> Any:
        low, high = self._check_param_type(low, high)
        return ops.square(high - low) / 12.0

    def _entropy(self, low: Any = None, high: Any = None) -> Any:
        low, high = self._check_param_type(low, high)
        return ops.log(high - low)

    def _prob(self, value: Any, low: Any = None, high: Any = None) -> Any:
        value = self._value(value)
        low, high = self._check_param_type(low, high)
        return where((value >= low) & (value <= high), 1.0 / (high - low), 0.0)

    def _cdf(self, value: Any, low: Any = None, high: Any = None) -> Any:
        value = self._value(value)
        low, high = self._check_param_type(low, high)
        return ops.clamp((value - low) / (high - low), 0.0, 1.0)

    def _kl_loss(
        self, dist: Any, low_b: Any, high_b: Any, low: Any = None, high: Any = None
    ) -> Any:
        low_b, high_b = self._others(dist, low_b, high_b)
        low, high = self._check_param_type(low, high)
        inside = (low_b <= low) & (high <= high_b)
        return where(inside, ops.log(high_b - low_b) - ops.log(high - low), math.inf)

    def _sample(self, shape: Any = (), low: Any = None, high: Any = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return self._draw(shape, low.shape, lambda size: (high - low) * self._uniform(size) + low)
