"""Checkpoints of programs that were split over devices."""

from agar.train._sharded import build_searched_strategy as build_searched_strategy
from agar.train._sharded import load_distributed_checkpoint as load_distributed_checkpoint
from agar.train._sharded import load_segmented_checkpoints as load_segmented_checkpoints
from agar.train._sharded import merge_pipeline_strategys as merge_pipeline_strategys
from agar.train._sharded import merge_sliced_parameter as merge_sliced_parameter
from agar.train._sharded import rank_list_for_transform as rank_list_for_transform
from agar.train._sharded import restore_group_info_list as restore_group_info_list
from agar.train._sharded import set_op_strategy_config as set_op_strategy_config
from agar.train._sharded import sync_pipeline_shared_parameters as sync_pipeline_shared_parameters
from agar.train._sharded import transform_checkpoint_by_rank as transform_checkpoint_by_rank
from agar.train._sharded import transform_checkpoints as transform_checkpoints

__all__ = [
    "build_searched_strategy",
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
]
