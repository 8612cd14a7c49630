"""Compiled calls inside eager gradients: one forward and one backward piece of code.

A compiled function that is called while a gradient is being recorded becomes one node of torch's
graph. Its first calls run Python inside that node and record it: the forward part when it is
called, the backward part when the gradient reaches it. So nothing runs twice, and a gradient that
never comes costs nothing. Later calls replay both parts; what the backward part needs of the
forward one is kept between them.

NOTE Higher orders. The recorded backward part cannot be differentiated again.
Under two gradients at once the call runs as Python; where torch itself asks for a differentiable
backward pass, the function runs again as Python from the inputs that were kept.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from agar._core.autodiff import GradScope, keep, tensors_in
from agar._core.context import get_context
from agar._core.gc_pause import collector_at_rest
from agar._core.graph.backends import o0
from agar._core.graph.cache.escapes import Escapes
from agar._core.graph.cache.outcome import Outcome
from agar._core.graph.cache.outcome_reading import read_outcome
from agar._core.graph.cache.tree import Node, Untrusted
from agar._core.graph.guard.flatten import FlatArguments, argument_changes, rebuild
from agar._core.graph.ir.graph import (
    Meta,
    Op,
    Subgraph,
    aliases_resolved,
    inputs_of,
    is_pure,
    mutates,
    outputs_of,
    without_dead_code,
)
from agar._core.graph.record.monitor import Monitor
from agar._core.graph.record.recorder import RETRIES, Recorder, inside_a_call
from agar._core.parameter import Parameter
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap

__all__ = ["GradientSpecialization"]


class _Recording:
    """One run of the function, and of its gradient when it comes."""

    def __init__(self, recorder: Recorder, outcome: Outcome) -> None:
        self.recorder = recorder
        self.outcome = outcome
        self.forward = len(recorder.ops)
        self.differentiable: list[int] = []  # of outcome.variables
        self.cotangents: list[int] = []
        self.gradients: list[int | None] = []

    def verify(self, other: _Recording) -> None:
        """Compare with a second run.

        Raises:
            Untrusted: they differ.
        """
        mine, its = self.node(), other.node()
        mine.verify(its)
        if (
            self.forward != other.forward
            or self.cotangents != other.cotangents
            or self.gradients != other.gradients
        ):
            raise Untrusted("Python did not repeat itself: the gradients differ in kind")

    def node(self) -> Node:
        """The whole run as a subgraph that can be compared."""
        node = Node(self.recorder.ops, self.recorder.captured)
        node.outcome = self.outcome
        return node


class GradientSpecialization:
    """The recordings of one signature under a gradient."""

    def __init__(self, function: Any, flat: FlatArguments) -> None:
        self.function = function
        self.key = flat.key
        self.first: _Recording | None = None
        self.plan: _Plan | None = None
        self.failures = 0
        self.eager: str | None = None
        self.site: tuple[str, int] | None = None
        self.history: list[tuple[str, tuple[str, int] | None]] = []
        self.number = function.next_number()
        self.replays = 0

    def run(self, flat: FlatArguments, extra: list[torch.Tensor]) -> Any:
        """Serve a call of this signature; `extra` are other tensors that require a gradient."""
        plan = self.plan
        if self.eager is not None or (plan is not None and not plan.fits()):
            return self.function.plain(flat)
        if plan is not None:
            self.replays += 1
            return plan.call(flat)
        if not self.function.lock.acquire(blocking=False):
            return self.function.plain(flat)
        try:
            run = _PythonRun(self, flat, extra)
            with collector_at_rest():
                values = _PythonNode.apply(run, *[t._value for t in flat.tensors], *extra)
            if run.hidden:
                return self._with_hidden(run, flat)
            return run.result(values)
        finally:
            self.function.lock.release()

    def _with_hidden(self, run: _PythonRun, flat: FlatArguments) -> Any:
        """A differentiable tensor came in past the arguments; its gradient must not be lost."""
        self.eager = "the function uses a differentiable tensor that is no argument of it"
        assert run.recording is not None
        recorder = run.recording.recorder
        recorder.forget()
        self.function.warn(self.eager, None)
        if recorder.aborted is None and all(is_pure(op) for op in recorder.ops):
            return self.function.plain(flat)
        raise RuntimeError(
            f"For '{self.function.name}', {self.eager}, and the call cannot be repeated, since it "
            "changes parameters or draws random numbers. Pass the tensor as an argument. Further "
            "calls of this kind run as ordinary Python."
        )

    def learned(self, run: _PythonRun, reason: str | None, site: Any) -> None:
        """Take a finished recording, forward and backward."""
        assert run.recording is not None
        if reason is None and run.effect is not None:
            reason, site = run.effect, None
            self.function.effect(self.key, reason)
        if reason is None and run.refused is not None:
            reason, site = run.refused
        if reason is not None:
            self._fail(reason, site)
        elif self.first is None or not run.certain:
            self.first = run.recording
        elif self.plan is None:
            try:
                # by now nothing of the first run's graph is left, unless Python holds it
                before = self.first.recorder
                before.find_escaped()
                if before.aborted is not None:
                    raise Untrusted(before.aborted, before.aborted_site)
                self.first.verify(run.recording)
                self.plan = _Plan(self.function, run)
                if get_context("save_graphs"):
                    self._draw(self.plan)
            except Untrusted as error:
                self._fail(error.reason, error.site)
            self.first = None

    def _draw(self, plan: _Plan) -> None:
        """Write the graph's text and picture (context key save_graphs)."""
        from agar._core.graph.inspect import diagram

        name = f"{self.function.name} inside a gradient"
        diagram.save(name, self.number, [plan.first, plan.second], self)

    def _fail(self, reason: str, site: tuple[str, int] | None) -> None:
        self.failures += 1
        self.history.append((reason, site))
        if self.failures >= RETRIES:
            self.eager, self.site, self.first = reason, site, None
            self.function.warn(reason, site)


