"""Which names of MindSpore agar has and does not compute: the table of `agar._core.absent`.

Under each module stand its names: functions, and classes with their public methods in brackets.
``@Base`` says that the classes after it derive from Base. Modules are given without ``agar.``.
"""

from __future__ import annotations

from agar._core.absent import Family

__all__ = ["ENUMS", "NAMES", "SAME"]

DATA = Family(
    "this part of data pipelines is not built yet",
    "Use GeneratorDataset with a source of your own, or give Model.train any Python iterable of "
    "rows, such as a list, a generator function or a torch.utils.data.DataLoader",
)
REWRITE = Family(
    "it is a step inside MindSpore's rewriting of sources, which agar does in another way",
    "Use rewrite.SymbolTree, rewrite.Node and rewrite.PatternEngine",
)
PARALLEL = Family(
    "a model is not split over devices yet",
    "Train on one device, or combine gradients with nn.DistributedGradReducer under torchrun",
)
STRATEGY = Family(
    "it is a step inside MindSpore's transforms of checkpoints, which agar does in another way",
    "Use the functions of parallel, such as parallel.transform_checkpoints",
)
ASCEND = Family(
    "it belongs to Huawei's Ascend chips",
    "There is nothing to replace on other devices: leave the call out",
)
OLD_TRANSFORMER = Family(
    "MindSpore 2 no longer has it",
    "Use the classes of nn, such as nn.TransformerEncoderLayer and nn.MultiheadAttention",
)
OLD_COMPLEX = Family(
    "MindSpore 2 no longer has hypercomplex layers", "Use Tensors of complex64 with nn and ops"
)
PROTOBUF = Family(
    "agar has no description of these protobuf messages",
    "Read the file with MindSpore; checkpoints are read by load_checkpoint",
)
KERNELS = Family(
    "operators are the engine's, and no kernels are registered",
    "Write an operator in Python with ops.Custom, or with torch.library and agar.from_torch",
)
ENGINE = Family(
    "it belongs to MindSpore's C++ engine, in whose place PyTorch stands",
    "Use the public functions of ms, ms.runtime and ms.graph",
)

CLUSTER = Family(
    "it belongs to Huawei's management of Ascend clusters",
    "Save checkpoints with ModelCheckpoint and start with torchrun --max-restarts",
)
SERIAL = Family(
    "it works on MindSpore's own files of networks, which hold MindSpore's operators",
    "Use export and load, whose files are agar's, or save_checkpoint for the parameters",
)
PASSES = Family(
    "it changes MindSpore's C++ graphs, in whose place PyTorch's stand",
    "Write the operator with ops.Custom, or replace a Cell by another",
)

NAMES = {
    "dataset.core.validator_helpers": (
        DATA,
        """
        check_2tuple check_columns check_dataset_num_shards_shard_id check_dict check_dir
        check_feature_shape check_file check_filename check_float32 check_float32_not_zero
        check_float64 check_independent_mode check_int32 check_int32_not_zero
        check_list_same_size check_non_negative_float32 check_non_negative_float64
        check_non_negative_int32 check_num_parallel_workers check_num_samples check_odd
        check_padding_options check_pos_float32 check_pos_float64 check_pos_int32
        check_pos_int64 check_pos_uint32 check_positive check_range
        check_sampler_shuffle_shard_options check_tensor_op check_uint32 check_uint64
        check_uint8 check_valid_detype check_valid_list_tuple check_valid_str check_value
        check_value_cutoff check_value_normalize_std check_value_ratio is_iterable
        pad_arg_name parse_user_args replace_none type_check type_check_list
        validate_dataset_param_value
        """,
    ),
    "dataset.engine.datasets_standard_format": (
        DATA,
        """
        OBSMindDataset
        """,
    ),
    "dataset.engine.obs.obs_mindrecord_dataset": (
        DATA,
        """
        sync_wait_for_dataset
        """,
    ),
    "parallel.strategy": (
        PARALLEL,
        "clear_strategy_metadata enable_save_strategy_online get_current_strategy_metadata "
        "get_strategy_metadata",
    ),
    "utils.utils": (CLUSTER, "ExitByRequest RSCPluginHandle"),
    "utils.runtime_execution_order_check": (CLUSTER, "runtime_execution_order_check"),
    "train.serialization": (
        SERIAL,
        "export_split_mindir",
    ),
    "train.callback._train_fault_tolerance": (
        CLUSTER,
        "TrainFaultTolerance[get_optimizer_wrapper]",
    ),
    "graph.custom_backend": (PASSES, "register_custom_backend"),
    "graph.custom_infer": (
        PASSES,
        "clear_op_infer clear_op_wrapper register_op_infer register_op_wrapper",
    ),
    "_c_expression": (
        ENGINE,
        """
        CollectiveManager DeviceContextManager DeviceManagerConf EncryptionUtils GraphExecutor_
        JitExecutor_ MSContext ParallelCommManager init_exec_dataset init_hccl init_pipeline
        finalize_hccl get_hccl_rank_id
        """,
    ),
    "nn.transformer": (
        OLD_TRANSFORMER,
        "FixedSparseAttention Transformer TransformerDecoder TransformerDecoderLayer",
    ),
    "hypercomplex.dual.dual_operators": (
        OLD_COMPLEX,
        """
        AdaptiveAvgPool2d AvgPool1d AvgPool2d BatchNorm1d BatchNorm2d BatchNorm3d Conv1d Conv2d
        Conv3d Dense MaxPool1d MaxPool2d ReLU
        """,
    ),
    "_c_dataengine": (DATA, "GlobalContext InitCallback Tensor TensorShape"),
}

#: modules that hand on the names of others: those listed under a path, and under all below it
SAME = {
    "dataset": ("dataset.engine",),
    "train": (
        "train.callback",
        "train.serialization",
        "train.summary",
    ),
    "graph": ("graph.custom_backend", "graph.custom_infer"),
    "parallel": (),  # it hands none on
    "parallel._transformer": ("nn.transformer",),
    "parallel._transformer.layers": ("nn.transformer",),
    "parallel._transformer.loss": ("nn.transformer",),
    "parallel._transformer.moe": ("nn.transformer",),
    "parallel._transformer.op_parallel_config": ("nn.transformer",),
    "parallel._transformer.transformer": ("nn.transformer",),
}

# name: (kind of enumeration, its members); numbers are of an IntEnum, text of an Enum
ENUMS: dict[str, dict[str, tuple[str, str]]] = {}
