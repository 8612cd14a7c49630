"""Mixed precision: levels, lists, and scales of the loss."""

from agar._core.jit import jit as jit
from agar._core.jit import jit_class as jit_class
from agar._core.jit import mutable as mutable
from agar._core.parameter import Parameter as Parameter
from agar._core.tensor import Tensor as Tensor
from agar.nn._amp import auto_mixed_precision as auto_mixed_precision
from agar.nn._amp import build_train_network as build_train_network
from agar.nn._amp import custom_mixed_precision as custom_mixed_precision
from agar.nn._amp import get_black_list as get_black_list
from agar.nn._amp import get_white_list as get_white_list
from agar.nn._loss_scale import DynamicLossScaleManager as DynamicLossScaleManager
from agar.nn._loss_scale import DynamicLossScaler as DynamicLossScaler
from agar.nn._loss_scale import FixedLossScaleManager as FixedLossScaleManager
from agar.nn._loss_scale import LossScaleManager as LossScaleManager
from agar.nn._loss_scale import LossScaler as LossScaler
from agar.nn._loss_scale import StaticLossScaler as StaticLossScaler
from agar.nn._loss_scale import _grad_scale_map as _grad_scale_map
from agar.nn._loss_scale import _grad_unscale_map as _grad_unscale_map
from agar.nn._loss_scale import all_finite as all_finite
from agar.nn._loss_scale import init_status as init_status
from agar.nn._npu import NPUClearFloatStatusV2 as NPUClearFloatStatusV2
from agar.nn._npu import NPUGetFloatStatusV2 as NPUGetFloatStatusV2
from agar.ops import constexpr as constexpr

__all__ = [
    "DynamicLossScaleManager",
    "DynamicLossScaler",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaler",
    "NPUClearFloatStatusV2",
    "NPUGetFloatStatusV2",
    "StaticLossScaler",
    "all_finite",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
    "init_status",
]
