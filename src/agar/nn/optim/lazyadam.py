"""LazyAdam."""

from __future__ import annotations

from typing import Any

from agar.nn.optim.adam import BiasCorrected

__all__ = ["LazyAdam"]


class LazyAdam(BiasCorrected):
    r"""Adam under the name by which MindSpore updates only the rows that sparse gradients hold.

    Gradients in agar are dense, and for these the numbers are those of :class:`Adam`.

    Args:
        params (Union[list[Parameter], list[dict]]): see :class:`Adam`.
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): see
            :class:`Adam`. Default: ``1e-3``.
        beta1 (float): see :class:`Adam`. Default: ``0.9``.
        beta2 (float): see :class:`Adam`. Default: ``0.999``.
        eps (float): see :class:`Adam`. Default: ``1e-8``.
        use_locking (bool): accepted. Default: ``False``.
        use_nesterov (bool): see :class:`Adam`. Default: ``False``.
        weight_decay (Union[float, int, Cell]): see :class:`Adam`. Default: ``0.0``.
        loss_scale (float): see :class:`Adam`. Default: ``1.0``.

    Inputs:
        - **gradients** (tuple[Tensor]) - one for each parameter.

    Outputs: tuple[bool], all True.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.optim.SparseAdam`` takes sparse gradients only; else see
    :class:`Adam`.

    Source: Kingma and Ba, Adam (2014); behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> nn.LazyAdam([w], learning_rate=0.5)((ms.Tensor([1.0, -1.0]),))
        (True,)
        >>> print(w.asnumpy().round(4))
        [0.5 2.5]
    """

    _power_shape = (1,)

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._prepare(beta1, beta2, eps, use_locking, use_nesterov)
