"""Containers of modules: what MindSpore's take, and what stands for the others."""

from __future__ import annotations

from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._base import Base
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._project import is_torch_module
from agar.migrate.conversion._types import CONTAINERS
from agar.migrate.conversion._walk import findall, nodes_in

__all__ = ["Containers", "fills_containers"]

_FILLED = ("append", "extend", "insert", "add_module", "update")
_APPENDED = m.Call(func=m.Attribute(attr=m.Name("append")), args=[m.Arg()])


class Containers(Base):
    """Converts ModuleList, and says what Sequential and ModuleDict must take."""

    def _read_containers(self, node: cst.Module) -> None:
        """Which names may be None, by function, and which lists such a name joins."""
        self._nullable: dict[cst.CSTNode, set[str]] = {}
        self._with_none: set[str] = set()
        for function in findall(node, m.FunctionDef()):
            nullable = {
                name
                for assign in findall(function, m.Assign())
                if isinstance(assign, cst.Assign) and _may_be_none(assign.value, ())
                for target in assign.targets
                if (name := plain_name(target.target)) is not None
            }
            self._nullable[function] = nullable
            for call in findall(function, _APPENDED):
                assert isinstance(call, cst.Call)
                assert isinstance(call.func, cst.Attribute)
                name = plain_name(call.func.value)
                if name is not None and _may_be_none(call.args[0].value, nullable):
                    self._with_none.add(name)

    def _may_hold_none(self, call: cst.Call) -> bool:
        """Whether None may be in a ModuleList, from its beginning or by ``append``."""
        around = self.parents.get(call)
        targets = around.targets if isinstance(around, cst.Assign) else ()
        if any(plain_name(t.target) in self._with_none for t in targets):
            return True
        if not call.args:
            return False
        nullable = (
            self._nullable.get(self._function_nodes[-1], set()) if self._function_nodes else ()
        )
        given = call.args[0].value
        if isinstance(given, cst.ListComp):
            return _may_be_none(given.elt, nullable)
        if not isinstance(given, (cst.List, cst.Tuple)):
            return False
        return any(_may_be_none(element.value, nullable) for element in given.elements)

    def _is_joined(self, original: cst.Call) -> bool:
        """Whether cells may join a Sequential by name after it was made."""
        if not original.args:
            return True
        around = self.parents.get(original)
        if not isinstance(around, cst.Assign):
            return False
        return any(plain_name(t.target) in self._joined for t in around.targets)

    def _holds_containers(self, original: cst.Call) -> bool:
        """Whether a ModuleDict may hold what MindSpore's CellDict refuses: other containers."""
        if not original.args:
            return False
        given = original.args[0].value
        if not isinstance(given, cst.Dict):
            return True
        for element in given.elements:
            kind = self.types.of(element.value)
            if not (isinstance(kind, tuple) and kind[0] == "cell" and kind[1]):
                return True
            base = kind[1] if is_torch_module(kind[1]) else self.project.torch_base(kind[1])
            if base in CONTAINERS:
                return True
        return False

    def _list_of_cells(self, original: cst.Call, updated: cst.Call) -> Any:
        """CellList takes a list, ModuleList anything that gives modules, and None."""
        if len(original.args) > 1:
            return None
        self.used.add("nn")
        func = cst.parse_expression(f"{self.aliases['nn']}.CellList")
        if self._may_hold_none(original):
            self.helpers.add("_OptionalCells")
            func = cst.Name("_OptionalCells")
        elif not original.args:
            return None
        given = original.args[0].value if original.args else cst.List([])
        if isinstance(given, (cst.List, cst.ListComp)) or not original.args:
            return updated.with_changes(func=func)
        old = updated.args[0]
        inner = cst.Call(cst.Name("list"), [old.with_changes(keyword=None)])
        if old.star:
            return updated.with_changes(func=func)
        return cst.Call(func, [cst.Arg(inner)])


def _may_be_none(value: cst.BaseExpression, nullable: Any) -> bool:
    """Whether an expression is None, or says that it may be."""
    if isinstance(value, cst.IfExp):
        return _may_be_none(value.body, nullable) or _may_be_none(value.orelse, nullable)
    name = plain_name(value)
    return name == "None" or (name is not None and name in nullable)


def fills_containers(node: cst.FunctionDef) -> bool:
    """Whether a method fills a container that may already be an attribute."""
    for call in nodes_in(node.body):
        if not (isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)):
            continue
        if call.func.attr.value in _FILLED:
            name = plain_name(call.func.value)
            if name is not None and name.startswith("self."):
                return True
    return False
