"""What the cells of a network receive in a run: who runs, how often, and with which inputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agar.migrate.cell_matching import Pair, Pairing
from agar.migrate.compare import relative_error
from agar.migrate.recorder import RunCall
from agar.migrate.trees import Call, tensors
from agar.nn.cell import Cell

__all__ = ["CellWatch", "Received"]


@dataclass
class Received:
    """One call of a cell beside the call of its module.

    Attributes:
        pair: the two.
        number: which call of the cell it was.
        error: the largest relative difference of the inputs; None without a call to compare.
        reason: what a number does not say.
        given: the cell's inputs, where the difference is to be looked at.
        expected: the module's.
    """

    pair: Pair
    number: int
    error: float | None = None
    reason: str = ""
    given: Call = field(default_factory=Call)
    expected: Call = field(default_factory=Call)


class CellWatch:
    """Hooks on all paired cells of a tree, for one run in Python.

    Args:
        root (Cell): the tree.
        pairing (Pairing): its pairs.
        calls (list): the original's calls, to compare inputs with. Default: none.
        keep (bool): whether the inputs of calls that differ are kept. Default: ``False``.
    """

    def __init__(
        self,
        root: Cell,
        pairing: Pairing,
        calls: list[RunCall] | None = None,
        keep: bool = False,
    ) -> None:
        self.root = root
        self.by_cell = pairing.of_cell()
        self.keep = keep
        self.received: list[Received] = []
        self._stack: list[str] = []
        self._counts: dict[int, int] = {}
        self._handles: list[Any] = []
        self._expected: dict[int, list[RunCall]] = {}
        for call in calls or []:
            self._expected.setdefault(id(call.pair.cell), []).append(call)

    def where(self) -> str | None:
        """The path of the module whose cell runs."""
        return self._stack[-1] if self._stack else None

    def __enter__(self) -> CellWatch:
        for _, cell in self.root.cells_and_names():
            pair = self.by_cell.get(id(cell))
            if pair is not None:
                self._watch(cell, pair)
        return self

    def _watch(self, cell: Cell, pair: Pair) -> None:
        self._handles.append(cell.register_forward_pre_hook(self._before(pair), with_kwargs=True))
        self._handles.append(cell.register_forward_hook(self._after))

    def __exit__(self, *error: Any) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self._stack.clear()

    def _before(self, pair: Pair) -> Any:
        def hook(cell: Cell, args: Any, kwargs: Any) -> None:
            self._stack.append(pair.module_path)
            number = self._counts.get(id(cell), 0)
            self._counts[id(cell)] = number + 1
            received = Received(pair, number)
            expected = self._expected.get(id(cell), [])
            if number < len(expected):
                self._compare(received, args, kwargs, expected[number].call)
            self.received.append(received)

        return hook

    def _after(self, cell: Cell, args: Any, out: Any) -> None:
        self._stack.pop()

    def _compare(self, received: Received, args: Any, kwargs: Any, expected: Call) -> None:
        given = [t for _, t in [*tensors(args, ""), *tensors(kwargs, "")]]
        others = [t for _, t in expected.tensors()]
        if len(given) != len(others):
            received.reason = f"{len(given)} tensors against {len(others)}"
            received.error = float("inf")
        else:
            received.error = 0.0
            for one, other in zip(given, others, strict=True):
                one = one.detach()
                if one.shape != other.shape:
                    received.reason = f"shape {tuple(one.shape)} against {tuple(other.shape)}"
                received.error = max(received.error, relative_error(one, other))
        if self.keep:
            received.given = Call(tuple(t.detach().clone() for t in given), {})
            received.expected = Call(tuple(others), {})
