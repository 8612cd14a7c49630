"""Optimizer: the base of the optimizers whose groups have options of their own.

The update is that of :mod:`agar.nn.optim.optimizer`: gradients are checked before anything
changes, and all parameters of one group and type are updated together, in place, by torch's
multi-tensor kernels. Learning rates and step counts lie on the host (its NOTE Scalars on the host).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core.errors import describe, missing_feature
from agar._core.multi_device import world
from agar._core.parameter import Parameter, ParameterTuple, parameter_over
from agar._core.runtime import runtime, thread
from agar._core.settings import auto_parallel
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.nn.optim import optimizer as base
from agar.nn.optim._update import Rate, Tensors, scaled

__all__ = ["Optimizer"]

Group = dict[str, Any]


def not_less(owner: str, name: str, value: Any, bound: float = 0.0) -> None:
    """That a number is at least `bound`.

    Raises:
        ValueError: it is not.
    """
    if value < bound:
        raise ValueError(
            f"For {owner}, the {name} must be greater than or equal to {bound}, but got {value}."
        )


def above(owner: str, name: str, value: Any, bound: float = 0.0) -> None:
    """That a number is above `bound`.

    Raises:
        ValueError: it is not.
    """
    if value <= bound:
        raise ValueError(f"For {owner}, the {name} must be greater than {bound}, but got {value}.")


def share(owner: str, name: str, value: Any) -> None:
    """That a number is a float in [0, 1).

    Raises:
        TypeError: it is not a float.
        ValueError: it is out of range.
    """
    if not 0.0 <= check.float_only(owner, name, value) < 1.0:
        raise ValueError(
            f"For '{owner}', the '{name}' must be in range of [0.0, 1.0), but got {value}."
        )


def valid_adam(lr: Any, betas: Any, eps: float, weight_decay: float) -> None:
    """That the options of an Adam are in their ranges.

    Raises:
        ValueError: one is not.
    """
    if lr < 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")
    if eps < 0.0:
        raise ValueError(f"Invalid epsilon value: {eps}")
    for i in (0, 1):
        if not 0.0 <= betas[i] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")
    if weight_decay < 0.0:
        raise ValueError(f"Invalid weight_decay value: {weight_decay}")


def choose(condition: Any, value: Any, other: Any, bucket: base.Bucket) -> Any:
    """``torch.where`` on the device of a bucket, of numbers and tensors of one element."""
    beside: list[Any] = [bucket.beside(given) for given in (condition, value, other)]
    return torch.where(*beside)


class Optimizer(Cell):
    """The base of the experimental optimizers.

    An optimizer is called with the gradients, a tuple in the order of ``parameters``. Each entry of
    ``param_groups`` is a dict with the key ``"params"`` and the options of that group, which may be
    changed between steps; ``"lr"`` is a Parameter, which schedulers write to. A custom subclass
    defines ``construct(self, gradients)``; the gradients of group i begin at ``group_start_id[i]``.

    Args:
        params (Union[list[Parameter], list[dict]]): the parameters, or groups of them.
        defaults (dict): the options of groups that do not give them; ``"lr"`` is needed.

    Raises:
        TypeError: `params` is not iterable, a group is not a dict, a set, or has something else
            than Parameters; or a learning rate or weight decay is not a number.
        ValueError: no parameters, a parameter in two groups, or a negative learning rate or weight
            decay.

    Difference from PyTorch: gradients are passed to the call; ``param_groups[i]["lr"]`` is a
    Parameter; the options must hold in every group from the start.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.experimental import optim
        >>> class Descent(optim.Optimizer):
        ...     def __init__(self, params, lr):
        ...         super().__init__(params, {"lr": lr})
        ...
        ...     def construct(self, gradients):
        ...         for group, start in zip(self.param_groups, self.group_start_id):
        ...             for i, p in enumerate(group["params"]):
        ...                 p.set_data(p - gradients[start + i] * group["lr"])
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> Descent([w], 0.5)((ms.Tensor([1.0, 1.0]),))
        >>> print(w.value())
        [0.5 1.5]
    """

    #: The attribute with the number of steps, or None where no step differs from another.
    _step_count: str | None = None
    #: What `_step_count` holds before the first step.
    _start: float = 0
    #: The type in which it is counted.
    _step_count_type: torch.dtype = torch.int32
    #: Its shape.
    _step_count_shape: tuple[int, ...] = ()
    #: Whether `_update` adds weight decay itself.
    _decays_itself = False
    #: See :class:`agar.nn.optim.optimizer.Optimizer`.
    _shape_error: type[Exception] = ValueError
    _narrows_gradients = False

    # These read nothing but the attributes that both kinds of optimizers have.
    _own: Any = base.Optimizer._own
    _parts: Any = base.Optimizer._parts
    _state: Any = base.Optimizer._state
    _checked: Any = base.Optimizer._checked
    _converted: Any = base.Optimizer._converted
    _buckets: Any = base.Optimizer._buckets
    _sorted_into_buckets: Any = base.Optimizer._sorted_into_buckets

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        super().__init__(auto_prefix=False)
        if world.size > 1 and auto_parallel.get("enable_parallel_optimizer"):
            raise missing_feature(
                f"enable_parallel_optimizer with {type(self).__module__}.{type(self).__name__}",
                "its states are not cut into parts",
                "the optimizer of agar.nn of the same name, such as nn.Adam",
            )
        self.__dict__["_cut_as"] = None
        if params is None:
            raise ValueError("For 'Optimizer', the argument params can not be None.")
        if not isinstance(params, Iterable):
            raise TypeError(
                "For 'Optimizer', the argument params must be Iterable type, but got "
                f"{type(params)}."
            )
        given: list[Any] = list(params)
        if not given:
            raise ValueError("For 'Optimizer', the argument params must not be empty.")
        if not isinstance(given[0], dict):
            given = [{"params": given}]
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[Group] = []
        self.lrs: list[Parameter] = []
        self.group_start_id = [0]
        self.enable_tuple_broaden = True
        self.parameters: Any = ()
        self._ready = False
        for group in given:
            self.add_param_group(group)
        self._ready = True

    def add_param_group(self, param_group: Group) -> None:
        """Add a group of parameters.

        Args:
            param_group (dict): ``"params"`` and the options that differ from the defaults. It is
                changed: it gets the defaults, and its ``"lr"`` becomes a Parameter.

        Raises:
            TypeError: it is not a dict, its parameters come in a set or are not Parameters, or an
                option has the wrong type.
            ValueError: a parameter is in another group, or an option is negative.
        """
        owner = type(self).__name__
        if not isinstance(param_group, dict):
            raise TypeError(f"Param group must be a dict, but got {describe(param_group)}.")
        members = _members(param_group["params"])
        own = {id(p) for group in self.param_groups for p in group["params"]}
        if any(id(p) in own for p in members):
            raise ValueError("some parameters appear in more than one parameter group.")
        param_group["params"] = members
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        name = f"learning_rate_group_{len(self.param_groups)}"
        rate = _rate_parameter(owner, param_group.get("lr"), name)
        param_group["lr"] = rate
        param_group["weight_decay"] = _decay(owner, param_group.get("weight_decay", 0.0))
        self.lrs.append(rate)
        self.param_groups.append(param_group)
        self.group_start_id.append(self.group_start_id[-1] + len(members))
        self.parameters = ParameterTuple((*self.parameters, *members))
        self._rate_of = [i for i, g in enumerate(self.param_groups) for _ in g["params"]]
        self._decays = [0.0] * len(self.parameters)
        self.grad_centralization_flags = (False,) * len(self.parameters)
        self.__dict__.pop("_cache", None)
        if self._ready:
            self._grow(ParameterTuple(members))

    def _grow(self, members: ParameterTuple) -> None:
        """Give the parameters of a late group their states."""
        self._extend(members, self._kinds())

    def _extend(self, members: ParameterTuple, kinds: dict[str, float]) -> None:
        for name, fill in kinds.items():
            states = tuple(p.clone(init=fill) for p in members)
            for p, member in zip(states, members, strict=True):
                p.name = f"{name}.{member.name}"
            setattr(self, name, ParameterTuple((*getattr(self, name), *states)))

    def _make_states(self) -> None:
        """Make the states and the step count; the last line of a constructor."""
        for name, fill in self._kinds().items():
            setattr(self, name, self._state(f"{name}.", fill))
        self._make_step_count()

    def _make_step_count(self) -> None:
        if self._step_count is not None and not hasattr(self, self._step_count):
            value = torch.full(self._step_count_shape, self._start, dtype=self._step_count_type)
            setattr(self, self._step_count, parameter_over(value, self._step_count))

    def _kinds(self) -> dict[str, float]:
        """The kinds of state, by attribute, with what they are filled with."""
        return {}

    def _states(self) -> tuple[ParameterTuple, ...]:
        """The states that `_update` finds in ``bucket.states``, in this order."""
        return tuple(getattr(self, name) for name in self._kinds())

    # ------------------------------------------------------------------------ running

    def construct(self, gradients: Sequence[Tensor]) -> Any:
        """Update the parameters.

        Args:
            gradients (tuple[Tensor]): one for each of ``parameters``, in their order.

        Returns:
            True.

        Raises:
            RuntimeError: the number of gradients differs from that of the parameters.
            ValueError: a gradient has another shape than its parameter.
            TypeError: a gradient is not a Tensor, or of a type that the parameter cannot take.
        """
        grads = self._checked(gradients)
        recorder = thread.recorder
        if recorder is None or any(g.device.type != "cpu" for g in grads):
            self._step(grads)
        else:
            # one piece of Python in a graph, so that rates and options are read at every step
            changed = [p._value for p in self.parameters]
            changed += [p._value for kind in self._states() for p in kind]
            changed += [p._value for p in self._scalars()]
            unique = list({id(t): t for t in changed}.values())
            recorder.host(self._step, (grads, unique), type(self).__name__, "nothing", (1,))
        return True

    def _scalars(self) -> list[Parameter]:
        """The states of one number that a step changes."""
        return [] if self._step_count is None else [getattr(self, self._step_count)]

    def _step(self, grads: Tensors, changed: Any = None) -> None:
        """Update the parameters by checked gradients; `changed` are the tensors it writes to."""
        buckets = self._buckets()
        with torch.no_grad():
            count = self._tick()
            for bucket in buckets:
                group = self.param_groups[bucket.rate]
                own = [grads[i] for i in bucket.places] if len(buckets) > 1 else grads
                if group.get("maximize"):
                    own = list(torch._foreach_neg(own))
                if group["weight_decay"] != 0.0 and not self._decays_itself:
                    own = scaled(own, bucket.params, group["weight_decay"])
                rate = bucket.beside(self._current(bucket.rate))
                self._update(bucket, own, rate, group, count)
            self._after(count)
        runtime.weights += 1  # fused kernels do not raise the version of what they change

    def _current(self, group_id: int) -> Rate:
        """The learning rate of a group: a number where reading it costs nothing, else 0-d."""
        given = self.param_groups[group_id]["lr"]
        if isinstance(given, float):
            return given
        value = self.lrs[group_id]._value.reshape(())
        return value if thread.in_graph or value.device.type != "cpu" else float(value)

    def _tick(self) -> Rate:
        """The number of this step, from 1."""
        if self._step_count is None:
            return 1.0
        value = getattr(self, self._step_count)._value.add_(1)
        if thread.in_graph or value.device.type != "cpu":
            return value.reshape(()).to(torch.float32) - self._start
        return float(value) - self._start

    def _after(self, count: Rate) -> None:
        """What is left to do when all parameters are updated."""

    def _update(
        self, bucket: base.Bucket, grads: Tensors, rate: Rate, group: Group, count: Rate
    ) -> None:
        """Update the parameters and states of one bucket in place; `count` is the step, from 1."""
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method construct(self, gradients) must be defined; "
            "experimental.optim.Optimizer itself updates nothing."
        )

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            for key in sorted(group):
                value = group[key]
                if key != "params":
                    shown = value.value() if isinstance(value, Parameter) else value
                    lines.append(f"    {key}: {shown}")
        return "\n".join(lines) + "\n)"

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop("_cache", None)
        return state


def _members(given: Any) -> list[Parameter]:
    """The parameters of a group."""
    if isinstance(given, Parameter):
        return [given]
    if isinstance(given, set):
        raise TypeError(
            "Optimizer parameters need an order, which a set does not have; pass them as a list."
        )
    members = list(given)
    for p in members:
        if not isinstance(p, Parameter):
            raise TypeError(
                f"Optimizer can only optimize Parameters, but one of the params is {describe(p)}."
            )
    return members


def _rate_parameter(owner: str, given: Any, name: str) -> Parameter:
    """The learning rate of a group, a float32 number on the host."""
    if isinstance(given, (int, float)):
        rate = float(given)
        if not rate >= 0.0:
            raise ValueError(
                f"For '{owner}', the 'learning rate' must be float and must >= 0, but got {rate!r}."
            )
        return parameter_over(torch.tensor(rate, dtype=torch.float32), name)
    if isinstance(given, Tensor):
        if given.ndim != 0:
            raise ValueError(
                "For 'Optimizer', if 'learning_rate' is a Tensor, then it should be scalar Tensor, "
                f"but got the shape {tuple(given.shape)}."
            )
        value = given._value.detach().to("cpu", torch.float32, copy=True)
        return parameter_over(value, name)
    raise TypeError(
        "For 'Optimizer', the argument 'learning_rate' must be int, float or Tensor, but got "
        f"{type(given)}."
    )


def _decay(owner: str, given: Any) -> float:
    """The weight decay of a group."""
    if not isinstance(given, (int, float)):
        raise TypeError(
            "For 'Optimizer', the argument 'weight_decay' must be int or float, but got "
            f"{type(given)}."
        )
    decay = float(given)
    if not decay >= 0.0:
        raise ValueError(
            f"For '{owner}', the 'weight_decay' must be float and must >= 0, but got {decay!r}."
        )
    return decay
