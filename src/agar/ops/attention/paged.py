"""Attention over caches in blocks, and routing of tokens, as inference of language models uses.

NOTE Blocks. A cache is (blocks, block size, heads, size of a head); a table gives for each token
or sequence the blocks that hold its context, in order. Place s of the whole cache is place
s mod size of block s // size. Query heads share key heads evenly.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.errors import missing_feature
from agar._core.runtime import runtime
from agar.ops._checks import choice, integer, number
from agar.ops.math.elementwise import check_integers
from agar.ops.spec import primitive

__all__: list[str] = []


def _check(op_name: str, name: str, value: Tensor, expected: str, fits: bool) -> None:
    if not fits:
        raise ValueError(
            f"For '{op_name}', '{name}' must have shape {expected}, but got {list(value.shape)}."
        )


# ------------------------------------------------------------------------------------ caches


def _store_rows(op_name: str, name: str, rows: Tensor, cache: Tensor, slots: Tensor) -> None:
    """Write rows at places of a cache in blocks; negative places are left out."""
    _check(op_name, f"{name}_cache", cache, "(blocks, block size, ...)", cache.ndim >= 3)
    flat = cache.shape[0] * cache.shape[1]
    width = cache[0, 0].numel() if flat else 0
    if slots.numel() and width * slots.numel() != rows.numel():
        raise ValueError(
            f"For '{op_name}', '{name}' must have {width} elements for each of the {slots.numel()} "
            f"slots, but got shape {list(rows.shape)}."
        )
    result = slots >= 0
    with torch.no_grad():
        places = cache.detach().view(flat, width)
        source = rows.reshape(slots.numel(), width).to(cache.dtype)
        places.index_copy_(0, slots[result], source[result])
    runtime.weights += 1


@primitive(
    "ReshapeAndCache",
    samples=("f(3, 2, 4), f(3, 2, 4), f(2, 2, 2, 4), f(2, 2, 2, 4), torch.tensor([3, -1, 0])",),
    errors=(
        ("f(3, 2, 4), None, f(2, 2, 2, 4), None, i(2)", ValueError, "key"),
        ("f(3, 2, 4), None, f(2, 2), None, i(3)", ValueError, "key_cache"),
        ("f(3, 2, 4), None, f(2, 2, 2, 4), None, f(3)", TypeError, "slot_mapping"),
        ("f(3, 2, 4), f(3, 2, 4), f(2, 2, 2, 4), None, i(3)", ValueError, "value_cache"),
        ("f(1, 2, 4), None, f(2, 2, 2, 4), None, i(1) * 0 + 9", ValueError, "slot_mapping"),
    ),
    differentiable=False,
    cast="never",
)
def _reshape_and_cache(
    key: Tensor,
    value: Tensor | None = None,
    key_cache: Tensor | None = None,
    value_cache: Tensor | None = None,
    slot_mapping: Tensor | None = None,
) -> Tensor:
    r"""Write keys and values of tokens into caches in blocks (see the note on blocks).

    Inputs:
        - **key** (Tensor) - shape :math:`(tokens, heads, size)`, or with heads and size joined.
        - **value** (Tensor) - likewise. Default: None.
        - **key_cache** (Parameter) - shape :math:`(blocks, block\_size, heads, size)`; changed.
        - **value_cache** (Parameter) - likewise. Default: None.
        - **slot_mapping** (Tensor) - the place of each token in the whole cache, integers of shape
          :math:`(tokens,)`; a negative one leaves the token out.

    Outputs: Tensor, `key`.
    Raises TypeError: `slot_mapping` is not a tensor of integers.
    Raises ValueError: a shape does not fit, an argument is missing or a place is out of range.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation.

    >>> cache = ms.Parameter(ms.ops.zeros((2, 2, 1, 1)), name="cache")
    >>> _ = ms.ops.ReshapeAndCache()(
    ...     ms.Tensor([[[5.0]]]), key_cache=cache, slot_mapping=ms.Tensor([2])
    ... )
    >>> print(cache.value().reshape(-1))
    [0. 0. 5. 0.]
    """
    op_name = "ReshapeAndCache"
    if key_cache is None or slot_mapping is None:
        raise ValueError(f"For '{op_name}', 'key_cache' and 'slot_mapping' must be given.")
    if (value is None) != (value_cache is None):
        raise ValueError(
            f"For '{op_name}', 'value' and 'value_cache' must be given both, or none of them."
        )
    check_integers(op_name, "slot_mapping", slot_mapping)
    slots = slot_mapping.reshape(-1).long()
    size = key_cache.shape[0] * key_cache.shape[1] if key_cache.ndim > 1 else 0
    if slots.numel() and size and bool(slots.max() >= size):
        raise ValueError(
            f"For '{op_name}', 'slot_mapping' must be less than the {size} places of the cache, "
            f"but got {int(slots.max())}."
        )
    _store_rows(op_name, "key", key, key_cache, slots)
    if value is not None and value_cache is not None:
        _store_rows(op_name, "value", value, value_cache, slots)
    return key


def _check_paged(instance: Any) -> None:
    """Check what both primitives' constructors have in common."""
    op_name = instance.name
    integer(op_name, "head_num", instance.head_num, 1)
    integer(op_name, "kv_head_num", instance.kv_head_num, 1)
    number(op_name, "scale_value", instance.scale_value)
    if instance.head_num % instance.kv_head_num:
        raise ValueError(
            f"For '{op_name}', 'head_num' must be a multiple of 'kv_head_num', but got "
            f"{instance.head_num} and {instance.kv_head_num}."
        )
    choice(op_name, "kv_cache_quant_mode", instance.kv_cache_quant_mode, ("DEFAULT", "PERTOKEN"))


