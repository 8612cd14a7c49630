"""Programs whose arguments are objects of classes of theirs that are new in each call."""

from __future__ import annotations

import argparse
import collections
import copy
import dataclasses
import functools
import gc
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
import pytest

import agar as ms
from agar import Tensor, nn, ops
from agar._core.graph.cache import objects
from agar._core.graph.guard import flatten as flattening
from graph.soundness.attacks import Net, Programs, t
from graph.soundness.harness import Run, attempt, calls_of, check

ROWS = Programs()
T = TypeVar("T")

# --------------------------------------------------------------------------- classes of a batch


@dataclasses.dataclass
class Record:
    x: Any
    y: Any
    n: Any = 2

    def mixed(self) -> Any:
        return self.x + self.y * self.n


@dataclasses.dataclass(slots=True)
class SlottedRecord:
    x: Any
    y: Any
    n: Any = 2

    def mixed(self) -> Any:
        return self.x + self.y * self.n


class Ordinary:
    scale: ClassVar[float] = 1.0

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n

    def mixed(self) -> Any:
        return self.x * self.scale + self.y * self.n


class Derived(Ordinary):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(x, y, n)
        self.hidden = object

    @property
    def total(self) -> Any:
        return self.x + self.y

    def mixed(self) -> Any:
        return super().mixed() + self.total


class BySlots:
    __slots__ = ("n", "x", "y")

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n

    def mixed(self) -> Any:
        return self.x + self.y * self.n


class SlotsAndMore(BySlots):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(x, y, n)
        self.z = x

    def mixed(self) -> Any:
        return super().mixed() * self.z


class Output(collections.OrderedDict[str, Any]):
    """Has its items as attributes, too."""

    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__(x=x, y=y)
        self.x, self.y, self.n = x, y, n

    def __getitem__(self, key: Any) -> Any:
        return list(self.values())[key] if isinstance(key, int) else super().__getitem__(key)

    def mixed(self) -> Any:
        return self["x"] + self[1] * self.n


class Items(list[Any]):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__([x, y])
        self.n = n

    x = property(lambda self: self[0])
    y = property(lambda self: self[1])

    def mixed(self) -> Any:
        return self[0] + self[1] * self.n


class Row(NamedTuple):
    x: Any
    y: Any
    n: Any = 2

    def mixed(self) -> Any:
        return self.x + self.y * self.n


class LooseRow(Row):
    def __new__(cls, x: Any, y: Any, n: Any = 2) -> LooseRow:
        made = super().__new__(cls, x, y, n)
        made.extra = n + 1
        return made

    def mixed(self) -> Any:
        return super().mixed() * self.extra


class Encoding(collections.UserDict[str, Any]):
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        super().__init__({"x": x, "y": y})
        self.n = n

    def __getattr__(self, name: str) -> Any:
        try:
            return self.data[name]
        except KeyError:
            raise AttributeError(name) from None

    def mixed(self) -> Any:
        return self.x + self.data["y"] * self.n


class Typed(Generic[T]):
    def __init__(self, x: T, y: T, n: Any = 2) -> None:
        self.x, self.y, self.n = x, y, n

    def mixed(self) -> Any:
        return self.x + self.y * self.n


class Inner:
    def __init__(self, y: Any, n: Any) -> None:
        self.y, self.numbers = y, {"n": [n]}


class Nested:
    def __init__(self, x: Any, y: Any, n: Any = 2) -> None:
        self.x, self.inner = x, Inner(y, n)
        self.all = [self.inner, {"again": self.inner}]
        self.inner.parent = self  # type: ignore[attr-defined]

    y = property(lambda self: self.inner.y)

    @property
    def n(self) -> Any:
        return self.inner.numbers["n"][0]

    @n.setter
    def n(self, n: Any) -> None:
        self.inner.numbers["n"][0] = n

    def mixed(self) -> Any:
        same = self.all[1]["again"] is self.inner and self.inner.parent is self
        return self.x + self.y * self.n if same else self.x


def namespace(x: Any, y: Any, n: Any = 2) -> Any:
    return types.SimpleNamespace(x=x, y=y, n=n, mixed=None)


def options(x: Any, y: Any, n: Any = 2) -> Any:
    return argparse.Namespace(x=x, y=y, n=n, mixed=None)


