"""A compiled function or cell: from a call to its recording, its plan, or plain Python.

NOTE Three ways of a call. The entry of the signature used last serves it (generated code, a few
microseconds). Else the signature and the state of the cells pick a variant, which runs its tree,
recording what it does not know. Where recording is not possible, the call runs as ordinary Python,
and one warning says where and why.
"""

from __future__ import annotations

import importlib
import itertools
import sys
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch

from agar._core import random
from agar._core.autodiff import functorch_level, map_tensors, tensors_in
from agar._core.context import get_context
from agar._core.errors import translate
from agar._core.graph import background
from agar._core.graph.capture import RETRIES, Cut, Mismatch, Recorder, inside_a_call
from agar._core.graph.gradient import GradientVariant
from agar._core.graph.guards import (
    MISS,
    Leaves,
    State,
    Surroundings,
    all_cells,
    argument_changes,
    check_declared,
    entry_code,
    flatten,
    split_key,
)
from agar._core.graph.monitor import Monitor
from agar._core.graph.reads import Reads
from agar._core.graph.tape import Chunk, Host, Op, is_pure
from agar._core.graph.tree import Node, Untrusted, grow, nodes_of, read_outcome
from agar._core.pause import collector_at_rest
from agar._core.runtime import runtime, thread
from agar._core.tensor import Tensor, wrap

__all__ = [
    "GraphWarning",
    "Unit",
    "Variant",
    "call_cell",
    "call_gradient",
    "compile_cell",
    "unit_of",
]

_VARIANTS = 32  # recordings that a unit keeps, least recently used first out
_AT_FIRST_SIGHT = 2  # signatures recorded when first seen; later ones when they come again
_SEEN = 4096  # signatures that are remembered as seen
_ENDS = 64  # ends of one tree
_FANOUT = 24  # values of one cut
_UNLUCKY = 3  # recordings that the values of a run spoilt before that counts as a failure
_SIZES = 8  # different sizes after which a recording for any size is tried
_SYMBOLIC = 4  # recordings for any size that a state may have
_ENTRIES = 512  # shapes for which an entry is kept
_OFTEN = 16  # calls after which a signature gets a recording of its own all the same
_IDLE_STATES = 6  # states recorded for a signature without being used again


class GraphWarning(UserWarning):
    """A call stays outside of the graph engine, for the reason given."""


def _place(site: tuple[str, int] | None) -> str:
    return "" if site is None else f", at {site[0]}:{site[1]}"


def _shapes_loaded() -> bool:
    """Whether the module for open sizes is there; the first question begins to load it."""
    if "agar._core.graph.shapes" in sys.modules and _loading and not _loading[0].is_alive():
        return True
    if not _loading:

        def load() -> None:
            with collector_at_rest():
                importlib.import_module("torch.fx.experimental.symbolic_shapes")
                importlib.import_module("agar._core.graph.shapes")

        _loading.append(background.start(load, "agar shapes"))
    return not _loading[0].is_alive()


_loading: list[threading.Thread] = []


