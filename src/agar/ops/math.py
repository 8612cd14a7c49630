"""Element-wise arithmetic, comparison, logic and the functions of analysis.

NOTE Promotion. MindSpore promotes two tensors by their types alone; torch lets a 0-d tensor follow
the other one. They differ in addition, subtraction, powers, comparisons, maxima and selections;
multiplication and true division do as torch does (observed in MindSpore 2.10).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.optable import Scalar, op

__all__: list[str] = []


def promoted(input: Tensor, other: Tensor | Scalar) -> tuple[Tensor, Any]:
    """Both operands in their common type, 0-d tensors included (NOTE Promotion)."""
    if isinstance(other, Tensor) and input.dtype is not other.dtype:
        common = torch.promote_types(input.dtype, other.dtype)
        return input.to(common), other.to(common)
    return input, other


@op(method=("add", "__add__"), primitive="Add", fast=torch.add, samples=("f(2, 3), f(3)",))
def add(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Add element by element: :math:`out_i = input_i + other_i`."""
    input, other = promoted(input, other)
    return torch.add(input, other)


@op("add", function=False, method="__radd__")
def _radd(input: Tensor, other: Tensor | Scalar) -> Tensor:
    return torch.add(input, other)


@op(method=("mul", "__mul__", "__rmul__"), primitive="Mul", fast=torch.mul)
def mul(input: Tensor, other: Tensor | Scalar) -> Tensor:
    """Multiply."""
    return torch.mul(input, other)


@op(method="sum")
def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum."""
    return torch.sum(input) if dim is None else torch.sum(input, dim, keepdim)


@op(method=("eq",))
def eq(input: Tensor, other: Tensor | Scalar) -> Tensor:
    """Equal."""
    return torch.eq(input, other)


@op(cast="never")
def stop_gradient(value: Any) -> Any:
    """stop"""
    return value.detach()
