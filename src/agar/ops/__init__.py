"""Operators: functions (``ops.relu``), Primitive classes (``ops.ReLU``) and transforms.

Functions and classes are bindings of the operator table; each is generated when first asked for.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType
from typing import Any

from agar._core import optable as _optable
from agar._core.autodiff import GradOperation as GradOperation
from agar._core.autodiff import get_grad as get_grad
from agar._core.autodiff import grad as grad
from agar._core.autodiff import value_and_grad as value_and_grad
from agar._core.hints import MissingName as _MissingName
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
from agar._core.tensor import install_operators as _install_operators
from agar._core.tensor import is_tensor as is_tensor
from agar._core.transforms import jacfwd as jacfwd
from agar._core.transforms import jacrev as jacrev
from agar._core.transforms import jvp as jvp
from agar._core.transforms import vjp as vjp
from agar._core.transforms import vmap as vmap
from agar.ops import _load as _load
from agar.ops import primitive as _primitive
from agar.ops._paths import COLLECTIVES as _COLLECTIVES
from agar.ops._paths import collective as _collective
from agar.ops._paths import mint_form as _mint_form
from agar.ops.ascend import op_info as _op_info
from agar.ops.ascend import quant_parts as _quant_parts
from agar.ops.attention import mixture_of_experts as _mixture_of_experts
from agar.ops.linalg import einsum_lists as _einsum_lists
from agar.ops.primitives import debug as _debug
from agar.ops.python import compiler_values as _compiler_values
from agar.ops.python import control as _control
from agar.ops.python import custom as _custom
from agar.ops.python import dump as _dump
from agar.ops.python import iteration as _iteration
from agar.ops.python import loops as _loops
from agar.ops.python import placement as _placement
from agar.ops.python import registry as _registry
from agar.ops.python import summary as _summary
from agar.ops.python import taylor as _taylor
from agar.ops.python import values as _python_values
from agar.ops.sparse import coo as _sparse_coo
from agar.ops.sparse import csr as _sparse_csr
from agar.ops.sparse import dense as _sparse_dense
from agar.ops.sparse import elementwise as _sparse_elementwise
from agar.ops.sparse import parts as _sparse_parts

_install_operators()

_EXPLICIT = [
    "GradOperation",
    "Primitive",
    "get_grad",
    "grad",
    "is_tensor",
    "jacfwd",
    "jacrev",
    "jvp",
    "value_and_grad",
    "vjp",
    "vmap",
]

# MindSpore's module paths under ops, imported when first asked for.
_PATHS = frozenset(
    {
        "auto_generate",
        "communication",
        "composite",
        "function",
        "functional",
        "functional_overload",
        "operations",
    }
)

# Functions over functions and over Python values are not entries of the table.
for _module in (
    _primitive,
    _op_info,
    _quant_parts,
    _mixture_of_experts,
    _einsum_lists,
    _debug,
    _compiler_values,
    _control,
    _custom,
    _dump,
    _iteration,
    _loops,
    _placement,
    _registry,
    _summary,
    _taylor,
    _python_values,
    _sparse_coo,
    _sparse_csr,
    _sparse_dense,
    _sparse_elementwise,
    _sparse_parts,
):
    globals().update({_name: getattr(_module, _name) for _name in _module.__all__})
    _EXPLICIT += _module.__all__

_EXPLICIT += _COLLECTIVES

__all__ = sorted({*_EXPLICIT, *_optable.table.functions, *_optable.table.primitives})


def __getattr__(name: str) -> Any:
    entry = _optable.table.functions.get(name)
    if entry is not None:
        result = _optable.binding(entry, name, module="agar.ops.function")
    elif name in _optable.table.primitives:
        result = _optable.primitive_class(
            _optable.table.primitives[name], name, module="agar.ops.operations"
        )
    elif name in _COLLECTIVES:
        result = _collective(name)
    elif name in _PATHS:
        result = _import_module(f"agar.ops.{name}")
    else:
        result = _mint_form(name) if name.endswith("_ext") else None
        if result is None:
            raise _MissingName(f"module 'agar.ops' has no attribute '{name}'")
    globals()[name] = result
    return result


def __dir__() -> list[str]:
    return __all__


# Some families of operators are modules of the same name as an operator (cast, shape). The import
# of a submodule puts it in this namespace, where the operator belongs.
for _name in _optable.table.functions:
    if isinstance(globals().get(_name), _ModuleType):
        __getattr__(_name)
