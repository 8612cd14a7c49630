"""The same random numbers on both sides: recorded where the original draws, served to the cell.

What a module draws is seen at torch's dispatcher, below its autograd, so dropout inside of fused
functions is seen as well. The cell's draws are met at the few places where agar's random operators
make numbers, and, for operators that use torch's generators and for modules inside TorchCells, at
the dispatcher again. A draw goes with the first one not used yet of its module; what does not go
together is said in `problems`, and the cell then draws by itself.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from agar._core.dispatch_mode import DispatchMode
from agar._core.random import draws as random_draws
from agar._core.runtime import host_node
from agar.ops.random import distributions as random_ops

__all__ = ["Draw", "DrawRecorder", "Mode", "Replay", "Served", "drawing_nothing", "draws_show"]

_ATEN = torch.ops.aten

#: Operators that draw, by the kind of what they draw.
_KINDS = {
    "bernoulli_": "mask",
    "bernoulli": "mask",
    "native_dropout": "mask",
    "uniform_": "uniform",
    "rand": "uniform",
    "rand_like": "uniform",
    "normal_": "normal",
    "randn": "normal",
    "randn_like": "normal",
    "normal": "normal",
    "randint": "integers",
    "randint_like": "integers",
    "random_": "integers",
    "randperm": "permutation",
    "multinomial": "choice",
    "exponential_": "exponential",
    "rrelu_with_noise": "slopes",
    "rrelu_with_noise_functional": "slopes",
    "poisson": "poisson",
    "geometric_": "geometric",
    "log_normal_": "log normal",
    "cauchy_": "cauchy",
    "_standard_gamma": "gamma",
}
#: What rules of agar's draws make.
_RULES = {
    "uniform_real": "uniform",
    "uniform_int": "integers",
    "standard_normal": "normal",
    "bernoulli": "mask",
    "multinomial": "choice",
    "multinomial_without_replacement": "choice",
    "multinomial_by_mantissa": "choice",
    "categorical": "choice",
    "shuffle_order": "permutation",
    "randperm": "permutation",
    "poisson": "poisson",
    "gamma": "gamma",
    "cauchy": "cauchy",
}


@dataclass
class Draw:
    """One draw of the original.

    Attributes:
        kind: what was drawn.
        value: the numbers; of masks whether an element is kept, of uniform numbers those in
            [0, 1), of normal ones those of deviation 1.
        raw: the operator's own result, for the original's repeated runs.
        path: the module that drew.
        used: a cell has had it.
    """

    kind: str
    value: torch.Tensor
    raw: torch.Tensor
    path: str
    used: bool = False


def _name(func: Any) -> str:
    return func.overloadpacket.__name__


@functools.cache
def _kind(func: Any) -> str | None:
    return _KINDS.get(_name(func))


def _argument(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str) -> Any:
    """An argument of an operator by name, its default where it was not given."""
    for i, argument in enumerate(func._schema.arguments):
        if argument.name == name:
            if name in kwargs:
                return kwargs[name]
            return args[i] if i < len(args) else argument.default_value
    return None


def _standard(kind: str, func: Any, args: Any, kwargs: Any, raw: torch.Tensor) -> torch.Tensor:
    """The draw without the operator's scale."""
    if kind == "mask":
        return raw != 0
    if kind == "uniform" and _name(func) == "uniform_":
        low = _argument(func, args, kwargs, "from")
        high = _argument(func, args, kwargs, "to")
        return (raw - low) / (high - low) if high != low else raw
    if kind == "normal" and _name(func) in ("normal_", "normal"):
        mean = _argument(func, args, kwargs, "mean")
        std = _argument(func, args, kwargs, "std")
        if isinstance(std, torch.Tensor) or std:
            return (raw - mean) / std
        return raw
    if kind == "slopes":
        low = _argument(func, args, kwargs, "lower")
        high = _argument(func, args, kwargs, "upper")
        return (raw - low) / (high - low) if high != low else raw
    return raw


def _drawn_part(func: Any, args: Any, kwargs: Any, result: Any) -> torch.Tensor:
    """The tensor of random numbers among an operator's arguments and results."""
    name = _name(func)
    if name == "native_dropout":
        return result[1]
    if name == "rrelu_with_noise":
        return _argument(func, args, kwargs, "noise")
    if name == "rrelu_with_noise_functional":
        return result[1]
    return result


class Mode(DispatchMode):
    """A dispatch mode under which compiled calls are replayed."""

    allows_compiled_calls = True  # in GRAPH_MODE, the replays are what is compared


