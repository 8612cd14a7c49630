"""MindSpore's private Primitives among two processes; see test_collectives."""

from __future__ import annotations

import json
import sys

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar.ops.auto_generate import gen_ops_prim as prims

FOUND: dict = {}
WORLD = "hccl_world_group"


def row(*values: float) -> ms.Tensor:
    return ms.Tensor(np.array(values, np.float32))


def note(name, pair):
    """The result once the handle was waited for."""
    result, handle = pair
    handle.wait()
    FOUND[name] = (
        [t.asnumpy().tolist() for t in result]
        if isinstance(result, list)
        else (result.asnumpy().tolist())
    )


def written(rank):
    """Those that write into tensors: `x` is [1, 2] in process 0 and [10, 20] in process 1."""

    def x():
        return row(1, 2) * (10 if rank else 1)

    lists = [row(0, 0), row(0, 0)]
    note("AllGather", prims.DistCommAllGather()(lists, x(), 2, WORLD))
    note("AllGatherIntoTensor", prims.DistCommAllGatherIntoTensor()(row(0, 0, 0, 0), x(), 2, WORLD))
    uneven = prims.DistCommAllGatherIntoTensorUneven()
    note("AllGatherIntoTensorUneven", uneven(row(0, 0, 0), x()[: 1 + rank], [1, 2], 2, WORLD))
    note("AllReduce", prims.DistCommAllReduce()(x(), "sum", WORLD, False))
    sent, came = ([1, 2], [1, 2]) if rank == 0 else ([2, 1], [2, 1])
    parts = [row(*[0] * n) for n in came]
    data = row(1, 2, 3) * (10 if rank else 1)
    note("AllToAllV", prims.DistCommAllToAllV()(parts, data, WORLD, sent, came, 2))
    flat = row(0, 0, 0)
    note("AllToAllVC", prims.DistCommAllToAllVC()(flat, data, WORLD, [1, 2, 2, 1], 2, rank))
    single = prims.DistCommAllToAllVSingle()
    note("AllToAllVSingle", single(row(0, 0, 0), data, WORLD, sent, came, 2, False))
    note("AllToAllVSingle even", single(row(0, 0), x(), WORLD, [], [], 2, True))
    prims.DistCommBarrier()(WORLD)[1].wait()
    note("Broadcast", prims.DistCommBroadcast()(x(), 1, rank, WORLD))
    note("Gather", prims.DistCommGather()(x(), [row(0, 0), row(0, 0)], 2, 1, rank, WORLD))
    whole = row(0, 0, 0, 0)
    note("GatherIntoTensor", prims.DistCommGatherIntoTensor()(whole, x(), 2, 0, rank, WORLD))
    note("Reduce", prims.DistCommReduce()(x(), "max", 0, WORLD))
    halves = [x(), x() + 1]
    note("ReduceScatter", prims.DistCommReduceScatter()(row(0, 0), halves, 2, "sum", WORLD))
    tensor = prims.DistCommReduceScatterTensor()
    note("ReduceScatterTensor", tensor(row(0), x(), 2, "sum", WORLD, False))
    part = row(*[0] * (1 + rank))
    cut = prims.DistCommReduceScatterTensorUneven()
    note("ReduceScatterTensorUneven", cut(part, data, [1, 2], 2, "sum", WORLD))
    note("Scatter", prims.DistCommScatter()(row(0, 0), halves, 2, 1, rank, WORLD))
    note("ScatterTensor", prims.DistCommScatterTensor()(row(0), x(), 2, 0, rank, WORLD))


def messages(rank):
    other = 1 - rank
    if rank == 0:
        note("Isend", prims.DistCommIsend()(row(5, 6), 1, WORLD, 0))
        note("Inner Irecv", prims.InnerCommIrecv()(0, 1, (2,), WORLD, ms.float32))
    else:
        note("Irecv", prims.DistCommIrecv()(row(0, 0), 0, 0, WORLD))
        note("Inner Isend", prims.InnerCommIsend()(row(7, 8), 0, WORLD, 0))
    tensors = [row(rank), row(-1)]
    note("batch", prims.DistCommBatchIsendIrecv()(tensors, WORLD, [0, 1], [other, other]))


def returned(rank):
    """Those that return a new tensor have gradients."""
    x = row(1, 2) * (10 if rank else 1)
    note("Inner AllGather", prims.InnerCommAllGather()(x, 2, WORLD))
    note("Inner AllReduce", prims.InnerCommAllReduce()(x, "prod", WORLD, False))
    note("Inner ReduceScatter", prims.InnerCommReduceScatter()(x, 2, "sum", WORLD))
    exchange = prims.InnerCommAllToAllV()
    note("Inner AllToAllV", exchange(x, WORLD, [1, 1], [1, 1], 2, False))
    note("Inner AllToAllV even", exchange(x, WORLD, [], [], 2, True))
    reduce = prims.InnerCommAllReduce()
    slope = ms.grad(lambda v: (reduce(v, "sum", WORLD)[0] * row(1, 3)).sum())(x)
    FOUND["slope"] = slope.asnumpy().tolist()


def refused(rank):
    for name, call in {
        "size": lambda: prims.InnerCommAllGather()(row(1), 3, WORLD),
        "rank": lambda: prims.DistCommBroadcast()(row(1), 0, 1 - rank, WORLD),
        "counts": lambda: prims.InnerCommAllToAllV()(row(1, 2), WORLD, [1, 2], [1, 2], 2, False),
        "kinds": lambda: prims.DistCommBatchIsendIrecv()([row(1)], WORLD, [2], [1 - rank]),
    }.items():
        try:
            call()
        except ValueError as error:
            FOUND[name] = str(error)


if __name__ == "__main__":
    torch.set_num_threads(1)
    comm.init()
    rank = comm.get_rank()
    written(rank)
    messages(rank)
    returned(rank)
    refused(rank)
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
