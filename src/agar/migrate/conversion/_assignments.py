"""Assignments: to attributes that cells have otherwise, and in place to what others hold."""

from __future__ import annotations

from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._aliases import BINARY, is_given, other_name
from agar.migrate.conversion._base import Base
from agar.migrate.conversion._expand import bracketed, code_of, is_atomic
from agar.migrate.conversion._helpers import reason_for
from agar.migrate.conversion._kinds import CELL
from agar.migrate.conversion._nodes import Put, comma_and_space, keyword_arg
from agar.migrate.conversion._project import is_torch_module
from agar.migrate.conversion._table import taken_names, weight_names
from agar.migrate.conversion._types import CELL_TENSORS, SIZE, STR, TENSOR
from agar.migrate.rules import find

__all__ = ["Assigned"]

_PLAIN_VALUES = (cst.List, cst.Tuple, cst.ListComp, cst.SimpleString, cst.FormattedString, cst.Dict)
#: layer: what `_set_layer` changes of it
_SET = {
    "torch.nn.Conv2d": ("stride", "padding", "dilation"),
    "torch.nn.BatchNorm1d": ("eps", "momentum"),
    "torch.nn.BatchNorm2d": ("eps", "momentum"),
    "torch.nn.Dropout": ("p",),
}
#: arguments of layers that nothing is computed with later, or that are the weights' own
_SIZES = frozenset({
    "in_channels", "out_channels", "in_features", "out_features", "num_features", "num_channels",
    "num_embeddings", "embedding_dim", "normalized_shape", "embed_dim", "input_size",
    "hidden_size", "num_parameters", "inplace", "bias", "affine", "elementwise_affine", "device",
    "dtype", "sparse", "weight",
})  # fmt: skip
#: what says without a class that a layer is meant
_OF_CONVOLUTION = ("stride", "padding", "dilation")
_BUILT = (
    "MindSpore's layer is built with it and reads no later value: make the layer with the value"
)


