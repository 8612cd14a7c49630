"""The arguments of a call taken apart: its tensors, and a key for everything else.

Containers are taken apart by their items. An object of a class of the program's is told by which
object it is, as long as the same one comes again; a class whose objects come and go (a batch, say)
is *taken apart*: by the attributes that the code of the call names, as `guard.reads` does with
objects that the code reaches otherwise.

NOTE Identity. Code can tell by ``is``, or by a change that it takes back, whether two arguments are
one container or object, and whether one is what it reaches otherwise. The former is a part of the
key ("same"), the latter is added to it when the state is known ("held objects").
"""

from __future__ import annotations

import argparse
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import torch

from agar._core.distributed.sharding import is_split
from agar._core.graph.guard.flat import is_flat
from agar._core.graph.guard.getters import (
    MISSING,
    WEAK_PROXIES,
    array_state,
    computes_attributes,
    hides_state,
    is_plain,
    items_of,
    kind_of_mapping,
    pairs_of,
    plain_key,
    settings_of,
    slot_value,
    slots_of,
)
from agar._core.graph.guard.tables import HEAP_TYPE, METADATA
from agar._core.graph.record.monitor import LIBRARY, USER, kind_of_class
from agar._core.jit import _Dict, _List, _Tuple
from agar._core.parameter import Parameter
from agar._core.tensor import Structure, Tensor

__all__ = [
    "ATTRIBUTES",
    "AsAttributes",
    "FlatArguments",
    "Rules",
    "Same",
    "Slot",
    "TooLarge",
    "argument_changes",
    "can_be_taken_apart",
    "check_declared",
    "empty_object",
    "flatten",
    "held_marks",
    "is_apart",
    "maker_of",
    "mark_held",
    "rebuild",
    "split_key",
    "without_marks",
]

_ARRAY_LIMIT = 1 << 16  # elements of an array argument that are compared by value
_PARTS = 4096  # of the arguments, if objects are taken apart among them
ATTRIBUTES = "attributes"
"""What marks attributes in a key: ``(class, ATTRIBUTES, *names)``."""
_HELD, _HELD_OBJECTS = "held", "held objects"


class Rules(NamedTuple):
    """How objects among the arguments are taken apart.

    Attributes:
        classes: those whose objects are.
        names: of attributes that the code of the calls names; None if it may read any.
        shows: whether the code makes texts, which may tell where an object lies.
    """

    classes: frozenset[type] = frozenset()
    names: frozenset[str] | None = None
    shows: bool = False


class TooLarge(Exception):
    """An object leads to more than is compared at a call; its class is the first argument."""


class FlatArguments:
    """The arguments of a call taken apart: tensors, and a key for everything else."""

    __slots__ = (
        "call",
        "holders",
        "hooked",
        "inside",
        "key",
        "kinds",
        "marked",
        "open",
        "parts",
        "pins",
        "places",
        "rules",
        "spec",
        "tensors",
    )

    def __init__(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], rules: Rules | None = None
    ) -> None:
        self.call = (args, kwargs)
        self.rules = rules or Rules()
        self.hooked = False  # whether a tensor has hooks of its own
        self.marked = False  # whether the caller has set attributes on a tensor
        self.parts = False  # whether a tensor lies in parts on several processes
        self.tensors: list[Tensor] = []
        self.key: tuple[Any, ...] = ()
        self.pins: list[Any] = []  # objects that the key names by identity
        self.kinds: set[type] = set()  # the program's classes of what is taken apart
        self.holders: list[Any] = []  # containers and objects that were taken apart
        self.places: dict[int, int] = {}  # of these, by id
        self.open: set[int] = set()  # tuples that are being taken apart, by id
        self.inside: type | None = None  # the class of the outermost object that is
        self.spec: Any = None


#: Attributes that agar sets on tensors itself.
_OWN = frozenset({"_hooks", "const_arg", "init", "init_finished", "init_flag", "param_info"})


class Slot:
    """The place of tensor `i` in a structure."""

    __slots__ = ("i",)

    def __init__(self, i: int) -> None:
        self.i = i


class Same:
    """A container or object that stands at another place as well, as number `i` of them."""

    __slots__ = ("i",)

    def __init__(self, i: int) -> None:
        self.i = i


