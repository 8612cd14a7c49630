"""Templates: code with holes for the arguments of PyTorch.

NOTE Templates. The counterpart of a call is written as code with the parameters of PyTorch's
signature in braces::

    nn.BatchNorm1d({num_features}, eps={eps}, momentum=1 - {momentum}, affine={affine})

A keyword argument whose parameters the call did not give, all with the value that agar takes by
itself, is left out; the other defaults of PyTorch are written. What can be computed is computed
(``1 - 0.1`` is written ``0.9``). ``{*size}`` is the rest of the arguments; a keyword argument
``dtype={dtype?}`` is written only where the call gives it, and not None. A template may use
``ms``, ``nn``, ``ops``, ``mint``, ``np``, ``math``, the cells of carried.py, and Python's own
functions, and nothing that MindSpore 2.10 does not have, unless the rule says ``agar_only``.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

# the rules are about torch
import torch

from agar._core.tensor import Tensor, wrap
from agar.migrate.rules._conditions import RuleRefused, Unknown

if TYPE_CHECKING:
    from agar.migrate.rules._rule import Rule

__all__ = ["Writer", "default_of", "is_carried", "namespace", "plain_template", "same", "target_of"]

#: Tensors with more elements are not written into code.
_WRITTEN = 64

_HOLE = re.compile(r"\{(\*?)(\w+)(\??)\}")

_MARK = "_hole_"

_OPTIONAL = "_optional_"


class Writer:
    """The text of a template with its holes filled."""

    def __init__(
        self, rule: Rule, given: dict[str, Any], template: str, evaluate: bool = False
    ) -> None:
        self.rule = rule
        self.given = given
        self.all = rule.with_defaults(given)
        self.evaluate = evaluate
        #: values that have no text of their own, by the name that stands for them
        self.values: dict[str, Any] = {}
        self.template = _plain(template)

    def text(self) -> str:
        tree = ast.parse(self.template, mode="eval").body
        once = self._named_once(_holes(tree))
        tree = self._fill(tree, argument=True)
        text = ast.unparse(ast.fix_missing_locations(tree))
        if once:
            text = f"(lambda {', '.join(once)}: {text})({', '.join(once.values())})"
        return text

    def _named_once(self, holes: list[str]) -> dict[str, str]:
        """Names for what the template needs twice and what must be computed once."""
        once: dict[str, str] = {}
        for name in dict.fromkeys(holes):
            value = self.all.get(name)
            if holes.count(name) > 1 and isinstance(value, Unknown) and not _is_cheap(value.text):
                key = "x" if name in ("self", "input") else f"{name}_"
                once[key] = value.text
                self.all[name] = Unknown(key, value.kind)
        return once

    def _fill(self, node: Any, argument: bool = False) -> Any:
        if isinstance(node, ast.Name) and node.id.startswith(_MARK):
            return self._hole(node.id[len(_MARK) :])
        if isinstance(node, ast.Call):
            # the name is read first: filled, {self}.sum is only an expression's sum
            function = ast.unparse(node.func)
            node.func = self._fill(node.func)
            node.args = [filled for arg in node.args for filled in self._argument(arg)]
            node.keywords = [k for k in node.keywords if not self._left_out(function, k)]
            for keyword in node.keywords:
                if isinstance(keyword.value, ast.Name) and keyword.value.id.startswith(_OPTIONAL):
                    keyword.value.id = _MARK + keyword.value.id[len(_OPTIONAL) :]
                keyword.value = self._fold(keyword.value)
            return node
        return self._fold(node, children=True)

    def _argument(self, arg: ast.expr) -> list[ast.expr]:
        if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Name):
            name = arg.value.id.removeprefix(_MARK)
            if name != arg.value.id:
                value = self.all.get(name, ())
                if isinstance(value, Unknown):
                    return [ast.Starred(_expression(value.text), ast.Load())]
                return [self._literal(v) for v in value]
        return [self._fold(arg)]

    def _fold(self, node: Any, children: bool = False) -> Any:
        """Fill the holes of an expression, and compute it where all is known."""
        names = _holes(node)
        known = names and all(n in self.all and _is_plain(self.all[n]) for n in names)
        whole = isinstance(node, ast.expr) and not isinstance(
            node, (ast.Name, ast.Slice, ast.Starred)
        )
        if known and whole:
            code = ast.unparse(node)
            values = {_MARK + n: self.all[n] for n in names}
            try:
                value = eval(code, {"math": math, "__builtins__": builtins}, values)
            except NameError:
                pass  # the expression calls ms, nn or ops: it stays code
            except (AttributeError, IndexError, TypeError, ValueError) as error:
                # None for what is a number, a name for what is a tuple
                raise RuleRefused(f"{self.rule.source} does not take these: {error}") from None
            else:
                if _is_plain(value):
                    # 1 - 0.9 is meant to be 0.1
                    exact = float(f"{value:.12g}") if type(value) is float else value
                    return self._literal(exact)
        if isinstance(node, (ast.Name, ast.Call)) and not children:
            return self._fill(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(node, name, self._inside(value))
            elif isinstance(value, list):
                items: list[Any] = []
                for item in value:
                    if isinstance(item, ast.Starred):
                        items += self._argument(item)
                    else:
                        items.append(self._inside(item) if isinstance(item, ast.AST) else item)
                setattr(node, name, items)
        return _element(node)

    def _inside(self, node: Any) -> Any:
        if isinstance(node, ast.expr):
            return self._fill(node)
        if isinstance(node, ast.comprehension):
            return self._fold(node, children=True)
        return node

    def _hole(self, name: str) -> ast.expr:
        if name not in self.all:
            raise RuleRefused(f"{self.rule.source} needs {name!r}")
        return self._literal(self.all[name])

    def _literal(self, value: Any) -> ast.expr:
        text = _literal_text(value)
        if text is not None:
            return _expression(text)
        if isinstance(value, (torch.nn.Module, torch.Tensor)) or callable(value):
            return self._counterpart(value)
        if type(value) in (list, tuple):
            make = ast.List if type(value) is list else ast.Tuple
            return make([self._literal(v) for v in value], ast.Load())
        if type(value) is dict:
            return ast.Dict(
                [self._literal(k) for k in value], [*map(self._literal, value.values())]
            )
        if not self.evaluate:
            raise RuleRefused(
                f"{self.rule.source}: the value {value!r:.80} cannot be written as code"
            )
        return self._named(value)

    def _counterpart(self, value: Any) -> ast.expr:
        """A module, tensor or function of PyTorch among the arguments, as agar's."""
        from agar.migrate.rules import find  # the table reads this module

        if isinstance(value, torch.nn.Module):
            row = find(type(value))
            if row is None:
                raise RuleRefused(f"{self.rule.source}: there is no rule for {type(value)!r}")
            if not self.evaluate:
                return _expression(row.line(value))
            return self._named(row.build(value))
        if isinstance(value, torch.Tensor):
            if self.evaluate:
                parameter: Any = wrap(value.detach().clone())
                if isinstance(value, torch.nn.Parameter):
                    parameter = namespace()["ms"].Parameter(
                        parameter, requires_grad=value.requires_grad
                    )
                return self._named(parameter)
            if value.numel() > _WRITTEN:
                raise RuleRefused(
                    f"{self.rule.source}: a tensor of {value.numel()} elements is not written as "
                    "code; load it from a file"
                )
            numbers = _literal_text(value.tolist())
            text = f"ms.Tensor({numbers}, ms.{_dtype_name(value.dtype)})"
            if isinstance(value, torch.nn.Parameter):
                frozen = "" if value.requires_grad else ", requires_grad=False"
                text = f"ms.Parameter({text}{frozen})"
            return _expression(text)
        row = find(value)
        if row is not None and row.target is not None:
            return _expression(row.target)
        if self.evaluate:
            return self._named(value)
        raise RuleRefused(f"{self.rule.source}: the value {value!r:.80} cannot be written as code")

    def _named(self, value: Any) -> ast.expr:
        key = f"_value_{len(self.values)}"
        self.values[key] = value
        return ast.Name(key, ast.Load())

    def _left_out(self, function: str, keyword: ast.keyword) -> bool:
        """Whether a keyword says only what both libraries take by themselves."""
        if isinstance(keyword.value, ast.Name) and keyword.value.id.startswith(_OPTIONAL):
            return self.given.get(keyword.value.id[len(_OPTIONAL) :]) is None
        names = _holes(keyword.value)
        if not names or keyword.arg is None or any(n in self.given for n in names):
            return False
        default = default_of(function, keyword.arg)
        if default is inspect.Parameter.empty:
            return False
        code = ast.unparse(keyword.value)
        values = {_MARK + n: self.all.get(n) for n in names}
        try:
            value = eval(code, {**namespace()}, values)
        except Exception:  # an expression of rules may need more than defaults
            return False
        return same(value, default)


