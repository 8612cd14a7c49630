"""How many calls of real programs are replayed in GRAPH_MODE, and why the others are not.

    python benchmarks/replays.py [--only REGEX] [--calls N] [--warm N] [--json FILE]

The programs are the rows of benchmarks/graph.py and benchmarks/migrate.py (smaller), the networks
of the examples, and four whose Python differs from call to call (benchmarks/replays_networks.py).
Each is called until it is warm; of the calls after that, those count as replayed in which no Python
of the program ran. The table has a row a program: calls, share replayed, and why others ran as
Python or were recorded again. The exit status is 1 if any was not replayed.

The networks of benchmarks/migrate.py need ``pip install --no-deps -r requirements/networks.txt``.
"""

from __future__ import annotations

import argparse
import collections
import gc
import json
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

import agar as ms
from agar import nn
from agar._core.autodiff import tensors_in
from agar._core.graph.cache.function import CompiledFunction
from agar._core.runtime import runtime, thread

HERE = Path(__file__).parent
#: Calls of a network before those that count: recordings agree after two or three, and sizes that
#: change are met again and again until a recording for all of them is there.
WARM, WARM_CHANGING, CALLS = 6, 120, 20


# -------------------------------------------------------------------------------- counting


@dataclass
class Row:
    """One row of the table."""

    network: str
    calls: int = 0
    replayed: int = 0
    reasons: collections.Counter[str] = field(default_factory=collections.Counter)
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether there were calls, and all were replayed."""
        return 0 < self.calls == self.replayed


class Count:
    """Counts the compiled calls of the process, from outside of any recording."""

    def __init__(self) -> None:
        self.calls = self.replayed = 0
        self.reasons: collections.Counter[str] = collections.Counter()

    def reset(self) -> None:
        """Forget what was counted."""
        self.__init__()

    def note(self, function: CompiledFunction, before: tuple[int, int, dict[str, int]]) -> None:
        """Count a call, by what the function's counters were before it."""
        runs, plain, reasons = before
        self.calls += 1
        if function.runs == runs:
            self.replayed += 1
            return
        kind = "Python" if function.plain_calls > plain else "recorded"
        new = [w for w, n in function.plain_reasons.items() if n > reasons.get(w, 0)]
        why = new or [*dict.fromkeys(causes(function))][-2:]
        self.reasons[f"{function.name}: {kind}{': ' if why else ''}{'; '.join(why)}"] += 1


def causes(function: CompiledFunction) -> Iterator[str]:
    """Why calls of a function are not replayed, as far as it knows."""
    yield from function.eager_keys.values()
    for found in (*function.specializations.values(), *function.gradients.values()):
        if found.eager is not None:
            yield f"{found.eager} ({found.site})" if found.site else found.eager
        else:
            yield from [reason for reason, _ in found.history]
    yield from [f"changed: {what}" for what in function.recaptures[-2:]]
    yield from [f"sizes: {why}" for why in function.fixed.values()]


# Compiled under a name that the engine takes for its own: it must not guard the counting.
_WRAPPER = """
def counted(call, count, thread):
    def wrapper(self, args, kwargs):
        if thread.inside:
            return call(self, args, kwargs)
        before = self.runs, self.plain_calls, dict(self.plain_reasons)
        try:
            return call(self, args, kwargs)
        finally:
            count.note(self, before)
    return wrapper
"""


def counting() -> Count:
    """Count all compiled calls of this process from now on."""
    names: dict[str, Any] = {}
    exec(compile(_WRAPPER, "<agar replays>", "exec"), names)
    count = Count()
    CompiledFunction.call = names["counted"](CompiledFunction.call, count, thread)
    return count


def measure(name: str, step: Callable[[], Any], warm: int, calls: int, count: Count) -> Row:
    """Call a step until it is warm, then count."""
    row, begin = Row(name), time.perf_counter()
    try:
        for _ in range(warm):
            step()
    except Exception as error:  # one program that fails must not end the others' run
        row.reasons[f"{type(error).__name__}: {error}".splitlines()[0][:200]] += 1
        count.reset()
        return row
    # the module for open sizes is loaded beside the first calls that ask for it
    loading = sys.modules["agar._core.graph.cache.function"]._loading
    for started in loading:
        started.join()
    for _ in range(warm if warm >= WARM_CHANGING else 0):
        step()
    count.reset()
    for _ in range(calls):
        step()
    row.calls, row.replayed, row.reasons = count.calls, count.replayed, count.reasons
    count.reset()
    row.seconds = time.perf_counter() - begin
    return row


# -------------------------------------------------------------------------------- programs


