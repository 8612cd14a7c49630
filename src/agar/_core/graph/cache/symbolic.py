"""A recording for all sizes of some dimensions: traced, checked, run as generated code."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from agar._core.errors import translate
from agar._core.graph.backends import o0
from agar._core.graph.cache.comparison import compare_recordings
from agar._core.graph.cache.outcome import Outcome
from agar._core.graph.cache.outcome_reading import read_outcome
from agar._core.graph.cache.trace import Trace, stride_factors, symbolic_inputs, without_symbols
from agar._core.graph.cache.writes import ArgumentContents
from agar._core.graph.guard.code import names_in
from agar._core.graph.guard.dynamic import Dynamic, Site, Unsupported, check_dynamic
from agar._core.graph.guard.flatten import FlatArguments, flatten, held_marks, rebuild, split_key
from agar._core.graph.ir.graph import Host, Op, Ref, Subgraph, is_pure
from agar._core.graph.ir.sizes import NAMES, Size, map_sizes, text_of_size
from agar._core.graph.record import recorder as recording
from agar._core.graph.record.monitor import Monitor
from agar._core.graph.record.proxies import SitedGuards, patches
from agar._core.graph.record.snapshot import Snapshot
from agar._core.graph.record.symbolic import Stop, SymbolicRecorder
from agar._core.tensor import Tensor, wrap

__all__ = ["SymbolicSpecialization"]
_serial = itertools.count()


class SymbolicSpecialization:
    """A recording of one signature for all sizes of some dimensions.

    Args:
        function: what is compiled (`agar._core.graph.cache.function.CompiledFunction`).
        flat: the arguments of the call from which to record.
        dynamic: which sizes change.
    """

    def __init__(self, function: Any, flat: FlatArguments, dynamic: Dynamic) -> None:
        self.function = function
        self.dynamic = dynamic
        self.replays = 0
        self.conditions: list[str] = []
        self.source = ""
        self._flat: FlatArguments | None = flat
        self._trace: Trace | None = None
        #: Says of torch's tensors in the arguments whether the recording holds for them.
        self.check: Callable[..., bool] | None = None
        self._rest: tuple[Any, ...] = ()
        self.replay: Callable[..., Any] | None = None

    # --------------------------------------------------------------------- recording

    def record(self, known: Iterable[tuple[Subgraph, Any, Sequence[Sequence[int]]]] = ()) -> None:
        """Record; nothing is computed and nothing outside is changed.

        Args:
            known: what real runs recorded that differ in these sizes only: the subgraph, the form
                of the result, and the shapes of the tensors among the arguments. The recording
                must agree with those for whose sizes it holds. Default: none; then a second
                symbolic run is compared.

        Raises:
            Unsupported: the call cannot be recorded for all these sizes.
        """
        flat = self._flat
        if flat is None:
            raise RuntimeError("The recording has been made already.")
        check_dynamic(flat, self.dynamic)
        if held_marks(flat.key, objects=True):
            raise Unsupported("an argument is an object that the call reaches otherwise, too")
        with self.function.lock:
            trace = self._traced(flat)
            if not trace.certain:  # it has shown what else is read, which is guarded from now on
                trace = self._traced(flat)
            if not trace.certain:
                raise Unsupported("Python takes another way in every run")
            compared = 0
            for subgraph, returned, shapes in known:
                if not _only_open_sizes_differ(trace, flat, shapes):
                    continue
                sizes = {s: shapes[leaf][d] for s, (leaf, d) in trace.symbols.items()}
                if trace.holds_for(sizes):
                    compare_recordings(trace, subgraph, sizes, returned)
                    compared += 1
            if not compared:
                if trace.asks_for_kinds:  # a symbol is not what a number is
                    raise Unsupported("Python asks what kind of object a size is")
                other = self._traced(flat)
                assert other.subgraph is not None
                compare_recordings(trace, other.subgraph, {}, other.returned())
        self._trace = trace
        self._rest = split_key(flat.key)[0]
        self.check = _generated_check(trace, [t._value for t in flat.tensors])
        self.replay = _generated_run(trace, len(flat.tensors))
        self.source = self.replay.source  # type: ignore[attr-defined]
        self.conditions = [text_of_size(e) for e, _ in trace.guards]
        self._flat = None
        if not self.fits(flat):
            raise Unsupported("the recording does not hold for its own call")

    def _traced(self, flat: FlatArguments) -> Trace:
        """One run over symbols."""
        function = self.function
        before = function.current_state()
        snapshot = Snapshot()
        for cell in function.cells():
            snapshot.add(cell)
        environment = function._environment
        reads = function.reads
        for held in (environment.tensors, environment.parameters, reads.objects, reads.containers):
            snapshot.add(list(held.values()))
        recorder = self._recorder(snapshot)
        trace = Trace(recorder.mode)
        reason: str | None = None
        site: Site = None
        cause: BaseException | None = None
        refused: Unsupported | None = None
        try:
            with recording.inside_a_call(grad=False), patches:
                self._record(trace, recorder, flat)
        except Stop as stop:
            reason = str(stop)
        except Unsupported as error:
            refused = error
        except Exception as error:
            reason = f"{type(error).__name__}: {_first_line(error)}"
            cause, site = error, _site_of(error)
        finally:
            changes = function.changes_since(before)
            changed = snapshot.put_back()
            recorder.restore_versions()
        if recorder.aborted is not None:
            raise Unsupported(recorder.aborted, recorder.aborted_site) from cause
        if refused is not None:
            raise refused
        if reason is not None:
            raise Unsupported(reason, site) from cause
        if changes:
            raise Unsupported(f"the call changes attributes of cells ({'; '.join(changes[:3])})")
        if changed is not None:
            raise Unsupported(f"the call changes {changed}")
        trace.lower(recorder)
        return trace

    def _recorder(self, snapshot: Snapshot) -> SymbolicRecorder:
        from torch.fx.experimental.symbolic_shapes import ShapeEnv

        return SymbolicRecorder(ShapeEnv(), snapshot)

    def _record(self, trace: Trace, recorder: SymbolicRecorder, flat: FlatArguments) -> None:
        shape_env = trace.mode.shape_env
        assert shape_env is not None
        fresh = [wrap(t) for t in symbolic_inputs(trace, flat, self.dynamic)]
        shape_env.guards = guards = SitedGuards(shape_env.guards)
        recorder.inputs = range(len(fresh))
        recorder.monitor = monitor = Monitor()
        args, kwargs = rebuild(flat.spec, fresh)
        contents = ArgumentContents(flatten(args, kwargs, flat.rules))
        raws = [t._value for t in fresh]
        with recorder:
            for i, t in enumerate(fresh):
                recorder.new_variable(t._value, i)
            with monitor:
                alone = [self.function.python(args, kwargs)]
            own = FlatArguments(args, {}, flat.rules)
            own.tensors = fresh
            outcome, tensors = read_outcome(alone, recorder, own)
            del kwargs
            trace.outcome = Outcome(without_symbols(outcome.form), outcome.variables)
            del args, own
            recorder.finish(tensors)
        if not contents.is_same() or any(
            t._value is not r for t, r in zip(fresh, raws, strict=True)
        ):
            raise Unsupported("the call changes what lies in its arguments")
        trace.certain = self.function.learn(monitor)
        refused = self.function.refusal(monitor, outcome)
        del alone
        if refused is not None:
            raise Unsupported(*refused)
        trace.asks_for_kinds = any(
            names_in(code).asks_for_kinds for code, _ in monitor.entered.values()
        )
        if recorder.texted:
            raise Unsupported("a size becomes a text", recorder.texted[0])
        self.function.learn_cells(dict(recorder.cells))
        trace.guards = list(zip([g.expr for g in guards], guards.sites, strict=True))
        fixed = {
            place: (symbol, int(size))
            for symbol, place in trace.symbols.items()
            if (size := shape_env.replace(symbol)).is_number
        }
        if fixed:
            (leaf, d), (symbol, size) = next(iter(fixed.items()))
            sites = [s for e, s in trace.guards if symbol in e.free_symbols]
            raise Unsupported(
                f"dimension {d} of tensor {leaf} can only have the size {size}",
                sites[-1] if sites else None,
                {place: n for place, (_, n) in fixed.items()},
            )

    # ------------------------------------------------------------------------- calls

    def fits(self, flat: FlatArguments) -> bool:
        """Whether the recording holds for a call."""
        return (
            self.check is not None
            and split_key(flat.key)[0] == self._rest
            and self.check(*[t._value for t in flat.tensors])
        )

    def run(self, flat: FlatArguments) -> Any:
        """Serve a call that fits."""
        try:
            return self.serve(flat.call[0], *flat.tensors)
        except Exception as error:
            return self.failed(error, flat)

    def serve(self, args: tuple[Any, ...], *tensors: Tensor) -> Any:
        """Run the recording.

        Args:
            args: the positional arguments of the call.
            tensors: the tensors among all arguments.
        """
        assert self.replay is not None
        self.replays += 1
        return self.replay(args, *tensors)

    def failed(self, error: Exception, flat: FlatArguments) -> Any:
        """An operator raised: if nothing had been changed yet, Python runs the call again."""
        op = o0.failing(error).op
        if op is None or isinstance(op.func, Host):
            raise error  # Python's own, from a function that runs at every replay
        assert self._trace is not None
        assert self._trace.subgraph is not None
        if all(is_pure(o) for o in self._trace.subgraph.ops if o.at < op.at):
            return self.function.plain(flat)
        place = "" if op.site is None else f", at {op.site[0]}:{op.site[1]}"
        raise translate(error, op.name, f"the call{place}") from error


def _only_open_sizes_differ(
    trace: Trace, flat: FlatArguments, shapes: Sequence[Sequence[int]]
) -> bool:
    """Whether shapes are those of a call but for the sizes that a recording leaves open."""
    places = set(trace.symbols.values())
    for leaf, (t, shape) in enumerate(zip(flat.tensors, shapes, strict=True)):
        mine = t._value.shape
        if len(mine) != len(shape):
            return False
        if any(
            a != b and (leaf, d) not in places
            for d, (a, b) in enumerate(zip(mine, shape, strict=True))
        ):
            return False
    return True


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).split("\n", 1)[0][:200]


def _site_of(error: BaseException) -> Site:
    """The innermost line of the user's code in a traceback."""
    result = None
    where = error.__traceback__
    while where is not None:
        name = where.tb_frame.f_code.co_filename
        if not name.startswith((recording._HERE, recording._TORCH, "<")):
            result = name, where.tb_lineno
        where = where.tb_next
    return result


