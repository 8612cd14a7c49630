"""How the engine works: recordings, graphs, what it leaves behind, gradients, random numbers."""

from __future__ import annotations

import builtins
import copy
import gc
import importlib.util
import math
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, mint, nn, ops
from agar._core.graph.cache.function import CompiledFunction
from agar._core.graph.cache.tree import nodes_of
from agar._core.graph.ir.graph import (
    Host,
    Op,
    Ref,
    aliases_resolved,
    inputs_of,
    is_pure,
    map_refs,
    mutates,
    same_value,
    used_by,
    without_dead_code,
)
from agar._core.graph.record.recorder import Recorder, value_key
from agar._core.random import get_all_state, set_all_state
from agar._core.runtime import runtime, thread
from agar._core.tensor import wrap
from graph.programs import (
    Program,
    Tally,
    compared,
    counted,
    frozen,
    observe,
    stays_eager,
    the_specialization,
)

aten = torch.ops.aten


@pytest.fixture(autouse=True)
def no_search_for_plans(monkeypatch):
    monkeypatch.setattr(runtime, "plans", False)


def T(*values, dtype=ms.float32):
    return Tensor(list(values), dtype)


def recorded(function, *arguments):
    """The operations of one run."""
    recorder = Recorder()
    tensors = [a._value.detach() for a in arguments]
    recorder.inputs = range(len(tensors))
    with recorder:
        for i, t in enumerate(tensors):
            recorder.new_variable(t, i)
        result = function(*[wrap(t) for t in tensors])
        recorder.finish([result._value] if isinstance(result, Tensor) else [])
    return recorder


# -------------------------------------------------------------------------------- the graph


def test_a_recording_is_a_list_of_operations():
    recorder = recorded(lambda x, y: ops.relu(x @ y) + 1, ops.ones((2, 2)), ops.ones((2, 2)))
    assert [op.name for op in recorder.ops if op.name != "detach"] == ["mm", "relu", "add.Tensor"]
    assert recorder.aborted is None
    assert not recorder.cuts
    site = recorder.ops[-1].site
    assert site is not None
    assert site[0] == __file__


def test_constants_of_equal_look_and_different_meaning():
    differ = [1, 1.0, True, "1", None, (1,), [1], 0.0, -0.0 + 0j, {"a": 1}, np.float32(1), 2]
    for i, a in enumerate(differ):
        for j, b in enumerate(differ):
            assert same_value(a, b) is (i == j), (a, b)
    assert same_value(math.nan, math.nan)
    assert same_value((1, [2, {"k": math.nan}]), (1, [2, {"k": math.nan}]))
    assert same_value(np.arange(3), np.arange(3))
    assert not same_value(np.arange(3), np.arange(3) + 1)
    assert not same_value(torch.ones(1), torch.ones(1))  # tensors are variables, never constants

    def make(k):
        return lambda x: x * k

    assert same_value(make(2), make(2))
    assert not same_value(make(2), make(3))


def test_values_read_as_keys():
    assert value_key(math.nan) == value_key(float("nan"))
    assert value_key(0.0) != value_key(-0.0)
    assert value_key(True) == value_key(True)
    assert value_key((2, 3)) == (2, 3)


def test_passes_over_a_tape():
    a, b, c, d = Ref(0), Ref(1), Ref(2), Ref(3)
    add = Op(aten.add.Tensor, (a, b), {}, (2,))
    aborted = Op(aten.mul.Tensor, (a, 3), {}, (9,))
    alias = Op(aten.detach.default, (c,), {}, (3,))
    write = Op(aten.add_.Tensor, (d, 1), {}, (3,))
    host = Host(lambda *parts: None, "print", "nothing")
    said = Op(host, (("text", a),), {}, ())
    assert used_by(said) == [0]
    assert mutates(write) == [3]
    assert not mutates(add)
    assert is_pure(add)
    assert not is_pure(write)
    assert not is_pure(said)
    assert not is_pure(Op(aten.rand.default, ([2],), {}, (5,)))
    graph = [add, aborted, alias, write, said]
    resolved, stands = aliases_resolved(graph)
    assert stands == {3: 2}
    assert [op.func for op in resolved] == [add.func, aborted.func, write.func, host]
    assert resolved[2].args == (Ref(2), 1)
    result = without_dead_code(resolved, [2])
    assert [op.func for op in result] == [add.func, write.func, host]
    assert inputs_of(result, [2]) == [0, 1]
    assert map_refs((a, [b, {"k": c}]), lambda r: r.i) == (0, [1, {"k": 2}])


