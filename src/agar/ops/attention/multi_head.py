"""Attention of several heads, as the Transformer's layers use it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core import random
from agar._core.autodiff import functorch_level
from agar._core.errors import missing_feature
from agar._core.random import draws as random_draws
from agar._core.runtime import thread
from agar.ops._layers import layer_binding
from agar.ops.spec import op

__all__ = [
    "attend",
    "heads_second",
    "in_layout",
    "left_out",
    "multi_head_attention",
    "sample_by_sample",
]

_CELL = "MultiheadAttention"


def _project(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    in_proj: Tensor | None,
    parts: tuple[Tensor | None, Tensor | None, Tensor | None],
    bias: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values; one product where they are projections of one tensor."""
    if in_proj is None:
        biases = (None, None, None) if bias is None else bias.chunk(3)
        q, k, v = (
            F.linear(x, w, b)  # type: ignore[arg-type]
            for x, w, b in zip((query, key, value), parts, biases, strict=True)
        )
        return q, k, v
    if key is value:
        if query is key:
            q, k, v = F.linear(query, in_proj, bias).chunk(3, -1)
            return q, k, v
        size = query.shape[-1]
        first, rest = in_proj.split([size, 2 * size])
        b_first, b_rest = (None, None) if bias is None else bias.split([size, 2 * size])
        k, v = F.linear(key, rest, b_rest).chunk(2, -1)
        return F.linear(query, first, b_first), k, v
    weights = in_proj.chunk(3)
    biases = (None, None, None) if bias is None else bias.chunk(3)
    q, k, v = (
        F.linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)
    )
    return q, k, v


def _additive(name: str, mask: Tensor, dtype: torch.dtype) -> Tensor:
    """A mask as numbers to add to the scores: True becomes minus infinity."""
    if mask.dtype is torch.bool or mask.dtype is torch.uint8:
        return torch.zeros_like(mask, dtype=dtype).masked_fill_(mask.bool(), -torch.inf)
    if not mask.is_floating_point():
        raise ValueError(
            f"For '{_CELL}', only bool and floating types of {name} are supported, but got "
            f"{str(mask.dtype)[6:]}; convert it with .astype(ms.bool_)."
        )
    return mask if mask.dtype is dtype else mask.to(dtype)


def _checked_mask(name: str, mask: Tensor, *shapes: tuple[int, ...]) -> None:
    if tuple(mask.shape) not in shapes:
        raise ValueError(
            f"For '{_CELL}', The shape of the `{name}` should be "
            f"{' or '.join(map(str, shapes))}, but got {tuple(mask.shape)}."
        )


def _score_mask(
    attn_mask: Tensor | None,
    key_padding_mask: Tensor | None,
    batch: int,
    heads: int,
    targets: int,
    sources: int,
    dtype: torch.dtype,
) -> Tensor | None:
    """Both masks as one, which broadcasts with scores of shape (batch, heads, targets, sources)."""
    mask = None
    if attn_mask is not None:
        mask = _additive("attn_mask", attn_mask, dtype)
        if mask.ndim == 3:
            mask = mask.view(batch, heads, targets, sources)
    if key_padding_mask is not None:
        padding = _additive("key_padding_mask", key_padding_mask, dtype)
        padding = padding.view(batch, 1, 1, sources)
        mask = padding if mask is None else mask + padding
    return mask


def _extended(mask: Tensor | None, by: int) -> Tensor | None:
    return None if mask is None else F.pad(mask, (0, by))


