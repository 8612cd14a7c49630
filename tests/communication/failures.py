"""One process dies, or stops, and the others say what they see; see test_failures."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import torch

import agar as ms
import agar.mint.distributed as dist
from agar import communication as comm
from agar import nn, ops


def attempt(call):
    start = time.monotonic()
    try:
        text = str(call())
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return [time.monotonic() - start, text]


if __name__ == "__main__":
    torch.set_num_threads(1)
    kind = sys.argv[2]
    comm.init(timeout=2 if kind == "stop" else 60)
    rank, size = comm.get_rank(), comm.get_group_size()
    last = size - 1
    processes = [None] * size
    dist.all_gather_object(processes, os.getpid())
    x = ms.Tensor([1.0, 2.0])
    found = {}
    comm.create_group("pair", [0, 1])
    if kind == "steps":  # whose gradients alone are sent, see `routines`
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        ms.set_seed(0)
        net = nn.Dense(2, 1)
        step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
        for _ in range(5):
            step(x[None])
    if rank == last:
        os.kill(os.getpid(), signal.SIGSTOP if kind == "stop" else signal.SIGKILL)
    if kind == "message":  # from a process that is gone
        found["first"] = attempt(lambda: dist.recv(x, last))
    elif kind == "steps":
        found["first"] = attempt(lambda: step(x[None]))
    else:
        found["first"] = attempt(lambda: ops.AllReduce("max")(x))
    found["again"] = attempt(lambda: ops.AllGather()(x))
    found["group"] = attempt(lambda: ops.AllReduce(group="pair")(x)) if rank < 2 else None
    found["rank"] = [comm.get_rank(), comm.get_group_size()]
    with open(sys.argv[1], "w") as file:
        json.dump(found, file)
    if kind == "stop" and rank == 0:
        os.kill(processes[last], signal.SIGKILL)
    comm.release()
