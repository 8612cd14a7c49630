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
one collective. A memory of what has been compared would be cheaper and by itself is not sound: the
process that remembers goes ahead while the other one compares. Training steps have one in which a
process that calls something else says so in the message that the others expect, see `routines`.
``AGAR_CHECK_COLLECTIVES=0`` leaves the comparison out, ``=1`` makes it over nccl too, where a
difference ends in nccl's timeout. It must be the same in all processes.

NOTE GRAPH_MODE. What is sent is a node of a recording, which runs again at every replay, in the
order of the program: a process that replays and one that records make the same calls. Plans leave
the parts of a graph that communicate as they were recorded, so no process can change the order.
Recordings hold for the groups that there are: `runtime.processes` counts their changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.distributed.process_membership import (
    WORLD,
    Agreement,
    Membership,
    digest_of,
    node,
    stop_recording,
)
from agar._core.distributed.process_messages import TYPES, Message, digest, frame

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


class Groups(Membership):
    """The groups of processes by name, and their collectives."""

    # --------------------------------------------------------------------- collectives

    def numbers(self, value: int, group: str, what: str) -> list[int]:
        """The numbers of all processes of a group."""
        if self._several(group, what) is None:
            return [value]
        stop_recording(what)
        gloo = self._engine().get_backend(self._engine_groups.get(group)) == "gloo"
        mine = torch.tensor([value], device="cpu" if gloo else "cuda")
        return self._gathered(mine, group, what).tolist()

    def barrier(self, group: str) -> None:
        """Wait until all processes of a group are here."""
        if self._several(group, "barrier") is not None:
            node(self._meet_at_barrier, group, what="barrier", gives="nothing")

    def _meet_at_barrier(self, group: str) -> None:
        self._agree(group, "barrier")
        self._call(group, "barrier", "barrier")

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

    def _reduce_scatter_now(self, value: torch.Tensor, op: str, group: str) -> torch.Tensor:
        what, size = "reduce_scatter", self.size(group)
        if self._on_host(group):
            # torch's reduce_scatter_tensor over gloo is an all-reduce of a copy as well, and was
            # slower: 63 against 45 ms for 16 MiB in two processes
            total = self._reduce_now(value, op, group, what)
            return total.chunk(size)[self.rank(group)].clone()
        self._agree(group, what, op, value.dtype, tuple(value.shape))
        value = value.detach().contiguous()
        out = value.new_empty((value.shape[0] // size, *value.shape[1:]))
        self._call(group, what, "reduce_scatter_tensor", out, value, self.reduce_op(op))
        return out

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
            return node(self._reduce_scatter_now, value, op, group, what="reduce_scatter")

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
        return self.same_digests([digest(v) for v in values], group)

    def same_digests(self, numbers: Sequence[int], group: str) -> list[bool]:
        """The same of tensors whose digests are given."""
        if self._several(group, "comparison of parameters") is None:
            return [True] * len(numbers)
        dist, engine_group = self._engine(), self._engine_groups.get(group)
        device = "cpu" if dist.get_backend(engine_group) == "gloo" else "cuda"
        mine = torch.tensor([[n, -n] for n in numbers], device=device).reshape(-1, 2)
        self._agree(group, "comparison of parameters", len(numbers))
        self._call(group, "comparison of parameters", "all_reduce", mine, dist.ReduceOp.MIN)
        return [least == -most for least, most in mine.tolist()]

    # ------------------------------------------------------------------------- messages

    def send(self, value: torch.Tensor, peer: int, group: str, tag: int = 0) -> Message | None:
        """Begin to send a tensor to a process, by its world rank."""
        result = self._several(group, "send")
        if result is None:
            return None
        stop_recording("send")
        dist, engine_group = result
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
        result = self._several(group, "receive")
        if result is None:
            return None
        stop_recording("receive")
        dist, engine_group = result
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
