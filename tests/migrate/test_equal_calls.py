"""`check` compares one of the calls that compute the same, and only those."""

from __future__ import annotations

import gc
from typing import Any

import pytest
import torch
from torch import nn as T

import agar as ms
from agar import nn
from agar._core import gc_pause
from agar.migrate import check, from_torch
from agar.migrate.cell_matching import pair_trees
from agar.migrate.compare import Tolerances, compare, stats
from agar.migrate.equal_calls import signature
from agar.migrate.isolated import Wiring
from agar.migrate.recorder import RunCall
from agar.migrate.trees import call_of


def signatures(module: T.Module, cell: Any, *inputs: torch.Tensor) -> list[bytes | None]:
    """Those of all layers inside a network, each called with the inputs."""
    pairing = pair_trees(module, cell)
    wiring = Wiring.of(module, pairing)
    calls = [RunCall(p, call_of(inputs), 0, 0) for p in pairing.pairs if p.module_path]
    return [signature(c.pair, c, wiring) for c in calls]


def twice(make: Any) -> tuple[T.Module, Any]:
    module = T.Sequential(make(), make())
    return module, from_torch(module)


def test_equal_layers_have_one_signature() -> None:
    for make in (
        lambda: T.Linear(4, 4),
        lambda: T.BatchNorm1d(4),
        lambda: T.Conv1d(4, 4, 1),
        lambda: T.LayerNorm(4),
        lambda: T.Dropout(0.5),
        T.ReLU,
    ):
        module, cell = twice(make)
        first, second = signatures(module, cell, torch.randn(2, 4, 4))
        assert first is not None
        assert first == second


def _another_epsilon(module: Any, cell: Any) -> None:
    cell[1].eps = 2e-5


def _of_the_module(module: Any, cell: Any) -> None:
    module[1].momentum = 0.2


def _another_construct(module: Any, cell: Any) -> None:
    cell[1].construct = lambda x: x


def _frozen(module: Any, cell: Any) -> None:
    cell[1].gamma.requires_grad = False


def _a_hook(module: Any, cell: Any) -> None:
    cell[1].register_forward_hook(lambda c, args, out: out)


def _a_constant(module: Any, cell: Any) -> None:
    cell[0].offset, cell[1].offset = ms.Tensor([1.0]), ms.Tensor([2.0])


def _a_subclass(module: Any, cell: Any) -> None:
    cell[1].__class__ = type("Other", (type(cell[1]),), {})


@pytest.mark.parametrize(
    "change",
    [
        _another_epsilon,
        _of_the_module,
        _another_construct,
        _frozen,
        _a_hook,
        _a_constant,
        _a_subclass,
    ],
)
def test_what_differs_has_another(change: Any) -> None:
    module, cell = twice(lambda: T.BatchNorm1d(4))
    change(module, cell)
    first, second = signatures(module, cell, torch.randn(2, 4))
    assert first is None or first != second


def test_arguments_of_other_shapes_have_another() -> None:
    module, cell = twice(lambda: T.Linear(4, 4))
    one = signatures(module, cell, torch.randn(2, 4))
    other = signatures(module, cell, torch.randn(3, 4))
    assert set(one).isdisjoint(other)


def test_layers_of_one_kind_are_compared_once() -> None:
    module = T.Sequential(*[T.Linear(4, 4) for _ in range(4)])
    # replays are not seen from inside, so that layers run by themselves
    cell = from_torch(module)
    report = check(module, cell, torch.randn(2, 4), mode=ms.GRAPH_MODE, train=True)
    assert report.passed
    reasons = {c.path: c.reason for c in report.cells if c.leaf}
    assert reasons == {"0": ""} | dict.fromkeys(
        "123", "compared through 0, which computes the same"
    )
    assert all(c.comparisons for c in report.cells if c.leaf)


class Scaled(nn.Dense):
    """A Dense whose result is too large, or too small."""

    def __init__(self, factor: float) -> None:
        super().__init__(4, 4, has_bias=False)
        self.factor = factor

    def construct(self, x: Any) -> Any:
        return super().construct(x) * self.factor


def test_parts_that_make_up_for_each_other_are_seen() -> None:
    module = T.Sequential(*[T.Linear(4, 4, bias=False) for _ in range(3)])
    cell = nn.SequentialCell(Scaled(2.0), Scaled(0.5), nn.Dense(4, 4, has_bias=False))
    report = check(module, cell, torch.randn(2, 4), sync_weights=True)
    outputs = [c for c in report.network if c.what == "output"]
    assert all(c.equal for c in outputs)
    assert not report.passed
    assert {c.path: c.status for c in report.cells if c.leaf} == {
        "0": "different",
        "1": "different",
        "2": "equal",
    }


