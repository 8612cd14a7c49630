"""TransformedDistribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agar import ops
from agar._core.errors import describe
from agar.nn.probability._tools import float_type, where
from agar.nn.probability.bijector.bijector import Bijector
from agar.nn.probability.distribution.distribution import Distribution

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    r"""The distribution of g(X), where X has another distribution and g is a bijector.

    .. math::
        f(y) = f_X(g^{-1}(y)) \cdot (g^{-1})'(y)

    Args:
        bijector (Bijector): g.
        distribution (Distribution): the distribution of X, of a float type.
        seed (int): the seed of samples; None is 0. Samples of X are drawn with its own. Default:
            ``None``.
        name (str): the name. Default: ``"transformed_distribution"``.

    Raises:
        TypeError: `bijector` is not a Bijector, or `distribution` no Distribution of a float type.
        ValueError: the mean is asked for and g is not linear.

    Difference from PyTorch: ``torch.distributions.TransformedDistribution`` takes a list of
    transforms, after the distribution.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn import probability
        >>> shifted = probability.distribution.TransformedDistribution(
        ...     probability.bijector.ScalarAffine(2.0, 1.0),
        ...     probability.distribution.Normal(0.0, 1.0),
        ... )
        >>> print(shifted.mean(), shifted.cdf(ms.Tensor([1.0])))
        1.0 [0.5]
    """

    def __init__(
        self,
        bijector: Bijector,
        distribution: Distribution,
        seed: Any = None,
        name: str = "transformed_distribution",
    ) -> None:
        owner = type(self).__name__
        if not isinstance(bijector, Bijector):
            raise TypeError(
                f"For '{owner}', the 'bijector' must be a Bijector, but got {describe(bijector)}."
            )
        if not isinstance(distribution, Distribution):
            raise TypeError(
                f"For '{owner}', the 'distribution' must be a Distribution, but got "
                f"{describe(distribution)}."
            )
        float_type(owner, distribution.dtype)
        given = {"bijector": bijector, "distribution": distribution}
        super().__init__(seed, distribution.dtype, name, given)
        self._bijector = bijector
        self._distribution = distribution
        self._is_linear_transformation = bijector.is_constant_jacobian
        self._is_scalar_batch = distribution.is_scalar_batch and bijector.is_scalar_batch
        self._batch_shape = distribution.batch_shape
        self.default_parameters = distribution.default_parameters
        self.parameter_names = distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        self._broadcast_shape = None
        if self._batch_shape is not None and bijector.batch_shape is not None:
            meeting = np.broadcast_shapes(self._batch_shape, bijector.batch_shape)
            self._broadcast_shape = tuple(meeting)

    @property
    def bijector(self) -> Bijector:
        """The bijector."""
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        """The distribution of what is mapped."""
        return self._distribution

    @property
    def is_linear_transformation(self) -> bool:
        """Whether the bijector is linear."""
        return self._is_linear_transformation

    def _cdf(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        return self.distribution.cdf(self.bijector.inverse(value), *args, **kwargs)

    def _log_prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        result = self.distribution.log_prob(self.bijector.inverse(value), *args, **kwargs)
        whole = result + self.bijector.inverse_log_jacobian(value)
        # minus infinity stays, whatever the derivative is there
        return where(result == -math.inf, result, whole)

    def _prob(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        return ops.exp(self._log_prob(value, *args, **kwargs))

    def _mean(self, *args: Any, **kwargs: Any) -> Any:
        if not self.is_linear_transformation:
            raise ValueError("mean function must be implemented for non-linear transformation")
        return self.bijector.forward(self.distribution.mean(*args, **kwargs))

    def _sample(self, *args: Any, **kwargs: Any) -> Any:
        return self.bijector.forward(self.distribution.sample(*args, **kwargs))
