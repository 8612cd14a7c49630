"""Gradients as primitives: of gradients, of sparse tensors and gamma samples, and what is refused.

See the note on gradient primitives in `agar.ops.gradients`, whose register these join.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.optable import Primitive
from agar.ops.gradients.elementwise import declare, forward, pull_back, register
from agar.ops.gradients.layers import batch_norm, layer_norm
from agar.ops.python.control import stop_gradient

__all__: list[str] = []


def _second(run: Callable[..., tuple[Tensor, ...]], inputs: tuple[Tensor, ...], douts: Any) -> Any:
    """The gradients of a gradient's inputs, from those of its results."""

    def total(*values: Tensor) -> Tensor:
        parts = [(out * dout).sum() for out, dout in zip(run(*values), douts, strict=True)]
        return torch.stack(parts).sum()

    return pull_back(total, inputs, inputs[0].new_ones(()))


def _batch_norm_again(
    x: Tensor,
    dy: Tensor,
    scale: Tensor,
    mean: Tensor,
    variance: Tensor,
    by_dx: Tensor,
    by_dscale: Tensor,
    by_dbias: Tensor,
    is_training: bool,
    epsilon: float,
    data_format: str,
) -> Any:
    axes = [i for i in range(x.ndim) if i != (x.ndim - 1 if data_format == "NHWC" else 1)]

    def run(x: Tensor, dy: Tensor, scale: Tensor) -> tuple[Tensor, ...]:
        result = (x.mean(axes), x.var(axes, correction=0)) if is_training else (mean, variance)
        return batch_norm(dy, x, scale, *result, None, is_training, epsilon, data_format)

    return _second(run, (x, dy, scale), (by_dx, by_dscale, by_dbias))


declare(
    "BatchNormGradGrad",
    "x dy scale saved_mean saved_variance dout_dx dout_dscale dout_dbias",
    _batch_norm_again,
    words="Gradients of BatchNormGrad for x, dy and scale",
    is_training=False,
    epsilon=1e-5,
    data_format="NCHW",
)


def _layer_norm_again(
    x: Tensor,
    dy: Tensor,
    variance: Tensor,
    mean: Tensor,
    gamma: Tensor,
    by_dx: Tensor,
    by_dgamma: Tensor,
    by_dbeta: Tensor,
    begin_norm_axis: int,
    begin_params_axis: int,
) -> Any:
    axes = list(range(begin_norm_axis % x.ndim, x.ndim))

    def run(x: Tensor, dy: Tensor, gamma: Tensor) -> tuple[Tensor, ...]:
        result = x.var(axes, correction=0), x.mean(axes)
        return layer_norm(x, dy, *result, gamma, begin_norm_axis, begin_params_axis)

    return _second(run, (x, dy, gamma), (by_dx, by_dgamma, by_dbeta))


declare(
    "LayerNormGradGrad",
    "x dy variance mean gamma d_dx d_dg d_db",
    _layer_norm_again,
    words="Gradients of LayerNormGrad for x, dy and gamma",
    begin_norm_axis=1,
    begin_params_axis=1,
)
declare(
    "MaxPoolGradGradWithArgmax",
    "x grad argmax",
    lambda x, dout, at, **_: dout.flatten(2).gather(2, at.flatten(2).long()).reshape(at.shape),
    words="Gradient of MaxPoolGradWithArgmax for the gradient that it takes",
    kernel_size=1,
    strides=1,
    pad_mode="VALID",
)


def _avg_pool_forward(instance: Primitive) -> Any:
    keys = ("kernel_size", "strides", "pad_mode", "data_format")
    return forward("AvgPool", **{key: getattr(instance, key) for key in keys})


declare(
    "AvgPoolGradV1",
    "orig_input_shape! input_grad",
    lambda shape, dout, _state, **_: pull_back(
        _state, (dout.new_zeros(tuple(int(v) for v in shape)),), dout
    ),
    setup=_avg_pool_forward,
    kernel_size=1,
    strides=1,
    pad_mode="VALID",
    data_format="NCHW",
)

_CONVOLUTIONS: dict[int, Callable[..., Tensor]] = {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}


