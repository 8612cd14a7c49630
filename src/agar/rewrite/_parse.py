"""From the source of a function to nodes."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from types import FunctionType, MethodType
from typing import Any

from agar.nn.cell import Cell
from agar.nn.layer.container import CellList, SequentialCell
from agar.ops import Primitive
from agar.rewrite._flatten import called_name, flattened, operator_name
from agar.rewrite._nodes import Block, Place, Statement
from agar.rewrite._values import to_value
from agar.rewrite.api.node_type import NodeType
from agar.rewrite.api.scoped_value import ScopedValue

__all__ = ["NOT_OPENED", "Parser", "instance_kind", "is_network", "source_of"]

#: Libraries, whose layers and functions are called and not opened.
_LIBRARIES = {"agar", "mindspore", "torch", "numpy", "builtins", *sys.stdlib_module_names} - {
    "__main__"
}


#: Classes whose cells are one call, and not opened; programs add theirs.
NOT_OPENED: list[type] = [CellList, SequentialCell]


class _Outside(ast.NodeTransformer):
    """Makes code of a class run in another class: private names, and ``super()``."""

    def __init__(self, owner: type, self_name: str) -> None:
        self.owner = owner.__name__
        self.self_name = self_name

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = f"_{self.owner.lstrip('_')}{node.attr}"
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            node.args = [ast.Name(self.owner, ast.Load()), ast.Name(self.self_name, ast.Load())]
        return node


def source_of(function: Any) -> ast.FunctionDef | None:
    """The definition of a function; None where its source is not to be had."""
    try:
        result = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return result if isinstance(result, ast.FunctionDef) else None


def _is_library(value: Any) -> bool:
    module = getattr(value, "__module__", None) or ""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return module.partition(".")[0] in _LIBRARIES or "site-packages" in file


def is_network(cell: Any) -> bool:
    """Whether a cell is of the user's own class, with source."""
    return (
        isinstance(cell, Cell)
        and not isinstance(cell, tuple(NOT_OPENED))
        and not _is_library(type(cell))
        and source_of(type(cell).construct) is not None
    )


def instance_kind(instance: Any) -> NodeType:
    """The kind of a call, by what is called."""
    if isinstance(instance, (SequentialCell, CellList)):
        return NodeType.CellContainer
    if isinstance(instance, Cell):
        return NodeType.CallCell
    return NodeType.CallPrimitive if isinstance(instance, Primitive) else NodeType.CallFunction


