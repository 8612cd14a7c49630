"""Branches, sizes, gradients and modes together with Python state that changes between calls."""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import math
import typing
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import Net, Programs, data, network, t, weights
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
replayed, ordinary, change = ROWS.replayed, ROWS.ordinary, ROWS.change


# ------------------------------------------------------------------------------------ branches


def branch(name: str, step: Any, python: bool = False) -> None:
    """A program of a function of a value that rarely takes its other way, and of a held dict."""

    def run_it(run: Run) -> Iterator[Any]:
        held: dict[str, Any] = {"limit": 5.0, "log": [], "k": 2.0, "n": 0}
        call = run(lambda x: step(x, held))
        for i in range(26):
            if i == 20:
                held["limit"] = 2.0
            if i == 23:
                held["k"] = 7.0
            large = i in (6, 8, 9, 11, 14, 15, 16, 17, 22, 24, 25)
            yield attempt(call, t(9.0 if large else 1.0, 2.0)), dict(held)

    run_it.__name__ = f"branch_{name}"
    (ROWS.ordinary if python else ROWS.replayed)()(run_it)


def _rare(x: Any, held: Any) -> Any:
    return x * held["k"] if x.sum() > held["limit"] else x + held["k"]


def _rare_effect(x: Any, held: Any) -> Any:
    if x.sum() > held["limit"]:
        held["log"].append(len(held["log"]))
        return x * 2
    return x


def _rare_count(x: Any, held: Any) -> Any:
    if x.sum() > held["limit"]:
        held["n"] += 1
    return x * held["n"]


def _rare_error(x: Any, held: Any) -> Any:
    if x.sum() > held["limit"]:
        raise ValueError(f"too large at {held['k']}")
    return x * held["k"]


def _rare_error_after_effect(x: Any, held: Any) -> Any:
    if x.sum() > held["limit"]:
        held["n"] += 1
        raise KeyError("late")
    return x * held["k"]


def _rare_draw(x: Any, held: Any) -> Any:
    if x.sum() > held["limit"]:
        return x * float(np.random.rand())
    return x * held["k"]


def _rare_read(x: Any, held: Any) -> Any:
    return x * len(held["log"]) if x.sum() > held["limit"] else x * 3


def _rare_loop(x: Any, held: Any) -> Any:
    n = 0
    while x.sum() > held["limit"] and n < 6:
        x = x / held["k"]
        n += 1
    return x, n


def _counted_loop(x: Any, held: Any) -> Any:
    for i in range(int(x[0])):
        if i > held["limit"]:
            break
        x = x + i * held["k"]
    return x


def _value_as_key(x: Any, held: Any) -> Any:
    table = {1: "a", 9: "b"}
    return x * len(table[int(x[0])] * int(held["k"]))


def _value_kept(x: Any, held: Any) -> Any:
    held["n"] = float(x[0])
    return x * held["k"]


def _assertion(x: Any, held: Any) -> Any:
    assert x.sum() < held["limit"], f"{held['k']}"
    return x + 1


def _caught(x: Any, held: Any) -> Any:
    try:
        return _rare_error(x, held)
    except ValueError:
        return x * 100 * held["k"]


def _nested(x: Any, held: Any) -> Any:
    if x.sum() > held["limit"]:
        if x.max() > 8:
            return x - held["k"]
        return x * held["k"]
    return x if x.min() > 1.5 else x / held["k"]


branch("state_in_both_ways", _rare)
branch("effect", _rare_effect, python=True)
branch("count", _rare_count, python=True)
branch("error", _rare_error, python=True)
branch("error_after_effect", _rare_error_after_effect, python=True)
branch("draw", _rare_draw, python=True)
branch("read", _rare_read)
branch("loop", _rare_loop)
branch("counted_loop", _counted_loop)
branch("value_as_key", _value_as_key)
branch("value_kept", _value_kept, python=True)
branch("assertion", _assertion, python=True)
branch("caught", _caught)
branch("nested", _nested)


# --------------------------------------------------------------------------------------- sizes


