"""Private functions behind layers and losses of ``nn`` and ``ops.function.nn_func``."""

from __future__ import annotations

import math
from typing import Any

from agar import ops
from agar.common import dtype as mstype

__all__ = [
    "_check_input_3d",
    "_deconv_output_length",
    "_in_projection",
    "_in_projection_packed",
    "_innner_log_softmax",
    "_scaled_dot_product_attention",
    "multi_head_attention_forward",
]

_OP = "multi_head_attention_forward"


def _check_input_3d(input_shape: Any, op_name: str) -> None:
    """Raise ValueError unless an input has three axes."""
    if len(input_shape) != 3:
        raise ValueError(
            f"For '{op_name}', the dimension of input must be 3d, but got {len(input_shape)}."
        )


def _deconv_output_length(
    is_valid: bool,
    is_same: bool,
    is_pad: bool,
    input_length: int,
    filter_size: int,
    stride_size: int,
    dilation_size: int,
    padding: int,
) -> int:
    """How long the result of a transposed convolution is along an axis."""
    reach = filter_size + (filter_size - 1) * (dilation_size - 1)
    length = input_length * stride_size
    if is_valid:
        return length + max(reach - stride_size, 0)
    if is_same:
        return length
    return length - padding + reach - stride_size if is_pad else 0


def _innner_log_softmax(inputs: Any, axis: int) -> Any:
    """The logarithm of the softmax along an axis, for any number of axes."""
    return inputs - ops.logsumexp(inputs, axis, True)


# ---------------------------------------------------------------------------------- attention


def _split(value: Any, parts: int) -> list[Any]:
    return [None] * parts if value is None else list(ops.chunk(value, parts, 0))


def _in_projection_packed(
    q: Any, k: Any, v: Any, w: Any, b: Any, k_is_v: bool, q_is_k: bool
) -> tuple[Any, ...]:
    """Queries, keys and values by the three parts of one weight and one bias."""
    del k_is_v, q_is_k  # they say which products could be one
    weights, biases = _split(w, 3), _split(b, 3)
    return tuple(map(ops.dense, (q, k, v), weights, biases))


def _in_projection(
    q: Any, k: Any, v: Any, w_q: Any, w_k: Any, w_v: Any, b_q: Any, b_k: Any, b_v: Any
) -> tuple[Any, Any, Any]:
    """Queries, keys and values by a weight and a bias each."""
    return ops.dense(q, w_q, b_q), ops.dense(k, w_k, b_k), ops.dense(v, w_v, b_v)


def _scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any,
    dropout_p: float,
    is_causal: bool,
    is_training: bool,
    dtype: Any,
) -> tuple[Any, Any]:
    """The mean of the values by the softmax of the scores, and these weights.

    `attn_mask` is added to the scores. With `is_causal` it is replaced: as in MindSpore, by ones
    where a key is not later than the query and zeros elsewhere, which are added too.
    """
    root = math.sqrt(math.sqrt(query.shape[-1]))
    if is_causal:
        attn_mask = ops.ones((query.shape[-2], key.shape[-2]), dtype).tril()
    scores = ops.matmul(query / root, key.swapaxes(-2, -1) / root)
    weights = ops.softmax(scores if attn_mask is None else scores + attn_mask, -1)
    weights = ops.dropout(weights, dropout_p, is_training)
    return ops.matmul(weights, value), weights


def _batched(query: Any, key: Any, value: Any) -> bool:
    """Whether there is an axis for the batch.

    Raises:
        ValueError: the numbers of axes differ, or are neither 2 nor 3.
    """
    ranks = (query.ndim, key.ndim, value.ndim)
    if ranks not in ((2, 2, 2), (3, 3, 3)):
        raise ValueError(
            f"For '{_OP}', `query`, `key` and `value` should be unbatched 2D or batched 3D tensors "
            f"of one rank, but got ranks {ranks}."
        )
    return ranks[0] == 3


def _check_shapes(query: Any, key: Any, value: Any, features: int, heads: int, own: bool) -> None:
    if query.shape[-1] != features or features % heads:
        raise ValueError(
            f"For '{_OP}', the `embed_dim` should be {features}, divisible by `num_heads` {heads}, "
            f"but got a `query` with {query.shape[-1]} features."
        )
    same = key.shape[:2] == value.shape[:2] if own else key.shape == value.shape
    if not same:
        raise ValueError(
            f"For '{_OP}', the shape of `key` {key.shape} does not match `value` {value.shape}."
        )


def _biases(mask: Any, dtype: Any) -> Any:
    """A mask as numbers to be added: minus infinity where it is True."""
    if mask is None or mask.dtype not in (mstype.bool_, mstype.uint8):
        return mask
    return ops.zeros(mask.shape, dtype).masked_fill(mask.astype(mstype.bool_), -math.inf)


def _longer(mask: Any, columns: int) -> Any:
    """A mask with columns behind the others that mask nothing."""
    if mask is None or not columns:
        return mask
    return ops.concat([mask, ops.zeros((*mask.shape[:-1], columns), mask.dtype)], -1)


