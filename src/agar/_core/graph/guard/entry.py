"""The generated code that checks a call's signature and serves it."""

from __future__ import annotations

import types
from collections import OrderedDict
from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch._C import _autograd, _functorch  # pyright: ignore[reportAttributeAccessIssue]

from agar._core.graph.guard.flatten import AsAttributes, FlatArguments, Same, Slot, held_marks
from agar._core.graph.guard.getters import is_plain, slot_value
from agar._core.runtime import runtime, thread
from agar._core.tensor import Structure, Tensor

if TYPE_CHECKING:
    from agar._core.graph.backends.o0 import Inlined
    from agar._core.graph.guard.reads import Reads

__all__ = ["MISS", "entry_code", "gradients_are_watched", "other_modes"]

MISS = object()
"""What an entry returns for a call that is not its own."""

#: Comparisons that an entry makes itself.
_CONDITIONS = 32


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


_hooks_of_saved = _autograd._top_saved_tensors_default_hooks
_anomaly = torch.is_anomaly_enabled
_inference = torch.is_inference_mode_enabled


def gradients_are_watched() -> bool:
    """Whether torch does more for gradients than to compute them, or does not record any.

    So it is inside of hooks of saved tensors, where anomalies are looked for, in inference mode.
    """
    return _inference() or _anomaly() or _hooks_of_saved(True) is not None


def _some_forbid() -> bool:
    modes = map(_dispatch_mode, range(_dispatch_modes()))
    return not all(getattr(mode, "allows_compiled_calls", False) for mode in modes)


def entry_code(
    flat: FlatArguments,
    serve: list[str],
    names: dict[str, Any],
    reads: Reads,
    with_torch: Sequence[torch.Tensor] = (),
    gradients: bool = False,
    inside: Inlined | None = None,
) -> Callable[..., Any] | None:
    """The function that serves calls of one signature: ``entry(args, kwargs)``, or MISS.

    The epoch for which it holds is its global ``EPOCH``.

    Args:
        flat: the arguments of a call with this signature.
        serve: lines that serve a call of this signature, over ``args``, ``kwargs``, the tensors
            ``t0, t1, ...`` in the arguments and torch's tensors ``r0, r1, ...`` in them.
        names: what `serve` needs; becomes the entry's globals.
        reads: what the Python of the call has read. Tensors, containers and objects that it can
            reach make another call where they are arguments.
        with_torch: tensors of which code of torch may ask for gradients. Default: none.
        gradients: whether the call takes gradients. Default: False.
        inside: the function of whose lines `serve` begins. Default: None.
    """
    writer = _EntryWriter(names, flat.tensors)
    writer.arguments(*flat.spec)
    if writer.failed:
        return None
    count = len(flat.tensors)
    lines = writer.lines
    lines += [f"r{i} = t{i}._value" for i in range(count)]
    sees_functorch = False
    held_weights = {} if inside is None else inside.held
    checked = [*(t._value for t in flat.tensors), *held_weights.values()]
    if checked:
        names["check"] = check = _checker(checked)
        # torch's own compares transforms, dispatch modes and autocast as well
        sees_functorch = isinstance(check, types.BuiltinMethodType)
        given = [*(f"r{i}" for i in range(count)), *held_weights]
        lines.append(f"if not check({', '.join(given)}): return MISS")
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
    if gradients:
        names["watched"] = gradients_are_watched
        lines.append("if watched(): return MISS")
    asked = [f"{writer.constant(t)}.requires_grad" for t in with_torch]
    if asked:
        lines.append(f"if {' or '.join(asked)}: return MISS")
    if not reads.idle:
        lines += _as_read(reads, names, inside is not None)
        if count:
            marked = " or ".join(f"t{i}.__dict__" for i in range(count))
            lines.append(f"if {marked}: return MISS")
    held = reads.tensors.items()
    ids_held = frozenset([i for i, t in held if type(t) is Tensor])  # as arguments are
    tensors = [f"t{i}" for i in range(count)]
    lines += _reached_otherwise("HELD", ids_held, tensors, held_marks(flat.key), names)
    marks = held_marks(flat.key, objects=True)
    lines += _reached_otherwise("OBJECTS", reads.outside, writer.holders, marks, names)
    lines += writer.different()
    if inside is not None:
        lines += [f"v{i} = r{i}" for i in range(count)]
        inside.place(names, len(lines) + 2)
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
    if names.get("unchanged") == reads.holds:
        reads.answer(result)
    return result


def _as_read(reads: Reads, names: dict[str, Any], here: bool) -> list[str]:
    """Lines that want what was read to be as it was; if that is short, they may do it `here`."""
    asks = "if not unchanged(): return MISS"
    new: dict[str, Any] = {}
    conditions = reads.conditions(new) if here else []
    if not 0 < len(conditions) <= _CONDITIONS:
        names["unchanged"] = reads.holds
        return [asks]
    names.update(new)
    same = f"  if not ({' and '.join(conditions)}):"
    return ["try:", same, f"    {asks}", "except errors:", f"  {asks}"]


def _reached_otherwise(
    name: str,
    held: Set[int],
    variables: list[str],
    marks: tuple[tuple[int, int], ...],
    names: dict[str, Any],
) -> list[str]:
    """Lines that want the same arguments as in the recording to be ones that the Python reaches."""
    if not held or not variables:
        return []
    known = dict(marks)
    # what `unchanged` looks at keeps it alive
    lines = [f"if id({variables[i]}) != {there}: return MISS" for i, there in known.items()]
    ids = "".join([f"id({v}), " for i, v in enumerate(variables) if i not in known])
    if ids:
        names[name] = frozenset(held)
        lines.append(f"if not {name}.isdisjoint(({ids})): return MISS")
    return lines


