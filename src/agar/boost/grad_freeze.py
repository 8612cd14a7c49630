"""Gradient freezing: in most steps only the last layers are trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# MindSpore draws the strategy with numpy's global generator, and so do its seeded programs.
import numpy as np

from agar import ops
from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.tensor import Tensor
from agar.boost.base import ParameterProcess
from agar.boost.grad_accumulation import GradientAccumulation
from agar.nn.cell import Cell
from agar.nn.layer.basic import Identity
from agar.nn.optim.lars import LARS
from agar.nn.optim.optimizer import Optimizer
from agar.nn.wrap.grad_reducer import DistributedGradReducer

__all__ = ["FreezeOpt", "GradientFreeze", "freeze_cell"]

CONTINUOUS_STRATEGY = 0
INTERVAL_STRATEGY = 1


class FreezeOpt(Cell):
    """Several optimizers in place of one, each for a group of the parameters.

    Args:
        opt (Optimizer): the optimizer whose class and settings the new ones have.
        train_parameter_groups (Union[tuple, list]): for each new optimizer its parameters, as an
            optimizer takes them. Default: ``None``, one group of all parameters.
        train_strategy (Union[tuple[int], list[int], Tensor]): which of them trains in each step,
            over and over; a Tensor is one-dimensional and of type int32. Default: ``None``, one
            after the other.

    Raises:
        TypeError: `opt` is not an Optimizer, or another argument has the wrong type.
        ValueError: there is a strategy without groups, or it does not consist of ints.

    Difference from PyTorch: ``requires_grad_(False)`` on the parameters that rest.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import boost, nn
        >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
        >>> every = net.trainable_params()
        >>> opt = boost.FreezeOpt(nn.SGD(every, 0.1), [every, every[2:]], [0, 1, 1])
        >>> [len(each.parameters) for each in opt.opts]
        [4, 2]
    """

    def __init__(self, opt: Any, train_parameter_groups: Any = None, train_strategy: Any = None):
        super().__init__()
        if not isinstance(opt, Optimizer):
            raise TypeError(
                f"For 'FreezeOpt', the 'opt' must be an Optimizer, but got {describe(opt)}."
            )
        if train_strategy is not None and train_parameter_groups is None:
            raise ValueError(
                "For 'FreezeOpt', when the 'train_strategy' is given, the "
                "'train_parameter_groups' must be given as well."
            )
        self.is_lars = isinstance(opt, LARS)
        single: Any = opt.opt if isinstance(opt, LARS) else opt
        self.opt_class = type(single)
        self.opt_init_args = single.init_args
        if isinstance(opt, LARS):
            self.lars_init_args = opt.init_args
        self.single_opt = single
        self.parameters = single.parameters
        self.dynamic_lr = single.dynamic_lr
        rate = single.init_learning_rate
        self.learning_rate = single.learning_rate if rate is None else rate
        parts = _checked_groups(train_parameter_groups, single)
        self.groups_num = len(parts)
        self.train_strategy = _checked_strategy(train_strategy, self.groups_num)
        self.dynamic_learning_rate = self._rates_of_groups()
        self.opts = [self._optimizer(i, part) for i, part in enumerate(parts)]

    def _rates_of_groups(self) -> list[list[float]]:
        """For each group, the rates of the steps in which it trains, out of a list of rates."""
        rates: list[list[float]] = [[] for _ in range(self.groups_num)]
        if isinstance(self.learning_rate, (list, tuple)) and self.train_strategy is not None:
            turns = self.train_strategy.asnumpy().tolist()
            if len(self.learning_rate) <= len(turns):
                for turn, rate in zip(turns, self.learning_rate, strict=False):
                    rates[turn].append(rate)
        return rates

    def _optimizer(self, index: int, parameters: Any) -> Any:
        rate = self.dynamic_learning_rate[index] or self.learning_rate
        new_opt = self.opt_class(params=parameters, learning_rate=rate, **self.opt_init_args)
        _rename_state(new_opt, f"boost_{index}")
        if not self.is_lars:
            return new_opt
        return LARS(new_opt, **self.lars_init_args)


def _rename_state(opt: Any, prefix: str) -> None:
    """Put a prefix before the names of an optimizer's own state, which several share otherwise."""
    trained = {id(p) for p in opt.parameters}
    for p in opt.get_parameters():
        if id(p) not in trained:
            p.name = prefix + p.name


def _checked_groups(given: Any, opt: Any) -> list[Any]:
    if given is None:
        return [tuple(opt.parameters)]
    if not isinstance(given, (tuple, list)):
        raise TypeError(
            "For 'FreezeOpt', the 'train_parameter_groups' must be a tuple or list, but got "
            f"{describe(given)}."
        )
    for i, part in enumerate(given):
        if not isinstance(part, (tuple, list)):
            raise TypeError(
                "For 'FreezeOpt', each of the 'train_parameter_groups' must be a tuple or list of "
                f"parameters, but number {i} is {describe(part)}."
            )
    return list(given)