class AsAttributes:
    """An object by its attributes, and by its items if it is a container, too.

    Attributes:
        kind: its class.
        names: of all its attributes in ``__dict__``; None if it has no ``__dict__``.
        home: what those of them are that the code names.
        slots: descriptor and part of each slot that the code names.
        inner: the items of a container, else None.
    """

    __slots__ = ("home", "inner", "kind", "names", "slots")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.names: tuple[str, ...] | None = None
        self.home: dict[str, Any] = {}
        self.slots: list[tuple[Any, Any]] = []
        self.inner: Any = None


# ------------------------------------------------------------------------- classes of objects

_BASES = frozenset({object, list, tuple, dict, OrderedDict})
#: Classes of the standard library whose objects hold attributes and nothing else.
_NAMESPACES = (types.SimpleNamespace, argparse.Namespace)


def can_be_taken_apart(value: Any) -> bool:
    """Whether attributes, and the items of a container, tell all about an object."""
    kind = type(value)
    if kind in _NAMESPACES:
        return True
    if computes_attributes(kind) or kind_of_class(kind) != USER or is_flat(value):
        return False
    if isinstance(value, (type, Tensor, Structure)):
        return False
    for base in kind.__mro__:
        home = vars(base)
        if "construct" in home or (base not in _BASES and kind_of_class(base) == LIBRARY):
            return False
        own = home.get("__dict__")
        if own is not None and type(own) is not types.GetSetDescriptorType:
            return False
        if any(type(home.get(n)) is not types.MemberDescriptorType for n in slots_of(base)):
            return False
    return not hides_state(kind, _BASES)


def _shows_address(kind: type) -> bool:
    """Whether the text of an object tells where it lies in memory."""
    first = next(vars(base)["__repr__"] for base in kind.__mro__ if "__repr__" in vars(base))
    return first is object.__repr__


def is_apart(value: Any, kind: type, rules: Rules) -> bool:
    """Whether an object among the arguments is told by its attributes."""
    if kind not in rules.classes or (rules.shows and _shows_address(kind)):
        return False
    # a program may give an object a dict of a class of its own
    return not kind.__dictoffset__ or settings_of(value) is not None


# ---------------------------------------------------------------------------------- the walk

#: Containers that hold nothing but their items.
_EXACT = frozenset({list, tuple, dict})
_CONTAINERS = frozenset({list, tuple, dict, OrderedDict, _List, _Tuple, _Dict, torch.Size})


def _is_compared(value: Any) -> TypeGuard[np.ndarray]:
    """Whether a value is an array that is told by what it holds: no attributes, not too large."""
    return (
        isinstance(value, np.ndarray)
        and value.size <= _ARRAY_LIMIT
        and value.dtype != object
        and type(value).__module__.startswith("numpy")
    )


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _has_attributes(kind: type, value: Any) -> bool:
    """Whether a container may have attributes beside its items."""
    if kind in _EXACT:
        return False
    if kind is OrderedDict or _is_namedtuple(value):
        return bool(settings_of(value))
    return kind not in _CONTAINERS


def _key_of(key: Any, flat: FlatArguments) -> Any:
    """What stands for a key of a dictionary: its value if it is plain, else which object it is."""
    if type(key) is str:
        return key
    if is_plain(key):
        return plain_key(key)
    if type(key) is tuple:
        return tuple([_key_of(k, flat) for k in key])
    flat.pins.append(key)
    return "key", id(key)


def _take(value: Any, flat: FlatArguments, key: list[Any]) -> Any:
    kind = type(value)
    if kind in WEAK_PROXIES or computes_attributes(kind):
        flat.pins.append(value)
        key.append((kind, id(value)))
        return (None, value)
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return _take_tensor(value, flat, key)
    if isinstance(value, (list, tuple, dict, Structure)):
        return _take_container(value, kind, flat, key)
    if is_plain(value):
        key.append(plain_key(value))
    elif _is_compared(value):
        key.append((kind, *array_state(value)))
    elif is_apart(value, kind, flat.rules):
        seen = _place(value, flat, key)
        return seen or _take_attributes(value, kind, flat, key)
    else:
        flat.pins.append(value)
        key.append((kind, id(value), isinstance(value, Tensor) and value._value is None))
    return (None, value)


