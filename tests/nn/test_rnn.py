"""RNN, GRU, LSTM and their cells: torch's numbers, MindSpore's weights, masks and lengths."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops

KINDS = [
    ("LSTM", {}),
    ("GRU", {}),
    ("RNN", {"nonlinearity": "tanh"}),
    ("RNN", {"nonlinearity": "relu"}),
]
IDS = ["LSTM", "GRU", "RNN-tanh", "RNN-relu"]
OPTIONS = [
    {},
    {"num_layers": 2},
    {"bidirectional": True},
    {"num_layers": 2, "bidirectional": True, "batch_first": True},
    {"has_bias": False, "num_layers": 2},
]


def draw(*shape, seed=0):
    return np.random.RandomState(seed).rand(*shape) * 2 - 1


def pair(kind, extra, options):
    """The two frameworks' networks with the same weights, in float64."""
    ours = getattr(nn, kind)(3, 4, dtype=ms.float64, **options, **extra)
    renamed = {"bias" if k == "has_bias" else k: v for k, v in options.items()}
    theirs = getattr(torch.nn, kind)(3, 4, dtype=torch.float64, **renamed, **extra)
    for i, (name, p) in enumerate(sorted(ours.parameters_dict().items())):
        values = draw(*p.shape, seed=100 + i)
        p.set_data(Tensor(values))
        getattr(theirs, name).data = torch.tensor(values)
    return ours, theirs


def states(kind, rows, batch=2, width=4):
    h, c = draw(rows, batch, width, seed=7), draw(rows, batch, width, seed=8)
    return (h, c) if kind == "LSTM" else h


def each(fn, value):
    return tuple(fn(v) for v in value) if isinstance(value, tuple) else fn(value)


def flat(result):
    out, last = result
    return [out, *(last if isinstance(last, tuple) else (last,))]


