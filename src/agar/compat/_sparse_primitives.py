"""Primitives over parts of sparse matrices, at MindSpore's path ``ops.operations.sparse_ops``.

A matrix in rows is its shape, where each matrix of a batch begins, where each row begins, columns
and values; one in coordinates is its indices, values and shape. They are computed with PyTorch, and
values have gradients.
"""

from __future__ import annotations

from typing import Any

import torch  # implementations are over torch tensors, as those of operators
from torch import Tensor  # likewise

from agar._core.dtype import to_torch_dtype
from agar.ops._private import NEEDED, Register

__all__ = ["lookup"]

_register = Register("agar.ops.operations.sparse_ops")
_CSR = "x_dense_shape x_batch_pointers x_row_pointers x_col_indices x_values"
_COO = "indices values shape"
_TWO = "x1_indices x1_values x1_shape x2_indices x2_values x2_shape"
_Parts = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def declare(name: str, inputs: str, compute: Any, what: str, **attributes: Any) -> None:
    _register.declare(name, inputs, compute, words=what, **attributes)


# ------------------------------------------------------------------------------ in coordinates


def _flat(indices: Tensor, shape: Any) -> Tensor:
    """The places of elements in a dense tensor, as single numbers."""
    flat = torch.zeros(len(indices), dtype=torch.int64, device=indices.device)
    for axis, size in enumerate(int(n) for n in shape):
        flat = flat * size + indices[:, axis]
    return flat


def _places(flat: Tensor, shape: Any, dtype: torch.dtype) -> Tensor:
    """The other way."""
    columns = []
    for size in reversed([int(n) for n in shape]):
        columns.append(flat % size)
        flat = flat // size
    return torch.stack(columns[::-1], 1).to(dtype)


def _dense(indices: Tensor, values: Tensor, shape: Any, default: Any = 0) -> Tensor:
    sizes = [int(n) for n in shape]
    result = torch.full(sizes, 0, dtype=values.dtype, device=values.device)
    result = result + default if isinstance(default, Tensor) else result
    return result.reshape(-1).index_put((_flat(indices, sizes),), values).reshape(sizes)


def _added(*args: Any) -> tuple[Tensor, Tensor, Tensor]:
    first, a, shape, second, b, _, least = args
    places, where = torch.unique(
        torch.cat([_flat(first, shape), _flat(second, shape)]), return_inverse=True
    )
    total = a.new_zeros(len(places)).index_add(0, where, torch.cat([a, b]))
    counts = total.detach().abs() >= least
    return _places(places[counts], shape, first.dtype), total[counts], shape


def _of_two(choose: Any) -> Any:
    def compute(*args: Any) -> tuple[Tensor, Tensor]:
        first, a, shape, second, b, _ = args
        places = torch.unique(torch.cat([_flat(first, shape), _flat(second, shape)]))
        full = [_dense(i, v, shape).reshape(-1)[places] for i, v in ((first, a), (second, b))]
        return _places(places, shape, first.dtype), choose(*full)

    return compute


def _reordered(indices: Tensor, values: Tensor, shape: Tensor) -> tuple[Tensor, Tensor]:
    order = _flat(indices, shape).argsort(stable=True)
    return indices[order], values[order]


def _joined(
    indices: list[Tensor], values: list[Tensor], shapes: list[Tensor], concat_dim: int
) -> tuple[Tensor, Tensor, Tensor]:
    before, parts = 0, []
    for places, shape in zip(indices, shapes, strict=True):
        moved = places.clone()
        moved[:, concat_dim] += before
        before += int(shape[concat_dim])
        parts.append(moved)
    whole = shapes[0].clone()
    whole[concat_dim] = before
    return *_reordered(torch.cat(parts), torch.cat(values), whole), whole


