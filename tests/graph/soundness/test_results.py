"""Programs whose calls return objects of classes of theirs, new ones in each call."""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import functools
import gc
import weakref
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest

import agar as ms
from agar import Tensor, nn, ops
from graph.soundness.attacks import Net, Programs, t
from graph.soundness.classes import (
    MAKERS,
    BySlots,
    Checked,
    Computed,
    DoublingRow,
    Inner,
    LooseRow,
    ModelOutput,
    Ordinary,
    Output,
    Record,
    Row,
    Table,
)
from graph.soundness.harness import Run, attempt, calls_of, check, seen

ROWS = Programs()


def slots_of(value: Any) -> list[str]:
    listed = [vars(c).get("__slots__", ()) for c in type(value).__mro__]
    return [n for names in listed for n in ([names] if isinstance(names, str) else names)]


def state(value: Any, met: dict[int, int] | None = None) -> Any:
    """All that an object holds, in order, with what stands in several places."""
    met = {} if met is None else met
    if isinstance(value, (int, float, str, type(None), type, ms.Type)):
        return seen(value)
    if id(value) in met:
        return "same", met[id(value)]
    met[id(value)] = len(met)
    kind = type(value).__name__
    if isinstance(value, (Tensor, np.ndarray, nn.Cell)):
        return seen(value)
    parts: list[Any] = [kind]
    home = getattr(value, "__dict__", None)
    if type(home) is dict:
        parts.append([(k, state(v, met)) for k, v in home.items()])
    names = [n for n in slots_of(value) if n not in ("__dict__", "__weakref__")]
    parts += [(n, state(getattr(value, n, "unset"), met)) for n in names]
    if isinstance(value, collections.OrderedDict):
        parts.append([(k, state(v, met)) for k, v in collections.OrderedDict.items(value)])
    elif isinstance(value, dict):
        parts.append([(k, state(v, met)) for k, v in dict.items(value)])
    elif isinstance(value, (list, tuple)):
        base: Any = list if isinstance(value, list) else tuple
        parts.append([state(v, met) for v in base.__iter__(value)])
    return parts


COUNTED: list[Any] = []  # programs for each of the classes whose replays are counted


#: Programs whose constructors ask more than is replayed: what kind of object a size is.
PYTHON = {("sizes", "checked")}


def of_each(behavior: Any) -> Any:
    """A program for each of the classes, whose calls are replayed."""
    for name, make in MAKERS.items():
        run_it = functools.partial(behavior, make=make)
        run_it.__name__ = f"{behavior.__name__}_{name}"  # type: ignore[attr-defined]
        if name == "options" or (behavior.__name__, name) in PYTHON:
            ROWS.ordinary()(run_it)  # argparse reads the locale and the command line
            continue
        ROWS.replayed()(run_it)
        COUNTED.append(pytest.param(run_it, id=run_it.__name__))  # type: ignore[attr-defined]
    return behavior


@of_each
def fresh(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda x, y: make(x * 2, y + 1, 3))
    results: list[Any] = []
    for i in range(14):
        result = call(t(i, 2), t(3, i))
        yield state(result), any(result is other for other in results)
        results.append(result)
    yield [state(result) for result in results]


@of_each
def inside_of_containers(run: Run, make: Any) -> Iterator[Any]:
    def step(x: Any, y: Any) -> Any:
        a, b = make(x * 2, y), make(x, x)
        return {"a": a, "all": [b, (a, b)], "last": ((a,), y)}

    call = run(step)
    for i in range(14):
        yield state(call(t(i, 2), t(3, i)))


@of_each
def shared_parts(run: Run, make: Any) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y, held = x * 2, [1, x]
        return make(y, y, 5), held, make(held, {"held": held, "y": y}, "n") if plain else y

    plain = make not in (Computed, DoublingRow, LooseRow)
    call = run(step)
    for i in range(14):
        yield state(call(t(i, 2)))


