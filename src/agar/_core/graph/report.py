"""What became of a compiled function, for people who wonder why it is slow.

Reads the engine's objects and keeps none of them: an :class:`Explanation` holds texts and numbers,
so that it keeps no tensor alive and stays as it was when it was made.
"""

from __future__ import annotations

import gc
import inspect
import os
import re
import time
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from agar._core.errors import describe
from agar._core.graph import guards
from agar._core.graph.plans import o0
from agar._core.graph.tape import made_by
from agar._core.graph.tree import Node, nodes_of
from agar._core.graph.unit import Unit, Variant as _Variant
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor

__all__ = [
    "Compiled",
    "Explanation",
    "Fallback",
    "Lifted",
    "Plan",
    "Segment",
    "Variant",
    "advice",
    "clear",
    "code",
    "explain",
    "parameter_names",
    "settled",
    "shown_value",
    "wait",
]

Site = tuple[str, int]

_SHOWN = 6  # names, causes and branches that a line lists before it counts the rest


# --------------------------------------------------------------------------------- what is told


@dataclass(frozen=True)
class Plan:
    """One way to run a segment.

    Attributes:
        name: ``"O0"``, ``"O1"``, ``"folded"``, ...
        state: ``"ready"``, ``"waiting"`` (it is being compiled), ``"rejected"`` or ``"dropped"``.
        seconds: of its middle call; None before it was timed.
        in_use: whether calls run it now.
        compiling: whether a compilation in the background has not ended.
        reason: why it is in its state, "" if there is nothing to say.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> from agar.graph import Plan
        >>> Plan("O0", "ready", 0.002, True).in_use
        True
    """

    name: str
    state: str
    seconds: float | None = None
    in_use: bool = False
    compiling: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Segment:
    """A stretch of operations without decisions of Python.

    Attributes:
        number: in its variant, from 1.
        part: ``"call"``, or ``"forward"`` and ``"backward"`` inside an eager gradient.
        operations: how many run at each call.
        cut: why it ends: ``"read"`` (Python read a value), ``"shape"`` (a shape depends on
            values) or ``"end"``.
        variable: what was read or has the shape, ``""`` at the end.
        operator: which operator made it, ``""`` where it came from outside.
        where: file and line of the cut, None at the end.
        branches: the values seen at the cut, with the number of the segment that each leads to.
        parent: the number of the segment before it, None for the first.
        confirmed: whether a second recording agreed, so that it is replayed.
        phase: of the search for the fastest plan: ``"watching"``, ``"comparing"``, ``"settled"``.
        plans: those known.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> from agar.graph import Segment
        >>> Segment(number=1, part="call", operations=3).cut
        'end'
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
class Lifted:
    """A tensor that a recording holds by reference: a parameter, a state, a constant.

    Attributes:
        name: of the parameter, "" for another tensor.
        shape: of the tensor.
        dtype: such as ``"float32"``.
        nbytes: its size.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> from agar.graph import Lifted
        >>> Lifted("fc.weight", (2, 3), "float32", 24).nbytes
        24
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int


@dataclass(frozen=True)
class Fallback:
    """Why calls of one kind run as ordinary Python.

    Attributes:
        unit: the name of what was called.
        signature: of the calls.
        reason: why they cannot be recorded.
        where: file and line, None where no single place is to blame.
        advice: what to do about it.
        final: whether calls of this kind are no longer recorded; False after a first failure.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> from agar.graph import Fallback
        >>> Fallback("net", "(x: float32[2])", "a thread is started", None, "...").final
        True
    """

    unit: str
    signature: str
    reason: str
    where: Site | None
    advice: str
    final: bool = True


