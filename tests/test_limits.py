"""The limits of the guide that agar lifts: design.md, L8 to L20 (those that need no graphs)."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn, ops
from agar.common.initializer import initializer

T = ms.Tensor


def test_L08_a_numpy_step_may_keep_its_gradient():
    @ms.numpy_function(vjp=lambda x, y, out, dout: (dout[0] * y * np.exp(x * y), None))
    def scaled_exp(x, y):
        return np.exp(x * y), np.arange(2)

    def f(x, y):
        value, extra = scaled_exp(x, y)
        assert extra.tolist() == [0, 1]
        return value * 3

    x, y = T([0.5, 1.0]), T([2.0, 3.0])
    dx, dy = ms.grad(f, (0, 1))(x, y)
    np.testing.assert_allclose(
        dx.asnumpy(), 3 * y.asnumpy() * np.exp(x.asnumpy() * y.asnumpy()), rtol=1e-6
    )
    assert dy.tolist() == [0, 0]
    plain = ms.numpy_function(np.sort)
    assert ms.grad(lambda x: plain(x) * x)(T([2.0, 1.0])).tolist() == [1, 2]


def test_L08_errors():
    with pytest.raises(TypeError, match="must be a function"):
        ms.numpy_function(5)
    with pytest.raises(TypeError, match="must return numpy arrays"):
        ms.numpy_function(lambda x: T(x))(T([1.0]))
    wrong = ms.numpy_function(np.add, vjp=lambda x, y, out, dout: dout)
    with pytest.raises(RuntimeError, match="one gradient for each of the 2 inputs"):
        ms.grad(wrong)(T([1.0]), T([1.0]))


class Stages(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = nn.Dense(2, 3)
        self.norm = nn.BatchNorm1d(3)
        self.b = nn.Dense(3, 2)
        self.seen = {}

    def construct(self, x):
        y = self.a(x)
        z = self.norm(y)
        out = self.b(z)
        self.__dict__["seen"] = {"a": y.dtype, "norm": z.dtype, "b": out.dtype}
        return out


def test_L09_one_forward_per_gradient_and_statistics_updated_once():
    norm = nn.BatchNorm1d(2).set_train()
    x = T([[1.0, 2.0], [3.0, 6.0]])
    ms.value_and_grad(norm, None, norm.trainable_params())(x)
    np.testing.assert_allclose(norm.moving_mean.asnumpy(), [0.2, 0.4], rtol=1e-6)
    ops.GradOperation(get_by_list=True)(norm, norm.trainable_params())(x)
    np.testing.assert_allclose(norm.moving_mean.asnumpy(), [0.38, 0.76], rtol=1e-6)
    norm.set_grad()
    norm(x)
    ms.grad(norm)(x)
    np.testing.assert_allclose(norm.moving_mean.asnumpy(), [0.542, 1.084], rtol=1e-5)
    again = nn.BatchNorm1d(2).set_train().recompute()
    ms.grad(again)(x)
    np.testing.assert_allclose(again.moving_mean.asnumpy(), [0.2, 0.4], rtol=1e-6)


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_L10_to_float_with_amp_level(level):
    net = Stages()
    net.b.to_float(ms.float32)
    mixed = ms.amp.auto_mixed_precision(net, level)
    out = mixed(T([[1.0, 2.0]]))
    assert out.dtype == ms.float32
    inner = next(c for _, c in mixed.cells_and_names() if isinstance(c, nn.Dense))
    assert inner.weight.dtype == ms.float32
    g = ms.grad(mixed, None, mixed.trainable_params())(T([[1.0, 2.0]]))
    assert {v.dtype for v in g} == {ms.float32}


def test_L11_calculate_gain():
    from agar.common.initializer import calculate_gain

    for name in ("linear", "conv2d", "sigmoid", "tanh", "relu"):
        assert calculate_gain(name) == pytest.approx(torch.nn.init.calculate_gain(name))
    for slope in (None, 0.2):
        assert calculate_gain("leaky_relu", slope) == pytest.approx(
            torch.nn.init.calculate_gain("leaky_relu", slope)
        )
    with pytest.raises(ValueError, match="nonsense"):
        calculate_gain("nonsense")


def test_L13_in_place_operators_and_views_with_gradients():
    def f(x):
        y = x * 1
        v = y[0]
        v.mul_(2)
        y[1].add_(1)
        y[2] = x[2] * x[2]
        return y.sum()

    def twin(t):
        y = t * 1
        y[0].mul_(2)
        y[1].add_(1)
        y[2] = t[2] * t[2]
        return y.sum()

    data = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    t = torch.tensor(data, requires_grad=True)
    twin(t).backward()
    np.testing.assert_array_equal(ms.grad(f)(T(data)).asnumpy(), t.grad.numpy())


def test_L14_tensors_cells_and_parts_move_between_devices():
    net = Stages()
    x = T([[1.0, 2.0]]).to("CPU")
    assert x.device == "CPU"
    net.a.to(torch.device("meta"))  # a part of the network, elsewhere
    assert net.a.weight.device == "meta"
    assert net.b.weight.device == "CPU"
    net.a.to_empty(device="CPU")
    net.a.weight.set_data(initializer("ones", (3, 2)))
    net.a.bias.set_data(initializer("zeros", (3,)))
    assert net(x).shape == (1, 2)
    assert net.to("CPU").to(ms.float64)(x.astype(ms.float64)).dtype == ms.float64


@pytest.mark.gpu
def test_L14_on_a_gpu():
    net = Stages()
    expected = net(T([[1.0, 2.0]])).asnumpy()
    net.to("GPU")
    x = T([[1.0, 2.0]]).to("GPU")
    np.testing.assert_allclose(net(x).asnumpy(), expected, atol=1e-5)
    assert net(x).device.startswith("GPU")
    assert ms.grad(net, None, net.a.weight)(x).device.startswith("GPU")
    net.to("CPU")
    np.testing.assert_array_equal(net(T([[1.0, 2.0]])).asnumpy(), expected)


def test_L15_lazily_initialised_tensors_are_initialised_when_used():
    lazy = initializer("ones", (2, 2), ms.float32)
    assert lazy.has_init
    assert (lazy * 2).tolist() == [[2, 2], [2, 2]]
    assert not lazy.has_init
    for use in (lambda t: t @ t, lambda t: t.sum(), lambda t: t[0], lambda t: ops.relu(t)):
        assert np.all(use(initializer("ones", (2, 2))).asnumpy() > 0)
    g = ms.grad(lambda t: t * t)(initializer("ones", (2,)))
    assert g.tolist() == [2, 2]


def test_L16_duplicate_names_are_reported_where_they_arise_with_both_paths():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.first = nn.Dense(2, 2)
            self.second = nn.Dense(2, 2)

    net = Net()
    with pytest.raises(ValueError, match="already exists") as info:
        net.check_names()
    assert "first.weight" in str(info.value)
    assert "second.weight" in str(info.value)
    with pytest.raises(ValueError, match="already exists"):
        nn.SGD(net.trainable_params())


def test_L17_losses_are_computed_in_float32_under_mixed_precision():
    logits = T(np.full((4, 3), 300.0), ms.float16) * T([1.0, -1.0, 0.5], ms.float16)
    labels = T([1, 1, 1, 1], ms.int32)
    loss = nn.CrossEntropyLoss(reduction="sum")
    value = loss(logits, labels)
    assert value.dtype == ms.float32
    np.testing.assert_allclose(value.item(), 2400, rtol=1e-3)
    squares = nn.MSELoss(reduction="sum")(T([300.0], ms.float16), T([0.0], ms.float16))
    assert squares.item() == 90000  # beyond float16
    told = nn.MSELoss(reduction="sum").to_float(ms.float16)
    assert told(T([3.0]), T([0.0])).dtype == ms.float16


def test_L19_parameters_may_be_set_inside_construct():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(T([2.0]))
            self.count = ms.Parameter(T([0.0]), requires_grad=False)
            self.last = ms.Parameter(T([0.0]), requires_grad=False)

        def construct(self, x):
            self.count = self.count + 1
            self.last.set_data(x)
            ops.assign(self.last, self.last + 1)
            return x * self.w * self.count

    net = Net()
    net.set_train()
    for step in range(1, 3):
        value, g = ms.value_and_grad(net, None, net.w)(T([3.0]))
        assert value.tolist() == [6.0 * step]
        assert g.tolist() == [3.0 * step]
        assert net.last.asnumpy().tolist() == [4.0]
    for p in net.get_parameters():
        assert not p._value.requires_grad
        assert p._value.grad_fn is None
