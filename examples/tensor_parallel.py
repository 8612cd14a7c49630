"""A classifier whose matrices lie in parts on all processes.

    python examples/tensor_parallel.py
    agar msrun --worker_num=2 --local_worker_num=2 --join=True examples/tensor_parallel.py

One process computes the whole; several give the same losses, and say what they sent. With a file as
argument, losses and bytes are written there as JSON.
"""

from __future__ import annotations

import json
import sys

import numpy as np

import agar as ms
from agar import communication, nn, ops
from agar.parallel.auto_parallel import AutoParallel

STEPS, ROWS, CLASSES, TOKENS, WIDTH = 30, 32, 4, 16, 32


class Classifier(nn.Cell):
    """Rows of the table, columns of the first matrix and rows of the second are cut."""

    def __init__(self, parts: int) -> None:
        super().__init__()
        self.table = ms.Parameter(ms.mint.randn(TOKENS, WIDTH) * 0.2, name="table")
        self.up = ms.Parameter(ms.mint.randn(WIDTH, 4 * WIDTH) * 0.2, name="up")
        self.down = ms.Parameter(ms.mint.randn(4 * WIDTH, CLASSES) * 0.2, name="down")
        self.norm = nn.LayerNorm([WIDTH])
        self.gather = ops.Gather().shard(((parts, 1), (1, 1)))
        self.first = ops.MatMul().shard(((1, 1), (1, parts)))
        self.relu = ops.ReLU().shard(((1, parts),))
        self.second = ops.MatMul().shard(((1, parts), (parts, 1)))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        rows = self.norm(self.gather(self.table, x, 0).mean(1))
        return self.second(self.relu(self.first(rows, self.up)), self.down)


def main() -> None:
    """Train, and show losses and bytes."""
    communication.init()
    rank, parts = communication.get_rank(), communication.get_group_size()
    ms.set_seed(1)
    net, loss = Classifier(parts), nn.CrossEntropyLoss()
    opt = nn.Adam(net.trainable_params(), 0.01)
    gradient = ms.value_and_grad(lambda x, y: loss(net(x), y), None, opt.parameters)

    def train_step(x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        value, grads = gradient(x, y)
        opt(grads)
        return value

    step = AutoParallel(train_step)
    step.dataset_strategy("full_batch")  # every process has all rows
    draw = np.random.RandomState(0)
    tokens = draw.randint(0, TOKENS, (ROWS, 6)).astype(np.int32)
    x, y = ms.Tensor(tokens), ms.Tensor((tokens.sum(1) % CLASSES).astype(np.int32))
    losses = [float(step(x, y)) for _ in range(STEPS)]

    seen = ms.parallel.explain(step)
    if rank == 0:
        print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}")
    print(f"process {rank}: {seen.bytes:,} bytes of parameters, {seen.sent:,} sent in a step")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            json.dump({"losses": losses, "sent": seen.sent, "bytes": seen.bytes}, file)


if __name__ == "__main__":
    main()
