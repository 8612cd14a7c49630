"""Values as the checks of guards compare them, and how they are fetched."""

from __future__ import annotations

import collections
import contextvars
import decimal
import functools
import gc
import operator
import os
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Set
from typing import Any

import numpy as np
import torch

from agar._core.parameter import Parameter

__all__ = [
    "BY_VALUE",
    "EXACT",
    "MISSING",
    "WEAK_PROXIES",
    "ArrayItems",
    "Attributes",
    "Getter",
    "PlainItems",
    "array_state",
    "as_bytes",
    "attributes_of",
    "cache_state",
    "cell_contents_of",
    "computes_attributes",
    "context_value",
    "decimal_context",
    "default_factory_of",
    "environment",
    "form_of_numbers",
    "get_bases",
    "get_code",
    "get_defaults",
    "get_keywords",
    "get_value",
    "getter",
    "hides_state",
    "is_plain",
    "items_of",
    "kind_is_of_processes",
    "kind_of_mapping",
    "metadata_of",
    "module_of",
    "names_of_getter",
    "names_of_type",
    "pairs_of",
    "partial_parts",
    "plain_key",
    "random_state",
    "requires_grad",
    "row_state",
    "same_items",
    "same_value",
    "settings_of",
    "slot_value",
    "slots_in",
    "slots_of",
]

MISSING = object()
BY_VALUE = (int, float, complex, bool, str, bytes, type(None), np.generic)


_OF_LIBRARIES = frozenset({"agar", "mindspore", "numpy", "torch"}) | sys.stdlib_module_names
EXACT = frozenset({int, float, complex, bool, str, bytes, type(None)})
WEAK_PROXIES = frozenset(weakref.ProxyTypes)
"""What passes on each question, isinstance's too, and raises when what it stands for is gone."""


def is_plain(value: Any) -> bool:
    """Whether type and value tell all: objects of the user's own subclasses may have attributes."""
    kind = type(value)
    if kind in EXACT:
        return True
    if issubclass(kind, np.void):  # a row of a structured array, whose fields can be set
        return False
    return isinstance(value, BY_VALUE) and kind.__module__.split(".")[0] in _OF_LIBRARIES


def plain_key(value: Any) -> Any:
    """A plain value as a part of a token: 1, 1.0 and True differ, NaN equals NaN."""
    kind = type(value)
    if isinstance(value, (float, complex, np.generic)):
        return kind, repr(value)
    return kind, value


def same_value(now: Any, then: Any) -> bool:
    if now is then:
        return True
    if type(now) is not type(then) or not is_plain(now):
        return False
    return plain_key(now) == plain_key(then)


def same_items(now: Iterable[Any], then: tuple[Any, ...]) -> bool:
    """Whether values are the ones recorded: the same objects, or equal plain values."""
    values = tuple(now)
    if len(values) != len(then):
        return False
    return all(map(operator.is_, values, then)) or all(map(same_value, values, then))


def decimal_context() -> tuple[Any, ...]:
    """What the arithmetic of this thread's decimal numbers depends on."""
    c = decimal.getcontext()
    return c.prec, c.rounding, c.Emin, c.Emax, c.clamp, c.capitals


def names_of_getter(value: Any) -> tuple[set[str], list[Any]]:
    """The attributes that an ``operator.attrgetter`` or ``methodcaller`` reads, and arguments."""
    result, arguments, *_ = value.__reduce__()
    if isinstance(value, operator.methodcaller):
        if isinstance(result, functools.partial):
            return {result.args[0]}, [*arguments, *result.keywords.values()]
        return {arguments[0]}, list(arguments[1:])
    return {part for name in arguments for part in name.split(".")}, []


