"""Cells that join a network with its loss, its gradients and its optimizer."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from agar._core import autodiff
from agar._core.autodiff import GradOperation, value_and_grad
from agar._core.distributed.gradient_buckets import once
from agar._core.distributed.parameter_parts import is_part
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.distributed.sharding import current_region
from agar._core.distributed.strategies import given_strategy
from agar._core.dtype import float32
from agar._core.errors import describe, missing_feature
from agar._core.multi_device import world
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.settings import auto_parallel
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.nn._pipeline_marks import asked_for
from agar.nn.cell import Cell
from agar.nn.layer.basic import Identity
from agar.nn.layer.container import CellList
from agar.nn.wrap._pipeline import config as pipeline_config
from agar.nn.wrap._split_network import split_by_context, splits_by_context
from agar.nn.wrap.grad_reducer import DistributedGradReducer, broadcast_parameters
from agar.nn.wrap.parallel_optimizer import cut_for
from agar.nn.wrap.running import divided, run_and_grad

__all__ = [
    "ForwardValueAndGrad",
    "GetNextSingleOp",
    "GradAccumulationCell",
    "MicroBatchInterleaved",
    "ParameterUpdate",
    "PipelineCell",
    "TrainOneStepCell",
    "VirtualDatasetCellTriple",
    "WithEvalCell",
    "WithGradCell",
    "WithLossCell",
]


class WithLossCell(Cell):
    """A network followed by its loss.

    Args:
        backbone (Cell): the network.
        loss_fn (Callable): takes the network's output and the label.

    Inputs:
        - **data** (Tensor) - the network's input.
        - **label** (Tensor) - the label, which the loss compares with its output.

    Outputs: Tensor, the loss.

    Difference from PyTorch: no counterpart; the loss is called in the training loop there.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "ones", "zeros"), nn.MSELoss())
        >>> print(net(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])))
        9.0
    """

    def __init__(self, backbone: Cell, loss_fn: Callable[..., Any]) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        """The loss of the network on data."""
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self) -> Cell:
        """The network without its loss."""
        return self._backbone


class WithGradCell(Cell):
    """A network, its loss, and the gradients of its trainable parameters.

    The network is set to training mode.

    Args:
        network (Cell): the network, or one with its loss if `loss_fn` is None.
        loss_fn (Callable): the loss. Default: ``None``.
        sens (Union[float, Tensor]): the gradient of the loss. Default: ``None``, one.

    Inputs:
        - **inputs** (tuple[Tensor]) - data, and label with `loss_fn`.

    Outputs: tuple[Tensor], the gradients in the order of ``network.trainable_params()``.

    Difference from PyTorch: ``loss.backward()`` stores the gradients on the parameters.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> grads = nn.WithGradCell(nn.Dense(2, 1, "ones", "zeros"), nn.MSELoss())
        >>> print(grads(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))[0])
        [[ 6. 12.]]
    """

    def __init__(
        self, network: Cell, loss_fn: Callable[..., Any] | None = None, sens: Any = None
    ) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.sens = sens
        if loss_fn is None:
            self.network_with_loss = network
        else:
            self.network_with_loss = WithLossCell(network, loss_fn)
        self.network.set_train()

    def construct(self, *inputs: Any) -> Any:
        """The gradients of the parameters."""
        sens = 1.0 if self.sens is None else self.sens
        return run_and_grad(self.network_with_loss, self.weights, inputs, {}, sens)[1]


class ForwardValueAndGrad(Cell):
    """A network and its gradients.

    Args:
        network (Union[Cell, Callable]): what is differentiated.
        weights (Union[ParameterTuple, list[Parameter]]): parameters to differentiate by; needed
            with `get_by_list`. Default: ``None``.
        get_all (bool): whether to differentiate by all tensor inputs. Default: ``False``.
        get_by_list (bool): whether to differentiate by `weights`. If both are False, by the first
            input. Default: ``False``.
        sens_param (bool): whether the last input is the gradient of the output.
            Default: ``False``.

    Inputs:
        - **inputs** (tuple[Tensor]) - inputs of the network, then the gradient of its output with
          `sens_param`, a Tensor or a number.

    Outputs: ``(output, gradients)``; the gradients are those of :class:`agar.ops.GradOperation`.

    Raises:
        TypeError: an argument has the wrong type.

    Difference from PyTorch: ``torch.func.grad_and_value`` returns the gradients first.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> f = nn.ForwardValueAndGrad(lambda x: x * x)
        >>> print(*f(ms.Tensor([1.0, 2.0])))
        [1. 4.] [2. 4.]
    """

    def __init__(
        self,
        network: Any,
        weights: Any = None,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
    ) -> None:
        super().__init__(auto_prefix=False)
        if not callable(network):
            raise TypeError(
                "For 'ForwardValueAndGrad', the argument 'network' must be a Cell or a function, "
                f"but got {type(network).__name__}."
            )
        self.get_all = check.boolean("ForwardValueAndGrad", "get_all", get_all)
        self.get_by_list = check.boolean("ForwardValueAndGrad", "get_by_list", get_by_list)
        self.sens_param = check.boolean("ForwardValueAndGrad", "sens_param", sens_param)
        if get_by_list and not isinstance(weights, (ParameterTuple, tuple, list)):
            raise TypeError(
                "For 'ForwardValueAndGrad', when 'get_by_list' is set to True, the argument "
                f"'weights' must be a list of Parameters, but got {type(weights).__name__}."
            )
        self.network = network
        if isinstance(network, Cell):
            network.set_grad()
        self.weights = weights

    def construct(self, *inputs: Any) -> Any:
        """The output and the gradients."""
        args = list(inputs)
        count = len(args) - self.sens_param
        if self.sens_param and args and not autodiff.tensors_in(args[-1]):
            args[-1] = Tensor(float(args[-1]), float32)
        positions: tuple[int, ...] | int | None = None
        if self.get_all:
            positions = tuple(i for i in range(count) if isinstance(args[i], Tensor)) or None
        elif not self.get_by_list:
            positions = 0
        weights = self.weights if self.get_by_list else None
        take = value_and_grad(self.network, positions, weights, sens_param=self.sens_param)
        value, grads = take(*args)
        if isinstance(positions, tuple) and len(positions) == 1:
            # a transform gives one gradient bare, MindSpore's get_all always a tuple
            grads = ((grads[0],), grads[1]) if self.get_by_list else (grads,)
        return value, grads


#: Modes in which each process has the whole network and its own rows.
_REDUCING = ("data_parallel", "hybrid_parallel")
#: Training cells that reduce no gradients.
_training_alone: weakref.WeakSet[Any] = weakref.WeakSet()


def _begin_together(cell: Any, inputs: Any) -> None:
    """Before the first step of data parallel: all processes have the same parameters."""
    if auto_parallel.get("parameter_broadcast"):
        every = [p for p in cell.get_parameters() if not (p.layerwise_parallel or is_part(p))]
        why = "the first step sends the parameters to all processes"
        once(broadcast_parameters, every, WORLD, why=why)
    cell._first_step.remove()


def _lies_split(cell: Any) -> bool:
    return given_strategy(cell) is not None or current_region() is not None


def _refuse_alone(cell: Any, inputs: Any) -> None:
    """Raise where a cell that reduces nothing is asked to train data parallel."""
    mode = auto_parallel.get("parallel_mode")
    if asked_for() and not holds_pipeline(cell):
        raise RuntimeError(
            f"For '{type(cell).__name__}', the context asks {world.size} processes for "
            f"{auto_parallel.get('pipeline_stages')} pipeline stages, but its network is not cut, "
            "and each process would train alone. Wrap the network with its loss in "
            "nn.PipelineCell."
        )
    if world.size > 1 and (mode in _REDUCING or (splits_by_context() and not _lies_split(cell))):
        raise RuntimeError(
            f"For '{type(cell).__name__}', the parallel mode is '{mode}' in {world.size} "
            f"processes, but the cell was made in the mode '{cell.parallel_mode}' or before the "
            "processes joined, and reduces no gradients. Call communication.init() and "
            "set_auto_parallel_context(parallel_mode=...) before the training cell is made."
        )


def holds_pipeline(network: Any) -> bool:
    """Whether a network is one of a pipeline, or around one."""
    return isinstance(network, Cell) and any(
        isinstance(cell, PipelineCell) for _, cell in network.cells_and_names()
    )


def _watch_alone() -> None:
    """Let cells that reduce nothing look at the mode, now that there are several processes."""
    for cell in list(_training_alone):
        cell.register_forward_pre_hook(_refuse_alone)
    _training_alone.clear()


world.watchers.append(_watch_alone)


class TrainOneStepCell(Cell):
    """A network with its loss, and the optimizer that trains it: one call is one step.

    In the parallel modes ``"data_parallel"`` and ``"hybrid_parallel"`` of
    `set_auto_parallel_context` each process trains with its own rows, and the gradients go through
    a :class:`DistributedGradReducer` (``grad_reducer``) before the optimizer. Statistics of a
    BatchNorm are those of the process's own rows.

    Args:
        network (Cell): the network with its loss.
        optimizer (Union[Optimizer, Cell]): updates the parameters.
        sens (Union[float, Tensor]): the gradient of the loss. Default: ``None``, one.
        return_grad (bool): whether the gradients are returned as well. Default: ``False``.

    Inputs:
        - **inputs** (tuple[Tensor]) - the inputs of the network.
        - **kwargs** (dict) - its keyword arguments.

    Outputs: The output of the network; with `return_grad` a pair with the dictionary of gradients
    by parameter name.

    Raises:
        TypeError: `sens` is not a number.
        AttributeError: `network` is not a Cell, or `optimizer` has no parameters.
        RuntimeError: the mode is data parallel, and the processes have not joined.
        ValueError: with ``gradients_mean`` processes train with different numbers of rows.

    Difference from PyTorch: takes the place of ``zero_grad``, forward, ``backward`` and ``step``.

    Source: behavior observed in MindSpore 2.10, where the network may run twice in a step; here
    it runs once.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train()
        >>> print(step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])))
        9.0
        >>> print(net.weight.asnumpy().round(4))
        [[ 0.4 -0.2]]
    """

    def __init__(
        self, network: Cell, optimizer: Any, sens: Any = None, return_grad: bool = False
    ) -> None:
        super().__init__(auto_prefix=False)
        for name, value, attribute in (
            ("network", network, "set_grad"),
            ("optimizer", optimizer, "parameters"),
        ):
            if not hasattr(value, attribute):
                raise AttributeError(
                    f"For '{type(self).__name__}', the '{name}' must have '{attribute}', as a "
                    f"{'Cell' if name == 'network' else 'nn.Optimizer'} has, but got "
                    f"{describe(value)}."
                )
        if not (sens is None or isinstance(sens, (int, float, Tensor))):
            raise TypeError(
                f"For '{type(self).__name__}', the 'sens' must be a number or a Tensor, but got "
                f"{describe(sens)}."
            )
        self.network = network
        network.set_grad()
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.sens = 1.0 if sens is None else sens
        self.sense_flag = sens is not None
        self.return_grad = return_grad
        self.parallel_mode = auto_parallel.get("parallel_mode")
        self.reducer_flag = self.parallel_mode in _REDUCING and groups.expected_size > 1
        self.grad_reducer = Identity()
        if self.reducer_flag:
            if not groups.inited:
                raise RuntimeError(
                    f"For '{type(self).__name__}', the parallel mode is '{self.parallel_mode}' and "
                    f"the launcher started {groups.expected_size} processes, which have not joined "
                    "yet. Call communication.init() before the training cell is made."
                )
            self.grad_reducer = DistributedGradReducer(self.weights)
            self._first_step = self.register_forward_pre_hook(_begin_together)
        else:
            _training_alone.add(self)
        split_by_context(self)
        cut_for(self)

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run the network, take gradients, update the parameters; returns the network's output."""
        loss, grads = self._run_and_reduce(inputs, kwargs, self.sens)
        self.optimizer(grads)
        if self.return_grad:
            return loss, {p.name: g for p, g in zip(self.weights, grads, strict=True)}
        return loss

    def _run_and_reduce(
        self, inputs: Any, keywords: Any, sens: Any, scale: Tensor | None = None
    ) -> tuple[Any, Any]:
        """The output of the network, and the gradients over all processes, divided by `scale`."""
        reducer = self.grad_reducer
        if isinstance(reducer, DistributedGradReducer):
            if reducer._is_active(self.weights):
                return reducer._run(self.network, self.weights, inputs, keywords, sens, scale)
            reducer._expect_rows([*inputs, *keywords.values()])
        loss, grads = run_and_grad(self.network, self.weights, inputs, keywords, sens)
        if scale is not None:
            grads = divided(grads, scale)
        return loss, reducer(grads)


