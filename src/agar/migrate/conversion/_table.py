"""What the table of rules says about classes and weights, for the transformer."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from typing import Any

import libcst as cst

from agar.migrate.conversion._expand import code_of, literal
from agar.migrate.conversion._project import torch_object
from agar.migrate.conversion._types import CELL_TENSORS
from agar.migrate.rules import Case, Rule, RuleRefused, Unknown, rules
from agar.migrate.rules._template import namespace

__all__ = [
    "PLAIN_CLASSES",
    "argument_name",
    "argument_value",
    "case_of",
    "classes_of_rule",
    "plain_class",
    "taken_names",
    "weight_names",
]

#: classes of PyTorch that are named rather than called
PLAIN_CLASSES = {
    "torch.nn.Module": "nn.Cell",
    "torch.nn.modules.loss._Loss": "nn.LossBase",
    "torch.nn.Sequential": "nn.SequentialCell",
    "torch.nn.ModuleList": "nn.CellList",
    "torch.nn.ModuleDict": "nn.CellDict",
    "torch.nn.Parameter": "ms.Parameter",
    "torch.nn.parameter.Parameter": "ms.Parameter",
    "torch.Tensor": "ms.Tensor",
    "torch.FloatTensor": "ms.Tensor",
    "torch.LongTensor": "ms.Tensor",
    "torch.Size": "tuple",
    "torch.autograd.Function": "ms.common._Function",
    "torch.dtype": "type(ms.float32)",
    "torch.device": "str",
}


def plain_class(dotted: str) -> str | None:
    target = torch_object(dotted)
    if target is None:
        return None
    return next((v for k, v in PLAIN_CLASSES.items() if torch_object(k) is target), None)


def case_of(rule: Rule, args: list[Any], kwargs: dict[str, Any]) -> Case | None:
    try:
        return rule._choose(rule.bind(args, kwargs))[0]
    except RuleRefused:
        return None


def argument_value(arg: cst.Arg) -> Any:
    known, value = literal(arg.value)
    return value if known else Unknown(code_of(arg.value))


@functools.cache
def weight_names(attr: str) -> tuple[str, ...]:
    """What cells call a weight, whatever their class."""
    counterparts = {
        weight.target
        for rule in rules("module")
        for weight in rule.weights
        if weight.source == attr and weight.target.isidentifier()
    }
    return (attr, *sorted(counterparts - {attr}))


@functools.cache
def taken_names() -> frozenset[str]:
    """Attributes that a Cell has and a torch module has not."""
    cell, module = namespace()["nn"].Cell, torch_object("torch.nn.Module")
    return frozenset(n for n in set(dir(cell)) - set(dir(module)) if not n.startswith("_"))


def classes_of_rule(rule: Rule) -> list[str]:
    """The classes that a row's forms make; none where a form is no call of a class."""
    out = []
    for case in rule.cases:
        tree = ast.parse(_holes_named(case.template).strip(), mode="eval").body
        if not isinstance(tree, ast.Call):
            return []
        name = ast.unparse(tree.func)
        target = _of_namespace(name)
        if not isinstance(target, type):
            return []
        if name not in PLAIN_CLASSES.values():  # a chain of cells says nothing
            out.append(name)
    return list(dict.fromkeys(out))


def _holes_named(template: str) -> str:
    return re.sub(r"\{(\*?)(\w+)\??\}", r"\1_hole_\2", template)


def _of_namespace(name: str) -> Any:
    head, *rest = name.split(".")
    target = namespace().get(head)
    for part in rest:
        target = getattr(target, part, None)
    return target


def argument_name(rule: Rule, attr: str) -> str | None:
    """The name in agar of an argument that both classes keep as an attribute.

    None where agar keeps another value than PyTorch.
    """
    usual = next((c for c in rule.cases if c.when is None), None)
    if attr not in rule.signature.parameters or usual is None or attr in CELL_TENSORS:
        return attr
    tree = ast.parse(_holes_named(usual.template).strip(), mode="eval").body
    if not isinstance(tree, ast.Call):
        return attr
    for keyword in tree.keywords:
        if isinstance(keyword.value, ast.Name) and keyword.value.id == f"_hole_{attr}":
            return keyword.arg or attr
        if any(isinstance(n, ast.Name) and n.id == f"_hole_{attr}" for n in ast.walk(keyword)):
            return None
    function = _of_namespace(ast.unparse(tree.func))
    if not callable(function):
        return attr
    names = list(inspect.signature(function).parameters)
    for i, arg in enumerate(tree.args):
        if isinstance(arg, ast.Name) and arg.id == f"_hole_{attr}" and i < len(names):
            return names[i]
    return attr
