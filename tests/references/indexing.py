"""Selection by masks and indices, writing at indices, and sparse tensors, element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from .assignment import add_along, at_elements, at_places, copied, on_rows

__all__ = ["REFERENCES"]


# ----------------------------------------------------------------------------- conditions


def _where(condition: Any, first: Any, second: Any) -> np.ndarray:
    condition, first, second = np.broadcast_arrays(
        np.asarray(condition), np.asarray(first), np.asarray(second)
    )
    both = zip(condition.ravel(), first.ravel(), second.ravel(), strict=True)
    return np.array([a if yes else b for yes, a, b in both]).reshape(condition.shape)


def _select_method(x: Any, condition: Any, y: Any) -> Any:
    if isinstance(condition, torch.Tensor):
        return _where(condition, x, y)
    return np.moveaxis(np.asarray(x), condition, 0)[y]


def _masked_fill(x: Any, mask: Any, value: Any) -> np.ndarray:
    return _where(mask, value, x)


def _masked_select(x: Any, mask: Any) -> np.ndarray:
    x, mask = np.broadcast_arrays(np.asarray(x), np.asarray(mask))
    return np.array([v for v, yes in zip(x.ravel(), mask.ravel(), strict=True) if yes])


def _masked_scatter(x: Any, mask: Any, source: Any) -> np.ndarray:
    result, values = copied(x), iter(source.ravel().tolist())
    for place in np.ndindex(*result.shape):
        if mask[place]:
            result[place] = next(values)
    return result


def _nonzero(x: Any, *, as_tuple: bool = False) -> Any:
    places = [place for place in np.ndindex(*x.shape) if x[place]]
    table = np.array(places, np.int64).reshape(-1, x.ndim)
    return tuple(table.T) if as_tuple else table


# -------------------------------------------------------------------------------- indices


def _within(index: Any, size: int, mode: str = "raise") -> int:
    """A place on an axis; negative ones count from the end, also those that are not clipped."""
    index = int(index)
    if mode == "wrap":
        return index % size
    if mode == "clip":
        return min(index % size if -size <= index < 0 else max(index, 0), size - 1)
    assert -size <= index < size
    return index % size


def _gather(x: Any, indices: Any, axis: int, batch_dims: int = 0) -> np.ndarray:
    x, indices = np.asarray(x), np.asarray(indices)
    before, behind = x.shape[:axis], x.shape[axis + 1 :]
    inner = indices.shape[batch_dims:]
    result = np.zeros((*before, *inner, *behind))
    for i in np.ndindex(*before):
        for j in np.ndindex(*inner):
            place = _within(indices[(*i[:batch_dims], *j)], x.shape[axis])
            result[(*i, *j)] = x[(*i, place)]
    return result


def _gather_elements(x: Any, axis: int, index: Any) -> np.ndarray:
    result = np.zeros(index.shape)
    for i in np.ndindex(*index.shape):
        place = [*i]
        place[axis] = _within(index[i], x.shape[axis])
        result[i] = x[tuple(place)]
    return result


def _gather_method(
    x: Any,
    dim: Any = None,
    index: Any = None,
    *,
    input_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> np.ndarray:
    """An axis and indices of elements, or indices of slices and an axis."""
    if isinstance(dim, int):
        return _gather_elements(x, dim, index)
    if dim is not None:
        return _gather(x, dim, index, batch_dims)
    return _gather(x, input_indices, axis, batch_dims)


def _gather_nd(x: Any, indices: Any) -> np.ndarray:
    x = np.asarray(x)
    lead = indices.shape[:-1]
    parts = [x[tuple(indices[i].tolist())] for i in np.ndindex(*lead)]
    return np.array(parts).reshape(*lead, *x.shape[indices.shape[-1] :])


def _take(x: Any, indices: Any, axis: int | None = None, mode: str = "clip") -> np.ndarray:
    x = np.asarray(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    places = [_within(i, x.shape[axis], mode) for i in indices.ravel().tolist()]
    return _gather(x, np.array(places).reshape(indices.shape), axis)


def _choose(x: Any, choices: Any, mode: str = "clip") -> np.ndarray:
    x, *parts = np.broadcast_arrays(np.asarray(x), *(np.asarray(c) for c in choices))
    result = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        place = x[i] % len(parts) if mode == "wrap" else min(max(x[i], 0), len(parts) - 1)
        result[i] = parts[place][i]
    return result


def _places(indices: Any) -> list[tuple[int, ...]]:
    """The places that index tensors, whose shapes broadcast, or masks name."""
    parts = []
    for index in indices:
        if index.dtype is torch.bool:
            parts += list(_nonzero(index, as_tuple=True))
        else:
            parts.append(np.asarray(index))
    return [tuple(p) for p in zip(*(p.ravel() for p in np.broadcast_arrays(*parts)), strict=True)]


def _index(x: Any, indices: Any) -> np.ndarray:
    return np.array([np.asarray(x)[place] for place in _places(indices)])


def _index_put(x: Any, indices: Any, values: Any, accumulate: bool = False) -> np.ndarray:
    result, places = copied(x), _places(indices)
    lead = (len(places), *result.shape[len(places[0]) :]) if places else (0,)
    for place, value in zip(places, np.broadcast_to(np.asarray(values), lead), strict=True):
        result[place] = result[place] + value if accumulate else value
    return result


# -------------------------------------------------------------------------------- writing


def _scatter_method(
    x: Any, dim: Any = None, index: Any = None, src: Any = None, reduce: str = "none", **by: Any
) -> np.ndarray:
    mode = {"none": "update", "add": "add", "multiply": "mul"}[reduce]
    return at_elements(mode)(x, by.get("axis", dim), index, src)


def _scatter_add_method(x: Any, dim: Any, index: Any, src: Any = None) -> np.ndarray:
    if src is None:
        return at_places("add")(x, dim, index)
    return at_elements("add")(x, dim, index, src)


def _scatter_elements(
    x: Any, indices: Any, updates: Any, axis: int = 0, reduction: str = "none"
) -> np.ndarray:
    return at_elements("update" if reduction == "none" else "add")(x, axis, indices, updates)


def _index_add(x: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> np.ndarray:
    return add_along(x, index, alpha * np.asarray(source), dim)


def _index_add_method(x: Any, *args: Any, **by: Any) -> np.ndarray:
    """An axis, indices and slices, or indices, slices and an axis."""
    if not args:
        return add_along(x, by["indices"], by["y"], by["axis"])
    if isinstance(args[0], int):
        return _index_add(x, *args, **by)
    return add_along(x, *args[:3])


def _index_fill(x: Any, axis: int, index: Any, value: Any) -> np.ndarray:
    result = copied(x)
    moved = np.moveaxis(result, axis, 0)  # a view
    for place in index.reshape(-1).tolist():
        moved[place] = float(value)
    return result


def _select_scatter(x: Any, src: Any, axis: int, index: int) -> np.ndarray:
    result = copied(x)
    np.moveaxis(result, axis, 0)[index] = np.asarray(src)
    return result


def _slice_scatter(
    x: Any, src: Any, axis: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> np.ndarray:
    result = copied(x)
    moved, parts = np.moveaxis(result, axis, 0), np.moveaxis(np.asarray(src), axis, 0)
    places = range(len(moved))[start:end:step]
    for place, part in zip(places, parts, strict=True):
        moved[place] = part
    return result


def _diagonal_scatter(x: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    result, src = copied(x), np.asarray(src)
    planes = np.moveaxis(result, (dim1, dim2), (-2, -1))  # a view
    for place in range(src.shape[-1]):
        planes[..., place + max(-offset, 0), place + max(offset, 0)] = src[..., place]
    return result


def _rows(mode: str) -> Callable[..., np.ndarray]:
    """Rows of a copy written, added or subtracted."""
    return lambda x, v, indices: on_rows(mode)(x, np.ravel(indices), v)


# ----------------------------------------------------------------------- sparse tensors


def _dense(rows: Any, values: Any, shape: Any, adds: bool = True) -> np.ndarray:
    """The values at their places, which are rows of numbers."""
    result = np.zeros([int(n) for n in shape])
    for place, value in zip(rows.tolist(), values.tolist(), strict=True):
        result[tuple(place)] = result[tuple(place)] * adds + value
    return result


def _csr_gather(indptr: Any, indices: Any, dense: Any, shape: Any) -> np.ndarray:
    wide = np.broadcast_to(np.asarray(dense), shape)
    return np.array(
        [
            wide[row, int(indices[k])]
            for row in range(len(indptr) - 1)
            for k in range(int(indptr[row]), int(indptr[row + 1]))
        ]
    )


def _coalesce(places: Any, values: Any, shape: Any) -> tuple:
    sums: dict[tuple[int, ...], float] = {}
    for place, value in zip(places.T.tolist(), values.tolist(), strict=True):
        sums[tuple(place)] = sums.get(tuple(place), 0.0) + value
    return np.array(sorted(sums)).T, np.array([sums[p] for p in sorted(sums)]), shape


def _sparse_matmul(
    places: Any,
    values: Any,
    shape: Any,
    dense: Any,
    *,
    adjoint_st: bool = False,
    adjoint_dt: bool = False,
) -> np.ndarray:
    left, right = _dense(places, values, shape), np.asarray(dense)
    left, right = left.T if adjoint_st else left, right.T if adjoint_dt else right
    return np.einsum("ij,jk->ik", left, right)


def _sparse_slice(places: Any, values: Any, shape: Any, start: Any, size: Any) -> tuple:
    start, places = start.numpy(), places.numpy()
    ends = np.minimum(start + size.numpy(), shape.numpy())
    items = [i for i, p in enumerate(places) if (p >= start).all() and (p < ends).all()]
    return places[items] - start, values.numpy()[items], ends - start


REFERENCES: dict[str, Callable[..., Any]] = {
    # index
    "ops.where+mint.where": _where,
    "ops.select+Select": _where,
    "Tensor.where": lambda x, condition, y: _where(condition, x, y),
    "Tensor.select": _select_method,
    "mint.select": _select_method,
    "ops.masked_fill+Tensor.masked_fill+MaskedFill": _masked_fill,
    "ops.masked_select+Tensor.masked_select+MaskedSelect+mint.masked_select": _masked_select,
    "Tensor.masked_scatter+MaskedScatter": _masked_scatter,
    "ops.nonzero+Tensor.nonzero+mint.nonzero": _nonzero,
    "NonZero": _nonzero,
    "ops.argwhere+Tensor.argwhere": _nonzero,
    "ops.gather": _gather,
    "Gather": _gather,
    "ops.gather_elements+Tensor.gather_elements+mint.gather": _gather_elements,
    "GatherD": _gather_elements,
    "Tensor.gather": _gather_method,
    "ops.gather_nd+Tensor.gather_nd+GatherNd": _gather_nd,
    "ops.index_select+Tensor.index_select": lambda x, axis, index: _gather(x, index, axis % x.ndim),
    "mint.index_select": lambda x, dim, index: _gather(x, index, dim),
    "ops.take+mint.take": _take,
    "Tensor.take": _take,
    "Tensor.choose": _choose,
    # scatter
    "Tensor.index": _index,
    "ops.scatter": at_elements("update"),
    "Tensor.scatter+mint.scatter": _scatter_method,
    "Tensor.scatter_add+mint.scatter_add": _scatter_add_method,
    "ops.tensor_scatter_elements": _scatter_elements,
    "TensorScatterElements": _scatter_elements,
    "ops.tensor_scatter_update+TensorScatterUpdate": at_places("update"),
    "ops.tensor_scatter_add+TensorScatterAdd": at_places("add"),
    "ops.scatter_nd+ScatterNd": lambda indices, updates, shape: at_places("add")(
        np.zeros(shape), indices, updates
    ),
    "mint.index_add": _index_add,
    "Tensor.index_add": _index_add_method,
    "ops.index_fill+Tensor.index_fill+IndexFill": _index_fill,
    "Tensor.index_put": _index_put,
    "ops.select_scatter+Tensor.select_scatter": _select_scatter,
    "ops.slice_scatter+Tensor.slice_scatter": _slice_scatter,
    "ops.diagonal_scatter+Tensor.diagonal_scatter": _diagonal_scatter,
    "ops.inplace_update+Tensor.inplace_update": _rows("update"),
    "InplaceUpdate": _rows("update"),
    "ops.inplace_add": _rows("add"),
    "InplaceAdd": _rows("add"),
    "ops.inplace_sub": _rows("sub"),
    "InplaceSub": _rows("sub"),
    # sparse
    "ops.csr_gather": _csr_gather,
    "ops.coalesce+Coalesce": _coalesce,
    "SparseToDense": lambda places, values, shape: _dense(places, values, shape, adds=False),
    "SparseTensorDenseMatmul": _sparse_matmul,
    "SparseTensorDenseAdd": lambda places, values, shape, x: (
        _dense(places, values, shape) + np.asarray(x)
    ),
    "SparseSlice": _sparse_slice,
}
for _mode in ("sub", "mul", "div", "max", "min"):
    _names = f"ops.tensor_scatter_{_mode}+Tensor.scatter_{_mode}+TensorScatter{_mode.capitalize()}"
    REFERENCES[_names] = at_places(_mode)
