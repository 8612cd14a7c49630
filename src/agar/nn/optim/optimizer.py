"""Optimizer: the base of all optimizers, groups of parameters and rates that change.

NOTE One update. ``construct`` checks the gradients and works out the rates before anything
changes, so a call that raises leaves parameters and state as they were. Then all parameters of
equal settings are updated together, in place, by torch's multi-tensor kernels.

NOTE Scalars on the host. ``global_step``, learning rates and the powers of Adam's betas lie on the
CPU whatever the device: reading them costs nothing there and would stop a GPU. Where a value must
not be read (in a graph, or when a schedule computes on the device), rates stay 0-d tensors.

NOTE Parts. Of parameters that lie on several processes each process updates what it has, with the
same kernels: states lie as their parameters do, and a gradient is brought there first, which is
where partial sums are added up.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Sequence
from typing import Any

# Parameters and state are updated in place by torch's multi-tensor kernels.
import torch

from agar._core import dtype as mstype
from agar._core.context import get_context, torch_device
from agar._core.distributed.parameter_parts import Part, Parts, cut_of, spread
from agar._core.distributed.process_groups import node
from agar._core.distributed.sharding import (
    distribute,
    is_split,
    like_parameter,
    local,
    part_of,
    whole,
)
from agar._core.distributed.state_sharding import sharding_of, spread_updates
from agar._core.errors import describe, missing_feature
from agar._core.multi_device import world
from agar._core.parameter import Parameter, ParameterTuple, parameter_over
from agar._core.runtime import runtime, thread
from agar._core.tensor import Tensor, wrap
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.nn.learning_rate_schedule import LearningRateSchedule
from agar.nn.optim._settings import (
    Settings,
    _ConvertToCell,
    _IteratorLearningRate,
    _WrappedWeightDecay,
)
from agar.nn.optim._update import Rate, Tensors, like, may_fuse, scaled

__all__ = ["Optimizer"]


def _follow(state: Parameter, p: Parameter) -> None:
    """Let a state lie on the processes as its parameter does (NOTE Parts)."""
    value: Any = p._value
    held: Any = state._value
    if value.__class__ is torch.Tensor or not is_split(value):
        if held.__class__ is not torch.Tensor and held.shape == value.shape:
            state._value = whole(held)
        return
    mesh, placements = value.device_mesh, value.placements
    sharding = sharding_of(p)
    if sharding is not None:
        placements = sharding.states()
    lies = is_split(held) and held.device_mesh == mesh and held.placements == placements
    if held.shape == value.shape and not lies:
        state._value = part_of(held, mesh, placements)


class Bucket:
    """Parameters that are updated together, with the tensors to do it.

    Attributes:
        places: positions in ``Optimizer.parameters``.
        params: the parameters' torch tensors.
        states: for each kind of state, the torch tensors in the same order.
        rate: index of the learning rate.
        decay: weight decay, or the cell that gives it.
        central: positions inside the bucket whose gradients are centralized.
        fused: whether torch's fused kernels may be used.
    """

    __slots__ = ("central", "decay", "fused", "params", "places", "rate", "states")

    def __init__(self, rate: int, decay: Any, fused: bool, kinds: int) -> None:
        self.rate = rate
        self.decay = decay
        self.fused = fused
        self.places: list[int] = []
        self.params: Tensors = []
        self.states: list[Tensors] = [[] for _ in range(kinds)]
        self.central: list[int] = []

    def beside(self, rate: Rate) -> Rate:
        """A rate on the device of the parameters, as multi-tensor kernels want it."""
        return rate.to(self.params[0].device) if isinstance(rate, torch.Tensor) else rate


class Optimizer(Cell):
    """The base of all optimizers.

    An optimizer is called with the gradients, a tuple in the order of its parameters. A custom
    subclass defines ``construct(self, gradients)`` and may use :meth:`decay_weight`,
    :meth:`gradients_centralization`, :meth:`scale_grad`, :meth:`get_lr` and ``global_step``, which
    it increases itself.

    Args:
        learning_rate (Union[float, int, Tensor, Iterable, LearningRateSchedule]): a constant; a
            list or 1-D tensor, indexed by ``global_step``; or a schedule, called with it.
        parameters (Union[list[Parameter], list[dict]]): the parameters, or groups of them. A group
            has the key ``"params"`` and, where it differs from the others, ``"lr"``,
            ``"weight_decay"`` and ``"grad_centralization"`` (True subtracts the mean over all
            dimensions but the first from gradients whose second dimension is a multiple of 16, and
            leaves the others). A group with the key ``"order_params"`` alone gives the order in
            which gradients come.
        weight_decay (Union[float, int, Cell]): factor of the parameters that is added to their
            gradients; a Cell is called with ``global_step``. Default: ``0.0``.
        loss_scale (float): gradients are divided by it. Default: ``1.0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there are no parameters, two have one name, or an argument is out of range.
        KeyError: a group has no ``"params"``, or an unknown key.
        RuntimeError: a parameter is in two groups.

    Difference from PyTorch: gradients are passed to the call, not stored on parameters; the
    learning rate is a Parameter, a list or a function of the step; groups inherit nothing else.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> class Descent(nn.Optimizer):
        ...     def construct(self, gradients):
        ...         for p, g in zip(self.parameters, gradients):
        ...             p.set_data(p - self.get_lr() * g)
        ...         return True
        >>> w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
        >>> Descent(0.5, [w])((ms.Tensor([1.0, 1.0]),))
        True
        >>> print(w.value())
        [0.5 1.5]
    """

    #: Kind of error for a gradient of the wrong shape; MindSpore's depends on the kernel.
    _shape_error: type[Exception] = ValueError
    #: Whether gradients may be of a wider type than their parameter.
    _narrows_gradients = False
    #: Whether an element of a parameter is updated by its own gradient and states alone.
    _by_element = True
    #: Who adds weight decay to the gradients: ``"here"``; ``"kernel"`` if `_update` can add a
    #: constant one on the way; ``"never"`` if it is not part of the gradients.
    _decay_goes = "here"

    def __init__(
        self,
        learning_rate: Any,
        parameters: Any,
        weight_decay: float | Cell = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        self.loss_scale = check.positive(owner, "loss_scale", loss_scale, strict=False)
        settings = Settings(owner, parameters, learning_rate, weight_decay)
        members = ParameterTuple(settings.parameters)

        self.init_params = {"params": settings.given}
        self.init_learning_rate = None if isinstance(learning_rate, Cell) else learning_rate
        self.is_group = settings.grouped
        self.is_group_lr = settings.rates_differ
        self.is_group_params_ordered = settings.ordered
        self.dynamic_lr = any(isinstance(r, LearningRateSchedule) for r in settings.rates)
        self.need_scale = self.loss_scale != 1.0
        self.reciprocal_scale = wrap(torch.tensor(1.0 / self.loss_scale))
        self.param_length = len(members)
        self.use_parallel = False
        self.enable_tuple_broaden = True
        self.optim_filter = (True,) * len(members)
        self._target = get_context("device_target")
        self._unique = True
        self._done: Any = (True,) * len(members)

        self.global_step = parameter_over(torch.zeros(1, dtype=torch.int32), "global_step")
        self.global_step_increase_tensor = wrap(torch.ones(1, dtype=torch.int32))
        self._set_rates(settings)
        self.parameters = members
        self.__dict__["_cut_as"] = self._cut_in_parts()
        self._set_decays(settings)
        self.grad_centralization = not self.is_group and settings.centralize[0]
        self.grad_centralization_flags = tuple(settings.centralize)
        if self.is_group:
            self.group_params = list(members)
            self.group_weight_decay = settings.decays
            self.group_grad_centralization = settings.centralize

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Keep the arguments, by which wrappers make a second optimizer of the same settings."""
        instance = super().__new__(cls)
        instance.__dict__["_made_with"] = (args, kwargs)
        return instance

    @property
    def init_args(self) -> dict[str, Any]:
        """The arguments it was made with, defaults included, but parameters and learning rate."""
        args, kwargs = self.__dict__["_made_with"]
        bound = inspect.signature(type(self)).bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = {**bound.arguments, **bound.arguments.get("kwargs", {})}
        left_out = ("params", "learning_rate", "optimizer", "kwargs")
        return {name: value for name, value in arguments.items() if name not in left_out}

    # ------------------------------------------------------------------ construction

    def _set_rates(self, settings: Settings) -> None:
        """Make the attributes by which learning rates are used, read and saved."""
        rates = settings.rates
        if settings.rates_differ and self.dynamic_lr:
            rates = [r if isinstance(r, Cell) else _ConvertToCell(r) for r in rates]
        self._rates = rates
        self._rate_of = settings.rate_of
        if not settings.rates_differ:
            self.learning_rate = rates[0]
            return
        per_parameter: list[Any] = [rates[i] for i in settings.rate_of]
        self.group_lr = per_parameter
        if self.dynamic_lr:
            from agar.nn.layer.container import CellList  # containers are built on cells, as this

            self.learning_rate = CellList(per_parameter, auto_prefix=False)
        else:
            for rate in per_parameter:
                self.insert_param_to_cell(rate.name, rate, attribute=False)
            # ParameterTuple refuses a parameter that stands in it twice, as a rate must here; and
            # the attribute is named as one of its members, which it must not replace
            self.__dict__["learning_rate"] = tuple.__new__(ParameterTuple, per_parameter)

    def _set_decays(self, settings: Settings) -> None:
        """Make the attributes by which weight decays are used and read."""
        wrapped: dict[int, _WrappedWeightDecay] = {}
        for decay in settings.decays:
            if isinstance(decay, Cell) and id(decay) not in wrapped:
                wrapped[id(decay)] = _WrappedWeightDecay(decay, self.loss_scale)
        self._decays = [wrapped.get(id(d), d) for d in settings.decays]
        self.dynamic_weight_decay = bool(wrapped)
        changing = tuple(isinstance(d, Cell) for d in self._decays)
        self.dynamic_decay_flags = changing if settings.decays_differ else bool(wrapped)
        self.decay_flags = tuple(isinstance(d, Cell) or d > 0 for d in self._decays)
        self.exec_weight_decay = any(self.decay_flags)
        shown = [
            d if isinstance(d, Cell) else wrap(torch.tensor(d * self.loss_scale))
            for d in self._decays
        ]
        if settings.decays_differ:
            self.weight_decay = tuple(shown)
            for i, cell in enumerate(wrapped.values()):
                self.insert_child_to_cell(f"weight_decay_{i}", cell)
        else:
            self.weight_decay = shown[0]

    def drop_weight_decay(self) -> None:
        """Add no weight decay from now on; for wrappers that do it themselves."""
        if isinstance(self.weight_decay, Cell):
            del self.weight_decay
        self.weight_decay = wrap(torch.tensor(0.0))
        self._decays = [0.0] * self.param_length
        self.decay_flags = (False,) * self.param_length
        self.exec_weight_decay = self.dynamic_weight_decay = False
        self.__dict__.pop("_cache", None)

    def _cut_in_parts(self) -> Parts | None:
        """How parameters are cut for several processes; None where they are not."""
        parts = Parts.of_context()
        if parts is None:
            return None
        owner = type(self).__name__
        if not self._by_element or type(self).construct is not Optimizer.construct:
            raise missing_feature(
                f"enable_parallel_optimizer with {owner}",
                "its step is made from whole parameters, or by a construct of its own",
                "an optimizer that treats each element by itself, such as Adam, AdamWeightDecay, "
                "SGD or Momentum",
            )
        for p in self.parameters:
            if parts.fits(p):
                vars(p)["_part"] = Part(parts, p._value.shape)
        return parts

    def _own(self, p: Parameter) -> torch.Tensor:
        """What this process updates of a parameter."""
        value = p._value
        part = None if self.__dict__["_cut_as"] is None else cut_of(p)
        return value if part is None or part.held else part.of.rows(value)

    def _spread(self) -> None:
        """Send what this process has updated to all."""
        parts: Parts | None = self.__dict__["_cut_as"]
        if parts is None:
            if any(sharding_of(p) is not None for p in self.parameters):
                spread_updates(self.parameters)
            return
        known = [(p._value, cut_of(p)) for p in self.parameters]
        values = [v for v, part in known if part is not None and not part.held]
        if values:
            what = "all_gather of parameters"
            node(spread, values, parts, what=what, gives="nothing", writes=(0,))
            runtime.weights += 1

    def _state(self, prefix: str, fill: float = 0.0) -> ParameterTuple:
        """One state tensor for each parameter, named by `prefix` and the parameter's name."""
        states = []
        for p in self.parameters:
            if p.has_init:  # not drawn yet, and need not be for its size
                dtype = mstype.to_torch_dtype(p.dtype)
                value = torch.full(p.shape, fill, dtype=dtype, device=torch_device())
            else:
                value = torch.full_like(self._own(p), fill, requires_grad=False)
            states.append(parameter_over(value, prefix + p.name))
            part = None if self.__dict__["_cut_as"] is None else cut_of(p)
            if part is not None:
                vars(states[-1])["_part"] = Part(part.of, part.shape, held=True)
        return ParameterTuple(states)

    @staticmethod
    def _scalar(name: str, value: float, shape: tuple[int, ...] = ()) -> Parameter:
        """A state of one number (NOTE Scalars on the host)."""
        return parameter_over(torch.full(shape, float(value)), name)

    def _lay_out_states(self) -> None:
        """Let states lie as their parameters do, at once and not at the next step."""
        for kind in self._states():
            for state, p in zip(kind, self.parameters, strict=True):
                _follow(state, p)

    # ------------------------------------------------------------------------ running

    def construct(self, gradients: Sequence[Tensor]) -> Any:
        """Update the parameters.

        Args:
            gradients (tuple[Tensor]): one for each of ``parameters``, in their order.

        Returns:
            A tuple of True, one for each parameter.

        Raises:
            RuntimeError: the number of gradients differs from that of the parameters, or a list of
                learning rates is at its end.
            ValueError: a gradient has another shape than its parameter.
            TypeError: a gradient is not a Tensor, or of a type that the parameter cannot take.
        """
        parts: Parts | None = self.__dict__["_cut_as"]
        if parts is not None and parts.level == 3 and not parts.applied:
            raise RuntimeError(
                f"For '{type(self).__name__}', the parallel optimizer of level 3 cuts parameters "
                "when a training cell is made. Train with nn.TrainOneStepCell or Model, or use "
                "level 1 or 2."
            )
        grads = self._checked(gradients)
        recorder = thread.recorder
        if recorder is None or any(g.device.type != "cpu" for g in grads):
            self._step(grads)
        else:
            # A step reads its rates on the host. In a graph it stays one piece of Python, so that
            # schedules and values that change from step to step are what they are without.
            changed = [p._value for p in self.__dict__["_params"].values() if p is not None]
            changed += [p._value for p in self.parameters]
            changed += [p._value for kind in self._states() for p in kind]
            unique = list({id(t): t for t in map(local, changed)}.values())
            recorder.host(self._step, (grads, unique), type(self).__name__, "nothing", (1,))
        self._spread()
        return self._done

    def _step(self, grads: Tensors, changed: Any = None) -> None:
        """Update the parameters by checked gradients; `changed` are the tensors it writes to."""
        buckets = self._buckets()
        # no_grad: inside a gradient transform the parameters are leaves that require one
        with torch.no_grad():
            rates = [self._current(rate) for rate in self._rates]
            decays = [
                self._current(b.decay.weight_decay)
                if isinstance(b.decay, _WrappedWeightDecay)
                else b.decay
                for b in buckets
            ]
            shared = self._before(rates)
            for bucket, decay in zip(buckets, decays, strict=True):
                own = [grads[i] for i in bucket.places] if len(buckets) > 1 else grads
                rate, decay = bucket.beside(rates[bucket.rate]), bucket.beside(decay)
                if self.need_scale:
                    own = list(torch._foreach_mul(own, 1.0 / self.loss_scale))
                constant = not isinstance(decay, torch.Tensor)
                left = self._decay_goes == "never" or (
                    self._decay_goes == "kernel" and constant and not bucket.central
                )
                if not left and not (constant and decay == 0.0):
                    own = scaled(own, bucket.params, decay)
                    decay = 0.0
                for i in bucket.central:
                    own[i] = _centralized(own[i])
                self._update(bucket, own, rate, decay, shared)
            self.global_step._value.add_(1)
        runtime.weights += 1  # fused kernels do not raise the version of what they change

    def _before(self, rates: list[Rate]) -> Any:
        """Advance what all parameters share; the result is handed to every `_update`."""
        return None

    def _update(self, bucket: Bucket, grads: Tensors, rate: Rate, decay: Rate, shared: Any) -> None:
        """Update the parameters and states of one bucket in place.

        `decay` is what ``_decay_goes`` leaves to this method, else zero.
        """
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method construct(self, gradients) must be defined; "
            "nn.Optimizer itself updates nothing."
        )

    def _states(self) -> tuple[ParameterTuple, ...]:
        """The states that `_update` finds in ``bucket.states``, in this order."""
        return ()

    def _buckets(self) -> list[Bucket]:
        """The parameters in buckets of equal settings, up to date with their tensors."""
        cache = self.__dict__.get("_cache")
        if cache is None:
            kinds = self._states()
            watched = (*self.parameters, *(p for kind in kinds for p in kind))
            cache = self.__dict__["_cache"] = _Cache(watched)
        now = [p._value for p in cache.watched]
        if len(now) != len(cache.seen) or not all(map(operator.is_, now, cache.seen)):
            cache.buckets = self._sorted_into_buckets()
            cache.seen = [p._value for p in cache.watched]
        return cache.buckets

    def _sorted_into_buckets(self) -> list[Bucket]:
        kinds = self._states()
        buckets: dict[Any, Bucket] = {}
        for place, p in enumerate(self.parameters):
            for kind in kinds:
                _follow(kind[place], p)
            sharding = sharding_of(p)
            value = local(self._own(p)) if sharding is None else sharding.updated(p)
            rate: int = self._rate_of[place]
            decay: Any = self._decays[place]
            # torch.empty_like keeps the strides of dense tensors only
            dense = torch.empty_like(value, device="meta").stride() == value.stride()
            # fused kernels do not check sizes: after set_data with another shape they would read
            # and write behind the end of the states
            fits = dense and all(local(kind[place]._value).shape == value.shape for kind in kinds)
            key = (rate, id(decay) if isinstance(decay, Cell) else decay, value.dtype, value.device)
            bucket = buckets.get((*key, fits))
            if bucket is None:
                fused = fits and may_fuse(value)
                bucket = buckets[(*key, fits)] = Bucket(rate, decay, fused, len(kinds))
            if self.grad_centralization_flags[place] and _can_centralize(value):
                bucket.central.append(len(bucket.places))
            bucket.places.append(place)
            bucket.params.append(value)
            for kind, tensors in zip(kinds, bucket.states, strict=True):
                state = kind[place]
                if is_split(state._value):
                    tensors.append(local(state._value))
                    continue
                if dense and state._value.shape == value.shape:
                    # the parameter may have been moved, cast or laid out anew since
                    state._value = like(state._value, value)
                tensors.append(state._value)
        return list(buckets.values())

    def _checked(self, gradients: Any) -> Tensors:
        """The gradients' torch tensors, each in the type and layout of its parameter."""
        owner = type(self).__name__
        members = self.parameters
        if not isinstance(gradients, (tuple, list)):
            raise TypeError(
                f"For '{owner}', the gradients must be a tuple of Tensors, one for each parameter, "
                f"but got {describe(gradients)}"
                + ("; write (gradient,)." if isinstance(gradients, Tensor) else ".")
            )
        if len(gradients) != len(members):
            raise RuntimeError(
                f"For '{owner}', the number of gradients must be that of the parameters, "
                f"{len(members)}, but got {len(gradients)}; take gradients with "
                "ms.value_and_grad(fn, None, optimizer.parameters)."
            )
        values = []
        for p, gradient in zip(members, gradients, strict=True):
            if not isinstance(gradient, Tensor):
                raise TypeError(
                    f"For '{owner}', the gradient of parameter '{p.name}' must be a Tensor, but "
                    f"got {describe(gradient)}."
                )
            value, target = gradient._value, self._own(p)
            if target is not p._value and value.shape == p._value.shape:
                value = vars(p)["_part"].of.rows(value)
            if target.__class__ is not torch.Tensor or value.__class__ is not torch.Tensor:
                value, target = self._parts(p, value)
            if value.shape != target.shape:
                raise self._shape_error(
                    f"For '{owner}', the gradient of parameter '{p.name}' must have its shape "
                    f"{tuple(target.shape)}, but got {tuple(value.shape)}; gradients come in the "
                    "order of optimizer.parameters."
                )
            if value.dtype is not target.dtype or value.device != target.device:
                value = self._converted(p, value)
            if value.stride() != target.stride():
                value = like(value, target)
            values.append(value)
        return values

    def _parts(self, p: Parameter, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What this process has of a gradient and of its parameter (NOTE Parts)."""
        target = p._value
        if value.shape != target.shape or not (is_split(target) or is_split(value)):
            return value, target
        sharding = sharding_of(p)
        if sharding is None:
            value = like_parameter(value, target)
        else:
            value = distribute(value, sharding.mesh, sharding.states())
        if self._by_element and not any(self.grad_centralization_flags):
            return local(value), local(target) if sharding is None else sharding.updated(p)
        raise missing_feature(
            f"{type(self).__name__} with parameters on several processes",
            "its step is made from norms or means of whole parameters"
            if not self._by_element
            else "grad_centralization takes means of whole gradients",
            "an optimizer that treats each element by itself, such as Adam, AdamWeightDecay, SGD "
            "or Momentum, without grad_centralization",
        )

    def _converted(self, p: Parameter, value: torch.Tensor) -> torch.Tensor:
        """A gradient in the type of its parameter."""
        owner = type(self).__name__
        target = local(p._value)
        if value.device != target.device:
            raise RuntimeError(
                f"For '{owner}', the parameter '{p.name}' lies on {target.device}, but its "
                f"gradient on {value.device}; move the network or its inputs with .to(device)."
            )
        widened = torch.promote_types(value.dtype, target.dtype) == target.dtype
        if not (widened or (self._narrows_gradients and value.dtype.is_floating_point)):
            raise TypeError(
                f"For '{owner}', the parameter '{p.name}' of type {p.dtype} cannot take a gradient "
                f"of type {mstype.FROM_TORCH[value.dtype]}; convert it with .astype(...), or leave "
                "the parameter in float32 and compute with to_float or auto_mixed_precision."
            )
        return value.to(target.dtype)

    def _current(self, source: Parameter | Cell) -> Rate:
        """What a rate, or a schedule, is at the current step."""
        value = source._value if isinstance(source, Parameter) else self._scheduled(source)
        if thread.in_graph or value.device.type != "cpu":
            return value
        return float(value)

    def _scheduled(self, schedule: Cell) -> torch.Tensor:
        """The value of a schedule at the current step, 0-d."""
        step: Tensor = self.global_step
        if not getattr(schedule, "_on_host", False):
            where = torch_device()
            if where.type != "cpu":
                step = wrap(step._value.to(where))
        value = schedule(step)
        if isinstance(value, (int, float)):
            return torch.tensor(float(value))
        if not isinstance(value, Tensor) or value._value.numel() != 1:
            raise ValueError(
                f"For '{type(self).__name__}', the schedule {type(schedule).__name__} must return "
                f"one number as a Tensor, but returned {describe(value)}."
            )
        return value._value.detach().reshape(())

    # ------------------------------------------- what optimizers of one's own are made with

    def get_lr(self) -> Any:
        """The learning rate of the current step.

        Returns:
            Parameter for a constant rate, Tensor for a changing one; with rates for groups a tuple
            with one entry for each parameter.

        Raises:
            RuntimeError: a list of rates is at its end.

        Difference from PyTorch: ``optimizer.param_groups[i]["lr"]``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> from agar import nn
            >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
            >>> print(nn.SGD([w], [0.5, 0.25]).get_lr())
            0.5
        """
        rates = [r if isinstance(r, Parameter) else wrap(self._scheduled(r)) for r in self._rates]
        if not self.is_group_lr:
            return rates[0]
        return tuple(rates[i] for i in self._rate_of)

    def get_lr_parameter(self, param: Parameter | list[Parameter]) -> Any:
        """The Parameter that holds the learning rate of a parameter.

        Args:
            param (Union[Parameter, list[Parameter]]): parameters of this optimizer.

        Returns:
            Parameter, or a list of them for a list. For a list of rates it has all of them; for a
            schedule it is the schedule.

        Raises:
            TypeError: `param` is neither a Parameter nor a list of them.
            ValueError: a parameter is not of this optimizer.

        Difference from PyTorch: none (no counterpart).

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> from agar import nn
            >>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
            >>> nn.SGD([w], 0.5).get_lr_parameter(w).name
            'learning_rate'
        """
        if isinstance(param, list):
            return [self.get_lr_parameter(p) for p in param]
        if not isinstance(param, Parameter):
            raise TypeError(
                "For 'get_lr_parameter', the 'param' must be 'Parameter' or 'list' type, but got "
                f"{type(param).__name__}."
            )
        for place, own in enumerate(self.parameters):
            if own is param:
                rate = self._rates[self._rate_of[place]]
                if isinstance(rate, (_IteratorLearningRate, _ConvertToCell)):
                    return rate.learning_rate
                return rate
        raise ValueError(
            f"For 'get_lr_parameter', the parameter {param.name} is not in optimizer, please check "
            "whether the argument 'param' is correct."
        )

    def get_weight_decay(self) -> Any:
        """The weight decay of the current step, times the loss scale.

        Returns:
            Tensor; with decays for groups a tuple with one entry for each parameter.
        """
        shown = self.weight_decay
        if isinstance(shown, tuple):
            return tuple(d(self.global_step) if isinstance(d, Cell) else d for d in shown)
        return shown(self.global_step) if isinstance(shown, Cell) else shown

    def decay_weight(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients plus weight decay times the parameters.

        Args:
            gradients (tuple[Tensor]): in the order of ``parameters``.

        Returns:
            tuple[Tensor]; the same object without weight decay.
        """
        if not self.exec_weight_decay:
            return gradients
        decays = self.get_weight_decay()
        if not isinstance(decays, tuple):
            decays = (decays,) * self.param_length
        return tuple(
            g + d.astype(p.dtype) * p if used else g
            for g, d, p, used in zip(
                gradients, decays, self.parameters, self.decay_flags, strict=True
            )
        )

    def gradients_centralization(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients, those of groups with ``grad_centralization`` less their means.

        Args:
            gradients (tuple[Tensor]): in the order of ``parameters``.

        Returns:
            tuple[Tensor]; the same object if no group asks for it.
        """
        if not any(self.grad_centralization_flags):
            return gradients
        return tuple(
            wrap(_centralized(g._value)) if used and _can_centralize(g._value) else g
            for g, used in zip(gradients, self.grad_centralization_flags, strict=True)
        )

    def scale_grad(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients divided by the loss scale.

        Args:
            gradients (tuple[Tensor]): in the order of ``parameters``.

        Returns:
            tuple[Tensor]; the same object if the scale is 1.
        """
        if not self.need_scale:
            return gradients
        return tuple(g * (1.0 / self.loss_scale) for g in gradients)

    def flatten_gradients(self, gradients: Sequence[Tensor]) -> Sequence[Tensor]:
        """The gradients as they are: torch's kernels take them without joining their memory.

        Args:
            gradients (Union[tuple[Tensor], list[Tensor]]): the gradients.
        """
        return gradients

    def broadcast_params(self, optim_result: Any) -> Any:
        """Its argument: in one process nothing is sent.

        Args:
            optim_result (Any): the result of the update.

        Raises:
            NotImplementedError: several processes have joined.
        """
        world.refuse(
            "Optimizer.broadcast_params",
            "parameters are not split over optimizers of several processes",
            "leave it out, every process updates all parameters",
        )
        return optim_result

    @property
    def target(self) -> str:
        """The device on which the update runs; parameters are updated where they lie."""
        return self._target

    @target.setter
    def target(self, value: str) -> None:
        if value not in ("CPU", "GPU", "Ascend"):
            raise ValueError(
                f"For '{type(self).__name__}', the 'target' must be one of CPU, GPU, Ascend, but "
                f"got {value!r}."
            )
        self.__dict__["_target"] = value

    @property
    def unique(self) -> bool:
        """Whether indices of sparse gradients are made unique; kept for compatibility."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        self.__dict__["_unique"] = check.boolean(type(self).__name__, "unique", value)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop("_cache", None)
        return state


class _Cache:
    """The buckets, and the tensors they were made of."""

    __slots__ = ("buckets", "seen", "watched")

    def __init__(self, watched: tuple[Parameter, ...]) -> None:
        self.watched = watched
        self.seen: Tensors = []
        self.buckets: list[Bucket] = []


def _can_centralize(value: torch.Tensor) -> bool:
    """Whether MindSpore centralizes gradients of that shape: its kernel works on blocks of 16."""
    return value.ndim > 1 and value.shape[1] % 16 == 0


def _centralized(gradient: torch.Tensor) -> torch.Tensor:
    """A gradient less its mean over all dimensions but the first."""
    return gradient - gradient.mean(tuple(range(1, gradient.ndim)), keepdim=True)


def opt_init_args_register(fn: Any) -> Any:
    """Decorator of an optimizer's ``__init__``, which is as before: MindSpore notes its arguments.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.nn.optim.optimizer import opt_init_args_register
        >>> opt_init_args_register(len) is len
        True
    """
    return fn
