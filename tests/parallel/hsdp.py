"""Trains networks of which each process keeps a part; see test_hsdp.

Each network is trained by one process alone as well, in every process.
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import numpy as np

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.distributed.sharding import local
from agar.parallel.auto_parallel import AutoParallel

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
TP = 2 if SIZE == 4 else 1
FOUND: dict = {}


class Network(nn.Cell):
    """Attention, and two products that may be split by columns; the embedding is the head, too."""

    def __init__(self, split: bool = False, recomputed: bool = False) -> None:
        super().__init__()
        ms.set_seed(5)
        self.embedding = nn.Embedding(16, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.up, self.down = nn.Dense(8, 16), nn.Dense(16, 8)
        self.head = nn.Dense(8, 16, has_bias=False)
        self.head.weight = self.embedding.embedding_table
        if split:
            self.up.shard(((SIZE // TP, 1),), None, {"weight": (TP, 1), "bias": (TP,)})
            self.down.shard(((SIZE // TP, TP),), ((SIZE // TP, 1),), {"weight": (1, TP)})
        if recomputed:
            self.layer.recompute()

    def construct(self, x):
        hidden = self.layer(self.embedding(x)).mean(1)
        return self.head(self.down(ops.relu(self.up(hidden))))


def rows(count=8):
    draw = np.random.RandomState(7)
    x, y = draw.randint(0, 16, (count, 4)), draw.randint(0, 16, count)
    return ms.Tensor(x.astype(np.int32)), ms.Tensor(y.astype(np.int32))


def own_rows():
    own = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)
    return tuple(t[own].copy() for t in rows())


OPTIMIZERS = {
    "adam": lambda p: nn.Adam(p, 0.01),
    "momentum": lambda p: nn.Momentum(p, 0.1, 0.9, weight_decay=0.01),
}


def trained(network, level, way="step", optimizer="adam", size=-1, steps=4, broadcast=False):
    """The network, its optimizer, and losses, gradients and parameters."""
    net, loss = network, nn.CrossEntropyLoss()
    opt = OPTIMIZERS[optimizer](net.trainable_params())
    batch = rows() if level is None else own_rows()
    if way in ("cell", "model"):
        given = nn.WithLossCell(net, loss)
        made = nn.TrainOneStepCell(given, opt)
        step = planned(made, level, size).set_train()
        if way == "model":
            ms.Model(planned(net, level, size), loss, opt).train(1, [batch] * steps)
            return net, opt, [np.array(p.asnumpy()) for p in opt.get_parameters()]
        losses = [step(*batch).asnumpy() for _ in range(steps)]
        return net, opt, [*losses, *(np.array(p.asnumpy()) for p in opt.get_parameters())]
    forward = lambda x, y: loss(net(x), y)  # noqa: E731
    if way == "loss":
        forward = planned(forward, level, size)
    gradient = ms.value_and_grad(forward, None, opt.parameters)

    def step(x, y):
        value, grads = gradient(x, y)
        FOUND["gradients"] = sum(local(g._value).nbytes for g in grads)
        opt(grads)
        return value, grads

    if way == "step":
        step = planned(step, level, size)
    found = []
    for i in range(steps):
        value, grads = step(*batch)
        found.append(value.asnumpy())
        if i == 0:
            found += [g.asnumpy() for g in grads]
    return net, opt, [*found, *(np.array(p.asnumpy()) for p in opt.get_parameters())]


def planned(run, level, size=-1):
    if level is None:
        return run
    made = AutoParallel(run, "data_parallel" if level == 0 else "semi_auto")
    if level:
        made.hsdp(size, 0, f"level{level}")
    return made


def differs(alone, found):
    return max(float(abs(a - b).max()) for a, b in zip(alone, found, strict=True))


def size_of(parameters):
    return sum(local(p._value).nbytes for p in parameters)


def held(net, opt):
    """Bytes of parameters, states and gradients in this process, and in one alone."""
    states = [p for p in opt.get_parameters() if p.name.startswith("moment")]
    total = sum(p.size * p.itemsize for p in net.trainable_params())
    return {
        "parameters": size_of(net.trainable_params()) / total,
        "states": size_of(states) / total / 2,
        "gradients": FOUND.pop("gradients", 0) / total,
    }


def bits(found):
    return [a.tobytes().hex()[:4096] for a in found]


def ways():
    for way in ("step", "loss", "cell", "model"):
        # Model refuses to train alone in several processes
        alone = trained(Network(), None, "cell" if way == "model" else way)[2]
        alone = alone[4:] if way == "model" else alone
        for level in (0, 1, 2, 3):
            net, opt, found = trained(Network(), level, way)
            FOUND[f"{way} {level}"] = {
                "difference": differs(alone, found),
                "bits": bits(found),
                "held": held(net, opt),
            }
    alone = trained(Network(), None, "step", "momentum")[2]
    FOUND["momentum"] = {}
    for level in (1, 2, 3):
        found = trained(Network(recomputed=True), level, "step", "momentum")[2]
        FOUND["momentum"][level] = differs(alone, found)


def combined():
    """With layouts of operators, and with fewer parts than processes."""
    alone = trained(Network(), None)[2]
    FOUND["split"] = {}
    for level in (1, 2, 3):
        net, opt, found = trained(Network(split=True), level)
        FOUND["split"][level] = [differs(alone, found), held(net, opt)]
        FOUND["split"][level].append(local(net.up.weight._value).numel() / net.up.weight.size)
    FOUND["groups"] = {}
    for level in (1, 2, 3):
        net, opt, found = trained(Network(), level, size=2)
        FOUND["groups"][level] = [differs(alone, found), held(net, opt)]


def by_context():
    """`enable_parallel_optimizer` in the mode semi_auto_parallel."""
    alone = trained(Network(), None, "cell")[2]
    FOUND["context"] = {}
    for level in (1, 2, 3):
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel",
            enable_parallel_optimizer=True,
            parallel_optimizer_config={
                "optimizer_level": f"level{level}",
                "parallel_optimizer_threshold": 0,
            },
        )
        net, loss = Network(), nn.CrossEntropyLoss()
        opt = nn.Adam(net.trainable_params(), 0.01)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), opt).set_train()
        losses = [step(*own_rows()).asnumpy() for _ in range(4)]
        found = [*losses, *(np.array(p.asnumpy()) for p in opt.get_parameters())]
        FOUND["context"][level] = [differs(alone, found), held(net, opt)]
        ms.reset_auto_parallel_context()


def sent():
    """The collectives of a step by level."""
    FOUND["sent"] = {}
    for level in (0, 1, 2, 3):
        net, loss = Network(), nn.CrossEntropyLoss()
        opt = nn.Adam(net.trainable_params(), 0.01)
        step = planned(nn.TrainOneStepCell(nn.WithLossCell(net, loss), opt), level).set_train()
        for _ in range(2):
            step(*own_rows())
        seen = ms.parallel.explain(step).messages or ()
        # of whole parameters: a table of 16 times 8, four bytes each
        FOUND["sent"][level] = sorted({m.kind for m in seen if m.bytes >= 512})


def parking():
    """Before the first call a process has parts, whatever operators ask for."""
    ms.set_seed(1)
    net: nn.Cell = nn.SequentialCell(nn.Dense(128, 256), nn.ReLU(), nn.Dense(256, 128))
    lazy = [p.has_init for p in net.get_parameters()]
    made = AutoParallel(net)
    before = {p.name: local(p._value).numel() / p.size for p in net.get_parameters()}
    made(ms.Tensor(np.ones((2, 128), np.float32)))
    after = {p.name: local(p._value).numel() / p.size for p in net.get_parameters()}
    FOUND["parking"] = {"lazy": lazy, "before": before, "after": after}


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


class Writes(nn.Cell):
    def __init__(self, change):
        super().__init__()
        self.change = change
        self.weight = ms.Parameter(ms.Tensor(np.ones((4, 2), np.float32)), name="weight")

    def construct(self, x):
        self.change(self.weight)
        return (x * self.weight).sum()


def refusals():
    x = ms.Tensor(np.ones((4, 2), np.float32))

    def writes(change):
        made = AutoParallel(Writes(change))
        made.dataset_strategy("full_batch")
        made.hsdp(-1, 0, "level3")
        return message(lambda: made(x))

    net = nn.Dense(2, 4)
    lamb = nn.Lamb(net.trainable_params(), 0.1)
    split = AutoParallel(net)
    split.hsdp(-1, 0, "level1")
    gradient = ms.grad(lambda a: split(a).sum(), None, lamb.parameters)
    FOUND["refusals"] = {
        "assigns": writes(lambda p: ops.assign(p, p * 2)),
        "sets": writes(lambda p: p.set_data(p * 2)),
        "divides": message(lambda: AutoParallel(nn.Dense(2, 2)).hsdp(3)),
        "level": message(lambda: AutoParallel(nn.Dense(2, 2)).hsdp(1, 0, "level4")),
        "strategies": message(
            lambda: AutoParallel(nn.Dense(2, 2).shard(((SIZE, 1),)), "data_parallel")
        ),
        "lamb": message(lambda: lamb(gradient(x))),
    }


def checkpoints():
    folder = os.environ["AGAR_CHECKPOINTS"]
    opt = trained(Network(), 3)[1]
    ms.save_checkpoint(opt, f"{folder}/{RANK}.ckpt")
    loaded: dict = ms.load_checkpoint(f"{folder}/{RANK}.ckpt")
    saved = [loaded[p.name].asnumpy() for p in opt.get_parameters()]
    FOUND["saved"] = differs([p.asnumpy() for p in opt.get_parameters()], saved)
    other = Network()
    again = nn.Adam(other.trainable_params(), 0.01)
    made = AutoParallel(other)
    made.hsdp(-1, 0, "level3")
    ms.load_param_into_net(again, loaded)
    FOUND["loaded"] = differs(saved, [p.asnumpy() for p in again.get_parameters()])
    FOUND["tied"] = other.head.weight is other.embedding.embedding_table


if __name__ == "__main__":
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*runs as ordinary Python")
    comm.init(timeout=60)
    parking()
    ways()
    combined()
    by_context()
    sent()
    refusals()
    checkpoints()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
