"""Which plan a segment runs: candidates are timed on real calls, and the fastest stays.

No plan is always best, so none is chosen by rule. A segment starts with O0. When it has used enough
time to be worth it, other plans are prepared: folded code for inference, and TorchInductor's in
the background. Each is first checked against O0 on the inputs of a real call, then takes turns with
the best plan so far.

NOTE What a trial costs. Never the result, and little time: a check takes as long as two calls or
three, and a turn of a slower plan takes what it takes, so they are paid first: after a trial the
best plan runs alone until all calls together again take no longer than O0 would, but for
`_ALLOWANCE`. One rival at a time is compared, and what has lost is let go: plans may hold copies of
the weights.
"""

from __future__ import annotations

import importlib
import math
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core import heap
from agar._core.context import get_context
from agar._core.graph import background
from agar._core.graph.plans import o0
from agar._core.graph.plans.checks import check_chunks, first_difference, nudge, observed
from agar._core.graph.plans.races import Race, middle, put_off
from agar._core.graph.tape import Host, Op, Segment, changed_storages, mutates
from agar._core.pause import collector_at_rest
from agar._core.runtime import runtime

__all__ = ["Candidate", "Contest"]

_TOO_SMALL = 25e-6  # seconds per call below which nothing else is tried
_LOOK_AFTER = 24  # calls before a segment is judged
_WORTH = 0.4  # seconds that a segment must have used before others are prepared
_TURNS = 9  # of a rival
_MORE_TURNS = 21  # where two plans are about as fast
_UNSURE = 0.08
_CLEAR = (3.0, 1.8, 1.4)  # slower by this after 1, 2, 3 and more turns: known; faster after 3
_BETTER = 0.985  # a newcomer must be this much faster to replace a plan
_ALLOWANCE = 0.05  # part of O0's time that trials may take, in the middle of calls
_LONG = 0.1  # seconds; of longer calls up to three times that part: there are few of them
_APART = 10  # calls between a check and the first turn, if it is not paid for yet
_CREDIT = 0.1  # calls that may be saved up for trials
_STATE = 32 << 20  # bytes of state that a comparison of a whole train step may keep twice
_REFOLD_AFTER = 32  # calls with unchanged weights before folded weights are computed again