@pytest.mark.parametrize("given", [False, True], ids=["zeros", "states"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("kind", "extra"), KINDS, ids=IDS)
def test_outputs_and_gradients_are_torchs(kind, extra, options, given):
    ours, theirs = pair(kind, extra, options)
    rows = options.get("num_layers", 1) * (2 if options.get("bidirectional") else 1)
    x = draw(5, 2, 3) if not options.get("batch_first") else draw(2, 5, 3)
    start = states(kind, rows) if given else None

    leaf = torch.tensor(x, requires_grad=True)
    expected = flat(theirs(leaf, None if start is None else each(torch.tensor, start)))
    factors = [draw(*v.shape, seed=20 + i) for i, v in enumerate(expected)]
    score = sum((v * torch.tensor(f)).sum() for v, f in zip(expected, factors, strict=True))
    names = [n for n, _ in theirs.named_parameters()]
    weights = [p for _, p in theirs.named_parameters()]
    gradients = torch.autograd.grad(score, [leaf, *weights])

    def total(value):
        result = flat(ours(value, None if start is None else each(Tensor, start)))
        return sum((v * Tensor(f)).sum() for v, f in zip(result, factors, strict=True))

    for train in (False, True):
        ours.set_train(train)
        result = flat(ours(Tensor(x), None if start is None else each(Tensor, start)))
        for f, w in zip(result, expected, strict=True):
            np.testing.assert_allclose(f.asnumpy(), w.detach().numpy(), rtol=1e-9, atol=1e-12)
        known = ours.parameters_dict()
        dx, dw = ms.grad(total, 0, [known[n] for n in names])(Tensor(x))
        for g, w in zip((dx, *dw), gradients, strict=True):
            np.testing.assert_allclose(g.asnumpy(), w.numpy(), rtol=1e-8, atol=1e-11)


@pytest.mark.parametrize(("kind", "extra"), KINDS, ids=IDS)
def test_float32_agrees_with_torch(kind, extra):
    ours, theirs = pair(kind, extra, {"num_layers": 2})
    ours.to(ms.float32)
    x = draw(5, 2, 3).astype(np.float32)
    result, expected = flat(ours(Tensor(x))), flat(theirs.float()(torch.tensor(x)))
    for f, w in zip(result, expected, strict=True):
        np.testing.assert_allclose(f.asnumpy(), w.detach().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", [ms.float32, ms.float64])
def test_second_derivatives_exist(kind):
    net = nn.LSTM(3, 2, dtype=kind)
    x = Tensor(draw(3, 2, 3), kind)
    first = ms.grad(lambda v: net(v)[0].sum())
    second = ms.grad(lambda v: (first(v) ** 2).sum())(x)
    assert second.shape == x.shape
    assert abs(second.asnumpy()).max() > 0


@pytest.mark.parametrize("lengths", [None, [5, 2], [0, 3]], ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("kind", "extra"), KINDS, ids=IDS)
def test_vmap_over_inputs(kind, extra, options, lengths):
    net, _ = pair(kind, extra, options)
    x = Tensor(draw(3, 2, 5, 3) if options.get("batch_first") else draw(3, 5, 2, 3))
    rest = None, None if lengths is None else Tensor(lengths)
    mapped = ms.vmap(lambda v: tuple(flat(net(v, *rest))))(x)
    for i in range(3):
        for item, alone in zip(mapped, flat(net(x[i], *rest)), strict=True):
            np.testing.assert_allclose(item[i].asnumpy(), alone.asnumpy(), rtol=1e-9, atol=1e-12)


def test_forward_mode():
    net, _ = pair("LSTM", {}, {"bidirectional": True})
    x, v = Tensor(draw(5, 2, 3)), Tensor(draw(5, 2, 3, seed=4))
    _, tangent = ms.jvp(lambda a: net(a)[0], x, v)
    step = 1e-6
    numeric = (net(x + step * v)[0] - net(x - step * v)[0]) / (2 * step)
    np.testing.assert_allclose(tangent.asnumpy(), numeric.asnumpy(), rtol=1e-6, atol=1e-9)


# ------------------------------------------------------------------- sequence lengths

LENGTHS = [[5, 3, 1], [2, 5, 4], [5, 5, 5], [0, 4, 2], [9, -1, 3]]


@pytest.mark.parametrize("layout", [{}, {"num_layers": 2, "bidirectional": True}], ids=str)
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize(("kind", "extra"), KINDS, ids=IDS)
def test_each_sequence_is_as_if_alone(kind, extra, lengths, batch_first, layout):
    """Steps behind the end change nothing; an empty sequence keeps its initial states."""
    options = {**layout, "batch_first": batch_first}
    net, _ = pair(kind, extra, options)
    rows = 4 if layout else 1
    x = draw(5, 3, 3)
    start = states(kind, rows, batch=3)
    given = np.swapaxes(x, 0, 1) if batch_first else x
    out, *last = flat(net(Tensor(given), each(Tensor, start), Tensor(lengths, ms.int32)))
    out = out.asnumpy()
    out = np.swapaxes(out, 0, 1) if batch_first else out
    for i, length in enumerate(np.clip(lengths, 0, 5)):
        np.testing.assert_array_equal(out[length:, i], 0)
        if length == 0:
            first = start if isinstance(start, tuple) else (start,)
            for final, s in zip(last, first, strict=True):
                np.testing.assert_array_equal(final.asnumpy()[:, i], s[:, i])
            continue
        alone = x[:length, i : i + 1]
        alone = np.swapaxes(alone, 0, 1) if batch_first else alone
        begin = each(lambda s, i=i: Tensor(s[:, i : i + 1].copy()), start)
        own, *ends = flat(net(Tensor(alone.copy()), begin))
        np.testing.assert_allclose(out[:length, i], own.asnumpy().reshape(length, -1), rtol=1e-9)
        for final, end in zip(last, ends, strict=True):
            np.testing.assert_allclose(final.asnumpy()[:, i], end.asnumpy()[:, 0], rtol=1e-9)


def test_lengths_in_gradients():
    net, _ = pair("LSTM", {}, {"bidirectional": True})
    x = Tensor(draw(5, 2, 3))
    lengths = Tensor([5, 2])
    gradient = ms.grad(lambda v: net(v, None, lengths)[0].sum())(x).asnumpy()
    np.testing.assert_array_equal(gradient[2:, 1], 0)
    assert (gradient[:2, 1] != 0).all()
    alone = ms.grad(lambda v: net(v)[0].sum())(x[:2, 1:]).asnumpy()
    np.testing.assert_allclose(gradient[:2, 1:], alone, rtol=1e-9)


def test_lengths_figures_of_mindspore():
    ms.set_seed(1)
    net = nn.LSTM(3, 2, 2, True, True, 0.0, True)
    x = Tensor(draw(2, 3, 3).astype(np.float32))
    out, (h, c) = net(x, None, Tensor([0, 2], ms.int32))
    np.testing.assert_array_equal(out.asnumpy()[0], 0)
    np.testing.assert_allclose(
        out.asnumpy()[1, :2],
        [
            [-0.029837647, -0.18996167, -0.0495737, 0.36271992],
            [-0.05597159, -0.30501023, -0.071236774, 0.22454385],
        ],
        rtol=1e-5,
    )
    np.testing.assert_allclose(h.asnumpy()[3, 1], [-0.0495737, 0.36271992], rtol=1e-5)
    np.testing.assert_allclose(c.asnumpy()[0, 1], [-0.18606293, -0.3808964], rtol=1e-5)


# ------------------------------------------------------------------- weights and dropout


def test_weights_are_drawn_as_mindspore_draws_them():
    ms.set_seed(1)
    net = nn.LSTM(2, 2, 2, bidirectional=True)
    firsts = {p.name: p.asnumpy().ravel()[:2].tolist() for p in net.get_parameters()}
    expected = {
        "weight_ih_l0": [-0.1173486, 0.31158587],
        "weight_ih_l0_reverse": [-0.300131, -0.52321863],
        "weight_ih_l1": [0.5704648, 0.10419853],
        "weight_ih_l1_reverse": [-0.36791083, -0.00881095],
        "weight_hh_l0": [-0.11694867, 0.08299995],
        "weight_hh_l0_reverse": [-0.6364619, 0.05076518],
        "weight_hh_l1": [-0.5314992, -0.31228143],
        "weight_hh_l1_reverse": [0.33243346, 0.38491786],
        "bias_ih_l0": [0.64755356, 0.04690279],
        "bias_ih_l0_reverse": [0.54207665, 0.17489891],
        "bias_ih_l1": [-0.6441009, -0.55508715],
        "bias_ih_l1_reverse": [0.60271156, 0.5921785],
        "bias_hh_l0": [0.691354, 0.35095924],
        "bias_hh_l0_reverse": [0.23114118, 0.17210373],
        "bias_hh_l1": [0.0963086, -0.41960675],
        "bias_hh_l1_reverse": [-0.6766661, 0.63352555],
    }
    assert list(firsts) == list(expected)
    np.testing.assert_allclose(list(firsts.values()), list(expected.values()), rtol=1e-6)


CELL_DRAWS = [
    (
        lambda: nn.LSTMCell(2, 2),
        [
            [0.6642649, 0.5569053],
            [-0.03195312, 0.00779066],
            [0.01115807, -0.11236491],
            [0.22382328, -0.32171085],
        ],
        0.13927634725075855,
    ),
    (
        lambda: nn.GRUCell(2, 2, has_bias=False),
        [[0.07429998, 0.3761299], [0.20682475, 0.10219071]],
        0.9888610889064947,
    ),
    (
        lambda: nn.RNNCell(2, 2, True, "relu"),
        [
            [-0.3129947, 0.28387982],
            [0.4405029, 0.60171956],
            [-0.148618, -0.6808805],
            [-0.66303813, -0.28612444],
        ],
        0.31342417815924284,
    ),
]


@pytest.mark.parametrize(("make", "firsts", "after"), CELL_DRAWS, ids=["LSTM", "GRU", "RNN"])
def test_cells_move_numpys_generator_as_in_mindspore(make, firsts, after):
    ms.set_seed(1)
    cell = make()
    items = [p.asnumpy().ravel()[:2] for p in cell.get_parameters()]
    np.testing.assert_allclose(items, firsts, rtol=1e-6)
    assert np.random.rand() == after


# MindSpore: set_seed(1), LSTM(3, 2, 2, dropout=0.5, ...), training, first call
DROPPED = [
    ({}, [-0.00206725, 0.00599151, -0.12536363, 0.03026307]),
    ({"batch_first": True}, [-0.00206725, 0.00599151, -0.13222368, 0.03555617]),
    ({"bidirectional": True}, [-0.01357135, -0.18768586, -0.02294072, 0.48191929]),
    (
        {"bidirectional": True, "batch_first": True},
        [-0.01357135, -0.18768586, -0.01736599, 0.48697707],
    ),
]


@pytest.mark.parametrize(("options", "expected"), DROPPED, ids=str)
def test_dropout_between_layers_is_mindspores(options, expected):
    ms.set_seed(1)
    net = nn.LSTM(3, 2, 2, dropout=0.5, **options).set_train()
    shape = (2, 3, 3) if options.get("batch_first") else (3, 2, 3)
    x = Tensor(draw(*shape).astype(np.float32))
    np.testing.assert_allclose(net(x)[0].asnumpy().ravel()[:4], expected, rtol=1e-4, atol=1e-7)
    array = net.set_train(False)(x)[0].asnumpy()
    np.testing.assert_array_equal(array, net(x)[0].asnumpy())


def test_layers_one_by_one_are_the_whole():
    """With dropout that drops nothing, training takes the long way and gives the same."""
    net, _ = pair("LSTM", {}, {"num_layers": 3, "bidirectional": True, "batch_first": True})
    x, start = Tensor(draw(2, 5, 3)), each(Tensor, states("LSTM", 6))
    lengths = Tensor([5, 3])
    whole = flat(net(x, start, lengths))
    net.dropout = 1e-300
    parts = flat(net.set_train()(x, start, lengths))
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-12)


def test_lists_of_weights():
    net = nn.GRU(3, 4, 2, bidirectional=True)
    assert [p.name for p in net.w_ih_list] == [
        "weight_ih_l0",
        "weight_ih_l0_reverse",
        "weight_ih_l1",
        "weight_ih_l1_reverse",
    ]
    assert [len(v) for v in (net.w_hh_list, net.b_ih_list, net.b_hh_list)] == [4, 4, 4]
    assert nn.GRU(3, 4, has_bias=False).b_ih_list == ()


def test_a_replaced_weight_is_used():
    net = nn.RNN(3, 4)
    x = Tensor(draw(2, 1, 3).astype(np.float32))
    net.weight_ih_l0 = ms.Parameter(Tensor(np.zeros((4, 3), np.float32)), name="weight_ih_l0")
    net.bias_ih_l0.set_data(Tensor(np.zeros(4, np.float32)))
    net.bias_hh_l0.set_data(Tensor(np.zeros(4, np.float32)))
    np.testing.assert_array_equal(net(x)[0].asnumpy(), 0)


def test_names_in_a_parent():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.encoder = nn.LSTM(3, 4)

    net = Net()
    names = ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"]
    assert [p.name for p in net.get_parameters()] == [f"encoder.{n}" for n in names]
    assert list(net.state_dict()) == [f"encoder.{n}" for n in names]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (
            nn.LSTM(3, 4, 2, dropout=0.5),
            "LSTM(\n  (rnn): _DynamicLSTMCPUGPU()\n  (dropout_op): Dropout(p=0.5)\n)",
        ),
        (nn.GRU(3, 4), "GRU(\n  (rnn): _DynamicGRUCPUGPU()\n  (dropout_op): Dropout(p=0.0)\n)"),
        (
            nn.RNN(3, 4, nonlinearity="relu"),
            "RNN(\n  (rnn): _DynamicRNNRelu()\n  (dropout_op): Dropout(p=0.0)\n)",
        ),
        (nn.LSTMCell(3, 4), "LSTMCell()"),
    ],
)
def test_text(cell, text):
    assert repr(cell) == text


