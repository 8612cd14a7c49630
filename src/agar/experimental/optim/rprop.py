"""Rprop."""

from __future__ import annotations

from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar.experimental.optim.optimizer import Group, Optimizer, above, choose
from agar.nn import _checks as check
from agar.nn.optim._update import Rate, Tensors
from agar.nn.optim.optimizer import Bucket

__all__ = ["Rprop"]


class Rprop(Optimizer):
    r"""Steps of the gradient's sign, with a size of their own for each element.

    A step grows by the larger of `etas` while the sign of its gradient stays, and shrinks by the
    smaller when it turns; in the step after a turn the element stays where it is.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them with options
            of their own, see :class:`Optimizer`.
        lr (Union[int, float, Tensor]): the size of the first steps. Default: ``1e-2``.
        etas (tuple[float, float]): shrinking factor, in (0, 1), and growing factor, above 1.
            Default: ``(0.5, 1.2)``.
        step_sizes (tuple[float, float]): the smallest and the largest step. Default:
            ``(1e-6, 50)``.

    Keyword Args:
        maximize (bool): whether to maximize instead of minimize. Default: ``False``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: bool, True.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option is out of range.
        RuntimeError: there are more or fewer gradients than parameters.

    Difference from PyTorch: none in the numbers (``torch.optim.Rprop``).

    Source: Riedmiller and Braun (1993), A direct adaptive method for faster backpropagation
    learning; behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> optim.Rprop([w], lr=0.5)((ms.Tensor([1.0, -1.0]),))
        True
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _step_count = "step_t"

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ) -> None:
        above("Rprop", "lr", lr)
        above("Rprop", "etas[1]", etas[1], 1.0)
        check.open_unit("Rprop", "etas[0]", etas[0])
        defaults = {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize}
        super().__init__(params, defaults)
        self._make_states()

    def _kinds(self) -> dict[str, float]:
        return {"prev": 0.0, "step_size": 0.0}

    def _update(
        self, bucket: Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        before, sizes = bucket.states
        if isinstance(count, torch.Tensor):
            for size in sizes:
                size.copy_(choose(count == 1.0, rate, size, bucket))
        elif count == 1.0:
            for size in sizes:
                size.fill_(rate)
        shrink, grow = group["etas"]
        low, high = group["step_sizes"]
        for p, g, last, size in zip(bucket.params, grads, before, sizes, strict=True):
            product = g * last
            turned = product < 0
            factor = torch.where(product > 0, grow, 1.0).to(size.dtype)
            size.mul_(factor.masked_fill_(turned, shrink)).clamp_(low, high)
            last.copy_(g).masked_fill_(turned, 0.0)
            p.addcmul_(last.sign(), size, value=-1.0)
