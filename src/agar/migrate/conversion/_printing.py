"""Tensors that are formatted as numbers: ``f"{loss:.4f}"`` takes a number in MindSpore.

``f"{loss.item():.4f}"`` says the same to both. What is a tensor is looked up before training steps
are rewritten, for afterwards it comes out of functions.
"""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import bracketed, is_atomic
from agar.migrate.conversion._kinds import TENSOR
from agar.migrate.conversion._names import Names
from agar.migrate.conversion._project import Project
from agar.migrate.conversion._types import Types
from agar.migrate.conversion._walk import Rewriter, code_of_tree, rewritten

__all__ = ["plain_numbers"]

#: whether a text may have such a format at all
_SOME = re.compile(r":[^{}:\n]{0,12}[eEfFgGn%d]\}")
#: what formats a number, at its end
_NUMERIC = re.compile(r"[eEfFgGn%d]$")
_FORMAT = m.Call(func=m.Attribute(value=m.SimpleString(), attr=m.Name("format")))


def plain_numbers(tree: cst.Module, path: Path, project: Project) -> cst.Module:
    """A file whose tensors are formatted as the numbers that they hold.

    Args:
        tree (cst.Module): the file.
        path (Path): its place.
        project (Project): the files around it.
    """
    if not _SOME.search(code_of_tree(tree)):
        return tree
    return rewritten(tree, _Rewriter(Types(tree, Names(tree, path, project))))


class _Rewriter(Rewriter):
    def __init__(self, types: Types) -> None:
        super().__init__()
        self.types = types

    def leave_FormattedStringExpression(
        self,
        original_node: cst.FormattedStringExpression,
        updated_node: cst.FormattedStringExpression,
    ) -> cst.FormattedStringExpression:
        spec = original_node.format_spec or ()
        last = spec[-1] if spec else None
        numeric = isinstance(last, cst.FormattedStringText) and _NUMERIC.search(last.value)
        if not numeric or original_node.conversion:
            return updated_node
        if self.types.of(original_node.expression) != TENSOR:
            return updated_node
        return updated_node.with_changes(expression=_number(updated_node.expression))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """``"{:.4f}".format(loss)``."""
        args = original_node.args
        if not m.matches(original_node, _FORMAT) or any(a.star or a.keyword for a in args):
            return updated_node
        text: Any = original_node.func.value  # type: ignore[attr-defined]
        try:
            fields = [f for f in string.Formatter().parse(text.evaluated_value) if f[1] is not None]
        except (TypeError, ValueError):
            return updated_node
        if len(fields) != len(args) or any(name for _, name, _, _ in fields):
            return updated_node
        changed = [
            new.with_changes(value=_number(new.value))
            if spec and _NUMERIC.search(spec) and self.types.of(old.value) == TENSOR
            else new
            for (_, _, spec, _), old, new in zip(fields, args, updated_node.args, strict=True)
        ]
        return updated_node.with_changes(args=changed)


def _number(node: Any) -> cst.Call:
    value = node if is_atomic(node) else bracketed(node)
    return cst.Call(cst.Attribute(value, cst.Name("item")))