def drawing_nothing() -> AbstractContextManager[Any]:
    """Around operators that draw nothing, such as those of comparisons in hooks: no mode sees them.

    To be looked at costs several times what a small operator takes itself.
    """
    looked_at = torch._C._len_torch_dispatch_stack() > 0
    return torch._C._DisableTorchDispatch() if looked_at else contextlib.nullcontext()


def draws_show() -> bool:
    """Whether the state of torch's generator on the CPU shows every draw from a default one."""
    return not torch.accelerator.is_available()


class DrawRecorder(Mode):
    """Notes all draws of torch while it is entered.

    Args:
        where: returns the path of the module that runs.
        note: called with every draw.
    """

    def __init__(
        self,
        where: Callable[[], str] = lambda: "",
        note: Callable[[Draw], None] = lambda draw: None,
    ) -> None:
        super().__init__()
        self.draws: list[Draw] = []
        self._where = where
        self._note = note

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        kind = _kind(func)
        if kind is None or (kind == "slopes" and not _argument(func, args, kwargs, "training")):
            return result
        raw = _drawn_part(func, args, kwargs, result).detach().clone()
        value = _standard(kind, func, args, kwargs, raw)
        self.draws.append(Draw(kind, value, raw, self._where()))
        self._note(self.draws[-1])
        return result


class Replay(Mode):
    """Serves a list of draws to torch's own random operators, in order.

    Args:
        take: gives the draw for (kind, count of numbers), or None.
    """

    def __init__(self, take: Callable[[str, int], Draw | None]) -> None:
        super().__init__()
        self._take = take

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        kind = _kind(func)
        if kind is None or (kind == "slopes" and not _argument(func, args, kwargs, "training")):
            return func(*args, **kwargs)
        name = _name(func)
        result = func(*args, **kwargs)
        target = _drawn_part(func, args, kwargs, result)
        draw = self._take(kind, target.numel())
        if draw is None:
            return result
        if kind == "mask" and name in ("bernoulli_", "bernoulli"):
            target.copy_(draw.value.reshape(target.shape))
        elif name == "native_dropout":
            x, p = args[0], args[1]
            target.copy_(draw.value.reshape(target.shape))
            factor = 0.0 if p == 1 else 1.0 / (1.0 - p)
            result[0].copy_(x * target * factor)
        elif kind == "slopes":
            x = args[0]
            target.copy_(draw.raw.reshape(target.shape))
            scaled = x * target
            out = result if name == "rrelu_with_noise" else result[0]
            out.copy_(scaled)
        else:
            target.copy_(_scaled(kind, func, args, kwargs, draw, target))
        return result


def _scaled(
    kind: str, func: Any, args: Any, kwargs: Any, draw: Draw, target: torch.Tensor
) -> torch.Tensor:
    """A draw on the scale that this operator asks for."""
    value = draw.value.reshape(target.shape)
    if kind == "uniform" and _name(func) == "uniform_":
        low = _argument(func, args, kwargs, "from")
        high = _argument(func, args, kwargs, "to")
        return value * (high - low) + low
    if kind == "normal" and _name(func) in ("normal_", "normal"):
        mean = _argument(func, args, kwargs, "mean")
        std = _argument(func, args, kwargs, "std")
        return value * std + mean
    return value


