"""Momentum."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled, scaled
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["Momentum", "descend"]


def descend(
    bucket: Bucket,
    grads: Tensors,
    moments: Tensors,
    rate: Rate,
    decay: float,
    momentum: float,
    nesterov: bool,
) -> None:
    """One step of gradient descent with momentum; no `moments` means none.

    Args:
        bucket (Bucket): parameters of one dtype and device, which are updated in place.
        grads (list[torch.Tensor]): a gradient for each.
        moments (list[torch.Tensor]): a moment for each, updated in place; empty without momentum.
        rate (Union[float, torch.Tensor]): the learning rate.
        decay (float): the weight decay, which is added to the gradients.
        momentum (float): the factor of the moments.
        nesterov (bool): whether the step is that of Nesterov momentum.
    """
    if bucket.fused and (momentum != 0.0 or not moments):  # the kernel wants no moments then
        torch._fused_sgd_(
            bucket.params,
            grads,
            moments,
            weight_decay=decay,
            momentum=momentum,
            lr=rate,
            dampening=0.0,
            nesterov=nesterov,
            maximize=False,
            is_first_step=False,
        )
        return
    if decay:
        grads = scaled(grads, bucket.params, decay)
    step = grads
    if moments:
        torch._foreach_mul_(moments, momentum)
        torch._foreach_add_(moments, grads)
        step = scaled(grads, moments, momentum) if nesterov else moments
    add_scaled(bucket.params, step, -rate)


class Momentum(Optimizer):
    r"""Gradient descent with momentum.

    .. math::
        v_t = u v_{t-1} + g_t, \quad w_t = w_{t-1} - lr \cdot v_t

    and with `use_nesterov` :math:`w_t = w_{t-1} - lr (g_t + u v_t)`, where u is `momentum`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`.
        momentum (float): the momentum, at least 0.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.
        use_nesterov (bool): whether to use Nesterov momentum. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: `momentum` is not a float, `use_nesterov` is not a bool.
        ValueError: `momentum` is negative, or an argument of :class:`Optimizer` is out of range.

    Difference from PyTorch: ``torch.optim.SGD(momentum=...)``; `momentum` has no default.

    Source: Sutskever et al. (2013), On the importance of initialization and momentum. MindSpore
    2.10 ignores `use_nesterov` on CPU; agar does not.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> opt = nn.Momentum([w], learning_rate=0.5, momentum=0.5)
        >>> opt((ms.Tensor([1.0, 1.0]),)), opt((ms.Tensor([1.0, 1.0]),))
        ((True,), (True,))
        >>> print(w.value())
        [-0.25  0.75]
    """

    _decay_goes = "kernel"

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: float,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.not_negative("Momentum", "momentum", momentum)
        self.momentum = self._scalar("momentum", momentum)
        self.use_nesterov = check.boolean("Momentum", "use_nesterov", use_nesterov)
        self.params = self.parameters
        self.moments = self._state("moments.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return (self.moments,)

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Any) -> None:
        momentum = float(self.momentum._value)
        descend(bucket, grads, bucket.states[0], rate, decay, momentum, self.use_nesterov)