class WithEvalCell(Cell):
    """A network with its loss, which also gives the output and the label for metrics.

    Args:
        network (Cell): the network.
        loss_fn (Callable): takes the network's output and the label.
        add_cast_fp32 (bool): whether output and label are cast to float32 first.
            Default: ``False``.

    Inputs:
        - **data** (Tensor) - the network's input.
        - **label** (Tensor) - the label, which the loss compares with its output.

    Outputs: ``(loss, output, label)``.

    Raises:
        TypeError: `add_cast_fp32` is not a bool.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.WithEvalCell(nn.Dense(2, 1, "ones", "zeros"), nn.MSELoss())
        >>> print(net(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))[:2])
        (Tensor(shape=[], dtype=Float32, value= 9), Tensor(shape=[1, 1], dtype=Float32, value=
        [[ 3.00000000e+00]]))
    """

    def __init__(
        self, network: Cell, loss_fn: Callable[..., Any], add_cast_fp32: bool = False
    ) -> None:
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = check.boolean("WithEvalCell", "add_cast_fp32", add_cast_fp32)

    def construct(self, data: Any, label: Any) -> tuple[Any, Any, Any]:
        """Loss, output and label."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs, label = (self.cast_inputs(v, float32) for v in (outputs, label))
        return self._loss_fn(outputs, label), outputs, label


class ParameterUpdate(Cell):
    """Writes a value into a parameter.

    Args:
        param (Parameter): the parameter.

    Inputs:
        - **x** (Tensor) - the value, of the parameter's shape.

    Outputs: Tensor, the value written.

    Raises:
        TypeError: `param` is not a Parameter.
        ValueError: the value has the wrong shape.

    Difference from PyTorch: ``param.data.copy_(x)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(nn.ParameterUpdate(p)(ms.Tensor([3.0, 4.0])))
        [3. 4.]
    """

    def __init__(self, param: Parameter) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise TypeError(
                "For 'ParameterUpdate', 'param' must be 'Parameter', but got "
                f"{type(param).__name__}."
            )
        self._param = param

    def construct(self, x: Tensor) -> Tensor:
        """Write the value."""
        param = self._param
        if x.shape != param.shape:
            raise ValueError(
                f"For 'ParameterUpdate', the value must have the shape {param.shape} of the "
                f"parameter '{param.name}', but got {x.shape}."
            )
        param.set_data(x)
        return param.value()


class _MicroBatch(Cell):
    """One of several equal parts of a batch."""

    def __init__(self, micro_size: int) -> None:
        super().__init__()
        self.micro_size = micro_size

    def construct(self, i: int, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Part number `i` of every input."""
        parts = []
        for value in inputs:
            size = value.shape[0] if value.ndim else 0
            if not size or size % self.micro_size:
                raise ValueError(
                    "For micro batch initialization, the 0th dimension shape of input "
                    f"({value.shape}) must be divided by micro size ({self.micro_size})."
                )
            step = size // self.micro_size
            parts.append(value[i * step : (i + 1) * step])
        return tuple(parts)


