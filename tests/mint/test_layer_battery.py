"""Every layer of ``mint.nn`` through the battery; its twin is torch's class of the same name.

The twin is made with the same arguments and called with the layer's parameters by their names, so
a parameter that torch's class does not have, or calls otherwise, fails.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import mint
from nn.battery import arrays, battery

LINE = (2, 4, 7)
IMAGE = (2, 4, 5, 6)
VOLUME = (2, 2, 3, 4, 3)
WEIGHT = np.array([0.75, 1.25, 0.5, 2.0])  # exact in float32, too
PLACES = np.array([[[[0, 3], [9, 14]]]])


def twin(name: str, *args: Any, **options: Any) -> Any:
    """torch's layer in evaluation, with the parameters that it is given."""
    options = {k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}

    def apply(parameters: dict[str, Any], *inputs: Any) -> Any:
        module = getattr(torch.nn, name)(*args, **options).double().eval()
        if isinstance(module, torch.nn.modules.loss._Loss):  # the weights are constants of both
            assert not parameters
            return module(*inputs)
        assert list(parameters) == list(module.state_dict())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch has advice about kernels of even size
            return torch.func.functional_call(module, parameters, inputs, strict=True)

    return apply


def make(name: str, *args: Any, **options: Any) -> Any:
    def layer() -> Any:
        given = {
            k: ms.Tensor(v.astype(np.float32)) if isinstance(v, np.ndarray) else v
            for k, v in options.items()
        }
        return getattr(mint.nn, name)(*args, **given)

    return layer


def case(inputs: Any, name: str, *args: Any, _battery: Any = (), **options: Any) -> Any:
    """The same arguments for agar's layer and torch's; `_battery` are options of the battery."""
    text = ", ".join([*map(str, args), *(f"{k}={v}" for k, v in options.items())])
    result, theirs = make(name, *args, **options), twin(name, *args, **options)
    return pytest.param(result, inputs, theirs, dict(_battery), id=f"{name}({text})")


def near_zero(*shape: int) -> tuple[np.ndarray]:
    """Numbers on both sides of zero, none so close to a kink that a difference would cross it."""
    values = np.linspace(-3.3, 3.1, int(np.prod(shape))) + 0.0123
    return (np.random.default_rng(1).permutation(values).reshape(shape),)


def distinct(*shape: int) -> tuple[np.ndarray]:
    """Numbers far enough apart that maxima do not change places."""
    values = np.random.default_rng(2).permutation(np.arange(np.prod(shape))) * 0.11
    return (values.reshape(shape) - 2.0,)


FULL = {"empty": False}  # the first dimension is not a batch, or torch takes no empty one either
MOVED = {"half": "moves"}

ACTIVATIONS = [
    case(near_zero(4, 5), "ELU"),
    case(near_zero(4, 5), "ELU", 0.3),
    case(near_zero(4, 5), "GELU"),
    case(near_zero(4, 5), "GELU", approximate="tanh"),
    case(near_zero(4, 6), "GLU"),
    case(near_zero(4, 3, 2), "GLU", 0, _battery=FULL),
    case(near_zero(4, 5), "Hardshrink"),
    case(near_zero(4, 5), "Hardshrink", 1.0),
    case(near_zero(4, 5), "Hardsigmoid"),
    case(near_zero(4, 5), "Hardswish"),
    case(near_zero(4, 5), "Hardtanh"),
    case(near_zero(4, 5), "Hardtanh", -0.4, 2.0),
    case(near_zero(4, 5), "LogSigmoid"),
    case(near_zero(4, 5), "LogSoftmax", 1),
    case(near_zero(4, 5), "LogSoftmax", dim=0, _battery=FULL),
    case(near_zero(4, 5), "Mish"),
    case(near_zero(4, 5), "PReLU"),
    case(near_zero(*LINE), "PReLU", 4, 0.1),
    case(near_zero(4, 5), "ReLU"),
    case((near_zero(4, 5)[0] * 3,), "ReLU6"),
    case(near_zero(4, 5), "SELU"),
    case(near_zero(4, 5), "SiLU"),
    case(near_zero(4, 5), "Sigmoid"),
    case(near_zero(4, 5), "Softmax", 1),
    case(near_zero(4, 5, 3), "Softmax", dim=-1),
    case(near_zero(4, 5), "Softshrink"),
    case(near_zero(4, 5), "Softshrink", 1.2),
    case(near_zero(4, 5), "Tanh"),
    case(near_zero(4, 5), "Threshold", 0.4, 20),
]

