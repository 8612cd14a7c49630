"""From a graph to what TorchInductor takes: which operations it may compile, and their FX graph.

NOTE Views float. A view is metadata of its base, so it may be made again wherever it is wanted.
Views are taken out of the order of operations first; each compiled part makes the views that it
needs from bases, and the rest of the graph makes those that it needs from the same bases. So a part
takes and gives bases only, which never share memory with each other where one of them is changed.

NOTE Order. What is left is ordered by what it reads and writes (memory, counted by its base), and
by one chain through random draws and Python. Then, in turn, everything that stays raw and is ready
is taken, and everything that is ready for the compiler: draws move up, and cut nothing.

NOTE Errors. An operation that may raise for its values (an index outside of its axis) and one that
changes what the caller can see keep their order across parts: after an error everything is as
Python leaves it. Inside of a part they need not: a part that raises has changed nothing (see
kernel_errors.py).
"""

from __future__ import annotations

import itertools
import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from agar._core.graph.ir.graph import (
    READS,
    Meta,
    Op,
    Ref,
    Subgraph,
    map_refs,
    mutates,
    outputs_of,
    reads_value,
    returns_one_tensor,
    used_by,
)

__all__ = [
    "RAISING_PREFIXES",
    "Part",
    "decode",
    "disagreement",
    "draws",
    "encode",
    "may_raise",
    "partition",
    "to_fx",
]

aten = torch.ops.aten

#: A compiled part of fewer operations than this does not pay for its call.
SMALLEST_PART = 3

#: Device types that Inductor makes code for.
_DEVICES = frozenset({"cpu", "cuda"})

#: Operators that Inductor cannot lower, or that are kernels of their own already.
_RAW_PREFIXES = (
    "aten::_fused_",
    "aten::mkldnn_rnn_layer",
    "aten::_cudnn_rnn",
    "aten::_thnn_fused",
    "aten::miopen_rnn",
    "aten::cudnn_batch_norm",
    "aten::miopen_batch_norm",
    "aten::_cudnn_ctc_loss",
    "aten::embedding_renorm_",
    "aten::_sparse",
    "aten::_fft",
)
_RAW_TAGS = (torch.Tag.data_dependent_output, torch.Tag.inplace_view)
#: Fresh memory: raw, so that a draw into it does not wait for a compiled part.
_FRESH = frozenset({aten.empty.memory_format, aten.empty_strided.default})
_FRESH_LIKE = frozenset(
    {
        aten.empty_like.default,
        aten.new_empty.default,
        aten.new_empty_strided.default,
    }
)


class Part:
    """Operations to compile as one: from the variables `ins` to the new variables `outs`.

    Attributes:
        ops: operations and views, in the order of the graph.
        origin: the position of each of them in the subgraph.
        kernels: the positions of those that are no views.
        ins: variables taken; they may be changed in place.
        outs: variables made that are wanted outside, each with memory of its own.
    """

    __slots__ = ("ins", "kernels", "ops", "origin", "outs")

    def __init__(
        self,
        ops: list[Op],
        origin: list[int],
        kernels: list[int],
        ins: list[int],
        outs: list[int],
    ) -> None:
        self.ops = ops
        self.origin = origin
        self.kernels = kernels
        self.ins = ins
        self.outs = outs

    def __repr__(self) -> str:
        return f"Part({len(self.ops)} operations, {self.ins} -> {self.outs})"


# --------------------------------------------------------------------------------- partition


def partition(subgraph: Subgraph, split: bool = False, raw: Iterable[int] = ()) -> list[Op | Part]:
    """The subgraph as operations that stay as they are and parts for Inductor.

    Args:
        subgraph: what to divide.
        split: whether parts end at the subgraph's marks. Default: False.
        raw: positions of operations in the subgraph that must stay raw. Default: ().
    """
    return _Partition(subgraph, split, frozenset(raw)).result()


