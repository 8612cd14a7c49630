"""Which plan a segment runs: candidates are timed on real calls, and the fastest stays.

No plan is always best, so none is chosen by rule. A segment starts with O0. When it has used enough
time to be worth it, other plans are prepared: folded code for inference, and TorchInductor's in
the background. Each is first checked against O0 on the inputs of a real call, then takes turns with
the best plan so far.

NOTE What a trial costs. A candidate that is clearly slower is dropped after a few calls, so trying
costs a call a fraction of its time now and then, and never the result.
"""

from __future__ import annotations

import math
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.graph import background
from agar._core.graph.plans import o0
from agar._core.graph.tape import Chunk, Host, Op, Segment, made_by, map_refs, mutates, used_by
from agar._core.runtime import runtime

__all__ = ["Candidate", "Contest"]

_TOO_SMALL = 25e-6  # seconds per call below which nothing else is tried
_LOOK_AFTER = 24  # calls before a segment is judged
_WORTH = 0.4  # seconds that a segment must have used before others are prepared
_ROUNDS = 9  # turns of each plan in a comparison
_MORE_ROUNDS = 21  # turns where two plans are about as fast
_UNSURE = 0.08
_HOPELESS = 1.4  # a candidate this much slower is dropped after _GLANCE turns
_GLANCE = 3
_BETTER = 0.985  # a newcomer must be this much faster to replace a plan
_STATE = 32 << 20  # bytes of state that a comparison of a whole train step may keep twice
_REFOLD_AFTER = 32  # calls with unchanged weights before folded weights are computed again


