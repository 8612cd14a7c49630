"""States of networks, optimizers and schedules: saved, loaded, copied, frozen.

A Cell has PyTorch's ``state_dict`` and ``load_state_dict``. Optimizers and schedules have not, and
a checkpoint of MindSpore holds tensors alone: functions that the file carries stand for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._base import Base
from agar.migrate.conversion._expand import code_of
from agar.migrate.conversion._kinds import CELL_TENSORS, TENSOR, Kind
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._project import is_torch_module, torch_object
from agar.migrate.conversion._walk import findall, nodes_in
from agar.migrate.rules import find

__all__ = ["States"]

#: methods of a dict that show its keys
_LOOKS = frozenset(["items", "keys", "pop", "get", "update"])
_STATES = ("state_dict", "load_state_dict")
#: the functions for what is not a Cell: one gives the state, the other takes it
_FUNCTIONS = {
    "optimizer": ("_optimizer_state", "_load_optimizer_state"),
    "counter": ("_counters", "_load_counters"),
}
_NEEDED = {
    "_load_optimizer_state": ("_optimizer_state",),
    "_requires_grad": ("_parameters",),
}


class States(Base):
    """What becomes of checkpoints and of ``requires_grad_``."""

    #: what the names of the file were made by, see `Loading`
    _calls_of: dict[str, list[cst.Call]]

    def _read_states(self, node: cst.Module) -> None:
        """Which methods the file's classes define, and which names it looks into."""
        self._own_methods: set[str] = set()
        self._looked_into: set[str | None] = set()
        self._replaced: dict[cst.CSTNode, cst.BaseSmallStatement] = {}
        for part in nodes_in(node):
            if isinstance(part, cst.ClassDef):
                functions = (f for f in part.body.body if isinstance(f, cst.FunctionDef))
                self._own_methods |= {f.name.value for f in functions}
            elif isinstance(part, cst.Subscript) or (
                isinstance(part, cst.Attribute) and part.attr.value in _LOOKS
            ):
                self._looked_into.add(plain_name(part.value))
            elif isinstance(part, (cst.For, cst.CompFor)):
                self._looked_into.add(plain_name(part.iter))
            elif isinstance(part, cst.ComparisonTarget):
                self._looked_into.add(plain_name(part.comparator))

    def _helper(self, name: str, args: Sequence[cst.Arg]) -> cst.Call:
        self.helpers |= {name, *_NEEDED.get(name, ())}
        return cst.Call(cst.Name(name), args)

    # ------------------------------------------------------------------ files

    def _file_call(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        """``torch.save`` and ``torch.load``; None for other calls."""
        scaler = self._scaler(original, updated, dotted)
        if scaler is not None:
            return scaler
        target = torch_object(dotted)
        if target is torch_object("torch.save"):
            return self._saved(original, updated)
        if target is torch_object("torch.load"):
            given = _by_name(updated.args, ("f", "map_location", "pickle_module"))
            if given is None or "f" not in given:
                return None
            self._note(original, "note", "torch.load: the file must be one of MindSpore's")
            call = self._helper("_load", [cst.Arg(given["f"])])
            self._record(original, "torch.load", find("torch.load"), "differs", code_of(call))
            return call
        return None

    def _saved(self, original: cst.Call, updated: cst.Call) -> Any:
        given = _by_name(updated.args, ("obj", "f", "pickle_module", "pickle_protocol"))
        before = _by_name(original.args, ("obj", "f", "pickle_module", "pickle_protocol"))
        if given is None or before is None or not {"obj", "f"} <= given.keys():
            return None
        rule = find("torch.save")
        kind = self.types.of(before["obj"])
        if isinstance(kind, tuple) and kind[0] == "cell":
            reason = "a checkpoint holds no class: save the cell's state_dict()"
            self._record(original, "torch.save", rule, "by hand", reason=reason)
            return self._by_hand(original, "torch.save", reason)
        if len(updated.args) == 2 and not any(a.keyword for a in updated.args):
            call = self._helper("_save", updated.args)
        else:
            call = self._helper("_save", [cst.Arg(given["obj"], comma=_COMMA), cst.Arg(given["f"])])
        self._record(original, "torch.save", rule, "differs", code_of(call))
        return updated.with_changes(func=call.func, args=call.args)

    def _scaler(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        """A GradScaler whose steps became MindSpore's; None for another call."""
        if not self.scaled or not dotted.endswith(".GradScaler"):
            return None
        names = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
        by_device = torch_object(dotted) is torch_object("torch.amp.GradScaler")
        given = _by_name(updated.args, ("device", *names) if by_device else names)
        if given is None:
            return None
        texts = {name: code_of(value).strip() for name, value in given.items()}
        growth, back = texts.get("growth_factor", "2"), texts.get("backoff_factor", "0.5")
        try:
            if float(growth) * float(back) != 1:
                return None
        except ValueError:
            return None
        scale, interval = texts.get("init_scale", "65536"), texts.get("growth_interval", "2000")
        growth = growth.removesuffix(".0")
        text = f"ms.amp.DynamicLossScaler({scale}, {growth}, {interval})"
        enabled = texts.get("enabled", "True")
        if enabled == "False":
            text = "ms.amp.StaticLossScaler(1)"
        elif enabled != "True":
            text = f"{text} if {enabled} else ms.amp.StaticLossScaler(1)"
        self.used.add("ms")
        self._record(original, dotted, find(dotted), "differs", text)
        return cst.parse_expression(text.replace("ms.", f"{self.aliases['ms']}."))

    # ------------------------------------------------------------------ states

    def _state_call(
        self, original: cst.Call, updated: cst.Call, func: cst.Attribute, kind: Kind
    ) -> Any:
        """``x.state_dict()`` and ``x.load_state_dict(state)``; None for other methods."""
        name = func.attr.value
        if name not in _STATES or (isinstance(kind, tuple) and kind[0] == "super"):
            return None
        assert isinstance(updated.func, cst.Attribute)
        what = self._stateful(func.value, kind)
        loads = name == "load_state_dict"
        if what in _FUNCTIONS:
            full = f"torch.optim.Optimizer.{name}"
            if len(original.args) != int(loads):
                return None
            receiver = cst.Arg(updated.func.value)
            args = [receiver.with_changes(comma=_COMMA), *updated.args] if loads else [receiver]
            call = self._helper(_FUNCTIONS[what][loads], args)
            self._record(original, full, None, "differs", code_of(call))
            return call
        known = isinstance(kind, tuple) and kind[0] in ("cell", "self")
        if self._defines(kind, name, known):
            return updated
        full = f"torch.nn.Module.{name}"
        rule = find(full)
        if rule is None:
            return None
        if not loads and not self._is_handed_on(original):
            self._comment(
                original,
                "the names are the cell's (gamma, moving_mean), and there is no "
                "num_batches_tracked: see to what reads them",
            )
        return self._by_rule(
            original, updated, rule, updated.args, original.args, updated.func.value
        )

    def _defines(self, kind: Kind, name: str, known: bool) -> bool:
        """Whether the file's own classes say what a state is: surely, or perhaps."""
        if known:
            owner = kind[1]
            return bool(owner and "|" not in owner and self.project.owner(owner, name))
        return name in self._own_methods

    def _stateful(self, node: cst.BaseExpression, kind: Kind) -> str:
        """Whether something is an optimizer, counts (a schedule, a scaler), or neither."""
        name = plain_name(node)
        if name is None or (isinstance(kind, tuple) and kind[0] == "cell" and kind[1]):
            return ""
        for call in self._calls_of.get(name, []):
            dotted = self.names.dotted(call.func) or ""
            if dotted.startswith("torch.optim.lr_scheduler.") or dotted.endswith(".GradScaler"):
                return "counter"
            if dotted.startswith("torch.optim.swa_utils."):
                return ""
            if dotted.startswith("torch.optim."):
                return "optimizer"
        last = name.rpartition(".")[2].lower()
        if "sched" in last or "scaler" in last:
            return "counter"
        return "optimizer" if "opt" in last.split("_")[0] or last.endswith("optimizer") else ""

    def _is_handed_on(self, original: cst.Call) -> bool:
        """Whether a state is only saved, copied or loaded again, so that no name of it is read."""
        around: Any = self.parents.get(original)
        if isinstance(around, (cst.DictElement, cst.Return, cst.Attribute)):
            method = around.attr.value if isinstance(around, cst.Attribute) else ""
            return method in ("", "copy") and not isinstance(around, cst.Return)
        if isinstance(around, cst.Arg):
            call: Any = self.parents.get(around)
            name = (plain_name(call.func) or code_of(call.func)).rpartition(".")[2]
            if name == "deepcopy":
                return self._is_handed_on(call)
            return name in ("load_state_dict", "save", "dict", "_save")
        if isinstance(around, cst.Assign) and len(around.targets) == 1:
            name = plain_name(around.targets[0].target)
            return name is not None and name not in self._looked_into
        return False

    # ------------------------------------------------------------------ what is trained

    def _freezing(
        self, original: cst.Call, updated: cst.Call, func: cst.Attribute, kind: Kind
    ) -> Any:
        """``x.requires_grad_(False)`` of a cell, or of a parameter; None for another tensor."""
        if func.attr.value != "requires_grad_" or len(original.args) > 1:
            return None
        assert isinstance(updated.func, cst.Attribute)
        receiver = updated.func.value
        value = updated.args[0].value if updated.args else cst.Name("True")
        if isinstance(kind, tuple) and kind[0] in ("cell", "self"):
            if self._defines(kind, "requires_grad_", known=True):
                return None
            given = [cst.Arg(receiver, comma=_COMMA), cst.Arg(value)]
            if not updated.args:
                given = [cst.Arg(receiver)]
            call = self._helper("_requires_grad", given)
            full = "torch.nn.Module.requires_grad_"
            self._record(original, full, find(full), "differs", code_of(call))
            return call
        statement = self.parents.get(original)
        if not isinstance(statement, cst.Expr) or not self._is_parameter(original, func.value):
            if kind is None and "requires_grad_" not in self._own_methods:
                full = "torch.nn.Module.requires_grad_"
                rule = find(full)
                reason = rule.reason if rule is not None else ""
                self._record(original, full, rule, "by hand", reason=reason)
                return self._by_hand(original, full, reason)
            return None
        target = cst.Attribute(receiver, cst.Name("requires_grad"))
        self._replaced[statement] = cst.Assign([cst.AssignTarget(target)], value)
        full = "torch.Tensor.requires_grad_"
        self._record(original, full, find(full), "differs", "requires_grad")
        return updated

    def _is_parameter(self, call: cst.Call, node: cst.BaseExpression) -> bool:
        """Whether a tensor is a cell's parameter: a loop gives it, or a layer has it."""
        if isinstance(node, cst.Attribute):
            base = self.types.of(node.value)
            named = node.attr.value in CELL_TENSORS
            return named and isinstance(base, tuple) and base[0] in ("cell", "self")
        if not isinstance(node, cst.Name):
            return False
        around: Any = self.parents.get(call)
        while around is not None and not isinstance(around, cst.FunctionDef):
            if isinstance(around, cst.For) and findall(around.target, m.Name(node.value)):
                text = code_of(around.iter)
                return "parameters()" in text or "_parameters(" in text
            around = self.parents.get(around)
        return self.types.of(node) == TENSOR and any(
            torch_object(dotted) is torch_object("torch.nn.Parameter")
            for constructor in self._calls_of.get(node.value, [])
            if (dotted := self.names.dotted(constructor.func))
            and is_torch_module(dotted) is not None
        )


_COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _by_name(
    args: Sequence[cst.Arg], names: tuple[str, ...]
) -> dict[str, cst.BaseExpression] | None:
    """The arguments of a call by their names; None where the source does not show them."""
    out: dict[str, cst.BaseExpression] = {}
    for i, arg in enumerate(args):
        if arg.star or (arg.keyword is None and i >= len(names)):
            return None
        out[arg.keyword.value if arg.keyword is not None else names[i]] = arg.value
    return out
