"""ASGD."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import ParameterTuple
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors
from agar.nn.optim.optimizer import Bucket, Optimizer

__all__ = ["ASGD"]


class ASGD(Optimizer):
    r"""Gradient descent that also averages the parameters over its steps.

    .. math::
        w_t = (1 - \lambda \eta_{t-1}) w_{t-1} - \eta_{t-1} g_t, \quad
        a_t = a_{t-1} + \mu_{t-1} (w_t - a_{t-1})

        \eta_t = \frac{lr}{(1 + \lambda \cdot lr \cdot t)^{\alpha}}, \quad
        \mu_t = \frac{1}{\max(1, t - t_0)}

    The averages are the parameters ``ax_.<name>`` of the optimizer.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them, see
            :class:`Optimizer`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Optimizer`. Default: ``0.1``.
        lambd (float): the decay term. Default: ``1e-4``.
        alpha (float): the power of the learning rate's decay. Default: ``0.75``.
        t0 (float): the step at which averaging begins. Default: ``1e6``.
        weight_decay (Union[float, int, Cell]): factor of the parameters added to their gradients.
            Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument of :class:`Optimizer` is out of range.

    Difference from PyTorch: none in the numbers (``torch.optim.ASGD``).

    Source: Polyak and Juditsky (1992), Acceleration of stochastic approximation by averaging;
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.ASGD([w], learning_rate=0.5, lambd=0.0)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.value())
        [0.5 2.5]
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = check.float_only("ASGD", "lambd", lambd)
        self.alpha = check.float_only("ASGD", "alpha", alpha)
        self.t0 = check.float_only("ASGD", "t0", t0)
        self.mu = ParameterTuple([self._scalar(f"mu_{p.name}", 1.0) for p in self.parameters])
        self.eta = ParameterTuple([self._scalar(f"eta_{p.name}", 0.0) for p in self.parameters])
        self.ax = self._state("ax_.")
        self._done = True

    def _states(self) -> tuple[ParameterTuple, ...]:
        return (self.ax,)

    def _before(self, rates: list[Rate]) -> int:
        return int(self.global_step._value)

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Any, shared: int) -> None:
        rate = float(rate)
        etas = [self.eta[i]._value for i in bucket.places]
        mus = [self.mu[i]._value for i in bucket.places]
        now = [rate if shared == 0 else float(eta) for eta in etas]
        torch._foreach_mul_(bucket.params, [1.0 - self.lambd * eta for eta in now])
        steps = list(torch._foreach_mul(grads, now))
        torch._foreach_sub_(bucket.params, steps)
        differences = list(torch._foreach_sub(bucket.params, bucket.states[0]))
        torch._foreach_mul_(differences, [float(mu) for mu in mus])
        torch._foreach_add_(bucket.states[0], differences)
        step = shared + 1
        eta = rate / (1.0 + self.lambd * rate * step) ** self.alpha
        mu = 1.0 / max(1.0, step - self.t0)
        for value in etas:
            value.fill_(eta)
        for value in mus:
            value.fill_(mu)
