"""What a recorded run returned: taken apart, compared, and built anew at each replay.

NOTE What is made anew. A replay builds the lists, dicts, arrays and objects that the run has made,
and returns what it has not made as it is: arguments, parameters, objects that the Python reaches
otherwise. The count of its references tells whether the result alone leads to an object: then
nobody can tell it from an equal one. An object is built past the constructors of its class, from
all that it holds (`guard.flatten.can_be_taken_apart`); what its constructors did besides is seen,
and refused, as effects of any other Python are.
"""

from __future__ import annotations

import enum
import gc
import keyword
import operator
import sys
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from agar._core.distributed.sharding import in_parts, is_split, local
from agar._core.dtype import Type
from agar._core.graph.cache.writes import Write, put
from agar._core.graph.guard.flatten import FlatArguments, can_be_taken_apart, empty_object, maker_of
from agar._core.graph.guard.getters import (
    WEAK_PROXIES,
    computes_attributes,
    is_plain,
    items_of,
    kind_of_mapping,
    pairs_of,
    settings_of,
    slot_value,
    slots_in,
    slots_of,
)
from agar._core.graph.ir.graph import Ref, same_value
from agar._core.graph.record.monitor import USER, kind_of_class
from agar._core.graph.record.recorder import Recorder
from agar._core.jit import _List, _Tuple
from agar._core.parameter import Parameter
from agar._core.tensor import Structure, Tensor, wrap

__all__ = ["Outcome", "paths_of", "read_outcome", "taken_apart"]

_MOST = 4096  # containers and objects of a result
_DEEPEST = 40  # of them, each inside of another: code for it is nested as deep
_IMMUTABLE = frozenset({bool, int, float, str, bytes, complex, type(Ellipsis), torch.dtype})
_SYMBOLS = (torch.SymInt, torch.SymFloat, torch.SymBool)
_BARE = frozenset({list, tuple, dict})
_MAPPINGS = frozenset({dict, OrderedDict})
#: Containers of :func:`agar.mutable`, which are made from what they hold.
_MARKED = frozenset({_List, _Tuple})
#: Objects that every run shares.
_SHARED = (type, types.ModuleType, types.BuiltinFunctionType, enum.Enum, np.generic, np.dtype, Type)


class Outcome:
    """What a recorded run returned: variables, and how the result is built from them.

    `form` is the structure with ``("tensor", Ref)``, ``("wrapper", (Ref, n))`` (another Tensor over
    the same memory), ``("parts", (Ref, spec))`` (a tensor in parts on several processes),
    ``("argument", i)``, ``("passed", path)`` (an object among the arguments), ``("object", x)`` and
    ``("constant", x)`` at its leaves. What the run has made is ``(kind, parts)`` for containers,
    ``("array", x)``, and ``("new", (kind, attributes, slots, items))`` for objects;
    ``("shared", (n, form))`` is what stands at other places, too, as ``("same", n)``.
    """

    __slots__ = ("form", "fresh", "kinds", "objects", "variables", "writes")

    def __init__(self, form: Any, variables: list[int]) -> None:
        self.form = form
        self.variables = variables
        self.objects: list[Any] = []  # that must be known from outside, being returned as they are
        self.fresh: list[Any] = []  # that must not be; for as long as that is not judged
        self.kinds: set[type] = set()  # the program's classes of what is made
        #: What is set in arguments: ``(path, how, key, form)``, see `cache.writes`.
        self.writes: list[tuple[Any, ...]] = []

    def same(self, other: Outcome) -> bool:
        """Whether another run returned the same."""
        return same_value((self.form, self.writes), (other.form, other.writes))

    def code(self, names: dict[str, Any], places: dict[int, int]) -> tuple[str, str]:
        """Statements and an expression over ``x0, x1, ...`` and ``t0, ...`` (the arguments).

        Args:
            names: gets the constants of the result.
            places: which ``x`` holds each variable.
        """
        writer = _Writer(names, places, bool(self.writes))
        result = writer.expression(self.form)
        lines = [writer.write(*write) for write in self.writes]
        return "; ".join([*writer.statements, *lines]), result

    def build(self, env: dict[int, Any], flat: FlatArguments) -> Any:
        """The result from the values of the variables."""
        builder = _Builder(env, flat)
        result = builder.make(self.form)
        writes = [
            (put(how), builder._passed(path), key, builder.make(form))
            for path, how, key, form in self.writes
        ]
        for set_it, holder, key, value in writes:
            set_it(holder, key, value)
        return result


