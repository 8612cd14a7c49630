"""How plans compete: turns, rejections, and what happens when a plan fails; the clock is a toy."""

from __future__ import annotations

import sys
import threading

import pytest
import torch

from agar._core.graph.autotune import tuner
from agar._core.graph.autotune.candidate import Candidate
from agar._core.graph.autotune.tuner import Autotuner
from agar._core.graph.autotune.verify import check_chunks, difference, perturb
from agar._core.graph.backends import inductor
from agar._core.graph.backends.lowering import Part
from agar._core.graph.diagnostics import GraphWarning
from agar._core.graph.ir.graph import Chunk, Meta, Op, Ref, Subgraph

aten = torch.ops.aten


class Clock:
    """Time passes when a plan runs, and at no other time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.spinning: dict[str, float] = {}

    def perf_counter(self) -> float:
        return self.now

    def plan(self, seconds, factor=2.0, error=None):
        def run(x):
            self.now += seconds
            if error is not None:
                raise error
            return None, (x * factor,)

        return run

    def beside(self, seconds, threads, spins=0.0):
        """A plan on threads that spin behind it, and that wait for a core while others' do."""

        def run(x):
            others = max([t for name, t in self.spinning.items() if name != threads], default=0.0)
            self.now += seconds * (2.0 if others > self.now else 1.0)
            self.spinning[threads] = self.now + spins
            return None, (x * 2.0,)

        return run


@pytest.fixture
def clock(monkeypatch):
    toy = Clock()
    monkeypatch.setattr(tuner, "time", toy)
    monkeypatch.setattr(tuner.runtime, "plans", True)
    monkeypatch.setattr(tuner.background, "is_idle", lambda compilers: True)
    return toy


def autotuner(clock, seconds=0.1):
    metas = {0: Meta(torch.ones(2), 0), 1: Meta(torch.ones(2), 1)}
    subgraph = Subgraph([Op(aten.mul.Scalar, (Ref(0), 2), {}, (1,))], [0], [1], metas, False, {})
    result = Autotuner(subgraph, clock.plan(seconds), [0], {}, lambda run: None, "f", None)
    result.started_at = 0.0
    result.phase = "comparing"
    return result


def candidate(name, run):
    result = Candidate(name)
    result.run, result.state, result.whole = run, "ready", True
    return result


def tune(made, *others, limit=400):
    made.candidates += others
    made._open(list(others))
    for _ in range(limit):
        assert float(made._compare(torch.ones(2))[1][0].sum()) == 4.0
        if made.phase == "settled":
            return
    raise AssertionError("no decision")


def test_the_fastest_stays(clock):
    result = autotuner(clock)
    slow, fast = candidate("slow", clock.plan(0.12)), candidate("fast", clock.plan(0.05))
    tune(result, slow, fast)
    assert result.best is fast
    assert slow.reason == "1.20 times the time of O0"
    assert any("fast: 50.000 ms" in line and "in use" in line for line in result.describe())


def test_a_hopeless_plan_leaves_early_and_turns_are_compared_in_pairs(clock):
    result = autotuner(clock)
    awful, fair = candidate("awful", clock.plan(0.5)), candidate("fair", clock.plan(0.09))
    tune(result, awful, fair)
    assert result.best is fair
    assert awful.trials == pytest.approx([5.0])
    assert fair.trials == pytest.approx([0.9] * 9)
    assert fair.gain == pytest.approx(1 / 0.9)


def test_what_has_lost_is_let_go(clock):
    result = autotuner(clock)
    slow, fast = candidate("slow", clock.plan(0.2)), candidate("fast", clock.plan(0.05))
    tune(result, slow, fast)
    assert slow.run is None
    assert result.first.run is not None  # folded plans step back to it


def test_memory_of_what_has_lost_is_given_back(clock, monkeypatch):
    calls = []
    monkeypatch.setattr(tuner.background, "start", lambda work, name: work())
    monkeypatch.setattr(tuner.malloc, "give_back", lambda: calls.append(slow.run))
    slow, fast = candidate("slow", clock.plan(0.2)), candidate("fast", clock.plan(0.05))
    tune(autotuner(clock), slow, fast)
    assert calls == [None, None]  # when it was let go, and when all was settled


def test_trials_take_a_small_part_of_the_time(clock):
    """Over any calls, no more than O0 would take and a trial; fast plans pay for trials."""
    result = autotuner(clock)
    others = [candidate(str(n), clock.plan(0.1 * f)) for n, f in enumerate((1.3, 2.0, 0.98, 1.1))]
    result.candidates += others
    result._open(others)
    ends = [clock.now]
    while result.phase != "settled":
        result._compare(torch.ones(2))
        ends.append(clock.now)
    assert len(ends) < 400
    worst = max(
        (ends[j] - ends[i]) - 0.1 * (1 + tuner._ALLOWANCE) * (j - i)
        for i in range(len(ends))
        for j in range(i, len(ends))
    )
    assert worst < 0.1 * (2.0 + 1.0)  # the dearest check, and the first turn after it
    assert result.best is others[2]


