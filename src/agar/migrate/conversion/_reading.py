"""Which names statements read and write, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._walk import findall, parts_of

__all__ = [
    "all_reads", "assigned", "in_order", "names_of", "read_first", "read_names", "targets_of",
]  # fmt: skip

#: a node, and whether it is written
_Part = tuple[Any, bool]


def targets_of(node: cst.BaseExpression) -> set[str]:
    return {n.value for n in findall(node, m.Name()) if isinstance(n, cst.Name)}


class _Reads:
    """Collects the names of nodes, in the order in which they are read and written."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.written: list[str] = []
        self.events: list[tuple[str, bool]] = []

    def look(self, node: cst.CSTNode) -> None:
        """Note the names in a node."""
        parts = _IN_ORDER.get(type(node))
        if parts is not None:
            for part, is_target in parts(node):
                (self._target if is_target else self.look)(part)
        elif isinstance(node, cst.Name):
            self.read.append(node.value)
            self.events.append((node.value, True))
        else:
            for part in parts_of(node):
                self.look(part)

    def _target(self, node: cst.BaseExpression) -> None:
        if isinstance(node, cst.Name):
            self.written.append(node.value)
            self.events.append((node.value, False))
        elif isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._target(element.value)
        else:
            self.look(node)


def _bound(node: Any) -> list[_Part]:
    return [(node.value, False), (node.target, True)] if node.value is not None else []


#: What is read of a node, and what is a target, where the order is not that of the text.
_IN_ORDER: dict[type, Callable[[Any], list[_Part]]] = {
    cst.Attribute: lambda node: [(node.value, False)],
    cst.Arg: lambda node: [(node.value, False)],
    cst.Assign: lambda node: [(node.value, False), *((t.target, True) for t in node.targets)],
    cst.AnnAssign: _bound,
    cst.NamedExpr: _bound,
    cst.WithItem: lambda node: [
        (node.item, False), *([(node.asname.name, True)] if node.asname is not None else []),
    ],
    cst.AugAssign: lambda node: [(node.target, False), *_bound(node)],
    cst.For: lambda node: [(node.iter, False), (node.target, True), (node.body, False)],
}  # fmt: skip


def _visit(nodes: Iterable[Any]) -> _Reads:
    reads = _Reads()
    for node in nodes:
        reads.look(node)
    return reads


def all_reads(nodes: Iterable[Any]) -> list[str]:
    return _visit(nodes).read


def read_names(nodes: Iterable[Any]) -> set[str]:
    return set(all_reads(nodes))


def assigned(nodes: Iterable[Any]) -> set[str]:
    return set(_visit(nodes).written)


def in_order(nodes: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(_visit(nodes).written))


def read_first(nodes: Iterable[Any]) -> list[str]:
    """Names that are read before they are assigned, or that are never assigned, in order."""
    seen: set[str] = set()
    out: list[str] = []
    for name, is_read in _visit(nodes).events:
        if is_read and name not in seen and name not in out:
            out.append(name)
        if not is_read:
            seen.add(name)
    return out


def names_of(tree: cst.CSTNode) -> set[str]:
    return {n.value for n in findall(tree, m.Name()) if isinstance(n, cst.Name)}
