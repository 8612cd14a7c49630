"""Recording a network for a file: its graph, as torch.export gives it, becomes a document.

The document is that of `agar._core.program`.

NOTE What must not be frozen. A graph holds one way through the Python of a network. Values that a
run computes outside of torch (random numbers, numpy, the clock) would be constants of it. So a
network is recorded twice, and refused when the two graphs differ in anything.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from agar._core.program import (
    PYTHON_FUNCTIONS,
    VERSION,
    Condition,
    GraphError,
    operator_named,
)
from agar._core.program_trace import (
    RECURRENT,
    SIZE,
    TRAIN,
    Inputs,
    Subject,
    TooComplicated,
    Trace,
    explained,
    hushed,
    trace,
)
from agar._core.tensor import Tensor

__all__ = ["Inputs", "Subject", "onnx_model", "record"]

# What stands in for a size that is not known: each is tried until the network accepts it.
_EXAMPLES = (64, 224, 12)

# How often a network is recorded to find out which conditions matter.
_MOST_TRACES = 24
_ALL = 2**63 - 1  # the end of a slice without one

_ASSERTIONS = frozenset(
    {"_assert_scalar", "_assert_async", "sym_constrain_range", "sym_constrain_range_for_size"}
)
_NAMES: dict[Any, str] = {function: name for name, function in PYTHON_FUNCTIONS.items()}


def _renumbered(tree: Any, slots: Sequence[Any]) -> Any:
    """A structure with other slots; what stands for a slot may be a structure itself."""
    ((kind, inside),) = tree.items()
    if kind == "slot":
        return slots[inside]
    if kind in ("list", "tuple"):
        return {kind: [_renumbered(t, slots) for t in inside]}
    if kind == "dict":
        return {kind: [[key, _renumbered(t, slots)] for key, t in inside]}
    return tree


def _has_slot(tree: Any) -> bool:
    ((kind, inside),) = tree.items()
    return kind == "slot" or (kind in ("list", "tuple") and any(_has_slot(t) for t in inside))


# ----------------------------------------------------------------------------- documents


class _Writer:
    """The graph of a trace as nodes of a document.

    Args:
        trace: the trace.
        subject: what was traced.
        sizes: numbers for the symbols of sizes; with them, arithmetic on sizes is folded. None
            keeps it.
    """

    def __init__(
        self, trace: Trace, subject: Subject, sizes: Mapping[Any, int] | None = None
    ) -> None:
        self._sizes = sizes
        program = trace.program
        graph = program.graph
        self.nodes: list[Any] = []
        self.constants: list[torch.Tensor] = []
        state = subject.tensors
        self._slots: dict[Any, Any] = {}
        self._folded: dict[Any, Any] = {}
        self._device = _device_of(trace, subject)
        self.leaves: list[Any] = []  # the values of the inputs: tensors of symbolic shapes
        holders = [node for node in graph.nodes if node.op == "placeholder"]
        constants: list[Any] = []
        users: list[Any] = []
        for node, spec in zip(holders, program.graph_signature.input_specs, strict=True):
            kind = spec.kind.name
            if kind in ("BUFFER", "PARAMETER"):
                self._slots[node] = int(spec.target[1:])
            elif kind == "CONSTANT_TENSOR":
                value = program.constants[spec.target]
                at = _same_memory(value, state)
                if at is None:
                    constants.append((node, value))
                else:
                    self._slots[node] = at
            elif kind == "USER_INPUT":
                users.append(node)
            else:
                raise GraphError(f"It needs {spec.target}, which is not a tensor ({kind}).")
        for node, value in constants:
            self._slots[node] = len(state) + len(self.constants)
            self.constants.append(value)
        self._next = len(state) + len(self.constants)
        for node in users:
            self._slots[node] = self._next
            self._next += 1
            self.leaves.append(node.meta["val"])
        needed = _needed(graph, assertions=sizes is None)
        for node in graph.nodes:
            if node.op == "output":
                slots = [self._argument(value) for value in node.args[0]]
                self.outputs = _renumbered(trace.structure, [_as_structure(s) for s in slots])
            elif node.op != "placeholder" and node in needed:
                self._write(node)

    def _write(self, node: Any) -> None:
        if node.target is torch.ops.aten.alias.default or self._is_whole_slice(node):
            self._slots[node] = self._slots[node.args[0]]
            return
        if self._sizes is not None:
            known, value = _number(node.meta.get("val"), self._sizes)
            if known:
                self._folded[node] = value
                return
        name = _target_name(node)
        args = [self._argument(value) for value in node.args]
        if name in RECURRENT:
            name = RECURRENT[name]
            args[TRAIN] = {"recording": None}
        if name == "aten.slice.Tensor" and args[2:3] == [None]:
            args[2] = 0  # torch writes either
        options = {key: self._argument(value) for key, value in node.kwargs.items()}
        self.nodes.append([name, args, options])
        self._slots[node] = self._next
        self._next += 1

    def _is_whole_slice(self, node: Any) -> bool:
        """Whether a node is a slice of all elements: torch leaves it out where it knows that."""
        if node.target is not torch.ops.aten.slice.Tensor or len(node.args) < 4:
            return False
        x, axis, start, end, *step = (self._folded.get(value, value) for value in node.args)
        if start not in (0, None) or step not in ([], [1]):
            return False
        if end in (_ALL, None):
            return True
        known, size = _number(x.meta["val"].shape[axis], self._sizes or {})
        return known and isinstance(end, int) and end >= size

    def _argument(self, value: Any) -> Any:
        if isinstance(value, torch.fx.Node):
            if value in self._folded:
                return self._argument(self._folded[value])
            return {"slot": self._slots[value]}
        if isinstance(value, (list, tuple)):
            return [self._argument(v) for v in value]
        if isinstance(value, float) and not math.isfinite(value):
            return {"float": str(value)}
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, complex):
            return {"complex": [str(value.real), str(value.imag)]}
        if isinstance(value, torch.device):
            return {"device": None if value == self._device else str(value)}
        for kind, what in (
            (torch.dtype, "dtype"),
            (torch.layout, "layout"),
            (torch.memory_format, "memory_format"),
        ):
            if isinstance(value, kind):
                return {what: str(value)[6:]}
        raise GraphError(f"An operator is given {value!r}, which a file cannot hold.")

    @property
    def content(self) -> Any:
        """What two recordings of the same network have in common."""
        return self.nodes, self.outputs


def _as_structure(argument: Any) -> Any:
    return argument if isinstance(argument, dict) else {"value": argument}


def _device_of(trace: Trace, subject: Subject) -> torch.device:
    """Where the network lives: the device that another one may take the place of."""
    for t in subject.tensors:
        return t._value.device
    for node in trace.program.graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor):
            return value.device
    return torch.device("cpu")


def _same_memory(value: torch.Tensor, state: Sequence[Tensor]) -> int | None:
    """The place of a tensor that is one of the network's, reached in another way."""
    if value.numel() == 0:
        return None
    for i, t in enumerate(state):
        own = t._value
        if (
            own.data_ptr() == value.data_ptr()
            and own.shape == value.shape
            and own.stride() == value.stride()
            and own.dtype == value.dtype
        ):
            return i
    return None


