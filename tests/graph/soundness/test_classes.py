"""Programs about classes, protocols, copies and helpers of the standard library."""

from __future__ import annotations

import abc
import contextlib
import copy
import enum
import fractions
import functools
import inspect
import itertools
import numbers
import operator
import pickle
import threading
import types
import weakref
from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pytest

import agar as ms
from agar import Tensor, nn, ops
from graph.soundness.attacks import Net, Point, Programs, t
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()


# ---------------------------------------------------------------------------- cells themselves


class Layer(nn.Cell):
    def __init__(self, factor: float = 2.0) -> None:
        super().__init__()
        self.factor = factor
        self.weight = ms.Parameter(t(1, 2), name="w")

    def construct(self, x: Any) -> Any:
        return x * self.weight * self.factor


class OtherLayer(Layer):
    def construct(self, x: Any) -> Any:
        return super().construct(x) + 1


class SlottedLayer(nn.Cell):
    __slots__ = ("own", "table")

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "own", 2.0)
        object.__setattr__(self, "table", [1])

    def construct(self, x: Any) -> Any:
        return x * self.own + len(self.table)


@ROWS.ordinary()
def class_of_a_cell_assigned(run: Run) -> Iterator[Any]:
    net = Layer()
    call = run(Net(lambda s, x: s.net(x), net=net))
    direct = run(net) if run.way != "jit" else net
    for i in range(20):
        if i % 6 == 5:
            net.__class__ = OtherLayer if type(net) is Layer else Layer
        yield call(t(i, 2)), direct(t(i, 1))


@ROWS.ordinary()
def slots_of_a_cell(run: Run) -> Iterator[Any]:
    net = SlottedLayer()
    call = run(Net(lambda s, x: s.net(x), net=net))
    for i in range(20):
        if i in (6, 12):
            object.__setattr__(net, "own", float(i))
        if i in (9, 15):
            net.table.append(i)
        yield call(t(i, 2)), net(t(i))


