"""Calls of methods: of tensors, of cells, and of what may be either."""

from __future__ import annotations

from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._adapters import base_class
from agar.migrate.conversion._drawing import Drawing
from agar.migrate.conversion._expand import code_of, expand
from agar.migrate.conversion._helpers import INITIALIZERS, JOINING, reason_for
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._nodes import Put, broken_like, comma_and_space
from agar.migrate.conversion._project import is_torch_module, torch_object
from agar.migrate.conversion._states import States
from agar.migrate.conversion._types import CONTAINERS, TENSOR, Kind
from agar.migrate.conversion._walk import findall
from agar.migrate.rules import Rule, RuleRefused, find

__all__ = ["Methods"]

#: methods that lists, strings, dicts and modules have too: an unknown receiver is left alone
_SHARED = {name for kind in (list, str, dict, set, tuple, int, float) for name in dir(kind)} | set(
    dir(torch_object("torch.nn.Module"))
)
#: and those that numpy's arrays have too
_ARRAYS = set(dir(__import__("numpy").ndarray))


_SUPER_INIT = m.Call(func=m.Attribute(value=m.Call(func=m.Name("super")), attr=m.Name("__init__")))
#: methods that only modules have: an unknown receiver is one
_ONLY_MODULES = frozenset(
    [
        "train", "eval", "parameters", "named_parameters", "modules", "named_modules", "children",
        "named_children", "add_module", "register_module", "buffers", "named_buffers",
    ]
)  # fmt: skip

#: methods whose result shares no memory with what they are called on
_MAKES_NEW = frozenset(
    {
        "sum", "mean", "std", "var", "prod", "clone", "exp", "log", "sqrt", "abs", "matmul", "mm",
        "bmm", "softmax",
    }
)  # fmt: skip


