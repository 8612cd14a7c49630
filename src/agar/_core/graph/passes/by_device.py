"""The parts of a subgraph for a GPU that the host runs by itself, taken out and put first.

A train step counts its steps and holds its rates on the host, and masks of Dropout are drawn by
Python. These need nothing that the GPU computes; so they can run before its kernels, which are then
a subgraph of one device: one that may be launched as a CUDA graph, or compiled without wrappers for
the CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from agar._core.graph.ir.graph import Host, Op, Subgraph, inputs_of, outputs_of, used_by

__all__ = ["ByDevice", "by_device", "joined"]

aten = torch.ops.aten

#: Operators that bring a tensor of the host to the GPU.
_TRANSFERS = frozenset({aten._to_copy.default})


@dataclass
class ByDevice:
    """A subgraph in two.

    Attributes:
        host: what runs first; its outputs are those of the whole on the host, then `moved`.
        device: what runs on the GPU.
        moved: variables that the host part hands to the GPU's.
        outs: the outputs of the whole, in its order.
    """

    host: Subgraph
    device: Subgraph
    moved: list[int]
    outs: list[int]


def by_device(subgraph: Subgraph) -> ByDevice | str:
    """The two parts, or why there are none."""
    kinds = {v: meta.device.type for v, meta in subgraph.metas.items()}
    host: list[Op] = []
    device: list[Op] = []
    on_host: set[int] = set()  # variables that the host's operations make
    marks = [0] * len(subgraph.marks)
    for position, op in enumerate(subgraph.ops):
        side = _side(op, kinds, on_host)
        if side == "host":
            host.append(op)
            on_host.update(outputs_of(op))
        elif side == "device":
            device.append(op)
            for i, mark in enumerate(subgraph.marks):
                marks[i] += position < mark
        else:
            return side
    if subgraph.read and (not host or subgraph.ops[-1] is not host[-1]):
        return "Python reads a value of the GPU behind it"
    if not device:
        return "nothing of it runs on a GPU"
    own = [v for v in subgraph.outs if v in on_host or kinds.get(v) == "cpu"]
    taken = {u for op in device for u in used_by(op)}
    moved = sorted(on_host & taken)
    rest = [v for v in subgraph.outs if v not in own]
    first = _part(subgraph, host, [*own, *moved], subgraph.read, ())
    second = _part(subgraph, device, rest, False, tuple(marks))
    if {kinds.get(v) for v in second.ins} != {"cuda"}:
        return "its kernels read tensors of the host"
    return ByDevice(first, second, moved, list(subgraph.outs))


def _side(op: Op, kinds: dict[int, str], on_host: set[int]) -> str:
    """``"host"``, ``"device"``, or why an operation is neither's."""
    given = {kinds.get(u, "cpu") for u in used_by(op) if u not in on_host}
    held = {kinds.get(u, "cpu") for u in used_by(op) if u in on_host}
    results = {meta.device.type for meta in op.metas if meta is not None}
    if isinstance(op.func, Host):
        # what it draws may lie on the GPU, what it takes must not come from there
        return "host" if "cuda" not in given else f"{op.name} runs on the host"
    if not given | held | results or given | held | results == {"cpu"}:
        return "host"
    if op.func in _TRANSFERS and given | held == {"cpu"}:
        return "host"
    if given | held | results == {"cuda"}:
        return "device"
    return f"{op.name} has tensors on the host and on the GPU"


def _part(
    whole: Subgraph, ops: list[Op], outs: list[int], read: bool, marks: tuple[int, ...]
) -> Subgraph:
    ins = inputs_of(ops, outs)
    captured = {v: t for v, t in whole.captured.items() if v in ins}
    return Subgraph(ops, ins, outs, whole.metas, read, captured, marks)


def joined(
    parts: ByDevice,
    takes: Sequence[int],
    bound: dict[int, Any],
    host: Callable[..., Any],
    device: Callable[..., Any],
) -> Callable[..., Any]:
    """The function of the whole, from those of its parts.

    Args:
        parts: the parts.
        takes: the variables that come with each call.
        bound: captured tensors, which neither function takes.
        host: the host part's function.
        device: the device part's function.
    """
    place = {v: i for i, v in enumerate(takes)}
    to_host = [place[v] for v in parts.host.ins if v not in bound]
    result = parts.host.outs
    number = {v: i for i, v in enumerate(result)}
    # where each argument of the device's function comes from: the call, or the host part
    to_device = [
        (False, place[v]) if v in place else (True, number[v])
        for v in parts.device.ins
        if v not in bound
    ]
    given = {v: i for i, v in enumerate(parts.device.outs)}
    results = [(True, number[v]) if v in number else (False, given[v]) for v in parts.outs]

    def run(*args: Any) -> Any:
        read, early = host(*[args[i] for i in to_host])
        _, late = device(*[early[i] if own else args[i] for own, i in to_device])
        return read, tuple([early[i] if own else late[i] for own, i in results])

    return run