def _take_tensor(value: Tensor, flat: FlatArguments, key: list[Any]) -> Slot:
    raw = value._value  # draws a lazy tensor
    for i, seen in enumerate(flat.tensors):
        if seen is value:  # one tensor in two places has one gradient and one memory
            key.append(("again", i))
            return Slot(i)
    flat.tensors.append(value)
    if raw.__class__ is not torch.Tensor and is_split(raw):
        flat.parts = True
    extra = vars(value)
    if extra:
        flat.hooked = flat.hooked or bool(extra.get("_hooks"))
        flat.marked = flat.marked or any(name not in _OWN for name in extra)
    key.append(
        (type(value), raw.shape, raw.stride(), raw.dtype, raw.device, raw.requires_grad)
        if raw.layout is torch.strided
        else ("sparse", id(value))
    )
    return Slot(len(flat.tensors) - 1)


def _place(value: Any, flat: FlatArguments, key: list[Any]) -> Same | None:
    """Note a container or object; what stands for it, if it was met before."""
    known = flat.places.get(id(value))
    if known is None:
        flat.places[id(value)] = len(flat.holders)
        flat.holders.append(value)
        return None
    if id(value) in flat.open:
        raise RecursionError
    key.append(("same", known))
    return Same(known)


def _take_container(value: Any, kind: type, flat: FlatArguments, key: list[Any]) -> Any:
    if kind is tuple and not value:  # there is one only
        key.append((kind, 0))
        return (kind, [])
    seen = _place(value, flat, key)
    if seen is not None:
        return seen
    if kind not in _CONTAINERS and kind_of_class(kind) == USER:
        flat.kinds.add(kind)
    if not isinstance(value, Structure) and _has_attributes(kind, value):
        if is_apart(value, kind, flat.rules):
            result = _take_attributes(value, kind, flat, key)
            result.inner = _take_items(value, kind, flat, key)
            return result
        flat.pins.append(value)
        key.append(("with attributes", id(value)))
    return _take_items(value, kind, flat, key)


def _take_items(value: Any, kind: type, flat: FlatArguments, key: list[Any]) -> Any:
    if isinstance(value, Structure):
        key.append((kind,))
        return (kind, [_take(v, flat, key) for v in value._held])
    if flat.inside is not None and len(key) > _PARTS:
        raise TooLarge(flat.inside)
    if isinstance(value, dict):
        pairs = pairs_of(value)
        _check_size(pairs, flat)
        key.append((kind, *[_key_of(k, flat) for k, _ in pairs]))
        return (kind, {k: _take(v, flat, key) for k, v in pairs})
    items = items_of(value)
    _check_size(items, flat)
    key.append((kind, len(items)))
    if not isinstance(value, tuple):
        return (kind, [_take(v, flat, key) for v in items])
    flat.open.add(id(value))
    parts = [_take(v, flat, key) for v in items]
    flat.open.discard(id(value))
    return (kind, parts)


def _check_size(items: Any, flat: FlatArguments) -> None:
    if flat.inside is not None and len(items) > _PARTS:
        raise TooLarge(flat.inside)


def _take_attributes(value: Any, kind: type, flat: FlatArguments, key: list[Any]) -> AsAttributes:
    outermost = flat.inside is None
    if outermost:
        flat.inside = kind
    elif len(key) > _PARTS:
        raise TooLarge(flat.inside)
    flat.kinds.add(kind)
    result = AsAttributes(kind)
    names = None if kind in _NAMESPACES else flat.rules.names
    home = settings_of(value)
    chosen: list[str] = []
    if home is not None:
        result.names = tuple(home)
        chosen = [n for n in home if _is_named(n, names)]
    slots = [
        (base.__dict__[n], n)
        for base in kind.__mro__
        for n in slots_of(base)
        if _is_named(n, names)
    ]
    key.append((kind, ATTRIBUTES, *chosen, *[n for _, n in slots]))
    if home is not None:
        result.home = {n: _take(home[n], flat, key) for n in chosen}
    for descriptor, _ in slots:
        held = slot_value(descriptor, value)[0]
        if held is MISSING:
            key.append((type(MISSING), "unset", True))
            result.slots.append((descriptor, (None, MISSING)))
        else:
            result.slots.append((descriptor, _take(held, flat, key)))
    if outermost:
        flat.inside = None
    return result


