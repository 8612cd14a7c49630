"""Eager speed beside torch, in one run: per-operator cost, forward passes, train steps, import,
checkpoints.

    python benchmarks/eager.py [--quick] [--threads N]

Both sides run in turns in one process, so noise of the machine meets both; the table gives the
median of each and the median of the ratios of neighboring rounds.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

import agar as ms
from agar import nn

sys.path.insert(0, str(Path(__file__).parent))
import models


def seconds(call, number):
    start = time.perf_counter()
    for _ in range(number):
        call()
    return (time.perf_counter() - start) / number


def versus(reference, candidate, number, rounds):
    """(median of the reference, of the candidate, of candidate/reference by round)."""
    for _ in range(max(2, number // 10)):
        reference()
        candidate()
    pairs = []
    gc.disable()
    try:
        for i in range(rounds):
            first, second = (reference, candidate) if i % 2 else (candidate, reference)
            a, b = seconds(first, number), seconds(second, number)
            pairs.append((a, b) if i % 2 else (b, a))
    finally:
        gc.enable()
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(b / a for a, b in pairs),
    )


def train_steps(torch_net, net, x, y, flatten):
    """A train step of each side: cross entropy, gradients, momentum."""
    models.copy_weights(torch_net, net)
    torch_net.train()
    optimizer = torch.optim.SGD(torch_net.parameters(), 0.01, momentum=0.9)

    def torch_step():
        optimizer.zero_grad()
        out = torch_net(x)
        loss = torch.nn.functional.cross_entropy(out.flatten(0, -2) if flatten else out, y)
        loss.backward()
        optimizer.step()
        return loss

    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = net
            self.loss = nn.CrossEntropyLoss()

        def construct(self, x, y):
            out = self.net(x)
            return self.loss(out.flatten(0, -2) if flatten else out, y)

    step = nn.TrainOneStepCell(Loss(), nn.Momentum(net.trainable_params(), 0.01, 0.9)).set_train()
    mx, my = ms.from_torch(x), ms.from_torch(y.int())
    return torch_step, lambda: step(mx, my)


def import_seconds(statement):
    """Seconds of an import in a new process, with byte code on disk as after an installation."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return float(subprocess.check_output([sys.executable, "-c", code], text=True, env=environment))


def checkpoint_rows(size, repeats):
    from safetensors.torch import load_file, save_file

    count = max(1, size // (4 * 1024 * 1024))
    tensors = {f"layer{i}.weight": torch.randn(1024, 1024) for i in range(count)}
    cells = [{"name": k, "data": ms.from_torch(v)} for k, v in tensors.items()]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        reference, times = str(Path(folder) / "r.safetensors"), {}
        for kind in ("ckpt", "safetensors"):
            path = str(Path(folder) / f"a.{kind}")
            times[kind] = [
                (
                    seconds(lambda: save_file(tensors, reference), 1),
                    seconds(lambda p=path, k=kind: ms.save_checkpoint(cells, p, format=k), 1),
                    seconds(lambda: load_file(reference), 1),
                    seconds(lambda p=path, k=kind: ms.load_checkpoint(p, format=k), 1),
                )
                for _ in range(repeats)
            ]
            for what, i in (("save", 0), ("load", 2)):
                rows.append(
                    (
                        f"{what} {count * 4} MB .{kind}",
                        min(t[i] for t in times[kind]),
                        min(t[i + 1] for t in times[kind]),
                        statistics.median(t[i + 1] / t[i] for t in times[kind]),
                    )
                )
    return rows


def rows(quick):
    r = 5 if quick else 15
    a, b = torch.randn(4, 4), torch.randn(4, 4)
    x, y = ms.from_torch(a.clone()), ms.from_torch(b.clone())
    yield "x + y, 4x4", *versus(lambda: a + b, lambda: x + y, 20000, r), 1.4
    yield "x * 2.0, 4x4", *versus(lambda: a * 2.0, lambda: x * 2.0, 20000, r), None
    yield "relu, 4x4", *versus(lambda: torch.relu(a), lambda: ms.ops.relu(x), 20000, r), None

    linear, dense = torch.nn.Linear(4, 4), nn.Dense(4, 4)
    with torch.no_grad():
        yield "Dense 4x4 forward", *versus(lambda: linear(a), lambda: dense(x), 10000, r), 1.05
    big, wide = torch.randn(64, 512), torch.nn.Linear(512, 512)
    mbig, mwide = ms.from_torch(big), nn.Dense(512, 512)
    with torch.no_grad():
        yield "Dense 512, batch 64", *versus(lambda: wide(big), lambda: mwide(mbig), 300, r), 1.05

    images, labels = torch.randn(16, 3, 64, 64), torch.randint(0, 10, (16,))
    steps = train_steps(models.TorchResNet18(), models.ResNet18(), images, labels, False)
    yield "ResNet-18 64x64 b16, train step", *versus(*steps, 2, r), 1.05
    tokens = torch.randint(0, 1000, (8, 64))
    steps = train_steps(
        models.TorchTransformer(), models.Transformer(), tokens, tokens.flatten(), True
    )
    yield "transformer 4 layers, train step", *versus(*steps, 4, r), 1.05
    words, tags = torch.randint(0, 1000, (16, 32)), torch.randint(0, 20, (16 * 32,))
    steps = train_steps(models.TorchTagger(), models.Tagger(), words, tags, True)
    yield "LSTM 2x128, train step", *versus(*steps, 6, r), 1.05

    bare = [import_seconds("import torch, numpy") for _ in range(3 if quick else 7)]
    full = [import_seconds("import torch, numpy, agar") for _ in range(len(bare))]
    own = [
        import_seconds("import torch, numpy; t = time.perf_counter(); import agar") for _ in bare
    ]
    # at most 0.2 s over torch
    yield "import torch | and agar", min(bare), min(full), min(full) / min(bare), None
    yield "import agar after torch: at most 0.2 s", 0.2, min(own), min(own) / 0.2, 1.0
    for row in checkpoint_rows(2**26 if quick else 2**30, 2 if quick else 3):
        yield *row, 1.25


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller files")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    table = Table(title=f"eager, torch {torch.__version__}, {options.threads} threads")
    for column in ("row", "torch", "agar", "agar/torch", "aim", ""):
        table.add_column(column, justify="left" if column == "row" else "right")
    for name, reference, own, ratio, aim in rows(options.quick):
        verdict = "" if aim is None else ("ok" if ratio <= aim else "over")
        limit = "" if aim is None else f"{aim:.2f}"
        table.add_row(name, span(reference), span(own), f"{ratio:.3f}", limit, verdict)
    Console(width=100).print(table)


def span(value):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


if __name__ == "__main__":
    main()
