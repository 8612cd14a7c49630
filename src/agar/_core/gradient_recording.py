"""Recording of a run whose gradients are asked for: scopes, records, the backward pass.

NOTE Recording. Outside a gradient nothing is recorded: no agar tensor requires a gradient. A
transform opens a scope, makes the chosen inputs and parameters differentiable, runs the function
once, asks torch for the gradients, and restores everything whatever happens. Inputs get a
differentiable leaf over the same memory in their place; parameters are switched in place, counted,
so that nested and concurrent transforms do not switch each other off.

NOTE Records of cells. After ``cell.set_grad()``, calling the cell records. A transform of the same
cell over the same input objects then takes its gradient from that record, which is used once.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch._C import _autograd, _functorch  # pyright: ignore[reportAttributeAccessIssue]

from agar._core.distributed.sharding import any_split, implicit_replication
from agar._core.hooks import attach
from agar._core.jit import MARKED_CONTAINERS
from agar._core.lent import data_of
from agar._core.parameter import Parameter
from agar._core.runtime import thread
from agar._core.tensor import Structure, Tensor, wrap

__all__ = [
    "CellRecords",
    "GradScope",
    "Record",
    "alias_of",
    "all_detached",
    "all_released",
    "backward_from",
    "detached",
    "functorch_level",
    "gradients_of",
    "is_differentiable",
    "keep",
    "map_tensors",
    "record_call",
    "reduce_with",
    "run_recorded",
    "scope_is_open",
    "switch_off",
    "switch_on",
    "tensors_in",
    "to_differentiate",
]

_HEAP_TYPE = 1 << 9  # of a class that Python made
_NUMBERS = frozenset({bool, bytes, complex, float, int, str})
_lock = threading.Lock()
_active: dict[int, list[Any]] = {}  # id(torch tensor) -> [tensor, count, torch's own flag]


class _Alias(torch.autograd.Function):
    """The identity onto a tensor over the same memory that in-place operators may change."""

    @staticmethod
    def forward(ctx: Any, leaf: torch.Tensor) -> torch.Tensor:
        alias = torch.empty(0, dtype=leaf.dtype, device=leaf.device)
        return alias.set_(leaf.untyped_storage(), leaf.storage_offset(), leaf.shape, leaf.stride())

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return grad


def alias_of(leaf: torch.Tensor) -> torch.Tensor:
    """A leaf as a tensor over the same memory that in-place operators may change."""
    return _Alias.apply(leaf) if leaf.requires_grad else leaf


def switch_on(values: Iterable[torch.Tensor]) -> None:
    """Make parameters' tensors differentiable; each call needs its `switch_off`."""
    with _lock:
        for value in values:
            entry = _active.get(id(value))
            if entry is None:
                entry = _active[id(value)] = [value, 0, value.requires_grad]
                if not value.requires_grad:
                    value.requires_grad_(True)
            entry[1] += 1


def switch_off(values: Iterable[torch.Tensor]) -> None:
    with _lock:
        for value in values:
            entry = _active[id(value)]
            entry[1] -= 1
            if entry[1] == 0:
                del _active[id(value)]
                if not entry[2] and value.is_leaf:
                    value.requires_grad_(False)