class Variant:
    """The recordings of one signature in one state of the cells."""

    def __init__(self, unit: Unit, leaves: Leaves) -> None:
        self.unit = unit
        self.key = leaves.key
        self.number = unit.next_number()
        self.spec: Any = None
        self.root: Node | None = None
        self.ends = 0
        self.recordings = 0
        self.failures = 0
        self.unlucky = 0
        self.history: list[tuple[str, tuple[str, int] | None]] = []
        self.replays = 0
        self.eager: str | None = None
        self.site: tuple[str, int] | None = None
        self.entry: Callable[..., Any] | None = None

    def run(self, leaves: Leaves) -> Any:
        """Serve a call of this signature."""
        if self.eager is not None:
            return self.unit.plain(leaves)
        node = self.root
        if node is None or not node.trusted:
            return self.record(leaves, [], [], {})
        env: dict[int, Any] = {i: t._value for i, t in enumerate(leaves.tensors)}
        path: list[Node] = []
        values: list[Any] = []
        while True:
            assert node.run is not None
            assert node.segment is not None
            try:
                read, outs = node.run(*[env[v] for v in node.takes])
            except Exception as error:
                return self.failed(error, leaves, path, node)
            env.update(zip(node.segment.outs, outs, strict=True))
            for v, source in node.stands.items():
                if v != source:
                    env[v] = env[source] if source in env else node.bound[source]
            path.append(node)
            if node.cut is None:
                assert node.outcome is not None
                self.replays += 1
                if self.entry is None:
                    self._make_entry(leaves)
                return node.outcome.build(env, leaves)
            value, key = node.key_of(read, env)
            values.append(value)
            child = node.children.get(key)
            if child is None or not child.trusted:
                if child is None and len(node.children) >= _FANOUT:
                    self._give_up(
                        f"a value that Python reads took more than {_FANOUT} different values",
                        node.cut.site,
                    )
                return self.record(leaves, path, values, env)
            node = child

    def _make_entry(self, leaves: Leaves) -> None:
        """Generated code that checks a call's signature and serves it."""
        node = self.root
        assert node is not None
        assert node.segment is not None
        names: dict[str, Any] = {}
        if node.cut is None:
            assert node.outcome is not None
            at = {v: i for i, v in enumerate(node.segment.outs)}
            places = {v: at[node.stands.get(v, v)] for v in node.outcome.variables}
            statements, result = node.outcome.code(names, places)
            targets = f"_, ({''.join(f'x{i}, ' for i in range(len(at)))}) = " if at else ""
            serve = [f"{targets}run({', '.join(f'r{i}' for i in node.takes)})"]
            serve += [statements] if statements else []
            serve.append(f"return {result}")
            names["run"] = node.run
        else:
            names["walk"] = self._walk
            tensors = ", ".join(f"t{i}" for i in range(len(leaves.tensors)))
            serve = [f"return walk(args, kwargs, [{tensors}])"]
            self.spec = leaves.spec
        reads = self.unit.reads
        self.entry = entry_code(
            leaves, serve, names, None if reads.idle else reads.holds, reads.tensors
        )
        if self.entry is not None and node.cut is None:
            node.entries.append(self.entry)

    def _walk(self, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Tensor]) -> Any:
        """Serve a call whose signature has been checked."""
        leaves = Leaves(args, kwargs)
        leaves.tensors, leaves.key, leaves.spec = tensors, self.key, self.spec
        return self.run(leaves)

    # ------------------------------------------------------------------------- recording

    def record(
        self, leaves: Leaves, path: list[Node], values: list[Any], env: dict[int, Any]
    ) -> Any:
        """Run Python and record it, behind the segments of `path`, which have run."""
        unit = self.unit
        if not unit.lock.acquire(blocking=bool(path)):
            return unit.plain(leaves, "another thread recorded")  # nobody waits
        try:
            with collector_at_rest():
                return self._record(leaves, path, values, env)
        except Mismatch as mismatch:
            self._give_up(f"Python did not repeat itself: {mismatch}", None)
            if _changed_nothing(op for n in path for op in n.ops):
                return unit.plain(leaves)
            raise RuntimeError(
                f"For '{unit.name}', the call could not be finished: {mismatch}. Its first part "
                "ran from a recording, and had changed parameters or drawn random numbers when "
                "Python took another way than in the recording. Make the Python between a value "
                "read from a tensor and the call's start a function of the call's inputs, or run "
                "this call in PYNATIVE_MODE. Further calls of this kind run as ordinary Python."
            ) from None
        finally:
            unit.lock.release()

    def _record(
        self, leaves: Leaves, path: list[Node], values: list[Any], env: dict[int, Any]
    ) -> Any:
        unit = self.unit
        before = unit.look()
        prefix = [op for n in path for op in n.ops]
        cuts = []
        lifted = {}
        for n, value in zip(path, values, strict=True):
            assert n.cut is not None
            cuts.append(Cut(n.cut.kind, n.cut.var, value, 0, [], None))
            lifted.update(n.lifted)
        recorder = Recorder(prefix, cuts, env, lifted)
        recorder.inputs = range(len(leaves.tensors))
        recorder.outside = unit.outside()
        recorder.monitor = monitor = Monitor()
        given = [t._value for t in leaves.tensors]
        args, kwargs = leaves.call
        self.recordings += 1
        with inside_a_call(grad=False), recorder:
            for i, raw in enumerate(given):
                recorder.new_input(raw, i)
            with monitor:
                result = unit.python(args, kwargs)
            outcome, tensors = read_outcome(result, recorder, leaves.tensors, leaves.call)
            recorder.finish(tensors)
        unit.learn_cells(recorder.cells)
        self._judge(path, recorder, outcome, before, leaves, given)
        try:
            if not any(t._value.requires_grad for t in tensors_in(result)):
                return result
        except RecursionError:  # it contains itself
            return result
        known = set(map(id, leaves.tensors))

        def settled(t: Tensor) -> Tensor:
            if id(t) in known or not t._value.requires_grad or type(t) is not Tensor:
                return t
            return wrap(t._value.detach())

        return map_tensors(result, settled)

    def _judge(
        self,
        path: list[Node],
        recorder: Recorder,
        outcome: Any,
        before: State,
        leaves: Leaves,
        given: list[torch.Tensor],
    ) -> None:
        """Decide what a recording is good for."""
        unit, monitor = self.unit, recorder.monitor
        changes = unit.changes_since(before) or argument_changes(leaves)
        if any(t._value is not g for t, g in zip(leaves.tensors, given, strict=True)):
            changes = ["the tensor behind an argument"]
        certain = unit.learn(monitor)
        refused = unit.refusal(monitor, outcome)
        if recorder.unlucky and self.unlucky < _UNLUCKY:
            self.unlucky += 1
        elif recorder.dead is not None:
            self._fail(recorder.dead, recorder.dead_site)
        elif changes:
            self._fail(f"the call changes what lies outside of it ({'; '.join(changes[:3])})", None)
            unit.effect(self.key, self.history[-1][0])
        elif refused is not None:
            self._fail(*refused)
        else:
            unit.clean = unit.clean or certain
            unit._effects.pop(self.key, None)  # what it had changed is settled
            try:
                self.root, new = grow(self.root, path, recorder, outcome, certain)
            except Untrusted as error:
                self.root, self.entry, self.ends = None, None, 0
                self._fail(error.reason, error.site)
                return
            self.ends += bool(new)
            if self.root is not None:
                for node in nodes_of(self.root):
                    if node.trusted and node.contest is None:
                        node.compete(self.unit.name, self.unit.plan_level())
                        new = True
                if new and get_context("save_graphs"):
                    self._draw()
            if self.ends > _ENDS:
                site = recorder.cuts[-1].site if recorder.cuts else None
                self._give_up(f"values that Python reads lead to more than {_ENDS} ways", site)

    def _draw(self) -> None:
        """Write the graph's text and picture (context key save_graphs)."""
        from agar._core.graph import picture

        assert self.root is not None
        nodes = [n for n in nodes_of(self.root) if n.trusted]
        picture.save(self.unit.name, self.number, nodes, self)

    def _fail(self, reason: str, site: tuple[str, int] | None) -> None:
        self.failures += 1
        self.history.append((reason, site))
        if self.failures >= RETRIES:
            self._give_up(reason, site)

    def _give_up(self, reason: str, site: tuple[str, int] | None) -> None:
        self.eager, self.site = reason, site
        self.root = self.entry = None
        self.unit.warn(reason, site)

    # -------------------------------------------------------------------------- errors

    def failed(self, error: Exception, leaves: Leaves, path: list[Node], node: Node) -> Any:
        """An operator raised in a replay: say it as Python would have said it.

        If nothing had been changed yet, Python runs the call again and raises by itself.
        """
        op = _failing(error, node)
        if op is None or isinstance(op.func, (Host, Chunk)) or node.segment is None:
            raise error  # Python's own, from a function that runs at every replay
        ran = [o for n in path for o in n.ops]
        ran += [o for o in node.segment.ops if o.at < op.at]
        if _changed_nothing(ran):
            return self.unit.plain(leaves)
        raise translate(error, op.name, f"the call{_place(op.site)}") from error