def test_statistics_are_written_though_no_schema_says_so():
    x = torch.randn(4, 3)
    mean, var = torch.zeros(3), torch.ones(3)
    recorder = Recorder()
    with recorder:
        torch.nn.functional.batch_norm(x, mean, var, training=True)
    (op,) = [op for op in recorder.ops if "batch_norm" in op.name]
    assert not is_pure(op)
    assert len(mutates(op)) == 2


# ----------------------------------------------------------------------- recordings and replays


def test_two_recordings_then_replays():
    function = CompiledFunction(lambda x: x * 2 + 1, "f", level="O0")
    runs = counted(function)
    for i in range(10):
        assert function(T(i)).item() == 2 * i + 1
    specialization = the_specialization(function)
    assert runs == [2]
    assert specialization.recordings == 2
    assert function.plain_calls == 0
    assert specialization.eager is None
    (node,) = nodes_of(specialization.root)
    assert node.trusted


def test_a_signature_that_is_seen_once_is_not_recorded():
    function = CompiledFunction(lambda x: x * 2, "f", level="O0")
    for n in range(1, 6):
        function(ops.ones(n))
    assert len(function.specializations) == 2  # the first ones, at first sight
    for n in range(1, 6):
        function(ops.ones(n))
    assert len(function.specializations) == 5


def test_the_number_of_recordings_is_bounded():
    function = CompiledFunction(lambda x, k: x * k, "f", level="O0")
    for k in range(100):
        for _ in range(3):
            assert function(T(1.0), k).item() == k
    assert len(function.specializations) == 32
    assert function(T(1.0), 0).item() == 0


def test_gradients_run_plainly_once_then_are_recorded():
    ms.set_context(mode=ms.GRAPH_MODE)
    runs = Tally()

    def f(x):
        runs.add()
        return (x * x).sum()

    g = ms.grad(f)
    for i in range(8):
        assert g(T(i, 1)).tolist() == [2 * i, 2]
    assert runs.n == 3


def test_errors_in_replays_name_the_operator_and_its_line():
    def f(x, y):
        ops.assign(state, state + 1)
        return x // y

    state = ms.Parameter(T(0.0), name="state")
    function = CompiledFunction(f, "f", f, level="O0")
    x, good, bad = Tensor([4, 6]), Tensor([1, 2]), Tensor([0, 2])
    for _ in range(4):
        function(x, good)
    with pytest.raises(ZeroDivisionError, match=r"test_engine\.py"):
        function(x, bad)
    assert state.item() == 5  # what stands before the operator has happened, as it has eagerly
    assert function(x, good).tolist() == [4, 3]


def test_what_a_recording_replaces_is_put_back():
    plain = builtins.print, threading.Thread.start, torch.Tensor.numpy
    seen = []

    def f(x):
        seen.append((builtins.print is plain[0], torch.Tensor.numpy is not plain[2]))
        if x.sum() > 5:
            raise ValueError("no")
        return x * 2

    function = CompiledFunction(f, "f", level="O0")
    for v in (1.0, 9.0, 1.0, 9.0):
        observe(lambda v=v: function(T(v)))
    assert (False, True) in seen
    assert (builtins.print, threading.Thread.start, torch.Tensor.numpy) == plain
    assert "tolist" not in vars(torch.Tensor)
    assert thread.recorder is None
    assert not thread.inside
    assert not thread.in_graph
    assert torch.is_grad_enabled()


def test_tensors_carry_no_marks_away():
    parameter = ms.Parameter(T(1, 2), name="p")
    function = CompiledFunction(lambda x: (x + parameter, parameter), "f", parameter, level="O0")
    x = T(1, 1)
    for _ in range(3):
        function(x)
    assert getattr(parameter._value, "_agar_var", None) is None
    unit2 = CompiledFunction(lambda x: x * parameter, "g", parameter, level="O0")
    for _ in range(4):
        assert unit2(x).tolist() == [1, 2]