class GradScope:
    """One recording: which tensors were made differentiable, and what to undo at its end."""

    def __init__(self) -> None:
        self._swapped: list[tuple[Tensor, torch.Tensor, torch.Tensor]] = []
        self._switched: list[torch.Tensor] = []
        self._touched: list[Any] = []
        self.reducers: dict[Any, bool] = {}  # `GradientAccumulation`s, see `reduce_with`

    @classmethod
    def over(cls, inputs: Iterable[Tensor]) -> GradScope:
        """A scope whose inputs are differentiable already; it is not closed."""
        scope = cls()
        for tensor in inputs:
            if tensor._value.requires_grad:
                scope._swapped.append((tensor, tensor._value, tensor._value))
        return scope

    def open_input(self, tensor: Tensor) -> torch.Tensor:
        """Make an input differentiable; returns the leaf to differentiate by."""
        for seen, _, leaf in self._swapped:
            if seen is tensor:
                return leaf
        value = tensor._value
        # data: a later in-place change of the input must not disturb a kept record
        leaf = value if value.requires_grad else data_of(value).requires_grad_()
        self._swapped.append((tensor, value, leaf))
        tensor._value = leaf
        return leaf

    def open_parameters(self, parameters: Iterable[Tensor]) -> dict[int, torch.Tensor]:
        """Make parameters differentiable; returns the leaves to differentiate by, by identity."""
        leaves = {
            id(p._value): p._value
            for p in parameters
            if getattr(p, "requires_grad", True) and is_differentiable(p)
        }
        self._switched = list(leaves.values())
        switch_on(self._switched)
        return leaves

    def hand_over(self) -> list[torch.Tensor]:
        """Leave the parameters switched on; the caller puts them back with `switch_off`."""
        switched, self._switched = self._switched, []
        return switched

    def reduce_with(self, reducers: dict[Any, bool]) -> None:
        """Let these take the gradients of the recording, see `reduce_with`."""
        for reducer, sends in reducers.items():
            self.reducers[reducer] = self.reducers.get(reducer, False) or sends

    def touch(self, tensor: Tensor) -> bool:
        """Note a tensor that is about to be changed in place; True if this scope made it.

        torch forbids to change a leaf or a view of one. An input becomes its leaf's alias, and a
        view of an input the same view of that alias, so both may be changed.
        """
        value = tensor._value
        base = value._base
        for seen, _, leaf in self._swapped:
            if seen is tensor:
                if value is leaf:
                    tensor._value = _Alias.apply(leaf)
                return True
            if base is not None and base is (leaf if leaf._base is None else leaf._base):
                if seen._value is leaf:
                    seen._value = _Alias.apply(leaf)
                tensor._value = seen._value.as_strided(
                    value.shape, value.stride(), value.storage_offset()
                )
                return True
        self._touched.append(weakref.ref(tensor))
        return False

    def close(self, nested: bool) -> None:
        """Undo what the scope did. Unless nested, stored tensors lose their history."""
        for tensor, value, leaf in reversed(self._swapped):
            now = tensor._value
            if now is leaf or (now.data_ptr() == value.data_ptr() and now.shape == value.shape):
                tensor._value = value
            elif not nested:
                tensor._value = now.detach()
        switch_off(self._switched)
        if not nested:
            for ref in self._touched:
                tensor = ref()
                if tensor is not None and tensor._value.requires_grad:
                    tensor._value = tensor._value.detach()
        elif thread.grad_scopes:
            thread.grad_scopes[-1]._touched += self._touched


def scope_is_open() -> bool:
    """Whether a gradient is being recorded in this thread."""
    return bool(thread.grad_scopes)


def reduce_with(reducer: Any, sends: bool) -> None:
    """Let a `GradientAccumulation` take the gradients of the open recordings.

    It reduces them over processes where one of the calls sends.
    """
    for scope in thread.grad_scopes:
        scope.reduce_with({reducer: sends})


def keep(value: Any) -> None:
    """Note tensors that outlive the call (stored on a cell) while a scope is open."""
    scopes = thread.grad_scopes
    if scopes and isinstance(value, Tensor) and not isinstance(value, Parameter):
        scopes[-1]._touched.append(weakref.ref(value))


def tensors_in(value: Any, result: list[Tensor] | None = None) -> list[Tensor]:
    """All tensors in nested tuples, lists and dicts, in order."""
    result = [] if result is None else result
    if isinstance(value, Tensor):
        result.append(value)
    elif isinstance(value, (tuple, list)):
        for v in value:
            tensors_in(v, result)
    elif isinstance(value, dict):
        for v in value.values():
            tensors_in(v, result)
    elif isinstance(value, Structure):
        tensors_in(value._held, result)
    return result


def map_tensors(value: Any, fn: Callable[[Tensor], Any]) -> Any:
    """The same structure with `fn` applied to each tensor; containers keep classes of Python's."""
    if isinstance(value, Tensor):
        return fn(value)
    kind = type(value)
    if isinstance(value, (tuple, list, dict)) and _is_of_program(kind):
        return _remade(value, kind, fn)
    if isinstance(value, tuple):
        items = [map_tensors(v, fn) for v in value]
        return tuple.__new__(kind, items) if hasattr(kind, "_fields") else tuple(items)
    if isinstance(value, list):
        return [map_tensors(v, fn) for v in value]
    if isinstance(value, dict):
        mapping: Any = OrderedDict if kind is OrderedDict else dict
        return mapping([(k, map_tensors(v, fn)) for k, v in value.items()])
    if isinstance(value, Structure):
        return value._make(map_tensors(value._held, fn))
    return value


