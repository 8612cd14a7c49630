"""agar.graph.audit: replayed calls compared with Python, and what it says where they differ."""

from __future__ import annotations

import collections
import gc
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, graph, nn, ops
from agar._core.graph.cache.function import CompiledFunction
from agar._core.graph.diagnostics import GraphWarning
from agar._core.graph.inspect import audit as auditing
from agar._core.graph.inspect.effects import Reach, same_bits
from agar._core.graph.inspect.explain import functions_of
from agar._core.graph.inspect.forms import Forms, form_of
from agar._core.runtime import _first_audited, runtime

HERE = Path(__file__).resolve()
SCALE = 2.0


def line_of(text: str) -> int:
    """The number of the only line of this file that ends with a text as a comment."""
    lines = HERE.read_text(encoding="utf-8").splitlines()
    (result,) = [i for i, line in enumerate(lines, 1) if line.endswith(f"# {text}")]
    return result


@pytest.fixture(autouse=True)
def no_other_audit():
    """CI's pass in GRAPH_MODE audits everything: not what is counted here."""
    active, runtime_audit = list(auditing._active), runtime.audit
    auditing._active.clear()
    auditing._refresh()
    yield
    auditing._active[:] = active
    auditing._refresh()
    if not active:
        runtime.audit = runtime_audit


@pytest.fixture
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 8)
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(p=0.5)
        self.count = Parameter(Tensor([0.0]), name="count", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.count, ops.ones_like(self.count))  # counts
        h = self.drop(self.norm(self.first(x)))  # hidden
        return ops.tanh(h), {"sum": h.sum(), "x": x}


def values(net):
    return [p.asnumpy().copy() for p in net.get_parameters()]


def compiled(target):
    (result,) = functions_of(target)
    return result


def tamper(target, change):
    """Let the replay of a function do something else."""
    for specialization in compiled(target).specializations.values():
        node = specialization.root
        if node is not None and node.trusted:
            run = node.run

            def wrong(*args, run=run):
                return change(*run(*args))

            node.install(wrong)


def test_a_call_that_is_compared_leaves_what_one_call_leaves(graph_mode):
    def program(every):
        ms.set_seed(3)
        ms.manual_seed(3)
        net = Net()
        net.set_train()
        seen = []
        with graph.audit(net, every=every) as audit:
            for i in range(8):
                x = ops.ones((3, 4), ms.float32) * i
                y, more = net(x)
                assert more["x"] is x
                seen.append([y.asnumpy(), more["sum"].asnumpy(), *values(net)])
        return audit, seen, np.random.get_state()[2], random.getstate()

    (none, plain, *states), (all_, audited, *others) = program(0), program(1)
    assert (none.replays, none.compared) == (0, 0)
    assert all_.replays == all_.compared == 6
    assert not all_.differences
    for a, b in zip(plain, audited, strict=True):
        assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert states == others


def test_every_nth_replay_is_compared(graph_mode):
    net = nn.Dense(3, 3)
    with graph.audit(net, every=4) as audit:
        for _ in range(22):
            net(ops.ones((2, 3), ms.float32))
    assert (audit.replays, audit.compared) == (20, 5)
    net(ops.ones((2, 3), ms.float32))
    assert audit.replays == 20


def test_nothing_is_in_the_way_where_it_is_off(graph_mode):
    net = nn.Dense(3, 3)
    x = ops.ones((2, 3), ms.float32)
    with graph.audit(net, every=1):
        for _ in range(4):
            net(x)
        function = compiled(net)
        assert type(function) is auditing._Audited
    assert type(function) is CompiledFunction
    assert runtime.audit is None
    assert "call" not in vars(function)
    net(x)
    assert function.entry is not None