def test_a_wrong_repetition_is_put_on_its_cell() -> None:
    module = T.Sequential(*[T.BatchNorm1d(4) for _ in range(3)])
    cell = from_torch(module)
    cell[1].eps = 0.1
    report = check(module, cell, torch.randn(6, 4), train=True)
    assert [c.path for c in report.cells if c.status == "different"] == ["1"]


def test_the_collector_has_everything_back_after_a_check(monkeypatch) -> None:
    before = gc.get_freeze_count()  # of the tests
    monkeypatch.setattr(gc_pause, "_state", gc_pause._State())
    gc.unfreeze()
    try:
        assert check(T.ReLU(), nn.ReLU(), torch.ones(2)).passed
        assert gc.get_freeze_count() == 0
        with gc_pause.collector_on_new_objects():
            assert gc.get_freeze_count() > 0
            assert check(T.ReLU(), nn.ReLU(), torch.ones(2)).passed
            assert gc.get_freeze_count() > 0
        assert gc.get_freeze_count() == 0
        gc.freeze()
        for _ in range(2):
            assert check(T.ReLU(), nn.ReLU(), torch.ones(2)).passed
            assert gc.get_freeze_count() > 0
    finally:
        gc.freeze() if before else gc.unfreeze()


def test_no_tolerance_is_so_large_that_anything_passes() -> None:
    noise = torch.tensor(
        [3e-6, -1e-6]
    )  # gradients by a bias before BatchNorm: zero but for rounding
    tolerance = Tolerances().of(torch.float32, 8, own=1e9)
    assert tolerance < 1
    assert compare("gradient", "train", -noise, noise, tolerance, floor=1e-4).equal
    assert not compare("gradient", "train", noise + 3, noise, tolerance, floor=1e-4).equal
    assert not compare("gradient", "train", noise[:1], noise, tolerance, floor=1e-4).equal
    assert not compare("output", "train", -noise, noise, tolerance).equal


def test_what_foreign_modules_keep_is_as_before() -> None:
    """Modules inside of modules that PyTorch computes are put back once each."""

    class Counts(T.Module):
        def __init__(self, *parts: T.Module) -> None:
            super().__init__()
            self.parts = T.ModuleList(parts)
            self.seen: list[int] = [1]
            self.named = {"a": 1}
            self.count = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count += 1
            self.seen.append(self.count)
            self.named["b"] = self.count
            self.last = x.shape
            for part in self.parts:
                x = part(x)
            return x.sin()

    module = Counts(Counts(T.Linear(4, 4)), Counts(Counts(T.Linear(4, 4))))
    cell = from_torch(module)
    assert check(module, cell, torch.randn(2, 4), train=True).passed
    inside = [m for m in module.modules() if isinstance(m, Counts)]
    proxies = [c.module for _, c in cell.cells_and_names() if hasattr(c, "module")]
    assert any(isinstance(p, Counts) for p in proxies)
    for part in [*inside, *(p for p in proxies if isinstance(p, Counts))]:
        assert (part.count, part.seen, part.named) == (0, [1], {"a": 1})
        assert not hasattr(part, "last")


@pytest.mark.parametrize(
    "values",
    [
        torch.randn(100_000),
        torch.randn(50_000) * 1e-3 + 100,
        torch.randn(40_000, dtype=torch.float64) + 3,
        torch.full((1000,), 2.5),
        torch.tensor([1e30, -1e30, 3e30]),
        torch.arange(10),
        torch.zeros(5),
    ],
    ids=["many", "far from zero", "float64", "constant", "large", "whole", "zeros"],
)
def test_numbers_of_a_tensor(values: torch.Tensor) -> None:
    numbers, exact = stats(values), values.double()
    assert (numbers.low, numbers.high) == (float(exact.min()), float(exact.max()))
    largest = max(float(exact.abs().max()), 1e-30)
    assert numbers.mean == pytest.approx(float(exact.mean()), abs=1e-5 * largest)
    assert numbers.deviation == pytest.approx(float(exact.std(unbiased=False)), rel=1e-3, abs=1e-6)
    if values.numel() < 8_192:
        assert sum(numbers.counts) == values.numel()
    else:
        assert 4_096 <= sum(numbers.counts) <= 8_192
