"""Random programs and all operators: compiled calls give every bit that eager ones give."""

from __future__ import annotations

import functools
import importlib.util
import itertools
import time
from pathlib import Path
from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest
import torch

import agar as ms
from agar import nn, ops
from agar._core.graph.backends import inductor
from agar._core.graph.cache import function as engine
from agar._core.graph.cache.function import CompiledFunction
from agar._core.graph.cache.tree import nodes_of
from agar._core.random import get_all_state, set_all_state
from agar._core.runtime import runtime
from graph.programs import (
    Program,
    Writer,
    calls_of,
    compared,
    compete_at_once,
    counted,
    observe,
    quiet,
)

seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(autouse=True)
def no_search_for_plans(monkeypatch):
    monkeypatch.setattr(runtime, "plans", False)


def sizes(seed):
    return ((3,), (3, 5), (3, 3, 3, 5, 5, 5, 4, 4))[seed % 3]


# ------------------------------------------------------------------------- random programs


@hypothesis.settings(max_examples=60)
@hypothesis.given(seeds)
def test_functions(seed):
    writer = Writer(seed, cell=False)
    writer.write()
    compared(writer.make, calls_of(seed, 8, sizes(seed)), what=writer.source())


@hypothesis.settings(max_examples=60)
@hypothesis.given(seeds)
def test_cells(seed):
    writer = Writer(seed, cell=True)
    writer.write()
    compared(writer.make, calls_of(seed, 8, sizes(seed)), what=writer.source())


@hypothesis.settings(max_examples=30)
@hypothesis.given(seeds, st.booleans())
def test_long_runs(seed, cell):
    """So many calls that each way through a program is replayed, mixed with fresh values."""
    writer = Writer(seed, cell=cell)
    writer.write()
    known, fresh = calls_of(seed, 7, (3,)), calls_of(seed, 30, (3,))
    calls = [known[(i * i + i) % 7] if i % 4 else fresh[i] for i in range(30)]
    compared(writer.make, calls, what=writer.source())


@hypothesis.settings(max_examples=25)
@hypothesis.given(seeds, st.booleans())
def test_any_size(seed, cell):
    """More sizes than have recordings of their own: one recording serves those that are left."""
    while not engine.loaded(engine._FOR_SHAPES):
        time.sleep(0.01)
    writer = Writer(seed, cell=cell, straight=seed % 4 != 0)
    writer.write()
    sizes = [*range(3, 16), 3, 40, 5, 17, 8, 3, 30, 4]
    compared(writer.make, calls_of(seed, len(sizes), sizes), what=writer.source())


@hypothesis.settings(max_examples=40)
@hypothesis.given(seeds, st.booleans())
def test_straight_programs(seed, cell):
    """Programs without values read by Python: from the third call on, all are replays."""
    writer = Writer(seed, cell=cell, straight=True)
    writer.write(16)
    done = compared(writer.make, calls_of(seed, 8, (3,)), what=writer.source())
    # a cell that is found in the globals is learned while the first call runs
    assert done.runs <= (4 if "recomputed" in writer.source() else 2), writer.source()


@hypothesis.settings(max_examples=40)
@hypothesis.given(seeds)
def test_gradients_compiled_as_a_whole(seed):
    writer = Writer(seed, cell=True, smooth=True, straight=seed % 2 == 0)
    writer.write()

    def make():
        program = writer.make()
        net = program.call
        step = ms.value_and_grad(net, 0, net.trainable_params())
        return Program(step, program.parameters, roots=[net])

    compared(make, calls_of(seed, 8, sizes(seed)), what=writer.source())


@hypothesis.settings(max_examples=40)
@hypothesis.given(seeds)
def test_compiled_calls_inside_eager_gradients(seed):
    writer = Writer(seed, cell=True, smooth=True, straight=True)
    writer.write()

    def make():
        program = writer.make()
        net = program.call
        weights = net.trainable_params()
        program.environment = lambda call: ms.value_and_grad(lambda *a: call(*a), 0, weights)
        return program

    # with LSTM weights that are not used, say, there may be nothing that a replay serves
    compared(make, calls_of(seed, 8, (3,)), what=writer.source(), eager_allowed=True)


