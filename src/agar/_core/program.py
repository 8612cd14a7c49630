"""Exported networks: a recorded list of torch operators, read from a file and run again.

A network that ``agar.export`` recorded is a document of JSON's types beside named tensors. The
document names operators of ``torch.ops.aten`` and a few functions on sizes, and nothing else:
reading one runs no code of the file. `agar._core.program_export` writes documents.

NOTE Slots. A program runs over one list of values. The first slots are the tensors of the network
(parameters, buffers, constants), then come the inputs, then one result for each operator. What the
calls have as constants has slots too, filled once, so that the arguments of a call are picked out
of the list by one `operator.itemgetter`. The slot of a result is emptied after its last use.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from agar._core.autodiff import functorch_level
from agar._core.dtype import FROM_TORCH
from agar._core.errors import describe, translate
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap

__all__ = ["PYTHON_FUNCTIONS", "VERSION", "FuncGraph", "GraphError", "operator_named"]

#: The version of the document. A reader refuses documents that are newer than itself.
VERSION = 1

#: What a document may call besides operators: arithmetic on sizes, and picking one of several
#: results.
PYTHON_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "getitem": operator.getitem,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "truediv": operator.truediv,
    "mod": operator.mod,
    "neg": operator.neg,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "and": operator.and_,
    "or": operator.or_,
    "max": torch.sym_max,
    "min": torch.sym_min,
    "not": torch.sym_not,
    "int": torch.sym_int,
    "float": torch.sym_float,
    "ceil": math.ceil,
    "floor": math.floor,
    "trunc": math.trunc,
}

_OPERATOR = re.compile(r"aten\.([A-Za-z0-9_]+)\.([A-Za-z0-9_]+)")
# These reach beyond a computation: to files, to standard output, to the memory of other tensors.
_REFUSED = frozenset({"from_file", "_print", "set", "set_", "set_data", "resize", "resize_"})

# Operators of Python's syntax on bits; other names of this form are attributes of Python's objects.
_DUNDERS = frozenset(
    f"__{prefix}{name}__"
    for prefix in ("", "i")
    for name in ("and", "or", "xor", "lshift", "rshift")
)

_DTYPES = {str(dtype)[6:]: dtype for dtype in FROM_TORCH}
_LAYOUTS = {"strided": torch.strided}
_FORMATS = {
    str(kind)[6:]: kind
    for kind in (
        torch.contiguous_format,
        torch.preserve_format,
        torch.channels_last,
        torch.channels_last_3d,
    )
}

_ARITHMETIC: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

Sizes = Sequence[Sequence[int]]


class GraphError(ValueError):
    """A document is damaged, hostile, or newer than this version of agar understands."""


class _Node(NamedTuple):
    """One call: the function, how its arguments are picked, and which slots are over after it."""

    call: Callable[..., Any]
    pick: Callable[[list[Any]], tuple[Any, ...]]
    positional: int
    names: tuple[str, ...]
    out: int
    over: tuple[int, ...]
    label: str


class _Call(NamedTuple):
    """A node while the document is read: its arguments as slots."""

    call: Callable[..., Any]
    places: list[int]
    names: tuple[str, ...]
    out: int
    label: str


class _Spec(NamedTuple):
    """What one input tensor must be; a size of None is subject to the conditions alone."""

    dtype: torch.dtype
    shape: tuple[int | None, ...]


class FuncGraph:
    """A network as a recorded list of operators, with its tensors, as ``agar.load`` gives it.

    Calling it runs it on these tensors; ``nn.GraphCell`` makes a Cell of it.

    Args:
        document: what `program_export.record` made, or what a file says.
        tensors: the parameters, buffers and constants by their names.

    Raises:
        GraphError: the document or the tensors are not as they must be.
    """

    # no __dict__: the graph engine, which looks through the attributes of objects, stops here
    __slots__ = ("_program", "buffers", "constants", "document", "parameters", "tensors")

    def __init__(self, document: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
        try:
            program = _Program(document, tensors)
        except GraphError:
            raise
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            RuntimeError,  # RecursionError is one
            SyntaxError,
            TypeError,
            ValueError,
        ) as error:
            raise GraphError(
                f"Its description of the network is damaged ({type(error).__name__}: {error})."
            ) from error
        self.document = document
        self.tensors = tensors
        #: names of the parameters, and whether they are trained
        self.parameters = program.parameters
        self.buffers = program.buffers
        self.constants = program.constants
        self._program = program

    def __call__(self, *inputs: Any) -> Any:
        """Run the network on the tensors of the file."""
        return self.run([self.tensors[name] for name in self._program.names], inputs)

    def run(self, state: Sequence[torch.Tensor], inputs: Sequence[Any]) -> Any:
        """Run the network.

        Args:
            state: the tensors that stand for parameters, buffers and constants, in this order.
            inputs: agar's tensors, in the structure in which they were exported.

        Returns:
            The outputs as agar's tensors, in the structure that the network returned.

        Raises:
            RuntimeError: the inputs are not like those that were exported.
        """
        program = self._program
        given = program.checked(inputs)
        values = program.template.copy()
        values[: len(state)] = state
        values[len(state) : len(state) + len(given)] = given
        known = state or given
        values[program.device_slot] = known[0].device if known else torch.device("cpu")
        if (
            thread.grad_scopes
            or functorch_level()
            or any(t.requires_grad for t in state)
            or any(t.requires_grad for t in given)
        ):
            program.fill(values, given)
        else:  # some kernels are others, and slower, where a gradient could be wanted
            with torch.no_grad():
                program.fill(values, given)
        return _built(program.outputs, lambda slot: wrap(values[slot]))

    def __deepcopy__(self, memo: dict[int, Any]) -> FuncGraph:
        return self  # a GraphCell has tensors of its own; what is here does not change

    def __reduce__(self) -> tuple[Any, ...]:
        return FuncGraph, (self.document, self.tensors)

    def __repr__(self) -> str:
        program = self._program
        return (
            f"FuncGraph({len(program.specs)} inputs, {len(self.parameters)} parameters, "
            f"{len(self.document['nodes'])} operators)"
        )


def operator_named(name: str) -> Callable[..., Any]:
    """The operator of a name such as ``aten.relu.default``.

    Raises:
        GraphError: there is no such operator, or documents may not use it.
    """
    match = _OPERATOR.fullmatch(name)
    if (
        match is None
        or match[2].startswith("__")
        or (match[1].startswith("__") and match[1] not in _DUNDERS)
    ):
        raise GraphError(f"{name!r} is not an operator of a network.")
    if match[1] in _REFUSED:
        raise GraphError(f"The operator '{name}' may not occur in a network.")
    value = getattr(getattr(torch.ops.aten, match[1], None), match[2], None)
    if not isinstance(value, torch._ops.OpOverload):
        raise GraphError(
            f"PyTorch {torch.__version__} has no operator '{name}'; load the file with the version "
            "of PyTorch that it was made with, or export the network again."
        )
    return value


# ---------------------------------------------------------------------------- structures
#
# Inputs and outputs are described by {"slot": n}, {"tuple": [...]}, {"list": [...]},
# {"dict": [[key, ...], ...]} and {"value": None, a bool, a number or a text}.


def _built(tree: Any, leaf: Callable[[int], Any]) -> Any:
    """The value that a structure describes."""
    ((kind, inside),) = tree.items()
    if kind == "slot":
        return leaf(inside)
    if kind == "tuple":
        return tuple(_built(t, leaf) for t in inside)
    if kind == "list":
        return [_built(t, leaf) for t in inside]
    if kind == "dict":
        return {key: _built(t, leaf) for key, t in inside}
    return inside


def _slots(tree: Any) -> list[int]:
    """The slots in a structure, which is checked on the way."""
    ((kind, inside),) = tree.items()
    if kind == "slot" and type(inside) is int:
        return [inside]
    if kind in ("tuple", "list"):
        return [slot for t in inside for slot in _slots(t)]
    if kind == "dict":
        if not all(isinstance(key, (str, int, float)) for key, _ in inside):
            raise GraphError("A key of an output is neither a text nor a number.")
        return [slot for _, t in inside for slot in _slots(t)]
    if kind == "value" and (inside is None or isinstance(inside, (bool, int, float, str))):
        return []
    raise GraphError(f"Inputs or outputs contain an unknown {kind!r}.")


def _collect(tree: Any, value: Any, where: str, tensors: list[torch.Tensor]) -> None:
    """Collect the tensors of an input, whose structure must be the exported one."""
    ((kind, inside),) = tree.items()
    if kind == "slot":
        if not isinstance(value, Tensor):
            raise RuntimeError(
                f"For 'GraphCell', {where} was a Tensor when the network was exported, but is "
                f"{describe(value)} of type {type(value).__name__}."
            )
        tensors.append(value._value)
    elif kind in ("tuple", "list"):
        if not isinstance(value, (tuple, list)) or len(value) != len(inside):
            raise RuntimeError(
                f"For 'GraphCell', {where} was a {kind} of {len(inside)} elements when the network "
                f"was exported, but is {describe(value)}."
            )
        for i, (t, v) in enumerate(zip(inside, value, strict=True)):
            _collect(t, v, f"element {i} of {where}", tensors)
    elif type(value) is not type(inside) or value != inside:
        raise RuntimeError(
            f"For 'GraphCell', {where} was the constant {inside!r} when the network was exported, "
            f"but is {describe(value)}; export it again for another value."
        )


# ---------------------------------------------------------------------------- conditions


def _evaluate(node: ast.AST, sizes: Sizes) -> Any:
    """The value of an expression over ``size(input, axis)``, numbers and arithmetic."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        parts = [_evaluate(part, sizes) for part in node.args]
        if node.func.id == "size" and len(parts) == 2 and min(parts) >= 0:
            return sizes[parts[0]][parts[1]]
        if node.func.id in ("max", "min") and parts:
            return max(parts) if node.func.id == "max" else min(parts)
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left, sizes), _evaluate(node.right, sizes)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right == 0:
            return 0
        return _ARITHMETIC[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluate(node.operand, sizes)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _evaluate(node.operand, sizes)
    if isinstance(node, ast.BoolOp):
        parts = [_evaluate(part, sizes) for part in node.values]
        return all(parts) if isinstance(node.op, ast.And) else any(parts)
    if isinstance(node, ast.Compare):
        parts = [_evaluate(part, sizes) for part in (node.left, *node.comparators)]
        return all(
            _ARITHMETIC[type(op)](a, b)
            for op, a, b in zip(node.ops, parts, parts[1:], strict=False)
        )
    raise GraphError(f"A condition has {type(node).__name__} in it.")


class Condition:
    """What the sizes of the inputs must fulfill, such as ``size(0, 1) % 2 == 0``.

    Args:
        text: the expression; ``size(i, axis)`` is a size of input tensor i.
        example: sizes with which it is tried.

    Raises:
        GraphError: the expression contains anything but sizes, numbers and arithmetic.
    """

    def __init__(self, text: str, example: Sizes) -> None:
        self.text = _text(text)
        self._tree = ast.parse(text, mode="eval").body
        try:
            self.holds(example)
        except KeyError as error:
            raise GraphError(f"The condition {text!r} has {error} in it.") from error

    def holds(self, sizes: Sizes) -> bool:
        """Whether the sizes fulfill it."""
        return bool(_evaluate(self._tree, sizes))


# ------------------------------------------------------------------------------- reading


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise GraphError(f"{value!r} is not a name.")
    return value


def _size(value: Any) -> int | None:
    if value is not None and (type(value) is not int or value < 0):
        raise GraphError(f"{value!r} is not a size.")
    return value


def _literal(kind: str, inside: Any) -> Any:
    """A constant that JSON has no type for."""
    if kind == "float":
        return float(inside)
    if kind == "complex":
        real, imaginary = inside
        return complex(float(real), float(imaginary))
    if kind == "device":
        return torch.device(_text(inside))
    return {"dtype": _DTYPES, "layout": _LAYOUTS, "memory_format": _FORMATS}[kind][inside]


def _listed(*values: Any) -> list[Any]:
    return list(values)


def _recording(*values: Any) -> bool:
    """Whether a gradient is being recorded through tensors, also in lists."""
    if not torch.is_grad_enabled():
        return False
    flat = [t for v in values for t in (v if isinstance(v, list) else (v,))]
    return any(isinstance(t, torch.Tensor) and t.requires_grad for t in flat)


def _nothing(values: list[Any]) -> tuple[Any, ...]:
    return ()


def _picker(places: list[int]) -> Callable[[list[Any]], tuple[Any, ...]]:
    if not places:
        return _nothing
    if len(places) == 1:
        (only,) = places
        return lambda values: (values[only],)
    return operator.itemgetter(*places)


class _Program:
    """A document, checked and turned into nodes over slots."""

    def __init__(self, document: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
        version = document["version"]
        if type(version) is not int or version < 1:
            raise GraphError(f"It says that its version is {version!r}.")
        if version > VERSION:
            raise GraphError(
                f"It is of version {version}, and this version of agar reads those up to "
                f"{VERSION}; update agar."
            )
        self.parameters = [(_text(p["name"]), bool(p["trained"])) for p in document["parameters"]]
        self.buffers = [_text(name) for name in document["buffers"]]
        self.constants = [_text(name) for name in document["constants"]]
        self.names = [name for name, _ in self.parameters] + self.buffers + self.constants
        missing = [name for name in self.names if name not in tensors]
        if missing or len(set(self.names)) != len(self.names):
            raise GraphError(f"Tensors are missing or named twice: {', '.join(missing[:5])}.")
        self.specs = [
            _Spec(_DTYPES[spec["dtype"]], tuple(_size(n) for n in spec["shape"]))
            for spec in document["inputs"]["tensors"]
        ]
        self.inputs = document["inputs"]["structure"]
        first = len(self.names)
        self._next = first + len(self.specs)
        if [s for tree in self.inputs for s in _slots(tree)] != list(range(first, self._next)):
            raise GraphError("Its inputs are not those that it describes.")
        example = [[1 if n is None else n for n in spec.shape] for spec in self.specs]
        self.conditions = [Condition(text, example) for text in document["conditions"]]
        self.template: list[Any] = [None] * (self._next + len(document["nodes"]))
        self._fixed: set[int] = set()
        self.device_slot = self._slot()
        calls: list[_Call] = []
        for node in document["nodes"]:
            self._read_node(calls, *node)
        self.outputs = document["outputs"]
        results = set(_slots(self.outputs))
        if not all(0 <= slot < self._next for slot in results):
            raise GraphError("An output is not a result of the network.")
        self.nodes = _with_lifetimes(calls, results)

    def checked(self, inputs: Sequence[Any]) -> list[torch.Tensor]:
        """The torch tensors of the inputs, which must be like those that were exported."""
        if len(inputs) != len(self.inputs):
            raise RuntimeError(
                f"For 'GraphCell', the network was exported with {len(self.inputs)} inputs, but "
                f"got {len(inputs)}. (Numbers, None and bool are constants of an exported network "
                "and no inputs.)"
            )
        given: list[torch.Tensor] = []
        for i, (tree, value) in enumerate(zip(self.inputs, inputs, strict=True)):
            _collect(tree, value, f"input {i}", given)
        for i, (value, spec) in enumerate(zip(given, self.specs, strict=True)):
            shape = value.shape
            if value.dtype is not spec.dtype:
                raise RuntimeError(
                    f"For 'GraphCell', tensor {i} of the inputs must be of type "
                    f"{FROM_TORCH[spec.dtype]}, but got {describe(wrap(value))}."
                )
            if len(shape) != len(spec.shape) or any(
                expected is not None and size != expected
                for size, expected in zip(shape, spec.shape, strict=False)
            ):
                raise RuntimeError(
                    f"For 'GraphCell', tensor {i} of the inputs must have the shape "
                    f"{list(spec.shape)} with which the network was exported (None stands for any "
                    f"size), but got {describe(wrap(value))}. Export it with None in a Tensor's "
                    "shape where sizes change: Tensor(shape=[None, 3], dtype=ms.float32)."
                )
        if self.conditions:
            sizes = [tuple(value.shape) for value in given]
            for condition in self.conditions:
                if not condition.holds(sizes):
                    text = condition.text
                    text = text if len(text) <= 100 else f"{text[:97]}..."
                    raise RuntimeError(
                        f"For 'GraphCell', the exported network holds for inputs with {text} only, "
                        f"but got {describe(tuple(wrap(given)))}: for other sizes it fails, or its "
                        "Python takes another way. Export it for those."
                    )
        return given

    def fill(self, values: list[Any], given: Sequence[torch.Tensor]) -> None:
        """Run the nodes over the slots."""
        node = None
        try:
            for node in self.nodes:
                call, pick, positional, names, out, over, _ = node
                picked = pick(values)
                if names:
                    options = dict(zip(names, picked[positional:], strict=True))
                    values[out] = call(*picked[:positional], **options)
                else:
                    values[out] = call(*picked)
                for slot in over:
                    values[slot] = None
        except (RuntimeError, TypeError, ValueError, IndexError) as error:
            label = "GraphCell" if node is None else f"GraphCell ({node.label})"
            raise translate(error, label, describe(tuple(wrap(given)))) from error

    def _slot(self, value: Any = None) -> int:
        self.template.append(value)
        return len(self.template) - 1

    def _read_node(
        self, calls: list[_Call], target: str, args: list[Any], options: dict[str, Any]
    ) -> None:
        call = PYTHON_FUNCTIONS.get(target) or operator_named(target)
        given = [*args, *options.values()]
        places = [
            -1 if value == {"recording": None} else self._place(calls, value) for value in given
        ]
        if -1 in places:
            slot = self._slot()
            calls.append(_Call(_recording, [p for p in places if p >= 0], (), slot, "recording"))
            places = [slot if p < 0 else p for p in places]
        names = tuple(_text(name) for name in options)
        calls.append(_Call(call, places, names, self._next, target))
        self._next += 1

    def _place(self, calls: list[_Call], value: Any) -> int:
        """The slot in which an argument stands."""
        if isinstance(value, list):
            inside = [self._place(calls, v) for v in value]
            if self._fixed.issuperset(inside):
                return self._fix([self.template[slot] for slot in inside])
            result = self._slot()
            calls.append(_Call(_listed, inside, (), result, "list"))
            return result
        if isinstance(value, dict):
            ((kind, inside),) = value.items()
            if kind == "device" and inside is None:
                return self.device_slot
            if kind != "slot":
                return self._fix(_literal(kind, inside))
            if type(inside) is not int or not 0 <= inside < self._next:
                raise GraphError(f"An argument refers to {inside!r}, which is not known there.")
            return inside
        if value is None or isinstance(value, (bool, int, float, str)):
            return self._fix(value)
        raise GraphError(f"An argument is {value!r}.")

    def _fix(self, value: Any) -> int:
        slot = self._slot(value)
        self._fixed.add(slot)
        return slot


def _with_lifetimes(calls: list[_Call], results: set[int]) -> list[_Node]:
    """The nodes, each with the slots that nothing after it needs."""
    result = {call.out for call in calls} - results
    nodes: list[_Node] = []
    seen: set[int] = set()
    for call in reversed(calls):
        last = {slot for slot in (*call.places, call.out) if slot in result} - seen
        seen |= last
        nodes.append(
            _Node(
                call.call,
                _picker(call.places),
                len(call.places) - len(call.names),
                call.names,
                call.out,
                tuple(sorted(last)),
                call.label,
            )
        )
    nodes.reverse()
    return nodes