def _mask(
    attn_mask: Any, padding: Any, sizes: tuple[int, int, int, int], dtype: Any, added: int
) -> Any:
    """Both masks as one that is added to scores of shape (batch, heads, queries, keys).

    Raises:
        ValueError: a mask has another shape or type.
    """
    batch, heads, queries, keys = sizes
    before = keys - added
    for name, mask, shapes in (
        ("attn_mask", attn_mask, ((queries, before), (batch * heads, queries, before))),
        ("key_padding_mask", padding, ((batch, before),)),
    ):
        if mask is not None and tuple(mask.shape) not in shapes:
            raise ValueError(
                f"For '{_OP}', the shape of the `{name}` should be "
                f"{' or '.join(map(str, shapes))}, but got {mask.shape}."
            )
        kinds = (mstype.bool_, mstype.uint8)
        if mask is not None and mask.dtype not in kinds and not mask.is_floating_point():
            raise ValueError(
                f"For '{_OP}', the `{name}` only supports bool and floating dtypes, but got "
                f"{mask.dtype}."
            )
    scores, keep = (_longer(_biases(mask, dtype), added) for mask in (attn_mask, padding))
    if scores is not None and scores.ndim == 3:
        scores = scores.reshape((batch, heads, queries, keys))
    if keep is not None:
        keep = keep.reshape((batch, 1, 1, keys))
    if scores is None or keep is None:
        return keep if scores is None else scores
    return scores + keep


def _by_heads(value: Any, static: Any, name: str, batch: int, heads: int) -> Any:
    """(length, batch, features) as (batch, heads, length, features of a head)."""
    length, _, features = value.shape
    if static is not None:
        expected = (batch * heads, features // heads)
        if (static.shape[0], static.shape[2]) != expected:
            raise ValueError(
                f"For '{_OP}', `{name}` should have {expected[0]} rows of {expected[1]} features, "
                f"but got shape {static.shape}."
            )
        return static.reshape((batch, heads, static.shape[1], static.shape[2]))
    return value.reshape((length, batch, heads, features // heads)).transpose(1, 2, 0, 3)


def _more_keys(
    k: Any, v: Any, bias_k: Any, bias_v: Any, statics: tuple[Any, Any]
) -> tuple[Any, Any, int]:
    """Keys and values with the learned ones behind them, and how many were added."""
    if (bias_k is None) != (bias_v is None) or (bias_k is not None and statics != (None, None)):
        raise ValueError(
            f"For '{_OP}', `bias_k` and `bias_v` should be given together, and not with `static_k` "
            "or `static_v`."
        )
    if bias_k is None:
        return k, v, 0
    batch = k.shape[1]
    return (
        ops.concat([k, bias_k.tile((1, batch, 1))]),
        ops.concat([v, bias_v.tile((1, batch, 1))]),
        1,
    )


def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
    k_is_v: bool = False,
    q_is_k: bool = False,
    dtype: Any = mstype.float32,
) -> tuple[Any, Any]:
    """Attention of several heads: the output, shape (L, N, E), and the weights.

    Raises:
        ValueError: shapes do not fit, or a weight that is needed is None.
    """
    batched = _batched(query, key, value)
    if not batched:
        query, key, value = (one.expand_dims(1) for one in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
    _check_shapes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    weights = (
        (q_proj_weight, k_proj_weight, v_proj_weight)
        if use_separate_proj_weight
        else (in_proj_weight,)
    )
    if any(weight is None for weight in weights):
        names = "q_proj_weight, k_proj_weight and v_proj_weight"
        raise ValueError(
            f"For '{_OP}', {names if use_separate_proj_weight else 'in_proj_weight'} must be "
            f"given with use_separate_proj_weight={use_separate_proj_weight}, but got None."
        )
    if use_separate_proj_weight:
        q, k, v = _in_projection(query, key, value, *weights, *_split(in_proj_bias, 3))
    else:
        q, k, v = _in_projection_packed(
            query, key, value, in_proj_weight, in_proj_bias, k_is_v, q_is_k
        )
    length, batch, features = query.shape
    k, v, added = _more_keys(k, v, bias_k, bias_v, (static_k, static_v))
    q = _by_heads(q, None, "query", batch, num_heads)
    k = _by_heads(k, static_k, "static_k", batch, num_heads)
    v = _by_heads(v, static_v, "static_v", batch, num_heads)
    if add_zero_attn:
        empty = (batch, num_heads, 1, features // num_heads)
        k, v = (ops.concat([one, ops.zeros(empty, one.dtype)], 2) for one in (k, v))
        added += 1
    sizes = (batch, num_heads, length, k.shape[2])
    mask = _mask(attn_mask, key_padding_mask, sizes, q.dtype, added)
    out, scores = _scaled_dot_product_attention(
        q, k, v, mask, dropout_p, is_causal, training, dtype
    )
    out = out.transpose(2, 0, 1, 3).reshape((length, batch, features))
    out = ops.dense(out, out_proj_weight, out_proj_bias)
    if average_attn_weights:
        scores = scores.mean(1)
    return (out, scores) if batched else (out.squeeze(1), scores.squeeze(0))
