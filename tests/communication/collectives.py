"""Collectives of two or four processes, right ones and wrong ones; see test_collectives."""

from __future__ import annotations

import functools
import json
import os
import sys
import warnings
from typing import Any

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar.communication import comm_func
from agar.mint import distributed as dist

FOUND: dict = {}


def plain(value):
    if isinstance(value, ms.Tensor):
        return value.asnumpy().tolist()
    return [plain(v) for v in value] if isinstance(value, (tuple, list)) else value


def note(name, call):
    try:
        FOUND[name] = plain(call())
    except Exception as error:
        FOUND[name] = f"{type(error).__name__}: {error}"


def ones(*shape, dtype: Any = np.float32):
    return ms.Tensor(np.ones(shape, dtype))


def reductions(rank):
    """Values and gradients; the second elements differ in sign, the first are equal."""
    x = ms.Tensor(np.array([2.0, 3.0 * (-1) ** rank, 1.0 + rank], np.float32))
    weight = ms.Tensor(np.array([1.0, 10.0, 100.0], np.float32) * (rank + 1))
    for op in ("sum", "max", "min", "prod", "avg"):
        reduce = ops.AllReduce(op)
        note(op, lambda reduce=reduce: reduce(x))
        note(f"{op} slope", lambda reduce=reduce: ms.grad(lambda a: (reduce(a) * weight).sum())(x))
    zero = ms.Tensor([0.0 if rank == 0 else 5.0])
    note("prod of zero", lambda: ms.grad(lambda a: ops.AllReduce("prod")(a).sum())(zero))
    note("integers", lambda: ops.AllReduce("prod")(ms.Tensor([rank + 2], ms.int32)))
    cube = lambda a: (ops.AllReduce()(a) ** 3).sum()  # noqa: E731
    note("second slope", lambda: ms.grad(lambda b: ms.grad(cube)(b).sum())(x))

    rows = ms.Tensor(np.arange(1, 5, dtype=np.float32) * (rank + 1))
    for name, collective in {
        "Reduce": ops.Reduce(0),
        "CollectiveGather": ops.CollectiveGather(0),
        "CollectiveScatter": ops.CollectiveScatter(0),
        "ReduceScatter": ops.ReduceScatter(),
        "ReduceScatter avg": ops.ReduceScatter("avg"),
        "ReduceScatter max": ops.ReduceScatter("max"),
        "AllGather": ops.AllGather(),
        "Broadcast": ops.Broadcast(0),
    }.items():
        note(name, lambda c=collective: c(rows))
        note(
            f"{name} slope",
            lambda c=collective: ms.grad(lambda a: (c(a) * (rank + 1)).sum())(rows),
        )


def begun(rank, size):
    """Collectives that return at once, whose results come when they are waited for."""
    own = ms.Tensor(np.arange(1, size + 1, dtype=np.float32) * (rank + 1))
    parts = [own[i : i + 1] for i in range(size)]
    outs = {name: own.copy() for name in ("reduced", "sent", "exchanged", "rooted")}
    several = {name: [ones(size) * 0 for _ in range(size)] for name in ("gathered", "collected")}
    single = {name: ones(1) * 0 for name in ("scattered", "portion", "reduced parts")}
    whole = ones(size * size) * 0
    if rank < 2:
        comm.create_group("side", [0, 1])
    if rank == 1:  # begins when process 0 has begun them all
        dist.recv(ones(1), 0, group="side")
    handles: dict[str, Any] = {
        "reduced": dist.all_reduce(outs["reduced"], async_op=True),
        "sent": dist.broadcast(outs["sent"], size - 1, async_op=True),
        "gathered": dist.all_gather(several["gathered"], own, async_op=True),
        "joined": dist.all_gather_into_tensor(whole, own, async_op=True),
        "scattered": dist.reduce_scatter_tensor(single["scattered"], own, async_op=True),
        "portion": dist.scatter(single["portion"], parts, 0, async_op=True),
        "reduced parts": dist.reduce_scatter(single["reduced parts"], parts, async_op=True),
        "exchanged": dist.all_to_all_single(outs["exchanged"], own, async_op=True),
        "rooted": dist.reduce(outs["rooted"], 1, async_op=True),
        "collected": dist.gather(own, several["collected"], 0, async_op=True),
        "barrier": dist.barrier(async_op=True),
    }
    if rank == 0:
        dist.send(ones(1), 1, group="side")
    if rank < 2:
        comm.destroy_group("side")
    result = own.asnumpy().tolist()
    FOUND["not written yet"] = plain(outs["reduced"]) == result
    note("between", lambda: ops.AllReduce()(ones(1)))  # behind those that were begun
    for handle in reversed(handles.values()):
        handle.wait()
        handle.wait()
    entries = {**outs, **several, **single, "joined": whole}
    FOUND["begun"] = {name: plain(value) for name, value in entries.items()}
    wrong: Any = dist.all_reduce(ones(2 + rank), async_op=True)
    note("begun wrong", wrong.wait)
    wrong = dist.all_reduce(ones(2 + rank), async_op=True)
    note("begun wrong and left", lambda: ops.AllReduce()(ones(1)))
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net, x = Overlapping(), ones(2) * (rank + 1)
        for _ in range(4):
            note(f"overlapping {mode}", functools.partial(net, x))
    FOUND["overlapping runs"] = net._compiled.runs
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Overlapping(nn.Cell):
    """Computes while a sum is under way."""

    def construct(self, x):
        total, handle = comm_func.all_reduce(x * 2, async_op=True)
        other = x * 3
        assert handle is not None
        handle.wait()
        return total + other


