# ruff: noqa: E501, RUF012
"""State that no code names, or that lies in libraries: format texts, patterns, aliases of getattr."""

from __future__ import annotations

import collections
import ctypes
import enum
import functools
import importlib
import math
import operator
import string
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agar import nn
from graph.soundness.attacks import (
    Net,
    Plain,
    Point,
    Programs,
    Slotted,
    marked,
    t,
)
from graph.soundness.harness import Run, check

ROWS = Programs()
replayed, ordinary, change = ROWS.replayed, ROWS.ordinary, ROWS.change


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
    lambda: np.ma.array([1.0, 2.0, 3.0], mask=np.array([0, 0, 1], bool)),
    lambda v: float(v.sum()),
    lambda v: v.mask.__setitem__(0, True) if not v.mask[0] else v.mask.__setitem__(1, True),
)


change("array_with_attributes", marked, lambda v: float(v.sum()) * v.factor, _plus("factor"))


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
    lambda v: next(iter(v)) + 1.0,
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
                math.pi = 3.0
            yield call(t())
    finally:
        math.pi = before


@replayed()
def constant_of_numpy(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * np.pi)
    before = np.pi
    try:
        for i in range(9):
            if i == 4:
                np.pi = 3.0
            yield call(t())
    finally:
        np.pi = before


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
                builtins.max = lambda *v: 7.0
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


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_names(program: Any, quiet: bool) -> None:
    check(program, quiet)
