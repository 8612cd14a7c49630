"""Gumbel."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import EULER, TINY, float_type
from agar.nn.probability.bijector.gumbel_cdf import GumbelCDF
from agar.nn.probability.bijector.invert import Invert
from agar.nn.probability.distribution.transformed_distribution import TransformedDistribution
from agar.nn.probability.distribution.uniform import Uniform

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    r"""The Gumbel distribution: that of the largest of many values.

    .. math::
        f(x) = \frac{1}{b} e^{-z - e^{-z}}, \quad z = \frac{x - a}{b}

    Its parameters are those of the constructor alone; no call takes others.

    Args:
        loc (Union[float, list, numpy.ndarray, Tensor]): the location, a.
        scale (Union[float, list, numpy.ndarray, Tensor]): the scale, b, above 0.
        seed (int): the seed of samples. Default: ``0``.
        dtype (Type): the type of samples. Default: ``float32``.
        name (str): the name. Default: ``"Gumbel"``.

    Raises:
        ValueError: `scale` is not positive.
        TypeError: `dtype` is not a float type, or `loc` and `scale` are of different types.

    Difference from PyTorch: ``torch.distributions.Gumbel``; there is ``kl_loss``.

    Source: behavior observed in MindSpore 2.10, whose mode is `loc` times 1 as here.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> g = distribution.Gumbel(1.0, 2.0)
        >>> print(g.mean().asnumpy().round(4), g.cdf(ms.Tensor([1.0])).asnumpy().round(4))
        2.1544 [0.3679]
    """

    _kind = "Gumbel"
    _shown = (("loc", "loc"), ("scale", "scale"))

    def __init__(
        self,
        loc: Any,
        scale: Any,
        seed: Any = 0,
        dtype: Any = mstype.float32,
        name: str = "Gumbel",
    ) -> None:
        float_type("Gumbel", dtype)
        cumulative = GumbelCDF(loc, scale)
        super().__init__(Invert(cumulative), Uniform(0.0, 1.0, seed, dtype=dtype), seed, name)
        self._reset_parameters()
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        self._gumbel_bijector = cumulative

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale."""
        return self._scale

    def _both(self) -> Any:
        return self._check_param_type(None, None)

    def _mean(self) -> Any:
        loc, scale = self._both()
        return loc + scale * EULER

    def _mode(self) -> Any:
        return self._both()[0]

    def _sd(self) -> Any:
        return self._both()[1] * (math.pi / math.sqrt(6.0))

    def _entropy(self) -> Any:
        return 1.0 + ops.log(self._both()[1]) + EULER

    def _log_prob(self, value: Any) -> Any:
        value = self._value(value)
        loc, scale = self._both()
        z = (value - loc) / scale
        return -(z + ops.exp(-z)) - ops.log(scale)

    def _cdf(self, value: Any) -> Any:
        return self._gumbel_bijector.forward(self._value(value))

    def _kl_loss(self, dist: Any, loc_b: Any, scale_b: Any) -> Any:
        loc_b, scale_b = self._others(dist, loc_b, scale_b)
        loc, scale = self._both()
        ratio = scale / scale_b
        return (
            ops.log(scale_b / scale)
            + EULER * (ratio - 1.0)
            + (loc - loc_b) / scale_b
            + ops.expm1((loc_b - loc) / scale_b + ops.lgamma(ratio + 1.0))
        )

    def _sample(self, shape: Any = ()) -> Tensor:
        batch = self.broadcast_shape or ()
        return self._draw(
            shape, batch, lambda size: self.bijector.forward(self._uniform(size, TINY))
        )
