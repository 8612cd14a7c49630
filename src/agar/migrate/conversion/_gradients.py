"""What a file does with PyTorch's gradients, and which of its loops stay whole.

A training loop that is rewritten in part computes something else without a word. So a loop, or a
function that takes a step without one, is looked at again after the rewriting: where anything that
works on PyTorch's gradients is left in it, it keeps its text as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._project import torch_object
from agar.migrate.conversion._walk import findall, nodes_in

__all__ = ["CLIPS", "GRADIENTS", "LEFT", "Trained", "leave", "left_over", "regions"]

#: the call that stands before statements that keep their text: their number, and why
LEFT = "_agar_left_"
#: whether a text has to do with gradients at all
GRADIENTS = re.compile(r"backward\(|\.step\(|zero_grad|clip_grad_|GradScaler|autocast")
CLIPS = ("clip_grad_norm_", "clip_grad_value_")
_SCALING = ("GradScaler", "autocast")
#: what MindSpore's scalers do too, and what gives and takes their state
_VALUES_OF_SCALERS = ("scale", "unscale", "adjust", "state_dict", "load_state_dict")
_OF_PYTORCH = ("backward", "manual_backward", "zero_grad", "unscale_")
_BY_HAND = m.SimpleStatementLine(body=[m.Expr(m.Call(func=m.Name("_by_hand")))])


class Trained:
    """The optimizers of a file, and what they train.

    Args:
        tree (cst.Module): the file.
    """

    def __init__(self, tree: cst.Module) -> None:
        #: optimizer: the module whose ``parameters()`` it was given
        self.models: dict[str, str] = {}
        #: optimizer: the text of what it was given
        self.given: dict[str, str] = {}
        self.optimizers: set[str] = set()
        self.schedulers: set[str] = set()
        self.scalers: set[str] = set()
        #: names of one value: ``self.model = model``
        self.same: list[set[str]] = []
        for node in findall(tree, m.Assign(value=m.Name() | m.Attribute())):
            assert isinstance(node, cst.Assign)
            one, other = plain_name(node.targets[0].target), plain_name(node.value)
            if one is not None and other is not None:
                self.same.append({one, other})
        for node in findall(tree, m.Assign(value=m.Call())):
            assert isinstance(node, cst.Assign)
            assert isinstance(node.value, cst.Call)
            target = plain_name(node.targets[0].target)
            class_name = (plain_name(node.value.func) or "").rpartition(".")[2]
            if target is None:
                continue
            if class_name == "GradScaler":
                self.scalers.add(target)
            elif _is_class("torch.optim.lr_scheduler", class_name):
                self.schedulers.add(target)
            elif _is_class("torch.optim", class_name) or _takes_parameters(node.value):
                self._optimizer(target, node.value)

    def _optimizer(self, target: str, call: cst.Call) -> None:
        self.optimizers.add(target)
        if not call.args:
            return
        given = code_of(call.args[0].value).strip()
        if self.given.setdefault(target, given) != given:
            # two places give this name to optimizers of different parameters
            self.given[target] = ""
            self.models.pop(target, None)
        elif _takes_parameters(call):
            self.models[target] = given.removesuffix(".parameters()")

    def names_of_model(self, optimizer: str) -> list[str]:
        """What the file calls the module that an optimizer trains; nothing where it is unknown."""
        if optimizer not in self.models:
            return []
        names = [self.models[optimizer]]
        for pair in self.same:
            if names[0] in pair:
                names += sorted(pair - set(names))
        return names

    def is_optimizer(self, text: str) -> bool:
        """Whether an expression is an optimizer, by what the file says of it or by its name."""
        if text in self.schedulers or "sched" in text.lower():
            return False
        return text in self.optimizers or "opt" in text.lower()

    def is_scaler(self, text: str) -> bool:
        """Whether an expression is a GradScaler."""
        return text in self.scalers or "scaler" in text.lower()


def _is_class(module: str, name: str) -> bool:
    target = torch_object(f"{module}.{name}") if name.isidentifier() else None
    return isinstance(target, type)


def _takes_parameters(call: cst.Call) -> bool:
    taken = m.Call(func=m.Attribute(attr=m.Name("parameters")), args=[])
    return bool(call.args) and m.matches(call.args[0], m.Arg(value=taken))


def left_over(nodes: Iterable[cst.CSTNode], trained: Trained) -> str | None:
    """A use of PyTorch's gradients in statements, as it is written; None without."""
    uses = _Uses(trained)
    for node in nodes:
        uses.look(node)
    # what cannot be rewritten at all says more than the backward() beside it
    return min(uses.all, key=lambda use: use[0], default=(0, None))[1]


