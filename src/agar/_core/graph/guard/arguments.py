"""Guards: may a call use what was recorded for another one?

A recording holds for the *signature* of the call (structure, shapes, strides, types and devices of
its tensors, values of its constants) and for the *state* of the cells that it ran through (their
attributes, their parameters). The signature is checked at every call by generated code; the state
only when `runtime.epoch` has moved, which every change of an attribute of any cell does.

NOTE What is a constant. Numbers, texts and objects in arguments and attributes are constants of a
recording: other values make another recording. So are globals, variables of enclosing functions and
the contents of what these lead to, see `agar._core.graph.guard.reads`.
"""

from __future__ import annotations

import functools
import types
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeGuard

import numpy as np
import torch
from torch._C import _functorch  # pyright: ignore[reportAttributeAccessIssue]

from agar._core.distributed.sharding import is_split
from agar._core.graph.guard.getters import (
    WEAK_PROXIES,
    array_state,
    computes_attributes,
    is_plain,
    items_of,
    kind_is_of_processes,
    pairs_of,
    plain_key,
    settings_of,
)
from agar._core.graph.guard.reads import UNSEEN, Reads, is_cell
from agar._core.jit import _Dict, _List, _Tuple
from agar._core.parameter import Parameter
from agar._core.runtime import runtime, thread
from agar._core.tensor import Structure, Tensor

__all__ = [
    "MISS",
    "Environment",
    "FlatArguments",
    "State",
    "all_cells",
    "argument_changes",
    "check_declared",
    "entry_code",
    "flatten",
    "other_modes",
    "rebuild",
]

MISS = object()
"""What an entry returns for a call that is not its own."""

_PLAIN = (int, float, bool, str, bytes, complex, type(None))
_WRITTEN_OUT = frozenset({int, bool, str, bytes, type(None)})
_HOLDERS = frozenset({dict, list, tuple, OrderedDict})
_LIBRARIES = ("agar.", "torch.", "numpy.", "builtins", "functools")
_NOTHING: Mapping[int, Any] = types.MappingProxyType({})
_ARRAY_LIMIT = 1 << 16  # elements of an array argument that are compared by value


# ---------------------------------------------------------------------------- arguments


class FlatArguments:
    """The arguments of a call taken apart: tensors, and a key for everything else."""

    __slots__ = ("call", "hooked", "key", "marked", "parts", "pins", "spec", "tensors")

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.call = (args, kwargs)
        self.hooked = False  # whether a tensor has hooks of its own
        self.marked = False  # whether the caller has set attributes on a tensor
        self.parts = False  # whether a tensor lies in parts on several processes
        self.tensors: list[Tensor] = []
        self.key: tuple[Any, ...] = ()
        self.pins: list[Any] = []  # objects that the key names by identity
        self.spec: Any = None


#: Attributes that agar sets on tensors itself.
_OWN = frozenset({"_hooks", "const_arg", "init", "init_finished", "init_flag", "param_info"})


class _Slot:
    """The place of tensor `i` in a structure."""

    __slots__ = ("i",)

    def __init__(self, i: int) -> None:
        self.i = i


#: Containers that hold nothing but their items.
_EXACT = frozenset({list, tuple, dict})
_CONTAINERS = frozenset({list, tuple, dict, OrderedDict, _List, _Tuple, _Dict, torch.Size})


def _is_compared(value: Any) -> TypeGuard[np.ndarray]:
    """Whether a value is an array that is told by what it holds: no attributes, not too large."""
    return (
        isinstance(value, np.ndarray)
        and value.size <= _ARRAY_LIMIT
        and value.dtype != object
        and type(value).__module__.startswith("numpy")
    )


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _has_attributes(kind: type, value: Any) -> bool:
    """Whether a container may have attributes beside its items."""
    if kind in _EXACT:
        return False
    if kind is OrderedDict or _is_namedtuple(value):
        return bool(settings_of(value))
    return kind not in _CONTAINERS


def _key_of(key: Any, flat: FlatArguments) -> Any:
    """What stands for a key of a dictionary: its value if it is plain, else which object it is."""
    if type(key) is str:
        return key
    if is_plain(key):
        return plain_key(key)
    if type(key) is tuple:
        return tuple([_key_of(k, flat) for k in key])
    flat.pins.append(key)
    return "key", id(key)


