"""Running statistics of ``mint.nn``'s normalization layers, and the parts of a synchronized one."""

from __future__ import annotations

import copy
import os
import socket

import numpy as np
import pytest
import torch

import agar as ms
import forked
from agar import mint, nn
from agar.ops.nn import mint_normalization as mint_norm
from nn.battery import arrays, check_gradient, check_parity

IMAGE = (3, 4, 5, 2)


def pair(**options):
    """agar's layer and torch's, in training, with numbers of their own in scale and shift."""
    layer = mint.nn.BatchNorm2d(4, **options).to(ms.float64).set_train()
    module = torch.nn.BatchNorm2d(4, **options).double()
    for p, values in zip(layer.trainable_params(), arrays((4,), (4,)), strict=False):
        p.set_data(ms.Tensor(values))
        module.get_parameter(p.name).data = torch.tensor(values)
    return layer, module


def same(layer, module):
    for name, value in module.state_dict().items():
        np.testing.assert_allclose(
            getattr(layer, name).asnumpy(), value.numpy(), rtol=1e-12, err_msg=name
        )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"momentum": 0.3, "eps": 1e-2},
        {"momentum": None},
        {"affine": False},
        {"track_running_stats": False},
        {"track_running_stats": False, "affine": False},
    ],
)
def test_statistics_of_several_batches(options):
    layer, module = pair(**options)
    for seed in range(3):
        (x,) = arrays(IMAGE, seed=seed)
        np.testing.assert_allclose(
            layer(ms.Tensor(x)).asnumpy(), module(torch.tensor(x)).detach().numpy(), rtol=1e-10
        )
        same(layer, module)
    layer.set_train(False)
    module.eval()
    (x,) = arrays(IMAGE, seed=9)
    np.testing.assert_allclose(
        layer(ms.Tensor(x)).asnumpy(), module(torch.tensor(x)).detach().numpy(), rtol=1e-10
    )
    same(layer, module)


@pytest.mark.parametrize("options", [{}, {"momentum": None}, {"track_running_stats": False}])
def test_gradients_in_training(options):
    def theirs(p, x):
        result = torch.nn.functional.batch_norm(
            x, None, None, p["weight"], p["bias"], True, 0.1, 1e-5
        )
        return result

    def make():
        return mint.nn.BatchNorm2d(4, **options)

    check_parity(make, arrays(IMAGE), theirs, train=True)
    check_gradient(make, arrays(IMAGE), train=True)


def test_a_recomputed_layer_counts_a_batch_once():
    net = nn.SequentialCell(mint.nn.BatchNorm2d(4), nn.ReLU()).set_train()
    plain = copy.deepcopy(net)
    net.recompute()
    x = ms.Tensor(arrays(IMAGE)[0].astype(np.float32))
    for each in (net, plain):
        ms.grad(lambda v, each=each: each(v).sum(), 0)(x)
    assert int(net[0].num_batches_tracked) == 1
    np.testing.assert_array_equal(net[0].running_mean.asnumpy(), plain[0].running_mean.asnumpy())


def test_half_inputs_keep_wide_statistics():
    layer = mint.nn.BatchNorm1d(4).set_train()
    out = layer(ms.Tensor(arrays((3, 4))[0].astype(np.float16)))
    assert out.dtype == ms.float16
    assert layer.running_mean.dtype == ms.float32


def test_resetting():
    layer, _ = pair()
    fresh = mint.nn.BatchNorm2d(4).to(ms.float64)
    layer(ms.Tensor(arrays(IMAGE)[0]))
    layer.reset_running_stats()
    assert int(layer.num_batches_tracked) == 0
    np.testing.assert_array_equal(layer.running_var.asnumpy(), np.ones(4))
    assert layer.weight.asnumpy()[0] != 1
    layer.reset_parameters()
    for p, q in zip(layer.get_parameters(), fresh.get_parameters(), strict=True):
        np.testing.assert_array_equal(p.asnumpy(), q.asnumpy())


def test_group_norm_without_affine_keeps_constants():
    layer = mint.nn.GroupNorm(2, 4, affine=False)
    assert [p.name for p in layer.get_parameters()] == ["weight", "bias"]
    assert layer.trainable_params() == []
    (x,) = arrays((2, 4, 3))
    expected = torch.nn.GroupNorm(2, 4, affine=False)(torch.tensor(x))
    np.testing.assert_allclose(
        layer(ms.Tensor(x.astype(np.float32))).asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6
    )


# --------------------------------------------------------------------- synchronized


@pytest.mark.parametrize("shape", [(3, 4), (3, 4, 5), IMAGE])
def test_one_process_is_its_own_group(shape):
    layer = mint.nn.SyncBatchNorm(4).to(ms.float64).set_train()
    module = torch.nn.BatchNorm1d(4).double()
    (x,) = arrays(shape)
    flat = torch.tensor(x).reshape(*shape[:2], -1)
    np.testing.assert_allclose(
        layer(ms.Tensor(x)).asnumpy(), module(flat).detach().numpy().reshape(shape), rtol=1e-10
    )
    same(layer, module)