def _parse(template: str) -> ast.expr:
    code = _HOLE.sub(lambda m: f"{m[1]}{_OPTIONAL if m[3] else _MARK}{m[2]}", template)
    return ast.parse(code.strip(), mode="eval").body


@cache
def _plain(template: str) -> str:
    """A template with names for its holes, written as Python writes it."""
    return ast.unparse(_parse(template))


def _element(node: Any) -> Any:
    """``(a, b)[0]`` is ``a``."""
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, (ast.Tuple, ast.List))
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
        and node.slice.value < len(node.value.elts)
        and not any(isinstance(e, ast.Starred) for e in node.value.elts)
    ):
        return node.value.elts[node.slice.value]
    return node


def _expression(text: str) -> ast.expr:
    return ast.parse(f"({text}\n)", mode="eval").body


def _is_cheap(text: str) -> bool:
    """Whether an expression may as well be written twice."""
    return not any(
        isinstance(n, (ast.Call, ast.BinOp, ast.Await, ast.Yield, ast.NamedExpr, ast.Subscript))
        for n in ast.walk(_expression(text))
    )


def _holes(node: ast.AST) -> list[str]:
    return [
        n.id[len(_MARK) :]
        for n in ast.walk(node)
        if isinstance(n, ast.Name) and n.id.startswith(_MARK)
    ]