# ------------------------------------------------------------------------- precision


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_weights_follow_the_input_type(kind):
    net = getattr(nn, kind)(3, 4)
    x = draw(2, 2, 3)
    for dtype in (ms.float16, ms.float64):
        out, *last = flat(net(Tensor(x, dtype)))
        assert {v.dtype for v in (out, *last)} == {dtype}
    wide = net(Tensor(x))[0].asnumpy()
    np.testing.assert_allclose(net(Tensor(x, ms.float16))[0].asnumpy(), wide, atol=5e-3)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_to_float_computes_narrow_and_returns_the_input_type(kind):
    net = getattr(nn, kind)(3, 4)
    x = Tensor(draw(5, 2, 3).astype(np.float32))
    full = net(x)[0].asnumpy()
    out, *last = flat(net.to_float(ms.float16)(x))
    assert {v.dtype for v in (out, *last)} == {ms.float32}
    difference = abs(out.asnumpy() - full).max()
    assert 0 < difference < 5e-3
    weights = net.trainable_params()
    assert {g.dtype for g in ms.grad(lambda v: net(v)[0], None, weights)(x)} == {ms.float32}


def test_cells_compute_in_the_type_of_to_float():
    cell = nn.GRUCell(3, 4).to_float(ms.float16)
    x, h = draw(2, 3).astype(np.float32), draw(2, 4).astype(np.float32)
    assert cell(Tensor(x), Tensor(h)).dtype == ms.float16