@dataclass(frozen=True)
class Variant:
    """What is recorded for one signature in one state of the cells.

    Attributes:
        unit: the name of what was called.
        kind: ``"call"``, or ``"gradient"`` for calls inside an eager gradient.
        signature: the arguments with shapes and dtypes.
        guards: what a call must fulfil to be served by it, in words.
        state: ``"compiled"``, ``"recorded once"``, ``"not recorded"`` or ``"plain"``.
        recordings: runs of Python that were recorded.
        replays: calls served without Python, as far as they are counted.
        counted: whether all replays are counted; the fastest entries do not count.
        segments: parents first.
        lifted: the tensors that it holds.
        failures: why recordings failed so far.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> double = ms.jit(lambda x: x * 2)
        >>> _ = double(ms.Tensor([1.0, 2.0]))
        >>> ms.graph.explain(double).variants[0].signature
        '(x: float32[2])'
    """

    unit: str
    kind: str
    signature: str
    guards: tuple[str, ...]
    state: str
    recordings: int
    replays: int
    counted: bool
    segments: tuple[Segment, ...] = ()
    lifted: tuple[Lifted, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """The size of the tensors that it holds."""
        return sum(t.nbytes for t in self.lifted)


@dataclass(frozen=True)
class Compiled:
    """One thing that was compiled: a function, a cell, or a gradient of one.

    Attributes:
        name: for people.
        level: the plan asked for, ``"O0"`` or ``"O1"``; None where agar chooses.
        variants: its recordings.
        fallbacks: what could not be recorded.
        plain_calls: calls that ran as ordinary Python.
        plain_reasons: why, with the number of calls, as far as it was noted.
        recaptures: changes of attributes of cells that asked for other recordings, latest last.
        seen_once: signatures that came once and were not recorded.
        hints: what else may be slow, with advice.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> double = ms.jit(lambda x: x * 2)
        >>> _ = double(ms.Tensor([1.0, 2.0]))
        >>> ms.graph.explain(double).compiled[0].plain_calls
        0
    """

    name: str
    level: str | None
    variants: tuple[Variant, ...] = ()
    fallbacks: tuple[Fallback, ...] = ()
    plain_calls: int = 0
    plain_reasons: tuple[tuple[str, int], ...] = ()
    recaptures: tuple[str, ...] = ()
    seen_once: int = 0
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Explanation:
    """What became of a compiled function or cell; ``print`` shows it.

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
        >>> report.called, len(report.segments), report.fallbacks
        (True, 1, ())
    """

    name: str
    compiled: tuple[Compiled, ...] = ()
    note: str = field(default="")

    @property
    def called(self) -> bool:
        """Whether a call ever reached the graph engine."""
        return any(c.variants or c.plain_calls or c.fallbacks for c in self.compiled)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """All recordings."""
        return tuple(v for c in self.compiled for v in c.variants)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments of all recordings."""
        return tuple(s for v in self.variants for s in v.segments)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """All plans of all segments."""
        return tuple(p for s in self.segments for p in s.plans)

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
            times (bool): whether to show measured times, which differ from run to run.
                Default: True.
        """
        return "\n".join(_lines(self, times))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()


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
    "let Python be a function of the arguments: draw random numbers with ops or agar.numpy_function "
    "(no np.random, random or time), and pass what changes from call to call as a Tensor"
)
_BRANCH = (
    "choose with ops.where or ops.clamp instead of Python's if, or return the tensor and read it "
    "outside of the compiled call"
)

#: A part of the reason, and what to do.
_ADVICE: tuple[tuple[str, str], ...] = (
    ("becomes a numpy array", _NUMPY),
    ("become a list", f"keep it a Tensor (index it, or loop over ops.unbind), or {_NUMPY}"),
    ("changes attributes of cells", _ATTRIBUTE),
    ("attributes of cells change from call to call", _ATTRIBUTE),
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
)

_GENERAL = (
    "move the line out of the compiled call, or accept that calls of this kind run as in "
    "PYNATIVE_MODE; results are right either way"
)


def advice(reason: str) -> str:
    """What to do about a reason for running as ordinary Python."""
    return next((text for part, text in _ADVICE if part in reason), _GENERAL)


# ------------------------------------------------------------------------------------ the targets


def units_of(target: Any) -> list[Unit]:
    """What is compiled of a cell, a function or a gradient function: the call first.

    Raises:
        TypeError: the target is none of these.
    """
    if isinstance(target, Unit):
        return [target]
    is_cell = _is_cell(target)
    if not is_cell and not callable(target):
        raise TypeError(
            "For 'agar.graph', a Cell, a function (as given to ms.jit or ms.grad, or made by them) "
            f"or a compiled unit is needed, but got {describe(target)}."
        )
    holders = [target.__func__ if isinstance(target, types.MethodType) else target]
    if is_cell:
        construct = target.__dict__.get("construct") or type(target).construct
        holders.append(getattr(construct, "__func__", construct))
    found: dict[int, Unit] = {}
    for holder in holders:
        own = getattr(holder, "__dict__", {})
        gradients = own.get("_gradients") or {}
        for unit in (own.get("_compiled"), *gradients.values()):
            if isinstance(unit, Unit):
                found[id(unit)] = unit
        request = own.get("_gradient_of")  # a gradient function: what it differentiates, and how
        if request is not None:
            home = getattr(request[0], "__dict__", {}).get("_gradients") or {}
            if request[1] in home:
                found[id(home[request[1]])] = home[request[1]]
    return list(found.values())


