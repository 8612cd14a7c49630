"""Reading the engine: explanations, generated code, waiting for compilations, forgetting.

Everything here reads the engine's objects from outside, between calls, under the lock of the
compiled function.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from agar._core.errors import describe
from agar._core.graph.backends import o0
from agar._core.graph.cache import function as engine
from agar._core.graph.cache.function import CompiledFunction, compiled_functions
from agar._core.graph.cache.gradients_of import gradient_of, gradients_of
from agar._core.graph.cache.tree import Node, nodes_of
from agar._core.graph.guard.state import all_cells
from agar._core.graph.inspect.guarded import guarded, place_of_change
from agar._core.graph.inspect.names import (
    ArgumentTexts,
    arguments_of,
    dtype_text,
    is_cell,
    parameter_names,
    shown_value,
)
from agar._core.graph.inspect.report import (
    Captured,
    Compiled,
    Explanation,
    Fallback,
    Plan,
    Specialization,
    Subgraph,
    advice,
    listed,
)
from agar._core.graph.ir.graph import outputs_of

__all__ = ["clear", "code", "explain", "functions_of", "settled", "wait"]


#: What the words of a guard say of names of each kind.
_GUARDED = {
    "attributes": "these attributes are as recorded",
    "class attributes": "these attributes of classes are as recorded",
    "globals": "these globals are as recorded",
    "enclosed variables": "these variables of enclosing functions are as recorded",
    "containers": "these containers hold the same",
    "arrays": "these arrays are equal byte for byte",
    "functions": "code and defaults of these functions are as recorded",
    "tensors": "these tensors are the same objects",
    "generators": "these random generators stand where they stood",
    "settings": "these settings are as recorded",
}
_CONDITIONS = 12  # on sizes that are listed
_WAYS = 8  # ends of one tree above which its branches are worth a word


# ------------------------------------------------------------------------------------ the targets


def functions_of(target: Any) -> list[CompiledFunction]:
    """What is compiled of a cell, a function or a gradient function: the call first.

    Raises:
        TypeError: the target is none of these.
    """
    if isinstance(target, CompiledFunction):
        return [target]
    cell = is_cell(target)
    if not cell and not callable(target):
        raise TypeError(
            "For 'agar.graph', a Cell, a function (as given to ms.jit or ms.grad, or made by them) "
            f"or a compiled function is needed, but got {describe(target)}."
        )
    called = [target, *([getattr(target, "construct", None)] if cell else [])]
    holders = [getattr(c, "__func__", c) for c in called]  # a method is made anew at each access
    results: dict[int, CompiledFunction] = {}
    for holder in holders:
        own = getattr(holder, "__dict__", {})
        compiled = [own.get("_compiled"), *gradients_of(holder)]
        request = own.get("_gradient_of")  # a gradient function: what it differentiates, and how
        if request is not None:
            compiled.append(gradient_of(*request))
        for function in compiled:
            if isinstance(function, CompiledFunction):
                results[id(function)] = function
    return list(results.values())


def _name(target: Any) -> str:
    if isinstance(target, CompiledFunction):
        return target.name
    return getattr(target, "__qualname__", type(target).__name__)


def _roots(function: CompiledFunction) -> list[Node]:
    return [v.root for v in list(function.specializations.values()) if v.root is not None]


def _nodes(function: CompiledFunction) -> list[Node]:
    return [n for root in _roots(function) for n in nodes_of(root)]


def _plans(node: Node) -> tuple[Plan, ...]:
    autotuner = node.autotuner
    if autotuner is None:
        return ()
    results = []
    for c in autotuner.candidates:
        seconds = c.best if c.times else None
        if seconds is None and c is autotuner.first and autotuner.calls:
            seconds = autotuner.spent / autotuner.calls
        job = c.job
        compiling = c.state == "waiting" and job is not None and job.state == "waiting"
        reason = c.reason
        if c.state == "waiting" and not compiling:
            reason = "is prepared" if job is None else "compiled; the next calls try it"
        results.append(Plan(c.name, c.state, seconds, c is autotuner.best, compiling, reason))
    return tuple(results)


def _subgraphs(root: Node | None) -> tuple[Subgraph, ...]:
    if root is None:
        return ()
    nodes = nodes_of(root)
    numbers = {id(n): i for i, n in enumerate(nodes, 1)}
    parents = {id(c): numbers[id(n)] for n in nodes for c in n.children.values()}
    makers = {v: op.name for n in nodes for op in n.ops for v in outputs_of(op)}
    results = []
    for n in nodes:
        cut = n.cut
        ops = n.ops if n.subgraph is None else n.subgraph.ops
        results.append(
            Subgraph(
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
                phase="watching" if n.autotuner is None else n.autotuner.phase,
                plans=_plans(n),
            )
        )
    return tuple(results)


def _variable(node: Node, cut: Any) -> str:
    """What Python was given, such as ``v7 bool[]``; without its shape where that is the value."""
    if cut.var < 0:
        return node.ops[-1].name  # a decision of Python, such as one by a random number
    metas = {o: m for op in node.ops for o, m in zip(op.outs, op.metas, strict=False)}
    meta = metas.get(cut.var)
    if meta is None and node.subgraph is not None:
        meta = node.subgraph.metas.get(cut.var)
    if meta is None:
        return f"v{cut.var}"
    return f"v{cut.var} {dtype_text(meta.dtype) if cut.kind == 'shape' else repr(meta)}"


def _captured(tensors: Iterator[torch.Tensor], names: dict[int, str]) -> tuple[Captured, ...]:
    results: dict[int, Captured] = {}
    for t in tensors:
        nbytes = t.numel() * t.element_size() if t.layout is torch.strided else 0
        results[id(t)] = Captured(names.get(id(t), ""), tuple(t.shape), dtype_text(t.dtype), nbytes)
    return tuple(results.values())


def _state_words(function: CompiledFunction, state: int) -> list[str]:
    """The guards on what is no argument."""
    environment = function._environment
    if environment is None:
        return []
    results = []
    cells = all_cells(environment.cells.values())
    if cells:
        what = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        now = None if function._state is None else function._state_ids.get(function._state.token)
        as_now = "" if now is None else (", as they are now" if now == state else ", not as now")
        results.append(f"attributes and parameters of {what} are as recorded{as_now}")
    for kind, names in guarded(function.reads).items():
        if kind == "functions":  # that of the call itself is no news
            names = tuple(
                [n for n in names if n not in (function.name, f"{function.name}.construct")]
            )
        if names:
            results.append(f"{_GUARDED[kind]}: {listed(names)}")
    return results


def _specialization(
    function: CompiledFunction,
    key: tuple[Any, int],
    specialization: engine.Specialization,
    names: dict[int, str],
) -> Specialization:
    arguments = arguments_of(function, specialization.key)
    root = specialization.root
    if specialization.eager is not None:
        state = "plain"
    elif root is None:
        state = "not recorded"
    else:
        state = "compiled" if root.trusted else "recorded once"
    nodes = [] if root is None else nodes_of(root)
    tensors = (
        t
        for n in nodes
        for t in (n.bound.values() if n.trusted else (f.tensor for f in n.captured.values()))
    )
    return Specialization(
        function=function.name,
        kind="call",
        signature=arguments.signature(),
        guards=(*arguments.guards(), *_state_words(function, key[1])),
        state=state,
        recordings=specialization.recordings,
        replays=specialization.replays,
        counted=specialization.entry is None or (root is not None and root.cut is not None),
        subgraphs=_subgraphs(root),
        captured=_captured(tensors, names),
        failures=tuple(map(_reason, specialization.history)),
    )


def _reason(failure: Any) -> str:
    return failure if isinstance(failure, str) else failure[0]


def _open_specialization(function: CompiledFunction, state: int, result: Any) -> Specialization:
    """A recording for all sizes of some dimensions."""
    more = len(result.conditions) - _CONDITIONS
    dims = [
        f"tensor {leaf}: {', '.join(str(d) for d in places)}"
        for leaf, places in result.dynamic.dims.items()
    ]
    only = Plan("O0", "ready", None, True)
    count = len(result._trace.subgraph.ops) if result._trace is not None else 0
    return Specialization(
        function=function.name,
        kind="dynamic",
        signature=f"(any size from 2 on of the dimensions of {'; '.join(dims)})",
        guards=(
            "ranks, types, devices and other sizes are as recorded",
            *result.conditions[:_CONDITIONS],
            *([f"and {more} more conditions on sizes"] if more > 0 else []),
            *_state_words(function, state),
        ),
        state="compiled",
        recordings=1,
        replays=result.replays,
        counted=True,
        subgraphs=(Subgraph(1, "call", count, plans=(only,)),),
    )


def _gradient_specialization(
    function: CompiledFunction, key: tuple[Any, ...], result: Any, names: dict[int, str]
) -> Specialization:
    plan = result.plan
    arguments = arguments_of(function, result.key)
    subgraphs = []
    if plan is not None:
        for number, (part, subgraph) in enumerate(
            (("forward", plan.first), ("backward", plan.second)), 1
        ):
            only = Plan("O0", "ready", None, True)
            subgraphs.append(Subgraph(number, part, len(subgraph.ops), plans=(only,)))
    if result.eager is not None:
        state = "plain"
    elif plan is not None:
        state = "compiled"
    else:
        state = "not recorded" if result.first is None else "recorded once"
    return Specialization(
        function=function.name,
        kind="gradient",
        signature=arguments.signature(),
        guards=(
            *arguments.guards(),
            *_state_words(function, key[1]),
            "the same parameters require a gradient",
        ),
        state=state,
        recordings=2 if plan is not None else int(result.first is not None),
        replays=result.replays,
        counted=True,
        subgraphs=tuple(subgraphs),
        captured=_captured(iter(() if plan is None else plan.bound.values()), names),
        failures=tuple(map(_reason, getattr(result, "history", ()))),
    )


def _fallbacks(
    function: CompiledFunction, specializations: Sequence[tuple[Any, Specialization]]
) -> tuple[Fallback, ...]:
    results = []
    seen = set()
    for source, told in specializations:
        reason = source.eager
        if reason is not None:
            where = getattr(source, "site", None) or place_of_change(function, reason)
            results.append(
                Fallback(function.name, told.signature, reason, where, advice(reason), final=True)
            )
            seen.add(reason)
        for failure in getattr(source, "history", ()):
            text, where = (failure, None) if isinstance(failure, str) else failure
            where = where or place_of_change(function, text)
            if text not in seen and reason is None:
                seen.add(text)
                results.append(
                    Fallback(function.name, told.signature, text, where, advice(text), final=False)
                )
    for key, reason in function.eager_keys.items():
        if reason not in seen:
            seen.add(reason)
            signature = arguments_of(function, key).signature()
            where = place_of_change(function, reason)
            results.append(
                Fallback(function.name, signature, reason, where, advice(reason), final=True)
            )
    for reason, where in function.warned:  # of signatures that are no longer remembered
        if reason not in seen:
            results.append(
                Fallback(function.name, "(...)", reason, where, advice(reason), final=True)
            )
    return tuple(results)


def _hints(function: CompiledFunction, arguments: Sequence[ArgumentTexts]) -> list[str]:
    """What makes calls slow without making them plain."""
    hints = []
    constants: dict[tuple[Any, ...], dict[str, set[str]]] = {}
    shapes: dict[str, set[str]] = {}
    for a in arguments:
        group = constants.setdefault(tuple(sorted(a.tensors.items())), {})
        for name, value in a.constants.items():
            group.setdefault(name, set()).add(value)
        for name, meta in a.tensors.items():
            shapes.setdefault(name, set()).add(meta)
    changing = {n for group in constants.values() for n, values in group.items() if len(values) > 2}
    hints += [
        f"argument {name} is a number, text or flag, and so a constant: each of its values is "
        "recorded anew. Pass a Tensor if it changes from call to call"
        for name in sorted(changing)
    ]
    changing = {n for n, metadata in shapes.items() if len(metadata) > 2}
    if changing:
        hints.append(
            f"the shape or dtype of {listed(sorted(changing))} changes: each new one runs as "
            "Python first, and has a recording of its own. Pad to a few sizes, or drop the last, "
            "smaller batch (drop_remainder=True)"
        )
    for specialization in function.specializations.values():
        if specialization.ends > _WAYS:
            hints.append(
                f"values that Python reads lead to {specialization.ends} ways through it, and each "
                "way is recorded. Choose with ops.where or ops.clamp where a tensor decides"
            )
    return hints


def _compiled(function: CompiledFunction) -> Compiled:
    with function.lock:
        names = parameter_names(function)
        calls = [
            (v, _specialization(function, k, v, names)) for k, v in function.specializations.items()
        ]
        gradients = [
            (g, _gradient_specialization(function, k, g, names))
            for k, g in function.gradients.items()
        ]
        opened = [
            _open_specialization(function, state, v)
            for state, held in function.symbolic.items()
            for v in held
        ]
        known = {v.key for v in function.specializations.values()} | {
            g.key for g in function.gradients.values()
        }
        of_known = set(map(hash, known))
        seen_once = sum(1 for k, n in function._seen.items() if n == 1 and k not in of_known)
        keys = [*known, *function.latest]
        arguments = [arguments_of(function, k) for k in dict.fromkeys(keys)]
        return Compiled(
            name=function.name,
            level=function.plan_level(),
            specializations=(*(told for _, told in (*calls, *gradients)), *opened),
            fallbacks=_fallbacks(function, [*calls, *gradients]),
            plain_calls=function.plain_calls,
            plain_reasons=tuple(getattr(function, "plain_reasons", {}).items()),
            recaptures=tuple(function.recaptures),
            seen_once=seen_once,
            hints=() if function.symbolic else tuple(_hints(function, arguments)),
        )


def explain(target: Any) -> Explanation:
    """Tell what became of a compiled function or cell in the calls so far.

    Printed, it lists the recordings with their guards, the subgraphs and why each ends, the plans
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
        >>> [s.cut for s in ms.graph.explain(clipped).subgraphs]
        ['read', 'end']
    """
    functions = functions_of(target)
    return Explanation(_name(target), tuple(map(_compiled, functions)))


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
    for function in functions_of(target):
        decided = decided or bool(function.eager_keys)
        for specialization in list(function.specializations.values()):
            decided = decided or specialization.eager is not None
            decided = decided or (specialization.root is not None and specialization.root.trusted)
        for result in list(function.gradients.values()):
            decided = decided or result.eager is not None or result.plan is not None
        for node in _nodes(function):
            if node.autotuner is not None and node.autotuner.phase != "settled":
                return False
    return decided


def _jobs(target: Any) -> list[Any]:
    """The compilations that calls of a target wait for, which begin at the latest now."""
    nodes = [node for function in functions_of(target) for node in _nodes(function)]
    tuners = [node.autotuner for node in nodes if node.autotuner is not None]
    for tuner in tuners:
        tuner.compile_now()
    candidates = [c for tuner in tuners for c in tuner.candidates]
    return [job for c in candidates if c.state == "waiting" and (job := c.job) is not None]


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
        str, for each recording the entry that checks a call, and for each subgraph the code that
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
        # <lambda>, specialization 1, subgraph 1, O0
        def subgraph(v0):
          v1 = mul_0(v0, 2)
          return None, (v1, )
    """
    pieces = []
    for function in functions_of(target):
        with function.lock:
            for number, specialization in enumerate(function.specializations.values(), 1):
                place = f"{function.name}, specialization {number}"
                if specialization.entry is not None:
                    pieces.append((f"{place}, entry", o0.source_of(specialization.entry)))
                for i, node in enumerate(
                    [] if specialization.root is None else nodes_of(specialization.root), 1
                ):
                    pieces += _code_of(node, f"{place}, subgraph {i}")
            for number, result in enumerate(
                function.gradients.values(), len(function.specializations) + 1
            ):
                if result.plan is None:
                    continue
                place = f"{function.name}, specialization {number} inside a gradient"
                pieces.append((f"{place}, forward", o0.source_of(result.plan.forward)))
                pieces.append((f"{place}, backward", o0.source_of(result.plan.backward)))
    return "\n\n".join(f"# {title}\n{source.rstrip()}" for title, source in pieces)


def _code_of(node: Node, place: str) -> Iterator[tuple[str, str]]:
    if node.code is None:
        return
    yield f"{place}, O0", o0.source_of(node.code)
    best = None if node.autotuner is None else node.autotuner.best
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
    function or setting of agar, torch or numpy themselves.

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
        functions = compiled_functions()
    else:
        functions = functions_of(target)
    for function in functions:
        _forget(function)


def _forget(function: CompiledFunction) -> None:
    with function.lock:
        function.forget()
        function.warned.clear()
        function.recaptures, function.plain_calls = [], 0
        function.unheld = None
