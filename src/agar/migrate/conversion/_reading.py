"""Which names statements read and write, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._walk import findall, parts_of

__all__ = [
    "all_reads", "assigned", "in_order", "names_of", "numbers_only", "read_first", "read_names",
    "targets_of",
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
        #: names that stand for something else where it looks: ``[x for x in a]``, ``lambda x: x``
        self._hidden: list[set[str]] = []

    def look(self, node: cst.CSTNode) -> None:
        """Note the names in a node."""
        parts = _IN_ORDER.get(type(node))
        if isinstance(node, cst.BaseComp):
            self._comprehension(node)
        elif isinstance(node, cst.Lambda):
            every = [p for p in findall(node.params, m.Param()) if isinstance(p, cst.Param)]
            for default in (p.default for p in every if p.default is not None):
                self.look(default)
            self._hidden.append({p.name.value for p in every})
            self.look(node.body)
            self._hidden.pop()
        elif parts is not None:
            for part, is_target in parts(node):
                (self._target if is_target else self.look)(part)
        elif isinstance(node, cst.Name):
            if not any(node.value in names for names in self._hidden):
                self.read.append(node.value)
                self.events.append((node.value, True))
        else:
            for part in parts_of(node):
                self.look(part)

    def _comprehension(self, node: cst.BaseComp) -> None:
        self.look(node.for_in.iter)  # the first is computed outside
        loops = [node.for_in]
        while loops[-1].inner_for_in is not None:
            loops.append(loops[-1].inner_for_in)
        self._hidden.append({name for loop in loops for name in targets_of(loop.target)})
        for loop in loops:
            for part in (*([] if loop is loops[0] else [loop.iter]), *loop.ifs):
                self.look(part)
        for part in parts_of(node):
            if part is not node.for_in:
                self.look(part)
        self._hidden.pop()

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


def numbers_only(names: Iterable[str], statements: Iterable[Any]) -> bool:
    """Whether statements assign nothing but Python's numbers and texts to some names."""
    given: dict[str, list[cst.BaseExpression]] = {}
    written: list[str] = []
    for statement in statements:
        written += _visit([statement]).written
        for node in findall(statement, m.Assign() | m.AugAssign()):
            parts = node.targets if isinstance(node, cst.Assign) else [node]
            for target in (part.target for part in parts):
                if isinstance(target, cst.Name):
                    given.setdefault(target.value, []).append(node.value)
    plain = set(names)
    return all(
        len(given.get(name, ())) == written.count(name)
        and all(_is_number(value, plain) for value in given[name])
        for name in plain
    )


def _is_number(node: Any, names: set[str]) -> bool:
    if isinstance(node, (cst.BaseNumber, cst.BaseString)):
        return True
    if isinstance(node, cst.Name):
        return node.value in names or node.value in ("True", "False", "None")
    if isinstance(node, cst.BinaryOperation):
        return _is_number(node.left, names) and _is_number(node.right, names)
    if isinstance(node, cst.UnaryOperation):
        return _is_number(node.expression, names)
    if isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute):
            return node.func.attr.value in ("item", "tolist")
        return isinstance(node.func, cst.Name) and node.func.value in _NUMBERS
    # x.shape[0]
    return m.matches(node, m.Subscript(value=m.Attribute(attr=m.Name("shape"))))


#: functions that give a number or a text, whatever they are given
_NUMBERS = ("float", "int", "bool", "len", "str")
