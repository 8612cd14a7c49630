"""Reading the engine: explanations, generated code, waiting for compilations, forgetting.

Everything here looks at the engine's objects from outside, between calls, under the unit's lock.
"""

from __future__ import annotations

import gc
import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from agar._core.errors import describe
from agar._core.graph import guards
from agar._core.graph import unit as engine
from agar._core.graph.plans import o0
from agar._core.graph.report import (
    Compiled,
    Explanation,
    Fallback,
    Lifted,
    Plan,
    Segment,
    Variant,
    advice,
    listed,
)
from agar._core.graph.tape import made_by
from agar._core.graph.tree import Node, nodes_of
from agar._core.graph.unit import Unit
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor

__all__ = [
    "clear",
    "code",
    "explain",
    "parameter_names",
    "settled",
    "shown_value",
    "tensor_arguments",
    "units_of",
    "wait",
]


_LATEST = 32  # signatures seen last that are looked at for hints
_WAYS = 8  # ends of one tree above which its branches are worth a word


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
    called = [target, *([getattr(target, "construct", None)] if is_cell else [])]
    holders = [getattr(c, "__func__", c) for c in called]  # a method is made anew at each look
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
    owner: Any = unit._roots[-1] if unit._roots else unit.fn
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


def tensor_arguments(unit: Unit, key: tuple[Any, ...]) -> list[str]:
    """The names of the tensors among the arguments, in the order of their variables."""
    return list(_arguments(unit, key).tensors)


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
        job = c.job
        compiling = c.state == "waiting" and job is not None and job.state == "waiting"
        reason = c.reason
        if c.state == "waiting" and not compiling:
            reason = "is prepared" if job is None else "compiled; the next calls try it"
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
                variable="" if cut is None else _variable(n, cut),
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


def _variable(node: Node, cut: Any) -> str:
    """What Python was given, such as ``v7 bool[]``; without its shape where that is the value."""
    metas = {o: m for op in node.ops for o, m in zip(op.outs, op.metas, strict=False)}
    meta = metas.get(cut.var)
    if meta is None and node.segment is not None:
        meta = node.segment.metas.get(cut.var)
    if meta is None:
        return f"v{cut.var}"
    return f"v{cut.var} {_dtype(meta.dtype) if cut.kind == 'shape' else repr(meta)}"


def _lifted(tensors: Iterator[torch.Tensor], names: dict[int, str]) -> tuple[Lifted, ...]:
    found: dict[int, Lifted] = {}
    for t in tensors:
        nbytes = t.numel() * t.element_size() if t.layout is torch.strided else 0
        found[id(t)] = Lifted(names.get(id(t), ""), tuple(t.shape), _dtype(t.dtype), nbytes)
    return tuple(found.values())


def _state_words(unit: Unit, state: int) -> list[str]:
    """The guards on what is no argument."""
    around = unit._around
    if around is None:
        return []
    found = []
    cells = guards.all_cells(around.cells.values())
    if cells:
        what = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        now = None if unit._state is None else unit._state_ids.get(unit._state.token)
        as_now = "" if now is None else (", as they are now" if now == state else ", not as now")
        found.append(f"attributes and parameters of {what} are as recorded{as_now}")
    others = [_name(o) for o in unit.reads.objects.values()]
    if others:
        found.append(f"attributes of these objects are as recorded: {listed(others)}")
    if around.tensors:
        count = len(around.tensors)
        what = (
            "1 tensor of a closure or global is"
            if count == 1
            else (f"{count} tensors of closures and globals are")
        )
        found.append(f"{what} the same")
    return found


def _variant(
    unit: Unit, key: tuple[Any, int], variant: engine.Variant, names: dict[int, str]
) -> Variant:
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
        guards=(*arguments.guards(), *_state_words(unit, key[1])),
        state=state,
        recordings=variant.recordings,
        replays=variant.replays,
        counted=variant.entry is None or (root is not None and root.cut is not None),
        segments=_segments(root),
        lifted=_lifted(tensors, names),
        failures=tuple(map(_reason, variant.history)),
    )


def _reason(failure: Any) -> str:
    return failure if isinstance(failure, str) else failure[0]


def _open_variant(unit: Unit, found: Any) -> Variant:
    """A recording for all sizes of some dimensions."""
    dims = [
        f"tensor {leaf}: {', '.join(str(d) for d in places)}"
        for leaf, places in found.dynamic.dims.items()
    ]
    only = Plan("O0", "ready", None, True)
    count = len(found._trace.segment.ops) if found._trace is not None else 0
    return Variant(
        unit=unit.name,
        kind="dynamic",
        signature=f"(any size from 2 on of the dimensions of {'; '.join(dims)})",
        guards=("ranks, types, devices and other sizes are as recorded", *found.conditions),
        state="compiled",
        recordings=1,
        replays=found.replays,
        counted=True,
        segments=(Segment(1, "call", count, plans=(only,)),),
    )


def _gradient_variant(
    unit: Unit, key: tuple[Any, ...], found: Any, names: dict[int, str]
) -> Variant:
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
            *_state_words(unit, key[1]),
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


def _hints(unit: Unit, arguments: Sequence[_Arguments]) -> list[str]:
    """What makes calls slow without making them plain."""
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
    changing = {n for n, looks in shapes.items() if len(looks) > 2}
    if changing:
        hints.append(
            f"the shape or dtype of {listed(sorted(changing))} changes: each new one runs as "
            "Python first, and has a recording of its own. Pad to a few sizes, or drop the last, "
            "smaller batch (drop_remainder=True)"
        )
    for variant in unit.variants.values():
        if variant.ends > _WAYS:
            hints.append(
                f"values that Python reads lead to {variant.ends} ways through it, and each way is "
                "recorded. Choose with ops.where or ops.clamp where a tensor decides"
            )
    return hints


def _compiled(unit: Unit) -> Compiled:
    with unit.lock:
        names = parameter_names(unit)
        calls = [(v, _variant(unit, k, v, names)) for k, v in unit.variants.items()]
        gradients = [(g, _gradient_variant(unit, k, g, names)) for k, g in unit.gradients.items()]
        opened = [_open_variant(unit, v) for held in unit.symbolic.values() for v in held]
        known = {v.key for v in unit.variants.values()} | {g.key for g in unit.gradients.values()}
        seen_once = sum(1 for k, count in unit._seen.items() if count == 1 and k not in known)
        keys = [*known, *list(unit._seen)[-_LATEST:]]
        arguments = [_arguments(unit, k) for k in dict.fromkeys(keys)]
        return Compiled(
            name=unit.name,
            level=unit.plan_level(),
            variants=(*(told for _, told in (*calls, *gradients)), *opened),
            fallbacks=_fallbacks(unit, [*calls, *gradients]),
            plain_calls=unit.plain_calls,
            plain_reasons=tuple(getattr(unit, "plain_reasons", {}).items()),
            recaptures=tuple(unit.recaptures),
            seen_once=seen_once,
            hints=() if unit.symbolic else tuple(_hints(unit, arguments)),
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
        job
        for unit in units_of(target)
        for node in _nodes(unit)
        if node.contest is not None
        for c in node.contest.candidates
        if c.state == "waiting" and (job := c.job) is not None
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
    run: Any = None if best is None else best.run
    if best is not None and run is not None and run is not node.code:
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
        unit.symbolic.clear()
        unit._entries.clear()
        unit.forget_reads()
        unit._around = unit._state = None
        unit._extra = {}
        unit._epoch = unit._looked = -1
