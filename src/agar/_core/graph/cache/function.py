"""A compiled function or cell: from a call to its recording, its plan, or plain Python.

NOTE Three ways of a call. The entry of the signature used last serves it (generated code, a few
microseconds). Else the signature and the state of the cells pick a specialization, which runs its
tree, recording what it does not know. Where recording is not possible, the call runs as ordinary
Python, and one warning says where and why.
"""

from __future__ import annotations

import itertools
import threading
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import torch

from agar._core import parameter, random
from agar._core.autodiff import functorch_level, tensors_in
from agar._core.context import get_context
from agar._core.dict_methods import give_has_key
from agar._core.distributed.sharding import local
from agar._core.graph.background import loaded
from agar._core.graph.cache.gradient import GradientSpecialization
from agar._core.graph.cache.objects import ArgumentObjects, is_builtin_iterator
from agar._core.graph.cache.results import without_iterators
from agar._core.graph.cache.specialization import Specialization
from agar._core.graph.cache.tree import draft_of
from agar._core.graph.diagnostics import GraphWarning, at_site
from agar._core.graph.guard.entry import MISS, entry_code, gradients_are_watched, other_modes
from agar._core.graph.guard.flatten import (
    FlatArguments,
    Rules,
    TooLarge,
    check_declared,
    flatten,
    mark_held,
    split_key,
)
from agar._core.graph.guard.reads import Reads
from agar._core.graph.guard.state import Environment, State, all_cells
from agar._core.graph.record.monitor import USER, Monitor, kind_of_class
from agar._core.graph.record.recorder import RETRIES
from agar._core.lent import may_require_grad
from agar._core.runtime import runtime, thread
from agar._core.tensor import Tensor

__all__ = [
    "CompiledFunction",
    "call_cell",
    "compile_cell",
    "compiled_function_of",
    "compiled_functions",
]

_FOR_SHAPES = "torch.fx.experimental.symbolic_shapes", "agar._core.graph.cache.symbolic"
_SPECIALIZATIONS = 32  # recordings that a compiled function keeps, least recently used first out
_AT_FIRST_SIGHT = 2  # signatures recorded when first seen; later ones when they come again
_SEEN = 4096  # signatures that are remembered as seen
_LATEST = 32  # of these, kept to explain them
_SIZES = 8  # different sizes after which a recording for any size is tried
_SYMBOLIC = 4  # recordings for any size that a state may have
_ENTRIES = 512  # shapes for which an entry is kept
_UNDRAWN = "parameters are not drawn before they are used; init_parameters_data() draws them"
_OFTEN = 16  # calls after which a signature gets a recording of its own all the same
_IDLE_STATES = 6  # states recorded for a signature without being used again


class _SizeEntry:
    """The entry of one signature to a recording for any size."""

    def __init__(self, entry: Callable[..., Any] | None, symbolic: Any) -> None:
        self.entry = entry
        self.symbolic = symbolic


_functions: set[weakref.ref[CompiledFunction]] = set()


def compiled_functions() -> list[CompiledFunction]:
    """All that live in this process."""
    return [result for ref in list(_functions) if (result := ref()) is not None]


