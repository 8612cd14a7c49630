"""Callbacks: what Model calls while it trains and evaluates."""

from agar._core import absent as _absent
from agar.train.callback._backup_and_restore import BackupAndRestore as BackupAndRestore
from agar.train.callback._callback import Callback as Callback
from agar.train.callback._callback import CallbackManager as _CallbackManager  # noqa: F401
from agar.train.callback._callback import InternalCallbackParam as InternalCallbackParam
from agar.train.callback._callback import (  # noqa: F401
    InternalCallbackParam as _InternalCallbackParam,
)
from agar.train.callback._callback import RunContext as RunContext
from agar.train.callback._callback import set_cur_net as _set_cur_net  # noqa: F401
from agar.train.callback._checkpoint import CheckpointConfig as CheckpointConfig
from agar.train.callback._checkpoint import ModelCheckpoint as ModelCheckpoint
from agar.train.callback._early_stop import EarlyStopping as EarlyStopping
from agar.train.callback._flops_collector import (
    FlopsUtilizationCollector as FlopsUtilizationCollector,
)
from agar.train.callback._history import History as History
from agar.train.callback._lambda_callback import LambdaCallback as LambdaCallback
from agar.train.callback._landscape import SummaryLandscape as SummaryLandscape
from agar.train.callback._loss_monitor import LossMonitor as LossMonitor
from agar.train.callback._lr_scheduler_callback import (
    LearningRateScheduler as LearningRateScheduler,
)
from agar.train.callback._on_request_exit import OnRequestExit as OnRequestExit
from agar.train.callback._reduce_lr_on_plateau import ReduceLROnPlateau as ReduceLROnPlateau
from agar.train.callback._summary_collector import SummaryCollector as SummaryCollector
from agar.train.callback._time_monitor import TimeMonitor as TimeMonitor

__all__ = [
    *_absent.names("train.callback"),
    "BackupAndRestore",
    "Callback",
    "CheckpointConfig",
    "EarlyStopping",
    "FlopsUtilizationCollector",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "LossMonitor",
    "ModelCheckpoint",
    "OnRequestExit",
    "ReduceLROnPlateau",
    "RunContext",
    "SummaryCollector",
    "SummaryLandscape",
    "TimeMonitor",
]

__getattr__ = _absent.finder(__name__, globals())
