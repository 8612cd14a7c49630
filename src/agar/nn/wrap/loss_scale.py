"""Training with a scaled loss, for float16: scales, overflow, and steps that are left out."""

from __future__ import annotations

from typing import Any

# Whether all gradients are finite is asked of torch's multi-tensor kernels.
import torch

from agar._core.distributed.process_groups import WORLD, groups
from agar._core.distributed.sharding import local
from agar._core.dtype import int32
from agar._core.errors import describe
from agar._core.multi_device import world
from agar._core.parameter import Parameter, parameter_over
from agar._core.tensor import Tensor, wrap
from agar.nn._checks import number
from agar.nn.cell import Cell
from agar.nn.wrap.cell_wrapper import TrainOneStepCell, holds_pipeline

__all__ = [
    "DynamicLossScaleUpdateCell",
    "FixedLossScaleUpdateCell",
    "TrainOneStepWithLossScaleCell",
]


def all_finite(values: list[torch.Tensor]) -> torch.Tensor:
    """Whether no floating tensor has an infinity or nan in it, as a 0-d bool tensor."""
    floating = [v for v in values if v.numel() and (v.is_floating_point() or v.is_complex())]
    if not floating:
        return torch.tensor(True)
    # a maximum keeps infinities and nans, in one pass for all tensors of a device and dtype
    largest = torch._foreach_norm(floating, float("inf"))
    where = largest[0].device
    together = torch.stack([x.to(device=where, dtype=torch.float64) for x in largest])
    return torch.isfinite(together).all()


