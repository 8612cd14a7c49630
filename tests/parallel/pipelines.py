"""Trains networks in the stages of pipelines; see test_pipeline.

The same program in one process trains them whole.
"""

from __future__ import annotations

import json
import os
import sys

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar._core.distributed.sharding import local
from agar.parallel.auto_parallel import AutoParallel

RANK, SIZE = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
MODES = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}
MICRO, ROWS = 4, 16
FOUND: dict = {}

#: Schedules by name: pipeline_config, and how many parts of the network a stage has.
SCHEDULES = {
    "1f1b": (False, "1f1b", 1),
    "gpipe": (True, "gpipe", 1),
    "interleaved 1f1b": (True, "1f1b", 2),
    "interleaved gpipe": (True, "gpipe", 2),
    "zero bubble": (True, "zero_bubble_v", 2),
}


class Block(nn.Cell):
    def __init__(self, norm: bool) -> None:
        super().__init__()
        self.up = nn.Dense(8, 12)
        self.norm = nn.BatchNorm1d(12) if norm else nn.Identity()
        self.down = nn.Dense(12, 8)

    def construct(self, x):
        return self.down(ops.tanh(self.norm(self.up(x))))


class Residual(nn.Cell):
    """Blocks with what a linear chain has not: sums around them, and one around the whole."""

    def __init__(self, norm: bool = False) -> None:
        super().__init__()
        self.first = nn.Dense(6, 8)
        self.blocks = nn.CellList([Block(norm) for _ in range(8)])
        self.last = nn.Dense(8, 3)

    def construct(self, x):
        x = start = self.first(x)
        for i, block in enumerate(self.blocks):
            x = x + block(x) if i % 2 else block(x).reshape(x.shape[0], -1)
        return self.last(x + start)

    def in_order(self):
        return [self.first, *self.blocks, self.last]


