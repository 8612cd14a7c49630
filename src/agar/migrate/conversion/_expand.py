"""One call of PyTorch becomes one of agar's: rules give the text, the tree keeps its layout."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from agar.migrate.conversion._project import torch_object
from agar.migrate.conversion._walk import Rewriter, rewritten
from agar.migrate.rules import Rule, RuleRefused, Unknown
from agar.migrate.rules._conditions import kind_by_name
from agar.migrate.rules._template import is_carried, namespace

__all__ = ["NAMESPACES", "Expanded", "code_of", "expand", "is_atomic", "literal"]

#: names that templates use, and the import that binds each
NAMESPACES = {
    "ms": "",
    "nn": "nn",
    "ops": "ops",
    "mint": "mint",
    "Tensor": "Tensor",
    "np": "numpy",
    "math": "math",
}

#: what templates write from there is imported by its own name
_INITIALIZERS = "ms.common.initializer."

_PLACE = "_agar_{}_"
_PLACES = re.compile(r"_agar_\d+_")
_MODULE = cst.Module([])
_NOWHERE = contextlib.nullcontext()
#: nodes whose text they hold themselves
_WORDS = (cst.Name, cst.Integer, cst.Float, cst.SimpleString)
#: nodes that are no literal, whatever is in them
_NO_LITERALS = (cst.Attribute, cst.Subscript, cst.Comparison, cst.Lambda, cst.BaseComp)


class _Text(CodegenState):
    """Writes a text without the positions of its parts, which take half of the time."""

    def record_syntactic_position(self, node: cst.CSTNode, **ends: Any) -> Any:
        return _NOWHERE


def code_of(node: cst.CSTNode) -> str:
    """The text of a node."""
    if isinstance(node, _WORDS) and not node.lpar:
        return node.value  # most of what is asked for
    return _written(node)


@functools.lru_cache(4096)  # each node is asked for about twice
def _written(node: cst.CSTNode) -> str:
    state = _Text(_MODULE.default_indent, _MODULE.default_newline)
    node._codegen(state)
    return "".join(state.tokens)


def literal(node: cst.BaseExpression) -> tuple[bool, Any]:
    """Whether an expression is a literal, and its value."""
    if isinstance(node, _NO_LITERALS):
        return False, None
    if isinstance(node, cst.Name) and node.value not in ("True", "False", "None"):
        return False, None
    # set() is the only call that is a literal
    if isinstance(node, cst.Call) and (node.args or not isinstance(node.func, cst.Name)):
        return False, None
    try:
        return True, ast.literal_eval(code_of(node).strip())
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return False, None


def is_atomic(node: cst.BaseExpression) -> bool:
    """Whether an expression needs no brackets anywhere."""
    if node.lpar:
        return True
    return isinstance(
        node,
        (
            cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float,
            cst.SimpleString, cst.FormattedString, cst.List, cst.Dict, cst.Set, cst.ListComp,
            cst.DictComp, cst.SetComp, cst.Ellipsis,
        ),
    )  # fmt: skip


def bracketed(node: Any) -> Any:
    """The expression in round brackets."""
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


@dataclass
class Expanded:
    """What a call became.

    Attributes:
        node: the expression.
        notes: what the reader should know.
        assumptions: what was taken for granted.
        status: same, renamed or differs.
        used: namespaces that it needs.
        doubts: what is marked in the written file.
        left_out: arguments without a place in it, which the source does not decide.
    """

    node: cst.BaseExpression
    notes: tuple[str, ...]
    assumptions: tuple[str, ...]
    status: str
    used: frozenset[str]
    doubts: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def expand(
    rule: Rule,
    arguments: Sequence[cst.Arg],
    originals: Sequence[cst.Arg],
    kind_of: Callable[[cst.CSTNode], str | None],
    dtype_of: Callable[[cst.CSTNode], str | None],
    aliases: Mapping[str, Any],
    layout: cst.Call | None = None,
    receiver: cst.BaseExpression | None = None,
) -> Expanded:
    """The counterpart of a call.

    Args:
        rule: the row.
        arguments: the call's arguments with their own calls converted.
        originals: the same arguments as they stood.
        kind_of: what an original expression is, by a name of the rules' types.
        dtype_of: PyTorch's name of a dtype that an original expression stands for.
        aliases: names to write instead of the templates' (``ops`` where the file has its own);
            under ``taken`` those that the file binds itself.
        layout: the call whose line breaks and comments are kept.
        receiver: what a method is called on.

    Raises:
        RuleRefused: there is no counterpart.
    """
    if rule.source == "torch.einsum":
        arguments, originals = _one_by_one(arguments), _one_by_one(originals)
    maker = _Expansion(rule, kind_of, dtype_of, aliases)
    return maker.make(arguments, originals, layout, receiver)


def _one_by_one(arguments: Sequence[cst.Arg]) -> Sequence[cst.Arg]:
    """Operands that are given in a list, as arguments of their own."""
    last = arguments[-1].value
    if len(arguments) != 2 or not isinstance(last, (cst.List, cst.Tuple)):
        return arguments
    if not all(isinstance(e, cst.Element) for e in last.elements):
        return arguments
    return [arguments[0], *(cst.Arg(e.value) for e in last.elements)]


class _Expansion:
    def __init__(
        self,
        rule: Rule,
        kind_of: Callable[[cst.CSTNode], str | None],
        dtype_of: Callable[[cst.CSTNode], str | None],
        aliases: Mapping[str, Any],
    ) -> None:
        self.rule = rule
        self.kind_of = kind_of
        self.dtype_of = dtype_of
        self.aliases = aliases
        self.places: dict[str, cst.BaseExpression] = {}
        self.stars: set[str] = set()

    def make(
        self,
        arguments: Sequence[cst.Arg],
        originals: Sequence[cst.Arg],
        layout: cst.Call | None,
        receiver: cst.BaseExpression | None,
    ) -> Expanded:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        if receiver is not None:
            args.append(Unknown(self._place(receiver), "Tensor"))
        for arg, original in zip(arguments, originals, strict=True):
            if arg.star == "**":
                raise RuleRefused(
                    f"{self.rule.source} is called with **{code_of(arg.value)}, and which "
                    "arguments these are is not in the source; write them one by one"
                )
            value = self._value(arg, original)
            if arg.keyword is not None:
                kwargs[arg.keyword.value] = value
            else:
                args.append(value)
        if self.stars:
            self._check_stars(args)
        expansion = self.rule.expand(args, kwargs)
        code = expansion.code
        node = _parsed(code)
        filler = _Fill(self.places, self.stars, self.aliases)
        filled = rewritten(node, self._once(code, filler))
        if not isinstance(filled, cst.BaseExpression):
            raise TypeError(f"{self.rule.source} became {type(filled).__name__}")
        filled = self._wrap_repeated(filled, code)
        if receiver is not None and isinstance(filled, cst.Call):
            owner = "nn.Cell" if self.rule.source.startswith("torch.nn.Module.") else "Tensor"
            filled = _trimmed(filled, arguments, owner)
        if layout is not None and isinstance(filled, cst.Call):
            filled = _laid_out(filled, arguments, layout)
        status = self._status(code, args, kwargs, receiver is not None)
        used = frozenset(filler.used)
        return Expanded(
            filled,
            expansion.notes,
            expansion.assumptions,
            status,
            used,
            expansion.doubts,
            expansion.left_out,
        )

    def _place(self, node: cst.BaseExpression, star: bool = False) -> str:
        name = _PLACE.format(len(self.places))
        self.places[name] = node
        if star:
            self.stars.add(name)
        return name

    def _value(self, arg: cst.Arg, original: cst.Arg) -> Any:
        if arg.star == "*":
            return Unknown(self._place(arg.value, star=True))
        dtype = self.dtype_of(original.value)
        if dtype is not None:
            return torch_object(dtype)
        is_literal, value = literal(original.value)
        if is_literal and not isinstance(value, (bytes, set, dict, complex)):
            return value
        source = code_of(original.value)
        kind = self.kind_of(original.value) or kind_by_name(source)
        return Unknown(self._place(arg.value), kind, source)

    def _check_stars(self, args: Sequence[Any]) -> None:
        fits = False
        for row in (self.rule, *self.rule.others):
            kinds = [p.kind for p in row.signature.parameters.values()]
            var = [i for i, k in enumerate(kinds) if k is k.VAR_POSITIONAL]
            starred = [
                i for i, a in enumerate(args) if isinstance(a, Unknown) and a.text in self.stars
            ]
            fits |= bool(var) and min(starred) >= var[0]
        if not fits:
            raise RuleRefused(
                f"{self.rule.source} is called with *arguments, and which these are is not in the "
                "source; write them one by one"
            )

    def _repeated(self, code: str) -> list[str]:
        holes = _PLACES.findall(code)
        return [
            name
            for name in dict.fromkeys(holes)
            if holes.count(name) > 1 and _has_call(self.places[name])
        ]

    def _once(self, code: str, filler: _Fill) -> _Fill:
        # what is written twice and calls something is computed once: a lambda takes its value
        filler.variables = {name: f"v{i}" for i, name in enumerate(self._repeated(code))}
        return filler

    def _wrap_repeated(self, node: cst.BaseExpression, code: str) -> cst.BaseExpression:
        names = self._repeated(code)
        if not names:
            return node
        params = ", ".join(f"v{i}" for i in range(len(names)))
        call = cst.parse_expression(f"(lambda {params}: 0)()")
        assert isinstance(call, cst.Call)
        func = call.func.with_changes(body=node)
        args = [cst.Arg(self.places[n]) for n in names]
        for i in range(len(args) - 1):
            args[i] = args[i].with_changes(
                comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            )
        return call.with_changes(func=func, args=args)

    def _status(
        self, code: str, args: Sequence[Any], kwargs: Mapping[str, Any], method: bool
    ) -> str:
        tree = ast.parse(code, mode="eval").body
        if not isinstance(tree, ast.Call):
            return "differs"
        keywords = {k: v for k, v in kwargs.items() if k not in self.rule.ignore}
        given = [repr(a) for a in (args[1:] if method else args)]
        given += [f"{k}={v!r}" for k, v in keywords.items()]
        arguments = [ast.unparse(a) for a in tree.args]
        arguments += [f"{k.arg}={ast.unparse(k.value)}" for k in tree.keywords]
        name = ast.unparse(tree.func).rpartition(".")[2]
        if given != arguments or self.rule.differs:
            return "differs"
        return "same" if name == self.rule.name else "renamed"


#: Conditions as arguments that are longer stand in brackets, as formatters write what they break.
_CONDITION = 50


@functools.lru_cache(1024)
def _parsed(code: str) -> cst.BaseExpression:
    """The tree of a text, which is not to stand in another tree: `_Fill` makes its nodes anew."""
    return cst.parse_expression(code)


class _Fill(Rewriter):
    """Puts the arguments into the text of a template."""

    def __init__(
        self,
        places: Mapping[str, cst.BaseExpression],
        stars: set[str],
        aliases: Mapping[str, Any],
    ) -> None:
        super().__init__()
        self.places = places
        self.stars = stars
        self.aliases = aliases
        self.used: set[str] = set()
        self.variables: dict[str, str] = {}
        self._placed: set[str] = set()
        self.bare: dict[cst.CSTNode, cst.BaseExpression] = {}

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        node = super().on_leave(original_node, updated_node)
        # a node has one place, and the template's tree is used again
        return node.with_changes() if node is original_node else node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Any:
        name = original_node.value
        if name in self.variables:
            return updated_node.with_changes(value=self.variables[name])
        if name in self.places:
            node = self.places[name]
            node = node.deep_clone() if name in self._placed else node
            self._placed.add(name)
            if is_atomic(node):
                return node
            wrapped = bracketed(node)
            self.bare[wrapped] = node
            return wrapped
        if name in NAMESPACES:
            self.used.add(name)
            return updated_node.with_changes(value=self.aliases.get(name, name))
        if is_carried(name):
            self.used.add(name)
        return updated_node

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> Any:
        name = original_node.attr.value
        if name not in self.aliases.get("taken", ()) and code_of(original_node) == (
            _INITIALIZERS + name
        ):
            self.used.add(_INITIALIZERS + name)
            return cst.Name(name)
        if original_node.attr.value in NAMESPACES:
            return updated_node.with_changes(attr=original_node.attr)
        return updated_node

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> Any:
        changes: dict[str, Any] = {"keyword": original_node.keyword}
        if isinstance(original_node.value, cst.Name) and original_node.value.value in self.stars:
            changes["star"] = "*"
        bare = self.bare.get(updated_node.value)
        if bare is not None and not isinstance(bare, (cst.GeneratorExp, cst.Tuple, cst.Yield)):
            changes["value"] = bare
        value = changes.get("value", updated_node.value)
        if isinstance(value, cst.IfExp) and not value.lpar and len(code_of(value)) > _CONDITION:
            changes["value"] = bracketed(value)
        return updated_node.with_changes(**changes)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Any:
        """``tuple(x for x in y)``: the table's texts have it in brackets of its own."""
        if len(updated_node.args) != 1 or updated_node.args[0].keyword is not None:
            return updated_node
        argument = updated_node.args[0]
        if not isinstance(argument.value, cst.GeneratorExp) or len(argument.value.lpar) != 1:
            return updated_node
        bare = argument.value.with_changes(lpar=(), rpar=())
        return updated_node.with_changes(args=[argument.with_changes(value=bare)])

    def leave_Element(self, original_node: cst.Element, updated_node: cst.Element) -> Any:
        bare = self.bare.get(updated_node.value)
        if bare is None or isinstance(bare, (cst.GeneratorExp, cst.Tuple, cst.Yield)):
            return updated_node
        return updated_node.with_changes(value=bare)


