"""Primitives at MindSpore's path ``ops.operations._inner_ops``: checks, masks, small numbers."""

from __future__ import annotations

from typing import Any

# Implementations are over torch tensors, as in the operator table.
import torch
from torch import Tensor

from agar._core import tensor as core
from agar._core.autodiff import get_grad
from agar._core.dtype import Type, to_torch_dtype
from agar._core.errors import describe
from agar._core.optable import lookup
from agar._core.parameter import Parameter
from agar.ops import _paths
from agar.ops._checks import choice
from agar.ops._private import NEEDED, Register
from agar.ops.math.elementwise import check_integers
from agar.ops.python import values as python_values
from agar.ops.tensor.axes import axes_of

_register = Register(__name__)
declare, value = _register.declare, _register.value

# ---------------------------------------------------------------------------- over tensors

_SAME = "The tensor itself: shapes are known here"
declare("ConvertToDynamic", "input", lambda x, **_: x, words=_SAME, is_dynamic_rank=False)
declare("GpuConvertToDynamicShape", "input", lambda x: x, words=_SAME)
declare("ErrorOnDynamicShapeInput", "input", lambda x: x, words=_SAME)


def _mask(lengths: Tensor, maxlen: Any) -> Tensor:
    check_integers("SequenceMask", "lengths", lengths)
    count = int(lengths.max()) if maxlen is None else int(maxlen)
    return torch.arange(count, device=lengths.device) < lengths.unsqueeze(-1)


declare("SequenceMask", "lengths maxlen=None", _mask, words="Whether places lie within lengths")


def _centered(x: Tensor, axis: Any) -> Tensor:
    axes = axes_of("Centralization", () if axis is None else axis, x.ndim)
    return x - x.mean(axes or tuple(range(x.ndim)), keepdim=True)


declare("Centralization", "input_x axis=()", _centered, words="A tensor less its mean along axes")
declare(
    "ClipByNorm",
    "x clip_norm",
    lambda x, bound, axis: (
        x * bound / torch.maximum(_norm(x, axis), torch.as_tensor(bound, dtype=x.dtype))
    ),
    words="A tensor scaled down to a norm",
    axis=None,
)


def _norm(x: Tensor, axis: Any) -> Tensor:
    axes = None if axis is None else axes_of("ClipByNorm", axis, x.ndim)
    return torch.linalg.vector_norm(x, 2, axes, keepdim=True)


def _stitched(indices: list[Tensor], data: list[Tensor]) -> Tensor:
    if len(indices) != len(data) or not data:
        raise ValueError(
            f"For 'DynamicStitch', there must be equally many indices and data, at least one, but "
            f"got {len(indices)} and {len(data)}."
        )
    places = torch.cat([i.reshape(-1) for i in indices]).long()
    rest = data[0].shape[indices[0].ndim :]
    rows = torch.cat([d.reshape(-1, *rest) for d in data])
    zeros = rows.new_zeros((int(places.max()) + 1 if places.numel() else 0, *rest))
    for place, row in zip(places, rows, strict=True):  # later rows win
        zeros[place] = row
    return zeros


declare("DynamicStitch", "indices+ data+", _stitched, words="Rows put to their places")


def _reduced(first: Any, second: Any) -> tuple[Tensor, Tensor]:
    """The axes along which each of two shapes is repeated to broadcast them."""
    rank = max(len(first), len(second))
    one = [1] * (rank - len(first)) + [int(v) for v in first]
    two = [1] * (rank - len(second)) + [int(v) for v in second]
    if any(a != b and 1 not in (a, b) for a, b in zip(one, two, strict=True)):
        raise ValueError(
            f"For 'DynamicBroadcastGradientArgs', the shapes {list(first)} and {list(second)} do "
            "not broadcast."
        )
    axes = range(rank) if one != two else range(0)
    return (
        torch.tensor([i for i in axes if one[i] == 1], dtype=torch.int64),
        torch.tensor([i for i in axes if two[i] == 1], dtype=torch.int64),
    )


declare(
    "DynamicBroadcastGradientArgs",
    "s0! s1!",
    _reduced,
    words="The axes along which the gradients of two broadcast tensors are summed",
)
declare(
    "DynamicBroadcastTo",
    "input_x shape!",
    lambda x, shape: x.expand(tuple(int(v) for v in shape)),
    words="A tensor repeated to a shape",
)
declare(
    "DynamicResizeNearestNeighbor",
    "input_x size!",
    lambda x, size, align_corners: lookup("primitive", "ResizeNearestNeighborV2").impl(
        x, tuple(int(v) for v in size), align_corners=align_corners
    ),
    words="Images in another size, by nearest neighbors",
    align_corners=False,
)