def _take(value: Any, flat: FlatArguments, key: list[Any]) -> Any:
    kind = type(value)
    if kind in WEAK_PROXIES or computes_attributes(kind):
        flat.pins.append(value)
        key.append((kind, id(value)))
        return (None, value)
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        raw = value._value  # draws a lazy tensor
        for i, seen in enumerate(flat.tensors):
            if seen is value:  # one tensor in two places has one gradient and one memory
                key.append(("again", i))
                return _Slot(i)
        flat.tensors.append(value)
        if raw.__class__ is not torch.Tensor and is_split(raw):
            flat.parts = True
        extra = vars(value)
        if extra:
            flat.hooked = flat.hooked or bool(extra.get("_hooks"))
            flat.marked = flat.marked or any(name not in _OWN for name in extra)
        key.append(
            (type(value), raw.shape, raw.stride(), raw.dtype, raw.device, raw.requires_grad)
            if raw.layout is torch.strided
            else ("sparse", id(value))
        )
        return _Slot(len(flat.tensors) - 1)
    container = isinstance(value, (list, tuple, dict))
    if container and _has_attributes(kind, value):
        flat.pins.append(value)
        key.append(("with attributes", id(value)))
    if isinstance(value, (list, tuple)):
        items = items_of(value)
        key.append((kind, len(items)))
        parts = [_take(v, flat, key) for v in items]
        return (kind, parts)
    if isinstance(value, dict):
        pairs = pairs_of(value)
        key.append((kind, *[_key_of(k, flat) for k, _ in pairs]))
        return (kind, {k: _take(v, flat, key) for k, v in pairs})
    if isinstance(value, Structure):
        key.append((kind,))
        return (kind, [_take(v, flat, key) for v in value._held])
    if is_plain(value):
        key.append(plain_key(value))
    elif _is_compared(value):
        key.append((kind, *array_state(value)))
    else:
        flat.pins.append(value)
        key.append((kind, id(value), isinstance(value, Tensor) and value._value is None))
    return (None, value)


def held_marks(key: tuple[Any, ...]) -> tuple[tuple[int, int], ...]:
    """Which tensors of a call are ones that the Python reaches otherwise: places and ids."""
    last = key[-1]
    return last[1:] if type(last) is tuple and last and last[0] == "held" else ()


def split_key(key: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[torch.Size]]:
    """The key of a signature without the sizes of tensors, and these sizes, in order."""
    rest: list[Any] = []
    shapes: list[torch.Size] = []
    for entry in key:
        if type(entry) is tuple and len(entry) == 6 and isinstance(entry[1], torch.Size):
            shapes.append(entry[1])
            entry = (entry[0], entry[3], entry[4], entry[5])
        rest.append(entry)
    return tuple(rest), shapes


