"""Gradient primitives: MindSpore's figures, torch's gradients, and the other private paths."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import agar as ms
from agar import ops
from agar.ops import auto_generate
from agar.ops.math import interpolation
from agar.ops.operations import _grad_ops as G
from agar.ops.operations import _inner_ops as inner
from agar.ops.operations import _rl_inner_ops as rl
from agar.ops.operations import _scalar_ops as scalars
from agar.ops.operations import _sequence_ops as sequences
from oracle import record_gradients

RECORDED = json.loads(record_gradients.DATA.read_text())


def t(seed: int, *shape: int) -> ms.Tensor:
    """Normal numbers in float64."""
    generator = torch.Generator().manual_seed(seed)
    return ms.from_torch(torch.randn(shape, generator=generator, dtype=torch.float64))


@pytest.mark.parametrize("case", record_gradients.CASES)
def test_recorded(case):
    result = record_gradients.digest(eval(case, record_gradients.names(ms)))
    expected = RECORDED[case]
    assert [part[0] for part in result] == [part[0] for part in expected]
    for part, item in zip(result, expected, strict=True):
        np.testing.assert_allclose(part[1:], item[1:], rtol=2e-4, atol=2e-4)


def autograd(run, *inputs, dout):
    """torch's gradients of a function of agar tensors' values."""
    leaves = [x._value.detach().clone().requires_grad_() for x in inputs]
    return torch.autograd.grad(run(*leaves), leaves, dout._value)


X, DOUT = t(1, 2, 6), t(2, 2, 6)
# primitives that MindSpore has no kernel for on the CPU: (call, what it is the gradient of)
BY_AUTOGRAD = {
    "SeluGrad": (lambda: G.SeluGrad()(DOUT, ops.selu(X)), F.selu),
    "SoftmaxGrad": (lambda: G.SoftmaxGrad()(ops.softmax(X), DOUT), lambda x: x.softmax(-1)),
    "GeluGradExt": (lambda: G.GeluGradExt()(DOUT, X), F.gelu),
    "MishGradExt": (lambda: G.MishGradExt()(DOUT, X), F.mish),
    "EluGradExt": (lambda: G.EluGradExt()(DOUT, X, 0.5), lambda x: F.elu(x, 0.5)),
    "LogSigmoidGrad": (lambda: G.LogSigmoidGrad()(DOUT, X, X), F.logsigmoid),
    "HardtanhGrad": (lambda: G.HardtanhGrad()(DOUT, X, -0.5, 0.7), lambda x: x.clamp(-0.5, 0.7)),
    "ThresholdGrad": (lambda: G.ThresholdGrad()(DOUT, X, 0.1), lambda x: F.threshold(x, 0.1, 0)),
    "LeakyReLUGradExt": (
        lambda: G.LeakyReLUGradExt()(DOUT, X, 0.2),
        lambda x: F.leaky_relu(x, 0.2),
    ),
    "SoftplusGradExt": (
        lambda: G.SoftplusGradExt()(DOUT, X, 2, 20),
        lambda x: F.softplus(x, 2, 20),
    ),
    "SwigluGrad": (
        lambda: G.SwigluGrad()(DOUT[:, :3], X),
        lambda x: F.silu(x[:, :3]) * x[:, 3:],
    ),
    "MSELossGradExt": (
        lambda: G.MSELossGradExt()(DOUT, X, DOUT, "none"),
        lambda x: (x - DOUT._value) ** 2,
    ),
    "ReflectionPad1DGrad": (
        lambda: G.ReflectionPad1DGrad()(DOUT, X[:, :3], (1, 2)),
        lambda x: F.pad(x[:, :3], (1, 2), mode="reflect"),
    ),
}


@pytest.mark.parametrize("name", BY_AUTOGRAD)
def test_by_autograd(name):
    call, run = BY_AUTOGRAD[name]
    value = call()._value
    (expected,) = autograd(run, X, dout=DOUT[:, :3] if name == "SwigluGrad" else DOUT)
    torch.testing.assert_close(value, expected[:, : value.shape[1]])


def test_convolution():
    x, w, dout = t(3, 1, 2, 5, 5), t(4, 4, 1, 3, 3), t(5, 1, 4, 3, 3)
    result = G.ConvolutionGrad()(dout, x, w, None, 2, 1, 1, False, 0, 2, (True, True, False))
    expected = autograd(lambda a, b: F.conv2d(a, b, None, 2, 1, 1, 2), x, w, dout=dout)
    torch.testing.assert_close(result[0]._value, expected[0])
    torch.testing.assert_close(result[1]._value, expected[1])


def test_depthwise():
    x, w, dout = t(3, 1, 2, 5, 5), t(4, 1, 2, 3, 3), t(5, 1, 2, 3, 3)

    def run(a, b):
        return F.conv2d(a, b.transpose(0, 1), groups=2)

    by_x, by_w = autograd(run, x, w, dout=dout)
    result = G.DepthwiseConv2dNativeBackpropFilter(1, 3)
    torch.testing.assert_close(result(x, (1, 2, 3, 3), dout)._value, by_w)
    result = G.DepthwiseConv2dNativeBackpropInput(1, 3)
    torch.testing.assert_close(result((1, 2, 5, 5), w, dout)._value, by_x)


def test_norms():
    x, dy, gamma = t(6, 4, 5), t(7, 4, 5), t(8, 5)
    rstd = torch.rsqrt((x._value**2).mean(-1, keepdim=True))

    def run(a, g):
        return a * torch.rsqrt((a * a).mean(-1, keepdim=True)) * g

    expected = autograd(run, x, gamma, dout=dy)
    result = G.RmsNormGrad()(dy, x, ms.from_torch(rstd), gamma)
    torch.testing.assert_close(result[0]._value, expected[0])
    torch.testing.assert_close(result[1]._value.double(), expected[1], rtol=1e-5, atol=1e-6)
    images, dout = t(9, 2, 4, 3), t(10, 2, 4, 3)
    expected = autograd(lambda a: F.group_norm(a, 2), images, dout=dout)
    _, mean, scale = torch.native_group_norm(images._value, None, None, 2, 4, 3, 2, 1e-5)
    result = G.GroupNormGrad()(
        dout, images, ms.from_torch(mean), ms.from_torch(scale), None, 2, True, False, False
    )
    torch.testing.assert_close(result[0]._value, expected[0])


def test_cholesky_and_einsum():
    matrix = t(11, 3, 3)._value
    matrix = matrix @ matrix.mT + torch.eye(3)
    dout = t(12, 3, 3)._value.tril()
    leaf = matrix.clone().requires_grad_()
    factor = torch.linalg.cholesky(leaf)
    (expected,) = torch.autograd.grad(factor, leaf, dout)
    result = G.CholeskyGrad()(ms.from_torch(factor.detach()), ms.from_torch(dout))
    torch.testing.assert_close(result._value, expected)
    a, b, dout = t(13, 2, 3), t(14, 3, 4), t(15, 2, 4)
    result = G.EinsumGrad("ij,jk->ik")((a, b), dout)
    torch.testing.assert_close(result[0]._value, dout._value @ b._value.mT)
    torch.testing.assert_close(result[1]._value, a._value.mT @ dout._value)


def test_steps_of_an_lstm():
    x, h, c = t(16, 2, 3), t(17, 2, 4), t(18, 2, 4)
    w, b, dh, dc = t(19, 7, 16), t(20, 16), t(21, 2, 4), t(22, 2, 4)
    cell = ops.BasicLSTMCell(forget_bias=0.5)
    _, _, i, j, f, o, tanh_c = cell(x, h, c, w, b)
    dgate, by_c = G.BasicLSTMCellCStateGrad(0.5, "tanh")(c, dh, dc, i, j, f, o, tanh_c)
    by_w, by_b = G.BasicLSTMCellWeightGrad()(x, h, dgate)
    by_x, by_h = G.BasicLSTMCellInputGrad(1.0)(dgate, w)
    leaves = [v._value.clone().requires_grad_() for v in (x, h, c, w, b)]
    out = cell(*(ms.from_torch(v) for v in leaves))
    expected = torch.autograd.grad([out[1]._value, out[0]._value], leaves, [dh._value, dc._value])
    for item, result in zip((by_x, by_h, by_c, by_w, by_b), expected, strict=True):
        torch.testing.assert_close(item._value, result)


def test_gradients_differentiate_again():
    second = ms.grad(lambda x: G.SiLUGrad()(ops.ones_like(x), x))(t(23, 4))
    leaf = t(23, 4)._value.requires_grad_()
    (first,) = torch.autograd.grad(F.silu(leaf).sum(), leaf, create_graph=True)
    (expected,) = torch.autograd.grad(first.sum(), leaf)
    torch.testing.assert_close(second._value, expected)


def test_rare_ones():
    logits, target = t(25, 1, 3, 2, 2), ms.Tensor([[[0, 2], [1, 0]]])
    weight, dout = ms.Tensor(np.array([1.0, 2.0, 0.5])), t(26, 1, 2, 2)
    leaf = logits._value.clone().requires_grad_()
    loss = F.nll_loss(leaf, target._value, weight._value, reduction="none")
    (expected,) = torch.autograd.grad(loss, leaf, dout._value)
    total = ms.Tensor(4.5, ms.float64)
    result = G.NLLLoss2dGrad()(dout, logits, target, weight, "none", -100, total)
    torch.testing.assert_close(result._value, expected)
    x, w, dout = t(27, 1, 2, 5), t(28, 3, 2, 3), t(29, 1, 3, 5)
    result = G.ConvolutionStrGrad()(dout, x, w, None, 1, "same")
    by_x, by_w = autograd(lambda a, b: F.conv1d(a, b, padding="same"), x, w, dout=dout)
    torch.testing.assert_close(result[0]._value, by_x)
    torch.testing.assert_close(result[1]._value, by_w)
    alpha = torch.tensor([2.0, 0.7], dtype=torch.float64, requires_grad=True)
    sample = torch._standard_gamma(alpha)
    (expected,) = torch.autograd.grad(sample.sum(), alpha)
    result = G.RandomGammaGrad()(ms.from_torch(alpha.detach()), ms.from_torch(sample.detach()))
    torch.testing.assert_close(result._value, expected)
    with pytest.raises(NotImplementedError, match="cuDNN"):
        G.LSTMGrad(1, 1, 1, True, False, 0.0)


def test_in_graph_mode(graph_mode):
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.pool = G.MaxPoolGrad(2, 2)
            self.silu = G.SiLUGrad()

        def construct(self, x, y):
            return self.silu(self.pool(x, y, y), x)

    x = t(24, 1, 1, 4, 4)
    y = ops.MaxPool(2, 2)(x)
    net = Net()
    net(x, y)
    result = net(x, y)  # replayed
    expected = G.SiLUGrad()(G.MaxPoolGrad(2, 2)(x, y, y), x)
    torch.testing.assert_close(result._value, expected._value)


@pytest.fixture
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_paths():
    assert auto_generate.ReluGrad is G.ReluGrad
    assert G.ReLU is ops.ReLU
    assert ops.operations._grad_ops is G
    assert len(dir(G)) >= 140
    with pytest.raises(AttributeError, match="NoSuchGrad"):
        getattr(G, "NoSuch" + "Grad")
    with pytest.raises(NotImplementedError, match=r"nn\.GRU"):
        rl.GRUV2(1, 1, 1, True, False, 0.0)
    with pytest.raises(NotImplementedError, match="Python list"):
        inner.StackPush(1)


def test_sequences():
    assert sequences.tuple_lt()((1, 2), (1, 3))
    assert not sequences.list_greater_than()([1], [2])
    assert sequences.SequenceMul()((1, 2), 2) == (1, 2, 1, 2)
    assert sequences.SequenceIndex()((1, 1, 2), 2) == 2
    assert sequences.SequenceSlice()((1, 2, 3, 4), 0, 3, 2) == (1, 3)
    assert sequences.SequenceSliceGrad()((5, 6), (1, 2, 3), 0, 2, 1) == (5, 6, 0)
    assert sequences.ListInsert()([1, 3], 1, 2) == [1, 2, 3]
    assert sequences.ShapeMulGrad()((2, 3), 1) == (3, 2)
    assert sequences.TupleToTensor()((1, 2), ms.float32).dtype == ms.float32
    assert sequences.SequenceStack()((ms.Tensor(1), ms.Tensor(2))).shape == (2,)
    assert len(sequences.SequenceUnstack(1)(ops.ones((2, 3)))) == 3
    with pytest.raises(TypeError, match="tuple_lt"):
        sequences.tuple_lt()([1], [2])


def test_numbers():
    assert scalars.ScalarPow()(2, 3) == 8
    assert scalars.ScalarFloorDiv()(-7, 2) == -4
    assert scalars.bit_and()(6, 3) == 2
    assert scalars.bool_not()(True) is False


def test_inner():
    rows = inner.DynamicStitch()(
        [ms.Tensor([2]), ms.Tensor([1, 0])], [ms.Tensor([[5, 6]]), ms.Tensor([[1, 2], [3, 4]])]
    )
    np.testing.assert_array_equal(rows.asnumpy(), [[3, 4], [1, 2], [5, 6]])
    first, second = inner.DynamicBroadcastGradientArgs()(ms.Tensor([4, 2, 1]), ms.Tensor([2, 7]))
    assert (first.tolist(), second.tolist()) == ([2], [0])
    mask = inner.SequenceMask()(ms.Tensor([1, 3]), 4)
    np.testing.assert_array_equal(mask.asnumpy(), [[1, 0, 0, 0], [1, 1, 1, 0]])
    centered = inner.Centralization()(ms.Tensor([[1.0, 2.0], [5.0, 3.0]]), -1)
    np.testing.assert_allclose(centered.asnumpy(), [[-0.5, 0.5], [1, -1]])
    clipped = inner.ClipByNorm()(ms.Tensor([[3.0, 4.0]]), ms.Tensor(1.0))
    np.testing.assert_allclose(clipped.asnumpy(), [[0.6, 0.8]])
    assert inner.Quant(2.0, 1.0)(ms.Tensor([1.6, 100.0])).tolist() == [4, 127]
    assert inner.IsSubClass()(ms.int32, ms.int_)
    assert not inner.IsSubClass()(ms.int_, ms.int32)
    assert inner.TileSize()((1, 2), (3, 2), 3) == (3, 1, 1)
    with pytest.raises(TypeError, match="SameTypeShape"):
        inner.SameTypeShape()(ms.Tensor([1]), ms.Tensor([1.0]))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 1.0, [0.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
        (0.0, None, [0.0, 1.0, 1.0, 1.0, 1.0, 0.0]),
        (None, 1.0, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
    ],
)
@pytest.mark.parametrize("stops", [interpolation._EDGES_STOP_GRADIENTS, True])
def test_clamp_passes_gradients_on_at_its_bounds(monkeypatch, low, high, expected, stops):
    """As MindSpore's; torch's own did until 2.14, so both ways are tried."""
    monkeypatch.setattr(interpolation, "_EDGES_STOP_GRADIENTS", stops)
    x = ms.Tensor([-1.0, 0.0, 0.5, 1.0, 2.0, float("nan")])
    out, grad = ms.value_and_grad(lambda v: ops.clamp(v, low, high))(x)
    np.testing.assert_array_equal(out.asnumpy(), np.clip(x.asnumpy(), low, high))
    assert grad.asnumpy().tolist() == expected
