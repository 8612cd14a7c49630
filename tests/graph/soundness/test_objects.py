# ruff: noqa: B007, RUF012, RUF015
"""Programs of objects that change where no attribute, item or global is written."""

from __future__ import annotations

import abc
import argparse
import array
import collections
import ctypes
import dataclasses
import enum
import fractions
import functools
import heapq
import operator
import statistics
import string
import sys
import types
import typing
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops
from graph.soundness.attacks import Net, Plain, Programs, t
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()


def helper(x: Any) -> Any:
    """Helps."""
    return x * 2


class Named:
    """A class with a text."""

    k: float = 2.0

    def scaled(self, x: Any) -> Any:
        """Scale."""
        return x * self.k


def renamed(name: str, make: Any, read: Any, attribute: str, value: Any) -> None:
    """A program whose object gets another attribute that is kept in no dictionary."""

    def run_it(run: Run) -> Iterator[Any]:
        held = make()
        call = run(lambda x: x * read(held))
        before = getattr(held, attribute)
        try:
            for i in range(11):
                if i == 4:
                    setattr(held, attribute, value)
                if i == 8:
                    setattr(held, attribute, before)
                yield attempt(call, t())
        finally:
            setattr(held, attribute, before)

    run_it.__name__ = name
    ROWS.ordinary()(run_it)


renamed("name_of_a_function", lambda: helper, lambda f: len(f.__name__), "__name__", "other_name")
renamed("doc_of_a_function", lambda: helper, lambda f: len(f.__doc__), "__doc__", "longer text")
renamed(
    "qualname_of_a_function", lambda: helper, lambda f: len(f.__qualname__), "__qualname__", "a"
)
renamed("module_of_a_function", lambda: helper, lambda f: len(f.__module__), "__module__", "a")
renamed(
    "annotations_of_a_function",
    lambda: helper,
    lambda f: len(f.__annotations__),
    "__annotations__",
    {"a": int},
)
renamed("name_of_a_class", lambda: Named, lambda c: len(c.__name__), "__name__", "Longest")
renamed(
    "qualname_of_a_class", lambda: Named, lambda c: len(c.__qualname__), "__qualname__", "Ab.Cd"
)
renamed("doc_of_a_class", lambda: Named, lambda c: len(c.__doc__), "__doc__", "longer text than it")
renamed("module_of_a_class", lambda: Named, lambda c: len(c.__module__), "__module__", "a")
renamed(
    "annotations_of_a_class",
    lambda: Named,
    lambda c: len(c.__annotations__),
    "__annotations__",
    {"k": int, "j": int},
)
renamed("doc_of_a_method", lambda: Named.scaled, lambda f: len(f.__doc__), "__doc__", "other")
renamed(
    "name_of_a_type_by_an_object",
    lambda: Named,
    lambda c: len(type(c()).__name__),
    "__name__",
    "LongerName",
)
renamed(
    "text_of_an_object_by_its_class",
    lambda: Named,
    lambda c: len(repr(c()).split(".")[-1].split(" ")[0]),
    "__qualname__",
    "LongerName",
)


@ROWS.replayed()
def annotations_written_in_place(run: Run) -> Iterator[Any]:
    def described(a: int) -> None: ...

    call = run(lambda x: x * len(described.__annotations__))
    for i in range(9):
        if i == 4:
            described.__annotations__["b"] = float
        yield call(t())


@ROWS.ordinary()
def hints_of_a_class(run: Run) -> Iterator[Any]:
    class Hinted:
        a: int

    call = run(lambda x: x * len(typing.get_type_hints(Hinted)))
    for i in range(9):
        if i == 4:
            Hinted.__annotations__["b"] = float
        yield attempt(call, t())


@ROWS.ordinary()
def subclasses_counted(run: Run) -> Iterator[Any]:
    class Base:
        pass

    kept: list[Any] = []
    call = run(lambda x: x * (1 + len(Base.__subclasses__())))
    for i in range(9):
        if i == 4:
            kept.append(type("Derived", (Base,), {}))
        yield call(t())


@ROWS.ordinary()
def subclasses_of_a_dictionary_counted(run: Run) -> Iterator[Any]:
    class Base(dict[Any, Any]):
        pass

    kept: list[Any] = []
    call = run(lambda x: x * (1 + len(Base.__subclasses__())))
    for i in range(9):
        if i == 4:
            kept.append(type("Derived", (Base,), {}))
        yield call(t())


@ROWS.replayed()
def registry_of_subclasses(run: Run) -> Iterator[Any]:
    class Base:
        known: dict[str, Any] = {}

        def __init_subclass__(cls, **named: Any) -> None:
            Base.known[cls.__name__] = cls

    call = run(lambda x: x * (1 + len(Base.known)))
    for i in range(9):
        if i == 4:
            type("Derived", (Base,), {})
        yield call(t())


