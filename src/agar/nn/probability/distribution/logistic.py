"""Logistic."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import TINY, float_type, in_domain
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Logistic"]


class Logistic(Distribution):
    r"""The logistic distribution.

    .. math::
        f(x) = \frac{e^{-z}}{b (1 + e^{-z})^2}, \quad z = \frac{x - a}{b}

    Args:
        loc (Union[int, float, list, numpy.ndarray, Tensor]): the location, a. Default:
            ``None``.
        scale (Union[int, float, list, numpy.ndarray, Tensor]): the scale, b, above 0. Default:
            ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Logistic"``.

    Raises:
        ValueError: `scale` is not positive.
        TypeError: `dtype` is not a float type.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> c = distribution.Logistic(0.0, 1.0)
        >>> print(c.cdf(ms.Tensor([-1.0, 0.0, 1.0])).asnumpy().round(4))
        [0.2689 0.5    0.7311]
    """

    _kind = "Logistic"
    _shown = (("location", "loc"), ("scale", "scale"))

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: Any = None,
        dtype: Any = mstype.float32,
        name: str = "Logistic",
    ) -> None:
        numbers = {"loc": loc, "scale": scale}
        float_type("Logistic", dtype)
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

    def _mean(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[0]

    def _mode(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[0]

    def _sd(self, loc: Any = None, scale: Any = None) -> Any:
        return self._check_param_type(loc, scale)[1] * (math.pi / math.sqrt(3.0))

    def _entropy(self, loc: Any = None, scale: Any = None) -> Any:
        return ops.log(self._check_param_type(loc, scale)[1]) + 2.0

    def _standard(self, value: Any, loc: Any, scale: Any) -> tuple[Any, Any]:
        """The value in units of the scale, and the scale."""
        value = self._value(value)
        loc, scale = self._check_param_type(loc, scale)
        return (value - loc) / scale, scale

    def _log_prob(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        z, scale = self._standard(value, loc, scale)
        return -z + 2.0 * ops.logsigmoid(z) - ops.log(scale)

    def _cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.sigmoid(self._standard(value, loc, scale)[0])

    def _log_cdf(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.logsigmoid(self._standard(value, loc, scale)[0])

    def _survival_function(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.sigmoid(-self._standard(value, loc, scale)[0])

    def _log_survival(self, value: Any, loc: Any = None, scale: Any = None) -> Any:
        return ops.logsigmoid(-self._standard(value, loc, scale)[0])

    def _sample(self, shape: Any = (), loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)

        def draw(size: tuple[int, ...]) -> Any:
            result = self._uniform(size, TINY)
            return (ops.log(result) - ops.log1p(-result)) * scale + loc

        return self._draw(shape, loc.shape, draw)