class _SumOfParts(Cell):
    """A network that runs on the parts of a batch one after the other; its outputs are added."""

    def __init__(self, network: Cell, count: int, count_name: str, list_name: str) -> None:
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        if not isinstance(network, Cell):
            raise TypeError(
                f"For '{owner}', the argument 'network' must be a Cell, but got "
                f"{type(network).__name__}."
            )
        check.integer(owner, count_name, count, 1)
        self.network = network
        setattr(self, count_name, count)
        setattr(self, list_name, CellList([_MicroBatch(count) for _ in range(count)]))

    def _sum(self, parts: Any, inputs: tuple[Any, ...]) -> Any:
        total: Any = None
        for i, part in enumerate(parts):
            out = self.network(*part(i, *inputs))
            total = out if total is None else total + out
        return total


class MicroBatchInterleaved(_SumOfParts):
    """A network that runs on parts of the batch; its outputs are added.

    On several devices the parts overlap computation and communication; on one they save memory.

    Args:
        network (Cell): the network with its loss.
        interleave_num (int): the number of parts, which must divide the batch. Default: ``2``.

    Inputs:
        - **inputs** (tuple[Tensor]) - those of the network.

    Outputs: The sum of the network's outputs.

    Raises:
        TypeError: `network` is not a Cell or `interleave_num` is not an int.
        ValueError: `interleave_num` is not positive or does not divide the batch.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "ones", "zeros"), nn.MSELoss())
        >>> whole = nn.MicroBatchInterleaved(net, 2)
        >>> print(whole(ms.Tensor([[1.0, 2.0], [0.0, 0.0]]), ms.Tensor([[0.0], [0.0]])))
        9.0
    """

    def __init__(self, network: Cell, interleave_num: int = 2) -> None:
        super().__init__(network, interleave_num, "interleave_num", "interleave_inputs")

    def construct(self, *inputs: Any) -> Any:
        """The sum over the parts."""
        return self._sum(self.interleave_inputs, inputs)


