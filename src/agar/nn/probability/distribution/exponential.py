"""Exponential."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import TINY, float_type, in_domain, where, zeros_below
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Exponential"]


class Exponential(Distribution):
    r"""The exponential distribution.

    .. math::
        f(x) = \lambda e^{-\lambda x}, \quad x \ge 0

    Args:
        rate (Union[int, float, list, numpy.ndarray, Tensor]): lambda, above 0. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Exponential"``.

    Raises:
        ValueError: `rate` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.Exponential``; see :class:`Distribution`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> e = distribution.Exponential(2.0)
        >>> print(e.cdf(ms.Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4))
        [0.     0.     0.8647]
    """

    _kind = "Exponential"
    _shown = (("rate", "rate"),)

    def __init__(
        self,
        rate: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Exponential",
    ) -> None:
        numbers = {"rate": rate}
        float_type("Exponential", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._rate = self._add_parameter(rate, "rate")
        in_domain(self._rate, lambda v: v > 0, "rate must be greater than zero.")

    @property
    def rate(self) -> Any:
        """The parameter `rate`, or None."""
        return self._rate

    def _mean(self, rate: Any = None) -> Any:
        return 1.0 / self._check_param_type(rate)

    def _mode(self, rate: Any = None) -> Any:
        return ops.zeros_like(self._check_param_type(rate)).astype(self.dtype)

    def _sd(self, rate: Any = None) -> Any:
        return 1.0 / self._check_param_type(rate)

    def _entropy(self, rate: Any = None) -> Any:
        return 1.0 - ops.log(self._check_param_type(rate))

    def _log_prob(self, value: Any, rate: Any = None) -> Any:
        value = self._value(value)
        rate = self._check_param_type(rate)
        return where(value < 0.0, -math.inf, ops.log(rate) - rate * value)

    def _cdf(self, value: Any, rate: Any = None) -> Any:
        value = self._value(value)
        rate = self._check_param_type(rate)
        return zeros_below(value, 0.0, -ops.expm1(-rate * value))

    def _log_survival(self, value: Any, rate: Any = None) -> Any:
        value = self._value(value)
        rate = self._check_param_type(rate)
        return zeros_below(value, 0.0, -rate * value)

    def _kl_loss(self, dist: Any, rate_b: Any, rate: Any = None) -> Any:
        rate_b = self._others(dist, rate_b)
        rate = self._check_param_type(rate)
        return ops.log(rate) - ops.log(rate_b) + rate_b / rate - 1.0

    def _sample(self, shape: Any = (), rate: Any = None) -> Tensor:
        rate = self._check_param_type(rate)
        return self._draw(
            shape, rate.shape, lambda size: -ops.log(self._uniform(size, TINY)) / rate
        )
