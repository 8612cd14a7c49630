"""Training: Model, callbacks, metrics, mixed precision, and checkpoints."""

from __future__ import annotations

from agar._core import absent as _absent
from agar.nn._amp import build_train_network as build_train_network
from agar.train.callback import BackupAndRestore as BackupAndRestore
from agar.train.callback import Callback as Callback
from agar.train.callback import CheckpointConfig as CheckpointConfig
from agar.train.callback import EarlyStopping as EarlyStopping
from agar.train.callback import FlopsUtilizationCollector as FlopsUtilizationCollector
from agar.train.callback import History as History
from agar.train.callback import LambdaCallback as LambdaCallback
from agar.train.callback import LearningRateScheduler as LearningRateScheduler
from agar.train.callback import LossMonitor as LossMonitor
from agar.train.callback import ModelCheckpoint as ModelCheckpoint
from agar.train.callback import OnRequestExit as OnRequestExit
from agar.train.callback import ReduceLROnPlateau as ReduceLROnPlateau
from agar.train.callback import RunContext as RunContext
from agar.train.callback import SummaryCollector as SummaryCollector
from agar.train.callback import SummaryLandscape as SummaryLandscape
from agar.train.callback import TimeMonitor as TimeMonitor
from agar.train.dataset_helper import DatasetHelper as DatasetHelper
from agar.train.dataset_helper import (
    connect_network_with_dataset as connect_network_with_dataset,
)
from agar.train.dataset_helper import data_sink as data_sink
from agar.train.loss_scale_manager import DynamicLossScaleManager as DynamicLossScaleManager
from agar.train.loss_scale_manager import FixedLossScaleManager as FixedLossScaleManager
from agar.train.loss_scale_manager import LossScaleManager as LossScaleManager
from agar.train.metrics import F1 as F1
from agar.train.metrics import MAE as MAE
from agar.train.metrics import MSE as MSE
from agar.train.metrics import ROC as ROC
from agar.train.metrics import Accuracy as Accuracy
from agar.train.metrics import BleuScore as BleuScore
from agar.train.metrics import ConfusionMatrix as ConfusionMatrix
from agar.train.metrics import ConfusionMatrixMetric as ConfusionMatrixMetric
from agar.train.metrics import CosineSimilarity as CosineSimilarity
from agar.train.metrics import Dice as Dice
from agar.train.metrics import Fbeta as Fbeta
from agar.train.metrics import HausdorffDistance as HausdorffDistance
from agar.train.metrics import Loss as Loss
from agar.train.metrics import MeanSurfaceDistance as MeanSurfaceDistance
from agar.train.metrics import Metric as Metric
from agar.train.metrics import OcclusionSensitivity as OcclusionSensitivity
from agar.train.metrics import Perplexity as Perplexity
from agar.train.metrics import Precision as Precision
from agar.train.metrics import Recall as Recall
from agar.train.metrics import RootMeanSquareDistance as RootMeanSquareDistance
from agar.train.metrics import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from agar.train.metrics import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from agar.train.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from agar.train.metrics import auc as auc
from agar.train.metrics import get_metric_fn as get_metric_fn
from agar.train.metrics import names as names
from agar.train.metrics import rearrange_inputs as rearrange_inputs
from agar.train.model import Model as Model
from agar.train.pretrained import load_pretrained as load_pretrained
from agar.train.resume import Resume as Resume
from agar.train.resume import load_training_state as load_training_state
from agar.train.resume import save_training_state as save_training_state
from agar.train.serialization import async_ckpt_thread_status as async_ckpt_thread_status
from agar.train.serialization import ckpt_to_safetensors as ckpt_to_safetensors
from agar.train.serialization import export as export
from agar.train.serialization import load as load
from agar.train.serialization import load_checkpoint as load_checkpoint
from agar.train.serialization import load_checkpoint_async as load_checkpoint_async
from agar.train.serialization import load_mindir as load_mindir
from agar.train.serialization import load_param_into_net as load_param_into_net
from agar.train.serialization import safetensors_to_ckpt as safetensors_to_ckpt
from agar.train.serialization import save_checkpoint as save_checkpoint
from agar.train.serialization import save_mindir as save_mindir
from agar.train.structure import StructureReport as StructureReport
from agar.train.structure import load_by_structure as load_by_structure
from agar.train.summary import SummaryRecord as SummaryRecord
from agar.train.train_thor import ConvertModelUtils as ConvertModelUtils
from agar.train.train_thor import ConvertNetUtils as ConvertNetUtils

# checkpoints of programs that were split over devices; loaded when one of them is asked for
_SHARDED = (
    "build_searched_strategy",
    "get_ckpt_path_with_strategy",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "rank_list_for_transform",
    "restore_group_info_list",
    "set_op_strategy_config",
    "sync_pipeline_shared_parameters",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
)

__all__ = [
    *_SHARDED,
    *_absent.names("train"),
    "BackupAndRestore",
    "DatasetHelper",
    "OnRequestExit",
    "connect_network_with_dataset",
    "load_mindir",
    "save_mindir",
    "data_sink",
    "F1",
    "MAE",
    "MSE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "Callback",
    "CheckpointConfig",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "ConvertModelUtils",
    "ConvertNetUtils",
    "CosineSimilarity",
    "Dice",
    "DynamicLossScaleManager",
    "EarlyStopping",
    "Fbeta",
    "FixedLossScaleManager",
    "FlopsUtilizationCollector",
    "HausdorffDistance",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "Loss",
    "LossMonitor",
    "LossScaleManager",
    "MeanSurfaceDistance",
    "Metric",
    "Model",
    "ModelCheckpoint",
    "OcclusionSensitivity",
    "Perplexity",
    "Precision",
    "Recall",
    "ReduceLROnPlateau",
    "Resume",
    "RootMeanSquareDistance",
    "RunContext",
    "StructureReport",
    "SummaryCollector",
    "SummaryLandscape",
    "SummaryRecord",
    "TimeMonitor",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "async_ckpt_thread_status",
    "auc",
    "build_train_network",
    "ckpt_to_safetensors",
    "export",
    "get_metric_fn",
    "load",
    "load_by_structure",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_pretrained",
    "load_param_into_net",
    "load_training_state",
    "names",
    "rearrange_inputs",
    "safetensors_to_ckpt",
    "save_checkpoint",
    "save_training_state",
]

_find = _absent.finder(__name__, globals())


def __getattr__(name: str) -> object:
    if name not in _SHARDED:
        return _find(name)
    from agar.train import _sharded

    globals()[name] = value = getattr(_sharded, name)
    return value
