"""Functions over functions: maps over trees, dispatch by type, loops, and the way of gradients.

All of it runs as ordinary Python. MindSpore has these as operators because its compiler cannot see
through Python; here a compiled call records what they do.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core import dtype as mstype
from agar._core.autodiff import map_tensors
from agar._core.errors import describe
from agar._core.hooks import gate
from agar._core.optable import Primitive, binding, lookup
from agar._core.tensor import Tensor, is_tensor, wrap
from agar.ops._checks import function
from agar.ops.primitive import primitive_of
from agar.ops.spec import op

__all__ = [
    "Depend",
    "HookBackward",
    "HyperMap",
    "IdentityN",
    "InsertGradientOf",
    "Map",
    "MultitypeFuncGraph",
    "Partial",
    "Print",
    "add_flags",
    "depend",
    "hyper_add",
    "identity",
    "partial",
    "print_",
    "stop_gradient",
    "stop_gradient_",
]


# ----------------------------------------------------------------------- maps over trees


class _Mapping:
    """What `Map` and `HyperMap` share: which function, in which order, over which sequences."""

    def __init__(self, ops: Callable[..., Any] | None = None, reverse: bool = False) -> None:
        op_name = type(self).__name__
        if ops is not None:
            function(op_name, "ops", ops)
        if not isinstance(reverse, (bool, int)):
            raise TypeError(
                f"For '{op_name}', the type of 'reverse' must be bool, but got "
                f"'{type(reverse).__name__}'."
            )
        self.ops = ops
        self.reverse = bool(reverse)

    def __call__(self, *args: Any) -> Any:
        op_name = type(self).__name__
        fn, trees = (args[0] if args else None, args[1:]) if self.ops is None else (self.ops, args)
        if not trees:
            raise TypeError(
                f"For '{op_name}', sequences to map over are missing: call it with "
                + ("a function and at least one" if self.ops is None else "at least one")
                + " tuple or list."
            )
        return self._apply(function(op_name, "ops", fn), trees)

    def _apply(self, fn: Callable[..., Any], trees: Sequence[Any]) -> Any:
        raise NotImplementedError

    def _rows(self, trees: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The arguments of each application; what is not a sequence goes into all of them."""
        op_name = type(self).__name__
        lengths = [len(t) if isinstance(t, (tuple, list)) else -1 for t in trees]
        ordered = sorted({n for n in lengths if n >= 0})
        if len(ordered) > 1:
            raise ValueError(
                f"For '{op_name}', the sequences must have equal lengths, but got "
                f"{[n for n in lengths if n >= 0]}: {describe(tuple(trees))}."
            )
        count = ordered[0]
        columns = [t if n >= 0 else (t,) * count for t, n in zip(trees, lengths, strict=True)]
        return list(zip(*columns, strict=True))

    def _in_order(self, call: Callable[[tuple[Any, ...]], Any], rows: list[tuple]) -> tuple:
        if not self.reverse:
            return tuple([call(row) for row in rows])
        return tuple([call(row) for row in reversed(rows)])[::-1]


class Map(_Mapping):
    """Apply a function to the elements of sequences, one level deep.

    Args:
        ops (Union[MultitypeFuncGraph, Callable, None]): the function; None if it is given with
            each call. Default: None.
        reverse (bool): whether to begin with the last elements. Default: False.

    Inputs:
        - **ops** (Callable) - the function, unless it was given above.
        - **args** (Union[tuple, list]) - sequences of equal length; anything else is passed to
          every application as it is.

    Outputs:
        tuple of the results, in the order of the elements.

    Raises:
        TypeError: `ops` is not callable, or no sequence is given.
        ValueError: the sequences differ in length.

    Difference from PyTorch: Python's ``map`` over tuples (no counterpart).

    Source: behavior observed in MindSpore 2.10, which cuts longer sequences without a word.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Map()(lambda a, b: a + b, (1, 2), (3, 4)))
        (4, 6)
    """

    def _apply(self, fn: Callable[..., Any], trees: Sequence[Any]) -> Any:
        if not any(isinstance(t, (tuple, list)) for t in trees):
            return (fn(*trees),)
        return self._in_order(lambda row: fn(*row), self._rows(trees))