def _non_zero(x: Tensor, transpose: bool) -> tuple[Tensor, Tensor, Tensor]:
    places = x.nonzero().int()
    entry = x[x != 0]
    count = torch.tensor([len(entry)], dtype=torch.int32, device=x.device)
    return entry, places if transpose else places.mT.contiguous(), count


declare(
    "NonZeroWithValue",
    "x",
    _non_zero,
    words="The elements that are not 0, their places and their number",
    transpose=False,
)
declare(
    "NonZeroWithValueShape",
    "value index count",
    lambda values, places, count: (values, places),
    words="Values and places as NonZeroWithValue gives them",
)
declare(
    "MatrixDiag",
    "x assist",
    lambda x, assist: x.unsqueeze(-1) * assist,
    words="Matrices with given diagonals; assist holds ones there",
)
declare(
    "MatrixDiagPart",
    "x assist",
    lambda x, assist: (x * assist).sum(-1)[..., : min(x.shape[-2:])].to(x.dtype),
    words="The diagonals of matrices; assist holds ones there",
)
declare(
    "MatrixSetDiag",
    "x diagonal assist",
    lambda x, diagonal, assist: torch.where(
        assist != 0, _rows_of(diagonal, x) * assist, x * (1 - assist)
    ),
    words="Matrices with their diagonals replaced; assist holds ones there",
)


def _rows_of(diagonal: Tensor, x: Tensor) -> Tensor:
    missing = x.shape[-2] - diagonal.shape[-1]
    return torch.nn.functional.pad(diagonal, (0, missing)).unsqueeze(-1)


# ------------------------------------------------------------------------- quantized numbers

_ROUNDINGS = {
    "Round": torch.round,
    "Floor": torch.floor,
    "Ceil": torch.ceil,
    "Trunc": torch.trunc,
}


def _quantized(x: Tensor, scale: float, offset: float, sqrt_mode: bool, round_mode: str) -> Tensor:
    factor = scale * scale if sqrt_mode else scale
    rounded = _ROUNDINGS[choice("Quant", "round_mode", round_mode, _ROUNDINGS)](x * factor + offset)
    return rounded.clamp(-128, 127).to(torch.int8)


declare(
    "Quant",
    "input_x",
    _quantized,
    words="Numbers as int8: rounded scale * x + offset",
    scale=NEEDED,
    offset=NEEDED,
    sqrt_mode=False,
    round_mode="Round",
)


def _dequantized(x: Tensor, scale: Tensor, sqrt_mode: bool, relu_flag: bool, dtype: Any) -> Tensor:
    factor = scale.float()
    result = x.float() * (factor * factor if sqrt_mode else factor)
    return (result.relu() if relu_flag else result).to(to_torch_dtype(dtype, op_name="Dequant"))


declare(
    "Dequant",
    "x deq_scale",
    _dequantized,
    words="Numbers x * scale",
    sqrt_mode=False,
    relu_flag=False,
    dtype=torch.float16,
)


def _antiquantized(x: Tensor, scale: Tensor, offset: Tensor, sqrt_mode: bool, dtype: Any) -> Tensor:
    factor = scale.float()
    result = (x.float() + offset) * (factor * factor if sqrt_mode else factor)
    return result.to(to_torch_dtype(dtype, op_name="AntiQuant"))


declare(
    "AntiQuant",
    "x scale offset",
    _antiquantized,
    words="Numbers scale * (x + offset)",
    sqrt_mode=False,
    dtype=torch.float16,
)

# ----------------------------------------------------------------------- over Python values


def _same_type_shape(x: Any, y: Any) -> Any:
    for name, one in (("x", x), ("y", y)):
        if not isinstance(one, core.Tensor):
            raise TypeError(f"For 'SameTypeShape', '{name}' must be a Tensor, not {describe(one)}.")
    if x.dtype != y.dtype:
        raise TypeError(
            f"For 'SameTypeShape', both types must be equal, but got {x.dtype} and {y.dtype}."
        )
    if x.shape != y.shape:
        raise ValueError(
            f"For 'SameTypeShape', both shapes must be equal, but got {x.shape} and {y.shape}."
        )
    return x


def _check_bprop(entry: Any, inputs: Any) -> Any:
    """The gradients, if each has the type and shape of its input."""
    for x, y in zip(entry, inputs, strict=False):
        if isinstance(x, core.Tensor) and isinstance(y, core.Tensor):
            _same_type_shape(x, y)
    return entry


