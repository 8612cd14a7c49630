"""HalfNormal."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar.nn.probability._tools import float_type, in_domain, where
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["HalfNormal"]


class HalfNormal(Distribution):
    r"""The half normal distribution: that of the absolute value of a normal variable.

    .. math::
        f(x) = \frac{1}{\sigma} \sqrt{\frac{2}{\pi}} e^{-(x - \mu)^2 / 2 \sigma^2}, \quad x \ge 0

    It has :meth:`prob` and :meth:`log_prob`.

    Args:
        mean (Union[int, float, list, numpy.ndarray, Tensor]): mu. Default:
            ``None``.
        sd (Union[int, float, list, numpy.ndarray, Tensor]): sigma, above 0. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"HalfNormal"``.

    Raises:
        ValueError: `sd` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.HalfNormal`` has no location. As in MindSpore the
    density is cut at 0, not at `mean`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> n = distribution.HalfNormal(0.0, 2.0)
        >>> print(n.prob(ms.Tensor([-1.0, 2.0])).asnumpy().round(4))
        [0.    0.242]
    """

    _kind = "HalfNormal"

    def __init__(
        self,
        mean: Any = None,
        sd: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "HalfNormal",
    ) -> None:
        numbers = {"mean": mean, "sd": sd}
        float_type("HalfNormal", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        in_domain(self._sd_value, lambda v: v > 0, "Standard deviation must be greater than zero.")

    def _prob(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        value = self._value(value)
        mean, sd = self._check_param_type(mean, sd)
        height = math.sqrt(2.0 / math.pi) / sd
        density = height * ops.exp(-0.5 * ops.square((value - mean) / sd))
        return where(value >= 0, density, 0.0)
