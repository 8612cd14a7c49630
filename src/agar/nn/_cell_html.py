"""A cell as notebooks show it: a tree that opens at a click, with the sizes of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from agar._core import html
from agar._core.parameter import Parameter

__all__ = ["cell_html"]

#: A page of more cells than this would be slow to draw.
_MOST = 400


def cell_html(cell: Any) -> str:
    """The tree of a cell's parts.

    Args:
        cell (Cell): the cell.

    Returns:
        str, a block of HTML.
    """
    parameters = list(cell.get_parameters())
    trained = _count(p for p in parameters if p.requires_grad)
    frozen = _count(parameters) - trained
    facts = [f"{trained:,} trained parameters"]
    if frozen:
        facts.append(f"{frozen:,} frozen")
    facts.append("training" if cell.training else "evaluating")
    budget = iter(range(_MOST))
    return html.block(type(cell).__name__, facts, _inside(cell, budget, opened=True))


def _count(parameters: Iterable[Parameter]) -> int:
    return sum(p.size for p in parameters)


def _inside(cell: Any, budget: Iterator[int], *, opened: bool = False) -> str:
    """The cell's own parameters and its children; `budget` ends where enough was drawn."""
    parts = []
    extra = cell.extend_repr()
    if extra:
        parts.append(html.text(extra))
    rows = [
        (name, str(p.shape), str(p.dtype), "trained" if p.requires_grad else "frozen")
        for name, p in cell._params.items()
        if p is not None
    ]
    if rows:
        parts.append(html.table(("parameter", "shape", "dtype", ""), rows))
    children = [(name, child) for name, child in cell._cells.items() if child is not None]
    for i, (name, child) in enumerate(children):
        if next(budget, None) is None:
            left = len(children) - i
            parts.append(html.text(f"... {left} more here; print(net) shows all"))
            break
        facts = [type(child).__name__]
        size = _count(child.get_parameters())
        if size:
            facts.append(f"{size:,}")
        parts.append(
            html.fold(name, facts, _inside(child, budget), opened=opened and len(children) == 1)
        )
    return "".join(parts)
