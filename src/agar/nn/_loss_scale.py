"""Loss scales for mixed precision: scalers for loops of one's own, and managers for Model.

They are public as ``agar.amp`` and ``agar.train``, two parts that do not know each other.
"""

from __future__ import annotations

from typing import Any

# Scales change in place, without operators and their precision.
import torch

from agar._core.autodiff import map_tensors
from agar._core.errors import describe
from agar._core.parameter import Parameter, parameter_over
from agar._core.tensor import Tensor, wrap
from agar.nn import _checks as check
from agar.nn.wrap.loss_scale import (
    DynamicLossScaleUpdateCell,
    FixedLossScaleUpdateCell,
)
from agar.nn.wrap.loss_scale import all_finite as values_are_finite

__all__ = [
    "DynamicLossScaleManager",
    "DynamicLossScaler",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaler",
    "StaticLossScaler",
    "all_finite",
    "init_status",
]

_AT_MOST_OVERFLOWS = 1000


def _at_least_one(owner: str, name: str, value: Any) -> float:
    result = check.number(owner, name, value)
    if not result >= 1:
        raise ValueError(f"For '{owner}', the '{name}' must be not less than 1, but got {value!r}.")
    return result


def all_finite(inputs: Any, status: Any = None) -> Tensor:
    """Whether no floating tensor has an infinity or nan in it.

    Args:
        inputs (Union[tuple[Tensor], list[Tensor]]): usually gradients.
        status (Any): accepted for older programs. Default: ``None``.

    Returns:
        Tensor, 0-d bool.

    Raises:
        TypeError: `inputs` is not a tuple or list of Tensors.

    Difference from PyTorch: part of ``torch.amp.GradScaler``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.amp.all_finite((ms.Tensor([1.0, float("inf")]), ms.Tensor(2.0))))
        False
    """
    if not isinstance(inputs, (tuple, list)) or not all(isinstance(t, Tensor) for t in inputs):
        raise TypeError(
            "For 'all_finite', 'inputs' must be a tuple or list of Tensors, but got "
            f"{describe(inputs)}" + ("; write (tensor,)." if isinstance(inputs, Tensor) else ".")
        )
    return wrap(values_are_finite([t._value for t in inputs]))


def init_status() -> Tensor:
    """The state that older programs pass to :func:`all_finite`; nothing is kept in it.

    Returns:
        Tensor, eight zeros.

    Difference from PyTorch: no counterpart.

    Source: MindSpore 2.0; later versions no longer have it.

    Examples:
        >>> import agar as ms
        >>> ms.amp.init_status().shape
        (8,)
    """
    return wrap(torch.zeros(8))


def _grad_scale_map(scale_value: Tensor, inputs: Any) -> Any:
    """Tensors times a scale, in their own types; for subclasses of :class:`LossScaler`."""
    factor = scale_value._value
    return map_tensors(inputs, lambda t: t * wrap(factor.to(t._value.dtype)))


def _grad_unscale_map(scale_value: Tensor, inputs: Any) -> Any:
    """Tensors over a scale, in their own types; for subclasses of :class:`LossScaler`."""
    factor = 1.0 / scale_value._value
    return map_tensors(inputs, lambda t: t * wrap(factor.to(t._value.dtype)))


class LossScaler:
    """The base of loss scalers: subclasses define ``scale``, ``unscale`` and ``adjust``.

    Difference from PyTorch: ``torch.amp.GradScaler`` also calls the optimizer.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> issubclass(ms.amp.StaticLossScaler, ms.amp.LossScaler)
        True
    """

    scale_value: Parameter

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale: a Tensor, or tensors in tuples and lists.

        Args:
            inputs (Union[Tensor, tuple, list]): a Tensor, or tensors in tuples and lists.
        """
        return _grad_scale_map(self.scale_value, inputs)

    def unscale(self, inputs: Any) -> Any:
        """The inputs divided by the scale: a Tensor, or tensors in tuples and lists.

        Args:
            inputs (Union[Tensor, tuple, list]): a Tensor, or tensors in tuples and lists.
        """
        return _grad_unscale_map(self.scale_value, inputs)

    def adjust(self, grads_finite: Any) -> bool:
        """Change the scale by whether the gradients were finite.

        Args:
            grads_finite (Union[Tensor, bool]): whether the gradients of the step were finite.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method adjust(self, grads_finite) must be defined."
        )


