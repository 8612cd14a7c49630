"""ConfusionMatrixMetric: rates computed from the counts of a confusion matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agar.nn.metrics.metric import Metric, rearrange_inputs
from agar.ops._checks import boolean, choice

__all__ = ["ConfusionMatrixMetric"]

_Counts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _rate(part: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """A part of a whole, nan where the whole is empty."""
    return np.divide(part, part + rest, out=np.full_like(part, np.nan), where=part + rest != 0)


def _quotient(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom != 0)


def _prevalence_threshold(tp: Any, fp: Any, tn: Any, fn: Any) -> np.ndarray:
    tpr, tnr = _rate(tp, fn), _rate(tn, fp)
    return _quotient(np.sqrt(tpr * (1 - tnr)) + tnr - 1, tpr + tnr - 1)


def _correlation(tp: Any, fp: Any, tn: Any, fn: Any) -> np.ndarray:
    return _quotient(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


#: Over the counts of true positives, false positives, true negatives and false negatives.
_METRICS: dict[str, Callable[..., np.ndarray]] = {
    "tpr": lambda tp, fp, tn, fn: _rate(tp, fn),
    "tnr": lambda tp, fp, tn, fn: _rate(tn, fp),
    "ppv": lambda tp, fp, tn, fn: _rate(tp, fp),
    "npv": lambda tp, fp, tn, fn: _rate(tn, fn),
    "fnr": lambda tp, fp, tn, fn: _rate(fn, tp),
    "fpr": lambda tp, fp, tn, fn: _rate(fp, tn),
    "fdr": lambda tp, fp, tn, fn: _rate(fp, tp),
    "for": lambda tp, fp, tn, fn: _rate(fn, tn),
    "pt": _prevalence_threshold,
    "ts": lambda tp, fp, tn, fn: _rate(tp, fn + fp),
    "acc": lambda tp, fp, tn, fn: _rate(tp + tn, fp + fn),
    "ba": lambda tp, fp, tn, fn: (_rate(tp, fn) + _rate(tn, fp)) / 2,
    "f1": lambda tp, fp, tn, fn: _rate(tp * 2, fn + fp),
    "mcc": _correlation,
    "fm": lambda tp, fp, tn, fn: np.sqrt(_rate(tp, fp) * _rate(tp, fn)),
    "bm": lambda tp, fp, tn, fn: _rate(tp, fn) + _rate(tn, fp) - 1,
    "mk": lambda tp, fp, tn, fn: _rate(tp, fp) + _rate(tn, fn) - 1,
}

_ALIASES = {
    "tpr": ("sensitivity", "recall", "hit_rate", "true_positive_rate"),
    "tnr": ("specificity", "selectivity", "true_negative_rate"),
    "ppv": ("precision", "positive_predictive_value"),
    "npv": ("negative_predictive_value",),
    "fnr": ("miss_rate", "false_negative_rate"),
    "fpr": ("fall_out", "false_positive_rate"),
    "fdr": ("false_discovery_rate",),
    "for": ("false_omission_rate",),
    "pt": ("prevalence_threshold",),
    "ts": ("threat_score", "critical_success_index", "csi"),
    "acc": ("accuracy",),
    "ba": ("balanced_accuracy",),
    "f1": ("f1_score",),
    "mcc": ("matthews_correlation_coefficient",),
    "fm": ("fowlkes_mallows_index",),
    "bm": ("informedness", "bookmaker_informedness"),
    "mk": ("markedness", "deltap"),
}
_BY_NAME = {name: _METRICS[key] for key, names in _ALIASES.items() for name in (key, *names)}


def _over(axis: int | tuple[int, ...], mean: bool, values: Any, known: Any) -> Any:
    """Values and how many are known, summed or averaged over axes."""
    count = known.sum(axis=axis)
    total = values.sum(axis=axis)
    if mean:
        total = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
    return total, count


def _mean_of_means(values: np.ndarray, known: np.ndarray) -> Any:
    values, count = _over(1, True, values, known)
    return _over(0, True, values, (count > 0).astype(float))


#: From values per sample and class, and which of them are known, to what one batch gives.
_REDUCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "none": lambda values, known: (values, known),
    "mean": _mean_of_means,
    "sum": lambda values, known: _over((0, 1), False, values, known),
    "mean_batch": lambda values, known: _over(0, True, values, known),
    "sum_batch": lambda values, known: _over(0, False, values, known),
    "mean_channel": lambda values, known: _over(1, True, values, known),
    "sum_channel": lambda values, known: _over(1, False, values, known),
}


def _metric_of(name: str) -> Callable[..., np.ndarray]:
    entry = _BY_NAME.get(name.replace(" ", "_").lower())
    if entry is None:
        raise NotImplementedError(
            f"For 'ConfusionMatrixMetric', there is no metric {name!r}; known are "
            f"{', '.join(_BY_NAME)}."
        )
    return entry


class ConfusionMatrixMetric(Metric):
    """A rate of a confusion matrix, such as sensitivity, precision or accuracy.

    Args:
        skip_channel (bool): whether the first class counts as well; False leaves it out, as
            background. Default: ``True``.
        metric_name (str): ``"sensitivity"``, ``"specificity"``, ``"precision"``, ``"negative
            predictive value"``, ``"miss rate"``, ``"fall out"``, ``"false discovery rate"``,
            ``"false omission rate"``, ``"prevalence threshold"``, ``"threat score"``,
            ``"accuracy"``, ``"balanced accuracy"``, ``"f1 score"``, ``"matthews correlation
            coefficient"``, ``"fowlkes mallows index"``, ``"informedness"``, ``"markedness"``, or
            a usual short form (``"tpr"``, ``"ppv"``, ``"mcc"``). Default: ``"sensitivity"``.
        calculation_method (bool): whether the rate is computed for each sample and class, and then
            averaged; False sums the counts of everything first. Default: ``False``.
        decrease (str): how rates of samples and classes are put together with
            `calculation_method`: ``"mean"``, ``"sum"``, ``"mean_batch"``, ``"sum_batch"``,
            ``"mean_channel"``, ``"sum_channel"`` or ``"none"``. Default: ``"mean"``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `decrease` is unknown.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10. There, `decrease` must leave one number; here it
    may leave several.

    Examples:
        >>> import agar as ms
        >>> metric = ms.train.ConfusionMatrixMetric(metric_name="tpr")
        >>> metric.clear()
        >>> metric.update(ms.Tensor([[1, 0], [1, 0]]), ms.Tensor([[1, 0], [0, 1]]))
        >>> print(metric.eval())
        [0.5]
    """

    def __init__(
        self,
        skip_channel: bool = True,
        metric_name: str = "sensitivity",
        calculation_method: bool = False,
        decrease: str = "mean",
    ) -> None:
        super().__init__()
        owner = "ConfusionMatrixMetric"
        self.skip_channel = boolean(owner, "skip_channel", skip_channel)
        self.calculation_method = boolean(owner, "calculation_method", calculation_method)
        if not isinstance(metric_name, str):
            raise TypeError(
                f"For '{owner}', the type of 'metric_name' must be str, but got "
                f"'{type(metric_name).__name__}'."
            )
        self.metric_name = metric_name
        self.decrease = choice(owner, "decrease", decrease, _REDUCTIONS)
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._counts = np.zeros(4)
        self._total: Any = 0.0
        self._known: Any = 0.0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Update the metric with predictions and labels of 0 and 1, of one shape (N, C, ...).

        Args:
            inputs (tuple[Union[Tensor, list, numpy.ndarray]]): the predictions, 0 and 1, of shape
                (N, C, ...); the labels, 0 and 1, of the same shape.

        Raises:
            ValueError: the shapes differ or have no classes, or labels are not numbers from 0 to
                255, or `calculation_method` is True and there are no dimensions after the classes.
            NotImplementedError: `metric_name` is unknown.
        """
        y_pred, y = self._arrays(inputs, "predicted value, true value")
        owner = "ConfusionMatrixMetric.update"
        if not np.all(y.astype(np.uint8) == y):
            raise ValueError(f"For '{owner}', the true value must be binarized.")
        if y_pred.ndim < 2 or y_pred.shape != y.shape:
            raise ValueError(
                f"For '{owner}', predictions and labels must have one shape (N, C, ...), but got "
                f"{y_pred.shape} and {y.shape}."
            )
        tp, fp, tn, fn = counts = self._count(y_pred.astype(float), y.astype(float))
        if not self.calculation_method:
            self._counts += [c.sum() for c in counts]
            return
        if y.ndim == 2 or (y.ndim == 3 and y.shape[-1] == 1):
            raise ValueError(
                f"For '{owner}', a rate per sample needs places behind the classes, but got "
                f"shape {y.shape}; use calculation_method=False for classification."
            )
        values = _metric_of(self.metric_name)(tp, fp, tn, fn)
        known = (~np.isnan(values)).astype(float)
        score, weight = _REDUCTIONS[self.decrease](np.nan_to_num(values, nan=0.0), known)
        self._total = self._total + score * weight
        self._known = self._known + weight

    def _count(self, y_pred: np.ndarray, y: np.ndarray) -> _Counts:
        """Counts per sample and class."""
        if not self.skip_channel and y.shape[1] > 1:
            y_pred, y = y_pred[:, 1:], y[:, 1:]
        y_pred, y = (v.reshape(*v.shape[:2], -1) for v in (y_pred, y))
        tp = (y_pred + y == 2).sum(axis=2).astype(float)
        tn = (y_pred + y == 0).sum(axis=2).astype(float)
        positive = y.sum(axis=2)
        return tp, y.shape[-1] - positive - tn, tn, positive - tp

    def eval(self) -> Any:
        """The rate: an array of one number, or with `calculation_method` a float.

        Raises:
            RuntimeError: there are no samples yet, with `calculation_method`.
            NotImplementedError: `metric_name` is unknown.
        """
        if not self.calculation_method:
            return _metric_of(self.metric_name)(*self._counts[:, None])
        self._needs_samples(bool(np.any(self._known)))
        result = np.divide(
            self._total, self._known, out=np.zeros_like(self._total), where=self._known > 0
        )
        return float(result) if result.ndim == 0 else result
