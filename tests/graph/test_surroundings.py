"""What changes around compiled calls: parameters, attributes, modes, threads, arguments."""

from __future__ import annotations

import copy
import gc
import itertools
import pickle
import random
import threading
import time
import tracemalloc
import warnings
import weakref
from collections import OrderedDict, namedtuple
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Tensor, nn, ops
from agar._core.graph.cache.function import CompiledFunction
from agar._core.graph.diagnostics import GraphWarning
from agar._core.runtime import runtime
from agar.common.initializer import initializer
from graph.programs import (
    Program,
    compared,
    compete_at_once,
    counted,
    frozen,
    observe,
    quiet,
    stays_eager,
    the_specialization,
)


@pytest.fixture(autouse=True)
def no_search_for_plans(monkeypatch):
    monkeypatch.setattr(runtime, "plans", False)


def T(*values, dtype=ms.float32):
    return Tensor(list(values), dtype)


def rows(n=3, size=4, seed=0):
    return Tensor(np.random.RandomState(seed).randn(n, size).astype(np.float32))


class Net(nn.Cell):
    def __init__(self, size=4):
        super().__init__()
        self.dense = nn.Dense(size, size)
        self.norm = nn.BatchNorm1d(size)
        self.drop = nn.Dropout(p=0.5)
        self.scale = 1.0

    def construct(self, x):
        y = self.norm(self.dense(x))
        return self.drop(ops.relu(y)) * self.scale


def in_both_modes(make, script):
    """Run a script over a network eagerly and in GRAPH_MODE; want the same at every step.

    `script(net, note)` calls ``note(function)`` for everything that is to be compared.
    """
    seen = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        ms.set_seed(11)
        ms.manual_seed(11)
        net = make()
        rows = []

        def note(function, rows=rows, net=net):
            row = observe(function, list(net.get_parameters()))
            rows.append(row)
            return row

        with quiet(allowed=False):
            script(net, note)
        ms.set_context(mode=ms.PYNATIVE_MODE)
        seen.append(rows)
    eager, graph = seen
    assert len(eager) == len(graph)
    for i, (a, b) in enumerate(zip(eager, graph, strict=True)):
        assert not a.differences(b), f"step {i + 1}: {a.differences(b)}"
    return eager


def compiled_function_of(net):
    return net.__dict__["_compiled"]


# ------------------------------------------------------------------------------- parameters


def test_set_data_of_the_same_shape_is_seen_without_recording_again():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.Dense(2, 2, has_bias=False)
    x = T(1, 2)
    for i in range(6):
        net.weight.set_data(Tensor([[i, 0], [0, i]], ms.float32))
        assert net(x).tolist() == [i, 2 * i]
    assert compiled_function_of(net).plain_calls == 0
    assert sum(v.recordings for v in compiled_function_of(net).specializations.values()) == 2


def test_set_data_of_another_shape_or_type():
    def script(net, note):
        x = rows(3, 4)
        for _ in range(4):
            note(lambda: net(x))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            net.weight.set_data(initializer("ones", (2, 4)), slice_shape=True)
            net.bias.set_data(initializer("ones", (2,)), slice_shape=True)
        for _ in range(4):
            note(lambda: net(x))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            net.weight.set_data(Tensor(np.ones((2, 4)), ms.float64))
            net.bias.set_data(Tensor(np.zeros(2), ms.float64))
        for _ in range(4):
            note(lambda: net(x.astype(ms.float64)))

    in_both_modes(lambda: nn.Dense(4, 3), script)


@pytest.mark.parametrize("how", ["load_param_into_net", "load_checkpoint", "assign", "item", "to"])
def test_other_ways_of_changing_weights(how, tmp_path):
    def script(net, note):
        x = rows()
        for _ in range(3):
            note(lambda: net(x))
        other = {p.name: ms.Parameter(p * 2 + 1, name=p.name) for p in net.get_parameters()}
        if how == "load_param_into_net":
            ms.load_param_into_net(net, other)
        elif how == "load_checkpoint":
            path = str(tmp_path / "net.ckpt")
            ms.save_checkpoint([{"name": n, "data": p} for n, p in other.items()], path)
            ms.load_checkpoint(path, net)
        elif how == "assign":
            net.dense.weight = other["dense.weight"]
            ops.assign(net.dense.bias, other["dense.bias"])
        elif how == "item":
            net.dense.weight[0, 0] = 5.0
            net.dense.bias += 1
        else:
            net.to(ms.float64)
            x = x.astype(ms.float64)
        for _ in range(4):
            note(lambda: net(x))

    in_both_modes(lambda: Net().set_train(False), script)


@pytest.mark.parametrize("kind", ["set_data", "list", "schedule", "cosine", "groups"])
def test_learning_rates_that_change(kind):
    def make():
        return nn.SequentialCell(nn.Dense(4, 4), nn.Tanh(), nn.Dense(4, 1))

    def script(net, note):
        weights = net.trainable_params()
        if kind == "groups":
            weights = [{"params": weights[:2], "lr": 0.1}, {"params": weights[2:]}]
        rate = {
            "list": [0.1, 0.05, 0.01, 0.005, 0.001, 0.3, 0.2, 0.1],
            "schedule": nn.ExponentialDecayLR(0.1, 0.5, 2),
            "cosine": nn.CosineDecayLR(0.01, 0.1, 6),
        }.get(kind, 0.05)
        optimizer = nn.Momentum(weights, rate, 0.9)
        gradient = ms.value_and_grad(net, None, optimizer.parameters)

        class Step(nn.Cell):
            def __init__(self):
                super().__init__()
                self.net = net
                self.optimizer = optimizer

            def construct(self, x):
                loss, grads = gradient(x)
                self.optimizer(grads)
                return loss

        step = Step()
        for i in range(8):
            if kind == "set_data" and i % 3 == 2:
                ops.assign(optimizer.learning_rate, Tensor(0.01 * i, ms.float32))
            note(lambda i=i: (step(rows(seed=i)), optimizer.get_lr()))

    in_both_modes(make, script)


