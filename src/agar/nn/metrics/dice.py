"""Dice."""

from __future__ import annotations

from typing import Any

from agar.nn import _checks as check
from agar.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Dice"]


class Dice(Metric):
    r"""The overlap of prediction and label.

    .. math:: \frac{2 \sum y_{pred} y}{\sum y_{pred}^2 + \sum y^2 + smooth}

    summed over batches and divided by the number of samples.

    Args:
        smooth (float): added to the divisor, above 0. Default: ``1e-5``.

    Raises:
        TypeError: `smooth` is not a float.
        ValueError: it is not positive.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Dice()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.0, 1.0]]), ms.Tensor([[0.0, 1.0]]))
        >>> round(metric.eval(), 4)
        1.0
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = check.positive("Dice", "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._dice_coeff_sum = 0.0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with predictions and labels of one shape.

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the predictions; the labels, of the
                same shape.

        Raises:
            ValueError: the shapes differ.
        """
        y_pred, y = self._arrays(inputs, "predicted value, true value")
        if y_pred.shape != y.shape:
            raise ValueError(
                "For 'Dice.update', prediction and label must have one shape, but got "
                f"{y_pred.shape} and {y.shape}."
            )
        both = float((y_pred.reshape(-1) * y.reshape(-1)).sum())
        sizes = float((y_pred.reshape(-1) ** 2).sum() + (y.reshape(-1) ** 2).sum())
        self._dice_coeff_sum += 2.0 * both / (sizes + self.smooth)
        self._samples_num += y.shape[0]

    def eval(self) -> float:
        """The value.

        Raises:
            RuntimeError: there are no samples yet.
        """
        self._needs_samples(self._samples_num)
        return self._dice_coeff_sum / self._samples_num
