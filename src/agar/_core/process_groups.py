"""Processes that work together: who they are, and their collectives.

NOTE One process. Without a launcher there is one process, and every collective has its result
without any communication; torch.distributed is not imported. Under ``torchrun`` (or any launcher
that sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT) `init` joins torch's process group: gloo on
the CPU, nccl on GPUs.

NOTE Gradients. The collectives that operators use are differentiable, any number of times: what a
collective does to values, its transpose does to gradients, and the transpose is a collective again.

NOTE Agreement. gloo ends a process (SIGABRT) that is sent more than it expects, and adds bytes of
other types to each other without a word. So over gloo the processes of a group first compare, in a
message of 16 bytes, which collective they call on tensors of which type and shape, and all of them
raise if they differ. It costs one small all-reduce for each collective; all gradients of a step are
one collective. A memory of what has been compared would be cheaper and is not sound: the process
that remembers goes ahead while the other one compares. ``AGAR_CHECK_COLLECTIVES=0`` leaves the
comparison out, ``=1`` makes it over nccl too, where a difference ends in nccl's timeout. It must be
the same in all processes.

NOTE GRAPH_MODE. What is sent is a node of a recording, which runs again at every replay, in the
order of the program: a process that replays and one that records make the same calls. Plans leave
the parts of a graph that communicate as they were recorded, so no process can change the order.
Recordings hold for the groups that there are: `runtime.processes` counts their changes.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import torch

from agar._core import launchers
from agar._core.context import get_context
from agar._core.launchers import launched
from agar._core.multi_device import world
from agar._core.process_failures import Failure, Work, cause
from agar._core.process_lanes import Lane, Later
from agar._core.process_messages import TYPES, Message, digest, disagreement, frame
from agar._core.runtime import runtime, thread

__all__ = [
    "WORLD",
    "Agreement",
    "Groups",
    "collective",
    "digest_of",
    "groups",
    "node",
    "stop_recording",
]

#: The group of all processes, by the name of the library that serves it in MindSpore.
WORLD = "hccl_world_group"
WORLDS = ("hccl_world_group", "nccl_world_group", "mccl_world_group")

_NOT_INITED = (
    "Distributed Communication has not been inited. You can't invoke this interface yet. Please "
    "call `init()` method first."
)
_TORCH_OPS = {"sum": "SUM", "max": "MAX", "min": "MIN", "prod": "PRODUCT", "avg": "AVG"}
#: What is added to the name of a group for its second one, see `Groups.of_gradients`.
OF_GRADIENTS = " (gradients)"


def stop_recording(what: str) -> None:
    """Give the recording of this thread up before anything is sent."""
    if thread.recorder is not None:
        thread.recorder.abort(f"{what} is a message from one process to another")


def node(
    call: Callable[..., Any],
    *args: Any,
    what: str,
    gives: str = "tensor",
    writes: tuple[int, ...] = (),
) -> Any:
    """Make a call that sends something; in a recording it is a node that every replay runs.

    `gives` and `writes` are those of :class:`agar._core.graph.ir.graph.Host`.
    """
    recorder = thread.recorder
    if recorder is None:
        return call(*args)
    try:
        return recorder.host(call, args, what, gives, writes)
    except Exception as error:
        recorder.abort(f"{what} raised {type(error).__name__}")
        raise


def _groups_changed() -> None:
    """Let no recording be replayed that was made for other groups of processes."""
    runtime.processes += 1
    runtime.epoch += 1


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
        self._created: dict[str, int] = {}  # how often a group of a name was made
        self._digests: dict[Any, torch.Tensor] = {}  # of what is compared, see `_agree`
        self._messages: dict[Any, int] = {}  # how many went each way, by process and tag
        self._unmatched: list[Any] = []  # buffers of messages that nobody sends
        self._own = False  # whether the engine's process group was made here
        self._failures: dict[str, Failure] = {}  # of the groups that were closed by one
        self._timeouts: dict[str, float] = {}  # in seconds, of the groups that were given one
        self._agreeing: dict[str, Agreement] = {}  # comparisons that were begun
        self._lanes: dict[str, Lane] = {}  # threads of collectives that were only begun
        self._options: dict[str, Any] = {}  # the engine's, by reduction

    # ------------------------------------------------------------------------ life

    def init(self, backend: str | None = None, **options: Any) -> None:
        """Join the other processes, if a launcher started several."""
        c10d = sys.modules.get("torch.distributed.distributed_c10d")
        joined = c10d is not None and c10d.is_initialized()
        if joined and options.get("timeout") is not None:
            raise RuntimeError(
                "The processes have joined already, and 'timeout' is that of joining and of every "
                "collective. Give it to the first call of init()."
            )
        if self.inited:
            return
        size = options.get("world_size") or launched()
        if size > 1 or joined:
            import torch.distributed as dist

            if joined:
                world.check_join(dist.get_world_size(), dist.get_rank())
            else:
                self._join(dist, backend, size, options)
            world.join(dist.get_world_size(), dist.get_rank())
            _groups_changed()
        self.inited = True

    def _join(self, dist: Any, backend: str | None, size: int, options: dict[str, Any]) -> None:
        rank = options.get("rank")
        if rank is None:
            rank = launchers.rank(size)
        world.check_join(size, rank)
        if not options.get("init_method") and not options.get("store"):
            launchers.set_meeting_place(size)
        if backend is None:
            backend = "nccl" if get_context("device_target") == "GPU" else "gloo"
        more = {k: options[k] for k in ("timeout", "store", "init_method") if options.get(k)}
        timeout: timedelta | None = options.get("timeout")
        seconds = None if timeout is None else timeout.total_seconds()
        try:
            if not (options.get("init_method") or options.get("store")) and launchers.restarted():
                more["store"] = self._fresh_store(dist, size, rank, timeout)
            dist.init_process_group(backend, world_size=size, rank=rank, **more)
        except (RuntimeError, ValueError) as error:
            place = f"{os.environ.get('MASTER_ADDR')}:{os.environ.get('MASTER_PORT')}"
            raise RuntimeError(
                f"The process {rank} of {size} did not meet the others at {place}: "
                f"{cause(error, seconds)}. All processes have to be started, with the same "
                "MASTER_ADDR, MASTER_PORT and number of processes, and to call init()."
            ) from error
        self._own = True
        if seconds is not None:
            self._timeouts.update(dict.fromkeys(WORLDS, seconds))
        # threads of the group that run when Python ends would abort the process
        atexit.register(self._leave)

    @staticmethod
    def _fresh_store(dist: Any, size: int, rank: int, timeout: timedelta | None) -> Any:
        """The launcher's store, without the addresses of the processes that it started before.

        torchrun keeps one store over all starts, so that a process could look for one that ended.
        """
        more = {} if timeout is None else {"timeout": timeout}
        store, _, _ = next(dist.rendezvous("env://", rank, size, **more))
        if timeout is not None:
            store.set_timeout(timeout)
        return dist.PrefixStore(f"start_{launchers.restarted()}", store)

    def _leave(self) -> None:
        if self._own and self._engine() is not None:
            self.release()

    def release(self) -> None:
        """Leave the other processes."""
        errors: list[Exception] = []
        for group in list(self._lanes):
            try:
                self._close_lane(group)
            except Exception as error:  # of a collective whose handle nobody waited for
                errors.append(error)
        dist = self._engine()
        if self._own and dist is not None:
            dist.destroy_process_group()
        created = self._created
        self.__init__()
        self._created = created  # the store may outlive the groups that met in it
        world.join(1, 0)
        _groups_changed()
        if errors:
            raise errors[0]

    def _close_lane(self, group: str) -> None:
        lane = self._lanes.pop(group, None)
        if lane is not None:
            lane.close()
            lane.drain()

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
        if self._failures:
            return world.size
        return 1 if self.inited else (launchers.number("RANK_SIZE") or 1)

    @property
    def world_rank(self) -> int:
        """Which of them this is."""
        dist = self._engine()
        if dist is not None:
            return dist.get_rank()
        if self._failures:
            return world.rank
        return 0 if self.inited else (launchers.number("RANK_ID") or 0)

    @property
    def expected_size(self) -> int:
        """How many processes there are, or will be once `init` is called."""
        if self.inited:
            return self.world_size
        c10d = sys.modules.get("torch.distributed.distributed_c10d")
        if c10d is not None and c10d.is_initialized():
            return c10d.get_world_size()
        return launched()

    def _engine(self) -> Any:
        # no import: who did not join has not imported it, and this is asked several times a step
        dist = sys.modules.get("torch.distributed.distributed_c10d") if self.inited else None
        if dist is None or not dist.is_initialized():
            return None
        return sys.modules["torch.distributed"]

    def members(self, group: str) -> list[int]:
        """The world ranks of a group.

        Raises:
            ValueError: there is no group of that name.
        """
        group = group.removesuffix(OF_GRADIENTS)
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

    def create(self, group: str, ranks: Sequence[int], timeout: timedelta | None = None) -> None:
        """Give a group of processes a name.

        The members alone meet, whatever other groups each of them made before; processes that are
        no members may call this or not.
        """
        ranks = sorted(ranks)
        outside = [r for r in ranks if not 0 <= r < self.world_size]
        if outside:
            raise ValueError(
                f"The group '{group}' names the processes {outside}, but there are only "
                f"{self.world_size}."
            )
        if self._engine() is not None and len(ranks) > 1 and self.world_rank in ranks:
            self._engine_groups[group] = self._meet(group, ranks, timeout)
            self._failures.pop(group, None)
            if timeout is not None:
                self._timeouts[group] = timeout.total_seconds()
        self.ranks[group] = ranks
        _groups_changed()

    def of_gradients(self, group: str) -> str:
        """A second group of the same processes, for gradients alone.

        Gradients are sent while the backward pass runs, between other collectives, and in each
        process when they are there: in a group of their own nothing can come in their place.
        """
        name = (WORLD if group in WORLDS else group) + OF_GRADIENTS
        if name not in self._engine_groups:
            self._engine_groups[name] = self._meet(name, self.members(group), None)
        return name

    def _meet(self, group: str, ranks: list[int], timeout: timedelta | None) -> Any:
        """The engine's group of these processes.

        torch's `new_group` wants all processes of the world, in the same order; with
        `use_local_synchronization` it names the meeting place by the number of groups that a
        process has, so that members with unequal numbers wait for each other for ever. Here the
        meeting place has the name of the group, and how often a group of that name was made.
        """
        from torch.distributed import distributed_c10d as c10d

        again = self._created.get(group, 0)
        text = f"{group} {ranks} {again}"
        name = f"agar_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        backend: Any = c10d.Backend(c10d.get_backend())
        made, _ = c10d._new_process_group_helper(
            len(ranks),
            ranks.index(self.world_rank),
            ranks,
            backend,
            c10d._get_default_store(),
            c10d.GroupName(name),
            timeout=timeout or c10d._get_default_timeout(backend),
        )
        c10d._world.pg_group_ranks[made] = {rank: i for i, rank in enumerate(ranks)}
        self._created[group] = again + 1
        return made

    def destroy(self, group: str) -> None:
        """Forget a group."""
        self.members(group)
        self._close_lane(group)
        for name in (group, group + OF_GRADIENTS):
            made = self._engine_groups.pop(name, None)
            if made is not None:
                import torch.distributed as dist

                dist.destroy_process_group(made)
        self.ranks.pop(group, None)
        _groups_changed()

    # --------------------------------------------------------------------- collectives

    def _several(self, group: str, what: str) -> tuple[Any, Any] | None:
        """torch.distributed and its group, or None where there is one process.

        Raises:
            ValueError: this process is not in the group.
        """
        self.require()
        members = self.members(group)
        if self.world_rank not in members:
            raise ValueError(
                f"'{what}' was called for the group '{group}' of the processes {members} by the "
                f"process {self.world_rank}, which is not in it. Call it in the members only."
            )
        if len(members) == 1:
            return None
        failure = self._failures.get(WORLD) or self._failures.get(group)
        if failure is not None:
            raise failure.later(what)
        return self._engine(), self._engine_groups.get(group)

    def _call(self, group: str, what: str, name: str, *args: Any, **options: Any) -> Any:
        """One call of the engine, which tells where it failed; work that was begun as a `Work`."""
        dist = self._engine()
        if dist is None:
            raise self._failures[WORLD].later(what)
        if self._lanes:
            self._drain(group)
        if self._agreeing:
            self.settle(group)
        try:
            work = getattr(dist, name)(*args, group=self._engine_groups.get(group), **options)
        except RuntimeError as error:
            raise self._close(group, what, error) from error
        return None if work is None else Work(self, work, group, what)

    def _close(self, group: str, what: str, error: BaseException) -> RuntimeError:
        """Close a group in which a collective failed, so that the others hear of it at once."""
        seconds = self._timeouts.get(group, self._timeouts.get(WORLD))
        group = group.removesuffix(OF_GRADIENTS)
        key = WORLD if group in WORLDS else group
        members, rank = self.members(group), self.world_rank
        failure = Failure(what, rank, group, members, cause(error, seconds))
        if key not in self._failures and WORLD not in self._failures:
            self._failures[key] = failure
            dist = self._engine()
            engine_group = self._engine_groups.pop(group, None)
            second = self._engine_groups.pop(key + OF_GRADIENTS, None)
            if key != WORLD and second is not None and dist is not None:
                with contextlib.suppress(RuntimeError, ValueError):
                    dist.destroy_process_group(second)
            if self._own and dist is not None and (engine_group or key == WORLD):
                self._unmatched.clear()
                with contextlib.suppress(RuntimeError, ValueError):
                    dist.destroy_process_group(engine_group)
        return failure.error()

    def _compares(self, dist: Any, engine_group: Any) -> bool:
        """Whether processes compare what they call."""
        wish = os.environ.get("AGAR_CHECK_COLLECTIVES", "")
        return wish == "1" or (wish != "0" and dist.get_backend(engine_group) == "gloo")

    def compares(self, group: str) -> bool:
        """Whether the processes of a group compare what they call."""
        return self._compares(self._engine(), self._engine_groups.get(group))

    def agree(self, group: str, what: str) -> None:
        """Raise in every process of a group unless all of them are here.

        Raises:
            ValueError: some call another collective.
        """
        if self._several(group, what) is not None:
            node(self._agree, group, what, what=what, gives="nothing")

    def numbers(self, value: int, group: str, what: str) -> list[int]:
        """The numbers of all processes of a group."""
        if self._several(group, what) is None:
            return [value]
        stop_recording(what)
        gloo = self._engine().get_backend(self._engine_groups.get(group)) == "gloo"
        mine = torch.tensor([value], device="cpu" if gloo else "cuda")
        return self._gathered(mine, group, what).tolist()

    def _agree(self, group: str, what: str, *metadata: Any) -> None:
        """Raise in every process of a group unless all call the same with the same metadata.

        Raises:
            ValueError: they do not.
        """
        agreement = self.begin_to_agree(group, what, *metadata)
        if agreement is not None:
            agreement.settle()

    def begin_to_agree(self, group: str, what: str, *metadata: Any) -> Agreement | None:
        """Begin a comparison, which ends with `settle` or before the next collective of the group.

        None where processes do not compare.
        """
        dist, engine_group = self._engine(), self._engine_groups.get(group)
        if dist is not None and not self._compares(dist, engine_group):
            return None
        call = (what, *metadata)
        mine = self._digests.get(call)
        if mine is None:
            mine = digest_of(call)
            if len(self._digests) < 4096:
                self._digests[call] = mine
        return self.begin_comparison(group, call, mine)

    def begin_comparison(self, group: str, call: tuple[Any, ...], mine: torch.Tensor) -> Agreement:
        """Begin to compare what is called; `mine` is the digest of this process's call."""
        both = mine.clone() if self._on_host(group) else mine.to("cuda")
        work = self.begin_sum(group, call[0], both, "min")
        agreement = Agreement(self, group, call, both, work)
        self._agreeing[WORLD if group in WORLDS else group] = agreement
        return agreement

    def _on_host(self, group: str) -> bool:
        """Whether a group exchanges tensors of the CPU."""
        dist = self._engine()
        return dist is None or dist.get_backend(self._engine_groups.get(group)) == "gloo"

    def begin_sum(self, group: str, what: str, value: torch.Tensor, op: str = "sum") -> Work:
        """Begin to put the reduction of a contiguous tensor over the group into it.

        As `_call`, without what torch's function checks at each call.
        """
        dist = self._engine()
        if dist is None:
            raise self._failures[WORLD].later(what)
        if self._lanes:
            self._drain(group)
        if self._agreeing:
            self.settle(group)
        options = self._options.get(op)
        if options is None:
            options = self._options[op] = dist.AllreduceOptions()
            options.reduceOp = self.reduce_op(op)
        engine_group = self._engine_groups.get(group) or dist.group.WORLD
        try:
            work = engine_group.allreduce([value], options)
        except RuntimeError as error:
            raise self._close(group, what, error) from error
        return Work(self, work, group, what)

    def settle(self, group: str) -> None:
        """End the comparison of a group that was begun."""
        agreement = self._agreeing.pop(WORLD if group in WORLDS else group, None)
        if agreement is not None:
            agreement.settle()

    def begin(
        self, call: str, value: torch.Tensor | None, options: tuple[Any, ...], group: str
    ) -> Later:
        """Begin a collective, a method of this object; its result comes later."""
        return node(self._begin_now, call, value, options, group, what=call, gives="object")

    def _begin_now(
        self, call: str, value: torch.Tensor | None, options: tuple[Any, ...], group: str
    ) -> Later:
        key = WORLD if group in WORLDS else group
        method = getattr(self, call)
        if self._several(group, call) is None:
            later = Later()
            later.finish(lambda: method(*(() if value is None else (value,)), *options, group))
            return later
        self.settle(group)
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = Lane(f"collectives of {key}")
        if value is None:
            return lane.begin(lambda: method(*options, group))
        taken = value.detach().clone()  # the caller's memory may be used for something else
        return lane.begin(lambda: method(taken, *options, group), value.device)

    def end(self, later: Later, what: str, gives: str = "tensor") -> Any:
        """Wait for the result of a collective that was begun."""
        return node(_result, later, what=f"wait for {what}", gives=gives)

    def _drain(self, group: str) -> None:
        lane = self._lanes.get(WORLD if group in WORLDS else group)
        if lane is not None:
            lane.drain()

    def barrier(self, group: str) -> None:
        """Wait until all processes of a group are here."""
        if self._several(group, "barrier") is not None:
            node(self._meet_at_barrier, group, what="barrier", gives="nothing")

    def _meet_at_barrier(self, group: str) -> None:
        self._agree(group, "barrier")
        self._call(group, "barrier", "barrier")

    def reduce_op(self, op: str) -> Any:
        """torch's constant of ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``."""
        import torch.distributed as dist

        return getattr(dist.ReduceOp, _TORCH_OPS[op])

    def _reduced(self, value: torch.Tensor, op: str, group: str, what: str) -> torch.Tensor:
        """The reduction over several processes, a tensor of its own."""
        return node(self._reduce_now, value, op, group, what, what=what)

    def _reduce_now(self, value: torch.Tensor, op: str, group: str, what: str) -> torch.Tensor:
        self._agree(group, what, op, value.dtype, tuple(value.shape))
        dist, engine_group = self._engine(), self._engine_groups.get(group)
        out = value.detach().contiguous().clone()
        average = op == "avg" and dist.get_backend(engine_group) == "gloo"
        self._call(group, what, "all_reduce", out, self.reduce_op("sum" if average else op))
        return out / self.size(group) if average else out

    def _gathered(self, value: torch.Tensor, group: str, what: str) -> torch.Tensor:
        """The tensors of several processes along the first axis."""
        return node(self._gather_now, value, group, what, what=what)

    def _gather_now(self, value: torch.Tensor, group: str, what: str) -> torch.Tensor:
        self._agree(group, what, value.dtype, tuple(value.shape))
        value = value.detach().contiguous()
        parts = [torch.empty_like(value) for _ in range(self.size(group))]
        self._call(group, what, "all_gather", parts, value)
        return torch.cat(parts)

    def _sent(self, value: torch.Tensor, source: int, group: str, what: str) -> torch.Tensor:
        """The tensor of one of several processes."""
        return node(self._send_now, value, source, group, what, what=what)

    def _send_now(self, value: torch.Tensor, source: int, group: str, what: str) -> torch.Tensor:
        self._agree(group, what, source, value.dtype, tuple(value.shape))
        out = value.detach().contiguous().clone()
        self._call(group, what, "broadcast", out, self.members(group)[source])
        return out

    def _other_factors(self, value: torch.Tensor, group: str) -> torch.Tensor:
        """The product of the other processes' tensors."""
        size = self.size(group)
        parts = self._gathered(value[None], group, "gradient of a product").unbind(0)
        rank = self.rank(group)
        return torch.stack([parts[i] for i in range(size) if i != rank]).prod(0)

    def all_reduce(self, x: torch.Tensor, op: str, group: str) -> torch.Tensor:
        """The sum (or another reduction) over the group, in each of its processes."""
        if self._several(group, "all_reduce") is None:
            return x.clone()
        held: list[torch.Tensor] = []

        def reduce(value: torch.Tensor) -> torch.Tensor:
            out = self._reduced(value, op, group, "all_reduce")
            if op in ("max", "min"):
                held.append(value.detach() == out)
            elif op == "prod":
                held.append(value.detach())
            return out

        def transpose(grad: torch.Tensor) -> torch.Tensor:
            total = self.all_reduce(grad, "avg" if op == "avg" else "sum", group)
            return total * self._slope(op, held, group) if held else total

        return _Collective.apply(x, reduce, transpose)

    def _slope(self, op: str, held: list[torch.Tensor], group: str) -> torch.Tensor:
        """By how much the result of a reduction follows this process's tensor."""
        if op == "prod" and torch.is_grad_enabled():
            raise NotImplementedError(
                "The reduction 'prod' over processes has a first gradient and no second one. Sum "
                "logarithms with the reduction 'sum', or multiply what ops.AllGather gives."
            )
        return self._other_factors(held[0], group) if op == "prod" else held[0]

    def reduce(self, x: torch.Tensor, op: str, target: int, group: str) -> torch.Tensor:
        """The reduction in one process, by its rank in the group; one zero in the others."""
        if self._several(group, "reduce") is None:
            return x.clone()
        held: list[torch.Tensor] = []
        mine = self.rank(group) == target

        def reduce(value: torch.Tensor) -> torch.Tensor:
            out = self._reduced(value, op, group, f"reduce to {target}")
            if op in ("max", "min"):
                held.append(value.detach() == out)
            elif op == "prod":
                held.append(value.detach())
            return out if mine else out.new_zeros(1)

        def transpose(grad: torch.Tensor) -> torch.Tensor:
            grad = self.broadcast(grad if mine else grad.new_zeros(x.shape), target, group)
            if op == "avg":
                return grad / self.size(group)
            return grad * self._slope(op, held, group) if held else grad

        return _Collective.apply(x, reduce, transpose)

    def all_gather(self, x: torch.Tensor, group: str) -> torch.Tensor:
        """The tensors of all processes along the first axis."""
        if self._several(group, "all_gather") is None:
            return x.clone()
        return _Collective.apply(
            x,
            lambda value: self._gathered(value, group, "all_gather"),
            lambda grad: self.reduce_scatter(grad, "sum", group),
        )

    def gather(self, x: torch.Tensor, target: int, group: str) -> torch.Tensor:
        """The tensors of all processes in one, by its rank in the group; one zero in the others."""
        if self._several(group, "gather") is None:
            return x.clone()
        mine = self.rank(group) == target

        def gather(value: torch.Tensor) -> torch.Tensor:
            whole = self._gathered(value, group, f"gather to {target}")
            return whole if mine else value.new_zeros(1)

        def transpose(grad: torch.Tensor) -> torch.Tensor:
            shape = (x.shape[0] * self.size(group), *x.shape[1:])
            whole = self.broadcast(grad if mine else grad.new_zeros(shape), target, group)
            return whole.chunk(self.size(group))[self.rank(group)]

        return _Collective.apply(x, gather, transpose)

    def scatter(self, x: torch.Tensor, source: int, group: str) -> torch.Tensor:
        """This process's part, along the first axis, of the tensor of one process."""
        size = self.size(group)
        self._divides("scatter", x, size)
        if self._several(group, "scatter") is None:
            return x.clone()

        def scatter(value: torch.Tensor) -> torch.Tensor:
            whole = self._sent(value, source, group, f"scatter from {source}")
            return whole.chunk(size)[self.rank(group)].clone()

        def transpose(grad: torch.Tensor) -> torch.Tensor:
            whole = self.all_gather(grad, group)
            return whole if self.rank(group) == source else torch.zeros_like(whole)

        return _Collective.apply(x, scatter, transpose)

    def _divides(self, what: str, x: torch.Tensor, size: int) -> None:
        if not x.dim() or x.shape[0] % size:
            raise ValueError(
                f"For '{what}', the first axis of a tensor of shape {tuple(x.shape)} cannot be "
                f"shared equally by {size} processes."
            )

    def reduce_scatter(self, x: torch.Tensor, op: str, group: str) -> torch.Tensor:
        """This process's part, along the first axis, of the reduction over the group."""
        size = self.size(group)
        self._divides("reduce_scatter", x, size)
        if self._several(group, "reduce_scatter") is None:
            return x.clone()

        def scatter(value: torch.Tensor) -> torch.Tensor:
            total = self._reduced(value, op, group, "reduce_scatter")
            return total.chunk(size)[self.rank(group)].clone()

        def transpose(grad: torch.Tensor) -> torch.Tensor:
            if op not in ("sum", "avg"):
                raise RuntimeError(
                    f"'reduce_scatter' has a gradient for the operations 'sum' and 'avg', not for "
                    f"'{op}'. Take the part of ops.AllReduce('{op}') in its place."
                )
            whole = self.all_gather(grad, group)
            return whole / size if op == "avg" else whole

        return _Collective.apply(x, scatter, transpose)

    def broadcast(self, x: torch.Tensor, source: int, group: str) -> torch.Tensor:
        """The tensor of one process, given by its rank in the group.

        As in MindSpore, each process has the gradient of its own result.
        """
        if self._several(group, "broadcast") is None:
            return x.clone()
        return _Collective.apply(
            x, lambda value: self._sent(value, source, group, "broadcast"), lambda grad: grad
        )

    def all_to_all(
        self, x: torch.Tensor, send: Sequence[int], receive: Sequence[int], group: str
    ) -> torch.Tensor:
        """Exchange rows: `send` are the counts for each process, `receive` those from each."""
        if self._several(group, "all_to_all") is None:
            return x.clone()

        counts = list(send), list(receive)
        return _Collective.apply(
            x,
            lambda value: node(self._exchange_now, value, *counts, group, what="all_to_all"),
            lambda grad: self.all_to_all(grad, receive, send, group),
        )

    def _exchange_now(
        self, value: torch.Tensor, send: list[int], receive: list[int], group: str
    ) -> torch.Tensor:
        value = value.detach()
        self._agree_on_counts(value, send, receive, group)
        parts = [p.contiguous() for p in value.split(send)]
        got = [value.new_empty((n, *value.shape[1:])) for n in receive]
        self._pairwise(got, parts, group)
        return torch.cat(got)

    def _agree_on_counts(
        self, value: torch.Tensor, send: Sequence[int], receive: Sequence[int], group: str
    ) -> None:
        """Raise in every process unless each expects what the others send."""
        self._agree(group, "all_to_all", value.dtype, tuple(value.shape[1:]))
        dist, engine_group = self._engine(), self._engine_groups.get(group)
        size = self.size(group)
        # of lengths that differ, the messages of the comparison itself would differ
        wrong = len(send) != size or len(receive) != size or sum(send) != value.shape[0]
        if self._compares(dist, engine_group):
            device = "cpu" if dist.get_backend(engine_group) == "gloo" else "cuda"
            counts = [-1] * (2 * size) if wrong else [*send, *receive]
            rows = [torch.empty(2 * size, dtype=torch.int64, device=device) for _ in range(size)]
            counted = torch.tensor(counts, device=device)
            self._call(group, "all_to_all", "all_gather", rows, counted)
            table = [row.tolist() for row in rows]
            wrong = any(
                table[i][j] != table[j][size + i] or table[i][j] < 0
                for i in range(size)
                for j in range(size)
            )
            if wrong:
                text = "; ".join(
                    f"process {rank} sends {row[:size]} and expects {row[size:]}"
                    for rank, row in zip(self.members(group), table, strict=True)
                )
                raise ValueError(
                    f"For 'all_to_all' in the group '{group}', the counts do not fit: {text}. "
                    "What a process sends to another must be what that one expects of it; -1 "
                    "stands for counts that do not fit the tensor or the group."
                )
        elif wrong:
            raise ValueError(
                f"For 'all_to_all', the counts {list(send)} and {list(receive)} do not fit "
                f"{size} processes and a tensor of shape {tuple(value.shape)}."
            )

    def _pairwise(
        self, got: Sequence[torch.Tensor], parts: Sequence[torch.Tensor], group: str
    ) -> None:
        """Send `parts` and receive `got`, one for each process; gloo has no all_to_all."""
        dist, engine_group = self._engine(), self._engine_groups.get(group)
        if dist.get_backend(engine_group) != "gloo":
            self._call(group, "all_to_all", "all_to_all", list(got), list(parts))
            return
        me = self.rank(group)
        got[me].copy_(parts[me])
        handles = []
        for peer, there in enumerate(self.members(group)):
            if peer != me:
                if parts[peer].numel():
                    handles.append(self._call(group, "all_to_all", "isend", parts[peer], there))
                if got[peer].numel():
                    handles.append(self._call(group, "all_to_all", "irecv", got[peer], there))
        for handle in handles:
            handle.wait()

    def same(self, values: Sequence[torch.Tensor], group: str) -> list[bool]:
        """Which of some tensors are equal, bit for bit, in all processes of a group."""
        if self._several(group, "comparison of parameters") is None:
            return [True] * len(values)
        stop_recording("comparison of parameters")
        numbers = [digest(v) for v in values]
        dist, engine_group = self._engine(), self._engine_groups.get(group)
        device = "cpu" if dist.get_backend(engine_group) == "gloo" else "cuda"
        mine = torch.tensor([[n, -n] for n in numbers], device=device).reshape(-1, 2)
        self._agree(group, "comparison of parameters", len(numbers))
        self._call(group, "comparison of parameters", "all_reduce", mine, dist.ReduceOp.MIN)
        return [least == -most for least, most in mine.tolist()]

    # ------------------------------------------------------------------------- messages

    def send(self, value: torch.Tensor, peer: int, group: str, tag: int = 0) -> Message | None:
        """Begin to send a tensor to a process, by its world rank."""
        found = self._several(group, "send")
        if found is None:
            return None
        stop_recording("send")
        dist, engine_group = found
        value = value.detach().contiguous()
        if not self._compares(dist, engine_group) or dist.get_backend(engine_group) != "gloo":
            return Message([self._call(group, "send", "isend", value, peer, tag=tag)])
        header, _, ahead, behind = frame(value, tag, self._turn("to", peer, group, tag))
        works = [
            self._call(group, "send", "isend", header, peer, tag=ahead),
            self._call(group, "send", "isend", value, peer, tag=behind),
        ]
        return Message(works, (header, value))

    def _turn(self, way: str, peer: int, group: str, tag: int) -> int:
        """The number of a message; those of one way and tag come in their order."""
        key = (way, peer, group, tag)
        self._messages[key] = turn = self._messages.get(key, -1) + 1
        return turn

    def receive(self, target: torch.Tensor, peer: int, group: str, tag: int = 0) -> Message | None:
        """Begin to receive a tensor of this type and shape from a process, by its world rank.

        A header goes ahead of the tensor, whose tag is made of its type and shape: what does not
        fit is never written over the end of `target`, and waiting for it raises.
        """
        found = self._several(group, "receive")
        if found is None:
            return None
        stop_recording("receive")
        dist, engine_group = found
        # the engine writes into contiguous memory
        place = target if target.is_contiguous() else torch.empty_like(target).contiguous()
        after = None if place is target else lambda: target.copy_(place)
        if not self._compares(dist, engine_group) or dist.get_backend(engine_group) != "gloo":
            work = self._call(group, "receive", "irecv", place, peer, tag=tag)
            return Message([work], place, after)
        turn = self._turn("from", peer, group, tag)
        expected, names, ahead, behind = frame(place, tag, turn)
        header = torch.empty_like(expected)
        first = self._call(group, "receive", "irecv", header, peer, tag=ahead)
        then = self._call(group, "receive", "irecv", place, peer, tag=behind)

        def check() -> None:
            if torch.equal(header, expected):
                return
            self._unmatched.append((place, then))  # the engine holds on to this memory
            numbers = header.tolist()
            rest = torch.empty(max(numbers[2], 0), dtype=torch.uint8)
            # the sender's message is taken in, so that the sender does not wait for ever
            self._call(group, "receive", "irecv", rest, peer, tag=numbers[1]).wait()
            shape = tuple(numbers[5 : 5 + min(numbers[4], 8)])
            sent = TYPES[numbers[3]] if numbers[3] < len(TYPES) else "another type"
            raise ValueError(
                f"For 'receive' from the process {peer}, {names} was expected, but {sent} "
                f"{shape} came. Give both sides tensors of one type and shape."
            )

        return Message([first, check, then], (header, place), after)


