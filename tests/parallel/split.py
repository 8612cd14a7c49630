"""Trains small networks whose tensors lie on all processes; see test_split.

Each network is trained by one process alone as well, in every process.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

import numpy as np

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.distributed.sharding import whole
from agar.parallel import Layout
from agar.parallel.auto_parallel import AutoParallel

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
MODES = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}
DP, TP = (1, 2) if SIZE == 2 else (2, 2)
FOUND: dict = {}


def weight(name, *shape, scale=0.3):
    draw = np.random.RandomState(sum(map(ord, name)))
    return ms.Parameter(ms.Tensor((draw.randn(*shape) * scale).astype("float32")), name=name)


def rows(*shape):
    return ms.Tensor(np.random.RandomState(7).randn(*shape).astype("float32"))


def classes(count, *shape):
    return ms.Tensor(np.random.RandomState(8).randint(0, count, shape).astype("int32"))


class MLP(nn.Cell):
    """Columns of the first matrix and rows of the second are split."""

    def __init__(self, split):
        super().__init__()
        self.w1, self.b1 = weight("w1", 12, 16), weight("b1", 16)
        self.w2, self.b2 = weight("w2", 16, 6), weight("b2", 6)
        self.first, self.second = ops.MatMul(), ops.MatMul()
        self.add, self.gelu = ops.Add(), ops.GeLU()
        if split:
            self.first.shard(((DP, 1), (1, TP)))
            self.add.shard(((DP, TP), (TP,)))
            self.gelu.shard(((DP, TP),))
            self.second.shard(((DP, TP), (TP, 1)), ((DP, 1),))

    def construct(self, x):
        hidden = self.gelu(self.add(self.first(x, self.w1), self.b1))
        return self.second(hidden, self.w2) + self.b2


class Attention(nn.Cell):
    """Each process has some of the heads."""

    def __init__(self, split):
        super().__init__()
        self.qkv, self.out = weight("qkv", 3, 4, 8, 2), weight("out", 4, 2, 8)
        self.layout = Layout((DP, TP), ("dp", "tp"))
        self.split = split

    def construct(self, x):
        q, k, v = self.heads(x)
        scores = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) / 2**0.5, -1)
        return ops.matmul(ops.matmul(scores, v), self.out).sum(1).mean(1)

    def heads(self, x):
        qkv, out = self.qkv, self.out
        if self.split:
            x = ops.reshard(x, self.layout("dp", "None", "None"))
            qkv = ops.reshard(qkv, self.layout("None", "tp", "None", "None"))
            ops.reshard(out, self.layout("tp", "None", "None"))
        return [ops.matmul(x.expand_dims(1), qkv[i]) for i in range(3)]


class Fused(Attention):
    """The same with the fused operator."""

    def construct(self, x):
        q, k, v = self.heads(x)
        found = ops.flash_attention_score(q, k, v, 4, scalar_value=2**-0.5, input_layout="BNSD")
        return ops.matmul(found, self.out).sum(1).mean(1)


class Sequence(nn.Cell):
    """Sequence parallel: rows of a sequence are split where layers treat each by itself."""

    def __init__(self, split):
        super().__init__()
        self.norm = nn.LayerNorm([8])
        self.w1, self.w2 = weight("w1", 8, 16), weight("w2", 16, 8)
        self.first, self.second = ops.MatMul(), ops.MatMul()
        if split:
            layout = Layout((DP, TP), ("dp", "tp"))
            self.norm.shard((layout("dp", "tp", "None"),), (layout("dp", "tp", "None"),))
            self.first.shard(((DP, 1), (1, TP)))
            self.second.shard(((DP, TP), (TP, 1)), ((DP * TP, 1),))

    def construct(self, x):
        hidden = self.norm(x)
        shape = hidden.shape
        hidden = ops.relu(self.first(hidden.reshape(-1, 8), self.w1))
        return (x + self.second(hidden, self.w2).reshape(shape)).mean(1)[:, :6]


class Vocabulary(nn.Cell):
    """The rows of an embedding, and the classes of its loss, are split."""

    def __init__(self, split):
        super().__init__()
        self.table, self.w = weight("table", 12, 8), weight("w", 8, 12)
        self.gather, self.matmul = ops.Gather(), ops.MatMul()
        if split:
            self.gather.shard(((TP, 1), (DP, 1)))
            self.matmul.shard(((DP, 1), (1, TP)))

    def construct(self, x):
        return self.matmul(self.gather(self.table, x, 0).mean(1), self.w)


class Experts(nn.Cell):
    """A mixture of experts, some of which each process has."""

    def __init__(self, split):
        super().__init__()
        self.gate = weight("gate", 8, 4)
        self.up, self.down = weight("up", 4, 8, 16), weight("down", 4, 16, 6)
        self.first, self.second = ops.BatchMatMul(), ops.BatchMatMul()
        if split:
            self.first.shard(((TP, 1, 1), (TP, 1, 1)))
            self.second.shard(((TP, 1, 1), (TP, 1, 1)))

    def construct(self, x):
        gates = ops.softmax(ops.matmul(x, self.gate), -1)
        chosen = ops.one_hot(gates.argmax(-1), 4, ms.Tensor(1.0), ms.Tensor(0.0))
        weights = (gates * chosen).T.expand_dims(-1)  # experts, rows, 1
        sent = chosen.T.expand_dims(-1) * x.expand_dims(0)
        return (weights * self.second(ops.relu(self.first(sent, self.up)), self.down)).sum(0)


class Layers(nn.Cell):
    """Layers of agar's own with a plan of their parameters."""

    def __init__(self, split):
        super().__init__()
        ms.set_seed(5)
        self.embedding = nn.Embedding(12, 8)
        self.up, self.down = nn.Dense(8, 16, activation="gelu"), nn.Dense(16, 6)
        self.norm = nn.LayerNorm([8])
        if split:
            layout = Layout((DP, TP), ("dp", "tp"))
            self.embedding.shard(((DP, 1),), None, {"embedding_table": (TP, 1)})
            self.up.shard(((DP, 1),), None, {"weight": layout("tp", "None"), "bias": layout("tp")})
            self.down.shard(((DP, TP),), ((DP, 1),), {"self.weight": (1, TP)})

    def construct(self, x):
        return self.down(self.up(self.norm(self.embedding(x).mean(1))))