class _EntryWriter:
    """Code that takes arguments apart and checks everything about them but their tensors."""

    def __init__(self, names: dict[str, Any], tensors: list[Tensor]) -> None:
        self.names = names
        self.tensors = tensors
        self.lines: list[str] = []
        self.conditions: list[str] = []
        self.failed = False
        self.holders: list[str] = []  # variables of containers and objects, in their order
        self._kinds: list[type] = []
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

    def arguments(self, args: list[Any], kwargs: dict[str, Any]) -> None:
        """Take a call's ``args`` and ``kwargs`` apart."""
        self._items("args", tuple, args)
        if kwargs:
            self._pairs("kwargs", dict, kwargs)
        else:
            self.lines.insert(0, "if kwargs: return MISS")

    def different(self) -> list[str]:
        """Lines that want containers and objects of one class to be several ones."""
        lines = []
        for kind in set(self._kinds):
            same = [v for v, k in zip(self.holders, self._kinds, strict=True) if k is kind]
            if len(same) == 2:
                lines.append(f"if {same[0]} is {same[1]}: return MISS")
            elif len(same) > 2:
                ids = ", ".join([f"id({v})" for v in same])
                lines.append(f"if len({{{ids}}}) != {len(same)}: return MISS")
        return lines

    def _hold(self, name: str, kind: type) -> None:
        self.holders.append(name)
        self._kinds.append(kind)

    def _is_a(self, name: str, kind: type) -> None:
        known = kind.__name__ if kind in (tuple, list, dict) else self.constant(kind)
        self.conditions.append(f"type({name}) is not {known}")

    def _items(self, source: str, kind: type, parts: list[Any]) -> None:
        """Take the items of a list or tuple, past the methods of its class."""
        base: Any = tuple if issubclass(kind, tuple) else list
        own = kind in (list, tuple)
        if not own:
            self.flush()
        length = "len" if own else self.constant(base.__len__)
        self.conditions.append(f"{length}({source}) != {len(parts)}")
        self.flush()
        names = [self._fresh() for _ in parts]
        if names:
            values = source if own else f"{self.constant(base.__iter__)}({source})"
            self.lines.append(f"{''.join(n + ', ' for n in names)} = {values}")
        for name, part in zip(names, parts, strict=True):
            self.part(name, part)
        self.flush()

    def _pairs(self, source: str, kind: type, parts: dict[Any, Any]) -> None:
        """Take the values of a dict, past the methods of its class."""
        if any(type(k) is not str for k in parts):
            self._give_up()  # 1 and True are equal keys
        own = kind is dict
        base: Any = OrderedDict if issubclass(kind, OrderedDict) else dict
        keys = source if own else f"{self.constant(base.keys)}({source})"
        self.flush()
        self.conditions.append(f"tuple({keys}) != {self.constant(tuple(parts))}")
        self.flush()
        names = [self._fresh() for _ in parts]
        if names:
            values = f"{source}.values()" if own else f"{self.constant(base.values)}({source})"
            self.lines.append(f"{''.join(n + ', ' for n in names)} = {values}")
        for name, part in zip(names, parts.values(), strict=True):
            self.part(name, part)
        self.flush()

    def _attributes(self, name: str, part: AsAttributes) -> None:
        """Take the attributes of an object, past those of its class."""
        self._is_a(name, part.kind)
        self._hold(name, part.kind)
        self.flush()
        if part.names is not None:
            home = self._fresh()
            self.lines.append(f"{home} = {name}.__dict__")
            self.conditions.append(f"type({home}) is not dict")
            self.conditions.append(f"tuple({home}) != {self.constant(part.names)}")
            self.flush()
            for key, inner in part.home.items():
                value = self._fresh()
                self.lines.append(f"{value} = {home}[{key!r}]")
                self.part(value, inner)
                self.flush()
        for descriptor, inner in part.slots:
            value = self._fresh()
            read = f"{self.constant(slot_value)}({self.constant(descriptor)}, {name})"
            self.lines.append(f"{value}, = {read}")
            self.part(value, inner)
            self.flush()
        if part.inner is not None:
            self._container(name, part.kind, part.inner[1])

    def _container(self, name: str, kind: type, parts: Any) -> None:
        if issubclass(kind, Structure):
            self._give_up()
        elif isinstance(parts, dict):
            self._pairs(name, kind, parts)
        else:
            self._items(name, kind, parts)

    def part(self, name: str, part: Any) -> None:
        if isinstance(part, Slot):
            if type(self.tensors[part.i]) is not Tensor:
                self._give_up()  # of a class of the program's
            if part.i < self._tensors:
                self.conditions.append(f"{name} is not t{part.i}")
                return
            self._tensors += 1
            self.lines.append(f"t{part.i} = {name}")
            self.conditions.append(f"type({name}) is not Tensor")
            return
        if isinstance(part, Same):
            self.conditions.append(f"{name} is not {self.holders[part.i]}")
            return
        if isinstance(part, AsAttributes):
            self._attributes(name, part)
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
        self._is_a(name, kind)
        if kind is not tuple or value:
            self._hold(name, kind)
        self._container(name, kind, value)

    def _give_up(self) -> None:
        self.failed = True

    def _fresh(self) -> str:
        self._count += 1
        return f"a{self._count}"