def test_training_and_evaluation_switch_back_and_forth():
    def script(net, note):
        for i in range(12):
            net.set_train(i % 4 < 2)
            note(lambda i=i: net(rows(seed=i)))

    in_both_modes(Net, script)


def test_switching_back_uses_the_old_recordings():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    runs = None
    for i in range(20):
        net.set_train(i % 2 == 0)
        net(rows())
        runs = runs or counted(compiled_function_of(net))
    assert runs == [4 - 1]  # two recordings of each; the first call was before the count


def test_attributes_that_change():
    def script(net, note):
        for value in (1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 3, 3, 3, np.float32(2), None):
            if value is not None:
                net.scale = value
            else:
                net.drop = nn.Identity()
            note(lambda: net(rows()))
        for p in (0.1, 0.9):
            net.drop = nn.Dropout(p=p).set_train()
            for _ in range(3):
                note(lambda: net(rows()))

    in_both_modes(lambda: Net().set_train(), script)


def test_attributes_deep_inside():
    class Config:
        def __init__(self):
            self.slope = 2.0
            self.inner = {"bias": [1.0, 2.0]}

    class Deep(nn.Cell):
        def __init__(self):
            super().__init__()
            self.config = Config()
            self.blocks = nn.CellList([Net(), Net()])

        def construct(self, x):
            for block in self.blocks:
                x = block(x)
            return x * self.config.slope + self.config.inner["bias"][1]

    def script(net, note):
        for change in range(6):
            if change == 1:
                net.config.slope = 3.0
            elif change == 2:
                net.config.inner["bias"][1] = 7.0
            elif change == 3:
                net.blocks[1].scale = 0.5
            elif change == 4:
                net.blocks[0].norm.momentum = 0.5
            elif change == 5:
                net.blocks.append(Net().set_train())
            for _ in range(3):
                note(lambda: net(rows()))

    in_both_modes(lambda: Deep().set_train(), script)


def test_numbers_in_lists_and_dicts():
    class Weighted(nn.Cell):
        def __init__(self):
            super().__init__()
            self.factors = [1.0, 2.0]
            self.table = {"bias": 1.0, "deep": {"x": [0.0]}}

        def construct(self, x):
            return x * self.factors[1] + self.table["bias"] + self.table["deep"]["x"][0]

    def script(net, note):
        for change in range(5):
            if change == 1:
                net.factors[1] = 7.0
            elif change == 2:
                net.table["bias"] = 3.0
            elif change == 3:
                net.table["deep"]["x"][0] = 5.0
            elif change == 4:
                net.factors[:] = [0.0, 0.5]
            for _ in range(3):
                note(lambda: net(rows()))

    in_both_modes(Weighted, script)


def test_an_attribute_that_differs_at_every_call():
    def script(net, note):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)
            for i in range(40):
                net.scale = float(i)
                note(lambda: net(rows()))

    in_both_modes(lambda: Net().set_train(False), script)


def test_frozen_parameters():
    def script(net, note):
        def gradients():
            weights = net.trainable_params()
            return ms.grad(net, None, weights)(rows()), len(weights)

        for i in range(12):
            net.dense.weight.requires_grad = i // 4 != 1
            net.norm.gamma.requires_grad = i // 4 == 2
            note(gradients)
            note(lambda: net(rows()))

    in_both_modes(lambda: Net().set_train(False), script)


def test_replaced_children():
    def script(net, note):
        x = rows()
        for child in (None, nn.Dense(4, 4, has_bias=False), nn.SequentialCell(nn.Dense(4, 4))):
            if child is not None:
                net.dense = child
            for _ in range(3):
                note(lambda: net(x))
        net.insert_child_to_cell("drop", nn.ReLU())
        for _ in range(3):
            note(lambda: net(x))

    in_both_modes(lambda: Net().set_train(False), script)


def test_a_replaced_construct():
    def script(net, note):
        x = rows()
        for _ in range(3):
            note(lambda: net(x))
        net.construct = lambda x: net.dense(x) * 3
        for _ in range(3):
            note(lambda: net(x))

    in_both_modes(lambda: Net().set_train(False), script)


def test_hooks():
    def script(net, note):
        x = rows()
        for _ in range(3):
            note(lambda: net(x))
        calls = []
        handle = net.dense.register_forward_hook(
            lambda cell, inputs, output: (calls.append(1), output * 2)[1]
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)
            for _ in range(4):
                note(lambda: net(x))
        handle.remove()
        for _ in range(4):
            note(lambda: net(x))
        backward = net.dense.register_backward_hook(lambda cell, gin, gout: (gin[0] * 2,))
        for _ in range(4):
            note(lambda: ms.grad(net)(x))
        backward.remove()
        for _ in range(4):
            note(lambda: ms.grad(net)(x))

    in_both_modes(lambda: Net().set_train(False), script)


