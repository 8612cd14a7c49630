"""Tensor, under MindSpore's path."""

from agar._core.tensor import Tensor as Tensor
from agar._core.tensor import tensor as tensor
from agar.common.api import swap_tensors as swap_tensors

__all__ = [
    "Tensor",
    "swap_tensors",
    "tensor",
]
