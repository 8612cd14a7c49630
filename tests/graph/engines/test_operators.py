"""Each operator as engines compute it: what it gives, and how many of its digits."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from agar._core.graph.backends.engine import Engine
from agar._core.graph.backends.openvino import OPENVINO
from graph.engines.models import (
    FILTER,
    SQUARE,
    VECTOR,
    WIDE,
    Current,
    check,
    model_of,
    of_model,
    product,
    tensor,
)
from graph.folding import eval_net, record

aten = torch.ops.aten


PICTURE = (2, 4, 9, 8)
NARROW = tensor(4, 1, 3, 3, seed=4) / 3
SIX = tensor(6, seed=7)
SAME = tensor(*PICTURE, seed=9)
MORE = tensor(2, 1, 9, 8, seed=8)
BACK = tensor(4, 3, 3, 2, seed=5) / 6
MASK = torch.zeros(7, 7).masked_fill(torch.ones(7, 7).triu(1).bool(), -math.inf)


CELL = [tensor(24, 8, seed=11) / 3, tensor(24, 6, seed=12) / 3]
CELL += [tensor(24, seed=13), tensor(24, seed=14)]


def lstm(x: torch.Tensor, *weights: torch.Tensor, reverse: bool = False) -> Any:
    """One direction of a layer as torch records it, whose state begins with what comes in."""
    h, c = torch.tanh(x[0, :, :6]), x[1, :, :6] * 2
    how = (reverse, [], 2, 6, 1, True, False, False, False)
    return aten.mkldnn_rnn_layer(x, *(weights or CELL), h, c, *how)[:3]


def attend(x: torch.Tensor, **how: Any) -> torch.Tensor:
    q, k, v = x.split(x.shape[1] // 3, 1)
    return aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, **how)[0]


def pooled(x: torch.Tensor, *how: Any) -> torch.Tensor:
    return aten.max_pool2d_with_indices(x, *how)[0]


OPERATORS: list[tuple[str, Callable[[torch.Tensor], Any], tuple[int, ...]]] = [
    ("conv", lambda x: F.conv2d(x, FILTER, SIX), PICTURE),
    ("conv strides", lambda x: F.conv2d(x, FILTER, None, 2, (1, 2), (2, 1)), PICTURE),
    ("conv groups", lambda x: F.conv2d(x, NARROW, VECTOR, 1, 1, 1, 4), PICTURE),
    ("conv 1d", lambda x: F.conv1d(x, FILTER[..., 0], padding=1), (2, 4, 9)),
    ("conv 3d", lambda x: F.conv3d(x, FILTER[..., None], padding=1), (1, 4, 5, 6, 3)),
    ("conv back", lambda x: F.conv_transpose2d(x, BACK, None, 2, 1, 1), PICTURE),
    ("conv back groups", lambda x: F.conv_transpose2d(x, BACK, None, 2, 0, 0, 2), PICTURE),
    ("batch norm", lambda x: F.batch_norm(x, VECTOR, VECTOR.abs() + 0.1, VECTOR, VECTOR), PICTURE),
    ("batch norm bare", lambda x: F.batch_norm(x, VECTOR, VECTOR.abs() + 0.1), PICTURE),
    ("mm", lambda x: x @ SQUARE, (5, 8)),
    ("mm turned", lambda x: x @ SQUARE.t(), (5, 8)),
    ("linear", lambda x: F.linear(x, SQUARE, WIDE), (5, 8)),
    ("bmm", lambda x: torch.bmm(x, x.transpose(1, 2)), (3, 5, 8)),
    ("attention", attend, (2, 6, 7, 8)),
    ("attention causal", lambda x: attend(x, is_causal=True), (2, 6, 7, 8)),
    ("attention mask", lambda x: attend(x, attn_mask=MASK, scale=0.3), (2, 6, 7, 8)),
    ("lstm", lstm, (5, 3, 8)),
    ("lstm reverse", lambda x: lstm(x, reverse=True), (5, 3, 8)),
    ("layer norm", lambda x: F.layer_norm(x, (8,), WIDE, WIDE), (3, 5, 8)),
    ("layer norm bare", lambda x: F.layer_norm(x, (5, 8)), (3, 5, 8)),
    ("layer norm shifted", lambda x: F.layer_norm(x + 9 * x.amax(-1, True), (8,), WIDE), (3, 5, 8)),
    ("group norm", lambda x: F.group_norm(x, 2, VECTOR, VECTOR), PICTURE),
    ("relu", F.relu, PICTURE),
    ("sigmoid", torch.sigmoid, PICTURE),
    ("tanh", torch.tanh, PICTURE),
    ("silu", F.silu, PICTURE),
    ("hardswish", lambda x: F.hardswish(3 * x), PICTURE),
    ("hardsigmoid", lambda x: F.hardsigmoid(3 * x), PICTURE),
    ("mish", F.mish, PICTURE),
    ("gelu", F.gelu, PICTURE),
    ("gelu tanh", lambda x: F.gelu(x, approximate="tanh"), PICTURE),
    ("leaky relu", lambda x: F.leaky_relu(x, 0.2), PICTURE),
    ("relu6", lambda x: F.hardtanh(4 * x, 0.0, 6.0), PICTURE),
    ("clamp", lambda x: x.clamp(min=-0.5), PICTURE),
    ("exp", lambda x: torch.exp(torch.tanh(x)), PICTURE),
    ("softmax", lambda x: torch.softmax(x * 9, 1), PICTURE),
    ("log softmax", lambda x: torch.log_softmax(x * 9, -1), PICTURE),
    ("abs neg", lambda x: -x.abs(), PICTURE),
    ("add", lambda x: x + WIDE + 2 + torch.add(x, x, alpha=0.5), PICTURE),
    ("sub", lambda x: (1 - x) - WIDE - torch.sub(x, 3, alpha=2), PICTURE),
    ("mul div", lambda x: x * WIDE * x * 0.3 / (WIDE.abs() + 1) / 7, PICTURE),
    ("max pool", lambda x: pooled(x, [3, 3], [2, 2], [1, 1], [1, 1], False), PICTURE),
    ("max pool ceil", lambda x: pooled(x, [2, 2], [2, 2], [0, 0], [1, 1], True), PICTURE),
    ("max pool holes", lambda x: pooled(x, [2, 3], [1, 1], [0, 1], [2, 1], False), PICTURE),
    ("avg pool", lambda x: F.avg_pool2d(x, 3, 2, 1), PICTURE),
    ("avg pool inside", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), PICTURE),
    ("mean", lambda x: x.mean((2, 3)), PICTURE),
    ("mean all", lambda x: x.mean((0, 1, 2, 3), keepdim=True), PICTURE),
    ("sum", lambda x: x.sum(-1), PICTURE),
    ("amax", lambda x: x.amax((1, 2)), PICTURE),
    ("global pool", lambda x: F.adaptive_avg_pool2d(x, 1), PICTURE),
    ("reshape", lambda x: torch.relu(x).reshape(2, 36, 8).unsqueeze(1), PICTURE),
    ("permute", lambda x: torch.relu(x).permute(0, 2, 3, 1), PICTURE),
    ("permute far", lambda x: torch.relu(torch.relu(x).permute(3, 0, -2, 1)), PICTURE),
    ("transpose", lambda x: torch.relu(torch.relu(x).transpose(1, -1)), PICTURE),
    ("expand", lambda x: torch.relu(torch.relu(x[:, :1]).expand(2, 4, 9, 8)), PICTURE),
    ("cat", lambda x: torch.cat([x, torch.relu(x), MORE], 1), PICTURE),
    ("stack", lambda x: torch.stack([x, SAME, torch.relu(x)], -2), PICTURE),
    ("split", lambda x: torch.relu(x).split(3, 2)[1] * 2, PICTURE),
    ("slice", lambda x: torch.relu(x)[:, 1:-1, ::2] + 1, PICTURE),
    ("select", lambda x: torch.relu(x)[:, -1] + 1, PICTURE),
    ("pad", lambda x: F.pad(x, (1, 2, 0, 3), value=0.5), PICTURE),
    ("pixel shuffle", lambda x: F.pixel_shuffle(x, 2), PICTURE),
    ("scalar", lambda x: torch.relu(x).sum((0, 1, 2, 3)) * 2, PICTURE),
]


@pytest.mark.parametrize(("fn", "shape"), [pytest.param(f, s, id=n) for n, f, s in OPERATORS])
def test_operator(fn: Any, shape: tuple[int, ...]) -> None:
    x = tensor(*shape)
    x.view(-1)[0] = -0.0
    model = model_of(lambda x: fn(product(x)), x)
    for scale in (1.0, 1e-4, 1e-20, 1e6):
        check(lambda x: fn(product(x)), x * scale, model=model)
    expected = {op.name for op in record(fn, x).ops}
    on_weights = {"t", "abs", "add.Tensor", "add.Scalar", "div.Tensor", "select.int", "unsqueeze"}
    assert expected - on_weights <= of_model(model)


def window(seed: int, kind: str) -> Callable[[torch.Tensor], Any]:
    """A convolution or pooling over a picture of 4 channels, of 11x9 points."""
    random = np.random.RandomState(seed)
    kernel, stride, dilation = (random.randint(1, n, 2).tolist() for n in (5, 4, 3))
    if kind.startswith("conv"):
        groups = int(random.choice([1, 2, 4]))
        padding = random.randint(0, 4, 2).tolist()
        weight = tensor(4, 4 // groups, *kernel, seed=seed)
        if kind == "conv":
            return lambda x: F.conv2d(x, weight, VECTOR, stride, padding, dilation, groups)
        padding = [min(p, (k - 1) * d) for p, k, d in zip(padding, kernel, dilation, strict=True)]
        extra = [int(random.randint(0, s)) for s in stride]
        return lambda x: F.conv_transpose2d(
            x, weight, None, stride, padding, extra, groups, dilation
        )
    padding = [int(random.randint(0, k // 2 + 1)) for k in kernel]
    if kind == "max_pool":
        ceil = bool(random.randint(2))
        return lambda x: pooled(x, kernel, stride, padding, dilation, ceil)
    counted = bool(random.randint(2))
    return lambda x: F.avg_pool2d(x, kernel, stride, padding, False, counted)


@pytest.mark.parametrize("kind", ["conv", "conv_transpose", "max_pool", "avg_pool"])
def test_windows(kind: str) -> None:
    for seed in range(16):
        fn = window(seed, kind)
        model = check(lambda x, fn=fn: fn(product(x)), tensor(1, 4, 11, 9, seed=seed))
        assert len(of_model(model)) > 1, seed


def test_padding_of_outputs_beyond_the_stride() -> None:
    """ONNX Runtime raises for it, in each call."""
    weight = tensor(4, 4, 3, 3)
    model = check(
        lambda x: product(F.conv_transpose2d(x, weight, None, 1, 0, 1, 1, 2)), tensor(1, 4, 5, 8)
    )
    assert ("convolution" in of_model(model)) == (Current.engine is OPENVINO)


def test_what_stands_in_a_table_is_an_operator_that_a_test_has() -> None:
    from agar._core.graph.backends.engine_rules import TABLE

    tested = {op.func for _, f, s in OPERATORS for op in record(f, tensor(*s)).ops}
    plain = {aten.contiguous.default, aten.reshape.default, aten.clone.default}
    plain |= {aten._to_copy.default, aten.squeeze.default, aten.squeeze.dim, aten.squeeze.dims}
    rare = {aten.avg_pool3d.default, aten.max_pool3d_with_indices.default}
    rare |= {aten.split_with_sizes.default, aten._native_batch_norm_legit_no_training.default}
    rare |= {aten.hardtanh.default, aten.clamp.default, aten.add.Scalar, aten.sub.Scalar}
    rare |= {aten.mul.Scalar, aten.div.Scalar, aten.rsub.Scalar, aten._unsafe_view.default}
    rare |= {aten._adaptive_avg_pool2d.default}
    assert set(TABLE) - tested - plain <= rare


# ------------------------------------------------------------------------------------------- digits


def computed(make: Callable[..., Any], x: torch.Tensor) -> torch.Tensor:
    """The result of nodes: ``make(nodes, x)``."""
    nodes = Current.engine.nodes()
    parameter = nodes.parameter(x.shape)
    node = make(nodes, parameter)
    result = torch.empty(tuple(node.shape))
    Current.engine.compile(nodes, [parameter], [node]).infer([x], [result])
    return result


#: Operations with what they may be off, relative to what they take: where the result is far less.
ACTIVATIONS: list[tuple[str, Callable[[torch.Tensor], torch.Tensor], float]] = [
    ("exp", torch.exp, 0.0),
    ("sigmoid", torch.sigmoid, 0.0),
    ("tanh", torch.tanh, 0.0),
    ("silu", F.silu, 0.0),
    ("hardswish", F.hardswish, 2e-7),
    ("hardsigmoid", F.hardsigmoid, 2e-7),
    ("mish", F.mish, 1e-7),
    ("gelu", F.gelu, 2e-7),
    ("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), 2e-7),
]


@pytest.mark.parametrize(("name", "fn", "off"), ACTIVATIONS, ids=[row[0] for row in ACTIVATIONS])
def test_digits_of_activations(name: str, fn: Any, off: float) -> None:
    """As many as torch's have, of small and large numbers."""
    size = torch.cat([torch.logspace(-30, 36, 2001), torch.linspace(0.01, 87, 3001)])
    size = size[size < (60 if name == "exp" else math.inf)]
    x = torch.cat([size, -size])
    exact = fn(x.double())
    wrong = (computed(lambda nodes, x: nodes.elementwise(name, x), x) - exact).abs()
    allowed = 1e-6 * exact.abs() + 2 * (fn(x) - exact).abs() + off * x.abs() + 1e-30
    assert x[wrong > allowed].tolist() == []


