"""Trains small networks inside of DistributedDataParallel; see the test of this name.

The same program in one process trains with all rows.
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar import nn
from agar.parallel.distributed import DistributedDataParallel

RANK, SIZE = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
FOUND: dict = {}
OPTIONS = {
    "defaults": {},
    "after": {"average_in_collective": True},
    "static": {"static_graph": True, "reducer_mode": "PythonReducer"},
    "unused": {"find_unused_parameters": True},
    "small buckets": {"bucket_cap_mb": 1e-4},
    "group": {"process_group": "everyone"},
}
X = np.random.RandomState(2).randn(4, 8, 3).astype(np.float32)
Y = np.random.RandomState(3).randn(4, 8, 2).astype(np.float32)
OWN = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)


class Net(nn.Cell):
    """Two layers, a parameter that is frozen, and one that process 0 alone uses."""

    def __init__(self, half=False):
        super().__init__()
        self.first = nn.Dense(3, 5)
        self.second = nn.Dense(5, 2)
        self.scale = ms.Parameter(ms.Tensor([2.0]), name="scale", requires_grad=False)
        self.partly = ms.Parameter(ms.Tensor([1.0, 1.0]), name="partly")
        if half:
            self.to_float(ms.float16)

    def construct(self, x, partly=False):
        out = self.second(ms.ops.tanh(self.first(x))) * self.scale
        return out * self.partly if partly else out


class Compiled(Net):
    @ms.jit
    def construct(self, x):
        return self.second(ms.ops.tanh(self.first(x))) * self.scale


def wrapped(seed=3, make=Net, **options):
    ms.set_seed(seed)
    return DistributedDataParallel(make(), **options)


def tensors(step):
    return ms.Tensor(X[step, OWN]), ms.Tensor(Y[step, OWN])


def weights(net):
    return {p.name: p.asnumpy().reshape(-1).tolist() for p in net.get_parameters()}


def lists(grads):
    return [g.asnumpy().reshape(-1).tolist() for g in grads]


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def gradient_of(net, **keywords):
    loss = nn.MSELoss()
    return ms.value_and_grad(lambda x, y: loss(net(x, **keywords), y), None, net.trainable_params())


def train(net, accumulate=False):
    """Four steps, or two with the gradients of two batches each."""
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = gradient_of(net)
    for i in range(4):
        if accumulate and i % 2 == 0:
            with net.no_sync():
                step(*tensors(i))
            continue
        _, grads = step(*tensors(i))
        opt(grads)
        net.zero_grad()
    return weights(net)


def trainings():
    for mode, number in {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}.items():
        ms.set_context(mode=number)
        for name, options in OPTIONS.items():
            FOUND[f"{mode} {name}"] = train(wrapped(**options))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    FOUND["accumulated"] = train(wrapped(), accumulate=True)
    FOUND["half"] = train(wrapped(make=lambda: Net(True)))
    net = wrapped()
    net.module.first.recompute()
    FOUND["recomputed"] = train(net)
    FOUND["jit"] = train(wrapped(make=Compiled))

    net, loss = wrapped(), nn.MSELoss()
    step = ms.value_and_grad(ms.jit(lambda x, y: loss(net(x), y)), None, net.trainable_params())
    FOUND["jit around"] = [lists(step(*tensors(i))[1]) for i in range(4)]

    net = wrapped().set_grad()
    take = ms.ops.GradOperation(get_by_list=True, sens_param=True)(net, net.trainable_params())
    x, y = tensors(0)
    sens = (net(x) - y) * (2.0 / y.size)
    FOUND["operation"] = lists(take(x, sens))

    # two networks of one loss, each with its own reduction, and one that is called twice
    a, b = wrapped(), wrapped(4)
    both = [*a.trainable_params(), *b.trainable_params()]
    step = ms.grad(lambda x, y: loss(a(x) + b(x) + b(-x), y), None, both)
    FOUND["two networks"] = [lists(step(*tensors(i))) for i in range(2)]

    # the inner gradient by inputs is differentiated, the outer by parameters is reduced
    net = wrapped()
    inner = ms.grad(lambda x: net(x).sum())
    outer = ms.grad(lambda x: (inner(x) ** 2).sum(-1).mean(), None, net.trainable_params())
    FOUND["penalty"] = lists(outer(tensors(0)[0]))


def accumulations():
    net = wrapped()
    step = gradient_of(net)
    first, second = lists(step(*tensors(0))[1]), lists(step(*tensors(1))[1])
    with net.no_sync():
        local = lists(step(*tensors(2))[1])
    whole = lists(step(*tensors(3))[1])
    net.zero_grad()
    FOUND["accumulation"] = [first, second, whole, lists(step(*tensors(1))[1])]
    FOUND["local"] = local

    def inside(x, y):
        with net.no_sync():
            return nn.MSELoss()(net(x), y)

    net.zero_grad()
    own = ms.grad(inside, None, net.trainable_params())(*tensors(0))
    FOUND["no_sync inside"] = [lists(own), net.sync_enabled]
    # by one parameter: the others stay as they were
    FOUND["one"] = lists([ms.grad(lambda x: net(x).sum(), None, net.module.partly)(tensors(0)[0])])


def several():
    # parameters of process 0, those that are frozen too
    net = wrapped(RANK)
    FOUND["sent"] = weights(net)
    net = wrapped(RANK, init_sync=False)
    FOUND["different"] = message(lambda: gradient_of(net)(*tensors(0)))
    net.broadcast_coalesced()
    gradient_of(net)(*tensors(0))
    FOUND["made equal"] = weights(net)

    # only process 0 uses a parameter; a process whose loss depends on none
    net = wrapped()
    gradient = gradient_of(net, partly=RANK == 0)(*tensors(0))[1]
    FOUND["partly"] = lists(gradient)
    net = wrapped()
    loss = nn.MSELoss()
    alone = ms.grad(
        lambda x, y: loss(net(x), y) if RANK == 0 else net(x).sum() * 0 + y.sum(),
        None,
        net.trainable_params(),
    )
    FOUND["constant"] = lists(alone(*tensors(0)))
    nothing = ms.grad(
        lambda x, y: loss(net(x), y) if RANK == 0 else (net(x), y.sum())[1],
        None,
        net.trainable_params(),
    )
    net.zero_grad()
    FOUND["nothing"] = lists(nothing(*tensors(0)))

    # different numbers of rows: the mean of the means, as PyTorch has it
    x, y = tensors(0)
    net.zero_grad()
    FOUND["rows"] = lists(gradient_of(net)(x[RANK:], y[RANK:])[1])

    # a process fails in its backward pass, all raise, and go on
    class Fails(nn.Cell):
        def construct(self, x):
            return x

        def bprop(self, x, out, dout):
            raise ValueError("this process fails")

    net, fails = wrapped(), Fails()
    bad = ms.grad(
        lambda x, y: loss(net(fails(x * net.module.partly.sum()) if RANK == 1 else x), y),
        None,
        net.trainable_params(),
    )
    FOUND["failed"] = message(lambda: bad(*tensors(0)))
    FOUND["afterwards"] = lists(gradient_of(net)(*tensors(0))[1])

    # refused
    step = ms.grad(lambda x: net(x).sum(), 0, net.trainable_params())
    twice = ms.grad(lambda x: step(x)[0].sum())
    FOUND["differentiated again"] = message(lambda: twice(tensors(0)[0]))
    FOUND["vmap"] = message(lambda: ms.vmap(net)(tensors(0)[0]))
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    cell = nn.TrainOneStepCell(
        nn.WithLossCell(net, loss), nn.SGD(net.trainable_params(), 0.1)
    ).set_train()
    FOUND["twice"] = message(lambda: cell(*tensors(0)))
    ms.reset_auto_parallel_context()
    net.module.scale.requires_grad = True
    FOUND["thawed"] = message(lambda: gradient_of(net)(*tensors(0)))
    FOUND["no group"] = message(lambda: wrapped(process_group="nobody"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", "'.*' runs as ordinary Python")
    warnings.filterwarnings("ignore", ".*does not depend on the weights")
    comm.init()
    comm.create_group("everyone", list(range(SIZE)))
    trainings()
    accumulations()
    if SIZE > 1:
        several()
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
