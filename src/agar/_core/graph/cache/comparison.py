"""Whether a symbolic recording says of its sizes what a recording of a real run says."""

from __future__ import annotations

from typing import Any

import torch

from agar._core.graph.cache.outcome import taken_apart
from agar._core.graph.cache.trace import Trace, constant_value
from agar._core.graph.guard.dynamic import Unsupported
from agar._core.graph.ir.graph import (
    Host,
    Meta,
    Op,
    Ref,
    Subgraph,
    is_pure,
    map_refs,
    outputs_of,
    same_value,
    used_by,
)
from agar._core.graph.ir.sizes import Size, map_sizes, value_of_size
from agar._core.graph.record.proxies import engine_of
from agar._core.graph.record.symbolic import aten

__all__ = ["compare_recordings"]


# ------------------------------------------------------------------------------- comparisons


def compare_recordings(trace: Trace, other: Subgraph, sizes: dict[Any, int], returned: Any) -> None:
    """Compare a recording with another one of the same call.

    Args:
        trace: the recording.
        other: the other one, symbolic if `sizes` is empty, else of a real run.
        sizes: the symbols' values in that run.
        returned: the form of what the other run returned.

    Raises:
        Unsupported: they differ.
    """
    subgraph = trace.subgraph
    assert subgraph is not None
    if other.read:
        raise Unsupported("Python reads a value of a tensor")
    comparison = _Comparison(trace, subgraph, other, sizes)
    comparison.run()
    mine = taken_apart(comparison._filled(trace.returned()))
    if not comparison.same(mine, taken_apart(returned)):
        raise Unsupported("the result, apart from its tensors, differed in two runs")