def test_the_parts_make_a_normalization_of_the_whole_batch():
    x = torch.tensor(arrays((7, 4, 3))[0], requires_grad=True)
    weight, bias = (torch.tensor(a) for a in arrays((4,), (4,), seed=1))
    shares = [x[:2], x[2:]]
    items = [mint_norm.batch_norm_stats(share, 1e-3) for share in shares]
    means, scales = (torch.stack([pair[i] for pair in items]) for i in (0, 1))
    counts = torch.tensor([6.0, 15.0], dtype=torch.float64)
    running = [torch.zeros(4, dtype=torch.float64), torch.ones(4, dtype=torch.float64)]
    mean, scale = mint_norm.batch_norm_gather_stats_with_counts(
        shares[0], means, scales, *running, 0.2, 1e-3, counts
    )
    parts = [mint_norm.batch_norm_elemt(s, weight, bias, mean, scale, 1e-3) for s in shares]
    out = torch.cat(parts)
    expected_running = [torch.zeros(4, dtype=torch.float64), torch.ones(4, dtype=torch.float64)]
    y = x.detach().clone().requires_grad_()
    expected = torch.nn.functional.batch_norm(y, *expected_running, weight, bias, True, 0.2, 1e-3)
    torch.testing.assert_close(out, expected, rtol=1e-10, atol=1e-12)
    for ours, theirs in zip(running, expected_running, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-14)
    factors = torch.linspace(0.5, 1.5, 84, dtype=torch.float64).reshape(7, 4, 3)
    (out * factors).sum().backward()
    (expected * factors).sum().backward()
    torch.testing.assert_close(x.grad, y.grad, rtol=1e-9, atol=1e-11)


_PROCESS = """
import sys
import numpy as np
import agar as ms

ms.communication.init()
rank = ms.communication.get_rank()
x = np.random.default_rng(0).standard_normal((5, 3, 4))
share = ms.Tensor(x[:2] if rank == 0 else x[2:])
factors = np.linspace(0.5, 1.5, 60).reshape(5, 3, 4)
factor = ms.Tensor(factors[:2] if rank == 0 else factors[2:])
layer = ms.mint.nn.SyncBatchNorm(3, momentum=eval(sys.argv[2])).to(ms.float64).set_train()
out = layer(share)
gradient = ms.grad(lambda v: (layer(v) * factor).sum())(share)
np.savez(
    f"{sys.argv[1]}/{rank}.npz",
    out=out.asnumpy(),
    gradient=gradient.asnumpy(),
    **{p.name: p.asnumpy() for p in layer.get_parameters()},
)
"""


@pytest.mark.slow
@pytest.mark.pynative  # the processes choose their mode themselves
@pytest.mark.parametrize("momentum", [0.3, None])
def test_two_processes_share_a_batch(tmp_path, momentum):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    started = [
        forked.start(
            _PROCESS,
            str(tmp_path),
            str(momentum),
            env={**os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}
            | {"MASTER_PORT": port},
        )
        for rank in (0, 1)
    ]
    assert [process.wait() for process in started] == [0, 0], started[0].texts
    items = [np.load(tmp_path / f"{rank}.npz") for rank in (0, 1)]
    x = torch.tensor(np.random.default_rng(0).standard_normal((5, 3, 4)), requires_grad=True)
    module = torch.nn.BatchNorm1d(3, momentum=momentum).double()
    module(x)
    out = module(x)
    (out * torch.linspace(0.5, 1.5, 60, dtype=torch.float64).reshape(5, 3, 4)).sum().backward()
    for name, expected in (("out", out.detach()), ("gradient", x.grad)):
        both = np.concatenate([part[name] for part in items])
        np.testing.assert_allclose(both, expected.numpy(), rtol=1e-9, atol=1e-12, err_msg=name)
    for part in items:
        for name, value in module.state_dict().items():
            np.testing.assert_allclose(part[name], value.numpy(), rtol=1e-12, err_msg=name)


# --------------------------------------------------------------------------- errors


ERRORS = [
    (lambda: mint.nn.BatchNorm1d(0), ValueError, "num_features"),
    (lambda: mint.nn.BatchNorm1d(2.0), TypeError, "num_features"),
    (lambda: mint.nn.BatchNorm2d(2, momentum="a"), TypeError, "momentum"),
    (lambda: mint.nn.GroupNorm(2, 3), ValueError, "divided"),
    (lambda: mint.nn.GroupNorm(1, 3, eps=1), TypeError, "eps"),
    (lambda: mint.nn.BatchNorm1d(2)(ms.ops.ones((1, 2, 3, 4))), ValueError, "2D or 3D"),
    (lambda: mint.nn.BatchNorm2d(2)(ms.ops.ones((1, 2, 3))), ValueError, "4D"),
    (lambda: mint.nn.BatchNorm3d(2)(ms.ops.ones((1, 2, 3))), ValueError, "5D"),
    (lambda: mint.nn.BatchNorm1d(2)(ms.ops.ones((3, 4))), ValueError, "must be 2"),
    (lambda: mint.nn.BatchNorm1d(2).set_train()(ms.ops.ones((1, 2))), ValueError, "more than 1"),
    (lambda: mint.nn.SyncBatchNorm(2)(ms.ops.ones((2,))), ValueError, "at least 2D"),
]


@pytest.mark.parametrize(("bad", "error", "words"), ERRORS)
def test_errors(bad, error, words):
    with pytest.raises(error, match=words) as caught:
        bad()
    assert "Norm" in str(caught.value)
