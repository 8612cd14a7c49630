"""Right migrations pass, in evaluation and training, in both modes, and nothing is left changed."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn, ops
from agar.migrate import check, from_torch
from agar.nn import Cell

T = torch.nn
MODES = pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])


class Right(NamedTuple):
    """A right migration: the module, the cell, and the inputs."""

    original: Callable[[], T.Module]
    cell: Callable[[], Cell]
    inputs: Callable[[], Any]


class _Conv(T.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = T.Conv2d(1, 8, 4)
        self.bn = T.BatchNorm2d(8)
        self.relu = T.ReLU(inplace=True)
        self.drop = T.Dropout(0.3)
        self.fc = T.Linear(8 * 25, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(self.drop(self.relu(self.bn(self.conv1(x)))).flatten(1))


class _ConvCell(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 4, pad_mode="pad", has_bias=True)
        self.bn = nn.BatchNorm2d(8)
        self.relu = nn.ReLU()
        self.drop = nn.Dropout(p=0.3)
        self.fc = nn.Dense(8 * 25, 10)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        x = self.drop(self.relu(self.bn(self.conv1(x))))
        return self.fc(x.reshape(x.shape[0], -1))


class _Functional(T.Module):
    """Functions where the cell has functions too, and a mask drawn in forward."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = T.Linear(6, 6)
        self.scale = T.Parameter(torch.rand(6))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = T.functional.gelu(self.inner(x)) * self.scale
        y = T.functional.dropout(y, 0.25, self.training)
        if self.training:
            y = y * (torch.rand(y.shape[0], 1) < 0.7)
        return T.functional.layer_norm(x + y, (6,), eps=1e-5)


