"""Recordings of one signature, joined in a tree of subgraphs.

A recording without values read by Python is one subgraph. Each value read ends a subgraph, and each
value seen there leads to a child. At a call the root runs, its value picks the child, and so on; a
value that was not seen yet runs Python again, with the executed path as prefix
(`agar._core.graph.record.recorder`).

NOTE Trust. A subgraph is replayed after two recordings agreed on it, constants included. Python
that is not a function of its inputs (`np.random`, the clock) is found that way, and not frozen.
"""

from __future__ import annotations

import enum
import operator
import types
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from agar._core.distributed.sharding import in_parts, is_split, local
from agar._core.dtype import Type
from agar._core.graph.autotune.tuner import Autotuner
from agar._core.graph.backends import o0
from agar._core.graph.guard.flatten import FlatArguments
from agar._core.graph.guard.getters import (
    WEAK_PROXIES,
    computes_attributes,
    is_plain,
    items_of,
    pairs_of,
    settings_of,
    slot_value,
    slots_of,
)
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
from agar._core.jit import _List, _Tuple
from agar._core.parameter import Parameter
from agar._core.tensor import Structure, Tensor, wrap

__all__ = ["Node", "Outcome", "Untrusted", "draft_of", "grow", "nodes_of", "read_outcome"]

aten = torch.ops.aten


