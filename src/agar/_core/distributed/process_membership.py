"""Processes that have joined, their groups by name, and calls of the engine for these.

The collectives that are made of such calls are in :mod:`agar._core.distributed.process_groups`.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import gc
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from types import FunctionType
from typing import Any

import torch

from agar._core.context import get_context
from agar._core.distributed import launchers
from agar._core.distributed.launchers import launched
from agar._core.distributed.process_failures import Failure, Work, cause, is_of_engine
from agar._core.distributed.process_lanes import Lane, Later
from agar._core.distributed.process_messages import GRADIENTS, disagreement
from agar._core.distributed.routines import Routine
from agar._core.multi_device import world
from agar._core.runtime import runtime, thread

__all__ = [
    "OF_GRADIENTS",
    "WORLD",
    "WORLDS",
    "Agreement",
    "Membership",
    "digest_of",
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
#: For so many seconds a process whose call failed asks whether it did in the others, too, and one
#: that ends by an error waits for collectives that were begun.
_PATIENCE = 5.0
#: What is added to the name of a group for its second one, see `Membership.of_gradients`.
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


def _has_failed() -> bool:
    """Whether an error has ended the program."""
    return getattr(sys, "last_type", None) is not None


@contextlib.contextmanager
def _ended_by(seconds: float) -> Iterator[None]:
    """End the process if what is done takes longer."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    with open(os.devnull, "w") as nothing:
        # a thread of C's: Python begins no new ones when it ends
        faulthandler.dump_traceback_later(seconds, exit=True, file=nothing)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def _destroy(dist: Any, group: Any = None) -> None:
    """Close a group of the engine, None being the world's with all others."""
    dist.destroy_process_group(group)
    if group is None:
        _forget_defaults(dist)


def _forget_defaults(dist: Any) -> None:
    """Let no function of the engine hold a group that was closed as the default of an argument.

    NOTE Defaults. Modules of torch.distributed that are imported after the processes have joined
    take the world's group into the signatures of their functions. It would live as long as the
    interpreter, with threads that ask for the interpreter's lock when it is gone, which ends the
    process by SIGABRT.
    """
    for name, module in list(sys.modules.items()):
        if not name.startswith("torch.distributed."):
            continue
        for value in list(vars(module).values()):
            function = vars(value).get("__init__") if type(value) is type else value
            if type(function) is not FunctionType:
                continue
            defaults = function.__defaults__ or ()
            if any(type(default) is dist.ProcessGroup for default in defaults):
                function.__defaults__ = tuple(
                    None if type(default) is dist.ProcessGroup else default for default in defaults
                )


