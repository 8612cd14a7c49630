# ruff: noqa: B007, C400, E501, RUF005, RUF012, RUF015
"""Programs whose Python changes, draws, counts, returns and raises: compiled as in PYNATIVE_MODE."""

from __future__ import annotations

import abc
import asyncio
import builtins
import collections
import contextlib
import contextvars
import copy
import dataclasses
import datetime
import decimal
import enum
import functools
import gc
import io
import itertools
import logging
import operator
import os
import random
import sys
import tempfile
import threading
import time
import types
import uuid
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, mint, nn, ops
from agar._core.graph.cache import function
from graph.soundness.harness import Run, attempt, check, program

ROWS: list[Any] = []


def t(*values: float) -> Tensor:
    return Tensor(list(values or (1, -2, 3)), ms.float32)


def replayed(fault: str = "") -> Any:
    return program(ROWS, fault)


def ordinary(fault: str = "") -> Any:
    return program(ROWS, fault, python=True)


class Net(nn.Cell):
    """A cell of a function and attributes."""

    def __init__(self, step: Any = None, **values: Any) -> None:
        super().__init__()
        self.step = step
        for name, value in values.items():
            setattr(self, name, value)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return self.step(self, *args, **kwargs)


# ------------------------------------------------------------------------- effects of the call


def effect(name: str, make: Any, step: Any, fault: str = "") -> None:
    """A program of an attribute that the call itself changes."""

    def run_it(run: Run) -> Iterator[Any]:
        net = Net(step, held=make())
        call = run(net)
        for i in range(8):
            yield attempt(call, t(i, 2, 3)), net.held, net.__dict__.get("extra")

    run_it.__name__ = f"effect_{name}"
    ordinary()(run_it)

    def enclosed(run: Run) -> Iterator[Any]:
        held = types.SimpleNamespace(held=make())

        def call_it(x: Any) -> Any:
            return step(held, x)

        call = run(call_it)
        for i in range(8):
            yield attempt(call, t(i, 2, 3)), held.held, held.__dict__.get("extra")

    enclosed.__name__ = f"effect_enclosed_{name}"
    ordinary(fault)(enclosed)

    def passed(run: Run) -> Iterator[Any]:
        held = make()

        def call_it(x: Any, held: Any) -> Any:
            return step(types.SimpleNamespace(held=held), x)

        call = run(call_it)
        for i in range(8):
            yield attempt(call, t(i, 2, 3), held), held

    passed.__name__ = f"effect_passed_{name}"
    ordinary()(passed)


class Slotted:
    __slots__ = ("n",)

    def __init__(self) -> None:
        self.n = 0


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    x: Any
    y: Any = 0


Pair = collections.namedtuple("Pair", "a b")


class Loud:
    def __init__(self) -> None:
        self.log: list[Any] = []

    def __setitem__(self, key: Any, value: Any) -> None:
        self.log.append((key, value))

    def __iadd__(self, other: Any) -> Any:
        self.log.append(other)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __len__(self) -> int:
        self.log.append("len")
        return len(self.log)

    def __enter__(self) -> Any:
        self.log.append("in")
        return self

    def __exit__(self, *exc: Any) -> None:
        self.log.append("out")

    def __bool__(self) -> bool:
        self.log.append("bool")
        return len(self.log) % 3 == 0


def _slot(s: Any, x: Any) -> Any:
    s.held.n += 1
    return x * s.held.n


def _blind(s: Any, x: Any) -> Any:
    s.held.append(1)
    return x * 2


def _plus(s: Any, x: Any) -> Any:
    s.held += [1]
    return x * 2


def _set_item(s: Any, x: Any) -> Any:
    s.held["h"] = s.held.get("h", 0) + 1
    return x * s.held["h"]


def _set_tensor(s: Any, x: Any) -> Any:
    s.held["h"] = x + s.held["h"] if "h" in s.held else x
    return s.held["h"]


def _set_tensor_blind(s: Any, x: Any) -> Any:
    s.held["h"] = x + 1
    return x


def _attribute(s: Any, x: Any) -> Any:
    s.extra = x * 2
    return x


def _attribute_count(s: Any, x: Any) -> Any:
    s.extra = s.extra + 1 if hasattr(s, "extra") else 1
    return x * s.extra


def _setattr(s: Any, x: Any) -> Any:
    setattr(s, "ex" + "tra", getattr(s, "extra", 0) + 1)
    return x


def _through_dict(s: Any, x: Any) -> Any:
    s.__dict__["extra"] = s.__dict__.get("extra", 0) + 1
    return x


def _vars_update(s: Any, x: Any) -> Any:
    vars(s).update(extra=vars(s).get("extra", 0) + 1)
    return x


def _deleted(s: Any, x: Any) -> Any:
    if s.held:
        del s.held[0]
        return x * 2
    return x


def _pop(s: Any, x: Any) -> Any:
    return x * s.held.pop()


def _popped_dict(s: Any, x: Any) -> Any:
    return x * s.held.pop("a", 3.0)


def _default(s: Any, x: Any) -> Any:
    return x * len(s.held.setdefault("k", [])) + len(s.held["other" + str(len(s.held))])


def _numpy_write(s: Any, x: Any) -> Any:
    s.held[0] += 1
    return x * float(s.held[0])


def _numpy_blind(s: Any, x: Any) -> Any:
    s.held[0] += 1
    return x


def _numpy_from_tensor(s: Any, x: Any) -> Any:
    s.held[:] = x.asnumpy()
    return x + 1


def _out(s: Any, x: Any) -> Any:
    np.add(s.held, 1, out=s.held)
    return x + 1


def _loud(s: Any, x: Any) -> Any:
    s.held["k"] = 1
    s.held += 2
    with s.held:
        n = len(s.held)
    return x * n if s.held else x


def _tensor_in_place(s: Any, x: Any) -> Any:
    s.held[0] += 1
    return x * s.held


def _tensor_rebound(s: Any, x: Any) -> Any:
    s.held = s.held + x
    return s.held * 2


def _sorted(s: Any, x: Any) -> Any:
    s.held.sort()
    return x * s.held[0]


def _swap(s: Any, x: Any) -> Any:
    s.held[0], s.held[1] = s.held[1], s.held[0]
    return x * s.held[0]


def _slices(s: Any, x: Any) -> Any:
    s.held[len(s.held) :] = [1.0, 2.0]
    return x + len(s.held)


def _generator(s: Any, x: Any) -> Any:
    s.held.extend(i * 2.0 for i in range(2))
    return x + sum(s.held)


def _iterator(s: Any, x: Any) -> Any:
    return x * next(s.held[0], 9)


effect("slot", Slotted, _slot)
effect("append", list, _blind)
effect("append_read", list, lambda s, x: (s.held.append(1.0), x * sum(s.held))[1])
effect("append_tensor", list, lambda s, x: (s.held.append(x * 2), x)[1])
effect("append_shape", list, lambda s, x: (s.held.append(x.shape), x)[1])
effect("append_item", list, lambda s, x: (s.held.append(x.sum().item()), x)[1])
effect("in_place_list", list, _plus)
effect("set_add", set, lambda s, x: (s.held.add(len(s.held)), x)[1])
effect("set_update", set, lambda s, x: (s.held.update({len(s.held)}), x)[1])
effect("deque", collections.deque, lambda s, x: (s.held.append(1), x)[1])
effect(
    "deque_rotate",
    lambda: collections.deque([1.0, 2.0, 3.0]),
    lambda s, x: (s.held.rotate(1), x * s.held[0])[1],
)
effect(
    "deque_ring",
    lambda: collections.deque([1.0] * 3, maxlen=3),
    lambda s, x: (s.held.append(2.0), x * sum(s.held))[1],
)
effect("dict_count", dict, _set_item)
effect("dict_tensor", dict, _set_tensor)
effect("dict_tensor_blind", dict, _set_tensor_blind)
effect("dict_pop", lambda: {"a": 1.0}, _popped_dict)
effect("counter", collections.Counter, lambda s, x: (s.held.update("ab"), x * s.held["a"])[1])
effect(
    "ordered",
    lambda: collections.OrderedDict(a=1.0, b=2.0),
    lambda s, x: (s.held.move_to_end(next(iter(s.held))), x * next(iter(s.held.values())))[1],
)
effect("defaultdict", lambda: collections.defaultdict(list), _default)
effect(
    "defaultdict_read", lambda: collections.defaultdict(lambda: 2.0), lambda s, x: x * s.held["new"]
)
effect(
    "defaultdict_blind",
    lambda: collections.defaultdict(list),
    lambda s, x: (s.held["new"].append(1), x)[1],
)
effect("attribute", list, _attribute)
effect("attribute_count", list, _attribute_count)
effect("setattr", list, _setattr)
effect("through_dict", list, _through_dict)
effect("vars_update", list, _vars_update)
effect("deleted", lambda: [1.0, 2.0, 3.0], _deleted)
effect("pop", lambda: [1.0, 2.0, 3.0], _pop)
effect("numpy_write", lambda: np.zeros(3), _numpy_write)
effect("numpy_blind", lambda: np.zeros(3), _numpy_blind)
effect("numpy_large", lambda: np.zeros(70000), _numpy_blind)
effect("numpy_out", lambda: np.zeros(3), _out)
effect("numpy_from_tensor", lambda: np.zeros(3), _numpy_from_tensor)
effect("objects", Loud, _loud)
effect("tensor_in_place", t, _tensor_in_place)
effect("tensor_rebound", t, _tensor_rebound)
effect("sort", lambda: [3.0, 1.0, 2.0], _sorted)
effect("swap", lambda: [3.0, 1.0], _swap)
effect("slices", list, _slices)
effect("generator", list, _generator)
effect("iterator", lambda: [iter([1.0, 2.0, 3.0])], _iterator)
effect("count", lambda: [itertools.count(1)], _iterator)
effect("cycle", lambda: [itertools.cycle([1.0, 2.0, 3.0])], _iterator)
effect("reversed", lambda: [reversed([1.0, 2.0, 3.0])], _iterator)
effect("generator_object", lambda: [(i * 2.0 for i in range(5))], _iterator)
effect(
    "zip",
    lambda: [zip([1.0, 2.0], [3.0, 4.0], strict=True)],
    lambda s, x: x * sum(next(s.held[0], (9,))),
)
effect("bytearray", lambda: bytearray(b"a"), lambda s, x: (s.held.append(1), x * len(s.held))[1])
effect("nested", lambda: {"a": [{"b": []}]}, lambda s, x: (s.held["a"][0]["b"].append(1), x)[1])
effect(
    "point", lambda: Point(0), lambda s, x: (setattr(s.held, "x", s.held.x + 1), x * s.held.x)[1]
)
effect("stringio", io.StringIO, lambda s, x: (s.held.write("a"), x * s.held.tell())[1])
effect(
    "lock",
    lambda: [threading.Lock()],
    lambda s, x: x * 2 if s.held[0].acquire(blocking=False) else x,
)
effect(
    "event",
    lambda: [threading.Event()],
    lambda s, x: (x * 2 if s.held[0].is_set() else x, s.held[0].set())[0],
)
effect(
    "contextvar",
    lambda: [contextvars.ContextVar("c", default=0)],
    lambda s, x: (s.held[0].set(s.held[0].get() + 1), x * s.held[0].get())[1],
)
effect(
    "function_attribute",
    lambda: [Loud.__len__, types.SimpleNamespace(n=0)],
    lambda s, x: (setattr(s.held[1], "n", s.held[1].n + 1), x * s.held[1].n)[1],
)


