"""The plans of engines: weights, threads, forks, and where there is none."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import math
import os
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

from agar._core.graph.autotune import weights
from agar._core.graph.autotune.weights import EnginePlan
from agar._core.graph.backends import o0
from agar._core.graph.backends.engine import Engine, Untranslatable
from agar._core.graph.backends.engine_model import Model, may_gain
from agar._core.graph.backends.openvino import OPENVINO
from graph.engines.models import ODD, SQUARE, Current, model_of, network, parts, tensor
from graph.folding import record

aten = torch.ops.aten


# ---------------------------------------------------------------------------------------- the plan


def plan_of(fn: Callable[..., Any], *inputs: torch.Tensor) -> tuple[EnginePlan, Any]:
    """The plan of a function, with a start of work at once, and O0."""
    subgraph = record(fn, *inputs)
    takes, bound = parts(subgraph)
    plain = o0.generate(subgraph, bound=bound)
    tuner = types.SimpleNamespace(
        subgraph=subgraph, takes=takes, bound=bound, first=types.SimpleNamespace(run=plain)
    )
    with torch.no_grad():
        return EnginePlan(tuner, Current.engine, lambda work, name: work()), plain


class Counted:
    """Counts the calls of a plan's models."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        call = Model.__call__

        def counting(model: Model, *args: Any) -> Any:
            result = call(model, *args)
            self.calls += result is not None
            return result

        patch.setattr(Model, "__call__", counting)


@torch.no_grad()
def test_odd_calls_are_o0s_to_the_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    x = tensor(1, 3, 8, 8)
    plan, plain = plan_of(network(), x)
    assert not torch.equal(plan(x)[1][0], torch.zeros(()))
    assert counted.calls == 1
    for odd in ODD:
        x[0, 2, 4, 4] = odd
        torch.testing.assert_close(plan(x)[1][0], plain(x)[1][0], rtol=0, atol=0, equal_nan=True)
    assert counted.calls == 1


@torch.no_grad()
def test_errors_are_o0s() -> None:
    table = tensor(5, 8)
    plan, _ = plan_of(lambda i: aten.embedding(table, i) @ SQUARE, torch.tensor([1, 2]))
    with pytest.raises(IndexError, match="out of range") as info:
        plan(torch.tensor([1, 5]))
    assert any(entry.frame.code.name == "subgraph" for entry in info.traceback)