class Methods(States, Drawing):
    """What becomes of calls of methods."""

    def _method(self, original: cst.Call, updated: cst.Call, func: cst.Attribute) -> Any:
        name = func.attr.value
        kind = self.types.of(func.value)
        if name == "__init__" and m.matches(func.value, m.Call(func=m.Name("super"))):
            return self._super_init(original, updated)
        if name == "forward" and self._may_be_cell(kind):
            self._record(original, "torch.nn.Module.forward", None, "renamed", "construct")
            assert isinstance(updated.func, cst.Attribute)
            return updated.with_changes(func=updated.func.with_changes(attr=cst.Name("construct")))
        if name == "flatten_parameters" and isinstance(self.parents.get(original), cst.Expr):
            # it only moves weights in memory
            self._record(original, "torch.nn.RNNBase.flatten_parameters", None, "differs", "")
            self._gone.add(self.parents[original])
            return updated
        if name == "get_last_lr" and not original.args:
            # MindSpore's are tensors
            self._record(
                original, "torch.optim.lr_scheduler.LRScheduler.get_last_lr", None, "differs"
            )
            node = cst.parse_expression("[float(lr) for lr in _agar_rates_]")
            return node.visit(Put({"_agar_rates_": updated}))
        if name == "type" and kind is None and not original.args:
            self._comment(original, "if this is a tensor, PyTorch gives 'torch.FloatTensor'")
        if name == "apply" and self._is_function_class(func.value):
            return updated
        node = self._seeded(original, updated, func)
        if node is None:
            node = self._state_call(original, updated, func, kind)
        if node is None:
            node = self._freezing(original, updated, func, kind)
        if node is not None:
            return node
        if kind is None or self._may_be_cell(kind):
            node = self._cell_method(original, updated, func, kind)
            if node is not None:
                return node
        hand = self._gradient_method(original, func, kind)
        if hand is not None:
            return hand
        if kind is None and name in ("to", "cuda", "cpu") and self._is_placing(original, name):
            return self._placed(original, updated, name)
        if kind == TENSOR or self._likely_tensor(original, func, kind):
            return self._tensor_method(original, updated, func)
        return updated

    def _gradient_method(self, original: cst.Call, func: cst.Attribute, kind: Kind) -> Any:
        """What is left of a training step that is not clear enough to be rewritten."""
        name = func.attr.value
        text = code_of(func.value).lower()
        if name == "backward" and kind in (None, TENSOR):
            full = "torch.Tensor.backward"
        elif name == "zero_grad" or (name == "step" and "opt" in text and kind != TENSOR):
            full = f"torch.optim.Optimizer.{name}"
        else:
            return None
        if kind is not None and self._own_definition(kind, name):
            return None
        rule = find(full)
        reason = rule.reason if rule is not None and not rule.cases else reason_for(full)
        self._record(original, full, None, "by hand", reason=reason)
        return self._by_hand(original, full, reason)

    def _is_placing(self, original: cst.Call, name: str) -> bool:
        return self._is_device(original) if name == "to" else len(original.args) < 2

    def _placed(self, original: cst.Call, updated: cst.Call, name: str) -> Any:
        assert isinstance(updated.func, cst.Attribute)
        receiver = updated.func.value
        self._record(original, f"torch.Tensor.{name}", None, "differs", code_of(receiver))
        self._note(original, "note", "tensors and cells are placed by mindspore.set_context")
        if isinstance(self.parents.get(original), cst.Expr):
            self._gone.add(self.parents[original])
        return receiver

    def _may_be_cell(self, kind: Kind) -> bool:
        if not isinstance(kind, tuple):
            return False
        if kind[0] == "super":
            return kind[1] is None or self.project.is_cell(kind[1])
        return kind[0] == "cell" or (kind[0] == "self" and self.project.is_cell(kind[1]))

    def _is_function_class(self, node: cst.CSTNode) -> bool:
        dotted = self.names.dotted(node)
        return dotted is not None and self.project.is_function_class(dotted)

    def _likely_tensor(self, original: cst.Call, func: cst.Attribute, kind: Kind) -> bool:
        name = func.attr.value
        if kind is not None or find(f"torch.Tensor.{name}") is None or name in _SHARED:
            return False
        inside = original in self.types.inside
        if name in _ARRAYS and not inside and name not in ("size",):
            if self._stays(original, func):
                return False
            text = code_of(func.value)
            self._comment(
                original,
                f"if {text} is a tensor, then .{name}() may differ: see the rule of "
                f"torch.Tensor.{name}",
            )
            return False
        if name not in _ARRAYS or name == "size" or inside:
            self._note(original, "assumption", f"{code_of(func.value)} is a tensor")
            return True
        return False

    def _stays(self, original: cst.Call, func: cst.Attribute) -> bool:
        """Whether a method's call would be the same for a tensor, so that it does not matter."""
        rule = find(f"torch.Tensor.{func.attr.value}")
        if rule is None:
            return False
        args = original.args
        try:
            node = expand(
                rule, args, args, self._rule_kind, self._dtype, self.aliases, original, func.value
            )
        except RuleRefused:
            return False
        return code_of(node.node) == code_of(original)

    def _tensor_method(self, original: cst.Call, updated: cst.Call, func: cst.Attribute) -> Any:
        name = func.attr.value
        assert isinstance(updated.func, cst.Attribute)
        receiver = updated.func.value
        filled = self._filling(original, updated, func)
        if filled is not None:
            return filled
        if name in ("cuda", "cpu", "to") and self._is_placing(original, name):
            return self._placed(original, updated, name)
        rule = find(f"torch.Tensor.{name}")
        if _is_fresh(func.value):  # nobody else sees that it is changed in place
            rule = find(f"torch.Tensor.{name.removesuffix('_')}") or rule
        if rule is None:
            if torch_object(f"torch.Tensor.{name}") is None:
                return updated
            reason = reason_for(f"torch.Tensor.{name}")
            self._record(original, f"torch.Tensor.{name}", None, "unknown", reason=reason)
            return self._by_hand(original, f"torch.Tensor.{name}", reason)
        return self._by_rule(original, updated, rule, updated.args, original.args, receiver)

    def _is_device(self, call: cst.Call) -> bool:
        """Whether the only argument of ``.to(...)`` is a device."""
        if len(call.args) != 1:
            return False
        arg = call.args[0]
        text = (plain_name(arg.value) or "").rpartition(".")[2].lower()
        if arg.keyword is not None:
            return arg.keyword.value == "device"
        if isinstance(arg.value, cst.Attribute) and arg.value.attr.value == "device":
            return True
        if isinstance(arg.value, cst.SimpleString):
            return True
        dotted = self.names.dotted(arg.value.func) if isinstance(arg.value, cst.Call) else None
        return "device" in text or dotted == "torch.device" or text in ("gpu", "cuda", "rank")

    def _filling(self, original: cst.Call, updated: cst.Call, func: cst.Attribute) -> Any:
        """``weight.data.normal_(0, 1)`` is an initializer's work."""
        data = func.value
        if not (isinstance(data, cst.Attribute) and data.attr.value == "data"):
            return None
        name = func.attr.value
        assert isinstance(updated.func, cst.Attribute)
        target = updated.func.value
        if name == "copy_" and len(updated.args) == 1:
            self._record(original, "torch.Tensor.copy_", None, "differs", "set_data")
            func_ = cst.Attribute(target, cst.Name("set_data"))
            return cst.Call(func_, updated.args)
        rule = find(INITIALIZERS[name]) if name in INITIALIZERS else None
        if rule is None:
            return None
        old = cst.Arg(data.value)
        return self._by_rule(
            original, updated, rule, [cst.Arg(target), *updated.args], [old, *original.args]
        )

    def _cell_method(
        self, original: cst.Call, updated: cst.Call, func: cst.Attribute, kind: Kind
    ) -> Any:
        name = func.attr.value
        full = f"torch.nn.Module.{name}"
        assert isinstance(updated.func, cst.Attribute)
        receiver = updated.func.value
        sure = self._may_be_cell(kind)
        if self._own_definition(kind, name):
            return updated
        if sure and name in ("to", "cuda", "cpu") and self._is_placing(original, name):
            return self._placed(original, updated, name)
        rule = find(full)
        if rule is None or not (sure or name in _ONLY_MODULES):
            return None
        if name in JOINING and len(updated.args) == 2 and not any(a.star for a in updated.args):
            return self._joined_cell(original, updated, name, receiver)
        if name in JOINING and [a.star for a in updated.args] == ["*"]:
            return self._joined_pair(original, updated, name, receiver)
        if name == "parameters" and self._unfreezes(original):
            reason = (
                "trainable_params() leaves out frozen parameters, and get_parameters() adds the "
                "running statistics: choose which to train"
            )
            self._record(original, full, rule, "by hand", reason=reason)
            return self._by_hand(original, full, reason)
        if name in ("parameters", "named_parameters") and not original.args:
            node = self._all_parameters(original, name, receiver)
            if node is not None:
                self._record(original, full, rule, "differs", code_of(node))
                return node
        if name in ("buffers", "named_buffers") and not original.args:
            self.helpers.add("_buffers")
            text = "_buffers(_agar_self_)"
            text = f"(b for _, b in {text})" if name == "buffers" else text
            node = cst.parse_expression(text).visit(Put({"_agar_self_": receiver}))
            self._record(original, full, rule, "differs", code_of(node))  # type: ignore[arg-type]
            return node
        if name == "modules" and self._is_loop(original):
            self._record(original, full, rule, "renamed", "cells_and_names()")
            func = updated.func.with_changes(attr=cst.Name("cells_and_names"))
            return cst.Call(func, [])
        node = self._by_rule(original, updated, rule, updated.args, original.args, receiver)
        for text in rule.differs.values() if rule.cases else ():
            self._note(original, "note", f"{full}: {text}")
        return node

    def _all_parameters(self, original: cst.Call, name: str, receiver: Any) -> Any:
        """Parameters that are looked at, frozen ones too; an optimizer takes the trained ones."""
        around: Any = self.parents.get(original)
        loop: Any = None
        looked = False
        while isinstance(around, (cst.Arg, cst.Call, cst.CompFor)):
            if isinstance(around, cst.Call):
                called = plain_name(around.func)
                looked |= called == "next"
                if called not in ("zip", "enumerate", "iter", "next", "list", "tuple", "len"):
                    break
                looked |= called == "len"
            elif isinstance(around, cst.CompFor):
                around = self.parents.get(around)
                elt = getattr(around, "elt", None)
                if elt is None or not isinstance(elt, (cst.Name, cst.Tuple)):
                    looked = isinstance(around, (cst.DictComp, cst.BaseSimpleComp))
                    value = getattr(around, "value", elt)
                    looked &= not isinstance(value, (cst.Name, cst.Dict))
                test = around.for_in.ifs if isinstance(around, cst.BaseComp) else ()
                over = self.parents.get(self.parents.get(around))
                called = plain_name(over.func) if isinstance(over, cst.Call) else None
                looked |= called in ("sum", "any", "all", "max", "min", "len") and not test
                break
            around = self.parents.get(around)
        if isinstance(around, cst.For):
            loop = around
        collects = m.Call(
            func=m.Attribute(attr=m.Name("append") | m.Name("extend") | m.Name("add"))
        )
        if loop is not None and not findall(
            loop.body, collects | m.AugAssign(operator=m.AddAssign())
        ):
            looked = True
        if not looked:
            if self._freezes and not (self._for_optimizer(original) or self._filtered(original)):
                self._comment(
                    original,
                    f"{name}() becomes trainable_params(), which leaves out frozen parameters",
                )
            return None
        self.helpers.add("_parameters")
        text = "_parameters(_agar_self_)"
        if name == "named_parameters":
            text = f"[(p.name, p) for p in {text}]"
        return cst.parse_expression(text).visit(Put({"_agar_self_": receiver}))

    def _filtered(self, original: cst.Call) -> bool:
        """Whether frozen parameters are left out where these are taken."""
        around: Any = self.parents.get(original)
        while around is not None and not isinstance(around, cst.BaseStatement):
            if isinstance(around, cst.CompFor):
                return any("requires_grad" in code_of(part.test) for part in around.ifs)
            if isinstance(around, cst.Call) and plain_name(around.func) == "filter":
                return "requires_grad" in code_of(around.args[0].value)
            around = self.parents.get(around)
        return False

    def _for_optimizer(self, original: cst.Call) -> bool:
        """Whether parameters go into an optimizer where they stand."""
        around: Any = self.parents.get(original)
        while around is not None and not isinstance(around, cst.BaseSmallStatement):
            dotted = self.names.dotted(around.func) if isinstance(around, cst.Call) else None
            if dotted is not None and dotted.startswith("torch.optim."):
                return True
            around = self.parents.get(around)
        return False

    def _joined_cell(self, original: cst.Call, updated: cst.Call, name: str, receiver: Any) -> Any:
        """``add_module(name, cell)`` is an assignment, which also names the parameters."""
        function = self._joiner(original)
        given = {"_agar_self_": receiver}
        for i, arg in enumerate(updated.args):
            given[f"_agar_{i}_"] = arg.value
        node: Any = cst.parse_expression(f"{function}(_agar_self_, _agar_0_, _agar_1_)")
        node = broken_like(node.visit(Put(given)), updated)
        full = f"torch.nn.Module.{name}"
        self._record(original, full, find(full), "renamed", code_of(node))
        return node

    def _joined_pair(self, original: cst.Call, updated: cst.Call, name: str, receiver: Any) -> Any:
        """``add_module(*pair)``, whose pair is a name and a cell."""
        function = self._joiner(original)
        node = cst.Call(
            cst.Name(function), [cst.Arg(receiver, comma=comma_and_space()), *updated.args]
        )
        full = f"torch.nn.Module.{name}"
        self._record(original, full, find(full), "renamed", code_of(node))
        return node

    def _joiner(self, original: cst.Call) -> str:
        """The function that puts a cell under a name into another."""
        self._fill_seen()
        if self._is_own_container(original):
            return "setattr"
        self.helpers.add("_add_cell")
        self.used.add("nn")
        return "_add_cell"

    def _is_own_container(self, original: cst.Call) -> bool:
        """Whether this file makes what a cell joins, in a form that may be joined by name."""
        assert isinstance(original.func, cst.Attribute)
        receiver = original.func.value
        kind = self.types.of(receiver)
        if isinstance(kind, tuple) and kind[0] == "self":
            return True
        if isinstance(kind, tuple) and kind[0] == "cell" and kind[1]:
            if kind[1] == "torch.nn.Sequential":
                return plain_name(receiver) in self._joined_here
            return not is_torch_module(kind[1])
        return False

    def _own_definition(self, kind: Kind, name: str) -> bool:
        owner = kind[1] if isinstance(kind, tuple) and kind[0] in ("cell", "self") else None
        return bool(owner and "|" not in owner and self.project.owner(owner, name))

    def _is_loop(self, node: cst.Call) -> bool:
        around = self.parents.get(node)
        return (
            isinstance(around, cst.For)
            and around.iter is node
            and isinstance(around.target, cst.Name)
        )

    def _unfreezes(self, node: cst.Call) -> bool:
        around = self.parents.get(node)
        if not isinstance(around, cst.For):
            return False
        assignment = m.Assign(
            targets=[m.AssignTarget(target=m.Attribute(attr=m.Name("requires_grad")))]
        )
        return any(
            isinstance(a, cst.Assign) and not m.matches(a.value, m.Name("False"))
            for a in findall(around.body, assignment)
        )

    def _fill_seen(self) -> None:
        if self._fills:
            self._fills[-1] = True

    def _see_open_init(self, node: cst.ClassDef) -> None:
        """A class that hands **arguments on to its layer derives from one with PyTorch's."""
        owner = f"{self.names.module}.{node.name.value}"
        layers = [d for b in node.bases if (d := self.names.dotted(b.value)) is not None]
        layer = next((d for d in layers if is_torch_module(d)), None)
        rule = find(layer) if layer is not None else None
        if rule is None or layer in CONTAINERS or not rule.cases:
            return
        calls = [c for c in findall(node.body, _SUPER_INIT) if isinstance(c, cst.Call)]
        if not any(self._is_open(call, rule) for call in calls):
            return
        helper = base_class(rule, self.aliases)
        if helper is not None:
            self._open_inits[owner] = helper.name
            self.used |= helper.used
            self.adapters[helper.name] = helper.code

    def _is_open(self, call: cst.Call, rule: Rule) -> bool:
        """Whether the arguments of a call are not all in the source."""
        if not any(a.star for a in call.args):
            return False
        try:
            expand(rule, call.args, call.args, self._rule_kind, self._dtype, self.aliases, call)
        except RuleRefused:
            return True
        return False

    def _super_init(self, original: cst.Call, updated: cst.Call) -> Any:
        owner = self._classes[-1] if self._classes else None
        base = self.project.torch_base(owner) if owner else None
        own_init = self.project.owner_of_init(owner) if owner else None
        if base is None or base == "torch.nn.Module" or base in CONTAINERS or own_init:
            return updated
        rule = find(base)
        if rule is None or owner in self._open_inits:
            return updated
        node = self._by_rule(original, updated, rule, updated.args, original.args)
        if isinstance(node, cst.Call) and plain_name(node.func) == "_zero_biases":
            reason = "set the bias of attention's last layer to zeros after this line"
            self._comment(original, f"init='torch': {reason}")
            node = node.args[0].value
        if isinstance(node, cst.Call) and plain_name(node.func) == self._written_name(rule.target):
            return node.with_changes(func=updated.func)
        if plain_name(getattr(node, "func", node)) == "_by_hand":
            return node
        return self._by_hand(original, base, "its counterpart is not a class: write a Cell")

    def _written_name(self, target: str | None) -> str | None:
        head, dot, rest = (target or "").partition(".")
        return self.aliases.get(head, head) + dot + rest if target else None


def _is_fresh(value: cst.BaseExpression) -> bool:
    """Whether a value is a tensor that was made for this expression: ``x.sum().mul_(2)``."""
    return (
        isinstance(value, cst.Call)
        and isinstance(value.func, cst.Attribute)
        and value.func.attr.value in _MAKES_NEW
    )