class Served:
    """Gives the original's draws to a cell.

    The first run finds out, by the paths of the cells that draw, which draw is whose; further runs
    (replays of a recording, in which no Python of the cell runs) are served in the same order.

    Args:
        draws (list): those of the original.
        where: path of the original of the cell that runs, or None.
        double (bool): factors are wanted in float64. Default: ``False``.
    """

    def __init__(
        self,
        draws: list[Draw],
        where: Callable[[], str | None] = lambda: None,
        double: bool = False,
    ) -> None:
        self.draws = draws
        self.where = where
        self.double = double
        #: whether draws of torch's generators are met where none are given
        self.watched = bool(draws)
        #: torch's generator was drawn from, and it was not seen by what
        self.unseen = False
        self.order: list[Draw | None] | None = None
        self._given: list[Draw | None] = []
        self.missed: list[str] = []
        for draw in draws:
            draw.used = False

    def begin(self) -> None:
        """Start a run."""
        if self._given and self.order is None:
            self.order = self._given
        self._given = []

    def renew(self, draws: list[Draw]) -> None:
        """Go on with the draws of another run of the original, in the same order.

        Args:
            draws (list[Draw]): the draws of the other run.
        """
        at = {id(d): i for i, d in enumerate(self.draws)}
        order = self.order if self.order is not None else self._given
        self.order = [
            None if d is None or at[id(d)] >= len(draws) else draws[at[id(d)]] for d in order
        ]
        self.draws, self._given = draws, []

    def unused(self) -> list[Draw]:
        """What no cell asked for."""
        return [d for d in self.draws if not d.used]

    def take(self, kind: str, count: int) -> Draw | None:
        """The draw for this use, or None.

        Args:
            kind (str): the kind of numbers that is asked for, such as ``"uniform"`` or ``"mask"``.
            count (int): how many numbers are asked for.
        """
        if self.order is not None:
            place = len(self._given)
            recorded = self.order[place] if place < len(self.order) else None
            if recorded is not None and (recorded.value.numel() != count):
                recorded = None
            self._given.append(recorded)
            return recorded
        recorded = self._find(kind, count)
        if recorded is None:
            path = self.where()
            self.missed.append(
                f"{f'the cell of {path}' if path else 'the network'} draws {count} numbers "
                f"({kind}) where the original draws nothing like it"
            )
        else:
            recorded.used = True
        self._given.append(recorded)
        return recorded

    def _find(self, kind: str, count: int) -> Draw | None:
        kinds = {kind, "slopes"} if kind == "uniform" else {kind}
        fitting = [
            d for d in self.draws if not d.used and d.kind in kinds and d.value.numel() == count
        ]
        path = self.where()
        if path is None:
            return fitting[0] if fitting else None
        inside = f"{path}." if path else ""
        for condition in (
            lambda d: d.path == path,
            lambda d: d.path.startswith(inside),
            lambda d: not d.path or path.startswith(f"{d.path}."),
        ):
            recorded = next((d for d in fitting if condition(d)), None)
            if recorded is not None:
                return recorded
        return None

    @contextlib.contextmanager
    def serving(self) -> Iterator[None]:
        """All draws of agar and of torch come from here inside.

        Where there is nothing to give, torch's operators run without a mode, which costs much of a
        small layer's time, and `unseen` says that one drew.
        """
        watched = self.watched or not draws_show()
        before = torch.get_rng_state()
        originals = random_ops._draw, random_draws._keep_and_factors, random_draws._channel_mask
        # the places at which agar's operators make random numbers
        random_ops._draw = self._draw
        random_draws._keep_and_factors = host_node(self._factors, "tensors")
        random_draws._channel_mask = host_node(self._channels, "tensor")
        try:
            with Replay(self._for_torch) if watched else contextlib.nullcontext():
                yield
            self.unseen = not watched and not torch.equal(before, torch.get_rng_state())
        finally:
            random_ops._draw, random_draws._keep_and_factors, random_draws._channel_mask = originals

    def _for_torch(self, kind: str, count: int) -> Draw | None:
        return self.take(kind, count)

    def _draw(self, rule: Callable[..., Any], where: torch.device, *args: Any) -> Any:
        plain = [a.detach().cpu().numpy() if isinstance(a, torch.Tensor) else a for a in args]
        numbers = rule(*plain)
        if isinstance(numbers, tuple):
            return tuple(torch.from_numpy(part).to(where) for part in numbers)
        own = torch.from_numpy(np.asarray(numbers)).to(where)
        kind = _RULES.get(getattr(rule, "__name__", ""), "")
        draw = self.take(kind, own.numel())
        if draw is None:
            return own
        dtype = torch.float64 if self.double and own.is_floating_point() else own.dtype
        value = draw.value
        if draw.kind == "slopes":
            # torch's noise is 1 where the input is positive, which uses no slope
            value = value.clamp(0, 1)
        return value.reshape(own.shape).to(dtype)

    def _factors(
        self, shape: tuple[int, ...], keep_prob: float, engine: Any, device: torch.device
    ) -> tuple[torch.Tensor, torch.Tensor]:
        count = int(np.prod(shape))
        draw = self.take("mask", count)
        if draw is None:
            return random_draws._keep_and_factors_of(shape, keep_prob, engine, device)
        keep = draw.value.reshape(shape)
        return keep, keep.to(torch.float64 if self.double else torch.float32) / keep_prob

    def _channels(
        self, planes: tuple[int, ...], keep_prob: float, engine: Any, device: torch.device
    ) -> torch.Tensor:
        draw = self.take("mask", int(np.prod(planes)))
        if draw is None:
            return random_draws._channel_mask_of(planes, keep_prob, engine, device)
        return draw.value.reshape(-1).to(device)
