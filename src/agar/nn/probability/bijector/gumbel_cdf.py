"""GumbelCDF."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.tensor import Tensor
from agar.nn.probability._tools import in_domain
from agar.nn.probability.bijector.bijector import Bijector

__all__ = ["GumbelCDF"]


class GumbelCDF(Bijector):
    r"""The cumulative distribution of Gumbel: :math:`g(x) = e^{-e^{-(x - loc) / scale}}`.

    Args:
        loc (Union[float, list, numpy.ndarray, Tensor]): the location. Default: ``0.0``.
        scale (Union[float, list, numpy.ndarray, Tensor]): the scale, above 0. Default: ``1.0``.
        name (str): the name. Default: ``"GumbelCDF"``.

    Raises:
        ValueError: `scale` is not positive.
        TypeError: `loc` and `scale` are of different types, or not of a float type.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bijector
        >>> print(bijector.GumbelCDF(1.0, 2.0).forward(ms.Tensor([1.0])).asnumpy().round(4))
        [0.3679]
    """

    _shown = (("loc", "loc"), ("scale", "scale"))

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF") -> None:
        numbers = {"loc": loc, "scale": scale}
        super().__init__(name=name, param={**numbers, "param_dict": numbers})
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        in_domain(self._scale, lambda v: v > 0, "scale must be greater than zero.")

    @property
    def loc(self) -> Tensor:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scale."""
        return self._scale

    def _split(self, value: Any) -> tuple[Tensor, Tensor, Tensor]:
        """The value, the location and the scale, all of one type."""
        value = self._check_value_dtype(value)
        first = self.cast_param_by_value(value, self.loc)
        return value, first, self.cast_param_by_value(value, self.scale)

    def _forward(self, x: Any) -> Tensor:
        x, loc, scale = self._split(x)
        return ops.exp(-ops.exp(-(x - loc) / scale))

    def _inverse(self, y: Any) -> Tensor:
        y, loc, scale = self._split(y)
        return loc - scale * ops.log(-ops.log(y))

    def _forward_log_jacobian(self, x: Any) -> Tensor:
        x, loc, scale = self._split(x)
        z = (x - loc) / scale
        return -z - ops.exp(-z) - ops.log(scale)

    def _inverse_log_jacobian(self, y: Any) -> Tensor:
        y, _, scale = self._split(y)
        return ops.log(scale / (-y * ops.log(y)))
