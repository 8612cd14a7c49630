"""Parameters, gradients and states of optimizers in parts, where processes use them alike (hsdp).

A parameter lies on the processes as operators use it. Where several processes use the same of it,
each of them need not have all of that between its uses: ZeRO, FSDP and MindSpore's ``hsdp``. All of
these parts are torch's DTensors, so each has the shape of the whole, and is right wherever it is
read: what is done here saves memory and messages and changes no result.

NOTE Levels. At level 1 the states of the optimizer are parts: each process updates its rows by
whole gradients, and the updated rows go to all. At level 2 a gradient becomes a part as soon as the
backward pass has it, by a reduce-scatter. At level 3 the parameter is a part as well: a cell
collects its own for the time of its call, autograd keeps no copy of it but collects it again for
the backward pass, and the gradient goes back by a reduce-scatter.

NOTE Parking. How a parameter is used is known when the first call has ended. Until then it lies as
at level 3, which is level 0 here, so that no process holds a network that none could hold.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from agar._core.multi_device import world
from agar._core.runtime import thread
from agar._core.settings import auto_parallel
from agar._core.sharding import (
    distribute,
    is_split,
    lay_out,
    like_parameter,
    local,
    onto,
    refined,
)

__all__ = [
    "LEVELS",
    "PARKED",
    "CellSharding",
    "ParameterSharding",
    "StateSharding",
    "gradient_like",
    "note",
    "put",
    "sharding_of",
    "spread_updates",
]

_C: Any = torch._C  # its stubs do not list all that is used here
#: The level until the first call has ended (NOTE Parking).
PARKED = 0
LEVELS = {"level1": 1, "level2": 2, "level3": 3}


class StateSharding:
    """How the parameters of a network are cut beyond what operators ask for.

    Args:
        level: 1, 2 or 3; 0 until the first call has ended.
        size: the largest number of parts; -1 for one in each process that uses the same.
        threshold: parameters of fewer KiB are not cut.

    Raises:
        ValueError: the number of processes is not a multiple of `size`.
    """

    def __init__(self, level: int, size: int = -1, threshold: int = 64) -> None:
        if size != -1 and world.size % size:
            raise ValueError(
                f"For the parallel optimizer, the {world.size} processes cannot be divided into "
                f"groups of {size} ('shard_size', 'optimizer_weight_shard_size'); it must divide "
                "their number."
            )
        self.level = level
        self.size = size
        self.threshold = threshold

    @classmethod
    def of_context(cls) -> StateSharding | None:
        """What `set_auto_parallel_context` asks for where networks lie on all processes."""
        if not auto_parallel.get("enable_parallel_optimizer"):
            return None
        config: dict[str, Any] = auto_parallel.held().get("parallel_optimizer_config", {})
        size = auto_parallel.get("optimizer_weight_shard_size")
        return cls(
            LEVELS[config.get("optimizer_level", "level1")],
            config.get("optimizer_weight_shard_size", size),
            config.get("parallel_optimizer_threshold", 64),
        )

    def mesh_sizes(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The sizes of a mesh on which groups of `size` processes are axes."""
        result: list[int] = []
        for size in sizes:
            cut = 0 < self.size < size and size % self.size == 0
            result += [size // self.size, self.size] if cut else [size]
        return tuple(result)

    def placements(self, parameter: Any, mesh: Any, base: Sequence[Any]) -> tuple[Any, ...] | None:
        """How the parts of a parameter lie that operators use as `base`; None if it stays."""
        from torch.distributed.tensor import Shard

        shape, dtype = parameter.shape, parameter._value.dtype
        if math.prod(shape) * dtype.itemsize < self.threshold << 10:
            return None
        if not parameter.parallel_optimizer:
            return None
        axes, count = [], 1
        for i in reversed(range(mesh.ndim)):
            room = self.size == -1 or count * mesh.shape[i] <= self.size
            if base[i].is_replicate() and mesh.shape[i] > 1 and room:
                axes.append(i)
                count *= mesh.shape[i]
        used = {p.dim for p in base if not p.is_replicate() and not p.is_partial()}
        free = (d for d, n in enumerate(shape) if n and n % count == 0 and d not in used)
        dim = next(free, None)
        if not axes or dim is None:
            return None
        return tuple(Shard(dim) if i in axes else p for i, p in enumerate(base))


class ParameterSharding:
    """How one parameter is cut.

    Attributes:
        of: what says so.
        mesh: the mesh of its placements.
        base: the placements that operators use.
        sharded: those of its parts, or None if it is not cut.
        entered: whether a cell has it as operators use it now.
    """

    __slots__ = ("base", "entered", "mesh", "of", "sharded")

    def __init__(self, of: StateSharding, parameter: Any, mesh: Any, base: Sequence[Any]) -> None:
        self.of = of
        self.mesh = mesh
        self.base = tuple(base)
        self.sharded = of.placements(parameter, mesh, base)
        self.entered = False

    def between_uses(self) -> tuple[Any, ...]:
        """The placements of the parameter itself while no cell uses it."""
        whole = self.sharded is None or self.of.level in (1, 2)
        return self.base if whole else self.sharded  # type: ignore[return-value]

    def lay_out(self, parameter: Any, mesh: Any, base: Sequence[Any]) -> tuple[Any, ...]:
        """Let operators use other placements; those that the parameter itself has then."""
        self.mesh, self.base = mesh, tuple(base)
        self.sharded = self.of.placements(parameter, mesh, base)
        return self.between_uses()

    # ------------------------------------------------------------------ the optimizer's rows

    def states(self) -> tuple[Any, ...]:
        """The placements of states and of gradients for the optimizer."""
        return self.base if self.sharded is None else self.sharded

    def updated(self, parameter: Any) -> torch.Tensor:
        """What the optimizer of this process updates of a parameter, sharing its memory."""
        part = local(parameter._value)
        if self.sharded is None or self.between_uses() == self.sharded:
            return part
        dim, axes = self._cut()
        coordinate, place, count = self.mesh.get_coordinate(), 0, 1
        for i in axes:
            place, count = place * self.mesh.shape[i] + coordinate[i], count * self.mesh.shape[i]
        rows = part.shape[dim] // count
        return part.narrow(dim, place * rows, rows)

    def _cut(self) -> tuple[int, list[int]]:
        """The dimension that is cut beyond `base`, and by which axes of the mesh."""
        assert self.sharded is not None
        axes = [i for i, p in enumerate(self.sharded) if p != self.base[i]]
        return self.sharded[axes[0]].dim, axes

    @property
    def collected(self) -> bool:
        """Whether the parameter is whole for the time of a cell's call alone."""
        return self.entered and self.sharded is not None and not self.spreads()

    def spreads(self) -> bool:
        """Whether updated rows have to go to the others."""
        return self.sharded is not None and self.between_uses() == self.base


def sharding_of(parameter: Any) -> ParameterSharding | None:
    """How a parameter is cut beyond what operators ask for; None where it was not asked."""
    return vars(parameter).get("_sharding")


def spread_updates(parameters: Sequence[Any]) -> None:
    """Send the rows that each process has updated to all that use them (level 1 and 2)."""
    waiting: dict[Any, list[tuple[Any, Any]]] = {}
    for p in parameters:
        sharding = sharding_of(p)
        if sharding is not None and sharding.spreads():
            axes = tuple(sharding._cut()[1])
            key = (axes, sharding.mesh, local(p._value).dtype)
            waiting.setdefault(key, []).append((p, sharding))
    with torch.no_grad():
        for (axes, mesh, _), members in waiting.items():
            _spread(members, mesh, axes)


def _spread(members: list[tuple[Any, Any]], mesh: Any, axes: Sequence[int]) -> None:
    """Send the rows of some parameters in one message."""
    functional = torch.ops._c10d_functional
    own = [sharding.updated(p) for p, sharding in members]
    rows: Any = torch.cat([part.reshape(1, -1) for part in own], 1)
    for i in reversed(axes):
        size, group = mesh.shape[i], mesh.get_group(i).group_name
        rows = functional.wait_tensor(functional.all_gather_into_tensor(rows, size, group))
    pieces = rows.split([part.numel() for part in own], 1)
    for (p, sharding), part, piece in zip(members, own, pieces, strict=True):
        dim = sharding._cut()[0]
        parts = piece.reshape(-1, *part.shape)
        local(p._value).copy_(torch.cat(parts.unbind(0), dim))


# ------------------------------------------------------------------------------------ cells


class _PartOfGradient(torch.autograd.Function):
    """A parameter whose gradient becomes a part at once."""

    @staticmethod
    def forward(ctx: Any, value: Any, placements: Any) -> Any:
        ctx.placements = placements
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        grad = grads[0]
        if not is_split(grad):
            return grad, None
        return distribute(grad, grad.device_mesh, ctx.placements), None


class _Saved:
    """A view of a collected parameter that autograd asked to be saved."""

    __slots__ = ("number", "spec", "view")

    def __init__(self, number: int, value: Any) -> None:
        part = local(value)
        self.number = number
        self.spec = value._spec
        self.view = part.shape, part.stride(), part.storage_offset()


class CellSharding:
    """The parameters that one cell has as operators use them, for the time of its calls.

    Args:
        name: of the cell, for messages.
        parameters: those that it reads.
    """

    def __init__(self, name: str, parameters: Sequence[Any]) -> None:
        self.name = name
        self.parameters = list(parameters)

    def run(self, call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Make a call for which the cell's parameters lie as operators use them.

        Raises:
            RuntimeError: a collected parameter is written.
        """
        mine = []
        for p in self.parameters:
            sharding = sharding_of(p)
            if sharding is None or sharding.sharded is None or sharding.entered:
                continue
            if sharding.of.level != 1:
                mine.append((p, sharding))
        if not mine:
            return call(args, kwargs)
        with self._entered(mine):
            return call(args, kwargs)

    @contextlib.contextmanager
    def _entered(self, mine: list[tuple[Any, ParameterSharding]]) -> Iterator[None]:
        before = [p._value for p, _ in mine]
        now, collected = [], []
        for (_, sharding), value in zip(mine, before, strict=True):
            gathers = not sharding.spreads()
            now.append(_as_used(value, sharding, gathers))
            collected.append(gathers)
        for (p, sharding), value in zip(mine, now, strict=True):
            p._value = value
            sharding.entered = True
        versions = [local(value)._version for value in now]
        hooks = _saved_as_parts(
            [(b, v) for b, v, c in zip(before, now, collected, strict=True) if c]
        )
        try:
            with hooks:
                yield
            written = [
                p.name
                for (p, _), v, n, c in zip(mine, now, versions, collected, strict=True)
                if c and (p._value is not v or local(v)._version != n)
            ]
            if written:
                raise RuntimeError(
                    f"For '{self.name}', construct writes into {written}, which were collected for "
                    "this call alone, so that the change would be lost. Set "
                    "parallel_optimizer=False of these parameters, with which they stay whole."
                )
        finally:
            for (p, sharding), value, old in zip(mine, now, before, strict=True):
                if p._value is value or not sharding.spreads():
                    p._value = old
                sharding.entered = False


def _as_used(value: Any, sharding: ParameterSharding, gathers: bool) -> Any:
    if gathers:
        return value.redistribute(placements=sharding.base)
    if sharding.of.level > 1 and value.requires_grad and torch.is_grad_enabled():
        return _PartOfGradient.apply(value, sharding.sharded)
    return value


def _saved_as_parts(pairs: list[tuple[Any, Any]]) -> contextlib.AbstractContextManager[Any]:
    """Let autograd keep no collected parameters; what it needs of them is collected again."""
    if not pairs or not thread.grad_scopes:
        return contextlib.nullcontext()
    from torch.distributed.tensor import DTensor

    numbers = {local(v).untyped_storage()._cdata: i for i, (_, v) in enumerate(pairs)}
    parts = [(b.detach(), v.placements) for b, v in pairs]
    outer = _C._autograd._top_saved_tensors_default_hooks(False)

    def pack(value: Any) -> Any:
        if is_split(value):
            number = numbers.get(local(value).untyped_storage()._cdata)
            if number is not None:
                return _Saved(number, value)
        return value if outer is None else outer[0](value)

    def unpack(saved: Any) -> torch.Tensor:
        if type(saved) is _Saved:
            part, base = parts[saved.number]
            again = local(part.redistribute(placements=base)).as_strided(*saved.view)
            dtensor: Any = DTensor
            return dtensor(again, saved.spec, requires_grad=False)
        return saved if outer is None else outer[1](saved)

    return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


def gradient_like(grad: torch.Tensor, parameter: Any) -> torch.Tensor:
    """A gradient as its parameter lies, or from level 2 on as a part of that."""
    sharding = sharding_of(parameter)
    value = parameter._value
    if sharding is None or sharding.of.level < 2:
        return like_parameter(grad, value)
    return distribute(grad, sharding.mesh, sharding.states())


def put(parameter: Any, mesh: Any, of: StateSharding | None) -> None:
    """Let a parameter be cut, or not any longer, on a mesh that may be finer than its own."""
    sharding = sharding_of(parameter)
    value: Any = parameter._value
    if sharding is not None:
        base = refined(sharding.base, sharding.mesh, mesh)
    elif is_split(value):
        base = refined(value.placements, value.device_mesh, mesh)
    else:
        base = (_replicate(),) * mesh.ndim
    parameter._value = onto(value.detach(), mesh).requires_grad_(value.requires_grad)
    note(parameter, mesh, base, of)
    lay_out(parameter, mesh, base)


def note(parameter: Any, mesh: Any, base: Sequence[Any], of: StateSharding | None) -> None:
    """Note how a parameter is to be cut when it is laid out next."""
    if of is None:
        vars(parameter).pop("_sharding", None)
    else:
        vars(parameter)["_sharding"] = ParameterSharding(of, parameter, mesh, base)


def _replicate() -> Any:
    from torch.distributed.tensor import Replicate

    return Replicate()