def mismatches(rank, size):
    """Each must raise in all processes, and the next collective must work."""
    note("shapes", lambda: ops.AllReduce()(ones(2 + 3 * rank)))
    note("operations", lambda: ops.AllReduce("max" if rank else "sum")(ones(2)))
    note("kinds", lambda: (ops.AllReduce() if rank else ops.AllGather())(ones(2)))
    note("types", lambda: ops.AllReduce()(ones(2, dtype=np.int32 if rank else np.float32)))
    note("broadcast", lambda: ops.Broadcast(0)(ones(2 if rank else 5)))
    note("roots", lambda: ops.Broadcast(min(rank, 1))(ones(2)))
    counts = [3] * size
    note("counts", lambda: ops.AlltoAllV()(ones(3 * size), counts, counts if rank else [2] * size))
    note("barrier", lambda: ops.Barrier()() if rank else ops.AllReduce()(ones(1)))
    note("written", lambda: dist.all_reduce(ones(2 + rank)))
    note("afterwards", lambda: ops.AllReduce()(ones(2)))


def messages(rank):
    """Process 1 sends to process 0, and both to each other."""
    for length in (2, 5):
        if rank == 0:
            note(f"receive {length}", lambda n=length: dist.recv(ones(7 - n), 1))
        elif rank == 1:
            note(f"send {length}", lambda n=length: dist.send(ones(n), 0))
    if rank == 0:
        note("receive type", lambda: dist.recv(ones(2, dtype=np.int32), 1))
        got = ones(4, 3) * 0
        dist.recv(got.T, 1)  # not contiguous: written through
        FOUND["received"] = plain(got)
    elif rank == 1:
        dist.send(ones(2), 0)
        dist.send(ones(3, 4) * 7, 0)
    if rank < 2:
        got = ones(3) * 0
        handle = dist.irecv(got, 1 - rank)
        dist.isend(ones(3) * (rank + 1), 1 - rank).wait()
        handle.wait()
        FOUND["exchanged"] = plain(got)
        one, two = ones(1) * 0, ones(1) * 0
        handles = [dist.irecv(one, 1 - rank, tag=3), dist.irecv(two, 1 - rank, tag=4)]
        sent = [dist.isend(ones(1) * 4, 1 - rank, tag=4), dist.isend(ones(1) * 3, 1 - rank, tag=3)]
        for handle in [*sent, *handles]:
            handle.wait()
        FOUND["tags"] = plain((one, two))
        pair = (ops.Send(0, 1), ops.Receive(0, 1, (2,), ms.float32))
        if rank == 1:
            pair = (ops.Send(0, 0), ops.Receive(0, 0, (2,), ms.float32))
        note("gradient of a message", lambda: ms.grad(lambda a: pair[0](a * 2).sum())(ones(2)))
        note("gradient of a receipt", lambda: ms.grad(lambda a: (pair[1]() * a).sum())(ones(2)))


