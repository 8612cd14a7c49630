"""The transformer: one file of PyTorch code becomes one of Cells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._absent import SWITCHES, Absent
from agar.migrate.conversion._adapters import initializer, is_transparent, value_of
from agar.migrate.conversion._aliases import read_later
from agar.migrate.conversion._assignments import Assigned
from agar.migrate.conversion._attention import Attention
from agar.migrate.conversion._base import without_name
from agar.migrate.conversion._containers import Containers, fills_containers
from agar.migrate.conversion._expand import code_of, expand
from agar.migrate.conversion._helpers import reason_for
from agar.migrate.conversion._initial import difference
from agar.migrate.conversion._loading import Loading
from agar.migrate.conversion._methods import Methods
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._nodes import (
    Put,
    comma_and_space,
    keyword_arg,
    reached,
    requoted,
    says_in_place,
)
from agar.migrate.conversion._project import is_torch_module, torch_object
from agar.migrate.conversion._table import (
    argument_name,
    argument_value,
    case_of,
    classes_of_rule,
    plain_class,
    weight_names,
)
from agar.migrate.conversion._types import ARRAY, CELL_TENSORS, CONTAINERS, TENSOR, TENSORS
from agar.migrate.conversion._walk import code_of_tree, nodes_in
from agar.migrate.rules import Rule, RuleRefused, find

__all__ = ["Transformer"]

#: one of the rates of a scheduler, of which all become floats
_A_LAST_RATE = m.Subscript(
    value=m.Call(func=m.Attribute(attr=m.Name("get_last_lr")), args=[]),
    slice=[m.SubscriptElement(slice=m.Index())],
)
_NO_GRAD = ("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad")
_PASS = m.SimpleStatementLine(body=[m.Pass()])
_WHOLE = (
    "the module is used as a value, and what is asked of it is decided when the program runs: "
    "write the names; those of dtypes are the same in mindspore"
)
#: containers have no weights: what is asked for one is another cell
_NO_WEIGHTS = tuple((name,) for name in CONTAINERS)
_KEEP_MOMENTUM = ("nn.BatchNorm1d", "nn.BatchNorm2d", "nn.SyncBatchNorm")
#: bases whose subclasses are complete without them
_PLAIN_BASES = (
    "torch.utils.data.Dataset",
    "torch.utils.data.IterableDataset",
    "torch.utils.data.Sampler",
)


class Transformer(Methods, Loading, Absent, Containers, Attention, Assigned):
    """Converts one tree; `notes` and `calls` say what was done."""

    def visit_Module(self, node: cst.Module) -> None:
        self._freezes = "requires_grad" in code_of_tree(node)
        self._read_datasets(node)
        self._read_states(node)
        self._read_containers(node)
        for part in nodes_in(node):
            if isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute):
                if part.func.attr.value in ("add_module", "register_module"):
                    self._joined.add(plain_name(part.func.value))
            elif isinstance(part, cst.Assign) and isinstance(part.value, cst.Call):
                dotted = self.names.dotted(part.value.func)
                if dotted and torch_object(dotted) is torch_object("torch.nn.Sequential"):
                    self._joined_here |= {plain_name(t.target) for t in part.targets}

    def visit_Call(self, node: cst.Call) -> None:
        self._quiet.add(node.func)
        if self._asks_torch(node):
            self._quiet.add(node.args[0].value)
        func = node.func
        # weight.data.fill_(0) and init.zeros_(weight.data) change the weight itself
        if isinstance(func, cst.Attribute) and func.attr.value.endswith("_"):
            self._data.add(func.value)
        dotted = self.names.dotted(func)
        if dotted is not None and dotted.startswith("torch.nn.init.") and node.args:
            self._data.add(node.args[0].value)
        if m.matches(node.func, m.Name("isinstance") | m.Name("issubclass")) and len(node.args) > 1:
            classes = node.args[1].value
            parts = classes.elements if isinstance(classes, cst.Tuple) else [cst.Element(classes)]
            self._class_tests.update(p.value for p in parts)

    def visit_Comparison(self, node: cst.Comparison) -> None:
        sides = [node.left, *(c.comparator for c in node.comparisons)]
        about_type = any(
            m.matches(s, m.Call(func=m.Name("type")) | m.Attribute(attr=m.Name("__class__")))
            for s in sides
        )
        if about_type:
            self._class_tests.update(sides)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Any:
        node = self._call(original_node, updated_node)
        return node if node is updated_node else self._bracket(original_node, node)

    def _call(self, original: cst.Call, updated: cst.Call) -> Any:
        dotted = self.names.dotted(original.func)
        if dotted is not None:
            if dotted.startswith("torch."):
                self._check_in_place(original)
                return self._torch_call(original, updated, dotted)
            if self._is_library(dotted):
                return self._of_library(original, original.func, dotted)
            return updated
        if self._asks_torch(original):
            return self._has(original, updated)
        asked = self._asked(original, updated)
        if asked is not None:
            return asked
        self._check_in_place(original)
        attention = self._attention(original, updated)
        if attention is not None:
            return attention
        if isinstance(original.func, cst.Attribute):
            return self._method(original, updated, original.func)
        return updated

    def _check_in_place(self, original: cst.Call) -> None:
        """Mark what PyTorch changes in place and somebody reads afterwards."""
        if not original.args or original.args[0].keyword or not self._function_nodes:
            return
        name = plain_name(original.args[0].value)
        if name is None or not self._works_in_place(original):
            return
        statement: Any = original
        while statement is not None and not isinstance(
            statement, (cst.BaseSmallStatement, cst.BaseCompoundStatement)
        ):
            statement = self.parents.get(statement)
        other = read_later(statement, original, name, self._function_nodes[-1])
        if other is not None:
            self._comment(
                original,
                f"{code_of(original)} changes {name} in place in PyTorch, and {other} is read "
                "afterwards; here it keeps its value",
            )

    def _works_in_place(self, call: cst.Call) -> bool:
        dotted = self.names.dotted(call.func)
        if dotted is not None:
            target = torch_object(dotted)
            if is_torch_module(dotted) or dotted.startswith(("torch.nn.init.", "torch.nn.utils.")):
                return False
            return (dotted.endswith("_") and callable(target)) or says_in_place(call, 9)
        constructor = self.types.constructor_of(call.func)
        while constructor is not None:
            dotted = self.names.dotted(constructor.func)
            if dotted is None or not is_torch_module(dotted):
                return says_in_place(constructor, 9)
            if dotted != "torch.nn.Sequential":
                rule = find(dotted)
                names = list(rule.signature.parameters) if rule is not None else []
                return says_in_place(
                    constructor, names.index("inplace") if "inplace" in names else 9
                )
            first = constructor.args[0].value if constructor.args else None
            constructor = first if isinstance(first, cst.Call) else None
        return False

    def _torch_call(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        if dotted in _NO_GRAD:
            self._record(original, dotted, None, "renamed", "_no_grad()")
            self.no_grad = True
            return cst.parse_expression("_no_grad()")
        if dotted == "torch._assert":
            asserted = self._assertion(original, updated)
            if asserted is not None:
                return asserted
        if dotted in SWITCHES and self._is_switched_off(original, dotted):
            return self._switched_off(original, dotted)
        special = self._special(original, updated, dotted)
        if special is not None:
            self._record(original, dotted, find(dotted), "differs", code_of(special))
            return special
        loaded = self._data_call(original, updated, dotted)
        if loaded is None:
            loaded = self._installed(original, updated, dotted)
        if loaded is None:
            loaded = self._drawn(original, updated, dotted)
        if loaded is None:
            loaded = self._file_call(original, updated, dotted)
        if loaded is not None:
            return loaded
        unbound = self._unbound_method(original, updated, dotted)
        if unbound is not None:
            return unbound
        rule = find(dotted)
        if rule is None:
            reason = reason_for(dotted)
            self._record(original, dotted, None, "unknown", reason=reason)
            return self._by_hand(original, dotted, reason)
        return self._by_rule(original, updated, rule, updated.args, original.args)

    def _unbound_method(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        """``torch.Tensor.relu(x)``."""
        if not dotted.startswith("torch.Tensor.") or not original.args or original.args[0].star:
            return None
        rule = find(dotted)
        if rule is None:
            return None
        return self._by_rule(
            original,
            updated,
            rule,
            updated.args[1:],
            original.args[1:],
            receiver=updated.args[0].value,
        )

    def _special(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        target = torch_object(dotted)
        if target is torch_object("torch.nn.Parameter"):
            return self._parameter(original, updated)
        if target is torch_object("torch.nn.Sequential") and self._is_joined(original):
            self.helpers.add("_NamedSequentialCell")
            self.used.add("nn")
            return updated.with_changes(func=cst.Name("_NamedSequentialCell"))
        if target is torch_object("torch.nn.ModuleDict") and self._holds_containers(original):
            self.helpers.add("_NamedCells")
            self.used.add("nn")
            return updated.with_changes(func=cst.Name("_NamedCells"))
        if target is torch_object("torch.nn.Sequential"):
            self.used.add("nn")
            func = cst.parse_expression(f"{self.aliases['nn']}.SequentialCell")
            return updated.with_changes(func=func)
        if target is torch_object("torch.nn.ModuleList"):
            return self._list_of_cells(original, updated)
        if dotted.endswith("autograd.Variable") and len(original.args) == 1:
            return updated.args[0].value
        if dotted in ("torch.Tensor", "torch.FloatTensor") and original.args:
            return self._float_tensor(original, updated)
        if dotted == "torch.nn.init._calculate_fan_in_and_fan_out":
            self.helpers.add("_fans")
            return updated.with_changes(func=cst.Name("_fans"))
        if dotted == "torch.Size" and len(original.args) == 1:
            return cst.Call(cst.Name("tuple"), updated.args)
        return None

    def _float_tensor(self, original: cst.Call, updated: cst.Call) -> Any:
        """``torch.Tensor(...)``: of sizes a tensor that is not filled, of a list its numbers."""
        self.used |= {"ms", "ops"}
        given = [cst.Element(a.value) for a in updated.args]
        ms, ops = self.aliases["ms"], self.aliases["ops"]
        if not any(a.star or a.keyword for a in original.args):
            if len(given) > 1:
                node = cst.parse_expression(f"{ops}.zeros(_agar_sizes_, {ms}.float32)")
                return node.visit(Put({"_agar_sizes_": cst.Tuple(given)}))
            if isinstance(original.args[0].value, (cst.List, cst.ListComp)):
                node = cst.parse_expression(f"{ms}.Tensor(_agar_list_, {ms}.float32)")
                return node.visit(Put({"_agar_list_": given[0].value}))
        self.helpers.add("_float_tensor")
        return updated.with_changes(func=cst.Name("_float_tensor"))

    def _parameter(self, original: cst.Call, updated: cst.Call) -> Any:
        """``nn.Parameter(value)`` gets the name of the attribute that it is assigned to."""
        self.used.add("ms")
        name = None
        around = self.parents.get(original)
        if isinstance(around, cst.Assign) and len(around.targets) == 1:
            target = around.targets[0].target
            name = target.attr.value if isinstance(target, cst.Attribute) else None
            if isinstance(target, cst.Name):
                name = target.value
        elif isinstance(around, cst.Arg):
            outer = self.parents.get(around)
            if isinstance(outer, cst.Call) and outer.args and outer.args[0] is not around:
                said = outer.args[0].value
                if isinstance(said, cst.SimpleString):
                    name = str(said.evaluated_value)
        args = list(updated.args)
        for i, keyword in enumerate(("default_input", "requires_grad")):
            if i < len(args) and args[i].keyword is not None and i == 0:
                args[i] = args[i].with_changes(keyword=cst.Name(keyword))
            elif i == 1 and len(args) > 1 and args[1].keyword is None:
                args[1] = keyword_arg(keyword, args[1].value, args[1].comma)
        if name is not None:
            if args:
                comma = args[-1].comma
                if isinstance(comma, cst.MaybeSentinel):
                    args[-1] = args[-1].with_changes(comma=comma_and_space())
            args.append(keyword_arg("name", cst.SimpleString(repr(name))))
        func = cst.parse_expression(f"{self.aliases['ms']}.Parameter")
        return updated.with_changes(func=func, args=args)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._classes.append(f"{self.names.module}.{node.name.value}")
        self._quiet.update(b.value for b in node.bases)
        self._quiet.update(b.value.value for b in node.bases if isinstance(b.value, cst.Subscript))
        self._see_open_init(node)

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> Any:
        self._classes.pop()
        updated_node = self._with_init(original_node, updated_node)
        bases = []
        for old, new in zip(original_node.bases, updated_node.bases, strict=True):
            base = self._base(original_node, old.value, new.value)
            if base is not None:
                bases.append(new.with_changes(value=base))
        if bases and len(bases) < len(original_node.bases):
            bases[-1] = bases[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        elif not bases and original_node.bases and not original_node.keywords:
            return updated_node.with_changes(
                bases=bases, lpar=cst.MaybeSentinel.DEFAULT, rpar=cst.MaybeSentinel.DEFAULT
            )
        return updated_node.with_changes(bases=bases)

    def _with_init(self, original: cst.ClassDef, updated: cst.ClassDef) -> cst.ClassDef:
        """A class that takes its layer's arguments as they are gets PyTorch's signature."""
        name = f"{self.names.module}.{original.name.value}"
        layers = [d for b in original.bases if (d := self.names.dotted(b.value)) is not None]
        layer = next((d for d in layers if is_torch_module(d)), None)
        rule = find(layer) if layer is not None else None
        owned = self.project.owner(name, "__init__") or self.project.owner_of_init(name)
        if layer is None or rule is None or owned or layer in CONTAINERS:
            return updated
        if plain_class(layer) is not None or not rule.cases or is_transparent(rule):
            return updated
        if not isinstance(updated.body, cst.IndentedBlock):
            small: list[Any] = list(updated.body.body)
            lines: list[Any] = [cst.SimpleStatementLine(small)]
        else:
            lines = list(updated.body.body)
        helper = initializer(rule, self.aliases)
        if helper is None:
            self._comment(original, f"{layer} takes other arguments here: write an __init__")
            return updated
        self.used |= helper.used
        if difference(rule.target):
            self._note(original, "note", f"{layer}: {difference(rule.target)}")
            if self.init == "torch":
                self._comment(original, f"init='torch': {layer} begins otherwise in a subclass")
        function: Any = cst.parse_statement(helper.code)
        at = 0
        quoted = m.SimpleStatementLine(body=[m.Expr(m.SimpleString() | m.ConcatenatedString())])
        while at < len(lines) and (
            m.matches(lines[at], quoted)
            or m.matches(lines[at], m.SimpleStatementLine(body=[m.Assign() | m.AnnAssign()]))
        ):
            at += 1
        blank = [cst.EmptyLine(indent=False)]
        function = function.with_changes(leading_lines=blank if at else ())
        rest = [s for s in lines[at:] if not m.matches(s, _PASS)]
        if rest and not rest[0].leading_lines:
            rest[0] = rest[0].with_changes(leading_lines=blank)
        return updated.with_changes(body=cst.IndentedBlock([*lines[:at], function, *rest]))

    def _base(self, node: cst.ClassDef, old: cst.BaseExpression, new: cst.BaseExpression) -> Any:
        # Dataset[int] derives from what Dataset does
        dotted = self.names.dotted(old.value if isinstance(old, cst.Subscript) else old)
        if dotted is None or not dotted.startswith("torch."):
            return new
        target = torch_object(dotted)
        if any(target is torch_object(d) for d in _PLAIN_BASES):
            # its methods are all that mindspore.dataset asks for; the base gives none of them
            if target is torch_object(_PLAIN_BASES[0]):
                self._record(old, dotted, None, "differs", "object")
                return None
            reason = reason_for(dotted)
            self._record(old, dotted, None, "by hand", reason=reason)
            self._comment(old, f"base class {dotted} is left out: {reason}")
            return None
        if isinstance(old, cst.Subscript):
            return new
        name = f"{self.names.module}.{node.name.value}"
        if target is torch_object("torch.nn.Sequential"):
            if self.project.owner(name, "forward") is None:
                self.helpers.add("_NamedSequentialCell")
                self.used.add("nn")
                return cst.Name("_NamedSequentialCell")
            return self._written("nn.SequentialCell")
        plain = plain_class(dotted)
        if plain is not None:
            self._record(old, dotted, None, "renamed", plain)
            if target is torch_object("torch.autograd.Function"):
                self._note(old, "note", "MindSpore runs it in PYNATIVE_MODE only, agar in both")
            return self._written(plain)
        rule = find(dotted)
        if name in self._open_inits:
            self._record(old, dotted, rule, "differs", self._open_inits[name])
            return cst.Name(self._open_inits[name])
        if rule is not None and rule.target and is_torch_module(dotted):
            self._record(old, dotted, rule, "differs", rule.target)
            return self._written(rule.target)
        reason = reason_for(dotted)
        self._record(old, dotted, rule, "by hand", reason=reason)
        if self.target == "mindspore":
            return self._by_hand(old, dotted, f"a base class; {reason}")
        self._comment(old, f"base class {dotted} stays PyTorch's: {reason}")
        self.foreign = True
        return cst.parse_expression(dotted)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._function_nodes.append(node)
        self._fills.append(False)

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> Any:
        self._function_nodes.pop()
        fills = self._fills.pop()
        owner = self._method_owner(original_node)
        if owner is not None and original_node.name.value == "__getitem__":
            bases = self.project.bases(owner)
            if any(torch_object(b) is torch_object(_PLAIN_BASES[0]) for b in bases):
                return self._with_plain_index(updated_node)
        if owner is None or not self.project.is_cell(owner):
            if fills and self._fills:
                self._fills[-1] = True
            return updated_node
        name = original_node.name.value
        if name == "forward":
            return updated_node.with_changes(name=cst.Name("construct"))
        if name == "extra_repr":
            return updated_node.with_changes(name=cst.Name("extend_repr"))
        if name == "train":
            return updated_node.with_changes(name=cst.Name("set_train"))
        if name == "__init__" and (fills or fills_containers(original_node)):
            return self._with_names(updated_node)
        return updated_node

    def _method_owner(self, node: cst.FunctionDef) -> str | None:
        body = self.parents.get(node)
        around = self.parents.get(body) if body is not None else None
        return self._classes[-1] if isinstance(around, cst.ClassDef) and self._classes else None

    def _with_names(self, node: cst.FunctionDef) -> Any:
        params = node.params.params
        me = params[0].name.value if params else "self"
        # containers were filled after they became attributes, so names lack the attribute's
        lines = cst.parse_module(
            f"for path, parameter in {me}.parameters_and_names():\n    parameter.name = path\n"
        )
        if not isinstance(node.body, cst.IndentedBlock):
            return node
        return node.with_changes(body=node.body.with_changes(body=[*node.body.body, *lines.body]))

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        self._see_passed_on(node)
        return False

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        self._quiet.add(node.target)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self._quiet.add(node.target)

    def visit_Del(self, node: cst.Del) -> None:
        self._quiet.add(node.target)

    def visit_Annotation(self, node: cst.Annotation) -> None:
        self._annotations += 1
        self._foreign_types = False

    def leave_Annotation(self, original_node: cst.Annotation, updated_node: cst.Annotation) -> Any:
        self._annotations -= 1
        if not self._foreign_types:
            return updated_node
        # a type of PyTorch that has no counterpart: as a text, no operator of types meets it
        text = " ".join(code_of(original_node.annotation).split())
        return updated_node.with_changes(annotation=cst.SimpleString(repr(text)))

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> Any:
        said = original_node.evaluated_value
        if not self._annotations or not isinstance(said, str):
            return updated_node
        text = re.sub(r"\btorch\.Tensor\b", "Tensor", said)
        text = re.sub(r"\b(torch\.)?nn\.Module\b", "nn.Cell", text)
        if text == said:
            return updated_node
        self.used |= {name for name in ("Tensor", "nn") if re.search(rf"\b{name}\b", text)}
        return cst.SimpleString(repr(text))

    def leave_FormattedString(
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> Any:
        return updated_node if updated_node is original_node else requoted(updated_node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Any:
        around = self.parents.get(original_node)
        if isinstance(around, cst.Attribute):
            return updated_node
        if isinstance(around, (cst.ClassDef, cst.FunctionDef)) and around.name is original_node:
            return updated_node
        if (
            isinstance(around, (cst.Arg, cst.Param))
            and getattr(around, "keyword", getattr(around, "name", None)) is original_node
        ):
            return updated_node
        return self._reference(original_node, updated_node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> Any:
        around = self.parents.get(original_node)
        if isinstance(around, cst.Attribute) and self.names.dotted(around):
            return updated_node
        if original_node in self._data and original_node.attr.value == "data":
            return updated_node.value
        dataset = self._dataset_read(original_node, updated_node)
        if dataset is not None:
            return dataset
        node = self._reference(original_node, updated_node)
        if node is not updated_node:
            return self._bracket(original_node, node)
        if original_node in self._quiet and not self._is_weight(original_node):
            return updated_node
        node = self._attribute(original_node, updated_node)
        return node if node is updated_node else self._bracket(original_node, node)

    def _reference(self, original: Any, updated: Any) -> Any:
        """A name of PyTorch that is not called."""
        dotted = self.names.dotted(original)
        if dotted is None or original in self._quiet:
            return updated
        if self.target == "mindspore" and self._is_library(dotted) and not self._annotations:
            return self._of_library(original, original, dotted)
        if dotted == "torch" and self.target == "mindspore" and not self._is_bound(original):
            return self._by_hand(original, dotted, _WHOLE)
        if not dotted.startswith("torch."):
            return updated
        return self._reference_to(original, updated, dotted)

    def _is_bound(self, name: cst.CSTNode) -> bool:
        """Whether a name stands where it is bound or unbound, and not read."""
        binding = (cst.ImportAlias, cst.AsName, cst.Del, cst.NameItem, cst.Param)
        return isinstance(self.parents.get(name), binding) or self._annotations > 0

    def _reference_to(self, original: Any, updated: Any, dotted: str) -> Any:
        """What stands for a name of PyTorch that is not called."""
        if dotted == "torch.__version__":
            return self._version(original, dotted)
        if dotted in _NO_GRAD:
            self._record(original, dotted, None, "renamed", "_no_grad")
            self.no_grad = True
            return cst.Name("_no_grad")
        target = torch_object(dotted)
        if isinstance(target, torch_object("torch.dtype")):
            self.used.add("ms")
            name = str(target).removeprefix("torch.")
            return self._written(f"ms.{'bool_' if name == 'bool' else name}")
        plain = plain_class(dotted)
        if plain is not None:
            if plain == "ms.Tensor":
                plain = "Tensor"
            if plain != "type(ms.float32)" or not self._annotations:
                self._record(original, dotted, None, "renamed", plain)
                return self._written(plain)
        if isinstance(target, float):
            self.used.add("math")
            return self._written(f"math.{dotted.rpartition('.')[2]}")
        return self._passed(original, updated, dotted)

    def _passed(self, original: Any, updated: Any, dotted: str) -> Any:
        """A class or function of PyTorch as a value."""
        rule = find(dotted)
        if self._annotations:
            self._record(original, dotted, rule, "by hand", reason="an annotation")
            self._foreign_types = True
            return updated
        if rule is not None and rule.target:
            if original in self._class_tests:
                classes = classes_of_rule(rule)
                if is_torch_module(dotted) and classes:
                    self._record(original, dotted, rule, "renamed", ", ".join(classes))
                    if len(classes) == 1:
                        return self._written(classes[0])
                    elements = [cst.Element(self._written(c)) for c in classes]
                    return cst.Tuple(elements)
            elif is_transparent(rule):
                self._record(original, dotted, rule, "renamed", rule.target)
                return self._written(rule.target)
            else:
                helper = value_of(rule, self.aliases)
                if helper is not None:
                    if isinstance(
                        self.parents.get(original), (cst.Comparison, cst.ComparisonTarget)
                    ):
                        self._comment(
                            original,
                            f"{dotted} is compared, and each file has a function for it: compare "
                            "a name, or the class that the function makes",
                        )
                    self._adapt(original, helper, rule)
                    self._record(original, dotted, rule, "differs", helper.name)
                    return cst.Name(helper.name)
        reason = rule.reason if rule is not None and rule.reason else reason_for(dotted)
        self._record(original, dotted, rule, "by hand" if rule else "unknown", reason=reason)
        if self.target == "mindspore":
            return self._absent(original, dotted, reason)
        self._comment(original, f"{dotted} stays PyTorch's: {reason}")
        self.foreign = True
        return cst.parse_expression(dotted)

    def _is_weight(self, node: cst.Attribute) -> bool:
        return self._weight_name(node) is not None

    def _is_pytorch_momentum(self, node: cst.Attribute, rule: Rule) -> bool:
        """Whether it is a momentum that MindSpore keeps as PyTorch does: 1 - the one it took."""
        return node.attr.value == "momentum" and rule.target in _KEEP_MOMENTUM

    def _weight_name(self, node: cst.Attribute) -> str | None:
        """The cell's name of a parameter or argument of one of PyTorch's layers."""
        kind = self.types.of(node.value)
        if not isinstance(kind, tuple) or kind[0] not in ("cell", "self") or not kind[1]:
            return None
        attr = node.attr.value
        if kind[0] == "self" and (kind[1], attr) in self.types.attributes:
            return None
        targets: set[str] = set()
        for name in kind[1].split("|"):
            base = name if is_torch_module(name) else self.project.torch_base(name)
            rule = find(base) if base else None
            if rule is None:
                return None
            target: str | None = self._case_weight(rule, node.value, attr)
            target = target if target != attr else argument_name(rule, attr)
            if target is None and self._is_pytorch_momentum(node, rule):
                target = attr
            if target is None:
                said = next((text for key, text in rule.differs.items() if key == attr), "")
                self._comment(node, f".{attr} holds another value than PyTorch's: {said}")
                return None
            targets.add(target)
        if len(targets) > 1:
            if attr not in CELL_TENSORS or node in self._quiet:
                self._comment(
                    node,
                    f".{attr} is called {' or '.join(sorted(targets))}, depending on the layer's "
                    "class",
                )
                return None
            self._several[node] = sorted(targets)
            return None
        new = targets.pop()
        return new if new != attr else None

    def _weight_of(self, node: cst.BaseExpression, names: Iterable[str]) -> Any:
        """A weight of a layer whose class only the run knows."""
        self.helpers.add("_weight_of")
        listed = ", ".join(repr(n) for n in names)
        call = cst.parse_expression(f"_weight_of(_agar_self_, {listed})")
        return call.visit(Put({"_agar_self_": node}))

    def _case_weight(self, rule: Rule, layer: cst.BaseExpression, attr: str) -> str:
        """The cell's name of a weight, in the form of the row that made the layer."""
        weights = rule.weights
        node = self.types.constructor_of(layer)
        if node is not None:
            args = [a for a in node.args if a.keyword is None and not a.star]
            kwargs = {
                a.keyword.value: argument_value(a) for a in node.args if a.keyword is not None
            }
            chosen = case_of(rule, [argument_value(a) for a in args], kwargs)
            if chosen is not None and chosen.weights is not None:
                weights = chosen.weights
        for weight in weights:
            if weight.source == attr and weight.target:
                return weight.target
        return attr

    def _attribute(self, original: cst.Attribute, updated: cst.Attribute) -> Any:
        new = self._weight_name(original)
        if new is not None:
            return reached(updated, new)
        if original in self._several:
            return self._weight_of(updated.value, self._several[original])
        attr = original.attr.value
        kind = self.types.of(original.value)
        unknown = kind == ("cell", None) or (isinstance(kind, tuple) and kind[1:] in _NO_WEIGHTS)
        # what torch.nn.init fills is a weight of a module
        unknown |= kind is None and original in self._data
        if unknown and attr in CELL_TENSORS and original not in self._quiet:
            names = weight_names(attr)
            if len(names) > 1:
                return self._weight_of(updated.value, names)
        if attr == "_modules" and (kind is None or self._may_be_cell(kind)):
            return updated.with_changes(attr=cst.Name("_cells"))
        if attr == "_parameters" and self._may_be_cell(kind):
            return updated.with_changes(attr=cst.Name("_params"))
        if attr == "forward" and self._may_be_cell(kind):
            return updated.with_changes(attr=cst.Name("construct"))
        if kind == TENSORS and attr in ("values", "indices") and original not in self._quiet:
            place = attr == "indices"  # a tuple has no names for its parts
            return cst.parse_expression(f"_agar_self_[{int(place)}]").visit(
                Put({"_agar_self_": updated.value})
            )
        if kind != TENSOR:
            return updated
        rule = find(f"torch.Tensor.{attr}")
        if rule is None or rule.kind != "attribute":
            return updated
        try:
            node = expand(
                rule, [], [], self._rule_kind, self._dtype, self.aliases, None, updated.value
            )
        except RuleRefused as refused:
            self._record(original, rule.source, rule, "by hand", reason=str(refused))
            return self._by_hand(original, rule.source, without_name(str(refused), rule.source))
        self.used |= node.used
        if code_of(node.node) == code_of(updated):
            return updated
        self._record(original, rule.source, rule, "differs", code_of(node.node))
        return node.node

    def visit_For(self, node: cst.For) -> None:
        self._see_groups(node.iter, node.target)

    def visit_CompFor(self, node: cst.CompFor) -> None:
        self._see_groups(node.iter, node.target)

    def _see_groups(self, values: cst.BaseExpression, target: cst.BaseExpression) -> None:
        if isinstance(values, cst.Call) and values.args:
            values = values.args[0].value  # enumerate
            if isinstance(target, cst.Tuple):
                target = target.elements[-1].value
        groups = m.Attribute(attr=m.Name("param_groups"))
        if isinstance(target, cst.Name) and m.matches(values, groups):
            self._groups.add(target.value)

    def _index_by_tensors(self, original: cst.Subscript, updated: cst.Subscript) -> cst.Subscript:
        """Arrays of NumPy become Tensors where a Tensor is indexed; MindSpore takes no arrays."""
        slices = []
        for old, new in zip(original.slice, updated.slice, strict=True):
            index: Any = old.slice
            if isinstance(index, cst.Index) and self.types.of(index.value) == ARRAY:
                value = self._written("ms.Tensor")
                index = cst.Index(cst.Call(value, [cst.Arg(new.slice.value)]))  # type: ignore[union-attr]
                new = new.with_changes(slice=index)
            slices.append(new)
        return updated.with_changes(slice=slices)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> Any:
        """A group's learning rate is a Parameter here, which later steps would change."""
        if self.types.of(original_node.value) == TENSOR:
            return self._index_by_tensors(original_node, updated_node)
        if m.matches(original_node, _A_LAST_RATE):
            node = updated_node.with_changes(value=updated_node.value.for_in.iter)  # type: ignore[attr-defined]
            return cst.Call(cst.Name("float"), [cst.Arg(node)])
        if original_node in self._quiet or not m.matches(
            original_node,
            m.Subscript(
                slice=[m.SubscriptElement(slice=m.Index(value=m.SimpleString()))],
            ),
        ):
            return updated_node
        index: Any = original_node.slice[0].slice
        held = original_node.value
        group = isinstance(held, cst.Name) and held.value in self._groups
        group |= m.matches(held, m.Subscript(value=m.Attribute(attr=m.Name("param_groups"))))
        if index.value.evaluated_value != "lr" or not group:
            return updated_node
        return cst.Call(cst.Name("float"), [cst.Arg(updated_node)])

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> Any:
        it = original_node.iter
        if (
            isinstance(it, cst.Call)
            and isinstance(it.func, cst.Attribute)
            and it.func.attr.value == "modules"
            and self._is_loop(it)
            and code_of(updated_node.iter).endswith("cells_and_names()")
        ):
            target = cst.parse_expression(f"_, {code_of(updated_node.target)}")
            return updated_node.with_changes(target=target)
        return updated_node