class _Partition:
    """The work of :func:`partition`."""

    def __init__(self, subgraph: Subgraph, split: bool, raw: frozenset[int]) -> None:
        self.subgraph = subgraph
        self.metas = subgraph.metas
        self.marks = sorted(m for m in subgraph.marks if 0 < m < len(subgraph.ops)) if split else []
        self.raw = raw
        self.inputs = frozenset(subgraph.ins)
        self.ops = [self._detached(op) for op in subgraph.ops]
        self.view_of: dict[int, int] = {}  # variable -> position of the view that makes it
        self._family: dict[int, int] = {}
        self._find_views()
        self._tie_inputs()
        self.tied = {self._memory(v) for v in self._family}
        self.given = {self._memory(v) for v in self.inputs}
        self.reads, self.writes = self._accesses()
        self.compiles = [self._may_compile(n) for n in range(len(self.ops))]

    def _detached(self, op: Op) -> Op:
        """Fresh memory with the metadata of a tensor, without the tensor."""
        out = op.outs[0] if op.func in _FRESH_LIKE and op.outs else None
        meta = None if out is None else self.metas.get(out)
        if meta is None or len(meta.stride) != len(meta.shape):
            return op
        args = (list(meta.shape), list(meta.stride))
        kwargs = {"dtype": meta.dtype, "device": meta.device}
        return Op(aten.empty_strided.default, args, kwargs, op.outs, op.metas, op.site, op.at)

    # ---------------------------------------------------------------- memory

    def _root(self, var: int) -> int:
        """The variable whose memory a variable is a view of."""
        while var in self.view_of:
            var = used_by(self.ops[self.view_of[var]])[0]
        return var

    def _memory(self, var: int) -> int:
        """One variable for all that share memory."""
        var = self._root(var)
        while var in self._family:
            var = self._family[var]
        return var

    def _tie(self, a: int, b: int) -> None:
        a, b = self._memory(a), self._memory(b)
        if a != b:
            self._family[max(a, b)] = min(a, b)

    def _find_views(self) -> None:
        moved: set[int] = set()  # shapes that change in place: views of these do not float
        for op in self.ops:
            if torch.Tag.inplace_view in getattr(op.func, "tags", ()):
                moved.update(used_by(op))
        storages = {self.metas[v].storage for v in moved if v in self.metas}
        for n, op in enumerate(self.ops):
            taken = used_by(op)
            if (
                n not in self.raw
                and self._is_view(op, taken)
                and not moved.intersection(taken)
                and self.metas[taken[0]].storage not in storages
            ):
                for o in outputs_of(op):
                    self.view_of[o] = n
                continue
            for o in outputs_of(op):  # memory that is shared in another way
                for other in (*taken, *outputs_of(op)):
                    if other != o and (self._share(o, other) or getattr(op.func, "is_view", False)):
                        self._tie(o, other)

    def _is_view(self, op: Op, taken: list[int]) -> bool:
        func = op.func
        if not isinstance(func, torch._ops.OpOverload) or len(taken) != 1:
            return False
        result = outputs_of(op)
        if not result or any(v not in self.metas for v in (*taken, *result)):
            return False
        if func._schema.is_mutable or not (func.is_view or func is aten._unsafe_view.default):
            return False
        if func is aten.as_strided.default and self._root(taken[0]) in self.inputs:
            return False  # it counts from the start of memory that an input need not start at
        base = self.metas[taken[0]]
        if base.storage == -1:  # metadata made by hand: believe the operator
            return True
        return all(self.metas[o].storage == base.storage for o in result)

    def _share(self, a: int, b: int) -> bool:
        if a not in self.metas or b not in self.metas:
            return False
        storage = self.metas[a].storage
        return storage != -1 and storage == self.metas[b].storage

    def _tie_inputs(self) -> None:
        first: dict[int, int] = {}
        for v in self.subgraph.ins:
            storage = self.metas[v].storage if v in self.metas else -1
            if storage != -1:
                self._tie(v, first.setdefault(storage, v))

    def _accesses(self) -> tuple[list[set[int]], list[set[int]]]:
        reads: list[set[int]] = []
        writes: list[set[int]] = []
        for op in self.ops:
            reads.append({self._memory(v) for v in used_by(op)})
            writes.append({self._memory(v) for v in (*outputs_of(op), *mutates(op))})
        return reads, writes

    # ------------------------------------------------------------------ kinds

    def _is_floating(self, n: int) -> bool:
        result = outputs_of(self.ops[n])
        return bool(result) and self.view_of.get(result[0]) == n

    def _may_compile(self, n: int) -> bool:
        op = self.ops[n]
        if n in self.raw or not _lowers(op) or not _encodable((op.args, op.kwargs)):
            return False
        if _divides_whole(op, self.metas) or _is_coarse(op, self.metas):
            return False
        variables = {*used_by(op), *(o for o in op.outs if o is not None)}
        for view in self._views_for(used_by(op)):  # they are made again inside of the part
            variables.update(used_by(self.ops[view]))
            if not _encodable((self.ops[view].args, self.ops[view].kwargs)):
                return False
        if any(not _plain(self.metas.get(v)) for v in variables):
            return False
        if torch.Tag.dynamic_output_shape in op.func.tags and not self._is_static_index(op):
            return False
        devices = {self.metas[v].device for v in variables}
        if len(devices) != 1:
            scalars = {v for v in variables if self.metas[v].shape == ()}
            devices = {self.metas[v].device for v in variables - scalars}
            if len(devices) != 1:
                return False
        if any(d.type not in _DEVICES for d in devices):
            return False
        # memory with two names, one of them changed: the compiler would take them for two
        return not (self.writes[n] & self.tied)

    def _is_static_index(self, op: Op) -> bool:
        """Whether indices say how many elements there are: numbers do, masks do not."""
        return op.func is aten.index.Tensor and not any(
            self.metas[v].dtype in (torch.bool, torch.uint8) for v in used_by(op)[1:]
        )

    def _device(self, n: int) -> torch.device:
        op = self.ops[n]
        metas = [self.metas[o] for o in op.outs if o is not None]
        metas += [self.metas[v] for v in used_by(op)]
        return next((m.device for m in metas if m.shape != ()), metas[0].device)

    # ------------------------------------------------------------------ order

    def _dependencies(self, members: list[int]) -> dict[int, set[int]]:
        """Which of the operations each one has to wait for."""
        writer: dict[int, int] = {}
        readers: dict[int, list[int]] = {}
        results: dict[int, set[int]] = {}
        last_ordered: int | None = None
        raising: set[int] = set()
        changing: set[int] = set()
        for n in members:
            waits: set[int] = set()
            for memory in self.reads[n]:
                if memory in writer:
                    waits.add(writer[memory])
                readers.setdefault(memory, []).append(n)
            for memory in self.writes[n]:
                if memory in writer:
                    waits.add(writer[memory])
                waits.update(readers.get(memory, ()))
                writer[memory] = n
                readers[memory] = []
            if _is_ordered(self.ops[n]):
                if last_ordered is not None:
                    waits.add(last_ordered)
                last_ordered = n
            raises = may_raise(self.ops[n], self.metas)
            if self._is_seen(n):
                waits |= raising
                changing.add(n)
            if raises:
                waits |= changing
                raising.add(n)
            waits.discard(n)
            results[n] = waits
        return results

    def _is_seen(self, n: int) -> bool:
        """Whether the caller sees what an operation does, also if a later one raises."""
        op = self.ops[n]
        if not isinstance(op.func, torch._ops.OpOverload):
            return True
        return any(self._memory(v) in self.given for v in mutates(op))

    def _groups(self, members: list[int]) -> list[list[int] | int]:
        """The operations in an order that is right: raw ones, and lists that compile together."""
        waits = self._dependencies(members)
        done: set[int] = set()
        left = members
        result: list[list[int] | int] = []
        while left:
            rest: list[int] = []
            for n in left:
                if not self.compiles[n] and waits[n] <= done:
                    result.append(n)
                    done.add(n)
                else:
                    rest.append(n)
            left, rest = rest, []
            group: list[int] = []
            device: torch.device | None = None
            for n in left:
                if self.compiles[n] and waits[n] <= done:
                    own = self._device(n)
                    device = own if device is None else device
                    if own == device:
                        group.append(n)
                        done.add(n)
                        continue
                rest.append(n)
            left = rest
            if len(group) >= SMALLEST_PART:
                result.append(group)
            else:
                result.extend(group)
        return result

    # ----------------------------------------------------------------- result

    def result(self) -> list[Op | Part]:
        """The whole subgraph."""
        kernels = [n for n in range(len(self.ops)) if not self._is_floating(n)]
        read = [kernels.pop()] if kernels and reads_value(self.ops[kernels[-1]]) else []
        bounds = [0, *self.marks, len(self.ops)]
        groups: list[list[int] | int] = []
        for start, end in itertools.pairwise(bounds):
            groups += self._groups([n for n in kernels if start <= n < end])
        groups += read
        expected = self._used_outside(groups)
        result: list[Op | Part] = []
        present: set[int] = set()  # views made in raw code so far
        for group in groups:
            if isinstance(group, int):
                self._add_views(used_by(self.ops[group]), present, result)
                result.append(self.ops[group])
                continue
            part = self._part(group, expected)
            if part.ins:
                result.append(part)
                continue
            for n in group:  # constants of the run: nothing to gain
                self._add_views(used_by(self.ops[n]), present, result)
                result.append(self.ops[n])
        outs = result.pop() if read else None  # a read stays last
        self._add_views(self.subgraph.outs, present, result)
        if outs is not None:
            result.append(outs)
        return result

    def _used_outside(self, groups: list[list[int] | int]) -> dict[int, set[int]]:
        """For each base, the groups (by their first operation, -1 for the end) that take it."""
        expected: dict[int, set[int]] = {}
        for v in self.subgraph.outs:
            expected.setdefault(self._root(v), set()).add(-1)
        for group in groups:
            members = [group] if isinstance(group, int) else group
            for n in members:
                for v in used_by(self.ops[n]):
                    expected.setdefault(self._root(v), set()).add(members[0])
        return expected

    def _add_views(self, expected: Iterable[int], present: set[int], to: list[Op | Part]) -> None:
        for n in self._views_for(expected):
            if n not in present:
                present.add(n)
                to.append(self.ops[n])

    def _views_for(self, expected: Iterable[int]) -> list[int]:
        """Positions of the views that make the wanted variables, in order."""
        results: set[int] = set()
        for v in expected:
            while v in self.view_of:
                n = self.view_of[v]
                if n in results:
                    break
                results.add(n)
                v = used_by(self.ops[n])[0]
        return sorted(results)

    def _part(self, group: list[int], expected: dict[int, set[int]]) -> Part:
        taken = [v for n in group for v in used_by(self.ops[n])]
        origin = sorted({*group, *self._views_for(taken)})
        ops = [self.ops[n] for n in origin]
        result = {v for n in group for v in outputs_of(self.ops[n])}
        ins = list(dict.fromkeys(r for r in map(self._root, taken) if r not in result))
        outs = sorted(v for v in result if expected.get(v, set()) - {group[0]})
        return Part(ops, origin, group, ins, outs)