def _convolution(
    dout: Tensor,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: str,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    output_mask: Any,
) -> tuple[Tensor, ...]:
    result = pull_back(
        lambda v, w: _CONVOLUTIONS[x.ndim](v, w, None, stride, padding, dilation, groups),
        (x, weight),
        dout,
    )
    return (*result, dout.sum([0, *range(2, dout.ndim)]))


declare(
    "ConvolutionStrGrad",
    "dout input weight bias? stride=1 padding='valid' dilation=1 transposed=False"
    " output_padding=0 groups=1 output_mask=()",
    _convolution,
    words="Gradients of a convolution for input, weights and bias",
)


def _nll_2d(
    dout: Tensor,
    x: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int,
    total: Tensor,
) -> Tensor:
    word = ("none", "mean", "sum").index(reduction)
    return torch.ops.aten.nll_loss2d_backward(
        dout, x, target.long(), weight, word, ignore_index, total
    )


declare(
    "NLLLoss2dGrad",
    "loss_grad input target weight~ reduction! ignore_index! total_weight",
    _nll_2d,
)
declare(
    "RandomGammaGrad",
    "alpha sample",
    lambda alpha, sample: torch._standard_gamma_grad(*torch.broadcast_tensors(alpha, sample)),
    words="Derivative of samples of the gamma distribution by alpha",
)


def _filled_rows(places: Tensor, dout: Tensor) -> tuple[Tensor, Tensor]:
    taken = dout[places.long()]
    return taken, dout.sum() - taken.sum()


declare(
    "SparseFillEmptyRowsGrad",
    "reverse_index_map grad_values",
    _filled_rows,
    words="Gradients of SparseFillEmptyRows for the values and the default value",
)


def _sliced(dout: Tensor, indices: Tensor, start: Tensor, saved: Tensor) -> Tensor:
    same = (indices[:, None] == (saved + start)[None]).all(-1)
    return (same.to(dout.dtype) @ dout.reshape(-1, 1)).reshape(-1)


declare("SparseSliceGrad", "backprop_val_grad indices start new_indices", _sliced)

_AUTOGRAD = "ops.grad or ms.value_and_grad of the operator"
for _name, _why in (
    *((name, "it takes the memory of cuDNN's kernels") for name in (
        "LSTMGrad", "LSTMGradData", "LSTMGradWeight", "GruGradData", "GruGradWeight", "GRUV2Grad",
    )),
    *((name, "it is a fused kernel of Ascend") for name in (
        "AddLayerNormGrad", "AvgPoolGradGe", "AvgPoolGradVm", "BNTrainingReduceGrad",
        "BNTrainingUpdateGrad", "DynamicGRUV2Grad", "DynamicRNNGrad", "FlashAttentionScoreGrad",
        "LightningIndexerGrad", "LstsqV2Grad", "MoeTokenPermuteGrad", "MoeTokenUnpermuteGrad",
        "MultiScaleDeformableAttnGrad", "NsaCompressGrad", "NsaSelectAttentionGrad",
        "RotaryPositionEmbeddingGrad", "SparseFlashAttentionGrad", "SpeedFusionAttentionGrad",
        "WKVGrad", "CrossEntropyLossGrad",
    )),
    *((name, "it needs several devices") for name in (
        "EmbeddingLookupCommGrad", "NeighborExchangeV2Grad", "SyncBatchNormGrad",
        "BatchNormElemtGrad", "BatchNormReduceGrad", "ParallelResizeBilinearGrad",
    )),
    *((name, "MindSpore documents no formula for it") for name in (
        "InstanceNormGrad", "InstanceNormV2Grad", "MaxPool3DGradGrad", "PSROIPoolingGrad",
        "PsROIPoolingGrad", "ResizeV2Grad",
    )),
    ("MapTensorGetGrad", "MapTensor keeps its rows on MindSpore's parameter servers"),
    ("RefToEmbed", "it is a node of MindSpore's graphs"),
):  # fmt: skip
    register.refuse(_name, _why, _AUTOGRAD)
register.value("InplaceStopGradient", stop_gradient, "The tensor, cut from the gradient.")