CASES = {
    "mlp": (MLP, lambda: rows(8, 12), 6),
    "attention": (Attention, lambda: rows(8, 4, 8), 8),
    "fused": (Fused, lambda: rows(8, 4, 8), 8),
    "sequence": (Sequence, lambda: rows(8, 4, 8), 6),
    "vocabulary": (Vocabulary, lambda: classes(12, 8, 4), 12),
    "experts": (Experts, lambda: rows(8, 8), 6),
    "layers": (Layers, lambda: classes(12, 8, 4), 6),
}
OPTIMIZERS = {
    "momentum": lambda p: nn.Momentum(p, 0.1, 0.9),
    "sgd": lambda p: nn.SGD(p, 0.1, weight_decay=0.01),
    "adam": lambda p: nn.Adam(p, 0.01),
}


def trained(case, split, optimizer, way, input_rows="full_batch"):
    """Loss, output and gradients of the first step, and the parameters after five."""
    kind, inputs, count = CASES[case]
    net, loss = kind(split), nn.CrossEntropyLoss()
    opt = OPTIMIZERS[optimizer](net.trainable_params())
    x, y = inputs(), classes(count, 8)
    if split and input_rows == "data_parallel":
        own = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)
        x, y = x[own].copy(), y[own].copy()

    def forward(x, y):
        out = net(x)
        return loss(out, y), out

    def parallel(run):
        if not split:
            return run
        made = AutoParallel(run)
        made.dataset_strategy(input_rows)
        return made

    if way == "loss":
        forward = parallel(forward)
    gradient = ms.value_and_grad(forward, None, opt.parameters, has_aux=True)

    def step(x, y):
        value, grads = gradient(x, y)
        opt(grads)
        return *value, grads

    if way == "step":
        step = parallel(step)
    first = [np.array(v) for v in flat(step(x, y))]
    losses = [float(step(x, y)[0]) for _ in range(4)]
    return net, opt, [*first, np.array(losses), *(p.asnumpy().copy() for p in opt.parameters)]


