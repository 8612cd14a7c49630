"""Values in a form that stays as it is, and how two of them differ."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from agar._core.graph.autotune.verify import difference as beyond_rounding
from agar._core.graph.guard.getters import (
    BY_VALUE,
    items_of,
    pairs_of,
    plain_key,
    settings_of,
    slots_in,
)
from agar._core.graph.guard.reads import is_cell
from agar._core.graph.inspect.effects import Reach, same_bits
from agar._core.graph.record.monitor import USER, kind_of_class
from agar._core.tensor import Structure, Tensor

__all__ = ["Difference", "Forms", "at_path", "form_of", "raws_in"]

_EXACT = frozenset({list, tuple, dict})


@dataclass(frozen=True)
class Difference:
    """One thing that a replay did otherwise than Python.

    Attributes:
        what: such as ``"result[1]"``, ``"Parameter fc.weight"`` or ``"numpy.random"``.
        python: what Python gave, in words.
        replay: what the replay gave.
        kind: ``"result"``, ``"value"``, ``"items"``, ``"attributes"``, ``"globals"``,
            ``"random state"``, ``"gradient"`` or ``"exception"``.
    """

    what: str
    python: str
    replay: str
    kind: str = "result"


def raws_in(value: Any, seen: set[int] | None = None) -> list[torch.Tensor]:
    """The torch tensors in a result."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return []
    seen.add(id(value))
    if isinstance(value, Tensor):
        return [value._value]
    inside: Any = ()
    if isinstance(value, dict):
        inside = dict.values(value)
    elif isinstance(value, (list, tuple)):
        inside = value
    elif isinstance(value, Structure):
        inside = value._held
    if _is_object(value):
        inside = [*inside, *[v for _, v in _attributes(value)]]
    return [t for v in inside for t in raws_in(v, seen)]


def at_path(value: Any, path: str) -> torch.Tensor | None:
    """The torch tensor of a result that `Forms` has named."""
    results: list[torch.Tensor] = []

    def walk(v: Any, name: str) -> None:
        if isinstance(v, Tensor):
            if path == name or path.startswith((f"{name} ", f"{name}.")):
                results.append(v._value)
        elif isinstance(v, dict):
            for k, inner in dict.items(v):
                walk(inner, f"{name}[{k!r}]")
        elif isinstance(v, (list, tuple)):
            for i, inner in enumerate(v):
                walk(inner, f"{name}[{i}]")

    walk(value, "result")
    return results[0] if results else None


class _Leaf:
    """A tensor in the form of a result."""

    def __init__(self, t: Tensor, reach: Reach, number: int) -> None:
        raw = t._value
        self.kind = type(t).__name__
        self.copy = raw.detach().clone()
        self.differentiable = raw.requires_grad
        #: which tensor of the result it is; one that stands in two places has one number
        self.number = number
        #: whose memory it shares, if that is known
        self.memory = ""
        if raw.layout is torch.strided and raw.numel():
            place = raw.untyped_storage().data_ptr()
            for known, name in reach.raws.values():
                if known.numel() and known.untyped_storage().data_ptr() == place:
                    self.memory = name
                    break


def form_of(value: Any, reach: Reach, seen: dict[int, int] | None = None) -> Any:
    """A value with copies of its tensors and arrays, so that it stays as it is."""
    seen = {} if seen is None else seen
    if isinstance(value, BY_VALUE):
        return "plain", plain_key(value)
    # tuples cannot change: an equal one that a replay makes is as good
    known = None if isinstance(value, (tuple, frozenset)) else reach.known.get(id(value))
    if known is not None:
        return "known", id(value), known
    number = seen.get(id(value))
    if number is not None and not isinstance(value, Tensor):
        return "again", number
    number = seen.setdefault(id(value), len(seen))
    if isinstance(value, Tensor):
        return "tensor", _Leaf(value, reach, number)
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.copy()
    kind = type(value)
    if isinstance(value, dict):
        pairs = [(_plain_or_text(k), form_of(v, reach, seen)) for k, v in pairs_of(value)]
        return "dict", kind, [*pairs, *_forms_of_attributes(value, reach, seen)]
    if isinstance(value, (list, tuple)):
        items = [form_of(v, reach, seen) for v in items_of(value)]
        more = _forms_of_attributes(value, reach, seen)
        if more:
            return "dict", kind, [*enumerate(items), *more]
        return "list", kind, items
    if isinstance(value, (set, frozenset)):
        return "plain", (kind, sorted(map(repr, value)))
    if isinstance(value, Structure):
        return "list", kind, [form_of(v, reach, seen) for v in value._held]
    if isinstance(value, torch.Tensor):
        return "tensor", _Leaf(Tensor(value), reach, number)
    if _is_object(value) or (settings_of(value) is not None and not _is_namespace(value)):
        return "dict", kind, _forms_of_attributes(value, reach, seen)
    return "object", kind


def _is_namespace(value: Any) -> bool:
    return isinstance(value, (type, types.ModuleType))


def _is_object(value: Any) -> bool:
    """Whether a value is of a class of the program's."""
    return not _is_namespace(value) and kind_of_class(type(value)) == USER and not is_cell(value)


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """The attributes of an object, and what its slots hold."""
    slots = [(descriptor.__name__, held) for descriptor, held in slots_in(value)]
    return [*(settings_of(value) or {}).items(), *slots]


def _forms_of_attributes(value: Any, reach: Reach, seen: dict[int, int]) -> list[tuple[str, Any]]:
    held = _attributes(value) if type(value) not in _EXACT else []
    return [(f".{name}", form_of(v, reach, seen)) for name, v in held]


