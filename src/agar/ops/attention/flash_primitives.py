"""Fused attention as Primitive classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar.ops.attention.incremental import incre_flash_attention
from agar.ops.attention.prompt import WIDEST
from agar.ops.attention.training import not_described, with_statistics
from agar.ops.spec import primitive

__all__: list[str] = []

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
    pre_tokens: int = WIDEST,
    next_tokens: int = WIDEST,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Attention of several heads, with the statistics that its gradient needs.

    The inputs and attributes are the arguments of :func:`ops.flash_attention_score`.

    Args:
        head_num (int): the number of heads of `query`.
        keep_prob (float): one minus the probability of zero for attention weights. Default: 1.0.
        scale_value (float): the factor of the scores. Default: 1.0.
        pre_tokens (int): how far back keys count. Default: 2147483647.
        next_tokens (int): how far ahead keys count. Default: 2147483647.
        inner_precise (int): accepted for compatibility. Default: 0.
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
    op_name = "FlashAttentionScore"
    if drop_mask is not None:
        raise not_described(op_name, "drop_mask")
    result, largest, total, _ = with_statistics(
        op_name,
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
    return largest, total, torch.empty(0, device=query.device), result


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