def check_declared(name: str, declared: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Compare a call's inputs with what ``set_inputs`` has declared.

    Raises:
        ValueError: a tensor has another rank, size or type.
    """
    positional, by_name = declared
    pairs = list(zip(range(len(positional)), positional, args, strict=False))
    pairs += [(k, by_name[k], v) for k, v in kwargs.items() if k in by_name]
    for place, requested, given in pairs:
        if not (isinstance(requested, Tensor) and isinstance(given, Tensor)):
            continue
        expected, got = list(requested.shape), list(given.shape)
        fits = len(expected) == len(got) and all(
            e in (-1, None) or e == f for e, f in zip(expected, got, strict=True)
        )
        if not fits or requested.dtype != given.dtype:
            raise ValueError(
                f"For 'set_inputs' of '{name}', input {place} was declared as shape {expected} and "
                f"type {requested.dtype} (-1 stands for any size); expected: {expected}, and "
                f"input: {got} of type {given.dtype}. Declare it again with set_inputs, or "
                "change the input."
            )


def flatten(args: tuple[Any, ...], kwargs: dict[str, Any]) -> FlatArguments:
    """The tensors of a call's arguments, and the key of its signature."""
    flat = FlatArguments(args, kwargs)
    key: list[Any] = [len(args)]
    spec_args = [_take(a, flat, key) for a in args]
    spec_kwargs = {}
    for name, value in kwargs.items():
        key.append(name)
        spec_kwargs[name] = _take(value, flat, key)
    flat.key = tuple(key)
    flat.spec = (spec_args, spec_kwargs)
    return flat


def argument_changes(flat: FlatArguments) -> list[str]:
    """What a run has changed about its arguments, but for the values of tensors."""
    after = flatten(*flat.call)
    key = tuple([k for k in flat.key if not (type(k) is tuple and k and k[0] == "held")])
    same = after.key == key and len(after.tensors) == len(flat.tensors)
    if same and all(a is b for a, b in zip(after.tensors, flat.tensors, strict=True)):
        return ["attributes of a tensor among the arguments"] if after.marked else []
    return ["a container among the arguments, or a tensor's shape or type"]


def rebuild(spec: Any, tensors: list[Any]) -> Any:
    """The arguments of a spec over other tensors: ``(args, kwargs)``."""

    def make(part: Any) -> Any:
        if isinstance(part, _Slot):
            return tensors[part.i]
        kind, value = part
        if kind is None:
            return value
        if isinstance(value, dict):
            result = {k: make(v) for k, v in value.items()}
            return result if kind is dict else kind(result)
        items = [make(v) for v in value]
        if hasattr(kind, "_fields"):
            return kind(*items)
        return items if kind is list else kind(items)

    args, kwargs = spec
    return tuple([make(p) for p in args]), {k: make(p) for k, p in kwargs.items()}


# ------------------------------------------------------------------------------ the state


class Environment:
    """What a function can reach, found before it runs: cells, tensors in closures and globals."""

    def __init__(self) -> None:
        self.cells: dict[int, Any] = {}
        self.tensors: dict[int, Tensor] = {}
        self.parameters: dict[int, Parameter] = {}
        self._seen: set[int] = set()
        self._pins: list[Any] = []

    def reached(self) -> tuple[Any, ...]:
        """What was found, comparable while it lives."""
        return tuple(self.cells), tuple(self.tensors), tuple(self.parameters)

    def add(self, value: Any, depth: int = 0) -> None:
        """Visit a value and what it reaches."""
        kind = type(value)
        if kind in WEAK_PROXIES or (kind in _HOLDERS and not value) or computes_attributes(kind):
            return  # nothing of what a proxy stands for is to be held
        if isinstance(value, _PLAIN) or id(value) in self._seen or depth > 6:
            return
        if kind_is_of_processes(kind):
            return  # nor meshes of processes, whose groups are to end when these part
        self._seen.add(id(value))
        self._pins.append(value)
        if is_cell(value):  # asking the value itself would run its __getattr__
            self._add_cell(value, depth)
        elif isinstance(value, Tensor):
            if isinstance(value, Parameter):
                self.parameters[id(value)] = value
            else:
                self.tensors[id(value)] = value
        elif isinstance(value, types.FunctionType):
            self._add_function(value, depth)
        elif isinstance(value, types.MethodType):
            self.add(value.__self__, depth + 1)
            self._add_function(value.__func__, depth)
        elif isinstance(value, (list, tuple, set, frozenset)):
            items = items_of(value)
            for v in items if len(items) <= 1000 else ():
                self.add(v, depth + 1)
        elif isinstance(value, dict):
            pairs = pairs_of(value)
            for _, v in pairs if len(pairs) <= 1000 else ():
                self.add(v, depth + 1)
        elif isinstance(value, functools.partial):
            for v in (value.func, *value.args, *value.keywords.values()):
                self.add(v, depth + 1)
        elif not isinstance(value, (type, types.ModuleType, torch.Tensor, np.ndarray)):
            inner = getattr(value, "__dict__", None)
            if type(inner) is dict and len(inner) <= 200:
                for v in inner.values():
                    self.add(v, depth + 1)

    def _add_cell(self, cell: Any, depth: int) -> None:
        self.cells[id(cell)] = cell
        own = not type(cell).__module__.startswith(_LIBRARIES)
        if own and isinstance(type(cell).construct, types.FunctionType):
            self._add_function(type(cell).construct, depth)
        for name, value in cell.__dict__.items():
            if type(value) not in _WRITTEN_OUT and name not in UNSEEN:
                self.add(value, min(depth, 1))

    def _add_function(self, function: Any, depth: int) -> None:
        for cell in function.__closure__ or ():
            try:
                self.add(cell.cell_contents, depth + 1)
            except ValueError:  # not filled yet
                continue
        for value in function.__defaults__ or ():
            self.add(value, depth + 1)
        module = function.__globals__
        if not str(module.get("__name__", "")).startswith("agar."):
            for name in function.__code__.co_names:
                result = module.get(name)
                if result is not None and not isinstance(result, (type, types.ModuleType)):
                    self.add(result, depth + 1)


class State:
    """The attributes of cells, and what else the Python of the calls has read, comparable.

    Args:
        environment: the cells and tensors.
        reads: what has been read.
        known: a state whose cells and tensors still are as they were, to be taken over if they are
            those of the environment. Default: None, they are looked at.
    """

    __slots__ = ("own", "pins", "reached", "token", "weights")

    def __init__(self, environment: Environment, reads: Reads, known: State | None = None) -> None:
        self.reached = environment.reached()
        if known is not None and known.reached == self.reached:
            self.own, self.weights = known.own, known.weights
            self.pins: list[Any] = [*known.pins, reads]
        else:
            self.pins = [reads]
            self._look(environment)
        self.token = (*self.own, reads.token, runtime.processes)

    def _look(self, environment: Environment) -> None:
        weights: list[Any] = []
        token: list[Any] = []
        for cell in all_cells(environment.cells.values()):
            token.append(id(cell))
            self.pins.append(cell)
            for name, value in cell.__dict__.items():
                if type(value) in _WRITTEN_OUT:
                    if name not in UNSEEN:
                        token.append((name, (type(value), value)))
                elif name in UNSEEN:
                    continue
                elif type(value) in WEAK_PROXIES:
                    token.append((name, id(value)))
                    self.pins.append(value)
                elif isinstance(value, Parameter):
                    hooks = tuple(vars(value).get("_hooks") or ())
                    token.append((name, id(value), hooks))
                    weights.append(id(value._value))
                    self.pins += (value, value._value)
                    token.append(value.requires_grad)
                else:
                    token.append((name, self._value(value, 0)))
        for t in environment.tensors.values():
            token.append((id(t), id(t._value)))
            self.pins += (t, t._value)
        for p in environment.parameters.values():
            weights.append(id(p._value))
            self.pins += (p, p._value)
        self.own = tuple(token)
        self.weights = tuple(weights)

    def _value(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _WRITTEN_OUT:
            return kind, value
        if kind in _HOLDERS and not value and depth < 4:
            return (kind,)
        if kind in WEAK_PROXIES or computes_attributes(kind):
            self.pins.append(value)
            return id(value)
        if isinstance(value, _PLAIN):
            return kind, repr(value) if isinstance(value, (float, complex)) else value
        if isinstance(value, Tensor):
            self.pins += (value, value._value)
            return id(value), id(value._value)
        if depth < 4:
            if isinstance(value, (list, tuple)) and len(items := items_of(value)) <= 1000:
                return kind, *[self._value(v, depth + 1) for v in items]
            if isinstance(value, dict) and len(pairs := pairs_of(value)) <= 1000:
                return kind, *[
                    (k if isinstance(k, _PLAIN) else id(k), self._value(v, depth + 1))
                    for k, v in pairs
                ]
        self.pins.append(value)
        if isinstance(value, np.ndarray) and value.size <= 1024 and value.dtype != object:
            return id(value), value.tobytes()
        inner = getattr(value, "__dict__", None)
        if (
            depth < 2
            and type(inner) is dict
            and not hasattr(kind, "construct")
            and not isinstance(value, (type, types.FunctionType, types.ModuleType, torch.Tensor))
            and not kind.__module__.startswith(("agar._core.", "torch."))
        ):
            return id(value), *[(k, self._value(v, depth + 2)) for k, v in inner.items()]
        return id(value)

    def differences(self, other: State) -> list[str]:
        """Which attributes differ, as ``Cell.attribute: before -> after``."""
        results = []
        mine, theirs = _named(self), _named(other)
        for key, value in theirs.items():
            if key in mine and mine[key] != value:
                before, after = mine[key], value
                results.append(f"{key[0]}.{key[1]}: {_shown(before)} -> {_shown(after)}")
        if self.weights != other.weights:
            results.append(
                "the tensor of a parameter (set_data with another shape or type, or .to)"
            )
        return results


def _named(state: State) -> dict[tuple[str, str], Any]:
    cells = {id(p): p for p in state.pins}
    named: dict[tuple[str, str], Any] = {}
    owner = "?"
    for item in state.token:
        if isinstance(item, int) and item in cells and hasattr(cells[item], "construct"):
            owner = f"{type(cells[item]).__name__}@{item:x}"
        elif isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str):
            named[owner, item[0]] = item[1]
    return {(o.split("@")[0], n): v for (o, n), v in named.items()}


def _shown(value: Any) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], type):
        if len(value) == 2 and issubclass(value[0], _PLAIN):
            return str(value[1])
        return f"a {value[0].__name__}"
    return "another object"


