"""Small pieces of syntax trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import bracketed, is_atomic

__all__ = [
    "Put",
    "broken_like",
    "comma_and_space",
    "keyword_arg",
    "reached",
    "requoted",
    "says_in_place",
]


class Put(cst.CSTTransformer):
    """Puts expressions for the names of a template."""

    def __init__(self, given: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self.given = given
        self.bare: dict[cst.CSTNode, cst.BaseExpression] = {}

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Any:
        node = self.given.get(original_node.value)
        if node is None:
            return updated_node
        if is_atomic(node):
            return node
        bracketed_node = bracketed(node)
        self.bare[bracketed_node] = node
        return bracketed_node

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> Any:
        bare = self.bare.get(updated_node.value)
        return updated_node if bare is None else updated_node.with_changes(value=bare)


def comma_and_space() -> cst.Comma:
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def keyword_arg(name: str, value: cst.BaseExpression, comma: Any = None) -> cst.Arg:
    tight = cst.SimpleWhitespace("")
    return cst.Arg(
        value,
        keyword=cst.Name(name),
        equal=cst.AssignEqual(whitespace_before=tight, whitespace_after=tight),
        comma=comma if comma is not None else cst.MaybeSentinel.DEFAULT,
    )


def broken_like(call: cst.Call, old: cst.Call) -> cst.Call:
    """setattr(...) over several lines where add_module(...) was."""
    if not isinstance(old.whitespace_before_args, cst.ParenthesizedWhitespace):
        return call
    if len(old.args) != 2 or not isinstance(old.args[0].comma, cst.Comma):
        return call
    args = list(call.args)
    between = old.args[0].comma
    args[0] = args[0].with_changes(comma=_plain_comma(between))
    args[1] = args[1].with_changes(comma=between)
    args[2] = args[2].with_changes(
        comma=old.args[1].comma, whitespace_after_arg=old.args[1].whitespace_after_arg
    )
    return call.with_changes(args=args, whitespace_before_args=old.whitespace_before_args)


def _plain_comma(comma: cst.Comma) -> cst.Comma:
    after = comma.whitespace_after
    if isinstance(after, cst.ParenthesizedWhitespace):
        line = after.first_line.with_changes(comment=None)
        after = after.with_changes(first_line=line, empty_lines=[])
    return comma.with_changes(whitespace_after=after)


def reached(node: cst.Attribute, path: str) -> cst.BaseExpression:
    """An attribute under another name, which may lead through other cells: ``1.weight``."""
    *through, last = path.split(".")
    value = node.value
    for part in through:
        if part.isidentifier():
            value = cst.Attribute(value, cst.Name(part))
        else:
            index = cst.SubscriptElement(cst.Index(cst.Integer(part)))
            value = cst.Subscript(value, [index])
    return node.with_changes(value=value, attr=cst.Name(last))


class _Requoted(cst.CSTTransformer):
    def __init__(self, quote: str) -> None:
        super().__init__()
        self.quote = quote
        self.other = "'" if quote == '"' else '"'

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.SimpleString:
        text = updated_node.evaluated_value
        if self.quote not in updated_node.value or not isinstance(text, str):
            return updated_node
        for sign in ("\\", self.quote, self.other):
            text = text.replace(sign, "")
        return cst.SimpleString(f"{self.other}{text}{self.other}")


def requoted(node: cst.FormattedString) -> cst.FormattedString:
    """A formatted text whose expressions do not hold its own quotes, which ended it before 3.12."""
    quote = node.start[-1]
    maker = _Requoted(quote)
    parts = [
        part.with_changes(expression=part.expression.visit(maker))
        if isinstance(part, cst.FormattedStringExpression)
        else part
        for part in node.parts
    ]
    return node.with_changes(parts=parts)


def says_in_place(call: cst.Call, at: int) -> bool:
    """Whether a call has ``inplace=True``, by its name or at its place."""
    for i, arg in enumerate(call.args):
        named = arg.keyword is not None and arg.keyword.value == "inplace"
        if named or (arg.keyword is None and not arg.star and i == at):
            return m.matches(arg.value, m.Name("True"))
    return False
