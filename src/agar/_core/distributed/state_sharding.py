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

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from agar._core.distributed.sharding import (
    distribute,
    is_split,
    lay_out,
    like_parameter,
    local,
    onto,
    refined,
)
from agar._core.multi_device import world
from agar._core.settings import auto_parallel

__all__ = [
    "LEVELS",
    "PARKED",
    "ParameterSharding",
    "StateSharding",
    "gradients_like",
    "note",
    "notes",
    "put",
    "sharding_of",
    "spread_updates",
]

#: The level until the first call has ended (NOTE Parking).
PARKED = 0
LEVELS = {"level1": 1, "level2": 2, "level3": 3}


class _Notes:
    """How often it was noted how a parameter is cut."""

    count = 0


notes = _Notes()


@dataclass(frozen=True)
class StateSharding:
    """How the parameters of a network are cut beyond what operators ask for.

    Args:
        level: 1, 2 or 3; 0 until the first call has ended.
        size: the largest number of parts; -1 for one in each process that uses the same.
        threshold: parameters of fewer KiB are not cut.

    Raises:
        ValueError: the number of processes is not a multiple of `size`.
    """

    level: int
    size: int = -1
    threshold: int = 64

    def __post_init__(self) -> None:
        if self.size != -1 and world.size % self.size:
            raise ValueError(
                f"For the parallel optimizer, the {world.size} processes cannot be divided into "
                f"groups of {self.size} ('shard_size', 'optimizer_weight_shard_size'); it must "
                "divide their number."
            )

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
        notes.count += 1

    def between_uses(self) -> tuple[Any, ...]:
        """The placements of the parameter itself while no cell uses it."""
        whole = self.sharded is None or self.of.level in (1, 2)
        return self.base if whole else self.sharded  # type: ignore[return-value]

    def lay_out(self, parameter: Any, mesh: Any, base: Sequence[Any]) -> tuple[Any, ...]:
        """Let operators use other placements; those that the parameter itself has then."""
        self.mesh, self.base = mesh, tuple(base)
        self.sharded = self.of.placements(parameter, mesh, base)
        notes.count += 1
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
        dim, axes = self.cut()
        coordinate, place, count = self.mesh.get_coordinate(), 0, 1
        for i in axes:
            place, count = place * self.mesh.shape[i] + coordinate[i], count * self.mesh.shape[i]
        rows = part.shape[dim] // count
        return part.narrow(dim, place * rows, rows)

    def cut(self) -> tuple[int, list[int]]:
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
            axes = tuple(sharding.cut()[1])
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
        dim = sharding.cut()[0]
        parts = piece.reshape(-1, *part.shape)
        local(p._value).copy_(torch.cat(parts.unbind(0), dim))


def gradients_like(grads: Sequence[torch.Tensor | None], parameters: Sequence[Any]) -> list[Any]:
    """Gradients as their parameters lie, or from level 2 on as a part of that; None stays."""
    # torch's collectives, which are loaded where several processes need them
    from agar._core.distributed.joined_messages import add_up, end_sums

    result = end_sums(grads)
    shardings = [sharding_of(p) for p in parameters]
    expected = []
    for p, sharding in zip(parameters, shardings, strict=True):
        value = p._value
        if sharding is None or sharding.of.level < 2:
            expected.append((value.device_mesh, value.placements) if is_split(value) else None)
        else:
            expected.append((sharding.mesh, sharding.states()))
    add_up(result, [None if e is None else e[1] for e in expected])
    for i, (grad, p, e) in enumerate(zip(result, parameters, expected, strict=True)):
        if grad is not None:
            result[i] = like_parameter(grad, p._value) if e is None else distribute(grad, *e)
    return result


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