def _attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    in_proj_weight: Tensor | None,
    q_proj_weight: Tensor | None,
    k_proj_weight: Tensor | None,
    v_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    out_weight: Tensor,
    out_bias: Tensor | None,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    num_heads: int,
    add_zero_attn: bool,
    dropout_p: float,
    need_weights: bool,
    average: bool,
    batch_first: bool,
) -> Any:
    r"""Attention of several heads: the output, and the weights if they are needed.

    .. math::
        head_i = \mathrm{softmax}(Q W_i^Q (K W_i^K)^T / \sqrt{d} + mask) V W_i^V
    """
    parts = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = _project(query, key, value, in_proj_weight, parts, in_proj_bias)
    # (batch, heads, time, features of a head)
    batch_axis = 0 if batch_first else 1
    batch, targets = q.shape[batch_axis], q.shape[1 - batch_axis]
    width = q.shape[2] // num_heads
    sources = k.shape[1 - batch_axis]
    if attn_mask is not None:
        flat, full = (targets, sources), (batch * num_heads, targets, sources)
        _checked_mask("attn_mask", attn_mask, *((full,) if attn_mask.ndim == 3 else (flat,)))
    if key_padding_mask is not None:
        _checked_mask("key_padding_mask", key_padding_mask, (batch, sources))
    if bias_k is not None and bias_v is not None:
        shape = (batch, 1, -1) if batch_first else (1, batch, -1)
        k = torch.cat((k, bias_k.expand(shape)), 1 - batch_axis)
        v = torch.cat((v, bias_v.expand(shape)), 1 - batch_axis)
        attn_mask, key_padding_mask = _extended(attn_mask, 1), _extended(key_padding_mask, 1)
    if add_zero_attn:
        pad = (0, 0, 0, 1) if batch_first else (0, 0, 0, 0, 0, 1)
        k, v = F.pad(k, pad), F.pad(v, pad)
        attn_mask, key_padding_mask = _extended(attn_mask, 1), _extended(key_padding_mask, 1)
    sources = k.shape[1 - batch_axis]  # with what was put before
    order = (0, 2, 1, 3) if batch_first else (1, 2, 0, 3)
    q, k, v = (
        t.reshape(t.shape[0], t.shape[1], num_heads, width).permute(order) for t in (q, k, v)
    )
    mask = _score_mask(attn_mask, key_padding_mask, batch, num_heads, targets, sources, q.dtype)
    weights = None
    if need_weights or dropout_p or len(thread.grad_scopes) > 1 or functorch_level():
        # the scores themselves are needed, or derivatives that the fused kernel does not have
        scores = (q * (1 / math.sqrt(width))) @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores + mask
        weights = torch._safe_softmax(scores, -1)
        if dropout_p:
            # a counter of its own: MindSpore's mask comes from no seed, and does not move the
            # counter of ops.dropout
            engine = random.make_engine("lcg", random.next_pair(None, _CELL))
            weights = random_draws.dropout(weights, 1 - dropout_p, engine)[0]
        mixed = weights @ v
    else:
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    back = (0, 2, 1, 3) if batch_first else (2, 0, 1, 3)
    mixed = mixed.permute(back).flatten(2)
    out = F.linear(mixed, out_weight, out_bias)
    if not need_weights:
        return out
    assert weights is not None
    return out, weights.mean(1) if average else weights


#: The binding of :func:`_attention`.
multi_head_attention = layer_binding(_CELL, _attention, "MultiHeadAttention")


# ------------------------------------------------------------- attention as one operator

_LAYOUTS = ("BSH", "BNSD", "SBH", "BSND", "TND")


def heads_second(x: Tensor, layout: str, heads: int) -> Tensor:
    """A tensor in a layout as (batch, heads, time, features)."""
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return x.transpose(1, 2)
    if layout == "BSH":
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)
    return x.unflatten(-1, (heads, -1)).permute(1, 2, 0, 3)  # SBH


def in_layout(x: Tensor, layout: str) -> Tensor:
    """The way back from :func:`heads_second`."""
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return x.transpose(1, 2)
    if layout == "BSH":
        return x.transpose(1, 2).flatten(2)
    return x.permute(2, 0, 1, 3).flatten(2)


def left_out(
    op_name: str,
    attn_mask: Tensor | None,
    sparse_mode: int,
    pre_tokens: int,
    next_tokens: int,
    targets: int,
    sources: int,
    device: torch.device,
) -> Tensor | None:
    """Where scores do not count, by the mask and the sparse mode."""
    if sparse_mode not in (0, 1, 2, 3, 4):
        raise missing_feature(
            f"{op_name}(sparse_mode={sparse_mode})",
            "prefix masks are a feature of Ascend's kernel",
            "attn_mask with sparse_mode=0",
        )
    rows = torch.arange(targets, device=device)[:, None]
    columns = torch.arange(sources, device=device)
    if sparse_mode in (2, 3):  # causal, from the upper left or from the lower right corner
        return columns > rows + (sources - targets if sparse_mode == 3 else 0)
    if sparse_mode == 4:  # a band, counted from the lower right corner
        offset = columns - rows - (sources - targets)
        return (offset > next_tokens) | (offset < -pre_tokens)
    if attn_mask is None:
        return None
    mask = attn_mask.bool()
    if tuple(mask.shape[-2:]) != (targets, sources):
        raise ValueError(
            f"For '{op_name}', the last two axes of 'attn_mask' must be {(targets, sources)}, but "
            f"got shape {tuple(mask.shape)}."
        )
    if sparse_mode == 0:
        offset = columns - rows
        mask = mask | (offset > next_tokens) | (offset < -pre_tokens)
    return mask


