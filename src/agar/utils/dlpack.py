"""Tensors handed over to other libraries without a copy."""

from __future__ import annotations

from typing import Any

# capsules are the engine's
import torch
import torch.utils.dlpack  # capsules are the engine's

from agar._core.tensor import Tensor, wrap

__all__ = ["from_dlpack", "to_dlpack"]


def to_dlpack(tensor: Tensor) -> Any:
    """A DLPack capsule of a tensor; it shares the tensor's memory.

    Args:
        tensor (Tensor): any shape.

    Raises:
        TypeError: it is not a Tensor.

    Difference from PyTorch: ``torch.utils.dlpack.to_dlpack``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> capsule = ms.utils.to_dlpack(ms.Tensor([1.0]))
        >>> print(ms.utils.from_dlpack(capsule))
        [1.]
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"For 'to_dlpack', the 'tensor' must be a Tensor, but got {type(tensor).__name__}."
        )
    return torch.utils.dlpack.to_dlpack(tensor._value.detach())


def from_dlpack(dlpack: Any) -> Tensor:
    """The tensor of a DLPack capsule, or of an object with ``__dlpack__``; memory is shared.

    Args:
        dlpack (Any): the capsule or object.

    Raises:
        RuntimeError: the capsule was used already.

    Difference from PyTorch: ``torch.from_dlpack``.

    Source: behavior observed in MindSpore 2.10, which takes capsules alone.

    Examples:
        >>> import numpy as np
        >>> import agar as ms
        >>> print(ms.utils.from_dlpack(np.ones(2, np.float32)))
        [1. 1.]
    """
    return wrap(torch.from_dlpack(dlpack))
