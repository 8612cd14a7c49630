"""One declaration for each function of ``agar.numpy``, from which its binding and its tests come.

An implementation works on torch tensors and is declared once::

    @declare("kron", samples=("f(2), f(3)",), reference="np.kron(a, b)")
    def kron(a: Tensor | Any, b: Tensor | Any) -> Tensor: ...

The entries are those of the operator table (NOTE Annotations there), kept in a table of their own:
bindings, precision scopes, errors and documentation are made alike, the names under `ops` are not
touched. ``Tensor |
Any`` marks an argument that MindSpore converts: `array` makes the tensor.

NOTE Lists of tensors. A binding that leaves its fast line (in a precision scope, say) reads tensors
inside of a list as numbers, without gradients. Functions to which lists of tensors are given get
them as `Held`.

NOTE Numbers. mindspore.numpy turns Python numbers and lists into tensors of 32 bits before it
computes, so that a number takes part in type promotion as int32, float32 or bool. Tensors keep
their type.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

# the implementations work on the engine's tensors, as those of the operators do
import torch
from torch import Tensor as Tensor  # the meaning of annotations here, see NOTE Annotations

from agar._core import context, optable
from agar._core.dtype import FROM_TORCH, Type, bool_, float32, int32, to_dtype, uint32
from agar._core.errors import describe
from agar._core.tensor import Tensor as AgarTensor
from agar.ops.spec import Operator
from agar.ops.tensor.axes import axes_of as _axes_of
from agar.ops.tensor.axes import axis_of as _axis_of

__all__ = [
    "Tensor",
    "array",
    "as_tensor",
    "axes_of",
    "axis_of",
    "binding_of",
    "declare",
    "entries",
    "expanded",
    "find",
    "find_in",
    "floating",
    "home",
    "named",
    "names_of",
    "not_empty",
    "number_type",
    "parts_of",
    "promoted_type",
    "public_type",
    "publish",
    "published",
    "released",
    "to_common",
    "typed",
    "unsigned",
    "value_type",
]

#: The entries by public name; names of submodules are part of it (``fft.rfft``).
entries: dict[str, optable.Op] = {}

_with_lists: set[int] = set()
_homes: dict[str, str] = {}  # public name -> MindSpore's module


def declare(
    *names: str,
    module: str,
    samples: Iterable[str] = (),
    errors: Iterable[tuple[str, type[Exception], str]] = (),
    reference: str | None = None,
    differentiable: bool = True,
    cast: str = optable.CAST_FLOAT,
    tags: Iterable[str] = (),
    lists: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function; the implementation stays as it is, for use by others.

    Args:
        names: the public name that errors show, and its aliases.
        module: MindSpore's module below ``numpy`` that defines the name.
        samples: as in `agar.ops.spec.op`.
        errors: as in `agar.ops.spec.op`.
        reference: as in `agar.ops.spec.op`.
        differentiable: as in `agar.ops.spec.op`.
        cast: as in `agar.ops.spec.op`.
        tags: as in `agar.ops.spec.op`.
        lists: whether lists of tensors are among the arguments (NOTE Lists of tensors).
    """

    def register(impl: Callable[..., Any]) -> Callable[..., Any]:
        entry = Operator(f"numpy.{names[0]}", impl)
        # lists of operators for mixed precision mean numpy's functions too
        entry.names = tuple(name.rpartition(".")[2] for name in names)
        entry.samples = tuple(samples)
        entry.errors = tuple(errors)
        entry.reference = reference
        entry.differentiable = differentiable
        entry.cast = cast
        entry.tags = frozenset(tags)
        if lists:
            _with_lists.add(id(entry))
        for name in names:
            if name in entries:
                raise ValueError(f"Two functions claim the name 'numpy.{name}'.")
            entries[name] = entry
            _homes[name] = module
        return impl

    return register


def home(module: str) -> Callable[..., Any]:
    """`declare` for the functions of one module."""
    return functools.partial(declare, module=module)


def names_of(module: str) -> list[str]:
    """The names that a module defines, without the path of a submodule."""
    return sorted(name.rpartition(".")[2] for name, place in _homes.items() if place == module)


_plain: dict[str, Callable[..., Any]] = {}
_bindings: dict[int, Any] = {}


def publish(name: str, function: Any, module: str) -> Any:
    """Give a public name to what is not a function of tensors alone."""
    _plain[name] = function
    _homes[name] = module
    return function


def published() -> dict[str, Any]:
    """What `publish` named."""
    return dict(_plain)


def find(name: str) -> Any:
    """The public function of a name; aliases are one function.

    Raises:
        KeyError: there is none.
    """
    return _plain[name] if name in _plain else binding_of(name)


def binding_of(name: str) -> Any:
    """The binding of an entry.

    Raises:
        KeyError: there is none.
    """
    entry = entries[name]
    result = _bindings.get(id(entry))
    if result is None:
        own = entry.names[0]
        result = optable.binding(entry, own, module=f"agar.numpy.{_homes[name]}")
        if id(entry) in _with_lists:
            result = _holding(result)
        _bindings[id(entry)] = result
    return result