CONVOLUTIONS = [
    case(arrays(LINE), "Conv1d", 4, 6, 3),
    case(arrays(LINE), "Conv1d", 4, 6, [3], stride=[2], padding=1, groups=2, bias=False),
    case(arrays(LINE), "Conv1d", 4, 2, 3, padding="same", dilation=2),
    case(arrays(LINE), "Conv1d", 4, 2, 2, padding="valid", padding_mode="reflect"),
    case(arrays(LINE), "Conv1d", 4, 2, 3, padding=2, padding_mode="circular"),
    case(arrays((4, 7)), "Conv1d", 4, 6, 3, _battery=FULL),
    case(arrays(IMAGE), "Conv2d", 4, 6, 3),
    case(arrays(IMAGE), "Conv2d", 4, 6, (3, 2), (2, 1), (1, 0), (1, 2), 2, False),
    case(arrays(IMAGE), "Conv2d", 4, 2, (3, 4), padding="same"),
    case(arrays(IMAGE), "Conv2d", 4, 2, (3, 4), padding="same", padding_mode="replicate"),
    case(arrays(IMAGE), "Conv2d", 4, 2, 3, 2, (1, 2), padding_mode="reflect"),
    case(arrays((4, 5, 6)), "Conv2d", 4, 6, 3, _battery=FULL),
    case(arrays(VOLUME), "Conv3d", 2, 3, 2),
    case(arrays(VOLUME), "Conv3d", 2, 4, 2, 1, (1, 0, 1), 1, 2, padding_mode="replicate"),
    case(arrays((2, 3, 4, 3)), "Conv3d", 2, 3, 2, _battery=FULL),
    case(arrays(IMAGE), "ConvTranspose2d", 4, 6, 3),
    case(arrays(IMAGE), "ConvTranspose2d", 4, 2, (3, 2), (2, 3), 1, (1, 0), 2, False),
    case(arrays(IMAGE), "ConvTranspose2d", 4, 2, 3, dilation=2),
    case(arrays((4, 5, 6)), "ConvTranspose2d", 4, 2, 3, _battery=FULL),
]

NORMALIZATIONS = [
    case(arrays((3, 4)), "BatchNorm1d", 4),
    case(arrays(LINE), "BatchNorm1d", 4, 1e-3, affine=False),
    case(arrays(IMAGE), "BatchNorm2d", 4),
    case(arrays(IMAGE), "BatchNorm2d", 4, track_running_stats=False, _battery=FULL),
    case(arrays(VOLUME), "BatchNorm3d", 2, momentum=None),
    case(arrays(LINE), "GroupNorm", 2, 4),
    case(arrays(IMAGE), "GroupNorm", 4, 4, 1e-2),
    case(arrays(LINE), "LayerNorm", 7),
    case(arrays(LINE), "LayerNorm", (4, 7), 1e-2),
    case(arrays(LINE), "LayerNorm", 7, bias=False),
    case(arrays(LINE), "LayerNorm", 7, elementwise_affine=False),
]

POOLS = [
    case(arrays(LINE), "AdaptiveAvgPool1d", 3),
    case(arrays(IMAGE), "AdaptiveAvgPool2d", 3),
    case(arrays(IMAGE), "AdaptiveAvgPool2d", (None, 2)),
    case(arrays(VOLUME), "AdaptiveAvgPool3d", (2, None, 1)),
    case(distinct(*LINE), "AdaptiveMaxPool1d", 3),
    case(distinct(*LINE), "AdaptiveMaxPool1d", 3, return_indices=True),
    case(distinct(*IMAGE), "AdaptiveMaxPool2d", (3, 2)),
    case(distinct(*IMAGE), "AdaptiveMaxPool2d", 3, return_indices=True),
    case(arrays(LINE), "AvgPool1d", 3),
    case(arrays(LINE), "AvgPool1d", 3, 2, 1, True, False),
    case(arrays(IMAGE), "AvgPool2d", 2),
    case(arrays(IMAGE), "AvgPool2d", [3, 2], [2, 2], 1, True, False, 5),
    case(arrays(VOLUME), "AvgPool3d", 2),
    case(distinct(*IMAGE), "MaxPool2d", 2),
    case(distinct(*IMAGE), "MaxPool2d", (3, 2), 2, 1, 1, True, True),
    case((arrays((1, 1, 2, 2))[0], PLACES), "MaxUnpool2d", 2),
    case((arrays((1, 1, 2, 2))[0], PLACES), "MaxUnpool2d", (2, 3), (2, 3), 0),
]

