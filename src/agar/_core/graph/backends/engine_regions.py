"""A subgraph in three: what torch runs first, one model of an engine, what torch runs last.

Operations that the model cannot have are torch's: those before it (embeddings, whole numbers,
masks) in the head, those behind it in the tail. What depends on captured tensors alone is computed
once. An operation that stands between two others of the model ends it; if nothing heavy lies
before, it and what it takes become part of the head instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from agar._core.graph.backends import o0
from agar._core.graph.backends.engine import Nodes, Untranslatable
from agar._core.graph.backends.engine_rules import HEAVY, Builder
from agar._core.graph.backends.lowering import draws
from agar._core.graph.ir.graph import READS, Meta, Op, Subgraph, mutates, outputs_of, used_by
from agar._core.graph.passes.memory import is_aten, memory_families
from agar._core.graph.passes.prologue import Division

__all__ = ["Regions", "order_of"]

CONSTANT, HEAD, MODEL, TAIL = "constant", "head", "model", "tail"
#: Operators whose result is zeros, whatever they take.
_ZEROS = frozenset({torch.ops.aten.new_zeros.default, torch.ops.aten.zeros_like.default})


class _AgainError(Exception):
    """More operations must be in the head."""


class Regions:
    """The three parts.

    Args:
        subgraph: what is divided.
        takes: the variables that a plan takes.
        bound: captured tensors by variable.
        nodes: makes a model without nodes.

    Attributes:
        builder: the model's nodes.
        head: a subgraph that gives the model's inputs, then what the tail takes from elsewhere.
        tail: a subgraph over that and the model's results.
        inputs: the variables that the model takes, in the order of its parameters.
        results: the variables that it gives, in order, with their values.
        weights: the captured tensors that are constants of the model, or that these come from.

    Raises:
        Untranslatable: the model would have nothing to do, or the parts would not do the same.
    """

    def __init__(
        self,
        subgraph: Subgraph,
        takes: list[int],
        bound: dict[int, torch.Tensor],
        nodes: Callable[[], Nodes],
    ) -> None:
        work = Division(subgraph, False, False)
        work.make_functional(memory_families(subgraph.ops, subgraph.metas))
        self.subgraph = subgraph
        self.metas = work.metas
        self._ops = work.ops
        self._family = work.family
        self._takes = takes
        self._bound = bound
        self._nodes = nodes
        self._used = {u for op in self._ops for u in used_by(op)} | set(subgraph.outs)
        self._check(work)
        self._heads: set[int] = set()  # ids of operations that must be in the head
        while True:
            try:
                self._place()
            except _AgainError:
                continue
            break
        if not any(op.func in HEAVY for op in self._ops if self._part[id(op)] == MODEL):
            raise Untranslatable("it has no convolution and no matrix product with weights")
        self._check_memory()
        self._cut()

    # --------------------------------------------------------------------------------- placing

    def _check(self, work: Division) -> None:
        subgraph = self.subgraph
        if subgraph.read:
            raise Untranslatable("Python reads a value")
        if any(mark < len(subgraph.ops) for mark in subgraph.marks):
            raise Untranslatable("it trains")
        for op in self._ops:
            func = op.func
            if not isinstance(func, torch._ops.OpOverload) or not is_aten(func) or func in READS:
                raise Untranslatable(f"{op.name} is Python's")
            if draws(op):
                raise Untranslatable(f"{op.name} draws random numbers")
        if any(self._family.get(v, v) in work.frozen for v in subgraph.ins):
            raise Untranslatable("it changes what it takes")
        for meta in [self.metas[v] for v in self._used if v in self.metas]:
            if any(type(n) is not int for n in meta.shape) or 0 in meta.shape:
                raise Untranslatable("sizes that change, or no elements")
            if meta.device.type != "cpu":
                raise Untranslatable("it is not on the CPU")

    def _place(self) -> None:
        """Give each operation its part, and make the model's nodes."""
        self.builder = Builder(self._nodes())
        self.inputs: list[int] = []
        self._env: dict[int, Any] = dict(self._bound)
        self._group = {v: CONSTANT if v in self._bound else HEAD for v in self.subgraph.ins}
        self._part: dict[int, str] = {}
        self._read: set[int] = set()  # memory that the model reads
        for op in self._ops:
            part = self._part_of(op, {self._group[u] for u in used_by(op)})
            self._part[id(op)] = part
            self._group.update(dict.fromkeys(outputs_of(op), part))
        outside = self._used_outside()
        for op in self._ops:
            results = outside.intersection(outputs_of(op)) if self._part[id(op)] == MODEL else ()
            if any(not self._env[v].computed for v in results):
                self._heads.update(map(id, [*self._model_before(op), op]))
                raise _AgainError

    def _part_of(self, op: Op, kinds: set[str]) -> str:
        if op.func in _ZEROS and kinds <= {CONSTANT, HEAD} and not self._is_changed(op):
            (out,) = outputs_of(op)
            meta = self.metas[out]
            self._env[out] = torch.empty_strided(meta.shape, meta.stride, dtype=meta.dtype).zero_()
            return CONSTANT
        if kinds <= {CONSTANT} and not op.func._schema.name.startswith(
            ("aten::empty", "aten::new_empty")
        ):
            self._compute(op)
            return CONSTANT
        if TAIL in kinds:
            return TAIL
        if id(op) not in self._heads and not mutates(op) and self._translates(op):
            return MODEL
        if kinds <= {CONSTANT, HEAD}:
            return HEAD
        before = self._model_before(op)
        if any(o.func in HEAVY for o in before):
            return TAIL
        self._heads.update(map(id, [*before, op]))
        raise _AgainError

    def _compute(self, op: Op) -> None:
        """Run an operation on constants."""
        used = list(dict.fromkeys(used_by(op)))
        outs = outputs_of(op)
        if any(self._family.get(v, v) in self._read for v in mutates(op)):
            raise Untranslatable(f"{op.name} changes what the model has taken")
        subgraph = Subgraph([op], used, outs, {v: self.metas[v] for v in used}, False, {})
        _, values = o0.generate(subgraph, name="constant", reuse=False)(
            *[self._env[v] for v in used]
        )
        self._env.update(zip(outs, values, strict=True))

    def _translates(self, op: Op) -> bool:
        """Whether the model can have the operation, which is then a part of it."""
        outs = outputs_of(op)
        if not outs or self.metas[outs[0]].dtype is not torch.float32:
            return False
        if any(o in self._used for o in outs if self.metas[o].dtype is not torch.float32):
            return False
        fresh = {
            u: self.metas[u] for u in used_by(op) if u not in self._env and self._group[u] == HEAD
        }
        if any(meta.dtype is not torch.float32 for meta in fresh.values()):
            return False
        parameters = list(self.builder.parameters)
        values = {u: self.builder.parameter(m.shape, order_of(m)) for u, m in fresh.items()}
        try:
            results = self.builder.translate(op, self._env | values, self.metas)
        except Untranslatable as error:
            self.builder.parameters = parameters
            self.builder.lines.append(f"# {error}")
            return False
        if any(o not in results and o in self._used for o in outs):
            self.builder.parameters = parameters
            return False
        self._env.update(values)
        self._env.update(results)
        self._read.update(self._family.get(u, u) for u in used_by(op))
        self.inputs += values
        return True

    def _model_before(self, op: Op) -> list[Op]:
        """The operations of the model that an operation depends on."""
        needed = set(used_by(op))
        before: list[Op] = []
        for o in reversed(self._ops):
            if self._part.get(id(o)) == MODEL and needed.intersection(outputs_of(o)):
                before.append(o)
                needed.update(used_by(o))
        return before

    # --------------------------------------------------------------------------------- cutting

    def _check_memory(self) -> None:
        """That no part sees memory of another change, or shares it where it would not be shared."""
        members: dict[int, set[int]] = {}
        for v, head in self._family.items():
            members.setdefault(head, set()).add(v)
        for op in self._ops:
            for v in mutates(op):
                group = {self._group.get(m) for m in members.get(self._family.get(v, v), {v})}
                if group - {None} != {self._part[id(op)]}:
                    raise Untranslatable(f"{op.name} changes memory of another part")
        outside = self._used_outside()
        for v in outside:
            if self._group[v] != MODEL:
                continue
            others = members.get(self._family.get(v, v), {v}) - {v}
            if any(o in outside or self._group.get(o) in (HEAD, CONSTANT) for o in others):
                raise Untranslatable("a result shares memory with another tensor")

    def _used_outside(self) -> set[int]:
        """The variables that are results, or that the tail takes."""
        tail = [op for op in self._ops if self._part[id(op)] == TAIL]
        return {u for op in tail for u in used_by(op)} | set(self.subgraph.outs)

    def _cut(self) -> None:
        outside = self._used_outside()
        self.results = {v: self._env[v] for v in sorted(outside) if self._group[v] == MODEL}
        tail = [op for op in self._ops if self._part[id(op)] == TAIL]
        inner = {o for op in tail for o in outputs_of(op)}
        passed = sorted(v for v in outside if v not in self.results and v not in inner)
        head = self._head([*self.inputs, *passed])
        captured = [v for v in passed if v in self._bound]
        passed = [v for v in passed if v not in self._bound]
        self.head = self._part_of_ops(head, [*self.inputs, *passed], self._takes)
        self.tail = self._part_of_ops(tail, self.subgraph.outs, [*passed, *self.results], captured)
        constants = [op for op in self._ops if self._part[id(op)] == CONSTANT]
        of_model = [op for op in self._ops if self._part[id(op)] == MODEL]
        taken = {u for op in (*constants, *of_model) for u in used_by(op)}
        self.weights = [t for v, t in self._bound.items() if v in taken]

    def _head(self, outs: list[int]) -> list[Op]:
        """The head's operations, and those on constants whose results each call needs anew."""
        needed = set(outs)
        ops: list[Op] = []
        for op in reversed(self._ops):
            part = self._part[id(op)]
            if part == HEAD or (part == CONSTANT and needed.intersection(outputs_of(op))):
                if part == CONSTANT and self._is_changed(op):
                    raise Untranslatable(f"the result of {op.name} is changed and given out")
                ops.append(op)
                needed.update(used_by(op))
        return ops[::-1]

    def _is_changed(self, op: Op) -> bool:
        families = {self._family.get(o, o) for o in outputs_of(op)}
        return any(self._family.get(v, v) in families for o in self._ops for v in mutates(o))

    def _part_of_ops(
        self, ops: list[Op], outs: list[int], ins: list[int], captured: list[int] | None = None
    ) -> Subgraph:
        used = {u for op in ops for u in used_by(op)} | set(captured or ())
        bound = {v: t for v, t in self._bound.items() if v in used}
        every = [*ins, *bound]
        inside = {*every, *(o for op in ops for o in outputs_of(op)), *outs}
        metas = {v: self.metas[v] for v in inside if v in self.metas}
        return Subgraph(ops, every, list(outs), metas, False, bound)


def order_of(meta: Meta) -> list[int] | None:
    """The dimensions of a block of memory, outermost first; None if they are in order.

    Also None where the elements are not a block without gaps: they are copied to one in order.
    """
    if meta.is_contiguous():
        return None
    order = sorted(range(len(meta.shape)), key=lambda d: (-meta.stride[d], d))
    step = 1
    for d in reversed(order):
        if meta.shape[d] != 1 and meta.stride[d] != step:
            return None
        step *= meta.shape[d]
    return order
