"""The graph: a recorded run as a list of operator calls over numbered variables.

A graph knows no Python of the user and no autograd: it is what reached torch's dispatcher, in
order. Variables are numbered in the order in which the run met them, inputs first, so two
recordings of the same program number alike.

NOTE Kinds of operations. `Op.func` is a torch ``OpOverload``, or a :class:`Host` (Python that runs
at every replay: random draws, numpy functions, print), or a :class:`Chunk` (a part of the graph
that a plan has compiled).
"""

from __future__ import annotations

import copy
import functools
import math
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

__all__ = [
    "HIDDEN_WRITES",
    "READS",
    "Chunk",
    "Host",
    "Meta",
    "Op",
    "Ref",
    "Subgraph",
    "aliases_resolved",
    "changed_storages",
    "inputs_of",
    "is_pure",
    "map_refs",
    "mutates",
    "near_their_use",
    "outputs_of",
    "positions",
    "returns_one_tensor",
    "rewritten",
    "same_value",
    "used_by",
    "without_dead_code",
]

aten = torch.ops.aten

#: Operators that hand a value of a tensor to Python: the graph is cut behind them.
READS = frozenset(
    {
        aten._local_scalar_dense.default,
        aten.is_nonzero.default,
        aten.equal.default,
        aten.allclose.default,
    }
)


#: Operators that write to arguments without saying so in their schema: the arguments, and the flag
#: that must be set.
HIDDEN_WRITES: dict[Any, tuple[tuple[int, ...], int]] = {
    aten.native_batch_norm.default: ((3, 4), 5),
    aten.cudnn_batch_norm.default: ((3, 4), 5),
    aten.miopen_batch_norm.default: ((3, 4), 5),
}


class Ref:
    """A use of variable `i`."""

    __slots__ = ("i",)

    def __init__(self, i: int) -> None:
        self.i = i

    def __repr__(self) -> str:
        return f"v{self.i}"

    def __eq__(self, other: object) -> bool:
        return type(other) is Ref and other.i == self.i

    def __hash__(self) -> int:
        return hash((Ref, self.i))


class Meta:
    """Metadata of a variable; `storage` is equal for variables that share memory."""

    __slots__ = ("device", "dtype", "offset", "shape", "span", "storage", "stride")

    def __init__(self, t: torch.Tensor, storage: int = -1, memory: Any = None) -> None:
        self.shape = tuple(t.shape)
        self.stride = t.stride() if t.layout is torch.strided else ()
        self.dtype = t.dtype
        self.device = t.device
        self.storage = storage
        self.offset = self.span = 0
        if type(t) is torch.Tensor and self.stride:  # where it lies in its memory, in elements
            self.offset = t.storage_offset()
            memory = t.untyped_storage() if memory is None else memory
            self.span = memory.nbytes() // self.dtype.itemsize

    def but(self, **meta: Any) -> Meta:
        """The same metadata but for some attributes."""
        result = copy.copy(self)
        for name, value in meta.items():
            setattr(result, name, value)
        return result

    def like(self, other: Meta) -> bool:
        """Whether the other has the same shape, strides, dtype and device."""
        return (
            self.shape == other.shape
            and self.stride == other.stride
            and self.dtype == other.dtype
            and self.device == other.device
        )

    def is_contiguous(self) -> bool:
        """Whether the elements lie in order without gaps; sizes of 1 fit any strides."""
        expected = 1
        for n, s in zip(reversed(self.shape), reversed(self.stride), strict=True):
            if n != 1 and s != expected:
                return False
            expected *= n
        return True

    def empty(self) -> torch.Tensor:
        """A tensor with these metadata and arbitrary contents."""
        if self.span:  # torch asks views about the memory that they are views of
            base = torch.empty(self.span, dtype=self.dtype, device=self.device)
            return base.as_strided(self.shape, self.stride, self.offset)
        return torch.empty_strided(self.shape, self.stride, dtype=self.dtype, device=self.device)

    def __repr__(self) -> str:
        kind = str(self.dtype).removeprefix("torch.")
        return f"{kind}{list(self.shape)}"


