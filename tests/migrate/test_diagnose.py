"""Wrong migrations: each is found at its cell, explained, and repaired by the suggested line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch

import agar as ms
from agar import nn, ops
from agar.migrate import check, load_torch_state
from agar.migrate.rules._rule import namespace
from agar.nn import Cell

T = torch.nn


class Fault(NamedTuple):
    """One planted fault.

    Attributes:
        original: makes the module.
        wrong: makes the cell that is wrong.
        shape: of the inputs.
        words: what the cause must say.
        line: what the suggested line must contain; None where there is none.
        train: whether it shows in training only.
    """

    original: Callable[[], T.Module]
    wrong: Callable[[], Cell]
    shape: tuple[int, ...]
    words: tuple[str, ...]
    line: str | None
    train: bool = False


IMAGE = (2, 4, 7, 7)
FAULTS = {
    "conv pad_mode": Fault(
        lambda: T.Conv2d(4, 4, 4),
        lambda: nn.Conv2d(4, 4, 4, has_bias=True),
        IMAGE,
        ("shape (2, 4, 7, 7) against (2, 4, 4, 4)", "pad_mode is 'same' by default"),
        "pad_mode='pad'",
    ),
    "conv has_bias": Fault(
        lambda: T.Conv2d(4, 4, 3),
        lambda: nn.Conv2d(4, 4, 3, pad_mode="pad"),
        IMAGE,
        ("bias", "has_bias is False by default"),
        "has_bias=True",
    ),
    "conv stride": Fault(
        lambda: T.Conv2d(4, 4, 3, stride=2, bias=False),
        lambda: nn.Conv2d(4, 4, 3, pad_mode="pad"),
        IMAGE,
        ("stride",),
        "stride=2",
    ),
    "conv dilation": Fault(
        lambda: T.Conv2d(4, 4, 3, dilation=2, padding=2, bias=False),
        lambda: nn.Conv2d(4, 4, 3, pad_mode="pad", padding=1),
        IMAGE,
        ("dilation is 1",),
        "dilation=2",
    ),
    "conv groups": Fault(
        lambda: T.Conv2d(4, 4, 3, groups=2, bias=False),
        lambda: nn.Conv2d(4, 4, 3, pad_mode="pad"),
        IMAGE,
        ("group is 1",),
        "group=2",
    ),
    "conv1d padding": Fault(
        lambda: T.Conv1d(3, 4, 3, padding=1, bias=False),
        lambda: nn.Conv1d(3, 4, 3, pad_mode="pad", padding=0),
        (2, 3, 8),
        ("padding is 0",),
        "padding=1",
    ),
    "transposed conv": Fault(
        lambda: T.ConvTranspose2d(4, 3, 3, stride=2, padding=1),
        lambda: nn.Conv2dTranspose(4, 3, 3, stride=2, has_bias=True),
        IMAGE,
        ("pad_mode is 'same'",),
        "pad_mode='pad'",
    ),
    "dense bias": Fault(
        lambda: T.Linear(4, 3),
        lambda: nn.Dense(4, 3, has_bias=False),
        (2, 4),
        ("has_bias is False",),
        "nn.Dense(4, 3)",
    ),
    "dense activation": Fault(
        lambda: T.Linear(4, 3),
        lambda: nn.Dense(4, 3, activation="relu"),
        (5, 4),
        ("activation is nn.ReLU()", "leave it out"),
        "nn.Dense(4, 3)",
    ),
    "batch norm momentum": Fault(
        lambda: T.BatchNorm2d(4),
        lambda: nn.BatchNorm2d(4, momentum=0.1),
        IMAGE,
        ("momentum is 0.1",),
        "nn.BatchNorm2d(4)",
        True,
    ),
    "batch norm eps": Fault(
        lambda: T.BatchNorm2d(4, eps=1e-3),
        lambda: nn.BatchNorm2d(4),
        IMAGE,
        ("eps is 1e-05",),
        "eps=0.001",
    ),
    "batch norm statistics": Fault(
        lambda: T.BatchNorm1d(4),
        lambda: nn.BatchNorm1d(4, use_batch_statistics=True),
        (6, 4),
        ("use_batch_statistics is True",),
        "nn.BatchNorm1d(4)",
    ),
    "layer norm epsilon": Fault(
        lambda: T.LayerNorm(6),
        lambda: nn.LayerNorm((6,)),
        (3, 6),
        ("epsilon is 1e-07 by default, PyTorch's eps 1e-05",),
        "epsilon=1e-05",
    ),
    "layer norm axis": Fault(
        lambda: T.LayerNorm((4, 6)),
        lambda: nn.LayerNorm((4, 6), begin_norm_axis=-1, begin_params_axis=-2, epsilon=1e-5),
        (3, 4, 6),
        ("begin_norm_axis",),
        "begin_norm_axis=-2",
    ),
    "group norm groups": Fault(
        lambda: T.GroupNorm(2, 4),
        lambda: nn.GroupNorm(4, 4),
        IMAGE,
        ("num_groups is 4",),
        "nn.GroupNorm(2, 4",
    ),
    "group norm eps": Fault(
        lambda: T.GroupNorm(2, 4, eps=1e-3),
        lambda: nn.GroupNorm(2, 4),
        IMAGE,
        ("eps is 1e-05",),
        "eps=0.001",
    ),
    "gelu": Fault(
        T.GELU,
        nn.GELU,
        (4, 5),
        ("approximate is True (the tanh formula) by default",),
        "approximate=False",
    ),
    "leaky relu": Fault(
        T.LeakyReLU,
        nn.LeakyReLU,
        (4, 5),
        ("alpha is 0.2 by default",),
        "alpha=0.01",
    ),
    "elu": Fault(
        lambda: T.ELU(0.5),
        nn.ELU,
        (4, 5),
        ("alpha",),
        "0.5",
    ),
    "softmax axis": Fault(
        lambda: T.Softmax(1),
        nn.Softmax,
        (2, 3, 4),
        ("axis is -1",),
        "axis=1",
    ),
    "max pool stride": Fault(
        lambda: T.MaxPool2d(2),
        lambda: nn.MaxPool2d(2),
        IMAGE,
        ("stride",),
        "nn.MaxPool2d(2, 2",
    ),
    "max pool padding": Fault(
        lambda: T.MaxPool2d(3, 2, 1),
        lambda: nn.MaxPool2d(3, 2),
        IMAGE,
        ("pad",),
        "padding=1",
    ),
    "average pool": Fault(
        lambda: T.AvgPool2d(3, 1, 1, count_include_pad=False),
        lambda: nn.AvgPool2d(3, 1, pad_mode="pad", padding=1),
        IMAGE,
        ("count_include_pad is True",),
        "count_include_pad=False",
    ),
    "keep_prob": Fault(
        lambda: T.Dropout(0.2),
        lambda: nn.Dropout(p=0.8),
        (8, 9),
        ("p is 0.8",),
        "p=0.2",
        True,
    ),
    "no dropout": Fault(
        lambda: T.Dropout(0.5),
        nn.Identity,
        (8, 9),
        ("nn.Identity stands where nn.Dropout belongs",),
        "nn.Dropout(p=0.5)",
        True,
    ),
    "another activation": Fault(
        T.SiLU,
        nn.ReLU,
        (4, 5),
        ("nn.ReLU stands where nn.SiLU belongs",),
        "nn.SiLU()",
    ),
    "embedding padding": Fault(
        lambda: T.Linear(5, 5, bias=False),
        lambda: nn.Dense(5, 4, has_bias=False),
        (3, 5),
        ("out_channels is 4",),
        "nn.Dense(5, 5",
    ),
    "upsampling": Fault(
        lambda: T.Upsample(scale_factor=2.0, mode="bilinear", align_corners=True),
        lambda: nn.Upsample(
            scale_factor=(2.0, 2.0),
            mode="bilinear",
            align_corners=False,
            recompute_scale_factor=True,
        ),
        IMAGE,
        ("align_corners is False",),
        "align_corners=True",
    ),
    "lstm direction": Fault(
        lambda: T.GRU(4, 3, batch_first=True),
        lambda: nn.GRU(4, 3),
        (2, 5, 4),
        ("batch_first is False",),
        "batch_first=True",
    ),
}


class _Chain(T.Module):
    def __init__(self, layer: T.Module) -> None:
        super().__init__()
        self.first = T.Hardtanh(-9, 9)
        self.layer = layer

    def forward(self, x: torch.Tensor) -> Any:
        return self.layer(self.first(x))


class _CellChain(nn.Cell):
    def __init__(self, layer: Cell) -> None:
        super().__init__()
        self.first = nn.Hardtanh(-9.0, 9.0)
        self.layer = layer

    def construct(self, x: ms.Tensor) -> Any:
        return self.layer(self.first(x))


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_argument_is_found_explained_and_repaired(name: str) -> None:
    fault = FAULTS[name]
    torch.manual_seed(0)
    x = torch.randn(fault.shape)
    module = _Chain(fault.original())
    with torch.no_grad():  # fresh statistics and biases of zero would hide faults
        for p in [*module.parameters(), *module.buffers()]:
            if p.is_floating_point():
                p.copy_(torch.rand(p.shape) + 0.1)
    options = {"sync_weights": True, "train": fault.train}
    report = check(module, _CellChain(fault.wrong()), x, **options)
    assert not report.passed
    found = report.first_divergence
    assert found is not None
    assert found.path == "layer", found
    for words in fault.words:
        assert words in found.cause, found
    assert found.rule == f"torch.nn.{type(module.layer).__name__}"
    assert found.line is not None
    assert fault.line in found.line, found
    assert found.line.startswith("self.layer = nn.")
    assert found.repaired, found
    # the line is what it says: with it the check passes
    made = eval(found.line.partition(" = ")[2], dict(namespace()))
    again = check(module, _CellChain(made), x, **options)
    assert again.passed, (again.problems, again.first_divergence)


@pytest.mark.parametrize("name", ["conv pad_mode", "gelu", "batch norm momentum", "keep_prob"])
def test_faults_are_found_in_graph_mode(name: str) -> None:
    fault = FAULTS[name]
    torch.manual_seed(0)
    module, x = _Chain(fault.original()), torch.randn(fault.shape)
    report = check(
        module, _CellChain(fault.wrong()), x, sync_weights=True, train=True, mode=ms.GRAPH_MODE
    )
    found = report.first_divergence
    assert found is not None
    assert (found.path, found.repaired) == ("layer", True)
    assert fault.words[-1] in found.cause


# ------------------------------------------------------------------------------ weights


def _trained() -> T.Module:
    torch.manual_seed(1)
    module = T.Sequential(T.Linear(4, 4), T.BatchNorm1d(4), T.ReLU())
    with torch.no_grad():
        for p in [*module.parameters(), *module.buffers()]:
            if p.is_floating_point():
                p.copy_(torch.rand(p.shape) + 0.1)
    return module.eval()


def _cell() -> nn.SequentialCell:
    return nn.SequentialCell(nn.Dense(4, 4), nn.BatchNorm1d(4), nn.ReLU())


def _loaded(module: T.Module) -> nn.SequentialCell:
    cell = _cell()
    load_torch_state(cell, module.state_dict())
    return cell


def _set(p: Any, value: torch.Tensor) -> None:
    p.set_data(ms.from_torch(value.detach().clone()))


def _transposed(module: Any, cell: Any) -> None:
    _set(cell[0].weight, module[0].weight.t())


def _swapped(module: Any, cell: Any) -> None:
    _set(cell[1].gamma, module[1].bias)
    _set(cell[1].beta, module[1].weight)


def _statistics(module: Any, cell: Any) -> None:
    _set(cell[1].moving_mean, torch.zeros(4))
    _set(cell[1].moving_variance, torch.ones(4))


def _one_weight(module: Any, cell: Any) -> None:
    _set(cell[0].bias, torch.zeros(4))


def _narrow(module: Any, cell: Any) -> None:
    cell[0].to(ms.float16)


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        (_transposed, "0", "weight is the transpose"),
        (_swapped, "1", "gamma and beta are swapped"),
        (_statistics, "1", "the running statistics were not: moving_mean and moving_variance"),
        (_one_weight, "0", "its weights are not the original's: bias"),
        (_narrow, "0", "is of type float16"),
    ],
)
def test_wrong_weights_are_a_divergence_of_their_own(change: Any, path: str, words: str) -> None:
    module = _trained()
    cell = _loaded(module)
    x = torch.randn(3, 4)
    assert check(module, cell, x).passed
    change(module, cell)
    report = check(module, cell, x)
    found = report.first_divergence
    assert not report.passed
    assert found is not None
    assert (found.path, found.stage) == (path, "weights")
    assert words in found.cause, found
    if change is not _narrow:
        assert found.line == "agar.migrate.load_torch_state(net, module.state_dict())"
        assert found.repaired
        assert check(module, cell, x, sync_weights=True).passed


# --------------------------------------------------------------------------- composites


class _Block(T.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = T.Conv2d(3, 3, 1)
        self.norm = T.GroupNorm(1, 3)
        self.out = T.Conv2d(3, 3, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.out(torch.relu(self.norm(self.conv(x)))) + x)


class _CellBlock(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1, pad_mode="pad", has_bias=True)
        self.norm = nn.GroupNorm(1, 3)
        self.out = nn.Conv2d(3, 3, 1, pad_mode="pad", has_bias=True)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return ops.relu(self.out(ops.relu(self.norm(self.conv(x)))) + x)


class _NoActivation(_CellBlock):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return ops.relu(self.out(self.norm(self.conv(x))) + x)


class _NoShortcut(_CellBlock):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return ops.relu(self.out(ops.relu(self.norm(self.conv(x)))))


class _OtherOrder(_CellBlock):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return ops.relu(self.out(ops.relu(self.conv(self.norm(x)))) + x)


class _Transposed(_CellBlock):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        y = ops.relu(self.norm(self.conv(x)))
        return ops.relu(self.out(y.transpose(0, 1, 3, 2)) + x)


class _LastActivation(_CellBlock):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.out(ops.relu(self.norm(self.conv(x)))) + x


class _Skips(_CellBlock):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return ops.relu(self.out(ops.relu(self.conv(x))) + x)


class _Stops(_CellBlock):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        y = ops.stop_gradient(self.conv(x))
        return ops.relu(self.out(ops.relu(self.norm(y))) + x)


class _Net(T.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = T.Conv2d(2, 3, 1)
        self.block = _Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.stem(x))


class _CellNet(nn.Cell):
    def __init__(self, block: Cell) -> None:
        super().__init__()
        self.stem = nn.Conv2d(2, 3, 1, pad_mode="pad", has_bias=True)
        self.block = block

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.block(self.stem(x))


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (_NoActivation, ("between block.norm and block.out", "ops.relu(x) is missing there")),
        (_NoShortcut, ("after block.out, its last part",)),
        (_OtherOrder, ("calls block.norm where the original calls block.conv",)),
        (_Transposed, ("between block.norm and block.out", "another order: (0, 1, 3, 2)")),
        (_LastActivation, ("after block.out, its last part", "ops.relu(x) is missing there")),
        (_Skips, ("between block.conv and block.out",)),
        (_Stops, ("gradient of",)),
    ],
)
def test_a_wrong_construct_is_found_between_its_parts(
    block: type[Cell], words: tuple[str, ...]
) -> None:
    torch.manual_seed(0)
    x = torch.randn(2, 2, 4, 4)
    assert check(_Net(), _CellNet(_CellBlock()), x, sync_weights=True).passed
    report = check(_Net(), _CellNet(block()), x, sync_weights=True)
    found = report.first_divergence
    assert not report.passed
    assert found is not None
    assert found.path == "block", found
    for word in words:
        assert word in found.cause, found
    statuses = {c.path: c.status for c in report.cells}
    assert statuses["stem"] == statuses["block.conv"] == statuses["block.out"] == "equal"
    assert statuses["block"] == "different"
    assert statuses[""] == "inherited"


def test_the_cause_is_named_and_not_what_inherits_it() -> None:
    torch.manual_seed(0)
    module = T.Sequential(T.Linear(4, 4), T.GELU(), T.Linear(4, 4), T.GELU(), T.Linear(4, 2))
    cell = nn.SequentialCell(nn.Dense(4, 4), nn.GELU(), nn.Dense(4, 4), nn.GELU(), nn.Dense(4, 2))
    report = check(module, cell, torch.randn(3, 4), sync_weights=True)
    assert report.first_divergence is not None
    assert report.first_divergence.path == "1"
    assert [c.status for c in report.cells if c.leaf] == [
        "equal",
        "different",
        "equal",
        "different",
        "equal",
    ]
    assert report.verified == 3 / 5
    assert report.native == 1.0
