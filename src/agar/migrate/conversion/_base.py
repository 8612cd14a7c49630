"""What every part of the transformer shares: its state, its records, the marks, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from agar.migrate.conversion._adapters import adapter
from agar.migrate.conversion._expand import (
    NAMESPACES,
    bracketed,
    code_of,
    expand,
    is_atomic,
    literal,
)
from agar.migrate.conversion._names import Names
from agar.migrate.conversion._project import torch_object
from agar.migrate.conversion._result import Call, Note
from agar.migrate.conversion._types import Types
from agar.migrate.rules import Rule, RuleRefused
from agar.migrate.rules._template import is_carried

__all__ = ["Base", "without_name"]

#: The rules' names of the kinds.
_RULE_KINDS = {"tensor": "Tensor", "tensors": "tuple", "size": "tuple", "str": "str"}


class Base(cst.CSTTransformer):
    """State and records of a conversion.

    Args:
        names (Names): resolves names.
        types (Types): kinds of expressions.
        parents (mapping): the node around each node.
        file (str): the file's name, for the records.
        target (str): ``mindspore`` or ``agar``.
    """

    def __init__(self, names: Names, types: Types, parents: Any, file: str, target: str) -> None:
        super().__init__()
        self.target = target
        self.names = names
        self.types = types
        self.parents = parents
        self.project = names.project
        self.file = file
        self.notes: list[Note] = []
        self.calls: list[Call] = []
        self.used: set[str] = set()
        self.helpers: set[str] = set()
        self.adapters: dict[str, str] = {}
        self.foreign = False
        self.no_grad = False
        self.einops = False
        bound = names.bound()
        self.aliases: dict[str, Any] = {n: f"ms_{n}" if n in bound else n for n in NAMESPACES}
        self.aliases["taken"] = frozenset(bound)
        self._marks: list[list[str]] = [[]]
        self._classes: list[str | None] = []
        self._function_nodes: list[cst.FunctionDef] = []
        self._fills: list[bool] = []
        self._told: set[tuple[str, str]] = set()
        self._quiet: set[cst.CSTNode] = set()
        self._gone: set[cst.CSTNode] = set()
        self._data: set[cst.CSTNode] = set()
        #: what cells join by name, and which of it this file makes
        self._joined: set[str | None] = set()
        self._joined_here: set[str | None] = set()
        self._class_tests: set[cst.CSTNode] = set()
        self._annotations = 0

    def _note(self, node: cst.CSTNode, kind: str, text: str) -> None:
        if kind != "by hand" and (kind, text) in self._told:
            return
        self._told.add((kind, text))
        self.notes.append(Note(self.names.line(node), kind, text))

    def _record(
        self,
        node: cst.CSTNode,
        name: str,
        rule: Rule | None,
        status: str,
        becomes: str = "",
        reason: str = "",
    ) -> None:
        differences = tuple(f"{k}: {v}" for k, v in rule.differs.items()) if rule else ()
        self.calls.append(
            Call(
                self.file,
                self.names.line(node),
                name,
                rule.target if rule else None,
                status,
                differences,
                code_of(node).strip(),
                becomes,
                reason,
            )
        )

    def _by_hand(self, node: cst.CSTNode, name: str, reason: str) -> Any:
        """Mark the statement, and give code that raises when it is reached."""
        text = " ".join(f"{name}: {reason}".split())
        old = " ".join(code_of(node).split())
        self._marks[-1].append(f"{text}; it was: {old}")
        self._note(node, "by hand", text)
        self.helpers.add("_by_hand")
        return cst.Call(cst.Name("_by_hand"), [cst.Arg(cst.SimpleString(repr(text)))])

    def _comment(self, node: cst.CSTNode, text: str) -> None:
        """Mark the statement and leave it as it stands: it is wrong in a visible way, or right."""
        text = " ".join(text.split())
        self._marks[-1].append(text)
        self._note(node, "by hand", text)

    def _written(self, code: str) -> Any:
        """An expression of our own, with the file's names for the namespaces."""
        head, dot, rest = code.partition(".")
        if is_carried(code):
            self.used.add(code)
        if head in NAMESPACES:
            self.used.add(head)
            code = self.aliases[head] + dot + rest
        return cst.parse_expression(code)

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
            self._marks.append([])
        return super().on_visit(node)

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        made = super().on_leave(original_node, updated_node)
        if isinstance(original_node, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
            marks = self._marks.pop()
            if marks:
                made = self._with_marks(made, marks)
        return made

    def _with_marks(self, made: Any, marks: list[str]) -> Any:
        comments = [
            cst.EmptyLine(comment=cst.Comment(f"# agar: by hand: {text}"))
            for text in dict.fromkeys(marks)
        ]
        if isinstance(made, cst.RemovalSentinel):
            return cst.SimpleStatementLine([cst.Pass()], leading_lines=comments)
        if isinstance(made, cst.FlattenSentinel):
            nodes = list(made)
            nodes[0] = self._with_marks(nodes[0], marks)
            return cst.FlattenSentinel(nodes)
        return made.with_changes(leading_lines=[*made.leading_lines, *comments])

    def _rule_kind(self, node: cst.CSTNode) -> str | None:
        kind = self.types.of(node)
        if isinstance(kind, tuple):
            return "tuple" if kind[0] in ("tuple", "each", "cells") else None
        return _RULE_KINDS.get(kind) if kind else None

    def _dtype(self, node: cst.CSTNode) -> str | None:
        dotted = self.names.dotted(node)
        if dotted and dotted.startswith("torch."):
            found = torch_object(dotted)
            if isinstance(found, torch_object("torch.dtype")):
                return dotted
        return None

    def _bracket(self, original: cst.CSTNode, made: Any) -> Any:
        old = original
        if isinstance(old, cst.BaseExpression) and old.lpar and not made.lpar:
            return made.with_changes(lpar=old.lpar, rpar=old.rpar)
        if is_atomic(made):
            return made
        around = self.parents.get(original)
        plain = (
            cst.Arg, cst.Assign, cst.Return, cst.Expr, cst.AnnAssign, cst.AugAssign, cst.Element,
            cst.Index, cst.If, cst.For, cst.Assert,
        )  # fmt: skip
        return made if isinstance(around, plain) else bracketed(made)

    def _by_rule(
        self,
        original: cst.Call,
        updated: cst.Call,
        rule: Rule,
        args: Sequence[cst.Arg],
        originals: Sequence[cst.Arg],
        receiver: cst.BaseExpression | None = None,
    ) -> Any:
        if rule.agar_only and self.target != "agar":
            return self._beyond(original, rule)
        try:
            made = expand(
                rule, args, originals, self._rule_kind, self._dtype, self.aliases, updated, receiver
            )
        except RuleRefused as refused:
            if receiver is None and any(a.star for a in originals):
                passed = self._by_adapter(original, updated, rule)
                if passed is not None:
                    return passed
            self._record(original, rule.source, rule, "by hand", reason=str(refused))
            return self._by_hand(original, rule.source, without_name(str(refused), rule.source))
        self.used |= made.used
        for note in made.notes:
            self._note(original, "note", f"{rule.source}: {note}")
        for assumption in made.assumptions:
            self._note(original, "assumption", f"{rule.source}: taken for granted: {assumption}")
        self._record(original, rule.source, rule, made.status, code_of(made.node).strip())
        return made.node

    def _by_adapter(self, original: cst.Call, updated: cst.Call, rule: Rule) -> Any:
        """A call whose arguments the source does not show goes through a function."""
        made = adapter(rule, self.aliases)
        if made is None or (
            isinstance(updated.func, cst.Attribute) and (updated.func.attr.value == "__init__")
        ):
            return None
        self.adapters[made.name] = made.code
        self.used |= made.used
        self._record(original, rule.source, rule, "differs", made.name)
        return updated.with_changes(func=cst.Name(made.name))

    def _beyond(self, original: cst.Call, rule: Rule) -> Any:
        """A counterpart that MindSpore lacks: its value where it is a number that is known."""
        found = rule.original
        values = [literal(a.value) for a in original.args]
        if all(known for known, _ in values) and not any(a.keyword for a in original.args):
            value = found(*[v for _, v in values])
            if isinstance(value, (int, float)):
                self._record(original, rule.source, rule, "differs", repr(value))
                return cst.parse_expression(repr(value))
        reason = f"MindSpore 2.10 lacks {rule.target}; agar has it (target agar)"
        self._record(original, rule.source, rule, "by hand", reason=reason)
        return self._by_hand(original, rule.source, reason)


def without_name(text: str, name: str) -> str:
    return text.removeprefix(name).lstrip(": ").removeprefix("has no counterpart: ")
