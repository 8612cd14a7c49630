"""Takes apart what a recorded run returned; see `outcome` for what is made anew."""

from __future__ import annotations

import enum
import gc
import operator
import sys
import types
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from agar._core.distributed.sharding import is_split, local
from agar._core.dtype import Type
from agar._core.graph.cache.outcome import Outcome
from agar._core.graph.cache.writes import Write
from agar._core.graph.guard.flatten import FlatArguments, can_be_taken_apart
from agar._core.graph.guard.getters import (
    WEAK_PROXIES,
    computes_attributes,
    is_plain,
    items_of,
    pairs_of,
    settings_of,
    slot_value,
    slots_in,
    slots_of,
)
from agar._core.graph.ir.graph import Ref
from agar._core.graph.record.monitor import USER, kind_of_class
from agar._core.graph.record.recorder import Recorder
from agar._core.jit import _List, _Tuple
from agar._core.parameter import Parameter
from agar._core.tensor import Structure, Tensor

__all__ = ["paths_of", "read_outcome"]

_MOST = 4096  # containers and objects of a result
_DEEPEST = 40  # of them, each inside of another: code for it is nested as deep
_IMMUTABLE = frozenset({bool, int, float, str, bytes, complex, type(Ellipsis), torch.dtype})
_SYMBOLS = (torch.SymInt, torch.SymFloat, torch.SymBool)
_BARE = frozenset({list, tuple, dict})
#: Containers of :func:`agar.mutable`, which are made from what they hold.
_MARKED = frozenset({_List, _Tuple})
#: Objects that every run shares.
_SHARED = (type, types.ModuleType, types.BuiltinFunctionType, enum.Enum, np.generic, np.dtype, Type)


def _references(held: list[Any], i: int) -> int:
    return sys.getrefcount(held[i])


#: References to a value that one container holds, while `_references` looks at it.
_ALONE = _references([object()], 0)


class _Parts:
    """The containers, arrays and objects that a result leads to.

    Attributes:
        visits: at how many places of the result each of them stands, by id.
        outside: ids of those that somebody else holds, too.
    """

    def __init__(
        self, alone: list[Any], passed: dict[int, Any], writes: Sequence[Write] = ()
    ) -> None:
        self.outside: set[int] = set()
        self.visits: dict[int, int] = {}
        self.homes: dict[int, int] = {}  # of the attributes of objects, by id of the object
        self._held: list[Any] = []
        self._passed = passed
        self._kinds: dict[type, bool] = {}
        collected = False
        while True:
            self._walk(alone, writes)
            held = self._held
            more = [
                id(held[i])
                for i in range(len(held))
                if _references(held, i) - _ALONE > self.visits[id(held[i])]
            ]
            more = [key for key in more if key not in self.outside]
            if not more:
                break
            if collected:
                self.outside.update(more)
            else:  # what only hangs in a cycle is not held
                held.clear()
                gc.collect(1)
                collected = True
        self._held = []

    def is_object(self, value: Any) -> bool:
        """Whether a value is an object, or a container, that can be built from what it holds."""
        kind = type(value)
        known = self._kinds.get(kind)
        if known is None:
            known = can_be_taken_apart(value) and not any(
                "__del__" in vars(base) for base in kind.__mro__
            )
            self._kinds[kind] = known
        return known

    def is_new(self, value: Any) -> bool:
        """Whether an object was made by the run, for its result alone."""
        key = id(value)
        if key in self.outside or key not in self.visits or not self.is_object(value):
            return False
        home = self.homes.get(key)
        if home is not None and (home in self.outside or self.visits[home] > 1):
            return False  # its attributes are those of another object, too
        return not weakref.getweakrefcount(value)

    def _walk(self, alone: list[Any], writes: Sequence[Write]) -> None:
        self.visits.clear()
        self.homes.clear()
        self._held = []
        # a `Write` holds its value, too
        waiting: list[Any] = [alone[0], *[write.value for write in writes for _ in (1, 2)]]
        while waiting:
            waiting += self._inside(waiting.pop())

    def _note(self, value: Any) -> bool:
        """Count a place of a value; whether it is the first."""
        known = self.visits.get(id(value))
        self.visits[id(value)] = 1 if known is None else known + 1
        if known is None:
            self._held.append(value)
        return known is None

    def _inside(self, value: Any) -> list[Any]:
        """What a container or object holds, when it is met first."""
        kind = type(value)
        if value is None or kind in _IMMUTABLE or kind in WEAK_PROXIES or id(value) in self._passed:
            return []
        if computes_attributes(kind) or isinstance(value, Tensor):
            return []
        if isinstance(value, Structure):  # holds tensors and constants
            self._note(value)
            return []
        container = isinstance(value, (list, tuple, dict))
        if not container and kind is not np.ndarray and not self.is_object(value):
            return []
        if (kind is tuple and not value) or not self._note(value):
            return []
        if id(value) in self.outside or len(self._held) > _MOST:
            return []
        results: list[Any] = []
        if isinstance(value, dict):
            results += [v for _, v in pairs_of(value)]
        elif container:
            results += list(items_of(value))
        if kind not in _BARE and self.is_object(value):
            home = settings_of(value)
            if home is not None:
                self.homes[id(value)] = id(home)
                if self._note(home):
                    results += home.values()
            for _, held in slots_in(value):
                results.append(held)
        return results