def _base_name(target: Any) -> str:
    return target._schema.name.split("::")[1] if isinstance(target, torch._ops.OpOverload) else ""


def _needed(graph: Any, assertions: bool) -> set[Any]:
    """The nodes on which outputs and changes of tensors depend, and assertions if wanted."""
    needed: set[Any] = set()
    for node in reversed(graph.nodes):
        name = _base_name(node.target)
        effect = bool(name) and (
            assertions if name in _ASSERTIONS else node.target._schema.is_mutable
        )
        if effect or node.op == "output" or node in needed:
            needed.add(node)
            needed.update(node.all_input_nodes)
    return needed


def _target_name(node: Any) -> str:
    """The name under which a document calls what a node calls.

    Raises:
        GraphError: documents cannot.
    """
    target = node.target
    if isinstance(target, torch._ops.OpOverload):
        name = str(target)
        operator_named(RECURRENT.get(name, name))
        return name
    name = _NAMES.get(target) if node.op == "call_function" else None
    if name is None:
        raise GraphError(f"It contains {target}, which a file cannot hold.")
    return name


def _number(value: Any, sizes: Mapping[Any, int]) -> tuple[bool, Any]:
    """Whether a value of a trace is a number that follows from the sizes, and that number."""
    for kind, item in ((torch.SymInt, int), (torch.SymFloat, float), (torch.SymBool, bool)):
        if isinstance(value, kind):
            expression = value.node.expr.subs(dict(sizes))
            return (False, None) if expression.free_symbols else (True, item(expression))
    if isinstance(value, (bool, int, float)):
        return True, value
    return False, None