def _is_of_program(kind: type) -> bool:
    """Whether a container's class is one of Python's over a built-in container."""
    if kind in MARKED_CONTAINERS or not kind.__flags__ & _HEAP_TYPE:
        return False
    return _base_of(kind) in (list, tuple, dict, OrderedDict)


def _base_of(kind: type) -> Any:
    return next(base for base in kind.__mro__ if not base.__flags__ & _HEAP_TYPE)


def _remade(value: Any, kind: type, fn: Callable[[Tensor], Any]) -> Any:
    """Another container of the same class, past its methods, with its attributes."""
    seen: dict[int, Any] = {}  # a tensor may stand among the items and the attributes

    def once(t: Tensor) -> Any:
        if id(t) not in seen:
            seen[id(t)] = fn(t)
        return seen[id(t)]

    base: Any = _base_of(kind)
    given = [map_tensors(v, once) for v in tuple.__iter__(value)] if base is tuple else None
    result: Any = base.__new__(kind) if given is None else tuple.__new__(kind, given)
    if kind.__dictoffset__:
        home = object.__getattribute__(value, "__dict__")
        result.__dict__.update({n: map_tensors(v, once) for n, v in dict.items(home)})
    for descriptor, held in _slots_of(value, kind):
        descriptor.__set__(result, map_tensors(held, once))
    if base is list:
        list.extend(result, [map_tensors(v, once) for v in list.__iter__(value)])
    elif given is None:
        mapping: Any = OrderedDict if base is OrderedDict else dict
        for k, v in mapping.items(value):
            mapping.__setitem__(result, k, map_tensors(v, once))
    return result


def _slots_of(value: Any, kind: type) -> list[tuple[Any, Any]]:
    """The slots of an object that are set, and what they hold."""
    results = []
    for base in kind.__mro__:
        for descriptor in vars(base).values():
            if type(descriptor) is types.MemberDescriptorType and base.__flags__ & _HEAP_TYPE:
                with contextlib.suppress(AttributeError):  # it is empty
                    results.append((descriptor, descriptor.__get__(value)))
    return results


