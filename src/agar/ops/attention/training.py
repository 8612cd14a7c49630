"""Fused attention with the statistics that training needs, and rotary positions."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core import random
from agar._core.errors import missing_feature
from agar.ops._checks import between, choice, integer
from agar.ops.attention.incremental import alibi
from agar.ops.attention.multi_head import (
    attend,
    heads_second,
    in_layout,
    left_out,
    sample_by_sample,
)
from agar.ops.attention.prompt import ROWS_AT_ONCE, WIDEST, in_heads
from agar.ops.spec import op

__all__: list[str] = ["not_described", "with_statistics"]


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
    pre_tokens: int = WIDEST,
    next_tokens: int = WIDEST,
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
    r"""Attention of several heads for training, with the statistics that its gradient needs.

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
        inner_precise (int): accepted for compatibility. Default: 0.
        prefix (Union[tuple[int], list[int]]): must be None. Default: None.
        actual_seq_qlen (Union[tuple[int], list[int]]): for TND, where the samples of `query` end.
            Default: None.
        actual_seq_kvlen (Union[tuple[int], list[int]]): the same for `key`. Default: None.
        sparse_mode (int): as in :func:`ops.flash_attention_score`. Default: 0.
        gen_mask_parallel (bool): accepted for compatibility. Default: True.
        sync (bool): accepted for compatibility. Default: False.
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
    op_name = "speed_fusion_attention"
    if pse_type not in (0, 1, 2, 3):
        raise ValueError(f"For '{op_name}', 'pse_type' must be 0, 1, 2 or 3, but got {pse_type!r}.")
    for name, given in (("q_start_idx", q_start_idx), ("kv_start_idx", kv_start_idx)):
        if given and any(given):
            raise not_described(op_name, name)
    result, largest, total, draws = with_statistics(
        op_name,
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
    return result, largest, total, nothing, numbers[0], numbers[1], numbers[2]


def not_described(op_name: str, name: str) -> NotImplementedError:
    """The error for an argument whose meaning MindSpore does not describe."""
    return missing_feature(
        f"ops.{op_name}({name}=...)",
        "MindSpore does not describe what Ascend's kernel makes of it",
        "a shift of the scores for positions, a mask of all scores for masks",
    )


def with_statistics(
    op_name: str,
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
    choice(op_name, "input_layout", input_layout, ("BSH", "BNSD", "SBH", "BSND", "TND"))
    heads = integer(op_name, "head_num", head_num, 1)
    between(op_name, "keep_prob", keep_prob, 0, 1, "(]")
    for name, given in (("prefix", prefix), ("padding_mask", padding_mask)):
        if given is not None:
            raise not_described(op_name, name)
    rows: list[tuple[Tensor, Tensor]] = []

    def one(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        targets, sources = q.shape[2], k.shape[2]
        bias = pse
        if pse is not None:
            if pse_type >= 2:
                bias = alibi(pse, targets, sources, pse_type == 3)
            elif pse_type == 1:
                bias = pse * scale
        out = left_out(op_name, atten_mask, sparse_mode, *tokens, targets, sources, q.device)
        rows.append(_row_statistics(q, k, scale, out, bias))
        return attend(op_name, q, k, v, scale=scale, out=out, bias=bias, keep_prob=keep_prob)

    if input_layout == "TND":
        if query.ndim != 3 or query.shape[1] != heads:
            raise ValueError(
                f"For '{op_name}', 'query' of shape {tuple(query.shape)} does not fit {heads} "
                "heads in layout TND."
            )
        result = sample_by_sample(op_name, one, query, key, value, *ends)
        largest, total = (
            torch.cat([r[i][0].transpose(0, 1) for r in rows]).expand(-1, -1, 8) for i in (0, 1)
        )
    else:
        q = in_heads(op_name, "query", query, input_layout, heads)
        width = q.shape[3]
        k, v = (heads_second(t, input_layout, t.shape[-1] // width) for t in (key, value))
        result = in_layout(one(q, k, v), input_layout)
        largest, total = (t.expand(-1, -1, -1, 8) for t in rows[0])
    draws = sum(r[0].numel() for r in rows) if keep_prob < 1 else 0
    return result, largest, total, draws


def _row_statistics(
    q: Tensor, k: Tensor, scale: float, out: Tensor | None, bias: Tensor | None
) -> tuple[Tensor, Tensor]:
    """The largest score of each row and the sum of exponentials, in float32, without gradient."""
    q, k = q.detach().float(), k.detach().float()
    if k.shape[1] != q.shape[1]:
        k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
    parts = []
    for first in range(0, max(1, q.shape[2]), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
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
    op_name = "ring_attention_update"
    choice(op_name, "layout", layout, ("SBH", "TND"))
    if layout == "TND" and actual_seq_qlen is None:
        raise ValueError(f"For '{op_name}' in layout TND, 'actual_seq_qlen' must be given.")
    shape = tuple(prev_attn_out.shape)
    rows = tuple(prev_softmax_max.shape)
    if layout == "SBH":
        good = len(rows) == 4 and len(shape) == 3 and (rows[2], rows[0]) == shape[:2]
        good = good and shape[2] % rows[1] == 0
    else:
        good = len(rows) == 3 and rows[:2] == shape[:2]
    if not good:
        raise ValueError(
            f"For '{op_name}', the shape {rows} of 'prev_softmax_max' does not fit that of "
            f"'prev_attn_out', {shape}, in layout {layout}."
        )
    largest = torch.maximum(prev_softmax_max, cur_softmax_max)
    first = prev_softmax_sum * (prev_softmax_max - largest).exp()
    second = cur_softmax_sum * (cur_softmax_max - largest).exp()
    total = first + second
    result = prev_attn_out * _per_feature(first / total, prev_attn_out, layout)
    result = result + cur_attn_out * _per_feature(second / total, cur_attn_out, layout)
    return result.to(prev_attn_out.dtype), largest, total


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
    r"""Rotary position embedding: features rotated by angles that grow with the position.

    .. math::
        out = x \cdot \cos + \mathrm{rotate}(x) \cdot \sin

    Mode 0 rotates halves, :math:`(x_1, x_2) \to (-x_2, x_1)`, mode 1 neighbors.

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
    op_name = "rotary_position_embedding"
    if mode not in (0, 1):
        raise ValueError(f"For '{op_name}', 'mode' must be 0 or 1, but got {mode!r}.")
    if x.shape[-1] % 2:
        raise ValueError(
            f"For '{op_name}', the number of features must be even, but 'x' has shape "
            f"{tuple(x.shape)}."
        )
    if mode == 0:
        first, second = x.chunk(2, -1)
        turned = torch.cat((-second, first), -1)
    else:
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    return (x * cos + turned * sin).to(x.dtype)
