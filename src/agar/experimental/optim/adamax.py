"""Adamax."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, above, not_less, share
from agar.nn.optim._update import Rate, Tensors, mix, subtract_quotient
from agar.nn.optim.optimizer import Bucket

__all__ = ["Adamax"]


class Adamax(Optimizer):
    r"""Adamax: steps along the average gradient, divided by the largest gradient so far.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad
        u_t = \max(\beta_2 u_{t-1}, |g_t| + eps), \quad
        w_t = w_{t-1} - \frac{lr}{1 - \beta_1^t} \cdot \frac{m_t}{u_t}

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``2e-3``.
        betas (tuple[float, float]): decay rate of the mean gradient and of the largest one, in [0,
            1). Default: ``(0.9, 0.999)``.
        eps (float): added to the gradient's size. Default: ``1e-8``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.Adamax``).

    Source: Kingma and Ba, Adam (2014), section 7; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.Adamax([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _step_count = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ) -> None:
        above("Adamax", "lr", lr)
        not_less("Adamax", "weight_decay", weight_decay)
        above("Adamax", "eps", eps)
        share("Adamax", "betas[0]", betas[0])
        share("Adamax", "betas[1]", betas[1])
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
        self._make_step_count()
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"exp_avg": 0.0, "exp_inf": 0.0}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        moments, largest = bucket.states
        beta1, beta2 = group["betas"]
        mix(moments, grads, beta1)
        torch._foreach_mul_(largest, beta2)
        sizes = list(torch._foreach_abs(grads))
        torch._foreach_add_(sizes, group["eps"])
        torch._foreach_maximum_(largest, sizes)
        rate = rate / bucket.beside(1.0 - beta1**count)
        subtract_quotient(bucket.params, moments, largest, rate)
