"""TopKCategoricalAccuracy and its relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn.metrics.metric import Metric, is_one_hot, rearrange_inputs

__all__ = ["Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy"]


class TopKCategoricalAccuracy(Metric):
    """The fraction of samples whose class is among the k most likely.

    Args:
        k (int): the number of classes that count, at least 1.

    Raises:
        TypeError: `k` is not an int.
        ValueError: `k` is below 1.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.TopKCategoricalAccuracy(2)
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.2, 0.5, 0.3], [0.3, 0.1, 0.6]]), ms.Tensor([2, 1]))
        >>> metric.eval()
        0.5
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        if type(k) is not int:
            raise TypeError(
                "For 'TopKCategoricalAccuracy', the type of the argument 'k' should be int, but "
                f"got {type(k).__name__}."
            )
        if k < 1:
            raise ValueError(
                f"For 'TopKCategoricalAccuracy', the argument 'k' must be at least 1, but got {k}."
            )
        self.k = k
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._correct = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with predictions of shape (N, C) and labels of shape (N,) or one-hot.

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the predictions, of shape (N, C);
                the labels, of shape (N,), or one-hot of shape (N, C).

        Raises:
            ValueError: there are fewer than k classes, or the number of inputs is wrong.
        """
        y_pred, y = self._arrays(inputs, "predicted value, true value")
        if is_one_hot(y_pred, y):
            y = y.argmax(axis=1)
        if y_pred.ndim != 2 or y_pred.shape[1] < self.k:
            raise ValueError(
                f"For '{type(self).__name__}.update', the prediction must have the shape (N, C) "
                f"with at least {self.k} classes, but got {y_pred.shape}."
            )
        best = np.argsort(-y_pred, axis=1, kind="stable")[:, : self.k]
        self._correct += int((best == y.reshape(-1, 1)).any(axis=1).sum())
        self._samples_num += len(best)

    def eval(self) -> float:
        """The accuracy.

        Raises:
            RuntimeError: there are no samples yet.
        """
        self._needs_samples(self._samples_num)
        return self._correct / self._samples_num


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The fraction of samples whose class is the most likely one.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Top1CategoricalAccuracy()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.6, 0.4]]), ms.Tensor([1, 1]))
        >>> metric.eval()
        0.5
    """

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The fraction of samples whose class is among the five most likely.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Top5CategoricalAccuracy()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]]), ms.Tensor([0]))
        >>> metric.eval()
        0.0
    """

    def __init__(self) -> None:
        super().__init__(5)