def _is_cell(value: Any) -> bool:
    return hasattr(value, "_cells") and hasattr(value, "construct")


def _name(target: Any) -> str:
    if isinstance(target, Unit):
        return target.name
    return getattr(target, "__qualname__", type(target).__name__)


def _roots(unit: Unit) -> list[Node]:
    return [v.root for v in list(unit.variants.values()) if v.root is not None]


def _nodes(unit: Unit) -> list[Node]:
    return [n for root in _roots(unit) for n in nodes_of(root)]


def parameter_names(unit: Any) -> dict[int, str]:
    """The names of the parameters that a unit can reach, by ``id`` of their torch tensors."""
    around = getattr(unit, "_around", None)
    if around is None:
        return {}
    found: dict[int, str] = {}
    for cell in guards.all_cells(around.cells.values()):
        for p in cell._params.values():
            if p is not None:
                found[id(p._value)] = p.name
    for p in around.parameters.values():
        found[id(p._value)] = p.name
    for t in around.tensors.values():
        if isinstance(t, Parameter):
            found[id(t._value)] = t.name
    return found


# ---------------------------------------------------------------------------------- the arguments


def _dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _look(entry: Any) -> str:
    """A tensor of a signature's key, such as ``float32[2, 3]``."""
    return f"{_dtype(entry[3])}{list(entry[1])}"


def _argument_names(unit: Unit) -> Iterator[str]:
    """Names of positional arguments, then ``arguments[i]``."""
    owner = unit._roots[-1] if unit._roots else unit.fn
    called = owner.construct if _is_cell(owner) else owner
    rest = "argument"
    try:
        for name, p in inspect.signature(called).parameters.items():
            if p.kind is p.VAR_POSITIONAL:
                rest = name
                break
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
                yield name
    except (TypeError, ValueError):  # builtins tell nothing of their arguments
        pass
    i = 0
    while True:
        yield f"{rest}[{i}]"
        i += 1


@dataclass
class _Arguments:
    """The arguments of a signature in words."""

    tensors: dict[str, str] = field(default_factory=dict)  # name: look
    constants: dict[str, str] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)  # what is unusual about a tensor
    repeated: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def signature(self) -> str:
        shown = {**self.tensors}
        shown.update(self.constants)
        shown.update(self.objects)
        return f"({', '.join(f'{n}: {shown[n]}' for n in self.order)})"

    def guards(self) -> list[str]:
        found = []
        for name, look in self.tensors.items():
            detail = self.details.get(name)
            found.append(f"{name} is a Tensor {look}{f', {detail}' if detail else ''}")
        found += [f"{name} is {value}" for name, value in self.constants.items()]
        found += [f"{name} is the same object ({value})" for name, value in self.objects.items()]
        return found + self.repeated


def _arguments(unit: Unit, key: tuple[Any, ...]) -> _Arguments:
    """The signature of `guards.flatten` in words."""
    result = _Arguments()
    tensors: list[str] = []
    rest = iter(key)

    def take(name: str) -> None:
        entry = next(rest)
        kind = entry[0]
        if kind == "again":
            result.repeated.append(f"{name} is the same Tensor as {tensors[entry[1]]}")
        elif kind == "sparse":
            tensors.append(name)
            result.order.append(name)
            result.objects[name] = "a sparse Tensor"
        elif issubclass(kind, Tensor) and isinstance(entry[1], torch.Size):
            tensors.append(name)
            result.order.append(name)
            result.tensors[name] = _look(entry)
            result.details[name] = _unusual(entry)
        elif issubclass(kind, dict):
            for k in entry[1:]:
                take(f"{name}[{k!r}]")
        elif issubclass(kind, (list, tuple)):
            fields = getattr(kind, "_fields", None)
            for i in range(entry[1]):
                take(f"{name}.{fields[i]}" if fields else f"{name}[{i}]")
        else:
            result.order.append(name)
            if issubclass(kind, (float, complex)):
                result.constants[name] = entry[1]  # its text
            elif issubclass(kind, guards._PLAIN):
                result.constants[name] = _short(repr(entry[1]))
            elif len(entry) == 4:
                shape, dtype = entry[1:3]
                result.constants[name] = f"an array {np.dtype(dtype)}{list(shape)} of equal values"
            else:
                result.objects[name] = kind.__qualname__

    names = _argument_names(unit)
    for _ in range(next(rest)):
        take(next(names))
    for name in rest:
        take(name)
    return result


