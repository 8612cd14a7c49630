"""The recordings of one signature in one state of the cells: replayed, extended, given up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch

from agar._core.autodiff import map_tensors, tensors_in
from agar._core.context import get_context
from agar._core.errors import translate
from agar._core.gc_pause import collector_at_rest
from agar._core.graph.backends.o0 import failing, inlined, run_each
from agar._core.graph.cache.outcome_reading import paths_of, read_outcome
from agar._core.graph.cache.tree import Node, Untrusted, grow, nodes_of
from agar._core.graph.cache.writes import ArgumentContents
from agar._core.graph.diagnostics import at_site
from agar._core.graph.guard.entry import entry_code
from agar._core.graph.guard.flatten import FlatArguments, Rules, flatten
from agar._core.graph.guard.state import State
from agar._core.graph.ir.graph import Chunk, Host, Op, is_pure
from agar._core.graph.record.monitor import Monitor
from agar._core.graph.record.recorder import RETRIES, Cut, Mismatch, Recorder, inside_a_call
from agar._core.multi_device import world
from agar._core.runtime import runtime
from agar._core.tensor import Tensor, wrap

if TYPE_CHECKING:
    from agar._core.graph.cache.function import CompiledFunction

__all__ = ["Specialization"]
_ENDS = 128  # ends of one tree
_RARE = 16  # a full tree is kept while fewer calls than one in this many take another way
_FANOUT = 24  # values of one cut
_INCONCLUSIVE = 3  # recordings that the values of a run spoilt before that counts as a failure


class Specialization:
    """The recordings of one signature in one state of the cells."""

    def __init__(self, function: CompiledFunction, flat: FlatArguments) -> None:
        self.function = function
        self.key = flat.key
        self.number = function.next_number()
        self.spec: Any = None
        self.rules = Rules()
        self.root: Node | None = None
        self.ends = 0
        self._full_since: int | None = None  # calls that had been replayed when it was full
        self._misses = 0  # since then: calls that took a way that is not in it
        self.recordings = 0
        self.failures = 0
        self.inconclusive = 0
        self.history: list[tuple[str, tuple[str, int] | None]] = []
        self.replays = 0
        self.eager: str | None = None
        self.site: tuple[str, int] | None = None
        self.entry: Callable[..., Any] | None = None

    def run(self, flat: FlatArguments) -> Any:
        """Serve a call of this signature."""
        if self.eager is not None:
            return self.function.plain(flat)
        node = self.root
        if node is None or not node.trusted:
            return self.record(flat, [], [], {})
        env: dict[int, Any] = {i: t._value for i, t in enumerate(flat.tensors)}
        path: list[Node] = []
        values: list[Any] = []
        while True:
            assert node.run is not None
            assert node.subgraph is not None
            try:
                read, outs = node.run(*[env[v] for v in node.takes])
            except Exception as error:
                return self.failed(error, flat, path, node)
            env.update(zip(node.subgraph.outs, outs, strict=True))
            for v, source in node.stands.items():
                if v != source:
                    env[v] = env[source] if source in env else node.bound[source]
            path.append(node)
            if node.cut is None:
                assert node.outcome is not None
                self.replays += 1
                if self.entry is None or self.entry.__globals__["EPOCH"] is None:
                    self._make_entry(flat)
                return node.outcome.build(env, flat)
            value, key = node.key_of(read, env)
            values.append(value)
            child = node.children.get(key)
            if child is None or not child.trusted:
                if child is None and len(node.children) >= _FANOUT:
                    self._give_up(
                        f"a value that Python reads took more than {_FANOUT} different values",
                        node.cut.site,
                    )
                return self.record(flat, path, values, env)
            node = child

    def _make_entry(self, flat: FlatArguments) -> None:
        """Generated code that checks a call's signature and serves it."""
        node = self.root
        assert node is not None
        assert node.subgraph is not None
        names: dict[str, Any] = {}
        inside = inlined(node.code) if node.cut is None and node.inlines and node.code else None
        if node.cut is None:
            assert node.outcome is not None
            at = {v: i for i, v in enumerate(node.subgraph.outs)}
            places = {v: at[node.stands.get(v, v)] for v in node.outcome.variables}
            statements, result = node.outcome.code(names, places)
            if inside is None:
                targets = f"_, ({''.join(f'x{i}, ' for i in range(len(at)))}) = " if at else ""
                serve = [f"{targets}run({', '.join(f'r{i}' for i in node.takes)})"]
                names["run"] = node.run
            else:
                serve = [*inside.lines, *(f"x{i} = v{v}" for v, i in at.items())]
                names.update(inside.names)
            serve += [statements] if statements else []
            serve.append(f"return {result}")
        else:
            names["walk"] = self._walk
            tensors = ", ".join(f"t{i}" for i in range(len(flat.tensors)))
            serve = [f"return walk(args, kwargs, [{tensors}])"]
            self.spec, self.rules = flat.spec, flat.rules
        function = self.function
        self.entry = entry_code(
            flat,
            serve,
            names,
            function.reads,
            function.with_torch(),
            function.takes_gradients,
            inside,
        )
        if self.entry is not None and node.cut is None:
            node.entries.append(self.entry)

    def _walk(self, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[Tensor]) -> Any:
        """Serve a call whose signature has been checked."""
        flat = FlatArguments(args, kwargs, self.rules)
        flat.tensors, flat.key, flat.spec = tensors, self.key, self.spec
        return self.run(flat)

    # ------------------------------------------------------------------------- recording

    def record(
        self, flat: FlatArguments, path: list[Node], values: list[Any], env: dict[int, Any]
    ) -> Any:
        """Run Python and record it, behind the subgraphs of `path`, which have run."""
        function = self.function
        if not function.lock.acquire(blocking=bool(path)):
            return function.plain(flat, "another thread recorded")  # nobody waits
        try:
            with collector_at_rest():
                return self._record(flat, path, values, env)
        except Mismatch as mismatch:
            self._give_up(f"Python did not repeat itself: {mismatch}", None)
            if _changed_nothing(op for n in path for op in n.ops):
                return function.plain(flat)
            raise RuntimeError(
                f"For '{function.name}', the call could not be finished: {mismatch}. Its first "
                "part ran from a recording, and had changed parameters or drawn random numbers "
                "when Python took another way than in the recording. Make the Python between a "
                "value read from a tensor and the call's start a function of the call's inputs, or "
                "run this call in PYNATIVE_MODE. Further calls of this kind run as ordinary Python."
            ) from None
        finally:
            function.lock.release()

    def _record(
        self, flat: FlatArguments, path: list[Node], values: list[Any], env: dict[int, Any]
    ) -> Any:
        function = self.function
        before = function.current_state()
        prefix = [op for n in path for op in n.ops]
        cuts = []
        captured = {}
        for n, value in zip(path, values, strict=True):
            assert n.cut is not None
            cuts.append(Cut(n.cut.kind, n.cut.var, value, 0, [], None))
            captured.update(n.captured)
        recorder = Recorder(prefix, cuts, env, captured)
        recorder.inputs = range(len(flat.tensors))
        recorder.outside = function.outside()
        recorder.splits = world.size > 1
        recorder.monitor = monitor = Monitor()
        given = [t._value for t in flat.tensors]
        args, kwargs = flat.call
        if not flat.holders:  # an entry looks at tensors only
            flat.holders = flatten(args, kwargs, flat.rules).holders
        contents = ArgumentContents(flat)
        paths = paths_of(flat) if flat.holders else None
        self.recordings += 1
        with inside_a_call(grad=False), recorder:
            for i, raw in enumerate(given):
                recorder.new_input(raw, i)
            with monitor:
                alone = [function.python(args, kwargs)]
            writes = contents.writes()
            outcome, tensors = read_outcome(alone, recorder, flat, paths, writes or ())
            result = alone.pop()
            recorder.finish(tensors)
        function.takes_gradients = function.takes_gradients or bool(recorder.marks)
        function.learn_cells(recorder.cells)
        self._judge(path, recorder, outcome, before, contents.changes(writes), flat, given)
        try:
            if not any(t._value.requires_grad for t in tensors_in(result)):
                return result
        except (RecursionError, ReferenceError):  # it contains itself, or a dead weak proxy
            return result
        known = set(map(id, flat.tensors))

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
        changed: list[str],
        flat: FlatArguments,
        given: list[torch.Tensor],
    ) -> None:
        """Decide what a recording is good for."""
        function, monitor = self.function, recorder.monitor
        changes = function.changes_since(before) or changed
        if any(t._value is not g for t, g in zip(flat.tensors, given, strict=True)):
            changes = ["the tensor behind an argument"]
        certain = function.learn(monitor)
        refused = function.refusal(monitor, outcome)
        if recorder.inconclusive and self.inconclusive < _INCONCLUSIVE:
            self.inconclusive += 1
        elif recorder.aborted is not None:
            self._fail(recorder.aborted, recorder.aborted_site)
        elif changes:
            self._fail(f"the call changes what lies outside of it ({'; '.join(changes[:3])})", None)
            function.effect(self.key, self.history[-1][0])
        elif refused is not None:
            self._fail(*refused)
        else:
            function.clean = function.clean or certain
            function.settled(self.key)
            if self._full_since is not None and not self._in_tree(path, recorder):
                self._misses += 1
                if self._misses > 2 and self._misses * _RARE > self.replays - self._full_since:
                    site = recorder.cuts[-1].site if recorder.cuts else None
                    self._give_up(f"values that Python reads lead to more than {_ENDS} ways", site)
                return
            try:
                self.root, new = grow(self.root, path, recorder, outcome, certain)
            except Untrusted as error:
                self.root, self.entry, self.ends = None, None, 0
                self._fail(error.reason, error.site)
                return
            self.ends += bool(new)
            if self.root is not None:
                for node in nodes_of(self.root):
                    if node.trusted and node.autotuner is None:
                        node.tune(self.function.name, self.function.plan_level())
                        new = True
                if new and get_context("save_graphs"):
                    self._draw()
            if self.ends > _ENDS:
                self._full_since = self.replays

    def _in_tree(self, path: list[Node], recorder: Recorder) -> bool:
        """Whether the way of a recording is in the tree, if only once recorded so far."""
        node = path[-1] if path else self.root
        for cut in recorder.cuts[max(len(path) - 1, 0) :]:
            if node is None:
                break
            node = node.children.get(cut.key)
        return node is not None

    def _draw(self) -> None:
        """Write the graph's text and picture (context key save_graphs)."""
        from agar._core.graph.inspect import diagram

        assert self.root is not None
        nodes = [n for n in nodes_of(self.root) if n.trusted]
        diagram.save(self.function.name, self.number, nodes, self)

    def _fail(self, reason: str, site: tuple[str, int] | None) -> None:
        self.failures += 1
        self.history.append((reason, site))
        if self.failures >= RETRIES:
            self._give_up(reason, site)

    def _give_up(self, reason: str, site: tuple[str, int] | None) -> None:
        self.eager, self.site = reason, site
        self.root = self.entry = None
        self.function.warn(reason, site)

    # -------------------------------------------------------------------------- errors

    def failed(self, error: Exception, flat: FlatArguments, path: list[Node], node: Node) -> Any:
        """An operator raised in a replay: say it as Python would have said it.

        If nothing had been changed yet, Python runs the call again and raises by itself.
        """
        op, done, values = failing(error)
        if op is None or isinstance(op.func, Host) or node.subgraph is None:
            raise error  # Python's own, from a function that runs at every replay
        part = op.func.part if isinstance(op.func, Chunk) else None
        if isinstance(op.func, Chunk) and part is None:
            raise error
        ran = [o for n in path for o in n.ops] + done
        halfway = part is not None and _is_about_memory(error)
        if part is not None and halfway:  # otherwise a part that raises has changed nothing
            ran += part.ops
        if _changed_nothing(ran):
            return self.function.plain(flat)
        runtime.weights += 1
        if part is not None and not halfway and all(v in values for v in part.ins):
            try:  # its operations tell what Python would, and do what it would have done before
                run_each(part.ops, values)
            except Exception as raised:
                error, op = raised, failing(raised).op or op
        said: Any = translate(error, op.name, f"the call{at_site(op.site)}")
        if isinstance(said, IndexError):  # of a tensor of indices: the operator's fault in Python
            said = RuntimeError(str(said))
        said._agar_of_replay = True
        raise said from error


def _is_about_memory(error: Exception) -> bool:
    """Whether memory was wanting, which may happen anywhere in a compiled part."""
    about = (MemoryError, torch.OutOfMemoryError)
    return isinstance(error, about) or "allocat" in str(error).lower()


def _changed_nothing(ops: Iterable[Op]) -> bool:
    """Whether operations may run once more: they only computed, or read values for Python."""
    return all(is_pure(op) or (op.outs == (None,) and not isinstance(op.func, Host)) for op in ops)