def sizes(name: str, step: Any, python: bool = True, width: int = 4) -> None:
    """A program that is called with many sizes, each several times, and state that changes."""

    def run_it(run: Run) -> Iterator[Any]:
        held: dict[str, Any] = {"limit": 9, "k": 2.0, "log": []}
        draw = np.random.RandomState(3)
        table = Tensor(draw.randn(40, width).astype(np.float32))
        call = run(lambda x: step(x, held, table))
        order = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 4, 1, 17, 5, 2, 20, 1, 9, 13, 16, 25, 36]
        for i, n in enumerate(order):
            if i == 18:
                held["k"] = 5.0
            if i == 20:
                held["limit"] = 12
            x = Tensor(draw.randn(n, width).astype(np.float32))
            yield attempt(call, x), len(held["log"])

    run_it.__name__ = f"sizes_{name}"
    (ROWS.ordinary if python else ROWS.replayed)()(run_it)


def _pick(x: Any, held: Any, table: Any) -> Any:
    return x * held["k"] if x.shape[0] > held["limit"] else x + held["k"]


def _by_list(x: Any, held: Any, table: Any) -> Any:
    factors = [float(i * i) for i in range(40)]
    return x * factors[x.shape[0]]


def _by_dict(x: Any, held: Any, table: Any) -> Any:
    return x * {4: 2.0, 9: 3.0, 13: 4.0}.get(x.shape[0], held["k"])


def _root(x: Any, held: Any, table: Any) -> Any:
    return x / math.sqrt(x.shape[0]) + int(x.shape[0] ** 0.5)


def _text(x: Any, held: Any, table: Any) -> Any:
    return x * len(str(x.shape[0])) + len(f"{x.shape}")


def _of_numpy(x: Any, held: Any, table: Any) -> Any:
    return x + Tensor(np.triu(np.ones((x.shape[0], x.shape[1]), np.float32)))


def _arange(x: Any, held: Any, table: Any) -> Any:
    return x * ops.arange(x.shape[0]).reshape(-1, 1) + float(np.arange(x.shape[0]).sum())


def _squared(x: Any, held: Any, table: Any) -> Any:
    n = x.shape[0]
    root = round(n**0.5)
    return x.reshape(root, root, -1).sum(1) if root * root == n else x.sum(0)


