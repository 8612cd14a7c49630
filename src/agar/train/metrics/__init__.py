"""Metrics, under MindSpore's path; see `agar.nn.metrics`."""

from agar.nn.metrics import F1 as F1
from agar.nn.metrics import MAE as MAE
from agar.nn.metrics import MSE as MSE
from agar.nn.metrics import ROC as ROC
from agar.nn.metrics import Accuracy as Accuracy
from agar.nn.metrics import BleuScore as BleuScore
from agar.nn.metrics import ConfusionMatrix as ConfusionMatrix
from agar.nn.metrics import ConfusionMatrixMetric as ConfusionMatrixMetric
from agar.nn.metrics import CosineSimilarity as CosineSimilarity
from agar.nn.metrics import Dice as Dice
from agar.nn.metrics import EvaluationBase as EvaluationBase
from agar.nn.metrics import Fbeta as Fbeta
from agar.nn.metrics import HausdorffDistance as HausdorffDistance
from agar.nn.metrics import Loss as Loss
from agar.nn.metrics import MeanSurfaceDistance as MeanSurfaceDistance
from agar.nn.metrics import Metric as Metric
from agar.nn.metrics import OcclusionSensitivity as OcclusionSensitivity
from agar.nn.metrics import Perplexity as Perplexity
from agar.nn.metrics import Precision as Precision
from agar.nn.metrics import Recall as Recall
from agar.nn.metrics import RootMeanSquareDistance as RootMeanSquareDistance
from agar.nn.metrics import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from agar.nn.metrics import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from agar.nn.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from agar.nn.metrics import auc as auc
from agar.nn.metrics import get_metric_fn as get_metric_fn
from agar.nn.metrics import get_metrics as get_metrics
from agar.nn.metrics import names as names
from agar.nn.metrics import rearrange_inputs as rearrange_inputs

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
