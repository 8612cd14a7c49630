"""What a call can change: found, noted, put back, compared.

`Reach` walks from a compiled function and its arguments over cells, containers, objects, functions
and the globals that their code names, and keeps a place for each thing that a call may change:
contents of tensors and arrays, items, attributes, random states. A `Contents` is what stood in the
places at one time.

NOTE Libraries. Objects of agar, torch and numpy that are no cells keep books of their own (caches):
tensors, arrays and functions in them are looked at, their attributes and containers are not.
"""

from __future__ import annotations

import array
import collections
import functools
import random as python_random
import types
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch

from agar._core import random
from agar._core.graph.guard.code import all_codes, names_in
from agar._core.graph.guard.getters import (
    BY_VALUE,
    MISSING,
    attributes_of,
    cell_contents_of,
    same_value,
    slots_of,
)
from agar._core.graph.guard.reads import UNSEEN, is_cell
from agar._core.graph.record.monitor import USER, kind_of_code, kind_of_module
from agar._core.random.engines import entropy
from agar._core.runtime import runtime
from agar._core.tensor import Structure, SymbolicTensor, Tensor

__all__ = ["Contents", "Reach", "same_bits"]

#: Attributes of agar's layers that are theirs.
_OWN = UNSEEN | {"_hooks", "param_info"}
_NOT_WALKED = (*BY_VALUE, type, types.ModuleType, torch.dtype, torch.device, np.dtype, np.ufunc)


