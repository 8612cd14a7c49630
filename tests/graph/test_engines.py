"""The plans of engines: each operator, numbers that they would hide, memory, threads, forks."""

from __future__ import annotations

import copy
import importlib.metadata
import importlib.util
import math
import os
import subprocess
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from agar._core.graph.autotune import weights
from agar._core.graph.autotune.weights import EnginePlan
from agar._core.graph.backends import o0
from agar._core.graph.backends.engine import Compiled, Engine, Untranslatable
from agar._core.graph.backends.engine_model import ENGINES, Model, may_gain
from agar._core.graph.backends.engine_rules import ASSUMED
from agar._core.graph.backends.openvino import OPENVINO
from agar._core.graph.ir.graph import Subgraph
from graph.folding import eval_net, record

aten = torch.ops.aten


class Current:
    """The engine of the test that runs."""

    engine: Engine


@pytest.fixture(params=ENGINES, ids=lambda e: e.name.replace(" ", ""), autouse=True)
def engine(request: pytest.FixtureRequest) -> Engine:
    if (reason := request.param.available()) is not None:
        pytest.skip(reason)
    Current.engine = request.param
    return request.param


def tensor(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def parts(subgraph: Subgraph) -> tuple[list[int], dict[int, torch.Tensor]]:
    takes = [v for v in subgraph.ins if v not in subgraph.captured]
    return takes, dict(subgraph.captured)


def model_of(fn: Callable[..., Any], *inputs: torch.Tensor) -> Model:
    subgraph = record(fn, *inputs)
    with torch.no_grad():
        return Model(Current.engine, subgraph, *parts(subgraph))


def check(fn: Callable[..., Any], *inputs: torch.Tensor, model: Model | None = None) -> Model:
    """The model of a function, after its results have been compared with the function's."""
    model = model or model_of(fn, *inputs)
    before = [t.clone() for t in inputs]
    with torch.no_grad():
        expected = fn(*inputs)
        result = model(*inputs)
    assert result is not None
    for a, b in zip(
        result[1], expected if isinstance(expected, tuple) else [expected], strict=True
    ):
        scale = float(b.abs().max()) if b.is_floating_point() and b.numel() else 0.0
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5 * max(scale, 1e-30))
        assert a.stride() == b.stride()
    for t, old in zip(inputs, before, strict=True):
        torch.testing.assert_close(t, old, rtol=0, atol=0, equal_nan=True)
    return model


def of_model(model: Model) -> set[str]:
    """The operators that are the model's, not torch's."""
    lines = [line for line in model.source.split("\n") if line.startswith("v") and ": [" in line]
    return {line.split(" = ")[1].split(":")[0] for line in lines}


# ---------------------------------------------------------------------------------------- operators

PICTURE = (2, 4, 9, 8)
VECTOR = tensor(4, seed=1)
WIDE = tensor(8, seed=2)
FILTER = tensor(6, 4, 3, 3, seed=3) / 6
NARROW = tensor(4, 1, 3, 3, seed=4) / 3
SIX = tensor(6, seed=7)
MORE = tensor(2, 1, 9, 8, seed=8)
BACK = tensor(4, 3, 3, 2, seed=5) / 6
SQUARE = tensor(8, 8, seed=6) / 3
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
    ("split", lambda x: torch.relu(x).split(3, 2)[1] * 2, PICTURE),
    ("slice", lambda x: torch.relu(x)[:, 1:-1, ::2] + 1, PICTURE),
    ("select", lambda x: torch.relu(x)[:, -1] + 1, PICTURE),
    ("pad", lambda x: F.pad(x, (1, 2, 0, 3), value=0.5), PICTURE),
    ("pixel shuffle", lambda x: F.pixel_shuffle(x, 2), PICTURE),
    ("scalar", lambda x: torch.relu(x).sum((0, 1, 2, 3)) * 2, PICTURE),
]