def _has_call(node: cst.CSTNode) -> bool:
    if isinstance(node, (cst.Call, cst.Await, cst.NamedExpr)):
        return True
    return any(_has_call(child) for child in node.children)


def _breaks(whitespace: Any) -> bool:
    return isinstance(whitespace, cst.ParenthesizedWhitespace)


def _laid_out(call: cst.Call, arguments: Sequence[cst.Arg], layout: cst.Call) -> cst.Call:
    """The new call with the literals, the line breaks and the comments of the old one."""
    rest = list(arguments)
    pairs: list[cst.Arg | None] = []
    args = []
    for arg in call.args:
        match = _same_value(arg, rest)
        if match is not None:
            rest.remove(match)
            arg = arg.with_changes(value=match.value)
            if arg.keyword is not None:
                spaced = match.equal if match.keyword is not None else None
                arg = arg.with_changes(equal=spaced) if spaced is not None else arg
        pairs.append(match)
        args.append(arg)
    args = _with_keywords(call, args, pairs)
    broken = _breaks(layout.whitespace_before_args) or any(
        isinstance(a.comma, cst.Comma) and _breaks(a.comma.whitespace_after) for a in arguments
    )
    if not broken or not args:
        return call.with_changes(args=args)
    usual = next(
        (
            a.comma
            for a in arguments
            if isinstance(a.comma, cst.Comma) and _breaks(a.comma.whitespace_after)
        ),
        cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")),
    )
    plain = _without_comment(usual)
    out = []
    for i, (arg, match) in enumerate(zip(args, pairs, strict=True)):
        last = i == len(args) - 1
        old = match.comma if match is not None and isinstance(match.comma, cst.Comma) else None
        final = arguments[-1] if arguments else None
        if last:
            arg = arg.with_changes(
                comma=final.comma if final is not None else cst.MaybeSentinel.DEFAULT,
                whitespace_after_arg=(
                    final.whitespace_after_arg if final is not None else cst.SimpleWhitespace("")
                ),
            )
        else:
            keep = old is not None and match is not final
            arg = arg.with_changes(comma=old if keep else plain)
        out.append(arg)
    return call.with_changes(args=out, whitespace_before_args=layout.whitespace_before_args)