@torch.no_grad()
def test_copies_that_compiling_takes_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The heap would keep them: half of the memory at its peak."""
    seen: list[str] = []

    @contextlib.contextmanager
    def mapped() -> Iterator[None]:
        seen.append("begin")
        yield
        seen.append("end")

    init = Model.__init__

    def noted(self: Model, *args: Any) -> None:
        seen.append("model")
        init(self, *args)

    monkeypatch.setattr(weights.malloc, "mapped_one_by_one", mapped)
    monkeypatch.setattr(Model, "__init__", noted)
    plan_of(network(), tensor(1, 3, 8, 8))
    assert seen == ["begin", "model", "end"]


WRITES: list[Any] = [
    lambda w: w.mul_(2),
    lambda w: w.view(-1)[3:5].fill_(4.0),
    lambda w: w.__setitem__((0, 0), 1.0),
    lambda w: w.detach().add_(1),
    lambda w: torch._foreach_add_([w], 0.5),
    lambda w: w.copy_(w.flip(0)),
]


@torch.no_grad()
@pytest.mark.parametrize("write", range(len(WRITES)))
def test_weights_that_change(write: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    net, x = network(), tensor(1, 3, 8, 8)
    plan, plain = plan_of(net, x)
    monkeypatch.setattr(weights, "_REFOLD_AFTER", 3)
    for _ in range(2):
        WRITES[write](net[0].weight)
        for n in range(6):
            torch.testing.assert_close(plan(x)[1][0], plain(x)[1][0], rtol=1e-4, atol=1e-4)
            assert counted.calls == max(0, n - 2)
        counted.calls = 0


@torch.no_grad()
def test_weights_that_become_infinite(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    net, x = network(), tensor(1, 3, 8, 8)
    plan, plain = plan_of(net, x)
    monkeypatch.setattr(weights, "_REFOLD_AFTER", 3)
    net[0].weight.mul_(math.inf)
    for _ in range(9):
        torch.testing.assert_close(plan(x)[1], plain(x)[1], rtol=0, atol=0, equal_nan=True)
    assert counted.calls == 0


@torch.no_grad()
def test_weights_that_change_while_the_model_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    net, x = network(), tensor(1, 3, 8, 8)
    init = Model.__init__

    def slow(self: Model, *args: Any) -> None:
        init(self, *args)
        net[3].bias.add_(1)

    monkeypatch.setattr(Model, "__init__", slow)
    with pytest.raises(RuntimeError, match="changed while"):
        plan_of(net, x)


def threads_of(compiled: Any) -> int:
    if Current.engine is OPENVINO:
        return compiled.model.get_property("INFERENCE_NUM_THREADS")
    return compiled.session.get_session_options().intra_op_num_threads


@torch.no_grad()
def test_other_numbers_of_threads_are_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    x = tensor(1, 3, 8, 8)
    plan, _ = plan_of(network(), x)
    monkeypatch.setattr(weights, "_REFOLD_AFTER", 3)
    threads = torch.get_num_threads()
    torch.set_num_threads(threads + 1)
    try:
        calls = [(plan(x), counted.calls)[1] for _ in range(6)]
        assert threads_of(plan._current[1]._compiled) == threads + 1
    finally:
        torch.set_num_threads(threads)
    assert calls == [0, 0, 0, 1, 2, 3]


def test_float32_is_computed_in_float32() -> None:
    model = model_of(network(), tensor(1, 3, 8, 8))
    compiled: Any = model._compiled
    if Current.engine is OPENVINO:
        kind = compiled.model.get_property("INFERENCE_PRECISION_HINT")
        assert kind.get_type_name() == "f32"
    else:
        options = compiled.session.get_session_options()
        entry = "mlas.enable_gemm_fastmath_arm64_bfloat16"
        assert options.get_session_config_entry(entry) == "0"


@torch.no_grad()
def test_calls_from_threads() -> None:
    net = network()
    inputs = [tensor(1, 3, 8, 8, seed=n) for n in range(8)]
    model = model_of(net, inputs[0])
    expected = [net(x) for x in inputs]
    wrong: list[Any] = []

    def work(n: int) -> None:
        with torch.no_grad():
            results = [model(inputs[n])[1][0] for _ in range(20)]
            wrong.extend(t for t in results if not torch.allclose(t, expected[n], 1e-4, 1e-4))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
@torch.no_grad()
def test_a_forked_child_runs_o0(engine: Engine) -> None:
    x = tensor(1, 3, 8, 8)
    plan, plain = plan_of(network(), x)
    plan(x)
    child = os.fork()
    if child == 0:
        same = torch.equal(plan(x)[1][0], plain(x)[1][0])
        os._exit(0 if same and engine.available() is not None else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert engine.available() is None


# ------------------------------------------------------------------------------------- around it


def test_it_can_be_turned_off(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engine.switch, "0")
    assert engine.available() == f"the environment variable {engine.switch} is 0"
    with pytest.raises(Untranslatable, match=engine.switch):
        model_of(network(), tensor(1, 3, 8, 8))


def test_where_it_is_not_installed(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    for module in engine.modules:
        with monkeypatch.context() as patch:
            patch.delitem(sys.modules, module, raising=False)
            others = {name: found(name) for name in engine.modules if name != module}
            patch.setattr("importlib.util.find_spec", others.get)
            assert engine.available() == f"{engine.name} is not installed"


def test_its_versions_are_known(engine: Engine) -> None:
    for module in engine.modules:
        assert importlib.metadata.version(module) in engine.version.split()


def test_it_is_imported_when_it_is_used(engine: Engine) -> None:
    code = f"""
import sys, agar as ms
from agar import nn
ms.set_context(mode=ms.GRAPH_MODE)
net = nn.Dense(4, 4)
for _ in range(5):
    net(ms.ops.ones((2, 4), ms.float32))
assert not {set(engine.modules)!r} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_the_code_of_a_model_can_be_read() -> None:
    source = model_of(network(), tensor(1, 3, 8, 8)).source
    assert "convolution: [1, 8, 6, 6]" in source
    assert np.all([part in source for part in ("def head", "def tail", "hardtanh")])


def test_networks_that_it_cannot_have_do_not_import_it() -> None:
    x = tensor(2, 8)
    assert may_gain(record(lambda x: x @ SQUARE, x))
    assert not may_gain(record(lambda x: x.half() @ SQUARE.half(), x))
    assert not may_gain(record(lambda x: torch.relu(x), x))
    assert not may_gain(record(lambda x: x @ SQUARE.to("meta"), x.to("meta")))
