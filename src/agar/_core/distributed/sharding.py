"""Tensors that lie on several processes: meshes, placements, and the way to whole values and back.

A Tensor whose payload is torch's DTensor has the shape of the whole; each process has a part of it.
Operators compute with DTensors as they are: torch propagates the placements and communicates.

NOTE One mesh. Operators combine DTensors of one DeviceMesh only, while the layouts of a network may
have different grids. All of them are expressed on their coarsest common refinement: a grid is
described by the products of its first sizes, and the mesh has the union of them. The grids (2, 4)
and (8,) of 8 processes meet on the mesh (2, 4), on which the axis of the second grid is two axes.

NOTE Regions. Inside `AutoParallel`, and in functions and operators that were given a strategy, a
plain tensor beside a DTensor counts as replicated: it is the same in every process. Elsewhere that
may be false, so torch's error stands, in agar's words.
"""

from __future__ import annotations

import functools
import math
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from itertools import pairwise
from typing import Any, NamedTuple

import torch

from agar._core.errors import missing_feature
from agar._core.multi_device import world
from agar._core.runtime import runtime, thread

__all__ = [
    "Region",
    "Split",
    "among",
    "current_region",
    "distribute",
    "grid_for",
    "in_parts",
    "is_split",
    "layouts_are_held",
    "layouts_held",
    "like_parameter",
    "local",
    "mesh_of",
    "mesh_of_stages",
    "onto",
    "placements_of",
    "processes",
    "refined",
    "region",
    "settle",
    "split_axes",
    "split_of",
    "summed_in_gradient",
    "whole",
]


class Split(NamedTuple):
    """How a tensor lies on a grid of processes.

    Attributes:
        sizes: the sizes of the grid.
        dims: for each dimension of the tensor the axes of the grid that cut it, major first.
        ranks: the processes in the grid's order.
    """

    sizes: tuple[int, ...]
    dims: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]

    def parts(self, dim: int) -> int:
        """Into how many parts a dimension is cut."""
        return math.prod(self.sizes[axis] for axis in self.dims[dim])


# ------------------------------------------------------------------ the processes of layouts

_processes: list[tuple[int, ...]] = []


def processes() -> tuple[int, ...]:
    """The processes that layouts speak of: all, or those of a pipeline stage in its cells."""
    return _processes[-1] if _processes else tuple(range(world.size))


@contextmanager
def among(ranks: tuple[int, ...]) -> Iterator[None]:
    """Let layouts speak of some processes, numbered from 0."""
    _processes.append(ranks)
    try:
        yield
    finally:
        _processes.pop()


def split_of(layout: Any, what: str) -> Split:
    """What a Layout says; one without the axes of a tensor has no dimensions.

    Raises:
        ValueError: its grid has not as many processes as there are.
        NotImplementedError: it has the axis ``"interleaved_parallel"``.
    """
    sizes = tuple(layout._device_shape)
    if "interleaved_parallel" in layout._alias_name:
        raise missing_feature(
            f"For {what}, the axis 'interleaved_parallel' of a Layout",
            "the parts of one process are not computed one after the other to overlap messages",
            "leave the axis out, which changes no result",
        )
    count = len(sizes)
    dims = []
    for entry in layout._tensor_map or ():
        axes = entry if isinstance(entry, (tuple, list)) else (entry,)
        dims.append(tuple(count - 1 - axis for axis in axes if axis != -1))
    ranks, every = tuple(layout._rank_list), processes()
    if sorted(ranks) != list(range(len(every))):
        raise ValueError(
            f"For {what}, the grid {sizes} of the Layout has the processes {list(ranks)}, but "
            f"there are {len(every)}: {list(range(len(every)))}. Make a Layout whose device_matrix "
            f"has the product {len(every)}, or start {math.prod(sizes)} processes"
            + (" for each pipeline stage." if _processes else ".")
        )
    return Split(sizes, tuple(dims), tuple(every[r] for r in ranks))


# ------------------------------------------------------------------------------------- meshes

_meshes: dict[Any, Any] = {}


def _products(sizes: Sequence[int]) -> list[int]:
    items = [1]
    for size in sizes:
        items.append(items[-1] * size)
    return items


