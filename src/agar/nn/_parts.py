"""The operators that MindSpore's layers hold as attributes, for subclasses that compute with them.

agar's layers call operators directly. A part such as ``dense.matmul`` is built from the table below
when it is read, with the options that the layer has at that moment, and is stored nowhere: it is
in no ``vars``, copy, pickle or checkpoint, and costs nothing where it is not used.

NOTE Replacing. A part that is assigned is an ordinary attribute. Where the construct that runs is
agar's own, which would not use it, the assignment raises.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from agar._core.errors import missing_feature
from agar._core.optable import Primitive

__all__ = ["check_replaced", "names_of_parts", "part_of", "parts_of"]

#: Class, then its parts: a name alone or with `=` and an operator that takes no options.
_PLAIN = """
    BatchNorm1d   shape=Shape reshape=Reshape cast=Cast square=Square sqrt=Sqrt
    BatchNorm2d   shape=Shape reshape=Reshape cast=Cast square=Square sqrt=Sqrt
    BatchNorm3d   shape=Shape reshape=Reshape
    ChannelShuffle  shape=Shape reshape=Reshape transpose=Transpose
    Conv1d        shape=Shape bias_add=BiasAdd expand_dims=ExpandDims
    Conv1dTranspose  shape=Shape bias_add=BiasAdd expand_dims=ExpandDims
    Conv2dTranspose  shape=Shape bias_add=BiasAdd
    Conv3d        shape=Shape
    Conv3dTranspose  shape=Shape
    CosineEmbeddingLoss  maximum=Maximum
    Dense         reshape=Reshape shape_op=Shape bias_add=BiasAdd
    DiceLoss      reshape=Reshape
    DynamicLossScaleUpdateCell  less_equal=LessEqual logic_and=LogicalAnd logic_not=LogicalNot
    DynamicLossScaleUpdateCell  logic_or=LogicalOr max=Maximum reciprocal=Reciprocal select=Select
    Embedding     reshape_flat=Reshape reshape=Reshape expand=ExpandDims
    FastGelu      fast_gelu=FastGeLU
    GLU           sigmoid=Sigmoid
    HSigmoid      hsigmoid=HSigmoid
    HSwish        hswish=HSwish
    InstanceNorm1d  shape=Shape
    InstanceNorm2d  shape=Shape
    InstanceNorm3d  shape=Shape
    L1Regularizer abs=Abs reduce_sum=ReduceSum
    LogSigmoid    mul=Mul exp=Exp add=Add rec=Reciprocal log=Log
    LossBase      cast=Cast mul=Mul reduce_mean=ReduceMean reduce_sum=ReduceSum
    MAELoss       abs=Abs
    Mish          mish=Mish
    MultiClassDiceLoss  reshape=Reshape
    NaturalExpDecayLR  cast=Cast pow=Pow
    PReLU         prelu=PReLU
    PoissonNLLLoss  maximum=Maximum
    PolynomialDecayLR  pow=Pow ceil=Ceil min=Minimum max=Maximum
    RMSELoss      dtype=DType
    RReLU         sign=Sign
    ReLU          relu=ReLU
    ReLU6         relu6=ReLU6
    ReduceLogSumExp  exp=Exp log=Log
    SeLU          selu=SeLU
    Sigmoid       sigmoid=Sigmoid
    Softmax2d     shape=Shape
    SoftmaxCrossEntropyWithLogits  one_hot=OneHot
    SoftmaxCrossEntropyWithLogits  softmax_cross_entropy=SoftmaxCrossEntropyWithLogits
    SoftmaxCrossEntropyWithLogits  sparse_softmax_cross_entropy=SparseSoftmaxCrossEntropyWithLogits
    Softsign      softsign=Softsign
    Tanh          tanh=Tanh
    TripletMarginWithDistanceLoss  maximum=Maximum minimum=Minimum
    Unflatten     shape=Shape reshape=Reshape
    WarmUpLR      cast=Cast min=Minimum