# ------------------------------------------------------------------------------ generated code


def _generated_check(trace: Trace, tensors: list[torch.Tensor]) -> Callable[..., bool]:
    """The function that says whether a recording holds for torch's tensors ``r0, r1, ...``."""
    names: dict[str, Any] = dict(NAMES)
    symbol_at = {place: str(symbol) for symbol, place in trace.symbols.items()}
    sizes: list[list[Any]] = []
    strides: list[list[Any]] = []
    read: list[str] = []
    conditions: list[str] = []
    for leaf, raw in enumerate(tensors):
        shape: list[Any] = [symbol_at.get((leaf, d), n) for d, n in enumerate(raw.shape)]
        own: list[Any] = list(raw.stride())
        for d, factors in enumerate(stride_factors(raw)):
            symbolic = factors is not None and any(isinstance(shape[f], str) for f in factors)
            if symbolic and factors is not None:
                product = " * ".join([str(shape[f]) for f in factors])
                conditions.append(f"r{leaf}.stride({d}) == {product}")
                own[d] = None
        for d, n in enumerate(shape):
            if isinstance(n, str):
                read.append(f"{n} = r{leaf}.size({d})")
                conditions.insert(0, f"{n} > 1")
        sizes.append([None if isinstance(n, str) else n for n in shape])
        strides.append(own)
    conditions += dict.fromkeys([f"({text_of_size(expr)})" for expr, _ in trace.guards])
    names["same"] = _same_metadata(tensors, sizes, strides)
    given = ", ".join([f"r{leaf}" for leaf in range(len(tensors))])
    lines = [f"if not same({given}): return False", *read]
    lines.append(f"try: return {' and '.join(conditions) or 'True'}")
    lines.append("except ZeroDivisionError: return False")
    source = f"def check({given}):\n  " + "\n  ".join(lines) + "\n"
    exec(compile(source, "<agar sizes>", "exec"), names)
    result = names["check"]
    result.source = source
    return result