PADS = [
    case(arrays(LINE), "ConstantPad1d", 2, 0.5),
    case(arrays(LINE), "ConstantPad1d", (1, -2), 3),
    case(arrays(IMAGE), "ConstantPad2d", (1, 2, 0, -1), 0.5),
    case(arrays(VOLUME), "ConstantPad3d", (1, 2, 0, 1, 2, 0), -0.5),
    case(arrays(LINE), "ZeroPad1d", (1, 2)),
    case(arrays(IMAGE), "ZeroPad2d", 1),
    case(arrays(IMAGE), "ZeroPad2d", (1, 2, 0, -1)),
    case(arrays(VOLUME), "ZeroPad3d", (1, 2, 0, 1, 2, 0)),
    case(arrays(LINE), "ReflectionPad1d", (2, 1)),
    case(arrays(IMAGE), "ReflectionPad2d", (2, 1, 0, 1)),
    case(arrays(VOLUME), "ReflectionPad3d", 1),
    case(arrays(LINE), "ReplicationPad1d", (2, 1)),
    case(arrays(IMAGE), "ReplicationPad2d", (2, 1, 0, 1)),
    case(arrays(VOLUME), "ReplicationPad3d", 1),
]

MOVES = [
    case(arrays((2, 3, 4)), "Flatten", _battery=MOVED),
    case(arrays((2, 3, 4, 2)), "Flatten", 1, 2, _battery=MOVED),
    case(arrays((2, 12, 6)), "Fold", (3, 4), 2, _battery=FULL),
    case(arrays((2, 12, 4)), "Fold", (4, 5), 2, stride=2, _battery=FULL),
    case(arrays(IMAGE), "Unfold", (2, 3), 1, 1, 2, _battery=FULL),
    case(arrays(IMAGE), "Identity", 3, a=1, _battery=MOVED),
    case(arrays((2, 3, 8, 2, 3)), "PixelShuffle", 2, _battery=MOVED),
    case(arrays(IMAGE), "Upsample", (7, 8), _battery=FULL),
    case(arrays(IMAGE), "Upsample", scale_factor=1.7, mode="bilinear", _battery=FULL),
    case(arrays(LINE), "Upsample", 9, None, "linear", True, _battery=FULL),
    case(arrays(VOLUME), "Upsample", (4, 5, 3), mode="trilinear", _battery=FULL),
    case(arrays(IMAGE), "Upsample", (7, 8), mode="bicubic", _battery=FULL),
    case(arrays(IMAGE), "UpsamplingNearest2d", (7, 8), _battery=FULL),
    case(arrays(IMAGE), "UpsamplingNearest2d", scale_factor=(1.7, 2.0), _battery=FULL),
    case(arrays(IMAGE), "UpsamplingBilinear2d", 7, _battery=FULL),
    case(arrays(IMAGE), "UpsamplingBilinear2d", scale_factor=1.5, _battery=FULL),
]

OTHERS = [
    case(arrays((3, 4)), "Linear", 4, 5),
    case(arrays((2, 3, 4)), "Linear", 4, 5, bias=False),
    case((np.array([[0, 2], [1, 1]]),), "Embedding", 3, 4),
    # the gradient of the padding's row is zero by definition, whatever the differences say
    case((np.array([[0, 2], [1, 1]]),), "Embedding", 3, 4, 1, _battery={"gradient": False}),
    case(arrays((3, 4)), "Dropout", 0.4, _battery=MOVED),
    case(arrays(IMAGE), "Dropout2d", 0.4, _battery=MOVED),
]


@pytest.mark.parametrize(
    ("made", "inputs", "theirs", "options"),
    [
        *ACTIVATIONS,
        *CONVOLUTIONS,
        *NORMALIZATIONS,
        *POOLS,
        *PADS,
        *MOVES,
        *OTHERS,
    ],
)
def test_layer(made, inputs, theirs, options):
    battery(made, inputs, theirs, **options)


SIGNS = np.array([1.0, -1.0, 1.0])
CLASSES = np.array([1, 3, 0])
PAIR = arrays((3, 4), (3, 4))


def chances(*shape: int, seed: int = 0) -> np.ndarray:
    """Numbers between 0.1 and 0.9."""
    return np.random.default_rng(seed).uniform(0.1, 0.9, shape)


