"""The soundness programs with every plan forced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from agar._core.graph.backends import engine_model, inductor
from agar.migrate import from_torch
from graph.soundness import (
    test_batches,
    test_memory,
    test_networks,
    test_programs,
    test_results,
    test_state,
    test_tensors,
    test_writes,
)
from graph.soundness.fuzzing import program_of, write
from graph.soundness.harness import Run, attempt
from graph.soundness.plans import PLANS, check_plan

NETWORKS: list[Any] = []
ENGINES = [engine.name for engine in engine_model.ENGINES]


def network(*plans: str) -> Any:
    """A program whose subgraphs can have these plans."""

    def add(function: Any) -> Any:
        for plan in plans:
            marks = [pytest.mark.slow] if plan == "O1" else []  # a compiler runs
            NETWORKS.append(
                pytest.param(function, plan, id=f"{function.__name__}-{plan}", marks=marks)
            )
        return function

    return add


def image(seed: int, batch: int = 2) -> Tensor:
    values = np.random.RandomState(seed).uniform(-1, 1, (batch, 3, 8, 8))
    return Tensor(values.astype(np.float32))


def rows(seed: int, count: int = 4) -> Tensor:
    return Tensor(np.random.RandomState(seed).uniform(-1, 1, (count, 6)).astype(np.float32))


class Vision(nn.Cell):
    """Convolutions with Python state."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3, weight_init="normal")
        self.norm = nn.BatchNorm2d(4)
        self.second = nn.Conv2d(4, 4, 3, weight_init="normal")
        self.scales = [1.0, 0.5]
        self.table = {"shift": 0.1}
        self.seen: list[Any] = []

    def construct(self, x: Tensor) -> Tensor:
        x = ops.relu(self.norm(self.first(x)))
        for scale in self.scales:
            x = self.second(x) * scale + self.table["shift"]
        if self.table.get("flat"):
            return x.flatten()
        return x


class Tower(nn.Cell):
    """Matrix products with Python state."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(6, 6, weight_init="normal") for _ in range(2)])
        self.gain = Parameter(Tensor(np.full((6, 6), 0.5, np.float32)), name="gain")
        self.names = ["relu", "tanh"]
        self.held = Tensor(np.ones((6,), np.float32))

    def construct(self, x: Tensor) -> Tensor:
        weight = ops.tanh(self.gain * self.gain) + 0.1  # folded
        for layer, name in zip(self.layers, self.names, strict=False):
            x = getattr(ops, name)(layer(x))
        return ops.matmul(x, weight) * self.held


@network("O0", "folded", *ENGINES)
def vision_state(run: Run) -> Iterator[Any]:
    net = Vision()
    net.set_train(False)
    call = run(net)
    for i in range(4):
        yield call(image(i))
    net.scales.append(2.0)
    yield [call(image(i)) for i in range(3)]
    net.table["shift"] = -0.2
    yield [call(image(i)) for i in range(4)]
    net.table["flat"] = True
    yield [call(image(i)) for i in range(3)]
    net.scales.pop()
    yield [call(image(i, 1 + i % 2)) for i in range(5)]


@network("folded", *ENGINES)
def vision_weights(run: Run) -> Iterator[Any]:
    net = Vision()
    net.set_train(False)
    call = run(net)
    for step in range(4):
        yield [call(image(i)) for i in range(4)]
        if step == 0:
            net.second.weight[0] = 0.25
        elif step == 1:
            ops.assign(net.first.weight, net.first.weight * 2)
        elif step == 2:
            net.norm.moving_mean.set_data(Tensor(np.full((4,), 0.3, np.float32)))
    net.norm.gamma.add_(1.0)
    yield [call(image(i)) for i in range(4)]
    net.first = nn.Conv2d(3, 4, 1, weight_init="ones")
    yield [call(image(i)) for i in range(4)]


class Masked(nn.Cell):
    """Attention whose mask is made in place at each call."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True)
        self.layer = nn.Dense(6, 6, weight_init="normal")
        self.mask = Tensor(np.triu(np.ones((4, 4), bool), 1))

    def construct(self, x: Tensor) -> Tensor:
        y = self.layer(x).reshape(1, 4, 6)
        return self.attention(y, y, y, need_weights=False, attn_mask=self.mask)[0]