# ------------------------------------------------------------------------------ built by code


class _Writer:
    """Writes the code that builds a result."""

    def __init__(
        self, names: dict[str, Any], places: dict[int, int], changes: bool = False
    ) -> None:
        self.names = names
        self.places = places
        self.changes = changes  # whether arguments are changed, which then lead elsewhere
        self.statements: list[str] = []
        self._variables: dict[Any, str] = {}  # of tensors: one in two places is one object
        self._shared: dict[int, str] = {}

    def _constant(self, value: Any) -> str:
        name = f"q{len(self.names)}"
        self.names[name] = value
        return name

    def _fresh(self) -> str:
        return f"w{len(self.statements)}"

    def expression(self, form: Any, number: int | None = None) -> str:
        """An expression for a form, which is number `number` of those that stand elsewhere, too."""
        kind, value = form
        write = _WRITERS.get(kind) if type(kind) is str else None
        if write is not None:
            return write(self, value)
        if kind == "shared":
            return self._first_of(*value)
        if kind == "new":
            return self._object(value, number)
        if number is not None and (kind is list or kind in _MAPPINGS):
            name = self._named(number, self._container(kind, []))
            self._fill(name, kind, kind, value)
            return name
        return self._container(kind, value)

    def _first_of(self, number: int, form: Any) -> str:
        result = self.expression(form, number)
        return result if number in self._shared else self._named(number, result)

    def _named(self, number: int | None, expression: str) -> str:
        """Give the value of an expression a name, under which it can be met again."""
        name = self._fresh()
        self.statements.append(f"{name} = {expression}")
        if number is not None:
            self._shared[number] = name
        return name

    def _tensor(self, ref: Ref, key: Any = None) -> str:
        key = ref.i if key is None else key
        name = self._variables.get(key)
        if name is None:
            name = self._variables[key] = self._fresh()
            place = self.places[ref.i]
            self.statements.append(f"{name} = new(Tensor); {name}._value = x{place}")
        return name

    def _wrapper(self, value: tuple[Ref, int]) -> str:
        return self._tensor(value[0], (value[0].i, value[1]))

    def _in_parts(self, value: tuple[Ref, Any]) -> str:
        ref, spec = value
        name = self._fresh()
        result = f"{self._constant(in_parts)}(x{self.places[ref.i]}, {self._constant(spec)})"
        self.statements.append(f"{name} = new(Tensor); {name}._value = {result}")
        return name

    def _passed(self, value: tuple[Any, ...]) -> str:
        path = "args" if value[0] == 0 else "kwargs"
        for get, key in value[1:]:
            path = f"{self._constant(get)}({path}, {self._constant(key)})"
        return self._named(None, path) if self.changes else path

    def write(self, path: Any, how: str, key: Any, form: Any) -> str:
        """A statement that sets an item or attribute of an argument, after all others."""
        holder = self._passed(path)
        value = self._named(None, self.expression(form))
        if how == "attribute":
            return f"{holder}.__dict__[{self._constant(key)}] = {value}"
        return f"{self._constant(put(how))}({holder}, {self._constant(key)}, {value})"

    def _value(self, value: Any) -> str:
        written = value is None or type(value) in (int, bool)
        return repr(value) if written else self._constant(value)

    def _items(self, value: Any) -> str:
        return "".join([f"{self.expression(v)}, " for v in value])

    def _pairs(self, value: Any) -> str:
        return ", ".join([f"{self._constant(k)}: {self.expression(v)}" for k, v in value])

    def _container(self, kind: Any, value: Any) -> str:
        if kind is dict:
            return f"{{{self._pairs(value)}}}"
        if kind is OrderedDict:
            pairs = ", ".join([f"({self._constant(k)}, {self.expression(v)})" for k, v in value])
            return f"{self._constant(kind)}([{pairs}])"
        if kind is list:
            return f"[{self._items(value)}]"
        if kind is tuple:
            return f"({self._items(value)})"
        if issubclass(kind, Structure):
            return f"{self._constant(kind)}({self._items(value)})"
        if hasattr(kind, "_fields"):
            return self._of_tuple(kind, value)
        return f"{self._constant(kind)}([{self._items(value)}])"

    def _of_tuple(self, kind: type, value: Any) -> str:
        """A named tuple, past what its class does when it is called."""
        return f"{self._constant(tuple.__new__)}({self._constant(kind)}, ({self._items(value)}))"

    def _fill(self, name: str, base: Any, kind: type, value: Any) -> None:
        """Add items past the methods of a class of the program's."""
        if not value:
            return
        if issubclass(base, list):
            given = f"({self._items(value)})"
            self.statements.append(f"{self._constant(list.extend)}({name}, {given})")
        elif issubclass(base, OrderedDict):
            put = self._constant(OrderedDict.__setitem__)
            for k, v in value:
                given = self.expression(v)
                self.statements.append(f"{put}({name}, {self._constant(k)}, {given})")
        else:
            given = f"{{{self._pairs(value)}}}"
            self.statements.append(f"{self._constant(dict.update)}({name}, {given})")

    def _object(self, value: Any, number: int | None) -> str:
        kind, home, slots, inner = value
        if issubclass(kind, tuple):
            name = self._named(number, self._of_tuple(kind, inner))
        else:
            maker = maker_of(kind)
            new = "new" if maker is object.__new__ else self._constant(maker)
            name = self._named(number, f"{new}({self._constant(kind)})")
        self._attributes(name, kind, home or [], slots)
        if inner is not None and not issubclass(kind, tuple):
            self._fill(name, kind, kind, inner)
        return name

    def _attributes(self, name: str, kind: type, home: Any, slots: Any) -> None:
        if all(_sets_plainly(kind, n, None) for n, _ in home):
            for n, v in home:
                given = self.expression(v)
                self.statements.append(f"{name}.{n} = {given}")
        else:
            given = self._pairs(home)
            self.statements.append(f"{name}.__dict__.update({{{given}}})")
        for descriptor, v in slots:
            given = self.expression(v)
            if _sets_plainly(kind, descriptor.__name__, descriptor):
                self.statements.append(f"{name}.{descriptor.__name__} = {given}")
            else:
                self.statements.append(f"{self._constant(descriptor)}.__set__({name}, {given})")


