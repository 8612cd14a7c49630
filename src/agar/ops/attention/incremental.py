"""Attention of single steps over caches, as inference uses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.errors import missing_feature
from agar.ops._checks import choice
from agar.ops.attention.multi_head import (
    in_layout,
)
from agar.ops.attention.prompt import (
    LAYOUTS,
    WIDEST,
    attend_shifted,
    full_mask,
    head_counts,
    in_heads,
    length_column,
    not_quantized,
)
from agar.ops.spec import op

__all__: list[str] = ["alibi", "incre_flash_attention"]


def _one_tensor(op_name: str, name: str, parts: Any) -> tuple[Tensor, Tensor | None]:
    """Keys or values in one tensor with their lengths, from one tensor for each sample."""
    if len(parts) == 1:
        return parts[0], None
    axis = parts[0].ndim - 2
    longest = max(p.shape[axis] for p in parts)
    padded = [torch.nn.functional.pad(p, (0, 0, 0, longest - p.shape[axis])) for p in parts]
    if any(p.shape[0] != 1 for p in parts):
        raise ValueError(
            f"For '{op_name}', several tensors in '{name}' must have a batch of 1 each, but got "
            f"shapes {[tuple(p.shape) for p in parts]}."
        )
    lengths = torch.tensor([p.shape[axis] for p in parts], device=parts[0].device)
    return torch.cat(padded), lengths.reshape(-1, 1, 1, 1)


def _from_blocks(op_name: str, x: Tensor, table: Tensor, heads: int) -> Tensor:
    """Keys or values that lie in blocks, as (batch, heads, time, features)."""
    if x.ndim not in (3, 4) or table.ndim != 2:
        raise ValueError(
            f"For '{op_name}', blocks must have shape (blocks, size, H) or (blocks, N, size, D) "
            f"and 'block_table' two axes, but got shapes {tuple(x.shape)} and {tuple(table.shape)}."
        )
    entry = x[table.long().clamp(0, x.shape[0] - 1)]  # (batch, places, ...)
    if x.ndim == 3:
        return entry.flatten(1, 2).unflatten(-1, (heads, -1)).transpose(1, 2)
    return entry.transpose(1, 2).flatten(2, 3)


def _one_step(
    op_name: str,
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
    q = in_heads(op_name, "query", query, layout, heads)
    if q.shape[2] != 1:
        raise ValueError(
            f"For '{op_name}', the time of 'query' must be 1, but got shape {tuple(query.shape)}."
        )
    batch = q.shape[0]
    counts = length_column(op_name, "actual_seq_lengths", lengths, batch, q.device)
    if table is not None:
        k, v = (_from_blocks(op_name, x[0], table, of_keys) for x in (key, value))
    else:
        joined, own = _one_tensor(op_name, "key", key)
        k = in_heads(op_name, "key", joined, layout, of_keys)
        v = in_heads(op_name, "value", _one_tensor(op_name, "value", value)[0], layout, of_keys)
        counts = own if counts is None else counts
    sources = k.shape[2]
    columns = torch.arange(sources, device=q.device)
    out = None
    if mask is not None:
        if mask.ndim not in (2, 3, 4) or mask.shape[-1] != sources:
            raise ValueError(
                f"For '{op_name}', 'attn_mask' must have shape (B, S), (B, 1, S) or (B, 1, 1, S) "
                f"with S = {sources}, but got {tuple(mask.shape)}."
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
        num_heads (int): the number of heads of `query`. Default: 1.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        scale_value (float): the factor s. Default: 1.0.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        block_size (int): accepted for compatibility: the shape of `key` says it. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.
        kv_padding_size (Tensor): how many keys behind a sample do not count, with
            `actual_seq_lengths`; without room for the sample the result is zero. Default: None.

    Returns: Tensor of the shape and type of `query`.
    Raises ValueError: the layout is unknown, or heads, lengths or shapes do not fit.
    Raises NotImplementedError: quantization is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> q, k = ms.ops.ones((1, 1, 8)), ms.ops.ones((1, 5, 4))
    >>> ms.ops.incre_flash_attention(q, [k], [k], num_heads=2, num_key_value_heads=1).shape
    (1, 1, 8)
    """
    op_name = "incre_flash_attention"
    choice(op_name, "input_layout", input_layout, LAYOUTS)
    not_quantized(
        op_name,
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
    heads, of_keys = head_counts(op_name, num_heads, num_key_value_heads)
    q, k, v, out = _one_step(
        op_name,
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
    return in_layout(
        attend_shifted(op_name, q, k, v, scale_value, out, pse_shift, None), input_layout
    )


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
    pre_tokens: int = WIDEST,
    next_tokens: int = WIDEST,
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
        num_heads (int): the number of heads of `query`. Default: 1.
        scale (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in mode 0 with a mask and in mode 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 2147483647.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"BSND"`` or ``"BNSD_BSND"``: the result in
            BSND. Default: ``"BSH"``.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        sparse_mode (int): as in :func:`ops.prompt_flash_attention`. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.
        block_size (int): accepted for compatibility. Default: 0.
        antiquant_mode (int): accepted for compatibility. Default: 0.
        key_antiquant_mode (int): accepted for compatibility. Default: 0.
        value_antiquant_mode (int): accepted for compatibility. Default: 0.
        softmax_lse_flag (bool): whether to return the logarithms of the softmax's denominators.
            Default: False.

    Returns: tuple of the attention, and the logarithms in float32 of shape :math:`(B, N, S_1, 1)`,
        a zero of shape (1,) if they are not asked for.
    Raises ValueError: the layout is unknown, or heads, lengths or shapes do not fit.
    Raises NotImplementedError: quantization or a shared prefix is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((1, 4, 8), ms.float16)
    >>> out, lse = ms.ops.fused_infer_attention_score(x, x, x, num_heads=2)
    >>> out.shape, lse.shape
    ((1, 4, 8), (1,))
    """
    op_name = "fused_infer_attention_score"
    choice(op_name, "input_layout", input_layout, ("BSH", "BNSD", "BSND", "BNSD_BSND"))
    not_quantized(
        op_name,
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
                f"ops.{op_name}({name}=...)",
                "MindSpore describes neither right-aligned queries nor shared prefixes",
                "samples at the start of their rows, with the prefix in front of their keys",
            )
    layout, _, layout_out = input_layout.partition("_")
    heads, of_keys = head_counts(op_name, num_heads, num_key_value_heads)
    keys = [key] if isinstance(key, Tensor) else list(key)
    values = [value] if isinstance(value, Tensor) else list(value)
    q = in_heads(op_name, "query", query, layout, heads)
    q_lengths = None
    if q.shape[2] == 1:
        q, k, v, out = _one_step(
            op_name,
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
                f"For '{op_name}', one tensor for each sample, 'block_table' and 'kv_padding_size' "
                f"need a time of 1, but 'query' has shape {tuple(query.shape)}."
            )
        k = in_heads(op_name, "key", keys[0], layout, of_keys)
        v = in_heads(op_name, "value", values[0], layout, of_keys)
        batch = q.shape[0]
        q_lengths = length_column(
            op_name, "actual_seq_lengths", actual_seq_lengths, batch, q.device
        )
        k_lengths = length_column(
            op_name, "actual_seq_lengths_kv", actual_seq_lengths_kv, batch, q.device
        )
        out = full_mask(
            op_name, atten_mask, sparse_mode, pre_tokens, next_tokens, q, k, q_lengths, k_lengths
        )
    result = attend_shifted(op_name, q, k, v, scale, out, pse_shift, q_lengths)
    lse = (
        _log_sum(q, k, scale, out, pse_shift)
        if softmax_lse_flag
        else torch.zeros(1, device=q.device)
    )
    return in_layout(result, layout_out or layout), lse


def alibi(slopes: Tensor, targets: int, sources: int, root: bool) -> Tensor:
    """Shifts that fall with the distance of key and query, by a slope for each head."""
    rows = torch.arange(targets, device=slopes.device)[:, None]
    distance = (rows - torch.arange(sources, device=slopes.device)).abs().to(slopes.dtype)
    if root:
        distance = distance.sqrt()
    return -slopes.reshape(-1, slopes.shape[-1], 1, 1) * distance
