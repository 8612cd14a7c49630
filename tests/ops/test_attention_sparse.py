"""Attention to selected keys, against loops that follow the formulas."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Tensor, ops

RNG = np.random.default_rng(5)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def test_windows_stay_in_their_samples():
    x, weight = normal(50, 2, 3), normal(8, 2)
    ends = (20, 24, 50)
    got = ops.nsa_compress(Tensor(x), Tensor(weight), 8, 4, actual_seq_len=ends).asnumpy()
    expected = [
        np.einsum("snd,sn->nd", x[start : start + 8], weight)
        for first, end in zip((0, 20, 24), ends, strict=True)
        for start in range(first, end - 7, 4)
    ]
    np.testing.assert_allclose(got, expected, rtol=1e-9)


def test_compressed_attention_and_its_blocks():
    q, k, v = normal(9, 4, 5), normal(11, 2, 5), normal(11, 2, 3)
    window, stride, block = 32, 16, 64
    got = ops.nsa_compress_attention(
        Tensor(q), Tensor(k), Tensor(v), 0.5, 4, window, stride, block, 2,
        actual_seq_qlen=(4, 9), actual_cmp_seq_kvlen=(5, 11), actual_sel_seq_kvlen=(2, 3),
    )  # fmt: skip
    out, named, top, total = (t.asnumpy() for t in got)
    for rows, columns, blocks in ((slice(0, 4), slice(0, 5), 2), (slice(4, 9), slice(5, 11), 1)):
        for head in range(2):
            keys, values = k[columns, head], v[columns, head]
            shared = np.zeros((rows.stop - rows.start, blocks))
            for own in (2 * head, 2 * head + 1):
                scores = 0.5 * q[rows, own] @ keys.T
                weights = softmax(scores)
                np.testing.assert_allclose(out[rows, own], weights @ values, rtol=1e-9)
                np.testing.assert_allclose(top[rows, own, 3], scores.max(-1), rtol=1e-6)
                np.testing.assert_allclose(
                    total[rows, own, 0], np.exp(scores - scores.max(-1, keepdims=True)).sum(-1),
                    rtol=1e-6,
                )  # fmt: skip
                for j in range(blocks):
                    for m in range(block // stride):
                        for n in range(window // stride):
                            place = block // stride * j - m - n
                            if 0 <= place < keys.shape[0]:
                                shared[:, j] += weights[:, place]
            order = np.argsort(-shared, -1)
            assert named[rows, head, :blocks].tolist() == order[:, :2].tolist()
            assert (named[rows, head, blocks:] == -1).all()


def test_masks_leave_out():
    q, k = normal(4, 2, 5), normal(6, 2, 5)
    left_out = RNG.random((4, 6)) > 0.5
    left_out[0] = True
    no_block = np.zeros((4, 3), bool)
    no_block[:, 1] = True
    got = ops.nsa_compress_attention(
        Tensor(q), Tensor(k), Tensor(k), 0.5, 2, 16, 16, 32, 3, atten_mask=Tensor(left_out),
        topk_mask=Tensor(no_block), actual_seq_qlen=[4], actual_cmp_seq_kvlen=[6],
        actual_sel_seq_kvlen=[3],
    )  # fmt: skip
    out, named = got[0].asnumpy(), got[1].asnumpy()
    assert not out[0].any()
    assert 1 not in named
    assert (named[..., 2] == -1).all()
    scores = np.where(left_out[1:], -np.inf, 0.5 * q[1:, 0] @ k[:, 0].T)
    np.testing.assert_allclose(out[1:, 0], softmax(scores) @ k[:, 0], rtol=1e-9)


def test_attention_to_chosen_blocks():
    q, k, v = normal(5, 4, 6), normal(9, 2, 6), normal(9, 2, 3)
    chosen = np.array([[[0, -1]] * 2, [[1, 1]] * 2, [[0, 1]] * 2, [[2, 0]] * 2, [[1, 2]] * 2])
    got, top, _ = ops.nsa_select_attention(
        Tensor(q), Tensor(k), Tensor(v), Tensor(chosen, ms.int32), 0.3, 4, 2, 2,
        actual_seq_qlen=(2, 5), actual_seq_kvlen=(4, 9),
    )  # fmt: skip
    for t in range(5):
        first, end = (0, 4) if t < 2 else (4, 9)
        places = [p for p in range(end - first) if p // 2 in chosen[t, 0]]
        for own in range(4):
            keys = k[first:end, own // 2][places]
            scores = 0.3 * keys @ q[t, own]
            expected = softmax(scores) @ v[first:end, own // 2][places]
            np.testing.assert_allclose(got.asnumpy()[t, own], expected, rtol=1e-9)
            assert top.asnumpy()[t, own, 0] == pytest.approx(scores.max(), rel=1e-6)


def scores_of(q, k, w):
    return np.einsum("tg,tgs->ts", w, np.maximum(np.einsum("tgd,sd->tgs", q, k), 0))


def test_the_indexer_names_the_best_keys():
    q, k, w = normal(2, 3, 4, 8), normal(2, 6, 1, 8), RNG.random((2, 3, 4))
    places, values = ops.lightning_indexer(
        Tensor(q), Tensor(k), Tensor(w), sparse_count=5, return_value=True
    )
    for b in range(2):
        scores = scores_of(q[b], k[b, :, 0], w[b])
        for t in range(3):
            seen = scores[t, : t + 4]  # causal from the lower right corner
            order = np.argsort(-seen)
            expected = [*order, *[-1] * 5][:5]
            assert places.asnumpy()[b, t, 0].tolist() == expected
            count = min(5, len(order))
            np.testing.assert_allclose(
                values.asnumpy()[b, t, 0, :count], seen[order[:count]], rtol=1e-5
            )


def test_the_indexer_over_blocks_and_over_rows():
    """One sample of keys in three layouts gives one answer."""
    q, k, w = normal(3, 2, 4), normal(7, 1, 4), RNG.random((3, 2))
    ask = {"sparse_count": 3, "sparse_mode": 0}
    plain, _ = ops.lightning_indexer(Tensor(q[None]), Tensor(k[None]), Tensor(w[None]), **ask)
    rows, _ = ops.lightning_indexer(
        Tensor(q), Tensor(k), Tensor(w), layout_query="TND", layout_key="TND",
        actual_seq_lengths_query=Tensor([3]), actual_seq_lengths_key=Tensor([7]), **ask,
    )  # fmt: skip
    table = np.array([[2, 0]])
    blocks = normal(3, 4, 1, 4)
    blocks[2], blocks[0, :3] = k[:4], k[4:]
    paged, _ = ops.lightning_indexer(
        Tensor(q[None]), Tensor(blocks), Tensor(w[None]), layout_key="PA_BSND",
        block_table=Tensor(table), actual_seq_lengths_key=Tensor([7]), **ask,
    )  # fmt: skip
    assert plain[0].tolist() == rows.tolist() == paged[0].tolist()


@pytest.mark.parametrize("size", [1, 2])
def test_attention_to_chosen_keys(size):
    q, k, v = normal(2, 3, 4, 8), normal(2, 6, 1, 8), normal(2, 6, 1, 8)
    turned_q, turned_k = normal(2, 3, 4, 2), normal(2, 6, 1, 2)
    chosen = np.array([[0, 2, -1], [1, 2, 0], [2, 1, 5]])
    got, top, total = ops.sparse_flash_attention(
        Tensor(q), Tensor(k), Tensor(v), Tensor(np.tile(chosen[:, None], (2, 1, 1, 1))), 0.5,
        query_rope=Tensor(turned_q), key_rope=Tensor(turned_k), attention_mode=2,
        sparse_block_size=size, return_softmax_lse=True,
    )  # fmt: skip
    assert top.shape == total.shape == (2, 1, 3, 4)
    for b in range(2):
        for t in range(3):
            named = [c * size + i for c in chosen[t] if c >= 0 for i in range(size)]
            places = [p for p in named if p < t + 4]  # causal
            scores = q[b, t] @ k[b, places, 0].T + turned_q[b, t] @ turned_k[b, places, 0].T
            expected = softmax(0.5 * scores) @ v[b, places, 0]
            np.testing.assert_allclose(got.asnumpy()[b, t], expected, rtol=1e-9)
            np.testing.assert_allclose(top.asnumpy()[b, 0, t], 0.5 * scores.max(-1), rtol=1e-5)


def test_rows_that_do_not_count_are_zero():
    q, k = normal(1, 3, 2, 4), normal(1, 5, 1, 4)
    chosen = Tensor(np.zeros((1, 3, 1, 2), np.int32))
    out, top, _ = ops.sparse_flash_attention(
        Tensor(q), Tensor(k), Tensor(k), chosen, 1.0, actual_seq_lengths_query=Tensor([2])
    )
    assert not out.asnumpy()[0, 2].any()
    assert out.asnumpy()[0, :2].any()
    assert top.shape == (0,)
