"""Random numbers of Python and numpy that decide: drawn anew in every call, and replayed."""

from __future__ import annotations

import contextlib
import random
import sys
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Tensor, nn, ops
from agar._core.graph.diagnostics import GraphWarning
from agar._core.graph.record import draws
from graph.soundness.harness import Run, Table, check, program

REPLAYED: Table = []
PYTHON: Table = []
X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


def calls(run: Run, target: Any, count: int = 30, x: Any = X) -> Any:
    """Results of many calls; by then all branches have been seen."""
    call = run(target)
    for _ in range(count):
        yield call(Tensor(x))


class Layers(nn.Cell):
    """Layers, some of which are left out."""

    def __init__(self, p: float = 0.3, count: int = 3) -> None:
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 3) for _ in range(count)])
        self.p = p

    def construct(self, x: Any) -> Any:
        for layer in self.layers:
            if self.training and random.random() < self.p:
                continue
            x = layer(x)
        return x


class Kept(Layers):
    """The number has a name before it is compared, twice."""

    def construct(self, x: Any) -> Any:
        for layer in self.layers:
            dropout_probability = random.uniform(0, 1)
            skip = self.training and (dropout_probability < self.p)
            if not skip:
                x = layer(x) * (1 if dropout_probability > 0.5 else 2)
        return x


@program(REPLAYED)
def layer_drop(run):
    yield from calls(run, Layers().set_train())


@program(REPLAYED)
def layer_drop_with_a_name(run):
    yield from calls(run, Kept().set_train())


@program(REPLAYED)
def layer_drop_trains(run):
    net = Layers(0.4, 2).set_train()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, optimizer.parameters)

    def train(x):
        loss, grads = step(x)
        optimizer(grads)
        return loss

    call = run(train)
    for _ in range(30):
        yield call(Tensor(X)), [p.asnumpy() for p in net.get_parameters()]