# ----------------------------------------------------------------------------------- reading


def read_outcome(
    alone: list[Any],
    recorder: Recorder,
    flat: FlatArguments,
    paths: Any = None,
    writes: Sequence[Write] = (),
) -> tuple[Outcome, list[torch.Tensor]]:
    """Take a result apart; also gives its torch tensors.

    Args:
        alone: a list of what the run returned, to which the caller has no other reference.
        recorder: its recording, which a result that cannot be made again aborts.
        flat: the arguments.
        paths: where the objects among the arguments were before the run (`paths_of`). Default:
            where they are.
        writes: what the run has set in arguments. Default: nothing.
    """
    # what is kept for a gradient that was not asked for would count as a holder
    recorder.gradient_records.clear()
    if paths is None:
        paths = {} if isinstance(alone[0], Tensor) else paths_of(flat)
    reader = _Reader(alone, recorder, flat, paths, writes)
    outcome = Outcome(reader.form(alone[0]), [])
    for write in writes:
        if write.how in ("item", "attribute") and not is_fixed_key(write.key):
            recorder.abort("the call sets an item of an argument whose key is an object")
        form = reader.inside(write.value)
        outcome.writes.append((paths[id(write.holder)], write.how, write.key, form))
    outcome.variables = list(dict.fromkeys(reader.variables))
    outcome.objects, outcome.fresh, outcome.kinds = reader.objects, reader.fresh, reader.kinds
    return outcome, reader.tensors


