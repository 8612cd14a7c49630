"""Running statistics: when they are updated, where, how often; and the layers' errors."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn, ops

X = np.random.default_rng(0).standard_normal((4, 3, 2, 2)).astype(np.float32)
MEAN = X.mean((0, 2, 3))
VARIANCE = X.var((0, 2, 3), ddof=1)


def statistics(norm: nn.Cell) -> tuple[np.ndarray, np.ndarray]:
    return norm.moving_mean.asnumpy().copy(), norm.moving_variance.asnumpy().copy()


def assert_updated(norm: nn.Cell, times: int, momentum: float = 0.9) -> None:
    left = momentum**times
    mean, variance = statistics(norm)
    np.testing.assert_allclose(mean, (1 - left) * MEAN, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(variance, left + (1 - left) * VARIANCE, rtol=1e-5, atol=1e-6)


class TestRunningStatistics:
    def test_one_update_for_a_forward_in_training(self):
        norm = nn.BatchNorm2d(3).set_train()
        norm(ms.Tensor(X))
        assert_updated(norm, 1)
        norm(ms.Tensor(X))
        assert_updated(norm, 2)

    def test_momentum_is_the_share_of_the_old_ones(self):
        norm = nn.BatchNorm2d(3, momentum=0.7).set_train()
        norm(ms.Tensor(X))
        assert_updated(norm, 1, 0.7)

    def test_none_in_evaluation(self):
        norm = nn.BatchNorm2d(3)
        norm(ms.Tensor(X))
        assert_updated(norm, 0)

    @pytest.mark.parametrize("train", [False, True])
    def test_use_batch_statistics_decides_whatever_the_mode(self, train):
        always = nn.BatchNorm2d(3, use_batch_statistics=True).set_train(train)
        never = nn.BatchNorm2d(3, use_batch_statistics=False).set_train(train)
        out = always(ms.Tensor(X)).asnumpy()
        assert_updated(always, 1)
        np.testing.assert_allclose(out.mean((0, 2, 3)), 0, atol=1e-6)
        never(ms.Tensor(X))
        assert_updated(never, 0)

    def test_one_update_under_a_gradient(self):
        net = nn.SequentialCell(nn.BatchNorm2d(3), nn.ReLU()).set_train()

        def loss(x):
            return net(x).sum()

        ms.value_and_grad(loss, 0, net.trainable_params())(ms.Tensor(X))
        assert_updated(net[0], 1)
        ms.grad(loss)(ms.Tensor(X))
        assert_updated(net[0], 2)

    def test_one_update_when_the_cell_is_recomputed(self):
        plain = nn.BatchNorm2d(3).set_train()
        again = nn.BatchNorm2d(3).set_train()
        again.recompute()
        x = ms.Tensor(X)
        results = [
            ms.grad(lambda v, n=norm: (n(v) ** 3).sum(), 0, norm.trainable_params())(x)
            for norm in (plain, again)
        ]
        assert_updated(again, 1)
        (first, firsts), (second, seconds) = results
        np.testing.assert_allclose(first.asnumpy(), second.asnumpy(), rtol=1e-6, atol=1e-6)
        for a, b in zip(firsts, seconds, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6, atol=1e-6)

    def test_the_memory_of_the_parameter_is_updated(self):
        norm = nn.BatchNorm2d(3).set_train()
        address = norm.moving_mean._value.data_ptr()
        shared = norm.moving_mean.data
        norm(ms.Tensor(X))
        assert norm.moving_mean._value.data_ptr() == address
        np.testing.assert_array_equal(shared.asnumpy(), norm.moving_mean.asnumpy())

    def test_statistics_stay_float32_in_a_float16_scope(self):
        norm = nn.BatchNorm2d(3).to_float(ms.float16).set_train()
        out = norm(ms.Tensor(X))
        assert out.dtype == ms.float16
        assert norm.moving_mean.dtype == ms.float32
        np.testing.assert_allclose(norm.moving_mean.asnumpy(), 0.1 * MEAN, rtol=2e-2, atol=1e-4)

    def test_a_float16_input_without_a_scope(self):
        norm = nn.BatchNorm2d(3).set_train()
        assert norm(ms.Tensor(X.astype(np.float16))).dtype == ms.float16
        np.testing.assert_allclose(norm.moving_mean.asnumpy(), 0.1 * MEAN, rtol=2e-2, atol=1e-4)

    def test_an_empty_batch_leaves_them_alone(self):
        for norm in (nn.BatchNorm2d(3), nn.InstanceNorm2d(3)):
            assert norm.set_train()(ms.Tensor(X[:0])).shape == (0, 3, 2, 2)
            mean, variance = statistics(norm)
            assert (mean == 0).all()
            assert (variance == 1).all()

    def test_one_value_per_channel_is_an_error_and_changes_nothing(self):
        norm = nn.BatchNorm1d(3).set_train()
        with pytest.raises(ValueError, match="more than 1 value per channel"):
            norm(ms.ops.ones((1, 3)))
        mean, variance = statistics(norm)
        assert (mean == 0).all()
        assert (variance == 1).all()
        assert norm.set_train(False)(ms.ops.ones((1, 3))).shape == (1, 3)

    def test_the_layer_in_float64_equals_torch_over_several_steps(self):
        ours = nn.BatchNorm2d(3).to(ms.float64).set_train()
        theirs = torch.nn.BatchNorm2d(3).double()
        rng = np.random.default_rng(1)
        for _ in range(3):
            batch = rng.standard_normal((4, 3, 2, 2))
            ours(ms.Tensor(batch))
            theirs(torch.tensor(batch))
        np.testing.assert_allclose(
            ours.moving_variance.asnumpy(), theirs.running_var.numpy(), rtol=1e-12
        )
        np.testing.assert_allclose(
            ours.moving_mean.asnumpy(), theirs.running_mean.numpy(), rtol=1e-12
        )

    def test_batch_norm_3d_and_its_names(self):
        norm = nn.BatchNorm3d(3).set_train()
        norm(ms.Tensor(X[:, :, None]))
        assert_updated(norm.bn2d, 1)

    def test_instance_norm_averages_over_the_samples(self):
        norm = nn.InstanceNorm2d(3, momentum=0.5).set_train()
        norm(ms.Tensor(X))
        mean, variance = statistics(norm)
        np.testing.assert_allclose(mean, 0.5 * X.mean((0, 2, 3)), rtol=1e-5, atol=1e-6)
        expected = 0.5 + 0.5 * X.var((2, 3), ddof=1).mean(0)
        np.testing.assert_allclose(variance, expected, rtol=1e-5)
        norm.set_train(False)(ms.Tensor(X))
        np.testing.assert_array_equal(norm.moving_mean.asnumpy(), mean)

    def test_the_function_updates_what_it_is_given(self):
        mean, variance = ms.Tensor(np.zeros(3, np.float32)), ms.Tensor(np.ones(3, np.float32))
        one, zero = ms.ops.ones(3), ms.ops.zeros(3)
        ops.batch_norm(ms.Tensor(X), mean, variance, one, zero, True, 0.1)
        np.testing.assert_allclose(mean.asnumpy(), 0.1 * MEAN, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(variance.asnumpy(), 0.9 + 0.1 * VARIANCE, rtol=1e-5)


def test_names_alone_and_in_a_parent():
    norm = nn.BatchNorm2d(2)
    assert [p.name for p in norm.get_parameters()] == ["mean", "variance", "gamma", "beta"]
    parent = nn.SequentialCell(norm)
    assert [p.name for p in parent.get_parameters()] == [
        "0.moving_mean",
        "0.moving_variance",
        "0.gamma",
        "0.beta",
    ]
    assert [p.name for p in parent.trainable_params()] == ["0.gamma", "0.beta"]
    frozen = nn.BatchNorm2d(2, affine=False)
    assert len(list(frozen.get_parameters())) == 4
    assert frozen.trainable_params() == []


def test_text():
    shown = "Parameter (name={}, shape=(2,), dtype=Float32, requires_grad={})"
    assert repr(nn.BatchNorm2d(2)) == (
        "BatchNorm2d(num_features=2, eps=1e-05, momentum=0.9, "
        f"gamma={shown.format('gamma', True)}, beta={shown.format('beta', True)}, "
        f"moving_mean={shown.format('mean', False)}, "
        f"moving_variance={shown.format('variance', False)})"
    )
    assert repr(nn.LayerNorm((2,))) == (
        "LayerNorm(normalized_shape=(2,), begin_norm_axis=-1, begin_params_axis=-1, "
        f"gamma{shown.format('gamma', True)}, beta={shown.format('beta', True)})"
    )
    assert "momentum=0.1" in repr(nn.InstanceNorm2d(2))
    assert repr(nn.LayerNormExt((2,))) == (
        "LayerNormExt(normalized_shape=(2,), eps=1e-05, elementwise_affine=True)"
    )


def image(*shape: int) -> ms.Tensor:
    return ms.ops.ones(shape)


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (lambda: nn.BatchNorm2d(0), ValueError, "must be at least 1"),
        (lambda: nn.BatchNorm2d(2.0), TypeError, "'num_features'"),
        (lambda: nn.BatchNorm2d(2, momentum=1.5), ValueError, r"range \[0, 1\]"),
        (lambda: nn.BatchNorm2d(2, momentum="a"), TypeError, "'momentum'"),
        (lambda: nn.BatchNorm2d(2, affine=1), TypeError, "'affine'"),
        (lambda: nn.BatchNorm2d(2, use_batch_statistics=1), ValueError, "boolean value or None"),
        (lambda: nn.BatchNorm2d(2, data_format="x"), ValueError, "'data_format'"),
        (lambda: nn.BatchNorm2d(2, gamma_init="foo"), ValueError, "'foo' was not found"),
        (lambda: nn.BatchNorm2d(2)(image(2, 2, 2)), ValueError, "must have 4 dims, but got 3"),
        (lambda: nn.BatchNorm1d(2)(image(2, 2, 2, 2)), ValueError, "2 dims or 3 dims"),
        (lambda: nn.BatchNorm3d(2)(image(2, 2, 2, 2)), ValueError, "must have 5 dims"),
        (lambda: nn.BatchNorm2d(2)(image(2, 3, 2, 2)), ValueError, "channel dimension must be 2"),
        (lambda: nn.BatchNorm2d(2)(image(1, 2, 2, 2).astype(ms.float64)), TypeError, "float16"),
        (lambda: nn.BatchNorm2d(2)(image(1, 2, 2, 2).astype(ms.int32)), TypeError, "BatchNorm2d"),
        (lambda: nn.SyncBatchNorm(2, process_groups=[[0]]), NotImplementedError, "all processes"),
        (lambda: nn.LayerNorm(2), TypeError, r"tuple\[int\] or list\[int\]"),
        (lambda: nn.LayerNorm(()), ValueError, "at least one element"),
        (lambda: nn.LayerNorm((2,), "a"), TypeError, "'begin_norm_axis'"),
        (lambda: nn.LayerNorm((2,))(image(2, 3)), ValueError, "gamma or beta shape must match"),
        (lambda: nn.LayerNorm((3,), 5)(image(2, 3)), RuntimeError, "'begin_norm_axis'"),
        (lambda: nn.LayerNormExt("a"), TypeError, "'normalized_shape'"),
        (lambda: nn.GroupNorm(3, 4), ValueError, "must be divided by 'num_groups'"),
        (lambda: nn.GroupNorm(0, 4), ValueError, "'num_groups' must be int and must > 0"),
        (lambda: nn.GroupNorm(2, 4)(image(1, 3, 2)), ValueError, "must be divided by 'num_groups'"),
        (lambda: nn.GroupNorm(2, 4, affine=1), TypeError, "'affine'"),
        (lambda: nn.InstanceNorm2d(2, momentum=5), TypeError, "'momentum' should be 'float'"),
        (lambda: nn.InstanceNorm2d(2)(image(2, 2, 2)), ValueError, "must have 4 dims"),
        (lambda: nn.InstanceNorm2d(2)(image(2, 3, 2, 2)), ValueError, "channel dimension"),
        (lambda: nn.LRN(norm_region="x"), ValueError, "ACROSS_CHANNELS"),
    ],
)
def test_errors(bad, error, words):
    with pytest.raises(error, match=words):
        bad()
