"""Attention under its many names, against the formula in float64."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Tensor, ops

RNG = np.random.default_rng(3)
B, N, S, T, D = 2, 4, 5, 7, 8  # batch, heads, time of queries and of keys, features


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


Q, K, V = normal(B, N, S, D), normal(B, N, T, D), normal(B, N, T, D)
K2, V2 = K[:, :2], V[:, :2]


def attention(q, k, v, scale=1.0, out=None, shift=None):
    """The formula; True in `out` leaves out, rows without a score give zeros."""
    times = q.shape[1] // k.shape[1]
    k, v = (np.repeat(t, times, 1) for t in (k, v))
    scores = scale * (q @ k.swapaxes(-1, -2))
    if shift is not None:
        scores = scores + shift
    if out is not None:
        scores = np.where(out, -np.inf, scores)
    top = scores.max(-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = powers.sum(-1, keepdims=True)
    return (powers / np.where(total == 0, 1, total)) @ v, top, total


def joined(x: np.ndarray) -> Tensor:
    return Tensor(x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1))


def close(got: Tensor, expected: np.ndarray) -> None:
    np.testing.assert_allclose(got.asnumpy(), expected, rtol=1e-9, atol=1e-12)


CAUSAL = np.triu(np.ones((S, T), bool), 1)
CORNER = np.triu(np.ones((S, T), bool), 1 + T - S)
BAND = ~(np.triu(np.ones((S, T), bool), T - S - 2) & np.tril(np.ones((S, T), bool), T - S + 1))


@pytest.mark.parametrize(("mode", "out"), [(0, None), (2, CAUSAL), (3, CORNER), (4, BAND)], ids=str)
@pytest.mark.parametrize("keys", [(K, V), (K2, V2)], ids=["equal", "grouped"])
def test_all_names_agree(mode, out, keys):
    k, v = keys
    expected = attention(Q, k, v, 0.3, out)[0]
    q4, k4, v4 = (Tensor(t) for t in (Q, k, v))
    tokens = {"pre_tokens": 2, "next_tokens": 1}
    heads = {"num_heads": N, "num_key_value_heads": k.shape[1], "sparse_mode": mode, **tokens}
    close(
        ops.flash_attention_score(
            q4, k4, v4, N, scalar_value=0.3, input_layout="BNSD", sparse_mode=mode, **tokens
        ),
        expected,
    )
    close(
        ops.prompt_flash_attention(q4, k4, v4, scale_value=0.3, input_layout="BNSD", **heads),
        expected,
    )
    close(
        ops.fused_infer_attention_score(q4, k4, v4, scale=0.3, input_layout="BNSD_BSND", **heads)[
            0
        ],
        expected.swapaxes(1, 2),
    )
    result = ops.speed_fusion_attention(
        joined(Q), joined(k), joined(v), N, "BSH", scale=0.3, sparse_mode=mode, **tokens
    )
    close(result[0], joined(expected).asnumpy())


def test_masks_and_shifts():
    mask = RNG.random((B, 1, S, T)) > 0.6
    mask[0, 0, 1] = True  # a row in which nothing counts
    shift = normal(1, N, S, T)
    expected = attention(Q, K, V, 0.5, mask, shift)[0]
    q, k, v = (Tensor(t) for t in (Q, K, V))
    got = ops.flash_attention_score(
        q, k, v, N, Tensor(shift), attn_mask=Tensor(mask), scalar_value=0.5, input_layout="BNSD"
    )
    close(got, expected)
    assert not got[0, :, 1].asnumpy().any()
    got = ops.prompt_flash_attention(
        q, k, v, Tensor(mask[:, 0]), pse_shift=Tensor(shift), scale_value=0.5, num_heads=N,
        input_layout="BNSD", next_tokens=T,
    )  # fmt: skip
    close(got, expected)
    # before the scale for type 1, behind it for type 0
    for kind, added in ((1, 0.5 * shift), (0, shift)):
        got = ops.speed_fusion_attention(
            q, k, v, N, "BNSD", pse=Tensor(shift), pse_type=kind, scale=0.5
        )
        out, top, total = attention(Q, K, V, 0.5, None, added)
        close(got[0], out)
        np.testing.assert_allclose(got[1].asnumpy(), np.repeat(top, 8, -1), rtol=1e-5)
        np.testing.assert_allclose(got[2].asnumpy(), np.repeat(total, 8, -1), rtol=1e-5)


def test_slopes_of_distance():
    slopes = RNG.random(N)
    distance = np.abs(np.arange(S)[:, None] - np.arange(T))
    q, k, v = (Tensor(t) for t in (Q, K, V))
    for kind, far in ((2, distance), (3, np.sqrt(distance))):
        got = ops.speed_fusion_attention(q, k, v, N, "BNSD", pse=Tensor(slopes), pse_type=kind)
        close(got[0], attention(Q, K, V, 1.0, None, -slopes[:, None, None] * far)[0])


def test_second_derivatives_take_the_long_way():
    x = Tensor(normal(1, 3, 4))

    def once(x):
        return ops.flash_attention_score(x, x, x, 2, sparse_mode=2).sum()

    first = ms.grad(lambda x: (ms.grad(once)(x) ** 2).sum())(x)
    step = 1e-6
    grad = ms.grad(once)
    direction = normal(1, 3, 4)
    ahead = (grad(x + Tensor(step * direction)).asnumpy() ** 2).sum()
    behind = (grad(x - Tensor(step * direction)).asnumpy() ** 2).sum()
    slope = (first.asnumpy() * direction).sum()
    assert slope == pytest.approx((ahead - behind) / (2 * step), rel=1e-5)


def test_samples_of_different_lengths():
    ends_q, ends_k = [3, 5], [4, 7]
    got = ops.prompt_flash_attention(
        Tensor(Q), Tensor(K), Tensor(V), None, ends_q, Tensor(ends_k), num_heads=N,
        input_layout="BNSD", sparse_mode=3,
    ).asnumpy()  # fmt: skip
    for b, (s, t) in enumerate(zip(ends_q, ends_k, strict=True)):
        out = np.triu(np.ones((s, t), bool), 1 + t - s)
        part = attention(Q[b : b + 1, :, :s], K[b : b + 1, :, :t], V[b : b + 1, :, :t], 1.0, out)
        np.testing.assert_allclose(got[b : b + 1, :, :s], part[0], rtol=1e-9)
        assert not got[b, :, s:].any()


# ------------------------------------------------------------------------------- one step

Q1 = normal(B, N, 1, D)


def test_one_step():
    expected = attention(Q1, K2, V2, 0.5)[0]
    got = ops.incre_flash_attention(
        joined(Q1), [joined(K2)], [joined(V2)], num_heads=N, num_key_value_heads=2, scale_value=0.5
    )
    close(got, joined(expected).asnumpy())


def test_one_step_with_a_tensor_for_each_sample():
    lengths = [7, 4]
    keys = [Tensor(K[b : b + 1, :, :n]) for b, n in enumerate(lengths)]
    values = [Tensor(V[b : b + 1, :, :n]) for b, n in enumerate(lengths)]
    out = (np.arange(T) >= np.array(lengths)[:, None]).reshape(B, 1, 1, T)
    got = ops.incre_flash_attention(Tensor(Q1), keys, values, num_heads=N, input_layout="BNSD")
    close(got, attention(Q1, K, V, 1.0, out)[0])


@pytest.mark.parametrize("layout", ["BSH", "BNSD"])
def test_keys_in_blocks(layout):
    table = np.array([[2, 0], [1, 3]])
    blocks = normal(4, N, 4, D)
    whole = blocks[table].swapaxes(1, 2).reshape(B, N, 8, D)
    out = (np.arange(8) >= np.array([6, 3])[:, None]).reshape(B, 1, 1, 8)
    expected = attention(Q1, whole, whole, 1.0, out)[0]
    stored = joined(blocks) if layout == "BSH" else Tensor(blocks)
    got = ops.incre_flash_attention(
        joined(Q1) if layout == "BSH" else Tensor(Q1), [stored], [stored], num_heads=N,
        actual_seq_lengths=Tensor([6, 3]), block_table=Tensor(table, ms.int32), block_size=4,
        input_layout=layout,
    )  # fmt: skip
    close(got, joined(expected).asnumpy() if layout == "BSH" else expected)


def test_keys_at_the_end():
    """The samples end before the padding; without room for one the result is zero."""
    place = np.arange(T)
    out = ~np.stack([(place >= 2) & (place < 5), np.zeros(T, bool)]).reshape(B, 1, 1, T)
    got = ops.incre_flash_attention(
        Tensor(Q1), [Tensor(K)], [Tensor(V)], None, [3, 6], num_heads=N, input_layout="BNSD",
        kv_padding_size=Tensor([2]),
    )  # fmt: skip
    close(got, attention(Q1, K, V, 1.0, out)[0])
    assert not got[1].asnumpy().any()


def test_logarithms_of_the_denominators():
    got, lse = ops.fused_infer_attention_score(
        Tensor(Q1), Tensor(K), Tensor(V), num_heads=N, input_layout="BNSD", softmax_lse_flag=True
    )
    out, top, total = attention(Q1, K, V)
    close(got, out)
    assert (lse.dtype, lse.shape) == (ms.float32, (B, N, 1, 1))
    np.testing.assert_allclose(lse.asnumpy(), top + np.log(total), rtol=1e-5)


def test_halves_of_the_keys_put_together():
    first = ops.speed_fusion_attention(
        joined(Q), joined(K[:, :, :3]), joined(V[:, :, :3]), N, "BSH"
    )
    second = ops.speed_fusion_attention(
        joined(Q), joined(K[:, :, 3:]), joined(V[:, :, 3:]), N, "BSH"
    )
    turned = [(t.transpose(1, 0, 2), *rest) for t, *rest in (first[:3], second[:3])]
    out, top, total = ops.ring_attention_update(*turned[0], *turned[1])
    expected, top_all, total_all = attention(Q, K, V)
    np.testing.assert_allclose(
        out.asnumpy().transpose(1, 0, 2), joined(expected).asnumpy(), rtol=1e-5
    )
    np.testing.assert_allclose(top.asnumpy()[..., :1], top_all, rtol=1e-6)
    np.testing.assert_allclose(total.asnumpy()[..., :1], total_all, rtol=1e-5)


def test_turned_features():
    """Turning by an angle leaves lengths, and products depend on the distance alone."""
    angles = np.arange(S)[:, None] * np.repeat(0.5 ** np.arange(D // 2), 2)[None]
    cos, sin = (Tensor(f(angles)[None, None]) for f in (np.cos, np.sin))
    x, y = normal(D), normal(D)
    rows = [Tensor(np.broadcast_to(v, (1, 1, S, D)).copy()) for v in (x, y)]
    a, b = (ops.rotary_position_embedding(r, cos, sin, 1).asnumpy()[0, 0] for r in rows)
    np.testing.assert_allclose((a**2).sum(-1), (x**2).sum())
    np.testing.assert_allclose((a[1:] * b[:-1]).sum(-1), (a[1] * b[0]).sum())
    halves = np.concatenate([angles[:, ::2], angles[:, ::2]], -1)
    cos, sin = (Tensor(f(halves)[None, None]) for f in (np.cos, np.sin))
    order = np.r_[0:D:2, 1:D:2]
    by_halves = ops.rotary_position_embedding(
        Tensor(np.broadcast_to(x[order], (1, 1, S, D)).copy()), cos, sin
    )
    np.testing.assert_allclose(by_halves.asnumpy()[0, 0], a[:, order], rtol=1e-12)