class Parser:
    """Makes the nodes of one function.

    Args:
        tree: the tree that they belong to.
        block: the block to fill, which has the function.
        self_name: the name of the network in the function, or None.
        opened: functions that are being parsed; one that calls itself is not opened again.
    """

    def __init__(
        self, tree: Any, block: Block, self_name: str | None, opened: tuple[Any, ...]
    ) -> None:
        self.tree = tree
        self.block = block
        self.self_name = self_name
        self.function = block.function
        self.opened = (*opened, block.function)
        assert block.head is not None
        self.locals = {a.arg for a in ast.walk(block.head) if isinstance(a, ast.arg)}
        for part in ast.walk(block.head):
            if isinstance(part, ast.Name):
                tree.variables.take(part.id)
                if isinstance(part.ctx, ast.Store):
                    self.locals.add(part.id)
        for name in self.locals:
            tree.variables.take(name)

    def parse(self) -> None:
        """Fill the block."""
        head = self.block.head
        assert head is not None
        plain = [*head.args.posonlyargs, *head.args.args]
        for argument in plain[1:] if self.self_name else plain:
            node = Statement(self.tree.names.free(f"input_{argument.arg}"), NodeType.Input)
            node.targets = [ScopedValue.create_naming_value(argument.arg)]
            self._add(self.block, node)
        self._fill(self.block, head.body)

    def _fill(self, block: Block, statements: list[ast.stmt]) -> None:
        for statement in statements:
            for part in flattened(statement, self.tree.variables):
                self._statement(block, part)

    @staticmethod
    def _add(block: Block, node: Statement) -> Statement:
        node.block = block
        block.nodes.append(node)
        return node

    def _node(self, block: Block, base: str, kind: NodeType, code: Any) -> Statement:
        return self._add(block, Statement(self.tree.names.free(base), kind, code))

    # ------------------------------------------------------------------ statements

    def _statement(self, block: Block, code: ast.stmt) -> None:
        if isinstance(code, ast.Assign) and self._assign(block, code):
            return
        if isinstance(code, ast.Return):
            node = self._node(block, "return", NodeType.Output, code)
            if code.value is not None:
                self._take(node, [(code, "value", None)])
        elif isinstance(code, ast.If):
            node = self._control(block, "if_node", code, [(code, "test", None)], code.body)
            if code.orelse:
                other = self._control(block, "else_node", None, [], code.orelse)
                other.args = list(node.args)
                other.places = list(node.places)
                node.other = other
        elif isinstance(code, ast.For) and not code.orelse:
            self._control(block, "for_node", code, [(code, "iter", None)], code.body)
        elif isinstance(code, ast.While) and not code.orelse:
            self._control(block, "while_node", code, [], code.body)
        else:
            self._node(block, type(code).__name__, NodeType.Python, code)

    def _control(
        self, block: Block, name: str, code: Any, places: list[Place], body: list[ast.stmt]
    ) -> Statement:
        node = self._node(block, name, NodeType.ControlFlow, code)
        self._take(node, places)
        node.body = Block(self.tree, outer=block)
        self._fill(node.body, body)
        return node

    @staticmethod
    def _take(node: Statement, places: list[Place]) -> None:
        """Read positional arguments from the code."""
        for owner, field, index in places:
            expression = getattr(owner, field)
            node.args.append(to_value(expression if index is None else expression[index]))
        node.places += places

    def _assign(self, block: Block, code: ast.Assign) -> bool:
        """Make the node of an assignment; False for one that is kept as it is."""
        if len(code.targets) != 1:
            return False
        target = code.targets[0]
        several = isinstance(target, (ast.Tuple, ast.List))
        targets = list(target.elts) if several else [target]
        if not all(isinstance(t, (ast.Name, ast.Attribute)) for t in targets):
            return False
        node = self._value(block, code)
        if node is None:
            return False
        node.targets = [to_value(t) for t in targets]
        return True

    def _value(self, block: Block, code: ast.Assign) -> Statement | None:
        value = code.value
        plain = NodeType.CallMethod
        if isinstance(value, ast.Call):
            return self._call(block, code, value)
        if isinstance(value, ast.BinOp):
            places: list[Place] = [(value, "left", None), (value, "right", None)]
            base, kind = f"binop_{operator_name(value.op)}", NodeType.MathOps
        elif isinstance(value, ast.UnaryOp):
            places = [(value, "operand", None)]
            base, kind = f"unaryop_{operator_name(value.op)}", NodeType.MathOps
        elif isinstance(value, ast.BoolOp):
            places = [(value, "values", i) for i in range(len(value.values))]
            base, kind = f"boolop_{operator_name(value.op)}", NodeType.MathOps
        elif isinstance(value, ast.Compare):
            places = [(value, "comparators", i) for i in range(len(value.comparators))]
            places.insert(0, (value, "left", None))
            base, kind = f"compare_{operator_name(value.ops[0])}", NodeType.MathOps
        elif isinstance(value, (ast.Tuple, ast.List)):
            places = [(value, "elts", i) for i in range(len(value.elts))]
            base, kind = type(value).__name__.lower(), plain
        elif isinstance(value, ast.Subscript):
            places = [(value, "value", None)]
            base, kind = "subscript_var", plain
        elif isinstance(value, (ast.Name, ast.Attribute, ast.Constant)):
            places = [(code, "value", None)]
            base, kind = f"{type(value).__name__.lower()}_assign", plain
        else:
            return None
        node = self._node(block, base, kind, code)
        self._take(node, places)
        return node

    # ----------------------------------------------------------------------- calls

    def _call(self, block: Block, code: ast.Assign, call: ast.Call) -> Statement | None:
        if any(k.arg is None for k in call.keywords):
            return None
        instance = self._resolved(call.func)
        node = self._node(block, called_name(call.func), instance_kind(instance), code)
        node.instance = instance
        self._take(node, [(call, "args", i) for i in range(len(call.args))])
        for keyword in call.keywords:
            node.kwargs[str(keyword.arg)] = to_value(keyword.value)
            node.places.append((keyword, "value", None))
        if node.kind is NodeType.CellContainer:
            self._contents(node)
        elif self._is_own(call.func) and is_network(instance):
            node.kind = NodeType.Tree
            node.subtree = type(self.tree)(instance)
            node.subtree.outer = block
            node.origin = called_name(call.func)
        else:
            self._open(node)
        return node

    def _is_own(self, func: ast.expr) -> bool:
        """Whether what is called is a child of the network itself."""
        return (
            isinstance(func, ast.Attribute)
            and isinstance(func.value, ast.Name)
            and func.value.id == self.self_name
        )

    def _contents(self, node: Statement) -> None:
        """The cells of a container, as nodes that are not changed."""
        node.body = Block(self.tree, outer=node.block)
        for cell in node.instance:
            kind = NodeType.Tree if is_network(cell) else instance_kind(cell)
            inner = self._node(node.body, type(cell).__name__, kind, None)
            inner.instance = cell
            inner.targets = list(node.targets)

    def _resolved(self, func: ast.expr) -> Any:
        """The object that is called, or None if it is known only when the code runs."""
        names: list[str] = []
        while isinstance(func, ast.Attribute):
            names.insert(0, func.attr)
            func = func.value
        if not isinstance(func, ast.Name):
            return None
        if func.id == self.self_name:
            result: Any = self.tree.network
        elif func.id in self.locals:
            return None
        else:
            space = self.tree.space_of(self.function)
            result = space.get(func.id, getattr(builtins, func.id, None))
        for name in names:
            result = getattr(result, name, None)
        return result

    def _open(self, node: Statement) -> None:
        """Parse the function that a node calls, if it is the user's own."""
        function = node.instance
        method = isinstance(function, MethodType)
        if method:
            if function.__self__ is not self.tree.network:
                return
            function = function.__func__
        if not isinstance(function, FunctionType) or _is_library(function):
            return
        if function in self.opened or hasattr(function, "__wrapped__"):
            return
        head = source_of(function)
        if head is None or head.decorator_list or function.__closure__:
            return
        body = Block(self.tree, head, function, node.block)
        body.method = method
        self_name = head.args.args[0].arg if method and head.args.args else None
        if self_name is not None:
            self.tree.outside(head, function, self_name)
        node.body = body
        Parser(self.tree, body, self_name, self.opened).parse()