class Candidate:
    """A plan of a segment, and how it has done."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.run: Callable[..., Any] | None = None
        self.times: list[float] = []
        self.turns: list[float] = []  # its time over that of the best plan, call by call
        self.gain = 1.0  # O0's time over its time
        # then "prepared" (made, not yet tried), "ready", "rejected" or "dropped"
        self.state = "waiting"
        self.reason = ""
        self.job: Any = None  # a background compilation
        self.checked = False
        self.whole = False  # compared as a whole, else part by part with `check`
        self.doubted = False  # differed once; the second check looks what rounding may do
        self.check: Callable[[Sequence[Any], bool], tuple[str | None, Any]] | None = None
        self.segment: Segment | None = None  # what `job` compiles
        self.folded: Any = None
        self.quiet = False  # nobody is told that its results are others than O0's
        self.compiled: Candidate | None = None  # is compiled if this one is faster than O0

    def fail(self, reason: str) -> None:
        """Take no part."""
        self.leave("rejected", reason)

    def leave(self, state: str, reason: str) -> None:
        """Take no further part, and hold nothing any more: weights, code."""
        self.state, self.reason = state, reason
        self.run = self.check = self.segment = self.folded = self.job = None

    @property
    def best(self) -> float:
        """Seconds of its middle call, or infinity."""
        return middle(self.times) if self.times else float("inf")


class Contest:
    """The plans of one segment.

    Args:
        segment: what they run.
        code: its O0 function, over `takes`.
        takes: the variables that plans take; the other inputs of the segment are `bound`.
        bound: lifted tensors by variable.
        install: puts a function in the place where calls find it.
        name: of the unit, for messages.
        level: ``"O0"``, ``"O1"`` or None to choose.
    """

    def __init__(
        self,
        segment: Segment,
        code: Callable[..., Any],
        takes: list[int],
        bound: dict[int, torch.Tensor],
        install: Callable[[Callable[..., Any]], None],
        name: str,
        level: str | None,
    ) -> None:
        self.segment = segment
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
        self._rivals: list[Candidate] = []  # the first is compared with the best
        self._own: float | None = None  # seconds of the best plan's call right before
        self._usual = 0.0  # seconds of a call of the best plan
        self._credit = 0.0  # calls of the best plan's time that were saved, over what trials took
        self._asked = 0.0
        #: races that a plan waits for, and what prepares it then
        self._races: list[tuple[list[Race], Callable[[], Any]]] = []

    def _hold(self, best: Candidate) -> None:
        assert best.run is not None
        self.best = best
        self._run = best.run  # for threads without the lock: who has lost it has no `run` any more

    # ---------------------------------------------------------------------------- watching

    def begin(self) -> None:
        """Take the place of the plan, unless there is nothing to choose."""
        if self.level == "O0" or not runtime.plans:
            self._settle()
        elif self.level == "O1":
            self.install(self._watch)
            self._start()
        else:
            self.install(self._watch)

    def _watch(self, *args: Any) -> Any:
        began = time.perf_counter()
        result = self.first.run(*args)  # type: ignore[misc]
        self.spent += time.perf_counter() - began
        self.calls += 1
        if self.calls == _LOOK_AFTER and self.spent < _TOO_SMALL * _LOOK_AFTER:
            self.first.times = [self.spent / self.calls]
            self.first.reason = "too short to gain from another plan"
            self._settle()
        elif self.calls >= 3 and self.spent > _WORTH and _Tools.are_here():
            self._start()
        return result

    def _settle(self) -> None:
        self.phase = "settled"
        self.install(self._run)
        if any(c.whole for c in self.candidates):  # folded: copies of weights have come and gone
            heap.give_back()

    # --------------------------------------------------------------------------- candidates

    def _start(self) -> None:
        """Prepare the other plans."""
        if self.started_at is not None:
            return
        self.started_at = time.perf_counter()
        try:
            self.candidates += self._folded() or [*self._on_onednn(), *self._in_channels_last()]
            self.candidates += self._compiled() + self._captured(self.first)
        except Exception as error:  # plans that cannot be had must not end the call
            self.first.reason = f"no other plans: {type(error).__name__}: {error}"
            self._settle()
            return
        self.phase = "comparing"
        ready = [c for c in self.candidates if c.state == "ready" and c is not self.best]
        self._open(ready if self.level is None else [])

    def _prepare(
        self,
        name: str,
        make: Callable[[], Any],
        take: Callable[[Any], None],
        plans: list[Candidate],
    ) -> None:
        """Have plans made beside the calls, which run the races that this needs."""

        def work() -> None:
            try:
                with torch.no_grad(), collector_at_rest():
                    with put_off() as races:
                        made = make()
                    if races:
                        self._races.append((races, lambda: background.start(work, name)))
                    else:
                        take(made)
            except Exception as error:
                for c in plans:
                    if c.state == "waiting":
                        c.fail(f"{type(error).__name__}: {error}")

        background.start(work, name)

    def _folded(self) -> list[Candidate]:
        """Plans for inference, with what depends on parameters alone computed once."""
        segment = self.segment
        if self.level is not None or any(isinstance(op.func, Host) for op in segment.ops):
            return []
        if any(mutates(op) for op in segment.ops) or not self.bound:
            return []
        if get_context("memory_optimize_level") == 1:
            return []  # they hold a second copy of the weights
        folded = Candidate("folded")
        folded.whole = True
        compiled = Candidate("O1 folded")
        compiled.whole = True

        def make() -> tuple[Any, Any]:
            from agar._core.graph.plans.fold import fold

            fused = fold(segment)
            return fused, None if fused is None else fold(segment, fuse=False)

        def take(made: tuple[Any, Any]) -> None:
            fused, dense = made
            if fused is None or dense is None:
                folded.fail("nothing depends on parameters alone")
                compiled.fail("there is no folded form")
                return
            folded.run = FoldedPlan(self, fused)
            compiled.folded = dense
            self._begin_job(compiled, dense.body, False)
            folded.state = "prepared"

        self._prepare("agar fold", make, take, [folded, compiled])
        return [folded, compiled]

    def _on_onednn(self) -> list[Candidate]:
        """Plans with other kernels for matrix products, for training."""
        segment = self.segment
        if self.level is not None or not any("mm" in op.name for op in segment.ops):
            return []
        plain = Candidate("oneDNN products")
        plain.checked = True  # its kernels were compared in the races
        compiled = Candidate("O1 with oneDNN products")

        def make() -> Segment | None:
            from agar._core.graph.plans.products import on_onednn

            return on_onednn(segment)

        def take(other: Segment | None) -> None:
            if other is None:
                plain.fail("torch's products are as fast")
                compiled.fail("torch's products are as fast")
                return
            plain.run = self._code(other, "products")
            self._begin_job(compiled, other, False)
            plain.state = "prepared"

        self._prepare("agar products", make, take, [plain, compiled])
        return [plain, compiled]

    def _in_channels_last(self) -> list[Candidate]:
        """Plans with the convolutions of a train step in another layout."""
        segment = self.segment
        if self.level is not None or not any("conv" in op.name for op in segment.ops):
            return []
        changed = {v for op in segment.ops for v in mutates(op)}
        looks = [segment.metas[v] for v in changed if v in segment.metas]
        sizes = [n for look in looks for n in look.shape]
        if not all(type(n) is int for n in sizes) or (
            sum(math.prod(look.shape) * look.dtype.itemsize for look in looks) > _STATE
        ):
            return []
        plain = Candidate("channels_last")
        plain.quiet = True  # other kernels of torch: a deep network amplifies their rounding
        plain.compiled = compiled = Candidate("O1 with channels_last")

        def make() -> Segment | None:
            from agar._core.graph.plans.layout import in_channels_last

            return in_channels_last(segment)

        def take(other: Segment | None) -> None:
            if other is None:
                plain.fail("the layout cannot be changed")
                return

            def look(*args: Any) -> Any:
                from agar._core.graph.plans.layout import as_observed

                env = {v: t for v, t in self._env(args).items() if v in other.ins}
                result, metas = observed(other, env)
                compiled.segment = as_observed(other, metas)
                return result

            plain.run = self._code(other, "channels_last")
            plain.check = lambda args, careful: self._compare_restoring(look, args, careful)
            plain.state = "prepared"

        self._prepare("agar layout", make, take, [plain])
        return [plain, compiled]

    def _code(self, segment: Segment, name: str, ops: list[Op] | None = None) -> Callable[..., Any]:
        """The O0 code of another form of the segment."""
        bound = {v: t for v, t in self.bound.items() if v in segment.ins}
        return o0.generate(segment, ops, bound=bound, name=name)

    def _compiled(self) -> list[Candidate]:
        found = [self._request("O1", self.segment, False)]
        if any(0 < m < len(self.segment.ops) for m in self.segment.marks):
            found.append(self._request("O1 in parts", self.segment, True))
        return found

    def _captured(self, of: Candidate) -> list[Candidate]:
        """A plan on a GPU launched as one CUDA graph."""
        if not any(m.device.type == "cuda" for m in self.segment.metas.values()):
            return []
        from agar._core.graph.plans.cudagraph import CudaGraphPlan, may_capture

        candidate = Candidate(f"{of.name} as a CUDA graph")
        reason = may_capture(self.segment, self.takes)
        if reason is not None or of.run is None:
            candidate.fail(reason or "no code")
            return [candidate]
        candidate.run, candidate.state = CudaGraphPlan(of.run), "ready"
        candidate.check = lambda args, careful: self._compare_restoring(
            candidate.run, args, careful
        )
        return [candidate]

    def _compare_restoring(
        self, run: Callable[..., Any] | None, args: Sequence[Any], careful: bool
    ) -> tuple[str | None, Any]:
        """Run a candidate, put back what it changed, run O0 for the call, and compare both."""
        env = self._env(args)
        storages = changed_storages(self.segment.ops, self.segment.metas)
        state = {
            v: env[v]
            for v in self.segment.ins
            if v in env and self.segment.metas[v].storage in storages
        }
        before = {v: t.clone() for v, t in state.items()}

        def tried(run: Callable[..., Any], args: Sequence[Any], nudged: bool) -> list[Any]:
            """What a plan gives and makes of the state, which is put back."""
            try:
                for v, t in state.items() if nudged else ():
                    t.copy_(nudge(t, v))
                result = run(*args)
                return [*result[1], *(t.clone() for t in state.values())]
            finally:
                for v, t in state.items():
                    t.copy_(before[v])

        nudged = None
        try:
            found = tried(run, args, False)  # type: ignore[arg-type]
            if careful:
                others = [
                    t if v in state else nudge(t, v) for v, t in zip(self.takes, args, strict=True)
                ]
                nudged = tried(self.first.run, others, True)  # type: ignore[arg-type]
        except RuntimeError as error:
            result = self.first.run(*args)  # type: ignore[misc]
            return str(error).split("\n", 1)[0], result
        result = self.first.run(*args)  # type: ignore[misc]
        expected = [*result[1], *state.values()]
        return first_difference(expected, found, nudged), result

    def _request(self, name: str, segment: Segment, split: bool) -> Candidate:
        candidate = Candidate(name)
        self._begin_job(candidate, segment, split)
        return candidate

    def _begin_job(self, candidate: Candidate, segment: Segment, split: bool) -> None:
        """Have a candidate's segment compiled in the background."""
        from agar._core.graph.plans import inductor

        reason = inductor.available()
        if reason is not None:
            candidate.fail(reason)
            _warn_once(reason)
            return
        candidate.segment = segment
        candidate.job = inductor.request(segment, split=split)

    def _follow(self) -> None:
        """Have plans compiled whose plain form has proved faster than O0; give the others up."""
        for c in self.candidates:
            to = c.compiled
            if to is None or to.state != "waiting" or to.job is not None:
                continue
            if c.state in ("waiting", "prepared") or not c.checked:
                continue
            if to.segment is None or c.gain <= 1.0:
                to.fail(f"the plan '{c.name}' is not faster, or not used")
            else:
                self._begin_job(to, to.segment, False)

    def _collect(self) -> list[Candidate]:
        """Candidates whose compilation has ended since the last look."""
        found = []
        for c in self.candidates:
            if c.state == "prepared":
                c.state = "ready"
                found.append(c)
            if c.state != "waiting" or c.job is None:
                continue
            if c.job.state == "failed":
                c.fail(c.job.error)
            elif c.job.state == "ready":
                try:
                    self._take(c)
                except Exception as error:  # a plan that cannot be had must not end the call
                    c.fail(f"{type(error).__name__}: {error}")
                else:
                    found.append(c)
        return found

    @collector_at_rest()
    def _take(self, c: Candidate) -> None:
        segment, ops, folded = c.segment, c.job.plan(), c.folded
        assert segment is not None
        if folded is not None:
            c.run = FoldedPlan(self, folded, ops)
        else:
            c.run = self._guarded(self._code(segment, "compiled", ops))
            c.check = lambda args, careful: check_chunks(segment, ops, self._env(args), careful)
        c.state = "ready"

    def _guarded(self, code: Callable[..., Any]) -> Callable[..., Any]:
        """A compiled plan that leaves calls to O0 whose inputs share memory in a new way.

        The compiler may move reads behind writes, except between tensors that shared memory when
        the segment was recorded.
        """
        metas = self.segment.metas
        changed = changed_storages(self.segment.ops, metas)
        if not changed or not self.takes:
            return code
        states = [t for v, t in self.bound.items() if metas[v].storage in changed]
        written = frozenset(t.untyped_storage()._cdata for t in states)
        inputs = [metas[v].storage for v in self.takes]
        loose = [i for i, s in enumerate(inputs) if s not in {metas[v].storage for v in self.bound}]
        apart = changed.intersection(inputs) and len(set(inputs)) == len(inputs)
        plain = self.first.run

        def run(*args: Any) -> Any:
            places = [a.untyped_storage()._cdata for a in args]
            if not written.isdisjoint([places[i] for i in loose]) or (
                apart and len(set(places)) != len(places)
            ):
                return plain(*args)  # type: ignore[misc]
            return code(*args)

        return run

    # ---------------------------------------------------------------------------- comparing

    def _open(self, rivals: list[Candidate]) -> None:
        """Let plans try to take the place of the best, one after the other."""
        self._rivals = rivals
        if not rivals:
            self.install(self._waiting)
            return
        for c in (self.best, rivals[0]):
            c.times, c.turns = [], []
        self._own = None
        self.install(self._compare)

    def _waiting(self, *args: Any) -> Any:
        """Run the best plan, and look now and then whether another has become ready."""
        began = time.perf_counter()
        result = self._run(*args)
        now = time.perf_counter()
        if (now - self._asked > 0.05 or self._races) and self._lock.acquire(blocking=False):
            try:
                if self._races:
                    self._race(now - began)
                if now - self._asked > 0.05:
                    self._asked = now
                    self._look_around()
            finally:
                self._lock.release()
        return result

    def _race(self, own: float) -> None:
        """Run steps of races after a call that took `own` seconds, as far as they are paid for."""
        self._usual = own
        self._pay(1.0)
        while self._races and self._credit >= 0.0 and own:
            races, prepare = self._races[0]
            began = time.perf_counter()
            if races[0].step():
                races.pop(0)
                if not races:
                    self._races.pop(0)
                    prepare()
            self._credit -= (time.perf_counter() - began) / own

    def _look_around(self) -> None:
        """Begin a comparison if another plan has become ready; end if none can come any more."""
        if self._rivals:
            return  # another thread has
        self._follow()
        fresh = self._collect()
        if fresh:
            for c in list(fresh):
                if c.folded is None:
                    graphs = [g for g in self._captured(c) if g.state == "ready"]
                    self.candidates += graphs
                    fresh += graphs
            self._open(fresh)
        elif not any(c.state in ("waiting", "prepared") for c in self.candidates):
            self._settle()

    def _compare(self, *args: Any) -> Any:
        if not self._lock.acquire(blocking=False):
            return self._run(*args)  # another thread takes the turn
        try:
            return self._take_turn(args)
        finally:
            self._lock.release()

    def _take_turn(self, args: Sequence[Any]) -> Any:
        """Run the best plan, or right after it a rival, if that is not one trial too many."""
        if not self._rivals:
            return self._run(*args)
        rival, own = self._rivals[0], self._own
        forced = self.level == "O1"
        began = time.perf_counter()
        if not forced and (own is None or not self._may_try(rival)):
            result = self._run(*args)
            self._own = self._usual = time.perf_counter() - began
            self.best.times.append(self._own)
            self._pay(1.0)
        elif not rival.checked:
            rival.checked = True
            self.best.times.clear()
            result = self._check(rival, args)
            if own:
                self._pay((time.perf_counter() - began) / own)
        else:
            assert own is not None
            result = rival.run(*args)  # type: ignore[misc]
            took = time.perf_counter() - began
            rival.times.append(took)
            rival.turns.append(took / own if own else 1.0)
            self._pay(rival.turns[-1])
            self._own = None
            self._judge(rival)
        return result

    def _may_try(self, rival: Candidate) -> bool:
        """Whether earlier trials are paid for, or the next one is likely to save time."""
        if self._credit >= 0.0:
            return True
        if rival.turns:
            return middle(rival.turns) < 1.0
        return rival.checked and not rival.doubted and len(self.best.times) > _APART

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
        if problem is not None and not c.doubted:
            c.doubted, c.checked = True, False
        elif problem is not None:
            c.leave("rejected", problem)
            if not c.quiet:
                from agar._core.graph.unit import GraphWarning

                warnings.warn(
                    f"The plan '{c.name}' of '{self.name}' is not used: {problem}. Results are "
                    "those of the plan O0, as in PYNATIVE_MODE.",
                    GraphWarning,
                    stacklevel=2,
                )
            self._next()
        elif self.level == "O1":
            self._hold(c)
            self._next()
        return result

    def _compare_whole(self, c: Candidate, args: Sequence[Any], result: Any) -> str | None:
        try:
            found = c.run(*args)  # type: ignore[misc]
        except Exception as error:
            return f"it raises {type(error).__name__}: {error}"
        nudged = None
        if c.doubted:
            _, nudged = self.first.run(*map(nudge, args, self.takes))  # type: ignore[misc]
        problem = first_difference(result[1], found[1], nudged)
        if problem is not None:
            return problem
        if result[0] != found[0] and result[0] == result[0]:
            return f"it reads {found[0]!r} where O0 reads {result[0]!r}"
        return None

    def _env(self, args: Sequence[Any]) -> dict[int, Any]:
        return {**self.bound, **dict(zip(self.takes, args, strict=True))}

    def _judge(self, rival: Candidate) -> None:
        """Decide when enough is known; a machine that slows down slows neighbouring calls alike."""
        holder = self.best
        turns = len(rival.turns)
        ratio = middle(rival.turns)
        last = len(_CLEAR)
        clear = min(rival.turns[:last]) > _CLEAR[min(turns, last) - 1]
        clear = clear or (turns >= last and not 1 / _CLEAR[-1] <= ratio <= _CLEAR[-1])
        if not clear and turns < (_MORE_TURNS if abs(ratio - 1.0) < _UNSURE else _TURNS):
            return
        rival.gain = holder.gain / ratio
        if ratio <= _BETTER:
            self._hold(rival)
            if holder is not self.first:
                holder.leave("dropped", f"{1 / ratio:.2f} times the time of {rival.name}")
        else:
            rival.leave("dropped", f"{ratio:.2f} times the time of {holder.name}")
        self._next()

    def _next(self) -> None:
        """Go on with the next rival, or wait for one that is still prepared, or end."""
        rest = self._rivals[1:]
        if rest or any(c.state in ("waiting", "prepared") for c in self.candidates):
            self._open(rest)
        else:
            self._rivals = []
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


