"""Gradients summed over processes, in few messages, which go while the backward pass still runs.

NOTE Buckets. Gradients are joined into buckets in the order in which the backward pass gives them:
that of the process 0 in the first step, which all take over. The first bucket is small, so that
sending begins early; the others are as large as those of torch's DistributedDataParallel. A bucket
is sent when its last gradient is there and all buckets before it are sent, so that every process
sends the same in the same order. What a process did not use is sent as zeros after its backward
pass: nobody waits for a gradient that does not come.

NOTE Two groups. At the beginning of a step the processes compare, in the group itself, that all of
them take a step, with as many rows and equal parameters; the answer is awaited before the first
bucket is sent, so it costs no time. The buckets go through a second group of the same processes
(`Groups.of_gradients`), where other collectives of the step (SyncBatchNorm, say) cannot come in
between, whatever the order in which gradients become ready.

NOTE Small steps. Gradients that fit one bucket are sent when the backward pass has ended, and the
comparison of 16 bytes would be a tenth of a small network's step. So where steps repeat, the
bucket itself compares, see `routines`.

NOTE Failures. A process whose step fails after it has agreed still sends what the others wait for,
and tells them behind the gradients of the last bucket; then all raise, and can go on.

NOTE GRAPH_MODE. Beginning, each bucket and the end are nodes of a recording. The first step, which
finds the order, is not recorded.
"""

from __future__ import annotations

import contextlib
import operator
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from agar._core.distributed.parameter_parts import Parts
from agar._core.distributed.process_groups import Agreement, digest_of, groups, node
from agar._core.distributed.process_messages import GRADIENTS, ROWS
from agar._core.distributed.routines import Routine
from agar._core.runtime import thread

__all__ = ["GradientBuckets", "Step", "once"]

#: The bytes of the first bucket and of the others, those of torch's DistributedDataParallel.
_FIRST, _OTHERS = 1 << 20, 25 << 20
#: Elements behind the gradients: whether a step failed, whether a process calls other things.
_TOLD = 2

_C: Any = torch._C  # its stubs do not list all that is used here
_storage_uses = _C._storage_Use_Count
_tensor_uses: Any = torch.Tensor._use_count  # type: ignore[attr-defined]
_needs_gradient = operator.attrgetter("requires_grad")


def _wire_type(dtype: torch.dtype) -> torch.dtype:
    """The type in which gradients are added."""
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


def once(call: Callable[..., Any], *args: Any, why: str) -> None:
    """Make a call that belongs to the first step only, which is then not recorded."""
    recorder = thread.recorder
    if recorder is None:
        call(*args)
        return
    recorder.abort(why)
    recorder.inconclusive = True
    recorder.unseen(call, args)