class _PythonRun:
    """A call that runs as Python inside one node of torch's graph, and its recording.

    `hidden` says that Python met a differentiable tensor that is no input of the node.
    """

    def __init__(
        self, specialization: GradientSpecialization, flat: FlatArguments, extra: list[torch.Tensor]
    ) -> None:
        self.specialization = specialization
        self.flat: FlatArguments | None = flat
        self.extra = extra  # tensors of cells and closures that require a gradient
        self.hidden = False
        self.finished = False
        self.form: Any = None
        self.fresh: list[Tensor] = []
        self.own: list[torch.Tensor] = []  # torch's tensors of these, before the run
        self.wants: list[bool] = []  # whether each of them has a gradient
        #: Arguments whose memory the run has changed under the gradient, with what they hold now.
        self.changed: list[tuple[Tensor, torch.Tensor]] = []
        #: Tensors that Python holds past the result, with what they hold now.
        self.escaped: list[tuple[Tensor, torch.Tensor]] = []
        self.outputs: list[torch.Tensor] = []
        self.recording: _Recording | None = None
        #: Whether all that the Python read was guarded while it ran.
        self.certain = True
        #: What the Python has changed outside of the call, in words.
        self.effect: str | None = None
        #: Why the recording cannot be replayed, and where.
        self.refused: tuple[str, Any] | None = None

    def _judge(self, before: Any, monitor: Monitor) -> None:
        """Note what a part of the run says of the recording."""
        function = self.specialization.function
        changes = function.changes_since(before)
        if self.flat is not None:
            changes = changes or argument_changes(self.flat)
        if changes and self.effect is None:
            self.effect = f"the call changes what lies outside of it ({'; '.join(changes[:3])})"
        self.certain = function.learn(monitor) and self.certain
        if self.refused is None:
            assert self.recording is not None
            self.refused = function.refusal(monitor, self.recording.outcome)

    def forward(self, tensors: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
        """Run Python over leaf tensors of its own."""
        function, flat = self.specialization.function, self.flat
        assert flat is not None
        before = function.current_state()
        recorder = Recorder()
        recorder.inputs = range(len(flat.tensors))
        recorder.outside = function.outside()
        recorder.keeps_tags = recorder.grad_outside = True
        recorder.monitor = monitor = Monitor()
        for t, outer in zip(tensors, flat.tensors, strict=False):
            leaf = t.detach()
            if outer._value.requires_grad:
                leaf.requires_grad_()
            self.fresh.append(wrap(leaf))
            self.own.append(leaf)
            self.wants.append(leaf.requires_grad)
        escapes = Escapes()
        with _standing_in(flat.tensors, self.fresh):
            args, kwargs = flat.call
            with _inside(True, flat.tensors) as scope, recorder:
                for i, t in enumerate(self.fresh):
                    recorder.new_variable(t._value, i)
                with monitor:
                    alone = [function.python(args, kwargs)]
                if recorder.cuts:
                    recorder.abort("Python reads a value of a tensor under a gradient")
                outcome, raw = read_outcome(alone, recorder, flat)
                result = alone.pop()
        if recorder.aborted is not None:  # the results are differentiable all the same
            own = {id(t) for t in flat.tensors}
            results = [t for t in tensors_in(result) if id(t) not in own]
            raw = [t._value for t in results if not isinstance(t, Parameter)]
        for t, other, leaf in zip(flat.tensors, self.fresh, self.own, strict=True):
            now = other._value
            if now.requires_grad and not now.is_leaf and now.data_ptr() == leaf.data_ptr():
                self.changed.append((t, now))
        raw = [*raw, *[now for _, now in self.changed]]
        known = [*flat.tensors, *self.fresh, *tensors_in(result)]
        self._note_escaped(escapes.find(self.own, self.extra, known), scope)
        raw += [value for _, value in self.escaped]
        self.outputs = list({id(t): t for t in raw}.values())
        function.learn_cells(recorder.cells)
        extra = {id(t) for t in self.extra}
        self.hidden = any(
            f.tensor.requires_grad and id(f.tensor) not in extra for f in recorder.captured.values()
        )
        self.form = result
        self.recording = _Recording(recorder, outcome)
        self._judge(before, monitor)
        return tuple([t.detach() for t in self.outputs])

    def _note_escaped(self, tensors: list[Tensor], scope: Any) -> None:
        stored = [] if scope is None else [ref() for ref in scope._touched]
        for t in tensors:
            value = t._value
            if any(value is leaf for leaf in self.own):
                with torch.enable_grad():  # a leaf is no result of a node
                    value = t._value = value.view_as(value)
            self.escaped.append((t, value))
            if any(t is other for other in stored):  # on a cell: for as long as the gradient
                keep(t)

    def result(self, values: tuple[torch.Tensor, ...]) -> Any:
        """The call's result over the node's outputs."""
        assert self.flat is not None
        own = {id(t) for t in self.flat.tensors}
        result = {id(raw): value for raw, value in zip(self.outputs, values, strict=True)}
        for t in tensors_in(self.form):
            value = None if id(t) in own else result.get(id(t._value))
            if value is not None:
                t._value = value
        for t, raw in self.changed:  # the caller goes on with what was made of it
            for scope in reversed(thread.grad_scopes):
                if scope.touch(t):
                    break
            t._value = result[id(raw)]
        for t, raw in self.escaped:
            t._value = result[id(raw)]
        self.changed, self.escaped = [], []
        form, self.form = self.form, None
        self.flat = None  # the inputs may be freed before the gradient
        return form

    def backward(self, grads: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
        """The gradients of the node's inputs; recorded behind the forward part."""
        recording = self.recording
        assert recording is not None
        recorder = recording.recorder
        chosen = [
            i
            for i, (raw, g) in enumerate(zip(self.outputs, grads, strict=True))
            if g is not None and raw.requires_grad
        ]
        targets = [t for t, expected in zip(self.own, self.wants, strict=True) if expected]
        targets += self.extra
        cotangents = [grads[i].detach() for i in chosen]  # type: ignore[union-attr]

        def solve() -> Sequence[torch.Tensor | None]:
            if not (chosen and targets):
                return [None] * len(targets)
            outputs = [self.outputs[i] for i in chosen]
            # torch may ask again: a Jacobian takes one backward pass for each row
            with _without_hooks(self.extra):
                return torch.autograd.grad(
                    outputs, targets, cotangents, allow_unused=True, retain_graph=True
                )

        if self.finished:
            with _inside(False):
                return self._placed(solve())
        self.finished = True
        before = self.specialization.function.current_state()
        recorder.monitor = monitor = Monitor()
        with _inside(False), recorder:
            recording.differentiable = chosen
            recording.cotangents = [recorder.new_variable(g) for g in cotangents]
            with monitor:
                result = solve()
            recording.gradients = [None if g is None else recorder._ref(g).i for g in result]
            recorder.finish([*self.outputs, *[g for g in result if g is not None]], escapes=False)
        recorder.forget()
        self._judge(before, monitor)
        self.specialization.learned(self, recorder.aborted, recorder.aborted_site)
        return self._placed(result)

    def _placed(self, entry: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
        result = iter(entry)
        return [
            *(next(result) if expected else None for expected in self.wants),
            *result,
        ]


class _PythonNode(torch.autograd.Function):
    """Python as one node of torch's graph."""

    @staticmethod
    def forward(ctx: Any, run: _PythonRun, *tensors: torch.Tensor) -> Any:
        ctx.run = run
        ctx.set_materialize_grads(False)
        result = run.forward(tensors)
        ctx.mark_non_differentiable(
            *[v for v, raw in zip(result, run.outputs, strict=True) if not raw.requires_grad]
        )
        return result

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *grads: Any
    ) -> Any:
        return None, *ctx.run.backward(grads)


@contextlib.contextmanager
def _standing_in(given: Sequence[Tensor], fresh: Sequence[Tensor]) -> Iterator[None]:
    """Let the caller's tensors hold the values of others, which take them over at the end."""
    before = [t._value for t in given]
    try:
        for t, other in zip(given, fresh, strict=True):
            t._value = other._value
        yield
    finally:
        for t, other, value in zip(given, fresh, before, strict=True):
            now = other._value = t._value
            same = now.data_ptr() == value.data_ptr() and now.shape == value.shape
            t._value = value if same else now.detach()


@contextlib.contextmanager
def _without_hooks(leaves: Sequence[torch.Tensor]) -> Iterator[None]:
    """Let hooks on leaves rest in a backward pass inside of a node, whose result they see."""
    hooked = [(t, t._backward_hooks) for t in leaves if t._backward_hooks]
    for t, _ in hooked:
        t._backward_hooks = None
    try:
        yield
    finally:
        for t, hooks in hooked:
            t._backward_hooks = hooks


@contextlib.contextmanager
def _inside(grad: bool, inputs: Sequence[Tensor] = ()) -> Iterator[GradScope | None]:
    """Be inside of a compiled call; `inputs` may be changed in place under the gradient."""
    scopes = thread.grad_scopes
    here = GradScope.over(inputs) if inputs else None
    if here is not None:
        thread.grad_scopes = [here]
    try:
        with inside_a_call(grad):
            yield here
    finally:
        thread.grad_scopes = scopes
        if here is not None and here.reducers:
            for scope in scopes:
                scope.reduce_with(here.reducers)


# ------------------------------------------------------------------------------------- replay


class _Plan:
    """Generated code for the forward and the backward part."""

    def __init__(self, function: Any, run: _PythonRun) -> None:
        recording = run.recording
        assert recording is not None
        recorder, outcome = recording.recorder, recording.outcome
        self.function = function
        self.outcome = outcome
        self.extra = run.extra
        self.count = len(run.fresh)
        self.differentiable = recording.differentiable
        self.gradients = recording.gradients
        ops, stands = aliases_resolved(recorder.ops)
        captured = recorder.captured
        written = {recorder.metas[v].storage for op in ops for v in mutates(op)}
        for v, entry in captured.items():
            if entry.created and recorder.metas[v].storage in written:
                raise Untrusted("a tensor made by Python is changed in place under a gradient")
        if any(recorder.metas[i].storage in written for i in range(self.count)):
            raise Untrusted("an argument is changed in place under a gradient")

        def stand(v: int) -> int:
            return stands.get(v, v)

        begin = [op for op in ops if op.at < recording.forward]
        back = [op for op in ops if op.at >= recording.forward]
        self.places = {v: stand(v) for v in outcome.variables}
        given = list(dict.fromkeys(self.places.values()))
        gradients = [stand(v) for v in self.gradients if v is not None]
        expected = list(dict.fromkeys(gradients))
        back = without_dead_code(back, expected)
        cotangents = [stand(v) for v in recording.cotangents]
        self.saved = [v for v in inputs_of(back, expected) if v not in cotangents]
        result = {v for op in begin for v in outputs_of(op)}
        outs = list(dict.fromkeys([*given, *(v for v in self.saved if v in result)]))
        begin = without_dead_code(begin, outs)
        bound = {v: f.tensor for v, f in captured.items()}
        self.others = [
            f.tensor for f in captured.values() if all(f.tensor is not t for t in run.extra)
        ]
        self.gives = given
        self.first = _subgraph(begin, outs, recorder, bound)
        self.takes = [v for v in self.first.ins if v not in bound]
        self.forward = o0.generate(self.first, bound=self.first.captured, name="forward")
        self.second = _subgraph(back, expected, recorder, {}, [*self.saved, *cotangents])
        self.backward = o0.generate(self.second, name="backward")
        self.answers = [None if v is None else expected.index(stand(v)) for v in self.gradients]
        self.bound = bound
        self.cotangent_metas = [recorder.metas[v] for v in cotangents]
        self.wants = run.wants
        self.pure = all(is_pure(op) for op in ops)

    def fits(self) -> bool:
        """Whether the same parameters are differentiated as in the recording."""
        return all(t.requires_grad for t in self.extra) and not any(
            t.requires_grad for t in self.others
        )

    def call(self, flat: FlatArguments) -> Any:
        """Replay as one node of torch's graph."""
        given = [t._value for t in flat.tensors]
        values = _ReplayNode.apply(self, flat.spec, *given, *self.extra)
        env = dict(zip(self.gives, values, strict=True))
        env = {v: env[source] for v, source in self.places.items()}
        return self.outcome.build(env, flat)

    def run_forward(self, tensors: Sequence[torch.Tensor]) -> tuple[list[torch.Tensor], list[Any]]:
        """The results, and what the backward part needs."""
        _, outs = self.forward(*[tensors[v] for v in self.takes])
        env = dict(zip(self.first.outs, outs, strict=True))
        retained = []
        for v in self.saved:
            if v in env:
                retained.append(env[v])
            else:
                retained.append(tensors[v] if v < self.count else self.bound[v])
        return [env[v] for v in self.gives], retained

    def run_backward(
        self, retained: Sequence[Any], grads: Sequence[torch.Tensor | None]
    ) -> list[torch.Tensor | None]:
        """The gradients of the node's inputs."""
        cotangents = []
        for i, meta in zip(self.differentiable, self.cotangent_metas, strict=True):
            g = grads[self.gives.index(self.places[self.outcome.variables[i]])]
            if g is None:
                g = torch.zeros(meta.shape, dtype=meta.dtype, device=meta.device)
            cotangents.append(g if g.stride() == meta.stride else _restrided(g, meta))
        _, result = self.backward(*retained, *cotangents)
        answers = iter([None if i is None else result[i] for i in self.answers])
        return [*(next(answers) if w else None for w in self.wants), *answers]

    def run_again(
        self,
        spec: Any,
        tensors: Sequence[torch.Tensor],
        grads: Sequence[torch.Tensor | None],
    ) -> list[torch.Tensor | None]:
        """The gradients through Python, themselves differentiable."""
        if not self.pure:
            raise RuntimeError(
                f"For '{self.function.name}', a derivative of higher order needs the compiled call "
                "to run again, but it changes parameters or draws random numbers. Call it in "
                "PYNATIVE_MODE (without jit), or take the derivative inside of the compiled "
                "function."
            )
        with _inside(True):
            fresh = [wrap(t.view_as(t)) for t in tensors[: self.count]]
            args, kwargs = rebuild(spec, fresh)
            result = self.function.python(args, kwargs)
            outs = [t._value for t in tensors_in(result)]
            pairs = [(o, g) for o, g in zip(outs, grads, strict=True) if g is not None]
            targets = [f._value for f, w in zip(fresh, self.wants, strict=True) if w]
            with _without_hooks(self.extra):
                entry = torch.autograd.grad(
                    [o for o, _ in pairs],
                    [*targets, *self.extra],
                    [g for _, g in pairs],
                    create_graph=True,
                    allow_unused=True,
                )
        answers = iter(entry)
        return [*(next(answers) if w else None for w in self.wants), *answers]


def _restrided(g: torch.Tensor, meta: Meta) -> torch.Tensor:
    result = torch.empty_strided(meta.shape, meta.stride, dtype=meta.dtype, device=meta.device)
    return result.copy_(g)


def _subgraph(
    ops: list[Op],
    outs: list[int],
    recorder: Recorder,
    bound: dict[int, torch.Tensor],
    ins: list[int] | None = None,
) -> Subgraph:
    result = inputs_of(ops, outs) if ins is None else ins
    captured = {v: t for v, t in bound.items() if v in result}
    return Subgraph(ops, result, outs, recorder.metas, False, captured)


class _ReplayNode(torch.autograd.Function):
    """Recorded code as one node of torch's graph."""

    @staticmethod
    def forward(ctx: Any, plan: _Plan, spec: Any, *tensors: torch.Tensor) -> Any:
        results, retained = plan.run_forward(tensors)
        ctx.plan, ctx.spec, ctx.versions = plan, spec, [t._version for t in plan.extra]
        ctx.set_materialize_grads(False)
        # torch keeps tensors; what else a host function made (random state) is kept beside them
        ctx.others = [None if isinstance(k, torch.Tensor) else k for k in retained]
        # of parameters those alone that are needed: a program may change others before the gradient
        given = tensors[: plan.count]
        ctx.save_for_backward(*given, *[k for k in retained if isinstance(k, torch.Tensor)])
        chosen = {plan.places[plan.outcome.variables[i]] for i in plan.differentiable}
        ctx.mark_non_differentiable(
            *[r for v, r in zip(plan.gives, results, strict=True) if v not in chosen]
        )
        return tuple(results)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        saved = ctx.saved_tensors
        plan: _Plan = ctx.plan
        if torch.is_grad_enabled():
            if ctx.versions != [t._version for t in plan.extra]:
                raise RuntimeError(
                    f"For '{plan.function.name}', a parameter has been modified by an inplace "
                    "operation between the call and its derivative of higher order."
                )
            return None, None, *plan.run_again(ctx.spec, saved[: plan.count], grads)
        held = iter(saved[plan.count :])
        retained = [next(held) if other is None else other for other in ctx.others]
        return None, None, *plan.run_backward(retained, grads)
