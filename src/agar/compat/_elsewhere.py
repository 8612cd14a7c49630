"""Public names at the private paths where MindSpore defines them, and of its tables of aliases."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["lookup"]

#: MindSpore's path: the module of agar that has the names, and which
_PLACES = {
    "_extends.parse.trope": (
        "ops",
        "augassign_add augassign_div augassign_floordiv augassign_mod augassign_mul augassign_sub",
    ),
    "common.generator": ("", "jit_class"),
    "graph._parse.builtin_operations": (
        "ops",
        """
        Depend Load OnesLike StopGradient StridedSlice TensorShape UpdateState bool_and bool_not
        bool_or identity list_getitem list_len make_list mixed_precision_cast scalar_cast scalar_eq
        scalar_gt scalar_le scalar_lt scalar_ne tuple_to_array typeof
        """,
    ),
    "graph._parse.trope": ("ops", "make_dict make_list make_range make_slice switch"),
    "graph._utils.jit_fallback_utils": ("ops", "dict_setitem"),
    "graph._utils.mindir_util": ("train", "load_mindir save_mindir"),
    "graph.jit_context": ("common", "jit_context"),
    "mint.distributed.distributed": ("ops", "gather_into_tensor scatter_tensor"),
    "mint.nn.layer._functions": ("ops", "AllGather AllReduce"),
    "mint.optim.adam": ("mint.optim", "Adam"),
    "mint.optim.adamw": ("mint.optim", "AdamW"),
    "mint.optim.fused_adamw": ("mint.optim", "FusedAdamW"),
    "mint.optim.sgd": ("mint.optim", "SGD"),
    "nn.cell": ("nn", "GraphCell"),
    "nn.layer.basic": ("ops", "tril triu"),
    "nn.probability.distribution._utils.custom_ops": ("ops", "broadcast_to"),
    "nn.sparse.sparse": ("nn", "SparseTensorDenseMatmul SparseToDense"),
    "ops._utils.arg_dtype_cast": (
        "ops",
        "DtypeToEnum is_sequence_shape_unknown scalar_to_tensor",
    ),
    "ops.function.array_func": ("", "from_numpy"),
    "ops.auto_generate.gen_ops_prim": ("amp", "NPUClearFloatStatusV2 NPUGetFloatStatusV2"),
    "ops.operations.math_ops": ("amp", "NPUClearFloatStatusV2 NPUGetFloatStatusV2"),
    "rewrite.node.node": ("rewrite", "Node"),
    "rewrite.sparsify.sparsify": ("rewrite", "sparsify"),
    "rewrite.symbol_tree.symbol_tree": ("rewrite", "SymbolTree"),
    "run_check.run_check": ("", "run_check"),
    "scipy.ops": ("ops", "Eig"),
    "scipy.ops_wrapper": ("ops", "matrix_set_diag"),
    "scipy.utils": ("", "grad"),
    "train.metrics.confusion_matrix": ("train", "ConfusionMatrixMetric"),
}


def lookup(path: str, name: str, missing: Any) -> Any:
    """The object of a name at one of these paths, else `missing`."""
    place, names = _PLACES.get(path, ("", ""))
    if name not in names.split():
        return missing
    return getattr(import_module(f"agar.{place}".rstrip(".")), name)
