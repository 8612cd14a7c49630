"""References of the operators that arrange, join and cut: shape, arrange, join, parts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

import agar as ms  # for the names of its types only

Array = np.ndarray


def _array(value: torch.Tensor) -> Array:
    return value.resolve_conj().numpy()


def _plain(value: Any) -> Any:
    """A shape or axis that came as a tensor, as Python ints."""
    return value.tolist() if isinstance(value, torch.Tensor) else value


def _one(values: tuple[Any, ...]) -> tuple[int, ...]:
    """The ints of ``f(2, 3)``, ``f((2, 3))`` and ``f(tensor)``."""
    only = _plain(values[0]) if len(values) == 1 else values
    return (only,) if isinstance(only, int) else tuple(only)


# ------------------------------------------------------------------------------------ shape


def _reshape(x: torch.Tensor, *sizes: Any) -> Array:
    return _array(x).reshape(_one(sizes))


def _view(x: torch.Tensor, *sizes: Any) -> Array:
    if sizes == (ms.int16,):
        return np.frombuffer(_array(x).tobytes(), np.int16).copy()
    return _reshape(x, *sizes)


def _resize(x: torch.Tensor, *sizes: Any) -> Array:
    shape = _one(sizes)
    result = np.zeros(math.prod(shape))
    for i, value in enumerate(_array(x).flat):
        if i < result.size:
            result[i] = value
    return result.reshape(shape)


def _ordered(x: torch.Tensor, *order: Any) -> Array:
    """``out[i_order[0], i_order[1], ...] = x[i_0, i_1, ...]``."""
    axes = _one(order)
    given = _array(x)
    result = np.empty([given.shape[a] for a in axes], given.dtype)
    for place in np.ndindex(given.shape):
        result[tuple(place[a] for a in axes)] = given[place]
    return result


def _swapped(x: torch.Tensor, first: int, second: int) -> Array:
    order = list(range(x.ndim))
    order[first], order[second] = order[second], order[first]
    return _ordered(x, order)


def _reversed_axes(x: torch.Tensor) -> Array:
    return _ordered(x, range(x.ndim - 1, -1, -1)) if x.ndim else _array(x)


def _transposed_method(x: torch.Tensor, *order: Any) -> Array:
    if not order:
        return _reversed_axes(x)
    if len(order) == 2:
        return _swapped(x, *order)
    return _ordered(x, *order)


def _moved(x: torch.Tensor, source: Any, destination: Any) -> Array:
    start, end = _one((source,)), _one((destination,))
    rest = iter(a for a in range(x.ndim) if a not in start)
    at = dict(zip(end, start, strict=True))
    return _ordered(x, [at[a] if a in at else next(rest) for a in range(x.ndim)])


def _squeezed(x: torch.Tensor, axis: Any = None) -> Array:
    axes = range(x.ndim) if axis in (None, ()) else _one((axis,))
    return _array(x).reshape([n for a, n in enumerate(x.shape) if a not in axes or n != 1])


def _unsqueezed(x: torch.Tensor, axis: int) -> Array:
    shape = list(x.shape)
    shape.insert(axis % (x.ndim + 1), 1)
    return _array(x).reshape(shape)


def _flattened(x: torch.Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Any:
    given = _array(x) if order == "C" else _reversed_axes(x)
    if given.ndim < 2:
        return given.reshape(-1)
    end = end_dim % given.ndim
    joined = math.prod(given.shape[start_dim : end + 1])
    return given.reshape(*given.shape[:start_dim], joined, *given.shape[end + 1 :])


def _flattened_method(x: torch.Tensor, order: Any = "C", *, start_dim: int = 0) -> Any:
    if isinstance(order, int):
        return _flattened(x, start_dim=order)
    return _flattened(x, order, start_dim=start_dim)


def _broadcast(x: torch.Tensor, *sizes: Any, shape: Any = None) -> Array:
    target = _one(sizes if shape is None else (shape,))
    given = _array(x).reshape((1,) * (len(target) - x.ndim) + tuple(x.shape))
    target = [n if n != -1 else given.shape[a] for a, n in enumerate(target)]
    result = np.empty(target)
    for place in np.ndindex(*target):
        result[place] = given[tuple(min(i, n - 1) for i, n in zip(place, given.shape, strict=True))]
    return result


def _size_of(x: torch.Tensor) -> int:
    return math.prod(x.shape)


def _strides(x: torch.Tensor, dim: int | None = None) -> Any:
    steps = [n // x.element_size() for n in _array(x).strides]
    return steps if dim is None else steps[dim]


class _Address:
    """Equal to every number that can be the address of a float64: none knows which it is."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and other > 0 and other % 8 == 0


