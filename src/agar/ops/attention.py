"""Attention of several heads, as the Transformer's layers use it."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core import random, random_draws
from agar._core.autodiff import functorch_level
from agar._core.runtime import thread
from agar.ops._layers import layer_face

__all__ = ["multi_head_attention"]

_WHO = "MultiheadAttention"


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
            f"For '{_WHO}', only bool and floating types of {name} are supported, but got "
            f"{str(mask.dtype)[6:]}; convert it with .astype(ms.bool_)."
        )
    return mask if mask.dtype is dtype else mask.to(dtype)


def _checked_mask(name: str, mask: Tensor, *shapes: tuple[int, ...]) -> None:
    if tuple(mask.shape) not in shapes:
        raise ValueError(
            f"For '{_WHO}', The shape of the `{name}` should be "
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
            engine = random.make_engine("lcg", random.next_pair(None, _WHO))
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


#: The face of :func:`_attention`.
multi_head_attention = layer_face(_WHO, _attention, "MultiHeadAttention")