# --------------------------------------------------------------------------------- precision


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_amp_levels(level):
    def script(net, note):
        x = rows()
        for _ in range(3):
            note(lambda: net(x))
        mixed = ms.amp.auto_mixed_precision(net, level)
        for _ in range(4):
            note(lambda: mixed(x))
            note(lambda: ms.grad(mixed)(x))

    in_both_modes(lambda: Net().set_train(), script)


def test_to_float():
    def script(net, note):
        x = rows()
        for dtype in (ms.float32, ms.float16, ms.bfloat16, ms.float32):
            net.dense.to_float(dtype)
            for _ in range(4):
                note(lambda: net(x))
                note(lambda: ms.grad(net)(x))

    in_both_modes(lambda: Net().set_train(False), script)


def test_loss_scaling_under_amp():
    def script(net, note):
        optimizer = nn.Adam(net.trainable_params(), 0.01)
        loss = nn.WithLossCell(net, nn.MSELoss())
        manager = nn.DynamicLossScaleUpdateCell(2.0**12, 2, 3)
        step = nn.TrainOneStepWithLossScaleCell(loss, optimizer, manager).set_train()
        for i in range(10):
            x = rows(seed=i) * (1e38 if i in (4, 7) else 1)
            note(lambda x=x: step(x, rows(seed=9)))

    in_both_modes(lambda: nn.Dense(4, 4), script)


# ----------------------------------------------------------------------------- modes and jit


def test_mode_switches_in_the_middle():
    def script(net, note):
        graph = ms.get_context("mode") == ms.GRAPH_MODE
        for i in range(12):
            if graph:
                ms.set_context(mode=ms.GRAPH_MODE if i % 3 else ms.PYNATIVE_MODE)
            note(lambda i=i: net(rows(seed=i)))

    in_both_modes(lambda: Net().set_train(), script)


def test_the_mode_switches_inside_of_construct():
    class Switch(nn.Cell):
        def construct(self, x):
            ms.set_context(mode=ms.PYNATIVE_MODE)
            return x * 2

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Switch()
    assert net(T(1, 2)).tolist() == [2, 4]
    assert ms.get_context("mode") == ms.PYNATIVE_MODE
    assert net(T(2, 2)).tolist() == [4, 4]


def test_jit_of_functions_methods_and_cells():
    class Model(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(T(1, 2), name="w")
            self.k = 2

        @ms.jit
        def twice(self, x, y=None):
            return x * self.w * self.k if y is None else x * y * self.k

        def construct(self, x):
            return self.twice(x) + self.twice(x, y=x)

    first, second = Model(), Model()
    second.k = 5
    for i in range(5):
        x = T(i, 1)
        assert first(x).tolist() == [2 * i + 2 * i * i, 4 + 2]
        assert second.twice(x).tolist() == [5 * i, 10]
        assert first.twice(x, y=x).tolist() == [2 * i * i, 2]
    first.k = 1
    second.w.set_data(T(0, 0))
    assert first.twice(T(1, 1)).tolist() == [1, 2]
    assert second.twice(T(1, 1)).tolist() == [0, 0]

    net = ms.jit(nn.Dense(2, 2, weight_init="ones", bias_init="zeros"))
    for i in range(4):
        assert net(T(i, 1)).tolist() == [i + 1, i + 1]


def test_jit_functions_call_each_other():
    @ms.jit
    def inner(x):
        return x * 2 if x.sum() > 0 else x - 1

    @ms.jit
    def outer(x):
        return inner(x) + inner(-x)

    for v in (1.0, 2.0, -3.0, 4.0, -5.0, 6.0):
        assert outer(T(v)).item() == (2 * v if v > 0 else v - 1) + (-2 * v if v < 0 else -v - 1)
        assert inner(T(v)).item() == (2 * v if v > 0 else v - 1)


def test_jit_inside_of_eager_gradients():
    net = Net().set_train(False)
    weights = net.trainable_params()

    @ms.jit
    def forward(x):
        return net(x).sum()

    def loss(x):
        return ops.tanh(forward(x * 2)) * 3

    def plain(x):
        return ops.tanh(net(x * 2).sum()) * 3

    gradient, expected = (ms.value_and_grad(f, 0, weights) for f in (loss, plain))
    for i in range(6):
        assert frozen(gradient(rows(seed=i))) == frozen(expected(rows(seed=i)))
    function = forward._compiled
    assert sum(v.replays for v in function.gradients.values()) == 4


def test_a_recording_that_dies_inside_a_gradient():
    """The array that Python takes must cost the compiled form only, not the gradient."""

    @ms.jit
    def f(x):
        scale = 1 + 0 * x.asnumpy().sum()
        return (x * x).sum() * scale

    with stays_eager("numpy"):
        for i in range(4):
            value, grad = ms.value_and_grad(f)(T(i, 1))
            assert (value.item(), grad.tolist()) == (i * i + 1, [2 * i, 2])


def test_second_order_through_compiled_functions():
    @ms.jit
    def f(x):
        return (x**3).sum()

    for i in range(5):
        assert ms.grad(ms.grad(f))(T(i, 1)).tolist() == [6 * i, 6]
    g = ms.jit(ms.grad(ms.grad(lambda x: (x**3).sum())))
    for i in range(5):
        assert g(T(i, 1)).tolist() == [6 * i, 6]


@pytest.mark.parametrize(
    "transform",
    [
        lambda f, x: ms.vmap(f)(x),
        lambda f, x: ms.jvp(f, x, x),
        lambda f, x: ms.vjp(f, x)[1](f(x)),
        lambda f, x: ms.jacrev(f)(x),
        lambda f, x: ms.jacfwd(f)(x),
        lambda f, x: ms.get_grad(ms.grad(f, 0, None, return_ids=True)(x), 0),
    ],
    ids=["vmap", "jvp", "vjp", "jacrev", "jacfwd", "ids"],
)
def test_transforms_around_and_inside(transform):
    def f(x):
        return ops.sin(x) * x

    compiled = ms.jit(f)
    inside = ms.jit(lambda x: transform(f, x))
    for i in range(5):
        x = T(i + 1, 2, 3)
        expected = frozen(transform(f, x))
        assert frozen(transform(compiled, x)) == expected
        assert frozen(inside(x)) == expected


@pytest.mark.parametrize("environment", ["jit", "eager", "graph"])
def test_changing_a_differentiated_argument_in_place(environment):
    def f(x):
        x.add_(1)
        if x.sum() > 3:
            return ops.tanh(x).sum()
        return (x * x).sum()

    expected, got = [], []
    for target in (f, None):
        if target is None and environment == "eager":
            call = ms.value_and_grad(ms.jit(f))
        elif target is None and environment == "jit":
            call = ms.jit(ms.value_and_grad(f))
        else:
            if target is None:
                ms.set_context(mode=ms.GRAPH_MODE)
            call = ms.value_and_grad(f)
        rows = expected if target is f else got
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)
            for v in (1.0, 2.0, 3.0, -4.0, 5.0, -6.0, -7.0, -8.0):
                x = T(v, v)
                rows.append((frozen(call(x)), x.tolist()))
    assert got == expected


