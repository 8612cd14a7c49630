"""MindSpore's module paths for which agar has no file: they hand on what stands elsewhere.

NOTE Three kinds. An alias hands on the names of other modules (`ALIASES`). An old alias does so
too, and says once for each name that MindSpore 2 no longer has the path (`OLD_ALIASES`). Modules of
names that agar does not have come from `agar._core.absent_names`. All are made when they are first
imported, under ``agar.`` and, after `agar.alias_mindspore`, under ``mindspore.``.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import warnings
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from agar._core import absent
from agar._core.hints import MissingName, refuse_import

__all__ = ["ALIASES", "NAMESAKES", "OLD_ALIASES", "TOP", "old", "top"]

#: names of the top module that are elsewhere, loaded when they are first asked for.
_TOP = {
    "common": """
        DeviceCtx Int QuantDtype TensorType UntypedStorage enable_dynamic flops_collection
        frombuffer mindio_preload ms_memory_recycle register_saved_tensors_hooks
        saved_tensors_hooks set_mindio_server_info swap_tensors
    """,
    "context": """
        COMPATIBLE LAX STRICT get_auto_parallel_context get_ps_context
        reset_auto_parallel_context reset_ps_context set_auto_parallel_context set_ps_context
    """,
    "graph": """
        CustomPassType clear_op_infer clear_op_wrapper register_custom_backend
        register_custom_pass register_op_infer register_op_wrapper
    """,
    "mindrecord": """
        Cifar100ToMR Cifar10ToMR CsvToMR FAILED FileReader FileWriter ImageNetToMR MindPage
        MnistToMR SUCCESS TFRecordToMR set_dec_mode set_enc_key set_enc_mode
    """,
    "ops": "constexpr",
    "parallel": """
        Layout build_searched_strategy get_algo_parameters load_distributed_checkpoint
        load_segmented_checkpoints merge_pipeline_strategys merge_sliced_parameter
        parameter_broadcast rank_list_for_transform reset_algo_parameters
        restore_group_info_list set_algo_parameters shard sync_pipeline_shared_parameters
        transform_checkpoint_by_rank transform_checkpoints unified_safetensors
    """,
    "parallel.function": "reshard",
    "profiler": "EnvProfiler Profiler",
    "rewrite": "Node NodeType ScopedValue SymbolTree",
    "runtime": """
        Event MemPool PluggableAllocator Stream StreamCtx StreamLimitCtx communication_stream
        current_stream default_stream dispatch_threads_num empty_cache get_device_limit
        get_stream_limit launch_blocking max_memory_allocated max_memory_reserved
        memory_allocated memory_replay memory_reserved memory_stats memory_summary
        reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats
        reset_stream_limit set_cpu_affinity set_cur_stream set_device_limit
        set_kernel_launch_capture set_kernel_launch_group set_memory set_stream_limit
        synchronize use_mem_pool
    """,
    "safeguard": "load_obf_params_into_net obfuscate_ckpt",
    "tools": "set_dump",
    "train": """
        BackupAndRestore DatasetHelper FlopsUtilizationCollector OnRequestExit SummaryCollector
        SummaryLandscape SummaryRecord TrainFaultTolerance connect_network_with_dataset data_sink
        export_split_mindir get_ckpt_path_with_strategy load_mindir save_mindir
    """,
    "utils": """
        ExitByRequest MsDispatchMode RSCPluginHandle TFTCommValue comm_exec_order_check dryrun
        from_dlpack get_sdc_detect_result run_check runtime_execution_order_check
        sdc_detect_start sdc_detect_stop stress_detect to_dlpack
    """,
}
TOP = {name: home for home, names in _TOP.items() for name in names.split()}

#: spellings of MindSpore 1 for names of MindSpore 2, by module.
_OLD_NAMES = {
    "": {"ms_class": "jit_class", "ms_function": "jit"},
    "common.api": {"ms_class": "jit_class", "ms_function": "jit"},
    "nn": {"GlobalBatchNorm": "SyncBatchNorm"},
    "nn.loss.loss": {"_Loss": "LossBase"},
}

#: path: the modules whose names it hands on, in the order in which they are asked.
ALIASES: dict[str, str] = {
    "_c_expression": "",
    "_c_expression.typing": "common.dtype _core.dtype",
    "common._monad": "ops",
    "common._register_for_tensor": "ops",
    "common._stub_tensor": "common.tensor",
    "common._tensor_docs": "",
    "common._utils": "common",
    "common.dump": "tools.data_dump",
    "common.dynamic_shape": "common.api",
    "common.dynamic_shape.enable_dynamic": "common.api",
    "common.jit_context": "common.api",
    "common.jit_trace": "common.api",
    "common.lazy_inline": "common",
    "common.mindir_util": "train.serialization",
    "common.no_inline": "common",
    "common.np_dtype": "common.dtype",
    "communication._comm_helper": "communication.management",
    "device_manager": "_core.context",
    "graph.api": "common.api",
    "graph.jit_config": "common.jit_config",
    "graph.custom_pass": "graph",
    "graph.dynamic_shape": "common.api",
    "graph.dynamic_shape.enable_dynamic": "common.api",
    "graph.jit_context": "common.api",
    "graph.jit_trace": "common.api",
    "graph.lazy_inline": "common",
    "graph.mutable": "common",
    "graph.no_inline": "common",
    "graph.symbol": "common.symbol",
    "hal.event": "runtime.event",
    "hal.memory": "runtime.memory",
    "hal.stream": "runtime.stream",
    "mint.distributed.distributed": "mint.distributed",
    "nn.grad": "nn",
    "nn.grad.cell_grad": "nn",
    "nn.layer.thor_layer": "nn",
    "nn.optim.tft_wrapper": "nn.optim",
    "onnx.onnx_export": "onnx",
    "ops._constants": "ops",
    "ops._grad_experimental.grad_array_ops": "ops._grad_experimental.grad_base",
    "ops._grad_experimental.grad_comm_ops": "ops.collective.primitives"
    " ops.collective.message_primitives ops.collective.fused_matmul"
    " ops._grad_experimental.grad_base",
    "ops._grad_experimental.grad_implementations": "ops._grad_experimental.grad_base",
    "ops._grad_experimental.grad_inner_ops": "ops._grad_experimental.grad_base",
    "ops._grad_experimental.grad_math_ops": "ops._grad_experimental.grad_base",
    "ops._grad_experimental.grad_nn_ops": "ops._grad_experimental.grad_base",
    "ops._grad_experimental.grad_sparse_ops": "ops._grad_experimental.grad_base",
    "ops._vmap": "ops",
    "ops._vmap.vmap_base": "ops",
    "ops.auto_generate.gen_extend_func": "ops",
    "ops.auto_generate.gen_ops_def": "ops",
    "ops.auto_generate.gen_ops_prim": "ops ops.operations._grad_ops",
    "ops._register_for_op": "ops",
    "ops.auto_generate.pyboost_inner_prim": "ops",
    "ops.composite.multitype_ops._compile_utils": "ops",
    "ops.composite.multitype_ops._constexpr_utils": "ops",
    "ops.composite.multitype_ops.add_impl": "ops",
    "ops.composite.multitype_ops.div_impl": "ops",
    "ops.composite.multitype_ops.equal_impl": "ops",
    "ops.composite.multitype_ops.getitem_impl": "ops",
    "ops.composite.multitype_ops.greater_equal_impl": "ops",
    "ops.composite.multitype_ops.greater_impl": "ops",
    "ops.composite.multitype_ops.less_equal_impl": "ops",
    "ops.composite.multitype_ops.less_impl": "ops",
    "ops.composite.multitype_ops.mul_impl": "ops",
    "ops.composite.multitype_ops.not_equal_impl": "ops",
    "ops.composite.multitype_ops.ones_like_impl": "ops",
    "ops.composite.multitype_ops.setitem_impl": "ops",
    "ops.composite.multitype_ops.sub_impl": "ops",
    "ops.composite.multitype_ops.bitwise_and_impl": "ops",
    "ops.composite.multitype_ops.bitwise_or_impl": "ops",
    "ops.composite.multitype_ops.bitwise_xor_impl": "ops",
    "ops.composite.multitype_ops.floordiv_impl": "ops",
    "ops.composite.multitype_ops.in_impl": "ops",
    "ops.composite.multitype_ops.invert_impl": "ops",
    "ops.composite.multitype_ops.left_shift_impl": "ops",
    "ops.composite.multitype_ops.logical_and_impl": "ops",
    "ops.composite.multitype_ops.logical_not_impl": "ops",
    "ops.composite.multitype_ops.logical_or_impl": "ops",
    "ops.composite.multitype_ops.mod_impl": "ops",
    "ops.composite.multitype_ops.negative_impl": "ops",
    "ops.composite.multitype_ops.not_in_impl": "ops",
    "ops.composite.multitype_ops.pow_impl": "ops",
    "ops.composite.multitype_ops.right_shift_impl": "ops",
    "ops.composite.multitype_ops.uadd_impl": "ops",
    "ops.composite.multitype_ops.zeros_like_impl": "ops",
    "ops.function.comm_func": "ops.communication",
    "ops.function.grad.grad_func": "ops",
    "ops.function.reshard_func": "ops",
    "ops.operations._csr_ops": "ops",
    "ops.operations._custom_grad": "ops",
    "ops.operations._custom_ops_utils": "ops",
    "ops.operations._embedding_cache_ops": "ops",
    "ops.operations._infer_ops": "ops",
    "ops.operations._map_tensor_ops": "ops",
    "ops.operations._ms_kernel": "ops",
    "ops.operations._ocr_ops": "ops",
    "ops.operations._sparse_grad_ops": "ops",
    "ops.operations._thor_ops": "ops",
    "ops.operations.manually_defined._inner": "ops",
    "ops.operations.manually_defined.ops_def": "ops",
    "ops.operations.reshard_ops": "ops.collective.message_primitives",
    "ops.deprecated": "ops",
    "ops.op_info_register": "ops.ascend.op_info",
    "ops.vm_impl_registry": "ops.python.registry",
    "ops.signature": "ops",
    "ops.tensor_method": "ops",
    "parallel._ps_context": "context",
    "parallel._cell_wrapper": "nn.wrap",
    "parallel._tensor": "parallel._utils",
    "parallel.data_access_adapter": "parallel._utils",
    "parallel.function": "",
    "parallel.function.reshard_func": "ops",
    "parallel.nn.parallel_cell_wrapper": "parallel.nn",
    "parallel.nn.parallel_grad_reducer": "parallel.nn",
    "parallel.parameter_broadcast": "parallel",
    "profiler.common.constant": "profiler.constant",
    "runtime.device_limit": "runtime.limits",
    "runtime.stream_limit": "runtime.limits",
    "train.data_sink": "train.dataset_helper",
    "train.metrics.accuracy": "nn.metrics.accuracy",
    "train.metrics.auc": "nn.metrics",
    "train.metrics.bleu_score": "nn.metrics.bleu_score",
    "train.metrics.confusion_matrix": "nn.metrics.confusion_matrix",
    "train.metrics.cosine_similarity": "nn.metrics.cosine_similarity",
    "train.metrics.dice": "nn.metrics.dice",
    "train.metrics.error": "nn.metrics.error",
    "train.metrics.fbeta": "nn.metrics.fbeta",
    "train.metrics.hausdorff_distance": "nn.metrics",
    "train.metrics.loss": "nn.metrics.loss",
    "train.metrics.mean_surface_distance": "nn.metrics",
    "train.metrics.metric": "nn.metrics.metric",
    "train.metrics.occlusion_sensitivity": "nn.metrics",
    "train.metrics.perplexity": "nn.metrics.perplexity",
    "train.metrics.precision": "nn.metrics.precision",
    "train.metrics.recall": "nn.metrics.recall",
    "train.metrics.roc": "nn.metrics.roc",
    "train.metrics.root_mean_square_surface_distance": "nn.metrics",
    "train.metrics.topk": "nn.metrics.topk",
    "utils.sdc_detect": "tools.sdc_detect",
    "utils.stress_detect": "tools.stress_detect",
    "version": "alias",
}

#: the same, of paths that MindSpore 2.10 no longer has.
OLD_ALIASES: dict[str, str] = {
    "dataset.transforms.c_transforms": "dataset.transforms",
    "dataset.transforms.py_transforms": "dataset.transforms",
    "dataset.vision.c_transforms": "dataset.vision dataset.transforms",
    "dataset.vision.py_transforms": "dataset.vision dataset.transforms",
    "nn.generator": "common.generator",
    "nn.layer.quant": "nn",
    "ops._tracefunc": "ops",
    "profiler.profiling": "profiler",
    "train.dataset_utils": "train.dataset_helper",
}

#: names of an alias that have other names elsewhere: path: {name: "module:name"}.
RENAMED: dict[str, dict[str, str]] = {
    "_c_expression": {
        "GroupOptions": "communication.management:GroupOptions",
        "Tensor": "common.tensor:Tensor",
        "TensorPy": "common.tensor:Tensor",
        "frombuffer": "common.api:frombuffer",
        "typing": "_c_expression.typing:",
    },
    "_c_expression.security": {"enable_security": "_paths:_no_security"},
    "communication._comm_helper": {
        "_get_rank_helper": "communication.management:get_rank",
        "_get_size_helper": "communication.management:get_group_size",
        "_is_initialized": "ops.communication:is_initialized",
    },
    "common._stub_tensor": {
        "StubTensor": "common.tensor:Tensor",
        "is_stub_tensor": "_checkparam:is_stub_tensor",
    },
    "parallel.function": {"reshard": "ops:reshard"},
    "version": {"__version__": "alias:MINDSPORE_VERSION"},
}


def _no_security() -> bool:
    """Whether MindSpore was built without what writes data about networks: agar never is."""
    return False


def top(name: str) -> Any:
    """A name of the top module that is elsewhere.

    Raises:
        AttributeError: there is none.
    """
    if name in TOP:
        home = TOP[name]
        return getattr(import_module(f"agar.{home}"), name)
    return old(name, "")


def old(name: str, module: str) -> Any:
    """What MindSpore 2 calls a name of MindSpore 1, with a warning.

    Raises:
        AttributeError: there is none.
    """
    new = _OLD_NAMES.get(module, {}).get(name)
    path = f"agar.{module}".rstrip(".")
    if new is None:
        raise MissingName(f"module '{path}' has no attribute '{name}'")
    result = path.replace("agar", "mindspore", 1)
    warnings.warn(
        f"'{result}.{name}' is a spelling of MindSpore 1; MindSpore 2 has it as '{result}.{new}'.",
        DeprecationWarning,
        stacklevel=4,
    )
    return getattr(import_module(path), new)


@cache
def _known() -> dict[str, bool]:
    """Every path made here, without ``agar.``, and whether it holds others."""
    compat = import_module("agar.compat")
    paths = {*ALIASES, *OLD_ALIASES, *RENAMED, *absent.modules(), *compat.modules()}
    packages = set()
    for path in paths:
        parts = path.split(".")
        packages.update(".".join(parts[:i]) for i in range(1, len(parts)))
    return {path: path in packages for path in paths | packages}


def _look_up(path: str, name: str) -> Any:
    """The object of an alias; AttributeError where there is none."""
    renamed = RENAMED.get(path, {}).get(name)
    if renamed is not None:
        module, _, own = renamed.partition(":")
        result = import_module(f"agar.{module}")
        return getattr(result, own) if own else result
    compat = import_module("agar.compat")
    if compat.implements(path, name):
        return compat.find(path, name)
    for source in ALIASES.get(path, OLD_ALIASES.get(path, "")).split():
        try:
            return getattr(import_module(f"agar.{source}"), name)
        except AttributeError:
            continue
    try:
        return absent.find(path, name)
    except AttributeError:
        return import_module("agar.compat").find(path, name)


def _public(path: str) -> list[str]:
    old_names = import_module("agar.compat.legacy").names(path)
    members = {*RENAMED.get(path, ()), *absent.names(path), *old_names}
    for source in ALIASES.get(path, OLD_ALIASES.get(path, "")).split():
        members.update(getattr(import_module(f"agar.{source}"), "__all__", ()))
    return sorted(members)


def _getter(path: str, space: dict[str, Any]) -> Any:
    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return _public(path)
        if name[:2] == name[-2:] == "__" and name not in RENAMED.get(path, ()):
            raise AttributeError(f"module 'agar.{path}' has no attribute '{name}'")
        if f"{path}.{name}" in _known():
            return import_module(f"agar.{path}.{name}")
        space[name] = result = _look_up(path, name)
        if path in OLD_ALIASES and not import_module("agar.compat").is_old(path, name):
            warnings.warn(
                f"'mindspore.{path}.{name}' is a spelling of MindSpore 1; MindSpore 2 has it in "
                f"'mindspore.{OLD_ALIASES[path].split()[0]}'.",
                DeprecationWarning,
                stacklevel=2,
            )
        return result

    return __getattr__


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the paths that have no file; it stands behind the finder of files."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        root, _, short = fullname.partition(".")
        if root != "agar":
            return None
        if short not in _known():
            refuse_import(fullname)
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, is_package=_known()[short])
        return spec

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        short = spec.name.partition(".")[2]
        sources = ALIASES.get(short, OLD_ALIASES.get(short, "")).split()
        where = f": the names of {', '.join(f'agar.{s}' for s in sources)}" if sources else ""
        return ModuleType(spec.name, f"MindSpore's path ``{short}``{where}.")

    def exec_module(self, module: ModuleType) -> None:
        short = module.__name__.partition(".")[2]
        space = vars(module)
        space["__getattr__"] = _getter(short, space)
        space["__dir__"] = lambda: _public(short)


# Paths whose last part is a function of the package as well. What is in `sys.modules` is not
# imported, and only an import puts a module into its package, in place of the function.
NAMESAKES = (
    "common.lazy_inline",
    "common.no_inline",
    "ops.op_info_register",
    "ops.vm_impl_registry",
    "parallel.parameter_broadcast",
    "train.data_sink",
    "train.metrics.auc",
    "utils.stress_detect",
)


def _install(finder: _Finder) -> None:
    # behind all others: a file comes first
    sys.meta_path.append(finder)
    for short in NAMESAKES:
        spec = importlib.machinery.ModuleSpec(f"agar.{short}", finder)
        module = sys.modules[spec.name] = finder.create_module(spec)
        module.__spec__ = spec
        finder.exec_module(module)


_install(_Finder())
