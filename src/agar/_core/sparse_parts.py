"""Index arithmetic, checks and texts of sparse tensors."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch

from agar._core import dtype as mstype
from agar._core.printing import graph_text
from agar._core.runtime import thread
from agar._core.tensor import Tensor

__all__ = ["coalesced", "gathered", "merged", "pointers_of", "rows_of"]

_INDEX_TYPES = (mstype.int16, mstype.int32, mstype.int64)


# ------------------------------------------------------------- computations on the parts


def rows_of(indptr: torch.Tensor, count: int) -> torch.Tensor:
    """The row of each of `count` values, in the type of the pointers."""
    rows = torch.arange(indptr.shape[0] - 1, device=indptr.device)
    result = torch.repeat_interleave(rows, indptr.diff().long(), output_size=count)
    return result.to(indptr.dtype)


def pointers_of(rows: torch.Tensor, height: int) -> torch.Tensor:
    """Where each of `height` rows begins, and where the last ends, in the type of the rows."""
    counts = torch.zeros(height + 1, dtype=torch.int64, device=rows.device)
    ones = torch.ones_like(rows, dtype=torch.int64)
    return counts.scatter_add(0, rows.long() + 1, ones).cumsum(0).to(rows.dtype)


def gathered(dense: torch.Tensor, places: Sequence[torch.Tensor], shape: Sequence[int]) -> Any:
    """The elements of a dense tensor, broadcast to `shape`, at the given places."""
    return dense.expand(tuple(shape))[tuple(p.long() for p in places)]


def dense_of(places: Sequence[torch.Tensor], values: torch.Tensor, shape: Sequence[int]) -> Any:
    """A dense tensor with the values at their places; values of one place are summed."""
    zeros = values.new_zeros(tuple(shape))
    return zeros.index_put(tuple(p.long() for p in places), values, accumulate=True)


def multiplied(
    rows: torch.Tensor,
    columns: torch.Tensor,
    values: torch.Tensor,
    dense: torch.Tensor,
    height: int,
) -> torch.Tensor:
    """A sparse matrix of `height` rows times a dense one."""
    parts = dense.index_select(0, columns.long()) * values.unsqueeze(1)
    zeros = parts.new_zeros((height, dense.shape[1]))
    return zeros.index_add(0, rows.long(), parts)


def merged(
    keys: torch.Tensor, values: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Distinct keys in order, the sums of their values, and how many values each had."""
    result, inverse, counts = torch.unique(keys, return_inverse=True, return_counts=True)
    zeros = values.new_zeros((result.shape[0], *values.shape[1:]))
    return result, zeros.index_add(0, inverse, values), counts


def coalesced(
    indices: torch.Tensor, values: torch.Tensor, shape: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Distinct places (one in each column), in order, and the sums of their values."""
    sizes = shape.to(torch.int64)
    steps = torch.ones_like(sizes)
    steps[:-1] = sizes.flip(0).cumprod(0).flip(0)[1:]
    keys, sums, _ = merged((indices * steps[:, None]).sum(0), values)
    return ((keys[None] // steps[:, None]) % sizes[:, None]).to(indices.dtype), sums


def transposed(
    indptr: torch.Tensor, indices: torch.Tensor, values: torch.Tensor, width: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The parts of a CSR matrix of `width` columns, transposed."""
    rows = rows_of(indptr, values.shape[0])
    order = torch.argsort(indices, stable=True)
    return pointers_of(indices, width), rows[order].to(indices.dtype), values[order]


# ------------------------------------------------------------------------------ classes


def text_of_type(part: Tensor) -> str:
    """A part as it stands in the text of a sparse tensor."""
    form = functools.partial(text_of, str(part.dtype))
    recorder = thread.recorder
    return form(part._value) if recorder is None else recorder.text(part._value, form)


def text_of(dtype: str, value: torch.Tensor) -> str:
    return graph_text(value, dtype)


def check_tensor(cls: str, name: str, value: Any) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For '{cls}', '{name}' must be Tensor, but got {type(value)}; "
            "wrap it first: ms.Tensor(...)."
        )


def check_sizes(cls: str, shape: Any) -> None:
    if not isinstance(shape, tuple):
        raise TypeError(f"For '{cls}', 'shape' must be tuple, but got {type(shape)}.")
    for n in shape:
        if not isinstance(n, (int, torch.SymInt)):
            raise TypeError(f"For '{cls}', the element type of 'shape' must be int, got {type(n)}.")
        if n <= 0:
            raise ValueError(
                f"For '{cls}', the element of 'shape' must be positive, but got {n} in {shape}."
            )


def check_index_type(cls: str, name: str, value: Tensor) -> None:
    if value.dtype not in _INDEX_TYPES:
        raise TypeError(
            f"For '{cls}', the type of '{name}' must be one of [int16, int32, int64], but got "
            f"{value.dtype}; convert it with .astype(ms.int32)."
        )
