"""Assignment and scattering into parameters, element by element; the new value is what counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["REFERENCES", "add_along", "at_elements", "at_places", "copied", "on_rows"]

# what becomes of an old element
_CHANGES: dict[str, Callable[[Any, Any], Any]] = {
    "update": lambda old, new: new,
    "add": lambda old, new: old + new,
    "sub": lambda old, new: old - new,
    "mul": lambda old, new: old * new,
    "div": lambda old, new: old / new,
    "max": np.maximum,
    "min": np.minimum,
}


def copied(x: Any) -> np.ndarray:
    return np.asarray(x).copy()


def at_places(mode: str) -> Callable[..., np.ndarray]:
    """Slices written or combined one after the other, at places given by vectors of indices."""

    def compute(x: Any, indices: Any, updates: Any, use_locking: bool | None = None) -> np.ndarray:
        result, updates = copied(x), np.asarray(updates)
        for i in np.ndindex(*indices.shape[:-1]):
            place = tuple(indices[i].tolist())
            result[place] = _CHANGES[mode](result[place], updates[i])
        return result

    return compute


def on_rows(mode: str) -> Callable[..., np.ndarray]:
    """The same where each index is a place on the first axis."""
    compute = at_places(mode)
    return lambda x, indices, updates, **_: compute(x, np.asarray(indices)[..., None], updates)


def at_elements(mode: str) -> Callable[..., np.ndarray]:
    """Single elements written or combined: an index replaces the coordinate on one axis."""

    def compute(x: Any, axis: int, index: Any, source: Any) -> np.ndarray:
        result, source = copied(x), np.asarray(source)
        for i in np.ndindex(*index.shape):
            place = [*i]
            place[axis] = int(index[i])
            value = source[i] if source.ndim else source
            result[tuple(place)] = _CHANGES[mode](result[tuple(place)], value)
        return result

    return compute


def add_along(x: Any, indices: Any, y: Any, axis: int) -> np.ndarray:
    """Slices added one after the other along an axis."""
    result = copied(x)
    moved = np.moveaxis(result, axis, 0)  # a view
    for place, part in zip(indices.tolist(), np.moveaxis(np.asarray(y), axis, 0), strict=True):
        moved[place] += part
    return result


def _scatter_add_with_axis(x: Any, indices: Any, updates: Any, *, axis: int = 0) -> np.ndarray:
    return at_elements("add")(x, axis, indices, updates)


def _stored(x: Any, value: Any) -> np.ndarray:
    result = copied(x)
    result[...] = np.asarray(value)
    return result


def _exchanged(x: Any, dim0: int, dim1: int) -> np.ndarray:
    x = np.asarray(x)
    order = list(range(x.ndim))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return x.transpose(order)


def _permuted(x: Any, perm: Any) -> np.ndarray:
    result = np.zeros([x.shape[axis] for axis in perm])
    for place in np.ndindex(*x.shape):
        result[tuple(place[axis] for axis in perm)] = x[place]
    return result


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.assign+Assign": _stored,
    "ops.assign_add+AssignAdd": lambda x, value: copied(x) + np.asarray(value),
    "ops.assign_sub+AssignSub": lambda x, value: copied(x) - np.asarray(value),
    "ops.index_add": add_along,
    "IndexAdd": add_along,
    "ops.inplace_index_add": add_along,
    "InplaceIndexAdd": add_along,
    "InplaceUpdateV2": lambda x, indices, v: on_rows("update")(x, np.ravel(indices), v),
    "ScatterAddWithAxis": _scatter_add_with_axis,
    "ScatterNonAliasingAdd": at_places("add"),
    "CopyWithSlice": _stored,
    "SelectView": lambda x, index, axis: np.moveaxis(np.asarray(x), axis, 0)[index],
    "TransposeView": _permuted,
    "TransposeExtView": _exchanged,
}
for _mode in _CHANGES:
    REFERENCES[f"ops.scatter_{_mode}"] = REFERENCES[f"Scatter{_mode.capitalize()}"] = on_rows(_mode)
    REFERENCES[f"ops.scatter_nd_{_mode}"] = at_places(_mode)
    REFERENCES[f"ScatterNd{_mode.capitalize()}"] = at_places(_mode)
