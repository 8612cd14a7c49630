"""Networks that MindSpore exported as ``.mindir``: its graphs, run with agar's Primitives.

NOTE What a file says. A model is a graph and functions, which are graphs too. A node calls a
Primitive, named by its type, another graph, or a closure (``Partial``, ``Switch``). Primitives are
of two kinds: of one, the arguments of the constructor are attributes; of the other, they are the
last inputs, in the order of the constructor's parameters, with enumerations as numbers. Nodes stand
in an order in which they can run, so those that only say what must run earlier are left out.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

# files hold raw tensors
import torch

from agar._core import dtype as mstype
from agar._core.dtype import FROM_TORCH
from agar._core.errors import describe
from agar._core.program import FuncGraph, GraphError
from agar._core.tensor import Tensor, wrap
from agar.train._mindir_proto import DecodeError, model_class

__all__ = ["MindirGraph", "read"]

_CALLED = "REF::"
_FUNCTION = 2  # the kind of Primitives whose constructor's arguments are inputs

# numbers of AttributeProto.AttributeType
_FLOATS = (1, 10, 11, 16)
_INTS = (*range(2, 8), 12, 13)
_STRING, _BOOL = 8, 9
_TENSORS = (17, 19)
_SEQUENCES = {20: tuple, 21: list}
_NOTHING = (23, 24, 25)  # the two tokens of effects, and None

_TYPES = {
    1: torch.float32, 2: torch.uint8, 3: torch.int8, 4: torch.uint16, 5: torch.int16,
    6: torch.int32, 7: torch.int64, 9: torch.bool, 10: torch.float16, 11: torch.float64,
    12: torch.uint32, 13: torch.uint64, 14: torch.complex64, 15: torch.complex128,
    16: torch.bfloat16, 17: torch.float64,
}  # fmt: skip

# MindSpore's numbers of types, as operators get them
_TYPE_IDS = {
    30: "bool_", 32: "int8", 33: "int16", 34: "int32", 35: "int64", 37: "uint8", 38: "uint16",
    39: "uint32", 40: "uint64", 42: "float16", 43: "float32", 44: "float64", 45: "bfloat16",
    51: "complex64", 52: "complex128",
}  # fmt: skip
_TYPE_ARGUMENTS = frozenset(["dtype", "dst_type", "output_dtype", "output_type"])

# and those of enumerations, by the argument that has them
_LAYOUTS = {0: "NCHW", 1: "NHWC", 14: "NCDHW", 58: "NCL"}
_ENUMS: dict[str, dict[int, str]] = {
    "data_format": _LAYOUTS,
    "format": _LAYOUTS,
    "pad_mode": {0: "pad", 1: "same", 2: "valid"},
    "reduction": {0: "sum", 1: "mean", 2: "none"},
    "rounding_mode": {1: "trunc", 2: "floor"},
    "approximate": {2: "none", 10: "tanh"},
    "interpolation_mode": {0: "bilinear", 1: "nearest"},
    "padding_mode": {0: "zeros", 1: "border", 2: "reflection"},
}

# what attributes of a constructor's arguments are called
_OTHER_NAMES = {
    "data_format": "format", "group": "groups", "stride": "strides", "dilation": "dilations"
}  # fmt: skip
# attributes that follow from others, or serve MindSpore's compiler
_IGNORED = frozenset(
    [
        "N", "T", "format", "groups", "input_names", "mode", "num", "op_adaptation_processed",
        "output_names", "pad_list", "primitive_target", "side_effect_io", "side_effect_mem",
        "side_effect_propagate", "checkpoint", "shape", "io_format", "dst_type", "DstT", "SrcT",
        "visited", "offset_x", "infer_shape_need_value", "_grad_flag",
    ]
)  # fmt: skip
# attributes that have a size for each dimension of the input, where the constructor takes those of
# the windows alone
_WINDOWS = ("kernel_size", "strides", "stride", "dilation")
_TUPLES = frozenset(["MakeTuple", "make_list", "MakeList"])
_ITEMS = frozenset(["TupleGetItem", "tuple_getitem", "ListGetItem", "list_getitem"])


class _Node(NamedTuple):
    """A node whose inputs are names; `run` takes their values."""

    name: str
    inputs: tuple[str, ...]
    run: Callable[..., Any]


class _Call(NamedTuple):
    """A node that calls a graph or a closure."""

    name: str
    inputs: tuple[str, ...]
    target: str


class _Closure(NamedTuple):
    """A graph with its first arguments."""

    graph: _Graph
    arguments: tuple[Any, ...]


class _Graph:
    """A graph of the model, prepared for running.

    Args:
        proto: its message.
        reader: what belongs to the whole model.
    """

    def __init__(self, proto: Any, reader: _Reader) -> None:
        self.name = proto.name
        self.inputs = [value.name for value in proto.input]
        self.constants: dict[str, Any] = {}
        self.steps: list[_Node | _Call] = []
        alias: dict[str, str] = {}

        def known(name: str) -> str:
            return alias.get(name, name)

        for node in proto.node:
            if len(node.output) != 1:
                raise GraphError(f"The node {node.name!r} has {len(node.output)} outputs, not 1.")
            output = node.output[0]
            inputs = tuple([known(name) for name in node.input])
            kind = reader.kind(node)
            if kind == "Constant":
                self.constants[output] = reader.constant(node)
            elif kind == "Depend" or (kind == "Load" and not reader.assigns):
                alias[output] = inputs[0]
            elif kind == "UpdateState":
                self.constants[output] = None
            elif kind is None:
                target = node.op_type.removeprefix(_CALLED)
                self.steps.append(_Call(output, inputs, known(target)))
            else:
                self.steps.append(reader.step(kind, node, output, inputs))
        self.outputs = [known(value.name) for value in proto.output]
        if not self.outputs:
            raise GraphError(f"The graph {self.name!r} has no output.")
        self._drop_unused()

    def _drop_unused(self) -> None:
        """Leave out tuples that only said which parameters must be read earlier."""
        used = {*self.outputs}
        for step in self.steps:
            used.update(step.inputs)
            if isinstance(step, _Call):
                used.add(step.target)
        self.steps = [s for s in self.steps if s.name in used or getattr(s, "run", None) != _tuple]

    def run(self, model: _Model, arguments: Sequence[Any], state: dict[str, Any]) -> Any:
        """The output for arguments; a call at the end is returned instead of being run."""
        if len(arguments) != len(self.inputs):
            raise RuntimeError(
                f"For 'GraphCell', the graph {self.name!r} takes {len(self.inputs)} arguments, but "
                f"got {len(arguments)}."
            )
        values = {**state, **self.constants, **dict(zip(self.inputs, arguments, strict=True))}

        def value(name: str) -> Any:
            if name in values:
                return values[name]
            if name in model.graphs:
                return _Closure(model.graphs[name], ())
            raise GraphError(f"The graph {self.name!r} uses {name!r}, which nothing computes.")

        last = self.steps[-1] if self.steps else None
        for step in self.steps:
            inputs = [value(name) for name in step.inputs]
            if isinstance(step, _Node):
                values[step.name] = step.run(*inputs)
                continue
            target = value(step.target)
            if not isinstance(target, _Closure):
                raise GraphError(f"The node {step.name!r} calls {step.target!r}, not a graph.")
            closure = _Closure(target.graph, (*target.arguments, *inputs))
            if step is last and self.outputs == [step.name]:
                return closure  # so that loops, which are calls at the end, need no stack
            values[step.name] = model.call(closure, state)
        if len(self.outputs) == 1:
            return value(self.outputs[0])
        return tuple([value(name) for name in self.outputs])


def _tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _item(values: Any, place: Any) -> Any:
    return values[int(place)]


def _partial(closure: Any, *arguments: Any) -> _Closure:
    if not isinstance(closure, _Closure):
        raise GraphError("A 'Partial' has another first input than a graph.")
    return _Closure(closure.graph, (*closure.arguments, *arguments))


def _switch(condition: Any, first: Any, second: Any) -> Any:
    return first if bool(condition) else second


def _switch_layer(place: Any, branches: Any) -> Any:
    return branches[int(place)]


def _returned(value: Any) -> Any:
    return value


def _loaded(parameter: Any, *_: Any) -> Any:
    """The value that a parameter has now: a later node assigns to it."""
    return wrap(parameter._value.clone())


_STRUCTURE: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(_TUPLES, _tuple),
    **dict.fromkeys(_ITEMS, _item),
    "Load": _loaded,
    "Partial": _partial,
    "Return": _returned,
    "Switch": _switch,
    "SwitchLayer": _switch_layer,
    "switch_layer": _switch_layer,
}


class _Operator:
    """A Primitive of agar's that is called with the inputs of a node.

    Args:
        kind: the class.
        count: how many inputs are the last arguments, those of the constructor.
        instance: the Primitive, if its constructor's arguments are known.
        names: the names of all the inputs that have any.
    """

    def __init__(self, kind: type, count: int, instance: Any, names: Sequence[str | None]) -> None:
        self.kind = kind
        self.count = count
        self.instance = instance
        self.names = names
        self._rebuilt: tuple[Any, Any] | None = None

    def __call__(self, *inputs: Any) -> Any:
        given = [
            value if name is None else _argument(name, value)
            for name, value in zip(self.names, inputs, strict=True)
        ]
        if not self.count:
            return self.instance(*given)
        arguments = tuple(given[-self.count :])
        if self._rebuilt is None or self._rebuilt[0] != arguments:
            self._rebuilt = (arguments, self.kind(*arguments))
        return self._rebuilt[1](*given[: -self.count])


def _argument(name: str, value: Any) -> Any:
    """An argument as agar takes it: enumerations by their names, types as types."""
    if type(value) is not int:
        return value
    if name in _TYPE_ARGUMENTS and value in _TYPE_IDS:
        return getattr(mstype, _TYPE_IDS[value])
    return _ENUMS.get(name, {}).get(value, value)


def _primitive(name: str) -> type:
    """The class of a Primitive.

    Raises:
        GraphError: agar has none of this name.
    """
    # MindSpore's generated operators are at its paths, beside those that are written by hand
    for home in ("agar.ops.operations", "agar.ops.auto_generate.gen_ops_prim"):
        result = getattr(import_module(home), name, None) if name.isidentifier() else None
        if isinstance(result, type) and not hasattr(result, "_absent"):
            return result
    raise GraphError(
        f"It uses the Primitive '{name}' of MindSpore, which agar does not have. Build the network "
        "in Python, and load its parameters from a checkpoint."
    )


def _parameters(function: Any) -> dict[str, inspect.Parameter]:
    return {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if name != "self"
    }


class _Reader:
    """What belongs to the whole model while its graphs are prepared."""

    def __init__(self, model: Any) -> None:
        if model.HasField("little_endian") and not model.little_endian:
            raise GraphError("It was written on a machine whose numbers begin with the high byte.")
        self.primitives = {primitive.name: primitive for primitive in model.primitives}
        self.graphs = {graph.name: graph for graph in (model.graph, *model.functions)}
        kinds = {self.kind(node) for graph in self.graphs.values() for node in graph.node}
        #: whether parameters change while the network runs
        self.assigns = any((kind or "").startswith(("Assign", "Inplace")) for kind in kinds)

    def kind(self, node: Any) -> str | None:
        """The type of a node's Primitive; None where it calls a graph or a closure."""
        if not node.op_type.startswith(_CALLED):
            return node.op_type
        primitive = self.primitives.get(node.op_type.removeprefix(_CALLED))
        return None if primitive is None else primitive.op_type

    def constant(self, node: Any) -> Any:
        """The value of a node that is a constant."""
        for attribute in node.attribute:
            if attribute.name == "value":
                return _value(attribute)
        raise GraphError(f"The constant {node.name!r} has no value.")

    def step(self, kind: str, node: Any, output: str, inputs: tuple[str, ...]) -> _Node:
        """A node that runs a Primitive."""
        if kind in _STRUCTURE:
            return _Node(output, inputs, _STRUCTURE[kind])
        primitive = self.primitives.get(node.op_type.removeprefix(_CALLED))
        of_inputs = primitive is not None and primitive.prim_type == _FUNCTION
        cls = _primitive(kind)
        init = _parameters(cls.__init__)
        if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in init.values()):
            raise GraphError(
                f"It uses the Primitive '{kind}' of MindSpore, whose arguments agar does not know."
            )
        if of_inputs:
            return _Node(output, inputs, self._by_inputs(kind, cls, init, len(inputs)))
        attributes = node.attribute if primitive is None else primitive.attribute
        given = {a.name: _value(a) for a in attributes if a.name not in ("shape", "input_names")}
        instance = _constructed(kind, cls, init, given)
        return _Node(output, inputs, _Operator(cls, 0, instance, [None] * len(inputs)))

    @staticmethod
    def _by_inputs(kind: str, cls: Any, init: dict[str, Any], count: int) -> _Operator:
        call = list(_parameters(cls.__call__).values())
        if count < len(init):
            raise GraphError(
                f"A node of the Primitive '{kind}' has {count} inputs, but its constructor alone "
                f"takes {len(init)} arguments; the file is of another version of MindSpore."
            )
        names: list[str | None] = [
            p.name for p in call if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        of_call = (names + [None] * count)[: count - len(init)]
        instance = None if init else cls()
        return _Operator(cls, len(init), instance, [*of_call, *init])


def _constructed(kind: str, cls: Any, init: dict[str, Any], given: dict[str, Any]) -> Any:
    """A Primitive whose constructor's arguments are attributes."""
    arguments: dict[str, Any] = {}
    used = set()
    for name, parameter in init.items():
        key = name if name in given else _OTHER_NAMES.get(name, name)
        if key in given:
            arguments[name] = _argument(name, given[key])
            used |= {key, _OTHER_NAMES.get(name, name)}
        elif parameter.default is parameter.empty:
            raise GraphError(
                f"A node of the Primitive '{kind}' lacks the attribute '{name}'; the file is of "
                "another version of MindSpore."
            )
    unknown = [name for name in given if name not in used and name not in _IGNORED]
    if unknown:
        raise GraphError(
            f"A node of the Primitive '{kind}' has the attributes {unknown}, which agar does not "
            "know, so that its result could be another. Build the network in Python, and load its "
            "parameters from a checkpoint."
        )
    if isinstance(arguments.get("pad_mode"), str):
        arguments["pad_mode"] = arguments["pad_mode"].lower()
    rank = 3 if "3D" in kind else 2
    start = 1 if arguments.get("data_format") == "NHWC" else 2
    for name in _WINDOWS:
        sizes = arguments.get(name)
        if isinstance(sizes, tuple) and len(sizes) == rank + 2:
            arguments[name] = sizes[start : start + rank]
    try:
        return cls(**arguments)
    except (TypeError, ValueError) as error:
        raise GraphError(f"The Primitive '{kind}' does not take its attributes: {error}") from error


# ------------------------------------------------------------------------------- values


def _value(attribute: Any) -> Any:
    """What an attribute holds, as Python has it."""
    kind = attribute.type
    if kind in _SEQUENCES:
        return _SEQUENCES[kind]([_value(inside) for inside in attribute.values])
    if kind in _INTS:
        return attribute.i if attribute.HasField("i") else _first(attribute.ints, 0)
    if kind == _BOOL:
        return bool(attribute.i if attribute.HasField("i") else _first(attribute.ints, 0))
    if kind in _FLOATS:
        for name in ("f", "d"):
            if attribute.HasField(name):
                return getattr(attribute, name)
        return _first(attribute.floats or attribute.doubles, 0.0)
    if kind == _STRING:
        text = attribute.s if attribute.HasField("s") else _first(attribute.strings, b"")
        return text.decode()
    if kind in _TENSORS:
        protos = list(attribute.tensors) or [attribute.t]
        items = [_tensor_or_type(proto) for proto in protos]
        return items[0] if len(items) == 1 else tuple(items)
    if kind in _NOTHING:
        return None
    raise GraphError(f"The attribute '{attribute.name}' is of kind {kind}, which agar cannot read.")


def _first(values: Any, otherwise: Any) -> Any:
    return values[0] if values else otherwise


def _tensor_or_type(proto: Any) -> Any:
    if not proto.raw_data and not proto.dims:  # a tensor without data stands for its type
        return FROM_TORCH[_dtype(proto)]
    return wrap(_raw(proto))


def _dtype(proto: Any) -> torch.dtype:
    try:
        return _TYPES[proto.data_type]
    except KeyError:
        raise GraphError(
            f"The tensor '{proto.name}' is of type {proto.data_type}, which agar cannot read."
        ) from None


def _raw(proto: Any) -> torch.Tensor:
    """The tensor of a message, in memory of its own."""
    dtype = _dtype(proto)
    if proto.external_data.location:
        raise GraphError(
            f"Its parameter '{proto.name}' lies in another file, '{proto.external_data.location}', "
            "as MindSpore writes large networks; load its parameters from a checkpoint."
        )
    if proto.compression_type:
        raise GraphError(f"Its parameter '{proto.name}' is compressed, which agar does not read.")
    shape = tuple(proto.dims)
    size = math.prod(shape) * dtype.itemsize
    if min(shape, default=1) < 0 or size != len(proto.raw_data):
        raise GraphError(
            f"The tensor '{proto.name}' of shape {list(shape)} should have {size} bytes, but has "
            f"{len(proto.raw_data)}."
        )
    if not size:
        return torch.zeros(shape, dtype=dtype)
    return torch.frombuffer(bytearray(proto.raw_data), dtype=dtype).reshape(shape)


# -------------------------------------------------------------------------------- model


class _Model:
    """The prepared graphs of a file."""

    def __init__(self, proto: Any) -> None:
        reader = _Reader(proto)
        self.graphs: dict[str, _Graph] = {
            name: _Graph(graph, reader) for name, graph in reader.graphs.items()
        }
        self.main = self.graphs[proto.graph.name]
        #: names in the graph, names of the parameters, and their tensors
        self.parameters = [
            (p.name, p.ref_key or p.name.rpartition(":")[2], _raw(p)) for p in proto.graph.parameter
        ]
        self.inputs = [_described(value) for value in proto.graph.input]

    def call(self, closure: _Closure, state: dict[str, Any]) -> Any:
        """The output of a graph."""
        result: Any = closure
        while isinstance(result, _Closure):
            result = result.graph.run(self, result.arguments, state)
        return result

    def checked(self, inputs: Sequence[Any]) -> None:
        """Refuse inputs that are not like those of the exported network."""
        if len(inputs) != len(self.inputs):
            raise RuntimeError(
                f"For 'GraphCell', the exported network takes {len(self.inputs)} inputs, but got "
                f"{len(inputs)}."
            )
        for place, (value, expected) in enumerate(zip(inputs, self.inputs, strict=True)):
            if expected is None:
                continue
            dtype, shape = expected
            fits = (
                isinstance(value, Tensor)
                and value._value.dtype is dtype
                and value.ndim == len(shape)
                and all(want in (-1, got) for want, got in zip(shape, value.shape, strict=True))
            )
            if not fits:
                raise RuntimeError(
                    f"For 'GraphCell', input {place} must be a Tensor of {FROM_TORCH[dtype]} of "
                    f"shape {list(shape)} as in the exported network (-1: any size), but got "
                    f"{describe(value)}."
                )


def _described(value: Any) -> tuple[torch.dtype, tuple[int, ...]] | None:
    """Type and shape of an input; None for one that is not a tensor, or of any rank."""
    if len(value.tensor) != 1 or -2 in value.tensor[0].dims:
        return None
    return _dtype(value.tensor[0]), tuple(value.tensor[0].dims)


class MindirGraph(FuncGraph):
    """A network that MindSpore exported, as ``agar.load`` gives it.

    Args:
        data: the content of the file.

    Raises:
        GraphError: it is damaged, or uses what agar does not have.
    """

    __slots__ = ("_data", "_model")

    def __init__(self, data: bytes) -> None:
        proto = model_class()()
        try:
            proto.ParseFromString(data)
            self._model = _Model(proto)
        except GraphError:
            raise
        except (
            DecodeError,
            AttributeError,
            LookupError,
            RuntimeError,  # RecursionError is one
            TypeError,
            ValueError,
        ) as error:
            raise GraphError(
                f"It is damaged, or no .mindir at all ({type(error).__name__}: {error})."
            ) from error
        self._data = data
        self.document = {"nodes": [s for g in self._model.graphs.values() for s in g.steps]}
        self.tensors = {name: tensor for _, name, tensor in self._model.parameters}
        self.parameters = [(name, True) for _, name, _ in self._model.parameters]
        self.buffers = []
        self.constants = []

    def __call__(self, *inputs: Any) -> Any:
        """Run the network on the tensors of the file."""
        return self.run([self.tensors[name] for name, _ in self.parameters], inputs)

    def run(self, state: Sequence[torch.Tensor], inputs: Sequence[Any]) -> Any:
        """Run the network, see `FuncGraph.run`; one that cannot be run raises a RuntimeError."""
        model = self._model
        model.checked(inputs)
        values = {
            name: wrap(tensor) for (name, _, _), tensor in zip(model.parameters, state, strict=True)
        }
        return model.call(_Closure(model.main, tuple(inputs)), values)

    def __reduce__(self) -> tuple[Any, ...]:
        return MindirGraph, (self._data,)

    def __repr__(self) -> str:
        return (
            f"FuncGraph({len(self._model.inputs)} inputs, {len(self.parameters)} parameters, "
            f"{len(self.document['nodes'])} operators of MindSpore)"
        )


def read(path: str) -> MindirGraph:
    """The network of a file.

    Raises:
        GraphError: it is damaged, or uses what agar does not have.
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        return MindirGraph(file.read())
