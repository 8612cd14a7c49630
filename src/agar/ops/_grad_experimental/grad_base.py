"""``bprop_getters``: gradients for Primitive classes, given apart from the class."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agar._core import autodiff
from agar._core.optable import Primitive

__all__ = ["bprop_getters", "bprops"]


class _Differentiated:
    """A Primitive seen as something that has a ``bprop``, as custom gradients expect."""

    def __init__(self, prim: Primitive, bprop: Callable[..., Any]) -> None:
        self.prim = prim
        self.bprop = bprop


class _Registry:
    """Gives Primitive classes a gradient.

    Difference from PyTorch: ``torch.library.register_autograd``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.ops._grad_experimental.grad_base import bprop_getters
        >>> class Twice(ms.ops.Primitive):
        ...     @ms.ops.prim_attr_register
        ...     def __init__(self):
        ...         pass
        ...
        ...     def __call__(self, x):
        ...         return x * 2
        >>> @bprop_getters.register(Twice)
        ... def get_bprop_twice(self):
        ...     return lambda x, out, dout: (dout * 20,)
        >>> print(ms.grad(Twice())(ms.Tensor([1.0])))
        [20.]
    """

    def register(self, prim: type[Primitive]) -> Callable[[Callable[..., Any]], Any]:
        """Decorator of a function that takes the Primitive object and returns its ``bprop``.

        Args:
            prim (type[Primitive]): the class; its ``__call__`` is computed as before, its
                gradient is then what ``bprop(*inputs, out, dout)`` returns.

        Raises:
            TypeError: `prim` is not a class of Primitives.
            ValueError: it is an operator of agar, which has its gradient.
        """
        if not (isinstance(prim, type) and issubclass(prim, Primitive)):
            raise TypeError(
                f"For 'bprop_getters.register', 'prim' must be a class of Primitives, got {prim!r}."
            )
        if prim._entry is not None:
            raise ValueError(
                f"For 'bprop_getters.register', '{prim.__name__}' is an operator of agar with a "
                "gradient of its own; subclass ops.Primitive for another one."
            )
        compute = prim.__call__

        def add(getter: Callable[[Any], Callable[..., Any]]) -> Callable[[Any], Any]:
            @functools.wraps(compute)
            def call(self: Primitive, *args: Any) -> Any:
                return autodiff.call_with_bprop(
                    _Differentiated(self, getter(self)), args, {}, functools.partial(compute, self)
                )

            prim.__call__ = call
            return getter

        return add


bprop_getters = bprops = _Registry()
