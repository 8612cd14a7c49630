"""Inference plans: folded subgraphs against the calls that were recorded."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from agar._core.graph.autotune.benchmark import Benchmark, put_off, winner
from agar._core.graph.backends.o0 import generate
from agar._core.graph.ir.graph import Host, Op, Ref, Subgraph
from agar._core.graph.passes.fold import fold
from graph.folding import (
    MODES,
    check,
    compare,
    eval_net,
    names,
    onednn,
    record,
    run,
    run_folded,
)

aten = torch.ops.aten


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)


class Block(nn.Module):
    """A residual block with a projection."""

    def __init__(self, i: int = 4, o: int = 8, stride: int = 2, inplace: bool = False) -> None:
        super().__init__()
        self.a, self.b = nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.Conv2d(o, o, 3, 1, 1)
        self.na, self.nb, self.nd = nn.BatchNorm2d(o), nn.BatchNorm2d(o), nn.BatchNorm2d(o)
        self.d = nn.Conv2d(i, o, 1, stride, bias=False)
        self.relu = nn.ReLU(inplace)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.nb(self.b(self.relu(self.na(self.a(x)))))
        if self.relu.inplace:
            y += self.nd(self.d(x))
            return self.relu(y)
        return self.relu(y + self.nd(self.d(x)))


class UpBlock(nn.Module):
    """The way up of a U-Net: a transposed convolution, a join with the way down, a convolution."""

    def __init__(self, groups: int = 1) -> None:
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())
        self.pool = nn.MaxPool2d(2)
        self.mid = nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.LeakyReLU(0.1))
        self.up = nn.ConvTranspose2d(16, 8, 2, 2, groups=groups)
        self.norm = nn.BatchNorm2d(8)
        self.out = nn.Conv2d(16, 2, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skip = self.down(x)
        y = F.gelu(self.norm(self.up(self.mid(self.pool(skip)))))
        return self.out(torch.cat([y, skip], 1))


class Encoder(nn.Module):
    """A transformer encoder layer written out."""

    def __init__(self, width: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width, bias=False)
        self.heads = heads

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, s, w = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, s, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, s, w)
        x = x + self.proj(y)
        return x + self.down(F.gelu(self.up(self.n2(x)), approximate="tanh"))


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 12, 3, padding=1),
        nn.BatchNorm2d(12),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(12, 4, 3, padding=1),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(4 * 16, 10),
    )


def mobile() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(8, 24, 1, bias=False),
        nn.BatchNorm2d(24),
        nn.ReLU6(),
        nn.Conv2d(24, 24, 3, padding=1, groups=24, bias=False),
        nn.BatchNorm2d(24),
        nn.ReLU6(),
        nn.Conv2d(24, 8, 1, bias=False),
        nn.BatchNorm2d(8),
    )


# --------------------------------------------------------------------------------- whole networks


@pytest.mark.parametrize("how", MODES)
def test_small_cnn(how: dict[str, Any]) -> None:
    net = eval_net(cnn())
    folded = check(net, torch.randn(2, 3, 16, 16), **how)
    assert folded.counts["batch_norm"] == 2
    assert not any("batch_norm" in name for name in names(folded.body))
    assert folded.layout == how["layout"]


@pytest.mark.parametrize("how", MODES)
@pytest.mark.parametrize("inplace", [False, True])
def test_residual_block(how: dict[str, Any], inplace: bool) -> None:
    folded = check(eval_net(Block(inplace=inplace)), torch.randn(2, 4, 8, 8), **how)
    assert folded.counts["batch_norm"] == 3
    mutable = [op for op in folded.body.ops if op.func._schema.is_mutable]
    assert len(mutable) == folded.counts.get("sum", 0)  # which write into what nothing else needs


@pytest.mark.parametrize("how", MODES)
def test_generated_code_runs_the_parts(how: dict[str, Any]) -> None:
    net, x = eval_net(nn.Sequential(Block(), Block(8, 8, 1))), torch.randn(2, 4, 8, 8)
    # the operand of the last sum is also the convolution's, in both layouts
    subgraph = record(lambda x: torch.relu(net(x) + F.conv2d(x, net[0].d.weight, stride=2)), x)
    folded = fold(subgraph, **how)
    assert folded is not None
    constants = generate(folded.prologue)(*folded.prologue.captured.values())[1]
    rest = [folded.body.captured[i] for i in folded.body.ins if i in folded.body.captured]
    body = generate(folded.body)
    before = x.clone()
    (expected,) = run(subgraph, x, *subgraph.captured.values())
    for given in (x, x.contiguous(memory_format=torch.channels_last), x):
        value, (got,) = body(given, *rest, *constants)
        assert value is None
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-4)
        assert torch.equal(given, before)


@pytest.mark.parametrize("how", MODES)
def test_what_has_the_layout_already_is_not_written_to(how: dict[str, Any]) -> None:
    """What is converted is the same memory there, so nothing may reuse it."""
    conv = eval_net(nn.Conv2d(3, 3, 3, padding=1))

    def fn(x: torch.Tensor) -> torch.Tensor:
        y = conv(x).flatten(2).view(2, 3, 8, 8)
        return torch.relu(y + conv(y)) * y.sum()

    subgraph = record(fn, x := torch.randn(2, 3, 8, 8))
    folded = fold(subgraph, **how)
    if folded is None:
        return
    constants = generate(folded.prologue)(*folded.prologue.captured.values())[1]
    rest = [folded.body.captured[i] for i in folded.body.ins if i in folded.body.captured]
    body = generate(folded.body)
    for form in (torch.contiguous_format, torch.channels_last):
        got = body(x.contiguous(memory_format=form), *rest, *constants)[1][0]
        torch.testing.assert_close(got, fn(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("how", MODES)
def test_depthwise_block(how: dict[str, Any]) -> None:
    x = torch.randn(2, 8, 8, 8)
    net = eval_net(mobile())
    folded = check(lambda x: x + net(x), x, **how)
    assert folded.counts["batch_norm"] == 3


@pytest.mark.parametrize("how", MODES)
@pytest.mark.parametrize("groups", [1, 4])
def test_transposed_convolution_and_concat(how: dict[str, Any], groups: int) -> None:
    folded = check(eval_net(UpBlock(groups)), torch.randn(2, 3, 8, 8), **how)
    assert folded.counts["batch_norm"] == 2


@pytest.mark.parametrize("how", MODES)
def test_mlp_with_batch_norm(how: dict[str, Any]) -> None:
    net = eval_net(
        nn.Sequential(
            nn.Linear(12, 16, bias=False), nn.BatchNorm1d(16), nn.Tanh(), nn.Linear(16, 5)
        )
    )
    folded = check(net, torch.randn(6, 12), **how)
    assert folded.counts["batch_norm"] == 1
    assert "t" not in names(folded.body)
    assert folded.layout == "plain"  # there is no convolution to convert for


@pytest.mark.parametrize("how", MODES)
def test_transformer_layer(how: dict[str, Any]) -> None:
    folded = check(eval_net(Encoder()), torch.randn(2, 5, 32), **how)
    if how.get("timed") is False:
        assert folded.counts["product"] == 4
        assert "gelu" not in names(folded.body)  # joined, although a view stands between


@pytest.mark.parametrize("how", MODES)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_dtypes(how: dict[str, Any], dtype: torch.dtype) -> None:
    net = eval_net(nn.Sequential(cnn(), nn.Linear(10, 8), nn.BatchNorm1d(8)), dtype)
    folded = check(net, torch.randn(2, 3, 16, 16, dtype=dtype), **how)
    assert folded.counts["batch_norm"] == 3
    if dtype is torch.float64:
        assert not any(op.func.namespace == "mkldnn" for op in folded.body.ops)


def test_statistics_in_float32_beside_bfloat16() -> None:
    net = eval_net(nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)))
    net[0].to(torch.bfloat16)
    folded = check(net, torch.randn(2, 3, 8, 8, dtype=torch.bfloat16))
    assert folded.counts["batch_norm"] == 1


@pytest.mark.parametrize("how", MODES)
def test_convolutions_of_other_ranks(how: dict[str, Any]) -> None:
    one = eval_net(nn.Sequential(nn.Conv1d(3, 4, 3), nn.BatchNorm1d(4), nn.Tanh()))
    assert check(one, torch.randn(2, 3, 9), **how).counts["batch_norm"] == 1
    three = eval_net(nn.Sequential(nn.Conv3d(2, 4, 3, padding=1), nn.BatchNorm3d(4), nn.Sigmoid()))
    assert check(three, torch.randn(2, 2, 4, 5, 6), **how).counts["batch_norm"] == 1


def test_batch_norm_without_scale_or_bias() -> None:
    net = eval_net(nn.Sequential(nn.Conv2d(3, 4, 3, bias=False), nn.BatchNorm2d(4, affine=False)))
    assert check(net, torch.randn(2, 3, 8, 8)).counts["batch_norm"] == 1


ACTIVATIONS = [
    F.gelu,
    lambda x: F.gelu(x, approximate="tanh"),
    torch.tanh,
    torch.sigmoid,
    F.hardswish,
    lambda x: F.leaky_relu(x, 0.3),
]


@onednn
@pytest.mark.parametrize("layout", ["channels_last", "plain"])
@pytest.mark.parametrize("act", ACTIVATIONS)
def test_activation_inside_the_kernel(act: Callable[..., Any], layout: str) -> None:
    conv, up, dense = (
        eval_net(m) for m in (nn.Conv2d(3, 4, 3), nn.ConvTranspose2d(4, 2, 2, 2), nn.Linear(6, 5))
    )
    x = torch.randn(2, 3, 8, 8)
    how = {"layout": layout, "timed": False}
    folded = check(lambda x: act(dense(act(up(act(conv(x))))[..., :6])), x, **how)
    assert folded.counts["activation"] == 3


@onednn
@pytest.mark.parametrize("act", [*ACTIVATIONS, torch.relu, F.relu6, F.hardsigmoid, F.silu])
def test_nan_is_kept(act: Callable[..., Any]) -> None:
    conv, dense = eval_net(nn.Conv2d(3, 4, 3)), eval_net(nn.Linear(6, 5))
    x = torch.randn(2, 3, 8, 8)
    x[0, 0, 2, 2] = math.nan
    subgraph = record(lambda x: (act(conv(x)), act(dense(x[:, 0, 0, :6]))), x)
    x[1, 0, 0, 0] = math.nan
    folded = fold(subgraph, timed=False)
    assert folded is not None
    expected = run(subgraph, x, *subgraph.captured.values())
    for a, b in zip(run_folded(folded, [x]), expected, strict=True):
        assert torch.equal(a.isnan(), b.isnan())
        assert b.isnan().any()


def test_a_bias_that_is_added_behind() -> None:
    weight, bias = torch.randn(6, 5), torch.randn(5)
    kernel, shift = torch.randn(4, 2, 3, 3), torch.randn(4, 1, 1)
    x, y = torch.randn(3, 7, 6), torch.randn(2, 2, 8, 8)
    how = {"timed": False}
    folded = check(lambda x, y: (x @ weight + bias, shift + F.conv2d(y, kernel)), x, y, **how)
    assert folded.counts["bias"] == 2
    assert not any(name.startswith("add.") for name in names(folded.body))
    # a vector along another dimension than the channels is none, nor is a multiple of one
    wide = torch.randn(6)
    for fn in (
        lambda y: wide + F.conv2d(y, kernel),
        lambda y: torch.add(F.conv2d(y, kernel), shift, alpha=2),
    ):
        assert "bias" not in check(fn, y, **how).counts


# --------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize("how", MODES)
def test_changed_parameters_need_the_prologue_only(how: dict[str, Any]) -> None:
    net, x = eval_net(cnn()), torch.randn(2, 3, 16, 16)
    subgraph = record(net, x)
    folded = fold(subgraph, **how)
    assert folded is not None
    first = run_folded(folded, [x])[0]
    for t in [*net.parameters(), *net.buffers()]:
        if t.is_floating_point():
            t.mul_(1.5)
    compare(folded, subgraph, [x])
    assert not torch.allclose(run_folded(folded, [x])[0], first)


def test_casts_of_parameters_are_done_once() -> None:
    weight = torch.randn(8, 6)
    folded = check(
        lambda x: F.linear(x.bfloat16(), weight.bfloat16()), torch.randn(4, 6), fuse=False
    )
    assert names(folded.body) == ["_to_copy", "mm"]


# ------------------------------------------------------------------------ what must not be folded


def test_nothing_without_parameters() -> None:
    assert fold(record(lambda x: torch.relu(x) + 1, torch.randn(3))) is None


def test_nothing_to_gain() -> None:
    weight = torch.randn(3)
    assert fold(record(lambda x: x * weight, torch.randn(3))) is None


def test_batch_norm_that_trains() -> None:
    conv = eval_net(nn.Conv2d(3, 4, 3))
    mean, var = torch.zeros(4), torch.ones(4)
    subgraph = record(
        lambda x: F.batch_norm(conv(x), mean, var, training=True), torch.randn(2, 3, 8, 8)
    )
    assert not mean.eq(0).any()
    assert fold(subgraph) is None
    # statistics of the batch without running ones change nothing, but cannot be folded
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4, track_running_stats=False)).eval()
    folded = check(net, torch.randn(2, 3, 8, 8), timed=False)
    assert "batch_norm" not in folded.counts


def test_changed_inputs_and_parameters() -> None:
    weight = torch.randn(3, 3)

    def writes_parameter(x: torch.Tensor) -> torch.Tensor:
        weight[0].add_(1)
        return x @ weight.t()

    def writes_input(x: torch.Tensor) -> torch.Tensor:
        x[0].add_(1)
        return x @ weight.t()

    assert fold(record(writes_parameter, torch.randn(2, 3))) is None
    assert fold(record(writes_input, torch.randn(2, 3))) is None
    subgraph = record(lambda x: x @ weight.t(), torch.randn(2, 3))
    assert fold(subgraph) is not None
    subgraph.marks = (1, 2)
    assert fold(subgraph) is None  # a backward pass is no inference


@pytest.mark.parametrize("how", MODES)
def test_result_of_a_convolution_with_two_uses(how: dict[str, Any]) -> None:
    net = eval_net(nn.ModuleList([nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)]))

    def twice(x: torch.Tensor) -> torch.Tensor:
        y = net[0](x)
        return torch.tanh(net[1](y)) + torch.tanh(y)

    def given_back(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = net[0](x)
        return torch.tanh(net[1](y)), y

    for fn in (twice, given_back):
        folded = fold(subgraph := record(fn, x := torch.randn(2, 3, 8, 8)), **how)
        if folded is None:  # nothing is moved, and torch's kernel was the faster one
            continue
        assert "batch_norm" not in folded.counts
        assert sum("batch_norm" in name for name in names(folded.body)) == 1
        compare(folded, subgraph, [x])


@pytest.mark.parametrize("how", MODES)
def test_products_that_are_no_layers(how: dict[str, Any]) -> None:
    norm, line = eval_net(nn.BatchNorm1d(5)), eval_net(nn.Linear(6, 5))
    weight, bias = torch.randn(6, 5), torch.randn(5)

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        scaled = torch.addmm(bias, x[0], weight, beta=0.5, alpha=2)
        return torch.tanh(norm(scaled)), norm(line(x))  # the second over the rows

    folded = check(fn, torch.randn(2, 5, 6), **how)
    assert "batch_norm" not in folded.counts


def test_in_place_sum_keeps_its_dtype() -> None:
    line = eval_net(nn.Linear(6, 5))

    def fn(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = line(x)
        z += y
        return z

    check(fn, torch.randn(4, 6), torch.randn(4, 5, dtype=torch.float64))


def test_saved_statistics_in_use() -> None:
    net = eval_net(nn.Conv2d(3, 4, 3))
    one = torch.ones(4)

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return aten.native_batch_norm.default(net(x), one, one, one, one, False, 0.1, 1e-5)

    assert "batch_norm" not in check(fn, torch.randn(2, 3, 8, 8), timed=False).counts


@pytest.mark.parametrize("how", MODES)
@pytest.mark.parametrize(
    ("kernel", "stride", "padding", "shape"),
    [
        (2, 2, 0, (2, 8, 33, 34)),
        (3, 2, 1, (2, 8, 33, 34)),
        ((3, 2), (1, 3), (0, 1), (2, 8, 34, 33)),
        (2, 1, 0, (2, 5, 41, 41)),
    ],
)
def test_max_pooling(
    how: dict[str, Any], kernel: Any, stride: Any, padding: Any, shape: Any
) -> None:
    net = eval_net(nn.Sequential(nn.Conv2d(shape[1], 8, 3, padding=1), nn.BatchNorm2d(8)))

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = net(x)
        top = F.max_pool2d(y, kernel, stride, padding)
        return torch.relu(top).flatten(1), F.max_pool2d(x, kernel, stride, padding)

    folded = check(fn, x := torch.randn(shape), **how)
    if how.get("fuse", True):
        assert folded.counts["pooling"] >= 1
        x[0, 0, 5, 5] = math.nan
        x[1, :, 7:11, 7:11] = -math.inf
        got, expected = run_folded(folded, [x])[1], F.max_pool2d(x, kernel, stride, padding)
        torch.testing.assert_close(got, expected, equal_nan=True)


def test_max_pooling_of_other_kinds() -> None:
    net = eval_net(nn.Conv2d(3, 8, 3, padding=1))
    x = torch.randn(2, 3, 40, 40)
    folded = check(lambda x: F.max_pool2d(net(x), 2, return_indices=True), x)
    assert "pooling" not in folded.counts
    for fn in (
        lambda x: F.max_pool2d(net(x), 2, ceil_mode=True),
        lambda x: F.max_pool2d(net(x), 2, dilation=2),
        lambda x: F.max_pool2d(net(x), (2, 1)) + net(x)[:, :, ::2],  # it would be a view
    ):
        assert "pooling" not in check(fn, x).counts


def test_constants_stay_small() -> None:
    scale = torch.randn(())
    table = torch.randn(64)

    def fn(x: torch.Tensor) -> torch.Tensor:
        big = scale.expand(1 << 22).exp()  # 16 MB out of 4 bytes
        return x + big[:3] + table.exp()[:3] + torch.arange(3)

    folded = check(fn, torch.randn(3))
    assert sum(name == "exp" for name in names(folded.body)) == 1
    assert all(math.prod(folded.prologue.metas[v].stride) < 100 for v in folded.constants)
    assert "arange.start" not in names(folded.body)
    assert "arange" not in names(folded.body)


def test_constants_that_escape_are_made_anew() -> None:
    weight = torch.randn(4, 4)

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        doubled = weight * 2
        return x @ weight.exp(), doubled, weight.t()

    subgraph = record(fn, x := torch.randn(4, 4))
    folded = fold(subgraph)
    assert folded is not None
    constants = run(folded.prologue, weight)
    for _ in range(2):  # an output that is written to must not spoil the next call
        product, doubled, turned = run(folded.body, x, weight, *constants)
        torch.testing.assert_close(product, x @ weight.exp())
        assert torch.equal(doubled, weight * 2)
        assert turned.data_ptr() == weight.data_ptr()
        doubled.zero_()


def test_memory_that_is_written_to_stays_in_the_body() -> None:
    weight = torch.randn(3, 3)

    def fn(x: torch.Tensor) -> torch.Tensor:
        mask = weight.exp()
        mask[0] = 0
        return x @ mask + F.linear(x, weight)

    folded = check(fn, torch.randn(2, 3))
    assert "exp" in names(folded.body)


def test_in_place_operator_that_a_view_sees() -> None:
    conv = eval_net(nn.Conv2d(3, 4, 3))

    def fn(x: torch.Tensor) -> torch.Tensor:
        y = conv(x)
        row = y[:, :, 0]
        y.tanh_()
        return conv(y[:, :3] + row[:, :3, None])

    folded = check(fn, torch.randn(2, 3, 8, 8), timed=False)
    assert "tanh_" in names(folded.body)


def test_random_operators_stay() -> None:
    net = eval_net(nn.Linear(4, 4))
    subgraph = record(lambda x: net(F.dropout(x, 0.5, True)) * torch.rand(()), torch.ones(2, 4))
    folded = fold(subgraph)
    assert folded is not None
    members = {"bernoulli_.float", "rand", "native_dropout"}
    assert [n for n in names(folded.body) if n in members] == [
        n for n in names(subgraph) if n in members
    ]


# -------------------------------------------------------------------------------- order and layout


def test_python_keeps_its_place_and_sees_recorded_strides() -> None:
    net, seen = eval_net(cnn()), []
    items: list[Any] = []

    def fn(x: torch.Tensor) -> torch.Tensor:
        y = net[:3](x)
        items[0].host(lambda t: seen.append(("first", t.stride(), t.clone())), y)
        z = net[3:](y)
        items[0].host(lambda t, w: seen.append(("second", t.stride(), w)), z, net[0].weight)
        return z + 1

    x = torch.randn(2, 3, 16, 16)
    subgraph = record(fn, x, host=items)
    run(subgraph, x, *subgraph.captured.values())
    expected, seen[:] = list(seen), []
    folded = fold(subgraph, timed=False)
    assert folded is not None
    run_folded(folded, [x])
    assert [s[:2] for s in seen] == [s[:2] for s in expected]
    torch.testing.assert_close(seen[0][2], expected[0][2], rtol=1e-4, atol=1e-4)
    assert seen[1][2] is net[0].weight


def test_a_read_stays_last() -> None:
    net = eval_net(cnn())
    subgraph = record(lambda x: (net[:3](x), net(x).sum()), x := torch.randn(2, 3, 16, 16))
    read = Op(aten._local_scalar_dense.default, (Ref(subgraph.outs[1]),), {}, (None,))
    subgraph = Subgraph(
        [*subgraph.ops, read],
        subgraph.ins,
        subgraph.outs[:1],
        subgraph.metas,
        True,
        subgraph.captured,
    )
    folded = fold(subgraph, timed=False)
    assert folded is not None
    assert folded.body.read
    assert folded.body.ops[-1].func is aten._local_scalar_dense.default
    subgraph.ops.pop()
    compare_first = run_folded(folded, [x])[0]
    expected = run(subgraph, x, *subgraph.captured.values())[0]
    torch.testing.assert_close(compare_first, expected, rtol=1e-4, atol=1e-4)
    assert compare_first.stride() == expected.stride()


def test_inputs_are_converted_once() -> None:
    a, b = eval_net(nn.Conv2d(3, 4, 3)), eval_net(nn.Conv2d(3, 4, 3))
    form = {"memory_format": torch.channels_last}
    x = torch.randn(2, 3, 8, 8)
    folded = check(lambda x: (a(x) + b(x)).sum((2, 3)), x, fuse=False)
    assert [op.kwargs for op in folded.body.ops].count(form) == 1
    x = x.contiguous(memory_format=torch.channels_last)
    folded = check(lambda x: (a(x) + b(x)).sum((2, 3)), x, fuse=False)
    assert form not in [op.kwargs for op in folded.body.ops]


@pytest.mark.parametrize("how", MODES)
def test_strides_that_matter(how: dict[str, Any]) -> None:
    net = eval_net(nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.Tanh()))

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = net(x)
        q = y.view(2, 2, 2, 64)
        attended = F.scaled_dot_product_attention(q, q, q)
        windows = y.as_strided((2, 5), (256, 7))
        return attended, windows * 2, y.permute(0, 3, 1, 2) * 1, y.unfold(2, 2, 2).sum(-1)

    check(fn, torch.randn(2, 3, 8, 8), **how)


@pytest.mark.parametrize("how", MODES)
def test_cropped_transposed_convolution(how: dict[str, Any]) -> None:
    up, norm = eval_net(nn.ConvTranspose2d(3, 4, 3, 2)), eval_net(nn.BatchNorm2d(4))

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = torch.tanh(norm(up(x)[:, :, :8, :8]))
        return y, y.sum(0), up(x)[:, :, 1:].tanh().view(2, -1) + 1

    folded = check(fn, torch.randn(2, 3, 4, 4), **how)
    assert folded.counts["batch_norm"] == 1

    def shared(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = norm(up(x)[:, :, :8, :8])
        return y, y.view(2, -1)

    assert fold(record(shared, torch.randn(2, 3, 4, 4)), **how) is None


@pytest.mark.parametrize("how", MODES)
def test_strided_view_of_a_view(how: dict[str, Any]) -> None:
    net = eval_net(nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)))

    def fn(x: torch.Tensor) -> torch.Tensor:
        return net(x)[1].as_strided((2, 5), (3, 7), 100) * 2

    assert check(fn, torch.randn(2, 3, 8, 8), **how).layout == "plain"


def test_outputs_that_are_no_blocks() -> None:
    conv = eval_net(nn.Conv2d(3, 4, 3, padding=1))
    folded = check(lambda x: torch.tanh(conv(x))[:, :, 1:], torch.randn(2, 3, 8, 8), timed=False)
    assert folded.layout == "channels_last"


def test_outputs_that_share_memory_keep_the_plain_layout() -> None:
    conv = eval_net(nn.Conv2d(3, 4, 3))

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = torch.tanh(conv(x))
        return y, y.view(2, -1)

    folded = check(fn, x := torch.randn(2, 3, 8, 8), timed=False)
    assert folded.layout == "plain"
    a, b = run_folded(folded, [x])
    assert a.data_ptr() == b.data_ptr()


def test_picture_parameters_follow_the_layout() -> None:
    conv, place = eval_net(nn.Conv2d(3, 4, 3, padding=1)), torch.randn(1, 4, 8, 8)
    folded = check(lambda x: conv(conv(x)[:, :3] + place[:, :3]), torch.randn(2, 3, 8, 8))
    form = {"memory_format": torch.channels_last}
    assert [op.kwargs for op in folded.body.ops].count(form) == 1  # the input's
    assert form in [op.kwargs for op in folded.prologue.ops]


def test_numbers_from_python_are_no_tensors() -> None:
    """An operation may take an opaque result of Python; it has no look."""
    net = eval_net(nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)))
    items: list[Any] = []

    def fn(x: torch.Tensor) -> torch.Tensor:
        items[0].ops.append(Op(Host(lambda: 0.5, "half", "object"), (), {}, (99,)))
        return (torch.nn.functional.leaky_relu(net(x), 0.5) + x[:, :1]).add_(0.5) * 0.5

    subgraph = record(fn, x := torch.randn(2, 3, 8, 8), host=items)
    half = Ref(99)
    for n, op in enumerate(subgraph.ops):
        if 0.5 in op.args:
            args = tuple(half if type(a) is float else a for a in op.args)
            subgraph.ops[n] = Op(op.func, args, op.kwargs, op.outs, op.metas)
    assert any(half in op.args for op in subgraph.ops)
    folded = fold(subgraph, timed=False)
    assert folded is not None
    compare(folded, subgraph, [x])
    assert any(op.name == "leaky_relu" and half in op.args for op in folded.body.ops)


def test_the_faster_entrant_wins_and_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    now = [0.0]
    cost = {"a": [2.0], "b": [1.0], "c": [0.98]}

    def enter() -> dict[str, Callable[[], Any]]:
        calls.append("entered")
        took = {name: itertools.cycle(values) for name, values in cost.items()}
        return {name: lambda name=name: now.append(now[-1] + next(took[name])) for name in cost}

    for clock in ("perf_counter", "thread_time"):
        monkeypatch.setattr(time, clock, lambda: now[-1])
    key = ("test", object())
    with put_off() as later:
        assert winner(Benchmark(key, "c", enter)) == "c"
        assert winner(Benchmark(key, "c", enter)) == "c"
    assert len(later) == 1
    assert not calls
    assert winner(Benchmark(key, "c", enter)) == "b"  # c is no clear win over b
    assert winner(Benchmark(key, "c", enter)) == "b"
    assert later[0].step()  # it is known now
    assert calls == ["entered"]
    # quick once and slow most of the time: the machine is busy
    cost.update(a=[1.0], b=[0.1, 5.0, 5.0])
    assert winner(Benchmark(("test", object()), "c", enter)) == "c"


def test_a_race_of_one_and_a_race_that_fails() -> None:
    assert winner(Benchmark(("test", object()), "b", lambda: {"a": lambda: None})) == "a"

    def fails() -> None:
        raise RuntimeError("no such kernel")

    entrants = {"a": lambda: None, "b": fails}
    assert winner(Benchmark(("test", object()), "b", lambda: entrants)) == "b"  # the usual one


def test_layout_is_named() -> None:
    subgraph = record(nn.Linear(3, 3).requires_grad_(False), torch.randn(2, 3))
    with pytest.raises(ValueError, match="layout must be"):
        fold(subgraph, layout="nhwc")


@onednn
def test_packed_weights_are_made_by_the_prologue() -> None:
    folded = check(eval_net(cnn()), torch.randn(2, 3, 16, 16), timed=False)
    result = run(folded.prologue, *folded.prologue.captured.values())
    assert sum(t.is_mkldnn for t in result) == 3
    assert not any("reorder" in name for name in names(folded.body))