def logs(*shape: int, seed: int = 0) -> np.ndarray:
    """Logarithms of chances that sum to 1."""
    values = chances(*shape, seed=seed)
    return np.log(values / values.sum(1, keepdims=True))


ODDS = chances(3, 4), chances(3, 4, seed=1)
IMAGES = arrays((2, 4, 3, 2))[0], np.random.default_rng(4).integers(0, 4, (2, 3, 2))
LOSSES = [
    ("BCELoss", ODDS, {}),
    ("BCELoss", ODDS, {"weight": WEIGHT}),
    ("BCEWithLogitsLoss", (PAIR[0], ODDS[1]), {}),
    (
        "BCEWithLogitsLoss",
        (PAIR[0], ODDS[1]),
        {"weight": WEIGHT, "pos_weight": WEIGHT[::-1].copy()},
    ),
    ("CosineEmbeddingLoss", (*PAIR, SIGNS), {}),
    ("CosineEmbeddingLoss", (*PAIR, SIGNS), {"margin": -0.3}),
    ("CrossEntropyLoss", (PAIR[0], CLASSES), {}),
    ("CrossEntropyLoss", (PAIR[0], CLASSES), {"weight": WEIGHT, "label_smoothing": 0.2}),
    ("CrossEntropyLoss", (PAIR[0], CLASSES), {"ignore_index": 3, "weight": WEIGHT}),
    ("CrossEntropyLoss", (PAIR[0], ODDS[1]), {}),
    ("CrossEntropyLoss", (PAIR[0], ODDS[1]), {"weight": WEIGHT, "label_smoothing": 0.1}),
    ("CrossEntropyLoss", (PAIR[0][0], CLASSES[0]), {}),
    ("CrossEntropyLoss", IMAGES, {"weight": WEIGHT, "ignore_index": 2, "label_smoothing": 0.3}),
    ("L1Loss", PAIR, {}),
    ("MSELoss", PAIR, {}),
    ("NLLLoss", (logs(3, 4), CLASSES), {}),
    ("NLLLoss", (logs(3, 4), CLASSES), {"weight": WEIGHT, "ignore_index": 3}),
    ("NLLLoss", (logs(3, 4)[0], CLASSES[0]), {}),
    ("NLLLoss", IMAGES, {"weight": WEIGHT, "ignore_index": 1}),
    ("KLDivLoss", (logs(3, 4), ODDS[1]), {}),
    ("KLDivLoss", (logs(3, 4), logs(3, 4, seed=1)), {"log_target": True}),
    ("SmoothL1Loss", PAIR, {}),
    ("SmoothL1Loss", PAIR, {"beta": 0.3}),
    ("SmoothL1Loss", PAIR, {"beta": 0.0}),
]
# what these make of half types is that of every loss of nn: float32
AS_NN = ("BCELoss", "L1Loss")


def _loss_cases() -> list[Any]:
    cases = []
    for name, inputs, options in LOSSES:
        extra = ("batchmean",) if name == "KLDivLoss" else ()
        for reduction in ("mean", "sum", "none", *extra):
            options = {**options, "reduction": reduction}
            half = "refuses" if name in AS_NN else "computes"
            settings = {"half": half, "empty": False}
            cases.append(case(inputs, name, _battery=settings, **options))
    return cases


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides:UserWarning")
@pytest.mark.parametrize(("made", "inputs", "theirs", "options"), _loss_cases())
def test_loss(made, inputs, theirs, options):
    battery(made, inputs, theirs, **options)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_soft_margin_loss(reduction):
    """torch's own has no gradient by the target."""

    def theirs(_: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        values = torch.nn.functional.softplus(-x * y)
        return values if reduction == "none" else getattr(values, reduction)()

    inputs = PAIR[0], np.sign(PAIR[1])
    battery(
        make("SoftMarginLoss", reduction=reduction), inputs, theirs, half="refuses", empty=False
    )


def test_every_layer_has_a_case():
    lists = (ACTIVATIONS, CONVOLUTIONS, NORMALIZATIONS, POOLS, PADS, MOVES, OTHERS, _loss_cases())
    tried = {str(param.id).split("(")[0] for cases in lists for param in cases}
    names = {name for name in mint.nn.__all__ if isinstance(getattr(mint.nn, name), type)}
    rest = {"SoftMarginLoss", "SyncBatchNorm"}  # above, and in test_normalization.py
    assert names - tried == rest