_WRITERS: dict[str, Callable[[_Writer, Any], str]] = {
    "tensor": _Writer._tensor,
    "wrapper": _Writer._wrapper,
    "parts": _Writer._in_parts,
    "argument": lambda writer, value: f"t{value}",
    "passed": _Writer._passed,
    "array": lambda writer, value: f"{writer._constant(value)}.copy('K')",
    "object": _Writer._constant,
    "constant": _Writer._value,
    "same": lambda writer, value: writer._shared[value],
}


def _sets_plainly(kind: type, name: str, descriptor: Any) -> bool:
    """Whether ``object.name = value`` does nothing but set a slot, or an attribute in the dict."""
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__"):
        return False
    homes = [vars(base) for base in kind.__mro__]
    sets = next(home["__setattr__"] for home in homes if "__setattr__" in home)
    if sets is not object.__dict__["__setattr__"]:
        return False
    held = next((home[name] for home in homes if name in home), None)
    if descriptor is not None:
        return held is descriptor
    return not hasattr(type(held), "__set__") and not hasattr(type(held), "__delete__")


# -------------------------------------------------------------------------- built without code


class _Builder:
    """Builds a result, as the code of a `_Writer` does."""

    def __init__(self, env: dict[int, Any], flat: FlatArguments) -> None:
        self.env = env
        self.flat = flat
        self._wrappers: dict[Any, Tensor] = {}
        self._shared: dict[int, Any] = {}

    def make(self, form: Any, number: int | None = None) -> Any:
        """What a form stands for."""
        kind, value = form
        build = _BUILDERS.get(kind) if type(kind) is str else None
        if build is not None:
            return build(self, value)
        if kind == "shared":
            place, form = value
            result = self._shared[place] = self.make(form, place)
            return result
        if kind == "new":
            return self._object(value, number)
        if kind is list or kind in _MAPPINGS:
            result = kind()
            if number is not None:
                self._shared[number] = result
            self._fill(result, value)
            return result
        items = [self.make(v) for v in value]
        of: Any = kind
        if issubclass(of, Structure):
            return of(*items)
        return tuple.__new__(of, items) if hasattr(of, "_fields") else of(items)

    def _tensor(self, ref: Ref, key: Any = None) -> Tensor:
        key = ref.i if key is None else key
        if key not in self._wrappers:
            self._wrappers[key] = wrap(self.env[ref.i])
        return self._wrappers[key]

    def _wrapper(self, value: tuple[Ref, int]) -> Tensor:
        return self._tensor(value[0], (value[0].i, value[1]))

    def _passed(self, value: tuple[Any, ...]) -> Any:
        result: Any = self.flat.call[value[0]]
        for get, key in value[1:]:
            result = get(result, key)
        return result

    def _fill(self, result: Any, value: Any) -> None:
        if isinstance(result, list):
            list.extend(result, [self.make(v) for v in value])
            return
        put: Any = kind_of_mapping(result).__setitem__
        for k, v in value:
            put(result, k, self.make(v))

    def _object(self, value: Any, number: int | None) -> Any:
        kind, home, slots, inner = value
        of_tuple = issubclass(kind, tuple)
        if of_tuple:
            result: Any = tuple.__new__(kind, [self.make(v) for v in inner])
        else:
            result = empty_object(kind)
        if number is not None:
            self._shared[number] = result
        if home:
            result.__dict__.update({n: self.make(v) for n, v in home})
        for descriptor, v in slots:
            descriptor.__set__(result, self.make(v))
        if inner is not None and not of_tuple:
            self._fill(result, inner)
        return result