def _middle(values: list[float]) -> float:
    """The median; the module of this name costs 10 ms to import."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


class Candidate:
    """A plan of a segment, and how it has done."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.run: Callable[..., Any] | None = None
        self.times: list[float] = []
        self.ratio = 1.0  # its time over that of the plan it was compared with, middle of all turns
        # then "prepared" (made, not yet tried), "ready", "rejected" or "dropped"
        self.state = "waiting"
        self.reason = ""
        self.job: Any = None  # a background compilation
        self.checked = False
        self.whole = False  # compared as a whole, else part by part with `check`
        self.check: Callable[[Sequence[Any]], tuple[str | None, Any]] | None = None
        self.segment: Segment | None = None  # what `job` compiles
        self.folded: Any = None
        self.quiet = False  # nobody is told that its results are others than O0's

    def fail(self, reason: str) -> None:
        """Take no further part."""
        self.state, self.reason = "rejected", reason

    @property
    def best(self) -> float:
        """Seconds of its middle call, or infinity."""
        return _middle(self.times) if self.times else float("inf")


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
        self.first = self.best = first
        self.candidates = [first]
        self.calls = 0
        self.spent = 0.0
        self.phase = "watching"  # then "comparing" or "settled"
        self.started_at: float | None = None
        self._lock = threading.Lock()
        self._turn = 0
        self._field: list[Candidate] = []
        self._asked = 0.0

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
        elif self.calls >= 3 and self.spent > _WORTH:
            self._start()
        return result

    def _settle(self) -> None:
        self.phase = "settled"
        assert self.best.run is not None
        self.install(self.best.run)

    # --------------------------------------------------------------------------- candidates

    def _start(self) -> None:
        """Prepare the other plans."""
        if self.started_at is not None:
            return
        self.started_at = time.perf_counter()
        self.candidates += self._folded() or [*self._on_onednn(), *self._in_channels_last()]
        self.candidates += self._compiled() + self._captured(self.first)
        self.phase = "comparing"
        self._open(
            [c for c in self.candidates if c.state == "ready"]
            if self.level is None
            else [self.best]
        )

    def _folded(self) -> list[Candidate]:
        """Plans for inference, with what depends on parameters alone computed once."""
        segment = self.segment
        if self.level is not None or any(isinstance(op.func, Host) for op in segment.ops):
            return []
        if any(mutates(op) for op in segment.ops) or not self.bound:
            return []
        folded = Candidate("folded")
        folded.whole = True
        compiled = Candidate("O1 folded")
        compiled.whole = True

        def prepare() -> None:
            from agar._core.graph.plans.fold import fold

            try:
                with torch.no_grad():
                    fused = fold(segment)
                    dense = None if fused is None else fold(segment, fuse=False)
                    if fused is not None:
                        folded.run = FoldedPlan(self, fused)
            except Exception as error:
                folded.fail(f"{type(error).__name__}: {error}")
                compiled.fail("there is no folded form")
                return
            if fused is None or dense is None:
                folded.fail("nothing depends on parameters alone")
                compiled.fail("there is no folded form")
                return
            compiled.folded = dense
            self._begin_job(compiled, dense.body, False)
            folded.state = "prepared"

        # in the background: it takes some tens of milliseconds, and times kernels
        background.start(prepare, "agar fold")
        return [folded, compiled]

    def _on_onednn(self) -> list[Candidate]:
        """Plans with other kernels for matrix products, for training."""
        segment = self.segment
        if self.level is not None or not any("mm" in op.name for op in segment.ops):
            return []
        plain = Candidate("oneDNN products")
        plain.checked = True  # its kernels were compared in the races
        compiled = Candidate("O1 with oneDNN products")

        def prepare() -> None:
            from agar._core.graph.plans.products import on_onednn

            try:
                other = on_onednn(segment)
            except Exception as error:
                other, reason = None, f"{type(error).__name__}: {error}"
            else:
                reason = "torch's products are as fast"
            if other is None:
                plain.fail(reason)
                compiled.fail(reason)
                return
            bound = {v: t for v, t in self.bound.items() if v in other.ins}
            plain.run = o0.generate(other, bound=bound, name="products")
            self._begin_job(compiled, other, False)
            plain.state = "prepared"

        background.start(prepare, "agar products")
        return [plain, compiled]

    def _in_channels_last(self) -> list[Candidate]:
        """O0 with the convolutions of a train step in another layout."""
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
        candidate = Candidate("channels_last")
        candidate.check = lambda args: self._compare_restoring(candidate, args)
        candidate.quiet = True  # other kernels of torch: a deep network amplifies their rounding

        def prepare() -> None:
            from agar._core.graph.plans.layout import in_channels_last

            try:
                other = in_channels_last(segment)
            except Exception as error:
                candidate.fail(f"{type(error).__name__}: {error}")
                return
            if other is None:
                candidate.fail("the layout cannot be changed")
                return
            bound = {v: t for v, t in self.bound.items() if v in other.ins}
            candidate.run = o0.generate(other, bound=bound, name="channels_last")
            candidate.state = "prepared"

        background.start(prepare, "agar layout")
        return [candidate]

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
        candidate.check = lambda args: self._compare_restoring(candidate, args)
        return [candidate]

    def _compare_restoring(self, c: Candidate, args: Sequence[Any]) -> tuple[str | None, Any]:
        """Run a candidate, put back what it changed, run O0 for the call, and compare both."""
        changed = {v for op in self.segment.ops for v in mutates(op)}
        env = self._env(args)
        storages = {self.segment.metas[v].storage for v in changed}
        state = {
            v: env[v]
            for v in self.segment.ins
            if v in env and self.segment.metas[v].storage in storages
        }
        before = {v: t.clone() for v, t in state.items()}
        try:
            found = c.run(*args)  # type: ignore[misc]
        except RuntimeError as error:
            found, problem = None, str(error).split("\n", 1)[0]
        else:
            problem = None
        after = {v: t.clone() for v, t in state.items()}
        for v, t in state.items():
            t.copy_(before[v])
        result = self.first.run(*args)  # type: ignore[misc]
        if found is None:
            return problem, result
        pairs = list(zip(result[1], found[1], strict=True))
        pairs += [(t, after[v]) for v, t in state.items()]
        problems = [d for mine, its in pairs if (d := difference(mine, its)) is not None]
        return (problems[0] if problems else None), result

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

    def _take(self, c: Candidate) -> None:
        segment, ops, folded = c.segment, c.job.plan(), c.folded
        assert segment is not None
        if folded is not None:
            c.run = FoldedPlan(self, folded, ops)
        else:
            bound = {v: t for v, t in self.bound.items() if v in segment.ins}
            c.run = self._guarded(o0.generate(segment, ops, bound=bound, name="compiled"))
            c.check = lambda args: check_chunks(segment, ops, self._env(args))
        c.state = "ready"

    def _guarded(self, code: Callable[..., Any]) -> Callable[..., Any]:
        """A compiled plan that leaves calls to O0 whose inputs share memory in a new way.

        The compiler may move reads behind writes, except between tensors that shared memory when
        the segment was recorded.
        """
        metas = self.segment.metas
        changed = {metas[v].storage for op in self.segment.ops for v in mutates(op) if v in metas}
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

    def _open(self, field: list[Candidate]) -> None:
        """Let plans take turns."""
        self._field = field
        if len(field) > 1:
            for c in field:
                c.times, c.ratio = [], 1.0
        self._turn = 0
        self.install(self._compare if len(field) > 1 else self._waiting)

    def _waiting(self, *args: Any) -> Any:
        """Run the best plan, and look now and then whether another has become ready."""
        result = self.best.run(*args)  # type: ignore[misc]
        now = time.perf_counter()
        if now - self._asked > 0.05 and self._lock.acquire(blocking=False):
            self._asked = now
            try:
                self._look_around()
            finally:
                self._lock.release()
        return result

    def _look_around(self) -> None:
        """Begin a comparison if another plan has become ready; end if none can come any more."""
        if self._field != [self.best]:
            return  # another thread has
        fresh = self._collect()
        if fresh:
            for c in list(fresh):
                if c.folded is None:
                    graphs = [g for g in self._captured(c) if g.state == "ready"]
                    self.candidates += graphs
                    fresh += graphs
            self._open([self.best, *fresh])
        elif not any(c.state in ("waiting", "prepared") for c in self.candidates):
            self._settle()

    def _compare(self, *args: Any) -> Any:
        if not self._lock.acquire(blocking=False):
            return self.best.run(*args)  # type: ignore[misc]  # another thread takes the turn
        try:
            return self._take_turn(args)
        finally:
            self._lock.release()

    def _take_turn(self, args: Sequence[Any]) -> Any:
        field = self._field
        if len(field) < 2:
            return self.best.run(*args)  # type: ignore[misc]
        c = field[self._turn % len(field)]
        if not c.checked:
            c.checked = True
            return self._check(c, args)
        self._turn += 1
        began = time.perf_counter()
        result = c.run(*args)  # type: ignore[misc]
        c.times.append(time.perf_counter() - began)
        if self._turn % len(field) == 0:
            self._after_round()
        return result

    def _check(self, c: Candidate, args: Sequence[Any]) -> Any:
        """Compare a candidate with O0 on a real call, which O0 serves."""
        if c.whole:
            result = self.first.run(*args)  # type: ignore[misc]
            problem = self._compare_whole(c, args, result)
        else:
            assert c.check is not None
            problem, result = c.check(args)
        if problem is not None:
            c.state, c.reason = "rejected", problem
            self._field = [f for f in self._field if f is not c]
            for f in self._field:  # turns are compared in pairs: begin again
                f.times = []
            self._turn = 0
            if not c.quiet:
                from agar._core.graph.unit import GraphWarning

                warnings.warn(
                    f"The plan '{c.name}' of '{self.name}' is not used: {problem}. Results are "
                    "those of the plan O0, as in PYNATIVE_MODE.",
                    GraphWarning,
                    stacklevel=2,
                )
            if len(self._field) < 2:
                self._decide()
        elif self.level == "O1":
            self.best = c
            self._field = [c]
            c.ratio = 0.0
            self._decide()
        return result

    def _compare_whole(self, c: Candidate, args: Sequence[Any], result: Any) -> str | None:
        try:
            found = c.run(*args)  # type: ignore[misc]
        except Exception as error:
            return f"it raises {type(error).__name__}: {error}"
        for mine, its in zip(result[1], found[1], strict=True):
            problem = difference(mine, its)
            if problem is not None:
                return problem
        if result[0] != found[0] and result[0] == result[0]:
            return f"it reads {found[0]!r} where O0 reads {result[0]!r}"
        return None

    def _env(self, args: Sequence[Any]) -> dict[int, Any]:
        return {**self.bound, **dict(zip(self.takes, args, strict=True))}

    def _after_round(self) -> None:
        """Judge by neighbouring turns, so that a machine that slows down misleads nobody."""
        holder = self.best
        turns = len(holder.times)
        for c in self._field:
            pairs = zip(c.times, holder.times, strict=True)
            c.ratio = _middle([mine / its for mine, its in pairs])
        if turns >= _GLANCE:
            for c in [c for c in self._field if c.ratio > _HOPELESS]:
                c.state, c.reason = "dropped", f"{c.ratio:.2f} times the time of {holder.name}"
                self._field.remove(c)
                self._turn = 0  # a round has ended, and the next has fewer turns
        unsure = any(abs(c.ratio - 1.0) < _UNSURE for c in self._field if c is not holder)
        if len(self._field) < 2 or turns >= (_MORE_ROUNDS if unsure else _ROUNDS):
            self._decide()

    def _decide(self) -> None:
        holder = self.best
        winner = min(self._field, key=lambda c: c.ratio, default=holder)
        if winner.ratio > _BETTER:
            winner = holder
        for c in self._field:
            if c is not winner and c is not self.first:
                share = c.ratio / winner.ratio if winner.ratio else c.ratio
                c.state, c.reason = "dropped", f"{share:.2f} times the time of {winner.name}"
        self.best = winner
        winner.ratio = 1.0
        if any(c.state in ("waiting", "prepared") for c in self.candidates):
            self._open([winner])
        else:
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


