"""Operators of experts and quantized layers: the figures that MindSpore's documentation states.

MindSpore has no kernel of them on a CPU. Where its documentation has no figures, NumPy's stand.
"""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar.ops.auto_generate import gen_ops_def, gen_ops_prim

ROWS = np.repeat([[0], [1], [2], [2], [1], [1]], 4, 1)
RNG = np.random.default_rng(7)


def _columns(values, dtype=ms.float16, width=4):
    return ms.Tensor(np.repeat(np.array(values)[:, None], width, 1), dtype)


def _close(result, expected, tolerance=1e-6):
    np.testing.assert_allclose(result.asnumpy().astype(float), expected, tolerance, tolerance)


def test_cross_entropy_loss():
    x = np.array([[0.2, 0.7, 0.1], [0.2, 0.7, 0.1]], np.float32)
    target, weight = ms.Tensor([0, 1], ms.int64), ms.Tensor([1, 0.5, 0.5], ms.float32)
    loss, logs, *empty = gen_ops_prim.CrossEntropyLoss()(ms.Tensor(x), target, weight)
    _close(loss, [1.10128295])
    _close(logs, [[-1.26794958, -0.767949641, -1.36794960]] * 2)
    assert [one.shape for one in empty] == [(0,), (0,)]
    each = gen_ops_def.cross_entropy_loss(ms.Tensor(x), target, reduction="none", ignore_index=1)
    _close(each[0], [1.26794958, 0])


def test_cross_entropy_loss_has_a_gradient():
    x, target = ms.Tensor([[0.2, 0.7, 0.1]]), ms.Tensor([0], ms.int64)
    loss = gen_ops_prim.CrossEntropyLoss()
    _close(ms.grad(lambda v: loss(v, target)[0])(x), [[0.28140804 - 1, 0.46396343, 0.25462853]])


@pytest.mark.parametrize("name", ["label_smoothing", "lse_square_scale_for_zloss"])
def test_settings_of_a_kernel_are_refused(name):
    x, target = ms.Tensor([[0.2, 0.7, 0.1]]), ms.Tensor([0], ms.int64)
    with pytest.raises(NotImplementedError, match=f"'{name}' must be left out"):
        gen_ops_prim.CrossEntropyLoss()(x, target, **{name: 0.1})


class TestGroups:
    weight = (ms.Tensor(np.arange(32).reshape(4, 4, 2), ms.float16),)
    ends = ms.Tensor([1, 3, 4, 6], ms.int64)
    figures = ((0, 0), (44, 48), (88, 96), (152, 160), (108, 112), (108, 112))

    def test_of_rows(self):
        x = [ms.Tensor(ROWS, ms.float16)]
        product = gen_ops_prim.GroupedMatmul(3, 0)
        _close(product(x, self.weight, None, None, None, None, None, self.ends)[0], self.figures)
        sizes = ms.Tensor([1, 2, 1, 2], ms.int64)
        v4 = gen_ops_prim.GroupedMatmulV4()
        result = v4(x, self.weight, group_list=sizes, split_item=3, group_type=0, group_list_type=1)
        _close(result[0], self.figures)

    def test_of_pairs(self):
        a, b = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 3))
        result = gen_ops_def.grouped_matmul(
            [ms.Tensor(a)] * 2, [ms.Tensor(b)] * 2, [ms.Tensor(np.ones(4))] * 2, transpose_b=True
        )
        assert len(result) == 2
        _close(result[1], a @ b.T + 1)

    def test_of_a_weight_of_integers(self):
        weight = ms.Tensor(np.arange(8).reshape(1, 4, 2), ms.int8)
        scale, offset = [ms.Tensor([[0.5, 2]], ms.float16)], [ms.Tensor([[1, 0]], ms.float16)]
        result = gen_ops_prim.GroupedMatmulV2()(
            [ms.Tensor(ROWS[1:2], ms.float16)], [weight], None, None, None, scale, offset,
            ms.Tensor([1], ms.int64), 3, 0,
        )  # fmt: skip
        _close(result[0], [[(12 + 4) * 0.5, 16 * 2]])

    @pytest.mark.parametrize(("item", "kind"), [(0, 0), (3, -1), (1, 0)])
    def test_other_ways_to_split(self, item, kind):
        with pytest.raises(TypeError, match="'split_item' and 'group_type'"):
            gen_ops_prim.GroupedMatmul(item, kind)([], [])
        with pytest.raises(NotImplementedError, match="'act_type'"):
            gen_ops_prim.GroupedMatmulV4()([], [], split_item=item, group_type=kind, act_type=1)

    def test_added_in_place(self):
        a, b = RNG.normal(size=(10, 4)), RNG.normal(size=(10, 3))
        x, weight = ms.Tensor(a, ms.float32), ms.Tensor(b, ms.float32)
        out = ms.Tensor(np.ones((4, 3)), ms.float32)
        assert gen_ops_def.matmul_add_(x, weight, out) is out
        _close(out, a.T @ b + 1, 1e-5)
        out = ms.Tensor(np.ones((2, 4, 3)), ms.float32)
        gen_ops_def.grouped_matmul_add_(x, weight, ms.Tensor([3, 10], ms.int64), out)
        _close(out, np.stack([a[:3].T @ b[:3], a[3:].T @ b[3:]]) + 1, 1e-5)


