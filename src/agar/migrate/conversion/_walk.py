"""Walks over syntax trees that leave out the layout and make no node anew without a change.

NOTE Why not ``node.visit``. libcst's own visits go through every comma and every blank, and make
a copy of every node, even where nothing changes it: most of the time that a large file took.
Nothing here looks at a blank on its own. The order of the parts is libcst's, learned from one
visit.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, ParamSpec, TypeVar

import libcst as cst
import libcst.matchers as m
from libcst._nodes.internal import CodegenState
from libcst.metadata import ExpressionContext, ExpressionContextProvider, Scope
from libcst.metadata.expression_context_provider import ExpressionContextVisitor
from libcst.metadata.scope_provider import ScopeVisitor

__all__ = [
    "Rewriter", "code_of_tree", "findall", "forgets_parts", "lines_of", "nodes_in", "parents_of",
    "parts_of", "rewritten", "scopes_of",
]  # fmt: skip

#: what only says how a text looks
_LAYOUT = (
    cst.BaseParenthesizableWhitespace,
    cst.TrailingWhitespace,
    cst.EmptyLine,
    cst.Newline,
    cst.Comment,
    cst.Comma,
    cst.Semicolon,
    cst.Colon,
    cst.Dot,
    cst.AssignEqual,
    cst.LeftParen,
    cst.RightParen,
    cst.LeftSquareBracket,
    cst.RightSquareBracket,
    cst.LeftCurlyBrace,
    cst.RightCurlyBrace,
)
#: fields that hold nothing but layout
_BARE = frozenset(
    [
        "header", "footer", "leading_lines", "lines_after_decorators", "trailing_whitespace",
        "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma", "semicolon",
        "first_line", "last_line", "empty_lines", "newline", "comment", "indent",
    ]
)  # fmt: skip
#: the classes of nodes, each with a matcher of its name
_CLASSES = frozenset(n for n, c in vars(cst).items() if isinstance(c, type) and hasattr(m, n))
_Test = Callable[[Any], bool]
_P = ParamSpec("_P")
_R = TypeVar("_R")
_NEWLINE = re.compile(r"\r\n?|\n")
#: the fields of each class that may hold parts; None for what is no part
_FIELDS: dict[type, tuple[str, ...] | None] = {}
#: by the identity of a node, the node, so that nothing else gets its identity, and its parts
_PARTS: dict[int, tuple[cst.CSTNode, list[Any]]] = {}


class _Order(cst.CSTVisitor):
    """The fields of one node in the order in which libcst visits them."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: dict[str, None] = {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        return False

    def on_visit_attribute(self, node: cst.CSTNode, attribute: str) -> None:
        self.attributes[attribute] = None


def _fields_of(value: Any) -> tuple[str, ...] | None:
    kind = type(value)
    try:
        return _FIELDS[kind]
    except KeyError:
        pass
    names: tuple[str, ...] | None = None
    if isinstance(value, cst.CSTNode) and not isinstance(value, _LAYOUT):
        order = _Order()
        value._visit_and_replace_children(order)
        # libcst goes past some fields where they are empty
        every = [
            *order.attributes,
            *(f.name for f in fields(kind) if f.name not in order.attributes),
        ]
        names = tuple(n for n in every if n not in _BARE and not n.startswith("whitespace"))
    return _FIELDS.setdefault(kind, names)


def parts_of(node: cst.CSTNode) -> list[Any]:
    """The nodes that a node is made of, in the order of the text, without its layout.

    A node does not change, and each is asked a dozen times while a file is converted: the answers
    are kept until the function that `forgets_parts` ends.
    """
    known = _PARTS.get(id(node))
    if known is None:
        known = _PARTS[id(node)] = node, _find_parts(node)
    return known[1]


