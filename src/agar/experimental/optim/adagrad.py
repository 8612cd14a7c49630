"""Adagrad."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, above, not_less
from agar.nn.optim._update import Rate, Tensors, subtract_quotient
from agar.nn.optim.optimizer import Bucket

__all__ = ["Adagrad"]


class Adagrad(Optimizer):
    r"""Adagrad: steps divided by the root of all squared gradients so far.

    .. math::
        s_t = s_{t-1} + g_t^2, \quad
        w_t = w_{t-1} - \frac{lr}{1 + (t - 1) \eta} \cdot \frac{g_t}{\sqrt{s_t} + eps}

    where :math:`\eta` is `lr_decay`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``1e-2``.
        lr_decay (float): how fast the learning rate falls. Default: ``0.0``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.
        initial_accumulator_value (float): the sum of squares before the first step. Default:
            ``0.0``.
        eps (float): added to the root. Default: ``1e-10``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.Adagrad``).

    Source: Duchi et al. (2011), Adaptive Subgradient Methods for Online Learning;
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.Adagrad([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _step_count = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ) -> None:
        above("Adagrad", "lr", lr)
        not_less("Adagrad", "lr_decay", lr_decay)
        not_less("Adagrad", "weight_decay", weight_decay)
        not_less("Adagrad", "initial_accumulator_value", initial_accumulator_value)
        above("Adagrad", "eps", eps)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"accum": self.defaults["initial_accumulator_value"]}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        sums = bucket.states[0]
        torch._foreach_addcmul_(sums, grads, grads, value=1.0)
        roots = list(torch._foreach_sqrt(sums))
        torch._foreach_add_(roots, group["eps"])
        slower = bucket.beside(1.0 + (count - 1.0) * group["lr_decay"])
        subtract_quotient(bucket.params, grads, roots, rate / slower)