def _unusual(entry: Any) -> str:
    _, shape, stride, _, device, requires_grad = entry
    found = [f"on {device}"]
    expected, step = [], 1
    for size in reversed(shape):
        expected.append(step)
        step *= max(size, 1)
    plain = all(a == b or s < 2 for a, b, s in zip(stride, expected[::-1], shape, strict=True))
    if not plain:
        found.append(f"strides {list(stride)}")
    if requires_grad:
        found.append("differentiated")
    return ", ".join(found)


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


# -------------------------------------------------------------------------------------- reading


def shown_value(key: Any, kind: str) -> Any:
    """A value read from a tensor, from its key among the branches."""
    if kind == "read" and isinstance(key, tuple):  # a zero with its sign
        return -0.0 if key[0] else 0.0
    return float("nan") if key == "nan" else key


def _plans(node: Node) -> tuple[Plan, ...]:
    contest = node.contest
    if contest is None:
        return ()
    found = []
    for c in contest.candidates:
        seconds = c.best if c.times else None
        if seconds is None and c is contest.first and contest.calls:
            seconds = contest.spent / contest.calls
        compiling = c.state == "waiting" and c.job is not None and c.job.state == "waiting"
        reason = c.reason
        if c.state == "waiting" and not compiling:
            reason = "compiled; the next calls try it"
        found.append(Plan(c.name, c.state, seconds, c is contest.best, compiling, reason))
    return tuple(found)


def _segments(root: Node | None) -> tuple[Segment, ...]:
    if root is None:
        return ()
    nodes = nodes_of(root)
    numbers = {id(n): i for i, n in enumerate(nodes, 1)}
    parents = {id(c): numbers[id(n)] for n in nodes for c in n.children.values()}
    makers = {v: op.name for n in nodes for op in n.ops for v in made_by(op)}
    found = []
    for n in nodes:
        cut = n.cut
        ops = n.ops if n.segment is None else n.segment.ops
        found.append(
            Segment(
                number=numbers[id(n)],
                part="call",
                operations=len(ops),
                cut=n.kind,
                variable="" if cut is None else _variable(n, cut.var),
                operator="" if cut is None else makers.get(cut.var, ""),
                where=None if cut is None else cut.site,
                branches=tuple(
                    (shown_value(k, n.kind), numbers[id(c)]) for k, c in n.children.items()
                ),
                parent=parents.get(id(n)),
                confirmed=n.trusted,
                phase="watching" if n.contest is None else n.contest.phase,
                plans=_plans(n),
            )
        )
    return tuple(found)


def _variable(node: Node, number: int) -> str:
    metas: Any = {} if node.segment is None else node.segment.metas
    meta = metas.get(number)
    if meta is None:
        meta = next(
            (m for op in node.ops for o, m in zip(op.outs, op.metas, strict=False) if o == number),
            None,
        )
    return f"v{number}" if meta is None else f"v{number} {meta!r}"


def _lifted(tensors: Iterator[torch.Tensor], names: dict[int, str]) -> tuple[Lifted, ...]:
    found: dict[int, Lifted] = {}
    for t in tensors:
        nbytes = t.numel() * t.element_size() if t.layout is torch.strided else 0
        found[id(t)] = Lifted(names.get(id(t), ""), tuple(t.shape), _dtype(t.dtype), nbytes)
    return tuple(found.values())


def _state_words(unit: Unit) -> list[str]:
    around = unit._around
    if around is None:
        return []
    found = []
    cells = guards.all_cells(around.cells.values())
    if cells:
        mode = "training" if getattr(cells[0], "training", False) else "evaluation"
        what = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        found.append(f"attributes and parameters of {what} are as recorded (now in {mode} mode)")
    others = [_name(o) for o in around.objects.values()]
    if others:
        found.append(f"attributes are the same objects: {_listed(others)}")
    if around.tensors:
        found.append(f"{len(around.tensors)} tensors of closures and globals are the same objects")
    return found


