# ruff: noqa: B007
"""Training, surroundings of torch and shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import (
    Net,
    Programs,
    data,
    marked,
    network,
    t,
    weights,
)
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
replayed, ordinary = ROWS.replayed, ROWS.ordinary


@replayed()
def batch_norm_momentum_changed(run: Run) -> Iterator[Any]:
    net = network()
    net.set_train()
    call = run(net)
    for i in range(12):
        if i == 4:
            net[1].momentum = 0.5
        if i == 8:
            net[1].use_batch_statistics = False
        yield call(data(i)[0]), net[1].moving_mean, net[1].moving_variance


@replayed()
def modes_toggled_midway(run: Run) -> Iterator[Any]:
    net = network()
    call = run(net)
    for i in range(12):
        net.set_train(i // 3 % 2 == 0)
        yield call(data(i)[0]), net[1].moving_mean


@ordinary()
def modes_toggled_inside(run: Run) -> Iterator[Any]:
    inner = network()

    def step(s: Any, x: Any) -> Any:
        s.inner.set_train(not s.inner.training)
        return s.inner(x)

    net = Net(step, inner=inner)
    call = run(net)
    for i in range(8):
        yield call(data(i)[0]), inner[1].moving_mean, inner.training


def _trained(
    run: Run, optimizer: Any, steps: int = 10, events: dict[int, Any] | None = None
) -> Any:
    net = network()
    loss_of = nn.MSELoss()
    opt = optimizer(net)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss_of), opt)
    step.set_train()
    call = run(step)
    for i in range(steps):
        if events and i in events:
            events[i](net, opt, step)
        yield call(*data(i)), weights(net)


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
    net = network()
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
        yield one(*data(i)), list(sums)
        if i % 3 == 2:
            two()
            yield weights(net), list(sums)


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
    net = network()
    opt = nn.SGD(net.trainable_params(), 0.01)
    manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**4, scale_factor=2, scale_window=2)
    step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), opt, manager)
    step.set_train()
    call = run(step)
    for i in range(10):
        x, y = data(i)
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
        yield call(data(0)[0])


@ordinary()
def seed_reset_inside(run: Run) -> Iterator[Any]:
    drop = nn.Dropout(p=0.5)
    drop.set_train()

    def step(x: Any) -> Any:
        ms.set_seed(7)
        return ops.dropout(x, 0.5, training=True) + drop(x)

    call = run(step)
    for _ in range(6):
        yield call(data(0)[0])


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
        yield call(data(0)[0])


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
    x = data(0)[0]
    for i in range(12):
        with torch.autocast("cpu", torch.bfloat16, enabled=i // 3 % 2 == 1):
            yield call(x)


@ordinary()
def autocast_at_first(run: Run) -> Iterator[Any]:
    net = nn.Dense(4, 5, weight_init="ones")
    call = run(net)
    x = data(0)[0]
    for i in range(12):
        with torch.autocast("cpu", torch.bfloat16, enabled=i // 3 % 2 == 0):
            yield call(x)


@replayed()
def inference_mode_around_the_call(run: Run) -> Iterator[Any]:
    net = nn.Dense(4, 5, weight_init="ones")
    call = run(net)
    x = data(0)[0]
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


class _Logging(TorchDispatchMode):
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


@replayed()
def arguments_that_overlap(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any) -> Any:
        x.add_(1.0)
        return x * 2 + y * 10

    call = run(step)
    base = torch.arange(8.0)
    for i in range(12):
        a = Tensor(base[:4].clone())
        b = Tensor(base[4:].clone())
        if i // 3 % 2 == 1:
            whole = ms.from_torch(base.clone())
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
        yield call(t(), np.ma.array([1.0, 2.0, 3.0], mask=np.array([i // 4 == 1, 0, 0], bool)))


@replayed()
def array_with_attributes_as_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * float(a.sum()) * a.factor)
    for i in range(12):
        result = marked()
        result.factor = float(i // 4)
        yield call(t(), result)


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
    net = network()
    net.set_train()
    call = run(net)
    for i in range(9):
        if i == 4:
            net[1].set_train(False)
        yield call(data(i)[0]), net[1].moving_mean


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


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_tensors(program: Any, quiet: bool) -> None:
    check(program, quiet)