# ------------------------------------------------------------------ effects on other things


@ordinary()
def global_statement(run: Run) -> Iterator[Any]:
    global COUNT
    COUNT = 0

    def step(x: Any) -> Any:
        global COUNT
        COUNT += 1
        return x * COUNT

    call = run(step)
    for _ in range(7):
        yield call(t()), COUNT


@ordinary()
def nonlocal_count(run: Run) -> Iterator[Any]:
    n = 0

    def step(x: Any) -> Any:
        nonlocal n
        n += 1
        return x

    call = run(step)
    for _ in range(7):
        yield call(t()), n


@ordinary()
def printing(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        print("shape", x.shape)
        return x * 2

    call = run(step)
    for _ in range(6):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            result = call(t())
        yield result, out.getvalue()


@ordinary()
def writing_to_stdout(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        sys.stdout.write("here")
        return x * 2

    call = run(step)
    for _ in range(6):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            result = call(t())
        yield result, out.getvalue()


@ordinary()
def logs(run: Run) -> Iterator[Any]:
    out = io.StringIO()
    logger = logging.getLogger("soundness")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler(out)
    logger.addHandler(handler)

    def step(x: Any) -> Any:
        logger.info("called with %s", x.shape)
        return x * 2

    call = run(step)
    for _ in range(6):
        yield call(t()), out.getvalue()
    logger.removeHandler(handler)


@ordinary()
def files_written(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"

        def step(x: Any) -> Any:
            with path.open("a") as out:
                out.write("a")
            return x * 2

        call = run(step)
        for _ in range(6):
            yield call(t()), path.read_text()


@ordinary()
def files_read(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scale")

        def step(x: Any) -> Any:
            with open(path) as source:
                return x * float(source.read())

        call = run(step)
        for i in range(6):
            Path(path).write_text(str(i))
            yield call(t())


@ordinary()
def file_exists(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "flag")

        def step(x: Any) -> Any:
            return x * 2 if os.path.exists(path) else x

        call = run(step)
        for i in range(6):
            if i == 3:
                Path(path).write_text("")
            yield call(t())


@ordinary()
def path_exists(run: Run) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flag"

        def step(x: Any) -> Any:
            return x * 2 if path.exists() else x

        call = run(step)
        for i in range(6):
            if i == 3:
                path.write_text("")
            yield call(t())


def _environment(read: Any) -> Any:
    def environment(run: Run) -> Iterator[Any]:
        os.environ.pop("SOUNDNESS", None)

        def step(x: Any) -> Any:
            return x * float(read())

        call = run(step)
        for i in range(6):
            if i >= 3:
                os.environ["SOUNDNESS"] = str(i)
            yield attempt(call, t())
        os.environ.pop("SOUNDNESS", None)

    return environment


for _name, _read in {
    "environ_get": lambda: os.environ.get("SOUNDNESS", "1"),
    "getenv": lambda: os.getenv("SOUNDNESS", "1"),
    "environ_item": lambda: os.environ["SOUNDNESS"],
    "environ_in": lambda: 1 + ("SOUNDNESS" in os.environ),
    "environ_len": lambda: len([k for k in os.environ if k == "SOUNDNESS"]) + 1,
    "environ_dict": lambda: dict(os.environ).get("SOUNDNESS", "1"),
    "environ_copy": lambda: os.environ.copy().get("SOUNDNESS", "1"),
    "expandvars": lambda: len(os.path.expandvars("$SOUNDNESS")),
}.items():
    _made = _environment(_read)
    _made.__name__ = _name
    ordinary()(_made)


@ordinary()
def environ_bound_method(run: Run) -> Iterator[Any]:
    get = os.environ.get

    def step(x: Any) -> Any:
        return x * float(get("SOUNDNESS", "1"))

    call = run(step)
    for i in range(6):
        if i >= 3:
            os.environ["SOUNDNESS"] = str(i)
        yield call(t())
    os.environ.pop("SOUNDNESS", None)


@ordinary()
def working_directory(run: Run) -> Iterator[Any]:
    home = os.getcwd()

    def step(x: Any) -> Any:
        return x * len(os.getcwd())

    call = run(step)
    for i in range(6):
        if i == 3:
            os.chdir("/")
        yield call(t())
    os.chdir(home)


# ------------------------------------------------------------------------- randomness, clocks


def draws(name: str, step: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(step)
        for _ in range(10):
            yield call(t())

    run_it.__name__ = f"draws_{name}"
    ordinary()(run_it)


def _shuffled(x: Any) -> Any:
    order = [0, 1, 2]
    random.shuffle(order)
    return x[order[0]] + x


def _np_shuffled(x: Any) -> Any:
    order = np.arange(3)
    np.random.shuffle(order)
    return x[int(order[0])] + x


def _layer_drop(x: Any) -> Any:
    for _ in range(4):
        if random.uniform(0, 1) < 0.5:
            continue
        x = x * 2
    return x


_from = random.Random(5)
_random_name = random.random
draws("coin", lambda x: x * 2 if random.random() < 0.5 else x)
draws("bound_random", lambda x: x * 2 if _random_name() < 0.5 else x)
draws("random_value", lambda x: x * random.random())
draws("choice", lambda x: x * random.choice([1.0, 2.0, 3.0]))
draws("choices", lambda x: x * random.choices([1.0, 2.0, 3.0])[0])
draws("sample", lambda x: x * random.sample([1.0, 2.0, 3.0], 1)[0])
draws("randint", lambda x: x * random.randint(0, 5))
draws("randrange", lambda x: x * random.randrange(5))
draws("gauss", lambda x: x * random.gauss(0, 1))
draws("getrandbits", lambda x: x * random.getrandbits(3))
draws("shuffle", _shuffled)
draws("np_shuffle", _np_shuffled)
draws("layer_drop", _layer_drop)
draws("np_rand", lambda x: x * float(np.random.rand()))
draws("np_randint", lambda x: x * int(np.random.randint(0, 5)))
draws("np_uniform", lambda x: x * 2 if np.random.uniform() < 0.5 else x)
draws("np_choice", lambda x: x * float(np.random.choice([1.0, 2.0, 3.0])))
draws("np_permutation", lambda x: x[int(np.random.permutation(3)[0])] + x)
draws("np_normal_tensor", lambda x: x + Tensor(np.random.randn(3).astype(np.float32)))
draws("np_seeded", lambda x: (np.random.seed(3), x * float(np.random.rand()))[1])
draws("random_seeded", lambda x: (random.seed(3), x * random.random())[1])
draws("default_rng_seeded", lambda x: x * float(np.random.default_rng(3).random()))
draws("random_seeded_object", lambda x: x * random.Random(3).random())
draws("mint_rand", lambda x: x * mint.rand(3))
draws("ops_dropout", lambda x: ops.dropout(x, p=0.5, training=True))


def _held_generator(make: Any, draw: Any, name: str) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        net = Net(lambda s, x: x * draw(s.held), held=make())
        call = run(net)
        for _ in range(8):
            yield call(t())
        yield draw(net.held)

    run_it.__name__ = f"draws_held_{name}"
    ordinary()(run_it)

    def run_closure(run: Run) -> Iterator[Any]:
        held = make()
        bound = draw

        def step(x: Any) -> Any:
            return x * 2 if bound(held) < 0.5 else x

        call = run(step)
        for _ in range(8):
            yield call(t())
        yield draw(held)

    run_closure.__name__ = f"draws_enclosed_{name}"
    ordinary()(run_closure)


_held_generator(lambda: random.Random(3), lambda g: g.random(), "random")
_held_generator(lambda: np.random.RandomState(3), lambda g: float(g.rand()), "random_state")
_held_generator(lambda: np.random.default_rng(3), lambda g: float(g.random()), "default_rng")
_held_generator(
    lambda: np.random.Generator(np.random.MT19937(3)), lambda g: float(g.random()), "mt"
)
_held_generator(lambda: np.random.default_rng(3).random, lambda g: float(g()), "bound_rng")
_held_generator(lambda: random.Random(3).random, lambda g: g(), "bound_random")
_held_generator(lambda: np.random.RandomState(3).rand, lambda g: float(g()), "bound_state")
_held_generator(
    lambda: functools.partial(np.random.RandomState(3).uniform, 0, 1),
    lambda g: float(g()),
    "partial",
)


@ordinary()
def clock_is_not_frozen(run: Run) -> Iterator[Any]:
    seen: list[float] = []

    def step(x: Any) -> Any:
        seen.append(time.perf_counter())
        return x

    call = run(step)
    for _ in range(6):
        call(t())
    yield len(seen), seen == sorted(seen), len(set(seen))


def fresh(name: str, ask: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        def step(x: Any) -> Any:
            return x * 0 + float(ask())

        call = run(step)
        values = []
        for _ in range(6):
            values.append(float(call(Tensor([0.0], ms.float64))[0]))
            time.sleep(0.002)
        yield len(set(values)) > 1

    run_it.__name__ = f"fresh_{name}"
    ordinary()(run_it)


_clock = time.perf_counter
_now = datetime.datetime.now
fresh("time", lambda: time.time() % 1000)
fresh("perf_counter", lambda: time.perf_counter_ns() % 10**12)
fresh("monotonic", lambda: time.monotonic_ns() % 10**12)
fresh("clock_named", lambda: _clock() % 1000)
fresh("datetime", lambda: datetime.datetime.now().microsecond)
fresh("datetime_named", lambda: _now().microsecond)
fresh("uuid4", lambda: uuid.uuid4().int % 10**6)
fresh("uuid1", lambda: uuid.uuid1().int % 10**9)
fresh("urandom", lambda: os.urandom(4)[0] + 256 * os.urandom(4)[1])
fresh("default_rng_entropy", lambda: np.random.default_rng().random())
fresh("random_state_entropy", lambda: np.random.RandomState().rand())
fresh("system_random", lambda: random.SystemRandom().random())
fresh("random_entropy", lambda: random.Random().random())
fresh("strftime", lambda: int(time.strftime("%S")) + time.process_time_ns() % 10**6)


@ordinary()
def rng_by_another_name(run: Run) -> Iterator[Any]:
    make = np.random.default_rng

    def step(x: Any) -> Any:
        return x * 0 + float(make().random())

    call = run(step)
    yield len({float(call(t())[0]) for _ in range(5)}) > 1


@ordinary()
def every_fourth_call(run: Run) -> Iterator[Any]:
    def step(self: Any, x: Any) -> Any:
        self.n += 1
        return x * 2 if self.n % 4 == 0 else x

    net = Net(step, n=0)
    call = run(net)
    for _ in range(10):
        yield call(t()), net.n


@ordinary()
def counted_from_outside(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * 2 if s.n % 4 == 0 else x, n=0)
    call = run(net)
    for _ in range(10):
        net.n += 1
        yield call(t())


@ordinary()
def identity_of_new_objects(run: Run) -> Iterator[Any]:
    items: list[Any] = []

    def step(x: Any) -> Any:
        result = object()
        items.append(result)
        return x

    call = run(step)
    for _ in range(5):
        call(t())
        yield len(items), len(set(map(id, items)))


@ordinary()
def thread_names(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * 2 if threading.current_thread().name == "other" else x

    call = run(step)
    for i in range(6):
        if i % 2:
            items: list[Any] = []
            worker = threading.Thread(target=lambda f=items: f.append(call(t())), name="other")
            worker.start()
            worker.join()
            yield items[0]
        else:
            yield call(t())


@ordinary()
def thread_locals(run: Run) -> Iterator[Any]:
    local = threading.local()
    local.scale = 1.0

    def step(x: Any) -> Any:
        return x * getattr(local, "scale", 5.0)

    call = run(step)
    for i in range(6):
        local.scale = float(i // 2)
        yield call(t())


# ----------------------------------------------------------------------------------- arguments


@replayed()
def the_same_tensor_twice(run: Run) -> Iterator[Any]:
    call = run(lambda x, y: x * 2 if x is y else x * y)
    x, y = t(), t(4, 5, 6)
    for pair in ((x, y), (x, x), (y, x), (y, y), (x, x), (x, y)):
        yield call(*pair)


@replayed()
def argument_is_saved(run: Run) -> Iterator[Any]:
    saved, other = t(), t(4, 5, 6)
    net = Net(lambda s, x: x * 2 if x is s.saved else x + 1, saved=saved)
    call = run(net)
    for x in (saved, other, saved, other, t()):
        yield call(x)
    net.saved = other
    for x in (saved, other, saved):
        yield call(x)


@replayed()
def argument_in_list(run: Run) -> Iterator[Any]:
    known = [t(), t(4, 5, 6)]
    call = run(lambda x: x * 2 if any(x is k for k in known) else x + 1)
    for x in (known[0], t(), known[1], known[0]):
        yield call(x)
    known.append(x := t(7, 8, 9))
    yield call(x)
    yield call(t())


@replayed()
def argument_is_parameter_of_cell(run: Run) -> Iterator[Any]:
    net = nn.Dense(3, 3, weight_init="ones")
    outer = Net(lambda s, x, w: s.inner(x) if w is s.inner.weight else x, inner=net)
    call = run(outer)
    other = Parameter(t(), name="other")
    for w in (net.weight, other, net.weight, other):
        yield call(Tensor([[1.0, 2.0, 3.0]]), w)


@ordinary()
def argument_mutated_in_place(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        x[0] = 9.0
        return x * 2

    call = run(step)
    for i in range(5):
        x = t(i, 2, 3)
        yield call(x), x


@ordinary()
def marks_on_arguments(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        x.seen = getattr(x, "seen", 0) + 1
        return x * x.seen

    call = run(step)
    x = t()
    for _ in range(5):
        yield call(x), x.seen


@ordinary()
def marks_read(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * getattr(x, "scale", 1.0))
    x = t()
    for i in range(6):
        if i > 2:
            x.scale = float(i)
        yield call(x), call(t())


@replayed()
def numbers(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x * k if isinstance(k, int) else x + k)
    for k in (1, 2, 1.0, True, 2.5, -0.0, 0.0, 0, False, 1, float("inf")):
        yield call(t(), k)


@replayed()
def zero_signs(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x / k)
    for k in (0.0, -0.0, 0.0, -0.0):
        yield call(t(), k)


@replayed()
def zero_signs_complex(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x * (1 if str(k) == "0j" else 2))
    for k in (0j, -0j, complex(-0.0, 0.0), 0j, -0j):
        yield call(t(), k)


@replayed()
def strings(run: Run) -> Iterator[Any]:
    call = run(lambda x, name: getattr(ops, name)(x))
    for name in ("relu", "tanh", "relu", "exp"):
        yield call(t(), name)


@replayed()
def numpy_small(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * float(a.sum()))
    a = np.ones(3)
    for i in range(6):
        a[0] = i // 2
        yield call(t(), a)


@ordinary()
def numpy_large(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * float(a.sum()))
    a = np.ones(70000)
    for i in range(6):
        a[69999] = i // 2
        yield call(t(), a)


@ordinary()
def numpy_large_fresh(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * float(a.sum()))
    for i in range(6):
        a = np.full(70000, float(i))
        yield call(t(), a)
        del a


@ordinary()
def numpy_objects(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * sum(a[0]))
    a = np.array([[1.0], [2.0]] + [None], dtype=object)
    for i in range(6):
        a[0].append(i // 2)
        yield call(t(), a)


@replayed()
def numpy_scalars(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x * k)
    for k in (np.float32(2), np.float64(2), np.int64(2), np.bool_(True), np.float32(3)):
        yield call(t(), k)


@ordinary()
def numpy_orders(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * 2 if a.flags.c_contiguous else x)
    a = np.arange(6.0).reshape(2, 3)
    for v in (a, np.asfortranarray(a), a, np.asfortranarray(a)):
        yield call(t(), v)


@ordinary()
def numpy_written_by_step(run: Run) -> Iterator[Any]:
    def step(x: Any, a: Any) -> Any:
        a += 1
        return x * float(a[0])

    call = run(step)
    a = np.zeros(2)
    for _ in range(6):
        yield call(t(), a), a


@ordinary()
def numpy_read_only(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: x * 2 if a.flags.writeable else x)
    a = np.zeros(2)
    for i in range(6):
        a.flags.writeable = bool(i % 2)
        yield call(t(), a)


@ordinary()
def sets(run: Run) -> Iterator[Any]:
    call = run(lambda x, s: x * len(s))
    s = {1, 2}
    for i in range(6):
        if i > 2:
            s.add(i + 5)
        yield call(t(), s)


@replayed()
def frozen_sets(run: Run) -> Iterator[Any]:
    call = run(lambda x, s: x * len(s))
    one, two = frozenset({1}), frozenset({1, 2})
    for s in (one, two, one, two):
        yield call(t(), s)


@ordinary()
def objects(run: Run) -> Iterator[Any]:
    call = run(lambda x, p: x * p.x + p.y)
    p, q = Point(1.0), Point(2.0, 3.0)
    for i in range(8):
        if i == 4:
            p.x = 7.0
        if i == 6:
            q.y = 8.0
        yield call(t(), p), call(t(), q)


@ordinary()
def objects_fresh(run: Run) -> Iterator[Any]:
    call = run(lambda x, p: x * p.x)
    for i in range(40):
        yield call(t(), Point(float(i % 3)))


@ordinary()
def frozen_objects(run: Run) -> Iterator[Any]:
    call = run(lambda x, p: x * p.x)
    for i in range(6):
        yield call(t(), Fixed(float(i // 3)))


@ordinary()
def objects_of_tensors(run: Run) -> Iterator[Any]:
    call = run(lambda p: p.x * p.y)
    p = Point(t(), t(4, 5, 6))
    for i in range(6):
        if i == 3:
            p.y = t(7, 8, 9)
        if i == 4:
            p.x[0] = 5.0
        yield call(p)


@replayed()
def dicts(run: Run) -> Iterator[Any]:
    call = run(lambda d: d["a"] * 2 + list(d.values())[0])
    for d in ({"a": t(), "b": t(4, 5, 6)}, {"b": t(4, 5, 6), "a": t()}, {"a": t()}):
        yield call(d)
        yield call(d)


@replayed()
def dict_kinds(run: Run) -> Iterator[Any]:
    call = run(lambda d: d["a"] * (2 if type(d) is dict else 3))
    for d in ({"a": t()}, collections.OrderedDict(a=t()), {"a": t()}):
        yield call(d)


@ordinary()
def dict_key_kinds(run: Run) -> Iterator[Any]:
    call = run(lambda x, d: x * len(repr(next(iter(d)))))
    for d in ({1: 2}, {True: 2}, {1.0: 2}, {1: 2}):
        for _ in range(3):
            yield call(t(), d)


@ordinary()
def list_and_tuple(run: Run) -> Iterator[Any]:
    call = run(lambda d: d[0] * (2 if isinstance(d, list) else 3))
    for d in ([t()], (t(),), Pair(t(), 1), [t()], (t(),)):
        yield call(d)


@ordinary()
def aliased_lists(run: Run) -> Iterator[Any]:
    call = run(lambda x, a, b: x * 2 if a is b else x)
    a, b = [1.0], [1.0]
    for pair in ((a, b), (a, a), (b, a), (b, b)):
        yield call(t(), *pair)


@ordinary()
def list_is_known(run: Run) -> Iterator[Any]:
    known = [1.0]
    net = Net(lambda s, x, a: x * 2 if a is s.known else x, known=known)
    call = run(net)
    for a in ([1.0], known, [1.0], known):
        yield call(t(), a)


@ordinary()
def strings_is_known(run: Run) -> Iterator[Any]:
    known = "".join(["a", "bc d"])
    call = run(lambda x, a: x * 2 if a is known else x)
    for a in ("".join(["ab", "c d"]), known, "".join(["ab", "c d"]), known):
        yield call(t(), a)


@ordinary()
def generators(run: Run) -> Iterator[Any]:
    call = run(lambda x, g: x * sum(g))
    for i in range(6):
        yield call(t(), (k for k in range(i)))


@ordinary()
def iterators(run: Run) -> Iterator[Any]:
    call = run(lambda x, g: x * next(g))
    g = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    for _ in range(6):
        yield call(t(), g)


@replayed()
def keywords(run: Run) -> Iterator[Any]:
    def step(x: Any, *rest: Any, k: Any = 1.0, **more: Any) -> Any:
        return x * k + len(rest) + sum(more.values())

    call = run(step)
    yield call(t())
    yield call(t(), 1, 2)
    yield call(t(), k=3.0)
    yield call(t(), a=3.0)
    yield call(t(), b=3.0)
    yield call(t(), b=3.0, a=1.0)
    yield call(t(), a=1.0, b=3.0)
    yield call(x=t())


@replayed()
def keyword_order(run: Run) -> Iterator[Any]:
    call = run(lambda x, **more: x * next(iter(more.values())))
    for _ in range(3):
        yield call(t(), a=1.0, b=2.0)
        yield call(t(), b=2.0, a=1.0)


@ordinary()
def mutated_default(run: Run) -> Iterator[Any]:
    def step(x: Any, log: Any = []) -> Any:  # noqa: B006
        log.append(1)
        return x * len(log)

    call = run(step)
    for _ in range(6):
        yield call(t()), step.__defaults__


@replayed()
def changed_default(run: Run) -> Iterator[Any]:
    def step(x: Any, log: Any = [1.0]) -> Any:  # noqa: B006
        return x * sum(log)

    call = run(step)
    for i in range(6):
        if i == 3:
            step.__defaults__[0].append(2.0)
        if i == 5:
            step.__defaults__ = ([7.0],)
        yield call(t())


@replayed()
def functions_as_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, f: f(x))
    double, triple = (lambda x: x * 2), (lambda x: x * 3)
    for f in (double, triple, double, ops.relu, ops.tanh, triple):
        yield call(t(), f)


@ordinary()
def fresh_functions_as_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, f: f(x))
    for i in range(6):
        yield call(t(), lambda x, i=i: x * i)


@replayed()
def cells_as_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, f: f(x))
    one, two = nn.Dense(3, 3, weight_init="ones"), nn.Dense(3, 3, weight_init="zeros")
    x = Tensor([[1.0, 2.0, 3.0]])
    for i in range(6):
        if i == 4:
            one.weight.set_data(one.weight * 2)
        yield call(x, one), call(x, two)


@replayed()
def types_as_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, kind: x.astype(kind))
    for kind in (ms.float16, ms.int32, ms.float16, ms.float64):
        yield call(t(), kind)


@replayed()
def none_and_missing(run: Run) -> Iterator[Any]:
    call = run(lambda x, y=None: x if y is None else x * y)
    for args in ((t(),), (t(), None), (t(), t()), (t(),), (t(), 2)):
        yield call(*args)


@replayed()
def sizes_and_types(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * x.shape[0] + x.ndim + (1 if x.dtype == ms.float32 else 2))
    for shape in ((3,), (4,), (2, 3), (3,), (1,), (0,), (3, 1), (5,), (6,), (7,), (8,), (9,)):
        for kind in (ms.float32, ms.int32):
            yield call(ops.ones(shape, kind))


@replayed()
def slices_as_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, s: x[s])
    for s in (slice(0, 2), slice(1, 3), 0, -1, (slice(None),), Ellipsis, [0, 2], slice(0, 2)):
        yield call(t(), s)


@ordinary()
def state_passed(run: Run) -> Iterator[Any]:
    def step(x: Any, state: Any) -> Any:
        state["h"] = state["h"] + x
        state["n"] += 1
        return state["h"] * state["n"]

    call = run(step)
    state = {"h": t(0, 0, 0), "n": 0}
    for _ in range(6):
        yield call(t(), state), state


@replayed()
def state_returned(run: Run) -> Iterator[Any]:
    call = run(lambda x, state: {"h": state["h"] + x, "k": [state["k"][0] * 2]})
    state: Any = {"h": t(0, 0, 0), "k": [t()]}
    for _ in range(6):
        state = call(t(), state)
        yield state


# ------------------------------------------------------------------------------------- results


def returns(name: str, make: Any, fault: str = "") -> None:
    def run_it(run: Run) -> Iterator[Any]:
        call = run(make)
        for i in range(4):
            yield call(t(i, 2, 3))

    run_it.__name__ = f"returns_{name}"
    replayed(fault)(run_it)


for _name, _make in {
    "none": lambda x: None,
    "number": lambda x: 3,
    "text": lambda x: "text",
    "tuple_empty": lambda x: (),
    "list_empty": lambda x: [],
    "dict_empty": lambda x: {},
    "nested": lambda x: (x, [x + 1, {"a": x * 2, "b": (1, None)}]),
    "ordered": lambda x: collections.OrderedDict(b=x, a=x + 1),
    "named": lambda x: Pair(x, x + 1),
    "same_twice": lambda x: [x, x],
    "with_argument": lambda x: (x + 0, x),
    "shape": lambda x: x.shape,
    "dtype": lambda x: x.dtype,
    "float": lambda x: float(x.sum()),
}.items():
    returns(_name, _make)


@ordinary()
def other_results(run: Run) -> Iterator[Any]:
    makers = [
        lambda x: collections.defaultdict(list, a=x),
        lambda x: collections.Counter("aab"),
        lambda x: collections.deque([x]),
        lambda x: {1, 2},
        lambda x: Point(x, x + 1),
        lambda x: Fixed(x),
        lambda x: types.SimpleNamespace(x=x).x,
        lambda x: np.arange(3),
        lambda x: x.asnumpy(),
        lambda x: x.asnumpy() + 1,
        lambda x: list(k * 2 for k in x),
        lambda x: [float(k) for k in x],
        lambda x: x.tolist(),
        lambda x: slice(0, 2),
        lambda x: range(3),
        lambda x: np.float32(2),
        lambda x: bytearray(b"a"),
    ]
    for make in makers:
        call = run(make)
        for i in range(4):
            yield attempt(call, t(i, 2, 3))


@ordinary()
def generators_returned(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        for i in range(3):
            yield x * i

    call = run(step)
    for i in range(4):
        yield list(call(t(i, 2, 3)))


@ordinary()
def functions_returned(run: Run) -> Iterator[Any]:
    call = run(lambda x: lambda y: x * y)
    for i in range(4):
        yield call(t(i, 2, 3))(t())


@replayed()
def results_are_fresh(run: Run) -> Iterator[Any]:
    call = run(lambda x: [x * 2, {"a": [1]}])
    for _ in range(5):
        result = call(t())
        yield result
        result.append(1)
        result[0][0] = 9.0
        result[1]["a"].append(2)


@ordinary()
def held_list_is_returned(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * 2, s.held), held=[1.0])
    call = run(net)
    for _ in range(5):
        result, held = call(t())
        yield result, held is net.held, held
        held.append(2.0)


@ordinary()
def held_array_is_returned(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * 2, s.held), held=np.ones(2))
    call = run(net)
    for _ in range(5):
        result, held = call(t())
        yield result, held is net.held, held
        held += 1


@ordinary()
def held_object_is_returned(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * 2, s.held), held=Point(1))
    call = run(net)
    for _ in range(5):
        result, held = call(t())
        yield result, held is net.held, held
        held.x += 1


@replayed()
def held_tensor_is_returned(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * 2, s.held), held=t())
    call = run(net)
    for _ in range(5):
        result, held = call(t())
        yield result, held is net.held
        held[0] += 1


@ordinary()
def argument_is_returned(run: Run) -> Iterator[Any]:
    call = run(lambda x, a: (x, a, [a]))
    a = [1.0]
    x = t()
    for _ in range(5):
        out = call(x, a)
        yield out, out[0] is x, out[1] is a, out[2][0] is a


@ordinary()
def shared_structure(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        inner = [x * 2]
        return {"a": inner, "b": inner}

    call = run(step)
    for _ in range(5):
        out = call(t())
        yield out, out["a"] is out["b"], out["a"][0] is out["b"][0]


@ordinary()
def result_holds_itself(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        result: list[Any] = [x]
        result.append(result)
        return result

    call = run(step)
    for _ in range(4):
        out = attempt(call, t())
        yield out[0], out[1] is out


@ordinary()
def marks_on_results(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y = x * 2
        y.scale = 3.0
        return y

    call = run(step)
    for _ in range(5):
        yield getattr(call(t()), "scale", None)


@ordinary()
def parameters_returned(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x, s.p), p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(5):
        out = call(t())
        yield out[1] is net.p
        if i == 2:
            net.p = Parameter(t(4, 5, 6), name="p")


# ------------------------------------------------------------------- methods, classes, patches


@replayed()
def construct_patched_on_class(run: Run) -> Iterator[Any]:
    class Model(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 2

    call = run(Model())
    for i in range(6):
        if i == 3:
            Model.construct = lambda self, x: x * 3
        yield call(t())


@replayed()
def method_patched_on_class(run: Run) -> Iterator[Any]:
    class Model(nn.Cell):
        def helper(self, x: Any) -> Any:
            return x * 2

        def construct(self, x: Any) -> Any:
            return self.helper(x)

    model = Model()
    call = run(model)
    for i in range(8):
        if i == 3:
            Model.helper = lambda self, x: x * 3
        if i == 5:
            model.helper = lambda x: x * 5
        yield call(t())


@replayed()
def method_patched_on_base(run: Run) -> Iterator[Any]:
    class Base(nn.Cell):
        def helper(self, x: Any) -> Any:
            return x * 2

    class Model(Base):
        def construct(self, x: Any) -> Any:
            return super().helper(x) + 1

    call = run(Model())
    for i in range(6):
        if i == 3:
            Base.helper = lambda self, x: x * 3
        yield call(t())


@replayed()
def method_added_in_between(run: Run) -> Iterator[Any]:
    class Base(nn.Cell):
        def helper(self, x: Any) -> Any:
            return x * 2

    class Middle(Base):
        pass

    class Model(Middle):
        def construct(self, x: Any) -> Any:
            return self.helper(x) + 1

    call = run(Model())
    for i in range(6):
        if i == 3:
            Middle.helper = lambda self, x: x * 3
        yield call(t())


@replayed()
def property_of_cell(run: Run) -> Iterator[Any]:
    class Model(nn.Cell):
        hidden = {"scale": 1.0}

        @property
        def scale(self) -> Any:
            return self.hidden["scale"]

        def construct(self, x: Any) -> Any:
            return x * self.scale

    call = run(Model())
    for i in range(6):
        if i == 3:
            Model.hidden["scale"] = 4.0
        if i == 5:
            Model.scale = property(lambda self: 9.0)
        yield call(t())


@replayed()
def operator_patched(run: Run) -> Iterator[Any]:
    class Number:
        def __init__(self) -> None:
            self.k = 2.0

        def __rmul__(self, other: Any) -> Any:
            return other * self.k

        def __mul__(self, other: Any) -> Any:
            return other * self.k

    held = Number()
    call = run(lambda x: held * x)
    for i in range(8):
        if i == 3:
            Number.__mul__ = lambda self, other: other * 5
        if i == 6:
            held.k = 4.0
        yield call(t())


def printed_elsewhere(call: Any) -> Iterator[Any]:
    """Eight calls, first and last with the same streams; the results and what was printed."""
    first = io.StringIO(), io.StringIO()
    for i in range(8):
        out, err = (io.StringIO(), io.StringIO()) if i in (4, 5) else first
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            result = call(t())
        yield result, out.getvalue(), err.getvalue()


@ordinary()
def print_to_stdout_by_name(run: Run) -> Iterator[Any]:
    def fn(x: Any) -> Any:
        print("there", x, file=sys.stdout)
        return x * 2

    yield from printed_elsewhere(run(fn))


@ordinary()
def print_to_stderr_by_name(run: Run) -> Iterator[Any]:
    def fn(x: Any) -> Any:
        print("there", file=sys.stderr)
        return x * 2

    yield from printed_elsewhere(run(fn))


@replayed()
def print_to_stdout_of_the_call(run: Run) -> Iterator[Any]:
    def fn(x: Any) -> Any:
        print("there", x)
        return x * 2

    yield from printed_elsewhere(run(fn))


@ordinary()
def print_inside_of_a_redirection(run: Run) -> Iterator[Any]:
    inner = io.StringIO()

    def fn(x: Any) -> Any:
        with contextlib.redirect_stdout(inner):
            print("there", x)
        return x * 2

    for row in printed_elsewhere(run(fn)):
        yield row, inner.getvalue()


@ordinary()
def print_to_a_stream_by_a_name_that_changes(run: Run) -> Iterator[Any]:
    streams = [io.StringIO(), io.StringIO()]

    def fn(x: Any) -> Any:
        print("there", file=streams[-1])
        return x * 2

    call = run(fn)
    for i in range(6):
        if i == 3:
            streams.append(io.StringIO())
        yield call(t()), [s.getvalue() for s in streams]


def patched_for_a_while(call: Any, owner: Any, name: str, other: Any) -> Iterator[Any]:
    """Six calls; before the fourth something of a library is replaced, before the last put back."""
    original = getattr(owner, name)
    try:
        for i in range(6):
            if i == 3:
                setattr(owner, name, other)
            if i == 5:
                setattr(owner, name, original)
            yield call(t())
    finally:
        setattr(owner, name, original)


@ordinary()
def library_patched(run: Run) -> Iterator[Any]:
    call = run(lambda x: ops.relu(x) + ops.abs(x))
    yield from patched_for_a_while(call, ops, "relu", lambda x: x * 100)


@ordinary()
def method_of_tensor_patched(run: Run) -> Iterator[Any]:
    call = run(lambda x: x.abs())
    yield from patched_for_a_while(call, Tensor, "abs", lambda self: self * 100)


@ordinary()
def class_of_a_child_patched(run: Run) -> Iterator[Any]:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.activation = nn.ReLU()

        def construct(self, x: Any) -> Any:
            return self.activation(x)

    yield from patched_for_a_while(run(Net()), nn.ReLU, "construct", lambda self, x: x * 100)


@ordinary()
def library_class_patched(run: Run) -> Iterator[Any]:
    yield from patched_for_a_while(run(nn.ReLU()), nn.ReLU, "construct", lambda self, x: x * 100)


@ordinary()
def lru_cache(run: Run) -> Iterator[Any]:
    @functools.lru_cache
    def scale(n: int) -> float:
        return n * 2.0

    call = run(lambda x: x * scale(3))
    for i in range(5):
        yield call(t())


@ordinary()
def lru_cache_cleared(run: Run) -> Iterator[Any]:
    value = [1.0]

    @functools.lru_cache
    def scale(n: int) -> float:
        return n * value[0]

    call = run(lambda x: x * scale(3))
    for i in range(7):
        if i == 2:
            value[0] = 2.0
        if i == 4:
            scale.cache_clear()
        yield call(t())


@ordinary()
def memo_dictionary(run: Run) -> Iterator[Any]:
    def step(self: Any, x: Any) -> Any:
        key = x.shape
        if key not in self.memo:
            self.memo[key] = ops.ones(key) * self.scale
        return x * self.memo[key]

    net = Net(step, memo={}, scale=2.0)
    call = run(net)
    for i in range(8):
        if i == 4:
            net.scale = 3.0
        if i == 6:
            net.memo.clear()
        yield call(t()), sorted(net.memo)


@ordinary()
def lazy_attribute(run: Run) -> Iterator[Any]:
    def step(self: Any, x: Any) -> Any:
        if self.mask is None:
            self.mask = ops.ones(x.shape) * 2
        return x * self.mask

    net = Net(step, mask=None)
    call = run(net)
    for i in range(8):
        if i == 4:
            net.mask = None
        if i == 6:
            net.mask = t(5, 5, 5)
        yield call(t()), net.mask


@replayed()
def partial_cell(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.f(x), f=functools.partial(lambda k, x: x * k["k"], {"k": 1.0}))
    call = run(net)
    for i in range(6):
        if i == 3:
            net.f.args[0]["k"] = 4.0
        yield call(t())


@ordinary()
def abstract_registry(run: Run) -> Iterator[Any]:
    class Base(abc.ABC):  # noqa: B024
        pass

    class Other:
        pass

    held = Other()
    call = run(lambda x: x * 2 if isinstance(held, Base) else x)
    for i in range(6):
        if i == 3:
            Base.register(Other)
        yield call(t())


@ordinary()
def single_dispatch(run: Run) -> Iterator[Any]:
    @functools.singledispatch
    def apply(kind: Any, x: Any) -> Any:
        return x

    @apply.register
    def _(kind: int, x: Any) -> Any:
        return x * kind

    call = run(lambda x: apply(2, x))
    for i in range(6):
        if i == 3:
            apply.register(int, lambda kind, x: x * 100)
        yield call(t())


@replayed()
def decorated(run: Run) -> Iterator[Any]:
    settings = {"scale": 1.0}

    def scaled(function: Any) -> Any:
        @functools.wraps(function)
        def inner(*args: Any) -> Any:
            return function(*args) * settings["scale"]

        return inner

    @scaled
    def step(x: Any) -> Any:
        return x + 1

    call = run(step)
    for i in range(6):
        if i == 3:
            settings["scale"] = 3.0
        yield call(t())


# -------------------------------------------------------------------------- globals and closures


def _module(source: str, **values: Any) -> types.ModuleType:
    module_type = types.ModuleType("soundness_of_globals")
    module_type.__dict__.update(values, ops=ops, nn=nn, Tensor=Tensor, np=np)
    exec(compile(source, "soundness_of_globals.py", "exec"), module_type.__dict__)
    return module_type


def globals_change(name: str, source: str, first: Any, *later: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        home = _module(source, value=first())
        call = run(home.step)
        for i in range(3 + 2 * len(later)):
            if i >= 3 and i % 2:
                later[(i - 3) // 2](home)
            yield attempt(call, t())

    run_it.__name__ = f"globals_{name}"
    replayed()(run_it)


def _rebinds(value: Any) -> Any:
    return lambda home: setattr(home, "value", value())


_TIMES = "def step(x):\n    return x * value\n"
globals_change("number", _TIMES, lambda: 1.0, _rebinds(lambda: 2.0), _rebinds(lambda: 3))
globals_change(
    "tensor", _TIMES, t, _rebinds(lambda: t(4, 5, 6)), lambda h: h.value.__setitem__(0, 9.0)
)
globals_change("to_tensor", _TIMES, lambda: 1.0, _rebinds(t), _rebinds(lambda: 1.0))
globals_change(
    "array",
    "def step(x):\n    return x * Tensor(value)\n",
    lambda: np.ones(3, np.float32),
    lambda h: h.value.__setitem__(0, 9.0),
    _rebinds(lambda: np.zeros(3, np.float32)),
)
globals_change(
    "function",
    "def step(x):\n    return value(x)\n",
    lambda: ops.relu,
    _rebinds(lambda: ops.tanh),
    _rebinds(lambda: lambda x: x * 7),
)
globals_change(
    "network",
    "def step(x):\n    return value(x)\n",
    lambda: nn.ReLU(),
    _rebinds(lambda: nn.Tanh()),
    _rebinds(lambda: nn.Sigmoid()),
)
globals_change(
    "shadows_builtin",
    "def step(x):\n    return x * len([1])\n",
    lambda: 1,
    lambda h: setattr(h, "len", lambda v: 9),
    lambda h: delattr(h, "len"),
)
globals_change(
    "missing",
    "def step(x):\n    try:\n        return x * late\n    except NameError:\n        return x\n",
    lambda: 1,
    lambda h: setattr(h, "late", 3.0),
    lambda h: delattr(h, "late"),
)
globals_change(
    "helper_redefined",
    "def helper(x):\n    return x\ndef step(x):\n    return helper(x)\n",
    lambda: 1,
    lambda h: setattr(h, "helper", lambda x: x * 3),
    lambda h: setattr(h, "helper", ops.relu),
)
globals_change(
    "helper_uses_global",
    "def helper(x):\n    return x * value\ndef step(x):\n    return helper(x)\n",
    lambda: 1.0,
    _rebinds(lambda: 2.0),
    _rebinds(t),
)
globals_change(
    "comprehension",
    "def step(x):\n    return x * sum([v * value for v in (1, 2)])\n",
    lambda: 1.0,
    _rebinds(lambda: 2.0),
)
globals_change(
    "class_body",
    "def step(x):\n    class C:\n        k = value\n    return x * C.k\n",
    lambda: 1.0,
    _rebinds(lambda: 2.0),
)
globals_change(
    "lambda_inside",
    "def step(x):\n    return (lambda y: y * value)(x)\n",
    lambda: 1.0,
    _rebinds(lambda: 2.0),
)
globals_change(
    "default_of_inner",
    "def step(x):\n    def inner(y, k=value):\n        return y * k\n    return inner(x)\n",
    lambda: 1.0,
    _rebinds(lambda: 2.0),
)
globals_change(
    "class_made",
    "class C:\n    def __init__(self):\n        self.k = value\ndef step(x):\n    return x * C().k\n",
    lambda: 1.0,
    _rebinds(lambda: 2.0),
)
globals_change(
    "class_replaced",
    "class C:\n    k = 1.0\ndef step(x):\n    return x * C.k\n",
    lambda: 1.0,
    lambda h: setattr(h, "C", type("D", (), {"k": 4.0})),
    lambda h: setattr(h.C, "k", 5.0),
)
globals_change(
    "dict_of_functions",
    "table = {'f': ops.relu}\ndef step(x):\n    return table['f'](x)\n",
    lambda: 1,
    lambda h: h.table.__setitem__("f", ops.tanh),
)
globals_change(
    "condition",
    "def step(x):\n    if value:\n        return x * 2\n    return x\n",
    lambda: False,
    _rebinds(lambda: True),
    _rebinds(list),
)
globals_change(
    "in_list",
    "def step(x):\n    return x * 2 if 3 in value else x\n",
    lambda: [1],
    lambda h: h.value.append(3),
)
globals_change(
    "recursion",
    "def step(x, n=3):\n    return x * value if n == 0 else step(x + 1, n - 1)\n",
    lambda: 1.0,
    _rebinds(lambda: 2.0),
)
globals_change(
    "match",
    "def step(x):\n    match value:\n        case {'k': k}:\n            return x * k\n        case [k, *_]:\n            return x + k\n    return x\n",
    lambda: {"k": 2.0},
    lambda h: h.value.__setitem__("k", 3.0),
    _rebinds(lambda: [1.0]),
)


@ordinary()
def globals_by_dictionary(run: Run) -> Iterator[Any]:
    home = _module("def step(x):\n    return x * globals()['val' + 'ue']\n", value=1.0)
    call = run(home.step)
    for i in range(6):
        home.value = float(i // 2)
        yield call(t())


@ordinary()
def evaluated(run: Run) -> Iterator[Any]:
    home = _module("def step(x):\n    return x * eval('val' + 'ue')\n", value=1.0)
    call = run(home.step)
    for i in range(6):
        home.value = float(i // 2)
        yield call(t())


@replayed()
def closure_rebound(run: Run) -> Iterator[Any]:
    scale: Any = 1.0

    def step(x: Any) -> Any:
        return x * scale

    call = run(step)
    for value in (1.0, 1.0, 2.0, t(), t(4, 5, 6), 2, 2.0, True):
        scale = value
        yield call(t())


@replayed()
def closure_of_closure(run: Run) -> Iterator[Any]:
    scale = 1.0

    def outer() -> Any:
        def inner(x: Any) -> Any:
            return x * scale

        return inner

    def step(x: Any) -> Any:
        return outer()(x)

    call = run(step)
    for i in range(6):
        scale = float(i // 2)
        yield call(t())


@replayed()
def module_in_sys_modules(run: Run) -> Iterator[Any]:
    module_type: Any = types.ModuleType("soundness_plugin")
    module_type.scale = 1.0
    sys.modules["soundness_plugin"] = module_type

    def step(x: Any) -> Any:
        import soundness_plugin  # type: ignore[import-not-found]

        return x * soundness_plugin.scale

    call = run(step)
    for i in range(8):
        if i == 3:
            module_type.scale = 4.0
        if i == 5:
            other: Any = types.ModuleType("soundness_plugin")
            other.scale = 9.0
            sys.modules["soundness_plugin"] = other
        yield call(t())
    del sys.modules["soundness_plugin"]


@replayed()
def module_by_attribute(run: Run) -> Iterator[Any]:
    outer: Any = types.ModuleType("soundness_outer")
    outer.inner = types.ModuleType("soundness_outer.inner")
    outer.inner.scale = 1.0
    call = run(lambda x: x * outer.inner.scale)
    for i in range(8):
        if i == 3:
            outer.inner.scale = 4.0
        if i == 5:
            outer.inner = types.SimpleNamespace(scale=7.0)
        yield call(t())


@ordinary()
def module_getattr(run: Run) -> Iterator[Any]:
    values = {"scale": 1.0}
    module_type: Any = types.ModuleType("soundness_getattr")
    module_type.__getattr__ = lambda name: values[name]
    call = run(lambda x: x * module_type.scale)
    for i in range(6):
        values["scale"] = float(i // 2)
        yield call(t())


@ordinary()
def import_that_fails(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        try:
            import soundness_late  # type: ignore[import-not-found]

            return x * soundness_late.scale
        except ImportError:
            return x

    call = run(step)
    for i in range(6):
        if i == 3:
            module_type: Any = types.ModuleType("soundness_late")
            module_type.scale = 4.0
            sys.modules["soundness_late"] = module_type
        yield call(t())
    del sys.modules["soundness_late"]


@replayed()
def context_of_agar(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * (2 if ms.get_context("save_graphs_path") == "soundness_graphs" else 1)

    call = run(step)
    before = ms.get_context("save_graphs_path")
    for i in range(6):
        if i == 3:
            ms.set_context(save_graphs_path="soundness_graphs")
        yield call(t())
    ms.set_context(save_graphs_path=before)


@ordinary()
def recursion_limit(run: Run) -> Iterator[Any]:
    before = sys.getrecursionlimit()
    call = run(lambda x: x * sys.getrecursionlimit())
    for i in range(6):
        if i == 3:
            sys.setrecursionlimit(before + 10)
        yield call(t())
    sys.setrecursionlimit(before)


@ordinary()
def reference_counts(run: Run) -> Iterator[Any]:
    held = [Point(1)]
    call = run(lambda x: x * len(gc.get_referrers(held[0])))
    for _ in range(4):
        yield isinstance(attempt(call, t()), Tensor)


@replayed()
def numpy_error_state_for_a_while(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        with np.errstate(all="ignore"):
            return x * 2

    call = run(step)
    for _ in range(4):
        yield call(t()), sorted(np.geterr().items())


@ordinary()
def numpy_function_under_an_error_state(run: Run) -> Iterator[Any]:
    @ms.numpy_function
    def divided(a: Any) -> Any:
        return np.float32(np.geterr()["divide"] == "raise") + a

    def step(x: Any) -> Any:
        with np.errstate(divide="raise"):
            return divided(x)

    call = run(step)
    for _ in range(4):
        yield call(t())


@ordinary()
def numpy_error_state(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * 2 if np.geterr()["divide"] == "raise" else x

    call = run(step)
    before = np.geterr()
    for i in range(6):
        if i == 3:
            np.seterr(divide="raise")
        yield call(t())
    np.seterr(**before)


@ordinary()
def numpy_print_options(run: Run) -> Iterator[Any]:
    values = np.array([1.23456789])
    call = run(lambda x: x * len(str(values)))
    before = np.get_printoptions()["precision"]
    for i in range(6):
        if i == 3:
            np.set_printoptions(precision=2)
        yield call(t())
    np.set_printoptions(precision=before)


@ordinary()
def warnings_filters(run: Run) -> Iterator[Any]:
    import warnings

    def step(x: Any) -> Any:
        warnings.warn("here", DeprecationWarning, stacklevel=1)
        return x * 2

    call = run(step)
    for _ in range(5):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = call(t())
        yield result, [str(w.message) for w in caught if w.category is DeprecationWarning]


# ---------------------------------------------------------------------- exceptions and flow


@replayed()
def raises_under_python(run: Run) -> Iterator[Any]:
    def step(self: Any, x: Any) -> Any:
        if self.broken:
            raise ValueError("broken")
        return x * 2

    net = Net(step, broken=False)
    call = run(net)
    for i in range(8):
        net.broken = i in (0, 3, 6)
        yield attempt(call, t())


@replayed()
def raises_under_tensor(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        if x.sum() > 3:
            raise ValueError("too large")
        return x * 2

    call = run(step)
    for i in range(8):
        yield attempt(call, t(i, 0, 0))


@replayed()
def caught_inside(run: Run) -> Iterator[Any]:
    table = {"a": 2.0}

    def step(x: Any) -> Any:
        try:
            return x * table["b"]
        except KeyError:
            return x * table["a"]
        finally:
            x = x + 1

    call = run(step)
    for i in range(7):
        if i == 3:
            table["b"] = 5.0
        if i == 5:
            del table["b"]
        yield call(t())


@ordinary()
def effect_before_raise(run: Run) -> Iterator[Any]:
    def step(self: Any, x: Any) -> Any:
        self.log.append(1)
        if len(self.log) % 3 == 0:
            raise RuntimeError("third")
        return x * 2

    net = Net(step, log=[])
    call = run(net)
    for _ in range(8):
        yield attempt(call, t()), net.log


@ordinary()
def asserts(run: Run) -> Iterator[Any]:
    limit = [5.0]

    def step(x: Any) -> Any:
        assert x.max() < limit[0], "too large"
        return x * 2

    call = run(step)
    for i in range(8):
        if i == 6:
            limit[0] = 100.0
        yield attempt(call, t(i, i, i))


@ordinary()
def context_manager(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    @contextlib.contextmanager
    def scope(k: float) -> Iterator[float]:
        log.append("in")
        yield k * len(log)
        log.append("out")

    def step(x: Any) -> Any:
        with scope(2.0) as k:
            return x * k

    call = run(step)
    for _ in range(6):
        yield call(t()), log


@ordinary()
def context_variables(run: Run) -> Iterator[Any]:
    scale: Any = contextvars.ContextVar("scale", default=1.0)
    call = run(lambda x: x * scale.get())
    for i in range(6):
        token = scale.set(float(i // 2))
        yield call(t())
        scale.reset(token)
        yield call(t())
        yield contextvars.copy_context().run(lambda: (scale.set(9.0), call(t()))[1])


@ordinary()
def coroutines(run: Run) -> Iterator[Any]:
    state = [1.0]

    def step(x: Any) -> Any:
        async def inner() -> Any:
            return x * state[0]

        coroutine = inner()
        try:
            coroutine.send(None)
        except StopIteration as stop:
            return stop.value

    call = run(step)
    for i in range(6):
        state[0] = float(i // 2)
        yield call(t())
    assert asyncio.iscoroutinefunction(step) is False


@replayed()
def copies(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * copy.deepcopy(s.held)["a"][0], held={"a": [1.0]})
    call = run(net)
    for i in range(6):
        net.held["a"][0] = float(i // 3)
        yield call(t())


@replayed()
def walrus_and_unpacking(run: Run) -> Iterator[Any]:
    held = {"a": (1.0, [2.0, 3.0])}

    def step(x: Any) -> Any:
        first, (second, *rest) = held["a"]
        if (n := len(rest)) > 1:
            return x * n
        return x * first + second

    call = run(step)
    for i in range(8):
        if i == 3:
            held["a"][1].append(4.0)
        if i == 5:
            held["a"] = (5.0, [6.0])
        yield call(t())


@replayed()
def sorted_and_zipped(run: Run) -> Iterator[Any]:
    held = {"b": 2.0, "a": 1.0}

    def step(x: Any) -> Any:
        for (k, v), n in zip(sorted(held.items()), itertools.count(), strict=False):
            x = x * v + n + ord(k)
        return x

    call = run(step)
    for i in range(8):
        if i == 3:
            held["c"] = 4.0
        if i == 5:
            held["a"] = 0.5
        yield call(t())


@replayed()
def reading_a_value(run: Run) -> Iterator[Any]:
    held = {"k": 2.0}

    def step(x: Any) -> Any:
        n = int(x.sum())
        return x * held["k"] if n > 2 else x - held["k"]

    call = run(step)
    for i in range(10):
        if i == 5:
            held["k"] = 7.0
        yield call(t(i % 4, 0, 0))


@ordinary()
def reading_a_value_then_effect(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    def step(x: Any) -> Any:
        y = x * 2
        if y.sum() > 4:
            log.append(float(y.sum()))
            return y + 1
        return y

    call = run(step)
    for i in range(10):
        yield call(t(i % 4, 0, 0)), log


# ------------------------------------------------------------------------ gradients and training


@replayed()
def training_flag(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * 2 if s.training else x * 3)
    call = run(net)
    for i in range(8):
        net.set_train(bool(i // 2 % 2))
        yield call(t())


@replayed()
def frozen_parameter(run: Run) -> Iterator[Any]:
    net = nn.Dense(3, 2, weight_init="ones")
    call = run(net)
    x = Tensor([[1.0, 2.0, 3.0]])
    for i in range(6):
        net.weight.requires_grad = i not in (3, 4)
        grads = ms.value_and_grad(lambda x: call(x).sum(), None, net.trainable_params())(x)
        yield grads[0], list(grads[1])


@ordinary()
def train_step_with_log(run: Run) -> Iterator[Any]:
    net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    log: list[Any] = []

    def loss(x: Any, y: Any) -> Any:
        value = ((net(x) - y) ** 2).mean()
        log.append(x.shape)
        return value

    solve = ms.value_and_grad(loss, None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        value, grads = solve(x, y)
        optimizer(grads)
        return value

    call = run(step)
    for i in range(6):
        x = Tensor([[1.0, 2.0, float(i)]])
        yield call(x, Tensor([[1.0]])), net.weight, net.bias, len(log)


@replayed()
def train_step_with_schedule(run: Run) -> Iterator[Any]:
    net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    settings = {"scale": 1.0, "clip": None}
    solve = ms.value_and_grad(
        lambda x: (net(x) ** 2).mean() * settings["scale"], None, optimizer.parameters
    )

    def step(x: Any) -> Any:
        value, grads = solve(x)
        if settings["clip"] is not None:
            grads = tuple(g.clamp(-settings["clip"], settings["clip"]) for g in grads)
        optimizer(grads)
        return value

    call = run(step)
    for i in range(9):
        if i == 3:
            settings["scale"] = 0.5
        if i == 6:
            settings["clip"] = 0.01
        yield call(Tensor([[1.0, 2.0, 3.0]])), net.weight, net.bias


@ordinary()
def moving_average(run: Run) -> Iterator[Any]:
    def step(self: Any, x: Any) -> Any:
        self.mean = self.mean * 0.9 + x * 0.1
        self.n += 1
        return x - self.mean / self.n

    net = Net(step, mean=t(0, 0, 0), n=0)
    call = run(net)
    for i in range(7):
        yield call(t(i, 2, 3)), net.mean, net.n


@replayed()
def moving_parameter(run: Run) -> Iterator[Any]:
    def step(self: Any, x: Any) -> Any:
        ops.assign(self.mean, self.mean * 0.9 + x * 0.1)
        return x - self.mean

    net = Net(step, mean=Parameter(t(0, 0, 0), name="mean", requires_grad=False))
    call = run(net)
    for i in range(7):
        if i == 4:
            net.mean.set_data(t(5, 5, 5))
        yield call(t(i, 2, 3)), net.mean


@replayed()
def batch_norm(run: Run) -> Iterator[Any]:
    net = nn.BatchNorm1d(3)
    net.set_train()
    call = run(net)
    for i in range(7):
        if i == 4:
            net.set_train(False)
        if i == 6:
            net.momentum = 0.5
            net.set_train()
        yield call(Tensor([[1.0, 2.0, i], [3.0, 4.0, 7.0]])), net.moving_mean


@ordinary()
def gradient_of_python_state(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    def loss(x: Any) -> Any:
        log.append(len(log))
        return (x * len(log)).sum()

    call = run(loss)
    solve = ms.value_and_grad(call)
    for _ in range(7):
        yield solve(t()), log


@ordinary()
def gradient_with_coin(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x * 2 if random.random() < 0.5 else x * 3).sum())
    solve = ms.value_and_grad(call)
    for _ in range(10):
        yield solve(t())


@ordinary()
def gradient_hook(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    def step(x: Any) -> Any:
        y = x * 2
        y.register_hook(lambda g: log.append(1))
        return y.sum()

    solve = ms.value_and_grad(run(step))
    for _ in range(5):
        yield attempt(solve, t()), log


@ordinary()
def own_backward(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = {"k": 2.0}

        def construct(self, x: Any) -> Any:
            return x * 1

        def bprop(self, x: Any, out: Any, dout: Any) -> Any:
            return (dout * self.scale["k"],)

    net = Own()
    call = run(net)
    solve = ms.value_and_grad(lambda x: call(x).sum())
    for i in range(7):
        if i == 3:
            net.scale["k"] = 5.0
        yield solve(t())


# ----------------------------------------------------------------------------- many and threads


@replayed()
def many_objects(run: Run) -> Iterator[Any]:
    held = [Point(1.0) for _ in range(100)]
    net = Net(lambda s, x: x * sum([p.x for p in s.held]), held=held)
    call = run(net)
    for i in range(8):
        if i > 2:
            held[99 - i].x = float(i)
        yield call(t())


@replayed()
def large_dict(run: Run) -> Iterator[Any]:
    held = {f"k{i}": 1.0 for i in range(2500)}
    call = run(lambda x: x * held["k2400"])
    for i in range(6):
        held["k2400"] = float(i // 3)
        yield call(t())


@replayed()
def two_cells_one_class(run: Run) -> Iterator[Any]:
    one, two = (Net(lambda s, x: x * s.held["k"], held={"k": k}) for k in (1.0, 2.0))
    calls = [run(one), run(two)]
    for i in range(6):
        if i == 3:
            one.held["k"] = 9.0
        yield [call(t()) for call in calls]


@replayed()
def shared_state(run: Run) -> Iterator[Any]:
    shared = {"k": 1.0}
    one, two = (Net(lambda s, x: x * s.held["k"], held=shared) for _ in range(2))
    outer = run(Net(lambda s, x: s.one(x) + s.two(x), one=one, two=two))
    for i in range(6):
        shared["k"] = float(i // 3)
        yield outer(t())


@ordinary()
def cell_calls_change_other_cell(run: Run) -> Iterator[Any]:
    reader = Net(lambda s, x: x * s.held["k"], held={"k": 1.0})

    def step(self: Any, x: Any) -> Any:
        self.reader.held["k"] += 1
        return self.reader(x)

    writer = run(Net(step, reader=reader))
    alone = run(reader)
    for _ in range(6):
        yield writer(t()), alone(t()), reader.held


def _threads(step: Any, **values: Any) -> Any:
    def run_it(run: Run) -> Iterator[Any]:
        net = Net(step, **{k: v() for k, v in values.items()})
        call = run(net)
        results: list[Any] = [None] * 8
        gate = threading.Barrier(8)

        def work(n: int) -> None:
            gate.wait()
            results[n] = [attempt(call, t(n, i, 3)) for i in range(12)]

        workers = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        yield results
        yield call(t())

    return run_it


def _branches(s: Any, x: Any) -> Any:
    return x * s.held["k"] if x.sum() > 8 else x - 1


_made = _threads(lambda s, x: x * s.held["k"], held=lambda: {"k": 2.0})
_made.__name__ = "threads_plain"
ordinary()(_made)
_made = _threads(_branches, held=lambda: {"k": 2.0})
_made.__name__ = "threads_branches"
ordinary()(_made)
_made = _threads(lambda s, x: s.inner(x), inner=lambda: nn.Dense(3, 3, weight_init="ones"))
_made.__name__ = "threads_cells"
ordinary()(_made)


@ordinary()
def threads_with_gradients(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * s.held["k"]).sum(), held={"k": 2.0})
    solve = ms.value_and_grad(run(net))
    results: list[Any] = [None] * 8

    def work(n: int) -> None:
        results[n] = [attempt(solve, t(n, i, 3)) for i in range(6)]

    workers = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    yield results


@ordinary()
def changed_while_other_thread_calls(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.held["k"], held={"k": 1.0})
    call = run(net)
    for i in range(6):
        worker = threading.Thread(target=net.held.__setitem__, args=("k", float(i)))
        worker.start()
        worker.join()
        yield call(t())


@ordinary()
def weak_references(run: Run) -> Iterator[Any]:
    held = Point(2.0)
    weak = weakref.ref(held)
    call = run(lambda x: x * weak().x if weak() is not None else x)
    for i in range(6):
        if i == 3:
            held.x = 5.0
        yield call(t())
    yield held.x


@ordinary()
def weak_references_counted(run: Run) -> Iterator[Any]:
    held, more = Point(2.0), []
    call = run(lambda x: x * weakref.getweakrefcount(held))
    for _ in range(6):
        more.append(weakref.ref(held, lambda r: None))
        yield call(t())


@replayed()
def weak_references_inside(run: Run) -> Iterator[Any]:
    held = Point(2.0)

    def step(x: Any) -> Any:
        own = Point(3.0)
        near, far, proxy = weakref.ref(own), weakref.ref(held), weakref.proxy(own)
        dead = weakref.ref(Point(4.0))
        return x * near().x * far().x * proxy.x if dead() is None else x

    call = run(step)
    for i in range(7):
        if i == 4:
            held.x = 5.0
        yield call(t())


@replayed()
def weak_reference_that_no_code_names(run: Run) -> Iterator[Any]:
    owner, held = Point(1.0), Point(2.0)
    held.back = weakref.ref(owner)
    call = run(lambda x: x * held.x)
    for i in range(7):
        if i == 3:
            del owner
        yield call(t()), held.back() is None


@ordinary()
def weak_proxy_returned(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x * 2, weakref.proxy(Point(1.0))))
    for _ in range(6):
        doubled, gone = call(t())
        yield doubled, type(gone) in weakref.ProxyTypes, attempt(lambda: gone.x)  # noqa: B023


@ordinary()
def finalizer_of_each_call(run: Run) -> Iterator[Any]:
    held, log = [Point(2.0)], []

    def step(x: Any) -> Any:
        weakref.finalize(held[0], log.append, "gone")
        return x * 2

    call = run(step)
    for i in range(8):
        yield call(t()), list(log)
        if i in (3, 6):
            held[0] = Point(3.0)


@ordinary()
def finalizers(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    class Dying:
        def __del__(self) -> None:
            log.append(1)

    def step(x: Any) -> Any:
        Dying()
        return x * 2

    call = run(step)
    for _ in range(6):
        yield call(t()), log


# --------------------------------------------------------- what random programs have found


@replayed()
def held_tensor_is_returned_unused(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.held, held=t())
    call = run(net)
    for _ in range(6):
        result = call(t())
        yield result, result is net.held


@replayed()
def held_tuple_is_returned(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * 2, s.held, s.pair), held=(1, "a"), pair=Pair(1, t(2)))
    call = run(net)
    for _ in range(6):
        result, held, pair = call(t())
        yield result, held, pair, held is net.held, pair is net.pair


def _open_sizes() -> None:
    """Wait until what records for any size has been loaded, in the background."""
    while not function.loaded(function._FOR_SHAPES):
        time.sleep(0.01)


@replayed()
def tuples_of_sizes(run: Run) -> Iterator[Any]:
    _open_sizes()
    call = run(lambda x: (x * 2, (x.shape[0], 1), Pair(x.shape[0], 2)))
    for size in range(3, 15):
        yield call(ops.ones((size,), ms.float32))


@ordinary()
def array_of_objects_is_returned(run: Run) -> Iterator[Any]:
    _open_sizes()
    call = run(lambda x: np.array([x.shape[0] + 0.5, {}]))
    for size in range(3, 20):
        result = call(ops.ones((size,), ms.float32))
        yield result, type(result[0]).__name__
        result[1]["changed"] = size


@replayed()
def held_tensor_is_an_argument_at_first(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: ops.relu(s.held) * x.shape[0], held=t())
    call = run(net)
    for i in range(8):
        yield call(net.held if i % 5 < 3 else t(7, 8, 9))


@ordinary()
def argument_in_place_under_a_gradient(run: Run) -> Iterator[Any]:
    weight = Parameter(t(2, 3, 4), name="weight")

    def step(x: Any) -> Any:
        y = x * 3
        x[:2].mul_(weight[:2])
        return y

    call = run(step)
    solve = ms.value_and_grad(lambda x: (call(x) * x + x * x).sum(), 0, [weight])
    for i in range(5):
        x = t(i, 2, 3)
        yield solve(x), x


@ordinary()
def constant_in_place_under_a_gradient(run: Run) -> Iterator[Any]:
    def step(x: Any, c: Any) -> Any:
        c.mul_(x)
        return x * 3

    call = run(step)

    def loss(x: Any, c: Any) -> Any:
        y = call(x, c)
        return (y * c).sum()

    for i in range(5):
        c = t(1, 2, 3)
        yield ms.grad(loss)(t(i, 2, 3), c), c


@ordinary()
def differentiable_tensor_in_a_table(run: Run) -> Iterator[Any]:
    net = Net(held={"k": t()})

    def step(x: Any) -> Any:
        y = net.held["k"] * x
        net.held["k"] = y * 2
        x[0] = 1.0
        return y.sum()

    solve = ms.value_and_grad(run(step))
    for i in range(4):
        yield attempt(solve, t(i, 2, 3)), net.held["k"]


def _change(make: Any, read: Any, change: Any, name: str) -> None:
    """A program whose state changes after four calls."""

    def run_it(run: Run) -> Iterator[Any]:
        held = make()
        call = run(lambda x: x * read(held))
        for i in range(9):
            if i == 4:
                change(held)
            yield call(t())

    run_it.__name__ = name
    replayed()(run_it)


class Mode(enum.Enum):
    FAST = "fast"


def _mode() -> Any:
    Mode.FAST.scale = 2.0
    return Mode.FAST


class Text(str):
    factor = 1.0


class Number(float):
    factor = 1.0


def _writable(v: Any) -> None:
    v.flags.writeable = False


_change(_mode, lambda v: v.scale, lambda v: setattr(v, "scale", 5.0), "attribute_of_enum_member")
_change(lambda: Text("a"), lambda v: v.factor, lambda v: setattr(v, "factor", 3.0), "text_subclass")
_change(
    lambda: Number(2.0),
    lambda v: v * v.factor,
    lambda v: setattr(v, "factor", 3.0),
    "float_subclass",
)
_change(
    lambda: np.zeros(3), lambda v: 1.0 if v.flags.writeable else 2.0, _writable, "flags_of_array"
)
_inner = operator.attrgetter("x.y")
_change(
    lambda: Point(Point(0, 1.0)),
    lambda v: _inner(v),
    lambda v: setattr(v.x, "y", 3.0),
    "attrgetter",
)


_change(
    lambda: types.SimpleNamespace(a=1),
    lambda v: len(repr(v)),
    lambda v: setattr(v, "a", 12345),
    "text_of_namespace",
)
_change(
    lambda: [types.SimpleNamespace(a=[1]), types.SimpleNamespace(a=[1])],
    lambda v: 2.0 if v[0] == v[1] else 3.0,
    lambda v: v[0].a.append(2),
    "equality_of_namespaces",
)


@replayed()
def precision_of_decimal_numbers(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * float(decimal.Decimal(1) / 3 * 1000000))
    with decimal.localcontext() as context:
        for i in range(9):
            context.prec = 28 if i < 4 else 3
            yield call(t())


@ordinary()
def subclass_of_a_number_as_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, n: x * n * getattr(n, "factor", 5.0))
    for i in range(12):
        n = Number(2.0)
        n.factor = float(i // 3)
        yield call(t(), n if i % 4 else 2.0)


@replayed()
def numpy_number_as_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, n: x * n * (2 if type(n) is np.float32 else 3))
    for i in range(12):
        yield call(t(), (np.float32(2), np.float64(2), 2.0)[i // 4])


@replayed()
def name_added_to_builtins(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * added_factor)  # type: ignore[name-defined]  # noqa: F821
    builtins.added_factor = 1.0  # type: ignore[attr-defined]
    try:
        for i in range(8):
            if i == 4:
                builtins.added_factor = 3.0  # type: ignore[attr-defined]
            yield call(t())
    finally:
        del builtins.added_factor  # type: ignore[attr-defined]


def _of_text(text: str, **names: Any) -> Any:
    """A function of code without a file, as in ``python -c``."""
    module = types.ModuleType("soundness_of_text")
    module.__dict__.update(names)
    exec(compile(text, "<string>", "exec"), module.__dict__)
    return module.step  # type: ignore[attr-defined]


@replayed()
def code_without_a_file(run: Run) -> Iterator[Any]:
    step = _of_text("def step(x): return x * K[0] * len([1, 2])", K=[1.0])
    call = run(step)
    for i in range(9):
        if i == 4:
            step.__globals__["K"][0] = 3.0
        if i == 6:
            step.__globals__["len"] = lambda v: 7.0
        yield call(t())


@ordinary()
def code_without_a_file_draws(run: Run) -> Iterator[Any]:
    call = run(_of_text("def step(x): return x * random.random()", random=random))
    for _ in range(6):
        yield call(t())


@ordinary()
def code_without_a_file_asks_the_standard_library(run: Run) -> Iterator[Any]:
    call = run(_of_text("def step(x): return x * uuid.uuid4().version", uuid=uuid))
    for _ in range(6):
        yield call(t())


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_program(program: Any, quiet: bool) -> None:
    check(program, quiet)