class _Reader:
    """Takes a result apart."""

    def __init__(
        self,
        alone: list[Any],
        recorder: Recorder,
        flat: FlatArguments,
        paths: dict[int, Any],
        writes: Sequence[Write],
    ) -> None:
        self.recorder = recorder
        self.arguments = flat.tensors
        self.variables: list[int] = []
        self.tensors: list[torch.Tensor] = []
        self.objects: list[Any] = []
        self.fresh: list[Any] = []
        self.kinds: set[type] = set()
        self._wrappers: dict[int, list[Tensor]] = {}  # over each variable
        self._in_parts: set[int] = set()
        self._numbers: dict[int, int] = {}  # of what stands in several places, by id
        self._constants: dict[int, Any] = {}
        self._open: set[int] = set()  # tuples that are being taken apart, by id
        self._inside = 0  # objects and arguments in which it is
        self._depth = 0
        self._paths = paths
        self._parts: Any = None
        if writes or not isinstance(alone[0], Tensor):
            self._parts = _Parts(alone, paths, writes)

    def inside(self, value: Any) -> Any:
        """The form of what lies where the caller does not take gradients off."""
        self._inside += 1
        try:
            return self.form(value)
        finally:
            self._inside -= 1

    def form(self, value: Any) -> Any:
        """The form of a value."""
        kind = type(value)
        if kind in WEAK_PROXIES:
            self.recorder.abort("the call returns a weak reference")
            return "object", value
        if isinstance(value, Tensor):
            return self._tensor(value)
        if value is None or kind in _IMMUTABLE or isinstance(value, _SYMBOLS):
            return "constant", value
        if isinstance(value, torch.Size) or (kind is tuple and not value):
            return "constant", value
        path = self._paths.get(id(value))
        if path is not None:
            return "passed", path
        if not computes_attributes(kind):
            if isinstance(value, (dict, tuple, list, Structure)) or kind is np.ndarray:
                return self._once(value)
            if self._parts.is_new(value):
                return self._once(value)
        if isinstance(value, _SHARED):
            return "constant", value
        return self._as_it_is(value)

    def _as_it_is(self, value: Any) -> Any:
        self.objects.append(value)
        return "object", value

    def _once(self, value: Any) -> Any:
        """The form of what the run has made, or what stands for it at further places."""
        key = id(value)
        number = self._numbers.get(key)
        if number is not None:
            if key in self._open:
                self.recorder.abort("the call returns a tuple that contains itself")
                return "object", value
            return self._constants.get(key) or ("same", number)
        if self._depth > _DEEPEST:
            self.recorder.abort("the call returns containers or objects that are nested too deep")
            return "object", value
        several = self._parts.visits.get(key, 1) > 1
        if several:
            number = self._numbers[key] = len(self._numbers)
        if isinstance(value, tuple):
            self._open.add(key)
        self._depth += 1
        result = self._new_form(value)
        self._depth -= 1
        self._open.discard(key)
        if not several:
            return result
        if result[0] in ("constant", "object"):
            self._constants[key] = result
            return result
        return "shared", (number, result)

    def _new_form(self, value: Any) -> Any:
        kind = type(value)
        if kind is np.ndarray:
            return self._array(value)
        if kind in _BARE or kind is OrderedDict or isinstance(value, Structure):
            if kind is OrderedDict and settings_of(value):
                self.recorder.abort("a container that the call returns carries attributes")
                return "object", value
            return self._container(value, kind)
        if kind in _MARKED:
            return kind, [self.form(v) for v in value]
        if isinstance(value, tuple) and hasattr(kind, "_fields") and not settings_of(value):
            return self._container(value, kind)
        if self._parts.is_new(value):
            self._inside += 1
            result = self._object(value, kind)
            self._inside -= 1
            return result
        if kind_of_class(kind) != USER:
            self.recorder.abort(f"the call returns an object of type {kind.__name__}")
        return self._as_it_is(value)

    def _container(self, value: Any, kind: type) -> Any:
        if isinstance(value, dict):
            self.objects.extend([k for k in value if not is_fixed_key(k)])
            self.fresh.append(value)
            return kind, [(k, self.form(v)) for k, v in value.items()]
        if isinstance(value, Structure):
            return kind, [self.form(v) for v in value._held]
        if kind is list:
            self.fresh.append(value)
        output = [self.form(v) for v in items_of(value)]
        if kind is not list and all(_is_fixed(part) for part in output):
            return "constant", value  # it may be one that lies outside
        return kind, output

    def _array(self, value: np.ndarray) -> Any:
        if value.dtype == object:
            self.recorder.abort("the call returns a numpy array of objects")
            return "object", value
        if not (value.flags.forc and value.flags.writeable):
            self.recorder.abort("the call returns a numpy array with gaps, or one to be read only")
        if any(np.may_share_memory(value, a) for a in self.fresh if type(a) is np.ndarray):
            self.recorder.abort("the call returns numpy arrays that share memory")
        self.fresh.append(value)
        return "array", value

    def _object(self, value: Any, kind: type) -> Any:
        """An object of a class of the program's, by all that it holds."""
        self.fresh.append(value)
        self.kinds.add(kind)
        home = settings_of(value)
        attributes = None
        if home is None and kind.__dictoffset__:
            return self._as_it_is(value)  # its attributes are in a dict of a class of their own
        if home is not None:
            self.fresh.append(home)
            if any(type(n) is not str for n in home):
                return self._as_it_is(value)
            attributes = [(n, self.form(v)) for n, v in home.items()]
        slots = [(descriptor, self.form(v)) for descriptor, v in slots_in(value)]
        items: Any = None
        if isinstance(value, dict):
            pairs = list(pairs_of(value))
            self.objects.extend([k for k, _ in pairs if not is_fixed_key(k)])
            items = [(k, self.form(v)) for k, v in pairs]
        elif isinstance(value, (list, tuple)):
            items = [self.form(v) for v in items_of(value)]
        return "new", (kind, attributes, slots, items)

    def _tensor(self, value: Tensor) -> Any:
        recorder = self.recorder
        for i, a in enumerate(self.arguments):
            if a is value:
                return "argument", i
        raw = value._value
        differentiable = raw.requires_grad and not isinstance(value, Parameter)
        if differentiable and self._inside and not recorder.grad_outside:
            recorder.abort("what the call makes or changes holds a tensor with a gradient")
        spec: Any = None
        if raw.__class__ is not torch.Tensor and is_split(raw):
            spec, raw = raw._spec, local(raw)  # type: ignore[attr-defined]
        number = recorder.number_of(raw)
        if number is None and recorder.aborted is None:
            number = recorder._ref(raw).i  # no operator has used it
        known = None if number is None else recorder.captured.get(number)
        if isinstance(value, Parameter):
            return "object", value
        if known is not None and not known.created:  # another Tensor over it may be new
            return self._as_it_is(value)
        if vars(value):
            recorder.abort("a tensor that the call returns carries attributes")
        elif type(value) is not Tensor:
            recorder.abort(f"the call returns an object of type {type(value).__name__}")
        if number is None:
            return "object", value
        self.variables.append(number)
        self.tensors.append(raw)
        if spec is not None:
            if id(value) in self._in_parts:
                recorder.abort("the call returns one tensor in parts in two places")
            self._in_parts.add(id(value))
            return "parts", (Ref(number), spec)
        wrappers = self._wrappers.setdefault(number, [])
        place = next((i for i, w in enumerate(wrappers) if w is value), len(wrappers))
        if place == len(wrappers):
            wrappers.append(value)
        return ("tensor", Ref(number)) if place == 0 else ("wrapper", (Ref(number), place))


