"""Data, tensor and pipeline parallel at once; see test_three.

The same program in one process trains the whole network.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import warnings

import numpy as np

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.distributed.sharding import local

RANK, SIZE = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
STAGES, MICRO, ROWS, STEPS = 2, 2, 16, 3
WIDTH = max(SIZE // STAGES, 1)
TP = 2 if WIDTH > 1 else 1
DP = WIDTH // TP
FOUND: dict = {}


def weight(name, *shape):
    draw = np.random.RandomState(sum(map(ord, name)))
    return ms.Parameter(ms.Tensor((draw.randn(*shape) * 0.1).astype("float32")), name=name)


class Layer(nn.Cell):
    """Attention whose heads, and a perceptron whose columns, are split."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.norm = nn.LayerNorm([8])
        self.qkv, self.out = weight(f"{name}qkv", 8, 24), weight(f"{name}out", 8, 8)
        self.up, self.down = weight(f"{name}up", 8, 16), weight(f"{name}down", 16, 8)
        self.first, self.second = ops.MatMul(), ops.MatMul()
        self.project, self.join = ops.MatMul(), ops.MatMul()
        if SIZE > 1:
            columns, rows = ((DP, 1), (1, TP)), ((DP, TP), (TP, 1))
            self.first.shard(columns)
            self.second.shard(rows)
            self.project.shard(columns)
            self.join.shard(rows)

    def construct(self, x):
        shape = x.shape
        h = self.project(self.norm(x).reshape(-1, 8), self.qkv).reshape(shape[0], shape[1], 2, 3, 4)
        q, k, v = (h[:, :, :, i].transpose(0, 2, 1, 3) for i in range(3))
        scores = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) / 2, -1)
        h = ops.matmul(scores, v).transpose(0, 2, 1, 3).reshape(-1, 8)
        x = x + self.join(h, self.out).reshape(shape)
        h = ops.relu(self.first(x.reshape(-1, 8), self.up))
        return x + self.second(h, self.down).reshape(shape)


class Transformer(nn.Cell):
    def __init__(self, loss_inside) -> None:
        super().__init__()
        ms.set_seed(3)
        self.embedding = nn.Embedding(12, 8)
        self.layers = nn.CellList([Layer(f"{i}") for i in range(4)])
        self.head = nn.Dense(8, 3)
        self.loss = nn.CrossEntropyLoss()
        self.embedding.pipeline_stage = 0
        for i, layer in enumerate(self.layers):
            layer.pipeline_stage = i // 2
        self.head.pipeline_stage = 1
        if loss_inside:
            self.loss.pipeline_stage = 1

    def construct(self, x, y):
        x = self.embedding(x)
        for layer in self.layers:
            x = layer(x)
        return self.loss(self.head(x.mean(1)), y)


def batch():
    draw = np.random.RandomState(5)
    x = draw.randint(0, 12, (ROWS, 5)).astype(np.int32)
    y = draw.randint(0, 3, ROWS).astype(np.int32)
    if SIZE == 1:
        return ms.Tensor(x), ms.Tensor(y)
    # micro-batches of the whole batch are those of all processes together
    place, each = RANK % WIDTH, ROWS // MICRO // WIDTH
    own = np.concatenate(
        [np.arange(each) + m * (ROWS // MICRO) + place * each for m in range(MICRO)]
    )
    return ms.Tensor(x[own]), ms.Tensor(y[own])


def main():
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*runs as ordinary Python")
    if SIZE > 1:
        comm.init(timeout=120)
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel", pipeline_stages=STAGES, gradients_mean=True
        )
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        FOUND[f"mode {mode}"] = trained()
        if SIZE == 4:
            FOUND[f"loss outside {mode}"] = trained(loss_inside=False)
            for level in (1, 2, 3):
                with cut(level):
                    FOUND[f"level {level} {mode}"] = trained()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)


@contextlib.contextmanager
def cut(level):
    """Let the processes of a stage cut what they use alike."""
    config = {"optimizer_level": f"level{level}", "parallel_optimizer_threshold": 0}
    ms.set_auto_parallel_context(enable_parallel_optimizer=True, parallel_optimizer_config=config)
    yield
    ms.set_auto_parallel_context(enable_parallel_optimizer=False)


def trained(loss_inside=True):
    net = Transformer(loss_inside)
    cell = nn.PipelineCell(net, MICRO)
    opt = nn.Adam(cell.trainable_params(), 0.01)
    gradient = ms.value_and_grad(cell, None, opt.parameters)
    x, y = batch()
    losses, first = [], {}
    for _ in range(STEPS):
        loss, grads = gradient(x, y)
        losses.append(float(loss) / MICRO)
        first = first or {
            p.name: g.asnumpy().tolist() for p, g in zip(opt.parameters, grads, strict=True)
        }
        opt(tuple(g / MICRO for g in grads))
    return {
        "losses": losses,
        "gradients": first,
        "parameters": {p.name: p.asnumpy().tolist() for p in opt.parameters},
        "share": {p.name: local(p._value).numel() / p.size for p in opt.parameters},
        "states": {
            p.name: local(m._value).numel() / p.size
            for p, m in zip(opt.parameters, opt.moment1, strict=True)
        },
    }


if __name__ == "__main__":
    main()
