"""What a network consists of: its tree with shapes, parameters, operations and memory.

NOTE What is counted. One forward run in evaluation mode and eagerly. FLOPs are those of PyTorch's
counter (two for a multiplication with an addition): matrix products, convolutions, attention, and
recurrent layers; operations on single elements count nothing. Memory is that of the tensors that
the cells without cells inside return, each storage once: about what a training step keeps for the
gradients. Both are those of the given inputs.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# the counters are torch's, and storages are looked at
import torch

from agar._core.errors import describe
from agar._core.runtime import PYNATIVE_MODE, runtime
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell

__all__ = ["CellRow", "Summary", "summary"]


@dataclass
class CellRow:
    """One cell of the tree.

    Attributes:
        path: its path; empty for the network.
        cell_type: the name of its class.
        depth: 0 for the network.
        leaf: it has no cells inside.
        calls: how often it was called.
        inputs, outputs: shapes of the tensors of its first call.
        parameters: numbers in the parameters that it holds itself; a shared one counts where it
            comes first.
        trainable: those of them that are trained.
        total: numbers in its parameters and those of the cells inside, each once.
        flops: of all its calls, with the cells inside.
        memory: bytes of the outputs of the cells without cells inside, here and below.
    """

    path: str
    cell_type: str
    depth: int
    leaf: bool
    calls: int = 0
    inputs: list[tuple[int, ...]] = field(default_factory=list)
    outputs: list[tuple[int, ...]] = field(default_factory=list)
    parameters: int = 0
    trainable: int = 0
    total: int = 0
    flops: int = 0
    memory: int = 0


@dataclass
class Summary:
    """What `agar.summary` found; ``print`` shows it as a table.

    Attributes:
        name: the network's class.
        cells: one row a cell, parents first.
        parameters: numbers in all parameters, each once.
        trainable: those that are trained.
        parameter_bytes: their memory.
        flops: of one forward run; None where no inputs were given.
        memory: bytes of the outputs of all leaf cells; None where no inputs were given.
    """

    name: str
    cells: list[CellRow] = field(default_factory=list)
    parameters: int = 0
    trainable: int = 0
    parameter_bytes: int = 0
    flops: int | None = None
    memory: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries, lists, strings and numbers."""
        return dataclasses.asdict(self)

    def to_json(self) -> str:
        """All of it as JSON."""
        return json.dumps(self.to_dict(), indent=1)

    def show(self, console: Any = None, depth: int | None = None) -> None:
        """Print the table.

        Args:
            console (rich.console.Console, optional): where to. Default: ``None``, standard output.
            depth (int, optional): deeper cells are left out. Default: ``None``, all.
        """
        from rich.console import Console

        (console or Console()).print(self._table(depth), self._totals(), sep="\n")

    def __str__(self) -> str:
        import io

        from rich.console import Console

        out = Console(file=io.StringIO(), width=100)
        self.show(out)
        return out.file.getvalue().rstrip()  # type: ignore[attr-defined]

    def _table(self, depth: int | None) -> Any:
        from rich.table import Table
        from rich.text import Text

        ran = self.flops is not None
        table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
        table.add_column("cell", no_wrap=True, overflow="ellipsis", min_width=12)
        table.add_column("class", no_wrap=True, overflow="ellipsis")
        if ran:
            table.add_column("output", overflow="fold")
        table.add_column("parameters", justify="right", no_wrap=True)
        if ran:
            table.add_column("FLOPs", justify="right", no_wrap=True)
            table.add_column("memory", justify="right", no_wrap=True)
        for row, guide in zip(self.cells, _guides(self.cells), strict=True):
            if depth is not None and row.depth > depth:
                continue
            folded = row.depth == depth and not row.leaf
            count = row.total if folded or row.depth == 0 else row.parameters
            fixed = row.parameters - row.trainable
            note = " frozen" if row.parameters and fixed == row.parameters else ""
            name = row.path.rpartition(".")[2] or self.name
            line = [
                Text.assemble((guide, "dim"), name),
                Text(row.cell_type + (f" x{row.calls}" if row.calls > 1 else ""), "dim"),
            ]
            if ran:
                shapes = ", ".join(str(s) for s in row.outputs)
                line.append(Text(shapes if row.calls else "not called"))
            line.append(Text(f"{count:,}{note}" if count else "", "dim" if note else ""))
            if ran:
                line += [Text(_short(row.flops)), Text(_bytes(row.memory))]
            table.add_row(*line)
        return table

    def _totals(self) -> Any:
        from rich.text import Text

        fixed = self.parameters - self.trainable
        lines = [
            f"parameters: {self.parameters:,} ({self.trainable:,} trainable, {fixed:,} not), "
            f"{_bytes(self.parameter_bytes) or '0 B'}"
        ]
        if self.flops is not None and self.memory is not None:
            lines.append(
                f"forward: {_short(self.flops) or '0'} FLOPs, "
                f"{_bytes(self.memory) or '0 B'} of outputs"
            )
        return Text("\n".join(["", *lines]))


