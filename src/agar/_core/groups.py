"""Processes that work together: who they are, and what they exchange.

NOTE One process. Without a launcher there is one process, and every exchange has its result
without any communication; torch.distributed is not imported. Under ``torchrun`` (or any launcher
that sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT) `init` joins torch's process group: gloo on
the CPU, nccl on GPUs.

NOTE Gradients. The exchanges that operators use are differentiable: what an exchange does to values
its transpose does to gradients.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.context import get_context

__all__ = ["WORLD", "Groups", "groups"]

#: The group of all processes, by the name of the library that serves it in MindSpore.
WORLD = "hccl_world_group"
WORLDS = ("hccl_world_group", "nccl_world_group", "mccl_world_group")

_NOT_INITED = (
    "Distributed Communication has not been inited. You can't invoke this interface yet. Please "
    "call `init()` method first."
)


def _number(*names: str) -> int | None:
    for name in names:
        text = os.environ.get(name, "")
        if text.isdigit():
            return int(text)
    return None


class Groups:
    """The groups of processes by name.

    Attributes:
        inited: whether `init` was called.
        ranks: the world ranks of each group that was made, by its name.
    """

    def __init__(self) -> None:
        self.inited = False
        self.ranks: dict[str, list[int]] = {}
        self._engine_groups: dict[str, Any] = {}
        self._own = False  # whether the engine's process group was made here

    # ------------------------------------------------------------------------ life

    def init(self, backend: str | None = None, **options: Any) -> None:
        """Join the other processes, if a launcher started several."""
        if self.inited:
            return
        size = options.get("world_size") or _number(
            "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "RANK_SIZE"
        )
        if (size or 1) > 1:
            import torch.distributed as dist

            if not dist.is_initialized():
                self._join(dist, backend, size or 1, options)
        self.inited = True

    def _join(self, dist: Any, backend: str | None, size: int, options: dict[str, Any]) -> None:
        rank = options.get("rank")
        if rank is None:
            rank = _number("RANK", "OMPI_COMM_WORLD_RANK", "RANK_ID")
        if rank is None:
            raise RuntimeError(
                f"There are {size} processes, and none of the variables RANK, "
                "OMPI_COMM_WORLD_RANK and RANK_ID says which this one is. Start the program with "
                "'torchrun --nproc_per_node=... program.py'."
            )
        os.environ.setdefault("MASTER_ADDR", os.environ.get("MS_SCHED_HOST", "127.0.0.1"))
        os.environ.setdefault("MASTER_PORT", os.environ.get("MS_SCHED_PORT", "29500"))
        if backend is None:
            backend = "nccl" if get_context("device_target") == "GPU" else "gloo"
        more = {k: options[k] for k in ("timeout", "store", "init_method") if options.get(k)}
        dist.init_process_group(backend, world_size=size, rank=rank, **more)
        self._own = True
        # threads of the group that run when Python ends would abort the process
        atexit.register(self._leave)

    def _leave(self) -> None:
        if self._own and self._engine() is not None:
            self.release()

    def release(self) -> None:
        """Leave the other processes."""
        if self._own:
            import torch.distributed as dist

            dist.destroy_process_group()
        self.__init__()

    def require(self) -> None:
        """Raise RuntimeError unless `init` was called."""
        if not self.inited:
            raise RuntimeError(_NOT_INITED)

    # ---------------------------------------------------------------------- who is who

    @property
    def world_size(self) -> int:
        """How many processes there are."""
        dist = self._engine()
        if dist is not None:
            return dist.get_world_size()
        return 1 if self.inited else (_number("RANK_SIZE") or 1)

    @property
    def world_rank(self) -> int:
        """Which of them this is."""
        dist = self._engine()
        if dist is not None:
            return dist.get_rank()
        return 0 if self.inited else (_number("RANK_ID") or 0)

    def _engine(self) -> Any:
        if not self.inited or not torch.distributed.is_available():
            return None
        import torch.distributed as dist

        return dist if dist.is_initialized() else None

    def members(self, group: str) -> list[int]:
        """The world ranks of a group.

        Raises:
            ValueError: there is no group of that name.
        """
        if group in WORLDS:
            return list(range(self.world_size))
        if group not in self.ranks:
            raise ValueError(
                f"There is no group '{group}'; known groups: {[*WORLDS, *self.ranks]}. Make it "
                "with create_group."
            )
        return self.ranks[group]

    def size(self, group: str) -> int:
        """How many processes a group has."""
        return len(self.members(group))

    def rank(self, group: str) -> int:
        """Which of a group's processes this is; -1 if it is none of them."""
        members = self.members(group)
        return members.index(self.world_rank) if self.world_rank in members else -1

    def create(self, group: str, ranks: Sequence[int]) -> None:
        """Give a group of processes a name."""
        ranks = sorted(ranks)
        outside = [r for r in ranks if not 0 <= r < self.world_size]
        if outside:
            raise ValueError(
                f"The group '{group}' names the processes {outside}, but there are only "
                f"{self.world_size}."
            )
        dist = self._engine()
        if dist is not None:
            # only the members call create_group in MindSpore, so only they agree on it
            self._engine_groups[group] = dist.new_group(ranks, use_local_synchronization=True)
        self.ranks[group] = ranks

    def destroy(self, group: str) -> None:
        """Forget a group."""
        self.members(group)
        made = self._engine_groups.pop(group, None)
        if made is not None:
            import torch.distributed as dist

            dist.destroy_process_group(made)
        self.ranks.pop(group, None)

    # ----------------------------------------------------------------------- exchanges

    def _several(self, group: str) -> tuple[Any, Any] | None:
        """torch.distributed and its group, or None where there is one process."""
        self.require()
        if self.size(group) == 1:
            return None
        return self._engine(), self._engine_groups.get(group)

    def work(self, group: str, name: str, *args: Any, async_op: bool = False, **kw: Any) -> Any:
        """Call a function of torch.distributed that writes into its arguments.

        Returns its handle, or None; in a group of one process the caller has the result already.
        """
        found = self._several(group)
        if found is None:
            return None
        dist, engine_group = found
        if name not in ("isend", "irecv", "send", "recv"):
            kw["async_op"] = async_op
        return getattr(dist, name)(*args, group=engine_group, **kw)

    def reduce_op(self, op: str) -> Any:
        """torch's constant of ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``."""
        import torch.distributed as dist

        return getattr(dist.ReduceOp, op.upper())

    def all_reduce(self, x: torch.Tensor, op: str, group: str) -> torch.Tensor:
        """The sum (or another reduction) over the group, in each of its processes."""
        if self._several(group) is None:
            return x.clone()

        def reduce(value: torch.Tensor) -> torch.Tensor:
            out = value.contiguous().clone()
            average = op == "avg" and self._engine().get_backend() == "gloo"
            self.work(group, "all_reduce", out, self.reduce_op("sum" if average else op))
            return out / self.size(group) if average else out

        return _Exchange.apply(x, reduce, reduce)

    def all_gather(self, x: torch.Tensor, group: str) -> torch.Tensor:
        """The tensors of all processes along the first axis."""
        size = self.size(group)
        if self._several(group) is None:
            return x.clone()

        def gather(value: torch.Tensor) -> torch.Tensor:
            parts = [torch.empty_like(value) for _ in range(size)]
            self.work(group, "all_gather", parts, value.contiguous())
            return torch.cat(parts)

        return _Exchange.apply(x, gather, lambda g: self._scattered(g, "sum", group))

    def _scattered(self, x: torch.Tensor, op: str, group: str) -> torch.Tensor:
        total = x.contiguous().clone()
        average = op == "avg" and self._engine().get_backend() == "gloo"
        self.work(group, "all_reduce", total, self.reduce_op("sum" if average else op))
        part = total.chunk(self.size(group))[self.rank(group)].clone()
        return part / self.size(group) if average else part

    def reduce_scatter(self, x: torch.Tensor, op: str, group: str) -> torch.Tensor:
        """This process's part, along the first axis, of the reduction over the group."""
        if x.shape[0] % self.size(group):
            raise ValueError(
                f"the first axis has {x.shape[0]} entries, which {self.size(group)} processes "
                "cannot share equally"
            )
        if self._several(group) is None:
            return x.clone()
        size = self.size(group)

        def gather(value: torch.Tensor) -> torch.Tensor:
            parts = [torch.empty_like(value) for _ in range(size)]
            self.work(group, "all_gather", parts, value.contiguous())
            return torch.cat(parts)

        return _Exchange.apply(x, lambda v: self._scattered(v, op, group), gather)

    def broadcast(self, x: torch.Tensor, source: int, group: str) -> torch.Tensor:
        """The tensor of one process, given by its rank in the group."""
        if self._several(group) is None:
            return x.clone()

        def send(value: torch.Tensor) -> torch.Tensor:
            out = value.contiguous().clone()
            self.work(group, "broadcast", out, self.members(group)[source])
            return out

        return _Exchange.apply(x, send, lambda g: g)

    def all_to_all(
        self, x: torch.Tensor, send: Sequence[int], receive: Sequence[int], group: str
    ) -> torch.Tensor:
        """Exchange rows: `send` are the counts for each process, `receive` those from each."""
        if self._several(group) is None:
            return x.clone()

        def exchange(
            value: torch.Tensor, out_counts: Sequence[int], in_counts: Sequence[int]
        ) -> torch.Tensor:
            parts = [p.contiguous() for p in value.split(list(out_counts))]
            rest = value.shape[1:]
            got = [value.new_empty((n, *rest)) for n in in_counts]
            self._pairwise(got, parts, group)
            return torch.cat(got)

        return _Exchange.apply(
            x, lambda v: exchange(v, send, receive), lambda g: exchange(g, receive, send)
        )

    def _pairwise(
        self, got: Sequence[torch.Tensor], parts: Sequence[torch.Tensor], group: str
    ) -> None:
        """Send `parts` and receive `got`, one for each process; gloo has no all_to_all."""
        dist, engine_group = self._engine(), self._engine_groups.get(group)
        if dist.get_backend() != "gloo":
            dist.all_to_all(list(got), list(parts), group=engine_group)
            return
        me = self.rank(group)
        got[me].copy_(parts[me])
        handles = []
        for peer, world in enumerate(self.members(group)):
            if peer != me:
                if parts[peer].numel():
                    handles.append(dist.isend(parts[peer], world, group=engine_group))
                if got[peer].numel():
                    handles.append(dist.irecv(got[peer], world, group=engine_group))
        for handle in handles:
            handle.wait()


class _Exchange(torch.autograd.Function):
    """One exchange, and its transpose for the gradient."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        exchange: Callable[[torch.Tensor], torch.Tensor],
        transpose: Callable[[torch.Tensor], torch.Tensor],
    ) -> torch.Tensor:
        ctx.transpose = transpose
        return exchange(x)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        return ctx.transpose(grads[0].contiguous()), None, None


groups = Groups()