class _Bucket:
    """Gradients that are sent as one message.

    Args:
        members: the places of the gradients.
        like: tensors of their shapes, types and device.
        extra: elements that are sent behind them.
        keeps: whether its memory is kept for the next step. Default: True.
    """

    def __init__(
        self, members: list[int], like: Sequence[torch.Tensor], extra: int, keeps: bool = True
    ) -> None:
        self.members = members
        self.like = [torch.empty_like(like[i], device="meta") for i in members]
        self.narrow = [like[i].dtype for i in members]
        self.wire = _wire_type(like[members[0]].dtype)
        self.casts = any(dtype != self.wire for dtype in self.narrow)
        self._device = like[members[0]].device
        self._size = sum(like[i].numel() for i in members) + extra
        self._extra = extra
        self._keeps = keeps
        self._flat: torch.Tensor | None = None
        self._views: list[torch.Tensor] = []
        self._told: Any = None
        self._uses: Any = None

    def memory(self) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """A flat tensor, and the views of the gradients in it; the last ones if nobody has them."""
        flat = self._flat
        if flat is not None and self._uses_of(flat) == self._uses:
            return flat, self._views
        flat = torch.empty(self._size, dtype=self.wire, device=self._device)
        views = self.views(flat)
        if self._extra:
            flat[-_TOLD:].zero_()
        if self._keeps:
            self._flat, self._views = flat, views
            # read and written without an operator of torch where that is possible
            self._told = flat[-_TOLD:] if flat.is_cuda else flat[-_TOLD:].numpy()
            self._uses = self._uses_of(flat)
        return flat, views

    @property
    def is_small(self) -> bool:
        """Whether an empty message of this size costs next to nothing."""
        return self._device.type == "cpu" and self._size * self.wire.itemsize <= _FIRST

    def _uses_of(self, flat: torch.Tensor) -> Any:
        """What tells whether anybody has the memory, or a view of it, or has changed one."""
        views = self._views
        return (
            _storage_uses(flat.untyped_storage()._cdata),
            list(map(sys.getrefcount, views)),
            list(map(_tensor_uses, views)),
            any(map(_needs_gradient, views)),
        )

    def tell(self, flat: torch.Tensor, failed: bool, other: bool) -> None:
        """Tell the others, behind the gradients, that the step failed here, or is no routine."""
        told = self._told if flat is self._flat else flat[-_TOLD:]
        told[0], told[1] = failed, other

    def told(self, flat: torch.Tensor) -> tuple[bool, bool]:
        """Whether the step failed in some process, and whether it is no routine in one."""
        failed, other = (self._told if flat is self._flat else flat[-_TOLD:]).tolist()
        return failed != 0, other != 0

    def renew(self) -> None:
        """Take other memory for the next step, in which no process has failed yet."""
        self._flat = None

    def held_views(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """The gradients in a flat tensor, as the tensors that are kept with it."""
        return self._views if flat is self._flat else self.views(flat)

    def views(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """The gradients in a flat tensor."""
        joined = flat[: self._size - self._extra] if self._extra else flat
        return list(_C._nn.unflatten_dense_tensors(joined, self.like))


class _Plan:
    """How gradients of some shapes and types are put into buckets.

    Args:
        like: tensors of their shapes and types.
        order: that in which they come.
        tells: whether the last message says if the step failed.
        parts: what is kept of each sum, None for all of it. Default: None, all of all.
        limit: the bytes of a bucket. Default: None, those of torch's DistributedDataParallel.
    """

    def __init__(
        self,
        like: Sequence[torch.Tensor],
        order: Sequence[int],
        tells: bool,
        parts: Sequence[Parts | None] | None = None,
        limit: int | None = None,
    ) -> None:
        self.count = len(like)
        self.parts = parts
        first, others = (_FIRST, _OTHERS) if limit is None else (limit, limit)
        self.kinds = tuple([(str(t.dtype), tuple(t.shape)) for t in like])
        members: list[list[int]] = []
        order = [i for i in order if like[i].numel()]  # the others have nothing to send
        room: dict[Any, tuple[list[int], int]] = {}
        for i in order:
            key = (like[i].device, _wire_type(like[i].dtype))
            bucket, taken = room.get(key, ([], 0))
            size = like[i].numel() * key[1].itemsize
            room_of_bucket = first if members and bucket is members[0] else others
            if not bucket or taken + size > room_of_bucket:
                bucket, taken = [], 0
                members.append(bucket)
            bucket.append(i)
            room[key] = (bucket, taken + size)
        place = {i: at for at, i in enumerate(order)}
        members.sort(key=lambda bucket: place[bucket[-1]])  # as they become ready
        last = len(members) - 1
        self.tells = tells and last >= 0
        self.buckets = [
            _Bucket(m, like, _TOLD if tells and n == last else 0, parts is None)
            for n, m in enumerate(members)
        ]
        #: Whether such steps may be a routine.
        self.repeats = self.tells and not last and parts is None and self.buckets[0].is_small
        self.layout = str(members)
        self.bucket_of: list[int | None] = [None] * len(like)
        for n, bucket in enumerate(self.buckets):
            for i in bucket.members:
                self.bucket_of[i] = n
        self.sent = sorted(order)
        self._told: dict[Any, tuple[tuple[Any, ...], torch.Tensor]] = {}

    def renew(self) -> None:
        """Take other memory for the next step."""
        for bucket in self.buckets:
            bucket.renew()

    def told(self, degree: int | None, rows: int | None) -> tuple[tuple[Any, ...], torch.Tensor]:
        """What a process tells of its step, and its digest."""
        result = self._told.get((degree, rows))
        if result is None:
            call = (GRADIENTS, degree, f"{ROWS}{rows}", *self.kinds, self.layout)
            result = call, digest_of(call)
            if len(self._told) < 256:
                self._told[degree, rows] = result
        return result


class _Sums:
    """The messages of one step."""

    def __init__(self, plan: _Plan, group: str, degree: int | None) -> None:
        self.plan = plan
        self.group = group
        self.agreement: Agreement | None = None
        #: What the steps before were, if this one may be one of them.
        self.routine: Routine | None = None
        #: Whether it is the step that all processes expect, which is not compared before.
        self.expected = False
        self._follows, self._calls = False, 0
        #: What each process multiplies by before the sum: for a power of two the result is the same
        #: as if the sum was divided, and the gradients are still in the cache.
        degree = degree or 1
        self.factor = None if degree & (degree - 1) else 1 / degree
        self.degree = degree
        self.agreed = False
        self.failed = False  # in some process
        self.other = False  # whether some process calls other things
        self.flats: list[torch.Tensor | None] = []
        self.works: list[Any] = []
        self.results: dict[int, torch.Tensor] = {}
        self._taken = 0  # buckets whose sums were taken
        #: Whether it is a node of a recording, whose results nobody else may have.
        self.recorded = False

    def begin(self, group: str, told: tuple[tuple[Any, ...], torch.Tensor]) -> None:
        """Begin to compare with the other processes of a group, unless they expect this step."""
        self._group, self._told = group, told
        if self.plan.repeats:
            self.routine = groups.routine(group)
            self._follows = self.routine.follows(told[0])
            self.expected = self.routine.begin(self, told[0])
        if not self.expected:
            self._compare()

    def _compare(self) -> None:
        self.agreement = groups.begin_comparison(self._group, *self._told)
        self._calls = groups.calls

    def fall_back(self) -> None:
        """Begin to compare, as some process does not take the step that was expected."""
        self.expected = self._follows = self.agreed = False
        self._compare()

    @property
    def is_calm(self) -> bool:
        """Whether this process has called nothing since the same step before."""
        return self.expected or (self._follows and self._calls == groups.calls)

    def end(self) -> None:
        """Take note of what the last message told."""
        if self.routine is not None:
            message = self.flats[0]
            assert message is not None
            self.routine.end(self._told[0], not (self.failed or self.other), message)

    def agree(self) -> None:
        """Wait until it is certain that all processes take this step."""
        if not self.agreed:
            if self.agreement is not None:
                self.agreement.settle()
            self.agreed = True

    def take(self, count: int) -> None:
        """Wait for the first buckets, and take the sums out of them."""
        plan = self.plan
        for number in range(self._taken, count):
            self._taken += 1
            self.works[number].wait()
            bucket, flat = plan.buckets[number], self.flats[number]
            assert flat is not None
            if plan.tells and number == len(plan.buckets) - 1:
                self.failed, self.other = bucket.told(flat)
            if self.factor is None:
                flat /= self.degree
            sums = (bucket.views if self.recorded else bucket.held_views)(flat)
            if plan.parts is not None:
                self.flats[number] = None
                retained = [plan.parts[i] for i in bucket.members]
                pairs = zip(sums, retained, strict=True)
                sums = [(s if part is None else part.rows(s)).clone() for s, part in pairs]
            if bucket.casts:
                sums = [s.to(t) for s, t in zip(sums, bucket.narrow, strict=True)]
            self.results.update(zip(bucket.members, sums, strict=True))


class GradientBuckets:
    """The sums of some gradients over the processes of a group.

    Args:
        group: the group's name.
        limit: the bytes of a bucket. Default: None, those of torch's DistributedDataParallel.
    """

    def __init__(self, group: str, limit: int | None = None) -> None:
        self.group = group
        self._limit = limit
        #: Whether the processes have compared their parameters.
        self.compared = False
        #: The rows of the coming step that all processes must have; None if it does not matter.
        self.rows: int | None = None
        self._order: list[int] | None = None
        self._plans: dict[Any, _Plan] = {}
        #: The plan that was asked for last: for which tensors and parts.
        self._last: tuple[list[torch.Tensor], Any, _Plan] | None = None
        self._open: _Sums | None = None  # of a step that has begun and not ended

    def sums(
        self, values: Sequence[torch.Tensor], degree: int | None, rows: int | None = None
    ) -> list[torch.Tensor]:
        """The sums of gradients that are there, divided by `degree` if there is one.

        With `rows` the processes must have computed them from as many rows.
        """
        return Step(self, values, degree, rows).finish(values)

    def begin(
        self,
        values: Sequence[torch.Tensor],
        degree: int | None,
        rows: int | None,
        scale: torch.Tensor | None = None,
        parts: Sequence[Parts | None] | None = None,
    ) -> Step:
        """Begin a step; `values` are the tensors whose gradients will come.

        The gradients are divided by `scale` before they are added. With `parts` this process keeps
        its part of each sum that has one, and nothing else of it for longer than two messages.
        """
        return Step(self, values, degree, rows, scale, parts)

    def plan(
        self, like: Sequence[torch.Tensor], parts: Sequence[Parts | None] | None = None
    ) -> _Plan:
        """The buckets for gradients of these shapes and types."""
        last = self._last
        if (
            last is not None
            and parts == last[1]
            and len(like) == len(last[0])
            and all(map(operator.is_, like, last[0]))
        ):
            return last[2]
        retained = None if parts is None else tuple([p and id(p) for p in parts])
        key = (retained, *[(t.dtype, t.shape, t.device) for t in like])
        plan = self._plans.get(key)
        if plan is None:
            recorder = thread.recorder
            if recorder is None:
                result = self._planned(like, parts)
            else:
                result = recorder.unseen(self._planned, (like, parts))
            plan = self._plans[key] = result
        self._last = list(like), parts, plan
        return plan

    def _planned(self, like: Sequence[torch.Tensor], parts: Sequence[Parts | None] | None) -> _Plan:
        order = self._order
        if order is None or len(order) != len(like):
            order = list(range(len(like)))[::-1]
        return _Plan(like, order, groups.compares(self.group), parts, self._limit)

    # ------------------------------------------------------- what every replay does again

    def _begin(self, plan: _Plan, degree: int | None, rows: int | None) -> _Sums:
        if self._open is not None:
            self._abandon(self._open)
        self._open = sums = _Sums(plan, groups.of_gradients(self.group), degree)
        if groups.compares(self.group):
            sums.begin(self.group, plan.told(degree, rows))
        return sums

    def _send(
        self,
        sums: _Sums,
        number: int,
        grads: Sequence[torch.Tensor | None],
        scale: torch.Tensor | None,
        failed: bool = False,
    ) -> None:
        """Send the next bucket."""
        sums.agree()
        bucket = sums.plan.buckets[number]
        flat, views = bucket.memory()
        with torch.no_grad():
            missing = [v for v, g in zip(views, grads, strict=True) if g is None]
            if missing:
                torch._foreach_zero_(missing)
                views = [v for v, g in zip(views, grads, strict=True) if g is not None]
            if views:
                torch._foreach_copy_(views, [g for g in grads if g is not None])
            if scale is not None:
                flat /= scale
            if sums.factor not in (None, 1.0):
                flat *= sums.factor
            if sums.plan.tells and number == len(sums.plan.buckets) - 1:
                bucket.tell(flat, failed, not sums.is_calm)
        work = groups.begin_sum(sums.group, GRADIENTS, flat)
        if sums.expected and sums.routine is not None:
            work.wait()  # at once, as a recording may use the gradients' memory for something else
            if bucket.told(flat)[1]:
                sums.routine.has_ended()
                self._send(sums, number, grads, scale, failed)
                return
        sums.flats.append(flat)
        sums.works.append(work)
        if sums.plan.parts is not None:
            sums.take(number)  # all but this one

    def _finish(self, sums: _Sums, recorded: bool) -> tuple[torch.Tensor, ...]:
        """Wait for all buckets; the sums of what was sent."""
        sums.recorded = recorded
        sums.agree()
        self._open = None
        sums.take(len(sums.works))
        sums.end()
        if sums.failed:
            sums.plan.renew()
            raise RuntimeError(
                f"'{GRADIENTS}' in the process {groups.world_rank} has no result, because the step "
                "failed in another process of the group, whose error tells why. The parameters "
                "are as they were before this step."
            )
        result, sums.results = sums.results, {}  # a recording holds on to this object
        return tuple([result[i] for i in sums.plan.sent])

    def _abandon(self, sums: _Sums) -> None:
        """Send what the other processes of a failed step wait for, and say that it failed."""
        if self._open is not sums:
            return
        with contextlib.suppress(RuntimeError, ValueError):
            sums.agree()
            for number in range(len(sums.works), len(sums.plan.buckets)):
                nothing = [None] * len(sums.plan.buckets[number].members)
                self._send(sums, number, nothing, None, True)
            for work in sums.works:
                work.wait()
            sums.failed = True
            sums.end()
        sums.plan.renew()
        self._open = None

    def _take_order(self, order: list[int], count: int) -> None:
        """Take over the order in which the gradients came in the first process of the group."""
        rest = [i for i in range(count)[::-1] if i not in set(order)]
        mine = torch.tensor([*order, *rest])
        root = groups._send_now(mine, 0, self.group, "order of gradients")
        self._order = root.tolist()
        self._plans.clear()
        self._last = None


class _Hooked:
    """A hook on a leaf, for one backward pass; `register_hook` takes as long as a small layer."""

    def __init__(self, leaf: torch.Tensor, hook: Callable[[torch.Tensor | None], Any]) -> None:
        self._leaf: torch.Tensor | None = None
        if leaf._backward_hooks is None:
            self._leaf = leaf
            leaf._backward_hooks = OrderedDict({0: hook})
        else:
            self._handle = leaf.register_hook(hook)

    def remove(self) -> None:
        """Take the hook off."""
        if self._leaf is None:
            self._handle.remove()
        else:
            self._leaf._backward_hooks = None


class Step:
    """The gradients of one step on their way.

    Args:
        buckets: what sums them.
        values: tensors of their shapes and types.
        degree: what the sums are divided by; None for sums.
        rows: the number of rows of this process, None if it does not matter.
        scale: what the gradients are divided by before they are added. Default: None.
        parts: what is kept of each sum. Default: None, all of it.
    """

    def __init__(
        self,
        buckets: GradientBuckets,
        values: Sequence[torch.Tensor],
        degree: int | None,
        rows: int | None,
        scale: torch.Tensor | None = None,
        parts: Sequence[Parts | None] | None = None,
    ) -> None:
        self._buckets = buckets
        self._scale = scale
        self._plan = plan = buckets.plan(values, parts)
        self._grads: list[torch.Tensor | None] = [None] * plan.count
        self._came: dict[int, None] = {}  # in order
        self._attached = False
        self._left = [len(bucket.members) for bucket in plan.buckets]
        self._next = 0
        self._sums = node(buckets._begin, plan, degree, rows, what=GRADIENTS, gives="object")

    def attach(
        self,
        leaves: Iterable[tuple[int, torch.Tensor]],
        more: Sequence[torch.Tensor | None] | None = None,
    ) -> list[Any]:
        """Take gradients of leaves, by place, when the backward pass gives them.

        To each of them its tensor of `more` is added before it is sent. A single bucket is sent
        when the backward pass has ended, as its last gradient comes then, so no hook is needed.
        """
        if len(self._plan.buckets) < 2 and self._plan.parts is None:
            return []
        self._attached = True
        return [
            _Hooked(leaf, self._hook(i, None if more is None else more[i])) for i, leaf in leaves
        ]

    def _hook(self, i: int, more: torch.Tensor | None) -> Any:
        light = self._plan.parts is not None

        def hook(grad: torch.Tensor | None) -> torch.Tensor | None:
            # autograd calls with None where a compiled part does not use the leaf
            if grad is None or i in self._came or grad.layout is not torch.strided:
                return None
            self._arrived(i, grad if more is None else more + grad)
            # what autograd gives at its end is not needed, and must not hold the gradient
            return grad.new_zeros(()).expand(grad.shape) if light else None

        return hook

    def _arrived(self, i: int, grad: torch.Tensor | None) -> None:
        self._grads[i] = grad
        self._came[i] = None
        number = self._plan.bucket_of[i]
        if number is None:
            return
        self._left[number] -= 1
        if number == self._next and not self._left[number]:
            self._send_ready()

    def _send_ready(self) -> None:
        """Send the buckets that are full, up to the first that is not."""
        plan = self._plan
        while self._next < len(self._left) and not self._left[self._next]:
            number = self._next
            members = plan.buckets[number].members
            grads = [self._grads[i] for i in members]
            for i in members:
                self._grads[i] = None
            self._next += 1
            node(
                self._buckets._send,
                self._sums,
                number,
                grads,
                self._scale,
                what=GRADIENTS,
                gives="nothing",
            )

    def finish(self, grads: Sequence[torch.Tensor | None]) -> list[torch.Tensor]:
        """The sums; `grads` are those of this process, None where there is none."""
        learns = self._attached and self._buckets._order is None
        order = list(self._came)
        if self._attached:
            for i in range(self._plan.count)[::-1]:
                if i not in self._came:
                    self._arrived(i, grads[i])
        else:
            self._grads, self._left = list(grads), [0] * len(self._left)
            self._send_ready()
        recorded = thread.recorder is not None
        result = node(self._buckets._finish, self._sums, recorded, what=GRADIENTS, gives="tensors")
        sums: list[Any] = self._grads  # those without elements stay
        for i, value in zip(self._plan.sent, result, strict=True):
            sums[i] = value
        if learns:
            self._learn(order)
        return sums

    def _learn(self, order: list[int]) -> None:
        take, count = self._buckets._take_order, self._plan.count
        once(take, order, count, why="the first step finds the order in which gradients come")

    def abandon(self) -> None:
        """Give the step up after an error, so that no other process waits."""
        self._grads = []
        if isinstance(self._sums, _Sums):
            self._buckets._abandon(self._sums)
