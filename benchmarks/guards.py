"""What it costs that compiled calls compare what their Python has read.

    python benchmarks/guards.py

Prints microseconds of the thread's processor time, which other work on the machine disturbs least:
those of a call (the best of five runs of many calls) with plan O0, so that only the
engine's own work differs from PYNATIVE_MODE; what the first two calls of a network take, which are
recorded, in calls of PYNATIVE_MODE; and the time of 400 calls of 80 random sizes after 3,600
others, as a ratio to PYNATIVE_MODE.
"""

from __future__ import annotations

import collections
import dataclasses
import itertools
import os
import platform
import random
import statistics
import time
import timeit
import warnings
from collections.abc import Callable
from pathlib import Path

os.environ["AGAR_PLANS"] = "0"

import numpy as np
import torch

import agar as ms
from agar import Tensor, nn, ops

CLOCK = time.thread_time


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


@dataclasses.dataclass
class Batch:
    """What a data pipeline may give."""

    x: Tensor
    mask: Tensor
    names: tuple[str, ...] = ("a", "b")

    def masked(self) -> Tensor:
        """The values that count."""
        return self.x * self.mask


class OfBatches(Empty):
    """Takes a new object at each call."""

    def construct(self, batch):
        return self.dense(batch.masked())


class ReturnsRecords(Empty):
    """Returns a new object at each call."""

    def construct(self, x):
        return Batch(self.dense(x), x)


class ModelOutput(collections.OrderedDict):
    """An output whose items are attributes, too."""

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)


class Encoder(nn.Cell):
    """A small encoder of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(100, 32)
        self.layers = nn.CellList(
            [nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, dropout=0.0) for _ in range(2)]
        )
        self.pool = nn.Dense(32, 32)

    def construct(self, ids):
        states = (self.embed(ids),)
        for layer in self.layers:
            states += (layer(states[-1]),)
        pooled = ops.tanh(self.pool(states[-1][:, 0]))
        return ModelOutput(last_hidden_state=states[-1], pooler_output=pooled, states=states)


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


class LeNet(nn.Cell):
    """Two convolutions, three dense layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.second = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.pool, self.relu, self.flatten = nn.MaxPool2d(2, 2), nn.ReLU(), nn.Flatten()
        self.head = nn.SequentialCell(
            nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10)
        )

    def construct(self, x):
        x = self.pool(self.relu(self.first(x)))
        return self.head(self.flatten(self.pool(self.relu(self.second(x)))))


class Block(nn.Cell):
    """A residual block of ResNet-18."""

    def __init__(self, cin: int, cout: int, stride: int) -> None:
        super().__init__()
        self.first, self.norm1 = nn.Conv2d(cin, cout, 3, stride), nn.BatchNorm2d(cout)
        self.second, self.norm2 = nn.Conv2d(cout, cout, 3), nn.BatchNorm2d(cout)
        self.relu = nn.ReLU()
        self.short = None
        if stride != 1:
            self.short = nn.SequentialCell(nn.Conv2d(cin, cout, 1, stride), nn.BatchNorm2d(cout))

    def construct(self, x):
        y = self.norm2(self.second(self.relu(self.norm1(self.first(x)))))
        return self.relu(y + (x if self.short is None else self.short(x)))


class ResNet18(nn.Cell):
    """ResNet-18."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.SequentialCell(
            nn.Conv2d(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, "same")
        )
        widths = (64, 64, 128, 256, 512)
        self.body = nn.SequentialCell(
            *[
                Block(cin if i == 0 else cout, cout, 2 if i == 0 and cin != cout else 1)
                for cin, cout in itertools.pairwise(widths)
                for i in range(2)
            ]
        )
        self.head = nn.Dense(512, 10)

    def construct(self, x):
        return self.head(self.body(self.stem(x)).mean((2, 3)))


class Tagger(nn.Cell):
    """An LSTM of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.head = nn.LSTM(64, 128, 2, batch_first=True), nn.Dense(128, 10)

    def construct(self, x):
        return self.head(self.lstm(x)[0])


def best(call: Callable[[], object], number: int) -> float:
    """Microseconds of a call."""
    for _ in range(10):
        call()
    return min(timeit.repeat(call, number=number, repeat=5, timer=CLOCK)) / number * 1e6