class GradAccumulationCell(_SumOfParts):
    """A network that runs on parts of the batch; its losses, and so its gradients, are added.

    Args:
        network (Cell): the network with its loss.
        micro_size (int): the number of parts, which must divide the batch.

    Inputs:
        - **inputs** (tuple[Tensor]) - those of the network.

    Outputs: The sum of the network's outputs.

    Raises:
        TypeError: `network` is not a Cell or `micro_size` is not an int.
        ValueError: `micro_size` is not positive or does not divide the batch.

    Difference from PyTorch: calling ``backward`` several times before ``step``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "ones", "zeros"), nn.MSELoss())
        >>> whole = nn.GradAccumulationCell(net, 2)
        >>> print(whole(ms.Tensor([[1.0, 2.0], [0.0, 0.0]]), ms.Tensor([[0.0], [0.0]])))
        9.0
    """

    def __init__(self, network: Cell, micro_size: int) -> None:
        super().__init__(network, micro_size, "micro_size", "micro_inputs")

    def construct(self, *inputs: Any) -> Any:
        """The sum over the parts."""
        return self._sum(self.micro_inputs, inputs)


class PipelineCell(_SumOfParts):
    """A network whose batch is cut into micro-batches, which run through the stages of a pipeline.

    Cells are marked with the stage that runs them, ``net.block.pipeline_stage = 1``, and each cell
    that has parameters needs a mark, its own or that of a cell around it. With `pipeline_stages` of
    `set_auto_parallel_context`, or ``AutoParallel(net).pipeline(stages)``, and a number of
    processes that is a multiple of the stages, each process keeps the parameters of its stage, and
    frees those of the others when the cell is made, or when it is first called in an
    `AutoParallel`. In one process the parts run one by one.

    As in one process, the output is the sum over the micro-batches, so gradients are the sum as
    well: pass ``sens=1 / micro_size`` to the training cell, or divide, for those of the mean. Every
    process gets the loss; an output of more than one number is that of the last stage, ``None``
    elsewhere, or everywhere with `pipeline_result_broadcast`. The processes of one stage average
    losses and gradients. Statistics of a BatchNorm are those of each micro-batch.

    Args:
        network (Cell): the network with its loss.
        micro_size (int): the number of parts, which must divide the batch, and be at least the
            number of stages.
        stage_config (dict[str, int]): stages of cells by their names in ``cells_and_names()`` of
            `network`, in place of marks. Default: ``None``.
        segment_config (dict[str, int]): which part of its stage a cell belongs to, by its name,
            for the scheduler ``"zero_bubble_v"``. Default: ``None``.

    Inputs:
        - **inputs** (tuple[Tensor]) - those of the network.

    Outputs: The sum of the network's outputs.

    Raises:
        TypeError: `network` is not a Cell, `micro_size` not an int, or an input not a Tensor.
        ValueError: `micro_size` is not positive, does not divide the batch, or is less than the
            number of stages; a mark is out of range.
        KeyError: a name of `stage_config` or `segment_config` is that of no cell.
        RuntimeError: a parameter belongs to no stage, data would go back to an earlier stage, or
            there are several processes and no stages.
        NotImplementedError: the gradient of an input is asked for.

    Difference from PyTorch: ``torch.distributed.pipelining``, whose schedules run it; marks say
    where the network is cut, which stays one cell.

    Source: behavior observed in MindSpore 2.10 in one process, and described for several.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "ones", "zeros"), nn.MSELoss())
        >>> whole = nn.PipelineCell(net, 2)
        >>> print(whole(ms.Tensor([[1.0, 2.0], [0.0, 0.0]]), ms.Tensor([[0.0], [0.0]])))
        9.0
    """

    def __init__(
        self,
        network: Cell,
        micro_size: int,
        stage_config: dict[str, int] | None = None,
        segment_config: dict[str, int] | None = None,
    ) -> None:
        super().__init__(network, micro_size, "micro_size", "micro_inputs")
        vars(self)["_pipeline"] = None
        for attribute, name, config in (
            ("pipeline_stage", "stage_config", stage_config),
            ("pipeline_segment", "segment_config", segment_config),
        ):
            if config is not None:
                self._mark(attribute, name, config)
        if world.size > 1 and pipeline_config.current_config().stages > 1:
            self._cut()

    def _mark(self, attribute: str, name: str, config: dict[str, int]) -> None:
        cells = dict(self.network.cells_and_names())
        unknown = [key for key in config if not key or key not in cells]
        if unknown:
            raise KeyError(
                f"For 'PipelineCell', the argument '{name}' : {unknown} is not found in 'network': "
                f"its cells are {', '.join(key for key in cells if key)}."
            )
        for key, value in config.items():
            setattr(cells[key], attribute, value)

    def _cut(self) -> Any:
        """The pipeline of the stages that are asked for now."""
        config = pipeline_config.current_config()
        if config.stages == 1:
            raise RuntimeError(
                f"For 'PipelineCell', there are {world.size} processes, but no pipeline stages. "
                "Call set_auto_parallel_context(parallel_mode='semi_auto_parallel', "
                "pipeline_stages=...), or AutoParallel(net).pipeline(stages=...); or use "
                "nn.GradAccumulationCell, which runs the parts of a batch in each process."
            )
        held = vars(self)["_pipeline"]
        if held is None:
            from agar.nn.wrap._pipeline.engine import Pipeline  # torch's pipelines, when needed

            held = vars(self)["_pipeline"] = Pipeline(self.network, self.micro_size, config)
        elif not held.take(config):
            raise RuntimeError(
                f"For 'PipelineCell', the network was cut for {held.config}, and its other stages "
                f"are no longer in this process, but now {config} is asked for. Make the network "
                "anew."
            )
        return held

    def construct(self, *inputs: Any) -> Any:
        """The sum over the parts."""
        if world.size > 1:
            return self._cut().run(inputs)
        return self._sum(self.micro_inputs, inputs)


