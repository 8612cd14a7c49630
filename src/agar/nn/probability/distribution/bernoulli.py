"""Bernoulli."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import in_domain, number_type, where
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Bernoulli"]


class Bernoulli(Distribution):
    r"""The Bernoulli distribution: 1 with the probability p, else 0.

    .. math::
        P(1) = p, \quad P(0) = 1 - p

    Args:
        probs (Union[int, float, list, numpy.ndarray, Tensor]): p, in (0, 1). Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples, integral or floating. Default: ``int32``.
        name (str): the name. Default: ``"Bernoulli"``.

    Raises:
        ValueError: `probs` is not in (0, 1).
        TypeError: `dtype` is not a type of numbers.

    Difference from PyTorch: ``torch.distributions.Bernoulli``; see :class:`Distribution`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> b = distribution.Bernoulli(0.25)
        >>> print(b.prob(ms.Tensor([0, 1])).asnumpy().round(4))
        [0.75 0.25]
    """

    _kind = "Bernoulli"
    _call_names = ("probs1",)
    _shown = (("probs", "probs"),)

    def __init__(
        self,
        probs: Any = None,
        seed: Any = None,
        dtype: Any = mstype.int32,
        name: str = "Bernoulli",
    ) -> None:
        numbers = {"probs": probs}
        number_type("Bernoulli", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._probs = self._add_parameter(probs, "probs")
        in_domain(self._probs, lambda v: v > 0, "Probabilities must be greater than zero")
        in_domain(self._probs, lambda v: v < 1, "Probabilities must be less than one")

    @property
    def probs(self) -> Any:
        """The parameter `probs`, or None."""
        return self._probs

    def _mean(self, probs1: Any = None) -> Any:
        return self._check_param_type(probs1)

    def _mode(self, probs1: Any = None) -> Any:
        return (self._check_param_type(probs1) > 0.5).astype(self.dtype)

    def _var(self, probs1: Any = None) -> Any:
        p = self._check_param_type(probs1)
        return p * (1.0 - p)

    def _entropy(self, probs1: Any = None) -> Any:
        p = self._check_param_type(probs1)
        return -(1.0 - p) * ops.log1p(-p) - p * ops.log(p)

    def _log_prob(self, value: Any, probs1: Any = None) -> Any:
        value = self._check_value(value, "value").astype(self.parameter_type)
        p = self._check_param_type(probs1)
        least = float(np.finfo(mstype.dtype_to_nptype(self.parameter_type)).eps)
        p = ops.clamp(p, least, 1.0 - least)
        return ops.log(p) * value + ops.log(1.0 - p) * (1.0 - value)

    def _cdf(self, value: Any, probs1: Any = None) -> Any:
        value = ops.floor(self._check_value(value, "value").astype(self.parameter_type))
        rest = 1.0 - self._check_param_type(probs1)
        one = ops.ones_like(rest)
        return where(value < 0.0, 0.0 * rest, where(value < 1.0, rest, one))

    def _kl_loss(self, dist: Any, probs1_b: Any, probs1: Any = None) -> Any:
        q = self._others(dist, probs1_b)
        p = self._check_param_type(probs1)
        return p * ops.log(p / q) + (1.0 - p) * ops.log((1.0 - p) / (1.0 - q))

    def _sample(self, shape: Any = (), probs1: Any = None) -> Tensor:
        p = self._check_param_type(probs1)
        return self._draw(shape, p.shape, lambda size: self._uniform(size) < p)
