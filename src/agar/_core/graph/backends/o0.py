"""O0: a subgraph as straight-line Python over torch's cheapest entry points.

Every operation of the graph becomes one line that calls the same kernel with the same constants, so
results equal eager ones bit for bit. Variables are deleted at their last use, and element-wise
operators write into an operand that is dead from there on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import torch

from agar._core.graph.ir.graph import (
    READS,
    Chunk,
    Host,
    Meta,
    Op,
    Ref,
    Subgraph,
    map_refs,
    mutates,
    outputs_of,
    returns_one_tensor,
    used_by,
)
from agar._core.graph.passes.overlap import overlapped
from agar._core.runtime import runtime

__all__ = ["Inlined", "caller", "failing", "generate", "inlined", "source_of"]

aten = torch.ops.aten
_C: Any = torch._C  # torch's generated bindings, which its stubs do not list
_serial = itertools.count()


# --------------------------------------------------------------------------- entry points


class _Direct:
    """A callable that stands for one or several operators with one tensor result."""

    __slots__ = ("call", "label")

    def __init__(self, call: Callable[..., Any], label: str) -> None:
        self.call = call
        self.label = label


#: Overloads whose recorded arguments select the same overload again in torch's Python bindings.
_BOUND_OVERLOADS = frozenset(
    {
        "",
        "Tensor",
        "Scalar",
        "dim",
        "dim_IntList",
        "int",
        "self",
        "Tensor_Tensor",
        "Tensor_Scalar",
        "correction",
        "ScalarSelf",
        "ScalarOther",
    }
)
#: Names whose binding is another function than the operator.
_NOT_BOUND = frozenset(
    {
        "split",
        "stft",
        "istft",
        "norm",
        "unique",
        "lu",
        "meshgrid",
        "detach",
        "index_put",
        "index_put_",
    }
)

_entry_points: dict[Any, Callable[..., Any]] = {}


def _entry_point(func: Any) -> Callable[..., Any]:
    """The cheapest callable for an overload: a generated binding, else the raw operator."""
    result = _entry_points.get(func)
    if result is not None:
        return result
    schema = func._schema
    namespace, name = schema.name.split("::", 1)
    result = func._op
    if (
        namespace == "aten"
        and schema.overload_name in _BOUND_OVERLOADS
        and name not in _NOT_BOUND
        and not any(a.name == "dtype" for a in schema.arguments)  # factories stay explicit
    ):
        functions = _C._VariableFunctions
        for home in (functions, _C._nn):
            if hasattr(home, name):
                result = getattr(home, name)
                break
        else:
            arguments = schema.arguments
            if arguments and arguments[0].name == "self" and hasattr(_C.TensorBase, name):
                result = getattr(_C.TensorBase, name)
    _entry_points[func] = result
    return result


def _rnn_layer(grad: bool) -> Callable[..., Any]:
    """The recurrent kernel of oneDNN, which keeps what its backward needs in grad mode only."""
    call = aten.mkldnn_rnn_layer.default._op

    def run(*args: Any) -> Any:
        before = torch.is_grad_enabled()
        if before == grad:
            return call(*args)
        _C._set_grad_enabled(grad)
        try:
            return call(*args)
        finally:
            _C._set_grad_enabled(before)

    return run


_RNN_LAYER = {grad: _rnn_layer(grad) for grad in (False, True)}


def caller(func: Any) -> Callable[..., Any]:
    """What runs one operator as a plan does, keeping all that a backward pass may need."""
    return _RNN_LAYER[True] if func is aten.mkldnn_rnn_layer.default else func


# ------------------------------------------------------------------------- rewriting the graph


def _linear_joined(ops: list[Op], outs: Sequence[int]) -> list[Op]:
    """``addmm(bias, x, weight.t())`` as one call of linear, which runs the same kernel."""
    uses: dict[int, int] = {}
    for op in ops:
        for u in used_by(op):
            uses[u] = uses.get(u, 0) + 1
    for o in outs:
        uses[o] = uses.get(o, 0) + 1
    turned: dict[int, Op] = {}
    joined: set[int] = set()
    result: list[Op] = []
    changed: set[int] = set()
    for op in ops:
        if op.func is aten.t.default and uses.get(op.outs[0] or -1) == 1:
            turned[op.outs[0]] = op  # type: ignore[index]
        changed.update(mutates(op))
        if op.func is aten.addmm.default and not op.kwargs and len(op.args) == 3:
            bias, x, weight = op.args
            before = turned.get(weight.i) if type(weight) is Ref else None
            if before is not None and not changed.intersection(used_by(before)):
                output = _Direct(_C._nn.linear, "linear")
                args = (x, before.args[0], bias)
                result.append(Op(output, args, {}, op.outs, op.metas, op.site, op.at))
                joined.add(id(before))
                continue
        result.append(op)
    return [op for op in result if id(op) not in joined]


def _inplace_table() -> dict[Any, tuple[Callable[..., Any], tuple[int, ...]]]:
    """Element-wise operators that can write into an operand: the call, and which operands."""
    table: dict[Any, tuple[Callable[..., Any], tuple[int, ...]]] = {}
    unary = (
        "relu sigmoid tanh exp log neg abs sqrt rsqrt sin cos erf reciprocal silu gelu leaky_relu "
        "elu clamp clamp_min clamp_max hardtanh pow.Tensor_Scalar add.Scalar mul.Scalar "
        "div.Scalar sub.Scalar addcmul addcdiv masked_fill.Scalar div.Tensor sub.Tensor hardswish "
        "hardsigmoid mish"
    )
    for entry in unary.split():
        name, _, overload = entry.partition(".")
        func = getattr(getattr(aten, name), overload or "default")
        target = getattr(aten, name + "_", None)
        target = None if target is None else getattr(target, overload or "default", None)
        if overload == "Tensor_Scalar":
            target = aten.pow_.Scalar
        if target is not None:
            table[func] = (_entry_point(target), (0,))
    table[aten.add.Tensor] = (_C.TensorBase.add_, (0, 1))
    table[aten.mul.Tensor] = (_C.TensorBase.mul_, (0, 1))
    for name in ("threshold_backward", "sigmoid_backward", "tanh_backward", "gelu_backward"):
        func = getattr(aten, name)
        table[func.default] = (_into_gradient(func.grad_input._op), (0,))
    return table


def _into_gradient(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda grad, *args, **kwargs: call(grad, *args, grad_input=grad, **kwargs)


_inplace: dict[Any, tuple[Callable[..., Any], tuple[int, ...]]] = {}


def _reusing(
    ops: list[Op], ins: Sequence[int], outs: Sequence[int], metas: dict[int, Meta]
) -> list[Op]:
    """Let element-wise operators write into an operand whose memory nobody needs any more."""
    if not _inplace:
        _inplace.update(_inplace_table())
    last: dict[int, int] = {}
    born: dict[int, int] = {}
    for n, op in enumerate(ops):
        for u in used_by(op):
            last[u] = n
        for o in outputs_of(op):
            born[o] = n
            last.setdefault(o, n)
    forever = len(ops)
    for v in (*outs, *ins):
        last[v] = forever
    family: dict[int, list[int]] = {}
    for v in (*born, *ins):
        if v in metas:
            family.setdefault(metas[v].storage, []).append(v)
    held_by_python = {  # results of host functions may be memory that Python keeps
        o for op in ops if isinstance(op.func, (Host, Chunk)) for o in op.outs if o is not None
    }

    def free(v: int, n: int) -> bool:
        return all(
            w == v or born.get(w, -1) > n or last[w] < n for w in family.get(metas[v].storage, ())
        ) and not any(w in held_by_python for w in family.get(metas[v].storage, ()))

    result: list[Op] = []
    for n, op in enumerate(ops):
        entry = _inplace.get(op.func) if isinstance(op.func, torch._ops.OpOverload) else None
        out = op.outs[0] if entry is not None else None
        if entry is not None and out is not None and out in metas:
            call, places = entry
            if op.kwargs and places != (0,):
                places = (0,)
            taken = used_by(op)
            for p in places:
                source = op.args[p] if p < len(op.args) else None
                if (
                    type(source) is Ref
                    and source.i in born
                    and last[source.i] == n
                    and taken.count(source.i) == 1
                    and source.i in metas
                    and metas[source.i].like(metas[out])
                    and free(source.i, n)
                ):
                    args = list(op.args)
                    if p == 1:
                        args[0], args[1] = args[1], args[0]
                    output = _Direct(call, op.func._schema.name.split("::")[1] + "_")
                    op = Op(output, tuple(args), op.kwargs, op.outs, op.metas, op.site, op.at)
                    family.setdefault(metas[source.i].storage, []).append(out)
                    break
        result.append(op)
    return result


# ------------------------------------------------------------------------------------ writing code


#: The global of a generated function that holds the operation of each of its lines.
_OPERATIONS = "__operations__"
#: Operations of a function that is written into another one, and numbers of a weight that is held.
_SHORT, _SMALL = 32, 4096
_KINDS = (torch.Tensor, torch.nn.Parameter)


class _Writer:
    """Lines of a function and the names that they use."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.lines: list[str] = []
        self.sites: dict[int, Op] = {}
        self._known: dict[int, str] = {}

    def name(self, value: Any, stem: str) -> str:
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = f"{stem}{len(self.names)}"
            self.names[known] = value
        return known

    def literal(self, value: Any) -> str:
        kind = type(value)
        if kind is Ref:
            return f"v{value.i}"
        if kind is tuple:
            inner = ", ".join(map(self.literal, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        if kind is list:
            return f"[{', '.join(map(self.literal, value))}]"
        if kind is dict:
            return f"{{{', '.join(f'{k!r}: {self.literal(v)}' for k, v in value.items())}}}"
        if value is None or kind in (int, bool, str):
            return repr(value)
        if kind is float and value - value == 0:  # finite
            return repr(value)
        return self.name(value, "c")


def _explicit_defaults(func: Any, given: int) -> list[Any]:
    """Defaults that torch's Python bindings do not share: those of ``reduction`` (torch 2.13)."""
    arguments = func._schema.arguments
    at = next((i for i, a in enumerate(arguments) if a.name == "reduction"), -1)
    return [a.default_value for a in arguments[given : at + 1]]


def _statement(op: Op, writer: _Writer) -> str:
    func = op.func
    args = [writer.literal(a) for a in op.args]
    single = True
    if isinstance(func, _Direct):
        call = writer.name(func.call, f"{func.label}_")
    elif isinstance(func, Host):
        call = writer.name(func.fn, "host_")
        if func.gives == "value":
            return f"read = {call}({', '.join(args)})"
        single = func.gives != "tensors"
    elif isinstance(func, Chunk):
        call = writer.name(func.run, "chunk_")
        single = False
    else:
        stem = func._schema.name.split("::", 1)[1].replace(".", "_")
        target = _entry_point(func)
        if func is aten.mkldnn_rnn_layer.default:
            # what eager took: the kernel for training gives a workspace, even if nobody needs it
            workspace = op.metas[3]
            target = _RNN_LAYER[workspace is not None and 0 not in workspace.shape]
        if target is not func._op:
            args += [writer.literal(v) for v in _explicit_defaults(func, len(op.args))]
        call = writer.name(target, f"{stem}_")
        if func in READS:
            return f"read = {call}({', '.join(args)})"
        single = returns_one_tensor(func)
    args += [f"{k}={writer.literal(v)}" for k, v in op.kwargs.items()]
    call = f"{call}({', '.join(args)})"
    new = outputs_of(op)
    if not new:
        return call
    fresh = set(new)
    targets = [f"v{o}" if o in fresh else "_" for o in op.outs]
    if single:
        return f"{targets[0]} = {call}"
    return f"{', '.join(targets)}{',' if len(targets) == 1 else ''} = {call}"


def generate(
    subgraph: Subgraph,
    ops: list[Op] | None = None,
    *,
    bound: dict[int, Any] | None = None,
    name: str = "subgraph",
    reuse: bool = True,
) -> Callable[..., Any]:
    """The function of a subgraph: ``fn(*ins) -> (value read or None, tuple of outs)``.

    Args:
        subgraph: what to run.
        ops: its operations as a plan has rewritten them. Default: None, those of the subgraph.
        bound: variables of ``subgraph.ins`` that are no arguments but names of the function, with
            their values; they can be bound anew through ``fn.__globals__``. Default: None.
        name: of the function, for people.
        reuse: whether operators may write into dead operands. Default: True.
    """
    body = list(subgraph.ops if ops is None else ops)
    body = _linear_joined(overlapped(body, subgraph.metas), subgraph.outs)
    if reuse:
        body = _reusing(body, subgraph.ins, subgraph.outs, subgraph.metas)
    bound = bound or {}
    writer = _Writer()
    writer.names.update({f"v{v}": value for v, value in bound.items()})
    last: dict[int, int] = {}
    for n, op in enumerate(body):
        for u in (*used_by(op), *outputs_of(op)):
            last[u] = n
    keep = {*subgraph.outs, *subgraph.ins}
    read = bool(body) and subgraph.read
    for n, op in enumerate(body):
        writer.lines.append(_statement(op, writer))
        writer.sites[len(writer.lines) + 1] = op
        dead = sorted(u for u in {*used_by(op), *outputs_of(op)} if last[u] == n and u not in keep)
        if dead:
            writer.lines.append("del " + ", ".join(f"v{d}" for d in dead))
    if any(v in subgraph.captured for op in body for v in _written(op)):
        writer.names["runtime"] = runtime
        writer.lines.append("runtime.weights += 1")
    outs = "".join(f"v{o}, " for o in subgraph.outs)
    writer.lines.append(f"return {'read' if read else 'None'}, ({outs})")
    params = ", ".join(f"v{i}" for i in subgraph.ins if i not in bound)
    source = f"def {name}({params}):\n  " + "\n  ".join(writer.lines) + "\n"
    filename = f"<agar {name} {next(_serial)}>"
    writer.names[_OPERATIONS] = writer.sites
    exec(compile(source, filename, "exec"), writer.names)
    result = writer.names.pop(name)  # not in a cycle: plans hold copies of weights
    result.source = source
    result.body = None if read or len(body) > _SHORT else writer.lines[:-1]
    return result


class Inlined(NamedTuple):
    """The body of a generated function, to be written into another one.

    Attributes:
        lines: its lines, over variables ``v0, v1, ...``.
        names: the globals that they use.
        sites: the operation of a line, by its index.
        held: weights whose transposed view is held, by name: they must have the strides and sizes
            that they have now.
    """

    lines: list[str]
    names: dict[str, Any]
    sites: dict[int, Op]
    held: dict[str, torch.Tensor]

    def place(self, names: dict[str, Any], first: int) -> None:
        """Note in a function's globals, for `failing`, at which line the lines begin."""
        names[_OPERATIONS] = {first + i: op for i, op in self.sites.items()}


def inlined(code: Callable[..., Any]) -> Inlined | None:
    """The body of a function that :func:`generate` has made, if it is short.

    A small weight of a dense layer is transposed once, not at every call: a sixth of its time.
    """
    body: list[str] | None = getattr(code, "body", None)
    if body is None:
        return None
    names = code.__globals__
    sites = {line - 2: op for line, op in names[_OPERATIONS].items()}
    lines, held = list(body), {}
    new = {n: v for n, v in names.items() if n not in ("__builtins__", _OPERATIONS)}
    for i, op in sites.items():
        if not isinstance(op.func, _Direct) or op.func.call is not _C._nn.linear:
            continue
        x, weight, bias = op.args
        name = f"v{weight.i}"
        value = names.get(name)
        if not isinstance(value, torch.Tensor) or type(value) not in _KINDS:
            continue
        if value.device.type == "cpu" and value.numel() <= _SMALL and not value.requires_grad:
            held[name] = value
            new[f"turned_{name}"], new[f"at_{name}"] = value.detach().t(), value.data_ptr()
            new["addmm"] = _C._VariableFunctions.addmm
            target, _, otherwise = lines[i].partition(" = ")
            lines[i] = (
                f"{target} = addmm(v{bias.i}, v{x.i}, turned_{name}) "
                f"if {name}.data_ptr() == at_{name} else {otherwise}"
            )
    return Inlined(lines, new, sites, held)


def _written(op: Op) -> list[int]:
    """Variables that an operation may change, those of compiled parts included."""
    if isinstance(op.func, _Direct):
        return []  # it writes into dead operands, never into captured tensors
    if isinstance(op.func, Chunk):
        return [] if op.func.part is None else [v for o in op.func.part.ops for v in mutates(o)]
    return mutates(op)


def source_of(function: Callable[..., Any]) -> str:
    """The Python text of a generated function."""
    return getattr(function, "source", "")


class Failure(NamedTuple):
    """Where a replay was when an operation raised.

    Attributes:
        op: the operation; None if that is not known.
        done: the operations that had run before.
        values: what was held by variable, where code that was generated ran.
    """

    op: Op | None
    done: list[Op]
    values: dict[int, Any]


def failing(error: BaseException) -> Failure:
    """The operation in whose line an error was raised, and those that had run before."""
    known = getattr(error, "_agar_failure", None)
    if known is not None:
        return known
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        sites: dict[int, Op] | None = frame.f_globals.get(_OPERATIONS)
        if sites is not None:
            done: list[Op] = []
            for line, op in sites.items():
                if line < trace.tb_lineno:
                    done += _stands_for(op)
            op = sites.get(trace.tb_lineno)
            held = {**frame.f_globals, **frame.f_locals}
            taken = () if op is None else used_by(op)
            values = {v: held[f"v{v}"] for v in taken if f"v{v}" in held}
            return Failure(op, done, values)
        trace = trace.tb_next
    return Failure(None, [], {})


def _stands_for(op: Op) -> list[Op]:
    """The operations of the recording behind one of a plan."""
    part = op.func.part if isinstance(op.func, Chunk) else None
    if part is not None:
        return list(part.ops)
    # others stand for operators that only compute
    return [op] if isinstance(op.func, (Chunk, Host, torch._ops.OpOverload)) else []


def run_each(ops: Iterable[Op], env: dict[int, Any], done: list[Op] | None = None) -> Any:
    """Run operations one by one over values by variable; the result of the last.

    What one of them raises tells :func:`failing` which it was.

    Args:
        ops: the operations.
        env: the values, to which theirs are added.
        done: operations of the call that have run, to which these are added. Default: None.
    """
    result = None
    done = [] if done is None else done
    for op in ops:
        try:
            result = _run_one(op, env)
        except Exception as error:
            error._agar_failure = Failure(op, list(done), {})  # type: ignore[attr-defined]
            raise
        done += _stands_for(op)
    return result


def _run_one(op: Op, env: dict[int, Any]) -> Any:
    args = map_refs(op.args, lambda ref: env[ref.i])
    kwargs = {k: map_refs(v, lambda ref: env[ref.i]) for k, v in op.kwargs.items()}
    func = op.func
    if isinstance(func, (Host, Chunk)):
        call = func.fn if isinstance(func, Host) else func.run
    else:
        call = caller(func)
    result = call(*args, **kwargs)
    single = isinstance(func, Host) and func.gives == "object"
    values = (result,) if single or not isinstance(result, (tuple, list)) else result
    taken = set(used_by(op))
    pairs = zip(op.outs, values, strict=False)
    env.update({v: value for v, value in pairs if v is not None and v not in taken})
    return result
