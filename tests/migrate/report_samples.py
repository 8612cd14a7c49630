"""Reports written by hand, for the tests of what is made of them."""

from __future__ import annotations

import math

import numpy as np

from agar.migrate.result import (
    CellResult,
    Comparison,
    Curve,
    Divergence,
    Report,
    Source,
    Stats,
)

CONV = Source("net.py", 3, "class Net(nn.Cell):\n    def __init__(self):\n        ...\n")
ORIGINAL = Source("original.py", 7, "class Net(torch.nn.Module):\n    ...\n")


def stats(seed: int, shift: float = 0.0, shape: tuple[int, ...] = (2, 8, 9, 9)) -> Stats:
    values = np.random.default_rng(seed).normal(shift, 1.0, shape)
    counts, _ = np.histogram(values, 32)
    return Stats(
        shape,
        "float32",
        float(values.min()),
        float(values.max()),
        float(values.mean()),
        float(values.std()),
        counts=counts.tolist(),
    )


def compared(what: str, error: float | None, stage: str = "isolated", **more) -> Comparison:
    equal = error is not None and error <= 1e-5
    return Comparison(
        what, stage, error, 1e-5, equal, original=stats(1), migrated=stats(2, 0.2), **more
    )


def cell(path: str, kind: str, original: str | None = None, error: float = 2e-7, **more):
    status = "equal" if error <= 1e-5 else "different"
    given = {
        "order": 0,
        "calls": 1,
        "status": status,
        "comparisons": [
            compared("output", error),
            compared("gradient of input[0]", error / 2),
            compared("gradient of weight", error / 3),
        ],
        "cell_source": CONV,
        "module_source": ORIGINAL,
    }
    return CellResult(path, path or "", kind, original or kind, **{**given, **more})


def passing() -> Report:
    return Report(
        "Net",
        "PYNATIVE_MODE",
        [
            cell("", "Net", leaf=False),
            cell("features", "SequentialCell", "Sequential", leaf=False),
            cell("features.0", "Conv2d"),
            cell("features.1", "BatchNorm2d", error=0.0),
            cell("head", "Dense", "Linear"),
        ],
        network=[compared("output", 3e-7, "eval"), compared("gradient of input[0]", 4e-7, "train")],
        curve=Curve(
            [2.3, 1.9, 1.5, 1.2], [2.3, 1.9, 1.5, 1.2], [2.2, 1.8, 1.4, 1.1], [2.4, 2.0, 1.6, 1.3],
            True,
        ),
        notes=["dropout masks were shared"],
        settings={"seed": 0, "dtype": "float32"},
        seconds=1.25,
    )  # fmt: skip


def failing() -> Report:
    shape = "shape (2, 8, 12, 12) against (2, 8, 9, 9)"
    conv = cell("conv1", "Conv2d", error=math.inf, reason="output 12x12 against 9x9")
    conv.comparisons[0].reason = shape
    return Report(
        "Net",
        "PYNATIVE_MODE",
        [
            cell("", "Net", leaf=False, error=math.inf, status="inherited"),
            conv,
            cell("norm", "BatchNorm2d", status="inherited", reason="its input differs"),
            cell("block", "TorchCell", "MyBlock", status="foreign", native=False),
            cell("head", "Dense", "Linear", status="failed", comparisons=[], reason="ValueError"),
            cell("spare", "Dense", "Linear", status="not run", comparisons=[], order=None, calls=0),
            cell("odd", "Odd", status="not compared", comparisons=[], reason="its output is text"),
        ],
        first_divergence=Divergence(
            "conv1",
            "conv1",
            "isolated",
            "output",
            "The output is 12x12 against 9x9: pad_mode is 'same' by default.",
            "torch.nn.Conv2d",
            "self.conv1 = nn.Conv2d(1, 8, 4, pad_mode='pad', has_bias=True)",
            True,
        ),
        network=[compared("output", math.inf, "eval", reason=shape), compared("loss", 2e-7)],
        curve=Curve([2.0, 1.0], [2.0, math.nan], [1.9, 0.9], [2.1, 1.1], False),
        problems=["head raised ValueError: x has rank 4"],
        seconds=0.5,
    )


def large(blocks: int = 125) -> Report:
    """A report of 8 * blocks + 2 cells."""
    random = np.random.default_rng(0)
    cells = [cell("", "Deep", leaf=False), cell("layers", "CellList", "ModuleList", leaf=False)]
    for i in range(blocks):
        cells.append(cell(f"layers.{i}", "Block", leaf=False))
        for j, kind in enumerate(("Conv2d", "BatchNorm2d", "ReLU", "Conv2d", "Dropout", "GELU")):
            error = 10 ** random.uniform(-8, -5.1)
            cells.append(cell(f"layers.{i}.{j}", kind, error=error))
        cells.append(cell(f"layers.{i}.out", "Dense", "Linear"))
    wrong = len(cells) // 2 - 1
    cells[wrong] = cell(cells[wrong].path, "Dense", "Linear", error=0.3)
    return Report("Deep", "GRAPH_MODE", cells, network=[compared("output", 0.1, "eval")])
