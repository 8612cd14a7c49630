"""Cauchy."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import float_type, in_domain
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    r"""The Cauchy distribution, which has no mean and no variance.

    .. math::
        f(x) = \frac{1}{\pi b (1 + ((x - a) / b)^2)}

    Args:
        loc (Union[int, float, list, numpy.ndarray, Tensor]): the location, a. Default:
            ``None``.
        scale (Union[int, float, list, numpy.ndarray, Tensor]): the scale, b, above 0. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Cauchy"``.

    Raises:
        ValueError: `scale` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.Cauchy``, whose mean is nan; here it raises
    ValueError.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> c = distribution.Cauchy(0.0, 1.0)
        >>> print(c.cdf(ms.Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4))
        [0.25 0.5  0.75]
    """

    _kind = "Cauchy"
    _shown = (("location", "loc"), ("scale", "scale"))

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Cauchy",
    ) -> None:
        numbers = {"loc": loc, "scale": scale}
        float_type("Cauchy", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        in_domain(self._scale, lambda v: v > 0, "scale must be greater than zero.")

    @property
    def loc(self) -> Any:
        """The parameter `loc`, or None."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The parameter `scale`, or None."""
        return self._scale

    def _mode(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[0]

    def _mean(self, loc: Any = None, scale: Any = None) -> Any:
        raise ValueError("mean is undefined for Cauchy distribution.")

    def _sd(self, loc: Any = None, scale: Any = None) -> Any:
        raise ValueError("standard deviation is undefined for Cauchy distribution.")

    def _var(self, loc: Any = None, scale: Any = None) -> Any:
        raise ValueError("variance is undefined for Cauchy distribution.")

    def _entropy(self, loc: Any = None, scale: Any = None) -> Any:
        _, scale = self._check_param_type(loc, scale)
        return ops.log(scale) + math.log(4.0 * math.pi)

    def _log_prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        value = self._value(value)
        loc, scale = self._check_param_type(loc, scale)
        return -ops.log1p(ops.square((value - loc) / scale)) - ops.log(math.pi * scale)

    def _cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        value = self._value(value)
        loc, scale = self._check_param_type(loc, scale)
        return ops.atan((value - loc) / scale) / math.pi + 0.5

    def _log_cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        value = self._value(value)
        loc, scale = self._check_param_type(loc, scale)
        return ops.log1p(2.0 * ops.atan((value - loc) / scale) / math.pi) - math.log(2.0)

    def _quantile(self, p: Tensor, loc: Any = None, scale: Any = None) -> Any:
        loc, scale = self._check_param_type(loc, scale)
        return loc + scale * ops.tan(math.pi * (p - 0.5))

    def _kl_loss(
        self, dist: Any, loc_b: Any, scale_b: Any, loc_a: Any = None, scale_a: Any = None
    ) -> Any:
        loc_b, scale_b = self._others(dist, loc_b, scale_b)
        loc, scale = self._check_param_type(loc_a, scale_a)
        both = ops.square(scale + scale_b) + ops.square(loc - loc_b)
        return ops.log(both) - math.log(4.0) - ops.log(scale) - ops.log(scale_b)

    def _sample(self, shape: Any = (), loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return self._draw(
            shape, loc.shape, lambda size: self._quantile(self._uniform(size), loc, scale)
        )
