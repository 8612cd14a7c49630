"""Which way to spread a network over many devices: candidates priced by a model of costs."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agar._core.errors import describe
from agar.nn.cell import Cell
from agar.tools.network_summary import Summary, summary

__all__ = ["Candidate", "Plan", "plan"]

#: Groups of tensor parallel stay inside one host.
_HOST = 8


@dataclass(frozen=True)
class Candidate:
    """One way to spread a network, and what it costs.

    Attributes:
        dp, tp, pp: over how many devices rows, matrices and layers are spread.
        memory: bytes in each device: parameters, gradients, states of the optimizer, activations.
        gradients: bytes of the all-reduce of gradients in a step.
        activations: bytes of the all-reduces of tensor parallel in a step.
        boundary: bytes that go from stage to stage, and back, in a step.
        bubble: the share of a step in which a stage waits for others.
        seconds: a step.
    """

    dp: int
    tp: int
    pp: int
    memory: float
    gradients: float
    activations: float
    boundary: float
    bubble: float
    seconds: float


@dataclass(frozen=True)
class Plan:
    """What `plan` found; ``print`` shows the best few.

    Attributes:
        devices: how many there are.
        limit: bytes of memory that each has.
        candidates: those that fit, the fastest first.
        tried: how many were priced.
        least: the smallest memory among all that were priced.
    """

    devices: int
    limit: float
    candidates: tuple[Candidate, ...]
    tried: int
    least: float

    def show(self, console: Any = None, most: int = 5) -> None:
        """Print it.

        Args:
            console (rich.console.Console, optional): where to. Default: ``None``, standard output.
            most (int): how many candidates. Default: 5.
        """
        from rich.console import Console

        (console or Console()).print(*self._renderables(most), sep="\n")

    def __str__(self) -> str:
        from rich.console import Console

        file = io.StringIO()
        self.show(Console(file=file, width=100))
        return "\n".join(line.rstrip() for line in file.getvalue().splitlines())

    def _renderables(self, most: int) -> Iterator[Any]:
        from rich.table import Table

        if not self.candidates:
            yield (
                f"None of {self.tried} ways fits into {self.limit:.3g} bytes a device; the least "
                f"needs {self.least:.3g}."
            )
            return
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
        columns = (
            "dp",
            "tp",
            "pp",
            "memory",
            "gradients",
            "activations",
            "boundary",
            "bubble",
            "s",
        )
        for name in columns:
            table.add_column(name, justify="right")
        for c in self.candidates[:most]:
            sizes = (c.memory, c.gradients, c.activations, c.boundary)
            table.add_row(
                *map(str, (c.dp, c.tp, c.pp)),
                *(f"{size:.3g}" for size in sizes),
                f"{c.bubble:.0%}",
                f"{c.seconds:.3g}",
            )
        yield table
        yield (
            f"{len(self.candidates)} of {self.tried} ways over {self.devices} devices fit into "
            f"{self.limit:.3g} bytes"
        )


@dataclass(frozen=True)
class _Sizes:
    """What costs are computed from: bytes of matrices and other parameters, and of a run."""

    matrices: float
    others: float
    layers: int
    rows: int
    outputs: float  # of the layers with matrices
    sums: float  # of every second of them, which gives partial sums
    memory: float  # of all leaf cells
    flops: float


def plan(
    network: Cell,
    *inputs: Any,
    devices: int = 8,
    memory: float = 80e9,
    states: int = 2,
    micro_batches: int = 8,
    speed: float = 3e14,
    bandwidth: float = 2.5e10,
) -> Plan:
    r"""Price ways to spread a network over devices: data, tensor and pipeline parallel together.

    Costs of a step with the given inputs as one whole batch, for every
    :math:`dp \cdot tp \cdot pp = devices`, where M are the bytes of parameters with two or more
    dimensions, V those of the others, A the bytes that leaf cells return, O those of the layers
    with matrices, L their number, m the micro-batches, s the states of the optimizer:

    - parameters of a device :math:`P = M / (tp \cdot pp) + V / pp`
    - memory :math:`(2 + s) P + A \min(pp, m) / (dp \cdot tp \cdot pp \cdot m)`
    - all-reduce of gradients: :math:`P` bytes if :math:`dp > 1`
    - all-reduces of tensor parallel: :math:`2 R / (dp \cdot pp)` bytes if :math:`tp > 1`, where R
    are
      the bytes of every second of these layers: columns of one matrix are cut and rows of the next,
      whose sums are added up in the forward pass, as are gradients of the first in the backward
      pass
    - from stage to stage: :math:`2 O / (L \cdot dp)` bytes if :math:`pp > 1`
    - bubble :math:`(pp - 1) / (m + pp - 1)`
    - time :math:`3 F / (devices \cdot speed \cdot (1 - bubble))` for F floating point operations of
    a
      forward pass, and for each message twice :math:`(n - 1) / n` of its bytes at `bandwidth`

    It supposes that layers are alike, that tensor parallel stays inside a host of 8 devices, and
    that nothing is sent while something is computed.

    Args:
        network (Cell): the network.
        inputs (Tensor): what it is called with, once, in this process.
        devices (int): how many there are. Default: 8.
        memory (float): bytes of memory that each has. Default: 80e9.
        states (int): numbers that the optimizer keeps for each number of a parameter. Default: 2.
        micro_batches (int): into how many parts a pipeline cuts the rows of a device. Default: 8.
        speed (float): floating point operations of a device in a second. Default: 3e14.
        bandwidth (float): bytes that a device sends in a second. Default: 2.5e10.

    Returns:
        Plan, the fastest candidates first; ``print`` shows the best five.

    Raises:
        TypeError: `network` is not a Cell.
        ValueError: there are no inputs, or a number is not positive.

    Difference from PyTorch: no counterpart.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(64, 64), ms.nn.Dense(64, 64))
        >>> found = ms.parallel.plan(net, ms.ops.ones((32, 64)), devices=4, memory=1e6)
        >>> best = found.candidates[0]
        >>> best.dp * best.tp * best.pp
        4
    """
    if not isinstance(network, Cell):
        raise TypeError(f"For 'plan', the 'network' must be a Cell, but got {describe(network)}.")
    if not inputs:
        raise ValueError(
            "For 'plan', the network is run once to count its operations: give it inputs, "
            "plan(network, x, devices=...)."
        )
    numbers = {
        "devices": devices,
        "memory": memory,
        "micro_batches": micro_batches,
        "speed": speed,
        "bandwidth": bandwidth,
    }
    for name, number in numbers.items():
        if number <= 0:
            raise ValueError(f"For 'plan', '{name}' must be positive, but got {number}.")
    sizes = _measured(network, inputs)
    every = [
        _priced(sizes, dp, tp, pp, states, micro_batches, speed, bandwidth)
        for dp, tp, pp in _ways(devices, sizes)
    ]
    fitting = sorted((c for c in every if c.memory <= memory), key=lambda c: (c.seconds, c.memory))
    least = min(c.memory for c in every)
    return Plan(devices, memory, tuple(fitting), len(every), least)


def _ways(devices: int, sizes: _Sizes) -> Iterator[tuple[int, int, int]]:
    for tp in range(1, min(devices, _HOST) + 1):
        for pp in range(1, devices // tp + 1):
            dp, rest = divmod(devices, tp * pp)
            if rest or pp > max(sizes.layers, 1):
                continue
            if dp <= sizes.rows or (tp, pp) == (1, 1):
                yield dp, tp, pp


def _measured(network: Cell, inputs: Sequence[Any]) -> _Sizes:
    result: Summary = summary(network, *inputs, show=False)
    parameters = [(p, p.size * p.itemsize) for p in network.get_parameters()]
    matrices = sum(size for p, size in parameters if p.ndim > 1)
    layers = [row for row in result.cells if row.leaf and row.parameters and row.outputs]
    outputs = sum(row.memory for row in layers)
    return _Sizes(
        matrices,
        sum(size for _, size in parameters) - matrices,
        len(layers),
        inputs[0].shape[0] if getattr(inputs[0], "shape", ()) else 1,
        outputs,
        sum(row.memory for row in layers[1::2]),
        result.memory or 0,
        result.flops or 0,
    )


def _priced(
    sizes: _Sizes,
    dp: int,
    tp: int,
    pp: int,
    states: int,
    micro: int,
    speed: float,
    bandwidth: float,
) -> Candidate:
    own = sizes.matrices / (tp * pp) + sizes.others / pp
    held = (
        sizes.memory * min(pp, micro) / (dp * tp * pp * micro)
        if pp > 1
        else (sizes.memory / (dp * tp))
    )
    gradients = own if dp > 1 else 0.0
    activations = 2 * sizes.sums / (dp * pp) if tp > 1 else 0.0
    boundary = 2 * sizes.outputs / (max(sizes.layers, 1) * dp) if pp > 1 else 0.0
    bubble = (pp - 1) / (micro + pp - 1)
    sent = 2 * gradients * (dp - 1) / dp + 2 * activations * (tp - 1) / tp + boundary
    seconds = 3 * sizes.flops / (dp * tp * pp * speed * (1 - bubble)) + sent / bandwidth
    return Candidate(
        dp, tp, pp, (2 + states) * own + held, gradients, activations, boundary, bubble, seconds
    )