class ArrayItems:
    """The items of an array of objects."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __len__(self) -> int:
        return self.array.size

    def __iter__(self) -> Any:
        return iter(self.array.flat)


def kind_of_mapping(value: dict[Any, Any]) -> type:
    """Whose methods tell the items: an OrderedDict keeps an order of its own."""
    return collections.OrderedDict if isinstance(value, collections.OrderedDict) else dict


def getter(names: list[str]) -> Callable[[Any], Any] | None:
    if not names:
        return None
    return Getter(names) if len(names) == 1 else operator.itemgetter(*names)


class Getter:
    """The only item of interest, as a tuple."""

    __slots__ = ("get",)

    def __init__(self, names: list[str]) -> None:
        self.get = operator.itemgetter(names[0])

    def __call__(self, home: Any) -> tuple[Any]:
        return (self.get(home),)


class Attributes:
    """Attributes of a function or class that lie in no dictionary, as a tuple."""

    __slots__ = ("names",)

    def __init__(self, names: list[str]) -> None:
        self.names = names

    def __call__(self, value: Any) -> tuple[Any, ...]:
        return tuple([getattr(value, name, MISSING) for name in self.names])


class PlainItems:
    """The items of a container, past the methods of its class."""

    __slots__ = ("base", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        kinds: tuple[type, ...] = (list, tuple, set, frozenset, collections.deque)
        self.base: Any = next(kind for kind in kinds if issubclass(type(value), kind))

    def __len__(self) -> int:
        return self.base.__len__(self.value)

    def __iter__(self) -> Any:
        return self.base.__iter__(self.value)


_EXACT_CONTAINERS = frozenset({list, tuple, set, frozenset, collections.deque})


def items_of(value: Any) -> Any:
    """A container, to be asked for its length and items past the methods of its class."""
    return value if type(value) in _EXACT_CONTAINERS else PlainItems(value)


def pairs_of(value: dict[Any, Any]) -> Any:
    """The keys and values of a dictionary, past the methods of its class."""
    return value.items() if type(value) is dict else kind_of_mapping(value).items(value)


_hiding: dict[type, bool] = {}


def computes_attributes(kind: type) -> bool:
    """Whether a class of Python's computes all attributes, its class included.

    To look at such an object would run code of the program's.
    """
    known = _hiding.get(kind)
    if known is None:
        homes = [vars(base) for base in type.__dict__["__mro__"].__get__(kind)[:-1]]
        known = any(
            type(home.get("__getattribute__")) is types.FunctionType
            or type(home.get("__class__")) in (property, types.FunctionType)
            for home in homes
        )
        if kind.__flags__ & (1 << 9) == 0 or kind_is_of_library(kind):
            _hiding[kind] = known
    return known


def kind_is_of_library(kind: type) -> bool:
    return kind.__module__.split(".")[0] in _OF_LIBRARIES


def kind_is_of_processes(kind: type) -> bool:
    """Whether a class is torch.distributed's: meshes, groups, DTensors, results of collectives."""
    return kind.__module__.startswith("torch.distributed")


def settings_of(value: Any) -> dict[str, Any] | None:
    """The attributes that a container of a library's class has beside its items, if it can."""
    home = attributes_of(value)
    return home if type(home) is dict else None


def attributes_of(value: Any) -> Any:
    """The ``__dict__`` of an object, or None; no ``__getattr__`` of its class is asked for it."""
    return getattr(value, "__dict__", None) if type(value).__dictoffset__ else None


def module_of(name: str) -> int:
    """Which module has a name, by its id."""
    return id(sys.modules.get(name))