# --------------------------------------------------------------------------------- checking


_TOLERANCE = {torch.float64: 1e-7, torch.float32: 2e-3, torch.bfloat16: 3e-2, torch.float16: 1e-2}


def difference(expected: Any, found: Any) -> str | None:
    """How two results differ beyond rounding, or None."""
    if not isinstance(expected, torch.Tensor):
        return None
    if expected.shape != found.shape or expected.dtype != found.dtype:
        looks = [f"{t.dtype}{list(t.shape)}" for t in (found, expected)]
        return f"a result is {looks[0]}, not {looks[1]}"
    if not expected.numel():
        return None
    if not (expected.is_floating_point() or expected.is_complex()):
        return None if torch.equal(expected, found) else "whole numbers differ"
    a, b = expected.detach(), found.detach()
    odd = ~torch.isfinite(a)
    if not torch.equal(odd, ~torch.isfinite(b)):
        return "infinities or NaN stand at other places"
    if bool(odd.any()):
        a, b = a[~odd], b[~odd]
        if not a.numel():
            return None
    if a.dtype.itemsize < 4:
        a, b = a.float(), b.float()
    scale = float(a.abs().max())
    worst = float((a - b).abs().max())
    allowed = _TOLERANCE.get(expected.dtype, 2e-3) * scale + 1e-6
    if worst > allowed:
        return f"results differ by {worst:.3g}, where {allowed:.3g} would be rounding"
    return None


