"""Loss scale managers, under MindSpore's path."""

from agar.nn._loss_scale import DynamicLossScaleManager as DynamicLossScaleManager
from agar.nn._loss_scale import FixedLossScaleManager as FixedLossScaleManager
from agar.nn._loss_scale import LossScaleManager as LossScaleManager

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]
