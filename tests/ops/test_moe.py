"""Tokens to their experts and back; the figures are those of MindSpore's documentation."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Tensor, ops


def test_permute_as_documented():
    tokens = Tensor([[1.0], [7.0], [2.0], [1.0], [2.0], [3.0]], ms.bfloat16)
    rows, where = ops.moe_token_permute(tokens, Tensor([5, 0, 3, 1, 2, 4], ms.int32))
    assert rows.dtype == ms.bfloat16
    assert rows.float().asnumpy().ravel().tolist() == [7, 1, 2, 2, 3, 1]
    assert (where.dtype, where.tolist()) == (ms.int32, [5, 0, 3, 1, 2, 4])


@pytest.mark.parametrize("dropped", [0, 3])
def test_unpermute_sums_what_the_experts_give(dropped):
    generator = np.random.default_rng(0)
    tokens = generator.normal(size=(4, 3)).astype(np.float32)
    experts = generator.integers(0, 3, (4, 2))
    probs = generator.random((4, 2)).astype(np.float32)
    result = 8 - dropped
    rows, where = ops.moe_token_permute(Tensor(tokens), Tensor(experts), result)
    assert rows.shape == (result, 3)
    scaled = rows * 2  # the experts
    back = ops.moe_token_unpermute(scaled, where, Tensor(probs)).asnumpy()
    alive = (where.asnumpy().reshape(4, 2) < result) * probs
    np.testing.assert_allclose(back, 2 * tokens * alive.sum(1, keepdims=True), rtol=1e-5)


def test_gradients_go_back_to_the_tokens():
    experts = Tensor([[0, 1], [1, 2]])

    def total(x):
        rows, where = ops.moe_token_permute(x, experts)
        weights = ops.ones((2, 2)) * 0.5
        return (ops.moe_token_unpermute(rows**2, where, weights)).sum()

    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_allclose(ms.grad(total)(x).asnumpy(), 2 * x.asnumpy())


def test_places_for_experts_as_documented():
    x = Tensor([[0.1, 0.2, 0.3], [0.2, 0.7, 0.8], [0.3, 0.3, 0.5]])
    experts = Tensor([[0, 1, 1], [2, 1, 1], [0, 0, 0]], ms.int32)
    rows, where, before = ops.moe_init_routing_v2(x, experts, 3, 2, 3, 1, 0, True)
    expected = [
        [[0.1, 0.2, 0.3], [0.3, 0.3, 0.5]],
        [[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]],
        [[0.2, 0.7, 0.8], [0.0, 0.0, 0.0]],
    ]
    np.testing.assert_allclose(rows.asnumpy(), expected)
    assert where.tolist() == [0, 2, 3, 4, -1, -1, 1, -1, -1]
    assert before.tolist() == [4, 4, 1]


def test_the_experts_order_without_places():
    x = Tensor([[1.0], [2.0], [3.0]])
    experts = Tensor([[0, 2], [1, 0], [2, 2]], ms.int32)
    rows, where, ends = ops.moe_init_routing_v2(x, experts, 0, 0, 4, 0, 1, False)
    assert rows.asnumpy().ravel().tolist() == [1, 2, 2, 1, 3, 3]
    assert where.tolist() == [0, 3, 2, 1, 4, 5]
    assert ends.tolist() == [2, 3, 6, 6]
    rows, _, counts = ops.moe_init_routing_v2(x, experts, 2, 0, 4, 0, 2, False)
    assert rows.asnumpy().ravel().tolist() == [1, 2]
    assert counts.tolist() == [2, 1, 3, 0]
    assert len(ops.moe_init_routing_v2(x, experts, 0, 0, 0, 0, 0, False)) == 2


@pytest.mark.parametrize("name", ["moe_distribute_dispatch", "moe_distribute_combine"])
def test_exchanges_between_devices_say_what_to_use(name):
    with pytest.raises(NotImplementedError, match="moe_token_"):
        getattr(ops, name)()