def digest_of(call: tuple[Any, ...]) -> torch.Tensor:
    """A number of what is called, and its negative: whose minima are equal agree."""
    found = hashlib.blake2b(repr(call).encode(), digest_size=7).digest()
    number = int.from_bytes(found, "big")
    return torch.tensor([number, -number])


def _result(later: Later) -> Any:
    return later.result()


class Agreement:
    """A comparison of what the processes of a group call, which has been begun.

    Args:
        of: the groups.
        group: the group's name.
        call: what this process calls.
        both: the smallest digest, and the largest one negated, once the work is done.
        work: the exchange of them.
    """

    __slots__ = ("_both", "_call", "_error", "_group", "_groups", "_work")

    def __init__(
        self, of: Groups, group: str, call: tuple[Any, ...], both: torch.Tensor, work: Any
    ) -> None:
        self._groups, self._group, self._call = of, group, call
        self._both, self._work = both, work
        self._error: BaseException | None = None

    def settle(self) -> None:
        """End the comparison.

        Raises:
            ValueError: the processes call different collectives.
        """
        work, self._work = self._work, None
        if work is None:
            if self._error is not None:
                raise self._error
            return
        groups, group = self._groups, self._group
        groups._agreeing.pop(WORLD if group in WORLDS else group, None)
        try:
            work.wait()
            least, most = self._both.tolist()
            if least == -most:
                return
            calls: list[Any] = [None] * groups.size(group)
            told = [str(part) for part in self._call]
            groups._call(group, self._call[0], "all_gather_object", calls, told)
            raise ValueError(disagreement(group, groups.members(group), calls))
        except Exception as error:
            self._error = error
            raise


def collective(
    x: torch.Tensor,
    run: Callable[[torch.Tensor], torch.Tensor],
    transpose: Callable[[torch.Tensor], torch.Tensor],
) -> torch.Tensor:
    """What `run` makes of a tensor, with `transpose` for its gradient."""
    return _Collective.apply(x, run, transpose)


class _Collective(torch.autograd.Function):
    """A collective, and its transpose for the gradient."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        run: Callable[[torch.Tensor], torch.Tensor],
        transpose: Callable[[torch.Tensor], torch.Tensor],
    ) -> torch.Tensor:
        ctx.transpose = transpose
        return run(x)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        return ctx.transpose(grads[0].contiguous()), None, None


groups = Groups()
"""Which processes work together, and their collectives."""
