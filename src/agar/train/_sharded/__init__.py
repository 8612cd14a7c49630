"""Checkpoints of programs that were split over devices: strategy files, transforms, loading."""

from agar.train._sharded.copies import (
    get_ckpt_path_with_strategy as get_ckpt_path_with_strategy,
)
from agar.train._sharded.loading import load_distributed_checkpoint as load_distributed_checkpoint
from agar.train._sharded.loading import load_segmented_checkpoints as load_segmented_checkpoints
from agar.train._sharded.merging import merge_pipeline_strategys as merge_pipeline_strategys
from agar.train._sharded.merging import merge_sliced_parameter as merge_sliced_parameter
from agar.train._sharded.plans import set_op_strategy_config as set_op_strategy_config
from agar.train._sharded.plans import (
    sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
)
from agar.train._sharded.strategy import build_searched_strategy as build_searched_strategy
from agar.train._sharded.strategy import restore_group_info_list as restore_group_info_list
from agar.train._sharded.transform import rank_list_for_transform as rank_list_for_transform
from agar.train._sharded.transform import (
    transform_checkpoint_by_rank as transform_checkpoint_by_rank,
)
from agar.train._sharded.transform import transform_checkpoints as transform_checkpoints
from agar.train._sharded.transform import (
    transform_safetensors_by_rank as transform_safetensors_by_rank,
)
from agar.train._sharded.unified import unified_safetensors as unified_safetensors

__all__ = [
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
    "transform_safetensors_by_rank",
    "unified_safetensors",
]