# -------------------------------------------------------------- attributes of containers of Python


def marked_container(name: str, make: Any) -> None:
    def held(run: Run) -> Iterator[Any]:
        value = make()
        value.factor = 2.0
        call = run(lambda x: x * value.factor)
        for i in range(9):
            if i == 4:
                value.factor = 3.0
            if i == 7:
                value.other = 3.0
            yield attempt(call, t())

    def passed(run: Run) -> Iterator[Any]:
        value = make()
        value.factor = 2.0
        call = run(lambda x, v: x * v.factor)
        for i in range(9):
            if i == 4:
                value.factor = 3.0
            yield attempt(call, t(), value)

    def passed_anew(run: Run) -> Iterator[Any]:
        call = run(lambda x, v: x * v.factor)
        for i in range(9):
            value = make()
            value.factor = 2.0 if i < 4 else 3.0
            yield attempt(call, t(), value)

    def written(run: Run) -> Iterator[Any]:
        def step(x: Any, v: Any) -> Any:
            v.factor = v.factor + 1
            return x * v.factor

        value = make()
        value.factor = 2.0
        call = run(step)
        for i in range(8):
            yield attempt(call, t(), value), value.factor

    def returned(run: Run) -> Iterator[Any]:
        def step(x: Any) -> Any:
            made = make()
            made.factor = 2.0
            return made

        call = run(step)
        for i in range(7):
            made = attempt(call, t())
            yield type(made).__name__, getattr(made, "factor", None)

    for function in (held, passed, passed_anew, written, returned):
        function.__name__ = f"attribute_of_{name}_{function.__name__}"
        ROWS.ordinary()(function)


class Pair(NamedTuple):
    a: Any
    b: Any


class LoosePair(Pair):
    """Has attributes, which a named tuple has not."""


class LooseTuple(tuple[Any, ...]):
    pass


marked_container("an_ordered_dict", lambda: collections.OrderedDict(a=1))
marked_container("a_counter", lambda: collections.Counter("ab"))
marked_container("a_named_tuple", lambda: LoosePair(1, 2))
marked_container("a_tuple", lambda: LooseTuple((1, 2)))
marked_container("a_namespace", lambda: argparse.Namespace(a=1))
marked_container("a_chain_map", lambda: collections.ChainMap({"a": 1}, {"b": 2}))
marked_container("a_user_list", lambda: collections.UserList([1, 2]))


# ------------------------------------------------------------------------------ keys of containers


class Key:
    """All keys are equal."""

    def __init__(self, n: float) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key)

    def __hash__(self) -> int:
        return 3


class Text(str):
    """A text with attributes."""

    n = 1.0


def text(n: float) -> Text:
    made = Text("key")
    made.n = n
    return made