def product(x: torch.Tensor) -> torch.Tensor:
    """The same numbers as the result of a matrix product."""
    return (x.reshape(-1, x.shape[-1]) @ torch.eye(x.shape[-1])).view(x.shape)


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
    size = torch.cat([torch.logspace(-30, 2, 2001), torch.linspace(0.01, 87, 3001)])
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


# ------------------------------------------------------------------- what the model does not take


@pytest.mark.parametrize(
    ("reason", "fn", "inputs"),
    [
        ("no convolution", lambda x: torch.relu(x), (tensor(2, 8),)),
        ("no convolution", lambda x: x @ SQUARE.double(), (tensor(2, 8).double(),)),
        ("no convolution", lambda x: x @ SQUARE.half(), (tensor(2, 8).half(),)),
        ("no convolution", lambda x: x @ SQUARE.bfloat16(), (tensor(2, 8).bfloat16(),)),
        ("no convolution", lambda x: x @ SQUARE.long(), (torch.ones(2, 8).long(),)),
        ("no elements", lambda x: x @ SQUARE, (tensor(0, 8),)),
        ("random numbers", lambda x: torch.bernoulli(x.sigmoid()) @ SQUARE, (tensor(2, 8),)),
        ("changes what it takes", lambda x: x.relu_() @ SQUARE, (tensor(2, 8),)),
        ("changes what it takes", lambda x: x @ LIST[0].mul_(1), (tensor(2, 8),)),
        ("shares memory", lambda x: twice(x @ SQUARE), (tensor(2, 8),)),
        ("no convolution", lambda x: x @ (SQUARE / 0), (tensor(2, 8),)),
        ("no convolution", lambda x: x @ (SQUARE * 1e37), (tensor(2, 8),)),
        ("gaps", lambda x: (x @ SQUARE)[:, ::2], (tensor(2, 8),)),
    ],
)
def test_it_is_not_offered(reason: str, fn: Any, inputs: tuple[torch.Tensor, ...]) -> None:
    with pytest.raises(Untranslatable, match=reason):
        model_of(fn, *inputs)


LIST = [SQUARE.clone()]


