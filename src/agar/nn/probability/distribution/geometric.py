"""Geometric."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import TINY, in_domain, number_type, zeros_below
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Geometric"]


class Geometric(Distribution):
    r"""The geometric distribution: the number of failures before the first success.

    .. math::
        P(k) = p (1 - p)^k, \quad k = 0, 1, 2, \ldots

    Args:
        probs (Union[int, float, list, numpy.ndarray, Tensor]): the probability of success, p, in
            (0, 1). Default: ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples, integral or floating. Default: ``int32``.
        name (str): the name. Default: ``"Geometric"``.

    Raises:
        ValueError: `probs` is not in (0, 1).
        TypeError: `dtype` is not a type of numbers.

    Difference from PyTorch: ``torch.distributions.Geometric``; see :class:`Distribution`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> g = distribution.Geometric(0.5)
        >>> print(g.prob(ms.Tensor([0, 1, 2])).asnumpy().round(4))
        [0.5   0.25  0.125]
    """

    _kind = "Geometric"
    _call_names = ("probs1",)
    _shown = (("probs", "probs"),)

    def __init__(
        self,
        probs: Any = None,
        seed: Any = None,
        dtype: Any = mstype.int32,
        name: str = "Geometric",
    ) -> None:
        numbers = {"probs": probs}
        number_type("Geometric", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._probs = self._add_parameter(probs, "probs")
        in_domain(self._probs, lambda v: v > 0, "Probabilities must be greater than zero")
        in_domain(self._probs, lambda v: v < 1, "Probabilities must be less than one")

    @property
    def probs(self) -> Any:
        """The parameter `probs`, or None."""
        return self._probs

    def _mean(self, probs1: Any = None) -> Any:
        p = self._check_param_type(probs1)
        return (1.0 - p) / p

    def _mode(self, probs1: Any = None) -> Any:
        return ops.zeros_like(self._check_param_type(probs1)).astype(self.dtype)

    def _var(self, probs1: Any = None) -> Any:
        p = self._check_param_type(probs1)
        return (1.0 - p) / ops.square(p)

    def _entropy(self, probs1: Any = None) -> Any:
        p = self._check_param_type(probs1)
        return (-(1.0 - p) * ops.log1p(-p) - p * ops.log(p)) / p

    def _prob(self, value: Any, probs1: Any = None) -> Any:
        value = ops.floor(self._check_value(value, "value").astype(self.parameter_type))
        p = self._check_param_type(probs1)
        return zeros_below(value, 0.0, ops.exp(ops.log1p(-p) * value + ops.log(p)))

    def _cdf(self, value: Any, probs1: Any = None) -> Any:
        value = ops.floor(self._check_value(value, "value").astype(self.parameter_type))
        p = self._check_param_type(probs1)
        return zeros_below(value, 0.0, -ops.expm1(ops.log1p(-p) * (value + 1.0)))

    def _kl_loss(self, dist: Any, probs1_b: Any, probs1: Any = None) -> Any:
        q = self._others(dist, probs1_b)
        p = self._check_param_type(probs1)
        return ops.log(p / q) + (1.0 - p) / p * ops.log((1.0 - p) / (1.0 - q))

    def _sample(self, shape: Any = (), probs1: Any = None) -> Tensor:
        p = self._check_param_type(probs1)

        def draw(size: tuple[int, ...]) -> Any:
            return ops.floor(ops.log(self._uniform(size, TINY)) / ops.log1p(-p))

        return self._draw(shape, p.shape, draw)