def cell_contents_of(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def slot_value(descriptor: Any, value: Any) -> tuple[Any]:
    try:
        return (descriptor.__get__(value),)
    except AttributeError:
        return (MISSING,)


def partial_parts(value: Any) -> tuple[Any, ...]:
    return value.func, value.args, value.keywords, value.__dict__


def context_value(value: contextvars.ContextVar[Any]) -> tuple[Any]:
    return (value.get(MISSING),)  # None may be set; a default is the variable's own


def default_factory_of(value: Any) -> tuple[Any]:
    return (value.default_factory,)


def as_bytes(value: Any) -> bytes:
    return bytes(value)


def cache_state(function: Any) -> tuple[Any, ...]:
    """How often the cache of `functools.lru_cache` was filled, and what is in it, by identity.

    A set: hits change the order.
    """
    info = function.cache_info()
    return info.misses, info.currsize, frozenset(map(id, gc.get_referents(function)))


def environment() -> int:
    """Which object holds the environment variables; what it holds is compared on its own."""
    return id(os.environ)


def form_of_numbers() -> Any:
    """Which version of numpy the texts of its numbers follow; numpy's own code reads it in C."""
    held = getattr(sys.modules.get("numpy._core.printoptions"), "format_options", None)
    options = np.get_printoptions() if held is None else held.get()  # numpy before 2.2
    return options.get("legacy")


def array_state(array: np.ndarray) -> tuple[Any, ...]:
    state = array.shape, array.strides, array.flags.num, array.dtype.str, array.tobytes()
    if type(array) is np.ndarray or "MaskedArray" not in [c.__name__ for c in type(array).__mro__]:
        return state
    masked: Any = array
    return *state, masked.mask.tobytes(), repr(masked.fill_value), masked.data.tobytes()


def row_state(row: np.void) -> tuple[Any, ...]:
    """The contents of a row of a structured array."""
    return repr(row.dtype), row.tobytes()


def names_of_type(kind: np.dtype) -> tuple[str, ...] | None:
    """The names of a structured type's fields, which can be set."""
    return kind.names


def metadata_of(t: Any) -> tuple[Any, ...]:
    """What torch can change about a tensor in place, past its values."""
    return t.shape, t.dtype, t.device, t.stride() if t.layout is torch.strided else None


def random_state(source: Any) -> str:
    state = source.state
    inner = state.get("state")
    key = inner.get("key") if isinstance(inner, dict) else None
    if key is not None:
        return f"{key.tobytes().hex()}{inner['pos']}{state.get('has_gauss')}{state.get('gauss')}"
    return repr(state)


def requires_grad(parameter: Parameter) -> bool:
    return parameter.requires_grad


get_bases = operator.attrgetter("__mro__")
get_code = operator.attrgetter("__code__")
get_defaults = operator.attrgetter("__defaults__")
get_keywords = operator.attrgetter("__kwdefaults__")
get_value = operator.attrgetter("_value")


def slots_of(cls: type) -> list[str]:
    entry = cls.__dict__.get("__slots__", ())
    names = [entry] if isinstance(entry, str) else list(entry)
    result = []
    for name in names:
        if name in ("__dict__", "__weakref__"):
            continue
        if name.startswith("__") and not name.endswith("__"):
            name = f"_{cls.__name__.lstrip('_')}{name}"
        result.append(name)
    return result


def slots_in(value: Any) -> list[tuple[Any, Any]]:
    """The slots of an object that are set: descriptors and what they hold."""
    results = []
    for base in type(value).__mro__:
        for name in slots_of(base):
            descriptor = base.__dict__[name]
            held = slot_value(descriptor, value)[0]
            if held is not MISSING:
                results.append((descriptor, held))
    return results


_ONLY_OBJECT = frozenset({object})


def hides_state(cls: type, known: Set[type] = _ONLY_OBJECT) -> bool:
    """Whether objects of a class hold more than attributes: a C type is among its bases.

    Args:
        cls: the class.
        known: bases whose objects hold what is looked at elsewhere. Default: only ``object``.
    """
    for base in cls.__mro__:
        if base in known:
            continue
        if not base.__flags__ & (1 << 9):  # no heap type: written in C
            return True
        parent = base.__base__
        if parent is None:
            continue
        room = 8 * (len(slots_of(base)) + 2)
        if base.__basicsize__ > parent.__basicsize__ + room:
            return True
        if base.__itemsize__ != 0 and tuple not in known:
            return True
    return False
