"""In-place arithmetic on tensors that have another name.

``b = a; b += 1`` changes `a` in PyTorch, and binds `b` anew in MindSpore.
"""

from __future__ import annotations

from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._names import plain_name

__all__ = ["BINARY", "other_name"]

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
    if not isinstance(node.target, cst.Name):
        return None
    name = node.target.value
    order = _Order(node, name)
    function.body.visit(order)
    base = _shared(order.value)
    if base is None or base == name or base not in order.later:
        return None
    return base


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