class Encoder(nn.Cell):
    """A transformer whose embedding is its last layer as well."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.layers = nn.CellList(
            [nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True) for _ in range(4)]
        )
        self.head = Tied()

    def construct(self, x):
        x = self.embedding(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x, self.embedding.embedding_table)

    def in_order(self):
        return [self.embedding, *self.layers, self.head]


class Tied(nn.Cell):
    def construct(self, x, table):
        return ops.matmul(x.mean(1), table.T)


def mark(net, stages, schedule):
    _, scheduler, parts = SCHEDULES[schedule]
    cells = net.in_order()
    count = stages * parts
    for i, cell in enumerate(cells):
        part = i * count // len(cells)
        if scheduler == "zero_bubble_v":
            cell.pipeline_stage = part if part < stages else count - 1 - part
            cell.pipeline_segment = part // stages
        else:
            cell.pipeline_stage = part % stages


def with_stages(stages, schedule: str = "1f1b", **more):
    ms.reset_auto_parallel_context()
    if SIZE > 1:
        interleave, scheduler, _ = SCHEDULES[schedule]
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel",
            pipeline_stages=stages,
            pipeline_config={"pipeline_interleave": interleave, "pipeline_scheduler": scheduler},
            **more,
        )


#: What hsdp cuts in the processes of a stage: the level, or None.
cut_level = None


def made(kind, stages, schedule="1f1b", seed=3):
    config = {"optimizer_level": f"level{cut_level}", "parallel_optimizer_threshold": 0}
    cuts = cut_level is not None
    more = {"enable_parallel_optimizer": True, "parallel_optimizer_config": config} if cuts else {}
    with_stages(stages, schedule, **more)
    ms.set_seed(seed)
    net = {
        "residual": Residual,
        "norm": lambda: Residual(norm=True),
        "encoder": Encoder,
    }[kind]()
    if kind == "encoder" and SIZE > 1:
        for stage in range(stages):
            net.embedding.embedding_table.add_pipeline_stage(stage)
    mark(net, stages, schedule)
    return net


def rows(kind, steps=1, seed=5):
    draw = np.random.RandomState(seed)
    x = draw.randn(steps, ROWS, 6).astype(np.float32)
    if kind == "encoder":
        x = draw.randint(0, 11, (steps, ROWS, 5)).astype(np.int32)
    classes = 11 if kind == "encoder" else 3
    y = draw.randint(0, classes, (steps, ROWS)).astype(np.int32)
    return [(ms.Tensor(a), ms.Tensor(b)) for a, b in zip(x, y, strict=True)]


def own_rows(kind, stages, steps=1):
    """Those of this process, of the batch that all processes of a stage have together."""
    width = max(SIZE // stages, 1)
    part, size = RANK % width, ROWS // width
    own = slice(part * size, (part + 1) * size)
    return [(x[own], y[own]) for x, y in rows(kind, steps)]


def listed(tensors):
    return {name: t.asnumpy().reshape(-1).tolist() for name, t in tensors.items()}


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


def gradients(kind, stages, schedule, micro=MICRO):
    """Loss and gradients of a mean over all rows, and statistics."""
    net = made(kind, stages, schedule)
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), micro).set_train()
    weights = cell.trainable_params()
    step = ms.value_and_grad(lambda x, y: cell(x, y) / micro, None, weights)
    (row,) = own_rows(kind, stages)
    # GRAPH_MODE gives up a recording, records the cells, replays them; statistics count steps
    for _ in range(3 if kind == "norm" or ms.get_context("mode") == ms.GRAPH_MODE else 1):
        step(*row)
    loss, grads = step(*row)
    return {
        "loss": float(loss.asnumpy()),
        "gradients": listed({p.name: g for p, g in zip(weights, grads, strict=True)}),
        "statistics": listed({p.name: p for p in net.untrainable_params()}),
        "bytes": sum(local(p._value).nbytes for p in net.get_parameters()),
        "compiled": sum(bool(c.__dict__.get("_compiled")) for c in net.in_order()),
    }


def one_step_cell(net, opt, data, micro=MICRO):
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), micro)
    step = nn.TrainOneStepCell(cell, opt, sens=1 / micro).set_train()
    return [float(step(*row).asnumpy()) for row in data]


def loss_scale_cell(net, opt, data, micro=MICRO):
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), micro)
    update = nn.DynamicLossScaleUpdateCell(64, 2, 2)
    step = nn.TrainOneStepWithLossScaleCell(cell, opt, update).set_train()
    return [float(step(*row)[0].asnumpy()) for row in data]


def model(net, opt, data, micro=MICRO):
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), micro)
    ms.Model(cell, optimizer=opt).train(1, data)
    return []


WAYS = {f.__name__: f for f in (one_step_cell, loss_scale_cell, model)}


def trained(way, kind, stages, before=True):
    """Parameters after three steps; the optimizer is made before the network is cut."""
    net = made(kind, stages)
    opt = nn.Adam(net.trainable_params(), 0.01)
    losses = WAYS[way](net, opt, own_rows(kind, stages, 3))
    return {
        "losses": losses,
        "parameters": listed({p.name: p for p in net.trainable_params()}),
        "state": sum(local(p._value).nbytes for kind in opt._states() for p in kind),
    }


def in_parts(mode):
    """Two stages of two processes each, which cut what their stage has."""
    global cut_level
    found = {}
    if mode == "graph":
        cut_level = 3
        for schedule in SCHEDULES:
            found[f"3 {schedule}"] = gradients("residual", 2, schedule)
        found["3 one_step_cell"] = trained("one_step_cell", "residual", 2)
        found["3 encoder"] = gradients("encoder", 2, "1f1b")
        cut_level = None
        found["3 inference"] = [infer_in_parts(3, full) for full in (True, False)]
        return found
    for cut_level in (1, 2, 3):
        for schedule in SCHEDULES if cut_level == 3 else ("1f1b",):
            found[f"{cut_level} {schedule}"] = gradients("residual", 2, schedule)
        for way in WAYS if cut_level == 3 else ("one_step_cell",):
            found[f"{cut_level} {way}"] = trained(way, "residual", 2)
        found[f"{cut_level} encoder"] = gradients("encoder", 2, "1f1b")
    FOUND["shared in parts"] = shared(2)
    cut_level = None
    for level in (1, 3):
        found[f"{level} inference"] = [infer_in_parts(level, full) for full in (True, False)]
    found["late"] = message(late)
    found["3 auto_parallel"] = auto_parallel(2, "level3")
    found["3 auto_model"] = auto_model(2, "level3")
    found["differs"] = message(different_numbers)
    found["unlike"] = unlike()
    return found


def infer_in_parts(level, full):
    """Two stages of two processes without PipelineCell: whole batches, or each its own rows."""
    ms.reset_auto_parallel_context()
    ms.set_seed(3)
    net = Residual().set_train(False)
    x = (rows if full else own_rows)("residual", *([] if full else [2]))[0][0]
    expected = net(x).asnumpy()
    mark(net, 2, "1f1b")
    whole = AutoParallel(net)
    whole.pipeline(2)
    whole.hsdp(-1, 0, f"level{level}")
    whole.dataset_strategy("full_batch" if full else "data_parallel")
    found = [whole(x).asnumpy() for _ in range(2)]
    return {
        "difference": max(float(abs(f - expected).max()) for f in found),
        "bytes": sum(local(p._value).nbytes for p in net.get_parameters()),
    }


def late():
    net = Residual()
    mark(net, 2, "1f1b")
    whole = AutoParallel(net)
    whole.pipeline(2)
    ((x, _),) = own_rows("residual", 2)
    whole(x)
    whole.hsdp(-1, 0, "level3")
    whole(x)


class TwoLayouts(nn.Cell):
    """A matrix that two stages hold, by columns in the first and by rows in the second."""

    def __init__(self, splits) -> None:
        super().__init__()
        ms.set_seed(3)
        self.first, self.second = Product(), Product()
        self.second.weight = self.first.weight
        if splits:
            self.first.product.shard(((1, 1), (1, 2)))
            self.second.product.shard(((1, 2), (2, 1)))
            self.first.pipeline_stage, self.second.pipeline_stage = 0, 1

    def construct(self, x):
        return self.second(self.first(x))


class Product(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor(np.eye(6, dtype=np.float32) + 0.1), name="weight")
        self.product = ops.MatMul()

    def construct(self, x):
        return self.product(x, self.weight)


def two_layouts():
    """The weight after three steps, and what this process has of it."""
    with_stages(2)
    net = TwoLayouts(SIZE > 1)
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss = nn.WithLossCell(net, nn.MSELoss())
    micro = MICRO if SIZE > 1 else 1
    step = nn.TrainOneStepCell(nn.PipelineCell(loss, micro), opt, sens=1 / micro).set_train()
    data = (rows if SIZE == 1 else own_rows)("residual", *([] if SIZE == 1 else [2]), 3)
    for x, _ in data:
        step(x, x * 2)
    return {
        "weight": listed({"weight": net.first.weight})["weight"],
        "part": list(local(net.first.weight._value).shape),
    }


class Number(nn.Cell):
    """A number of each process's rows is given to a cell of a stage."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.scaled = nn.Dense(6, 6), Scaled(nn.Dense(6, 6))
        self.first.pipeline_stage, self.scaled.pipeline_stage = 0, 1

    def construct(self, x):
        return self.scaled(self.first(x), x.mean()).sum()


