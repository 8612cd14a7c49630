"""Programs that do something with a cell, its weights or the process between compiled calls."""

from __future__ import annotations

import functools
import gc
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import Net, Programs, data, network, t, weights
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
replayed, ordinary = ROWS.replayed, ROWS.ordinary


def rows(*shape: int) -> Tensor:
    values = np.arange(math.prod(shape)).reshape(shape) * 0.37 - 1
    return Tensor(values.astype(np.float32))


def between(
    name: str, make: Callable[[], Any], *changes: Callable[[Any], Any], train: bool = False
) -> None:
    """A program that changes a cell, four calls before each change and behind the last."""

    def program(run: Run) -> Iterator[Any]:
        ms.set_seed(3)
        net = make()
        net.set_train(train)
        call = run(net)
        x = Tensor(np.random.RandomState(0).randn(4, 4).astype(np.float32))
        for change in (None, *changes):
            if change is not None:
                result = attempt(change, net)
                yield result if isinstance(result, tuple) else None
            for _ in range(4):
                yield attempt(call, x), [(p.name, p.requires_grad) for p in net.get_parameters()]

    program.__name__ = name
    replayed()(program)


def stack() -> nn.SequentialCell:
    return nn.SequentialCell(nn.Dense(4, 4), nn.ReLU(), nn.Dense(4, 4))


def named(net: Any, change: Callable[[Any], Any]) -> dict[str, Any]:
    return {p.name: Parameter(change(p), name=p.name) for p in net.get_parameters()}


