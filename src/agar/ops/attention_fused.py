"""Attention of several heads under the names that MindSpore has for inference and training.

All of them are ``softmax(scale * Q K^T + shift) V`` under a mask; they differ in their arguments.
Numbers in eight bits with their scales, and prefixes that samples share, are formats of Ascend's
kernels that MindSpore does not describe: they raise NotImplementedError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core import random
from agar._core.errors import missing_feature
from agar.ops._checks import between, choice, integer
from agar.ops.attention import (
    attend,
    heads_second,
    in_layout,
    left_out,
    sample_by_sample,
)
from agar.ops.spec import op, primitive

__all__: list[str] = []

_WIDEST = 2147483647
_LAYOUTS = ("BSH", "BNSD")
_ROWS_AT_ONCE = 1024  # of scores that are held whole


def _not_quantised(who: str, given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value is not None:
            raise missing_feature(
                f"ops.{who}({name}=...)",
                "its format is that of Ascend's kernel",
                "floating query, key and value, and quantisation before and after the call",
            )


def _head_counts(who: str, heads: Any, kv_heads: Any) -> tuple[int, int]:
    count = integer(who, "num_heads", heads, 1)
    of_keys = integer(who, "num_key_value_heads", kv_heads, 0) or count
    if count % of_keys:
        raise ValueError(
            f"For '{who}', 'num_heads' {count} must be divisible by 'num_key_value_heads' "
            f"{of_keys}."
        )
    return count, of_keys


def _in_heads(who: str, name: str, x: Tensor, layout: str, heads: int) -> Tensor:
    """A tensor in a layout as (batch, heads, time, features), checked."""
    joined = "H" in layout
    axis = 2 if layout == "BSND" else 1
    good = x.ndim == (3 if joined else 4) and (
        x.shape[-1] % heads == 0 if joined else x.shape[axis] == heads
    )
    if not good:
        raise ValueError(
            f"For '{who}', '{name}' of shape {tuple(x.shape)} does not fit {heads} heads in "
            f"layout {layout}."
        )
    return heads_second(x, layout, heads)


def _lengths(who: str, name: str, value: Any, batch: int, device: torch.device) -> Tensor | None:
    """Lengths of the samples as a column that broadcasts with the scores; None where not given."""
    if value is None:
        return None
    found = torch.as_tensor(value, dtype=torch.int64, device=device).reshape(-1)
    if found.numel() not in (1, batch):
        raise ValueError(
            f"For '{who}', the size of '{name}' must be 1 or the batch size {batch}, but got "
            f"{found.numel()}."
        )
    return found.reshape(-1, 1, 1, 1)


def _four_axes(who: str, name: str, mask: Tensor) -> Tensor:
    """A mask of shape (S1, S2), (B, S1, S2) or (B, 1, S1, S2) with four axes."""
    if mask.ndim == 3:
        return mask.unsqueeze(1)
    if mask.ndim not in (2, 4):
        raise ValueError(
            f"For '{who}', '{name}' must have 2, 3 or 4 axes, but got shape {tuple(mask.shape)}."
        )
    return mask


def _full_mask(
    who: str,
    mask: Tensor | None,
    mode: int,
    before: int,
    after: int,
    q: Tensor,
    k: Tensor,
    q_lengths: Tensor | None,
    k_lengths: Tensor | None,
) -> Tensor | None:
    """Where scores do not count, for samples of different lengths at the start of their rows."""
    targets, sources = q.shape[2], k.shape[2]
    if mask is not None:
        mask = _four_axes(who, "attn_mask", mask)
    out = None
    if q_lengths is None and k_lengths is None:
        return left_out(who, mask, mode, before, after, targets, sources, q.device)
    rows = torch.arange(targets, device=q.device)[:, None]
    columns = torch.arange(sources, device=q.device)
    ends_q = targets if q_lengths is None else q_lengths
    ends_k = sources if k_lengths is None else k_lengths
    if mode in (3, 4):  # the lower right corner is that of each sample
        offset = columns - rows - (ends_k - ends_q)
        out = offset > 0 if mode == 3 else (offset > after) | (offset < -before)
    else:
        out = left_out(who, mask, mode, before, after, targets, sources, q.device)
    if k_lengths is not None:
        beyond = columns >= k_lengths
        out = beyond if out is None else out | beyond
    return out


def _attend_shifted(
    who: str,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float,
    out: Tensor | None,
    shift: Tensor | None,
    q_lengths: Tensor | None,
) -> Tensor:
    if shift is not None:  # it may be larger than the scores
        shift = shift[..., : q.shape[2], : k.shape[2]]
    found = attend(who, q, k, v, scale=scale, out=out, bias=shift)
    if q_lengths is not None:
        rows = torch.arange(q.shape[2], device=q.device)[:, None]
        found = found.masked_fill(rows >= q_lengths, 0)
    return found


@op(
    primitive="PromptFlashAttention(num_heads, scale_value, pre_tokens, next_tokens, "
    "input_layout, num_key_value_heads, sparse_mode, inner_precise)",
    samples=(
        "f(2, 3, 4, 8), f(2, 3, 6, 8), f(2, 3, 6, 8), num_heads=3, input_layout='BNSD'",
        "f(2, 4, 6), f(2, 5, 6), f(2, 5, 6), b(4, 5), num_heads=3, scale_value=0.5, next_tokens=2",
        "f(2, 4, 8), f(2, 4, 4), f(2, 4, 4), None, [2, 4], [3, 4], num_heads=4, "
        "num_key_value_heads=2, sparse_mode=3",
        "f(2, 4, 6), f(2, 5, 6), f(2, 5, 6), b(2, 4, 5), None, [5], f(1, 3, 4, 5), num_heads=3",
    ),
    errors=(
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), input_layout='SBH'", ValueError, "input_layout"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), num_heads=4", ValueError, "heads"),
        (
            "f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), num_heads=6, num_key_value_heads=4",
            ValueError,
            "divisible",
        ),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), sparse_mode=5", NotImplementedError, "prefix"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), quant_scale2=f(1)", NotImplementedError, "quant"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), None, [1, 2, 3]", ValueError, "batch"),
    ),
)
def prompt_flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    pse_shift: Tensor | None = None,
    deq_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    deq_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    num_heads: int = 1,
    scale_value: float = 1.0,
    pre_tokens: int = _WIDEST,
    next_tokens: int = 0,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
) -> Tensor:
    r"""Attention of several heads over whole sequences, for inference.

    .. math::
        out = \mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift)) V

    B is the batch, S the time, N the number of heads, D the features of a head, H = N D. Any
    floating type and any sizes will do.

    Args:
        query (Tensor): shape :math:`(B, S_1, H)` or :math:`(B, N, S_1, D)`.
        key (Tensor): shape :math:`(B, S_2, H_2)` or :math:`(B, N_2, S_2, D)`.
        value (Tensor): of the shape of `key`.
        attn_mask (Tensor): where nonzero, a score does not count: shape :math:`(S_1, S_2)`,
            :math:`(B, S_1, S_2)` or :math:`(B, 1, S_1, S_2)`; not read in modes 2 to 4.
            Default: None.
        actual_seq_lengths (Union[Tensor, tuple[int], list[int]]): the lengths of the samples of
            `query`; what follows them is zero in the result. Default: None.
        actual_seq_lengths_kv (Union[Tensor, tuple[int], list[int]]): those of `key`; what follows
            does not count. Default: None.
        pse_shift (Tensor): added to the scores, shape :math:`(B, N, S_1, S_2)` or
            :math:`(1, N, S_1, S_2)` or larger. Default: None.
        deq_scale1 (Tensor): must be None. Default: None.
        quant_scale1 (Tensor): must be None. Default: None.
        deq_scale2 (Tensor): must be None. Default: None.
        quant_scale2 (Tensor): must be None. Default: None.
        quant_offset2 (Tensor): must be None. Default: None.
        num_heads (int): the heads of `query`. Default: 1.
        scale_value (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in mode 0 with a mask and in mode 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 0.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        num_key_value_heads (int): the heads of `key`, 0 for those of `query`. Default: 0.
        sparse_mode (int): 0 and 1: `attn_mask`; 2: causal from the upper left corner; 3: causal
            from the lower right corner; 4: a band from there. Default: 0.
        inner_precise (int): kept for compatibility. Default: 1.

    Returns: Tensor of the shape and type of `query`.
    Raises ValueError: the layout is unknown, or heads, lengths or shapes do not fit.
    Raises NotImplementedError: quantisation or a prefix mask is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((1, 2, 4, 8), ms.float16)
    >>> ms.ops.prompt_flash_attention(x, x, x, num_heads=2, input_layout="BNSD").shape
    (1, 2, 4, 8)
    """
    who = "prompt_flash_attention"
    choice(who, "input_layout", input_layout, _LAYOUTS)
    _not_quantised(
        who,
        {
            "deq_scale1": deq_scale1,
            "quant_scale1": quant_scale1,
            "deq_scale2": deq_scale2,
            "quant_scale2": quant_scale2,
            "quant_offset2": quant_offset2,
        },
    )
    heads, of_keys = _head_counts(who, num_heads, num_key_value_heads)
    q = _in_heads(who, "query", query, input_layout, heads)
    k = _in_heads(who, "key", key, input_layout, of_keys)
    v = _in_heads(who, "value", value, input_layout, of_keys)
    q_lengths = _lengths(who, "actual_seq_lengths", actual_seq_lengths, q.shape[0], q.device)
    k_lengths = _lengths(who, "actual_seq_lengths_kv", actual_seq_lengths_kv, q.shape[0], q.device)
    out = _full_mask(
        who, attn_mask, sparse_mode, pre_tokens, next_tokens, q, k, q_lengths, k_lengths
    )
    return in_layout(
        _attend_shifted(who, q, k, v, scale_value, out, pse_shift, q_lengths), input_layout
    )


def _one_tensor(who: str, name: str, parts: Any) -> tuple[Tensor, Tensor | None]:
    """Keys or values in one tensor with their lengths, from one tensor for each sample."""
    if len(parts) == 1:
        return parts[0], None
    axis = parts[0].ndim - 2
    longest = max(p.shape[axis] for p in parts)
    padded = [torch.nn.functional.pad(p, (0, 0, 0, longest - p.shape[axis])) for p in parts]
    if any(p.shape[0] != 1 for p in parts):
        raise ValueError(
            f"For '{who}', several tensors in '{name}' must have a batch of 1 each, but got shapes "
            f"{[tuple(p.shape) for p in parts]}."
        )
    lengths = torch.tensor([p.shape[axis] for p in parts], device=parts[0].device)
    return torch.cat(padded), lengths.reshape(-1, 1, 1, 1)


def _from_blocks(who: str, x: Tensor, table: Tensor, heads: int) -> Tensor:
    """Keys or values that lie in blocks, as (batch, heads, time, features)."""
    if x.ndim not in (3, 4) or table.ndim != 2:
        raise ValueError(
            f"For '{who}', blocks must have shape (blocks, size, H) or (blocks, N, size, D) and "
            f"'block_table' two axes, but got shapes {tuple(x.shape)} and {tuple(table.shape)}."
        )
    found = x[table.long().clamp(0, x.shape[0] - 1)]  # (batch, places, ...)
    if x.ndim == 3:
        return found.flatten(1, 2).unflatten(-1, (heads, -1)).transpose(1, 2)
    return found.transpose(1, 2).flatten(2, 3)


def _one_step(
    who: str,
    query: Tensor,
    key: Sequence[Tensor],
    value: Sequence[Tensor],
    mask: Tensor | None,
    lengths: Any,
    shift: Tensor | None,
    table: Tensor | None,
    padding: Tensor | None,
    heads: int,
    of_keys: int,
    scale: float,
    layout: str,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """Attention of one new position: queries, keys, values in heads, and where nothing counts."""
    q = _in_heads(who, "query", query, layout, heads)
    if q.shape[2] != 1:
        raise ValueError(
            f"For '{who}', the time of 'query' must be 1, but got shape {tuple(query.shape)}."
        )
    batch = q.shape[0]
    counts = _lengths(who, "actual_seq_lengths", lengths, batch, q.device)
    if table is not None:
        k, v = (_from_blocks(who, x[0], table, of_keys) for x in (key, value))
    else:
        joined, own = _one_tensor(who, "key", key)
        k = _in_heads(who, "key", joined, layout, of_keys)
        v = _in_heads(who, "value", _one_tensor(who, "value", value)[0], layout, of_keys)
        counts = own if counts is None else counts
    sources = k.shape[2]
    columns = torch.arange(sources, device=q.device)
    out = None
    if mask is not None:
        if mask.ndim not in (2, 3, 4) or mask.shape[-1] != sources:
            raise ValueError(
                f"For '{who}', 'attn_mask' must have shape (B, S), (B, 1, S) or (B, 1, 1, S) with "
                f"S = {sources}, but got {tuple(mask.shape)}."
            )
        out = mask.bool().reshape(mask.shape[0], 1, 1, sources)
    if counts is not None:
        if padding is not None:  # the samples end before the padding
            end = sources - padding.reshape(-1)[0].clamp(min=0)
            start = end - counts
            beyond = (columns < start) | (columns >= end) | (start < 0)
        else:
            beyond = columns >= counts
        out = beyond if out is None else out | beyond
    return q, k, v, out


@op(
    samples=(
        "f(2, 1, 8), [f(2, 5, 4)], [f(2, 5, 4)], num_heads=4, num_key_value_heads=2",
        "f(2, 2, 1, 4), [f(2, 2, 5, 4)], [f(2, 2, 5, 4)], b(2, 5), [3, 5], num_heads=2, "
        "input_layout='BNSD', scale_value=0.5",
        "f(2, 1, 4), [f(1, 5, 4), f(1, 3, 4)], [f(1, 5, 4), f(1, 3, 4)], num_heads=2",
        "f(2, 1, 4), [f(5, 4, 4)], [f(5, 4, 4)], actual_seq_lengths=[6, 3], num_heads=2, "
        "block_table=torch.tensor([[3, 1], [4, 0]]).int(), block_size=4",
        "f(2, 1, 4), [f(2, 5, 4)], [f(2, 5, 4)], None, [3, 2], num_heads=2, "
        "kv_padding_size=torch.tensor(1)",
    ),
    errors=(
        ("f(2, 3, 4), [f(2, 5, 4)], [f(2, 5, 4)]", ValueError, "time"),
        ("f(2, 1, 4), [f(2, 5, 4)], [f(2, 5, 4)], b(2, 4)", ValueError, "attn_mask"),
        (
            "f(2, 1, 4), [f(2, 5, 4)], [f(2, 5, 4)], antiquant_scale=f(2, 4)",
            NotImplementedError,
            "antiquant_scale",
        ),
        ("f(2, 1, 4), [f(2, 5, 4), f(2, 3, 4)], [f(2, 5, 4)]", ValueError, "batch"),
    ),
)
def incre_flash_attention(
    query: Tensor,
    key: Sequence[Tensor],
    value: Sequence[Tensor],
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Any = None,
    pse_shift: Tensor | None = None,
    dequant_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    block_table: Tensor | None = None,
    num_heads: int = 1,
    input_layout: str = "BSH",
    scale_value: float = 1.0,
    num_key_value_heads: int = 0,
    block_size: int = 0,
    inner_precise: int = 1,
    kv_padding_size: Tensor | None = None,
) -> Tensor:
    r"""Attention of one new position over all earlier ones, for inference step by step.

    .. math::
        out = \mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift)) V

    Args:
        query (Tensor): shape :math:`(B, 1, H)` or :math:`(B, N, 1, D)`.
        key (Union[tuple[Tensor], list[Tensor]]): one tensor of shape :math:`(B, S, H_2)` or
            :math:`(B, N_2, S, D)`; or one for each sample, with a batch of 1.
        value (Union[tuple[Tensor], list[Tensor]]): likewise.
        attn_mask (Tensor): where nonzero, a key does not count: shape :math:`(B, S)`,
            :math:`(B, 1, S)` or :math:`(B, 1, 1, S)`. Default: None.
        actual_seq_lengths (Union[Tensor, tuple[int], list[int]]): how many keys count, for each
            sample or for all. Default: None.
        pse_shift (Tensor): added to the scores, shape :math:`(B, N, 1, S)` or
            :math:`(1, N, 1, S)`. Default: None.
        dequant_scale1 (Tensor): must be None. Default: None.
        quant_scale1 (Tensor): must be None. Default: None.
        dequant_scale2 (Tensor): must be None. Default: None.
        quant_scale2 (Tensor): must be None. Default: None.
        quant_offset2 (Tensor): must be None. Default: None.
        antiquant_scale (Tensor): must be None. Default: None.
        antiquant_offset (Tensor): must be None. Default: None.
        block_table (Tensor): where the blocks of each sample lie, shape :math:`(B, M)`; keys and
            values then have shape ``(blocks, block_size, H)`` or ``(blocks, N, block_size, D)``.
            Default: None.
        num_heads (int): the heads of `query`. Default: 1.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        scale_value (float): the factor s. Default: 1.0.
        num_key_value_heads (int): the heads of `key`, 0 for those of `query`. Default: 0.
        block_size (int): kept for compatibility: the shape of `key` says it. Default: 0.
        inner_precise (int): kept for compatibility. Default: 1.
        kv_padding_size (Tensor): how many keys behind a sample do not count, with
            `actual_seq_lengths`; without room for the sample the result is zero. Default: None.

    Returns: Tensor of the shape and type of `query`.
    Raises ValueError: the layout is unknown, or heads, lengths or shapes do not fit.
    Raises NotImplementedError: quantisation is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> q, k = ms.ops.ones((1, 1, 8)), ms.ops.ones((1, 5, 4))
    >>> ms.ops.incre_flash_attention(q, [k], [k], num_heads=2, num_key_value_heads=1).shape
    (1, 1, 8)
    """
    who = "incre_flash_attention"
    choice(who, "input_layout", input_layout, _LAYOUTS)
    _not_quantised(
        who,
        {
            "dequant_scale1": dequant_scale1,
            "quant_scale1": quant_scale1,
            "dequant_scale2": dequant_scale2,
            "quant_scale2": quant_scale2,
            "quant_offset2": quant_offset2,
            "antiquant_scale": antiquant_scale,
            "antiquant_offset": antiquant_offset,
        },
    )
    heads, of_keys = _head_counts(who, num_heads, num_key_value_heads)
    q, k, v, out = _one_step(
        who,
        query,
        key,
        value,
        attn_mask,
        actual_seq_lengths,
        pse_shift,
        block_table,
        kv_padding_size,
        heads,
        of_keys,
        scale_value,
        input_layout,
    )
    return in_layout(_attend_shifted(who, q, k, v, scale_value, out, pse_shift, None), input_layout)


def _log_sum(q: Tensor, k: Tensor, scale: float, out: Tensor | None, bias: Tensor | None) -> Tensor:
    """The logarithm of the softmax's denominator, shape (batch, heads, time, 1), in float32."""
    if k.shape[1] != q.shape[1]:
        k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
    scores = (q.float() * scale) @ k.float().transpose(-2, -1)
    if bias is not None:
        scores = scores + bias[..., : q.shape[2], : k.shape[2]].float()
    if out is not None:
        scores = scores.masked_fill(out, -torch.inf)
    return scores.logsumexp(-1, keepdim=True)