class Host:
    """Python that runs at every replay, with the variables in its arguments replaced.

    Args:
        fn: called with the operation's arguments.
        label: for people.
        gives: what `fn` returns: ``"tensor"``, ``"tensors"`` (a tuple or list), ``"object"``
            (anything, which later operations take as one argument), ``"value"`` (something for
            Python: the graph is cut behind it) or ``"nothing"``.
        writes: positions of arguments whose tensors it changes in place.
    """

    __slots__ = ("fn", "gives", "label", "writes")

    def __init__(
        self,
        fn: Callable[..., Any],
        label: str,
        gives: str = "tensor",
        writes: tuple[int, ...] = (),
    ) -> None:
        self.fn = fn
        self.label = label
        self.gives = gives
        self.writes = writes

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Host)
            and self.label == other.label
            and self.gives == other.gives
            and same_value(self.fn, other.fn)
        )

    def __hash__(self) -> int:
        return hash(self.label)

    def __repr__(self) -> str:
        return self.label


class Chunk:
    """A compiled part of a graph: ``run(*inputs) -> tuple of outputs``, inputs mutated in place.

    `part` has the operations that it stands for, as ``ops``, ``ins`` and ``outs``.
    """

    __slots__ = ("label", "part", "run")

    def __init__(self, run: Callable[..., Any], label: str, part: Any = None) -> None:
        self.run = run
        self.label = label
        self.part = part

    def __repr__(self) -> str:
        return self.label


class Op:
    """One call: `func` over `args` and `kwargs`, whose results become the variables `outs`.

    `outs` has one entry per returned tensor (None where there was none); an in-place operator
    returns the variable it changed. `metas` describes the outs. `site` is (file, line) of the
    user's code, `at` the position in the recording.
    """

    __slots__ = ("args", "at", "func", "kwargs", "metas", "outs", "site", "used")

    def __init__(
        self,
        func: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        outs: tuple[int | None, ...],
        metas: tuple[Meta | None, ...] = (),
        site: tuple[str, int] | None = None,
        at: int = -1,
    ) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs
        self.outs = outs
        self.metas = metas
        self.site = site
        self.at = at
        self.used: list[int] | None = None  # see `used_by`

    def replaced(self, sub: Callable[[Ref], Any]) -> Op:
        """The same call with its variables replaced."""
        return Op(
            self.func,
            map_refs(self.args, sub),
            {k: map_refs(v, sub) for k, v in self.kwargs.items()},
            self.outs,
            self.metas,
            self.site,
            self.at,
        )

    def same(self, other: Op) -> bool:
        """Whether the other is the same call with the same constants."""
        return (
            (self.func is other.func or (isinstance(self.func, Host) and self.func == other.func))
            and self.outs == other.outs
            and same_value(self.args, other.args)
            and same_value(self.kwargs, other.kwargs)
        )

    @property
    def name(self) -> str:
        """The operator's name, for people."""
        if isinstance(self.func, torch._ops.OpOverload):
            name = self.func._schema.name.removeprefix("aten::")
            over = self.func._schema.overload_name
            return f"{name}.{over}" if over else name
        return repr(self.func)

    def __repr__(self) -> str:
        args = [repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.kwargs.items()]
        outs = ", ".join("_" if o is None else f"v{o}" for o in self.outs)
        return f"{outs} = {self.name}({', '.join(args)})"


class Subgraph:
    """A stretch of graph without decisions: from inputs to outputs, as a plan compiles it.

    Attributes:
        ops: the operations, cleaned (no identities, no dead code).
        ins: variables that it takes, in the order of a plan's arguments.
        outs: variables that it gives back, in order.
        metas: the metadata of every variable in it, ins included.
        read: whether its last operation reads a value for Python.
        captured: variables of `ins` that are the same tensor at every call (parameters, state),
        with
            that tensor.
        marks: positions in `ops` where the backward pass and the optimizer begin.
    """

    __slots__ = ("captured", "ins", "marks", "metas", "ops", "outs", "read")

    def __init__(
        self,
        ops: list[Op],
        ins: list[int],
        outs: list[int],
        metas: dict[int, Meta],
        read: bool,
        captured: dict[int, torch.Tensor],
        marks: tuple[int, ...] = (),
    ) -> None:
        self.ops = ops
        self.ins = ins
        self.outs = outs
        self.metas = metas
        self.read = read
        self.captured = captured
        self.marks = marks


# ------------------------------------------------------------------------------ walking over graphs