def _trimmed(call: cst.Call, arguments: Sequence[cst.Arg], owner: str) -> cst.Call:
    """A method's call without the values at its end that it takes by itself."""
    if not isinstance(call.func, cst.Attribute):
        return call
    defaults = _defaults(f"{owner}.{call.func.attr.value}")
    given = [code_of(a.value) for a in arguments]
    args = list(call.args)
    while args:
        last = args[-1]
        known, value = literal(last.value)
        at = last.keyword.value if last.keyword is not None else len(args)
        default = defaults.get(at, inspect.Parameter.empty)
        if last.star or not known or code_of(last.value) in given:
            break
        if type(default) is not type(value) or default != value:
            break
        args.pop()
    if args and len(args) < len(call.args):
        args[-1] = args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return call.with_changes(args=args)


@functools.cache
def _defaults(method: str) -> dict[int | str, Any]:
    """The defaults of a method by name and by position; the first is the receiver."""
    target: Any = namespace()
    for part in method.split("."):
        target = target.get(part) if isinstance(target, Mapping) else getattr(target, part, None)
    if not callable(target):
        return {}
    try:
        params = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return {}
    out: dict[int | str, Any] = {}
    for i, param in enumerate(params):
        if param.default is not param.empty:
            out[i] = out[param.name] = param.default
    return out