def copies_of(name: str, make: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        net = Layer()
        nets = [net]
        call = run(Net(lambda s, x, n: s.nets[n](x), nets=nets))
        for i in range(24):
            if i in (5, 11):
                nets.append(make(nets[-1]))
                nets[-1].factor = float(i)
                nets[-1].weight.set_data(t(i, 3))
            yield [call(t(i, 2), n) for n in range(len(nets))], [n(t(1, i)) for n in nets]
            if i == 15:
                nets[0].weight.set_data(t(7, 7))

    run_it.__name__ = f"copies_by_{name}"
    ROWS.ordinary()(run_it)


copies_of("copy", copy.copy)
copies_of("deepcopy", copy.deepcopy)
copies_of("pickle", lambda net: pickle.loads(pickle.dumps(net)))


@ROWS.ordinary()
def cells_of_a_generator(run: Run) -> Iterator[Any]:
    layers = [Layer(float(i)) for i in range(3)]
    call = run(
        Net(lambda s, x: sum(f(x) for f in (n for n in s.nets if n.factor > 0)), nets=layers)
    )
    for i in range(20):
        if i == 8:
            layers[0].factor = 5.0
        if i == 14:
            layers.append(Layer(7.0))
        yield call(t(i, 2))


@ROWS.ordinary()
def a_register_of_cells(run: Run) -> Iterator[Any]:
    known: Any = weakref.WeakKeyDictionary()
    net = Layer()
    known[net] = 2.0
    call = run(Net(lambda s, x: s.net(x) * known.get(s.net, 1.0), net=net))
    for i in range(14):
        if i == 7:
            known[net] = 3.0
        yield call(t(i, 2))


@ROWS.ordinary()
def threads_change_weights(run: Run) -> Iterator[Any]:
    net = Layer()
    call = run(Net(lambda s, x: s.net(x), net=net))
    for i in range(14):
        thread = threading.Thread(target=lambda i=i: net.weight.set_data(t(i, 2)))
        thread.start()
        thread.join()
        yield call(t(1, 2))
        other = threading.Thread(target=lambda i=i: setattr(net, "factor", float(i // 4)))
        other.start()
        other.join()
        yield call(t(1, 2))


# ------------------------------------------------------------------------ kinds that can change


@ROWS.ordinary()
def abstract_classes(run: Run) -> Iterator[Any]:
    class Kind(abc.ABC):  # noqa: B024 - classes are registered with it
        pass

    class Mine:
        pass

    mine = Mine()
    call = run(lambda x: x * (2 if isinstance(mine, Kind) else 3) + issubclass(Mine, Kind))
    for i in range(14):
        if i == 7:
            Kind.register(Mine)
        yield call(t(i))


@ROWS.ordinary()
def asked_by_a_hook(run: Run) -> Iterator[Any]:
    answers = [False]

    class Kind(abc.ABC):  # noqa: B024
        @classmethod
        def __subclasshook__(cls, other: type) -> Any:
            return answers[0]

    class First:
        pass

    call = run(lambda x, v: x * (2 if isinstance(v, Kind) else 3))
    for i in range(14):
        if i == 7:
            answers[0] = True
        kind = type("Other", (First,), {}) if i > 8 else First
        yield call(t(i), kind())


@ROWS.ordinary()
def protocols(run: Run) -> Iterator[Any]:
    @runtime_checkable
    class HasScale(Protocol):
        scale: float

    value = types.SimpleNamespace(scale=2.0)
    call = run(lambda x: x * (value.scale if isinstance(value, HasScale) else 5.0))
    for i in range(20):
        if i == 7:
            del value.scale
        if i == 13:
            value.scale = 3.0
        yield call(t(i))


@ROWS.ordinary()
def checks_of_a_metaclass(run: Run) -> Iterator[Any]:
    class Meta(type):
        accepts = True

        def __instancecheck__(cls, value: Any) -> bool:
            return Meta.accepts

    class Any2(metaclass=Meta):
        pass

    call = run(lambda x: x * (2 if isinstance(x, Any2) else 3))
    for i in range(14):
        if i == 7:
            Meta.accepts = False
        yield call(t(i))


@ROWS.ordinary()
def positions_of_a_pattern(run: Run) -> Iterator[Any]:
    class Pair:
        __match_args__: Any = ("a", "b")

        def __init__(self, a: Any, b: Any) -> None:
            self.a, self.b = a, b

    pair = Pair(2.0, 3.0)

    def step(x: Any) -> Any:
        match pair:
            case Pair(2.0, b):
                return x * b
            case Pair(a, b):
                return x * a - b
        return x

    call = run(step)
    try:
        for i in range(24):
            if i == 6:
                pair.b = 7.0
            if i == 12:
                Pair.__match_args__ = ("b", "a")
            if i == 18:
                pair.a = 9.0
            yield call(t(i))
    finally:
        Pair.__match_args__ = ("a", "b")


class Choice(enum.Enum):
    FEW = 1
    MANY = 2

    @property
    def factor(self) -> float:
        return self.value * 2.0


class Flags(enum.Flag):
    A = enum.auto()
    B = enum.auto()


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


@ROWS.ordinary()
def enumerations(run: Run) -> Iterator[Any]:
    def step(x: Any, c: Any, f: Any, n: Any) -> Any:
        x = x * c.factor if c is Choice.MANY else x + n
        return (x - 1 if f & Flags.B else x), Flags.A | f, Level(n), c.name

    call = run(step)
    for i in range(32):
        flags = (Flags.A, Flags.B, Flags.A | Flags.B)[i // 5 % 3]
        level = (Level.LOW, Level.HIGH, 1)[i // 7 % 3]
        yield call(t(i), (Choice.FEW, Choice.MANY)[i // 4 % 2], flags, level)


@ROWS.ordinary()
def enumerations_with_state(run: Run) -> Iterator[Any]:
    class Mode(enum.Enum):
        ONE = [1]  # noqa: RUF012 - it changes
        TWO = [2]  # noqa: RUF012

    call = run(lambda x: x * len(Mode.ONE.value) + Mode.TWO.value[0])
    for i in range(20):
        if i == 7:
            Mode.ONE.value.append(1)
        if i == 13:
            Mode.TWO._value_ = [9]
        yield call(t(i))


class Whole:
    """A number that can change."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __index__(self) -> int:
        return self.n

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.n)

    def __bool__(self) -> bool:
        return self.n > 2

    def __len__(self) -> int:
        return self.n

    def __rmul__(self, other: Any) -> Any:
        return other * self.n

    def __radd__(self, other: Any) -> Any:
        return other + self.n


numbers.Integral.register(Whole)


@ROWS.ordinary()
def numbers_of_a_class(run: Run) -> Iterator[Any]:
    whole = Whole(2)

    def step(x: Any) -> Any:
        y = x * float(whole) + range(9)[whole] if whole else x - int(whole)
        return y + len(whole), [1, 2, 3, 4, 5][whole], isinstance(whole, numbers.Integral)

    call = run(step)
    for i in range(20):
        if i % 5 == 4:
            whole.n = 1 + i // 5
        yield call(t(i))


@ROWS.ordinary()
def fractions_of_numbers(run: Run) -> Iterator[Any]:
    held = [fractions.Fraction(1, 3)]
    call = run(lambda x, f: x * float(held[0] + f) + f.numerator)
    for i in range(20):
        if i == 9:
            held[0] = fractions.Fraction(2, 3)
        yield call(t(i), fractions.Fraction(1 + i // 6, 7))


# ------------------------------------------------------------------------- the standard library


@ROWS.ordinary()
def a_cache_of_tensors(run: Run) -> Iterator[Any]:
    made = []

    @functools.lru_cache(maxsize=2)
    def mask(n: int) -> Any:
        made.append(n)
        return ops.ones((n,), ms.float32) * n

    call = run(lambda x: x * mask(x.shape[0]))
    for i in range(30):
        if i == 17:
            mask.cache_clear()
        n = 2 + i // 3 % 4
        yield call(ops.ones((n,), ms.float32)), len(made), mask.cache_info().currsize


@ROWS.ordinary()
def a_cache_by_tensors(run: Run) -> Iterator[Any]:
    keys = [t(1), t(2)]

    @functools.cache
    def doubled(x: Any) -> Any:
        return x * 2

    call = run(lambda x, n: x + doubled(keys[n]))
    for i in range(20):
        if i == 12:
            keys[0] = t(5)
        if i == 15:
            keys[1].assign_value(t(7))
        yield call(t(i), i // 3 % 2)


@ROWS.ordinary()
def stacks_of_contexts(run: Run) -> Iterator[Any]:
    log: list[str] = []

    @contextlib.contextmanager
    def noted(name: str) -> Iterator[float]:
        log.append(f"+{name}")
        try:
            yield 2.0
        finally:
            log.append(f"-{name}")

    def step(x: Any, n: Any) -> Any:
        with contextlib.ExitStack() as stack:
            for i in range(n):
                x = x * stack.enter_context(noted(str(i)))
            stack.callback(log.append, "called")
            if n == 2:
                raise ValueError("two")
        return x

    call = run(step)
    for i in range(20):
        yield attempt(call, t(i), i // 5), list(log)


@ROWS.ordinary()
def finally_with_effects(run: Run) -> Iterator[Any]:
    counts = {"done": 0, "failed": 0}

    def step(x: Any, n: Any) -> Any:
        try:
            return x[n] * 2
        except IndexError:
            counts["failed"] += 1
            return x
        finally:
            counts["done"] += 1

    call = run(step)
    for i in range(16):
        yield call(t(i, 1), i // 4), dict(counts)


@ROWS.ordinary()
def finally_in_arguments(run: Run) -> Iterator[Any]:
    def step(x: Any, held: Any) -> Any:
        held["state"] = "begun"
        try:
            if held["n"] == 1:
                return x * 2
            if held["n"] == 2:
                raise KeyError("two")
            held["y"] = x
        finally:
            held["state"] = "ended"
            held["z"] = x + 1
        return x

    call = run(step)
    for i in range(24):
        held = {"n": i // 6, "state": None}
        yield attempt(call, t(i), held), held


@ROWS.ordinary()
def signatures(run: Run) -> Iterator[Any]:
    def helper(a: Any, b: float = 2.0) -> Any:
        return a * b

    def step(x: Any) -> Any:
        default = inspect.signature(helper).parameters["b"].default
        return helper(x) + default

    call = run(step)
    for i in range(14):
        if i == 7:
            helper.__defaults__ = (3.0,)
        yield call(t(i))


@ROWS.ordinary()
def getters(run: Run) -> Iterator[Any]:
    point = Point(2.0, Point(3.0))
    get, item = operator.attrgetter("y.x"), operator.itemgetter(1)
    method = operator.methodcaller("__len__")
    held = [1.0, 2.0]
    call = run(lambda x: x * get(point) + item(held) + method(held))
    for i in range(24):
        if i == 6:
            point.y.x = 5.0
        if i == 12:
            held[1] = 7.0
        if i == 18:
            held.append(1.0)
        yield call(t(i))


@ROWS.ordinary()
def texts_of_tensors(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x * 2, f"{x.shape}", f"{x}", f"{float(x[0]):.2f}", f"{x.dtype}"))
    for i in range(12):
        yield call(t(i, 2))


@ROWS.ordinary()
def reduced_with_a_function(run: Run) -> Iterator[Any]:
    steps = [ops.relu, ops.tanh]
    call = run(lambda x: functools.reduce(lambda v, f: f(v), itertools.chain(steps, [ops.abs]), x))
    for i in range(16):
        if i == 6:
            steps.append(ops.sin)
        if i == 11:
            steps[0] = ops.cos
        yield call(t(i, -2))


@ROWS.ordinary()
def dispatched_by_class(run: Run) -> Iterator[Any]:
    @functools.singledispatch
    def scale(value: Any) -> float:
        return 1.0

    scale.register(int, lambda value: 2.0)
    call = run(lambda x, v: x * scale(v))
    for i in range(20):
        if i == 8:
            scale.register(str, lambda value: 3.0)
        if i == 14:
            scale.register(int, lambda value: 5.0)
        yield call(t(i), (1, "a", None)[i % 3])


@ROWS.ordinary()
def methods_made_partial(run: Run) -> Iterator[Any]:
    class Scaler:
        def __init__(self) -> None:
            self.n = 2.0

        def by(self, x: Any, k: float) -> Any:
            return x * self.n + k

        one = functools.partialmethod(by, k=1.0)

    scaler = Scaler()
    call = run(lambda x: scaler.one(x))
    for i in range(20):
        if i == 7:
            scaler.n = 3.0
        if i == 13:
            Scaler.one = functools.partialmethod(Scaler.by, k=9.0)
        yield call(t(i))


@ROWS.ordinary()
def descriptors_with_memory(run: Run) -> Iterator[Any]:
    class Counted:
        def __init__(self) -> None:
            self.values: dict[int, float] = {}

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, value: Any, owner: Any = None) -> Any:
            return self if value is None else value.__dict__[f"_{self.name}"] + len(self.values)

        def __set__(self, value: Any, to: float) -> None:
            value.__dict__[f"_{self.name}"] = to

    class Holder:
        scale: Any = Counted()

    holder = Holder()
    holder.scale = 2.0
    call = run(lambda x, b: x * holder.scale + b.scale)
    for i in range(24):
        if i == 8:
            holder.scale = 3.0
        if i == 16:
            Holder.__dict__["scale"].values[1] = 1.0
        other = Holder()
        other.scale = float(i // 5)
        yield call(t(i), other)


@ROWS.ordinary()
def arrays_that_change(run: Run) -> Iterator[Any]:
    class Buffer:
        def __init__(self) -> None:
            self.data = np.zeros(3, np.float32)

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return self.data

    held = Buffer()
    call = run(lambda x: x * Tensor(np.asarray(held)) + x)
    for i in range(16):
        if i % 4 == 3:
            held.data[i % 3] += i
        yield call(t(i, 1, 2))


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_classes(program: Any, quiet: bool) -> None:
    check(program, quiet)
