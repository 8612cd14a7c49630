"""Registries of operators: Python functions for Primitives, and operators by name."""

from __future__ import annotations

import importlib
from collections import UserDict
from collections.abc import Callable
from typing import Any

from agar._core.optable import Primitive

__all__ = ["get_vm_impl_fn", "tensor_operator_registry", "vm_impl_registry"]


class _FunctionRegistry(UserDict):
    """Functions that make Python implementations of Primitives, by class or by name.

    Difference from PyTorch: ``torch.library`` registers kernels.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.ops.vm_impl_registry.register("Twice")
        ... def make(prim):
        ...     return lambda x: x * 2
        >>> ms.ops.get_vm_impl_fn("Twice")(3)
        6
    """

    def register(self, prim: Any) -> Callable[..., Any]:
        """A decorator that registers a function for a Primitive class or a name.

        Args:
            prim (Union[type, str]): the class, or the operator's name.

        Raises:
            TypeError: it is neither.
        """
        if not isinstance(prim, str) and not (
            isinstance(prim, type) and issubclass(prim, Primitive)
        ):
            raise TypeError(
                "For 'vm_impl_registry.register', 'prim' must be a Primitive class or a name, but "
                f"got {prim!r}."
            )

        def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
            if isinstance(prim, str):
                self[prim] = fn
            else:
                self[id(prim)] = self[prim.__name__] = fn
            return fn

        return decorate

    def get(self, key: Any, default: Any = None) -> Any:
        """The function for a Primitive or a name; `default` where there is none."""
        if isinstance(key, Primitive):
            return self.data.get(id(type(key)), self.data.get(key.name, default))
        return self.data.get(key, default)


#: Python implementations of Primitives: a decorated function takes the Primitive (or its name)
#: and returns what computes it. Kept for debugging tools; operators do not look here.
vm_impl_registry = _FunctionRegistry()


def get_vm_impl_fn(prim: Any) -> Callable[..., Any] | None:
    """The Python implementation that was registered for a Primitive.

    Args:
        prim (Union[Primitive, str]): the Primitive, or the name of one.

    Returns:
        Function; None if nothing is registered.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.ops.vm_impl_registry.register("Kind")
        ... def make(prim):
        ...     return lambda x: type(x)
        >>> ms.ops.get_vm_impl_fn("Kind")(1.0)
        <class 'float'>
    """
    make = vm_impl_registry.get(prim)
    return make(prim) if make else None


class _OperatorRegistry:
    """Operators by name, as attributes or by ``get``; more may be set as attributes.

    Difference from PyTorch: ``getattr(torch.ops.aten, name)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.tensor_operator_registry.get("add")(ms.Tensor([1]), 2))
        [3]
    """

    def get(self, obj_str: str) -> Any:
        """The operator of a name.

        Raises:
            TypeError: the name is not a str.
            AttributeError: there is no such operator.
        """
        if not isinstance(obj_str, str):
            raise TypeError(f"key for tensor registry must be string, but got {obj_str!r}.")
        return getattr(self, obj_str)

    def __getattr__(self, name: str) -> Any:
        value = None
        if not name.startswith("__"):
            value = getattr(importlib.import_module("agar.ops"), name, None)
        if value is None:
            raise AttributeError(f"No operator is registered under the name '{name}'.")
        return value


#: The operators that MindSpore's Tensor methods look up by name.
tensor_operator_registry = _OperatorRegistry()
