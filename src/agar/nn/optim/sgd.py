"""SGD."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar._core.runtime import thread
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled, scaled
from agar.nn.optim.momentum import descend
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["SGD"]


class SGD(Optimizer):
    r"""Gradient descent, with momentum and dampening.

    .. math::
        v_t = u v_{t-1} + (1 - d) g_t, \quad w_t = w_{t-1} - lr \cdot v_t

    where u is `momentum` and d is `dampening`; the first step takes :math:`v_1 = g_1`. With
    `nesterov` :math:`w_t = w_{t-1} - lr (g_t + u v_t)`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``0.1``.
        momentum (float): the momentum, the fraction of the last step that is kept. Default:
            ``0.0``.
        dampening (float): the fraction of the gradient that is left out. Default: ``0.0``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.
        nesterov (bool): whether to use Nesterov momentum; needs momentum and no dampening. Default:
            ``False``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `momentum` or `dampening` is negative, or `nesterov` does not fit them.
        RuntimeError: a gradient has another shape than its parameter.

    Difference from PyTorch: none in the numbers (``torch.optim.SGD``); the learning rate has the
    default 0.1.

    Source: Sutskever et al. (2013), On the importance of initialization and momentum; behavior
    observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.SGD([w], learning_rate=0.5)((ms.Tensor([1.0, 1.0]),))
        (True,)
        >>> print(w.value())
        [0.5 1.5]
    """

    _decay_goes = "kernel"
    _shape_error = RuntimeError

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: Any = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum = check.not_negative("SGD", "momentum", momentum, strict=False)
        self.dampening = check.not_negative("SGD", "dampening", dampening, strict=False)
        self.nesterov = check.boolean("SGD", "nesterov", nesterov)
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is True, 'momentum' must be > 0.0 and 'dampening' must "
                f"be equal to 0.0, but got 'momentum' {momentum} and 'dampening' {dampening}."
            )
        self.momentum = self._scalar("momentum", momentum)
        self.accum = self._state("accum.")
        # 1 where no step was made yet; part of MindSpore's checkpoints
        self.stat = self._state("stat.", 1.0)

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.accum, self.stat

    def _before(self, rates: list[Rate]) -> bool:
        """Whether this is the first step, or may be it."""
        return thread.in_graph or int(self.global_step._value) == 0

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: bool) -> None:
        momentum = float(self.momentum._value)
        accum, stat = bucket.states
        if momentum == 0.0:
            descend(bucket, grads, [], rate, decay, 0.0, False)
        elif self.dampening == 0.0:
            # the first step needs no case of its own: accum is zero
            descend(bucket, grads, accum, rate, decay, momentum, self.nesterov)
            if shared:
                torch._foreach_zero_(stat)
        else:
            if decay:
                grads = scaled(grads, bucket.params, decay)
            for a, s, g in zip(accum, stat, grads, strict=True):
                a.copy_(torch.where(s > 0, g, momentum * a + (1.0 - self.dampening) * g))
            torch._foreach_zero_(stat)
            add_scaled(bucket.params, accum, -rate)