def _changed_nothing(ops: Iterable[Op]) -> bool:
    """Whether operations may run once more: they only computed, or read values for Python."""
    return all(is_pure(op) or op.outs == (None,) for op in ops)


def _failing(error: BaseException, node: Node) -> Op | None:
    """The operation in whose line an error was raised."""
    trace = error.__traceback__
    while trace is not None:
        code: Any = node.code
        if code is not None and trace.tb_frame.f_code.co_filename == code.filename:
            return code.sites.get(trace.tb_lineno)
        trace = trace.tb_next
    return None


class _SizeEntry:
    """The entry of one signature to a recording for any size."""

    def __init__(self, entry: Callable[..., Any] | None, symbolic: Any) -> None:
        self.entry = entry
        self.symbolic = symbolic


class Unit:
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
        self.fn = fn
        self.name = name
        self.level = level
        self.dynamic = dynamic
        self.at_first = at_first
        self.lock = threading.RLock()
        self.entry: Callable[..., Any] | None = None
        self.entry_of: Variant | None = None
        self.variants: OrderedDict[Any, Variant] = OrderedDict()
        self.gradients: OrderedDict[Any, GradientVariant] = OrderedDict()
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
        self._around: Surroundings | None = None
        self._extra: dict[int, Any] = {}
        self._epoch = -1
        self._looked = -1
        self._state: State | None = None
        self._state_ids: OrderedDict[Any, int] = OrderedDict()
        self._kept: dict[int, State] = {}
        self._state_count = 0
        self.reads = Reads((), ())
        self._entered: dict[tuple[int, int], Any] = {}
        self._everything = False
        self._number = -1
        self._effects: dict[Any, int] = {}
        self._entries: dict[Any, Variant | _SizeEntry] = {}  # by the shapes of the arguments
        self._evicted = 0  # recordings that made room for others
        #: Whether a run was recorded whose reads were guarded, and that changed nothing.
        self.clean = False
        self._seen: OrderedDict[Any, int] = OrderedDict()

    def python(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Python."""
        self.runs += 1
        return self.fn(*args, **kwargs)

    # ------------------------------------------------------------------------------ a call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(args, kwargs)

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Serve a call."""
        if thread.inside:
            return self.fn(*args, **kwargs)
        entry = self.entry
        if entry is not None:
            try:
                result = entry(args, kwargs)
            except Exception as error:
                variant = self.entry_of
                if variant is None or variant.root is None or variant.root.cut is not None:
                    raise
                return variant.failed(error, flatten(args, kwargs), [], variant.root)
            if result is not MISS:
                return result
            if not kwargs and len(self.variants) > 1:
                result = self._of_these_sizes(args)
                if result is not MISS:
                    return result
        return self._choose(args, kwargs)

    def _note_size(self, symbolic: Any, leaves: Leaves, epoch: int) -> None:
        """Generate an entry for sizes that come again and again to a recording for any size."""
        if leaves.call[1] or len(leaves.call[0]) != len(leaves.tensors):
            return
        shapes = tuple([t._value.shape for t in leaves.tensors])
        known = self._entries.get(shapes)
        if not (isinstance(known, _SizeEntry) and known.symbolic is symbolic):
            if self._seen.get(leaves.key, 0) < _OFTEN or len(self._entries) >= _ENTRIES:
                return
            reads = self.reads
            tensors = ", ".join([f"t{i}" for i in range(len(leaves.tensors))])
            serve = [f"return serve(args, {tensors})"]
            guard = None if reads.idle else reads.holds
            entry = entry_code(leaves, serve, {"serve": symbolic.serve}, guard, reads.tensors)
            known = self._entries[shapes] = _SizeEntry(entry, symbolic)
        if known.entry is not None:
            known.entry.__globals__["EPOCH"] = epoch

    def _of_these_sizes(self, args: tuple[Any, ...]) -> Any:
        """Serve a call by the entry that served these shapes last, or MISS."""
        try:
            found = self._entries.get(tuple([a._value.shape for a in args]))
        except AttributeError:
            return MISS
        if found is None or found.entry is None:
            return MISS
        entry = found.entry
        try:
            result = entry(args, {})
        except Exception as error:
            if isinstance(found, _SizeEntry):
                return found.symbolic.failed(error, flatten(args, {}))
            if found.root is None or found.root.cut is not None:
                raise
            return found.failed(error, flatten(args, {}), [], found.root)
        if result is not MISS and isinstance(found, Variant):
            self.entry, self.entry_of = entry, found
        return result

    def _choose(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        declared = self.declared()
        if declared is not None:
            check_declared(self.name, declared, args, kwargs)
        if thread.precision or functorch_level() or len(thread.grad_scopes) > 1:
            why = "inside a precision scope, vmap or a second gradient"
            return self._run_plain(args, kwargs, why)
        try:
            leaves = flatten(args, kwargs)
        except RecursionError:
            return self._run_plain(args, kwargs, "an argument contains itself")
        if leaves.hooked:
            return self._run_plain(args, kwargs, "a tensor has hooks")
        if leaves.marked:
            return self._run_plain(args, kwargs, "a tensor among the arguments has attributes")
        for pin in leaves.pins:
            if not self._meet(pin):
                return self._run_plain(args, kwargs, "too many different objects as arguments")
        if thread.grad_scopes:
            return self._under_gradient(leaves)
        if leaves.key in self.eager_keys:
            return self._run_plain(args, kwargs)
        if any(t._value.requires_grad for t in leaves.tensors):
            return self._run_plain(args, kwargs, "a tensor requires a gradient")
        epoch = runtime.epoch
        state = self._state_id()
        self._mark_held(leaves)
        key = (leaves.key, state)
        variant = self.variants.get(key)
        if variant is None:
            symbolic = self._for_any_size(leaves, state)
            if symbolic is not None:
                result = symbolic.run(leaves)
                self._note_size(symbolic, leaves, epoch)
                return result
            if not self._worth_recording(leaves):
                return self._run_plain(args, kwargs, "a signature seen for the first time")
            variant = self._new_variant(key, leaves)
        else:
            self.variants.move_to_end(key)
        result = variant.run(leaves)
        entry = variant.entry
        if entry is not None:
            entry.__globals__["EPOCH"] = epoch
            self.entry, self.entry_of = entry, variant
            if not kwargs and len(args) == len(leaves.tensors):
                self._entries[tuple([t._value.shape for t in leaves.tensors])] = variant
        return result

    def _meet(self, pin: Any) -> bool:
        """Note an object among the arguments (a cell, say). False if it is one too many."""
        if id(pin) not in self._extra:
            if len(self._extra) >= _VARIANTS:
                return False
            self._extra[id(pin)] = pin
            self._around = None
        return True

    def _mark_held(self, leaves: Leaves) -> None:
        """Tensors of the arguments that the Python can also reach otherwise make another call."""
        held = self.reads.tensors
        if held:
            marks = [(i, id(t)) for i, t in enumerate(leaves.tensors) if id(t) in held]
            if marks:
                leaves.key = (*leaves.key, ("held", *marks))

    def _under_gradient(self, leaves: Leaves) -> Any:
        """Serve a call inside an eager gradient."""
        if leaves.key in self.eager_keys:
            return self.plain(leaves)
        state = self._state_id()
        self._mark_held(leaves)
        extra = self._differentiable()
        if not extra and not any(t._value.requires_grad for t in leaves.tensors):
            with_state = (leaves.key, state)
            variant = self.variants.get(with_state)
            if variant is None:
                variant = self._new_variant(with_state, leaves)
            return variant.run(leaves)
        key = (leaves.key, state, tuple(map(id, extra)))
        found = self.gradients.get(key)
        if found is None:
            found = self.gradients[key] = GradientVariant(self, leaves)
            while len(self.gradients) > _VARIANTS:
                self.gradients.popitem(last=False)
        else:
            self.gradients.move_to_end(key)
        return found.run(leaves, extra)

    def _differentiable(self) -> list[torch.Tensor]:
        """The tensors of cells and closures that require a gradient now."""
        assert self._around is not None
        found: dict[int, torch.Tensor] = {}
        for cell in self.cells():
            for p in cell._params.values():
                if p is not None and p._value.requires_grad:
                    found[id(p._value)] = p._value
        for t in self._around.tensors.values():
            if t._value.requires_grad:
                found[id(t._value)] = t._value
        for p in self._around.parameters.values():
            if p._value.requires_grad:
                found[id(p._value)] = p._value
        return list(found.values())

    def _worth_recording(self, leaves: Leaves) -> bool:
        """Whether a signature is new enough, or comes often enough, to be recorded."""
        count = self._count(leaves)
        known = {v.key for v in self.variants.values()}
        at_once = self.at_first and len(known) < _AT_FIRST_SIGHT
        if leaves.key in known or at_once:
            return True
        # what pushes others out must come more often, the more were pushed out for nothing
        return count > 1 << min(self._evicted // _VARIANTS, 16)

    def _for_any_size(self, leaves: Leaves, state: int) -> Any:
        """A recording that serves this call whatever some of its sizes are, or None."""
        if self._seen.get(leaves.key, 0) >= _OFTEN and len(self.variants) < _VARIANTS // 2:
            return None  # worth a recording of its own, whose plans compete, while there is room
        found = self.symbolic.get(state, ())
        for candidate in found:
            if candidate.fits(leaves):
                self._count(leaves)
                return candidate
        rest, sizes = split_key(leaves.key)
        declared = self._declared_sizes(leaves)
        kind = (state, rest, tuple(map(len, sizes)))
        seen = self._sizes.setdefault(kind, [])
        while len(self._sizes) > _VARIANTS:
            self._sizes.popitem(last=False)
        if sizes not in seen:
            seen.append(sizes)
            del seen[:-_SIZES]
        enough = 2 if declared else _SIZES
        if kind in self.fixed or len(found) >= _SYMBOLIC or not self.clean:
            return None
        if not declared and len(seen) >= _SIZES // 2 and not _shapes_loaded():
            return None  # torch's symbolic shapes take a second to load: in the background
        if len(seen) < enough:
            return None
        from agar._core.graph.shapes import Dynamic, SymbolicVariant, Unsupported, suggest

        dynamic = Dynamic(declared) if declared else suggest(seen)
        if dynamic is None or not self.lock.acquire(blocking=False):
            return None
        known = []  # what real runs recorded, to compare with
        for v in self.variants.values():
            its_rest, its_sizes = split_key(v.key)
            if its_rest == rest and v.root is not None and v.root.trusted and v.root.cut is None:
                assert v.root.segment is not None
                known.append((v.root.segment, its_sizes))
        try:
            while True:
                try:
                    made = SymbolicVariant(self, leaves, dynamic)
                    made.record(known)
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
        self.symbolic.setdefault(state, []).append(made)
        self._count(leaves)
        return made

    def _declared_sizes(self, leaves: Leaves) -> dict[int, dict[int, Any]]:
        """The sizes that ``set_inputs`` or ``jit(dynamic=1)`` leave open, by tensor."""
        if self.dynamic:
            return {
                i: dict.fromkeys(d for d, n in enumerate(t._value.shape) if n > 1)
                for i, t in enumerate(leaves.tensors)
            }
        declared = self.declared()
        if declared is None:
            return {}
        open_sizes = {}
        for wanted, given in zip(declared[0], leaves.call[0], strict=False):
            place = next((i for i, t in enumerate(leaves.tensors) if t is given), None)
            if place is None or not isinstance(wanted, Tensor):
                continue
            dims = {
                d: n if not isinstance(n, int) else None
                for d, n in enumerate(wanted.shape)
                if n in (-1, None) or not isinstance(n, int)
            }
            dims = {d: b for d, b in dims.items() if given._value.shape[d] > 1}
            if dims:
                open_sizes[place] = dims
        return open_sizes

    def _count(self, leaves: Leaves) -> int:
        """How often a signature has been seen, this time included."""
        count = self._seen.pop(leaves.key, 0) + 1
        self._seen[leaves.key] = count
        while len(self._seen) > _SEEN:
            self._seen.popitem(last=False)
        return count

    def _new_variant(self, key: Any, leaves: Leaves) -> Variant:
        idle = [v for v in self.variants.values() if v.key == leaves.key and not v.replays]
        variant = Variant(self, leaves)
        if len(idle) >= _IDLE_STATES:
            reason = f"attributes of cells change from call to call ({self.recaptures[-1:]})"
            self.eager_keys[leaves.key] = reason
            for known in [k for k, v in self.variants.items() if v in idle]:
                del self.variants[known]
            variant._give_up(reason, None)
            return variant
        self.variants[key] = variant
        while len(self.variants) > _VARIANTS:
            _, old = self.variants.popitem(last=False)
            self._evicted += 1
            old.entry = None
            self._entries.clear()
            if old is self.entry_of:
                self.entry = self.entry_of = None
        return variant

    def next_number(self) -> int:
        """A number for a new variant."""
        return next(self._numbers)

    def plain(self, leaves: Leaves, why: str = "") -> Any:
        """Run the call as ordinary Python."""
        return self._run_plain(*leaves.call, why)

    def _run_plain(self, args: tuple[Any, ...], kwargs: dict[str, Any], why: str = "") -> Any:
        self.plain_calls += 1
        if why:
            self.plain_reasons[why] = self.plain_reasons.get(why, 0) + 1
        before = thread.inside
        thread.inside = True
        try:
            return self.python(args, kwargs)
        finally:
            thread.inside = before

    # ------------------------------------------------------------------------------ state

    def look(self) -> State:
        """The state of all that the unit can reach; draws lazy parameters of cells first."""
        if self._around is not None and self._looked == runtime.epoch and self._state is not None:
            self._state_id()
            return self._state  # nothing has changed since
        self._survey()
        return self._state  # type: ignore[return-value]

    def _survey(self) -> None:
        """Look at everything anew."""
        self._looked = runtime.epoch
        around = Surroundings()
        for root in (*self._roots, *self._extra.values()):
            around.add(root)
        self._read_anew(around)
        self._epoch = -1
        self._state_id()

    def _read_anew(self, around: Surroundings) -> None:
        roots = [(self.name, root) for root in (self.fn, *self._roots)]
        roots += [("an argument", pin) for pin in self._extra.values()]
        self.reads = Reads(roots, self._entered.values(), self._everything)
        for shapes in [k for k, v in self._entries.items() if isinstance(v, _SizeEntry)]:
            del self._entries[shapes]  # they compare with what was read before
        around.cells.update(self.reads.cells)
        around.parameters.update(self.reads.parameters)
        self._around = around

    def forget_reads(self) -> None:
        """Drop what is known of the Python, and hold nothing of it any more."""
        self.reads = Reads((), ())
        self._entered.clear()
        self._everything = self.clean = False
        for memory in (self._state_ids, self._kept, self._effects):
            memory.clear()
        self._number = -1

    def outside(self) -> frozenset[int]:
        """The torch tensors that the Python can reach, by id."""
        around = self._around
        assert around is not None
        found = {id(t._value) for t in self.reads.tensors.values()}
        found.update(id(t._value) for t in around.tensors.values())
        for cell in self.cells():
            for registry in (cell._params, cell._buffers):
                found.update(id(t._value) for t in registry.values() if t is not None)
        return frozenset(found)

    def learn(self, monitor: Monitor) -> bool:
        """Take note of what a run has entered. Whether all of it was guarded while it ran."""
        fresh = {k: v for k, v in monitor.entered.items() if k not in self._entered}
        if not fresh and (self._everything or not monitor.everything):
            return True
        current = self._epoch == runtime.epoch and self.reads.unchanged()
        number = self._number
        self._entered.update(fresh)
        self._everything = self._everything or monitor.everything
        around = self._around
        assert around is not None
        self._read_anew(around)
        state = State(around, self.reads)
        if current:  # the same contents, of which more is known now
            self._state_ids[state.token] = number
            self._state = state
        else:
            self._epoch = -1
        self.entry = self.entry_of = None
        self._entries.clear()
        for variant in self.variants.values():
            variant.entry = None  # checks less than it must
        return False

    def refusal(self, monitor: Monitor, outcome: Any) -> tuple[str, Any] | None:
        """Why a recording cannot be replayed, whatever it recorded; None if it can."""
        reads = self.reads
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
        for value in outcome.objects:
            if isinstance(value, (dict, list, np.ndarray)):
                if reads.reached(value):
                    return (
                        f"it returns a {type(value).__name__} that lies outside of the call",
                        None,
                    )
            elif not reads.reached(value) and id(value) not in self._extra:
                return f"it returns an object of type {type(value).__name__}", None
        return None

    def effect(self, key: Any, reason: str) -> None:
        """A call of this kind has changed something outside of it; when again, it stays Python."""
        self._effects[key] = self._effects.get(key, 0) + 1
        if self._effects[key] >= RETRIES:
            self.eager_keys[key] = reason
            for known in [k for k, v in self.variants.items() if v.key == key]:
                del self.variants[known]
            self.warn(reason, None)
        while len(self._effects) > _SEEN:
            self._effects.pop(next(iter(self._effects)))

    def cells(self) -> list[Any]:
        """The cells that the unit can reach."""
        return [] if self._around is None else all_cells(self._around.cells.values())

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
        assert self._around is not None
        for key, cell in cells.items():
            if key not in self._around.cells:
                self._extra[key] = cell
                self._looked = -1

    def changes_since(self, before: State) -> list[str]:
        """Which attributes of cells have changed."""
        if runtime.epoch == self._epoch and self.reads.unchanged():
            return []
        around = self._around
        assert around is not None
        read: list[str] = []
        if not self.reads.unchanged():
            read = self.reads.changes()
            self._read_anew(around)
        after = State(around, self.reads)
        if after.token == before.token and after.weights == before.weights:
            self._epoch = runtime.epoch
            return []
        self._epoch = -1  # what is known of the present is from before the run
        found = before.differences(after)
        found += [r for r in read if not any(r.split(".")[-1] in known for known in found)]
        return found or ["the cells of the network"]

    def _state_id(self) -> int:
        """A number for the present state; equal states have equal numbers."""
        epoch = runtime.epoch
        if self._around is None:
            self._survey()
            return self._number
        if epoch == self._epoch and self._state is not None and self.reads.holds():
            return self._number
        around = self._around
        if not self.reads.unchanged():
            self._read_anew(around)
        state = State(around, self.reads)
        previous = self._state
        if previous is not None and previous.token != state.token:
            self.recaptures = (self.recaptures + previous.differences(state))[-8:]
            if self._looked != epoch:  # other cells or functions may be reachable now
                self._looked = epoch
                fresh = Surroundings()
                for root in (*self._roots, *self._extra.values()):
                    fresh.add(root)
                self._read_anew(fresh)
                state = State(fresh, self.reads)
        if previous is not None and previous.weights != state.weights:
            self.gradients.clear()
            self.symbolic.clear()
            self.variants.clear()  # they hold tensors that nobody else holds any more
            self._entries.clear()
            self._kept.clear()
            self._state_ids.clear()
            self.entry = self.entry_of = None
        found = self._state_ids.pop(state.token, None)
        if found is None:
            found = self._state_count
            self._state_count += 1
        self._state_ids[state.token] = found
        self._kept[found] = state  # ids in the token stay taken
        while len(self._state_ids) > _VARIANTS:
            _, old = self._state_ids.popitem(last=False)
            self.symbolic.pop(old, None)
            self._kept.pop(old, None)
        self._state, self._epoch, self._number = state, epoch, found
        return found

    # ------------------------------------------------------------------------------ words

    def warn(self, reason: str, site: tuple[str, int] | None) -> None:
        """Say once per place why a call is not compiled."""
        if (reason, site) in self.warned:
            return
        self.warned.add((reason, site))
        warnings.warn(
            f"'{self.name}' runs as ordinary Python for calls of this kind, not compiled: {reason}"
            f"{_place(site)}. The results are right; agar.graph.explain(...) tells more.",
            GraphWarning,
            stacklevel=2,
        )


class _CellCall:
    """Calls a cell past the graph engine; no closure, so that the cell is easy to find."""

    def __init__(self, cell: Any) -> None:
        self.cell = cell

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.cell._call(args, kwargs)


def call_gradient(
    owner: Any, key: Any, solve: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a gradient function in GRAPH_MODE (`runtime.graph_gradient`).

    Args:
        owner: the differentiated function or cell, which keeps what is compiled.
        key: the kind of gradient asked of it.
        solve: computes value and gradients as Python.
        args: of the call.
        kwargs: of the call.
    """
    home = getattr(owner, "__dict__", None)
    if type(home) is not dict:
        return solve(*args, **kwargs)
    units = home.get("_gradients")
    if units is None:
        units = home["_gradients"] = {}
    unit = units.get(key)
    if unit is None:
        name = getattr(owner, "__qualname__", type(owner).__name__)
        unit = units[key] = Unit(solve, f"the gradient of {name}", solve, owner, at_first=False)
    return unit.call(args, kwargs)


def unit_of(cell: Any) -> Unit:
    """What is compiled for calls of a cell."""
    unit = cell.__dict__.get("_compiled")
    if unit is None:
        unit = cell.__dict__["_compiled"] = Unit(_CellCall(cell), type(cell).__name__, cell)
    return unit


def call_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a cell in GRAPH_MODE (`runtime.graph_call`)."""
    unit = cell.__dict__.get("_compiled")
    return (unit_of(cell) if unit is None else unit).call(args, kwargs)


def compile_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Record a call ahead of its time: afterwards parameters and random state are as before."""
    unit = unit_of(cell)
    unit.look()
    state = random.get_all_state()
    held = [t for c in unit.cells() for t in tensors_in(list(c.__dict__.values()))]
    values = {id(t._value): (t._value, t._value.detach().clone()) for t in held}
    before = thread.silent
    thread.silent = True
    try:
        for _ in range(RETRIES + 1):
            unit.call(args, kwargs)
    finally:
        thread.silent = before
        for value, kept in values.values():
            value.data.copy_(kept)
        runtime.weights += 1
        random.set_all_state(state)
