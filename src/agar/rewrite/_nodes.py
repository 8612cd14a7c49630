"""Statements as nodes, in blocks: the body of a function, or of a branch or loop in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from agar.rewrite.api.node_type import NodeType
from agar.rewrite.api.scoped_value import ScopedValue, ValueType

__all__ = ["Block", "Place", "Statement"]

#: Where an expression stands: its owner, the field there, and the position in a list.
Place = tuple[Any, str, "int | None"]


class Statement:
    """One statement.

    Attributes:
        name: unique in its tree.
        kind: what it does.
        instance: what it calls, or None.
        code: the statement; None for an input and an ``else``.
        targets: what it assigns to.
        args: positional arguments or operands.
        kwargs: keyword arguments.
        places: where in `code` the arguments stand, positional ones first.
        block: the block that it is in, or None.
        body: the statements inside: of a function that is called, a branch or a loop.
        other: the ``else`` of an ``if``.
        subtree: the tree of the network that is called.
        default: the value of an input that is not given.
        origin: the attribute of the original network that `subtree` was made of.
        attributes: notes of the user's.
    """

    def __init__(self, name: str, kind: NodeType, code: ast.stmt | None = None) -> None:
        self.name = name
        self.kind = kind
        self.instance: Any = None
        self.code = code
        self.targets: list[ScopedValue] = []
        self.args: list[ScopedValue] = []
        self.kwargs: dict[str, ScopedValue] = {}
        self.places: list[Place] = []
        self.block: Block | None = None
        self.body: Block | None = None
        self.other: Statement | None = None
        self.subtree: Any = None
        self.default: ScopedValue | None = None
        self.origin = ""
        self.attributes: dict[str, Any] = {}

    @property
    def values(self) -> list[ScopedValue]:
        """All arguments, positional ones first."""
        return [*self.args, *self.kwargs.values()]

    def set_value(self, index: int, value: ScopedValue) -> None:
        """Change an argument."""
        count = len(self.values)
        if not 0 <= index < count:
            raise ValueError(
                f"For 'Node', the index of an argument of '{self.name}' must be from 0 to "
                f"{count - 1}, but got {index}."
            )
        if self.code is None and self.block is not None:
            raise ValueError(
                f"For 'Node', '{self.name}' has no arguments of its own; change those of the if "
                "that it belongs to."
            )
        if index < len(self.args):
            self.args[index] = value
        else:
            self.kwargs[list(self.kwargs)[index - len(self.args)]] = value
        if self.block is not None:
            self.write(index)
            self.block.touch()

    def write(self, index: int) -> None:
        """Put an argument where it stands in the code."""
        assert self.block is not None
        owner, field, position = self.places[index]
        expression = self.block.tree.expression(self.values[index])
        if position is None:
            setattr(owner, field, expression)
        else:
            getattr(owner, field)[position] = expression

    # ------------------------------------------------------------------- relations

    def providers(self) -> dict[int, tuple[Statement, int]]:
        """For each argument, the node before this one that gives it, and which of its outputs."""
        if self.block is None:
            return {}
        result = {}
        before = self.block.nodes[: self.block.nodes.index(self)]
        for index, value in enumerate(self.values):
            for node in reversed(before):
                if _named(value) and value in node.targets:
                    result[index] = (node, node.targets.index(value))
                    break
        return result

    def users(self) -> dict[int, list[tuple[Statement, int]]]:
        """For each output, the nodes behind this one that take it, and as which argument."""
        if self.block is None:
            return {}
        result: dict[int, list[tuple[Statement, int]]] = {}
        behind = self.block.nodes[self.block.nodes.index(self) + 1 :]
        for index, target in enumerate(self.targets):
            for node in behind:
                takes = [(node, i) for i, value in enumerate(node.values) if value == target]
                if takes:
                    result.setdefault(index, []).extend(takes)
                if target in node.targets:
                    break
        return result

    # ------------------------------------------------------------------------ code

    def emitted(self) -> list[ast.stmt]:
        """The statement with those inside it; none for what stands in the head of its block."""
        code = self.code
        if code is None:
            return []
        if isinstance(code, (ast.If, ast.For, ast.While)):
            assert self.body is not None
            code.body = self.body.emitted()
            if isinstance(code, ast.If):
                code.orelse = []
                if self.other is not None and self.other.body is not None and self.other.block:
                    code.orelse = self.other.body.emitted()
        return [code]


def _named(value: ScopedValue) -> bool:
    return value.type is ValueType.NamingValue


class Block:
    """Statements that run one after the other.

    Attributes:
        tree: the tree that they belong to.
        nodes: the statements.
        head: the function whose body they are, or None for a branch or loop.
        function: the function object, or None.
        changed: whether anything in it was changed.
        outer: the block that it stands in, or that calls it.
        name: what the function is called in generated code.
        method: whether it is a method of the network.
    """

    def __init__(
        self,
        tree: Any,
        head: ast.FunctionDef | None = None,
        function: Any = None,
        outer: Block | None = None,
    ) -> None:
        self.tree = tree
        self.nodes: list[Statement] = []
        self.head = head
        self.function = function
        self.outer = outer
        self.changed = False
        self.name = head.name if head is not None else ""
        self.method = False

    def touch(self) -> None:
        """Note that something was changed, here and in all that this is a part of."""
        self.changed = True
        if self.outer is not None:
            self.outer.touch()
        else:
            self.tree.touch()

    def emitted(self) -> list[ast.stmt]:
        """The code of the statements."""
        code = [part for node in self.nodes for part in node.emitted()]
        return code or [ast.Pass()]

    def walk(self) -> Iterator[Statement]:
        """All statements, with those inside of others behind them."""
        for node in self.nodes:
            yield node
            if node.body is not None:
                yield from node.body.walk()
