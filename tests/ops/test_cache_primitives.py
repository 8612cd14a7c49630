"""Updates of caches, and the gradient of CTC: figures observed in MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, ops
from agar.ops import operations as P


@pytest.fixture(params=["pynative", "graph"], autouse=True)
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    yield
    ms.set_context(mode=before)


def _table():
    return Parameter(Tensor(np.arange(8, dtype=np.float32).reshape(4, 2)), name="x")


@pytest.mark.parametrize("most", [4, Tensor(4)])
def test_an_update_skips_indices_out_of_range(most):
    table = _table()
    rows = Tensor(np.arange(8, dtype=np.float32).reshape(4, 2) + 10)
    result = P.UpdateCache()(table, Tensor([0, -1, 5, 2], ms.int32), rows, most)
    assert result.shape == (1,)
    assert table.asnumpy().tolist() == [[10, 11], [2, 3], [16, 17], [6, 7]]


def test_a_swap_gives_the_old_rows():
    table = _table()
    old = P.CacheSwapTable()(table, Tensor([1, -1]), Tensor([[9.0, 9.0], [8.0, 8.0]]))
    assert old.asnumpy().tolist() == [[2, 3], [0, 0]]
    assert table.asnumpy().tolist() == [[0, 1], [9, 9], [4, 5], [6, 7]]


def test_an_assignment_keeps_the_shape():
    table = _table()
    P.DynamicAssign()(table, ops.ones((4, 2)))
    assert (table.asnumpy() == 1).all()
    with pytest.raises(ValueError, match="DynamicAssign"):
        P.DynamicAssign()(table, ops.ones((3, 2)))


def test_a_loaded_value_has_gradients():
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    grad = ms.grad(lambda x: (P.Load()(weight) * x).sum(), None, [weight])
    assert grad(Tensor([3.0, 4.0]))[0].asnumpy().tolist() == [3.0, 4.0]


def test_gradient_of_ctc():
    values = (np.sin(np.arange(40)).astype(np.float32) * 2).reshape(5, 2, 4)
    log_probs = ops.log_softmax(Tensor(values), 2)
    labels = [Tensor(np.array(a, np.int32)) for a in ([[1, 2], [3, 3]], [5, 4], [2, 1])]
    loss, alpha = P.CTCLossV2(0, "none", False)(log_probs, *labels)
    assert np.allclose(loss.asnumpy(), [3.7340426445, 2.4739625454], atol=1e-5)
    grad = P.CTCLossV2Grad(0, "none", False)(Tensor([1.0, 2.0]), log_probs, *labels, loss, alpha)
    expected = [
        [[-0.00628, -0.53365, 0.44433, 0.0956], [-0.0111, 0.06306, 0.24545, -0.29741]],
        [[0.03069, -0.06884, 0.02459, 0.01355], [-0.10846, 0.34121, 1.06781, -1.30056]],
        [[-0.4121, -0.0104, -0.16922, 0.59173], [-0.95605, 0.83903, 0.15466, -0.03764]],
        [[-0.00418, 0.0498, -0.59625, 0.55062], [-0.64535, 0.20649, 0.10793, 0.33093]],
        [[-0.28115, 0.539, -0.28884, 0.03099], [0.0, 0.0, 0.0, 0.0]],
    ]
    assert np.allclose(grad.asnumpy(), expected, atol=2e-5)


@pytest.mark.parametrize("name", ["DSDMatmul", "MatmulDDS", "ProdForceSeA"])
def test_kernels_without_a_formula_say_so(name):
    with pytest.raises(NotImplementedError, match=name):
        getattr(P, name)()