def _lowers(op: Op) -> bool:
    """Whether the operator, apart from its arguments, is one for Inductor."""
    func = op.func
    if not isinstance(func, torch._ops.OpOverload) or func in READS or func in _FRESH:
        return False
    name = func._schema.name
    if func.namespace not in ("aten", "prims") or name.startswith(_RAW_PREFIXES):
        return False
    if not op.outs and not name.startswith("aten::_foreach_"):
        return False
    return not any(tag in func.tags for tag in _RAW_TAGS) and not draws(op)


#: Operators that raise for some values of floating-point numbers: a matrix that is singular, say.
RAISING_PREFIXES = (
    *("aten::linalg_", "aten::_linalg_"),
    *("aten::cholesky", "aten::_cholesky", "aten::lu_", "aten::_lu_"),
)
#: Pointwise operators that raise where whole numbers are divided by zero.
_DIVISIONS = frozenset({"aten::div", "aten::floor_divide", "aten::remainder", "aten::fmod"})


def may_raise(op: Op, metas: Mapping[int, Meta]) -> bool:
    """Whether an operation may raise for the values that it gets: for indices, above all.

    Only what is known to take any value is left out: shapes and types are those of the recording.
    """
    func = op.func
    if not isinstance(func, torch._ops.OpOverload) or func.namespace not in ("aten", "prims"):
        return True
    name = func._schema.name
    if name.startswith(RAISING_PREFIXES) or not op.outs:
        return True
    whole = any(v not in metas or not metas[v].dtype.is_floating_point for v in used_by(op))
    if not whole or name in _MOVING:
        return False
    return torch.Tag.pointwise not in func.tags or name.rstrip("_") in _DIVISIONS