MAKERS: dict[str, Callable[..., Any]] = {
    "record": Record,
    "slotted_record": SlottedRecord,
    "ordinary": Ordinary,
    "derived": Derived,
    "slots": BySlots,
    "slots_and_more": SlotsAndMore,
    "output": Output,
    "items": Items,
    "row": Row,
    "loose_row": LooseRow,
    "encoding": Encoding,
    "typed": Typed,
    "nested": Nested,
    "namespace": namespace,
    "options": options,
}


def mix(b: Any) -> Any:
    """What a batch of any of these classes gives."""
    return (
        b.x + b.y * b.n if isinstance(b, argparse.Namespace | types.SimpleNamespace) else b.mixed()
    )


def of_each(python: bool = False, without: tuple[str, ...] = ()) -> Callable[[Any], Any]:
    """A program for each of the classes."""

    def add(behavior: Any) -> Any:
        for name, make in MAKERS.items():
            if name in without:
                continue
            run_it = functools.partial(behavior, make=make)
            run_it.__name__ = f"{behavior.__name__}_{name}"  # type: ignore[attr-defined]
            (ROWS.ordinary() if python else ROWS.replayed())(run_it)
        return behavior

    return add


_TUPLES = ("row", "loose_row")


@of_each()
def values(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda b: mix(b) * 2)
    for i in range(14):
        yield call(make(t(i, 2), t(3, i)))