@hypothesis.settings(max_examples=30)
@hypothesis.given(seeds, st.sampled_from(["SGD", "Momentum", "Adam", "AdamWeightDecay"]))
def test_train_steps(seed, kind):
    writer = Writer(seed, cell=True, smooth=True)
    writer.write()

    def make():
        program = writer.make()
        net = program.call
        options = {"momentum": 0.9} if kind == "Momentum" else {}
        optimizer = getattr(nn, kind)(net.trainable_params(), learning_rate=0.01, **options)
        gradient = ms.value_and_grad(net, None, optimizer.parameters)

        def step(*args):
            loss, grads = gradient(*args)
            optimizer(grads)
            return loss

        parameters = [*program.parameters, *optimizer.get_parameters()]
        return Program(step, parameters, roots=[net, optimizer])

    compared(make, calls_of(seed, 8, sizes(seed)), what=writer.source())


@hypothesis.settings(max_examples=25)
@hypothesis.given(seeds, st.booleans())
def test_programs_in_graph_mode(seed, gradient):
    """The same through ``set_context``: a cell's call, or a gradient at top level."""
    writer = Writer(seed, cell=True, smooth=gradient)
    writer.write()
    calls = calls_of(seed, 8, sizes(seed))
    rows = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        ms.set_seed(5)
        ms.manual_seed(5)
        program = writer.make()
        target: Any = program.call
        if gradient:
            target = ms.value_and_grad(target, 0, target.trainable_params())
        with quiet(allowed=False):
            rows.append([observe(lambda t=target, a=a: t(*a()), program.parameters) for a in calls])
        ms.set_context(mode=ms.PYNATIVE_MODE)
    for i, (eager, graph) in enumerate(zip(*rows, strict=True)):
        assert not eager.differences(graph), (i, eager.differences(graph), writer.source())


# ----------------------------------------------------------------------------- with plans


def tune(seed: int) -> set[tuple[str, bool]]:
    """Calls of a program whose weights change; the plans there were, and whether they were tried.

    Plans for inference are tried from the third call on, and step back when weights change.
    """
    writer = Writer(
        seed,
        cell=True,
        smooth=True,  # folding is for programs that change nothing in place
        straight=True,
        random_numbers=False,
        prints=False,
        continuous=True,
    )
    writer.write(30)

    def make():
        program = writer.make()
        program.call.set_train(False)
        calls = itertools.count()

        def environment(call):
            def step(*args):
                if next(calls) in (8, 20):
                    for p in program.call.get_parameters():
                        p.set_data(p * 0.5)
                return call(*args)

            return step

        program.environment = environment
        return program

    with pytest.MonkeyPatch.context() as patch:
        compete_at_once(patch)
        done = compared(
            make, calls_of(seed, 30, (3,)), what=writer.source(), level=None, rounding=1e-4
        )
    return {
        (c.name, bool(c.times))
        for v in done.function.specializations.values()
        if v.root is not None and v.root.autotuner is not None
        for c in v.root.autotuner.candidates
    }


@hypothesis.settings(max_examples=25)
@hypothesis.given(seeds)
def test_plans_that_compete_while_weights_change(seed):
    tune(seed)


def test_the_plans_that_competed():
    """Folded plans take part in some of such programs; else the test above says nothing."""
    plans = set().union(*map(tune, range(12)))
    assert {("O0", True), ("folded", True)} <= plans, plans


