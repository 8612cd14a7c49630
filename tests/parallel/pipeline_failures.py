"""Something goes wrong in one stage of a pipeline, and all say what they see; see test_pipeline."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import numpy as np
import torch

import agar as ms
import agar.mint.distributed as dist
from agar import communication as comm
from agar import nn, ops


class Stage(nn.Cell):
    """A layer to which something happens in a chosen micro-batch of a chosen stage."""

    def __init__(self, number):
        super().__init__()
        self.layer = nn.Dense(4, 4)
        self.pipeline_stage = number
        self.calls = 0
        self.happens = lambda x: x

    def construct(self, x):
        self.calls += 1
        x = self.layer(x)
        return self.happens(x) if self.calls == 8 else x  # the first run, then 4 in each step


def attempt(call):
    start = time.monotonic()
    try:
        text = str(call())
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return [time.monotonic() - start, text]


def end(sign):
    def act(x):
        os.kill(os.getpid(), sign)
        return x

    return act


def fail(x):
    raise ZeroDivisionError("a mistake in the second stage")


HAPPENS = {
    "kill": end(signal.SIGKILL),
    "stop": end(signal.SIGSTOP),
    "shape": lambda x: x.reshape(-1),
    "type": lambda x: x.astype(ms.float64),
    "error": fail,
}


if __name__ == "__main__":
    torch.set_num_threads(1)
    kind = sys.argv[2]
    comm.init(timeout=2 if kind == "stop" else 60)
    rank, size = comm.get_rank(), comm.get_group_size()
    processes: list = [None] * size
    dist.all_gather_object(processes, os.getpid())
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=size)
    ms.set_seed(1)
    stages = [Stage(i) for i in range(size)]
    odd = 1 if kind in ("shape", "type", "error") else size - 1
    stages[odd].happens = HAPPENS.get(kind, lambda x: x)
    net = nn.SequentialCell(stages)
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), 4)
    step = ms.value_and_grad(cell, None, cell.trainable_params())
    x = ms.Tensor(np.ones((8, 4), np.float32))
    step(x, x)
    found = {}
    if kind == "order" and rank == odd:
        found["first"] = attempt(lambda: ops.AllReduce()(x))
    elif kind == "rows" and rank == odd:
        found["first"] = attempt(lambda: step(x[:4], x[:4]))
    else:
        found["first"] = attempt(lambda: step(x, x))
    found["again"] = attempt(lambda: step(x, x)[0])
    with open(sys.argv[1], "w") as file:
        json.dump(found, file)
    if kind == "stop" and rank == 0:
        os.kill(processes[odd], signal.SIGKILL)
    comm.release()