class DynamicLossScaleUpdateCell(Cell):
    """Updates a loss scale: down after an overflow, up after a number of steps without one.

    Args:
        loss_scale_value (float): the initial scale.
        scale_factor (Union[int, float]): the factor of each change.
        scale_window (int): steps without overflow after which the scale grows.

    Inputs:
        - **loss_scale** (Parameter) - the scale, changed in place; never below 1.
        - **overflow** (Tensor) - whether the step overflowed.

    Outputs: Tensor, `overflow`.

    Raises:
        TypeError: `scale_factor` or `scale_window` is not a number.

    Difference from PyTorch: ``torch.amp.GradScaler``, whose factors and window differ.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> scale = ms.Parameter(ms.Tensor(1024.0), name="scale")
        >>> update = nn.DynamicLossScaleUpdateCell(1024, 2, 1000)
        >>> print(update(scale, ms.Tensor(True)), scale.value())
        True 512.0
    """

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value
        self.scale_factor = Tensor(
            number("DynamicLossScaleUpdateCell", "scale_factor", scale_factor)
        )
        window = number("DynamicLossScaleUpdateCell", "scale_window", scale_window)
        self.scale_window = Tensor(int(window), int32)
        self.cur_iter = _counter("current_iterator_step", 1)
        self.last_overflow_iter = _counter("last_overflow_iterator_step", 0)

    def get_loss_scale(self) -> float:
        """The scale at the start."""
        return self.loss_scale_value

    def construct(self, loss_scale: Parameter, overflow: Any) -> Any:
        """Update the scale; returns `overflow`."""
        scale = loss_scale._value
        now, last = self.cur_iter._value, self.last_overflow_iter._value
        factor, window = self.scale_factor._value, self.scale_window._value
        failed = overflow._value if isinstance(overflow, Tensor) else torch.tensor(bool(overflow))
        failed = failed.reshape(())
        with torch.no_grad():
            lower = torch.clamp(scale / factor.to(scale.device), min=1.0)
            due = (now - last) >= window
            mine = failed.to(scale.device)
            raised = torch.where(due.to(scale.device), scale * factor.to(scale.device), scale)
            scale.copy_(torch.where(mine, lower, raised))
            last.copy_(torch.where(failed.to(last.device) | due, now, last))
            now.add_(1)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """Leaves a loss scale as it is.

    Args:
        loss_scale_value (float): the scale.

    Inputs:
        - **loss_scale** (Tensor) - the scale.
        - **overflow** (Tensor) - whether the step overflowed.

    Outputs: Tensor, `overflow`.

    Difference from PyTorch: ``torch.amp.GradScaler`` always changes its scale.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> nn.FixedLossScaleUpdateCell(1024.0).get_loss_scale()
        1024.0
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: Any, overflow: Any) -> Any:
        """`overflow`, unchanged."""
        return overflow


def _counter(name: str, value: int) -> Parameter:
    return parameter_over(torch.tensor(value, dtype=torch.int32), name)


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training with a scaled loss; a step that overflows is skipped.

    The loss is multiplied by the scale before gradients are taken, and they are divided by it.
    If one of them is not finite, the parameters stay as they are, in all processes that train data
    parallel; see :class:`TrainOneStepCell`.

    Args:
        network (Cell): the network with its loss.
        optimizer (Union[Optimizer, Cell]): updates the parameters.
        scale_sense (Union[Tensor, Cell]): a constant scale of shape () or (1,), or a cell that
            changes it: :class:`DynamicLossScaleUpdateCell`, :class:`FixedLossScaleUpdateCell`.

    Inputs:
        - **inputs** (tuple[Tensor]) - the inputs of the network.
        - **kwargs** (dict) - its keyword arguments.

    Outputs: ``(loss, overflow, scale)``: the network's output, whether the step was skipped, and
    the scale it used.

    Raises:
        TypeError: `scale_sense` is neither a Cell nor a Tensor.
        ValueError: `scale_sense` has another shape.

    Difference from PyTorch: takes the place of ``torch.amp.GradScaler`` around a step.

    Source: Micikevicius et al. (2017), Mixed Precision Training; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = nn.TrainOneStepWithLossScaleCell(
        ...     nn.WithLossCell(net, nn.MSELoss()), opt, nn.DynamicLossScaleUpdateCell(64, 2, 100)
        ... )
        >>> print(*step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])))
        9.0 False 64.0
        >>> print(net.weight.asnumpy().round(4))
        [[ 0.4 -0.2]]
    """

    def __init__(self, network: Cell, optimizer: Any, scale_sense: Any) -> None:
        super().__init__(network, optimizer)
        self.is_distributed = self.reducer_flag or (world.size > 1 and holds_pipeline(network))
        self.gpu_target = False
        self.ascend_910a_target = False
        self.ascend_910b_target = False
        self.loss_scaling_manager = scale_sense if isinstance(scale_sense, Cell) else None
        self.scale_sense = scale_parameter("TrainOneStepWithLossScaleCell", scale_sense)

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        """One step; returns the loss, whether it overflowed, and the scale."""
        scale = wrap(self.scale_sense._value.clone())
        loss, grads = self._run_and_reduce(inputs, kwargs, scale.reshape(()), scale)
        overflow = self.get_overflow_status(None, grads)
        if not self.process_loss_scale(overflow):
            self.optimizer(grads)
        return loss, overflow, scale

    def set_sense_scale(self, sens: Tensor) -> None:
        """Replace the scale.

        Args:
            sens (Tensor): the new scale, of the same shape.

        Raises:
            TypeError: `sens` is not a Tensor.
            ValueError: it has the wrong shape.
        """
        if not isinstance(sens, Tensor):
            raise TypeError(
                f"For '{type(self).__name__}', the type of 'sens' must be Tensor, but got "
                f"{type(sens).__name__}."
            )
        if sens.shape != self.scale_sense.shape:
            raise ValueError(
                f"For '{type(self).__name__}', the shape of 'sens' must be "
                f"{self.scale_sense.shape}, but got {sens.shape}."
            )
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> tuple[Tensor, Any]:
        """Called by a custom step before it takes gradients.

        Args:
            pre_cond (Any): what must be done before; nothing depends on it here.
            compute_input (Any): passed through.

        Returns:
            A state for :meth:`get_overflow_status`, and `compute_input`.
        """
        return wrap(torch.zeros(8, dtype=torch.int32)), compute_input

    def get_overflow_status(self, status: Any, compute_output: Any) -> Tensor:
        """Whether a gradient is not finite, in any of the processes that train it together.

        Args:
            status (Any): from :meth:`start_overflow_check`.
            compute_output (tuple[Tensor]): the gradients.

        Returns:
            Tensor, 0-d bool.
        """
        grads = compute_output if isinstance(compute_output, (tuple, list)) else (compute_output,)
        values = [g._value for g in grads]
        if not self.is_distributed:
            overflow = ~all_finite(values)
        else:
            overflow = ~all_finite([local(v) for v in values])
            # a step is left out everywhere or nowhere, whatever gradients stay in their process
            overflow = groups.all_reduce(overflow.int(), "max", WORLD).bool()
        return wrap(overflow)

    def process_loss_scale(self, overflow: Any) -> Any:
        """Update the scale by the result of a step; returns `overflow`.

        Args:
            overflow (Union[Tensor, bool]): whether the gradients of the step were not finite.
        """
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow


def scale_parameter(owner: str, scale_sense: Any) -> Parameter:
    """The parameter that holds a training cell's scale."""
    if isinstance(scale_sense, Cell):
        start = scale_sense.get_loss_scale()
    elif isinstance(scale_sense, Tensor):
        if scale_sense.shape not in ((), (1,)):
            raise ValueError(
                f"For '{owner}', the shape of 'scale_sense' must be (1,) or (), but got "
                f"{scale_sense.shape}."
            )
        start = scale_sense
    else:
        raise TypeError(
            f"For '{owner}', the 'scale_sense' must be Cell or Tensor, but got "
            f"{describe(scale_sense)}; write ms.Tensor({scale_sense!r}) for a constant."
        )
    value = start._value if isinstance(start, Tensor) else torch.tensor(float(start))
    return parameter_over(value.detach().float().clone(), "scale_sense")