_SHAPE: dict[str, Callable[..., Any]] = {
    "ops.reshape+Reshape+mint.reshape": _reshape,
    "Tensor.reshape": _reshape,
    "Tensor.view": _view,
    "ops.view_as+Tensor.view_as": lambda x, other: _reshape(x, tuple(other.shape)),
    "Tensor.resize": _resize,
    "ops.transpose+Transpose": _ordered,
    "Tensor.transpose": _transposed_method,
    "ops.permute": _ordered,
    "mint.permute": _ordered,
    "Tensor.permute": _ordered,
    "ops.swapaxes+Tensor.swapaxes+mint.swapaxes": _swapped,
    "ops.swapdims+Tensor.swapdims+mint.transpose": _swapped,
    "ops.movedim+Tensor.movedim": _moved,
    "ops.t+Tensor.t+mint.t": lambda x: _reversed_axes(x) if x.ndim == 2 else x,
    "Tensor.T": _reversed_axes,
    "Tensor.mT": lambda x: _swapped(x, -2, -1),
    "Tensor.H": lambda x: np.conj(_reversed_axes(x)),
    "Tensor.mH": lambda x: np.conj(_swapped(x, -2, -1)),
    "ops.adjoint+Tensor.adjoint": lambda x: np.conj(_swapped(x, -2, -1)),
    "ops.squeeze+Tensor.squeeze+mint.squeeze": _squeezed,
    "Squeeze": _squeezed,
    "ops.expand_dims+Tensor.expand_dims+ExpandDims": _unsqueezed,
    "ops.unsqueeze+Tensor.unsqueeze+mint.unsqueeze": _unsqueezed,
    "ops.flatten": _flattened,
    "Flatten": lambda x: _array(x).reshape(x.shape[0], -1),
    "Tensor.flatten+mint.flatten": _flattened_method,
    "ops.ravel+Tensor.ravel+mint.ravel": lambda x: np.array(list(_array(x).flat)),
    "ops.broadcast_to+mint.broadcast_to": _broadcast,
    "BroadcastTo": _broadcast,
    "Tensor.broadcast_to": _broadcast,
    "ops.expand+Expand": _broadcast,
    "ops.expand_as+Tensor.expand_as": lambda x, other: _broadcast(x, tuple(other.shape)),
    "ops.view_as_real": lambda x: np.stack((_array(x).real, _array(x).imag), -1),
    "ops.shape": lambda x: _array(x).shape,
    "Shape": lambda x: _array(x).shape,
    "ops.dyn_shape+TensorShape": lambda x: np.array(_array(x).shape),
    "ops.numel+Tensor.numel": _size_of,
    "ops.size+Size": _size_of,
    "ops.rank+Rank": lambda x: len(x.shape),
    "Tensor.dim": lambda x: len(x.shape),
    "Tensor.element_size": lambda x: _array(x).itemsize,
    "Tensor.storage_offset": lambda x: 0,  # every tensor of a sample has memory of its own
    "Tensor.data_ptr": lambda x: _Address(),
    "Tensor.stride": _strides,
    "Tensor.is_contiguous": lambda x: _array(x).flags["C_CONTIGUOUS"],
    "Tensor.contiguous": lambda x: np.ascontiguousarray(_array(x)),
    "ops.dtype": lambda x: getattr(ms, _array(x).dtype.name),
    "DType": lambda x: getattr(ms, _array(x).dtype.name),
}


# ---------------------------------------------------------------------------------- arrange