# ------------------------------------------------------------------------- copies and threads


def test_deep_copies_and_pickles_of_compiled_cells():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net().set_train(False)
    x = rows()
    expected = [net(x).tolist() for _ in range(3)][-1]
    for item in (copy.deepcopy(net), pickle.loads(pickle.dumps(net)), copy.copy(net)):
        assert [item(x).tolist() for _ in range(3)] == [expected] * 3
    other = copy.deepcopy(net)
    other.dense.weight.set_data(ops.zeros((4, 4)))
    other.dense.bias.set_data(ops.zeros(4))
    other.norm.moving_mean.set_data(ops.zeros(4))
    assert other(x).asnumpy().sum() == 0
    assert net(x).tolist() == expected


def test_copies_do_not_share_recordings():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
    for _ in range(3):
        net(T(1, 1))
    twin = copy.deepcopy(net)
    for _ in range(3):
        twin.weight.set_data(twin.weight * 2)
        twin(T(1, 1))
    assert net(T(1, 1)).tolist() == [2, 2]
    assert twin(T(1, 1)).tolist() == [16, 16]


def test_two_threads_call_one_cell():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.SequentialCell(nn.Dense(8, 8), nn.Tanh(), nn.Dense(8, 8)).set_train(False)
    inputs = [rows(n, 8, seed=n) for n in (2, 3)]
    ms.set_context(mode=ms.PYNATIVE_MODE)
    expected = [net(x).tolist() for x in inputs]
    ms.set_context(mode=ms.GRAPH_MODE)
    wrong, errors = [], []
    barrier = threading.Barrier(4)

    def work(i):
        try:
            barrier.wait()
            got = [net(inputs[i % 2]).tolist() for _ in range(60)]
            wrong.extend(g for g in got if g != expected[i % 2])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors
    assert not wrong


# first calls at the same moment may take the print of another for one that nobody knows: the call
# is Python then, which is right
@pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
def test_threads_with_branches_and_prints(capsys):
    @ms.jit
    def f(x, n):
        if x.sum() > 0:
            x = x * 2
        print(f"thread {n}: {x[0]}\n", end="")
        return x - 1

    errors = []

    def work(n):
        try:
            for i in range(40):
                v = float((i % 5) - 2 + n)
                assert f(T(v), n).item() == (2 * v if v > 0 else v) - 1
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors, errors
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 * 40
    expected = sorted(
        f"thread {n}: {2 * v if v > 0 else v}"
        for n in range(3)
        for v in [float((i % 5) - 2 + n) for i in range(40)]
    )
    assert sorted(lines) == expected


def test_a_thread_that_starts_in_construct():
    class Threaded(nn.Cell):
        def construct(self, x):
            items = []
            thread = threading.Thread(target=lambda: items.append(x * 2))
            thread.start()
            thread.join()
            return items[0] + 1

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Threaded()
    with stays_eager(r"thread.*test_surroundings\.py"):
        for i in range(5):
            assert net(T(i, 1)).tolist() == [2 * i + 1, 3]