def _same_metadata(
    tensors: list[torch.Tensor], sizes: list[list[Any]], strides: list[list[Any]]
) -> Callable[..., bool]:
    """A check of types, devices and those sizes and strides that are not None."""
    try:
        guards = torch._C._dynamo.guards.TensorGuards(  # pyright: ignore[reportAttributeAccessIssue]
            *tensors, dynamic_dims_sizes=sizes, dynamic_dims_strides=strides
        )
        if guards.check(*tensors):
            return guards.check
    except (AttributeError, TypeError):
        pass
    metadata = [(t.dtype, t.device, t.requires_grad, t.dim()) for t in tensors]

    def agrees(result: Sequence[int], expected: list[Any]) -> bool:
        return all(e is None or n == e for n, e in zip(result, expected, strict=True))

    def check(*values: torch.Tensor) -> bool:
        return all(
            (t.dtype, t.device, t.requires_grad, t.dim()) == meta
            and agrees(t.shape, size)
            and agrees(t.stride(), stride)
            for t, meta, size, stride in zip(values, metadata, sizes, strides, strict=True)
        )

    return check


def _generated_run(trace: Trace, count: int) -> Callable[..., Any]:
    """The function of a recording: ``run(args, t0, t1, ...) -> result``.

    The operators are in its global ``code``, which `o0` has written: sizes are arguments of it.
    """
    subgraph, outcome = trace.subgraph, trace.outcome
    assert subgraph is not None
    assert outcome is not None
    first = max([*subgraph.metas, *subgraph.ins, -1]) + 1
    number: dict[Size, int] = {}

    def variable(size: Size) -> Ref:
        return Ref(number.setdefault(size, first + len(number)))

    ops = []
    for op in subgraph.ops:
        args, kwargs = map_sizes(op.args, variable), map_sizes(op.kwargs, variable)
        ops.append(Op(op.func, args, kwargs, op.outs, op.metas, op.site, op.at))
    bound = subgraph.captured
    ins = [*subgraph.ins, *number.values()]
    filled = Subgraph(ops, ins, subgraph.outs, subgraph.metas, False, bound)
    code: Any = o0.generate(filled, bound=bound, name="symbolic")

    names: dict[str, Any] = dict(NAMES, new=object.__new__, Tensor=Tensor, code=code)
    constants: dict[str, Any] = {}
    at = {v: i for i, v in enumerate(subgraph.outs)}
    places = {v: at[trace.stands[v]] for v in outcome.variables}
    statements, result = outcome.code(constants, places)
    returned: list[str] = []
    sizes = [size.expr for size in number]
    for name, value in constants.items():
        if type(value) is Size:
            sizes.append(value.expr)
            returned.append(f"{name} = {text_of_size(value.expr)}")
        else:
            names[name] = value
    symbols = sorted({s for e in sizes for s in e.free_symbols}, key=str)
    read = [f"{s} = v{trace.symbols[s][0]}.size({trace.symbols[s][1]})" for s in symbols]
    taken = {trace.symbols[s][0] for s in symbols} | {i for i in subgraph.ins if i not in bound}
    given = [f"v{i}" for i in subgraph.ins if i not in bound]
    given += [text_of_size(size.expr) for size in number]
    targets = f"_, ({''.join(f'x{i}, ' for i in range(len(at)))}) = " if at else ""
    lines = [
        *(f"v{i} = t{i}._value" for i in sorted(taken)),
        *read,
        f"{targets}code({', '.join(given)})",
        *returned,
        *([statements] if statements else []),
        f"return {result}",
    ]
    source = f"def run(args{''.join(f', t{i}' for i in range(count))}):\n  "
    source += "\n  ".join(lines) + "\n"
    exec(compile(source, f"<agar symbolic call {next(_serial)}>", "exec"), names)
    output = names["run"]
    output.source = source + code.source
    return output