class TestExperts:
    def test_gating(self):
        x = ms.Tensor(
            [
                [0.1, 0.2, 0.1, 0.1],
                [0.2, 0.2, 0.4, 0.2],
                [0.3, 0.3, 0.1, 0.3],
                [0.1, 0.7, 0.1, 0.1],
            ],
            ms.float16,
        )
        values, experts, rows = gen_ops_prim.MoeGatingTopKSoftmax()(x, ms.Tensor([True] * 4), k=4)
        _close(
            values,
            [
                [0.2693, 0.2437, 0.2437, 0.2437],
                [0.2893, 0.2369, 0.2369, 0.2369],
                [0.262, 0.262, 0.262, 0.2144],
                [0.378, 0.2074, 0.2074, 0.2074],
            ],
            1e-3,
        )
        assert (experts.asnumpy() == 4).all()  # a row that has finished goes to no expert
        assert rows.asnumpy().tolist() == [[n, n + 4, n + 8, n + 12] for n in range(4)]
        assert gen_ops_prim.MoeGatingTopKSoftmax()(x)[1].asnumpy().ravel().tolist() == [1, 2, 0, 1]

    def test_routes_there_and_back(self):
        x = ms.Tensor(RNG.normal(size=(4, 2)), ms.float32)
        scores = ms.Tensor(RNG.normal(size=(4, 5)), ms.float32)
        _, experts, rows = gen_ops_prim.MoeGatingTopKSoftmax()(scores, None, 2)
        moved, place, order = gen_ops_prim.MoeInitRouting()(x, rows, experts, 4)
        assert (np.diff(order.asnumpy()) >= 0).all()
        weights = ms.Tensor(RNG.uniform(size=(4, 2)), ms.float32)
        back = gen_ops_prim.MoeFinalizeRouting()(moved, x * 0, None, None, weights, place, experts)
        _close(back, x.asnumpy() * weights.asnumpy().sum(1, keepdims=True))

    def test_results_are_merged(self):
        result = gen_ops_prim.MoeFinalizeRouting()(
            _columns([0.1, 0.2, 0.3, 0.1, 0.2, 0.3]),
            _columns([1, 0.2, 0.3]),
            None,
            _columns([0.1, 0.2, 0.3, 0.4]),
            ms.Tensor([[0.7, 0.3], [0.8, 0.2], [0.8, 0.2]], ms.float16),
            ms.Tensor([2, 3, 1, 0, 5, 4], ms.int32),
            ms.Tensor([[0, 1], [0, 2], [1, 3]], ms.int32),
        )
        _close(result, np.repeat([[1.37], [0.48], [0.74]], 4, 1), 1e-3)

    def test_layers(self):
        x = RNG.normal(size=(3, 2)).astype(np.float32)
        first, second = RNG.normal(size=(2, 2, 4)), RNG.normal(size=(2, 4, 2))
        weights = [ms.Tensor(w, ms.float32) for w in (first, second)]
        result = gen_ops_prim.FFNExt("relu")(ms.Tensor(x), *weights, [1, 2])
        parts = zip((x[:1], x[1:]), first, second, strict=True)
        _close(result, np.concatenate([np.maximum(v @ a, 0) @ b for v, a, b in parts]), 1e-5)
        with pytest.raises(ValueError, match="'activation'"):
            gen_ops_prim.FFNExt("tanh")(ms.Tensor(x), *weights)


class TestQuantized:
    def test_by_a_scale(self):
        x, scale, offset = (ms.Tensor(v, ms.float32) for v in ([1.5, 150], [8, 40], [0.4, 2]))
        assert gen_ops_prim.QuantV2()(x, scale, offset).asnumpy().tolist() == [12, 127]
        with pytest.raises(ValueError, match="'dst_type'"):
            gen_ops_prim.QuantV2()(x, scale, offset, dst_type=ms.float16)

    def test_by_the_largest_of_a_row(self):
        values, scale = gen_ops_prim.DynamicQuantExt()(ms.Tensor([[1.0, -2.0], [0.5, 0.25]]))
        assert values.asnumpy().tolist() == [[64, -127], [127, 64]]
        _close(scale, [2 / 127, 0.5 / 127])

    def test_products(self):
        x, weight = (
            ms.Tensor(np.ones((2, 3)), ms.float16),
            ms.Tensor([[0, 1], [2, 3], [4, 5]], ms.int8),
        )
        scale, offset = ms.Tensor([0.5, 0.25], ms.float16), ms.Tensor([1, 0], ms.float16)
        product = gen_ops_prim.WeightQuantBatchMatmul()
        _close(product(x, weight, scale, offset), [[4.5, 2.25]] * 2)
        with pytest.raises(NotImplementedError, match="'quant_scale'"):
            product(x, weight, scale, offset, scale)


def test_caches_are_written_at_a_place_for_each_row():
    cache, new = ms.Tensor(np.zeros((2, 1, 3, 2)), ms.float32), ms.ops.ones((2, 1, 1, 2))
    write = gen_ops_prim.KVCacheScatterUpdate()
    assert write(cache, ms.Tensor([1, 2]), new, -2) is cache
    assert cache.asnumpy().ravel().tolist() == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1]
    with pytest.raises(ValueError, match="'axis' must be -1 or -2"):
        write(cache, ms.Tensor([1, 2]), new, 1)


def test_dropped_channels():
    x = ms.ops.ones((4, 8, 2, 2))
    drop = gen_ops_prim.Dropout2dExt()
    assert drop(x, 0.5, False, False, ms.Tensor(3), ms.Tensor(0)) is x
    result = drop(x, 0.5, True, False, ms.Tensor(3), ms.Tensor(0)).asnumpy().reshape(32, 4)
    assert {tuple(row) for row in result} == {(0, 0, 0, 0), (2, 2, 2, 2)}
