"""What `AutoParallel` made of a network: how parameters lie, and what processes send."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agar._core.distributed.messages_of_splits import Message, Messages
from agar._core.distributed.sharding import is_split, local
from agar._core.multi_device import world
from agar.nn.cell import Cell
from agar.nn.wrap._split_network import parameters_of, parts_of_network

__all__ = ["Explanation", "ParameterRow", "explain"]


@dataclass(frozen=True)
class ParameterRow:
    """How a parameter lies.

    Attributes:
        name: its name.
        shape: that of the whole.
        parts: into how many parts each dimension is cut.
        bytes: of what this process has.
        total: of the whole.
    """

    name: str
    shape: tuple[int, ...]
    parts: tuple[int, ...]
    bytes: int
    total: int


@dataclass
class Explanation:
    """What `explain` found; ``print`` shows it as two tables.

    Attributes:
        processes: how many there are.
        parameters: a row for each parameter.
        messages: the collectives of a call, in order; None where no call was seen.
        names: the cells' paths, by their identity.
    """

    processes: int
    parameters: list[ParameterRow]
    messages: list[Message] | None
    names: dict[int, str] = field(default_factory=dict, repr=False)

    @property
    def bytes(self) -> int:
        """Bytes of the parameters in this process."""
        return sum(row.bytes for row in self.parameters)

    @property
    def sent(self) -> int:
        """Bytes of all collectives."""
        return sum(m.bytes for m in self.messages or ())

    def show(self, console: Any = None) -> None:
        """Print it.

        Args:
            console (rich.console.Console, optional): where to. Default: ``None``, standard output.
        """
        from rich.console import Console

        (console or Console()).print(*self._renderables(), sep="\n")

    def __str__(self) -> str:
        from rich.console import Console

        file = io.StringIO()
        self.show(Console(file=file, width=100))
        return "\n".join(line.rstrip() for line in file.getvalue().splitlines())

    def _renderables(self) -> Iterator[Any]:
        from rich.table import Table

        style: Any = {"box": None, "padding": (0, 2, 0, 0), "header_style": "bold"}
        table = Table(**style)
        for name, justify in (("parameter", "left"), ("shape", "left"), ("parts", "left")):
            table.add_column(name, justify=justify)  # type: ignore[arg-type]
        table.add_column("bytes here", justify="right")
        table.add_column("of", justify="right")
        for row in self.parameters:
            cells = (row.name, row.shape, row.parts, f"{row.bytes:,}", f"{row.total:,}")
            table.add_row(*map(str, cells))
        yield table
        total = sum(row.total for row in self.parameters)
        yield f"{self.bytes:,} of {total:,} bytes in this process, of {self.processes}\n"
        if self.messages is None:
            yield "No call was seen: call the network twice, or give explain its inputs as well."
            return
        table = Table(**style)
        for name in ("collective", "sent by", "cell"):
            table.add_column(name)
        for name in ("processes", "times", "bytes"):
            table.add_column(name, justify="right")
        for key, (times, size) in self._joined().items():
            kind, operator, cell, processes = key
            table.add_row(kind, operator, cell, str(processes), str(times), f"{size:,}")
        yield table
        yield f"{len(self.messages)} collectives, {self.sent:,} bytes in a call"

    def _joined(self) -> dict[tuple[str, str, str, int], tuple[int, int]]:
        """Collectives of one kind from one place together: how many, and their bytes."""
        entries: dict[tuple[str, str, str, int], tuple[int, int]] = {}
        for m in self.messages or ():
            cell = "" if m.cell is None else self.names.get(id(m.cell), type(m.cell).__name__)
            key = (m.kind, m.operator, cell, m.processes)
            times, size = entries.get(key, (0, 0))
            entries[key] = times + 1, size + m.bytes
        return entries


def explain(network: Any, *inputs: Any) -> Explanation:
    """How the parameters of a network lie on the processes, and what a call of it sends.

    With inputs the network is called with them, whatever it does: a training step trains. Without,
    the collectives are those of the second call of `AutoParallel`, in which parameters lie as they
    do from then on; a gradient that is taken around it is not part of it. All processes have to
    call this.

    Args:
        network (Union[Cell, function]): an AutoParallel, or a Cell or function that uses some.
        inputs (Any): what it is called with.

    Returns:
        Explanation; ``print`` shows it.

    Difference from PyTorch: ``torch.distributed.tensor.debug.CommDebugMode``.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> print(ms.parallel.explain(ms.nn.Dense(2, 3)).parameters[0].parts)
        (1, 1)
    """
    parts = parts_of_network(network)
    messages: list[Message] | None = None
    if inputs:
        with Messages() as seen:
            network(*inputs)
        messages = seen.messages
    else:
        splits = [vars(p)["_split"] for p in parts if vars(p).get("_split") is not None]
        known = [s.messages for s in splits if s.messages is not None]
        if known:
            messages = [m for each in known for m in each]
    names: dict[int, str] = {}
    for part in parts:
        if isinstance(part, Cell):
            for path, cell in part.cells_and_names():
                if path:
                    names.setdefault(id(cell), path)
    rows = [_row(p) for p in parameters_of(parts)]
    return Explanation(world.size, rows, messages, names)


def _row(p: Any) -> ParameterRow:
    value = p._value
    cuts = [1] * value.ndim
    if is_split(value):
        for placement, size in zip(value.placements, value.device_mesh.shape, strict=True):
            dim = getattr(placement, "dim", None)
            if dim is not None:
                cuts[dim] *= size
    part = local(value)
    size = value.element_size()
    return ParameterRow(
        p.name, tuple(value.shape), tuple(cuts), part.numel() * size, value.numel() * size
    )