def attend(
    op_name: str,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    scale: float,
    out: Tensor | None = None,
    causal: bool = False,
    bias: Tensor | None = None,
    keep_prob: float = 1.0,
) -> Tensor:
    """Attention over tensors of shape (batch, heads, time, features).

    Keys and values may have fewer heads, a divisor of those of the queries. `out` says where
    scores do not count, `causal` leaves out what comes later; a row in which nothing counts gives
    zeros. `bias` is added to the scores.
    """
    if keep_prob == 1 and len(thread.grad_scopes) < 2 and not functorch_level():
        mask = None if out is None else ~out
        if bias is not None:
            mask = bias.to(q.dtype)
            mask = mask if out is None else mask.masked_fill(out, -torch.inf)
        return F.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=mask,
            is_causal=causal,
            scale=float(scale),
            enable_gqa=k.shape[1] != q.shape[1],
        )
    # the weights themselves are needed, or derivatives that the fused kernel does not have
    if k.shape[1] != q.shape[1]:
        times = q.shape[1] // k.shape[1]
        k, v = (t.repeat_interleave(times, 1) for t in (k, v))
    scores = (q * scale) @ k.transpose(-2, -1)
    if bias is not None:
        scores = scores + bias
    if causal:
        out = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
    if out is not None:
        scores = scores.masked_fill(out, -torch.inf)
    weights = torch._safe_softmax(scores, -1)
    if keep_prob < 1:
        engine = random.make_engine("lcg", random.next_pair(None, op_name))
        weights = random_draws.dropout(weights, keep_prob, engine)[0]
    return weights @ v