def _variant(unit: Unit, variant: _Variant, names: dict[int, str]) -> Variant:
    arguments = _arguments(unit, variant.key)
    root = variant.root
    if variant.eager is not None:
        state = "plain"
    elif root is None:
        state = "not recorded"
    else:
        state = "compiled" if root.trusted else "recorded once"
    nodes = [] if root is None else nodes_of(root)
    tensors = (
        t
        for n in nodes
        for t in (n.bound.values() if n.trusted else (f.tensor for f in n.lifted.values()))
    )
    return Variant(
        unit=unit.name,
        kind="call",
        signature=arguments.signature(),
        guards=(*arguments.guards(), *_state_words(unit)),
        state=state,
        recordings=variant.recordings,
        replays=variant.replays,
        counted=variant.entry is None,
        segments=_segments(root),
        lifted=_lifted(tensors, names),
        failures=tuple(map(_reason, variant.history)),
    )


def _reason(failure: Any) -> str:
    return failure if isinstance(failure, str) else failure[0]


def _gradient_variant(unit: Unit, found: Any, names: dict[int, str]) -> Variant:
    plan = found.plan
    arguments = _arguments(unit, found.key)
    segments = []
    if plan is not None:
        for number, (part, segment) in enumerate(
            (("forward", plan.first), ("backward", plan.second)), 1
        ):
            only = Plan("O0", "ready", None, True)
            segments.append(Segment(number, part, len(segment.ops), plans=(only,)))
    if found.eager is not None:
        state = "plain"
    elif plan is not None:
        state = "compiled"
    else:
        state = "not recorded" if found.first is None else "recorded once"
    return Variant(
        unit=unit.name,
        kind="gradient",
        signature=arguments.signature(),
        guards=(
            *arguments.guards(),
            *_state_words(unit),
            "the same parameters require a gradient",
        ),
        state=state,
        recordings=2 if plan is not None else int(found.first is not None),
        replays=found.replays,
        counted=True,
        segments=tuple(segments),
        lifted=_lifted(iter(() if plan is None else plan.bound.values()), names),
        failures=tuple(map(_reason, getattr(found, "history", ()))),
    )


def _fallbacks(unit: Unit, variants: Sequence[tuple[Any, Variant]]) -> tuple[Fallback, ...]:
    found = []
    seen = set()
    for source, told in variants:
        reason = source.eager
        if reason is not None:
            where = getattr(source, "site", None)
            found.append(
                Fallback(unit.name, told.signature, reason, where, advice(reason), final=True)
            )
            seen.add(reason)
        for failure in getattr(source, "history", ()):
            text, where = (failure, None) if isinstance(failure, str) else failure
            if text not in seen and reason is None:
                seen.add(text)
                found.append(
                    Fallback(unit.name, told.signature, text, where, advice(text), final=False)
                )
    for key, reason in unit.eager_keys.items():
        if reason not in seen:
            seen.add(reason)
            signature = _arguments(unit, key).signature()
            found.append(Fallback(unit.name, signature, reason, None, advice(reason), final=True))
    for reason, where in unit.warned:  # of signatures that are no longer remembered
        if reason not in seen:
            found.append(Fallback(unit.name, "(...)", reason, where, advice(reason), final=True))
    return tuple(found)


def _hints(unit: Unit, arguments: Sequence[_Arguments], seen_once: int) -> list[str]:
    hints = []
    constants: dict[tuple[Any, ...], dict[str, set[str]]] = {}
    shapes: dict[str, set[str]] = {}
    for a in arguments:
        group = constants.setdefault(tuple(sorted(a.tensors.items())), {})
        for name, value in a.constants.items():
            group.setdefault(name, set()).add(value)
        for name, look in a.tensors.items():
            shapes.setdefault(name, set()).add(look)
    changing = {n for group in constants.values() for n, values in group.items() if len(values) > 2}
    hints += [
        f"argument {name} is a number, text or flag, and so a constant: each of its values is "
        "recorded anew. Pass a Tensor if it changes from call to call"
        for name in sorted(changing)
    ]
    if any(len(looks) > 2 for looks in shapes.values()) or seen_once > 2:
        names = [n for n, looks in shapes.items() if len(looks) > 2]
        what = f"the shape or dtype of {_listed(names)} changes" if names else "signatures change"
        hints.append(
            f"{what} from call to call, and each one is recorded anew. Pad to a few sizes, or "
            "drop the last, smaller batch (drop_remainder=True)"
        )
    return hints