# ----------------------------------------------------------------------------- cells


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("batched", [True, False])
@pytest.mark.parametrize(("kind", "extra"), KINDS, ids=IDS)
def test_cells_are_torchs(kind, extra, batched, bias):
    ours = getattr(nn, f"{kind}Cell")(3, 4, bias, dtype=ms.float64, **extra)
    theirs = getattr(torch.nn, f"{kind}Cell")(3, 4, bias, dtype=torch.float64, **extra)
    for i, (name, p) in enumerate(ours.parameters_and_names()):
        values = draw(*p.shape, seed=i)
        p.set_data(Tensor(values))
        getattr(theirs, name).data = torch.tensor(values)
    x = draw(2, 3, seed=9) if batched else draw(3, seed=9)
    state = each(lambda s: s[0] if batched else s[0, 0], states(kind, 1))
    leaf = torch.tensor(x, requires_grad=True)
    want = theirs(leaf, each(torch.tensor, state))
    got = ours(Tensor(x), each(Tensor, state))
    want_all = want if isinstance(want, tuple) else (want,)
    got_all = got if isinstance(got, tuple) else (got,)
    for g, w in zip(got_all, want_all, strict=True):
        np.testing.assert_allclose(g.asnumpy(), w.detach().numpy(), rtol=1e-10)
    (gradient,) = torch.autograd.grad(sum(w.sum() for w in want_all), leaf)
    result = ms.grad(lambda v: ours(v, each(Tensor, state)))(Tensor(x))
    np.testing.assert_allclose(result.asnumpy(), gradient.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("kind", "extra"), KINDS[:3], ids=IDS[:3])
