"""Normal."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import LOG_2PI, float_type, in_domain
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Normal"]


class Normal(Distribution):
    r"""The normal distribution.

    .. math::
        f(x) = \frac{1}{\sigma \sqrt{2 \pi}} e^{-(x - \mu)^2 / 2 \sigma^2}

    Args:
        mean (Union[int, float, list, numpy.ndarray, Tensor]): the mean, mu. Default:
            ``None``.
        sd (Union[int, float, list, numpy.ndarray, Tensor]): the standard deviation, sigma, above 0.
            Default: ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Normal"``.

    Raises:
        ValueError: `sd` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.Normal(loc, scale)``; see :class:`Distribution`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> n = distribution.Normal(1.0, 2.0)
        >>> print(n.log_prob(ms.Tensor([1.0, 3.0])).asnumpy().round(4))
        [-1.6121 -2.1121]
    """

    _kind = "Normal"
    _shown = (("mean", "_mean_value"), ("standard deviation", "_sd_value"))

    def __init__(
        self,
        mean: Any = None,
        sd: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Normal",
    ) -> None:
        numbers = {"mean": mean, "sd": sd}
        float_type("Normal", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        in_domain(self._sd_value, lambda v: v > 0, "Standard deviation must be greater than zero.")

    def _mean(self, mean: Any = None, sd: Any = None) -> Any:
        return self._check_param_type(mean, sd)[0]

    def _mode(self, mean: Any = None, sd: Any = None) -> Any:
        return self._check_param_type(mean, sd)[0]

    def _sd(self, mean: Any = None, sd: Any = None) -> Any:
        return self._check_param_type(mean, sd)[1]

    def _entropy(self, mean: Any = None, sd: Any = None) -> Any:
        _, sd = self._check_param_type(mean, sd)
        return 0.5 + 0.5 * LOG_2PI + ops.log(sd)

    def _log_prob(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        value = self._value(value)
        mean, sd = self._check_param_type(mean, sd)
        return -0.5 * ops.square((value - mean) / sd) - 0.5 * LOG_2PI - ops.log(sd)

    def _cdf(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        value = self._value(value)
        mean, sd = self._check_param_type(mean, sd)
        return 0.5 * (1.0 + ops.erf((value - mean) / (sd * math.sqrt(2.0))))

    def _kl_loss(self, dist: Any, mean_b: Any, sd_b: Any, mean: Any = None, sd: Any = None) -> Any:
        mean_b, sd_b = self._others(dist, mean_b, sd_b)
        mean, sd = self._check_param_type(mean, sd)
        wider = ops.log(sd) - ops.log(sd_b)
        apart = ops.square(mean / sd_b - mean_b / sd_b)
        return 0.5 * apart + 0.5 * ops.expm1(2.0 * wider) - wider

    def _sample(self, shape: Any = (), mean: Any = None, sd: Any = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return self._draw(shape, mean.shape, lambda size: ops.normal(size, mean, sd, self.seed))