def _compiled(unit: Unit) -> Compiled:
    with unit.lock:
        names = parameter_names(unit)
        calls = [(v, _variant(unit, v, names)) for v in unit.variants.values()]
        gradients = [(g, _gradient_variant(unit, g, names)) for g in unit.gradients.values()]
        known = {v.key for v in unit.variants.values()} | {g.key for g in unit.gradients.values()}
        seen_once = sum(1 for k, count in unit._seen.items() if count == 1 and k not in known)
        arguments = [_arguments(unit, v.key) for v in unit.variants.values()]
        return Compiled(
            name=unit.name,
            level=unit.plan_level(),
            variants=tuple(told for _, told in (*calls, *gradients)),
            fallbacks=_fallbacks(unit, [*calls, *gradients]),
            plain_calls=unit.plain_calls,
            plain_reasons=tuple(getattr(unit, "plain_reasons", {}).items()),
            recaptures=tuple(unit.recaptures),
            seen_once=seen_once,
            hints=tuple(_hints(unit, arguments, seen_once)),
        )


def explain(target: Any) -> Explanation:
    """Tell what became of a compiled function or cell in the calls so far.

    Printed, it lists the recordings with their guards, the segments and why each ends, the plans
    with their times, and for calls that run as ordinary Python the reason, the line, and what to
    do. Its attributes hold the same for programs.

    Args:
        target (Union[Cell, Callable]): a cell, a function that ``ms.jit`` made, or a function
            whose gradient was taken in GRAPH_MODE.

    Returns:
        Explanation.

    Raises:
        TypeError: `target` is nothing that can be compiled.

    Difference from PyTorch: ``torch._dynamo.explain`` runs the function anew and tells of graph
    breaks; here nothing runs.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> @ms.jit
        ... def clipped(x):
        ...     if x.sum() > 3:
        ...         return x * 0
        ...     return x + 1
        >>> for _ in range(3):
        ...     _ = clipped(ms.Tensor([1.0, 2.0]))
        >>> [s.cut for s in ms.graph.explain(clipped).segments]
        ['read', 'end']
    """
    units = units_of(target)
    return Explanation(_name(target), tuple(map(_compiled, units)))


# ---------------------------------------------------------------------------------------- words


def _listed(names: Sequence[str], limit: int = _SHOWN) -> str:
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _place(where: Site | None) -> str:
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
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


_STATES = {
    "compiled": "compiled",
    "recorded once": "recorded once, the next call confirms it",
    "not recorded": "not recorded yet",
    "plain": "runs as ordinary Python",
}
_PHASES = {
    "watching": "other plans are tried when it has used more time",
    "comparing": "plans take turns on real calls",
    "settled": "",
}


def _lines(report: Explanation, times: bool) -> Iterator[str]:
    if not report.called:
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
    segments = [s for v in part.variants for s in v.segments]
    yield (
        f"{part.name}: {_count(len(part.variants), 'variant')}, "
        f"{_count(len(segments), 'segment')}, "
        f"{_count(sum(s.operations for s in segments), 'operation')}"
    )
    recorded = sum(v.recordings for v in part.variants)
    replayed = sum(v.replays for v in part.variants)
    some = "" if all(v.counted for v in part.variants) else "at least "
    yield (
        f"  calls: {recorded} recorded, {some}{replayed} replayed, "
        f"{part.plain_calls} as ordinary Python"
    )
    for reason, count in part.plain_reasons:
        yield f"    {count} of them: {reason}"
    if part.seen_once:
        yield (
            f"    {_count(part.seen_once, 'signature')} came once so far; from the third on, a "
            "signature is recorded when it comes again"
        )
    if part.level is not None:
        yield f"  plan asked for: {part.level}"
    compiling = sum(p.compiling for s in segments for p in s.plans)
    if compiling:
        yield f"  compiling in the background: {_count(compiling, 'plan')}"
    if part.recaptures:
        changes = _listed(list(dict.fromkeys(part.recaptures)))
        yield f"  attributes that changed, each state recorded by itself: {changes}"
    for fallback in part.fallbacks:
        yield from _fallback_lines(fallback)
    for hint in part.hints:
        yield f"  hint: {hint}"
    for number, variant in enumerate(part.variants, 1):
        yield from _variant_lines(number, variant, times)


def _fallback_lines(fallback: Fallback) -> Iterator[str]:
    what = "runs as ordinary Python" if fallback.final else "could not be recorded once"
    where = f" ({_place(fallback.where)})" if fallback.where else ""
    yield f"  {fallback.signature} {what}: {fallback.reason}{where}"
    yield f"    advice: {fallback.advice}"


