"""What a recorded run returned: taken apart, compared, and built anew at each replay.

NOTE What is made anew. A replay builds the lists, dicts, arrays and objects that the run has made,
and returns what it has not made as it is: arguments, parameters, objects that the Python reaches
otherwise. The count of its references tells whether the result alone leads to an object: then
nobody can tell it from an equal one. An object is built past the constructors of its class, from
all that it holds (`guard.flatten.can_be_taken_apart`); what its constructors did besides is seen,
and refused, as effects of any other Python are.
"""

from __future__ import annotations

import keyword
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch

from agar._core.distributed.sharding import in_parts
from agar._core.graph.cache.writes import put
from agar._core.graph.guard.flatten import FlatArguments, empty_object, maker_of
from agar._core.graph.guard.getters import kind_of_mapping
from agar._core.graph.ir.graph import Ref, same_value
from agar._core.tensor import Structure, Tensor, wrap

__all__ = ["Outcome", "taken_apart"]

_MAPPINGS = frozenset({dict, OrderedDict})


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
