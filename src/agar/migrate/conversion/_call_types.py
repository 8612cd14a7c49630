"""The kinds of what calls give."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._kinds import (
    ARRAY,
    BUILTINS,
    CELL,
    EINOPS,
    MAKE_ARRAYS,
    NUMBER,
    OTHER,
    PAIRS,
    PLAIN,
    SAME_CELL,
    SEVERAL,
    SEVERAL_ALONG,
    SIZE,
    STR,
    TENSOR,
    TENSORS,
    UNIQUE,
    Kind,
    along_dimension,
    element_of,
    is_static,
    join,
    listing,
    several_of,
)
from agar.migrate.conversion._names import Names
from agar.migrate.conversion._project import Project, is_torch_module, torch_object

__all__ = ["CallTypes", "Function"]


class Function:
    """One function: its node, the class around it, what is known of parameters and result."""

    def __init__(self, node: cst.FunctionDef, owner: str | None, key: str) -> None:
        self.node = node
        self.owner = owner
        self.key = key
        self.seen: dict[str, Kind] = {}
        self.result: Kind = None
        every = node.params
        self.params = [*every.posonly_params, *every.params]
        self.keywords = list(every.kwonly_params)


#: methods that tensors and cells have, and the results of what only tensors and arrays have
_CASTS = ("float", "double", "half", "bfloat16")
_RESHAPED = ("reshape", "view", "ravel", "flatten", "squeeze", "transpose", "sum", "mean", "eq")


def _is_reshaped(node: cst.BaseExpression) -> bool:
    """Whether a value is a tensor or an array: ``x[:k].reshape(-1)``."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in _RESHAPED
    )


