"""AdaSum: updates of several servers, combined by how much they agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.distributed.process_groups import groups
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor, wrap
from agar.communication.management import create_group
from agar.nn import _checks as check
from agar.nn.cell import Cell

__all__ = ["AdaSum"]

_EPS = 1e-12


def combined(a: Tensor, b: Tensor) -> Tensor:
    """Two updates of a parameter: their sum where orthogonal, their mean where equal."""
    dot = (a * b).sum() + _EPS
    own, other = (a * a).sum() + _EPS, (b * b).sum() + _EPS
    return (1 - dot / (2 * own)) * a + (1 - dot / (2 * other)) * b


def combined_all(updates: Sequence[Tensor]) -> Tensor:
    """The updates of a power of two of servers, combined in pairs, then pairs of pairs."""
    level = list(updates)
    if level[0].size == 1:  # what cannot be halved is averaged
        return sum(level[1:], level[0]) / len(level)
    while len(level) > 1:
        level = [combined(a, b) for a, b in zip(level[::2], level[1::2], strict=True)]
    return level[0]


class AdaSum(Cell):
    r"""Combines the updates of servers, each with several devices, by adaptive summation.

    Two updates a and b of a parameter become

    .. math::
        \left( 1 - \frac{a \cdot b}{2 \|a\|^2} \right) a
        + \left( 1 - \frac{a \cdot b}{2 \|b\|^2} \right) b

    and those of more servers are combined in pairs. Updates of one element are averaged. A device
    combines with those of its own number in the other servers, which update the same parameters.

    Args:
        rank (int): the number of this process.
        device_number (int): processes of each server.
        group_number (int): servers, a power of two.
        parameter_tuple (tuple[Parameter]): the parameters that this process combines.

    Inputs:
        - **delta_weights** (tuple[Tensor]) - old parameters less those that this server updated.
        - **parameters** (tuple[Parameter]) - they are set to the old ones less the combination.
        - **old_parameters** (tuple[Parameter]) - the parameters before the step.

    Outputs: tuple[Parameter], `parameters`.

    Raises:
        TypeError: a number is not an int.
        ValueError: a number is out of range, or `group_number` is not a power of two.
        RuntimeError: the processes have not joined, see `communication.init`.

    Difference from PyTorch: no counterpart.

    Source: Maleki et al. (2020), Scaling Distributed Training with Adaptive Summation. MindSpore
    sends halves of each update; here whole updates are gathered, which gives the same result.

    Examples:
        >>> import agar as ms
        >>> from agar import boost
        >>> ms.communication.init()
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> alone = boost.AdaSum(0, 1, 1, (w,))
        >>> print(alone((ms.Tensor([0.5, 0.5]),), (w,), (ms.Tensor([1.0, 2.0]),))[0].value())
        [0.5 1.5]
    """

    def __init__(
        self,
        rank: int,
        device_number: int,
        group_number: int,
        parameter_tuple: Sequence[Parameter],
    ) -> None:
        super().__init__()
        self.rank = check.integer("AdaSum", "rank", rank, 0)
        self.device_number = check.integer("AdaSum", "device_number", device_number, 1)
        self.group_number = check.integer("AdaSum", "group_number", group_number, 1)
        if group_number & (group_number - 1):
            raise ValueError(
                f"For 'AdaSum', the 'group_number' must be a power of two, but got {group_number}."
            )
        groups.require()
        self.parameter_tuple = tuple(parameter_tuple)
        server, device = divmod(rank, device_number)
        self.peer_group = f"adasum_peers_{device_number}_{group_number}_{device}"
        create_group(self.peer_group, [i * device_number + device for i in range(group_number)])
        self.server_group = f"adasum_server_{device_number}_{server}"
        first = server * device_number
        create_group(self.server_group, list(range(first, first + device_number)))

    def construct(
        self, delta_weights: Any, parameters: Any, old_parameters: Any
    ) -> tuple[Parameter, ...]:
        """Combine the updates and set the parameters, which it gives back."""
        for delta, parameter, old in zip(delta_weights, parameters, old_parameters, strict=True):
            update = combined_all(self._of_all(ops.cast(delta, mstype.float32)))
            ops.assign(parameter, ops.cast(old - update.reshape(delta.shape), parameter.dtype))
        return tuple(parameters)

    def _of_all(self, delta: Tensor) -> list[Tensor]:
        """The update of each server."""
        whole = wrap(groups.all_gather(delta._value.reshape(1, -1), self.peer_group))
        return [whole[i] for i in range(self.group_number)]
