"""Generated operators (ops.auto_generate): every one runs, with MindSpore 2.10's figures.

`operators.json`: [call, result of MindSpore on a CPU, or null where it has no kernel there].
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
from agar.compat import _auto_generate as auto_generate
from agar.ops.auto_generate import gen_ops_def, gen_ops_prim, pyboost_inner_prim

CASES = json.loads((Path(__file__).parent / "operators.json").read_text(encoding="utf-8"))


def _numbers(start, shape):
    count = np.arange(int(np.prod(shape)))
    values = np.sin(count * 1.7 + start) * 1.3 + 0.05 * start
    return np.round(values, 3).astype(np.float32).reshape(shape)


SPACE = {
    "ms": ms,
    "gen_ops_prim": gen_ops_prim,
    "pyboost_inner_prim": pyboost_inner_prim,
    "f": lambda *shape: ms.Tensor(_numbers(0.3, shape)),
    "g": lambda *shape: ms.Tensor(_numbers(1.1, shape)),
    "h": lambda *shape: ms.Tensor(_numbers(2.2, shape)),
    "b": lambda *shape: ms.Tensor(_numbers(0.7, shape) > 0),
    "c": lambda *shape: ms.Tensor(_numbers(0.3, shape) + 1j * _numbers(1.1, shape)),
    "k": lambda values: ms.Tensor(np.array(values, np.int64)),
    "s": lambda value: ms.Tensor(np.array(value, np.int64)),
    "t": lambda value: ms.Tensor(np.array(value, np.float32)),
    "T": lambda n: ms.Tensor(np.tril(_numbers(0.3, (n, n))) + 2 * np.eye(n, dtype=np.float32)),
    "P": ms.Parameter,
}


def _same(result, expected):
    if not expected or isinstance(expected[0], list):
        assert isinstance(result, (tuple, list))
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            _same(one, other)
        return
    dtype, shape, values = expected
    assert (str(result.dtype), list(result.shape)) == (dtype, shape)
    array = result.asnumpy()
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    np.testing.assert_allclose(array.ravel().astype(float), values, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("call", "expected"), CASES, ids=[case[0].split("(")[0] for case in CASES])
def test_figures_of_mindspore(call, expected):
    result = eval(call, SPACE)
    if expected is None:  # no kernel on MindSpore's CPU: at least a result of finite numbers
        first = result[0] if isinstance(result, (tuple, list)) else result
        assert isinstance(first, (ms.Tensor, bool))
        if isinstance(first, ms.Tensor) and "mpty" not in call:
            assert np.isfinite(first.asnumpy()).all()
    else:
        _same(result, expected)


def test_every_primitive_of_the_table_has_a_case():
    cased = {case[0].split("(")[0].partition(".")[2] for case in CASES}
    listed = auto_generate.listed("gen_ops_prim")
    # uninitialized memory, devices, and what tests/ops shows with the functions themselves
    left = """
        BatchNormGatherStatsWithCounts Detach Empty EmptyLike Gmm GmmBackward GmmBackwardFusion
        GmmV2 GmmV2Backward GmmV2BackwardFusion InplaceToDevice LightningIndexer LinalgQr
        MaxUnpool2DExt NewEmpty NsaCompress NsaCompressAttention NsaSelectAttention
        SparseFlashAttention ToDevice
    """
    left += """
        CrossEntropyLoss Dropout2dExt DynamicQuantExt FFNExt GroupedMatmul GroupedMatmulV2
        GroupedMatmulV4 InnerMoeTokenUnpermute InplaceGroupedMatmulAdd InplaceMatmulAdd
        KVCacheScatterUpdate MoeFinalizeRouting MoeGatingTopKSoftmax MoeInitRouting QuantV2
        WeightQuantBatchMatmul
    """  # test_expert_operators.py
    processes = ("DistComm", "InnerComm")  # tests/communication/test_primitives.py
    listed = [name for name in listed if not name.startswith(processes)]
    assert sorted(set(listed) - cased - set(left.split())) == []


def test_operators_without_a_kernel_on_mindspores_cpu():
    """MindSpore has them on Ascend chips only; torch's results stand for its."""
    functional = torch.nn.functional
    x, y, grad = (torch.from_numpy(_numbers(start, (2, 3))) for start in (0.3, 1.1, 2.2))
    a, b, d = (ms.Tensor(t.numpy()) for t in (x, y, grad))

    def pulled(function, value, gradient):
        value = value.clone().requires_grad_()
        return torch.autograd.grad(function(value), value, gradient)[0].numpy()

    def same(result, expected):
        np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-5, atol=1e-6)

    same(
        gen_ops_prim.SoftmaxBackward()(d, ms.ops.softmax(a, 1), 1),
        pulled(lambda v: v.softmax(1), x, grad),
    )
    same(
        gen_ops_prim.BinaryCrossEntropyWithLogitsBackward()(d, a, b, None, None, "none"),
        pulled(
            lambda v: functional.binary_cross_entropy_with_logits(v, y, reduction="none"), x, grad
        ),
    )
    same(
        gen_ops_prim.L1LossBackwardExt()(ms.Tensor(2.0), a, b),
        pulled(lambda v: functional.l1_loss(v, y), x, torch.tensor(2.0)),
    )
    index = torch.tensor([1, 0])
    same(
        gen_ops_prim.EmbeddingDenseBackward()(d, ms.Tensor([1, 0]), 4),
        pulled(lambda w: functional.embedding(index, w), torch.zeros(4, 3), grad),
    )
    same(gen_ops_def.shard_identity(a), x.numpy())
    image, weight = (torch.from_numpy(_numbers(0.3, size)) for size in ((1, 2, 5, 5), (2, 2, 3, 3)))
    i, w = ms.Tensor(image.numpy()), ms.Tensor(weight.numpy())
    same(
        gen_ops_def.convolution(i, w, None, 2, 1),
        functional.conv2d(image, weight, stride=2, padding=1).numpy(),
    )
    same(
        gen_ops_prim.Convolution()(i, w, None, (2, 2), (1, 1), (1, 1), True, (1, 1)),
        functional.conv_transpose2d(image, weight, None, 2, 1, 1).numpy(),
    )
    same(
        gen_ops_prim.ConvolutionStr()(i, w, None, 1, "same"),
        functional.conv2d(image, weight, padding="same").numpy(),
    )
    with pytest.raises(ValueError, match="'padding' must be numbers"):
        gen_ops_prim.ConvolutionStr()(i, w, None, 1, "same", 1, True)


