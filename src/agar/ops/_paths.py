"""MindSpore's many module paths for one set of operators.

Programs import ``ops.operations``, ``ops.functional``, ``ops.operations.nn_ops`` and so on. Each is
a view: it has no names of its own and hands on those of ``agar.ops``.

NOTE Mint's forms. Beside the operators of ``ops`` MindSpore's modules hold those of ``mint``, under
names that tell them apart: ``sort_ext`` is ``mint.sort``, ``split_view`` is ``mint.split``,
``inplace_elu`` is ``mint.nn.functional.elu_``. What ``agar.ops`` does not have is looked for there.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from agar._core import optable

__all__ = [
    "COLLECTIVES",
    "MODULES_OF_VALUES",
    "children",
    "collective",
    "find",
    "load_all",
    "mint_form",
    "names",
]

#: The modules of functions over functions and over Python values, which are not in the table.
MODULES_OF_VALUES = (
    "primitive",
    "ascend.op_info",
    "ascend.quant_parts",
    "attention.mixture_of_experts",
    "linalg.einsum_lists",
    "primitives.debug",
    "python.compiler_values",
    "python.control",
    "python.custom",
    "python.dump",
    "python.iteration",
    "python.loops",
    "python.placement",
    "python.registry",
    "python.summary",
    "python.taylor",
    "python.values",
    "sparse.coo",
    "sparse.csr",
    "sparse.dense",
    "sparse.elementwise",
    "sparse.parts",
)


def mint_form(name: str) -> Any:
    """The operator of mint that one of MindSpore's names stands for; see NOTE Mint's forms.

    Returns:
        The function, or None if mint has none.
    """
    stem = name.removesuffix("_view").removesuffix("_ext")
    if name.startswith("inplace_"):
        stem = f"{name.removeprefix('inplace_')}_"
    for own in (name, stem):
        for path in (
            f"nn.functional.{own}",
            own,
            f"linalg.{own}",
            f"nn.{own}",
            own.replace("linalg_", "linalg.", 1),
            f"special.{own}",
        ):
            entry = optable.table.mints.get(path)
            if entry is not None:
                home, _, last = f"agar.mint.{path}".rpartition(".")
                return optable.binding(entry, last, module=home)
    return None


# Exchanges between processes, whose modules are loaded when one of them is first used. `gather` and
# `scatter` of processes are in mint.distributed: in ops they are of arrays.
_HOMES = {
    "exchanges": """
        all_to_all all_to_all_single all_to_all_v_c gather_into_tensor scatter_tensor
    """,
    "fused_matmul": """
        all_gather_matmul matmul_reduce_scatter
    """,
    "groups": """
        barrier destroy_process_group get_backend get_global_rank get_group_rank
        get_process_group_ranks get_rank get_world_size init_process_group is_available
        is_initialized new_group set_comm_ops_inplace
    """,
    "handles": """
        ReduceOp
    """,
    "message_primitives": """
        Barrier BatchISendIRecv MoveTo NeighborExchange NeighborExchangeV2 Pull Push
        Receive Reshard Send move_to
    """,
    "messages": """
        P2POp batch_isend_irecv irecv isend recv send
    """,
    "objects": """
        all_gather_object broadcast_object_list gather_object recv_object_list
        scatter_object_list send_object_list
    """,
    "primitives": """
        AllGather AllGatherV AllReduce AlltoAll AlltoAllV AlltoAllVC Broadcast
        CollectiveGather CollectiveScatter Reduce ReduceScatter ReduceScatterV
    """,
    "reductions": """
        all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_reduce
        broadcast reduce reduce_scatter reduce_scatter_tensor reduce_scatter_tensor_uneven
    """,
    "store": """
        TCPStore
    """,
}


def load_all() -> None:
    """Import the modules of all operators, which otherwise are when one is asked for."""
    for name in MODULES_OF_VALUES:
        importlib.import_module(f"agar.ops.{name}")
    optable.table.declare_all()


COLLECTIVES = {name: home for home, names in _HOMES.items() for name in names.split()}


def collective(name: str) -> Any:
    """The exchange of that name."""
    return getattr(importlib.import_module(f"agar.ops.collective.{COLLECTIVES[name]}"), name)


# Primitives of `operations._inner_ops` that the other paths of operations hand on as well.
_INNER = frozenset({"DSDMatmul", "MatmulDDS", "ProdForceSeA"})


def find(module: str, name: str) -> Any:
    """The operator of that name, for a view's ``__getattr__``.

    Raises:
        AttributeError: ``agar.ops`` has no such name.
    """
    if name.startswith("__"):
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    try:
        return getattr(importlib.import_module("agar.ops"), name)
    except AttributeError:
        value = mint_form(name)
    if value is None and name in _INNER and module.startswith("agar.ops.operations"):
        value = getattr(importlib.import_module("agar.ops.operations._inner_ops"), name)
    if value is None:
        raise AttributeError(f"module '{module}' has no attribute '{name}', nor has 'agar.ops'.")
    setattr(sys.modules[module], name, value)
    return value


def names(belongs: Callable[[str], bool]) -> list[str]:
    """The public names of ``agar.ops`` that belong into a view."""
    return [name for name in importlib.import_module("agar.ops").__all__ if belongs(name)]


def children(package: str, modules: Iterable[str]) -> None:
    """Give a package submodules that are views, such as ``ops.operations.nn_ops``."""
    for short in modules:
        full = f"{package}.{short}"
        child = ModuleType(full, f"The operators of agar.ops, at MindSpore's path {full}.")
        child.__getattr__ = lambda name, full=full: find(full, name)
        child.__package__ = package
        child.__path__ = []  # a package for imports: what is below it has no files
        child.__spec__ = importlib.machinery.ModuleSpec(full, None, is_package=True)
        sys.modules[full] = child
        setattr(sys.modules[package], short, child)