class Membership:
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
        self._joined = 0  # how often the processes met
        self._digests: dict[Any, torch.Tensor] = {}  # of what is compared, see `_agree`
        self._messages: dict[Any, int] = {}  # how many went each way, by process and tag
        self._unmatched: list[Any] = []  # buffers of messages that nobody sends
        self._own = False  # whether the engine's process group was made here
        self._failures: dict[str, Failure] = {}  # of the groups that were closed by one
        self._timeouts: dict[str, float] = {}  # in seconds, of the groups that were given one
        self._agreeing: dict[str, Agreement] = {}  # comparisons that were begun
        self._lanes: dict[str, Lane] = {}  # threads of collectives that were only begun
        self._options: dict[str, Any] = {}  # the engine's, by reduction
        self._mishaps = 0  # calls that failed in this process
        #: How often this process called the engine, but for gradients.
        self.calls = 0
        self._routines: dict[str, Routine] = {}  # of training steps

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
            # threads of a group that run when Python ends would abort the process
            atexit.register(self._leave)
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
            own = options.get("init_method") or options.get("store")
            if not own and (launchers.restarted() or self._joined):
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
        self._joined += 1
        if seconds is not None:
            self._timeouts.update(dict.fromkeys(WORLDS, seconds))

    def _fresh_store(self, dist: Any, size: int, rank: int, timeout: timedelta | None) -> Any:
        """The launcher's store, without the addresses of processes, or groups, that were before.

        torchrun keeps one store over all starts, and over `release` and `init`, so that a process
        could look for one that ended.
        """
        more = {} if timeout is None else {"timeout": timeout}
        store, _, _ = next(dist.rendezvous("env://", rank, size, **more))
        if timeout is not None:
            store.set_timeout(timeout)
        return dist.PrefixStore(f"start_{launchers.restarted()}_{self._joined}", store)

    def _leave(self) -> None:
        """Leave the other processes when Python ends.

        After an error the collectives that were begun are not waited for longer than `_PATIENCE`:
        the others may wait for this process.
        """
        atexit.unregister(self._leave)
        with _ended_by(_PATIENCE) if _has_failed() else contextlib.nullcontext():
            if self._own:
                self.release()
            elif self._engine() is None:  # the program has closed its group itself
                self.release()
                _forget_defaults(sys.modules["torch.distributed"])
            gc.collect()  # a group that hangs in a cycle has threads, too

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
            _destroy(dist)
        created, joined = self._created, self._joined
        self.__init__()
        self._created = created  # the store may outlive the groups that met in it
        self._joined = joined
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
        result, _ = c10d._new_process_group_helper(
            len(ranks),
            ranks.index(self.world_rank),
            ranks,
            backend,
            c10d._get_default_store(),
            c10d.GroupName(name),
            timeout=timeout or c10d._get_default_timeout(backend),
        )
        c10d._world.pg_group_ranks[result] = {rank: i for i, rank in enumerate(ranks)}
        self._created[group] = again + 1
        return result

    def destroy(self, group: str) -> None:
        """Forget a group."""
        self.members(group)
        self._close_lane(group)
        self._routines.pop(group, None)
        for name in (group, group + OF_GRADIENTS):
            result = self._engine_groups.pop(name, None)
            if result is not None:
                import torch.distributed as dist

                dist.destroy_process_group(result)
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
        self._calls_other()
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
            self._routines.pop(key, None)
            dist = self._engine()
            engine_group = self._engine_groups.pop(group, None)
            second = self._engine_groups.pop(key + OF_GRADIENTS, None)
            if key != WORLD and second is not None and dist is not None:
                with contextlib.suppress(RuntimeError, ValueError):
                    dist.destroy_process_group(second)
            if self._own and dist is not None and (engine_group or key == WORLD):
                self._unmatched.clear()
                with contextlib.suppress(RuntimeError, ValueError):
                    _destroy(dist, engine_group)
        return failure.error()

    def failed(self, what: str, error: Exception, where: int = 0) -> Exception:
        """What a call raises that failed in this process, between collectives of the engine.

        Where all processes raise after as many messages (`where`), they can go on together.
        Otherwise the others wait for this one, so that the groups are closed, which they hear of
        at once.
        """
        if self._engine() is None or WORLD in self._failures:
            return error
        if is_of_engine(error):
            return self._close(WORLD, what, error)
        if not self._all_raise(where):
            self._close(WORLD, what, RuntimeError(f"{type(error).__name__}: {error}"))
        return error

    def _all_raise(self, where: int) -> bool:
        """Whether all processes come here, which is asked past the engine's collectives."""
        from torch.distributed import distributed_c10d as c10d

        store, key = c10d._get_default_store(), f"agar mishap {self._mishaps} {where}"
        self._mishaps += 1
        store.add(key, 1)
        until = time.monotonic() + _PATIENCE
        while store.add(key, 0) < world.size:
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

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
        self._calls_other(group)
        both = mine.clone() if self._on_host(group) else mine.to("cuda")
        work = self.begin_sum(group, call[0], both, "min")
        agreement = Agreement(self, group, call, both, work)
        self._agreeing[WORLD if group in WORLDS else group] = agreement
        return agreement

    def routine(self, group: str) -> Routine:
        """What the processes of a group did in their last training steps."""
        key = WORLD if group in WORLDS else group
        result = self._routines.get(key)
        if result is None:
            result = self._routines[key] = Routine(self, key)
        return result

    def _calls_other(self, group: str | None = None) -> None:
        """Before something else than gradients is sent: give up what the others may expect.

        That is the next step of the group, if there is one, and the steps that are under way. A
        collective that was only begun did so where it was begun.
        """
        if any(lane.is_here for lane in self._lanes.values()):
            return
        self.calls += 1
        if self._routines:
            key = WORLD if group in WORLDS else group
            for of, routine in list(self._routines.items()):
                if routine.is_expected and (of == key or routine.is_open):
                    routine.give_up()

    def send_gradients(self, group: str, message: torch.Tensor) -> Work:
        """Begin to add gradients over the processes of a group."""
        return self.begin_sum(self.of_gradients(group), GRADIENTS, message)

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

    def reduce_op(self, op: str) -> Any:
        """torch's constant of ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``."""
        import torch.distributed as dist

        return getattr(dist.ReduceOp, _TORCH_OPS[op])

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
            later.run(lambda: method(*(() if value is None else (value,)), *options, group))
            later.tell()
            return later
        self._calls_other(group)
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


def digest_of(call: tuple[Any, ...]) -> torch.Tensor:
    """A number of what is called, and its negative: whose minima are equal agree."""
    result = hashlib.blake2b(repr(call).encode(), digest_size=7).digest()
    number = int.from_bytes(result, "big")
    return torch.tensor([number, -number])


def _result(later: Later) -> Any:
    return later.result()


class Agreement:
    """A comparison of what the processes of a group call, which has been begun.

    Args:
        of: the processes.
        group: the group's name.
        call: what this process calls.
        both: the smallest digest, and the largest one negated, once the work is done.
        work: the exchange of them.
    """

    __slots__ = ("_both", "_call", "_error", "_group", "_groups", "_work")

    def __init__(
        self, of: Membership, group: str, call: tuple[Any, ...], both: torch.Tensor, work: Any
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