def of_all(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def change_all(net: Any) -> None:
        for p in net.get_parameters():
            change(p)

    return change_all


between(
    *("cells_of_a_sequence", stack),
    lambda net: net.insert(1, nn.Tanh()),
    lambda net: net.append(nn.Sigmoid()),
    lambda net: net.__delitem__(0),
    lambda net: net.__setitem__(0, nn.ReLU6()),
)
between(
    "precision_of_a_cell", stack, lambda n: n.to_float(ms.float16), lambda n: n.to_float(ms.float32)
)
between("recomputed_later", stack, lambda n: n.recompute(), lambda n: n[0].recompute())
between("frozen_later", stack, lambda n: setattr(n[0].weight, "requires_grad", False))
between(
    *("names_of_parameters", stack),
    lambda n: n.update_parameters_name("x."),
    lambda n: setattr(n[0].weight, "name", "hello"),
)
between(
    "mixed_precision_later",
    stack,
    *[lambda n, s=s: ms.amp.auto_mixed_precision(n, s) for s in ("O2", "O3")],
)
between(
    "drawn_again", stack, lambda n: n.init_parameters_data(), of_all(lambda p: p.set_data(p * 2))
)
between(
    *("types_of_weights", stack),
    of_all(lambda p: p.set_dtype(ms.float16)),
    of_all(lambda p: p.set_dtype(ms.float32)),
    lambda n: n[0].weight.set_data(n[0].weight.astype(ms.float16)),
)
between(
    *("hooks_of_calls", stack),
    lambda n: n[0].register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 2,)),
    lambda n: n.register_forward_hook(lambda cell, inputs, out: out + 1),
)
between("loaded_later", stack, lambda n: ms.load_param_into_net(n, named(n, lambda p: p * 3)))
between(
    *("construct_exchanged", stack),
    lambda n: setattr(n, "construct", lambda x: x * 2),
    lambda n: delattr(n, "construct"),
)
between(
    "children_inserted",
    lambda: Net(lambda s, x: sum([c(x) for c in s.cells()], x), a=nn.Dense(4, 4)),
    lambda n: n.insert_child_to_cell("b", nn.Dense(4, 4)),
    lambda n: n.insert_child_to_cell("b", nn.ReLU()),
    lambda n: delattr(n, "b"),
)
between(
    "parameters_inserted",
    lambda: Net(lambda s, x: sum(list(s.get_parameters()), x), a=Parameter(t(1.0), name="a")),
    lambda n: n.insert_param_to_cell("b", Parameter(t(5.0), name="b")),
    lambda n: delattr(n, "b"),
    lambda n: setattr(n, "a", None),
)
between(
    "cells_of_a_dictionary",
    lambda: Net(
        lambda s, x: sum([s.d[k](x) for k in s.d.keys()], x),  # noqa: SIM118 - a cell
        d=nn.CellDict({"a": nn.Dense(4, 4)}),
    ),
    lambda n: n.d.update({"b": nn.ReLU()}),
    lambda n: n.d.pop("a"),
    lambda n: n.d.clear(),
    lambda n: n.d.__setitem__("z", nn.Tanh()),
)
between(
    "cells_of_a_list",
    lambda: Net(
        lambda s, x: functools.reduce(lambda v, cell: cell(v), s.l, x),
        l=nn.CellList([nn.Dense(4, 4), nn.Tanh(), nn.Dense(4, 4)]),
    ),
    lambda n: n.l.insert(0, nn.ReLU()),
    lambda n: n.l.extend([nn.Sigmoid()]),
    lambda n: n.l.__delitem__(1),
    lambda n: n.l.__setitem__(0, nn.Tanh()),
)
between(
    "buffers_registered",
    lambda: Net(lambda s, x: x * sum(list(s.buffers()), 1.0), a=1),
    lambda n: n.register_buffer("b", t(2.0)),
    lambda n: setattr(n, "b", t(4.0)),
    lambda n: n.b.add_(1),
    lambda n: delattr(n, "b"),
)
between(
    "rate_of_dropout",
    lambda: nn.SequentialCell(nn.Dense(4, 4), nn.Dropout(p=0.5)),
    lambda n: setattr(n[1], "p", 0.1),
    lambda n: n.set_train(False),
    lambda n: n[1].set_train(True),
    train=True,
)
between(
    "settings_of_a_normalization",
    lambda: nn.SequentialCell(nn.Dense(4, 4), nn.BatchNorm1d(4)),
    lambda n: n.set_train(False),
    lambda n: setattr(n[1], "momentum", 0.5),
    lambda n: n.set_train(True),
    lambda n: setattr(n[1], "use_batch_statistics", False),
    lambda n: setattr(n[1], "eps", 1.0),
    train=True,
)
between(
    "a_tensor_of_a_cell",
    lambda: Net(lambda s, x: x * s.k, k=t(2.0)),
    lambda n: setattr(n, "k", t(3.0)),
    lambda n: n.k.assign_value(t(5.0)),
    lambda n: n.k.copy_(t(6.0)),
    lambda n: n.k.set_dtype(ms.float16),
)
between(
    "tensors_swapped",
    lambda: Net(lambda s, x: x * s.a + s.b, a=t(2.0), b=t(3.0)),
    lambda n: ms.common.api.swap_tensors(n.a, n.b),
)
between(
    "values_of_a_parameter",
    lambda: Net(lambda s, x: x * s.a, a=Parameter(t(2.0), name="a")),
    lambda n: n.a.assign_value(t(5.0)),
    lambda n: n.a.set_data(t(1.0, 2.0, 3.0, 4.0), slice_shape=True),
    lambda n: n.a.init_data(),
    lambda n: n.a.copy_(t(1.0, 1.0, 3.0, 4.0)),
)


@replayed()
def names_of_parameters_in_a_step(run: Run) -> Iterator[Any]:
    w = Parameter(t(), name="w")
    net = Net(lambda s, x: (x * s.w).sum(), w=w)
    take = ms.grad(net, None, [w], return_ids=True)
    call = run(lambda x: (take(x), len("".join(net.parameters_dict()))))
    for i in range(9):
        if i == 4:
            w.name = "other"
        found = take(t())
        yield found, ms.get_grad(found, w), call(t())


@replayed()
def cells_shared_by_two_networks(run: Run) -> Iterator[Any]:
    shared = nn.Dense(4, 4)
    a, b = Net(lambda s, x: s.d(x) * 2, d=shared), Net(lambda s, x: s.d(x) + 1, d=shared)
    first, second, x = run(a), run(b), rows(2, 4)
    for i in range(12):
        if i == 4:
            shared.weight.set_data(shared.weight * 2)
        if i == 6:
            shared.to_float(ms.float16)
        if i == 8:
            shared.weight = Parameter(ops.ones((4, 4), ms.float32), name="weight")
        if i == 10:
            b.d = nn.Dense(4, 4, weight_init="ones")
        yield first(x), second(x)


