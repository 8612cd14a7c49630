"""Parts of several tensors that processes collect, and gradients that they add, in one message.

NOTE Joined. What lies alike on the processes and has one type is joined in a flat tensor, with a
row for each part: one message collects all of its tensors, one adds all of their gradients.
torch's FSDP2 does the same, with modules of torch.

NOTE Begun. Sums are begun while the backward pass goes on, and ended when somebody reads one of
them, when the next are begun, so that no more whole gradients are held, or when the pass has ended
(`end_sums`). In a recording they end at once, and the
plan ends them where they are used first.
"""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.distributed import distributed_c10d
from torch.distributed._functional_collectives import AsyncCollectiveTensor

from agar._core.distributed.messages_of_splits import meaning
from agar._core.distributed.sharding import in_parts, is_split, local
from agar._core.multi_device import world
from agar._core.runtime import thread

__all__ = ["Joined", "add_up", "end_sums", "rings_of", "sums_of", "with_placements"]

_C: Any = torch._C  # its stubs do not list all that is used here
_functional = torch.ops._c10d_functional
#: The bytes of a sum of whole gradients, those of torch's DistributedDataParallel.
_LARGEST = 25 << 20


class _Ring:
    """The processes along one axis of a mesh, or along all of its axes."""

    __slots__ = ("name", "on_host", "place", "size")

    def __init__(self, group: Any, place: int, on_host: bool) -> None:
        self.name = group.group_name
        self.size = group.size()
        self.place = place
        self.on_host = on_host


_rings: dict[Any, list[_Ring]] = {}
world.when_parted(_rings.clear)


def rings_of(mesh: Any, axes: tuple[int, ...]) -> list[_Ring]:
    """The rings of axes of a mesh, major first; all axes of a mesh that has more are one ring."""
    key = distributed_c10d.GroupMember.WORLD, mesh, axes
    result = _rings.get(key)
    if result is None:
        on_host, places = mesh.device_type == "cpu", mesh.get_coordinate()
        root = mesh._get_root_mesh()
        if len(axes) == mesh.ndim > 1 and root is mesh and "every" in root._flatten_mapping:
            place = 0
            for i in range(mesh.ndim):
                place = place * mesh.shape[i] + places[i]
            result = [_Ring(root._flatten_mapping["every"].get_group(), place, on_host)]
        else:
            result = [_Ring(mesh.get_group(i), places[i], on_host) for i in axes]
        _rings[key] = result
    return result


