# ruff: noqa: B007, B023, E501
"""What Python does inside of a call: operators, generators, threads, processes, re-entrant calls."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import dataclasses
import functools
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, ops
from graph.soundness.attacks import (
    Net,
    Plain,
    Point,
    Programs,
    Slotted,
    t,
)
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
replayed, ordinary = ROWS.replayed, ROWS.ordinary


@ordinary()
def exception_that_the_caller_handles(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * (2.0 if sys.exc_info()[0] is ValueError else 3.0))
    for i in range(9):
        try:
            raise (ValueError if i // 4 == 1 else KeyError)("a")
        except (ValueError, KeyError):
            yield call(t())
    yield call(t())


@ordinary()
def frames_of_the_caller(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        frame: Any = sys._getframe()
        while frame is not None and "soundness_local" not in frame.f_locals:
            frame = frame.f_back
        return x * (1.0 if frame is None else frame.f_locals["soundness_local"])

    call = run(step)
    for i in range(6):
        soundness_local = float(i)
        yield call(t()), soundness_local


class Stateful:
    """Operators that count."""

    def __init__(self) -> None:
        self.n = 0

    def __rmul__(self, other: Any) -> Any:
        self.n += 1
        return other * float(self.n)

    def __matmul__(self, other: Any) -> Any:
        self.n += 10
        return other * float(self.n)

    def __neg__(self) -> Any:
        self.n += 100
        return self

    def __iter__(self) -> Any:
        self.n += 1000
        return iter([float(self.n)])

    def __contains__(self, other: Any) -> bool:
        self.n += 1
        return self.n % 2 == 0

    def __getitem__(self, other: Any) -> float:
        self.n += 1
        return float(self.n)

    def __hash__(self) -> int:
        self.n += 1
        return 3

    def __call__(self, x: Any) -> Any:
        self.n += 1
        return x * self.n

    def __del__(self) -> None:
        pass


def _operators(name: str, step: Any) -> None:
    def run_it(run: Run) -> Iterator[Any]:
        held = Stateful()
        call = run(lambda x: step(x, held))
        for _ in range(6):
            yield call(t()), held.n

    run_it.__name__ = f"operator_{name}"
    ordinary()(run_it)


_operators("matmul", lambda x, h: h @ x)


_operators("negative", lambda x, h: x * float((-h).n))


_operators("iteration", lambda x, h: x * sum(h))


_operators("unpacking", lambda x, h: (lambda a: x * a)(*h))


_operators("contains", lambda x, h: x * 2 if 3 in h else x)


_operators("item", lambda x, h: x * h["a"])


_operators("hash", lambda x, h: x * len({h: 1}))


_operators("call", lambda x, h: h(x))


@ordinary()
def reentrant_call(run: Run) -> Iterator[Any]:
    box: list[Any] = []

    def step(x: Any, depth: int) -> Any:
        return x * 2 if depth == 0 else box[0](x, depth - 1) + depth

    box.append(run(step))
    for i in range(12):
        yield box[0](t(), i // 3)


@replayed()
def two_functions_that_call_each_other(run: Run) -> Iterator[Any]:
    box: dict[str, Any] = {"k": 1.0}
    box["a"] = run(lambda x, n: x if n == 0 else box["b"](x * box["k"], n - 1))
    box["b"] = run(lambda x, n: x if n == 0 else box["a"](x + 1, n - 1))
    for i in range(12):
        box["k"] = 1.0 + (i > 6)
        yield box["a"](t(), 3), box["b"](t(), 2)


@ordinary()
def call_inside_of_a_finalizer(run: Run) -> Iterator[Any]:
    seen: list[Any] = []
    inner = run(lambda x: x + 1)

    class Last:
        def __del__(self) -> None:
            seen.append(inner(t()).asnumpy().tolist())

    def step(x: Any) -> Any:
        held = Last()
        y = x * 2
        del held
        return y

    call = run(step)
    for _ in range(6):
        yield call(t()), list(seen)


@ordinary()
def nested_closures_rebind(run: Run) -> Iterator[Any]:
    def outer() -> Any:
        n = 1.0

        def middle() -> Any:
            def inner(x: Any) -> Any:
                nonlocal n
                n += 1
                return x * n

            return inner

        return middle(), lambda: n

    step, tell = outer()
    call = run(step)
    for _ in range(6):
        yield call(t()), tell()


@replayed()
def nested_closures_rebound_from_outside(run: Run) -> Iterator[Any]:
    n = [2.0]
    k = 1.0

    def outer() -> Any:
        def inner(x: Any) -> Any:
            return x * k * (lambda: n[0])()

        return inner

    call = run(outer())
    for i in range(9):
        if i == 3:
            k = 4.0
        if i == 6:
            n = [5.0]
        yield call(t())


@ordinary()
def generator_argument_consumed(run: Run) -> Iterator[Any]:
    call = run(lambda x, g: x * next(g, 0.0))
    g = (float(i) for i in range(3, 9))
    for _ in range(8):
        yield call(t(), g)


@ordinary()
def generator_sent_to(run: Run) -> Iterator[Any]:
    def averages() -> Any:
        total, n = 0.0, 0
        while True:
            total += yield total / max(n, 1)
            n += 1

    g = averages()
    next(g)
    call = run(lambda x, v: x * g.send(v))
    for i in range(8):
        yield call(t(), float(i))


@ordinary()
def effects_before_an_error_half_way(run: Run) -> Iterator[Any]:
    net = Net(None, count=0, w=Parameter(t(1, 1, 1), name="w"))

    def step(s: Any, x: Any) -> Any:
        ops.assign_add(s.w, x)
        s.count += 1
        y = x * s.count
        if s.count % 3 == 0:
            raise ValueError(f"at {s.count}")
        s.w.set_data(s.w + 1)
        return y

    net.step = step
    call = run(net)
    for _ in range(9):
        yield attempt(call, t()), net.count, net.w


@ordinary()
def error_by_shape_after_a_write(run: Run) -> Iterator[Any]:
    w = Parameter(t(1, 1, 1), name="w")

    def step(x: Any, y: Any) -> Any:
        ops.assign_add(w, x)
        return ops.concat((x, y)) @ w

    call = run(step)
    for i in range(9):
        yield attempt(call, t(), t(1, 2))[:2], w
        yield attempt(call, t(), Tensor([], ms.float32)), w


@ordinary()
def asynchronous_calls(run: Run) -> Iterator[Any]:
    scale = contextvars.ContextVar("scale", default=1.0)
    call = run(lambda x: x * scale.get())

    async def one(i: int) -> Any:
        scale.set(float(i))
        out = []
        for _ in range(4):
            await asyncio.sleep(0)
            out.append(call(t()))
        return out

    async def everything() -> Any:
        return await asyncio.gather(*[one(i) for i in range(3)])

    for _ in range(3):
        yield asyncio.run(everything())


@ordinary()
def coroutine_of_the_call(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    async def step(x: Any) -> Any:
        log.append(1)
        await asyncio.sleep(0)
        return x * len(log)

    call = run(lambda x: asyncio.run(step(x)))
    for _ in range(5):
        yield call(t()), len(log)


@ordinary()
def trace_function_of_the_user(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * 2 + 1)
    for i in range(8):
        calls: list[str] = []

        def trace(frame: Any, event: str, argument: Any) -> Any:
            if frame.f_code.co_name == "<lambda>":
                calls.append(event)
            return None

        before = sys.gettrace()
        if i >= 4:
            sys.settrace(trace)
        try:
            y = call(t())
        finally:
            sys.settrace(before)
        yield y  # what a trace function sees is the Python that runs, which a replay does not


@ordinary()
def profile_function_of_the_user(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * 2 + 1)
    for i in range(8):
        calls: list[str] = []

        def profile(frame: Any, event: str, argument: Any) -> None:
            if frame.f_code.co_name == "<lambda>":
                calls.append(event)

        if i >= 4:
            sys.setprofile(profile)
        try:
            y = call(t())
        finally:
            sys.setprofile(None)
        yield y


@ordinary()
def thread_local_values(run: Run) -> Iterator[Any]:
    local = threading.local()
    local.k = 1.0
    call = run(lambda x: x * getattr(local, "k", 9.0))
    for i in range(8):
        local.k = float(i // 3)
        out: list[Any] = []
        other = threading.Thread(target=lambda: out.append(call(t())))
        other.start()
        other.join()
        yield call(t()), out


@ordinary()
def thread_started_by_the_call(run: Run) -> Iterator[Any]:
    log: list[int] = []

    def step(x: Any) -> Any:
        worker = threading.Thread(target=lambda: log.append(1))
        worker.start()
        worker.join()
        return x * len(log)

    call = run(step)
    for _ in range(6):
        yield call(t()), len(log)


@ordinary()
def forked_process(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k + s.w, k=1.0, w=Parameter(t(), name="w"))
    call = run(net)
    for i in range(6):
        net.k = float(i // 3)
        here = call(t())
        read, write = os.pipe()
        child = os.fork()
        if child == 0:  # pragma: no cover - another process
            try:
                net.w.set_data(net.w + 1)
                text = repr([call(t()).asnumpy().tolist() for _ in range(4)])
                os.write(write, text.encode())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as source:
            text = source.read()
        os.waitpid(child, 0)
        yield here, text, net.w


@replayed()
def attribute_of_an_object_exchanged(run: Run) -> Iterator[Any]:
    class Held:
        k = 2.0

    held = Held()
    held.early = 1.0  # type: ignore[attr-defined]
    call = run(lambda x: x * held.k)
    for i in range(9):
        if i == 4:
            home = held.__dict__
            del home["early"]
            home["k"] = 30.0
        yield call(t())


@replayed()
def dictionary_of_an_object_replaced(run: Run) -> Iterator[Any]:
    held: Any = Plain(k=2.0)
    call = run(lambda x: x * held.k)
    for i in range(9):
        if i == 4:
            held.__dict__ = {"k": 5.0}
        if i == 6:
            held.__dict__["k"] = 7.0
        yield call(t())


@replayed()
def metaclass_with_state(run: Run) -> Iterator[Any]:
    class Meta(type):
        k = 2.0

        @property
        def factor(cls) -> float:
            return cls.k

    class Held(metaclass=Meta):
        pass

    call = run(lambda x: x * Held.factor)
    for i in range(9):
        if i == 4:
            Meta.k = 3.0
        if i == 6:
            Meta.factor = property(lambda cls: 5.0)  # type: ignore[method-assign, assignment]
        yield call(t())


@replayed()
def bases_of_a_class_replaced(run: Run) -> Iterator[Any]:
    class A:
        def factor(self) -> float:
            return 2.0

    class B:
        def factor(self) -> float:
            return 3.0

    class Held(A):
        pass

    held = Held()
    call = run(lambda x: x * held.factor())
    for i in range(9):
        if i == 4:
            Held.__bases__ = (B,)
        yield call(t())


@replayed()
def slots_of_a_data_class(run: Run) -> Iterator[Any]:
    held = [Slotted(1.0, 2.0)]
    call = run(lambda x: x * held[0].x + held[0].y)
    for i in range(9):
        if i == 3:
            held[0].x = 5.0
        if i == 6:
            held[0] = dataclasses.replace(held[0], y=9.0)
        yield call(t())


@replayed()
def data_class_compared(run: Run) -> Iterator[Any]:
    a, b = Slotted(1.0), Slotted(1.0)
    call = run(lambda x: x * (2.0 if a == b else 3.0))
    for i in range(9):
        if i == 4:
            b.y = 5.0
        yield call(t())


@replayed()
def fields_of_a_data_class(run: Run) -> Iterator[Any]:
    held = Point(1.0, [2.0])
    call = run(lambda x: x * sum(dataclasses.astuple(held)[1]) + len(dataclasses.asdict(held)))
    for i in range(9):
        if i == 4:
            held.y.append(3.0)
        yield call(t())


@ordinary()
def iterator_protocol_with_state(run: Run) -> Iterator[Any]:
    class Loader:
        def __init__(self) -> None:
            self.at = 0

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> float:
            self.at += 1
            if self.at % 4 == 0:
                raise StopIteration
            return float(self.at)

    held = Loader()
    call = run(lambda x: x * sum(held))
    for _ in range(6):
        yield call(t()), held.at


@replayed()
def functions_in_a_table_exchanged(run: Run) -> Iterator[Any]:
    table: dict[str, Any] = {"act": ops.relu}
    call = run(lambda x: table["act"](x))
    for i in range(9):
        if i == 3:
            table["act"] = ops.tanh
        if i == 6:
            table["act"] = lambda x: x * 3
        yield call(t())


@replayed()
def code_of_a_function_exchanged(run: Run) -> Iterator[Any]:
    def helper(x: Any) -> Any:
        return x * 2

    def other(x: Any) -> Any:
        return x * 3

    call = run(lambda x: helper(x))
    for i in range(9):
        if i == 4:
            helper.__code__ = other.__code__
        yield call(t())


@replayed()
def defaults_of_a_function_exchanged(run: Run) -> Iterator[Any]:
    def helper(x: Any, k: float = 2.0, *, m: float = 1.0) -> Any:
        return x * k * m

    call = run(lambda x: helper(x))
    for i in range(9):
        if i == 3:
            helper.__defaults__ = (3.0,)
        if i == 6:
            assert helper.__kwdefaults__ is not None
            helper.__kwdefaults__["m"] = 5.0
        yield call(t())


@replayed()
def wrapped_function_exchanged(run: Run) -> Iterator[Any]:
    def double(x: Any) -> Any:
        return x * 2

    @functools.wraps(double)
    def outer(x: Any) -> Any:
        return outer.__wrapped__(x) + 1

    call = run(lambda x: outer(x))
    for i in range(9):
        if i == 4:
            outer.__wrapped__ = lambda x: x * 7
        yield call(t())


@ordinary()
def stack_of_contexts(run: Run) -> Iterator[Any]:
    log: list[str] = []

    @contextlib.contextmanager
    def scope(name: str) -> Iterator[float]:
        log.append(name)
        yield float(len(log))
        log.append("-" + name)

    def step(x: Any) -> Any:
        with contextlib.ExitStack() as stack:
            a = stack.enter_context(scope("a"))
            stack.callback(log.append, "called")
            return x * a

    call = run(step)
    for _ in range(6):
        yield call(t()), list(log)


@replayed()
def result_decided_by_finally(run: Run) -> Iterator[Any]:
    held = {"fail": False}

    def step(x: Any) -> Any:
        try:
            if held["fail"]:
                raise KeyError("a")
            y = x * 2
        except KeyError:
            y = x * 3
        else:
            y = y + 1
        finally:
            x = x + 5
        return y + x

    call = run(step)
    for i in range(9):
        held["fail"] = i // 3 == 1
        yield call(t())


@ordinary()
def callback_of_a_weak_reference(run: Run) -> Iterator[Any]:
    import weakref

    log: list[str] = []

    class Thing:
        pass

    def step(x: Any) -> Any:
        thing = Thing()
        ref = weakref.ref(thing, lambda _: log.append("gone"))
        del thing
        return x * (2.0 if ref() is None else 3.0)

    call = run(step)
    for _ in range(6):
        yield call(t()), list(log)


@replayed()
def text_of_the_arguments(run: Run) -> Iterator[Any]:
    call = run(lambda x, mode, n=1: x * len(f"{mode:>{n}}"))
    for i in range(12):
        yield call(t(), "ab", n=2 + i // 4), call(t(), "abc")


@replayed()
def numbers_that_are_equal_and_differ(run: Run) -> Iterator[Any]:
    call = run(lambda x, n: x / n if type(n) is not bool else x * 5)
    for i in range(16):
        yield call(t(), (1, 1.0, True, np.int64(1))[i // 4])


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_inside(program: Any, quiet: bool) -> None:
    check(program, quiet)
