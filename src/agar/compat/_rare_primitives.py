"""Primitives at MindSpore's private paths that no function of `ops` stands for.

Computed with PyTorch, as `ops.operations` has them; those over sparse matrices in rows and in
coordinates are in `_sparse_primitives`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch  # implementations are over torch tensors, as those of operators
from torch import Tensor  # likewise
from torch.nn import functional as F  # likewise

from agar._core.dtype import to_torch_dtype
from agar._core.random import Stream
from agar._core.random.draws import mantissas
from agar.compat import _sparse_primitives
from agar.ops._checks import integer
from agar.ops._private import NEEDED, Register
from agar.ops.gradients.elementwise import forward, pull_back
from agar.ops.gradients.windows import ints
from agar.ops.random.distributions import drawn, own_pair
from agar.ops.random.streams import metadata_of

__all__ = ["lookup"]

_registers = {
    path: Register(f"agar.ops.operations.{path}")
    for path in (
        "_sparse_grad_ops",
        "array_ops",
        "image_ops",
        "linalg_ops",
        "math_ops",
        "nn_ops",
        "random_ops",
        "sparse_ops",
    )
}


def declare(place: str, inputs: str, compute: Any, what: str, **attributes: Any) -> None:
    path, _, name = place.partition(".")
    _registers[path].declare(name, inputs, compute, words=what, **attributes)


# -------------------------------------------------------------------------------------- arrays


def _offsets(axis: Tensor, x: list[Tensor]) -> tuple[Tensor, ...]:
    along, before, result = int(axis), 0, []
    for shape in x:
        offset = torch.zeros_like(shape)
        offset[along] = before
        before += int(shape[along])
        result.append(offset)
    return tuple(result)


def _range(start: Tensor, limit: Tensor, delta: Tensor, maxlen: int) -> Tensor:
    first, last, step = start.item(), limit.item(), delta.item()
    if step == 0 or (last - first) * step < 0:
        raise ValueError(
            f"For 'RangeV2', 'delta' must lead from 'start' to 'limit', but got start {first}, "
            f"limit {last} and delta {step}."
        )
    result = torch.arange(first, last, step, dtype=start.dtype, device=start.device)
    if len(result) > maxlen:
        raise ValueError(
            f"For 'RangeV2', the result has {len(result)} elements, more than 'maxlen' {maxlen}; "
            "give a larger 'maxlen'."
        )
    return result


declare(
    "array_ops.ConcatOffsetV1", "axis x+", _offsets, "Where parts begin in what they are joined to"
)
declare("array_ops.RangeV2", "start limit delta", _range, "Evenly spaced numbers", maxlen=1000000)
declare(
    "array_ops.Unsqueeze",
    "x",
    lambda x, axis: x.unsqueeze(int(axis)),
    "A tensor with one more axis of size 1",
    axis=NEEDED,
)
declare(
    "array_ops.ArgminV2",
    "x axis=-1",
    lambda x, axis: x.argmin(int(axis)).int(),
    "The place of the smallest element along an axis",
)


# --------------------------------------------------------------------------------- mathematics


def _hermitian(a: Tensor, compute_eigenvectors: bool, lower: bool) -> Any:
    triangle = "L" if lower else "U"
    if compute_eigenvectors:
        values, vectors = torch.linalg.eigh(a, triangle)
        return values.to(a.dtype), vectors
    return torch.linalg.eigvalsh(a, triangle).to(a.dtype)


def _lu(input: Tensor, output_idx_type: Any) -> tuple[Tensor, Tensor]:
    packed, exchanges = torch.linalg.lu_factor(input)
    permutation, _, _ = torch.lu_unpack(packed, exchanges, unpack_data=False)
    # row i of the factors is that row of the input whose column holds the 1 of column i
    rows = permutation.real.argmax(-2)
    return packed, rows.to(to_torch_dtype(output_idx_type))


def _tridiagonal(diagonals: Tensor, rhs: Tensor, partial_pivoting: bool) -> Tensor:
    above, main, below = diagonals.unbind(-2)
    matrix = torch.diag_embed(main)
    matrix = matrix + torch.diag_embed(above[..., :-1], 1) + torch.diag_embed(below[..., 1:], -1)
    return torch.linalg.solve(matrix, rhs)  # with exchanges of rows in any case


declare(
    "math_ops.Lu",
    "input",
    _lu,
    "The factors of square matrices, lower and upper, and the order of rows",
    output_idx_type=NEEDED,
)
declare("math_ops.AddV2", "x y", torch.add, "The sum, element by element")
declare(
    "math_ops.SelfAdjointEig",
    "x",
    lambda x, compute_v: (
        _hermitian(x, True, True) if compute_v else (_hermitian(x, False, True), x.new_empty(0))
    ),
    "Eigenvalues and eigenvectors of Hermitian matrices",
    compute_v=True,
)
declare(
    "math_ops.TridiagonalSolve",
    "diagonals rhs",
    _tridiagonal,
    "Solutions of tridiagonal systems, of which the diagonals above, on and below are given",
    partial_pivoting=True,
)
declare(
    "linalg_ops.Eigh",
    "A",
    _hermitian,
    "Eigenvalues and eigenvectors of Hermitian matrices, of which one triangle counts",
    compute_eigenvectors=True,
    lower=True,
)


# ------------------------------------------------------------------------------ neural networks


def _instance_norm(
    x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    mean: Tensor,
    variance: Tensor,
    is_training: bool,
    momentum: float,
    epsilon: float,
) -> tuple[Tensor, Tensor, Tensor]:
    axes = (2, 3)
    wide = x.float()
    if not is_training:
        result = (wide - mean) * torch.rsqrt(variance + epsilon) * gamma + beta
        return result.to(x.dtype), torch.zeros_like(mean), torch.zeros_like(variance)
    center = wide.mean(axes, keepdim=True)
    factor = torch.rsqrt(wide.var(axes, unbiased=False, keepdim=True) + epsilon)
    # MindSpore gives the factor in the place of the variance
    return ((wide - center) * factor * gamma + beta).to(x.dtype), center, factor


def _loss_of_labels(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    labels = labels.long()
    loss = F.cross_entropy(logits, labels, reduction="none")
    return loss, logits.softmax(-1) - F.one_hot(labels, logits.shape[-1]).to(logits.dtype)


_POOL = {"kernel_size": 1, "strides": 1, "pad_mode": "valid", "data_format": "NCHW"}
declare("nn_ops.ReLUV3", "input_x", F.relu, "max(x, 0)")
declare(
    "nn_ops.AllFinite",
    "gradients+",
    lambda gradients: torch.stack([~g.isfinite().all() for g in gradients]).any(),
    "Whether a gradient has an infinity or a NaN",
)
for _name, _what in (("MaxPool", "The largest element"), ("AvgPool", "The mean")):
    declare(
        f"nn_ops.{_name}V1",
        "x",
        lambda x, _state, **_: _state(x),
        f"{_what} of each window",
        setup=lambda instance, name=_name: forward(
            name, **{key: getattr(instance, key) for key in _POOL}
        ),
        **_POOL,
    )
declare(
    "nn_ops.InstanceNormV2",
    "x gamma beta mean variance",
    _instance_norm,
    "Instance normalization, means, and 1 / sqrt(variance + epsilon)",
    is_training=True,
    momentum=0.1,
    epsilon=1e-5,
)
declare(
    "nn_ops.SparseSoftmaxCrossEntropyWithLogitsV2",
    "logits labels",
    _loss_of_labels,
    "The cross entropy of each row, and its gradient by the logits",
)


def _position_sensitive(
    features: Tensor, rois: Tensor, spatial_scale: float, group_size: int, output_dim: int
) -> Tensor:
    """Boxes (N, 5, M): index of the image, x1, y1, x2, y2; each bin has channels of its own."""
    height, width = features.shape[2:]

    def bins(low: float, high: float, whole: int) -> list[list[int]]:
        start, end = (math.floor(v * spatial_scale + 0.5) for v in (low, high))
        size = max(end - start, 1) / group_size
        edges = [(math.floor(i * size), math.ceil((i + 1) * size)) for i in range(group_size)]
        return [[min(max(e + start, 0), whole - 1) for e in edge] for edge in edges]

    result = []
    for number, left, top, right, bottom in rois.permute(0, 2, 1).reshape(-1, 5).tolist():
        image = features[int(number)].reshape(output_dim, group_size, group_size, height, width)
        cells = [
            image[:, i, j, y0:y1, x0:x1].mean((-2, -1))
            if y1 > y0 and x1 > x0
            else image.new_zeros(output_dim)
            for i, (y0, y1) in enumerate(bins(top, bottom, height))
            for j, (x0, x1) in enumerate(bins(left, right, width))
        ]
        result.append(torch.stack(cells, -1).reshape(output_dim, group_size, group_size))
    return torch.stack(result)


declare(
    "nn_ops.PSROIPooling",
    "features rois",
    _position_sensitive,
    "The means of the bins of boxes, each in channels of its own (Dai et al. 2016, R-FCN)",
    spatial_scale=NEEDED,
    group_size=NEEDED,
    output_dim=NEEDED,
)


_CONV3D: dict[str, Any] = {
    "out_channel": NEEDED,
    "kernel_size": NEEDED,
    "mode": 1,
    "pad_mode": "valid",
    "pad": 0,
    "stride": 1,
    "dilation": 1,
    "group": 1,
    "data_format": "NCDHW",
}
declare(
    "nn_ops.Conv3DBackpropInput",
    "filter out_backprop input_size!",
    lambda weight, dout, size, _state, **_: pull_back(
        lambda x: _state(x, weight), (weight.new_zeros(ints(size)),), dout
    ),
    "Gradient of Conv3D for its input",
    setup=lambda instance: forward("Conv3D", **{key: getattr(instance, key) for key in _CONV3D}),
    **_CONV3D,
)


# -------------------------------------------------------------------------------------- images


def _contrast(images: Tensor, contrast_factor: Tensor) -> Tensor:
    wide = images.float()
    mean = wide.mean((-3, -2), keepdim=True)
    return ((wide - mean) * contrast_factor + mean).to(images.dtype)


def _crop(method: str, size: Any) -> Any:
    crop = forward("CropAndResize", method=method)
    return lambda image, boxes, index: crop(image, boxes, index, tuple(size))


def _by_image(
    grads: Tensor, boxes: Tensor, box_index: Tensor, image_size: Tensor, T: Any, method: str
) -> Tensor:
    image, crop = grads.new_zeros(ints(image_size)), _crop(method, grads.shape[1:3])
    edges = boxes.to(grads.dtype)
    result = pull_back(lambda x: crop(x, edges, box_index), (image,), grads)
    return result.to(to_torch_dtype(T, op_name="CropAndResizeGradImage"))


def _by_boxes(
    grads: Tensor, images: Tensor, boxes: Tensor, box_index: Tensor, method: str
) -> Tensor:
    pixels, crop = images.to(grads.dtype), _crop(method, grads.shape[1:3])
    edges = boxes.to(grads.dtype)
    return pull_back(lambda e: crop(pixels, e, box_index), (edges,), grads).to(boxes.dtype)


def _resized(
    x: Tensor,
    roi: Tensor,
    scales: Tensor,
    sizes: Tensor,
    coordinate_transformation_mode: str,
    mode: str,
) -> Tensor:
    size = [int(n) for n in sizes[2:]]
    if mode == "nearest":
        return F.interpolate(x.double(), size, mode="nearest").to(x.dtype)
    align = coordinate_transformation_mode == "align_corners"
    form = {"linear": "bilinear", "cubic": "bicubic"}[mode]
    return F.interpolate(x, size, mode=form, align_corners=align)


declare(
    "image_ops.AdjustContrastv2",
    "images contrast_factor",
    _contrast,
    "Images (..., H, W, C) with another contrast, channel by channel",
)
declare(
    "image_ops.CropAndResizeGradImage",
    "grads boxes box_index image_size",
    _by_image,
    "",
    T=NEEDED,
    method="bilinear",
)
declare(
    "image_ops.CropAndResizeGradBoxes",
    "grads images boxes box_index",
    _by_boxes,
    "",
    method="bilinear",
)
declare(
    "image_ops.ResizeV2",
    "x roi scales sizes",
    _resized,
    "Images (N, C, H, W) in another size",
    coordinate_transformation_mode="half_pixel",
    mode="nearest",
)


# ----------------------------------------------------------------------------- sets, ragged rows


def _sets(indices: Tensor, values: Tensor) -> dict[tuple[int, ...], set[Any]]:
    groups: dict[tuple[int, ...], set[Any]] = {}
    for place, value in zip(indices.tolist(), values.tolist(), strict=True):
        groups.setdefault(tuple(place[:-1]), set()).add(value)
    return groups


def _set_operation(name: str, operation: str) -> Any:
    operations = {
        "a-b": lambda a, b: a - b,
        "b-a": lambda a, b: b - a,
        "intersection": lambda a, b: a & b,
        "union": lambda a, b: a | b,
    }
    chosen = operations.get(operation.lower())
    if chosen is None:
        raise ValueError(
            f"For '{name}', 'set_operation' must be one of {sorted(operations)}, but got "
            f"{operation!r}."
        )
    return chosen


def _combined(
    first: dict[tuple[int, ...], set[Any]],
    second: dict[tuple[int, ...], set[Any]],
    groups: list[int],
    choose: Any,
    like: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    places, values, most = [], [], 0
    for group in sorted({*first, *second}):
        members = sorted(choose(first.get(group, set()), second.get(group, set())))
        most = max(most, len(members))
        places += [[*group, i] for i in range(len(members))]
        values += members
    return (
        torch.tensor(places, dtype=torch.int64).reshape(-1, len(groups) + 1),
        torch.tensor(values, dtype=like.dtype),
        torch.tensor([*groups, most]),
    )


def _of_dense(x: Tensor) -> dict[tuple[int, ...], set[Any]]:
    indices = torch.ones(x.shape, dtype=torch.bool).nonzero()
    return _sets(indices, x.reshape(-1))


def _dense_sets(x1: Tensor, x2: Tensor, set_operation: str, validate_indices: bool) -> Any:
    choose = _set_operation("DenseToDenseSetOperation", set_operation)
    return _combined(_of_dense(x1), _of_dense(x2), list(x1.shape[:-1]), choose, x1)


def _mixed_sets(
    x1: Tensor,
    x2_indices: Tensor,
    x2_values: Tensor,
    x2_shape: Tensor,
    set_operation: str,
    validate_indices: bool,
) -> Any:
    choose = _set_operation("DenseToSparseSetOperation", set_operation)
    other = _sets(x2_indices, x2_values)
    return _combined(_of_dense(x1), other, list(x1.shape[:-1]), choose, x1)


def _sizes_of_sets(
    set_indices: Tensor, set_values: Tensor, set_shape: Tensor, validate_indices: bool
) -> Tensor:
    result = torch.zeros([int(n) for n in set_shape[:-1]], dtype=torch.int32)
    for group, members in _sets(set_indices, set_values).items():
        result[group] = len(members)
    return result


def _counts(
    indices: Tensor,
    values: Tensor,
    dense_shape: Tensor,
    weights: Tensor,
    binary_output: bool,
    minlength: int,
    maxlength: int,
) -> tuple[Tensor, Tensor, Tensor]:
    counts: dict[tuple[int, int], Any] = {}
    rows = indices[:, 0].tolist() if len(dense_shape) > 1 else [0] * len(values)
    factors = weights.tolist() if weights.numel() else [1] * len(values)
    largest = -1
    for row, value, factor in zip(rows, values.tolist(), factors, strict=True):
        if maxlength >= 0 and value >= maxlength:
            continue
        largest = max(largest, value)
        before = counts.get((row, value), 0)
        counts[row, value] = 1 if binary_output else before + factor
    width = max(largest + 1, minlength) if maxlength < 0 else maxlength
    places = sorted(counts)
    flat = len(dense_shape) == 1
    return (
        torch.tensor([p[1:] if flat else p for p in places], dtype=torch.int64).reshape(
            len(places), 1 if flat else 2
        ),
        torch.tensor([counts[p] for p in places], dtype=weights.dtype),
        torch.tensor([width] if flat else [int(dense_shape[0]), width]),
    )


def _addends(
    x1_indices: Tensor,
    x1_values: Tensor,
    x1_shape: Tensor,
    x2_indices: Tensor,
    x2_values: Tensor,
    x2_shape: Tensor,
    x3_dense: Tensor,
    alpha: Tensor,
    beta: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """The elements of beta * x1, and those of the rows of alpha * (x2 @ x3), unjoined."""
    indices, values = [x1_indices.long()], [beta * x1_values]
    width = x3_dense.shape[1]
    products: dict[int, Tensor] = {}
    for row, column, value in zip(*x2_indices.tolist(), x2_values, strict=True):
        part = alpha * value * x3_dense[column]
        products[row] = products[row] + part if row in products else part
    for row, part in products.items():
        indices.append(torch.tensor([[row] * width, list(range(width))]))
        values.append(part)
    return torch.cat(indices, 1), torch.cat(values).to(x1_values.dtype), x1_shape.long()


def _split(
    split_dim: Tensor, indices: Tensor, values: Tensor, shape: Tensor, num_split: int
) -> tuple[Any, ...]:
    axis = int(split_dim)
    least, more = divmod(int(shape[axis]), num_split)
    parts, start = [], 0
    for i in range(num_split):
        size = least + (i < more)
        inside = (indices[:, axis] >= start) & (indices[:, axis] < start + size)
        places = indices[inside].clone()
        places[:, axis] -= start
        part = shape.clone()
        part[axis] = size
        parts.append((places, values[inside], part))
        start += size
    return tuple(zip(*parts, strict=True))


def _rows_of(kind: str, partition: Tensor) -> list[int]:
    """The row of each value."""
    if kind == "VALUE_ROWIDS":
        return partition.tolist()
    lengths = partition.diff()
    return torch.arange(len(lengths)).repeat_interleave(lengths.long()).tolist()


def _by_addends(
    backprop_val_grad: Tensor, x1_indices: Tensor, x2_indices: Tensor, sum_indices: Tensor
) -> tuple[Tensor, ...]:
    """The gradients by the values of two addends; those that the sum left out have none."""
    known = dict(zip(map(tuple, sum_indices.tolist()), backprop_val_grad, strict=True))
    nothing = backprop_val_grad.new_zeros(())
    return tuple(
        torch.stack([known.get(tuple(place), nothing) for place in indices.tolist()])
        if len(indices)
        else backprop_val_grad.new_zeros(0)
        for indices in (x1_indices, x2_indices)
    )


declare(
    "_sparse_grad_ops.SparseAddGrad",
    "backprop_val_grad x1_indices x2_indices sum_indices",
    _by_addends,
    "",
)


def _ragged_to_dense(
    shape: Tensor,
    values: Tensor,
    default_value: Tensor,
    partitions: list[Tensor],
    row_partition_types: Any,
) -> Tensor:
    kinds = list(row_partition_types)
    sizes: list[int] = []
    if kinds[0] == "FIRST_DIM_SIZE":
        sizes, kinds, partitions = [int(partitions[0])], kinds[1:], partitions[1:]
    elif kinds[0] == "ROW_SPLITS":
        sizes = [len(partitions[0]) - 1]
    # the place of each value, axis by axis, from the outer partition to the inner
    places: list[tuple[int, ...]] = [(i,) for i in range(sizes[0] if sizes else 0)]
    for kind, partition in zip(kinds, partitions, strict=True):
        rows, counts, following = _rows_of(kind, partition), {}, []
        for row in rows:
            at = counts.get(row, 0)
            counts[row] = at + 1
            following.append((*places[row], at))
        sizes.append(max(counts.values(), default=0))
        places = following
    given = shape.tolist()
    inner = list(values.shape[1:])
    natural = [*sizes, *inner]
    full = [n if g < 0 else g for g, n in zip(given or [-1] * len(natural), natural, strict=True)]
    result = default_value.expand(full).clone() if default_value.dim() else values.new_full(full, 0)
    if not default_value.dim():
        result = result + default_value
    fits = tuple(slice(0, min(f, n)) for f, n in zip(full[len(sizes) :], inner, strict=True))
    for place, value in zip(places, values, strict=True):
        if all(p < f for p, f in zip(place, full, strict=False)):
            result[(*place, *fits)] = value[fits] if fits else value
    return result


def _ragged_to_coordinates(
    rt_nested_splits: list[Tensor], rt_dense_values: Tensor, Tsplits: Any
) -> tuple[Tensor, Tensor, Tensor]:
    places: list[tuple[int, ...]] = [(i,) for i in range(len(rt_nested_splits[0]) - 1)]
    sizes = [len(places)]
    for splits in rt_nested_splits:
        following = []
        for row, (begin, end) in enumerate(
            zip(splits[:-1].tolist(), splits[1:].tolist(), strict=True)
        ):
            following += [(*places[row], i) for i in range(end - begin)]
        sizes.append(int(splits.diff().max()) if len(splits) > 1 else 0)
        places = following
    inner = torch.ones(rt_dense_values.shape[1:], dtype=torch.bool).nonzero().tolist()
    full = [(*p, *i) for p in places for i in inner]
    whole = [*sizes, *rt_dense_values.shape[1:]]
    return (
        torch.tensor(full, dtype=torch.int64).reshape(-1, len(whole)),
        rt_dense_values.reshape(-1),
        torch.tensor(whole),
    )


declare(
    "sparse_ops.DenseToDenseSetOperation",
    "x1 x2",
    _dense_sets,
    "A set operation on the last axes",
    set_operation="a-b",
    validate_indices=True,
)
declare(
    "sparse_ops.DenseToSparseSetOperation",
    "x1 x2_indices x2_values x2_shape",
    _mixed_sets,
    "A set operation on the last axes",
    set_operation="",
    validate_indices=True,
)
declare(
    "sparse_ops.SetSize",
    "set_indices set_values set_shape",
    _sizes_of_sets,
    "How many different elements each set has",
    validate_indices=True,
)
declare(
    "sparse_ops.SparseCountSparseOutput",
    "indices values dense_shape weights",
    _counts,
    "How often each value is in each row",
    binary_output=False,
    minlength=-1,
    maxlength=-1,
)
declare(
    "sparse_ops.Sspaddmm",
    "x1_indices x1_values x1_shape x2_indices x2_values x2_shape x3_dense alpha beta",
    _addends,
    "beta * x1 + alpha * (x2 @ x3) in coordinates, places not joined",
)
declare(
    "sparse_ops.SparseSplit",
    "split_dim indices values shape",
    _split,
    "A tensor in coordinates cut along an axis",
    num_split=1,
)
declare(
    "sparse_ops.RaggedTensorToTensor",
    "shape values default_value row_partition_tensors+",
    _ragged_to_dense,
    "Rows of several lengths as a dense tensor",
    row_partition_types=NEEDED,
)
declare(
    "sparse_ops.RaggedTensorToSparse",
    "rt_nested_splits+ rt_dense_values",
    _ragged_to_coordinates,
    "Rows of several lengths in coordinates",
    Tsplits=NEEDED,
)


# ------------------------------------------------------------------------------- random numbers


def _stream(instance: Any) -> Stream:
    """The streams of an object with the attributes seed and offset."""
    for name in ("seed", "offset"):
        integer(instance.name, name, getattr(instance, name), 0)
    instance.add_prim_attr("side_effect_hidden", True)
    return Stream(*own_pair(instance.seed, instance.offset, instance.name), instance.name)


def fractions(shape: Any, engine: Any) -> np.ndarray:
    """Uniform numbers in [0, 1): the lower 23 bits of each word of the engine."""
    return mantissas(engine.draws(math.prod(shape))).reshape(shape)


def _uniform(
    x: Tensor, minval: float, maxval: float, seed: int, offset: int, _state: Stream
) -> Tensor:
    size = tuple(x.shape)
    values = drawn(fractions, size, _state.engine("philox", metadata_of(x)), device=x.device)
    return (values * (maxval - minval) + minval).to(x.dtype)


declare(
    "random_ops.Uniform",
    "x",
    _uniform,
    "Uniform numbers of the shape and type of a tensor",
    setup=_stream,
    minval=0.0,
    maxval=1.0,
    seed=0,
    offset=0,
)


def lookup(path: str, name: str, missing: Any) -> Any:
    """What this module has for a name at MindSpore's path, else `missing`."""
    register = _registers.get(path.rpartition(".")[2])
    if register is not None and name in register.names():
        return register.find(name)
    return _sparse_primitives.lookup(path, name, missing)
