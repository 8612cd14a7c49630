"""A light inference of types: which values are tensors, cells, sizes.

A kind is ``tensor``, ``tensors`` (a tuple or list of tensors), ``size``, ``number``, ``str``,
``other`` (something that is none of these), or a pair: ``("cell", class)``, ``("cells", kind)`` for
containers, ``("each", kind)`` for other iterables, ``("tuple", kinds)``. None: nothing is known.
The inference takes one branch after the other and joins what it finds; a parameter of ``forward``
without annotation is a tensor unless a call says otherwise.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._call_types import CallTypes, Function
from agar.migrate.conversion._kinds import (
    ARRAY,
    CELL,
    CELL_NAMES,
    CELL_TENSORS,
    CONTAINERS,
    NUMBER,
    NUMBERS,
    OTHER,
    PLAIN_ATTRIBUTES,
    SIZE,
    STR,
    TENSOR,
    TENSORS,
    Kind,
    element_of,
    is_static,
    join,
    several_of,
)
from agar.migrate.conversion._names import Names, plain_name
from agar.migrate.conversion._project import is_torch_module, torch_object
from agar.migrate.conversion._walk import findall

_COUNTING = ("range", "arange")

__all__ = [
    "ARRAY", "CELL_TENSORS", "CONTAINERS", "SIZE", "STR", "TENSOR", "TENSORS", "Kind", "Types",
]  # fmt: skip


class Types(CallTypes):
    """The kinds of the expressions of one file.

    Args:
        tree (cst.Module): the file.
        names (Names): resolves its names.
    """

    def __init__(self, tree: cst.Module, names: Names) -> None:
        self.names = names
        self.project = names.project
        self.kinds: dict[cst.CSTNode, Kind] = {}
        #: expressions inside a function that works on tensors: a method of a cell but __init__
        self.inside: set[cst.CSTNode] = set()
        self.attributes: dict[tuple[str, str], Kind] = {}
        self.functions: dict[str, Function] = {}
        self._constructors: dict[tuple[str, str], cst.Call | None] = {}
        self._env: dict[str, Kind] = {}
        self._owner: str | None = None
        self._result: Kind = None
        self._in_forward = False
        self._collect(tree.body, None)
        for _ in range(3):
            self._pass(tree)

    def of(self, node: cst.CSTNode) -> Kind:
        """The kind of an expression."""
        return self.kinds.get(node)

    def constructor_of(self, node: cst.BaseExpression) -> cst.Call | None:
        """The only call that makes what an attribute of a cell holds."""
        if not isinstance(node, cst.Attribute):
            return None
        base = self.kinds.get(node.value)
        if not (isinstance(base, tuple) and base[0] == "self"):
            return None
        return self._constructors.get((base[1], node.attr.value))

    # ------------------------------------------------------------------ the walk

    def _collect(self, body: Iterable[cst.CSTNode], owner: str | None) -> None:
        for node in body:
            if isinstance(node, cst.ClassDef):
                name = f"{self.names.module}.{node.name.value}"
                self._collect(node.body.body, name)
            elif isinstance(node, cst.FunctionDef):
                key = f"{owner or self.names.module}.{node.name.value}"
                self.functions[key] = Function(node, owner, key)

    def _pass(self, tree: cst.Module) -> None:
        self.kinds.clear()
        self._env = {}
        self._body(tree.body)
        outer = dict(self._env)
        for function in self.functions.values():
            self._env = dict(outer)
            self._run(function)

    def _run(self, function: Function) -> None:
        is_cell = function.owner is not None and self.project.is_cell(function.owner)
        name = function.node.name.value
        self._owner = function.owner
        self._result = None
        is_gradient = function.owner is not None and self.project.is_function_class(function.owner)
        self._in_forward = (is_cell and name != "__init__") or is_gradient
        params = list(function.params)
        if function.owner and params and not is_static(function.node):
            self._env[params.pop(0).name.value] = ("self", function.owner)
        for param in [*params, *function.keywords]:
            self._env[param.name.value] = self._parameter(function, param, is_cell)
        if is_gradient and is_static(function.node):
            self._context(name, params)
        star = function.node.params.star_arg
        if isinstance(star, cst.Param):
            kind = TENSORS if is_cell and name == "forward" else ("each", None)
            self._env[star.name.value] = kind
        self._body(function.node.body.body)
        function.result = join(function.result, self._result)

    def _context(self, name: str, params: list[cst.Param]) -> None:
        """The parameters of a static method of a torch.autograd.Function."""
        if name in ("forward", "backward") and params:
            self._env[params[0].name.value] = ("context", None)
        if name == "backward":
            self._env |= {p.name.value: TENSOR for p in params[1:]}

    def _parameter(self, function: Function, param: cst.Param, is_cell: bool) -> Kind:
        if param.annotation is not None:
            known = self._annotation(param.annotation.annotation)
            if known is not None:
                return known
        seen = function.seen.get(param.name.value)
        default = self._expr(param.default) if param.default is not None else None
        if param.default is not None and default not in (None, "none"):
            return default if seen in (None, default) else join(default, seen)
        if seen not in (None, "none"):
            return seen
        if is_cell and function.node.name.value == "forward":
            return None if param.name.value in _counted(function.node) else TENSOR
        return CELL if param.name.value in CELL_NAMES else None

    def _annotation(self, node: cst.BaseExpression) -> Kind:
        if isinstance(node, cst.SimpleString):
            text = node.evaluated_value
            return TENSOR if text in ("Tensor", "torch.Tensor") else None
        dotted = self.names.dotted(node)
        if dotted:
            if dotted in ("torch.Tensor", "torch.nn.Parameter") or dotted.endswith("Tensor"):
                return TENSOR
            if is_torch_module(dotted) or self.project.is_cell(dotted):
                return ("cell", dotted)
        if isinstance(node, cst.Name):
            if node.value in NUMBERS:
                return NUMBER
            return STR if node.value == "str" else None
        if isinstance(node, cst.Subscript):
            inner = [
                self._annotation(e.slice.value)
                for e in node.slice
                if isinstance(e.slice, cst.Index)
            ]
            head = (plain_name(node.value) or "").rpartition(".")[2]
            if head in ("Optional", "Union"):
                known = [k for k in inner if k is not None]
                return known[0] if known and all(k == known[0] for k in known) else None
            if head in ("List", "Tuple", "Sequence", "list", "tuple", "Iterable"):
                return TENSORS if inner and inner[0] == TENSOR else OTHER
            return OTHER if head in ("Dict", "dict", "Callable", "Mapping") else None
        if isinstance(node, cst.BinaryOperation):
            return join(self._annotation(node.left), self._annotation(node.right))
        return None

    def _body(self, body: Iterable[cst.CSTNode]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                self._small(small)
        elif isinstance(node, cst.BaseSmallStatement):  # def f(x): return x
            self._small(node)
        elif isinstance(node, cst.If):
            self._if(node)
        elif isinstance(node, cst.For):
            self._bind(node.target, element_of(self._expr(node.iter)))
            self._body(node.body.body)
            self._body(node.body.body)
            if node.orelse:
                self._body(node.orelse.body.body)
        elif isinstance(node, cst.While):
            self._expr(node.test)
            self._body(node.body.body)
        elif isinstance(node, cst.With):
            for item in node.items:
                kind = self._expr(item.item)
                if item.asname is not None:
                    self._bind(item.asname.name, kind)
            self._body(node.body.body)
        elif isinstance(node, cst.Try):
            self._body(node.body.body)
            for handler in node.handlers:
                self._body(handler.body.body)
            for part in (node.orelse, node.finalbody):
                if part is not None:
                    self._body(part.body.body)
        elif isinstance(node, cst.FunctionDef):
            self._nested(node)
        elif isinstance(node, cst.ClassDef):
            for decorator in [*node.bases, *node.keywords]:
                self._expr(decorator.value)
            for inner in node.body.body:
                if not isinstance(inner, cst.FunctionDef):
                    self._statement(inner)

    def _nested(self, node: cst.FunctionDef) -> None:
        key = f"{self._owner or self.names.module}.{node.name.value}"
        if self.functions.get(key, None) is not None and self.functions[key].node is node:
            for param in [*node.params.params, *node.params.kwonly_params]:
                if param.default is not None:
                    self._expr(param.default)
            return  # a function of the file, or a method: it has its own turn
        environment, result = dict(self._env), self._result
        for param in [*node.params.params, *node.params.kwonly_params]:
            known = self._annotation(param.annotation.annotation) if param.annotation else None
            if known is None and param.default is not None:
                known = self._expr(param.default)
            self._env[param.name.value] = None if known == "none" else known
        self._result = None
        self._body(node.body.body)
        returned = self._result
        self._env, self._result = environment, result
        self._env[node.name.value] = ("function", returned)

    def _if(self, node: cst.If) -> None:
        self._expr(node.test)
        before = dict(self._env)
        for name, kind in self._narrowed(node.test):
            self._env[name] = kind
        self._body(node.body.body)
        after, self._env = self._env, before
        if isinstance(node.orelse, cst.If):
            self._if(node.orelse)
        elif node.orelse is not None:
            self._body(node.orelse.body.body)
        names = {*after, *self._env}
        narrowed = dict(self._narrowed(node.test))
        for name in names:
            one = before.get(name) if name in narrowed else after.get(name)
            joined = join(self._env.get(name), one)
            self._env[name] = joined

    def _narrowed(self, test: cst.BaseExpression) -> list[tuple[str, Kind]]:
        if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
            return self._narrowed(test.left) + self._narrowed(test.right)
        classes: cst.BaseExpression | None = None
        name: str | None = None
        if m.matches(test, m.Call(func=m.Name("isinstance"), args=[m.Arg(), m.Arg()])):
            assert isinstance(test, cst.Call)
            name, classes = plain_name(test.args[0].value), test.args[1].value
        elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
            left, right = test.left, test.comparisons[0]
            if isinstance(right.operator, (cst.Equal, cst.Is)) and m.matches(
                left, m.Call(func=m.Name("type"), args=[m.Arg()])
            ):
                assert isinstance(left, cst.Call)
                name, classes = plain_name(left.args[0].value), right.comparator
        if name is None or classes is None:
            return []
        parts = [e.value for e in classes.elements] if isinstance(classes, cst.Tuple) else [classes]
        dotted_names = [self.names.dotted(p) for p in parts]
        if dotted_names and all(
            d and (is_torch_module(d) or self.project.is_cell(d)) for d in dotted_names
        ):
            return [(name, ("cell", "|".join(d for d in dotted_names if d)))]
        if dotted_names == ["torch.Tensor"]:
            return [(name, TENSOR)]
        if all(plain_name(p) == "str" for p in parts):
            return [(name, STR)]
        if all(plain_name(p) in (*NUMBERS, "tuple", "list", "dict") for p in parts):
            return [(name, OTHER)]
        return []

    def _small(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.Assign):
            kind = self._expr(node.value)
            for target in node.targets:
                self._bind(target.target, kind)
                self._remember(target.target, node.value)
        elif isinstance(node, cst.AnnAssign):
            kind = self._expr(node.value) if node.value is not None else None
            known = self._annotation(node.annotation.annotation)
            self._bind(node.target, known if known is not None else kind)
        elif isinstance(node, cst.AugAssign):
            old, value = self._expr(node.target), self._expr(node.value)
            # a number may be added to anything
            self._bind(node.target, old if old is not None or value == NUMBER else value)
        elif isinstance(node, cst.Return):
            if node.value is not None:
                self._result = join(self._result, self._expr(node.value))
        elif isinstance(node, cst.Assert):
            self._expr(node.test)
            if node.msg is not None:
                self._expr(node.msg)
        else:
            for child in node.children:
                if isinstance(child, cst.BaseExpression):
                    self._expr(child)

    def _remember(self, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        if not isinstance(target, cst.Attribute):
            return
        base = self.kinds.get(target.value)
        if isinstance(base, tuple) and base[0] == "self":
            key = (base[1], target.attr.value)
            constructor = value if isinstance(value, cst.Call) else None
            self._constructors[key] = (
                constructor if self._constructors.get(key, constructor) is constructor else None
            )

    def _bind(self, target: cst.BaseExpression, kind: Kind) -> None:
        if isinstance(target, (cst.Tuple, cst.List)):
            for i, element in enumerate(target.elements):
                part = element_of(kind)
                if isinstance(kind, tuple) and kind[0] == "tuple":
                    part = kind[1][i] if i < len(kind[1]) else None
                if isinstance(element, cst.StarredElement):
                    part = {TENSOR: TENSORS, NUMBER: SIZE}.get(part) if part else None
                self._bind(element.value, part)
            return
        if isinstance(target, cst.Name):
            self._env[target.value] = kind
            self.kinds[target] = kind
        elif isinstance(target, cst.Attribute):
            base = self._expr(target.value)
            if isinstance(base, tuple) and base[0] == "self":
                key = (base[1], target.attr.value)
                self.attributes[key] = join(self.attributes.get(key), kind)
            name = plain_name(target)
            if name:
                self._env[name] = kind
        elif isinstance(target, cst.Subscript):
            self._expr(target)

    # ------------------------------------------------------------------ expressions

    def _expr(self, node: cst.CSTNode | None) -> Kind:
        if node is None:
            return None
        method = getattr(self, "_expr_" + type(node).__name__, None)
        kind = method(node) if method is not None else self._children(node)
        self.kinds[node] = kind
        if self._in_forward:
            self.inside.add(node)
        return kind

    def _children(self, node: cst.CSTNode) -> Kind:
        for child in node.children:
            if isinstance(child, (cst.BaseExpression, cst.Arg, cst.BaseElement)):
                self._expr(
                    child.value
                    if hasattr(child, "value") and not isinstance(child, cst.BaseExpression)
                    else child
                )
            elif not isinstance(child, cst.BaseParenthesizableWhitespace):
                self._children(child)
        return None

    def _expr_Integer(self, node: cst.Integer) -> Kind:
        return NUMBER

    def _expr_Float(self, node: cst.Float) -> Kind:
        return NUMBER

    def _expr_SimpleString(self, node: cst.SimpleString) -> Kind:
        return STR

    def _expr_ConcatenatedString(self, node: cst.ConcatenatedString) -> Kind:
        return STR

    def _expr_FormattedString(self, node: cst.FormattedString) -> Kind:
        self._children(node)
        return STR

    def _expr_Name(self, node: cst.Name) -> Kind:
        if node.value == "None":
            return "none"
        if node.value in ("True", "False"):
            return NUMBER
        return self._env.get(node.value)

    def _expr_Attribute(self, node: cst.Attribute) -> Kind:
        full = plain_name(node)
        base = self._expr(node.value)
        attr = node.attr.value
        if full and full in self._env:
            return self._env[full]
        if base == TENSOR:
            return PLAIN_ATTRIBUTES.get(attr, TENSOR)
        if base == TENSORS and attr in ("values", "indices"):
            return TENSOR
        if isinstance(base, tuple) and base[0] == "context":
            return TENSORS if attr == "saved_tensors" else None
        if isinstance(base, tuple) and base[0] == "self":
            return self._attribute(base[1], attr)
        if isinstance(base, tuple) and base[0] == "cell":
            if base[1] and self.project.definition(base[1]):
                kind = self._attribute(base[1], attr)
                if kind is not None:
                    return kind
            if attr in CELL_TENSORS:
                return TENSOR
            if base[1] in CONTAINERS and not _of_modules(base[1], attr):
                return CELL  # ``self.transformer.wte``, of a ModuleDict
        if base is None and attr in CELL_TENSORS[:4] and not self.names.dotted(node):
            return TENSOR
        return None

    def _attribute(self, owner: str, attr: str) -> Kind:
        for base in self.project.bases(owner):
            if (base, attr) in self.attributes:
                return self.attributes[base, attr]
            if is_torch_module(base) and attr in CELL_TENSORS and base != "torch.nn.Module":
                return TENSOR
        return NUMBER if attr == "training" else None

    def _expr_Subscript(self, node: cst.Subscript) -> Kind:
        base = self._expr(node.value)
        for element in node.slice:
            self._children(element)
        first = node.slice[0].slice
        plain = isinstance(first, cst.Index)
        if base == TENSOR:
            return TENSOR
        if base == ARRAY:
            return OTHER if plain and self._expr(first.value) != ARRAY else ARRAY
        if base in (SIZE, TENSORS):
            return ({SIZE: NUMBER, TENSORS: TENSOR}[base]) if plain else base
        if isinstance(base, tuple):
            if base[0] == "tuple" and plain and isinstance(first.value, cst.Integer):
                at = int(first.value.value)
                return base[1][at] if at < len(base[1]) else None
            if base[0] in ("cells", "each"):
                return base[1] if plain else base
            if base[0] == "cell" and base[1] in CONTAINERS:
                return CELL
        return None

    def _expr_BinaryOperation(self, node: cst.BinaryOperation) -> Kind:
        one, other = self._expr(node.left), self._expr(node.right)
        if TENSOR in (one, other):
            return TENSOR
        if STR in (one, other):
            return STR
        if one == other:
            return one
        if SIZE in (one, other) and isinstance(node.operator, cst.Add):
            return SIZE
        return None

    def _expr_UnaryOperation(self, node: cst.UnaryOperation) -> Kind:
        kind = self._expr(node.expression)
        return NUMBER if isinstance(node.operator, cst.Not) else kind

    def _expr_BooleanOperation(self, node: cst.BooleanOperation) -> Kind:
        return join(self._expr(node.left), self._expr(node.right))

    def _expr_Comparison(self, node: cst.Comparison) -> Kind:
        kinds = [self._expr(node.left)]
        plain = False
        for target in node.comparisons:
            kinds.append(self._expr(target.comparator))
            plain |= isinstance(target.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn))
        return TENSOR if TENSOR in kinds and not plain else NUMBER

    def _expr_IfExp(self, node: cst.IfExp) -> Kind:
        self._expr(node.test)
        return join(self._expr(node.body), self._expr(node.orelse))

    def _expr_NamedExpr(self, node: cst.NamedExpr) -> Kind:
        kind = self._expr(node.value)
        self._bind(node.target, kind)
        return kind

    def _expr_Tuple(self, node: cst.Tuple) -> Kind:
        return self._elements(node.elements, True)

    def _expr_List(self, node: cst.List) -> Kind:
        return self._elements(node.elements, False)

    def _elements(self, elements: Iterable[cst.BaseElement], is_tuple: bool) -> Kind:
        kinds, starred = [], False
        for element in elements:
            kind = self._expr(element.value)
            if isinstance(element, cst.StarredElement):
                starred, kind = True, element_of(kind)
            kinds.append(kind)
        if kinds and all(k == TENSOR for k in kinds):
            return TENSORS
        if kinds and all(isinstance(k, tuple) and k[0] == "cell" for k in kinds):
            return ("cells", kinds[0] if len(set(kinds)) == 1 else CELL)
        if kinds and all(k == NUMBER for k in kinds):
            return SIZE
        if is_tuple and not starred:
            return ("tuple", tuple(kinds))
        return ("each", kinds[0] if kinds and all(k == kinds[0] for k in kinds) else None)

    def _expr_Dict(self, node: cst.Dict) -> Kind:
        for element in node.elements:
            if isinstance(element, cst.DictElement):
                self._expr(element.key)
            self._expr(element.value)
        return OTHER

    def _expr_Lambda(self, node: cst.Lambda) -> Kind:
        return ("function", self._lambda(node, ()))

    def _lambda(self, node: cst.Lambda, given: tuple[Kind, ...]) -> Kind:
        environment = dict(self._env)
        for i, param in enumerate(node.params.params):
            self._env[param.name.value] = given[i] if i < len(given) else None
        kind = self._expr(node.body)
        self._env = environment
        return kind

    def _comprehension(self, node: Any, *parts: cst.BaseExpression) -> Kind:
        environment = dict(self._env)
        at: cst.CompFor | None = node.for_in
        while at is not None:
            self._bind(at.target, element_of(self._expr(at.iter)))
            for condition in at.ifs:
                self._expr(condition.test)
            at = at.inner_for_in
        kinds = [self._expr(p) for p in parts]
        self._env = environment
        return kinds[-1]

    def _expr_ListComp(self, node: cst.ListComp) -> Kind:
        return several_of(self._comprehension(node, node.elt))

    def _expr_GeneratorExp(self, node: cst.GeneratorExp) -> Kind:
        return several_of(self._comprehension(node, node.elt))

    def _expr_SetComp(self, node: cst.SetComp) -> Kind:
        self._comprehension(node, node.elt)
        return OTHER

    def _expr_DictComp(self, node: cst.DictComp) -> Kind:
        self._comprehension(node, node.key, node.value)
        return OTHER


@functools.cache
def _counted(function: cst.FunctionDef) -> frozenset[str]:
    """The names that a function counts to or from: ``range(n)``, ``arange(i, i + n)``."""
    calls = findall(function.body, m.Call(func=m.Name() | m.Attribute()))
    counting = [c for c in calls if (plain_name(c.func) or "").rpartition(".")[2] in _COUNTING]
    parts: list[Any] = [a.value for c in counting for a in c.args if a.keyword is None]
    names = set()
    for part in parts:  # it grows while it is read
        if isinstance(part, cst.Name):
            names.add(part.value)
        elif isinstance(part, cst.BinaryOperation):
            parts += [part.left, part.right]
        elif isinstance(part, cst.UnaryOperation):
            parts.append(part.expression)
    return frozenset(names)


def _of_modules(kind: str, attr: str) -> bool:
    """Whether every module of one of PyTorch's classes has an attribute."""
    return attr == "training" or hasattr(torch_object(kind), attr)