class _Uses:
    def __init__(self, trained: Trained) -> None:
        self.trained = trained
        self.all: list[tuple[int, str]] = []
        self.backward = False
        self.others = False

    def look(self, node: cst.CSTNode) -> None:
        """Note what a node and its parts use."""
        for part in nodes_in(node):
            if isinstance(part, cst.Call):
                self._call(part)
            elif isinstance(part, cst.Attribute) and part.attr.value == "grad":
                # p.grad, and torch.autograd.grad, whose second derivatives no step here follows
                self._add(part, 1)

    def _call(self, node: cst.Call) -> None:
        func = node.func
        name = (plain_name(func) or "").rpartition(".")[2]
        used = name in CLIPS or name in _SCALING
        if isinstance(func, cst.Attribute):
            name, receiver = func.attr.value, code_of(func.value)
            used |= name in _OF_PYTORCH
            used |= name == "step" and self.trained.is_optimizer(receiver)
            used |= self.trained.is_scaler(receiver) and name not in _VALUES_OF_SCALERS
        if name == "backward":
            self.backward = True
        elif used and name not in CLIPS:
            self.others = True
        if used:
            order = 0 if name in _SCALING or self._scales(func) else 1 if name in CLIPS else 3
            self._add(node, order - (name == "backward"))

    def _scales(self, func: cst.BaseExpression) -> bool:
        return isinstance(func, cst.Attribute) and self.trained.is_scaler(code_of(func.value))

    def _add(self, node: cst.CSTNode, order: int) -> None:
        self.all.append((order, " ".join(code_of(node).split())))


def regions(tree: cst.Module, trained: Trained) -> tuple[set[cst.CSTNode], dict[cst.CSTNode, int]]:
    """What is rewritten whole or not at all, and what an earlier conversion left.

    Returns:
        tuple, the loops and functions, and for statements that were left before: how many.
    """
    whole: set[cst.CSTNode] = set()
    done: dict[cst.CSTNode, int] = {}
    marked = any(isinstance(n, cst.FunctionDef) and n.name.value == "_by_hand" for n in tree.body)
    _walk(tree.body, trained, whole, done if marked else None)
    return whole, done


def _walk(
    body: Sequence[Any],
    trained: Trained,
    whole: set[cst.CSTNode],
    done: dict[cst.CSTNode, int] | None,
) -> None:
    before: Any = None
    for node in body:
        if isinstance(node, (cst.For, cst.While)):
            uses = _Uses(trained)
            uses.look(node)
            if uses.all:
                if done is not None and before is not None and m.matches(before, _BY_HAND):
                    done[node] = 1
                else:
                    whole.add(node)
        elif isinstance(node, cst.FunctionDef):
            rest = _after_docstring(node)
            if done is not None and rest and m.matches(rest[0], _BY_HAND):
                done.update(dict.fromkeys(rest[1:], 1))
            elif _steps_itself(node, trained):
                whole.add(node)
            else:
                _walk(node.body.body, trained, whole, done)
        else:
            for part in _blocks(node):
                _walk(part, trained, whole, done)
        before = node


def _blocks(node: Any) -> list[Sequence[Any]]:
    """The statements inside of one, loops and functions left out."""
    out = []
    if isinstance(node, (cst.If, cst.With, cst.Try, cst.ClassDef, cst.Else, cst.Finally)):
        out.append(node.body.body)
    if isinstance(node, cst.Try):
        out += [handler.body.body for handler in node.handlers]
        out += [part.body.body for part in (node.orelse, node.finalbody) if part is not None]
    if isinstance(node, cst.If) and node.orelse is not None:
        out += _blocks(node.orelse)
    return out


def _after_docstring(node: cst.FunctionDef) -> list[Any]:
    body = list(node.body.body)
    text = m.SimpleStatementLine(body=[m.Expr(m.SimpleString() | m.ConcatenatedString())])
    return body[1:] if body and m.matches(body[0], text) else body


def _steps_itself(node: cst.FunctionDef, trained: Trained) -> bool:
    """Whether a function computes gradients and uses them, outside of its loops."""
    uses = _Uses(trained)

    def look(body: Sequence[Any]) -> None:
        for part in body:
            inner = _blocks(part)
            for block in inner:
                look(block)
            if isinstance(part, cst.With):
                for item in part.items:
                    uses.look(item)
            if not inner and not isinstance(part, (cst.For, cst.While, cst.FunctionDef)):
                uses.look(part)

    look(node.body.body)
    return uses.backward and uses.others


def leave(node: Any, count: int, reason: str) -> Any:
    """A statement that keeps its text, or a function whose statements do."""
    if isinstance(node, cst.FunctionDef):
        rest = _after_docstring(node)
        head = list(node.body.body)[: len(node.body.body) - len(rest)]
        mark = _mark(len(rest), reason)
        if not isinstance(node.body, cst.IndentedBlock):
            small: list[Any] = list(node.body.body)
            block = cst.IndentedBlock([_mark(1, reason), cst.SimpleStatementLine(small)])
            return node.with_changes(body=block)
        return node.with_changes(body=node.body.with_changes(body=[*head, mark, *rest]))
    mark = _mark(count, reason)
    if node.leading_lines and not node.leading_lines[0].comment:
        mark = mark.with_changes(leading_lines=node.leading_lines[:1])
        node = node.with_changes(leading_lines=node.leading_lines[1:])
    return cst.FlattenSentinel([mark, node])


def _mark(count: int, reason: str) -> Any:
    return cst.parse_statement(f"{LEFT}({count}, {reason!r})")