def of_graph(calls: int, count: Count, chosen: re.Pattern[str]) -> Iterator[Row]:
    """The rows of benchmarks/graph.py, with smaller batches."""
    import graph_networks as networks

    ms.alias_mindspore()
    import graph_oracle

    smaller = {
        "mlp": ((8, 784), (8,)),
        "cnn": ((2, 3, 64, 64), (2,)),
        "resnet18": ((2, 3, 32, 32), (2,)),
        "resnet50": ((2, 3, 32, 32), (2,)),
        "encoder": ((2, 8, 256), (2,)),
        "gpt": ((1, 128), (128,)),
        "lstm": ((4, 8, 64), (4,)),
        "unet": ((1, 3, 32, 32), (1, 32, 32)),
    }
    for full in networks.ROWS:
        shape, labels = smaller[full.name]
        row = replace(full, shape=shape, labels=labels)
        for training in (True, False):
            name = f"graph.py {row.name}, {'train step' if training else 'inference'}"
            if not chosen.search(name):
                continue
            cell = getattr(graph_oracle, row.network.__name__)(*row.arguments)
            target, _ = graph_oracle.prepared(cell, training, networks.RATE, networks.MOMENTUM)
            batches = [
                tuple([ms.Tensor(v) for v in pair[: 1 + training]])
                for pair in networks.batches(row)
            ]
            yield measure(name, cycle(target, batches), WARM, calls, count)


def cycle(target: Callable[..., Any], batches: list[tuple[Any, ...]]) -> Callable[[], Any]:
    """Calls with one batch after the other."""
    state = {"at": 0}

    def step() -> Any:
        state["at"] += 1
        return target(*batches[state["at"] % len(batches)])

    return step


def of_migrate(calls: int, count: Count, chosen: re.Pattern[str]) -> Iterator[Row]:
    """The networks of benchmarks/migrate.py, converted by `agar.migrate.from_torch`."""
    from migrate_networks import missing_packages, networks

    if absent := missing_packages():
        sys.exit(
            f"{', '.join(absent)} cannot be imported. Install the networks with\n"
            "    pip install --no-deps -r requirements/networks.txt"
        )
    for network in networks():
        for training in (True, False):
            name = f"migrate.py {network.name}, {'train step' if training else 'inference'}"
            if not chosen.search(name):
                continue
            torch.manual_seed(0)
            module, inputs = network.make()
            step = migrated(module, inputs, training)
            yield measure(name, step, WARM, calls, count)


def migrated(module: torch.nn.Module, inputs: Any, training: bool) -> Callable[[], Any]:
    """A train step or an inference of a converted network."""
    cell = ms.migrate.from_torch(module)
    cell.set_train(training)

    def turned(value: Any) -> Any:
        return ms.from_torch(value) if isinstance(value, torch.Tensor) else value

    if isinstance(inputs, dict):
        args, kwargs = (), {k: turned(v) for k, v in inputs.items()}
    else:
        args, kwargs = tuple([turned(v) for v in inputs]), {}
    if not training:
        return lambda: cell(*args, **kwargs)
    optimizer = nn.SGD(cell.trainable_params(), 1e-4)

    def forward(*args, **kwargs):
        out = cell(*args, **kwargs)
        values = tensors_in(list(out.values()) if isinstance(out, dict) else out)
        return sum([(v**2).mean() for v in values if v.is_floating_point()])

    compute = ms.value_and_grad(forward, None, optimizer.parameters)

    def step() -> Any:
        loss, gradients = compute(*args, **kwargs)
        optimizer(gradients)
        return loss

    return step


def of_examples(calls: int, count: Count, chosen: re.Pattern[str]) -> Iterator[Row]:
    """The networks of the examples, with losses and optimizers as there."""
    ms.alias_mindspore()
    sys.path.insert(0, str(HERE.parent / "examples"))
    for name, build in EXAMPLES.items():
        if not chosen.search(f"examples/{name}"):
            continue
        train, infer = build()
        yield measure(f"examples/{name}, train step", train, WARM, calls, count)
        yield measure(f"examples/{name}, inference", infer, WARM, calls, count)


def _images(net: nn.Cell, loss: Any, optimizer: nn.Cell, shape: Any, labels: Any) -> Any:
    """Steps as `Model` makes them."""
    draw = np.random.default_rng(0)
    train_cell = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)

    def train() -> Any:
        train_cell.set_train()
        return train_cell(ms.Tensor(draw.random(shape, np.float32)), labels(draw))

    def infer() -> Any:
        net.set_train(False)
        return net(ms.Tensor(draw.random(shape, np.float32)))

    return train, infer


def _classifier() -> Any:
    import image_classifier as example

    net = example.Network()
    rate = nn.cosine_decay_lr(0.0, 0.05, 200, 50, 4)
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.9, weight_decay=1e-4)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return _images(
        net, loss, optimizer, (6, 1, 8, 8), lambda d: ms.Tensor(d.integers(0, 10, 6).astype("i4"))
    )


def _segmentation() -> Any:
    import unet_segmentation as example

    net = example.UNet()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=5e-3)
    shape = (2, 1, 24, 24)
    return _images(
        net, example.Loss(), optimizer, shape, lambda d: ms.Tensor(d.random(shape, np.float32))
    )


