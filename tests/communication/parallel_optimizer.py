"""Trains with parts of states, gradients and parameters; see test_parallel_optimizer.

The same program in one process trains with the whole batch.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.graph.cache.function import compiled_functions
from agar._core.graph.diagnostics import GraphWarning

RANK, SIZE = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
MODES = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}
BATCH, STEPS = 8, 4
FOUND: dict = {}


class Net(nn.Cell):
    """Most of it can be cut; a bias of three cannot."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(12, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.norm = nn.LayerNorm((8,))
        self.middle = nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.Dense(16, 8))
        self.head = nn.Dense(8, 3)

    def construct(self, x):
        x = self.norm(self.layer(self.embedding(x)))
        return self.head(self.middle(x.mean(1)))


class Tied(Net):
    """A recomputed layer whose weight the network around it reads as well."""

    def __init__(self) -> None:
        super().__init__()
        self.square = nn.Dense(8, 8)
        self.square.recompute()
        self.layer.recompute()
        self.middle.recompute()

    def construct(self, x):
        x = self.norm(self.layer(self.embedding(x))).mean(1)
        return self.head(self.middle(self.square(x) + ops.matmul(x, self.square.weight)))


def rows():
    draw = np.random.RandomState(5)
    x = draw.randint(0, 12, (STEPS, BATCH, 5)).astype(np.int32)
    y = draw.randint(0, 3, (STEPS, BATCH)).astype(np.int32)
    own = slice(RANK * BATCH // SIZE, (RANK + 1) * BATCH // SIZE)
    return [(ms.Tensor(a[own]), ms.Tensor(b[own])) for a, b in zip(x, y, strict=True)]


OPTIMIZERS = {
    "adam": lambda p: nn.Adam(p, 0.01),
    "momentum": lambda p: nn.Momentum(p, 0.05, 0.9, weight_decay=0.01),
    "decay": lambda p: nn.AdamWeightDecay(p, 0.01),
}


def context(level, size=-1, threshold=0):
    ms.reset_auto_parallel_context()
    if SIZE > 1:
        ms.set_auto_parallel_context(
            parallel_mode="data_parallel",
            gradients_mean=True,
            enable_parallel_optimizer=level > 0,
            parallel_optimizer_config={
                "optimizer_level": f"level{max(level, 1)}",
                "parallel_optimizer_threshold": threshold,
                "optimizer_weight_shard_size": size,
            },
        )


def built(optimizer, scaled=False, recomputed=False):
    ms.set_seed(3)
    net = Tied() if recomputed else Net()
    opt = OPTIMIZERS[optimizer](net.trainable_params())
    loss = nn.WithLossCell(net, nn.CrossEntropyLoss())
    if scaled:
        step = nn.TrainOneStepWithLossScaleCell(loss, opt, nn.DynamicLossScaleUpdateCell(64, 2, 2))
    else:
        step = nn.TrainOneStepCell(loss, opt)
    return net, opt, step.set_train()


def weights(net, folder, integrated=True):
    """As a checkpoint has them."""
    path = os.path.join(folder, f"{RANK}.ckpt")
    ms.save_checkpoint(net, path, integrated_save=integrated)
    found: dict = ms.load_checkpoint(path)
    return {name: value.asnumpy().reshape(-1).tolist() for name, value in found.items()}


def count(tensors):
    return sum(t._value.numel() for t in tensors)


def train(name, level, size=-1, **options):
    for mode, number in MODES.items():
        ms.set_context(mode=number)
        context(level, size)
        net, opt, step = built(**options)
        for row in rows():
            step(*row)
        with tempfile.TemporaryDirectory() as folder:
            FOUND[f"{mode} {name}"] = weights(net, folder)
            FOUND[f"{mode} {name} states"] = weights(opt, folder)
        if mode == "graph":
            runs = sum(f.runs for f in compiled_functions())
            for row in rows():
                step(*row)
            FOUND[f"{name} runs"] = sum(f.runs for f in compiled_functions()) - runs


def sizes():
    """Elements in a process, and gradients that live through the backward pass."""
    for level in (0, 1, 2, 3):
        ms.set_context(mode=ms.PYNATIVE_MODE)
        context(level)
        net, opt, step = built("adam")
        seen = {}
        first = opt.construct

        def watched(grads, first=first, seen=seen):
            seen["gradients"] = count(grads)
            return first(grads)

        vars(opt)["construct"] = watched
        for row in rows():
            step(*row)
        states = [p for p in opt.get_parameters() if p.name.startswith("moment")]
        FOUND[f"elements {level}"] = {
            "parameters": count(net.trainable_params()),
            "states": count(states),
            "gradients": seen["gradients"],
        }


def checkpoints():
    """Saved whole and in parts, loaded into other processes and levels."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with tempfile.TemporaryDirectory() as folder:
        context(3)
        net, _, step = built("adam")
        for row in rows()[:2]:
            step(*row)
        expected = weights(step, folder)
        whole = ms.load_checkpoint(os.path.join(folder, f"{RANK}.ckpt"))
        parts = os.path.join(folder, "parts.ckpt")
        ms.save_checkpoint(step, parts, integrated_save=False)
        saved: dict = ms.load_checkpoint(parts)
        FOUND["in parts"] = {k: list(v.shape) for k, v in saved.items()}
        for source, level in ((whole, 3), (whole, 1), (whole, 0), (ms.load_checkpoint(parts), 3)):
            context(level)
            other, _, again = built("adam")
            left = ms.load_param_into_net(again, source)
            FOUND.setdefault("loaded", []).append(
                weights(again, folder) == expected and not left[0]
            )
            for row in rows()[2:]:
                again(*row)
            FOUND.setdefault("continued", []).append(weights(other, folder))
        for row in rows()[2:]:
            step(*row)
        FOUND["not interrupted"] = weights(net, folder)


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


class Writes(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor(np.ones((4, 2), np.float32)), name="weight")

    def construct(self, x):
        ms.ops.assign(self.weight, self.weight * 2)
        return (x * self.weight).sum()


class Penalized(nn.Cell):
    """Adds the squares of all parameters, which is not that of parts."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 4)

    def construct(self, x):
        return self.dense(x).sum() + sum((p * p).sum() for p in self.trainable_params())


class Own(nn.TrainOneStepCell):
    def construct(self, *inputs):
        return super().construct(*inputs)


def refusals():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    context(1)
    net = Net()
    from agar.experimental import optim

    FOUND["experimental"] = message(lambda: optim.AdamW(net.trainable_params(), 0.1))
    FOUND["lamb"] = message(lambda: nn.Lamb(net.trainable_params(), 0.1))
    context(3)
    opt = nn.SGD(net.trainable_params(), 0.1)
    grads = tuple(ms.ops.zeros_like(p) for p in opt.parameters)
    FOUND["alone"] = message(lambda: opt(grads))
    loss = nn.WithLossCell(net, nn.CrossEntropyLoss())
    FOUND["own cell"] = message(lambda: Own(loss, opt))
    FOUND["gradients"] = message(lambda: nn.TrainOneStepCell(loss, opt, return_grad=True))
    context(0)
    early = nn.SGD(Net().trainable_params(), 0.1)
    context(1)
    FOUND["early"] = message(lambda: nn.TrainOneStepCell(loss, early))
    ms.set_auto_parallel_context(parallel_mode="stand_alone")
    FOUND["mode"] = message(lambda: nn.SGD(net.trainable_params(), 0.1))
    context(1, 3)
    FOUND["number"] = message(lambda: nn.SGD(net.trainable_params(), 0.1))
    context(3)
    net = Writes()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    FOUND["writes"] = message(lambda: step(ms.Tensor([1.0, 2.0])))
    net = Penalized()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    FOUND["elsewhere"] = message(lambda: step(ms.Tensor([[1.0, 2.0]])))


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore", GraphWarning)
    if SIZE > 1:
        comm.init()
    if SIZE == 4:
        train("level3", 3, optimizer="adam")
        for level in (1, 2, 3):
            train(f"replicas {level}", level, 2, optimizer="adam")
    else:
        for level in (0, 1, 2, 3):
            train(f"level{level}", level, optimizer="adam")
        train("momentum", 3, optimizer="momentum")
        train("decay", 2, optimizer="decay")
        train("scaled", 3, optimizer="adam", scaled=True)
        train("recomputed", 3, optimizer="adam", recomputed=True)
    if SIZE > 1:
        sizes()
    if SIZE == 2:
        checkpoints()
        refusals()
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