def mesh_of(splits: Iterable[Split]) -> Any:
    """The DeviceMesh on which all of these can be expressed (NOTE One mesh).

    All processes have to call this at the same place: making a mesh is a collective.

    Raises:
        ValueError: there is none.
    """
    return _mesh(*grid_for(splits))


def grid_for(splits: Iterable[Split]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The processes and the sizes of the mesh on which all of these can be expressed.

    Raises:
        ValueError: there is none.
    """
    ranks = processes()
    count = len(ranks)
    first: Split | None = None
    cuts: dict[int, Split | None] = {1: None, count: None}
    for split in splits:
        if first is None:
            first, ranks = split, split.ranks
        elif split.ranks != ranks:
            raise ValueError(
                f"The layouts of one network must have one order of processes, but one has the "
                f"rank_list {list(ranks)} and another {list(split.ranks)}."
            )
        for product in _products(split.sizes):
            cuts.setdefault(product, split)
    chain = sorted(cuts)
    for low, high in pairwise(chain):
        if high % low:
            grids = [s.sizes for s in (cuts[low], cuts[high]) if s is not None]
            raise ValueError(
                f"The grids {' and '.join(map(str, grids))} of {count} processes have no "
                f"common refinement: {high} is not a multiple of {low}. Give the operators of one "
                "network strategies whose first factors divide each other."
            )
    sizes = tuple(high // low for low, high in pairwise(chain))
    return ranks, sizes or (1,)


def mesh_of_stages(sizes: tuple[int, ...], stages: int) -> Any:
    """This stage's mesh of the meshes that all stages of a pipeline have.

    All processes have to call this: the groups of a mesh are made by all of them.
    """
    names = tuple(f"axis{i}" for i in range(1, len(sizes) + 1))
    return _mesh(tuple(range(world.size)), (stages, *sizes), flat=False)[names]


def _mesh(ranks: tuple[int, ...], sizes: tuple[int, ...], flat: bool = True) -> Any:
    import torch.distributed as dist
    from torch.distributed.device_mesh import DeviceMesh

    from agar._core.distributed.process_groups import WORLD, groups
    from agar._core.distributed.sharded_kernels import install

    if not dist.is_initialized():
        raise RuntimeError(
            "Tensors lie on several processes only after these have joined. Call "
            "communication.init() first, in every process that the launcher started."
        )
    key = (dist.group.WORLD, ranks, sizes, flat)
    entry = _meshes.get(key)
    if entry is None:
        install()
        kind = "cuda" if dist.get_backend() == "nccl" else "cpu"
        grid = torch.tensor(ranks).reshape(sizes)
        names = tuple(f"axis{i}" for i in range(len(sizes)))
        entry = _meshes[key] = DeviceMesh(kind, grid, mesh_dim_names=names)
        seconds = groups._timeouts.get(WORLD)
        if seconds is not None:  # new groups of the engine do not take it over
            for i in range(entry.ndim):
                dist.distributed_c10d._set_pg_timeout(
                    timedelta(seconds=seconds), entry.get_group(i)
                )
        if flat and len(sizes) > 1:
            entry._flatten("every")  # so that what goes round all processes is one message
    return entry


def _part() -> None:
    """Let go of groups of processes that have parted; tensors may still hold their meshes."""
    for mesh in _meshes.values():
        mesh._get_root_mesh()._pg_registry.clear()
    _meshes.clear()
    placements_of.cache_clear()


world.when_parted(_part)


def split_axes(mesh: Any, sizes: tuple[int, ...]) -> Any:
    """A mesh of the same processes with other sizes."""
    return mesh if tuple(mesh.shape) == sizes else _mesh(tuple(mesh.mesh.flatten().tolist()), sizes)


def _mesh_axes(split: Split, mesh: Any) -> list[list[int]]:
    """For each axis of a split's grid the dimensions of the mesh that it consists of."""
    ends = _products(tuple(mesh.shape))
    own = _products(split.sizes)
    known = set(ends)
    ranks = tuple(mesh.mesh.flatten().tolist())
    if not known.issuperset(own) or ranks != split.ranks:
        raise ValueError(
            f"The grid {split.sizes} of the processes {list(split.ranks)} cannot be expressed on "
            f"the mesh {tuple(mesh.shape)} of the processes {list(ranks)}, on which the "
            "network was laid out. Keep the Layout as an attribute of the cell (self.layout = "
            "layout), so that it is known when AutoParallel looks at the network."
        )
    return [
        [i for i in range(mesh.ndim) if own[axis] <= ends[i] < own[axis + 1]]
        for axis in range(len(split.sizes))
    ]


@functools.lru_cache(1024)
def placements_of(split: Split, mesh: Any) -> tuple[Any, ...]:
    """torch's placements of a split, one for each dimension of the mesh."""
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.placement_types import _StridedShard

    axes = _mesh_axes(split, mesh)
    result: list[Any] = [Replicate()] * mesh.ndim
    for dim, cut_by in enumerate(split.dims):
        order = [i for axis in cut_by for i in axes[axis]]
        for place, i in enumerate(order):
            # a dimension of the mesh cuts what those before it in `order` have left; placements
            # are read from the first to the last, so later ones that come before must be named
            factor = math.prod(mesh.shape[j] for j in order[:place] if j > i)
            result[i] = Shard(dim) if factor == 1 else _StridedShard(dim, split_factor=factor)
    return tuple(result)


# ------------------------------------------------------------------------- values and their parts


def is_split(value: Any) -> bool:
    """Whether a torch tensor is a DTensor."""
    if value.__class__ is torch.Tensor:
        return False
    module = sys.modules.get("torch.distributed.tensor")
    return module is not None and isinstance(value, module.DTensor)


def whole(value: torch.Tensor) -> torch.Tensor:
    """The whole value of a tensor. For a DTensor it is collected: all processes have to ask."""
    if value.__class__ is torch.Tensor or not is_split(value):
        return value
    recorder = thread.recorder
    if recorder is not None and not recorder.splits:
        recorder.abort("the whole value of a tensor on several processes is read")
    return value.full_tensor()  # type: ignore[attr-defined]


def local(value: torch.Tensor) -> torch.Tensor:
    """What this process has of a tensor, sharing its memory."""
    if value.__class__ is torch.Tensor or not is_split(value):
        return value
    part = value._local_tensor  # type: ignore[attr-defined]
    return part.wait() if hasattr(part, "wait") else part


def check_divides(what: str, shape: Sequence[int], split: Split) -> None:
    """Refuse a split that does not fit a shape.

    Raises:
        ValueError: it has another number of dimensions, or a size that is not divided evenly.
    """
    if len(split.dims) != len(shape):
        raise ValueError(
            f"{what} has {len(split.dims)} entries, but the tensor has the shape {tuple(shape)}, "
            f"which is of {len(shape)} dimensions. Give one entry for each dimension."
        )
    for dim, size in enumerate(shape):
        parts = split.parts(dim)
        if size % parts:
            raise ValueError(
                f"{what} cuts dimension {dim} of a tensor of shape {tuple(shape)} into {parts} "
                f"parts, but its size {size} is not a multiple of {parts}. Choose a number that "
                "divides it, or pad the dimension."
            )


def replicated(value: torch.Tensor, mesh: Any) -> torch.Tensor:
    """A plain tensor that is the same in all processes, as a DTensor over its own memory."""
    from torch.distributed.tensor import DTensor, Replicate

    return DTensor.from_local(value, mesh, [Replicate()] * mesh.ndim, run_check=False)


def in_parts(part: torch.Tensor, spec: Any) -> torch.Tensor:
    """The DTensor of which this process has a part."""
    from torch.distributed.tensor import DTensor

    dtensor: Any = DTensor
    return dtensor(part, spec, requires_grad=False)


def distribute(value: torch.Tensor, mesh: Any, placements: Sequence[Any]) -> torch.Tensor:
    """A tensor with these placements; a plain one must be the same in all processes."""
    value = onto(value, mesh)
    if value.placements == tuple(placements):  # type: ignore[attr-defined]
        return value
    return value.redistribute(placements=placements)  # type: ignore[attr-defined]


def summed_in_gradient(value: Any) -> None:
    """Let the gradient of a result be added up when the backward pass has all of it.

    What uses the result leaves addends in each process, which operators before would go on with:
    each of them would add up, or collect, tensors of its own.
    """
    from torch.distributed.tensor import Replicate

    placements = [Replicate() if p.is_partial() else p for p in value.placements]

    def add_up(grad: Any) -> Any:
        if not is_split(grad) or not any(p.is_partial() for p in grad.placements):
            return None
        pairs = zip(grad.placements, placements, strict=True)
        return grad.redistribute(
            placements=[then if now.is_partial() else now for now, then in pairs]
        )

    value.register_hook(add_up)


def onto(value: Any, mesh: Any) -> Any:
    """A tensor on a mesh: a plain one is replicated, the parts of others stay where they are."""
    if not is_split(value):
        return replicated(value, mesh)
    if value.device_mesh == mesh:
        return value
    from torch.distributed.tensor import DTensor

    placements = refined(value.placements, value.device_mesh, mesh)
    part = value.to_local(grad_placements=value.placements)
    return DTensor.from_local(
        part, mesh, placements, run_check=False, shape=value.shape, stride=value.stride()
    )


def refined(placements: Sequence[Any], mesh: Any, finer: Any) -> tuple[Any, ...]:
    """The same placements on a mesh whose axes are parts of those of another."""
    if finer == mesh:
        return tuple(placements)
    own = Split(tuple(mesh.shape), (), tuple(mesh.mesh.flatten().tolist()))
    result: list[Any] = [None] * finer.ndim
    for placement, axes in zip(placements, _mesh_axes(own, finer), strict=True):
        for i in axes:
            result[i] = placement
    return tuple(result)


def part_of(value: torch.Tensor, mesh: Any, placements: Sequence[Any]) -> torch.Tensor:
    """A DTensor whose part has memory of its own, so that the whole value can go."""
    with torch.no_grad():
        result: Any = distribute(value.detach(), mesh, placements)
        part = local(result)
        if part.untyped_storage().nbytes() > part.numel() * part.element_size():
            from torch.distributed.tensor import DTensor

            result = DTensor.from_local(
                part.clone(), mesh, placements, run_check=False, shape=value.shape,
                stride=value.stride(),
            )  # fmt: skip
    return result


def check_writable(value: Any, what: str) -> None:
    """Refuse to write into what looks like a view of a tensor in parts and is a copy.

    Raises:
        RuntimeError: it is one.
    """
    if not is_split(value) or not value._is_view() or not is_split(value._base):
        return
    if local(value).untyped_storage().data_ptr() == local(value._base).untyped_storage().data_ptr():
        return
    raise RuntimeError(
        f"{what} would write into a copy: the tensor is a view of one that lies in parts on "
        "several processes, and was collected from them. Write into the tensor itself (x[index] = "
        "value), or compute a new one with ops.where or ops.scatter."
    )


def rewritten(value: Any, change: Callable[[torch.Tensor], None]) -> None:
    """Change a tensor in parts in place, through its whole value.

    Raises:
        RuntimeError: its gradient is taken.
    """
    if value.requires_grad and torch.is_grad_enabled():
        raise RuntimeError(
            "An item of a tensor that lies in parts on several processes is assigned while its "
            "gradient is taken. Compute a new tensor with ops.where or ops.scatter."
        )
    copy = whole(value.detach()).clone()
    change(copy)
    if any(p.is_partial() for p in value.placements):
        added = replicated(copy, value.device_mesh)
        value._local_tensor, value._spec = added._local_tensor, added._spec  # type: ignore[attr-defined]
        return
    local(value).copy_(local(distribute(copy, value.device_mesh, value.placements)))


def like_parameter(grad: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """A gradient as its tensor lies: with the same placements, or whole for a plain one."""
    if grad.__class__ is torch.Tensor and value.__class__ is torch.Tensor:
        return grad
    if is_split(value):
        return distribute(grad, value.device_mesh, value.placements)  # type: ignore[attr-defined]
    return whole(grad)


# ------------------------------------------------------------------------------------- regions


class _Regions(threading.local):
    def __init__(self) -> None:
        self.open: list[Region] = []
        self.ended: list[Region] = []  # whose parameters wait for the gradient
        self.held = False  # whether none is laid out for the time


_regions = _Regions()


class Region:
    """A stretch of a program in which plain tensors count as replicated (NOTE Regions).

    Attributes:
        mesh: the mesh of its tensors.
        planned: layouts that parameters take when it ends, by identity: parameter and placements.
        before: called when it has ended, before these are laid out.
    """

    def __init__(self, mesh: Any) -> None:
        self.mesh = mesh
        self.planned: dict[int, tuple[Any, tuple[Any, ...]]] = {}
        self.before: list[Callable[[Region], None]] = []

    def plan(self, parameter: Any, placements: tuple[Any, ...]) -> None:
        """Let a parameter have these placements: at once, or when the gradient has been taken."""
        if id(parameter) in self.planned or vars(parameter).get("_laid_out"):
            return
        vars(parameter)["_laid_out"] = True
        sharding = vars(parameter).get("_sharding")
        entered = sharding is not None and sharding.entered
        if entered or self.before or parameter._value.requires_grad or thread.grad_scopes:
            self.planned[id(parameter)] = (parameter, placements)
        else:
            lay_out(parameter, self.mesh, placements)

    def carry_out(self) -> None:
        """Give the parameters the layouts that were planned."""
        for call in self.before:
            call(self)
        self.before.clear()
        for parameter, placements in self.planned.values():
            lay_out(parameter, self.mesh, placements)
        self.planned.clear()


def lay_out(parameter: Any, mesh: Any, placements: Sequence[Any]) -> None:
    """Let a parameter have these placements; the optimizer's states follow at its next step."""
    value = parameter._value
    sharding = vars(parameter).get("_sharding")
    if sharding is not None:
        placements = sharding.lay_out(parameter, mesh, placements)
    expected = value.requires_grad
    parameter._value = part_of(value, mesh, placements).requires_grad_(expected)
    runtime.epoch += 1
    runtime.weights += 1


def current_region() -> Region | None:
    """The innermost region that is open in this thread."""
    return _regions.open[-1] if _regions.open else None


def region(mesh: Any) -> AbstractContextManager[Region]:
    """Open a region; one that is open already is gone on with."""
    recorder = thread.recorder
    if recorder is not None and not recorder.splits:
        recorder.abort("its tensors lie on several processes")
    return _region(mesh)


@contextmanager
def _region(mesh: Any) -> Iterator[Region]:
    opened = current_region()
    if opened is not None and opened.mesh == mesh:
        yield opened
        return
    settle()
    opened = Region(mesh)
    _regions.open.append(opened)
    try:
        with implicit_replication():
            yield opened
    finally:
        _regions.open.remove(opened)
        if opened.planned or opened.before:
            _regions.ended.append(opened)
    settle()


def layouts_are_held() -> bool:
    """Whether no parameter is laid out for the time (`layouts_held`)."""
    return _regions.held


@contextmanager
def layouts_held() -> Iterator[None]:
    """Let parameters lie as they do, whatever regions end."""
    before, _regions.held = _regions.held, True
    try:
        yield
    finally:
        _regions.held = before


def settle() -> None:
    """Lay out the parameters of regions that have ended, unless a gradient is being taken."""
    if _regions.held or thread.grad_scopes or _regions.open:
        return
    if _regions.ended:
        for ended in _regions.ended:
            ended.carry_out()
        _regions.ended.clear()


@contextmanager
def implicit_replication() -> Iterator[None]:
    """Let torch take plain tensors beside DTensors as replicated."""
    from torch.distributed.tensor import DTensor

    dispatcher = DTensor._op_dispatcher
    before = dispatcher._allow_implicit_replication
    dispatcher._allow_implicit_replication = True
    try:
        yield
    finally:
        dispatcher._allow_implicit_replication = before


def any_split(values: Iterable[Any]) -> bool:
    """Whether a DTensor is among torch tensors."""
    return any(v is not None and v.__class__ is not torch.Tensor and is_split(v) for v in values)
