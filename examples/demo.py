"""A PyTorch network, migrated automatically, proved equal, broken and explained, then trained.

    python examples/demo.py

1. A PyTorch file is rewritten as Cells; its live module becomes a Cell as well.
2. Every cell is compared with its original: forward, backward, one optimizer step, a training.
3. The conversion is broken on purpose, three times; each break is found, explained, repaired.
4. The Cells are trained in GRAPH_MODE on real handwritten digits.
5. The result is saved as .ckpt and safetensors, and a new process repeats the accuracy.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from digits import accuracy, data
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

import agar as ms
from agar import migrate, nn
from agar.migrate.report import terminal

HERE = Path(__file__).resolve().parent
ORIGINAL = HERE / "digits_torch.py"
console = Console()

# What people forget when they convert by hand: (what, in the converted text, as it is forgotten).
BREAKS = (
    ("pad_mode of Conv2d is 'same' by default", "3, pad_mode='pad', has_bias", "3, has_bias"),
    ("the stride of MaxPool2d is 1 by default", "nn.MaxPool2d(2, 2)", "nn.MaxPool2d(2)"),
    (
        "momentum of BatchNorm means the rest",
        "nn.BatchNorm2d(32)",
        "nn.BatchNorm2d(32, momentum=0.1)",
    ),
)


def load(path: Path) -> Any:
    """Import a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def original() -> torch.nn.Module:
    """The PyTorch network, with weights of its own."""
    torch.manual_seed(0)
    return load(ORIGINAL).Digits()


def convert(folder: Path) -> Path:
    """Rewrite the PyTorch file as Cells."""
    path = folder / "digits_cells.py"
    made = migrate.convert(ORIGINAL, path, target="agar")
    shown = made.diff.split("\n", 2)[2]
    console.print(Syntax(shown, "diff", theme="ansi_dark", background_color="default"))
    counts = made.counts
    console.print(f"{counts['calls']} uses of PyTorch, {counts['by hand']} left by hand")
    if made.by_hand:
        raise SystemExit("the conversion is not complete")
    return path


def prove(path: Path, images: np.ndarray, folder: Path) -> None:
    """Compare the converted and the live conversion with the original, in both modes."""
    net, x = original(), torch.from_numpy(images)
    adam = torch.optim.Adam(net.parameters(), lr=2e-3)
    cell = load(path).Digits()
    options: dict[str, Any] = {"sync_weights": True, "train": True}
    report = migrate.check(net, cell, x, mode=ms.PYNATIVE_MODE, optimizer=adam, steps=8, **options)
    terminal.show(report, console)
    report.to_html(folder / "report.html")

    table = Table("", "mode", "equal", "native", "verified", "worst error", "seconds", box=None)
    rows = [("converted source", "PYNATIVE", report)]
    rows += [("converted source", "GRAPH", migrate.check(net, cell, x, mode=0, **options))]
    live = migrate.from_torch(net)
    rows += [("from_torch", "PYNATIVE", migrate.check(net, live, x, mode=1, train=True))]
    for name, mode, found in rows:
        passed = Text("yes", "green") if found.passed else Text("no", "red")
        shares = (f"{100 * share:.0f} %" for share in (found.native, found.verified))
        table.add_row(name, mode, passed, *shares, f"{found.worst:.1e}", f"{found.seconds:.1f}")
    console.print(table)
    if not all(found.passed for _, _, found in rows):
        raise SystemExit("the networks differ")


def break_and_explain(path: Path, images: np.ndarray, folder: Path) -> None:
    """Undo what the conversion took care of, and let the check find and repair it."""
    net, x, text = original(), torch.from_numpy(images), path.read_text(encoding="utf-8")
    for i, (what, right, wrong) in enumerate(BREAKS):
        if right not in text:
            raise SystemExit(f"the conversion has no {right!r}")
        broken = folder / f"broken_{i}.py"
        broken.write_text(text.replace(right, wrong), encoding="utf-8")
        cell = load(broken).Digits()
        found = migrate.check(net, cell, x, sync_weights=True, train=True).first_divergence
        if found is None or found.line is None or not found.repaired:
            raise SystemExit(f"{wrong!r} was not found and explained: {found}")
        console.print(Text.assemble((f"\n{what}: ", "bold"), (wrong, "red")))
        console.print(Text(f"  {found.cause}"))
        console.print(Text.assemble("  tried, and equal with: ", (found.line, "green")))
        # the line as it stands repairs the network
        exec(found.line, {"nn": nn}, {"self": cell, "net": cell})
        if not migrate.check(net, cell, x, sync_weights=True, train=True).passed:
            raise SystemExit("the suggested line does not repair the network")


