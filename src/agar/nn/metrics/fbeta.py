"""Fbeta and F1."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn.metrics.precision import PositivesBase

__all__ = ["F1", "Fbeta"]


class Fbeta(PositivesBase):
    r"""The weighted harmonic mean of precision and recall.

    .. math:: F_\beta = (1 + \beta^2) \frac{precision \cdot recall}{\beta^2 precision + recall}

    Args:
        beta (float): the weight of recall, above 0.

    Raises:
        ValueError: `beta` is not positive.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Fbeta(1)
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.6, 0.4], [0.1, 0.9]]), ms.Tensor([1, 0, 0]))
        >>> print(metric.eval().round(4))
        [0.6667 0.6667]
    """

    def __init__(self, beta: float) -> None:
        super().__init__()
        if not beta > 0:
            raise ValueError(
                f"For 'Fbeta', the argument 'beta' must be greater than 0, but got {beta}."
            )
        self.beta = beta

    def eval(self, average: bool = False) -> Any:
        """The value for each class, with `average` their mean.

        Args:
            average (bool): whether the mean over classes is given. Default: False.

        Returns:
            Union[float, numpy.ndarray], one number for each class, or the mean.

        Raises:
            RuntimeError: there are no samples yet.
        """
        precision, recall = self._rates()
        weight = self.beta**2
        under = weight * precision + recall + np.finfo(np.float64).eps
        result = (1 + weight) * precision * recall / under
        return float(result.mean()) if average else result


class F1(Fbeta):
    r"""The harmonic mean of precision and recall.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.F1()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.6, 0.4]]), ms.Tensor([1, 0]))
        >>> print(metric.eval())
        [1. 1.]
    """

    def __init__(self) -> None:
        super().__init__(1.0)
