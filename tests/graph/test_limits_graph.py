"""The limits of the guide that agar lifts in GRAPH_MODE: design.md, L1 to L7 and L9."""

from __future__ import annotations

import multiprocessing
import threading
import time
import warnings

import numpy as np
import pytest

import agar as ms
from agar import nn, ops
from agar._core.graph.cache import function as engine
from agar._core.graph.diagnostics import GraphWarning
from agar._core.runtime import runtime
from graph.programs import Tally, counted, frozen, quiet, stays_eager

T = ms.Tensor


@pytest.fixture(autouse=True)
def graph_mode(monkeypatch):
    monkeypatch.setattr(runtime, "plans", False)
    ms.set_context(mode=ms.GRAPH_MODE)


def rows(*shape, seed=0):
    return T(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def eagerly(net, *args):
    """What a call gives in PYNATIVE_MODE."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    try:
        return net(*args)
    finally:
        ms.set_context(mode=ms.GRAPH_MODE)


def checked(net, calls, *, eager=False):
    """Call a network in GRAPH_MODE and eagerly; gives how often its Python ran in GRAPH_MODE."""
    first, *rest = calls
    with quiet(allowed=eager) as said:
        assert frozen(net(*first)) == frozen(eagerly(net, *first))
        runs = counted(net.__dict__["_compiled"])
        for call in rest:
            assert frozen(net(*call)) == frozen(eagerly(net, *call))
    assert len(said) <= 1
    return 1 + runs[0]


def test_L1_numpy_and_scipy_in_construct():
    special = pytest.importorskip("scipy.special", reason="scipy is not installed")

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(4, 4)
            self.table = np.hanning(4).astype(np.float32)

        def construct(self, x):
            window = np.outer(self.table, np.arange(4) % 2).astype(np.float32)
            y = self.dense(x) @ T(window) + float(special.gamma(3.5))
            return y * np.float32(np.sqrt(2)) + np.pi

    # numpy on constants stays in the graph
    assert checked(Net(), [(rows(3, 4, seed=i),) for i in range(6)]) == 2

    @ms.numpy_function
    def spectrum(a):
        return np.abs(np.fft.rfft(a)).astype(np.float32)

    class OnTensors(nn.Cell):
        def construct(self, x):
            return spectrum(x * 2) + special.erf(0.5)

    assert checked(OnTensors(), [(rows(3, 4, seed=i),) for i in range(6)]) == 2

    class Arrays(nn.Cell):
        def construct(self, x):
            y = special.softmax((x * 2).asnumpy(), axis=-1)
            return T(y) + np.linalg.norm(x.asnumpy()).astype(np.float32)

    # an array of the call's own values: right as well, but Python
    assert checked(Arrays(), [(rows(3, 4, seed=i),) for i in range(6)], eager=True) == 6


def test_L1_random_numbers_of_numpy_are_fresh():
    class Net(nn.Cell):
        def construct(self, x):
            return x + T(np.random.randn(2).astype(np.float32))

    net = Net()
    np.random.seed(3)
    with stays_eager():
        got = [net(ops.zeros(2)).tolist() for _ in range(6)]
    np.random.seed(3)
    assert got == [np.random.randn(2).astype(np.float32).tolist() for _ in range(6)]


def test_L2_types_of_the_users_own():
    class Interval:
        def __init__(self, low, high):
            self.low, self.high = low, high

        def __add__(self, other):
            return Interval(self.low + other.low, self.high + other.high)

        def __mul__(self, k):
            if k > 0:
                return Interval(self.low * k, self.high * k)
            return Interval(self.high * k, self.low * k)

        @property
        def width(self):
            return self.high - self.low

        def __iter__(self):
            yield self.low
            yield self.high

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.bias = ms.Parameter(T([0.5, 1.0]), name="bias")

        def construct(self, x, k):
            result = Interval(x - self.bias, x + self.bias) * k + Interval(x, x)
            low, high = result
            return result.width, ops.maximum(low, high)

    calls = [(rows(2, seed=i), T(k)) for i in range(4) for k in (2.0, -1.0)]
    assert checked(Net(), calls) == 4
    ms.set_context(mode=ms.PYNATIVE_MODE)

    @ms.jit
    def area(interval):  # as an argument, too
        return interval.width * 2

    for i in range(4):
        assert area(Interval(T(1.0), T(2.0 + i))).item() == 2 + 2 * i


def test_L3_threads_in_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(4, 4)

        def construct(self, x):
            entries = {}

            def work(i):
                entries[i] = self.dense(x * i)

            workers = [threading.Thread(target=work, args=(i,)) for i in range(3)]
            for w in workers:
                w.start()
            for w in workers:
                w.join()
            return entries[0] + entries[1] * entries[2]

    checked(Net(), [(rows(3, 4, seed=i),) for i in range(5)], eager=True)


@pytest.mark.slow
def test_L3_processes_in_construct():
    context = multiprocessing.get_context("spawn")

    class Net(nn.Cell):
        def construct(self, x):
            with context.Pool(1) as pool:
                return T(pool.apply(np.multiply, (x.asnumpy(), 2))) + 1

    checked(Net(), [(rows(2, 2, seed=i),) for i in range(3)], eager=True)


class AnySize(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(6, 8)
        self.norm = nn.LayerNorm((8,))
        self.second = nn.Dense(8, 3)

    def construct(self, x):
        y = ops.relu(self.norm(self.first(x)))
        return ops.softmax(self.second(y) / x.shape[0]).reshape(-1, 3)


def shapes_are_loaded():
    """Wait for the module that records open sizes; it is loaded in the background when needed."""
    while not engine.loaded(engine._FOR_SHAPES):
        time.sleep(0.01)


def test_L4_any_input_shape_without_recompiling():
    shapes_are_loaded()
    net = AnySize()
    sizes = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    checked(net, [(rows(n, 6, seed=n),) for n in sizes])
    function = net.__dict__["_compiled"]
    runs = counted(function)
    plain = function.plain_calls
    for n in [30, 17, 100, 64, 2, 64, 11, 13, 14, 15, 16, 8, 1000, 3]:
        assert frozen(net(rows(n, 6))) == frozen(eagerly(net, rows(n, 6)))
    assert runs[0] <= 2  # the first two sizes have recordings of their own, and get the second one
    assert function.plain_calls == plain
    for n in (1, 0, 1, 0, 1, 0):  # broadcast and skipped: sizes of their own
        assert frozen(net(rows(n, 6))) == frozen(eagerly(net, rows(n, 6)))
    assert runs[0] <= 8


@pytest.mark.parametrize("way", ["set_inputs", "jit", "mutable"])
def test_L4_sizes_that_are_declared_open(way):
    shapes_are_loaded()
    net = AnySize()
    call = net
    if way == "set_inputs":
        net.set_inputs(T(shape=[None, 6], dtype=ms.float32))
    elif way == "jit":
        call = ms.jit(net, dynamic=1)
    for n in (2, 3, 4, 5):
        assert frozen(call(rows(n, 6))) == frozen(eagerly(net, rows(n, 6)))
    function = call.__dict__["_compiled"]
    runs = counted(function)
    if way == "mutable":
        f = ms.jit(lambda values: values[0] * 2 + len(values))
        for n in range(2, 6):
            assert f(ms.mutable([ops.ones(n), ops.ones(1)])).tolist() == [4] * n
        return
    for n in (6, 7, 80, 9, 1000):
        assert frozen(call(rows(n, 6))) == frozen(eagerly(net, rows(n, 6)))
    assert runs == [0]


def test_L4_convolutions_of_any_size():
    net = nn.SequentialCell(
        nn.Conv2d(3, 4, 3, pad_mode="same"), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2, 2)
    ).set_train(False)
    shapes = [(2, 3, 8, 8), (1, 3, 12, 10), (4, 3, 8, 8), (3, 3, 16, 6), (2, 3, 20, 20)] * 3
    checked(net, [(rows(*shape, seed=i),) for i, shape in enumerate(shapes)])


def test_L5_masked_select_nonzero_and_unique_in_graphs():
    class Net(nn.Cell):
        def construct(self, x):
            chosen = ops.masked_select(x, x > 0) * 2
            places = ops.nonzero(x > 0.5)
            values, order = ops.unique(ops.round(x))
            x = x * 1
            x[x < 0] = 0.25
            return chosen, places, values, order, x, x[x > 1].sum()

    calls = [(rows(4, seed=i % 3),) for i in range(12)]
    assert checked(Net(), calls) <= 6


def test_L6_top_k_with_variable_k():
    class Net(nn.Cell):
        def construct(self, x, k):
            values, places = ops.topk(x, int(k), sorted=True)
            return values * k, places

    calls = [(rows(9, seed=i), T(k, ms.int32)) for i in range(3) for k in (1, 4, 9)]
    assert checked(Net(), calls) == 6
    keep = ms.jit(lambda x, share: ops.topk(x, int(x.size * share))[0].sum())
    for share in (0.1, 0.5, 1.0, 0.5):
        x = rows(10)
        expected = np.sort(x.asnumpy())[::-1][: int(10 * share)].sum()
        np.testing.assert_allclose(keep(x, T(share)).asnumpy(), expected, rtol=1e-5)


class Flow(nn.Cell):
    """Branches of different shapes, loops on conditions, and Python around them."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 3)
        self.count = ms.Parameter(T(0.0), name="count", requires_grad=False)

    def steps(self, x):
        import math

        while x.abs().max() > 1:
            x = x / math.e
            self.count += 1
            yield x

    def construct(self, x):
        try:
            if x.sum() > 4:
                raise OverflowError("large")
            if x.min() < -1:
                return self.dense(x).sum()
            with np.errstate(all="ignore"):
                y = (lambda t: t * 2)(x)
        except OverflowError as error:
            y = x[:1] * len(str(error))
        halves = [*self.steps(y)]
        for _ in range(int(ops.count_nonzero(y > 0.5))):
            y = self.dense(y) if y.shape == (3,) else y * y
        return (y, *halves)


def test_L7_branches_and_loops_on_conditions_of_tensors():
    net = Flow()
    counts = []
    calls = [[0.1, 0.2, 0.3], [9.0, 0.0, 0.0], [-3.0, 0.0, 0.0], [0.1, 3.0, 0.2]] * 4
    for values in calls:
        x = T(values)
        before = net.count.item()
        got = net(x)
        after = net.count.item()
        net.count.set_data(T(before))
        assert frozen(got) == frozen(eagerly(net, x))
        assert net.count.item() == after
        counts.append(after)
    runs = counted(net.__dict__["_compiled"])
    for values in calls:
        net(T(values))
    assert runs == [0]
    assert counts[-1] > 0


def test_L7_in_training():
    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = nn.Dense(3, 1)

        def construct(self, x, y):
            error = self.net(x).reshape(-1) - y
            if ops.abs(error).max() > 1:  # Huber's loss by hand
                return (ops.abs(error) - 0.5).mean()
            return (error * error).mean() / 2

    losses = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        ms.set_seed(1)
        loss = Loss()
        step = nn.TrainOneStepCell(loss, nn.SGD(loss.trainable_params(), 0.1)).set_train()
        rng = np.random.RandomState(0)
        x = rng.randn(60, 8, 3).astype(np.float32)
        y = x @ np.array([3.0, -2.0, 1.0], np.float32)
        with quiet(allowed=False):
            losses.append([step(T(a), T(b)).item() for a, b in zip(x, y, strict=True)])
    assert losses[0] == losses[1]
    assert losses[1][0] > 1 > losses[1][-1]


@pytest.mark.parametrize("way", ["value_and_grad", "GradOperation", "TrainOneStepCell", "grad"])
def test_L9_one_forward_per_gradient_and_statistics_updated_once(way):
    runs = Tally()

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.norm = nn.BatchNorm1d(2)
            self.forwards = ms.Parameter(T(0.0), name="forwards", requires_grad=False)

        def construct(self, x):
            runs.add()
            ops.assign_add(self.forwards, T(1.0))
            return self.norm(x).sum()

    net = Net().set_train()
    weights = net.trainable_params()
    step = {
        "value_and_grad": lambda: ms.value_and_grad(net, None, weights),
        "GradOperation": lambda: ops.GradOperation(get_by_list=True)(net, weights),
        "TrainOneStepCell": lambda: nn.TrainOneStepCell(net, nn.SGD(weights, 0.0)).set_train(),
        "grad": lambda: ms.grad(net),
    }[way]()
    mean, x = np.zeros(2), T([[1.0, 2.0], [3.0, 6.0]])
    for i in range(6):
        step(x)
        mean = 0.9 * mean + 0.1 * np.array([2.0, 4.0])
        np.testing.assert_allclose(net.norm.moving_mean.asnumpy(), mean, rtol=1e-5)
        assert net.forwards.item() == i + 1
    assert runs.n <= 3  # Python runs while a gradient is recorded, then no more


def test_L19_parameters_may_be_set_inside_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(T([2.0]), name="w")
            self.count = ms.Parameter(T([0.0]), name="count", requires_grad=False)
            self.last = ms.Parameter(T([0.0]), name="last", requires_grad=False)

        def construct(self, x):
            self.count = self.count + 1
            self.last.set_data(x)
            ops.assign(self.last, self.last + 1)
            return x * self.w * self.count

    net = Net().set_train()
    step = ms.value_and_grad(net, None, net.w)
    with quiet(allowed=False):
        for i in range(1, 7):
            value, g = step(T([3.0 + i]))
            assert value.tolist() == [(6.0 + 2 * i) * i]
            assert g.tolist() == [(3.0 + i) * i]
            assert net.last.tolist() == [4.0 + i]


def test_warnings_say_what_and_where():
    class Net(nn.Cell):
        def construct(self, x):
            return T(x.asnumpy() * 2)

    net = Net()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(5):
            net(T([1.0]))
    (only,) = caught
    text = str(only.message)
    assert issubclass(only.category, GraphWarning)
    line = Net.construct.__code__.co_firstlineno + 1
    assert "'Net'" in text
    assert f"test_limits_graph.py:{line}" in text