def many_sizes() -> float:
    """The time of the last 400 of 4,000 calls, over PYNATIVE_MODE; both sides in turns."""
    draw = random.Random(1)
    sizes = [draw.randrange(2, 200) for _ in range(80)]
    order = [draw.choice(sizes) for _ in range(4000)]
    inputs = {n: Tensor(np.random.RandomState(n).randn(n, 16).astype(np.float32)) for n in sizes}
    ms.set_context(mode=ms.PYNATIVE_MODE)  # a change of modes would be paid by the next calls
    sides = {"eager": Sizes(), "compiled": ms.jit(Sizes())}
    for call in sides.values():
        for n in order[:3600]:
            call(inputs[n])
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(15):
        for name, call in sides.items():
            start = CLOCK()
            for n in order[3600:]:
                call(inputs[n])
            seconds[name].append(CLOCK() - start)
    return statistics.median(seconds["compiled"]) / statistics.median(seconds["eager"])


def recordings() -> None:
    """Print what recording costs: the medians of nine first and second calls."""
    draw = np.random.RandomState(0)
    layer = nn.TransformerEncoderLayer(256, 4, 512, batch_first=True)
    rows = {
        "a cell around nn.Dense(4, 4)": (Empty(), (4, 4), 2000),
        "LeNet, b1": (LeNet(), (1, 1, 32, 32), 200),
        "LeNet, b32": (LeNet(), (32, 1, 32, 32), 50),
        "ResNet-18, 64x64 b16": (ResNet18(), (16, 3, 64, 64), 3),
        "encoder 4x256, b8 s64": (nn.TransformerEncoder(layer, 4), (8, 64, 256), 10),
        "LSTM 2x128, b16 s32": (Tagger(), (16, 32, 64), 20),
    }
    print(f"{'recording, in eager calls':40}{'ms':>10}{'first':>10}{'second':>11}")
    for name, (net, shape, number) in rows.items():
        net.set_train(False)
        x = Tensor(draw.randn(*shape).astype(np.float32))
        ms.set_context(mode=ms.PYNATIVE_MODE)
        eager = best(lambda net=net, x=x: net(x), number)
        ms.set_context(mode=ms.GRAPH_MODE)
        calls: list[list[float]] = [[], []]
        for _ in range(9):
            ms.graph.clear(net)
            for times in calls:
                call = timeit.timeit(lambda net=net, x=x: net(x), number=1, timer=CLOCK)
                times.append(call * 1e6)
        first, second = (statistics.median(times) / eager for times in calls)
        print(f"{name:40}{eager / 1e3:10.3f}{first:10.2f}{second:11.2f}")


def processor() -> str:
    """The name of the machine's processor."""
    table = Path("/proc/cpuinfo")
    lines = table.read_text().splitlines() if table.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    print(processor())
    x = ops.ones((4, 4), ms.float32)
    nets = {
        "nn.Dense(4, 4)": (nn.Dense(4, 4), 20000),
        "a cell around it": (Empty(), 20000),
        "with 50 tensors, 20 numbers, an array": (Rich(), 20000),
        "100 tiny cells": (nn.SequentialCell(*[Tiny() for _ in range(100)]), 200),
    }
    mask = ops.ones((4, 4), ms.float32)
    calls = {name: (net, lambda net=net: net(x), number) for name, (net, number) in nets.items()}
    taker, giver, encoder = OfBatches(), ReturnsRecords(), Encoder().set_train(False)
    ids = Tensor(np.arange(16).reshape(2, 8), ms.int32)
    calls["of a new dataclass of two tensors"] = taker, lambda: taker(Batch(x, mask)), 20000
    calls["that returns a new dataclass"] = giver, lambda: giver(x), 20000
    calls["encoder that returns a new dict of its own"] = encoder, lambda: encoder(ids), 500
    print(f"{'us of a call':40}{'PYNATIVE':>10}{'GRAPH':>10}{'recording':>11}")
    for name, (net, call, number) in calls.items():
        ms.set_context(mode=ms.PYNATIVE_MODE)
        eager = best(call, number)
        ms.set_context(mode=ms.GRAPH_MODE)
        compiled = best(call, number)
        ms.graph.clear(net)
        call()
        recording = timeit.timeit(call, number=1, timer=CLOCK) * 1e6
        print(f"{name:40}{eager:10.1f}{compiled:10.1f}{recording:11.1f}")
    recordings()
    print(f"80 sizes, the last 400 of 4,000 calls, over PYNATIVE_MODE: {many_sizes():.2f}")


if __name__ == "__main__":
    main()
