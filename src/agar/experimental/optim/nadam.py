"""NAdam."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.parameter import Parameter, ParameterTuple, parameter_over
from agar.experimental.optim.optimizer import Group, Optimizer, above, not_less, share
from agar.nn.optim._update import Rate, Tensors, mix, mix_squares, subtract_quotient
from agar.nn.optim.optimizer import Bucket

__all__ = ["NAdam"]


class NAdam(Optimizer):
    r"""Adam with Nesterov momentum, which grows with the steps.

    .. math::
        \mu_t = \beta_1 (1 - \tfrac{1}{2} 0.96^{t \psi}), \quad M_t = \mu_1 \cdots \mu_t, \quad
        r_t = \sqrt{v_t / (1 - \beta_2^t)} + eps

        w_t = w_{t-1} - lr \frac{1 - \mu_t}{1 - M_t} \cdot \frac{g_t}{r_t}
        - lr \frac{\mu_{t+1}}{1 - M_t \mu_{t+1}} \cdot \frac{m_t}{r_t}

    where m and v are the averages of :class:`Adam` and :math:`\psi` is `momentum_decay`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``2e-3``.
        betas (tuple[float, float]): decay rate of the mean gradient and of the mean squared
            gradient, in [0, 1). Default: ``(0.9, 0.999)``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.
        momentum_decay (float): how fast the momentum grows. Default: ``4e-3``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.NAdam``); there is no ``maximize``.

    Source: Dozat (2016), Incorporating Nesterov Momentum into Adam; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.NAdam([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.4718 2.5282]
    """

    _step_count = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
    ) -> None:
        above("NAdam", "lr", lr)
        above("NAdam", "eps", eps)
        not_less("NAdam", "weight_decay", weight_decay)
        not_less("NAdam", "momentum_decay", momentum_decay)
        share("NAdam", "betas[0]", betas[0])
        share("NAdam", "betas[1]", betas[1])
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
        }
        super().__init__(params, defaults)
        self._make_step_count()
        self._make_states()
        self.mu_product = [_product(p) for p in self.parameters]

    def _kinds(self) -> dict[str, float]:
        return {"exp_avg": 0.0, "exp_avg_sq": 0.0}

    def _grow(self, members: ParameterTuple) -> None:
        super()._grow(members)
        self.mu_product += [_product(p) for p in members]

    def _scalars(self) -> list[Parameter]:
        return [*super()._scalars(), *self.mu_product]

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        moments, squares = bucket.states
        beta1, beta2 = group["betas"]
        mix(moments, grads, beta1)
        mix_squares(squares, grads, beta2)
        roots = list(torch._foreach_div(squares, bucket.beside(1.0 - beta2**count)))
        torch._foreach_sqrt_(roots)
        torch._foreach_add_(roots, group["eps"])
        now, ahead = (
            beta1 * (1.0 - 0.5 * 0.96 ** (t * group["momentum_decay"])) for t in (count, count + 1)
        )
        products = [self.mu_product[i]._value for i in bucket.places]
        for product in products:
            product.mul_(now)
        # the members of a group share their count of steps, and so their product
        product = products[0] if isinstance(count, torch.Tensor) else float(products[0])
        subtract_quotient(
            bucket.params, grads, roots, rate * bucket.beside((1.0 - now) / (1.0 - product))
        )
        subtract_quotient(
            bucket.params, moments, roots, rate * bucket.beside(ahead / (1.0 - product * ahead))
        )


def _product(p: Parameter) -> Parameter:
    """The product of all momenta so far."""
    return parameter_over(torch.tensor(1.0), f"mu_product_{p.name}")
