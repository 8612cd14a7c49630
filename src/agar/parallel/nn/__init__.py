"""Cells that cut a batch into parts, at the path of `parallel`."""

from agar.nn.wrap.cell_wrapper import GradAccumulationCell as _GradAccumulationCell
from agar.nn.wrap.cell_wrapper import MicroBatchInterleaved as MicroBatchInterleaved
from agar.nn.wrap.cell_wrapper import PipelineCell as PipelineCell
from agar.nn.wrap.grad_reducer import PipelineGradReducer as PipelineGradReducer

__all__ = [
    "GradAccumulation",
    "MicroBatchInterleaved",
    "Pipeline",
    "PipelineCell",
    "PipelineGradReducer",
]

GradAccumulation = _GradAccumulationCell
Pipeline = PipelineCell
