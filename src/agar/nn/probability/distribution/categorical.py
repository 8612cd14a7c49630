"""Categorical."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.probability._tools import in_domain, number_type, shape_of_all, where, zeros_below
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["Categorical"]


class Categorical(Distribution):
    r"""The categorical distribution: k with the probability :math:`p_k`.

    .. math::
        P(k) = p_k, \quad k = 0, \ldots, n - 1

    Args:
        probs (Union[list, numpy.ndarray, Tensor]): the probabilities, in (0, 1), of shape (..., n);
            they sum to 1 along the last dimension. Default: ``None``.
        seed (int): the seed of samples; None is 0. Default: ``None``.
        dtype (Type): the type of samples, integral or floating. Default: ``int32``.
        name (str): the name. Default: ``"Categorical"``.

    Raises:
        ValueError: `probs` has no dimension, is not in (0, 1), or does not sum to 1.
        TypeError: `dtype` is not a type of numbers.

    Difference from PyTorch: ``torch.distributions.Categorical`` takes logits as well, and makes
    `probs` sum to 1; it has no mean.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import distribution
        >>> c = distribution.Categorical([0.25, 0.5, 0.25])
        >>> print(c.prob(ms.Tensor([0, 1])).asnumpy().round(4), c.mode())
        [0.25 0.5 ] 1
    """

    _kind = "Categorical"
    _shown = (("probs", "probs"),)

    def __init__(
        self,
        probs: Any = None,
        seed: Any = None,
        dtype: Any = mstype.int32,
        name: str = "Categorical",
    ) -> None:
        numbers = {"probs": probs}
        number_type("Categorical", dtype)
        super().__init__(seed, dtype, name, {**numbers, "param_dict": numbers})
        self._probs = self._add_parameter(probs, "probs")
        if self._probs is None:
            return
        if self._probs.ndim == 0:
            raise ValueError("probs for Categorical distribution must have rank >= 1.")
        in_domain(self._probs, lambda v: v > 0, "Probabilities must be greater than zero")
        in_domain(self._probs, lambda v: v < 1, "Probabilities must be less than one")
        total = self._probs.asnumpy().astype(np.float64).sum(-1)
        kind = mstype.dtype_to_nptype(self._probs.dtype)
        if not np.allclose(total, 1.0, rtol=10.0 * float(np.finfo(kind).eps), atol=0.0):
            raise ValueError(
                "Probabilities for each category should sum to one for Categorical distribution, "
                f"but got {total}."
            )
        self._is_scalar_batch = self._probs.ndim == 1
        self._broadcast_shape = self._probs.shape[:-1]

    @property
    def probs(self) -> Any:
        """The parameter `probs`, or None."""
        return self._probs

    def _moment(self, probs: Tensor, power: int) -> Tensor:
        """The expected power of the category."""
        numbers = ops.arange(probs.shape[-1]).astype(probs.dtype)
        return (numbers**power * probs).sum(-1, keepdims=True)

    def _mean(self, probs: Any = None) -> Any:
        return self._moment(self._check_param_type(probs), 1)

    def _mode(self, probs: Any = None) -> Any:
        return self._check_param_type(probs).argmax(-1).astype(self.dtype)

    def _var(self, probs: Any = None) -> Any:
        probs = self._check_param_type(probs)
        return self._moment(probs, 2) - ops.square(self._moment(probs, 1))

    def _entropy(self, probs: Any = None) -> Any:
        probs = self._check_param_type(probs)
        return -(ops.log(probs) * probs).sum(-1)

    def _kl_loss(self, dist: Any, probs_b: Any, probs: Any = None) -> Any:
        other = self._others(dist, probs_b)
        probs = self._check_param_type(probs)
        # as in MindSpore, probabilities that do not sum to 1 are made to
        own = ops.log_softmax(ops.log(probs), -1)
        return (ops.exp(own) * (own - ops.log_softmax(ops.log(other), -1))).sum(-1)

    def _chosen(self, table: Tensor, value: Any) -> tuple[Tensor, Tensor]:
        """What `table` has at the category of each value, and the category, rounded down."""
        value = self._check_value(value, "value").astype(table.dtype)
        # -0.5 is category 0, as in MindSpore
        value = where((value > -1.0) & (value < 0.0), 0.0, ops.floor(value))
        shape = shape_of_all((value, ops.stop_gradient(table)[..., 0]))
        last = table.shape[-1]
        place = ops.clamp(value, 0.0, float(last - 1)).astype(mstype.int64)
        place = ops.broadcast_to(place, shape)
        table = ops.broadcast_to(table, (*(shape or ()), last))
        result = ops.gather_elements(table, -1, place.expand_dims(-1))
        return result.reshape(shape), value

    def _log_prob(self, value: Any, probs: Any = None) -> Any:
        probs = self._check_param_type(probs)
        result, place = self._chosen(ops.log(probs), value)
        outside = (place < 0.0) | (place > float(probs.shape[-1] - 1))
        return where(outside, math.nan, result)

    def _cdf(self, value: Any, probs: Any = None) -> Any:
        probs = self._check_param_type(probs)
        result, place = self._chosen(ops.cumsum(probs, -1), value)
        return zeros_below(place, 0.0, result)

    def _sample(self, shape: Any = (), probs: Any = None) -> Tensor:
        probs = self._check_param_type(probs)
        batch = probs.shape[:-1]

        def draw(size: tuple[int, ...]) -> Any:
            rows = probs.reshape(-1, probs.shape[-1])
            count = math.prod(size) // rows.shape[0]
            return ops.multinomial(rows, count, True, self.seed).swapaxes(0, 1)

        return ops.stop_gradient(self._draw(shape, batch, draw))