class Joined:
    """Tensors of one type that processes cut along the same axes of a mesh.

    Args:
        mesh: the mesh.
        axes: its axes, in order.
        shapes: the shapes of a process's parts.
        dims: the dimension of each that is cut.
    """

    __slots__ = ("count", "dims", "rings", "shapes", "sizes", "wholes")

    def __init__(
        self,
        mesh: Any,
        axes: tuple[int, ...],
        shapes: Sequence[torch.Size],
        dims: Sequence[int],
    ) -> None:
        self.rings = rings_of(mesh, axes)
        self.count = math.prod(mesh.shape[i] for i in axes)
        self.shapes, self.dims = list(shapes), list(dims)
        self.sizes = [math.prod(s) for s in shapes]
        self.wholes = [
            (*s[:d], s[d] * self.count, *s[d + 1 :]) for s, d in zip(shapes, dims, strict=True)
        ]

    def begin_collecting(self, parts: Sequence[torch.Tensor]) -> torch.Tensor:
        """Begin to collect the whole tensors; what `collected` wants."""
        flat = (
            parts[0].reshape(-1) if len(parts) == 1 else torch.cat([p.reshape(-1) for p in parts])
        )
        for number, ring in enumerate(reversed(self.rings)):
            if number:
                flat = _functional.wait_tensor(flat)
            flat = _functional.all_gather_into_tensor(flat, ring.size, ring.name)
        return flat

    def collected(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """The whole tensors."""
        rows = _functional.wait_tensor(flat).view(self.count, -1)
        pieces = rows.split(self.sizes, 1)
        return [
            piece.unflatten(1, shape or (1,)).movedim(0, dim).reshape(whole)
            for piece, shape, dim, whole in zip(
                pieces, self.shapes, self.dims, self.wholes, strict=True
            )
        ]

    def begin_sum(
        self, grads: Sequence[torch.Tensor], more: Sequence[_Ring] = ()
    ) -> Callable[[], list[torch.Tensor]]:
        """Begin to add whole gradients up; the call that ends it gives this process's parts."""
        rows = [
            g if not dim else torch.cat(g.chunk(self.count, dim))
            for g, dim in zip(grads, self.dims, strict=True)
        ]
        flat: Any = torch._chunk_cat(rows, 0, self.count)
        with meaning("reduce-scatter"):
            for number, ring in enumerate(self.rings):
                if number:
                    flat = _row(_functional.wait_tensor(flat), self.rings[number - 1])
                flat = _begin_scattering(flat, ring)

        def end() -> list[torch.Tensor]:
            mine = _row(_functional.wait_tensor(flat), self.rings[-1])
            for ring in more:
                mine = _functional.wait_tensor(_begin_adding(mine, ring))
            return [
                p.view(shape)
                for p, shape in zip(mine.view(-1).split(self.sizes), self.shapes, strict=True)
            ]

        return end


def _begin_scattering(flat: torch.Tensor, ring: _Ring) -> torch.Tensor:
    """Begin to add rows up, of which this process wants some (`_row`).

    torch's reduce-scatter over gloo is a sum of all of a copy, and takes longer than the sum.
    """
    if ring.on_host:
        return _begin_adding(flat, ring)
    return _functional.reduce_scatter_tensor(flat, "sum", ring.size, ring.name)


def _begin_adding(flat: torch.Tensor, ring: _Ring) -> torch.Tensor:
    """Begin to add a tensor up, which nobody reads any more."""
    if thread.recorder is not None:  # whose nodes write into no inputs
        return _functional.all_reduce(flat, "sum", ring.name)
    return _functional.all_reduce_(flat, "sum", ring.name)


def _row(flat: torch.Tensor, ring: _Ring) -> torch.Tensor:
    """What this process wants of a sum, without the memory of the rest."""
    if not ring.on_host:
        return flat
    count = flat.shape[0] // ring.size
    return flat.narrow(0, ring.place * count, count).clone()


# ------------------------------------------------------------------------------ sums as gradients


class _Sum:
    """Sums that were begun."""

    def __init__(self, end: Callable[[], list[torch.Tensor]]) -> None:
        self._end: Callable[[], list[torch.Tensor]] | None = end
        self._parts: list[torch.Tensor] = []

    def parts(self) -> list[torch.Tensor]:
        """The sums, for which the first caller waits."""
        if self._end is not None:
            end, self._end = self._end, None
            self._parts = end()
        return self._parts


class _Latest(threading.local):
    """The sums that were begun last in this thread, unless nobody has them any more."""

    def __init__(self) -> None:
        self.sums: Callable[[], _Sum | None] = lambda: None


_latest = _Latest()


class _Coming(AsyncCollectiveTensor):
    """A part of sums that were begun; whatever reads it waits."""

    of: _Sum
    place: int

    @staticmethod
    def __new__(cls, of: _Sum, place: int, shape: torch.Size, like: torch.Tensor) -> Any:
        result: Any = torch.Tensor._make_wrapper_subclass(
            cls, shape, dtype=like.dtype, device=like.device
        )
        result.of, result.place, result.completed = of, place, False
        return result

    def trigger_wait(self) -> torch.Tensor:
        """The part itself."""
        return self.of.parts()[self.place]

    def wait(self) -> torch.Tensor:
        """The part itself."""
        return self.trigger_wait()

    def _get_acs_underlying_tensor(self) -> torch.Tensor:
        return self.trigger_wait()

    @classmethod
    def __torch_dispatch__(
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:  # its parent keeps views waiting
        taken = [_ended(a) for a in args]
        return func(*taken, **{k: _ended(v) for k, v in (kwargs or {}).items()})


def _ended(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_ended(v) for v in value)
    return value.trigger_wait() if isinstance(value, AsyncCollectiveTensor) else value


def sums_of(
    joined: Joined,
    grads: Sequence[torch.Tensor],
    more: Sequence[_Ring] = (),
) -> list[torch.Tensor]:
    """This process's parts of the sums of whole gradients, which may be coming still."""
    before = _latest.sums()
    of = _Sum(joined.begin_sum(grads, more))
    if thread.recorder is not None:
        return of.parts()
    if before is not None:
        before.parts()
    _latest.sums = weakref.ref(of)
    return [_Coming(of, i, shape, grads[0]) for i, shape in enumerate(joined.shapes)]


def end_sums(values: Sequence[Any]) -> list[Any]:
    """Gradients without parts that are coming still."""
    return [
        in_parts(v._local_tensor.trigger_wait(), v._spec)
        if v is not None and is_split(v) and type(v._local_tensor) is _Coming
        else v
        for v in values
    ]


def with_placements(spec: Any, placements: Sequence[Any]) -> Any:
    """The same whole tensor, lying otherwise on its mesh."""
    from torch.distributed.tensor._dtensor_spec import DTensorSpec

    return DTensorSpec(spec.mesh, tuple(placements), tensor_meta=spec.tensor_meta)


# ---------------------------------------------------------------------------------- whole sums


def add_up(grads: list[Any], placements: Sequence[Sequence[Any] | None]) -> list[Any]:
    """Gradients that processes have addends of are added up, where they shall lie so, in messages.

    Those for which `placements` has None, and those that lie otherwise, stay as they are.
    """
    waiting: dict[Any, list[int]] = {}
    for i, (grad, expected) in enumerate(zip(grads, placements, strict=True)):
        axes = None if expected is None else _addends(grad, expected)
        if axes:
            waiting.setdefault((grad.device_mesh, axes, grad.dtype, grad.device), []).append(i)
    for (mesh, axes, dtype, _), members in waiting.items():
        while members:
            taken, size = [], 0
            while members and (not taken or size < _LARGEST):
                taken.append(members.pop(0))
                size += local(grads[taken[-1]]).numel() * dtype.itemsize
            values = [local(grads[i]) for i in taken]
            flat: Any = torch.cat([v.reshape(-1) for v in values])
            for ring in rings_of(mesh, axes):
                flat = _functional.wait_tensor(_begin_adding(flat, ring))
            for i, value, part in zip(
                taken, values, flat.split([v.numel() for v in values]), strict=True
            ):
                expected = placements[i]
                assert expected is not None
                grads[i] = in_parts(
                    part.view(value.shape), with_placements(grads[i]._spec, expected)
                )
    return grads


def _addends(grad: Any, expected: Sequence[Any]) -> tuple[int, ...] | None:
    """The axes along which addends of a gradient are to be added up; None for anything else."""
    if grad is None or not is_split(grad) or grad.requires_grad:
        return None
    axes = []
    for i, (now, then) in enumerate(zip(grad.placements, expected, strict=True)):
        if now == then:
            continue
        if not (then.is_replicate() and now.is_partial("sum")):
            return None
        axes.append(i)
    return tuple(axes)