@op(
    samples=(
        "f(2, 4, 6), f(2, 5, 6), f(2, 5, 6), num_heads=3, softmax_lse_flag=True",
        "f(2, 3, 4, 8), [f(2, 3, 6, 8)], [f(2, 3, 6, 8)], num_heads=3, "
        "input_layout='BNSD_BSND', atten_mask=b(4, 6), scale=0.5",
        "f(2, 4, 2, 8), f(2, 6, 1, 8), f(2, 6, 1, 8), num_heads=2, num_key_value_heads=1, "
        "input_layout='BSND', actual_seq_lengths=[2, 4], actual_seq_lengths_kv=[4, 6], "
        "sparse_mode=3",
        "f(2, 1, 8), f(2, 5, 8), f(2, 5, 8), num_heads=2, atten_mask=b(2, 5), "
        "actual_seq_lengths_kv=[3, 5], softmax_lse_flag=True",
    ),
    errors=(
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), input_layout='SBH'", ValueError, "input_layout"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), num_heads=4", ValueError, "heads"),
        (
            "f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), key_shared_prefix=f(2)",
            NotImplementedError,
            "prefix",
        ),
    ),
)
def fused_infer_attention_score(
    query: Tensor,
    key: Tensor | Sequence[Tensor],
    value: Tensor | Sequence[Tensor],
    *,
    pse_shift: Tensor | None = None,
    atten_mask: Tensor | None = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    dequant_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    key_antiquant_scale: Tensor | None = None,
    key_antiquant_offset: Tensor | None = None,
    value_antiquant_scale: Tensor | None = None,
    value_antiquant_offset: Tensor | None = None,
    block_table: Tensor | None = None,
    query_padding_size: Tensor | None = None,
    kv_padding_size: Tensor | None = None,
    key_shared_prefix: Tensor | None = None,
    value_shared_prefix: Tensor | None = None,
    actual_shared_prefix_len: Any = None,
    num_heads: int = 1,
    scale: float = 1.0,
    pre_tokens: int = _WIDEST,
    next_tokens: int = _WIDEST,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
    block_size: int = 0,
    antiquant_mode: int = 0,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
) -> tuple[Tensor, Tensor]:
    r"""Attention of several heads for inference, over whole sequences or of one new position.

    .. math::
        out = \mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift)) V

    Where the time of `query` is 1, this is :func:`ops.incre_flash_attention`, otherwise
    :func:`ops.prompt_flash_attention`.

    Args:
        query (Tensor): shape as `input_layout` says.
        key (Union[Tensor, tuple[Tensor], list[Tensor]]): likewise; one tensor, or for one new
            position one for each sample.
        value (Union[Tensor, tuple[Tensor], list[Tensor]]): likewise.
        pse_shift (Tensor): added to the scores, of a shape that broadcasts with
            :math:`(B, N, S_1, S_2)`. Default: None.
        atten_mask (Tensor): where nonzero, a score does not count. Default: None.
        actual_seq_lengths (Union[Tensor, tuple[int], list[int]]): the lengths of the samples of
            `query`. Default: None.
        actual_seq_lengths_kv (Union[Tensor, tuple[int], list[int]]): those of `key`.
            Default: None.
        dequant_scale1 (Tensor): must be None. Default: None.
        quant_scale1 (Tensor): must be None. Default: None.
        dequant_scale2 (Tensor): must be None. Default: None.
        quant_scale2 (Tensor): must be None. Default: None.
        quant_offset2 (Tensor): must be None. Default: None.
        antiquant_scale (Tensor): must be None. Default: None.
        antiquant_offset (Tensor): must be None. Default: None.
        key_antiquant_scale (Tensor): must be None. Default: None.
        key_antiquant_offset (Tensor): must be None. Default: None.
        value_antiquant_scale (Tensor): must be None. Default: None.
        value_antiquant_offset (Tensor): must be None. Default: None.
        block_table (Tensor): where blocks of keys lie, for one new position. Default: None.
        query_padding_size (Tensor): must be None. Default: None.
        kv_padding_size (Tensor): how many keys behind a sample do not count, for one new position.
            Default: None.
        key_shared_prefix (Tensor): must be None. Default: None.
        value_shared_prefix (Tensor): must be None. Default: None.
        actual_shared_prefix_len (Union[Tensor, tuple[int], list[int]]): must be None.
            Default: None.
        num_heads (int): the heads of `query`. Default: 1.
        scale (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in mode 0 with a mask and in mode 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 2147483647.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"BSND"`` or ``"BNSD_BSND"``: the result in
            BSND. Default: ``"BSH"``.
        num_key_value_heads (int): the heads of `key`, 0 for those of `query`. Default: 0.
        sparse_mode (int): as in :func:`ops.prompt_flash_attention`. Default: 0.
        inner_precise (int): kept for compatibility. Default: 1.
        block_size (int): kept for compatibility. Default: 0.
        antiquant_mode (int): kept for compatibility. Default: 0.
        key_antiquant_mode (int): kept for compatibility. Default: 0.
        value_antiquant_mode (int): kept for compatibility. Default: 0.
        softmax_lse_flag (bool): whether to return the logarithms of the softmax's denominators.
            Default: False.

    Returns: tuple of the attention, and the logarithms in float32 of shape :math:`(B, N, S_1, 1)`,
        a zero of shape (1,) if they are not asked for.
    Raises ValueError: the layout is unknown, or heads, lengths or shapes do not fit.
    Raises NotImplementedError: quantisation or a shared prefix is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((1, 4, 8), ms.float16)
    >>> out, lse = ms.ops.fused_infer_attention_score(x, x, x, num_heads=2)
    >>> out.shape, lse.shape
    ((1, 4, 8), (1,))
    """
    who = "fused_infer_attention_score"
    choice(who, "input_layout", input_layout, ("BSH", "BNSD", "BSND", "BNSD_BSND"))
    _not_quantised(
        who,
        {
            "dequant_scale1": dequant_scale1,
            "quant_scale1": quant_scale1,
            "dequant_scale2": dequant_scale2,
            "quant_scale2": quant_scale2,
            "quant_offset2": quant_offset2,
            "antiquant_scale": antiquant_scale,
            "antiquant_offset": antiquant_offset,
            "key_antiquant_scale": key_antiquant_scale,
            "key_antiquant_offset": key_antiquant_offset,
            "value_antiquant_scale": value_antiquant_scale,
            "value_antiquant_offset": value_antiquant_offset,
        },
    )
    for name, given in (
        ("query_padding_size", query_padding_size),
        ("key_shared_prefix", key_shared_prefix),
        ("value_shared_prefix", value_shared_prefix),
        ("actual_shared_prefix_len", actual_shared_prefix_len),
    ):
        if given is not None:
            raise missing_feature(
                f"ops.{who}({name}=...)",
                "MindSpore describes neither right-aligned queries nor shared prefixes",
                "samples at the start of their rows, with the prefix in front of their keys",
            )
    layout, _, layout_out = input_layout.partition("_")
    heads, of_keys = _head_counts(who, num_heads, num_key_value_heads)
    keys = [key] if isinstance(key, Tensor) else list(key)
    values = [value] if isinstance(value, Tensor) else list(value)
    q = _in_heads(who, "query", query, layout, heads)
    q_lengths = None
    if q.shape[2] == 1:
        q, k, v, out = _one_step(
            who,
            query,
            keys,
            values,
            atten_mask,
            actual_seq_lengths_kv,
            pse_shift,
            block_table,
            kv_padding_size,
            heads,
            of_keys,
            scale,
            layout,
        )
    else:
        if len(keys) != 1 or block_table is not None or kv_padding_size is not None:
            raise ValueError(
                f"For '{who}', one tensor for each sample, 'block_table' and 'kv_padding_size' "
                f"need a time of 1, but 'query' has shape {tuple(query.shape)}."
            )
        k = _in_heads(who, "key", keys[0], layout, of_keys)
        v = _in_heads(who, "value", values[0], layout, of_keys)
        batch = q.shape[0]
        q_lengths = _lengths(who, "actual_seq_lengths", actual_seq_lengths, batch, q.device)
        k_lengths = _lengths(who, "actual_seq_lengths_kv", actual_seq_lengths_kv, batch, q.device)
        out = _full_mask(
            who, atten_mask, sparse_mode, pre_tokens, next_tokens, q, k, q_lengths, k_lengths
        )
    found = _attend_shifted(who, q, k, v, scale, out, pse_shift, q_lengths)
    lse = (
        _log_sum(q, k, scale, out, pse_shift)
        if softmax_lse_flag
        else torch.zeros(1, device=q.device)
    )
    return in_layout(found, layout_out or layout), lse