def forgets_parts(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """A function that lets go of the nodes that `parts_of` was asked about in it."""

    @functools.wraps(function)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        finally:
            _PARTS.clear()

    return run


def _find_parts(node: cst.CSTNode) -> list[Any]:
    parts: list[Any] = []
    for name in _fields_of(node) or ():
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple or kind is list:
            parts += [part for part in value if _fields_of(part) is not None]
        elif _fields_of(value) is not None:
            parts.append(value)
    return parts


def nodes_in(node: cst.CSTNode) -> Iterator[Any]:
    """A node and all that it is made of, in the order of the text, without the layout."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        left += reversed(parts_of(node))


def findall(node: cst.CSTNode, matcher: Any) -> list[Any]:
    """What matches in a node and in all that it is made of, as `libcst.matchers.findall`.

    It is several times as fast: the layout is left out, and only nodes of the matcher's classes are
    compared with it.
    """
    tests: dict[type, list[_Test]] = {}
    for option in _options_of(matcher):
        tests.setdefault(getattr(cst, type(option).__name__), []).append(_test_of(option))
    return [
        part
        for part in nodes_in(node)
        if type(part) in tests and any(test(part) for test in tests[type(part)])
    ]


def _options_of(matcher: Any) -> list[Any]:
    if isinstance(matcher, m.OneOf):
        return [one for option in matcher.options for one in _options_of(option)]
    return [matcher]


def _test_of(matcher: Any) -> _Test:
    """A matcher of one class as a function, for nodes of that class.

    libcst's own takes most of its time to find out what a matcher consists of.
    """
    tests: list[tuple[str, _Test]] = []
    for field in fields(matcher):
        expected = getattr(matcher, field.name)
        if isinstance(expected, m.DoNotCareSentinel):
            continue
        if isinstance(expected, str):
            tests.append((field.name, expected.__eq__))
        elif type(expected).__name__ in _CLASSES:
            tests.append((field.name, _of_class(expected)))
        else:
            return functools.partial(m.matches, matcher=matcher)
    return lambda node: all(test(getattr(node, name)) for name, test in tests)


def _of_class(matcher: Any) -> _Test:
    kind, test = getattr(cst, type(matcher).__name__), _test_of(matcher)
    return lambda value: type(value) is kind and test(value)


def parents_of(tree: cst.CSTNode) -> dict[cst.CSTNode, cst.CSTNode]:
    """The node around each node, without the layout."""
    return {part: node for node in nodes_in(tree) for part in parts_of(node)}


class Rewriter(cst.CSTTransformer):
    """A transformer that looks its methods up once a class of node, and not at each node."""

    def __init__(self) -> None:
        super().__init__()
        self._methods: dict[type, tuple[Any, Any]] = {}

    def _methods_of(self, kind: type) -> tuple[Any, Any]:
        methods = self._methods.get(kind)
        if methods is None:
            visit = getattr(self, f"visit_{kind.__name__}", None)
            methods = self._methods[kind] = visit, getattr(self, f"leave_{kind.__name__}", None)
        return methods

    def on_visit(self, node: cst.CSTNode) -> bool:
        visit = self._methods_of(type(node))[0]
        return visit is None or visit(node) is not False

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        leave = self._methods_of(type(original_node))[1]
        return updated_node if leave is None else leave(original_node, updated_node)


def rewritten(node: Any, transformer: cst.CSTTransformer) -> Any:
    """What a transformer makes of a tree; it is not asked about the layout.

    Nodes without a change are the same objects as before. Methods for single attributes
    (``visit_Call_func``) are not called.

    Raises:
        TypeError: a node is removed or replaced by several where its parent needs it.
    """
    if not transformer.on_visit(node):
        return transformer.on_leave(node, node)
    changes: dict[str, Any] = {}
    for name in _fields_of(node) or ():
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple or kind is list:
            items = _several(node, name, value, transformer)
            if items is not None:
                changes[name] = items
        elif _fields_of(value) is not None:
            new = rewritten(value, transformer)
            if new is not value:
                changes[name] = _one(node, name, new)
    return transformer.on_leave(node, node.with_changes(**changes) if changes else node)


def _one(node: cst.CSTNode, name: str, new: Any) -> Any:
    if isinstance(new, cst.FlattenSentinel):
        raise TypeError(f"{type(node).__name__}.{name} cannot be several nodes")
    if new is not cst.RemovalSentinel.REMOVE:
        return new
    default = next(f.default for f in fields(node) if f.name == name)
    if default is not None and not isinstance(default, cst.MaybeSentinel):
        raise TypeError(f"{type(node).__name__}.{name} cannot be removed")
    return default


def _several(
    node: cst.CSTNode, name: str, values: Any, transformer: cst.CSTTransformer
) -> tuple[Any, ...] | None:
    """The parts of a sequence after a rewrite; None where all are as they were."""
    items: list[Any] = []
    changed = False
    body = name == "body" and isinstance(node, (cst.Module, cst.IndentedBlock))
    for value in values:
        if _fields_of(value) is None:
            items.append(value)
            continue
        new = rewritten(value, transformer)
        if new is value:
            items.append(value)
            continue
        changed = True
        if new is cst.RemovalSentinel.REMOVE:
            continue
        for one in new if isinstance(new, cst.FlattenSentinel) else (new,):
            # a line whose statements are all gone goes too, so that its block gets its pass
            if body and not value._is_removable() and one._is_removable():
                continue
            items.append(one)
    return tuple(items) if changed else None


# ---------------------------------------------------------------------------- lines


@functools.lru_cache(maxsize=2)
def code_of_tree(tree: cst.Module) -> str:
    """A file's text, which several stages search one after the other."""
    return tree.code


class _Lines(CodegenState):
    """Writes a tree's text to nowhere and counts the lines."""

    def __init__(self, default_indent: str, default_newline: str) -> None:
        super().__init__(default_indent, default_newline)
        self.line = 1
        self.lines: dict[cst.CSTNode, int] = {}

    def add_indent_tokens(self) -> None:
        return

    def add_token(self, value: str) -> None:
        if "\n" in value or "\r" in value:
            self.line += len(_NEWLINE.findall(value))

    def pop_trailing_newline(self) -> None:
        return

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.lines[node] = self.line

    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Any:
        return _Line(self, node, start_node)


class _Line:
    """Keeps the line of a node, or that of its part where it begins."""

    __slots__ = ("begins", "node", "state")

    def __init__(self, state: _Lines, node: cst.CSTNode, begins: cst.CSTNode | None) -> None:
        self.state = state
        self.node = node
        self.begins = begins

    def __enter__(self) -> None:
        self.state.lines[self.node] = self.state.line

    def __exit__(self, *error: object) -> None:
        if self.begins is not None:
            self.state.lines[self.node] = self.state.lines[self.begins]


def lines_of(tree: cst.Module) -> dict[cst.CSTNode, int]:
    """The line where each node begins, as libcst's PositionProvider gives it."""
    state = _Lines(tree.default_indent, tree.default_newline)
    tree._codegen(state)
    return state.lines


# ---------------------------------------------------------------------------- scopes


class _Contexts(ExpressionContextVisitor):
    def on_visit(self, node: cst.CSTNode) -> bool:
        if super().on_visit(node):
            for part in parts_of(node):
                self.on_visit(part)
                self.on_leave(part)
        return False


class _Scopes(ScopeVisitor):
    def on_visit(self, node: cst.CSTNode) -> bool:
        if super().on_visit(node):
            for part in parts_of(node):
                self.on_visit(part)
                self.on_leave(part)
        return False


class _Metadata:
    """What libcst's visitors find, kept as a provider of libcst keeps it."""

    def __init__(self, contexts: dict[cst.CSTNode, ExpressionContext]) -> None:
        self.contexts = contexts
        self.values: dict[cst.CSTNode, Any] = {}

    def set_metadata(self, node: cst.CSTNode, value: Any) -> None:
        self.values[node] = value

    def get_metadata(self, key: Any, node: cst.CSTNode, default: Any = None) -> Any:
        assert key is ExpressionContextProvider
        return self.contexts.get(node, default)


def scopes_of(tree: cst.Module) -> dict[cst.CSTNode, Scope]:
    """The scope of each node, as libcst's ScopeProvider gives it, without the layout."""
    contexts = _Metadata({})
    tree.visit(_Contexts(contexts, ExpressionContext.LOAD))  # type: ignore[arg-type]
    metadata = _Metadata(contexts.values)
    visitor = _Scopes(metadata)  # type: ignore[arg-type]
    tree.visit(visitor)
    visitor.infer_accesses()
    return metadata.values