def test_second_derivatives_of_cells(kind, extra):
    cell = getattr(nn, f"{kind}Cell")(3, 4, dtype=ms.float64, **extra)
    state = each(lambda s: Tensor(s[0]), states(kind, 1))
    x, v = Tensor(draw(2, 3)), Tensor(draw(2, 3, seed=1))

    def score(a):
        got = cell(a, state)
        return got[0] if isinstance(got, tuple) else got

    first = ms.grad(score)
    second = ms.grad(lambda a: (first(a) * v).sum())(x).asnumpy()
    step = 1e-6
    numeric = ((first(x + step * v) - first(x - step * v)) / (2 * step)).asnumpy()
    np.testing.assert_allclose(second, numeric, rtol=1e-5, atol=1e-8)


def test_steps_of_a_cell_are_the_layer():
    layer, _ = pair("LSTM", {}, {})
    cell = nn.LSTMCell(3, 4, dtype=ms.float64)
    for name, p in cell.parameters_and_names():
        p.set_data(layer.parameters_dict()[f"{name}_l0"])
    x = Tensor(draw(4, 2, 3))
    h = c = Tensor(np.zeros((2, 4)))
    steps = []
    for step in x:
        h, c = cell(step, (h, c))
        steps.append(h)
    np.testing.assert_allclose(ops.stack(steps).asnumpy(), layer(x)[0].asnumpy(), rtol=1e-10)