class HyperMap(_Mapping):
    """Apply a function to the leaves of nested tuples and lists.

    Args:
        ops (Union[MultitypeFuncGraph, Callable, None]): the function; None if it is given with
            each call. Default: None.
        reverse (bool): whether to begin with the last leaves. Default: False.

    Inputs:
        - **ops** (Callable) - the function, unless it was given above.
        - **args** (Union[tuple, list, Tensor]) - nests of one structure; where one has a leaf and
          another a sequence, the leaf is used for all elements.

    Outputs:
        nested tuple of the results; lists become tuples.

    Raises:
        TypeError: `ops` is not callable, or no nest is given.
        ValueError: sequences at the same place differ in length.

    Difference from PyTorch: ``torch.utils._pytree.tree_map`` keeps lists and maps dictionaries.

    Source: behavior observed in MindSpore 2.10, which cuts longer sequences without a word.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.HyperMap()(lambda a: a * 2, (1, (2, 3))))
        (2, (4, 6))
    """

    def _apply(self, fn: Callable[..., Any], trees: Sequence[Any]) -> Any:
        if not any(isinstance(t, (tuple, list)) for t in trees):
            return fn(*trees)
        return self._in_order(lambda row: self._apply(fn, row), self._rows(trees))


def hyper_add(x: Any, y: Any) -> Any:
    """The sums of the leaves of two nests.

    Args:
        x (Union[tuple, list, Tensor, number]): a nest.
        y (Union[tuple, list, Tensor, number]): a nest of the same structure.

    Returns:
        nested tuple of the sums.

    Raises:
        ValueError: sequences at the same place differ in length.

    Difference from PyTorch: ``torch.utils._pytree.tree_map`` with an addition.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.hyper_add((1, (2, 3)), (10, (20, 30)))
        (11, (22, 33))
    """
    return HyperMap()(operator.add, x, y)


