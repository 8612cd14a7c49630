"""What bindings try first gives what the implementations give, results and errors alike."""

from __future__ import annotations

import builtins
import copy
import dis
import inspect
import itertools
import types

import numpy as np
import pytest
import torch

import agar as ms
from agar._core import fast_paths, optable
from agar._core.fast_paths import Call, Pair

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


def _outcome(function, *args):
    try:
        result = function(*args)
        value = result.to_torch()
        return type(result), value.dtype, value.shape, value.stride(), value.tolist()
    except Exception as error:
        return type(error), str(error)


def _same(fast, slow, *args):
    if isinstance(fast, type):  # a Primitive of its constructor's defaults
        try:
            fast, slow = fast(), slow()
        except TypeError:
            return
    assert repr(_outcome(fast, *args)) == repr(_outcome(slow, *args)), args


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
            return optable.primitive_class(entry, name, module="agar.ops")()
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
    with pytest.raises(ValueError, match="unpack"):
        fast_paths.fast_lines(Pair(torch.add), [*params, *params], names, lambda name: True, {})