def test_calls_from_another_thread_while_one_records():
    """Nobody waits for a recording: the other thread's call runs as Python."""
    inside, go = threading.Event(), threading.Event()

    def f(x):
        if threading.current_thread() is not threading.main_thread():
            inside.set()
            assert go.wait(20)
        return x * 2

    function = CompiledFunction(f, "f", level="O0")
    got = []
    other = threading.Thread(target=lambda: got.append(function(T(5.0)).item()))
    other.start()
    assert inside.wait(20)
    assert function(T(1.0)).item() == 2
    assert function.plain_calls == 1
    go.set()
    other.join()
    assert got == [10]


# --------------------------------------------------------------------------------- exceptions


@pytest.mark.parametrize("when", ["first", "second", "replay"])
def test_an_exception_in_a_train_step_leaves_what_an_eager_one_leaves(when):
    at = {"first": 0, "second": 1, "replay": 5}[when]

    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = Net().set_train()
            self.optimizer = nn.Momentum(self.net.trainable_params(), 0.1, 0.9)
            self.gradient = ms.value_and_grad(self.net, None, self.optimizer.parameters)

        def construct(self, x, i):
            loss, grads = self.gradient(x)
            self.optimizer(grads[:3] + grads[3:])
            return ops.gather(loss, i, 0)

    def outcome(net, k, i):
        try:
            return net(rows(seed=k), i)
        except RuntimeError as error:  # a replay names the kernel once the optimizer has run
            return "out of range" in str(error) or "must be in the range" in str(error)

    def script(net, note):
        for k in range(9):
            i = Tensor([99 if k == at else 1], ms.int32)
            note(lambda k=k, i=i: outcome(net, k, i))

    in_both_modes(lambda: Step(), script)


def test_wrong_shapes_raise_as_eagerly_and_do_no_harm():
    def script(net, note):
        for i in range(8):
            note(lambda i=i: net(rows(3, 5 if i in (0, 4, 5) else 4)))

    seen = in_both_modes(lambda: Net().set_train(), script)
    assert [row.error is not None for row in seen] == [i in (0, 4, 5) for i in range(8)]


def test_an_exception_of_the_users_code_in_between():
    class Failing(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(T(1.0), name="w")
            self.fails = False

        def construct(self, x):
            ops.assign_add(self.w, x)
            if self.fails:
                raise KeyError("on purpose")
            return self.w * 2

    def script(net, note):
        for i in range(12):
            net.fails = i in (0, 5, 9)
            note(lambda: net(T(1.0)))

    in_both_modes(Failing, script)


def test_interrupts_pass_through():
    def f(x):
        if x.sum() > 5:
            raise KeyboardInterrupt
        return x * 2

    function = CompiledFunction(f, "f", level="O0")
    for _ in range(3):
        assert function(T(1.0)).item() == 2
    with pytest.raises(KeyboardInterrupt):
        function(T(9.0))
    for _ in range(3):
        assert function(T(2.0)).item() == 4


# ------------------------------------------------------------------------------- the arguments


Pair = namedtuple("Pair", "left right")


def test_kinds_of_arguments():
    def f(x, *rest, scale=1, mode="up", table=None, pair=None, **more):
        y = x * scale
        if mode == "down":
            y = -y
        for r in rest:
            y = y + (r if isinstance(r, (int, float, Tensor)) else 0)
        if table is not None:
            y = y + table["a"] * len(table)
        if pair is not None:
            y = y + pair.left - pair.right
        return {"y": y, "more": sorted(more), "pair": pair, "rest": rest}

    x = T(1, 2)
    calls = [
        {"args": (x,)},
        {"args": (x,), "scale": 2},
        {"args": (x,), "scale": 2.0},
        {"args": (x,), "scale": True},
        {"args": (x, 1, 2.5, None, "text")},
        {"args": (x, x, T(5, 6))},
        {"args": (x,), "mode": "down"},
        {"args": (x,), "table": {"a": x, "b": None}},
        {"args": (x,), "table": OrderedDict(a=T(3, 3))},
        {"args": (x,), "pair": Pair(T(1, 1), 3)},
        {"args": (x,), "pair": Pair(left=2, right=T(9, 9))},
        {"args": (x,), "zebra": 1, "ant": (2, [3, {"deep": x}])},
        {"args": (x,), "scale": np.float32(1.5)},
        {"args": (x,), "scale": Tensor([2.0, 3.0], ms.float32)},
        {"args": (x,), "scale": ms.Parameter(T(4, 5), name="p")},
        {"args": (x,), "scale": Tensor(2)},
        {"args": (x, -0.0, float("inf"), float("nan"))},
    ]
    function = CompiledFunction(f, "f", level="O0")
    for _ in range(4):
        for call in calls:
            keywords = {k: v for k, v in call.items() if k != "args"}
            assert frozen(function(*call["args"], **keywords)) == frozen(
                f(*call["args"], **keywords)
            )
    assert function.plain_calls < 3 * len(calls)


def test_equal_numbers_of_different_types():
    def f(x, k):
        return x * k, type(k).__name__

    function = CompiledFunction(f, "f", level="O0")
    for _ in range(4):
        for k in (1, 1.0, True, np.int64(1), np.float64(1)):
            got = function(Tensor([2], ms.int32), k)
            assert frozen(got) == frozen(f(Tensor([2], ms.int32), k))


def test_parameters_as_arguments():
    p, q = ms.Parameter(T(1, 2), name="p"), ms.Parameter(T(3, 4), name="q")

    def f(p, x):
        ops.assign_add(p, x)
        return p * 2, p

    function = CompiledFunction(f, "f", level="O0")
    for _ in range(6):
        for each in (p, q):
            doubled, same = function(each, T(1, 1))
            assert same is each
            assert doubled.tolist() == (each * 2).tolist()
    assert p.tolist() == [7, 8]
    assert q.tolist() == [9, 10]


def test_the_same_tensor_twice():
    def f(x, y):
        x.add_(1)
        return x * y

    function = CompiledFunction(f, "f", level="O0")
    for i in range(4):
        a, b = T(i, 1), T(2, 2)
        assert function(a, b).tolist() == [2 * (i + 1), 4]
        a = T(i, 1)
        assert function(a, a).tolist() == [(i + 1) ** 2, 4]
        assert a.tolist() == [i + 1, 2]
    grad = ms.jit(ms.grad(lambda x, y: (x * y).sum(), (0, 1)))
    for i in range(4):
        a, b = T(i, 1), T(i, 1)
        assert [g.tolist() for g in grad(a, b)] == [[i, 1], [i, 1]]
        expected = ms.grad(lambda x, y: (x * y).sum(), (0, 1))(a, a)
        assert frozen(grad(a, a)) == frozen(expected)


def test_arguments_that_share_memory():
    def f(x, y):
        x.mul_(10)
        return x + y

    def make():
        base = T(1, 2, 3, 4)
        return base, base[:3], base[1:]

    expected = []
    for call in (f, CompiledFunction(f, "f", level="O0")):
        got = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)
            for i in range(8):
                base, x, y = make()
                if i % 2:
                    x, y = T(1, 2, 3), T(2, 3, 4)
                got.append((call(x, y).tolist(), x.tolist(), y.tolist(), base.tolist()))
        expected.append(got)
    assert expected[1] == expected[0]


