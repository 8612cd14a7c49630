"""ROC and auc."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["ROC", "auc"]


def auc(x: Any, y: Any, reorder: bool = False) -> float:
    """The area under a curve, by the trapezoidal rule.

    Args:
        x (numpy.ndarray): one coordinate, increasing or decreasing, for example rates of false
            positives.
        y (numpy.ndarray): the other coordinate.
        reorder (bool): whether points are sorted by `x` first. Default: ``False``.

    Returns:
        float.

    Raises:
        TypeError: `x` or `y` is not an array.
        ValueError: they differ in length, have fewer than two points, or `x` is not monotonic.

    Difference from PyTorch: ``torch.trapezoid``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> from agar.train import auc
        >>> auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
        0.75
    """
    for name, value in (("x", x), ("y", y)):
        if not isinstance(value, np.ndarray):
            raise TypeError(
                f"For 'auc', the argument '{name}' must be a numpy array, but got "
                f"{type(value).__name__}."
            )
    if x.shape != y.shape or x.ndim != 1 or len(x) < 2:
        raise ValueError(
            "For 'auc', 'x' and 'y' must be vectors of one length, at least 2, but got the shapes "
            f"{x.shape} and {y.shape}."
        )
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if (steps < 0).any() and (steps > 0).any():
        raise ValueError("For 'auc', 'x' must rise or fall throughout; sort it, or set 'reorder'.")
    return abs(float((steps * (y[1:] + y[:-1]) / 2.0).sum()))


class ROC(Metric):
    """The rates of false and true positives for every threshold.

    Args:
        class_num (int): the number of classes; None for two. Default: ``None``.
        pos_label (int): the class that is positive, for two classes. Default: ``None``, 1.

    Raises:
        TypeError: an argument is not an int.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.ROC(pos_label=1)
        >>> metric.clear()
        >>> metric.update(ms.Tensor([0.0, 1.0, 2.0]), ms.Tensor([0, 1, 1]))
        >>> fpr, tpr, thresholds = metric.eval()
        >>> print(fpr, tpr, thresholds)
        [0. 0. 0. 1.] [0.  0.5 1.  1. ] [3. 2. 1. 0.]
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None) -> None:
        super().__init__()
        for name, value in (("class_num", class_num), ("pos_label", pos_label)):
            if value is not None and type(value) is not int:
                raise TypeError(
                    f"For 'ROC', the argument '{name}' must be int or None, but got {value!r}."
                )
        self.class_num = 1 if class_num is None else class_num
        self.pos_label = pos_label
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._preds: list[np.ndarray] = []
        self._labels: list[np.ndarray] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with scores of shape (N,) or (N, C) and labels of shape (N,).

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the scores, of shape (N,) for one
                class, else (N, C); the labels, of shape (N,).

        Raises:
            ValueError: the shapes do not fit.
        """
        y_pred, y = self._arrays(inputs, "predicted value, true value")
        if self.class_num == 1:
            y_pred, y = y_pred.reshape(-1), y.reshape(-1)
        if len(y_pred) != len(y) or (self.class_num > 1 and y_pred.shape[1:] != (self.class_num,)):
            raise ValueError(
                f"For 'ROC.update' of {self.class_num} classes, the shapes {y_pred.shape} and "
                f"{y.shape} of predictions and labels do not fit."
            )
        self._preds.append(y_pred)
        self._labels.append(y)

    def _curve(
        self, scores: np.ndarray, positive: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        order = np.argsort(scores, kind="stable")[::-1]
        scores, positive = scores[order], positive[order]
        last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
        right = np.cumsum(positive)[last]
        wrong = 1 + last - right
        if right[-1] <= 0 or wrong[-1] <= 0:
            which = "positive" if right[-1] <= 0 else "negative"
            raise ValueError(
                f"For 'ROC.eval', there is no {which} samples in true value, its rate is "
                "meaningless."
            )
        thresholds = np.append(scores[last[0]] + 1, scores[last])
        return (
            np.append(0.0, wrong / wrong[-1]),
            np.append(0.0, right / right[-1]),
            thresholds,
        )

    def eval(self) -> Any:
        """Rates of false positives, of true positives, and thresholds; lists of them for classes.

        Raises:
            RuntimeError: there are no samples yet.
            ValueError: a class has no samples.
        """
        self._needs_samples(len(self._preds))
        scores, labels = np.concatenate(self._preds), np.concatenate(self._labels)
        if self.class_num == 1:
            return self._curve(scores, labels == (1 if self.pos_label is None else self.pos_label))
        curves = [self._curve(scores[:, k], labels == k) for k in range(self.class_num)]
        return tuple(list(part) for part in zip(*curves, strict=True))
