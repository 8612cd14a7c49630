"""MAE and MSE."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["MAE", "MSE"]


class _Error(Metric):
    """A sum over all elements, divided by the number of samples."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._sum = 0.0
        self._samples_num = 0

    def _size(self, difference: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with predictions and labels.

        Raises:
            ValueError: their number is wrong, or their shapes differ.
        """
        y_pred, y = self._arrays(inputs, "predicted value, true value")
        if y_pred.size != y.size:
            raise ValueError(
                f"For '{type(self).__name__}.update', prediction and label must have one size, but "
                f"got the shapes {y_pred.shape} and {y.shape}."
            )
        difference = y.reshape(y_pred.shape) - y_pred
        self._sum += float(self._size(difference).sum())
        self._samples_num += y.shape[0] if y.ndim else 1

    def eval(self) -> float:
        """The value.

        Raises:
            RuntimeError: there are no samples yet.
        """
        self._needs_samples(self._samples_num)
        return self._sum / self._samples_num


class MAE(_Error):
    r"""Mean absolute error: :math:`\sum |y_{pred} - y| / N`, where N is the number of samples.

    Difference from PyTorch: PyTorch itself has no metrics; ``torch.nn.L1Loss`` divides by the
    number of elements.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.MAE()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([2.0, 2.0, 5.0]))
        >>> metric.eval()
        1.0
    """

    def _size(self, difference: np.ndarray) -> np.ndarray:
        return np.abs(difference)


class MSE(_Error):
    r"""Mean squared error: :math:`\sum (y_{pred} - y)^2 / N`, where N is the number of samples.

    Difference from PyTorch: PyTorch itself has no metrics; ``torch.nn.MSELoss`` divides by the
    number of elements.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.MSE()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([1.0, 2.0]), ms.Tensor([2.0, 5.0]))
        >>> metric.eval()
        5.0
    """

    def _size(self, difference: np.ndarray) -> np.ndarray:
        return difference * difference
