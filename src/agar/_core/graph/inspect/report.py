"""What became of a compiled function, for people who wonder why it is slow.

An :class:`Explanation` holds texts and numbers alone, so that it keeps no tensor alive and stays as
it was when it was made; `agar._core.graph.inspect.explain` makes it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Captured",
    "Compiled",
    "Explanation",
    "Fallback",
    "Plan",
    "Specialization",
    "Subgraph",
    "advice",
    "listed",
    "place",
]

Site = tuple[str, int]

_SUBGRAPHS = 40  # of one specialization that the text lists
_CAUSES = 12  # reasons for running as Python that the text lists
_SPECIALIZATIONS = 8  # that the text lists
_SHOWN = 6  # names, causes and branches that a line lists before it counts the rest


# --------------------------------------------------------------------------------- what is told


@dataclass(frozen=True)
class Plan:
    """One way to run a subgraph.

    Attributes:
        name: ``"O0"``, ``"O1"``, ``"folded"``, ...
        state: ``"ready"``, ``"waiting"`` (it is being compiled), ``"rejected"`` or ``"dropped"``.
        seconds: of its middle call; None before it was timed.
        in_use: whether calls run it now.
        compiling: whether a compilation in the background has not ended.
        reason: why it is in its state, "" if there is nothing to say.
    """

    name: str
    state: str
    seconds: float | None = None
    in_use: bool = False
    compiling: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Subgraph:
    """A stretch of operations without decisions of Python.

    Attributes:
        number: in its specialization, from 1.
        part: ``"call"``, or ``"forward"`` and ``"backward"`` inside an eager gradient.
        operations: how many run at each call.
        cut: why it ends: ``"read"`` (Python read a value), ``"shape"`` (a shape depends on
            values) or ``"end"``.
        variable: what was read or has the shape, ``""`` at the end.
        operator: which operator made it, ``""`` where it came from outside.
        where: file and line of the cut, None at the end.
        branches: the values seen at the cut, with the number of the subgraph that each leads to.
        parent: the number of the subgraph before it, None for the first.
        confirmed: whether a second recording agreed, so that it is replayed.
        phase: of the search for the fastest plan: ``"watching"``, ``"comparing"``, ``"settled"``.
        plans: those known.
    """

    number: int
    part: str
    operations: int
    cut: str = "end"
    variable: str = ""
    operator: str = ""
    where: Site | None = None
    branches: tuple[tuple[Any, int], ...] = ()
    parent: int | None = None
    confirmed: bool = True
    phase: str = "settled"
    plans: tuple[Plan, ...] = ()


@dataclass(frozen=True)
class Captured:
    """A tensor that a recording holds by reference: a parameter, a state, a constant.

    Attributes:
        name: of the parameter, "" for another tensor.
        shape: of the tensor.
        dtype: such as ``"float32"``.
        nbytes: its size.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int


@dataclass(frozen=True)
class Fallback:
    """Why calls of one kind run as ordinary Python.

    Attributes:
        function: the name of what was called.
        signature: of the calls.
        reason: why they cannot be recorded.
        where: file and line, None where no single place is to blame.
        advice: what to do about it.
        final: whether calls of this kind are no longer recorded; False after a first failure.
    """

    function: str
    signature: str
    reason: str
    where: Site | None
    advice: str
    final: bool = True