class _Tools:
    """The modules that prepare plans, imported beside the calls and with pauses."""

    _NAMES = ("lowering", "inductor", "fold", "products", "layout")
    _PAUSE = 0.1  # seconds: who waits for the interpreter notices nothing
    _here = False
    _asked = False

    @classmethod
    def are_here(cls) -> bool:
        """Whether all are imported; the first to ask has them imported in the background."""
        if not cls._here and not cls._asked:
            cls._asked = True
            background.start(cls._load, "agar plans")
        return cls._here

    @classmethod
    def _load(cls) -> None:
        try:
            for name in cls._NAMES:
                with collector_at_rest():
                    importlib.import_module(f"agar._core.graph.plans.{name}")
                time.sleep(cls._PAUSE)
        finally:
            cls._here = True  # where one cannot be imported, its plans say so


class FoldedPlan:
    """A plan whose constants come from the parameters; steps back while those change."""

    def __init__(self, contest: Contest, folded: Any, ops: list[Op] | None = None) -> None:
        bound = contest.bound
        prologue: Segment = folded.prologue
        body: Segment = folded.body
        self._plain = contest.first.run
        self._sources = [bound[v] for v in prologue.ins]
        self._prologue = o0.generate(prologue, name="prologue")
        constants = set(folded.constants)
        held = {v: bound[v] for v in body.ins if v in bound and v not in constants}
        held.update(dict.fromkeys(folded.constants))
        self._names = [f"v{v}" for v in prologue.outs]
        takes = [v for v in body.ins if v not in held]
        self._pick = [contest.takes.index(v) for v in takes]
        self._body = o0.generate(body, ops, bound=held, name="folded")
        self._watched = list({id(t): t for t in self._sources}.values())
        self._stamp: Any = None
        self._seen: Any = None
        self._since = 0
        self._all = self._pick == list(range(len(contest.takes)))

    def __call__(self, *args: Any) -> Any:
        stamp = (runtime.weights, sum([t._version for t in self._watched]))
        if stamp != self._stamp and not self._renew(stamp):
            return self._plain(*args)  # type: ignore[misc]
        return self._body(*(args if self._all else [args[i] for i in self._pick]))

    def _renew(self, stamp: Any) -> bool:
        """Compute the constants again, if the parameters have come to rest."""
        if self._stamp is not None:
            if stamp != self._seen:
                self._seen, self._since = stamp, 0
            self._since += 1
            if self._since < _REFOLD_AFTER:
                return False
        if any(_shared(t) for t in self._watched):
            return False
        _, made = self._prologue(*self._sources)
        self._body.__globals__.update(zip(self._names, made, strict=True))
        self._stamp = stamp
        return True


def _shared(t: torch.Tensor) -> bool:
    """Whether Python holds the tensor's memory in another form, and may write to it unseen."""
    mark = getattr(t, "_agar_shared", None)
    return mark is True or (isinstance(mark, weakref.ref) and mark() is not None)


_said: set[str] = set()


def _warn_once(reason: str) -> None:
    if reason not in _said and "AGAR_COMPILE" not in reason:
        _said.add(reason)
        from agar._core.graph.unit import GraphWarning

        warnings.warn(f"Graphs are not compiled beyond O0: {reason}.", GraphWarning, stacklevel=2)
