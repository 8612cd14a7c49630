"""Arithmetic over lists of tensors that every optimizer needs.

A learning rate or weight decay is a float, or a 0-d tensor where reading its value would stop the
device or hide it from a graph. Each function takes both.
"""

from __future__ import annotations

# The updates run on torch's multi-tensor kernels, which have no operator of agar.
import torch

Tensors = list[torch.Tensor]
Rate = float | torch.Tensor

__all__ = [
    "Rate",
    "Tensors",
    "add_scaled",
    "like",
    "may_fuse",
    "mix",
    "mix_squares",
    "scaled",
    "single",
    "subtract_quotient",
]

#: Devices for which torch has fused kernels of SGD and Adam.
FUSED_DEVICES = frozenset({"cpu", "cuda"})


def may_fuse(value: torch.Tensor) -> bool:
    """Whether torch's fused kernels are there for a parameter, and right.

    On the CPU that of SGD reads memory it did not write for float16 and bfloat16 (torch 2.13).
    """
    if value.device.type == "cpu" and value.dtype.itemsize < 4:
        return False
    return value.device.type in FUSED_DEVICES and value.is_floating_point()


def single(value: float) -> float:
    """A constant as MindSpore's float32 kernels see it, so that they cancel as they do there."""
    return torch.tensor(value, dtype=torch.float32).item()


def add_scaled(targets: Tensors, others: Tensors, factor: Rate) -> None:
    """``targets += factor * others``, in place."""
    if isinstance(factor, torch.Tensor):
        torch._foreach_add_(targets, torch._foreach_mul(others, factor))
    else:
        torch._foreach_add_(targets, others, alpha=factor)


def scaled(values: Tensors, others: Tensors, factor: Rate) -> Tensors:
    """``values + factor * others``, as new tensors."""
    if isinstance(factor, torch.Tensor):
        return list(torch._foreach_add(values, torch._foreach_mul(others, factor)))
    return list(torch._foreach_add(values, others, alpha=factor))


def subtract_quotient(targets: Tensors, over: Tensors, under: Tensors, factor: Rate) -> None:
    """``targets -= factor * over / under``, in place."""
    if isinstance(factor, torch.Tensor):
        quotients = torch._foreach_div(over, under)
        torch._foreach_mul_(quotients, factor)
        torch._foreach_sub_(targets, quotients)
    else:
        torch._foreach_addcdiv_(targets, over, under, value=-factor)


def mix(averages: Tensors, values: Tensors, keep: float) -> None:
    """``averages = keep * averages + (1 - keep) * values``, in place."""
    torch._foreach_mul_(averages, keep)
    torch._foreach_add_(averages, values, alpha=1.0 - keep)


def mix_squares(averages: Tensors, values: Tensors, keep: float) -> None:
    """``averages = keep * averages + (1 - keep) * values ** 2``, in place."""
    torch._foreach_mul_(averages, keep)
    torch._foreach_addcmul_(averages, values, values, value=1.0 - keep)


def like(value: torch.Tensor, pattern: torch.Tensor) -> torch.Tensor:
    """`value` in the memory layout, type and device of `pattern`; itself if it is so already.

    torch's fused kernels walk the memory of all their arguments in step.
    """
    if (
        value.dtype is pattern.dtype
        and value.device == pattern.device
        and value.stride() == pattern.stride()
    ):
        return value
    return torch.empty_like(pattern).copy_(value)