def test_a_wrong_value_names_cell_line_and_value(graph_mode):
    net = Net()
    net.set_train(False)
    x = ops.ones((3, 4), ms.float32)
    for _ in range(4):
        net(x)
    tamper(net, lambda read, outs: (read, (outs[0], outs[1] + 1, *outs[2:])))
    with graph.audit(net, every=1) as audit, pytest.raises(graph.GraphAuditError) as caught:
        net(x)
    error = caught.value
    assert error.function == "Net"
    assert error.where == (str(HERE), line_of("hidden") + 1)
    assert error.cell == "Net"
    (difference,) = error.differences
    assert difference.what == "result[1]['sum']"
    assert float(difference.replay) == pytest.approx(float(difference.python) + 1)
    assert error.result[1]["x"] is x
    for text in ("'Net'", "result[1]['sum']", difference.python, f"{HERE}:{error.where[1]}"):
        assert text in str(error)
    assert audit.differences == [error]


def test_a_wrong_parameter(graph_mode):
    net = Net()
    net.set_train(False)
    x = ops.ones((3, 4), ms.float32)
    for _ in range(4):
        net(x)
    count = net.count._value

    def change(read, outs):
        count.add_(5)
        return read, outs

    tamper(net, change)
    before = count.item()
    with graph.audit(net, every=1), pytest.raises(graph.GraphAuditError) as caught:
        net(x)
    assert caught.value.differences[0].what == "Parameter count at (0,)"
    assert caught.value.where == (str(HERE), line_of("counts"))
    assert count.item() == before + 1  # what Python did


def test_what_the_engine_does_not_watch_is_found(graph_mode):
    """A setting of agar's own layer, written past setattr (see the guide)."""
    net = nn.SequentialCell(nn.Dense(4, 4), nn.LeakyReLU(0.5))
    x = ops.ones((3, 4), ms.float32) * -1
    for _ in range(4):
        net(x)
    layer = net[1]
    name = next(n for n, v in vars(layer).items() if v == 0.5)
    vars(layer)[name] = 0.25
    with graph.audit(net, every=1), pytest.raises(graph.GraphAuditError, match="SequentialCell"):
        net(x)


def test_a_warning_instead(graph_mode):
    net = nn.Dense(3, 3)
    x = ops.ones((2, 3), ms.float32)
    for _ in range(4):
        net(x)
    right = net(x).asnumpy()
    tamper(net, lambda read, outs: (read, (outs[0] * 2,)))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with graph.audit(net, every=1, action="warn") as audit:
            results = [net(x).asnumpy() for _ in range(3)]
    assert len([w for w in said if issubclass(w.category, GraphWarning)]) == 1
    assert len(audit.differences) == 1
    assert all(np.array_equal(r, right) for r in results)


Pair = collections.namedtuple("Pair", "a b")


def replayed(function, *args, count=3):
    for _ in range(count):
        result = function(*args)
    return result


def test_forms_of_results():
    x = Tensor([1.0, 2.0])
    log = []

    @ms.jit
    def f(x):
        return Pair([x, x + 1], (x,)), None, "text", 2.5

    replayed(f, x)
    with graph.audit(f, every=1) as audit:
        replayed(f, x)
    assert (audit.compared, audit.differences, log) == (3, [], [])


@pytest.mark.parametrize(
    ("python", "replay", "what"),
    [
        (lambda x: [x], lambda x: (x,), "result (its type)"),
        (lambda x: [x], lambda x: [x, x], "result (its length)"),
        (lambda x: {"a": 1}, lambda x: {"b": 1}, "result (key 0)"),
        (lambda x: {"a": 1}, lambda x: {"a": True}, "result['a']"),
        (lambda x: x, lambda x: x * 1, "result"),
        (lambda x: x * 1, lambda x: (x * 1).astype(ms.float64), "result"),
        (lambda x: x * 0, lambda x: x * -0.0, "result at (0,)"),
        (lambda x: x + 0, lambda x: x[:1], "result"),
        (lambda x: x * 1, lambda x: x[:], "result (its memory)"),
        (lambda x: np.ones(2), lambda x: np.ones(2, np.float32), "result"),
        (lambda x: [y := x * 1, y], lambda x: [x * 1, x * 1], "result[1] (where it stands)"),
        (lambda x: 1.0, lambda x: 1, "result"),
        (lambda x: None, lambda x: False, "result"),
    ],
)
def test_what_differs(python, replay, what):
    x = Tensor([1.0, 2.0])
    reach = Reach([("x", x)])
    same = Forms(True)
    forms = [form_of(f(x), reach) for f in (python, replay)]
    same.compare(*forms, "result")
    assert [d.what for d in same.differences] == [what]
    for f in (python, replay):
        same = Forms(True)
        same.compare(form_of(f(x), reach), form_of(f(x), reach), "result")
        assert not same.differences


