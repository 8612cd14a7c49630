"""LARS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

# Gradients are scaled by torch's multi-tensor kernels.
import torch

from agar._core.parameter import Parameter, parameter_over
from agar._core.tensor import Tensor, wrap
from agar.nn import _checks as check
from agar.nn.optim._settings import _WrappedWeightDecay
from agar.nn.optim.optimizer import Optimizer

__all__ = ["LARS"]


def _not_norm_or_bias(parameter: Parameter) -> bool:
    """The parameters that LARS scales by default: no LayerNorm and no bias, judged by name."""
    return "LayerNorm" not in parameter.name and "bias" not in parameter.name


class LARS(Optimizer):
    r"""A wrapper that sets the size of each parameter's step by the parameter's norm.

    .. math::
        \lambda = \frac{c \|w\|}{\|g\| + decay \|w\| + eps}, \quad
        g' = \lambda (g + decay \cdot w)

    where c is `coefficient`; the wrapped optimizer is then called with g' and without its weight
    decay. With `use_clip`, :math:`\min(\lambda / lr, 1)` takes the place of :math:`\lambda`. Where
    a norm is zero, :math:`\lambda` is 1.

    Args:
        optimizer (Optimizer): what makes the steps; its weight decay is taken over.
        epsilon (float): added to the divisor. Default: ``1e-5``.
        coefficient (float): the size of a step relative to the parameter. Default: ``0.001``.
        use_clip (bool): whether the step may not exceed that of the optimizer alone.
            Default: ``False``.
        lars_filter (Callable): takes a Parameter and says whether it is scaled; the others get
            their gradient as it is, without decay. Default: names without ``LayerNorm`` and
            ``bias``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: What `optimizer` returns.

    Raises:
        TypeError: `optimizer` is not an Optimizer, or an argument has the wrong type.

    Difference from PyTorch: no counterpart.

    Source: You et al. (2017), Large Batch Training of Convolutional Networks. MindSpore 2.10 has no
    kernel of it on CPU, so its numbers were not compared.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([3.0, 4.0]), name="w")
        >>> opt = nn.LARS(nn.SGD([w], 1.0), epsilon=0.0, coefficient=0.5)
        >>> opt((ms.Tensor([0.0, 1.0]),))
        (True,)
        >>> print(w.value())
        [3.  1.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        epsilon: float = 1e-5,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Callable[[Parameter], bool] = _not_norm_or_bias,
    ) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(
                "For 'LARS', the 'optimizer' must be an nn.Optimizer, but got "
                f"{type(optimizer).__name__}."
            )
        # MindSpore's checkpoints have these two; nothing else is done with them
        fake = parameter_over(torch.zeros(()), "fake_param")
        super().__init__(0.0, [fake])
        self.learning_rate.name = "fake_lr"
        self.epsilon = check.float_only("LARS", "epsilon", epsilon)
        self.coefficient = check.float_only("LARS", "coefficient", coefficient)
        self.use_clip = check.boolean("LARS", "use_clip", use_clip)
        self.opt = optimizer
        self.global_step = optimizer.global_step
        self.parameters = optimizer.parameters
        self.lars_flag = tuple(bool(lars_filter(p)) for p in optimizer.parameters)
        self._taken = optimizer._decays
        optimizer.drop_weight_decay()
        self.loss_scale = optimizer.loss_scale

    def construct(self, gradients: Sequence[Tensor]) -> Any:
        """Scale the gradients and call the optimizer with them."""
        opt = self.opt
        opt._buckets()
        grads = opt._checked(gradients)
        with torch.no_grad():
            rates = [opt._current(rate) for rate in opt._rates]
            scaled = [
                self._scaled(place, p._value, g, rates[opt._rate_of[place]]) if used else g
                for place, (p, g, used) in enumerate(
                    zip(opt.parameters, grads, self.lars_flag, strict=True)
                )
            ]
        return opt(tuple(wrap(g) for g in scaled))

    def _scaled(self, place: int, w: torch.Tensor, g: torch.Tensor, rate: Any) -> torch.Tensor:
        decay: Any = self._taken[place]
        if isinstance(decay, _WrappedWeightDecay):
            decay = self.opt._current(decay.weight_decay)
        scale = self.loss_scale  # the optimizer divides by it afterwards
        length, size = g.norm() / scale, w.norm()
        trust = self.coefficient * size / (length + decay * size + self.epsilon)
        trust = torch.where((size > 0) & (length > 0), trust, 1.0)
        if self.use_clip:
            trust = torch.clamp(trust / rate, max=1.0)
        return trust * (g + (decay * scale) * w)

    def get_lr(self) -> Any:
        """The learning rate of the wrapped optimizer."""
        return self.opt.get_lr()
