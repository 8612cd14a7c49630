"""Metrics: objects that take in batches and give a value over all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core.errors import describe
from agar._core.hints import similar
from agar.nn.metrics._torch_metric import adapted
from agar.nn.metrics.accuracy import Accuracy as Accuracy
from agar.nn.metrics.bleu_score import BleuScore as BleuScore
from agar.nn.metrics.confusion_matrix import ConfusionMatrix as ConfusionMatrix
from agar.nn.metrics.confusion_matrix_metric import (
    ConfusionMatrixMetric as ConfusionMatrixMetric,
)
from agar.nn.metrics.cosine_similarity import CosineSimilarity as CosineSimilarity
from agar.nn.metrics.dice import Dice as Dice
from agar.nn.metrics.error import MAE as MAE
from agar.nn.metrics.error import MSE as MSE
from agar.nn.metrics.fbeta import F1 as F1
from agar.nn.metrics.fbeta import Fbeta as Fbeta
from agar.nn.metrics.loss import Loss as Loss
from agar.nn.metrics.metric import EvaluationBase as EvaluationBase
from agar.nn.metrics.metric import Metric as Metric
from agar.nn.metrics.metric import rearrange_inputs as rearrange_inputs
from agar.nn.metrics.occlusion_sensitivity import OcclusionSensitivity as OcclusionSensitivity
from agar.nn.metrics.perplexity import Perplexity as Perplexity
from agar.nn.metrics.precision import Precision as Precision
from agar.nn.metrics.recall import Recall as Recall
from agar.nn.metrics.roc import ROC as ROC
from agar.nn.metrics.roc import auc as auc
from agar.nn.metrics.surface_distance import HausdorffDistance as HausdorffDistance
from agar.nn.metrics.surface_distance import MeanSurfaceDistance as MeanSurfaceDistance
from agar.nn.metrics.surface_distance import RootMeanSquareDistance as RootMeanSquareDistance
from agar.nn.metrics.topk import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from agar.nn.metrics.topk import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from agar.nn.metrics.topk import TopKCategoricalAccuracy as TopKCategoricalAccuracy

__all__ = [
    "F1",
    "MAE",
    "MSE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "CosineSimilarity",
    "Dice",
    "Fbeta",
    "HausdorffDistance",
    "Loss",
    "MeanSurfaceDistance",
    "Metric",
    "OcclusionSensitivity",
    "Perplexity",
    "Precision",
    "Recall",
    "RootMeanSquareDistance",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "auc",
    "get_metric_fn",
    "get_metrics",
    "names",
    "rearrange_inputs",
]

_BY_NAME: dict[str, Callable[..., Any]] = {
    "F1": F1,
    "acc": Accuracy,
    "accuracy": Accuracy,
    "auc": auc,
    "bleu_score": BleuScore,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
    "cosine_similarity": CosineSimilarity,
    "dice": Dice,
    "hausdorff_distance": HausdorffDistance,
    "loss": Loss,
    "mae": MAE,
    "mean_surface_distance": MeanSurfaceDistance,
    "mse": MSE,
    "occlusion_sensitivity": OcclusionSensitivity,
    "perplexity": Perplexity,
    "precision": Precision,
    "recall": Recall,
    "roc": ROC,
    "root_mean_square_distance": RootMeanSquareDistance,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


def names() -> list[str]:
    """The names that :func:`get_metric_fn` knows.

    Returns:
        list[str].

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> "acc" in ms.train.names()
        True
    """
    return sorted(_BY_NAME)


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """A metric by its name.

    Args:
        name (str): for example ``"acc"``, see :func:`names`.
        *args (Any): arguments of the metric.
        **kwargs (Any): arguments of the metric.

    Returns:
        Metric.

    Raises:
        KeyError: there is no metric of that name.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> type(ms.train.get_metric_fn("acc", eval_type="multilabel")).__name__
        'Accuracy'
    """
    if not isinstance(name, str) or name not in _BY_NAME:
        close = similar(str(name), names())
        raise KeyError(
            f"For 'get_metric_fn', unsupported metric {name}{close}; known are "
            f"{', '.join(names())}."
        )
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics: Any) -> dict[str, Metric]:
    """Metrics as a dictionary by name.

    Args:
        metrics (Union[None, dict, set, list]): a dictionary of metrics, or names. A metric of
            PyTorch, with ``update``, ``compute`` and ``reset`` as those of torchmetrics have, gets
            PyTorch's tensors.

    Returns:
        dict.

    Raises:
        TypeError: `metrics` has the wrong type, or a value is not a Metric.
        KeyError: there is no metric of a name.

    Difference from PyTorch: PyTorch itself has no metrics.

    Source: behavior observed in MindSpore 2.10; metrics of PyTorch's world are agar's own.

    Examples:
        >>> from agar.nn.metrics import get_metrics
        >>> list(get_metrics({"acc"}))
        ['acc']
    """
    if metrics is None:
        return {}
    if isinstance(metrics, dict):
        metrics = {name: adapted(metric) for name, metric in metrics.items()}
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(
                    "For 'get_metrics', if 'metrics' is a dict, its keys must be strings and its "
                    f"values Metrics, but got {name!r}: {describe(metric)}."
                )
        return metrics
    if isinstance(metrics, (set, frozenset, list, tuple)):
        chosen = sorted(metrics) if isinstance(metrics, (set, frozenset)) else metrics
        return {name: get_metric_fn(name) for name in chosen}
    raise TypeError(
        f"For 'get_metrics', the argument 'metrics' must be None, dict or set, but got {metrics!r}."
    )
