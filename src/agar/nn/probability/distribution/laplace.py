"""Laplace."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar.nn.probability._tools import float_type, in_domain
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Laplace"]


class Laplace(Distribution):
    r"""The Laplace distribution.

    .. math::
        f(x) = \frac{1}{2 b} e^{-|x - \mu| / b}

    It has :meth:`prob` and :meth:`log_prob`.

    Args:
        mean (Union[int, float, list, numpy.ndarray, Tensor]): the location, mu. Default:
            ``None``.
        sd (Union[int, float, list, numpy.ndarray, Tensor]): the scale, b, above 0. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Laplace"``.

    Raises:
        ValueError: `sd` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: ``torch.distributions.Laplace(loc, scale)``; `sd` is the scale.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> n = distribution.Laplace(0.0, 2.0)
        >>> print(n.log_prob(ms.Tensor([0.0, 2.0])).asnumpy().round(4))
        [-1.3863 -2.3863]
    """

    _kind = "Laplace"

    def __init__(
        self,
        mean: Any = None,
        sd: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Laplace",
    ) -> None:
        numbers = {"mean": mean, "sd": sd}
        float_type("Laplace", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        in_domain(self._sd_value, lambda v: v > 0, "Standard deviation must be greater than zero.")

    def _log_prob(self, value: Any, mean: Any = None, sd: Any = None) -> Any:
        value = self._value(value)
        mean, sd = self._check_param_type(mean, sd)
        return -ops.abs((value - mean) / sd) - ops.log(2.0 * sd)