def record(subject: Subject, inputs: Inputs) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """Record a network.

    Args:
        subject: the network.
        inputs: its inputs.

    Returns:
        The document, and the network's tensors by the names in it.

    Raises:
        RuntimeError: the network cannot be recorded, or two recordings of it differ.
    """
    result, written, sizes = _traced_twice(subject, inputs)
    names = _constant_names(subject, len(written.constants))
    first = len(subject.tensors) + len(names)
    slots = [{"slot": first + i} for i in range(len(inputs.leaves))]
    document = {
        "version": VERSION,
        "torch": torch.__version__,
        "parameters": [{"name": n, "trained": trained} for n, _, trained in subject.parameters],
        "buffers": [name for name, _ in subject.buffers],
        "constants": names,
        "inputs": {
            "structure": [_renumbered(t, slots) for t in inputs.trees if _has_slot(t)],
            "tensors": [
                {"dtype": str(leaf.dtype)[6:], "shape": list(leaf.shape)} for leaf in inputs.leaves
            ],
        },
        "conditions": _Sizes(subject, inputs, sizes, result, written).conditions(),
        "nodes": written.nodes,
        "outputs": written.outputs,
    }
    tensors = {name: p._value for name, p, _ in subject.parameters}
    tensors |= {name: b._value for name, b in subject.buffers}
    tensors |= dict(zip(names, written.constants, strict=True))
    return document, tensors


def _traced_twice(
    subject: Subject, inputs: Inputs, recurrent: bool = True
) -> tuple[Trace, _Writer, dict[tuple[int, int], int]]:
    """A trace that a second one confirmed, as a graph too, and what stood in for unknown sizes."""
    sizes: dict[tuple[int, int], int] = {}
    try:
        result = _accepted(subject, inputs, sizes, recurrent)
        written = _Writer(result, subject)
        again = trace(subject, inputs, sizes=sizes, recurrent=recurrent)
        _compare(written, _Writer(again, subject))
    except Exception as error:
        told = explained(error)
        if told is error:
            raise
        raise told from error
    return result, written, sizes


def _accepted(
    subject: Subject, inputs: Inputs, sizes: dict[tuple[int, int], int], recurrent: bool
) -> Trace:
    """A trace with the first stand-in for unknown sizes that the network accepts."""
    failure: Exception | None = None
    for size in _EXAMPLES if inputs.unknown else (0,):
        sizes.update(dict.fromkeys(inputs.unknown, size))
        try:
            return trace(subject, inputs, sizes=sizes, recurrent=recurrent)
        except TooComplicated:
            raise
        except Exception as error:
            failure = failure or error
    assert failure is not None
    raise failure


def _compare(first: _Writer, second: _Writer) -> None:
    """Raise unless two recordings are the same."""
    same = first.content == second.content and len(first.constants) == len(second.constants)
    if not same or not all(
        _same_bits(a, b) for a, b in zip(first.constants, second.constants, strict=True)
    ):
        raise RuntimeError(
            "For 'export', two runs of the network differ: its construct draws random numbers, "
            "reads a clock or counts its calls, and a file would repeat what the first run saw. "
            "Switch to evaluation (net.set_train(False)), or give such values as inputs."
        )


def _same_bits(a: torch.Tensor, b: torch.Tensor) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return torch.equal(*(t.contiguous().reshape(-1).view(torch.uint8) for t in (a, b)))


def _constant_names(subject: Subject, count: int) -> list[str]:
    taken = {name for name, *_ in subject.parameters} | {name for name, _ in subject.buffers}
    prefix = "agar.constant"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return [f"{prefix}.{i}" for i in range(count)]


# --------------------------------------------------------------------- sizes not known