def test_units_inside_of_units_are_part_of_the_outer_one():
    inner = CompiledFunction(lambda x: x * 2, "inner", level="O0")
    outer = CompiledFunction(lambda x: inner(x) + 1, "outer", inner, level="O0")
    for i in range(4):
        assert outer(T(i)).item() == 2 * i + 1
    assert not inner.specializations
    for i in range(4):
        assert inner(T(i)).item() == 2 * i
    assert len(inner.specializations) == 1


def test_compiled_cells_are_still_asked_how_they_are_called():
    """Also where attributes were put back past `setattr`, as an export does when it is done."""
    net, x = nn.Dense(2, 2), ops.ones((1, 2))
    ms.set_context(mode=ms.GRAPH_MODE)
    for _ in range(3):
        net(x)
    net.set_grad()
    net(x)
    assert vars(net).pop("_gradient_records")
    before = dict(vars(net))
    vars(net)["requires_grad"] = False
    net._route()
    net(x)
    assert "_gradient_records" not in vars(net)
    vars(net).update(before)
    net(x)
    assert vars(net).pop("_gradient_records")
    net.set_grad(False)
    hook = net.register_forward_hook(lambda cell, inputs, out: out + 1)
    changed = net(x).asnumpy()
    hook.remove()
    np.testing.assert_array_equal(net(x).asnumpy() + 1, changed)


def test_classes_with_a_call_of_their_own_keep_it():
    class Pair(nn.Cell):
        def _call(self, args, kwargs):
            out = super()._call(args, kwargs)
            return out if thread.inside else (out, "from outside")

        def construct(self, x):
            return x * 2

    net = Pair()
    ms.set_context(mode=ms.GRAPH_MODE)
    for i in range(5):
        out, words = net(T(i))
        assert (out.item(), words) == (2 * i, "from outside")
    assert vars(net)["_compiled"].entry is not None