def _tagger() -> Any:
    import lstm_tagger as example

    net = example.Tagger()
    draw = np.random.default_rng(0)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)

    def forward(letters, tags):
        scores = net(letters)
        return ms.ops.cross_entropy(scores.reshape(-1, 2), tags.reshape(-1), ignore_index=-1)

    compute = ms.value_and_grad(forward, None, optimizer.parameters)

    def letters() -> ms.Tensor:
        return ms.Tensor(draw.integers(1, 27, (5, 64)).astype(np.int32))

    def train() -> Any:
        net.set_train()
        loss, gradients = compute(letters(), ms.Tensor(draw.integers(-1, 2, (5, 64)).astype("i4")))
        optimizer(ms.ops.clip_by_global_norm(gradients, 1.0))
        return loss

    def infer() -> Any:
        net.set_train(False)
        return net(letters())

    return train, infer


def _gpt() -> Any:
    import small_gpt as example

    net = example.GPT(30)
    draw = np.random.default_rng(0)
    decayed = [p for p in net.trainable_params() if "norm" not in p.name]
    others = [p for p in net.trainable_params() if "norm" in p.name]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": others}]
    optimizer = nn.AdamWeightDecay(groups, learning_rate=3e-3, beta2=0.95)
    step = nn.TrainOneStepCell(example.WithLoss(net), optimizer)

    def train() -> Any:
        step.set_train()
        return step(ms.Tensor(draw.integers(0, 30, (4, 49)).astype(np.int32)))

    def infer() -> Any:
        net.set_train(False)
        return net(ms.Tensor(draw.integers(0, 30, (1, 48)).astype(np.int32)))

    return train, infer


def _digits() -> Any:
    import demo
    from digits_torch import Digits

    cell = ms.migrate.from_torch(Digits())
    draw = np.random.default_rng(0)
    optimizer = nn.Adam(cell.trainable_params(), learning_rate=2e-3)
    loss_fn = nn.CrossEntropyLoss()
    compute = ms.value_and_grad(
        lambda x, y: loss_fn(cell(x), y), None, weights=optimizer.parameters
    )
    assert demo.train  # the step below is the one of its train

    @ms.jit
    def step(x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        loss, gradients = compute(x, y)
        optimizer(gradients)
        return loss

    def images() -> ms.Tensor:
        return ms.Tensor(draw.random((8, 1, 8, 8), np.float32))

    def train() -> Any:
        cell.set_train()
        return step(images(), ms.Tensor(draw.integers(0, 10, 8).astype(np.int32)))

    def infer() -> Any:
        cell.set_train(False)
        return cell(images())

    return train, infer


EXAMPLES: dict[str, Callable[[], Any]] = {
    "image_classifier.py": _classifier,
    "unet_segmentation.py": _segmentation,
    "lstm_tagger.py": _tagger,
    "small_gpt.py": _gpt,
    "demo.py": _digits,
}


def of_changing(calls: int, count: Count, chosen: re.Pattern[str]) -> Iterator[Row]:
    """Programs whose sizes and Python differ from call to call."""
    from replays_networks import PROGRAMS

    for name, build in PROGRAMS.items():
        if not chosen.search(name):
            continue
        train, infer = build()
        yield measure(f"{name}, train step", train, WARM_CHANGING, 5 * calls, count)
        yield measure(f"{name}, inference", infer, WARM_CHANGING, 5 * calls, count)


GROUPS = {"new": of_changing, "examples": of_examples, "graph": of_graph, "migrate": of_migrate}


# ------------------------------------------------------------------------------------ main


HEAD = "| program | calls | replayed % | not replayed |\n| --- | ---: | ---: | --- |"


def line(row: Row) -> str:
    """One row as Markdown."""
    share = 100 * row.replayed / max(row.calls, 1)
    why = "; ".join([f"{n} x {what}" for what, n in row.reasons.most_common(3)])
    return f"| {row.network} | {row.calls} | {share:.0f} | {why.replace('|', ' ')} |"


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="regular expression on names of programs")
    parser.add_argument("--groups", default=",".join(GROUPS), help="of programs, by commas")
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--json", type=Path, help="a file for the results")
    options = parser.parse_args()
    unknown = [g for g in options.groups.split(",") if g not in GROUPS]
    if unknown:
        parser.error(f"--groups takes {', '.join(GROUPS)}, not {', '.join(unknown)}")
    warnings.simplefilter("ignore")  # the table says why
    runtime.plans = False  # which plan is fastest does not matter here
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    count, chosen, rows = counting(), re.compile(options.only), []
    print(HEAD, flush=True)
    for group in options.groups.split(","):
        for row in GROUPS[group](options.calls, count, chosen):
            rows.append(row)
            print(line(row), flush=True)
            gc.collect()
            if options.json:
                made = [vars(r) | {"reasons": dict(r.reasons)} for r in rows]
                options.json.write_text(json.dumps(made, indent=1) + "\n")
    good = sum(r.complete for r in rows)
    print(f"\n{good} of {len(rows)} rows replay all of their calls.")
    return 0 if rows and good == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
