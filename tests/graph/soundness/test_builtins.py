# ruff: noqa: B007, B023, C416, RUF015
"""Programs that replace Python's builtins, print in their own way, or call functions through C."""

from __future__ import annotations

import builtins
import collections
import contextlib
import functools
import io
import itertools
import operator
import os
import random
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import ops
from agar._core.graph.diagnostics import GraphWarning
from graph.soundness.attacks import Net, Programs, t
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
WRITTEN: list[str] = []


def told(call: Callable[[], Any]) -> Any:
    """A result, what was printed meanwhile, and what was written down by the program."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = attempt(call)
    written = list(WRITTEN)
    WRITTEN.clear()
    return result, out.getvalue(), written


def replaced(name: str, builtin: str, step: Any, make: Any, python: bool = False) -> None:
    """A program that puts a function in the place of a builtin, after calls and before."""

    def run_it(run: Run, first: int, last: int) -> Iterator[Any]:
        call = run(step)
        before = getattr(builtins, builtin)
        try:
            for i in range(12):
                if i == first:
                    setattr(builtins, builtin, make(before))
                if i == last:
                    setattr(builtins, builtin, before)
                yield told(lambda: call(t()))
        finally:
            setattr(builtins, builtin, before)

    def later(run: Run) -> Iterator[Any]:
        yield from run_it(run, 4, 8)

    def at_first(run: Run) -> Iterator[Any]:
        yield from run_it(run, 0, 6)

    for function, label in ((later, "later"), (at_first, "at_first")):
        function.__name__ = f"{name}_{label}"
        (ROWS.ordinary() if python else ROWS.replayed())(function)


def _prints(x: Any) -> Any:
    print("there", x.shape)
    return x * 2


def _prints_tensor(x: Any) -> Any:
    print("there", x)
    return x * 2


def _note(before: Any) -> Any:
    return lambda *v, **k: WRITTEN.append(" ".join(map(str, v)))


def _loud(before: Any) -> Any:
    return lambda *v, **k: before("LOUD", *v, **k)


replaced("print_replaced", "print", _prints, _note, python=True)
replaced("print_of_a_tensor_replaced", "print", _prints_tensor, _note, python=True)
replaced("print_made_louder", "print", _prints, _loud, python=True)
replaced("print_left_out", "print", _prints, lambda before: lambda *v, **k: None)
replaced("len_replaced", "len", lambda x: x * len(x.shape), lambda before: lambda v: before(v) + 4)
replaced(
    "isinstance_replaced",
    "isinstance",
    lambda x: x * (2 if isinstance(x, int) else 3),
    lambda before: lambda v, kind: kind is int or before(v, kind),
)
replaced(
    "sum_replaced",
    "sum",
    lambda x: x * sum([1, 2]),
    lambda before: lambda *v, **k: before(*v, **k) * 0.5 if v == ([1, 2],) else before(*v, **k),
)
replaced(
    "range_replaced",
    "range",
    lambda x: x * len([i for i in range(3)]),
    lambda before: lambda *n: before(4) if n == (3,) else before(*n),
)
replaced(
    "sorted_replaced",
    "sorted",
    lambda x: x * sorted([3, 1, 2])[0],
    lambda before: lambda v: before(v, reverse=True),
)
replaced(
    "open_replaced",
    "open",
    lambda x: x * float(open("/a").read()),  # noqa: SIM115
    lambda before: lambda *v, **k: io.StringIO("3") if v and v[0] == "/a" else before(*v, **k),
    python=True,
)
replaced(
    "input_replaced",
    "input",
    lambda x: x * len(input("?")),
    lambda before: lambda v: "abc",
)
replaced(
    "hasattr_replaced",
    "hasattr",
    lambda x: x * (2 if hasattr(x, "nothing") else 3),
    lambda before: lambda v, n: n == "nothing" or before(v, n),
)
replaced("abs_replaced", "abs", lambda x: abs(x), lambda before: lambda v: before(v) + 1)
replaced(
    "round_is_a_class",
    "round",
    lambda x: x * round(2.6),
    lambda before: type("round", (int,), {"__new__": lambda cls, v: int.__new__(cls, 7)}),
)
replaced(
    "zip_replaced",
    "zip",
    lambda x: x * sum(a * b for a, b in zip([1, 2], [3, 4], strict=True)),
    lambda before: lambda *v, **k: before(*((v[0], [5, 6]) if v == ([1, 2], [3, 4]) else v), **k),
)
replaced(
    "build_class_replaced",
    "__build_class__",
    lambda x: x * _class_of_the_call().k,
    lambda before: lambda *v, **k: types.SimpleNamespace(k=5.0),
)
replaced(
    "import_replaced",
    "__import__",
    lambda x: x * _imported(),
    lambda before: (
        lambda name, *v: types.SimpleNamespace(pi=5.0) if name == "math" else before(name, *v)
    ),
)


def _class_of_the_call() -> Any:
    class Here:
        k = 2.0

    return Here


def _imported() -> float:
    import math

    return math.pi


@ROWS.replayed()
def replaced_by_a_counter(run: Run) -> Iterator[Any]:
    before = builtins.max
    calls: list[Any] = []

    def counted(*v: Any) -> Any:
        calls.append(v)
        return before(*v)

    call = run(lambda x: x * max(1.0, 3.0))
    try:
        for i in range(10):
            yield call(t()), len(calls)
            if i == 20:
                builtins.max = counted
    finally:
        builtins.max = before


@ROWS.ordinary()
def replaced_by_one_with_an_effect(run: Run) -> Iterator[Any]:
    before = builtins.max
    calls: list[Any] = []

    def counted(*v: Any) -> Any:
        calls.append(v)
        return before(*v)

    call = run(lambda x: x * max(1.0, 3.0))
    try:
        for i in range(10):
            if i == 4:
                builtins.max = counted
            yield call(t()), len(calls)
    finally:
        builtins.max = before


@ROWS.ordinary()
def builtins_named_by_the_module(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        builtins.print("by module", x.shape)
        return x * builtins.min(2.0, 3.0)

    call = run(step)
    before = builtins.print
    try:
        for i in range(9):
            if i == 4:
                builtins.print = _note(before)
            if i == 7:
                builtins.print = before
            yield told(lambda: call(t()))
    finally:
        builtins.print = before


@ROWS.ordinary()
def print_bound_to_another_name(run: Run) -> Iterator[Any]:
    say = print

    def step(x: Any) -> Any:
        say("enclosed", x.shape)
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.ordinary()
def print_of_a_tensor_by_another_name(run: Run) -> Iterator[Any]:
    say = print

    def step(x: Any) -> Any:
        say("enclosed", x)
        return x * 2

    call = run(step)
    for i in range(7):
        yield told(lambda: call(t(i, 1)))


@ROWS.ordinary()
def print_in_a_partial(run: Run) -> Iterator[Any]:
    say = functools.partial(print, "partial", sep="-")

    def step(x: Any) -> Any:
        say(x.shape)
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.replayed()
def print_in_a_partial_of_the_call(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        functools.partial(print, "partial")(x.shape)
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.replayed()
def print_in_a_map(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        list(map(print, x.shape, ("a", "b")))
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.ordinary()
def print_of_a_default(run: Run) -> Iterator[Any]:
    def step(x: Any, say: Any = print) -> Any:
        say("default")
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.ordinary()
def print_as_a_method(run: Run) -> Iterator[Any]:
    class Speaker:
        say = staticmethod(print)

        def __repr__(self) -> str:
            return "speaker"

    speaker = Speaker()

    def step(x: Any) -> Any:
        speaker.say("method")
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.ordinary()
def print_as_an_argument(run: Run) -> Iterator[Any]:
    def step(x: Any, say: Any) -> Any:
        say("argument", x.shape)
        return x * 2

    call = run(step)
    for i in range(10):
        yield told(lambda: call(t(), print if i < 7 else _note(print)))


@ROWS.replayed()
def print_as_a_key(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        sorted(["b", "a"], key=print)  # type: ignore[call-overload]
        return x * 2

    call = run(step)
    for _ in range(7):
        try:
            yield told(lambda: call(t()))
        except TypeError:
            yield "raised"


@ROWS.replayed()
def print_as_a_factory(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        found = collections.defaultdict(print)
        return x * (2 if found["a"] is None else 3)

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.replayed()
def print_as_a_hook_of_a_class(run: Run) -> Iterator[Any]:
    class Thing:
        __getattr__ = lambda self, name: print(name)  # noqa: E731

    thing = Thing()

    def step(x: Any) -> Any:
        return x * (2 if thing.anything is None else 3)

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.replayed()
def print_by_getattr(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        getattr(builtins, "pri" + "nt")("by getattr")
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.ordinary()
def print_by_the_dictionary_of_builtins(run: Run) -> Iterator[Any]:
    table = vars(builtins)

    def step(x: Any) -> Any:
        table["print"]("by the table")
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.replayed()
def print_to_a_stream_of_the_users(run: Run) -> Iterator[Any]:
    class Stream:
        def __init__(self) -> None:
            self.parts: list[str] = []

        def write(self, text: str) -> None:
            self.parts.append(text)

    stream = Stream()

    def step(x: Any) -> Any:
        print("stream", x, file=stream)
        return x * 2

    call = run(step)
    for i in range(7):
        yield call(t(i)), list(stream.parts)


@ROWS.ordinary()
def print_of_an_object_that_changes(run: Run) -> Iterator[Any]:
    class Count:
        n = 0

        def __str__(self) -> str:
            Count.n += 1
            return f"<{Count.n}>"

    count = Count()

    def step(x: Any) -> Any:
        print(count)
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t())), Count.n


@ROWS.replayed()
def print_with_sep_and_end(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        print("a", x, 3, sep="|", end="!", flush=True)
        print()
        print(x, sep=None, end=None)
        return x * 2

    call = run(step)
    for i in range(7):
        yield told(lambda: call(t(i)))


@ROWS.ordinary()
def print_with_wrong_arguments(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        print("a", sep=3)  # type: ignore[call-overload]
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.ordinary()
def print_with_an_unknown_argument(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        print("a", colour=3)  # type: ignore[call-overload]
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.replayed()
def print_raises(run: Run) -> Iterator[Any]:
    class Bad:
        def __str__(self) -> str:
            raise ValueError("no text")

    def step(x: Any) -> Any:
        try:
            print("a", Bad())
        except ValueError:
            return x * 3
        return x * 2

    call = run(step)
    for _ in range(7):
        yield told(lambda: call(t()))


@ROWS.ordinary()
def clock_in_a_map(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        [seconds] = itertools.starmap(time.perf_counter_ns, [()])
        return x * 2, seconds

    call = run(step)
    last = 0
    for _ in range(8):
        result, seconds = call(t())
        yield result, seconds > last
        last = seconds


@ROWS.ordinary()
def clock_in_a_factory(run: Run) -> Iterator[Any]:
    table = collections.defaultdict(time.perf_counter_ns)

    def step(x: Any, key: Any) -> Any:
        return x * 2, table[key]

    call = run(step)
    last = 0
    for i in range(8):
        table.clear()
        result, seconds = call(t(), "a")
        yield result, seconds > last, list(table)
        last = seconds


@ROWS.ordinary()
def clock_in_a_factory_of_the_call(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        table = collections.defaultdict(time.perf_counter_ns)
        return x * 2, table["a"]

    call = run(step)
    last = 0
    for _ in range(8):
        result, seconds = call(t())
        yield result, seconds > last
        last = seconds


@ROWS.ordinary()
def clock_in_a_partial(run: Run) -> Iterator[Any]:
    now = functools.partial(time.perf_counter_ns)

    def step(x: Any) -> Any:
        return x * 2, now()

    call = run(step)
    last = 0
    for _ in range(8):
        result, seconds = call(t())
        yield result, seconds > last
        last = seconds


@ROWS.ordinary()
def clock_by_an_iterator(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * 2, next(iter(time.perf_counter_ns, None))

    call = run(step)
    last = 0
    for _ in range(8):
        result, seconds = call(t())
        yield result, seconds > last
        last = seconds


@ROWS.ordinary()
def clock_by_reduce(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * 2, functools.reduce(lambda a, f: f(), [time.perf_counter_ns], 0)

    call = run(step)
    last = 0
    for _ in range(8):
        result, seconds = call(t())
        yield result, seconds > last
        last = seconds


@ROWS.ordinary()
def clock_as_a_property(run: Run) -> Iterator[Any]:
    class Clock:
        now = property(lambda self: time.perf_counter_ns())

    clock = Clock()

    def step(x: Any) -> Any:
        return x * 2, clock.now

    call = run(step)
    last = 0
    for _ in range(8):
        result, seconds = call(t())
        yield result, seconds > last
        last = seconds


@ROWS.ordinary()
def process_in_a_partial(run: Run) -> Iterator[Any]:
    where = functools.partial(os.getcwd)
    before = where()

    def step(x: Any) -> Any:
        return x * 2, where()

    call = run(step)
    try:
        for i in range(8):
            if i == 4:
                os.chdir("/")
            result, folder = call(t())
            yield result, folder == before, folder == "/"
    finally:
        os.chdir(before)


@ROWS.ordinary()
def draws_in_a_map(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * sum(map(random.uniform, [0, 0], [1, 2]))

    call = run(step)
    for _ in range(7):
        yield call(t())


@ROWS.ordinary()
def draws_of_numpy_in_a_partial(run: Run) -> Iterator[Any]:
    draw = functools.partial(np.random.randint, 0, 3)

    def step(x: Any) -> Any:
        return x * int(draw())

    call = run(step)
    for _ in range(9):
        yield call(t())


@ROWS.ordinary()
def draws_in_a_factory(run: Run) -> Iterator[Any]:
    source = random.Random(3)

    def step(x: Any) -> Any:
        return x * collections.defaultdict(source.random)["a"]

    call = run(step)
    for _ in range(7):
        yield call(t()), source.getstate()[1][-1]


@ROWS.ordinary()
def draws_by_a_method_caller(run: Run) -> Iterator[Any]:
    source = random.Random(3)
    draw = operator.methodcaller("random")

    def step(x: Any) -> Any:
        return x * draw(source)

    call = run(step)
    for _ in range(7):
        yield call(t())


@ROWS.ordinary()
def entropy_in_a_map(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * 2, list(map(os.urandom, [8]))[0]

    call = run(step)
    known: set[bytes] = set()
    for i in range(7):
        result, drawn = call(t())
        known.add(drawn)
        yield result, len(known) == i + 1


@ROWS.ordinary()
def appends_in_a_map(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    def step(x: Any) -> Any:
        list(map(log.append, [1, 2]))
        return x * 2

    call = run(step)
    for _ in range(7):
        yield call(t()), len(log)


@ROWS.ordinary()
def appends_in_a_partial(run: Run) -> Iterator[Any]:
    log: list[Any] = []
    add = functools.partial(log.append, 1)

    def step(x: Any) -> Any:
        add()
        return x * 2

    call = run(step)
    for _ in range(7):
        yield call(t()), len(log)


@ROWS.ordinary()
def counted_by_a_method_of_an_iterator(run: Run) -> Iterator[Any]:
    count = itertools.count().__next__

    def step(x: Any) -> Any:
        return x * count()

    call = run(step)
    for _ in range(7):
        yield call(t())


@ROWS.ordinary()
def counted_by_a_cycle_in_a_cell(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * next(s.cycle), cycle=itertools.cycle([1.0, 2.0, 3.0]))
    call = run(net)
    for _ in range(9):
        yield call(t())


@ROWS.ordinary()
def sleeps_in_a_partial(run: Run) -> Iterator[Any]:
    nap = functools.partial(time.sleep, 0.003)

    def step(x: Any) -> Any:
        nap()
        return x * 2

    call = run(step)
    for _ in range(7):
        before = time.perf_counter()
        result = call(t())
        yield result, time.perf_counter() - before >= 0.003


@ROWS.ordinary()
def writes_by_a_bound_method(run: Run) -> Iterator[Any]:
    out = io.StringIO()
    write = out.write

    def step(x: Any) -> Any:
        write("x")
        return x * 2

    call = run(step)
    for _ in range(7):
        yield call(t()), out.getvalue()


@ROWS.ordinary()
def writes_in_a_map(run: Run) -> Iterator[Any]:
    out = io.StringIO()

    def step(x: Any) -> Any:
        any(map(out.write, []))
        collections.deque(map(out.write, ["x"]), maxlen=0)
        return x * 2

    call = run(step)
    for _ in range(7):
        yield call(t()), out.getvalue()


@ROWS.ordinary()
def display_hook_of_the_user(run: Run) -> Iterator[Any]:
    shown: list[Any] = []

    def step(x: Any) -> Any:
        sys.displayhook(3)
        return x * 2

    before, sys.displayhook = sys.displayhook, shown.append
    try:
        call = run(step)
        for _ in range(7):
            yield call(t()), len(shown)
    finally:
        sys.displayhook = before


@ROWS.ordinary()
def audit_hook_of_the_user(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        sys.audit("soundness.event", 3)
        return x * 2

    call = run(step)
    for _ in range(6):
        yield call(t())


@ROWS.ordinary()
def calls_by_operator(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    def step(x: Any) -> Any:
        operator.methodcaller("append", 1)(log)
        operator.setitem(log, 0, len(log))
        return x * log[0]

    call = run(step)
    for _ in range(7):
        yield call(t()), list(log)


@ROWS.ordinary()
def attribute_set_by_object(run: Run) -> Iterator[Any]:
    held = types.SimpleNamespace(n=1)

    def step(x: Any) -> Any:
        object.__setattr__(held, "n", held.n + 1)
        return x * held.n

    call = run(step)
    for _ in range(7):
        yield call(t()), held.n


@ROWS.ordinary()
def attribute_set_by_a_partial_of_setattr(run: Run) -> Iterator[Any]:
    held = types.SimpleNamespace(n=1)
    put = functools.partial(setattr, held, "m")

    def step(x: Any) -> Any:
        put(getattr(held, "m", 0) + 1)
        return x * 2

    call = run(step)
    for _ in range(7):
        yield call(t()), held.m


@ROWS.ordinary()
def text_of_a_tensor_in_a_map(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * 2, list(map(str, [x]))[0], "{}".format(x)  # noqa: UP032

    call = run(step)
    for i in range(7):
        yield call(t(i))


@ROWS.replayed()
def number_of_a_tensor_in_a_map(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x * sum(map(float, x))

    call = run(step)
    for i in range(7):
        yield call(t(i % 3, 2))


@ROWS.ordinary()
def seeded_in_a_partial(run: Run) -> Iterator[Any]:
    seed = functools.partial(ms.set_seed, 3)

    def step(x: Any) -> Any:
        seed()
        return x * ops.rand(3)

    call = run(step)
    for _ in range(6):
        yield call(t())


@ROWS.ordinary()
def other_names_of_input(run: Run) -> Iterator[Any]:
    ask = input

    def step(x: Any) -> Any:
        return x * float(ask())

    call = run(step)
    before, sys.stdin = sys.stdin, io.StringIO("1\n2\n3\n4\n5\n6\n")
    try:
        for _ in range(6):
            yield attempt(call, t())
    finally:
        sys.stdin = before


@ROWS.replayed()
def module_of_builtins_replaced_in_globals(run: Run) -> Iterator[Any]:
    home: dict[str, Any] = {"__builtins__": dict(vars(builtins)), "__name__": "own"}
    exec("def step(x): return x * max(1.0, 2.0)", home)
    call = run(home["step"])
    for i in range(10):
        if i == 4:
            home["__builtins__"]["max"] = lambda *v: 7.0
        yield attempt(call, t())


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_builtins(program: Any, quiet: bool) -> None:
    check(program, quiet)


def test_recordings_of_other_threads_change_nothing(capsys: Any) -> None:
    """While one thread records, others print, draw and start threads as they did before."""
    inside, leave = threading.Event(), threading.Event()
    names = builtins.print, random.random, random.choice, threading.Thread.start

    def slow(x: Any) -> Any:
        inside.set()
        leave.wait(60)
        return x + 1

    def drawn(x: Any) -> Any:
        print("drawn", random.choice([1, 2]) > 0)
        return x * 2 if random.random() < 0.5 else x * 3

    runs: list[int] = []
    call = ms.jit(drawn)
    compiled = ms.jit(lambda x: (print("there", x), x * 2)[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error", GraphWarning)
        for _ in range(40):
            call(t())
        compiled(t())
        other = threading.Thread(target=ms.jit(slow), args=(t(),))
        names[3](other)
        assert inside.wait(60)
        try:
            for _ in range(4):
                compiled(t())
            before = ms.graph.explain(call)
            for _ in range(30):
                call(t())
            after = ms.graph.explain(call)
            runs = [r.specializations[0].recordings for r in (before, after)]
            assert len(after.specializations) == len(before.specializations) == 1
        finally:
            leave.set()
            other.join()
    assert runs[0] == runs[1]
    assert ms.graph.explain(compiled).fallbacks == ()
    assert capsys.readouterr().out.count("drawn True") == 70
    assert names == (builtins.print, random.random, random.choice, threading.Thread.start)