def _divides_whole(op: Op, metas: Mapping[int, Meta]) -> bool:
    """Whether whole numbers are divided: by zero, a kernel's processor would end the process."""
    if op.func._schema.name.rstrip("_") not in _DIVISIONS:
        return False
    meta = metas.get(op.outs[0]) if op.outs and op.outs[0] is not None else None
    if meta is not None and meta.dtype.is_floating_point:
        return False
    divisor = op.args[1] if len(op.args) > 1 else None
    return not (type(divisor) is int and divisor > 0)


#: Operators whose kernels are exact for large numbers, where Inductor's formulas are not.
_COARSE = frozenset({"aten::acosh", "aten::cosh", "aten::sinh"})


def _is_coarse(op: Op, metas: Mapping[int, Meta]) -> bool:
    """Whether Inductor's result may be far off: ``a - floor(a / b) * b`` for a remainder, say."""
    name = op.func._schema.name.rstrip("_")
    if name in _COARSE:
        return True
    if name == "aten::div":
        rounds = op.kwargs.get("rounding_mode") is not None
    else:
        rounds = name in ("aten::remainder", "aten::floor_divide")
    meta = metas.get(op.outs[0]) if op.outs and op.outs[0] is not None else None
    return rounds and (meta is None or meta.dtype.is_floating_point)


