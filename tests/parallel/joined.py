"""Cells that collect parameters together, several of them in a network; see test_joined."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import warnings
import weakref

import numpy as np

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.distributed.sharding import local
from agar._core.graph.cache.function import compiled_functions
from agar._core.graph.passes import overlap as overlap_pass
from agar._core.graph.record import operators
from agar.nn.wrap import _split_network
from agar.parallel.auto_parallel import AutoParallel

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
FOUND: dict = {}
_split_network._LARGEST, _split_network._SMALL = 1400, 200


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm((8,))
        self.up, self.down = nn.Dense(8, 16), nn.Dense(16, 8)

    def construct(self, x):
        return x + self.down(ops.relu(self.up(self.norm(x))))


class Plain(nn.Cell):
    """Three groups, and small layers that are left to the network."""

    def __init__(self) -> None:
        super().__init__()
        ms.set_seed(3)
        self.first = nn.Dense(4, 8)
        self.blocks = nn.CellList([Block() for _ in range(3)])
        self.head = nn.Dense(8, 4)

    def construct(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class Tied(Plain):
    """A block that is called twice, and a weight that two cells use."""

    def construct(self, x):
        x = self.first(x)
        for i in (0, 1, 0, 2):
            x = self.blocks[i](x)
        return self.head(x) + ops.matmul(x, self.first.weight)


class Frozen(Plain):
    def __init__(self) -> None:
        super().__init__()
        for i in (0, 2):
            for p in self.blocks[i].get_parameters():
                p.requires_grad = False


class Recomputed(Plain):
    def __init__(self) -> None:
        super().__init__()
        self.blocks[1].recompute()
        self.blocks[2].up.recompute()


class Turning(Plain):
    """The order of the blocks is another one in every call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def construct(self, x):
        self.calls += 1
        x = self.first(x)
        for i in range(3 - self.calls % 2):
            x = self.blocks[(i + self.calls) % 3](x)
        return self.head(x)


class Parts(Plain):
    """Cells of a block are called, and the block is not."""

    def construct(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block.down(block.up(x))
        return self.head(x)


NETWORKS = (Plain, Tied, Frozen, Recomputed, Turning, Parts)


def rows(count=8):
    draw = np.random.RandomState(1)
    x, y = draw.randn(count, 4).astype(np.float32), draw.randint(0, 4, count)
    return ms.Tensor(x), ms.Tensor(y.astype(np.int32))


def own_rows():
    return tuple(t[RANK * 8 // SIZE : (RANK + 1) * 8 // SIZE].copy() for t in rows())


def planned(step, level):
    made = AutoParallel(step)
    made.hsdp(-1, 0, f"level{level}")
    return made


def trained(net, level, steps=5, mode=ms.PYNATIVE_MODE):
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step: nn.Cell = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), opt)
    step.set_train()
    if level is not None:
        step = planned(step, level)
    batch = rows() if level is None else own_rows()
    ms.set_context(mode=mode)
    losses = []
    for i in range(steps):
        if i == steps - 3:
            before = sum(f.runs for f in compiled_functions())
        losses.append(np.array(step(*batch).asnumpy()))
    FOUND["python"] = sum(f.runs for f in compiled_functions()) - before
    ms.set_context(mode=ms.PYNATIVE_MODE)
    values = [np.array(p.asnumpy()) for p in opt.get_parameters()]
    if level is not None:
        messages = ms.parallel.explain(step).messages or ()
        FOUND["kinds"] = [m.kind for m in messages if m.bytes >= 256]
    return [*losses, *values]


def differs(a, b):
    return max(float(abs(x - y).max()) for x, y in zip(a, b, strict=True))


def training():
    for kind in NETWORKS:
        alone = trained(kind(), None)
        for level in (2, 3):
            found = trained(kind(), level)
            FOUND[f"{kind.__name__} {level}"] = {
                "difference": differs(alone, found),
                "kinds": FOUND.pop("kinds"),
                "bits": [a.tobytes().hex() for a in found],
            }
            if kind is not Turning:
                eager = trained(kind(), level, 8)
                graph = trained(kind(), level, 8, ms.GRAPH_MODE)
                FOUND[f"{kind.__name__} {level}"] |= {
                    "graph": differs(eager, graph),
                    "python": FOUND.pop("python"),
                }


def overlap():
    """The collectives of a replayed step, as they begin and end."""
    events: list[str] = []
    begin = operators.Collective.begin

    def noted(self, *args):
        pending = begin(self, *args)
        events.append(f"{self._name} {pending[1].numel()}")
        return pending

    def ended(pending, *inputs):
        events.append("wait")
        return operators.end_collective(pending, *inputs)

    operators.Collective.begin, overlap_pass.end_collective = noted, ended
    net = Plain()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = planned(nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), opt), 3)
    step.set_train()
    ms.set_context(mode=ms.GRAPH_MODE)
    for i in range(8):
        if i == 7:
            events.clear()
        step(*own_rows())
    ms.set_context(mode=ms.PYNATIVE_MODE)
    operators.Collective.begin, overlap_pass.end_collective = begin, operators.end_collective
    FOUND["events"] = events


