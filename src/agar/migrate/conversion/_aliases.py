"""In-place arithmetic on tensors that have another name.

``b = a; b += 1`` changes `a` in PyTorch, and binds `b` anew in MindSpore.
"""

from __future__ import annotations

from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._names import plain_name

__all__ = ["BINARY", "is_given", "other_name", "read_later"]

#: the operator of an augmented assignment: the plain operator
BINARY: dict[type, type] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
    cst.PowerAssign: cst.Power,
}
#: methods whose result shares memory with the tensor
_VIEWS = frozenset(
    [
        "view", "transpose", "permute", "squeeze", "unsqueeze", "expand", "narrow", "select",
        "t", "unfold", "diagonal", "chunk", "split", "unbind", "view_as", "contiguous", "reshape",
    ]
)  # fmt: skip


def other_name(node: cst.AugAssign, function: cst.FunctionDef) -> str | None:
    """The other name of a tensor that is changed in place, where it is read afterwards."""
    target = node.target
    if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name):
        # an element of a list or dict that was made of tensors with names
        order = _Order(node, target.value.value)
        function.body.visit(order)
        if not isinstance(order.value, (cst.List, cst.Tuple, cst.Dict)):
            return None
        held = [plain_name(e.value) for e in order.value.elements]
        return next((name for name in held if name is not None and name in order.later), None)
    if not isinstance(target, cst.Name):
        return None
    name = target.value
    order = _Order(node, name)
    function.body.visit(order)
    base = _shared(order.value)
    if base is None or base == name or base not in order.later:
        return None
    return base


def is_given(node: cst.AugAssign, function: cst.FunctionDef) -> bool:
    """Whether what is changed in place is still what the function was given."""
    assert isinstance(node.target, cst.Name)
    name = node.target.value
    params = [*function.params.posonly_params, *function.params.params]
    if name not in [p.name.value for p in [*params, *function.params.kwonly_params]]:
        return False
    order = _Order(node, name)
    function.body.visit(order)
    return order.value is None


def read_later(statement: Any, call: cst.Call, name: str, function: cst.FunctionDef) -> str | None:
    """A name of a tensor that a call changes in place, where it is read afterwards.

    Args:
        statement: the statement of the call.
        call: the call.
        name: what it is given.
        function: the function around it.
    """
    names = {name}
    order = _Names(statement)
    function.body.visit(order)
    for target, value in reversed(order.before):
        base = _shared(value)
        if target in names and base is not None:
            names.add(base)
        elif base in names:
            names.add(target)
    assigned_names = set()
    if isinstance(statement, cst.Assign):
        assigned_names = {plain_name(t.target) for t in statement.targets}
    inside = _Names(call)
    if statement is not None:
        statement.visit(inside)
    for other in sorted(names):
        if other in inside.after or (other in order.after and other not in assigned_names):
            return other
    return None


class _Names(cst.CSTVisitor):
    """The assignments of names before a node, and what is read after it."""

    def __init__(self, node: Any) -> None:
        super().__init__()
        self.node = node
        self.before: list[tuple[str, Any]] = []
        self.after: set[str] = set()
        self.bound: set[str] = set()
        self.passed = False
        self.inside = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node is self.node:
            self.inside = True
        return super().on_visit(node)

    def on_leave(self, original_node: cst.CSTNode) -> None:
        super().on_leave(original_node)
        if original_node is self.node:
            self.inside, self.passed = False, True

    def visit_Assign(self, node: cst.Assign) -> None:
        if not self.passed and not self.inside and node is not self.node:
            names = [plain_name(t.target) for t in node.targets]
            self.before += [(name, node.value) for name in names if name is not None]

    def leave_Assign(self, original_node: cst.Assign) -> None:
        if self.passed and original_node is not self.node:
            self.bound |= {plain_name(t.target) or "" for t in original_node.targets}

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        return not isinstance(node.target, cst.Name)

    def visit_Name(self, node: cst.Name) -> None:
        if self.passed and node.value not in self.bound:
            self.after.add(node.value)

    def visit_Attribute(self, node: cst.Attribute) -> None:
        name = plain_name(node)
        if self.passed and name and name not in self.bound:
            self.after.add(name)


def _shared(value: Any) -> str | None:
    """The name of what a value shares its memory with."""
    if isinstance(value, (cst.Name, cst.Attribute)):
        return plain_name(value)
    while True:
        if isinstance(value, cst.Subscript):
            value = value.value
        elif m.matches(value, m.Call(func=m.Attribute())) and value.func.attr.value in _VIEWS:
            value = value.func.value
        else:
            return plain_name(value) if isinstance(value, (cst.Name, cst.Attribute)) else None


class _Order(cst.CSTVisitor):
    """The last value before a statement, and the names that are read after it."""

    def __init__(self, node: cst.AugAssign, name: str) -> None:
        super().__init__()
        self.node = node
        self.name = name
        self.value: cst.BaseExpression | None = None
        self.later: set[str] = set()
        self.passed = False

    def visit_Assign(self, node: cst.Assign) -> None:
        targets = [plain_name(t.target) for t in node.targets]
        if not self.passed and self.name in targets:
            self.value = node.value

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        if node is self.node:
            self.passed = True

    def visit_Name(self, node: cst.Name) -> None:
        if self.passed:
            self.later.add(node.value)

    def visit_Attribute(self, node: cst.Attribute) -> None:
        name = plain_name(node)
        if self.passed and name:
            self.later.add(name)