def is_fixed_key(key: Any) -> bool:
    """Whether a key of a dictionary is told by its value."""
    if type(key) is tuple:
        return all(map(is_fixed_key, key))
    return is_plain(key) or isinstance(key, _SHARED)


def _is_fixed(form: Any) -> bool:
    """Whether every run gives the same object."""
    kind, value = form
    return kind == "object" or (kind == "constant" and not isinstance(value, _SYMBOLS))


def paths_of(flat: FlatArguments) -> dict[int, tuple[Any, ...]]:
    """Where the objects among the arguments are, by id: 0 or 1, then steps from there."""
    results: dict[int, tuple[Any, ...]] = {}
    args, kwargs = flat.call
    get = operator.getitem
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(a, (0, (get, i))) for i, a in enumerate(args)]
    waiting += [(v, (1, (get, k))) for k, v in kwargs.items()]
    while waiting:
        value, path = waiting.pop()
        kind = type(value)
        if value is None or kind in _IMMUTABLE or computes_attributes(kind):
            continue
        if isinstance(value, Tensor):
            continue
        if id(value) in results or (kind is tuple and not value):
            continue
        results[id(value)] = path
        if isinstance(value, (list, tuple)):
            item = get if kind in _BARE else _list_item if isinstance(value, list) else _tuple_item
            waiting += [(v, (*path, (item, i))) for i, v in enumerate(items_of(value))]
        elif isinstance(value, dict):
            item = get if kind in _BARE else dict.__getitem__
            waiting += [(v, (*path, (item, k))) for k, v in pairs_of(value)]
        if kind in flat.rules.classes:
            for name, v in (settings_of(value) or {}).items():
                waiting.append((v, (*path, (_attribute, name))))
            for base in kind.__mro__:
                for name in slots_of(base):
                    descriptor = base.__dict__[name]
                    v = slot_value(descriptor, value)[0]
                    waiting.append((v, (*path, (_slot, descriptor))))
    return results


_list_item: Any = list.__getitem__
_tuple_item: Any = tuple.__getitem__


def _attribute(value: Any, name: str) -> Any:
    """An attribute of an object, past those of its class."""
    return value.__dict__[name]


def _slot(value: Any, descriptor: Any) -> Any:
    """What a slot of an object holds."""
    return descriptor.__get__(value)