@of_each()
def numbers(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda b: mix(b) if b.n else b.x * 7)
    for i in range(30):
        yield call(make(t(i, 2), t(3, i), (3, 0, 3.0, True)[i // 5 % 4]))


@of_each()
def beside_other_arguments(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda x, *bs, last=None: sum([mix(b) for b in bs], x) + mix(last["of"][0]))
    for i in range(12):
        a, b = make(t(i, 2), t(3, i)), make(t(i, 5), t(1, i), 4)
        yield call(t(1, 1), a, b, last={"of": [make(t(2, i), t(i, 3))]})


@of_each()
def changed_in_place(run: Run, make: Any) -> Iterator[Any]:
    def step(b: Any) -> Any:
        b.x.add_(1.0)
        return mix(b)

    call = run(step)
    for i in range(12):
        batch = make(t(i, 2), t(3, i))
        yield call(batch), batch.x, batch.y


@of_each()
def returned(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda b: (mix(b), b, [b.y]))
    for i in range(12):
        batch = make(t(i, 2), t(3, i))
        value, again, (y,) = call(batch)
        yield value, again is batch, y is batch.y


@of_each()
def one_in_two_places(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda a, b: mix(a) * (2 if a is b else 3))
    inside = run(lambda a, b: mix(a[0]) * (2 if a[0] is b[0] else 3))
    for i in range(24):
        a = make(t(i, 2), t(3, i))
        b = make(a.x, a.y)
        yield call(a, a if i // 6 % 2 else b), inside([a], [a] if i // 4 % 2 else (b,))


@of_each()
def the_one_that_is_held(run: Run, make: Any) -> Iterator[Any]:
    net = Net(lambda s, b: mix(b) * (2 if b is s.best else 3), best=None)
    call = run(net)
    for i in range(30):
        batch = make(t(i, 2), t(3, i))
        if i % 7 == 6:
            net.best = batch
        if i % 11 == 10:
            batch = net.best or batch
        yield call(batch)


@of_each()
def the_one_that_a_list_holds(run: Run, make: Any) -> Iterator[Any]:
    held: list[Any] = []
    call = run(lambda b: mix(b) * (2 if any(b is other for other in held) else 3))
    for i in range(24):
        batch = make(t(i, 2), t(3, i))
        if i % 6 == 5:
            held.append(batch)
        yield call(batch), call(batch)


@of_each(python=True)
def kept(run: Run, make: Any) -> Iterator[Any]:
    def step(self: Any, b: Any) -> Any:
        self.last = b
        return mix(b)

    net = Net(step, last=None)
    call = run(net)
    for i in range(9):
        batch = make(t(i, 2), t(3, i))
        yield call(batch), net.last is batch


@of_each(python=True, without=_TUPLES)
def written(run: Run, make: Any) -> Iterator[Any]:
    def step(b: Any) -> Any:
        b.n = b.n + 1
        return mix(b)

    call = run(step)
    for i in range(9):
        batch = make(t(i, 2), t(3, i))
        yield call(batch), batch.n, call(batch), batch.n


@of_each(python=True, without=(*_TUPLES, "items", "nested"))
def written_tensor(run: Run, make: Any) -> Iterator[Any]:
    def step(b: Any) -> Any:
        b.x = b.x * 2
        return mix(b)

    call = run(step)
    for i in range(9):
        batch = make(t(i, 2), t(3, i))
        before = batch.x
        yield call(batch), batch.x, batch.x is before


@of_each()
def read_by_name(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda b, name: getattr(b, name) * 2 + getattr(b, "factor", 1))
    for i in range(20):
        yield call(make(t(i, 2), t(3, i)), "xy"[i // 5 % 2])


@of_each()
def sizes(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda b: mix(b).sum() + b.x.shape[0])
    for i in range(40):
        n = 2 + (i * 7) % 11
        yield call(make(Tensor(np.arange(n, dtype=np.float32) + i), ops.ones((n,), ms.float32)))


@of_each()
def branches(run: Run, make: Any) -> Iterator[Any]:
    call = run(lambda b: mix(b) if b.x.sum() > 5 else b.y * b.n)
    for i in range(20):
        yield call(make(t(i % 7, 2), t(3, i)))


@of_each(python=True)
def raises(run: Run, make: Any) -> Iterator[Any]:
    def step(b: Any) -> Any:
        if b.n > 3:
            raise ValueError("too large")
        return mix(b) + b.missing if b.n == 3 else mix(b)

    call = run(step)
    for i in range(20):
        yield attempt(call, make(t(i, 2), t(3, i), 2 + i // 4 % 3))


@of_each()
def differentiated(run: Run, make: Any) -> Iterator[Any]:
    net = nn.Dense(2, 2, weight_init="ones")
    call = run(Net(lambda s, b: s.net(mix(b)).sum(), net=net))
    grad = ms.value_and_grad(call, None, net.trainable_params())
    for i in range(9):
        yield grad(make(t(i, 2), t(3, i)))


@of_each()
def shared_memory(run: Run, make: Any) -> Iterator[Any]:
    def step(b: Any) -> Any:
        b.x.add_(1.0)
        return b.y * b.n

    call = run(step)
    for i in range(18):
        x = t(i, 2)
        yield call(make(x, x if i // 5 % 2 else t(i, 2)))


@of_each()
def with_a_parameter(run: Run, make: Any) -> Iterator[Any]:
    weight = ms.Parameter(t(2, 3), name="w")
    net = Net(lambda s, b: mix(b) * s.weight, weight=weight)
    call = run(net)
    for i in range(14):
        yield call(make(t(i, 2), weight if i // 5 % 2 else t(3, i)))


# ------------------------------------------------------------------------ what classes can change


def with_class_changed(name: str, change: Any, back: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(lambda b: b.mixed() * 2)
        try:
            for i in range(20):
                if i == 8:
                    change()
                if i == 14:
                    back()
                yield attempt(call, Ordinary(t(i, 2), t(3, i)))
        finally:
            back()

    run_it.__name__ = f"class_changed_{name}"
    ROWS.ordinary()(run_it)


_mixed = Ordinary.mixed


def _four_times(self: Any) -> Any:
    return self.__dict__["x"] * 4


with_class_changed(
    "attribute",
    lambda: setattr(Ordinary, "scale", 3.0),
    lambda: setattr(Ordinary, "scale", 1.0),
)
with_class_changed(
    "method",
    lambda: setattr(Ordinary, "mixed", lambda self: self.x * 5),
    lambda: setattr(Ordinary, "mixed", _mixed),
)
with_class_changed(
    "property",
    lambda: setattr(Ordinary, "x", property(_four_times, lambda self, x: vars(self).update(x=x))),
    lambda: "x" in vars(Ordinary) and delattr(Ordinary, "x"),
)


class Home(dict[str, Any]):
    """A dict of attributes that is no plain one."""


@ROWS.ordinary()
def attributes_in_a_dict_of_its_own(run: Run) -> Iterator[Any]:
    held = Ordinary(1, 2)
    held.__dict__ = Home(held.__dict__)
    call = run(lambda x, b: x * b.n)
    reads = run(lambda x: x * held.n)
    for i in range(24):
        batch = Ordinary(1, 2, i // 4)
        batch.__dict__ = Home(batch.__dict__)
        held.n = i // 5
        yield call(t(i), batch), reads(t(i))


@ROWS.replayed()
def slots_and_a_getattr(run: Run) -> Iterator[Any]:
    class Asked(BySlots):
        __slots__ = ()

        def __getattr__(self, name: str) -> Any:
            asked.append(name)
            raise AttributeError(name)

    asked: list[str] = []
    call = run(lambda b: (b.x * 2, Asked(b.y, b.x)))
    for i in range(24):
        y, made = call(Asked(t(i), t(1)))
        yield y, made.x, made.y, asked


@ROWS.replayed()
def attribute_only_in_some(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * (b.extra if hasattr(b, "extra") else 1))
    for i in range(30):
        batch = Ordinary(t(i), t(1))
        if i // 4 % 2:
            batch.extra = 5 + i // 12  # type: ignore[attr-defined]
        yield call(batch)


@ROWS.replayed()
def attribute_before_that_of_the_class(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * b.scale)
    for i in range(30):
        batch = Ordinary(t(i), t(1))
        if i // 4 % 2:
            batch.scale = 5.0  # type: ignore[misc]
        yield call(batch)


@ROWS.replayed()
def slot_that_is_empty(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * (b.n if hasattr(b, "n") else 7))
    for i in range(24):
        batch = BySlots(t(i), t(1), 3)
        if i // 4 % 2:
            del batch.n
        yield call(batch)


@ROWS.replayed()
def classes_in_turns(run: Run) -> Iterator[Any]:
    call = run(lambda b: mix(b) * (2 if isinstance(b, Derived) else 3))
    for i in range(30):
        yield call((Ordinary, Derived, Record)[i % 3](t(i, 2), t(3, i)))


@ROWS.replayed()
def attributes_that_nothing_reads(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * 2)
    for i in range(20):
        batch = Ordinary(t(i), i, iter([i]))
        batch.path = f"file {i}"  # type: ignore[attr-defined]
        yield call(batch)


@ROWS.ordinary()
def everything_read(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * len(vars(b)) + sum(v for v in vars(b).values() if type(v) is int))
    for i in range(20):
        batch = Ordinary(t(i), t(1), i // 6)
        if i > 12:
            batch.more = 3  # type: ignore[attr-defined]
        yield call(batch)


@ROWS.ordinary()
def text_with_its_address(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * (f"{b}" == f"{b!r}") + (str(b).find("Ordinary")))
    for i in range(12):
        yield call(Ordinary(t(i), t(1)))


@ROWS.ordinary()
def address_compared(run: Run) -> Iterator[Any]:
    seen: list[str] = []
    call = run(lambda b: b.x * (2 if str(b) in seen else 3))
    alive = []
    for i in range(12):
        batch = Ordinary(t(i), t(1))
        alive.append(batch)
        if i % 3 == 2:
            seen.append(str(batch))
        yield call(batch)


@ROWS.ordinary()
def text_of_a_record(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * len(repr(b.n)) + len(f"{Record(1, 2, b.n)}"))
    for i in range(20):
        yield call(Record(t(i), t(1), 10 ** (i // 6)))


@ROWS.ordinary()
def in_a_set(run: Run) -> Iterator[Any]:
    held: set[Any] = set()
    call = run(lambda b: b.x * (2 if b in held else 3))
    for i in range(24):
        batch = Ordinary(t(i), t(1))
        if i % 5 == 4:
            held.add(batch)
        yield call(batch)


@ROWS.ordinary()
def key_of_a_table(run: Run) -> Iterator[Any]:
    table: dict[Any, float] = {}
    call = run(lambda b: b.x * table.get(b, 1.0))
    for i in range(24):
        batch = Ordinary(t(i), t(1))
        if i % 5 == 4:
            table[batch] = float(i)
        yield call(batch)


@ROWS.ordinary()
def equal_by_attributes(run: Run) -> Iterator[Any]:
    call = run(lambda a, b: a.x * (2 if a == b else 3))
    for i in range(20):
        yield call(Record(t(i), 1, 2), Record(1, 1, 2)), call(Record(1.0, 1), Record(1.0, i // 6))


@ROWS.ordinary()
def hashed_by_attributes(run: Run) -> Iterator[Any]:
    @dataclasses.dataclass(frozen=True)
    class Key:
        x: Any
        n: int = 1

    table = {Key(None, 2): 5.0}
    call = run(lambda x, k: x * table.get(k, 1.0))
    for i in range(16):
        yield call(t(i), Key(None, 1 + i // 4 % 2))


@ROWS.ordinary()
def copied_inside(run: Run) -> Iterator[Any]:
    def step(b: Any) -> Any:
        other = copy.copy(b)
        other.n = 5
        return mix(other) + mix(b)

    call = run(step)
    for i in range(14):
        batch = Ordinary(t(i, 2), t(3, i), i // 5)
        yield call(batch), batch.n


@ROWS.ordinary()
def replaced_inside(run: Run) -> Iterator[Any]:
    call = run(lambda b: mix(dataclasses.replace(b, n=b.n + 1)))
    for i in range(14):
        batch = Record(t(i, 2), t(3, i), i // 5)
        yield call(batch), batch.n


@ROWS.replayed()
def made_inside_from_it(run: Run) -> Iterator[Any]:
    call = run(lambda b: mix(type(b)(b.y, b.x, b.n + 1)))
    for i in range(14):
        yield call(Ordinary(t(i, 2), t(3, i), i // 5))


@ROWS.ordinary()
def written_and_put_back(run: Run) -> Iterator[Any]:
    def step(a: Any, b: Any) -> Any:
        before, a.n = a.n, 7
        factor = b.n
        a.n = before
        return b.x * factor

    call = run(step)
    for i in range(20):
        a = Ordinary(t(i), t(1))
        yield call(a, a if i // 5 % 2 else Ordinary(a.x, a.y))


@ROWS.ordinary()
def list_grows_and_shrinks(run: Run) -> Iterator[Any]:
    def step(x: Any, a: Any, b: Any) -> Any:
        a.append(1)
        n = len(b)
        a.pop()
        return x * n

    call = run(step)
    for i in range(24):
        a: list[Any] = []
        yield call(t(i), a, a if i // 6 % 2 else [])


@ROWS.replayed()
def containers_that_are_one(run: Run) -> Iterator[Any]:
    kinds = ({"k": 1}, [1], (1, 2), collections.OrderedDict(k=1))
    call = run(lambda x, a, b: x * (2 if a is b else 3))
    for i in range(48):
        a = kinds[i // 12]
        b: Any = a if i // 3 % 2 else type(a)(a) if type(a) is not tuple else (*a,)
        yield call(t(i), a, b)


@ROWS.replayed()
def container_that_is_held(run: Run) -> Iterator[Any]:
    held = {"k": [1, 2]}
    call = run(lambda x, a: x * (2 if a is held or a is held["k"] else 3))
    for i in range(40):
        yield call(t(i), (held, {"k": [1, 2]}, held["k"], [1, 2])[i // 4 % 4])


@ROWS.ordinary()
def lazily_computed(run: Run) -> Iterator[Any]:
    class Lazy(Ordinary):
        @functools.cached_property
        def doubled(self) -> Any:
            return self.x * 2

    call = run(lambda b: b.doubled + 1)
    for i in range(10):
        batch = Lazy(t(i), t(1))
        yield call(batch), "doubled" in vars(batch), call(batch)


@ROWS.ordinary()
def counts_its_reads(run: Run) -> Iterator[Any]:
    class Counting(Ordinary):
        reads = 0

        def mixed(self) -> Any:
            self.reads += 1
            return super().mixed()

    call = run(lambda b: b.mixed())
    for i in range(10):
        batch = Counting(t(i), t(1))
        yield call(batch), call(batch), batch.reads


@ROWS.ordinary()
def counts_its_objects(run: Run) -> Iterator[Any]:
    class Counting(Ordinary):
        made = 0

        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            Counting.made += 1

    call = run(lambda b: mix(Counting(b.x, b.y, 3)))
    for i in range(10):
        yield call(Counting(t(i), t(1))), Counting.made


@ROWS.ordinary()
def computes_all_attributes(run: Run) -> Iterator[Any]:
    class Computing(Ordinary):
        def __getattribute__(self, name: str) -> Any:
            value = object.__getattribute__(self, name)
            return value * 2 if name == "n" else value

    call = run(mix)
    for i in range(12):
        yield call(Computing(t(i), t(1), i // 5))


@ROWS.ordinary()
def looks_into_a_table(run: Run) -> Iterator[Any]:
    table = {"factor": 2.0}

    class Delegating(Ordinary):
        def __getattr__(self, name: str) -> Any:
            if name in table:
                return table[name]
            raise AttributeError(name)

    call = run(lambda b: b.x * b.factor)
    for i in range(16):
        if i == 9:
            table["factor"] = 3.0
        yield call(Delegating(t(i), t(1)))


@ROWS.replayed()
def asked_for_what_it_lacks(run: Run) -> Iterator[Any]:
    class Asked(Ordinary):
        def __getattr__(self, name: str) -> Any:
            asked.append(name)
            raise AttributeError(name)

    asked: list[str] = []
    call = run(lambda x, b: b.x * 2 + x.sum())
    for i in range(24):
        yield call(ops.ones((1 + i % 3,), ms.float32), Asked(t(i), t(1))), len(asked)


@ROWS.ordinary()
def another_class_by_assignment(run: Run) -> Iterator[Any]:
    class Other(Ordinary):
        def mixed(self) -> Any:
            return self.x * 9

    def step(b: Any) -> Any:
        result = b.mixed()
        b.__class__ = Other if type(b) is Ordinary else Ordinary
        return result

    call = run(step)
    for i in range(8):
        batch = Ordinary(t(i), t(1))
        yield call(batch), type(batch).__name__, call(batch), type(batch).__name__


@ROWS.replayed()
def one_that_stays(run: Run) -> Iterator[Any]:
    config = types.SimpleNamespace(factor=2.0, names=["a"])
    call = run(lambda x, c: x * c.factor + len(c.names))
    for i in range(18):
        if i == 6:
            config.factor = 3.0
        if i == 12:
            config.names.append("b")
        yield call(t(i), config)


@ROWS.replayed()
def settings_and_batches(run: Run) -> Iterator[Any]:
    settings = [Ordinary(1, 2, 3), Ordinary(1, 2, 4)]
    call = run(lambda b, s: mix(b) * s.n)
    for i in range(30):
        if i == 20:
            settings[0].n = 9
        yield call(Record(t(i), t(1)), settings[i // 4 % 2])


@ROWS.ordinary()
def array_inside(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * float(b.y.sum()))
    for i in range(14):
        yield call(Ordinary(t(i), np.full(3, i // 5)))


@ROWS.ordinary()
def function_inside(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.n(b.x))
    for i in range(14):
        yield call(Ordinary(t(i), 1, ops.relu if i < 8 else (lambda x, i=i: x * i)))


@ROWS.ordinary()
def cell_inside(run: Run) -> Iterator[Any]:
    nets = [nn.Dense(3, 2, weight_init="ones"), nn.ReLU()]
    call = run(lambda b: b.n(b.x))
    for i in range(20):
        yield call(Ordinary(t(i, 1, -1), 1, nets[i // 5 % 2]))


@ROWS.ordinary()
def weak_reference_inside(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * (2 if b.n() is b else 3))
    for i in range(8):
        batch = Ordinary(t(i), 1)
        batch.n = weakref.ref(batch if i % 2 else t)
        yield call(batch)


@ROWS.ordinary()
def marked_tensor_inside(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * b.x.factor)
    for i in range(8):
        x = t(i)
        x.factor = float(i)
        yield call(Ordinary(x, 1))


@ROWS.ordinary()
def iterator_inside(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * next(b.n))
    for i in range(8):
        yield call(Ordinary(t(i), 1, iter([i, 2])))


@ROWS.ordinary()
def chain_of_objects(run: Run) -> Iterator[Any]:
    class Link:
        def __init__(self, n: Any, link: Any) -> None:
            self.n, self.link = n, link

    def step(x: Any, a: Any) -> Any:
        while a is not None:
            x, a = x + a.n, a.link
        return x

    call = run(step)
    for i in range(12):
        chain = None
        for n in range(5 if i < 6 else 2000):
            chain = Link(n % (2 + i // 3), chain)
        yield call(t(i), chain)


@ROWS.ordinary()
def leads_to_too_much(run: Run) -> Iterator[Any]:
    call = run(lambda b: b.x * len(b.n))
    for i in range(8):
        yield call(Ordinary(t(i), 1, list(range(10000 + i // 3))))


@ROWS.replayed()
def structural_pattern(run: Run) -> Iterator[Any]:
    def step(b: Any) -> Any:
        match b:
            case Record(x, y, 3):
                return x - y
            case Record(x=x, n=n):
                return x * n
        return b.x

    call = run(step)
    for i in range(24):
        yield call((Record, Ordinary)[i // 12](t(i), t(1), 2 + i // 4 % 3))


@ROWS.ordinary()
def named_by_a_getter(run: Run) -> Iterator[Any]:
    import operator

    get = operator.attrgetter("n", "inner.y")
    call = run(lambda b: b.x * get(b)[0] + get(b)[1])
    for i in range(16):
        yield call(Nested(t(i), t(i), i // 5))


@ROWS.ordinary()
def learns_a_name_late(run: Run) -> Iterator[Any]:
    def late(b: Any) -> Any:
        return b.x * b.rare

    call = run(lambda x, b: late(b) if x > 5 else b.x * 2)
    for i in range(36):
        batch = Ordinary(t(i), 1)
        batch.rare = 1 + i // 7 % 3  # type: ignore[attr-defined]
        yield call(Tensor(float(i // 3 % 4 * 2)), batch)


@ROWS.replayed()
def random_numbers(run: Run) -> Iterator[Any]:
    drop = nn.Dropout(p=0.5)
    drop.set_train()
    call = run(Net(lambda s, b: s.drop(mix(b)), drop=drop))
    for i in range(14):
        yield call(Ordinary(t(i, 2, 3, 4), t(3, i, 1, 2)))


@ROWS.replayed()
def training(run: Run) -> Iterator[Any]:
    net = nn.Dense(2, 1, weight_init="ones")
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    grad = ms.value_and_grad(lambda b: ops.mse_loss(net(b.x), b.y), None, optimizer.parameters)

    def step(b: Any) -> Any:
        loss, grads = grad(b)
        optimizer(grads)
        return loss

    call = run(step)
    for i in range(12):
        rows = np.random.RandomState(i).randn(4, 3).astype(np.float32)
        yield call(Record(Tensor(rows[:, :2]), Tensor(rows[:, 2:]))), net.weight


# ------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_batches(program: Any, quiet: bool) -> None:
    check(program, quiet)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("program", [values, changed_in_place, returned, random_numbers, training])
def test_calls_are_replayed(program: Any, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if program in (random_numbers, training):
        if make is not Record:
            pytest.skip("it makes its own batches")
    else:
        program = functools.partial(program, make=make)
    for function in calls_of(program, monkeypatch):
        assert function.runs <= 4, function.plain_reasons


def test_batches_are_not_held() -> None:
    call = ms.jit(lambda b: b.mixed())
    dead = []
    for i in range(10):
        batch = Ordinary(t(i), t(1))
        dead.append(weakref.ref(batch))
        call(batch)
    del batch
    gc.collect()
    assert all(ref() is None for ref in dead)


def test_many_classes() -> None:
    """A class for each call: the oldest are not forgotten, and later ones are Python's."""
    call = ms.jit(lambda b: b.x * 2)
    for i in range(objects._CLASSES + 10):
        made = type("Made", (), {})
        for _ in (1, 2):
            batch = made()
            batch.x = t(i)
            assert float(call(batch)[0]) == 2 * i
    assert len(call._compiled._objects._kinds) <= objects._CLASSES


def test_parts_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flattening, "_PARTS", 20)
    call = ms.jit(lambda b: b.x * sum(b.n))
    for i in range(8):
        assert float(call(Ordinary(t(1), 0, [1] * (10 + 5 * i)))[0]) == 10 + 5 * i
    assert Ordinary in call._compiled._objects.whole


def test_explain_names_the_attributes() -> None:
    call = ms.jit(lambda b, c: mix(b) + mix(c))
    for i in range(6):
        batch = Nested(t(i), t(1), 3)
        call(batch, batch)
    shown = str(ms.graph.explain(call))
    for text in ("b is a Nested", "b.inner is a Inner", "b.x is a Tensor", "c is the same object"):
        assert text in shown, shown
