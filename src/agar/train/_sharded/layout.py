"""Which part of a tensor each device has: device matrix, tensor map and optimizer shards.

NOTE The layout of a tensor. The devices of a pipeline stage form a matrix, ranks in row-major
order. The tensor map says for each dimension of the tensor along which axes of the matrix it is
split, counted from the matrix's last axis; -1 stands for none. Several axes of one dimension split
it one after the other. Along the axes that no dimension has, devices hold copies. Optimizer shards
split the first dimension once more, among neighboring copies.

Here a split is a pair of numbers: how far apart in rank two neighbors are (the stride), and how
many of them there are. A dimension is a sequence of splits, the coarsest first; all that follows is
arithmetic on ranks, and no list of devices is made.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

__all__ = ["LayoutError", "Piece", "Sharding", "pieces", "ranks_to_gather"]

# Bounds of what a file may claim. The largest clusters have some hundred thousand devices.
MAX_DEVICES = 1 << 20
MAX_AXES = 64


class LayoutError(ValueError):
    """A layout contradicts itself, or does not fit a tensor."""


class Split(NamedTuple):
    """One division among devices: the distance of neighbors in rank, and their number."""

    stride: int
    size: int


class Sharding:
    """How one tensor lies on the devices of a pipeline stage.

    Args:
        matrix (Sequence[int]): the device matrix.
        tensor_map (Sequence): for each dimension of the tensor an axis of the matrix counted from
            its end, a sequence of axes, or -1.
        shard_step (int): the distance in rank of the devices that share optimizer shards; 0 for
            none. Default: 0.
        shard_size (int): how many devices share them; 0 for none, -1 for all that hold copies.
            Default: 0.

    Raises:
        LayoutError: the arguments contradict each other.
    """

    def __init__(
        self,
        matrix: Sequence[int],
        tensor_map: Sequence[int | Sequence[int]],
        shard_step: int = 0,
        shard_size: int = 0,
    ) -> None:
        axes = [[e] if isinstance(e, int) else list(e) for e in tensor_map]
        _check(matrix, axes)
        self.devices = math.prod(matrix)
        strides = [math.prod(matrix[i + 1 :]) for i in range(len(matrix))]
        every = [Split(stride, size) for stride, size in zip(strides, matrix, strict=True)]
        dims = [[every[-1 - a] for a in entry if a != -1] for entry in axes]
        #: the splits of each dimension without those of the optimizer
        self.model_splits = tuple(tuple(s for s in dim if s.size > 1) for dim in dims)
        shards = _optimizer_splits(every, self.model_splits, shard_step, shard_size)
        #: whether there is no tensor map, as on a single device nothing can be split
        self.is_loose = self.devices == 1 and not axes
        nested = any(len(entry) > 1 for entry in axes)
        if shards and not nested:
            _check_step(every, self.model_splits, shard_step)
        if shards and not dims:
            raise LayoutError("optimizer shards split the first dimension, and there is none")
        first = (*self.model_splits[0], *shards) if shards else ()
        self.splits = (first, *self.model_splits[1:]) if shards else self.model_splits

    @property
    def parts(self) -> tuple[int, ...]:
        """Into how many parts each dimension is split."""
        return tuple(math.prod(s.size for s in dim) for dim in self.splits)

    @property
    def is_whole(self) -> bool:
        """Whether every device has the whole tensor."""
        return not any(self.splits)

    def position(self, rank: int) -> tuple[int, ...]:
        """Which part of each dimension a device has."""
        places = []
        for dim in self.splits:
            place = 0
            for stride, size in dim:
                place = place * size + rank // stride % size
            places.append(place)
        return tuple(places)

    def replica(self, rank: int) -> int:
        """Which set of copies a device belongs to: the rank of the first of them."""
        return rank - sum(
            rank // stride % size * stride for dim in self.splits for stride, size in dim
        )

    def holder(self, position: Sequence[int], replica: int) -> int:
        """The device of a set of copies that has a part of the tensor."""
        rank = replica
        for place, dim in zip(position, self.splits, strict=True):
            for stride, size in reversed(dim):
                place, coordinate = divmod(place, size)
                rank += coordinate * stride
        return rank

    def holders(self, position: Sequence[int], first: int) -> Iterator[int]:
        """All devices that have a part of the tensor; that of a set of copies comes first."""
        yield self.holder(position, first)
        for replica in range(self.devices):
            if replica != first and self.replica(replica) == replica:
                yield self.holder(position, replica)

    def full_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of the tensor of which a device has a part of a shape.

        Raises:
            LayoutError: the number of dimensions is another.
        """
        self._check_rank(shape)
        return tuple(n * p for n, p in zip(shape, self.parts, strict=True))

    def slice_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of a device's part of a tensor of a shape.

        Raises:
            LayoutError: the number of dimensions is another, or one cannot be divided.
        """
        self._check_rank(shape)
        for dim, (n, p) in enumerate(zip(shape, self.parts, strict=True)):
            if n % p:
                raise LayoutError(
                    f"dimension {dim} of shape {tuple(shape)} cannot be split into {p} equal parts"
                )
        return tuple(n // p for n, p in zip(shape, self.parts, strict=True))

    def _check_rank(self, shape: Sequence[int]) -> None:
        if len(shape) != len(self.splits):
            raise LayoutError(
                f"the tensor map has {len(self.splits)} dimensions, but the tensor has the shape "
                f"{tuple(shape)}"
            )

    @classmethod
    def whole(cls, dims: int, devices: int = 1) -> Sharding:
        """The layout of a tensor that every device has."""
        return cls([devices], [-1] * dims)

    def on(self, devices: int) -> Sharding:
        """The same for another number of devices, if each has the whole tensor."""
        sharding = Sharding.whole(len(self.splits), devices)
        sharding.is_loose = self.is_loose
        return sharding

    def fitted(self, dims: int) -> Sharding:
        """The layout of a tensor of so many dimensions where no tensor map says their number."""
        return Sharding.whole(dims, self.devices) if self.is_loose else self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sharding):
            return NotImplemented
        return (self.devices, self.splits) == (other.devices, other.splits)

    def __hash__(self) -> int:
        return hash((self.devices, self.splits))


def _check(matrix: Sequence[int], axes: list[list[int]]) -> None:
    if len(matrix) > MAX_AXES or len(axes) > MAX_AXES or any(len(e) > MAX_AXES for e in axes):
        raise LayoutError(f"it has more than {MAX_AXES} axes")
    if any(size < 1 for size in matrix) or math.prod(matrix) > MAX_DEVICES:
        raise LayoutError(f"the device matrix {list(matrix)} is impossible")
    used: set[int] = set()
    for entry in axes:
        for axis in entry:
            if not -1 <= axis < len(matrix):
                raise LayoutError(
                    f"the tensor map {axes} names the axis {axis}, but the device matrix "
                    f"{list(matrix)} has {len(matrix)} axes"
                )
            if axis in used and matrix[-1 - axis] > 1:
                raise LayoutError(f"the tensor map {axes} has the axis {axis} twice")
            if axis != -1:
                used.add(axis)


def _free_runs(every: list[Split], model: Iterable[tuple[Split, ...]]) -> list[Split]:
    """The axes of copies, neighbors joined; the last in the matrix comes first."""
    used = {split for dim in model for split in dim}
    runs: list[Split] = []
    joined = False
    for split in reversed(every):
        if split.size == 1:
            continue
        if split in used:
            joined = False
        elif joined:
            runs[-1] = Split(runs[-1].stride, runs[-1].size * split.size)
        else:
            runs.append(split)
            joined = True
    return runs


def _optimizer_splits(
    every: list[Split], model: tuple[tuple[Split, ...], ...], step: int, size: int
) -> tuple[Split, ...]:
    """The splits among neighboring copies, the coarsest first."""
    if size < -1 or step < 0:
        raise LayoutError(f"optimizer shards of size {size} and step {step} are impossible")
    if size in (0, 1) or (step == 0 and size == -1):
        return ()
    if step == 0:
        raise LayoutError(f"optimizer shards of size {size} have the step 0")
    runs = _free_runs(every, model)
    left = math.prod(run.size for run in runs) if size == -1 else size
    shards: list[Split] = []
    for stride, count in runs:
        if left == 1:
            break
        taken = count if left % count == 0 else left
        if count % taken:
            break
        shards.insert(0, Split(stride, taken))
        left //= taken
    if left != 1:
        copies = math.prod(run.size for run in runs)
        raise LayoutError(
            f"{copies} devices hold copies, which cannot share optimizer shards of size {size}"
        )
    return tuple(shards)


def _check_step(every: list[Split], model: Iterable[tuple[Split, ...]], step: int) -> None:
    """The step is told twice where the copies lie along one axis."""
    used = {split for dim in model for split in dim}
    free = [split for split in every if split.size > 1 and split not in used]
    if len(free) == 1 and free[0].stride != step:
        raise LayoutError(
            f"the step of optimizer shards is {step}, but devices that hold copies are "
            f"{free[0].stride} apart"
        )


# --------------------------------------------------------------------- from one layout to another


class Piece(NamedTuple):
    """What one part of the source gives to a part of the target."""

    position: tuple[int, ...]
    source: tuple[slice, ...]
    target: tuple[slice, ...]


def pieces(
    src: Sharding, dst: Sharding, rank: int, shape: Sequence[int]
) -> tuple[tuple[int, ...], list[Piece]]:
    """The parts of the source of which a device's part of the target consists.

    Args:
        src: how the tensor lies now.
        dst: how it is to be laid out.
        rank: the device of the target.
        shape: the shape of each part of the source.

    Returns:
        the shape of the device's part, and what it consists of.

    Raises:
        LayoutError: a layout does not fit the shape.
    """
    result = dst.slice_shape(src.full_shape(shape))
    ranges: list[list[tuple[int, slice, slice]]] = []
    for have, length, place in zip(shape, result, dst.position(rank), strict=True):
        begin, end = place * length, (place + 1) * length
        ranges.append(
            [
                (
                    part,
                    slice(max(begin - part * have, 0), min(end - part * have, have)),
                    slice(max(part * have - begin, 0), min((part + 1) * have - begin, length)),
                )
                for part in range(begin // have, -(-end // have))
            ]
            if have
            else []
        )
    parts = []
    for choice in itertools.product(*ranges):
        position, source, target = zip(*choice, strict=True) if choice else ((), (), ())
        parts.append(Piece(position, source, target))
    return result, parts


def ranks_to_gather(src: Sharding, dst: Sharding, rank: int) -> set[int]:
    """The devices of a stage of the source among which MindSpore gathers for one of the target.

    They are at least those whose parts are needed: a dimension that is split otherwise is gathered
    along all the devices that share it.
    """
    ranks = {rank % src.devices}
    for old, new in zip(src.splits, dst.splits, strict=True):
        other = iter(_prime_splits(new))
        aligned = True  # the borders of the parts are the same so far
        for stride, size in _prime_splits(old):
            match = next(other, None) if aligned else None
            if match == (stride, size):
                continue
            aligned = match is not None and match.size == size
            ranks = {
                r + (coordinate - r // stride % size) * stride
                for r in ranks
                for coordinate in range(size)
            }
    return ranks


def _prime_splits(dim: tuple[Split, ...]) -> list[Split]:
    """The splits of a dimension, each divided into splits of prime size."""
    splits = []
    for stride, size in dim:
        whole, divisor = stride * size, 2
        while size > 1:
            while size % divisor:
                divisor = divisor + 1 if divisor * divisor <= size else size
            size //= divisor
            whole //= divisor
            splits.append(Split(whole, divisor))
    return splits
