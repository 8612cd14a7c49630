"""Why names of MindSpore's private modules compute nothing here, by module path."""

from __future__ import annotations

from agar._core.absent import Family
from agar._core.absent_names import DATA, PARALLEL, PROTOBUF, REWRITE, STRATEGY

__all__ = ["family_of"]

_CPP = Family(
    "it belongs to MindSpore's C++ engine, and agar computes with PyTorch's",
    "Use the public functions of ms, ms.runtime and ms.graph",
)
_KERNEL = Family(
    "it describes a kernel of Huawei's Ascend or of MindSpore's own CPU and GPU libraries",
    "Call the operator of ops, or write one in Python with ops.Custom",
)
_COMPILER = Family(
    "it is a part of MindSpore's compiler of Python source, and agar records calls instead",
    "Use jit, JitConfig and the functions of ms.graph",
)
_RULES = Family(
    "it is a rule of MindSpore's compiler for gradients or vmap, and agar differentiates with "
    "PyTorch's rules",
    "Use grad, vmap, or a Cell with a method bprop",
)
_OVERLOAD = Family(
    "it is one overload of an operator that MindSpore's compiler chooses by types",
    "Call the operator itself, or a function of ops",
)
_OPERATOR = Family(
    "this operator is not built, or needs Huawei's Ascend chips",
    "Compose it from the operators of ops and mint, or write it with ops.Custom",
)
_PROFILER = Family(
    "it reads the raw records of MindSpore's profiler of Ascend chips",
    "Use profiler.profile with a tensorboard_trace_handler, or torch.profiler",
)
_SOURCES = Family(
    "it generates MindSpore's own source files",
    "There is nothing to replace: leave the call out",
)
_CLUSTER = Family(
    "it starts and watches processes of MindSpore's own cluster",
    "Start processes with torchrun",
)
_PRIVATE = Family(
    "it is a private helper of MindSpore's module, and agar's is written otherwise",
    "Use the public functions and classes of that module",
)

_BY_PATH = {
    "": _PRIVATE,
    "_c_dataengine": DATA,
    "_c_expression": _CPP,
    "_c_mindrecord": DATA,
    "_extends": _COMPILER,
    "boost": _PRIVATE,
    "common": _PRIVATE,
    "dataset": DATA,
    "graph": _COMPILER,
    "ops": _OPERATOR,
    "ops._grad_experimental": _RULES,
    "ops._op_impl": _KERNEL,
    "ops._utils": _RULES,
    "ops._vmap": _RULES,
    "ops.bprop_mindir": _RULES,
    "ops.composite": _OVERLOAD,
    "ops.op_info_register": _KERNEL,
    "ops_generate": _SOURCES,
    "parallel": PARALLEL,
    "parallel._parallel_serialization": STRATEGY,
    "parallel.checkpoint_transform": STRATEGY,
    "parallel.cluster": _CLUSTER,
    "parallel.transform_safetensors": STRATEGY,
    "profiler": _PROFILER,
    "rewrite": REWRITE,
}


def family_of(path: str) -> Family:
    """The reason for the names of a module: that of the longest listed beginning of its path."""
    if path.endswith("_pb2"):
        return PROTOBUF
    while path not in _BY_PATH:
        path = path.rpartition(".")[0]
    return _BY_PATH[path]
