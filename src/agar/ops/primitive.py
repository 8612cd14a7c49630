"""Primitive and its relatives: operators as objects, defined by users, at MindSpore's path.

Operators of agar itself are entries of the operator table; these classes and decorators serve
programs that define Primitives of their own.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from agar._core.optable import Primitive as Primitive

__all__ = [
    "Primitive",
    "PrimitiveWithCheck",
    "PrimitiveWithInfer",
    "constexpr",
    "prim_arg_register",
    "prim_attr_register",
]


class PrimitiveWithInfer(Primitive):
    """A Primitive that states the shape and type of its results.

    The statements are not needed here: ``__call__`` computes, and the results have shapes and
    types. Subclasses define ``__call__``; ``infer_shape``, ``infer_dtype`` and ``infer_value`` may
    stay as they are.

    Args:
        name (str): the operator's name.

    Difference from PyTorch: like ``torch.library.custom_op`` with its fake implementation.

    Source: behavior observed in MindSpore 2.10, where the kernel is found by the name.

    Examples:
        >>> import agar as ms
        >>> class Twice(ms.ops.PrimitiveWithInfer):
        ...     @ms.ops.prim_attr_register
        ...     def __init__(self):
        ...         super().__init__("Twice")
        ...
        ...     def __call__(self, x):
        ...         return x * 2
        >>> print(Twice()(ms.Tensor([1.0])))
        [2.]
    """

    def infer_shape(self, *shapes: Any) -> Any:
        """The shape of the result, if a subclass states it.

        Args:
            *shapes (tuple[int]): the shapes of the inputs.

        Returns:
            tuple of int; None unless overridden.
        """
        return None

    def infer_dtype(self, *dtypes: Any) -> Any:
        """The type of the result, if a subclass states it.

        Args:
            *dtypes (Type): the types of the inputs.

        Returns:
            Type; None unless overridden.
        """
        return None

    def infer_value(self, *values: Any) -> Any:
        """The result, if it can be known without computing.

        Args:
            *values (Any): the inputs; None for those that are not known.

        Returns:
            Tensor or Python value; None unless overridden.
        """
        return None


class PrimitiveWithCheck(Primitive):
    """A Primitive that checks the shapes and types of its inputs.

    ``check_shape`` and ``check_dtype`` of a subclass are called by nobody but the subclass itself:
    its ``__call__`` computes and may use them.

    Args:
        name (str): the operator's name.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10, where the kernel is found by the name.

    Examples:
        >>> import agar as ms
        >>> ms.ops.PrimitiveWithCheck("Mine")
        Prim[Mine]
    """

    def check_shape(self, *shapes: Any) -> None:
        """Check the shapes of the inputs; a subclass overrides it.

        Args:
            *shapes (tuple[int]): the shapes of the inputs.
        """

    def check_dtype(self, *dtypes: Any) -> None:
        """Check the types of the inputs; a subclass overrides it.

        Args:
            *dtypes (Type): the types of the inputs.
        """

    def infer_value(self, *values: Any) -> Any:
        """The result, if it can be known without computing.

        Args:
            *values (Any): the inputs; None for those that are not known.

        Returns:
            Tensor or Python value; None unless overridden.
        """
        return None


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorate the ``__init__`` of a Primitive: its arguments become attributes.

    Args:
        fn (Callable): an ``__init__`` method.

    Returns:
        Function with the same signature.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> class Scale(ms.ops.Primitive):
        ...     @ms.ops.prim_attr_register
        ...     def __init__(self, factor, offset=0.0):
        ...         self.kind = "linear"
        ...
        ...     def __call__(self, x):
        ...         return x * self.factor + self.offset
        >>> Scale(3.0)
        Prim[Scale]<factor=3.0, offset=0.0>
        >>> print(Scale(3.0)(ms.Tensor([2.0])))
        [6.]
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def register(self: Primitive, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}.__init__(): {error}") from None
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        if "_attrs" not in self.__dict__:  # not again when a subclass calls super().__init__
            Primitive.__init__(self, type(self).__name__)
            self.init_attrs = {}
        for key, value in given.items():
            setattr(self, key, value)
            self.add_prim_attr(key, value)
            self.init_attrs[key] = value
        fn(self, *args, **kwargs)

    return register


def prim_arg_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorate the ``__init__`` of a Primitive: its arguments become Python attributes.

    Args:
        fn (Callable): an ``__init__`` method.

    Returns:
        Function with the same signature.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> class Scale(ms.ops.Primitive):
        ...     @ms.ops.prim_arg_register
        ...     def __init__(self, factor):
        ...         self.kind = "linear"
        >>> Scale(3.0), Scale(3.0).factor
        (Prim[Scale], 3.0)
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def register(self: Primitive, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        if "_attrs" not in self.__dict__:
            Primitive.__init__(self, type(self).__name__)
        for key, value in list(bound.arguments.items())[1:]:
            setattr(self, key, value)
        fn(self, *args, **kwargs)

    return register


def constexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """Mark a function of constants; in MindSpore the compiler evaluates it.

    Here it is called like any function: what it computes from Python values becomes a constant of
    a compiled call anyway.

    Args:
        fn (Callable): the function; None to use the decorator with arguments. Default: None.
        get_instance (bool): whether to return an object to call; otherwise its class.
            Default: True.
        name (str): the name that is shown. Default: None, that of the function.
        reuse_result (bool): accepted for compatibility. Default: True.
        check (bool): accepted for compatibility. Default: True.

    Returns:
        Primitive that calls the function.

    Raises:
        TypeError: `fn` is not callable.

    Difference from PyTorch: ``torch.compiler.assume_constant_result``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.ops.constexpr
        ... def half(n):
        ...     return n // 2
        >>> half(7), half
        (3, Prim[half]<constexpr_prim=True>)
    """

    def decorate(fn: Callable[..., Any]) -> Any:
        if not callable(fn):
            raise TypeError(f"For 'constexpr', 'fn' must be a function, but got {fn!r}.")
        result = name or getattr(fn, "__name__", type(fn).__name__)

        class ProxyOp(Primitive):
            __doc__ = fn.__doc__

            def __init__(self) -> None:
                super().__init__(result)
                self.add_prim_attr("constexpr_prim", True)
                self.fn = fn

            def __call__(self, *args: Any, **kwargs: Any) -> Any:
                return fn(*args, **kwargs)

        return ProxyOp() if get_instance else ProxyOp

    return decorate if fn is None else decorate(fn)


def _primexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
) -> Any:
    """The same as :func:`constexpr`; MindSpore also calls it with values that are not constants."""
    return constexpr(fn, get_instance, name, reuse_result)


def primitive_of(name: str, fn: Callable[..., Any], **attrs: Any) -> type[Primitive]:
    """A Primitive class without constructor arguments that calls a function.

    Args:
        name: the class's name.
        fn: what its objects do; its docstring becomes that of the class.
        attrs: attributes that the text form shows.
    """

    def __init__(self: Primitive) -> None:
        Primitive.__init__(self, name)
        self._attrs.update(attrs)

    def __call__(self: Primitive, *args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    body = {"__init__": __init__, "__call__": __call__, "__doc__": fn.__doc__, **attrs}
    return type(name, (Primitive,), {**body, "__module__": "agar.ops.operations"})