def _alibi(slopes: Tensor, targets: int, sources: int, root: bool) -> Tensor:
    """Shifts that fall with the distance of key and query, by a slope for each head."""
    rows = torch.arange(targets, device=slopes.device)[:, None]
    distance = (rows - torch.arange(sources, device=slopes.device)).abs().to(slopes.dtype)
    if root:
        distance = distance.sqrt()
    return -slopes.reshape(-1, slopes.shape[-1], 1, 1) * distance


@op(
    samples=(
        "f(2, 4, 6), f(2, 5, 6), f(2, 5, 6), 3, 'BSH', scale=0.5, pse=f(2, 3, 4, 5)",
        "f(2, 3, 4, 8), f(2, 1, 6, 8), f(2, 1, 6, 8), 3, 'BNSD', pse=f(1, 3, 4, 6), pse_type=0, "
        "atten_mask=b(4, 6)",
        "f(4, 2, 6), f(5, 2, 6), f(5, 2, 6), 3, 'SBH', sparse_mode=3, pse=p(3), pse_type=2",
        "f(2, 4, 3, 2), f(2, 4, 3, 2), f(2, 4, 3, 2), 3, 'BSND', sparse_mode=2, pse=p(2, 3), "
        "pse_type=3",
    ),
    errors=(
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, 'HSB'", ValueError, "input_layout"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, 'BSH', pse_type=4", ValueError, "pse_type"),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 3, 'BSH', prefix=(1, 1)", NotImplementedError, ""),
        ("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), 4, 'BSH'", ValueError, "heads"),
        ("f(7, 2, 4), f(7, 2, 4), f(7, 2, 4), 2, 'TND'", ValueError, "actual_seq"),
    ),
)
def speed_fusion_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    input_layout: str,
    *,
    pse: Tensor | None = None,
    padding_mask: Tensor | None = None,
    atten_mask: Tensor | None = None,
    scale: float = 1.0,
    keep_prob: float = 1.0,
    pre_tokens: int = _WIDEST,
    next_tokens: int = _WIDEST,
    inner_precise: int = 0,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    pse_type: int = 1,
    q_start_idx: Any = None,
    kv_start_idx: Any = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    r"""Attention of several heads for training, with what its gradient needs elsewhere.

    .. math::
        out = \mathrm{dropout}(\mathrm{softmax}(\mathrm{mask}(s \cdot (Q K^T + pse)))) V

    With a `pse_type` other than 1 the scores are :math:`s \cdot Q K^T + pse`.

    Args:
        query (Tensor): shape as `input_layout` says.
        key (Tensor): likewise.
        value (Tensor): likewise.
        head_num (int): the heads of `query`; `key` may have fewer, a divisor.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"SBH"``, ``"BSND"`` or ``"TND"``.
        pse (Tensor): what is added, of a shape that broadcasts with :math:`(B, N, S_1, S_2)`; for
            types 2 and 3 slopes of shape :math:`(N,)` or :math:`(B, N)`. Default: None.
        padding_mask (Tensor): must be None. Default: None.
        atten_mask (Tensor): where nonzero, a score does not count; not read in modes 2 to 4.
            Default: None.
        scale (float): the factor s. Default: 1.0.
        keep_prob (float): one minus the probability of zero for attention weights. Default: 1.0.
        pre_tokens (int): how far back keys count, in modes 0 (with a mask) and 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 2147483647.
        inner_precise (int): kept for compatibility. Default: 0.
        prefix (Union[tuple[int], list[int]]): must be None. Default: None.
        actual_seq_qlen (Union[tuple[int], list[int]]): for TND, where the samples of `query` end.
            Default: None.
        actual_seq_kvlen (Union[tuple[int], list[int]]): the same for `key`. Default: None.
        sparse_mode (int): as in :func:`ops.flash_attention_score`. Default: 0.
        gen_mask_parallel (bool): kept for compatibility. Default: True.
        sync (bool): kept for compatibility. Default: False.
        pse_type (int): 0: `pse` is added after scaling; 1: before; 2: :math:`-slope \cdot |i - j|`
            after scaling; 3: :math:`-slope \cdot \sqrt{|i - j|}`. Default: 1.
        q_start_idx (Union[tuple[int], list[int]]): must be None or 0. Default: None.
        kv_start_idx (Union[tuple[int], list[int]]): must be None or 0. Default: None.

    Returns: tuple of the attention, the largest score of each row and the sum of its exponentials
        (float32, shape :math:`(B, N, S_1, 8)`, for TND :math:`(T, N, 8)`), an empty tensor, and the
        seed, an offset of 0 and the number of draws of dropout (int64), zero without it.
    Raises ValueError: the layout or a type is unknown, a number out of range, or a shape does not
        fit.
    Raises NotImplementedError: a feature of Ascend's kernel is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((2, 4, 8), ms.float16)
    >>> out = ms.ops.speed_fusion_attention(x, x, x, 2, "BSH")
    >>> out[0].shape, out[1].shape
    ((2, 4, 8), (2, 2, 4, 8))
    """
    who = "speed_fusion_attention"
    if pse_type not in (0, 1, 2, 3):
        raise ValueError(f"For '{who}', 'pse_type' must be 0, 1, 2 or 3, but got {pse_type!r}.")
    for name, given in (("q_start_idx", q_start_idx), ("kv_start_idx", kv_start_idx)):
        if given and any(given):
            raise _undescribed(who, name)
    found, largest, total, draws = _with_statistics(
        who,
        query,
        key,
        value,
        head_num,
        input_layout,
        pse,
        padding_mask,
        atten_mask,
        scale,
        keep_prob,
        (pre_tokens, next_tokens),
        prefix,
        (actual_seq_qlen, actual_seq_kvlen),
        sparse_mode,
        pse_type,
    )
    seed = random.initial_seed() if keep_prob < 1 else 0
    numbers = [torch.tensor(n, device=query.device) for n in (seed, 0, draws)]
    nothing = torch.empty(0, device=query.device)
    return found, largest, total, nothing, numbers[0], numbers[1], numbers[2]