def test_normalization_and_loss_with_what_they_were_made_of():
    """MindSpore has them on Ascend chips only; torch's results stand for its."""
    x, scale, shift, mean, var = (
        torch.from_numpy(_numbers(i, size)) for i, size in enumerate([(4, 3), 3, 3, 3, 3])
    )
    var = var.abs() + 1
    for training in (True, False):
        running = [ms.Parameter(ms.Tensor(t.numpy().copy())) for t in (mean, var)]
        ours = gen_ops_prim.BatchNormExt()(
            *(ms.Tensor(t.numpy()) for t in (x, scale, shift)), *running, training, 0.1, 1e-3
        )
        items = [mean.clone(), var.clone()]
        theirs = torch.native_batch_norm(x, scale, shift, items[0], items[1], training, 0.1, 1e-3)
        used = theirs if training else (theirs[0], mean, torch.rsqrt(var + 1e-3))
        for one, other in zip([*ours, *running], [*used, *items], strict=True):
            np.testing.assert_allclose(one.asnumpy(), other.numpy(), rtol=1e-5, atol=1e-6)
    target = torch.tensor([[[0, 1], [2, -100]]])
    x, weight = torch.from_numpy(_numbers(0.3, (1, 3, 2, 2))), torch.tensor([1.0, 2.0, 3.0])
    expected = torch.ops.aten.nll_loss2d_forward(x, target, weight, 1, -100)
    ours = gen_ops_prim.NLLLoss2d()(*(ms.Tensor(t.numpy()) for t in (x, target, weight)))
    assert [one.item() for one in ours] == pytest.approx([one.item() for one in expected])
    x, weight = _numbers(0.3, (2, 3, 4)), _numbers(1.1, (3, 5, 4))
    multiply = gen_ops_prim.TransposeBatchMatmulTranspose()
    result = multiply(ms.Tensor(x), ms.Tensor(weight), (1, 0, 2), (1, 0, 2), False, True)
    np.testing.assert_allclose(result.asnumpy(), np.einsum("abc,bdc->abd", x, weight), rtol=1e-5)