def gradients_outside():
    """The backward pass comes after the call, twice, and once not at all."""
    alone, net = Plain(), Plain()
    made = planned(net, 3)
    x = own_rows()[0]
    weights = net.trainable_params()
    for _ in range(2):
        made(x)
    forward = ms.value_and_grad(lambda x: (made(x) ** 2).sum(), None, weights)
    expected = ms.grad(lambda x: (alone(x) ** 2).sum(), None, alone.trainable_params())(rows()[0])
    for _ in range(3):
        _, grads = forward(x)
    FOUND["outside"] = differs([g.asnumpy() for g in expected], [g.asnumpy() for g in grads])
    FOUND["parts"] = [local(g._value).numel() / g.size for g in grads]
    one = weights[0]
    second = ms.grad(lambda x: (ms.grad(lambda x: (made(x) ** 2).sum(), None, one)(x) ** 2).sum())
    expected = ms.grad(
        lambda x: (ms.grad(lambda x: (alone(x) ** 2).sum(), None, alone.first.weight)(x) ** 2).sum()
    )(rows()[0])
    own = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)
    scale = float(abs(expected.asnumpy()).max())
    FOUND["second"] = float(abs(expected.asnumpy()[own] - second(x).asnumpy()).max()) / scale


class Watched(Block):
    """Remembers its weight as it was collected."""

    def construct(self, x):
        self.seen.append(weakref.ref(local(self.up.weight._value)))
        return super().construct(x)


class Watching(Plain):
    """Counts at its end how many blocks still have their weights whole."""

    def __init__(self) -> None:
        super().__init__()
        ms.set_seed(3)
        self.seen, self.alive = [], []
        self.blocks = nn.CellList([Watched() for _ in range(3)])
        for block in self.blocks:
            block.seen = self.seen

    def construct(self, x):
        self.seen.clear()
        x = super().construct(x)
        self.alive.append([reference() is not None for reference in self.seen])
        return x


def memory():
    net = Watching()
    trained(net, 3)
    FOUND["alive"] = net.alive[-1]


def wide():
    ms.set_seed(2)
    return nn.SequentialCell(
        [nn.Dense(128, 256) if i % 2 else nn.Dense(256, 128) for i in range(5)]
    )


def undrawn():
    """Parameters of a network that was made without values are drawn one after the other."""
    most = 0
    with nn.no_init_parameters():
        net = wide()
    draw = _split_network.put

    def noted(parameter, *args):
        nonlocal most
        most = max(most, sum(local(p._value).nbytes for p in weights if not p.has_init))
        draw(parameter, *args)

    weights, expected = net.trainable_params(), wide().trainable_params()
    total = sum(p.size * p.itemsize for p in expected)
    largest = max(p.size * p.itemsize for p in expected)
    _split_network.put = noted
    ms.set_seed(2)  # values are drawn now
    planned(net, 3)
    _split_network.put = draw
    FOUND["undrawn"] = {
        "most": most <= total / SIZE + largest,
        "held": sum(local(p._value).nbytes for p in weights) / total,
        "difference": differs([p.asnumpy() for p in weights], [p.asnumpy() for p in expected]),
    }


class Fails(Plain):
    fails = False

    def construct(self, x):
        x = self.blocks[0](self.first(x))
        if self.fails:
            raise KeyError("in the middle")
        return self.head(self.blocks[2](self.blocks[1](x)))


def errors():
    """What was begun ahead when a call fails in all processes does no harm."""
    net = Fails()
    made = planned(net, 3)
    x = own_rows()[0]
    first = [made(x).asnumpy() for _ in range(3)][-1]
    net.fails = True
    for _ in range(2):
        with contextlib.suppress(KeyError):
            made(x)
    net.fails = False
    FOUND["after an error"] = differs([first], [made(x).asnumpy()])


if __name__ == "__main__":
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*runs as ordinary Python")
    comm.init(timeout=60)
    undrawn()
    training()
    overlap()
    gradients_outside()
    errors()
    memory()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