def _variant_lines(number: int, variant: Variant, times: bool) -> Iterator[str]:
    yield ""
    inside = " inside a gradient" if variant.kind == "gradient" else ""
    yield f"  variant {number}: {variant.signature}{inside}: {_STATES[variant.state]}"
    more = "" if variant.counted else ", then served by generated code that does not count"
    yield f"    {_count(variant.recordings, 'recording')}, {_count(variant.replays, 'replay')}{more}"
    if variant.state == "plain":
        return
    yield "    serves a call if"
    for guard in variant.guards:
        yield f"      {guard}"
    if variant.lifted:
        names = [t.name for t in variant.lifted if t.name]
        unnamed = len(variant.lifted) - len(names)
        if unnamed:
            names.append(_count(unnamed, "other tensor"))
        held = _count(len(variant.lifted), "tensor")
        yield f"    holds {held}, {_bytes(variant.nbytes)}: {_listed(names)}"
    by_number = {s.number: s for s in variant.segments}
    for segment in variant.segments:
        if segment.parent is None:
            yield from _segment_lines(segment, by_number, "    ", "", times)


def _segment_lines(
    segment: Segment, others: dict[int, Segment], indent: str, lead: str, times: bool
) -> Iterator[str]:
    # an explicit stack, so that a long chain of cuts does not meet Python's recursion limit
    stack = [(segment, indent, lead)]
    while stack:
        segment, indent, lead = stack.pop()
        part = "" if segment.part == "call" else f" ({segment.part})"
        yield (
            f"{indent}{lead}segment {segment.number}{part}: "
            f"{_count(segment.operations, 'operation')}{_ending(segment)}"
        )
        if not segment.confirmed:
            yield f"{indent}  recorded once, the next call confirms it"
        for plan in segment.plans:
            yield f"{indent}  {_plan_line(plan, times)}"
        if segment.plans and _PHASES.get(segment.phase):
            yield f"{indent}  {_PHASES[segment.phase]}"
        # a chain of single branches stays at its indent
        inner = indent if len(segment.branches) == 1 else indent + "  "
        for value, number in reversed(segment.branches):
            stack.append((others[number], inner, f"{value!r} -> "))


def _ending(segment: Segment) -> str:
    if segment.cut == "end":
        return ", to the end"
    where = f" at {_place(segment.where)}" if segment.where else ""
    made = f" of {segment.operator}" if segment.operator else ""
    count = len(segment.branches)
    branches = f"; {count} branch" if count == 1 else f"; {count} branches"
    if segment.cut == "read":
        return f", cut because Python reads {segment.variable}{made}{where}{branches}"
    return f", cut because the shape{made} ({segment.variable}) depends on values{where}{branches}"


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
    reason = re.sub(r"\s+", " ", plan.reason).strip()
    return f"{text} ({reason})" if reason else text


# ------------------------------------------------------------------------ waiting, code, forgetting


def settled(target: Any) -> bool:
    """Whether the search for the fastest plan of a compiled function or cell is over.

    Args:
        target (Union[Cell, Callable]): as for :func:`explain`.

    Returns:
        bool, True when something was recorded and confirmed (or runs as ordinary Python for good),
        and no plan is being watched, timed or compiled. False before that: a plan is chosen on
        real calls, so calls must go on.

    Raises:
        TypeError: `target` is nothing that can be compiled.

    Difference from PyTorch: none (no counterpart; ``torch.compile`` blocks the call).

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> double = ms.jit(lambda x: x * 2, jit_level="O0")
        >>> x = ms.Tensor([1.0, 2.0])
        >>> states = []
        >>> for _ in range(2):
        ...     _ = double(x)
        ...     states.append(ms.graph.settled(double))
        >>> states
        [False, True]
    """
    decided = False
    for unit in units_of(target):
        decided = decided or bool(unit.eager_keys)
        for variant in list(unit.variants.values()):
            decided = decided or variant.eager is not None
            decided = decided or (variant.root is not None and variant.root.trusted)
        for found in list(unit.gradients.values()):
            decided = decided or found.eager is not None or found.plan is not None
        for node in _nodes(unit):
            if node.contest is not None and node.contest.phase != "settled":
                return False
    return decided


def _jobs(target: Any) -> list[Any]:
    """The compilations that calls of a target wait for."""
    return [
        c.job
        for unit in units_of(target)
        for node in _nodes(unit)
        if node.contest is not None
        for c in node.contest.candidates
        if c.state == "waiting" and c.job is not None
    ]