def test_copies_of_compiled_cells_are_compiled_anew():
    net, x = nn.Dense(2, 2), ops.ones((1, 2))
    ms.set_context(mode=ms.GRAPH_MODE)
    for _ in range(3):
        net(x)
    for again in (copy.copy(net), copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert "_compiled" not in vars(again)
        again.bias = ms.Parameter(ops.ones(2))
        shifted = net(x) - net.bias + again.bias
        np.testing.assert_allclose(again(x).asnumpy(), shifted.asnumpy(), rtol=1e-5)


def test_a_warning_is_given_once_for_a_place():
    def f(x, k):
        return Tensor(x.asnumpy() * k)

    function = CompiledFunction(f, "f", level="O0")
    with stays_eager():
        for k in range(5):
            for _ in range(3):
                function(T(1.0), k)


def test_results_without_tensors():
    def f(x):
        return None, 3, "text", x.shape, x.dtype, [x.ndim, {"k": (1.5, True)}]

    done = compared(lambda: Program(f), [T(1, 2)] * 4)
    assert done.runs == 2
    done = compared(lambda: Program(lambda x: None), [T(1, 2)] * 4)
    assert done.runs == 2


def test_calls_without_arguments():
    weight = ms.Parameter(T(1, 2), name="w")

    def f():
        ops.assign_add(weight, ops.ones(2))
        return weight * 2

    function = CompiledFunction(f, "f", f, level="O0")
    for i in range(6):
        assert function().tolist() == [2 * (i + 2), 2 * (i + 3)]


def test_constants_are_computed_once():
    def f(x):
        mask = ops.tril(ops.ones((4, 4)))
        return x @ (mask * 2) + ops.arange(4)

    function = CompiledFunction(f, "f", level="O0")
    x = ops.ones((2, 4))
    for _ in range(3):
        assert frozen(function(x)) == frozen(f(x))
    specialization = the_specialization(function)
    names = [op.name for op in specialization.root.subgraph.ops]
    assert "tril" not in names
    assert "mul.Tensor" not in names
    assert len(names) <= 3


# ---------------------------------------------------------------------------------- gradients


def _battery():
    path = Path(__file__).parents[1] / "ops" / "test_operators.py"
    spec = importlib.util.spec_from_file_location("operator_battery_2", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


battery = _battery()

#: torch's formula of the gradient differs under a dispatch mode, or LAPACK's result with alignment.
ROUNDED_GRADIENTS = 1e-9


@battery.over([e for e in battery.REPEATABLE if e.differentiable and e.inplace is None])
def test_gradients_of_operators(entry):
    """One sample of each operator: the compiled gradient is the eager one."""
    for sample in battery._samples(entry):
        text, args, kwargs = sample
        flat = [t for t in battery.tensors((args, kwargs)) if t.is_floating_point()]
        if flat:
            break
    else:
        return
    name, binding = next(iter(battery.bindings(entry, args, kwargs).items()))

    def call(*values):
        new = iter(values)

        def swap(v):
            if isinstance(v, torch.Tensor):
                return next(new) if v.is_floating_point() else Tensor(v.clone())
            return v

        result = binding(*battery.mapped(args, swap), **battery.mapped(kwargs, swap))
        items = [t for t in _tensors(result) if t.dtype in (ms.float64, ms.complex128)]
        return sum([(t * t.conj()).real().sum() if t.is_complex() else t.sum() for t in items])

    gradient = ms.value_and_grad(call, tuple(range(len(flat))))
    function = CompiledFunction(lambda *values: gradient(*values), name, call, level="O0")
    for factor in (1.0, 1.0, 0.9, 0.8):
        values = [Tensor(t * factor) for t in flat]
        eager, graph = (observe(lambda f=f, v=values: f(*v)) for f in (gradient, function))
        if eager.error is not None and eager.error[0] in ("TypeError", "AttributeError"):
            return  # such a result has no gradient eagerly
        problems = eager.differences(graph, ROUNDED_GRADIENTS)
        assert not problems, f"{name}({text}): {problems}"


def _tensors(value):
    items = []
    battery.mapped(value, lambda v: items.append(v) if isinstance(v, Tensor) else None)
    return items


def test_numpy_functions_with_a_gradient_in_graphs():
    @ms.numpy_function(vjp=lambda x, out, dout: (dout * np.cos(x),))
    def sine(x):
        return np.sin(x)

    def f(x):
        return (sine(x * 2) * x).sum()

    step = ms.value_and_grad(f)
    done = compared(lambda: Program(lambda x: step(x)), [T(0.1 * i, 1.0) for i in range(6)])
    assert done.runs == 2


def test_custom_bprop_and_stop_gradient_in_graphs():
    class Clipped(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            print("backward", dout)
            return (ops.clamp(dout * 2 * x, -1, 1),)

    def make():
        net = Clipped()
        step = ms.grad(lambda x: (net(x) + ops.stop_gradient(x) * x).sum())
        return Program(lambda x: step(x), roots=[net])

    assert compared(make, [T(0.1 * i, -1.0 * i) for i in range(6)]).runs == 2


def test_hooks_on_tensors_and_cells_in_graphs():
    class Hooked(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 2, weight_init="ones")

        def construct(self, x):
            y = self.dense(x)
            y.register_hook(lambda g: g * 3)
            return (y * y).sum()

    def make():
        net = Hooked()
        step = ms.value_and_grad(net, 0, net.trainable_params())
        return Program(lambda x: step(x), net.get_parameters(), roots=[net])

    compared(make, [T(0.1 * i, 1.0).reshape(1, 2) for i in range(6)])


def test_recomputed_cells_in_graphs():
    def make():
        net = nn.SequentialCell(nn.Dense(4, 4), nn.BatchNorm1d(4), nn.Dropout(p=0.5), nn.ReLU())
        net.set_train().recompute()
        step = ms.value_and_grad(net, 0, net.trainable_params())
        return Program(lambda x: step(x), net.get_parameters(), roots=[net])

    calls = [Tensor(np.random.RandomState(i).randn(3, 4).astype(np.float32)) for i in range(6)]
    assert compared(make, calls).runs == 2


# ----------------------------------------------------------------------------- random numbers


def test_random_numbers_are_fresh_and_those_of_eager_runs():
    def make():
        drop = nn.Dropout(p=0.5)
        draw = ops.StandardNormal(seed=3)

        def f(x):
            return (
                drop(x),
                draw((2,)),
                ops.dropout(x, 0.5, True),
                ops.rand(2),
                mint.randn(2),
                x.normal_(),
                ops.shuffle(x),
                mint.nn.functional.dropout(x),
                ops.multinomial(ops.ones(4), 2),
            )

        return Program(f, roots=[drop, draw])

    done = compared(make, [lambda: (ops.ones(4),)] * 8)
    assert done.runs == 2


def test_seeds_and_states_set_between_calls():
    def make():
        drop = nn.Dropout(p=0.5)
        return Program(lambda x: (drop(x), ops.rand(2), mint.rand(2)), roots=[drop])

    states = []
    for compiled in (False, True):
        ms.set_seed(1)
        ms.manual_seed(1)
        program = make()
        call = program.call
        if compiled:
            call = CompiledFunction(call, "f", *program.roots, call, level="O0")
        rows = []
        all_state: Any = None
        for i in range(12):
            if i == 4:
                ms.set_seed(9)
                ms.manual_seed(9)
            if i == 6:
                all_state = get_all_state()
            if i == 9:
                set_all_state(all_state, strict=False)
            rows.append(frozen(call(ops.ones(8))))
        assert rows[6:9] == rows[9:12]
        states.append(rows)
    assert states[0] == states[1]


def test_generators_as_arguments():
    def f(x, generator):
        return x + mint.rand(2, generator=generator)

    rows = []
    for compiled in (False, True):
        call = CompiledFunction(f, "f", level="O0") if compiled else f
        a, b = ms.Generator(), ms.Generator()
        a.manual_seed(1)
        b.manual_seed(2)
        rows.append([frozen(call(T(1, 1), g)) for g in (a, a, a, a, b, b, b, a)])
    assert rows[0] == rows[1]


# ------------------------------------------------------------------------------- whole pages


_spec = importlib.util.spec_from_file_location(
    "seed_pages", Path(__file__).parents[1] / "test_seed_pages.py"
)
assert _spec is not None
assert _spec.loader is not None
pages = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(pages)


@pytest.mark.skipif(
    not pages.PAGES, reason="the guide's pages (../shared/seeds) are not beside this checkout"
)
@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.name[:3])
def test_pages_of_the_guide_print_the_same_in_graph_mode(page, tmp_path, monkeypatch):
    monkeypatch.setenv("AGAR_TEST_MODE", "graph")
    pages.test_page(page, tmp_path)


def test_a_program_of_several_calls_in_a_process_of_its_own(tmp_path, monkeypatch):
    """Replays, too, print what eager calls print, under the alias and in a fresh process."""
    block = """
import mindspore as ms
from mindspore import nn, ops
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    def construct(self, x):
        y = self.dense(x)
        if y.sum() > 10:
            print("large", y)
        return y
net = Net()
optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
step = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, optimizer.parameters)
for i in range(8):
    value, grads = step(ops.ones((1, 3)) * i)
    optimizer(grads)
    print(i, value, grads[1], net(ops.ones((1, 3))))
"""
    printed = []
    for mode in ("pynative", "graph"):
        monkeypatch.setenv("AGAR_TEST_MODE", mode)
        printed.append(pages.run_page([block], tmp_path))
    assert printed[0] == printed[1]
    assert printed[0][0][1] is None, printed[0]
    assert len(printed[0][0][0].splitlines()) >= 8


def test_a_short_program_ends_in_peace(tmp_path):
    """Nothing that goes on in the background disturbs the end of the process."""
    program = """
import numpy as np, agar as ms
from agar import nn
from agar._core.graph.autotune import tuner
# look for other plans at once
tuner._WORTH = tuner._ASK = tuner._TOO_SMALL = tuner.Tools._PAUSE = 0.0
ms.set_context(mode=ms.GRAPH_MODE)
net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU()).set_train(False)
x = ms.Tensor(np.ones((2, 3, 8, 8), np.float32))
for _ in range(6):
    net(x)
print("done")
"""
    environment = {**os.environ, "AGAR_CACHE_DIR": str(tmp_path), "AGAR_PLANS": "1"}
    for compiles in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=False,
            env={**environment, "AGAR_COMPILE": compiles},
        )
        assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
        assert not done.stderr


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_recomputed_cells_keep_nothing(mode):
    net = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU()).set_train().recompute()
    step = ms.value_and_grad(net, 0, net.trainable_params())
    call = CompiledFunction(lambda x: step(x), "f", net, level="O0") if mode == "graph" else step
    x = ops.ones((3, 4))

    def living():
        gc.collect()
        return sum(type(o) is torch.Tensor for o in gc.get_objects())

    for _ in range(4):
        call(x)
    before = living()
    for _ in range(5):
        call(x)
    assert living() == before
