"""Perplexity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agar.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Perplexity"]


class Perplexity(Metric):
    r"""Perplexity of a language model.

    .. math:: PP = \exp\left(-\frac1N \sum_i \log p_i\right)

    where :math:`p_i` is the probability given to the label.

    Args:
        ignore_label (int): labels of this value are ignored. Default: ``None``.

    Raises:
        TypeError: `ignore_label` is not an int.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Perplexity()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.5, 0.5], [0.5, 0.5]]), ms.Tensor([0, 1]))
        >>> round(metric.eval(), 4)
        2.0
    """

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        if ignore_label is not None and type(ignore_label) is not int:
            raise TypeError(
                "For 'Perplexity', the argument 'ignore_label' must be int or None, but got "
                f"{ignore_label!r}."
            )
        self.ignore_label = ignore_label
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._sum_metric = 0.0
        self._num_inst = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with probabilities of shape (..., C) and labels of shape (...).

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the probabilities, of shape (...,
                C); the labels, of shape (...).

        Raises:
            RuntimeError: the shapes do not fit.
        """
        preds, labels = self._arrays(inputs, "predicted value, label")
        if preds.shape[:-1] != labels.shape:
            raise RuntimeError(
                "For 'Perplexity.update', predicted value and label should have the same shape but "
                f"for the last dimension, but got {preds.shape} and {labels.shape}."
            )
        chosen = np.take_along_axis(preds, labels[..., None].astype(np.int64), -1).reshape(-1)
        if self.ignore_label is not None:
            chosen = chosen[labels.reshape(-1) != self.ignore_label]
        self._sum_metric -= float(np.log(np.maximum(chosen, 1e-10)).sum())
        self._num_inst += chosen.size

    def eval(self) -> float:
        """The perplexity.

        Raises:
            RuntimeError: there are no samples yet.
        """
        self._needs_samples(self._num_inst)
        return math.exp(self._sum_metric / self._num_inst)
