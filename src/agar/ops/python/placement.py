"""Placement of tensors over devices, as a program for one device sees it."""

from __future__ import annotations

import math
from typing import Any

from agar._core.errors import describe, missing_feature
from agar._core.tensor import Tensor

__all__ = ["reshard"]


def reshard(tensor: Tensor, layout: Any) -> Tensor:
    """A tensor in the given placement over devices; with one device that is the tensor.

    Args:
        tensor (Tensor): the tensor.
        layout (Layout): the placement, of one device.

    Returns:
        Tensor, the same object.

    Raises:
        TypeError: `tensor` is not a Tensor, or `layout` no layout.
        NotImplementedError: the placement is over several devices.

    Difference from PyTorch: ``torch.distributed.tensor.DTensor.redistribute``.

    Source: MindSpore 2.10's documentation; it works on Ascend only.

    Examples:
        >>> import agar as ms
        >>> class OneDevice:
        ...     def to_dict(self):
        ...         return {"device_matrix": (1,), "tensor_map": (-1,)}
        >>> print(ms.ops.reshard(ms.Tensor([1.0]), OneDevice()))
        [1.]
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'reshard', 'tensor' must be a Tensor, but got {describe(tensor)}.")
    if not hasattr(layout, "to_dict"):
        raise TypeError(f"For 'reshard', 'layout' must be a Layout, but got {describe(layout)}.")
    devices = math.prod(layout.to_dict().get("device_matrix", (1,)))
    if devices > 1:
        raise missing_feature(
            f"ops.reshard over {devices} devices",
            "a tensor is not split over devices yet",
            "torch.distributed.tensor, or one device, where nothing has to be placed",
        )
    return tensor