def flat(value):
    if isinstance(value, tuple):
        return [t for v in value for t in flat(v)]
    return [value.asnumpy()]


def compare(key, *call):
    """The largest difference from one process; and what the processes hold of each parameter."""
    alone = trained(call[0], False, *call[1:])[2]
    net, opt, found = trained(call[0], True, *call[1:])
    worst = max(float(abs(a - b).max()) for a, b in zip(alone, found, strict=True))
    kept = {p.name: part(p).numel() / p.size for p in opt.get_parameters() if p.size > 1}
    FOUND[key] = {"difference": worst, "kept": kept}
    return net, opt


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def all_cases():
    for mode, cases in (("pynative", CASES), ("graph", ("mlp", "layers"))):
        ms.set_context(mode=MODES[mode])
        for case in cases:
            way = "step" if mode == "pynative" else "loss"
            compare(f"{mode} {case}", case, "momentum", way)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    for optimizer in ("sgd", "adam"):
        compare(f"{optimizer} mlp", "mlp", optimizer, "loss")
    for case in ("mlp", "vocabulary", "layers"):
        compare(f"data_parallel {case}", case, "adam", "step", "data_parallel")


def part(tensor):
    """What this process has of a tensor."""
    return getattr(tensor._value, "_local_tensor", tensor._value)


def explained():
    """Layouts and collectives of a training step, and of a forward run."""
    net, loss = MLP(True), nn.CrossEntropyLoss()
    opt = momentum(net)
    gradient = ms.value_and_grad(lambda a, b: loss(net(a), b), None, opt.parameters)

    def run(x, y):
        value, grads = gradient(x, y)
        opt(grads)
        return value

    step = AutoParallel(run)
    step.dataset_strategy("full_batch")
    x, y = rows(8, 12), classes(6, 8)
    before = ms.parallel.explain(step)
    for _ in range(3):
        step(x, y)
    after = ms.parallel.explain(step)
    once = ms.parallel.explain(step, x, y)
    return {
        "before": before.messages,
        "parts": {row.name: row.parts for row in after.parameters},
        "bytes": [after.bytes, sum(row.total for row in after.parameters)],
        "kinds": sorted({(m.kind, m.operator, m.processes, m.bytes) for m in after.messages or ()}),
        "same": after.sent == once.sent > 0,
        "text": str(after),
    }


def planned():
    """What a plan says of two by two processes, and what they have and send."""
    ms.set_seed(4)
    up, down = nn.Dense(32, 64, has_bias=False), nn.Dense(64, 32, has_bias=False)
    net = nn.SequentialCell(up, down)
    x = rows(16, 32)
    found = ms.parallel.plan(net, x, devices=SIZE, memory=1e9)
    way = next(c for c in found.candidates if (c.dp, c.tp, c.pp) == (DP, TP, 1))
    up.shard(((DP, 1),), ((DP, TP),), {"weight": (TP, 1)})
    down.shard(((DP, TP),), ((DP, 1),), {"weight": (1, TP)})
    opt = nn.Adam(net.trainable_params(), 0.01)
    gradient = ms.value_and_grad(lambda a: (net(a) ** 2).sum(), (0,), opt.parameters)

    def run(a):
        value, (own, grads) = gradient(a)
        opt(grads)
        return value, own  # the gradient of the input goes on to layers before these

    step = AutoParallel(run)
    step.dataset_strategy("full_batch")
    for _ in range(3):
        step(x)
    seen = ms.parallel.explain(step)
    held = sum(part(p).nbytes for p in opt.get_parameters() if p.ndim == 2)  # states as well
    sent = sum(m.bytes for m in seen.messages or () if m.kind == "all-reduce" and m.bytes > 4)
    outputs = 16 * (64 + 32) * 4 / (DP * TP)
    return {
        "memory": [held + seen.bytes + outputs, way.memory],  # gradients are as large as parameters
        "sent": [sent, way.gradients + way.activations],
    }