class Holder:
    __slots__ = ("__dict__", "slot")

    def __init__(self):
        self.slot, self.plain = 1, [1, 2]


def test_all_that_a_call_can_change_is_put_back():
    global SCALE
    holder, log, table = Holder(), [1], collections.OrderedDict(a=1, b=2)
    seen, many = {1}, collections.deque([1, 2], maxlen=3)
    array, raw = np.arange(3.0), bytearray(b"ab")
    objects = np.array([1, "a", None], dtype=object)
    tensor = Tensor([1.0, 2.0])
    whole = torch.zeros(3).expand(4, 3)
    own = np.random.default_rng(3)
    twister, mine = random.Random(4), ms.Generator().manual_seed(5)
    variable = 1

    def change():
        nonlocal variable
        global SCALE
        SCALE += 1
        variable += 1
        holder.slot, holder.new = 2, 3
        holder.plain.append(3)
        log.insert(0, 0)
        table.move_to_end("a")
        table["c"] = 3
        seen.add(2)
        many.append(9)
        array[0] = 9
        raw[:] = b"xyz"
        objects[0] = 2
        tensor._value.add_(1)
        tensor.mark = 1
        whole[0].add_(1)
        own.random()
        np.random.rand()
        random.random()
        twister.random()
        ops.rand(2)
        ms.mint.rand(2, generator=mine)
        torch.rand(1)

    reach = Reach([("change", change)])
    before = reach.take()
    np_state, py_state = np.random.get_state()[2], random.getstate()
    state, position = own.bit_generator.state, mine.get_state().asnumpy().tobytes()
    change()
    assert (SCALE, variable, log) == (3.0, 2, [0, 1])
    after = reach.take(before)
    changed = {
        p.name
        for p, a, b in zip(reach.places, before.values, after.values, strict=True)
        if not p.same(a, b)
    }
    assert len(changed) >= 20
    reach.put(before)
    assert (SCALE, variable, log, holder.slot, vars(holder)) == (2.0, 1, [1], 1, {"plain": [1, 2]})
    assert list(table.items()) == [("a", 1), ("b", 2)]
    assert (seen, list(many), many.maxlen, raw) == ({1}, [1, 2], 3, bytearray(b"ab"))
    assert array.tolist() == [0, 1, 2]
    assert objects.tolist() == [1, "a", None]
    assert tensor.asnumpy().tolist() == [1, 2]
    assert not whole.any()
    assert "mark" not in vars(tensor)
    assert (np.random.get_state()[2], random.getstate()) == (np_state, py_state)
    assert own.bit_generator.state == state
    assert mine.get_state().asnumpy().tobytes() == position
    reach.put(after)
    assert (SCALE, log, holder.new, array[0]) == (3.0, [0, 1], 3, 9)
    reach.put(before)


def test_words_of_exceptions(graph_mode):
    state = {"texts": iter(())}  # what an iterator has given is not put back

    @ms.numpy_function
    def check(a):
        text = next(state["texts"], None)
        if text is not None:
            raise ValueError(text)
        return a

    f = ms.jit(lambda x: check(x) + 1)
    for _ in range(3):
        f(Tensor([1.0]))
    with graph.audit(f, every=1) as audit:
        state["texts"] = iter(["<object at 0x10>", "<object at 0x20>"])
        with pytest.raises(ValueError, match="0x20"):
            f(Tensor([1.0]))
        state["texts"] = iter(["torn", "worn", "worn"])
        with pytest.raises(graph.GraphAuditError, match="Python gave ValueError: worn, the replay"):
            f(Tensor([1.0]))
    assert audit.compared == 2


