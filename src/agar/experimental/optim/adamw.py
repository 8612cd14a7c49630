"""AdamW."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, valid_adam
from agar.nn.optim._update import Rate, Tensors, mix, mix_squares, scaled, subtract_quotient
from agar.nn.optim.optimizer import Bucket

__all__ = ["AdamW"]


class AdamW(Optimizer):
    r"""Adam with decoupled weight decay and, if wanted, AMSGrad.

    .. math::
        m_t = \beta_1 m_{t-1} + (1 - \beta_1) g_t, \quad
        v_t = \beta_2 v_{t-1} + (1 - \beta_2) g_t^2

        w_t = (1 - lr \cdot decay) w_{t-1} - \frac{lr}{1 - \beta_1^t} \cdot
        \frac{m_t}{\sqrt{v_t} / \sqrt{1 - \beta_2^t} + eps}

    With `amsgrad`, the largest v so far takes the place of :math:`v_t`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``1e-3``.
        betas (tuple[float, float]): decay rate of the mean gradient and of the mean squared
            gradient, in [0, 1). Default: ``(0.9, 0.999)``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): decay of the parameters. Default: ``1e-2``.
        amsgrad (bool): whether the largest v so far is used (AMSGrad). Default: ``False``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.AdamW``).

    Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization (2017); behavior
    observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.AdamW([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.495 2.49 ]
    """

    _step_count = "state_step"
    _decays_itself = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
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
        corrected_step(bucket, grads, rate, group, count, decoupled=True)


def corrected_step(
    bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate, *, decoupled: bool
) -> None:
    """A step of Adam as in PyTorch: eps is added to the corrected root.

    The states are the averages of gradients and of squares, and for AMSGrad the largest of those.
    """
    moment1, moment2, *rest = bucket.states
    beta1, beta2 = group["betas"]
    decay = group["weight_decay"]
    if bucket.fused:
        kernel: Any = torch._fused_adamw_ if decoupled else torch._fused_adam_
        device = grads[0].device
        if isinstance(count, torch.Tensor):
            steps = count.to(device)
        else:
            steps = torch.full((), count, dtype=torch.float32, device=device)
        kernel(
            bucket.params,
            grads,
            moment1,
            moment2,
            rest[0] if group["amsgrad"] else [],
            [steps] * len(grads),
            lr=rate,
            beta1=beta1,
            beta2=beta2,
            weight_decay=decay,
            eps=group["eps"],
            amsgrad=bool(group["amsgrad"]),
            maximize=False,
        )
        return
    if decoupled:
        torch._foreach_mul_(bucket.params, 1.0 - rate * decay)
    elif decay:
        grads = scaled(grads, bucket.params, decay)
    mix(moment1, grads, beta1)
    mix_squares(moment2, grads, beta2)
    squares = moment2
    if group["amsgrad"]:
        torch._foreach_maximum_(rest[0], moment2)
        squares = rest[0]
    roots = list(torch._foreach_sqrt(squares))
    torch._foreach_div_(roots, bucket.beside((1.0 - beta2**count) ** 0.5))
    torch._foreach_add_(roots, group["eps"])
    subtract_quotient(bucket.params, moment1, roots, rate / bucket.beside(1.0 - beta1**count))