def _plain_or_text(key: Any) -> Any:
    """A key of a dict in a form that stays as it is."""
    return plain_key(key) if isinstance(key, BY_VALUE) else repr(key)


class Forms:
    """Compares forms, and collects differences.

    Args:
        exact: whether every bit of a tensor must be equal.
    """

    def __init__(self, exact: bool) -> None:
        self.exact = exact
        self.differences: list[Difference] = []
        self._numbers: dict[int, int] = {}

    def note(self, what: str, python: Any, replay: Any, kind: str) -> None:
        a, b = (v if isinstance(v, str) else _text(v) for v in (python, replay))
        self.differences.append(Difference(what, a, b, kind))

    def compare(
        self, a: Any, b: Any, what: str, perturbed: Any = None, kind: str = "result"
    ) -> None:
        """Compare two forms; the first is Python's."""
        if a[0] != b[0]:
            self.note(what, _words(a), _words(b), kind)
        elif a[0] == "tensor":
            mine, its = a[1], b[1]
            other = perturbed[1].copy if perturbed and perturbed[0] == "tensor" else None
            told = len(self.differences)
            self.tensors(mine.copy, its.copy, what, other, kind)
            if len(self.differences) > told:
                return
            if mine.kind != its.kind:
                self.note(f"{what} (its class)", mine.kind, its.kind, kind)
            elif mine.differentiable != its.differentiable:
                words = ["a constant", "differentiable"]
                mine_is, its_is = words[mine.differentiable], words[its.differentiable]
                self.note(f"{what} (its gradient)", mine_is, its_is, kind)
            elif self._numbers.setdefault(mine.number, its.number) != its.number:
                self.note(f"{what} (where it stands)", "one tensor twice", "two tensors", kind)
            elif mine.memory != its.memory:
                places = [
                    f"memory of {m}" if m else "memory of its own"
                    for m in (mine.memory, its.memory)
                ]
                self.note(f"{what} (its memory)", places[0], places[1], kind)
        elif a[0] == "array":
            if not self._same_arrays(a, b):
                self.note(what, repr(a[3])[:160], repr(b[3])[:160], kind)
        elif a[0] in ("dict", "list"):
            self._parts(a, b, what, perturbed, kind)
        elif a != b:
            self.note(what, _words(a), _words(b), kind)

    def _same_arrays(self, a: Any, b: Any) -> bool:
        if a[1:3] != b[1:3]:
            return False
        mine, its = a[3], b[3]
        if mine.dtype == object:
            return repr(mine) == repr(its)
        if mine.tobytes() == its.tobytes():
            return True
        if self.exact or mine.dtype.kind not in "fc":
            return False
        return beyond_rounding(torch.as_tensor(mine), torch.as_tensor(its)) is None

    def _parts(self, a: Any, b: Any, what: str, perturbed: Any, kind: str) -> None:
        if a[1] is not b[1]:
            self.note(f"{what} (its type)", a[1].__name__, b[1].__name__, kind)
            return
        if len(a[2]) != len(b[2]):
            self.note(f"{what} (its length)", str(len(a[2])), str(len(b[2])), kind)
            return
        others: Any = [None] * len(a[2])
        if perturbed is not None and perturbed[0] == a[0] and len(perturbed[2]) == len(a[2]):
            others = perturbed[2]
        for i, (x, y, z) in enumerate(zip(a[2], b[2], others, strict=True)):
            if a[0] == "list":
                self.compare(x, y, f"{what}[{i}]", z, kind)
            elif x[0] != y[0]:
                self.note(f"{what} (key {i})", str(x[0]), str(y[0]), kind)
            else:
                key = x[0][1] if isinstance(x[0], tuple) else x[0]
                self.compare(x[1], y[1], f"{what}[{key!r}]", None if z is None else z[1], kind)

    def tensors(self, a: torch.Tensor, b: torch.Tensor, what: str, c: Any, kind: str) -> None:
        """Compare values of tensors; `c` is what rounding makes of the first."""
        if a.dtype != b.dtype or a.shape != b.shape:
            self.note(what, a, b, kind)
            return
        if same_bits(a, b):
            return
        if c is not None and (c.shape != a.shape or c.dtype != a.dtype):
            c = None
        if not self.exact and beyond_rounding(a, b, c) is None:
            return
        at = _largest_difference(a, b)
        where = f" at {at}" if at else ""
        self.note(f"{what}{where}", repr(a[at].item()), repr(b[at].item()), kind)


def _largest_difference(a: torch.Tensor, b: torch.Tensor) -> tuple[int, ...]:
    """The place where two tensors differ most."""
    if not a.dim():
        return ()
    if a.is_complex():
        apart = (a - b).abs()
    else:
        apart = (a.double() - b.double()).abs()
    apart = torch.where(apart != apart, torch.inf, apart)
    apart = torch.where((a == b) | ((a != a) & (b != b)), -1.0, apart)
    return tuple(int(i) for i in torch.unravel_index(apart.argmax(), a.shape))


def _text(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    return "nothing" if value is None else repr(value)[:160]


def _words(form: Any) -> str:
    """A form for people."""
    kind = form[0]
    if kind == "plain":
        return repr(form[1][1])[:160]
    if kind == "known":
        return f"the same object as {form[2]}"
    if kind == "tensor":
        copy = form[1].copy
        return f"a new Tensor {str(copy.dtype).removeprefix('torch.')}{list(copy.shape)}"
    if kind == "array":
        return f"an array {form[1]}{list(form[2])}"
    if kind in ("dict", "list"):
        return f"a {form[1].__name__} of {len(form[2])}"
    return f"an object of type {getattr(form[1], '__name__', form[1])}"
