"""Where values come from: what a network may have computed, so that its gradients belong to it."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._reading import all_reads, assigned
from agar.migrate.conversion._walk import findall

__all__ = [
    "BUILTINS",
    "PREPARING",
    "Assignments",
    "carried_names",
    "carries_gradient",
    "cut_first",
    "cutting_functions",
    "detached",
    "filled_lists",
    "held_by",
    "methods_without_torch",
    "runs_network",
]

#: methods that bring a batch into form; they stay outside of the function
PREPARING = frozenset(
    [
        "to",
        "cuda",
        "cpu",
        "float",
        "long",
        "double",
        "half",
        "int",
        "squeeze",
        "unsqueeze",
        "view",
        "reshape",
    ]
)
#: functions of Python, and what ends the way of gradients
BUILTINS = frozenset(dir(builtins))
_CUTTING = ("detach", "item", "numpy", "tolist", "size", "dim", "state_dict", "data")
_DETACH = m.Attribute(attr=m.Name("detach"))
#: what makes tensors of numbers, without gradients whatever it is given
_MAKES_DATA = ("tensor", "from_numpy")
_WITHOUT_GRADIENTS = m.WithItem(
    item=m.Call(
        func=m.Attribute(attr=m.Name("no_grad") | m.Name("inference_mode"))
        | m.Name("no_grad")
        | m.Name("inference_mode"),
        args=[],
    )
)
#: methods of lists, which run no network
_FILLS = ("append", "extend", "appendleft", "add")
_OF_LISTS = (*_FILLS, "pop", "clear", "insert", "items", "keys", "values", "index")


def runs_network(statements: Sequence[Any], model: str) -> bool:
    """Whether statements call a network, or hand it to what may call it."""
    parts = model.split(".")
    named = {".".join(parts[:i]) for i in range(1, len(parts) + 1)}
    for call in (c for s in statements for c in findall(s, m.Call())):
        assert isinstance(call, cst.Call)
        text = code_of(call.func).strip()
        if text.rpartition(".")[2] in _OF_LISTS:
            continue
        if any(text == name or text.startswith((f"{name}.", f"{name}[")) for name in named):
            return True
        if any(plain_name(arg.value) in named for arg in call.args):
            return True
    return False


def detached(statements: Sequence[Any]) -> set[str]:
    """Names that statements read only as ``name.detach()``."""
    every = Counter(all_reads(statements))
    cut: Counter[str] = Counter()
    for statement in statements:
        for call in findall(statement, m.Call(func=_DETACH, args=[])):
            name = plain_name(call.func.value)
            if name is not None:
                cut[name] += 1
    return {name for name, count in cut.items() if every[name] == count}


def filled_lists(tree: cst.CSTNode, cutting: frozenset[str]) -> Counter[str]:
    """Lists that are given what may have come from a network, with its gradients: how often."""
    out: Counter[str] = Counter()
    for call in findall(tree, m.Call(func=m.Attribute(attr=m.OneOf(*map(m.Name, _FILLS))))):
        assert isinstance(call, cst.Call)
        assert isinstance(call.func, cst.Attribute)
        name = plain_name(call.func.value)
        if name and any(carries_gradient(arg.value, set(), cutting) for arg in call.args):
            out[name] += 1
    return out


def held_by(statements: Sequence[Any]) -> set[str]:
    """Names and attributes that statements read, and do not begin anew."""
    out: set[str] = set()
    for statement in statements:
        for node in findall(statement, m.Name() | m.Attribute()):
            name = plain_name(node)
            if name is not None:
                out.add(name)
    return out - assigned(statements)


class Assignments(cst.CSTVisitor):
    """The assignments of a block that may give gradients on.

    Those of functions and classes inside are left out, and those under ``no_grad()``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[cst.Assign | cst.AugAssign] = []

    def visit_Assign(self, node: cst.Assign) -> None:
        self.nodes.append(node)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self.nodes.append(node)

    def visit_With(self, node: cst.With) -> bool:
        return not any(m.matches(item, _WITHOUT_GRADIENTS) for item in node.items)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        return False


def carried_names(statements: Iterable[Any]) -> set[str]:
    """Names that statements give values which may have come from a network."""
    out: set[str] = set()
    for statement in statements:
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if not isinstance(small, cst.Assign) or carries_gradient(small.value, out):
            out |= assigned([statement])
    return out


def cut_first(forward: Sequence[Any], cutting: frozenset[str]) -> set[str]:
    """Names that enter statements only through a call that cuts: ``h = repackage_hidden(h)``."""
    out: set[str] = set()
    for node in forward:
        small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else None
        if not isinstance(small, cst.Assign) or len(node.body) != 1:
            break
        name = plain_name(small.targets[0].target)
        if name is None or code_of(small.targets[0].target) != name:
            break
        call = small.value
        if not isinstance(call, cst.Call) or plain_name(call.func) not in cutting:
            continue
        if [plain_name(a.value) for a in call.args] == [name]:
            out.add(name)
    return out