def same_bits(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors are equal bit for bit; NaN equals NaN, and signed zeros differ."""
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device:
        return False
    if a.layout is not torch.strided or b.layout is not torch.strided:
        return a.layout is b.layout and same_bits(a.to_dense(), b.to_dense())
    a, b = _flat(a), _flat(b)
    if torch.equal(a.view(torch.uint8), b.view(torch.uint8)):
        return True
    if not (a.is_floating_point() or a.is_complex()):
        return False
    if a.is_complex():
        a, b = torch.view_as_real(a), torch.view_as_real(b)
    odd = a != a
    if not torch.equal(odd, b != b):
        return False
    a, b = a[~odd], b[~odd]
    return torch.equal(a, b) and torch.equal(torch.signbit(a), torch.signbit(b))


def _flat(t: torch.Tensor) -> torch.Tensor:
    return t.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)


def _write(home: torch.Tensor, then: torch.Tensor) -> None:
    """Copy elements into a tensor, which may be an expanded one: its memory has fewer."""
    for d, (size, stride) in enumerate(zip(home.shape, home.stride(), strict=True)):
        if stride == 0 and size > 1:
            home, then = home.narrow(d, 0, 1), then.narrow(d, 0, 1)
    home.copy_(then)


# ------------------------------------------------------------------------------------- places


class _Place:
    """Something that a call may change; `kind` and `name` are for people."""

    kind = "contents"

    def __init__(self, home: Any, name: str) -> None:
        self.home = home
        self.name = name

    def get(self) -> Any:
        raise NotImplementedError

    def put(self, then: Any) -> None:
        raise NotImplementedError

    def same(self, now: Any, then: Any) -> bool:
        return now == then


class _Memory(_Place):
    """The elements of a torch tensor."""

    kind = "value"

    def get(self) -> Any:
        return self.home.detach().clone()

    def put(self, then: Any) -> None:
        with torch.no_grad():
            _write(self.home.detach(), then)
        runtime.weights += 1

    def same(self, now: Any, then: Any) -> bool:
        return now is then or same_bits(now, then)


class _Binding(_Place):
    """The torch tensor behind a Tensor."""

    kind = "value"

    def get(self) -> Any:
        return self.home._value

    def put(self, then: Any) -> None:
        self.home._value = then
        runtime.weights += 1

    def same(self, now: Any, then: Any) -> bool:
        return now is then


class _Array(_Place):
    kind = "value"

    def get(self) -> Any:
        return self.home.copy()

    def put(self, then: Any) -> None:
        self.home[...] = then

    def same(self, now: Any, then: Any) -> bool:
        if now.dtype == object:
            return all(map(_same_item, now.flat, then.flat))
        return now.tobytes() == then.tobytes()


class _Bytes(_Place):
    def get(self) -> Any:
        return self.home[:]

    def put(self, then: Any) -> None:
        self.home[:] = then


class _Items(_Place):
    """The items of a list, deque or set."""

    kind = "items"

    def get(self) -> Any:
        return tuple(self.home)

    def put(self, then: Any) -> None:
        if isinstance(self.home, list):
            list.__setitem__(self.home, slice(None), list(then))
            return
        self.home.clear()
        extend: Any = self.home.update if isinstance(self.home, set) else self.home.extend
        extend(then)

    def same(self, now: Any, then: Any) -> bool:
        if isinstance(self.home, set):
            return len(now) == len(then) and set(now) == set(then)
        return len(now) == len(then) and all(map(_same_item, now, then))


class _Mapping(_Place):
    """The items of a dict, or attributes in one."""

    kind = "items"

    def __init__(
        self, home: dict[Any, Any], name: str, without: Iterable[str] = (), attributes: bool = False
    ) -> None:
        super().__init__(home, name)
        self.without = frozenset(without)
        if attributes:
            self.kind = "attributes"

    def get(self) -> Any:
        pairs = dict.items(self.home)
        if isinstance(self.home, collections.OrderedDict):
            pairs = collections.OrderedDict.items(self.home)
        return [(k, v) for k, v in pairs if not self.without or k not in self.without]

    def put(self, then: Any) -> None:
        retained = [(k, v) for k, v in dict.items(self.home) if k in self.without]
        ordered = isinstance(self.home, collections.OrderedDict)
        kind: Any = collections.OrderedDict if ordered else dict
        kind.clear(self.home)
        for k, v in (*then, *retained):
            kind.__setitem__(self.home, k, v)

    def same(self, now: Any, then: Any) -> bool:
        return len(now) == len(then) and all(
            a[0] == b[0] and _same_item(a[1], b[1]) for a, b in zip(now, then, strict=True)
        )


class _Names(_Place):
    """Globals of a module that code names, or attributes of a class."""

    kind = "globals"

    def __init__(self, home: Any, name: str, names: Iterable[str]) -> None:
        super().__init__(home, name)
        self.names = sorted(names)
        self.of_class = isinstance(home, type)

    def get(self) -> Any:
        result = self.home.__dict__ if self.of_class else self.home
        return [(n, result.get(n, MISSING)) for n in self.names]

    def put(self, then: Any) -> None:
        for (name, value), (_, now) in zip(then, self.get(), strict=True):
            if now is value:
                continue
            if self.of_class:
                delattr(self.home, name) if value is MISSING else setattr(self.home, name, value)
            elif value is MISSING:
                self.home.pop(name, None)
            else:
                self.home[name] = value

    def same(self, now: Any, then: Any) -> bool:
        return all(_same_item(a[1], b[1]) for a, b in zip(now, then, strict=True))


class _Enclosed(_Place):
    """A variable of an enclosing function."""

    kind = "variable"

    def get(self) -> Any:
        return cell_contents_of(self.home)

    def put(self, then: Any) -> None:
        if then is MISSING:
            del self.home.cell_contents
        else:
            self.home.cell_contents = then

    def same(self, now: Any, then: Any) -> bool:
        return _same_item(now, then)


class _Slot(_Place):
    """An attribute in a slot."""

    kind = "attributes"

    def __init__(self, home: Any, name: str, descriptor: Any) -> None:
        super().__init__(home, name)
        self.descriptor = descriptor

    def get(self) -> Any:
        try:
            return self.descriptor.__get__(self.home)
        except AttributeError:
            return MISSING

    def put(self, then: Any) -> None:
        if then is MISSING:
            self.descriptor.__delete__(self.home)
        else:
            self.descriptor.__set__(self.home, then)

    def same(self, now: Any, then: Any) -> bool:
        return _same_item(now, then)


class _Random(_Place):
    """The state of a random generator, by functions that get and set it."""

    kind = "random state"

    def __init__(self, name: str, get: Callable[[], Any], put: Callable[[Any], Any]) -> None:
        super().__init__(None, name)
        self._get = get
        self._put = put

    def get(self) -> Any:
        return self._get()

    def put(self, then: Any) -> None:
        self._put(then)

    def same(self, now: Any, then: Any) -> bool:
        return _same_state(now, then)


def _same_state(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        return torch.equal(a, b)
    if isinstance(a, np.ndarray):
        return a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same_state(v, b[k]) for k, v in a.items())
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(_same_state, a, b))
    return a == b


def _same_item(now: Any, then: Any) -> bool:
    return now is then or same_value(now, then)


def _seeds() -> Any:
    table = random._table
    return table.seed, dict(table.counters)


def _put_seeds(then: Any) -> None:
    with random._table.lock:
        random._table.seed = then[0]
        random._table.counters.clear()
        random._table.counters.update(then[1])


def _channels() -> Any:
    return {k: engine.state for k, engine in list(random._channel_engines.items())}


def _put_channels(then: Any) -> None:
    for key in [k for k in random._channel_engines if k not in then]:
        del random._channel_engines[key]
    for key, state in then.items():
        random._channel_engines[key].state = state


def _put_entropy(then: Any) -> None:
    entropy.state = then


def _generators() -> list[_Place]:
    """The random states that every call can reach."""
    default = random.default_generator
    results: list[_Place] = [
        _Random("Python's random", python_random.getstate, python_random.setstate),
        _Random("numpy.random", np.random.get_state, np.random.set_state),
        _Random("torch's generator", torch.random.get_rng_state, torch.random.set_rng_state),
        _Random("the seeds of agar's operators", _seeds, _put_seeds),
        _Random("the channel dropout", _channels, _put_channels),
        _Random("agar's default generator", default.get_state, default.set_state),
        _Random("agar's entropy", lambda: entropy.state, _put_entropy),
    ]
    if torch.cuda.is_initialized():
        results.append(
            _Random(
                "torch's generators of CUDA",
                torch.cuda.get_rng_state_all,
                torch.cuda.set_rng_state_all,
            )
        )
    results += [
        _Random(
            f"the random stream of {stream.name}",
            functools.partial(getattr, stream, "state"),
            functools.partial(setattr, stream, "state"),
        )
        for stream in list(random._live.values())
    ]
    return results


# ------------------------------------------------------------------------------------ the walk


class Contents:
    """What stood in the places of a `Reach` at one time."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values


class Reach:
    """All that a call can change.

    Args:
        roots: where it begins, with names for people.
        names: names of attributes of the user's modules that the code of the call uses.

    Attributes:
        known: names of the objects that were met, by id.
        raws: the torch tensors that were met, by id, with their names.
    """

    def __init__(self, roots: Iterable[tuple[str, Any]], names: Iterable[str] = ()) -> None:
        self.known: dict[int, str] = {}
        self.raws: dict[int, tuple[torch.Tensor, str]] = {}
        self._pins: list[Any] = []
        self._names = frozenset(names)
        self._globals: dict[int, tuple[dict[str, Any], set[str]]] = {}
        self._waiting: deque[tuple[Any, str]] = deque()
        self.places = _generators()
        for name, root in roots:
            self._waiting.append((root, name))
        while self._waiting:
            self._look(*self._waiting.popleft())
        for home, held in self._globals.values():
            self.places.append(_Names(home, home.get("__name__", "?"), held))
        self.places += [_Memory(raw, name) for raw, name in self.raws.values()]

    def take(self, like: Contents | None = None) -> Contents:
        """The contents now; what is the same as in `like` is not held twice."""
        results = []
        for i, place in enumerate(self.places):
            if like is not None and isinstance(place, _Memory):
                then = like.values[i]
                results.append(then if same_bits(place.home, then) else place.get())
            else:
                results.append(place.get())
        return Contents(results)

    def put(self, contents: Contents) -> None:
        """Make the contents what they were."""
        moved = False
        for place, then in zip(self.places, contents.values, strict=True):
            now = place.home if isinstance(place, _Memory) else place.get()
            if not place.same(now, then):
                place.put(then)
                moved = moved or not isinstance(place, (_Memory, _Random))
        if moved:
            runtime.epoch += 1

    # ------------------------------------------------------------------------ what is met

    def _visit(self, value: Any, name: str) -> None:
        if isinstance(value, BY_VALUE) or id(value) in self.known:
            return
        self._waiting.append((value, name))

    def _look(self, value: Any, name: str) -> None:
        if isinstance(value, BY_VALUE) or id(value) in self.known:
            return
        self.known[id(value)] = name
        self._pins.append(value)
        if isinstance(value, Tensor):
            self._tensor(value, name)
        elif isinstance(value, torch.Tensor):
            self._raw(value, name)
        elif isinstance(value, np.ndarray):
            if value.flags.writeable:
                self.places.append(_Array(value, name))
            if value.dtype == object:
                for i, v in enumerate(value.flat):
                    self._visit(v, f"{name}[{i}]")
        elif is_cell(value):
            self._cell(value, name)
        elif isinstance(value, (list, set, collections.deque, tuple, frozenset)):
            if not isinstance(value, (tuple, frozenset)):
                self.places.append(_Items(value, name))
            for i, v in enumerate(tuple(value)):
                self._visit(v, f"{name}[{i}]")
            self._attributes(value, name)
        elif isinstance(value, dict):
            self.places.append(_Mapping(value, name))
            for k, v in list(dict.items(value)):
                self._visit(v, f"{name}[{k!r:.40}]")
            self._attributes(value, name)
        elif isinstance(value, (bytearray, array.array)):
            self.places.append(_Bytes(value, name))
        elif isinstance(value, types.FunctionType):
            self._function(value, name)
        elif isinstance(value, types.MethodType):
            self._visit(value.__self__, name)
            self._visit(value.__func__, name)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                self._visit(part, name)
        elif isinstance(value, (property, staticmethod, classmethod, functools.cached_property)):
            for part in ("fget", "fset", "__func__", "func"):
                self._visit(getattr(value, part, None), name)
        elif isinstance(value, types.ModuleType):
            self._module(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, np.random.BitGenerator):
            self.places.append(
                _Random(
                    name,
                    functools.partial(getattr, value, "state"),
                    functools.partial(setattr, value, "state"),
                )
            )
        elif isinstance(value, (np.random.Generator, np.random.RandomState)):
            self._visit(
                getattr(value, "bit_generator", None) or getattr(value, "_bit_generator", None),
                name,
            )
        elif isinstance(value, python_random.Random):
            self.places.append(_Random(name, value.getstate, value.setstate))
        elif isinstance(value, (torch.Generator, random.GeneratorState)):
            self.places.append(_Random(name, value.get_state, value.set_state))
        elif not isinstance(value, _NOT_WALKED):
            self._object(value, name)

    def _tensor(self, value: Tensor, name: str) -> None:
        if isinstance(value, SymbolicTensor):
            return
        shown = getattr(value, "name", None)
        name = f"Parameter {shown}" if isinstance(shown, str) else name
        self.known[id(value)] = name
        raw = value._value
        self.places.append(_Binding(value, name))
        self.places.append(_Mapping(vars(value), name, _OWN, True))
        self._raw(raw, name)
        for k, v in value.__dict__.items():
            if k not in _OWN:
                self._visit(v, f"{name}.{k}")

    def _raw(self, raw: torch.Tensor, name: str) -> None:
        if raw.layout is torch.strided and id(raw) not in self.raws:
            self.raws[id(raw)] = raw, name

    def _cell(self, cell: Any, name: str) -> None:
        home = cell.__dict__
        hidden = [] if self._is_users(cell) else [n for n in home if n.startswith("_")]
        self.places.append(_Mapping(home, name, {*_OWN, *hidden}, True))
        for registry in ("_cells", "_params", "_buffers"):
            held = home.get(registry)
            if isinstance(held, dict):
                self.known[id(held)] = name
                self._pins.append(held)
                self.places.append(_Mapping(held, name))
                for k, v in list(held.items()):
                    self._visit(v, f"{name}.{k}")
        for k, v in list(home.items()):
            if k not in _OWN:
                self._visit(v, f"{name}.{k}")
        self._class_of(cell)

    def _is_users(self, value: Any) -> bool:
        return kind_of_module(type(value).__module__) == USER

    def _class_of(self, value: Any) -> None:
        for base in type(value).__mro__:
            if kind_of_module(base.__module__) == USER:
                self._visit(base, base.__qualname__)

    def _class(self, cls: type) -> None:
        if kind_of_module(cls.__module__) != USER:
            return
        names = [n for n in cls.__dict__ if not (n.startswith("__") and n.endswith("__"))]
        self.places.append(_Names(cls, cls.__qualname__, [n for n in names if n != "_abc_impl"]))
        for n, v in list(cls.__dict__.items()):
            if n not in ("__dict__", "__weakref__"):
                self._visit(v, f"{cls.__qualname__}.{n}")
        for base in cls.__mro__[1:]:
            self._visit(base, base.__qualname__)

    def _module(self, module: types.ModuleType) -> None:
        if kind_of_module(module.__name__) == USER:
            self._take_globals(module.__dict__, self._names)

    def _take_globals(self, home: dict[str, Any], names: Iterable[str]) -> None:
        _, known = self._globals.setdefault(id(home), (home, set()))
        for n in names:
            if n in home and n not in known and n != "__builtins__":
                known.add(n)
                self._visit(home[n], n)

    def _function(self, function: types.FunctionType, name: str) -> None:
        library = kind_of_code(function.__code__) != USER
        closure = function.__closure__ or ()
        for variable, cell in zip(function.__code__.co_freevars, closure, strict=True):
            if not library:
                self.places.append(_Enclosed(cell, f"{name}.<{variable}>"))
            held = cell_contents_of(cell)
            if not library or not isinstance(held, (dict, list, set)):
                self._visit(held, variable)
        self._visit(function.__dict__.get("__wrapped__"), name)
        if library:
            return
        self._visit(function.__defaults__, f"defaults of {function.__qualname__}")
        self._visit(function.__kwdefaults__, f"defaults of {function.__qualname__}")
        without = {"__wrapped__", "_compiled", "_gradients", "_gradient_of"}
        self.places.append(_Mapping(function.__dict__, name, without, True))
        for k, v in function.__dict__.items():
            if k not in without:
                self._visit(v, f"{name}.{k}")
        for code in all_codes(function.__code__):
            known = names_in(code)
            self._take_globals(function.__globals__, known.read | known.stored)

    def _attributes(self, value: Any, name: str) -> None:
        """Attributes of an object of the user's own class, in its dict and in slots."""
        if not self._is_users(value):
            return
        home = attributes_of(value)
        if type(home) is dict:
            self.places.append(_Mapping(home, name, (), True))
            for k, v in list(home.items()):
                self._visit(v, f"{name}.{k}")
        for base in type(value).__mro__:
            for slot in slots_of(base):
                descriptor = base.__dict__.get(slot)
                if isinstance(descriptor, types.MemberDescriptorType):
                    place = _Slot(value, f"{name}.{slot}", descriptor)
                    self.places.append(place)
                    self._visit(place.get(), place.name)
        self._class_of(value)

    def _object(self, value: Any, name: str) -> None:
        if isinstance(value, types.SimpleNamespace):
            self.places.append(_Mapping(value.__dict__, name, (), True))
            for k, v in list(value.__dict__.items()):
                self._visit(v, f"{name}.{k}")
            return
        if self._is_users(value):
            self._attributes(value, name)
            return
        if isinstance(value, Structure):
            self._visit(value._held, name)
            return
        # an object of a library: what it holds of the user's
        held = list(getattr(value, "__dict__", {}).items())
        for base in type(value).__mro__:
            for slot in slots_of(base):
                descriptor = base.__dict__.get(slot)
                if isinstance(descriptor, types.MemberDescriptorType):
                    held.append((slot, _Slot(value, name, descriptor).get()))
        for k, v in held:
            within = v.values() if type(v) is dict else v if type(v) in (list, tuple) else (v,)
            for item in list(within):
                if isinstance(item, (Tensor, torch.Tensor, np.ndarray)) or (
                    callable(item) or is_cell(item) or isinstance(item, random.GeneratorState)
                ):
                    self._visit(item, f"{name}.{k}")