"""


def _conv(cell: Any, operator: str, out_channel: int, **options: Any) -> Any:
    return _operator(operator)(
        out_channel=out_channel,
        kernel_size=cell.kernel_size,
        pad_mode=cell.pad_mode,
        pad=cell.padding,
        stride=cell.stride,
        dilation=cell.dilation,
        group=cell.group,
        **options,
    )


def _conv2d(cell: Any) -> Any:
    return _conv(cell, "Conv2D", cell.out_channels, data_format=cell.data_format)


def _transposed2d(cell: Any) -> Any:
    # the operator is the gradient of a convolution, whose outputs are the layer's inputs
    return _conv(cell, "Conv2DTranspose", cell.in_channels)


def _batch_norm(cell: Any, training: bool) -> Any:
    return _operator("BatchNorm")(
        is_training=training,
        epsilon=cell.eps,
        momentum=cell.momentum,
        data_format=cell.format,
    )


def _layer_norm(cell: Any) -> Any:
    return _operator("LayerNorm")(
        begin_norm_axis=cell.begin_norm_axis,
        begin_params_axis=cell.begin_params_axis,
        epsilon=cell.epsilon,
    )


_BATCH_NORM: dict[str, Callable[[Any], Any]] = {
    "bn_train": lambda cell: _batch_norm(cell, True),
    "bn_infer": lambda cell: _batch_norm(cell, False),
    "reduce_mean": lambda cell: _operator("ReduceMean")(keep_dims=True),
}

#: Class, then its parts that follow the options of the layer.
_BUILT: dict[str, dict[str, Callable[[Any], Any]]] = {
    "AdaptiveAvgPool2d": {
        "adaptive_avgpool2d": lambda cell: _operator("AdaptiveAvgPool2D")(cell.output_size)
    },
    "AdaptiveMaxPool3d": {"adaptive_max_pool3d": lambda cell: _operator("AdaptiveMaxPool3D")()},
    "BatchNorm1d": _BATCH_NORM,
    "BatchNorm2d": _BATCH_NORM,
    "Conv1d": {"conv2d": _conv2d, "squeeze": lambda cell: _operator("Squeeze")(2)},
    "Conv1dTranspose": {
        "conv2d_transpose": _transposed2d,
        "squeeze": lambda cell: _operator("Squeeze")(2),
    },
    "Conv2d": {
        "conv2d": _conv2d,
        "bias_add": lambda cell: _operator("BiasAdd")(data_format=cell.data_format),
    },
    "Conv2dTranspose": {"conv2d_transpose": _transposed2d},
    "Conv3d": {
        "bias_add": lambda cell: _operator("BiasAdd")(data_format=cell.data_format),
        "conv3d": lambda cell: _conv(cell, "Conv3D", cell.out_channels),
    },
    "Dense": {"matmul": lambda cell: _operator("MatMul")(transpose_b=True)},
    "LayerNorm": {"layer_norm": _layer_norm},
    "LogSoftmax": {"log_softmax": lambda cell: _operator("LogSoftmax")(cell.axis)},
    "PolynomialDecayLR": {
        "diff_learning_rate": lambda cell: cell.learning_rate - cell.end_learning_rate,
        "start_learning_rate": lambda cell: cell.learning_rate,
    },
    "ReduceLogSumExp": {
        "max": lambda cell: _operator("ReduceMax")(cell.keep_dims),
        "sum": lambda cell: _operator("ReduceSum")(cell.keep_dims),
    },
    "Softmax": {"softmax": lambda cell: _operator("Softmax")(cell.axis)},
    "Softmax2d": {"softmax": lambda cell: _operator("Softmax")(axis=-3)},
}


def _operator(name: str) -> Any:
    from agar.ops import operations  # its classes are generated when first asked for

    return getattr(operations, name)


@functools.cache
def _table() -> dict[str, dict[str, Callable[[Any], Any]]]:
    """The parts by class: how each is built from the layer."""
    table = {owner: dict(parts) for owner, parts in _BUILT.items()}
    for line in _PLAIN.split("\n"):
        owner, *entries = line.split() or [""]
        for entry in entries:
            name, operator = entry.split("=")
            table.setdefault(owner, {})[name] = lambda _, operator=operator: _operator(operator)()
    return table


@functools.cache
def parts_of(kind: type) -> dict[str, Callable[[Any], Any]]:
    """The parts that the objects of a class of cells have, with those of its bases."""
    found: dict[str, Callable[[Any], Any]] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith(("agar.nn.", "mindspore.nn.")):
            found.update(_table().get(base.__name__, {}))
    return found


@functools.cache
def names_of_parts() -> frozenset[str]:
    """The names of all parts of all layers."""
    return frozenset(name for parts in _table().values() for name in parts)


def part_of(cell: Any, name: str) -> Any:
    """The part of a layer by its name, built now; None if it has no such part."""
    build = parts_of(type(cell)).get(name)
    if build is None:
        return None
    part = build(cell)
    if isinstance(part, Primitive):
        part.set_instance_name(name)
    return part


def check_replaced(cell: Any, name: str, value: Any) -> None:
    """Refuse another part for a layer whose own construct would not use it.

    Raises:
        NotImplementedError: `value` differs from the layer's part, and agar's construct runs.
    """
    kind = type(cell)
    if name not in parts_of(kind) or not _uses_own_construct(kind):
        return
    writer = sys._getframe(2).f_globals.get("__name__", "")
    if writer.startswith("agar."):  # a layer of agar that keeps something of its own by this name
        return
    if not _equal(part_of(cell, name), value):
        raise missing_feature(
            f"Another '{name}' of {kind.__name__}",
            f"its computation, or a part of it, is agar's, which does not call self.{name}",
            f"write a subclass whose construct calls self.{name} itself, or use another name",
        )


def _uses_own_construct(kind: Any) -> bool:
    """Whether the construct of a class is agar's, or one that goes on to agar's."""
    construct = kind.construct
    if getattr(construct, "__module__", "").startswith(("agar.", "mindspore.")):
        return True
    code = getattr(construct, "__code__", None)
    return code is None or not {"super", "construct", "get_loss"}.isdisjoint(code.co_names)


def _equal(part: Any, value: Any) -> bool:
    """Whether two operators compute the same: one class, the same options."""
    return type(part) is type(value) and getattr(part, "attrs", part) == getattr(
        value, "attrs", value
    )
