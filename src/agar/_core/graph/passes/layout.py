"""A train step's convolutions in channels_last, where the network's input alone decides it.

oneDNN's kernels of images are up to twice as fast in that layout, or slower: which, depends on
sizes. Operators of torch keep the layout of what they get, so it is enough to convert what the
first convolutions take; what needs the recorded layout gets it back: gradients of weights, which
optimizers read as plain memory, views of whole tensors, and what leaves the subgraph.

NOTE Metadata. Metas of the rewritten subgraph are those that were recorded; strides between the
operators are not what they say. Compilers get the subgraph of :func:`as_observed`.
"""

from __future__ import annotations

import torch

from agar._core.graph.ir.graph import (
    Host,
    Meta,
    Op,
    Ref,
    Subgraph,
    map_refs,
    mutates,
    outputs_of,
    rewritten,
    used_by,
)

__all__ = ["as_observed", "in_channels_last"]

aten = torch.ops.aten

_FORWARD = aten.convolution.default
_BACKWARD = aten.convolution_backward.default
_COPY = aten.clone.default
_RESTORE = aten.contiguous.default
_VIEWS = frozenset({aten.view.default, aten._unsafe_view.default})
#: What reads or fixes strides itself.
_UNFIT = frozenset({aten.as_strided.default, aten._reshape_alias.default, aten.set_.source_Tensor})


def in_channels_last(subgraph: Subgraph) -> Subgraph | None:
    """The subgraph with its convolutions in channels_last, or None where that is not possible.

    Only subgraphs with a backward pass of a convolution are for it: plans for inference have a
    layout of their own.
    """
    if not any(op.func is _BACKWARD for op in subgraph.ops):
        return None
    for op in subgraph.ops:
        if isinstance(op.func, Host):
            if op.func.gives != "nothing" or not op.func.writes:
                return None  # a comparison would print, or count, twice
            continue
        if op.func in _UNFIT:
            return None
        if torch.Tag.nondeterministic_seeded in op.func.tags:
            return None  # results could not be compared
    return _Rewriting(subgraph).result()


def as_observed(subgraph: Subgraph, metas: dict[int, Meta]) -> Subgraph:
    """A rewritten subgraph with the metadata that its variables were seen to have.

    Where a gradient lies in the recorded layout by itself, nothing is left to restore.
    """
    ops: list[Op] = []
    stands: dict[int, int] = {}

    def sub(ref: Ref) -> Ref:
        return Ref(stands.get(ref.i, ref.i))

    for op in subgraph.ops:
        taken = op.replaced(sub)
        if op.func is _RESTORE:
            source, result = taken.args[0].i, outputs_of(op)[0]
            if metas[source].is_contiguous():
                stands[result] = source
                continue
            named = {"memory_format": torch.contiguous_format}
            taken = Op(_COPY, taken.args, named, op.outs, op.metas, op.site, op.at)
        ops.append(taken)
    outs = [stands.get(v, v) for v in subgraph.outs]
    return rewritten(subgraph, ops, outs, metas)


class _Rewriting:
    def __init__(self, subgraph: Subgraph) -> None:
        self.subgraph = subgraph
        self.metas = dict(subgraph.metas)
        self.next = 1 + max([0, *subgraph.ins, *self.metas])
        self.storage = 1 + max([0, *(m.storage for m in self.metas.values())])
        self.ops: list[Op] = []
        self.converted: dict[int, int] = {}
        #: variables whose layout follows a converted one
        self.carried: set[int] = set()
        #: where the memory of each storage is changed last
        self.changed: dict[int, int] = {}
        for n, op in enumerate(subgraph.ops):
            for v in mutates(op):
                if v in self.metas:
                    self.changed[self.metas[v].storage] = n

    def result(self) -> Subgraph | None:
        for n, op in enumerate(self.subgraph.ops):
            if not self._add(n, op):
                return None
        if not self.converted:
            return None
        outs = []
        for v in self.subgraph.outs:
            if v not in self.carried:
                outs.append(v)
                continue
            meta = self.metas[v]
            if not meta.is_contiguous():
                return None
            outs.append(self._cloned(v, torch.contiguous_format, self.ops[-1]))
        return rewritten(self.subgraph, self.ops, outs, self.metas)

    def _add(self, n: int, op: Op) -> bool:
        """Take over one operation; False if it cannot be."""
        if op.func in (_FORWARD, _BACKWARD):
            place = 0 if op.func is _FORWARD else 1
            if not self._convert(n, op, op.args[place].i):
                return False
            x = self.converted.get(op.args[place].i)
            args = list(op.args)
            if x is not None:
                args[place] = Ref(x)
            op = Op(op.func, tuple(args), op.kwargs, op.outs, op.metas, op.site, op.at)
            if op.func is _BACKWARD:
                return self._backward(op)
        follows = [v for v in used_by(op) if v in self.carried]
        if follows and isinstance(op.func, Host):
            return False
        if follows and op.func in _VIEWS:
            base = follows[0]
            if self.changed.get(self.metas[base].storage, -1) > n:
                return False  # the view shares what is changed later
            plain = self._cloned(base, torch.contiguous_format, op)
            args = map_refs(op.args, lambda r: Ref(plain) if r.i == base else r)
            self.ops.append(Op(op.func, args, op.kwargs, op.outs, op.metas, op.site, op.at))
            return True
        self.ops.append(op)
        if follows:
            # sums over dimensions and matrix products forget the layout of what they get
            metadata = {v: self.metas[v] for v in outputs_of(op) if v in self.metas}
            self.carried.update(v for v, meta in metadata.items() if len(meta.shape) > 2)
        return True

    def _convert(self, n: int, op: Op, x: int) -> bool:
        if x in self.carried or x in self.converted:
            return True
        meta = self.metas.get(x)
        if meta is None or not self._is_image(x) or meta.device.type != "cpu":
            return False
        if self.changed.get(meta.storage, -1) >= n:
            return False
        result = self._cloned(x, torch.channels_last, op)
        self.converted[x] = result
        self.carried.add(result)
        return True

    def _backward(self, op: Op) -> bool:
        """Gradients of weights go on in the recorded layout."""
        grad, weight, bias = op.outs
        outs: list[int | None] = [grad, weight, bias]
        if weight is not None:
            meta = self.metas[weight]
            if not meta.is_contiguous():
                return False
            outs[1] = self._new(meta, meta.storage)
        self.ops.append(Op(op.func, op.args, op.kwargs, tuple(outs), op.metas, op.site, op.at))
        if weight is not None and outs[1] is not None:
            restored = (self.metas[weight],)
            taken = (Ref(outs[1]),)
            self.ops.append(Op(_RESTORE, taken, {}, (weight,), restored, op.site, op.at))
        if grad is not None and self._is_image(grad):
            self.carried.add(grad)
        return True

    def _cloned(self, v: int, form: torch.memory_format, near: Op) -> int:
        result = self._new(self.metas[v], None)
        named = {"memory_format": form}
        meta = (self.metas[result],)
        self.ops.append(Op(_COPY, (Ref(v),), named, (result,), meta, near.site, near.at))
        return result

    def _new(self, meta: Meta, storage: int | None) -> int:
        if storage is None:
            storage, self.storage = self.storage, self.storage + 1
        result, self.next = self.next, self.next + 1
        self.metas[result] = meta.but(storage=storage)
        return result

    def _is_image(self, v: int) -> bool:
        meta = self.metas.get(v)
        return meta is not None and len(meta.shape) == 4 and meta.dtype.is_floating_point