@network("folded", *ENGINES)
def masked_attention(run: Run) -> Iterator[Any]:
    net = Masked()
    net.set_train(False)
    call = run(net)
    yield [call(rows(i)) for i in range(4)]
    net.layer.weight[0] = 0.25
    yield [call(rows(i)) for i in range(4)]
    net.mask[1, 0] = True
    yield [call(rows(i)) for i in range(4)]


def written_by_torch(name: str, write: Any) -> None:
    """A program whose weights code of torch writes to, past the count of their changes."""

    def program(run: Run) -> Iterator[Any]:
        net = Vision()
        net.set_train(False)
        call = run(net)
        yield [call(image(i)) for i in range(4)]
        for i in range(3):
            write(net.first.weight.to_torch(), i)
            yield [call(image(i)) for i in range(4)]

    program.__name__ = f"vision_weights_written_by_{name}"
    network("folded", *ENGINES)(program)


def exchanged(value: Any, i: int) -> None:
    value.data = torch.full_like(value, 0.1 * i)


def doubled(array: Any) -> None:
    array *= 2


written_by_torch("data", lambda value, i: value.data.mul_(2))
written_by_torch("an_array", lambda value, i: doubled(value.numpy()))
written_by_torch("a_detached_array", lambda value, i: doubled(value.detach().numpy()))
written_by_torch("dlpack", lambda value, i: torch.from_dlpack(value).mul_(2))
written_by_torch("foreach", lambda value, i: torch._foreach_mul_([value.data], 2.0))
written_by_torch("an_exchange_of_data", exchanged)


@network("folded")  # nothing is prepared by an engine while somebody may write
def vision_weights_that_torch_holds(run: Run) -> Iterator[Any]:
    net = Vision()
    net.set_train(False)
    call = run(net)
    before = net.first.weight.to_torch().data.view(-1)
    yield [call(image(i)) for i in range(4)]
    after = net.second.weight.to_torch().data[1:]
    for _ in range(3):
        before.mul_(0.5)
        yield [call(image(i)) for i in range(4)]
        after.mul_(1.5)
        yield [call(image(i)) for i in range(4)]
    del before, after
    yield [call(image(i)) for i in range(4)]


@network("folded", *ENGINES)
def weights_of_a_converted_module(run: Run) -> Iterator[Any]:
    torch.manual_seed(0)
    first = torch.nn.Conv2d(3, 4, 3)
    module = torch.nn.Sequential(first, torch.nn.BatchNorm2d(4)).eval()
    call = run(from_torch(module))
    yield [call(image(i)) for i in range(4)]
    for _ in range(2):
        first.weight.data.mul_(2)
        yield [call(image(i)) for i in range(4)]
    with torch.no_grad():
        first.weight.mul_(2)
    yield [call(image(i)) for i in range(4)]