@of_each
def changed_by_the_caller(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda x: (make(x * 2, x + 1, 3), [x * 3]))
    for i in range(14):
        result, (z,) = call(t(i, 2))
        result.x.add_(1.0)
        z.add_(2.0)
        home = getattr(result, "__dict__", None)
        if type(home) is dict:
            home["more"] = i
        with contextlib.suppress(TypeError, AttributeError):
            result["more"] = i
        with contextlib.suppress(TypeError, AttributeError, dataclasses.FrozenInstanceError):
            result.n = [i]
        yield state(result), seen(z)


@of_each
def with_what_is_given(run: Run, make: Any) -> Iterator[Any]:
    weight = ms.Parameter(t(2, 3), name="w")
    layer = nn.Dense(2, 2, weight_init="ones")

    def step(s: Any, x: Any, held: Any) -> Any:
        return make(x, s.weight, 7), (make(s.layer(x), x, 5), held)

    call = run(Net(step, weight=weight, layer=layer))
    for i in range(14):
        x, held = t(i, 2), {"k": [i // 8]}
        a, (b, again) = call(x, held)
        yield state((a, b)), (a.x is x, a.y is weight, b.y is x, again is held)


@of_each
def branches(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda x: make(x * 2, x, 1) if x.sum() > 5 else [make(x, x + 1, 2)])
    for i in range(20):
        yield state(call(t(i % 7, 2)))


@of_each
def sizes(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda x: (make(x * 2, x, x.shape[0]), make(x + 1, x.sum(), 1)))
    for i in range(40):
        n = 2 + (i * 7) % 11
        yield state(call(Tensor(np.arange(n, dtype=np.float32) + i)))


@ROWS.ordinary()
def kind_of_a_size(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        n = x.shape[0]
        return x * 2, n + 1 if isinstance(n, int) else n

    call = run(step)
    for i in range(40):
        yield call(ops.ones((2 + (i * 7) % 11,), ms.float32))


@ROWS.replayed()
def tuples_of_sizes(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x * 2, x.shape, Row(x.shape[0], 1, (x.shape[1], 2)), [x.size]))
    for i in range(40):
        yield call(ops.ones((2 + (i * 7) % 11, 3), ms.float32))


@of_each
def differentiated(run: Run, make: Any) -> Iterator[Any]:
    net = nn.Dense(2, 2, weight_init="ones")
    call = run(Net(lambda s, x: make(s.net(x), x * 3, 4), net=net))

    def loss(x: Any) -> Any:
        made = call(x)
        return (made.x * made.y).sum(), made

    grad = ms.value_and_grad(lambda x: loss(x)[0], 0, net.trainable_params())
    for i in range(12):
        yield grad(t(i, 2))


@of_each
def beside_a_loss(run: Run, make: Any) -> Iterator[Any]:
    net = nn.Dense(2, 2, weight_init="ones")

    def loss(x: Any) -> Any:
        y = net(x)
        return (y * y).sum(), make(y, y + x, 4)

    grad = ms.value_and_grad(loss, 0, net.trainable_params(), has_aux=True)
    call = run(lambda x: grad(x))
    for i in range(12):
        (value, made), grads = call(t(i, 2))
        yield value, state(made), grads, made.x.to_torch().requires_grad


@of_each
def from_an_argument(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda b: (make(b.y, b.x * 2, b.n if isinstance(b.n, int) else 1), b))
    for i in range(24):
        batch = make(t(i, 2), t(3, i), 1 + i // 8)
        made, again = call(batch)
        yield state(made), again is batch, made.x is batch.y


# ------------------------------------------------------- what somebody else holds, or would notice


def ordinary(step: Any, *more: Any, count: int = 10, **values: Any) -> None:
    """Add a program of one step over a cell with attributes, which may be Python."""

    def run_it(run: Run) -> Iterator[Any]:
        net = Net(step, **{k: copy.copy(v) for k, v in values.items()})
        call = run(net)
        results: list[Any] = []
        for i in range(count):
            results.append(attempt(call, net, t(i, 2)) if not more else attempt(call, t(i, 2)))
            yield state(results[-1]), [state(v) for v in (vars(net).get(k) for k in values)]
            for name in values:
                held = vars(net).get(name)
                inside = held if isinstance(held, list) else [held]
                yield [v is results[-1] for v in inside]

    run_it.__name__ = step.__name__
    ROWS.ordinary()(run_it)


def in_an_attribute(s: Any, x: Any) -> Any:
    s.last = Record(x * 2, x)
    return s.last


def in_a_list(s: Any, x: Any) -> Any:
    made = Record(x * 2, x)
    s.last.append(made)
    return made


def in_a_list_of_lists(s: Any, x: Any) -> Any:
    made = Record([x * 2], x)
    s.last.append(made.x)
    return made


def its_attributes(s: Any, x: Any) -> Any:
    made = Ordinary(x * 2, x)
    s.last = vars(made)
    return made


for program in (in_an_attribute, in_a_list, in_a_list_of_lists, its_attributes):
    ordinary(program, True, last=[])


@ROWS.ordinary()
def in_a_closure(run: Run) -> Iterator[Any]:
    last: Any = None

    def step(x: Any) -> Any:
        nonlocal last
        before, last = last, Record(x * 2, x)
        return last, before

    call = run(step)
    for i in range(10):
        made, before = call(t(i))
        yield state((made, before)), made is last


@ROWS.ordinary()
def weakly_held(run: Run) -> Iterator[Any]:
    held: list[Any] = []

    def step(x: Any) -> Any:
        made = Record(x * 2, x)
        held[:] = [weakref.ref(made)]
        return made

    call = run(step)
    for i in range(10):
        made = call(t(i))
        yield state(made), held[0]() is made


@ROWS.ordinary()
def in_a_weak_table(run: Run) -> Iterator[Any]:
    table: Any = weakref.WeakValueDictionary()

    def step(x: Any) -> Any:
        made = table["last"] = Record(x * 2, x)
        return made

    call = run(step)
    for i in range(10):
        made = call(t(i))
        yield state(made), table.get("last") is made


@ROWS.ordinary()
def from_a_cache(run: Run) -> Iterator[Any]:
    @functools.lru_cache
    def settings(n: int) -> Any:
        return Record(n, n)

    call = run(lambda x, n: (settings(n), x * settings(n).x))
    first = settings(0)
    for i in range(24):
        made, y = call(t(i), i // 4 % 2)
        made.n += 1
        yield state(made), y, made is first


@ROWS.ordinary()
def one_for_each_number(run: Run) -> Iterator[Any]:
    class Known:
        made: ClassVar[dict[int, Any]] = {}

        def __new__(cls, n: int) -> Any:
            if n not in cls.made:
                cls.made[n] = object.__new__(cls)
            return cls.made[n]

        def __init__(self, n: int) -> None:
            self.n = n

    call = run(lambda x, n: (Known(n), x * n))
    for i in range(24):
        made, y = call(t(i), i // 4 % 2)
        yield state(made), y, made is Known.made[i // 4 % 2]


@ROWS.ordinary()
def only_one(run: Run) -> Iterator[Any]:
    class Single(type):
        one: Any = None

        def __call__(cls, x: Any) -> Any:
            if Single.one is None:
                Single.one = super().__call__()
            Single.one.x = x
            return Single.one

    class Only(metaclass=Single):
        x: Any

    call = run(lambda x: Only(x * 2))
    results = []
    for i in range(10):
        results.append(call(t(i)))
        yield state(results[-1]), results[-1] is results[0]


@ROWS.ordinary()
def counted(run: Run) -> Iterator[Any]:
    class Counting(Ordinary):
        count = 0

        def __init__(self, x: Any, y: Any) -> None:
            super().__init__(x, y)
            Counting.count += 1
            self.number = Counting.count

    call = run(lambda x: Counting(x * 2, x))
    for i in range(10):
        yield state(call(t(i))), Counting.count


@ROWS.ordinary()
def registered(run: Run) -> Iterator[Any]:
    class Registered(Ordinary):
        everything: ClassVar[list[Any]] = []

        def __init__(self, x: Any, y: Any) -> None:
            super().__init__(x, y)
            self.everything.append(self)

    call = run(lambda x: Registered(x * 2, x))
    for i in range(10):
        made = call(t(i))
        yield state(made), made is Registered.everything[-1], len(Registered.everything)


@ROWS.ordinary()
def with_a_finalizer(run: Run) -> Iterator[Any]:
    gone: list[int] = []

    class Ends(Ordinary):
        def __del__(self) -> None:
            gone.append(self.n)

    call = run(lambda x: Ends(x * 2, x, 1))
    for i in range(40):
        made = call(ops.ones((1 + i % 5,), ms.float32))
        yield state(made), len(gone)
        del made
        yield len(gone)


@ROWS.ordinary()
def of_one_mind(run: Run) -> Iterator[Any]:
    class Borg:
        shared: ClassVar[dict[str, Any]] = {}

        def __init__(self, x: Any) -> None:
            self.__dict__ = self.shared
            self.x = x

    call = run(lambda x: Borg(x * 2))
    results = []
    for i in range(10):
        results.append(call(t(i)))
        yield [state(r) for r in results], vars(results[-1]) is Borg.shared


@ROWS.ordinary()
def two_of_one_mind(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        a, b = Ordinary(x * 2, x), Ordinary(x, x)
        b.__dict__ = a.__dict__
        return a, b

    call = run(step)
    for i in range(10):
        a, b = call(t(i))
        a.n = i
        yield state(b), vars(a) is vars(b)


@ROWS.ordinary()
def attributes_returned(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        a = Ordinary(x * 2, x)
        return a, a.__dict__

    call = run(step)
    for i in range(10):
        a, home = call(t(i))
        home["n"] = i
        yield state(a), vars(a) is home


@ROWS.ordinary()
def attributes_of_another_kind(run: Run) -> Iterator[Any]:
    class Home(dict[str, Any]):
        pass

    def step(x: Any) -> Any:
        a = Ordinary(x * 2, x)
        a.__dict__ = Home(a.__dict__)
        return a

    call = run(step)
    for i in range(10):
        a = call(t(i))
        yield seen(a.x), type(vars(a)).__name__


@ROWS.ordinary()
def an_argument_keeps_it(run: Run) -> Iterator[Any]:
    def step(x: Any, held: Any) -> Any:
        made = Record(x * 2, x)
        held.append(made)
        return made

    call = run(step)
    for i in range(10):
        held: list[Any] = []
        yield call(t(i), held) is held[0]


@ROWS.replayed()
def one_that_is_held(run: Run) -> Iterator[Any]:
    config = Record(1, {"k": [2]})
    net = Net(lambda s, x: (x * s.config.x, s.config), config=config)
    call = run(net)
    for i in range(20):
        if i == 12:
            config.x = 3
        y, again = call(t(i))
        yield y, again is config


@ROWS.ordinary()
def one_that_is_held_and_its_part(run: Run) -> Iterator[Any]:
    config = Record(Inner(1, 2), 2)
    net = Net(lambda s, x: (x * s.config.y, s.config, s.config.x), config=config)
    call = run(net)
    for i in range(12):
        y, again, part = call(t(i))
        yield y, again is config, part is config.x


@ROWS.ordinary()
def part_of_what_is_held(run: Run) -> Iterator[Any]:
    config = (Record(1, 2), [Inner(3, 4)])
    net = Net(lambda s, x: (x * 2, (s.config[0], s.config[1][0]), Record(s.config[0], 1)))
    net.config = config
    call = run(net)
    for i in range(12):
        y, (a, b), made = call(t(i))
        yield y, a is config[0], b is config[1][0], made.x is a


@ROWS.ordinary()
def holds_what_is_held(run: Run) -> Iterator[Any]:
    held = {"k": [1]}
    net = Net(lambda s, x: Record(x * 2, s.held), held=held)
    call = run(net)
    for i in range(12):
        made = call(t(i))
        yield made.x, made.y is held


# ------------------------------------------------------------------------- classes that change


def with_change(name: str, change: Any, back: Any, python: bool = False) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(lambda x: Ordinary(x * 2, x, 3))
        try:
            for i in range(20):
                if i == 8:
                    change()
                if i == 14:
                    back()
                made = attempt(call, t(i, 2))
                yield state(made), type(made) is Ordinary
        finally:
            back()

    run_it.__name__ = f"class_changed_{name}"
    (ROWS.ordinary() if python else ROWS.replayed())(run_it)


_init = Ordinary.__init__


def _other_init(self: Any, x: Any, y: Any, n: Any = 2) -> None:
    _init(self, y, x, n + 1)


def _set(self: Any, name: str, value: Any) -> None:
    self.__dict__[name] = (value, 1)


def _deleted(name: str) -> Any:
    return lambda: name in vars(Ordinary) and delattr(Ordinary, name)


with_change(
    "init",
    lambda: setattr(Ordinary, "__init__", _other_init),
    lambda: setattr(Ordinary, "__init__", _init),
)
with_change("setattr", lambda: setattr(Ordinary, "__setattr__", _set), _deleted("__setattr__"))
with_change(
    "property",
    lambda: setattr(
        Ordinary, "x", property(lambda self: 1, lambda self, x: vars(self).update(z=x))
    ),
    _deleted("x"),
)
with_change(
    "finalizer", lambda: setattr(Ordinary, "__del__", lambda self: None), _deleted("__del__"), True
)


@ROWS.replayed()
def class_rebound(run: Run) -> Iterator[Any]:
    kind: Any = Record

    def step(x: Any) -> Any:
        return kind(x * 2, x)

    call = run(step)
    for i in range(24):
        kind = (Record, Ordinary, BySlots)[i // 8]
        yield state(call(t(i)))


@ROWS.ordinary()
def class_of_the_call(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        class Own:
            pass

        made = Own()
        made.x = x * 2  # type: ignore[attr-defined]
        return made

    call = run(step)
    kinds = set()
    for i in range(8):
        made = call(t(i))
        kinds.add(type(made))
        yield state(made), len(kinds)


@ROWS.replayed()
def class_given_another(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        made = Ordinary(x * 2, x)
        made.__class__ = Checked  # type: ignore[assignment]
        return made

    call = run(step)
    for i in range(12):
        yield state(call(t(i)))


# -------------------------------------------------------------------- what objects may hold


def holding(name: str, make: Any, python: bool = True, ways: Any = state) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(lambda x: Record(x * 2, make(x)))
        for i in range(10):
            made = attempt(call, t(i, 2))
            yield ways(made.y) if isinstance(made, Record) else made

    run_it.__name__ = f"holds_{name}"
    (ROWS.ordinary() if python else ROWS.replayed())(run_it)


def _twice(value: Any) -> Any:
    return value, value


holding("array", lambda x: np.arange(6.0).reshape(2, 3), False)
holding(
    "array_by_columns",
    lambda x: np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    False,
    lambda v: (seen(v), v.strides, v.flags.writeable),
)
holding("array_twice", lambda x: _twice(np.arange(3)), False, lambda v: v[0] is v[1])
holding(
    "arrays_over_one_memory",
    lambda x: [np.arange(4), np.arange(4)[1:]],
    True,
    lambda v: [seen(a) for a in v],
)


def _two_views(x: Any) -> Any:
    a = np.arange(4)
    return a, a[1:]


holding("every_second", lambda x: np.arange(6)[::2], True, lambda v: (seen(v), v.strides))
holding("spread", lambda x: np.broadcast_to(1, (3,)), True, lambda v: (v.strides, v.flags.num))
holding("views", _two_views, True, lambda v: np.may_share_memory(*v))
holding("lambda", lambda x: lambda: 1, True, lambda v: v())
holding("method", lambda x: Row(x, 1).mixed, True, lambda v: v())
holding("generator", lambda x: (i for i in range(3)), True, list)
holding("iterator", lambda x: iter([x]), True, list)
holding("map", lambda x: map(abs, [1, -1]), True, list)
holding("set", lambda x: {1, 2}, True)
holding("deque", lambda x: collections.deque([x]), True, lambda v: seen(list(v)))
holding("counter", lambda x: collections.Counter("aab"), True)
holding("defaultdict", lambda x: collections.defaultdict(list, k=[x]), True, seen)
holding("weak", lambda x: weakref.ref(x), True, lambda v: v() is None)
holding("error", lambda x: ValueError("a", 1), True, seen)
holding("function", lambda x: t, False, lambda v: v is t)
holding("class", lambda x: Record, False)
holding("kind", lambda x: (ms.float32, x.dtype, x.shape), False, repr)
holding("slice", lambda x: slice(1, 2), True, repr)
holding("symbolic_zero", lambda x: (-0.0, float("nan"), 1j, True, 1), False, repr)
holding("partial", lambda x: functools.partial(max, 1), True, lambda v: v(3))
holding("ordered", lambda x: _twice(collections.OrderedDict(a=x, b=[x])), False)
holding("lists", lambda x: _twice([x, [x], {"k": [x]}]), False)


@ROWS.replayed()
def list_in_itself(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        held: list[Any] = [x * 2]
        held.append({"held": held, "pair": (held, x)})
        return held

    call = run(step)
    for i in range(10):
        yield state(call(t(i)))


@ROWS.ordinary()
def tuple_in_itself(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        held: list[Any] = [x * 2]
        pair = (held, x)
        held.append(pair)
        return pair

    call = run(step)
    for i in range(10):
        yield state(call(t(i)))


@ROWS.ordinary()
def two_tensors_over_one_memory(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y = x * 2
        return Record(y, Tensor(y)), y, ops.stop_gradient(y)

    call = run(step)
    for i in range(10):
        made, y, z = call(t(i))
        y.add_(1.0)
        yield state(made), made.x is y, made.y is y, z is y, seen(z)


@ROWS.ordinary()
def nested_deep(run: Run) -> Iterator[Any]:
    def step(x: Any, n: Any) -> Any:
        held: Any = x * 2
        for i in range(n):
            held = [held] if i % 2 else Record(held, i)
        return held

    def unwrapped(value: Any) -> Any:
        count = 0
        while not isinstance(value, Tensor):
            value, count = value[0] if isinstance(value, list) else value.x, count + 1
        return count, value

    call = run(step)
    for i in range(20):
        yield unwrapped(call(t(i), (5, 30, 120, 3000)[i // 5]))


@ROWS.ordinary()
def lists_nested_deep(run: Run) -> Iterator[Any]:
    def step(x: Any, n: Any) -> Any:
        held: Any = x * 2
        for _ in range(n):
            held = [held]
        return held

    def unwrapped(value: Any) -> Any:
        count = 0
        while not isinstance(value, Tensor):
            value, count = value[0], count + 1
        return count, value

    call = run(step)
    for i in range(20):
        yield unwrapped(call(t(i), (30, 90, 300, 3000)[i // 5]))


@ROWS.ordinary()
def differentiable_in_lists(run: Run) -> Iterator[Any]:
    net = nn.Dense(2, 2, weight_init="ones")

    def loss(x: Any, held: Any) -> Any:
        y = net(x)
        held["y"] = [y]
        return y.sum(), [Record([y], {"y": y})]

    grad = ms.value_and_grad(loss, 0, net.trainable_params(), has_aux=True)
    call = run(lambda x, held: grad(x, held))
    for i in range(8):
        held: Any = {}
        (value, (made,)), grads = call(t(i, 2), held)
        yield value, state(made), grads, state(held)
        yield made.x[0].to_torch().requires_grad, held["y"][0].to_torch().requires_grad


@ROWS.replayed()
def many(run: Run) -> Iterator[Any]:
    call = run(lambda x: [Record(x * i, (x, [i])) for i in range(40)])
    for i in range(8):
        yield state(call(t(i)))


@ROWS.replayed()
def copies(run: Run) -> Iterator[Any]:
    def step(b: Any) -> Any:
        return copy.copy(b), dataclasses.replace(b, y=b.x * 2)

    call = run(step)
    for i in range(24):
        batch = Record(t(i), [t(1)], i // 6)
        if i > 12:
            batch.more = i // 8  # type: ignore[attr-defined]
        a, b = call(batch)
        yield state((a, b)), a.y is batch.y


@ROWS.ordinary()
def deep_copies(run: Run) -> Iterator[Any]:
    call = run(lambda b: copy.deepcopy(b))
    for i in range(16):
        batch = Record(t(i), [t(1)], i // 6)
        made = call(batch)
        yield state(made), made.y is batch.y, made.x is batch.x


@ROWS.ordinary()
def errors(run: Run) -> Iterator[Any]:
    def step(x: Any, n: Any) -> Any:
        made = Record(x * 2, x, n)
        if n == 3:
            raise ValueError(made.n)
        return made.missing if n == 4 else made

    call = run(step)
    for i in range(20):
        yield state(attempt(call, t(i), i // 4))


@ROWS.ordinary()
def random_numbers(run: Run) -> Iterator[Any]:
    drop = nn.Dropout(p=0.5)
    drop.set_train()
    call = run(Net(lambda s, x: Record(s.drop(x), ops.randn(2)), drop=drop))
    for i in range(12):
        yield state(call(t(i, 2, 3, 4)))


@ROWS.replayed()
def networks_in_networks(run: Run) -> Iterator[Any]:
    first = Net(lambda s, x: ModelOutput(x=s.net(x), y=(x, x * 2)), net=nn.Dense(2, 2, "ones"))
    second = Net(
        lambda s, o: Record(s.net(o.x) + o[0] + o["y"][1], o),
        net=nn.Dense(2, 2, "ones"),
    )
    call = run(Net(lambda s, x: s.second(s.first(x)), first=first, second=second))
    apart = run(first)
    after = run(second)
    for i in range(14):
        yield state(call(t(i, 2))), state(after(apart(t(i, 2))))


@ROWS.replayed()
def training(run: Run) -> Iterator[Any]:
    net = nn.Dense(2, 1, weight_init="ones")
    optimizer = nn.Adam(net.trainable_params(), 0.1)

    def forward(b: Any) -> Any:
        out = net(b.x)
        return ops.mse_loss(out, b.y), ModelOutput(x=out, y=(b.x, out * 2))

    grad = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(b: Any) -> Any:
        (loss, out), grads = grad(b)
        optimizer(grads)
        return Record(loss, out, len(grads))

    call = run(step)
    for i in range(12):
        rows = np.random.RandomState(i).randn(4, 3).astype(np.float32)
        yield state(call(Record(Tensor(rows[:, :2]), Tensor(rows[:, 2:])))), net.weight


# ------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_results(program: Any, quiet: bool) -> None:
    check(program, quiet)


@pytest.mark.parametrize("program", COUNTED)
def test_calls_are_replayed(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    often = 12 if program.func is sizes else 8 if program.func is from_an_argument else 4
    for function in calls_of(program, monkeypatch):
        assert function.runs <= often, function.plain_reasons


def test_results_are_not_held() -> None:
    call = ms.jit(lambda x: (Ordinary(x * 2, [x]), Table(x, 1)))
    dead = []
    for i in range(6):
        result = call(t(i))
        dead += [weakref.ref(result[0]), weakref.ref(result[1])]
    del result
    gc.collect()
    assert all(ref() is None for ref in dead)


def test_audit_looks_into_objects() -> None:
    call = ms.jit(lambda x: BySlots(Output(x * 2, x), [Record(x, 1)]))
    with ms.graph.audit(call, every=1) as audit:
        for i in range(6):
            call(t(i))
    assert audit.compared >= 3
    assert not audit.differences
