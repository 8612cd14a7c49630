# ruff: noqa: B007, E501, RUF012
"""Programs that look for ways around the guards: state that no code names, aliases, other threads."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import contextvars
import copy
import ctypes
import dataclasses
import enum
import functools
import importlib
import io
import math
import operator
import os
import pickle
import string
import sys
import tempfile
import threading
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.harness import Run, attempt, check, program

ROWS: list[Any] = []


def t(*values: float) -> Tensor:
    return Tensor(list(values or (1, -2, 3)), ms.float32)


def replayed(fault: str = "") -> Any:
    return program(ROWS, fault)


def ordinary(fault: str = "") -> Any:
    return program(ROWS, fault, python=True)


def change(name: str, make: Any, read: Any, mutate: Any, python: bool = False) -> None:
    """A program whose state, which a function encloses, changes after four calls and after seven."""

    def run_it(run: Run) -> Iterator[Any]:
        held = make()
        call = run(lambda x: x * read(held))
        for i in range(10):
            if i in (4, 7):
                mutate(held)
            yield attempt(call, t(1, 2, 3))

    run_it.__name__ = name
    program(ROWS, "", python)(run_it)


class Net(nn.Cell):
    """A cell of a function and attributes."""

    def __init__(self, step: Any = None, **values: Any) -> None:
        super().__init__()
        self.step = step
        for name, value in values.items():
            setattr(self, name, value)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return self.step(self, *args, **kwargs)


# --------------------------------------------------------------- attributes that no code names


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 0


@dataclasses.dataclass(slots=True)
class Slotted:
    x: Any
    y: Any = 0.0


class Plain:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def _matched(p: Any) -> float:
    match p:
        case Point(1.0, y):
            return float(y)
        case Point(first, _):
            return float(first) * 10
    return 0.0


def _matched_keyword(p: Any) -> float:
    match p:
        case Plain(hidden=1.0):
            return 2.0
    return 3.0


def _matched_slots(p: Any) -> float:
    match p:
        case Slotted(2.0):
            return 2.0
        case Slotted(a, b):
            return a + b
    return 3.0


def _matched_mapping(d: Any) -> float:
    match d:
        case {"kind": "a", "inner": [first, *rest]}:
            return float(first + len(rest))
        case {"kind": "b", **others}:
            return float(len(others))
    return -1.0


def _plus(name: str, value: Any = 1.0) -> Any:
    return lambda held: setattr(held, name, getattr(held, name) + value)


change("match_positional", lambda: Point(1.0, 2.0), _matched, lambda p: setattr(p, "y", p.y + 1))
change("match_positional_first", lambda: Point(1.0, 2.0), _matched, _plus("x"))
change("match_keyword", lambda: Plain(hidden=1.0), _matched_keyword, _plus("hidden"))
change("match_slots", lambda: Slotted(2.0), _matched_slots, _plus("x"))
change(
    "match_mapping",
    lambda: {"kind": "a", "inner": [1.0]},
    _matched_mapping,
    lambda d: d["inner"].append(1.0) if len(d["inner"]) < 2 else d.update(kind="b"),
)
_FORM = "{0.hidden}"
change(
    "attribute_in_a_format",
    lambda: Plain(hidden=1.0),
    lambda p: float(_FORM.format(p)),
    _plus("hidden"),
)
change(
    "attribute_in_a_format_map",
    lambda: {"p": Plain(hidden=1.0)},
    lambda d: float("{p.hidden}".format_map(d)),
    lambda d: setattr(d["p"], "hidden", d["p"].hidden + 1),
)
change(
    "attribute_in_a_format_of_type_str",
    lambda: Plain(hidden=1.0),
    lambda p: float(str.format(_FORM, p)),
    _plus("hidden"),
)
change(
    "attribute_in_a_formatter",
    lambda: Plain(hidden=1.0),
    lambda p: float(string.Formatter().format(_FORM, p)),
    _plus("hidden"),
    python=True,
)
_take = operator.attrgetter
change(
    "attrgetter_by_another_name",
    lambda: Plain(hidden=1.0),
    lambda p: _take("hid" + "den")(p),
    _plus("hidden"),
)
_call_of = operator.methodcaller
_get = getattr
change(
    "getattr_by_another_name",
    lambda: Plain(hidden=1.0),
    lambda p: _get(p, "hid" + "den"),
    _plus("hidden"),
)
_table: dict[str, Any] = {"get": getattr, "vars": vars, "has": hasattr}
change(
    "getattr_in_a_table",
    lambda: Plain(hidden=1.0),
    lambda p: _table["get"](p, "hidden"),
    _plus("hidden"),
)
change(
    "vars_in_a_table",
    lambda: Plain(hidden=1.0),
    lambda p: _table["vars"](p)["hidden"],
    _plus("hidden"),
)
_raw_get = object.__getattribute__
change(
    "getattribute_by_another_name",
    lambda: Plain(hidden=1.0),
    lambda p: _raw_get(p, "hidden"),
    _plus("hidden"),
)
change(
    "map_of_getattr",
    lambda: Plain(hidden=1.0),
    lambda p: next(map(_get, [p], ["hidden"])),
    _plus("hidden"),
)
change(
    "reduce_of_getattr",
    lambda: Plain(inner=Plain(hidden=1.0)),
    lambda p: functools.reduce(_get, ["inner", "hidden"], p),
    lambda p: _plus("hidden")(p.inner),
)
change(
    "partial_of_getattr",
    lambda: [Plain(hidden=1.0)],
    lambda v: functools.partial(_get, v[0])("hidden"),
    lambda v: _plus("hidden")(v[0]),
)
_partial_get = functools.partial(getattr, Plain(hidden=1.0))
change(
    "sorted_by_a_getter",
    lambda: [Plain(hidden=1.0, v=1.0), Plain(hidden=2.0, v=5.0)],
    lambda v: sorted(v, key=_take("hidden"))[0].v,
    lambda v: setattr(v[0], "hidden", 5 - v[0].hidden),
)
change(
    "method_wrapper",
    lambda: (lambda v: (v, v.__len__))([1.0]),
    lambda v: v[1]() * 1.0,
    lambda v: v[0].append(1.0),
)
change(
    "method_wrapper_alone",
    lambda: types.SimpleNamespace(size=[1.0].__len__, change=None),
    lambda v: v.size() * 1.0,
    lambda v: v.size.__self__.append(1.0),
)
change(
    "methodcaller_with_a_list",
    lambda: (lambda v: (v, operator.methodcaller("__add__", v)))([1.0]),
    lambda v: float(len(v[1]([2.0]))),
    lambda v: v[0].append(1.0),
)
change(
    "itemgetter_of_slices",
    lambda: (lambda v: (v, operator.itemgetter(slice(0, 2))))([1.0, 2.0]),
    lambda v: float(sum(v[1](v[0]))),
    lambda v: v[0].insert(0, 7.0),
)
change(
    "structured_scalar",
    lambda: np.array([(1.0, 2.0)], dtype=[("a", "f8"), ("b", "f8")])[0],
    lambda v: float(v["a"]),
    lambda v: v.__setitem__("a", v["a"] + 1),
)
change(
    "masked_array",
    lambda: np.ma.array([1.0, 2.0, 3.0], mask=[0, 0, 1]),
    lambda v: float(v.sum()),
    lambda v: v.mask.__setitem__(0, True) if not v.mask[0] else v.mask.__setitem__(1, True),
)


class Marked(np.ndarray):
    factor = 1.0


def _marked() -> Any:
    made = np.ones(3).view(Marked)
    made.factor = 2.0
    return made


change("array_with_attributes", _marked, lambda v: float(v.sum()) * v.factor, _plus("factor"))
change(
    "polynomial",
    lambda: np.poly1d([1.0, 2.0]),
    lambda v: float(v(3.0)),
    lambda v: v.__setitem__(0, v[0] + 1),
)
change(
    "polynomial_object",
    lambda: np.polynomial.Polynomial([1.0, 2.0]),
    lambda v: float(v(3.0)),
    lambda v: v.coef.__setitem__(0, v.coef[0] + 1),
)
change(
    "flat_iterator",
    lambda: np.arange(20.0).flat,
    lambda v: float(next(v)) + 1,
    lambda v: None,
    python=True,
)
change(
    "numpy_iterator",
    lambda: np.nditer(np.arange(20.0)),
    lambda v: float(v.value) + 1,
    lambda v: v.iternext(),
    python=True,
)
change(
    "numpy_enumerate",
    lambda: np.ndenumerate(np.arange(20.0)),
    lambda v: float(next(v)[1]) + 1,
    lambda v: None,
    python=True,
)
change(
    "names_of_a_dtype",
    lambda: np.dtype([("a", "f8"), ("b", "f8")]),
    lambda v: float(len(v.names[0])),
    lambda v: setattr(v, "names", (v.names[0] + "a", "b")),
    python=True,
)
change(
    "vectorized_function",
    lambda: np.vectorize(lambda a: a + 1.0),
    lambda v: float(v(np.ones(1)).sum()),
    lambda v: setattr(v, "pyfunc", lambda a: a + 7.0),
    python=True,
)
change(
    "array_written_through_a_view",
    lambda: (lambda v: (v[::2], v))(np.arange(6.0)),
    lambda v: float(v[0].sum()),
    lambda v: v[1].__iadd__(1),
)
change(
    "array_shape_in_place",
    lambda: np.arange(6.0),
    lambda v: float(v.shape[0]),
    lambda v: setattr(v, "shape", (2, 3) if v.ndim == 1 else (3, 2)),
)
change(
    "array_of_a_buffer",
    lambda: (lambda b: (b, np.frombuffer(b, np.uint8)))(bytearray(b"abc")),
    lambda v: float(v[1].sum()),
    lambda v: v[0].__setitem__(0, v[0][0] + 1),
)
change(
    "memory_view",
    lambda: (lambda b: (b, memoryview(b)[1:]))(bytearray(b"abc")),
    lambda v: float(v[1][0]),
    lambda v: v[0].__setitem__(1, v[0][1] + 1),
)
change(
    "c_number",
    lambda: ctypes.c_double(1.0),
    lambda v: v.value,
    lambda v: setattr(v, "value", v.value + 1),
    python=True,
)
change(
    "c_array",
    lambda: (ctypes.c_int * 3)(1, 2, 3),
    lambda v: float(sum(v)),
    lambda v: v.__setitem__(0, v[0] + 1),
    python=True,
)
change(
    "chain_map",
    lambda: collections.ChainMap({}, {"a": 1.0}),
    lambda v: v["a"],
    lambda v: v.__setitem__("a", v["a"] + 1),
    python=True,
)
change(
    "user_dict",
    lambda: collections.UserDict(a=1.0),
    lambda v: v["a"],
    lambda v: v.__setitem__("a", v["a"] + 1),
    python=True,
)
change(
    "user_list",
    lambda: collections.UserList([1.0]),
    lambda v: float(len(v)),
    lambda v: v.append(1),
    python=True,
)
change(
    "mapping_proxy",
    lambda: (lambda d: (d, types.MappingProxyType(d)))({"a": 1.0}),
    lambda v: v[1]["a"],
    lambda v: v[0].update(a=v[0]["a"] + 1),
)
change(
    "view_of_a_dictionary",
    lambda: (lambda d: (d, d.values()))({"a": 1.0}),
    lambda v: sum(v[1]),
    lambda v: v[0].update(a=v[0]["a"] + 1),
    python=True,
)
change(
    "order_of_a_set",
    lambda: {0, 8},
    lambda v: list(v)[0] + 1.0,
    lambda v: (v.clear(), v.add(8), v.add(0)),
)
change(
    "order_of_a_dictionary",
    lambda: {"a": 1.0, "b": 2.0},
    lambda v: next(iter(v.values())),
    lambda v: v.update(a=v.pop("a")) if next(iter(v)) == "a" else v.update(b=v.pop("b")),
)
change(
    "equal_keys",
    lambda: {1: 2.0},
    lambda v: 2.0 if type(next(iter(v))) is int else 3.0,
    lambda v: (v.clear(), v.update({True: 2.0})),
)


class Agrees:
    """Is equal to everything."""

    def __init__(self, n: float) -> None:
        self.n = n

    def __eq__(self, other: Any) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


change(
    "equal_to_everything",
    lambda: [Agrees(1.0)],
    lambda v: v[0].n,
    lambda v: v.__setitem__(0, Agrees(v[0].n + 1)),
)
change(
    "key_equal_to_everything",
    lambda: {Agrees(1.0): 0},
    lambda v: next(iter(v)).n,
    lambda v: (lambda k: (v.clear(), v.__setitem__(Agrees(k.n + 1), 0)))(next(iter(v))),
)


class Cached:
    def __init__(self) -> None:
        self.base = 1.0
        self.computed = 0

    @functools.cached_property
    def factor(self) -> float:
        return self.base * 2


def _uncache(v: Any) -> None:
    v.base += 1
    v.__dict__.pop("factor", None)


change("cached_property_dropped", Cached, lambda v: v.factor, _uncache, python=True)
change("cached_property_stale", Cached, lambda v: v.factor, _plus("base"), python=True)


class Counting:
    @functools.cached_property
    def factor(self) -> float:
        Counting.made += 1
        return float(Counting.made)

    made = 0


@ordinary()
def cached_property_with_an_effect(run: Run) -> Iterator[Any]:
    Counting.made = 0
    held = [Counting()]
    call = run(lambda x: x * held[0].factor)
    for i in range(9):
        if i % 3 == 0:
            held[0] = Counting()
        yield call(t()), Counting.made


@replayed()
def cached_property_of_a_cell(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.base = 2.0

        @functools.cached_property
        def factor(self) -> float:
            return self.base * 2

        def construct(self, x: Any) -> Any:
            return x * self.factor

    net = Own()
    assert net.factor == 4.0
    call = run(net)
    for i in range(9):
        if i == 4:
            net.base = 5.0
        if i == 6:
            net.__dict__.pop("factor")
            assert net.factor == 10.0
        yield call(t())


class Level(enum.Enum):
    LOW = [1.0]
    HIGH = [2.0]


class Bits(enum.Flag):
    A = 1
    B = 2


@replayed()
def value_of_an_enum_member(run: Run) -> Iterator[Any]:
    Level.LOW.value[:] = [1.0]
    call = run(lambda x: x * Level.LOW.value[0])
    for i in range(9):
        if i == 4:
            Level.LOW.value[0] = 3.0
        if i == 6:
            Level.LOW._value_ = [7.0]
        yield call(t())
    Level.LOW._value_ = [1.0]


@replayed()
def enum_member_as_argument(run: Run) -> Iterator[Any]:
    Level.HIGH.value[:] = [1.0]
    call = run(lambda x, level: x * level.value[0])
    for i in range(9):
        if i == 4:
            Level.HIGH.value[0] = 3.0
        yield call(t(), Level.HIGH)


@replayed()
def flags_as_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, f: x * (2 if Bits.A in f else 3) * (5 if Bits.B in f else 7))
    for i in range(12):
        yield call(t(), (Bits.A, Bits.B, Bits.A | Bits.B)[i // 4])


# ------------------------------------------------------------- classes and modules of libraries


@replayed()
def attribute_of_a_library_class(run: Run) -> Iterator[Any]:
    nn.Cell.soundness_factor = 2.0  # type: ignore[attr-defined]
    net = Net(lambda s, x: x * s.soundness_factor)
    call = run(net)
    try:
        for i in range(9):
            if i == 4:
                nn.Cell.soundness_factor = 5.0  # type: ignore[attr-defined]
            yield call(t())
    finally:
        del nn.Cell.soundness_factor  # type: ignore[attr-defined]


@replayed()
def attribute_new_in_a_library_class(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * getattr(s, "soundness_factor", 3.0))
    call = run(net)
    try:
        for i in range(9):
            if i == 4:
                nn.Cell.soundness_factor = 5.0  # type: ignore[attr-defined]
            yield call(t())
    finally:
        del nn.Cell.soundness_factor  # type: ignore[attr-defined]


@replayed()
def name_of_a_library_class_that_is_mutable(run: Run) -> Iterator[Any]:
    nn.Dense.soundness_table = {"a": 1.0}  # type: ignore[attr-defined]
    call = run(lambda x: x * nn.Dense.soundness_table["a"])  # type: ignore[attr-defined]
    try:
        for i in range(9):
            if i == 4:
                nn.Dense.soundness_table["a"] = 5.0  # type: ignore[attr-defined]
            yield call(t())
    finally:
        del nn.Dense.soundness_table  # type: ignore[attr-defined]


@replayed()
def constant_of_the_standard_library(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * math.pi)
    before = math.pi
    try:
        for i in range(9):
            if i == 4:
                math.pi = 3.0  # type: ignore[misc]
            yield call(t())
    finally:
        math.pi = before  # type: ignore[misc]


@replayed()
def constant_of_numpy(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * np.pi)
    before = np.pi
    try:
        for i in range(9):
            if i == 4:
                np.pi = 3.0  # type: ignore[misc]
            yield call(t())
    finally:
        np.pi = before  # type: ignore[misc]


@replayed()
def table_in_a_module_of_the_standard_library(run: Run) -> Iterator[Any]:
    string.soundness = [1.0]  # type: ignore[attr-defined]
    call = run(lambda x: x * string.soundness[0])  # type: ignore[attr-defined]
    try:
        for i in range(9):
            if i == 4:
                string.soundness[0] = 3.0  # type: ignore[attr-defined]
            yield call(t())
    finally:
        del string.soundness  # type: ignore[attr-defined]


@ordinary()
def function_of_the_standard_library_replaced(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * math.sqrt(4.0))
    before = math.sqrt
    try:
        for i in range(9):
            if i == 4:
                math.sqrt = lambda v: v * 2  # type: ignore[assignment]
            yield call(t())
    finally:
        math.sqrt = before


@replayed()
def builtin_replaced(run: Run) -> Iterator[Any]:
    import builtins

    call = run(lambda x: x * max(1.0, 2.0))
    before = builtins.max
    try:
        for i in range(9):
            if i == 4:
                builtins.max = lambda *v: 7.0  # type: ignore[assignment]
            yield call(t())
    finally:
        builtins.max = before


@replayed()
def module_reloaded(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "soundness_reloaded.py"
        path.write_text("K = 2.0\ndef factor(): return K\nclass C:\n    k = 3.0\n")
        sys.path.insert(0, folder)
        try:
            module = importlib.import_module("soundness_reloaded")
            call = run(lambda x: x * module.factor() * module.C.k)
            for i in range(9):
                if i == 4:
                    path.write_text(
                        "K = 20.5\ndef factor(): return K + 1\nclass C:\n    k = 4.25\n"
                    )
                    importlib.invalidate_caches()
                    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
                    for f in Path(folder).rglob("*.pyc"):
                        f.unlink()
                    importlib.reload(module)
                    sys.dont_write_bytecode = before
                yield call(t())
        finally:
            sys.path.remove(folder)
            sys.modules.pop("soundness_reloaded", None)


# ---------------------------------------------------------------------- what Python runs inside


@ordinary()
def exception_that_the_caller_handles(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * (2.0 if sys.exc_info()[0] is ValueError else 3.0))
    for i in range(9):
        try:
            raise (ValueError if i // 4 == 1 else KeyError)("a")
        except (ValueError, KeyError):
            yield call(t())
    yield call(t())


@ordinary()
def frames_of_the_caller(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        frame: Any = sys._getframe()
        while frame is not None and "soundness_local" not in frame.f_locals:
            frame = frame.f_back
        return x * (1.0 if frame is None else frame.f_locals["soundness_local"])

    call = run(step)
    for i in range(6):
        soundness_local = float(i)
        yield call(t()), soundness_local


class Stateful:
    """Operators that count."""

    def __init__(self) -> None:
        self.n = 0

    def __rmul__(self, other: Any) -> Any:
        self.n += 1
        return other * float(self.n)

    def __matmul__(self, other: Any) -> Any:
        self.n += 10
        return other * float(self.n)

    def __neg__(self) -> Any:
        self.n += 100
        return self

    def __iter__(self) -> Any:
        self.n += 1000
        return iter([float(self.n)])

    def __contains__(self, other: Any) -> bool:
        self.n += 1
        return self.n % 2 == 0

    def __getitem__(self, other: Any) -> float:
        self.n += 1
        return float(self.n)

    def __hash__(self) -> int:
        self.n += 1
        return 3

    def __call__(self, x: Any) -> Any:
        self.n += 1
        return x * self.n

    def __del__(self) -> None:
        pass


def _operators(name: str, step: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        held = Stateful()
        call = run(lambda x: step(x, held))
        for _ in range(6):
            yield call(t()), held.n

    run_it.__name__ = f"operator_{name}"
    ordinary()(run_it)


_operators("matmul", lambda x, h: h @ x)
_operators("negative", lambda x, h: x * float((-h).n))
_operators("iteration", lambda x, h: x * sum(h))
_operators("unpacking", lambda x, h: (lambda a: x * a)(*h))
_operators("contains", lambda x, h: x * 2 if 3 in h else x)
_operators("item", lambda x, h: x * h["a"])
_operators("hash", lambda x, h: x * len({h: 1}))
_operators("call", lambda x, h: h(x))


@ordinary()
def reentrant_call(run: Run) -> Iterator[Any]:
    box: list[Any] = []

    def step(x: Any, depth: int) -> Any:
        return x * 2 if depth == 0 else box[0](x, depth - 1) + depth

    box.append(run(step))
    for i in range(12):
        yield box[0](t(), i // 3)


@replayed()
def two_functions_that_call_each_other(run: Run) -> Iterator[Any]:
    box: dict[str, Any] = {"k": 1.0}
    box["a"] = run(lambda x, n: x if n == 0 else box["b"](x * box["k"], n - 1))
    box["b"] = run(lambda x, n: x if n == 0 else box["a"](x + 1, n - 1))
    for i in range(12):
        box["k"] = 1.0 + (i > 6)
        yield box["a"](t(), 3), box["b"](t(), 2)


@ordinary()
def call_inside_of_a_finalizer(run: Run) -> Iterator[Any]:
    seen: list[Any] = []
    inner = run(lambda x: x + 1)

    class Last:
        def __del__(self) -> None:
            seen.append(inner(t()).asnumpy().tolist())

    def step(x: Any) -> Any:
        held = Last()
        y = x * 2
        del held
        return y

    call = run(step)
    for _ in range(6):
        yield call(t()), list(seen)


@ordinary()
def nested_closures_rebind(run: Run) -> Iterator[Any]:
    def outer() -> Any:
        n = 1.0

        def middle() -> Any:
            def inner(x: Any) -> Any:
                nonlocal n
                n += 1
                return x * n

            return inner

        return middle(), lambda: n

    step, tell = outer()
    call = run(step)
    for _ in range(6):
        yield call(t()), tell()


@replayed()
def nested_closures_rebound_from_outside(run: Run) -> Iterator[Any]:
    n = [2.0]
    k = 1.0

    def outer() -> Any:
        def inner(x: Any) -> Any:
            return x * k * (lambda: n[0])()

        return inner

    call = run(outer())
    for i in range(9):
        if i == 3:
            k = 4.0
        if i == 6:
            n = [5.0]
        yield call(t())


@ordinary()
def generator_argument_consumed(run: Run) -> Iterator[Any]:
    call = run(lambda x, g: x * next(g, 0.0))
    g = (float(i) for i in range(3, 9))
    for _ in range(8):
        yield call(t(), g)


@ordinary()
def generator_sent_to(run: Run) -> Iterator[Any]:
    def averages() -> Iterator[float]:
        total, n = 0.0, 0
        while True:
            total += yield total / max(n, 1)
            n += 1

    g = averages()
    next(g)
    call = run(lambda x, v: x * g.send(v))
    for i in range(8):
        yield call(t(), float(i))


@ordinary()
def effects_before_an_error_half_way(run: Run) -> Iterator[Any]:
    net = Net(None, count=0, w=Parameter(t(1, 1, 1), name="w"))

    def step(s: Any, x: Any) -> Any:
        ops.assign_add(s.w, x)
        s.count += 1
        y = x * s.count
        if s.count % 3 == 0:
            raise ValueError(f"at {s.count}")
        s.w.set_data(s.w + 1)
        return y

    net.step = step
    call = run(net)
    for _ in range(9):
        yield attempt(call, t()), net.count, net.w


@ordinary()
def error_by_shape_after_a_write(run: Run) -> Iterator[Any]:
    w = Parameter(t(1, 1, 1), name="w")

    def step(x: Any, y: Any) -> Any:
        ops.assign_add(w, x)
        return ops.concat((x, y)) @ w

    call = run(step)
    for i in range(9):
        yield attempt(call, t(), t(1, 2))[:2], w
        yield attempt(call, t(), Tensor([], ms.float32)), w


@ordinary()
def asynchronous_calls(run: Run) -> Iterator[Any]:
    scale = contextvars.ContextVar("scale", default=1.0)
    call = run(lambda x: x * scale.get())

    async def one(i: int) -> Any:
        scale.set(float(i))
        out = []
        for _ in range(4):
            await asyncio.sleep(0)
            out.append(call(t()))
        return out

    async def everything() -> Any:
        return await asyncio.gather(*[one(i) for i in range(3)])

    for _ in range(3):
        yield asyncio.run(everything())


@ordinary()
def coroutine_of_the_call(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    async def step(x: Any) -> Any:
        log.append(1)
        await asyncio.sleep(0)
        return x * len(log)

    call = run(lambda x: asyncio.run(step(x)))
    for _ in range(5):
        yield call(t()), len(log)


@ordinary()
def trace_function_of_the_user(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * 2 + 1)
    for i in range(8):
        calls: list[str] = []

        def trace(frame: Any, event: str, argument: Any) -> Any:
            if frame.f_code.co_name == "<lambda>":
                calls.append(event)
            return None

        before = sys.gettrace()
        if i >= 4:
            sys.settrace(trace)
        try:
            y = call(t())
        finally:
            sys.settrace(before)
        yield y  # what a trace function sees is the Python that runs, which a replay does not


@ordinary()
def profile_function_of_the_user(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * 2 + 1)
    for i in range(8):
        calls: list[str] = []

        def profile(frame: Any, event: str, argument: Any) -> None:
            if frame.f_code.co_name == "<lambda>":
                calls.append(event)

        if i >= 4:
            sys.setprofile(profile)
        try:
            y = call(t())
        finally:
            sys.setprofile(None)
        yield y


@ordinary()
def thread_local_values(run: Run) -> Iterator[Any]:
    local = threading.local()
    local.k = 1.0
    call = run(lambda x: x * getattr(local, "k", 9.0))
    for i in range(8):
        local.k = float(i // 3)
        out: list[Any] = []
        other = threading.Thread(target=lambda: out.append(call(t())))
        other.start()
        other.join()
        yield call(t()), out


@ordinary()
def thread_started_by_the_call(run: Run) -> Iterator[Any]:
    log: list[int] = []

    def step(x: Any) -> Any:
        worker = threading.Thread(target=lambda: log.append(1))
        worker.start()
        worker.join()
        return x * len(log)

    call = run(step)
    for _ in range(6):
        yield call(t()), len(log)


@ordinary()
def forked_process(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k + s.w, k=1.0, w=Parameter(t(), name="w"))
    call = run(net)
    for i in range(6):
        net.k = float(i // 3)
        here = call(t())
        read, write = os.pipe()
        child = os.fork()
        if child == 0:  # pragma: no cover - another process
            try:
                net.w.set_data(net.w + 1)
                text = repr([call(t()).asnumpy().tolist() for _ in range(4)])
                os.write(write, text.encode())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as source:
            text = source.read()
        os.waitpid(child, 0)
        yield here, text, net.w


# ----------------------------------------------------------------------------- copies of cells


@replayed()
def deep_copied_after_compiling(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) * s.k[0], inner=nn.Dense(3, 2, weight_init="ones"), k=[1.0])
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    for _ in range(4):
        yield call(x)
    other = copy.deepcopy(net)
    again = run(other)
    other.k[0] = 3.0
    other.inner.weight.set_data(other.inner.weight * 2)
    for _ in range(4):
        yield call(x), again(x)
    net.k[0] = 7.0
    for _ in range(4):
        yield call(x), again(x)


@replayed()
def shallow_copied_after_compiling(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k[0] * s.n, k=[1.0], n=2.0)
    call = run(net)
    for _ in range(4):
        yield call(t())
    again = run(copy.copy(net))
    for i in range(8):
        if i == 3:
            net.k[0] = 3.0
        if i == 5:
            net.n = 5.0
        yield call(t()), again(t())


@replayed()
def pickled_after_compiling(run: Run) -> Iterator[Any]:
    net = nn.SequentialCell(nn.Dense(3, 2, weight_init="ones"), nn.ReLU())
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    for _ in range(4):
        yield call(x)
    other = pickle.loads(pickle.dumps(net))
    again = run(other)
    other[0].weight.set_data(other[0].weight * 2)
    for _ in range(4):
        yield call(x), again(x)


# ----------------------------------------------------------------------------- cells that change


class First(nn.Cell):
    k = 2.0

    def construct(self, x: Any) -> Any:
        return x * self.k


class Second(First):
    def construct(self, x: Any) -> Any:
        return x + self.k


@replayed()
def class_of_a_cell_assigned(run: Run) -> Iterator[Any]:
    net = First()
    call = run(net)
    for i in range(9):
        if i == 4:
            net.__class__ = Second
        yield call(t())


@replayed()
def class_of_a_child_assigned(run: Run) -> Iterator[Any]:
    child = First()
    net = Net(lambda s, x: s.child(x) * 3, child=child)
    call = run(net)
    for i in range(9):
        if i == 4:
            child.__class__ = Second
        yield call(t())


@replayed()
def class_of_a_held_cell_assigned_past_setattr(run: Run) -> Iterator[Any]:
    child = First()
    call = run(lambda x: child(x) * 3)
    for i in range(9):
        if i == 4:
            object.__setattr__(child, "__class__", Second)
        yield call(t())


@replayed()
def attribute_exchanged_past_setattr(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * getattr(s, "late", 1.0), early=1.0)
    call = run(net)
    for i in range(9):
        if i == 4:
            del net.__dict__["early"]
            net.__dict__["late"] = 3.0
        yield call(t())


@replayed()
def attribute_of_a_child_exchanged_past_setattr(run: Run) -> Iterator[Any]:
    child = First()
    child.early = 1.0
    net = Net(lambda s, x: s.child(x) * 3, child=child)
    call = run(net)
    for i in range(9):
        if i == 4:
            del child.__dict__["early"]
            child.__dict__["k"] = 30.0
        yield call(t())


@replayed()
def attribute_of_a_function_exchanged(run: Run) -> Iterator[Any]:
    def helper(x: Any) -> Any:
        return x * getattr(helper, "late", 1.0)

    helper.early = 1.0  # type: ignore[attr-defined]
    call = run(lambda x: helper(x))
    for i in range(9):
        if i == 4:
            del helper.early  # type: ignore[attr-defined]
            helper.late = 3.0  # type: ignore[attr-defined]
        yield call(t())


@replayed()
def attribute_of_a_tensor_exchanged(run: Run) -> Iterator[Any]:
    held = t(1, 1, 1)
    held.early = 1.0
    call = run(lambda x: x * held * getattr(held, "late", 1.0))
    for i in range(9):
        if i == 4:
            del held.early
            held.late = 3.0
        yield call(t())


@replayed()
def children_swapped(run: Run) -> Iterator[Any]:
    a, b = nn.ReLU(), nn.Tanh()
    net = nn.SequentialCell(a, b)
    call = run(net)
    for i in range(12):
        if i == 4:
            net[0] = nn.Sigmoid()
        if i == 8:
            net.append(nn.ReLU())
        yield call(t())


@replayed()
def cell_list_changed(run: Run) -> Iterator[Any]:
    def step(s: Any, x: Any) -> Any:
        for layer in s.layers:
            x = layer(x)
        return x

    net = Net(step, layers=nn.CellList([nn.ReLU(), nn.Tanh()]))
    call = run(net)
    for i in range(12):
        if i == 3:
            net.layers.append(nn.Sigmoid())
        if i == 6:
            del net.layers[0]
        if i == 9:
            net.layers.insert(0, nn.Tanh())
        yield call(t())


@replayed()
def child_deleted_and_added(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.a(x) if hasattr(s, "a") else s.b(x), a=nn.ReLU())
    call = run(net)
    for i in range(9):
        if i == 4:
            del net.a
            net.insert_child_to_cell("b", nn.Tanh())
        yield call(t())


@replayed()
def hooks_added_and_removed(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) + 1, inner=nn.Tanh())
    call = run(net)
    handle = None
    for i in range(14):
        if i == 3:
            handle = net.inner.register_forward_hook(lambda cell, args, out: out * 2)
        if i == 6:
            assert handle is not None
            handle.remove()
        if i == 8:
            handle = net.register_forward_pre_hook(lambda cell, args: (args[0] * 3,))
        if i == 11:
            assert handle is not None
            handle.remove()
        yield call(t())


@ordinary()
def hook_with_state(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) + 1, inner=nn.Tanh())
    seen: list[int] = []

    def hook(cell: Any, args: Any, out: Any) -> Any:
        seen.append(len(seen))
        return out * len(seen)

    net.inner.register_forward_hook(hook)
    call = run(net)
    for _ in range(6):
        yield call(t()), list(seen)


@replayed()
def precision_changed(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x), inner=nn.Dense(3, 3, weight_init="ones"))
    call = run(net)
    x = Tensor(np.linspace(0, 1.37, 6, dtype=np.float32).reshape(2, 3))
    for i in range(12):
        if i == 4:
            net.inner.to_float(ms.float16)
        if i == 8:
            net.to_float(ms.float32)
        yield call(x)


@replayed()
def level_of_mixed_precision_changed(run: Run) -> Iterator[Any]:
    net = nn.SequentialCell(nn.Dense(3, 3, weight_init="ones"), nn.BatchNorm1d(3), nn.ReLU())
    call = run(net)
    x = Tensor(np.linspace(0, 1.37, 6, dtype=np.float32).reshape(2, 3))
    for i in range(8):
        if i == 4:
            ms.amp.auto_mixed_precision(net, "O2")
        yield call(x)


@replayed()
def data_of_another_type(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.w + s.w.shape[0], w=Parameter(t(1, 2, 3), name="w"))
    call = run(net)
    for i in range(12):
        if i == 4:
            net.w.set_dtype(ms.float16)
        if i == 8:
            net.w.set_data(Tensor([2.0], ms.float32), slice_shape=True)
        yield attempt(call, t())


@replayed()
def parameter_replaced_by_a_view(run: Run) -> Iterator[Any]:
    base = Tensor(np.arange(6, dtype=np.float32))
    net = Net(lambda s, x: x * s.w, w=Parameter(t(1, 2, 3), name="w"))
    call = run(net)
    for i in range(12):
        if i == 4:
            net.w._value = base._value[1:4]
        if i == 8:
            net.w._value = base._value[::2]
        if i in (6, 10):
            base._value.add_(1)
        yield call(t())


@replayed()
def tensor_changed_by_torch(run: Run) -> Iterator[Any]:
    held = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    call = run(lambda x: ops.sum(held, 0) * held.shape[0] + x.sum())
    for i in range(10):
        if i == 4:
            held._value.t_()
        if i == 7:
            held._value.unsqueeze_(0)
        yield attempt(call, t())


@replayed()
def tensor_whose_data_torch_exchanges(run: Run) -> Iterator[Any]:
    held = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    call = run(lambda x: ops.sum(held) * held.shape[0] + x.sum())
    for i in range(10):
        if i == 4:
            held._value.data = torch.ones(3, 2)
        if i == 7:
            held._value.resize_(1, 2)
        yield attempt(call, t())


@replayed()
def torch_tensor_with_attributes(run: Run) -> Iterator[Any]:
    held = torch.ones(3)
    held.factor = 2.0  # type: ignore[attr-defined]
    call = run(lambda x: x * held.factor)  # type: ignore[attr-defined]
    for i in range(9):
        if i == 4:
            held.factor = 3.0  # type: ignore[attr-defined]
        yield call(t())


@replayed()
def torch_tensor_of_another_shape(run: Run) -> Iterator[Any]:
    held = torch.ones(3)
    call = run(lambda x: x * float(held.dim() + held.shape[0]))
    for i in range(9):
        if i == 4:
            held.unsqueeze_(0)
        if i == 6:
            held.data = torch.ones(7)
        yield call(t())


@replayed()
def distribution_of_torch(run: Run) -> Iterator[Any]:
    held = torch.distributions.Normal(torch.tensor(0.0), torch.tensor(1.0))
    call = run(lambda x: x * float(held.scale))
    for i in range(9):
        if i == 4:
            held.scale = torch.tensor(3.0)
        if i == 6:
            held.scale.add_(1.0)
        yield call(t())


@replayed()
def parameters_tied_and_untied(run: Run) -> Iterator[Any]:
    a, b = nn.Dense(3, 3, weight_init="ones"), nn.Dense(3, 3, weight_init="zeros")
    net = Net(lambda s, x: s.b(s.a(x)), a=a, b=b)
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    own = b.weight
    for i in range(12):
        if i == 3:
            b.weight = a.weight
        if i == 6:
            ops.assign(a.weight, a.weight * 2)
        if i == 9:
            b.weight = own
        yield call(x)


@replayed()
def tensor_shared_by_two_cells(run: Run) -> Iterator[Any]:
    shared = t(1, 1, 1)
    a = Net(lambda s, x: x * s.held, held=shared)
    b = Net(
        lambda s, x: (ops.assign_add(s.held, x), x + s.held)[1], held=Parameter(shared, name="p")
    )
    one, two = run(a), run(b)
    for i in range(8):
        if i == 5:
            a.held = b.held
        yield one(t()), two(t()), shared


# ------------------------------------------------------------------------------------ training


def _net() -> nn.Cell:
    ms.set_seed(5)
    return nn.SequentialCell(nn.Dense(4, 5), nn.BatchNorm1d(5), nn.Tanh(), nn.Dense(5, 1))


def _data(i: int = 0) -> tuple[Tensor, Tensor]:
    draw = np.random.RandomState(i)
    return Tensor(draw.randn(6, 4).astype(np.float32)), Tensor(draw.randn(6, 1).astype(np.float32))


def _weights(net: nn.Cell) -> list[Any]:
    return [p for p in net.get_parameters()]


@replayed()
def batch_norm_momentum_changed(run: Run) -> Iterator[Any]:
    net = _net()
    net.set_train()
    call = run(net)
    for i in range(12):
        if i == 4:
            net[1].momentum = 0.5
        if i == 8:
            net[1].use_batch_statistics = False
        yield call(_data(i)[0]), net[1].moving_mean, net[1].moving_variance


@replayed()
def modes_toggled_midway(run: Run) -> Iterator[Any]:
    net = _net()
    call = run(net)
    for i in range(12):
        net.set_train(i // 3 % 2 == 0)
        yield call(_data(i)[0]), net[1].moving_mean


@ordinary()
def modes_toggled_inside(run: Run) -> Iterator[Any]:
    inner = _net()

    def step(s: Any, x: Any) -> Any:
        s.inner.set_train(not s.inner.training)
        return s.inner(x)

    net = Net(step, inner=inner)
    call = run(net)
    for i in range(8):
        yield call(_data(i)[0]), inner[1].moving_mean, inner.training


def _trained(
    run: Run, optimizer: Any, steps: int = 10, events: dict[int, Any] | None = None
) -> Any:
    net = _net()
    loss_of = nn.MSELoss()
    opt = optimizer(net)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss_of), opt)
    step.set_train()
    call = run(step)
    for i in range(steps):
        if events and i in events:
            events[i](net, opt, step)
        yield call(*_data(i)), _weights(net)


@replayed()
def learning_rate_set(run: Run) -> Iterator[Any]:
    yield from _trained(
        run,
        lambda net: nn.Momentum(net.trainable_params(), 0.1, 0.9),
        events={
            4: lambda net, opt, step: ops.assign(opt.learning_rate, Tensor(0.01)),
            7: lambda net, opt, step: opt.learning_rate.set_data(Tensor(0.5)),
        },
    )


@replayed()
def weight_decay_and_sens_set(run: Run) -> Iterator[Any]:
    def sens(net: Any, opt: Any, step: Any) -> None:
        step.sens = 3.0

    yield from _trained(
        run,
        lambda net: nn.SGD(net.trainable_params(), 0.1, weight_decay=0.01),
        events={4: sens},
    )


@replayed()
def optimizer_swapped(run: Run) -> Iterator[Any]:
    def swap(net: Any, opt: Any, step: Any) -> None:
        step.optimizer = nn.Adam(net.trainable_params(), 0.05)

    yield from _trained(
        run, lambda net: nn.SGD(net.trainable_params(), 0.1), events={4: swap}, steps=11
    )


@replayed()
def parameters_frozen_midway(run: Run) -> Iterator[Any]:
    def freeze(net: Any, opt: Any, step: Any) -> None:
        net[0].weight.requires_grad = False

    def thaw(net: Any, opt: Any, step: Any) -> None:
        net[0].weight.requires_grad = True

    yield from _trained(
        run,
        lambda net: nn.Momentum(net.trainable_params(), 0.1, 0.9),
        events={4: freeze, 7: thaw},
    )


@replayed()
def gradients_accumulated_in_place(run: Run) -> Iterator[Any]:
    net = _net()
    net.set_train()
    loss_of = nn.MSELoss()
    sums = [
        Parameter(ops.zeros_like(p), name=f"sum{i}") for i, p in enumerate(net.trainable_params())
    ]
    gradient = ms.value_and_grad(lambda x, y: loss_of(net(x), y), None, net.trainable_params())

    def accumulate(x: Any, y: Any) -> Any:
        loss, grads = gradient(x, y)
        for s, g in zip(sums, grads, strict=True):
            ops.assign_add(s, g)
        return loss

    def apply() -> Any:
        for p, s in zip(net.trainable_params(), sums, strict=True):
            ops.assign_sub(p, s * 0.1)
            ops.assign(s, ops.zeros_like(s))

    one, two = run(accumulate), run(apply)
    for i in range(12):
        yield one(*_data(i)), list(sums)
        if i % 3 == 2:
            two()
            yield _weights(net), list(sums)


@replayed()
def parameter_groups_changed(run: Run) -> Iterator[Any]:
    def groups(net: Any) -> Any:
        params = net.trainable_params()
        return nn.Momentum(
            [{"params": params[:2], "lr": 0.1}, {"params": params[2:], "lr": 0.01}], 0.05, 0.9
        )

    def other(net: Any, opt: Any, step: Any) -> None:
        ops.assign(opt.learning_rate[0], Tensor(0.3))

    yield from _trained(run, groups, events={4: other})


@replayed()
def schedule_inside_of_the_step(run: Run) -> Iterator[Any]:
    yield from _trained(
        run,
        lambda net: nn.Adam(net.trainable_params(), nn.exponential_decay_lr(0.1, 0.5, 20, 2, 2)),
        steps=9,
    )


@replayed()
def loss_scale_that_overflows(run: Run) -> Iterator[Any]:
    net = _net()
    opt = nn.SGD(net.trainable_params(), 0.01)
    manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**4, scale_factor=2, scale_window=2)
    step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), opt, manager)
    step.set_train()
    call = run(step)
    for i in range(10):
        x, y = _data(i)
        if i in (3, 6):
            y = y * float("inf")
        yield call(x, y)[:2], manager.loss_scale if hasattr(manager, "loss_scale") else 0


@replayed()
def seed_reset_midway(run: Run) -> Iterator[Any]:
    net = nn.SequentialCell(nn.Dense(4, 5, weight_init="ones"), nn.Dropout(p=0.5))
    net.set_train()
    call = run(net)
    for i in range(12):
        if i in (4, 8):
            ms.set_seed(3)
        yield call(_data(0)[0])


@ordinary()
def seed_reset_inside(run: Run) -> Iterator[Any]:
    drop = nn.Dropout(p=0.5)
    drop.set_train()

    def step(x: Any) -> Any:
        ms.set_seed(7)
        return ops.dropout(x, 0.5, training=True) + drop(x)

    call = run(step)
    for _ in range(6):
        yield call(_data(0)[0])


@replayed()
def dropout_rate_changed(run: Run) -> Iterator[Any]:
    net = nn.SequentialCell(nn.Dense(4, 5, weight_init="ones"), nn.Dropout(p=0.5))
    net.set_train()
    call = run(net)
    held: list[Any] = []
    for i in range(9):
        if i == 4:
            net[1].p = 0.1
        if i == 6:
            old, net[1] = net[1], nn.Dropout(p=0.9)
            net.set_train()
            held.append(old)  # its stream would be gone, unless a recording holds it
        yield call(_data(0)[0])


# -------------------------------------------------------------- surroundings of a call of torch


@replayed()
def default_type_changed(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x * 2).sum() + torch.ones(1).dtype.itemsize)
    before = torch.get_default_dtype()
    try:
        for i in range(9):
            torch.set_default_dtype(torch.float64 if i // 3 == 1 else torch.float32)
            yield call(t())
    finally:
        torch.set_default_dtype(before)


@ordinary()
def autocast_around_the_call(run: Run) -> Iterator[Any]:
    net = nn.Dense(4, 5, weight_init="ones")
    call = run(net)
    x = _data(0)[0]
    for i in range(12):
        with torch.autocast("cpu", torch.bfloat16, enabled=i // 3 % 2 == 1):
            yield call(x)


@ordinary()
def autocast_at_first(run: Run) -> Iterator[Any]:
    net = nn.Dense(4, 5, weight_init="ones")
    call = run(net)
    x = _data(0)[0]
    for i in range(12):
        with torch.autocast("cpu", torch.bfloat16, enabled=i // 3 % 2 == 0):
            yield call(x)


@replayed()
def inference_mode_around_the_call(run: Run) -> Iterator[Any]:
    net = nn.Dense(4, 5, weight_init="ones")
    call = run(net)
    x = _data(0)[0]
    for i in range(12):
        with torch.inference_mode(i // 3 % 2 == 1):
            y = call(x)
            yield y, y._value.is_inference()


class _Doubling(torch.overrides.TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_function__(self, func: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


@ordinary()
def function_mode_around_the_call(run: Run) -> Iterator[Any]:
    call = run(lambda x: ops.relu(x) * 2 + ops.sin(x))
    for i in range(9):
        if i // 3 == 1:
            with _Doubling() as mode:
                y = call(t())
            yield y, sorted(mode.names)
        else:
            yield call(t())


class _Logging(torch.utils._python_dispatch.TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


@ordinary()
def dispatch_mode_around_the_call(run: Run) -> Iterator[Any]:
    call = run(lambda x: ops.relu(x) * 2 + ops.sin(x))
    for i in range(12):
        if i // 3 % 2 == 1:
            with _Logging() as mode:
                y = call(t())
            yield y, sorted(mode.names)
        else:
            yield call(t())


@ordinary()
def dispatch_mode_at_first(run: Run) -> Iterator[Any]:
    call = run(lambda x: ops.relu(x) * 2 + ops.sin(x))
    for i in range(9):
        if i // 3 == 0:
            with _Logging() as mode:
                y = call(t())
            yield y, sorted(mode.names)
        else:
            yield call(t())


# ------------------------------------------------------------------------- memory that is shared


@replayed()
def arguments_that_overlap(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any) -> Any:
        x.add_(1.0) if hasattr(x, "add_") else ops.assign_add(x, 1.0)
        return x * 2 + y * 10

    call = run(step)
    base = torch.arange(8.0)
    for i in range(12):
        a = Tensor(base[:4].clone())
        b = Tensor(base[4:].clone())
        if i // 3 % 2 == 1:
            whole = ms.from_torch(base.clone()) if hasattr(ms, "from_torch") else None
            a, b = ms.from_torch(whole._value[0:4]), ms.from_torch(whole._value[2:6])
        yield call(a, b), a, b


@replayed()
def argument_that_is_a_view_of_a_parameter(run: Run) -> Iterator[Any]:
    w = Parameter(t(1, 2, 3, 4), name="w")

    def step(x: Any) -> Any:
        before = w * 2
        x.add_(1.0)
        return before + w * x

    call = run(step)
    for i in range(10):
        x = t(1, 2, 3, 4)
        if i >= 4:
            x = ms.from_torch(w._value[:])
        yield call(x), w, x


@replayed()
def result_that_is_a_view_of_an_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x[0:2], x.reshape(-1)))
    for i in range(8):
        x = Tensor(np.arange(6, dtype=np.float32))
        a, b = call(x)
        a.add_(10.0)
        yield a, b, x
        b.mul_(2.0)
        yield a, b, x


@replayed()
def result_that_is_a_view_of_a_parameter(run: Run) -> Iterator[Any]:
    w = Parameter(t(1, 2, 3, 4), name="w")
    call = run(lambda x: (w[0:2], w + x))
    for i in range(8):
        a, b = call(t(1, 2, 3, 4))
        a.add_(1.0)
        yield a, b, w


@replayed()
def results_that_are_kept(run: Run) -> Iterator[Any]:
    call = run(lambda x: (ops.relu(x * 2), (x + 1).sum()))
    held = [call(t(i, -2, 3)) for i in range(12)]
    arrays = [a.asnumpy() for a, _ in held]
    held += [call(t(-i, 5, i)) for i in range(4)]
    yield held, arrays
    for a, _ in held[::3]:
        a.add_(1.0)
    yield held, arrays, call(t())


@replayed()
def results_that_are_views_of_each_other(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y = x * 2
        return y, y[1:], y.reshape(3, 1)

    call = run(step)
    for _ in range(7):
        a, b, c = call(t())
        b.add_(5.0)
        yield a, b, c
        c.mul_(2.0)
        yield a, b, c


@replayed()
def complex_conjugates_as_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x: ops.real(x * (1 + 2j)) + ops.imag(x))
    raw = torch.tensor([1 + 2j, 3 - 1j, -2j])
    for i in range(12):
        x = raw.conj() if i // 3 % 2 == 1 else raw
        yield call(ms.from_torch(x))


@replayed()
def complex_conjugates_at_first(run: Run) -> Iterator[Any]:
    call = run(lambda x: ops.real(x * (1 + 2j)) + ops.imag(x))
    raw = torch.tensor([1 + 2j, 3 - 1j, -2j])
    for i in range(12):
        x = raw.conj() if i // 3 % 2 == 0 else raw
        yield call(ms.from_torch(x))


@ordinary()
def offset_of_memory(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * float(x._value.storage_offset()))
    base = torch.arange(12.0)
    for i in range(9):
        yield call(ms.from_torch(base[i : i + 3]))


@ordinary()
def version_of_memory(run: Run) -> Iterator[Any]:
    w = t()
    call = run(lambda x: x * float(w._value._version - first))
    first = w._value._version
    for i in range(9):
        yield call(t())
        w.add_(1.0)


@ordinary()
def address_of_memory(run: Run) -> Iterator[Any]:
    base = torch.arange(12.0)
    call = run(lambda x: x * float((x._value.data_ptr() - base.data_ptr()) // 4))
    for i in range(9):
        yield call(ms.from_torch(base[i : i + 3]))


@replayed()
def masked_array_as_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * float(a.sum()))
    for i in range(12):
        yield call(t(), np.ma.array([1.0, 2.0, 3.0], mask=[i // 4 == 1, 0, 0]))


@replayed()
def array_with_attributes_as_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * float(a.sum()) * a.factor)
    for i in range(12):
        made = _marked()
        made.factor = float(i // 4)
        yield call(t(), made)


@ordinary()
def generator_of_bits_without_a_seed(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        draws = np.random.Generator(np.random.PCG64())
        log.append(float(draws.random()))
        return x * 2

    log: list[float] = []
    call = run(step)
    for i in range(6):
        yield call(t())
        yield len(set(log)) == i + 1


@ordinary()
def value_of_bits_without_a_seed(run: Run) -> Iterator[Any]:
    make = np.random.Philox

    def step(x: Any) -> Any:
        return x * float(np.random.Generator(make()).random())

    call = run(step)
    got = [float(call(t(1.0)).asnumpy()[0]) for _ in range(8)]
    yield len(set(got))


@ordinary()
def address_of_an_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * (1.0 if id(x) == first else 2.0))
    a, b = t(), t()
    first = id(a)
    for i in range(12):
        yield call(b if i // 4 == 1 else a)


@ordinary()
def hash_of_an_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * (1.0 if hash(x) == first else 2.0))
    a, b = t(), t()
    first = hash(a)
    for i in range(12):
        yield call(b if i // 4 == 1 else a)


@ordinary()
def argument_in_a_dictionary(run: Run) -> Iterator[Any]:
    a, b = t(), t()
    factors: dict[Any, float] = {id(a): 1.0}
    named = {a: 3.0}
    call = run(lambda x: x * named.get(x, 5.0) + len({x: 1, a: 2}))
    for i in range(12):
        yield call(b if i // 4 == 1 else a), len(factors)


@ordinary()
def parameters_told_apart_by_address(run: Run) -> Iterator[Any]:
    a = nn.Dense(3, 3, weight_init="ones")
    b = nn.Dense(3, 3, weight_init="ones")
    call = run(lambda x: x * float(len({id(p) for p in (a.weight, b.weight)})))
    for i in range(8):
        if i == 4:
            b.weight = a.weight
        yield call(t())


@ordinary()
def generator_of_agar_seeded_inside(run: Run) -> Iterator[Any]:
    generator = ms.Generator()

    def step(x: Any) -> Any:
        generator.manual_seed(5)
        return x + ms.mint.rand(3, generator=generator)

    call = run(step)
    for _ in range(6):
        yield call(t()), generator.get_state()


@ordinary()
def default_generator_seeded_inside(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        ms.manual_seed(5)
        return x + ms.mint.rand(3)

    call = run(step)
    for _ in range(6):
        yield call(t()), ms.mint.rand(2)


@ordinary()
def state_of_a_generator_read_inside(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * float(ms.get_rng_state().asnumpy().sum()))
    for i in range(9):
        ms.manual_seed(i // 3)
        yield call(t())


@ordinary()
def seed_of_agar_read_inside(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * float(ms.get_seed() or 0))
    for i in range(9):
        ms.set_seed(i // 3)
        yield call(t())


@replayed()
def attribute_of_a_child_exchanged_that_code_names(run: Run) -> Iterator[Any]:
    class Child(nn.Cell):
        k = 2.0

        def construct(self, x: Any) -> Any:
            return x * self.k

    child = Child()
    child.early = 1.0
    call = run(lambda x: child(x) * 3)
    for i in range(9):
        if i == 4:
            home = child.__dict__
            del home["early"]
            home["k"] = 30.0
        yield call(t())


@replayed()
def attribute_of_an_object_exchanged(run: Run) -> Iterator[Any]:
    class Held:
        k = 2.0

    held = Held()
    held.early = 1.0  # type: ignore[attr-defined]
    call = run(lambda x: x * held.k)
    for i in range(9):
        if i == 4:
            home = held.__dict__
            del home["early"]
            home["k"] = 30.0
        yield call(t())


@replayed()
def dictionary_of_an_object_replaced(run: Run) -> Iterator[Any]:
    held = Plain(k=2.0)
    call = run(lambda x: x * held.k)
    for i in range(9):
        if i == 4:
            held.__dict__ = {"k": 5.0}
        if i == 6:
            held.__dict__["k"] = 7.0
        yield call(t())


@replayed()
def dictionary_of_a_cell_replaced(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k, k=2.0)
    call = run(net)
    for i in range(9):
        if i == 4:
            net.__dict__ = {**net.__dict__, "k": 5.0}
        if i == 6:
            net.__dict__["k"] = 7.0
        yield call(t())


@replayed()
def registers_of_a_cell_replaced(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) * 2, inner=nn.ReLU())
    call = run(net)
    for i in range(9):
        if i == 4:
            net._cells = type(net._cells)(inner=nn.Tanh())
        if i == 6:
            net._cells["inner"] = nn.Sigmoid()
        yield call(t())


@replayed()
def parameter_exchanged_in_the_register(run: Run) -> Iterator[Any]:
    net = nn.Dense(3, 2, weight_init="ones")
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    for i in range(9):
        if i == 4:
            net._params["weight"] = Parameter(Tensor(np.full((2, 3), 2, np.float32)), name="weight")
        yield call(x)


@replayed()
def buffer_exchanged(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.b)
    net.register_buffer("b", t(1, 2, 3))
    call = run(net)
    for i in range(9):
        if i == 4:
            net.b = t(5, 5, 5)
        if i == 6:
            net._buffers["b"] = t(7, 7, 7)
        yield call(t())


@replayed()
def static_method_replaced(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        @staticmethod
        def factor() -> float:
            return 2.0

        def construct(self, x: Any) -> Any:
            return x * self.factor()

    net = Own()
    call = run(net)
    for i in range(9):
        if i == 4:
            Own.factor = staticmethod(lambda: 3.0)  # type: ignore[method-assign]
        if i == 6:
            net.factor = lambda: 4.0
        yield call(t())


@replayed()
def metaclass_with_state(run: Run) -> Iterator[Any]:
    class Meta(type):
        k = 2.0

        @property
        def factor(cls) -> float:
            return cls.k

    class Held(metaclass=Meta):
        pass

    call = run(lambda x: x * Held.factor)
    for i in range(9):
        if i == 4:
            Meta.k = 3.0
        if i == 6:
            Meta.factor = property(lambda cls: 5.0)  # type: ignore[method-assign, assignment]
        yield call(t())


@replayed()
def bases_of_a_class_replaced(run: Run) -> Iterator[Any]:
    class A:
        def factor(self) -> float:
            return 2.0

    class B:
        def factor(self) -> float:
            return 3.0

    class Held(A):
        pass

    held = Held()
    call = run(lambda x: x * held.factor())
    for i in range(9):
        if i == 4:
            Held.__bases__ = (B,)
        yield call(t())


@replayed()
def slots_of_a_data_class(run: Run) -> Iterator[Any]:
    held = [Slotted(1.0, 2.0)]
    call = run(lambda x: x * held[0].x + held[0].y)
    for i in range(9):
        if i == 3:
            held[0].x = 5.0
        if i == 6:
            held[0] = dataclasses.replace(held[0], y=9.0)
        yield call(t())


@replayed()
def data_class_compared(run: Run) -> Iterator[Any]:
    a, b = Slotted(1.0), Slotted(1.0)
    call = run(lambda x: x * (2.0 if a == b else 3.0))
    for i in range(9):
        if i == 4:
            b.y = 5.0
        yield call(t())


@replayed()
def fields_of_a_data_class(run: Run) -> Iterator[Any]:
    held = Point(1.0, [2.0])
    call = run(lambda x: x * sum(dataclasses.astuple(held)[1]) + len(dataclasses.asdict(held)))
    for i in range(9):
        if i == 4:
            held.y.append(3.0)
        yield call(t())


@ordinary()
def iterator_protocol_with_state(run: Run) -> Iterator[Any]:
    class Loader:
        def __init__(self) -> None:
            self.at = 0

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> float:
            self.at += 1
            if self.at % 4 == 0:
                raise StopIteration
            return float(self.at)

    held = Loader()
    call = run(lambda x: x * sum(held))
    for _ in range(6):
        yield call(t()), held.at


@replayed()
def functions_in_a_table_exchanged(run: Run) -> Iterator[Any]:
    table: dict[str, Any] = {"act": ops.relu}
    call = run(lambda x: table["act"](x))
    for i in range(9):
        if i == 3:
            table["act"] = ops.tanh
        if i == 6:
            table["act"] = lambda x: x * 3
        yield call(t())


@replayed()
def code_of_a_function_exchanged(run: Run) -> Iterator[Any]:
    def helper(x: Any) -> Any:
        return x * 2

    def other(x: Any) -> Any:
        return x * 3

    call = run(lambda x: helper(x))
    for i in range(9):
        if i == 4:
            helper.__code__ = other.__code__
        yield call(t())


@replayed()
def defaults_of_a_function_exchanged(run: Run) -> Iterator[Any]:
    def helper(x: Any, k: float = 2.0, *, m: float = 1.0) -> Any:
        return x * k * m

    call = run(lambda x: helper(x))
    for i in range(9):
        if i == 3:
            helper.__defaults__ = (3.0,)
        if i == 6:
            assert helper.__kwdefaults__ is not None
            helper.__kwdefaults__["m"] = 5.0
        yield call(t())


@replayed()
def wrapped_function_exchanged(run: Run) -> Iterator[Any]:
    def double(x: Any) -> Any:
        return x * 2

    @functools.wraps(double)
    def outer(x: Any) -> Any:
        return outer.__wrapped__(x) + 1  # type: ignore[attr-defined]

    call = run(lambda x: outer(x))
    for i in range(9):
        if i == 4:
            outer.__wrapped__ = lambda x: x * 7  # type: ignore[attr-defined]
        yield call(t())


@ordinary()
def stack_of_contexts(run: Run) -> Iterator[Any]:
    log: list[str] = []

    @contextlib.contextmanager
    def scope(name: str) -> Iterator[float]:
        log.append(name)
        yield float(len(log))
        log.append("-" + name)

    def step(x: Any) -> Any:
        with contextlib.ExitStack() as stack:
            a = stack.enter_context(scope("a"))
            stack.callback(log.append, "called")
            return x * a

    call = run(step)
    for _ in range(6):
        yield call(t()), list(log)


@replayed()
def result_decided_by_finally(run: Run) -> Iterator[Any]:
    held = {"fail": False}

    def step(x: Any) -> Any:
        try:
            if held["fail"]:
                raise KeyError("a")
            y = x * 2
        except KeyError:
            y = x * 3
        else:
            y = y + 1
        finally:
            x = x + 5
        return y + x

    call = run(step)
    for i in range(9):
        held["fail"] = i // 3 == 1
        yield call(t())


@replayed()
def numpy_memory_of_a_parameter(run: Run) -> Iterator[Any]:
    array = np.ones((2, 3), np.float32)
    net = nn.Dense(3, 2, weight_init="ones")
    net.weight._value = torch.from_numpy(array)
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    for i in range(9):
        if i >= 4:
            array += 1
        yield call(x)


@replayed()
def numpy_memory_of_an_argument(run: Run) -> Iterator[Any]:
    array = np.ones((2, 3), np.float32)
    call = run(lambda x: ops.relu(x * 2).sum())
    x = Tensor.from_numpy(array)
    for _ in range(8):
        array += 1
        yield call(x)


@replayed()
def constant_made_from_a_held_array(run: Run) -> Iterator[Any]:
    array = np.ones(3, np.float32)
    call = run(lambda x: x * Tensor.from_numpy(array) + Tensor(array))
    for i in range(9):
        if i >= 5:
            array += 1
        yield call(t())


@replayed()
def constant_given_away(run: Run) -> Iterator[Any]:
    array = np.ones(3, np.float32)
    call = run(lambda x: (x * 2, Tensor(array), Tensor([1.0, 2.0])))
    for _ in range(8):
        _, a, b = call(t())
        yield a, b
        a.add_(1.0)
        b.mul_(3.0)
        yield a, b, array


@replayed()
def argument_given_back_and_changed(run: Run) -> Iterator[Any]:
    call = run(lambda x, y: (x, y, x + y))
    a, b = t(), t(4, 5, 6)
    for _ in range(8):
        c, d, e = call(a, b)
        c.add_(1.0)
        yield c is a, d is b, a, b, e
        a, b = b, e


@replayed()
def flag_of_training_of_a_child_alone(run: Run) -> Iterator[Any]:
    net = _net()
    net.set_train()
    call = run(net)
    for i in range(9):
        if i == 4:
            net[1].set_train(False)
        yield call(_data(i)[0]), net[1].moving_mean


@replayed()
def gradient_after_changes(run: Run) -> Iterator[Any]:
    held = {"k": 1.0}
    w = Parameter(t(1, 2, 3), name="w")
    call = run(lambda x: (x * w * held["k"]).sum())
    gradient = ms.value_and_grad(call, 0, [w])
    for i in range(12):
        if i == 4:
            held["k"] = 3.0
        if i == 6:
            w.requires_grad = False
        if i == 8:
            w.requires_grad = True
            w.set_data(t(7, 7, 7))
        yield attempt(gradient, t())


@replayed()
def gradients_taken_inside(run: Run) -> Iterator[Any]:
    held = {"k": 1.0}
    w = Parameter(t(1, 2, 3), name="w")

    def step(x: Any) -> Any:
        return ms.value_and_grad(lambda v: (v * w * held["k"]).sum(), 0, [w])(x)

    call = run(step)
    for i in range(9):
        if i == 4:
            held["k"] = 3.0
        if i == 6:
            ops.assign(w, t(5, 5, 5))
        yield call(t())


@ordinary()
def callback_of_a_weak_reference(run: Run) -> Iterator[Any]:
    import weakref

    log: list[str] = []

    class Thing:
        pass

    def step(x: Any) -> Any:
        thing = Thing()
        ref = weakref.ref(thing, lambda _: log.append("gone"))
        del thing
        return x * (2.0 if ref() is None else 3.0)

    call = run(step)
    for _ in range(6):
        yield call(t()), list(log)


@replayed()
def text_of_the_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, mode, n=1: x * len(f"{mode:>{n}}"))
    for i in range(12):
        yield call(t(), "ab", n=2 + i // 4), call(t(), "abc")


@replayed()
def numbers_that_are_equal_and_differ(run: Run) -> Iterator[Any]:
    call = run(lambda x, n: x / n if type(n) is not bool else x * 5)
    for i in range(16):
        yield call(t(), (1, 1.0, True, np.int64(1))[i // 4])


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_attack(program: Any, quiet: bool) -> None:
    check(program, quiet)