def map_refs(value: Any, fn: Callable[[Ref], Any]) -> Any:
    """The same arguments with `fn` applied to each variable."""
    kind = type(value)
    if kind is Ref:
        return fn(value)
    if kind is tuple or kind is list:
        return kind([map_refs(v, fn) for v in value])
    if kind is dict:
        return {k: map_refs(v, fn) for k, v in value.items()}
    return value


def _collect(value: Any, result: list[int]) -> None:
    kind = type(value)
    if kind is Ref:
        result.append(value.i)
    elif kind is tuple or kind is list:
        for v in value:
            _collect(v, result)
    elif kind is dict:
        for v in value.values():
            _collect(v, result)


def used_by(op: Op) -> list[int]:
    """The variables that a call takes, in order, with repetitions; not to be changed."""
    results = op.used
    if results is None:
        results = op.used = []
        _collect(op.args, results)
        if op.kwargs:
            _collect(op.kwargs, results)
    return results


def outputs_of(op: Op) -> list[int]:
    """The variables that a call makes (not those it only changed)."""
    used = used_by(op)
    taken = used if len(used) < 8 else set(used)
    return [o for o in op.outs if o is not None and o not in taken]


def inputs_of(ops: Iterable[Op], outs: Iterable[int]) -> list[int]:
    """The variables that ops take from outside, and outs that they do not make, sorted."""
    result: set[int] = set()
    needed: set[int] = set()
    for op in ops:
        needed.update(u for u in used_by(op) if u not in result)
        result.update(outputs_of(op))
    needed.update(o for o in outs if o not in result)
    return sorted(needed)


class _Facts:
    """What is often asked of an operator, worked out once: torch looks it up each time."""

    __slots__ = ("func", "hidden", "mutable", "pure")

    def __init__(self, func: torch._ops.OpOverload) -> None:
        self.func = func  # keeps its id
        self.hidden = HIDDEN_WRITES.get(func)
        self.mutable = func._schema.is_mutable
        seeded = torch.Tag.nondeterministic_seeded in func.tags
        self.pure = not (self.mutable or seeded or func in READS)


_facts: dict[int, _Facts] = {}  # by id: an operator's hash is made in Python


def _facts_of(func: torch._ops.OpOverload) -> _Facts:
    known = _facts.get(id(func))
    if known is None:
        known = _facts[id(func)] = _Facts(func)
    return known


def mutates(op: Op) -> list[int]:
    """The variables that a call changes in place."""
    func = op.func
    results: list[int] = []
    if isinstance(func, Host):
        for i in func.writes:
            _collect(op.args[i], results)
        return results
    if not isinstance(func, torch._ops.OpOverload):
        return results
    facts = _facts_of(func)
    if facts.hidden is not None:
        places, flag = facts.hidden
        if op.args[flag]:
            _collect([op.args[i] for i in places], results)
        return results
    if not facts.mutable:
        return results
    for argument, value in _bound(func, op):
        info = argument.alias_info
        if info is not None and info.is_write:
            _collect(value, results)
    return results


def changed_storages(ops: Iterable[Op], metas: dict[int, Meta]) -> set[int]:
    """The memory that calls change in place."""
    return {metas[v].storage for op in ops for v in mutates(op) if v in metas}


def _bound(func: Any, op: Op) -> Iterable[tuple[Any, Any]]:
    arguments = func._schema.arguments
    for argument, value in zip(arguments, op.args, strict=False):
        yield argument, value
    if op.kwargs:
        by_name = {a.name: a for a in arguments}
        for name, value in op.kwargs.items():
            yield by_name[name], value


def reads_value(op: Op) -> bool:
    """Whether an operation hands a value to Python, so that the graph is cut behind it."""
    func = op.func
    return func.gives == "value" if isinstance(func, Host) else func in READS


def is_pure(op: Op) -> bool:
    """Whether a call may be left out when nobody uses its results."""
    func = op.func
    if isinstance(func, (Host, Chunk)) or not op.outs:
        return False
    facts = _facts_of(func)
    return facts.pure and not (facts.hidden is not None and mutates(op))


def returns_one_tensor(func: Any) -> bool:
    """Whether an operator returns a bare tensor and no tuple or list."""
    returns = func._schema.returns
    return len(returns) == 1 and isinstance(returns[0].type, torch.TensorType)


# ---------------------------------------------------------------------------------------- passes


_IDENTITIES = frozenset({aten.detach.default, aten.alias.default, aten.lift_fresh.default})


