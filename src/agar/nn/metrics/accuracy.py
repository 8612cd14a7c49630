"""Accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn.metrics.metric import EvaluationBase, rearrange_inputs

__all__ = ["Accuracy"]


class Accuracy(EvaluationBase):
    r"""The fraction of samples that are predicted correctly: :math:`correct / total`.

    Args:
        eval_type (str): ``"classification"``, predictions of shape (N, C, ...) and labels of shape
            (N, ...) or one-hot; or ``"multilabel"``, where a sample is correct if all of its labels
            are. Default: ``"classification"``.

    Raises:
        TypeError: `eval_type` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Accuracy()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.6, 0.4]]), ms.Tensor([1, 1]))
        >>> metric.eval()
        0.5
    """

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._correct_num = 0
        self._total_num = 0

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
            right = y_pred.argmax(axis=1) == y
        else:
            right = (y_pred == y).all(axis=1)
        self._correct_num += int(np.sum(right))
        self._total_num += right.size

    def eval(self) -> float:
        """The accuracy.

        Raises:
            RuntimeError: there are no samples yet.
        """
        self._needs_samples(self._total_num)
        return self._correct_num / self._total_num
