"""Schedulers: objects that change the learning rates of an experimental optimizer.

NOTE A step is Python. Rates lie on the host, and a step reads and writes them there. In a graph it
stays one piece of Python that runs at every replay, so the rate changes and nothing is recorded
anew.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from typing import Any

# Rates are written in place, whatever graph is being recorded.
import torch

from agar._core.errors import describe
from agar._core.jit import jit_class as jit_class
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.experimental.optim._periodic_schedulers import (
    CosineAnnealingLR,
    CosineAnnealingWarmRestarts,
    CyclicLR,
)
from agar.experimental.optim._scheduler_base import (
    LRScheduler,
    _checked_optimizer,
    _number,
    _per_group,
    _run,
    _snapshot,
    _whole,
    _write,
)
from agar.experimental.optim.optimizer import Optimizer
from agar.nn import _checks as check
from agar.nn._parts import WithParts

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


class StepLR(LRScheduler):
    r"""Multiplies the rate by `gamma` after every `step_size` steps.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        step_size (int): the number of steps between changes.
        gamma (float): the factor. Default: ``0.1``.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer, or an argument has the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.StepLR(optim.SGD([w], 0.5), 2, gamma=0.5)
        >>> for _ in range(3):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 True
        0.5 True
        0.25 True
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = _whole("StepLR", "step_size", step_size)
        self.gamma = check.float_only("StepLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        changes = self._epoch != 0 and self._epoch % self.step_size == 0
        return self._times(self.gamma if changes else 1.0)

    def _get_closed_form_lr(self) -> Any:
        factor = self.gamma ** (self._epoch // self.step_size)
        return [rate * factor for rate in self.base_lrs]


class LinearLR(LRScheduler):
    r"""Multiplies the initial rate by a factor that changes linearly with the steps.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        start_factor (float): the factor at first, in (0, 1]. Default: ``1.0 / 3``.
        end_factor (float): the factor at last, in [0, 1]. Default: ``1.0``.
        total_iters (int): the number of steps between them. Default: ``5``.
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
        >>> scheduler = optim.lr_scheduler.LinearLR(
        ...     optim.SGD([w], 0.5), start_factor=0.5, total_iters=2
        ... )
        >>> for _ in range(3):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.25 True
        0.375 True
        0.5 True
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less than or "
                f"equal to 1, but got {start_factor}."
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError(
                "Ending multiplicative factor expected to be between 0 and 1, but got "
                f"{end_factor}."
            )
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = _whole("LinearLR", "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        if self._epoch == 0:
            return self._times(self.start_factor)
        if self._epoch > self.total_iters:
            return self._times(1.0)
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self._epoch - 1) * rise
        return self._times(1.0 + rise / before)

    def _get_closed_form_lr(self) -> Any:
        done = min(self.total_iters, self._epoch) / self.total_iters
        factor = self.start_factor + (self.end_factor - self.start_factor) * done
        return [rate * factor for rate in self.base_lrs]


class ExponentialLR(LRScheduler):
    r"""Multiplies the rate by `gamma` at every step.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        gamma (float): the factor.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer, or an argument has the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.ExponentialLR(optim.SGD([w], 0.5), gamma=0.5)
        >>> for _ in range(2):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 True
        0.25 True
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = check.float_only("ExponentialLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        return self._times(1.0 if self._epoch == 0 else self.gamma)

    def _get_closed_form_lr(self) -> Any:
        return [rate * self.gamma**self._epoch for rate in self.base_lrs]


class PolynomialLR(LRScheduler):
    r"""Lets the rate fall to 0 as a power of the steps that are left.

    .. math::
        lr_t = lr_0 \left(1 - \frac{\min(t, n)}{n}\right)^{power}

    where n is `total_iters`.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        total_iters (int): the number of steps to 0. Default: ``5``.
        power (float): the power. Default: ``1.0``.
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
        >>> scheduler = optim.lr_scheduler.PolynomialLR(optim.SGD([w], 0.5), total_iters=4)
        >>> for _ in range(2):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 True
        0.375 True
    """

    def __init__(
        self,
        optimizer: Optimizer,
        total_iters: int = 5,
        power: float = 1.0,
        last_epoch: int = -1,
    ) -> None:
        self.power = check.not_negative("PolynomialLR", "power", power)
        self.total_iters = _whole("PolynomialLR", "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        epoch, total = self._epoch, self.total_iters
        if epoch == 0 or epoch > total:
            return self._times(1.0)
        return self._times(((1.0 - epoch / total) / (1.0 - (epoch - 1) / total)) ** self.power)

    def _get_closed_form_lr(self) -> Any:
        left = 1.0 - min(self.total_iters, self._epoch) / self.total_iters
        return [rate * left**self.power for rate in self.base_lrs]


class LambdaLR(LRScheduler):
    r"""Multiplies the initial rate by a function of the step.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        lr_lambda (Union[Callable, list[Callable]]): called with ``last_epoch``, a Parameter,
            returns the factor; or one for each group.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer.
        ValueError: the number of functions is not that of the groups.

    Difference from PyTorch: the function is called with a Parameter.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.LambdaLR(optim.SGD([w], 0.5), lambda epoch: 0.5**epoch)
        >>> for _ in range(2):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 True
        0.25 True
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = _per_group(_checked_optimizer(optimizer), lr_lambda, "lr_lambdas")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        pairs = zip(self.lr_lambdas, self.base_lrs, strict=True)
        return [rate * factor(self.last_epoch) for factor, rate in pairs]


class MultiplicativeLR(LRScheduler):
    r"""Multiplies the rate by a function of the step.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        lr_lambda (Union[Callable, list[Callable]]): called with ``last_epoch``, a Parameter,
            returns the factor; or one for each group.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer.
        ValueError: the number of functions is not that of the groups.

    Difference from PyTorch: the function is called with a Parameter.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.MultiplicativeLR(optim.SGD([w], 0.5), lambda epoch: 0.5)
        >>> for _ in range(2):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 True
        0.25 True
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = _per_group(_checked_optimizer(optimizer), lr_lambda, "lr_lambdas")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        if self._epoch <= 0:
            return self._times(1.0)
        pairs = zip(self.lr_lambdas, self._last_lr, strict=True)
        return [rate * factor(self.last_epoch) for factor, rate in pairs]


class MultiStepLR(LRScheduler):
    r"""Multiplies the rate by `gamma` at each of the `milestones`.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        milestones (list[int]): the steps; one that stands twice counts twice.
        gamma (Union[float, int]): the factor. Default: ``0.1``.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer, or an argument has the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> scheduler = optim.lr_scheduler.MultiStepLR(optim.SGD([w], 0.5), [1], gamma=0.5)
        >>> for _ in range(2):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.5 True
        0.25 True
    """

    def __init__(
        self, optimizer: Optimizer, milestones: list[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        if not isinstance(milestones, list):
            raise TypeError(
                f"For 'MultiStepLR', the 'milestones' must be list, but got {describe(milestones)}."
            )
        for milestone in milestones:
            _whole("MultiStepLR", "milestones[i]", milestone)
        self.milestones = Counter(milestones)
        self.gamma = check.number("MultiStepLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        return self._times(self.gamma ** self.milestones.get(int(self._epoch), 0))

    def _get_closed_form_lr(self) -> Any:
        passed = sum(n for step, n in self.milestones.items() if step <= self._epoch)
        return [rate * self.gamma**passed for rate in self.base_lrs]


class ConstantLR(LRScheduler):
    r"""Multiplies the initial rate by `factor` for the first `total_iters` steps.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        factor (float): the factor, in [0, 1]. Default: ``1.0 / 3``.
        total_iters (int): the number of steps. Default: ``5``.
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
        >>> scheduler = optim.lr_scheduler.ConstantLR(
        ...     optim.SGD([w], 0.5), factor=0.5, total_iters=1
        ... )
        >>> for _ in range(2):
        ...     print(scheduler.get_last_lr()[0], scheduler.step())
        0.25 True
        0.5 True
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError(
                f"Constant multiplicative factor expected to be between 0 and 1, but got {factor}."
            )
        self.factor = factor
        self.total_iters = _whole("ConstantLR", "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Any:
        if self._epoch == 0:
            return self._times(self.factor)
        if self._epoch != self.total_iters:
            return self._times(1.0)
        return [rate / self.factor for rate in self._last_lr]

    def _get_closed_form_lr(self) -> Any:
        factor = 1.0 if self._epoch >= self.total_iters else self.factor
        return [rate * factor for rate in self.base_lrs]


class SequentialLR(WithParts):
    r"""Goes on with the next of several schedulers at each of the `milestones`.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        schedulers (list[LRScheduler]): the schedulers, all of `optimizer`.
        milestones (list[int]): the steps at which the next one begins, one less than schedulers.
        last_epoch (int): how many steps were made. Default: ``-1``.

    Raises:
        ValueError: a scheduler is of another optimizer, or the number of milestones does not fit.

    Difference from PyTorch: none in the numbers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> opt = optim.SGD([w], lr=0.5)
        >>> first = optim.lr_scheduler.ConstantLR(opt, factor=0.5, total_iters=2)
        >>> then = optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
        >>> scheduler = optim.lr_scheduler.SequentialLR(opt, [first, then], [2])
        >>> for _ in range(4):
        ...     print(scheduler.get_last_lr()[0])
        ...     scheduler.step()
        0.25
        0.25
        0.5
        0.25
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[Any],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        for i, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    "Sequential Schedulers expects all schedulers to belong to the same optimizer, "
                    f"but the scheduler at index {i} belongs to another than the one passed in."
                )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got {len(schedulers)} schedulers and "
                f"{len(milestones)} milestones."
            )
        self._schedulers = schedulers
        self.milestones = milestones
        self.milestones_len = len(milestones)
        self.last_epoch = _number(last_epoch + 1, f"last_epoch_{type(self).__name__}")
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            _write(group["lr"], group["initial_lr"])
        for scheduler in schedulers:
            scheduler.last_epoch._value.sub_(1)
        schedulers[0].step()
        self._last_lr = schedulers[0]._last_lr

    def step(self) -> None:
        """Change the rates."""
        _run(self, self._advance, ())

    def _changed(self) -> list[Parameter]:
        items = [self.last_epoch, *(p for s in self._schedulers for p in s._changed())]
        return list({id(p): p for p in items}.values())

    def _advance(self) -> None:
        self.last_epoch._value.add_(1)
        epoch = int(self.last_epoch._value)
        current = bisect_right(self.milestones, epoch)
        begins = current > 0 and self.milestones[current - 1] == epoch
        self._schedulers[current]._advance(0 if begins else None)

    def get_last_lr(self) -> list[Tensor]:
        """The rates of the groups now.

        Returns:
            list[Tensor].
        """
        return [_snapshot(rate) for rate in self._last_lr]


class ReduceLROnPlateau(WithParts):
    r"""Multiplies the rate by `factor` when a metric has stopped getting better.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        mode (str): ``"min"`` if small metrics are good, else ``"max"``. Default: ``"min"``.
        factor (float): the factor, below 1. Default: ``0.1``.
        patience (int): the number of steps without improvement that are let pass. Default: ``10``.
        threshold (float): by how much a metric must be better to count. Default: ``1e-4``.
        threshold_mode (str): ``"rel"`` for a share of the best metric, ``"abs"`` for a difference
            from it. Default: ``"rel"``.
        cooldown (int): the number of steps after a change that do not count. Default: ``0``.
        min_lr (Union[float, list[float]]): the smallest rate, of all groups or of each. Default:
            ``0``.
        eps (float): a smaller change is not made. Default: ``1e-8``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer.
        ValueError: `factor` is at least 1, `mode` or `threshold_mode` is unknown, or the number of
            smallest rates is not that of the groups.

    Difference from PyTorch: none in the numbers.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> opt = optim.SGD([w], lr=0.5)
        >>> scheduler = optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=0)
        >>> for loss in (3.0, 2.0, 2.5):
        ...     print(scheduler.step(loss), scheduler.get_last_lr()[0])
        True 0.5
        True 0.5
        True 0.25
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError(f"The lr factor should be less than 1.0, but got {factor}.")
        self.factor = factor
        self.optimizer = _checked_optimizer(optimizer)
        self.min_lrs = [float(rate) for rate in _per_group(optimizer, min_lr, "min_lrs")]
        if mode not in ("min", "max"):
            raise ValueError(f"`mode` should be 'min' or 'max', but got {mode}.")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(
                f"`threshold mode` should be 'rel' or 'abs', but got {threshold_mode}."
            )
        self.mode = mode
        self.patience = patience
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.cooldown = cooldown
        self.eps = eps
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.last_epoch = _number(0, f"last_epoch_{type(self).__name__}", torch.int32)
        self.best = _number(self.mode_worse, "best")
        self.cooldown_counter = _number(0.0, "cooldown_counter")
        self.wait = _number(0.0, "wait")
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics: Any) -> Any:
        """Look at a metric, and change the rates if it is time to.

        Args:
            metrics (Union[int, float, Tensor]): the metric.

        Returns:
            True.
        """
        _run(self, self._advance, (metrics,))
        return True

    def _changed(self) -> list[Parameter]:
        return [*self._last_lr, self.last_epoch, self.best, self.cooldown_counter, self.wait]

    def _advance(self, metrics: Any) -> None:
        self.last_epoch._value.add_(1)
        if self._is_improvement(float(metrics), float(self.best._value)):
            _write(self.best, metrics)
            _write(self.wait, 0.0)
        else:
            self.wait._value.add_(1.0)
        if self.in_cooldown():
            self.cooldown_counter._value.sub_(1.0)
            _write(self.wait, 0.0)
        if float(self.wait._value) > self.patience:
            for rate, least in zip(self._last_lr, self.min_lrs, strict=True):
                old = float(rate._value)
                new = max(old * self.factor, least)
                if old > new + self.eps:
                    _write(rate, new)
            _write(self.cooldown_counter, float(self.cooldown))
            _write(self.wait, 0.0)

    def in_cooldown(self) -> bool:
        """Whether the steps since the last change are too few to count."""
        return float(self.cooldown_counter._value) > 0.0

    def _is_improvement(self, current: float, best: float) -> bool:
        sign = 1.0 if self.mode == "max" else -1.0
        if self.threshold_mode == "rel":
            bound = best * (1.0 + sign * self.threshold)
        else:
            bound = best + sign * self.threshold
        return current > bound if self.mode == "max" else current < bound

    def get_last_lr(self) -> list[Tensor]:
        """The rates of the groups now.

        Returns:
            list[Tensor].
        """
        return [_snapshot(rate) for rate in self._last_lr]


# the path under which users and pickles know them
for _public in (
    CosineAnnealingLR,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    LRScheduler,
):
    _public.__module__ = __name__