def keyed(name: str, make: Any, read: Any) -> None:
    def held(run: Run) -> Iterator[Any]:
        key = make(2.0)
        table = {key: 1}
        call = run(lambda x: x * read(table))
        for i in range(12):
            if i == 4:
                key.n = 3.0
            if i == 8:
                table.clear()
                table[make(5.0)] = 1
            yield attempt(call, t())

    def passed(run: Run) -> Iterator[Any]:
        call = run(lambda x, d: x * read(d))
        for i in range(12):
            yield attempt(call, t(), {make(float(i // 4)): 1})

    def changed(run: Run) -> Iterator[Any]:
        key = make(2.0)
        call = run(lambda x, d: x * read(d))
        for i in range(9):
            if i == 4:
                key.n = 3.0
            yield attempt(call, t(), {key: 1})

    def in_a_set(run: Run) -> Iterator[Any]:
        key = make(2.0)
        call = run(lambda x, d: x * read(d))
        for i in range(9):
            if i == 4:
                key.n = 3.0
            yield attempt(call, t(), {key})

    for function in (held, passed, changed, in_a_set):
        function.__name__ = f"{name}_{function.__name__}"
        ROWS.ordinary()(function)


keyed("keys_that_are_equal", Key, lambda d: next(iter(d)).n)
keyed("texts_with_attributes", text, lambda d: [k.n for k in d][0])


class Whole(int):
    n = 1.0


@ROWS.replayed()
def numbers_with_attributes_as_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x * k.n)
    number = Whole(3)
    for i in range(9):
        if i == 4:
            number.n = 5.0
        yield call(t(), number)


@ROWS.replayed()
def numbers_with_attributes_made_anew(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x * k.n)
    for i in range(9):
        number = Whole(3)
        number.n = float(i // 4)
        yield call(t(), number)


@ROWS.replayed()
def number_with_its_own_equality(run: Run) -> Iterator[Any]:
    class Same(float):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = float.__hash__

    call = run(lambda x, k: x * float(k))
    for i in range(9):
        yield call(t(), Same(i // 3))


@ROWS.replayed()
def keys_that_are_not_numbers(run: Run) -> Iterator[Any]:
    nan = float("nan")
    table: dict[Any, Any] = {nan: 2.0, 1: 3.0, None: 1.0, (1, "a"): 4.0}
    call = run(lambda x: x * table[nan] + table[True] * table[(1.0, "a")])
    for i in range(9):
        if i == 4:
            table[nan] = 7.0
        if i == 6:
            table[float("nan")] = 8.0
        yield call(t()), len(table)


@ROWS.replayed()
def order_of_a_dictionary(run: Run) -> Iterator[Any]:
    table = {"a": 2.0, "b": 3.0}

    def step(x: Any) -> Any:
        for k in table:
            x = x * table[k] + len(k)
        return x - next(iter(table.values()))

    call = run(step)
    for i in range(9):
        if i == 4:
            table["a"] = table.pop("a")
        yield call(t())


@ROWS.replayed()
def order_of_arguments_by_name(run: Run) -> Iterator[Any]:
    call = run(lambda x, **k: x * float(len(next(iter(k)))) + sum(k.values()))
    for i in range(9):
        named = {"aaa": 1.0, "b": 2.0} if i % 2 else {"b": 2.0, "aaa": 1.0}
        yield call(t(), **named)


# -------------------------------------------------------------------------- classes of all kinds


@ROWS.replayed()
def class_that_says_it_is_a_librarys(run: Run) -> Iterator[Any]:
    class Config:
        pass

    Config.__module__ = "agar.config"
    config = Config()
    config.k = 2.0
    call = run(lambda x: x * config.k)
    for i in range(9):
        if i == 4:
            config.k = 3.0
        yield call(t())


@ROWS.replayed()
def class_that_says_it_is_torchs(run: Run) -> Iterator[Any]:
    class Config:
        k = 2.0

        def read(self) -> float:
            return self.k

    Config.__module__ = "torch.config"
    config = Config()
    call = run(lambda x: x * config.read())
    for i in range(9):
        if i == 4:
            config.k = 3.0
        if i == 6:
            Config.read = lambda self: 9.0
        yield call(t())


@ROWS.replayed()
def class_that_says_it_is_builtin(run: Run) -> Iterator[Any]:
    class Config(dict[Any, Any]):
        pass

    Config.__module__ = "builtins"
    config = Config(a=1.0)
    config.k = 2.0
    call = run(lambda x: x * config.k * config["a"])
    for i in range(9):
        if i == 4:
            config.k = 3.0
        if i == 6:
            config["a"] = 5.0
        yield call(t())


@ROWS.replayed()
def cell_that_says_it_is_a_librarys(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.ks = [2.0]

        def construct(self, x: Any) -> Any:
            return x * self.ks[0]

    Own.__module__ = "agar.nn.own"
    net = Own()
    call = run(net)
    for i in range(9):
        if i == 4:
            net.ks[0] = 3.0
        yield call(t())


@ROWS.replayed()
def function_that_says_it_is_a_librarys(run: Run) -> Iterator[Any]:
    table = [2.0]

    def scaled(x: Any) -> Any:
        return x * table[0]

    scaled.__module__ = "torch.functional"
    call = run(lambda x: scaled(x))
    for i in range(9):
        if i == 4:
            table[0] = 3.0
        yield call(t())


@ROWS.replayed()
def slots_and_a_dictionary(run: Run) -> Iterator[Any]:
    class Mixed:
        __slots__ = ("__dict__", "a")

    class Derived(Mixed):
        __slots__ = ("b",)

    value = Derived()
    value.a, value.b, value.c = 1.0, 2.0, 3.0
    call = run(lambda x: x * value.a + value.b * value.c)
    for i in range(12):
        if i in (4, 6, 8):
            setattr(value, "abc"[(i - 4) // 2], 9.0)
        if i == 10:
            del value.b
        yield attempt(call, t())


@ROWS.replayed()
def slot_replaced_in_the_class(run: Run) -> Iterator[Any]:
    class Slotted:
        __slots__ = ("a",)

    value = Slotted()
    value.a = 2.0
    call = run(lambda x: x * value.a)
    for i in range(9):
        if i == 4:
            Slotted.a = property(lambda self: 7.0)
        yield attempt(call, t())


@ROWS.replayed()
def descriptor_with_a_table(run: Run) -> Iterator[Any]:
    class Stored:
        def __init__(self) -> None:
            self.values: dict[int, float] = {}

        def __get__(self, owner: Any, kind: Any = None) -> float:
            return self.values.get(0, 2.0)

        def __set__(self, owner: Any, value: float) -> None:
            self.values[0] = value

    class Owner:
        k = Stored()

    owner = Owner()
    call = run(lambda x: x * owner.k)
    for i in range(9):
        if i == 4:
            owner.k = 3.0
        if i == 7:
            Owner.__dict__["k"].values.clear()
        yield call(t())


@ROWS.replayed()
def attribute_shadows_a_method_past_setattr(run: Run) -> Iterator[Any]:
    class Shadowed(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.spare = 1

        def factor(self) -> float:
            return 2.0

        def construct(self, x: Any) -> Any:
            return x * self.factor()

    net = Shadowed()
    call = run(net)
    for i in range(10):
        if i == 4:
            del net.__dict__["spare"]
            net.__dict__["factor"] = lambda: 7.0
        if i == 7:
            del net.__dict__["factor"]
            net.__dict__["spare"] = 1
        yield call(t())


@ROWS.replayed()
def attribute_that_hasattr_asks_past_setattr(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * (s.extra if hasattr(s, "extra") else 2.0), spare=1)
    call = run(net)
    for i in range(10):
        if i == 4:
            del net.__dict__["spare"]
            net.__dict__["extra"] = 7.0
        if i == 7:
            del net.__dict__["extra"]
            net.__dict__["spare"] = 1
        yield call(t())


@ROWS.ordinary()
def getattr_of_the_class_changes(run: Run) -> Iterator[Any]:
    class Open:
        def __getattr__(self, name: str) -> Any:
            return {"a": 2.0, "b": 3.0}[name]

    value = Open()
    call = run(lambda x: x * value.a * value.b)
    for i in range(12):
        if i == 4:
            value.a = 5.0
        if i == 6:
            Open.b = 9.0
        if i == 8:
            Open.__getattribute__ = lambda self, name: 1.5
        yield attempt(call, t())
        if i == 10:
            del Open.__getattribute__


@ROWS.replayed()
def metaclass_call_replaced(run: Run) -> Iterator[Any]:
    class Meta(type):
        k = 2.0

        def __call__(cls, *args: Any) -> Any:
            return super().__call__(*args)

        def __len__(cls) -> int:
            return 3

    class Made(metaclass=Meta):
        def __init__(self, n: float) -> None:
            self.n = n

    call = run(lambda x: x * Made(2.0).n * Made.k * len(Made))
    for i in range(12):
        if i == 4:
            Meta.__call__ = lambda cls, n: types.SimpleNamespace(n=9.0)
        if i == 7:
            Meta.k = 5.0
        if i == 9:
            Meta.__len__ = lambda cls: 8
        yield attempt(call, t())


@ROWS.replayed()
def instance_check_replaced(run: Run) -> Iterator[Any]:
    class Meta(type):
        def __instancecheck__(cls, value: Any) -> bool:
            return True

    class Kind(metaclass=Meta):
        pass

    call = run(lambda x: x * (2.0 if isinstance(x, Kind) else 3.0))
    for i in range(9):
        if i == 4:
            Meta.__instancecheck__ = lambda cls, value: False
        yield attempt(call, t())


@ROWS.ordinary()
def class_made_in_the_call(run: Run) -> Iterator[Any]:
    scale = [2.0]

    def step(x: Any) -> Any:
        @dataclasses.dataclass
        class Here:
            a: Any
            b: float = scale[0]

        return x * Here(1).b

    call = run(step)
    for i in range(9):
        if i == 4:
            scale[0] = 3.0
        yield attempt(call, t())


@ROWS.replayed()
def enum_extended(run: Run) -> Iterator[Any]:
    class Mode(enum.Enum):
        A = 1
        B = 2

    call = run(lambda x: x * (len(Mode.__members__) + Mode["A"].value + Mode(2).value))
    for i in range(10):
        if i == 4:
            Mode._member_map_["C"] = Mode.A
        if i == 7:
            Mode._value2member_map_[2] = Mode.A
        yield attempt(call, t())
    Mode._member_map_.pop("C", None)


@ROWS.replayed()
def abstract_class_registers(run: Run) -> Iterator[Any]:
    class Base(abc.ABC):  # noqa: B024
        pass

    class Mine:
        pass

    value = Mine()
    call = run(lambda x: x * (2.0 if isinstance(value, Base) else 3.0))
    for i in range(9):
        if i == 4:
            Base.register(Mine)
        yield call(t())


@ROWS.replayed()
def protocol_at_run_time(run: Run) -> Iterator[Any]:
    @typing.runtime_checkable
    class Sized(typing.Protocol):
        def size_of(self) -> int: ...

    value = Plain(a=1)
    call = run(lambda x: x * (2.0 if isinstance(value, Sized) else 3.0))
    for i in range(12):
        if i == 4:
            value.size_of = lambda: 3
        if i == 8:
            del value.size_of
        yield call(t())


# ------------------------------------------------------------------------ the standard library's


@ROWS.replayed()
def arguments_of_the_process(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * len(sys.argv))
    before = list(sys.argv)
    try:
        for i in range(9):
            if i == 4:
                sys.argv.append("--more")
            yield call(t()) / len(before)
    finally:
        sys.argv[:] = before


@ROWS.ordinary()
def loaded_modules_asked(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * (2.0 if "soundness_absent" in sys.modules else 3.0))
    try:
        for i in range(9):
            if i == 4:
                sys.modules["soundness_absent"] = types.ModuleType("soundness_absent")
            yield call(t())
    finally:
        sys.modules.pop("soundness_absent", None)


@ROWS.replayed()
def path_of_modules(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * (2.0 if "/nowhere" in sys.path else 3.0))
    try:
        for i in range(9):
            if i == 4:
                sys.path.append("/nowhere")
            yield call(t())
    finally:
        sys.path.remove("/nowhere")


@ROWS.replayed()
def module_exchanged_in_the_register(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        import soundness_given

        return x * soundness_given.k

    sys.modules["soundness_given"] = types.SimpleNamespace(k=2.0)  # type: ignore[assignment]
    call = run(step)
    try:
        for i in range(12):
            if i == 4:
                sys.modules["soundness_given"].k = 3.0  # type: ignore[attr-defined]
            if i == 8:
                sys.modules["soundness_given"] = types.SimpleNamespace(k=5.0)  # type: ignore[assignment]
            yield call(t())
    finally:
        sys.modules.pop("soundness_given", None)


@ROWS.replayed()
def module_of_the_library_exchanged(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        import math

        return x * math.pi

    import math as before

    call = run(step)
    try:
        for i in range(9):
            if i == 4:
                sys.modules["math"] = types.SimpleNamespace(pi=5.0)  # type: ignore[assignment]
            if i == 7:
                sys.modules["math"] = before
            yield call(t())
    finally:
        sys.modules["math"] = before


@ROWS.ordinary()
def names_imported_from_a_module(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        from soundness_given import k

        return x * k

    module = sys.modules["soundness_given"] = types.ModuleType("soundness_given")
    module.k = 2.0  # type: ignore[attr-defined]
    call = run(step)
    try:
        for i in range(9):
            if i == 4:
                module.k = 3.0  # type: ignore[attr-defined]
            if i == 7:
                module.__getattr__ = lambda name: 9.0  # type: ignore[method-assign]
                del module.k
            yield attempt(call, t())
    finally:
        sys.modules.pop("soundness_given", None)


@ROWS.ordinary()
def heap_pushed(run: Run) -> Iterator[Any]:
    heap = [3.0, 5.0]

    def step(x: Any) -> Any:
        heapq.heappush(heap, len(heap) * 1.5)
        return x * heap[0] + heapq.nsmallest(2, heap)[1]

    call = run(step)
    for i in range(7):
        yield call(t()), list(heap)


@ROWS.replayed()
def array_of_the_standard_library(run: Run) -> Iterator[Any]:
    values = array.array("d", [1.0, 2.0])
    view = memoryview(values)
    call = run(lambda x: x * values[0] + view[1])
    for i in range(11):
        if i == 4:
            values[0] = 5.0
        if i == 7:
            view[1] = 9.0
        yield attempt(call, t())


@ROWS.ordinary()
def number_of_ctypes(run: Run) -> Iterator[Any]:
    number = ctypes.c_double(2.0)
    call = run(lambda x: x * number.value)
    for i in range(9):
        if i == 4:
            number.value = 3.0
        yield call(t())


@ROWS.ordinary()
def structure_of_ctypes(run: Run) -> Iterator[Any]:
    class Point(ctypes.Structure):
        _fields_ = [("a", ctypes.c_float)]

    point = Point(2.0)
    call = run(lambda x: x * point.a)
    for i in range(9):
        if i == 4:
            point.a = 3.0
        yield call(t())


@ROWS.ordinary()
def template_and_formatter(run: Run) -> Iterator[Any]:
    template = string.Template("a$b")

    class Own(string.Formatter):
        extra = 1

        def get_value(self, key: Any, args: Any, kwargs: Any) -> Any:
            return "x" * self.extra

    own = Own()

    def step(x: Any) -> Any:
        return x * len(template.substitute(b="cd")) + len(own.format("{k}"))

    call = run(step)
    for i in range(10):
        if i == 4:
            template.template = "long$b"
        if i == 7:
            own.extra = 5
        yield attempt(call, t())


@ROWS.replayed()
def fractions_and_distributions(run: Run) -> Iterator[Any]:
    held = Plain(f=fractions.Fraction(1, 2), d=statistics.NormalDist(1.0, 2.0))
    call = run(lambda x: x * float(held.f) + held.d.mean)
    for i in range(10):
        if i == 4:
            held.f += 1
        if i == 7:
            held.d = held.d * 2
        yield attempt(call, t())


@ROWS.replayed()
def partial_changed_by_its_state(run: Run) -> Iterator[Any]:
    scaled = functools.partial(lambda k, x: x * k, 2.0)
    call = run(lambda x: scaled(x))
    for i in range(9):
        if i == 4:
            scaled.__setstate__((lambda k, x: x + k, (5.0,), {}, {}))
        yield call(t())


@ROWS.replayed()
def bound_method_of_a_changing_object(run: Run) -> Iterator[Any]:
    owner = Named()
    scaled = owner.scaled
    call = run(lambda x: scaled(x))
    for i in range(12):
        if i == 4:
            owner.k = 3.0
        if i == 7:
            Named.scaled, before = (lambda self, x: x), Named.scaled
        if i == 9:
            Named.scaled = before
        yield call(t())


@ROWS.replayed()
def reducer_over_objects(run: Run) -> Iterator[Any]:
    class Money:
        def __init__(self, n: float) -> None:
            self.n = n

        def __add__(self, other: Any) -> Any:
            return Money(self.n + other.n)

        def __lt__(self, other: Any) -> bool:
            return self.n < other.n

    held = [Money(1.0), Money(2.0)]

    def step(x: Any) -> Any:
        return x * functools.reduce(operator.add, held).n + max(held).n + sorted(held)[0].n

    call = run(step)
    for i in range(11):
        if i == 4:
            held[0].n = 7.0
        if i == 7:
            held.append(Money(0.5))
        yield call(t())


@ROWS.replayed()
def keyed_by_a_bound_builtin(run: Run) -> Iterator[Any]:
    weights = {"a": 2.0, "b": 1.0}
    call = run(
        lambda x: (
            x * len(sorted("ab", key=weights.get)[0]) * weights[min("ab", key=weights.__getitem__)]
        )
    )
    for i in range(9):
        if i == 4:
            weights["a"] = 0.5
        yield call(t())


@ROWS.replayed()
def lazily_filled_table(run: Run) -> Iterator[Any]:
    class Table(dict[Any, Any]):
        def __missing__(self, key: Any) -> Any:
            self[key] = len(self) + 1.0
            return self[key]

    table = Table()
    call = run(lambda x, k: x * table[k])
    for i in range(12):
        yield call(t(), "abc"[i % 3]), dict(table)


@ROWS.replayed()
def tensor_subclass_of_the_user(run: Run) -> Iterator[Any]:
    class Own(Tensor):
        factor = 2.0

    call = run(lambda x: (x * getattr(x, "factor", 1.0), type(x).__name__))
    for i in range(12):
        x = Own([1.0, 2.0]) if i % 2 else t(1, 2)
        if i >= 6 and i % 2:
            x.factor = 3.0
        yield attempt(call, x)


@ROWS.ordinary()
def tensor_subclass_returned(run: Run) -> Iterator[Any]:
    class Own(Tensor):
        pass

    def step(x: Any) -> Any:
        return Own(x * 2), Own([1.0])

    call = run(step)
    for i in range(8):
        made = attempt(call, t(i, 1))
        yield made, [type(v).__name__ for v in made]


@ROWS.replayed()
def operators_of_an_object_with_tensors(run: Run) -> Iterator[Any]:
    class Wrapped:
        def __init__(self, v: Any) -> None:
            self.v = v

        def __radd__(self, other: Any) -> Any:
            return self.v * 10 + other

        def __rmul__(self, other: Any) -> Any:
            return self.v + other

    held = Wrapped(t(1, 1, 1))
    call = run(lambda x: x + held if x.shape == (3,) else x)
    for i in range(9):
        if i == 4:
            held.v = t(2, 2, 2)
        yield attempt(call, t())


@ROWS.replayed()
def torch_module_inside(run: Run) -> Iterator[Any]:
    torch.manual_seed(3)
    layer = torch.nn.Linear(3, 2)
    call = run(lambda x: ms.from_torch(layer(x.to_torch()).detach()))
    for i in range(12):
        if i == 4:
            with torch.no_grad():
                layer.weight.mul_(2.0)
        if i == 7:
            layer.bias = None
        if i == 9:
            layer.register_forward_hook(lambda m, a, out: out * 0.5)
        yield attempt(call, t())


@ROWS.replayed()
def torch_dropout_inside(run: Run) -> Iterator[Any]:
    torch.manual_seed(3)
    layer = torch.nn.Dropout(0.5)
    call = run(lambda x: ms.from_torch(layer(x.to_torch()).detach()))
    for i in range(12):
        if i == 4:
            layer.eval()
        if i == 8:
            layer.train()
            layer.p = 0.1
        yield attempt(call, ops.ones(8, ms.float32))


@ROWS.replayed()
def array_of_records(run: Run) -> Iterator[Any]:
    rows = np.zeros(2, dtype=[("a", "f4"), ("b", "i4")])
    row = rows[0]
    call = run(lambda x: x * float(row["a"] + 1) + float(rows["b"].sum()))
    for i in range(11):
        if i == 4:
            rows["a"][0] = 5.0
        if i == 7:
            rows.dtype.names = ("b", "a")
        yield attempt(call, t())


@ROWS.replayed()
def lazy_parameters(run: Run) -> Iterator[Any]:
    with ms.nn.no_init_parameters():
        net = nn.Dense(4, 2)
    call = run(net)
    for i in range(8):
        if i == 3:
            net.weight.set_data(ops.ones((2, 4), ms.float32))
        yield attempt(call, ops.ones((2, 4), ms.float32)), net.weight


@ROWS.ordinary()
def lazy_parameters_that_are_never_used(run: Run) -> Iterator[Any]:
    with nn.no_init_parameters():
        net = Net(lambda s, x: s.a(x), a=nn.Dense(4, 2), b=nn.Dense(4, 3))
    call = run(net)
    for i in range(8):
        yield attempt(call, ops.ones((2, 4), ms.float32)), net.b.weight.has_init
    yield net.b(ops.ones((2, 4), ms.float32))


@ROWS.replayed()
def lazy_parameters_used_in_the_other_order(run: Run) -> Iterator[Any]:
    with nn.no_init_parameters():
        net = Net(lambda s, x: s.a(s.b(x)), a=nn.Dense(3, 2), b=nn.Dense(4, 3))
    call = run(net)
    for i in range(8):
        yield attempt(call, ops.ones((2, 4), ms.float32)), net.a.weight, net.b.weight


def in_turns(name: str, make: Any, read: Any) -> None:
    """A program whose calls are given two objects of one kind in turns."""

    def run_it(run: Run) -> Iterator[Any]:
        one, two = make(2.0), make(3.0)
        call = run(lambda x, v: x * read(v))
        for i in range(16):
            if i == 12:
                two.n = 9.0
            yield attempt(call, t(), (one, two)[i // 3 % 2])

    run_it.__name__ = f"in_turns_{name}"
    ROWS.ordinary()(run_it)


class LooseList(list[Any]):
    n = 1.0


class LooseDict(dict[Any, Any]):
    n = 1.0


class LooseFunction:
    n = 1.0

    def __call__(self) -> float:
        return self.n


def with_n(made: Any, n: float) -> Any:
    made.n = n
    return made


in_turns("lists", lambda n: with_n(LooseList([1.0]), n), lambda v: v.n + v[0])
in_turns("dictionaries", lambda n: with_n(LooseDict(a=1.0), n), lambda v: v.n + v["a"])
in_turns("tuples", lambda n: with_n(LooseTuple([1.0]), n), lambda v: v.n + v[0])
in_turns("named_tuples", lambda n: with_n(LoosePair(1.0, 2.0), n), lambda v: v.n + v.a)
in_turns("ordered_dicts", lambda n: with_n(collections.OrderedDict(a=1), n), lambda v: v.n)
in_turns("objects", lambda n: Plain(n=n), lambda v: v.n)
in_turns("functions", lambda n: with_n(LooseFunction(), n), lambda v: v())
in_turns("cells", lambda n: Net(lambda s, x: x, n=n), lambda v: v.n)
in_turns("deques", lambda n: with_n(type("D", (collections.deque,), {})([1]), n), lambda v: v.n)
in_turns("sets", lambda n: with_n(type("S", (set,), {})([1]), n), lambda v: v.n)
in_turns(
    "arrays", lambda n: with_n(np.ones(2).view(type("A", (np.ndarray,), {})), n), lambda v: v.n
)


class Touchy:
    """A key that may not be looked at."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class Counting(list[Any]):
    """Counts how often it is looked at."""

    looks = 0

    def __iter__(self) -> Any:
        Counting.looks += 1
        return super().__iter__()

    def __len__(self) -> int:
        Counting.looks += 100
        return super().__len__()


@ROWS.replayed()
def keys_that_have_no_text(run: Run) -> Iterator[Any]:
    key = Touchy()
    table = {key: 2.0}
    call = run(lambda x: x * table[key])
    for i in range(9):
        if i == 4:
            table[key] = 3.0
        yield call(t())


@ROWS.replayed()
def keys_that_have_no_text_as_arguments(run: Run) -> Iterator[Any]:
    key = Touchy()
    call = run(lambda x, d: x * d[key])
    for i in range(9):
        yield call(t(), {key: 2.0 + i // 4})


@ROWS.replayed()
def list_that_counts_looks(run: Run) -> Iterator[Any]:
    Counting.looks = 0
    held = Counting([1.0, 2.0])
    call = run(lambda x: x * held[0])
    for i in range(9):
        if i == 4:
            held[0] = 3.0
        yield call(t()), Counting.looks


@ROWS.replayed()
def list_that_counts_looks_as_an_argument(run: Run) -> Iterator[Any]:
    Counting.looks = 0
    held = Counting([1.0, 2.0])
    call = run(lambda x, v: x * v[0])
    for i in range(9):
        if i == 4:
            held[0] = 3.0
        yield call(t(), held), Counting.looks


@ROWS.replayed()
def list_that_lies_about_its_items(run: Run) -> Iterator[Any]:
    class Lying(list[Any]):
        def __iter__(self) -> Any:
            return iter([7.0])

        def __len__(self) -> int:
            return 1

    held = Lying([1.0, 2.0])
    call = run(lambda x: x * held[1] + sum(held))
    for i in range(9):
        if i == 4:
            held[1] = 3.0
        yield call(t())


@ROWS.replayed()
def dictionary_that_lies_about_its_items(run: Run) -> Iterator[Any]:
    class Lying(dict[Any, Any]):
        def keys(self) -> Any:
            return ["a"]

        def __iter__(self) -> Any:
            return iter(["a"])

        def __len__(self) -> int:
            return 1

    held = Lying(a=1.0, b=2.0)
    call = run(lambda x: x * held["b"] + len(held))
    for i in range(9):
        if i == 4:
            held["b"] = 3.0
        yield call(t())


@ROWS.ordinary()
def attributes_that_count_looks(run: Run) -> Iterator[Any]:
    class Watched:
        looks = 0

        def __init__(self) -> None:
            self.a = 2.0

        def __getattribute__(self, name: str) -> Any:
            Watched.looks += 1
            return object.__getattribute__(self, name)

    held = Watched()
    call = run(lambda x: x * held.a)
    for i in range(9):
        if i == 4:
            held.a = 3.0
        yield call(t()), Watched.looks


@ROWS.ordinary()
def attributes_that_count_looks_as_an_argument(run: Run) -> Iterator[Any]:
    class Watched:
        looks = 0

        def __getattribute__(self, name: str) -> Any:
            Watched.looks += 1
            return 2.0

    held = Watched()
    call = run(lambda x, v: x * v.a)
    for i in range(9):
        yield call(t(), held), Watched.looks


@ROWS.replayed()
def missing_attributes_that_are_counted(run: Run) -> Iterator[Any]:
    class Watched:
        def __init__(self) -> None:
            self.asked: list[str] = []

        def __getattr__(self, name: str) -> Any:
            self.asked.append(name)
            raise AttributeError(name)

    held = Watched()
    net = Net(lambda s, x: x * 2, held=held)
    call = run(net)
    for i in range(9):
        yield call(t()), len(held.asked)


@ROWS.replayed()
def missing_attributes_of_an_argument_that_are_counted(run: Run) -> Iterator[Any]:
    class Watched:
        def __init__(self) -> None:
            self.asked: list[str] = []

        def __getattr__(self, name: str) -> Any:
            self.asked.append(name)
            raise AttributeError(name)

    held = Watched()
    call = run(lambda x, v: (x * 2, v))
    for i in range(9):
        yield call(t(), held)[0], len(held.asked)


@ROWS.replayed()
def comparison_of_an_object_that_raises(run: Run) -> Iterator[Any]:
    class Prickly:
        n = 2.0

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("not comparable")

        __hash__ = None  # type: ignore[assignment]

        def __bool__(self) -> bool:
            raise RuntimeError("neither true nor false")

    held = [Prickly(), {"a": Prickly()}]
    call = run(lambda x, v: x * held[0].n + v.n)
    for i in range(9):
        if i == 4:
            held[0].n = 3.0
        yield call(t(), held[1]["a"])


@ROWS.ordinary()
def dictionary_of_results_keyed_by_objects(run: Run) -> Iterator[Any]:
    kept: list[Any] = []

    def step(x: Any) -> Any:
        return {Key(1.0): x * 2, "a": x}

    call = run(step)
    for i in range(8):
        made = call(t(i, 1))
        key = next(iter(made))
        yield list(made.values()), any(k is key for k in kept), key.n
        key.n = 9.0
        kept.append(key)


@ROWS.ordinary()
def named_tuple_of_results_with_attributes(run: Run) -> Iterator[Any]:
    call = run(lambda x: with_n(LoosePair(x * 2, 3), 4.0))
    for i in range(8):
        made = call(t(i, 1))
        yield list(made), made.n
        made.n = 7.0


@ROWS.ordinary()
def constant_results_with_attributes(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x, with_n(LoosePair(2, 3), 4.0)))
    for i in range(8):
        made = call(t(i, 1))[1]
        yield list(made), made.n
        made.n = 7.0


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_objects(program: Any, quiet: bool) -> None:
    check(program, quiet)