class _FunctionalCell(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Dense(6, 6)
        self.scale = ms.Parameter(ops.ones(6))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        y = ops.gelu(self.inner(x), approximate="none") * self.scale
        y = ops.dropout(y, 0.25, self.training)
        if self.training:
            y = y * (ops.rand(y.shape[0], 1) < 0.7).astype(y.dtype)
        return ms.mint.nn.functional.layer_norm(x + y, (6,), eps=1e-5)


class _Tied(T.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = T.Embedding(7, 5)
        self.norm = T.LayerNorm(5)
        self.head = T.Linear(5, 7, bias=False)
        self.head.weight = self.table.weight

    def forward(self, tokens: torch.Tensor, scale: float = 1.0) -> dict[str, torch.Tensor]:
        x = self.norm(self.table(tokens))
        return {"state": x, "logits": self.head(x) * scale}


class _TiedCell(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(7, 5)
        self.norm = nn.LayerNorm((5,), epsilon=1e-5)
        self.head = nn.Dense(5, 7, has_bias=False)
        self.head.weight = self.table.embedding_table

    def construct(self, tokens: ms.Tensor, scale: float = 1.0) -> dict[str, ms.Tensor]:
        x = self.norm(self.table(tokens))
        return {"state": x, "logits": self.head(x) * scale}


class _Twice(T.Module):
    """One layer called several times, and an operator in place."""

    def __init__(self) -> None:
        super().__init__()
        self.step = T.Linear(4, 4)
        self.act = T.Hardswish(inplace=True)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        first = self.step(x)
        y = self.act(first)
        y += x
        return self.step(y), y.argmax(1)


class _TwiceCell(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.step = nn.Dense(4, 4)
        self.act = nn.HSwish()

    def construct(self, x: ms.Tensor) -> tuple[ms.Tensor, ms.Tensor]:
        y = self.act(self.step(x)) + x
        return self.step(y), y.argmax(axis=1)


def _recurrent() -> T.Module:
    return T.LSTM(4, 3, num_layers=2, batch_first=True, dropout=0.4, bidirectional=True)


def _x(*shape: int) -> Callable[[], torch.Tensor]:
    return functools.partial(torch.randn, shape)


RIGHT = {
    "convolutions": Right(_Conv, _ConvCell, _x(4, 1, 8, 8)),
    "functions and masks": Right(_Functional, _FunctionalCell, _x(5, 6)),
    "tied weights": Right(
        _Tied, _TiedCell, lambda: {"tokens": torch.arange(6).reshape(2, 3), "scale": 0.5}
    ),
    "called twice": Right(_Twice, _TwiceCell, _x(3, 4)),
    "flat list": Right(
        lambda: T.Sequential(T.Linear(4, 8), T.Tanh(), T.Dropout(0.5), T.Linear(8, 2)),
        lambda: nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dropout(p=0.5), nn.Dense(8, 2)),
        _x(6, 4),
    ),
    "pools and norms": Right(
        lambda: T.Sequential(
            T.Conv2d(3, 4, 3, padding=1, bias=False),
            T.GroupNorm(2, 4),
            T.SiLU(),
            T.MaxPool2d(2),
            T.AdaptiveAvgPool2d(1),
            T.Flatten(),
        ),
        lambda: nn.SequentialCell(
            nn.Conv2d(3, 4, 3, pad_mode="pad", padding=1),
            nn.GroupNorm(2, 4),
            nn.SiLU(),
            nn.MaxPool2d(2, 2),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        ),
        _x(2, 3, 6, 6),
    ),
    "one layer": Right(
        lambda: T.Conv1d(3, 4, 3),
        lambda: nn.Conv1d(3, 4, 3, pad_mode="pad", has_bias=True),
        _x(2, 3, 7),
    ),
    "recurrent": Right(
        _recurrent,
        lambda: nn.LSTM(4, 3, num_layers=2, batch_first=True, dropout=0.4, bidirectional=True),
        _x(2, 5, 4),
    ),
    "channel dropout": Right(
        lambda: T.Sequential(T.Conv2d(2, 6, 1), T.Dropout2d(0.5), T.ReLU()),
        lambda: nn.SequentialCell(
            nn.Conv2d(2, 6, 1, pad_mode="pad", has_bias=True), nn.Dropout2d(p=0.5), nn.ReLU()
        ),
        _x(3, 2, 4, 4),
    ),
    "batch norm": Right(
        lambda: T.Sequential(T.Linear(4, 5), T.BatchNorm1d(5, momentum=0.2), T.ELU()),
        lambda: nn.SequentialCell(nn.Dense(4, 5), nn.BatchNorm1d(5, momentum=0.8), nn.ELU()),
        _x(7, 4),
    ),
}


@MODES
@pytest.mark.parametrize("name", RIGHT)
def test_right_migrations_pass(name: str, mode: int) -> None:
    right = RIGHT[name]
    torch.manual_seed(0)
    report = check(
        right.original(), right.cell(), right.inputs(), mode=mode, train=True, sync_weights=True
    )
    assert report.passed, (report.problems, report.first_divergence, report.cells)
    assert report.native == report.verified == 1.0
    assert report.first_divergence is None
    assert {c.stage for c in report.network} == {"eval", "train"}
    assert not any("ordinary Python" in n for n in report.notes)
    # forward and backward; in both types where float32 leaves a doubt
    doubt = any(c.error != 0 for c in report.network if not c.what.endswith("in float64"))
    assert doubt == any(c.what.endswith("in float64") for c in report.network)
    assert any(c.what.startswith("gradient of") for c in report.network)
    assert report.mode == ("GRAPH_MODE" if mode == ms.GRAPH_MODE else "PYNATIVE_MODE")


@MODES
def test_a_converted_network_passes_bit_for_bit(mode: int) -> None:
    torch.manual_seed(0)
    module = T.Sequential(T.Conv2d(1, 3, 3), T.ReLU(), T.Flatten(), T.Linear(3 * 16, 2))
    report = check(module, from_torch(module), torch.randn(2, 1, 6, 6), mode=mode, exact=True)
    assert report.passed, report.problems
    assert report.worst == 0.0
    assert report.native == 1.0


def test_unequal_weights_do_not_pass_unless_synchronised() -> None:
    torch.manual_seed(0)
    module, x = T.Linear(3, 2), torch.randn(4, 3)
    cell = nn.Dense(3, 2)
    assert not check(module, cell, x).passed
    assert check(module, cell, x, sync_weights=True).passed


# ------------------------------------------------------------------------- nothing changes


def _snapshot(module: T.Module, cell: Cell) -> dict[str, Any]:
    return {
        "module": {n: v.clone() for n, v in module.state_dict().items()},
        "cell": {n: p.value() for n, p in cell.parameters_and_names()},
        "identity": [id(p._value) for p in cell.get_parameters()],
        "flags": [m.training for m in module.modules()],
        "cell flags": [c.training for _, c in cell.cells_and_names()],
        "requires_grad": [p.requires_grad for p in module.parameters()],
        "leaf flags": [p._value.requires_grad for p in cell.get_parameters()],
        "grad": [p.grad for p in module.parameters()],
        "hooks": [len(m._forward_hooks) + len(m._forward_pre_hooks) for m in module.modules()],
        "direct": [c._direct for _, c in cell.cells_and_names()],
        "mode": ms.get_context("mode"),
        "torch": torch.get_rng_state(),
        "numpy": np.random.get_state()[1].copy(),
        "python": random.getstate(),
        "agar": ms.get_rng_state().asnumpy(),
        "grad mode": torch.is_grad_enabled(),
    }


def _assert_same(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            _assert_same(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            _assert_same(a, b)
    elif isinstance(one, torch.Tensor):
        assert torch.equal(one, other)
    elif isinstance(one, (np.ndarray, ms.Tensor)):
        assert np.array_equal(np.asarray(one), np.asarray(other))
    else:
        assert one == other


@MODES
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("inside", ["works", "raises"])
def test_module_and_cell_are_left_as_they_were(mode: int, shared: bool, inside: str) -> None:
    torch.manual_seed(0)
    module = _Conv()
    module.bn.eval()
    module.fc.weight.requires_grad_(False)
    module.fc.bias.grad = torch.ones(10)
    cell = from_torch(module) if shared else _ConvCell()
    cell.set_train(False)
    x = torch.randn(4, 1, 8 if inside == "works" else 9, 8)
    before = _snapshot(module, cell)
    with torch.no_grad():
        before["grad mode"] = torch.is_grad_enabled()
        report = check(
            module,
            cell,
            x,
            mode=mode,
            train=True,
            sync_weights=not shared,
            steps=3,
            optimizer=functools.partial(torch.optim.SGD, lr=0.1),
            dtypes=("bfloat16",),
        )
        _assert_same(before, _snapshot(module, cell))
    assert report.passed == (inside == "works"), report.problems
    if inside == "works":
        # what the check recorded is not used by the user's own calls
        ms.set_context(mode=mode)
        try:
            for _ in range(4):
                found = cell(ms.from_torch(x)).asnumpy()
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        if shared:
            module.eval()
            with torch.no_grad():
                assert np.allclose(found, module(x).numpy(), atol=1e-6)


def test_a_recorded_network_is_compared_and_goes_on() -> None:
    """Plans of the user's own calls before the check still serve after it."""
    torch.manual_seed(0)
    module = T.Sequential(T.Linear(3, 3), T.ReLU())
    cell = from_torch(module)
    x = ms.from_torch(torch.randn(2, 3))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        before = [cell(x).asnumpy() for _ in range(4)][-1]
        assert check(module, cell, torch.randn(2, 3)).passed
        cell[0].weight.set_data(cell[0].weight * 2)
        after = cell(x).asnumpy()
        assert np.allclose(after, torch.relu(module[0](x.to_torch())).detach().numpy(), atol=1e-6)
        assert not np.allclose(before, after)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


# ------------------------------------------------------------------------------- training


@MODES
def test_optimizer_steps_and_curves(mode: int) -> None:
    torch.manual_seed(0)
    module = _Conv()
    batches = [torch.randn(4, 1, 8, 8) for _ in range(2)]
    optimizer = torch.optim.SGD(module.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
    report = check(
        module,
        _ConvCell(),
        batches,
        mode=mode,
        train=True,
        sync_weights=True,
        optimizer=optimizer,
        steps=6,
    )
    assert report.passed, (report.problems, report.first_divergence)
    whats = [c.what for c in report.network if c.stage == "step"]
    assert "fc.weight after the step" in whats
    assert "momentum_buffer of fc.weight after 3 steps" in whats
    curve = report.curve
    assert curve is not None
    assert curve.inside
    assert len(curve.original) == len(curve.migrated) == len(curve.low) == 6
    assert all(lo < m < hi for lo, m, hi in zip(curve.low, curve.migrated, curve.high, strict=True))
    assert optimizer.state == {}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda ps: nn.SGD(ps, 0.05, momentum=0.8), "momentum_buffer"),
        (lambda ps: nn.SGD(ps, 0.06, momentum=0.9), "after the step"),
        (lambda ps: nn.SGD(ps, 0.05, momentum=0.9, nesterov=True), "after the step"),
        (lambda ps: nn.Adam(ps, 0.05), "after the step"),
    ],
)
def test_a_wrong_optimizer_is_found(wrong: Any, words: str) -> None:
    torch.manual_seed(0)
    make = functools.partial(torch.optim.SGD, lr=0.05, momentum=0.9)
    module, cell, x = T.Linear(4, 3), nn.Dense(4, 3), torch.randn(5, 4)
    options = {"sync_weights": True, "train": True}
    right = (make, lambda ps: nn.SGD(ps, 0.05, momentum=0.9))
    assert check(module, cell, x, optimizer=right, **options).passed
    report = check(module, cell, x, optimizer=(make, wrong), **options)
    assert not report.passed
    wrongs = [c.what for c in report.network if not c.equal]
    assert all("after" in w for w in wrongs)
    assert any(words in w for w in wrongs), wrongs
    found = report.first_divergence
    assert found is not None
    assert (found.stage, found.rule) == ("step", "torch.optim.SGD")
    assert found.line is not None
    assert "optim.SGD(net.trainable_params(), lr=0.05, momentum=0.9" in found.line
    assert found.repaired


def test_a_curve_that_leaves_the_band_fails() -> None:
    torch.manual_seed(0)
    make = functools.partial(torch.optim.SGD, lr=0.05)
    module, cell, x = T.Linear(4, 3), nn.Dense(4, 3), torch.randn(5, 4)
    wrong = (make, lambda ps: nn.SGD(ps, 0.0501))
    report = check(module, cell, x, optimizer=wrong, steps=8, sync_weights=True)
    assert report.curve is not None
    assert not report.curve.inside
    assert not report.passed


def test_an_optimizer_may_order_its_parameters() -> None:
    torch.manual_seed(0)
    module = T.Sequential(T.Linear(4, 4), T.ReLU(), T.Linear(4, 2))

    def turned(parameters: list[ms.Parameter]) -> Any:
        return nn.SGD(parameters[::-1], 0.1, momentum=0.9)

    make = functools.partial(torch.optim.SGD, lr=0.1, momentum=0.9)
    report = check(module, from_torch(module), torch.randn(3, 4), optimizer=(make, turned), steps=3)
    assert report.passed, (report.problems, report.first_divergence)
    strange = (make, lambda ps: nn.SGD([ms.Parameter(ops.ones(2), name="w")], 0.1))
    report = check(module, from_torch(module), torch.randn(3, 4), optimizer=strange)
    assert any("stand for none of the original's" in p for p in report.problems)
    assert not report.passed


class _Gelu(nn.Cell):
    def construct(self, x: Any) -> Any:
        return x * (ops.erf(x / 2**0.5) * 0.5 + 0.5)


def test_a_large_network_is_compared_in_float32_as_a_whole(monkeypatch: Any) -> None:
    monkeypatch.setattr("agar.migrate.check_session.LARGE", 10)
    torch.manual_seed(0)
    module, x = T.Sequential(T.Linear(4, 4), T.GELU()), torch.randn(3, 4)
    report = check(module, from_torch(module), x)
    assert report.passed
    assert not any(c.what.endswith("in float64") for c in report.network)
    assert not any("in float32 only" in n for n in report.notes)  # equal bits say all
    rounded = nn.SequentialCell(nn.Dense(4, 4), _Gelu())
    report = check(module, rounded, x, sync_weights=True)
    assert report.passed
    assert any("in float32 only" in n for n in report.notes)
    wrong = check(module, nn.SequentialCell(nn.Dense(4, 4), nn.GELU()), x, sync_weights=True)
    assert any(c.what.endswith("in float64") for c in wrong.network)
    assert not wrong.passed


def test_groups_of_an_optimizer_keep_their_rates() -> None:
    torch.manual_seed(0)
    module = T.Sequential(T.Linear(4, 4), T.ReLU(), T.Linear(4, 2))
    groups = [
        {"params": module[0].parameters(), "lr": 0.5},
        {"params": module[2].parameters()},
    ]
    optimizer = torch.optim.AdamW(groups, lr=0.01)
    report = check(
        module, from_torch(module), torch.randn(3, 4), train=True, optimizer=optimizer, steps=3
    )
    assert report.passed, (report.problems, report.first_divergence)


def test_narrow_types_against_float64() -> None:
    torch.manual_seed(0)
    module = T.Sequential(T.Linear(16, 16), T.LayerNorm(16), T.ReLU(), T.Linear(16, 4))
    cell = from_torch(module)
    x = torch.randn(4, 16)
    report = check(module, cell, x, dtypes=("float16", "bfloat16"))
    assert report.passed, report.problems
    assert {"float16", "bfloat16"} <= {c.stage for c in report.network}
    errors = [c.error for c in report.network if c.stage == "bfloat16"]
    assert all(e is not None for e in errors)
    assert max(errors) > 1e-4


class _Rough(nn.Cell):
    """Sums in halves what the original sums at once: right, and worse in narrow types."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Dense(64, 2, has_bias=False)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        big = self.layer(x) + 300.0
        return big - 300.0


class _Plain(T.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = T.Linear(64, 2, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)


def test_a_cell_that_loses_accuracy_in_narrow_types_fails() -> None:
    torch.manual_seed(0)
    x = torch.randn(4, 64)
    report = check(_Plain(), _Rough(), x, sync_weights=True, dtypes=("bfloat16",))
    assert not report.passed
    assert any(c.stage == "bfloat16" and not c.equal for c in report.network)


# ---------------------------------------------------------------------------- arguments


def test_pairs_say_what_names_do_not() -> None:
    class Named(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.b = nn.Dense(3, 3)
            self.a = nn.Dense(3, 3)

        def construct(self, x: ms.Tensor) -> ms.Tensor:
            return self.a(ops.relu(self.b(x)))

    torch.manual_seed(0)
    module = T.Sequential(T.Linear(3, 3), T.ReLU(), T.Linear(3, 3))
    x = torch.randn(2, 3)
    by_order = check(module, Named(), x, sync_weights=True)
    assert by_order.passed
    assert any("in their order of definition" in n for n in by_order.notes)
    said = check(module, Named(), x, sync_weights=True, pairs={"0": "b", "2": "a"})
    assert said.passed
    assert {c.module_path: c.path for c in said.cells if c.module_path} == {"0": "b", "2": "a"}
    turned = check(module, Named(), x, sync_weights=True, pairs={"0": "a", "2": "b"})
    assert not turned.passed
    with pytest.raises(ValueError, match="names the module '1x'"):
        check(module, Named(), x, pairs={"1x": "a"})
    with pytest.raises(ValueError, match="names the cell 'c'"):
        check(module, Named(), x, pairs={"0": "c"})


def test_trees_of_another_nesting_are_paired_by_order() -> None:
    class Nested(T.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem = T.Sequential(T.Conv2d(1, 2, 3), T.BatchNorm2d(2), T.ReLU())
            self.head = T.Sequential(T.Flatten(), T.Linear(2 * 16, 3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.head(self.stem(x))

    class Flat(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.c = nn.Conv2d(1, 2, 3, pad_mode="pad", has_bias=True)
            self.n = nn.BatchNorm2d(2)
            self.f = nn.Dense(2 * 16, 3)

        def construct(self, x: ms.Tensor) -> ms.Tensor:
            y = ops.relu(self.n(self.c(x)))
            return self.f(y.reshape(y.shape[0], -1))

    torch.manual_seed(0)
    report = check(Nested(), Flat(), torch.randn(2, 1, 6, 6), sync_weights=True, train=True)
    assert report.passed, report.problems
    assert any("nested differently" in n for n in report.notes)
    assert {c.module_path for c in report.cells if c.leaf} == {"stem.0", "stem.1", "head.1"}


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"module": 3}, TypeError, "'module' must be a torch.nn.Module"),
        ({"cell": T.ReLU()}, TypeError, "'cell' must be a Cell"),
        ({"mode": 7}, ValueError, "'mode' must be"),
        ({"steps": -1}, ValueError, "'steps' must be"),
        ({"steps": 3}, ValueError, "needs an 'optimizer'"),
        ({"dtypes": ("int8",)}, ValueError, "'dtypes' may contain"),
        ({"tolerance": -1.0}, ValueError, "'tolerance' must be"),
        ({"inputs": []}, ValueError, "empty list"),
    ],
)
def test_arguments_are_checked(options: dict[str, Any], kind: type, words: str) -> None:
    given = {"module": T.ReLU(), "cell": nn.ReLU(), "inputs": torch.randn(2), **options}
    with pytest.raises(kind, match=words):
        check(**given)


def test_inputs_of_all_kinds() -> None:
    x = torch.randn(2, 3)
    for given in (x, x.numpy(), ms.from_torch(x), (x,), {"input": x}):
        cell = nn.Dense(3, 2)
        if isinstance(given, dict):

            class Named(nn.Cell):
                def __init__(self) -> None:
                    super().__init__()
                    self.weight = ms.Parameter(ops.zeros((2, 3)))
                    self.bias = ms.Parameter(ops.zeros(2))

                def construct(self, input: ms.Tensor) -> ms.Tensor:
                    return ops.dense(input, self.weight, self.bias)

            cell = Named()
        assert check(T.Linear(3, 2), cell, given, sync_weights=True).passed


def test_progress_is_called() -> None:
    seen: list[tuple[str, int, int]] = []
    module = T.Sequential(T.Linear(3, 3), T.ReLU())
    check(
        module,
        from_torch(module),
        torch.randn(2, 3),
        progress=lambda stage, done, total: seen.append((stage, done, total)),
    )
    assert ("eval", 0, 1) in seen
    assert ("eval", 1, 1) in seen
    assert [s for s in seen if s[0] == "isolated"][-1] == ("isolated", 3, 3)


def test_the_users_tolerance_counts_and_is_written_down() -> None:
    torch.manual_seed(0)
    module, cell, x = T.GELU(), nn.GELU(), torch.randn(3, 4)
    assert not check(module, cell, x).passed
    report = check(module, cell, x, tolerance=1e-2)
    assert report.passed
    assert report.settings["tolerance"] == 1e-2
    assert all(c.tolerance == 1e-2 for c in report.network)


def test_hints_that_pytorchs_layers_give_each_other():
    """The attention of an encoder layer is called with is_causal, which no cell takes."""
    module = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    cell = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    report = check(module, cell, torch.randn(2, 5, 8), sync_weights=True)
    assert report.passed
    assert report.verified == 1.0
    assert "self_attn" in {c.path for c in report.leaves}


@pytest.mark.parametrize("kind", ["reflect", "replicate", "circular"])
def test_a_convolution_behind_a_layer_that_pads(kind: str) -> None:
    """One module stands against a chain of two cells, the second of which has the weights."""
    module = T.Sequential(T.Conv2d(2, 3, 3, padding=(1, 2), padding_mode=kind), T.ReLU())
    cell = from_torch(module)
    x = torch.linspace(-1.0, 1.0, 40).reshape(1, 2, 4, 5)
    report = check(module, cell, x, train=True)
    assert report.passed, report.problems
    assert report.verified == report.native == 1.0
    what = {c.what for c in report.cells[1].comparisons}
    assert {"gradient of weight", "gradient of bias"} <= what
    other = from_torch(T.Sequential(T.Conv2d(2, 3, 3, padding=(1, 2)), T.ReLU()))
    assert not check(module, other, x, sync_weights=True).passed


class _Pooled(torch.nn.Module):
    """Softmax over the keys' scores: a constant added to all scores changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.key = torch.nn.Linear(6, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.key(x) @ x[0, 0]).softmax(-1)


class _PooledCell(nn.Cell):
    def __init__(self, leak: float) -> None:
        super().__init__()
        self.key = nn.Dense(6, 6)
        self.leak = leak

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        y = ops.softmax((self.key(x) * x[0, 0]).sum(-1), -1)
        bias = self.key.bias.sum()
        return y + self.leak * (bias - ops.stop_gradient(bias))


@pytest.mark.parametrize("leak", [0.0, 1e-8, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_gradient_that_cancels_to_zero(leak: float, seed: int) -> None:
    """Rounding of a zero is no difference, a small gradient that should be none is one."""
    torch.manual_seed(seed)
    x = torch.randn(2, 4, 6)
    report = check(_Pooled(), _PooledCell(leak), x, sync_weights=True)
    assert report.passed is (leak == 0.0), report.first_divergence
    if leak:
        assert "key.bias" in report.first_divergence.what