def test_an_argument_that_shares_memory_with_a_parameter():
    class Holder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(T(1, 2, 3), name="w")

        def construct(self, x):
            self.w.add_(1)
            return x * 1, self.w * 1

    results = []
    for compiled in (False, True):
        net = Holder()
        call = CompiledFunction(net, "net", net, level="O0") if compiled else net
        got = []
        for i in range(8):
            x = T(7, 8, 9) if i % 2 else net.w.value()
            got.append(frozen(call(x)))
        results.append(got)
    assert results[1] == results[0]


def test_results_that_share_memory():
    """A result that is a view of an argument or of a parameter stays one."""
    w = ms.Parameter(T(1, 2, 3), name="w")

    def f(x):
        y = x * 2
        return x[0], y, y[1:], w[:2], x

    function = CompiledFunction(f, "f", level="O0")
    for _ in range(5):
        x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        row, y, part, head, same = function(x)
        assert same is x
        row.add_(10)
        assert x.tolist() == [[11, 12], [3, 4]]
        part.mul_(0)
        assert y.tolist() == [[2, 4], [0, 0]]
        before = w[0].item()
        head.add_(1)
        assert w[0].item() == before + 1


def test_results_of_one_call_do_not_change_in_the_next():
    def f(x):
        table = Tensor([1.0, 2.0])
        return table, x + 1, ops.zeros(2), table * 2

    function = CompiledFunction(f, "f", level="O0")
    items = []
    for i in range(6):
        result = function(T(i, i))
        items.append(result)
        for t in result:
            t.add_(100)
    for i, (table, y, zeros, double) in enumerate(items):
        assert table.tolist() == [101, 102]
        assert y.tolist() == [i + 101, i + 101]
        assert zeros.tolist() == [100, 100]
        assert double.tolist() == [102, 104]


def test_results_that_are_containers_are_new_at_every_call():
    def f(x):
        return [x + 1], {"a": x}, np.arange(3)

    function = CompiledFunction(f, "f", level="O0")
    results = [function(T(i, 1)) for i in range(5)]
    for first, second in itertools.pairwise(results):
        for a, b in zip(first, second, strict=True):
            assert a is not b
    results[-1][0].append(5)
    results[-1][2][0] = 77
    again = function(T(0, 0))
    assert len(again[0]) == 1
    assert again[2].tolist() == [0, 1, 2]


KINDS = (
    "transposed", "strided", "columns", "expanded", "float64", "float16", "bfloat16", "int32",
    "int8", "bool", "empty", "nothing", "scalar", "complex", "lazy", "lazy-tensor",
)  # fmt: skip


@pytest.mark.parametrize(
    "make",
    [
        lambda: rows(4, 4).T,
        lambda: rows(6, 4)[::2],
        lambda: rows(4, 8)[:, ::2],
        lambda: ops.broadcast_to(rows(1, 4), (3, 4)),
        lambda: rows(4, 4).astype(ms.float64),
        lambda: rows(4, 4).astype(ms.float16),
        lambda: rows(4, 4).astype(ms.bfloat16),
        lambda: (rows(4, 4) * 10).astype(ms.int32),
        lambda: (rows(4, 4) * 10).astype(ms.int8),
        lambda: rows(4, 4) > 0,
        lambda: Tensor(np.zeros((0, 4), np.float32)),
        lambda: Tensor(np.zeros((4, 0), np.float32)),
        lambda: Tensor(3.0),
        lambda: Tensor(np.ones((2, 3, 4), np.complex64)),
        lambda: initializer("ones", (3, 4)),
        lambda: Tensor(shape=(3, 4), dtype=ms.float32, init=initializer("ones", (3, 4)).init),
    ],
    ids=KINDS,
)
def test_kinds_of_tensors(make):
    def f(x):
        y = x + x
        return y, y.T, (x != 0).sum(), ops.cat([x.reshape(-1), x.reshape(-1)]), x.shape

    compared(lambda: Program(f), [lambda: (make(),)] * 4)


