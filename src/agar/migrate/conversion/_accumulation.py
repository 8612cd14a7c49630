"""Steps over the gradients of several batches: ``if (i + 1) % n == 0: optimizer.step()``.

Gradients are values here, so their sum gets a name. It is None where ``zero_grad()`` stood, both
behind the step and before the loop, and each batch adds to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._gradients import CLIPS, Trained, left_over
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._walk import findall

__all__ = ["SUM", "Accumulated", "accumulated", "method_of"]

#: the name of the sum of gradients
SUM = "accumulated"


@dataclass
class Accumulated:
    """What of a file accumulates gradients.

    Attributes:
        groups: the ``if`` around a step: its optimizer.
        resets: statements ``zero_grad()`` of these optimizers.
    """

    groups: dict[cst.CSTNode, str] = field(default_factory=dict)
    resets: set[cst.CSTNode] = field(default_factory=set)


def accumulated(tree: cst.Module, trained: Trained) -> Accumulated:
    """Find the steps over several batches that are clear.

    They stand in a loop: one ``backward()`` and an ``if`` beside it, which takes the step and
    clears the gradients afterwards; and before the loop the gradients are cleared as well.
    """
    out = Accumulated()
    names = {n.value for n in findall(tree, m.Name()) if isinstance(n, cst.Name)}
    if SUM in names:
        return out
    scopes = [tree, *findall(tree, m.FunctionDef())]
    for scope in scopes:
        groups: dict[cst.CSTNode, str] = {}
        zeros: dict[cst.CSTNode, str] = {}
        backwards: list[cst.CSTNode] = []
        _look(_body(scope), trained, frozenset(), False, groups, zeros, backwards)
        # two steps in one scope would share the name of the sum
        if len(groups) == 1 and len(backwards) == 1:
            optimizer = next(iter(groups.values()))
            out.groups.update(groups)
            out.resets.update(n for n, name in zeros.items() if name == optimizer)
    return out


def method_of(statement: Any) -> tuple[cst.BaseExpression, str, cst.Call] | None:
    """Receiver, name and call of a statement that is only a method's call."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    small = statement.body[0]
    if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
        return None
    func = small.value.func
    if not isinstance(func, cst.Attribute):
        return None
    return func.value, func.attr.value, small.value


def _body(node: Any) -> Sequence[Any]:
    return node.body if isinstance(node, cst.Module) else node.body.body


def _look(
    body: Sequence[Any],
    trained: Trained,
    cleared: frozenset[str],
    loops: bool,
    groups: dict[cst.CSTNode, str],
    zeros: dict[cst.CSTNode, str],
    backwards: list[cst.CSTNode],
) -> None:
    """Walk the blocks of one scope; `cleared` are the optimizers whose gradients are none here."""
    at: int | None = None
    for i, node in enumerate(body):
        method = method_of(node)
        if method is not None and method[1] == "zero_grad":
            optimizer = _optimizer_of(code_of(method[0]), trained)
            zeros[node] = optimizer
            cleared |= {optimizer}
        elif method is not None and method[1] == "backward":
            backwards.append(node)
            at = i if loops and not method[2].args else None
        elif isinstance(node, cst.If) and at is not None:
            optimizer = _group(node, trained)
            between = body[at + 1 : i]
            if optimizer in cleared and left_over(between, trained) is None:
                groups[node] = str(optimizer)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            continue
        inner = loops or isinstance(node, (cst.For, cst.While))
        for part in _parts(node):
            _look(part, trained, cleared, inner, groups, zeros, backwards)


def _parts(node: Any) -> list[Sequence[Any]]:
    kinds = (cst.For, cst.While, cst.If, cst.With, cst.Try, cst.Else)
    out = [node.body.body] if isinstance(node, kinds) else []
    orelse = getattr(node, "orelse", None)
    return out + (_parts(orelse) if orelse is not None else [])


def _optimizer_of(text: str, trained: Trained) -> str:
    """The optimizer whose gradients a ``zero_grad()`` clears."""
    for optimizer in trained.optimizers:
        if text in trained.names_of_model(optimizer):
            return optimizer
    return text


def _group(node: cst.If, trained: Trained) -> str | None:
    """The optimizer that an ``if`` steps, where it does nothing else with gradients."""
    if node.orelse is not None or not isinstance(node.body, cst.IndentedBlock):
        return None
    optimizer = None
    done = False
    for statement in node.body.body:
        method = method_of(statement)
        name = method[1] if method is not None else ""
        if method is not None and name == "step" and trained.is_optimizer(code_of(method[0])):
            if optimizer is not None or method[2].args:
                return None
            optimizer = code_of(method[0])
        elif method is not None and name == "zero_grad":
            if optimizer is None or _optimizer_of(code_of(method[0]), trained) != optimizer:
                return None
            done = True
        elif left_over([statement], trained) is not None and not (
            optimizer is None and _clips(statement)
        ):
            return None
    return optimizer if done else None


def _clips(statement: Any) -> bool:
    calls = [c for c in findall(statement, m.Call()) if isinstance(c, cst.Call)]
    return any((plain_name(c.func) or "").rpartition(".")[2] in CLIPS for c in calls)
