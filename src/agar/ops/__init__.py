"""Operators: functions (``ops.relu``), Primitive classes (``ops.ReLU``) and transforms.

Functions and classes are bindings of the operator table; each is generated when first asked for.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from agar._core import optable as _optable
from agar._core.autodiff import GradOperation as GradOperation
from agar._core.autodiff import get_grad as get_grad
from agar._core.autodiff import grad as grad
from agar._core.autodiff import value_and_grad as value_and_grad
from agar._core.hints import MissingName as _MissingName
from agar._core.late_index import OPERATORS as _OPERATORS
from agar._core.late_index import VALUES as _NAMES_OF_VALUES
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
from agar._core.tensor import install_operators as _install_operators
from agar._core.tensor import is_tensor as is_tensor
from agar._core.transforms import jacfwd as jacfwd
from agar._core.transforms import jacrev as jacrev
from agar._core.transforms import jvp as jvp
from agar._core.transforms import vjp as vjp
from agar._core.transforms import vmap as vmap
from agar.ops._paths import COLLECTIVES as _COLLECTIVES
from agar.ops._paths import collective as _collective
from agar.ops._paths import mint_form as _mint_form

_optable.table.expect(_OPERATORS, "agar.ops")
_install_operators(Tensor)

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
_VALUES = {name: home for home, names in _NAMES_OF_VALUES.items() for name in names.split()}

# The families of operators; that of a name like an operator's would stand in its place.
_FAMILIES = frozenset(
    {
        "ascend",
        "attention",
        "collective",
        "gradients",
        "image",
        "linalg",
        "math",
        "nn",
        "optim",
        "primitive",
        "primitives",
        "python",
        "random",
        "sparse",
        "spec",
        "tensor",
    }
)

__all__ = sorted(
    {
        *_EXPLICIT,
        *_VALUES,
        *_COLLECTIVES,
        *_optable.table.functions,
        *_optable.table.primitives,
    }
)


def __getattr__(name: str) -> Any:
    entry = _optable.table.functions.get(name)
    if entry is not None:
        result = _optable.binding(entry, name, module="agar.ops.function")
    elif name in _optable.table.primitives:
        result = _optable.primitive_class(
            _optable.table.primitives[name], name, module="agar.ops.operations"
        )
    elif name in _VALUES:
        result = getattr(_import_module(f"agar.ops.{_VALUES[name]}"), name)
    elif name in _COLLECTIVES:
        result = _collective(name)
    elif name in _PATHS or name in _FAMILIES:
        result = _import_module(f"agar.ops.{name}")
    else:
        result = _mint_form(name) if name.endswith("_ext") else None
        if result is None:
            raise _MissingName(f"module 'agar.ops' has no attribute '{name}'")
    globals()[name] = result
    return result


def __dir__() -> list[str]:
    return __all__


# What nearly every program calls is declared at once, so that the first call does not wait for it.
for _name in (
    "linalg.products",
    "math.arithmetic",
    "math.comparison",
    "math.division",
    "math.elementwise",
    "math.extrema",
    "math.reduction",
    "nn.activation",
    "nn.convolution",
    "nn.dense",
    "nn.dropout",
    "nn.layer_normalization",
    "nn.loss",
    "nn.loss_classification",
    "nn.normalization",
    "nn.pooling",
    "nn.softmax",
    "tensor.casting",
    "tensor.creation",
    "tensor.indexing",
    "tensor.joining",
    "tensor.metadata",
    "tensor.slicing",
    "tensor.sorting",
    "tensor.transpose",
    "tensor.views",
):
    _import_module(f"agar.ops.{_name}")