def all_cells(roots: Iterable[Any]) -> list[Any]:
    """Cells and their descendants, each once."""
    results: dict[int, Any] = {}
    stack = list(roots)[::-1]
    while stack:
        cell = stack.pop()
        if id(cell) in results:
            continue
        results[id(cell)] = cell
        stack += [c for c in cell._cells.values() if c is not None]
    return list(results.values())


# ------------------------------------------------------------------------------ the entry


def _checker(tensors: list[torch.Tensor]) -> Callable[..., bool]:
    """A check of shapes, strides, types, devices and requires_grad of several tensors."""
    try:
        guards = torch._C._dynamo.guards.TensorGuards(  # pyright: ignore[reportAttributeAccessIssue]
            *tensors,
            dynamic_dims_sizes=[list(t.shape) for t in tensors],
            dynamic_dims_strides=[list(t.stride()) for t in tensors],
        )
        if guards.check(*tensors):
            return guards.check
    except (AttributeError, TypeError):
        pass
    metadata = [(type(t), t.shape, t.stride(), t.dtype, t.device, t.requires_grad) for t in tensors]

    def check(*values: torch.Tensor) -> bool:
        return all(
            (type(t), t.shape, t.stride(), t.dtype, t.device, t.requires_grad) == meta
            for t, meta in zip(values, metadata, strict=True)
        )

    return check