def by_context():
    """The parallel mode of the context: training cells, Model, and gradients of functions."""
    x, y = rows(8, 12), classes(6, 8)
    net = MLP(False)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), momentum(net))
    for _ in range(3):
        step(x, y)
    expected = [p.asnumpy() for p in net.trainable_params()]
    found = {}
    for mode in ("semi_auto_parallel", "auto_parallel"):
        ms.set_auto_parallel_context(
            parallel_mode=mode, search_mode="sharding_propagation", dataset_strategy="full_batch"
        )
        for way in (by_cell, by_model, by_function):
            found[f"{mode} {way.__name__}"] = differs(way(x, y), expected)
    ms.set_auto_parallel_context(full_batch=False, dataset_strategy="data_parallel")
    own = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)
    found["rows"] = differs(by_model(x[own].copy(), y[own].copy()), expected)
    ms.reset_auto_parallel_context()
    found["AutoParallel"] = differs(by_model(x, y, AutoParallel), expected)
    return found


def momentum(net):
    return nn.Momentum(net.trainable_params(), 0.1, 0.9)


def differs(net, expected):
    """The largest difference of parameters, and the share of the first that this process has."""
    found = net.trainable_params()
    worst = max(float(abs(p.asnumpy() - e).max()) for p, e in zip(found, expected, strict=True))
    return [worst, part(found[0]).numel() / found[0].size]


def by_cell(x, y):
    net = MLP(True)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), momentum(net))
    for _ in range(3):
        step(x, y)
    return net


def by_model(x, y, around=None):
    net = MLP(True)
    given: Any = net
    if around is not None:
        given = around(net)
        given.dataset_strategy("full_batch")
    ms.Model(given, nn.CrossEntropyLoss(), momentum(net)).train(1, [(x, y)] * 3)
    return net


def by_function(x, y):
    net, loss = MLP(True), nn.CrossEntropyLoss()
    opt = momentum(net)
    gradient = ms.value_and_grad(lambda a, b: loss(net(a), b), None, opt.parameters)
    for _ in range(3):
        opt(gradient(x, y)[1])
    return net


def trained_layers():
    net = Layers(True)
    opt = nn.Adam(net.trainable_params(), 0.01)
    made = AutoParallel(lambda a, b: nn.CrossEntropyLoss()(net(a), b))
    made.dataset_strategy("full_batch")
    gradient = ms.value_and_grad(made, None, opt.parameters)
    x, y = classes(12, 8, 4), classes(6, 8)

    def steps(count):
        for _ in range(count):
            opt(gradient(x, y)[1])
        return {p.name: p.asnumpy().tolist() for p in opt.get_parameters()}

    return net, opt, steps


def checkpoints():
    """Saved by four processes, loaded by fewer, or in parts; see test_split."""
    folder = os.environ["AGAR_CHECKPOINTS"]
    net, opt, steps = trained_layers()
    found = {}
    if SIZE == 4:
        steps(2)
        name = f"{folder}/whole" if RANK == 0 else f"{folder}/copy{RANK}"
        ms.save_checkpoint(opt, name)
        ms.save_checkpoint(net, f"{folder}/part{RANK}", integrated_save=False)
        loaded = ms.load_checkpoint(f"{folder}/part{RANK}.ckpt")
        found["parts"] = {k: list(v.shape) for k, v in loaded.items() if isinstance(v, ms.Tensor)}
    else:
        ms.load_param_into_net(opt, ms.load_checkpoint(f"{folder}/whole.ckpt"))
    found["values"] = {p.name: p.asnumpy().tolist() for p in opt.get_parameters()}
    found["after"] = steps(1)
    return found


def reading():
    """Whole values are read in all processes, from tensors that lie in parts."""
    x = rows(8, 4)
    layout = Layout((SIZE,), ("all",))
    parts = ops.reshard(x, layout("all", "None"))
    sums = ops.reshard(x, layout("None", "all")).sum(1)
    return {
        "part": list(part(parts).shape),
        "shape": list(parts.shape),
        "equal": [
            bool((parts.asnumpy() == x.asnumpy()).all()),
            parts.tolist() == x.tolist(),
            str(parts) == str(x),
            repr(parts) == repr(x),
            float(parts[2, 3]) == float(x[2, 3]),
            parts.get_bytes() == x.get_bytes(),
            (ops.reshard(parts, layout("None", "all")).asnumpy() == x.asnumpy()).all().item(),
            bool(abs(sums.asnumpy() - x.asnumpy().sum(1)).max() < 1e-6),
        ],
    }


