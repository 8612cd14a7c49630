"""Something goes wrong in one process of a split network; see test_split_failures."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import warnings

import numpy as np
import torch

import agar as ms
import agar.mint.distributed as dist
from agar import communication as comm
from agar import nn, ops
from agar.nn.wrap import _split_network
from agar.parallel.auto_parallel import AutoParallel


class Dies(nn.Cell):
    """Kills its process in the backward pass."""

    def construct(self, x):
        return x

    def bprop(self, x, out, grad):
        os.kill(os.getpid(), signal.SIGKILL)
        return (grad,)


class Network(nn.Cell):
    """Layers that collect their own parameters, and something that happens between them."""

    def __init__(self):
        super().__init__()
        ms.set_seed(1)
        self.first, self.last = nn.Dense(4, 8), nn.Dense(8, 4)
        self.middle = nn.SequentialCell(nn.Dense(8, 8), nn.Dense(8, 8))
        self.happens, self.dies = "", Dies()

    def construct(self, x):
        x = self.first(x)
        if self.happens == "raise":
            raise ZeroDivisionError("a mistake between two layers")
        if self.happens in SIGNALS:
            os.kill(os.getpid(), SIGNALS[self.happens])
        if self.happens == "kill in backward":
            x = self.dies(x)
        x = self.middle(x)
        if self.happens == "raise later":
            raise ZeroDivisionError("a mistake behind these layers")
        return self.last(ops.relu(x))


SIGNALS = {"kill inside": signal.SIGKILL, "stop inside": signal.SIGSTOP}


def attempt(call):
    start = time.monotonic()
    try:
        text = str(call())
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return [time.monotonic() - start, text]


def made():
    net = Network()
    opt = nn.Adam(net.trainable_params(), 0.01)
    step = AutoParallel(nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train())
    step.hsdp(-1, 0, "level3")
    return net, step


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    kind, mode = sys.argv[2:]
    _split_network._LARGEST, _split_network._SMALL = 200, 0  # a message for each layer
    comm.init(timeout=4 if kind.startswith("stop") else 60)
    rank, size = comm.get_rank(), comm.get_group_size()
    processes: list = [None] * size
    dist.all_gather_object(processes, os.getpid())
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    net, step = made()
    other = made()[1]
    x = ms.Tensor(np.ones((2, 4), np.float32))
    for _ in range(5):
        before = float(step(x, x))
        other(x, x)
    odd = rank == size - 1
    if kind in ("kill", "stop") and odd:
        os.kill(os.getpid(), signal.SIGKILL if kind == "kill" else signal.SIGSTOP)
    if kind in ("all", "apart") or (kind == "error" and odd):
        net.happens = "raise later" if kind == "apart" and odd else "raise"
    elif odd and kind in (*SIGNALS, "kill in backward"):
        net.happens = kind
    use = other if kind == "order" and odd else step
    rows = x[:1].copy() if kind == "rows" and odd else x
    found = {"before": before, "first": attempt(lambda: use(rows, rows))}
    net.happens = ""
    found["again"] = attempt(lambda: float(step(x, x)))
    with open(sys.argv[1], "w") as file:
        json.dump(found, file)
    if kind.startswith("stop") and rank == 0:
        os.kill(processes[-1], signal.SIGKILL)
    comm.release()
