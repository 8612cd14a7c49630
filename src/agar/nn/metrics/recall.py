"""Recall."""

from __future__ import annotations

from typing import Any

from agar.nn.metrics.precision import PositivesBase

__all__ = ["Recall"]


class Recall(PositivesBase):
    r"""The fraction of actual positives that are found: :math:`TP / (TP + FN)`.

    Args:
        eval_type (str): ``"classification"`` or ``"multilabel"``. Default: ``"classification"``.

    Raises:
        TypeError: `eval_type` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.Recall()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.6, 0.4], [0.1, 0.9]]), ms.Tensor([1, 0, 0]))
        >>> print(metric.eval())
        [0.5 1. ]
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
        entry = self._rates()[1]
        return float(entry.mean()) if average else entry
