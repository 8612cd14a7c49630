"""What each rank of a target has, put together from the files of the ranks of a source."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import numpy as np
import torch  # files hold raw tensors

from agar import log
from agar.train._checkpoint_file import dense, raw_bytes
from agar.train._sharded.layout import LayoutError, Sharding, pieces, ranks_to_gather
from agar.train._sharded.sources import Sources
from agar.train._sharded.strategy import Strategy

__all__ = ["Conversion", "needed_ranks", "same_bytes"]


def needed_ranks(src: Strategy | None, dst: Strategy | None, rank: int) -> list[int]:
    """The ranks of the source whose files belong to a rank of the target, the last one first."""
    if src is None:
        return [0]
    local, stage = _place(dst, rank)
    local_ranks: set[int] = set()
    stages: set[int] = set()
    for name, layouts in src.layouts.items():
        target = None if dst is None else dst.layouts.get(name)
        if target is not None and stage not in target:
            continue  # another stage of the target has it
        stages.update(layouts)
        if dst is not None and target is None:
            continue
        local_ranks.add(local % src.devices)
        old = layouts[min(layouts)]
        new = Sharding.whole(len(old.splits)) if target is None else target[stage]
        if old.is_loose or new.is_loose:
            old, new = old.fitted(len(new.splits)), new.fitted(len(old.splits))
        if len(old.splits) != len(new.splits):
            raise ValueError(
                f"The parameter '{name}' has {len(old.splits)} dimensions in the strategy file "
                f"'{src.path}', but {len(new.splits)} in '{dst.path if dst else None}'."
            )
        local_ranks |= ranks_to_gather(old, new, local)
    return sorted((s * src.devices + r for s in stages for r in local_ranks), reverse=True)


def _place(dst: Strategy | None, rank: int) -> tuple[int, int]:
    """The rank within its stage, and the stage."""
    if dst is None:
        return rank, 0
    return rank % dst.devices, rank // dst.devices


class Conversion:
    """Takes the parameters of a target from the files of a source.

    Args:
        sources (Sources): the files of the ranks of the source.
        src (Strategy): how the source is split; None if rank 0 has the whole.
        dst (Strategy): how the target is split; None if each rank has the whole.
        complete (bool): whether each needed rank has all of its parameters; otherwise they may be
            in the file of another rank that has a copy. Default: False.
    """

    def __init__(
        self,
        sources: Sources,
        src: Strategy | None,
        dst: Strategy | None,
        complete: bool = False,
    ) -> None:
        self._sources = sources
        self._op_name = sources.op_name
        self._src = src
        self._dst = dst
        self._complete = complete
        self._devices = 1 if src is None else src.devices
        self._lock = threading.Lock()
        self._left_out: set[str] = set()
        self._unequal: set[str] = set()

    # ------------------------------------------------------------------- a rank of the target

    def entries(self, rank: int, ranks: Iterable[int]) -> Iterator[tuple[str, torch.Tensor | str]]:
        """The names and values of a rank of the target; each value is made when its turn comes.

        Args:
            rank: the rank of the target.
            ranks: the ranks of the source whose files are looked into for names.

        Raises:
            ValueError: something is missing, or does not fit the strategies.
        """
        chosen = sorted(ranks, reverse=True)
        split, other = [], []
        for name in self._sources.names(chosen):
            kind = self._kind(name, rank)
            (split if kind == "split" else other if kind == "copied" else []).append(name)
        if not split:
            raise ValueError(
                f"For '{self._op_name}', none of the parameters of rank {rank} in the checkpoint "
                "files "
                f"{[self._sources.files[r] for r in chosen][:4]} are in either src strategy or dst "
                "strategy. Please check correctness of strategy files."
            )
        return itertools.chain(
            ((name, self.parameter(name, rank)) for name in split),
            ((name, self.copied(name, rank, chosen)) for name in other),
        )

    def _kind(self, name: str, rank: int) -> str:
        """Whether a name is converted ("split"), "copied" or left out ("")."""
        src, dst = self._src, self._dst
        stage = _place(dst, rank)[1]
        target = None if dst is None else dst.layouts.get(name)
        if target is not None and stage not in target:
            return ""
        if src is None or name in src.layouts:
            if dst is None or target is not None:
                return "" if src is None and dst is None else "split"
            if src is None or src.layouts[name][src.first_stage(name)].is_whole:
                return "copied"
            self._leave_out(name)
            return ""
        if target is not None and not target[stage].is_whole:
            raise ValueError(
                f"For '{self._op_name}', the parameter '{name}' is split by the strategy file "
                f"'{dst.path if dst else None}', but '{src.path}' does not say how it is split in "
                "the checkpoints. Save the source strategy with all parameters (only_trainable_"
                "params=False)."
            )
        return "copied"

    def _leave_out(self, name: str) -> None:
        with self._lock:
            if name in self._left_out:
                return
            self._left_out.add(name)
        log.warning(
            "For '%s', the parameter '%s' is split in the checkpoints, and the strategy file '%s' "
            "does not say how it shall be split: it is left out.",
            self._op_name,
            name,
            self._dst.path if self._dst else None,
        )

    # ----------------------------------------------------------------------------- parameters

    def names(self, ranks: Iterable[int]) -> list[str]:
        """The names in the files of some ranks of the source."""
        return list(self._sources.names(ranks))

    def full_bytes(self, name: str) -> int:
        """How many bytes the whole of a parameter has.

        Raises:
            ValueError: its part does not fit the strategy.
        """
        stage, old = self._source_of(name)
        rank, sample = self._sample(name, stage, 0)
        if isinstance(sample, str):
            return 0
        try:
            shape = old.fitted(sample.ndim).full_shape(sample.shape)
        except LayoutError as error:
            self._unfit(name, 0, rank, error)
        return math.prod(shape) * sample.itemsize

    def parameter(self, name: str, rank: int, target: Sharding | None = None) -> torch.Tensor | str:
        """The part of a parameter that a rank of the target has.

        Args:
            name: the parameter.
            rank: the rank of the target.
            target: how it is to be split. Default: None, as the target's strategy says.

        Raises:
            ValueError: a part is missing, or the parts do not fit.
        """
        stage, old = self._source_of(name)
        local = _place(self._dst, rank)[0] % self._devices
        sample_rank, sample = self._sample(name, stage, local)
        if isinstance(sample, str):
            return sample
        old = old.fitted(sample.ndim)
        new = self._target_of(name, rank, sample) if target is None else target
        try:
            shape, needed = pieces(old, new, _place(self._dst, rank)[0] % new.devices, sample.shape)
        except LayoutError as error:
            self._unfit(name, rank, sample_rank, error)
        parts = [
            (piece, self._part(name, stage, old, piece.position, local, rank)) for piece in needed
        ]
        for _, (holder, part) in parts:
            if part.shape != sample.shape or part.dtype != sample.dtype:
                self._unequal_parts(name, (sample_rank, sample), (holder, part))
        if len(parts) == 1:
            piece, (_, part) = parts[0]
            return part[piece.source]
        whole = torch.empty(shape, dtype=sample.dtype)
        for piece, (_, part) in parts:
            whole[piece.target] = part[piece.source]
        return whole

    def _source_of(self, name: str) -> tuple[int, Sharding]:
        """The first stage of the source whose files have a parameter, and how it is split there."""
        if self._src is None:
            return 0, Sharding([], [])
        layouts = self._src.layouts[name]
        for stage in sorted(layouts):
            if self._sources.first_with(name, self._stage_ranks(stage)) is not None:
                return stage, layouts[stage]
        stage = min(layouts)
        return stage, layouts[stage]

    def _stage_ranks(self, stage: int) -> list[int]:
        return [r for r in self._sources.files if r // self._devices == stage]

    def _target_of(self, name: str, rank: int, sample: torch.Tensor) -> Sharding:
        if self._dst is None:
            return Sharding.whole(sample.ndim)
        return self._dst.layouts[name][_place(self._dst, rank)[1]].fitted(sample.ndim)

    def _sample(self, name: str, stage: int, local: int) -> tuple[int, torch.Tensor | str]:
        """A part of a parameter, for its shape and type, and whose it is."""
        ranks = [stage * self._devices + local, *self._stage_ranks(stage)]
        rank = self._sources.first_with(name, ranks)
        if rank is None:
            raise ValueError(
                f"For '{self._op_name}', no checkpoint file of the source has '{name}'."
            )
        return rank, self._sources.of(rank)[name]

    def _part(
        self, name: str, stage: int, old: Sharding, position: Any, local: int, rank: int
    ) -> tuple[int, torch.Tensor]:
        """A part of the source, and the rank in whose file it is."""
        start = stage * self._devices
        first = start + old.holder(position, old.replica(local))
        if not self._has(first, name):
            copies = () if self._complete else old.holders(position, old.replica(local))
            first_found = next((r for h in copies if self._has(r := start + h, name)), None)
            if first_found is None:
                self._missing(name, first, rank)
            first = first_found
        part = self._sources.of(first)[name]
        if isinstance(part, str):
            raise ValueError(
                f"For '{self._op_name}', '{name}' is a text in '{self._sources.files[first]}' of "
                f"rank {first}, and a tensor in the files of other ranks."
            )
        return first, part

    def _has(self, rank: int, name: str) -> bool:
        return rank in self._sources and name in self._sources.of(rank)

    # ------------------------------------------------------------- values that nothing describes

    def copied(self, name: str, rank: int, ranks: list[int]) -> torch.Tensor | str:
        """A value of which no strategy speaks, such as the learning rate: as a rank has it."""
        own = _place(self._dst, rank)[0] % self._devices
        holders = [r for r in sorted(ranks) if name in self._sources.of(r)]
        chosen = next((r for r in holders if r % self._devices == own), holders[0])
        value = self._sources.of(chosen)[name]
        same_stage = [r for r in holders if r // self._devices == chosen // self._devices]
        if any(not same_bytes(self._sources.of(r)[name], value) for r in same_stage):
            self._say_unequal(name, chosen)
        return value

    def _say_unequal(self, name: str, rank: int) -> None:
        with self._lock:
            if name in self._unequal:
                return
            self._unequal.add(name)
        log.warning(
            "For '%s', no strategy file describes '%s', and its value differs between the files of "
            "the ranks: each rank of the target gets that of one rank, as in '%s' of rank %d.",
            self._op_name,
            name,
            self._sources.files[rank],
            rank,
        )

    # ---------------------------------------------------------------------------------- errors

    def _missing(self, name: str, needed: int, rank: int) -> NoReturn:
        if needed not in self._sources:
            raise ValueError(
                f"For '{self._op_name}', the checkpoint file of rank {needed} is needed for "
                f"converting rank {rank}'s checkpoint, as it has a part of '{name}', but it is "
                "missing."
            )
        raise ValueError(
            f"For '{self._op_name}', the checkpoint file '{self._sources.files[needed]}' of rank "
            f"{needed} has no '{name}', which is needed for converting rank {rank}'s checkpoint. "
            "If it was saved with remove_redundancy, use unified_safetensors with "
            "merge_with_redundancy=False."
        )

    def _unfit(self, name: str, rank: int, holder: int, error: LayoutError) -> NoReturn:
        paths = [s.path for s in (self._src, self._dst) if s is not None]
        raise ValueError(
            f"For '{self._op_name}', the parameter '{name}' in '{self._sources.files[holder]}' of "
            f"rank {holder} does not fit the strategy files {paths} for rank {rank}: {error}. "
            "Please check your strategy file."
        ) from None

    def _unequal_parts(
        self, name: str, one: tuple[int, torch.Tensor], other: tuple[int, torch.Tensor]
    ) -> NoReturn:
        (first, a), (second, b) = one, other
        files = self._sources.files
        raise ValueError(
            f"For '{self._op_name}', the parts of '{name}' differ: {a.dtype} of shape "
            f"{tuple(a.shape)} in '{files[first]}' of rank {first}, but {b.dtype} of shape "
            f"{tuple(b.shape)} in '{files[second]}' of rank {second}."
        )


def same_bytes(a: torch.Tensor | str, b: torch.Tensor | str) -> bool:
    """Whether two values are the same to the bit, nan too."""
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a == b
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    one, other = (np.frombuffer(raw_bytes(dense("", value)), np.uint8) for value in (a, b))
    return bool(np.array_equal(one, other))
