"""Attention, caches, experts and language: head by head and row by row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

_FAR = 1 << 40

# -------------------------------------------------------------------------------- the formula


def _attend(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float, shift: Any = 0, out: Any = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One head: result, largest score and sum of exponentials of each row."""
    scores = scale * (q @ k.T) + shift
    result = np.zeros((len(q), v.shape[1]))
    top, total = np.full(len(q), -np.inf), np.zeros(len(q))
    for i, row in enumerate(scores):
        remaining = np.ones(len(row), bool) if out is None else ~out[i].astype(bool)
        if remaining.any():
            top[i] = row[remaining].max()
            powers = np.exp(row[remaining] - top[i])
            total[i] = powers.sum()
            result[i] = powers @ v[remaining] / total[i]
    return result, top, total


def _hidden(
    s: int, t: int, mode: int, mask: Any = None, before: int = _FAR, after: int = _FAR
) -> np.ndarray | None:
    """True where a score of one sample does not count."""
    i, j = np.arange(s)[:, None], np.arange(t)
    if mode in (0, 1):
        if mask is None:
            return None
        return mask.astype(bool) | (j - i > after) | (i - j > before)
    if mode == 2:
        return j > i
    return j > i + t - s


def _heads(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    scale: float = 1.0,
    shift: Any = None,
    mask: Any = None,
    mode: int = 0,
    before: int = _FAR,
    after: int = _FAR,
    rows: Any = None,
    columns: Any = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All heads of (B, N, S, D); `rows` and `columns` say how long each sample is."""
    b, n, s, _ = q.shape
    t, share = k.shape[2], n // k.shape[1]
    shift = np.broadcast_to(0.0 if shift is None else np.asarray(shift), (b, n, s, t))
    if mask is not None:
        mask = np.asarray(mask)
        mask = np.broadcast_to(mask[:, None] if mask.ndim == 3 else mask, (b, 1, s, t))
    out = np.zeros((b, n, s, v.shape[3]))
    top, total = np.zeros((b, n, s)), np.zeros((b, n, s))
    for x, h in np.ndindex(b, n):
        own, seen = _of(rows, x, s), _of(columns, x, t)
        part = None if mask is None else mask[x, 0, :own, :seen]
        out[x, h, :own], top[x, h, :own], total[x, h, :own] = _attend(
            q[x, h, :own],
            k[x, h // share, :seen],
            v[x, h // share, :seen],
            scale,
            shift[x, h, :own, :seen],
            _hidden(own, seen, mode, part, before, after),
        )
    return out, top, total


def _of(lengths: Any, sample: int, default: int) -> int:
    if lengths is None:
        return default
    return int(lengths[sample if len(lengths) > 1 else 0])


# ------------------------------------------------------------------------------------- layouts


def _apart(x: Any, heads: int, layout: str) -> np.ndarray:
    """To (B, N, S, D)."""
    x = np.asarray(x)
    if layout.startswith("BNSD"):
        return x
    x = x.swapaxes(0, 1) if layout == "SBH" else x
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def _together(x: np.ndarray, layout: str) -> np.ndarray:
    if layout == "BNSD":
        return x
    x = x.swapaxes(1, 2)
    if layout in ("BSND", "BNSD_BSND"):
        return x
    x = x.reshape(*x.shape[:2], -1)
    return x.swapaxes(0, 1) if layout == "SBH" else x


def _split(
    q: Any, k: Any, v: Any, heads: int, layout: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    q = _apart(q, heads, layout)
    axis = {"BNSD": 1, "BNSD_BSND": 1, "BSND": 2}.get(layout)
    count = np.asarray(k).shape[axis] if axis else np.asarray(k).shape[-1] // q.shape[-1]
    return q, _apart(k, count, layout), _apart(v, count, layout)


def _rows_of_all(
    q: Any, k: Any, v: Any, ends_q: Any, ends_k: Any, scale: float, mode: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Layout TND: each sample by itself."""
    parts, first, begin = [], 0, 0
    for end, stop in zip(ends_q, ends_k, strict=True):
        rows, keys, values = (
            np.asarray(t)[span].swapaxes(0, 1)[None]
            for t, span in (
                (q, slice(first, end)),
                (k, slice(begin, stop)),
                (v, slice(begin, stop)),
            )
        )
        result = _heads(rows, keys, values, scale, mode=mode)
        parts.append([np.moveaxis(t[0], 1, 0) for t in result])
        first, begin = end, stop
    out, top, total = (np.concatenate(t) for t in zip(*parts, strict=True))
    return out, top, total


def _flash(
    q: Any,
    k: Any,
    v: Any,
    heads: int,
    shift: Any = None,
    *,
    scale: float = 1.0,
    layout: str = "BSH",
    mode: int = 0,
    mask: Any = None,
    ends_q: Any = None,
    ends_k: Any = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if layout == "TND":
        return _rows_of_all(q, k, v, ends_q, ends_k, scale, mode)
    result = _heads(*_split(q, k, v, heads, layout), scale, shift, mask, mode)
    return _together(result[0], layout), result[1], result[2]


def _flash_attention_score(
    q: Any,
    k: Any,
    v: Any,
    heads: int,
    shift: Any = None,
    *,
    scalar_value: float = 1.0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
) -> np.ndarray:
    return _flash(
        q, k, v, heads, shift, scale=scalar_value, layout=input_layout, mode=sparse_mode,
        ends_q=actual_seq_qlen, ends_k=actual_seq_kvlen,
    )[0]  # fmt: skip


def _eight(x: np.ndarray) -> np.ndarray:
    return np.repeat(x[..., None], 8, -1)


def _flash_primitive(
    q: Any,
    k: Any,
    v: Any,
    shift: Any = None,
    *nothing: Any,
    head_num: int,
    scale_value: float = 1.0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> tuple[np.ndarray, ...]:
    ends_q, ends_k = nothing[-2:] if nothing else (None, None)
    out, top, total = _flash(
        q, k, v, head_num, shift, scale=scale_value, layout=input_layout, mode=sparse_mode,
        ends_q=ends_q, ends_k=ends_k,
    )  # fmt: skip
    return _eight(top), _eight(total), np.zeros(0), out


def _speed_fusion(
    q: Any,
    k: Any,
    v: Any,
    heads: int,
    layout: str,
    *,
    pse: Any = None,
    pse_type: int = 1,
    scale: float = 1.0,
    atten_mask: Any = None,
    sparse_mode: int = 0,
) -> tuple[Any, ...]:
    parts = _split(q, k, v, heads, layout)
    s, t = parts[0].shape[2], parts[1].shape[2]
    shift = np.asarray(pse)
    if pse_type == 1:
        shift = scale * shift
    elif pse_type > 1:
        far = abs(np.arange(s)[:, None] - np.arange(t))
        slopes = shift.reshape(-1, heads, 1, 1)
        shift = -slopes * (far if pse_type == 2 else np.sqrt(far))
    out, top, total = _heads(*parts, scale, shift, atten_mask, sparse_mode)
    zero = np.int64(0)
    return _together(out, layout), _eight(top), _eight(total), np.zeros(0), zero, zero, zero


def _prompt(
    q: Any,
    k: Any,
    v: Any,
    mask: Any = None,
    rows: Any = None,
    columns: Any = None,
    shift: Any = None,
    *,
    num_heads: int,
    input_layout: str = "BSH",
    scale_value: float = 1.0,
    next_tokens: int = 0,
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
) -> np.ndarray:
    parts = _split(q, k, v, num_heads, input_layout)
    out, *_ = _heads(
        *parts, scale_value, shift, mask, sparse_mode, after=next_tokens, rows=rows, columns=columns
    )
    return _together(out, input_layout)


def _whole(blocks: Any, table: Any) -> np.ndarray:
    """The blocks of each sample one behind the other."""
    blocks = np.asarray(blocks)
    return np.array([np.concatenate([blocks[int(i)] for i in row]) for row in table])


def _incre(
    q: Any,
    k: Sequence[Any],
    v: Sequence[Any],
    mask: Any = None,
    actual_seq_lengths: Any = None,
    *,
    num_heads: int,
    input_layout: str = "BSH",
    scale_value: float = 1.0,
    num_key_value_heads: int = 0,
    block_table: Any = None,
    block_size: int = 0,
    kv_padding_size: Any = None,
) -> np.ndarray:
    out, _ = _one_step(
        q, k, v, mask, actual_seq_lengths, num_heads, input_layout, scale_value, block_table,
        kv_padding_size,
    )  # fmt: skip
    return _together(out, input_layout)


def _one_step(
    q: Any,
    k: Sequence[Any],
    v: Sequence[Any],
    mask: Any,
    lengths: Any,
    heads: int,
    layout: str,
    scale: float,
    table: Any = None,
    behind: Any = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Sample by sample, as the keys may differ in their numbers."""
    q = np.asarray(q)
    outs, logs = [], []
    for b in range(len(q)):
        if table is not None:
            own = [_whole(t[0], table)[b : b + 1] for t in (k, v)]
        else:
            own = [np.asarray(t[b] if len(t) > 1 else t[0][b : b + 1]) for t in (k, v)]
        parts = _split(q[b : b + 1], own[0], own[1], heads, layout)
        t = parts[1].shape[2]
        seen = _of(lengths, b, t)
        first = t - int(behind) - seen if behind is not None else 0
        window = slice(first, first + seen)
        hidden = None if mask is None else np.asarray(mask)[b].reshape(1, 1, 1, -1)[..., window]
        out, top, total = _heads(
            parts[0], parts[1][:, :, window], parts[2][:, :, window], scale, mask=hidden
        )
        outs.append(out)
        logs.append(top + np.log(total))
    return np.concatenate(outs), np.concatenate(logs)


def _fused_infer(
    q: Any,
    k: Any,
    v: Any,
    *,
    num_heads: int,
    num_key_value_heads: int = 0,
    input_layout: str = "BSH",
    scale: float = 1.0,
    atten_mask: Any = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    sparse_mode: int = 0,
    softmax_lse_flag: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    k, v = ([t] if not isinstance(t, (list, tuple)) else t for t in (k, v))
    if np.asarray(q).shape[1] == 1:
        out, logs = _one_step(
            q, k, v, atten_mask, actual_seq_lengths_kv, num_heads, input_layout, scale
        )
    else:
        out, top, total = _heads(
            *_split(q, k[0], v[0], num_heads, input_layout), scale, None, atten_mask, sparse_mode,
            rows=actual_seq_lengths, columns=actual_seq_lengths_kv,
        )  # fmt: skip
        logs = top + np.log(total) if softmax_lse_flag else top
    return _together(out, input_layout), logs[..., None] if softmax_lse_flag else np.zeros(1)


def _ring_update(
    out1: Any, top1: Any, sum1: Any, out2: Any, top2: Any, sum2: Any, ends: Any = None,
    layout: str = "SBH",
) -> tuple[np.ndarray, ...]:  # fmt: skip
    out1, top1, sum1, out2, top2, sum2 = (
        np.asarray(t) for t in (out1, top1, sum1, out2, top2, sum2)
    )
    top = np.maximum(top1, top2)
    share1, share2 = sum1 * np.exp(top1 - top), sum2 * np.exp(top2 - top)
    total = share1 + share2
    left, right = share1[..., :1] / total[..., :1], share2[..., :1] / total[..., :1]
    if layout == "TND":
        return left * out1 + right * out2, top, total
    heads = top.shape[1]
    mixed = left * _apart(out1, heads, "SBH") + right * _apart(out2, heads, "SBH")
    return _together(mixed, "SBH"), top, total


def _rotary(x: Any, cos: Any, sin: Any, mode: int = 0) -> np.ndarray:
    x, cos, sin = np.asarray(x), np.asarray(cos), np.asarray(sin)
    turned, half = np.zeros(x.shape), x.shape[-1] // 2
    for i in range(half):
        first, second = (i, i + half) if mode == 0 else (2 * i, 2 * i + 1)
        turned[..., first], turned[..., second] = -x[..., second], x[..., first]
    return x * cos + turned * sin


# -------------------------------------------------------------------------------- sparse forms


def _spans(ends: Sequence[int]) -> list[range]:
    begins = [0, *ends[:-1]]
    return [range(int(b), int(e)) for b, e in zip(begins, ends, strict=True)]


def _compress(
    x: Any, weight: Any, size: int, stride: int, *, actual_seq_len: Sequence[int]
) -> np.ndarray:
    x, weight = np.asarray(x), np.asarray(weight)
    items = [
        np.einsum("snd,sn->nd", x[start : start + size], weight)
        for span in _spans(actual_seq_len)
        for start in range(span.start, span.stop - size + 1, stride)
    ]
    return np.array(items)


def _compress_attention(
    q: Any,
    k: Any,
    v: Any,
    scale: float,
    heads: int,
    window: int,
    stride: int,
    block: int,
    count: int,
    *,
    topk_mask: Any = None,
    atten_mask: Any = None,
    actual_seq_qlen: Any,
    actual_cmp_seq_kvlen: Any,
    actual_sel_seq_kvlen: Any,
) -> tuple[np.ndarray, ...]:
    q, k, v = np.asarray(q), np.asarray(k), np.asarray(v)
    share = heads // k.shape[1]
    out = np.zeros((len(q), heads, v.shape[2]))
    top, total = np.zeros((len(q), heads)), np.zeros((len(q), heads))
    named = np.full((len(q), k.shape[1], count), -1)
    blocks = [len(s) for s in _spans(actual_sel_seq_kvlen)]
    for rows, columns, many in zip(
        _spans(actual_seq_qlen), _spans(actual_cmp_seq_kvlen), blocks, strict=True
    ):
        for i, row in enumerate(rows):
            hidden = None if atten_mask is None else np.asarray(atten_mask)[i : i + 1]
            importance = np.zeros((k.shape[1], many))
            for h in range(heads):
                keys, values = k[columns, h // share], v[columns, h // share]
                one = q[row : row + 1, h]
                result = _attend(one, keys, values, scale, 0, hidden)
                out[row, h], top[row, h], total[row, h] = (t[0] for t in result)
                # attention to a key is what comes out for a value of 1 there
                weights = _attend(one, keys, np.eye(len(keys)), scale, 0, hidden)[0][0]
                for j in range(many):
                    for m in range(block // stride):
                        for n in range(window // stride):
                            place = block // stride * j - m - n
                            if 0 <= place < len(keys):
                                importance[h // share, j] += weights[place]
            for group, values in enumerate(importance):
                free = [j for j in range(many) if topk_mask is None or not bool(topk_mask[i, j])]
                best = sorted(free, key=lambda j, values=values: -values[j])[:count]
                named[row, group, : len(best)] = best
    return out, named, _eight(top), _eight(total)


def _select_attention(
    q: Any,
    k: Any,
    v: Any,
    chosen: Any,
    scale: float,
    heads: int,
    size: int,
    count: int,
    *,
    atten_mask: Any = None,
    actual_seq_qlen: Any,
    actual_seq_kvlen: Any,
) -> tuple[np.ndarray, ...]:
    q, k, v, chosen = (np.asarray(t) for t in (q, k, v, chosen))
    share = heads // k.shape[1]
    out = np.zeros((len(q), heads, v.shape[2]))
    top, total = np.zeros((len(q), heads)), np.zeros((len(q), heads))
    for rows, columns in zip(_spans(actual_seq_qlen), _spans(actual_seq_kvlen), strict=True):
        for i, row in enumerate(rows):
            for h in range(heads):
                blocks = set(chosen[row, h // share].tolist())
                hidden = np.array([[p // size not in blocks for p in range(len(columns))]])
                if atten_mask is not None:
                    hidden = hidden | np.asarray(atten_mask)[i : i + 1].astype(bool)
                result = _attend(
                    q[row : row + 1, h],
                    k[columns, h // share],
                    v[columns, h // share],
                    scale,
                    0,
                    hidden,
                )
                out[row, h], top[row, h], total[row, h] = (t[0] for t in result)
    return out, _eight(top), _eight(total)


def _samples(
    q: np.ndarray, k: np.ndarray, layouts: tuple[str, str], ends_q: Any, ends_k: Any, table: Any
) -> list[tuple[list[tuple[int, ...]], np.ndarray]]:
    """The places of the queries of each sample, and its keys."""
    items = []
    batch = len(ends_q) if layouts[0] == "TND" else len(q)
    for b in range(batch):
        if layouts[0] == "TND":
            places: list[tuple[int, ...]] = [(r,) for r in _spans(ends_q)[b]]
        else:
            places = [(b, s) for s in range(_of(ends_q, b, q.shape[1]))]
        if layouts[1] == "TND":
            keys = k[_spans(ends_k)[b]]
        else:
            keys = _whole(k, table)[b] if layouts[1] == "PA_BSND" else k[b]
            keys = keys[: _of(ends_k, b, len(keys))]
        items.append((places, keys[:, 0]))
    return items


def _indexer(
    q: Any,
    k: Any,
    weights: Any,
    *,
    actual_seq_lengths_query: Any = None,
    actual_seq_lengths_key: Any = None,
    block_table: Any = None,
    layout_query: str = "BSND",
    layout_key: str = "BSND",
    sparse_count: int,
    sparse_mode: int = 3,
    return_value: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    q, k, weights = np.asarray(q), np.asarray(k), np.asarray(weights)
    named = np.full((*q.shape[:-2], 1, sparse_count), -1)
    values = np.zeros(named.shape)
    layouts = (layout_query, layout_key)
    ends = (actual_seq_lengths_query, actual_seq_lengths_key)
    for places, keys in _samples(q, k, layouts, *ends, block_table):
        for i, place in enumerate(places):
            seen = len(keys) - len(places) + i + 1 if sparse_mode == 3 else len(keys)
            scores = [
                sum(
                    w * max(0.0, float(head @ key))
                    for w, head in zip(weights[place], q[place], strict=True)
                )
                for key in keys[:seen]
            ]
            best = sorted(range(len(scores)), key=lambda j, s=scores: -s[j])[:sparse_count]
            named[place][0, : len(best)] = best
            values[place][0, : len(best)] = [scores[j] for j in best]
    return named, values if return_value else np.zeros(0)


def _sparse_flash(
    q: Any,
    k: Any,
    v: Any,
    indices: Any,
    scale: float,
    *,
    block_table: Any = None,
    actual_seq_lengths_query: Any = None,
    actual_seq_lengths_kv: Any = None,
    query_rope: Any = None,
    key_rope: Any = None,
    sparse_block_size: int = 1,
    layout_query: str = "BSND",
    layout_kv: str = "BSND",
    sparse_mode: int = 3,
    attention_mode: int = 0,
    return_softmax_lse: bool = False,
) -> tuple[np.ndarray, ...]:
    q, k, v, indices = (np.asarray(t) for t in (q, k, v, indices))
    out = np.zeros(q.shape)
    top, total = np.zeros(q.shape[:-1]), np.zeros(q.shape[:-1])
    if query_rope is not None:
        q, k = np.concatenate((q, query_rope), -1), np.concatenate((k, key_rope), -1)
    rest = (
        (layout_query, layout_kv), actual_seq_lengths_query, actual_seq_lengths_kv, block_table
    )  # fmt: skip
    for (places, keys), (_, values) in zip(
        _samples(q, k, *rest), _samples(q, v, *rest), strict=True
    ):
        for i, place in enumerate(places):
            seen = len(keys) - len(places) + i + 1 if sparse_mode == 3 else len(keys)
            blocks = indices[place][0].tolist()
            size = sparse_block_size
            chosen = [b * size + e for b in blocks if b >= 0 for e in range(size)]
            chosen = [c for c in chosen if c < seen]
            result = _attend(q[place], keys[chosen], values[chosen], scale)
            out[place], top[place], total[place] = result
    if not return_softmax_lse:
        return out, np.zeros(0), np.zeros(0)
    return out, top[:, None], total[:, None]


# -------------------------------------------------------------------------------------- caches


def _paged(
    q: Any,
    keys: Any,
    values: Any,
    table: Any,
    lengths: Any,
    *masks: Any,
    head_num: int,
    scale_value: float,
    kv_head_num: int,
) -> np.ndarray:
    q = np.asarray(q)
    mask = np.asarray(masks[-1]) if masks else None
    keys, values = _whole(keys, table), _whole(values, table)
    out = np.zeros(q.shape)
    for t, h in np.ndindex(len(q), head_num):
        n = int(lengths[t])
        shift = 0
        if mask is not None:
            shift = (mask[t] if mask.ndim == 2 else mask[t, h, 0])[:n]
        own = h // (head_num // kv_head_num)
        out[t, h] = _attend(
            q[t, h][None], keys[t, :n, own], values[t, :n, own], scale_value, shift
        )[0][0]
    return out


def _apply_rotary(
    q: Any, k: Any, cos: Any, sin: Any, positions: Any, *, cos_format: int = 0
) -> tuple[np.ndarray, ...]:
    cos, sin = np.asarray(cos), np.asarray(sin)
    items = []
    for x in (np.asarray(q), np.asarray(k)):
        rows = range(len(x)) if len(cos) == len(x) else [int(p) for p in positions]
        out = [
            _rotary(row.reshape(-1, cos.shape[1]), cos[r], sin[r], cos_format).ravel()
            for row, r in zip(x, rows, strict=True)
        ]
        items.append(np.array(out))
    return tuple(items)


def _group_topk(tokens: Any, numbers: Any, groups: int, k: int, inner: int = 1) -> np.ndarray:
    out = np.zeros(tokens.shape)
    for row, item in zip(np.asarray(tokens), out, strict=True):
        parts = row.reshape(groups, -1)
        worth = [sum(sorted(part.tolist())[-inner:]) for part in parts]
        for g in sorted(range(groups), key=lambda g, w=worth: -w[g])[:k]:
            item.reshape(groups, -1)[g] = parts[g]
    return out


# ------------------------------------------------------------------------------------- experts


def _permute(tokens: Any, experts: Any, count: int | None = None) -> tuple[np.ndarray, ...]:
    tokens, experts = np.asarray(tokens), np.asarray(experts)
    k = experts.size // len(tokens)
    order = sorted(range(experts.size), key=lambda p: experts.ravel()[p])
    where = np.zeros(experts.size, np.int64)
    for place, pair in enumerate(order):
        where[pair] = place
    return tokens[[p // k for p in order[: count or None]]], where


def _unpermute(rows: Any, where: Any, probs: Any = None) -> np.ndarray:
    rows, where = np.asarray(rows), np.asarray(where)
    probs = np.ones((len(where), 1)) if probs is None else np.asarray(probs)
    out = np.zeros((len(probs), rows.shape[1]))
    for t, j in np.ndindex(*probs.shape):
        place = where[t * probs.shape[1] + j]
        if place < len(rows):
            out[t] += probs[t, j] * rows[place]
    return out


def _init_routing(
    x: Any,
    experts: Any,
    active: int,
    capacity: int,
    expert_num: int,
    drop_pad_mode: int,
    flag: int,
    before_capacity: bool,
) -> tuple[np.ndarray, ...]:
    x, experts = np.asarray(x), np.asarray(experts)
    counts = np.array([(experts == e).sum() for e in range(expert_num)])
    if not drop_pad_mode:
        rows, where = _permute(x, experts, active)
        return rows, where, counts.cumsum() if flag == 1 else counts
    assert before_capacity
    out = np.zeros((expert_num, capacity, x.shape[1]))
    where, taken = np.full(experts.size, -1), [0] * expert_num
    for pair, e in enumerate(experts.ravel().tolist()):
        if taken[e] < capacity:
            out[e, taken[e]] = x[pair // experts.shape[1]]
            where[pair] = e * capacity + taken[e]
            taken[e] += 1
    return out, where, counts


def _expert_ends(experts: Any, count: int) -> np.ndarray:
    return np.array([sum(int(e) <= n for e in experts) for n in range(count)])


def _groups(ends: Any, kind: int = 0) -> list[range]:
    ends = [int(e) for e in ends]
    return _spans(np.cumsum(ends).tolist() if kind else ends)


def _gmm(
    x: Any,
    weight: Any,
    bias: Any = None,
    group_list: Any = None,
    group_type: int = 0,
    group_list_type: int = 0,
) -> tuple[np.ndarray]:
    left, right = np.asarray(x[0]), np.asarray(weight[0])
    spans = _groups(group_list, group_list_type)
    if group_type == 2:
        return (np.array([left[:, s] @ right[s] for s in spans]),)
    added = np.zeros((len(spans), right.shape[2])) if bias is None else np.asarray(bias[0])
    return (np.concatenate([left[s] @ right[g] + added[g] for g, s in enumerate(spans)]),)


def _gmm_backward(grad: Any, x: Any, weight: Any, ends: Any) -> tuple[list[Any], ...]:
    given, left, right = (np.asarray(t[0]) for t in (grad, x, weight))
    spans = _groups(ends)
    by_x = np.concatenate([given[s] @ right[g].T for g, s in enumerate(spans)])
    return [by_x], [np.array([left[s].T @ given[s] for s in spans])], []


def _gmm_backward_fusion(grad: Any, weight: Any, ends: Any) -> tuple[list[Any], ...]:
    given, right = np.asarray(grad[0]), np.asarray(weight[0])
    return [np.concatenate([given[s] @ right[g].T for g, s in enumerate(_groups(ends))])], [], []


# ------------------------------------------------------------------------------------ language


def _changes(a: Sequence[int], b: Sequence[int]) -> int:
    """From a to b, by what happens to the last elements."""
    if not a or not b:
        return len(a) + len(b)
    result = _changes(a[:-1], b[:-1]) + (a[-1] != b[-1])
    return min(result, _changes(a[:-1], b) + 1, _changes(a, b[:-1]) + 1)


def _edit_distance(
    places: Any, values: Any, shape: Any, true_places: Any, true_values: Any, true_shape: Any,
    *, normalize: bool = True,
) -> np.ndarray:  # fmt: skip
    rows = max(shape[0], true_shape[0])
    out = np.zeros(rows)
    for row in range(rows):
        said, meant = (
            [int(v) for p, v in zip(where, what, strict=True) if int(p[0]) == row]
            for where, what in ((places, values), (true_places, true_values))
        )
        out[row] = _changes(said, meant)
        if normalize and (said or meant):
            out[row] = out[row] / len(meant) if meant else math.inf
    return out


def _no_repeat(words: Any, logs: Any, *, ngram_size: int = 1) -> np.ndarray:
    words, out = np.asarray(words), np.array(logs.numpy())
    for b, beam in np.ndindex(*words.shape[:2]):
        said, n = words[b, beam].tolist(), ngram_size
        for start in range(len(said) - n + 1):
            if said[start : start + n - 1] == said[len(said) - n + 1 :]:
                out[b, beam, said[start + n - 1]] = np.finfo(out.dtype).min
    return out


def _accidental(classes: Any, sampled: Any, *, num_true: int) -> tuple[np.ndarray, ...]:
    items = [
        (row, place)
        for row, own in enumerate(classes.tolist())
        for place, other in enumerate(sampled.tolist())
        for one in own
        if one == other
    ]
    rows, places = (np.array(t) for t in zip(*items, strict=True))
    return rows, places, np.full(len(items), np.finfo(np.float32).min)


def _sub_and_filter(x: Any, most: int, offset: int) -> tuple[np.ndarray, ...]:
    items = [(v - offset, i) for i, v in enumerate(x.tolist()) if 0 <= v - offset < most]
    return np.array([v for v, _ in items], np.int64), np.array([i for _, i in items], np.int64)


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.flash_attention_score": _flash_attention_score,
    "ops.prompt_flash_attention": _prompt,
    "ops.incre_flash_attention": _incre,
    "ops.fused_infer_attention_score": _fused_infer,
    "ops.speed_fusion_attention": _speed_fusion,
    "ops.ring_attention_update+RingAttentionUpdate": _ring_update,
    "ops.rotary_position_embedding+RotaryPositionEmbedding": _rotary,
    "FlashAttentionScore": _flash_primitive,
    "PromptFlashAttention": _prompt,
    "IncreFlashAttention": _incre,
    "ops.nsa_compress": _compress,
    "ops.nsa_compress_attention": _compress_attention,
    "ops.nsa_select_attention": _select_attention,
    "ops.lightning_indexer": _indexer,
    "ops.sparse_flash_attention": _sparse_flash,
    "ReshapeAndCache": lambda key, *rest: key,
    "PagedAttention": _paged,
    "PagedAttentionMask": _paged,
    "ApplyRotaryPosEmb": _apply_rotary,
    "GroupTopk": _group_topk,
    "ops.moe_token_permute+MoeTokenPermute": _permute,
    "ops.moe_token_unpermute+MoeTokenUnpermute": _unpermute,
    "ops.moe_init_routing_v2+MoeInitRoutingV2": _init_routing,
    "ops.moe_compute_expert_tokens+MoeComputeExpertTokens": _expert_ends,
    "ops.gmm": _gmm,
    "ops.gmm_backward": _gmm_backward,
    "ops.gmm_backward_fusion": _gmm_backward_fusion,
    "EditDistance": _edit_distance,
    "NoRepeatNGram": _no_repeat,
    "ComputeAccidentalHits": _accidental,
    "SubAndFilter": _sub_and_filter,
    # MindSpore 2.10's figures for the sample
    "MapCacheIdx": lambda *a: tuple(np.array(v) for v in ([0, 5], [10, 15], [10, 30], [0, 5])),
    "Identity": lambda x: x,
}