@pytest.mark.parametrize("make", [lambda: nn.LSTM(3, 4, 2), lambda: nn.GRUCell(3, 4)])
def test_copies_and_pickles_are_independent(make):
    cell = make()
    for other in (copy.deepcopy(cell), pickle.loads(pickle.dumps(cell))):
        mine, theirs = next(cell.get_parameters()), next(other.get_parameters())
        np.testing.assert_array_equal(mine.asnumpy(), theirs.asnumpy())
        theirs.set_data(ops.zeros_like(theirs))
        assert abs(mine.asnumpy()).max() > 0


def test_weights_in_one_tensor():
    """ops.LSTM against figures of MindSpore, and against the layer."""
    prim = ops.LSTM(3, 4, 1, False, False, 0.0)

    def single(*shape):
        return Tensor(draw(*shape).astype(np.float32))

    out, h, c, _, _ = prim(single(2, 2, 3), single(1, 2, 4), single(1, 2, 4), single(112, 1, 1))
    np.testing.assert_allclose(
        out.asnumpy()[0],
        [
            [-0.0621489, 0.0458989, 0.1737749, -0.0653099],
            [0.0016347, -0.0525293, 0.0616268, 0.206369],
        ],
        atol=1e-6,
    )
    np.testing.assert_allclose(
        c.asnumpy()[0, 0], [-0.3636515, -0.050007, 0.6082707, -0.3902086], atol=1e-6
    )
    np.testing.assert_array_equal(h.asnumpy()[0], out.asnumpy()[1])
    layer = nn.LSTM(3, 4)
    flat_weights = ops.cat([p.reshape(-1) for p in layer.get_parameters()])
    state = single(1, 2, 4)
    got = ops.LSTM(3, 4, 1, True, False, 0.0)(single(2, 2, 3), state, state, flat_weights)[0]
    np.testing.assert_allclose(
        got.asnumpy(), layer(single(2, 2, 3), (state, state))[0].asnumpy(), atol=1e-6
    )


# ---------------------------------------------------------------------------- errors


def ones(*shape):
    return Tensor(np.ones(shape, np.float32))