def _with_keywords(
    call: cst.Call, args: list[cst.Arg], pairs: Sequence[cst.Arg | None]
) -> list[cst.Arg]:
    """Arguments that were given by name stay so, under the counterpart's name."""
    names = _parameter_names(code_of(call.func))
    out = list(args)
    for i in reversed(range(len(args))):
        if out[i].keyword is not None:
            continue
        match = pairs[i]
        if match is None or match.keyword is None or i >= len(names) or out[i].star:
            break
        out[i] = out[i].with_changes(keyword=cst.Name(names[i]), equal=match.equal)
    return out


@functools.cache
def _parameter_names(function: str) -> tuple[str, ...]:
    """The names by which a function of agar takes its positional arguments."""
    head, *rest = function.split(".")
    target = namespace().get(head.removeprefix("ms_"))
    for part in rest:
        target = getattr(target, part, None)
    if not callable(target):
        return ()
    try:
        params = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return ()
    return tuple(p.name for p in params if p.kind is p.POSITIONAL_OR_KEYWORD)


def _without_comment(comma: cst.Comma) -> cst.Comma:
    after = comma.whitespace_after
    if isinstance(after, cst.ParenthesizedWhitespace):
        line = after.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
        return comma.with_changes(
            whitespace_after=after.with_changes(first_line=line, empty_lines=[])
        )
    return comma


def _same_value(arg: cst.Arg, candidates: Sequence[cst.Arg]) -> cst.Arg | None:
    """The old argument that a new one is: the same expression, or a literal of the same value."""
    text = code_of(arg.value)
    is_literal, value = literal(arg.value)
    keyword = arg.keyword.value if arg.keyword is not None else None
    matches = []
    for old in candidates:
        if old.star != arg.star:
            continue
        if code_of(old.value) == text:
            matches.append(old)
        elif is_literal:
            old_literal, old_value = literal(old.value)
            if old_literal and type(old_value) is type(value) and old_value == value:
                matches.append(old)
    if not matches:
        return None
    named = [o for o in matches if o.keyword is not None and o.keyword.value == keyword]
    return (named or matches)[0]
