"""Sends parameters in four processes; see test_parameter_broadcast."""

from __future__ import annotations

import json
import sys

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar import nn
from agar.parallel import Layout, parameter_broadcast
from agar.parallel.auto_parallel import AutoParallel

FOUND: dict = {}


class Net(nn.Cell):
    def __init__(self, rank):
        super().__init__()
        for name in "abcd":
            value = np.full((4, 2), 10.0 * rank + "abcd".index(name), np.float32)
            frozen = name == "d"
            setattr(self, name, ms.Parameter(ms.Tensor(value), name=name, requires_grad=not frozen))

    def construct(self, x):
        return ms.ops.matmul(x, self.a)


def firsts(net):
    return [float(p.asnumpy().reshape(-1)[0]) for p in net.get_parameters()]


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def run(rank):
    net = Net(rank)
    parameter_broadcast(net, {}, rank)
    FOUND["all"] = firsts(net)

    # whole in every process: dealt out to them in the order of their names
    net = Net(rank)
    whole = [[4], [-1, -1]]
    parameter_broadcast(net, {"d": whole, "a": whole, "c": whole}, rank)
    FOUND["dealt out"] = firsts(net)

    # split over two processes, which two others hold as well
    net = Net(0)
    net.layout = layout = Layout((2, 2), ("dp", "tp"))
    parallel = AutoParallel(net)
    net.a._value = ms.ops.reshard(net.a, layout("tp", "None"))._value
    local = net.a._value.to_local()
    local.fill_(float(rank))
    split = [[2, 2], [0, -1]]
    parameter_broadcast(parallel, {"a": split}, rank)
    FOUND["split"] = local[0, 0].item()
    FOUND["not as it lies"] = message(lambda: parameter_broadcast(net, {"a": whole}, rank))
    FOUND["without a layout"] = message(lambda: parameter_broadcast(net, None, rank))

    net = Net(rank)
    FOUND["split in the layout alone"] = message(
        lambda: parameter_broadcast(net, {"a": split}, rank)
    )
    FOUND["unknown"] = message(lambda: parameter_broadcast(net, {"z": whole}, rank))
    FOUND["devices"] = message(lambda: parameter_broadcast(net, {"a": [[2], [-1, -1]]}, rank))
    FOUND["entry"] = message(lambda: parameter_broadcast(net, {"a": 3}, rank))
    FOUND["group"] = message(
        lambda: parameter_broadcast(net, {"a": [[4], [-1, -1], [4, 2], 0, True, "0-1"]}, rank)
    )
    FOUND["rank"] = message(lambda: parameter_broadcast(net, {}, rank + 1))
    FOUND["first"] = message(lambda: parameter_broadcast(net, {}, rank, 2))
    FOUND["unchanged"] = firsts(net)

    ms.set_auto_parallel_context(pipeline_stages=2)
    parameter_broadcast(net, {}, rank, rank // 2 * 2)
    FOUND["stages"] = firsts(net)


if __name__ == "__main__":
    torch.set_num_threads(1)
    comm.init()
    run(comm.get_rank())
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
