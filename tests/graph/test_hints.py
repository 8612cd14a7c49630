"""Plans remembered across processes: a hint is tried and checked, and never believed as it is."""

from __future__ import annotations

import contextlib
import math
import os
import time
import types
from pathlib import Path
from typing import Any

import pytest
import torch

from agar._core.graph.autotune import benchmark, hints, tools, tuner, weights
from agar._core.graph.autotune.benchmark import Benchmark, noted, put_off, remember, winner
from agar._core.graph.autotune.hints import Hint, Remembered, _key_of, _read, _understood, _write
from agar._core.graph.autotune.tuner import Autotuner
from agar._core.graph.backends import inductor, o0
from agar._core.graph.backends.engine import Engine
from agar._core.graph.backends.engine_model import ENGINES
from agar._core.graph.diagnostics import GraphWarning
from agar._core.graph.ir.graph import Meta, Op, Ref, Subgraph

aten = torch.ops.aten
KEY = "ab" * 32


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGAR_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("AGAR_PLAN_HINTS", "1")
    monkeypatch.setenv("AGAR_COMPILE", "0")
    for engine in ENGINES:
        monkeypatch.setenv(engine.switch, "0")
    # a trial during which the machine does something else is paid for in a few calls
    monkeypatch.setattr(tuner, "_ALLOWANCE", 1e4)
    monkeypatch.setattr(tuner.runtime, "plans", True)
    for module in (tuner, tools, hints):
        at_once = types.SimpleNamespace(
            start=lambda work, name: work(), is_idle=lambda compilers: True
        )
        monkeypatch.setattr(module, "background", at_once)
    monkeypatch.setattr(benchmark, "_winners", {})
    monkeypatch.setattr(benchmark, "_earlier", {})
    monkeypatch.setattr(benchmark, "_LEAST", 1)
    monkeypatch.setattr(benchmark, "_MOST", 1)
    # benchmarks run at once instead of in calls
    monkeypatch.setattr(tuner, "put_off", lambda: contextlib.nullcontext([]))
    monkeypatch.setattr(tuner, "_ASK", 0.0)


def layer(rows: int = 8, weight: torch.Tensor | None = None) -> Subgraph:
    """A layer and an activation, for inference."""
    weight = torch.eye(16) if weight is None else weight
    x, y = torch.randn(rows, 16), torch.randn(rows, 16)
    metas = {0: Meta(x, 0), 1: Meta(weight, 1), 2: Meta(weight.t(), 1)}
    metas |= {3: Meta(y, 2), 4: Meta(y, 3)}
    ops = [
        Op(aten.t.default, (Ref(1),), {}, (2,)),
        Op(aten.mm.default, (Ref(0), Ref(2)), {}, (3,)),
        Op(aten.tanh.default, (Ref(3),), {}, (4,)),
    ]
    return Subgraph(ops, [0, 1], [4], metas, False, {1: weight})


class Calls:
    """A subgraph that is called as a program calls it."""

    def __init__(self, subgraph: Subgraph) -> None:
        code = o0.generate(subgraph, bound=subgraph.captured)
        self.tuner = Autotuner(subgraph, code, [0], subgraph.captured, self.install, "f", None)
        self.run: Any = code
        self.tuner.begin()

    def install(self, run: Any) -> None:
        self.run = run

    def until_settled(self, limit: int = 20000) -> int:
        x = torch.linspace(-1, 1, 128).reshape(8, 16)
        expected = torch.tanh(x @ self.tuner.bound[1].t())
        for count in range(limit):
            torch.testing.assert_close(self.run(x)[1][0], expected, rtol=1e-4, atol=1e-5)
            if self.tuner.phase == "settled":
                return count + 1
        raise AssertionError("no decision")

    def plans(self) -> dict[str, str]:
        return {c.name: c.state for c in self.tuner.candidates}


