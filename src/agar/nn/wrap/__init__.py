"""Cells around networks: losses, gradients, training steps."""

from typing import TYPE_CHECKING

from agar._core.late import late as _late

if TYPE_CHECKING:
    from agar.nn.layer.timedistributed import TimeDistributed as TimeDistributed
    from agar.nn.wrap import parallel_optimizer as parallel_optimizer
    from agar.nn.wrap import running as running
    from agar.nn.wrap.cell_wrapper import ForwardValueAndGrad as ForwardValueAndGrad
    from agar.nn.wrap.cell_wrapper import GetNextSingleOp as GetNextSingleOp
    from agar.nn.wrap.cell_wrapper import GradAccumulationCell as GradAccumulationCell
    from agar.nn.wrap.cell_wrapper import MicroBatchInterleaved as MicroBatchInterleaved
    from agar.nn.wrap.cell_wrapper import ParameterUpdate as ParameterUpdate
    from agar.nn.wrap.cell_wrapper import PipelineCell as PipelineCell
    from agar.nn.wrap.cell_wrapper import TrainOneStepCell as TrainOneStepCell
    from agar.nn.wrap.cell_wrapper import VirtualDatasetCellTriple as VirtualDatasetCellTriple
    from agar.nn.wrap.cell_wrapper import WithEvalCell as WithEvalCell
    from agar.nn.wrap.cell_wrapper import WithGradCell as WithGradCell
    from agar.nn.wrap.cell_wrapper import WithLossCell as WithLossCell
    from agar.nn.wrap.grad_reducer import DistributedGradReducer as DistributedGradReducer
    from agar.nn.wrap.grad_reducer import PipelineGradReducer as PipelineGradReducer
    from agar.nn.wrap.loss_scale import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
    from agar.nn.wrap.loss_scale import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
    from agar.nn.wrap.loss_scale import (
        TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell,
    )
else:
    __getattr__, __dir__ = _late(globals())

__all__ = [
    "DistributedGradReducer",
    "DynamicLossScaleUpdateCell",
    "FixedLossScaleUpdateCell",
    "ForwardValueAndGrad",
    "GetNextSingleOp",
    "GradAccumulationCell",
    "MicroBatchInterleaved",
    "ParameterUpdate",
    "PipelineCell",
    "PipelineGradReducer",
    "TimeDistributed",
    "TrainOneStepCell",
    "TrainOneStepWithLossScaleCell",
    "VirtualDatasetCellTriple",
    "WithEvalCell",
    "WithGradCell",
    "WithLossCell",
]
