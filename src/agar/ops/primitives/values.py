"""More primitive classes without a function: counts, packed bits, ragged ranges, drop masks.

Each describes what it computes in its first line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core import context
from agar._core.dtype import FROM_TORCH, to_dtype, to_torch_dtype
from agar._core.random import Stream
from agar._core.random import draws as random_draws
from agar.ops._checks import integer
from agar.ops.image.blocks import _batch_to_space
from agar.ops.math.elementwise import as_tensor, check_integers
from agar.ops.random.distributions import drawn, own_pair, random_type
from agar.ops.spec import Scalar, primitive
from agar.ops.tensor.creation import sizes

__all__: list[str] = []


# ------------------------------------------------------------------------------------ counts


def _check_classes(instance: Any) -> None:
    integer(instance.name, "num_classes", instance.num_classes, 1)
    if not isinstance(instance.dtype, str):
        raise TypeError(
            f"For '{instance.name}', the type of 'dtype' must be str, but got "
            f"'{type(instance.dtype).__name__}'."
        )
    to_dtype(instance.dtype, op_name=instance.name)


@primitive(
    "ConfusionMatrix",
    samples=(
        "torch.tensor([0, 1, 1, 3]), torch.tensor([1, 2, 1, 3]), num_classes=4",
        "i(5), i(5), i(5), num_classes=3, dtype='int64'",
    ),
    errors=(
        ("i(4), i(3), num_classes=3", ValueError, "predictions"),
        ("i(4), f(4), num_classes=3", TypeError, "predictions"),
        ("i(4), i(4), i(3), num_classes=3", ValueError, "weights"),
        ("i(4) + 3, i(4), num_classes=3", ValueError, "labels"),
        ("i(4), i(4), num_classes=0", ValueError, "num_classes"),
    ),
    differentiable=False,
    cast="never",
    setup=_check_classes,
)
def _confusion_matrix(
    labels: Tensor,
    predictions: Tensor,
    weights: Tensor | None = None,
    *,
    num_classes: int,
    dtype: str = "int32",
    _state: None = None,
) -> Tensor:
    r"""Confusion matrix: the counts of each true class (row) and predicted class (column).

    Args:
        num_classes (int): the number of classes.
        dtype (str): the name of the result's type. Default: ``"int32"``.
        labels (Tensor): the true classes, integers of shape :math:`(N,)`.
        predictions (Tensor): the classes predicted, of the same shape.
        weights (Tensor): how much each example counts. Default: None, 1.

    Outputs: Tensor of shape :math:`(num\_classes, num\_classes)`.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit, or a class is out of range.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation.

    >>> matrix = ms.ops.ConfusionMatrix(2)
    >>> print(matrix(ms.Tensor([0, 1, 1]), ms.Tensor([0, 0, 1])))
    [[1 0]
     [1 1]]
    """
    op_name = "ConfusionMatrix"
    for name, value in (("labels", labels), ("predictions", predictions)):
        check_integers(op_name, name, value)
    for name, value in (("predictions", predictions), ("weights", weights)):
        if value is not None and (labels.ndim != 1 or value.shape != labels.shape):
            raise ValueError(
                f"For '{op_name}', 'labels' must have one axis and '{name}' its shape, but got "
                f"{list(labels.shape)} and {list(value.shape)}."
            )
    for name, value in (("labels", labels), ("predictions", predictions)):
        if value.numel() and bool(((value < 0) | (value >= num_classes)).any()):
            raise ValueError(
                f"For '{op_name}', '{name}' must be in the range [0, {num_classes}), but got "
                f"{value.tolist()}."
            )
    kind = to_torch_dtype(dtype, op_name=op_name)
    one = torch.ones_like(labels, dtype=kind) if weights is None else weights.to(kind)
    places = labels.long() * num_classes + predictions.long()
    flat = torch.zeros(num_classes * num_classes, dtype=kind, device=labels.device)
    return flat.index_add(0, places, one).reshape(num_classes, num_classes)


@primitive(
    "CompareAndBitpack",
    samples=(
        "f(2, 8), torch.tensor(0.5).double()",
        "i(16), torch.tensor(1)",
        "b(16), torch.tensor(False)",
    ),
    errors=(
        ("f(2, 7), f()", ValueError, "8"),
        ("f(), f()", ValueError, "axis"),
        ("f(8), f(1)", ValueError, "threshold"),
        ("f(8), i()", TypeError, "threshold"),
    ),
    differentiable=False,
    cast="never",
)
def _compare_and_bitpack(x: Tensor, threshold: Tensor | Scalar) -> Tensor:
    """Whether elements are above a threshold, eight of them as the bits of a uint8.

    The first of eight elements is the highest bit, of eight bools the lowest. Bools are packed as
    they are, whatever the threshold is.

    Inputs:
        - **x** (Tensor) - the last axis is a multiple of 8.
        - **threshold** (Tensor) - no axes, of the type of `x`.

    Outputs: Tensor of uint8, its last axis an eighth of that of `x`.
    Raises TypeError: the types differ.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart; ``numpy.packbits``.
    Source: behavior observed in MindSpore 2.10.

    >>> x = ms.Tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    >>> print(ms.ops.CompareAndBitpack()(x, ms.Tensor(6.0)))
    [3]
    """
    op_name = "CompareAndBitpack"
    bound = as_tensor(threshold, x)
    if bound.dtype != x.dtype:
        raise TypeError(
            f"For '{op_name}', 'threshold' must have the type of 'x', {FROM_TORCH[x.dtype]}, but "
            f"got {FROM_TORCH[bound.dtype]}."
        )
    if bound.ndim:
        raise ValueError(
            f"For '{op_name}', 'threshold' must have no axes, but got shape {list(bound.shape)}."
        )
    if x.ndim == 0 or x.shape[-1] % 8:
        raise ValueError(
            f"For '{op_name}', the last axis of 'x' must be a multiple of 8, but got shape "
            f"{list(x.shape)}."
        )
    above = x if x.dtype is torch.bool else x > bound
    bits = above.byte().reshape(*x.shape[:-1], -1, 8)
    weights = [1, 2, 4, 8, 16, 32, 64, 128]
    order = weights if x.dtype is torch.bool else weights[::-1]
    place = torch.tensor(order, dtype=torch.uint8, device=x.device)
    return (bits * place).sum(-1).byte()


def _check_splits(instance: Any) -> None:
    random_type(instance.name, instance.Tsplits, (torch.int32, torch.int64))


@primitive(
    "RaggedRange",
    samples=(
        "torch.tensor([2, 5, 8]), torch.tensor([3, 5, 12]), torch.tensor([1, 1, 3]),"
        " Tsplits=ms.int64",
        "torch.tensor([2.0, 0.0]), torch.tensor([1.0, -2.0]), torch.tensor([-0.3, -0.5]),"
        " Tsplits=ms.int32",
        "torch.tensor(2), torch.tensor(5), torch.tensor(1), Tsplits=ms.int32",
    ),
    errors=(
        ("i(2), i(3), i(2) + 1, Tsplits=ms.int64", ValueError, "limits"),
        ("i(2), f(2), i(2) + 1, Tsplits=ms.int64", TypeError, "limits"),
        ("i(2), i(2), i(2) * 0, Tsplits=ms.int64", ValueError, "deltas"),
        ("i(2), i(2), i(2) + 1, Tsplits=ms.float32", TypeError, "RaggedRange"),
    ),
    differentiable=False,
    cast="never",
    setup=_check_splits,
)
def _ragged_range(
    starts: Tensor, limits: Tensor, deltas: Tensor, *, Tsplits: Any, _state: None = None
) -> tuple[Tensor, Tensor]:
    """Ranges of numbers, one after the other, and the start of each.

    Args:
        Tsplits (Type): the type of the places, int32 or int64.
        starts (Tensor): the first number of each range; at most one axis, int32, int64 or
            floating.
        limits (Tensor): the number before which each range ends.
        deltas (Tensor): the steps, not 0.

    Outputs: Tuple of the places where ranges begin and the last one ends, and the numbers.
    Raises TypeError: the types differ, or `Tsplits` is another type.
    Raises ValueError: the shapes differ, or a step is 0.
    Difference from PyTorch: no counterpart.

    >>> one = ms.Tensor([1, 1])
    >>> found = ms.ops.RaggedRange(ms.int64)(ms.Tensor([2, 8]), ms.Tensor([3, 11]), one)
    >>> print(found[0], found[1])
    [0 1 4] [ 2  8  9 10]
    """
    op_name = "RaggedRange"
    for name, value in (("limits", limits), ("deltas", deltas)):
        if value.dtype != starts.dtype:
            raise TypeError(
                f"For '{op_name}', '{name}' must have the type of 'starts', "
                f"{FROM_TORCH[starts.dtype]}, but got {FROM_TORCH[value.dtype]}."
            )
        if value.shape != starts.shape or value.ndim > 1:
            raise ValueError(
                f"For '{op_name}', '{name}' and 'starts' must have one shape with at most one "
                f"axis, but got {list(value.shape)} and {list(starts.shape)}."
            )
    first, end, step = (v.reshape(-1) for v in (starts, limits, deltas))
    if bool((step == 0).any()):
        raise ValueError(f"For '{op_name}', 'deltas' must not be 0, but got {step.tolist()}.")
    if starts.is_floating_point():
        counts = ((end - first) / step).ceil()
    else:
        counts = -torch.div(-(end - first), step, rounding_mode="floor")
    counts = counts.clamp(min=0).long()
    ends = counts.cumsum(0)
    kind = to_torch_dtype(Tsplits, op_name=op_name)
    splits = torch.cat((ends.new_zeros(1), ends)).to(kind)
    total = int(ends[-1]) if len(ends) else 0
    row = torch.repeat_interleave(counts, output_size=total)
    place = torch.arange(total, device=starts.device) - (ends - counts)[row]
    return splits, first[row] + place.to(starts.dtype) * step[row]


@primitive(
    "BatchToSpaceNDV2",
    samples=("f(4, 1, 1, 1), (2, 2), [[0, 0], [0, 0]]",),
    errors=(("f(3, 1, 1, 1), (2, 2), [[0, 0], [0, 0]]", ValueError, "block"),),
    cast="never",
)
def _batch_to_space_nd_v2(input_x: Tensor, block_shape: Any, crops: Any) -> Tensor:
    """The batch cut into blocks that become pixels; see :func:`ops.batch_to_space_nd`.

    >>> x = ms.Tensor([[[[1.0]]], [[[2.0]]]])
    >>> print(ms.ops.BatchToSpaceNDV2()(x, ms.Tensor([1, 2]), [[0, 0], [0, 0]]))
    [[[[1. 2.]]]]
    """
    return _batch_to_space("BatchToSpaceNDV2", input_x, block_shape, crops)


# ------------------------------------------------------------------------------ random numbers


def _bits_stream(instance: Any) -> Stream:
    random_type(
        instance.name, instance.dtype, (torch.int32, torch.int64, torch.uint32, torch.uint64)
    )
    return Stream(*own_pair(0, 0, instance.name), instance.name)


def _all_bits(shape: tuple[int, ...], kind: str, engine: Any) -> np.ndarray:
    width = np.dtype(kind).itemsize // 2
    words = random_draws.uniform_int((*shape, width), 0, 1 << 16, engine).astype(np.uint16)
    return words.view(kind)[..., 0]


@primitive(
    "NonDeterministicInts",
    samples=("(2, 3)", "(2, 3), dtype=ms.int32"),
    errors=(
        ("(2,)", ValueError, "shape"),
        ("(2, -3)", ValueError, "NonDeterministicInts"),
        ("(2, 3), dtype=ms.float32", TypeError, "NonDeterministicInts"),
        ("(2000, 3000)", ValueError, "1000000"),
    ),
    tags=("random",),
    differentiable=False,
    cast="never",
    setup=_bits_stream,
)
def _non_deterministic_ints(shape: Any, *, dtype: Any = torch.int64, _state: Stream) -> Tensor:
    """Random integers over the whole range of a type.

    Args:
        dtype (Type): int32 or int64, or one of their unsigned relatives. Default: int64.
        shape (Tensor): at least two sizes.

    Outputs: Tensor of this shape and type.
    Raises TypeError: `dtype` is another type.
    Raises ValueError: `shape` has fewer than two or negative sizes, or more than a million
        elements.
    Difference from PyTorch: ``torch.randint`` leaves out the largest number.
    Source: behavior observed in MindSpore 2.10; the random numbers are agar's own.

    >>> ms.ops.NonDeterministicInts(ms.int32)(ms.Tensor([2, 3])).shape
    (2, 3)
    """
    op_name = "NonDeterministicInts"
    dims = tuple(sizes(op_name, shape))
    if len(dims) < 2 or np.prod(dims) > 1_000_000:
        raise ValueError(
            f"For '{op_name}', 'shape' must have at least two sizes and at most 1000000 elements, "
            f"but got {dims}."
        )
    kind = str(to_dtype(dtype, op_name=op_name)).lower()
    return drawn(_all_bits, dims, kind, _state.engine("mt", (dims, kind)))


# --------------------------------------------------------------------------- masks of dropout


def _mask_stream(instance: Any) -> Stream:
    for name in ("Seed0", "Seed1"):
        integer(instance.name, name, getattr(instance, name))
    return Stream(*own_pair(instance.Seed0, instance.Seed1, instance.name), instance.name)


def _mask(dims: tuple[int, ...], keep: float, engine: Any) -> np.ndarray:
    count = int(np.prod(dims))
    result = random_draws.uniform_real((count,), engine) < keep
    rows = -(-count // 128)
    return np.packbits(np.pad(result, (0, rows * 128 - count)), bitorder="little")


@primitive(
    "DropoutGenMask",
    samples=("(2, 3), 0.5", "(200,), torch.tensor(0.5), Seed0=1, Seed1=2"),
    errors=(
        ("(2, 3), 1.5", ValueError, "keep_prob"),
        ("(2, 3), 0.5, Seed0=0.5", TypeError, "Seed"),
    ),
    tags=("random",),
    differentiable=False,
    cast="never",
    setup=_mask_stream,
)
def _dropout_gen_mask(
    shape: Any, keep_prob: Tensor | float, *, Seed0: int = 0, Seed1: int = 0, _state: Stream
) -> Tensor:
    """A random mask for `DropoutDoMask`, a bit for each element.

    Args:
        Seed0 (int): first number of the seed. Default: 0.
        Seed1 (int): second number of the seed. Default: 0.
        shape (tuple): the shape of what is to be masked.
        keep_prob (Union[Tensor, float]): how probable it is that an element stays.

    Outputs: Tensor of uint8: 16 bytes for each 128 elements begun, the first element the lowest
        bit.
    Raises TypeError: a seed is not an int.
    Raises ValueError: `keep_prob` is not in [0, 1].
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10, where it has no kernel for the CPU; the random numbers are agar's own.

    >>> print(ms.ops.DropoutGenMask()((4,), 1.0)[0])
    15
    """
    op_name = "DropoutGenMask"
    dims = tuple(sizes(op_name, shape))
    keep = float(keep_prob)
    if not 0 <= keep <= 1:
        raise ValueError(f"For '{op_name}', 'keep_prob' must be in [0, 1], but got {keep}.")
    return drawn(_mask, dims, keep, _state.engine("mt", dims))


@primitive(
    "DropoutDoMask",
    samples=("f(2, 3), torch.full((16,), 37, dtype=torch.uint8), 0.5",),
    errors=(
        ("f(2, 100), torch.full((16,), 37, dtype=torch.uint8), 0.5", ValueError, "mask"),
        ("f(2, 3), i(16), 0.5", TypeError, "mask"),
        ("f(2, 3), torch.full((16,), 37, dtype=torch.uint8), 0.0", ValueError, "keep_prob"),
    ),
)
def _dropout_do_mask(input_x: Tensor, mask: Tensor, keep_prob: Tensor | float) -> Tensor:
    """Zeros where a mask has no bit, the other elements divided by `keep_prob`.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **mask** (Tensor) - as `DropoutGenMask` makes it for this shape.
        - **keep_prob** (Union[Tensor, float]) - how probable it was that an element stays.

    Outputs: Tensor like `input_x`.
    Raises TypeError: `mask` is not of type uint8.
    Raises ValueError: `mask` is too short, or `keep_prob` not in (0, 1].
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10, where it has no kernel for the CPU.

    >>> mask = ms.ops.DropoutGenMask()((3,), 1.0)
    >>> print(ms.ops.DropoutDoMask()(ms.Tensor([1.0, 2.0, 3.0]), mask, 0.5))
    [2. 4. 6.]
    """
    op_name = "DropoutDoMask"
    if mask.dtype is not torch.uint8:
        raise TypeError(
            f"For '{op_name}', 'mask' must be of type uint8, but got {FROM_TORCH[mask.dtype]}."
        )
    if mask.numel() * 8 < input_x.numel():
        raise ValueError(
            f"For '{op_name}', 'mask' must have a bit for each of the {input_x.numel()} elements, "
            f"but has {mask.numel() * 8}."
        )
    keep = float(keep_prob)
    if not 0 < keep <= 1:
        raise ValueError(f"For '{op_name}', 'keep_prob' must be in (0, 1], but got {keep}.")
    shifts = torch.arange(8, dtype=torch.uint8, device=mask.device)
    bits = (mask.reshape(-1, 1) >> shifts & 1).reshape(-1)[: input_x.numel()]
    result = bits.reshape(input_x.shape).bool()
    return torch.where(result, input_x / keep, torch.zeros_like(input_x))


# ------------------------------------------------------------------------- overflow on Ascend


@primitive(
    "NPUAllocFloatStatus",
    samples=("",),
    errors=(("f(2)", TypeError, "positional argument"),),
    differentiable=False,
    cast="never",
)
def _npu_alloc_float_status() -> Tensor:
    """The flag for overflows that Ascend devices set: eight zeros.

    No other device sets it; ``amp.all_finite`` looks at the values themselves.

    >>> print(ms.ops.NPUAllocFloatStatus()())
    [0. 0. 0. 0. 0. 0. 0. 0.]
    """
    return torch.zeros(8, dtype=torch.float32, device=context.torch_device())


def _check_flag(op_name: str, x: Tensor) -> None:
    if not x.is_floating_point():
        raise TypeError(
            f"For '{op_name}', 'x' must be of a floating type, but got {FROM_TORCH[x.dtype]}."
        )


@primitive(
    "NPUGetFloatStatus",
    samples=("f(8) * 0",),
    errors=(("i(8)", TypeError, "floating"),),
    differentiable=False,
    cast="never",
)
def _npu_get_float_status(x: Tensor) -> Tensor:
    """The flag for overflows as the device has it; only Ascend devices set it.

    >>> print(ms.ops.NPUGetFloatStatus()(ms.ops.NPUAllocFloatStatus()()).sum())
    0.0
    """
    _check_flag("NPUGetFloatStatus", x)
    return x.clone()


@primitive(
    "NPUClearFloatStatus",
    samples=("f(8)",),
    errors=(("i(8)", TypeError, "floating"),),
    reference="x * 0",
    differentiable=False,
    cast="never",
)
def _npu_clear_float_status(x: Tensor) -> Tensor:
    """The flag for overflows after it was cleared: zeros.

    >>> print(ms.ops.NPUClearFloatStatus()(ms.ops.NPUAllocFloatStatus()()).sum())
    0.0
    """
    _check_flag("NPUClearFloatStatus", x)
    return torch.zeros_like(x)