@cache
def target_of(template: str) -> str:
    """The first name of agar in the template."""
    for node in ast.walk(_parse(template)):
        if isinstance(node, ast.Call):
            text = ast.unparse(node.func)
            if text.split(".")[0] in ("nn", "ops", "mint", "ms") or is_carried(text):
                return text
            if text.startswith(_MARK + "self."):
                return "Tensor" + text[len(_MARK + "self") :]
    text = ast.unparse(_parse(template))
    return re.sub(rf"\b{_MARK}self\b", "Tensor", text).replace(_MARK, "")


def _literal_text(value: Any) -> str | None:
    if isinstance(value, Unknown):
        return value.text
    if isinstance(value, (torch.dtype,)):
        return f"ms.{_dtype_name(value)}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if isinstance(value, torch.Size):
        value = tuple(value)
    if value is None or value is Ellipsis or isinstance(value, (bool, int, float, str)):
        return repr(value) if value is not Ellipsis else "..."
    if type(value) in (tuple, list):
        parts = [_literal_text(v) for v in value]
        if any(p is None for p in parts):
            return None
        inside = ", ".join(p for p in parts if p is not None)
        if type(value) is list:
            return f"[{inside}]"
        return f"({inside},)" if len(parts) == 1 else f"({inside})"
    return None


def _dtype_name(value: torch.dtype) -> str:
    name = str(value).removeprefix("torch.")
    return "bool_" if name == "bool" else name


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(_is_plain(v) for v in value)
    unknown = isinstance(value, (torch.dtype, torch.Tensor, Unknown))
    return not unknown and _literal_text(value) is not None


def same(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor) or isinstance(other, Tensor):
        return one is other
    if isinstance(one, torch.Tensor) or isinstance(other, torch.Tensor):
        return one is other
    return (type(one) is type(other) and bool(one == other)) or (
        # 1 and 1.0 say the same, True and 1 do not
        isinstance(one, (int, float))
        and isinstance(other, (int, float))
        and isinstance(one, bool) == isinstance(other, bool)
        and one == other
    )


@cache
def _carried() -> Mapping[str, Any]:
    from agar.migrate.rules.emitted_cells import CARRIED  # it imports nn, which takes its time

    return CARRIED


def is_carried(name: str) -> bool:
    """Whether a name is that of a cell of carried.py."""
    return name.startswith("_") and name in _carried()


@cache
def namespace() -> Mapping[str, Any]:
    """The names that templates may use."""
    import agar

    return {
        **_carried(),
        "ms": agar,
        "nn": agar.nn,
        "ops": agar.ops,
        "mint": agar.mint,
        "Tensor": Tensor,
        "np": np,
        "math": math,
        "from_torch": wrap,
    }


def plain_template(template: str) -> str:
    """A template as code for readers: the parameters stand under their own names."""
    return ast.unparse(ast.parse(_HOLE.sub(r"\1\2", template).strip(), mode="eval").body)


@cache
def default_of(function: str, keyword: str) -> Any:
    """The default of an argument of agar's, or Parameter.empty.

    Args:
        function (str): as templates write it: ``nn.Conv2d``.
        keyword (str): the argument.
    """
    names = namespace()
    head, *rest = function.split(".")
    if head.startswith(_MARK):
        head = "Tensor"
    target = names.get(head)
    for part in rest:
        target = getattr(target, part, None)
    try:
        parameters = inspect.signature(target).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return inspect.Parameter.empty
    return parameters[keyword].default if keyword in parameters else inspect.Parameter.empty
