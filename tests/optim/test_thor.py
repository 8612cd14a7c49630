"""THOR: the statistics of its layers, its steps by numpy, conversion, graphs and errors."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import agar as ms
from agar import nn, train


def _t(array):
    return ms.Tensor(np.asarray(array, np.float32))


def _random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _close(found, expected, tolerance=1e-5):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=tolerance)


def test_a_dense_layer_is_the_plain_one_and_keeps_both_averages():
    x, weight = _random(6, 3), _random(2, 3, seed=1)
    net = nn.DenseThor(3, 2, weight_init=_t(weight), activation="relu")
    plain = nn.Dense(3, 2, weight_init=_t(weight), bias_init="zeros", activation="relu")
    _close(net(_t(x)), plain(_t(x)).asnumpy())
    slope = ms.grad(lambda v: (net(v) ** 2).sum())(_t(x))
    _close(slope, ms.grad(lambda v: (plain(v) ** 2).sum())(_t(x)).asnumpy())
    out = x @ weight.T
    dout = 2.0 * np.maximum(out, 0.0)
    _close(net.matrix_a, x.T @ x / 6)
    _close(net.matrix_g, dout.T @ dout / 6)
    assert [p.name for p in net.trainable_params()] == ["weight", "bias"]


@pytest.mark.parametrize(
    "options",
    [
        {"pad_mode": "valid", "stride": 2},
        {"pad_mode": "same", "stride": 2},
        {"pad_mode": "pad", "padding": (1, 0, 2, 1)},
        {"pad_mode": "same", "dilation": 2},
    ],
)
def test_a_convolution_keeps_the_averages_of_its_mean_image(options):
    x = _random(4, 2, 6, 7)
    net = nn.Conv2dThor(2, 3, 3, has_bias=True, **options)
    out = net(_t(x))
    ms.grad(lambda v: (net(v) ** 2).sum())(_t(x))
    places = out.shape[2] * out.shape[3]
    # a convolution with one output for each element of a patch gives the patches themselves
    patches = nn.Conv2d(2, 18, 3, weight_init=_t(np.eye(18).reshape(18, 2, 3, 3)), **options)
    rows = patches(_t(x.mean(0, keepdims=True))).asnumpy().reshape(18, places)
    _close(net.matrix_a_cov, rows @ rows.T / places)
    dout = 2.0 * out.asnumpy().mean(0).reshape(3, places)
    _close(net.matrix_g_cov, dout @ dout.T / places, 1e-4)
    assert float(net.a_normalizer[0]) == float(net.g_normalizer[0]) == places


@pytest.mark.parametrize("make", [nn.EmbeddingThor, nn.EmbeddingLookupThor])
def test_embeddings_count_their_rows(make):
    net = make(5, 2)
    ids = ms.Tensor([[0, 3], [3, 3]])
    weight = _random(2, 2, 2)
    ms.grad(lambda w: (net(ids) * w).sum(), None, net.trainable_params())(_t(weight))
    np.testing.assert_array_equal(net.matrix_a.asnumpy(), [1, 0, 0, 3, 0])
    rows = weight.reshape(4, 2)
    _close(net.matrix_g, rows.T @ rows / 4, 1e-2)


def test_a_step_is_that_of_the_formula():
    x, weight = _random(4, 3), _random(2, 3, seed=1)
    target = _random(4, 2, seed=2)
    net = nn.Dense(3, 2, weight_init=_t(weight), bias_init="zeros")
    opt = nn.thor(
        net,
        _t([0.5, 0.25]),
        _t([0.04]),
        0.9,
        weight_decay=0.1,
        loss_scale=8.0,
        batch_size=4,
        decay_filter=lambda p: "bias" not in p.name,
        frequency=2,
    )
    names = [p.name for p in opt.parameters]
    slope = ms.grad(lambda v: 8.0 * ((net(v) - _t(target)) ** 2).mean(), None, opt.parameters)
    bias, moments = np.zeros(2, np.float32), [0.0, 0.0]
    for step, rate in enumerate((0.5, 0.25)):
        dout = 2.0 * (x @ weight.T + bias - target) / 8.0
        if step == 0:  # the factors of the first step serve the second as well
            a = np.linalg.inv(x.T @ x / 4 + 0.2 * np.eye(3))
            g = np.linalg.inv(dout.T @ dout / 4 * 4.0**2 + 0.2 * np.eye(2))
        grads = [g @ (dout.T @ x) @ a + 0.1 * weight, dout.sum(0)]
        moments = [0.9 * m + d for m, d in zip(moments, grads, strict=True)]
        weight, bias = weight - rate * moments[0], bias - rate * moments[1]
        assert all(opt(slope(_t(x))))
        _close(net.weight, weight, 1e-4)
        _close(net.bias, bias, 1e-4)
    assert names == ["weight", "bias"]
    assert opt.get_frequency() == 2


def test_large_factors_are_inverted_in_blocks():
    net = nn.Dense(130, 1, weight_init="zeros", has_bias=False)
    opt = nn.thor(net, _t(1.0), _t(1.0), 0.0, batch_size=1)
    x = np.ones((1, 130), np.float32)
    opt(ms.grad(lambda v: net(v).sum(), None, opt.parameters)(_t(x)))
    inverse = opt.matrix_a[0].asnumpy()
    assert not inverse[:128, 128:].any()
    np.testing.assert_allclose(inverse[:2, :2], np.eye(2) - 1.0 / 129.0, rtol=1e-4)
    np.testing.assert_allclose(inverse[128:, 128:], np.eye(2) - 1.0 / 3.0, rtol=1e-4)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 16)
        self.conv = nn.Conv2d(1, 4, 3, stride=2, pad_mode="valid")
        self.grouped = nn.Conv2d(4, 4, 1, group=2)
        self.norm = nn.LayerNorm((4,))
        self.layers = nn.SequentialCell(nn.Dense(4, 6, activation="tanh"), nn.Dense(6, 3))

    def construct(self, ids):
        image = self.embed(ids).expand_dims(1)
        return self.layers(self.norm(self.grouped(self.conv(image)).mean((2, 3))))


def _train(compiled, steps=6):
    ms.set_seed(4)
    net = Net()
    rng = np.random.default_rng(0)
    ids = ms.Tensor(rng.integers(0, 7, (12, 9)), ms.int32)
    labels = ms.Tensor(rng.integers(0, 3, 12), ms.int32)
    opt = nn.thor(
        net,
        _t(0.2),
        _t([0.05, 0.04]),
        0.9,
        batch_size=12,
        use_nesterov=True,
        enable_clip_grad=True,
        frequency=2,
    )
    loss = nn.CrossEntropyLoss()
    differentiate = ms.value_and_grad(lambda x, y: loss(net(x), y), None, opt.parameters)

    def step(x, y):
        value, grads = differentiate(x, y)
        opt(grads)
        return value

    step = ms.jit(step) if compiled else step
    return net, [float(step(ids, labels)) for _ in range(steps)]


def test_a_network_learns_and_compiles():
    net, plain = _train(False)
    assert plain[-1] < 0.9 * plain[0]
    np.testing.assert_allclose(_train(True)[1], plain, rtol=1e-4)
    kinds = [type(cell).__name__ for cell in (net.embed, net.conv, *net.layers)]
    assert kinds == ["EmbeddingThor", "Conv2dThor", "DenseThor", "DenseThor"]
    assert not net.grouped.thor
    names = [p.name for p in net.get_parameters()]
    assert {"layers.0.matrix_a", "conv.g_normalizer", "embed.matrix_g"} <= set(names)


def test_conversion_keeps_parameters_and_leaves_what_is_not_trained():
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Dense(2, 2))
    net[1].weight.requires_grad = False
    weight, other = net[0].weight, copy.deepcopy(net)
    train.ConvertNetUtils().convert_to_thor_net(net)
    assert net[0].weight is weight
    assert [type(cell) for cell in net] == [nn.DenseThor, nn.Dense]
    assert [type(cell) for cell in other] == [nn.Dense, nn.Dense]
    x = _t(_random(4, 3))
    _close(net(x), other(x).asnumpy())
    again = copy.deepcopy(net)
    _close(again(x), other(x).asnumpy())


def test_a_model_trains_with_it():
    net = nn.Dense(3, 2)
    opt = nn.thor(net, _t(0.01), _t(0.03), 0.9)
    model = train.Model(net, loss_fn=nn.MSELoss(), optimizer=opt)
    convert = train.ConvertModelUtils.convert_to_thor_model
    result = convert(model, net, loss_fn=nn.MSELoss(), optimizer=opt)
    assert result is not model
    assert isinstance(result, train.Model)
    assert convert(model, net, optimizer=nn.SGD(net.trainable_params())) is model


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: nn.thor(nn.Dense(1, 1), 0.1, _t(0.1), 0.9), TypeError, "learning_rate"),
        (lambda: nn.thor(nn.Dense(1, 1), _t(0.1), _t(0.1), 1), TypeError, "momentum"),
        (lambda: nn.thor(nn.Dense(1, 1), _t(0.1), _t(0.1), -0.5), ValueError, "momentum"),
        (lambda: nn.thor(nn.Dense(1, 1), _t(0.1), _t(0.1), 0.9, frequency=1), ValueError, "freq"),
        (lambda: nn.DenseThor(0, 1), ValueError, "DenseThor"),
        (lambda: nn.DenseThor(1, 1, weight_init=_t([1.0])), ValueError, "shape"),
        (lambda: nn.Conv2dThor(2, 3, 1, group=2), ValueError, "Conv2dThor"),
        (lambda: nn.EmbeddingLookupThor(2, 3, sparse=False), ValueError, "sparse"),
    ],
)
def test_what_cannot_be_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
