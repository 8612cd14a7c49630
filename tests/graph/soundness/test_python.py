# ruff: noqa: B006, B023, PERF401, RUF012
"""Programs with Python that few networks have: generators, decorators, finalizers, aliases."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import dataclasses
import functools
import itertools
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import Net, Programs, t
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()


@ROWS.ordinary()
def mro(run: Run) -> Iterator[Any]:
    class A(nn.Cell):
        def __init__(self, **k):
            super().__init__(**k)
            self.a = 2.0

        def construct(self, x):
            return x * self.a

    class B(A):
        def construct(self, x):
            self.calls = getattr(self, "calls", 0) + 0
            return super().construct(x) + 1

    class C(A):
        def construct(self, x):
            return super().construct(x) * 3

    class D(B, C):
        def construct(self, x):
            return super().construct(x) - 1

    n = D()
    c = run(n)
    for i in range(16):
        if i == 6:
            n.a = 3.0
        if i == 9:
            C.construct = lambda self, x: A.construct(self, x) * 4
        yield c(t(i))


@ROWS.ordinary()
def own_construct(run: Run) -> Iterator[Any]:
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = 0

        def construct(self, x):
            if self.k == 0:
                return x * 2
            self.construct = lambda y: y * 5
            return x * 3

    n = N()
    c = run(n)
    for i in range(16):
        if i == 6:
            n.k = 1
        yield attempt(c, t(i))


@ROWS.ordinary()
def generators(run: Run) -> Iterator[Any]:
    held = [1, 2]

    def gen(x):
        total = 0
        for h in held:
            got = yield x * h
            if got:
                total += got
        return total

    def step(x):
        g = gen(x)
        s = next(g)
        try:
            while True:
                s = s + g.send(3)
        except StopIteration as e:
            return s + e.value

    c = run(step)
    for i in range(16):
        if i == 6:
            held.append(4)
        if i == 11:
            held[0] = 7
        yield c(t(i))


@ROWS.ordinary()
def walrus(run: Run) -> Iterator[Any]:
    def step(x, n):
        if (m := n % 3) == 1:
            return x * m
        return [y := x + m, y * 2, (lambda: y)()][-1]

    c = run(step)
    for i in range(24):
        yield c(t(i), i // 3)


@ROWS.ordinary()
def caught_after_change(run: Run) -> Iterator[Any]:
    p = Parameter(t(1, 2, 3), name="p")

    def step(x, flag):
        try:
            p.add_(1.0)
            if flag:
                raise KeyError("a")
            y = x * 2
        except KeyError:
            p.mul_(2.0)
            y = x * 3
        finally:
            p.sub_(0.5)
        return y + p

    c = run(step)
    for i in range(20):
        yield attempt(c, t(i), i // 4 % 2 == 1), p


@ROWS.ordinary()
def op_error_caught(run: Run) -> Iterator[Any]:
    p = Parameter(t(1, 2, 3), name="p")

    def step(x):
        p.add_(1.0)
        try:
            y = ops.matmul(x, x.reshape(1, -1).repeat(2, 0))
        except Exception:
            y = x * 3
        return y + p

    c = run(step)
    for i in range(10):
        yield attempt(c, t(i, 1, 1)), p


@ROWS.ordinary()
def recursion(run: Run) -> Iterator[Any]:
    class R(nn.Cell):
        def __init__(self):
            super().__init__()
            self.d = nn.Dense(3, 3, weight_init="ones")
            self.depth = 3

        def construct(self, x, k=None):
            k = self.depth if k is None else k
            return x if k == 0 else self(self.d(x) * 0.1, k - 1)

    r = R()
    c = run(r)
    for i in range(14):
        if i == 7:
            r.depth = 5
        yield c(t(i, 1, 2).reshape(1, 3))


@ROWS.ordinary()
def del_effects(run: Run) -> Iterator[Any]:
    log = []

    class Noisy:
        def __init__(self, n):
            self.n = n

        def __del__(self):
            log.append(self.n)

    def step(x):
        a = Noisy(x.shape[0])
        y = x * a.n
        return y

    c = run(step)
    for i in range(10):
        yield c(t(i, 1)), len(log)


@ROWS.ordinary()
def weak_callbacks(run: Run) -> Iterator[Any]:
    log = []

    class Thing:
        pass

    def step(x):
        o = Thing()
        r = weakref.ref(o, lambda _: log.append(1))
        del o
        return x * (1 if r() is None else 2)

    c = run(step)
    for i in range(10):
        yield c(t(i)), len(log)


@ROWS.ordinary()
def cached_cell(run: Run) -> Iterator[Any]:
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = 2.0
            self.n = 0

        @functools.cached_property
        def slow(self):
            self.n += 1
            return self.k * 2

        def construct(self, x):
            return x * self.slow

    n = N()
    c = run(n)
    for i in range(16):
        if i == 6:
            n.k = 5.0
        if i == 9:
            n.__dict__.pop("slow", None)
        yield c(t(i)), n.n


@ROWS.ordinary()
def dataclass_cell(run: Run) -> Iterator[Any]:
    @dataclasses.dataclass(eq=False)
    class N(nn.Cell):
        k: float = 2.0
        names: list = dataclasses.field(default_factory=lambda: ["a"])

        def __post_init__(self):
            super().__init__()

        def construct(self, x):
            return x * len(self.names)

    try:
        n = N()
    except Exception:
        yield "raised"
        return
    c = run(n)
    for i in range(12):
        if i == 6:
            n.names.append("b")
        yield attempt(c, t(i))


@ROWS.ordinary()
def coroutine(run: Run) -> Iterator[Any]:
    state = {"k": 2}

    async def inner(x):
        return x * state["k"]

    async def outer(x):
        return await inner(x) + await inner(x * 2)

    def step(x):
        co = outer(x)
        try:
            co.send(None)
        except StopIteration as e:
            return e.value

    c = run(step)
    for i in range(14):
        if i == 7:
            state["k"] = 3
        yield c(t(i))


@ROWS.ordinary()
def asyncio_run(run: Run) -> Iterator[Any]:
    state = {"k": 2}

    async def inner(x):
        await asyncio.sleep(0)
        return x * state["k"]

    c = run(lambda x: asyncio.run(inner(x)))
    for i in range(8):
        if i == 5:
            state["k"] = 3
        yield c(t(i))


@ROWS.ordinary()
def counting_decorator(run: Run) -> Iterator[Any]:
    def counted(f):
        @functools.wraps(f)
        def g(x):
            g.calls += 1
            return f(x) * g.calls

        g.calls = 0
        return g

    @counted
    def f(x):
        return x + 1

    c = run(lambda x: f(x))
    for i in range(10):
        yield c(t(i)), f.calls


@ROWS.ordinary()
def every_second_decorator(run: Run) -> Iterator[Any]:
    def alternate(f):
        n = itertools.count()
        return lambda x: f(x) * (1 + next(n) % 2)

    f = alternate(lambda x: x + 1)
    c = run(lambda x: f(x))
    for i in range(10):
        yield c(t(i))


@ROWS.ordinary()
def memo(run: Run) -> Iterator[Any]:
    @functools.cache
    def f(n):
        return n * 2

    c = run(lambda x, n: x * f(n))
    for i in range(20):
        yield c(t(i), i // 4), f.cache_info().currsize


@ROWS.ordinary()
def memo_of_tensor(run: Run) -> Iterator[Any]:
    cache = {}

    def step(x, n):
        if n not in cache:
            cache[n] = ops.ones((3,), ms.float32) * n
        return x * cache[n]

    c = run(step)
    for i in range(20):
        yield c(t(i, 1, 2), i // 5), len(cache)


@ROWS.ordinary()
def contextvar_threads(run: Run) -> Iterator[Any]:
    v = contextvars.ContextVar("v", default=1.0)
    c = run(lambda x: x * v.get())
    out = []

    def work(k):
        v.set(k)
        for i in range(5):
            out.append(c(t(i)))

    for i in range(12):
        if i == 6:
            v.set(3.0)
        yield c(t(i))
    for k in (2.0, 4.0):
        th = threading.Thread(target=work, args=(k,))
        th.start()
        th.join()
        yield list(out)
    yield c(t(5))


@ROWS.ordinary()
def threadlocal(run: Run) -> Iterator[Any]:
    v = threading.local()
    v.k = 1.0
    c = run(lambda x: x * v.k)
    out = []

    def work(k):
        v.k = k
        for i in range(5):
            out.append(attempt(c, t(i)))

    for i in range(6):
        yield c(t(i))
    th = threading.Thread(target=work, args=(2.0,))
    th.start()
    th.join()
    yield list(out)
    for i in range(6):
        yield c(t(i))


@ROWS.ordinary()
def array_alias(run: Run) -> Iterator[Any]:
    for kind in range(3):
        a = np.arange(3, dtype=np.float32)
        x = Tensor.from_numpy(a)
        if kind == 0:
            c = run(lambda y: y * x + 1)
        elif kind == 1:
            c = run(lambda y: y * x + float(a.sum()))
        else:

            def step(y):
                a[0] += 1
                return y * x

            c = run(step)
        for i in range(10):
            if i == 5:
                a[1] = 50
            yield c(t(i, 1, 2)), a, x


@ROWS.ordinary()
def array_and_tensor_args(run: Run) -> Iterator[Any]:
    def step(x, a):
        x.add_(1.0)
        return x * float(a[0])

    c = run(step)
    for i in range(10):
        a = np.full(3, i, np.float32)
        x = Tensor.from_numpy(a)
        yield c(x, a), a


@ROWS.ordinary()
def overlapping(run: Run) -> Iterator[Any]:
    def step(a, b):
        a.add_(1.0)
        b.mul_(2.0)
        return a + b

    c = run(step)
    for i in range(16):
        base = Tensor(np.arange(6, dtype=np.float32) + i)
        a, b = (
            (base[0:4], base[2:6])
            if i // 4 % 2
            else (Tensor(base[0:4].asnumpy().copy()), Tensor(base[2:6].asnumpy().copy()))
        )
        yield attempt(c, a, b), a, b, base


@ROWS.ordinary()
def same_memory(run: Run) -> Iterator[Any]:
    def step(a, b):
        a.add_(1.0)
        return b * 2

    c = run(step)
    for i in range(16):
        a = t(i, 1)
        b = a.view(2) if i // 4 % 2 else t(i, 1)
        yield attempt(c, a, b), a, b


@ROWS.ordinary()
def parameter_as_input(run: Run) -> Iterator[Any]:
    d = nn.Dense(2, 2, weight_init="ones")

    def step(s, w, x):
        w.add_(0.5)
        return s.d(x)

    n = Net(step, d=d)
    c = run(n)
    other = Parameter(ops.ones((2, 2), ms.float32), name="o")
    for i in range(16):
        yield c(d.weight if i // 4 % 2 else other, t(i, 1).reshape(1, 2)), d.weight


@ROWS.ordinary()
def shared_parameters(run: Run) -> Iterator[Any]:
    a = nn.Dense(2, 2, weight_init="ones")
    b = nn.Dense(2, 2, weight_init="zeros")
    b.weight = a.weight
    n = nn.SequentialCell(a, b)
    c = run(n)
    for i in range(14):
        if i == 5:
            a.weight.set_data(Tensor(np.full((2, 2), 2, np.float32)))
        if i == 9:
            b.weight = Parameter(Tensor(np.full((2, 2), 3, np.float32)), name="z")
        yield c(t(i, 1).reshape(1, 2))


@ROWS.ordinary()
def inplace_and_return(run: Run) -> Iterator[Any]:
    def step(x):
        y = x
        y += 1
        x.mul_(2)
        return y, x, x is y

    c = run(step)
    for i in range(8):
        x = t(i, 1)
        r = c(x)
        yield r, x, r[0] is x


@ROWS.ordinary()
def zero_d(run: Run) -> Iterator[Any]:
    def step(x):
        n = int(x.sum())
        k = 0
        for j in range(n % 4):
            k += j
        return x * k if float(x.max()) > 3 else x + n

    c = run(step)
    for i in range(30):
        yield c(t(i % 5, i % 3))


@ROWS.ordinary()
def promotion(run: Run) -> Iterator[Any]:
    c = run(lambda x, s: (x + s, x * s, x / s if s else x))
    for i in range(36):
        x = [t(1, 2), Tensor([1, 2], ms.int32), Tensor([True, False])][i // 12]
        yield attempt(c, x, [1, 1.0, True, 2, 2.5, False][i % 6])


@ROWS.ordinary()
def optimizer_inside(run: Run) -> Iterator[Any]:
    n = nn.Dense(3, 1, weight_init="ones")
    o = nn.Momentum(n.trainable_params(), 0.1, 0.9)
    g = ms.value_and_grad(lambda x: n(x).sum(), None, o.parameters)

    def step(x):
        loss, gr = g(x)
        o(gr)
        return loss

    c = run(step)
    for i in range(10):
        yield c(t(i, 1, 1).reshape(1, 3)), n.weight, list(o.get_parameters())


@ROWS.ordinary()
def grad_grad(run: Run) -> Iterator[Any]:
    f = ms.grad(ms.grad(lambda x: (x**3).sum()))
    c = run(lambda x: f(x))
    for i in range(8):
        yield attempt(c, t(i, 2))
    h = ms.grad(run(lambda x: (x**3).sum()))
    for i in range(8):
        yield attempt(h, t(i, 2))
    hh = ms.grad(ms.grad(run(lambda x: (x**3).sum())))
    for i in range(8):
        yield attempt(hh, t(i, 2))


@ROWS.ordinary()
def custom_bprop(run: Run) -> Iterator[Any]:
    class B(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = 0
            self.k = 2.0

        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            self.n += 1
            return (dout * self.k * self.n,)

    b = B()
    g = ms.grad(run(b))
    for i in range(10):
        if i == 6:
            b.k = 3.0
        yield attempt(g, t(i)), b.n


@ROWS.ordinary()
def custom_bprop_state(run: Run) -> Iterator[Any]:
    class B(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = 2.0

        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return (dout * self.k,)

    b = B()
    c = run(Net(lambda s, x: ms.grad(s.b)(x), b=b))
    for i in range(14):
        if i == 6:
            b.k = 3.0
        yield attempt(c, t(i))


@ROWS.ordinary()
def star_kwargs(run: Run) -> Iterator[Any]:
    def step(*xs, **k):
        k["extra"] = xs[0]
        k.pop("y", None)
        return sum(k.values(), xs[0]) + len(xs)

    c = run(step)
    for i in range(18):
        d = {"y": t(i), "z": t(1)} if i // 3 % 2 else {"z": t(2), "w": t(i)}
        yield c(t(i), **d), list(d)


@ROWS.ordinary()
def mutable_default(run: Run) -> Iterator[Any]:
    def step(x, seen=[]):
        seen.append(1)
        return x * len(seen)

    c = run(step)
    for i in range(8):
        yield c(t(i))


@ROWS.ordinary()
def class_counter(run: Run) -> Iterator[Any]:
    class N(nn.Cell):
        n = 0

        def construct(self, x):
            type(self).n += 1
            return x * type(self).n

    n = N()
    c = run(n)
    for i in range(8):
        yield c(t(i)), N.n


@ROWS.ordinary()
def nonlocal_write(run: Run) -> Iterator[Any]:
    k = 1

    def step(x):
        nonlocal k
        k = k + 1 if k < 4 else k
        return x * k

    c = run(step)
    for i in range(12):
        yield c(t(i)), k


@ROWS.ordinary()
def del_attr(run: Run) -> Iterator[Any]:
    def step(s, x):
        if hasattr(s, "once"):
            del s.once
            return x * 5
        return x

    n = Net(step)
    n.once = 1
    c = run(n)
    for i in range(14):
        if i in (6, 10):
            n.once = 1
        yield c(t(i))


@ROWS.ordinary()
def temporarily(run: Run) -> Iterator[Any]:
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.flag = False
            self.k = 2.0

        def inner(self, x):
            return x * self.k if self.flag else x

        def construct(self, x):
            before = self.flag
            self.flag = True
            try:
                return self.inner(x)
            finally:
                self.flag = before

    n = N()
    c = run(n)
    for i in range(14):
        if i == 6:
            n.k = 4.0
        yield c(t(i)), n.flag


@ROWS.ordinary()
def tensor_key(run: Run) -> Iterator[Any]:
    x0 = t(1)
    d = {x0: 2.0}
    c = run(lambda x: x * d.get(x, 1.0))
    for i in range(16):
        yield attempt(c, x0 if i // 3 % 2 else t(1))


@ROWS.ordinary()
def args_in_kwargs(run: Run) -> Iterator[Any]:
    def step(a, b=None):
        b["k"].append(2) if False else None
        return a["k"][0] * len(b["k"]) * (2 if a["k"] is b["k"] else 1)

    c = run(step)
    for i in range(20):
        a = {"k": [t(i)]}
        yield c(
            a, b=a if i // 3 % 3 == 1 else {"k": a["k"]} if i // 3 % 3 == 2 else {"k": [a["k"][0]]}
        )


@ROWS.ordinary()
def nested_alias(run: Run) -> Iterator[Any]:
    c = run(lambda x: x[0][0] * (2 if x[0] is x[1] else 3) * (5 if x[1][1] is x[2] else 7))
    for i in range(32):
        inner = []
        a = [t(i), inner]
        yield c([a, a if i // 4 % 2 else [a[0], inner if i // 8 % 2 else []], inner])


@ROWS.ordinary()
def tuple_held(run: Run) -> Iterator[Any]:
    T = (1, 2)
    c = run(lambda x, p: x * (2 if p is T else 3))
    for i in range(16):
        yield c(t(i), T if i // 4 % 2 else (1, 2))


@ROWS.ordinary()
def tensor_identity_in_list(run: Run) -> Iterator[Any]:
    xs = [t(1), t(2)]
    c = run(lambda x: x * (2 if any(x is y for y in xs) else 3))
    for i in range(24):
        yield c(xs[i % 2] if i // 6 % 2 else t(1 + i % 2))


@ROWS.ordinary()
def sort_objects(run: Run) -> Iterator[Any]:
    class Thing:
        def __init__(self, k):
            self.k = k

        def __lt__(self, o):
            return self.k < o.k

    os_ = [Thing(3), Thing(1), Thing(2)]
    c = run(lambda x: x * sorted(os_)[0].k + max(os_, key=lambda o: o.k).k)
    for i in range(14):
        if i == 6:
            os_[1].k = 9
        yield c(t(i))


@ROWS.ordinary()
def bool_objects(run: Run) -> Iterator[Any]:
    class Thing:
        n = 1

        def __bool__(self):
            return self.n > 1

        def __len__(self):
            return self.n

        def __contains__(self, v):
            return v == self.n

        def __iter__(self):
            return iter(range(self.n))

    o = Thing()
    c = run(lambda x: (x if o else x * 2) + len(o) + (3 in o) + sum(o))
    for i in range(16):
        if i == 6:
            o.n = 3
        if i == 11:
            Thing.__len__ = lambda self: 7
        yield c(t(i))


@ROWS.ordinary()
def exitstack(run: Run) -> Iterator[Any]:
    log = []

    @contextlib.contextmanager
    def scope(k):
        log.append(k)
        try:
            yield k * 2
        finally:
            log.pop()

    def step(x, n):
        with contextlib.ExitStack() as st:
            ks = [st.enter_context(scope(j)) for j in range(n)]
            return x * sum(ks) + len(log)

    c = run(step)
    for i in range(14):
        yield c(t(i), 1 + i // 5), list(log)


@ROWS.ordinary()
def hooks(run: Run) -> Iterator[Any]:
    n = nn.Dense(2, 2, weight_init="ones")
    k = [1.0]
    n.register_forward_hook(lambda cell, i, o: o * k[0])
    m = Net(lambda s, x: s.n(x) + 1, n=n)
    c = run(m)
    h = None
    for i in range(20):
        if i == 5:
            k[0] = 2.0
        if i == 9:
            h = n.register_forward_pre_hook(lambda cell, i: (i[0] * 3,))
        if i == 14:
            h.remove()
        yield attempt(c, t(i, 1).reshape(1, 2))


@ROWS.ordinary()
def super_getattr(run: Run) -> Iterator[Any]:
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.extra = {"k": 2.0}

        def __getattr__(self, name):
            if name in ("k", "j"):
                return self.extra.get(name, 0.0)
            return super().__getattr__(name)

        def construct(self, x):
            return x * self.k + self.j

    n = N()
    c = run(n)
    for i in range(16):
        if i == 6:
            n.extra["k"] = 3.0
        if i == 11:
            n.extra["j"] = 1.0
        yield attempt(c, t(i))


@ROWS.ordinary()
def getitem_cell(run: Run) -> Iterator[Any]:
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.items = [1.0, 2.0]

        def __getitem__(self, k):
            return self.items[k]

        def __len__(self):
            return len(self.items)

        def construct(self, x):
            return x * self[len(self) - 1]

    n = N()
    c = run(n)
    for i in range(16):
        if i == 6:
            n.items.append(5.0)
        yield attempt(c, t(i))


@ROWS.ordinary()
def metaclass_state(run: Run) -> Iterator[Any]:
    class M(type):
        registry = {}

        def __getattr__(cls, name):
            return M.registry.get(name, 1.0)

    class A(metaclass=M):
        pass

    c = run(lambda x: x * A.k)
    for i in range(14):
        if i == 6:
            M.registry["k"] = 2.0
        if i == 10:
            A.k = 5.0
        yield attempt(c, t(i))


@ROWS.ordinary()
def descriptors(run: Run) -> Iterator[Any]:
    class Desc:
        def __init__(self):
            self.reads = 0

        def __get__(self, o, c):
            return 1.0 if o is None else o.__dict__["_v"]

        def __set__(self, o, v):
            o.__dict__["_v"] = v

    class Thing:
        v = Desc()

    def step(x, n):
        o = Thing()
        o.v = n
        return x * o.v + Thing.v

    c = run(step)
    for i in range(14):
        yield c(t(i), i // 4)


@ROWS.ordinary()
def inplace_on_held_list(run: Run) -> Iterator[Any]:
    xs = [t(1), t(2)]

    def step(x):
        for y in xs:
            y.add_(x)
        return xs[0] * xs[1]

    c = run(step)
    for i in range(10):
        if i == 6:
            xs[0] = t(5)
        yield c(t(i)), xs


@ROWS.ordinary()
def swap_tensors(run: Run) -> Iterator[Any]:
    n = Net(lambda s, x: x * s.a + s.b, a=t(1), b=t(2))
    c = run(n)
    for i in range(14):
        if i % 4 == 3:
            n.a, n.b = n.b, n.a
        yield c(t(i))


@ROWS.ordinary()
def swap_inside(run: Run) -> Iterator[Any]:
    def step(s, x):
        s.a, s.b = s.b, s.a
        return x * s.a + s.b

    n = Net(step, a=t(1), b=t(2))
    c = run(n)
    for i in range(9):
        yield c(t(i)), n.a, n.b


@ROWS.ordinary()
def rnn_state(run: Run) -> Iterator[Any]:
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cell = nn.GRUCell(3, 4)
            self.h = None

        def construct(self, x):
            self.h = self.cell(x, self.h if self.h is not None else ops.zeros((1, 4), ms.float32))
            return self.h

    ms.set_seed(1)
    n = N()
    c = run(n)
    for i in range(9):
        if i == 5:
            n.h = None
        yield c(t(i, 1, 2).reshape(1, 3)), n.h


@ROWS.ordinary()
def kv_cache(run: Run) -> Iterator[Any]:
    def step(x, cache):
        cache = [ops.cat([k, x]) for k in cache]
        return sum(k.sum() for k in cache), cache

    c = run(step)
    cache = [t(1), t(2)]
    for i in range(14):
        y, cache = c(t(i), cache)
        yield y, cache


@ROWS.ordinary()
def returns_same_twice(run: Run) -> Iterator[Any]:
    c = run(lambda x: (y := x * 2, y, [y]))
    for i in range(8):
        a, b, (d,) = c(t(i))
        yield a, a is b, a is d
        a.add_(1.0)
        yield b


@ROWS.ordinary()
def returned_view(run: Run) -> Iterator[Any]:
    def step(x):
        y = x * 2
        return y, y[0:1], x.view(-1)

    c = run(step)
    for i in range(8):
        x = t(i, 1)
        a, b, v = c(x)
        a.add_(1.0)
        v.mul_(3.0)
        yield a, b, v, x


@ROWS.ordinary()
def returned_constant(run: Run) -> Iterator[Any]:
    k = t(5)
    c = run(lambda x: (x, k, ops.ones((2,), ms.float32)))
    for i in range(8):
        a, b, o = c(t(i))
        o.add_(1.0)
        yield a, b is k, o


@ROWS.ordinary()
def set_order(run: Run) -> Iterator[Any]:
    s = {"b", "a"}
    c = run(lambda x: x * len(s) + sorted(s).index("b"))
    for i in range(12):
        if i == 5:
            s.add("A")
        if i == 8:
            s.discard("a")
        yield c(t(i))


class Holder:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def escaping(name: str, hold: Any, held: Any) -> None:
    """A program that takes gradients through what a compiled call leaves behind."""

    def run_it(run: Run) -> Iterator[Any]:
        dense = nn.Dense(2, 2, weight_init="ones")
        net = Net(lambda s, x: hold(s, x, s.dense(x)), dense=dense, last=None, log=[], table={})
        call = run(net)

        def loss(x: Any) -> Any:
            out = call(x * 2)
            return held(net, out).sum() * 3 + (out.sum() if isinstance(out, Tensor) else 0)

        of_input = ms.value_and_grad(loss, 0)
        of_weights = ms.value_and_grad(loss, None, dense.trainable_params())
        for i in range(6):
            x = t(i, 2).reshape(1, 2)
            yield attempt(of_input, x), attempt(of_weights, x)
            yield held(net, call(x))
            grads = attempt(ms.grad(lambda y: call(y).sum() if i < 3 else call(y * 2).sum()), x)
            yield grads if not isinstance(grads, tuple) else grads[:2]

    run_it.__name__ = f"gradient_through_{name}"
    ROWS.ordinary()(run_it)


def _store(name: str) -> Any:
    def hold(self: Any, x: Any, y: Any) -> Any:
        setattr(self, name, y * 2)
        return y

    return hold


def _append(self: Any, x: Any, y: Any) -> Any:
    self.log.append({"a": (y * 2, x)})
    return y


def _of_input(self: Any, x: Any, y: Any) -> Any:
    self.table["x"] = Holder(inner=x, again=x.view(1, 2), y=x * y)
    return y


def _closure(self: Any, x: Any, y: Any) -> Any:
    z = y * y
    self.table["f"] = lambda: z + x
    return y


def _identity(self: Any, x: Any, y: Any) -> Any:
    self.table["x"] = x.contiguous()
    return y


escaping("a_result", lambda s, x, y: Holder(y=y, n=[y * 2]), lambda net, out: out.y + out.n[0])
escaping("a_set", lambda s, x, y: {y * 2}, lambda net, out: next(iter(out)))
escaping("a_function", lambda s, x, y: lambda: y * x, lambda net, out: out())
escaping("a_generator", lambda s, x, y: iter([y * x]), lambda net, out: next(iter(out)))
escaping("an_attribute", _store("last"), lambda net, out: net.last)
escaping("a_list", _append, lambda net, out: net.log[-1]["a"][0] + net.log[-1]["a"][1])
escaping(
    "an_object",
    _of_input,
    lambda net, out: net.table["x"].inner + net.table["x"].y + net.table["x"].again,
)
escaping("a_closure", _closure, lambda net, out: net.table["f"]())
escaping("the_input_itself", _identity, lambda net, out: net.table["x"])


@ROWS.ordinary()
def gradient_of_an_enclosed_input(run: Run) -> Iterator[Any]:
    log: list[Any] = []

    def loss(x: Any) -> Any:
        def step(y: Any) -> Any:
            log.append(x * y)
            return x + y, x

        before = x * 5
        out, again = run(step)(x * 2)
        return out.sum() + log[-1].sum() + again.sum() + before.sum() + x.sum()

    grad = ms.value_and_grad(loss, 0)
    for i in range(6):
        x = t(i, 2)
        yield grad(x), x, x._value.requires_grad


@ROWS.ordinary()
def gradient_through_earlier_results(run: Run) -> Iterator[Any]:
    dense = nn.Dense(2, 2, weight_init="ones")
    call = run(Net(lambda s, x: s.dense(x), dense=dense))

    def loss(x: Any) -> Any:
        first = dense(x)
        kept = [first * 2]
        second = call(first)
        return second.sum() + (kept[0] * first).sum()

    grad = ms.value_and_grad(loss, 0, dense.trainable_params())
    for i in range(6):
        yield grad(t(i, 2).reshape(1, 2))


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_python(program: Any, quiet: bool) -> None:
    check(program, quiet)