def writing():
    """Items are assigned in all processes, in place."""
    x, layout = rows(8, 4), Layout((SIZE,), ("all",))
    parts = ops.reshard(x, layout("all", "None"))
    before = parts._value
    x[1:6, 2] = 5.0
    parts[1:6, 2] = 5.0
    x[-1] = ms.Tensor([1.0, 2.0, 3.0, 4.0])
    parts[-1] = ms.Tensor([1.0, 2.0, 3.0, 4.0])
    return bool((parts.asnumpy() == x.asnumpy()).all()) and parts._value is before


def orders():
    """Which rows each process has, by the order of names and the list of ranks."""
    x = ms.Tensor(np.arange(8))
    found = {}
    grid = Layout((DP, TP), ("dp", "tp"))
    for names in (("dp", "tp"), ("tp", "dp")):
        parts = ops.reshard(x, grid(names))
        assert parts.asnumpy().tolist() == list(range(8))
        found[" ".join(names)] = part(parts).tolist()
    turned = Layout((SIZE,), ("all",), list(range(SIZE))[::-1])
    found["reversed"] = part(ops.reshard(x, turned("all"))).tolist()
    return found


def functions():
    """`ms.shard` outside AutoParallel, with its gradient."""
    w, x = weight("fw", 4, 6), rows(8, 4)
    plain = ms.value_and_grad(lambda a, b: (a @ b).sum(), (0, 1))(x, w)
    split = ms.shard(lambda a, b: (a @ b).sum(), ((1, SIZE), (SIZE, 1)))
    found = ms.value_and_grad(split, (0, 1))(x, w)
    return max(float(abs(a - b).max()) for a, b in zip(flat(plain), flat(found), strict=True))


def partial_sums():
    """Operators after a product whose sums are still spread over the processes."""
    x, w = rows(8, 4), weight("pw", 4, 6)
    layout = Layout((SIZE,), ("all",))
    table = ms.Tensor([1.0, -2.0, 3.0, 0.5, 4.0, -1.0])
    calls = {
        "add": lambda y: y + 1.0,
        "tensor": lambda y: y - table,
        "power": lambda y: y * y,
        "relu": ops.relu,
        "max": lambda y: y.max(),
        "softmax": lambda y: ops.softmax(y, 0),
        "where": lambda y: ops.where(y > 0, y, table),
        "sort": lambda y: y.sort()[0],
        "index": lambda y: y[2:5, 1],
        "concat": lambda y: ops.cat([y, y + table]),
        "norm": lambda y: ops.norm(y),
        "variance": lambda y: y.var(0),
        "unfold": lambda y: ops.unfold(y.reshape(1, 3, 4, 4), 2),
        "gather": lambda y: ops.gather_elements(y, 0, ms.Tensor([[0, 7, 3, 3, 1, 2]])),
    }
    worst = {}
    for name, call in calls.items():

        def run(a, b, call=call):
            return call(
                ops.reshard(a, layout("None", "all")) @ ops.reshard(b, layout("all", "None"))
            )

        net = AutoParallel(run)
        net.dataset_strategy("full_batch")
        gradient = ms.value_and_grad(lambda a, b, net=net: (net(a, b) ** 2).sum(), (0, 1))
        expected = ms.value_and_grad(lambda a, b, call=call: (call(a @ b) ** 2).sum(), (0, 1))
        pairs = zip(flat(expected(x, w.value())), flat(gradient(x, w.value())), strict=True)
        worst[name] = max(float((abs(a - b) / (1 + abs(a))).max()) for a, b in pairs)
    return worst


