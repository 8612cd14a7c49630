"""``dict.has_key`` in compiled functions, which MindSpore's compiler knows and Python 3 does not.

NOTE Rewriting. A function whose code names `has_key` is compiled again from its source, in which
``d.has_key(k)`` is ``k in d`` where `d` is a dict without such a method, and keeps its lines, its
closure and its identity. Where that is not certain (no source, several lambdas in a line, names
that a class mangles, builtins under other meanings) the function stays as it is, and its error says
what to write.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any

__all__ = ["give_has_key"]

_USED = ("isinstance", "dict", "hasattr")
_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag


def give_has_key(root: Any) -> None:
    """Let the code of a function, or of all cells in a cell, ask dicts for `has_key`."""
    walk = getattr(root, "cells_and_names", None)
    if walk is None:
        _rewrite(root)
        return
    for kind in {base for _, cell in walk() for base in type(cell).__mro__}:
        if not kind.__module__.startswith("agar."):
            _rewrite(vars(kind).get("construct"))


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _rewrite(function: Any) -> None:
    function = getattr(function, "__func__", function)
    if not isinstance(function, types.FunctionType):
        return
    code = function.__code__
    every = list(_codes(code))
    if not any("has_key" in c.co_names for c in every):
        return
    local = {name for c in every for name in (*c.co_varnames, *c.co_freevars, *c.co_cellvars)}
    if local.intersection(_USED) or not function.__globals__.keys().isdisjoint(_USED):
        return
    try:
        result = _compiled(function)
    except (OSError, SyntaxError, TypeError, ValueError):
        return
    same = (
        "co_freevars",
        "co_argcount",
        "co_kwonlyargcount",
        "co_posonlyargcount",
        "co_firstlineno",
    )
    if result is not None and all(getattr(result, n) == getattr(code, n) for n in same):
        function.__code__ = result


def _compiled(function: types.FunctionType) -> types.CodeType | None:
    """The code of a function from its source, with `has_key` of dicts."""
    code = function.__code__
    tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    is_lambda = code.co_name == "<lambda>"
    nodes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda if is_lambda else ast.FunctionDef)
        and (is_lambda or getattr(node, "name", "") == code.co_name)
    ]
    if not is_lambda:
        nodes = [node for node in nodes if node in tree.body]
    if len(nodes) != 1 or _is_mangled(nodes[0]):
        return None
    ast.increment_lineno(tree, code.co_firstlineno - 1)
    node: Any = nodes[0]
    present = _code_of(node, code)
    # a file that was changed since it was loaded, or code that another tool has rewritten
    if present is None or present.co_code != code.co_code or present.co_names != code.co_names:
        return None
    return _code_of(_HasKey().visit(node), code)


def _code_of(node: Any, code: types.CodeType) -> types.CodeType | None:
    """The code of a function's node, in place of this code."""
    factory: Any = ast.parse(f"def factory({', '.join(code.co_freevars)}): pass")
    factory.body[0].body = [ast.Expr(node) if isinstance(node, ast.Lambda) else node]
    module = compile(
        ast.fix_missing_locations(factory),
        code.co_filename,
        "exec",
        flags=code.co_flags & _FUTURE,
        dont_inherit=True,
    )
    result = next((c for c in _codes(module) if c.co_name == code.co_name), None)
    qualname = getattr(code, "co_qualname", None)
    if result is None:
        return None
    changes: dict[str, Any] = {"co_qualname": qualname} if qualname else {}  # from Python 3.11 on
    return result.replace(**changes)


def _is_mangled(tree: ast.AST) -> bool:
    """Whether a class would put its name into a name."""
    names = [
        getattr(node, "attr", getattr(node, "id", getattr(node, "arg", None)))
        for node in ast.walk(tree)
    ]
    return any(n is not None and n.startswith("__") and not n.endswith("__") for n in names)


class _HasKey(ast.NodeTransformer):
    def __init__(self) -> None:
        self._count = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if not (
            isinstance(function, ast.Attribute)
            and function.attr == "has_key"
            and len(node.args) == 1
            and not node.keywords
            and not isinstance(node.args[0], ast.Starred)
        ):
            return node
        self._count += 1
        name = f"_asked_{self._count}"
        pattern = f"(key in {name}) if isinstance(({name} := asked), dict) and "
        pattern += f"not hasattr({name}, 'has_key') else {name}.has_key(key)"
        parts = {"asked": function.value, "key": node.args[0]}
        result = ast.parse(pattern, mode="eval").body
        return ast.copy_location(_Fill(parts, node).visit(result), node)


class _Fill(ast.NodeTransformer):
    """Puts expressions in the place of names, and all at one line."""

    def __init__(self, parts: dict[str, ast.expr], at: ast.expr) -> None:
        self._parts = parts
        self._at = at

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name) and node.id in self._parts:
            return self._parts[node.id]
        self.generic_visit(node)
        return ast.copy_location(node, self._at) if hasattr(node, "lineno") else node
