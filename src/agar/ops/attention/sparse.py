"""Attention to selected keys: native sparse attention, and the indexer of sparse flash attention.

The tensors of the ``nsa`` functions are in layout TND: the samples stand one behind the other along
the first axis, and ``actual_seq_...`` says where each of them ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import choice, integer, number
from agar.ops.spec import op

__all__: list[str] = []

#: How many numbers of selected keys are held at a time.
_AT_ONCE = 1 << 25


def _ends(op_name: str, name: str, value: Any, total: int | None) -> list[int]:
    """Where samples end: ints that do not fall, up to `total`."""
    ends = list(value) if isinstance(value, (tuple, list)) else []
    for n in ends:
        integer(op_name, name, n, 0)
    if not ends or any(a > b for a, b in pairwise(ends)):
        raise ValueError(
            f"For '{op_name}', '{name}' must be a tuple or list of ints that do not fall, but got "
            f"{value!r}."
        )
    if total is not None and ends[-1] != total:
        raise ValueError(
            f"For '{op_name}', '{name}' must end with the number of rows {total}, but got "
            f"{value!r}."
        )
    return ends


def _spans(ends: list[int]) -> Iterator[slice]:
    first = 0
    for end in ends:
        yield slice(first, end)
        first = end


def _same_count(op_name: str, **ends: list[int]) -> None:
    if len({len(e) for e in ends.values()}) > 1:
        raise ValueError(
            f"For '{op_name}', {', '.join(map(repr, ends))} must have one entry for each sample, "
            f"but have {', '.join(str(len(e)) for e in ends.values())}."
        )


def _check_heads(op_name: str, query: Tensor, key: Tensor, value: Tensor, head_num: Any) -> int:
    """How many heads of queries share one of keys."""
    heads = integer(op_name, "head_num", head_num, 1)
    good = query.ndim == key.ndim == value.ndim == 3 and query.shape[1] == heads
    good = good and key.shape[:2] == value.shape[:2] and key.shape[2] == query.shape[2]
    if not good or heads % key.shape[1]:
        raise ValueError(
            f"For '{op_name}', 'query', 'key' and 'value' must have shapes (T1, {heads}, D1), "
            f"(T2, N2, D1) and (T2, N2, D2) with N2 a divisor of 'head_num', but got "
            f"{tuple(query.shape)}, {tuple(key.shape)} and {tuple(value.shape)}."
        )
    return heads // key.shape[1]


def _attend(scores: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Weights, attention, largest score and sum of exponentials; zeros where nothing counts."""
    largest = scores.amax(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    powers = (scores - largest).exp()
    total = powers.sum(-1, keepdim=True)
    weights = powers / torch.where(total == 0, torch.ones_like(total), total)
    return weights, weights @ value, largest.detach(), total.detach()


def _wide(x: Tensor) -> Tensor:
    return x.to(torch.promote_types(x.dtype, torch.float32))


@op(
    samples=(
        "f(20, 2, 3), f(16, 2), 16, 16, actual_seq_len=(20,)",
        "f(60, 2, 3), f(16, 2), 16, 8, actual_seq_len=[20, 24, 60]",
    ),
    errors=(
        ("f(20, 2, 3), f(8, 2), 16, 16, actual_seq_len=(20,)", ValueError, "weight"),
        ("f(20, 2, 3), f(16, 2), 16, 16, actual_seq_len=(19,)", ValueError, "actual_seq_len"),
        ("f(20, 2, 3), f(16, 2), 16, 17, actual_seq_len=(20,)", ValueError, "compress_stride"),
        ("f(20, 6), f(16, 2), 16, 16, actual_seq_len=(20,)", ValueError, "input"),
    ),
)
def nsa_compress(
    input: Tensor,
    weight: Tensor,
    compress_block_size: int,
    compress_stride: int,
    *,
    actual_seq_len: Any,
) -> Tensor:
    r"""Keys or values in windows of time, each window one weighted sum.

    .. math::
        out_{t n} = \sum_{i} weight_{i n} \cdot input_{(t \cdot stride + i) n}

    Windows lie within one sample. Any sizes will do.

    Args:
        input (Tensor): shape :math:`(T, N, D)`.
        weight (Tensor): shape ``(compress_block_size, N)``.
        compress_block_size (int): the length of a window.
        compress_stride (int): the distance of windows, at most their length.
        actual_seq_len (Union[tuple[int], list[int]]): where the samples end.

    Returns: Tensor of shape :math:`(T', N, D)`: the windows of all samples.
    Raises ValueError: a number is out of range, or a shape does not fit.
    Difference from PyTorch: no counterpart; a convolution over time.
    Source: Yuan et al. 2025, "Native Sparse Attention"; MindSpore 2.10 has no CPU kernel.

    >>> x, weight = ms.ops.ones((48, 1, 1)), ms.ops.ones((16, 1))
    >>> out = ms.ops.nsa_compress(x, weight, 16, 16, actual_seq_len=(32, 48))
    >>> print(out.asnumpy().ravel())
    [16. 16. 16.]
    """
    op_name = "nsa_compress"
    size = integer(op_name, "compress_block_size", compress_block_size, 1)
    stride = integer(op_name, "compress_stride", compress_stride, 1)
    if stride > size:
        raise ValueError(
            f"For '{op_name}', 'compress_stride' must be at most 'compress_block_size' {size}, but "
            f"got {stride}."
        )
    if input.ndim != 3:
        raise ValueError(
            f"For '{op_name}', 'input' must be 3-D, but got shape {tuple(input.shape)}."
        )
    if tuple(weight.shape) != (size, input.shape[1]):
        raise ValueError(
            f"For '{op_name}', 'weight' must have shape {(size, input.shape[1])}, but got "
            f"{tuple(weight.shape)}."
        )
    ends = _ends(op_name, "actual_seq_len", actual_seq_len, input.shape[0])
    parts = []
    for span in _spans(ends):
        if span.stop - span.start >= size:
            windows = input[span].unfold(0, size, stride)  # (windows, N, D, size)
            parts.append(torch.einsum("tnds,sn->tnd", windows, weight))
    return torch.cat(parts) if parts else input[:0]


def _block_importance(weights: Tensor, count: int, per_block: int, per_window: int) -> Tensor:
    """The weight of each block to select from, from those of the windows that reach into it."""
    windows = weights.shape[-1]
    block = torch.arange(count, device=weights.device)[:, None, None] * per_block
    m = torch.arange(per_block, device=weights.device)[:, None]
    n = torch.arange(per_window, device=weights.device)
    place = (block - m - n).reshape(count, -1)
    good = (place >= 0) & (place < windows)
    shares = torch.zeros(count, windows, dtype=weights.dtype, device=weights.device)
    shares = shares.scatter_add(1, place.clamp(0, max(windows - 1, 0)), good.to(weights.dtype))
    return weights @ shares.T


@op(
    samples=(
        "f(6, 4, 5), f(8, 2, 5), f(8, 2, 3), 0.5, 4, 32, 16, 64, 2, actual_seq_qlen=(2, 6), "
        "actual_cmp_seq_kvlen=(3, 8), actual_sel_seq_kvlen=(3, 8)",
        "f(4, 2, 5), f(6, 2, 5), f(6, 2, 5), 0.5, 2, 16, 16, 16, 3, atten_mask=b(4, 6), "
        "topk_mask=b(4, 5), actual_seq_qlen=(4,), actual_cmp_seq_kvlen=(6,), "
        "actual_sel_seq_kvlen=(5,)",
    ),
    errors=(
        (
            "f(6, 4, 5), f(8, 3, 5), f(8, 3, 3), 0.5, 4, 32, 16, 64, 2, actual_seq_qlen=(6,), "
            "actual_cmp_seq_kvlen=(8,), actual_sel_seq_kvlen=(8,)",
            ValueError,
            "head_num",
        ),
        (
            "f(6, 4, 5), f(8, 2, 5), f(8, 2, 3), 0.5, 4, 32, 16, 60, 2, actual_seq_qlen=(6,), "
            "actual_cmp_seq_kvlen=(8,), actual_sel_seq_kvlen=(8,)",
            ValueError,
            "compress_stride",
        ),
        (
            "f(6, 4, 5), f(8, 2, 5), f(8, 2, 3), 0.5, 4, 32, 16, 64, 2, actual_seq_qlen=(5,), "
            "actual_cmp_seq_kvlen=(8,), actual_sel_seq_kvlen=(8,)",
            ValueError,
            "actual_seq_qlen",
        ),
    ),
)
def nsa_compress_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale_value: float,
    head_num: int,
    compress_block_size: int,
    compress_stride: int,
    select_block_size: int,
    select_block_count: int,
    *,
    topk_mask: Tensor | None = None,
    atten_mask: Tensor | None = None,
    actual_seq_qlen: Any,
    actual_cmp_seq_kvlen: Any,
    actual_sel_seq_kvlen: Any,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Attention to compressed keys, and the blocks of keys to which it went most.

    .. math::
        P = \mathrm{softmax}(s \cdot Q K^T), \quad out = P V, \quad
        importance_j = \sum_h \sum_{m=0}^{l'/d - 1} \sum_{n=0}^{l/d - 1} P_{h, j l'/d - m - n}

    with the length l of a window, their distance d, the length l' of a block and the heads h that
    share one of `key`. Any sizes will do.

    Args:
        query (Tensor): shape :math:`(T_1, N_1, D_1)`.
        key (Tensor): compressed keys, shape :math:`(T_2, N_2, D_1)`.
        value (Tensor): compressed values, shape :math:`(T_2, N_2, D_2)`.
        scale_value (float): the factor s.
        head_num (int): :math:`N_1`, a multiple of :math:`N_2`.
        compress_block_size (int): the length of a window, a multiple of the distance.
        compress_stride (int): the distance of windows.
        select_block_size (int): the length of a block, a multiple of the distance.
        select_block_count (int): how many blocks to name.
        topk_mask (Tensor): where nonzero, a block is not named, shape :math:`(S_1, S_{select})`.
            Default: None.
        atten_mask (Tensor): where nonzero, a score does not count, shape :math:`(S_1, S_2)`.
            Default: None.
        actual_seq_qlen (Union[tuple[int], list[int]]): where the samples of `query` end.
        actual_cmp_seq_kvlen (Union[tuple[int], list[int]]): where those of `key` end.
        actual_sel_seq_kvlen (Union[tuple[int], list[int]]): the same in blocks to select from.

    Returns: tuple of the attention :math:`(T_1, N_1, D_2)`, the blocks, int32 of shape ``(T1, N2,
        select_block_count)`` with -1 behind the last one, and the largest score and the sum of
        exponentials of each row, float32 of shape :math:`(T_1, N_1, 8)`.
    Raises ValueError: a number is out of range, or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel, and does not say which value of a
        mask leaves out: here nonzero, as in its other attention functions.

    >>> x = ms.ops.ones((8, 2, 16))
    >>> ends = {"actual_seq_qlen": [8], "actual_cmp_seq_kvlen": [8]}
    >>> out = ms.ops.nsa_compress_attention(
    ...     x, x, x, 0.25, 2, 32, 16, 64, 2, actual_sel_seq_kvlen=[8], **ends
    ... )
    >>> [t.shape for t in out]
    [(8, 2, 16), (8, 2, 2), (8, 2, 8), (8, 2, 8)]
    """
    op_name = "nsa_compress_attention"
    group = _check_heads(op_name, query, key, value, head_num)
    window = integer(op_name, "compress_block_size", compress_block_size, 1)
    stride = integer(op_name, "compress_stride", compress_stride, 1)
    block = integer(op_name, "select_block_size", select_block_size, 1)
    expected = integer(op_name, "select_block_count", select_block_count, 1)
    scale = number(op_name, "scale_value", scale_value)
    if window % stride or block % stride:
        raise ValueError(
            f"For '{op_name}', 'compress_block_size' {window} and 'select_block_size' {block} must "
            f"be multiples of 'compress_stride' {stride}."
        )
    ends_q = _ends(op_name, "actual_seq_qlen", actual_seq_qlen, query.shape[0])
    ends_k = _ends(op_name, "actual_cmp_seq_kvlen", actual_cmp_seq_kvlen, key.shape[0])
    ends_s = _ends(op_name, "actual_sel_seq_kvlen", actual_sel_seq_kvlen, None)
    _same_count(
        op_name, actual_seq_qlen=ends_q, actual_cmp_seq_kvlen=ends_k, actual_sel_seq_kvlen=ends_s
    )
    parts: list[tuple[Tensor, ...]] = []
    for rows, columns, blocks in zip(_spans(ends_q), _spans(ends_k), _spans(ends_s), strict=True):
        targets, sources = rows.stop - rows.start, columns.stop - columns.start
        count = blocks.stop - blocks.start
        q, k, v = (_wide(t).transpose(0, 1) for t in (query[rows], key[columns], value[columns]))
        q = q.unflatten(0, (-1, group))  # (N2, group, S1, D)
        scores = (q * scale) @ k.unsqueeze(1).transpose(-2, -1)
        if atten_mask is not None:
            scores = scores.masked_fill(atten_mask[:targets, :sources].bool(), -torch.inf)
        if not sources:
            scores = torch.nn.functional.pad(scores, (0, 1), value=-torch.inf)
            v = torch.nn.functional.pad(v, (0, 0, 0, 1))
        weights, out, largest, total = _attend(scores, v.unsqueeze(1))
        shared = _block_importance(
            weights.detach().sum(1), count, block // stride, window // stride
        )  # (N2, S1, blocks)
        if topk_mask is not None:
            shared = shared.masked_fill(topk_mask[:targets, :count].bool(), -torch.inf)
        best = shared.topk(min(expected, count), -1)
        named = best.indices.masked_fill(best.values == -torch.inf, -1)
        named = torch.nn.functional.pad(named, (0, expected - named.shape[-1]), value=-1)
        parts.append(
            (
                out.flatten(0, 1).transpose(0, 1),
                named.transpose(0, 1).int(),
                *(t.flatten(0, 1).transpose(0, 1).float() for t in (largest, total)),
            )
        )
    out, named, largest, total = (torch.cat(p) for p in zip(*parts, strict=True))
    return out.to(query.dtype), named, largest.expand(-1, -1, 8), total.expand(-1, -1, 8)


@op(
    samples=(
        "f(6, 4, 5), f(9, 2, 5), f(9, 2, 3), torch.tensor([0, 1]).expand(6, 2, 2).int(), 0.5, 4, "
        "2, 2, actual_seq_qlen=(2, 6), actual_seq_kvlen=(4, 9)",
        "f(3, 2, 4), f(6, 2, 4), f(6, 2, 4), torch.tensor([2, -1]).expand(3, 2, 2), 0.5, 2, 2, 2, "
        "atten_mask=b(3, 6), actual_seq_qlen=[3], actual_seq_kvlen=[6]",
    ),
    errors=(
        (
            "f(6, 4, 5), f(8, 2, 5), f(8, 2, 3), i(6, 2, 2), 0.5, 3, 2, 2, actual_seq_qlen=(6,), "
            "actual_seq_kvlen=(8,)",
            ValueError,
            "head_num",
        ),
        (
            "f(6, 4, 5), f(8, 2, 5), f(8, 2, 3), i(6, 2, 3), 0.5, 4, 2, 2, actual_seq_qlen=(6,), "
            "actual_seq_kvlen=(8,)",
            ValueError,
            "topk_indices",
        ),
        (
            "f(6, 4, 5), f(8, 2, 5), f(8, 2, 3), i(6, 2, 2), 0.5, 4, 2, 2, actual_seq_qlen=(3, "
            "6), actual_seq_kvlen=(8,)",
            ValueError,
            "actual_seq",
        ),
    ),
)
def nsa_select_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    topk_indices: Tensor,
    scale_value: float,
    head_num: int,
    select_block_size: int,
    select_block_count: int,
    *,
    atten_mask: Tensor | None = None,
    actual_seq_qlen: Any,
    actual_seq_kvlen: Any,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention of each position to a few blocks of keys of its own.

    .. math::
        out = \mathrm{softmax}(s \cdot Q \tilde{K}^T) \tilde{V}

    with the keys and values of the blocks that `topk_indices` names. Any sizes will do.

    Args:
        query (Tensor): shape :math:`(T_1, N_1, D_1)`.
        key (Tensor): shape :math:`(T_2, N_2, D_1)`.
        value (Tensor): shape :math:`(T_2, N_2, D_2)`.
        topk_indices (Tensor): the blocks of each position, integers of shape
            ``(T1, N2, select_block_count)``, counted from 0 in each sample; negative ones count
            for nothing, and a block that is named twice counts once.
        scale_value (float): the factor s.
        head_num (int): :math:`N_1`, a multiple of :math:`N_2`.
        select_block_size (int): how many keys make a block.
        select_block_count (int): how many blocks a position has.
        atten_mask (Tensor): where nonzero, a score does not count, shape :math:`(S_1, S_2)`.
            Default: None.
        actual_seq_qlen (Union[tuple[int], list[int]]): where the samples of `query` end.
        actual_seq_kvlen (Union[tuple[int], list[int]]): where those of `key` end.

    Returns: tuple of the attention :math:`(T_1, N_1, D_2)`, and the largest score and the sum of
        exponentials of each row, float32 of shape :math:`(T_1, N_1, 8)`.
    Raises ValueError: a number is out of range, or a shape does not fit.
    Difference from PyTorch: no counterpart; ``scaled_dot_product_attention`` with a mask.
    Source: Yuan et al. 2025, "Native Sparse Attention"; MindSpore 2.10 has no CPU kernel.

    >>> x, block = ms.ops.ones((8, 2, 16)), ms.ops.zeros((8, 2, 1), ms.int32)
    >>> ends = {"actual_seq_qlen": [8], "actual_seq_kvlen": [8]}
    >>> out = ms.ops.nsa_select_attention(x, x, x, block, 0.25, 2, 4, 1, **ends)
    >>> [t.shape for t in out]
    [(8, 2, 16), (8, 2, 8), (8, 2, 8)]
    """
    op_name = "nsa_select_attention"
    group = _check_heads(op_name, query, key, value, head_num)
    size = integer(op_name, "select_block_size", select_block_size, 1)
    expected = integer(op_name, "select_block_count", select_block_count, 1)
    scale = number(op_name, "scale_value", scale_value)
    if tuple(topk_indices.shape) != (query.shape[0], key.shape[1], expected):
        raise ValueError(
            f"For '{op_name}', 'topk_indices' must have shape "
            f"{(query.shape[0], key.shape[1], expected)}, but got {tuple(topk_indices.shape)}."
        )
    ends_q = _ends(op_name, "actual_seq_qlen", actual_seq_qlen, query.shape[0])
    ends_k = _ends(op_name, "actual_seq_kvlen", actual_seq_kvlen, key.shape[0])
    _same_count(op_name, actual_seq_qlen=ends_q, actual_seq_kvlen=ends_k)
    parts: list[tuple[Tensor, ...]] = []
    for rows, columns in zip(_spans(ends_q), _spans(ends_k), strict=True):
        targets, sources = rows.stop - rows.start, columns.stop - columns.start
        q, k, v = (_wide(t).transpose(0, 1) for t in (query[rows], key[columns], value[columns]))
        blocks = math.ceil(sources / size)
        chosen = topk_indices[rows].transpose(0, 1).long()  # (N2, S1, count)
        good = (chosen >= 0) & (chosen < blocks)
        # what counts for nothing goes to one block more
        chosen = torch.where(good, chosen, torch.full_like(chosen, blocks))
        named = torch.zeros(*chosen.shape[:2], blocks + 1, dtype=torch.bool, device=q.device)
        named = named.scatter(-1, chosen, True)
        seen = named.repeat_interleave(size, -1)[..., :sources]
        if atten_mask is not None:
            seen = seen & ~atten_mask[:targets, :sources].bool()
        scores = (q.unflatten(0, (-1, group)) * scale) @ k.unsqueeze(1).transpose(-2, -1)
        scores = scores.masked_fill(~seen.unsqueeze(1), -torch.inf)
        _, out, largest, total = _attend(scores, v.unsqueeze(1))
        parts.append(
            tuple(t.flatten(0, 1).transpose(0, 1) for t in (out, largest.float(), total.float()))
        )
    out, largest, total = (torch.cat(p) for p in zip(*parts, strict=True))
    return out.to(query.dtype), largest.expand(-1, -1, 8), total.expand(-1, -1, 8)


# ------------------------------------------------------------- the sparse attention of DeepSeek


def _samples(
    op_name: str,
    query: Tensor,
    key: Tensor,
    layouts: tuple[str, str],
    lengths_q: Tensor | None,
    lengths_k: Tensor | None,
    table: Tensor | None,
    names: tuple[str, str],
) -> list[tuple[Any, Any, int]]:
    """For each sample where its queries are, where its keys are, and how many keys count."""
    layout_q, layout_k = layouts
    choice(op_name, "layout_query", layout_q, ("BSND", "TND"))
    choice(op_name, names[1], layout_k, ("BSND", "TND", "PA_BSND"))
    paged = layout_k == "PA_BSND"
    if not paged and layout_k != layout_q:
        raise ValueError(
            f"For '{op_name}', '{names[1]}' must be 'PA_BSND' or equal 'layout_query', but got "
            f"{layout_k!r} and {layout_q!r}."
        )
    if query.ndim != len(layout_q) or key.ndim != (4 if paged else len(layout_k)):
        raise ValueError(
            f"For '{op_name}', 'query' of shape {tuple(query.shape)} and 'key' of shape "
            f"{tuple(key.shape)} do not fit the layouts {layout_q} and {layout_k}."
        )
    for name, given, needed in (
        ("actual_seq_lengths_query", lengths_q, layout_q == "TND"),
        (names[0], lengths_k, layout_k != "BSND"),
        ("block_table", table, paged),
    ):
        if needed and given is None:
            raise ValueError(
                f"For '{op_name}' with layouts {layout_q} and {layout_k}, '{name}' must be given."
            )
    counts_q = None if lengths_q is None else lengths_q.tolist()
    counts_k = None if lengths_k is None else lengths_k.tolist()
    items: list[tuple[Any, Any, int]] = []
    if layout_q == "TND":
        assert counts_q is not None
        spans_q: list[Any] = list(_spans(counts_q))
    else:
        batch, time = query.shape[:2]
        spans_q = [(b, slice(0, time if counts_q is None else counts_q[b])) for b in range(batch)]
    for b, span in enumerate(spans_q):
        if paged:
            assert table is not None
            assert counts_k is not None
            items.append((span, table[b].long(), counts_k[b]))
        elif layout_k == "TND":
            assert counts_k is not None
            first = counts_k[b - 1] if b else 0
            items.append((span, slice(first, counts_k[b]), counts_k[b] - first))
        else:
            size = key.shape[1] if counts_k is None else counts_k[b]
            items.append((span, (b, slice(0, size)), size))
    return items


def _keys(key: Tensor, where: Any, count: int) -> Tensor:
    """The keys of one sample, shape (time, heads, features)."""
    entry = key[where]
    return entry.flatten(0, 1)[:count] if isinstance(where, Tensor) else entry


def _only_widest(op_name: str, pre_tokens: Any, next_tokens: Any) -> None:
    widest = 2**63 - 1
    for name, value in (("pre_tokens", pre_tokens), ("next_tokens", next_tokens)):
        if value != widest:
            raise ValueError(f"For '{op_name}', '{name}' must be {widest}, but got {value}.")


def _causal(mode: int, targets: int, sources: int, device: torch.device) -> Tensor:
    """How many keys, from the first, each query may see."""
    rows = torch.arange(targets, device=device)
    return rows + (sources - targets + 1) if mode == 3 else torch.full_like(rows, sources)


_SPARSE_ERRORS = (
    ("sparse_mode=1", ValueError, "sparse_mode"),
    ("layout_query='SBH'", ValueError, "layout_query"),
)


@op(
    samples=(
        "f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 3, 4), sparse_count=4, return_value=True",
        "f(5, 8, 8), f(9, 1, 8), f(5, 8), actual_seq_lengths_query=torch.tensor([2, 5]), "
        "actual_seq_lengths_key=torch.tensor([3, 9]), layout_query='TND', layout_key='TND', "
        "sparse_count=3, sparse_mode=0",
        "f(2, 1, 4, 8), f(5, 4, 1, 8), f(2, 1, 4), "
        "actual_seq_lengths_key=torch.tensor([7, 3]), layout_key='PA_BSND', sparse_count=5, "
        "block_table=torch.tensor([[3, 1], [4, 0]])",
    ),
    errors=(
        *((f"f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 3, 4), {t}", e, w) for t, e, w in _SPARSE_ERRORS),
        ("f(2, 3, 4, 8), f(2, 6, 2, 8), f(2, 3, 4)", ValueError, "key"),
        ("f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 3, 5)", ValueError, "weights"),
        ("f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 3, 4), sparse_count=0", ValueError, "sparse_count"),
    ),
    differentiable=False,
)
def lightning_indexer(
    query: Tensor,
    key: Tensor,
    weights: Tensor,
    *,
    actual_seq_lengths_query: Tensor | None = None,
    actual_seq_lengths_key: Tensor | None = None,
    block_table: Tensor | None = None,
    layout_query: str = "BSND",
    layout_key: str = "BSND",
    sparse_count: int = 2048,
    sparse_mode: int = 3,
    pre_tokens: int = 2**63 - 1,
    next_tokens: int = 2**63 - 1,
    return_value: bool = False,
) -> tuple[Tensor, Tensor]:
    r"""The most relevant keys of each query.

    .. math::
        score_{t s} = \sum_g w_{t g} \cdot \max(0, q_{t g} \cdot k_s), \quad
        indices_t = \mathrm{topk}(score_t)

    Args:
        query (Tensor): shape :math:`(B, S_1, N, D)` or :math:`(T_1, N, D)`.
        key (Tensor): shape :math:`(B, S_2, 1, D)`, :math:`(T_2, 1, D)` or
            ``(blocks, block_size, 1, D)``.
        weights (Tensor): the weights of the heads, shape :math:`(B, S_1, N)` or :math:`(T_1, N)`.
        actual_seq_lengths_query (Tensor): how many queries count in each sample; for TND where
            they end. Default: None.
        actual_seq_lengths_key (Tensor): the same for keys. Default: None.
        block_table (Tensor): for PA_BSND, the blocks of each sample. Default: None.
        layout_query (str): ``"BSND"`` or ``"TND"``. Default: ``"BSND"``.
        layout_key (str): ``"BSND"``, ``"TND"`` or ``"PA_BSND"``. Default: ``"BSND"``.
        sparse_count (int): how many keys to name. Default: 2048.
        sparse_mode (int): 0 for all keys, 3 for causal from the lower right corner. Default: 3.
        pre_tokens (int): only its default.
        next_tokens (int): only its default.
        return_value (bool): whether to return the scores, too. Default: False.

    Returns: tuple of the places of the keys, best first, int32 of shape ``(B, S1, 1,
        sparse_count)`` or ``(T1, 1, sparse_count)``, -1 where there are fewer, and their scores in
        the type of `query`; without `return_value` an empty tensor.
    Raises ValueError: a number is out of range, a layout unknown, or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> q, w = ms.ops.ones((1, 1, 1, 2)), ms.ops.ones((1, 1, 1))
    >>> k = ms.Tensor([[1.0, 0.0], [3.0, 0.0], [2.0, 0.0]]).reshape(1, 3, 1, 2)
    >>> places, _ = ms.ops.lightning_indexer(q, k, w, sparse_count=2)
    >>> print(places[0, 0])
    [[1 2]]
    """
    op_name = "lightning_indexer"
    expected = integer(op_name, "sparse_count", sparse_count, 1)
    if sparse_mode not in (0, 3):
        raise ValueError(f"For '{op_name}', 'sparse_mode' must be 0 or 3, but got {sparse_mode!r}.")
    _only_widest(op_name, pre_tokens, next_tokens)
    samples = _samples(
        op_name,
        query,
        key,
        (layout_query, layout_key),
        actual_seq_lengths_query,
        actual_seq_lengths_key,
        block_table,
        ("actual_seq_lengths_key", "layout_key"),
    )
    if key.shape[-2] != 1 or key.shape[-1] != query.shape[-1]:
        raise ValueError(
            f"For '{op_name}', 'key' must have one head and the features of 'query', but got "
            f"shapes {tuple(key.shape)} and {tuple(query.shape)}."
        )
    if weights.shape != query.shape[:-1]:
        raise ValueError(
            f"For '{op_name}', 'weights' must have shape {tuple(query.shape[:-1])}, but got "
            f"{tuple(weights.shape)}."
        )
    lead = query.shape[:-2]
    places = torch.full((*lead, 1, expected), -1, dtype=torch.int32, device=query.device)
    values = torch.zeros((*lead, 1, expected), dtype=query.dtype, device=query.device)
    for rows, where, count in samples:
        q, w = _wide(query[rows]), _wide(weights[rows])
        k = _wide(_keys(key, where, count)[:, 0])
        scores = torch.einsum("tg,tgs->ts", w, torch.einsum("tgd,sd->tgs", q, k).relu())
        limit = _causal(sparse_mode, q.shape[0], count, q.device)
        beyond = torch.arange(count, device=q.device) >= limit[:, None]
        best = scores.masked_fill(beyond, -torch.inf).topk(min(expected, count), -1)
        out = best.values == -torch.inf
        number_found = best.indices.shape[-1]
        places[rows][..., 0, :number_found] = best.indices.masked_fill(out, -1).int()
        values[rows][..., 0, :number_found] = best.values.masked_fill(out, 0).to(query.dtype)
    return places, values if return_value else values.new_empty(0)


@op(
    samples=(
        "f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 6, 1, 8), "
        "torch.tensor([0, 2, 5, 1, -1]).expand(2, 3, 1, 5), 0.5, query_rope=f(2, 3, 4, 2), "
        "key_rope=f(2, 6, 1, 2), attention_mode=2, return_softmax_lse=True",
        "f(5, 2, 4), f(9, 1, 4), f(9, 1, 4), torch.tensor([0, 1, 2]).expand(5, 1, 3), 0.5, "
        "actual_seq_lengths_query=torch.tensor([2, 5]), sparse_mode=0, sparse_block_size=2, "
        "actual_seq_lengths_kv=torch.tensor([3, 9]), layout_query='TND', layout_kv='TND'",
        "f(2, 1, 4, 8), f(5, 4, 1, 8), f(5, 4, 1, 8), torch.tensor([0, 6, 2]).expand(2, 1, 1, 3), "
        "0.5, block_table=torch.tensor([[3, 1], [4, 0]]), layout_kv='PA_BSND', "
        "actual_seq_lengths_kv=torch.tensor([7, 3])",
    ),
    errors=(
        *(
            (f"f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 6, 1, 8), i(2, 3, 1, 2), 0.5, {t}", e, w)
            for t, e, w in _SPARSE_ERRORS
        ),
        (
            "f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 6, 1, 8), i(2, 3, 1, 2), 0.5, sparse_block_size=3",
            ValueError,
            "sparse_block_size",
        ),
        (
            "f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 6, 1, 8), i(2, 3, 1, 2), 0.5, attention_mode=2",
            ValueError,
            "query_rope",
        ),
        (
            "f(2, 3, 4, 8), f(2, 6, 1, 8), f(2, 6, 1, 8), i(2, 2, 1, 2), 0.5",
            ValueError,
            "sparse_indices",
        ),
    ),
)
def sparse_flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    sparse_indices: Tensor,
    scale_value: float,
    *,
    block_table: Tensor | None = None,
    actual_seq_lengths_query: Tensor | None = None,
    actual_seq_lengths_kv: Tensor | None = None,
    query_rope: Tensor | None = None,
    key_rope: Tensor | None = None,
    sparse_block_size: int = 1,
    layout_query: str = "BSND",
    layout_kv: str = "BSND",
    sparse_mode: int = 3,
    pre_tokens: int = 2**63 - 1,
    next_tokens: int = 2**63 - 1,
    attention_mode: int = 0,
    return_softmax_lse: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention of each query to the keys that an indexer chose for it.

    .. math::
        out = \mathrm{softmax}(s \cdot (Q \tilde{K}^T + Q_{rope} \tilde{K}_{rope}^T)) \tilde{V}

    with the keys and values that `sparse_indices` names. Any sizes will do.

    Args:
        query (Tensor): shape :math:`(B, S_1, N, D)` or :math:`(T_1, N, D)`.
        key (Tensor): shape :math:`(B, S_2, 1, D)`, :math:`(T_2, 1, D)` or
            ``(blocks, block_size, 1, D)``.
        value (Tensor): of the shape of `key`.
        sparse_indices (Tensor): the keys of each query, or blocks of keys, integers of shape
            ``(B, S1, 1, K)`` or ``(T1, 1, K)``; negative ones count for nothing.
        scale_value (float): the factor s.
        block_table (Tensor): for PA_BSND, the blocks of each sample. Default: None.
        actual_seq_lengths_query (Tensor): how many queries count in each sample; for TND where
            they end. The result is zero elsewhere. Default: None.
        actual_seq_lengths_kv (Tensor): the same for keys. Default: None.
        query_rope (Tensor): features of `query` with positions in them; needed in mode 2.
            Default: None.
        key_rope (Tensor): those of `key`. Default: None.
        sparse_block_size (int): how many keys an index names, a power of 2 up to 128. Default: 1.
        layout_query (str): ``"BSND"`` or ``"TND"``. Default: ``"BSND"``.
        layout_kv (str): ``"BSND"``, ``"TND"`` or ``"PA_BSND"``. Default: ``"BSND"``.
        sparse_mode (int): 0 for all keys, 3 for causal from the lower right corner. Default: 3.
        pre_tokens (int): only its default.
        next_tokens (int): only its default.
        attention_mode (int): 0, or 2 with the two tensors of positions. Default: 0.
        return_softmax_lse (bool): whether to return the largest scores and the sums.
            Default: False.

    Returns: tuple of the attention like `query`, and the largest score and the sum of exponentials
        of each row, float32 of shape :math:`(B, 1, S_1, N)` or :math:`(1, T_1, N)`; empty tensors
        if they are not asked for.
    Raises ValueError: a number is out of range, a layout unknown, or a shape does not fit.
    Difference from PyTorch: no counterpart; ``scaled_dot_product_attention`` over gathered keys.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> q, k = ms.ops.ones((1, 2, 4, 8)), ms.ops.ones((1, 6, 1, 8))
    >>> chosen = ms.ops.zeros((1, 2, 1, 3), ms.int32)
    >>> ms.ops.sparse_flash_attention(q, k, k, chosen, 0.5)[0].shape
    (1, 2, 4, 8)
    """
    op_name = "sparse_flash_attention"
    size = integer(op_name, "sparse_block_size", sparse_block_size, 1)
    if size > 128 or size & (size - 1):
        raise ValueError(
            f"For '{op_name}', 'sparse_block_size' must be a power of 2 up to 128, but got {size}."
        )
    for name, given, known in (
        ("sparse_mode", sparse_mode, (0, 3)),
        ("attention_mode", attention_mode, (0, 2)),
    ):
        if given not in known:
            raise ValueError(f"For '{op_name}', '{name}' must be {known}, but got {given!r}.")
    if (query_rope is None) != (key_rope is None) or (attention_mode == 2 and key_rope is None):
        raise ValueError(
            f"For '{op_name}', 'query_rope' and 'key_rope' must be given together, and in "
            "attention_mode 2 they must be given."
        )
    scale = number(op_name, "scale_value", scale_value)
    _only_widest(op_name, pre_tokens, next_tokens)
    samples = _samples(
        op_name,
        query,
        key,
        (layout_query, layout_kv),
        actual_seq_lengths_query,
        actual_seq_lengths_kv,
        block_table,
        ("actual_seq_lengths_kv", "layout_kv"),
    )
    if sparse_indices.shape[:-2] != query.shape[:-2] or sparse_indices.shape[-2] != 1:
        raise ValueError(
            f"For '{op_name}', 'sparse_indices' must have shape {(*query.shape[:-2], 1)} and one "
            f"axis more, but got {tuple(sparse_indices.shape)}."
        )
    if query_rope is not None and key_rope is not None:
        query, key = torch.cat((query, query_rope), -1), torch.cat((key, key_rope), -1)
    parts: list[tuple[Tensor, ...]] = []
    for rows, where, count in samples:
        k, v = _keys(key, where, count)[:, 0], _keys(value, where, count)[:, 0]
        chosen = sparse_indices[rows][:, 0].long()
        if size > 1:
            chosen = chosen.unsqueeze(-1) * size + torch.arange(size, device=chosen.device)
            chosen = chosen.flatten(1)
        q = query[rows]
        limit = _causal(sparse_mode, q.shape[0], count, q.device)
        good = (chosen >= 0) & (chosen < limit[:, None].clamp(max=count))
        chosen = torch.where(good, chosen, torch.zeros_like(chosen))
        step = max(1, _AT_ONCE // max(1, chosen.shape[1] * (k.shape[1] + v.shape[1])))
        for first in range(0, max(1, q.shape[0]), step):
            some = slice(first, first + step)
            picked = chosen[some]
            scores = (_wide(q[some]) * scale) @ _wide(k[picked]).transpose(-2, -1)
            scores = scores.masked_fill(~good[some].unsqueeze(1), -torch.inf)
            parts.append(_attend(scores, _wide(v[picked]))[1:])
    joined = [torch.cat(p) for p in zip(*parts, strict=True)]
    items = [_back(t, query, samples, layout_query) for t in joined]
    out = items[0].to(query.dtype)
    if not return_softmax_lse:
        return out, torch.empty(0, device=out.device), torch.empty(0, device=out.device)
    largest, total = (t[..., 0].float() for t in items[1:])
    axis = 1 if layout_query == "BSND" else 0
    return out, largest.unsqueeze(axis), total.unsqueeze(axis)


def _back(rows: Tensor, query: Tensor, samples: list[Any], layout: str) -> Tensor:
    """Rows of all samples at the places of their queries; zeros elsewhere."""
    if layout == "TND":
        rest = query.shape[0] - rows.shape[0]
        return torch.nn.functional.pad(rows, (0, 0, 0, 0, 0, rest))
    time = query.shape[1]
    parts, first = [], 0
    for (_, span), _, _ in samples:
        count = min(span.stop, time)
        part = rows[first : first + count]
        parts.append(torch.nn.functional.pad(part, (0, 0, 0, 0, 0, time - count)))
        first += count
    return torch.stack(parts)
