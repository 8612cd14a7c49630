"""The layer that applies another one to every step of a sequence."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.optable import Primitive
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import integer

__all__ = ["TimeDistributed"]


class TimeDistributed(Cell):
    r"""Apply a layer to every step along an axis: :math:`out_t = layer(x_t)`.

    Args:
        layer (Union[Cell, Primitive]): what is applied.
        time_axis (int): the axis of the steps, in the input and in the output.
        reshape_with_axis (int): an axis with which the steps are joined, so that the layer runs
            once over all of them. Default: None: it runs once for each step.

    Inputs:
        - **inputs** (Tensor) - rank 3 or more.

    Outputs: Tensor, the layer's outputs along `time_axis`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the input's rank is below 3, or an axis out of its range.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.TimeDistributed(ms.nn.Dense(3, 2), time_axis=1, reshape_with_axis=0)
        >>> net(ms.ops.ones((5, 4, 3))).shape
        (5, 4, 2)
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None) -> None:
        super().__init__()
        if not isinstance(layer, (Cell, Primitive)):
            raise TypeError(
                "For 'TimeDistributed', the 'layer' must be Cell or Primitive instance, but got "
                f"type: {type(layer).__name__}."
            )
        self.layer = layer
        self.time_axis = integer("TimeDistributed", "time_axis", time_axis)
        if reshape_with_axis is not None:
            integer("TimeDistributed", "reshape_with_axis", reshape_with_axis)
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Tensor) -> Tensor:
        rank = inputs.ndim
        if rank < 3:
            raise ValueError(
                f"For 'TimeDistributed', the inputs shape must be at least 3D, but got {rank}."
            )
        time = _axis("time_axis", self.time_axis, rank)
        if self.reshape_with_axis is None:
            steps = ops.unbind(inputs, time)
            return ops.stack([self.layer(step) for step in steps], time)
        other = _axis("reshape_with_axis", self.reshape_with_axis, rank)
        if other == time:
            raise ValueError(
                "For 'TimeDistributed', 'reshape_with_axis' must differ from 'time_axis', but "
                f"both are {time}."
            )
        joined = other - 1 if other > time else other
        moved = ops.moveaxis(inputs, time, joined + 1)
        sizes = moved.shape
        flat = ops.reshape(moved, (*sizes[:joined], -1, *sizes[joined + 2 :]))
        out = self.layer(flat)
        spread = (*out.shape[:joined], *sizes[joined : joined + 2], *out.shape[joined + 1 :])
        return ops.moveaxis(ops.reshape(out, spread), joined + 1, time)


def _axis(name: str, axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError(
            f"For 'TimeDistributed', the '{name}' must be in [{-rank}, {rank}) for an input of "
            f"rank {rank}, but got {axis}."
        )
    return axis % rank