class StaticLossScaler(LossScaler):
    """A constant loss scale.

    Args:
        scale_value (Union[float, int]): the scale, at least 1.

    Raises:
        TypeError: `scale_value` is not a number.
        ValueError: it is below 1.

    Difference from PyTorch: ``torch.amp.GradScaler`` always changes its scale.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> scaler = ms.amp.StaticLossScaler(8)
        >>> print(scaler.scale(ms.Tensor(2.0)), scaler.unscale(ms.Tensor(16.0)))
        16.0 2.0
    """

    def __init__(self, scale_value: float) -> None:
        value = _at_least_one("StaticLossScaler", "scale_value", scale_value)
        self.scale_value = parameter_over(torch.tensor(value), "scale_value")

    def adjust(self, grads_finite: Any) -> bool:
        """Keep the scale; returns False.

        Args:
            grads_finite (Union[Tensor, bool]): whether the gradients of the step were finite.
        """
        return False


class DynamicLossScaler(LossScaler):
    """A dynamic loss scale: down after an overflow, up after a number of steps without one.

    Args:
        scale_value (Union[float, int]): the initial scale, at least 1.
        scale_factor (int): the factor of each change.
        scale_window (int): steps without overflow after which the scale rises.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.amp.GradScaler`` has two factors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> scaler = ms.amp.DynamicLossScaler(1024, 2, 1)
        >>> scaler.adjust(ms.Tensor(False))
        True
        >>> print(scaler.scale_value.value())
        512.0
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        owner = "DynamicLossScaler"
        value = _at_least_one(owner, "scale_value", scale_value)
        self.scale_factor = check.integer(owner, "scale_factor", scale_factor, 1)
        self.scale_window = check.integer(owner, "scale_window", scale_window, 1)
        self.scale_value = parameter_over(torch.tensor(value), "scale_value")
        self.counter = parameter_over(torch.tensor(0, dtype=torch.int32), "counter")

    def adjust(self, grads_finite: Any) -> bool:
        """Change the scale.

        Args:
            grads_finite (Union[Tensor, bool]): whether the gradients were finite.

        Returns:
            bool, True.
        """
        scale, counter = self.scale_value._value, self.counter._value
        if isinstance(grads_finite, Tensor):
            finite = grads_finite._value.reshape(()).to(scale.device)
        else:
            finite = torch.tensor(bool(grads_finite))
        with torch.no_grad():
            raised = scale * self.scale_factor
            due = (counter == self.scale_window - 1) & torch.isfinite(raised)
            lower = torch.clamp(scale / self.scale_factor, min=1.0)
            scale.copy_(torch.where(finite, torch.where(due, raised, scale), lower))
            counter.copy_(torch.where(finite, (counter + 1) % self.scale_window, 0))
        return True


class LossScaleManager:
    """The base of loss scale managers, which Model takes.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> issubclass(ms.train.FixedLossScaleManager, ms.train.LossScaleManager)
        True
    """

    def get_loss_scale(self) -> Any:
        """The loss scale."""
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method get_loss_scale(self) must be defined."
        )

    def update_loss_scale(self, overflow: bool) -> None:
        """Change the scale by whether a step overflowed.

        Args:
            overflow (bool): whether the gradients of the step were not finite.
        """
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method update_loss_scale(self, overflow) must be "
            "defined."
        )

    def get_update_cell(self) -> Any:
        """The cell that changes the scale inside a step, or None."""
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method get_update_cell(self) must be defined."
        )


class FixedLossScaleManager(LossScaleManager):
    """A constant loss scale.

    Args:
        loss_scale (float): the scale, at least 1. Default: ``128.0``.
        drop_overflow_update (bool): whether steps that overflow are skipped. If False, the
            gradients stay scaled: give the optimizer the same ``loss_scale``. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `loss_scale` is below 1.

    Difference from PyTorch: ``torch.amp.GradScaler`` always changes its scale.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.train.FixedLossScaleManager(1024.0).get_update_cell()
        FixedLossScaleUpdateCell()
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True) -> None:
        owner = "FixedLossScaleManager"
        _at_least_one(owner, "loss_scale", loss_scale)
        self._loss_scale = loss_scale
        self._drop_overflow_update = check.boolean(
            owner, "drop_overflow_update", drop_overflow_update
        )

    def get_loss_scale(self) -> float:
        """The loss scale."""
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether steps that overflow are skipped."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: bool) -> None:
        """Keep the scale.

        Args:
            overflow (bool): whether the gradients of the step were not finite.
        """

    def get_update_cell(self) -> FixedLossScaleUpdateCell | None:
        """The cell for steps that may be skipped, else None."""
        if not self._drop_overflow_update:
            return None
        return FixedLossScaleUpdateCell(self._loss_scale)