class Held:
    """A list or tuple with tensors on its way to an implementation (NOTE Lists of tensors)."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any] | tuple[Any, ...]) -> None:
        self.items = items

    def __repr__(self) -> str:
        return describe(self.items)


def _has_tensor(value: Any) -> bool:
    return isinstance(value, AgarTensor) or (
        isinstance(value, (list, tuple)) and any(_has_tensor(v) for v in value)
    )


def _hold(value: Any) -> Any:
    return Held(value) if isinstance(value, (list, tuple)) and _has_tensor(value) else value


def _holding(binding: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(binding)
    def call(*args: Any, **kwargs: Any) -> Any:
        return binding(*map(_hold, args), **{key: _hold(value) for key, value in kwargs.items()})

    return call


def released(value: Any) -> Any:
    """The list or tuple that was held back; anything else as it is."""
    return value.items if isinstance(value, Held) else value


# What MindSpore's modules call functions that shadow Python's, or take no Tensors.
_INNER_NAMES = {
    "asarray_const": "asarray",
    "asfarray_const": "asfarray",
    "copy_": "copy",
    "divmod_": "divmod",
    "sum_": "sum",
}


def find_in(module: str, name: str, namespace: dict[str, Any]) -> Any:
    """`find` for a module's ``__getattr__``: looks among the names of MindSpore's module.

    Raises:
        AttributeError: the module defines no such name.
    """
    own = _INNER_NAMES.get(name, name)
    full = f"fft.{own}" if module == "fft" else own
    if _homes.get(full) != module:
        raise AttributeError(f"module 'agar.numpy.{module}' has no attribute '{name}'")
    result = namespace[name] = find(full)
    return result


def named(op_name: str, compute: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call an operator's implementation; its errors then name the function ``numpy.who``."""
    try:
        return compute(*args, **kwargs)
    except Exception as error:
        text = str(error)
        if not text.startswith("For '"):
            raise
        raise type(error)(re.sub(r"^For '[^']*'", f"For 'numpy.{op_name}'", text)) from error


# ------------------------------------------------------------------------------ arguments


def number_type(value: bool | int | float) -> torch.dtype:
    """The type of a Python number (NOTE Numbers)."""
    if isinstance(value, bool):
        return torch.bool
    return torch.int32 if isinstance(value, int) else torch.float32


_NARROWED = {torch.float64: torch.float32, torch.int64: torch.int32}


def array(op_name: str, name: str, value: Any) -> Tensor:
    """A tensor as it is; a number, list or tuple as a tensor of 32 bits (NOTE Numbers).

    Raises:
        TypeError: it is something else.
    """
    if isinstance(value, Tensor):
        return value
    if isinstance(value, AgarTensor):  # inside of a list
        return value._value
    result = as_tensor(op_name, name, value)
    return result.to(_NARROWED.get(result.dtype, result.dtype))


def as_tensor(op_name: str, name: str, value: Any) -> Tensor:
    """A tensor as it is; a number, list or tuple as the tensor that ``Tensor(value)`` is.

    Raises:
        TypeError: it is something else.
        ValueError: it is a list of rows of different lengths.
    """
    if isinstance(value, Tensor):
        return value
    value = released(value)
    if isinstance(value, (bool, int, float)):
        wide = torch.int64 if number_type(value) is torch.int32 else number_type(value)
        return torch.scalar_tensor(value, dtype=wide, device=context.torch_device())
    if isinstance(value, AgarTensor):
        return value._value
    if isinstance(value, (list, tuple)):
        try:
            return AgarTensor(value)._value
        except TypeError as error:
            uneven = isinstance(error.__cause__, ValueError)
            raise (ValueError if uneven else TypeError)(
                f"For 'numpy.{op_name}', '{name}': {error}"
            ) from error
    hint = " Convert it first: ms.Tensor(array)." if isinstance(value, np.ndarray) else ""
    raise TypeError(
        f"For 'numpy.{op_name}', '{name}' must be a Tensor, number, list or tuple, but got "
        f"'{type(value).__name__}'.{hint}"
    )


_SHORT = {"int": int32, "uint": uint32, "float": float32, "bool": bool_, int: int32, float: float32}


def value_type(op_name: str, dtype: Any, name: str = "dtype") -> torch.dtype:
    """The torch type for a `dtype` argument: a type, its name, or a type of Python or numpy.

    ``int``, ``uint`` and ``float`` mean 32 bits.

    Raises:
        TypeError: it names no type, or one of complex numbers.
    """
    if isinstance(dtype, torch.dtype):
        return dtype
    if isinstance(dtype, (str, type)):
        key = dtype.lower() if isinstance(dtype, str) else dtype
        dtype = _SHORT.get(key, dtype)
    torch_dtype = to_dtype(dtype, op_name=f"numpy.{op_name}").torch_dtype
    assert torch_dtype is not None
    if torch_dtype.is_complex:
        raise TypeError(
            f"For 'numpy.{op_name}', '{name}' must be a type of real numbers or bool, but got "
            f"{dtype}."
        )
    return torch_dtype