def give(plan: str, gain: float = 2.0, kernels: dict[str, str] | None = None) -> None:
    key = _key_of(layer())
    assert key is not None
    _write(key, Hint(plan, gain, kernels or {}))


# ---------------------------------------------------------------------------------------- lookups


def test_equal_subgraphs_have_one_name() -> None:
    assert _key_of(layer()) == _key_of(layer())
    assert _key_of(layer(9)) != _key_of(layer())
    other = layer()
    other.ops[2] = Op(aten.relu.default, (Ref(3),), {}, (4,))
    assert _key_of(other) != _key_of(layer())


def test_the_name_holds_what_changes_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = _key_of(layer())
    threads = torch.get_num_threads()
    torch.set_num_threads(threads + 1)
    try:
        assert _key_of(layer()) != before
    finally:
        torch.set_num_threads(threads)
    monkeypatch.setenv("AGAR_COMPILE", "1")
    assert _key_of(layer()) != before
    monkeypatch.setenv("AGAR_COMPILE", "0")
    monkeypatch.setattr(hints, "_code", lambda: "other code")
    assert _key_of(layer()) != before
    monkeypatch.undo()
    monkeypatch.setenv("AGAR_COMPILE", "0")
    monkeypatch.setattr(inductor, "_machine", lambda: "another processor")
    assert _key_of(layer()) != before


def test_objects_without_a_text_have_no_name() -> None:
    subgraph = layer()
    subgraph.ops[2] = Op(aten.tanh.default, (Ref(3),), {"x": object()}, (4,))
    assert _key_of(subgraph) is None


def test_what_is_written_is_read() -> None:
    assert _read(KEY) is None
    _write(KEY, Hint("folded", 1.5, {"a": "packed"}))
    hint = _read(KEY)
    assert hint is not None
    assert (hint.plan, hint.gain, hint.kernels) == ("folded", 1.5, {"a": "packed"})


def test_a_torn_or_foreign_file_is_no_hint() -> None:
    _write(KEY, Hint("folded", 1.5, {}))
    path = hints._path_of(KEY)
    whole = path.read_bytes()
    for data in (b"", whole[:50], whole[:-1] + b"!", inductor._MAGIC + b"x" * 100):
        path.write_bytes(data)
        assert _read(KEY) is None
    path.write_bytes(whole)
    assert _read(KEY) is not None
    if os.name == "posix":
        path.chmod(0o622)  # others may write to it
        assert _read(KEY) is None
    path.unlink()
    _write(KEY[:-2] + "cd", Hint("folded", 1.5, {}))
    hints._path_of(KEY[:-2] + "cd").rename(path)
    assert _read(KEY) is None  # of another subgraph


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "plain"},
        {"key": "other"},
        {"plan": "my own"},
        {"plan": None},
        {"gain": math.nan},
        {"gain": -1.0},
        {"gain": "2"},
        {"kernels": ["packed"]},
        {"kernels": {"a": 1}},
        {"kernels": {"a": "x" * 5000}},
        {"kernels": {str(n): "packed" for n in range(5000)}},
        {"until": None},
        {"until": time.time() - 60.0},
        {"until": time.time() + 8 * 86400.0},
    ],
    ids=range(14),
)
def test_what_makes_no_sense_is_no_hint(change: dict[str, Any]) -> None:
    now = time.time()
    good = {"kind": "hint", "key": KEY, "plan": "folded", "gain": 2.0, "kernels": {}}
    good["until"] = now + 3600.0
    assert _understood(good, KEY, now) is not None
    assert _understood(good | change, KEY, now) is None


def test_what_was_timed_on_a_busy_machine_is_believed_for_a_day() -> None:
    now = time.time()
    for busy, seconds in ((True, 86400), (False, 7 * 86400)):
        _write(KEY, Hint("folded", 1.5, {}, busy))
        written = inductor.read_file(hints._path_of(KEY))
        assert written is not None
        header = written[0]
        assert abs(header["until"] - now - seconds) < 60
        assert _understood(header, KEY, now + seconds - 60) is not None
        assert _understood(header, KEY, now + seconds + 60) is None


