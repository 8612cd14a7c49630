"""What the reports share: the tree behind the cells' paths, the text of rules, numbers as text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agar.migrate.result import CellResult, Comparison

__all__ = ["Node", "clean", "failure", "number", "outline", "percent", "rule_of", "rule_text"]

#: From the best to the worst; a row that stands for several shows the worst.
SEVERITY = ("not run", "equal", "foreign", "not compared", "inherited", "different", "failed")


@dataclass
class Node:
    """One row of the tree.

    Attributes:
        name: the last part of the path.
        path: the whole path.
        cell: the result; None for a part of the tree that has no entry of its own.
        depth: 0 for the network.
        children: in the order of execution.
    """

    name: str
    path: str
    cell: CellResult | None
    depth: int
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """This row and all below it, from top to bottom."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    @property
    def error(self) -> float | None:
        """The cell's largest error; without a cell, the largest below."""
        if self.cell is not None:
            return self.cell.error
        errors = [n.cell.error for n in self.walk() if n.cell and n.cell.error is not None]
        return max(errors, default=None)

    @property
    def status(self) -> str:
        """The cell's status; without a cell, the worst below."""
        if self.cell is not None:
            return self.cell.status
        statuses = [n.cell.status for n in self.walk() if n.cell]
        return max(statuses, key=_severity, default="not compared")

    @property
    def calm(self) -> bool:
        """Nothing here or below asks for the reader's attention."""
        return all(
            n.cell is None
            or n.cell.status in ("equal", "not run")
            # a forward of PyTorch's over cells; a module that PyTorch computes alone is a leaf
            or (n.cell.status == "foreign" and not n.cell.leaf)
            for n in self.walk()
        )


def _severity(status: str) -> int:
    return SEVERITY.index(status) if status in SEVERITY else len(SEVERITY)


def outline(cells: list[CellResult], name: str) -> Node:
    """The tree of the cells.

    Args:
        cells (list): entries with paths such as ``layer1.0.conv``.
        name (str): the network's name, for the first row.

    Returns:
        Node, the first row. Paths without an entry get a row where something lies below them.
    """
    root = Node(name, "", None, 0)
    known = {"": root}
    for cell in cells:
        _place(cell.path, known).cell = cell
    return root


def _place(path: str, known: dict[str, Node]) -> Node:
    missing = []
    while path not in known:
        missing.append(path)
        path = path.rpartition(".")[0]
    node = known[path]
    for path in reversed(missing):
        child = Node(path.rpartition(".")[2], path, None, node.depth + 1)
        node.children.append(child)
        known[path] = node = child
    return node


def number(value: float | None) -> str:
    """An error or a tolerance, short: ``1.2e-07``, ``0``, ``inf``, ``-`` for None.

    Args:
        value (float): the number; None for none.
    """
    if value is None:
        return "-"
    if math.isnan(value) or math.isinf(value) or value == 0:
        return f"{value:g}"
    return f"{value:.1e}"


def percent(fraction: float) -> str:
    """A fraction as per cent, never rounded up to 100 %.

    Args:
        fraction (float): the fraction, from 0 to 1.
    """
    rounded = math.floor(fraction * 1000 + 1e-9) / 10
    return f"{rounded:.0f} %" if rounded == int(rounded) else f"{rounded:.1f} %"


def clean(text: str) -> str:
    """Names and sources as they may be shown: control characters are written out.

    A name may come from anywhere, and an escape sequence in it would command the terminal.

    Args:
        text (str): the text.
    """
    return "".join(
        c if c in "\n\t" or (c.isprintable() or c == " ") else c.encode("unicode_escape").decode()
        for c in text
    )


def failure(comparisons: list[Comparison]) -> Comparison | None:
    """The comparison that says most: the first that is not equal, or the one with most error.

    Args:
        comparisons (list[Comparison]): the comparisons of one cell.
    """
    wrong = [c for c in comparisons if not c.equal]
    if wrong:
        return wrong[0]
    return max(comparisons, key=lambda c: -1.0 if c.error is None else c.error, default=None)


def rule_of(module_type: str | None) -> Any:
    """The row of the table of rules for a class of torch.nn, or None.

    Args:
        module_type (str, optional): ``Conv2d``, or a whole path such as ``torch.nn.Conv2d``.
    """
    from agar.migrate.rules import find

    if not module_type:
        return None
    name = module_type if module_type.startswith("torch.") else f"torch.nn.{module_type}"
    return find(name)


def rule_text(rule: Any) -> dict[str, Any]:
    """What a reader wants to know of a rule, as plain data.

    Args:
        rule (Rule): the rule.
    """
    return {
        "source": rule.source,
        "signature": f"{rule.name}{rule.signature}",
        "target": rule.target,
        "forms": [
            {"when": case.when, "code": case.template, "note": case.note} for case in rule.cases
        ],
        "differs": dict(rule.differs),
        "refuse": dict(rule.refuse),
        "weights": [f"{w.source} -> {w.target or 'not kept'}" for w in rule.weights],
        "note": rule.reason,
    }
