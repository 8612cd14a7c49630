"""Gamma."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import float_type, in_domain, shape_of_all, where
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Gamma"]


class Gamma(Distribution):
    r"""The gamma distribution.

    .. math::
        f(x) = \frac{\beta^\alpha}{\Gamma(\alpha)} x^{\alpha - 1} e^{-\beta x}, \quad x > 0

    Args:
        concentration (Union[list, numpy.ndarray, Tensor]): alpha, above 0. Default: ``None``.
        rate (Union[list, numpy.ndarray, Tensor]): beta, above 0. Default: ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Gamma"``.

    Raises:
        ValueError: `concentration` or `rate` is not positive.
        TypeError: `dtype` is not a float type, or a parameter is a number instead of an array.

    Difference from PyTorch: ``torch.distributions.Gamma``; see :class:`Distribution`. Samples are
    constants for gradients.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> g = distribution.Gamma([3.0], [2.0])
        >>> print(g.mean(), g.var(), g.mode())
        [1.5] [0.75] [1.]
    """

    _kind = "Gamma"
    _shown = (("concentration", "concentration"), ("rate", "rate"))

    def __init__(
        self,
        concentration: Any = None,
        rate: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Gamma",
    ) -> None:
        for given, label in ((concentration, "concentration"), (rate, "rate")):
            if isinstance(given, (int, float)):
                raise TypeError(f"Input {label} can't be scalar; write [{label}].")
        numbers = {"concentration": concentration, "rate": rate}
        float_type("Gamma", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._concentration = self._add_parameter(concentration, "concentration")
        self._rate = self._add_parameter(rate, "rate")
        in_domain(self._concentration, lambda v: v > 0, "concentration must be greater than zero.")
        in_domain(self._rate, lambda v: v > 0, "rate must be greater than zero.")

    @property
    def concentration(self) -> Any:
        """The parameter `concentration`, or None."""
        return self._concentration

    @property
    def rate(self) -> Any:
        """The parameter `rate`, or None."""
        return self._rate

    def _mean(self, concentration: Any = None, rate: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration, rate)
        return alpha / beta

    def _var(self, concentration: Any = None, rate: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration, rate)
        return alpha / ops.square(beta)

    def _sd(self, concentration: Any = None, rate: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration, rate)
        return ops.sqrt(alpha) / beta

    def _mode(self, concentration: Any = None, rate: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration, rate)
        return where(alpha > 1.0, (alpha - 1.0) / beta, math.nan)

    def _entropy(self, concentration: Any = None, rate: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration, rate)
        return alpha - ops.log(beta) + ops.lgamma(alpha) + (1.0 - alpha) * ops.digamma(alpha)

    def _log_prob(self, value: Any, concentration: Any = None, rate: Any = None) -> Any:
        value = self._value(value)
        alpha, beta = self._check_param_type(concentration, rate)
        norm = ops.lgamma(alpha) - alpha * ops.log(beta)
        return (alpha - 1.0) * ops.log(value) - beta * value - norm

    def _cdf(self, value: Any, concentration: Any = None, rate: Any = None) -> Any:
        value = self._value(value)
        alpha, beta = self._check_param_type(concentration, rate)
        scaled = beta * value
        shape = shape_of_all((alpha, scaled))
        return ops.igamma(ops.broadcast_to(alpha, shape), ops.broadcast_to(scaled, shape))

    def _kl_loss(
        self,
        dist: Any,
        concentration_b: Any,
        rate_b: Any,
        concentration_a: Any = None,
        rate_a: Any = None,
    ) -> Any:
        alpha_b, beta_b = self._others(dist, concentration_b, rate_b)
        alpha, beta = self._check_param_type(concentration_a, rate_a)
        return (
            (alpha - alpha_b) * ops.digamma(alpha)
            + ops.lgamma(alpha_b)
            - ops.lgamma(alpha)
            + alpha_b * (ops.log(beta) - ops.log(beta_b))
            + alpha * (beta_b / beta - 1.0)
        )

    def _sample(self, shape: Any = (), concentration: Any = None, rate: Any = None) -> Tensor:
        alpha, beta = self._check_param_type(concentration, rate)
        return self._draw(shape, alpha.shape, lambda size: ops.gamma(size, alpha, beta, self.seed))