class Untrusted(Exception):
    """Two recordings of the same call differ; the message says where."""

    def __init__(self, reason: str, site: tuple[str, int] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.site = site


# --------------------------------------------------------------------------------- results


class Outcome:
    """What a recorded run returned: variables, and how the result is built from them.

    `form` is the structure with ``("tensor", Ref)``, ``("parts", (Ref, spec))`` (a tensor in parts
    on several processes), ``("argument", i)``, ``("passed", path)`` (an object among the
    arguments), ``("object", x)`` and ``("constant", x)`` at its leaves.
    """

    __slots__ = ("form", "objects", "variables")

    def __init__(self, form: Any, variables: list[int], objects: Sequence[Any] = ()) -> None:
        self.form = form
        self.variables = variables
        self.objects = list(objects)  # that must be known from outside, being returned as they are

    def same(self, other: Outcome) -> bool:
        """Whether another run returned the same."""
        return same_value(self.form, other.form)

    def code(self, names: dict[str, Any], places: dict[int, int]) -> tuple[str, str]:
        """Statements and an expression over ``x0, x1, ...`` and ``t0, ...`` (the arguments).

        Args:
            names: gets the constants of the result.
            places: which ``x`` holds each variable.
        """
        statements: list[str] = []
        variables: dict[int, str] = {}  # a tensor in two places is one object

        def constant(value: Any) -> str:
            name = f"q{len(names)}"
            names[name] = value
            return name

        def expression(form: Any) -> str:
            kind, value = form
            if kind == "tensor":
                name = variables.get(value.i)
                if name is None:
                    name = variables[value.i] = f"w{len(statements)}"
                    statements.append(f"{name} = new(Tensor); {name}._value = x{places[value.i]}")
                return name
            if kind == "parts":
                ref, spec = value
                name = f"w{len(statements)}"
                result = f"{constant(in_parts)}(x{places[ref.i]}, {constant(spec)})"
                statements.append(f"{name} = new(Tensor); {name}._value = {result}")
                return name
            if kind == "argument":
                return f"t{value}"
            if kind == "passed":
                path = "args" if value[0] == 0 else "kwargs"
                for get, key in value[1:]:
                    path = f"{constant(get)}({path}, {constant(key)})"
                return path
            if kind == "array":
                return f"{constant(value)}.copy()"
            if kind == "object":
                return constant(value)
            if kind == "constant":
                return (
                    repr(value) if value is None or type(value) in (int, bool) else constant(value)
                )
            if kind is dict:
                return f"{{{', '.join(f'{constant(k)}: {expression(v)}' for k, v in value)}}}"
            if kind is OrderedDict:
                pairs = ", ".join([f"({constant(k)}, {expression(v)})" for k, v in value])
                return f"{constant(kind)}([{pairs}])"
            inner = ", ".join([expression(v) for v in value])
            if kind is list:
                return f"[{inner}]"
            if kind is tuple:
                return f"({inner},)" if len(value) == 1 else f"({inner})"
            cls = constant(kind)
            return f"{cls}({inner})" if hasattr(kind, "_fields") else f"{cls}([{inner}])"

        result = expression(self.form)
        return "; ".join(statements), result

    def build(self, env: dict[int, Any], flat: FlatArguments) -> Any:
        """The result from the values of the variables."""
        arguments = flat.tensors
        wrappers: dict[int, Tensor] = {}

        def make(form: Any) -> Any:
            kind, value = form
            if kind == "tensor":
                if value.i not in wrappers:
                    wrappers[value.i] = wrap(env[value.i])
                return wrappers[value.i]
            if kind == "parts":
                return wrap(in_parts(env[value[0].i], value[1]))
            if kind == "argument":
                return arguments[value]
            if kind == "passed":
                result: Any = flat.call[value[0]]
                for get, key in value[1:]:
                    result = get(result, key)
                return result
            if kind == "array":
                return value.copy()
            if kind in ("object", "constant"):
                return value
            if kind is dict or kind is OrderedDict:
                return kind([(k, make(v)) for k, v in value])
            items = [make(v) for v in value]
            if hasattr(kind, "_fields"):
                return kind(*items)
            return items if kind is list else kind(items)

        return make(self.form)


def read_outcome(
    result: Any, recorder: Recorder, flat: FlatArguments
) -> tuple[Outcome, list[torch.Tensor]]:
    """Take a result apart; also gives its torch tensors.

    Args:
        result: what the run returned.
        recorder: its recording, which a result that cannot be made again aborts.
        flat: the arguments.
    """
    arguments = flat.tensors
    variables: list[int] = []
    tensors: list[torch.Tensor] = []
    objects: list[Any] = []
    paths = _paths(flat)
    built: set[int] = set()
    again: list[Callable[[Any], Any]] = []

    def form(value: Any) -> Any:
        if type(value) in WEAK_PROXIES:
            recorder.abort("the call returns a weak reference")
            return "object", value
        if isinstance(value, Tensor):
            for i, a in enumerate(arguments):
                if a is value:
                    return "argument", i
            raw = value._value
            spec: Any = None
            if raw.__class__ is not torch.Tensor and is_split(raw):
                spec, raw = raw._spec, local(raw)  # type: ignore[attr-defined]
            number = recorder.number_of(raw)
            if number is None and recorder.aborted is None:
                number = recorder._ref(raw).i  # no operator has used it
            known = None if number is None else recorder.captured.get(number)
            if isinstance(value, Parameter) or (known is not None and not known.created):
                return "object", value
            if vars(value):
                recorder.abort("a tensor that the call returns carries attributes")
            elif type(value) is not Tensor:
                recorder.abort(f"the call returns an object of type {type(value).__name__}")
            if number is None:
                return "object", value
            variables.append(number)
            tensors.append(raw)
            if spec is not None:
                if id(value) in built:
                    recorder.abort("the call returns one tensor in parts in two places")
                built.add(id(value))
                return "parts", (Ref(number), spec)
            return "tensor", Ref(number)
        if value is None or type(value) in _IMMUTABLE or isinstance(value, _SYMBOLS):
            return "constant", value
        if isinstance(value, torch.Size) or (type(value) is tuple and not value):
            return "constant", value
        path = paths.get(id(value))
        if path is not None:
            return "passed", path
        kind = type(value)
        if isinstance(value, (dict, tuple, list, Structure)):
            if isinstance(value, (dict, list)):
                if id(value) in built:
                    recorder.abort("the call returns one container in two places")
                    return "object", value
                built.add(id(value))
            return parts(value, kind)
        if kind is np.ndarray:
            if value.dtype == object:
                recorder.abort("the call returns a numpy array of objects")
                return "object", value
            objects.append(value)
            return "array", value
        if isinstance(value, _SHARED):
            return "constant", value
        objects.append(value)
        return "object", value

    def parts(value: Any, kind: type) -> Any:
        if kind not in _BARE and not issubclass(kind, Structure) and settings_of(value):
            recorder.abort("a container that the call returns carries attributes")
            return "object", value
        if isinstance(value, dict):
            objects.extend([k for k in value if not is_fixed_key(k)])
        if kind is dict or kind is OrderedDict:
            objects.append(value)
            return kind, [(k, again[0](v)) for k, v in value.items()]
        if kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
            if kind is list:
                objects.append(value)
            output = [again[0](v) for v in value]
            if kind is not list and all(_is_fixed(part) for part in output):
                return "constant", value  # it may be one that lies outside
            return kind, output
        if isinstance(value, Structure):
            return kind, [again[0](v) for v in value._held]
        if kind in _MARKED:
            return kind, [again[0](v) for v in value]
        recorder.abort(f"the call returns an object of type {kind.__name__}")
        return "object", value

    again.append(form)
    output = form(result)
    again.clear()  # else the two would hold each other, and the arguments, until gc runs
    return Outcome(output, list(dict.fromkeys(variables)), objects), tensors


def is_fixed_key(key: Any) -> bool:
    """Whether a key of a dictionary is told by its value."""
    if type(key) is tuple:
        return all(map(is_fixed_key, key))
    return is_plain(key) or isinstance(key, _SHARED)


def _is_fixed(form: Any) -> bool:
    """Whether every run gives the same object."""
    kind, value = form
    return kind == "object" or (kind == "constant" and not isinstance(value, _SYMBOLS))


_IMMUTABLE = frozenset({bool, int, float, str, bytes, complex, type(Ellipsis), torch.dtype})
_SYMBOLS = (torch.SymInt, torch.SymFloat, torch.SymBool)
_BARE = frozenset({list, tuple, dict})
#: Containers of :func:`agar.mutable`, which are made from what they hold.
_MARKED = frozenset({_List, _Tuple})
#: Objects that every run shares.
_SHARED = (type, types.ModuleType, types.BuiltinFunctionType, enum.Enum, np.generic, np.dtype, Type)


def _paths(flat: FlatArguments) -> dict[int, tuple[Any, ...]]:
    """Where the objects among the arguments are, by id: 0 or 1, then steps from there."""
    results: dict[int, tuple[Any, ...]] = {}
    args, kwargs = flat.call
    get = operator.getitem
    waiting: list[tuple[Any, tuple[Any, ...]]] = [(a, (0, (get, i))) for i, a in enumerate(args)]
    waiting += [(v, (1, (get, k))) for k, v in kwargs.items()]
    while waiting:
        value, path = waiting.pop()
        kind = type(value)
        if value is None or kind in _IMMUTABLE or computes_attributes(kind):
            continue
        if isinstance(value, Tensor):
            continue
        if id(value) in results or (kind is tuple and not value):
            continue
        results[id(value)] = path
        if isinstance(value, (list, tuple)):
            item = get if kind in _BARE else _list_item if isinstance(value, list) else _tuple_item
            waiting += [(v, (*path, (item, i))) for i, v in enumerate(items_of(value))]
        elif isinstance(value, dict):
            item = get if kind in _BARE else dict.__getitem__
            waiting += [(v, (*path, (item, k))) for k, v in pairs_of(value)]
        if kind in flat.rules.classes:
            for name, v in (settings_of(value) or {}).items():
                waiting.append((v, (*path, (_attribute, name))))
            for base in kind.__mro__:
                for name in slots_of(base):
                    descriptor = base.__dict__[name]
                    v = slot_value(descriptor, value)[0]
                    waiting.append((v, (*path, (_slot, descriptor))))
    return results


_list_item: Any = list.__getitem__
_tuple_item: Any = tuple.__getitem__


def _attribute(value: Any, name: str) -> Any:
    """An attribute of an object, past those of its class."""
    return value.__dict__[name]


def _slot(value: Any, descriptor: Any) -> Any:
    """What a slot of an object holds."""
    return descriptor.__get__(value)


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
        for entry in self.entries:
            entry.__globals__["run"] = run

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


def draft_of(node: Node) -> Subgraph | None:
    """The operations of a root without cuts, which need not be trusted yet; None if it has cuts."""
    if node.subgraph is not None or node.cut is not None or node.scope is None:
        return None if node.cut is not None else node.subgraph
    draft = Node(node.ops, node.captured)
    draft.outcome = node.outcome
    try:
        lower(draft, node.scope)
    except Untrusted:
        return None
    return draft.subgraph


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