def test_words_of_the_engine_are_not_compared():
    """An operator that fails behind a change is reported in words of the engine's own."""
    replay: Any = ValueError("For 'matmul', ...")
    replay._agar_of_replay = True
    assert auditing._same_error(ValueError("mat1 and mat2"), replay)
    assert not auditing._same_error(TypeError("mat1 and mat2"), replay)


def test_functions_of_before_a_freeze_are_found(graph_mode):
    """The collector lists nothing that was there at `gc.freeze`."""
    f = ms.jit(lambda x: x * 2)
    for _ in range(3):
        f(Tensor([1.0]))
    before = gc.get_freeze_count()  # of the tests
    gc.freeze()
    try:
        with graph.audit(every=1) as audit:
            f(Tensor([1.0]))
        assert (audit.replays, audit.compared) == (1, 1)
        graph.clear()
        assert not graph.explain(f).called
    finally:
        if not before:
            gc.unfreeze()


def test_exceptions_and_prints(capsys):
    @ms.jit
    def f(x):
        print("x is", x)
        return x * 2

    with graph.audit(f, every=1) as audit:
        replayed(f, Tensor([1.0]), count=5)
    assert (audit.compared, audit.differences) == (3, [])
    assert capsys.readouterr().out == "x is [1.]\n" * 5

    def fail(read, outs):
        raise KeyError("torn")

    tamper(f, fail)
    with graph.audit(f, every=1), pytest.raises(graph.GraphAuditError, match="KeyError") as caught:
        f(Tensor([1.0]))
    assert caught.value.differences[0].kind == "exception"


def test_numpy_functions_with_state_are_as_after_one_call():
    log = []

    @ms.numpy_function
    def note(x):
        log.append(float(x[0]))
        return x * len(log)

    @ms.jit
    def f(x):
        return note(x) + 1

    with graph.audit(f, every=1) as audit:
        items = [float(f(Tensor([1.0]))[0]) for _ in range(6)]
    assert items == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    assert len(log) == 6
    assert audit.compared >= 3
    assert not audit.differences


def test_gradients_inside_an_eager_gradient():
    net = nn.Dense(3, 2)

    @ms.jit
    def f(x):
        return ops.tanh(net(x))

    def loss(x):
        return (f(x) ** 2).sum()

    x = Tensor(np.ones((2, 3), np.float32))
    gradient = ms.value_and_grad(loss, 0, net.trainable_params())
    plain = [[g.asnumpy() for g in (gradient(x)[1][0], *gradient(x)[1][1])] for _ in range(4)]
    with graph.audit(f, every=1) as audit:
        _, (dx, dw) = gradient(x)
    assert (audit.compared, audit.differences) == (1, [])
    assert all(np.array_equal(a.asnumpy(), b) for a, b in zip((dx, *dw), plain[-1], strict=True))

    (specialization,) = compiled(f).gradients.values()
    backward = specialization.plan.backward

    def wrong(*args):
        read, outs = backward(*args)
        return read, tuple([o * 3 for o in outs])

    specialization.plan.backward = wrong
    with graph.audit(f, every=1), pytest.raises(graph.GraphAuditError) as caught:
        gradient(x)
    assert {d.kind for d in caught.value.differences} == {"gradient"}


def test_recordings_for_any_size():
    @ms.jit(dynamic=1)
    def f(x):
        return ops.tanh(x) * x.shape[0]

    with graph.audit(f, every=1) as audit:
        for n in range(2, 12):
            f(ops.ones((n, 3), ms.float32))
    assert graph.explain(f).compiled[0].specializations[-1].kind == "dynamic"
    assert audit.compared >= 5
    assert not audit.differences


