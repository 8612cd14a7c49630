"""Schedulers that repeat: cyclic rates, cosine annealing with and without restarts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

# Rates are written in place, whatever graph is being recorded.
import torch

from agar._core.jit import jit_class as jit_class
from agar._core.parameter import Parameter
from agar._core.tensor import wrap
from agar.experimental.optim._scheduler_base import (
    LRScheduler,
    _checked_optimizer,
    _number,
    _per_group,
    _run,
    _whole,
    _write,
)
from agar.experimental.optim.optimizer import Optimizer
from agar.nn import _checks as check

__all__ = ["CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR"]


class CyclicLR(LRScheduler):
    r"""Lets the rate rise from `base_lr` to `max_lr` and fall again, in cycles.

    The height of the cycles stays (``"triangular"``), halves with each (``"triangular2"``), or is
    multiplied by `gamma` with each step (``"exp_range"``).

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        base_lr (Union[float, list[float]]): the lowest rate, of all groups or of each.
        max_lr (Union[float, list[float]]): the highest rate, of all groups or of each.
        step_size_up (int): the number of steps up. Default: ``2000``.
        step_size_down (int): the number of steps down; None is as many as up. Default: ``None``.
        mode (str): ``"triangular"``, ``"triangular2"`` or ``"exp_range"``. Default:
            ``"triangular"``.
        gamma (float): the factor of ``"exp_range"``. Default: ``1.0``.
        scale_fn (Callable): a custom function for the height, instead of `mode`. Default: ``None``.
        scale_mode (str): ``"cycle"`` if `scale_fn` is called with the number of the cycle, else
            with that of the step. Default: ``"cycle"``.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer.
        ValueError: the number of rates is not that of the groups, or `mode` is unknown and there
            is not a `scale_fn`.

    Difference from PyTorch: there is no cycle of the momentum.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.CyclicLR(optim.SGD([w], 0.5), 0.25, 0.75, step_size_up=2)
        >>> for _ in range(3):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.25 True
        0.5 True
        0.75 True
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[Any], Any] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
    ) -> None:
        lowest = _per_group(_checked_optimizer(optimizer), base_lr, "values for base_lr")
        if last_epoch == -1:
            for rate, group in zip(lowest, optimizer.param_groups, strict=True):
                _write(group["lr"], rate)
        self.max_lrs = _per_group(optimizer, max_lr, "values for max_lr")
        up = float(step_size_up)
        down = up if step_size_down is None else float(step_size_down)
        self.total_step_size = up + down
        self.step_up_ratio = up / self.total_step_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError(f"mode is invalid and scale_fn is None, but got mode {mode!r}")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        if scale_fn is None:
            scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.scale_mode = scale_mode
        self._lowest = lowest
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lowest

    def scale_fn(self, x: Any) -> Any:
        """The share of the height that a cycle, or a step, reaches.

        Args:
            x (number): the number of the cycle, from 1 on; or of the step, with
                ``scale_mode="iterations"``.
        """
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return self.gamma**x if self.mode == "exp_range" else 1.0 / 2.0 ** (x - 1.0)

    def get_lr(self) -> Any:
        cycle = math.floor(1.0 + self._epoch / self.total_step_size)
        place = 1.0 + self._epoch / self.total_step_size - cycle
        if place <= self.step_up_ratio:
            share = place / self.step_up_ratio
        else:
            share = (place - 1.0) / (self.step_up_ratio - 1.0)
        own = self._scale_fn_custom is not None
        number: Any = float(cycle) if self.scale_mode == "cycle" else self._epoch
        scale = self.scale_fn(wrap(torch.tensor(number)) if own else number)
        pairs = zip(self._lowest, self.max_lrs, strict=True)
        return [low + (high - low) * share * scale for low, high in pairs]