def _flipped(x: torch.Tensor, dims: Any = None, *, axis: Any = None) -> Array:
    """``out[..., n - 1 - i, ...] = x[..., i, ...]`` along the axes."""
    axes = {a % x.ndim for a in _one((dims if axis is None else axis,))}
    given = _array(x)
    result = np.empty_like(given)
    for place in np.ndindex(given.shape):
        at = [
            n - 1 - i if a in axes else i
            for a, (i, n) in enumerate(zip(place, given.shape, strict=True))
        ]
        result[tuple(at)] = given[place]
    return result


def _rolled(x: torch.Tensor, shifts: Any, dims: Any = None) -> Array:
    given = _array(x)
    if dims is None:
        return _rolled(x.reshape(-1), sum(_one((shifts,))), 0).reshape(given.shape)
    result = np.empty_like(given)
    for place in np.ndindex(given.shape):
        to = list(place)
        for shift, axis in zip(_one((shifts,)), _one((dims,)), strict=True):
            to[axis] = (to[axis] + shift) % given.shape[axis]
        result[tuple(to)] = given[place]
    return result


def _turned(x: torch.Tensor, k: int, dims: Sequence[int]) -> Array:
    result = _array(x)
    for _ in range(k % 4):  # a right angle: swap the axes, then reverse the first of them
        result = np.flip(np.swapaxes(result, *dims), dims[0])
    return result.copy()  # torch takes no array with negative steps


def _reversed_beginnings(
    x: torch.Tensor, seq_lengths: torch.Tensor, seq_dim: int = 0, batch_dim: int = 0
) -> Array:
    given = _array(x)
    copied = given.copy()
    for place in np.ndindex(given.shape):
        length, to = int(seq_lengths[place[batch_dim]]), list(place)
        if place[seq_dim] < length:
            to[seq_dim] = length - 1 - place[seq_dim]
        copied[tuple(to)] = given[place]
    return copied


def _masks(lengths: torch.Tensor, maxlen: int | None = None) -> Array:
    counts = lengths.tolist()
    return np.array([[j < n for j in range(maxlen or max(counts))] for n in counts])


_ARRANGE: dict[str, Callable[..., Any]] = {
    "ops.flip+Tensor.flip+mint.flip": _flipped,
    "ops.reverse+Tensor.reverse": _flipped,
    "ReverseV2": _flipped,
    "ops.fliplr+Tensor.fliplr": lambda x: _flipped(x, 1),
    "ops.flipud+Tensor.flipud": lambda x: _flipped(x, 0),
    "ops.roll+Tensor.roll+mint.roll": _rolled,
    "Roll": _rolled,
    "ops.rot90+Tensor.rot90": _turned,
    "ops.reverse_sequence": _reversed_beginnings,
    "Tensor.reverse_sequence": _reversed_beginnings,
    "ReverseSequence": _reversed_beginnings,
    "ops.sequence_mask": _masks,
}


# ------------------------------------------------------------------------------------- join


def _arrays(tensors: Sequence[torch.Tensor]) -> list[Array]:
    return [_array(t) for t in tensors]


def _joined(tensors: Sequence[torch.Tensor], axis: int = 0) -> Array:
    """Written piece by piece into an empty array."""
    shape = list(tensors[0].shape)
    shape[axis] = sum(t.shape[axis] for t in tensors)
    result, start = np.empty(shape), 0
    for t in tensors:
        np.moveaxis(result, axis, 0)[start : start + t.shape[axis]] = np.moveaxis(
            _array(t), axis, 0
        )
        start += t.shape[axis]
    return result


def _stacked(tensors: Sequence[torch.Tensor], axis: int = 0) -> Array:
    result = np.empty((len(tensors), *tensors[0].shape))
    for i, t in enumerate(tensors):
        result[i] = _array(t)
    return np.moveaxis(result, 0, axis)


def _rows(tensors: Sequence[torch.Tensor]) -> Array:
    return _joined([t.reshape(1, -1) if t.ndim < 2 else t for t in tensors])


