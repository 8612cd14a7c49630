"""Layers with drawn weights: their mean, their divergence, training and errors."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn
from agar.nn.probability import bnn_layers as bnn
from agar.nn.probability import distribution


def _ones(*shape):
    return ms.ops.ones(shape)


@pytest.mark.parametrize("make", [bnn.DenseReparam, bnn.DenseLocalReparam])
def test_dense_outputs_scatter_around_the_mean_layer(make):
    ms.set_seed(0)
    layer = make(3, 2)
    weight, bias = layer.weight_posterior, layer.bias_posterior
    drawn = np.stack([layer(_ones(1, 3)).asnumpy() for _ in range(300)])
    expected = weight.mean.asnumpy().sum(1) + bias.mean.asnumpy()
    np.testing.assert_allclose(drawn.mean(0)[0], expected, atol=5e-3)
    sd = np.log1p(np.exp(weight.untransformed_std.asnumpy())) + 1e-6
    spread = np.sqrt((sd**2).sum(1) + np.log1p(np.exp(bias.untransformed_std.asnumpy())) ** 2)
    np.testing.assert_allclose(drawn.std(0)[0], spread, rtol=0.2)


def test_a_convolution_is_that_of_its_drawn_weights():
    ms.set_seed(0)
    layer = bnn.ConvReparam(
        2,
        3,
        3,
        pad_mode="valid",
        has_bias=True,
        weight_posterior_fn=lambda name, shape: bnn.NormalPosterior(
            name, shape, untransformed_scale_mean=-40
        ),
        bias_posterior_fn=lambda name, shape: bnn.NormalPosterior(
            name, shape, untransformed_scale_mean=-40
        ),
    )
    x = ms.Tensor(np.random.default_rng(0).standard_normal((2, 2, 5, 5)), ms.float32)
    weight, bias = layer.weight_posterior.mean, layer.bias_posterior.mean
    expected = ms.ops.conv2d(x, weight, bias, pad_mode="valid")
    np.testing.assert_allclose(layer(x).asnumpy(), expected.asnumpy(), atol=1e-4)
    trained = [layer.weight_posterior, layer.bias_posterior]
    own = [p for cell in trained for p in (cell.mean, cell.untransformed_std)]
    assert {id(p) for p in layer.trainable_params()} == {id(p) for p in own}


def test_the_divergence_is_summed_over_all_weights():
    layer = bnn.DenseReparam(3, 2, weight_prior_fn=bnn.NormalPrior(mean=0.5, std=2.0))
    total = 0.0
    for prior, posterior in (
        (torch.distributions.Normal(0.5, 2.0), layer.weight_posterior),
        (torch.distributions.Normal(0.0, 0.1), layer.bias_posterior),
    ):
        mean = torch.tensor(posterior("mean").asnumpy())
        sd = torch.tensor(posterior("sd").asnumpy())
        other = torch.distributions.Normal(mean, sd)
        total += float(torch.distributions.kl_divergence(prior, other).sum())
    np.testing.assert_allclose(float(layer.compute_kl_loss()), total, rtol=1e-4)


def test_a_network_learns():
    ms.set_seed(1)
    net = nn.SequentialCell(bnn.DenseReparam(1, 8, activation="tanh"), bnn.DenseReparam(8, 1))
    cell = bnn.WithBNNLossCell(net, nn.MSELoss(), dnn_factor=1.0, bnn_factor=1e-6)
    assert cell.backbone_network is net
    assert len(cell.kl_loss) == 2
    x = ms.Tensor(np.linspace(-1, 1, 32)[:, None], ms.float32)
    opt = nn.Adam(net.trainable_params(), 0.02)
    step = ms.value_and_grad(cell, None, opt.parameters)
    losses = []
    for _ in range(80):
        loss, grads = step(x, x * 0.5)
        opt(grads)
        losses.append(float(loss))
    assert np.mean(losses[-10:]) < 0.5 * np.mean(losses[:10])


class _Flat(nn.Cell):
    def __init__(self):
        super().__init__()
        self.uniform = distribution.Uniform(0.0, 1.0)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: bnn.DenseReparam(0, 1), ValueError, "in_channels"),
        (lambda: bnn.DenseReparam(1, 1, activation=3), ValueError, "activation"),
        (lambda: bnn.DenseReparam(1, 1, weight_prior_fn=_Flat), TypeError, "normal"),
        (lambda: bnn.DenseReparam(1, 1, weight_posterior_fn=_Flat), TypeError, "NormalPosterior"),
        (lambda: bnn.NormalPosterior(1, [2]), TypeError, "name"),
        (lambda: bnn.NormalPosterior("w", 2), TypeError, "shape"),
        (lambda: bnn.NormalPosterior("w", [2], loc_std=-1.0), TypeError, "loc_std"),
        (lambda: bnn.WithBNNLossCell(nn.Flatten(), nn.MSELoss(), True), TypeError, "dnn_factor"),
        (lambda: bnn.WithBNNLossCell(nn.Flatten(), nn.MSELoss(), 1, -1), ValueError, "bnn_factor"),
    ],
)
def test_what_cannot_be_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