class Scaled(nn.Cell):
    def __init__(self, layer) -> None:
        super().__init__()
        self.layer = layer

    def construct(self, x, factor):
        return self.layer(x) * factor


def different_numbers():
    with_stages(
        2,
        enable_parallel_optimizer=True,
        parallel_optimizer_config={"parallel_optimizer_threshold": 0},
    )
    ms.set_seed(3)
    nn.PipelineCell(Number(), MICRO)(own_rows("residual", 2)[0][0])


def auto_parallel(stages, level=None):
    """A training step in AutoParallel, which says how the network is cut after all is made."""
    ms.reset_auto_parallel_context()
    ms.set_seed(3)
    net = Residual()
    mark(net, stages, "1f1b")
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO).set_train()
    take = ms.value_and_grad(lambda x, y: cell(x, y) / MICRO, None, opt.parameters)
    reduce = nn.PipelineGradReducer(opt.parameters)

    def train(x, y):
        loss, grads = take(x, y)
        opt(reduce(grads))
        return loss

    step = AutoParallel(train)
    if level is not None:
        step.hsdp(-1, 0, level)
    step.pipeline(stages)
    step.dataset_strategy("full_batch")  # two stages of two processes share its rows
    losses = [float(step(*row).asnumpy()) for row in rows("residual", 3)]
    return {
        "losses": losses,
        "parameters": listed({p.name: p for p in net.trainable_params()}),
        "state": sum(local(p._value).nbytes for p in opt.moments),
    }


