"""Poisson."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import in_domain, number_type, shape_of_all, where, zeros_below
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Poisson"]


class Poisson(Distribution):
    r"""The Poisson distribution: the number of rare events.

    .. math::
        P(k) = \frac{\lambda^k}{k!} e^{-\lambda}, \quad k = 0, 1, 2, \ldots

    Args:
        rate (Union[list, numpy.ndarray, Tensor]): lambda, above 0. Default: ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples, integral or floating. Default: ``float32``.
        name (str): the name. Default: ``"Poisson"``.

    Raises:
        ValueError: `rate` is not positive.
        TypeError: `dtype` is not a type of numbers, or `rate` is a number instead of an array.

    Difference from PyTorch: ``torch.distributions.Poisson``; see :class:`Distribution`. As in
    MindSpore values are not rounded down.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> p = distribution.Poisson([2.0])
        >>> print(p.prob(ms.Tensor([0.0, 1.0, 2.0])).asnumpy().round(4))
        [0.1353 0.2707 0.2707]
    """

    _kind = "Poisson"
    _shown = (("rate", "rate"),)

    def __init__(
        self,
        rate: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Poisson",
    ) -> None:
        if isinstance(rate, (int, float)):
            raise TypeError("Input rate can't be scalar; write [rate].")
        numbers = {"rate": rate}
        number_type("Poisson", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._rate = self._add_parameter(rate, "rate")
        in_domain(self._rate, lambda v: v > 0, "rate must be greater than zero.")

    @property
    def rate(self) -> Any:
        """The parameter `rate`, or None."""
        return self._rate

    def _mean(self, rate: Any = None) -> Any:
        return self._check_param_type(rate)

    def _mode(self, rate: Any = None) -> Any:
        return ops.floor(self._check_param_type(rate))

    def _var(self, rate: Any = None) -> Any:
        return self._check_param_type(rate)

    def _log_prob(self, value: Any, rate: Any = None) -> Any:
        value = self._value(value).astype(self.parameter_type)
        rate = self._check_param_type(rate)
        below = value < 0.0
        count = where(below, 0.0, value)
        result = ops.log(rate) * count - ops.lgamma(count + 1.0) - rate
        return where(below, -math.inf, result)

    def _cdf(self, value: Any, rate: Any = None) -> Any:
        value = self._value(value).astype(self.parameter_type)
        rate = self._check_param_type(rate)
        count = where(value < 0.0, 0.0, value)
        below = ops.igamma(*_alike(1.0 + count, rate))
        return zeros_below(value, 0.0, 1.0 - below)

    def _sample(self, shape: Any = (), rate: Any = None) -> Tensor:
        rate = self._check_param_type(rate).astype(mstype.float32)

        def draw(size: tuple[int, ...]) -> Any:
            first = size[: len(size) - len(rate.shape)]
            return ops.random_poisson(first or (1,), rate, self.seed)

        return self._draw(shape, rate.shape, draw)


def _alike(*values: Tensor) -> tuple[Tensor, ...]:
    """Tensors of one shape."""
    shape = shape_of_all(values)
    return tuple(v if v.shape == shape else ops.broadcast_to(v, shape) for v in values)