def _columns(tensors: Sequence[torch.Tensor]) -> Array:
    return _joined([t.reshape(-1, 1) if t.ndim < 2 else t for t in tensors], 1)


def _side_by_side(tensors: Sequence[torch.Tensor]) -> Array:
    return _joined(tensors, 0 if tensors[0].ndim == 1 else 1)


def _in_depth(tensors: Sequence[torch.Tensor]) -> Array:
    return _joined([t.reshape(*((1,) if t.ndim == 1 else ()), *t.shape, 1) for t in tensors], 2)


def _at_least(make: Callable[[Array], Array]) -> Callable[..., Any]:
    def of(*inputs: torch.Tensor) -> Any:
        items = tuple(make(a) for a in _arrays(inputs))
        return items[0] if len(items) == 1 else items

    return of


def _tiled(x: torch.Tensor, *counts: Any) -> Array:
    """``out[i] = x[i mod size]`` along every axis."""
    times = _one(counts)
    rank = max(len(times), x.ndim)
    times = (1,) * (rank - len(times)) + times
    given = _array(x).reshape((1,) * (rank - x.ndim) + tuple(x.shape))
    result = np.empty([n * k for n, k in zip(given.shape, times, strict=True)])
    for place in np.ndindex(result.shape):
        result[place] = given[tuple(i % n for i, n in zip(place, given.shape, strict=True))]
    return result


def _repeated(
    x: torch.Tensor, repeats: Any, axis: int | None = None, *, dim: int | None = None
) -> Array:
    axis = dim if axis is None else axis
    given = np.moveaxis(_array(x), axis, 0) if axis is not None else _array(x).reshape(-1)
    times = _plain(repeats)
    times = [times] * len(given) if isinstance(times, int) else times
    items = [part for part, n in zip(given, times, strict=True) for _ in range(n)]
    return np.moveaxis(np.array(items), 0, axis or 0)


def _blocks(*inputs: torch.Tensor) -> Array:
    blocks = [np.atleast_2d(a) for a in _arrays(inputs)]
    result = np.zeros((sum(len(b) for b in blocks), sum(b.shape[1] for b in blocks)))
    row = column = 0
    for b in blocks:
        for i, j in np.ndindex(b.shape):
            result[row + i, column + j] = b[i, j]
        row, column = row + len(b), column + b.shape[1]
    return result


_JOIN: dict[str, Callable[..., Any]] = {
    "ops.cat": _joined,
    "mint.cat": _joined,
    "Concat": _joined,
    "ops.stack": _stacked,
    "mint.stack": _stacked,
    "Stack": _stacked,
    "ops.hstack+mint.hstack": _side_by_side,
    "ops.vstack": _rows,
    "ops.row_stack": _rows,
    "ops.dstack+mint.dstack": _in_depth,
    "ops.column_stack": _columns,
    "ops.atleast_1d": _at_least(np.atleast_1d),
    "ops.atleast_2d": _at_least(np.atleast_2d),
    "ops.atleast_3d": _at_least(np.atleast_3d),
    "ops.tile+Tile+mint.tile": _tiled,
    "Tensor.tile": _tiled,
    "Tensor.repeat": _tiled,
    "ops.repeat_interleave": _repeated,
    "Tensor.repeat_interleave+mint.repeat_interleave": _repeated,
    "ops.repeat_elements": lambda x, rep, axis=0: _repeated(x, rep, axis),
    "ops.block_diag": _blocks,
}


# ------------------------------------------------------------------------------------ parts


def _cut(x: torch.Tensor, axis: int, start: int, stop: int) -> Array:
    places = range(start, min(stop, x.shape[axis]))
    return np.take(_array(x), np.array(places, np.int64), axis)


def _parts(x: torch.Tensor, counts: Sequence[int], axis: int) -> tuple[Array, ...]:
    ends = list(itertools.accumulate(counts))
    return tuple(_cut(x, axis, end - n, end) for n, end in zip(counts, ends, strict=True))


