"""Attention over whole prompts, and what the fused forms of attention share.

All of them are ``softmax(scale * Q K^T + shift) V`` under a mask; they differ in their arguments.
Numbers in eight bits with their scales, and prefixes that samples share, are formats of Ascend's
kernels that MindSpore does not describe: they raise NotImplementedError.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.errors import missing_feature
from agar.ops._checks import choice, integer
from agar.ops.attention.multi_head import (
    attend,
    heads_second,
    in_layout,
    left_out,
)
from agar.ops.spec import op

__all__: list[str] = [
    "LAYOUTS",
    "ROWS_AT_ONCE",
    "WIDEST",
    "attend_shifted",
    "full_mask",
    "head_counts",
    "in_heads",
    "length_column",
    "not_quantized",
]

WIDEST = 2147483647
LAYOUTS = ("BSH", "BNSD")
ROWS_AT_ONCE = 1024  # of scores that are held whole


def not_quantized(op_name: str, given: dict[str, Any]) -> None:
    """Refuse arguments of the quantized forms."""
    for name, value in given.items():
        if value is not None:
            raise missing_feature(
                f"ops.{op_name}({name}=...)",
                "its format is that of Ascend's kernel",
                "floating query, key and value, and quantization before and after the call",
            )


def head_counts(op_name: str, heads: Any, kv_heads: Any) -> tuple[int, int]:
    """The numbers of heads of queries and of keys, checked."""
    count = integer(op_name, "num_heads", heads, 1)
    of_keys = integer(op_name, "num_key_value_heads", kv_heads, 0) or count
    if count % of_keys:
        raise ValueError(
            f"For '{op_name}', 'num_heads' {count} must be divisible by 'num_key_value_heads' "
            f"{of_keys}."
        )
    return count, of_keys


def in_heads(op_name: str, name: str, x: Tensor, layout: str, heads: int) -> Tensor:
    """A tensor in a layout as (batch, heads, time, features), checked."""
    joined = "H" in layout
    axis = 2 if layout == "BSND" else 1
    good = x.ndim == (3 if joined else 4) and (
        x.shape[-1] % heads == 0 if joined else x.shape[axis] == heads
    )
    if not good:
        raise ValueError(
            f"For '{op_name}', '{name}' of shape {tuple(x.shape)} does not fit {heads} heads in "
            f"layout {layout}."
        )
    return heads_second(x, layout, heads)


def length_column(
    op_name: str, name: str, value: Any, batch: int, device: torch.device
) -> Tensor | None:
    """Lengths of the samples as a column that broadcasts with the scores; None where not given."""
    if value is None:
        return None
    result = torch.as_tensor(value, dtype=torch.int64, device=device).reshape(-1)
    if result.numel() not in (1, batch):
        raise ValueError(
            f"For '{op_name}', the size of '{name}' must be 1 or the batch size {batch}, but got "
            f"{result.numel()}."
        )
    return result.reshape(-1, 1, 1, 1)


def _four_axes(op_name: str, name: str, mask: Tensor) -> Tensor:
    """A mask of shape (S1, S2), (B, S1, S2) or (B, 1, S1, S2) with four axes."""
    if mask.ndim == 3:
        return mask.unsqueeze(1)
    if mask.ndim not in (2, 4):
        raise ValueError(
            f"For '{op_name}', '{name}' must have 2, 3 or 4 axes, but got shape "
            f"{tuple(mask.shape)}."
        )
    return mask


def full_mask(
    op_name: str,
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
        mask = _four_axes(op_name, "attn_mask", mask)
    out = None
    if q_lengths is None and k_lengths is None:
        return left_out(op_name, mask, mode, before, after, targets, sources, q.device)
    rows = torch.arange(targets, device=q.device)[:, None]
    columns = torch.arange(sources, device=q.device)
    ends_q = targets if q_lengths is None else q_lengths
    ends_k = sources if k_lengths is None else k_lengths
    if mode in (3, 4):  # the lower right corner is that of each sample
        offset = columns - rows - (ends_k - ends_q)
        out = offset > 0 if mode == 3 else (offset > after) | (offset < -before)
    else:
        out = left_out(op_name, mask, mode, before, after, targets, sources, q.device)
    if k_lengths is not None:
        beyond = columns >= k_lengths
        out = beyond if out is None else out | beyond
    return out


def attend_shifted(
    op_name: str,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float,
    out: Tensor | None,
    shift: Tensor | None,
    q_lengths: Tensor | None,
) -> Tensor:
    """Attention with a term added to the scores, over blocks of rows that fit into memory."""
    if shift is not None:  # it may be larger than the scores
        shift = shift[..., : q.shape[2], : k.shape[2]]
    result = attend(op_name, q, k, v, scale=scale, out=out, bias=shift)
    if q_lengths is not None:
        rows = torch.arange(q.shape[2], device=q.device)[:, None]
        result = result.masked_fill(rows >= q_lengths, 0)
    return result


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
    pre_tokens: int = WIDEST,
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
        num_heads (int): the number of heads of `query`. Default: 1.
        scale_value (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in mode 0 with a mask and in mode 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 0.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        sparse_mode (int): 0 and 1: `attn_mask`; 2: causal from the upper left corner; 3: causal
            from the lower right corner; 4: a band from there. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.

    Returns: Tensor of the shape and type of `query`.
    Raises ValueError: the layout is unknown, or heads, lengths or shapes do not fit.
    Raises NotImplementedError: quantization or a prefix mask is asked for.
    Difference from PyTorch: ``scaled_dot_product_attention`` has one layout, scales by :math:`1 /
        \sqrt{D}`, and True in a mask means that a score counts.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((1, 2, 4, 8), ms.float16)
    >>> ms.ops.prompt_flash_attention(x, x, x, num_heads=2, input_layout="BNSD").shape
    (1, 2, 4, 8)
    """
    op_name = "prompt_flash_attention"
    choice(op_name, "input_layout", input_layout, LAYOUTS)
    not_quantized(
        op_name,
        {
            "deq_scale1": deq_scale1,
            "quant_scale1": quant_scale1,
            "deq_scale2": deq_scale2,
            "quant_scale2": quant_scale2,
            "quant_offset2": quant_offset2,
        },
    )
    heads, of_keys = head_counts(op_name, num_heads, num_key_value_heads)
    q = in_heads(op_name, "query", query, input_layout, heads)
    k = in_heads(op_name, "key", key, input_layout, of_keys)
    v = in_heads(op_name, "value", value, input_layout, of_keys)
    q_lengths = length_column(
        op_name, "actual_seq_lengths", actual_seq_lengths, q.shape[0], q.device
    )
    k_lengths = length_column(
        op_name, "actual_seq_lengths_kv", actual_seq_lengths_kv, q.shape[0], q.device
    )
    out = full_mask(
        op_name, attn_mask, sparse_mode, pre_tokens, next_tokens, q, k, q_lengths, k_lengths
    )
    return in_layout(
        attend_shifted(op_name, q, k, v, scale_value, out, pse_shift, q_lengths), input_layout
    )