class _Sizes:
    """Which sizes a recorded graph holds for, where they are not known.

    torch notes conditions, and takes for granted that sizes are neither 0 nor 1. Many concern the
    shapes inside of its operators and not which operators are called. So for each condition the
    network is recorded again with the nearest sizes that break it, and where the same graph comes
    out, the condition is dropped.
    """

    def __init__(
        self,
        subject: Subject,
        inputs: Inputs,
        sizes: Mapping[tuple[int, int], int],
        trace: Trace,
        written: _Writer,
    ) -> None:
        self._subject = subject
        self._inputs = inputs
        self._trace = trace
        self._noted = trace.program._guards_code if inputs.unknown else []
        #: the size of each unknown axis as an expression of torch's symbols
        self._expressions = {
            place: written.leaves[place[0]].shape[place[1]].node.expr for place in inputs.unknown
        }
        #: the symbols with the sizes for which the graph was recorded
        self._hints = {e: sizes[p] for p, e in self._expressions.items() if e.is_Symbol}
        self._seen: dict[tuple[Any, int], bool] = {}

    def conditions(self) -> list[str]:
        """The conditions that matter, in the words of a document."""
        items = []
        for text in dict.fromkeys(self._noted):
            text = SIZE.sub(r"size(\1, \2)", text)
            try:
                condition = Condition(text, self._sizes(self._hints))
            except (GraphError, LookupError, TypeError, ArithmeticError) as error:
                raise RuntimeError(
                    "For 'export', the way through the network depends on a size that is not "
                    f"known, in a manner that a file cannot hold: {text}. Give the size as a "
                    "number."
                ) from error
            broken = self._broken(condition)
            if not broken or not all(self._same_at(*case) for case in broken):
                items.append(condition)
        for symbol in self._hints:
            least = next((n for n in (0, 1) if all(self._same_at(symbol, m) for m in (n, 1))), 2)
            i, axis = next(p for p, e in self._expressions.items() if e == symbol)
            if least:
                items.append(Condition(f"size({i}, {axis}) >= {least}", self._sizes(self._hints)))
        self._check_free(items)
        return [condition.text for condition in items]

    def _sizes(self, numbers: Mapping[Any, int]) -> list[tuple[int, ...]]:
        return self._inputs.sizes(self._unknown(numbers))

    def _unknown(self, numbers: Mapping[Any, int]) -> dict[tuple[int, int], int]:
        return {
            place: numbers[e] if e in numbers else int(e.subs(dict(numbers)))
            for place, e in self._expressions.items()
        }

    def _broken(self, condition: Condition) -> list[tuple[Any, int]]:
        """The nearest sizes, one symbol at a time, for which a condition does not hold."""
        items = []
        for symbol, hint in self._hints.items():
            for sizes in (range(hint - 1, -1, -1), range(hint + 1, 2 * hint + 2)):
                for n in sizes:
                    if not condition.holds(self._sizes({**self._hints, symbol: n})):
                        items.append((symbol, n))
                        break
        return items

    def _same_at(self, symbol: Any, size: int) -> bool:
        """Whether the graph is the one that comes out where the sizes are known."""
        key = (symbol, size)
        if key not in self._seen:
            if len(self._seen) >= _MOST_TRACES:
                return False
            self._seen[key] = self._compared({**self._hints, symbol: size})
        return self._seen[key]

    def _compared(self, numbers: Mapping[Any, int]) -> bool:
        try:
            other = trace(self._subject, self._inputs, sizes=self._unknown(numbers), fixed=True)
            mine = _Writer(self._trace, self._subject, sizes=numbers)
            return mine.content == _Writer(other, self._subject, sizes={}).content
        except Exception:
            return False  # the network does not accept this size, which stays excluded

    def _check_free(self, conditions: Sequence[Condition]) -> None:
        """Raise where the conditions leave a size hardly any choice."""
        for symbol in self._hints:
            free = [
                n
                for n in range(257)
                if all(c.holds(self._sizes({**self._hints, symbol: n})) for c in conditions)
            ]
            if len(free) < 3:
                i, axis = next(p for p, e in self._expressions.items() if e == symbol)
                raise RuntimeError(
                    f"For 'export', size {axis} of tensor {i} of the inputs cannot stay unknown: "
                    f"the network makes a constant of it ({_joined(conditions)}). Give the size as "
                    "a number, or compute with x.shape without int(), len() and range()."
                )


def _joined(conditions: Sequence[Condition]) -> str:
    return " and ".join(condition.text for condition in conditions[:4])


# --------------------------------------------------------------------------------- ONNX


def onnx_model(subject: Subject, inputs: Inputs, names: Sequence[str]) -> Any:
    """A network as a model of ONNX, by torch's exporter.

    Args:
        subject: the network.
        inputs: its inputs.
        names: what the input tensors are called.

    Returns:
        torch's ONNXProgram, whose initializers have the names of parameters and buffers.

    Raises:
        RuntimeError: the network cannot be recorded, or an operator has no counterpart in ONNX.
    """
    result, _, _ = _traced_twice(subject, inputs, recurrent=False)
    try:
        # torch's exporter warns of itself and of packages that it could use
        with hushed("torch.onnx"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            output = torch.onnx.export(
                result.program, (), input_names=list(names), dynamo=True, verbose=False
            )
    except torch.onnx.errors.OnnxExporterError as error:
        # the summary stands at the end of a long text with advice for the makers of torch
        lines = str(error).split("## Exception summary")[-1].strip().splitlines()
        reason = lines[0].rstrip(".") + "."
        raise RuntimeError(
            f"For 'export', the network cannot be written as ONNX: {reason} Export the part before "
            "it, or use file_format='MINDIR'."
        ) from error
    assert output is not None
    own = [name for name, *_ in subject.parameters] + [name for name, _ in subject.buffers]
    graph = output.model.graph
    for value in list(graph.initializers.values()):
        match = re.fullmatch(r"t(\d+)", value.name or "")
        if match is not None:
            del graph.initializers[match[0]]
            value.name = own[int(match[1])]
            graph.initializers[value.name] = value
    for i, value in enumerate(graph.outputs):
        value.name = f"output_{i}"
    return output
