"""What bindings try first gives what the implementations give, results and errors alike."""

from __future__ import annotations

import builtins
import copy
import dis
import inspect
import itertools
import types
from typing import Any

import numpy as np
import pytest
import torch
from tests import battery
from tests.battery import wrapped

import agar as ms
from agar._core import fast_paths, optable
from agar._core.fast_paths import Call, Joined, Pair

ENTRIES = [entry for entry in optable.table.entries if entry.fast is not None]

TENSORS = [
    ms.Tensor([[1.5, -2.0, 0.0], [3.0, 4.0, 5.0]], ms.float32),
    ms.Tensor(2.5, ms.float64),
    ms.Tensor([2, -1, 3], ms.int32),
    ms.Tensor(3, ms.int8),
    ms.Tensor([True, False, True]),
    ms.Tensor([1.0, 2.0, 4.0], ms.float16),
    ms.Tensor([1, 2, 3], ms.uint16),
    ms.Tensor([1 + 1j], ms.complex64),
    ms.Tensor(np.zeros((0, 3), np.int64)),
    ms.Tensor(np.ones((0,), np.float32)),
    ms.Tensor(np.arange(12.0, dtype=np.float32).reshape(2, 3, 2)),
    ms.Tensor(np.arange(6, dtype=np.int64).reshape(2, 1, 3)),
    ms.Tensor(np.ones((1, 1, 3), np.float32)),
]
OTHERS = [2, -1, 0, 1.5, True, None, "C", 2**40, (0, 1), [0], (1, 0), (3, -1), np.int64(1), 1j]
OTHERS += [False, 1, 4, (), (True, 3), (2, True), [1, True], (np.int64(1), 0), 2**70, 1e300]


def _without(entry):
    slow = copy.copy(entry)
    slow.fast = None
    return slow


def _functions(entry):
    """Bindings of an entry with and without its fast path: as a function, and as a Primitive."""
    name = entry.name
    make = [lambda e: optable.binding(e, name, module="agar.ops.function")]
    if entry.primitives:
        make.append(lambda e: optable.primitive_class(e, name, module="agar.ops"))
    return [(m(entry), m(_without(entry))) for m in make]


def _described(result):
    if isinstance(result, tuple):
        return [type(result), *map(_described, result)]
    if not isinstance(result, ms.Tensor):
        return result
    value = result.to_torch()
    return type(result), value.dtype, value.shape, value.stride(), value.tolist()


def _outcome(function, *args, **options):
    try:
        return _described(function(*args, **options))
    except Exception as error:
        return type(error), str(error)


def _same(fast, slow, *args, **options):
    if isinstance(fast, type):  # a Primitive of its constructor's defaults
        try:
            fast, slow = fast(), slow()
        except TypeError:
            return
    # some options write into an argument
    copies = [a.copy() if isinstance(a, ms.Tensor) else a for a in args]
    assert repr(_outcome(fast, *copies, **options)) == repr(_outcome(slow, *args, **options)), args


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.home.rpartition('.')[2]}.{e.name}")
def test_a_fast_path_gives_what_the_implementation_gives(entry):
    for fast, slow in _functions(entry):
        for x in (*TENSORS, 2, [1.0], None):
            _same(fast, slow, x)
        several = (
            (TENSORS, TENSORS) if len(entry.params) == 1 else ((*TENSORS, 2.0), OTHERS + TENSORS)
        )
        for x, y in itertools.product(*several):
            _same(fast, slow, x, y)
        if len(entry.params) < 3:
            continue
        for x, y, z in itertools.product(TENSORS[:5], (*TENSORS[4:6], *OTHERS[:6]), OTHERS):
            _same(fast, slow, x, y, z)


def _options(entry, kwargs):
    """Keyword arguments of a sample parted into those of the call and of the constructor."""
    names = {p.name for p in entry.params if p.kind is p.KEYWORD_ONLY} if entry.primitives else ()
    own = {k: v for k, v in kwargs.items() if k in names}
    return {k: v for k, v in kwargs.items() if k not in names}, own


def _made(kinds, options):
    try:
        return [kind(**options) for kind in kinds]
    except (TypeError, ValueError):
        return None


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.home.rpartition('.')[2]}.{e.name}")
def test_samples_with_one_other_argument_give_the_same(entry):
    for text in (*entry.samples, *(text for text, *_ in entry.errors)):
        args, kwargs = wrapped(battery.arguments(text))
        variants = [(args, kwargs)]
        for i, value in enumerate(args):
            if not isinstance(value, ms.Tensor):
                variants += [((*args[:i], other, *args[i + 1 :]), kwargs) for other in OTHERS]
        named = [p.name for p in entry.params[len(args) :] if p.kind is not p.VAR_POSITIONAL]
        variants += [
            (args, {**kwargs, name: other})
            for name in dict.fromkeys((*named, *kwargs))
            for other in (*OTHERS, ms.Tensor(1))
        ]
        for fast, slow in _functions(entry):
            for values, by_name in variants:
                if not isinstance(fast, type):
                    _same(fast, slow, *values, **by_name)
                    continue
                call, options = _options(entry, by_name)
                pair = _made((fast, slow), options)
                if pair is not None:
                    _same(*pair, *values, **call)


