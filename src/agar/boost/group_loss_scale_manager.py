"""Loss scales of groups of layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.tensor import Tensor
from agar.nn.cell import Cell

__all__ = ["GroupLossScaleManager"]


class GroupLossScaleManager(Cell):
    r"""Marks where groups of layers meet, so that each group has a loss scale of its own.

    The network calls the manager between its layers, as ``x = manager(x, 0, 1)`` in front of group
    1 and ``x = manager(x, n, n + 1)`` behind the last group n. Forward, `x` is unchanged; its
    gradient is multiplied by :math:`s_{layer1} / s_{layer2}`, where :math:`s_0` and
    :math:`s_{n + 1}` are 1: the gradients of a group's parameters are scaled by its own factor.

    Args:
        init_loss_scale (Union[int, float, list[Number]]): the scales at the start, one for all
            groups or one for each.
        loss_scale_groups (list[list[Parameter]]): the parameters of each group.

    Inputs:
        - **x** (Tensor) - what one layer hands to the next.
        - **layer1** (int) - the number of the group in front of it, 0 at the input.
        - **layer2** (int) - the number of the group behind it.

    Outputs: Tensor, `x`.

    Raises:
        RuntimeError: the manager is called before :meth:`set_loss_scale_status`, which
            :class:`BoostTrainOneStepWithLossScaleCell` calls.

    Difference from PyTorch: ``torch.amp.GradScaler`` has one scale for the whole network.

    Source: behavior observed in MindSpore 2.10, which scales on Ascend only.

    Examples:
        >>> import agar as ms
        >>> from agar import boost
        >>> manager = boost.GroupLossScaleManager(8, [])
        >>> manager.set_loss_scale_status(1, manager.get_loss_scale())
        >>> print(ms.grad(lambda x: manager(x, 1, 2))(ms.Tensor([1.0])))
        [8.]
    """

    def __init__(self, init_loss_scale: Any, loss_scale_groups: list[Sequence[Parameter]]) -> None:
        super().__init__()
        self._loss_scale = init_loss_scale
        self.loss_scale_groups = loss_scale_groups
        self.loss_scale_number = 0
        self.dynamic_loss_scale: ParameterTuple | None = None

    def set_loss_scale_status(self, loss_scale_number: int, init_loss_scale: Any) -> None:
        """Make the scales.

        Args:
            loss_scale_number (int): the number of groups.
            init_loss_scale (Union[int, float, list[Number]]): the scale of all, or of each group.

        Raises:
            ValueError: a list does not have one scale for each group.
        """
        several = isinstance(init_loss_scale, (list, tuple))
        starts = list(init_loss_scale) if several else [init_loss_scale] * loss_scale_number
        if len(starts) != loss_scale_number:
            raise ValueError(
                "For 'GroupLossScaleManager', the list 'init_loss_scale' must have one scale for "
                f"each of the {loss_scale_number} groups, but got {len(starts)}."
            )
        self.loss_scale_number = loss_scale_number
        self.dynamic_loss_scale = ParameterTuple(
            Parameter(
                Tensor(float(scale), mstype.float32),
                name=f"layer_loss_scale_{i}",
                requires_grad=False,
            )
            for i, scale in enumerate([1.0, *starts, 1.0])
        )

    def _scales(self) -> ParameterTuple:
        if self.dynamic_loss_scale is None:
            raise RuntimeError(
                "For 'GroupLossScaleManager', there are no scales yet. Give the manager to "
                "boost.BoostTrainOneStepWithLossScaleCell or to Model, or call "
                "set_loss_scale_status(number_of_groups, scale)."
            )
        return self.dynamic_loss_scale

    def update_loss_scale_status(self, layer: int, update_ratio: Any) -> Tensor:
        """Multiply the scale of a group.

        Args:
            layer (int): the group, counted from 0.
            update_ratio (Union[float, Tensor]): the factor.

        Returns:
            Tensor, the new scale.
        """
        scale = self._scales()[layer + 1]
        new = scale * update_ratio
        ops.assign(scale, new)
        return new

    def construct(self, x: Any, layer1: int, layer2: int) -> Any:
        """`x`, whose gradient is multiplied by the quotient of two scales."""
        scales = self._scales()
        ratio = scales[layer1] / scales[layer2]
        return ops.InsertGradientOf(lambda grad: grad * ops.cast(ratio, grad.dtype))(x)

    def get_loss_scale(self) -> Any:
        """The scale at the start."""
        return self._loss_scale

    def get_update_cell(self) -> GroupLossScaleManager:
        """The manager itself, as a training cell asks a loss scale manager for its cell."""
        return self