def to_differentiate(value: Any) -> Any:
    """By what a gradient with respect to an input is taken: a Tensor, or a container of Tensors.

    A container is differentiated by where :func:`agar.mutable` says that it is an input; any other
    is a constant, and the answer None.

    Raises:
        TypeError: such a container holds a float, of which torch knows no gradient.
    """
    if isinstance(value, Tensor):
        return value
    if type(value) in MARKED_CONTAINERS:
        _refuse_floats(value)
        return value
    return value._differentiated if isinstance(value, Structure) else None


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(
            "A gradient by a mutable list, tuple or dict is one by its Tensors, but it holds the "
            f"float {value!r}. Give Tensor({value!r}) instead."
        )
    if isinstance(value, (tuple, list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            _refuse_floats(part)


def gradients_of(value: Any, fn: Callable[[Tensor], Any]) -> Any:
    """The structure of `value` with `fn` of each Tensor; integers have the gradient 0."""
    if isinstance(value, int):
        return 0
    if isinstance(value, dict):
        return {k: gradients_of(v, fn) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        parts = [gradients_of(v, fn) for v in value]
        return parts if isinstance(value, list) else tuple(parts)
    return fn(value)


def is_differentiable(value: Any) -> bool:
    if not isinstance(value, Tensor):
        return False
    kind = value._value.dtype
    return kind.is_floating_point or kind.is_complex


class Record:
    """A run of a function whose gradients can still be asked for, once."""

    __slots__ = ("held", "inputs", "leaves", "out", "reducers")

    def __init__(
        self,
        inputs: dict[int, torch.Tensor],
        leaves: dict[int, torch.Tensor],
        out: Any,
        reducers: dict[Any, bool] | None = None,
    ) -> None:
        self.inputs = inputs  # id(Tensor) -> leaf
        self.leaves = leaves  # id(torch tensor of a parameter) -> itself
        self.out = out
        self.reducers = reducers  # each with whether it sends
        self.held: list[torch.Tensor] = []  # parameters that are still switched on


def _recording() -> Any:
    """Let torch record, also inside of ``torch.inference_mode()``, where it would give zeros."""
    return torch.inference_mode(False) if torch.is_inference_mode_enabled() else torch.enable_grad()


def run_recorded(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    inputs: Iterable[Tensor],
    parameters: Iterable[Tensor],
    hold: bool = False,
) -> tuple[Record, bool]:
    """Run a function once while recording; the bool says whether an outer scope is open.

    With `hold` the parameters stay differentiable until the caller switches `held` off.
    """
    scope = GradScope()
    nested = bool(thread.grad_scopes)
    thread.open_gradient(scope)
    try:
        with _recording():
            by_input = {id(t): scope.open_input(t) for t in inputs if is_differentiable(t)}
            by_param = scope.open_parameters(parameters)
            # an input or parameter that is returned as it is must still be there to differentiate
            # when the scope has put its plain value back
            out = map_tensors(fn(*args, **kwargs), _not_leaf)
        record = Record(by_input, by_param, out, scope.reducers)
        if hold:
            record.held = scope.hand_over()
        return record, nested
    finally:
        thread.close_gradient()
        scope.close(nested)


def _not_leaf(t: Tensor) -> Tensor:
    value = t._value
    return wrap(value.view_as(value)) if value.requires_grad and value.is_leaf else t


def backward_from(
    record: Record,
    outputs: list[Tensor],
    cotangents: list[torch.Tensor] | None,
    leaves: list[torch.Tensor | None],
    create_graph: bool,
    keep: bool = False,
    owners: Sequence[Tensor] = (),
    more: Callable[[], list[Any]] | None = None,
) -> list[torch.Tensor | None]:
    """Gradients of the outputs with respect to the leaves; None where there is none.

    With `keep` the recording can be used again. `owners` are the tensors that the leaves stand
    for; their hooks see the gradients. `more` puts further hooks on, and gives their handles.
    """
    run = functools.partial(
        _backward_from, record, outputs, cotangents, leaves, create_graph, keep, owners
    )
    reducers = [(r, s) for r, s in (record.reducers or {}).items() if r.concerns(leaves)]
    if not reducers:
        return run(more)
    owner = reducers[0][0].owner
    if more is not None:
        raise RuntimeError(
            f"The gradients of '{owner}' would be reduced twice: by itself, and by the training "
            "cell or Model around it. Leave one of them out: give the training cell the network "
            f"without '{owner}', or train with value_and_grad and an optimizer."
        )
    if create_graph:
        raise RuntimeError(
            f"For '{owner}', gradients by its parameters are reduced over processes, and cannot be "
            "differentiated again. Take the inner gradient by the inputs alone, or of the network "
            f"without '{owner}'."
        )
    return type(reducers[0][0]).run(reducers, leaves, run)


def _backward_from(
    record: Record,
    outputs: list[Tensor],
    cotangents: list[torch.Tensor] | None,
    leaves: list[torch.Tensor | None],
    create_graph: bool,
    keep: bool,
    owners: Sequence[Tensor],
    more: Callable[[], list[Any]] | None,
) -> list[torch.Tensor | None]:
    pairs = [
        (t._value, None if cotangents is None else cotangents[i])
        for i, t in enumerate(outputs)
        if t._value.requires_grad
    ]
    expected = list({id(leaf): leaf for leaf in leaves if leaf is not None}.values())
    if not pairs or not expected:
        return [None] * len(leaves)
    # None where torch may put a one itself: given gradients make it import its symbolic shapes
    cots = [
        torch.ones_like(v) if c is None and (v.dim() or v.is_complex()) else c for v, c in pairs
    ]
    # torch asks for the parameters' switches again, and so does a recomputed cell, which runs now
    switched = [] if record.held else list(record.leaves.values())
    switch_on(switched)
    handles = [
        handle
        for owner, leaf in zip(owners, leaves, strict=False)
        if leaf is not None and leaf.is_leaf
        for handle in attach(owner, leaf)
    ]
    here: Any = contextlib.nullcontext()
    if thread.recorder is not None:
        thread.recorder.mark()
    if more is not None:
        handles += more()
        if thread.recorder is not None and any(leaf.is_cuda for leaf in expected):
            # the hooks are recorded, and so have to run in this thread
            here = torch.autograd.set_multithreading_enabled(False)
    split = any_split(expected) or any_split(v for v, _ in pairs)
    try:
        # what the run took as replicated its gradient takes so as well
        with here, implicit_replication() if split else contextlib.nullcontext():
            grads = torch.autograd.grad(
                [v for v, _ in pairs],
                expected,
                grad_outputs=cots,
                create_graph=create_graph,
                retain_graph=create_graph or keep,
                allow_unused=True,
            )
    finally:
        for handle in handles:
            handle.remove()
        switch_off(switched)
    entries = {id(w): g for w, g in zip(expected, grads, strict=True)}
    return [None if leaf is None else entries[id(leaf)] for leaf in leaves]


class CellRecords:
    """Records of one cell by the identity of its inputs; a record is dropped with its inputs."""

    def __init__(self) -> None:
        self._records: dict[tuple[int, ...], tuple[Record, list[Any], list[int]]] = {}

    def put(self, args: tuple[Any, ...], record: Record) -> None:
        tensors = [a for a in args if isinstance(a, Tensor)]
        key = tuple(id(t) for t in tensors)
        refs = [weakref.ref(t, lambda _, key=key: self._records.pop(key, None)) for t in tensors]
        versions = [t._version for t in record.leaves.values()]
        self._records.pop(key, None)
        while len(self._records) >= 8:
            self._records.pop(next(iter(self._records)))
        self._records[key] = (record, refs, versions)

    def has(self, args: tuple[Any, ...]) -> bool:
        """Whether there is a record for these inputs."""
        return tuple(id(a) for a in args if isinstance(a, Tensor)) in self._records

    def take(self, args: tuple[Any, ...], parameters: Sequence[Tensor]) -> Record | None:
        key = tuple(id(a) for a in args if isinstance(a, Tensor))
        entry = self._records.get(key)
        if entry is None:
            return None
        record, _, versions = entry
        for p in parameters:
            known = id(p._value) in record.leaves
            if not known and getattr(p, "requires_grad", True) and is_differentiable(p):
                return None  # a parameter that was not differentiable when the cell ran
        del self._records[key]
        # An in-place update between the call and the gradient is legal: the gradient uses the
        # new values (observed in MindSpore 2.10), so torch's version check is satisfied.
        moved = [
            (leaf, version)
            for leaf, version in zip(record.leaves.values(), versions, strict=True)
            if leaf._version != version
        ]
        if moved:
            _autograd._unsafe_set_version_counter(
                tuple(leaf for leaf, _ in moved), tuple(v for _, v in moved)
            )
        return record


def record_call(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], run: Any) -> Any:
    """Run a cell on which ``set_grad()`` was called, and keep the record of it."""
    record, _ = run_recorded(
        run,
        args,
        kwargs,
        [a for a in args if isinstance(a, Tensor)],
        [p for p in cell.get_parameters() if p.requires_grad],
    )
    # what a recorded run keeps ends with it
    home, key = (
        (cell.__dict__, "_gradient_records")
        if thread.recorder is None
        else (thread.recorder.gradient_records, id(cell))
    )
    entry = home.get(key)
    if entry is None:
        entry = home[key] = CellRecords()
    if tensors_in(list(args)):
        entry.put(args, record)
    return map_tensors(record.out, detached)


def detached(t: Tensor) -> Tensor:
    if isinstance(t, Parameter) or not t._value.requires_grad:
        return t
    return wrap(t._value.detach())


def all_detached(value: Any) -> Any:
    """A result without gradients: containers anew, objects as they are, their tensors detached."""
    return all_released(value, detached)


def all_released(value: Any, fn: Callable[[Tensor], Tensor]) -> Any:
    """The same with `fn` for each Tensor, which gives the Tensor itself where nothing is to do."""
    if not isinstance(value, Tensor):
        _release_inside(value, fn, set(), False)
    return map_tensors(value, fn)


def _release_inside(
    value: Any, fn: Callable[[Tensor], Tensor], seen: set[int], inside: bool
) -> None:
    """Let the Tensors that objects hold have the values that `fn` gives for them."""
    kind = type(value)
    if isinstance(value, Tensor):
        other = fn(value) if inside else value
        if other is not value:
            value._value = other._value
        return
    if value is None or kind in _NUMBERS or id(value) in seen or callable(value):
        return
    if isinstance(value, (types.ModuleType, Structure)):
        return
    seen.add(id(value))
    held: list[Any] = []
    if isinstance(value, (list, tuple, dict)):
        of_dict: Any = isinstance(value, dict)
        base: Any = list if isinstance(value, list) else tuple
        held += dict.values(value) if of_dict else base.__iter__(value)
    else:
        inside = True
        if kind.__dictoffset__:
            held += object.__getattribute__(value, "__dict__").values()
        held += [v for _, v in _slots_of(value, kind)]
    for v in held:
        _release_inside(v, fn, seen, inside)


def functorch_level() -> bool:
    """Whether the code runs inside vmap, jvp or another functorch transform."""
    return _functorch.peek_interpreter_stack() is not None
