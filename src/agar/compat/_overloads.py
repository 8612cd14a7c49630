"""``ops.composite.multitype_ops``: what an operator does for each pair of types, as functions.

MindSpore's compiler picks one of them by the types: ``_tensor_add_scalar(x, y)`` of ``add_impl`` is
``x + y``. Each is that operator here, which knows the types by itself. Those named ``default_``
raise in MindSpore, as they do here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import agar as ms
from agar import ops
from agar.compat import names

__all__ = ["MODULES", "lookup"]


def _sequences(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison that is False, or for `ne` True, where a value is None and the other is not."""

    def call(x: Any, y: Any) -> Any:
        if (x is None) != (y is None):
            return compare is operator.ne
        return compare(x, y)

    return call


def _arithmetic(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator that takes a sequence beside a Tensor for a Tensor, too."""

    def call(x: Any, y: Any) -> Any:
        if isinstance(x, ms.Tensor) and isinstance(y, (list, tuple)):
            y = ms.Tensor(y)
        elif isinstance(y, ms.Tensor) and isinstance(x, (list, tuple)):
            x = ms.Tensor(x)
        return compute(x, y)

    return call


def _in(x: Any, y: Any) -> bool:
    return x in y


def _not_in(x: Any, y: Any) -> bool:
    return x not in y


def _logical(of_tensors: Callable[..., Any], of_values: Callable[..., Any]) -> Any:
    def call(*values: Any) -> Any:
        tensors = any(isinstance(value, ms.Tensor) for value in values)
        return (of_tensors if tensors else of_values)(*values)

    return call


def _set(data: Any, index: Any, value: Any) -> Any:
    data[index] = value
    return data


_OPERATORS: dict[str, Callable[..., Any]] = {
    "add_impl": _arithmetic(operator.add),
    "bitwise_and_impl": operator.and_,
    "bitwise_or_impl": operator.or_,
    "bitwise_xor_impl": operator.xor,
    "div_impl": _arithmetic(operator.truediv),
    "equal_impl": _sequences(operator.eq),
    "floordiv_impl": _arithmetic(operator.floordiv),
    "getitem_impl": operator.getitem,
    "greater_equal_impl": operator.ge,
    "greater_impl": operator.gt,
    "in_impl": _in,
    "invert_impl": operator.invert,
    "left_shift_impl": operator.lshift,
    "less_equal_impl": operator.le,
    "less_impl": operator.lt,
    "logical_and_impl": _logical(ops.logical_and, lambda x, y: bool(x and y)),
    "logical_not_impl": _logical(ops.logical_not, operator.not_),
    "logical_or_impl": _logical(ops.logical_or, lambda x, y: bool(x or y)),
    "mod_impl": _arithmetic(operator.mod),
    "mul_impl": _arithmetic(operator.mul),
    "negative_impl": operator.neg,
    "not_equal_impl": _sequences(operator.ne),
    "not_in_impl": _not_in,
    "pow_impl": operator.pow,
    "right_shift_impl": operator.rshift,
    "setitem_impl": _set,
    "sub_impl": _arithmetic(operator.sub),
    "uadd_impl": operator.pos,
}
#: names that are not one of the pairs, or whose types only MindSpore's compiler has
_OTHERS = ("env", "monad", "map_tensor", "rowtensor", "addn", "backward", "create_tuple")
#: the paths of this module
MODULES = tuple(f"ops.composite.multitype_ops.{name}" for name in _OPERATORS)
#: operators by the names under which MindSpore's modules keep them
_WHOLE = ("in_", "not_in_", "left_shift", "right_shift", "mod", "pow_", "uadd", "getitem")


def lookup(path: str, name: str, missing: Any) -> Any:
    """The function of a name, else `missing`."""
    compute = _OPERATORS.get(path.rpartition(".")[2])
    pair = name in _WHOLE or (name.startswith("_") and name.islower())
    if compute is None or not pair or any(word in name for word in _OTHERS):
        return missing
    if name not in names(path):
        return missing

    def call(*values: Any) -> Any:
        return compute(*values)

    call.__name__ = call.__qualname__ = name
    call.__module__ = f"agar.{path}"
    call.__doc__ = f"The operator of ``{path.rpartition('.')[2]}`` for these types."
    return call
