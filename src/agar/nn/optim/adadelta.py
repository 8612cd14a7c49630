"""Adadelta."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled, mix_squares
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["Adadelta"]


class Adadelta(Optimizer):
    r"""Steps as large as the earlier ones, per unit of gradient.

    .. math::
        s_t = \rho s_{t-1} + (1 - \rho) g_t^2, \quad
        d_t = \frac{\sqrt{u_{t-1} + eps}}{\sqrt{s_t + eps}} g_t

        u_t = \rho u_{t-1} + (1 - \rho) d_t^2, \quad w_t = w_{t-1} - lr \cdot d_t

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``1.0``.
        rho (float): decay of the averages, 0 to 1. Default: ``0.9``.
        epsilon (float): added under the roots. Default: ``1e-6``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: none (``torch.optim.Adadelta``).

    Source: Zeiler (2012), ADADELTA; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.Adadelta([w], epsilon=0.3)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.asnumpy().round(3))
        [0.134 2.866]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if not 0.0 <= check.float_only("Adadelta", "rho", rho) <= 1.0:
            raise ValueError(
                f"For 'Adadelta', the 'rho' must be in range of [0.0, 1.0], but got {rho}."
            )
        self.rho = rho
        self.epsilon = check.not_negative("Adadelta", "epsilon", epsilon)
        self.accum = self._state("accum.")
        self.accum_update = self._state("accum_update.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.accum, self.accum_update

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: Any) -> None:
        squares, steps = bucket.states
        mix_squares(squares, grads, self.rho)
        roots = list(torch._foreach_add(squares, self.epsilon))
        torch._foreach_sqrt_(roots)
        items = list(torch._foreach_add(steps, self.epsilon))
        torch._foreach_sqrt_(items)
        torch._foreach_div_(items, roots)
        torch._foreach_mul_(items, grads)
        mix_squares(steps, items, self.rho)
        add_scaled(bucket.params, items, -rate)