def _parity(x: Any, held: Any, table: Any) -> Any:
    return x[: x.shape[0] // 2] * 2 if x.shape[0] % 2 == 0 else x[::2]


def _rows(x: Any, held: Any, table: Any) -> Any:
    total = x[0]
    for row in x[1:]:
        total = total * 0.5 + row
    return total


def _kept_size(x: Any, held: Any, table: Any) -> Any:
    if x.shape[0] > held["limit"]:
        held["log"].append(x.shape[0])
    return x * 2


def _largest(x: Any, held: Any, table: Any) -> Any:
    return ops.concat([x, table[: max(x.shape[0], 8)]]).sum(0) * min(x.shape[0], held["limit"])


def _is_in(x: Any, held: Any, table: Any) -> Any:
    return x * (2.0 if x.shape[0] in (4, 9, 16, 25) else 3.0) * (x.shape == (4, 4))


def _mean_of(x: Any, held: Any, table: Any) -> Any:
    return x.sum() / len(x) + x.size + x.ndim


def _pad(x: Any, held: Any, table: Any) -> Any:
    missing = -x.shape[0] % 8
    return ops.concat([x, ops.zeros((missing, x.shape[1]), ms.float32)]).reshape(-1, 8).sum(0)


def _chunks(x: Any, held: Any, table: Any) -> Any:
    return sum(part.sum() * i for i, part in enumerate(ops.split(x, 4)))


def _value_and_size(x: Any, held: Any, table: Any) -> Any:
    n = int(x.sum() > 0) + x.shape[0]
    return x * n + (held["k"] if n > held["limit"] else 0.0)


def _broadcast(x: Any, held: Any, table: Any) -> Any:
    return x + x[:1] * (x.shape[0] == 1) + table[x.shape[0]]


def _drop(x: Any, held: Any, table: Any) -> Any:
    return ops.dropout(x, 0.5, training=True) * held["k"]


for _step in (
    _pick,
    _by_list,
    _by_dict,
    _root,
    _text,
    _of_numpy,
    _arange,
    _squared,
    _parity,
    _rows,
    _kept_size,
    _largest,
    _is_in,
    _mean_of,
    _pad,
    _chunks,
    _value_and_size,
    _broadcast,
    _drop,
):
    sizes(_step.__name__[1:], _step)


# ----------------------------------------------------------------------------------- gradients


class Doubled(nn.Cell):
    """Has a backward pass of its own, which reads what changes."""

    factors: Any = (1.0,)

    def construct(self, x: Any) -> Any:
        return x * 2

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        return (dout * self.factors[0],)


def gradient(name: str, make: Any, python: bool = True) -> None:
    """A program of a function and the changes that are made to what it reads."""

    def run_it(run: Run) -> Iterator[Any]:
        function, mutate = make()
        call = run(function)
        outside = ms.value_and_grad(call)
        inside = run(lambda x: ms.value_and_grad(function)(x))
        for i in range(13):
            if i in (4, 9):
                mutate(i)
            yield attempt(outside, t()), attempt(inside, t()), attempt(call, t())

    run_it.__name__ = f"gradient_{name}"
    (ROWS.ordinary if python else ROWS.replayed)()(run_it)


def _own_backward() -> Any:
    cell = Doubled()
    cell.factors = [1.0]
    return lambda x: cell(x).sum(), lambda i: cell.factors.__setitem__(0, float(i))


def _stopped() -> Any:
    held = {"stop": False}
    return (
        lambda x: (ops.stop_gradient(x) if held["stop"] else x).sum() * 2 + (x * x).sum(),
        lambda i: held.update(stop=not held["stop"]),
    )


def _hooked() -> Any:
    net = Net(lambda s, x: (s.inner(x) * 3).sum(), inner=nn.Tanh())
    handles: list[Any] = []

    def mutate(i: int) -> None:
        if handles:
            handles.pop().remove()
        else:
            handles.append(net.inner.register_backward_hook(lambda cell, gi, go: (gi[0] * 10,)))

    return net, mutate


def _recomputed() -> Any:
    net = Net(lambda s, x: (s.inner(x) * s.k).sum(), inner=nn.SequentialCell(nn.Tanh()), k=2.0)
    net.inner.recompute()
    return net, lambda i: setattr(net, "k", float(i))


def _frozen() -> Any:
    net = Net(lambda s, x: (x * s.w).sum() + (s.w * s.w).sum(), w=Parameter(t(), name="w"))
    return net, lambda i: setattr(net.w, "requires_grad", not net.w.requires_grad)


def _global_in_a_helper() -> Any:
    table = {"power": 2}

    @functools.cache
    def power(n: int) -> int:
        return n + 1

    return (
        lambda x: (x ** power(table["power"])).sum(),
        lambda i: table.update(power=table["power"] + 1),
    )


def _branch_of_the_value() -> Any:
    held = {"limit": 1.0}
    return (
        lambda x: (x * 3).sum() if x.sum() > held["limit"] else (x * x).sum(),
        lambda i: held.update(limit=5.0 if i == 4 else -5.0),
    )


def _second_order() -> Any:
    held = {"k": 1.0}
    return (
        lambda x: ms.grad(lambda v: (v * v * v * held["k"]).sum())(x).sum(),
        lambda i: held.update(k=float(i)),
    )


for _make in (
    _own_backward,
    _stopped,
    _hooked,
    _recomputed,
    _frozen,
    _global_in_a_helper,
    _branch_of_the_value,
    _second_order,
):
    gradient(_make.__name__[1:], _make)


# ------------------------------------------------------------------------- jit in many places


class WithMethod:
    """An object with a compiled method."""

    def __init__(self) -> None:
        self.k = 2.0
        self.log: list[Any] = []

    @ms.jit
    def scaled(self, x: Any) -> Any:
        return x * self.k

    @ms.jit
    def logged(self, x: Any) -> Any:
        self.log.append(1)
        return x * len(self.log)


@ordinary()
def compiled_methods(run: Run) -> Iterator[Any]:
    a, b = WithMethod(), WithMethod()
    b.k = 3.0
    for i in range(10):
        if i == 4:
            a.k = 5.0
        if i == 7:
            b.__dict__["k"] = 7.0
        yield a.scaled(t()), b.scaled(t()), a.logged(t()), len(a.log), len(b.log)


@replayed()
def compiled_function_in_a_compiled_one(run: Run) -> Iterator[Any]:
    held = {"k": 2.0}
    inner = ms.jit(lambda x: x * held["k"])
    call = run(lambda x: inner(x) + inner(x * 2))
    for i in range(10):
        if i == 4:
            held["k"] = 3.0
        yield call(t()), inner(t())


@replayed()
def compiled_partial(run: Run) -> Iterator[Any]:
    def step(x: Any, k: Any, *, m: float = 1.0) -> Any:
        return x * k[0] * m

    k = [2.0]
    part = functools.partial(step, k=k, m=3.0)
    call = run(lambda x: part(x))
    for i in range(10):
        if i == 4:
            k[0] = 5.0
        if i == 7:
            part.keywords["m"] = 7.0
        yield call(t())


@replayed()
def partial_method(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        def scaled(self, x: Any, k: float) -> Any:
            return x * k

        twice = functools.partialmethod(scaled, k=2.0)

        def construct(self, x: Any) -> Any:
            return self.twice(x)

    net = Own()
    call = run(net)
    for i in range(9):
        if i == 4:
            Own.twice = functools.partialmethod(Own.scaled, k=5.0)
        yield call(t())


@ordinary()
def single_dispatch_method(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        k = 2.0

        @functools.singledispatchmethod
        def scaled(self, n: Any, x: Any) -> Any:
            return x

        @scaled.register
        def _(self, n: int, x: Any) -> Any:
            return x * n * self.k

        @scaled.register
        def _(self, n: str, x: Any) -> Any:
            return x * len(n)

        def construct(self, x: Any, n: Any) -> Any:
            return self.scaled(n, x)

    net = Own()
    call = run(net)
    for i in range(12):
        if i == 8:
            net.k = 5.0
        yield call(t(), (3, "ab")[i // 3 % 2])


@replayed()
def settings_of_a_program(run: Run) -> Iterator[Any]:
    settings = argparse.Namespace(k=2.0, inner=argparse.Namespace(m=[1.0]))
    call = run(lambda x: x * settings.k + settings.inner.m[0])
    for i in range(12):
        if i == 4:
            settings.k = 3.0
        if i == 6:
            settings.inner.m[0] = 4.0
        if i == 8:
            settings.inner = argparse.Namespace(m=[7.0])
        yield call(t())


class EasyDict(dict[str, Any]):
    """A dictionary whose items are attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


@replayed()
def dictionary_with_attributes(run: Run) -> Iterator[Any]:
    settings = EasyDict(k=2.0, inner=EasyDict(m=1.0))
    call = run(lambda x: x * settings.k + settings.inner.m + getattr(settings, "late", 0.0))
    for i in range(12):
        if i == 4:
            settings.k = 3.0
        if i == 6:
            settings.inner.m = 4.0
        if i == 8:
            settings.late = 9.0
        yield call(t())


@replayed()
def dictionary_with_attributes_as_argument(run: Run) -> Iterator[Any]:
    settings = EasyDict(k=2.0)
    call = run(lambda x, s: x * s.k)
    for i in range(12):
        if i == 4:
            settings.k = 3.0
        yield call(t(), settings)


class Sample(typing.NamedTuple):
    x: Any
    mask: Any = None
    names: tuple[str, ...] = ()


@replayed()
def named_tuples(run: Run) -> Iterator[Any]:
    def step(sample: Sample) -> Any:
        y = sample.x * len(sample.names)
        if sample.mask is not None:
            y = y * sample.mask
        return sample._replace(x=y)

    call = run(step)
    for i in range(12):
        mask = t(1, 0, 1) if i // 3 % 2 else None
        yield call(Sample(t(), mask, ("a",) * (1 + i // 6)))


@ordinary()
def warnings_of_the_call(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        warnings.warn("each time", UserWarning, stacklevel=1)
        return x * 2

    call = run(step)
    for _ in range(6):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            y = call(t())
        yield y, [str(w.message) for w in caught if w.category is UserWarning]


@ordinary()
def errors_that_are_suppressed(run: Run) -> Iterator[Any]:
    held: dict[str, float] = {}

    def step(x: Any) -> Any:
        k = 1.0
        with contextlib.suppress(KeyError):
            k = held["k"]
        return x * k

    call = run(step)
    for i in range(9):
        if i == 4:
            held["k"] = 5.0
        if i == 7:
            del held["k"]
        yield call(t())


@replayed()
def modes_of_the_context_change(run: Run) -> Iterator[Any]:
    held = {"k": 1.0}
    w = Parameter(t(1, 1, 1), name="w")

    def step(x: Any) -> Any:
        ops.assign_add(w, x)
        return x * held["k"]

    call = run(step)
    before = ms.get_context("mode")
    for i in range(15):
        if i % 5 == 4:
            ms.set_context(mode=ms.PYNATIVE_MODE)
            held["k"] += 1
        yield call(t()), w
        ms.set_context(mode=before)


@replayed()
def level_of_compilation_changes(run: Run) -> Iterator[Any]:
    held = {"k": 1.0}
    call = run(lambda x: x * held["k"])
    for i in range(12):
        if i == 4:
            ms.set_context(jit_config={"jit_level": "O0"})
        if i == 6:
            held["k"] = 3.0
        if i == 8:
            ms.set_context(jit_config={"jit_level": ""})
        yield call(t())


@replayed()
def values_out_of_range(run: Run) -> Iterator[Any]:
    table = Tensor(np.arange(6, dtype=np.float32))
    w = Parameter(t(1, 1, 1), name="w")

    def step(i: Any) -> Any:
        y = table[i]
        ops.assign_add(w, t(1, 1, 1))
        return y * 2

    call = run(step)
    for i in range(10):
        at = 99 if i in (5, 7) else i % 6
        yield attempt(call, Tensor([at, 0], ms.int32))[:2], w


@replayed()
def train_step_with_events(run: Run) -> Iterator[Any]:
    net = network()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss_of = nn.MSELoss()
    table = {"weight": 1.0}
    forward = ms.value_and_grad(
        lambda x, y: loss_of(net(x), y) * table["weight"], None, opt.parameters, has_aux=False
    )

    def step(x: Any, y: Any) -> Any:
        loss, grads = forward(x, y)
        opt(grads)
        return loss

    call = run(step)
    net.set_train()
    for i in range(14):
        if i == 4:
            table["weight"] = 2.0
        if i == 7:
            net.set_train(False)
        if i == 9:
            net.set_train()
            ms.load_param_into_net(net, {p.name: Parameter(p * 0.5) for p in net.get_parameters()})
        if i == 12:
            opt.learning_rate.set_data(Tensor(0.01))
        yield call(*data(i)), weights(net)


@replayed()
def counters_in_other_containers(run: Run) -> Iterator[Any]:
    counts: Any = collections.Counter(a=2)
    call = run(lambda x: x * counts["a"] + counts["b"] + counts.most_common(1)[0][1])
    for i in range(9):
        if i == 4:
            counts["b"] += 7
        yield call(t())


@replayed()
def keyword_arguments_by_dictionary(run: Run) -> Iterator[Any]:
    def inner(x: Any, **options: Any) -> Any:
        return x * options.get("k", 1.0) + len(options)

    options = {"k": 2.0}
    call = run(lambda x: inner(x, **options))
    for i in range(9):
        if i == 4:
            options["m"] = 1.0
        if i == 6:
            options["k"] = 5.0
        yield call(t())


@replayed()
def positions_by_list(run: Run) -> Iterator[Any]:
    held = [1.0, 2.0]
    call = run(lambda x: (lambda *v: x * sum(v) + len(v))(*held))
    for i in range(9):
        if i == 4:
            held.append(5.0)
        if i == 6:
            held[:] = [7.0]
        yield call(t())


@replayed()
def comprehensions_over_state(run: Run) -> Iterator[Any]:
    held = {"a": [1.0, 2.0], "b": [3.0]}
    call = run(lambda x: x * sum(v for k, vs in held.items() if k != "z" for v in vs))
    for i in range(9):
        if i == 4:
            held["b"].append(5.0)
        if i == 6:
            held["z"] = [100.0]
        if i == 7:
            held["z2"] = [100.0]
        yield call(t())


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_call(program: Any, quiet: bool) -> None:
    check(program, quiet)