@dataclass(frozen=True)
class Specialization:
    """What is recorded for one signature in one state of the cells.

    Attributes:
        function: the name of what was called.
        kind: ``"call"``, ``"gradient"`` for calls inside an eager gradient, or ``"dynamic"`` for
            a recording that serves all sizes of some dimensions.
        signature: the arguments with shapes and dtypes.
        guards: what a call must fulfill to be served by it, in words.
        state: ``"compiled"``, ``"recorded once"``, ``"not recorded"`` or ``"plain"``.
        recordings: runs of Python that were recorded.
        replays: calls served without Python, as far as they are counted.
        counted: whether all replays are counted; the fastest entries do not count.
        subgraphs: parents first.
        captured: the tensors that it holds.
        failures: why recordings failed so far.
    """

    function: str
    kind: str
    signature: str
    guards: tuple[str, ...]
    state: str
    recordings: int
    replays: int
    counted: bool
    subgraphs: tuple[Subgraph, ...] = ()
    captured: tuple[Captured, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """The size of the tensors that it holds."""
        return sum(t.nbytes for t in self.captured)


@dataclass(frozen=True)
class Compiled:
    """One thing that was compiled: a function, a cell, or a gradient of one.

    Attributes:
        name: for people.
        level: the plan asked for, ``"O0"`` or ``"O1"``; None where agar chooses.
        specializations: its recordings.
        fallbacks: what could not be recorded.
        plain_calls: calls that ran as ordinary Python.
        plain_reasons: why, with the number of calls, as far as it was noted.
        recaptures: changes of attributes of cells that asked for other recordings, latest last.
        seen_once: signatures that came once and were not recorded.
        hints: what else may be slow, with advice.
    """

    name: str
    level: str | None
    specializations: tuple[Specialization, ...] = ()
    fallbacks: tuple[Fallback, ...] = ()
    plain_calls: int = 0
    plain_reasons: tuple[tuple[str, int], ...] = ()
    recaptures: tuple[str, ...] = ()
    seen_once: int = 0
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Explanation:
    """What became of a compiled function or cell; ``print`` shows it.

    Its parts are plain records. A specialization has ``signature``, ``guards``, ``state``,
    ``recordings``, ``replays``, ``captured`` and ``subgraphs``; a subgraph ``operations``, ``cut``,
    ``operator``, ``where``, ``branches`` and ``plans``; a plan ``name``, ``seconds`` and
    ``in_use``; a fallback ``reason``, ``where`` and ``advice``.

    Attributes:
        name: of what was asked about.
        compiled: the call and its gradients, each with its recordings.

    Difference from PyTorch: ``torch._dynamo.explain`` runs the function anew; this tells what
    happened in the calls so far.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> @ms.jit
        ... def double(x):
        ...     return x * 2
        >>> for _ in range(3):
        ...     _ = double(ms.Tensor([1.0, 2.0]))
        >>> report = ms.graph.explain(double)
        >>> report.called, len(report.subgraphs), report.fallbacks
        (True, 1, ())
    """

    name: str
    compiled: tuple[Compiled, ...] = ()

    @property
    def called(self) -> bool:
        """Whether a call ever reached the graph engine."""
        return any(c.specializations or c.plain_calls or c.fallbacks for c in self.compiled)

    @property
    def specializations(self) -> tuple[Specialization, ...]:
        """All recordings."""
        return tuple(v for c in self.compiled for v in c.specializations)

    @property
    def variants(self) -> tuple[Specialization, ...]:
        """An earlier name of `specializations`."""
        return self.specializations

    @property
    def segments(self) -> tuple[Subgraph, ...]:
        """An earlier name of `subgraphs`."""
        return self.subgraphs

    @property
    def subgraphs(self) -> tuple[Subgraph, ...]:
        """All subgraphs of all recordings."""
        return tuple(s for v in self.specializations for s in v.subgraphs)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """All plans of all subgraphs."""
        return tuple(p for s in self.subgraphs for p in s.plans)

    @property
    def fallbacks(self) -> tuple[Fallback, ...]:
        """All reasons for running as ordinary Python."""
        return tuple(f for c in self.compiled for f in c.fallbacks)

    @property
    def recaptures(self) -> tuple[str, ...]:
        """Changes of attributes that asked for other recordings."""
        return tuple(r for c in self.compiled for r in c.recaptures)

    @property
    def plain_calls(self) -> int:
        """Calls that ran as ordinary Python."""
        return sum(c.plain_calls for c in self.compiled)

    @property
    def compiling(self) -> int:
        """Compilations in the background that have not ended."""
        return sum(p.compiling for p in self.plans)

    def text(self, times: bool = True) -> str:
        """The whole as text.

        Args:
            times (bool): whether to show what differs from run to run: measured times, and what
                followed from them. Default: True.
        """
        return "\n".join(_lines(self, times))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from agar._core import html

        facts = [f"recordings: {len(self.specializations)}", f"fallbacks: {len(self.fallbacks)}"]
        return html.block(self.name, facts, html.text(self.text()))


# --------------------------------------------------------------------------------------- advice


_NUMPY = (
    "wrap the numpy code in agar.numpy_function, which becomes one step of the graph, or use the "
    "function of agar.ops that does the same"
)
_ATTRIBUTE = (
    "return what changes, pass it as an argument, or make it a Parameter and set it with "
    "ops.assign: an attribute of a cell is a constant of the recording"
)
_REPEAT = (
    "let Python be a function of the arguments: draw random numbers with ops or in an "
    "agar.numpy_function (no np.random, random or time), and pass what changes as a Tensor"
)
_BRANCH = (
    "choose with ops.where or ops.clamp instead of Python's if, or return the tensor and read it "
    "outside of the compiled call"
)

_OUTSIDE = "call it outside of the compiled call and pass its result as an argument"
_DRAW = (
    "draw outside of the compiled call and pass the number as an argument, or use the random "
    "operators of ops, which a compiled call repeats"
)

#: A part of the reason, and what to do.
_ADVICE: tuple[tuple[str, str], ...] = (
    ("becomes a numpy array", _NUMPY),
    ("become a list", f"keep it a Tensor (index it, or loop over ops.unbind), or {_NUMPY}"),
    ("changes what lies outside", _ATTRIBUTE),
    (
        "a weak reference",
        "pass what it leads to as an argument, or hold that by an ordinary reference",
    ),
    ("weakref.finalize", "make and ask finalizers outside of the compiled call"),
    (
        "cannot be seen",
        "pass it as an argument, or keep what the call needs in plain containers, arrays, tensors "
        "or objects of your own classes",
    ),
    ("it calls", _OUTSIDE),
    ("it draws from", _DRAW),
    ("the memory behind a tensor", _OUTSIDE),
    (
        "inside a mode of torch",
        "call it outside of the mode; amp and to_float set types of agar's own",
    ),
    ("it makes a random generator", _DRAW),
    ("profile function", "compiled calls are recorded when the profiler is off"),
    (
        "returns a numpy array of objects",
        "return tensors, numbers and plain containers of them from the call",
    ),
    (
        "returns an object of type",
        "return tensors, numbers, and containers and objects of classes without C that the call "
        "has made and keeps nowhere else",
    ),
    ("returns a tuple that contains itself", "return a tuple that does not"),
    ("numpy arrays that share memory", "return one of them, or copies"),
    ("whose key is an object", "use texts and numbers as keys"),
    ("a numpy array with gaps", "return a copy"),
    ("nested too deep", "return them in a list, or make calls of fewer levels"),
    ("holds a tensor with a gradient", "let the object hold ops.stop_gradient(...) of it"),
    ("one tensor in parts in two places", "return each tensor once"),
    (
        "a tensor in parts",
        "gather the tensor before (ops.reshard), or make that step outside of the call",
    ),
    ("is called with keywords", "pass these arguments by position"),
    ("that lies outside of the call", "return a copy"),
    ("a container that the call returns", "return what the attributes hold beside the container"),
    ("returns carries attributes", "return what the attributes hold beside the tensor"),
    ("shares its memory with", "pass a copy"),
    ("an iterator among the arguments", "pass a list or tuple of what it gives"),
    ("too many different objects", "pass the same object again, or tensors and plain values"),
    ("among the arguments has attributes", "pass what the attributes hold as further arguments"),
    ("attributes of cells change from call to call", _ATTRIBUTE),
    (
        "inside a precision scope",
        "take the gradient inside of the compiled function, and set precisions outside of it",
    ),
    ("a tensor has hooks", "set the hook inside of the compiled call"),
    (
        "a tensor requires a gradient",
        "call it inside of ms.value_and_grad, or pass a tensor without a gradient",
    ),
    ("an argument contains itself", "pass containers that do not contain themselves"),
    ("seen for the first time", "pass tensors of few different shapes"),
    ("more than", _BRANCH),  # values of one cut, ways of one tree
    (
        "Python reads a value of a tensor under a gradient",
        "take the gradient inside of the compiled function, or call ms.value_and_grad in "
        "GRAPH_MODE, which compiles it whole; or choose with ops.where",
    ),
    ("the result, apart from its tensors", _REPEAT),
    ("had other values in two runs", _REPEAT),
    ("other values in two runs", _REPEAT),
    ("did not repeat itself", _REPEAT),
    ("changed behind a value", "use ops that return a new tensor instead of changing it in place"),
    ("changed in place under a gradient", "use ops that return a new tensor instead"),
    (
        "is kept outside of it",
        "return the tensor instead of storing it, or store it in a Parameter with ops.assign",
    ),
    (
        "Python went on",
        "test the condition before the operator that raises, instead of catching its error",
    ),
    (
        "the text of a tensor",
        "print the tensor directly, or return it and make the text outside of the call",
    ),
    ("arguments that it does not take", "call print with values, sep, end, file and flush alone"),
    ("a printed text", "print each tensor once, or in a print of its own"),
    ("a thread is started", "start the thread outside of the compiled call"),
    ("torch.Generator", "use ms.set_seed or agar.Generator instead of torch.Generator"),
    ("of layout", "convert to a dense tensor before the call (sparse tensors are not recorded)"),
    ("seen as another type", "use ops.bitcast or astype, which make a new tensor"),
    ("memory from elsewhere", "make a new tensor instead of changing where one points"),
    ("nested lists of tensors", "call this operator outside of the compiled call"),
    ("gives Python a value", "call this operator outside of the compiled call, or ops like it"),
    ("something else than arrays", "return numpy arrays only from agar.numpy_function"),
    ("memory that it was given", "return a copy from agar.numpy_function (array.copy())"),
    (
        "a differentiable tensor that is no argument",
        "pass the tensor as an argument, or make it a Parameter of the cell",
    ),
    ("the gradients differ in kind", _REPEAT),
    ("Python reads a value of a tensor", _BRANCH),
    ("depends on values", "use an operator whose result has a fixed size, such as ops.where"),
    ("is not known", "call this operator outside of the compiled call, or give it fixed sizes"),
    ("a random number is compared", "compare random numbers with ints and floats of Python"),
    ("looks into what", "return the object's tensors from the function instead of its attributes"),
    ("what kind of object a size is", "ask for kinds and identities outside of the compiled call"),
    ("which is not recorded", "wrap the code in agar.numpy_function, or call it outside"),
    ("a size becomes a text", "make texts of sizes outside of the compiled call"),
    ("conjugated tensor", "resolve the conjugate before the call (ops.conj, then a copy)"),
    ("a tensor of another recording", "return the tensor from the call in which it was made"),
    ("changed in place by a differentiable one", "use ops that return a new tensor instead"),
)

_GENERAL = (
    "move the line out of the compiled call, or accept that calls of this kind run as in "
    "PYNATIVE_MODE; results are right either way"
)


def advice(reason: str) -> str:
    """What to do about a reason for running as ordinary Python."""
    return next((text for part, text in _ADVICE if part in reason), _GENERAL)


# ---------------------------------------------------------------------------------------- words


def listed(names: Sequence[str], limit: int = _SHOWN) -> str:
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def place(where: Site | None) -> str:
    """A file and line, relative to the present folder where that is shorter."""
    if where is None:
        return ""
    name = where[0]
    if os.path.isabs(name):
        here = os.getcwd() + os.sep
        name = name.removeprefix(here)
    return f"{name}:{where[1]}"


def _bytes(number: int) -> str:
    size = float(number)
    for function in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {function}" if function == "bytes" else f"{size:.1f} {function}"
        size /= 1024
    return f"{size:.1f} GiB"


_STATES = {
    "compiled": "compiled",
    "recorded once": "recorded once, the next call confirms it",
    "not recorded": "not recorded yet",
    "plain": "runs as ordinary Python",
}
_PHASES = {
    "watching": "; others are tried when it has used more time",
    "comparing": "; the plans alternate on real calls",
}


def _lines(report: Explanation, times: bool) -> Iterator[str]:
    if not report.called:
        if report.compiled:
            yield f"{report.name}: nothing is recorded; the next calls are."
            return
        yield f"{report.name}: never called compiled."
        yield (
            "  It is compiled when it is called in GRAPH_MODE (a Cell, or a gradient) or through "
            "ms.jit. Inside another compiled call it is part of that one: explain that."
        )
        return
    for i, part in enumerate(report.compiled):
        if i:
            yield ""
        yield from _compiled_lines(part, times)


def _compiled_lines(part: Compiled, times: bool) -> Iterator[str]:
    subgraphs = [s for v in part.specializations for s in v.subgraphs]
    yield (
        f"{part.name}: {_count(len(part.specializations), 'specialization')}, "
        f"{_count(len(subgraphs), 'subgraph')}, "
        f"{_count(sum(s.operations for s in subgraphs), 'operation')}"
    )
    recorded = sum(v.recordings for v in part.specializations)
    replayed = sum(v.replays for v in part.specializations)
    some = "" if all(v.counted for v in part.specializations) else "at least "
    yield (
        f"  calls: {recorded} recorded, {some}{replayed} replayed, "
        f"{part.plain_calls} as ordinary Python"
    )
    for reason, count in part.plain_reasons[:_CAUSES]:
        yield f"    {count} of them: {reason}"
        what = advice(reason)
        if what != _GENERAL:
            yield f"      advice: {what}"
    if len(part.plain_reasons) > _CAUSES:
        rest = part.plain_reasons[_CAUSES:]
        yield f"    {sum(n for _, n in rest)} of them: {_count(len(rest), 'other reason')}"
    if part.seen_once:
        yield (
            f"    {_count(part.seen_once, 'signature')} came once so far; from the third on, a "
            "signature is recorded when it comes again"
        )
    if part.level is not None:
        yield f"  plan asked for: {part.level}"
    compiling = sum(p.compiling for s in subgraphs for p in s.plans)
    if compiling:
        yield f"  compiling in the background: {_count(compiling, 'plan')}"
    if part.recaptures:
        yield f"  attributes that changed, each state recorded by itself: {_changes(part)}"
    # what failed several times says so once, although its numbers differ
    kinds: dict[Any, list[Fallback]] = {}
    for fallback in part.fallbacks:
        pattern = re.sub(r"\(.*\)", "", fallback.reason)
        kinds.setdefault((fallback.signature, pattern, fallback.final), []).append(fallback)
    for alike in list(kinds.values())[:_CAUSES]:
        yield from _fallback_lines(alike[-1], len(alike))
    if len(kinds) > _CAUSES:
        yield f"  and {_count(len(kinds) - _CAUSES, 'more reason')} (see .fallbacks)"
    for hint in part.hints:
        yield f"  hint: {hint}"
    shown = part.specializations[:_SPECIALIZATIONS]
    if len(part.specializations) > len(shown):
        hidden = part.specializations[len(shown) :]
        states = Counter(v.state for v in hidden)
        words = ", ".join(f"{n} {state}" for state, n in states.items())
        yield f"  the first {len(shown)} specializations follow; the others: {words}"
    for number, specialization in enumerate(shown, 1):
        yield from _specialization_lines(number, specialization, times)


def _changes(part: Compiled) -> str:
    """Which attributes changed, and from what to what at last."""
    changes: dict[str, list[str]] = {}
    for text in part.recaptures:
        name, _, change = text.partition(": ")
        changes.setdefault(name, []).append(change)
    shown = []
    for name, result in changes.items():
        last = f" {result[-1]}" if result[-1] else ""
        shown.append(
            f"{name}{last}" if len(result) == 1 else f"{name}{last} ({len(result)} changes)"
        )
    return listed(shown)


def _fallback_lines(fallback: Fallback, count: int) -> Iterator[str]:
    often = "once" if count == 1 else f"{count} times"
    what = " runs as ordinary Python" if fallback.final else f": recording failed {often}"
    where = f" ({place(fallback.where)})" if fallback.where else ""
    yield f"  {fallback.signature}{what}: {fallback.reason}{where}"
    yield f"    advice: {fallback.advice}"


def _specialization_lines(
    number: int, specialization: Specialization, times: bool
) -> Iterator[str]:
    yield ""
    inside = " inside a gradient" if specialization.kind == "gradient" else ""
    state = _STATES[specialization.state]
    yield f"  specialization {number}: {specialization.signature}{inside}: {state}"
    more = "" if specialization.counted else ", then served by generated code that does not count"
    recordings = _count(specialization.recordings, "recording")
    yield f"    {recordings}, {_count(specialization.replays, 'replay')}{more}"
    if specialization.state == "plain":
        return
    yield "    serves a call if"
    for guard in specialization.guards:
        yield f"      {guard}"
    if specialization.captured:
        names = [t.name for t in specialization.captured if t.name]
        unnamed = len(specialization.captured) - len(names)
        if unnamed:
            names.append(_count(unnamed, "other tensor"))
        held = _count(len(specialization.captured), "tensor")
        yield f"    holds {held}, {_bytes(specialization.nbytes)}: {listed(names)}"
    yield from _tree_lines(specialization.subgraphs, times)


def _tree_lines(subgraphs: Sequence[Subgraph], times: bool) -> Iterator[str]:
    """The subgraphs, each branch under the value that leads to it."""
    by_number = {s.number: s for s in subgraphs}
    # a stack, so that a long chain of cuts does not meet Python's recursion limit
    stack = [(s, "    ", "") for s in reversed(subgraphs) if s.parent is None]
    shown = 0
    while stack:
        if shown == _SUBGRAPHS:
            yield f"    and {_count(len(subgraphs) - shown, 'more subgraph')}"
            return
        shown += 1
        subgraph, indent, lead = stack.pop()
        part = "" if subgraph.part == "call" else f" ({subgraph.part})"
        yield (
            f"{indent}{lead}subgraph {subgraph.number}{part}: "
            f"{_count(subgraph.operations, 'operation')}{_ending(subgraph)}"
        )
        if not subgraph.confirmed:
            yield f"{indent}  recorded once, the next call confirms it"
        for plan in subgraph.plans:
            last = times and plan is subgraph.plans[-1]
            more = _PHASES.get(subgraph.phase, "") if last else ""
            yield f"{indent}  {_plan_line(plan, times)}{more}"
        if len(subgraph.branches) == 1:  # a chain stays at its indent
            value, number = subgraph.branches[0]
            stack.append((by_number[number], indent, f"then (so far always {value!r}) "))
        else:
            for value, number in reversed(subgraph.branches):
                stack.append((by_number[number], f"{indent}  ", f"if {value!r}: "))


def _ending(subgraph: Subgraph) -> str:
    if subgraph.cut == "end":
        return ", to the end"
    where = f" at {place(subgraph.where)}" if subgraph.where else ""
    result = f" ({subgraph.operator})" if subgraph.operator else ""
    what = f"{subgraph.variable}{result}{where}"
    count = len(subgraph.branches)
    branches = f"; {count} branch" if count == 1 else f"; {count} branches"
    if subgraph.cut == "read":
        return f", then Python reads {what}{branches}"
    return f", then a shape depends on values: {what}{branches}"


def _plan_line(plan: Plan, times: bool) -> str:
    words = [f"plan {plan.name}"]
    if times and plan.seconds is not None:
        words.append(f"{plan.seconds * 1e3:.3f} ms")
    if plan.in_use:
        words.append("in use")
    if plan.compiling:
        words.append("being compiled in the background")
    elif plan.state not in ("ready", "waiting"):
        words.append(plan.state)
    text = ", ".join(words)
    reason = re.sub(r"\s+", " ", plan.reason).strip() if times else ""
    return f"{text} ({reason})" if reason else text
