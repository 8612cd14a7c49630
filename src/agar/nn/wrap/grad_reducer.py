"""What combines gradients over devices; on one device they are already whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar._core.groups import groups
from agar._core.tensor import Tensor, wrap
from agar.nn import _checks as check
from agar.nn.cell import Cell

__all__ = ["DistributedGradReducer", "PipelineGradReducer"]


class DistributedGradReducer(Cell):
    """Adds gradients over processes, or averages them. In one process it gives them back.

    The processes are those of a launcher such as ``torchrun``, after `communication.init`.

    Args:
        parameters (list[Parameter]): the parameters of the gradients.
        mean (bool): whether the sum is divided by `degree`. Default: ``None``, False.
        degree (int): by what a mean divides. Default: ``None``, the number of processes.
        fusion_type (int): how messages are joined, accepted. Default: ``1``.
        group (str): the group of processes. Default: ``"hccl_world_group"``: all.

    Inputs:
        - **grads** (tuple[Tensor]) - the gradients.

    Outputs:
        tuple[Tensor].

    Raises:
        TypeError: `degree` is no int or `mean` no bool.
        ValueError: `degree` is not positive.

    Difference from PyTorch: part of ``torch.nn.parallel.DistributedDataParallel``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> reducer = nn.DistributedGradReducer(nn.Dense(2, 1).trainable_params())
        >>> print(reducer((ms.Tensor([1.0, 2.0]),))[0])
        [1. 2.]
    """

    def __init__(
        self,
        parameters: Any,
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str = "hccl_world_group",
    ) -> None:
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        self.mean = False if mean is None else check.boolean(owner, "mean", mean)
        count = groups.size(group)
        self.degree = count if degree is None else check.integer(owner, "degree", degree, 1)
        self.group = group

    def construct(self, grads: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients added over the processes, divided by the degree if a mean was asked for."""
        if groups.inited and groups.size(self.group) > 1:
            grads = tuple(wrap(groups.all_reduce(g._value, "sum", self.group)) for g in grads)
        if not self.mean or self.degree == 1:
            return grads
        return tuple(g / self.degree for g in grads)


class PipelineGradReducer(Cell):
    """Collects the gradients of a pipeline's parts. On one device it gives them back, unscaled.

    Args:
        parameters (list[Parameter]): the parameters of the gradients.
        scale_sense (float): the loss scale by which they are divided. Default: ``1.0``.
        opt_shard (bool): accepted. Default: ``None``.

    Inputs:
        - **grads** (tuple[Tensor]) - the gradients.

    Outputs:
        tuple[Tensor].

    Difference from PyTorch: no counterpart.

    Source: behaviour described for MindSpore 2.10, which needs several devices to show it.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> reducer = nn.PipelineGradReducer(nn.Dense(2, 1).trainable_params(), 2.0)
        >>> print(reducer((ms.Tensor([1.0, 2.0]),))[0])
        [0.5 1. ]
    """

    def __init__(
        self, parameters: Any, scale_sense: float = 1.0, opt_shard: bool | None = None
    ) -> None:
        super().__init__(auto_prefix=False)
        self.scale_sense = check.positive(
            "PipelineGradReducer", "scale_sense", scale_sense, strict=False
        )

    def construct(self, grads: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients over the scale."""
        return grads if self.scale_sense == 1.0 else tuple(g / self.scale_sense for g in grads)