def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Attach flags to a cell or function; a decorator if none is given.

    Args:
        fn (Union[Cell, Callable]): what to attach them to. Default: None.
        flags: names and values; they have no effect on the computation.

    Returns:
        `fn`, or a decorator.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> @ms.ops.add_flags(has_effect=True)
        ... def f(x):
        ...     return x
        >>> f(1)
        1
    """

    def attach(target: Any) -> Any:
        if hasattr(target, "add_flags"):
            target.add_flags(**flags)
        else:
            target._func_graph_flags = {**getattr(target, "_func_graph_flags", {}), **flags}
        return target

    return attach if fn is None else attach(fn)


# --------------------------------------------------------------------- dispatch by type

_PYTHON_TYPES: dict[str, Callable[[Any], bool]] = {
    "Bool": lambda v: isinstance(v, bool),
    "Int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "Int64": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "Float": lambda v: isinstance(v, float),
    "Float64": lambda v: isinstance(v, float),
    "Complex": lambda v: isinstance(v, complex),
    "Complex128": lambda v: isinstance(v, complex),
    "Number": lambda v: isinstance(v, (bool, int, float, complex)),
    "String": lambda v: isinstance(v, str),
    "None": lambda v: v is None,
    "Tuple": lambda v: isinstance(v, tuple),
    "List": lambda v: isinstance(v, list),
    "Dictionary": lambda v: isinstance(v, dict),
    "Slice": lambda v: isinstance(v, slice),
    "Ellipsis": lambda v: v is Ellipsis,
    "Function": lambda v: callable(v) and not isinstance(v, (type, mstype.Type)),
    "TypeType": lambda v: isinstance(v, (type, mstype.Type)),
    "Tensor": is_tensor,
    "CSRTensor": lambda v: type(v).__name__ == "CSRTensor",
    "COOTensor": lambda v: type(v).__name__ == "COOTensor",
    "RowTensor": lambda v: type(v).__name__ == "RowTensor",
}
# Types that MindSpore has and no Python value is of: accepted, and never matched.
_NO_VALUES = frozenset(
    [
        "BFloat16",
        "Complex64",
        "EnvType",
        "Float16",
        "Float32",
        "Int8",
        "Int16",
        "Int32",
        "Keyword",
        "MapTensor",
        "RefKey",
        "SymbolicKey",
        "UInt",
        "UInt8",
        "UInt16",
        "UInt32",
        "UInt64",
    ]
)


class _Pattern:
    """A type name such as ``Number`` or ``Tensor[Float16]``, and the values that are of it."""

    __slots__ = ("matches", "name")

    def __init__(self, name: Any) -> None:
        if isinstance(name, mstype.Type):
            name = {"Func": "Function"}.get(str(name), str(name))
        if not isinstance(name, str):
            raise TypeError(
                "For 'MultitypeFuncGraph', register only support str or a type such as ms.number, "
                f"but got {name!r} with type {type(name).__name__}."
            )
        self.name = name
        outer, _, inner = name.partition("[")
        if inner and inner.endswith("]") and outer in ("Tensor", "Tuple", "List"):
            self.matches = self._element_test(outer, inner[:-1])
        elif name in _PYTHON_TYPES:
            self.matches = _PYTHON_TYPES[name]
        elif name in _NO_VALUES:
            self.matches = lambda v: False
        else:
            known = ", ".join(sorted(_PYTHON_TYPES))
            raise RuntimeError(
                f"For 'MultitypeFuncGraph', Unsupported type name: {name}! Use one of {known}, or "
                "Tensor[Float32] and the like."
            )

    @staticmethod
    def _element_test(outer: str, inner: str) -> Callable[[Any], bool]:
        if outer == "Tensor":
            expected = mstype.to_dtype(inner, op_name="MultitypeFuncGraph")
            return lambda v: is_tensor(v) and v.dtype is expected
        whole = _PYTHON_TYPES[outer]
        parts = [_Pattern(p.strip()) for p in inner.split(",")]

        def test(value: Any) -> bool:
            if not whole(value):
                return False
            if len(parts) == 1:
                return all(parts[0].matches(v) for v in value)
            return len(parts) == len(value) and all(
                p.matches(v) for p, v in zip(parts, value, strict=True)
            )

        return test


class MultitypeFuncGraph:
    """A function whose implementation is chosen by the types of its arguments.

    Implementations are added with :meth:`register`; the first whose types fit is called. A single
    one is called without looking at types.

    Args:
        name (str): the name that errors show.
        read_value (bool): accepted for compatibility: values are always visible. Default: False.

    Inputs:
        - **args** - the arguments of the implementations.

    Outputs:
        what the implementation returns.

    Raises:
        TypeError: `name` is not a str.
        ValueError: no implementation fits the arguments.

    Difference from PyTorch: ``functools.singledispatch`` over several arguments (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> scale = ms.ops.MultitypeFuncGraph("scale")
        >>> @scale.register("Number", "Tensor")
        ... def scale_tensor(factor, x):
        ...     return x * factor
        >>> @scale.register("Number", "Number")
        ... def scale_number(factor, x):
        ...     return factor * x
        >>> scale(2, 3)
        6
        >>> print(scale(2, ms.Tensor([1.0, 2.0])))
        [2. 4.]
    """

    def __init__(self, name: str, read_value: bool = False) -> None:
        if not isinstance(name, str):
            raise TypeError(
                f"For 'MultitypeFuncGraph', 'name' must be str, but got {name!r} with type "
                f"{type(name).__name__}."
            )
        self.name = name
        self.read_value = read_value
        self.entries: list[tuple[tuple[_Pattern, ...], Callable[..., Any]]] = []

    def register(self, *type_names: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator that adds an implementation.

        Args:
            type_names (Union[str, Type]): one type for each argument: ``"Tensor"``,
                ``"Number"``, ``"Tensor[Float16]"``, ``"Tuple"``, ``"Function"``, ..., or
                ``ms.number`` and the like.

        Returns:
            Function that registers its argument and returns it.

        Raises:
            TypeError: a type is neither str nor Type, or what is decorated is not callable.
            RuntimeError: a type name is unknown.
        """
        patterns = tuple(_Pattern(t) for t in type_names)

        def add(fn: Callable[..., Any]) -> Callable[..., Any]:
            self.entries.append((patterns, function("MultitypeFuncGraph", "fn", fn)))
            return fn

        return add

    def __call__(self, *args: Any) -> Any:
        entries = self.entries
        if len(entries) == 1:
            return entries[0][1](*args)
        for patterns, fn in entries:
            if len(patterns) == len(args) and all(
                p.matches(a) for p, a in zip(patterns, args, strict=True)
            ):
                return fn(*args)
        known = "; ".join(f"({', '.join(p.name for p in patterns)})" for patterns, _ in entries)
        raise ValueError(
            f"For 'MultitypeFuncGraph' '{self.name}', cannot find fn match given args "
            f"{describe(args)}; registered are: {known or 'none'}. Add one with "
            f"@{self.name}.register(...)."
        )


# --------------------------------------------------------------- values and dependencies


def partial(func: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """A function with its first arguments given.

    Args:
        func (Callable): a function, Primitive, Cell or MultitypeFuncGraph.
        args: its first arguments.

    Returns:
        Function of the remaining arguments.

    Raises:
        TypeError: `func` is not callable.

    Difference from PyTorch: ``functools.partial`` (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.partial(lambda a, b: a - b, 5)(2)
        3
    """
    return functools.partial(function("partial", "func", func), *args)


Partial = primitive_of("Partial", partial, side_effect_propagate=1)


def depend(value: Any, expr: Any) -> Any:
    """The first argument; the second one has been evaluated by then.

    Args:
        value: anything.
        expr: what must happen before; in Python the arguments of a call always do.

    Returns:
        `value` itself.

    Difference from PyTorch: not needed there (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.depend(3, print("first"))
        first
        3
    """
    return value


Depend = primitive_of("Depend", depend, side_effect_propagate=1)


@op(
    "identity",
    function=False,
    primitive="Identity",
    cast="never",
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    constants={"side_effect_propagate": 1},
)
def _identity(input_x: torch.Tensor) -> torch.Tensor:
    """A tensor of the same values.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs: Tensor over the same memory.
    Difference from PyTorch: ``torch.nn.Identity``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.Identity()(ms.Tensor([1, 2])))
    [1 2]
    """
    return input_x.view_as(input_x)


def identity(x: Any) -> Any:
    """The argument itself.

    Args:
        x: anything.

    Returns:
        `x`.

    Difference from PyTorch: ``torch.nn.Identity``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.identity(3)
        3
    """
    return x


class IdentityN(Primitive):
    """Several tensors, as they are.

    Inputs:
        - **x** (tuple[Tensor]) - any tensors.

    Outputs:
        tuple of the same tensors.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.IdentityN()((ms.Tensor(1), ms.Tensor(2)))[1]
        Tensor(shape=[], dtype=Int64, value= 2)
    """

    def __init__(self) -> None:
        super().__init__("IdentityN")

    def __call__(self, x: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(x)


# --------------------------------------------------------------------------- gradients


@op(
    "stop_gradient",
    function=False,
    primitive="StopGradient",
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "Tensor"), ("None", TypeError, "Tensor")),
    reference="value",
    differentiable=False,
    fast=torch.Tensor.detach,
)
def _stop(value: torch.Tensor) -> torch.Tensor:
    """The same values as a constant: no gradient flows through.

    Inputs:
        - **value** (Tensor) - any tensor.

    Outputs: Tensor over the same memory.
    Difference from PyTorch: ``Tensor.detach()`` under another name.
    Source: behavior observed in MindSpore 2.10.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(ms.grad(lambda x: ms.ops.StopGradient()(x) * x)(x))
    [1. 2.]
    """
    return value.detach()


_stop_gradient = binding(
    lookup("primitive", "StopGradient"), "stop_gradient", module="agar.ops.function"
)


def stop_gradient(value: Any) -> Any:
    """The same values as constants: no gradient flows through.

    Args:
        value: a Tensor, or a nest of tuples, lists and dicts with tensors in it. Anything else is
            returned as it is.

    Returns:
        The same structure; tensors share memory with those given.

    Difference from PyTorch: ``Tensor.detach()`` under another name, also for nests.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([1.0, 2.0])
        >>> print(ms.grad(lambda x: ms.ops.stop_gradient(x) * x)(x))
        [1. 2.]
    """
    if isinstance(value, Tensor):
        return _stop_gradient(value)
    return map_tensors(value, _stop_gradient)


def stop_gradient_(input: Tensor) -> Tensor:
    """Make a tensor a constant, in place: what was computed before no longer matters to gradients.

    Args:
        input (Tensor): the tensor.

    Returns:
        The same Tensor object.

    Raises:
        TypeError: `input` is not a Tensor.

    Difference from PyTorch: ``Tensor.detach_()`` under another name.

    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> def f(x):
        ...     y = x * 2
        ...     ms.ops.stop_gradient_(y)
        ...     return x * y
        >>> print(ms.grad(f)(ms.Tensor([1.0, 3.0])))
        [2. 6.]
    """
    if not isinstance(input, Tensor):
        raise TypeError(f"For 'stop_gradient_', 'input' must be a Tensor, but got {input!r}.")
    input._value = input._value.detach()
    return input


class HookBackward(Primitive):
    """The identity, whose backward pass calls a function with the gradients.

    Args:
        hook_fn (Callable): called with the tuple of gradients of the inputs. None leaves them; a
            Tensor (for a single input) or a tuple replaces them.
        cell_id (str): a name, kept as an attribute. Default: ``""``.

    Inputs:
        - **inputs** (Tensor) - any number of tensors.

    Outputs:
        The tensor, or a tuple of the tensors if there are several.

    Raises:
        TypeError: `hook_fn` is not callable; what it returns is not a tuple of Tensors.

    Difference from PyTorch: ``Tensor.register_hook`` for several tensors at once.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> tenfold = ms.ops.HookBackward(lambda grads: grads[0] * 10)
        >>> print(ms.grad(lambda x: tenfold(x * 2) * 3)(ms.Tensor([1.0])))
        [60.]
    """

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = "") -> None:
        if not callable(hook_fn):
            raise TypeError(
                "For 'HookBackward', Expected a callable hook function, but got "
                f"{type(hook_fn).__name__}."
            )
        if not isinstance(cell_id, str):
            raise TypeError(
                f"For 'HookBackward', 'cell_id' must be str, but got {type(cell_id).__name__}."
            )
        super().__init__("HookBackward")
        self.hook_fn = hook_fn
        self.cell_id = cell_id
        self.add_prim_attr("cell_id", cell_id)

    def __call__(self, *args: Any) -> Any:
        places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        if len(places) < len(args) or not args:
            raise TypeError(
                f"For 'HookBackward', the inputs must be Tensors, but got {describe(args)}."
            )
        gated = gate(list(args), self._see)
        return gated[0] if len(gated) == 1 else tuple(gated)

    def _see(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        items = tuple(None if g is None else wrap(g) for g in grads)
        result = self.hook_fn(items)
        if result is None:
            return grads
        if isinstance(result, Tensor) and len(grads) == 1:
            result = (result,)
        if not isinstance(result, tuple) or len(result) != len(grads):
            raise TypeError(
                "For 'HookBackward', the output gradient should be a tuple! hook_fn must return "
                f"None or a tuple of {len(grads)} Tensors, but returned {describe(result)}."
            )
        for value in result:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    "For 'HookBackward', hook_fn must return Tensors, but returned "
                    f"{describe(result)}."
                )
        return tuple(None if v is None else v._value for v in result)