def _check_masked(instance: Any) -> None:
    _check_paged(instance)
    choice(instance.name, "mask_mode", instance.mask_mode, ("MASK_DEFAULT", "TRAPEZOIDAL"))


def _unpacked(
    op_name: str,
    cache: Tensor,
    table: Tensor,
    quant: tuple[Tensor | None, Tensor | None],
    which: int,
    mode: str,
    heads: int,
) -> Tensor:
    """The context of each row of a table, as (rows, places, heads, size), in float32."""
    _check(op_name, "a cache", cache, "(blocks, block size, heads, size)", cache.ndim in (3, 4))
    entry = cache[table.clamp(min=0)]  # rows, blocks, block size, ...
    entry = entry.reshape(len(table), -1, heads, cache[0, 0].numel() // heads)
    entry = entry.to(torch.promote_types(entry.dtype, torch.float32))
    scale, offset = quant
    if scale is None:
        return entry
    if mode == "PERTOKEN":
        raise missing_feature(
            f"{op_name} with kv_cache_quant_mode='PERTOKEN'",
            "MindSpore does not say how the scales of tokens lie in the cache",
            "use 'DEFAULT', or caches of a floating type",
        )
    if offset is not None:
        entry = entry + offset[which].reshape(entry.shape[2:]).to(entry.dtype)
    return entry * scale[which].reshape(entry.shape[2:]).to(entry.dtype)


def _paged(
    op_name: str,
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor | None,
    block_tables: Tensor | None,
    context_lens: Tensor | None,
    quant: tuple[Tensor | None, Tensor | None],
    masks: tuple[Tensor | None, ...],
    options: dict[str, Any],
) -> Tensor:
    if block_tables is None or context_lens is None:
        raise ValueError(f"For '{op_name}', 'block_tables' and 'context_lens' must be given.")
    heads, shared = options["head_num"], options["kv_head_num"]
    tokens = query.reshape(-1, query.shape[-1]) if query.ndim == 2 else query
    tokens = tokens.reshape(len(block_tables), heads, -1)
    _check(op_name, "block_tables", block_tables, "(tokens, blocks)", block_tables.ndim == 2)
    _check(
        op_name,
        "context_lens",
        context_lens,
        f"({len(block_tables)},)",
        context_lens.numel() == len(block_tables),
    )
    table = block_tables.long()
    mode = options["kv_cache_quant_mode"]
    keys = _unpacked(op_name, key_cache, table, quant, 0, mode, shared)
    if value_cache is None:  # keys and values in one cache: the values are the first columns
        values = keys[..., : options["mla_v_dim"] or keys.shape[-1]]
    else:
        values = _unpacked(op_name, value_cache, table, quant, 1, mode, shared)
    keys = keys.repeat_interleave(heads // shared, 2)
    values = values.repeat_interleave(heads // shared, 2)
    scores = torch.einsum("thd,tlhd->thl", tokens.to(keys.dtype), keys) * options["scale_value"]
    places = torch.arange(keys.shape[1], device=keys.device)
    for mask in masks:
        if mask is not None:
            part = mask.to(scores.dtype).reshape(len(table), -1, mask.shape[-1])
            width = min(mask.shape[-1], scores.shape[-1])
            pad = torch.nn.functional.pad(part[..., :width], (0, scores.shape[-1] - width))
            scores = scores + pad
    outside = places >= context_lens.reshape(-1, 1, 1)
    scores = scores.masked_fill(outside, -torch.inf)
    shares = torch.nan_to_num(scores.softmax(-1))  # an empty context gives zeros
    return (
        torch.einsum("thl,tlhd->thd", shares, values).to(query.dtype).reshape(*query.shape[:-1], -1)
    )


_PAGES = (
    "f(2, 4, 3), f(5, 2, 2, 3), f(5, 2, 2, 3), torch.tensor([[1, 4], [0, 2]]), torch.tensor([3, 2])"
)
_OPTIONS = "head_num=4, scale_value=0.5, kv_head_num=2"


@primitive(
    "PagedAttention",
    samples=(f"{_PAGES}, {_OPTIONS}", f"{_PAGES}, None, None, f(2, 4), {_OPTIONS}"),
    errors=(
        (f"f(2, 4, 3), f(5, 2, 2, 3), {_OPTIONS}", ValueError, "block_tables"),
        (f"{_PAGES}, head_num=4, scale_value=0.5, kv_head_num=3", ValueError, "kv_head_num"),
        (f"{_PAGES}, {_OPTIONS}, mask_mode='x'", ValueError, "mask_mode"),
    ),
    setup=_check_masked,
)
def _paged_attention(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor | None = None,
    block_tables: Tensor | None = None,
    context_lens: Tensor | None = None,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    attn_mask: Tensor | None = None,
    q_seq_lens: Tensor | None = None,
    alibi_mask: Tensor | None = None,
    *,
    head_num: int,
    scale_value: float,
    kv_head_num: int,
    kv_cache_quant_mode: str = "DEFAULT",
    mask_mode: str = "MASK_DEFAULT",
    mla_v_dim: int = 0,
    _state: None = None,
) -> Tensor:
    r"""Attention of single tokens over contexts in blocks (see the note on blocks).

    For each token and head, :math:`softmax(scale\_value \cdot q K^T + masks) V` over the first
    `context_lens` places of its blocks.

    Args:
        head_num (int): heads of the query.
        scale_value (float): what scores are multiplied by.
        kv_head_num (int): heads of keys and values, which divide `head_num`.
        kv_cache_quant_mode (str): ``"DEFAULT"``: scales for each column; ``"PERTOKEN"`` is not
            available. Default: ``"DEFAULT"``.
        mask_mode (str): ``"MASK_DEFAULT"`` or ``"TRAPEZOIDAL"``, which needs no mask.
            Default: ``"MASK_DEFAULT"``.
        mla_v_dim (int): without `value_cache`, how many columns of the keys are the values; 0:
            all. Default: 0.
        query (Tensor): shape :math:`(tokens, heads, size)`, or heads and size joined.
        key_cache (Tensor): shape :math:`(blocks, block\_size, kv\_heads, size)`.
        value_cache (Tensor): likewise. Default: None.
        block_tables (Tensor): shape :math:`(tokens, blocks\_of\_a\_token)`, integers.
        context_lens (Tensor): shape :math:`(tokens,)`.
        antiquant_scale (Tensor): scales of caches in int8, shape :math:`(2, kv\_heads
            \cdot size)`. Default: None.
        antiquant_offset (Tensor): what is added before. Default: None.
        attn_mask (Tensor): added to the scores, shape :math:`(tokens, places)`.
            Default: None.
        q_seq_lens (Tensor): not available. Default: None.
        alibi_mask (Tensor): added to the scores likewise. Default: None.

    Outputs: Tensor like `query`.
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape does not fit, or an argument is missing.
    Raises NotImplementedError: several tokens of a sequence (`q_seq_lens`), or scales for each
        token.
    Difference from PyTorch: ``scaled_dot_product_attention`` takes no tables of blocks.
    Source: MindSpore 2.10's documentation; there it has no kernel.

    >>> cache = ms.ops.arange(0, 4).float().reshape(2, 2, 1, 1)
    >>> table, length = ms.Tensor([[1, 0]]), ms.Tensor([3])
    >>> attention = ms.ops.PagedAttention(1, 0.0, 1)
    >>> print(attention(ms.ops.ones((1, 1, 1)), cache, cache, table, length))
    [[[1.6666667]]]
    """
    if q_seq_lens is not None:
        raise missing_feature(
            "PagedAttention with q_seq_lens",
            "MindSpore does not say how several tokens of a sequence lie in the query",
            "give every token a row of block_tables and context_lens",
        )
    options = {
        "head_num": head_num,
        "scale_value": scale_value,
        "kv_head_num": kv_head_num,
        "kv_cache_quant_mode": kv_cache_quant_mode,
        "mla_v_dim": mla_v_dim,
    }
    return _paged(
        "PagedAttention",
        query,
        key_cache,
        value_cache,
        block_tables,
        context_lens,
        (antiquant_scale, antiquant_offset),
        (attn_mask, alibi_mask),
        options,
    )


@primitive(
    "PagedAttentionMask",
    samples=(f"{_PAGES}, {_OPTIONS}", f"{_PAGES}, None, None, f(2, 4, 1, 4), {_OPTIONS}"),
    errors=((f"{_PAGES}, head_num=4, scale_value=0.5, kv_head_num=3", ValueError, "kv_head_num"),),
    setup=_check_paged,
)
def _paged_attention_mask(
    query: Tensor,
    key_cache: Tensor,
    value_cache: Tensor,
    block_tables: Tensor,
    context_lens: Tensor,
    antiquant_scale: Tensor | None = None,
    antiquant_offset: Tensor | None = None,
    alibi_mask: Tensor | None = None,
    *,
    head_num: int,
    scale_value: float,
    kv_head_num: int,
    kv_cache_quant_mode: str = "DEFAULT",
    _state: None = None,
) -> Tensor:
    """Attention of single tokens over contexts in blocks with a bias; see :class:`PagedAttention`.

    Its mask has a row for each head: shape :math:`(tokens, heads, 1, places)`.

    >>> cache = ms.ops.arange(0, 4).float().reshape(2, 2, 1, 1)
    >>> table, length = ms.Tensor([[1, 0]]), ms.Tensor([3])
    >>> attention = ms.ops.PagedAttentionMask(1, 0.0, 1)
    >>> print(attention(ms.ops.ones((1, 1, 1)), cache, cache, table, length))
    [[[1.6666667]]]
    """
    options = {
        "head_num": head_num,
        "scale_value": scale_value,
        "kv_head_num": kv_head_num,
        "kv_cache_quant_mode": kv_cache_quant_mode,
        "mla_v_dim": 0,
    }
    return _paged(
        "PagedAttentionMask",
        query,
        key_cache,
        value_cache,
        block_tables,
        context_lens,
        (antiquant_scale, antiquant_offset),
        (alibi_mask,),
        options,
    )


# --------------------------------------------------------------------- positions and routing


def _check_format(instance: Any) -> None:
    result = integer("ApplyRotaryPosEmb", "cos_format", instance.cos_format, 0)
    if result > 1:
        raise missing_feature(
            f"ApplyRotaryPosEmb with cos_format={result}",
            "MindSpore documents no such layout",
            "use 0, the two halves of a head being turned, or 1, neighbors being turned",
        )


def _turned(x: Tensor, cos: Tensor, sin: Tensor, by_halves: bool) -> Tensor:
    width = cos.shape[-1]
    heads = x.reshape(*x.shape[:-1], -1, width)
    if by_halves:
        first, second = heads.chunk(2, -1)
        other = torch.cat((-second, first), -1)
    else:
        pairs = heads.reshape(*heads.shape[:-1], -1, 2)
        other = torch.stack((-pairs[..., 1], pairs[..., 0]), -1).reshape(heads.shape)
    result = heads * cos.unsqueeze(-2) + other * sin.unsqueeze(-2)
    return result.reshape(x.shape).to(x.dtype)


@primitive(
    "ApplyRotaryPosEmb",
    samples=(
        "f(2, 8), f(2, 4), f(2, 4), f(2, 4), torch.tensor([1, 1])",
        "f(2, 8), f(2, 4), f(9, 4), f(9, 4), torch.tensor([3, 7]), cos_format=1",
    ),
    errors=(
        ("f(2, 7), f(2, 4), f(2, 4), f(2, 4), i(2)", ValueError, "query"),
        ("f(2, 8), f(2, 4), f(2, 4), f(3, 4), i(2)", ValueError, "'sin'"),
        ("f(2, 8), f(2, 4), f(3, 4), f(3, 4), i(3)", ValueError, "position_ids"),
    ),
    setup=_check_format,
)
def _apply_rotary_pos_emb(
    query: Tensor,
    key: Tensor,
    cos: Tensor,
    sin: Tensor,
    position_ids: Tensor,
    *,
    cos_format: int = 0,
    _state: None = None,
) -> tuple[Tensor, Tensor]:
    r"""Queries and keys rotated by their positions: :math:`x \cos + turn(x) \sin` for each head.

    Args:
        cos_format (int): 0: turn(x) is :math:`(-x_2, x_1)` of the two halves of a head; 1: of
            neighbors. Default: 0.
        query (Tensor): shape :math:`(.., heads \cdot size)`.
        key (Tensor): shape :math:`(.., kv\_heads \cdot size)`.
        cos (Tensor): shape :math:`(rows, size)`: a row for each token, or for each
            position.
        sin (Tensor): likewise.
        position_ids (Tensor): the position of each token; it counts where `cos` has not one
            row for each token.

    Outputs: Tuple of query and key, of their shapes and types.
    Raises TypeError: `cos_format` is not an int.
    Raises ValueError: a shape does not fit.
    Raises NotImplementedError: `cos_format` is another number.
    Difference from PyTorch: no counterpart.
    Source: the usual formula; MindSpore 2.10 documents none and has no kernel for the CPU.

    >>> x, zero, one = ms.Tensor([[1.0, 2.0]]), ms.ops.zeros((1, 2)), ms.ops.ones((1, 2))
    >>> print(ms.ops.ApplyRotaryPosEmb()(x, x, zero, one, ms.Tensor([0]))[0])
    [[-2.  1.]]
    """
    op_name = "ApplyRotaryPosEmb"
    _check(op_name, "cos", cos, "(.., size)", cos.ndim >= 2 and cos.shape[-1] % 2 == 0)
    _check(op_name, "sin", sin, f"{list(cos.shape)}", sin.shape == cos.shape)
    width = cos.shape[-1]
    tokens = query.shape[:-1].numel()
    for name, value in (("query", query), ("key", key)):
        _check(op_name, name, value, f"(.., n * {width})", value.shape[-1] % width == 0)
    rows, other = cos.reshape(-1, width), sin.reshape(-1, width)
    if len(rows) != tokens:
        if position_ids.numel() != tokens:
            raise ValueError(
                f"For '{op_name}', 'position_ids' must have one position for each of the {tokens} "
                f"tokens, but got shape {list(position_ids.shape)}."
            )
        index = position_ids.reshape(-1).long()
        rows, other = rows[index], other[index]
    items = []
    for value in (query, key):
        flat = value.reshape(-1, value.shape[-1])
        items.append(_turned(flat, rows, other, cos_format == 0).reshape(value.shape))
    return items[0], items[1]


@primitive(
    "GroupTopk",
    samples=("u(2, 6), torch.arange(6), 3, 2", "u(2, 6), torch.arange(6), 2, 1, 2"),
    errors=(
        ("u(2, 6), i(6), 4, 2", ValueError, "group_num"),
        ("u(2, 6), i(6), 3, 4", ValueError, "'k'"),
        ("u(2, 6), i(6), 3, 1, 3", ValueError, "k_inner"),
        ("u(6), i(6), 3, 1", ValueError, "token"),
    ),
    differentiable=False,
    cast="never",
)
def _group_topk(token: Tensor, idx_arr: Tensor, group_num: int, k: int, k_inner: int = 1) -> Tensor:
    """Scores of experts in the best groups; the others become 0.

    The experts lie in groups of equal size; a group counts by the sum of its `k_inner` largest
    scores. `token` is changed.

    Inputs:
        - **token** (Tensor) - scores, shape :math:`(tokens, experts)`.
        - **idx_arr** (Tensor) - the numbers 0, 1, ...; accepted for compatibility.
        - **group_num** (int) - how many groups there are.
        - **k** (int) - how many of them stay.
        - **k_inner** (int) - how many scores of a group count. Default: 1.

    Outputs: Tensor, `token` after the change.
    Raises TypeError: a number is not an int.
    Raises ValueError: a number or the shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: the usual rule of such networks; MindSpore 2.10 documents none and has no kernel for the
        CPU.

    >>> scores = ms.Tensor([[0.1, 0.2, 0.9, 0.0]])
    >>> print(ms.ops.GroupTopk()(scores, ms.Tensor([0, 1, 2, 3]), 2, 1))
    [[0.  0.  0.9 0. ]]
    """
    op_name = "GroupTopk"
    _check(op_name, "token", token, "(tokens, experts)", token.ndim == 2)
    groups = integer(op_name, "group_num", group_num, 1)
    if token.shape[1] % groups:
        raise ValueError(
            f"For '{op_name}', 'group_num' must divide the {token.shape[1]} experts, but got "
            f"{groups}."
        )
    size = token.shape[1] // groups
    for name, value, most in (("k", k, groups), ("k_inner", k_inner, size)):
        if integer(op_name, name, value, 1) > most:
            raise ValueError(f"For '{op_name}', '{name}' must be at most {most}, but got {value}.")
    split = token.detach().reshape(-1, groups, size)
    counts = split.topk(k_inner, -1).values.sum(-1)
    best = counts.topk(k, -1).indices
    stays = torch.zeros_like(counts, dtype=torch.bool).scatter(-1, best, True)
    with torch.no_grad():
        token.detach().copy_((split * stays[..., None]).reshape(token.shape))
    return token