def _reshaped(indices: Tensor, shape: Tensor, new_shape: Tensor) -> tuple[Tensor, Tensor]:
    total = int(shape.prod())
    sizes = [int(n) for n in new_shape]
    if -1 in sizes:
        known = -int(torch.tensor(sizes).prod())
        sizes[sizes.index(-1)] = total // known if known else 0
    if int(torch.tensor(sizes).prod()) != total:
        raise ValueError(
            f"For 'SparseReshape', the shape {[int(n) for n in new_shape]} does not hold the "
            f"{total} elements of {[int(n) for n in shape]}."
        )
    flat = _flat(indices, shape)
    return _places(flat, sizes, indices.dtype), torch.tensor(sizes, dtype=new_shape.dtype)


def _by_rows(row: Tensor, values: Tensor, count: int) -> Tensor:
    """The softmax of the values of each row."""
    largest = values.new_full((count,), -torch.inf)
    largest = largest.scatter_reduce(0, row, values.detach(), "amax")
    powers = (values - largest[row]).exp()
    return powers / powers.new_zeros(count).index_add(0, row, powers)[row]


def _softmax(indices: Tensor, values: Tensor, shape: Tensor) -> Tensor:
    rows = _flat(indices[:, :-1], shape[:-1])
    return _by_rows(rows, values, int(shape[:-1].prod()))