def cutting_functions(tree: cst.Module) -> frozenset[str]:
    """Functions that give only values without their gradients: ``repackage_hidden``."""
    out = set()
    for node in tree.body:
        if not isinstance(node, cst.FunctionDef):
            continue
        returned = [n.value for n in findall(node, m.Return()) if isinstance(n, cst.Return)]
        own = node.name.value
        if returned and all(value is not None and _is_cut(value, own) for value in returned):
            out.add(node.name.value)
    return frozenset(out)


def methods_without_torch(tree: cst.Module) -> frozenset[str]:
    """Methods of objects that know nothing of PyTorch, as environments are: ``envs.step``.

    Their class is the file's own, has no base and no word of torch in it, and is made of numbers.
    """
    classes = {
        node.name.value: [f.name.value for f in node.body.body if isinstance(f, cst.FunctionDef)]
        for node in tree.body
        if isinstance(node, cst.ClassDef)
        and not node.bases
        and not re.search(r"\b(torch|nn|F)\b", code_of(node))
    }
    classes_of: dict[str, set[str]] = {}
    plain: dict[str, str] = {}
    for node in findall(tree, m.Assign()):
        assert isinstance(node, cst.Assign)
        for target in node.targets:
            name = plain_name(target.target)
            if name is None:
                continue
            call = node.value if isinstance(node.value, cst.Call) else None
            kind = plain_name(call.func) if call is not None else None
            classes_of.setdefault(name, set()).add(kind or "")
            if call is None or kind not in classes:
                continue
            if all(_is_setting(a.value) for a in call.args):
                plain[name] = kind
    return frozenset(
        f"{name}.{method}"
        for name, kind in plain.items()
        if classes_of[name] == {kind}
        for method in classes[kind]
    )


def _is_setting(value: cst.BaseExpression) -> bool:
    """Whether an argument is a number or a text, or one of the program's arguments."""
    name = plain_name(value)
    settings = name is not None and name.startswith(
        ("args.", "cfg.", "config.", "opt.", "hparams.")
    )
    return settings or isinstance(value, (cst.BaseNumber, cst.BaseString, cst.UnaryOperation))


def _is_cut(value: cst.BaseExpression, own: str) -> bool:
    if isinstance(value, (cst.Tuple, cst.List)):
        return all(_is_cut(e.value, own) for e in value.elements)
    if isinstance(value, (cst.GeneratorExp, cst.ListComp)):
        return _is_cut(value.elt, own)
    if not isinstance(value, cst.Call):
        return False
    if m.matches(value, m.Call(func=m.Attribute(attr=m.Name("detach")), args=[])):
        return True
    name = plain_name(value.func)
    if name in ("tuple", "list") and len(value.args) == 1:
        return _is_cut(value.args[0].value, own)
    return name == own


class _WithoutCuts(cst.CSTTransformer):
    """What is left of a value without the parts that have no gradient: ``action.numpy()``."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Any:
        func = original_node.func
        cuts = isinstance(func, cst.Attribute) and func.attr.value in _CUTTING
        return cst.Name("None") if cuts else updated_node


def _is_data(value: cst.BaseExpression) -> bool:
    """Whether a value is a tensor made of numbers: ``torch.tensor(reward).to(device).view(-1)``."""
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        head, _, last = (plain_name(value.func) or "").rpartition(".")
        if head == "torch":
            return last in _MAKES_DATA
        if value.func.attr.value not in PREPARING:
            return False
        value = value.func.value
    return False


def carries_gradient(
    value: cst.BaseExpression,
    risky: set[str],
    cutting: frozenset[str] = frozenset(),
    plain: frozenset[str] = frozenset(),
) -> bool:
    """Whether a value may have come from a network, so that a loss of it has gradients there."""
    if isinstance(value, cst.Call) and plain_name(value.func) in cutting:
        return False
    if _is_data(value):
        return False
    uncut: Any = value.visit(_WithoutCuts())
    if set(all_reads([uncut])) & risky:
        return True
    for call in findall(uncut, m.Call()):
        assert isinstance(call, cst.Call)
        name = plain_name(call.func)
        if name in cutting or name in plain:
            continue
        if name is None:
            method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
            if method in PREPARING or method in _CUTTING:
                continue
            return True
        head, _, last = name.rpartition(".")
        known = head.partition(".")[0] in ("torch", "np", "numpy", "math", "random", "time", "os")
        if known or last in BUILTINS or last in PREPARING or last in _CUTTING:
            continue
        # a class makes an object; G and D are networks
        if not last[:1].isupper() or last.isupper():
            return True
    return False
