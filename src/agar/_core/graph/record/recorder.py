"""Recording: a call runs for real while everything that reaches torch's dispatcher is noted.

NOTE Where values leave the graph. A number read from a tensor (`if t`, `int(t)`) and a shape that
depends on values are *cuts*: Python goes on with the value, and the graph notes which value it was.
A whole array read by Python (`asnumpy`, `tolist` of a long tensor) is no cut, since every call
would make another branch: the recording is aborted, and the call ends as an ordinary eager one.

NOTE Substitution. When a known graph meets a value that it has not seen, Python runs again with the
graph up to there as its *prefix*: operators of the prefix are not executed but looked up. Those
whose results are still wanted were kept; the others get memory with the right metadata.

NOTE Dying. A recording that finds something it cannot replay only notes why. The run goes on
undisturbed, so nothing happens twice. Only inside a prefix, where tensors are not real, must a
mismatch stop the run (:class:`Mismatch`).

NOTE Tensors in parts. Operators on DTensors are not recorded: they go on to DTensor, which computes
with what this process has, and that is recorded. What it sends is a node that every replay runs, so
that a process that records and one that replays make the same calls in the same order.

NOTE Constants. A tensor that the run meets but did not make is *captured*: used by reference, so
that changes are seen. Tensors that Python makes from its own data during the run are noted where
they are made (`created`), with a copy of their value; two recordings must agree on it. Any other
tensor must be the same object in two recordings, else it came past the dispatcher.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes

from agar._core.dispatch_mode import DispatchMode
from agar._core.distributed.sharding import is_split
from agar._core.graph.guard.getters import kind_is_of_processes
from agar._core.graph.ir.graph import HIDDEN_WRITES, READS, Host, Meta, Op, Ref, map_refs
from agar._core.graph.record.monitor import paused
from agar._core.graph.record.operators import (
    Kind,
    collective_of,
    depends_on_values,
    kind_of,
    paths_of_python_kernels,
)
from agar._core.graph.record.patches import patches, text_of
from agar._core.lent import capture
from agar._core.multi_device import world
from agar._core.runtime import thread

__all__ = [
    "RETRIES",
    "Captured",
    "Cut",
    "Mismatch",
    "Recorder",
    "inside_a_call",
    "value_key",
]

aten = torch.ops.aten
_C: Any = torch._C  # its stubs do not list all that is used here
_quiet = _C._DisableTorchDispatch


_LITERALS = frozenset({float, bool, str})
_FIXED = frozenset({torch.dtype, torch.device, torch.layout, torch.memory_format})
#: Recordings of a signature that may fail before it stays eager.
RETRIES = 2
#: Waits of 2 ms for threads that sum, before a tensor counts as kept.
_MOMENTS = 25
_HERE = __file__.rsplit("_core", 1)[0]
_TORCH = torch.__file__.rsplit("__init__", 1)[0]


def _address(generator: Any) -> int:
    return generator._cdata


class _Addresses:
    """Keeps the addresses of storages from being given to other ones, but not their memory."""

    __slots__ = ("_free", "_refs")

    def __init__(self) -> None:
        self._refs: list[int] = []
        self._free = _C.StorageBase._free_weak_ref

    def hold(self, storage: Any) -> None:
        """Hold the address of a storage until this object goes."""
        self._refs.append(storage._weak_ref())

    def __del__(self) -> None:
        for ref in self._refs:
            self._free(ref)


@contextlib.contextmanager
def inside_a_call(grad: bool) -> Iterator[None]:
    """Be in a run that is recorded: cells in it are part of it; with gradients on or off."""
    before = thread.inside, thread.in_graph, torch.is_grad_enabled()
    thread.inside = thread.in_graph = True
    _C._set_grad_enabled(grad)
    try:
        yield
    finally:
        thread.inside, thread.in_graph = before[:2]
        _C._set_grad_enabled(before[2])


class Mismatch(BaseException):
    """Python did another thing than its own recording; not for user code to catch."""


class Captured:
    """A tensor that a recording met and did not make."""

    __slots__ = ("copy", "created", "position", "tensor")

    def __init__(
        self, tensor: torch.Tensor, position: int, created: bool, copy: torch.Tensor | None
    ) -> None:
        self.tensor = tensor
        self.position = position  # operations recorded before it was met
        self.created = created
        self.copy = copy  # of a created tensor, as it was then

    def same(self, other: Captured) -> bool:
        """Whether another recording met the same tensor, or made one of the same values."""
        if self.tensor is other.tensor:
            return True
        if self.copy is None or other.copy is None:
            return False
        a, b = self.copy, other.copy
        if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device:
            return False
        if a.stride() != b.stride():
            return False
        return torch.equal(a, b) or bool(((a == b) | ((a != a) & (b != b))).all())


class Cut:
    """A value that went to Python after `position` operations."""

    __slots__ = ("key", "kind", "live", "position", "site", "value", "var")

    def __init__(
        self,
        kind: str,
        var: int,
        value: Any,
        position: int,
        live: list[int],
        site: tuple[str, int] | None,
    ) -> None:
        self.kind = kind  # "read" or "shape"
        self.var = var
        self.value = value
        self.key = value_key(value)
        self.position = position
        self.live = live
        self.site = site


def value_key(value: Any) -> Any:
    """A value read from a tensor as a dictionary key: signed zeros differ, NaN equals NaN."""
    if type(value) is float:
        if value != value:
            return "nan"
        if value == 0.0:
            return math.copysign(1.0, value) < 0, 0.0
    if type(value) is complex:
        return repr(value)
    return value


class Recorder(DispatchMode):
    """The dispatch mode that records one run.

    Args:
        prefix: operations that have run already, see NOTE Substitution.
        prefix_cuts: the cuts among them, in order.
        env: values of the variables that were kept.
        prefix_captured: the tensors met in the prefix.
    """

    #: Whether sizes are symbols in it.
    symbolic = False
    #: Whether the run may compute with DTensors (NOTE Tensors in parts).
    splits = False

    def __init__(
        self,
        prefix: Sequence[Op] = (),
        prefix_cuts: Sequence[Cut] = (),
        env: dict[int, Any] | None = None,
        prefix_captured: dict[int, Captured] | None = None,
    ) -> None:
        super().__init__()
        self.ops: list[Op] = []
        self.metas: dict[int, Meta] = {}
        self.captured: dict[int, Captured] = {}
        self.cuts: list[Cut] = []
        self.marks: list[int] = []
        #: The variables of the run's arguments.
        self.inputs: range = range(0)
        #: Watches the Python of the run, or None.
        self.monitor: Any = None
        #: Whether the caller records gradients of torch's.
        self.grad_outside = torch.is_grad_enabled()
        #: Tensors that the Python can reach from outside of the call, by id.
        self.outside: frozenset[int] = frozenset()
        self._python_kernels = paths_of_python_kernels()
        self._input_ids: dict[int, tuple[torch.Tensor, int]] = {}
        self._given: list[int] = []
        self.aborted: str | None = None
        self.aborted_site: tuple[str, int] | None = None
        self.inconclusive = False  # aborted by the values of this run; another may do
        self.cells: dict[int, Any] = {}
        #: Records of cells for later gradients, by the cell's id.
        self.gradient_records: dict[int, Any] = {}
        #: Whether the recording goes on after a pause.
        self.keeps_tags = False
        self._captured_ids: dict[int, int] = {}
        self._prefix = prefix
        self._prefix_cuts = prefix_cuts
        self._prefix_captured = prefix_captured or {}
        self._env = env or {}
        self._token = object()
        self._count = 0
        self._weak: dict[int, Any] = {}
        #: By address: the number of a tensor's memory, and a variable over it.
        self._storages: dict[int, tuple[int, int]] = {}
        self._addresses = _Addresses()
        self._storage_count = 0
        self._first_of: dict[int, int] = {}  # the first variable over a piece of memory
        self._created: dict[int, torch.Tensor] = {}
        self._objects: dict[int, tuple[Any, int]] = {}
        self._changed: set[int] = set()  # storages written to
        self._constant: set[int] = set()  # made by Python's data alone
        self._texts: list[tuple[str, int, Callable[[torch.Tensor], str]]] = []
        self._shown: dict[int, torch.Tensor] = {}
        self._failed: str | None = None
        self._met = self._varying = 0  # tensors of the present operator; those no constants
        self._tagged: list[torch.Tensor] = []
        self._previous: Any = None

    # ------------------------------------------------------------------ as a context

    def __enter__(self) -> Recorder:
        patches.acquire()
        self._previous = thread.recorder
        thread.recorder = self
        super().__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        try:
            super().__exit__(*exc)
        finally:
            thread.recorder = self._previous
            patches.release()
            if not self.keeps_tags:
                self.forget()

    def forget(self) -> None:
        """Take the numbers off the tensors that live on."""
        for t in self._tagged:
            t._agar_var = None  # pyright: ignore[reportAttributeAccessIssue]
        self._tagged.clear()

    # ------------------------------------------------------------------ variables

    @property
    def substituting(self) -> bool:
        """Whether the run is still inside its prefix, where tensors are not real."""
        return len(self.ops) < len(self._prefix)

    def abort(self, reason: str) -> None:
        """Give the recording up; the run goes on."""
        if self.substituting:
            raise Mismatch(reason)
        if self.aborted is None:
            self.aborted = reason
            self.aborted_site = user_site()

    def mark(self) -> None:
        """Note that another phase of the run begins: its backward pass."""
        if len(self.marks) < 4 and (not self.marks or self.marks[-1] != len(self.ops)):
            self.marks.append(len(self.ops))

    def retried(self) -> None:
        """An operator that failed is tried in another way, which decides."""
        self._failed = None

    def _storage(self, storage: Any, var: int) -> int:
        """The number of a tensor's memory, noted if it is new."""
        address = storage._cdata
        known = self._storages.get(address)
        if known is None:
            self._addresses.hold(storage)
            self._storage_count += 1
            known = self._storages[address] = self._storage_count, var
            self._first_of[known[0]] = var
        return known[0]

    def _memory_of(self, t: torch.Tensor) -> tuple[int, int] | None:
        """The number of a tensor's memory and a variable over it, or None if it is new."""
        return self._storages.get(t.untyped_storage()._cdata)

    def new_variable(self, t: torch.Tensor, number: int | None = None) -> int:
        """Give a tensor a number."""
        if number is None:
            number = self._count
            self._count += 1
        elif number >= self._count:
            self._count = number + 1
        t._agar_var = (self._token, number)  # pyright: ignore[reportAttributeAccessIssue]
        self._weak[number] = _C._WeakTensorRef(t)
        if t.layout is not torch.strided:
            self.metas[number] = Meta(t)
            self.abort(f"a tensor of layout {t.layout} appears")
        else:
            storage = t.untyped_storage()
            self.metas[number] = Meta(t, self._storage(storage, number), storage)
        return number

    def new_input(self, t: torch.Tensor, number: int) -> None:
        """Give an argument its number; it is the caller's own tensor."""
        self.new_variable(t, number)
        self._tagged.append(t)
        self._input_ids[id(t)] = (t, number)

    def number_of(self, t: torch.Tensor) -> int | None:
        """The number of a tensor of this recording, or None."""
        tag = getattr(t, "_agar_var", None)
        if tag is not None and tag[0] is self._token:
            return tag[1]
        given = self._input_ids.get(id(t))
        if given is not None:
            return given[1]
        known = self._captured_ids.get(id(t))  # another recording may have put its tag on
        return None if known is None or self.captured[known].tensor is not t else known

    def is_constant(self, t: torch.Tensor) -> bool:
        """Whether Python made the tensor from its own data and nothing has changed it."""
        number = self.number_of(t)
        if number is None:
            return id(t) in self._created
        return number in self._constant and self.metas[number].storage not in self._changed

    def created(self, t: torch.Tensor) -> None:
        """Note a tensor that Python made from data of its own."""
        self._created[id(t)] = t

    def _ref(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in _LITERALS or (kind is int and -6 < value < 257):
            return value
        if isinstance(value, torch.Tensor):
            number = self.number_of(value)
            if number is None:
                number = self._capture(value)
            self._met += 1
            if number not in self._constant or self.metas[number].storage in self._changed:
                self._varying += 1
            return Ref(number)
        if self._objects:
            known = self._objects.get(id(value))
            if known is not None and known[0] is value:
                return Ref(known[1])
        if kind in _FIXED:
            return value
        if kind is tuple or kind is list:
            return kind([self._ref(v) for v in value])
        if kind is dict:
            return {k: self._ref(v) for k, v in value.items()}
        if kind is int:
            return value
        if isinstance(value, torch.Generator):
            # the dispatcher hands out another Python object for the same generator
            for result, number in self._objects.values():
                if isinstance(result, torch.Generator) and _address(result) == _address(value):
                    return Ref(number)
            self.abort("a torch.Generator made outside of agar is used")
        return value

    def _capture(self, t: torch.Tensor) -> int:
        if self.splits and is_split(t):
            self.abort("a tensor in parts is given to something that every replay runs")
        if t.layout is torch.strided:
            known = self._memory_of(t)
            if known is not None:
                if known[1] in self.inputs and id(t) in self.outside:
                    self.abort(
                        "an argument shares its memory with a tensor from outside of the call"
                    )
                return self._alias(t, known[1])
        number = self.new_variable(t)
        self._tagged.append(t)
        capture(t)
        result = id(t) in self._created
        copy = None
        before = self._prefix_captured.get(number) if self.substituting else None
        if before is not None:
            if before.tensor is not t and not (result and before.created):
                raise Mismatch("another tensor is used than in the recording")
            copy = before.copy
            if result and number in self._env:  # the prefix has changed it
                with _quiet():
                    t.detach().copy_(self._env[number])
        elif result:
            with _quiet():
                copy = t.detach().clone()
        if result:
            self._constant.add(number)
        self.captured[number] = Captured(t, len(self.ops), result, copy)
        self._captured_ids[id(t)] = number
        return number

    def _alias(self, t: torch.Tensor, var: int) -> int:
        """A tensor over known memory that did not come through the dispatcher, as an operation."""
        meta = self.metas[var]
        if meta.dtype != t.dtype:
            self.abort("memory of a tensor is seen as another type")
            return self.new_variable(t)
        args = (Ref(var), list(t.shape), list(t.stride()), t.storage_offset())
        op = Op(aten.as_strided.default, args, {}, (self._count,), (), user_site())
        if self.substituting:
            self._check(op)
        self.ops.append(op)
        number = self.new_variable(t)
        op.metas = (self.metas[number],)
        return number

    # ------------------------------------------------------------------- dispatch

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if types and self.splits and any(map(_is_distributed, types)):
            return NotImplemented  # of a DTensor, which comes here again with its part
        kind = kind_of(func)
        watch = None if self.monitor is None else self.monitor.callback
        if (
            watch is None
            or types
            or kind.path in self._python_kernels
            or sys.getprofile() is not watch
        ):
            return self._dispatched(kind, func, args, kwargs or {})
        sys.setprofile(None)  # none of the user's Python runs
        try:
            return self._dispatched(kind, func, args, kwargs or {})
        finally:
            sys.setprofile(watch)

    def _dispatched(
        self, kind: Kind, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if self.aborted is not None or kind.question:
            return func(*args, **kwargs)
        if kind.moves:
            return self._moved(func, args, kwargs)
        if kind.sends:
            return self._sent(func, args, kwargs)
        if kind.lifts and self.number_of(args[0]) is None:
            self.created(args[0])  # torch.tensor(...) of the user's own data
        self._met = self._varying = 0
        taken = tuple([self._ref(a) for a in args])
        named = {k: self._ref(v) for k, v in kwargs.items()} if kwargs else kwargs
        if self.aborted is not None:
            return func(*args, **kwargs)
        if kind.answers:
            return self._read(func, args, kwargs, taken, named)
        # computes with constants alone: every run gives the same
        constant = kind.fixed and not self._varying and (self._met > 0 or kind.factory)
        if self.substituting and not constant:
            return self._substitute(func, args, kwargs, taken, named)
        try:
            out = func(*args, **kwargs)
        except Exception as error:
            self._failed = f"{func._schema.name} raised {type(error).__name__}"
            raise
        op = Op(func, taken, named, (), (), None, len(self.ops))
        if self.substituting:
            known = self._check(op)
            results = out if isinstance(out, (tuple, list)) else (out,)
            for number, t in zip(known.outs, results, strict=True):
                if number is not None:
                    self._substituted_variable(t, number, self._prefix_meta(known, number))
                    self._constant.add(number)
            self.ops.append(known)
            return out
        op.site = user_site()
        self._bind(op, out)
        self.ops.append(op)
        if constant:
            self._constant.update(o for o in op.outs if o is not None)
        if kind.mutable:
            self._note_changes(func, args, kwargs)
        if kind.dynamic and depends_on_values(func, args):
            first = out if isinstance(out, torch.Tensor) else out[0]
            self._cut("shape", self._ref(first).i, tuple(first.shape))
        return out

    @staticmethod
    def _prefix_meta(known: Op, number: int) -> Meta:
        meta = known.metas[known.outs.index(number)]
        assert meta is not None
        return meta

    def _bind(self, op: Op, out: Any) -> None:
        numbers: list[int | None] = []
        metas: list[Meta | None] = []
        for value in out if isinstance(out, (tuple, list)) else (out,):
            if isinstance(value, torch.Tensor):
                number = self.number_of(value)
                if number is None:
                    number = self.new_variable(value)
                numbers.append(number)
                metas.append(self.metas[number])
            else:
                if isinstance(value, (tuple, list)):
                    self.abort(f"{op.name} returns nested lists of tensors")
                numbers.append(None)
                metas.append(None)
        if op.func is not None and out is None:
            numbers, metas = [], []
        op.outs, op.metas = tuple(numbers), tuple(metas)

    def _note_changes(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if func in HIDDEN_WRITES:
            for i in HIDDEN_WRITES[func][0]:
                number = self.number_of(args[i]) if isinstance(args[i], torch.Tensor) else None
                if number is not None:
                    self._changed.add(self.metas[number].storage)
            return
        for i, argument in enumerate(func._schema.arguments):
            info = argument.alias_info
            if info is None or not info.is_write:
                continue
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            for t in value if isinstance(value, (tuple, list)) else (value,):
                if not isinstance(t, torch.Tensor):
                    continue
                number = self.number_of(t)
                if number is None:
                    continue
                self._changed.add(self.metas[number].storage)
                if torch.Tag.inplace_view in func.tags:
                    self.metas[number] = Meta(t, self.metas[number].storage)

    def _moved(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """``t.set_(storage, ...)`` over known memory, as a view of the variable that owns it."""
        known = self._storages.get(args[1]._cdata)
        out = func(*args, **kwargs)
        if known is None:
            self.abort("a tensor is set to memory from elsewhere")
        else:
            self._alias(out, known[1])
        return out

    def _sent(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A functional collective as a node, which waits for what it sends."""
        name = func._schema.name.rpartition("::")[2]
        if name in ("wait_tensor", "_wrap_tensor_autograd"):
            return func(*args)  # the tensor itself, for which the node has waited
        if kwargs:
            self.abort(f"{func._schema.name} is called with keywords")
            return func(*args, **kwargs)
        listed = isinstance(func._schema.returns[0].type, torch.ListType)
        return self.host(collective_of(func), args, name, "tensors" if listed else "tensor")

    # ------------------------------------------------------------------------ cuts

    def _cut(self, kind: str, var: int, value: Any) -> None:
        live = [i for i, weak in self._weak.items() if not weak.expired()]
        live += [number for _, number in self._objects.values()]
        self.cuts.append(Cut(kind, var, value, len(self.ops), live, user_site()))

    def _read(
        self,
        func: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        taken: tuple[Any, ...],
        named: dict[str, Any],
    ) -> Any:
        if all(self.is_constant(a) for a in args if isinstance(a, torch.Tensor)) and not any(
            isinstance(a, (list, tuple)) for a in args
        ):
            return func(*args, **kwargs)  # a constant is the same in every run
        op = Op(func, taken, named, (None,), (None,), user_site())
        if self.substituting:
            return self._read_again(op)
        value = func(*args, **kwargs)
        if func not in READS:
            self.abort(f"{func._schema.name} gives Python a value")
            return value
        self.ops.append(op)
        first = taken[0]
        self._cut("read", first.i if type(first) is Ref else -1, value)
        return value

    # ---------------------------------------------------------------- substitution

    def _read_again(self, op: Op) -> Any:
        """The value that the prefix gave Python here."""
        self._check(op)
        self.ops.append(self._prefix[len(self.ops)])
        known = self._prefix_cuts[len(self.cuts)]
        self._cut("read", known.var, known.value)
        return known.value

    def _check(self, op: Op) -> Op:
        known = self._prefix[len(self.ops)]
        if not op.outs:
            op.outs = known.outs
        if not known.same(op):
            raise Mismatch(f"{known.name} became {op.name} or got other constants")
        return known

    def _substitute(
        self,
        func: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        taken: tuple[Any, ...],
        named: dict[str, Any],
    ) -> Any:
        known = self._check(Op(func, taken, named, ()))
        if kind_of(func).mutable:
            self._note_changes(func, args, kwargs)
        results = [self._stand_in(known, i, args) for i in range(len(known.outs))]
        self.ops.append(known)
        if torch.Tag.dynamic_output_shape in func.tags and depends_on_values(func, args):
            cut = self._prefix_cuts[len(self.cuts)]
            self._cut("shape", cut.var, cut.value)
        returns = func._schema.returns
        if not returns:
            return None
        if len(returns) == 1:
            listed = not isinstance(returns[0].type, torch.TensorType)
            return results if listed else results[0]
        return tuple(results)

    def _stand_in(self, known: Op, i: int, args: tuple[Any, ...]) -> Any:
        number = known.outs[i]
        if number is None:
            return None
        if number in self._weak:  # an operator in place returns the tensor that it changed
            for value in _flat(args):
                if isinstance(value, torch.Tensor) and self.number_of(value) == number:
                    return value
            raise Mismatch(f"{known.name} lost the tensor that it changes")
        meta = known.metas[i]
        assert meta is not None
        retained = self._env.get(number)
        with _quiet():
            result = meta.empty() if retained is None else retained.detach()
        self._substituted_variable(result, number, meta)
        return result

    def _substituted_variable(self, result: torch.Tensor, number: int, meta: Meta) -> None:
        result._agar_var = (self._token, number)  # pyright: ignore[reportAttributeAccessIssue]
        self._count = max(self._count, number + 1)
        self._weak[number] = _C._WeakTensorRef(result)
        self.metas[number] = meta
        storage = result.untyped_storage()
        first = self._first_of.setdefault(meta.storage, number)
        self._addresses.hold(storage)
        self._storages[storage._cdata] = meta.storage, first
        self._storage_count = max(self._storage_count, meta.storage)

    # ------------------------------------------------------------------- host code

    def host(
        self,
        fn: Callable[..., Any],
        args: tuple[Any, ...],
        label: str,
        gives: str = "tensor",
        writes: tuple[int, ...] = (),
    ) -> Any:
        """Run Python that must run at every replay, see :class:`agar._core.graph.ir.graph.Host`."""
        if self.aborted is not None:
            return self.unseen(fn, args)
        taken = tuple([self._ref(a) for a in args])
        op = Op(Host(fn, label, gives, writes), taken, {}, (), (), user_site(), len(self.ops))
        for i in writes:
            for t in _flat(args[i]):
                number = self.number_of(t) if isinstance(t, torch.Tensor) else None
                if number is not None:
                    self._changed.add(self.metas[number].storage)
        if self.substituting:
            return self._host_again(op)
        result = self.unseen(fn, args)
        if gives == "auto":
            op.func.gives = "tensors" if isinstance(result, (tuple, list)) else "tensor"
        if gives == "object":
            number = self._count
            self._count += 1
            self._objects[id(result)] = (result, number)
            op.outs, op.metas = (number,), (None,)
        elif gives == "nothing":
            op.outs = ()
        else:
            for t in result if isinstance(result, (tuple, list)) else (result,):
                if not isinstance(t, torch.Tensor):
                    if t is None:
                        continue
                    self.abort(f"{label} returns something else than arrays")
                    return result
                if self.number_of(t) is not None or self._memory_of(t) is not None:
                    self.abort(f"{label} returns memory that it was given")
                    return result
            self._bind(op, result)
        self.ops.append(op)
        return result

    def decide(self, fn: Callable[..., Any], args: tuple[Any, ...], label: str) -> Any:
        """Run Python whose value may decide what comes next: a branch for each value."""
        if self.aborted is not None:
            return self.unseen(fn, args)
        taken = tuple([self._ref(a) for a in args])
        op = Op(Host(fn, label, "value"), taken, {}, (None,), (None,), user_site(), len(self.ops))
        if self.substituting:
            return self._read_again(op)
        value = self.unseen(fn, args)
        self.ops.append(op)
        self._cut("read", -1, value)
        return value

    def unseen(self, fn: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Run something as if nobody recorded."""
        before = thread.recorder, thread.in_graph
        thread.recorder, thread.in_graph = None, False
        try:
            # DTensors have to run operators in their own way in there, too
            with _disable_current_modes() if self.splits else _quiet(), paused(self):
                return fn(*args)
        finally:
            thread.recorder, thread.in_graph = before

    def _host_again(self, op: Op) -> Any:
        known = self._prefix[len(self.ops)]
        if op.func.gives == "auto" and isinstance(known.func, Host):
            op.func.gives = known.func.gives
        self._check(op)
        self.ops.append(known)
        gives = known.func.gives
        if gives == "nothing":
            return None
        if gives == "object":
            number = known.outs[0]
            assert number is not None
            value = self._env[number]
            self._count = max(self._count, number + 1)
            self._objects[id(value)] = (value, number)
            return value
        results = [self._stand_in(known, i, ()) for i in range(len(known.outs))]
        return results[0] if gives == "tensor" else tuple(results)

    # ------------------------------------------------------------------ text and print

    def text(self, t: torch.Tensor, form: Callable[[torch.Tensor], str]) -> str:
        """The text of a tensor, remembered until a print takes it."""
        if self.aborted is not None or self.is_constant(t):
            return self.unseen(text_of, (form, t))
        ref = self._ref(t)
        number = ref.i
        if self.substituting:
            # what stands in may not be real; the text is only looked at by the prefix's prints
            result = f"\0{number}:{len(self._texts)}\0"
        else:
            result = self.unseen(text_of, (form, t))
        self._texts.append((result, number, form))
        self._shown[number] = t
        return result

    def printed(self, write: Callable[..., None], text: str, *rest: Any) -> None:
        """Note a print; the texts of tensors in it are made anew at every run."""
        if self.aborted is not None:
            write((text,), *rest)
            return
        places = self._places_of_texts(text)
        if places is None:
            self.abort("a printed text does not show where its tensors stand")
            self.inconclusive = True
            write((text,), *rest)
            return
        parts: list[Any] = []
        at = 0
        for start, stop, form, number in places:
            parts += [text[at:start], (form, Ref(number))]
            at = stop
        parts.append(text[at:])
        self._printed(write, tuple(parts), rest)

    def _places_of_texts(self, text: str) -> list[tuple[int, int, Any, int]] | None:
        """Where the texts of tensors stand in a printed one; None if that is not clear."""
        results: list[tuple[int, int, Any, int]] = []
        used = set()
        masked = text
        for result in sorted({m for m, _, _ in self._texts}, key=len, reverse=True):
            same = [i for i, (m, _, _) in enumerate(self._texts) if m == result]
            count = masked.count(result)
            if count == 0:
                continue
            if count > len(same) or len({self._texts[i][1] for i in same}) > 1:
                return None
            at = 0
            for i in same[:count]:
                start = masked.index(result, at)
                at = start + len(result)
                results.append((start, at, self._texts[i][2], self._texts[i][1]))
                used.add(i)
            masked = masked.replace(result, "\1" * len(result))
        self._texts = [t for i, t in enumerate(self._texts) if i not in used]
        return sorted(results, key=lambda place: place[0])

    def _printed(
        self, write: Callable[..., None], parts: tuple[Any, ...], rest: tuple[Any, ...]
    ) -> None:
        op = Op(Host(write, "print", "nothing"), (parts, *rest), {}, (), (), user_site())
        if self.substituting:
            self._check(op)
            self.ops.append(self._prefix[len(self.ops)])
            return
        self.unseen(write, (map_refs(parts, lambda ref: self._shown[ref.i]), *rest))
        self.ops.append(op)

    # -------------------------------------------------------------------------- end

    def finish(self, outputs: Sequence[torch.Tensor], escapes: bool = True) -> None:
        """What can only be judged when the run is over; call it before the outputs are dropped.

        Args:
            outputs: the tensors that the run returned.
            escapes: whether no other tensor may be held any more. Default: True.
        """
        self._shown.clear()
        self.gradient_records.clear()  # a gradient that was not asked for inside never will be
        if self.aborted is not None:
            return
        if self._failed is not None:
            self.abort(f"{self._failed}, and Python went on: what happens then is not recorded")
        elif self._texts:
            self.abort("the text of a tensor is used for something else than print")
        elif self.substituting:
            raise Mismatch("the run ended earlier than its recording")
        else:
            self._given = [n for t in outputs if (n := self.number_of(t)) is not None]
            if escapes:
                self.find_escaped()

    def find_escaped(self) -> None:
        """A tensor that somebody still holds would not be renewed by a replay."""
        allowed = {self.metas[n].storage for n in (*self.captured, *self.inputs, *self._given)}
        # What only hangs in a cycle is not kept. The cycles of a run are young as a rule, and to
        # look at all objects of the process takes a tenth of a second and more.
        generations = iter((1, 2))
        for op in self.ops[len(self._prefix) :]:
            for o in op.outs:
                if o is None or o not in self._weak or self.metas[o].storage in allowed:
                    continue
                while not self._weak[o].expired():
                    generation = next(generations, None)
                    if generation is None and self._is_let_go(o):
                        break
                    if generation is None:
                        self.aborted = "a tensor of the run is kept outside of it"
                        self.aborted_site = op.site
                        return
                    gc.collect(generation)

    def _is_let_go(self, o: int) -> bool:
        """Whether a thread that sums lets go of a tensor.

        gloo's keep what they sent for some microseconds longer than the call waits for it.
        """
        for _ in range(_MOMENTS if world.size > 1 else 0):
            time.sleep(0.002)
            if self._weak[o].expired():
                return True
        return False


#: Whether tensors of a class are torch's DTensors, or results of its collectives.
_is_distributed = functools.cache(kind_is_of_processes)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for v in value for leaf in _flat(v)]
    return [value]


_library_files: dict[str, bool] = {}


def user_site() -> tuple[str, int] | None:
    """File and line of the user's code that runs now; None in a thread of torch's autograd."""
    frame = sys._getframe(1).f_back
    while frame is not None:
        name = frame.f_code.co_filename
        inside = _library_files.get(name)
        if inside is None:
            inside = name.startswith((_HERE, _TORCH, "<"))
            if len(_library_files) < 4096:
                _library_files[name] = inside
        if not inside:
            return name, frame.f_lineno
        frame = frame.f_back
    return None
