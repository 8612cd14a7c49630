"""Memory, as rewriting must know it: which variables share it, which operators need strides."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import torch

from agar._core.graph.ir.graph import Meta, Op, map_refs, mutates, used_by

__all__ = [
    "ALWAYS_CONTIGUOUS",
    "KEEP_FORMAT",
    "VIEWS",
    "changed_families",
    "channels_last_strides",
    "format_of",
    "is_aten",
    "is_channels_last",
    "is_writable",
    "memory_families",
    "named_arguments",
    "onednn_takes",
    "operator_name",
    "operator_names",
    "shared_sources",
    "size_in_bytes",
    "strides_of",
    "takes_any_strides",
]

aten = torch.ops.aten


def operator_names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VIEWS = frozenset({aten.view.default, aten._unsafe_view.default, aten.reshape.default})

#: Operators whose names begin with an underscore, and which take tensors of any strides.
_ANY_STRIDES = operator_names(
    "_to_copy _softmax _log_softmax _prelu_kernel _adaptive_avg_pool2d _adaptive_avg_pool3d "
    "_native_batch_norm_legit_no_training _batch_norm_no_update _upsample_nearest_exact2d "
    "_upsample_bilinear2d_aa _upsample_bicubic2d_aa _unsafe_index"
)
#: Operators without one, whose meaning or kernel depends on strides.
_GIVEN_STRIDES = operator_names(
    "as_strided as_strided_copy view_as_real view_as_complex mkldnn_rnn_layer miopen_rnn"
)
#: Operators that keep the memory format of their operands.
KEEP_FORMAT = operator_names(
    "relu sigmoid tanh silu gelu leaky_relu elu hardtanh hardswish hardsigmoid mish softplus clamp "
    "clamp_min clamp_max abs neg exp log sqrt rsqrt erf pow add sub mul div rsub maximum minimum "
    "where lerp _prelu_kernel threshold _to_copy clone addcmul addcdiv masked_fill "
    "max_pool2d_with_indices avg_pool2d adaptive_max_pool2d _adaptive_avg_pool2d "
    "max_pool3d_with_indices avg_pool3d _adaptive_avg_pool3d native_batch_norm cudnn_batch_norm "
    "_native_batch_norm_legit_no_training _batch_norm_no_update cat constant_pad_nd slice "
    "upsample_nearest2d upsample_bilinear2d upsample_bicubic2d _upsample_nearest_exact2d "
    "upsample_nearest3d upsample_trilinear3d native_group_norm reflection_pad2d replication_pad2d "
    "pixel_shuffle"
)
#: Operators whose results are contiguous whatever they are given.
ALWAYS_CONTIGUOUS = operator_names("mm addmm bmm baddbmm")


# ---------------------------------------------------------------------------------- memory and size


def memory_families(ops: Iterable[Op], metas: dict[int, Meta]) -> dict[int, int]:
    """One variable that stands for all that may share memory with it."""
    parent: dict[int, int] = {}

    def find(v: int) -> int:
        while (up := parent.setdefault(v, v)) != v:
            v = up
        return v

    by_storage: dict[int, int] = {}
    for v, meta in metas.items():
        if meta.storage >= 0:
            parent[find(v)] = find(by_storage.setdefault(meta.storage, v))
    for op in ops:
        for source in shared_sources(op):
            for out in op.outs:
                if out is not None:
                    parent[find(out)] = find(source)
    return {v: find(v) for v in list(parent)}


def shared_sources(op: Op) -> list[int]:
    """The variables whose memory the results of a call may share."""
    func = op.func
    if not isinstance(func, torch._ops.OpOverload):
        return used_by(op)
    if func is aten._unsafe_view.default:
        return used_by(op)
    if all(r.alias_info is None for r in func._schema.returns):
        return []
    names = {a.name for a in func._schema.arguments if a.alias_info is not None}
    results: list[int] = []
    for name, value in named_arguments(op).items():
        if name in names:
            map_refs(value, lambda ref: results.append(ref.i))
    return results


def changed_families(ops: Iterable[Op], family: dict[int, int]) -> set[int]:
    """The families that a call writes to."""
    changed: set[int] = set()
    for op in ops:
        changed.update(family.get(v, v) for v in mutates(op))
    return changed


def named_arguments(op: Op) -> dict[str, Any]:
    """The arguments of an operator by name, defaults included."""
    arguments = op.func._schema.arguments
    values = {a.name: a.default_value for a in arguments if a.has_default_value()}
    values.update(zip((a.name for a in arguments), op.args, strict=False))
    values.update(op.kwargs)
    return values


def size_in_bytes(meta: Meta) -> int:
    """The memory behind a tensor; a dimension of stride 0 takes none."""
    sizes = [n for n, s in zip(meta.shape, meta.stride, strict=False) if s or n == 0]
    return math.prod(sizes) * meta.dtype.itemsize


def is_writable(meta: Meta) -> bool:
    """Whether no two elements of a tensor of these strides share memory."""
    reach = 0
    for s, n in sorted((s, n) for n, s in zip(meta.shape, meta.stride, strict=True) if n > 1):
        if s <= reach:
            return False
        reach += s * (n - 1)
    return True


def format_of(rank: int) -> torch.memory_format:
    return torch.channels_last if rank == 4 else torch.channels_last_3d


def strides_of(shape: Sequence[int], order: Iterable[int]) -> tuple[int, ...]:
    """The strides of a block of memory whose dimensions come in this order, innermost first."""
    strides = [0] * len(shape)
    step = 1
    for d in order:
        strides[d] = step
        step *= max(shape[d], 1)
    return tuple(strides)


def channels_last_strides(shape: Sequence[int]) -> tuple[int, ...]:
    return strides_of(shape, (1, *range(len(shape) - 1, 1, -1), 0))


def is_channels_last(meta: Meta) -> bool:
    """Whether a tensor is channels-last; sizes of 1 fit any strides."""
    if len(meta.shape) not in (4, 5):
        return False
    expected = channels_last_strides(meta.shape)
    return all(n == 1 or s == w for n, s, w in zip(meta.shape, meta.stride, expected, strict=True))


def is_aten(func: Any) -> bool:
    return func.namespace == "aten"


def takes_any_strides(func: Any) -> bool:
    """Whether an operator means and does the same for operands of other strides."""
    if not isinstance(func, torch._ops.OpOverload) or not is_aten(func):
        return False
    if func._schema.is_mutable or func is aten.view.dtype:
        return False
    name = operator_name(func)
    # public operators take what users give them; others are called with what they were chosen for
    return name in _ANY_STRIDES if name.startswith("_") else name not in _GIVEN_STRIDES


def operator_name(func: Any) -> str:
    return func._schema.name.partition("::")[2]


def onednn_takes(*metas: Meta) -> bool:
    """Whether oneDNN has fast kernels for these tensors here."""
    first = metas[0]
    if any(m.dtype != first.dtype or m.device.type != "cpu" or 0 in m.shape for m in metas):
        return False
    if not (torch.backends.mkldnn.is_available() and torch.backends.mkldnn.enabled):
        return False
    mkldnn = torch.ops.mkldnn
    if mkldnn._is_mkldnn_acl_supported():  # other kernels, not measured
        return False
    if first.dtype is torch.bfloat16:
        return mkldnn._is_mkldnn_bf16_supported()
    if first.dtype is torch.float16:
        return mkldnn._is_mkldnn_fp16_supported()
    return first.dtype is torch.float32
