"""RAdam."""

from __future__ import annotations

import math
from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, above, choose, not_less, share
from agar.nn.optim._update import Rate, Tensors, add_scaled, mix, mix_squares, subtract_quotient
from agar.nn.optim.optimizer import Bucket

__all__ = ["RAdam"]


class RAdam(Optimizer):
    r"""Adam whose first steps do without the average square, as long as that is uncertain.

    .. math::
        \rho_\infty = \frac{2}{1 - \beta_2} - 1, \quad
        \rho_t = \rho_\infty - \frac{2 t \beta_2^t}{1 - \beta_2^t}, \quad
        \hat m_t = \frac{m_t}{1 - \beta_1^t}

    Where :math:`\rho_t > 5`,

    .. math::
        w_t = w_{t-1} - lr \cdot \hat m_t
        \sqrt{\frac{(\rho_t - 4)(\rho_t - 2) \rho_\infty}
        {(\rho_\infty - 4)(\rho_\infty - 2) \rho_t}}
        \cdot \frac{\sqrt{1 - \beta_2^t}}{\sqrt{v_t} + eps}

    and before that :math:`w_t = w_{t-1} - lr \cdot \hat m_t`; m and v are those of :class:`Adam`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``1e-3``.
        betas (tuple[float, float]): decay rate of the mean gradient and of the mean squared
            gradient, in [0, 1). Default: ``(0.9, 0.999)``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.RAdam``); there is no ``maximize``.

    Source: Liu et al. (2019), On the Variance of the Adaptive Learning Rate and Beyond;
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.RAdam([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _step_count = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        above("RAdam", "lr", lr)
        not_less("RAdam", "weight_decay", weight_decay)
        above("RAdam", "eps", eps)
        share("RAdam", "betas[0]", betas[0])
        share("RAdam", "betas[1]", betas[1])
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, defaults)
        self._make_step_count()
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"exp_avg": 0.0, "exp_avg_sq": 0.0}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        moments, squares = bucket.states
        beta1, beta2 = group["betas"]
        mix(moments, grads, beta1)
        mix_squares(squares, grads, beta2)
        rate = rate / bucket.beside(1.0 - beta1**count)
        left = 1.0 - beta2**count
        longest = 2.0 / (1.0 - beta2) - 1.0
        length = longest - 2.0 * count * (1.0 - left) / left
        roots = list(torch._foreach_sqrt(squares))
        torch._foreach_add_(roots, group["eps"])
        if not isinstance(length, torch.Tensor):
            if length <= 5.0:
                add_scaled(bucket.params, moments, -rate)
            else:
                factor = math.sqrt(_rectified(length, longest) * left)
                subtract_quotient(bucket.params, moments, roots, rate * factor)
            return
        # in a graph both kinds of step are one: divisors of 1 where the square is uncertain
        certain = length > 5.0
        factor = torch.sqrt(choose(certain, _rectified(length, longest) * left, 1.0, bucket))
        divisors = [choose(certain, root, 1.0, bucket) for root in roots]
        subtract_quotient(bucket.params, moments, divisors, rate * factor)


def _rectified(length: Any, longest: float) -> Any:
    """How far the average square can be trusted after so many steps."""
    known = (length - 4.0) * (length - 2.0) * longest
    return known / ((longest - 4.0) * (longest - 2.0) * length)
