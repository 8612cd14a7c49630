"""Which plan a subgraph runs: candidates are timed on real calls, and the fastest stays.

No plan is always best, so none is chosen by rule. A subgraph starts with O0. When it has used
enough time to be worth it, other plans are prepared: folded code for inference, and TorchInductor's
in the background. Each is first checked against O0 on the inputs of a real call, then alternates
with the best plan so far.

NOTE Hints. What an earlier process has found to be the fastest for an equal subgraph is tried at
once and alone; it is checked like any other plan, and serves without a comparison of times.

NOTE Clocks. A call on a GPU returns before its kernels have run, so a call that is timed waits for
them; calls under the chosen plan do not.

NOTE What a trial costs. Never the result, and little time: a check takes as long as two calls or
three, and a trial of a slower plan takes what it takes, so they are paid first: after a trial the
best plan runs alone until all calls together again take no longer than O0 would, but for
`_ALLOWANCE`. One candidate at a time is compared, and what has lost is let go: plans may hold
copies of the weights.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from time import thread_time
from typing import TYPE_CHECKING, Any

import torch

from agar._core import malloc
from agar._core.context import get_context
from agar._core.gc_pause import collector_at_rest
from agar._core.graph import background
from agar._core.graph.autotune.benchmark import Benchmark, middle, noted, put_off, remember
from agar._core.graph.autotune.candidate import UNTRIED, Candidate
from agar._core.graph.autotune.device import Divided, divided, fits_twice, gpu_of, wait_for
from agar._core.graph.autotune.hints import Hint, Remembered
from agar._core.graph.autotune.tools import Tools, warn_once
from agar._core.graph.autotune.verify import check_chunks, first_difference, observed, perturb
from agar._core.graph.autotune.weights import EnginePlan, FoldedPlan
from agar._core.graph.backends import o0
from agar._core.graph.diagnostics import GraphWarning
from agar._core.graph.ir.graph import Host, Op, Subgraph, changed_storages, mutates
from agar._core.multi_device import world
from agar._core.runtime import runtime

if TYPE_CHECKING:
    from agar._core.graph.backends.engine import Engine

__all__ = ["Autotuner"]

_TOO_SMALL = 25e-6  # seconds per call below which nothing else is tried
_LOOK_AFTER = 24  # calls before a subgraph is judged
_WORTH = 0.4  # seconds that a subgraph must have used before others are prepared
_BUSY = 0.8  # share of its seconds that a thread has a core for, where nothing else wants it
_ASK = 0.02  # seconds that a subgraph must have used before a hint is looked for
_TURNS = 9  # of a candidate
_MORE_TURNS = 21  # where two plans are about as fast
_UNSURE = 0.08
_CLEAR = (3.0, 1.8, 1.4)  # slower by this after 1, 2, 3 and more trials: known; faster after 3
_BETTER = 0.985  # a newcomer must be this much faster to replace a plan
_ALLOWANCE = 0.05  # part of O0's time that trials may take, in the middle of calls
_LONG = 0.1  # seconds; of longer calls up to three times that part: there are few of them
_APART = 10  # calls between a check and the first trial, if it is not paid for yet
_CREDIT = 0.1  # calls that may be saved up for trials
_REST = 0.02  # seconds in which threads of another library may still spin
_IN_A_ROW = 3  # trials of a plan whose threads are others
_STATE = 32 << 20  # bytes of state that a comparison of a whole train step may keep twice


class Autotuner:
    """The plans of one subgraph.

    Args:
        subgraph: what they run.
        code: its O0 function, over `takes`.
        takes: the variables that plans take; the other inputs of the subgraph are `bound`.
        bound: captured tensors by variable.
        install: puts a function in the place where calls find it.
        name: of the compiled function, for messages.
        level: ``"O0"``, ``"O1"`` or None to choose.
    """

    def __init__(
        self,
        subgraph: Subgraph,
        code: Callable[..., Any],
        takes: list[int],
        bound: dict[int, torch.Tensor],
        install: Callable[[Callable[..., Any]], None],
        name: str,
        level: str | None,
    ) -> None:
        self.subgraph = subgraph
        self.takes = takes
        self.bound = bound
        self.install = install
        self.name = name
        self.level = level
        first = Candidate("O0")
        first.run, first.state, first.checked = code, "ready", True
        self.first = first
        self._hold(first)
        self.candidates = [first]
        self.calls = 0
        self.spent = 0.0
        self.phase = "watching"  # then "comparing" or "settled"
        self.started_at: float | None = None
        self._lock = threading.Lock()
        self._wait = wait_for(subgraph)
        self._parts: Divided | str | None = None  # of a subgraph for a GPU, or why it has none
        self._candidates: list[Candidate] = []  # the first is compared with the best
        self._coming: list[Candidate] = []  # these, or those that will be when nothing is prepared
        self._own: float | None = None  # seconds of the best plan's call right before
        self._threads = first.threads  # those of the last call, and seconds of calls with them
        self._rested = 0.0
        self._in_a_row = 0  # trials without a call of the best plan
        self._usual = 0.0  # seconds of a call of the best plan
        self._credit = 0.0  # calls of the best plan's time that were saved, over what trials took
        self._asked = 0.0
        self._remembered: Remembered | None = None
        self._hint: Hint | None = None  # the plan that is tried alone
        self._doubts_hint = False  # it could not be had, or differed
        self._kernels: dict[str, str] = {}  # winners of benchmarks, for the hint that is left
        self._timed = [0.0, 0.0]  # seconds of timed calls: by the clock, and this thread's
        self._open_ended = False  # whether another process might find a plan that failed here
        #: benchmarks that a plan waits for, and what prepares it then
        self._benchmarks: list[tuple[list[Benchmark], Callable[[], Any]]] = []

    def _hold(self, best: Candidate) -> None:
        assert best.run is not None
        self.best = best
        self._run = best.run  # for threads without the lock: who has lost it has no `run` any more

    # ---------------------------------------------------------------------------- watching

    def begin(self) -> None:
        """Take the place of the plan, unless there is nothing to choose."""
        if self.level is None and world.size > 1:
            # plans round differently, and each process would choose by its own clock
            self.first.reason = "several processes compute the same, bit for bit"
            self._settle()
        elif self.level == "O0" or not runtime.plans:
            self._settle()
        elif self.level == "O1":
            self.install(self._watch)
            self._start()
        else:
            self.install(self._watch)

    def _watch(self, *args: Any) -> Any:
        self._wait()
        began = time.perf_counter()
        result = self.first.run(*args)  # type: ignore[misc]
        self._wait()
        self.spent += time.perf_counter() - began
        self.calls += 1
        if self.calls == _LOOK_AFTER and self.spent < _TOO_SMALL * _LOOK_AFTER:
            self.first.times = [self.spent / self.calls]
            self.first.reason = "too short to gain from another plan"
            self._settle()
        elif self.calls >= 3 and self.spent > _ASK:
            self._begin_trials()
        return result

    def _begin_trials(self) -> None:
        """Prepare the plan of a hint, or all plans when the subgraph has used enough time."""
        if self._remembered is None:
            if gpu_of(self.subgraph) is None:
                self._remembered = Remembered(self.subgraph, Tools.load)
        elif self._hint is None and self._remembered.hint is not None and not self._doubts_hint:
            self._hint = self._remembered.hint
            if self._hint.plan == "O0":
                self.first.reason = "an earlier process has found no faster plan"
                self._settle()
            else:
                remember(self._hint.kernels)
                self._start()
            return
        if self.spent > _WORTH and Tools.are_here():
            self._start()

    def _is_tried(self, name: str) -> bool:
        """Whether a plan takes part: all do, or the one of the hint and what that comes from."""
        if self._hint is None or name == self._hint.plan:
            return True
        return name == "channels_last" and self._hint.plan == "O1 with channels_last"

    def _is_hinted(self, candidate: Candidate) -> bool:
        return self._hint is not None and candidate.name == self._hint.plan

    def _trust(self, candidate: Candidate) -> None:
        """Use a plan that has been checked without a comparison of times."""
        candidate.gain = 1.0 if self._hint is None else self._hint.gain
        self._hold(candidate)
        self._next()

    def _candidate(self, name: str) -> Candidate:
        candidate = Candidate(name)
        if self._hint is not None and not self._is_tried(name):
            candidate.leave("dropped", f"{self._hint.plan} was faster in an earlier process")
        return candidate

    def _settle(self) -> None:
        if self._hint is not None and self.best is self.first and self._hint.plan != "O0":
            self._hint, self._doubts_hint = None, True
            self.candidates, self.started_at = [self.first], None
            self.phase = "watching"
            self.install(self._watch)
            return
        compared = self.phase == "comparing" and self.level is None and self._hint is None
        if compared and self._remembered is not None and not self._open_ended:
            wall, own = self._timed
            hint = Hint(
                self.best.name, float(self.best.gain), dict(self._kernels), own < _BUSY * wall
            )
            self._remembered.write(hint)
        self.phase = "settled"
        self.install(self._run)
        if any(c.whole for c in self.candidates):  # folded: copies of weights have come and gone
            malloc.give_back()

    # --------------------------------------------------------------------------- candidates

    def _start(self) -> None:
        """Prepare the other plans."""
        if self.started_at is not None:
            return
        self.started_at = time.perf_counter()
        try:
            self.candidates += self._folded() or [*self._on_onednn(), *self._in_channels_last()]
            self.candidates += self._by_engines()
            self.candidates += self._compiled() + self._captured(self.first)
        except Exception as error:  # plans that cannot be had must not end the call
            self.first.reason = f"no other plans: {type(error).__name__}: {error}"
            self._settle()
            return
        self.phase = "comparing"
        self._follow()
        ready = [c for c in self.candidates if c.state == "ready" and c is not self.best]
        self._open(ready if self.level is None else [])

    def _prepare(
        self,
        name: str,
        make: Callable[[], Any],
        take: Callable[[Any], None],
        plans: list[Candidate],
    ) -> None:
        """Have plans made beside the calls, which run the benchmarks that this needs."""

        def work() -> None:
            try:
                with torch.no_grad(), collector_at_rest():
                    with put_off() as benchmarks, noted() as kernels:
                        result = make()
                    if not benchmarks:
                        self._kernels.update(kernels)
                    if benchmarks:
                        self._benchmarks.append((benchmarks, lambda: background.start(work, name)))
                    else:
                        take(result)
                        del result
                        malloc.give_back()  # what making it took, before copies of weights come
            except Exception as error:
                for c in plans:
                    if c.state == "waiting":
                        c.fail(f"{type(error).__name__}: {error}")

        if any(c.state == "waiting" for c in plans):
            background.start(work, name)

    def _offer(self, candidate: Candidate, run: Callable[..., Any]) -> None:
        """A plan is prepared, if it is still waited for."""
        if candidate.state == "waiting":
            candidate.run = run
            candidate.state = "prepared"

    def _folded(self) -> list[Candidate]:
        """Plans for inference, with what depends on parameters alone computed once."""
        subgraph = self.subgraph
        if self.level is not None or any(isinstance(op.func, Host) for op in subgraph.ops):
            return []
        changing = [op for op in subgraph.ops if mutates(op)]
        changed = changed_storages(changing, subgraph.metas)
        held = {meta.storage for v, meta in subgraph.metas.items() if v in subgraph.ins}
        drawn = any(torch.Tag.nondeterministic_seeded in op.func.tags for op in changing)
        if not self.bound or drawn or not held.isdisjoint(changed):
            return []
        if get_context("memory_optimize_level") == 1:
            return []  # they hold a second copy of the weights
        folded = self._candidate("folded")
        folded.whole = True
        compiled = self._candidate("O1 folded")
        compiled.whole = True

        def make() -> tuple[Any, Any]:
            from agar._core.graph.passes.fold import fold

            fused = fold(subgraph)
            return fused, None if fused is None else fold(subgraph, fuse=False)

        def take(result: tuple[Any, Any]) -> None:
            fused, dense = result
            if fused is None or dense is None:
                folded.fail("nothing depends on parameters alone")
                compiled.fail("there is no folded form")
                return
            if compiled.state == "waiting":
                compiled.folded = dense
                self._begin_job(compiled, dense.body, False)
            if folded.state == "waiting":
                self._offer(folded, FoldedPlan(self, fused))

        self._prepare("agar fold", make, take, [folded, compiled])
        return [folded, compiled]

    def _by_engines(self) -> list[Candidate]:
        """Plans for inference that other engines compile, where they are installed.

        One after the other: what has lost gives up its copy of the weights before the next comes.
        """
        from agar._core.graph.backends.engine_model import ENGINES, may_gain

        trains = any(mark < len(self.subgraph.ops) for mark in self.subgraph.marks)
        if self.level is not None or trains or get_context("memory_optimize_level") == 1:
            return []
        if not may_gain(self.subgraph):
            return []
        results = [self._by_engine(e) for e in ENGINES if e.available() is None]
        for before, c in itertools.pairwise(results):
            c.after = before
        return results

    def _by_engine(self, engine: Engine) -> Candidate:
        """A plan that an engine compiles, when `prepare` is called."""
        candidate = self._candidate(engine.name)
        candidate.whole = True
        candidate.threads = engine.name
        candidate.prepare = lambda: self._prepare(
            f"agar {engine.name}",
            lambda: EnginePlan(self, engine, background.start),
            lambda plan: self._offer(candidate, plan),
            [candidate],
        )
        return candidate

    def _on_onednn(self) -> list[Candidate]:
        """Plans with other kernels for matrix products, for training."""
        subgraph = self.subgraph
        if self.level is not None or not any("mm" in op.name for op in subgraph.ops):
            return []
        plain = self._candidate("oneDNN products")
        plain.checked = True  # its kernels were compared in the benchmarks
        compiled = self._candidate("O1 with oneDNN products")

        def make() -> Subgraph | None:
            from agar._core.graph.passes.onednn import on_onednn

            return on_onednn(subgraph)

        def take(other: Subgraph | None) -> None:
            if other is None:
                plain.fail("torch's products are as fast")
                compiled.fail("torch's products are as fast")
                return
            self._begin_job(compiled, other, False)
            self._offer(plain, self._code(other, "products"))

        self._prepare("agar products", make, take, [plain, compiled])
        return [plain, compiled]

    def _in_channels_last(self) -> list[Candidate]:
        """Plans with the convolutions of a train step in another layout."""
        subgraph = self.subgraph
        if self.level is not None or not any("conv" in op.name for op in subgraph.ops):
            return []
        changed = {v for op in subgraph.ops for v in mutates(op)}
        metadata = [subgraph.metas[v] for v in changed if v in subgraph.metas]
        sizes = [n for meta in metadata for n in meta.shape]
        if not all(type(n) is int for n in sizes) or (
            sum(math.prod(meta.shape) * meta.dtype.itemsize for meta in metadata) > _STATE
        ):
            return []
        plain = self._candidate("channels_last")
        plain.quiet = True  # other kernels of torch: a deep network amplifies their rounding
        plain.compiled = compiled = self._candidate("O1 with channels_last")

        def make() -> Subgraph | None:
            from agar._core.graph.passes.layout import in_channels_last

            return in_channels_last(subgraph)

        def take(other: Subgraph | None) -> None:
            if other is None:
                plain.fail("the layout cannot be changed")
                return

            def observe(*args: Any) -> Any:
                from agar._core.graph.passes.layout import as_observed

                env = {v: t for v, t in self._env(args).items() if v in other.ins}
                result, metas = observed(other, env)
                compiled.subgraph = as_observed(other, metas)
                return result

            plain.check = lambda args, careful: self._compare_restoring(observe, args, careful)
            self._offer(plain, self._code(other, "channels_last"))

        self._prepare("agar layout", make, take, [plain])
        return [plain, compiled]

    def _code(
        self, subgraph: Subgraph, name: str, ops: list[Op] | None = None
    ) -> Callable[..., Any]:
        """The O0 code of another form of the subgraph."""
        bound = {v: t for v, t in self.bound.items() if v in subgraph.ins}
        return o0.generate(subgraph, ops, bound=bound, name=name)

    def _compiled(self) -> list[Candidate]:
        parts = self._parts = divided(self.subgraph, self._code, self.takes, self.bound)
        subgraph = self.subgraph
        if isinstance(parts, Divided):
            subgraph, self.first.device = parts.subgraph, parts.code
        results = [self._request("O1", subgraph, False)]
        if any(0 < m < len(subgraph.ops) for m in subgraph.marks):
            results.append(self._request("O1 in parts", subgraph, True))
        return results

    def _captured(self, of: Candidate) -> list[Candidate]:
        """A plan on a GPU launched as one CUDA graph."""
        if gpu_of(self.subgraph) is None:
            return []
        from agar._core.graph.backends.cudagraph import CudaGraphPlan, may_capture

        candidate = Candidate(f"{of.name} as a CUDA graph")
        parts = self._parts
        reason = may_capture(parts.subgraph) if isinstance(parts, Divided) else parts
        if reason is not None or of.device is None:
            candidate.fail(reason or "no code")
            return [candidate]
        assert isinstance(parts, Divided)
        device, plain = parts.subgraph, parts.code
        writes = any(v in device.captured for op in device.ops for v in mutates(op))
        replay = CudaGraphPlan(of.device, writes)
        candidate.run, candidate.state = self._guarded(parts.whole(replay)), "ready"
        candidate.check = parts.check(
            lambda given, careful: self._compare_restoring(replay, given, careful, device, plain)
        )
        return [candidate]

    def _compare_restoring(
        self,
        run: Callable[..., Any] | None,
        args: Sequence[Any],
        careful: bool,
        subgraph: Subgraph | None = None,
        plain: Callable[..., Any] | None = None,
    ) -> tuple[str | None, Any]:
        """Run a candidate, put back what it changed, run O0 for the call, and compare both.

        `subgraph` and `plain`, its O0 code, are those of the whole unless they are given.
        """
        if subgraph is None:
            subgraph, plain = self.subgraph, self.first.run
        takes = self._takes_of(subgraph)
        env = self._env_of(subgraph, args)
        storages = changed_storages(subgraph.ops, subgraph.metas)
        state = {
            v: env[v] for v in subgraph.ins if v in env and subgraph.metas[v].storage in storages
        }
        assert run is not None
        assert plain is not None
        if not fits_twice(state.values()):
            reason = "there is no memory to keep the state of a call for a comparison"
            return reason, plain(*args)
        before = {v: t.clone() for v, t in state.items()}

        def tried(run: Callable[..., Any], args: Sequence[Any], perturbed: bool) -> list[Any]:
            """What a plan gives and makes of the state, which is put back."""
            try:
                for v, t in state.items() if perturbed else ():
                    t.copy_(perturb(t, v))
                result = run(*args)
                return [*result[1], *(t.clone() for t in state.values())]
            finally:
                for v, t in state.items():
                    t.copy_(before[v])

        perturbed = None
        try:
            entry = tried(run, args, False)
            if careful:
                others = [
                    t if v in state else perturb(t, v) for v, t in zip(takes, args, strict=True)
                ]
                perturbed = tried(plain, others, True)
        except RuntimeError as error:
            result = plain(*args)
            return str(error).split("\n", 1)[0], result
        result = plain(*args)
        expected = [*result[1], *state.values()]
        return first_difference(expected, entry, perturbed), result

    def _request(self, name: str, subgraph: Subgraph, split: bool) -> Candidate:
        candidate = self._candidate(name)
        self._begin_job(candidate, subgraph, split)
        return candidate

    def _begin_job(self, candidate: Candidate, subgraph: Subgraph, split: bool) -> None:
        """Have a candidate's subgraph compiled in the background, if it is waited for."""
        if candidate.state != "waiting":
            return
        from agar._core.graph.backends import inductor

        reason = inductor.available()
        if reason is not None:
            candidate.fail(reason)
            warn_once(reason)
            return
        engine = next((c for c in self.candidates[::-1] if c.threads != "torch"), None)
        if engine is not None and (engine.state in UNTRIED or engine in self._coming):
            candidate.prepare = lambda: self._compile(candidate, subgraph, split)
            candidate.after = engine
        else:
            self._compile(candidate, subgraph, split)

    def _compile(self, candidate: Candidate, subgraph: Subgraph, split: bool) -> None:
        from agar._core.graph.backends import inductor

        candidate.subgraph = subgraph
        candidate.job = inductor.request(subgraph, split=split)

    def compile_now(self) -> None:
        """Begin compilations that are put off: no calls come for a while, which they would slow."""
        with self._lock:
            for c in self.candidates:
                if c.threads == "torch" and c.state == "waiting":
                    c.begin()

    def _follow(self) -> None:
        """Begin with plans that have waited for what came of another.

        They are compiled if their plain form has proved faster than O0, else given up; engines
        come one after the other, and compilers behind them (see `_open`).
        """
        for c in self.candidates:
            if c.after is None or c.after.state not in UNTRIED:
                c.begin()
            to = c.compiled
            if to is None or to.state != "waiting" or to.job is not None:
                continue
            if c.state in UNTRIED or not c.checked:
                continue
            if to.subgraph is None or c.gain <= 1.0:
                to.fail(f"the plan '{c.name}' is not faster, or not used")
            else:
                self._begin_job(to, to.subgraph, False)

    def _collect(self) -> list[Candidate]:
        """Candidates whose compilation has ended since the last call of this."""
        results = []
        for c in self.candidates:
            if c.state == "prepared":
                c.state = "ready"
                results.append(c)
            if c.state != "waiting" or c.job is None:
                continue
            if c.job.state == "failed":
                self._open_ended = self._open_ended or not c.job.lasting
                c.fail(c.job.error)
            elif c.job.state == "ready":
                try:
                    self._take(c)
                except Exception as error:  # a plan that cannot be had must not end the call
                    c.fail(f"{type(error).__name__}: {error}")
                else:
                    results.append(c)
        return results

    @collector_at_rest()
    def _take(self, c: Candidate) -> None:
        subgraph, ops, folded = c.subgraph, c.job.plan(), c.folded
        assert subgraph is not None
        if folded is not None:
            c.run = FoldedPlan(self, folded, ops)
        elif isinstance(self._parts, Divided) and subgraph is self._parts.subgraph:
            c.device = self._code(subgraph, "compiled", ops)
            c.run = self._guarded(self._parts.whole(c.device))
            c.check = self._parts.check(
                lambda given, careful: check_chunks(
                    subgraph, ops, self._env_of(subgraph, given), careful
                )
            )
        else:
            c.run = self._guarded(self._code(subgraph, "compiled", ops))
            c.check = lambda args, careful: check_chunks(subgraph, ops, self._env(args), careful)
        c.state = "ready"

    def _guarded(self, code: Callable[..., Any]) -> Callable[..., Any]:
        """A compiled plan that leaves calls to O0 whose inputs share memory in a new way.

        The compiler may move reads behind writes, except between tensors that shared memory when
        the subgraph was recorded.
        """
        metas = self.subgraph.metas
        changed = changed_storages(self.subgraph.ops, metas)
        if not changed or not self.takes:
            return code
        bound = {metas[v].storage: t.untyped_storage()._cdata for v, t in self.bound.items()}
        inputs = [metas[v].storage for v in self.takes]
        held = frozenset(bound.values())
        written = frozenset(place for storage, place in bound.items() if storage in changed)
        # inputs that have no memory in common with what is bound, and those of them that change
        loose = [i for i, s in enumerate(inputs) if s not in bound]
        changing = [i for i in loose if inputs[i] in changed]
        pairs = [
            (i, j)
            for i, s in enumerate(inputs)
            for j, other in enumerate(inputs)
            if s != other and s in changed and (j > i or other not in changed)
        ]
        plain = self.first.run

        def run(*args: Any) -> Any:
            places = [a.untyped_storage()._cdata for a in args]
            if (
                not written.isdisjoint([places[i] for i in loose])
                or not held.isdisjoint([places[i] for i in changing])
                or (
                    len(set(places)) != len(places)
                    and any(places[i] == places[j] for i, j in pairs)
                )
            ):
                return plain(*args)  # type: ignore[misc]
            return code(*args)

        return run

    # ---------------------------------------------------------------------------- comparing

    def _open(self, candidates: list[Candidate]) -> None:
        """Let plans try to take the place of the best, one after the other.

        They are compared while nothing is prepared, and an engine while nothing is compiled either:
        its threads sleep between calls, and get a core from a compiler too late, so that it would
        seem to be twice as slow.
        """
        self._coming = candidates
        apart = bool(candidates) and candidates[0].threads != self.best.threads
        if not candidates or not background.is_idle(compilers=apart):
            self._candidates = []
            self.install(self._waiting)
            return
        self._candidates = candidates
        if self._is_hinted(candidates[0]) and candidates[0].checked:
            self._trust(candidates[0])
            return
        for c in (self.best, candidates[0]):
            c.times, c.trials = [], []
        self._own = None
        self.install(self._compare)

    def _waiting(self, *args: Any) -> Any:
        """Run the best plan, and look now and then whether another has become ready."""
        began = time.perf_counter()
        result = self._run(*args)
        now = time.perf_counter()
        if (now - self._asked > 0.05 or self._benchmarks) and self._lock.acquire(blocking=False):
            try:
                if self._benchmarks:
                    self._benchmark(now - began)
                if now - self._asked > 0.05:
                    self._asked = now
                    self._explore()
            finally:
                self._lock.release()
        return result

    def _benchmark(self, own: float) -> None:
        """Run steps of benchmarks after a call of `own` seconds, as far as they are paid for."""
        self._usual = own
        self._pay(1.0)
        while self._benchmarks and self._credit >= 0.0 and own:
            benchmarks, prepare = self._benchmarks[0]
            began = time.perf_counter()
            if benchmarks[0].step():
                benchmarks.pop(0)
                if not benchmarks:
                    self._benchmarks.pop(0)
                    prepare()
            self._credit -= (time.perf_counter() - began) / own

    def _explore(self) -> None:
        """Begin a comparison if another plan has become ready; end if none can come any more."""
        if self._candidates:
            return  # another thread has
        if self._coming:
            self._open(self._coming)
            return
        self._follow()
        fresh = self._collect()
        if fresh:
            for c in list(fresh):
                if c.folded is None:
                    graphs = [g for g in self._captured(c) if g.state == "ready"]
                    self.candidates += graphs
                    fresh += graphs
            self._open(fresh)
        elif not any(c.state in UNTRIED for c in self.candidates):
            self._settle()

    def _compare(self, *args: Any) -> Any:
        if not self._lock.acquire(blocking=False):
            return self._run(*args)  # another thread runs the trial
        began, own = time.perf_counter(), thread_time()
        try:
            return self._take_turn(args)
        finally:
            self._timed[0] += time.perf_counter() - began
            self._timed[1] += thread_time() - own
            self._lock.release()

    def _take_turn(self, args: Sequence[Any]) -> Any:
        """Run the best plan, or right after it a candidate, if that is not one trial too many.

        Threads of torch's spin for milliseconds behind a call, on cores that those of another
        library would take: it seems to be twice as slow in turns with torch. A call whose threads
        are others than those of the calls before is therefore not timed.
        """
        if not self._candidates:
            return self._run(*args)
        candidate, own = self._candidates[0], self._own
        forced = self.level == "O1"
        self._wait()
        began = time.perf_counter()
        if not forced and (own is None or not self._may_try(candidate)):
            result = self._run(*args)
            self._wait()
            self._usual = time.perf_counter() - began
            self._in_a_row = 0
            if self._has_cores(self.best, self._usual) or not candidate.checked:
                self._own = self._usual
                self.best.times.append(self._own)
            self._pay(1.0)
        elif not candidate.checked:
            self.best.times.clear()
            result = self._check(candidate, args)
            self._wait()
            if own:
                self._pay((time.perf_counter() - began) / own)
            if candidate.threads != self.best.threads:
                self._own, self._rested = None, 0.0
        else:
            assert own is not None
            result = candidate.run(*args)  # type: ignore[misc]
            self._wait()
            took = time.perf_counter() - began
            share = took / own if own else 1.0
            self._pay(share)
            if self._has_cores(candidate, took):
                candidate.times.append(took)
                candidate.trials.append(share)
                self._in_a_row += 1
                if candidate.threads == self.best.threads or self._in_a_row >= _IN_A_ROW:
                    self._own = None
                self._judge(candidate)
        return result

    def _has_cores(self, plan: Candidate, took: float) -> bool:
        """Whether no other threads spun in a call of a plan that took so many seconds."""
        if plan.threads != self._threads:
            self._threads, self._rested = plan.threads, 0.0
        before = self._rested
        self._rested += took
        return before >= _REST or self._candidates[0].threads == self.best.threads

    def _may_try(self, candidate: Candidate) -> bool:
        """Whether earlier trials are paid for, or the next one is likely to save time."""
        if self._credit >= 0.0:
            return True
        if candidate.threads == self._threads != self.best.threads and not self._in_a_row:
            return True  # what waiting for the other threads has taken would be for nothing
        if candidate.trials:
            return middle(candidate.trials) < 1.0
        return candidate.checked and not candidate.doubted and len(self.best.times) > _APART

    def _pay(self, share: float) -> None:
        """Account for a call that took `share` times the time of the best plan."""
        part = _ALLOWANCE * min(max(self._usual / _LONG, 1.0), 3.0)
        gain = self.best.gain * (1.0 + part)
        self._credit = min(self._credit + gain - share, _CREDIT)

    def _check(self, c: Candidate, args: Sequence[Any]) -> Any:
        """Compare a candidate with O0 on a real call, which O0 serves."""
        if c.whole:
            result = self.first.run(*args)  # type: ignore[misc]
            problem = self._compare_whole(c, args, result)
        else:
            assert c.check is not None
            problem, result = c.check(args, c.doubted)
        c.checked = True  # not where O0 itself raised
        if problem is not None and not c.doubted:
            c.doubted, c.checked = True, False
        elif problem is not None:
            c.leave("rejected", problem)
            if not c.quiet:
                warnings.warn(
                    f"The plan '{c.name}' of '{self.name}' is not used: {problem}. Results are "
                    "those of the plan O0, as in PYNATIVE_MODE.",
                    GraphWarning,
                    stacklevel=2,
                )
            self._next()
        elif self.level == "O1" or self._is_hinted(c):
            self._trust(c)
        return result

    def _compare_whole(self, c: Candidate, args: Sequence[Any], result: Any) -> str | None:
        try:
            entry = c.run(*args)  # type: ignore[misc]
        except Exception as error:
            return f"it raises {type(error).__name__}: {error}"
        perturbed = None
        if c.doubted:
            _, perturbed = self.first.run(*map(perturb, args, self.takes))  # type: ignore[misc]
        problem = first_difference(result[1], entry[1], perturbed)
        if problem is not None:
            return problem
        if result[0] != entry[0] and result[0] == result[0]:
            return f"it reads {entry[0]!r} where O0 reads {result[0]!r}"
        return None

    def _takes_of(self, subgraph: Subgraph) -> list[int]:
        """The variables that code of a part of the subgraph takes."""
        return [v for v in subgraph.ins if v not in self.bound]

    def _env_of(self, subgraph: Subgraph, args: Sequence[Any]) -> dict[int, Any]:
        return {**self.bound, **dict(zip(self._takes_of(subgraph), args, strict=True))}

    def _env(self, args: Sequence[Any]) -> dict[int, Any]:
        return {**self.bound, **dict(zip(self.takes, args, strict=True))}

    def _judge(self, candidate: Candidate) -> None:
        """Decide when enough is known; a machine that slows down slows neighboring calls alike."""
        holder = self.best
        trials = len(candidate.trials)
        ratio = middle(candidate.trials)
        last = len(_CLEAR)
        clear = min(candidate.trials[:last]) > _CLEAR[min(trials, last) - 1]
        clear = clear or (trials >= last and not 1 / _CLEAR[-1] <= ratio <= _CLEAR[-1])
        if not clear and trials < (_MORE_TURNS if abs(ratio - 1.0) < _UNSURE else _TURNS):
            return
        candidate.gain = holder.gain / ratio
        if ratio <= _BETTER:
            self._hold(candidate)
            if holder is not self.first:
                self._drop(holder, f"{1 / ratio:.2f} times the time of {candidate.name}")
        else:
            self._drop(candidate, f"{ratio:.2f} times the time of {holder.name}")
        self._next()

    def _drop(self, slower: Candidate, reason: str) -> None:
        """Let a plan go that has lost, with its copies of weights."""
        slower.leave("dropped", reason)
        if slower.whole:
            background.start(malloc.give_back, "agar memory")

    def _next(self) -> None:
        """Go on with the next candidate, or wait for one that is still prepared, or end."""
        rest = self._coming[1:]
        if rest or any(c.state in UNTRIED for c in self.candidates):
            self._open(rest)
        else:
            self._candidates = self._coming = []
            self._settle()

    # -------------------------------------------------------------------------------- words

    def describe(self) -> list[str]:
        """One line for each plan."""
        lines = []
        for c in self.candidates:
            chosen = " <- in use" if c is self.best else ""
            took = f"{c.best * 1e3:.3f} ms" if c.times else "not timed"
            if c is self.first and not c.times and self.calls:
                took = f"{self.spent / self.calls * 1e3:.3f} ms"
            state = c.state if not c.reason else f"{c.state}: {c.reason}"
            lines.append(f"{c.name}: {took} ({state}){chosen}")
        return lines
