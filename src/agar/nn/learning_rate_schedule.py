"""Learning rates as cells: each takes the step and gives the rate.

An optimizer calls its schedule with ``global_step``, an Int32 tensor of shape (1,), before the
update, so the first step uses step 0. The rate has the shape of the step.
"""

from __future__ import annotations

import math

from agar import ops
from agar._core.dtype import float32
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.nn.cell import Cell

__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]


class LearningRateSchedule(Cell):
    """The base of learning-rate schedules.

    A subclass defines ``construct(self, global_step)`` and returns the rate as a Tensor.

    Difference from PyTorch: a scheduler there changes the optimizer when its ``step()`` is called;
    a schedule here is a function of the step, and the optimizer calls it.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> class Halving(nn.learning_rate_schedule.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.1 * 0.5 ** global_step.astype(ms.float32)
        >>> print(Halving()(ms.Tensor(2, ms.int32)))
        0.025
    """

    #: Whether the rate is computed from Python numbers and the step alone, so that the optimizer
    #: may keep the step on the host.
    _on_host = False

    def construct(self, global_step: Tensor) -> Tensor:
        """The rate at a step; subclasses define it.

        Args:
            global_step (Tensor): the number of steps that were taken, int32, shape :math:`()` or
                :math:`(1,)`.

        Returns:
            Tensor, the learning rate, of the shape of `global_step`.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method construct(self, global_step) must be "
            "defined; it returns the learning rate as a Tensor."
        )


class _Decay(LearningRateSchedule):
    """What the decays by a rate share: their arguments and the progress of time."""

    _on_host = True

    def __init__(
        self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        check.integer(owner, "decay_steps", decay_steps, 1)
        check.positive(owner, "learning_rate", learning_rate)
        check.positive(owner, "decay_rate", decay_rate)
        check.boolean(owner, "is_stair", is_stair)
        self.learning_rate = learning_rate
        self.decay_rate = decay_rate
        self.decay_steps = decay_steps
        self.is_stair = is_stair

    def _progress(self, global_step: Tensor) -> Tensor:
        part = global_step.astype(float32) / self.decay_steps
        return ops.floor(part) if self.is_stair else part


class ExponentialDecayLR(_Decay):
    r"""Exponential decay.

    .. math:: lr \cdot rate^{p}, \quad p = step / decay\_steps

    Args:
        learning_rate (float): the first rate.
        decay_rate (float): the factor per `decay_steps` steps.
        decay_steps (int): steps over which the factor is applied.
        is_stair (bool): whether p is rounded down. Default: ``False``.

    Inputs:
        - **global_step** (Tensor) - the number of steps that were taken, int32, shape :math:`()` or
          :math:`(1,)`.

    Outputs: Tensor, the rate, of the shape of the step.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is not positive.

    Difference from PyTorch: ``torch.optim.lr_scheduler.ExponentialLR`` is an object that changes
    the optimizer.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> print(nn.ExponentialDecayLR(0.5, 0.5, 4)(ms.Tensor(8, ms.int32)))
        0.125
    """

    def construct(self, global_step: Tensor) -> Tensor:
        return self.learning_rate * ops.pow(self.decay_rate, self._progress(global_step))


class NaturalExpDecayLR(_Decay):
    r"""Natural exponential decay: :math:`lr \cdot e^{-rate \cdot step}`.

    Args:
        learning_rate (float): the first rate.
        decay_rate (float): the rate of decay.
        decay_steps (int): with `is_stair`, the steps that one stair lasts.
        is_stair (bool): whether the step is rounded down to a multiple of `decay_steps`.
            Default: ``False``.

    Inputs:
        - **global_step** (Tensor) - the number of steps that were taken, int32, shape :math:`()` or
          :math:`(1,)`.

    Outputs: Tensor, the rate, of the shape of the step.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is not positive.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> print(nn.NaturalExpDecayLR(0.1, 0.9, 4)(ms.Tensor(0, ms.int32)))
        0.1
    """

    def construct(self, global_step: Tensor) -> Tensor:
        step = global_step.astype(float32)
        if self.is_stair:
            step = self._progress(global_step) * self.decay_steps
        return self.learning_rate * ops.exp(-self.decay_rate * step)


class InverseDecayLR(_Decay):
    r"""Inverse decay.

    .. math:: lr / (1 + rate \cdot p), \quad p = step / decay\_steps

    Args:
        learning_rate (float): the first rate.
        decay_rate (float): the rate of decay.
        decay_steps (int): the unit of steps.
        is_stair (bool): whether p is rounded down. Default: ``False``.

    Inputs:
        - **global_step** (Tensor) - the number of steps that were taken, int32, shape :math:`()` or
          :math:`(1,)`.

    Outputs: Tensor, the rate, of the shape of the step.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is not positive.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> print(nn.InverseDecayLR(0.5, 1.0, 4)(ms.Tensor(4, ms.int32)))
        0.25
    """

    def construct(self, global_step: Tensor) -> Tensor:
        return self.learning_rate / (1 + self.decay_rate * self._progress(global_step))


class CosineDecayLR(LearningRateSchedule):
    r"""Cosine decay.

    .. math:: min + \tfrac12 (max - min)(1 + \cos(\pi \cdot \min(step, decay) / decay))

    Args:
        min_lr (float): the last rate.
        max_lr (float): the first rate.
        decay_steps (int): steps until the last rate is reached.

    Inputs:
        - **global_step** (Tensor) - the number of steps that were taken, int32, shape :math:`()` or
          :math:`(1,)`.

    Outputs: Tensor, the rate, of the shape of the step.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `max_lr` is not above `min_lr`.

    Difference from PyTorch: ``torch.optim.lr_scheduler.CosineAnnealingLR`` rises again after
    `decay_steps`.

    Source: Loshchilov and Hutter, SGDR (2016); behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> print(nn.CosineDecayLR(0.01, 0.1, 10)(ms.Tensor(5, ms.int32)))
        0.055
    """

    _on_host = True

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        owner = type(self).__name__
        check.not_negative(owner, "min_lr", min_lr)
        check.positive(owner, "max_lr", max_lr)
        check.integer(owner, "decay_steps", decay_steps, 1)
        check.greater(owner, "max_lr", "min_lr", (max_lr, min_lr))
        self.min_lr = min_lr
        self.max_lr = max_lr
        self.decay_steps = decay_steps

    def construct(self, global_step: Tensor) -> Tensor:
        part = ops.minimum(global_step.astype(float32), float(self.decay_steps)) / self.decay_steps
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1.0 + ops.cos(math.pi * part))


class PolynomialDecayLR(LearningRateSchedule):
    r"""Polynomial decay.

    .. math:: (lr - end)(1 - \min(step, decay) / decay)^{power} + end

    Args:
        learning_rate (float): the first rate.
        end_learning_rate (float): the last rate.
        decay_steps (int): steps until the last rate is reached.
        power (float): the exponent.
        update_decay_steps (bool): whether `decay_steps` grows to the next multiple that holds the
            step, so that the rate rises again. Default: ``False``.

    Inputs:
        - **global_step** (Tensor) - the number of steps that were taken, int32, shape :math:`()` or
          :math:`(1,)`.

    Outputs: Tensor, the rate, of the shape of the step.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.optim.lr_scheduler.PolynomialLR`` decays to zero.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> print(nn.PolynomialDecayLR(0.5, 0.25, 10, 1.0)(ms.Tensor(5, ms.int32)))
        0.375
    """

    _on_host = True

    def __init__(
        self,
        learning_rate: float,
        end_learning_rate: float,
        decay_steps: int,
        power: float,
        update_decay_steps: bool = False,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        check.positive(owner, "learning_rate", learning_rate)
        check.not_negative(owner, "end_learning_rate", end_learning_rate)
        check.integer(owner, "decay_steps", decay_steps, 1)
        check.positive(owner, "power", power)
        check.boolean(owner, "update_decay_steps", update_decay_steps)
        self.learning_rate = learning_rate
        self.end_learning_rate = end_learning_rate
        self.decay_steps = decay_steps
        self.power = power
        self.update_decay_steps = update_decay_steps

    def construct(self, global_step: Tensor) -> Tensor:
        step = global_step.astype(float32)
        if self.update_decay_steps:
            last = self.decay_steps * ops.maximum(ops.ceil(step / self.decay_steps), 1.0)
            part = step / last
        else:
            part = ops.minimum(step, float(self.decay_steps)) / self.decay_steps
        drop = self.learning_rate - self.end_learning_rate
        return drop * ops.pow(1.0 - part, self.power) + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    r"""Linear warm-up: :math:`lr \cdot \min(step, warmup) / warmup`.

    Args:
        learning_rate (float): the rate after warming up.
        warmup_steps (int): steps of warm-up.

    Inputs:
        - **global_step** (Tensor) - the number of steps that were taken, int32, shape :math:`()` or
          :math:`(1,)`.

    Outputs: Tensor, the rate, of the shape of the step.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `learning_rate` is negative or `warmup_steps` not positive.

    Difference from PyTorch: ``torch.optim.lr_scheduler.LinearLR`` is an object that changes the
    optimizer.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> print(nn.WarmUpLR(0.5, 4)(ms.Tensor(2, ms.int32)))
        0.25
    """

    _on_host = True

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        check.not_negative("WarmUpLR", "learning_rate", learning_rate)
        check.integer("WarmUpLR", "warmup_steps", warmup_steps, 1)
        self.learning_rate = learning_rate
        self.warmup_steps = warmup_steps

    def construct(self, global_step: Tensor) -> Tensor:
        part = ops.minimum(global_step.astype(float32), float(self.warmup_steps))
        return self.learning_rate * (part / self.warmup_steps)
