"""Learning rates as lists of floats, one for each step."""

from __future__ import annotations

import math
from collections.abc import Callable

from agar.nn import _checks as check

__all__ = [
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


def _check(
    owner: str,
    learning_rate: float,
    decay_rate: float | None,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> None:
    check.integer(owner, "total_step", total_step, 1)
    check.integer(owner, "step_per_epoch", step_per_epoch, 1)
    check.integer(owner, "decay_epoch", decay_epoch, 1)
    check.positive(owner, "learning_rate", learning_rate)
    if decay_rate is not None:
        check.positive(owner, "decay_rate", decay_rate)
    check.boolean(owner, "is_stair", is_stair)


def _by_epoch(total_step: int, step_per_epoch: int, rate: Callable[[int], float]) -> list[float]:
    return [rate(step // step_per_epoch) for step in range(total_step)]


def piecewise_constant_lr(milestone: list[int], learning_rates: list[float]) -> list[float]:
    """Constant rates between milestones.

    Args:
        milestone (Union[list[int], tuple[int]]): steps at which each rate ends, increasing.
        learning_rates (Union[list[float], tuple[float]]): the rates, one per milestone.

    Returns:
        list[float] with ``milestone[-1]`` entries.

    Raises:
        TypeError: an argument is not a list or tuple, a milestone is not an int, a rate is not a
            float.
        ValueError: the lengths differ, or milestones are not positive and increasing.

    Difference from PyTorch: ``torch.optim.lr_scheduler.MultiStepLR`` takes factors, and is an
    object that changes the optimizer.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> nn.piecewise_constant_lr([2, 5], [0.1, 0.05])
        [0.1, 0.1, 0.05, 0.05, 0.05]
    """
    owner = "piecewise_constant_lr"
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        if not isinstance(value, (list, tuple)):
            raise TypeError(
                f"For '{owner}', the argument '{name}' must be a list or tuple, but got {value!r} "
                f"with type {type(value).__name__}."
            )
    if len(milestone) != len(learning_rates):
        raise ValueError(
            f"For '{owner}', the size of 'milestone' must be same with the size of "
            f"'learning_rates', but got {len(milestone)} and {len(learning_rates)}."
        )
    rates: list[float] = []
    last = 0
    for i, (end, rate) in enumerate(zip(milestone, learning_rates, strict=True)):
        check.integer(owner, f"milestone[{i}]", end, 1)
        check.float_only(owner, f"learning_rates[{i}]", rate)
        if end < last:
            raise ValueError(
                f"For '{owner}', 'milestone' must not decrease, but got milestone[{i}] = {end} "
                f"after {last}."
            )
        rates += [rate] * (end - last)
        last = end
    return rates


def exponential_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    r"""Exponential decay by epochs: :math:`lr \cdot rate^{epoch / decay\_epoch}`.

    Args:
        learning_rate (float): the first rate.
        decay_rate (float): the factor per `decay_epoch` epochs.
        total_step (int): number of steps.
        step_per_epoch (int): steps in an epoch.
        decay_epoch (int): epochs over which the factor is applied.
        is_stair (bool): whether the exponent is rounded down. Default: ``False``.

    Returns:
        list[float] with `total_step` entries.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is not positive.

    Difference from PyTorch: ``torch.optim.lr_scheduler.ExponentialLR`` is an object that changes
    the optimizer.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> nn.exponential_decay_lr(0.1, 0.5, 4, 2, 1)
        [0.1, 0.1, 0.05, 0.05]
    """
    _check(
        "exponential_decay_lr",
        learning_rate,
        decay_rate,
        total_step,
        step_per_epoch,
        decay_epoch,
        is_stair,
    )

    def rate(epoch: int) -> float:
        power = math.floor(epoch / decay_epoch) if is_stair else epoch / decay_epoch
        return learning_rate * decay_rate**power

    return _by_epoch(total_step, step_per_epoch, rate)


def natural_exp_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    r"""Natural exponential decay by epochs: :math:`lr \cdot e^{-rate \cdot epoch}`.

    Args:
        learning_rate (float): the first rate.
        decay_rate (float): the rate of decay.
        total_step (int): number of steps.
        step_per_epoch (int): steps in an epoch.
        decay_epoch (int): with `is_stair`, the epochs that one stair lasts.
        is_stair (bool): whether the epoch is rounded down to a multiple of `decay_epoch`.
            Default: ``False``.

    Returns:
        list[float] with `total_step` entries.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is not positive.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> [round(x, 4) for x in nn.natural_exp_decay_lr(0.1, 0.9, 4, 2, 2)]
        [0.1, 0.1, 0.0407, 0.0407]
    """
    _check(
        "natural_exp_decay_lr",
        learning_rate,
        decay_rate,
        total_step,
        step_per_epoch,
        decay_epoch,
        is_stair,
    )

    def rate(epoch: int) -> float:
        if is_stair:
            epoch = math.floor(epoch / decay_epoch) * decay_epoch
        return learning_rate * math.exp(-decay_rate * epoch)

    return _by_epoch(total_step, step_per_epoch, rate)


def inverse_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    r"""Inverse decay by epochs: :math:`lr / (1 + rate \cdot epoch / decay\_epoch)`.

    Args:
        learning_rate (float): the first rate.
        decay_rate (float): the rate of decay.
        total_step (int): number of steps.
        step_per_epoch (int): steps in an epoch.
        decay_epoch (int): the unit of epochs.
        is_stair (bool): whether the quotient is rounded down. Default: ``False``.

    Returns:
        list[float] with `total_step` entries.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is not positive.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> nn.inverse_decay_lr(0.1, 1.0, 4, 2, 1)
        [0.1, 0.1, 0.05, 0.05]
    """
    _check(
        "inverse_decay_lr",
        learning_rate,
        decay_rate,
        total_step,
        step_per_epoch,
        decay_epoch,
        is_stair,
    )

    def rate(epoch: int) -> float:
        part = math.floor(epoch / decay_epoch) if is_stair else epoch / decay_epoch
        return learning_rate / (1 + decay_rate * part)

    return _by_epoch(total_step, step_per_epoch, rate)


def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    r"""Cosine decay by epochs.

    .. math:: min + \tfrac12 (max - min)(1 + \cos(\pi \cdot \min(epoch, decay) / decay))

    Args:
        min_lr (float): the last rate.
        max_lr (float): the first rate.
        total_step (int): number of steps.
        step_per_epoch (int): steps in an epoch.
        decay_epoch (int): epochs until the last rate is reached.

    Returns:
        list[float] with `total_step` entries.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `max_lr` is not above `min_lr`, or an argument is out of range.

    Difference from PyTorch: ``torch.optim.lr_scheduler.CosineAnnealingLR`` rises again after
    `decay_epoch`.

    Source: behavior observed in MindSpore 2.10; Loshchilov and Hutter, SGDR (2016).

    Examples:
        >>> from agar import nn
        >>> [round(x, 4) for x in nn.cosine_decay_lr(0.01, 0.1, 6, 2, 2)]
        [0.1, 0.1, 0.055, 0.055, 0.01, 0.01]
    """
    owner = "cosine_decay_lr"
    check.not_negative(owner, "min_lr", min_lr)
    check.positive(owner, "max_lr", max_lr)
    check.integer(owner, "total_step", total_step, 1)
    check.integer(owner, "step_per_epoch", step_per_epoch, 1)
    check.integer(owner, "decay_epoch", decay_epoch, 1)
    check.greater(owner, "max_lr", "min_lr", (max_lr, min_lr))
    half = 0.5 * (max_lr - min_lr)

    def rate(epoch: int) -> float:
        return min_lr + half * (1 + math.cos(math.pi * min(epoch, decay_epoch) / decay_epoch))

    return _by_epoch(total_step, step_per_epoch, rate)


def polynomial_decay_lr(
    learning_rate: float,
    end_learning_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    power: float,
    update_decay_epoch: bool = False,
) -> list[float]:
    r"""Polynomial decay by epochs.

    .. math:: (lr - end)(1 - \min(epoch, decay) / decay)^{power} + end

    Args:
        learning_rate (float): the first rate.
        end_learning_rate (float): the last rate.
        total_step (int): number of steps.
        step_per_epoch (int): steps in an epoch.
        decay_epoch (int): epochs until the last rate is reached.
        power (float): the exponent.
        update_decay_epoch (bool): whether `decay_epoch` grows to the next multiple that holds the
            epoch, so that the rate rises again. Default: ``False``.

    Returns:
        list[float] with `total_step` entries.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.optim.lr_scheduler.PolynomialLR`` decays to zero.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> [round(x, 4) for x in nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)]
        [0.1, 0.1, 0.0736, 0.0736, 0.01, 0.01]
    """
    owner = "polynomial_decay_lr"
    _check(owner, learning_rate, None, total_step, step_per_epoch, decay_epoch)
    check.not_negative(owner, "end_learning_rate", end_learning_rate)
    check.positive(owner, "power", power)
    check.boolean(owner, "update_decay_epoch", update_decay_epoch)

    def rate(epoch: int) -> float:
        last = decay_epoch
        if update_decay_epoch:
            last = decay_epoch * max(math.ceil(epoch / decay_epoch), 1)
        left = 1 - min(epoch, last) / last
        return (learning_rate - end_learning_rate) * left**power + end_learning_rate

    return _by_epoch(total_step, step_per_epoch, rate)


def warmup_lr(
    learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int
) -> list[float]:
    r"""Linear warm-up by epochs: :math:`lr \cdot \min(epoch, warmup) / warmup`.

    Args:
        learning_rate (float): the rate after warming up.
        total_step (int): number of steps.
        step_per_epoch (int): steps in an epoch.
        warmup_epoch (int): epochs of warm-up.

    Returns:
        list[float] with `total_step` entries.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.optim.lr_scheduler.LinearLR`` is an object that changes the
    optimizer.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> nn.warmup_lr(0.1, 6, 2, 2)
        [0.0, 0.0, 0.05, 0.05, 0.1, 0.1]
    """
    owner = "warmup_lr"
    check.positive(owner, "learning_rate", learning_rate)
    check.integer(owner, "total_step", total_step, 1)
    check.integer(owner, "step_per_epoch", step_per_epoch, 1)
    check.integer(owner, "warmup_epoch", warmup_epoch, 1)

    def rate(epoch: int) -> float:
        return learning_rate * min(epoch, warmup_epoch) / warmup_epoch

    return _by_epoch(total_step, step_per_epoch, rate)
