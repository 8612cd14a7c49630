"""The training steps of boost: with accumulated, frozen, combined or projected gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.distributed.process_groups import groups
from agar._core.errors import describe
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.settings import auto_parallel
from agar._core.tensor import Tensor, wrap
from agar.boost.adasum import AdaSum
from agar.boost.base import _load_local_pca_mat
from agar.boost.boost import AutoBoost
from agar.boost.dim_reduce import DimReduce
from agar.boost.grad_accumulation import Accumulator
from agar.boost.grad_freeze import FreezeOpt, freeze_cell
from agar.boost.group_loss_scale_manager import GroupLossScaleManager
from agar.nn._amp import boosted
from agar.nn.cell import Cell
from agar.nn.wrap.cell_wrapper import TrainOneStepCell
from agar.nn.wrap.grad_reducer import DistributedGradReducer
from agar.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell, scale_parameter
from agar.nn.wrap.running import divided, run_and_grad

__all__ = ["BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell"]

#: After an overflow, and after a step without one, the scale of a group is multiplied by these.
_REDUCE, _GROW = 2**-0.5, 2 ** (1 / 1000)


class BoostTrainOneStepCell(TrainOneStepCell):
    """One step of training in the ways that :class:`AutoBoost` and the optimizer ask for.

    - With a :class:`FreezeOpt`, each step trains the group of its turn.
    - With ``grad_accumulation``, the parameters change every ``grad_accumulation_step`` steps, by
      the mean of the gradients.
    - With ``dim_reduce``, steps are those of :class:`DimReduce`.
    - With ``adasum``, and data parallel on a power of two of servers, updates of servers are
      combined by :class:`AdaSum`; on one server nothing changes.

    Args:
        network (Cell): the network with its loss.
        optimizer (Union[Optimizer, FreezeOpt]): updates the parameters.
        sens (float): the gradient of the loss. Default: ``None``, one.

    Inputs:
        - **inputs** (tuple[Tensor]) - the inputs of the network.
        - **kwargs** (dict) - its keyword arguments.

    Outputs: The output of the network.

    Raises:
        TypeError: `sens` is not a number.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10, where a step without `sens` gives None.

    Examples:
        >>> import agar as ms
        >>> from agar import boost, nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> loss = nn.WithLossCell(net, nn.MSELoss())
        >>> opt = boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1))
        >>> step = boost.BoostTrainOneStepCell(loss, opt).set_train()
        >>> print(step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])))
        9.0
    """

    def __init__(self, network: Cell, optimizer: Any, sens: Any = None) -> None:
        super().__init__(network, optimizer, sens)
        self.freeze = isinstance(optimizer, FreezeOpt)
        self.train_strategy = getattr(optimizer, "train_strategy", None)
        self.auto_boost = AutoBoost()
        settings: Any = self.auto_boost
        alone = self.parallel_mode in ("data_parallel", "stand_alone")
        steps = settings.grad_accumulation_step
        enabled = alone and settings.boost_config["grad_accumulation"]
        self.max_accumulation_step = steps if enabled and steps > 1 else 1
        self.use_grad_accumulation = self.max_accumulation_step > 1
        self.accumulation_step = _counter("accumulation_step")
        self.step = _counter("step")
        if self.use_grad_accumulation and not self.freeze:
            self.grad_accumulation = ParameterTuple(self.weights).clone(
                prefix="grad_accumulation", init="zeros"
            )
        self.enable_dim_reduce = self.check_dim_reduce_enable()
        if self.enable_dim_reduce:
            self._init_dim_reduce()
        if self.freeze:
            self.freeze_nets = freeze_cell(
                self.reducer_flag,
                network,
                optimizer,
                self.sens,
                self.grad,
                self.use_grad_accumulation,
                auto_parallel.get("gradients_mean") if self.reducer_flag else None,
                groups.expected_size if self.reducer_flag else None,
                self.max_accumulation_step,
            )
        self.enable_adasum = self.check_adasum_enable()
        if self.enable_adasum:
            self._init_adasum()

    # --------------------------------------------------------------- construction

    def _init_dim_reduce(self) -> None:
        s: Any = self.auto_boost
        components = _load_local_pca_mat(s.local_pca_mat_path)
        together = self.parallel_mode != "stand_alone" and groups.inited
        rank, size = (groups.world_rank, groups.world_size) if together else (0, 1)
        self.weights_clone = ParameterTuple(self.weights).clone(prefix="weights_clone", init="same")
        self.dim_reduce = DimReduce(
            self.network,
            self.optimizer,
            tuple(self.weights),
            components,
            s.n_components,
            s.rho,
            s.gamma,
            s.alpha,
            s.sigma,
            rank,
            size,
        )

    def _init_adasum(self) -> None:
        """Share the parameters out to the devices of a server, each of which combines its own."""
        s: Any = self.auto_boost
        devices, rank = s.device_number, groups.world_rank
        servers = groups.world_size // devices
        count = len(self.weights) // devices
        bounds = [i * count for i in range(devices)] + [len(self.weights)]
        self.parts = [tuple(self.weights[bounds[i] : bounds[i + 1]]) for i in range(devices)]
        self.server_rank = rank % devices
        self.adasum = AdaSum(rank, devices, servers, self.parts[self.server_rank])
        self.grad_reducer = DistributedGradReducer(
            self.weights, auto_parallel.get("gradients_mean"), devices, 1, self.adasum.server_group
        )

    def check_adasum_enable(self) -> bool:
        """Whether updates are combined: the optimizer asks for it and there are servers to do so.

        Their number, that of the processes by the ``device_number`` of :class:`AutoBoost`, must be
        a power of two and more than one.
        """
        if not getattr(self.optimizer, "adasum", False) or not self.reducer_flag:
            return False
        servers, left = divmod(groups.world_size, self.auto_boost.device_number)  # type: ignore[attr-defined]
        return not left and servers > 1 and servers & (servers - 1) == 0

    def check_dim_reduce_enable(self) -> bool:
        """Whether the optimizer asks for steps in few dimensions."""
        return bool(getattr(self.optimizer, "dim_reduce", False))

    # -------------------------------------------------------------------- running

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        """Train; gives the loss."""
        if self.freeze:
            return self.gradient_freeze_process(*inputs)
        loss, grads = run_and_grad(self.network, self.weights, inputs, kwargs, self.sens)
        return self._update(loss, self.grad_reducer(grads), self.sens, inputs)

    def _update(self, loss: Any, grads: Any, sens: Any, inputs: tuple[Any, ...]) -> Any:
        if self.use_grad_accumulation:
            return self.gradient_accumulation_process(loss, grads, sens, *inputs)
        return self._change(loss, grads, sens, inputs)

    def _change(self, loss: Any, grads: Any, sens: Any, inputs: tuple[Any, ...]) -> Any:
        """Change the parameters by gradients."""
        if self.enable_dim_reduce:
            scale = sens if isinstance(sens, Tensor) else Tensor(float(sens), mstype.float32)
            return self.dim_reduce(loss, grads, scale, self.weights, self.weights_clone, *inputs)
        if self.enable_adasum:
            return self.adasum_process(loss, grads)
        self.optimizer(grads)
        return loss

    def gradient_freeze_process(self, *inputs: Any) -> Any:
        """Train the group whose turn it is.

        Args:
            *inputs (tuple[Tensor]): those of the network.

        Returns:
            Tensor, the loss.
        """
        turns = self.train_strategy
        count = len(self.freeze_nets) if turns is None else turns.shape[0]
        # the group is read, not the step: a graph has one branch for each group
        group = self.step if turns is None else turns[self.step]
        loss = self.freeze_nets[int(group)](*inputs)
        ops.assign(self.step, (self.step + 1) % count)
        return loss

    def gradient_accumulation_process(
        self, loss: Any, grads: Sequence[Tensor], sens: Any, *inputs: Any
    ) -> Any:
        """Add gradients and, at the last of so many steps, change the parameters.

        Args:
            loss (Tensor): the loss.
            grads (tuple[Tensor]): the gradients.
            sens (Union[float, Tensor]): what the gradients were multiplied by.
            *inputs (tuple[Tensor]): those of the network.

        Returns:
            Tensor, the loss.
        """
        sums = Accumulator(
            self.max_accumulation_step, self.grad_accumulation, self.accumulation_step
        )
        if sums.add(grads):
            loss = self._change(loss, tuple(sums.sums), sens, inputs)
            sums.clear()
        return loss

    def adasum_process(self, loss: Any, grads: Sequence[Tensor]) -> Any:
        """Update the parameters in each server, and combine the updates.

        Args:
            loss (Tensor): the loss.
            grads (tuple[Tensor]): the gradients, reduced over the server.

        Returns:
            Tensor, the loss.
        """
        mine = self.parts[self.server_rank]
        old = tuple(p.value().copy() for p in mine)
        self.optimizer(grads)
        self.adasum(tuple(o - p for o, p in zip(old, mine, strict=True)), mine, old)
        for device, part in enumerate(self.parts):
            for p in part:
                ops.assign(p, wrap(groups.broadcast(p._value, device, self.adasum.server_group)))
        return loss


class BoostTrainOneStepWithLossScaleCell(BoostTrainOneStepCell):
    """One step of training with a scaled loss, in the ways of :class:`BoostTrainOneStepCell`.

    With ``loss_scale_group`` in :class:`AutoBoost`, `scale_sense` is a
    :class:`GroupLossScaleManager`, and each of its groups has a scale of its own: it is divided by
    the root of 2 when a gradient of the group is not finite, and else grows by a factor of
    :math:`2^{1/1000}`. In any case a step with such a gradient changes no parameter.

    Args:
        network (Cell): the network with its loss.
        optimizer (Optimizer): updates the parameters.
        scale_sense (Union[Tensor, Cell]): a constant scale of shape () or (1,), or a cell that
            changes it, as for :class:`agar.nn.TrainOneStepWithLossScaleCell`.

    Inputs:
        - **inputs** (tuple[Tensor]) - the inputs of the network.
        - **kwargs** (dict) - its keyword arguments.

    Outputs: ``(loss, overflow, scale)``: the network's output, whether the step was skipped, and
    the scale it used, of the first group if there are several.

    Raises:
        TypeError: `scale_sense` is neither a Cell nor a Tensor, or no GroupLossScaleManager where
            one is needed; or `optimizer` is a FreezeOpt.
        ValueError: `scale_sense` has another shape, or a parameter belongs to no group.

    Difference from PyTorch: takes the place of ``torch.amp.GradScaler`` around a step.

    Source: behavior observed in MindSpore 2.10, which divides the gradients of groups by their
    next scale; here it is the one that they were multiplied by.

    Examples:
        >>> import agar as ms
        >>> from agar import boost, nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> opt = nn.SGD(net.trainable_params(), 0.1)
        >>> step = boost.BoostTrainOneStepWithLossScaleCell(
        ...     nn.WithLossCell(net, nn.MSELoss()), opt, ms.Tensor(64.0)
        ... )
        >>> print(*step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])))
        9.0 False 64.0
    """

    start_overflow_check = TrainOneStepWithLossScaleCell.start_overflow_check
    get_overflow_status = TrainOneStepWithLossScaleCell.get_overflow_status
    process_loss_scale = TrainOneStepWithLossScaleCell.process_loss_scale
    set_sense_scale = TrainOneStepWithLossScaleCell.set_sense_scale

    def __init__(self, network: Cell, optimizer: Any, scale_sense: Any) -> None:
        owner = type(self).__name__
        if isinstance(optimizer, FreezeOpt):
            raise TypeError(
                f"For '{owner}', the 'optimizer' must be an nn.Optimizer; gradients are not frozen "
                "with a scale that may leave out steps. Use BoostTrainOneStepCell."
            )
        super().__init__(network, optimizer)
        self.is_distributed = self.reducer_flag
        self.enable_enhanced_amp = bool(self.auto_boost.boost_config["loss_scale_group"])
        manager = isinstance(scale_sense, GroupLossScaleManager)
        if self.enable_enhanced_amp != manager:
            raise TypeError(
                f"For '{owner}', the 'scale_sense' must be a GroupLossScaleManager if and only if "
                "'loss_scale_group' is switched on in the boost_config_dict, but it is "
                f"{'on' if self.enable_enhanced_amp else 'off'}, and got {describe(scale_sense)}."
            )
        self.loss_scaling_manager = scale_sense if isinstance(scale_sense, Cell) else None
        if manager:
            self._group_of = self._groups(scale_sense)
        else:
            self.scale_sense = scale_parameter(owner, scale_sense)

    def _groups(self, manager: GroupLossScaleManager) -> list[int]:
        """The group of each parameter; makes the scales of the manager."""
        place = {id(p): i for i, members in enumerate(manager.loss_scale_groups) for p in members}
        left = [p.name for p in self.weights if id(p) not in place]
        if left:
            raise ValueError(
                f"For '{type(self).__name__}', the parameters {left} are in none of the "
                "'loss_scale_groups' of the manager."
            )
        manager.set_loss_scale_status(len(manager.loss_scale_groups), manager.get_loss_scale())
        return [place[id(p)] for p in self.weights]

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        """One step; returns the loss, whether it overflowed, and the scale."""
        if self.enable_enhanced_amp:
            return self._step_of_groups(inputs, kwargs)
        scale = self.scale_sense.value().copy()
        loss, grads = run_and_grad(self.network, self.weights, inputs, kwargs, scale.reshape(()))
        grads = self.grad_reducer(divided(grads, scale))
        overflow = self.get_overflow_status(None, grads)
        if not self.process_loss_scale(overflow):
            loss = self._update(loss, grads, 1.0, inputs)
        return loss, overflow, scale

    def _step_of_groups(self, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        manager: Any = self.loss_scaling_manager
        scales = [p.value().copy() for p in manager.dynamic_loss_scale[1:-1]]
        loss, grads = run_and_grad(self.network, self.weights, inputs, kwargs)
        grads = self.grad_reducer(
            tuple(
                ops.cast(g, mstype.float32) / scales[i]
                for g, i in zip(grads, self._group_of, strict=True)
            )
        )
        any_overflow: Any = Tensor(False)
        for group in range(len(scales)):
            own = [g for g, i in zip(grads, self._group_of, strict=True) if i == group]
            overflow = self.get_overflow_status(None, tuple(own))
            manager.update_loss_scale_status(group, ops.select(overflow, _REDUCE, _GROW))
            any_overflow = ops.logical_or(any_overflow, overflow)
        if not any_overflow:
            loss = self._update(loss, grads, 1.0, inputs)
        return loss, any_overflow, scales[0]


def _counter(name: str) -> Parameter:
    return Parameter(Tensor(0, mstype.int32), name=name, requires_grad=False)


boosted[False] = BoostTrainOneStepCell
boosted[True] = BoostTrainOneStepWithLossScaleCell
