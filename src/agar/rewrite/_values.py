"""Expressions of Python as values, and back; names that are not taken yet."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from agar.rewrite.api.scoped_value import ScopedValue, ValueType

__all__ = ["Namer", "to_expression", "to_value"]


class Namer:
    """Gives names that it has not given before."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, name: str) -> None:
        """Note that a name is used."""
        self._taken.add(name)

    def free(self, name: str) -> str:
        """The name itself, or with the first number that makes it new; it is taken then."""
        candidate, number = name, 0
        while candidate in self._taken:
            number += 1
            candidate = f"{name}_{number}"
        self._taken.add(candidate)
        return candidate


def _scope_of(node: ast.expr) -> str | None:
    """The dotted text of a chain of attributes."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        scope = _scope_of(node.value)
        return None if scope is None else f"{scope}.{node.attr}"
    return None


def to_value(node: ast.expr) -> ScopedValue:
    """An expression as a value."""
    if isinstance(node, ast.Constant) and isinstance(
        node.value, (int, float, str, bool, type(None))
    ):
        return ScopedValue(ValueType.ConstantValue, "", node.value)
    if isinstance(node, ast.Name):
        return ScopedValue(ValueType.NamingValue, "", node.id)
    if isinstance(node, ast.Attribute):
        scope = _scope_of(node.value)
        if scope is not None:
            return ScopedValue(ValueType.NamingValue, scope, node.attr)
    if isinstance(node, ast.Tuple):
        return ScopedValue(ValueType.TupleValue, "", tuple(map(to_value, node.elts)))
    if isinstance(node, ast.List):
        return ScopedValue(ValueType.ListValue, "", list(map(to_value, node.elts)))
    return ScopedValue(ValueType.UnsupportedValue, "", node)


def to_expression(value: ScopedValue, keep: Callable[[Any], ast.expr]) -> ast.expr:
    """A value as an expression; `keep` gives that of an object without text."""
    kind, content = value.type, value.value
    if kind is ValueType.NamingValue:
        return ast.parse(str(value), mode="eval").body
    if kind is ValueType.ConstantValue:
        return ast.Constant(content)
    if kind is ValueType.TupleValue:
        return ast.Tuple([to_expression(v, keep) for v in content], ast.Load())
    if kind is ValueType.ListValue:
        return ast.List([to_expression(v, keep) for v in content], ast.Load())
    if kind is ValueType.DictValue:
        pairs = [(to_expression(k, keep), to_expression(v, keep)) for k, v in content.items()]
        return ast.Dict([k for k, _ in pairs], [v for _, v in pairs])
    if kind is ValueType.CustomObjValue:
        return keep(content)
    return content