def test_a_plan_with_other_results_is_rejected_with_a_warning(clock):
    result = autotuner(clock)
    wrong, right = candidate("wrong", clock.plan(0.01, 3.0)), candidate("right", clock.plan(0.05))
    with pytest.warns(GraphWarning, match="plan 'wrong' of 'f' is not used: results differ by"):
        tune(result, wrong, right)
    assert result.best is right
    assert wrong.state == "rejected"


def test_a_plan_that_raises_does_not_reach_the_caller(clock):
    result = autotuner(clock)
    broken = candidate("broken", clock.plan(0.01, error=ValueError("no kernel")))
    with pytest.warns(GraphWarning, match="it raises ValueError: no kernel"):
        tune(result, broken)
    assert result.best is result.first


def engine(name, run):
    result = candidate(name, run)
    result.threads = name
    return result


def test_threads_of_others_have_stopped_spinning_when_a_plan_is_timed(clock):
    """Call by call in turns with torch, the engine would seem to be 1.6 times as slow."""
    result = autotuner(clock)
    result.first.run = clock.beside(0.01, "torch", 0.004)
    result._hold(result.first)
    fast = engine("engine", clock.beside(0.008, "engine"))
    tune(result, fast)
    assert result.best is fast
    assert fast.trials == pytest.approx([0.8] * 9)
    other = candidate("torch's", clock.beside(0.0075, "torch", 0.004))
    result.phase = "comparing"
    tune(result, other, engine("another", clock.beside(0.01, "another", 0.004)), limit=2000)
    assert result.best is other  # whose calls follow the engine's
    assert other.gain == pytest.approx(0.01 / 0.0075)


def test_an_engine_is_timed_while_nothing_is_prepared(clock, monkeypatch):
    monkeypatch.setattr(tuner.background, "is_idle", lambda compilers: False)
    result = autotuner(clock)
    fast = engine("engine", clock.plan(0.05))
    result.candidates.append(fast)
    installed = []
    result.install = installed.append
    result._open([fast])
    for _ in range(30):
        installed[-1](torch.ones(2))
    assert not fast.checked
    monkeypatch.setattr(tuner.background, "is_idle", lambda compilers: True)
    for _ in range(200):
        installed[-1](torch.ones(2))
    assert result.best is fast
    assert result.phase == "settled"


@pytest.mark.parametrize("somebody_waits", [False, True])
def test_compilers_begin_behind_engines(clock, monkeypatch, somebody_waits):
    asked = []

    class Job:
        state, error, lasting = "waiting", "", True

    monkeypatch.setattr(inductor, "available", lambda: None)
    monkeypatch.setattr(inductor, "request", lambda *a, **k: asked.append(a) or Job())
    result = autotuner(clock)
    late = engine("engine", None)
    late.state = "waiting"
    result.candidates.append(late)
    result.candidates += result._compiled()
    result._open([])
    for _ in range(5):
        result._waiting(torch.ones(2))
    assert not asked
    if somebody_waits:
        result.compile_now()
        assert len(asked) == 1
        result.compile_now()
    else:
        late.run, late.state = clock.plan(0.05), "prepared"
        installed = []
        result.install = installed.append
        result._open([])
        while late.state == "prepared" or result._candidates:
            assert not asked
            installed[-1](torch.ones(2))
        for _ in range(3):
            installed[-1](torch.ones(2))
        assert result.best is late
    assert len(asked) == 1


def test_a_little_faster_is_not_enough(clock):
    result = autotuner(clock)
    tune(result, candidate("same", clock.plan(0.0995)))
    assert result.best is result.first


def test_another_thread_runs_the_best_plan_meanwhile(clock):
    result = autotuner(clock)
    other = candidate("other", clock.plan(0.05))
    result._open([other])
    with result._lock:
        results = []
        thread = threading.Thread(target=lambda: results.append(result._compare(torch.ones(2))))
        thread.start()
        thread.join()
    assert float(results[0][1][0].sum()) == 4.0
    assert not result.first.times
    assert not other.checked


def test_threads_are_served_while_plans_come_and_go(clock, monkeypatch):
    monkeypatch.setattr(tuner, "_ALLOWANCE", 1e9)
    monkeypatch.setattr(tuner, "_CREDIT", 1e9)
    interval = sys.getswitchinterval()
    wrong = []

    def calls():
        try:
            while result.phase != "settled":
                if float(place[0](torch.ones(2))[1][0].sum()) != 4.0:
                    wrong.append("another result")
        except Exception as error:
            wrong.append(repr(error))

    for _ in range(20):
        result = autotuner(clock)
        place = [result._compare]
        result.install = lambda run, place=place: place.__setitem__(0, run)
        candidates = [candidate(str(n), clock.plan(0.1 * 0.6**n)) for n in range(5)]
        result.candidates += candidates
        result._open(candidates)
        threads = [threading.Thread(target=calls) for _ in range(3)]
        sys.setswitchinterval(1e-6)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        assert result.phase == "settled"
        assert result.best is not result.first
    assert not wrong


