"""ConfusionMatrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn import _checks as check
from agar.nn.metrics.metric import Metric, rearrange_inputs
from agar.ops._checks import choice, integer

__all__ = ["ConfusionMatrix"]


class ConfusionMatrix(Metric):
    """Confusion matrix: rows are labels, columns are predictions.

    Args:
        num_classes (int): the number of classes.
        normalize (str): ``"no_norm"`` for counts, or fractions of ``"target"`` (rows),
            ``"prediction"`` (columns) or ``"all"``. Default: ``"no_norm"``.
        threshold (float): the score from which on a prediction is positive, where predictions of
            one class have the labels' shape. Default: ``0.5``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `normalize` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.ConfusionMatrix(2)
        >>> metric.clear()
        >>> metric.update(ms.Tensor([1, 0, 1]), ms.Tensor([1, 0, 0]))
        >>> print(metric.eval())
        [[1. 1.]
         [0. 1.]]
    """

    def __init__(
        self, num_classes: int, normalize: str = "no_norm", threshold: float = 0.5
    ) -> None:
        super().__init__()
        owner = "ConfusionMatrix"
        self.num_classes = integer(owner, "num_classes", num_classes, 1)
        self.normalize = choice(
            owner, "normalize", normalize, ("target", "prediction", "all", "no_norm")
        )
        self.threshold = check.float_only(owner, "threshold", threshold)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with predictions and labels.

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the predictions, classes or for two
                classes scores of shape (N, ...), or scores of shape (N, C, ...); the labels, of
                shape (N, ...).

        Raises:
            ValueError: the shapes do not fit, or a class is out of range.
        """
        y_pred, y = self._arrays(inputs, "predicted value, true value")
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        elif y_pred.ndim == y.ndim and y_pred.dtype.kind == "f":
            y_pred = y_pred >= self.threshold if self.num_classes == 2 else y_pred
        if y_pred.shape != y.shape:
            raise ValueError(
                "For 'ConfusionMatrix.update', predictions must have the shape of the labels, or "
                f"one dimension of classes more, but got {y_pred.shape} and {y.shape}."
            )
        chosen, actual = (v.astype(np.int64).reshape(-1) for v in (y_pred, y))
        for values in (chosen, actual):
            if values.size and not 0 <= values.min() <= values.max() < self.num_classes:
                raise ValueError(
                    f"For 'ConfusionMatrix.update', classes must lie in [0, {self.num_classes}), "
                    f"but got {values.min()} to {values.max()}."
                )
        np.add.at(self.confusion_matrix, (actual, chosen), 1)
        self._is_update = True

    def eval(self) -> np.ndarray:
        """The matrix.

        Raises:
            RuntimeError: there are no samples yet.
        """
        if not self._is_update:
            raise RuntimeError("For 'ConfusionMatrix', call update before eval.")
        matrix = self.confusion_matrix
        if self.normalize == "no_norm":
            return matrix
        axis = {"target": 1, "prediction": 0, "all": None}[self.normalize]
        total = matrix.sum(axis=axis, keepdims=True)
        return np.divide(matrix, total, out=np.zeros_like(matrix), where=total > 0)
