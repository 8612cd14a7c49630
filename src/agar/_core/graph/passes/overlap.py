"""Collectives that are begun where they stand, and awaited where their results are used first.

A recording runs a collective and waits for it at once. Here it is begun at its place, so that all
processes begin theirs in the order of the program, and the wait moves down to the first operation
that needs it. Pure operations that only prepare the result (views, parts, copies) move with it.

NOTE Memory. What a collective reads must stay as it is until it is awaited: the wait takes its
inputs as arguments, so that no operator reuses their memory before, and it stands before any
operation that writes to it. Two are on their way at a time: what they hold of a network whose
parameters and gradients lie in parts would else be all of it.
"""

from __future__ import annotations

from agar._core.graph.ir.graph import (
    Chunk,
    Host,
    Meta,
    Op,
    Ref,
    is_pure,
    mutates,
    outputs_of,
    used_by,
)
from agar._core.graph.record.operators import Collective, end_collective

__all__ = ["overlapped"]


class _Begun:
    """A collective on its way, and the operations that wait with it.

    Attributes:
        whole: the collective with its wait.
        begin: the operation that begins it.
        ops: the wait, and what prepares its result.
        values: the variables that come of them.
        memory: the memory that the collective reads.
    """

    __slots__ = ("begin", "memory", "ops", "values", "whole")

    def __init__(self, op: Op, number: int, metas: dict[int, Meta]) -> None:
        host = op.func
        self.whole = op
        begin = Host(host.fn.begin, host.label, "object")
        self.begin = Op(begin, op.args, {}, (number,), (None,), op.site, op.at)
        inputs = tuple([Ref(v) for v in dict.fromkeys(used_by(op))])
        end = Host(end_collective, f"wait for {host.label}", host.gives)
        self.ops = [Op(end, (Ref(number), *inputs), {}, op.outs, op.metas, op.site, op.at)]
        self.values = set(outputs_of(op))
        self.memory = {metas[r.i].storage for r in inputs if r.i in metas}


def overlapped(ops: list[Op], metas: dict[int, Meta]) -> list[Op]:
    """The operations of a graph with collectives that run while others compute."""
    if not any(_is_collective(op) for op in ops):
        return ops
    number = max([0, *metas, *(v for op in ops for v in (*used_by(op), *outputs_of(op)))])
    result: list[Op] = []
    waiting: list[_Begun] = []

    def end(ended: list[_Begun]) -> None:
        for begun in ended:
            waiting.remove(begun)
            if result and result[-1] is begun.begin:  # nothing computes meanwhile
                result[-1] = begun.whole
                result.extend(begun.ops[1:])
            else:
                result.extend(begun.ops)

    for op in ops:
        used = set(used_by(op))
        needed = [b for b in waiting if not b.values.isdisjoint(used)]
        if len(needed) == 1 and is_pure(op) and used <= needed[0].values:
            needed[0].ops.append(op)
            needed[0].values.update(outputs_of(op))
            continue
        written = _written_memory(op, metas)
        end([b for b in waiting if b in needed or not written.isdisjoint(b.memory)])
        if _is_collective(op) and all(u in metas and metas[u].storage >= 0 for u in used):
            end(waiting[:-1])
            number += 1
            waiting.append(_Begun(op, number, metas))
            op = waiting[-1].begin
        result.append(op)
    end(list(waiting))
    return result


def _is_collective(op: Op) -> bool:
    return isinstance(op.func, Host) and isinstance(op.func.fn, Collective)


def _written_memory(op: Op, metas: dict[int, Meta]) -> set[int]:
    """The memory that an operation may write to; of a compiled part all that it takes."""
    written = used_by(op) if isinstance(op.func, Chunk) else mutates(op)
    return {metas[v].storage for v in written if v in metas}