def _undescribed(who: str, name: str) -> NotImplementedError:
    return missing_feature(
        f"ops.{who}({name}=...)",
        "MindSpore does not describe what Ascend's kernel makes of it",
        "a shift of the scores for positions, a mask of all scores for masks",
    )


def _with_statistics(
    who: str,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: Any,
    input_layout: Any,
    pse: Tensor | None,
    padding_mask: Any,
    atten_mask: Tensor | None,
    scale: float,
    keep_prob: Any,
    tokens: tuple[int, int],
    prefix: Any,
    ends: tuple[Any, Any],
    sparse_mode: int,
    pse_type: int,
) -> tuple[Tensor, Tensor, Tensor, int]:
    """The attention, the statistics of its rows, and how many numbers dropout drew."""
    choice(who, "input_layout", input_layout, ("BSH", "BNSD", "SBH", "BSND", "TND"))
    heads = integer(who, "head_num", head_num, 1)
    between(who, "keep_prob", keep_prob, 0, 1, "(]")
    for name, given in (("prefix", prefix), ("padding_mask", padding_mask)):
        if given is not None:
            raise _undescribed(who, name)
    rows: list[tuple[Tensor, Tensor]] = []

    def one(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        targets, sources = q.shape[2], k.shape[2]
        bias = pse
        if pse is not None:
            if pse_type >= 2:
                bias = _alibi(pse, targets, sources, pse_type == 3)
            elif pse_type == 1:
                bias = pse * scale
        out = left_out(who, atten_mask, sparse_mode, *tokens, targets, sources, q.device)
        rows.append(_row_statistics(q, k, scale, out, bias))
        return attend(who, q, k, v, scale=scale, out=out, bias=bias, keep_prob=keep_prob)

    if input_layout == "TND":
        if query.ndim != 3 or query.shape[1] != heads:
            raise ValueError(
                f"For '{who}', 'query' of shape {tuple(query.shape)} does not fit {heads} heads in "
                "layout TND."
            )
        found = sample_by_sample(who, one, query, key, value, *ends)
        largest, total = (
            torch.cat([r[i][0].transpose(0, 1) for r in rows]).expand(-1, -1, 8) for i in (0, 1)
        )
    else:
        q = _in_heads(who, "query", query, input_layout, heads)
        width = q.shape[3]
        k, v = (heads_second(t, input_layout, t.shape[-1] // width) for t in (key, value))
        found = in_layout(one(q, k, v), input_layout)
        largest, total = (t.expand(-1, -1, -1, 8) for t in rows[0])
    draws = sum(r[0].numel() for r in rows) if keep_prob < 1 else 0
    return found, largest, total, draws


def _row_statistics(
    q: Tensor, k: Tensor, scale: float, out: Tensor | None, bias: Tensor | None
) -> tuple[Tensor, Tensor]:
    """The largest score of each row and the sum of exponentials, in float32, without gradient."""
    q, k = q.detach().float(), k.detach().float()
    if k.shape[1] != q.shape[1]:
        k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
    parts = []
    for first in range(0, max(1, q.shape[2]), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        scores = (q[:, :, rows] * scale) @ k.transpose(-2, -1)
        if bias is not None:
            scores = (
                scores
                + bias.detach().float().expand(*bias.shape[:-2], q.shape[2], -1)[..., rows, :]
            )
        if out is not None:
            left_out_here = out.expand(*out.shape[:-2], q.shape[2], -1)[..., rows, :]
            scores = scores.masked_fill(left_out_here, torch.finfo(torch.float32).min)
        largest = scores.amax(-1, keepdim=True)
        parts.append((largest, (scores - largest).exp().sum(-1, keepdim=True)))
    largest, total = (torch.cat(p, 2) for p in zip(*parts, strict=True))
    return largest, total


def _per_feature(x: Tensor, like: Tensor, layout: str) -> Tensor:
    """Weights of shape (B, N, S, 8) or (T, N, 8) as factors of an attention in its layout."""
    one = x[..., :1]
    if layout == "TND":
        return one
    width = like.shape[-1] // x.shape[1]
    return one.expand(-1, -1, -1, width).permute(2, 0, 1, 3).flatten(2)  # (S, B, N D)


@op(
    primitive="RingAttentionUpdate",
    samples=(
        "f(4, 2, 6), f(2, 3, 4, 1).expand(-1, -1, -1, 8), p(2, 3, 4, 1).expand(-1, -1, "
        "-1, 8), f(4, 2, 6), f(2, 3, 4, 1).expand(-1, -1, -1, 8), "
        "p(2, 3, 4, 1).expand(-1, -1, -1, 8)",
        "f(5, 2, 4), f(5, 2, 8), p(5, 2, 8), f(5, 2, 4), f(5, 2, 8), p(5, 2, 8), "
        "torch.tensor([0, 5]), 'TND'",
    ),
    errors=(
        (
            "f(4, 2, 6), f(2, 3, 4, 8), f(2, 3, 4, 8), f(4, 2, 6), f(2, 3, 4, 8), f(2, 3, 4, 8), "
            "None, 'BSH'",
            ValueError,
            "layout",
        ),
        (
            "f(5, 2, 4), f(5, 2, 8), p(5, 2, 8), f(5, 2, 4), f(5, 2, 8), p(5, 2, 8), layout='TND'",
            ValueError,
            "actual_seq_qlen",
        ),
        (
            "f(5, 2, 6), f(2, 3, 4, 8), f(2, 3, 4, 8), f(5, 2, 6), f(2, 3, 4, 8), f(2, 3, 4, 8)",
            ValueError,
            "shape",
        ),
    ),
)
def ring_attention_update(
    prev_attn_out: Tensor,
    prev_softmax_max: Tensor,
    prev_softmax_sum: Tensor,
    cur_attn_out: Tensor,
    cur_softmax_max: Tensor,
    cur_softmax_sum: Tensor,
    actual_seq_qlen: Tensor | None = None,
    layout: str = "SBH",
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention over all keys, from the attention over two halves of them.

    With the largest scores :math:`m_1, m_2`, the sums :math:`s_1, s_2` and
    :math:`m = \max(m_1, m_2)`:

    .. math::
        s = s_1 e^{m_1 - m} + s_2 e^{m_2 - m}, \quad
        out = \frac{s_1 e^{m_1 - m}}{s} out_1 + \frac{s_2 e^{m_2 - m}}{s} out_2

    Args:
        prev_attn_out (Tensor): the first attention, shape :math:`(S, B, H)` or :math:`(T, N, D)`.
        prev_softmax_max (Tensor): the largest score of each row, shape :math:`(B, N, S, 8)` or
            :math:`(T, N, 8)`: eight times the same.
        prev_softmax_sum (Tensor): the sum of exponentials of each row, likewise.
        cur_attn_out (Tensor): the second attention.
        cur_softmax_max (Tensor): its largest scores.
        cur_softmax_sum (Tensor): its sums.
        actual_seq_qlen (Tensor): must be given for layout TND: where the samples end.
            Default: None.
        layout (str): ``"SBH"`` or ``"TND"``. Default: ``"SBH"``.

    Returns: tuple of the attention, the largest scores and the sums, like the first three
        arguments.
    Raises ValueError: the layout is unknown, or the shapes do not fit.
    Difference from PyTorch: none (no counterpart).
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> out, one = ms.ops.ones((2, 1, 4)), ms.ops.ones((1, 1, 2, 8))
    >>> print(ms.ops.ring_attention_update(out, one, one, out * 3, one, one)[0][0])
    [[2. 2. 2. 2.]]
    """
    who = "ring_attention_update"
    choice(who, "layout", layout, ("SBH", "TND"))
    if layout == "TND" and actual_seq_qlen is None:
        raise ValueError(f"For '{who}' in layout TND, 'actual_seq_qlen' must be given.")
    shape = tuple(prev_attn_out.shape)
    rows = tuple(prev_softmax_max.shape)
    if layout == "SBH":
        good = len(rows) == 4 and len(shape) == 3 and (rows[2], rows[0]) == shape[:2]
        good = good and shape[2] % rows[1] == 0
    else:
        good = len(rows) == 3 and rows[:2] == shape[:2]
    if not good:
        raise ValueError(
            f"For '{who}', the shape {rows} of 'prev_softmax_max' does not fit that of "
            f"'prev_attn_out', {shape}, in layout {layout}."
        )
    largest = torch.maximum(prev_softmax_max, cur_softmax_max)
    first = prev_softmax_sum * (prev_softmax_max - largest).exp()
    second = cur_softmax_sum * (cur_softmax_max - largest).exp()
    total = first + second
    found = prev_attn_out * _per_feature(first / total, prev_attn_out, layout)
    found = found + cur_attn_out * _per_feature(second / total, cur_attn_out, layout)
    return found.to(prev_attn_out.dtype), largest, total


@op(
    primitive="RotaryPositionEmbedding",
    samples=(
        "f(2, 3, 4, 6), f(1, 1, 4, 6), f(1, 1, 4, 6)",
        "f(2, 3, 4, 6), f(1, 1, 4, 6), f(1, 1, 4, 6), 1",
    ),
    errors=(
        ("f(2, 3, 4, 6), f(1, 1, 4, 6), f(1, 1, 4, 6), 2", ValueError, "mode"),
        ("f(2, 3, 4, 5), f(1, 1, 4, 5), f(1, 1, 4, 5)", ValueError, "even"),
    ),
)
def rotary_position_embedding(x: Tensor, cos: Tensor, sin: Tensor, mode: int = 0) -> Tensor:
    r"""Features turned by angles that grow with the position.

    .. math::
        out = x \cdot \cos + \mathrm{rotate}(x) \cdot \sin

    Mode 0 rotates halves, :math:`(x_1, x_2) \to (-x_2, x_1)`, mode 1 neighbours.

    Args:
        x (Tensor): shape :math:`(B, N, S, D)` or in another order with the features last, an even
            number.
        cos (Tensor): the cosines, of a shape that broadcasts with `x`.
        sin (Tensor): the sines, likewise.
        mode (int): 0 or 1. Default: 0.

    Returns: Tensor of the shape and type of `x`.
    Raises ValueError: `mode` is another number, or the number of features is odd.
    Difference from PyTorch: none (no counterpart).
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.Tensor([[[[1.0, 2.0, 3.0, 4.0]]]])
    >>> zero, one = ms.ops.zeros_like(x), ms.ops.ones_like(x)
    >>> print(ms.ops.rotary_position_embedding(x, zero, one)[0, 0])
    [[-3. -4.  1.  2.]]
    """
    who = "rotary_position_embedding"
    if mode not in (0, 1):
        raise ValueError(f"For '{who}', 'mode' must be 0 or 1, but got {mode!r}.")
    if x.shape[-1] % 2:
        raise ValueError(
            f"For '{who}', the number of features must be even, but 'x' has shape {tuple(x.shape)}."
        )
    if mode == 0:
        first, second = x.chunk(2, -1)
        turned = torch.cat((-second, first), -1)
    else:
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    return (x * cos + turned * sin).to(x.dtype)


# ------------------------------------------------------------------------- the classes of these


@primitive(
    "FlashAttentionScore",
    samples=(
        "f(2, 4, 6), f(2, 5, 6), f(2, 5, 6), head_num=3, scale_value=0.5, sparse_mode=2",
        "f(2, 3, 4, 5), f(2, 1, 6, 5), f(2, 1, 6, 5), f(1, 3, 4, 6), head_num=3, "
        "input_layout='BNSD'",
        "f(7, 2, 4), f(7, 1, 4), f(7, 1, 4), None, None, None, None, None, (3, 7), (3, 7), "
        "head_num=2, input_layout='TND', sparse_mode=3",
    ),
    errors=(("f(2, 4, 6), f(2, 4, 6), f(2, 4, 6), head_num=4", ValueError, "heads"),),
)
def _flash_attention_score(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    real_shift: Tensor | None = None,
    drop_mask: Tensor | None = None,
    padding_mask: Tensor | None = None,
    attn_mask: Tensor | None = None,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    *,
    head_num: int,
    keep_prob: float = 1.0,
    scale_value: float = 1.0,
    pre_tokens: int = _WIDEST,
    next_tokens: int = _WIDEST,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Attention of several heads, and what its gradient needs elsewhere.

    The inputs and attributes are the arguments of :func:`ops.flash_attention_score`.

    Args:
        head_num (int): the heads of `query`.
        keep_prob (float): one minus the probability of zero for attention weights. Default: 1.0.
        scale_value (float): the factor of the scores. Default: 1.0.
        pre_tokens (int): how far back keys count. Default: 2147483647.
        next_tokens (int): how far ahead keys count. Default: 2147483647.
        inner_precise (int): kept for compatibility. Default: 0.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"SBH"``, ``"BSND"`` or ``"TND"``.
            Default: ``"BSH"``.
        sparse_mode (int): which keys count without a mask. Default: 0.
        query (Tensor): shape as `input_layout` says.
        key (Tensor): likewise.
        value (Tensor): likewise.
        real_shift (Tensor): added to the scores. Default: None.
        drop_mask (Tensor): must be None. Default: None.
        padding_mask (Tensor): must be None. Default: None.
        attn_mask (Tensor): where nonzero, a score does not count. Default: None.
        prefix (tuple[int]): must be None. Default: None.
        actual_seq_qlen (tuple[int]): for TND, where the samples of `query` end. Default: None.
        actual_seq_kvlen (tuple[int]): the same for `key`. Default: None.

    Returns: tuple of the largest score of each row, the sum of its exponentials (float32, shape
        :math:`(B, N, S_1, 8)`, for TND :math:`(T, N, 8)`), an empty tensor, and the attention.
    Raises ValueError: the layout is unknown, a number out of range, or a shape does not fit.
    Raises NotImplementedError: a feature of Ascend's kernel is asked for.
    Difference from PyTorch: see the function.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((2, 4, 8), ms.float16)
    >>> [t.shape for t in ms.ops.FlashAttentionScore(2)(x, x, x)]
    [(2, 2, 4, 8), (2, 2, 4, 8), (0,), (2, 4, 8)]
    """
    who = "FlashAttentionScore"
    if drop_mask is not None:
        raise _undescribed(who, "drop_mask")
    found, largest, total, _ = _with_statistics(
        who,
        query,
        key,
        value,
        head_num,
        input_layout,
        real_shift,
        padding_mask,
        attn_mask,
        scale_value,
        keep_prob,
        (pre_tokens, next_tokens),
        prefix,
        (actual_seq_qlen, actual_seq_kvlen),
        sparse_mode,
        0,
    )
    return largest, total, torch.empty(0, device=query.device), found


@primitive(
    "IncreFlashAttention",
    samples=("f(2, 1, 8), [f(2, 5, 4)], [f(2, 5, 4)], num_heads=4, num_key_value_heads=2",),
    errors=(("f(2, 3, 4), [f(2, 5, 4)], [f(2, 5, 4)]", ValueError, "time"),),
)
def _incre_flash_attention(
    query: Tensor,
    key: Sequence[Tensor],
    value: Sequence[Tensor],
    attn_mask: Tensor | None = None,
    actual_seq_lengths: Any = None,
    pse_shift: Tensor | None = None,
    dequant_scale1: Tensor | None = None,
    quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None,
    quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    block_table: Tensor | None = None,
    kv_padding_size: Tensor | None = None,
    *,
    num_heads: int = 1,
    input_layout: str = "BSH",
    scale_value: float = 1.0,
    num_key_value_heads: int = 0,
    block_size: int = 0,
    inner_precise: int = 1,
) -> Tensor:
    """Attention of one new position; see :func:`ops.incre_flash_attention`.

    >>> q, k = ms.ops.ones((1, 1, 8)), ms.ops.ones((1, 5, 8))
    >>> ms.ops.IncreFlashAttention(num_heads=2)(q, [k], [k]).shape
    (1, 1, 8)
    """
    return incre_flash_attention(
        query,
        key,
        value,
        attn_mask,
        actual_seq_lengths,
        pse_shift,
        dequant_scale1,
        quant_scale1,
        dequant_scale2,
        quant_scale2,
        quant_offset2,
        antiquant_scale,
        antiquant_offset,
        block_table,
        num_heads,
        input_layout,
        scale_value,
        num_key_value_heads,
        block_size,
        inner_precise,
        kv_padding_size,
    )
