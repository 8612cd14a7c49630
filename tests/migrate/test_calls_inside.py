"""`check` compares layers in the run of the whole network, and alone where that is too little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn as T

import agar as ms
from agar import nn, ops
from agar.migrate import check, from_torch
from agar.migrate.isolated import Isolated
from agar.migrate.module_runs import may_drop
from agar.migrate.random_replay import DrawRecorder, drawing_nothing
from agar.migrate.result import Report

X = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of cells that were run by themselves."""
    paths: list[str] = []
    compare = Isolated.compare

    def noted(self: Isolated, pair: Any, *args: Any, **kwargs: Any) -> Any:
        if pair.module_path:
            paths.append(pair.path)
        return compare(self, pair, *args, **kwargs)

    monkeypatch.setattr(Isolated, "compare", noted)
    return paths


class Block(T.Module):
    """What residual networks do: in place, and with one tensor used twice."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm = T.Linear(4, 4), T.BatchNorm1d(4)
        self.relu, self.drop = T.ReLU(inplace=True), T.Dropout(0.2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.norm(self.linear(x))
        out += x
        return self.drop(self.relu(out))


def test_no_layer_runs_by_itself_where_the_whole_shows_all(alone: list[str]) -> None:
    module = T.Sequential(Block(), Block(), T.Linear(4, 3), T.LogSoftmax(-1))
    report = check(module, from_torch(module), X, train=True)
    assert report.passed
    assert not alone
    leaves = [c for c in report.cells if c.leaf]
    assert all(c.status == "equal" for c in leaves)
    named = {c.path: {(r.stage, r.what) for r in c.comparisons} for c in leaves}
    assert named["2"] == {
        ("isolated", what)
        for what in ("output", "gradient of input[0]", "gradient of weight", "gradient of bias")
    }
    assert ("isolated", "running_mean after the run") in named["0.norm"]
    assert ("eval", "output") in named["0.norm"]
    assert all(r.original for c in leaves for r in c.comparisons if "after" not in r.what)


class Pair(T.Module):
    """A part, and how the network uses what it gives."""

    def __init__(self, part: T.Module, use: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.part, self.use = part, use

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.use(x, self.part(x))


class PairCell(nn.Cell):
    """The same of cells."""

    def __init__(self, part: nn.Cell, use: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        self.part, self.use = part, use

    def construct(self, x: Any) -> Any:
        return self.use(x, self.part(x))


def different(report: Report) -> list[str]:
    assert not report.passed
    return [c.path for c in report.cells if c.status == "different"]


def compared(part: T.Module, cell: nn.Cell, use: Callable[[Any, Any], Any]) -> Report:
    return check(Pair(part, use), PairCell(cell, use), X, train=True, sync_weights=True)


class Cut(nn.Dense):
    """A Dense that gives its input no gradient."""

    def construct(self, x: Any) -> Any:
        return super().construct(ops.stop_gradient(x))


@pytest.mark.parametrize("share", [1e-20, 0.0])
def test_a_gradient_that_the_whole_hides_is_seen(share: float) -> None:
    # of 1 + 1e-20 float32 keeps 1
    report = compared(T.Linear(4, 4), Cut(4, 4), lambda x, y: x + share * y)
    assert all(c.equal for c in report.network if "in float64" not in c.what)
    assert different(report) == ["part"]


def test_in_place_a_gradient_that_the_whole_hides_is_seen() -> None:
    class Hidden(T.Module):
        def __init__(self) -> None:
            super().__init__()
            self.relu = T.ReLU(inplace=True)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            inner = x * 1.0
            large = inner + 2.0  # keeps nothing of `inner`
            return large + 1e-20 * self.relu(inner)

    class Straight(nn.Cell):
        def construct(self, x: Any) -> Any:
            return ops.relu(ops.stop_gradient(x)) + 0.0 * x

    class HiddenCell(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.relu = Straight()

        def construct(self, x: Any) -> Any:
            inner = x * 1.0
            return inner + 2.0 + 1e-20 * self.relu(inner)

    report = check(Hidden(), HiddenCell(), X, train=True)
    assert different(report) == ["relu"]


def test_a_result_that_nobody_uses_is_compared(alone: list[str]) -> None:
    report = compared(T.Tanh(), nn.ReLU(), lambda x, y: x * 2.0)
    assert different(report) == ["part"]
    assert "part" in alone


class OnlyEvaluated(nn.Cell):
    """A Dropout that drops nothing in training, and doubles in evaluation."""

    def construct(self, x: Any) -> Any:
        return x * 1.0 if self.training else x * 2.0


def test_evaluation_that_the_whole_hides_is_seen() -> None:
    def use(x: Any, y: Any) -> Any:
        return x + 1e-20 * y

    part = T.BatchNorm1d(4, affine=False, track_running_stats=False)
    cell = nn.BatchNorm1d(4, affine=False, use_batch_statistics=True)
    assert compared(part, cell, use).passed
    report = compared(T.Dropout(0.0), OnlyEvaluated(), use)
    assert different(report) == ["part"]


def test_a_layer_that_is_called_twice_is_compared_by_itself(alone: list[str]) -> None:
    class Twice(T.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear, self.act = T.Linear(4, 4), T.Tanh()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.act(self.linear(self.act(self.linear(x))))

    module = Twice()
    report = check(module, from_torch(module), X, train=True)
    assert report.passed
    # the gradient of its weights is the sum of both calls; what has none is seen inside
    assert set(alone) == {"linear"}


def test_draws_of_a_cell_where_the_original_has_none_are_named() -> None:
    report = compared(T.Identity(), nn.Dropout(p=0.5), lambda x, y: x + 0.0 * y)
    assert not report.passed
    assert any("the cell of part draws" in p for p in report.problems)


def test_generators_of_the_network_itself_are_followed() -> None:
    class Noisy(T.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = T.Linear(4, 4)
            self.generator = torch.Generator().manual_seed(1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.linear(x + torch.rand(x.shape, generator=self.generator))

    class NoisyCell(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Dense(4, 4)

        def construct(self, x: Any) -> Any:
            return self.linear(x + ops.rand_like(x))

    report = check(Noisy(), NoisyCell(), X, sync_weights=True)
    assert all(c.equal for c in report.network)
    assert [c.status for c in report.cells if c.path == "linear"] == ["equal"]


def test_graph_mode_compares_replays_of_each_layer(alone: list[str]) -> None:
    module = T.Sequential(T.Linear(4, 4), T.Tanh())
    assert check(module, from_torch(module), X, mode=ms.GRAPH_MODE, train=True).passed
    assert set(alone) == {"0", "1"}


def test_modes_do_not_see_what_draws_nothing() -> None:
    recorder = DrawRecorder()
    with recorder:
        torch.rand(2)
        with drawing_nothing():
            torch.rand(3)
        torch.rand(4)
    assert [d.value.numel() for d in recorder.draws] == [2, 4]
    with drawing_nothing():  # nothing looks: nothing to keep from it
        assert torch.ones(2).sum() == 2


def test_a_dropout_that_drops_nothing_is_not_waited_for() -> None:
    assert not may_drop(torch.nn.Sequential(torch.nn.Dropout(0.0)))
    assert may_drop(torch.nn.Sequential(torch.nn.Dropout(0.1)))