def _filled(
    indices: Tensor, values: Tensor, dense_shape: Tensor, default_value: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    count = int(dense_shape[0])
    empty = torch.ones(count, dtype=torch.bool).index_fill(0, indices[:, 0], False)
    rows = empty.nonzero().to(indices.dtype)
    more = torch.cat([rows, torch.zeros_like(rows)], 1)
    places = torch.cat([indices, more])
    order = places[:, 0].argsort(stable=True)
    back = torch.empty_like(order)
    back[order] = torch.arange(len(order))
    filling = default_value.reshape(1).expand(len(rows))
    return places[order], torch.cat([values, filling])[order], empty, back[: len(indices)]


def _product_and_sum(*args: Any) -> Tensor:
    indices, values, shape, x2, x3, alpha, beta = args
    return alpha * (_dense(indices, values, shape) @ x2) + beta * x3


def _with_dense(compute: Any) -> Any:
    def result(indices: Tensor, values: Tensor, shape: Tensor, x2: Tensor) -> Tensor:
        whole = x2.expand([int(n) for n in shape])
        return compute(values, whole.reshape(-1)[_flat(indices, shape)])

    return result


declare("SparseAdd", f"{_TWO} thresh", _added, "The sum of two sparse tensors")
declare("SparseAddmm", f"{_COO} x2_dense x3_dense alpha beta", _product_and_sum, "x1 x2 + x3")
declare(
    "SparseConcat",
    "sp_input_indices+ sp_input_values+ sp_input_shape+",
    _joined,
    "Sparse tensors joined along an axis",
    concat_dim=0,
)
for _name, _compute in (("Add", torch.add), ("Mul", torch.mul), ("Div", torch.div)):
    declare(
        f"SparseDenseCwise{_name}", f"{_COO} x2", _with_dense(_compute), "By elements with a dense"
    )
declare(
    "SparseFillEmptyRows",
    "indices values dense_shape default_value",
    _filled,
    "A matrix with a value in each empty row",
)
declare("SparseReorder", _COO, _reordered, "The elements in order of their places")
declare("SparseReshape", "indices shape new_shape", _reshaped, "The places in another shape")
declare("SparseSoftmax", _COO, _softmax, "The softmax of each row's elements")
declare("SparseSparseMaximum", _TWO, _of_two(torch.maximum), "The larger elements")
declare("SparseSparseMinimum", _TWO, _of_two(torch.minimum), "The smaller elements")
declare(
    "SparseToDenseV2",
    "indices output_shape values default_value",
    lambda indices, shape, values, default, validate_indices: _dense(
        indices, values, shape, default
    ),
    "The dense tensor",
    validate_indices=True,
)


# ------------------------------------------------------------------------------------ in rows


def _coordinates(shape: Tensor, batches: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """The places of the elements of matrices in rows, of two or three axes."""
    height = int(shape[-2])
    counts = rows.reshape(-1, height + 1).long().diff(dim=1).reshape(-1)
    row = torch.arange(len(counts)).repeat_interleave(counts)
    places = [row // height, row % height, columns.long()]
    return torch.stack(places if len(shape) == 3 else places[1:], 1)


def _rows(places: Tensor, values: Tensor, shape: Tensor, dtype: torch.dtype) -> _Parts:
    """Matrices in rows, of elements in order of their places."""
    height, deep = int(shape[-2]), len(shape) == 3
    count = int(shape[0]) if deep else 1
    batch = places[:, 0] if deep else torch.zeros(len(places), dtype=torch.int64)
    row = batch * height + places[:, -2]
    per_batch = torch.bincount(batch, minlength=count)
    per_row = torch.bincount(row, minlength=count * height).reshape(count, height)
    start = torch.zeros(1, dtype=torch.int64)
    batches = torch.cat([start, per_batch.cumsum(0)])
    rows = torch.cat([start.expand(count, 1), per_row.cumsum(1)], 1).reshape(-1)
    return (
        shape.to(dtype),
        batches.to(dtype),
        rows.to(dtype),
        places[:, -1].to(dtype),
        values,
    )


def _csr_dense(*parts: Tensor) -> Tensor:
    shape, batches, rows, columns, values = parts
    return _dense(_coordinates(shape, batches, rows, columns), values, shape)


def _csr_coordinates(*parts: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    shape, batches, rows, columns, values = parts
    return _coordinates(shape, batches, rows, columns).to(shape.dtype), values, shape


def _from_dense(dense: Tensor, indices: Tensor) -> _Parts:
    shape = torch.tensor(dense.shape, dtype=indices.dtype)
    values = dense.reshape(-1)[_flat(indices, dense.shape)]
    return _rows(indices.long(), values, shape, indices.dtype)


def _transposed(*parts: Tensor, conjugate: bool) -> _Parts:
    shape, batches, rows, columns, values = parts
    places = _coordinates(shape, batches, rows, columns)
    axes = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
    places, values = _reordered(places[:, axes], values, shape[axes])
    return _rows(places, values.conj() if conjugate else values, shape[axes], shape.dtype)


def _turned(x: Tensor, transpose: bool, adjoint: bool) -> Tensor:
    return x.mH if adjoint else x.mT if transpose else x


def _product(
    *args: Tensor,
    transpose_x1: bool,
    transpose_x2: bool,
    adjoint_x1: bool,
    adjoint_x2: bool,
    transpose_output: bool,
    conjugate_output: bool,
) -> Tensor:
    left = _turned(_csr_dense(*args[:5]), transpose_x1, adjoint_x1)
    result = left @ _turned(args[5], transpose_x2, adjoint_x2)
    result = result.mT if transpose_output else result
    return result.conj_physical() if conjugate_output else result


def _sparse_product(
    *args: Tensor, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool
) -> _Parts:
    for name, both in (("a", transpose_a and adjoint_a), ("b", transpose_b and adjoint_b)):
        if both:
            raise ValueError(
                f"For 'SparseMatrixSparseMatMul', at most one of 'transpose_{name}' and "
                f"'adjoint_{name}' may be True; set one of them to False."
            )
    sides = ((args[:5], transpose_a, adjoint_a), (args[5:], transpose_b, adjoint_b))
    left, right = (_turned(_csr_dense(*parts), *turn) for parts, *turn in sides)
    # an element is there where a pair of elements meets, be their sum zero or not
    marks = [_csr_dense(*parts[:4], torch.ones_like(parts[4].real)) for parts, *_ in sides]
    meeting = _turned(marks[0], *sides[0][1:]) @ _turned(marks[1], *sides[1][1:])
    places = meeting.nonzero()
    whole = left @ right
    shape = torch.tensor(whole.shape, dtype=args[0].dtype)
    return _rows(places, whole[tuple(places.mT)], shape, args[0].dtype)


def _csr_sum(*args: Tensor) -> _Parts:
    first, second, (alpha, beta) = args[:5], args[5:10], args[10:]
    shape = first[0]
    values = [alpha * first[4], beta * second[4]]
    flat = torch.cat([_flat(_coordinates(*p[:4]), shape) for p in (first, second)])
    places, where = torch.unique(flat, return_inverse=True)
    total = values[0].new_zeros(len(places)).index_add(0, where, torch.cat(values))
    return _rows(_places(places, shape, torch.int64), total, shape, shape.dtype)


def _csr_softmax(*parts: Tensor, dtype: Any) -> _Parts:
    shape, batches, rows, columns, values = parts
    places = _coordinates(shape, batches, rows, columns)
    kind = to_torch_dtype(dtype, op_name="SparseMatrixSoftmax")
    row = _flat(places[:, :-1], shape[:-1])
    return shape, batches, rows, columns, _by_rows(row, values.to(kind), int(shape[:-1].prod()))


declare("CSRSparseMatrixToDense", _CSR, _csr_dense, "The dense matrices")
declare("CSRSparseMatrixToSparseTensor", _CSR, _csr_coordinates, "The matrices in coordinates")
declare("DenseToCSRSparseMatrix", "dense_input indices", _from_dense, "Dense matrices in rows")
declare(
    "SparseTensorToCSRSparseMatrix",
    "x_indices x_values x_dense_shape",
    lambda indices, values, shape: _rows(indices.long(), values, shape, shape.dtype),
    "Matrices in coordinates, in rows",
)
declare(
    "SparseMatrixAdd",
    f"{_CSR} {_CSR.replace('x_', 'y_')} alpha beta",
    _csr_sum,
    "The weighted sum of matrices",
)
declare(
    "SparseMatrixMatMul",
    f"{_CSR} x2_dense",
    _product,
    "Sparse matrices times dense ones",
    transpose_x1=False,
    transpose_x2=False,
    adjoint_x1=False,
    adjoint_x2=False,
    transpose_output=False,
    conjugate_output=False,
)
declare(
    "SparseMatrixSparseMatMul",
    f"{_CSR.replace('x_', 'x1_')} {_CSR.replace('x_', 'x2_')}",
    _sparse_product,
    "The products of sparse matrices",
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
)
declare(
    "SparseMatrixNNZ",
    _CSR,
    lambda shape, batches, *_: batches.diff().int(),
    "How many elements the matrices have",
)
declare("SparseMatrixSoftmax", _CSR, _csr_softmax, "The softmax of each row", dtype=NEEDED)
declare("SparseMatrixTranspose", _CSR, _transposed, "The transposed matrices", conjugate=False)


# ---------------------------------------------------------------------------------- segments


def _segments(name: str, power: float) -> Any:
    def compute(x: Tensor, indices: Tensor, ids: Tensor, count: Tensor | None = None) -> Tensor:
        ids = ids.long()
        if ids.numel() and bool((ids.diff() < 0).any()):
            raise ValueError(f"For '{name}', the 'segment_ids' must be sorted, but got {ids}.")
        needed = int(ids[-1]) + 1 if ids.numel() else 0
        size = needed if count is None else int(count)
        if size < needed:
            raise ValueError(
                f"For '{name}', 'num_segments' must be more than the largest of 'segment_ids', "
                f"{needed - 1}, but got {size}."
            )
        total = x.new_zeros((size, *x.shape[1:])).index_add(0, ids, x[indices.long()])
        counts = torch.bincount(ids, minlength=size).clamp(min=1).to(x.dtype) ** power
        return total / counts.reshape(-1, *[1] * (x.dim() - 1))

    return compute


for _name, _power in (("Sum", 0.0), ("SqrtN", 0.5), ("Mean", 1.0)):
    _full = f"SparseSegment{_name}"
    _inputs = "x indices segment_ids"
    declare(_full, _inputs, _segments(_full, _power), f"{_name} of rows in segments")
    _full += "WithNumSegments"
    declare(
        _full,
        f"{_inputs} num_segments",
        _segments(_full, _power),
        f"{_name} of rows in so many segments",
    )


def lookup(path: str, name: str, missing: Any) -> Any:
    """What this module has for a name at MindSpore's path, else `missing`."""
    if name not in _register.names() or (path.endswith("math_ops") and name != "SparseSegmentMean"):
        return missing
    return _register.find(name)