class InsertGradientOf(Primitive):
    """The identity, whose gradient is passed through a function.

    Args:
        f (Callable): takes the gradient and returns the one to go on with.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs:
        The same values.

    Raises:
        TypeError: `f` is not callable, or does not return a Tensor.

    Difference from PyTorch: ``Tensor.register_hook``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> double = ms.ops.InsertGradientOf(lambda dx: dx * 2)
        >>> print(ms.grad(lambda x: double(x) * 3)(ms.Tensor([1.0])))
        [6.]
    """

    def __init__(self, f: Callable[[Tensor], Tensor]) -> None:
        super().__init__("InsertGradientOf")
        self.f = function("InsertGradientOf", "f", f)
        self.add_prim_attr("f", f)

    def __call__(self, input_x: Any) -> Any:
        if not isinstance(input_x, Tensor):
            raise TypeError(
                f"For 'InsertGradientOf', the input must be a Tensor, but got {describe(input_x)}."
            )
        return gate([input_x], self._see)[0]

    def _see(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        if grads[0] is None:
            return grads
        result = self.f(wrap(grads[0]))
        if isinstance(result, tuple) and len(result) == 1:
            result = result[0]
        if not isinstance(result, Tensor):
            raise TypeError(
                "For 'InsertGradientOf', f must return a Tensor in place of the gradient, but "
                f"returned {describe(result)}."
            )
        return (result._value,)


# ---------------------------------------------------------------------------- printing


def print_(*input_x: Any) -> None:
    """Print values, each on a line of its own; tensors in their long form.

    Args:
        input_x: tensors, numbers, text, tuples.

    Difference from PyTorch: Python's ``print`` with other separators (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.print_("x:", ms.Tensor([1, 2]))
        x:
        Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    for value in input_x:
        print(value if isinstance(value, str) else repr(value))


Print = primitive_of("Print", print_)
