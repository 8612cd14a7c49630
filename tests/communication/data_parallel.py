"""Trains small networks in all ways of data parallel; see test_data_parallel.

The same program in one process trains with the whole batch.
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import numpy as np
import torch

import agar as ms
import agar.dataset
from agar import communication as comm
from agar import nn

RANK, SIZE = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
BATCH, STEPS = 8, 3
MODES = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}
FOUND: dict = {}


class Encoder(nn.Cell):
    """A small transformer that classifies sequences."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.head = nn.Dense(8, 3)

    def construct(self, x):
        return self.head(self.layer(self.embedding(x)).mean(1))


def image_net(norm):
    return nn.SequentialCell(
        nn.Conv2d(1, 4, 3, has_bias=True),
        norm(4),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Dense(36, 3),
    )


NETS = {
    "cnn": lambda: image_net(nn.BatchNorm2d if SIZE == 1 else nn.SyncBatchNorm),
    "transformer": Encoder,
}


def rows(kind, dtype):
    draw = np.random.RandomState(5)
    if kind == "cnn":
        x = draw.randn(STEPS, BATCH, 1, 6, 6).astype(dtype)
    else:
        x = draw.randint(0, 11, (STEPS, BATCH, 5)).astype(np.int32)
    y = draw.randint(0, 3, (STEPS, BATCH)).astype(np.int32)
    own = slice(RANK * BATCH // SIZE, (RANK + 1) * BATCH // SIZE)
    return [(ms.Tensor(a[own]), ms.Tensor(b[own])) for a, b in zip(x, y, strict=True)]


def made(kind, dtype):
    ms.set_seed(3)
    net = NETS[kind]()
    if dtype == "float64":
        for p in net.get_parameters():
            p.set_dtype(ms.float64)
    return net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9)


def one_step_cell(net, loss, opt, data):
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), opt).set_train()
    for row in data:
        step(*row)


def loss_scale_cell(net, loss, opt, data):
    update = nn.DynamicLossScaleUpdateCell(64, 2, 2)
    step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, loss), opt, update).set_train()
    for row in data:
        step(*row)


def model(net, loss, opt, data):
    ms.Model(net, loss, opt).train(1, data)


def functional(net, loss, opt, data):
    reducer = nn.DistributedGradReducer(opt.parameters)
    gradient = ms.value_and_grad(lambda x, y: loss(net(x), y), None, opt.parameters)
    net.set_train()
    for row in data:
        opt(reducer(gradient(*row)[1]))


WAYS = {f.__name__: f for f in (one_step_cell, loss_scale_cell, model, functional)}


def weights(net):
    return {p.name: p.asnumpy().reshape(-1).tolist() for p in net.get_parameters()}


def with_context(**settings):
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(**settings)


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def linear(offset=0.0):
    net = nn.Dense(2, 1)
    net.weight.set_data(ms.Tensor([[1.0 + offset, 2.0 + offset]]))
    net.bias.set_data(ms.Tensor([0.0]))
    return net


X = ms.Tensor(np.array([[1.0, 2.0], [3.0, -1.0]], np.float32) + RANK)
Y = ms.Tensor(np.ones((2, 1), np.float32))


