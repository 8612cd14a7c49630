"""What a name in one source text stands for."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import libcst as cst
from libcst.metadata import QualifiedName, QualifiedNameSource

from agar.migrate.conversion._project import Project, absolute
from agar.migrate.conversion._walk import lines_of, scopes_of

__all__ = ["Names", "plain_name"]


def plain_name(node: cst.CSTNode) -> str | None:
    """``a.b.c`` for a name or a chain of attributes; None for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        base = plain_name(node.value)
        return base and f"{base}.{node.attr.value}"
    return None


class Names:
    """Resolves the names of one file.

    Args:
        tree (cst.Module): the file's tree, in which no node stands twice.
        path (Path): where it lies, or would lie.
        project (Project): the files around it.
    """

    def __init__(self, tree: cst.Module, path: Path, project: Project) -> None:
        self.project = project
        self.path = path
        symbols = project.symbols(path)
        self.module = symbols.name if symbols else project.module_name(path)
        self.package = symbols.package if symbols else ""
        self._scopes = scopes_of(tree)
        self._lines = lines_of(tree)
        self._resolved: dict[cst.CSTNode, str | None] = {}
        #: where the file's own classes and functions are defined
        self._defined: dict[str, int] = {
            node.name.value: self._lines[node]
            for node in tree.body
            if isinstance(node, (cst.ClassDef, cst.FunctionDef))
        }

    def line(self, node: cst.CSTNode) -> int:
        """The line where a node begins."""
        return self._lines[node]

    def bound(self) -> set[str]:
        """Every name that the file binds anywhere, imports of modules left out."""
        from libcst.metadata import Assignment

        scopes = {s for s in self._scopes.values() if s is not None}
        return {
            a.name
            for scope in scopes
            for a in scope.assignments
            if isinstance(a, Assignment) and not _is_import(a.node)
        }

    def dotted(self, node: cst.CSTNode) -> str | None:
        """The absolute dotted name that an expression stands for; None where it is a value."""
        if node not in self._resolved:
            self._resolved[node] = self._resolve(node)
        return self._resolved[node]

    def _qualified(self, node: cst.CSTNode) -> Collection[QualifiedName]:
        scope = self._scopes.get(node)
        return scope.get_qualified_names_for(node) if scope is not None else ()

    def _resolve(self, node: cst.CSTNode) -> str | None:
        text = plain_name(node)
        if text is None:
            return None
        names = self._qualified(node)
        imported = [q.name for q in names if q.source is QualifiedNameSource.IMPORT]
        local = [q.name for q in names if q.source is QualifiedNameSource.LOCAL]
        if imported and local and self._lines[node] > self._defined.get(local[0], sys.maxsize):
            # class Dataset(Dataset): from there on the name is the file's own
            imported = []
        if imported:
            # of two imports of one name PyTorch's counts, whatever the order of a set
            name = min(imported, key=lambda n: (n.split(".")[0] != "torch", n))
            name = self.project.follow(self._absolute(name))
            # a method of a text is no name of PyTorch
            return None if name.startswith("torch.__version__.") else name
        if local:
            symbols = self.project.symbols(self.path)
            name = min(local)
            if symbols and (name in symbols.classes or name in symbols.functions):
                return f"{self.module}.{name}"
            return None
        head, dot, rest = text.partition(".")
        star = self.project.star(self.path, head)
        return star + dot + rest if star else None

    def _absolute(self, name: str) -> str:
        level = len(name) - len(name.lstrip("."))
        return absolute(self.package, level, name[level:]) if level else name

    def is_builtin(self, node: cst.CSTNode) -> bool:
        """Whether a name is one of Python's own."""
        names = self._qualified(node)
        return any(q.source is QualifiedNameSource.BUILTIN for q in names)


def _is_import(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.Import, cst.ImportFrom, cst.ImportAlias))
