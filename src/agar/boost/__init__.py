"""MindSpore's ways to train with less work: freezing, accumulating and combining gradients.

MindSpore marks all of it as experimental. What each does is at the class; :class:`AutoBoost` holds
the settings by which ``Model(boost_level=...)`` chooses among them.
"""

from agar.boost.adasum import AdaSum as AdaSum
from agar.boost.base import OptimizerProcess as OptimizerProcess
from agar.boost.base import ParameterProcess as ParameterProcess
from agar.boost.boost import AutoBoost as AutoBoost
from agar.boost.boost_cell_wrapper import BoostTrainOneStepCell as BoostTrainOneStepCell
from agar.boost.boost_cell_wrapper import (
    BoostTrainOneStepWithLossScaleCell as BoostTrainOneStepWithLossScaleCell,
)
from agar.boost.dim_reduce import DimReduce as DimReduce
from agar.boost.grad_accumulation import GradientAccumulation as GradientAccumulation
from agar.boost.grad_freeze import FreezeOpt as FreezeOpt
from agar.boost.grad_freeze import GradientFreeze as GradientFreeze
from agar.boost.grad_freeze import freeze_cell as freeze_cell
from agar.boost.group_loss_scale_manager import GroupLossScaleManager as GroupLossScaleManager
from agar.boost.less_batch_normalization import LessBN as LessBN

__all__ = [
    "AdaSum",
    "AutoBoost",
    "BoostTrainOneStepCell",
    "BoostTrainOneStepWithLossScaleCell",
    "DimReduce",
    "FreezeOpt",
    "GradientAccumulation",
    "GradientFreeze",
    "GroupLossScaleManager",
    "LessBN",
    "OptimizerProcess",
    "ParameterProcess",
    "freeze_cell",
]