def test_one_unit_takes_all_kinds():
    def f(x):
        return x + x, x.dtype, x.shape, x.strides

    kinds = [rows(4, 4), rows(4, 4).T, rows(2, 4), rows(4, 4).astype(ms.float64), Tensor(1), T(1)]
    function = CompiledFunction(f, "f", level="O0")
    for _ in range(4):
        for x in kinds:
            assert frozen(function(x)) == frozen(f(x))


def test_empty_batches_through_a_network():
    def script(net, note):
        for n in (0, 3, 0, 3, 0, 3, 0):
            note(lambda n=n: net(rows(n)))

    in_both_modes(lambda: nn.SequentialCell(nn.Dense(4, 3), nn.ReLU(), nn.Dense(3, 2)), script)


def test_lazy_parameters():
    class Lazy(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(initializer("normal", (4, 4)), name="w")

        def construct(self, x):
            return x @ self.w

    def script(net, note):
        for _ in range(4):
            note(lambda: net(rows()))

    in_both_modes(Lazy, script)


def test_set_inputs_and_mutable():
    def script(net, note):
        net.set_inputs(Tensor(shape=[None, 4], dtype=ms.float32))
        for n in (2, 3, 4, 5, 2, 3):
            note(lambda n=n: net(rows(n)))

    in_both_modes(lambda: Net().set_train(False), script)
    f = ms.jit(lambda values: values[0] * 2 + len(values))
    for i in range(4):
        assert f(ms.mutable([T(i, 1), T(1, 1)])).tolist() == [2 * i + 2, 4]
        assert f(ms.mutable((T(i, 1),), True)).tolist() == [2 * i + 1, 3]


# --------------------------------------------------------------------------- what Python holds


def test_objects_of_the_users_classes():
    class Settings:
        def __init__(self):
            self.factor = 2.0
            self.table = {"bias": 1.0}

        def apply(self, x):
            return x * self.factor + self.table["bias"]

    settings = Settings()

    def f(x):
        return settings.apply(x)

    function = CompiledFunction(f, "f", f, level="O0")
    for factor in (2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 2.0, 5.0):
        settings.factor = factor
        assert function(T(1.0)).item() == factor + 1
    g = CompiledFunction(lambda x, s: s.apply(x), "g", level="O0")
    for factor in (2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 2.0, 5.0):
        settings.factor = factor
        assert g(T(1.0), settings).item() == factor + 1


def test_closures_over_cells_and_tensors():
    net: Any = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
    offset = T(1, 1)
    weight = ms.Parameter(T(1, 2), name="w")

    def f(x):
        return net(x) + offset * weight

    function = CompiledFunction(f, "f", f, level="O0")
    for i in range(8):
        if i == 3:
            weight.set_data(T(5, 5))
        if i == 4:
            net.weight.set_data(ops.zeros((2, 2)))
        if i == 5:
            offset.add_(1)
        if i == 6:
            net.bias.set_data(T(7, 7))
        assert frozen(function(T(i, 1))) == frozen(f(T(i, 1)))


def test_train_and_eval_of_a_cell_in_a_closure():
    net = nn.Dropout(p=0.5)

    @ms.jit
    def f(x):
        return net(x)

    x = ops.ones(100)
    for train in (True, False, True, False, True, False):
        net.set_train(train)
        for _ in range(3):
            assert bool((f(x) == 0).any()) is train


def test_cells_in_lists_and_dicts():
    class Bag(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Dense(4, 4), nn.Dense(4, 4)]  # a plain list: not registered
            self.named = {"last": nn.Dense(4, 2)}

        def construct(self, x):
            for layer in self.layers:
                x = layer(x)
            return self.named["last"](x)

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Bag()
    x = rows()
    for _ in range(3):
        net(x)
    for change in (
        lambda: net.layers[0].weight.set_data(ops.zeros((4, 4))),
        lambda: net.layers.append(nn.Dense(4, 4)),
        lambda: net.named.update(last=nn.Dense(4, 1)),
        lambda: net.layers.pop(),
    ):
        change()
        got = net(x)
        ms.set_context(mode=ms.PYNATIVE_MODE)
        assert frozen(got) == frozen(net(x))
        ms.set_context(mode=ms.GRAPH_MODE)


def test_tensors_as_attributes():
    class Holder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mask = T(1, 0, 1)

        def construct(self, x):
            return x * self.mask

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Holder()
    for i in range(9):
        if i == 3:
            net.mask = T(0, 1, 0)
        if i == 6:
            net.mask[0] = 5.0
        assert net(T(1, 1, 1)).tolist() == net.mask.tolist()


def test_the_network_may_die():
    """What was compiled keeps no cell alive that nobody else holds."""
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    for _ in range(4):
        net(rows())
    ms.grad(net)(rows())
    weak = weakref.ref(net)
    del net
    gc.collect()
    assert weak() is None


# ------------------------------------------------------------------------------ folded weights


@pytest.mark.parametrize("how", ["set_data", "item", "numpy", "train", "load", "rebind", "torch"])
def test_plans_with_folded_weights_see_every_change(how, monkeypatch):
    """A plan that computed from the weights once must notice whatever changes them."""
    compete_at_once(monkeypatch)
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3, has_bias=True), nn.BatchNorm2d(4), nn.ReLU())
    net.set_train(False)
    x = Tensor(np.random.RandomState(0).randn(2, 3, 8, 8).astype(np.float32))
    function = CompiledFunction(net, "net", net)
    for _ in range(4):
        function(x)
    use_folded_plan(function, lambda: function(x))
    parameters = list(net.get_parameters())
    shared = parameters[0].asnumpy()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    gradient = ms.grad(net, None, optimizer.parameters)
    for i in range(24):
        if i % 6 == 2:
            if how == "set_data":
                parameters[0].set_data(parameters[0] * 0.5)
            elif how == "item":
                parameters[0][0] = 0.25 * i
            elif how == "numpy":
                shared[0] = 0.25 * i
            elif how == "train":
                optimizer(gradient(x))
            elif how == "load":
                ms.load_param_into_net(
                    net, {p.name: ms.Parameter(p * 1.5, name=p.name) for p in parameters}
                )
            elif how == "rebind":
                net[0].weight = ms.Parameter(net[0].weight * 2, name=net[0].weight.name)
            else:
                parameters[0].to_torch().mul_(0.5)
        expected = net(x).asnumpy()
        np.testing.assert_allclose(function(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def use_folded_plan(function, call):
    """Wait for the folded plan, and take it whatever its time is."""
    specialization = the_specialization(function)
    autotuner = specialization.root.autotuner
    for _ in range(400):
        call()
        items = [c for c in autotuner.candidates if c.name.startswith("folded") and c.run]
        if items:
            break
        time.sleep(0.02)
    else:
        raise AssertionError(autotuner.describe())
    autotuner.best = items[0]
    autotuner.install(items[0].run)


@pytest.mark.parametrize("level", ["O0", "O1"])
def test_memory_may_matter_more_than_speed(level, monkeypatch):
    """Plans that hold weights twice are not tried where the context asks for little memory."""
    compete_at_once(monkeypatch)
    ms.set_context(memory_optimize_level=level)
    try:
        net = nn.SequentialCell(nn.Conv2d(3, 4, 3, has_bias=True), nn.BatchNorm2d(4), nn.ReLU())
        net.set_train(False)
        function = CompiledFunction(net, "net", net)
        for _ in range(10):
            function(Tensor(np.ones((2, 3, 8, 8), np.float32)))
        names = [c.name for c in the_specialization(function).root.autotuner.candidates]
        assert ("folded" in names) == (level == "O0")
        assert "O1" in names
    finally:
        ms.set_context(memory_optimize_level="O0")


# ----------------------------------------------------------------------------------- long runs


def _memory():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.slow
def test_many_shapes_keep_memory_bounded():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.SequentialCell(nn.Dense(16, 16), nn.Tanh(), nn.Dense(16, 4)).set_train(False)
    rng = random.Random(0)
    weights = [p.asnumpy() for p in net.get_parameters()]
    drawn = rows(3000, 16).asnumpy()

    def call():
        n = rng.choice([rng.randint(1, 30), rng.randint(1, 3000)])
        x = Tensor(drawn[:n].copy())
        y = net(x)
        assert y.shape == (n, 4)
        if rng.random() < 0.02:
            hidden = np.tanh(x.asnumpy() @ weights[0].T + weights[1])
            np.testing.assert_allclose(
                y.asnumpy(), hidden @ weights[2].T + weights[3], rtol=2e-3, atol=2e-5
            )

    for _ in range(2000):
        call()
    gc.collect()
    tracemalloc.start()
    before, resident = tracemalloc.get_traced_memory()[0], _memory()
    for _ in range(2000):
        call()
    gc.collect()
    traced = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    for _ in range(6000):
        call()
    gc.collect()
    function = compiled_function_of(net)
    assert len(function.specializations) <= 32
    assert traced < 3e6, f"{traced / 1e6:.1f} MB of Python objects more"
    assert _memory() - resident < 60e6


@pytest.mark.slow
def test_many_train_steps_keep_memory_bounded():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.Dropout(p=0.1), nn.Dense(16, 1))
    optimizer = nn.Adam(net.trainable_params(), nn.ExponentialDecayLR(0.01, 0.9, 1000))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    inputs = [(rows(16, 8, seed=i), rows(16, 1, seed=i + 50)) for i in range(8)]
    for i in range(1000):
        step(*inputs[i % 8])
    gc.collect()
    tracemalloc.start()
    before, resident = tracemalloc.get_traced_memory()[0], _memory()
    for i in range(2000):
        step(*inputs[i % 8])
    gc.collect()
    traced = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    loss = None
    for i in range(7000):
        loss = step(*inputs[i % 8])
    gc.collect()
    assert loss is not None
    assert np.isfinite(loss.asnumpy())
    assert optimizer.global_step.item() == 10000
    assert len(compiled_function_of(step).specializations) == 1
    assert compiled_function_of(step).plain_calls == 0
    assert traced < 1e6, f"{traced / 1e6:.1f} MB of Python objects more"
    assert _memory() - resident < 40e6