def wait_for_compilation(function: CompiledFunction, number: int) -> None:
    """After the recordings, wait until the plan that was asked for is there."""
    if number != 4:
        return
    for specialization in function.specializations.values():
        for node in nodes_of(specialization.root) if specialization.root is not None else ():
            if node.autotuner is not None:
                for candidate in node.autotuner.candidates:
                    if candidate.job is not None and candidate.job.wait(120) == "failed":
                        assert "nothing in it is for the compiler" in candidate.job.error


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_programs_compiled_by_inductor(seed, monkeypatch):
    reason = inductor.available()
    if reason is not None:
        pytest.skip(reason)
    monkeypatch.setattr(runtime, "plans", True)
    writer = Writer(
        seed, cell=seed % 2 == 0, straight=True, random_numbers=False, prints=False, continuous=True
    )
    writer.write(30)

    def slowly(function, number):
        wait_for_compilation(function, number)
        if number > 4:  # so that the plan looks whether the compilation is done
            time.sleep(0.06)

    done = compared(
        writer.make,
        calls_of(seed, 12, (3,)),
        what=writer.source(),
        level="O1",
        rounding=1e-4,
        between=slowly,
    )
    assert done.runs <= 4
    specializations: list[Any] = [*done.function.specializations.values()]
    autotuner = specializations[-1].root.autotuner
    if all(c.job is None or c.job.state == "ready" for c in autotuner.candidates):
        assert autotuner.best.name.startswith("O1"), autotuner.describe()


# ------------------------------------------------------------------------ every operator


def _battery():
    """The battery of the operator table, whose samples are used here."""
    path = Path(__file__).parents[1] / "ops" / "test_operators.py"
    spec = importlib.util.spec_from_file_location("operator_battery", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


battery = _battery()
ENTRIES = battery.ENTRIES

#: Results that no second call repeats: uninitialized memory, addresses.
UNREPEATABLE = {"new_empty", "empty_like", "empty", "data_ptr"}

#: Equal to rounding only: torch computes these otherwise under any dispatch mode, or LAPACK where
#: memory is aligned otherwise.
ROUNDED = {"svd", "Svd", "cond", "matrix_norm", "NuclearNorm", "lstsq", "Lstsq"}

#: Operators that hand an array of values to Python, and so run as Python inside a graph, too.
EAGER: set[str] = set()

FACTORS = (1.0, 1.0, 0.9, 0.8)


def _scaled(value, factor):
    def change(v):
        if isinstance(v, torch.Tensor) and v.is_floating_point() and factor != 1.0:
            return v * factor
        return v

    return battery.wrapped(battery.mapped(value, change))


def _called(call, args, kwargs, factor):
    return call(*_scaled(args, factor), **_scaled(kwargs, factor))


def _maker(entry, args, kwargs):
    """A name, and what makes the operator: a function of no state, or a primitive."""
    name, call = next(iter(battery.bindings(entry, args, kwargs).items()))
    if not name.endswith("()"):
        return name, lambda: (call, kwargs)
    constructor = {p.name for p in entry.params if p.kind is p.KEYWORD_ONLY}
    settings = {k: v for k, v in kwargs.items() if k in constructor}
    others = {k: v for k, v in kwargs.items() if k not in constructor}
    return name, lambda: (getattr(ops, entry.primitives[0])(**battery.wrapped(settings)), others)


@battery.every_entry
def test_operators(entry):
    """Every sample: two calls as given, two with other values."""
    ms.set_seed(3)
    ms.manual_seed(3)
    fresh = get_all_state()
    for text, args, kwargs in battery._samples(entry):
        name, make = _maker(entry, args, kwargs)
        short = name.split(".")[-1].removesuffix("()")
        if short in UNREPEATABLE:
            continue
        rows = []
        for compiled in (False, True):
            set_all_state(fresh, strict=False)
            call, named = make()
            runs = [0]
            if compiled:
                call = CompiledFunction(call, name, call, level="O0")
                runs = counted(call)
            with quiet(allowed=not compiled or short in EAGER):
                rows.append(
                    [
                        observe(functools.partial(_called, call, args, named, factor))
                        for factor in FACTORS
                    ]
                )
        rounding = 1e-12 if short in ROUNDED else 0.0
        for i, (eager, graph) in enumerate(zip(*rows, strict=True)):
            problems = eager.differences(graph, rounding)
            assert not problems, f"{name}({text}), call {i + 1}: {problems}"
        if not any(row.error for row in rows[0]):
            assert runs[0] <= 4, (name, text)
