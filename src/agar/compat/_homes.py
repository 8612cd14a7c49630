"""Which module of this package implements names at one of MindSpore's paths."""

from __future__ import annotations

__all__ = ["HOMES"]

#: MindSpore's path: the module of this package that implements names of it, and which; the module
#: whose names are not listed is asked for each with its function `lookup`.
HOMES: dict[str, tuple[str, str]] = {
    "_c_dataengine": (
        "_data_engine",
        """
        DataType LookupOperation Vocab
        """,
    ),
    "_c_expression": (
        "_c_expression",
        """
        Cell_ MSContext ParamInfo _empty_instance _framework_profiler_step_end
        _framework_profiler_step_start _ms_memory_recycle is_reboot_node
        update_pijit_default_config
        """,
    ),
    "common._decorator": (
        "_common_parts",
        """
        deprecated
        """,
    ),
    "common._register_for_tensor": (
        "_common_parts",
        """
        Registry
        """,
    ),
    "common._utils": (
        "_common_parts",
        """
        get_func is_dim_unknown is_shape_unknown load_lib
        """,
    ),
    "common.dtype": (
        "_common_parts",
        """
        _dtype_to_nptype _dtype_to_pytype _get_py_obj_dtype _pytype_to_dtype
        """,
    ),
    "common.initializer": (
        "_initializers",
        """
        _INITIALIZER_ALIAS _init_random_normal _init_random_normal_inplace
        _init_random_uniform _init_random_uniform_inplace _init_truncated_normal
        _init_truncated_normal_inplace
        """,
    ),
    "common.tensor": (
        "_common_parts",
        """
        _TensorMeta
        """,
    ),
    "communication._comm_helper": (
        "_common_parts",
        """
        _get_group_map _is_available _is_hccl_available _is_mpi_available
        _is_nccl_available
        """,
    ),
    "dataset.audio.validators": ("_decorators", ""),
    "dataset.core.datatypes": (
        "_data_engine",
        """
        mstype_to_detype mstypelist_to_detypelist nptype_to_detype
        """,
    ),
    "dataset.core.validator_helpers": (
        "_validators",
        """
        check_2tuple check_columns check_dataset_num_shards_shard_id check_dict
        check_dir check_file check_filename check_float32 check_float32_not_zero
        check_float64 check_int32 check_int32_not_zero check_list_same_size
        check_non_negative_float32 check_non_negative_float64 check_non_negative_int32
        check_num_parallel_workers check_num_samples check_odd check_padding_options
        check_pos_float32 check_pos_float64 check_pos_int32 check_pos_int64
        check_pos_uint32 check_positive check_range check_sampler_shuffle_shard_options
        check_tensor_op check_uint32 check_uint64 check_uint8 check_valid_detype
        check_valid_list_tuple check_valid_str check_value check_value_cutoff
        check_value_normalize_std check_value_ratio is_iterable pad_arg_name
        parse_user_args replace_none type_check type_check_list
        validate_dataset_param_value
        """,
    ),
    "dataset.engine.validators": ("_decorators", ""),
    "dataset.text.validators": ("_decorators", ""),
    "dataset.transforms.validators": ("_decorators", ""),
    "dataset.vision.py_transforms_util": (
        "_pil_images",
        """
        adjust_brightness adjust_contrast adjust_hue adjust_saturation
        augment_error_message auto_contrast center_crop crop decode equalize five_crop
        grayscale horizontal_flip hwc_to_chw invert_color is_pil normalize pad
        random_crop random_horizontal_flip random_vertical_flip resize rotate ten_crop
        to_pil to_tensor to_type vertical_flip
        """,
    ),
    "dataset.vision.validators": ("_decorators", ""),
    "graph.api": (
        "_graph_parts",
        """
        _add_flags _core _function_forbid_reuse _no_recursive
        """,
    ),
    "nn.layer.rnn_cells": (
        "_nn_parts",
        """
        _gru_cell _lstm_cell _rnn_relu_cell _rnn_tanh_cell
        """,
    ),
    "nn.wrap.loss_scale": (
        "_nn_parts",
        """
        _grad_overflow _grad_scale _tensor_grad_overflow grad_scale tensor_grad_scale
        """,
    ),
    "ops.auto_generate": ("_auto_generate", ""),
    "ops.auto_generate.gen_extend_func": ("_auto_generate", ""),
    "ops.auto_generate.gen_ops_def": ("_auto_generate", ""),
    "ops.auto_generate.gen_ops_prim": ("_auto_generate", ""),
    "ops.auto_generate.pyboost_inner_prim": ("_auto_generate", ""),
    "ops.operations._sparse_grad_ops": ("_rare_primitives", ""),
    "ops.operations.array_ops": ("_rare_primitives", ""),
    "ops.operations.image_ops": ("_rare_primitives", ""),
    "ops.operations.linalg_ops": ("_rare_primitives", ""),
    "ops.operations.math_ops": ("_rare_primitives", ""),
    "ops.operations.nn_ops": ("_rare_primitives", ""),
    "ops.operations.random_ops": ("_rare_primitives", ""),
    "ops.operations.sparse_ops": ("_rare_primitives", ""),
    "ops.composite.multitype_ops._compile_utils": (
        "_indexing",
        """
        _scalar_to_tensor _tensor_add _tensor_div _tensor_floordiv _tensor_getitem
        _tensor_getitem_origin _tensor_index_by_bool _tensor_index_by_integer
        _tensor_matmul _tensor_mod _tensor_mul _tensor_pow _tensor_rpow _tensor_setitem
        _tensor_setitem_origin _tensor_sub sequence_to_tensor tensor_in_sequence
        tensor_index_by_bool_tensor tensor_index_by_list tensor_index_by_number
        tensor_index_by_slice tensor_index_by_tensor tensor_index_by_tuple tensor_item
        """,
    ),
    "ops.tensor_method": ("_methods", ""),
    "parallel._ps_context": (
        "_common_parts",
        """
        _is_role_sched
        """,
    ),
    "rewrite.common.namespace": (
        "_rewrite_parts",
        """
        _subtree_black_list is_subtree
        """,
    ),
    "train.amp": (
        "_train_parts",
        """
        AMP_AUTO_WHITE_LIST AMP_BLACK_LIST AMP_PRIM_ARG_TABLE AMP_WHITE_LIST _OutputTo16
        _OutputTo32 _amp_cast_op _do_keep_batchnorm_fp32 _is_grad_accumulation
        _list_check amp_cast
        """,
    ),
    "train.model": (
        "_train_parts",
        """
        _StepSync _merge_inputs _process_loss_inputs _transfer_tensor_to_tuple
        """,
    ),
    "train.serialization": (
        "_train_parts",
        """
        _check_param_type _check_prefix _exec_save _get_cur_rank_dp
        _get_merged_param_data _is_auto_parallel_mode _parse_ckpt_proto
        _special_process_par _type_convert _update_param _whether_load_param
        tensor_to_ms_type tensor_to_np_type
        """,
    ),
    "train.summary.summary_record": (
        "_train_parts",
        """
        _get_summary_tensor_data _record_summary_tensor_data
        """,
    ),
    "nn.layer.conv": (
        "_nn_functions",
        """
        _check_input_3d _deconv_output_length
        """,
    ),
    "ops.function.nn_func": (
        "_nn_functions",
        """
        _in_projection _in_projection_packed _innner_log_softmax
        _scaled_dot_product_attention multi_head_attention_forward
        """,
    ),
    "train._utils": (
        "_file_parts",
        """
        _check_lineage_value _collect_settings_by_rank _construct_input_tensors
        _convert_type _get_pp_size_from_redundancy_map _load_and_transform
        _rotate_list_elements get_parameter_redundancy parse_hccl_file
        parse_strategy_ckpt read_proto remove_param_redundancy
        """,
    ),
    "train.anf_ir_pb2": ("_protobuf_parts", ""),
    "train.checkpoint_pb2": ("_protobuf_parts", ""),
    "train.lineage_pb2": ("_protobuf_parts", ""),
    "train.mind_ir_pb2": ("_protobuf_parts", ""),
    "train.print_pb2": ("_protobuf_parts", ""),
    "train.profiling_parallel_pb2": ("_protobuf_parts", ""),
    "train.summary_pb2": ("_protobuf_parts", ""),
    "train.train_thor.dataset_helper": (
        "_train_parts",
        """
        DatasetHelper
        """,
    ),
    "ops.composite.multitype_ops.add_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.bitwise_and_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.bitwise_or_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.bitwise_xor_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.div_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.equal_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.floordiv_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.getitem_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.greater_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.greater_equal_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.in_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.invert_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.left_shift_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.less_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.less_equal_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.logical_and_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.logical_not_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.logical_or_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.mod_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.mul_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.negative_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.not_equal_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.not_in_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.pow_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.right_shift_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.setitem_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.sub_impl": ("_overloads", ""),
    "ops.composite.multitype_ops.uadd_impl": ("_overloads", ""),
    "graph._parse.standard_method": ("_methods", ""),
    "utils._pytree": (
        "_pytree_parts",
        """
        PyTreeDef register_pytree_node register_pytree_node_class tree_flatten tree_leaves
        tree_map tree_structure tree_unflatten
        """,
    ),
    "train.callback._checkpoint": (
        "_file_parts",
        """
        CheckpointManager
        """,
    ),
    "dataset.engine.datasets": (
        "_data_engine",
        """
        _get_training_dataset _reset_training_dataset _set_training_dataset
        """,
    ),
    "_checkparam": (
        "_shape_checks",
        """
        _check_binary_rel _check_dup _check_inc_rel _check_int_sequence_len
        _expand_sequence_to_tuple _expand_tuple check_astype_dtype check_axis_type
        check_flatten_order check_input_dataset check_input_format check_reduce_shape
        check_reshape_shp check_sparse_tensor_input check_str_and_none_by_regular
        check_swapaxes_axis check_transpose_axis expanded_shape max_ min_ once_sequence
        prepare_shape_for_squeeze triple_sequence tuple_slice twice_sequence
        """,
    ),
}
