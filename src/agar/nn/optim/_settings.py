"""The arguments of an optimizer: parameters in groups, their learning rates and weight decays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Rates are tensors that steps read without operators.
import torch

from agar._core.errors import describe
from agar._core.parameter import Parameter, parameter_over
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
from agar.nn import _checks as check
from agar.nn.cell import Cell
from agar.nn.learning_rate_schedule import LearningRateSchedule

__all__ = ["Settings"]

_GROUP_KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")


class _IteratorLearningRate(LearningRateSchedule):
    """A list of rates, one for each step."""

    _on_host = True

    def __init__(self, owner: str, rates: torch.Tensor, name: str) -> None:
        super().__init__()
        self.owner = owner
        self.learning_rate = parameter_over(rates, name)

    def construct(self, global_step: Tensor) -> Tensor:
        rates = self.learning_rate._value
        recorder = thread.recorder
        if recorder is not None:  # the step changes: to read it would be another branch each time
            args = (rates, global_step._value)
            return wrap(recorder.host(self._rate_at, args, "learning rate"))
        return wrap(self._rate_at(rates, global_step._value))

    def _rate_at(self, rates: torch.Tensor, global_step: torch.Tensor) -> torch.Tensor:
        step = int(global_step)
        if not 0 <= step < rates.shape[0]:
            raise RuntimeError(
                f"For '{self.owner}', the list of learning rates has {rates.shape[0]} entries, but "
                f"global_step is {step}; give one rate for each step of the training."
            )
        return rates[step].clone()


class _ConvertToCell(LearningRateSchedule):
    """A constant rate among groups whose rates change."""

    _on_host = True

    def __init__(self, rate: Parameter) -> None:
        super().__init__()
        self.learning_rate = rate

    def construct(self, global_step: Tensor) -> Tensor:
        return wrap(self.learning_rate._value)


class _WrappedWeightDecay(Cell):
    """A weight decay that changes, times the loss scale of the optimizer."""

    def __init__(self, weight_decay: Cell, loss_scale: float) -> None:
        super().__init__()
        self.weight_decay = weight_decay
        self.loss_scale = loss_scale

    def construct(self, global_step: Tensor) -> Tensor:
        value = self.weight_decay(global_step)
        return value if self.loss_scale == 1.0 else value * self.loss_scale


class Settings:
    """The arguments of an optimizer, checked and laid out by parameter.

    Attributes:
        given: the list of parameters or groups.
        grouped: whether they are groups.
        ordered: whether a group gives the order.
        parameters: the parameters, in order.
        rates: the distinct learning rates that are used.
        rate_of: for each parameter the index of its rate.
        rates_differ: whether a group has a learning rate of its own.
        decays: for each parameter its weight decay.
        decays_differ: whether a group has a weight decay of its own.
        centralize: for each parameter whether its gradient is centralized.
    """

    def __init__(
        self, owner: str, parameters: Any, learning_rate: Any, weight_decay: float | Cell
    ) -> None:
        self.owner = owner
        self.given = self._as_list(parameters)
        self.grouped = isinstance(self.given[0], dict)
        self.ordered = False
        self.rates: list[Parameter | LearningRateSchedule] = []
        common = self._rate(learning_rate, "learning_rate")
        decay = self._decay(weight_decay)
        if not self.grouped:
            self.parameters: list[Parameter] = self.given
            self.rates = [common]
            self.rates_differ = self.decays_differ = False
            self._spread(len(self.given), decay)
            return
        self._read_groups(common, decay)

    def _spread(self, count: int, decay: float | Cell) -> None:
        self.rate_of = [0] * count
        self.decays: list[float | Cell] = [decay] * count
        self.centralize = [False] * count

    def _as_list(self, parameters: Any) -> list[Any]:
        if parameters is None:
            raise ValueError(
                f"For '{self.owner}', the argument 'parameters' must not be None; pass "
                "network.trainable_params()."
            )
        wrong = isinstance(parameters, (Tensor, dict, str)) or not isinstance(parameters, Iterable)
        given = [] if wrong else list(parameters)
        if given or wrong:
            kinds = (Parameter, dict)
            matching = any(all(isinstance(v, kind) for v in given) for kind in kinds)
            if wrong or not matching:
                hint = (
                    "pass network.trainable_params()"
                    if isinstance(parameters, Cell)
                    else "pass a list, for example network.trainable_params()"
                )
                raise TypeError(
                    f"For '{self.owner}', all elements of the argument 'parameters' must be "
                    f"'Parameter' or 'dict', but got {describe(parameters)}; {hint}."
                )
        if not given:
            raise ValueError(
                f"For '{self.owner}', the argument 'parameters' must not be empty; does the "
                "network have trainable parameters? Cells of a plain list belong into nn.CellList."
            )
        return given

    def _rate(self, value: Any, name: str) -> Parameter | LearningRateSchedule:
        """A learning rate as the object that holds it."""
        owner = self.owner
        if isinstance(value, LearningRateSchedule):
            return value
        if isinstance(value, (int, float)):
            check.not_negative(owner, "learning rate", value, strict=False)
            return parameter_over(torch.tensor(float(value), dtype=torch.float32), name)
        if isinstance(value, Tensor):
            result = value._value.detach().to(device="cpu", dtype=torch.float32, copy=True)
            if result.ndim == 0:
                return parameter_over(result, name)
            if result.ndim == 1:
                return _IteratorLearningRate(owner, result, name)
            raise ValueError(
                f"For '{owner}', the dimension of the Tensor 'learning_rate' must be 0 or 1, but "
                f"got {result.ndim} (shape {value.shape})."
            )
        if isinstance(value, (str, bytes)):
            raise ValueError(
                f"For '{owner}', the argument 'learning_rate' must be a number, but got {value!r}, "
                f"a {type(value).__name__}; write float({value!r})."
            )
        if isinstance(value, Iterable) and not isinstance(value, Cell):
            listed = list(value)
            try:
                rates = torch.tensor([float(v) for v in listed], dtype=torch.float32)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"For '{owner}', the elements of 'learning_rate' must be numbers, but got "
                    f"{describe(listed)}."
                ) from error
            return _IteratorLearningRate(owner, rates, name)
        raise TypeError(
            f"For '{owner}', the argument 'learning_rate' must be int, float, Tensor, Iterable or "
            f"LearningRateSchedule, but got {type(value).__name__}."
        )

    def _decay(self, value: Any) -> float | Cell:
        if isinstance(value, Cell):
            return value
        if not isinstance(value, (int, float)):
            raise TypeError(
                f"For '{self.owner}', the argument 'weight_decay' must be int, float or Cell, but "
                f"got {type(value).__name__}."
            )
        return check.not_negative(self.owner, "weight_decay", value, strict=False)

    def _read_groups(self, common: Parameter | LearningRateSchedule, decay: float | Cell) -> None:
        """Lay out groups by parameter."""
        owner = self.owner
        order: list[Parameter] | None = None
        items: list[tuple[Parameter, Any, float | Cell, bool]] = []
        seen: set[int] = set()
        self.rates_differ = self.decays_differ = False
        for index, group in enumerate(self.given):
            unknown = [k for k in group if k not in _GROUP_KEYS]
            if unknown:
                raise KeyError(
                    f"For '{owner}', the key of a group of parameters must be one of "
                    f"{_GROUP_KEYS}, but got {unknown}."
                )
            if "order_params" in group:
                if len(group) > 1:
                    raise ValueError(
                        f"For '{owner}', the group with 'order_params' must have no other key, "
                        f"but got {list(group)}."
                    )
                order = list(group["order_params"]) or None
                continue
            if "params" not in group:
                raise KeyError(
                    f"For '{owner}', group {index} has no key 'params'; it has {list(group)}."
                )
            rate = common
            if "lr" in group:
                rate = self._rate(group["lr"], f"learning_rate_group_{index}")
                self.rates_differ = True
            own = decay
            if "weight_decay" in group:
                own = self._decay(group["weight_decay"])
                self.decays_differ = True
            central = group.get("grad_centralization", False)
            if not isinstance(central, bool):
                raise TypeError(
                    f"For '{owner}', 'grad_centralization' of group {index} must be bool, but got "
                    f"{central!r}."
                )
            for p in self._members(group["params"], index):
                if id(p) in seen:
                    raise RuntimeError(
                        f"For '{owner}', the parameter '{p.name}' stands in more than one group "
                        "(or twice in one); a parameter belongs to one group."
                    )
                seen.add(id(p))
                items.append((p, rate, own, central))
        if order is not None:
            items = self._in_order(items, order)
            self.ordered = True
        self.parameters = [f[0] for f in items]
        self._spread(len(items), decay)
        for place, (_, rate, own, central) in enumerate(items):
            if not any(rate is r for r in self.rates):
                self.rates.append(rate)
            self.rate_of[place] = next(i for i, r in enumerate(self.rates) if r is rate)
            self.decays[place] = own
            self.centralize[place] = central
        lists = {
            len(r.learning_rate.shape) and r.learning_rate.shape[0]
            for r in (*self.rates, common)
            if isinstance(r, _IteratorLearningRate)
        }
        if len(lists) > 1:
            raise ValueError(
                f"For '{owner}', the lists of learning rates of groups must be as long as the "
                f"argument 'learning_rate', but the lengths are {sorted(lists)}."
            )

    def _members(self, given: Any, index: int) -> list[Parameter]:
        members = list(given) if isinstance(given, Iterable) else [given]
        if isinstance(given, Parameter):
            raise TypeError(
                f"For '{self.owner}', the 'params' of group {index} must be a list of Parameters, "
                f"but got {describe(given)}; write [parameter]."
            )
        if not members:
            raise ValueError(f"For '{self.owner}', the 'params' of group {index} are empty.")
        for i, p in enumerate(members):
            if not isinstance(p, Parameter):
                raise TypeError(
                    f"For '{self.owner}', the element in group parameters must be Parameter type, "
                    f"but got {describe(p)} at index {i} of group {index}."
                )
        return members

    def _in_order(
        self, settings: list[tuple[Parameter, Any, float | Cell, bool]], order: list[Parameter]
    ) -> list[tuple[Parameter, Any, float | Cell, bool]]:
        by_id = {id(f[0]): f for f in settings}
        if len(order) != len(settings):
            raise ValueError(
                f"For '{self.owner}', the length of order parameters must be the same as the "
                f"length of group parameters, but got order parameters' length {len(order)}, "
                f"group parameters' length {len(settings)}."
            )
        missing = [describe(p) for p in order if id(p) not in by_id]
        if missing or len({id(p) for p in order}) < len(order):
            raise ValueError(
                f"For '{self.owner}', 'order_params' must hold every parameter of the groups once; "
                f"not in a group: {missing}."
            )
        return [by_id[id(p)] for p in order]