class Assigned(Base):
    """Converts assignments."""

    _replaced: dict[cst.CSTNode, cst.BaseSmallStatement]

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> Any:
        operator = BINARY.get(type(original_node.operator))
        if operator is not None and isinstance(updated_node.target, cst.Attribute):
            value = cst.BinaryOperation(updated_node.target, operator(), updated_node.value)
            set_ = self._setting(original_node, original_node.target, updated_node.target, value)
            if set_ is not None:
                return set_
        kind = self.types.of(original_node.target)
        if operator is None or not self._function_nodes or kind not in (None, TENSOR):
            return updated_node
        other = other_name(original_node, self._function_nodes[-1])
        if other is None or kind is None or isinstance(original_node.target, cst.Subscript):
            self._shared_change(original_node, other, kind)
            return updated_node
        name = code_of(original_node.target)
        self._note(original_node, "note", f"{name} is changed in place, because {other} shares it")
        value = updated_node.value
        right = value if is_atomic(value) else bracketed(value)
        node = cst.BinaryOperation(updated_node.target, operator(), right)
        func = cst.Attribute(updated_node.target, cst.Name("copy_"))
        return cst.Expr(cst.Call(func, [cst.Arg(node)]))

    def _shared_change(self, node: cst.AugAssign, other: str | None, kind: Any) -> None:
        """Mark an addition in place that another holder of the tensor would see in PyTorch."""
        value = self.types.of(node.value)
        text = code_of(node.target)
        numbers = kind is None and (value in (STR, SIZE) or isinstance(node.value, _PLAIN_VALUES))
        # a function of the training step gets what the loop would have changed itself
        if numbers or self._function_nodes[-1].name.value.startswith("forward_fn"):
            return
        if other is not None:
            self._comment(
                node,
                f"if {text} is a tensor, PyTorch changes it in place, and {other} with it; here "
                "it is bound anew",
            )
        elif isinstance(node.target, cst.Name) and is_given(node, self._function_nodes[-1]):
            self._comment(
                node,
                f"if {text} is a tensor, PyTorch changes the caller's in place; here it is bound "
                "anew",
            )

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> Any:
        if original_node in self._gone:
            return cst.RemoveFromParent()
        if original_node in self._replaced:
            return self._replaced[original_node]
        call = updated_node.value
        if m.matches(call, m.Call(func=m.Name("setattr"), args=[m.Arg(), m.Arg(), m.Arg()])):
            return self._assigned(original_node, updated_node)
        return updated_node

    def _assigned(self, original: cst.Expr, updated: cst.Expr) -> Any:
        """``setattr(self, "conv", cell)`` with a plain name is an assignment."""
        old = original.value
        if not (isinstance(old, cst.Call) and isinstance(old.func, cst.Attribute)):
            return updated
        call = updated.value
        assert isinstance(call, cst.Call)
        name = call.args[1].value
        if not isinstance(name, cst.SimpleString):
            return updated
        text = str(name.evaluated_value)
        if not text.isidentifier() or not is_atomic(call.args[0].value):
            return updated
        value = call.args[2].value
        target = cst.Attribute(call.args[0].value, cst.Name(text))
        return cst.Assign([cst.AssignTarget(target)], value)

    def _check_attribute(self, node: cst.Assign, target: cst.BaseExpression) -> None:
        """A Cell has attributes that a module does not have, and an assignment would hide them."""
        if not isinstance(target, cst.Attribute):
            return
        kind = self.types.of(target.value)
        name = target.attr.value
        own = isinstance(kind, tuple) and kind[0] == "self" and self.project.is_cell(kind[1])
        if own and name in taken_names():
            self._comment(node, f".{name} is a Cell's own attribute: choose another name")

    def _tied(self, target: cst.BaseExpression, updated: cst.Assign) -> Any:
        """``layer.weight = other.weight`` for a layer whose class is not known."""
        if not isinstance(target, cst.Attribute) or target.attr.value not in CELL_TENSORS[:2]:
            return None
        new = updated.targets[0].target
        names = weight_names(target.attr.value)
        if self.types.of(target.value) not in (None, CELL) or not isinstance(new, cst.Attribute):
            return None
        self.helpers.add("_set_weight")
        listed = ", ".join(repr(n) for n in names)
        node = cst.parse_expression(f"_set_weight(_agar_cell_, _agar_value_, {listed})")
        given = {"_agar_cell_": new.value, "_agar_value_": updated.value}
        return cst.Expr(node.visit(Put(given)))  # type: ignore[arg-type]

    def _setting(
        self,
        node: cst.Assign | cst.AugAssign,
        target: cst.BaseExpression,
        new_target: cst.BaseExpression,
        value: cst.BaseExpression,
    ) -> Any:
        """``conv.padding = 2`` of a layer that is there: PyTorch's reads it at every call."""
        if not isinstance(target, cst.Attribute) or not isinstance(new_target, cst.Attribute):
            return None
        name = target.attr.value
        kind = self.types.of(target.value)
        classes = self._layers(kind)
        if classes:
            rules = [find(c) for c in classes]
            if name in _SIZES or not all(
                r is not None and name in r.signature.parameters for r in rules
            ):
                return None
            if not all(name in _SET.get(c, ()) for c in classes):
                dotted = f"{classes[0]}.{name}"
                self._record(node, dotted, rules[0], "by hand", reason=_BUILT)
                return cst.Expr(self._by_hand(node, dotted, _BUILT))
        elif kind not in (None, CELL) or name not in _OF_CONVOLUTION or self._is_own(target.value):
            return None
        self.helpers.add("_set_layer")
        self._record(
            node, f"{(classes or ['torch.nn.Module'])[0]}.{name}", None, "differs", "_set_layer"
        )
        call = cst.Call(
            cst.Name("_set_layer"),
            [cst.Arg(new_target.value, comma=comma_and_space()), keyword_arg(name, value)],
        )
        return cst.Expr(call)

    def _layers(self, kind: Any) -> list[str]:
        """The layers of PyTorch that compute what a cell gives; none if that is not known."""
        if not isinstance(kind, tuple) or kind[0] not in ("cell", "self") or not kind[1]:
            return []
        out = []
        for name in kind[1].split("|"):
            base = name
            if not is_torch_module(name):
                base = self.project.torch_base(name)
                if base is None or self.project.owner(name, "forward"):
                    return []
            rule = find(base)
            if rule is None:
                return []
            out.append(rule.source)
        return out

    @staticmethod
    def _is_own(node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Name) and node.value in ("self", "cls")

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> Any:
        if len(original_node.targets) != 1:
            return updated_node
        target = original_node.targets[0].target
        self._check_attribute(original_node, target)
        dotted = self.names.dotted(target)
        if dotted and dotted.startswith("torch.backends."):
            self._record(original_node, dotted, None, "differs", "nothing")
            text = " ".join(code_of(original_node).split())
            self._note(
                original_node,
                "note",
                f"{text} is left out: MindSpore chooses its kernels itself; ms.set_deterministic "
                "has it choose those that repeat their results",
            )
            return cst.RemoveFromParent()
        if dotted and dotted.startswith("torch."):
            self._record(original_node, dotted, None, "by hand", reason=reason_for(dotted))
            text = " ".join(code_of(original_node).split())
            self._comment(original_node, f"{dotted}: {reason_for(dotted)}; it was: {text}")
            return cst.Pass()
        value = updated_node.value
        # the texts are made only where they can be the same
        if value is not original_node.value and type(value) is type(target):
            now = code_of(value).strip()
            if code_of(original_node.value).strip() != now == code_of(target).strip():
                return cst.RemoveFromParent()
        tied = self._tied(target, updated_node)
        if tied is not None:
            return tied
        new_target = updated_node.targets[0].target
        set_ = self._setting(original_node, target, new_target, updated_node.value)
        if set_ is not None:
            return set_
        if not isinstance(target, cst.Attribute) or self.types.of(target.value) != TENSOR:
            return updated_node
        new = updated_node.targets[0].target
        if target.attr.value == "data" and isinstance(new, cst.Attribute):
            self._record(original_node, "torch.Tensor.data", None, "differs", "set_data")
            func = cst.Attribute(new.value, cst.Name("set_data"))
            return cst.Expr(cst.Call(func, [cst.Arg(updated_node.value)]))
        if target.attr.value == "grad":
            reason = "gradients are no state of a parameter: value_and_grad returns them"
            self._record(original_node, "torch.Tensor.grad", None, "by hand", reason=reason)
            node = self._by_hand(original_node, "torch.Tensor.grad", reason)
            return cst.Expr(node)
        return updated_node