@pytest.mark.parametrize("far", [0, 1000])
def test_digits_of_normalizations(far: int) -> None:
    x = tensor(2, 8, 16, 16) + far
    for fn, make in (
        (
            lambda x: F.layer_norm(x, (16, 16)),
            lambda b, x: b.layer_norm(x, [2, 3], None, None, 1e-5),
        ),
        (lambda x: F.group_norm(x, 2), lambda b, x: b.group_norm(x, 2, None, None, 1e-5)),
    ):
        exact = fn(x.double())
        wrong, own = (computed(make, x) - exact).abs().max(), (fn(x) - exact).abs().max()
        assert wrong <= 4 * own + 1e-6


def test_normalizations_of_older_versions_are_centered_first(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine is OPENVINO:
        return
    x = tensor(4, 8) @ SQUARE
    for version, kinds in (("1.32.1", 1), ("1.23.2", 3), ("1.9.0", 3)):
        monkeypatch.setattr("onnxruntime.__version__", version)
        nodes: Any = engine.nodes()
        nodes.layer_norm(nodes.parameter(x.shape), [1], None, None, 1e-5)
        assert len(nodes._nodes) == kinds


def test_digits_of_shares() -> None:
    x = tensor(3, 40) * 20
    for dim, log in ((0, False), (1, False), (1, True)):
        fn = torch.log_softmax if log else torch.softmax
        exact = fn(x.double(), dim)
        result = computed(lambda b, x, dim=dim, log=log: b.softmax(x, dim, log), x)
        torch.testing.assert_close(result.double(), exact, rtol=1e-5, atol=1e-7 if log else 1e-30)
    x[:, 7:] = -math.inf
    result = computed(lambda b, x: b.softmax(x, 1), x)
    assert not result[:, 7:].any()
    torch.testing.assert_close(result, torch.softmax(x, 1))


@pytest.mark.parametrize("size", [0.1, 1.0, 30.0])
def test_digits_of_states(size: float) -> None:
    """Also where gates are wide open, or shut."""
    net = eval_net(torch.nn.LSTM(8, 6, num_layers=2, bidirectional=True))
    for p in net.parameters():
        p.copy_(tensor(*p.shape, seed=p.numel()) / 2)
    more = copy.deepcopy(net).double()
    x = tensor(12, 3, 8) * size
    model = model_of(lambda x: (net(x)[0], net(x)[1][1]), x)
    assert of_model(model) >= {"mkldnn_rnn_layer", "cat"}
    with torch.no_grad():
        (every, (_, cell)), (own, (_, own_cell)) = more(x.double()), net(x)
        result = model(x)
    assert result is not None
    for a, b, exact in zip(result[1], (own, own_cell), (every, cell), strict=True):
        assert (a - exact).abs().max() <= 4 * (b - exact).abs().max() + 1e-6


def test_sums_of_very_many_numbers_are_torchs() -> None:
    """Engines add one after the other."""

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x @ SQUARE
        return y.sum(0), y.mean(0), y.amax(0), y[:9].sum(0)

    assert {"sum.dim_IntList", "mean.dim", "amax"} <= of_model(check(fn, tensor(1 << 14, 8)))
    assert of_model(check(fn, tensor(1 << 15, 8))) & {"mean.dim", "amax"} == {"amax"}