@replayed()
def weights_shared_later(run: Run) -> Iterator[Any]:
    a, b = nn.Dense(4, 4), nn.Dense(4, 4)
    call, x = run(Net(lambda s, x: s.b(s.a(x)), a=a, b=b)), rows(2, 4)
    for i in range(12):
        if i == 4:
            b.weight = a.weight
        if i == 6:
            a.weight.set_data(a.weight * 2)
        if i == 9:
            ops.assign(b.weight, b.weight * 0 + 1)
        yield call(x)


@replayed()
def optimizers_of_two_parts(run: Run) -> Iterator[Any]:
    net, loss = network(), nn.MSELoss()
    net.set_train()
    held = net.trainable_params()
    first, second = nn.SGD(held[:2], 0.1), nn.Adam(held[2:], 0.01)
    take = ms.value_and_grad(lambda x, y: loss(net(x), y), None, held)

    def step(x: Any, y: Any) -> Any:
        value, gradients = take(x, y)
        first(gradients[:2])
        second(gradients[2:])
        return value

    call = run(step)
    for i in range(9):
        if i == 5:
            for p in second.get_parameters():
                if "moment" in p.name:
                    p.set_data(p * 0)
        yield call(*data(i)), weights(net)


@replayed()
def loss_scale_that_adjusts_itself(run: Run) -> Iterator[Any]:
    net = nn.Dense(4, 1, weight_init="ones")
    scaler, optimizer = ms.amp.DynamicLossScaler(2.0**15, 2, 2), nn.SGD(net.trainable_params(), 0.1)

    def forward(x: Any, y: Any) -> Any:
        value = ((net(x) - y) ** 2).mean()
        return scaler.scale(value), value

    take = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(x: Any, y: Any) -> Any:
        (_, value), gradients = take(x, y)
        gradients = scaler.unscale(gradients)
        finite = ms.amp.all_finite(gradients)
        if finite:
            optimizer(gradients)
        scaler.adjust(finite)
        return value

    call = run(step)
    for i in range(10):
        x, y = data(i)
        yield call(x * 1e30 if i in (3, 6) else x, y), weights(net), scaler.scale_value


@replayed()
def weights_averaged_in_numpy(run: Run) -> Iterator[Any]:
    net, loss = network(), nn.MSELoss()
    net.set_train()
    average = {p.name: p.asnumpy().copy() for p in net.get_parameters()}
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    take = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        value, gradients = take(x, y)
        optimizer(gradients)
        return value

    call = run(step)
    for i in range(8):
        yield call(*data(i))
        for p in net.get_parameters():
            average[p.name] = average[p.name] * 0.9 + p.asnumpy() * 0.1
            if i == 5:
                p.set_data(Tensor(average[p.name]))
        yield weights(net)


@replayed()
def states_of_a_recurrent_network(run: Run) -> Iterator[Any]:
    net = nn.LSTM(4, 3)
    call, x, state = run(net), rows(2, 3, 4), None
    for i in range(9):
        out, state = call(x) if i % 4 == 0 else call(x, state)
        yield out, state
        if i == 5:
            net.set_train()


@replayed()
def hessians_of_a_changing_function(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (ops.sin(x) * x[0] * s.k).sum(), k=2.0)
    call = run(net)
    for i in range(7):
        if i == 4:
            net.k = 3.0
        yield ms.jacfwd(ms.jacrev(call))(t()), ms.jacrev(ms.jacrev(call))(t())


# ----------------------------------------------------------------- the process, asked and changed


@ordinary()
def collector_changed_inside(run: Run) -> Iterator[Any]:
    def step(x: Any, name: str) -> Any:
        before = gc.isenabled()
        if name:
            getattr(gc, name)()
        return x * 2, before, gc.isenabled()

    call = run(step)
    try:
        for name in ("disable", "disable", "enable", "", "disable", "", "enable", "enable"):
            yield call(t(), name), gc.isenabled()
    finally:
        gc.enable()


