"""AdaMax."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar._core.runtime import thread
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, mix, subtract_quotient
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["AdaMax"]


class AdaMax(Optimizer):
    r"""Adam with the largest gradient in place of the average square.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad v_t = \max(\beta_2 v_{t-1}, |g_t|)

        w_t = w_{t-1} - \frac{lr}{1 - \beta_1^t} \cdot \frac{m_t}{v_t + eps}

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``0.001``.
        beta1 (float): decay rate of the mean gradient, in (0, 1). Default: ``0.9``.
        beta2 (float): decay of the largest gradient, in (0, 1). Default: ``0.999``.
        eps (float): added to the divisor. Default: ``1e-8``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a beta is not in (0, 1), or `eps` is not positive.

    Difference from PyTorch: ``torch.optim.Adamax`` adds eps to the gradient inside the maximum.

    Source: Kingma and Ba, Adam (2014), section 7.1; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.AdaMax([w], learning_rate=0.5)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1 = check.open_unit("AdaMax", "beta1", beta1)
        self.beta2 = check.open_unit("AdaMax", "beta2", beta2)
        self.eps = check.positive("AdaMax", "eps", eps)
        self.beta1_power = self._scalar("beta1_power", 1.0, (1,))
        self.moment1 = self._state("moment1.")
        self.moment2 = self._state("moment2.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.moment1, self.moment2

    def _before(self, rates: list[Rate]) -> Rate:
        power = self.beta1_power._value.mul_(self.beta1)
        if thread.in_graph or power.device.type != "cpu":
            return (1.0 / (1.0 - power)).reshape(())
        return 1.0 / (1.0 - float(power))

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Rate) -> None:
        moments, largest = bucket.states
        mix(moments, grads, self.beta1)
        torch._foreach_mul_(largest, self.beta2)
        torch._foreach_maximum_(largest, torch._foreach_abs(grads))
        under = list(torch._foreach_add(largest, self.eps))
        subtract_quotient(bucket.params, moments, under, rate * shared)