class CompiledFunction:
    """What is compiled as one: a function, or a cell called in GRAPH_MODE.

    Args:
        fn: runs it as ordinary Python.
        name: for people.
        roots: cells, functions and other objects that the run depends on.
        level: the plan to use, ``"O0"`` or ``"O1"``; None to choose. Default: None.
        dynamic: whether sizes change from call to call. Default: False.
        at_first: whether the first calls are recorded. Default: True.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        name: str,
        *roots: Any,
        level: str | None = None,
        dynamic: bool = False,
        at_first: bool = True,
    ) -> None:
        for root in roots:
            give_has_key(root)
        self.fn = fn
        self.name = name
        self.level = level
        self.dynamic = dynamic
        self.at_first = at_first
        self.lock = threading.RLock()
        self.plain_cell: Any = None  # its cell, if the class of that leaves `_call` as it is
        self.entry: Callable[..., Any] | None = None
        self.entry_of: Specialization | None = None
        self.specializations: OrderedDict[Any, Specialization] = OrderedDict()
        self.gradients: OrderedDict[Any, GradientSpecialization] = OrderedDict()
        self.symbolic: dict[int, list[Any]] = {}  # for any size, by state
        self.fixed: dict[Any, str] = {}  # why sizes cannot be left open, by kind of call
        self._sizes: OrderedDict[Any, list[Any]] = OrderedDict()
        self.eager_keys: dict[Any, str] = {}
        self.warned: set[Any] = set()
        self.runs = 0  # of its Python, recorded or not
        self.plain_calls = 0
        self.plain_reasons: dict[str, int] = {}
        self._numbers = itertools.count()
        self.recaptures: list[str] = []
        self._roots = roots
        self._environment: Environment | None = None
        self._objects = ArgumentObjects()
        self._epoch = -1
        self._surveyed = -1
        self._state: State | None = None
        self._state_ids: OrderedDict[Any, int] = OrderedDict()
        self._states: dict[int, State] = {}
        self._state_count = 0
        self.reads = Reads((), ())
        #: How objects among the arguments are taken apart.
        self.rules = Rules()
        self._entered: dict[tuple[int, int], Any] = {}
        self._everything = False
        self._names: set[str] = set()  # attributes that texts named
        self._number = -1
        self._effects: dict[int, int] = {}  # by the hash of a key
        self._entries: dict[Any, Specialization | _SizeEntry] = {}  # by the shapes of the arguments
        #: Whether the last two calls had different shapes: then shapes are looked up first.
        self._varies = False
        self._latest = 0  # the id of what served the last of them
        self._evicted = 0  # recordings that made room for others
        #: Whether a run was recorded whose reads were guarded, and that changed nothing.
        self.clean = False
        self._seen: OrderedDict[int, int] = OrderedDict()  # by the hashes of keys, which are large
        self.latest: OrderedDict[Any, None] = OrderedDict()  # keys seen last, for explanations
        self.takes_gradients = False  # whether a recorded run has taken one
        #: Why no call is ever recorded, because what recordings hold would change what it does.
        self.unheld: str | None = None
        _functions.add(weakref.ref(self, _functions.discard))
        if runtime.audit is not None:
            runtime.audit(self)

    def python(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Python."""
        self.runs += 1
        result = self.fn(*args, **kwargs)
        if type(result) is Tensor:
            return result
        alone = [result]
        del result  # iterators are told by their references
        return without_iterators(alone)

    # ------------------------------------------------------------------------------ a call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(args, kwargs)

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve a call, if this one is not a part of another."""
        return self.fn(*args, **kwargs) if thread.inside else self.serve(args, kwargs)

    def serve(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve a call that is a whole one."""
        if self._varies and not kwargs:
            result = self._of_these_sizes(args)
            if result is not MISS:
                return result
        entry = self.entry
        if entry is not None:
            try:
                result = entry(args, kwargs)
            except Exception as error:
                specialization = self.entry_of
                if (
                    specialization is None
                    or specialization.root is None
                    or specialization.root.cut is not None
                ):
                    raise
                return specialization.failed(
                    error, flatten(args, kwargs, self.rules), [], specialization.root
                )
            if result is not MISS:
                return result
            if not kwargs and len(self.specializations) > 1:
                result = self._of_these_sizes(args)
                if result is not MISS:
                    return result
        return self._choose(args, kwargs)

    def _note_size(self, symbolic: Any, flat: FlatArguments, epoch: int) -> None:
        """Generate an entry for sizes that come again and again to a recording for any size."""
        if flat.call[1] or len(flat.call[0]) != len(flat.tensors):
            return
        shapes = tuple([t._value.shape for t in flat.tensors])
        known = self._entries.get(shapes)
        if not (isinstance(known, _SizeEntry) and known.symbolic is symbolic):
            if self._seen.get(hash(flat.key), 0) < _OFTEN or len(self._entries) >= _ENTRIES:
                return
            tensors = ", ".join([f"t{i}" for i in range(len(flat.tensors))])
            serve = ["symbolic.replays += 1", f"return run(args, {tensors})"]
            names = {"symbolic": symbolic, "run": symbolic.replay}
            entry = entry_code(flat, serve, names, self.reads, self.with_torch())
            known = self._entries[shapes] = _SizeEntry(entry, symbolic)
        if known.entry is not None:
            known.entry.__globals__["EPOCH"] = epoch

    def _of_these_sizes(self, args: tuple[Any, ...]) -> Any:
        """Serve a call by the entry that served these shapes last, or MISS."""
        try:
            # other objects are not asked: they may have a __getattr__
            shapes = tuple([a._value.shape for a in args if type(a) is Tensor])
            match = self._entries.get(shapes)
        except AttributeError:
            return MISS
        if match is None or match.entry is None:
            return MISS
        entry = match.entry
        try:
            result = entry(args, {})
        except Exception as error:
            if isinstance(match, _SizeEntry):
                return match.symbolic.failed(error, flatten(args, {}, self.rules))
            if match.root is None or match.root.cut is not None:
                raise
            return match.failed(error, flatten(args, {}, self.rules), [], match.root)
        if result is not MISS:
            self._varies = id(match) != self._latest
            self._latest = id(match)
            if isinstance(match, Specialization):
                self.entry, self.entry_of = entry, match
        return result

    def _choose(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.unheld is None:
            try:
                return self._one_of_the_ways(args, kwargs)
            finally:
                if self.unheld is not None:
                    self._let_go(self.unheld)
        if self._environment is not None:
            self._let_go(self.unheld)
        return self._run_plain(args, kwargs, self.unheld)

    def _let_go(self, reason: str) -> None:
        """Hold nothing of what was read; later, if another thread records just now."""
        self.warn(reason, None)
        if self.lock.acquire(blocking=False):
            try:
                self.forget()
            finally:
                self.lock.release()

    def _one_of_the_ways(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        declared = self.declared()
        if declared is not None:
            check_declared(self.name, declared, args, kwargs)
        if thread.precision or functorch_level() or len(thread.grad_scopes) > 1:
            why = "inside a precision scope, vmap or a second gradient"
            return self._run_plain(args, kwargs, why)
        if parameter.some_lazy and self._undrawn(args, kwargs):
            result = self._run_plain(args, kwargs, _UNDRAWN)  # draws what it uses, in its order
            if self._undrawn(args, kwargs):
                self.warn(_UNDRAWN, None)
            return result
        if other_modes():
            return self._run_plain(args, kwargs, "inside a mode of torch (autocast, a device, ...)")
        try:
            flat = self._flat(args, kwargs)
        except RecursionError:
            return self._run_plain(args, kwargs, "an argument contains itself")
        if flat.hooked:
            return self._run_plain(args, kwargs, "a tensor has hooks")
        if flat.marked:
            return self._run_plain(args, kwargs, "a tensor among the arguments has attributes")
        if flat.parts:
            return self._run_plain(args, kwargs, "an argument lies in parts on several processes")
        for pin in flat.pins:
            if is_builtin_iterator(pin):
                return self._run_plain(args, kwargs, "an iterator among the arguments is used up")
            if not self._meet(pin):
                return self._run_plain(args, kwargs, "too many different objects as arguments")
        if (thread.grad_scopes or self.takes_gradients) and gradients_are_watched():
            return self._run_plain(args, kwargs, "torch watches its gradients (hooks, anomalies)")
        if thread.grad_scopes:
            return self._under_gradient(flat)
        if flat.key in self.eager_keys:
            return self._run_plain(args, kwargs)
        if any(t._value.requires_grad for t in flat.tensors):
            return self._run_plain(args, kwargs, "a tensor requires a gradient")
        epoch = runtime.epoch
        state = self._state_id()
        if any(t._value.requires_grad for t in self._reached()):
            return self._run_plain(args, kwargs, "a parameter requires a gradient")
        self._mark_held(flat)
        key = (flat.key, state)
        specialization = self.specializations.get(key)
        if specialization is None:
            symbolic = self._for_any_size(flat, state)
            if symbolic is not None:
                result = symbolic.run(flat)
                self._note_size(symbolic, flat, epoch)
                return result
            if not self._worth_recording(flat):
                return self._run_plain(args, kwargs, "a signature seen for the first time")
            specialization = self._new_specialization(key, flat)
        else:
            self.specializations.move_to_end(key)
        result = specialization.run(flat)
        entry = specialization.entry
        if entry is not None:
            entry.__globals__["EPOCH"] = epoch
            self.entry, self.entry_of = entry, specialization
            if not kwargs and len(args) == len(flat.tensors):
                self._entries[tuple([t._value.shape for t in flat.tensors])] = specialization
        return result

    def _undrawn(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether parameters wait for their first use."""
        environment = Environment()
        for root in (*self._roots, self.fn, *args, *kwargs.values()):
            environment.add(root)
        held = [p for cell in all_cells(environment.cells.values()) for p in cell._params.values()]
        return any(map(parameter.is_lazy, [*held, *environment.parameters.values()]))

    def _meet(self, pin: Any) -> bool:
        """Note an object among the arguments (a cell, say). False if it is not worth holding."""
        objects = self._objects
        if objects.known(pin):
            return True
        if objects.meet(pin):
            self._environment = None
            return True
        if objects.in_vain() and self.lock.acquire(blocking=False):
            try:
                self.forget(wary=True)
            finally:
                self.lock.release()
        return False

    def _flat(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> FlatArguments:
        """The arguments taken apart; objects whose class comes with ever new ones, too."""
        while True:
            try:
                flat = flatten(args, kwargs, self.rules)
            except TooLarge as error:
                self._leave_whole(error.args[0])
                continue
            except RecursionError:
                if not self.rules.classes:
                    raise
                for kind in self.rules.classes:
                    self._leave_whole(kind)
                continue
            if self._objects.root(flat.kinds):
                self._environment = None
            come = {type(pin) for pin in flat.pins if self._objects.is_another(pin)}
            fresh = [k for k in come if k not in self.rules.classes]
            if not fresh or not self.lock.acquire(blocking=False):
                return flat
            try:
                self._take_apart(fresh)
            finally:
                self.lock.release()

    def _take_apart(self, kinds: list[type]) -> None:
        """From now on tell the objects of classes by their attributes."""
        self._objects.let_go(kinds)
        self.rules = self.rules._replace(classes=self.rules.classes.union(kinds))
        self._forget_recordings()
        self._environment = self._state = None  # which hold those that have come so far
        self._state_ids.clear()
        self._states.clear()

    def _leave_whole(self, kind: type) -> None:
        """Tell the objects of a class by their identity again."""
        self._objects.whole.add(kind)
        self.rules = self.rules._replace(classes=self.rules.classes.difference([kind]))

    def _mark_held(self, flat: FlatArguments) -> None:
        """Arguments that the Python can also reach otherwise make another call."""
        reads = self.reads
        mark_held(flat, reads.tensors, (reads.objects, reads.containers))

    def _under_gradient(self, flat: FlatArguments) -> Any:
        """Serve a call inside an eager gradient."""
        if flat.key in self.eager_keys:
            return self.plain(flat)
        state = self._state_id()
        self._mark_held(flat)
        extra = self._differentiable()
        if not extra and not any(t._value.requires_grad for t in flat.tensors):
            with_state = (flat.key, state)
            specialization = self.specializations.get(with_state)
            if specialization is None:
                specialization = self._new_specialization(with_state, flat)
            return specialization.run(flat)
        key = (flat.key, state, tuple(map(id, extra)))
        result = self.gradients.get(key)
        if result is None:
            result = self.gradients[key] = GradientSpecialization(self, flat)
            while len(self.gradients) > _SPECIALIZATIONS:
                self.gradients.popitem(last=False)
        else:
            self.gradients.move_to_end(key)
        return result.run(flat, extra)

    def _reached(self) -> Iterator[Tensor]:
        """The tensors of cells and closures, some of them several times."""
        environment = self._environment
        assert environment is not None
        for cell in self.cells():
            yield from [p for p in cell._params.values() if p is not None]
        yield from environment.tensors.values()
        yield from self.reads.tensors.values()
        yield from environment.parameters.values()

    def _differentiable(self) -> list[torch.Tensor]:
        """Those of them that require a gradient now."""
        values = [t._value for t in self._reached()]
        return list({id(v): v for v in values if v.requires_grad}.values())

    def with_torch(self) -> list[torch.Tensor]:
        """Those of them of which code of torch may ask for gradients at any time."""
        values = {id(t._value): t._value for t in self._reached()}
        return [v for v in values.values() if may_require_grad(v)]

    def _worth_recording(self, flat: FlatArguments) -> bool:
        """Whether a signature is new enough, or comes often enough, to be recorded."""
        count = self._count(flat)
        known = {v.key for v in self.specializations.values()}
        at_once = self.at_first and len(known) < _AT_FIRST_SIGHT
        if flat.key in known or at_once:
            return True
        # what pushes others out must come more often, the more were pushed out for nothing
        return count > 1 << min(self._evicted // _SPECIALIZATIONS, 16)

    def _for_any_size(self, flat: FlatArguments, state: int) -> Any:
        """A recording that serves this call whatever some of its sizes are, or None."""
        if (
            self._seen.get(hash(flat.key), 0) >= _OFTEN
            and len(self.specializations) < _SPECIALIZATIONS // 2
        ):
            return None  # worth a recording of its own, whose plans compete, while there is room
        entry = self.symbolic.get(state, ())
        for candidate in entry:
            if candidate.fits(flat):
                self._count(flat)
                return candidate
        rest, sizes = split_key(flat.key)
        declared = self._declared_sizes(flat)
        kind = (state, rest, tuple(map(len, sizes)))
        seen = self._sizes.setdefault(kind, [])
        while len(self._sizes) > _SPECIALIZATIONS:
            self._sizes.popitem(last=False)
        if sizes not in seen:
            seen.append(sizes)
            del seen[:-_SIZES]
        enough = 2 if declared else _SIZES
        if kind in self.fixed or len(entry) >= _SYMBOLIC or not self.clean:
            return None
        if not declared and len(seen) >= _SIZES // 2 and not loaded(_FOR_SHAPES):
            return None  # torch's symbolic shapes take a second to load: in the background
        if len(seen) < enough:
            return None
        from agar._core.graph.cache.symbolic import SymbolicSpecialization
        from agar._core.graph.guard.dynamic import Dynamic, Unsupported, suggest

        dynamic = Dynamic(declared) if declared else suggest(seen)
        if dynamic is None or not self.lock.acquire(blocking=False):
            return None
        known = []  # what real runs recorded, to compare with
        for v in self.specializations.values():
            its_rest, its_sizes = split_key(v.key)
            draft = draft_of(v.root) if its_rest == rest and v.root is not None else None
            if draft is not None:
                known.append((*draft, its_sizes))
        try:
            while True:
                try:
                    result = SymbolicSpecialization(self, flat, dynamic)
                    result.record(known)
                    break
                except Unsupported as error:
                    # ``jit(dynamic=1)`` means all sizes that can be open
                    fewer = dynamic.without(error.fixed) if self.dynamic and error.fixed else None
                    if fewer is None or not fewer.dims:
                        self.fixed[kind] = error.reason
                        if declared:
                            self.warn(f"sizes cannot be left open: {error.reason}", error.site)
                        return None
                    dynamic = fewer
        finally:
            self.lock.release()
        self.symbolic.setdefault(state, []).append(result)
        self._count(flat)
        return result

    def _declared_sizes(self, flat: FlatArguments) -> dict[int, dict[int, Any]]:
        """The sizes that ``set_inputs`` or ``jit(dynamic=1)`` leave open, by tensor."""
        if self.dynamic:
            return {
                i: dict.fromkeys(d for d, n in enumerate(t._value.shape) if n > 1)
                for i, t in enumerate(flat.tensors)
            }
        declared = self.declared()
        if declared is None:
            return {}
        open_sizes = {}
        for expected, given in zip(declared[0], flat.call[0], strict=False):
            place = next((i for i, t in enumerate(flat.tensors) if t is given), None)
            if place is None or not isinstance(expected, Tensor):
                continue
            dims = {
                d: n if not isinstance(n, int) else None
                for d, n in enumerate(expected.shape)
                if n in (-1, None) or not isinstance(n, int)
            }
            dims = {d: b for d, b in dims.items() if given._value.shape[d] > 1}
            if dims:
                open_sizes[place] = dims
        return open_sizes

    def _count(self, flat: FlatArguments) -> int:
        """How often a signature has been seen, this time included."""
        number = hash(flat.key)
        count = self._seen.pop(number, 0) + 1
        self._seen[number] = count
        while len(self._seen) > _SEEN:
            self._seen.popitem(last=False)
        self.latest.pop(flat.key, None)
        self.latest[flat.key] = None
        while len(self.latest) > _LATEST:
            self.latest.popitem(last=False)
        return count

    def _new_specialization(self, key: Any, flat: FlatArguments) -> Specialization:
        idle = [v for v in self.specializations.values() if v.key == flat.key and not v.replays]
        specialization = Specialization(self, flat)
        if len(idle) >= _IDLE_STATES:
            reason = f"attributes of cells change from call to call ({self.recaptures[-1:]})"
            self.eager_keys[flat.key] = reason
            for known in [k for k, v in self.specializations.items() if v in idle]:
                del self.specializations[known]
            specialization._give_up(reason, None)
            return specialization
        self.specializations[key] = specialization
        while len(self.specializations) > _SPECIALIZATIONS:
            _, old = self.specializations.popitem(last=False)
            self._evicted += 1
            old.entry = None
            self._entries.clear()
            if old is self.entry_of:
                self.entry = self.entry_of = None
        return specialization

    def next_number(self) -> int:
        """A number for a new specialization."""
        return next(self._numbers)

    def plain(self, flat: FlatArguments, why: str = "") -> Any:
        """Run the call as ordinary Python."""
        return self._run_plain(*flat.call, why)

    def _run_plain(self, args: tuple[Any, ...], kwargs: dict[str, Any], why: str = "") -> Any:
        self.plain_calls += 1
        if why:
            self.plain_reasons[why] = self.plain_reasons.get(why, 0) + 1
        before, thread.inside = thread.inside, True
        try:
            return self.python(args, kwargs)
        finally:
            thread.inside = before

    # ------------------------------------------------------------------------------ state

    def current_state(self) -> State:
        """The state of all that can be reached; draws lazy parameters of cells first."""
        if (
            self._environment is not None
            and self._surveyed == runtime.epoch
            and self._state is not None
        ):
            self._state_id()
            return self._state  # nothing has changed since
        self._survey()
        return self._state  # type: ignore[return-value]

    def _survey(self) -> None:
        """Read everything anew."""
        self._surveyed = runtime.epoch
        environment = Environment()
        for root in (*self._roots, *self._objects.held.values()):
            environment.add(root)
        self._read_anew(environment)
        self._epoch = -1
        self._state_id()

    def _read_anew(self, environment: Environment) -> None:
        roots = [(self.name, root) for root in (self.fn, *self._roots)]
        roots += [("an argument", pin) for pin in self._objects.held.values()]
        roots += [("the class of an argument", kind) for kind in self._objects.roots]
        self.reads = Reads(roots, self._entered.values(), self._everything, self._names)
        if self.reads.weak is not None:
            where = f"changes of {self.reads.weak} (a weak reference) cannot be seen"
            self.unheld = f"{where}: to look at what it leads to keeps that alive"
        for shapes in [k for k, v in self._entries.items() if isinstance(v, _SizeEntry)]:
            del self._entries[shapes]  # they compare with what was read before
        self.rules = self.rules._replace(names=self.reads.attributes, shows=self.reads.shows)
        environment.cells.update(self.reads.cells)
        environment.parameters.update(self.reads.parameters)
        self._environment = environment

    def forget(self, wary: bool = False) -> None:
        """Drop all recordings, and hold nothing that they held.

        Args:
            wary: whether objects among the arguments must come twice to be held again.
        """
        self._forget_recordings()
        self._forget_reads()
        self._environment = self._state = None
        self._objects.forget(wary)
        self._epoch = self._surveyed = -1

    def _forget_recordings(self) -> None:
        self.entry = self.entry_of = None
        for memory in (self.specializations, self.gradients, self.eager_keys):
            memory.clear()
        self._seen.clear()
        self.latest.clear()
        self.symbolic.clear()
        self._entries.clear()

    def _forget_reads(self) -> None:
        self.reads = Reads((), ())
        self.rules = Rules(self.rules.classes)
        self._entered.clear()
        self._names.clear()
        self._everything = self.clean = False
        for memory in (self._state_ids, self._states, self._effects):
            memory.clear()
        self._number = -1

    def outside(self) -> frozenset[int]:
        """The torch tensors that the Python can reach, by id."""
        environment = self._environment
        assert environment is not None
        results = {id(local(t._value)) for t in self.reads.tensors.values()}
        results.update(id(local(t._value)) for t in environment.tensors.values())
        for cell in self.cells():
            for registry in (cell._params, cell._buffers):
                results.update(id(local(t._value)) for t in registry.values() if t is not None)
        return frozenset(results)

    def learn(self, monitor: Monitor) -> bool:
        """Take note of what a run has entered. Whether all of it was guarded while it ran."""
        fresh = {k: v for k, v in monitor.entered.items() if k not in self._entered}
        if (
            not fresh
            and (self._everything or not monitor.everything)
            and monitor.names <= self._names
        ):
            return True
        current = self._epoch == runtime.epoch and self.reads.unchanged()
        number = self._number
        self._entered.update(fresh)
        self._everything = self._everything or monitor.everything
        self._names |= monitor.names
        environment = self._environment
        assert environment is not None
        self._read_anew(environment)
        state = State(environment, self.reads, self._state if current else None)
        if current:  # the same contents, of which more is known now
            self._state_ids[state.token] = number
            self._state = state
        else:
            self._epoch = -1
        self.entry = self.entry_of = None
        self._entries.clear()
        for specialization in self.specializations.values():
            specialization.entry = None  # checks less than it must
        return False

    def refusal(self, monitor: Monitor, outcome: Any) -> tuple[str, Any] | None:
        """Why a recording cannot be replayed, whatever it recorded; None if it can."""
        reads = self.reads
        if monitor.finalizes:
            self.unheld = "it uses weakref.finalize: what a recording holds would not be finalized"
        if monitor.reason is not None:
            return monitor.reason, monitor.site
        if reads.opaque:
            where, what = reads.opaque[0]
            return f"changes of {where} ({what}) cannot be seen", None
        ran = {code for code, _ in monitor.entered}
        for code in reads.missing:
            if id(code) not in ran or code.co_name == "__del__":
                continue  # finalizers of other objects run at any time
            place = code.co_filename, code.co_firstlineno
            return f"it runs {code.co_name}, and where that comes from cannot be seen", place
        return self._refused_result(outcome)

    def _refused_result(self, outcome: Any) -> tuple[str, Any] | None:
        """Why the result of a recording cannot be made again; None if it can."""
        reads = self.reads
        fresh, outcome.fresh = outcome.fresh, []  # lives on only with the program
        for value in fresh:
            if reads.reached(value):
                return f"it returns a {type(value).__name__} that lies outside of the call", None
        for value in outcome.objects:
            if not reads.reached(value) and id(value) not in self._objects.held:
                return f"it returns an object of type {type(value).__name__}", None
        for kind in outcome.kinds:
            if kind_of_class(kind) == USER and not reads.reached(kind):
                what = f"it returns an object of type {kind.__name__}"
                return f"{what}, and where that class comes from cannot be seen", None
        return None

    def settled(self, key: Any) -> None:
        """Note that a call of this kind has changed nothing outside of it."""
        self._effects.pop(hash(key), None)

    def effect(self, key: Any, reason: str) -> None:
        """A call of this kind has changed something outside of it; when again, it stays Python."""
        number = hash(key)
        count = self._effects[number] = self._effects.get(number, 0) + 1
        if count >= RETRIES:
            self.eager_keys[key] = reason
            for known in [k for k, v in self.specializations.items() if v.key == key]:
                del self.specializations[known]
            self.warn(reason, None)
        while len(self._effects) > _SEEN:
            self._effects.pop(next(iter(self._effects)))

    def cells(self) -> list[Any]:
        """The cells that the compiled function can reach."""
        return [] if self._environment is None else all_cells(self._environment.cells.values())

    def declared(self) -> Any:
        """What ``set_inputs`` says about the inputs of the cell, or None."""
        cell = getattr(self.fn, "cell", self.fn)
        return getattr(cell, "__dict__", {}).get("_inputs")

    def plan_level(self) -> str | None:
        """The plan that was asked for: of the function, its cell, or the context."""
        if self.level is not None:
            return self.level
        for root in self._roots:
            config = getattr(root, "jit_config", None)
            level = getattr(config, "jit_config_dict", {}).get("jit_level")
            if level:
                return "O1" if level == "O2" else level
        config = get_context("jit_config") or {}
        level = config.get("jit_level") or get_context("jit_level")
        return {"": None, "O2": "O1"}.get(level, level)

    def learn_cells(self, cells: dict[int, Any]) -> None:
        """Note cells that a run called and that the roots do not reach."""
        environment = self._environment
        if environment is None:  # the call has cleared it
            return
        for key, cell in cells.items():
            if key not in environment.cells:
                self._objects.learn(cell)
                self._surveyed = -1

    def changes_since(self, before: State) -> list[str]:
        """Which attributes of cells have changed."""
        if self._environment is None:
            self._survey()
            return ["what is recorded, by ms.graph.clear"]
        if runtime.epoch == self._epoch and self.reads.unchanged():
            return []
        environment = self._environment
        read: list[str] = []
        if not self.reads.unchanged():
            read = self.reads.changes()
            self._read_anew(environment)
        after = State(environment, self.reads)
        if after.token == before.token and after.weights == before.weights:
            self._epoch = runtime.epoch
            return []
        self._epoch = -1  # what is known of the present is from before the run
        result = before.differences(after)
        result += [r for r in read if not any(r.split(".")[-1] in known for known in result)]
        return result or ["the cells of the network"]

    def _state_id(self) -> int:
        """A number for the present state; equal states have equal numbers."""
        epoch = runtime.epoch
        if self._environment is None:
            self._survey()
            return self._number
        if epoch == self._epoch and self._state is not None and self.reads.holds():
            return self._number
        environment = self._environment
        if not self.reads.unchanged():
            self._read_anew(environment)
        state = State(environment, self.reads)
        previous = self._state
        if previous is not None and previous.token != state.token:
            self.recaptures = (self.recaptures + previous.differences(state))[-8:]
            if self._surveyed != epoch:  # other cells or functions may be reachable now
                self._surveyed = epoch
                fresh = Environment()
                for root in (*self._roots, *self._objects.held.values()):
                    fresh.add(root)
                self._read_anew(fresh)
                state = State(fresh, self.reads)
        if previous is not None and previous.weights != state.weights:
            self.gradients.clear()
            self.symbolic.clear()
            self.specializations.clear()  # they hold tensors that nobody else holds any more
            self._entries.clear()
            self._states.clear()
            self._state_ids.clear()
            self.entry = self.entry_of = None
        result = self._state_ids.pop(state.token, None)
        if result is None:
            result = self._state_count
            self._state_count += 1
        self._state_ids[state.token] = result
        self._states[result] = state  # ids in the token stay taken
        while len(self._state_ids) > _SPECIALIZATIONS:
            _, old = self._state_ids.popitem(last=False)
            self.symbolic.pop(old, None)
            self._states.pop(old, None)
        self._state, self._epoch, self._number = state, epoch, result
        return result

    # ------------------------------------------------------------------------------ words

    def warn(self, reason: str, site: tuple[str, int] | None) -> None:
        """Say once per place why a call is not compiled."""
        if (reason, site) in self.warned:
            return
        self.warned.add((reason, site))
        warnings.warn(
            f"'{self.name}' runs as ordinary Python for calls of this kind, not compiled: {reason}"
            f"{at_site(site)}. The results are right; agar.graph.explain(...) tells more.",
            GraphWarning,
            stacklevel=2,
        )


class _CellCall:
    """Calls a cell past the graph engine; no closure, so that the cell is easy to find."""

    def __init__(self, cell: Any) -> None:
        self.cell = cell

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.cell._call(args, kwargs)


def compiled_function_of(cell: Any) -> CompiledFunction:
    """What is compiled for calls of a cell."""
    function = cell.__dict__.get("_compiled")
    if function is None or function.fn.cell is not cell:  # a program may have copied the dict
        function = cell.__dict__["_compiled"] = CompiledFunction(
            _CellCall(cell), type(cell).__name__, cell
        )
        if type(cell)._call.__module__ == "agar.nn.cell":
            function.plain_cell = cell
    return function


def call_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a cell in GRAPH_MODE (`runtime.graph_call`), not inside of another compiled call."""
    return compiled_function_of(cell).serve(args, kwargs)


def compile_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Record a call ahead of its time: afterwards parameters and random state are as before."""
    function = compiled_function_of(cell)
    function.current_state()
    state = random.get_all_state()
    held = [t for c in function.cells() for t in tensors_in(list(c.__dict__.values()))]
    values = {id(t._value): (t._value, t._value.detach().clone()) for t in held}
    before = thread.silent
    thread.silent = True
    try:
        for _ in range(RETRIES + 1):
            function.call(args, kwargs)
    finally:
        thread.silent = before
        for value, retained in values.values():
            value.data.copy_(retained)
        runtime.weights += 1
        random.set_all_state(state)