def twice(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return x, x.view(4, 4)


def test_operators_with_errors_stay_torchs() -> None:
    """An index out of range raises what torch raises, and whole numbers are whole."""
    table = tensor(5, 8)
    indices = torch.tensor([[0, 4, 2]])

    def fn(i: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = torch.relu(aten.embedding(table, i + 0)) @ SQUARE
        return y, y.argmax(-1) + i

    model = check(fn, indices)
    assert of_model(model) >= {"relu", "mm"}
    assert "embedding" in model.source
    with pytest.raises(IndexError, match="out of range"):
        model(torch.tensor([[0, 5, 2]]))


def test_what_stands_before_a_product_is_torchs_if_it_must_be() -> None:
    model = check(lambda x: torch.relu(torch.erf(x * 2) + 1) @ SQUARE, tensor(3, 8))
    assert of_model(model) == {"add.Tensor", "relu", "mm"}


def test_what_stands_behind_a_product_is_torchs_if_it_must_be() -> None:
    model = check(lambda x: torch.erf(x @ SQUARE * 2) @ SQUARE + 1, tensor(3, 8))
    assert of_model(model) == {"mm", "mul.Tensor"}


def test_memory_that_only_the_recording_changes() -> None:
    def fn(x: torch.Tensor) -> torch.Tensor:
        y = x @ SQUARE
        y.relu_()
        shift = torch.zeros_like(SQUARE[0])
        shift.fill_(0.5)
        return y + shift

    check(fn, tensor(3, 8))


def test_constants_that_are_given_out_are_new_each_time() -> None:
    def fn(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x @ SQUARE, SQUARE.abs()

    model = check(fn, tensor(3, 8))
    first, second = (model(tensor(3, 8))[1][1] for _ in range(2))
    assert first.data_ptr() != second.data_ptr()


# ------------------------------------------------------------------------------------ odd numbers


def network() -> Any:
    return eval_net(
        torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3),
            torch.nn.BatchNorm2d(8),
            torch.nn.ReLU(),
            torch.nn.Conv2d(8, 4, 3),
            torch.nn.Hardtanh(),
        )
    )


ODD = (math.nan, math.inf, -math.inf, 2 * ASSUMED, -3e38)


def test_inputs_at_any_address_of_numpys_are_read_where_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Copies and sums of torch's would leave threads spinning where the engine computes."""
    memory = torch.zeros(3 * 64 + 64)
    x = memory[-memory.data_ptr() % 64 // 4 + 4 :][: 3 * 64].view(1, 3, 8, 8)
    assert x.data_ptr() % 64 == 16
    x.copy_(tensor(1, 3, 8, 8))
    model = check(network(), x)
    given: list[int] = []
    infer = model._compiled.infer

    def noted(inputs: list[torch.Tensor], outputs: list[torch.Tensor]) -> None:
        given.extend(t.data_ptr() for t in inputs)
        infer(inputs, outputs)

    monkeypatch.setattr(model._compiled, "infer", noted)
    with torch.no_grad():
        model(x)
        model(memory[1:][: 3 * 64].view(1, 3, 8, 8))
    assert given[0] == x.data_ptr()
    assert given[1] != memory.data_ptr() + 4


@pytest.mark.parametrize("odd", ODD)
def test_odd_inputs_are_not_the_models(odd: float) -> None:
    x = tensor(1, 3, 8, 8)
    model = check(network(), x)
    x[0, 1, 2, 3] = odd
    with torch.no_grad():
        assert model(x) is None


@pytest.mark.parametrize("odd", [*ODD, 1e9])
def test_numbers_that_grow_are_witnessed(odd: float) -> None:
    """Numbers of a deep network cannot be bounded beforehand: those that come are looked at."""
    layers = [torch.nn.Sequential(torch.nn.Conv2d(8, 8, 3, padding=1), torch.nn.ReLU())] * 40
    net = eval_net(torch.nn.Sequential(*layers))
    net[0][0].weight.mul_(2.4)
    x = tensor(1, 8, 6, 6)
    model = check(net, x)
    assert "witnessed" in model.source
    x[0, 1, 2, 3] = odd
    with torch.no_grad():
        assert float(net(x).abs().max()) != 0.0
        assert model(x) is None


def test_numbers_below_the_bounds_are_the_models() -> None:
    x = tensor(1, 3, 8, 8)
    x[0, 0, 0, 0] = 1e8
    check(network(), x)


# ----------------------------------------------------------------------------------------- memory


def test_results_are_kept_over_calls() -> None:
    net, x = network(), tensor(1, 3, 8, 8)
    model = model_of(net, x)
    first = model(x)[1][0]
    before = first.clone()
    others = [model(tensor(1, 3, 8, 8, seed=n))[1][0] for n in range(1, 4)]
    assert torch.equal(first, before)
    assert len({t.data_ptr() for t in (first, *others)}) == 4
    assert not any(torch.equal(first, t) for t in others)


@pytest.mark.parametrize(
    "x",
    [
        pytest.param(tensor(2, 3, 8, 8).to(memory_format=torch.channels_last), id="channels_last"),
        pytest.param(tensor(8, 8, 3, 2).permute(3, 2, 0, 1), id="permuted"),
        pytest.param(tensor(2, 3, 8, 16)[..., ::2], id="gaps"),
        pytest.param(tensor(2, 3, 8, 1).expand(2, 3, 8, 8), id="expanded"),
        pytest.param(tensor(385)[1:].view(2, 3, 8, 8), id="not aligned"),
    ],
)
def test_memory_of_inputs(x: torch.Tensor) -> None:
    check(network(), x)
    check(lambda x: (F.relu(x), F.conv2d(F.relu(x), FILTER[:, :3])), x)  # nothing runs in its place


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: F.conv2d(x, FILTER[:, :3]).permute(0, 2, 3, 1),
        lambda x: F.conv2d(x, FILTER[:, :3]).to(memory_format=torch.channels_last),
        lambda x: (F.conv2d(x, FILTER[:, :3]).transpose(0, 3), x.mean((1, 2, 3))),
    ],
)
def test_strides_of_results(fn: Any) -> None:
    check(fn, tensor(2, 3, 8, 8))