def test_a_short_segment_is_left_alone(clock):
    result = autotuner(clock, seconds=1e-6)
    result.started_at, result.phase = None, "watching"
    result.begin()
    for _ in range(30):
        result._watch(torch.ones(2))
    assert result.phase == "settled"
    assert "too short" in result.describe()[0]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([1.0, 2.0], None),
        ([1.0, 2.0001], None),
        ([1.0, 2.1], "differ by"),
        ([1.0, float("nan")], "NaN"),
        ([1.0, 2.0, 3.0], "not torch.float32"),
    ],
)
def test_differences(found, words):
    said = difference(torch.tensor([1.0, 2.0]), torch.tensor(found))
    assert said is None if words is None else words in str(said)


def test_differences_of_complex_numbers():
    a = torch.tensor([1 + 2j, 3 - 4j])
    assert difference(a, a * (1 + 1e-6)) is None
    assert difference(a, a.conj()) is not None
    assert difference(a, a.conj().conj()) is None


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_none_must_stand_at_the_same_places(odd):
    a = torch.tensor([1.0, odd, 3.0])
    assert difference(a, torch.tensor([1.0, odd, 3.0001])) is None
    assert difference(a, torch.tensor([odd, 1.0, 3.0])) is not None
    assert difference(a, torch.tensor([1.0, odd, 4.0])) is not None
    assert difference(torch.full((2,), odd), torch.full((2,), odd)) is None


def test_whole_numbers_must_be_equal():
    assert difference(torch.tensor([1, 2]), torch.tensor([1, 2])) is None
    assert difference(torch.tensor([1, 2]), torch.tensor([1, 3])) == "whole numbers differ"


def test_what_rounding_may_do_is_measured():
    x = torch.linspace(0.5, 1.5, 1000)
    near = perturb(x)
    assert near.dtype == x.dtype
    roundings = (near - x).abs() / (x * torch.finfo(x.dtype).eps)
    assert float(roundings.min()) > 3
    assert float(roundings.max()) < 5
    assert {-1.0, 1.0} == set(torch.sign(near - x).tolist())
    whole = torch.arange(3)
    assert perturb(whole) is whole

    expected, result = torch.tensor(1e-3), torch.tensor(0.4)
    assert difference(expected, result) is not None
    assert difference(expected, result, torch.tensor(0.2)) is None
    assert difference(expected, torch.tensor(5.0), torch.tensor(0.2)) is not None
    assert difference(torch.tensor([1, 2]), torch.tensor([1, 3]), torch.tensor([1, 4])) is None
    assert difference(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([torch.inf]))


@pytest.mark.parametrize("share", [1e-7, 0.5])
def test_a_part_that_differs_is_judged_by_nudged_inputs(share):
    """A sum that cancels to its roundings is no error of the compiler; half of a result is."""
    metas = {v: Meta(torch.ones(64), v) for v in range(2)} | {2: Meta(torch.ones(()), 2)}
    steps = [
        Op(aten.sub.Tensor, (Ref(0), Ref(1)), {}, (3,)),
        Op(aten.sum.default, (Ref(3),), {}, (2,)),
    ]
    metas[3] = Meta(torch.ones(64), 3)
    subgraph = Subgraph(steps, [0, 1], [2], metas, False, {})
    part = Part(steps, [0, 1], [0, 1], [0, 1], [2])
    x = torch.linspace(1.0, 2.0, 64) * 1000
    chunk = Chunk(lambda a, b: ((a - b).sum() + share * float(a.sum()),), "compiled", part)
    plan = [Op(chunk, (Ref(0), Ref(1)), {}, (2,))]
    problem, _ = check_chunks(subgraph, plan, {0: x, 1: x.clone()})
    assert problem is not None
    problem, (_, (result,)) = check_chunks(subgraph, plan, {0: x, 1: x.clone()}, careful=True)
    assert (problem is None) == (share < 0.1)
    assert float(result) == 0.0


@pytest.mark.parametrize("wrong", [False, True])
def test_a_check_keeps_no_value_longer_than_it_is_used(wrong):
    metas = {v: Meta(torch.ones(2), v) for v in range(5)}
    steps = [Op(aten.mul.Scalar, (Ref(v), 2), {}, (v + 1,)) for v in range(4)]
    subgraph = Subgraph(steps, [0], [4], metas, False, {})
    part = Part(steps[1:3], [1, 2], [1, 2], [1], [3])
    alive = []

    def compiled(x):
        alive.append(set(env))
        return (x * (5 if wrong else 4),)

    chunk = Chunk(compiled, "compiled", part)
    plan = [steps[0], Op(chunk, (Ref(1),), {}, (3,)), steps[3]]
    env = {0: torch.ones(2)}
    problem, (_, (result,)) = check_chunks(subgraph, plan, env)
    assert alive == [{1}]  # the input has gone
    assert set(env) == {4}
    assert result.tolist() == [16.0, 16.0]  # of the operations, whatever the plan says
    assert (problem is not None) == wrong
