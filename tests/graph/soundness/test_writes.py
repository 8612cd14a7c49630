"""Programs whose calls set items and attributes of what they are given."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import agar as ms
from agar import Tensor, nn, ops
from graph.soundness.attacks import Net, Programs, t
from graph.soundness.classes import MAKERS, BySlots, Ordinary, Output, Record, Table
from graph.soundness.harness import Run, attempt, calls_of, check
from graph.soundness.test_results import state

ROWS = Programs()
COUNTED: list[Any] = []


def counted(behavior: Any) -> Any:
    """Add a program whose replays are counted."""
    COUNTED.append(pytest.param(behavior, id=behavior.__name__))
    return ROWS.replayed()(behavior)


@counted
def items_of_a_dict(run: Run) -> Iterator[Any]:
    def step(x: Any, held: Any) -> Any:
        held["h"] = held["h"] * 0.5 + x
        held["steps"] = held["steps"] + 1
        held["all"] = [held["h"], x]
        return held["h"]

    call = run(step)
    for i in range(24):
        held = {"h": t(i, 2), "steps": i // 8, "kept": [1]}
        kept = held["kept"]
        result = call(t(1, 2), held)
        yield state(held), result is held["h"], held["kept"] is kept


@counted
def order_of_keys(run: Run) -> Iterator[Any]:
    def step(x: Any, held: Any) -> Any:
        held["z"] = x * 2
        held["a"] = x * 3
        return x

    call = run(step)
    for i in range(24):
        held: Any = {"a": 1} if i % 3 == 0 else {"z": 1, "b": 2} if i % 3 == 1 else {}
        x = t(i)
        yield call(x, held) is x, state(held), list(held)


@counted
def items_of_a_list(run: Run) -> Iterator[Any]:
    def step(x: Any, held: Any) -> Any:
        held[0] = x * 2
        held.append(held[0] + 1)
        held += [x, "end"]
        return held, held[-3]

    call = run(step)
    for i in range(16):
        held = [None, i // 8]
        x = t(i)
        again, last = call(x, held)
        yield state(held), again is held, last is held[-3], held[3] is x


@counted
def deep_inside(run: Run) -> Iterator[Any]:
    def step(held: Any) -> Any:
        held["a"][0]["h"] = held["x"] * 2
        held["a"][1].append(held["a"][0]["h"])
        held["a"][0]["me"] = held
        return held["a"][1][0]

    call = run(step)
    for i in range(16):
        held: Any = {"x": t(i), "a": ({"h": None}, [])}
        result = call(held)
        inner = held["a"][0]
        yield inner["h"] is result, result, inner["me"] is held, list(inner), len(held["a"][1])


@counted
def exchanged(run: Run) -> Iterator[Any]:
    def step(held: Any, b: Any) -> Any:
        held["a"], held["b"] = held["b"], held["a"]
        b.x, b.y = b.y, b.x
        before, held["c"] = held["c"], {"new": held["c"]}
        return before, held["c"]

    call = run(step)
    for i in range(24):
        a, c, held = [i // 9], {"k": 1}, {}
        held = {"a": a, "b": t(i), "c": c}
        b = Ordinary(t(i, 2), [1])
        y = b.y
        before, new = call(held, b)
        yield held["b"] is a, b.x is y, state(b.y), before is c, new["new"] is c, new is held["c"]


@counted
def computed_once(run: Run) -> Iterator[Any]:
    class Lazy(Ordinary):
        @functools.cached_property
        def doubled(self) -> Any:
            return self.x * 2

    call = run(lambda b: (b.doubled + 1, b.doubled))
    for i in range(24):
        batch = Lazy(t(i), t(1))
        y, doubled = call(batch)
        yield y, doubled is vars(batch)["doubled"], list(vars(batch))
        z, again = call(batch)
        yield z, again is doubled


def of_each(behavior: Any) -> Any:
    for name, make in MAKERS.items():
        if "row" in name or name in ("items", "nested", "options", "frozen_record", "encoding"):
            continue
        run_it = functools.partial(behavior, make=make)
        run_it.__name__ = f"{behavior.__name__}_{name}"  # type: ignore[attr-defined]
        counted(run_it)
    return behavior


@of_each
def attributes(run: Run, make: Any) -> Iterator[Any]:
    def step(b: Any) -> Any:
        b.y = b.x * 2
        b.n = Record(b.y, [b.x])
        return b.y

    call = run(step)
    for i in range(30):
        batch = make(t(i, 2), t(3, i), i // 12)
        y = call(batch)
        yield state(batch), y is batch.y, batch.n.x is y


def of_a_class(make: Callable[..., Any], name: str, step: Any, python: bool = False) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(step)
        for i in range(20):
            batch = make(t(i), t(1), i // 8)
            yield attempt(call, batch), state(batch)

    run_it.__name__ = name
    (ROWS.ordinary() if python else ROWS.replayed())(run_it)


def _deletes(b: Any) -> Any:
    del b.y
    return b.x * 2


def _deletes_and_sets(b: Any) -> Any:
    del b.x
    b.x = b.y * 2
    return b.x


def _fills_a_slot(b: Any) -> Any:
    b.unset = b.x * 2
    return b.unset


def _empties_a_slot(b: Any) -> Any:
    del b.n
    return b.x * 2


def _changes_its_class(b: Any) -> Any:
    b.__class__ = Table
    b["x"] = b["x"] * 2
    return b["x"]


class Other(dict[str, Any]):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(x=x, y=y, n=n)


def _another_dict(b: Any) -> Any:
    b.__dict__ = {"x": b.x * 2}
    return b.x


def _by_setattr(b: Any) -> Any:
    for name in ("x", "more"):
        setattr(b, name, b.y * 2)
    return b.x


def _by_update(b: Any) -> Any:
    vars(b).update(x=b.y, z=b.x * 2)
    return b.z


def _fails(b: Any) -> Any:
    b.x = b.x * 2
    if b.n == 1:
        raise ValueError("one")
    return b.x


def _puts_back(b: Any) -> Any:
    x, b.x = b.x, None
    b.x = x
    return x * 2


def _pops(b: Any) -> Any:
    b.pop("x")
    return b["y"] * 2


def _moves(b: Any) -> Any:
    b.move_to_end("x", last=False)
    b["y"] = b["y"] * 2
    return b["y"]


of_a_class(Ordinary, "deletes", _deletes, True)
of_a_class(Ordinary, "deletes_and_sets", _deletes_and_sets, True)
of_a_class(BySlots, "fills_a_slot", _fills_a_slot)
of_a_class(BySlots, "empties_a_slot", _empties_a_slot, True)
of_a_class(Other, "other_class", _changes_its_class, True)
of_a_class(Ordinary, "another_dict", _another_dict, True)
of_a_class(Ordinary, "by_setattr", _by_setattr)
of_a_class(Ordinary, "by_update", _by_update)
of_a_class(Record, "fails", _fails, True)
of_a_class(Ordinary, "puts_back", _puts_back)
of_a_class(Table, "pops", _pops, True)
of_a_class(Output, "moves", _moves, True)


@ROWS.ordinary()
def what_has_no_copy(run: Run) -> Iterator[Any]:
    def step(x: Any, held: Any) -> Any:
        held["f"] = lambda: x * 2
        return x

    call = run(step)
    for i in range(8):
        held: Any = {}
        yield call(t(i), held), held["f"]()


@ROWS.ordinary()
def what_the_call_reaches_too(run: Run) -> Iterator[Any]:
    held: dict[str, Any] = {"n": 0}

    def step(x: Any, given: Any) -> Any:
        given["n"] = given["n"] + 1
        return x * held["n"]

    call = run(step)
    for i in range(20):
        yield call(t(i), held if i % 4 == 3 else {"n": 7}), held["n"]


@ROWS.replayed()
def one_in_two_places(run: Run) -> Iterator[Any]:
    def step(a: Any, b: Any) -> Any:
        a["x"] = a["x"] * 2
        b["x"] = b["x"] + 1
        return a["x"]

    call = run(step)
    for i in range(24):
        a = {"x": t(i)}
        b = a if i // 5 % 2 else {"x": t(1)}
        yield call(a, b), state((a, b))


@ROWS.ordinary()
def sets_and_changes_a_cell(run: Run) -> Iterator[Any]:
    def step(s: Any, x: Any, held: Any) -> Any:
        held["x"] = x * 2
        s.count += 1
        return x

    net = Net(step, count=0)
    call = run(net)
    for i in range(8):
        held: Any = {}
        yield call(t(i), held), state(held), net.count


@ROWS.replayed()
def branches(run: Run) -> Iterator[Any]:
    def step(x: Any, held: Any) -> Any:
        held["seen"] = "first"
        if x.sum() > 5:
            held["y"] = x * 2
        else:
            held["z"] = [x]
        return x + 1

    call = run(step)
    for i in range(24):
        held: Any = {}
        yield call(t(i % 8), held), state(held)


@ROWS.ordinary()
def sizes(run: Run) -> Iterator[Any]:
    def step(b: Any, flag: Any) -> Any:
        if flag:
            b.n = b.x.shape[0]
            b.y = [b.x * 2]
        return b.x * 3

    call = run(step)
    for i in range(60):
        batch = Ordinary(ops.ones((2 + (i * 7) % 11,), ms.float32), None, 0)
        yield call(batch, i > 20), state(batch)


@ROWS.ordinary()
def differentiated(run: Run) -> Iterator[Any]:
    net = nn.Dense(2, 2, weight_init="ones")

    def step(s: Any, x: Any, held: Any) -> Any:
        held["y"] = s.net(x)
        return (held["y"] * x).sum()

    call = run(Net(step, net=net))
    held: dict[str, Any] = {}

    def loss(x: Any) -> Any:
        return call(x, held) + held["y"].sum()

    grad = ms.value_and_grad(loss, 0, net.trainable_params())
    for i in range(8):
        held.clear()
        yield grad(t(i, 2)), held["y"]


@ROWS.replayed()
def gradient_inside(run: Run) -> Iterator[Any]:
    net = nn.Dense(2, 2, weight_init="ones")
    grad = ms.value_and_grad(lambda x: (net(x) * x).sum(), 0, net.trainable_params())

    def step(b: Any) -> Any:
        b.loss, b.grads = grad(b.x)
        return b.loss

    call = run(step)
    for i in range(12):
        batch = Ordinary(t(i, 2), 1)
        yield call(batch), state(batch)


@ROWS.ordinary()  # the first one is told by which object it is
def keys_and_values(run: Run) -> Iterator[Any]:
    """A cache as transformers keep it."""

    @dataclasses.dataclass
    class Cache:
        keys: list[Any] = dataclasses.field(default_factory=list)

        def update(self, k: Any, layer: int) -> Any:
            if len(self.keys) <= layer:
                self.keys.append(k)
            else:
                self.keys[layer] = ops.cat([self.keys[layer], k])
            return self.keys[layer]

    call = run(lambda x, c: c.update(x * 2, 0).sum() + c.update(x, 1).sum())
    for _ in range(4):
        cache = Cache()
        for i in range(6):
            yield call(t(i, 2), cache), state(cache)


@ROWS.ordinary()
def another_tensor_over_what_is_held(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * 2, Tensor(s.held), ops.stop_gradient(s.held)), held=t(1, 2))
    call = run(net)
    results: list[Any] = []
    for i in range(8):
        results.append(call(t(i)))
        for j in (1, 2):
            yield results[-1][j] is results[0][j], results[-1][j] is net.held, results[-1][j]


@ROWS.replayed()
def random_numbers(run: Run) -> Iterator[Any]:
    drop = nn.Dropout(p=0.5)
    drop.set_train()

    def step(s: Any, held: Any) -> Any:
        held["x"] = s.drop(held["x"])
        return held["x"].sum()

    call = run(Net(step, drop=drop))
    for i in range(14):
        held = {"x": t(i, 2, 3, 4)}
        yield call(held), state(held)


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_writes(program: Any, quiet: bool) -> None:
    check(program, quiet)


@pytest.mark.parametrize("program", COUNTED)
def test_calls_are_replayed(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for function, count in calls_of(program, monkeypatch).items():
        assert function.runs <= count / 2, function.plain_reasons


def test_audit_compares_what_is_set() -> None:
    def step(x: Any, held: Any) -> Any:
        held["h"] = held["h"] + x
        held["all"].append(held["h"])
        return x * 2

    call = ms.jit(step)
    with ms.graph.audit(call, every=1) as audit:
        for i in range(8):
            held = {"h": t(i), "all": []}
            call(t(1), held)
            assert held["all"][0] is held["h"]
            assert float(held["h"][0]) == i + 1
    assert audit.compared >= 4
    assert not audit.differences
