"""Adadelta."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, above, not_less
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors, add_scaled, mix_squares
from agar.nn.optim.optimizer import Bucket

__all__ = ["Adadelta"]


class Adadelta(Optimizer):
    r"""Adadelta: steps in the ratio of the average step to the average gradient.

    .. math::
        v_t = \rho v_{t-1} + (1 - \rho) g_t^2, \quad
        d_t = \frac{\sqrt{u_{t-1} + eps}}{\sqrt{v_t + eps}} g_t

        u_t = \rho u_{t-1} + (1 - \rho) d_t^2, \quad w_t = w_{t-1} - lr \cdot d_t

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``1.0``.
        rho (float): decay of both averages, in [0, 1]. Default: ``0.9``.
        eps (float): added under the roots. Default: ``1e-6``.
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

    Difference from PyTorch: none in the numbers (``torch.optim.Adadelta``).

    Source: Zeiler (2012), ADADELTA: An Adaptive Learning Rate Method; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.Adadelta([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.9984 2.0016]
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ) -> None:
        above("Adadelta", "lr", lr)
        above("Adadelta", "eps", eps)
        not_less("Adadelta", "weight_decay", weight_decay)
        if not 0.0 <= check.float_only("Adadelta", "rho", rho) <= 1.0:
            raise ValueError(
                f"For 'Adadelta', the 'rho' must be in range of [0.0, 1.0], but got {rho}."
            )
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"accum": 0.0, "accum_update": 0.0}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        squares, steps = bucket.states
        mix_squares(squares, grads, group["rho"])
        roots = list(torch._foreach_add(squares, group["eps"]))
        torch._foreach_sqrt_(roots)
        items = list(torch._foreach_add(steps, group["eps"]))
        torch._foreach_sqrt_(items)
        torch._foreach_div_(items, roots)
        torch._foreach_mul_(items, grads)
        mix_squares(steps, items, group["rho"])
        add_scaled(bucket.params, items, -rate)