@program(REPLAYED)
def probability_changes(run):
    net = Layers(0.2, 2).set_train()
    call = run(net)
    for i in range(30):
        net.p = (0.2, 0.8)[i // 10 % 2]
        yield call(Tensor(X))


@program(REPLAYED)
def train_and_eval(run):
    net = Layers().set_train()
    call = run(net)
    for i in range(30):
        net.set_train(i % 3 != 0)
        yield call(Tensor(X))


@program(REPLAYED)
def two_numbers_compared_in_the_other_order(run):
    def f(x):
        first = random.random()
        second = random.random()
        if second < 0.5:
            x = x + 1
        if first < 0.5:
            x = x * 2
        return x

    yield from calls(run, f)


@program(REPLAYED)
def all_comparisons(run):
    def f(x):
        r = random.random()
        if r <= 0.2:
            return x
        if r >= 0.9:
            return x + 1
        if r == 0.5:
            return x + 2
        return x + 3 if r != 0.25 and r < 0.6 else x + 4

    yield from calls(run, f)


@program(REPLAYED)
def of_numpy(run):
    def f(x):
        if np.random.rand() < 0.5:
            x = x + 1
        if np.random.uniform(0, 2) > 1:
            x = x * 2
        if np.random.random() < 0.3:
            x = x - 1
        return x * 3 if np.random.randint(0, 2) else x

    yield from calls(run, f, 40)


@program(REPLAYED)
def whole_numbers(run):
    def f(x):
        return x * random.randint(1, 3) + random.randrange(2) + random.choice([1.0, 2.0])

    yield from calls(run, f, 40)


@program(REPLAYED)
def choice_of_a_layer(run):
    net = Layers(0, 3)
    yield from calls(run, lambda x: random.choice([*net.layers])(x))


@program(REPLAYED)
def draws_between_agars_draws(run):
    def f(x):
        x = ops.dropout(x, 0.5, True)
        if random.random() < 0.5:
            x = ops.dropout(x, 0.2, True)
        return x + ops.rand(3)

    yield from calls(run, f)


@program(REPLAYED)
def seeded_between_calls(run):
    call = run(Layers().set_train())
    for i in range(30):
        if i % 7 == 0:
            random.seed(i)
        yield call(Tensor(X)), random.random()


@program(REPLAYED)
def value_of_a_tensor_and_draw(run):
    def f(x):
        if x.sum() > 0 and random.random() < 0.5:
            return x * 2
        return x - 1

    call = run(f)
    for i in range(30):
        yield call(Tensor(X + i % 3 - 1))


@program(REPLAYED)
def draw_before_an_error(run):
    def f(x):
        if random.random() < 0.5:
            return ops.reshape(x, (7,) if x.shape[0] == 1 else (-1,))
        return x

    call = run(f)
    for i in range(20):
        try:
            yield call(Tensor(X[: 1 + i % 2]))
        except ValueError:
            yield "raised", random.getstate()


def as_python(name: str, function: Any) -> None:
    """A call that draws in a way that is not replayed."""

    def made(run: Run) -> Any:
        yield from calls(run, function, 12)

    made.__name__ = name
    program(PYTHON, python=True)(made)


_random = random.random


def _passed_on(r: Any) -> bool:
    return isinstance(r, float) and r < 0.5


def _in_a_frame(x: Any) -> Any:
    r = random.random()
    entry = sys._getframe().f_locals["r"]
    return x * 2 if r < 0.5 and isinstance(entry, float) else x


def _locals(x: Any) -> Any:
    r = random.random()
    return x * 2 if r < 0.5 and isinstance(locals()["r"], float) else x


def _closed_over(x: Any) -> Any:
    r = random.random()
    return (lambda: x * 2 if r < 0.5 else x)()


def _chained(x: Any) -> Any:
    return x * 2 if 0.2 < random.random() < 0.7 else x


def _generator(x: Any) -> Any:
    def values() -> Any:
        r = random.random()
        yield r < 0.5

    return x * 2 if next(values()) else x


def _kept_outside(x: Any, kept: list[Any] = []) -> Any:  # noqa: B006 - the point of it
    r = random.random()
    kept.append(r)
    return x * 2 if r < 0.5 else x


def _of_two(x: Any) -> Any:
    r = random.random() if x.shape[0] else 0.5
    return x * 2 if r < 0.5 else x


as_python("a_factor", lambda x: x * random.random())
as_python("arithmetic", lambda x: x if random.random() * 2 < 0.5 else x * 2)
as_python("passed_on", lambda x: x if _passed_on(random.random()) else x * 2)
as_python("of_a_frame", _in_a_frame)
as_python("locals_are_read", _locals)
as_python("closed_over", _closed_over)
as_python("a_chain", _chained)
as_python("in_a_generator", _generator)
as_python("kept_outside", _kept_outside)
as_python("one_of_two", _of_two)
as_python("bound_elsewhere", lambda x: x if _random() < 0.5 else x * 2)
as_python("a_text", lambda x: x if f"{random.random():.1f}" < "0.5" else x * 2)
as_python("as_whole", lambda x: x * int(random.random() * 3))
as_python("many_values", lambda x: x * random.randint(0, 1000))
as_python("with_a_tensor", lambda x: x * (random.random() < x.sum()))
as_python("with_a_numpy_number", lambda x: x * 2 if random.random() < np.float32(0.5) else x)
as_python("named_arguments", lambda x: x * random.randint(a=0, b=1))
as_python("an_array", lambda x: x + Tensor(np.random.uniform(0, 1, 3).astype(np.float32)))
as_python("shuffled", lambda x: x * random.sample([1.0, 2.0], 2)[0])


@pytest.mark.parametrize(("run", "quiet"), REPLAYED + PYTHON)
def test_program(run, quiet):
    check(run, quiet)


def test_calls_are_replayed():
    ms.set_context(mode=ms.GRAPH_MODE)
    random.seed(2)
    net = Layers().set_train()
    for _ in range(60):
        net(Tensor(X))
    compiled = net.__dict__["_compiled"]
    (specialization,) = compiled.specializations.values()
    assert compiled.plain_calls == 0
    assert specialization.ends == 8
    assert specialization.recordings == 16
    assert specialization.replays == 44


@pytest.mark.parametrize(("p", "stays"), [(0.004, True), (0.5, False)])
def test_a_tree_that_is_full_goes_on_or_is_given_up(p, stays):
    ms.set_context(mode=ms.GRAPH_MODE)
    random.seed(2)
    net = Layers(p, 10).set_train()
    net(Tensor(X)), net(Tensor(X))
    (specialization,) = net.__dict__["_compiled"].specializations.values()
    for _ in range(30):
        net(Tensor(X))
    specialization._full_since = specialization.replays
    state = random.getstate()
    with contextlib.nullcontext() if stays else pytest.warns(GraphWarning, match="128 ways"):
        got = [net(Tensor(X)).asnumpy() for _ in range(60)]
    assert (specialization.eager is None) == stays
    assert (specialization.replays > 80) == stays
    after = random.getstate()
    random.setstate(state)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    for value in got:
        assert (net(Tensor(X)).asnumpy() == value).all()
    assert random.getstate() == after


def test_explain_names_what_decides():
    ms.set_context(mode=ms.GRAPH_MODE)
    random.seed(2)
    net = Layers(0.5, 1).set_train()
    for _ in range(8):
        net(Tensor(X))
    explained = ms.graph.explain(net)
    assert explained.subgraphs[0].variable == "a random number compared"
    assert "then Python reads a random number compared at" in str(explained)
    whole = ms.jit(lambda x: x * random.randint(1, 2))
    for _ in range(8):
        whole(Tensor(X))
    assert ms.graph.explain(whole).subgraphs[0].variable == "random.randint"


def test_functions_are_put_back():
    before = [getattr(m, n) for m, n, _, _ in draws.replacements()]
    ms.set_context(mode=ms.GRAPH_MODE)
    seen = []

    def f(x):
        seen.append(random.random is not before[0])
        return x + 1

    ms.jit(f)(Tensor(X))
    assert seen == [True]
    assert [getattr(m, n) for m, n, _, _ in draws.replacements()] == before
    assert random.random == before[0]


def test_a_function_of_the_users_own_is_left_alone(monkeypatch):
    monkeypatch.setattr(random, "random", lambda: 0.25)
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Layers(0.3).set_train()
    with pytest.warns(GraphWarning, match="where that comes from cannot be seen"):
        got = [net(Tensor(X)).asnumpy() for _ in range(4)]
    assert all((value == X).all() for value in got)