def test_results_may_be_inputs_and_stand_twice() -> None:
    x = tensor(3, 8)

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x @ SQUARE
        return x, y, y, SQUARE, torch.relu(y)

    model = check(fn, x)
    result = model(x)[1]
    assert result[0] is x
    assert result[1] is result[2]
    assert result[3] is SQUARE


def test_copies_have_memory_of_their_own() -> None:
    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x @ SQUARE
        return y, y.clone(), x.clone(), torch.relu(x).clone()

    x = tensor(3, 8)
    result = check(fn, x)(x)[1]
    assert len({t.data_ptr() for t in (x, *result)}) == 5


def test_what_comes_from_inputs_without_a_product_is_torchs() -> None:
    """OpenVINO writes into the memory of an input that is also a result."""

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        same = torch.relu(x * torch.ones(8) + torch.zeros(8))
        return x.view(2, 12), x.clone(), torch.relu(x), x * torch.ones(8), same, same @ SQUARE

    x = tensor(3, 8)
    model = check(fn, x)
    result = model(x)[1]
    assert result[0].data_ptr() == x.data_ptr()
    assert of_model(model) == {"mm"}


def test_a_model_that_writes_to_inputs_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(network(), tensor(1, 3, 8, 8))
    infer = Compiled.infer

    def writes(self: Compiled, inputs: list[Any], outputs: list[Any]) -> None:
        infer(self, inputs, outputs)
        inputs[0][0] = 7.0

    monkeypatch.setattr(Compiled, "infer", writes)
    x = tensor(1, 3, 8, 8)
    assert model(x) is None
    assert torch.equal(x, tensor(1, 3, 8, 8))
    monkeypatch.undo()
    assert model(x) is None


STEPS: list[Callable[..., torch.Tensor]] = [
    torch.relu,
    torch.tanh,
    lambda x: x * 1.0,
    lambda x: x + 0.0,
    lambda x: x.clone(),
    lambda x: x * WIDE,
    lambda x: F.layer_norm(x, (8,)),
    lambda x: x.view(2, 24).view(6, 8),
    lambda x: x.view(2, 3, 8).transpose(0, 1).reshape(6, 8),
    lambda x: torch.cat(x.split(3)[::-1]),
    lambda x: torch.cat([x[2:], x[:2]]),
    lambda x: torch.softmax(x, -1),
    lambda x: x.clamp(-0.5, 0.5),
    lambda x: x @ SQUARE,
    lambda x: x[:1].expand(6, 8).clone(),
    lambda x, y: x + y,
    lambda x, y: x * y,
    lambda x, y: x - 2 * y,
    lambda x, y: torch.cat([x[:3], y[3:]]),
]


OFFERED = frozenset(range(24)) - {3, 5}


@pytest.mark.parametrize("seed", range(24))
def test_random_networks(seed: int) -> None:
    """Whatever is a result as well: no memory is written that is somebody's."""
    random = np.random.RandomState(seed)
    steps = [(STEPS[n], random.randint(0, 99, 2)) for n in random.randint(0, len(STEPS), 12)]
    outs = random.randint(0, 99, 4)

    def fn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        values = [x, x @ SQUARE]
        for step, (i, j) in steps:
            taken = [values[i % len(values)], values[-1 - j % 2]]
            values.append(step(*taken[: 2 if STEPS.index(step) >= len(STEPS) - 4 else 1]))
        return tuple(values[o % len(values)] for o in outs)

    x = tensor(6, 8)
    try:
        model = model_of(fn, x)
    except Untranslatable:  # a result that is a view of another, say
        assert seed not in OFFERED
        return
    assert seed in OFFERED
    for n in range(3):
        check(fn, tensor(6, 8, seed=n), model=model)


def test_one_weight_in_two_orders() -> None:
    """OpenVINO keeps prepared weights by their address."""
    check(lambda x: (x @ SQUARE, x @ SQUARE.t(), x @ SQUARE), tensor(3, 8))


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
