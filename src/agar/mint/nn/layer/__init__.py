"""The layers of ``mint.nn`` that ``nn`` does not have, or has with other arguments."""

from agar.mint.nn.layer import (
    activation,
    basic,
    conv,
    loss,
    normalization,
    padding,
    pooling,
)
from agar.mint.nn.layer.activation import LogSigmoid as LogSigmoid
from agar.mint.nn.layer.activation import SiLU as SiLU
from agar.mint.nn.layer.activation import Threshold as Threshold
from agar.mint.nn.layer.normalization import BatchNorm1d as BatchNorm1d
from agar.mint.nn.layer.normalization import BatchNorm2d as BatchNorm2d
from agar.mint.nn.layer.normalization import BatchNorm3d as BatchNorm3d
from agar.mint.nn.layer.normalization import GroupNorm as GroupNorm
from agar.mint.nn.layer.normalization import LayerNorm as LayerNorm
from agar.mint.nn.layer.normalization import SyncBatchNorm as SyncBatchNorm
from agar.mint.nn.layer.pooling import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from agar.mint.nn.layer.pooling import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from agar.mint.nn.layer.pooling import AdaptiveAvgPool3d as AdaptiveAvgPool3d
from agar.mint.nn.layer.pooling import AdaptiveMaxPool1d as AdaptiveMaxPool1d

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "GroupNorm",
    "LayerNorm",
    "LogSigmoid",
    "SiLU",
    "SyncBatchNorm",
    "Threshold",
    "activation",
    "basic",
    "conv",
    "loss",
    "normalization",
    "padding",
    "pooling",
]
