"""Tensor, under MindSpore's path."""

from agar._core.tensor import Tensor as Tensor
from agar._core.tensor import tensor as tensor

__all__ = [
    "Tensor",
    "tensor",
]