def typed(op_name: str, out: Tensor, dtype: Any) -> Tensor:
    """The result in the type that was asked for; None leaves it."""
    return out if dtype is None else out.to(value_type(op_name, dtype))


# MindSpore's table of promotion has one entry that is not the wider type.
_SMALLER = frozenset((torch.uint16, torch.float64))
_UNSIGNED = {torch.uint16: 16, torch.uint32: 32, torch.uint64: 64, torch.uint8: 8}
_SIGNED = {8: torch.int8, 16: torch.int16, 32: torch.int32, 64: torch.int64}


def promoted_type(first: torch.dtype, second: torch.dtype) -> torch.dtype:
    """The type in which two types meet, for all integer types.

    Floating types win over integers; a signed type that holds both integers is taken, and float64
    where there is none.
    """
    if first is second:
        return first
    if {first, second} == _SMALLER:
        return torch.float32
    for kind, other in ((first, second), (second, first)):
        if kind not in _UNSIGNED:
            continue
        if other is torch.bool:
            return kind
        if other in _UNSIGNED:
            return kind if _UNSIGNED[kind] > _UNSIGNED[other] else other
        if other.is_floating_point or other.is_complex:
            return other
        bits = max(2 * _UNSIGNED[kind], 8 * other.itemsize)
        return _SIGNED.get(bits, torch.float64)
    return torch.promote_types(first, second)


def to_common(*values: Tensor) -> tuple[Tensor, ...]:
    """The tensors in the type in which all of them meet."""
    kind = values[0].dtype
    if all(value.dtype is kind for value in values):
        return values
    for value in values[1:]:
        kind = promoted_type(kind, value.dtype)
    return tuple(value.to(kind) for value in values)


def expanded(op_name: str, value: Tensor, shape: Sequence[int]) -> Tensor:
    """A tensor repeated so that it has a given shape, in memory of its own.

    Raises:
        ValueError: its shape does not broadcast to that.
    """
    pairs = zip(reversed(value.shape), reversed(shape), strict=False)
    if value.ndim > len(shape) or any(m not in (1, n) for m, n in pairs):
        raise ValueError(
            f"For 'numpy.{op_name}', shape {list(value.shape)} does not broadcast to {list(shape)}."
        )
    return value.expand(shape).clone()


def axis_of(op_name: str, axis: Any, rank: int, name: str = "axis") -> int:
    """One axis, counted from the front; a tensor without dimensions has none.

    Raises:
        TypeError: it is not an int.
        ValueError: it lies outside of the rank.
    """
    result = _axis_of(op_name, axis, rank, name)
    if rank == 0:
        raise ValueError(f"For '{op_name}', '{name}' is {axis}, but the tensor has no dimensions.")
    return result


def axes_of(op_name: str, axis: Any, rank: int, name: str = "axis") -> tuple[int, ...]:
    """Axes as a tuple, counted from the front; None and an empty tuple mean all of them.

    Raises:
        TypeError: `axis` is neither None, an int nor a tuple or list of ints.
        ValueError: an axis lies outside of the rank or is given twice.
    """
    result = _axes_of(op_name, axis, rank, name)
    if rank == 0 and result:
        raise ValueError(f"For '{op_name}', '{name}' is {axis}, but the tensor has no dimensions.")
    return result


def not_empty(op_name: str, value: Tensor, axes: tuple[int, ...]) -> None:
    """Raise ValueError where an axis has no elements."""
    if any(value.shape[axis] == 0 for axis in axes):
        raise ValueError(
            f"For 'numpy.{op_name}', every axis must have elements, but the shape is "
            f"{list(value.shape)}."
        )


def parts_of(op_name: str, value: Tensor) -> list[Tensor]:
    """The parts of a tensor along its first dimension.

    Raises:
        ValueError: it has no dimension.
    """
    if value.ndim == 0:
        raise ValueError(f"For 'numpy.{op_name}', a tensor without dimensions has no parts.")
    return list(value.unbind(0))


_WIDE_UNSIGNED = frozenset((torch.uint16, torch.uint32, torch.uint64))


def unsigned(compute: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`compute` for uint16, uint32 and uint64 too, which torch does not calculate with.

    It runs in int64. That is right for sums, products and bits, which wrap around alike.
    """

    def run(*values: Tensor) -> Tensor:
        kind = values[0].dtype
        if kind not in _WIDE_UNSIGNED or any(value.dtype is not kind for value in values):
            return compute(*values)
        return compute(*(value.to(torch.int64) for value in values)).to(kind)

    return run


def floating(value: Tensor) -> Tensor:
    """Integers and bool as float32; other types as they are."""
    if value.is_floating_point() or value.is_complex():
        return value
    return value.to(torch.float32)


def public_type(value: torch.dtype) -> Type:
    """The public type object of a torch type."""
    return FROM_TORCH[value]
