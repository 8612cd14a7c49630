"""Replayed calls compared with runs as Python: `agar.graph.audit` and ``AGAR_AUDIT``.

An audited call is served as ever. If it was replayed, what it did is noted and undone, the call
runs once more as Python, and the two are compared: results, what they changed, random states,
exceptions. What Python did is kept, so that the program goes on as after one call.

NOTE What it costs. An audited function has another class (`_Audited`), whose `serve` counts; a
function that is not audited is as it would be without this module.

NOTE Rounding. Where only O0 can have served the call, every bit must be equal, unless two runs of
Python differ as well (kernels that add in any order). Where other plans may have served it, what
`agar._core.graph.autotune.verify` allows a plan is allowed here: its tolerance, or what the same
call makes of inputs that are some roundings away.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

import torch

from agar._core.autodiff import functorch_level
from agar._core.errors import describe, missing_feature
from agar._core.graph.autotune.verify import perturb
from agar._core.graph.cache.function import CompiledFunction, compiled_functions
from agar._core.graph.cache.tree import Node, _difference, nodes_of
from agar._core.graph.diagnostics import GraphWarning
from agar._core.graph.guard.flatten import flatten
from agar._core.graph.guard.reads import is_cell
from agar._core.graph.inspect.effects import Contents, Reach, same_bits
from agar._core.graph.inspect.explain import functions_of
from agar._core.graph.inspect.forms import Difference, Forms, at_path, form_of, raws_in
from agar._core.graph.ir.graph import mutates
from agar._core.graph.record.recorder import Recorder, inside_a_call
from agar._core.multi_device import world
from agar._core.runtime import runtime, thread

__all__ = ["Audit", "Difference", "GraphAuditError", "audit"]

_SHOWN = 8  # differences that a message lists
_ADDRESS = re.compile("0x[0-9a-f]+")
_ACTIONS = ("raise", "warn")


class GraphAuditError(RuntimeError):
    """A replayed call did otherwise than Python; see :func:`audit`.

    Attributes:
        function: the name of what was called.
        differences: each a :class:`Difference`.
        where: file and line of the operation that made the first differing value, or None.
        cell: the cell whose code that line belongs to, "" if it belongs to none.
        result: what Python returned.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> issubclass(ms.graph.GraphAuditError, RuntimeError)
        True
    """

    def __init__(
        self,
        function: str,
        differences: list[Difference],
        where: tuple[str, int] | None = None,
        cell: str = "",
        reason: str = "",
        result: Any = None,
    ) -> None:
        self.function = function
        self.differences = tuple(differences)
        self.where = where
        self.cell = cell
        self.result = result
        lines = [f"For '{function}', a replayed call differs from the same call run as Python:"]
        lines += [
            f"  {d.what}: Python gave {d.python}, the replay gave {d.replay}"
            for d in differences[:_SHOWN]
        ]
        if len(differences) > _SHOWN:
            lines.append(f"  and {len(differences) - _SHOWN} more")
        if where is not None:
            inside = f" (in {cell})" if cell else ""
            lines.append(f"  made at {where[0]}:{where[1]}{inside}")
        if reason:
            lines.append(f"  {reason}")
        lines.append(
            "  What Python did was kept. agar.graph.clear(...) forgets the recordings; "
            "PYNATIVE_MODE does without them. Please report this: it is a fault of agar, unless "
            "the guide (Graph mode, What is watched) says that this is not seen."
        )
        super().__init__("\n".join(lines))


# ------------------------------------------------------------------------------- what is audited


class Audit:
    """An audit that goes on until :meth:`end`, or the end of a ``with`` block.

    Args:
        target (Any): the cell or function whose calls are compared; None for all.
        every (int): each so many replayed calls are compared.
        action (str): ``"raise"`` or ``"warn"``, what happens when one differs.

    Attributes:
        replays: how many replayed calls it has seen.
        compared: how many of them it has compared.
        found: the errors of calls that differed.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.
    """

    def __init__(self, target: Any, every: int, action: str) -> None:
        self.every = every
        self.action = action
        self.replays = 0
        self.compared = 0
        self.differences: list[GraphAuditError] = []
        self._everything = target is None
        self._targets: list[weakref.ref[Any]] = []
        if target is not None:
            for part in (target, getattr(target, "__func__", None)):
                with contextlib.suppress(TypeError):
                    self._targets += [] if part is None else [weakref.ref(part)]
        self._functions: list[weakref.ref[CompiledFunction]] = []
        self._due = every
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return (
            f"Audit: {self.compared} of {self.replays} replayed calls compared with Python, "
            f"{len(self.differences)} differed"
        )

    def end(self) -> None:
        """Stop comparing."""
        with _changing:
            if self in _active:
                _active.remove(self)
                _refresh()

    def __enter__(self) -> Audit:
        return self

    def __exit__(self, *error: Any) -> None:
        self.end()

    def _covers(self, function: CompiledFunction) -> bool:
        if self._everything or any(f() is function for f in self._functions):
            return True
        targets = [t for t in (ref() for ref in self._targets) if t is not None]
        owners = (function, *function._roots)
        return any(o is t for o in owners for t in targets)

    def _next(self) -> bool:
        """Whether the coming call is compared if it is replayed."""
        return self._due <= 1

    def _replayed(self, compared: bool) -> None:
        with self._lock:
            self.replays += 1
            self.compared += compared
            self._due = self.every if compared else self._due - 1

    def _not_replayed(self) -> None:
        """A call that was to be compared ran as Python; try again, but not at each of many."""
        with self._lock:
            self._due = 1 + self.every // 8


_active: list[Audit] = []
_changing = threading.RLock()
_comparing = threading.RLock()


class _Audited(CompiledFunction):
    """A compiled function whose calls are compared with Python now and then."""

    def serve(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if thread.precision or functorch_level():
            return super().serve(args, kwargs)
        entry = _audit_of(self)
        if entry is None or world.size > 1 or not entry._next():
            before = self.runs
            result = super().serve(args, kwargs)
            if entry is not None and self.runs == before:
                entry._replayed(False)
            return result
        with _comparing:
            return _Comparison(self, args, kwargs, entry).call()


def _audit_of(function: CompiledFunction) -> Audit | None:
    return next((a for a in reversed(_active) if a._covers(function)), None)


def _cover(function: CompiledFunction) -> None:
    """Give a function the class that it needs."""
    expected = CompiledFunction if _audit_of(function) is None else _Audited
    if type(function) in (CompiledFunction, _Audited) and type(function) is not expected:
        function.__class__ = expected


def _refresh() -> None:
    """After a change of the audits: all functions that exist, and those that will."""
    runtime.audit = _cover if _active else None
    for function in compiled_functions():
        _cover(function)


def audit(target: Any = None, every: int = 100, action: str = "raise") -> Audit:
    """Compare replayed calls with runs as Python: each `every`-th call that is replayed.

    Such a call runs twice, as it is served and as Python, from the same state: parameters, buffers,
    arguments, containers, attributes, globals that its code names, and random states (of agar,
    torch, Python and numpy) are put back in between. Compared are the results (values bit for bit
    with the plan O0, within the rounding that other plans are allowed; dtypes, shapes, types of
    containers, whether a result is an argument), everything that the call changed, exceptions
    (type and words), and, inside an eager gradient, the gradients; texts are printed once, and not
    compared. Afterwards everything is as Python left it. Cells called inside of a compiled call are
    part of it.

    What a call does outside of the process (files, connections) happens twice, and so does what
    ``agar.numpy_function`` does there; calls of other threads that change the same state meanwhile
    show as differences. A compared call takes the time of both runs and of copies of what it can
    change; calls that are not compared take a microsecond more, functions that are not audited
    nothing. ``AGAR_AUDIT=100`` in the environment audits a whole program, ``AGAR_AUDIT=100:warn``
    warns instead of raising. Calls of several processes are not compared: what runs twice in one
    would send twice.

    Args:
        target (Union[Cell, Callable, None]): as for :func:`explain`, also before its first call;
            None for everything that is compiled. Default: None.
        every (int): 1 compares every replayed call, 0 ends the audits of the target.
            Default: 100.
        action (str): ``"raise"`` or ``"warn"`` (once for each difference). Default: ``"raise"``.

    Returns:
        Audit, which counts what it has done; as a context manager it ends with its block.

    Raises:
        TypeError: `target` is nothing that can be compiled, or `every` is not an int.
        ValueError: `every` is negative, or `action` is another text.
        NotImplementedError: several processes have joined, and a target is given.
        GraphAuditError: by a later call that differs, naming cell, line and value.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> double = ms.jit(lambda x: x * 2)
        >>> with ms.graph.audit(double, every=2) as audit:
        ...     for _ in range(6):
        ...         _ = double(ms.Tensor([1.0, 2.0]))
        >>> audit.replays, audit.compared, audit.differences
        (4, 2, [])
    """
    if isinstance(every, bool) or not isinstance(every, int):
        raise TypeError(f"For 'audit', 'every' must be an int, but got {describe(every)}.")
    if every < 0:
        raise ValueError(f"For 'audit', 'every' must be 0 (to end) or more, but got {every}.")
    if world.size > 1 and every and target is not None:
        raise missing_feature(
            "graph.audit with several processes",
            "a second run of a call in one process would wait for collectives of the others",
            "audit the network in one process",
        )
    if action not in _ACTIONS:
        raise ValueError(f"For 'audit', 'action' must be one of {_ACTIONS}, but got {action!r}.")
    result = Audit(target, every, action)
    if target is not None:
        result._functions = [weakref.ref(f) for f in functions_of(target)]
    with _changing:
        if every:
            _active.append(result)
        else:
            _active[:] = [a for a in _active if not _same_target(a, result)]
        _refresh()
    return result


def _same_target(a: Audit, b: Audit) -> bool:
    if a._everything or b._everything:
        return b._everything
    mine, its = ([ref() for ref in x._targets] for x in (a, b))
    return any(t is not None and any(t is o for o in its) for t in mine)


def begin_from_environment(function: CompiledFunction) -> None:
    """Start what ``AGAR_AUDIT`` asks for, when the first function is compiled.

    Raises:
        ValueError: the variable is neither a whole number nor ``<number>:warn``.
    """
    text = os.environ.get("AGAR_AUDIT", "")
    runtime.audit = None
    number, _, action = text.partition(":")
    if not number.strip().isdecimal() or action not in ("", *_ACTIONS):
        raise ValueError(
            "The environment variable AGAR_AUDIT must be a whole number, with ':warn' behind it to "
            f"warn instead of raising, such as 100 or 100:warn; got {text!r}."
        )
    if int(number):
        audit(None, int(number), action or "raise")
        _cover(function)


# --------------------------------------------------------------------------------- a comparison


class _Run:
    """What one run of a call did."""

    def __init__(self) -> None:
        self.result: Any = None
        self.error: BaseException | None = None
        self.form: Any = None  # of the result, with copies of its tensors
        self.contents: Contents | None = None
        self.gradients: list[torch.Tensor | None] = []


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Print nothing: the replay has printed."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class _Comparison:
    """One call that is served, and compared if it was replayed."""

    def __init__(
        self, function: _Audited, args: tuple[Any, ...], kwargs: dict[str, Any], audit: Audit
    ) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.audit = audit
        #: `function` and its arguments, with names for people.
        roots: list[tuple[str, Any]] = [(function.name, function.fn)]
        roots += [(function.name, root) for root in function._roots]
        names = _names_of_arguments(function)
        for i, value in enumerate(args):
            roots.append((names[i] if i < len(names) else f"argument {i}", value))
        roots += list(kwargs.items())
        reads = function.reads
        for held in (reads.cells, reads.parameters, reads.tensors, reads.objects):
            roots += [(type(v).__name__, v) for v in held.values()]
        self.reach = Reach(roots, reads._names)
        self.before = self.reach.take()

    def call(self) -> Any:
        function = self.function
        runs = function.runs
        replay = _Run()
        # sys.stdout stays what it is: the call may be recorded, or compare it
        try:
            replay.result = CompiledFunction.serve(function, self.args, self.kwargs)
        except Exception as error:
            if function.runs != runs:
                self.audit._not_replayed()
                raise
            replay.error = error
        if function.runs != runs:
            self.audit._not_replayed()
            return replay.result
        self._note(replay)
        self.reach.put(self.before)
        python = self._python()
        self.audit._replayed(True)
        result = self._differences(python, replay, self._is_exact())
        if result:
            self._judge(result, python, replay)
        if python.error is not None:
            raise python.error
        return python.result

    def _judge(self, result: list[Difference], python: _Run, replay: _Run) -> None:
        """Say what differs, unless it is what rounding does, or Python itself differs so."""
        assert python.contents is not None
        try:
            again = self._again()
            if self._differences(again, python, True):
                # not a function of its state: kernels that add in any order
                result = self._differences(python, replay, False)
            if result and not self._is_exact():
                result = self._differences(python, replay, False, self._again(perturbed=True))
            if not result:
                return
            where, cell, reason = self._place(result[0])
        finally:
            self.reach.put(python.contents)
        error = GraphAuditError(
            self.function.name, result, where, cell, reason, python.error or python.result
        )
        new = not any(str(e) == str(error) for e in self.audit.differences)
        if new and len(self.audit.differences) < 1000:
            self.audit.differences.append(error)
        if self.audit.action == "raise":
            raise error from python.error
        if new:
            warnings.warn(str(error), GraphWarning, stacklevel=4)

    # ------------------------------------------------------------------------------- runs

    def _note(self, run: _Run) -> None:
        """Take down what a run did; gradients first, since they may change something themselves."""
        run.form = form_of(run.result, self.reach)
        contents = self.reach.take(self.before)
        if thread.grad_scopes and run.error is None:
            run.gradients = self._gradients(run.result)
            self.reach.put(contents)
        run.contents = contents

    def _python(self) -> _Run:
        """Run the call as Python, which prints nothing."""
        run = _Run()
        inside = thread.inside
        thread.inside = True
        with _silent():
            try:
                run.result = self.function.fn(*self.args, **self.kwargs)
            except Exception as error:
                run.error = error
            finally:
                thread.inside = inside
        self._note(run)
        return run

    def _again(self, perturbed: bool = False) -> _Run:
        """One more run from the state before the call; what it does is undone by the caller."""
        self.reach.put(self.before)
        if perturbed:
            with torch.no_grad():
                for i, (raw, _) in enumerate(self.reach.raws.values()):
                    if raw.is_floating_point() and 0 not in raw.stride():
                        raw.detach().copy_(perturb(raw, i))
            runtime.weights += 1
        return self._python()

    def _gradients(self, result: Any) -> list[torch.Tensor | None]:
        """The gradients of a result by what is differentiable now."""
        outs = [t for t in raws_in(result) if t.requires_grad and t.grad_fn is not None]
        targets = [raw for raw, _ in self.reach.raws.values() if raw.requires_grad]
        if not (outs and targets):
            return []
        ones = [torch.ones_like(t) for t in outs]
        try:
            with torch.no_grad():
                entry = torch.autograd.grad(
                    outs, targets, ones, allow_unused=True, retain_graph=True
                )
        except RuntimeError:  # what it needs was changed since: the program cannot ask either
            return []
        return [None if g is None else g.detach().clone() for g in entry]

    # ------------------------------------------------------------------------- differences

    def _is_exact(self) -> bool:
        """Whether nothing but O0 can have served the call."""
        for s in list(self.function.specializations.values()):
            for node in [] if s.root is None else nodes_of(s.root):
                tuner = node.autotuner
                if tuner is None or len(tuner.candidates) == 1:
                    continue
                if tuner.phase != "settled" or tuner.best is not tuner.first:
                    return False
        return True

    def _differences(
        self, python: _Run, replay: _Run, exact: bool, perturbed: _Run | None = None
    ) -> list[Difference]:
        if not _same_error(python.error, replay.error):
            a, b = (_exception(run.error) for run in (python, replay))
            return [Difference("the call", a, b, "exception")]
        same = Forms(exact)
        other = None if perturbed is None else perturbed.form
        same.compare(python.form, replay.form, "result", other)
        assert python.contents is not None
        assert replay.contents is not None
        for i, place in enumerate(self.reach.places):
            a, b = python.contents.values[i], replay.contents.values[i]
            c = None
            if perturbed is not None:
                assert perturbed.contents is not None
                c = perturbed.contents.values[i]
            if a is b or place.same(a, b):
                continue
            if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
                same.tensors(a, b, place.name, c, place.kind)
            else:
                mine, its = form_of(a, self.reach), form_of(b, self.reach)
                same.compare(mine, its, place.name, None, place.kind)
        if len(python.gradients) == len(replay.gradients):
            targets = [name for raw, name in self.reach.raws.values() if raw.requires_grad]
            other = [None] * len(targets)
            if perturbed is not None and len(perturbed.gradients) == len(targets):
                other = perturbed.gradients
            rows = zip(targets, python.gradients, replay.gradients, other, strict=False)
            for name, a, b, c in rows:
                what = f"the gradient of {name}"
                if a is None or b is None:  # zeros may be given as none
                    held = a if b is None else b
                    if held is not None and bool(held.any()):
                        same.note(what, a, b, "gradient")
                elif not same_bits(a, b):
                    same.tensors(a, b, what, c, "gradient")
        return same.differences

    # -------------------------------------------------------------------- where it was made

    def _place(self, difference: Difference) -> tuple[tuple[str, int] | None, str, str]:
        """Line and cell of the operation that made a value, and how the recording differs.

        Python runs once more, recorded, and its operations are compared with those of the tree.
        """
        if thread.grad_scopes or functorch_level():
            return None, "", ""
        site, reason = None, ""
        self.reach.put(self.before)
        try:
            flat = flatten(self.args, self.kwargs, self.function.rules)
            recorder = Recorder()
            recorder.inputs = range(len(flat.tensors))
            recorder.outside = self.function.outside()
            with inside_a_call(grad=False), recorder, _silent():
                for i, t in enumerate(flat.tensors):
                    recorder.new_input(t._value, i)
                result = self.function.fn(*self.args, **self.kwargs)
            site = self._creation_site(difference, recorder, result)
            for s in list(self.function.specializations.values()):
                if s.key == flat.key and s.root is not None and s.root.trusted:
                    reason, at = _first_change(s.root, recorder)
                    site = at or site
                    if reason:
                        break
        except Exception as error:
            reason = f"where it was made is not known ({type(error).__name__})"
        return site, self._cell_at(site), reason

    def _creation_site(
        self, difference: Difference, recorder: Recorder, result: Any
    ) -> tuple[str, int] | None:
        """The line of the operation that made or changed a value."""
        numbers = set()
        if difference.kind == "result":
            raw = at_path(result, difference.what)
            number = None if raw is None else recorder.number_of(raw)
            numbers = set() if number is None else {number}
        else:
            held = {v: id(f.tensor) for v, f in recorder.captured.items()}
            held.update({i: id(t) for t, i in recorder._input_ids.values()})
            what = difference.what.split(" at (")[0]
            named = {i for i, (_, name) in self.reach.raws.items() if name == what}
            numbers = {v for v, i in held.items() if i in named}
        storages = {recorder.metas[v].storage for v in numbers if v in recorder.metas}
        for op in reversed(recorder.ops):
            if numbers.intersection(o for o in op.outs if o is not None):
                return op.site
            if any(recorder.metas[v].storage in storages for v in mutates(op)):
                return op.site
        return None

    def _cell_at(self, site: tuple[str, int] | None) -> str:
        """The cells whose code a line belongs to."""
        if site is None:
            return ""
        cells = {id(c): c for c in self.function.cells()}
        results = []
        for key, cell in cells.items():
            for base in type(cell).__mro__:
                if any(_contains(v, site) for v in vars(base).values()):
                    results.append(self.reach.known.get(key, type(cell).__name__))
                    break
        return ", ".join(results[:3]) + (
            f" and {len(results) - 3} more" if len(results) > 3 else ""
        )


def _contains(value: Any, site: tuple[str, int]) -> bool:
    """Whether a line is part of a function."""
    value = inspect.unwrap(value) if callable(value) else value
    code = getattr(getattr(value, "__func__", value), "__code__", None)
    if not isinstance(code, types.CodeType) or code.co_filename != site[0]:
        return False
    return any(line == site[1] for _, _, line in code.co_lines())


def _first_change(root: Node, recorder: Recorder) -> tuple[str, tuple[str, int] | None]:
    """How the operations of a run differ from those of a tree: the first difference."""
    node: Node | None = root
    at = 0
    while node is not None:
        for mine in node.ops:
            if at >= len(recorder.ops):
                return f"{mine.name} was recorded, and does not run any more", mine.site
            its = recorder.ops[at]
            if not mine.same(its):
                return f"since the recording, {_difference(mine, its)}", its.site or mine.site
            at += 1
        for number, held in node.captured.items():
            its_held = recorder.captured.get(number)
            if its_held is None or not held.same(its_held):
                user = next((o for o in node.ops if number in (r.i for r in _refs(o.args))), None)
                reason = "a tensor that Python makes or reads is another one than was recorded"
                return reason, None if user is None else user.site
        if node.cut is None:
            if at < len(recorder.ops):
                op = recorder.ops[at]
                return f"{op.name} runs, and was not recorded", op.site
            return "", None
        cuts = [c for c in recorder.cuts if c.position == at]
        node = node.children.get(cuts[0].key) if cuts else None
    return "", None


def _refs(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for v in value:
            yield from _refs(v)
    elif hasattr(value, "i"):
        yield value


def _names_of_arguments(function: CompiledFunction) -> list[str]:
    owner: Any = function._roots[-1] if function._roots else function.fn
    called = owner.construct if is_cell(owner) else owner
    try:
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):  # builtins tell nothing of their arguments
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _same_error(python: BaseException | None, replay: BaseException | None) -> bool:
    """Whether two exceptions have one type and, but for addresses of objects, the same words.

    An operator that fails in a replay which has changed something already is reported in words
    of the engine's own: Python cannot run the call once more to say it.
    """
    if type(python) is not type(replay):
        return False
    if replay is None or getattr(replay, "_agar_of_replay", False):
        return True
    a, b = (_ADDRESS.sub("0x", str(error)) for error in (python, replay))
    return a == b


def _exception(error: BaseException | None) -> str:
    return "a result" if error is None else f"{type(error).__name__}: {str(error)[:120]}"