#: Operators that only move or convert values.
_MOVING = frozenset(
    f"aten::{name}"
    for name in ("_to_copy", "copy", "copy_", "clone", "cat", "stack", "constant_pad_nd", "repeat")
)


def draws(op: Op) -> bool:
    """Whether an operator draws random numbers; attention does so for its dropout only."""
    func = op.func
    if torch.Tag.nondeterministic_seeded not in func.tags:
        return _has_generator((op.args, tuple(op.kwargs.values())))
    if not func._schema.name.startswith("aten::_scaled_dot_product"):
        return True
    names = [a.name for a in func._schema.arguments]
    given = {**dict(zip(names, op.args, strict=False)), **op.kwargs}
    return given.get("dropout_p", 0.0) != 0.0


def _is_ordered(op: Op) -> bool:
    """Whether an operation keeps its place among its like: Python, draws, reads, and checks."""
    func = op.func
    if not isinstance(func, torch._ops.OpOverload):
        return True
    if func in READS or (not op.outs and not func._schema.is_mutable):
        return True
    return draws(op)


def _has_generator(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_has_generator, value))
    return isinstance(value, torch.Generator)


def _plain(meta: Meta | None) -> bool:
    """Whether Inductor takes a tensor with these metadata."""
    return (
        meta is not None
        and len(meta.stride) == len(meta.shape)
        and not meta.dtype.is_complex
        and meta.dtype in _DTYPE_NAMES
        and all(type(s) is int for s in (*meta.shape, *meta.stride))
    )


# ------------------------------------------------------------------- text for the other process