@op(
    samples=(
        "f(2, 3, 4, 5), f(2, 3, 6, 5), f(2, 3, 6, 5), 3, scalar_value=0.5, input_layout='BNSD'",
        "f(2, 3, 4, 5), f(2, 3, 6, 5), f(2, 3, 6, 5), 3, f(1, 3, 4, 6), input_layout='BNSD'",
        "f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, sparse_mode=2",
        "f(4, 2, 6), f(5, 2, 6), f(5, 2, 6), 3, input_layout='SBH', sparse_mode=3",
        "f(7, 2, 4), f(7, 1, 4), f(7, 1, 4), 2, actual_seq_qlen=(3, 7), "
        "actual_seq_kvlen=(3, 7), input_layout='TND', sparse_mode=3",
    ),
    errors=(
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, input_layout='HSB'", ValueError, "input_layout"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 4", ValueError, "head_num"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, keep_prob=0.0", ValueError, "keep_prob"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, attn_mask=b(3, 3)", ValueError, "attn_mask"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, sparse_mode=5", NotImplementedError, "prefix"),
        ("f(7, 2, 4), f(7, 2, 4), f(7, 2, 4), 2, input_layout='TND'", ValueError, "actual_seq"),
    ),
)
def flash_attention_score(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    real_shift: Tensor | None = None,
    drop_mask: Tensor | None = None,
    padding_mask: Tensor | None = None,
    attn_mask: Tensor | None = None,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    keep_prob: float = 1.0,
    scalar_value: float = 1.0,
    pre_tokens: int = 2147483647,
    next_tokens: int = 2147483647,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> Tensor:
    r"""Attention of several heads, after the projections.

    .. math::
        out = \mathrm{dropout}(\mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift))) V

    B is the batch, S the time, N the number of heads, D the features of a head, H = N D, and T the
    time of all samples one behind the other. Keys and values may have fewer heads, a divisor of
    those of the queries.

    Args:
        query (Tensor): shape as `input_layout` says.
        key (Tensor): likewise.
        value (Tensor): likewise.
        head_num (int): the number of heads of `query`.
        real_shift (Tensor): added to the scores, of a shape that broadcasts with
            :math:`(B, N, S_1, S_2)`. Default: None.
        drop_mask (Tensor): must be None: dropout draws its own mask. Default: None.
        padding_mask (Tensor): must be None. Default: None.
        attn_mask (Tensor): where nonzero, a score does not count; a shape that broadcasts with
            :math:`(B, N, S_1, S_2)`. Modes 2 to 4 do not read it. Default: None.
        prefix (Union[Tensor, tuple[int]]): must be None. Default: None.
        actual_seq_qlen (Union[Tensor, tuple[int]]): for layout TND, where the samples of `query`
            end. Default: None.
        actual_seq_kvlen (Union[Tensor, tuple[int]]): the same for `key`. Default: None.
        keep_prob (float): one minus the probability of zero for attention weights. Default: 1.0.
        scalar_value (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in modes 0 (with a mask) and 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 2147483647.
        inner_precise (int): accepted for compatibility. Default: 0.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"SBH"``, ``"BSND"`` or ``"TND"``.
            Default: ``"BSH"``.
        sparse_mode (int): 0 and 1: `attn_mask`; 2: causal from the upper left corner; 3: causal
            from the lower right corner; 4: a band from there. Default: 0.

    Returns: Tensor in the layout of `query`.
    Raises ValueError: the layout is unknown, a number out of range, or a shape does not fit.
    Raises NotImplementedError: a feature of Ascend's kernel is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((2, 4, 8), ms.float32)
    >>> ms.ops.flash_attention_score(x, x, x, head_num=2, sparse_mode=2).shape
    (2, 4, 8)
    """
    op_name = "flash_attention_score"
    if input_layout not in _LAYOUTS:
        raise ValueError(
            f"For '{op_name}', 'input_layout' must be in {list(_LAYOUTS)}, but got "
            f"{input_layout!r}."
        )
    for name, given in (
        ("drop_mask", drop_mask),
        ("prefix", prefix),
        ("padding_mask", padding_mask),
    ):
        if given is not None:
            raise missing_feature(
                f"ops.{op_name}({name}=...)",
                "its format is that of Ascend's kernel",
                "attn_mask for masks, keep_prob for dropout",
            )
    if not 0 < keep_prob <= 1:
        raise ValueError(f"For '{op_name}', 'keep_prob' must be in (0, 1], but got {keep_prob}.")
    joined = "H" in input_layout  # heads and their features on one axis
    axis = 2 if input_layout == "BSND" else 1
    if query.shape[-1] % head_num if joined else query.shape[axis] != head_num:
        raise ValueError(
            f"For '{op_name}', 'head_num' {head_num} does not fit 'query' of shape "
            f"{tuple(query.shape)} in layout {input_layout}."
        )
    width = query.shape[-1] // head_num if joined else query.shape[-1]

    def one(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        targets, sources = q.shape[2], k.shape[2]
        causal = sparse_mode == 2 or (sparse_mode == 3 and targets == sources)
        if causal and real_shift is None:
            return attend(op_name, q, k, v, scale=scalar_value, causal=True, keep_prob=keep_prob)
        out = left_out(
            op_name, attn_mask, sparse_mode, pre_tokens, next_tokens, targets, sources, q.device
        )
        return attend(
            op_name, q, k, v, scale=scalar_value, out=out, bias=real_shift, keep_prob=keep_prob
        )

    if input_layout == "TND":
        return sample_by_sample(op_name, one, query, key, value, actual_seq_qlen, actual_seq_kvlen)
    q = heads_second(query, input_layout, head_num)
    k, v = (heads_second(t, input_layout, t.shape[-1] // width) for t in (key, value))
    return in_layout(one(q, k, v), input_layout)


def sample_by_sample(
    op_name: str,
    attend: Callable[[Tensor, Tensor, Tensor], Tensor],
    query: Tensor,
    key: Tensor,
    value: Tensor,
    query_ends: Any,
    key_ends: Any,
) -> Tensor:
    """Attention over samples that stand one behind the other along the first axis."""
    if query_ends is None or key_ends is None or len(query_ends) != len(key_ends):
        raise ValueError(
            f"For '{op_name}' in layout TND, 'actual_seq_qlen' and 'actual_seq_kvlen' must both be "
            "given, with one end for each sample."
        )
    outputs = []
    first_q = first_k = 0
    for end_q, end_k in zip(query_ends, key_ends, strict=True):
        parts = (query[first_q:end_q], key[first_k:end_k], value[first_k:end_k])
        q, k, v = (t.transpose(0, 1).unsqueeze(0) for t in parts)
        outputs.append(attend(q, k, v)[0].transpose(0, 1))
        first_q, first_k = end_q, end_k
    return torch.cat(outputs)
