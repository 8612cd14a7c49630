"""Spreading a program over devices: plans are held, one device computes the whole."""

from agar._core import absent as _absent
from agar.parallel import nn as nn
from agar.parallel._parameter_broadcast import parameter_broadcast as parameter_broadcast
from agar.parallel.algo_parameter_config import get_algo_parameters as get_algo_parameters
from agar.parallel.algo_parameter_config import reset_algo_parameters as reset_algo_parameters
from agar.parallel.algo_parameter_config import set_algo_parameters as set_algo_parameters
from agar.parallel.checkpoint_convert import (
    convert_checkpoint_by_rank as convert_checkpoint_by_rank,
)
from agar.parallel.checkpoint_convert import convert_checkpoints as convert_checkpoints
from agar.parallel.checkpoint_convert import rank_list_for_convert as rank_list_for_convert
from agar.parallel.checkpoint_transform import build_searched_strategy as build_searched_strategy
from agar.parallel.checkpoint_transform import (
    load_distributed_checkpoint as load_distributed_checkpoint,
)
from agar.parallel.checkpoint_transform import (
    load_segmented_checkpoints as load_segmented_checkpoints,
)
from agar.parallel.checkpoint_transform import merge_pipeline_strategys as merge_pipeline_strategys
from agar.parallel.checkpoint_transform import merge_sliced_parameter as merge_sliced_parameter
from agar.parallel.checkpoint_transform import rank_list_for_transform as rank_list_for_transform
from agar.parallel.checkpoint_transform import restore_group_info_list as restore_group_info_list
from agar.parallel.checkpoint_transform import set_op_strategy_config as set_op_strategy_config
from agar.parallel.checkpoint_transform import (
    sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
)
from agar.parallel.checkpoint_transform import (
    transform_checkpoint_by_rank as transform_checkpoint_by_rank,
)
from agar.parallel.checkpoint_transform import transform_checkpoints as transform_checkpoints
from agar.parallel.explain import explain as explain
from agar.parallel.plan import plan as plan
from agar.parallel.shard import Layout as Layout
from agar.parallel.shard import shard as shard
from agar.parallel.transform_safetensors import unified_safetensors as unified_safetensors

__all__ = [
    *_absent.names("parallel"),
    "Layout",
    "build_searched_strategy",
    "convert_checkpoint_by_rank",
    "convert_checkpoints",
    "explain",
    "get_algo_parameters",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "nn",
    "parameter_broadcast",
    "plan",
    "rank_list_for_convert",
    "rank_list_for_transform",
    "reset_algo_parameters",
    "restore_group_info_list",
    "set_algo_parameters",
    "set_op_strategy_config",
    "shard",
    "sync_pipeline_shared_parameters",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
    "unified_safetensors",
]

__getattr__ = _absent.finder(__name__, globals())