_BUILDERS: dict[str, Callable[[_Builder, Any], Any]] = {
    "tensor": _Builder._tensor,
    "wrapper": _Builder._wrapper,
    "parts": lambda builder, value: wrap(in_parts(builder.env[value[0].i], value[1])),
    "argument": lambda builder, value: builder.flat.tensors[value],
    "passed": _Builder._passed,
    "array": lambda builder, value: value.copy("K"),
    "object": lambda builder, value: value,
    "constant": lambda builder, value: value,
    "same": lambda builder, value: builder._shared[value],
}


# ------------------------------------------------------------------------- what a result holds


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


def taken_apart(form: Any) -> Any:
    """A form with each tuple of constants by its items, which may be sizes in another run."""
    kind, value = form
    if kind == "constant" and isinstance(value, tuple):
        return tuple if type(value) is torch.Size else type(value), [
            taken_apart(("constant", v)) for v in value
        ]
    if kind == "shared":
        return kind, (value[0], taken_apart(value[1]))
    if kind == "new":
        of, home, slots, inner = value
        home = None if home is None else [(n, taken_apart(v)) for n, v in home]
        slots = [(d, taken_apart(v)) for d, v in slots]
        if inner is not None:
            inner = _parts_apart(of, inner)
        return kind, (of, home, slots, inner)
    return form if type(kind) is str else (kind, _parts_apart(kind, value))


def _parts_apart(kind: Any, parts: Any) -> Any:
    if issubclass(kind, dict):
        return [(k, taken_apart(v)) for k, v in parts]
    return [taken_apart(v) for v in parts]


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