_function_mode = torch._C._is_torch_function_mode_enabled
_dispatch_modes = torch._C._len_torch_dispatch_stack
_dispatch_mode = torch._C._get_dispatch_stack_at
_autocast = torch._C._is_any_autocast_enabled


def other_modes() -> bool:
    """Whether modes of torch see or change operators, such as autocast or a counter of FLOPs.

    A class of dispatch modes that has `allows_compiled_calls` is none of them: what it does to the
    operators of a call, it does to those of a compiled one.
    """
    return _function_mode() or _autocast() or (_dispatch_modes() > 0 and _some_forbid())


def _some_forbid() -> bool:
    modes = map(_dispatch_mode, range(_dispatch_modes()))
    return not all(getattr(mode, "allows_compiled_calls", False) for mode in modes)


def entry_code(
    flat: FlatArguments,
    serve: list[str],
    names: dict[str, Any],
    unchanged: Callable[[], bool] | None = None,
    held: Mapping[int, Tensor] = _NOTHING,
) -> Callable[..., Any] | None:
    """The function that serves calls of one signature: ``entry(args, kwargs)``, or MISS.

    The epoch for which it holds is its global ``EPOCH``.

    Args:
        flat: the arguments of a call with this signature.
        serve: lines that serve a call of this signature, over ``args``, ``kwargs``, the tensors
            ``t0, t1, ...`` in the arguments and torch's tensors ``r0, r1, ...`` in them.
        names: what `serve` needs; becomes the entry's globals.
        unchanged: whether what the Python of the call read is as it was. Default: nothing was read.
        held: tensors that the Python can reach, by id; as arguments they make another call.
    """
    writer = _EntryWriter(names, flat.tensors)
    spec_args, spec_kwargs = flat.spec
    writer.sequence("args", "tuple", spec_args, check_type=False)
    if spec_kwargs:
        writer.mapping("kwargs", spec_kwargs, check_type=False)
    else:
        writer.lines.insert(0, "if kwargs: return MISS")
    if writer.failed:
        return None
    count = len(flat.tensors)
    lines = writer.lines
    lines += [f"r{i} = t{i}._value" for i in range(count)]
    sees_functorch = False
    if count:
        names["check"] = check = _checker([t._value for t in flat.tensors])
        # torch's own compares transforms, dispatch modes and autocast as well
        sees_functorch = isinstance(check, types.BuiltinMethodType)
        lines.append(f"if not check({', '.join(f'r{i}' for i in range(count))}): return MISS")
    if 1 < count <= 4:
        pairs = [f"t{i} is t{j}" for i in range(count) for j in range(i)]
        lines.append(f"if {' or '.join(pairs)}: return MISS")
    elif count > 4:
        lines.append(f"if len({{{', '.join(f'id(t{i})' for i in range(count))}}}) != {count}:")
        lines.append("  return MISS")
    modes = "mode()" if sees_functorch else "functorch() is not None or modes()"
    lines.append(
        "if runtime.epoch != EPOCH or (runtime.scopes and (thread.grad_scopes or thread.precision))"
        f" or {modes}: return MISS"
    )
    if unchanged is not None:
        names["unchanged"] = unchanged
        lines.append("if not unchanged(): return MISS")
        if count:
            marked = " or ".join(f"t{i}.__dict__" for i in range(count))
            lines.append(f"if {marked}: return MISS")
    ids_held = frozenset([i for i, t in held.items() if type(t) is Tensor])  # as arguments are
    if ids_held and count:
        marks = dict(held_marks(flat.key))
        for i, known in marks.items():  # what `unchanged` looks at keeps it alive
            lines.append(f"if id(t{i}) != {known}: return MISS")
        ids = "".join(f"id(t{i}), " for i in range(count) if i not in marks)
        if ids:
            names["HELD"] = ids_held
            lines.append(f"if not HELD.isdisjoint(({ids})): return MISS")
    lines += serve
    source = "def entry(args, kwargs):\n  " + "\n  ".join(lines) + "\n"
    names.update(
        MISS=MISS,
        runtime=runtime,
        thread=thread,
        EPOCH=runtime.epoch,
        functorch=_functorch.peek_interpreter_stack,
        mode=_function_mode,
        modes=other_modes,
        new=object.__new__,
        Tensor=Tensor,
    )
    exec(compile(source, "<agar entry>", "exec"), names)
    result = names["entry"]
    result.source = source
    return result


