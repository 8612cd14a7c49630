"""The layer that mixes the channels of groups."""

from __future__ import annotations

from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops import channel_shuffle
from agar.ops._checks import integer

__all__ = ["ChannelShuffle"]


class ChannelShuffle(Cell):
    r"""Shuffle channels between groups: :math:`g \cdot C / G + c` moves to :math:`c \cdot G + g`.

    Args:
        groups (int): number of groups :math:`G`, a divisor of the channels.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `groups` is not an int, or the input's rank below 3.
        ValueError: `groups` is not positive, or does not divide the channels.

    Difference from PyTorch: none.

    Source: Zhang et al. 2018, "ShuffleNet".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ChannelShuffle(2)(ms.ops.arange(4).reshape((1, 4, 1))).reshape(4))
        [0 2 1 3]
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = integer("ChannelShuffle", "groups", groups, 1)

    def construct(self, x: Tensor) -> Tensor:
        return channel_shuffle(x, self.groups)