def _checked_strategy(given: Any, count: int) -> Tensor | None:
    if given is None:
        return None
    if isinstance(given, (tuple, list)):
        if not all(isinstance(i, int) for i in given):
            raise ValueError(
                "For 'FreezeOpt', the elements of 'train_strategy' must be ints, but got "
                f"{given!r}."
            )
        strategy = Tensor(list(given), mstype.int32)
    elif isinstance(given, Tensor):
        if given.ndim != 1 or given.dtype != mstype.int32:
            raise ValueError(
                "For 'FreezeOpt', a Tensor 'train_strategy' must be one-dimensional and of type "
                f"int32, but got {describe(given)}."
            )
        strategy = given
    else:
        raise TypeError(
            "For 'FreezeOpt', the 'train_strategy' must be None, a tuple, a list or a Tensor, but "
            f"got {describe(given)}."
        )
    turns = strategy.asnumpy()
    if turns.size == 0 or turns.min() < 0 or turns.max() >= count:
        raise ValueError(
            f"For 'FreezeOpt', the 'train_strategy' must name groups from 0 to {count - 1}, but "
            f"got {turns.tolist()}."
        )
    return strategy


class _TrainFreezeCell(Cell):
    """One step of training for one group of the parameters."""

    def __init__(
        self,
        net: Any,
        sens: Any,
        grad: Any,
        grad_reducer: Any,
        use_grad_accumulation: bool,
        optimizer: Any,
        max_accumulation_step: int = 1,
    ) -> None:
        super().__init__(auto_prefix=False)
        self.net = net
        self.grad = grad
        self.grad_reducer = grad_reducer
        self.opt = optimizer
        self.parameters = optimizer.parameters
        self.sens = sens
        self.use_grad_accumulation = use_grad_accumulation
        self.max_accumulation_step = max_accumulation_step
        if use_grad_accumulation:
            self.grad_accumulation = GradientAccumulation(max_accumulation_step, optimizer)

    def construct(self, *inputs: Any) -> Any:
        """Train; gives the loss."""
        loss = self.net(*inputs)
        sens = ops.full_like(loss, self.sens)
        grads = self.grad_reducer(self.grad(self.net, self.parameters)(*inputs, sens))
        if self.use_grad_accumulation:
            return self.grad_accumulation(loss, grads)
        self.opt(grads)
        return loss


class GradientFreeze:
    """Splits the training of a network: some steps train all of it, others its last layers.

    Args:
        param_groups (int): the number of groups; group i leaves out the first i parts.
        freeze_type (int): 0 for blocks of full steps followed by each other group once; 1 for full
            steps between single steps of other groups, which are drawn from numpy's generator.
        freeze_p (float): 0 trains all of the network more often than others, see
            :meth:`generate_freeze_index_sequence`; in [0, 1).
        total_steps (int): steps of the whole training.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import boost, nn
        >>> net = nn.SequentialCell(*[nn.Dense(2, 2) for _ in range(6)])
        >>> freeze = boost.GradientFreeze(2, 0, 0.5, 4)
        >>> network, opt = freeze.freeze_generate(net, nn.SGD(net.trainable_params(), 0.1))
        >>> [len(each.parameters) for each in opt.opts], opt.train_strategy.asnumpy().tolist()
        ([12, 8], [0, 1, 0, 1])
    """

    def __init__(
        self, param_groups: int, freeze_type: int, freeze_p: float, total_steps: int
    ) -> None:
        self._param_groups = param_groups
        self._freeze_type = freeze_type
        self._freeze_p = freeze_p
        self._total_steps = total_steps
        self.grad_reducer = Identity()

    def split_parameters_groups(
        self, net: Cell, freeze_para_groups_number: int
    ) -> list[list[Parameter]]:
        """The groups of a network's trainable parameters, each the end of the one before it.

        Parameters stand together in threes or more; one with ``bn`` or ``bias`` in its name stays
        with those before it.

        Args:
            net (Cell): the network.
            freeze_para_groups_number (int): the number of groups.

        Returns:
            list[list[Parameter]], the first of which has all parameters.
        """
        parts: list[list[Parameter]] = [[]]
        for p in net.trainable_params():
            if len(parts[-1]) >= 3 and "bn" not in p.name and "bias" not in p.name:
                parts.append([])
            parts[-1].append(p)
        stride = len([part for part in parts if part]) // freeze_para_groups_number
        return [
            [p for part in parts[i * stride :] for p in part]
            for i in range(freeze_para_groups_number)
        ]

    def generate_freeze_index_sequence(
        self,
        parameter_groups_number: int,
        freeze_strategy: int,
        freeze_p: float,
        total_steps: int,
    ) -> list[int]:
        """Which group trains in each step.

        Args:
            parameter_groups_number (int): the number of groups.
            freeze_strategy (int): the order of the groups, as `freeze_type` of the class.
            freeze_p (float): the share of full steps, in [0, 1).
            total_steps (int): steps of the training; one in a hundred more are given.

        Returns:
            list[int], indices of groups.

        Raises:
            ValueError: `freeze_strategy` is neither 0 nor 1, or `freeze_p` is out of range.
        """
        total = int(total_steps * 1.01)
        if parameter_groups_number <= 1:
            return [0] * total
        if not 0 <= freeze_p < 1:
            raise ValueError(
                "For 'GradientFreeze', the 'freeze_p' must be at least 0 and less than 1, but got "
                f"{freeze_p}."
            )
        if freeze_strategy == CONTINUOUS_STRATEGY:
            return _blocks(parameter_groups_number, freeze_p, total)
        if freeze_strategy == INTERVAL_STRATEGY:
            return _drawn(parameter_groups_number, freeze_p, total)
        raise ValueError(f"Unsupported freezing training strategy '{freeze_strategy}'")

    def freeze_generate(self, network: Cell, optimizer: Any) -> tuple[Cell, FreezeOpt]:
        """The network and an optimizer that freezes.

        Args:
            network (Cell): the network.
            optimizer (Optimizer): its optimizer, whose class and settings are used.

        Returns:
            ``(network, FreezeOpt)``.

        Raises:
            ValueError: the network has fewer parts than there are groups.
        """
        origin = optimizer.init_params["params"]
        split = self.split_parameters_groups(network, self._param_groups)
        groups = [ParameterProcess.generate_group_params(part, origin) for part in split]
        strategy = self.generate_freeze_index_sequence(
            self._param_groups, self._freeze_type, self._freeze_p, self._total_steps
        )
        return network, FreezeOpt(optimizer, groups, strategy)


