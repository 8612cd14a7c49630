"""What is known of an argument, and conditions that may stay open.

A source text often gives an expression where a call gives a value. A condition of a rule is then
decided by what is known, or left open and taken for granted in words.
"""

from __future__ import annotations

import ast
import functools
import math
import types
from collections.abc import Callable, Mapping
from typing import Any

# the rules are about torch
import torch

from agar._core.tensor import Tensor

__all__ = ["TYPES", "RuleRefused", "Unknown", "assumed", "fits", "holds", "kind_by_name"]

#: What an argument may be said to be in a signature (``dim: int``); it chooses among overloads.
TYPES: dict[str, Callable[[Any], bool]] = {
    "int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "float": lambda v: isinstance(v, float),
    "number": lambda v: isinstance(v, (int, float, complex)) and not isinstance(v, bool),
    "bool": lambda v: isinstance(v, bool),
    "str": lambda v: isinstance(v, str),
    "tuple": lambda v: isinstance(v, (tuple, list)),
    "Tensor": lambda v: isinstance(v, (torch.Tensor, Tensor)),
    "dtype": lambda v: isinstance(v, torch.dtype),
    "device": lambda v: isinstance(v, (str, torch.device)),
    "None": lambda v: v is None,
}

_OPPOSITES = {
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class RuleRefused(Exception):
    """A call has no counterpart; the message says why and what to do."""


class Unknown:
    """An argument of which only the source text is known.

    Args:
        text (str): the expression, as it stands in the source.
        kind (str, optional): what it is, where that is known: a name of TYPES. Default: ``None``.
        source (str, optional): what stands in the source where `text` only stands for it.
            Default: ``None``, the text.
    """

    __slots__ = ("kind", "source", "text")

    def __init__(self, text: str, kind: str | None = None, source: str | None = None) -> None:
        self.text = text
        self.kind = kind
        self.source = text if source is None else source

    def __repr__(self) -> str:
        return self.text


def fits(value: Any, annotation: str) -> bool | None:
    """Whether an argument is of a type such as ``int | tuple``; None where that is not known."""
    types = [part.strip() for part in annotation.split("|")]
    if isinstance(value, Unknown):
        kind = value.kind or kind_by_name(value.text)
        return None if kind is None else kind in types or (kind == "int" and "number" in types)
    return any(TYPES[t](value) for t in types)


def _kind(value: Any) -> str | None:
    if isinstance(value, Unknown):
        return value.kind or kind_by_name(value.text)
    return None


def kind_by_name(text: str) -> str | None:
    """What an expression is that bears its kind in its name (``args.device``, ``x.dtype``)."""
    last = text.strip().rpartition(".")[2].lower()
    for kind in ("device", "dtype"):
        if last == kind or last.endswith(f"_{kind}"):
            return kind
    if last.startswith("device("):
        return "device"
    if text.strip().startswith(("(", "[")) and isinstance(_parsed(text), (ast.Tuple, ast.List)):
        return "tuple"
    return None


def holds(condition: str, values: Mapping[str, Any]) -> bool | None:
    """Whether a condition holds; None where the source does not say."""
    return _truth(_condition(condition), values)


@functools.cache
def _condition(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _truth(node: ast.expr, values: Mapping[str, Any]) -> bool | None:
    if isinstance(node, ast.BoolOp):
        decides = isinstance(node.op, ast.Or)  # one true part decides an `or`
        truths: list[bool | None] = []
        for part in node.values:
            truths.append(_truth(part, values))
            if truths[-1] is decides:
                return decides
        return None if None in truths else not decides
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inside = _truth(node.operand, values)
        return None if inside is None else not inside
    used, code = _compiled(node)
    if any(isinstance(values.get(n), Unknown) for n in used):
        return _by_kind(node, values)
    return bool(eval(code, {"torch": torch, "math": math}, dict(values)))


@functools.cache
def _compiled(node: ast.expr) -> tuple[tuple[str, ...], types.CodeType]:
    """The names that a part of a condition of the table uses, and its code."""
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return tuple(used), compile(ast.unparse(node), "<condition>", "eval")


def assumed(condition: str, values: Mapping[str, Any], holds: bool) -> str:
    """What is taken for granted of the arguments that the source does not give, as a condition."""
    node = _open_part(_condition(condition), values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, holds = node.operand, not holds
    if isinstance(node, (ast.Name, ast.Call)):
        return ast.unparse(node if holds else ast.UnaryOp(ast.Not(), node))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not holds:
        opposite = _OPPOSITES.get(type(node.ops[0]))
        if opposite is not None:
            return ast.unparse(ast.Compare(node.left, [opposite()], node.comparators))
    return ast.unparse(node) if holds else f"not ({ast.unparse(node)})"


def _open_part(node: ast.expr, values: Mapping[str, Any]) -> ast.expr:
    """A condition without the parts that are known and decide nothing."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return ast.UnaryOp(node.op, _open_part(node.operand, values))
    if not isinstance(node, ast.BoolOp):
        return node
    parts = [_open_part(p, values) for p in node.values if _truth(p, values) is None]
    return parts[0] if len(parts) == 1 else ast.BoolOp(node.op, parts)


def _by_kind(node: ast.expr, values: Mapping[str, Any]) -> bool | None:
    """``x is None``, ``isinstance(x, tuple)``, ``x == -y`` where values are not known."""
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        kind, right = _kind(values[node.left.id]), node.comparators[0]
        if kind is not None and isinstance(right, ast.Constant) and right.value is None:
            if isinstance(node.ops[0], ast.Is):
                return kind == "None"
            if isinstance(node.ops[0], ast.IsNot):
                return kind != "None"
        if isinstance(node.ops[0], ast.Eq) and _opposite(right, values[node.left.id], values):
            return True
    if (
        isinstance(node, ast.Call)
        and ast.unparse(node.func) == "isinstance"
        and isinstance(node.args[0], ast.Name)
    ):
        kind, types = _kind(values[node.args[0].id]), node.args[1]
        names = types.elts if isinstance(types, ast.Tuple) else [types]
        if kind is not None and all(isinstance(name, ast.Name) for name in names):
            return kind in [ast.unparse(name) for name in names]
    return None


def _opposite(node: ast.expr, value: Any, values: Mapping[str, Any]) -> bool:
    """Whether a condition's ``-y`` is what stands in the source for x: ``-bound``, ``bound``."""
    if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)):
        return False
    other = values.get(node.operand.id) if isinstance(node.operand, ast.Name) else None
    if not (isinstance(value, Unknown) and isinstance(other, Unknown)):
        return False
    first, second = (_parsed(v.source) for v in (value, other))
    negative: list[ast.expr] = [ast.UnaryOp(ast.USub(), second)]
    if isinstance(second, ast.BinOp) and isinstance(second.op, (ast.Mult, ast.Div)):
        negative.append(_parsed(f"-{other.source.strip()}"))  # -1 / n, of 1 / n
    return any(ast.dump(first) == ast.dump(form) for form in negative)


def _parsed(text: str) -> ast.expr:
    return ast.parse(f"({text.strip()}\n)", mode="eval").body
