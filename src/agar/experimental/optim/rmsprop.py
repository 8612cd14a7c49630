"""RMSprop."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, above, not_less
from agar.nn.optim._update import Rate, Tensors, add_scaled, mix, mix_squares, subtract_quotient
from agar.nn.optim.optimizer import Bucket

__all__ = ["RMSprop"]


class RMSprop(Optimizer):
    r"""RMSprop: steps divided by the root of the average square of the gradients.

    .. math::
        s_t = \alpha s_{t-1} + (1 - \alpha) g_t^2, \quad
        w_t = w_{t-1} - lr \frac{g_t}{\sqrt{s_t} + eps}

    With `momentum` u, :math:`b_t = u b_{t-1} + g_t / (\sqrt{s_t} + eps)` takes the place of the
    quotient; `centered`, the square of the average gradient is taken off :math:`s_t`.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the learning rate, a scalar Tensor or a number. Default:
            ``1e-2``.
        alpha (float): decay of the averages. Default: ``0.99``.
        eps (float): added to the root. Default: ``1e-8``.
        weight_decay (float): factor of the parameters added to their gradients. Default: ``0.0``.
        momentum (float): the momentum, the fraction of the last step that is kept. Default:
            ``0.0``.
        centered (bool): whether gradients are taken less their average. Default: ``False``.
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.RMSprop``).

    Source: Hinton (2012), Neural Networks for Machine Learning, lecture 6e; behavior observed
    in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.RMSprop([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [-4.  7.]
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        maximize: bool = False,
    ) -> None:
        above("RMSprop", "lr", lr)
        not_less("RMSprop", "alpha", alpha)
        above("RMSprop", "eps", eps)
        not_less("RMSprop", "momentum", momentum)
        not_less("RMSprop", "weight_decay", weight_decay)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, defaults)
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"mean_grad": 0.0, "mean_square": 0.0, "moment": 0.0}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        means, squares, moments = bucket.states
        mix_squares(squares, grads, group["alpha"])
        if group["centered"]:
            mix(means, grads, group["alpha"])
            roots = list(torch._foreach_addcmul(squares, means, means, value=-1.0))
            torch._foreach_sqrt_(roots)
        else:
            roots = list(torch._foreach_sqrt(squares))
        torch._foreach_add_(roots, group["eps"])
        if group["momentum"] > 0.0:
            torch._foreach_mul_(moments, group["momentum"])
            torch._foreach_addcdiv_(moments, grads, roots, value=1.0)
            add_scaled(bucket.params, moments, -rate)
        else:
            subtract_quotient(bucket.params, grads, roots, rate)
