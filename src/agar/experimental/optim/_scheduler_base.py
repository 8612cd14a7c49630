"""The base class of schedulers, and how they write an optimizer's rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Rates are written in place, whatever graph is being recorded.
import torch

from agar._core.jit import jit_class as jit_class
from agar._core.parameter import Parameter, parameter_over
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
from agar.experimental.optim.optimizer import Optimizer
from agar.nn import _checks as check
from agar.nn._parts import WithParts

__all__ = ["LRScheduler"]


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

    A custom subclass defines ``get_lr``, which returns the new rate of each group. It may use
    ``last_epoch``, a Parameter with the number of steps, ``base_lrs``, the rates at the start, and
    ``_last_lr``, the Parameters with the rates now.

    Args:
        optimizer (:class:`agar.experimental.optim.Optimizer`): the optimizer whose rates change.
        last_epoch (int): how many steps were made; ``-1`` begins anew. Default: ``-1``.

    Raises:
        TypeError: `optimizer` is not an experimental optimizer, or an argument has the wrong type.
        ValueError: `last_epoch` is below -1.
        KeyError: `last_epoch` is not -1 and a group has no ``"initial_lr"``.

    Difference from PyTorch: ``get_last_lr`` returns Tensors, and ``last_epoch`` is a Parameter.

    Source: behavior observed in MindSpore 2.10.

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
