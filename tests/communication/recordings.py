"""Collectives and gradients in recordings, and steps that fail; see test_recordings."""

from __future__ import annotations

import json
import os
import sys
import warnings

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.graph.cache.function import compiled_functions
from agar._core.graph.diagnostics import GraphWarning

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
MODES = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}
FOUND: dict = {}


def tensor(*values):
    return ms.Tensor(np.array(values, np.float32))


def weights(net):
    return {p.name: p.asnumpy().reshape(-1).tolist() for p in net.get_parameters()}


def message(call, *args):
    try:
        return str(call(*args))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def runs_of_python(call, *args, count=4):
    """How often the Python of compiled calls runs in some more calls."""
    before = sum(f.runs for f in compiled_functions())
    for _ in range(count):
        call(*args)
    return sum(f.runs for f in compiled_functions()) - before


class Collectives(nn.Cell):
    """Each collective that has a gradient, one after the other."""

    def __init__(self, group):
        super().__init__()
        self.reduce, self.greatest = ops.AllReduce("sum", group), ops.AllReduce("max", group)
        self.gather, self.scatter = ops.AllGather(group), ops.ReduceScatter("sum", group)
        self.broadcast = ops.Broadcast(0, group)
        self.exchange = ops.AlltoAllV(group)
        self.weight = ms.Parameter(tensor(2.0), name="weight")

    def construct(self, x):
        whole = self.gather(x * self.weight)
        part = self.scatter(whole * whole)
        sent = self.exchange(part, [1, 1], [1, 1])
        return self.reduce(sent) + self.greatest(sent) * self.broadcast(x + self.weight)


def collectives():
    """Values and gradients in both modes, of a group that is made anew with other processes."""
    for mode, number in MODES.items():
        ms.set_context(mode=number)
        net = Collectives("pair")
        gradient = ms.value_and_grad(net, 0, net.trainable_params())
        x = tensor(1.0 + RANK, 3.0 - RANK)
        comm.create_group("pair", [0, 1])
        items = []
        for _ in range(4):
            value, (by_x, (by_weight,)) = gradient(x)
            items.append([v.asnumpy().tolist() for v in (net(x), value, by_x, by_weight)])
        FOUND[f"{mode} collectives"] = items
        if mode == "graph":
            FOUND["runs"] = [runs_of_python(net, x), runs_of_python(gradient, x)]
        comm.destroy_group("pair")
        FOUND[f"{mode} destroyed"] = message(net, x)
        comm.create_group("pair", [0, 1])
        FOUND[f"{mode} again"] = net(x).asnumpy().tolist()
        comm.destroy_group("pair")


class Shared(nn.Cell):
    """A weight that is used twice, one that one process uses, one that nobody uses, half ones."""

    def __init__(self):
        super().__init__()
        for name in ("twice", "first", "unused", "last"):
            setattr(self, name, ms.Parameter(tensor(1.0, 2.0), name=name))
        self.half = ms.Parameter(ms.Tensor([1.0], ms.float16), name="half")
        self.empty = ms.Parameter(ms.Tensor(np.ones((0, 3), np.float32)), name="empty")

    def construct(self, x):
        out = (x * self.twice * self.twice).sum() + (self.last * x).sum()
        out = out + self.half.astype(ms.float32).sum() + self.empty.sum()
        return out + (self.first * x).sum() if RANK == 0 else out


def training(net):
    return nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.001)).set_train()


def data_parallel(**settings):
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", **settings)


class Fails(nn.Cell):
    """Its gradient fails in process 1 for a negative input."""

    def __init__(self, backward):
        super().__init__()
        self.dense = nn.Dense(2, 1, "ones", "zeros")
        self.middle = Middle() if backward else nn.Identity()
        self.backward = backward

    def construct(self, x):
        if not self.backward and RANK == 1 and x.sum() < 0:
            raise ValueError("the forward pass fails")
        return self.middle(self.dense(x)).sum()


class Middle(nn.Cell):
    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        if RANK == 1 and x.sum() < 0:
            raise ValueError("the backward pass fails")
        return (dout * 2,)