def aliases_resolved(ops: list[Op]) -> tuple[list[Op], dict[int, int]]:
    """The graph without identities, and which variable stands for each one that they made.

    Where an operator changes the shape of a tensor object in place, an identity that makes a new
    object is none, and all stay.
    """
    if any(
        isinstance(op.func, torch._ops.OpOverload) and torch.Tag.inplace_view in op.func.tags
        for op in ops
    ):
        return list(ops), {}
    stands: dict[int, int] = {}
    retained: list[Op] = []

    def sub(ref: Ref) -> Ref:
        other = stands.get(ref.i)
        return ref if other is None else Ref(other)

    for op in ops:
        if op.func in _IDENTITIES and type(op.args[0]) is Ref and op.outs[0] is not None:
            source = op.args[0].i
            stands[op.outs[0]] = stands.get(source, source)
            continue
        retained.append(op.replaced(sub) if stands else op)
    return retained, stands


def positions(ops: Sequence[Op], times: Iterable[float]) -> tuple[int, ...]:
    """Where the operations recorded at some times, or the next ones that are left, now stand."""
    return tuple(next((i for i, op in enumerate(ops) if op.at >= t), len(ops)) for t in times)


def rewritten(
    subgraph: Subgraph, ops: list[Op], outs: list[int], metas: dict[int, Meta]
) -> Subgraph:
    """The subgraph with other operations for the same inputs; its marks stand where they belong."""
    times = [subgraph.ops[m].at if m < len(subgraph.ops) else math.inf for m in subgraph.marks]
    marks = positions(ops, times)
    return Subgraph(ops, subgraph.ins, outs, metas, subgraph.read, subgraph.captured, marks)


def without_dead_code(ops: list[Op], outs: Iterable[int]) -> list[Op]:
    """The calls that matter for the outputs, the state and the world."""
    needed = set(outs)
    retained: list[Op] = []
    for op in reversed(ops):
        if not is_pure(op) or any(o in needed for o in op.outs):
            retained.append(op)
            needed.update(used_by(op))
    retained.reverse()
    return retained


def near_their_use(ops: list[Op], outs: Iterable[int]) -> list[Op]:
    """Pure calls in another order: each right before the first that needs it, in that of `outs`.

    Few results of others are then alive at a time.
    """
    maker = {o: n for n, op in enumerate(ops) for o in outputs_of(op)}
    order: list[Op] = []
    begun: set[int] = set()
    for out in outs:
        waiting = [(maker[out], False)] if out in maker else []
        while waiting:
            n, ready = waiting.pop()
            if ready:
                order.append(ops[n])
            elif n not in begun:
                begun.add(n)
                waiting.append((n, True))
                waiting += [(maker[u], False) for u in reversed(used_by(ops[n])) if u in maker]
    return order


# ----------------------------------------------------------------------------- equal constants


def same_value(a: Any, b: Any) -> bool:
    """Whether two constants of a graph mean the same; 1, 1.0 and True differ, NaN equals NaN."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind is Ref:
        return a.i == b.i
    if kind is tuple or kind is list:
        return len(a) == len(b) and all(map(same_value, a, b))
    if kind is dict:
        return a.keys() == b.keys() and all(same_value(v, b[k]) for k, v in a.items())
    if kind is float:
        return a == b or (a != a and b != b)
    if kind is complex:
        return repr(a) == repr(b)
    if kind is types.MethodType:
        return a.__self__ is b.__self__ and a.__func__ is b.__func__
    if kind is functools.partial:
        return same_value((a.func, a.args, a.keywords), (b.func, b.args, b.keywords))
    if kind is types.FunctionType:
        return _same_function(a, b)
    if isinstance(a, (torch.Tensor, type)):
        return False  # constants of a graph hold no tensors; other objects are equal by identity
    if kind.__module__ == "numpy":
        same = a == b
        return bool(same.all()) if hasattr(same, "all") else bool(same)
    if kind.__module__.startswith("agar."):
        return False
    try:
        return bool(a == b)
    except Exception:
        return False


def _same_function(a: Any, b: Any) -> bool:
    if a.__code__ is not b.__code__ or not same_value(a.__defaults__, b.__defaults__):
        return False
    cells = (a.__closure__ or (), b.__closure__ or ())
    return len(cells[0]) == len(cells[1]) and all(
        same_value(_contents(x), _contents(y)) for x, y in zip(*cells, strict=True)
    )


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
