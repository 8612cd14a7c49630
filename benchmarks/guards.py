"""What it costs that compiled calls compare what their Python has read.

    python benchmarks/guards.py

Prints microseconds of a call (the best of five runs of many calls) with plan O0, so that only the
engine's own work differs from PYNATIVE_MODE, and the time of 400 calls of 80 random sizes after
3,600 others, as a ratio to PYNATIVE_MODE.
"""

from __future__ import annotations

import os
import random
import timeit
import warnings
from collections.abc import Callable

os.environ["AGAR_PLANS"] = "0"

import numpy as np
import torch

import agar as ms
from agar import Tensor, nn, ops


class Empty(nn.Cell):
    """A cell of the user's own around one layer."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, 4)

    def construct(self, x):
        return self.dense(x)


class Rich(Empty):
    """Reads a list of 50 tensors, a dict of 20 numbers and an array."""

    def __init__(self) -> None:
        super().__init__()
        self.tensors = [Tensor([float(i)]) for i in range(50)]
        self.numbers = {f"k{i}": i * 0.5 for i in range(20)}
        self.array = np.arange(100, dtype=np.float32)

    def construct(self, x):
        y = self.dense(x)
        if len(self.tensors) == 50 and self.numbers["k3"] == 1.5 and float(self.array.sum()) > 0:
            y = y + self.tensors[3]
        return y


class Tiny(nn.Cell):
    """One of many small cells."""

    def __init__(self) -> None:
        super().__init__()
        self.relu = ops.ReLU()
        self.factor = 2

    def construct(self, x):
        return self.relu(x) * self.factor


class Sizes(nn.Cell):
    """Is called with many sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Dense(16, 32), nn.Dense(32, 16)

    def construct(self, x):
        return self.second(ops.relu(self.first(x))).mean(1)


def best(call: Callable[[], object], number: int) -> float:
    """Microseconds of a call."""
    for _ in range(10):
        call()
    return min(timeit.repeat(call, number=number, repeat=5)) / number * 1e6


def many_sizes() -> float:
    """The time of the last 400 of 4,000 calls, over PYNATIVE_MODE."""
    draw = random.Random(1)
    sizes = [draw.randrange(2, 200) for _ in range(80)]
    order = [draw.choice(sizes) for _ in range(4000)]
    inputs = {n: Tensor(np.random.RandomState(n).randn(n, 16).astype(np.float32)) for n in sizes}
    net = Sizes()
    seconds = {}
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        for n in order[:3600]:
            net(inputs[n])
        seconds[mode] = min(
            timeit.repeat(lambda: [net(inputs[n]) for n in order[3600:]], number=1, repeat=5)
        )
    return seconds[ms.GRAPH_MODE] / seconds[ms.PYNATIVE_MODE]


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    x = ops.ones((4, 4), ms.float32)
    nets = {
        "nn.Dense(4, 4)": (nn.Dense(4, 4), 20000),
        "a cell around it": (Empty(), 20000),
        "with 50 tensors, 20 numbers, an array": (Rich(), 20000),
        "100 tiny cells": (nn.SequentialCell(*[Tiny() for _ in range(100)]), 200),
    }
    print(f"{'us of a call':40}{'PYNATIVE':>10}{'GRAPH':>10}{'recording':>11}")
    for name, (net, number) in nets.items():
        ms.set_context(mode=ms.PYNATIVE_MODE)
        eager = best(lambda net=net: net(x), number)
        ms.set_context(mode=ms.GRAPH_MODE)
        compiled = best(lambda net=net: net(x), number)
        ms.graph.clear(net)
        net(x)
        recording = timeit.timeit(lambda net=net: net(x), number=1) * 1e6
        print(f"{name:40}{eager:10.1f}{compiled:10.1f}{recording:11.1f}")
    print(f"80 sizes, the last 400 of 4,000 calls, over PYNATIVE_MODE: {many_sizes():.2f}")


if __name__ == "__main__":
    main()
