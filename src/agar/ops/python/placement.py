"""Where tensors lie: on one process, or in parts on several."""

from __future__ import annotations

from typing import Any

from agar._core.distributed.sharding import current_region, is_split, mesh_of, region, split_of
from agar._core.distributed.strategies import placed
from agar._core.errors import describe
from agar._core.multi_device import world
from agar._core.tensor import Tensor

__all__ = ["reshard"]


def reshard(tensor: Tensor, layout: Any) -> Tensor:
    """A tensor that lies on the processes as a layout says; with one process the tensor itself.

    A plain tensor has to be the same in all processes: each keeps its part of it. Gradients come
    back the same way.

    Args:
        tensor (Tensor): the tensor.
        layout (Layout): how it shall lie, called with the axes of the tensor.

    Returns:
        Tensor of the same shape, that of the whole.

    Raises:
        TypeError: `tensor` is not a Tensor, or `layout` not a Layout.
        ValueError: the layout has another number of dimensions or of processes, or does not divide
            the shape.

    Difference from PyTorch: ``torch.distributed.tensor.DTensor.redistribute``.

    Source: MindSpore 2.10's documentation; it works on Ascend only.

    Examples:
        >>> import agar as ms
        >>> layout = ms.parallel.Layout((1,), ("tp",))
        >>> print(ms.ops.reshard(ms.Tensor([1.0]), layout("tp")))
        [1.]
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'reshard', 'tensor' must be a Tensor, but got {describe(tensor)}.")
    if not hasattr(layout, "to_dict"):
        raise TypeError(f"For 'reshard', 'layout' must be a Layout, but got {describe(layout)}.")
    layout.to_dict()  # raises for one without axes
    if world.size == 1:
        return tensor
    split = split_of(layout, "'reshard'")
    opened = current_region()
    value: Any = tensor._value
    if opened is not None:
        mesh = opened.mesh
    elif is_split(value):
        mesh = value.device_mesh
    else:
        mesh = mesh_of([split])
    with region(mesh) as here:
        return placed(tensor, split, here, "For 'reshard', the layout")
