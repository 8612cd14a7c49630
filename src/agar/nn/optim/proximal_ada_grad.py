"""ProximalAdagrad."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["ProximalAdagrad"]


class ProximalAdagrad(Optimizer):
    r"""Adagrad followed by the proximal step of an l1 and an l2 term.

    .. math::
        h_t = h_{t-1} + g_t^2, \quad r_t = lr / \sqrt{h_t}, \quad p_t = w_{t-1} - r_t g_t

        w_t = \frac{\mathrm{sign}(p_t)}{1 + l_2 r_t} \max(|p_t| - l_1 r_t, 0)

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        accum (float): the sum of squares at the start. Default: ``0.1``.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``0.001``.
        l1 (float): strength of the l1 term, at least 0. Default: ``0.0``.
        l2 (float): strength of the l2 term, at least 0. Default: ``0.0``.
        use_locking (bool): accepted; updates are never concurrent. Default: ``False``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: no counterpart.

    Source: Duchi and Singer (2009), Efficient Learning using Forward-Backward Splitting; behavior
    observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 0.5]), name="w")
        >>> nn.ProximalAdagrad([w], 0.0, 0.5, l1=1.0)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.value())
        [0.  0.5]
    """

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.not_negative("ProximalAdagrad", "accum", accum)
        self.l1 = check.not_negative("ProximalAdagrad", "l1", l1)
        self.l2 = check.not_negative("ProximalAdagrad", "l2", l2)
        self.use_locking = check.boolean("ProximalAdagrad", "use_locking", use_locking)
        self.accum = self._state("accum.", accum)

    def _states(self) -> tuple[ParameterTuple, ...]:
        return (self.accum,)

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Any) -> None:
        sums = bucket.states[0]
        torch._foreach_addcmul_(sums, grads, grads, value=1.0)
        rates = list(torch._foreach_sqrt(sums))
        torch._foreach_reciprocal_(rates)
        torch._foreach_mul_(rates, rate)
        steps = torch._foreach_mul(rates, grads)
        torch._foreach_sub_(bucket.params, steps)
        if self.l1:
            sizes = list(torch._foreach_abs(bucket.params))
            torch._foreach_sub_(sizes, torch._foreach_mul(rates, self.l1))
            torch._foreach_clamp_min_(sizes, 0.0)
            for p, size in zip(bucket.params, sizes, strict=True):
                p.sign_().mul_(size)
        if self.l2:
            torch._foreach_mul_(rates, self.l2)
            torch._foreach_add_(rates, 1.0)
            torch._foreach_div_(bucket.params, rates)
