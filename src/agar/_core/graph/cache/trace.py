"""What one run of Python over symbolic sizes gave: a subgraph with sizes among its constants."""

from __future__ import annotations

import functools
import operator
from typing import Any

import torch
from torch import _guards
from torch._subclasses.fake_tensor import FakeTensorMode

from agar._core.graph.cache import tree
from agar._core.graph.cache.outcome import Outcome
from agar._core.graph.cache.tree import Node
from agar._core.graph.guard.dynamic import Dynamic, Site
from agar._core.graph.guard.flatten import FlatArguments
from agar._core.graph.ir.graph import (
    Meta,
    Op,
    Ref,
    Subgraph,
    aliases_resolved,
    inputs_of,
    is_pure,
    map_refs,
    mutates,
    returns_one_tensor,
    used_by,
    without_dead_code,
)
from agar._core.graph.ir.sizes import (
    SYMBOLIC,
    Size,
    frozen_meta,
    holds_size,
    size_of,
    value_of_size,
)
from agar._core.graph.record.operators import FACTORIES
from agar._core.graph.record.symbolic import SymbolicRecorder

__all__ = ["Trace", "constant_value", "stride_factors", "symbolic_inputs", "without_symbols"]

aten = torch.ops.aten


# ---------------------------------------------------------------------------------- a recording


class _Source(_guards.Source):
    """Where a symbol comes from, as ShapeEnv wants to know it."""

    def __init__(self, leaf: int, dim: int) -> None:
        self._text = f"argument {leaf}, dimension {dim}"

    @functools.cached_property
    def guard_source(self) -> Any:
        return _guards.GuardSource.CONSTANT

    @property
    def _name_template(self) -> str:
        return self._text


class Trace:
    """What one run over symbols gave."""

    def __init__(self, mode: FakeTensorMode) -> None:
        self.mode = mode
        self.symbols: dict[Any, tuple[int, int]] = {}  # sympy symbol -> tensor and dimension
        self.guards: list[tuple[Any, Site]] = []
        self.outcome: Outcome | None = None
        self.subgraph: Subgraph | None = None
        self.stands: dict[int, int] = {}
        self.created: set[int] = set()  # bound variables that Python created: equal by value
        #: Whether all that its Python read was guarded while it ran.
        self.certain = True
        #: Whether its Python asks what kind of object a size is.
        self.asks_for_kinds = False

    def holds_for(self, sizes: dict[Any, int]) -> bool:
        """Whether sizes meet the conditions of the recording."""
        if any(n < 2 for n in sizes.values()):
            return False
        try:
            return all(value_of_size(Size(expr), sizes) for expr, _ in self.guards)
        except ZeroDivisionError:
            return False

    def returned(self) -> Any:
        """The form of the result, over variables of the subgraph."""
        assert self.outcome is not None
        return map_refs(self.outcome.form, lambda ref: Ref(self.stands[ref.i]))

    def lower(self, recorder: SymbolicRecorder) -> None:
        """Make a subgraph of what was recorded."""
        outcome = self.outcome
        assert outcome is not None
        node = Node(recorder.ops, recorder.captured)
        node.outcome = outcome
        captured = dict(recorder.captured)
        ops = tree._fresh_constants(node, captured, tree._Scope([], recorder))
        metas = {v: frozen_meta(meta) for v, meta in recorder.metas.items()}
        body, stands = aliases_resolved([_as_identity(op, metas) for op in ops])
        self.stands = {v: stands.get(v, v) for v in outcome.variables}
        outs = list(dict.fromkeys(self.stands.values()))
        body = without_dead_code(body, outs)
        bound = {v: f.tensor for v, f in captured.items()}
        values = {
            v: f.tensor if f.copy is None else f.copy for v, f in captured.items() if f.created
        }
        body, folded = _folded(body, outs, metas, values)
        bound.update(folded)
        body = without_dead_code(body, outs)
        ins = inputs_of(body, outs)
        bound = {v: t for v, t in bound.items() if v in ins}
        self.created = {v for v in bound if v not in captured or captured[v].created}
        used = {*ins, *outs, *(o for op in body for o in op.outs if o is not None)}
        metas = {v: meta for v, meta in metas.items() if v in used}
        self.subgraph = Subgraph(body, ins, outs, metas, False, bound)