def neighbors(rank, size):
    """Around a ring, to the next one; and the edges of images in a row of processes."""
    after, before = (rank + 1) % size, (rank - 1) % size
    ring = ops.NeighborExchange([after], [before], ([2],), ([2],), ms.float32)
    x = ms.Tensor([1.0, 2.0]) * (rank + 1)
    note("ring", lambda: ring((x,))[0])
    note("ring slope", lambda: ms.grad(lambda a: (ring((a,))[0] * (rank + 1)).sum())(x))
    wrong = ops.NeighborExchange([after], [before], ([2 + rank],), ([2],), ms.float32)
    note("ring of other shapes", lambda: wrong((x,)))
    right = [-1, -1, rank + 1 if rank + 1 < size else -1, *[-1] * 5]
    left = [*[-1] * 6, rank - 1, -1]
    edges = ops.NeighborExchangeV2(right, [0, 0, 0, 1], left, [0, 0, 1, 0], "NCHW")
    image = ms.Tensor(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2) + 10 * rank)
    note("edges", lambda: edges(image)[0, 0])
    note("edges slope", lambda: ms.grad(lambda a: (edges(a) * (rank + 1)).sum())(image)[0, 0])


def unchecked(rank):
    """Without the comparison the bytes that go are torch's own."""
    os.environ["AGAR_CHECK_COLLECTIVES"] = "0"
    note("unchecked", lambda: ops.AllReduce()(ones(2)))
    got = ones(2) * 0
    if rank == 0:
        dist.recv(got, 1)
    elif rank == 1:
        dist.send(ones(2) * 9, 0)
    FOUND["unchecked message"] = plain(got)
    del os.environ["AGAR_CHECK_COLLECTIVES"]
    note("checked again", lambda: ops.AllReduce()(ones(2 + rank)))


def tracked():
    """Collectives that write have no gradient, and say so."""

    def loss(function):
        def call(a):
            return function(a * 2).sum()

        return lambda: ms.grad(call)(ones(2))

    def written(a):
        dist.all_reduce(a)
        return a

    note("in place", loss(written))
    note("comm_func", loss(lambda a: comm_func.all_reduce(a)[0]))


def groups(rank, size):
    """Processes with unequal numbers of groups; the members alone make them."""
    names = []
    for first in range(size):
        for second in range(first + 1, size):
            if first == 1 and second == 3:
                continue  # so that the numbers differ
            name = f"{first}-{second}"
            if rank in (first, second):
                comm.create_group(name, [first, second])
                names.append(name)
    if size == 4 and rank > 0:
        comm.create_group("most", [1, 2, 3])
        names.append("most")
    FOUND["groups"] = {n: plain(ops.AllReduce(group=n)(ones(1) * (rank + 1))) for n in names}
    comm.create_group("called by all", [0, 1])  # by those that are no members, too
    note("called by all", lambda: ops.AllReduce(group="called by all")(ones(1)))
    if rank < 2:
        comm.destroy_group("called by all")
        comm.create_group("called by all", [0, 1])
        note("again", lambda: ops.AllReduce(group="called by all")(ones(1)))
    name = dist.new_group([0, 1])
    FOUND["new group"] = plain(ops.AllReduce(group=name)(ones(1))) if rank < 2 else None
    comm.create_group("alone", [0])
    note("alone", lambda: ops.AllReduce(group="alone")(ones(1)))
    dist.barrier()


def recordings(rank):
    """In GRAPH_MODE a collective happens at every call, whatever was recorded before."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.reduce = ops.AllReduce()

        def construct(self, x):
            return self.reduce(x * 2) + 1

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    seen: list = []
    seen.extend(plain(net(ones(2) * (rank + step))) for step in range(5))
    grad = ms.value_and_grad(lambda x: net(x).sum(), 0)
    seen.extend(plain(grad(ones(2) * (rank + step))[1]) for step in range(3))
    FOUND["recordings"] = seen
    jitted = ms.jit(lambda x: ops.AllReduce("max")(x) * 2)
    FOUND["jit"] = [plain(jitted(ones(1) * (rank + step))) for step in range(4)]
    ms.set_context(mode=ms.PYNATIVE_MODE)


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", "'.*' runs as ordinary Python")
    comm.init()
    rank, size = comm.get_rank(), comm.get_group_size()
    reductions(rank)
    mismatches(rank, size)
    begun(rank, size)
    messages(rank)
    neighbors(rank, size)
    unchecked(rank)
    tracked()
    groups(rank, size)
    recordings(rank)
    left = dist.all_reduce(ones(2 + rank), async_op=True)
    note("left at the end", comm.release)
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