class _Comparison:
    """Walks along two recordings of the same call; see `compare_recordings`."""

    def __init__(
        self, trace: Trace, mine: Subgraph, other: Subgraph, sizes: dict[Any, int]
    ) -> None:
        self.mine = mine
        self.other = other
        self.sizes = sizes
        self.twin = {i: i for i in mine.ins if i not in mine.captured}  # variables here -> there
        self.roots: dict[int, int] = {}  # variables there that are others, as slices of everything
        self.constants = dict(mine.captured)
        self.other_constants = dict(other.captured)
        self.by_identity = set(mine.captured) - trace.created
        self.engines: dict[int, Any] = {}  # of streams, which a run with data finds at once
        self._values: dict[Size, Any] = {}

    def run(self) -> None:
        """Compare.

        Raises:
            Unsupported: they differ.
        """
        theirs = list(self.other.ops)[::-1]
        for op in self.mine.ops:
            while not (theirs and self._same_call(op, theirs[-1])):
                if self._skips(op):
                    break
                if not (theirs and self._skips_other(theirs[-1])):
                    was = repr(theirs[-1]) if theirs else "nothing"
                    raise Unsupported(
                        f"{op!r} is recorded where a run with data does {was}", op.site
                    )
                theirs.pop()
            else:
                self._pair(op, theirs.pop())
        while theirs:
            if not self._skips_other(theirs[-1]):
                raise Unsupported(f"{theirs[-1].name} ran with data only", theirs[-1].site)
            theirs.pop()
        for mine, its in zip(self.mine.outs, self.other.outs, strict=False):
            if not self.same(Ref(mine), Ref(its)):
                raise Unsupported("a run with data returns other tensors")
        if len(self.mine.outs) != len(self.other.outs):
            raise Unsupported("a run with data returns other tensors")

    def _pair(self, op: Op, its: Op) -> None:
        for a, b in zip(op.outs, its.outs, strict=True):
            if a is None or b is None:
                continue
            self.twin.setdefault(a, b)
            mine, theirs = self.mine.metas.get(a), self.other.metas.get(b)
            if not self.sizes or mine is None or theirs is None:
                continue
            if not self._same_metadata_as(mine, theirs):
                raise Unsupported(
                    f"torch's rule for {op.name} gives {mine} with strides {mine.stride}, the "
                    f"operator gave {theirs} with strides {theirs.stride}",
                    op.site,
                )

    # ------------------------------------------------------------- what one of them leaves out

    def _skips(self, op: Op) -> bool:
        """Whether a run with data need not do this."""
        if not self.sizes:
            return False
        args = self._filled(op.args)
        if isinstance(op.func, Host):
            if op.func.fn is not engine_of:
                return False
            stream, kind, signature, _ = args
            self.engines[outputs_of(op)[0]] = stream._engines.get((kind, signature))
            return True
        if op.func is aten.slice.Tensor and op.args[0].i in self.twin:
            mine, source = (self.mine.metas[v] for v in (outputs_of(op)[0], op.args[0].i))
            if self._shown(mine) == self._shown(source):
                self.twin[outputs_of(op)[0]] = self.twin[op.args[0].i]
                return True
        filled = Op(op.func, args, self._filled(op.kwargs), op.outs, op.metas)
        result = constant_value(filled, self.constants, False)
        if result is None:
            return False
        self.constants[outputs_of(op)[0]] = result
        return True

    def _skips_other(self, op: Op) -> bool:
        """Whether the recording need not do what a run with data did."""
        if not self.sizes or not isinstance(op.func, torch._ops.OpOverload) or not is_pure(op):
            return False
        if op.func is aten.slice.Tensor and type(op.args[0]) is Ref:
            result, source = outputs_of(op)[0], op.args[0].i
            if self.other.metas[result].like(self.other.metas[source]):
                self.roots[result] = self._root(source)
                return True
        if not all(r in self.other_constants for r in used_by(op)):
            return False
        with torch.no_grad():
            args = map_refs(op.args, lambda ref: self.other_constants[ref.i])
            kwargs = map_refs(op.kwargs, lambda ref: self.other_constants[ref.i])
            entry = op.func(*args, **kwargs)
        parts = (entry,) if isinstance(entry, torch.Tensor) else entry
        self.other_constants.update(
            {o: t for o, t in zip(op.outs, parts, strict=True) if o is not None}
        )
        return True

    # ----------------------------------------------------------------------------- equality

    def _filled(self, value: Any) -> Any:
        """Arguments with the numbers that sizes have in the other run."""
        return map_sizes(value, self._value) if self.sizes else value

    def _value(self, size: Size) -> Any:
        known = self._values.get(size)
        if known is None:
            known = self._values[size] = value_of_size(size, self.sizes)
        return known

    def _shown(self, meta: Meta) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Shape and strides in the other run."""
        return tuple(map(self._filled, meta.shape)), tuple(map(self._filled, meta.stride))

    def _same_metadata_as(self, mine: Meta, its: Meta) -> bool:
        if mine.dtype != its.dtype or mine.device != its.device:
            return False
        shape, stride = self._shown(mine)
        if shape != tuple(its.shape):
            return False
        return 0 in shape or all(
            n == 1 or a == b for n, a, b in zip(shape, stride, its.stride, strict=True)
        )

    def _root(self, v: int) -> int:
        return self.roots.get(v, v)

    def _same_call(self, op: Op, its: Op) -> bool:
        if len(op.outs) != len(its.outs) or not self.same(self._filled(op.kwargs), its.kwargs):
            return False
        args = self._filled(op.args)
        if _same_function(op.func, its.func) and self.same(args, its.args):
            return True
        # Python asks the second operand first, if its class is derived from that of the first one
        return _MIRRORED.get(op.func) is its.func and self.same(args[::-1], its.args)

    def same(self, mine: Any, its: Any) -> bool:
        """Whether arguments, or forms of results, mean the same in both."""
        kind = type(mine)
        if kind is Ref:
            return self._same_variable(mine.i, its)
        if isinstance(its, torch.Size):
            its = tuple(its)
        if kind is not type(its):
            return False
        if kind is tuple or kind is list:
            return len(mine) == len(its) and all(map(self.same, mine, its))
        if kind is dict:
            return mine.keys() == its.keys() and all(self.same(v, its[k]) for k, v in mine.items())
        return mine == its if kind is Size else same_value(mine, its)

    def _same_variable(self, mine: int, its: Any) -> bool:
        if type(its) is not Ref:
            return its is not None and self.engines.get(mine) is its
        there = self._root(its.i)
        if mine in self.twin:
            return self._root(self.twin[mine]) == there
        a, b = self.constants.get(mine), self.other_constants.get(there)
        if (
            a is None
            or b is None
            or (a is not b and (mine in self.by_identity or not _equal(a, b)))
        ):
            return False
        self.twin[mine] = there
        return True


#: Comparisons whose operands may be exchanged, and what they are then.
_MIRRORED = {
    aten.lt.Tensor: aten.gt.Tensor,
    aten.gt.Tensor: aten.lt.Tensor,
    aten.le.Tensor: aten.ge.Tensor,
    aten.ge.Tensor: aten.le.Tensor,
    aten.eq.Tensor: aten.eq.Tensor,
    aten.ne.Tensor: aten.ne.Tensor,
}


def _same_function(a: Any, b: Any) -> bool:
    if a is b or not (isinstance(a, Host) and isinstance(b, Host)):
        return a is b
    return a.gives == b.gives and a.label == b.label


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device or a.stride() != b.stride():
        return False
    return torch.equal(a, b) or bool(((a == b) | ((a != a) & (b != b))).all())