class VirtualDatasetCellTriple(Cell):
    """A network of three inputs, whose batch several devices would share; one takes it whole.

    Args:
        backbone (Cell): the network.

    Inputs:
        - **a** (Tensor) - its first input.
        - **b** (Tensor) - its second input.
        - **c** (Tensor) - its third input.

    Outputs: The network's output.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> cell = nn.VirtualDatasetCellTriple(lambda a, b, c: a + b + c)
        >>> print(cell(ms.Tensor(1.0), ms.Tensor(2.0), ms.Tensor(3.0)))
        6.0
    """

    def __init__(self, backbone: Callable[..., Any]) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        """The network's output."""
        return self._backbone(a, b, c)


class _VirtualDatasetCell(Cell):
    """A network whose batch several devices would share; one takes it whole."""

    def __init__(self, backbone: Callable[..., Any]) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs: Any) -> Any:
        """The network's output."""
        return self._backbone(*inputs)


class GetNextSingleOp(Cell):
    """Not available: the next row of a data queue on an Ascend device.

    Args:
        dataset_types (list[Type]): types of the row's tensors.
        dataset_shapes (list[tuple[int]]): their shapes.
        queue_name (str): name of the queue.

    Raises:
        NotImplementedError: when called.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> nn.GetNextSingleOp([ms.float32], [(2,)], "queue")
        GetNextSingleOp()
    """

    def __init__(self, dataset_types: Any, dataset_shapes: Any, queue_name: str) -> None:
        super().__init__()
        self.dataset_types = dataset_types
        self.dataset_shapes = dataset_shapes
        self.queue_name = queue_name

    def construct(self) -> Any:
        """Raise: there is no queue.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "nn.GetNextSingleOp",
            "rows of a dataset do not pass through a queue on the device",
            "iterate over the dataset: for data, label in dataset.create_tuple_iterator()",
        )