def _is_named(name: Any, names: frozenset[str] | None) -> bool:
    """Whether an attribute is read by the code, or by what computes with tensors."""
    return names is None or name in names or name in METADATA or name.startswith("__")


def flatten(
    args: tuple[Any, ...], kwargs: dict[str, Any], rules: Rules | None = None
) -> FlatArguments:
    """The tensors of a call's arguments, and the key of its signature.

    Raises:
        RecursionError: a tuple contains itself, or containers are nested too deep.
        TooLarge: an object that is taken apart leads to too much.
    """
    flat = FlatArguments(args, kwargs, rules)
    key: list[Any] = [len(args)]
    spec_args = [_take(a, flat, key) for a in args]
    spec_kwargs = {}
    for name, value in kwargs.items():
        key.append(name)
        spec_kwargs[name] = _take(value, flat, key)
    flat.key = tuple(key)
    flat.spec = (spec_args, spec_kwargs)
    return flat


# ------------------------------------------------------------------------------------- keys


def mark_held(flat: FlatArguments, tensors: Any, objects: Any) -> None:
    """Tell apart arguments that the Python can also reach otherwise.

    Args:
        flat: the arguments.
        tensors: those that it reaches, by id.
        objects: several collections of containers and objects that it reaches, by id.
    """
    if tensors:
        marks = [(i, id(t)) for i, t in enumerate(flat.tensors) if id(t) in tensors]
        if marks:
            flat.key = (*flat.key, (_HELD, *marks))
    if flat.holders:
        marks = [
            (i, id(v))
            for i, v in enumerate(flat.holders)
            if any(id(v) in known for known in objects)
        ]
        if marks:
            flat.key = (*flat.key, (_HELD_OBJECTS, *marks))


def held_marks(key: tuple[Any, ...], objects: bool = False) -> tuple[tuple[int, int], ...]:
    """Which arguments are ones that the Python reaches otherwise: places and ids.

    Args:
        key: of a signature.
        objects: whether containers and objects are asked for, not tensors. Default: False.
    """
    name = _HELD_OBJECTS if objects else _HELD
    for last in key[-2:]:
        if type(last) is tuple and last and last[0] == name:
            return last[1:]
    return ()


