"""The programs of MindSpore's tutorials on several processes, written anew; see test_tutorials.

The same program in one process computes the whole of each.
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import numpy as np
import torch

import agar as ms
import agar.dataset as ds
from agar import communication as comm
from agar import nn, ops
from agar.parallel import Layout
from agar.parallel.auto_parallel import AutoParallel

RANK, SIZE = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
#: The axes of the grids in the tutorials' strategies: rows of the batch, and columns.
DP, MP = (2, 2) if SIZE == 4 else (1, 1)
ROWS, STEPS, MICRO = 16, 3, 2
FOUND: dict = {}


class Network(nn.Cell):
    """Three matrices on images, as the tutorials have them; their images are of 28 by 28 pixels."""

    def __init__(self) -> None:
        super().__init__()
        ms.set_seed(1)
        self.flatten = nn.Flatten()
        draw = [ms.Tensor(np.random.RandomState(i).randn(*s).astype("f") * 0.2) for i, s in
                enumerate(((16, 32), (32, 32), (32, 4)))]  # fmt: skip
        self.fc1 = ms.Parameter(draw[0], name="fc1_weight")
        self.fc2 = ms.Parameter(draw[1], name="fc2_weight")
        self.fc3 = ms.Parameter(draw[2], name="fc3_weight")
        self.matmul1, self.relu1 = ops.MatMul(), ops.ReLU()
        self.matmul2, self.relu2 = ops.MatMul(), ops.ReLU()
        self.matmul3 = ops.MatMul()

    def construct(self, x):
        x = self.relu1(self.matmul1(self.flatten(x), self.fc1))
        x = self.relu2(self.matmul2(x, self.fc2))
        return self.matmul3(x, self.fc3)


def by_strategies(net):
    if SIZE > 1:
        net.matmul1.shard(((DP, 1), (1, MP)))
        net.relu1.shard(((DP, MP),))
        net.matmul2.shard(((DP, MP), (MP, 1)))
        net.relu2.shard(((SIZE, 1),))
    return net


def by_layouts(net):
    if SIZE > 1:
        layout = Layout((DP, MP), ("dp", "mp"))
        net.matmul1.shard((layout("dp", "None"), layout("None", "mp")))
        net.matmul2.shard((layout("dp", "mp"), layout("mp", "None")))
    return net


def dataset(shards=1, rank=0):
    draw = np.random.RandomState(4)
    x = draw.randn(STEPS * ROWS, 4, 4).astype(np.float32)
    y = draw.randint(0, 4, STEPS * ROWS).astype(np.int32)
    # batches of one process are the shards' batches side by side
    own = [i for i in range(len(x)) if i // (ROWS // shards) % shards == rank]
    source = ds.NumpySlicesDataset((x[own], y[own]), ["image", "label"], shuffle=False)
    return source.batch(ROWS // shards)


def train(step, data, epochs=2):
    """The losses of some epochs."""
    return [float(step(*row)) for _ in range(epochs) for row in data]


def functional(net, optimizer, reduce=lambda grads: grads):
    """The training step that all of the tutorials have."""
    loss = nn.CrossEntropyLoss()

    def forward(x, y):
        logits = net(x)
        return loss(logits, y), logits

    gradient = ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)

    def train_step(x, y):
        (value, _), grads = gradient(x, y)
        optimizer(reduce(grads))
        return value

    return train_step


def data_parallel():
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    net = Network()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    reducer = nn.DistributedGradReducer(optimizer.parameters)
    mean = comm.comm_func.all_reduce
    losses = train(functional(net, optimizer, reducer), dataset(SIZE, RANK))
    total = mean(ms.Tensor(np.array(losses, np.float32)))
    return ((total[0] if isinstance(total, tuple) else total).asnumpy() / SIZE).tolist(), net


def model_data_parallel():
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    net = Network()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = ms.Model(net, nn.CrossEntropyLoss(), optimizer)
    model.train(2, dataset(SIZE, RANK), callbacks=[ms.LossMonitor(100)])
    return [], net


def planned(net, mode="semi_auto", optimizer=None, **hsdp):
    optimizer = optimizer or nn.SGD(net.trainable_params(), 0.1)
    step = AutoParallel(functional(net, optimizer), mode)
    step.dataset_strategy("full_batch")
    if hsdp:
        step.hsdp(**hsdp)
    return train(step, dataset()), net


def operator_parallel():
    return planned(by_strategies(Network()))


def operator_parallel_by_layouts():
    return planned(by_layouts(Network()))


def sharding_propagation():
    net = Network()
    if SIZE > 1:
        net.matmul1.shard(((DP, 1), (1, MP)))
    return planned(net, "sharding_propagation")


def optimizer_parallel():
    net = by_strategies(Network())
    return planned(net, optimizer=nn.Adam(net.trainable_params(), 0.01), shard_size=-1, threshold=0)


def optimizer_parallel_level_3():
    net = by_strategies(Network())
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    return planned(net, optimizer=optimizer, threshold=0, optimizer_level="level3")


def recompute():
    net = by_strategies(Network())
    net.relu1.recompute()
    return planned(net)


def gradient_accumulation():
    net = by_strategies(Network())
    cell = nn.GradAccumulationCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = AutoParallel(nn.TrainOneStepCell(cell, optimizer, sens=1 / MICRO).set_train())
    step.dataset_strategy("full_batch")
    return [loss / MICRO for loss in train(step, dataset())], net


def semi_auto_of_the_context():
    ms.set_auto_parallel_context(
        parallel_mode=ms.ParallelMode.SEMI_AUTO_PARALLEL, dataset_strategy="full_batch"
    )
    net = by_strategies(Network())
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    return train(step, dataset()), net


class Layers(nn.Cell):
    """The network of the tutorial on pipelines: a layer for each stage."""

    def __init__(self) -> None:
        super().__init__()
        net = Network()
        self.layer1, self.layer2 = Layer(net.fc1), Layer(net.fc2)
        self.layer3 = Layer(net.fc3, last=True)

    def construct(self, x):
        return self.layer3(self.layer2(self.layer1(x)))


class Layer(nn.Cell):
    def __init__(self, weight, last=False) -> None:
        super().__init__()
        self.weight, self.last = weight, last
        self.flatten, self.matmul = nn.Flatten(), ops.MatMul()

    def construct(self, x):
        x = self.matmul(self.flatten(x), self.weight)
        return x if self.last else ops.relu(x)


def pipeline_parallel():
    net = Layers()
    net.layer1.pipeline_stage = 0
    net.layer2.pipeline_stage = net.layer3.pipeline_stage = 1
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO)
    gradient = ms.value_and_grad(lambda x, y: cell(x, y) / MICRO, None, optimizer.parameters)
    reducer = nn.PipelineGradReducer(optimizer.parameters)

    def train_step(x, y):
        value, grads = gradient(x, y)
        optimizer(reducer(grads))
        return value

    step = AutoParallel(train_step)
    step.pipeline(stages=min(SIZE, 2))
    step.dataset_strategy("full_batch")
    return train(step, dataset()), net


PROGRAMS = (
    data_parallel,
    model_data_parallel,
    operator_parallel,
    operator_parallel_by_layouts,
    sharding_propagation,
    optimizer_parallel,
    optimizer_parallel_level_3,
    recompute,
    gradient_accumulation,
    semi_auto_of_the_context,
    pipeline_parallel,
)


def main() -> None:
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*runs as ordinary Python")
    comm.init(timeout=60)
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        for program in PROGRAMS:
            ms.reset_auto_parallel_context()
            ms.set_context(mode=mode)
            with torch.profiler.profile() as seen:
                losses, net = program()
            ms.set_context(mode=ms.PYNATIVE_MODE)
            FOUND[f"{program.__name__} {mode}"] = {
                "losses": losses,
                "parameters": {p.name: p.asnumpy().tolist() for p in net.trainable_params()},
                "messages": sum(e.name.startswith("gloo:") for e in seen.events() or ()),
            }
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)


if __name__ == "__main__":
    main()
