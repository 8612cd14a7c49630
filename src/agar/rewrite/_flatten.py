"""Nested expressions as statements of their own, in the order in which Python evaluates them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agar.rewrite._values import Namer

__all__ = ["flattened", "operator_name"]

_OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mult",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmult",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "bitand",
    ast.BitOr: "bitor",
    ast.BitXor: "bitxor",
    ast.Not: "not",
    ast.USub: "usub",
    ast.UAdd: "uadd",
    ast.Invert: "invert",
    ast.And: "and",
    ast.Or: "or",
    ast.Eq: "eq",
    ast.NotEq: "noteq",
    ast.Lt: "lt",
    ast.LtE: "lte",
    ast.Gt: "gt",
    ast.GtE: "gte",
    ast.Is: "is",
    ast.IsNot: "isnot",
    ast.In: "in",
    ast.NotIn: "notin",
}
_SIMPLE = (ast.Constant, ast.Name, ast.Attribute)


def operator_name(operator: ast.AST) -> str:
    """What an operator is called in names of nodes and variables."""
    return _OPERATORS[type(operator)]


def called_name(func: ast.expr) -> str:
    """The last part of the name of what is called."""
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else "function"


def _variable(node: ast.expr) -> str | None:
    """What a variable for an expression is called; None for one that stays where it is."""
    if isinstance(node, ast.Call):
        return f"{called_name(node.func)}_var"
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return f"{operator_name(node.op)}_var"
    kinds = {ast.Compare: "compare", ast.Tuple: "tuple", ast.List: "list"}
    kinds[ast.Subscript] = "subscript"
    return f"{kinds[type(node)]}_var" if type(node) in kinds else None


def _operands(node: ast.expr) -> Iterator[tuple[ast.AST, str, int | None]]:
    """The places of operands that are evaluated in any case, in order."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, _SIMPLE):
            yield node.func, "value", None
        elif not isinstance(node.func, _SIMPLE):
            yield node, "func", None
        for i in range(len(node.args)):
            yield node, "args", i
        for keyword in node.keywords:
            yield keyword, "value", None
    elif isinstance(node, ast.BinOp):
        yield node, "left", None
        yield node, "right", None
    elif isinstance(node, ast.UnaryOp):
        yield node, "operand", None
    elif isinstance(node, ast.BoolOp):
        yield node, "values", 0  # the others only if this one does not decide
    elif isinstance(node, ast.Compare):
        yield node, "left", None
        yield node, "comparators", 0
    elif isinstance(node, (ast.Tuple, ast.List)):
        for i in range(len(node.elts)):
            yield node, "elts", i
    elif isinstance(node, ast.Subscript):
        yield node, "value", None


def _get(place: tuple[ast.AST, str, int | None]) -> ast.expr:
    owner, field, index = place
    content = getattr(owner, field)
    return content if index is None else content[index]


def _set(place: tuple[ast.AST, str, int | None], value: ast.expr) -> None:
    owner, field, index = place
    if index is None:
        setattr(owner, field, value)
    else:
        getattr(owner, field)[index] = value


def _pure(node: ast.expr) -> bool:
    """Whether an expression does nothing but read names and constants."""
    if isinstance(node, _SIMPLE):
        return not isinstance(node, ast.Attribute) or _pure(node.value)
    return isinstance(node, ast.Lambda)


def _binds(node: ast.AST) -> bool:
    """Whether an expression does what a statement of its own would not do in the same place."""
    kinds = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    return any(isinstance(part, kinds) for part in ast.walk(node))


def _inside(node: ast.expr, namer: Namer) -> list[ast.stmt]:
    """The statements that an expression needs before it; its operands are then names."""
    before: list[ast.stmt] = []
    attributes: list[tuple[ast.AST, str, int | None]] = []
    for place in _operands(node):
        operand = _get(place)
        name = _variable(operand)
        if name is None:
            if not _pure(operand):
                break  # what follows must not be evaluated before this
            if isinstance(operand, ast.Attribute):
                attributes.append(place)
            continue
        if any(isinstance(part, ast.Call) for part in ast.walk(operand)):
            before += [_named(each, namer) for each in attributes]  # the call may change them
            attributes.clear()
        name = namer.free(name)
        before += _inside(operand, namer)
        before.append(ast.Assign([ast.Name(name, ast.Store())], operand))
        _set(place, ast.Name(name, ast.Load()))
    return before


def _named(place: tuple[ast.AST, str, int | None], namer: Namer) -> ast.stmt:
    """Give an attribute a name; the assignment reads it."""
    attribute = _get(place)
    assert isinstance(attribute, ast.Attribute)
    name = namer.free(f"{attribute.attr}_var")
    _set(place, ast.Name(name, ast.Load()))
    return ast.Assign([ast.Name(name, ast.Store())], attribute)


def flattened(statement: ast.stmt, namer: Namer) -> list[ast.stmt]:
    """A statement, after those that compute the parts of its expression."""
    field = {ast.Assign: "value", ast.Return: "value", ast.If: "test", ast.For: "iter"}.get(
        type(statement)
    )
    expression: ast.expr | None = getattr(statement, field) if field else None
    if expression is None or _binds(expression):
        return [statement]
    if isinstance(statement, ast.Assign):
        return [*_inside(expression, namer), statement]
    name = _variable(expression)
    if name is None:
        return [statement]
    name = namer.free(name)
    before = _inside(expression, namer)
    before.append(ast.Assign([ast.Name(name, ast.Store())], expression))
    setattr(statement, str(field), ast.Name(name, ast.Load()))
    return [*before, statement]