class Recurrent(nn.Cell):
    """A layer whose state goes from call to call."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.LSTM(6, 6, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Dense(12, 6, weight_init="normal")

    def construct(self, x: Tensor, state: Any = None) -> Any:
        y, state = self.layer(x.reshape(2, 3, 6), state)
        return self.out(y), state


@network(*ENGINES)
def recurrent_state(run: Run) -> Iterator[Any]:
    ms.set_seed(1)
    net = Recurrent()
    net.set_train(False)
    call = run(net)
    state: Any = None
    for i in range(20):
        y, state = call(rows(i, 6), *([] if i % 5 == 0 else [state]))
        yield y, state
        if i == 6:
            net.layer.w_ih_list[0][0] = 0.25
        elif i == 12:
            state[1].zero_()


@network("folded", *ENGINES)
def vision_weights_as_arrays(run: Run) -> Iterator[Any]:
    net = Vision()
    net.set_train(False)
    call = run(net)
    yield [call(image(i)) for i in range(4)]
    array = net.first.weight.asnumpy()  # the plan has been prepared
    other = np.asarray(net.first.weight)
    for value in (0.5, 0.25):
        array[0] = value
        yield [call(image(i)) for i in range(4)]
    del other  # one is left
    array[1] = 1.0
    yield [call(image(i)) for i in range(4)]
    del array
    yield [call(image(i)) for i in range(4)]
    view = net.second.weight[1:].asnumpy()
    view[0] = 0.5
    yield [call(image(i)) for i in range(4)]
    given = np.ones((4,), np.float32)
    net.norm.gamma.set_data(Tensor.from_numpy(given))
    yield [call(image(i)) for i in range(4)]
    given[2] = 3.0
    yield [call(image(i)) for i in range(4)]


@network("folded", *ENGINES)
def vision_train_and_eval(run: Run) -> Iterator[Any]:
    net = Vision()
    call = run(net)
    for train in (False, True, False, True):
        net.set_train(train)
        yield [call(image(i)) for i in range(4)], net.norm.moving_mean, net.norm.moving_variance


@network("channels_last")
def vision_training(run: Run) -> Iterator[Any]:
    net = Vision()
    optimizer = nn.SGD(net.trainable_params(), 0.05)
    solve = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)

    def step(x: Tensor) -> Tensor:
        loss, grads = solve(x)
        optimizer(grads)
        return loss

    call = run(step)
    net.set_train(True)
    for i in range(9):
        if i == 5:
            net.scales[0] = 0.7
        yield call(image(i)), net.first.weight, net.norm.moving_variance


@network("channels_last")
def vision_training_from_outside(run: Run) -> Iterator[Any]:
    net = Vision()
    solve = ms.value_and_grad(lambda x: ((net(x) * net.norm.gamma.sum()) ** 2).mean(), 0, None)

    def step(x: Tensor) -> Any:
        loss, slope = solve(x)
        return loss, slope * net.table["shift"], net.first.weight

    call = run(step)
    net.set_train(True)
    for i in range(15):
        result = call(image(i % 3, 2))
        yield result, net.norm.moving_mean
        result[1].zero_()
        if i == 4:
            net.first.weight.mul_(-0.5)
        elif i == 6:
            net.table["shift"] = 0.7
        elif i == 9:
            net.second.weight.set_data(ops.ones_like(net.second.weight) * 0.1)
        elif i == 12:
            net.set_train(False)


@network("channels_last")
def vision_training_with_effects(run: Run) -> Iterator[Any]:
    net = Vision()
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    solve = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)

    def step(x: Tensor, log: Any) -> Tensor:
        loss, grads = solve(x)
        optimizer(grads)
        if log is not None:
            log.append(len(log))
        return loss

    call = run(step)
    net.set_train(True)
    log: list[Any] = []
    for i in range(12):
        yield call(image(i % 3), log if i % 4 == 3 else None), log, net.first.weight


@network("O0", "folded", *ENGINES, "products")
def tower_state(run: Run) -> Iterator[Any]:
    net = Tower()
    call = run(net)
    for i in range(4):
        yield call(rows(i))
    net.names.append("sin")
    yield [call(rows(i)) for i in range(3)]
    net.names[0] = "sigmoid"
    yield [call(rows(i)) for i in range(4)]
    net.held = net.held * 2
    yield [call(rows(i)) for i in range(3)]
    net.held.mul_(3.0)
    yield [call(rows(i)) for i in range(3)]
    net.layers.append(nn.Dense(6, 6, weight_init="ones"))
    net.names = ["relu", "relu", "relu"]
    yield [call(rows(i, 3 + i % 2)) for i in range(6)]


@network("folded", *ENGINES, "products")
def tower_weights(run: Run) -> Iterator[Any]:
    net = Tower()
    call = run(net)
    other = Tensor(np.eye(6, dtype=np.float32))
    view = net.gain[:2]
    for step in range(6):
        yield [call(rows(i)) for i in range(4)]
        if step == 0:
            net.gain.set_data(other)
        elif step == 1:
            other[1, 1] = 5.0
        elif step == 2:
            view.add_(1.0)
        elif step == 3:
            net.layers[0].weight[:2].mul_(0.5)
        elif step == 4:
            net.gain = Parameter(other * 0.3, name="gain")


@network("folded", *ENGINES, "products", "O1")
def tower_results_are_changed(run: Run) -> Iterator[Any]:
    net = Tower()
    call = run(lambda x: (net(x), ops.tanh(net.gain * 2), net.gain, x))
    for i in range(8):
        x = rows(i % 2)
        results = call(x)
        yield results, results[2] is net.gain, results[3] is x
        results[0].add_(1.0)
        results[1].zero_()
        if i == 5:
            results[2].mul_(0.5)


@network("folded", *ENGINES, "products")
def tower_branches(run: Run) -> Iterator[Any]:
    net = Tower()

    def step(x: Tensor, limit: float) -> Any:
        y = net(x)
        if y.sum() > limit:
            print("above", limit)
            return ops.tanh(net.gain).sum() * y
        return ops.matmul(y, net.gain.T)

    call = run(step)
    for i in range(12):
        if i == 8:
            net.gain.mul_(-1.0)
        yield call(rows(i % 3), 0.0)


@network("products", "O1")
def tower_training(run: Run) -> Iterator[Any]:
    net = Tower()
    optimizer = nn.Adam(net.trainable_params(), 0.05)
    solve = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)

    def step(x: Tensor) -> Tensor:
        loss, grads = solve(x)
        optimizer(grads)
        return loss

    call = run(step)
    for i in range(10):
        if i == 4:
            net.names[1] = "sin"
        if i == 7:
            net.gain.requires_grad = False
        yield attempt(call, rows(i)), net.gain, net.layers[0].bias


@network("folded", *ENGINES, "products")
def tower_aliases(run: Run) -> Iterator[Any]:
    net = Tower()
    call = run(lambda x, y: ops.matmul(net(x), y) + ops.tanh(net.gain)[0])
    for i in range(18):
        x = rows(i, 6)
        yield call(x, (x, x.T, rows(1, 6))[i % 3])
    for i in range(6):
        yield call(rows(i, 6), (net.gain, net.gain[:, :])[i % 2])


@network("products")
def tower_changes_its_weights(run: Run) -> Iterator[Any]:
    net = Tower()

    def step(x: Tensor) -> Tensor:
        y = net(x)
        net.gain.add_(0.01)
        return y * ops.tanh(net.gain).sum()

    call = run(step)
    for i in range(8):
        yield call(rows(i)), net.gain


@network("folded", *ENGINES, "products")
def tower_sizes(run: Run) -> Iterator[Any]:
    net = Tower()
    call = run(net)
    for i in range(24):
        if i == 15:
            net.held = net.held + 1
        yield call(rows(i, 2 + i % (4 if i < 12 else 9)))


class Words(nn.Cell):
    """Batch statistics change before an index is looked at, parameters behind it."""

    def __init__(self, early: bool) -> None:
        super().__init__()
        self.early = early
        self.norm = nn.BatchNorm1d(8)
        self.table = nn.Embedding(30, 8)
        self.out = nn.Dense(8, 4, weight_init="normal")

    def construct(self, x: Tensor, i: Tensor, y: Tensor) -> Tensor:
        rows = None if self.early else self.table(i)
        h = ops.tanh(self.norm(x))
        if rows is None:
            rows = self.table(i)
        return ops.cross_entropy(self.out(h * rows), y)


def tried(call: Any, *args: Any) -> Any:
    """The result, or the type of the error: replays word errors by their operators."""
    result = attempt(call, *args)
    return result[:2] if type(result) is tuple and result[0] == "raised" else result


def outside(run: Run, step: Any) -> Iterator[Any]:
    """Calls whose second argument is outside of its axis now and then."""
    call = run(step)
    for i in range(12):
        at = 99 if i in (6, 9) else i % 6
        yield tried(call, Tensor([0, 1, 2, at], ms.int32), rows(i))


def words(run: Run, early: bool, label: int) -> Iterator[Any]:
    net = Words(early).set_train()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(net, optimizer).set_train()
    call = run(step)
    for i in range(12):
        bad = i in (6, 9)
        at = Tensor([1, 2, 3, 99 if bad and not label else i % 6], ms.int32)
        y = Tensor([0, 1, 2, label if bad and label else i % 4], ms.int32)
        x = Tensor(np.random.RandomState(i).uniform(-1, 1, (4, 8)).astype(np.float32))
        yield tried(call, x, at, y), [p.value() for p in step.get_parameters()]


@network("O1")
def an_index_outside_before_statistics(run: Run) -> Iterator[Any]:
    yield from words(run, False, 0)


@network("O1")
def an_index_outside_behind_statistics(run: Run) -> Iterator[Any]:
    yield from words(run, True, 0)


@network("O1")
def a_label_outside(run: Run) -> Iterator[Any]:
    yield from words(run, True, 7)


def with_a_parameter(run: Run, compute: Any) -> Iterator[Any]:
    """Steps that take rows of a table, and change a parameter."""
    table, w = rows(1, 6), Parameter(rows(2), name="w")
    for row in outside(run, lambda i, x: compute(table, w, i, x)):
        yield row, w.value()


@network("O1")
def an_index_outside_before_a_change(run: Run) -> Iterator[Any]:
    def compute(table: Any, w: Any, i: Any, x: Any) -> Any:
        y = ops.tanh(table[i]) + x
        ops.assign(w, w * 0.5 + x)
        return y * 2

    yield from with_a_parameter(run, compute)


@network("O1")
def an_index_outside_before_a_change_in_place(run: Run) -> Iterator[Any]:
    def compute(table: Any, w: Any, i: Any, x: Any) -> Any:
        y = table[i] * 2 + x
        ops.assign_add(w, x)  # not compiled, and in no need of what comes before it
        return y * x

    yield from with_a_parameter(run, compute)


@network("O1")
def an_index_outside_behind_a_change(run: Run) -> Iterator[Any]:
    def compute(table: Any, w: Any, i: Any, x: Any) -> Any:
        ops.assign(w, w * 0.5 + x)
        return (ops.tanh(table[i]) + x) * 2

    yield from with_a_parameter(run, compute)


@network("O1")
def an_index_outside_inside_a_change(run: Run) -> Iterator[Any]:
    def compute(table: Any, w: Any, i: Any, x: Any) -> Any:
        ops.assign(w, ops.tanh(table[i]) * 0.5 + x)
        return w * 2

    yield from with_a_parameter(run, compute)


@network("O1")
def a_change_in_place_by_what_an_index_gives(run: Run) -> Iterator[Any]:
    def compute(table: Any, w: Any, i: Any, x: Any) -> Any:
        w.add_(ops.tanh(table[i]) * 0.5 + x)
        return w[i % 4] * 2

    yield from with_a_parameter(run, compute)


@network("O1")
def whole_numbers_divided_by_zero(run: Run) -> Iterator[Any]:
    w = Parameter(rows(2), name="w")

    def step(a: Any, b: Any) -> Any:
        c = ops.div(a, b, rounding_mode="trunc") * 2 + a
        ops.assign(w, w * 0.5 + 1)
        return c - 3

    call = run(step)
    low = [-(2**31), 7, -7, 5]
    for i in range(12):
        b = Tensor([-1, 2, 0 if i in (6, 9) else 3, -2], ms.int32)
        yield tried(call, Tensor(low, ms.int32), b), w.value()


network("O1")(test_tensors.argument_that_is_a_view_of_a_parameter)


@network("O1")
def an_argument_changes_over_two_that_share_memory(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any, z: Any) -> Any:
        before = y * 3 + z
        x.mul_(2.0)
        return before + y * x + z

    call = run(step)
    for i in range(14):
        memory = Tensor(np.arange(8, dtype=np.float32))
        y, z = (ms.from_torch(memory._value[start : start + 4]) for start in (0, 2))
        alone = i < 5 or i % 3 == 0
        x = Tensor([1.0, 2.0, 3.0, 4.0]) if alone else ms.from_torch(memory._value[1:5])
        yield call(x, y, z), memory


@pytest.mark.parametrize(("program", "plan"), NETWORKS)
def test_network(program: Any, plan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if plan == "O1" and (reason := inductor.available()) is not None:
        pytest.skip(reason)
    for engine in engine_model.ENGINES:
        if plan == engine.name and (reason := engine.available()) is not None:
            pytest.skip(reason)
    forced = check_plan(program, plan, monkeypatch)
    assert forced.plans > 0, "no subgraph has the plan"
    assert plan == "O0" or forced.calls > 0, "the plan never ran"


BATTERY = [
    *test_programs.ROWS[::16],
    *test_state.ROWS[::90],
    *test_memory.ROWS[::8],
    *test_networks.ROWS[::12],
    *test_batches.ROWS[::24],
    *test_results.ROWS[::40],
    *test_writes.ROWS[::16],
]


@pytest.mark.parametrize("plan", [p for p in PLANS if p != "O1"])
@pytest.mark.parametrize(("program", "quiet"), BATTERY)
def test_battery(program: Any, quiet: bool, plan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_plan(program, plan, monkeypatch)


@pytest.mark.parametrize("plan", [p for p in PLANS if p != "O1"])
@pytest.mark.parametrize("seed", range(4))
def test_random_programs(seed: int, plan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_plan(program_of(write(seed), f"fuzz{seed}"), plan, monkeypatch)
