"""Adam."""

from __future__ import annotations

import math
from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, valid_adam
from agar.nn.optim._update import Rate, Tensors, single
from agar.nn.optim.adam import follow
from agar.nn.optim.optimizer import Bucket

__all__ = ["Adam"]


class Adam(Optimizer):
    r"""Adam: steps along the mean gradient, divided by the root of the mean squared gradient.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad
        v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2

        w_t = w_{t-1} - lr \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \cdot
        \frac{m_t}{\sqrt{v_t} + eps}

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``1e-3``.
        betas (tuple[float, float]): decay rate of the mean gradient and of the mean squared
            gradient, in [0, 1). Default: ``(0.9, 0.999)``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.
        amsgrad (bool): accepted and shown; MindSpore 2.10 makes the same steps with it. Use
            :class:`AdamW` or ``mint.optim.Adam`` for AMSGrad. Default: ``False``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: ``torch.optim.Adam`` adds eps after the correction of v, so that it
    counts more in the first steps, and applies `amsgrad`.

    Source: Kingma and Ba, Adam (2014), section 2, efficient version; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.Adam([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _step_count = "state_step"
    _decays_itself = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        valid_adam(lr, betas, eps, weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"exp_avg": 0.0, "exp_avg_sq": 0.0, "max_exp_avg_sq": 0.0}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        beta1, beta2 = group["betas"]
        power1, power2 = 1.0 - beta1**count, 1.0 - beta2**count
        root = torch.sqrt(power2) if isinstance(power2, torch.Tensor) else math.sqrt(power2)
        follow(
            bucket,
            grads,
            bucket.states[:2],
            rate * (root / power1),
            (single(beta1), single(beta2)),
            group["eps"],
            group["weight_decay"],
        )
