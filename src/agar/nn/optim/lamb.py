"""Lamb."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar._core.runtime import thread
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, mix, mix_squares, scaled
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["Lamb"]


class Lamb(Optimizer):
    r"""Adam whose step for each parameter is in proportion to the parameter's norm.

    .. math::
        r_t = \frac{m_t / (1 - \beta_1^t)}{\sqrt{v_t / (1 - \beta_2^t)} + eps} +
        decay \cdot w_{t-1}, \quad
        w_t = w_{t-1} - lr \frac{\|w_{t-1}\|}{\|r_t\|} r_t

    with the averages m and v of :class:`Adam`; where a norm is zero, the quotient counts as 1.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`.
        beta1 (float): decay rate of the mean gradient, in (0, 1). Default: ``0.9``.
        beta2 (float): decay rate of the mean squared gradient, in (0, 1). Default: ``0.999``.
        eps (float): added to the root. Default: ``1e-6``.
        weight_decay (Union[float, int, Cell]): decay of the parameters. Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter; they may be of a wider type.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a beta is not in (0, 1), or `eps` is not positive.

    Difference from PyTorch: no counterpart.

    Source: You et al. (2019), Large Batch Optimization for Deep Learning, algorithm 2. MindSpore
    2.10 has no kernel of it on CPU, so its numbers were not compared.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([3.0, 3.0]), name="w")
        >>> nn.Lamb([w], learning_rate=0.5)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.asnumpy().round(4))
        [1.5 4.5]
    """

    _decay_goes = "never"
    _narrows_gradients = True

    _by_element = False

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.beta1 = check.open_unit("Lamb", "beta1", beta1)
        self.beta2 = check.open_unit("Lamb", "beta2", beta2)
        self.eps = check.positive("Lamb", "eps", eps)
        self.moments1 = self._state("lamb_m.")
        self.moments2 = self._state("lamb_v.")

    def _states(self) -> tuple[ParameterTuple, ...]:
        return self.moments1, self.moments2

    def _before(self, rates: list[Rate]) -> tuple[Rate, Rate]:
        """The corrections of bias: the averages have no power of their betas in their state."""
        step: Any = self.global_step._value
        step = step.reshape(()).double() + 1.0 if thread.in_graph else float(step) + 1.0
        return 1.0 - self.beta1**step, 1.0 - self.beta2**step

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Rate, shared: Any) -> None:
        moment1, moment2 = bucket.states
        mix(moment1, grads, self.beta1)
        mix_squares(moment2, grads, self.beta2)
        steps = list(torch._foreach_div(moment2, shared[1]))
        torch._foreach_sqrt_(steps)
        torch._foreach_add_(steps, self.eps)
        steps = list(torch._foreach_div(torch._foreach_div(moment1, shared[0]), steps))
        if isinstance(decay, torch.Tensor) or decay:
            steps = scaled(steps, bucket.params, decay)
        sizes = torch._foreach_norm(bucket.params)
        lengths = torch._foreach_norm(steps)
        for p, step, size, length in zip(bucket.params, steps, sizes, lengths, strict=True):
            trust = torch.where((size > 0) & (length > 0), size / length, 1.0)
            p.sub_(step * (trust * rate))
