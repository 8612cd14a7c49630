"""Recordings of one signature, joined in a tree of subgraphs.

A recording without values read by Python is one subgraph. Each value read ends a subgraph, and each
value seen there leads to a child. At a call the root runs, its value picks the child, and so on; a
value that was not seen yet runs Python again, with the executed path as prefix
(`agar._core.graph.record.recorder`).

NOTE Trust. A subgraph is replayed after two recordings agreed on it, constants included. Python
that is not a function of its inputs (`np.random`, the clock) is found that way, and not frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.graph.autotune.tuner import Autotuner
from agar._core.graph.backends import o0
from agar._core.graph.cache.outcome import Outcome
from agar._core.graph.ir.graph import (
    Host,
    Op,
    Ref,
    Subgraph,
    aliases_resolved,
    inputs_of,
    map_refs,
    mutates,
    outputs_of,
    positions,
    same_value,
    used_by,
    without_dead_code,
)
from agar._core.graph.record.operators import FACTORIES
from agar._core.graph.record.recorder import Captured, Cut, Recorder, value_key

__all__ = ["Node", "Untrusted", "draft_of", "grow", "nodes_of"]

aten = torch.ops.aten


class Untrusted(Exception):
    """Two recordings of the same call differ; the message says where."""

    def __init__(self, reason: str, site: tuple[str, int] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.site = site


# ---------------------------------------------------------------------------------- subgraphs


class Node:
    """One subgraph of a tree, with its plan."""

    def __init__(self, ops: list[Op], captured: dict[int, Captured]) -> None:
        self.ops = ops  # as recorded
        self.captured = captured  # met for the first time in this subgraph
        self.cut: Cut | None = None
        self.outcome: Outcome | None = None
        self.children: dict[Any, Node] = {}
        self.trusted = False
        self.copied: list[int] = []  # constants of which it makes a copy to change
        self.stands: dict[int, int] = {}
        self.subgraph: Subgraph | None = None
        self.bound: dict[int, torch.Tensor] = {}
        self.takes: list[int] = []  # variables that run takes
        self.run: Callable[..., Any] | None = None
        self.code: Callable[..., Any] | None = None  # O0
        self.autotuner: Autotuner | None = None
        self.entries: list[Any] = []  # generated entries that call `run`
        self.scope: _Scope | None = None  # of a root that was recorded once

    def install(self, run: Callable[..., Any]) -> None:
        """Let calls run another plan from now on."""
        self.run = run
        entries, self.entries = self.entries, []
        for entry in entries:
            if self.inlines or "run" not in entry.__globals__:
                entry.__globals__["EPOCH"] = None  # it will be written anew
            else:
                entry.__globals__["run"] = run
                self.entries.append(entry)

    @property
    def inlines(self) -> bool:
        """Whether O0 runs here for good, so that an entry may have its lines in place of a call."""
        tuner = self.autotuner
        return self.run is self.code and tuner is not None and tuner.phase == "settled"

    def tune(self, name: str, level: str | None) -> None:
        """Begin to look for the fastest plan."""
        assert self.subgraph is not None
        assert self.code is not None
        self.autotuner = Autotuner(
            self.subgraph, self.code, self.takes, self.bound, self.install, name, level
        )
        self.autotuner.begin()

    @property
    def kind(self) -> str:
        """``"read"``, ``"shape"`` or ``"end"``."""
        return "end" if self.cut is None else self.cut.kind

    def key_of(self, read: Any, env: dict[int, Any]) -> tuple[Any, Any]:
        """The value that Python gets behind this subgraph, and its key among the children."""
        assert self.cut is not None
        value = read if self.cut.kind == "read" else tuple(env[self.cut.var].shape)
        return value, value_key(value)

    def verify(self, other: Node) -> None:
        """Compare with a second recording of the same stretch.

        Raises:
            Untrusted: they differ.
        """
        for mine, its in zip(self.ops, other.ops, strict=False):
            if not mine.same(its):
                raise Untrusted(
                    f"Python did not repeat itself: {_difference(mine, its)}", its.site or mine.site
                )
        if len(self.ops) != len(other.ops):
            longer = max(self.ops, other.ops, key=len)
            extra = longer[min(len(self.ops), len(other.ops))]
            raise Untrusted(
                f"Python did not repeat itself: {extra.name} ran in one of two runs", extra.site
            )
        for number, mine in self.captured.items():
            its = other.captured.get(number)
            if its is None or not mine.same(its):
                op = next((o for o in self.ops if number in used_by(o)), None)
                raise Untrusted(
                    "a tensor that Python made or read had other values in two runs",
                    None if op is None else op.site,
                )
        if (self.cut is None) != (other.cut is None) or (
            self.cut is not None
            and other.cut is not None
            and (self.cut.kind, self.cut.var) != (other.cut.kind, other.cut.var)
        ):
            raise Untrusted("Python read other values in two runs")
        if self.outcome is not None and not (
            other.outcome is not None and self.outcome.same(other.outcome)
        ):
            raise Untrusted("the result, apart from its tensors, differed in two runs")


def _difference(a: Op, b: Op) -> str:
    if a.name != b.name:
        return f"{a.name} became {b.name}"
    for x, y in zip(a.args, b.args, strict=False):
        if not same_value(x, y):
            return f"a constant of {a.name} was {x!r}, then {y!r}"
    return f"{a.name} got other arguments"


def split(recorder: Recorder, outcome: Outcome, count: int) -> list[Node]:
    """The subgraphs of a recording after its first `count` operations, which were a prefix."""
    nodes: list[Node] = []
    cuts = [c for c in recorder.cuts if c.position > count]
    start = count
    for cut in (*cuts, None):
        stop = len(recorder.ops) if cut is None else cut.position
        captured = {
            v: result
            for v, result in recorder.captured.items()
            # met before the operation of its position was appended, or behind the last one
            if start <= result.position < stop or (cut is None and result.position == stop)
        }
        node = Node(recorder.ops[start:stop], captured)
        node.cut = cut
        if cut is None:
            node.outcome = outcome
        nodes.append(node)
        start = stop
    return nodes


def grow(
    root: Node | None,
    path: list[Node],
    recorder: Recorder,
    outcome: Outcome,
    certain: bool = True,
) -> tuple[Node | None, int]:
    """Hang the subgraphs of a recording on a tree. Gives the root, and how many are new.

    Args:
        root: of the tree, None for an empty one.
        path: the nodes that had run before the recording, its prefix.
        recorder: the recording.
        outcome: what the run returned.
        certain: whether all that the recording's Python read was guarded while it ran; only such a
            recording makes a subgraph trusted. Default: True.

    Raises:
        Untrusted: the recording contradicts one that the tree holds.
    """
    count = sum(len(n.ops) for n in path)
    new = 0
    parent = path[-1] if path else None
    key = recorder.cuts[len(path) - 1].key if path else None
    scope = _Scope(path, recorder)
    for node in split(recorder, outcome, count):
        known = root if parent is None else parent.children.get(key)
        if known is None:
            if parent is None:
                root = node
                node.scope = _Scope((), recorder)
            else:
                parent.children[key] = node
            known = node
            new += 1
        elif not known.trusted:
            known.verify(node)
            if not certain:
                break
            lower(known, scope)
            known.scope = None
            known.trusted = True  # last: other threads run what is trusted
        scope.enter(known)
        parent, key = known, None if node.cut is None else node.cut.key
    return root, new


def draft_of(node: Node) -> tuple[Subgraph, Any] | None:
    """The operations of a root without cuts, which need not be trusted yet, and what it returns."""
    if node.cut is not None or node.outcome is None:
        return None
    draft = node
    if node.subgraph is None:
        if node.scope is None:
            return None
        draft = Node(node.ops, node.captured)
        draft.outcome = node.outcome
        try:
            lower(draft, node.scope)
        except Untrusted:
            return None
    assert draft.subgraph is not None
    stands = draft.stands
    return draft.subgraph, map_refs(node.outcome.form, lambda ref: Ref(stands[ref.i]))


def nodes_of(root: Node) -> list[Node]:
    """All subgraphs of a tree, parents first."""
    results = [root]
    for node in results:
        results += node.children.values()
    return results


class _Scope:
    """What the subgraphs of a path know of each other when one of them is lowered."""

    def __init__(self, path: Sequence[Node], recorder: Recorder) -> None:
        self.metas = recorder.metas
        self.marks = recorder.marks
        self.captured: dict[int, Captured] = {}
        self.ops: list[Op] = []
        for node in path:
            self.enter(node)

    def enter(self, node: Node) -> None:
        self.captured.update(node.captured)
        for v in node.copied:  # from here on it is what that subgraph made of it
            self.captured.pop(v, None)
        self.ops += node.ops


def lower(node: Node, scope: _Scope) -> None:
    """Make a trusted subgraph runnable."""
    captured = {**scope.captured, **node.captured}
    ops = _fresh_constants(node, captured, scope)
    result = {o for op in ops for o in outputs_of(op)}
    if node.cut is None:
        assert node.outcome is not None
        expected = list(node.outcome.variables)
    else:
        expected = [v for v in node.cut.live if v in result]
        if node.cut.kind == "shape" and node.cut.var not in expected:
            expected.append(node.cut.var)
    body, stands = aliases_resolved(ops)
    outs = list(dict.fromkeys(stands.get(v, v) for v in expected))
    body = without_dead_code(body, outs)
    ins = inputs_of(body, outs)
    constants = {v: f.tensor for v, f in captured.items() if v in ins}
    body, ins, constants = _folded(body, outs, ins, constants, captured)
    marks = positions(body, scope.marks)
    node.subgraph = Subgraph(body, ins, outs, scope.metas, node.kind == "read", constants, marks)
    node.stands = {v: stands.get(v, v) for v in expected}
    node.bound = constants
    node.takes = [v for v in ins if v not in constants]
    node.run = node.code = o0.generate(node.subgraph, bound=constants)


def _fresh_constants(node: Node, captured: dict[int, Captured], scope: _Scope) -> list[Op]:
    """The operations, with a copy made first of each constant that a run changes or gives away."""
    metas = scope.metas
    changed = {metas[v].storage for op in node.ops for v in mutates(op)}
    given = set()
    if node.outcome is not None:
        given = {metas[v].storage for v in node.outcome.variables}
    created = {v for v, f in captured.items() if f.created}
    touched = [v for v in created if metas[v].storage in changed | given]
    if not touched:
        return node.ops
    late = {metas[v].storage for v in touched if v not in node.captured}
    if late:
        # a copy made here must not part company with views or changes made before
        before = [v for op in scope.ops for v in (*outputs_of(op), *mutates(op))]
        if any(v in metas and metas[v].storage in late for v in before):
            raise Untrusted("a tensor made by Python is changed behind a value that Python read")
    ops = []
    node.copied = touched
    for v in touched:
        result = captured.pop(v)
        assert result.copy is not None
        source = result.copy
        make = Host(_Copy(source), "constant", "tensor")
        ops.append(Op(make, (), {}, (v,), (metas[v],), None, -1))
    return [*ops, *node.ops]


class _Copy:
    """Makes a fresh copy of a constant at every run."""

    def __init__(self, source: torch.Tensor) -> None:
        self.source = source

    def __call__(self) -> torch.Tensor:
        return self.source.clone()


def _folded(
    ops: list[Op],
    outs: list[int],
    ins: list[int],
    constants: dict[int, torch.Tensor],
    captured: dict[int, Captured],
) -> tuple[list[Op], list[int], dict[int, torch.Tensor]]:
    """Compute once what depends on constants of Python alone (masks, ranges)."""
    changed = {v for op in ops for v in mutates(op)}
    values: dict[int, torch.Tensor] = {
        v: f.copy if f.copy is not None else f.tensor
        for v, f in captured.items()
        if f.created and v in ins
    }
    escaping = {*outs}
    retained: list[Op] = []
    computed: dict[int, torch.Tensor] = {}
    guarded = _memory_that_changes(ops, changed)
    for op in ops:
        refs = used_by(op)
        foldable = (
            isinstance(op.func, torch._ops.OpOverload)
            and not op.func._schema.is_mutable
            and torch.Tag.nondeterministic_seeded not in op.func.tags
            and len(op.outs) == 1
            and op.outs[0] is not None
            and op.outs[0] not in escaping
            and op.outs[0] not in guarded
            and (all(r in values for r in refs) if refs else op.func in FACTORIES)
            and not isinstance(op.func._schema.returns[0].type, torch.ListType)
        )
        if foldable and not changed.intersection(refs):
            with torch.no_grad():
                args = map_refs(op.args, lambda ref: values[ref.i])
                kwargs = {k: map_refs(v, lambda ref: values[ref.i]) for k, v in op.kwargs.items()}
                result = op.func(*args, **kwargs)
            if result.numel() <= 1 << 20:
                values[op.outs[0]] = computed[op.outs[0]] = result  # type: ignore[index]
                continue
        retained.append(op)
    if not computed:
        return ops, ins, constants
    ins = inputs_of(retained, outs)
    constants = {v: t for v, t in {**constants, **computed}.items() if v in ins}
    return retained, ins, constants


def _memory_that_changes(ops: list[Op], changed: set[int]) -> set[int]:
    """Variables that share memory with one that an operator changes."""
    metas = {o: m for op in ops for o, m in zip(op.outs, op.metas, strict=False) if o is not None}
    storages = {m.storage for v in changed if (m := metas.get(v)) is not None}
    return {v for v, m in metas.items() if m is not None and m.storage in storages}
