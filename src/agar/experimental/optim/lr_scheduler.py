"""Schedulers: objects that change the learning rates of an experimental optimizer.

NOTE A step is Python. Rates lie on the host, and a step reads and writes them there. In a graph it
stays one piece of Python that runs at every replay, so the rate changes and nothing is recorded
anew.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from typing import Any

# Rates are written in place, whatever graph is being recorded.
import torch

from agar._core.errors import describe
from agar._core.jit import jit_class as jit_class
from agar._core.parameter import Parameter, parameter_over
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
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


def _number(value: float, name: str, kind: torch.dtype = torch.float32) -> Parameter:
    """A number that steps change."""
    return parameter_over(torch.tensor(value, dtype=kind), name)


def _snapshot(rate: Parameter) -> Tensor:
    """The value of a rate now, which later steps leave alone."""
    return wrap(rate._value.detach().clone())


def _write(target: Parameter, value: Any) -> None:
    """Put a number or a 0-d tensor into a parameter."""
    with torch.no_grad():
        if isinstance(value, Tensor):
            target._value.copy_(value._value.detach().reshape(target.shape))
        else:
            target._value.fill_(value)


def _run(owner: Any, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Do a step, in a graph at every replay (NOTE A step is Python)."""
    recorder = thread.recorder
    if recorder is None:
        work(*arguments)
        return
    written = [p._value for p in owner._changed()]
    raw = tuple(a._value if isinstance(a, Tensor) else a for a in arguments)

    def replayed(changed: Any, *given: Any) -> None:
        work(*(wrap(g) if isinstance(g, torch.Tensor) else g for g in given))

    recorder.host(replayed, (written, *raw), type(owner).__name__, "nothing", (0,))


def _checked_optimizer(optimizer: Any) -> Optimizer:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(
            f"{type(optimizer).__name__} is not an Optimizer of agar.experimental.optim; "
            "optimizers of agar.nn take a learning-rate schedule as their learning_rate."
        )
    return optimizer


def _whole(owner: str, name: str, value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"For '{owner}', the '{name}' must be int, but got {type(value)}.")
    return value


def _per_group(optimizer: Optimizer, values: Any, what: str) -> list[Any]:
    """One value for each group."""
    count = len(optimizer.param_groups)
    if not isinstance(values, (list, tuple)):
        return [values] * count
    if len(values) != count:
        raise ValueError(f"Expected {count} {what}, but got {len(values)}.")
    return list(values)


class LRScheduler(WithParts):
    r"""The base of the schedulers.

    A subclass of one's own defines ``get_lr``, which returns the new rate of each group. It may use
    ``last_epoch``, a Parameter with the number of steps, ``base_lrs``, the rates at the start, and
    ``_last_lr``, the Parameters with the rates now.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.
        ValueError: `last_epoch` is below -1.
        KeyError: `last_epoch` is not -1 and a group has no ``"initial_lr"``.

    Difference from PyTorch: ``get_last_lr`` returns Tensors, and ``last_epoch`` is a Parameter.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> class Halved(optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [rate * 0.5 for rate in self._last_lr]
        >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
        >>> print(Halved(optim.SGD([w], lr=0.5)).get_last_lr()[0])
        0.25
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        _checked_optimizer(optimizer)
        check.integer("LRScheduler", "last_epoch", last_epoch)
        if last_epoch < -1:
            raise ValueError(f"Invalid last_epoch: {last_epoch}")
        if last_epoch == -1:
            for group in optimizer.param_groups:
                group.setdefault("initial_lr", _snapshot(group["lr"]))
        else:
            for i, group in enumerate(optimizer.param_groups):
                if "initial_lr" not in group:
                    raise KeyError(
                        f"param 'initial_lr' is not specified in param_groups[{i}] when resuming "
                        "an optimizer"
                    )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.optimizer = optimizer
        self._last_lr = list(optimizer.lrs)
        self.groups_num = len(optimizer.param_groups)
        self.last_epoch = _number(last_epoch, f"last_epoch_{type(self).__name__}")
        self.step()

    def get_lr(self) -> Any:
        """The rate of each group for the step ``last_epoch``; subclasses define it.

        Raises:
            NotImplementedError: it is not defined.
        """
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method get_lr(self) must be defined; it returns one "
            "rate for each group of parameters."
        )

    def get_last_lr(self) -> list[Tensor]:
        """The rates of the groups now.

        Returns:
            list[Tensor].
        """
        return [_snapshot(rate) for rate in self._last_lr]

    def step(self, epoch: Any = None) -> Any:
        """Change the rates.

        Args:
            epoch (int): the step to go to; None goes to the next. Default: ``None``.

        Returns:
            True.
        """
        _run(self, self._advance, (epoch,))
        return True

    def _changed(self) -> list[Parameter]:
        """What a step writes to."""
        return [*self._last_lr, self.last_epoch]

    def _advance(self, epoch: Any) -> None:
        closed = getattr(self, "_get_closed_form_lr", None)
        if epoch is None:
            self.last_epoch._value.add_(1)
            values = self.get_lr()
        else:
            _write(self.last_epoch, epoch)
            values = self.get_lr() if closed is None else closed()
        for rate, value in zip(self._last_lr, values, strict=True):
            _write(rate, value)

    @property
    def _epoch(self) -> float:
        return float(self.last_epoch._value)

    def _times(self, factor: Any) -> list[Any]:
        """The rates now, times a factor."""
        return [rate * factor for rate in self._last_lr]


class StepLR(LRScheduler):
    r"""Multiplies the rate by `gamma` after every `step_size` steps.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        step_size (int): the number of steps between changes.
        gamma (float): the factor. Default: ``0.1``.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer.
        ValueError: the number of functions is not that of the groups.

    Difference from PyTorch: the function is called with a Parameter.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer.
        ValueError: the number of functions is not that of the groups.

    Difference from PyTorch: the function is called with a Parameter.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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

    Source: behaviour observed in MindSpore 2.10.

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
        found = [self.last_epoch, *(p for s in self._schedulers for p in s._changed())]
        return list({id(p): p for p in found}.values())

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
        TypeError: `optimizer` is no experimental optimizer.
        ValueError: `factor` is at least 1, `mode` or `threshold_mode` is unknown, or the number of
            smallest rates is not that of the groups.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
        scale_fn (Callable): a function of one's own for the height, instead of `mode`. Default:
            ``None``.
        scale_mode (str): ``"cycle"`` if `scale_fn` is called with the number of the cycle, else
            with that of the step. Default: ``"cycle"``.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is no experimental optimizer.
        ValueError: the number of rates is not that of the groups, or `mode` is unknown and there
            is no `scale_fn`.

    Difference from PyTorch: there is no cycle of the momentum.

    Source: behaviour observed in MindSpore 2.10.

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
        """The share of the height that a cycle, or a step, reaches."""
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
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
        TypeError: `optimizer` is no experimental optimizer, or an argument is of the wrong type.

    Difference from PyTorch: none in the numbers.

    Source: behaviour observed in MindSpore 2.10.

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