JOINED = [entry for entry in ENTRIES if isinstance(entry.fast, Joined)]


@pytest.mark.parametrize("entry", JOINED, ids=lambda e: f"{e.home.rpartition('.')[2]}.{e.name}")
def test_tensors_are_joined_as_the_implementation_joins_them(entry):
    empty = ms.Tensor(np.zeros((0,), np.int32))
    for fast, slow in _functions(entry):
        for one, other in itertools.product([*TENSORS, empty, 1.0], repeat=2):
            for axis in (0, 1, -1, 3, True, None, 1.0):
                for tensors in ((one, other), [one, other], (one, other, one), [one], (one,) * 4):
                    _same(fast, slow, tensors, axis)
            _same(fast, slow, (one, other))
        _same(fast, slow, ())
        _same(fast, slow, [])


SIZES = [
    *((), (2, 3), (0, 2), (-1,), (True, 2), (2, True), (2, 2.0), (np.int64(2), 1), [2, 3], 3, -1),
    *(0, True, 2.0, None, "2", (2**70,), ms.Tensor([2, 1]), ms.Tensor(2), (ms.Tensor(2), 1)),
]
TYPES = [None, ms.int32, ms.float16, ms.bool_, ms.uint16, ms.number, ms.string, torch.float32]
TYPES += [np.float32, np.dtype("int8"), "float32", float, 1, [ms.int32], ms.Tensor(1)]


@pytest.mark.parametrize("name", ["zeros", "ones", "arange", "eye"])
@pytest.mark.parametrize("kind", ["functions", "mints"])
def test_tensors_are_made_as_the_implementations_make_them(name, kind):
    entry = getattr(optable.table, kind)[name]
    for fast, slow in _functions(entry):
        for size, dtype in itertools.product(SIZES, TYPES):
            _same(fast, slow, size, dtype=dtype)
            _same(fast, slow, size, dtype)
        for first, second in itertools.product(SIZES, SIZES):
            _same(fast, slow, first, second)
            _same(fast, slow, first, second, 2)
            _same(fast, slow, first, second, -1)


def test_tensors_are_filled_as_the_implementation_fills_them():
    values = (1.5, 2, -1, True, 1j, 1e300, 2**40, 2**70, float("nan"), None, "1", ms.Tensor(3))
    for fast, slow in _functions(optable.lookup("function", "full")):
        for size, value in itertools.product(SIZES, values):
            _same(fast, slow, size, value)
        for value, dtype in itertools.product(values, TYPES):
            _same(fast, slow, (2, 1), value, dtype=dtype)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.home.rpartition('.')[2]}.{e.name}")
def test_a_fast_path_names_what_there_is(entry):
    # a name that is missing would only make each call slow
    known = {*vars(builtins), *optable.BINDING_GLOBALS}
    functions = [fast for fast, _ in _functions(entry)]
    functions += [
        optable.binding(entry, path.rpartition(".")[2], module="agar.mint", qualname=path)
        for path in entry.renamed
    ]
    codes = [getattr(f, "__code__", None) or f.__call__.__code__ for f in functions]
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        asked = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
        assert asked <= known


def test_declared_fast_paths_of_each_kind_leave_the_implementation_alone():
    def function(kind, name):
        entry = copy.copy(optable.lookup(kind, name))
        entry.impl = lambda *args, **options: pytest.fail(f"{name} was computed slowly")
        if kind == "primitive":
            made: Any = optable.primitive_class(entry, name, module="agar.ops")
            return made()
        return optable.binding(entry, name, module="agar.ops.function")

    x = ms.ops.ones((2, 3))
    assert function("function", "relu")(x).shape == (2, 3)
    assert function("method", "__mul__")(x, 2.0).shape == (2, 3)
    assert function("function", "expand_dims")(x, 0).shape == (1, 2, 3)
    assert function("primitive", "LogSoftmax")(x).shape == (2, 3)
    with pytest.raises(pytest.fail.Exception, match="slowly"):
        function("function", "expand_dims")(x, np.int64(0))


def test_parameters_in_the_text_of_a_call():
    def function(a, dim, axis=1): ...

    local = {}
    params = list(inspect.signature(function).parameters.values())
    lines = fast_paths.fast_lines(
        Call(
            "torch.sum(a.dim, dim=dim, axis=axis)", "dim == axis and a._value.dtype is torch.bool"
        ),
        params,
        {"a": "a", "dim": "self.dim"},
        lambda name: name == "a",
        local,
    )
    assert "if self.dim == 1 and a._value.dtype is torch_bool:" in lines
    assert "torch_sum(a._value.dim, dim=self.dim, axis=1)" in lines
    assert local == {"torch_sum": torch.sum, "torch_bool": torch.bool}


def test_options_of_other_defaults_need_a_condition():
    def function(a, axis=-1): ...

    params = list(inspect.signature(function).parameters.values())
    names = {"a": "a", "axis": "axis"}
    with pytest.raises(TypeError, match="'fast' must be a Call: its condition says what 'axis'"):
        fast_paths.fast_lines(torch.relu, params, names, lambda name: True, {})
    with pytest.raises(TypeError, match="'fast' must say when 'a' is"):
        fast_paths.fast_lines(Pair(torch.add), [*params, *params], names, lambda name: True, {})
