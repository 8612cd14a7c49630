"""Rprop."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["Rprop"]


class Rprop(Optimizer):
    r"""Steps of the gradient's sign, with a size of their own for each element.

    A step grows by the larger of `etas` while the sign of its gradient stays, and shrinks by the
    smaller when it turns; in the step after a turn the element stays where it is.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): the size of the
            first steps. Default: ``0.1``.
        etas (tuple[float, float]): shrinking factor, below 1, and growing factor, above 1.
            Default: ``(0.5, 1.2)``.
        step_sizes (tuple[float, float]): the smallest and the largest step.
            Default: ``(1e-6, 50.0)``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: `etas` or `step_sizes` is not a tuple of floats.
        ValueError: they are out of range.

    Difference from PyTorch: none in the numbers (``torch.optim.Rprop``); `learning_rate` has the
    default 0.1.

    Source: Riedmiller and Braun (1993), A direct adaptive method for faster backpropagation
    learning; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.Rprop([w], learning_rate=0.5)((ms.Tensor([7.0, -0.1]),))
        True
        >>> print(w.value())
        [0.5 2.5]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(value, tuple):
                raise TypeError(
                    f"For 'Rprop', '{name}' must be a tuple, but got {type(value).__name__}."
                )
            if len(value) != 2:
                raise ValueError(f"For 'Rprop', '{name}' must have two elements, but got {value}.")
        self.etaminus = check.open_unit("Rprop", "etaminus", etas[0])
        self.etaplus = check.float_only("Rprop", "etaplus", etas[1])
        if self.etaplus <= 1.0:
            raise ValueError(
                f"For 'Rprop', the growing factor of 'etas' must be above 1.0, but got {etas[1]}."
            )
        low = check.float_only("Rprop", "the smallest of step_sizes", step_sizes[0])
        high = check.float_only("Rprop", "the largest of step_sizes", step_sizes[1])
        if low > high:
            raise ValueError(
                "For 'Rprop', the maximal step size should not be less than the minimal one, but "
                f"got {high} < {low}."
            )
        self.step_sizes = step_sizes
        self.prev = self._state("prev.")
        self.step_size = self._state("step_size.")
        self._done = True

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.prev, self.step_size

    def _before(self, rates: list[Rate]) -> bool:
        """Whether this is the first step."""
        return int(self.global_step._value) == 0

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: bool) -> None:
        before, sizes = bucket.states
        if shared:
            for size in sizes:
                size.fill_(rate)
        low, high = self.step_sizes
        for p, g, last, size in zip(bucket.params, grads, before, sizes, strict=True):
            product = g * last
            turned = product < 0
            factor = torch.where(product > 0, self.etaplus, 1.0).to(size.dtype)
            size.mul_(factor.masked_fill_(turned, self.etaminus)).clamp_(low, high)
            last.copy_(g).masked_fill_(turned, 0.0)
            p.addcmul_(last.sign(), size, value=-1.0)
