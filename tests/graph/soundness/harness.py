"""Programs that are run three times, in PYNATIVE_MODE, in GRAPH_MODE and under `jit`.

A program is a generator function. It is given `run`, which says how a cell or function is called,
and yields what can be seen after each of its steps: results, containers, counters, exceptions.
`check` runs it in each way from the same seeds and wants the same to be seen.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn
from agar._core import random as agar_random
from agar._core.graph.cache.function import CompiledFunction
from agar._core.graph.cache.results import without_iterators
from agar._core.graph.diagnostics import GraphWarning
from agar._core.runtime import runtime

WAYS = ("pynative", "graph", "jit")


class Wrapped(nn.Cell):
    """A cell around a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.function(*args, **kwargs)


class Run:
    """How a program calls what may be compiled.

    Attributes:
        way: one of `WAYS`.
    """

    def __init__(self, way: str) -> None:
        self.way = way

    def __call__(self, target: Any) -> Any:
        """What to call instead of a cell or function."""
        if self.way == "jit":
            return ms.jit(target)
        return target if isinstance(target, nn.Cell) else Wrapped(target)


def _as_returned(value: Any) -> Any:
    """An iterator as compiled calls return it, by its values; programs that go on with it may."""
    if type(value) in (zip, map, filter, enumerate):
        try:
            value = copy.deepcopy(value)
        except TypeError:  # it goes over a generator, say
            return value
    elif type(value) not in (range, type({}.keys()), type({}.values()), type({}.items())):
        return value
    alone = [value]
    del value
    return without_iterators(alone)


def seen(value: Any, depth: int = 0) -> Any:
    """A value as plain data that compares equal only if every bit is equal."""
    if depth > 20:
        return "..."
    value = _as_returned(value)
    kind = type(value).__name__
    if isinstance(value, Tensor):
        raw = value._value.detach().contiguous().cpu()
        if raw.numel() < 64:
            return kind, str(raw.dtype), tuple(raw.shape), repr(raw.reshape(-1).tolist())
        return kind, str(raw.dtype), tuple(raw.shape), raw.numpy().tobytes()
    if isinstance(value, nn.Cell):
        mine = {k: v for k, v in value.__dict__.items() if not k.startswith("_")}
        held = [*value._params.values(), *value._cells.values()]
        return kind, value.training, _items(mine, depth), [seen(v, depth + 1) for v in held]
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return "array", value.shape, [seen(v, depth + 1) for v in value.flat]
        return "array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, collections.defaultdict):
        return kind, getattr(value.default_factory, "__name__", None), _items(value, depth)
    if isinstance(value, dict):
        return kind, _items(value, depth)
    if isinstance(value, (set, frozenset)):
        return kind, sorted(repr(v) for v in value)
    if isinstance(value, (list, tuple, collections.deque)):
        return kind, [seen(v, depth + 1) for v in value], getattr(value, "maxlen", None)
    if isinstance(value, BaseException):
        return "raised", kind, [seen(v, depth + 1) for v in value.args]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f.name for f in dataclasses.fields(value)]
        return kind, [(n, seen(getattr(value, n), depth + 1)) for n in fields]
    if isinstance(
        value, (int, float, complex, str, bytes, bytearray, bool, type(None), np.generic)
    ):
        return kind, repr(value)
    if type(value).__module__.startswith("test_") or "soundness" in type(value).__module__:
        return kind, _items(getattr(value, "__dict__", {}), depth)
    return kind, repr(value) if " at 0x" not in repr(value) else ""


def _items(value: Any, depth: int) -> list[Any]:
    return [(repr(k), seen(v, depth + 1)) for k, v in dict.items(value)]


def _random(first: int) -> Any:
    state: Any = np.random.get_state()
    live = sorted(agar_random._live.items())
    own = [(serial - first, repr(seen(s.state))) for serial, s in live if serial > first]
    return (
        random.getstate(),
        state[1].tobytes(),
        state[2],
        own,
        torch.get_rng_state().numpy().tobytes(),
    )


def observe(
    program: Callable[[Run], Iterator[Any]], way: str, plans: bool = False
) -> tuple[list[Any], list[str]]:
    """What a program shows in one way of running it, and what the engine says.

    Args:
        program: a generator function.
        way: one of `WAYS`.
        plans: whether other plans than O0 may run, which round in other ways. Default: False.
    """
    ms.set_context(mode=ms.GRAPH_MODE if way == "graph" else ms.PYNATIVE_MODE)
    random.seed(11)
    np.random.seed(11)
    ms.set_seed(11)
    ms.manual_seed(11)
    torch.default_generator.manual_seed(11)  # torch.manual_seed formats the call stack each time
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(11)
    first = next(agar_random._serial)
    rows: list[Any] = []
    before, runtime.plans = runtime.plans, plans
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for value in program(Run(way)):
                rows.append((seen(value), _random(first)))  # noqa: PERF401 - a generator is watched
    finally:
        runtime.plans = before
        ms.set_context(mode=ms.PYNATIVE_MODE)
    words = [str(w.message) for w in caught if issubclass(w.category, GraphWarning)]
    return rows, words


def attempt(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of a call, or its exception's type and words."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        return "raised", type(error).__name__, str(error).split(". ")[0][:60]


def check(program: Callable[[Run], Iterator[Any]], quiet: bool = False) -> None:
    """Want the same to be seen in all ways of running a program.

    Args:
        program: a generator function.
        quiet: whether the engine must replay, that is, have nothing to say. Default: False.
    """
    plain, _ = observe(program, "pynative")
    assert plain, "the program shows nothing"
    for way in WAYS[1:]:
        rows, words = observe(program, way)
        for i, (then, now) in enumerate(zip(plain, rows, strict=False)):
            where = f"{way}, step {i + 1}"
            assert now[0] == then[0], f"{where}: expected {then[0]!r:.300}, got {now[0]!r:.300}"
            assert now[1] == then[1], f"{where}: the state of random generators differs"
        assert len(rows) == len(plain)
        if quiet:
            assert not words, f"{way}: {words}"


def calls_of(program: Callable[[Run], Iterator[Any]], patch: pytest.MonkeyPatch) -> Any:
    """The compiled functions that a program calls under `jit`, and how often.

    Args:
        program: a generator function.
        patch: takes the counting back.
    """
    calls = collections.Counter()
    serve = CompiledFunction.serve

    def served(self: Any, *args: Any) -> Any:
        calls[self] += 1
        return serve(self, *args)

    patch.setattr(CompiledFunction, "serve", served)
    observe(program, "jit")
    assert calls
    assert min(calls.values()) >= 12
    return calls


Table = list[Any]


def program(table: Table, fault: str = "", python: bool = False) -> Callable[[Any], Any]:
    """Add a program to a table.

    Args:
        table: the table of a test module.
        fault: what the engine is known to do wrong. Default: none.
        python: whether its calls may run as ordinary Python. Default: False, they are replayed.
    """

    def add(function: Any) -> Any:
        table.append(entry(function, function.__name__, fault, python))
        return function

    return add


def entry(function: Any, name: str, fault: str = "", python: bool = False) -> Any:
    """A row of a table for `pytest.mark.parametrize`."""
    marks = [pytest.mark.xfail(strict=True, reason=fault)] if fault else []
    return pytest.param(function, not python, id=name, marks=marks)
