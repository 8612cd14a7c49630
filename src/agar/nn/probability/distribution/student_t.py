"""StudentT."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar.nn.probability._tools import float_type, in_domain
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["StudentT"]


class StudentT(Distribution):
    r"""Student's t-distribution.

    .. math::
        f(x) = \frac{\Gamma((\nu + 1) / 2)}{\sqrt{\nu \pi} \, \sigma \, \Gamma(\nu / 2)}
        \left(1 + \frac{1}{\nu} \left(\frac{x - \mu}{\sigma}\right)^2\right)^{-(\nu + 1) / 2}

    It has :meth:`prob` and :meth:`log_prob`.

    Args:
        df (Union[int, float, list, numpy.ndarray, Tensor]): the degrees of freedom, nu, above 0.
            Default: ``None``.
        mean (Union[int, float, list, numpy.ndarray, Tensor]): the location, mu. Default:
            ``None``.
        sd (Union[int, float, list, numpy.ndarray, Tensor]): the scale, sigma, above 0. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"StudentT"``.

    Raises:
        ValueError: `df` or `sd` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.StudentT(df, loc, scale)``; `sd` is the scale.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> n = distribution.StudentT(3.0, 0.0, 1.0)
        >>> print(n.log_prob(ms.Tensor([0.0, 2.0])).asnumpy().round(4))
        [-1.0009 -2.6955]
    """

    _kind = "StudentT"

    def __init__(
        self,
        df: Any = None,
        mean: Any = None,
        sd: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "StudentT",
    ) -> None:
        numbers = {"df": df, "mean": mean, "sd": sd}
        float_type("StudentT", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._df_value = self._add_parameter(df, "df")
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        in_domain(self._sd_value, lambda v: v > 0, "Standard deviation must be greater than zero.")
        in_domain(self._df_value, lambda v: v > 0, "Degrees of freedom must be greater than zero.")

    def _log_prob(self, value: Any, df: Any = None, mean: Any = None, sd: Any = None) -> Any:
        value = self._value(value)
        df, mean, sd = self._check_param_type(df, mean, sd)
        z = (value - mean) / sd
        norm = (
            ops.log(ops.abs(sd))
            + 0.5 * ops.log(df)
            + 0.5 * math.log(math.pi)
            + ops.lgamma(0.5 * df)
            - ops.lgamma(0.5 * (df + 1.0))
        )
        return -0.5 * (df + 1.0) * ops.log1p(ops.square(z) / df) - norm
