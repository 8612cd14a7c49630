"""Loss."""

from __future__ import annotations

from typing import Any

from agar.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["Loss"]


class Loss(Metric):
    """The mean of the losses of batches.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Loss()
        >>> metric.clear()
        >>> metric.update(ms.Tensor(2.0))
        >>> metric.update(ms.Tensor(3.0))
        >>> metric.eval()
        2.5
    """

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._sum_loss = 0.0
        self._total_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with the loss of a batch.

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the loss; of several numbers the
                mean counts.

        Raises:
            ValueError: there is more than one input.
        """
        (loss,) = self._arrays(inputs, "loss")
        self._sum_loss += float(loss.mean())
        self._total_num += 1

    def eval(self) -> float:
        """The mean.

        Raises:
            RuntimeError: there are no samples yet.
        """
        self._needs_samples(self._total_num)
        return self._sum_loss / self._total_num