def without_marks(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key that `flatten` gives."""
    marks = (_HELD, _HELD_OBJECTS)
    return tuple([k for k in key if not (type(k) is tuple and k and k[0] in marks)])


def split_key(key: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[torch.Size]]:
    """The key of a signature without the sizes of tensors, and these sizes, in order."""
    rest: list[Any] = []
    shapes: list[torch.Size] = []
    for entry in key:
        if type(entry) is tuple and len(entry) == 6 and isinstance(entry[1], torch.Size):
            shapes.append(entry[1])
            entry = (entry[0], entry[3], entry[4], entry[5])
        rest.append(entry)
    return tuple(rest), shapes


def check_declared(name: str, declared: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Compare a call's inputs with what ``set_inputs`` has declared.

    Raises:
        ValueError: a tensor has another rank, size or type.
    """
    positional, by_name = declared
    pairs = list(zip(range(len(positional)), positional, args, strict=False))
    pairs += [(k, by_name[k], v) for k, v in kwargs.items() if k in by_name]
    for place, requested, given in pairs:
        if not (isinstance(requested, Tensor) and isinstance(given, Tensor)):
            continue
        expected, got = list(requested.shape), list(given.shape)
        fits = len(expected) == len(got) and all(
            e in (-1, None) or e == f for e, f in zip(expected, got, strict=True)
        )
        if not fits or requested.dtype != given.dtype:
            raise ValueError(
                f"For 'set_inputs' of '{name}', input {place} was declared as shape {expected} and "
                f"type {requested.dtype} (-1 stands for any size); expected: {expected}, and "
                f"input: {got} of type {given.dtype}. Declare it again with set_inputs, or "
                "change the input."
            )


def argument_changes(flat: FlatArguments) -> list[str]:
    """What a run has changed about its arguments, but for the values of tensors."""
    after = flatten(*flat.call, flat.rules)
    same = after.key == without_marks(flat.key) and len(after.tensors) == len(flat.tensors)
    if same and all(a is b for a, b in zip(after.tensors, flat.tensors, strict=True)):
        if any(a is not b for a, b in zip(after.holders, flat.holders, strict=True)):
            return ["a container or object among the arguments"]
        return ["attributes of a tensor among the arguments"] if after.marked else []
    return ["a container or object among the arguments, or a tensor's shape or type"]


# ---------------------------------------------------------------------------------- rebuilding


class _Rebuilder:
    """Makes the arguments of a spec over other tensors."""

    def __init__(self, tensors: list[Any]) -> None:
        self.tensors = tensors
        self.holders: list[Any] = []

    def make(self, part: Any) -> Any:
        if isinstance(part, Slot):
            return self.tensors[part.i]
        if isinstance(part, Same):
            return self.holders[part.i]
        if isinstance(part, AsAttributes):
            return self._object(part)
        kind, value = part
        return value if kind is None else self._container(kind, value)

    def _place(self, value: Any) -> Any:
        self.holders.append(value)
        return value

    def _container(self, kind: type, value: Any) -> Any:
        if kind is tuple and not value:
            return ()
        if issubclass(kind, (dict, list)):
            return self._filled(self._place(empty_object(kind)), value)
        place = self._reserved()
        result = self.holders[place] = _frozen(kind, [self.make(v) for v in value])
        return result

    def _reserved(self) -> int:
        """A number for what is made of its parts, which may be numbered themselves."""
        self.holders.append(None)
        return len(self.holders) - 1

    def _filled(self, container: Any, parts: Any) -> Any:
        if isinstance(container, list):
            list.extend(container, [self.make(v) for v in parts])
            return container
        fill: Any = kind_of_mapping(container).__setitem__
        for k, v in parts.items():
            fill(container, k, self.make(v))
        return container

    def _object(self, part: AsAttributes) -> Any:
        kind = part.kind
        if part.inner is not None and not issubclass(kind, (dict, list)):
            place = self._reserved()
            home, slots = self._values(part)
            result = _frozen(kind, [self.make(v) for v in part.inner[1]])
            self.holders[place] = result
            _set(result, home, slots)
            return result
        result = self._place(empty_object(kind))
        _set(result, *self._values(part))
        return result if part.inner is None else self._filled(result, part.inner[1])

    def _values(self, part: AsAttributes) -> tuple[dict[str, Any], list[tuple[Any, Any]]]:
        """What the code names of an object; the rest it does not read."""
        home = {name: self.make(held) for name, held in part.home.items()}
        return home, [(descriptor, self.make(held)) for descriptor, held in part.slots]


def maker_of(kind: type) -> Callable[[type], Any]:
    """What makes an object of a class of the program's, past the constructors of that class."""
    base: Any = next(b for b in kind.__mro__ if not b.__flags__ & HEAP_TYPE)
    return base.__new__


def empty_object(kind: type) -> Any:
    """An object without attributes and items."""
    return kind() if kind in _CONTAINERS else maker_of(kind)(kind)


def _frozen(kind: type, items: list[Any]) -> Any:
    if issubclass(kind, Structure):
        return kind(*items)
    return kind(items) if kind in _CONTAINERS else tuple.__new__(kind, items)


def _set(value: Any, home: dict[str, Any], slots: list[tuple[Any, Any]]) -> None:
    if home:
        value.__dict__.update(home)
    for descriptor, held in slots:
        if held is not MISSING:
            descriptor.__set__(value, held)


def rebuild(spec: Any, tensors: list[Any]) -> Any:
    """The arguments of a spec over other tensors: ``(args, kwargs)``."""
    rebuilder = _Rebuilder(tensors)
    args, kwargs = spec
    positional = tuple([rebuilder.make(p) for p in args])
    return positional, {k: rebuilder.make(p) for k, p in kwargs.items()}