def steps():
    for mode, number in MODES.items():
        ms.set_context(mode=number)
        data_parallel(gradients_mean=True)
        net = Shared()
        step = training(net)
        for i in range(4):
            step(tensor(1.0 + i + RANK, 2.0))
        FOUND[f"{mode} shared"] = weights(net)
        if mode == "graph":
            FOUND["runs of a step"] = runs_of_python(step, tensor(1.0, 2.0))
        net = Shared()
        step = nn.TrainOneStepWithLossScaleCell(
            net, nn.SGD(net.trainable_params(), 0.1), ms.Tensor(4.0)
        ).set_train()
        for i in range(4):
            step(tensor(1.0 + i + RANK, 2.0))
        FOUND[f"{mode} shared scaled"] = weights(net)

        for backward in (False, True):
            where = "backward" if backward else "forward"
            net = Fails(backward)
            step = training(net)
            good, bad = tensor([1.0, 2.0], [3.0, 4.0]), tensor([-1.0, -2.0], [-3.0, -4.0])
            for _ in range(3):
                step(good)
            before = weights(net)
            FOUND[f"{mode} {where} fails"] = message(step, bad)
            FOUND[f"{mode} {where} untouched"] = before == weights(net)
            step(good)
            FOUND[f"{mode} {where} after"] = weights(net)

        # other collectives than the others call, in the middle of a step
        net = nn.Dense(2, 1, "ones", "zeros")
        step = training(nn.WithLossCell(net, nn.MSELoss()))
        row = tensor([1.0, 2.0]), tensor([RANK])
        for _ in range(3):
            step(*row)
        other = (step, *row) if RANK == 0 else (ops.AllReduce(), tensor(1.0))
        FOUND[f"{mode} other"] = message(*other)
        step(*row)
        FOUND[f"{mode} other after"] = weights(net)


class Normalized(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Dense(3, 4), nn.SyncBatchNorm(4), nn.ReLU(), nn.Dense(4, 4), nn.SyncBatchNorm(4)
        )

    def construct(self, x):
        return (self.layers(x) ** 2)[:, :2].sum()


def replays():
    """A step with SyncBatchNorm and a loss scale is replayed whole."""
    ms.set_context(mode=ms.GRAPH_MODE)
    data_parallel(parameter_broadcast=True)
    net = Normalized()
    update = nn.DynamicLossScaleUpdateCell(64, 2, 2)
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(net, optimizer, update).set_train()
    x = ms.Tensor(np.random.RandomState(RANK).randn(4, 3).astype(np.float32))
    for _ in range(8):
        step(x)
    FOUND["runs with SyncBatchNorm"] = runs_of_python(step, x)
    specializations = step._compiled.specializations.values()
    FOUND["failed recordings"] = [h for s in specializations for h in s.history]
    FOUND["normalized"] = weights(net)


class Ping(nn.Cell):
    """Sends a tensor to the next process, which sends it back changed, alone or in one batch."""

    def __init__(self):
        super().__init__()
        other = (RANK + 1) % SIZE
        self.send, self.receive = ops.Send(3, other), ops.Receive(3, other, (2,), ms.float32)
        self.both = ops.BatchISendIRecv(["isend", "irecv"], [other, other], [[2]], [ms.float32])

    def construct(self, x):
        if RANK == 0:
            self.send(x * 2)
            back = self.receive()
        else:
            back = self.receive() + 1
            self.send(back)
        return back + self.both((x + back,))[1]


def messages():
    """Every call sends anew, whatever comes."""
    for mode, number in MODES.items():
        ms.set_context(mode=number)
        net = Ping()
        items = [net(tensor(1.0 + i, RANK)).asnumpy().tolist() for i in range(5)]
        FOUND[f"{mode} messages"] = items
        if mode == "graph":
            FOUND["runs with messages"] = runs_of_python(net, tensor(1.0, RANK))


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore", GraphWarning)
    comm.init()
    collectives()
    steps()
    replays()
    messages()
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