class CallTypes:
    """What a file knows of its names, and the kinds of the calls among its expressions."""

    names: Names
    project: Project
    kinds: dict[cst.CSTNode, Kind]
    attributes: dict[tuple[str, str], Kind]
    functions: dict[str, Function]
    _env: dict[str, Kind]
    _owner: str | None

    def _expr(self, node: cst.CSTNode | None) -> Kind:
        raise NotImplementedError

    def _lambda(self, node: cst.Lambda, given: tuple[Kind, ...]) -> Kind:
        raise NotImplementedError

    def _expr_Call(self, node: cst.Call) -> Kind:
        dotted = self.names.dotted(node.func)
        func = None
        if not dotted:
            func = self._expr(node.func)
        if m.matches(node.func, m.Name("map")) and len(node.args) == 2:
            return self._map(node)
        kinds = [self._expr(a.value) for a in node.args]
        if dotted:
            return self._named_call(node, dotted, kinds)
        if isinstance(node.func, cst.Attribute):
            return self._method_call(node, node.func, func, kinds)
        if isinstance(func, tuple) and func[0] in ("cell", "function"):
            return self._called(func, node, kinds)
        if isinstance(node.func, cst.Name):
            return self._builtin(node, node.func.value, kinds)
        return None

    def _map(self, node: cst.Call) -> Kind:
        each = element_of(self._expr(node.args[1].value))
        function = node.args[0].value
        if isinstance(function, cst.Lambda):
            returned = self._lambda(function, (each,))
            self.kinds[function] = ("function", returned)
            return several_of(returned)
        kind = self._expr(function)
        if isinstance(kind, tuple) and kind[0] in ("cell", "function"):
            return several_of(self._called(kind, node, []))
        return several_of(each if each == TENSOR else None)

    def _builtin(self, node: cst.Call, name: str, kinds: list[Kind]) -> Kind:
        if name in BUILTINS:
            return BUILTINS[name]
        first = kinds[0] if kinds else None
        if name == "enumerate":
            return ("each", ("tuple", (NUMBER, element_of(first))))
        if name == "zip":
            return ("each", ("tuple", tuple(element_of(k) for k in kinds)))
        if name in ("list", "tuple", "reversed", "sorted", "filter", "iter"):
            first = kinds[-1] if name == "filter" else first
            return several_of(element_of(first)) if first is not None else None
        if name in ("sum", "max", "min", "next"):
            return element_of(first) if len(kinds) == 1 else first
        if name in ("abs", "round"):
            return first
        return ("super", self._owner) if name == "super" else None

    def _named_call(self, node: cst.Call, dotted: str, kinds: list[Kind]) -> Kind:
        head, _, last = dotted.rpartition(".")
        if dotted.startswith("torch.") or dotted == "torch":
            return self._torch_call(node, dotted, last, kinds)
        if head == "einx" or (head.split(".")[0] == "einops" and last in EINOPS):
            return TENSOR
        if head.startswith("einops.layers"):
            return CELL
        if head in ("copy",) and kinds:
            return kinds[0]
        if dotted.startswith("numpy.") and dotted.removeprefix("numpy.") in MAKE_ARRAYS:
            return ARRAY
        if head.split(".")[0] in ("numpy", "math", "os", "random"):
            return NUMBER if head == "math" else OTHER
        if self.project.is_cell(dotted):
            function = self.functions.get(f"{dotted}.__init__")
            if function:
                self._pass_arguments(function, node, kinds, 1)
            return ("cell", dotted)
        function = self.functions.get(dotted)
        if function:
            self._pass_arguments(function, node, kinds, 0)
            return function.result
        return None

    def _torch_call(self, node: cst.Call, dotted: str, last: str, kinds: list[Kind]) -> Kind:
        if is_torch_module(dotted):
            return ("cell", dotted)
        target = torch_object(dotted)
        if dotted.startswith(("torch.optim", "torch.utils", "torch.cuda", "torch.hub")):
            return OTHER
        if last in PLAIN and last not in ("save", "load"):
            return PLAIN[last]
        if last in ("Size",):
            return SIZE
        if last in SEVERAL or (last in SEVERAL_ALONG and along_dimension(node)):
            return TENSORS
        if isinstance(target, type):
            torch_tensor = torch_object("torch.Tensor")
            legacy = dotted.endswith("Tensor") or issubclass(target, torch_tensor)
            return TENSOR if legacy or last == "Parameter" else OTHER
        if last in ("load", "save", "manual_seed", "jit", "set_grad_enabled", "no_grad"):
            return OTHER
        return TENSOR if target is not None else None

    def _method_call(
        self, node: cst.Call, func: cst.Attribute, kind: Kind, kinds: list[Kind]
    ) -> Kind:
        base = self.kinds.get(func.value)
        name = func.attr.value
        if base == TENSOR:
            if name in ("size", "stride") and node.args:
                return NUMBER
            if name in PLAIN:
                return PLAIN[name]
            if name == "type" and not node.args:
                return STR
            if name in SEVERAL or (name in SEVERAL_ALONG and along_dimension(node)):
                return TENSORS
            return TENSOR
        if base == ARRAY:
            return ARRAY if name in ("astype", "copy", "reshape", "flatten", "ravel") else OTHER
        if base in (STR, NUMBER, SIZE):
            return STR if base == STR else NUMBER
        if isinstance(base, tuple) and base[0] in ("self", "super"):
            return self._own_method(node, base, name, kind, kinds)
        if isinstance(kind, tuple) and kind[0] in ("cell", "function"):
            return self._called(kind, node, kinds)
        if isinstance(base, tuple) and base[0] == "cell" and name in SAME_CELL:
            return base
        if name in ("append", "insert") and isinstance(func.value, cst.Name) and kinds:
            self._append(func.value.value, base, kinds[-1])
            return None
        listed = listing(name, base)
        if listed is not None:
            return listed
        # an unknown receiver whose method only tensors have
        unknown = base is None and self.kinds.get(func.value) is None
        if unknown and name == "size":
            return NUMBER if node.args else SIZE
        if unknown and (name in UNIQUE or (name in _CASTS and _is_reshaped(func.value))):
            return TENSOR
        if unknown and name in ("chunk", "unbind"):
            return TENSORS
        return None

    def _own_method(
        self, node: cst.Call, base: Kind, name: str, kind: Kind, kinds: list[Kind]
    ) -> Kind:
        owner = base[1]
        if owner is None:
            return None
        listed = listing(name, CELL)
        if listed is not None:
            return listed
        dotted_names = self.project.owner(owner, name)
        function = self.functions.get(f"{dotted_names}.{name}") if dotted_names else None
        if function is not None:
            skip = 0 if is_static(function.node) else 1
            self._pass_arguments(function, node, kinds, skip)
            return function.result
        if name == "register_buffer" and len(node.args) >= 2:
            self._register(owner, node, kinds[1])
            return None
        if name == "register_parameter" and len(node.args) >= 2:
            self._register(owner, node, TENSOR)
            return None
        if isinstance(kind, tuple) and kind[0] in ("cell", "function"):
            return self._called(kind, node, kinds)
        if base[0] == "super" and name == "forward":
            return TENSOR
        return None

    def _register(self, owner: str, node: cst.Call, kind: Kind) -> None:
        name = node.args[0].value
        if isinstance(name, cst.SimpleString):
            text = name.evaluated_value
            if isinstance(text, str):
                key = (owner, text)
                self.attributes[key] = join(self.attributes.get(key), kind)

    def _append(self, name: str, base: Kind, kind: Kind) -> None:
        if isinstance(base, tuple) and base[0] in ("each", "cells"):
            if base[1] not in (None, kind):
                return
            if isinstance(kind, tuple) and kind[0] == "cell":
                self._env[name] = ("cells", kind)
            else:
                self._env[name] = TENSORS if kind == TENSOR else ("each", kind)

    def _called(self, kind: Kind, node: cst.Call, kinds: list[Kind]) -> Kind:
        if kind[0] == "function":
            return kind[1]
        name = kind[1]
        if name is None:
            return TENSOR
        if name in PAIRS:
            one = ("torch.nn.GRU", "torch.nn.RNN", "torch.nn.MultiheadAttention")
            inner: Kind = TENSOR if name in one else TENSORS
            return ("tuple", (TENSOR, inner))
        owner = self.project.owner(name, "forward")
        function = self.functions.get(f"{owner}.forward") if owner else None
        if function is not None:
            self._pass_arguments(function, node, kinds, 1)
            return function.result if function.result is not None else TENSOR
        return TENSOR

    def _pass_arguments(
        self, function: Function, node: cst.Call, kinds: list[Kind], skip: int
    ) -> None:
        params = function.params[skip:]
        for i, (arg, kind) in enumerate(zip(node.args, kinds, strict=False)):
            if arg.star or kind is None:
                if arg.star:
                    return
                continue
            if arg.keyword is not None:
                name = arg.keyword.value
            elif i < len(params):
                name = params[i].name.value
            else:
                continue
            function.seen[name] = join(function.seen.get(name), kind)