def auto_model(stages, level=None):
    """`Model` with an AutoParallel that has stages."""
    ms.reset_auto_parallel_context()
    ms.set_seed(3)
    net = Residual()
    mark(net, stages, "1f1b")
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    whole = AutoParallel(nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO))
    whole.pipeline(stages)
    if level is not None:
        whole.hsdp(-1, 0, level)
    whole.dataset_strategy("full_batch")
    model = ms.Model(whole, optimizer=opt)
    model.train(1, rows("residual", 3))
    return {"losses": [], "parameters": listed({p.name: p for p in net.trainable_params()})}


class Parts(nn.Cell):
    """Inference as MindSpore's programs have it: a loop over parts of the batch."""

    def __init__(self, net) -> None:
        super().__init__()
        self.net = net

    def construct(self, x):
        return ops.cat([self.net(part) for part in ops.split(x, ROWS // MICRO)])


def inference(stages):
    net = made("residual", stages).set_train(False)
    ((x, _),) = rows("residual")
    results = {}
    if SIZE == 1:
        results["relay"] = results["broadcast"] = net(x).asnumpy().tolist()
        return results
    ms.reset_auto_parallel_context()
    whole = AutoParallel(Parts(net))
    whole.pipeline(stages)
    results["relay"] = whole(x).asnumpy().tolist()
    results["gradient"] = message(lambda: ms.grad(whole)(x))
    results["direct"] = message(lambda: net(x))
    # a sum over micro-batches of one row, as each is the same
    cell = nn.PipelineCell(made("residual", stages), stages)
    same = ops.cat([x[:1]] * stages)
    out = cell(same)
    with_stages(stages, pipeline_result_broadcast=True)
    results["broadcast"] = (cell(same) / stages).asnumpy().tolist()
    results["alone"] = None if out is None else (out / stages).asnumpy().tolist()
    return results


def shared(stages):
    """Values that were put into one stage alone are sent to the others."""
    net = made("encoder", stages)
    table = net.embedding.embedding_table
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO)
    if RANK:
        table.set_data(ops.zeros_like(table))
    ms.parallel.sync_pipeline_shared_parameters(cell)
    return float(table.abs().sum().asnumpy())


class Rows(nn.Cell):
    """Takes rows of a table."""

    def __init__(self, table):
        super().__init__()
        self.table, self.gather = table, ops.Gather()

    def construct(self, x):
        return self.gather(self.table, x, 0)


class Scores(nn.Cell):
    """Compares with a table whose rows are cut."""

    def __init__(self, table):
        super().__init__()
        self.table, self.matmul = table, ops.MatMul(transpose_b=True).shard(((1, 1), (2, 1)))

    def construct(self, x):
        return self.matmul(x, self.table).mean()


def unlike():
    """A parameter that is whole in the one stage and cut in the other, in each step."""
    with_stages(2)
    draw = np.random.RandomState(1)
    table = ms.Parameter(ms.Tensor(draw.randn(14, 3).astype("float32")), name="table")
    net = nn.SequentialCell(Rows(table), Scores(table))
    for stage, cell in enumerate(net):
        cell.pipeline_stage = stage
    cell = nn.PipelineCell(net, MICRO)
    opt = nn.Momentum(cell.trainable_params(), 0.05, 0.9)
    gradient = ms.value_and_grad(cell, None, opt.parameters)
    seen = []
    for _ in range(12):
        grads = gradient(ms.Tensor(draw.randint(0, 14, 8).astype(np.int32)))[1]
        value = opt.parameters[0]._value
        seen.append([local(value).numel(), value.full_tensor().tolist()])
        opt(grads)
    return seen


def different():
    """Two stages of two processes each, which do not begin with the same parameters."""
    found = {}
    for name, broadcast in (("raises", False), ("sent", True)):
        with_stages(2, parameter_broadcast=broadcast)
        ms.set_seed(RANK)
        net = Residual()
        mark(net, 2, "1f1b")
        found[name] = message(
            lambda net=net: nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO)
        )
        found["parameters"] = listed({p.name: p for p in net.trainable_params()})
    return found


def optimizers():
    """Which optimizers made for the whole network train a stage."""
    outputs_of = {
        "mint.optim.AdamW": lambda p: ms.mint.optim.AdamW(p, 0.01),
        "mint.optim.SGD": lambda p: ms.mint.optim.SGD(p, 0.01, momentum=0.9),
        "nn.Lamb": lambda p: nn.Lamb(p, 0.01),
        "nn.AdaFactor": lambda p: nn.AdaFactor(p),
        "nn.FTRL": lambda p: nn.FTRL(p),
    }
    found = {}
    for name, make in outputs_of.items():
        ms.reset_auto_parallel_context()
        ms.set_seed(3)
        net = Residual()
        mark(net, SIZE, "1f1b")
        opt = make(net.trainable_params())
        with_stages(SIZE)
        cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), MICRO)
        (row,) = rows("residual")
        for _ in range(2):
            opt(ms.value_and_grad(cell, None, opt.parameters)(*row)[1])
        found[name] = {"parameters": listed({p.name: p for p in net.trainable_params()})}
    return found


