"""AdaSum on one device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar._core.multi_device import world
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.optim.optimizer import Optimizer

__all__ = ["AdaSumByDeltaWeightWrapCell", "AdaSumByGradWrapCell"]


class _AdaSum(Cell):
    """A wrapper that combines the updates of several processes; in one there is nothing to do."""

    def __init__(self, optimizer: Optimizer) -> None:
        world.refuse(
            type(self).__name__,
            "AdaSum is not built, and gradients are combined by their sum or mean",
            "give the training cell the optimizer itself",
        )
        super().__init__(auto_prefix=False)
        if not isinstance(optimizer, Optimizer):
            raise TypeError(
                f"For '{type(self).__name__}', the 'optimizer' must be an nn.Optimizer, but got "
                f"{type(optimizer).__name__}."
            )
        self.optimizer = optimizer
        self.parameters = optimizer.parameters
        self.global_step = optimizer.global_step

    def construct(self, grads: Sequence[Tensor]) -> Any:
        """Update the parameters with the wrapped optimizer."""
        return self.optimizer(grads)


class AdaSumByGradWrapCell(_AdaSum):
    """An optimizer whose gradients are combined over devices by AdaSum.

    agar runs on one device, where the combination of one gradient is the gradient itself.

    Args:
        optimizer (Optimizer): what updates the parameters.

    Inputs:
        - **grads** (tuple[Tensor]) - one for each parameter.

    Outputs: What `optimizer` returns.

    Raises:
        TypeError: `optimizer` is not an Optimizer.
        NotImplementedError: there are several processes.

    Difference from PyTorch: no counterpart.

    Source: Maleki et al. (2020), Scaling Distributed Training with Adaptive Summation.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> nn.AdaSumByGradWrapCell(nn.SGD([w], 0.5))((ms.Tensor([1.0]),))
        (True,)
    """


class AdaSumByDeltaWeightWrapCell(_AdaSum):
    """An optimizer whose changes of the parameters are combined over devices by AdaSum.

    agar runs on one device, where the combination of one change is the change itself.

    Args:
        optimizer (Optimizer): what updates the parameters.

    Inputs:
        - **grads** (tuple[Tensor]) - one for each parameter.

    Outputs: What `optimizer` returns.

    Raises:
        TypeError: `optimizer` is not an Optimizer.
        NotImplementedError: there are several processes.

    Difference from PyTorch: no counterpart.

    Source: Maleki et al. (2020), Scaling Distributed Training with Adaptive Summation.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> nn.AdaSumByDeltaWeightWrapCell(nn.SGD([w], 0.5))((ms.Tensor([1.0]),))
        (True,)
    """
