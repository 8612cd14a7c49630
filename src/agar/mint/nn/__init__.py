"""``mint.nn``: layers with PyTorch's names and arguments; functions in ``mint.nn.functional``.

NOTE Late classes. A class is loaded when it is first asked for. Where ``nn`` has the very layer,
it is that class itself, under PyTorch's name: ``mint.nn.LayerNorm`` is ``nn.LayerNormExt``.
"""

from __future__ import annotations

from typing import Any

from agar.mint._bindings import finder as _finder
from agar.mint._bindings import names_under as _names_under
from agar.mint.nn import functional as functional

#: The module under ``agar`` and the class of every name.
_HOMES = {
    "AdaptiveAvgPool1d": ("mint.nn.layer.pooling", "AdaptiveAvgPool1d"),
    "AdaptiveAvgPool2d": ("mint.nn.layer.pooling", "AdaptiveAvgPool2d"),
    "AdaptiveAvgPool3d": ("mint.nn.layer.pooling", "AdaptiveAvgPool3d"),
    "AdaptiveMaxPool1d": ("mint.nn.layer.pooling", "AdaptiveMaxPool1d"),
    "AdaptiveMaxPool2d": ("nn.layer.pooling", "AdaptiveMaxPool2d"),
    "AvgPool1d": ("nn.layer.pooling", "AvgPool1dExt"),
    "AvgPool2d": ("nn.layer.pooling", "AvgPool2dExt"),
    "AvgPool3d": ("nn.layer.pooling", "AvgPool3dExt"),
    "BCELoss": ("mint.nn.layer.loss", "BCELoss"),
    "BCEWithLogitsLoss": ("mint.nn.layer.loss", "BCEWithLogitsLoss"),
    "BatchNorm1d": ("mint.nn.layer.normalization", "BatchNorm1d"),
    "BatchNorm2d": ("mint.nn.layer.normalization", "BatchNorm2d"),
    "BatchNorm3d": ("mint.nn.layer.normalization", "BatchNorm3d"),
    "ConstantPad1d": ("mint.nn.layer.padding", "ConstantPad1d"),
    "ConstantPad2d": ("mint.nn.layer.padding", "ConstantPad2d"),
    "ConstantPad3d": ("mint.nn.layer.padding", "ConstantPad3d"),
    "Conv1d": ("mint.nn.layer.conv", "Conv1d"),
    "Conv2d": ("mint.nn.layer.conv", "Conv2d"),
    "Conv3d": ("mint.nn.layer.conv", "Conv3d"),
    "ConvTranspose2d": ("mint.nn.layer.conv", "ConvTranspose2d"),
    "CosineEmbeddingLoss": ("mint.nn.layer.loss", "CosineEmbeddingLoss"),
    "CrossEntropyLoss": ("mint.nn.layer.loss", "CrossEntropyLoss"),
    "Dropout": ("nn.layer.basic", "DropoutExt"),
    "Dropout2d": ("nn.layer.basic", "Dropout2dExt"),
    "ELU": ("mint.nn.layer.activation", "ELU"),
    "Embedding": ("nn.layer.embedding", "EmbeddingExt"),
    "Flatten": ("mint.nn.layer.basic", "Flatten"),
    "Fold": ("mint.nn.layer.basic", "Fold"),
    "GELU": ("mint.nn.layer.activation", "GELU"),
    "GLU": ("mint.nn.layer.activation", "GLU"),
    "GroupNorm": ("mint.nn.layer.normalization", "GroupNorm"),
    "Hardshrink": ("nn.layer.activation", "HShrink"),
    "Hardsigmoid": ("nn.layer.activation", "HSigmoid"),
    "Hardswish": ("nn.layer.activation", "HSwish"),
    "Hardtanh": ("mint.nn.layer.activation", "Hardtanh"),
    "Identity": ("nn.layer.basic", "Identity"),
    "KLDivLoss": ("mint.nn.layer.loss", "KLDivLoss"),
    "L1Loss": ("nn.loss.loss", "L1LossExt"),
    "LayerNorm": ("nn.layer.normalization", "LayerNormExt"),
    "Linear": ("nn.layer.basic", "Linear"),
    "LogSigmoid": ("mint.nn.layer.activation", "LogSigmoid"),
    "LogSoftmax": ("nn.layer.activation", "LogSoftmaxExt"),
    "MSELoss": ("mint.nn.layer.loss", "MSELoss"),
    "MaxPool2d": ("nn.layer.pooling", "MaxPool2dExt"),
    "MaxUnpool2d": ("mint.nn.layer.pooling", "MaxUnpool2d"),
    "Mish": ("mint.nn.layer.activation", "Mish"),
    "NLLLoss": ("mint.nn.layer.loss", "NLLLoss"),
    "PReLU": ("nn.layer.activation", "PReLUExt"),
    "PixelShuffle": ("mint.nn.layer.basic", "PixelShuffle"),
    "ReLU": ("nn.layer.activation", "ReLU"),
    "ReLU6": ("mint.nn.layer.activation", "ReLU6"),
    "ReflectionPad1d": ("mint.nn.layer.padding", "ReflectionPad1d"),
    "ReflectionPad2d": ("mint.nn.layer.padding", "ReflectionPad2d"),
    "ReflectionPad3d": ("mint.nn.layer.padding", "ReflectionPad3d"),
    "ReplicationPad1d": ("mint.nn.layer.padding", "ReplicationPad1d"),
    "ReplicationPad2d": ("mint.nn.layer.padding", "ReplicationPad2d"),
    "ReplicationPad3d": ("mint.nn.layer.padding", "ReplicationPad3d"),
    "SELU": ("mint.nn.layer.activation", "SELU"),
    "SiLU": ("mint.nn.layer.activation", "SiLU"),
    "Sigmoid": ("mint.nn.layer.activation", "Sigmoid"),
    "SmoothL1Loss": ("mint.nn.layer.loss", "SmoothL1Loss"),
    "SoftMarginLoss": ("nn.loss.loss", "SoftMarginLoss"),
    "Softmax": ("mint.nn.layer.activation", "SoftmaxExt"),
    "Softshrink": ("nn.layer.activation", "SoftShrink"),
    "SyncBatchNorm": ("mint.nn.layer.normalization", "SyncBatchNorm"),
    "Tanh": ("mint.nn.layer.activation", "Tanh"),
    "Threshold": ("mint.nn.layer.activation", "Threshold"),
    "Unfold": ("mint.nn.layer.basic", "UnfoldExt"),
    "Upsample": ("mint.nn.layer.basic", "UpsampleExt"),
    "UpsamplingBilinear2d": ("mint.nn.layer.basic", "UpsamplingBilinear2d"),
    "UpsamplingNearest2d": ("mint.nn.layer.basic", "UpsamplingNearest2d"),
    "ZeroPad1d": ("mint.nn.layer.padding", "ZeroPad1d"),
    "ZeroPad2d": ("mint.nn.layer.padding", "ZeroPad2d"),
    "ZeroPad3d": ("mint.nn.layer.padding", "ZeroPad3d"),
}
__all__ = sorted({"functional", *_HOMES, *_names_under("nn")})
_find = _finder("nn", globals())


def __getattr__(name: str) -> Any:
    """Load a layer, or make an operator's binding, when it is first asked for."""
    if name not in _HOMES:
        return _find(name)
    import importlib

    home, own = _HOMES[name]
    value = globals()[name] = getattr(importlib.import_module(f"agar.{home}"), own)
    return value


def __dir__() -> list[str]:
    return __all__