def train(net: nn.Cell, images: np.ndarray, labels: np.ndarray, epochs: int, batch: int) -> None:
    """Adam on cross entropy, as one compiled train step."""
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3)
    gradients = ms.value_and_grad(
        lambda x, y: loss_fn(net(x), y), None, weights=optimizer.parameters
    )

    @ms.jit
    def step(x: ms.Tensor, y: ms.Tensor) -> ms.Tensor:
        loss, grads = gradients(x, y)
        optimizer(grads)
        return loss

    order = np.random.default_rng(1)
    batches = len(images) // batch
    columns = (
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("train", total=epochs * batches, loss=float("nan"))
        for _ in range(epochs):
            net.set_train()
            rows = order.permutation(len(images))
            for i in range(batches):
                chosen = rows[i * batch : (i + 1) * batch]
                loss = step(ms.Tensor(images[chosen]), ms.Tensor(labels[chosen]))
                progress.update(task, advance=1, loss=loss.item())


def evaluate(network: str, path: str) -> float:
    """The accuracy of a checkpoint on the test images."""
    net = load(Path(network)).Digits()
    kind = "safetensors" if path.endswith(".safetensors") else "ckpt"
    missing, unused = ms.load_param_into_net(net, ms.load_checkpoint(path, format=kind))
    if missing or unused:
        raise SystemExit(f"{path} does not fit: missing {missing}, unused {unused}")
    _, images, _, labels = data()
    return accuracy(net, images, labels)


def save_and_run_again(net: nn.Cell, path: Path, reached: float, folder: Path) -> None:
    """Save in both formats; new processes must reach the same accuracy."""
    table = Table("file", "bytes", "accuracy in a new process", box=None)
    for kind in ("ckpt", "safetensors"):
        file = folder / f"digits.{kind}"
        ms.save_checkpoint(net, str(file), format=kind)
        command = [sys.executable, __file__, "--evaluate", str(path), str(file)]
        again = float(subprocess.check_output(command, text=True))
        table.add_row(file.name, str(file.stat().st_size), f"{again:.2%}")
        if again != reached:
            raise SystemExit(f"{file.name} gives {again}, not {reached}")
    console.print(table)


def tour(folder: Path, epochs: int) -> None:
    """Run the five steps; exit with an error if one does not hold."""
    ms.set_seed(1)
    train_images, test_images, train_labels, test_labels = data()

    console.rule("1. rewrite the source")
    path = convert(folder)

    console.rule("2. prove that it is equal")
    prove(path, train_images[:16], folder)

    console.rule("3. break it, and see the break explained")
    break_and_explain(path, train_images[:16], folder)

    console.rule("4. train in GRAPH_MODE")
    ms.set_context(mode=ms.GRAPH_MODE)
    net = load(path).Digits()
    train(net, train_images, train_labels, epochs, 64)
    reached = accuracy(net, test_images, test_labels)
    console.print(f"test accuracy {reached:.2%} on {len(test_labels)} images")

    console.rule("5. save, and run again in new processes")
    save_and_run_again(net, path, reached, folder)
    if reached <= 0.97:
        raise SystemExit(f"test accuracy {reached:.2%} is not over 97 %")


def main() -> None:
    """Parse the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--out", metavar="FOLDER", help="keep the converted file and report.html")
    parser.add_argument(
        "--evaluate", nargs=2, metavar=("NETWORK", "FILE"), help="only print an accuracy"
    )
    options = parser.parse_args()
    if options.evaluate:
        print(repr(evaluate(*options.evaluate)))
        return
    started = time.perf_counter()
    if options.out:
        Path(options.out).mkdir(parents=True, exist_ok=True)
        tour(Path(options.out).resolve(), options.epochs)
    else:
        with tempfile.TemporaryDirectory() as folder:
            tour(Path(folder), options.epochs)
        console.print(
            "--out FOLDER keeps the converted file and report.html, the page of the proof"
        )
    console.print(f"{time.perf_counter() - started:.0f} seconds")


if __name__ == "__main__":
    main()
