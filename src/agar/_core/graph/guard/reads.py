"""What the Python of recorded calls has read from outside of them, and whether it changed.

A recording holds as long as everything that its Python read is as it was. What it can have read
follows from the code objects that were entered (:mod:`agar._core.graph.record.monitor`): the
globals that they name, the variables that they enclose, attributes and items of what these lead to.
`Reads` walks from there and the roots of the compiled function, takes attributes whose names occur
in the code, and all items of containers, and keeps two things: a *token* of the contents, equal for
equal contents, and checks that are quick enough for every call.

NOTE Closed world. The walk knows how to compare plain values, tensors, arrays, Python's containers,
functions, classes, modules and objects of Python classes. Anything else that it meets (iterators,
files, locks, objects of C extensions) is *opaque*: the call runs as ordinary Python. The same holds
for a function that ran and that the walk did not reach.

NOTE Libraries. agar, torch and numpy count as constant: their functions and classes are compared by
identity where the user's code names them. Cells report changes of attributes by the epoch; what the
user's own code reads of them is compared here as well, since ``cell.__dict__`` and containers
change without a report.
"""

from __future__ import annotations

import abc
import builtins
import collections
import contextvars
import decimal
import functools
import gc
import logging
import operator
import os
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any

import numpy as np
import torch

from agar._core import context
from agar._core.graph.guard.checks import Checks
from agar._core.graph.guard.code import all_codes, names_in
from agar._core.graph.guard.flat import is_flat
from agar._core.graph.guard.getters import (
    BY_VALUE,
    EXACT,
    WEAK_PROXIES,
    ArrayItems,
    Attributes,
    array_state,
    as_bytes,
    attributes_of,
    cache_state,
    cell_contents_of,
    computes_attributes,
    context_value,
    decimal_context,
    default_factory_of,
    environment,
    form_of_numbers,
    getter,
    hides_state,
    is_plain,
    items_of,
    kind_of_mapping,
    metadata_of,
    module_of,
    names_of_getter,
    names_of_type,
    partial_parts,
    plain_key,
    random_state,
    requires_grad,
    row_state,
    settings_of,
    slot_value,
    slots_of,
)
from agar._core.graph.guard.tables import (
    ARRAY_BYTES,
    BUILT_IN_CONTAINERS,
    BUILTINS,
    CACHED,
    CLASS_NOISE,
    DISPATCHING,
    HEAP_TYPE,
    HOLDERS,
    METADATA,
    NONE,
    OF_CELLS,
    OF_CONTEXT,
    OF_FUNCTIONS,
    OF_KINDS,
    OF_PARAMETERS,
    OF_STANDARD,
    OF_TENSORS,
    OPEN,
    PUBLIC,
    READERS,
    SHOWN,
    TITLES,
    UNSEEN,
    WRITTEN,
)
from agar._core.graph.record.monitor import (
    LIBRARY,
    READS_OF_ENVIRONMENT,
    USER,
    kind_of_class,
    kind_of_code,
    kind_of_module,
    unknown_builtin,
)
from agar._core.graph.record.patches import is_replaced, is_replacement, settled
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor

__all__ = ["UNSEEN", "Reads", "is_cell"]


def _is_pythons(name: str, value: Any) -> bool:
    return value is BUILTINS.get(name) or (name == "print" and is_replaced(value))


_EXACT_CONTAINERS = frozenset({list, tuple, set, frozenset, collections.deque})


def key_text(key: Any) -> str:
    """A key of a dictionary for people."""
    return f"{key!r:.40}" if is_plain(key) else type(key).__name__


def is_cell(value: Any) -> bool:
    """Whether a value is a Cell, which this layer knows by its parts."""
    return hasattr(type(value), "construct") and "_cells" in getattr(value, "__dict__", ())


