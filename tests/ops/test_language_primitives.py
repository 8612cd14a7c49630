"""Sequences, recurrent networks, caches and special values against MindSpore 2.10 and torch."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import agar as ms
from agar import ops


def near(found, expected, tolerance=1e-5):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=tolerance)


def t(seed: int, *shape: int) -> ms.Tensor:
    """Normal numbers in float64."""
    generator = torch.Generator().manual_seed(seed)
    return ms.from_torch(torch.randn(shape, generator=generator, dtype=torch.float64))


# ---------------------------------------------------------------------------------- sequences


@pytest.mark.parametrize(("normalize", "expected"), [(True, [0.5, np.inf, 1]), (False, [1, 1, 2])])
def test_edit_distance(normalize, expected):
    ours, theirs = [[0, 0], [0, 1], [0, 2], [1, 0]], [[0, 0], [0, 1], [2, 0], [2, 1]]
    shape = ms.Tensor([3, 3])
    distance = ops.EditDistance(normalize)
    result = distance(
        ms.Tensor(ours), ms.Tensor([1, 2, 3, 4]), shape, ms.Tensor(theirs), ms.Tensor([1, 3, 5, 5]),
        shape,
    )  # fmt: skip
    near(result, expected)
    assert result.dtype == ms.float32


@pytest.mark.parametrize(
    ("size", "banned"),
    [(1, [{1, 2, 5}, {1, 3, 4, 5, 9}]), (2, [{1, 5}, {4}]), (3, [{1, 5}, set()])],
)
def test_no_repeated_groups(size, banned):
    words = ms.Tensor([[[1, 2, 1, 2, 5, 1, 2], [9, 3, 9, 5, 4, 1, 5]]])
    entry = ops.NoRepeatNGram(size)(words, ops.ones((1, 2, 10))).asnumpy()[0]
    for row, item in zip(entry, banned, strict=True):
        assert set(np.flatnonzero(row < 0)) == item
    assert entry.min() == np.finfo(np.float32).min


def test_accidental_hits():
    result = ops.ComputeAccidentalHits(2)(ms.Tensor([[1, 2], [0, 4], [3, 3]]), ops.arange(0, 5))
    assert result[0].tolist() == [0, 0, 1, 1, 2, 2]
    assert result[1].tolist() == [1, 2, 0, 4, 3, 3]
    assert result[0].dtype == ms.int32


# ------------------------------------------------------------------------- recurrent networks


def test_lstm_against_torch():
    x, w, b, h, c = t(1, 3, 2, 4), t(2, 9, 20), t(3, 20), t(4, 1, 2, 5), t(5, 1, 2, 5)
    result = ops.DynamicRNN(forget_bias=0.5)(x, w, b, None, h, c)
    layer = torch.nn.LSTM(4, 5, dtype=torch.float64)
    i, j, f, o = range(4)
    order = (i, f, j, o)  # torch's order of the gates
    columns, shifts = w._value.chunk(4, 1), list(b._value.chunk(4))
    shifts[f] = shifts[f] + 0.5
    with torch.no_grad():
        for name, value in (
            ("weight_ih_l0", torch.cat([columns[k][:4] for k in order], 1).T),
            ("weight_hh_l0", torch.cat([columns[k][4:] for k in order], 1).T),
            ("bias_ih_l0", torch.cat([shifts[k] for k in order])),
            ("bias_hh_l0", torch.zeros(20)),
        ):
            getattr(layer, name).copy_(value)
        expected, (_, last_c) = layer(x._value, (h._value, c._value))
    near(result[0], expected, 1e-12)
    near(result[1], expected, 1e-12)
    near(result[2][-1], last_c[0], 1e-12)
    near(result[7], np.tanh(result[2].asnumpy()), 1e-12)


@pytest.mark.parametrize("order", ["rzh", "zrh"])
def test_gru_against_torch(order):
    x, w, v, b, c, h = (t(k, *s) for k, s in enumerate([(3, 2, 4), (4, 15), (5, 15), (15,), (15,),
                                                       (2, 5)]))  # fmt: skip
    result = ops.DynamicGRUV2(gate_order=order)(x, w, v, b, c, None, h)
    layer = torch.nn.GRU(4, 5, dtype=torch.float64)
    places = (0, 1, 2) if order == "rzh" else (1, 0, 2)
    with torch.no_grad():
        for target, source in (("weight_ih_l0", w), ("weight_hh_l0", v)):
            parts = source._value.chunk(3, 1)
            getattr(layer, target).copy_(torch.cat([parts[k] for k in places], 1).T)
        for target, source in (("bias_ih_l0", b), ("bias_hh_l0", c)):
            parts = source._value.chunk(3)
            getattr(layer, target).copy_(torch.cat([parts[k] for k in places]))
        expected, _ = layer(x._value, h._value[None])
    near(result[0], expected, 1e-12)
    z, n = result[2].asnumpy(), result[4].asnumpy()
    before = np.concatenate([h.asnumpy()[None], expected[:-1]])
    near(result[1], (1 - z) * n + z * before, 1e-12)
    with pytest.raises(NotImplementedError, match="num_proj"):
        ops.DynamicGRUV2(num_proj=2)


def _paths(logs: np.ndarray, labels: list[int], steps: int) -> float:
    """Minus the logarithm of the sum over all ways through the grid."""
    total = 0.0
    for times in itertools.combinations_with_replacement(range(steps), len(labels)):
        value, place = 0.0, 0
        for time in range(steps):
            while place < len(labels) and times[place] == time:
                value += logs[time, place, labels[place]]
                place += 1
            value += logs[time, place, 0]
        total += np.exp(value)
    return -np.log(total)


def test_transducer_loss():
    acts = t(7, 2, 4, 3, 5)
    labels, times, lengths = ms.Tensor([[1, 2], [4, 3]]), ms.Tensor([4, 3]), ms.Tensor([2, 1])
    costs, gradient = ops.RNNTLoss()(acts, labels, times, lengths)
    logs = acts._value.log_softmax(-1).numpy()
    near(costs, [_paths(logs[0], [1, 2], 4), _paths(logs[1], [4], 3)], 1e-10)
    assert gradient.shape == acts.shape
    for place in ((0, 1, 1, 2), (1, 2, 1, 0), (1, 3, 0, 0)):
        step = np.zeros(acts.shape)
        step[place] = 1e-6
        up, down = (
            ops.RNNTLoss()(acts + ms.Tensor(sign * step), labels, times, lengths)[0].sum()
            for sign in (1, -1)
        )
        assert float(gradient[place]) == pytest.approx(float(up - down) / 2e-6, abs=1e-7)
    again, same = ops.RNNTLoss()(ops.log_softmax(acts), labels, times, lengths)
    near(again, costs.asnumpy(), 1e-10)
    near(same, gradient.asnumpy(), 1e-10)


# ------------------------------------------------------------------------------------- caches


def test_hash_map():
    table = np.zeros((10, 4), int)
    table[[2, 4, 5, 6, 9]] = [[10, 0, -5, 1], [2, 1, -5, 1], [15, 5, -5, 2], [5, 2, -5, 3],
                              [15, 3, -5, 5]]  # fmt: skip
    hashmap = ms.Parameter(ms.Tensor(table), name="hashmap")
    result = ops.MapCacheIdx()(hashmap, ms.Tensor([10, 2, 20]), 0, 9999, 0)
    assert [part.tolist() for part in result] == [[0, 1, 5], [10, 2, 15], [10, 2, 20], [0, 1, 5]]
    again = ops.MapCacheIdx()(hashmap, ms.Tensor([20, 10, 9999]), 0, 9999, 0)
    assert again[0].tolist() == [5, 0, -1]
    assert again[2].shape == (0,)


def test_blocks_of_a_cache():
    key, value = t(8, 3, 2, 4), t(9, 3, 2, 4)
    caches = [ms.Parameter(ops.zeros((3, 2, 2, 4), ms.float64), name=n) for n in "kv"]
    ops.ReshapeAndCache()(key, value, *caches, ms.Tensor([5, -1, 0]))
    flat = caches[0].asnumpy().reshape(6, 2, 4)
    np.testing.assert_array_equal(flat[5], key.asnumpy()[0])
    np.testing.assert_array_equal(flat[0], key.asnumpy()[2])
    assert not flat[1:5].any()
    np.testing.assert_array_equal(caches[1].asnumpy()[2, 1], value.asnumpy()[0])


def test_paged_attention():
    query, keys, values = t(10, 2, 4, 3), t(11, 5, 2, 2, 3), t(12, 5, 2, 2, 3)
    table, lengths, bias = [[1, 4], [0, 2]], [3, 2], t(13, 2, 4)
    result = ops.PagedAttention(4, 0.5, 2)(
        query, keys, values, ms.Tensor(table), ms.Tensor(lengths), attn_mask=bias
    )
    for n in range(2):
        k, v = (c._value[table[n]].reshape(4, 2, 3)[: lengths[n]] for c in (keys, values))
        k, v = (c.repeat_interleave(2, 1).transpose(0, 1) for c in (k, v))
        expected = torch.nn.functional.scaled_dot_product_attention(
            query._value[n][:, None], k, v, bias._value[n, : lengths[n]].expand(4, 1, -1), scale=0.5
        )
        near(result[n], expected[:, 0], 1e-12)
    scales = ms.Tensor(np.full((2, 6), 0.5, np.float32))
    small = ms.Tensor(np.ones((5, 2, 2, 3), np.int8))
    output = ops.PagedAttention(4, 0.5, 2)
    near(output(query, small, small, ms.Tensor(table), ms.Tensor(lengths), scales), 0.5)
    with pytest.raises(NotImplementedError, match="PERTOKEN"):
        ops.PagedAttention(4, 0.5, 2, "PERTOKEN")(
            query, small, small, ms.Tensor(table), ms.Tensor(lengths), scales
        )


def test_positions_and_routing():
    x, angle = t(14, 2, 8), t(15, 9, 4)
    cos, sin = ops.cos(angle), ops.sin(angle)
    result, _ = ops.ApplyRotaryPosEmb()(x, x, cos, sin, ms.Tensor([3, 7]))
    heads = x.asnumpy().reshape(2, 2, 4)
    turned = np.concatenate([-heads[..., 2:], heads[..., :2]], -1)
    c, s = (v.asnumpy()[[3, 7]][:, None] for v in (cos, sin))
    near(result, (heads * c + turned * s).reshape(2, 8), 1e-12)
    scores = ms.Tensor([[0.1, 0.9, 0.3, 0.35, 0.5, 0.0]])
    ops.GroupTopk()(scores, ops.arange(0, 6), 3, 1, 2)
    near(scores, [[0.1, 0.9, 0, 0, 0, 0]])


# ----------------------------------------------------------------------------- special values


def test_incomplete_beta_function():
    a, b, x = [0.3, 0.1, 0.4, 5, 20, 1], [0.4, 0.5, 0.9, 2, 30, 1], [0.2, 0.6, 0.5, 0.9, 0.4, 0]
    result = ops.Betainc()(ms.Tensor(a), ms.Tensor(b), ms.Tensor(x))
    near(result, [0.414627, 0.870604, 0.72983, 0.885735, 0.507704, 0])
    result = ops.Betainc()(
        ms.Tensor([0.3, 0.1, -1, 2, 0.0]), ms.Tensor([0.4, 0.5, 0.9, 2, 1]),
        ms.Tensor([0.0, 1.0, 0.5, 1.2, 0.3]),
    )  # fmt: skip
    np.testing.assert_array_equal(result.asnumpy(), [0, 1, np.nan, np.nan, np.nan])
    # for whole numbers it is a sum of binomial probabilities
    grid = np.linspace(0.01, 0.99, 7)
    expected = 35 * grid**4 * (1 - grid) ** 3 + 21 * grid**5 * (1 - grid) ** 2
    expected += 7 * grid**6 * (1 - grid) + grid**7
    four = ms.Tensor(np.full(7, 4.0))
    near(ops.Betainc()(four, four, ms.Tensor(grid)), expected, 1e-12)


def test_logarithm_of_matrices():
    near(
        ops.MatrixLogarithm()(ms.Tensor([[1 + 2j, 2 + 1j], [4 + 1j, 5 + 2j]])),
        [
            [0.691558 + 1.716184j, 0.646652 - 0.349282j],
            [1.024261 - 0.887368j, 1.446775 + 0.640011j],
        ],
    )
    defective = ms.Tensor([[2.0 + 0j, 1], [0, 2]])
    near(ops.MatrixLogarithm()(defective), [[np.log(2), 0.5], [0, np.log(2)]], 1e-10)
    wide = ms.from_torch(torch.diag(torch.tensor([1e-4, 1.0, 1e5])).to(torch.complex128))
    near(ops.MatrixLogarithm()(wide), np.diag(np.log([1e-4, 1.0, 1e5])), 1e-8)
    matrix = torch.complex(t(16, 4, 4)._value, t(17, 4, 4)._value)
    logarithm = ops.MatrixLogarithm()(ms.from_torch(matrix))._value
    torch.testing.assert_close(torch.linalg.matrix_exp(logarithm), matrix)


def test_least_squares():
    tall, wide = ms.Tensor([[1.0, 2], [3, 4], [5, 7]]), ms.Tensor([[1.0, 2, 3], [3, 4, 4]])
    right, short = ms.Tensor([[1.0], [0], [2]]), ms.Tensor([[1.0], [0]])
    half = ms.Tensor(0.5, ms.float64)
    near(ops.MatrixSolveLs()(tall, right, half), [[-0.29434], [0.437736]])
    near(ops.MatrixSolveLs(False)(tall, right, half), [[-1.785714], [1.5]])
    near(ops.MatrixSolveLs()(wide, short, half), [[-0.378007], [-0.123711], [0.446736]])
    near(ops.MatrixSolveLs(False)(wide, short, half), [[-0.622222], [-0.222222], [0.688889]])


def test_packed_values():
    row = [1.0, 2, 3, 4, 5, 6, 7, 8]
    assert ops.CompareAndBitpack()(ms.Tensor([row, row]), ms.Tensor(6.0)).tolist() == [[3], [3]]
    bits = ops.CompareAndBitpack()(ms.Tensor([True, False] * 8), ms.Tensor(False))
    assert bits.tolist() == [85, 85]
    matrix = ops.ConfusionMatrix(4)(ms.Tensor([0, 1, 1, 3]), ms.Tensor([1, 2, 1, 3]))
    assert matrix.tolist() == [[0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    splits, numbers = ops.RaggedRange(ms.int32)(
        ms.Tensor([2.0, 5, 0]), ms.Tensor([1.0, 5, -2]), ms.Tensor([-0.3, 1, -0.5])
    )
    assert splits.tolist() == [0, 4, 4, 8]
    near(numbers, [2, 1.7, 1.4, 1.1, 0, -0.5, -1, -1.5])


def test_masks_of_dropout():
    mask = ops.DropoutGenMask(1, 2)((40, 50), ms.Tensor(0.3))
    assert mask.shape == (16 * 16,)
    assert mask.dtype == ms.uint8
    array = ops.DropoutDoMask()(ops.ones((40, 50)), mask, ms.Tensor(0.3)).asnumpy()
    np.testing.assert_allclose(np.unique(array), [0, 1 / 0.3], rtol=1e-6)
    assert (array > 0).mean() == pytest.approx(0.3, abs=0.04)
    bits = np.unpackbits(mask.asnumpy(), bitorder="little")[:2000].reshape(40, 50)
    np.testing.assert_array_equal(array > 0, bits > 0)
    twin = ops.DropoutGenMask(1, 2)((40, 50), 0.3)
    np.testing.assert_array_equal(mask.asnumpy(), twin.asnumpy())


def test_all_bits_are_random():
    values = ops.NonDeterministicInts(ms.int64)((100, 100)).asnumpy()
    assert values.dtype == np.int64
    ones = np.unpackbits(values.view(np.uint8)).reshape(-1, 64).mean(0)
    assert ones.min() > 0.45
    assert ones.max() < 0.55


# ------------------------------------------------------------------ what kernels do at the edges


def test_labels_that_end_with_blanks():
    scores = [[[0.3, 0.6, 0.6], [0.4, 0.3, 0.9]], [[0.9, 0.4, 0.2], [0.9, 0.9, 0.1]]]
    places, lengths = ms.Tensor([[0, 0], [1, 0]]), ms.Tensor([2, 2])
    losses, gradient = ops.CTCLoss()(ms.Tensor(scores), places, ms.Tensor([2, 2]), lengths)
    near(losses, [0.79628, 0.599516])
    near(gradient[1, 0], [0.475485, 0.288396, 0.045103])
    near(gradient[0, 0], [0.270291, 0.364855, -0.635145])
    with pytest.raises(RuntimeError, match="blank"):
        ops.CTCLoss()(
            ms.Tensor(scores), ms.Tensor([[0, 0], [0, 1]]), ms.Tensor([2, 1]), ms.Tensor([2, 2])
        )


def test_missing_segments():
    rows = ms.Tensor([[1.0, 2.0], [4.0, 5.0], [7.0, 8.0]])
    result = ops.SegmentProd()(rows, ms.Tensor([1, 1, 3]))
    assert result.tolist() == [[1, 1], [4, 10], [1, 1], [7, 8]]
    assert ops.SegmentMax()(rows, ms.Tensor([1, 1, 3])).tolist()[0] == [0, 0]


def test_nothing_to_sum():
    assert ops.Einsum("i->")([ms.Tensor([1.0, 2.0, 4.0])]).tolist() == [7.0]
    result = ops.CumulativeLogsumexp(exclusive=True)(ms.Tensor([1.0, 2.0]), 0)
    assert result.tolist() == [float(np.finfo(np.float32).min), 1.0]
