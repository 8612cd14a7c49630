"""What cannot be compared is said, and never counts as equal."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest
import torch

import agar as ms
from agar import nn, ops
from agar.migrate import check, from_torch
from agar.migrate.result import Report

T = torch.nn


def _problems(report: Report) -> str:
    assert not report.passed
    return " ".join(report.problems)


class Fn(T.Module):
    """A module of one function."""

    def __init__(self, fn: Any, **parts: Any) -> None:
        super().__init__()
        self.fn = fn
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.fn(self, *args, **kwargs)


class CellFn(nn.Cell):
    """A cell of one function."""

    def __init__(self, fn: Any, **parts: Any) -> None:
        super().__init__()
        self.fn = fn
        for name, part in parts.items():
            setattr(self, name, part)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        return self.fn(self, *args, **kwargs)


X = torch.linspace(-1.0, 1.0, 12).reshape(3, 4)


# ------------------------------------------------------------------------- missing parts


def test_a_module_without_a_cell() -> None:
    module = T.Sequential(T.Linear(4, 4), T.ReLU(), T.Linear(4, 4))
    report = check(module, nn.SequentialCell(nn.Dense(4, 4), nn.ReLU()), X, sync_weights=True)
    assert "The module 2 (Linear, weights [(4, 4), (4,)]) has no cell" in _problems(report)
    assert "pairs={'2': ...}" in _problems(report)


def test_a_cell_without_a_module() -> None:
    module = T.Sequential(T.Linear(4, 4))
    cell = nn.SequentialCell(nn.Dense(4, 4), nn.Dense(4, 4))
    report = check(module, cell, X, sync_weights=True)
    assert "The cell 1 (Dense" in _problems(report)
    assert "has no module that it stands for" in _problems(report)


def test_ambiguous_layers_are_not_guessed() -> None:
    module = Fn(lambda s, x: s.b(s.a(x)), a=T.Linear(4, 4), b=T.Linear(4, 4))
    cell = CellFn(
        lambda s, x: s.z(s.y(s.x(x))), x=nn.Dense(4, 4), y=nn.Dense(4, 4), z=nn.Dense(4, 4)
    )
    report = check(module, cell, X, sync_weights=True)
    assert "say which is which with pairs={'a': 'x', ...}" in _problems(report)


def test_modules_without_weights_may_be_functions() -> None:
    module = T.Sequential(T.Linear(4, 4), T.ReLU())
    cell = CellFn(lambda s, x: ops.relu(getattr(s, "0")(x)))
    cell.insert_child_to_cell("0", nn.Dense(4, 4))
    report = check(module, cell, X, sync_weights=True)
    assert report.passed, report.problems
    assert any("No cell stands for 1" in n for n in report.notes)


def test_weights_of_another_shape() -> None:
    report = check(
        T.Sequential(T.Linear(4, 3)), nn.SequentialCell(nn.Dense(4, 5)), X, sync_weights=True
    )
    found = report.first_divergence
    assert not report.passed
    assert found is not None
    assert found.path == "0"
    assert "shape (5, 4) against (3, 4)" in found.cause
    assert found.line == "nn.Dense(4, 3)"
    assert found.repaired


def test_a_parameter_of_a_module_itself_without_a_counterpart() -> None:
    module = Fn(lambda s, x: x * s.scale, scale=T.Parameter(torch.ones(4)))
    report = check(module, CellFn(lambda s, x: x * 1.0), X)
    assert "scale (4,) of the original has no counterpart" in _problems(report)
    turned = CellFn(lambda s, x: x * s.factor, factor=ms.Parameter(ops.ones(4), name="factor"))
    report = check(Fn(lambda s, x: x * 1.0), turned, X)
    assert "factor (4,) of the cell has no counterpart" in _problems(report)


def test_a_frozen_weight_is_a_difference() -> None:
    cell = nn.Dense(4, 4)
    cell.weight.requires_grad = False
    report = check(T.Linear(4, 4), cell, X, sync_weights=True)
    assert not report.passed
    reasons = [c.reason for c in report.network if not c.equal]
    assert any("is not trained (requires_grad is False)" in r for r in reasons)


# ------------------------------------------------------------------- values that prove nothing


def test_nan_in_the_same_places_is_compared_and_elsewhere_a_difference() -> None:
    x = torch.tensor([[-1.0, 4.0, 9.0]])
    right = check(Fn(lambda s, x: x.sqrt()), CellFn(lambda s, x: x.sqrt()), x)
    assert right.passed, (right.problems, right.network)
    wrong = check(Fn(lambda s, x: x.sqrt()), CellFn(lambda s, x: ops.abs(x).sqrt()), x)
    assert not wrong.passed
    only = check(Fn(lambda s, x: x.abs().sqrt()), CellFn(lambda s, x: x.sqrt()), x)
    assert not only.passed


def test_nothing_but_nan_is_a_problem() -> None:
    x = torch.full((2, 3), -1.0)
    report = check(Fn(lambda s, x: x.sqrt()), CellFn(lambda s, x: x.sqrt()), x)
    assert "has no finite value" in _problems(report)


def test_a_result_of_zero_gradients_is_a_problem() -> None:
    module = Fn(lambda s, x: torch.relu(s.fc(x) - 100), fc=T.Linear(4, 4))
    cell = CellFn(lambda s, x: ops.relu(s.fc(x) - 100), fc=nn.Dense(4, 4))
    report = check(module, cell, X, sync_weights=True)
    assert "All gradients of the original are zero" in _problems(report)


def test_a_constant_result_is_noted_and_another_constant_found() -> None:
    same = check(Fn(lambda s, x: x * 0 + 3), CellFn(lambda s, x: x * 0 + 3), X)
    assert any("All values of the original's result are the same" in n for n in same.notes)
    other = check(Fn(lambda s, x: x * 0 + 3), CellFn(lambda s, x: x * 0 + 4), X)
    assert not other.passed


def test_empty_tensors() -> None:
    x = torch.zeros(0, 4)
    report = check(T.Linear(4, 2), nn.Dense(4, 2), x, sync_weights=True)
    assert "returns empty tensors only" in _problems(report)
    module = Fn(lambda s, x: (s.fc(x), x[:0]), fc=T.Linear(4, 2))
    cell = CellFn(lambda s, x: (s.fc(x), x[:0]), fc=nn.Dense(4, 2))
    assert check(module, cell, X, sync_weights=True).passed


def test_no_tensor_at_all() -> None:
    report = check(Fn(lambda s, x: 3), CellFn(lambda s, x: 3), X)
    assert "returns no tensor" in _problems(report)


# ------------------------------------------------------------------------------ structures


@dataclasses.dataclass
class Out:
    """What a module may return."""

    first: Any
    second: Any = None


def test_tuples_dictionaries_dataclasses_and_none() -> None:
    fc, dense = T.Linear(4, 4), nn.Dense(4, 4)
    for make, other in (
        (lambda y: (y, [y + 1, None]), lambda y: (y, [y + 1, None])),
        (lambda y: {"a": y, "b": (y * 2, 5)}, lambda y: {"a": y, "b": (y * 2, 5)}),
        (lambda y: Out(y, {"k": y * 3}), lambda y: (y, y * 3)),
        (lambda y: Out(y), lambda y: y),
    ):
        module = Fn(lambda s, x, make=make: make(s.fc(x)), fc=fc)
        cell = CellFn(lambda s, x, other=other: other(s.fc(x)), fc=dense)
        report = check(module, cell, X, sync_weights=True)
        assert report.passed, (report.problems, report.network)


@pytest.mark.parametrize(
    "other",
    [
        lambda y: (y, y + 1),
        lambda y: (y, y + 1, y),
        lambda y: (y + 1, y),
        lambda y: y,
        lambda y: {"a": y, "b": y + 2},
        lambda y: (y, y[:2] + 2),
        lambda y: (y, (y + 2).astype(ms.float64)),
        lambda y: None,
    ],
)
def test_other_structures_are_a_difference(other: Any) -> None:
    module = Fn(lambda s, x: {"a": s.fc(x), "b": s.fc(x) + 2}, fc=T.Linear(4, 4))
    cell = CellFn(lambda s, x: other(s.fc(x)), fc=nn.Dense(4, 4))
    report = check(module, cell, X, sync_weights=True)
    if other(ops.ones((3, 4))).__class__ is dict:
        assert report.passed
    else:
        assert not report.passed


def test_integers_are_equal_or_not() -> None:
    module = Fn(lambda s, x: (x * 10).long())
    assert check(module, CellFn(lambda s, x: (x * 10).astype(ms.int64)), X).passed
    assert check(module, CellFn(lambda s, x: (x * 10).astype(ms.int32)), X).passed
    off = check(module, CellFn(lambda s, x: (x * 10).astype(ms.int64) + (x > 0.9).long()), X)
    assert not off.passed
    assert not check(module, CellFn(lambda s, x: (x * 10).astype(ms.int16)), X).passed
    assert not check(module, CellFn(lambda s, x: x * 10), X).passed


def test_a_conversion_to_a_narrower_type_inside_is_said() -> None:
    """float64 decides nothing where a network computes in float32 by itself."""
    module = Fn(lambda s, x: (s.fc(x).float() / 3).to(x.dtype), fc=T.Linear(4, 4))
    third = 1 / 3  # other rounding
    cell = CellFn(
        lambda s, x: (s.fc(x).astype(ms.float32) * third).astype(x.dtype), fc=nn.Dense(4, 4)
    )
    report = check(module, cell, X, sync_weights=True)
    assert report.passed, (report.problems, report.network)
    assert any("the original converts to a narrower type" in n for n in report.notes)
    plain = CellFn(lambda s, x: s.fc(x) * third, fc=nn.Dense(4, 4))
    loses = check(Fn(lambda s, x: s.fc(x) / 3, fc=T.Linear(4, 4)), cell, X, sync_weights=True)
    assert any("the cell converts to a narrower type" in n for n in loses.notes)
    assert check(module, plain, X, sync_weights=True).passed


# --------------------------------------------------------------------------- run behavior


def test_random_results_without_a_seed_are_a_problem() -> None:
    counter = itertools.count()
    module = Fn(lambda s, x: x + next(counter))
    report = check(module, CellFn(lambda s, x: x + 0.0), X)
    assert "gives another result every time" in _problems(report)


@pytest.mark.parametrize("train", [False, True])
def test_random_results_in_one_mode_are_a_problem(train: bool) -> None:
    """Each mode's own run is compared with another one of the original, or with the cell's."""
    counter = itertools.count(1)
    module = Fn(lambda s, x: x + (next(counter) if s.training is train else 0.0))
    report = check(module, CellFn(lambda s, x: x + 0.0), X, train=True)
    assert "gives another result every time" in _problems(report)
    mode = "training" if train else "evaluation"
    assert f"({mode}, output" in _problems(report)


def test_draws_of_the_run_with_gradients_alone_are_a_problem() -> None:
    """The run that is observed draws nothing where the first run did not, or is another one."""

    def noisy(s: Any, x: torch.Tensor) -> torch.Tensor:
        return s.fc(x) + (torch.randn(4) if torch.is_grad_enabled() else 0.0)

    module = Fn(noisy, fc=T.Linear(4, 4))
    report = check(module, CellFn(lambda s, x: s.fc(x), fc=nn.Dense(4, 4)), X, sync_weights=True)
    assert not report.passed
    assert "gives another result every time" in _problems(report)


@pytest.mark.parametrize("train", [False, True])
def test_a_gradient_that_is_wrong_in_one_mode_is_found(train: bool) -> None:
    module = T.Sequential(T.Linear(4, 4), T.Tanh())

    def tanh(s: Any, x: Any) -> Any:
        y = ops.tanh(x)
        return y if s.training is not train else y * 0.5 + ops.stop_gradient(y) * 0.5

    cell = nn.SequentialCell(nn.Dense(4, 4), CellFn(tanh))
    report = check(module, cell, X, sync_weights=True, train=True)
    assert not report.passed
    stage = "train" if train else "eval"
    wrong = {c.stage for c in report.network if not c.equal}
    assert stage in wrong
    assert ("eval" if train else "train") not in wrong


def test_parts_that_make_up_for_each_other_in_equal_bits_are_found() -> None:
    """The wholes are equal bit for bit, so nothing is compared in float64, and parts still are."""
    module = T.Sequential(T.Linear(4, 4), T.ReLU(), T.Linear(4, 4))
    twice, half = CellFn(lambda s, x: ops.relu(x) * 2), CellFn(lambda s, x: x * 0.5)
    whole = nn.SequentialCell(from_torch(module)[0], twice, half, from_torch(module)[2])
    around = T.Sequential(module[0], module[1], T.Identity(), module[2])
    report = check(around, whole, X, train=True)
    assert all(c.error == 0 for c in report.network)
    assert not report.passed
    assert [c.path for c in report.cells if c.status == "different"] == ["1", "2"]


def test_random_numbers_that_only_one_side_draws() -> None:
    torch.manual_seed(0)
    noisy = Fn(lambda s, x: x + torch.randn_like(x))
    report = check(noisy, CellFn(lambda s, x: x + 0.0), X)
    assert "the original draws in the network, and the cell does not" in _problems(report)
    turned = check(Fn(lambda s, x: x + 0.0), CellFn(lambda s, x: x + ops.randn_like(x)), X)
    assert "where the original draws nothing like it" in _problems(turned)
    assert check(noisy, CellFn(lambda s, x: x + ops.randn_like(x)), X).passed


def test_control_flow_on_values() -> None:
    module = Fn(lambda s, x: s.a(x) if x.sum() > 0 else s.b(x), a=T.Linear(4, 4), b=T.Linear(4, 4))
    cell = CellFn(
        lambda s, x: s.a(x) if x.sum() > 0 else s.b(x), a=nn.Dense(4, 4), b=nn.Dense(4, 4)
    )
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        report = check(module, cell, X + 1, sync_weights=True, mode=mode)
        assert report.passed, report.problems
        statuses = {c.path: c.status for c in report.cells}
        assert statuses["b"] == "not run"
        assert report.verified == 0.5
    wrong = CellFn(
        lambda s, x: s.b(x) if x.sum() > 0 else s.a(x), a=nn.Dense(4, 4), b=nn.Dense(4, 4)
    )
    assert not check(module, wrong, X + 1, sync_weights=True).passed


def test_shared_layers_must_be_shared() -> None:
    fc = T.Linear(4, 4)
    module = Fn(lambda s, x: s.b(s.a(x)), a=fc, b=fc)
    dense = nn.Dense(4, 4)
    assert check(
        module, CellFn(lambda s, x: s.b(s.a(x)), a=dense, b=dense), X, sync_weights=True
    ).passed
    parted = CellFn(lambda s, x: s.b(s.a(x)), a=nn.Dense(4, 4), b=nn.Dense(4, 4))
    report = check(module, parted, X, sync_weights=True)
    assert "their weights would part in training" in _problems(report)


def test_a_layer_in_two_parents_has_its_weights_in_both() -> None:
    def network(kind: type, dense: Any, last: Any) -> Any:
        shared = dense(4, 4)
        first = kind(lambda s, x: s.own(s.fc(x)), fc=shared, own=dense(4, 4))
        second = kind(last, fc=shared, own=dense(4, 4))
        return kind(lambda s, x: s.second(s.first(x)), first=first, second=second)

    def right(s: Any, x: Any) -> Any:
        return s.fc(x) * s.own(x)

    module = network(Fn, T.Linear, right)
    report = check(module, network(CellFn, nn.Dense, right), X, sync_weights=True, train=True)
    assert report.passed
    assert report.verified == 1.0
    wrong = network(CellFn, nn.Dense, lambda s, x: s.own(x) * s.own(x))
    found = check(module, wrong, X, sync_weights=True)
    assert not found.passed
    for cell in found.cells:
        if cell.path in ("first", "second"):
            compared = {c.what for c in cell.comparisons}
            assert {"gradient of fc.weight", "gradient of own.weight"} <= compared
    assert found.first_divergence is not None
    assert found.first_divergence.path == "second"


def test_shared_weights_must_be_shared() -> None:
    a, b = T.Linear(4, 4, bias=False), T.Linear(4, 4, bias=False)
    b.weight = a.weight
    module = Fn(lambda s, x: s.b(s.a(x)), a=a, b=b)
    one, two = nn.Dense(4, 4, has_bias=False), nn.Dense(4, 4, has_bias=False)
    cell = CellFn(lambda s, x: s.b(s.a(x)), a=one, b=two)
    report = check(module, cell, X, sync_weights=True)
    assert "a.weight and b.weight are one tensor in the original" in _problems(report)
    turned = check(
        Fn(lambda s, x: s.b(s.a(x)), a=T.Linear(4, 4), b=T.Linear(4, 4)),
        CellFn(lambda s, x: s.b(s.a(x)), a=(d := nn.Dense(4, 4)), b=d),
        X,
        sync_weights=True,
    )
    assert not turned.passed


def test_operators_in_place_do_not_disturb_the_record() -> None:
    def forward(s: Any, x: torch.Tensor) -> torch.Tensor:
        y = s.a(x)
        z = s.act(y)
        z += 1
        y.mul_(2)
        return s.b(z) + y

    def construct(s: Any, x: ms.Tensor) -> ms.Tensor:
        z = (s.act(s.a(x)) + 1) * 2
        return s.b(z) + z

    torch.manual_seed(0)
    module = Fn(forward, a=T.Linear(4, 4), act=T.Hardswish(inplace=True), b=T.Linear(4, 4))
    cell = CellFn(construct, a=nn.Dense(4, 4), act=nn.HSwish(), b=nn.Dense(4, 4))
    x = X.clone()
    report = check(module, cell, x, sync_weights=True)
    assert torch.equal(x, X)
    assert report.passed, (report.problems, report.first_divergence)


def test_a_module_that_changes_its_input() -> None:
    module = Fn(lambda s, x: s.fc(x.mul_(2)), fc=T.Linear(4, 4))
    cell = CellFn(lambda s, x: s.fc(x * 2), fc=nn.Dense(4, 4))
    x = X.clone()
    assert check(module, cell, x, sync_weights=True).passed
    assert torch.equal(x, X)


def test_a_module_that_changes_its_weights_in_forward() -> None:
    def forward(s: Any, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            s.fc.weight.clamp_(-0.1, 0.1)
        return s.fc(x)

    torch.manual_seed(0)
    module = Fn(forward, fc=T.Linear(4, 4))
    before = module.fc.weight.detach().clone()
    cell = CellFn(lambda s, x: s.fc(x), fc=nn.Dense(4, 4))
    report = check(module, cell, X, sync_weights=True)
    assert not report.passed
    assert torch.equal(module.fc.weight, before)


def test_every_call_of_a_layer_is_compared() -> None:
    class Second(nn.Cell):
        """Right at its first call, and wrong after it."""

        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def construct(self, x: ms.Tensor) -> ms.Tensor:
            return ops.where(ops.abs(x).max() > 1.5, ops.relu(x) * 1.1, ops.relu(x))

    module = Fn(lambda s, x: s.act(s.act(x) + 1), act=T.ReLU())
    cell = CellFn(lambda s, x: s.act(s.act(x) + 1), act=Second())
    report = check(module, cell, X)
    found = report.first_divergence
    assert found is not None
    assert found.path == "act"
    entry = next(c for c in report.cells if c.path == "act")
    assert entry.calls == 2
    assert any("call 2" in c.reason for c in entry.comparisons)


def test_hooks_of_the_user_run_and_stay() -> None:
    module = T.Sequential(T.Linear(4, 4), T.ReLU())
    handle = module[0].register_forward_hook(lambda m, i, o: o * 2)
    cell = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU())
    report = check(module, cell, X, sync_weights=True)
    assert not report.passed
    assert report.first_divergence is not None
    assert report.first_divergence.path == "0"
    assert "2 times as large" in report.first_divergence.cause
    assert len(module[0]._forward_hooks) == 1
    handle.remove()
    assert check(module, cell, X, sync_weights=True).passed


# -------------------------------------------------------------------------------- failures


def test_an_original_that_raises() -> None:
    module = T.Sequential(T.Linear(5, 4))
    report = check(module, nn.SequentialCell(nn.Dense(5, 4)), X)
    assert "The original raised RuntimeError" in _problems(report)
    assert report.network == []


def test_a_cell_that_raises() -> None:
    def construct(s: Any, x: ms.Tensor) -> ms.Tensor:
        raise KeyError("not finished")

    module = T.Sequential(T.Linear(4, 4), T.ReLU())
    cell = nn.SequentialCell(nn.Dense(4, 4), CellFn(construct))
    report = check(module, cell, X, sync_weights=True)
    assert "The cell raised KeyError" in _problems(report)
    assert report.first_divergence is not None
    assert report.first_divergence.path == "1"
    assert "not finished" in report.first_divergence.cause
    assert {c.path: c.status for c in report.cells} == {
        "": "inherited",
        "0": "equal",
        "1": "failed",
    }


def test_a_cell_that_returns_its_input() -> None:
    report = check(T.Linear(4, 4), CellFn(lambda s, x: x), X)
    assert not report.passed
    assert check(T.Identity(), nn.Identity(), X).passed


def test_a_cell_that_is_never_called() -> None:
    module = T.Sequential(T.Linear(4, 4), T.ReLU())
    cell = CellFn(lambda s, x: ops.relu(ops.dense(x, s.fc.weight, s.fc.bias)), fc=nn.Dense(4, 4))
    report = check(module, cell, X, sync_weights=True, pairs={"0": "fc"})
    assert report.passed, report.problems  # it computes the same, and says how
    wrong = CellFn(lambda s, x: ops.relu(x), fc=nn.Dense(4, 4))
    report = check(module, wrong, X, sync_weights=True, pairs={"0": "fc"})
    assert not report.passed


def test_a_module_in_a_torch_cell_is_not_verified() -> None:
    module = T.Sequential(T.Linear(4, 4), T.ReLU())
    report = check(module, ms.TorchCell(module), X, train=True)
    assert report.passed, report.problems
    assert report.native == report.verified == 0.0
    assert {c.status for c in report.cells} == {"foreign"}
    mixed = nn.SequentialCell(from_torch(module[0]), ms.TorchCell(module[1]))
    report = check(module, mixed, X)
    assert report.passed
    assert report.native == report.verified == 0.5


def test_a_torch_cell_around_something_else_is_a_difference() -> None:
    module = T.Sequential(T.Linear(4, 4), T.ReLU())
    cell = nn.SequentialCell(from_torch(module[0]), ms.TorchCell(T.Tanh()))
    report = check(module, cell, X)
    assert not report.passed
    assert report.first_divergence is not None
    assert report.first_divergence.path == "1"


def test_a_wrong_backward_is_found() -> None:
    class Wrong(nn.Cell):
        def construct(self, x: ms.Tensor) -> ms.Tensor:
            return ops.relu(x)

        def bprop(self, x: ms.Tensor, out: ms.Tensor, dout: ms.Tensor) -> tuple[ms.Tensor]:
            return (dout,)

    module = T.Sequential(T.Linear(4, 4), T.ReLU())
    report = check(module, nn.SequentialCell(nn.Dense(4, 4), Wrong()), X, sync_weights=True)
    found = report.first_divergence
    assert found is not None
    assert (found.path, found.what) == ("1", "gradient of input[0]")


def test_a_wrong_statistic_is_found() -> None:
    class Twice(nn.BatchNorm1d):
        def construct(self, x: ms.Tensor) -> ms.Tensor:
            super().construct(x)
            return super().construct(x)

    module = T.Sequential(T.BatchNorm1d(4))
    report = check(module, nn.SequentialCell(Twice(4)), X, sync_weights=True, train=True)
    found = report.first_divergence
    assert found is not None
    assert "after the run" in found.what


def test_a_cell_that_always_trains_is_found() -> None:
    torch.manual_seed(0)
    module = T.Sequential(T.Linear(4, 4), T.Dropout(0.5))
    cell = nn.SequentialCell(nn.Dense(4, 4), CellFn(lambda s, x: ops.dropout(x, 0.5, True)))
    report = check(module, cell, X, sync_weights=True)
    assert "draws 12 numbers (mask)" in _problems(report)


def test_a_network_without_gradients_is_noted() -> None:
    module = Fn(lambda s, x: s.fc(x).detach(), fc=T.Linear(4, 4))
    right = CellFn(lambda s, x: ops.stop_gradient(s.fc(x)), fc=nn.Dense(4, 4))
    report = check(module, right, X, sync_weights=True)
    assert any("No gradient flows through the original" in n for n in report.notes)
    flows = CellFn(lambda s, x: s.fc(x), fc=nn.Dense(4, 4))
    assert not check(module, flows, X, sync_weights=True).passed


def test_an_original_whose_gradient_raises() -> None:
    def forward(s: Any, x: torch.Tensor) -> torch.Tensor:
        y = s.fc(x).sigmoid()
        y.mul_(2)
        return y

    report = check(
        Fn(forward, fc=T.Linear(4, 4)),
        CellFn(lambda s, x: ops.sigmoid(s.fc(x)) * 2, fc=nn.Dense(4, 4)),
        X,
        sync_weights=True,
    )
    assert "runs forward, but not forward and backward: RuntimeError" in _problems(report)
