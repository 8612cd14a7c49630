"""Precision, and what it shares with Recall."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn.metrics.metric import EvaluationBase, rearrange_inputs

__all__ = ["PositivesBase", "Precision"]

_TINY = np.finfo(np.float64).eps


class PositivesBase(EvaluationBase):
    """Counts of predicted, actual and correct positives: by class, or for labels by sample.

    Args:
        eval_type (str): ``"classification"`` or ``"multilabel"``.

    Raises:
        TypeError: `eval_type` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import Precision
        >>> from agar.nn.metrics.precision import PositivesBase
        >>> issubclass(Precision, PositivesBase)
        True
    """

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._true_positives: np.ndarray | None = None
        self._predicted: np.ndarray = np.empty(0)
        self._actual: np.ndarray = np.empty(0)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with predictions and labels.

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the predictions, of shape (N, C,
                ...) for classification and (N, ...) of 0 and 1 for multilabel; the labels, of shape
                (N, ...), or of the shape of the predictions and one-hot; for multilabel of their
                shape, 0 and 1.

        Raises:
            ValueError: their number or shapes are wrong.
        """
        y_pred, y = self._arrays(inputs, "predicted value, true value")
        y = self._check(y_pred, y)
        if self._type == "classification":
            classes = y_pred.shape[1]
            chosen = np.eye(classes)[y_pred.argmax(axis=1).reshape(-1)]
            actual = np.eye(classes)[y.reshape(-1)]
            counts = [(chosen * actual).sum(0), chosen.sum(0), actual.sum(0)]
        else:
            chosen, actual = (
                np.moveaxis(v, 1, -1).reshape(-1, v.shape[1]).astype(np.float64)
                for v in (y_pred, y)
            )
            counts = [(chosen * actual).sum(1), chosen.sum(1), actual.sum(1)]
        if self._true_positives is None:
            self._true_positives, self._predicted, self._actual = counts
            return
        known = [self._true_positives, self._predicted, self._actual]
        if self._type == "classification":
            if len(counts[0]) != len(known[0]):
                raise ValueError(
                    f"For '{type(self).__name__}.update', the number of classes was "
                    f"{len(known[0])} and is now {len(counts[0])}; call clear first."
                )
            joined = [a + b for a, b in zip(known, counts, strict=True)]
        else:
            joined = [np.concatenate(pair) for pair in zip(known, counts, strict=True)]
        self._true_positives, self._predicted, self._actual = joined

    def _rates(self) -> tuple[np.ndarray, np.ndarray]:
        """Precision and recall."""
        if self._true_positives is None:
            self._needs_samples(0)
        true_positives = self._true_positives
        return true_positives / (self._predicted + _TINY), true_positives / (self._actual + _TINY)


class Precision(PositivesBase):
    r"""The fraction of predicted positives that are correct: :math:`TP / (TP + FP)`.

    Args:
        eval_type (str): ``"classification"`` or ``"multilabel"``. Default: ``"classification"``.

    Raises:
        TypeError: `eval_type` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Precision()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.6, 0.4], [0.1, 0.9]]), ms.Tensor([1, 0, 0]))
        >>> print(metric.eval())
        [1.  0.5]
    """

    def eval(self, average: bool = False) -> Any:
        """The value for each class (or sample), with `average` their mean.

        Args:
            average (bool): whether the mean over classes is given. Default: False.

        Returns:
            Union[float, numpy.ndarray], one number for each class (for each sample of multilabel),
            or the mean.

        Raises:
            RuntimeError: there are no samples yet.
        """
        entry = self._rates()[0]
        return float(entry.mean()) if average else entry