def dropout(stages, seed):
    with_stages(stages)
    ms.set_seed(seed)
    net = nn.SequentialCell(
        [nn.SequentialCell(nn.Dense(6, 6), nn.Dropout(p=0.5)) for _ in range(stages)]
    )
    for stage, cell in enumerate(net):
        cell.pipeline_stage = stage
    whole = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), MICRO).set_train()
    ((x, _),) = rows("residual")
    return [float(whole(x, x).asnumpy()) for _ in range(2)]


class Wrong(nn.Cell):
    """A network whose construct is given."""

    def __init__(self, run) -> None:
        super().__init__()
        self.a, self.b, self.c = (nn.Dense(6, 6) for _ in range(3))
        self.a.pipeline_stage = self.c.pipeline_stage = 0
        self.b.pipeline_stage = 1
        self.run = run

    def construct(self, x):
        return self.run(self, x)


WRONG = {
    "order": lambda net, x: net.c(net.b(net.a(x))).sum(),
    "parameter": lambda net, x: net.b(net.a(x) + net.c.bias).sum(),
    "argument": lambda net, x: net.b(net.a(x), net.a.weight).sum(),
    "end": lambda net, x: net.a(x).sum(),
    "loss": lambda net, x: net.b(net.a(x)),
    "sparse": lambda net, x: net.b(net.a(x), 1, 2),
}


def wrong():
    ((x, _),) = rows("residual")
    found = {}
    for name, run in WRONG.items():
        with_stages(2)
        net = Wrong(run)
        cell = nn.PipelineCell(net, MICRO)
        found[name] = message(
            lambda cell=cell: ms.value_and_grad(cell, None, cell.trainable_params())(x)
        )
    with_stages(2)
    cell = nn.PipelineCell(Wrong(lambda net, x: net.b(net.a(x)).sum()), MICRO)
    found["input"] = message(lambda: ms.grad(cell)(x))
    found["rows"] = message(lambda: cell(x[:6]))
    found["number"] = message(lambda: cell(2))
    with_stages(2, "gpipe")
    found["another"] = message(lambda: cell(x))
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    comm.init(timeout=60)
    for name, mode in MODES.items() if SIZE > 1 else [("one", ms.PYNATIVE_MODE)]:
        ms.set_context(mode=mode)
        for kind in ("residual", "norm", "encoder"):
            for schedule in SCHEDULES if SIZE > 1 and kind == "residual" else ("1f1b",):
                for stages in {SIZE, min(SIZE, 2)} if schedule == "1f1b" else (SIZE,):
                    if kind == "norm" and stages != SIZE:
                        continue  # statistics are those of fewer rows
                    key = f"{name} {kind} {schedule} {stages if SIZE > 1 else ''}".strip()
                    FOUND[key] = gradients(kind, stages, schedule)
        for way in WAYS:
            FOUND[f"{name} {way}"] = trained(way, "residual", SIZE)
        FOUND[f"{name} auto_parallel"] = auto_parallel(min(SIZE, 2))
        FOUND[f"{name} auto_model"] = auto_model(min(SIZE, 2))
        if SIZE == 4:
            FOUND |= {f"{name} cut {key}": found for key, found in in_parts(name).items()}
    ms.set_context(mode=ms.PYNATIVE_MODE)
    FOUND["inference"] = inference(SIZE)
    if SIZE > 1:
        FOUND["shared"] = shared(SIZE)
        FOUND["dropout"] = [dropout(SIZE, seed) for seed in (7, 7, 8)]
    if SIZE < 3:
        FOUND |= optimizers()
    if SIZE == 4:
        FOUND["different"] = different()
    if SIZE != 2:
        FOUND["two layouts"] = two_layouts()
    if SIZE == 2:
        FOUND["wrong"] = wrong()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
    comm.release()