def wait(target: Any, timeout: float | None = None) -> bool:
    """Wait until the background compilations of a function or cell have ended.

    Compiled plans are taken into use by later calls, after they were checked and timed on them.

    Args:
        target (Union[Cell, Callable]): as for :func:`explain`.
        timeout (float): seconds to wait at most; None for no limit. Default: None.

    Returns:
        bool, True when none is running any more, False when `timeout` passed first.

    Raises:
        TypeError: `target` is nothing that can be compiled.

    Difference from PyTorch: none (no counterpart; ``torch.compile`` blocks the call).

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> double = ms.jit(lambda x: x * 2)
        >>> _ = double(ms.Tensor([1.0, 2.0]))
        >>> ms.graph.wait(double, timeout=60)
        True
    """
    until = None if timeout is None else time.monotonic() + timeout
    for job in _jobs(target):
        left = None if until is None else max(0.0, until - time.monotonic())
        if job.wait(left) == "waiting":
            return False
    return True


def code(target: Any) -> str:
    """The Python code that was generated for a function or cell.

    Args:
        target (Union[Cell, Callable]): as for :func:`explain`.

    Returns:
        str, for each recording the entry that checks a call, and for each segment the code that
        runs it: straight-line calls of PyTorch's operators, and of compiled parts. Empty when
        nothing is compiled.

    Raises:
        TypeError: `target` is nothing that can be compiled.

    Difference from PyTorch: what ``TORCH_LOGS=output_code`` prints.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> double = ms.jit(lambda x: x * 2, jit_level="O0")
        >>> for _ in range(2):
        ...     _ = double(ms.Tensor([1.0, 2.0]))
        >>> print(ms.graph.code(double))
        # <lambda>, variant 1, segment 1, O0
        def segment(v0):
          v1 = mul_0(v0, 2)
          return None, (v1, )
    """
    pieces = []
    for unit in units_of(target):
        with unit.lock:
            for number, variant in enumerate(unit.variants.values(), 1):
                place = f"{unit.name}, variant {number}"
                if variant.entry is not None:
                    pieces.append((f"{place}, entry", o0.source_of(variant.entry)))
                for i, node in enumerate([] if variant.root is None else nodes_of(variant.root), 1):
                    pieces += _code_of(node, f"{place}, segment {i}")
            for number, found in enumerate(unit.gradients.values(), len(unit.variants) + 1):
                if found.plan is None:
                    continue
                place = f"{unit.name}, variant {number} inside a gradient"
                pieces.append((f"{place}, forward", o0.source_of(found.plan.forward)))
                pieces.append((f"{place}, backward", o0.source_of(found.plan.backward)))
    return "\n\n".join(f"# {title}\n{source.rstrip()}" for title, source in pieces)


def _code_of(node: Node, place: str) -> Iterator[tuple[str, str]]:
    if node.code is None:
        return
    yield f"{place}, O0", o0.source_of(node.code)
    best = None if node.contest is None else node.contest.best
    if best is not None and best.run is not node.code and best.run is not None:
        run: Any = best.run
        for attribute, what in (("_prologue", ", once"), ("_body", "")):  # of a folded plan
            inner = getattr(run, attribute, None)
            if inner is not None:
                yield f"{place}, {best.name}{what}, in use", o0.source_of(inner)
        if o0.source_of(run):
            yield f"{place}, {best.name}, in use", o0.source_of(run)


def clear(target: Any = None) -> None:
    """Forget the recordings of a function or cell; the next calls record anew.

    Frees the tensors that the recordings hold. Needed after a change that agar does not see: of a
    number or object in a global variable or in an enclosing function.

    Args:
        target (Union[Cell, Callable]): as for :func:`explain`; None for everything compiled in
            this process. Default: None.

    Raises:
        TypeError: `target` is nothing that can be compiled.

    Difference from PyTorch: ``torch.compiler.reset``, which knows everything or nothing.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> double = ms.jit(lambda x: x * 2)
        >>> _ = double(ms.Tensor([1.0, 2.0]))
        >>> ms.graph.clear(double)
        >>> ms.graph.explain(double).called
        False
    """
    if target is None:
        # a registry would cost every unit something; this is asked for seldom
        units = [o for o in gc.get_objects() if type(o) is Unit]
    else:
        units = units_of(target)
    for unit in units:
        _forget(unit)


def _forget(unit: Unit) -> None:
    with unit.lock:
        own: Callable[[], None] | None = getattr(unit, "forget", None)
        if own is not None:
            own()
            return
        unit.entry = unit.entry_of = None
        for memory in (unit.variants, unit.gradients, unit.eager_keys, unit.warned, unit._seen):
            memory.clear()
        unit.recaptures, unit.plain_calls = [], 0
        unit._around = unit._state = None
        unit._extra = {}
        unit._epoch = -1
