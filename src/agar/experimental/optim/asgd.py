"""ASGD."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import Parameter, ParameterTuple, parameter_over
from agar.experimental.optim.optimizer import Group, Optimizer, above, choose, not_less
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled
from agar.nn.optim.optimizer import Bucket

__all__ = ["ASGD"]


class ASGD(Optimizer):
    r"""Gradient descent that also keeps an average of the parameters, in ``ax``.

    .. math::
        w_t = (1 - \lambda \eta_{t-1}) w_{t-1} - \eta_{t-1} g_t, \quad
        a_t = a_{t-1} + \mu_{t-1} (w_t - a_{t-1})

        \eta_t = \frac{lr}{(1 + \lambda \cdot lr \cdot t)^\alpha}, \quad
        \mu_t = \frac{1}{\max(1, t - t_0)}

    with :math:`\eta_0 = lr` and :math:`\mu_0 = 1`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``1e-2``.
        lambd (float): decay of the parameters. Default: ``1e-4``.
        alpha (float): the power by which steps get smaller. Default: ``0.75``.
        t0 (float): the step after which averaging begins. Default: ``1e6``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.ASGD``).

    Source: Polyak and Juditsky (1992), Acceleration of stochastic approximation by averaging;
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.ASGD([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5    2.4999]
    """

    _step_count = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        maximize: bool = False,
    ) -> None:
        above("ASGD", "lr", lr)
        not_less("ASGD", "weight_decay", weight_decay)
        check.float_only("ASGD", "lambd", lambd)
        check.float_only("ASGD", "t0", t0)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
        self.mu = [_number("mu", 1.0, p) for p in self.parameters]
        self.eta = [_number("eta", 0.0, p) for p in self.parameters]
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"ax": 0.0}

    def _grow(self, members: ParameterTuple) -> None:
        super()._grow(members)
        self.mu += [_number("mu", 1.0, p) for p in members]
        self.eta += [_number("eta", 0.0, p) for p in members]

    def _scalars(self) -> list[Parameter]:
        return [*super()._scalars(), *self.mu, *self.eta]

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        lambd = group["lambd"]
        etas = [self.eta[i]._value for i in bucket.places]
        mus = [self.mu[i]._value for i in bucket.places]
        # the members of a group share their count of steps, and so these numbers
        eta: Rate
        mu: Rate
        if isinstance(count, torch.Tensor):
            eta = choose(count == 1.0, rate, etas[0], bucket)
            mu = bucket.beside(mus[0])
            count = bucket.beside(count)
            later: Rate = 1.0 / torch.clamp(count - group["t0"], min=1.0)
        else:
            eta = rate if count == 1.0 else float(etas[0])
            mu = float(mus[0])
            later = 1.0 / max(1.0, count - group["t0"])
        torch._foreach_mul_(bucket.params, 1.0 - lambd * eta)
        add_scaled(bucket.params, grads, -eta)
        differences = list(torch._foreach_sub(bucket.params, bucket.states[0]))
        add_scaled(bucket.states[0], differences, mu)
        following = rate / (1.0 + lambd * rate * count) ** group["alpha"]
        for values, value in ((etas, following), (mus, later)):
            for number in values:
                if isinstance(value, torch.Tensor):
                    number.copy_(value)
                else:
                    number.fill_(value)


def _number(name: str, value: float, p: Parameter) -> Parameter:
    """A state of one number."""
    return parameter_over(torch.tensor(value), f"{name}_{p.name}")
