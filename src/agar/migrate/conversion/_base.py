"""What every part of the transformer shares: its state, its records, the marks, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._adapters import Adapter, value_of
from agar.migrate.conversion._expand import (
    NAMESPACES,
    bracketed,
    code_of,
    expand,
    is_atomic,
    literal,
)
from agar.migrate.conversion._gradients import LEFT
from agar.migrate.conversion._initial import difference, like_torch
from agar.migrate.conversion._names import Names
from agar.migrate.conversion._project import torch_object
from agar.migrate.conversion._result import Call, Note
from agar.migrate.conversion._types import Types
from agar.migrate.conversion._walk import Rewriter
from agar.migrate.rules import Rule, RuleRefused
from agar.migrate.rules._template import is_carried

__all__ = ["Base", "without_name"]

_IN_PLACE = m.Arg(keyword=m.Name("inplace"), value=m.Name("True"))
#: what stands before statements that keep their text
_LEFT_MARK = m.SimpleStatementLine(
    body=[m.Expr(m.Call(func=m.Name(LEFT), args=[m.Arg(), m.Arg()]))]
)
#: functions of batches in MindSpore, which PyTorch gives single samples too, and their ranks
_RANKS = {
    "avg_pool1d": 3, "avg_pool2d": 4, "avg_pool3d": 5, "max_pool2d": 4, "max_pool3d": 5,
    "conv1d": 3, "conv2d": 4, "conv3d": 5, "lp_pool1d": 3, "lp_pool2d": 4, "unfold": 4,
}  # fmt: skip
_BATCHED = m.Call(func=m.Attribute(attr=m.Name("unsqueeze") | m.Name("expand_dims")))
_NEW_AXIS = m.Subscript(
    slice=[m.SubscriptElement(slice=m.Index(value=m.Name("None"))), m.ZeroOrMore()]
)
#: The rules' names of the kinds.
_RULE_KINDS = {"tensor": "Tensor", "tensors": "tuple", "size": "tuple", "str": "str"}


#: functions whose arguments decide what is computed: the file asks where the source does not say
_ASKED = ("torch.nn.functional.scaled_dot_product_attention",)


class Base(Rewriter):
    """State and records of a conversion.

    Args:
        names (Names): resolves names.
        types (Types): kinds of expressions.
        parents (mapping): the node around each node.
        file (str): the file's name, for the records.
        target (str): ``mindspore`` or ``agar``.
        init (str): ``mindspore`` or ``torch``, what new layers begin with.
    """

    def __init__(
        self,
        names: Names,
        types: Types,
        parents: Any,
        file: str,
        target: str,
        init: str = "mindspore",
    ) -> None:
        super().__init__()
        self.target = target
        self.init = init
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
        #: classes that hand **arguments on to their layer, and what they derive from here
        self._open_inits: dict[str, str] = {}
        self.foreign = False
        self.no_grad = False
        #: names of libraries on PyTorch whose uses are marked
        self.gone: set[str] = set()
        #: imports of names of PyTorch from files of the project: dots, module, name
        self.passed_on: set[tuple[int, str | None, str | None]] = set()
        #: what is said about libraries on PyTorch
        self.libraries: list[str] = []
        #: the steps of scalers became MindSpore's
        self.scaled = False
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
        #: weights of layers of several classes, and what the cells call them
        self._several: dict[cst.CSTNode, list[str]] = {}
        #: what cells join by name, and which of it this file makes
        self._joined: set[str | None] = set()
        self._joined_here: set[str | None] = set()
        self._class_tests: set[cst.CSTNode] = set()
        self._annotations = 0
        self._foreign_types = False
        #: whether the file takes parameters out of the training
        self._freezes = False
        #: loop variables that are an optimizer's groups
        self._groups: set[str] = set()
        #: decorators that say nothing here
        self._dropped: set[cst.CSTNode] = set()
        #: statements that keep their text
        self._unconverted: set[cst.CSTNode] = set()

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
        """Mark the statement with what stood there, and give code that raises and says why."""
        text = " ".join(f"{name}: {reason}".split())
        old = " ".join(code_of(node).split())
        self._marks[-1].append(old)
        self._note(node, "by hand", text)
        return self._raising(node, text)

    def _raising(self, node: cst.CSTNode, text: str) -> Any:
        """Code that raises when it is reached.

        A name, and what an import reaches, raises when it is used.
        """
        around = self.parents.get(node)
        later = not isinstance(around, cst.Expr) and self._at_import(node)
        named = isinstance(node, (cst.Name, cst.Attribute)) and node not in self._class_tests
        later |= named and not self._compared(around)
        name = "_Unconverted" if later else "_by_hand"
        self.helpers.add(name)
        call = cst.Call(cst.Name(name), [cst.Arg(cst.SimpleString(repr(text)))])
        if later and isinstance(around, cst.Decorator):
            return cst.Attribute(call, cst.Name("over"))
        return call

    def _compared(self, around: Any) -> bool:
        """Whether a name stands where its value decides at once."""
        return isinstance(around, (cst.Comparison, cst.ComparisonTarget, cst.BooleanOperation))

    def _at_import(self, node: cst.CSTNode) -> bool:
        """Whether an expression is computed when its file is imported."""
        around = self.parents.get(node)
        while around is not None:
            if isinstance(around, (cst.FunctionDef, cst.Lambda)) and around.body is node:
                return False
            node, around = around, self.parents.get(around)
        return True

    def _comment(self, node: cst.CSTNode, text: str) -> None:
        """Mark the statement and leave it as it stands: it is wrong in a visible way, or right."""
        text = " ".join(text.split())
        self._marks[-1].append(text)
        self._note(node, "by hand", text)

    def _written(self, code: str) -> Any:
        """An expression of our own, with the file's names for the namespaces."""
        if code == "nn.CrossEntropyLoss" and self.target == "mindspore":
            # MindSpore's takes int32 labels only
            self.helpers.add("_CrossEntropyLoss")
            return cst.Name("_CrossEntropyLoss")
        head, dot, rest = code.partition(".")
        if is_carried(code):
            self.used.add(code)
        if head in NAMESPACES:
            self.used.add(head)
            code = self.aliases[head] + dot + rest
        return cst.parse_expression(code)

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node in self._unconverted:
            return False
        if isinstance(node, (cst.IndentedBlock, cst.Module)):
            self._find_unconverted(node.body)
        if isinstance(node, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
            self._marks.append([])
        return super().on_visit(node)

    def _find_unconverted(self, body: Sequence[Any]) -> None:
        for i, node in enumerate(body):
            mark = left_mark(node)
            if mark is not None:
                left = body[i + 1 : i + 1 + mark[0]]
                self._unconverted.update(left)
                self._see_left(left)

    def _see_left(self, statements: Sequence[cst.CSTNode]) -> None:
        """What is asked about statements that keep their text."""

    def _left(self, original: Any, updated: Any, reason: str) -> Any:
        """What raises before statements that keep their text."""
        if not reason:
            return cst.RemoveFromParent()
        text = (
            f"this keeps its text, because {reason} works on gradients that PyTorch keeps in "
            "tensors, and how is not clear: write the step with mindspore.value_and_grad"
        )
        self._marks[-1].append("what follows keeps its text")
        self._note(original, "by hand", text)
        self.helpers.add("_by_hand")
        node = cst.Call(cst.Name("_by_hand"), [cst.Arg(cst.SimpleString(repr(text)))])
        return updated.with_changes(body=[cst.Expr(node)])

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        if original_node in self._unconverted:
            return original_node
        mark = left_mark(original_node)
        if mark is not None:
            converted = self._left(original_node, original_node, mark[1])
            marks = self._marks.pop()
            return self._with_marks(converted, marks) if marks else converted
        converted = super().on_leave(original_node, updated_node)
        if isinstance(original_node, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
            marks = self._marks.pop()
            if marks:
                converted = self._with_marks(converted, marks)
        return converted

    def _with_marks(self, converted: Any, marks: list[str]) -> Any:
        comments = [
            cst.EmptyLine(comment=cst.Comment(f"# agar: by hand: {text}"))
            for text in dict.fromkeys(marks)
            # what is marked inside of what is marked says nothing more
            if not any(text != other and text in other for other in marks)
        ]
        if isinstance(converted, cst.RemovalSentinel):
            return cst.SimpleStatementLine([cst.Pass()], leading_lines=comments)
        if isinstance(converted, cst.FlattenSentinel):
            nodes = list(converted)
            nodes[0] = self._with_marks(nodes[0], marks)
            return cst.FlattenSentinel(nodes)
        return converted.with_changes(leading_lines=[*converted.leading_lines, *comments])

    def _rule_kind(self, node: cst.CSTNode) -> str | None:
        if isinstance(node, (cst.Tuple, cst.List)):
            return "tuple"
        kind = self.types.of(node)
        if isinstance(kind, tuple):
            return "tuple" if kind[0] in ("tuple", "each", "cells") else None
        return _RULE_KINDS.get(kind) if kind else None

    def _dtype(self, node: cst.CSTNode) -> str | None:
        dotted = self.names.dotted(node)
        if dotted and dotted.startswith("torch."):
            target = torch_object(dotted)
            if isinstance(target, torch_object("torch.dtype")):
                return dotted
        return None

    def _bracket(self, original: cst.CSTNode, node: Any) -> Any:
        old = original
        if isinstance(old, cst.BaseExpression) and old.lpar and not node.lpar:
            return node.with_changes(lpar=old.lpar, rpar=old.rpar)
        if is_atomic(node):
            return node
        around = self.parents.get(original)
        plain = (
            cst.Arg, cst.Assign, cst.Return, cst.Expr, cst.AnnAssign, cst.AugAssign, cst.Element,
            cst.Index, cst.If, cst.For, cst.Assert,
        )  # fmt: skip
        return node if isinstance(around, plain) else bracketed(node)

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
            expanded = expand(
                rule, args, originals, self._rule_kind, self._dtype, self.aliases, updated, receiver
            )
        except RuleRefused as refused:
            if receiver is None and any(a.star for a in originals):
                passed = self._by_adapter(original, updated, rule)
                if passed is not None:
                    return passed
            self._record(original, rule.source, rule, "by hand", reason=str(refused))
            return self._by_hand(original, rule.source, without_name(str(refused), rule.source))
        asked = expanded.assumptions and rule.source in _ASKED
        # what torch.nn.init fills is changed where it stands, which no function's value shows
        left_out = expanded.left_out and not rule.source.startswith("torch.nn.init.")
        if (asked or left_out) and receiver is None:
            passed = self._by_adapter(original, updated, rule)
            if passed is not None:
                return passed
        self.used |= expanded.used
        if "inplace" in rule.ignore and any(m.matches(a, _IN_PLACE) for a in originals):
            text = "PyTorch changes the input too; where it is read again, the result differs"
            self._note(original, "note", f"inplace=True: {text}")
        for note in expanded.notes:
            self._note(original, "note", f"{rule.source}: {note}")
        for doubt in (*expanded.doubts, *expanded.left_out):
            self._comment(original, f"{rule.source}: {doubt}")
        for assumption in expanded.assumptions:
            self._note(original, "assumption", f"{rule.source}: taken for granted: {assumption}")
        node = self._with_dtype(expanded.node, rule)
        node = self._as_mindspore_takes(original, self._begun(original, node, rule), rule)
        self._record(original, rule.source, rule, expanded.status, code_of(node).strip())
        return node

    def _with_dtype(self, node: Any, rule: Rule) -> Any:
        """A layer's ``dtype=dtype``, which may be None in PyTorch."""
        if rule.kind != "module" or not isinstance(node, cst.Call):
            return node
        args = list(node.args)
        for i, arg in enumerate(args):
            if m.matches(arg, m.Arg(keyword=m.Name("dtype"), value=m.Name())):
                self.used.add("ms")
                text = f"{code_of(arg.value)} or {self.aliases['ms']}.float32"
                args[i] = arg.with_changes(value=cst.parse_expression(text))
        return node.with_changes(args=args) if args != list(node.args) else node

    def _as_mindspore_takes(self, original: cst.CSTNode, node: Any, rule: Rule) -> Any:
        """A call whose arguments may be what agar takes, as PyTorch, and MindSpore does not."""
        if self.target != "mindspore" or not isinstance(node, cst.Call):
            return node
        head, _, name = code_of(node.func).rpartition(".")
        if head == self.aliases["nn"] and name == "CrossEntropyLoss":
            return node.with_changes(func=self._written("nn.CrossEntropyLoss"))
        rank = _RANKS.get(name) if head == self.aliases["ops"] else None
        if rank is None or not node.args or _has_batch(node.args[0].value):
            return node
        if original in self.types.inside:
            text = f"taken for granted: the input has a batch dimension, {rank} in all"
            self._note(original, "assumption", f"{rule.source}: {text}")
            return node
        self.helpers.add("_with_batch")
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        first = [cst.Arg(node.func, comma=comma), cst.Arg(cst.Integer(str(rank)), comma=comma)]
        return node.with_changes(func=cst.Name("_with_batch"), args=[*first, *node.args])

    def _begun(self, original: cst.CSTNode, call: Any, rule: Rule) -> Any:
        """A layer that begins with PyTorch's distribution where that is asked for."""
        told = difference(rule.target) if isinstance(call, cst.Call) else ""
        target = rule.target or ""
        head, dot, rest = target.partition(".")
        named = (
            code_of(call.func) in (self.aliases[head] + dot + rest, f"_{rest}") if told else False
        )
        if not named:
            return call
        if self.init != "torch":
            self._note(original, "note", f"{rule.source}: {told}")
            return call
        node, needs, helper = like_torch(call, target)
        if needs:
            self.used.add(needs)
        if helper:
            self.helpers.add(helper)
            self.used.add("nn")
        return node

    def _by_adapter(self, original: cst.Call, updated: cst.Call, rule: Rule) -> Any:
        """A call whose arguments the source does not show goes to what has PyTorch's signature."""
        helper = value_of(rule, self.aliases)
        if helper is None or (
            isinstance(updated.func, cst.Attribute) and (updated.func.attr.value == "__init__")
        ):
            return None
        self._adapt(original, helper, rule)
        self._record(original, rule.source, rule, "differs", helper.name)
        return updated.with_changes(func=cst.Name(helper.name))

    def _adapt(self, original: cst.CSTNode, helper: Adapter, rule: Rule) -> None:
        """Put what stands for a class or function of PyTorch into the file."""
        self.used |= helper.used
        code = helper.code
        if difference(rule.target):
            lines = code.splitlines()
            for i, line in enumerate(lines):
                if line.strip().startswith("return "):
                    start, _, text = line.partition("return ")
                    node = self._begun(original, cst.parse_expression(text), rule)
                    lines[i] = f"{start}return {code_of(node)}"
            code = "\n".join(lines) + "\n"
        self.adapters[helper.name] = code

    def _beyond(self, original: cst.Call, rule: Rule) -> Any:
        """A counterpart that MindSpore lacks: its value where it is a number that is known."""
        target = rule.original
        values = [literal(a.value) for a in original.args]
        if all(known for known, _ in values) and not any(a.keyword for a in original.args):
            value = target(*[v for _, v in values])
            if isinstance(value, (int, float)):
                self._record(original, rule.source, rule, "differs", repr(value))
                return cst.parse_expression(repr(value))
        reason = f"MindSpore 2.10 lacks {rule.target}; agar has it (target agar)"
        self._record(original, rule.source, rule, "by hand", reason=reason)
        return self._by_hand(original, rule.source, reason)


def _has_batch(node: cst.BaseExpression) -> bool:
    """Whether an expression gives a sample a batch dimension."""
    return m.matches(node, _BATCHED | _NEW_AXIS)


def left_mark(node: Any) -> tuple[int, str] | None:
    """How many of the following statements keep their text, and why; None for other nodes."""
    if not isinstance(node, cst.SimpleStatementLine) or not m.matches(node, _LEFT_MARK):
        return None
    marked: Any = node.body[0]
    count, reason = (literal(arg.value)[1] for arg in marked.value.args)
    return count, reason


def without_name(text: str, name: str) -> str:
    return text.removeprefix(name).lstrip(": ").removeprefix("has no counterpart: ")
