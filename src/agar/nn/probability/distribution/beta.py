"""Beta."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import float_type, in_domain, where
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Beta"]


class Beta(Distribution):
    r"""The beta distribution.

    .. math::
        f(x) = \frac{x^{\alpha - 1} (1 - x)^{\beta - 1}}{B(\alpha, \beta)}, \quad 0 < x < 1

    Args:
        concentration1 (Union[list, numpy.ndarray, Tensor]): alpha, above 0. Default:
            ``None``.
        concentration0 (Union[list, numpy.ndarray, Tensor]): beta, above 0. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Beta"``.

    Raises:
        ValueError: a parameter is not positive.
        TypeError: `dtype` is not a float type, or a parameter is a number instead of an array.

    Difference from PyTorch: ``torch.distributions.Beta``; see :class:`Distribution`. Samples are
    constants for gradients.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> b = distribution.Beta([3.0], [2.0])
        >>> print(b.prob(ms.Tensor([0.5])).asnumpy().round(4), b.mean().asnumpy().round(4))
        [1.5] [0.6]
    """

    _kind = "Beta"
    _shown = (("concentration1", "concentration1"), ("concentration0", "concentration0"))

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Beta",
    ) -> None:
        for given, label in (
            (concentration1, "concentration1"),
            (concentration0, "concentration0"),
        ):
            if isinstance(given, float):
                raise TypeError(f"Input {label} can't be scalar; write [{label}].")
        numbers = {"concentration1": concentration1, "concentration0": concentration0}
        float_type("Beta", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._concentration1 = self._add_parameter(concentration1, "concentration1")
        self._concentration0 = self._add_parameter(concentration0, "concentration0")
        in_domain(
            self._concentration1, lambda v: v > 0, "concentration1 must be greater than zero."
        )
        in_domain(
            self._concentration0, lambda v: v > 0, "concentration0 must be greater than zero."
        )

    @property
    def concentration1(self) -> Any:
        """The parameter `concentration1`, or None."""
        return self._concentration1

    @property
    def concentration0(self) -> Any:
        """The parameter `concentration0`, or None."""
        return self._concentration0

    def _mean(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        return alpha / (alpha + beta)

    def _var(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        total = alpha + beta
        return alpha * beta / (ops.square(total) * (total + 1.0))

    def _mode(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        inside = (alpha > 1.0) & (beta > 1.0)
        return where(inside, (alpha - 1.0) / (alpha + beta - 2.0), math.nan)

    def _entropy(self, concentration1: Any = None, concentration0: Any = None) -> Any:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        total = alpha + beta
        return (
            _lbeta(alpha, beta)
            - (alpha - 1.0) * ops.digamma(alpha)
            - (beta - 1.0) * ops.digamma(beta)
            + (total - 2.0) * ops.digamma(total)
        )

    def _log_prob(self, value: Any, concentration1: Any = None, concentration0: Any = None) -> Any:
        value = self._value(value)
        alpha, beta = self._check_param_type(concentration1, concentration0)
        power = (alpha - 1.0) * ops.log(value) + (beta - 1.0) * ops.log1p(-value)
        return power - _lbeta(alpha, beta)

    def _kl_loss(
        self,
        dist: Any,
        concentration1_b: Any,
        concentration0_b: Any,
        concentration1_a: Any = None,
        concentration0_a: Any = None,
    ) -> Any:
        alpha_b, beta_b = self._others(dist, concentration1_b, concentration0_b)
        alpha, beta = self._check_param_type(concentration1_a, concentration0_a)
        total, total_b = alpha + beta, alpha_b + beta_b
        return (
            _lbeta(alpha_b, beta_b)
            - _lbeta(alpha, beta)
            - ops.digamma(alpha) * (alpha_b - alpha)
            - ops.digamma(beta) * (beta_b - beta)
            + ops.digamma(total) * (total_b - total)
        )

    def _sample(
        self, shape: Any = (), concentration1: Any = None, concentration0: Any = None
    ) -> Tensor:
        alpha, beta = self._check_param_type(concentration1, concentration0)

        def draw(size: tuple[int, ...]) -> Any:
            one = ops.ones_like(alpha)
            first = ops.gamma(size, alpha, one, self.seed)
            return first / (first + ops.gamma(size, beta, one, self.seed))

        return self._draw(shape, alpha.shape, draw)


def _lbeta(alpha: Tensor, beta: Tensor) -> Tensor:
    """The logarithm of the beta function."""
    return ops.lgamma(alpha) + ops.lgamma(beta) - ops.lgamma(alpha + beta)