def _split(
    x: torch.Tensor,
    size: Any = None,
    axis: int = 0,
    *,
    dim: int | None = None,
    split_size: Any = None,
) -> tuple[Array, ...]:
    size, axis = split_size if size is None else size, axis if dim is None else dim
    if isinstance(size, list):
        return _parts(x, size, axis)
    total = x.shape[axis]
    return _parts(x, [min(size, total - start) for start in range(0, total, size)], axis)


def _chunks(
    x: torch.Tensor, chunks: int, axis: int = 0, *, dim: int | None = None
) -> tuple[Array, ...]:
    axis = axis if dim is None else dim
    return _split(x, math.ceil(x.shape[axis] / chunks), axis)


def _equal_parts(x: torch.Tensor, *, axis: int = 0, output_num: int) -> tuple[Array, ...]:
    return _parts(x, [x.shape[axis] // output_num] * output_num, axis)


def _sized_parts(
    x: torch.Tensor, *, size_splits: list[int], split_dim: int, num_split: int
) -> tuple[Array, ...]:
    assert len(size_splits) == num_split
    left = x.shape[split_dim] - sum(n for n in size_splits if n >= 0)
    return _parts(x, [left if n < 0 else n for n in size_splits], split_dim)


def _even_parts(x: torch.Tensor, where: Any, axis: int = 0) -> tuple[Array, ...]:
    """So many parts, the first of them one longer where they cannot be equal; or cuts."""
    size = x.shape[axis]
    if isinstance(where, int):
        return _parts(x, [size // where + (i < size % where) for i in range(where)], axis)
    cuts = [0, *where, size]
    return tuple(_cut(x, axis, a, b) for a, b in itertools.pairwise(cuts))


def _slices(x: torch.Tensor, axis: int = 0, *, num: int | None = None) -> tuple[Array, ...]:
    assert num in (None, x.shape[axis])
    return tuple(np.take(_array(x), i, axis) for i in range(x.shape[axis]))


def _block(x: torch.Tensor, begin: Sequence[int], size: Sequence[int]) -> Array:
    result = x
    for axis, (start, n) in enumerate(zip(begin, size, strict=True)):
        stop = x.shape[axis] if n == -1 else start + n
        result = torch.from_numpy(_cut(result, axis, start, stop))
    return _array(result)


def _strided(
    x: torch.Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Array:
    """Numpy's indexing: slices with any step, an ellipsis, new axes and single places."""
    index: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(begin, end, strides, strict=True)):
        if ellipsis_mask & 1 << i:
            index.append(Ellipsis)
        elif new_axis_mask & 1 << i:
            index.append(None)
        elif shrink_axis_mask & 1 << i:
            index.append(start)
        else:
            low = None if begin_mask & 1 << i else start
            index.append(slice(low, None if end_mask & 1 << i else stop, step))
    return _array(x)[tuple(index)].copy()  # as in `_turned`


_PARTS: dict[str, Callable[..., Any]] = {
    "ops.narrow+Tensor.narrow": lambda x, axis, start, n: _cut(x, axis, start, start + n),
    "mint.narrow": lambda x, axis, start, n: _cut(x, axis, start, start + n),
    "ops.split": _split,
    "Tensor.split": _split,
    "mint.split": _split,
    "Split": _equal_parts,
    "SplitV": _sized_parts,
    "ops.chunk": _chunks,
    "Tensor.chunk": _chunks,
    "mint.chunk": _chunks,
    "ops.tensor_split+Tensor.tensor_split": _even_parts,
    "ops.hsplit+Tensor.hsplit": lambda x, where: _even_parts(x, where, 1 if x.ndim > 1 else 0),
    "ops.vsplit+Tensor.vsplit": lambda x, where: _even_parts(x, where, 0),
    "ops.dsplit+Tensor.dsplit": lambda x, where: _even_parts(x, where, 2),
    "ops.unbind+Tensor.unbind+mint.unbind": _slices,
    "ops.unstack": _slices,
    "Unstack": _slices,
    "ops.slice+Slice": _block,
    "ops.strided_slice": _strided,
    "StridedSlice": _strided,
}

REFERENCES: dict[str, Callable[..., Any]] = {**_SHAPE, **_ARRANGE, **_JOIN, **_PARTS}