_DTYPE_NAMES = {
    getattr(torch, name): name
    for name in (
        *("float64", "float32", "float16", "bfloat16"),
        *("int64", "int32", "int16", "int8", "uint8", "bool"),
    )
}


def _encodable(value: Any) -> bool:
    kind = type(value)
    if kind is tuple or kind is list:
        return all(map(_encodable, value))
    if kind is dict:
        return all(map(_encodable, value.values()))
    return (
        value is None
        or kind in (int, float, bool, str, Ref, torch.device, torch.layout, torch.memory_format)
        or (kind is torch.dtype and value in _DTYPE_NAMES)
    )


def _encoded(value: Any, number: dict[int, int]) -> Any:
    kind = type(value)
    if kind is Ref:
        return {"v": number[value.i]}
    if kind is tuple or kind is list:
        return [_encoded(v, number) for v in value]
    if kind is torch.dtype or kind is torch.layout or kind is torch.memory_format:
        return {"torch": str(value).removeprefix("torch.")}
    if kind is torch.device:
        return {"device": str(value)}
    return value


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(v) for v in value]
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "v":
            return Ref(content)
        return torch.device(content) if kind == "device" else getattr(torch, content)
    return value


def _encode_meta(meta: Meta) -> list[Any]:
    return [list(meta.shape), list(meta.stride), _DTYPE_NAMES[meta.dtype], str(meta.device)]


def encode(part: Part, metas: dict[int, Meta]) -> str:
    """A part as text: equal for equal parts, whatever the numbers of their variables.

    Sizes are numbers here; symbolic ones would be encoded beside `_look` and `_encoded`.
    """
    number: dict[int, int] = {}
    for v in part.ins:
        number[v] = len(number)
    ops = []
    for op in part.ops:
        for o in outputs_of(op):
            number[o] = len(number)
        outs = [None if o is None else number[o] for o in op.outs]
        metadata = [None if o is None else _encode_meta(metas[o]) for o in op.outs]
        kwargs = {k: _encoded(v, number) for k, v in op.kwargs.items()}
        name = f"{op.func._schema.name}.{op.func._overloadname}"
        ops.append([name, _encoded(op.args, number), kwargs, outs, metadata])
    whole = {
        "ins": [_encode_meta(metas[v]) for v in part.ins],
        "ops": ops,
        "outs": [number[o] for o in part.outs],
    }
    return json.dumps(whole, separators=(",", ":"))


def decode(text: str) -> tuple[Part, dict[int, Meta]]:
    """The part and the metadata of its variables from :func:`encode`'s text."""
    whole = json.loads(text)
    metas = {i: _decode_meta(fields) for i, fields in enumerate(whole["ins"])}
    ops = []
    for name, args, kwargs, outs, metadata in whole["ops"]:
        for o, fields in zip(outs, metadata, strict=True):
            if o is not None:
                metas[o] = _decode_meta(fields)
        kwargs = {k: _decoded(v) for k, v in kwargs.items()}
        ops.append(Op(_operator(name), tuple(_decoded(args)), kwargs, tuple(outs)))
    ins = list(range(len(whole["ins"])))
    everything = list(range(len(ops)))
    return Part(ops, everything, everything, ins, whole["outs"]), metas


def _operator(name: str) -> Any:
    namespace, rest = name.split("::", 1)
    packet, overload = rest.rsplit(".", 1)
    return getattr(getattr(getattr(torch.ops, namespace), packet), overload)


def _decode_meta(fields: list[Any]) -> Meta:
    shape, stride, dtype, device = fields
    meta = object.__new__(Meta)
    meta.shape, meta.stride = tuple(shape), tuple(stride)
    meta.dtype, meta.device, meta.storage = getattr(torch, dtype), torch.device(device), -1
    meta.offset = meta.span = 0
    return meta


# ---------------------------------------------------------------------------------- FX graphs

_PRODUCTS = frozenset(
    {
        aten.mm.default,
        aten.addmm.default,
        aten.bmm.default,
        aten.baddbmm.default,
        aten.convolution.default,
        aten.convolution_backward.default,
    }
)