def train_linear(net, **settings):
    with_context(parallel_mode="data_parallel", **settings)
    opt = nn.SGD(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train()
    step(X, Y)
    return weights(net)


class Own(nn.Cell):
    def __init__(self):
        super().__init__()
        self.shared = ms.Parameter(ms.Tensor([1.0]), name="shared")
        start = ms.Tensor([1.0 + RANK])
        self.own = ms.Parameter(start, name="own", layerwise_parallel=True)

    def construct(self, a, b):
        return (self.shared * a + self.own * b).sum()


class Partly(nn.Cell):
    def __init__(self):
        super().__init__()
        self.used = ms.Parameter(ms.Tensor([1.0]), name="used")
        self.first = ms.Parameter(ms.Tensor([1.0]), name="first")
        self.frozen = ms.Parameter(ms.Tensor([1.0]), name="frozen", requires_grad=False)

    def construct(self, a):
        out = self.used * a * self.frozen
        return (out + self.first if RANK == 0 else out).sum()


def train_in_all_ways():
    with_context(parallel_mode="data_parallel", gradients_mean=True)
    for mode, number in MODES.items():
        ms.set_context(mode=number)
        for kind in NETS:
            for way, train in WAYS.items():
                for dtype in ("float32", "float64"):
                    if dtype == "float64" and way in ("loss_scale_cell", "model"):
                        continue
                    net, loss, opt = made(kind, dtype)
                    train(net, loss, opt, rows(kind, dtype))
                    FOUND[f"{mode} {kind} {way} {dtype}"] = weights(net)


def cases_of_both_modes():
    for mode, number in MODES.items():
        ms.set_context(mode=number)
        for mean in (False, True):
            FOUND[f"{mode} mean {mean}"] = train_linear(linear(), gradients_mean=mean)
        FOUND[f"{mode} broadcast"] = train_linear(
            linear(10.0 * RANK), gradients_mean=True, parameter_broadcast=True
        )
        FOUND[f"{mode} different"] = message(lambda: train_linear(linear(RANK)))

        # one process overflows
        with_context(parallel_mode="data_parallel", gradients_mean=True)
        net = linear()
        opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        step = nn.TrainOneStepWithLossScaleCell(
            nn.WithLossCell(net, nn.MSELoss()), opt, nn.DynamicLossScaleUpdateCell(64, 2, 100)
        ).set_train()
        bad = ms.Tensor(np.full((2, 2), np.inf if RANK == 1 else 1.0, np.float32))
        seen = []
        for row in (X, bad, X):
            _, overflow, scale = step(row, Y)
            seen.append([bool(overflow), float(scale), net.weight.asnumpy().tolist()])
        FOUND[f"{mode} overflow"] = seen

        # a parameter of each process overflows in one of them; its gradient is not reduced
        net = Own()
        opt = nn.SGD(net.trainable_params(), 0.5)
        step = nn.TrainOneStepWithLossScaleCell(net, opt, ms.Tensor(4.0))
        one = ms.Tensor([1.0])
        overflowed = bool(step(one, ms.Tensor([np.inf if RANK == 0 else 1.0]))[1])
        before = weights(net)
        step(one, ms.Tensor([1.0 + RANK]))
        FOUND[f"{mode} own"] = [overflowed, before, weights(net)]

        # a training cell that was made for one process
        with_context(parallel_mode="stand_alone")
        net = linear()
        opt = nn.SGD(net.trainable_params(), 0.1)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train()
        for _ in range(3):
            step(X, Y)
        with_context(parallel_mode="data_parallel")
        FOUND[f"{mode} late"] = message(lambda step=step: step(X, Y))


def uneven():
    """Fewer rows in one process, or fewer steps: all raise, and go on together."""
    for mode, number in MODES.items():
        ms.set_context(mode=number)
        with_context(parallel_mode="data_parallel", gradients_mean=True)
        net = linear()
        step = nn.TrainOneStepCell(
            nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)
        ).set_train()
        step(X, Y)
        FOUND[f"{mode} rows"] = message(lambda step=step: step(X[RANK:], Y[RANK:]))
        step(X, Y)
        FOUND[f"{mode} rows afterwards"] = weights(net)
        with_context(parallel_mode="data_parallel")
        opt = nn.SGD(net.trainable_params(), 0.1)
        summed = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss("sum")), opt).set_train()
        FOUND[f"{mode} rows of a sum"] = message(lambda s=summed: s(X[RANK:], Y[RANK:]))

        trains = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        parts = [(X, Y)] * (2 + (RANK == 0))
        FOUND[f"{mode} sizes"] = message(lambda m=trains, d=parts: m.train(1, d))
        FOUND[f"{mode} steps"] = message(lambda m=trains, d=parts: m.train(1, lambda: iter(d)))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    rows = np.arange(10, dtype=np.float32).reshape(10, 1)
    data = ms.dataset.NumpySlicesDataset(
        (rows, rows), ["x", "y"], shuffle=False, num_shards=SIZE, shard_id=RANK
    ).batch(2, drop_remainder=True)
    FOUND["shards"] = [b[0].asnumpy().reshape(-1).tolist() for b in data.create_tuple_iterator()]
    net = nn.Dense(1, 1)
    ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.001)).train(2, data)
    FOUND["after shards"] = weights(net)