def test_a_busy_machine_says_nothing_for_o0() -> None:
    known = Remembered(layer(), lambda: None)
    key = _key_of(layer())
    assert key is not None
    known.write(Hint("O0", 1.0, {}, busy=True))
    assert _read(key) is None
    known.write(Hint("O0", 1.0, {}, busy=False))
    hint = _read(key)
    assert hint is not None
    assert hint.plan == "O0"


@pytest.mark.parametrize("busy", [True, False])
def test_whether_the_machine_is_busy_is_measured(
    monkeypatch: pytest.MonkeyPatch, busy: bool
) -> None:
    monkeypatch.setattr(tuner, "_WORTH", 0.0)
    monkeypatch.setattr(tuner, "thread_time", time.perf_counter if not busy else lambda: 0.0)
    written: list[Hint] = []
    monkeypatch.setattr(Remembered, "write", lambda self, hint: written.append(hint))
    Calls(layer()).until_settled()
    assert [hint.busy for hint in written] == [busy]


def test_a_folder_that_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: Any) -> None:
        raise OSError("read-only")

    monkeypatch.setattr(inductor, "write_file", fails)
    _write(KEY, Hint("folded", 1.5, {}))
    assert _read(KEY) is None


# ------------------------------------------------------------------------------------------ plans


def test_the_plan_of_a_hint_is_in_use_after_its_check() -> None:
    give("folded")
    calls = Calls(layer())
    assert calls.until_settled() < 12
    assert calls.tuner.best.name == "folded"
    assert calls.plans() == {"O0": "ready", "folded": "ready", "O1 folded": "dropped"} | {
        "O1": "dropped"
    }


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_the_plan_of_an_engine_is_remembered(
    monkeypatch: pytest.MonkeyPatch, engine: Engine
) -> None:
    without = _key_of(layer())
    for other in ENGINES:
        monkeypatch.setenv(other.switch, "1")
    if (reason := engine.available()) is not None:
        pytest.skip(reason)
    assert _key_of(layer()) != without
    give(engine.name)
    calls = Calls(layer())
    assert calls.until_settled() < 12
    assert calls.tuner.best.name == engine.name
    others = [other.name for other in ENGINES if other.available() is None and other is not engine]
    assert calls.plans() == dict.fromkeys(("folded", "O1 folded", "O1", *others), "dropped") | {
        "O0": "ready",
        engine.name: "ready",
    }


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_versions_of_engines_are_in_the_name(
    monkeypatch: pytest.MonkeyPatch, engine: Engine
) -> None:
    monkeypatch.setenv(engine.switch, "1")
    if (reason := engine.available()) is not None:
        pytest.skip(reason)
    before = _key_of(layer())
    monkeypatch.setattr(engine, "version", "0.0.1")
    assert _key_of(layer()) != before


def test_engines_are_tried_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has lost holds no copy of the weights when the next engine's model is made."""
    monkeypatch.setattr(tuner, "_WORTH", 0.0)
    monkeypatch.setenv("AGAR_PLAN_HINTS", "0")
    for engine in ENGINES:
        monkeypatch.setattr(engine, "available", lambda: None)
    seen: list[tuple[str, dict[str, str]]] = []

    class Slow:
        def __init__(self, of: Autotuner, engine: Engine, start: Any) -> None:
            seen.append((engine.name, {c.name: c.state for c in of.candidates}))
            self.run = of.first.run

        def __call__(self, *args: Any) -> Any:
            time.sleep(0.005)
            assert self.run is not None
            return self.run(*args)

    monkeypatch.setattr(tuner, "EnginePlan", Slow)
    calls = Calls(layer())
    calls.until_settled()
    first, second = (engine.name for engine in ENGINES)
    assert [name for name, _ in seen] == [first, second]
    assert seen[0][1][second] == "waiting"
    assert seen[1][1][first] == "dropped"
    assert calls.plans()[second] == "dropped"