@replayed()
def collector_changed_outside(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * 2)
    try:
        for i in range(6):
            (gc.disable if i % 3 else gc.enable)()
            yield call(t()), gc.isenabled()
    finally:
        gc.enable()


@ordinary()
def depth_of_calls_set_inside(run: Run) -> Iterator[Any]:
    def step(x: Any, depth: int) -> Any:
        ms.set_recursion_limit(depth)
        return x * 2

    call = run(step)
    before = ms.get_context("max_call_depth")
    try:
        for depth in (500, 500, 500, 500, 600, 500, 600):
            yield call(t(), depth), ms.get_context("max_call_depth")
    finally:
        ms.set_recursion_limit(before)


@ordinary()
def records_read_from_a_file(run: Run) -> Iterator[Any]:
    path = os.path.join(tempfile.mkdtemp(), "records")

    def step(x: Any) -> Any:
        return x * float(np.rec.fromfile(path, formats="f8", shape=3)[0][0])

    call = run(step)
    for i in range(8):
        np.array([i // 4 + 1.0, 2.0, 3.0]).tofile(path)
        yield call(t())


@ordinary()
def date_of_the_clock_by_a_text(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x, int(np.array("now", "M8[s]").astype(np.int64)), np.asarray(["today"], "M8[D]")

    call = run(step)
    for _ in range(4):
        found = call(t())
        yield found[0], abs(found[1] - time.time()) < 60
    before = call(t())[1]
    time.sleep(1.1)
    yield call(t())[1] > before


@replayed()
def digits_that_a_number_may_have(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x, attempt(lambda: str(10**5000)[:10])))
    limit = getattr(sys, "get_int_max_str_digits", lambda: 4300)()
    setter = getattr(sys, "set_int_max_str_digits", lambda limit: None)
    try:
        for i in range(9):
            setter(0 if 3 < i < 7 else limit)
            yield call(t())
    finally:
        setter(limit)


@replayed()
def recordings_cleared_inside(run: Run) -> Iterator[Any]:
    k = [2.0]

    def step(x: Any) -> Any:
        ms.graph.clear()
        return ops.relu(x) * k[0]

    call = run(step)
    for i in range(9):
        k[0] = 2.0 + i // 5
        yield call(t()), ms.grad(call)(t())


def replaced(name: str) -> None:
    """A program that puts a function of its own in the place of a method of torch's tensors."""

    def program(run: Run) -> Iterator[Any]:
        plain, seen = getattr(torch.Tensor, name), []
        inherited = name not in vars(torch.Tensor)

        def own(self: Any, *args: Any, **kwargs: Any) -> Any:
            seen.append(name)
            return plain(self, *args, **kwargs)

        call, taken = run(lambda x: x * 2), run(lambda x: Tensor(getattr(x.to_torch(), name)()))
        setattr(torch.Tensor, name, own)
        try:
            for _ in range(5):
                yield call(t()), getattr(torch.Tensor, name) is own, len(seen)
                yield taken(t()), getattr(torch.Tensor, name) is own
            setattr(torch.Tensor, name, plain)  # as it was, but in the class itself
            for _ in range(4):
                yield call(t()), ops.relu(x := t()), x.tolist()
        finally:
            setattr(torch.Tensor, name, plain)
            if inherited:
                delattr(torch.Tensor, name)

    program.__name__ = f"method_{name}_of_torch_replaced"
    ordinary()(program)


replaced("numpy")
replaced("tolist")


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_between(program: Any, quiet: bool) -> None:
    check(program, quiet)


def test_large_arguments_are_not_held() -> None:
    def step(x: Any, table: Any) -> Any:
        return x * float(table[0])

    call = ms.jit(step)
    for i in range(64):
        call(t(), np.full(1000, i, np.float64))
    function = vars(call)["_compiled"]
    assert len(function.latest) <= 32
    assert all(type(key) is int for key in function._seen)