def test_branches_and_gradient_functions_of_graph_mode(graph_mode):
    net = nn.Dense(3, 2)

    def loss(x):
        y = net(x).sum()
        return y if y > 0 else y * 2

    gradient = ms.value_and_grad(loss, None, net.trainable_params())
    with graph.audit(loss, every=1) as audit:
        for i in range(8):
            gradient(ops.ones((2, 3), ms.float32) * (-1) ** i)
    assert audit.compared >= 3
    assert not audit.differences


def test_plans_that_round(graph_mode):
    """What another plan may round is no difference, and what it may not is one."""
    net = nn.SequentialCell(nn.Dense(16, 16), nn.Tanh())
    x = Tensor(np.random.rand(4, 16).astype(np.float32))
    for _ in range(3):
        net(x)
    (specialization,) = compiled(net).specializations.values()
    tuner = specialization.root.autotuner
    tuner.candidates.append(type(tuner.first)("other"))
    tuner.phase = "comparing"
    tamper(net, lambda read, outs: (read, tuple([o * (1 + 2e-7) for o in outs])))
    with graph.audit(net, every=1) as audit:
        net(x)
    assert not audit.differences
    tamper(net, lambda read, outs: (read, tuple([o + 0.1 for o in outs])))
    with graph.audit(net, every=1), pytest.raises(graph.GraphAuditError):
        net(x)


def test_everything_and_the_end(graph_mode):
    audit = graph.audit(every=1)
    early = nn.Dense(2, 2)
    x = ops.ones((1, 2), ms.float32)
    replayed(early, x, count=4)
    doubled = ms.jit(lambda x: x * 2)
    replayed(doubled, x, count=4)
    assert audit.compared == 4
    graph.audit(every=0)
    replayed(early, x)
    assert audit.compared == 4
    assert type(compiled(doubled)) is CompiledFunction
    inner = graph.audit(early, every=1)
    graph.audit(early, every=0)
    replayed(early, x)
    assert inner.compared == 0


def test_bad_arguments():
    with pytest.raises(TypeError, match=r"'every' must be an int.*'half'"):
        graph.audit(None, every="half")
    with pytest.raises(ValueError, match="0 \\(to end\\) or more, but got -1"):
        graph.audit(None, every=-1)
    with pytest.raises(ValueError, match=r"'action' must be one of \('raise', 'warn'\)"):
        graph.audit(None, action="print")
    with pytest.raises(TypeError, match="is needed, but got"):
        graph.audit(3)
    assert not auditing._active


def test_the_environment(monkeypatch):
    def started(text):
        monkeypatch.setenv("AGAR_AUDIT", text)
        monkeypatch.setattr(runtime, "audit", _first_audited)
        f = ms.jit(lambda x: x * 2)
        replayed(f, Tensor([1.0]), count=8)
        return [(a.every, a.action, a.compared) for a in auditing._active]

    assert started("2") == [(2, "raise", 3)]
    graph.audit(every=0)
    assert started("3:warn") == [(3, "warn", 2)]
    graph.audit(every=0)
    assert started("0") == []
    with pytest.raises(ValueError, match=r"AGAR_AUDIT must be a whole number.*got 'often'"):
        started("often")


def test_bits():
    nan = float("nan")
    assert same_bits(torch.tensor([nan, 1.0]), torch.tensor([-nan, 1.0]))
    assert not same_bits(torch.tensor([nan, 1.0]), torch.tensor([1.0, nan]))
    assert not same_bits(torch.tensor([0.0]), torch.tensor([-0.0]))
    assert same_bits(torch.ones(2, 3).t(), torch.ones(3, 2))
    assert same_bits(torch.tensor(1j), torch.tensor(1j))
    assert not same_bits(torch.tensor([True]), torch.tensor([False]))
