"""Steps with parts of parameters beside torch's FSDP2 and tensor parallel, in two processes.

``python benchmarks/sharded.py`` starts two processes that meet over gloo. In one run, with the same
networks, batches and optimizer, intervals of torch and of agar in both modes take turns; the
figures are medians of the intervals, and of their ratios to torch's in the same round. ``fsdp`` is
``fully_shard`` of each block and of the whole beside ``AutoParallel.hsdp`` at level 3, ``tp``
``parallelize_module`` with columns and rows beside strategies of the same layers.
``--only tp-256`` picks rows.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable

import numpy as np
import torch
from data_parallel import RANK, compared, started_twice
from torch import nn as tnn
from torch.distributed.device_mesh import init_device_mesh

import agar as ms
from agar import communication, nn
from agar._core.graph.cache.function import compiled_functions
from agar.parallel.auto_parallel import AutoParallel

NETWORKS = ("tp-128", "tp-512", "fsdp-128", "fsdp-512")
BLOCKS, ROWS = 3, 32


class TorchBlock(tnn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.up, self.down = tnn.Linear(width, 4 * width), tnn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(torch.relu(self.up(x)))


class Block(nn.Cell):
    def __init__(self, width: int, split: bool) -> None:
        super().__init__()
        self.up, self.relu = nn.Dense(width, 4 * width), nn.ReLU()
        self.down = nn.Dense(4 * width, width)
        if split:
            self.up.shard(((1, 1),), ((1, 2),), {"weight": (2, 1), "bias": (2,)})
            self.down.shard(((1, 2),), ((1, 1),), {"weight": (1, 2)})

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return x + self.down(self.relu(self.up(x)))


def batch(way: str, width: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.RandomState(RANK if way == "fsdp" else 0)
    return draw.randn(ROWS, width).astype(np.float32), draw.randint(0, 10, ROWS)


def torch_step(way: str, width: int) -> Callable[[], object]:
    torch.manual_seed(0)
    blocks = [TorchBlock(width) for _ in range(BLOCKS)]
    net = tnn.Sequential(*blocks, tnn.Linear(width, 10))
    mesh = init_device_mesh("cpu", (2,))
    if way == "fsdp":
        from torch.distributed.fsdp import fully_shard

        for block in blocks:
            fully_shard(block, mesh=mesh)
        fully_shard(net, mesh=mesh)
    else:
        from torch.distributed.tensor.parallel import (
            ColwiseParallel,
            RowwiseParallel,
            parallelize_module,
        )

        for block in blocks:
            parallelize_module(block, mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
    loss_fn = tnn.CrossEntropyLoss()
    # kernels for lists of tensors want all of them as DTensors, or none
    split = [p for p in net.parameters() if hasattr(p, "placements")]
    plain = [p for p in net.parameters() if not hasattr(p, "placements")]
    optimizers = [torch.optim.SGD(ps, 0.001, 0.9) for ps in (split, plain) if ps]
    x, y = map(torch.from_numpy, batch(way, width))

    def step() -> object:
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss = loss_fn(net(x), y)
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        return loss.detach()

    return step


def agar_step(way: str, width: int) -> Callable[[], object]:
    ms.set_seed(0)
    blocks = [Block(width, way == "tp") for _ in range(BLOCKS)]
    net = nn.SequentialCell(*blocks, nn.Dense(width, 10))
    optimizer = nn.Momentum(net.trainable_params(), 0.001, 0.9)
    cell = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    step = AutoParallel(cell)
    if way == "fsdp":
        step.hsdp(-1, 0, "level3")
    else:
        step.dataset_strategy("full_batch")
    x, y = batch(way, width)
    inputs = ms.Tensor(x), ms.Tensor(y.astype(np.int32))
    return lambda: step(*inputs)


def measure(name: str, rounds: int) -> None:
    way, width = name.split("-")
    makers = (torch_step, agar_step, agar_step)
    steps = [make(way, int(width)) for make in makers]
    before = sum(f.plain_calls for f in compiled_functions())
    cells = compared(steps, rounds, warm=12)
    outside = sum(f.plain_calls for f in compiled_functions()) - before
    if RANK == 0:
        print(f"| {name} | {' | '.join(cells)} | {outside} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=NETWORKS, choices=NETWORKS)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    if RANK < 0:
        sys.exit(started_twice())
    warnings.simplefilter("ignore")
    os.environ.setdefault("TORCH_LOGS", "")
    torch.set_num_threads(1)
    communication.init()
    if RANK == 0:
        print("| ms a step | torch | PYNATIVE | GRAPH | CPU: torch | PYNATIVE | GRAPH | outside |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name in options.only:
        measure(name, options.rounds)


if __name__ == "__main__":
    main()