def summary(cell: Cell, *inputs: Any, show: bool = True, depth: int | None = None) -> Summary:
    """Show what a network consists of: its tree, shapes, parameters, operations and memory.

    The network runs once, eagerly and in evaluation mode; its own modes are kept. FLOPs count
    matrix products, convolutions, attention and recurrent layers, two for a multiplication with an
    addition. Memory is that of the leaf cells' outputs.

    Args:
        cell (Cell): the network.
        inputs: what it is called with: Tensors or arrays of numpy. Without any, nothing is run,
            and only the tree and the parameters are shown.
        show (bool): print the table. Default: ``True``.
        depth (int, optional): deeper cells are not printed. Default: ``None``, all are.

    Returns:
        Summary, the same as data.

    Raises:
        TypeError: `cell` is not a Cell.
        ValueError: `depth` is negative.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(4, 8), ms.nn.ReLU(), ms.nn.Dense(8, 2))
        >>> found = ms.summary(net, ms.ops.ones((16, 4)))
        cell            class           output   parameters  FLOPs  memory
        SequentialCell  SequentialCell  (16, 2)          58  1.5 k  1.1 kB
        ├─ 0            Dense           (16, 8)          40  1.0 k   512 B
        ├─ 1            ReLU            (16, 8)                      512 B
        └─ 2            Dense           (16, 2)          18    512   128 B
        <BLANKLINE>
        parameters: 58 (58 trainable, 0 not), 232 B
        forward: 1.5 k FLOPs, 1.1 kB of outputs
        >>> found.parameters, found.flops, found.cells[1].outputs
        (58, 1536, [(16, 8)])
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'summary', 'cell' must be a Cell, but got {describe(cell)}.")
    if depth is not None and depth < 0:
        raise ValueError(f"For 'summary', 'depth' must be at least 0, but got {depth}.")
    result = _tree(cell)
    if inputs:
        _run(cell, result, inputs)
    if show:
        result.show(depth=depth)
    return result


def _tree(cell: Cell) -> Summary:
    result = Summary(type(cell).__name__)
    seen: set[int] = set()
    owners: list[tuple[CellRow, int]] = []
    for path, part in _walk(cell):
        inside = [c for c in part._cells.values() if c is not None]
        depth = path.count(".") + 1 if path else 0
        row = CellRow(path, type(part).__name__, depth, not inside)
        result.cells.append(row)
        for p in part._params.values():
            if p is None or id(p) in seen:
                continue
            seen.add(id(p))
            count = int(p._value.numel())
            row.parameters += count
            row.trainable += count * bool(p.requires_grad)
            result.parameter_bytes += count * p._value.element_size()
        owners.append((row, row.parameters))
    for row, count in owners:
        result.parameters += count
        result.trainable += row.trainable
        for above in result.cells:
            if not above.path or row.path == above.path or row.path.startswith(above.path + "."):
                above.total += count
    return result


def _walk(cell: Cell, path: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Cell]]:
    """Every cell once, parents first."""
    seen = set() if seen is None else seen
    if id(cell) in seen:
        return
    seen.add(id(cell))
    yield path, cell
    for name, child in cell._cells.items():
        if child is not None:
            yield from _walk(child, f"{path}.{name}" if path else name, seen)


def _run(cell: Cell, summary: Summary, inputs: tuple[Any, ...]) -> None:
    """Call the network once, with eyes on every cell."""
    # it takes a moment to load
    from torch.utils.flop_counter import FlopCounterMode

    counter = FlopCounterMode(display=False, custom_mapping=_formulas())
    storages: set[int] = set()
    items: list[Any] = []  # a freed storage's address may come again
    handles = []
    parts = dict(_walk(cell))
    rows = {row.path: row for row in summary.cells}
    above = {path: _lineage(path, rows) for path in rows}

    def watch(path: str, part: Cell) -> None:
        row = rows[path]
        begun: list[int] = []

        def before(_: Cell, args: tuple[Any, ...]) -> None:
            begun.append(counter.get_total_flops())
            if not row.calls:
                row.inputs = [tuple(t.shape) for t in _tensors(args)]

        def after(_: Cell, __: tuple[Any, ...], output: Any) -> None:
            row.flops += counter.get_total_flops() - begun.pop()
            if not row.calls:
                row.outputs = [tuple(t.shape) for t in _tensors(output)]
            row.calls += 1
            if not row.leaf:
                return
            for tensor in _tensors(output):
                storage = tensor._value.untyped_storage()
                if storage.data_ptr() not in storages:
                    storages.add(storage.data_ptr())
                    items.append(storage)
                    for owner in above[path]:
                        owner.memory += storage.nbytes()

        handles.append(part.register_forward_pre_hook(before))
        handles.append(part.register_forward_hook(after))

    try:
        for path, part in parts.items():
            watch(path, part)
        with _quiet(cell, parts), counter:
            cell(*(_as_tensor(v) for v in inputs))
    finally:
        for handle in handles:
            handle.remove()
    summary.flops, summary.memory = summary.cells[0].flops, summary.cells[0].memory


@contextlib.contextmanager
def _quiet(cell: Cell, parts: dict[str, Cell]) -> Iterator[None]:
    """Evaluation mode, eagerly; both are as they were afterwards."""
    modes = [(part, part.training) for part in parts.values()]
    mode, runtime.mode = runtime.mode, PYNATIVE_MODE
    try:
        cell.set_train(False)
        yield
    finally:
        runtime.mode = mode
        for part, training in modes:
            part.__dict__["training"] = training


def _lineage(path: str, rows: dict[str, CellRow]) -> list[CellRow]:
    """The row and all rows above it."""
    items = [rows[path]]
    while path:
        path = path.rpartition(".")[0]
        if path in rows:
            items.append(rows[path])
    return items


def _as_tensor(value: Any) -> Any:
    import numpy as np

    if isinstance(value, torch.Tensor):
        return wrap(value)
    return Tensor(value) if isinstance(value, np.ndarray) else value


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        return []
    return [t for item in value for t in _tensors(item)]


def _formulas() -> dict[Any, Any]:
    """FLOPs of the kernels for CPUs that torch's counter does not know, by shapes."""

    def recurrent(x: Any, weight_ih: Any, weight_hh: Any, *_: Any, **__: Any) -> int:
        gates, features = weight_ih
        return 2 * x[0] * x[1] * gates * (features + weight_hh[1])

    def attention(query: Any, key: Any, value: Any, *_: Any, **__: Any) -> int:
        batch, heads, places, width = query
        return 2 * batch * heads * places * key[2] * (width + value[3])

    formulas = {
        "mkldnn_rnn_layer": recurrent,
        "_scaled_dot_product_flash_attention_for_cpu": attention,
    }
    aten = torch.ops.aten
    return {getattr(aten, name): f for name, f in formulas.items() if hasattr(aten, name)}


def _guides(rows: list[CellRow]) -> list[str]:
    """The lines of a tree in front of each name."""
    out = []
    open_below: dict[int, bool] = {}
    for row in reversed(rows):
        if row.depth == 0:
            out.append("")
            continue
        more = open_below.get(row.depth, False)
        bars = "".join("│  " if open_below.get(d, False) else "   " for d in range(1, row.depth))
        out.append(bars + ("├─ " if more else "└─ "))
        open_below[row.depth] = True
        for deeper in [d for d in open_below if d > row.depth]:
            del open_below[deeper]
    return out[::-1]


def _short(value: float, base: int = 1000, unit: str = "") -> str:
    """A number of few characters with a prefix; nothing for zero."""
    if not value:
        return ""
    prefixes = ("", "k", "M", "G", "T", "P")
    place = 0
    while value >= base and place < len(prefixes) - 1:
        value /= base
        place += 1
    number = f"{value:.1f}" if place else f"{value:.0f}"
    return f"{number} {prefixes[place]}{unit}".rstrip()


def _bytes(value: int) -> str:
    return _short(value, 1024, "B")
