"""SGD."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled, scaled
from agar.nn.optim.momentum import descend
from agar.nn.optim.optimizer import Bucket

__all__ = ["SGD"]


class SGD(Optimizer):
    r"""Gradient descent, with momentum and dampening.

    .. math::
        v_t = u v_{t-1} + (1 - d) g_t, \quad w_t = w_{t-1} - lr \cdot v_t

    where u is `momentum` and d is `dampening`; the first step takes :math:`v_1 = g_1`. With
    `nesterov` :math:`w_t = w_{t-1} - lr (g_t + u v_t)`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number.
        momentum (Union[int, float]): the momentum, the fraction of the last step that is kept.
            Default: ``0``.
        dampening (Union[int, float]): the fraction of the gradient that is left out. Default:
            ``0``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.
        nesterov (bool): whether to use Nesterov momentum; needs momentum and no dampening. Default:
            ``False``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range, or `nesterov` does not fit the others.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.SGD``); `lr` has no default.

    Source: Sutskever et al. (2013), On the importance of initialization and momentum;
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.SGD([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _decays_itself = True

    def __init__(
        self,
        params: Any,
        lr: Any,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, (int, float)) and lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        momentum = check.number("SGD", "momentum", momentum)
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        check.boolean("SGD", "nesterov", nesterov)
        check.boolean("SGD", "maximize", maximize)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "grad_centralization": False,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            group["dampening"] = check.number("SGD", "dampening", group["dampening"])
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"accum": 0.0, "stat": 1.0}  # stat is 1 where no step was made yet

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        accum, stat = bucket.states
        decay, momentum, dampening = group["weight_decay"], group["momentum"], group["dampening"]
        if momentum == 0.0:
            descend(bucket, grads, [], rate, decay, 0.0, False)
            return
        if dampening == 0.0:
            # the first step needs no case of its own: accum is zero
            descend(bucket, grads, accum, rate, decay, momentum, group["nesterov"])
        else:
            if decay:
                grads = scaled(grads, bucket.params, decay)
            for a, s, g in zip(accum, stat, grads, strict=True):
                a.copy_(torch.where(s > 0, g, momentum * a + (1.0 - dampening) * g))
            add_scaled(bucket.params, accum, -rate)
        torch._foreach_zero_(stat)