def test_signatures_and_attributes():
    stack = gen_ops_prim.StackExt(dim=1)
    assert (stack.dim, stack.name) == (1, "StackExt")
    assert stack.add_prim_attr("a", 2).attrs == {"dim": 1, "a": 2}
    assert str(inspect.signature(gen_ops_prim.TopkExt().__call__)) == (
        "(input, k, dim=-1, largest=True, sorted=True)"
    )
    assert gen_ops_prim.AddExt is ms.ops.auto_generate.gen_ops_prim.AddExt
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'other'"):
        gen_ops_prim.AddExt()(ms.Tensor([1.0]))


def test_functions_and_objects():
    x = ms.Tensor([[1.0, 2.0]])
    assert gen_ops_def.add_scalar(x, 2, 3).asnumpy().tolist() == [[7.0, 8.0]]
    assert gen_ops_def.view(x, (2, 1)).shape == (2, 1)
    assert gen_ops_prim.add_ext_op(x, x, 2).asnumpy().tolist() == [[3.0, 6.0]]
    assert gen_ops_prim.split_with_size_op(x, (1, 1), 1)[1].asnumpy().tolist() == [[2.0]]
    assert pyboost_inner_prim._PyboostConcatPrim()((x, x), 0).shape == (2, 2)


def test_gradients_pass():
    def loss(x, y):
        return gen_ops_prim.SumExt()(gen_ops_prim.AddExt()(x * x, y, 3))

    x = ms.Tensor([1.0, 2.0])
    by_x, by_y = ms.grad(loss, (0, 1))(x, x + 1)
    assert by_x.asnumpy().tolist() == [2.0, 4.0]
    assert by_y.asnumpy().tolist() == [3.0, 3.0]


def test_a_compiled_cell_uses_them():
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.add, self.total = gen_ops_prim.AddExt(), gen_ops_prim.SumExt()

        def construct(self, x):
            return self.total(self.add(x, x, 2), 1, True)

    net = Net()
    before = net(ms.Tensor([[1.0, 2.0]])).asnumpy()
    compiled = ms.jit(net)
    assert compiled(ms.Tensor([[1.0, 2.0]])).asnumpy().tolist() == before.tolist() == [[9.0]]


def test_random_numbers_repeat():
    x = ms.Tensor(np.ones((100,), np.float32))
    seed, offset = ms.Tensor(5), ms.Tensor(0)
    out, mask = gen_ops_prim.DropoutExt()(x, 0.25, seed, offset)
    again, _ = gen_ops_prim.DropoutExt()(x, 0.25, seed, offset)
    assert (out.asnumpy() == again.asnumpy()).all()
    np.testing.assert_allclose(out.asnumpy(), mask.asnumpy() / 0.75, rtol=1e-6)
    other, _ = gen_ops_prim.DropoutExt()(x, 0.25, seed, ms.Tensor(1000))
    assert (out.asnumpy() != other.asnumpy()).any()


def test_a_view_beyond_its_elements_is_refused():
    with pytest.raises(ValueError, match=r"AsStrided.*reach beyond the 3 elements"):
        gen_ops_prim.AsStrided()(ms.Tensor([1.0, 2.0, 3.0]), (2, 2), (2, 1))
    with pytest.raises(ValueError, match=r"SliceExt.*'dim' must lie in \[-1, 0\]"):
        gen_ops_prim.SliceExt()(ms.Tensor([1.0]), 1, 0, 1, 1)
