"""Transforms of any data: one-hot labels, padding, slicing, types, and how transforms combine."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from agar.dataset.transforms import py_transforms_util as py_transforms_util
from agar.dataset.transforms import transforms as transforms
from agar.dataset.transforms.transforms import Compose as Compose
from agar.dataset.transforms.transforms import Concatenate as Concatenate
from agar.dataset.transforms.transforms import Duplicate as Duplicate
from agar.dataset.transforms.transforms import Fill as Fill
from agar.dataset.transforms.transforms import Mask as Mask
from agar.dataset.transforms.transforms import OneHot as OneHot
from agar.dataset.transforms.transforms import PadEnd as PadEnd
from agar.dataset.transforms.transforms import Plugin as Plugin
from agar.dataset.transforms.transforms import RandomApply as RandomApply
from agar.dataset.transforms.transforms import RandomChoice as RandomChoice
from agar.dataset.transforms.transforms import RandomOrder as RandomOrder
from agar.dataset.transforms.transforms import Relational as Relational
from agar.dataset.transforms.transforms import Slice as Slice
from agar.dataset.transforms.transforms import TypeCast as TypeCast
from agar.dataset.transforms.transforms import Unique as Unique
from agar.dataset.transforms.transforms import not_random as not_random

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
    "not_random",
]


def __getattr__(name: str) -> Any:
    if name == "vision":  # it needs Pillow, which most uses of this package do not
        return import_module("agar.dataset.vision")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
