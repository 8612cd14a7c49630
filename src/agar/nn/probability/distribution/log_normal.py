"""LogNormal."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import LOG_2PI, same_name, where
from agar.nn.probability.bijector.exp import Exp
from agar.nn.probability.distribution.normal import Normal
from agar.nn.probability.distribution.transformed_distribution import TransformedDistribution

__all__ = ["LogNormal"]


class LogNormal(TransformedDistribution):
    r"""The distribution of :math:`e^X` for a normal X.

    .. math::
        f(x) = \frac{1}{x \sigma \sqrt{2 \pi}} e^{-(\log x - \mu)^2 / 2 \sigma^2}, \quad x > 0

    Args:
        loc (Union[int, float, list, numpy.ndarray, Tensor]): the mean of X, mu. Default: ``None``.
        scale (Union[int, float, list, numpy.ndarray, Tensor]): the standard deviation of X, sigma,
            above 0. Default: ``None``.
        seed (int): the seed of samples. Default: ``0``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"LogNormal"``.

    Raises:
        ValueError: `scale` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.LogNormal``; see :class:`Distribution`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> n = distribution.LogNormal(0.0, 1.0)
        >>> print(n.mean().asnumpy().round(4), n.cdf(ms.Tensor([1.0])))
        1.6487 [0.5]
    """

    _kind = "LogNormal"
    _shown = (("loc", "loc"), ("scale", "scale"))

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: Any = 0,
        dtype: Any = mstype.float32,
        name: str = "LogNormal",
    ) -> None:
        super().__init__(Exp(), Normal(loc, scale, seed, dtype=dtype), seed, name)
        self._reset_parameters()
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")

    @property
    def loc(self) -> Any:
        """The parameter `loc`, or None."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The parameter `scale`, or None."""
        return self._scale

    def _mean(self, loc: Any = None, scale: Any = None) -> Any:
        loc, scale = self._check_param_type(loc, scale)
        return ops.exp(loc + 0.5 * ops.square(scale))

    def _mode(self, loc: Any = None, scale: Any = None) -> Any:
        loc, scale = self._check_param_type(loc, scale)
        return ops.exp(loc - ops.square(scale))

    def _var(self, loc: Any = None, scale: Any = None) -> Any:
        loc, scale = self._check_param_type(loc, scale)
        variance = ops.square(scale)
        return ops.expm1(variance) * ops.exp(2.0 * loc + variance)

    def _entropy(self, loc: Any = None, scale: Any = None) -> Any:
        loc, scale = self._check_param_type(loc, scale)
        return loc + 0.5 + ops.log(scale) + 0.5 * LOG_2PI

    def _cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        value = self._value(value)
        inside = value > 0.0
        result = super()._cdf(where(inside, value, 1.0), *self._check_param_type(loc, scale))
        return where(inside, result, 0.0)

    def _log_prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return super()._log_prob(self._value(value), *self._check_param_type(loc, scale))

    def _prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.exp(self._log_prob(value, loc, scale))

    def _kl_loss(
        self, dist: Any, loc_b: Any, scale_b: Any, loc_a: Any = None, scale_a: Any = None
    ) -> Any:
        same_name(dist, self._kind)
        own = self._check_param_type(loc_a, scale_a)
        return self.distribution.kl_loss("Normal", loc_b, scale_b, *own)

    def _sample(self, shape: Any = (), loc: Any = None, scale: Any = None) -> Tensor:
        own = self._check_param_type(loc, scale)
        return self.bijector.forward(self.distribution.sample(shape, *own))
