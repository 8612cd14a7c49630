"""Operators of mixtures of experts and of quantized layers, which MindSpore has on Ascend only.

They are the formulas of MindSpore's documentation, computed with agar's public functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import agar as ms
from agar import mint as _mint
from agar import ops

__all__ = [
    "antiquant_product",
    "cross_entropy_loss",
    "dynamic_quant",
    "ffn",
    "grouped_matmul",
    "grouped_matmul_add",
    "kv_cache_scatter",
    "matmul_add",
    "moe_finalize_routing",
    "moe_gating",
    "moe_init_routing",
    "quantized",
]

# its operators are made when they are asked for, which a type checker does not see
mint: Any = _mint


def _unused(op_name: str, **values: Any) -> None:
    """Refuse arguments whose formula MindSpore does not document."""
    for name, value in values.items():
        if value is not None and not (isinstance(value, (int, float)) and value == 0):
            raise NotImplementedError(
                f"For '{op_name}', '{name}' must be left out, but got {value!r}: it is a setting "
                "of a kernel of Ascend. Instead: leave it out, or compose the operator from ops."
            )


def cross_entropy_loss(
    input: Any,
    target: Any,
    weight: Any,
    reduction: str,
    ignore_index: int,
    label_smoothing: float,
    scale: float,
    return_zloss: bool,
) -> tuple[Any, Any, Any, Any]:
    """CrossEntropyLoss: the loss, the logarithms of the probabilities, and two empty tensors."""
    _unused(
        "CrossEntropyLoss",
        label_smoothing=label_smoothing,
        lse_square_scale_for_zloss=scale,
        return_zloss=return_zloss,
    )
    logs = mint.nn.functional.log_softmax(input.astype(ms.float32), 1)
    loss = mint.nn.functional.nll_loss(logs, target, weight, ignore_index, reduction)
    loss = loss if reduction == "none" else loss.reshape(1)
    empty = mint.zeros((0,), dtype=input.dtype)
    return loss.astype(input.dtype), logs.astype(input.dtype), empty, empty


# ------------------------------------------------------------------------- products in groups


def _turned(matrix: Any, transpose: bool) -> Any:
    return matrix.swapaxes(-1, -2) if transpose else matrix


def _restored(weight: Any, scale: Any, offset: Any) -> Any:
    """A weight of integers as the numbers that it stands for."""
    if scale is None:
        return weight
    weight = weight.astype(scale.dtype)
    return (weight if offset is None else weight + offset) * scale


def _each(values: Sequence[Any] | None, count: int) -> Sequence[Any]:
    return [None] * count if values is None else values


def grouped_matmul(
    x: Sequence[Any],
    weight: Sequence[Any],
    bias: Sequence[Any] | None,
    scales: Sequence[Any] | None,
    offsets: Sequence[Any] | None,
    group_list: Any,
    split_item: int,
    group_type: int,
    transpose: tuple[bool, bool] = (False, False),
    group_list_type: int = 0,
    **unused: Any,
) -> tuple[Any, ...]:
    """GroupedMatmul: products of pairs, or of the groups of rows of one matrix.

    Raises:
        TypeError: `split_item` and `group_type` are not 0 and -1, or 3 and 0, or `group_list` is
            missing for the latter.
        NotImplementedError: an argument is given whose formula MindSpore does not document.
    """
    op_name = "GroupedMatmul"
    _unused(op_name, **unused)
    if (split_item, group_type) not in ((0, -1), (3, 0)):
        raise TypeError(
            f"For '{op_name}', 'split_item' and 'group_type' must be 0 and -1 or 3 and 0, but got "
            f"{split_item} and {group_type}."
        )
    quantized = zip(weight, _each(scales, len(weight)), _each(offsets, len(weight)), strict=True)
    matrices = [_turned(_restored(*parts), transpose[1]) for parts in quantized]
    rows = [_turned(one, transpose[0]) for one in x]
    if split_item == 3:
        if group_list is None:
            raise TypeError(f"For '{op_name}' with split_item 3, 'group_list' must be given.")
        return ops.gmm(rows, matrices, bias, group_list, 0, group_list_type)
    added = _each(bias, len(matrices))
    pairs = zip(rows, matrices, added, strict=True)
    return tuple(a @ b if c is None else a @ b + c for a, b, c in pairs)


def matmul_add(x: Any, weight: Any, out: Any) -> Any:
    """InplaceMatmulAdd: the product of the transpose of `x` with `weight`, added to `out`."""
    return out.add_((_turned(x, True) @ weight).astype(out.dtype))


def grouped_matmul_add(x: Any, weight: Any, group_list: Any, out: Any) -> Any:
    """InplaceGroupedMatmulAdd: of each group of rows such a product, added to its part of `out`."""
    product = ops.gmm([_turned(x, True)], [weight], None, group_list, 2)[0]
    return out.add_(product.reshape(out.shape).astype(out.dtype))


def antiquant_product(
    x: Any,
    weight: Any,
    scale: Any,
    offset: Any,
    bias: Any,
    transpose: tuple[bool, bool],
    **unused: Any,
) -> Any:
    """WeightQuantBatchMatmul: a product with a weight of integers and their scale."""
    _unused("WeightQuantBatchMatmul", **unused)
    right = _restored(_turned(weight, transpose[1]), scale, offset).astype(x.dtype)
    product = _turned(x, transpose[0]) @ right
    return product if bias is None else product + bias.astype(product.dtype)


# ---------------------------------------------------------------------------- routes to experts


def moe_gating(x: Any, finished: Any, k: int) -> tuple[Any, Any, Any]:
    """MoeGatingTopKSoftmax: the k largest probabilities, their experts, and the rows of both."""
    shares = mint.nn.functional.softmax(x, -1)
    experts = mint.argsort(shares, -1, True, True)[..., :k]
    values = mint.gather(shares, -1, experts)
    if finished is not None:
        experts = mint.where(finished.expand_dims(-1), x.shape[-1], experts)
    count = experts.size // k if k else 0
    rows = mint.arange(k * count).reshape(k, count).swapaxes(0, 1).reshape(experts.shape)
    return values, experts.astype(ms.int32), rows.astype(ms.int32)


def moe_init_routing(x: Any, row_idx: Any, expert_idx: Any, active_num: int) -> tuple[Any, ...]:
    """MoeInitRouting: rows in the order of their experts, where each went, the experts in order."""
    experts = expert_idx.reshape(-1)
    order = mint.argsort(experts, -1, False, True)
    came = mint.index_select(row_idx.reshape(-1), 0, order)
    place = mint.argsort(came, -1, False, True).astype(ms.int32)
    retained = min(x.shape[0], active_num) * expert_idx.shape[1]
    rows = mint.index_select(x, 0, came[:retained] % x.shape[0])
    return rows, place, mint.index_select(experts, 0, order)


def moe_finalize_routing(
    expanded_x: Any,
    x1: Any,
    x2: Any,
    bias: Any,
    scales: Any,
    expanded_row_idx: Any,
    expanded_expert_idx: Any,
) -> Any:
    """MoeFinalizeRouting: the results of the experts of each row, weighted and added to it."""
    result = x1 if x2 is None else x1 + x2
    count = x1.shape[0]
    for n in range(expanded_row_idx.shape[0] // count):
        row = mint.index_select(expanded_x, 0, expanded_row_idx[n * count : (n + 1) * count])
        if bias is not None:
            row = row + mint.index_select(bias, 0, expanded_expert_idx[:, n])
        result = result + (row if scales is None else scales[:, n : n + 1] * row)
    return result


_ACTIVATIONS = {"gelu": "gelu", "fastgelu": "fast_gelu", "relu": "relu", "silu": "silu"}


def ffn(
    x: Any,
    weight1: Any,
    weight2: Any,
    tokens: Any,
    bias1: Any,
    bias2: Any,
    activation: str,
    **unused: Any,
) -> Any:
    """FFNExt: two layers with an activation between them, for each expert its rows.

    Raises:
        ValueError: the activation is another one.
        NotImplementedError: an argument for quantized numbers is given.
    """
    _unused("FFNExt", **unused)
    if activation not in _ACTIVATIONS:
        raise ValueError(
            f"For 'FFNExt', 'activation' must be one of {', '.join(_ACTIVATIONS)}, but got "
            f"{activation!r}."
        )
    active = getattr(ops, _ACTIVATIONS[activation])

    def layers(rows: Any, *parts: Any) -> Any:
        first, second, before, after = parts
        inner = active(rows @ first if before is None else rows @ first + before)
        return inner @ second if after is None else inner @ second + after

    if tokens is None:
        return layers(x, weight1, weight2, bias1, bias2)
    counts = [int(n) for n in tokens]
    parts = zip(
        mint.split(x, counts),
        weight1,
        weight2,
        _each(bias1, len(counts)),
        _each(bias2, len(counts)),
        strict=True,
    )
    return mint.concat([layers(*part) for part in parts])


# -------------------------------------------------------------------------------- quantization


def quantized(x: Any, scale: Any, offset: Any, sqrt_mode: bool, dtype: Any) -> Any:
    """QuantV2: ``round(scale * x + offset)`` within the range of int8.

    Raises:
        ValueError: `dst_type` is not int8.
    """
    if dtype != ms.int8:
        raise ValueError(f"For 'QuantV2', 'dst_type' must be int8, but got {dtype}.")
    values = x * scale
    values = (values * scale if sqrt_mode else values) + offset
    return mint.clamp(mint.round(values), -128, 127).astype(ms.int8)


def dynamic_quant(x: Any, smooth: Any) -> tuple[Any, Any]:
    """DynamicQuantExt: numbers as int8, and the scale of each row."""
    values = (x if smooth is None else x * smooth).astype(ms.float32)
    scale = mint.amax(mint.abs(values), -1) / 127
    return mint.round(values / scale.expand_dims(-1)).astype(ms.int8), scale


def kv_cache_scatter(var: Any, indices: Any, updates: Any, axis: int, reduce: str) -> Any:
    """KVCacheScatterUpdate: new keys or values written into a cache, at a place for each row.

    Raises:
        ValueError: `axis` is not -1 or -2, or `reduce` not 'none' or 'update'.
    """
    if axis not in (-1, -2) or reduce not in ("none", "update"):
        raise ValueError(
            "For 'KVCacheScatterUpdate', 'axis' must be -1 or -2 and 'reduce' 'none' or 'update', "
            f"but got {axis!r} and {reduce!r}."
        )
    for row, start in enumerate(indices.tolist()):
        place = slice(start, start + updates.shape[axis])
        where = (row, slice(None), *((place,) if axis == -2 else (slice(None), place)))
        var[where] = updates[row]
    return var