def _a_type(op_name: str, given: Any) -> Type:
    if not isinstance(given, Type):
        raise TypeError(f"For '{op_name}', the argument must be a type, but got {describe(given)}.")
    return given


def _is_subclass(one: Any, other: Any) -> bool:
    first, second = _a_type("IsSubClass", one), _a_type("IsSubClass", other)
    return first is second or (
        issubclass(type(first), type(second)) and getattr(second, "torch_dtype", None) is None
    )


def _is_instance(given: Any, kind: Any) -> bool:
    expected = _a_type("IsInstance", kind)
    if isinstance(given, core.Tensor):
        return str(expected) == "Tensor"
    return _is_subclass(python_values.typeof(given), expected)


def _tile_size(shape: Any, out_shape: Any, ndim: int) -> tuple[int, ...]:
    result = [1] * ndim
    for i, (have, want) in enumerate(zip(shape, out_shape, strict=False)):
        if have != want:
            result[i] = want
    return tuple(result)


value("SameTypeShape", _same_type_shape, "The first tensor, if both have one type and shape.")
value("CheckBprop", _check_bprop, "Gradients, if they have the types and shapes of the inputs.")
value("IsSubClass", _is_subclass, "Whether a type is one of another kind.")
value("IsInstance", _is_instance, "Whether a value is of a type.")
value("IsParameter", lambda x: isinstance(x, Parameter), "Whether a value is a Parameter.")
value("IsConstant", lambda x: True, "Whether a value is known: here always.")
value("GetGrad", get_grad, "One gradient out of what ops.grad returned.")
value("TopTypeof", python_values.typeof, "The type of a value.")
value("MixedPrecisionCast", python_values.mixed_precision_cast, "Floats in another type.")
value("TileSize", _tile_size, "How often each axis is repeated to get a shape.")
value("SliceGetItem", getattr, "The start, stop or step of a slice.")
value("Format", lambda text, *args: text.format(*args), "A text with values put in.")

# -------------------------------------------------------------------------- not available

for _name, _why, _instead in (
    ("Generator", "it holds the state of MindSpore's generators", "ms.Generator"),
    ("Lamb", "it belongs to Ascend", "nn.Lamb"),
    ("SyncBatchNorm", "it needs several devices", "nn.SyncBatchNorm"),
    ("DecodeImage", "it belongs to Ascend", "dataset.vision.Decode"),
    ("FFN", "it is a fused kernel of Ascend", "ops.matmul and ops.gelu"),
    ("KMeansCentroids", "it is a fused kernel of Ascend", "ops.cdist and ops.argmin"),
    ("PsROIPooling", "MindSpore documents no formula", "ops.ROIAlign"),
    ("ParallelResizeBilinear", "it needs several devices", "ops.ResizeBilinearV2"),
    ("ConfusionMulGrad", "it is a fused kernel of Ascend", "ops.mul and ops.ReduceSum"),
    ("PartitionedCall", "it is a node of MindSpore's graphs", "a call of the function"),
    ("CellBackwardHook", "hooks are kept by cells", "Cell.register_backward_hook"),
    ("GetitemTensorIndexInfo", "it prepares MindSpore's kernels", "tensor[index]"),
    ("SetitemTensorIndexInfo", "it prepares MindSpore's kernels", "tensor[index] = value"),
    ("ProdForceSeA", "MindSpore documents no formula", "ops.grad of an energy"),
    ("DSDMatmul", "it is a fused kernel of Ascend", "ops.matmul"),
    ("MatmulDDS", "it is a fused kernel of Ascend", "ops.matmul"),
    ("DSDGrad", "it is a fused kernel of Ascend", "ops.grad of ops.matmul"),
    ("MatmulDDSGrad", "it is a fused kernel of Ascend", "ops.grad of ops.matmul"),
    ("StackInit", "stacks live on Ascend devices", "a Python list"),
    ("StackPush", "stacks live on Ascend devices", "a Python list"),
    ("StackPop", "stacks live on Ascend devices", "a Python list"),
    ("StackDestroy", "stacks live on Ascend devices", "a Python list"),
    ("_VirtualConverterBegin", "it marks graphs for parallel compilation", "no such mark"),
    ("_VirtualConverterEnd", "it marks graphs for parallel compilation", "no such mark"),
):
    _register.refuse(_name, _why, _instead)


def __getattr__(name: str) -> Any:
    return _register.find(name) if name in _register.names() else _paths.find(__name__, name)


def __dir__() -> list[str]:
    return _register.names()
