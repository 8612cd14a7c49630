"""FTRL."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["FTRL"]


class FTRL(Optimizer):
    r"""Follow the regularized leader: sparse parameters by an l1 term.

    .. math::
        n_t = n_{t-1} + g_t^2, \quad
        u_t = u_{t-1} + g_t - \frac{n_t^{-p} - n_{t-1}^{-p}}{lr} w_{t-1}

        w_t = \frac{\mathrm{sign}(u_t) l_1 - u_t}{n_t^{-p} / lr + 2 l_2}
        \text{ if } |u_t| > l_1 \text{, else } 0

    where p is `lr_power`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        initial_accum (float): n at the start, at least 0. Default: ``0.1``.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`; above 0. Default: ``0.001``.
        lr_power (float): the power of the learning rate's decay, at most 0. Default: ``-0.5``.
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

    Source: McMahan et al. (2013), Ad Click Prediction; behavior observed in MindSpore 2.10, which
    takes constant learning rates only.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([0.0, 0.0]), name="w")
        >>> nn.FTRL([w], 0.0, 0.5, l1=1.0)((ms.Tensor([2.0, 0.5]),))
        (True,)
        >>> print(w.value())
        [-0.25  0.  ]
    """

    def __init__(
        self,
        params: Any,
        initial_accum: float = 0.1,
        learning_rate: Any = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.not_negative("FTRL", "initial_accum", initial_accum)
        if check.float_only("FTRL", "lr_power", lr_power) > 0.0:
            raise ValueError(f"For 'FTRL', the 'lr_power' must be <= 0.0, but got {lr_power}.")
        self.lr_power = lr_power
        self.l1 = check.not_negative("FTRL", "l1", l1)
        self.l2 = check.not_negative("FTRL", "l2", l2)
        self.use_locking = check.boolean("FTRL", "use_locking", use_locking)
        self.moments = self._state("moments.", initial_accum)
        self.linear = self._state("linear.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.moments, self.linear

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Any) -> None:
        sums, linear = bucket.states
        before = torch._foreach_pow(sums, -self.lr_power)
        torch._foreach_addcmul_(sums, grads, grads, value=1.0)
        after = list(torch._foreach_pow(sums, -self.lr_power))
        pull = list(torch._foreach_sub(after, before))
        torch._foreach_mul_(pull, bucket.params)
        torch._foreach_div_(pull, rate)
        torch._foreach_sub_(linear, pull)
        torch._foreach_add_(linear, grads)
        torch._foreach_div_(after, rate)
        torch._foreach_add_(after, 2.0 * self.l2)
        for p, u, under in zip(bucket.params, linear, after, strict=True):
            # u less its part within [-l1, l1] is zero exactly where |u| <= l1
            torch.div(u.clamp(-self.l1, self.l1) - u, under, out=p)