class Reads(Checks):
    """The contents that a compiled function's recordings depend on, at one time.

    Args:
        roots: what is compiled, and objects among the arguments, with names for people.
        entered: code objects that ran, with their globals.
        everything: whether attributes of any name may have been read.
        names: attributes that may have been read besides those that the code names. Default: none.

    Attributes:
        token: equal for equal contents.
        opaque: what cannot be watched: ``(where, what)``.
        missing: code objects that ran and were not reached.
        weak: where a weak reference was met, which what is held here keeps from dying; or None.
        cells, tensors, parameters, containers, objects: those that were reached, by id.
        outside: ids of the containers and objects.
        attributes: names that the code may ask objects for; None if these can be any.
        shows: whether the code makes texts, which may tell where an object lies.
    """

    def __init__(
        self,
        roots: Iterable[tuple[str, Any]],
        entered: Iterable[tuple[types.CodeType, dict[str, Any]]],
        everything: bool = False,
        names: Iterable[str] = (),
    ) -> None:
        super().__init__()
        self.cells: dict[int, Any] = {}
        self.parameters: dict[int, Parameter] = {}
        self.containers: dict[int, Any] = {}
        self.objects: dict[int, Any] = {}  # of classes of the user's own
        self.opaque: list[tuple[str, str]] = []
        self.missing: list[types.CodeType] = []
        self.weak: str | None = None
        self._token: list[Any] = []
        self._pins: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._waiting: list[tuple[Any, str]] = []
        self._bytes = 0
        self.of_libraries: set[int] = set()  # their namespaces, by id
        self._entered: set[int] = set()
        self._reached: set[int] = set()
        self._names: set[str] = set(names)
        self._passed: set[str] = set()  # variables that the code hands on
        self._passed_attributes: set[str] = set(names)
        self._tokens_of: dict[type, tuple[Any, ...]] = {}  # what stands for classes of cells
        self._named_by_values: set[str] = set()  # attributes that values name, of other objects
        self._readers = False  # whether functions that read attributes by name are in reach
        self._decimals = False  # whether decimal numbers are in reach
        roots, pairs = list(roots), list(entered)
        dynamic = everything
        self._matches = self._shows = False
        for code, _ in pairs:
            self._entered.add(id(code))
            known = names_in(code)
            self._names |= known.names
            self._passed |= known.passed
            self._passed_attributes |= known.passed_attributes
            self._matches = self._matches or known.matches
            self._shows = self._shows or (known.shows and code is not CACHED)
            if known.dynamic:
                self._names |= known.strings
            dynamic = dynamic or known.dynamic
        self._shaped = not METADATA.isdisjoint(self._names)
        self._everything = dynamic
        self._user = bool(pairs)
        for name, root in roots:
            self._token.append(("root", self._visit(root, name)))
        own = [(code, home) for code, home in pairs if kind_of_code(code) not in OF_STANDARD]
        for code, home in own:
            self._globals(code, home)
        if any(code in READS_OF_ENVIRONMENT for code, _ in pairs):
            self._ask(environment, "os.environ")
            held = getattr(os.environ, "_data", os.environ)  # a program may replace it
            self._token.append(self._visit(held, "os.environ"))
        if not self._names.isdisjoint(OF_KINDS):
            self._ask(abc.get_cache_token, "what is registered with abstract classes")
        if self._shows:
            self._ask(form_of_numbers, "the legacy setting of numpy.set_printoptions")
            if hasattr(sys, "get_int_max_str_digits"):
                self._ask(sys.get_int_max_str_digits, "sys.set_int_max_str_digits")
        if pairs:
            self._ask(torch.get_default_dtype, "torch's default dtype")
            self._ask(context.torch_device, "the device of the context")
            self._token.append(self._visit(Tensor, "Tensor"))
            if not self._names.isdisjoint(OF_CONTEXT):
                self._token.append(self._visit(context._values, "the context"))
        while self._waiting:
            value, path = self._waiting.pop()
            self._describe(value, path)
        if self._readers and pairs and not self._everything:
            self.__init__(roots, pairs, True, names)
            return
        if not self._named_by_values <= self._names:
            self.__init__(roots, pairs, everything, self._named_by_values.union(names))
            return
        for code, _ in own:
            if id(code) not in self._reached:
                self.missing.append(code)
        if self._bytes > ARRAY_BYTES:
            self.opaque.append(("arrays", f"{self._bytes >> 20} MiB of numpy arrays to compare"))
        self.token = tuple(self._token)
        self.outside = frozenset([*self.containers, *self.objects])
        self.attributes = None if self._everything or not pairs else frozenset(self._names)
        self.shows = self._shows
        self._freeze()

    # ------------------------------------------------------------------------------- the walk

    def _globals(self, code: types.CodeType, home: dict[str, Any]) -> None:
        known = names_in(code)
        here = sorted(n for n in known.read if n in home)
        module = home.get("__name__", "?")
        values = [home[n] for n in here]
        self._part(getter(here), home, values, here, f"global of {module}", known.passed)
        absent = frozenset(known.read.difference(here))
        if absent:
            self._absent.append((home, absent))
            self._label(home, f"global of {module}")
            self._token.append(("absent", id(home), absent))
            given = home.get("__builtins__", builtins)
            known_there = given if isinstance(given, dict) else vars(given)
            there = sorted(n for n in absent if n in known_there)
            own = [n for n in there if _is_pythons(n, known_there[n])]
            self._identities(known_there, own, "builtins", known.passed - {"print"})
            new = [n for n in there if n not in own]
            values = [known_there[n] for n in new]
            self._part(getter(new), known_there, values, new, "builtins", known.passed)
        for name, level, _ in known.imports:
            package = home.get("__package__") or module.rpartition(".")[0]
            if level:
                base = package.split(".")
                base = base[: len(base) - (level - 1)]
                name = ".".join([*base, name] if name else base)
            result = sys.modules.get(name)
            top = sys.modules.get(name.split(".")[0])
            self._ask(functools.partial(module_of, name), f"sys.modules[{name!r}]")
            for m in (result, top):
                if m is not None:
                    self._visit(m, f"module {name}")

    def _part(
        self,
        get: Callable[[Any], Any] | None,
        home: Any,
        values: list[Any],
        names: list[str],
        where: str,
        passed: Set[str] | None = None,
    ) -> None:
        """Compare named parts of something, and look at them in turn.

        Args:
            get: the values.
            home: what holds them.
            values: what they are now.
            names: of them.
            where: for people.
            passed: the names that code hands on. Default: those of attributes.
        """
        if get is None:
            return
        passed = self._passed_attributes if passed is None else passed
        self._parts.append((get, home, tuple(values)))
        self._part_names.append(names)
        self._label(home, where)
        self._token.append(
            tuple(
                [
                    (n, self._named(n, v, f"{where}.{n}", passed))
                    for n, v in zip(names, values, strict=True)
                ]
            )
        )

    def _named(self, name: str, value: Any, path: str, passed: Set[str]) -> Any:
        """The same as `_visit`, for what code reads by a name.

        A builtin that code calls by its name is seen when it is called.
        """
        if type(value) is types.BuiltinFunctionType and name not in passed:
            dunder = name.startswith("__") and name.endswith("__")
            if not dunder and unknown_builtin(value) is not None:
                self._pins.append(value)
                return "leaf", id(value)
        return self._visit(value, path)

    def _visit(self, value: Any, path: str) -> Any:
        """What stands for a value in the token; the value is looked at later."""
        if type(value) in WEAK_PROXIES:
            self._weak(value, path)
            return "leaf", id(value)
        if computes_attributes(type(value)):
            self._pins.append(value)
            self._refuse(value, path)
            return "leaf", id(value)
        if is_plain(value):
            return plain_key(value)
        number = self._numbers.get(id(value))
        if number is not None:
            return "node", number
        self._pins.append(value)
        if not self._decimals and (
            value is decimal or value is decimal.Decimal or isinstance(value, decimal.Decimal)
        ):
            self._decimals = True
            self._ask(decimal_context, "the context of decimal numbers")
        if is_flat(value) and kind_of_class(type(value)) != USER:
            if isinstance(value, (operator.attrgetter, operator.methodcaller)):
                named, held = names_of_getter(value)
                self._named_by_values.update(named)
                return "leaf", id(value), *[self._visit(v, path) for v in held]
            if isinstance(value, np.dtype) and value.names is not None:
                self._ask(functools.partial(names_of_type, value), path)
            elif id(value) in READERS:
                self._readers = True
            return "leaf", id(value)
        self._labels.setdefault(id(value), path)
        number = self._numbers[id(value)] = len(self._numbers)
        self._waiting.append((value, path))
        return "node", number

    def _describe(self, value: Any, path: str) -> None:
        kind = type(value)
        self._token.append(("of", self._numbers[id(value)], kind))
        describe = _OF_KIND.get(kind)
        if describe is not None:
            describe(self, value, path)
        elif is_flat(value):  # of a class of the user's own
            self._attributes(value, path)
        elif is_cell(value):
            self._cell(value, path)
        elif isinstance(value, Parameter):
            self._parameter(value, path)
        elif isinstance(value, Tensor):
            self.tensors[id(value)] = value
            raw = value._value  # draws a lazy tensor
            self._token.append((id(value), id(raw), (raw.shape, raw.dtype) if self._shaped else ()))
            self._pins.append(raw)
            self._marks(value, path)
        elif isinstance(value, torch.Tensor):
            self._torch_tensor(value, path)
        elif isinstance(value, types.FunctionType):
            self._function(value, path)
        elif isinstance(value, types.MethodType):
            self._token.append(
                (self._visit(value.__self__, path), self._visit(value.__func__, path))
            )
        elif isinstance(value, (types.BuiltinFunctionType, types.BuiltinMethodType)):
            owner = value.__self__
            if value.__name__ != "__new__" or not isinstance(owner, type):  # a part of its class
                self._impure(value, path)
            if owner is None or isinstance(owner, (types.ModuleType, type)):
                self._token.append(id(value))
                self._readers = self._readers or id(value) in READERS
            else:
                self._token.append((value.__name__, self._visit(owner, path)))
        elif isinstance(value, types.MethodWrapperType):
            self._token.append((value.__name__, self._visit(value.__self__, path)))
        elif isinstance(value, functools.partial):
            self._visit(value.func, path)
            parts = [value.func, value.args, value.keywords, value.__dict__]
            self._part(partial_parts, value, parts, ["func", "args", "keywords", "vars"], path)
        elif isinstance(value, (weakref.ref, weakref.finalize)):
            self._weak(value, path)
        elif isinstance(value, type):
            self._class(value, path)
        elif isinstance(value, types.ModuleType):
            self._module(value, path)
        elif isinstance(value, (property, functools.cached_property)):
            names = ("fget", "fset", "fdel") if isinstance(value, property) else ("func",)
            self._token.append(tuple([self._visit(getattr(value, n), path) for n in names]))
        elif isinstance(value, (staticmethod, classmethod)):
            self._token.append(self._visit(value.__func__, path))
        elif isinstance(value, np.ndarray):
            self._array(value, path)
            if kind_of_class(kind) == USER:
                self._attributes(value, path, plain=True)
        elif isinstance(value, np.void):
            self._ask(functools.partial(row_state, value), path)
        elif isinstance(value, (list, tuple, set, frozenset, collections.deque)):
            self._container(value, path)
        elif isinstance(value, dict):
            self._mapping(value, path)
        elif isinstance(value, (bytearray, memoryview)) or type(value).__module__ == "array":
            self._bytes += len(value)
            self._ask(functools.partial(as_bytes, value), path)
        elif isinstance(value, types.MappingProxyType):
            inner = gc.get_referents(value)
            self._token.append(self._visit(inner[0], path))
        elif isinstance(value, contextvars.ContextVar):
            self._part(context_value, value, list(context_value(value)), ["get()"], path)
        elif isinstance(value, functools._lru_cache_wrapper):
            self._memory(value, path)
        elif type(value).__module__.startswith("numpy.random"):
            self._generator(value, path)
        else:
            self._object(value, path)

    def _parameter(self, value: Parameter, path: str) -> None:
        self.parameters[id(value)] = value
        self.tensors[id(value)] = value
        raw = value._value
        self._token.append((id(value), id(raw), (raw.shape, raw.dtype) if self._shaped else ()))
        self._ask(functools.partial(requires_grad, value), f"{path}.requires_grad")
        self._pins.append(raw)
        for name in OF_PARAMETERS:
            if name in self._names and hasattr(value, name):
                get = functools.partial(getattr, value, name)
                self._ask(get, f"{path}.{name}")
        self._marks(value, path)

    def _memory(self, value: Any, path: str) -> None:
        """A function behind `functools.lru_cache`, and what the cache holds.

        How often it was hit decides about nothing but what is thrown away.
        """
        self._ask(functools.partial(cache_state, value), path)
        self._token.append(self._visit(value.__wrapped__, path))
        unbounded = value.cache_parameters()["maxsize"] is None
        referents = gc.get_referents(value)
        self._pins += referents  # ids in the state stay taken
        for held in referents:
            if type(held) is dict and held is not value.__dict__ and not unbounded:
                continue  # leads to the links, whose results are among the referents
            if held is not type(value):
                self._token.append(self._visit(held, f"{path} (cache)"))

    def _marks(self, value: Any, path: str) -> None:
        """What the user has set on a tensor or function, and whether there is more of it."""
        home = value.__dict__
        names = sorted(n for n in home if n in self._names)
        if names or (home and not OF_TENSORS.issuperset(home) and type(value) is not Parameter):
            self._keys.append((home, tuple(home)))
        else:
            self._lengths.append((home, len(home)))
        self._label(home, path)
        self._part(getter(names), home, [home[n] for n in names], names, path)

    def _ask(self, ask: Callable[[], Any], path: str) -> None:
        answer = ask()
        self._asked.append((ask, answer))
        self._label(ask, path)
        self._token.append(answer)

    def _label(self, home: Any, path: str) -> None:
        self._labels.setdefault(id(home), path)
        self._pins.append(home)

    def _weak(self, value: Any, path: str) -> None:
        self.weak = self.weak or path
        self._refuse(value, path)

    def _refuse(self, value: Any, path: str) -> None:
        kind = type(value)
        self.opaque.append((path, f"an object of type {kind.__module__}.{kind.__qualname__}"))
        self._token.append(id(value))

    def _impure(self, value: Any, path: str) -> None:
        """Refuse a builtin that others of C may call (``map``, ``partial``), which nobody sees."""
        if type(value) is types.BuiltinFunctionType:
            what = unknown_builtin(value)
            if what is not None:
                self.opaque.append((path, f"a call of {what} that other functions make"))

    # ----------------------------------------------------------------------------- by kind

    def _cell(self, cell: Any, path: str) -> None:
        self.cells[id(cell)] = cell
        self._token.append(id(cell))
        home = cell.__dict__
        cls = type(cell)
        for registry in ("_cells", "_params", "_buffers"):
            held = home.get(registry)
            if held:
                names = list(held)
                get = getter(names)
                assert get is not None
                self._parts.append((get, held, tuple(held.values())))
                self._part_names.append(names)
                self._lengths.append((held, len(names)))
                self._label(held, path)
                self._token.append(
                    (registry, *[(k, self._visit(v, f"{path}.{k}")) for k, v in held.items()])
                )
        self._class_parts(cls, path)
        own = kind_of_class(cls) == USER
        if not own:
            if self._user:
                self._lengths.append((home, len(home)))
                self._label(home, path)
                names = [n for n in home if n in self._names and n not in UNSEEN]
                self._part(getter(names), home, [home[n] for n in names], names, path)
            for name, value in home.items():
                if type(value) in EXACT or name in OF_CELLS or is_flat(value):
                    continue
                self._token.append((name, self._visit(value, f"{path}.{name}")))
            return
        self._typed.append(cell)
        library_base = any(
            kind_of_class(c) == LIBRARY and not c.__module__.startswith("agar.nn.cell")
            for c in cls.__mro__
        )
        everything = self._everything or library_base
        names = [
            n
            for n in home
            if n not in UNSEEN and (n in self._names or (everything and not n.startswith("_")))
        ]
        self._lengths.append((home, len(home)))
        self._label(home, path)
        self._part(getter(names), home, [home[n] for n in names], names, path)
        self._slots(cell, path, everything)
        hidden = [n for n in home if n.startswith("_") and n not in UNSEEN and n.endswith("_hooks")]
        for name in hidden:
            if home[name]:
                self._token.append((name, self._visit(home[name], f"{path}.{name}")))

    def _function(self, function: types.FunctionType, path: str) -> None:
        code = function.__code__
        self._token.append((id(function), id(code)))
        self._pins.append(code)
        mine = all_codes(code)
        self._reached.update(map(id, mine))
        library = kind_of_code(code) == LIBRARY
        if not library:
            self._marks(function, path)
            self._titles(function, TITLES & self._names, path)
        ran = library or any(id(c) in self._entered for c in mine)
        ran = ran or not OF_FUNCTIONS.isdisjoint(self._names)
        wrapped = function.__dict__.get("__wrapped__")
        if wrapped is not None:
            self._token.append(("wrapped", self._visit(wrapped, path)))
        if code is DISPATCHING:  # its closure has a cache beside what it dispatches to
            self._token.append(self._visit(function.__dict__["registry"], f"{path}.registry"))
            self._ask(abc.get_cache_token, "what is registered with abstract classes")
            return
        if not ran:
            return
        closure = function.__closure__ or ()
        if library and not closure:
            return
        for name, cell in zip(code.co_freevars, closure, strict=True):
            if library:
                # what agar's own closures hold is theirs; functions and cells of the user count
                value = cell_contents_of(cell)
                if not is_flat(value):
                    self._token.append((name, self._visit(value, f"{path}.<{name}>")))
                continue
            self._enclosed.append(cell)
            self._label(cell, f"{path}.<{name}>")
            held = cell_contents_of(cell)
            self._token.append((name, self._named(name, held, f"{path}.<{name}>", self._passed)))
        if library:
            return
        self._functions.append(function)
        self._token.append(
            (self._visit(function.__defaults__, path), self._visit(function.__kwdefaults__, path))
        )

    def _titles(self, value: Any, titles: Set[str], path: str) -> None:
        """Names, texts and annotations of a function or class."""
        if titles:
            names = sorted(titles)
            get = Attributes(names)
            self._part(get, value, list(get(value)), names, path)

    def _ran(self, value: Any) -> bool:
        """Whether a function in a class has been entered."""
        inner = getattr(value, "__func__", getattr(value, "fget", value))
        code = getattr(inner, "__code__", None)
        return code is not None and id(code) in self._entered

    def reached(self, value: Any) -> bool:
        """Whether the walk has reached an object."""
        return id(value) in self._numbers

    def _class_parts(self, cls: type, path: str) -> None:
        known = self._tokens_of.get(cls)
        if known is None:
            known = self._tokens_of[cls] = tuple(
                [
                    self._visit(base, base.__qualname__)
                    for base in cls.__mro__
                    if kind_of_class(base) == USER or "construct" in vars(base)
                ]
            )
        self._token += known
        if type(cls) is not type and kind_of_class(type(cls)) == USER:
            self._token.append(self._visit(type(cls), path))

    def _class(self, cls: type, path: str) -> None:
        self._token.append(id(cls))
        home = cls.__dict__
        if kind_of_class(cls) != USER:
            # constant itself, but for what a program puts in the place of its methods and data
            names = [n for n in home if n in self._names or n == "construct"]
            names = [n for n in names if not is_replacement(home[n])]
            if id(cls) in READERS:
                self._readers = True
            if cls.__flags__ & HEAP_TYPE:
                self._pins.append(home)
                self.of_libraries.add(id(home))
                self._of_library(home, names, cls.__qualname__)
                if self._everything and self._user:  # hasattr(cell, "added_later")
                    self._lengths.append((home, len(home)))
                    self._label(home, cls.__qualname__)
            return
        self._classes.append(cls)
        self._pins.append(cls.__mro__)
        self._token.append(tuple(map(id, cls.__mro__)))
        if type(cls) is not type and kind_of_class(type(cls)) == USER:
            self._token.append(self._visit(type(cls), path))
        names = [
            n
            for n in home
            if n not in CLASS_NOISE
            and (
                n in self._names
                or self._everything
                or (n.startswith("__") and n.endswith("__"))
                or n in ("construct", "bprop")
                or self._ran(home[n])  # called by a library, under a name that the code lacks
            )
        ]
        if self._matches:  # case Point(0, y)
            positions = home.get("__match_args__", ())
            self._named_by_values.update(n for n in positions if isinstance(n, str))
        self._titles(cls, TITLES & self._names | (SHOWN if self._shows else NONE), path)
        self._keys.append((home, tuple(home)))
        self._label(home, cls.__qualname__)
        self._part(getter(names), home, [home[n] for n in names], names, cls.__qualname__)
        for base in cls.__mro__[1:]:
            if kind_of_class(base) == USER:
                self._token.append(self._visit(base, base.__qualname__))

    def _module(self, module: types.ModuleType, path: str) -> None:
        self._token.append(id(module))
        home = module.__dict__
        if kind_of_module(module.__name__) != USER:
            # constant itself, but for what a program puts in the place of its functions and data,
            # and the streams of sys
            names = [n for n in home if n in self._names]
            self.of_libraries.add(id(home))
            if module is sys:
                tables = [n for n in names if type(home[n]) in (list, dict)]
                for name in {"modules", "path_importer_cache"}.intersection(tables):
                    self._refuse(home[name], f"sys.{name}")
                listed = [n for n in tables if type(home[n]) is list]
                self._part(getter(listed), home, [home[n] for n in listed], listed, "sys")
                self._identities(home, names, module.__name__)
            else:
                self._of_library(home, names, module.__name__)
            if module is builtins and self._everything:  # hasattr(builtins, "added_later")
                self._lengths.append((home, len(home)))
                self._label(home, "builtins")
            return
        if self._everything:  # a name made at run time: only whether it stands for the same
            dynamic = [n for n in home if n not in self._names and not n.startswith("__")]
            self._identities(home, dynamic, module.__name__)
        names = [n for n in home if n in self._names and n != "__builtins__"]
        self._part(getter(names), home, [home[n] for n in names], names, module.__name__)
        absent = frozenset(self._names.difference(home))
        self._absent.append((home, absent))

    def _of_library(self, home: Mapping[str, Any], names: list[str], path: str) -> None:
        """What a module or class of a library holds under names of the user's code."""
        walked = (type, logging.Filterer, logging.Manager)
        parts = [n for n in names if type(home[n]) in WRITTEN or isinstance(home[n], walked)]
        self._part(getter(parts), home, [home[n] for n in parts], parts, path)
        others = [n for n in names if n not in parts]
        plain = [n for n in others if callable(home[n]) or isinstance(home[n], BY_VALUE)]
        self._identities(home, plain, path)

    def _identities(
        self, home: Mapping[str, Any], names: list[str], path: str, passed: Set[str] | None = None
    ) -> None:
        """Compare by value what is plain, and of all else whether it is the same object."""
        passed = self._passed_attributes if passed is None else passed
        for name in [n for n in names if n in passed]:
            self._impure(home[name], f"{path}.{name}")
        for name in [n for n in names if is_replaced(home[n])]:
            self._ask(functools.partial(settled, home, name), f"{path}.{name}")
        names = [n for n in names if not is_replaced(home[n])]
        if not names:
            return
        self._pins += (held := [home[n] for n in names])
        self._parts.append((getter(names), home, tuple(held)))  # type: ignore[arg-type]
        self._part_names.append(names)
        self._label(home, path)
        keys = [plain_key(v) if isinstance(v, BY_VALUE) else id(v) for v in held]
        self._token.append((tuple(names), tuple(keys)))
        for value in held:  # a program's own list.append, say
            owner = getattr(value, "__self__", None)
            if type(value) is types.BuiltinFunctionType and type(owner) in BUILT_IN_CONTAINERS:
                self._token.append(self._visit(owner, path))

    def _torch_tensor(self, value: torch.Tensor, path: str) -> None:
        """A tensor of torch's own, which can get another shape and type in place."""
        self._token.append(id(value))
        self._ask(functools.partial(metadata_of, value), path)
        home = value.__dict__
        names = sorted(n for n in home if n in self._names)
        self._part(getter(names), home, [home[n] for n in names], names, path)
        absent = self._names.difference(home)
        self._absent.append((home, frozenset(absent - {"_agar_var"})))
        self._label(home, path)

    def _array(self, array: np.ndarray, path: str) -> None:
        if array.dtype == object:
            flat = tuple(array.flat)
            parts = tuple([self._visit(v, f"{path}[{i}]") for i, v in enumerate(flat)])
            self._token.append((array.shape, parts))
            flattened = ArrayItems(array)
            self._items.append((flattened, flat))
            self._label(flattened, path)
            return
        self._bytes += array.nbytes
        self._ask(functools.partial(array_state, array), path)

    def _container(self, value: Any, path: str) -> None:
        self.containers[id(value)] = value
        kind = type(value)
        held = items_of(value)
        items = tuple(held)
        if kind is not tuple and not isinstance(value, frozenset):
            self._items.append((held, items))
            self._label(held, path)
        parts = tuple([self._visit(v, f"{path}[{i}]") for i, v in enumerate(items)])
        self._token.append((kind, parts))
        self._beside(value, path)

    def _beside(self, value: Any, path: str) -> None:
        """The attributes that a container has beside its items."""
        kind = type(value)
        if kind in _EXACT_CONTAINERS or kind is dict:
            return
        if kind_of_class(kind) == USER:
            self._attributes(value, path, plain=True)
            return
        home = settings_of(value)
        if home is not None:
            self._homes.append((value, home))
            self._keys.append((home, tuple(home)))
            self._label(home, path)
            names = [n for n in home if self._everything or n in self._names]
            self._part(getter(names), home, [home[n] for n in names], names, path)

    def _mapping(self, value: dict[Any, Any], path: str) -> None:
        self.containers[id(value)] = value
        kind = type(value)
        ordered: Any = kind_of_mapping(value)
        view = ordered.keys(value)
        keys = tuple(view)
        values = tuple(ordered.values(value))
        self._values(value, path)
        self._items.append((view, keys))
        self._label(view, path)
        parts = tuple(
            [
                (self._visit(k, f"{path} key"), self._visit(v, f"{path}[{key_text(k)}]"))
                for k, v in zip(keys, values, strict=True)
            ]
        )
        self._token.append((kind, parts))
        if isinstance(value, collections.defaultdict):
            factory = value.default_factory
            self._part(default_factory_of, value, [factory], ["default_factory"], path)
        self._beside(value, path)

    def _values(self, value: dict[Any, Any], path: str) -> None:
        ordered: Any = kind_of_mapping(value)
        view = ordered.values(value)
        self._items.append((view, tuple(view)))
        self._label(view, path)

    def _generator(self, value: Any, path: str) -> None:
        source = getattr(value, "_bit_generator", None) or getattr(value, "bit_generator", value)
        if not hasattr(source, "state"):
            self._refuse(value, path)
            return
        self._ask(functools.partial(random_state, source), path)

    def _object(self, value: Any, path: str) -> None:
        cls = type(value)
        kind = kind_of_class(cls)
        if isinstance(value, torch.nn.Module) or cls.__module__.startswith("torch.optim"):
            self._attributes(value, path, everything=True)
        elif f"{cls.__module__}.".startswith(OPEN) and not isinstance(value, np.ufunc):
            if cls.__flags__ & HEAP_TYPE:
                self._attributes(value, path, everything=True)
            elif callable(value):
                self._token.append(id(value))
            else:
                self._refuse(value, path)
        elif kind == LIBRARY:
            # agar's and torch's own objects keep books; what they hold of the user's is looked at
            self._token.append(id(value))
            for name, held in getattr(value, "__dict__", {}).items():
                if is_flat(held):
                    continue
                self._token.append((name, self._visit_of_library(held, f"{path}.{name}")))
            self._settings(value, path)
        elif isinstance(value, (logging.Filterer, logging.Manager)):
            self._logging(value, path)
        elif cls is types.SimpleNamespace:
            self._attributes(value, path)
            self._unnamed(value.__dict__, path)
        elif cls in HOLDERS or not hides_state(cls):
            # methods of a library's class read attributes that the program's code does not name
            of_library = any(kind_of_class(c) == LIBRARY for c in cls.__mro__)
            self._attributes(value, path, everything=of_library)
        else:
            self._refuse(value, path)

    def _logging(self, value: Any, path: str) -> None:
        """A logger or handler: its settings, and what the code names of it.

        All that it does is done by functions of the module logging, which are no part of a
        recording; what hangs on it (all loggers of the process, files, locks) is not looked at
        where nothing names it.
        """
        self._token.append(id(value))
        self._typed.append(value)
        home = value.__dict__
        names = [n for n, v in home.items() if n in self._names or isinstance(v, BY_VALUE)]
        self._part(getter(names), home, [home[n] for n in names], names, path)
        self._class_parts(type(value), path)

    def _settings(self, value: Any, path: str) -> None:
        """Plain attributes of a primitive or another small object of agar's public modules."""
        home = getattr(value, "__dict__", None)
        if type(home) is not dict or not PUBLIC.match(type(value).__module__):
            return
        names = [
            n
            for n, v in home.items()
            if isinstance(v, BY_VALUE)
            or type(v) in (list, tuple)
            or (type(v) in (dict, set) and not n.startswith("_"))
        ]
        self._part(getter(names), home, [home[n] for n in names], names, path)

    def _visit_of_library(self, value: Any, path: str) -> Any:
        """Only what may lead to the user's code: functions, cells, containers of those."""
        if type(value) in WEAK_PROXIES or isinstance(value, weakref.ref):
            self._pins.append(value)
            return id(value)
        if callable(value) or is_cell(value) or isinstance(value, (Tensor, list, tuple, dict)):
            if isinstance(value, (list, tuple, dict)) and not isinstance(value, Tensor):
                held = value.values() if isinstance(value, dict) else value
                return tuple(
                    [
                        self._visit(v, path)
                        for v in list(held)
                        if callable(v) or isinstance(v, Tensor)
                    ]
                )
            return self._visit(value, path)
        self._pins.append(value)
        return id(value)

    def _unnamed(self, home: dict[str, Any], path: str) -> None:
        """Attributes that no code names, of an object whose text and equality are made in C."""
        if self._everything:
            return  # they are compared already
        names = [n for n in home if n not in self._names]
        walked = [n for n in names if is_plain(home[n]) or type(home[n]) in WRITTEN]
        self._part(getter(walked), home, [home[n] for n in walked], walked, path)
        self._identities(home, [n for n in names if n not in walked], path)

    def _attributes(
        self, value: Any, path: str, everything: bool = False, plain: bool = False
    ) -> None:
        """The attributes of an object of a Python class."""
        cls = type(value)
        if not plain:
            self.objects[id(value)] = value
            self._token.append(id(value))
        self._typed.append(value)
        everything = everything or self._everything
        home = attributes_of(value)
        if type(home) is dict:
            self._homes.append((value, home))
            self._keys.append((home, tuple(home)))
            self._label(home, path)
            names = [n for n in home if everything or n in self._names]
            self._part(getter(names), home, [home[n] for n in names], names, path)
        elif home is not None:  # a dict of a class of the program's
            self._refuse(value, path)
        self._slots(value, path, everything)
        self._class_parts(cls, path)

    def _slots(self, value: Any, path: str, everything: bool) -> None:
        """What the slots of an object hold that the code names."""
        for base in type(value).__mro__:
            for name in slots_of(base):
                if not (everything or name in self._names):
                    continue
                get = functools.partial(slot_value, base.__dict__[name])
                self._part(get, value, list(get(value)), [name], path)


#: How objects of just these classes are described; most are of one of them.
_OF_KIND: dict[type, Callable[[Reads, Any, str], None]] = {
    **dict.fromkeys((dict, collections.OrderedDict), Reads._mapping),
    **dict.fromkeys((list, tuple, set, frozenset), Reads._container),
    types.FunctionType: Reads._function,
    Parameter: Reads._parameter,
}
