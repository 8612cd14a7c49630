"""TorchCell and as_torch: one memory, one train mode, gradients both ways."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn

T = ms.Tensor


def module():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3), torch.nn.Tanh())


X = [[1.0, 2.0], [3.0, 5.0], [0.5, -1.0]]


def test_torch_cell_shares_parameters_and_buffers():
    m = module()
    cell = ms.TorchCell(m)
    assert [p.name for p in cell.trainable_params()] == ["0.weight", "0.bias", "1.weight", "1.bias"]
    cell.trainable_params()[0].set_data(T(np.ones((3, 2), np.float32)))
    assert m[0].weight.tolist() == [[1, 1]] * 3
    with torch.no_grad():
        m[0].bias.fill_(7)
    assert cell.trainable_params()[1].asnumpy().tolist() == [7, 7, 7]
    assert "1.running_mean" in cell.state_dict()


def test_torch_cell_forward_and_gradients_equal_torch():
    m = module()
    cell = ms.TorchCell(m)
    x = torch.tensor(X, requires_grad=True)
    m.train()
    out = m(x)
    expected = torch.autograd.grad(out.sum(), [x, *m.parameters()])
    m[1].reset_running_stats()
    value, (dx, dw) = ms.value_and_grad(cell, 0, cell.trainable_params())(T(X))
    np.testing.assert_array_equal(value.asnumpy(), out.detach().numpy())
    for item, result in zip((dx, *dw), expected, strict=True):
        np.testing.assert_array_equal(item.asnumpy(), result.numpy())
    assert m[0].weight.requires_grad


def test_torch_cell_does_not_record_outside():
    assert not ms.TorchCell(module())(T(X))._value.requires_grad


def test_train_mode_is_one_switch():
    m = module()
    cell = ms.TorchCell(m)
    assert cell.training is True
    cell.set_train(False)
    cell(T(X))
    assert m.training is False
    m.train()
    cell(T(X))
    assert cell.training is True


def test_freezing_is_shared():
    m = module()
    cell = ms.TorchCell(m)
    cell.trainable_params()[0].requires_grad = False
    assert m[0].weight.requires_grad is False
    assert len(cell.trainable_params()) == 3


def test_torch_cell_inside_a_network():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(3, 1)
            self.old = ms.TorchCell(module())

        def construct(self, x):
            return self.fc(self.old(x))

    net = Net()
    assert [p.name for p in net.trainable_params()][:3] == ["fc.weight", "fc.bias", "old.0.weight"]
    g = ms.grad(net, None, net.trainable_params())(T(X))
    assert all(np.isfinite(v.asnumpy()).all() for v in g)
    assert np.abs(g[2].asnumpy()).sum() > 0
    with pytest.raises(TypeError, match=r"torch\.nn\.Module"):
        ms.TorchCell(5)


class Small(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 3)
        self.bn = nn.BatchNorm1d(3)
        self.w = ms.Parameter(T([1.0, 2.0, 3.0]))

    def construct(self, x):
        return self.bn(self.fc(x)) * self.w


def test_as_torch_trains_the_cell():
    cell = Small()
    m = ms.as_torch(cell).train()
    assert cell.bn.training is True
    assert {n for n, _ in m.named_parameters()} == {
        "w",
        "fc.weight",
        "fc.bias",
        "bn.gamma",
        "bn.beta",
    }
    assert {n for n, _ in m.named_buffers()} == {"bn.moving_mean", "bn.moving_variance"}
    before = cell.fc.weight.asnumpy().copy()
    optimizer = torch.optim.SGD(m.parameters(), lr=0.1)
    loss = (m(torch.tensor(X)) ** 2).sum()
    loss.backward()
    optimizer.step()
    assert not np.array_equal(cell.fc.weight.asnumpy(), before)
    assert not cell.fc.weight._value.requires_grad
    assert cell.bn.moving_mean.asnumpy().any()
    m.eval()
    assert cell.bn.training is False
    with torch.no_grad():
        np.testing.assert_array_equal(m(torch.tensor(X)).numpy(), cell(T(X)).asnumpy())


def test_as_torch_gradients_equal_agars():
    cell = Small().set_train()
    g = ms.grad(cell, None, cell.trainable_params())(T(X))
    m = ms.as_torch(cell)
    m(torch.tensor(X)).sum().backward()
    by_name = dict(m.named_parameters())
    for p, item in zip(cell.trainable_params(), g, strict=True):
        np.testing.assert_allclose(by_name[p.name].grad.numpy(), item.asnumpy(), atol=1e-6)


def test_as_torch_follows_a_moved_module():
    cell = Small()
    m = ms.as_torch(cell).double()
    out = m(torch.tensor(X, dtype=torch.float64))
    assert out.dtype == torch.float64
    assert cell.fc.weight.dtype == ms.float64
    with pytest.raises(TypeError, match="must be a Cell"):
        ms.as_torch(5)


def test_there_and_back():
    m = module()
    again = ms.as_torch(ms.TorchCell(m))
    assert {p.data_ptr() for p in again.parameters()} == {p.data_ptr() for p in m.parameters()}
