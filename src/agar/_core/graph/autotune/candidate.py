"""A plan that competes, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agar._core.graph.autotune.benchmark import middle
from agar._core.graph.ir.graph import Subgraph

__all__ = ["UNTRIED", "Candidate"]

#: States of candidates that are not known yet.
UNTRIED = ("waiting", "prepared")


class Candidate:
    """A plan of a subgraph, and how it has done."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.run: Callable[..., Any] | None = None
        self.times: list[float] = []
        self.trials: list[float] = []  # its time over that of the best plan, call by call
        self.gain = 1.0  # O0's time over its time
        # then "prepared" (made, not yet tried), "ready", "rejected" or "dropped"
        self.state = "waiting"
        self.reason = ""
        self.job: Any = None  # a background compilation
        self.checked = False
        self.whole = False  # compared as a whole, else part by part with `check`
        self.doubted = False  # differed once; the second check allows for rounding
        self.check: Callable[[Sequence[Any], bool], tuple[str | None, Any]] | None = None
        self.subgraph: Subgraph | None = None  # what `job` compiles
        self.device: Callable[..., Any] | None = None  # on a GPU: its code without the host's part
        self.folded: Any = None
        self.quiet = False  # nobody is told that its results are others than O0's
        self.threads = "torch"  # whose threads compute
        self.compiled: Candidate | None = None  # is compiled if this one is faster than O0
        self.prepare: Callable[[], None] | None = None  # has it prepared, where that is put off
        self.after: Candidate | None = None  # which must have been tried before that

    def begin(self) -> None:
        """Have it prepared, which was put off."""
        prepare, self.prepare, self.after = self.prepare, None, None
        if prepare is not None:
            prepare()

    def fail(self, reason: str) -> None:
        """Take no part."""
        self.leave("rejected", reason)

    def leave(self, state: str, reason: str) -> None:
        """Take no further part, and hold nothing any more: weights, code."""
        self.state, self.reason = state, reason
        self.run = self.check = self.subgraph = self.folded = self.job = None
        self.device = self.prepare = self.after = None

    @property
    def best(self) -> float:
        """Seconds of its middle call, or infinity."""
        return middle(self.times) if self.times else float("inf")
