"""Adagrad."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, subtract_quotient
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["Adagrad"]


class Adagrad(Optimizer):
    r"""Steps along the gradient, divided by the root of the sum of its squares.

    .. math:: h_t = h_{t-1} + g_t^2, \quad w_t = w_{t-1} - lr \frac{g_t}{\sqrt{h_t}}

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        accum (float): the sum at the start. Default: ``0.1``.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``0.001``.
        update_slots (bool): whether the sum grows; False leaves it at its start.
            Default: ``True``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `accum` is negative, or an argument of :class:`Optimizer` is out of range.

    Difference from PyTorch: ``torch.optim.Adagrad`` starts the sum at 0, adds eps to the root and
    has a decay of the learning rate.

    Source: Duchi et al. (2011), Adaptive Subgradient Methods; behavior observed in MindSpore 2.10,
    which ignores `update_slots` on CPU; agar does not.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.Adagrad([w], accum=0.0, learning_rate=0.5)((ms.Tensor([3.0, -3.0]),))
        (True,)
        >>> print(w.value())
        [0.5 2.5]
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.not_negative("Adagrad", "accum", accum)
        self.update_slots = check.boolean("Adagrad", "update_slots", update_slots)
        self.accum = self._state("accum.", accum)

    def _states(self) -> tuple[ParameterTuple, ...]:
        return (self.accum,)

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Any) -> None:
        sums = bucket.states[0]
        if self.update_slots:
            torch._foreach_addcmul_(sums, grads, grads, value=1.0)
        subtract_quotient(bucket.params, grads, list(torch._foreach_sqrt(sums)), rate)