class DynamicLossScaleManager(LossScaleManager):
    """A dynamic loss scale: down after an overflow, up after a number of steps without one.

    Args:
        init_loss_scale (float): the initial scale, at least 1. Default: ``2**24``.
        scale_factor (Union[int, float]): the factor of each change, above 0. Default: ``2``.
        scale_window (int): steps without overflow after which the scale rises.
            Default: ``2000``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.amp.GradScaler`` starts at 2**16.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> manager = ms.train.DynamicLossScaleManager(1024)
        >>> manager.update_loss_scale(True)
        >>> manager.get_loss_scale()
        512.0
    """

    def __init__(
        self, init_loss_scale: float = 2**24, scale_factor: float = 2, scale_window: int = 2000
    ) -> None:
        owner = "DynamicLossScaleManager"
        _at_least_one(owner, "init_loss_scale", init_loss_scale)
        self.loss_scale = init_loss_scale
        if not check.number(owner, "scale_factor", scale_factor) > 0:
            raise ValueError(
                f"For '{owner}', the 'scale_factor' must be above 0, but got {scale_factor}."
            )
        self.scale_factor = scale_factor
        self.scale_window = check.integer(owner, "scale_window", scale_window, 1)
        self.increase_ratio = self.scale_factor
        self.decrease_ratio = 1 / self.scale_factor
        self.bad_step_max = _AT_MOST_OVERFLOWS
        self.cur_iter = 1
        self.last_overflow_iter = 0
        self.bad_step = 0

    def get_loss_scale(self) -> float:
        """The loss scale."""
        return self.loss_scale

    def get_drop_overflow_update(self) -> bool:
        """True: steps that overflow are skipped."""
        return True

    def update_loss_scale(self, overflow: bool) -> None:
        """Change the scale by whether a step overflowed.

        Args:
            overflow (bool): whether the gradients of the step were not finite.

        Raises:
            RuntimeError: 1000 steps in a row overflowed.
        """
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
            if self.bad_step > self.bad_step_max:
                raise RuntimeError(
                    f"The loss overflowed in more than {self.bad_step_max} steps in a row; check "
                    "the network and its inputs for infinities and nans."
                )
        else:
            self.bad_step = 0
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.increase_ratio
        self.cur_iter += 1

    def get_update_cell(self) -> DynamicLossScaleUpdateCell:
        """The cell that changes the scale inside a step."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)


for _thing in (LossScaler, StaticLossScaler, DynamicLossScaler, all_finite, init_status):
    _thing.__module__ = "agar.amp"
for _thing in (LossScaleManager, FixedLossScaleManager, DynamicLossScaleManager):
    _thing.__module__ = "agar.train.loss_scale_manager"
