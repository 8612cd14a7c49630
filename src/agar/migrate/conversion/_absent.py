"""What a program asks of PyTorch itself, where there is none: versions, switches, libraries."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._base import Base
from agar.migrate.conversion._expand import bracketed, code_of
from agar.migrate.conversion._helpers import reason_for
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._project import absolute, is_torch_module, torch_object
from agar.migrate.conversion._table import plain_class
from agar.migrate.conversion._walk import nodes_in
from agar.migrate.rules import find

__all__ = ["SWITCHES", "Absent"]

#: autocasts, and at which place their ``enabled`` stands; None for choices of kernels
SWITCHES = {
    "torch.nn.attention.sdpa_kernel": None,
    "torch.backends.cuda.sdp_kernel": None,
    "torch.backends.cudnn.flags": None,
    "torch.autocast": 2,
    "torch.amp.autocast": 2,
    "torch.amp.autocast_mode.autocast": 2,
    "torch.cuda.amp.autocast": 0,
    "torch.cuda.amp.autocast_mode.autocast": 0,
    "torch.cpu.amp.autocast": 0,
}
#: decorators that change nothing where nothing is scripted
_PLAIN_DECORATORS = (
    "torch.jit.ignore", "torch.jit.unused", "torch.jit.export", "torch.jit.script_if_tracing",
    "torch.jit._overload_method", "torch.jit._script_if_tracing", "torch.fx.wrap",
    "torch.compiler.disable",
    "torch.compiler.allow_in_graph", "torch._dynamo.disable", "torch._dynamo.allow_in_graph",
)  # fmt: skip
#: statements that tell PyTorch of something, which nothing asks for where there is no PyTorch
_REGISTRATIONS = (
    "torch._C._log_api_usage_once",
    "torch.onnx.register_custom_op_symbolic", "torch.onnx.unregister_custom_op_symbolic",
    "torch.library.define", "torch.library.impl", "torch.library.register_autograd",
    "torch.library.register_autocast", "torch.library.register_fake",
    "torch.library.register_kernel", "torch.library.register_torch_dispatch",
    "torch.library.register_vmap", "torch.serialization.add_safe_globals",
    "torch.utils._pytree.register_pytree_node", "torch.utils._pytree._register_pytree_node",
    "torch.fx._pytree.register_pytree_flatten_spec",
)  # fmt: skip
#: calls that files about PyTorch's installation make, and the helpers that answer them
_INSTALLATION = {
    "torch.hub._get_torch_home": "_torch_home",
    "torch.hub.get_dir": "_torch_home",
    "torch.ops.load_library": "_no_library",
    "torch.classes.load_library": "_no_library",
}
#: where the classes are of which a converted program has no values
_NEVER_TENSORS = (
    "torch.fx.", "torch.jit.", "torch.export.", "torch._dynamo.", "torch._subclasses.",
    "torch.distributed.tensor.", "torch.distributed.fsdp.", "torch.ao.", "torch.nested.",
)  # fmt: skip
#: bases of layers, and the cells that stand for what derives from them
_BASES = {
    "torch.nn.modules.batchnorm._BatchNorm": "BatchNorm1d BatchNorm2d BatchNorm3d",
    "torch.nn.modules.batchnorm._NormBase": "BatchNorm1d BatchNorm2d BatchNorm3d "
    "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "torch.nn.modules.instancenorm._InstanceNorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "torch.nn.modules.conv._ConvNd": "Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose "
    "Conv3dTranspose",
    "torch.nn.modules.conv._ConvTransposeNd": "Conv1dTranspose Conv2dTranspose Conv3dTranspose",
    "torch.nn.modules.dropout._DropoutNd": "Dropout Dropout1d Dropout2d Dropout3d",
}
_GETATTR = m.Call(
    func=m.Name("getattr"),
    args=[m.Arg(), m.Arg(value=m.SimpleString()), m.AtMostN(m.Arg(keyword=None), n=1)],
)
_IN_DIR = m.Comparison(
    left=m.SimpleString(),
    comparisons=[
        m.ComparisonTarget(
            operator=m.In() | m.NotIn(),
            comparator=m.Call(func=m.Name("dir"), args=[m.Arg(value=m.Name() | m.Attribute())]),
        )
    ],
)
_HASATTR = m.Call(func=m.Name("hasattr"), args=[m.Arg(), m.Arg(value=m.SimpleString())])


def _is_known(dotted: str) -> bool:
    """Whether a name of PyTorch has a counterpart."""
    rule = find(dotted)
    if isinstance(torch_object(dotted), torch_object("torch.dtype")):
        return True
    return plain_class(dotted) is not None or (rule is not None and bool(rule.cases))


class Absent(Base):
    """Converts what a file asks of PyTorch itself."""

    _replaced: dict[cst.CSTNode, cst.BaseSmallStatement]

    def _see_passed_on(self, node: cst.ImportFrom) -> None:
        """Names of PyTorch that a file of the project imports and passes on are nobody's here."""
        if isinstance(node.names, cst.ImportStar):
            return
        module = plain_name(node.module) if node.module is not None else None
        base = absolute(self.names.package, len(node.relative), module)
        if base.partition(".")[0] == "torch":
            return
        for alias in node.names:
            name = plain_name(alias.name)
            if self.project.follow(f"{base}.{name}").startswith("torch."):
                self.passed_on.add((len(node.relative), module, name))

    def _absent(self, original: Any, dotted: str, reason: str) -> Any:
        """A name of PyTorch in a program that has no PyTorch."""
        if original not in self._class_tests:
            return self._by_hand(original, dotted, reason)
        if dotted in _BASES:
            cells = [cst.Element(self._written(f"nn.{n}")) for n in _BASES[dotted].split()]
            return cst.Tuple(cells)
        if is_torch_module(dotted) or not dotted.startswith(_NEVER_TENSORS):
            return self._by_hand(original, dotted, reason)
        self._comment(original, f"no value is one of {dotted} here: {reason}")
        return cst.Tuple([])

    def _version(self, original: Any, dotted: str) -> Any:
        """The version of PyTorch whose behavior the rules give."""
        version = str(torch_object(dotted)).partition("+")[0]
        literal = cst.SimpleString(f'"{version}"')
        self._note(original, "note", f"{dotted} is the version that the converted lines follow")
        self._record(original, dotted, None, "differs", literal.value)
        return literal

    def _asks_torch(self, call: cst.Call) -> bool:
        """Whether a call asks PyTorch for a name: ``hasattr(torch, "compile")``."""
        if not m.matches(call, _HASATTR):
            return False
        return (self.names.dotted(call.args[0].value) or "").split(".")[0] == "torch"

    def _has(self, original: cst.Call, updated: cst.Call) -> Any:
        """Whether the converted file has what PyTorch is asked for."""
        name: Any = original.args[1].value
        dotted = f"{self.names.dotted(original.args[0].value)}.{name.evaluated_value}"
        return cst.Name(str(self._decided(original, dotted)))

    def _decided(self, original: cst.CSTNode, dotted: str) -> bool:
        self._note(original, "note", f"whether there is {dotted} was decided by the conversion")
        return isinstance(torch_object(dotted), types.ModuleType) or _is_known(dotted)

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> Any:
        """``"silu" in dir(torch.nn.functional)``."""
        if not m.matches(original_node, _IN_DIR):
            return updated_node
        left: Any = original_node.left
        compared = original_node.comparisons[0]
        listed: Any = compared.comparator
        module = self.names.dotted(listed.args[0].value)
        if module is None or module.partition(".")[0] != "torch":
            return updated_node
        has = self._decided(original_node, f"{module}.{left.evaluated_value}")
        return cst.Name(str(has is isinstance(compared.operator, cst.In)))

    def _asked_name(self, call: cst.BaseExpression) -> str | None:
        """The name that a chain of ``getattr(torch, "compiler", None)`` asks for."""
        if not isinstance(call, cst.Call):
            dotted = self.names.dotted(call)
            return dotted if dotted and dotted.partition(".")[0] == "torch" else None
        if not m.matches(call, _GETATTR):
            return None
        name: Any = call.args[1].value
        base = self._asked_name(call.args[0].value)
        return None if base is None else f"{base}.{name.evaluated_value}"

    def _asked(self, original: cst.Call, updated: cst.Call) -> Any:
        """What ``getattr(torch, "SymInt", int)`` gives; None where it asks for something else."""
        dotted = self._asked_name(original) if m.matches(original, _GETATTR) else None
        if dotted is None:
            return None
        if len(updated.args) == 2 or _is_known(dotted):
            return self._reference_to(original, updated, dotted)
        self._note(original, "note", f"whether there is {dotted} was decided by the conversion")
        self._record(original, dotted, None, "differs", "the default")
        return updated.args[2].value

    def _reference_to(self, original: Any, updated: Any, dotted: str) -> Any:
        """What stands for a name of PyTorch that is not called."""
        raise NotImplementedError

    def _is_switched_off(self, original: cst.Call, dotted: str) -> bool:
        """Whether a block casts nothing or chooses kernels only, and can be left out."""
        around = self.parents.get(original)
        if not isinstance(around, (cst.Decorator, cst.WithItem)):
            return False
        at = SWITCHES[dotted]
        if at is None:
            return True
        return any(
            m.matches(arg.value, m.Name("False"))
            and (arg.keyword.value == "enabled" if arg.keyword is not None else i == at)
            for i, arg in enumerate(original.args)
        )

    def _switched_off(self, original: cst.Call, dotted: str) -> Any:
        """No block casts in MindSpore or chooses kernels, so one that says so is left out."""
        if SWITCHES[dotted] is None:
            self._note(original, "note", f"{dotted}: MindSpore chooses its kernels itself")
        else:
            self._note(original, "note", f"{dotted}(enabled=False): a cast network casts here too")
        self._record(original, dotted, None, "differs", "nothing")
        self._dropped.add(self.parents[original])
        return cst.Name("None")

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> Any:
        pairs = zip(original_node.items, updated_node.items, strict=True)
        items = [new for old, new in pairs if old not in self._dropped]
        if len(items) == len(updated_node.items):
            return updated_node
        if items:
            items[-1] = items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            return updated_node.with_changes(items=items)
        body: Any = updated_node.body
        if not isinstance(body, cst.IndentedBlock):
            line = cst.SimpleStatementLine(body.body, leading_lines=updated_node.leading_lines)
            return cst.FlattenSentinel([line])
        first: Any = body.body[0]
        rest = body.body[1:]
        lines = [*updated_node.leading_lines, *first.leading_lines]
        return cst.FlattenSentinel([first.with_changes(leading_lines=lines), *rest])

    def visit_Expr(self, node: cst.Expr) -> bool:
        """What only serves scripts and traces goes: ``torch.fx.wrap("function")``."""
        call = node.value
        dotted = self.names.dotted(call.func) if isinstance(call, cst.Call) else None
        if dotted not in (*_PLAIN_DECORATORS, *_REGISTRATIONS):
            return True
        if dotted in _REGISTRATIONS:
            self._note(call, "note", f"{dotted} was left out: there is no PyTorch to tell")
        self._record(call, dotted, None, "differs", "nothing")
        self._gone.add(node)
        return False

    def _installed(self, original: cst.Call, updated: cst.Call, dotted: str) -> Any:
        """A call about PyTorch's own folders and libraries; None for another."""
        name = _INSTALLATION.get(dotted)
        if name is None:
            return None
        self.helpers.add(name)
        args = [cst.Arg(cst.SimpleString('"hub"'))] if dotted.endswith("get_dir") else updated.args
        call = cst.Call(cst.Name(name), args)
        self._record(original, dotted, None, "differs", code_of(call))
        return call

    def _assertion(self, original: cst.Call, updated: cst.Call) -> Any:
        """``torch._assert(condition, message)``, where it is a statement."""
        around = self.parents.get(original)
        plain = all(a.keyword is None and not a.star for a in original.args)
        if not isinstance(around, cst.Expr) or len(original.args) != 2 or not plain:
            return None
        self._record(original, "torch._assert", None, "renamed", "assert")
        condition, message = (_on_lines(arg.value) for arg in updated.args)
        self._replaced[around] = cst.Assert(condition, message)
        return updated

    def visit_Decorator(self, node: cst.Decorator) -> bool:
        said = node.decorator
        name = said.func if isinstance(said, cst.Call) else said
        dotted = self.names.dotted(name)
        if dotted not in _PLAIN_DECORATORS:
            return True
        self._record(said, dotted, None, "differs", "nothing")
        self._dropped.add(node)
        return False

    def leave_Decorator(self, original_node: cst.Decorator, updated_node: cst.Decorator) -> Any:
        if original_node in self._dropped:
            return cst.RemoveFromParent()
        return updated_node

    def _is_library(self, dotted: str) -> bool:
        """Whether a name is of a library on PyTorch, and not of the package that is converted.

        Networks of torchvision (`torchvision.models`) are converted with their package: what a file
        imports of them it may use, once they are.
        """
        head = dotted.partition(".")[0]
        own = self.names.module.partition(".")[0]
        return head == "torchvision" != own and not dotted.startswith("torchvision.models")

    def _see_left(self, statements: Sequence[cst.CSTNode]) -> None:
        """What only such statements use of a library is not reached."""
        for node in (part for statement in statements for part in nodes_in(statement)):
            if isinstance(node, (cst.Name, cst.Attribute)):
                dotted = self.names.dotted(node)
                if dotted is not None and self._is_library(dotted):
                    self.gone.add((plain_name(node) or "").partition(".")[0])

    def _of_library(self, original: Any, name: Any, dotted: str) -> Any:
        self.gone.add((plain_name(name) or "").partition(".")[0])
        self._record(original, dotted, None, "by hand", reason=reason_for(dotted))
        return self._absent(original, dotted, reason_for(dotted))


def _on_lines(node: cst.BaseExpression) -> cst.BaseExpression:
    """An argument as a part of a statement: in brackets where it goes over several lines."""
    return bracketed(node) if "\n" in code_of(node) and not node.lpar else node
