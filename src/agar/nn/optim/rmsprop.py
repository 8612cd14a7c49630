"""RMSProp."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled, mix, mix_squares
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["RMSProp"]


class RMSProp(Optimizer):
    r"""Steps along the gradient, divided by the root of its average square.

    .. math::
        s_t = d s_{t-1} + (1 - d) g_t^2, \quad
        m_t = u m_{t-1} + \frac{lr}{\sqrt{s_t + eps}} g_t, \quad w_t = w_{t-1} - m_t

    where d is `decay`, u is `momentum` and :math:`s_0 = 1`. With `centered`,
    :math:`s_t - a_t^2` takes the place of :math:`s_t` under the root, with the average gradient
    :math:`a_t = d a_{t-1} + (1 - d) g_t`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``0.1``.
        decay (float): decay of the averages. Default: ``0.9``.
        momentum (float): the momentum, the fraction of the last step that is kept. Default:
            ``0.0``.
        epsilon (float): added under the root. Default: ``1e-10``.
        use_locking (bool): accepted; updates are never concurrent. Default: ``False``.
        centered (bool): whether the square of the average gradient is taken off.
            Default: ``False``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: in ``torch.optim.RMSprop`` the averages start at 0, eps is added to the
    root, the learning rate multiplies the momentum as well, and the default decay is 0.99.

    Source: Hinton, lecture 6e of Neural Networks for Machine Learning (2012); behavior observed
    in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.RMSProp([w], learning_rate=0.5)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.value())
        [0.5 2.5]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = check.not_negative("RMSProp", "decay", decay)
        self.momentum = check.not_negative("RMSProp", "momentum", momentum)
        self.epsilon = check.positive("RMSProp", "epsilon", epsilon)
        self.use_locking = check.boolean("RMSProp", "use_locking", use_locking)
        self.centered = check.boolean("RMSProp", "centered", centered)
        if centered:
            self.mg = self._state("mean_grad.")
        self.ms = self._state("mean_square.", 1.0)
        self.moment = self._state("moment.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return (self.ms, self.moment, self.mg) if self.centered else (self.ms, self.moment)

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Any) -> None:
        squares, moments, *means = bucket.states
        mix_squares(squares, grads, self.decay)
        if means:
            mix(means[0], grads, self.decay)
            roots = torch._foreach_addcmul(squares, means[0], means[0], value=-1.0)
            torch._foreach_add_(roots, self.epsilon)
        else:
            roots = torch._foreach_add(squares, self.epsilon)
        torch._foreach_sqrt_(roots)
        steps = list(torch._foreach_div(grads, roots))
        torch._foreach_mul_(moments, self.momentum)
        add_scaled(moments, steps, rate)
        torch._foreach_sub_(bucket.params, moments)