def to_fx(part: Part, metas: dict[int, Meta], bf16: bool = False) -> torch.fx.GraphModule:
    """The part as an FX graph whose placeholders have fake tensors in ``meta["val"]``.

    Args:
        part: the operations.
        metas: the metadata of its variables.
        bf16: whether products of float32 matrices and convolutions are computed in bfloat16, with
            float32 results. Default: False.
    """
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    graph = torch.fx.Graph()
    nodes: dict[int, torch.fx.Node] = {}
    fake_mode = FakeTensorMode(shape_env=ShapeEnv())
    for v in part.ins:
        nodes[v] = graph.placeholder(f"v{v}")
        with fake_mode:
            nodes[v].meta["val"] = metas[v].empty()

    def node_of(ref: Ref) -> torch.fx.Node:
        return nodes[ref.i]

    def narrow(ref: Ref) -> torch.fx.Node:
        if metas[ref.i].dtype != torch.float32:
            return nodes[ref.i]
        return graph.call_function(aten._to_copy.default, (nodes[ref.i],), _BF16)

    for op in part.ops:
        cast = bf16 and op.func in _PRODUCTS and _is_float32(op, metas)
        sub = narrow if cast else node_of
        args, kwargs = map_refs(op.args, sub), map_refs(op.kwargs, sub)
        node = graph.call_function(op.func, args, kwargs)
        fresh = set(outputs_of(op))
        single = returns_one_tensor(op.func)
        for i, o in enumerate(op.outs):
            if o in fresh:
                result = node if single else graph.call_function(operator.getitem, (node, i))
                if cast:
                    result = graph.call_function(aten._to_copy.default, (result,), _F32)
                nodes[o] = result
    graph.output(tuple(nodes[o] for o in part.outs))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


_BF16: dict[str, Any] = {"dtype": torch.bfloat16}
_F32: dict[str, Any] = {"dtype": torch.float32}


def _is_float32(op: Op, metas: dict[int, Meta]) -> bool:
    return all(metas[o].dtype == torch.float32 for o in op.outs if o is not None)


def disagreement(part: Part, metas: dict[int, Meta]) -> tuple[list[int], str] | None:
    """Operations whose results the compiler would expect to have other metadata than they had.

    Returns:
        Positions in ``part.ops`` and the reason, or None where all agree.
    """
    from torch._subclasses.fake_tensor import FakeTensorMode

    at_fault: list[int] = []
    reason = ""
    with FakeTensorMode(), torch.no_grad():
        values: dict[int, torch.Tensor] = {v: metas[v].empty() for v in part.ins}
        for n, op in enumerate(part.ops):
            args = map_refs(op.args, lambda ref: values[ref.i])
            kwargs = map_refs(op.kwargs, lambda ref: values[ref.i])
            result = set(outputs_of(op))
            for o in result:
                values[o] = metas[o].empty()
            try:
                out = op.func(*args, **kwargs)
            except Exception as error:
                at_fault.append(n)
                reason = reason or f"{op.name}: {_first_line(error)}"
                continue
            results: Sequence[Any] = (out,) if returns_one_tensor(op.func) else (out or ())
            pairs = [(o, r) for o, r in zip(op.outs, results, strict=False) if o in result]
            wrong = [(metas[o], Meta(r)) for o, r in pairs if not _alike(Meta(r), metas[o])]
            if wrong:
                at_fault.append(n)
                was, seen = wrong[0]
                reason = reason or (
                    f"{op.name} gave {was!r} with strides {was.stride}, the compiler expects "
                    f"{seen!r} with strides {seen.stride}"
                )
                continue
            values.update(pairs)
    return (at_fault, reason) if at_fault else None


def _alike(a: Meta, b: Meta) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device:
        return False
    return 0 in a.shape or all(
        x == y for x, y, size in zip(a.stride, b.stride, a.shape, strict=True) if size > 1
    )


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