class _EntryWriter:
    """Code that takes arguments apart and checks everything about them but their tensors."""

    def __init__(self, names: dict[str, Any], tensors: list[Tensor]) -> None:
        self.names = names
        self.tensors = tensors
        self.lines: list[str] = []
        self.conditions: list[str] = []
        self.failed = False
        self._count = 0
        self._tensors = 0

    def flush(self) -> None:
        if self.conditions:
            self.lines.append(f"if {' or '.join(self.conditions)}: return MISS")
            self.conditions = []

    def constant(self, value: Any) -> str:
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def sequence(self, source: str, kind: str, parts: list[Any], check_type: bool = True) -> None:
        if check_type:
            self.conditions.append(f"type({source}) is not {kind}")
        self.conditions.append(f"len({source}) != {len(parts)}")
        self.flush()
        names = [self._fresh() for _ in parts]
        if names:
            self.lines.append(f"{''.join(n + ', ' for n in names)} = {source}")
        for name, part in zip(names, parts, strict=True):
            self.part(name, part)
        self.flush()

    def mapping(self, source: str, parts: dict[str, Any], check_type: bool = True) -> None:
        if check_type:
            self.conditions.append(f"type({source}) is not dict")
        if any(type(k) is not str for k in parts):
            self._give_up()  # 1 and True are equal keys
        self.conditions.append(f"tuple({source}) != {self.constant(tuple(parts))}")
        self.flush()
        names = [self._fresh() for _ in parts]
        if names:
            self.lines.append(f"{''.join(n + ', ' for n in names)} = {source}.values()")
        for name, part in zip(names, parts.values(), strict=True):
            self.part(name, part)
        self.flush()

    def part(self, name: str, part: Any) -> None:
        if isinstance(part, _Slot):
            if type(self.tensors[part.i]) is not Tensor:
                self._give_up()  # of a class of the program's
            if part.i < self._tensors:
                self.conditions.append(f"{name} is not t{part.i}")
                return
            self._tensors += 1
            self.lines.append(f"t{part.i} = {name}")
            self.conditions.append(f"type({name}) is not Tensor")
            return
        kind, value = part
        if kind is None:
            if isinstance(value, np.ndarray):
                self.failed = True
            elif value is None or value is True or value is False:
                self.conditions.append(f"{name} is not {value!r}")
            elif type(value) in (int, str, bytes):
                constant = self.constant(value)
                self.conditions.append(f"type({name}) is not {type(value).__name__}")
                self.conditions.append(f"{name} != {constant}")
            elif is_plain(value):
                shown = self.constant(repr(value))
                self.conditions.append(f"type({name}) is not {self.constant(type(value))}")
                self.conditions.append(f"repr({name}) != {shown}")
            else:
                self.conditions.append(f"{name} is not {self.constant(value)}")
            return
        if isinstance(value, dict):
            self.mapping(name, value, kind is dict) if kind is dict else self._give_up()
        elif kind in (tuple, list):
            self.sequence(name, kind.__name__, value)
        else:
            self._give_up()

    def _give_up(self) -> None:
        self.failed = True

    def _fresh(self) -> str:
        self._count += 1
        return f"a{self._count}"