def _blocks(count: int, freeze_p: float, total: int) -> list[int]:
    """Full steps, then each other group once, over and over."""
    full = int(freeze_p * (count - 1) // (1 - freeze_p) + 0.5)
    block = [0] * full + list(range(1, count))
    return block * -(-total // len(block))


def _drawn(count: int, freeze_p: float, total: int) -> list[int]:
    """Full steps, and between them other groups, of which earlier ones are drawn more often."""
    numbers = list(range(1, count))
    chances = [i / sum(numbers) for i in numbers]
    turns_of_steps, full = [0], 1
    while len(turns_of_steps) < total:
        if (len(turns_of_steps) - full) / len(turns_of_steps) < 1 - freeze_p:
            turns_of_steps.append(int(np.random.choice(numbers[::-1], p=chances)))
        else:
            turns_of_steps.append(0)
            full += 1
    return turns_of_steps


def freeze_cell(
    reducer_flag: bool,
    network: Cell,
    optimizer: FreezeOpt,
    sens: Any,
    grad: Any,
    use_grad_accumulation: bool,
    mean: bool | None = None,
    degree: int | None = None,
    max_accumulation_step: int = 1,
) -> tuple[Cell, ...]:
    """The training steps of a freezing optimizer, one for each of its groups.

    Args:
        reducer_flag (bool): whether gradients are reduced over processes.
        network (Cell): the network with its loss.
        optimizer (FreezeOpt): the optimizers of the groups.
        sens (float): the gradient of the loss.
        grad (GradOperation): takes gradients by a list, with a last input for `sens`.
        use_grad_accumulation (bool): whether gradients of several steps are added.
        mean (bool): whether reduced gradients are divided by `degree`. Default: ``None``.
        degree (int): the divisor. Default: ``None``.
        max_accumulation_step (int): the steps whose gradients are added. Default: ``1``.

    Returns:
        tuple[Cell], each of which takes the network's inputs and gives the loss.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10, where `use_grad_accumulation` raises.

    Examples:
        >>> import agar as ms
        >>> from agar import boost, nn, ops
        >>> net = nn.Dense(2, 1, "ones")
        >>> opt = boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.1))
        >>> grad = ops.GradOperation(get_by_list=True, sens_param=True)
        >>> (step,) = boost.freeze_cell(False, net, opt, 1.0, grad, False)
        >>> print(step(ms.Tensor([[1.0, 2.0]])))
        [[3.]]
    """

    def reducer(parameters: Sequence[Parameter] | ParameterTuple) -> Cell:
        return DistributedGradReducer(parameters, mean, degree) if reducer_flag else Identity()

    return tuple(
        _TrainFreezeCell(
            network,
            sens,
            grad,
            reducer(opt.parameters),
            use_grad_accumulation,
            opt,
            max_accumulation_step,
        )
        for opt in optimizer.opts
    )
