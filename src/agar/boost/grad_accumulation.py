"""Gradients of several steps, added before the parameters are updated once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.ops import composite

__all__ = ["GradientAccumulation", "gradient_accumulation_op", "gradient_clear_op"]


def cumulative_grad_process(accumulation_step: Any, cumulative_grad: Any, grad: Any) -> Any:
    """Add a gradient's share of a number of steps to the sum so far; gives the sum."""
    share = ops.cast(grad / accumulation_step, cumulative_grad.dtype)
    ops.assign_add(cumulative_grad, share)
    return cumulative_grad


def clear_grad(cumulative_grad: Any) -> Any:
    """Begin the sum of gradients again at 0; gives the sum."""
    return ops.assign(cumulative_grad, ops.zeros_like(cumulative_grad))


#: Adds a gradient's share to a sum; to be mapped over both with ``ops.HyperMap``.
gradient_accumulation_op = composite.MultitypeFuncGraph("gradient_accumulation_op")
gradient_accumulation_op.register("Int64", "Tensor", "Tensor")(cumulative_grad_process)

#: Sets a sum to zero; to be mapped over the sums with ``ops.HyperMap``.
gradient_clear_op = composite.MultitypeFuncGraph("gradient_clear_op")
gradient_clear_op.register("Tensor")(clear_grad)


class Accumulator:
    """The sums of gradients and the number of steps in them."""

    def __init__(
        self, steps: int, sums: Sequence[Parameter] | ParameterTuple, count: Parameter
    ) -> None:
        self.steps = steps
        self.sums = sums
        self.count = count

    def add(self, grads: Sequence[Tensor]) -> bool:
        """Add the gradients of one step; says whether the sums are due to be used."""
        for total, grad in zip(self.sums, grads, strict=True):
            cumulative_grad_process(self.steps, total, grad)
        ops.assign_add(self.count, 1)
        return bool(self.count >= self.steps)

    def clear(self) -> None:
        """Begin again."""
        ops.assign(self.count, 0)
        for total in self.sums:
            clear_grad(total)


class GradientAccumulation(Cell):
    """Adds the gradients of several steps, and then updates the parameters with their mean.

    Args:
        max_accumulation_step (int): the number of steps, at least 1.
        optimizer (Optimizer): updates the parameters.

    Inputs:
        - **loss** (Tensor) - passed through.
        - **grads** (tuple[Tensor]) - one for each of ``optimizer.parameters``.

    Outputs: Tensor, `loss`.

    Raises:
        TypeError: `max_accumulation_step` is not an int.
        ValueError: `max_accumulation_step` is less than 1.

    Difference from PyTorch: calling ``backward`` several times before ``step``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import boost, nn
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> add = boost.GradientAccumulation(2, nn.SGD([w], 0.5))
        >>> loss = ms.Tensor(3.0)
        >>> _ = add(loss, (ms.Tensor([1.0]),))
        >>> print(w.value())
        [1.]
        >>> _ = add(loss, (ms.Tensor([3.0]),))
        >>> print(w.value())
        [0.]
    """

    def __init__(self, max_accumulation_step: int, optimizer: Any) -> None:
        super().__init__()
        steps = check.integer(
            "GradientAccumulation", "max_accumulation_step", max_accumulation_step, 1
        )
        self._max_accumulation_step = steps
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self._grad_accumulation = ParameterTuple(optimizer.parameters).clone(
            prefix="grad_accumulation", init="zeros"
        )
        self._accumulation_step = Parameter(Tensor(0, mstype.int32), name="accumulation_step")

    def construct(self, loss: Any, grads: Sequence[Tensor]) -> Any:
        """Add the gradients and, at the last step, update the parameters; gives `loss`."""
        sums = Accumulator(
            self._max_accumulation_step, self._grad_accumulation, self._accumulation_step
        )
        if sums.add(grads):
            self.optimizer(tuple(sums.sums))
            sums.clear()
        return loss
