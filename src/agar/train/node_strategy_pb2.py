"""The protobuf messages of MindSpore's strategy files, at MindSpore's path.

A file is one `ParallelStrategyMap`. It says for each parameter how the devices of a pipeline stage
form a matrix, and along which of its axes each dimension of the parameter is split.
"""

from __future__ import annotations

from agar._core.messages import message_classes

__all__ = [
    "DevMatrix",
    "IndicesOffset",
    "ParallelGroupItem",
    "ParallelGroupMap",
    "ParallelGroupRanks",
    "ParallelLayoutItem",
    "ParallelLayouts",
    "ParallelStrategy",
    "ParallelStrategyItem",
    "ParallelStrategyMap",
    "ParallelStrategys",
    "ParamSplitShape",
    "TensorMap",
]

_classes = message_classes(
    "mindspore.straspb",
    {
        "ParallelStrategy": {"dim": (1, "repeated uint32")},
        "ParallelStrategys": {
            "stage": (1, "uint32"),
            "parallel_strategy": (2, "repeated ParallelStrategy"),
        },
        "ParallelStrategyItem": {
            "node_name": (1, "string"),
            "parallel_strategys": (2, "ParallelStrategys"),
        },
        "DevMatrix": {"dim": (1, "repeated uint32")},
        "TensorMap": {"dim": (1, "repeated int32")},
        "ParamSplitShape": {"dim": (1, "repeated int64")},
        "IndicesOffset": {"dim": (1, "repeated int64")},
        "ParallelLayouts": {
            "dev_matrix": (1, "repeated DevMatrix"),
            "tensor_map": (2, "repeated TensorMap"),
            "param_split_shape": (3, "repeated ParamSplitShape"),
            "indices_offset": (4, "repeated IndicesOffset"),
            "field": (5, "int32"),
            "opt_weight_shard_step": (6, "int32"),
            "opt_weight_shard_size": (7, "int32"),
        },
        "ParallelLayoutItem": {
            "param_name": (1, "string"),
            "parallel_layouts": (2, "ParallelLayouts"),
        },
        "ParallelGroupRanks": {"dim": (1, "repeated uint32")},
        "ParallelGroupItem": {
            "group_name": (1, "string"),
            "parallel_group_ranks": (2, "ParallelGroupRanks"),
        },
        "ParallelGroupMap": {
            "parallel_group_item": (1, "repeated ParallelGroupItem"),
            "ckpt_restore_rank_list": (2, "ParallelGroupRanks"),
        },
        "ParallelStrategyMap": {
            "current_stage": (1, "uint32"),
            "parallel_strategy_item": (2, "repeated ParallelStrategyItem"),
            "parallel_layout_item": (3, "repeated ParallelLayoutItem"),
        },
    },
)

_DOCUMENTATION = {
    "DevMatrix": "The device matrix of a pipeline stage: ``dim``, its shape.",
    "IndicesOffset": "``dim``, offsets into an embedding table; agar does not use them.",
    "ParallelGroupItem": "A communication group: ``group_name``, ``parallel_group_ranks``.",
    "ParallelGroupMap": "A group file: ``parallel_group_item``, ``ckpt_restore_rank_list``.",
    "ParallelGroupRanks": "``dim``, the ranks of a group.",
    "ParallelLayoutItem": "A parameter: ``param_name``, ``parallel_layouts``.",
    "ParallelLayouts": "How a parameter lies: ``dev_matrix``, ``tensor_map`` (one, or one for each "
    "dimension), ``param_split_shape`` for unequal parts, ``indices_offset``, ``field``, "
    "``opt_weight_shard_step``, ``opt_weight_shard_size``.",
    "ParallelStrategy": "``dim``, into how many parts an input of an operator is split.",
    "ParallelStrategyItem": "An operator: ``node_name``, ``parallel_strategys``.",
    "ParallelStrategyMap": "A strategy file: ``current_stage``, ``parallel_strategy_item``, "
    "``parallel_layout_item``.",
    "ParallelStrategys": "The pipeline ``stage`` of an operator, and ``parallel_strategy``.",
    "ParamSplitShape": "``dim``, the lengths of unequal parts.",
    "TensorMap": "``dim``, an axis of the device matrix for each dimension, counted from its end.",
}
for _name, _text in _DOCUMENTATION.items():
    # protobuf leaves both None
    _classes[_name].__module__ = __name__
    _classes[_name].__doc__ = _text

DevMatrix = _classes["DevMatrix"]
IndicesOffset = _classes["IndicesOffset"]
ParallelGroupItem = _classes["ParallelGroupItem"]
ParallelGroupMap = _classes["ParallelGroupMap"]
ParallelGroupRanks = _classes["ParallelGroupRanks"]
ParallelLayoutItem = _classes["ParallelLayoutItem"]
ParallelLayouts = _classes["ParallelLayouts"]
ParallelStrategy = _classes["ParallelStrategy"]
ParallelStrategyItem = _classes["ParallelStrategyItem"]
ParallelStrategyMap = _classes["ParallelStrategyMap"]
ParallelStrategys = _classes["ParallelStrategys"]
ParamSplitShape = _classes["ParamSplitShape"]
TensorMap = _classes["TensorMap"]