ERRORS = [
    (lambda: nn.LSTM(0, 4), ValueError, "input_size"),
    (lambda: nn.LSTM(3.0, 4), TypeError, "input_size"),
    (lambda: nn.LSTM(3), TypeError, "hidden_size"),
    (lambda: nn.LSTM(3, 4, num_layers=0), ValueError, "num_layers"),
    (lambda: nn.LSTM(3, 4, has_bias=1), TypeError, "has_bias"),
    (lambda: nn.LSTM(3, 4, batch_first=1), TypeError, "batch_first"),
    (lambda: nn.LSTM(3, 4, bidirectional=1), TypeError, "bidirectional"),
    (lambda: nn.LSTM(3, 4, 2, dropout=1.0), ValueError, "[0, 1)"),
    (lambda: nn.LSTM(3, 4, 2, dropout=1), TypeError, "dropout"),
    (lambda: nn.RNN(3, 4, nonlinearity="sin"), ValueError, "['tanh', 'relu']"),
    (lambda: nn.RNN(3, 4, 1, "tanh"), TypeError, "has_bias"),
    (lambda: nn.LSTM(3, 4)(ones(2, 3)), ValueError, "3 axes"),
    (lambda: nn.LSTM(3, 4)(ones(2, 2, 5)), ValueError, "input_size=3"),
    (lambda: nn.LSTM(3, 4)(Tensor(np.ones((2, 2, 3), np.int32))), TypeError, "float type"),
    (lambda: nn.LSTM(3, 4)(np.ones((2, 2, 3), np.float32)), TypeError, "must be Tensor"),
    (lambda: nn.LSTM(3, 4)(ones(2, 2, 3), ones(1, 2, 4)), TypeError, "tuple of two Tensors"),
    (lambda: nn.LSTM(3, 4)(ones(2, 2, 3), (ones(1, 2, 4),)), TypeError, "'2'"),
    (
        lambda: nn.LSTM(3, 4)(ones(2, 2, 3), (ones(1, 2, 5), ones(1, 2, 5))),
        ValueError,
        "(1, 2, 4)",
    ),
    (lambda: nn.GRU(3, 4)(ones(2, 2, 3), (ones(1, 2, 4),)), TypeError, "hx"),
    (lambda: nn.GRU(3, 4)(ones(2, 2, 3), ones(2, 2, 4)), ValueError, "For 'GRU'"),
    (lambda: nn.RNN(3, 4)(ones(2, 2, 3), None, Tensor([2])), ValueError, "2 sequences"),
    (lambda: nn.RNN(3, 4)(ones(2, 2, 3), None, ones(2)), TypeError, "seq_length"),
    (lambda: nn.RNN(3, 4)(ones(2, 2, 3), None, [2, 1]), TypeError, "seq_length"),
    (lambda: nn.LSTMCell(0, 4), ValueError, "input_size"),
    (lambda: nn.LSTMCell(3, 4, 1), TypeError, "has_bias"),
    (lambda: nn.RNNCell(3, 4, nonlinearity="sin"), ValueError, "nonlinearity"),
    (lambda: nn.LSTMCell(3, 4)(None), TypeError, "'x' must be a Tensor"),
    (lambda: nn.LSTMCell(3, 4)(ones(2, 3), ones(2, 4)), TypeError, "tuple of two Tensors"),
    (lambda: nn.LSTMCell(3, 4)(ones(2, 3), (ones(2, 4),)), TypeError, "'2'"),
    (lambda: nn.GRUCell(3, 4)(ones(2, 5), ones(2, 4)), ValueError, "(batch, 3)"),
    (lambda: nn.GRUCell(3, 4)(ones(2, 3), ones(2, 5)), ValueError, "(2, 4)"),
    (lambda: nn.GRUCell(3, 4)(ones(2, 3), ones(3, 4)), ValueError, "For 'GRUCell'"),
    (lambda: nn.RNNCell(3, 4)(ones(2, 3).astype(ms.float16), ones(2, 4)), TypeError, "same"),
    (
        lambda: ops.LSTM(3, 4, 2, False, False, 0.0)(
            ones(2, 2, 3), ones(1, 2, 4), ones(1, 2, 4), ones(112)
        ),
        NotImplementedError,
        "nn.LSTM",
    ),
]


@pytest.mark.parametrize("case", ERRORS, ids=[f"{c[1].__name__}-{i}" for i, c in enumerate(ERRORS)])
def test_errors_say_what_and_why(case):
    run, kind, words = case
    with pytest.raises(kind) as caught:
        run()
    assert type(caught.value) is kind
    assert words in str(caught.value)
