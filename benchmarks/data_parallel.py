"""Steps of data parallel training beside torch's DistributedDataParallel, in two processes.

``python benchmarks/data_parallel.py`` starts two processes that meet over gloo. In one run, with
the same networks, batches and optimizer, intervals of DistributedDataParallel and of agar in both
modes take turns; the figures are medians of the intervals, and of their ratios to that of
DistributedDataParallel in the same round. The time of the processor is that of the thread that
trains. ``--only mlp-128 cnn`` picks networks.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.distributed as dist
from torch import nn as tnn
from torch.nn.parallel import DistributedDataParallel

import agar as ms
from agar import communication, nn
from agar._core.graph.diagnostics import GraphWarning

RANK = int(os.environ.get("RANK", "-1"))
NETWORKS = ("mlp-128", "mlp-512", "mlp-1024", "cnn", "transformer")


class TorchEncoder(tnn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = tnn.Embedding(1000, 128)
        layers = (tnn.TransformerEncoderLayer(128, 4, 512, 0.0, batch_first=True) for _ in range(2))
        self.layers = tnn.Sequential(*layers)
        self.head = tnn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.layers(self.embedding(x)).mean(1))


class Encoder(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(1000, 128)
        self.layers = nn.SequentialCell(
            *(
                nn.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True)
                for _ in range(2)
            )
        )
        self.head = nn.Dense(128, 10)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.head(self.layers(self.embedding(x)).mean(1))


def torch_network(name: str) -> tnn.Module:
    if name == "transformer":
        return TorchEncoder()
    if name == "cnn":
        parts: list[tnn.Module] = []
        for before, after in ((3, 16), (16, 32), (32, 64)):
            parts += [tnn.Conv2d(before, after, 3, padding=1, bias=False)]
            parts += [tnn.BatchNorm2d(after), tnn.ReLU(), tnn.MaxPool2d(2, 2)]
        return tnn.Sequential(*parts, tnn.Flatten(), tnn.Linear(1024, 10))
    width = int(name.split("-")[1])
    parts = [p for _ in range(4) for p in (tnn.Linear(width, width), tnn.ReLU())]
    return tnn.Sequential(*parts, tnn.Linear(width, 10))


def network(name: str) -> nn.Cell:
    if name == "transformer":
        return Encoder()
    if name == "cnn":
        parts: list[nn.Cell] = []
        for before, after in ((3, 16), (16, 32), (32, 64)):
            parts += [nn.Conv2d(before, after, 3, pad_mode="pad", padding=1)]
            parts += [nn.BatchNorm2d(after), nn.ReLU(), nn.MaxPool2d(2, 2)]
        return nn.SequentialCell(*parts, nn.Flatten(), nn.Dense(1024, 10))
    width = int(name.split("-")[1])
    parts = [p for _ in range(4) for p in (nn.Dense(width, width), nn.ReLU())]
    return nn.SequentialCell(*parts, nn.Dense(width, 10))


def batch(name: str) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.RandomState(RANK)
    if name == "transformer":
        x = draw.randint(0, 1000, (8, 32)).astype(np.int64)
    elif name == "cnn":
        x = draw.randn(16, 3, 32, 32).astype(np.float32)
    else:
        x = draw.randn(32, int(name.split("-")[1])).astype(np.float32)
    return x, draw.randint(0, 10, len(x)).astype(np.int64)


def torch_step(name: str) -> Callable[[], object]:
    torch.manual_seed(0)
    net = DistributedDataParallel(torch_network(name))
    loss_fn = tnn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), 0.001, 0.9)
    x, y = map(torch.from_numpy, batch(name))

    def step() -> object:
        optimizer.zero_grad()
        loss = loss_fn(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def agar_step(name: str) -> Callable[[], object]:
    ms.set_seed(0)
    net = network(name)
    optimizer = nn.Momentum(net.trainable_params(), 0.001, 0.9)
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer)
    train.set_train()
    x, y = (ms.Tensor(a.astype(np.int32) if a.dtype == np.int64 else a) for a in batch(name))
    return lambda: train(x, y)


def interval(step: Callable[[], object], mode: int, count: int) -> tuple[float, float]:
    """Milliseconds of a step: on the clock, and of the processor in the thread that trains."""
    ms.set_context(mode=mode)
    dist.barrier()
    began, busy = time.perf_counter(), time.thread_time()
    for _ in range(count):
        step()
    took, used = time.perf_counter() - began, time.thread_time() - busy
    return took / count * 1e3, used / count * 1e3


def compared(steps: Sequence[Callable[[], object]], rounds: int, warm: int) -> list[str]:
    """The cells of a row: torch's step, and agar's in both modes, by clock and by processor."""
    modes = (ms.PYNATIVE_MODE, ms.PYNATIVE_MODE, ms.GRAPH_MODE)
    for step, mode in zip(steps, modes, strict=True):
        interval(step, mode, warm)
    once = max(interval(s, m, 5)[0] for s, m in zip(steps, modes, strict=True))
    count = torch.tensor([max(3, min(100, int(150 / once)))])
    dist.broadcast(count, 0)
    times: list[list[tuple[float, float]]] = [[], [], []]
    for _ in range(rounds):
        for i, (step, mode) in enumerate(zip(steps, modes, strict=True)):
            times[i].append(interval(step, mode, int(count)))
    # by contender, round and kind of time
    found = np.array(times)
    middle = np.median(found, 1)
    ratios = np.median(found / found[:1], 1)
    cells = [f"{middle[0, kind]:.2f}" for kind in (0, 1)]
    for i in (1, 2):
        cells += [f"{middle[i, kind]:.2f} ({ratios[i, kind]:.2f})" for kind in (0, 1)]
    return [cells[i] for i in (0, 2, 4, 1, 3, 5)]


def measure(name: str, rounds: int) -> None:
    cells = compared([torch_step(name), agar_step(name), agar_step(name)], rounds, warm=12)
    if RANK == 0:
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def started_twice() -> int:
    """Start this program in two processes; the greater of their exit codes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    meeting = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    started = [
        subprocess.Popen([sys.executable, *sys.argv], env={**os.environ, **meeting, "RANK": r})
        for r in ("0", "1")
    ]
    return max(process.wait() for process in started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=NETWORKS, choices=NETWORKS)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    if RANK < 0:
        sys.exit(started_twice())
    warnings.simplefilter("error", GraphWarning)
    torch.set_num_threads(1)
    communication.init()
    ms.set_auto_parallel_context(
        parallel_mode="data_parallel", gradients_mean=True, parameter_broadcast=True
    )
    if RANK == 0:
        print("| ms a step | torch DDP | PYNATIVE | GRAPH | CPU: DDP | PYNATIVE | GRAPH |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name in options.only:
        measure(name, options.rounds)


if __name__ == "__main__":
    main()