def test_o0_is_remembered_too() -> None:
    give("O0", 1.0)
    calls = Calls(layer())
    assert calls.until_settled() < 12
    assert calls.plans() == {"O0": "ready"}


def test_a_plan_that_differs_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    give("folded")
    monkeypatch.setattr(tuner, "_WORTH", 0.0)
    monkeypatch.setattr(
        weights.FoldedPlan, "__call__", lambda self, *args: (None, (self._plain(*args)[1][0] + 1,))
    )
    calls = Calls(layer())
    with pytest.warns(GraphWarning, match="'folded' of 'f' is not used"):
        calls.until_settled()
    assert calls.tuner.best.name == "O0"
    # all plans were tried after it
    assert calls.plans() == {"O0": "ready", "folded": "rejected", "O1 folded": "rejected"} | {
        "O1": "rejected"
    }


def test_a_plan_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    give("O1")  # there is no compiler
    monkeypatch.setattr(tuner, "_WORTH", 0.0)
    calls = Calls(layer())
    calls.until_settled()
    assert set(calls.plans()) == {"O0", "folded", "O1 folded", "O1"}
    give("channels_last")  # it has no convolution
    Calls(layer()).until_settled()


def test_what_was_found_out_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner, "_WORTH", 0.0)
    monkeypatch.setattr(tuner, "_BUSY", 0.0)
    first = Calls(layer())
    first.until_settled()
    key = _key_of(layer())
    assert key is not None
    hint = _read(key)
    assert hint is not None
    assert hint.plan == first.tuner.best.name
    second = Calls(layer())
    second.until_settled()
    assert second.plans()[hint.plan] == "ready"  # which of them wins is a matter of the clock


def test_a_job_that_ended_by_chance_leaves_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner, "_WORTH", 0.0)
    job = types.SimpleNamespace(state="failed", error="took too long", lasting=False)
    monkeypatch.setattr(inductor, "available", lambda: None)
    monkeypatch.setattr(inductor, "request", lambda *args, **kwargs: job)
    Calls(layer()).until_settled()
    key = _key_of(layer())
    assert key is not None
    assert _read(key) is None


def test_new_weights_after_a_hint() -> None:
    give("folded")
    weight = torch.randn(16, 16)
    calls = Calls(layer(weight=weight))
    calls.until_settled()
    for _ in range(3):
        weight.mul_(1.5)
        calls.tuner.phase = "watched"
        x = torch.randn(8, 16)
        expected = torch.tanh(x @ weight.t())
        torch.testing.assert_close(calls.run(x)[1][0], expected, rtol=1e-4, atol=1e-5)


# ---------------------------------------------------------------------------------------- kernels


def test_winners_are_noted_and_remembered() -> None:
    entered: list[int] = []

    def enter() -> dict[str, Any]:
        entered.append(1)
        return {"a": lambda: None}

    with noted() as notes:
        assert winner(Benchmark(("k", 1), "a", enter)) == "a"
    assert notes == {repr(Benchmark(("k", 1), "a", enter).key): "a"}
    other = Benchmark(("k", 2), "a", enter)
    remember({repr(other.key): "b", "what is no key": "c"})
    count = len(entered)
    with put_off() as later:
        assert winner(Benchmark(("k", 2), "a", enter)) == "b"
    assert not later
    assert len(entered) == count


def test_a_kernel_that_is_wrong_is_not_remembered() -> None:
    """Where a benchmark is the comparison of results, an earlier one does not stand for it."""

    def enter() -> dict[str, Any]:
        return {"torch": lambda: None}  # the other's result is wrong

    chosen = Benchmark(("mm", 1), "torch", enter, warm=True)
    remember({repr(chosen.key): "onednn"})
    assert winner(chosen) == "torch"
    assert winner(Benchmark(("mm", 1), "torch", enter, warm=True)) == "torch"