def cases():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    # statistics of a BatchNorm are those of the process's own rows
    with_context(parallel_mode="data_parallel", gradients_mean=True)
    ms.set_seed(1)
    net = image_net(nn.BatchNorm2d)
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model(net, nn.CrossEntropyLoss(), opt, rows("cnn", "float32"))
    FOUND["local statistics"] = weights(net)

    # what the reducer does with gradients of many kinds
    with_context(parallel_mode="data_parallel", gradients_mean=True)
    params = [
        ms.Parameter(ms.Tensor(np.ones(2, np.float32)), name="full"),
        ms.Parameter(ms.Tensor(np.ones(2, np.float16)), name="half"),
        ms.Parameter(ms.Tensor(np.ones((1, 3), np.float64)), name="double"),
        ms.Parameter(ms.Tensor(1.0), name="own", layerwise_parallel=True),
        ms.Parameter(ms.Tensor(np.ones((0, 3), np.float32)), name="empty"),
    ]
    grads = (
        ms.Tensor(np.full(2, 1.0 + RANK, np.float32)),
        ms.Tensor(np.full(2, 60000.0, np.float16)),
        ms.Tensor(np.full((1, 3), 1e-9 * (1 + RANK))),
        ms.Tensor(float(RANK)),
        ms.Tensor(np.ones((0, 3), np.float32)),
    )

    def reduced(*arguments, **options):
        out = nn.DistributedGradReducer(params, *arguments, **options)(grads)
        return [[str(g.dtype), g.shape, g.asnumpy().reshape(-1).tolist()] for g in out]

    FOUND["mean of the context"] = reduced()
    FOUND["sum"] = reduced(False)
    FOUND["degree"] = reduced(True, degree=10)
    comm.create_group("everyone", list(range(SIZE)))
    FOUND["group"] = reduced(group="everyone")
    few = message(lambda: nn.DistributedGradReducer(params)(grads[:2]))
    coo = ms.COOTensor(ms.Tensor([[0, 1]], ms.int32), ms.Tensor([1.0]), (2, 2))
    sparse = message(lambda: nn.DistributedGradReducer(params[:1])((coo,)))
    FOUND["wrong gradients"] = [few, sparse]
    uneven = ms.Tensor(np.ones(2 + (RANK == 0), np.float32))
    FOUND["uneven gradients"] = message(lambda: nn.DistributedGradReducer(params[:1])((uneven,)))

    # frozen parameters, and one that only one process uses
    net = Partly()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 1.0))
    step(ms.Tensor([1.0 + RANK]))
    FOUND["partly"] = weights(net)

    # parts of a batch, one after the other
    net = linear()
    opt = nn.SGD(net.trainable_params(), 0.1)
    parts = nn.GradAccumulationCell(nn.WithLossCell(net, nn.MSELoss()), 2)
    nn.TrainOneStepCell(parts, opt).set_train()(X, Y)
    FOUND["accumulated"] = weights(net)

    with_context(parallel_mode="stand_alone")
    net = linear()
    alone = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), {"mse"})
    FOUND["alone"] = [
        message(lambda: alone.train(1, [(X, Y)])),
        message(lambda: alone.eval([(X, Y)])),
    ]


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", "'.*' runs as ordinary Python")
    comm.init()
    assert (comm.get_rank(), comm.get_group_size()) == (RANK, SIZE)
    train_in_all_ways()
    if SIZE > 1:
        cases_of_both_modes()
        cases()
        uneven()
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