class CosineAnnealingWarmRestarts(LRScheduler):
    r"""Lets the rate fall along a cosine and start again, at ever longer intervals.

    .. math::
        lr_t = lr_{min} + \frac{1}{2} (lr_0 - lr_{min})
        \left(1 + \cos\left(\frac{T_{cur}}{T_i} \pi\right)\right)

    where :math:`T_{cur}` is the number of steps since the last start and :math:`T_i` that between
    two starts.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        T_0 (int): the number of steps before the first restart.
        T_mult (int): the factor by which it grows with each restart. Default: ``1``.
        eta_min (Union[float, int]): the smallest rate. Default: ``0``.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer, or an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: none in the numbers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.CosineAnnealingWarmRestarts(optim.SGD([w], 0.5), 2)
        >>> for _ in range(3):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 None
        0.25 None
        0.5 None
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
    ) -> None:
        if not isinstance(T_0, int) or T_0 <= 0:
            raise ValueError(f"T_0 should be an integer and greater than 0, but got {T_0}")
        if not isinstance(T_mult, int) or T_mult < 1:
            raise ValueError(
                f"T_mult should be an integer and equal or greater than 1, but got {T_mult}"
            )
        self.T_0 = _number(T_0, "T_0")
        self.T_i = _number(T_0, "T_i")
        self.T_mult = T_mult
        self.eta_min = check.number("CosineAnnealingWarmRestarts", "eta_min", eta_min)
        self.T_cur = _number(last_epoch, "T_cur")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        angle = math.pi * float(self.T_cur._value) / float(self.T_i._value)
        share = (1.0 + math.cos(angle)) / 2.0
        return [self.eta_min + (rate - self.eta_min) * share for rate in self.base_lrs]

    def step(self, epoch: Any = None) -> Any:
        """Change the rates.

        Args:
            epoch (Union[int, float]): the step to go to, may lie between two; None goes to the
                next. Default: ``None``.

        Returns:
            None.

        Raises:
            ValueError: `epoch` is negative.
        """
        if epoch is not None and epoch < 0:
            raise ValueError(f"epoch should be a non-negative integer, but got {epoch}")
        _run(self, self._advance, (epoch,))

    def _changed(self) -> list[Parameter]:
        return [*super()._changed(), self.T_cur, self.T_i]

    def _advance(self, epoch: Any) -> None:
        first, factor = float(self.T_0._value), self.T_mult
        if epoch is None and self._epoch < 0:
            epoch = 0.0
        if epoch is None:
            epoch = self._epoch + 1.0
            done = float(self.T_cur._value) + 1.0
            length = float(self.T_i._value)
            if done >= length:
                done, length = done - length, length * factor
        else:
            epoch = float(epoch)
            done, length = epoch, first
            if epoch >= first and factor == 1:
                done = epoch % first
            elif epoch >= first:
                restarts = int(math.log(epoch / first * (factor - 1) + 1, factor))
                done = epoch - first * (factor**restarts - 1) / (factor - 1)
                length = first * factor**restarts
        _write(self.T_cur, done)
        _write(self.T_i, length)
        _write(self.last_epoch, math.floor(epoch))
        for rate, value in zip(self._last_lr, self.get_lr(), strict=True):
            _write(rate, value)


class CosineAnnealingLR(LRScheduler):
    r"""Lets the rate fall along a cosine, and rise again.

    .. math::
        lr_t = lr_{min} + \frac{1}{2} (lr_0 - lr_{min})
        \left(1 + \cos\left(\frac{t}{T_{max}} \pi\right)\right)

    A step multiplies the rate that it finds, so changes from outside stay.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        T_max (int): the number of steps down.
        eta_min (Union[float, int]): the smallest rate. Default: ``0.0``.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer, or an argument has the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.CosineAnnealingLR(optim.SGD([w], 0.5), 2)
        >>> for _ in range(3):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 True
        0.25 True
        0.0 True
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        self.eta_min = check.number("CosineAnnealingLR", "eta_min", eta_min)
        self.T_max = _whole("CosineAnnealingLR", "T_max", T_max)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        epoch, half, least = self._epoch, self.T_max, self.eta_min
        if epoch == 0:
            return self._times(1.0)
        if (epoch - 1 - half) % (2 * half) == 0:
            rise = (1.0 - math.cos(math.pi / half)) / 2.0
            pairs = zip(self.base_lrs, self._last_lr, strict=True)
            return [rate + (base - least) * rise for base, rate in pairs]
        factor = (1.0 + math.cos(math.pi * epoch / half)) / (
            1.0 + math.cos(math.pi * (epoch - 1) / half)
        )
        return [(rate - least) * factor + least for rate in self._last_lr]

    def _get_closed_form_lr(self) -> Any:
        share = (1.0 + math.cos(math.pi * self._epoch / self.T_max)) / 2.0
        return [self.eta_min + (rate - self.eta_min) * share for rate in self.base_lrs]