def _as_identity(op: Op, metas: dict[int, Meta]) -> Op:
    """A slice of everything as an identity; with known sizes torch does not even call it."""
    if op.func is not aten.slice.Tensor or op.outs[0] is None or type(op.args[0]) is not Ref:
        return op
    if not metas[op.outs[0]].like(metas[op.args[0].i]):
        return op
    return Op(aten.alias.default, op.args[:1], {}, op.outs, op.metas, op.site, op.at)


_LARGEST_CONSTANT = 1 << 20  # elements


def _folded(
    ops: list[Op], outs: list[int], metas: dict[int, Meta], values: dict[int, torch.Tensor]
) -> tuple[list[Op], dict[int, torch.Tensor]]:
    """Compute once what depends neither on inputs nor on sizes."""
    changed = {metas[v].storage for op in ops for v in mutates(op)}
    changed.update(metas[v].storage for v in outs)
    known = {v: t for v, t in values.items() if metas[v].storage not in changed}
    retained: list[Op] = []
    result: dict[int, torch.Tensor] = {}
    for op in ops:
        entry = None
        if isinstance(op.func, torch._ops.OpOverload) and len(op.outs) == 1 and op.outs[0]:
            entry = constant_value(op, known, metas[op.outs[0]].storage in changed)
        if entry is None:
            retained.append(op)
        else:
            known[op.outs[0]] = result[op.outs[0]] = entry  # type: ignore[index]
    return retained, result


def constant_value(op: Op, known: dict[int, torch.Tensor], changed: bool) -> torch.Tensor | None:
    """The value of a call of constants; None if it is none, or too large."""
    func = op.func
    if changed or not isinstance(func, torch._ops.OpOverload) or not is_pure(op):
        return None
    refs = used_by(op)
    if not (all(r in known for r in refs) if refs else func in FACTORIES):
        return None
    if not returns_one_tensor(func) or holds_size((op.args, op.kwargs)):
        return None
    args = map_refs(op.args, lambda ref: known[ref.i])
    kwargs = map_refs(op.kwargs, lambda ref: known[ref.i])
    with torch.no_grad():
        result = func(*args, **kwargs)
    return result if result.numel() <= _LARGEST_CONSTANT else None


def without_symbols(form: Any) -> Any:
    """The form of a result with each symbolic number as a `Size`."""
    if isinstance(form, SYMBOLIC):
        return size_of(form)
    if isinstance(form, (tuple, list)) and not hasattr(form, "_fields"):
        return type(form)([without_symbols(part) for part in form])
    return form


def symbolic_inputs(trace: Trace, flat: FlatArguments, dynamic: Dynamic) -> list[torch.Tensor]:
    """Tensors without data for the arguments; their chosen sizes are symbols."""
    from torch.fx.experimental.symbolic_shapes import DimDynamic

    shape_env = trace.mode.shape_env
    assert shape_env is not None
    shared: dict[int, Any] = {}
    result: list[torch.Tensor] = []
    for leaf, t in enumerate(flat.tensors):
        raw = t._value
        sizes: list[Any] = list(raw.shape)
        for d, bounds in dynamic.of(leaf).items():
            source = _Source(leaf, d)
            symbol = shape_env.create_symbol(sizes[d], source, DimDynamic.DYNAMIC)
            trace.symbols[symbol] = leaf, d
            sizes[d] = shape_env.create_symintnode(symbol, hint=sizes[d], source=source)
            if bounds is None:
                continue
            torch._check(sizes[d] >= bounds.min)
            if bounds.max:
                torch._check(sizes[d] <= bounds.max)
            if bounds.divisor > 1:
                torch._check((sizes[d] - bounds.remainder) % bounds.divisor == 0)
            if bounds.unique:
                torch._check(sizes[d] == shared.setdefault(id(bounds), sizes[d]))
        strides: list[Any] = list(raw.stride())
        for d, factors in enumerate(stride_factors(raw)):
            if factors is not None:
                strides[d] = functools.reduce(operator.mul, [sizes[f] for f in factors], 1)
        with trace.mode:
            result.append(torch.empty_strided(sizes, strides, dtype=raw.dtype, device=raw.device))
    return result


def stride_factors(raw: torch.Tensor) -> list[list[int] | None]:
    """For each dimension those whose sizes multiply to its stride; None for a fixed stride."""
    order = sorted(range(raw.dim()), key=lambda d: (raw.stride(d), -d))
    factors: list[list[int] | None] = [None] * raw.dim()
    inner: list[int] = []
    expected = 1
    for d in order:
        if raw.stride(d) != expected:
            return [None] * raw.dim()
        factors[d] = list(inner)
        inner.append(d)
        expected *= raw.shape[d]
    return factors
