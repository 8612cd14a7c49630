"""Which names statements read and write, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._walk import findall

__all__ = [
    "all_reads", "assigned", "in_order", "names_of", "read_first", "read_names", "targets_of",
]  # fmt: skip


def targets_of(node: cst.BaseExpression) -> set[str]:
    return {n.value for n in findall(node, m.Name()) if isinstance(n, cst.Name)}


class _Reads(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self.written: list[str] = []
        self.events: list[tuple[str, bool]] = []

    def visit_Name(self, node: cst.Name) -> None:
        self.read.append(node.value)
        self.events.append((node.value, True))

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False

    def visit_Assign(self, node: cst.Assign) -> bool:
        node.value.visit(self)
        for target in node.targets:
            self._target(target.target)
        return False

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:
        if node.value is not None:
            node.value.visit(self)
            self._target(node.target)
        return False

    def visit_NamedExpr(self, node: cst.NamedExpr) -> bool:
        node.value.visit(self)
        self._target(node.target)
        return False

    def visit_WithItem(self, node: cst.WithItem) -> bool:
        node.item.visit(self)
        if node.asname is not None:
            self._target(node.asname.name)
        return False

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:
        node.target.visit(self)
        node.value.visit(self)
        self._target(node.target)
        return False

    def visit_For(self, node: cst.For) -> bool:
        node.iter.visit(self)
        self._target(node.target)
        node.body.visit(self)
        return False

    def _target(self, node: cst.BaseExpression) -> None:
        if isinstance(node, cst.Name):
            self.written.append(node.value)
            self.events.append((node.value, False))
        elif isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._target(element.value)
        else:
            node.visit(self)


def _visit(nodes: Iterable[Any]) -> _Reads:
    reads = _Reads()
    for node in nodes:
        node.visit(reads)
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
