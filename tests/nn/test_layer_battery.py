"""Every layer through the battery, against its torch counterpart where there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from agar import nn
from nn.battery import arrays, battery, check_gradient, check_parity

LINE = (2, 3, 7)
IMAGE = (2, 4, 5, 6)
VOLUME = (2, 2, 3, 4, 3)


def case(name: str, make: Any, inputs: Any, twin: Any = None, **options: Any) -> Any:
    return pytest.param(make, inputs, twin, options, id=name)


def near_zero(*shape: int) -> tuple[np.ndarray]:
    """Numbers on both sides of zero, none so close to a kink that a difference would cross it."""
    values = np.linspace(-3.3, 3.1, int(np.prod(shape))) + 0.0123
    return (np.random.default_rng(1).permutation(values).reshape(shape),)


def positive(*shape: int) -> tuple[np.ndarray]:
    return (np.abs(arrays(shape)[0]) + 0.2,)


def distinct(*shape: int) -> tuple[np.ndarray]:
    """Numbers far enough apart that maxima do not change places."""
    values = np.random.default_rng(2).permutation(np.arange(np.prod(shape))) * 0.11
    return (values.reshape(shape) - 2.0,)


def conv(count: int, **options: Any) -> Any:
    function = (F.conv1d, F.conv2d, F.conv3d)[count - 1]

    def twin(p: Any, x: Any) -> Any:
        weight = p["weight"][:, :, 0] if count == 1 else p["weight"]
        return function(x, weight, p.get("bias"), **options)

    return twin


def transposed(count: int, **options: Any) -> Any:
    function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[count - 1]

    def twin(p: Any, x: Any) -> Any:
        weight = p["weight"][:, :, 0] if count == 1 else p["weight"]
        return function(x, weight, p.get("bias"), **options)

    return twin


def padded(count: int, pads: tuple[int, ...], **options: Any) -> Any:
    inner = conv(count, **options)
    return lambda p, x: inner(p, F.pad(x, pads))


CONVOLUTIONS = [
    case("Conv1d", lambda: nn.Conv1d(3, 4, 3), arrays(LINE), conv(1, padding=1), names=["weight"]),
    case(
        "Conv1d stride",
        lambda: nn.Conv1d(3, 4, 4, stride=3, has_bias=True),
        arrays(LINE),
        padded(1, (1, 2), stride=3),
    ),
    case(
        "Conv1d pad",
        lambda: nn.Conv1d(3, 3, 3, pad_mode="pad", padding=2, dilation=2, group=3),
        arrays(LINE),
        conv(1, padding=2, dilation=2, groups=3),
    ),
    case(
        "Conv2d",
        lambda: nn.Conv2d(4, 6, 3, has_bias=True),
        arrays(IMAGE),
        conv(2, padding=1),
        names=["weight", "bias"],
    ),
    case("Conv2d even", lambda: nn.Conv2d(4, 2, 2), arrays(IMAGE), padded(2, (0, 1, 0, 1))),
    case(
        "Conv2d stride",
        lambda: nn.Conv2d(4, 2, 3, stride=2),
        arrays(IMAGE),
        padded(2, (0, 1, 1, 1), stride=2),
    ),
    case(
        "Conv2d 1x1 stride",
        lambda: nn.Conv2d(4, 2, 1, stride=2),
        arrays(IMAGE),
        conv(2, stride=2),
    ),
    case(
        "Conv2d valid",
        lambda: nn.Conv2d(4, 2, (3, 2), stride=(2, 1), pad_mode="valid", group=2),
        arrays(IMAGE),
        conv(2, stride=(2, 1), groups=2),
    ),
    case(
        "Conv2d four sides",
        lambda: nn.Conv2d(4, 2, 3, pad_mode="pad", padding=(1, 0, 2, 3), dilation=(2, 1)),
        arrays(IMAGE),
        padded(2, (2, 3, 1, 0), dilation=(2, 1)),
    ),
    case(
        "Conv2d NHWC",
        lambda: nn.Conv2d(4, 2, 3, data_format="NHWC", has_bias=True),
        arrays((2, 5, 6, 4)),
        lambda p, x: F.conv2d(
            x.movedim(-1, 1), p["weight"].movedim(-1, 1), p["bias"], padding=1
        ).movedim(1, -1),
    ),
    case("Conv3d", lambda: nn.Conv3d(2, 3, 3), arrays(VOLUME), conv(3, padding=1)),
    case(
        "Conv3d even",
        lambda: nn.Conv3d(2, 2, 2, stride=2, has_bias=True, group=2),
        arrays(VOLUME),
        padded(3, (0, 1, 0, 0, 0, 1), stride=2, groups=2),
    ),
    case(
        "Conv1dTranspose",
        lambda: nn.Conv1dTranspose(3, 2, 4, stride=2, has_bias=True),
        arrays(LINE),
        transposed(1, stride=2, padding=1),
    ),
    case(
        "Conv2dTranspose",
        lambda: nn.Conv2dTranspose(4, 2, 3, has_bias=True),
        arrays(IMAGE),
        transposed(2, padding=1),
        names=["weight", "bias"],
    ),
    case(
        "Conv2dTranspose odd crop",
        lambda: nn.Conv2dTranspose(4, 2, 3, stride=2, group=2),
        arrays(IMAGE),
        lambda p, x: F.conv_transpose2d(x, p["weight"], stride=2, groups=2)[:, :, :-1, :-1],
    ),
    case(
        "Conv2dTranspose small kernel",
        lambda: nn.Conv2dTranspose(4, 2, 2, stride=3, pad_mode="valid"),
        arrays(IMAGE),
        transposed(2, stride=3, output_padding=1),
    ),
    case(
        "Conv2dTranspose pad",
        lambda: nn.Conv2dTranspose(
            4, 2, 3, stride=2, pad_mode="pad", padding=1, output_padding=1, dilation=2
        ),
        arrays(IMAGE),
        transposed(2, stride=2, padding=1, output_padding=1, dilation=2),
    ),
    case(
        "Conv2dTranspose four sides",
        lambda: nn.Conv2dTranspose(4, 2, 3, pad_mode="pad", padding=(2, 0, 0, 1)),
        arrays(IMAGE),
        lambda p, x: F.conv_transpose2d(x, p["weight"])[:, :, 2:, :-1],
    ),
    case(
        "Conv3dTranspose",
        lambda: nn.Conv3dTranspose(2, 2, 2, stride=2, pad_mode="valid", has_bias=True),
        arrays(VOLUME),
        transposed(3, stride=2),
    ),
]

DENSE = [
    case(
        "Dense",
        lambda: nn.Dense(3, 4),
        arrays((2, 3)),
        lambda p, x: F.linear(x, p["weight"], p["bias"]),
        names=["weight", "bias"],
        text="Dense(input_channels=3, output_channels=4, has_bias=True)",
    ),
    case(
        "Dense activation",
        lambda: nn.Dense(3, 4, has_bias=False, activation="tanh"),
        arrays((2, 5, 3)),
        lambda p, x: torch.tanh(F.linear(x, p["weight"])),
        names=["weight"],
    ),
    case(
        "Linear",
        lambda: nn.Linear(3, 4),
        arrays((2, 3)),
        lambda p, x: F.linear(x, p["weight"], p["bias"]),
        text="Linear(input_features=3, output_features=4, has_bias=True)",
    ),
    case(
        "BiDense",
        lambda: nn.BiDense(3, 2, 4),
        arrays((2, 3), (2, 2)),
        lambda p, x, y: F.bilinear(x, y, p["weight"], p["bias"]),
        names=["weight", "bias"],
    ),
    case(
        "DenseBnAct",
        lambda: nn.DenseBnAct(3, 4, has_bn=True, activation="sigmoid"),
        arrays((5, 3)),
        names=[
            "dense.weight",
            "dense.bias",
            "batchnorm.moving_mean",
            "batchnorm.moving_variance",
            "batchnorm.gamma",
            "batchnorm.beta",
        ],
    ),
    case(
        "Conv2dBnAct",
        lambda: nn.Conv2dBnAct(4, 2, 3, has_bn=True, activation="sigmoid"),
        arrays(IMAGE),
    ),
    case(
        "Embedding",
        lambda: nn.Embedding(5, 3),
        (np.array([[0, 4, 4], [2, 1, 0]]),),
        lambda p, x: F.embedding(x, p["embedding_table"]),
        names=["embedding_table"],
    ),
    case(
        "Embedding one-hot",
        lambda: nn.Embedding(5, 3, use_one_hot=True, padding_idx=2),
        (np.array([[0, 4, 4], [2, 1, 0]]),),
        lambda p, x: F.one_hot(x, 5).double() @ p["embedding_table"],
    ),
    case(
        "EmbeddingExt",
        lambda: nn.EmbeddingExt(5, 3, padding_idx=-2),
        (np.array([[0, 4, 4], [2, 1, 3]]),),
        lambda p, x: F.embedding(x, p["weight"], 3),
        gradient=False,  # the padding row has a slope, but gets no gradient
    ),
    case(
        "EmbeddingLookup",
        lambda: nn.EmbeddingLookup(5, 3, max_norm=0.01),
        (np.array([[0, 4, 4], [2, 1, 0]]),),
        lambda p, x: (
            torch.nn.functional.normalize(F.embedding(x, p["embedding_table"]), dim=-1)
            * F.embedding(x, p["embedding_table"]).norm(dim=-1, keepdim=True).clamp(max=0.01)
        ),
    ),
    case(
        "MultiFieldEmbeddingLookup",
        lambda: nn.MultiFieldEmbeddingLookup(6, 2, 3),
        (
            np.array([[0, 4, 4], [2, 1, 0]]),
            arrays((2, 3))[0],
            np.array([[0, 2, 2], [1, 1, 0]]),
        ),
        lambda p, i, v, f: torch.einsum(
            "nkf,nkd->nfd",
            F.one_hot(f, 3).double(),
            F.embedding(i, p["embedding_table"]) * v[..., None],
        ),
    ),
]


def batch_norm(p: Any, x: Any, prefix: str = "", **options: Any) -> Any:
    return F.batch_norm(
        x,
        p[f"{prefix}moving_mean"].clone(),
        p[f"{prefix}moving_variance"].clone(),
        p[f"{prefix}gamma"],
        p[f"{prefix}beta"],
        **options,
    )


NORMS = [
    case(
        "BatchNorm1d",
        lambda: nn.BatchNorm1d(3, gamma_init="normal", moving_mean_init="uniform"),
        arrays((4, 3)),
        batch_norm,
        names=["mean", "variance", "gamma", "beta"],
    ),
    case("BatchNorm1d line", lambda: nn.BatchNorm1d(3), arrays(LINE), batch_norm),
    case(
        "BatchNorm2d",
        lambda: nn.BatchNorm2d(4, eps=1e-2, beta_init="normal"),
        arrays(IMAGE),
        lambda p, x: batch_norm(p, x, eps=1e-2),
    ),
    case("BatchNorm2d frozen", lambda: nn.BatchNorm2d(4, affine=False), arrays(IMAGE), batch_norm),
    case(
        "BatchNorm2d NHWC",
        lambda: nn.BatchNorm2d(4, data_format="NHWC"),
        arrays((2, 5, 6, 4)),
        lambda p, x: batch_norm(p, x.movedim(-1, 1)).movedim(1, -1),
    ),
    case(
        "BatchNorm2d own batch",
        lambda: nn.BatchNorm2d(4, use_batch_statistics=True),
        arrays(IMAGE),
        lambda p, x: batch_norm(p, x, training=True),
        empty=False,
    ),
    case(
        "BatchNorm3d",
        lambda: nn.BatchNorm3d(2),
        arrays(VOLUME),
        lambda p, x: batch_norm(p, x, "bn2d."),
        names=["bn2d.moving_mean", "bn2d.moving_variance", "bn2d.gamma", "bn2d.beta"],
    ),
    case("SyncBatchNorm", lambda: nn.SyncBatchNorm(4), arrays(IMAGE), batch_norm),
    case(
        "LayerNorm",
        lambda: nn.LayerNorm((6,), gamma_init="normal"),
        arrays(IMAGE),
        lambda p, x: F.layer_norm(x, (6,), p["gamma"], p["beta"], 1e-7),
        names=["gamma", "beta"],
    ),
    case(
        "LayerNorm axes",
        lambda: nn.LayerNorm([5, 6], 2, 2, epsilon=1e-3),
        arrays(IMAGE),
        lambda p, x: F.layer_norm(x, (5, 6), p["gamma"], p["beta"], 1e-3),
    ),
    case(
        "LayerNorm other axes",
        lambda: nn.LayerNorm((6,), begin_norm_axis=1),
        arrays(IMAGE),
        lambda p, x: F.layer_norm(x, (4, 5, 6), eps=1e-7) * p["gamma"] + p["beta"],
    ),
    case(
        "LayerNormExt",
        lambda: nn.LayerNormExt((5, 6)),
        arrays(IMAGE),
        lambda p, x: F.layer_norm(x, (5, 6), p["weight"], p["bias"]),
    ),
    case(
        "GroupNorm",
        lambda: nn.GroupNorm(2, 4, gamma_init="normal"),
        arrays(IMAGE),
        lambda p, x: F.group_norm(x, 2, p["gamma"], p["beta"]),
        text="GroupNorm(num_groups=2, num_channels=4)",
    ),
    case(
        "InstanceNorm1d",
        lambda: nn.InstanceNorm1d(3),
        arrays(LINE),
        lambda p, x: F.instance_norm(x, weight=p["gamma"], bias=p["beta"]),
        names=["mean", "variance", "gamma", "beta"],
    ),
    case(
        "InstanceNorm2d",
        lambda: nn.InstanceNorm2d(4, affine=False),
        arrays(IMAGE),
        lambda p, x: F.instance_norm(x, weight=p["gamma"], bias=p["beta"]),
    ),
    case(
        "InstanceNorm3d",
        lambda: nn.InstanceNorm3d(2),
        arrays(VOLUME),
        lambda p, x: F.instance_norm(x, weight=p["gamma"], bias=p["beta"]),
    ),
    case(
        "LRN",
        lambda: nn.LRN(1, 2.0, 0.5, 0.75),
        arrays(IMAGE),
        lambda p, x: F.local_response_norm(x, 3, 1.5, 0.75, 2.0),
    ),
]

POOLS = [
    case(
        "MaxPool1d", lambda: nn.MaxPool1d(3, 2), distinct(*LINE), lambda p, x: F.max_pool1d(x, 3, 2)
    ),
    case(
        "MaxPool2d default",
        lambda: nn.MaxPool2d(2),
        distinct(*IMAGE),
        lambda p, x: F.max_pool2d(x, 2, 1),
    ),
    case(
        "MaxPool2d same",
        lambda: nn.MaxPool2d(2, 2, "same"),
        distinct(*IMAGE),
        lambda p, x: F.max_pool2d(F.pad(x, (0, 0, 0, 1), value=-float("inf")), 2, 2),
        text="MaxPool2d(kernel_size=2, stride=2, pad_mode=SAME)",
    ),
    case(
        "MaxPool2d pad",
        lambda: nn.MaxPool2d((3, 2), 2, "pad", padding=1, dilation=1, ceil_mode=True),
        distinct(*IMAGE),
        lambda p, x: F.max_pool2d(x, (3, 2), 2, 1, 1, True),
    ),
    case(
        "MaxPool2d indices",
        lambda: nn.MaxPool2d(2, 2, "pad", return_indices=True),
        distinct(*IMAGE),
        lambda p, x: F.max_pool2d(x, 2, 2, return_indices=True),
    ),
    case(
        "MaxPool2d NHWC",
        lambda: nn.MaxPool2d(2, data_format="NHWC"),
        distinct(2, 5, 6, 4),
        lambda p, x: F.max_pool2d(x.movedim(-1, 1), 2, 1).movedim(1, -1),
    ),
    case(
        "MaxPool3d", lambda: nn.MaxPool3d(2), distinct(*VOLUME), lambda p, x: F.max_pool3d(x, 2, 1)
    ),
    case(
        "MaxPool2dExt",
        lambda: nn.MaxPool2dExt(2),
        distinct(*IMAGE),
        lambda p, x: F.max_pool2d(x, 2),
    ),
    case("AvgPool1d", lambda: nn.AvgPool1d(3, 2), arrays(LINE), lambda p, x: F.avg_pool1d(x, 3, 2)),
    case(
        "AvgPool2d same",
        lambda: nn.AvgPool2d(3, 1, "same"),
        arrays(IMAGE),
        lambda p, x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False),
    ),
    case(
        "AvgPool2d same even",
        lambda: nn.AvgPool2d(2, 2, "same"),
        arrays(IMAGE),
        lambda p, x: F.avg_pool2d(x, 2, 2, ceil_mode=True, count_include_pad=False),
    ),
    case(
        "AvgPool2d pad",
        lambda: nn.AvgPool2d(3, 2, "pad", padding=1, count_include_pad=False, divisor_override=4),
        arrays(IMAGE),
        lambda p, x: F.avg_pool2d(x, 3, 2, 1, False, False, 4),
    ),
    case("AvgPool3d", lambda: nn.AvgPool3d(2), arrays(VOLUME), lambda p, x: F.avg_pool3d(x, 2, 1)),
    case(
        "AvgPool3d same",
        lambda: nn.AvgPool3d(2, 2, "same", count_include_pad=False),
        arrays(VOLUME),
        lambda p, x: F.avg_pool3d(x, 2, 2, 0, True, False),
    ),
    case("AvgPool1dExt", lambda: nn.AvgPool1dExt(2), arrays(LINE), lambda p, x: F.avg_pool1d(x, 2)),
    case(
        "AvgPool2dExt", lambda: nn.AvgPool2dExt(2), arrays(IMAGE), lambda p, x: F.avg_pool2d(x, 2)
    ),
    case(
        "AvgPool3dExt", lambda: nn.AvgPool3dExt(2), arrays(VOLUME), lambda p, x: F.avg_pool3d(x, 2)
    ),
    case(
        "AdaptiveAvgPool1d",
        lambda: nn.AdaptiveAvgPool1d(3),
        arrays(LINE),
        lambda p, x: F.adaptive_avg_pool1d(x, 3),
    ),
    case(
        "AdaptiveAvgPool2d",
        lambda: nn.AdaptiveAvgPool2d((None, 4)),
        arrays(IMAGE),
        lambda p, x: F.adaptive_avg_pool2d(x, (None, 4)),
    ),
    case(
        "AdaptiveAvgPool3d",
        lambda: nn.AdaptiveAvgPool3d(2),
        arrays(VOLUME),
        lambda p, x: F.adaptive_avg_pool3d(x, 2),
    ),
    case(
        "AdaptiveMaxPool1d",
        lambda: nn.AdaptiveMaxPool1d(3),
        distinct(*LINE),
        lambda p, x: F.adaptive_max_pool1d(x, 3),
    ),
    case(
        "AdaptiveMaxPool2d",
        lambda: nn.AdaptiveMaxPool2d((3, 2), return_indices=True),
        distinct(*IMAGE),
        lambda p, x: F.adaptive_max_pool2d(x, (3, 2), return_indices=True),
    ),
    case(
        "AdaptiveMaxPool3d",
        lambda: nn.AdaptiveMaxPool3d(2),
        distinct(*VOLUME),
        lambda p, x: F.adaptive_max_pool3d(x, 2),
    ),
    case("LPPool1d", lambda: nn.LPPool1d(3, 2), positive(*LINE), lambda p, x: F.lp_pool1d(x, 3, 2)),
    case(
        "LPPool2d",
        lambda: nn.LPPool2d(2, 2, 1, ceil_mode=True),
        positive(*IMAGE),
        lambda p, x: F.lp_pool2d(x, 2, 2, 1, True),
    ),
    case(
        "MaxUnpool2d",
        lambda: nn.MaxUnpool2d(2),
        (arrays((1, 2, 1, 2))[0], np.array([[[[1, 7]], [[0, 6]]]])),
        lambda p, x, i: F.max_unpool2d(x, i, 2),
    ),
    case(
        "MaxUnpool1d",
        lambda: nn.MaxUnpool1d(2),
        (arrays((1, 2, 2))[0], np.array([[[1, 3], [0, 2]]])),
        lambda p, x, i: F.max_unpool1d(x, i, 2),
    ),
    case(
        "MaxUnpool3d",
        lambda: nn.MaxUnpool3d(2),
        (arrays((1, 1, 1, 1, 2))[0], np.array([[[[[1, 7]]]]])),
        lambda p, x, i: F.max_unpool3d(x, i, 2),
    ),
    case(
        "FractionalMaxPool2d",
        lambda: nn.FractionalMaxPool2d(2, output_size=3),
        distinct(2, 3, 7, 7),
        gradient=False,  # every call draws other windows
        half="refuses",  # rounded samples are other windows
    ),
    case(
        "FractionalMaxPool3d",
        lambda: nn.FractionalMaxPool3d(2, output_ratio=0.5),
        distinct(2, 1, 5, 5, 5),
        gradient=False,  # every call draws other windows
        half="refuses",  # torch has no such kernel for half types on CPU
    ),
]

POINTS = near_zero(2, 3, 4)
ACTIVATIONS = [
    case("ReLU", nn.ReLU, POINTS, lambda p, x: F.relu(x), text="ReLU()"),
    case("ReLU6", nn.ReLU6, (POINTS[0] * 3,), lambda p, x: F.relu6(x)),
    case("LeakyReLU", nn.LeakyReLU, POINTS, lambda p, x: F.leaky_relu(x, 0.2)),
    case(
        "RReLU",
        lambda: nn.RReLU(0.3, 0.3),
        POINTS,
        lambda p, x: torch.where(x >= 0, x, x * float(np.float32(0.3))),
    ),
    case(
        "PReLU",
        lambda: nn.PReLU(3, [0.1, 0.2, 0.3]),
        POINTS,
        lambda p, x: F.prelu(x, p["w"]),
        names=["a"],
    ),
    case("PReLUExt", nn.PReLUExt, POINTS, lambda p, x: F.prelu(x, p["weight"]), names=["weight"]),
    case("ELU", lambda: nn.ELU(1.5), POINTS, lambda p, x: F.elu(x, 1.5)),
    case("CELU", lambda: nn.CELU(2.0), POINTS, lambda p, x: F.celu(x, 2.0)),
    case("SeLU", nn.SeLU, POINTS, lambda p, x: F.selu(x)),
    case("GELU", nn.GELU, POINTS, lambda p, x: F.gelu(x, approximate="tanh")),
    case("GELU exact", lambda: nn.GELU(False), POINTS, lambda p, x: F.gelu(x)),
    case("FastGelu", nn.FastGelu, POINTS, lambda p, x: x * torch.sigmoid(1.702 * x)),
    case("SiLU", nn.SiLU, POINTS, lambda p, x: F.silu(x)),
    case("Mish", nn.Mish, POINTS, lambda p, x: F.mish(x)),
    case("HSwish", nn.HSwish, POINTS, lambda p, x: F.hardswish(x)),
    case("HSigmoid", nn.HSigmoid, POINTS, lambda p, x: F.hardsigmoid(x)),
    case("Sigmoid", nn.Sigmoid, POINTS, lambda p, x: torch.sigmoid(x)),
    case("LogSigmoid", nn.LogSigmoid, POINTS, lambda p, x: F.logsigmoid(x)),
    case("Tanh", nn.Tanh, POINTS, lambda p, x: torch.tanh(x)),
    case("Tanhshrink", nn.Tanhshrink, POINTS, lambda p, x: F.tanhshrink(x)),
    case("Hardtanh", lambda: nn.Hardtanh(-1.0, 0.7), POINTS, lambda p, x: F.hardtanh(x, -1.0, 0.7)),
    case("HShrink", lambda: nn.HShrink(0.4), POINTS, lambda p, x: F.hardshrink(x, 0.4)),
    case("SoftShrink", nn.SoftShrink, POINTS, lambda p, x: F.softshrink(x)),
    case("Softsign", nn.Softsign, POINTS, lambda p, x: F.softsign(x)),
    case(
        "Threshold", lambda: nn.Threshold(0.1, -2.0), POINTS, lambda p, x: F.threshold(x, 0.1, -2)
    ),
    case("GLU", nn.GLU, POINTS, lambda p, x: F.glu(x, -1)),
    case("Softmax", nn.Softmax, POINTS, lambda p, x: F.softmax(x, -1)),
    case(
        "Softmax axes",
        lambda: nn.Softmax((1, 2)),
        POINTS,
        lambda p, x: F.softmax(x.flatten(1), -1).view(x.shape),
    ),
    case("LogSoftmax", lambda: nn.LogSoftmax(1), POINTS, lambda p, x: F.log_softmax(x, 1)),
    case("LogSoftmaxExt", nn.LogSoftmaxExt, (POINTS[0][0],), lambda p, x: F.log_softmax(x, 1)),
    case("Softmin", nn.Softmin, POINTS, lambda p, x: F.softmin(x, -1)),
    case("Softmax2d", nn.Softmax2d, arrays(IMAGE), lambda p, x: F.softmax(x, 1)),
]

DROPOUTS = [
    case("Dropout", lambda: nn.Dropout(p=0.4), arrays(IMAGE), lambda p, x: x, half="moves"),
    case("Dropout1d", lambda: nn.Dropout1d(0.4), arrays(LINE), lambda p, x: x, half="moves"),
    case("Dropout2d", lambda: nn.Dropout2d(0.4), arrays(IMAGE), lambda p, x: x, half="moves"),
    case("Dropout3d", lambda: nn.Dropout3d(0.4), arrays(VOLUME), lambda p, x: x, half="moves"),
    case("DropoutExt", lambda: nn.DropoutExt(0.4), arrays(IMAGE), lambda p, x: x, half="moves"),
    case("Dropout2dExt", lambda: nn.Dropout2dExt(0.4), arrays(IMAGE), lambda p, x: x, half="moves"),
]

SHAPES = [
    case("Flatten", nn.Flatten, arrays(IMAGE), lambda p, x: x.flatten(1), empty=False),
    case("Identity", lambda: nn.Identity(1, a=2), arrays(IMAGE), lambda p, x: x, half="moves"),
    case(
        "Unflatten",
        lambda: nn.Unflatten(-1, (2, -1)),
        arrays(IMAGE),
        lambda p, x: x.unflatten(-1, (2, 3)),
        half="moves",
        empty=False,
    ),
    case("Tril", nn.Tril, arrays((3, 3)), lambda p, x: x.tril(), empty=False),
    case("Triu", nn.Triu, arrays((3, 3)), lambda p, x: x.triu(), empty=False),
    case(
        "Roll",
        lambda: nn.Roll((1, -2), (1, 2)),
        arrays(LINE),
        lambda p, x: x.roll((1, -2), (1, 2)),
    ),
    case(
        "Pad",
        lambda: nn.Pad(((0, 0), (1, 2), (0, 3))),
        arrays(LINE),
        lambda p, x: F.pad(x, (0, 3, 1, 2)),
    ),
    case(
        "Pad reflect",
        lambda: nn.Pad(((0, 0), (0, 0), (3, 1)), "REFLECT"),
        arrays(LINE),
        lambda p, x: F.pad(x, (3, 1), "reflect"),
    ),
    case(
        "ZeroPad2d",
        lambda: nn.ZeroPad2d((1, 2, 0, -1)),
        arrays(IMAGE),
        lambda p, x: F.pad(x, (1, 2, 0, -1)),
    ),
    case(
        "ConstantPad1d",
        lambda: nn.ConstantPad1d(2, 0.5),
        arrays(LINE),
        lambda p, x: F.pad(x, (2, 2), value=0.5),
    ),
    case(
        "ConstantPad2d",
        lambda: nn.ConstantPad2d(2, 0.5),
        arrays(IMAGE),
        lambda p, x: F.pad(x, (2, 2, 2, 2), value=0.5),
    ),
    case(
        "ConstantPad3d",
        lambda: nn.ConstantPad3d(1, 0.5),
        arrays(VOLUME),
        lambda p, x: F.pad(x, (1,) * 6, value=0.5),
    ),
    case(
        "ReflectionPad1d",
        lambda: nn.ReflectionPad1d((2, 1)),
        arrays(LINE),
        lambda p, x: F.pad(x, (2, 1), "reflect"),
    ),
    case(
        "ReflectionPad2d",
        lambda: nn.ReflectionPad2d((2, 1, 0, 1)),
        arrays(IMAGE),
        lambda p, x: F.pad(x, (2, 1, 0, 1), "reflect"),
    ),
    case(
        "ReflectionPad3d",
        lambda: nn.ReflectionPad3d(1),
        arrays(VOLUME),
        lambda p, x: F.pad(x, (1,) * 6, "reflect"),
    ),
    case(
        "ReplicationPad1d",
        lambda: nn.ReplicationPad1d((2, 1)),
        arrays(LINE),
        lambda p, x: F.pad(x, (2, 1), "replicate"),
    ),
    case(
        "ReplicationPad2d",
        lambda: nn.ReplicationPad2d((2, 1, 0, 1)),
        arrays(IMAGE),
        lambda p, x: F.pad(x, (2, 1, 0, 1), "replicate"),
    ),
    case(
        "ReplicationPad3d",
        lambda: nn.ReplicationPad3d(1),
        arrays(VOLUME),
        lambda p, x: F.pad(x, (1,) * 6, "replicate"),
    ),
    case(
        "Upsample nearest",
        lambda: nn.Upsample(size=(7, 8)),
        arrays(IMAGE),
        lambda p, x: F.interpolate(x, (7, 8)),
        empty=False,
    ),
    case(
        "Upsample bilinear",
        lambda: nn.Upsample(
            scale_factor=1.5, mode="bilinear", align_corners=True, recompute_scale_factor=True
        ),
        arrays(IMAGE),
        lambda p, x: F.interpolate(x, (7, 9), mode="bilinear", align_corners=True),
        empty=False,
    ),
    case(
        "PixelShuffle",
        lambda: nn.PixelShuffle(2),
        arrays(IMAGE),
        lambda p, x: F.pixel_shuffle(x, 2),
        half="moves",
    ),
    case(
        "PixelUnshuffle",
        lambda: nn.PixelUnshuffle(2),
        arrays((2, 1, 4, 6)),
        lambda p, x: F.pixel_unshuffle(x, 2),
        half="moves",
    ),
    case(
        "ChannelShuffle",
        lambda: nn.ChannelShuffle(2),
        arrays(IMAGE),
        lambda p, x: F.channel_shuffle(x, 2),
        empty=False,
    ),
    case(
        "Unfold",
        lambda: nn.Unfold([1, 2, 3, 1], [1, 1, 2, 1], [1, 2, 1, 1]),
        arrays(IMAGE),
        lambda p, x: (
            F.unfold(x, (2, 3), dilation=(2, 1), stride=(1, 2))
            .view(2, 4, 6, 3, 2)
            .transpose(1, 2)
            .flatten(1, 2)
        ),
        empty=False,
    ),
    case(
        "CentralCrop",
        lambda: nn.CentralCrop(0.5),
        arrays(IMAGE),
        lambda p, x: x[..., 1:-1, 1:-1],
        half="moves",
    ),
    case(
        "ImageGradients",
        nn.ImageGradients,
        arrays(IMAGE),
        lambda p, x: (
            F.pad(x[:, :, 1:] - x[:, :, :-1], (0, 0, 0, 1)),
            F.pad(x[..., 1:] - x[..., :-1], (0, 1)),
        ),
    ),
    case(
        "TimeDistributed joined",
        lambda: nn.TimeDistributed(nn.Dense(7, 2), time_axis=1, reshape_with_axis=0),
        arrays(LINE),
        lambda p, x: F.linear(x, p["layer.weight"], p["layer.bias"]),
        names=["layer.weight", "layer.bias"],
        empty=False,
    ),
    case(
        "TimeDistributed steps",
        lambda: nn.TimeDistributed(nn.Dense(7, 2), time_axis=1),
        arrays(LINE),
        lambda p, x: F.linear(x, p["layer.weight"], p["layer.bias"]),
    ),
    case(
        "SequentialCell",
        lambda: nn.SequentialCell(nn.Dense(7, 3), nn.Sigmoid(), nn.Dense(3, 2)),
        arrays(LINE),
        lambda p, x: F.linear(
            torch.sigmoid(F.linear(x, p["0.weight"], p["0.bias"])), p["2.weight"], p["2.bias"]
        ),
        names=["0.weight", "0.bias", "2.weight", "2.bias"],
    ),
]

MEASURES = [
    case("Norm", lambda: nn.Norm(axis=1), arrays(LINE), lambda p, x: x.norm(dim=1)),
    case(
        "L1Regularizer",
        lambda: nn.L1Regularizer(0.1),
        near_zero(2, 3),
        lambda p, x: x.abs().sum() * 0.1,
        empty=False,
    ),
    case(
        "ClipByNorm",
        lambda: nn.ClipByNorm(axis=1),
        (arrays((3, 4))[0], np.array(0.5)),
        lambda p, x, c: x * c / torch.maximum(x.norm(dim=1, keepdim=True), c),
        empty=False,
    ),
    case(
        "ReduceLogSumExp",
        lambda: nn.ReduceLogSumExp((1, 2)),
        arrays(LINE),
        lambda p, x: x.logsumexp((1, 2)),
    ),
    case(
        "Moments",
        lambda: nn.Moments(1),
        arrays(LINE),
        lambda p, x: (x.mean(1), x.var(1, correction=0)),
    ),
    case(
        "MatMul",
        lambda: nn.MatMul(transpose_x2=True),
        arrays((2, 3), (4, 3)),
        lambda p, x, y: x @ y.T,
        empty=False,
    ),
    case(
        "SSIM",
        lambda: nn.SSIM(filter_size=3),
        tuple(np.abs(a) / 4 for a in arrays((2, 1, 6, 6), (2, 1, 6, 6))),
        empty=False,
        half="refuses",  # differences of squares lose all digits there
    ),
    case(
        "MSSSIM",
        lambda: nn.MSSSIM(filter_size=3, power_factors=(0.4, 0.6)),
        (np.abs(arrays((2, 1, 8, 8))[0]) / 4, np.abs(arrays((2, 1, 8, 8))[0]) / 5),
        empty=False,
        half="refuses",  # differences of squares lose all digits there
    ),
    case(
        "PSNR",
        nn.PSNR,
        tuple(np.abs(a) / 4 for a in arrays((2, 1, 6, 6), (2, 1, 6, 6))),
        lambda p, x, y: 10 * torch.log10(1 / (x - y).square().mean((1, 2, 3))),
    ),
]

ALL = [
    *CONVOLUTIONS,
    *DENSE,
    *NORMS,
    *POOLS,
    *ACTIVATIONS,
    *DROPOUTS,
    *SHAPES,
    *MEASURES,
]


@pytest.mark.parametrize(("make", "inputs", "twin", "options"), ALL)
def test_battery(make, inputs, twin, options):
    battery(make, inputs, twin, **options)


@pytest.mark.parametrize(
    ("make", "inputs", "twin"),
    [
        pytest.param(lambda: nn.BatchNorm1d(3), arrays((4, 3)), "", id="BatchNorm1d"),
        pytest.param(lambda: nn.BatchNorm2d(4, 1e-3, 0.7), arrays(IMAGE), "", id="BatchNorm2d"),
        pytest.param(lambda: nn.BatchNorm3d(2), arrays(VOLUME), "bn2d.", id="BatchNorm3d"),
    ],
)
def test_batch_norm_in_training(make, inputs, twin):
    eps = 1e-3 if twin == "" and inputs[0].ndim == 4 else 1e-5
    check_parity(
        make, inputs, lambda p, x: batch_norm(p, x, twin, training=True, eps=eps), train=True
    )
    check_gradient(make, inputs, train=True)


def test_every_layer_is_in_the_battery():
    elsewhere = {
        # other files test them
        "CellDict", "CellList", "GRU", "GRUCell", "LSTM", "LSTMCell", "MultiheadAttention", "RNN",
        "RNNCell", "Transformer", "TransformerDecoder", "TransformerDecoderLayer",
        "TransformerEncoder", "TransformerEncoderLayer",
        # layers that collect for an optimizer while they train: tests/optim/test_thor.py
        "Conv2dThor", "DenseThor", "EmbeddingLookupThor", "EmbeddingThor",
        # no floating output, no input, or inputs of a special kind: test_layer_options.py
        "CosineSimilarity", "DiGamma", "IGamma", "LBeta", "LGamma", "MatDet", "MatInverse",
        "MatrixDiag", "MatrixDiagPart", "MatrixSetDiag", "OneHot", "Range",
    }  # fmt: skip
    tested = {p.id.split()[0] for p in ALL}
    layers = {
        name
        for name in dir(nn.layer)
        if isinstance(getattr(nn.layer, name), type)
        and getattr(nn.layer, name).__module__.startswith("agar.nn.layer.")
    }
    assert layers - tested - elsewhere == set()
