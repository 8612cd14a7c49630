"""Training steps over tensors in parts in GRAPH_MODE; see test_split_graph."""

from __future__ import annotations

import json
import sys
import warnings

import numpy as np

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.distributed.sharding import whole
from agar._core.graph.cache.function import compiled_functions
from agar.parallel import Layout
from agar.parallel.auto_parallel import AutoParallel
from parallel import hsdp, split

FOUND: dict = {}
STEPS = 8


def counts():
    """Runs of Python by compiled functions, and calls that were not compiled."""
    every = compiled_functions()
    return [sum(f.runs for f in every), sum(f.plain_calls for f in every)]


def steps_of(case, optimizer):
    kind, inputs, count = split.CASES[case]
    net, loss = kind(True), nn.CrossEntropyLoss()
    opt = split.OPTIMIZERS[optimizer](net.trainable_params())
    step: nn.Cell = AutoParallel(nn.TrainOneStepCell(nn.WithLossCell(net, loss), opt).set_train())
    step.dataset_strategy("full_batch")
    x, y = inputs(), split.classes(count, 8)
    return net, opt, step, (x, y)


def trained(run, opt, batch, mode):
    ms.set_context(mode=mode)
    losses = [float(run(*batch)) for _ in range(STEPS // 2)]
    before = counts()
    losses += [float(run(*batch)) for _ in range(STEPS // 2)]
    after = counts()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    values = [np.array(losses), *(p.asnumpy().copy() for p in opt.get_parameters())]
    return values, [b - a for a, b in zip(before, after, strict=True)]


def compare(name, make):
    alone = trained(*make(), ms.PYNATIVE_MODE)[0]
    found, outside = trained(*make(), ms.GRAPH_MODE)
    FOUND[name] = {
        "difference": max(float(abs(a - b).max()) for a, b in zip(alone, found, strict=True)),
        "outside": outside,
    }


def forward(net, inputs, mode):
    """Outputs, and calls outside of the graph after the first three."""
    ms.set_context(mode=mode)
    outputs = []
    for i, x in enumerate(inputs):
        if i == 3:
            before = counts()
        outputs.append(net(x)._value)
    outside = [b - a for a, b in zip(before, counts(), strict=True)]
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return [np.array(ms.from_torch(whole(o)).asnumpy()) for o in outputs], outside


def rows(i, count=8):
    return ms.Tensor(np.random.RandomState(i).randn(count, 12).astype("float32"))


def full(net):
    made = AutoParallel(net)
    made.dataset_strategy("full_batch")
    return made


def equal(a, b):
    return all((x == y).all() for x, y in zip(a, b, strict=True))


def inference():
    """Outputs that lie in parts; parameters that change, also in how they lie, are seen."""
    net = split.MLP(True)
    made = full(net)
    expected, _ = forward(made, [rows(i) for i in range(6)], ms.PYNATIVE_MODE)
    found, outside = forward(made, [rows(i) for i in range(6)], ms.GRAPH_MODE)
    FOUND["inference"] = {"equal": equal(expected, found), "outside": outside}
    net.w1.set_data(net.w1 * 2)
    changed = forward(made, [rows(0)] * 4, ms.GRAPH_MODE)[0]
    FOUND["set_data"] = equal(changed, forward(made, [rows(0)] * 4, ms.PYNATIVE_MODE)[0])
    FOUND["set_data"] = FOUND["set_data"] and not (changed[0] == expected[0]).all()
    layout = Layout((split.SIZE,), ("all",))
    net.w1._value = ops.reshard(net.w1.value(), layout("None", "None"))._value
    again = forward(made, [rows(0)] * 4, ms.GRAPH_MODE)[0]
    FOUND["placements"] = all(abs(a - b).max() <= 1e-6 for a, b in zip(again, changed, strict=True))
    # one row more; then processes with different rows
    shapes = [4, 4, 4, 4]
    wider, outside = forward(made, [rows(i, n) for i, n in enumerate(shapes)], ms.GRAPH_MODE)
    plain = forward(made, [rows(i, n) for i, n in enumerate(shapes)], ms.PYNATIVE_MODE)[0]
    FOUND["shapes"] = equal(wider, plain)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        made(rows(0, 8 if split.RANK else 4))
        FOUND["different rows"] = "nothing was raised"
    except ValueError as error:
        FOUND["different rows"] = str(error)
    FOUND["goes on"] = [float(made(rows(0)).sum().asnumpy()) for _ in range(2)]
    ms.set_context(mode=ms.PYNATIVE_MODE)


def arguments_in_parts():
    """What was recorded for plain arguments is not replayed for those in parts."""
    layout = Layout((split.SIZE,), ("all",))
    x = rows(0)
    parts = ops.reshard(x, layout("all", "None"))
    made = full(split.MLP(True))
    ms.set_context(mode=ms.GRAPH_MODE)
    outputs = [made(v).asnumpy() for v in (x, x, x, x, parts, x, parts)]
    ms.set_context(mode=ms.PYNATIVE_MODE)
    FOUND["in parts"] = max(float(abs(o - outputs[0]).max()) for o in outputs)


class Reads(nn.Cell):
    """Takes a branch by a value that all processes have to ask for."""

    def __init__(self):
        super().__init__()
        self.net = split.MLP(True)

    def construct(self, x):
        y = self.net(x)
        if y.sum() > 0:
            return y * 2
        return y - float(y.asnumpy().mean())


def reading():
    made = full(Reads())
    inputs = [rows(i) for i in range(8)]
    expected = forward(made, inputs, ms.PYNATIVE_MODE)[0]
    FOUND["reading"] = equal(expected, forward(made, inputs, ms.GRAPH_MODE)[0])


def by_context():
    """The modes of the context: a training cell without AutoParallel."""
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")

    def make():
        net = split.MLP(True)
        opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), opt).set_train()
        return step, opt, (rows(0), split.classes(6, 8))

    compare("context", make)
    ms.reset_auto_parallel_context()


def main():
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*runs as ordinary Python")
    comm.init(timeout=60)
    for case in split.CASES:
        for optimizer in ("momentum", "adam"):

            def make(case=case, optimizer=optimizer):
                _, opt, step, batch = steps_of(case, optimizer)
                return step, opt, batch

            compare(f"{case} {optimizer}", make)
    for level in (0, 1, 2, 3):

        def sharded(level=level):
            net = hsdp.Network(split=level > 0 and hsdp.TP > 1)
            opt = nn.Adam(net.trainable_params(), 0.01)
            step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), opt).set_train()
            return hsdp.planned(step, level), opt, hsdp.own_rows()

        compare(f"hsdp {level}", sharded)

        def scaled(level=level):
            net = hsdp.Network()
            opt = nn.Adam(net.trainable_params(), 0.01)
            loss = nn.WithLossCell(net, nn.CrossEntropyLoss())
            update = nn.DynamicLossScaleUpdateCell(64, 2, 100)
            step = hsdp.planned(nn.TrainOneStepWithLossScaleCell(loss, opt, update), level)
            return (lambda *rows: step(*rows)[0]), opt, hsdp.own_rows()

        compare(f"scaled {level}", scaled)
    inference()
    arguments_in_parts()
    reading()
    by_context()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)


if __name__ == "__main__":
    main()