def refusals():
    """What does not fit is refused, by name."""
    x, w = rows(8, 4), weight("rw", 4, 6)
    layout = Layout((SIZE,), ("all",))
    uneven = rows(9, 4)
    parts = ops.reshard(x, layout("all", "None"))
    other = ms.Parameter(ms.Tensor(np.full(4, RANK, "float32")), name="other")
    different = ms.Tensor(np.full((8, 4), RANK, "float32"))
    longer = ms.Tensor(np.ones((8 + RANK, 4), "float32"))

    def auto(run, rows_are="full_batch"):
        made = AutoParallel(run)
        made.dataset_strategy(rows_are)
        return made

    ms.set_seed(1)
    late = nn.SequentialCell(nn.Dense(4, 6))
    calls = {
        "uneven": lambda: ops.MatMul().shard(((SIZE, 1), (1, 1)))(uneven, w),
        "processes": lambda: ops.MatMul().shard(((3, 1), (1, 1)))(x, w),
        "shared": lambda: ops.MatMul().shard(((1, SIZE), (1, 1)))(x, w),
        "count": lambda: ops.MatMul().shard(((1, 1),))(x, w),
        "dimensions": lambda: ops.ReLU().shard(((1, 1, SIZE),))(x),
        "grid": lambda: ops.reshard(x, Layout((SIZE + 1,), ("all",))("all", "None")),
        "mixed": lambda: parts + x,
        "write": lambda: parts[0:1].add_(ms.Tensor(1.0)),
        "parameters": lambda: AutoParallel(lambda a: a + other),
        "rows": lambda: auto(lambda a: a * 2)(different),
        "lengths": lambda: auto(lambda a: a * 2, "data_parallel")(longer),
        "plan": lambda: nn.Dense(4, 6).shard(((1, 1),), None, {"wait": (1, 1)})(x),
        "interleaved": lambda: ops.reshard(
            x, Layout((SIZE, 1), ("all", "interleaved_parallel"))("all", "None")
        ),
        "recursive": lambda: AutoParallel(late, "recursive_programming"),
        "pipeline": lambda: AutoParallel(late).pipeline(2, scheduler="seqpipe"),
        "lamb": lambda: lamb(x),
    }
    return {name: message(call) for name, call in calls.items()}


def lamb(x):
    ms.set_seed(2)
    net = nn.Dense(4, 6).shard(((1, 1),), None, {"weight": (2, 1)})
    opt = nn.Lamb(net.trainable_params(), 0.1)
    made = AutoParallel(lambda a: net(a).sum())
    made.dataset_strategy("full_batch")
    opt(ms.value_and_grad(made, None, opt.parameters)(x)[1])


def records():
    """In GRAPH_MODE: a record of plain tensors is not replayed for tensors in parts."""
    ms.set_seed(3)
    net: Any = nn.Dense(4, 6)
    x = rows(8, 4)
    made = AutoParallel(net)
    made.dataset_strategy("full_batch")
    ms.set_context(mode=ms.GRAPH_MODE)
    net.weight._value = whole(net.weight._value)
    net.bias._value = whole(net.bias._value)
    before = [net(x).asnumpy() for _ in range(3)]
    layout = Layout((SIZE,), ("all",))
    net.weight._value = ops.reshard(net.weight.value(), layout("None", "all"))._value
    try:
        after = [net(x).asnumpy().tolist() for _ in range(2)]
    except RuntimeError as error:
        after = str(error)
    first = ops.reshard(x, layout("all", "None"))
    twice = jit_twice(x).asnumpy().tolist() == jit_twice(first).asnumpy().tolist()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return {"before": len(before), "after": after, "twice": twice}


@ms.jit
def jit_twice(x):
    return x * 2


def main():
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*runs as ordinary Python")
    comm.init()
    if "checkpoints" in sys.argv:
        FOUND.update(checkpoints=checkpoints())
        write()
        return
    all_cases()
    FOUND.update(
        explained=explained(),
        planned=planned(),
        by_context=by_context(),
        checkpoints=checkpoints(),
        reading=reading(),
        writing=writing(),
        orders=orders(),
        functions=functions(),
        partial=partial_sums(),
        refusals=refusals(),
        records=records(),
    )
    write()


def write():
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)


if __name__ == "__main__":
    main()
