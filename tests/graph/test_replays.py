"""Python that deserves replay: what it reads of the standard library is compared, not refused."""

from __future__ import annotations

import abc
import collections.abc
import contextlib
import contextvars
import dataclasses
import enum
import functools
import gc
import inspect
import logging
import os
import random
import typing
import warnings
import weakref

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops
from agar._core.graph.cache.gradients_of import gradients_of
from agar._core.runtime import runtime
from agar.migrate import from_torch


@pytest.fixture(autouse=True)
def no_search_for_plans(monkeypatch):
    monkeypatch.setattr(runtime, "plans", False)


class Net(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


X = np.arange(1, 9, dtype=np.float32).reshape(2, 4)


def run(net, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return net(*args).asnumpy().tolist()


def replays(function, calls=3):
    """The Net of a function; its calls give what the function gives, and end up replayed."""
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = Net(function), Tensor(X)
    expected = function(x).asnumpy().tolist()
    for _ in range(4):
        assert run(net, x) == expected
    runs = net.__dict__["_compiled"].runs
    for _ in range(calls):
        assert run(net, x) == expected
    assert net.__dict__["_compiled"].runs == runs
    return net


def follows(net, function):
    """After a change, calls give what the function gives now."""
    expected = function(Tensor(X)).asnumpy().tolist()
    for _ in range(4):
        assert run(net, Tensor(X)) == expected


# -------------------------------------------------------------------------------- programs

setting: contextvars.ContextVar[float] = contextvars.ContextVar("setting", default=2.0)
logger = logging.getLogger("agar.test_replays")


@contextlib.contextmanager
def set_to(value):
    token = setting.set(value)
    try:
        yield
    finally:
        setting.reset(token)


@functools.lru_cache(maxsize=4)
def numbers(n):
    return [n, n + 1]


@functools.cache
def triangle(n):
    return Tensor(np.tri(n, dtype=np.float32))


class Kind(abc.ABC):
    @abc.abstractmethod
    def of(self, x): ...


class Double(Kind):
    def of(self, x):
        return x * 2


double = Double()


@typing.runtime_checkable
class Has(typing.Protocol):
    def of(self, x): ...


@functools.singledispatch
def scaled(by, x):
    return x


@scaled.register
def _(by: int, x):
    return x * by


@dataclasses.dataclass
class Pair:
    first: Tensor
    second: int | None = 3


class Seven(dict):
    def __missing__(self, key):
        return 7


class Color(enum.Enum):
    RED = 3


sevens = Seven()


def in_context(x):
    with set_to(5.0):
        return x * setting.get()


def data_class(x):
    pair = Pair(x * 2)
    return pair.first * dataclasses.replace(pair, second=4).second


PROGRAMS = {
    "context variable set and put back": in_context,
    "lru_cache, list": lambda x: x * numbers(3)[1],
    "cache, tensor": lambda x: x @ triangle(4),
    "abstract class": lambda x: double.of(x) if isinstance(double, Kind) else x,
    "collections.abc": lambda x: x + isinstance([x], collections.abc.Sequence),
    "protocol": lambda x: double.of(x) if isinstance(double, Has) else x,
    "singledispatch": lambda x: scaled(2, x),
    "dataclass": data_class,
    "dict with __missing__": lambda x: x * sevens["other"],
    "enum": lambda x: x * Color(3).value,
    "environment": lambda x: x * float(os.environ.get("AGAR_TEST_REPLAYS", "2")),
    "getenv": lambda x: x * float(os.getenv("AGAR_TEST_REPLAYS", "2")),
    "signature": lambda x: x * len(inspect.signature(data_class).parameters),
    "logger that is not called": lambda x: x * (2 if logger.disabled else 3),
    "checked activations": lambda x: ops.gelu(x) + ops.leaky_relu(x, 0.2) + ops.elu(x),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_is_replayed(name):
    replays(PROGRAMS[name])


# -------------------------------------------------------------------- changes are seen


def test_an_environment_variable_that_changes_is_seen(monkeypatch):
    function = PROGRAMS["environment"]
    net = replays(function)
    monkeypatch.setenv("AGAR_TEST_REPLAYS", "3")
    follows(net, function)
    monkeypatch.delenv("AGAR_TEST_REPLAYS")
    follows(net, function)
    monkeypatch.setattr(os, "environ", {"AGAR_TEST_REPLAYS": "4"})
    follows(net, function)


def test_a_context_variable_that_is_set_elsewhere_is_seen():
    def function(x):
        return x * setting.get()

    net = replays(function)
    with set_to(7.0):
        follows(net, function)
    follows(net, function)


def test_a_context_variable_set_to_none_is_not_taken_for_one_that_is_not_set():
    def function(x):
        return x * 2 if setting.get() is None else x * 3

    net = replays(function)
    with set_to(None):
        follows(net, function)


def test_a_context_variable_that_stays_set_stays_set_in_every_call():
    def function(x):
        setting.set(setting.get() + 1)
        return x * 2

    def program():
        ms.set_context(mode=ms.GRAPH_MODE)
        net = Net(function)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for i in range(6):
                net(Tensor(X))
                assert setting.get() == 3.0 + i

    contextvars.copy_context().run(program)


def test_numpy_called_while_a_context_variable_is_set_sees_it_in_every_call():
    scale = ms.numpy_function(lambda a: a * np.float32(setting.get()))

    def function(x):
        with set_to(5.0):
            return scale(x)

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(6):
            assert net(Tensor(X)).asnumpy().tolist() == (X * 5).tolist()


def test_what_a_cache_holds_is_compared():
    function = PROGRAMS["lru_cache, list"]
    net = replays(function)
    numbers(3)[1] = 40
    follows(net, function)
    numbers.cache_clear()
    follows(net, function)


def test_a_class_that_is_registered_later_is_seen():
    class Open(abc.ABC):  # noqa: B024
        pass

    class Other:
        pass

    other = Other()

    def function(x):
        return x * 2 if isinstance(other, Open) else x * 3

    net = replays(function)
    Open.register(Other)
    follows(net, function)


def test_a_function_that_is_dispatched_to_later_is_seen():
    @functools.singledispatch
    def form(by, x):
        return x

    def function(x):
        return form(2, x)

    net = replays(function)
    form.register(int, lambda by, x: x * by)
    follows(net, function)


def test_the_level_of_a_logger_that_is_read_is_seen():
    def function(x):
        return x * 2 if logger.level else x * 3

    net = replays(function)
    try:
        logger.setLevel(logging.ERROR)
        follows(net, function)
    finally:
        logger.setLevel(logging.NOTSET)


# ------------------------------------------------------------------- sequences of lengths


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU, nn.RNN])
def test_sequences_of_other_lengths_are_replayed(kind):
    """Also with another longest one: results and gradients are PYNATIVE_MODE's."""
    draw = np.random.default_rng(0)
    lengths = [draw.integers(0, 4, 3).astype(np.int32) for _ in range(8)]
    inputs = [draw.standard_normal((3, 4, 2), np.float32) for _ in lengths]
    results = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        ms.set_seed(1)
        net = kind(2, 3, num_layers=2, batch_first=True, bidirectional=True)
        for i, p in enumerate(net.trainable_params()):
            values = np.sin(np.arange(p.size) + i).reshape(p.shape)
            p.set_data(Tensor(values.astype(np.float32)))
        weights = net.trainable_params()

        def forward(x, n, net=net):
            out, state = net(x, seq_length=n)
            state = state if isinstance(state, tuple) else (state,)
            return (out**2).sum() + sum([s.sum() for s in state])

        compute = ms.value_and_grad(forward, 0, weights)
        items = []
        for x, n in zip(inputs, lengths, strict=True):
            value, (by_x, by_weights) = compute(Tensor(x), Tensor(n))
            items.append([t.asnumpy() for t in (value, by_x, *by_weights)])
        results.append(items)
    (function,) = gradients_of(forward)
    assert function.runs == 3  # seen for the first time, and recorded twice
    for eager, compiled in zip(*results, strict=True):
        for a, b in zip(eager, compiled, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


# ------------------------------------------------------------------- converted networks


def test_a_converted_module_that_holds_weights_in_another_form_is_replayed():
    class Sound(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = torch.nn.Conv1d(2, 3, 3)

        def forward(self, x):
            return self.conv(x) * self.conv.weight.sum()

    torch.manual_seed(0)
    module = Sound()
    x = torch.randn(1, 2, 6)
    expected = module(x).detach().numpy()
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = from_torch(module)
    given = Tensor(x.numpy())
    compute = ms.value_and_grad(lambda x: cell(x).sum(), None, cell.trainable_params())
    for call in (cell, lambda x: compute(x)[0]):
        got = [call(given).asnumpy() for _ in range(6)][-1]
        np.testing.assert_allclose(got, expected if got.ndim else expected.sum(), rtol=1e-4)
    assert cell.__dict__["_compiled"].plain_calls == 0
    assert cell.__dict__["_compiled"].runs <= 3


# ------------------------------------------------------------------------ random generators

generator = random.Random(0)
draw = generator.randrange


def test_a_generator_that_is_held_and_not_used_is_no_reason_and_its_draws_are_fresh():
    def function(x, some=False):
        return x + draw(100) if some else x * 2

    replays(function)
    ms.set_context(mode=ms.GRAPH_MODE)

    class Drawing(nn.Cell):
        def construct(self, x):
            return function(x, True)

    generator.seed(1)
    expected = [generator.randrange(100) for _ in range(8)]
    generator.seed(1)
    net, zero = Drawing(), Tensor(np.zeros(1, np.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [int(net(zero).asnumpy()[0]) for _ in range(8)] == expected


class Batch:
    def __init__(self, x: Tensor) -> None:
        self.x = x


@pytest.mark.parametrize(
    ("make", "read"),
    [
        (Batch, lambda batch: batch.x),
        (lambda x: lambda: x, lambda function: function()),
        (lambda x: iter([x]), next),
    ],
    ids=["object", "function", "iterator"],
)
def test_objects_that_come_with_one_call_are_let_go(make, read):
    compute = ms.jit(lambda given: read(given) * 2)
    held = []
    for i in range(40):
        x = Tensor([float(i)])
        held.append(weakref.ref(x))
        assert compute(make(x)).asnumpy() == [2 * i]
        del x
    gc.collect()
    assert sum(h() is not None for h in held) == 0
    # one that comes again is worth a recording, also after all of these
    given = Batch(Tensor([3.0])) if make is Batch else None
    for _ in range(6 if given else 0):
        assert compute(given).asnumpy() == [6]
    assert given is None or "1 specialization," in ms.graph.explain(compute).text(times=False)
