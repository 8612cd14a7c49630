"""From a PyTorch network to Cells, proved equal, trained, saved, and run again.

    python examples/demo.py

1. A PyTorch CNN is rebuilt of Cells and gets its weights.
2. Every cell is compared with its original, forward and backward, in float32 and float64.
3. The Cells are trained on real handwritten digits.
4. The result is saved as .ckpt and safetensors, and a new process repeats the accuracy.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from digits import Digits, TorchDigits, accuracy, data
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import agar as ms
from agar import nn

console = Console()

# The names of normalisation parameters in MindSpore, by those in PyTorch.
RENAMED = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
}


def move_weights(source: torch.nn.Module, target: nn.Cell) -> int:
    """Copy every parameter and statistic of the torch module into the Cell of the same path."""
    given = source.state_dict()
    moved = 0
    for path, parameter in target.parameters_and_names():
        owner, _, name = path.rpartition(".")
        if isinstance(target.get_sub_cell(owner), nn.BatchNorm2d):
            name = RENAMED[name]
        value = given[f"{owner}.{name}"]
        parameter.set_data(ms.from_torch(value.clone()))
        moved += parameter.size
    return moved


def largest(found, wanted) -> float:
    """The largest difference of two arrays, relative to the largest value."""
    found, wanted = np.asarray(found, np.float64), np.asarray(wanted, np.float64)
    return float(np.abs(found - wanted).max() / max(np.abs(wanted).max(), 1e-12))


def compare(source: torch.nn.Module, target: nn.Cell, images: np.ndarray, train: bool):
    """Yield (path, error of the output, of the input's gradient, of the parameters' gradients).

    Each cell alone gets what its original received, and the gradient that came back to it, so an
    error shows in the cell that makes it.
    """
    calls = []
    hooks = [
        module.register_forward_hook(
            lambda m, i, o, name=name: calls.append((name, m, i[0].detach(), o.detach()))
        )
        for name, module in source.named_modules()
        if name
    ]
    source.train(train)
    with torch.no_grad():
        source(torch.from_numpy(images))
    for hook in hooks:
        hook.remove()
    move_weights(source, target)  # the run above has moved the running statistics of the original
    target.set_train(train)
    for name, module, given, _ in calls:
        cell = target.get_sub_cell(name)
        weights = cell.trainable_params()
        if isinstance(module, torch.nn.Dropout):  # its masks are another library's random numbers
            module.eval()
            cell.set_train(False)
        x = given.clone().requires_grad_()
        out = module(x)
        sens = torch.from_numpy(np.random.default_rng(0).standard_normal(out.shape)).to(out.dtype)
        wanted = torch.autograd.grad(out, [x, *module.parameters()], sens)
        value, grads = ms.value_and_grad(cell, 0, weights, sens_param=True)(
            ms.from_torch(given.clone()), ms.from_torch(sens)
        )
        errors = [largest(g, w) for g, w in zip(grads[1], wanted[1:], strict=True)]
        yield (
            name,
            type(cell).__name__,
            largest(value, out.detach()),
            largest(grads[0], wanted[0]),
            max(errors, default=None),
        )


def parity(images: np.ndarray) -> bool:
    """Compare all cells in both precisions and both modes; print a table."""
    table = Table(title="every cell against its PyTorch original (largest relative difference)")
    for column in ("cell", "kind", "mode", "dtype", "output", "input gradient", "weight gradients"):
        table.add_column(column)
    equal = True
    for dtype, tolerance in ((np.float32, 1e-5), (np.float64, 1e-13)):
        torch.manual_seed(0)
        source, target = TorchDigits(), Digits()
        if dtype is np.float64:
            source.double()
            target.to(ms.float64)
        for train in (True, False):
            for name, kind, *errors in compare(source, target, images.astype(dtype), train):
                cells = []
                for error in errors:
                    good = error is None or error <= tolerance
                    equal = equal and good
                    text = "-" if error is None else f"{error:.1e}"
                    cells.append(f"[green]{text}[/]" if good else f"[red]{text}[/]")
                mode = "train" if train else "eval"
                table.add_row(name, kind, mode, np.dtype(dtype).name, *cells)
    console.print(table)
    return equal


def train(net: nn.Cell, images: np.ndarray, labels: np.ndarray, epochs: int, batch: int) -> None:
    """Adam on cross entropy, as one functional train step."""
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3)
    step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, weights=optimizer.parameters)
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
                loss, grads = step(ms.Tensor(images[chosen]), ms.Tensor(labels[chosen]))
                optimizer(grads)
                progress.update(task, advance=1, loss=loss.item())


def evaluate(path: str) -> float:
    """The accuracy of a checkpoint on the test images."""
    net = Digits()
    kind = "safetensors" if path.endswith(".safetensors") else "ckpt"
    missing, unused = ms.load_param_into_net(net, ms.load_checkpoint(path, format=kind))
    if missing or unused:
        raise SystemExit(f"{path} does not fit: missing {missing}, unused {unused}")
    _, images, _, labels = data()
    return accuracy(net, images, labels)


def main() -> None:
    """Run the four steps; exit with an error if one does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--evaluate", metavar="FILE", help="only print a checkpoint's accuracy")
    options = parser.parse_args()
    if options.evaluate:
        print(repr(evaluate(options.evaluate)))
        return

    ms.set_seed(1)
    train_images, test_images, train_labels, test_labels = data()

    console.rule("1. rebuild and move the weights")
    torch.manual_seed(0)
    net = Digits()
    for name, cell in net.name_cells().items():
        shapes = ", ".join(f"{p.name} {p.shape}" for p in cell.get_parameters())
        console.print(f"  {name}: {type(cell).__name__} {shapes}", highlight=False)
    console.print(f"{move_weights(TorchDigits(), net)} numbers moved")

    console.rule("2. compare every cell, forward and backward")
    if not parity(train_images[:32]):
        raise SystemExit("the networks differ")
    console.print("equal to rounding, in every cell")

    console.rule("3. train on handwritten digits")
    train(net, train_images, train_labels, options.epochs, 64)
    reached = accuracy(net, test_images, test_labels)
    console.print(f"test accuracy {reached:.2%} on {len(test_labels)} images")

    console.rule("4. save, and run again in new processes")
    table = Table()
    for column in ("file", "bytes", "accuracy in a new process"):
        table.add_column(column)
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("ckpt", "safetensors"):
            path = Path(folder) / f"digits.{kind}"
            ms.save_checkpoint(net, str(path), format=kind)
            again = float(
                subprocess.check_output(
                    [sys.executable, __file__, "--evaluate", str(path)], text=True
                )
            )
            table.add_row(path.name, str(path.stat().st_size), f"{again:.2%}")
            if again != reached:
                raise SystemExit(f"{path.name} gives {again}, not {reached}")
    console.print(table)
    if reached <= 0.97:
        raise SystemExit(f"test accuracy {reached:.2%} is not over 97 %")


if __name__ == "__main__":
    main()
