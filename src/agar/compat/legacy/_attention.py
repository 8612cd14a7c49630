"""Attention of MindSpore 2.1 to 2.3 for generation and training, which ran on Ascend chips only."""

from __future__ import annotations

import math
from typing import Any

from agar import nn, ops
from agar._core.optable import Primitive
from agar.common import dtype as mstype

__all__ = ["DecoderKVCache", "FlashAttention"]


class FlashAttention(nn.Cell):
    """Attention of queries, keys and values with heads as their second axis.

    Args:
        head_dim (int): length of a head's rows.
        head_num (int): number of heads.
        dropout_rate (float): of the weights of the values. Default: 0.0.
        prev_block_num (int): how many places back a query sees. Default: 65536.
        next_block_num (int): how many places ahead a query sees. Default: 65536.
        high_precision (bool): whether scores are computed in float32. Default: False.

    Inputs:
        - **query** (Tensor) - shape :math:`(batch, heads, seq, size)`.
        - **key** (Tensor) - shape :math:`(batch, heads, seq, size)`.
        - **value** (Tensor) - shape :math:`(batch, heads, seq, size)`.
        - **attn_mask** (Tensor) - shape :math:`(batch, seq, seq)`, 1 at what is hidden. Default:
          None.
        - **alibi_mask** (Tensor) - added to the scores. Default: None.

    Outputs: Tensor of the queries' shape and dtype.
    """

    def __init__(
        self,
        head_dim: int,
        head_num: int,
        dropout_rate: float = 0.0,
        prev_block_num: int = 65536,
        next_block_num: int = 65536,
        high_precision: bool = False,
        **placement: Any,
    ) -> None:
        super().__init__()
        split = {key: v for key, v in placement.items() if key in ("dp", "mp") and v > 1}
        unknown = placement.keys() - {"dp", "mp", "tiling_stgy_name", "alibi", "use_mqa"}
        if split or unknown:
            raise NotImplementedError(
                "'FlashAttention' runs on one device and does not take "
                f"{sorted({*split, *unknown})}."
            )
        self.head_dim = head_dim
        self.reach = (prev_block_num, next_block_num)
        self.precise = high_precision
        self.dropout = nn.Dropout(p=dropout_rate)

    def construct(
        self, query: Any, key: Any, value: Any, attn_mask: Any = None, alibi_mask: Any = None
    ) -> Any:
        dtype = mstype.float32 if self.precise else query.dtype
        score = ops.matmul(ops.cast(query, dtype), ops.swapaxes(ops.cast(key, dtype), -1, -2))
        score = ops.cast(score, mstype.float32) / math.sqrt(self.head_dim)
        if alibi_mask is not None:
            score = score + ops.cast(alibi_mask, mstype.float32)
        back, ahead = self.reach
        if back < score.shape[-1] or ahead < score.shape[-1]:
            seen = ops.ones(score.shape[-2:], mstype.float32)
            band = ops.triu(ops.tril(seen, ahead), -back)
            score = score + (1.0 - band) * -10000.0
        if attn_mask is not None:
            hidden = ops.cast(attn_mask, mstype.float32)
            hidden = ops.expand_dims(hidden, 1) if hidden.ndim == 3 else hidden
            score = score + hidden * -10000.0
        weights = self.dropout(ops.cast(ops.softmax(score, -1), value.dtype))
        return ops.cast(ops.matmul(weights, value), query.dtype)


class DecoderKVCache(Primitive):
    """Write one step's keys or values into a cache, each sequence's at its own place.

    A call takes `cache` (batch, heads, length, size), `update` (batch, heads, 1, size) and
    `valid_seq_len`, the place of each sequence; the other arguments describe the cache. The cache
    is changed and returned.
    """

    def __init__(self) -> None:
        super().__init__("DecoderKVCache")

    def __call__(
        self,
        cache: Any,
        update: Any,
        valid_seq_len: Any,
        batch_index: Any = None,
        seq_len_axis: Any = 2,
        new_max_seq_len: Any = None,
        cur_max_seq_len: Any = None,
    ) -> Any:
        axis = int(seq_len_axis[0] if getattr(seq_len_axis, "ndim", 0) else seq_len_axis)
        if axis != 2 or cache.ndim != 4 or update.shape[2] != 1:
            raise ValueError(
                "For 'DecoderKVCache', the cache must be (batch, heads, length, size) with "
                f"'seq_len_axis' 2 and one step of updates, but got {cache.shape}, {axis} and "
                f"{update.shape}."
            )
        for row, place in enumerate(valid_seq_len.asnumpy().tolist()):
            if 0 <= place < cache.shape[2]:  # a place below 0 leaves the sequence out
                cache[row, :, place] = update[row, :, 0]
        return cache
