"""How plans compete: turns, rejections, and what happens when a plan fails; the clock is a toy."""

from __future__ import annotations

import threading

import pytest
import torch

from agar._core.graph import choose
from agar._core.graph.choose import Candidate, Contest, difference
from agar._core.graph.plans.lowering import Part
from agar._core.graph.tape import Chunk, Meta, Op, Ref, Segment
from agar._core.graph.unit import GraphWarning

aten = torch.ops.aten


class Clock:
    """Time passes when a plan runs, and at no other time."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def plan(self, seconds, factor=2.0, error=None):
        def run(x):
            self.now += seconds
            if error is not None:
                raise error
            return None, (x * factor,)

        return run


@pytest.fixture
def clock(monkeypatch):
    toy = Clock()
    monkeypatch.setattr(choose, "time", toy)
    monkeypatch.setattr(choose.runtime, "plans", True)
    return toy


def contest(clock, seconds=0.1):
    metas = {0: Meta(torch.ones(2), 0), 1: Meta(torch.ones(2), 1)}
    segment = Segment([Op(aten.mul.Scalar, (Ref(0), 2), {}, (1,))], [0], [1], metas, False, {})
    made = Contest(segment, clock.plan(seconds), [0], {}, lambda run: None, "f", None)
    made.started_at = 0.0
    made.phase = "comparing"
    return made


def candidate(name, run):
    made = Candidate(name)
    made.run, made.state, made.whole = run, "ready", True
    return made


def compete(made, *others):
    made.candidates += others
    made._open([made.best, *others])
    for _ in range(120):
        assert float(made._compare(torch.ones(2))[1][0].sum()) == 4.0
        if made.phase == "settled":
            return
    raise AssertionError("no decision")


def test_the_fastest_stays(clock):
    made = contest(clock)
    slow, fast = candidate("slow", clock.plan(0.12)), candidate("fast", clock.plan(0.05))
    compete(made, slow, fast)
    assert made.best is fast
    assert "times the time of fast" in slow.reason
    assert any("fast: 50.000 ms" in line and "in use" in line for line in made.describe())


def test_a_hopeless_plan_leaves_early_and_turns_stay_in_pairs(clock):
    made = contest(clock)
    awful, fair = candidate("awful", clock.plan(5.0)), candidate("fair", clock.plan(0.09))
    compete(made, awful, fair)
    assert made.best is fair
    assert len(awful.times) == 3
    assert len(fair.times) == len(made.first.times)


def test_a_plan_with_other_results_is_rejected_with_a_warning(clock):
    made = contest(clock)
    wrong, right = candidate("wrong", clock.plan(0.01, 3.0)), candidate("right", clock.plan(0.05))
    with pytest.warns(GraphWarning, match="plan 'wrong' of 'f' is not used: results differ by"):
        compete(made, wrong, right)
    assert made.best is right
    assert wrong.state == "rejected"


def test_a_plan_that_raises_does_not_reach_the_caller(clock):
    made = contest(clock)
    broken = candidate("broken", clock.plan(0.01, error=ValueError("no kernel")))
    with pytest.warns(GraphWarning, match="it raises ValueError: no kernel"):
        compete(made, broken)
    assert made.best is made.first


def test_a_little_faster_is_not_enough(clock):
    made = contest(clock)
    compete(made, candidate("same", clock.plan(0.0995)))
    assert made.best is made.first


def test_another_thread_runs_the_best_plan_meanwhile(clock):
    made = contest(clock)
    other = candidate("other", clock.plan(0.05))
    made._open([made.best, other])
    with made._lock:
        results = []
        thread = threading.Thread(target=lambda: results.append(made._compare(torch.ones(2))))
        thread.start()
        thread.join()
    assert float(results[0][1][0].sum()) == 4.0
    assert made._turn == 0


def test_a_short_segment_is_left_alone(clock):
    made = contest(clock, seconds=1e-6)
    made.started_at, made.phase = None, "watching"
    made.begin()
    for _ in range(30):
        made._watch(torch.ones(2))
    assert made.phase == "settled"
    assert "too short" in made.describe()[0]


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


def test_whole_numbers_must_be_equal():
    assert difference(torch.tensor([1, 2]), torch.tensor([1, 2])) is None
    assert difference(torch.tensor([1, 2]), torch.tensor([1, 3])) == "whole numbers differ"


@pytest.mark.parametrize("wrong", [False, True])
def test_a_check_keeps_no_value_longer_than_it_is_used(wrong):
    metas = {v: Meta(torch.ones(2), v) for v in range(5)}
    steps = [Op(aten.mul.Scalar, (Ref(v), 2), {}, (v + 1,)) for v in range(4)]
    segment = Segment(steps, [0], [4], metas, False, {})
    part = Part(steps[1:3], [1, 2], [1, 2], [1], [3])
    alive = []

    def compiled(x):
        alive.append(set(env))
        return (x * (5 if wrong else 4),)

    chunk = Chunk(compiled, "compiled", part)
    plan = [steps[0], Op(chunk, (Ref(1),), {}, (3,)), steps[3]]
    env = {0: torch.ones(2)}
    problem, (_, (result,)) = choose.check_chunks(segment, plan, env)
    assert alive == [{1}]  # the input has gone
    assert set(env) == {4}
    assert result.tolist() == [16.0, 16.0]  # of the operations, whatever the plan says
    assert (problem is not None) == wrong