def check_chunks(segment: Segment, plan: list[Op], env: dict[int, Any]) -> tuple[str | None, Any]:
    """Run a segment once, comparing each compiled part with the operations it stands for.

    The operations serve the call; parts run over copies of what they change. `env` is used up:
    every value leaves it after its last use, so that the check needs little more memory than a
    call.

    Returns:
        What differs, or None, and the result of the segment's function.
    """
    problem = None
    read = None
    metas = segment.metas
    last = _last_uses(segment, plan)
    for at, op in enumerate(plan):
        part = op.func.part if isinstance(op.func, Chunk) else None
        if part is None:
            read = _run_one(op, env)
            _release(env, last, (at, 0))
            continue
        storages = {metas[v].storage for o in part.ops for v in mutates(o) if v in metas}
        copies = {
            v: env[v].clone() if v in metas and metas[v].storage in storages else env[v]
            for v in part.ins
        }
        found: Any = ()
        if problem is None:
            try:
                found = op.func.run(*[copies[v] for v in part.ins])
            except Exception as error:
                problem = f"it raises {type(error).__name__}: {error}"
        for i, o in enumerate(part.ops):
            _run_one(o, env)
            _release(env, last, (at, i))
        for v, value in zip(part.outs, found, strict=False):
            if v in segment.outs or env[v].is_floating_point() or env[v].is_complex():
                # places of maxima that only another part reads may be those of equal elements
                problem = problem or difference(env[v], value)
        if found:
            for v in part.ins:
                if copies[v] is not env[v]:
                    problem = problem or difference(env[v], copies[v])
        del copies, found
        _release(env, last, (at, len(part.ops)))
    return problem, (read if segment.read else None, tuple([env[v] for v in segment.outs]))


def _last_uses(segment: Segment, plan: list[Op]) -> dict[tuple[int, int], list[int]]:
    """Which variables are used for the last time at which place: (in the plan, in its part)."""
    when: dict[int, tuple[int, int]] = {}
    for at, op in enumerate(plan):
        part = op.func.part if isinstance(op.func, Chunk) else None
        ops = [op] if part is None else part.ops
        for i, o in enumerate(ops):
            when.update(dict.fromkeys([*used_by(o), *made_by(o)], (at, i)))
        if part is not None:  # they are compared when the part has ended
            when.update(dict.fromkeys([*part.ins, *part.outs], (at, len(part.ops))))
    out: dict[tuple[int, int], list[int]] = {}
    for v, place in when.items():
        if v not in segment.outs:
            out.setdefault(place, []).append(v)
    return out


def _release(
    env: dict[int, Any], last: dict[tuple[int, int], list[int]], place: tuple[int, int]
) -> None:
    for v in last.get(place, ()):
        env.pop(v, None)


def _run_one(op: Op, env: dict[int, Any]) -> Any:
    """Run one operation over values by variable."""
    args = map_refs(op.args, lambda ref: env[ref.i])
    kwargs = {k: map_refs(v, lambda ref: env[ref.i]) for k, v in op.kwargs.items()}
    func = op.func
    if isinstance(func, (Host, Chunk)):
        call = func.fn if isinstance(func, Host) else func.run
    else:
        call = o0.caller(func)
    result = call(*args, **kwargs)
    single = isinstance(func, Host) and func.gives == "object"
    values = (result,) if single or not isinstance(result, (tuple, list)) else result
    taken = set(used_by(op))
    pairs = zip(op.outs, values, strict=False)
    env.update({v: value for v, value in pairs if v is not None and v not in taken})
    return result


_said: set[str] = set()


def _warn_once(reason: str) -> None:
    if reason not in _said and "AGAR_COMPILE" not in reason:
        _said.add(reason)
        from agar._core.graph.unit import GraphWarning

        warnings.warn(f"Graphs are not compiled beyond O0: {reason}.", GraphWarning, stacklevel=2)
