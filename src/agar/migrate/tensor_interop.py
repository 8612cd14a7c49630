"""Values on their way between agar's and torch's code, in whatever they are kept.

NOTE Changed in place. Torch code may fill a list or a dictionary that it was given. What crosses
the border is another list, so an :class:`Exchange` remembers the pairs, and carries the changes
back after the call.
"""

from __future__ import annotations

import dataclasses
import types
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

# both libraries' tensors are what this file is about
import torch

from agar._core.tensor import Structure, Tensor

__all__ = ["LAZY", "Exchange", "put_together", "take_apart", "to_agar", "to_torch"]

_new = object.__new__
_ATOMS = frozenset({int, float, bool, str, bytes, complex, type(None), torch.dtype, torch.device})
_DEPTH = 8
#: What makes its items when they are asked for.
LAZY = (types.GeneratorType, map, filter, zip)


def _wrap(value: torch.Tensor) -> Tensor:
    converted = _new(Tensor)
    converted._value = value
    return converted


def _unwrap(value: Tensor) -> torch.Tensor:
    return value._value


class Exchange:
    """One call's values in one direction.

    Args:
        into_torch (bool): agar's tensors become torch's; otherwise torch's become agar's.
    """

    __slots__ = ("_containers", "_convert", "_kind", "into_torch")

    def __init__(self, into_torch: bool) -> None:
        self.into_torch = into_torch
        self._kind: type = Tensor if into_torch else torch.Tensor
        self._convert: Callable[[Any], Any] = _unwrap if into_torch else _wrap
        #: the container that was given, the one that was handed on, and what was in that then
        self._containers: list[tuple[Any, Any, Any]] = []

    def take(self, value: Any, depth: int = 0) -> Any:
        """The value for the other side; what holds no tensor stays the object that it is.

        Args:
            value (Any): the value, a tensor or an object with tensors in it.
            depth (int): how many objects it lies within; beyond a limit it stays as it is.
                Default: 0.
        """
        kind = type(value)
        if kind in _ATOMS:
            return value
        if isinstance(value, self._kind):
            return self._convert(value)
        if depth > _DEPTH:
            return value
        if isinstance(value, tuple):
            return self._tuple(value, depth)
        if isinstance(value, list):
            items = [self.take(v, depth + 1) for v in value]
            converted = value if _same(items, value) else _filled_list(value, items)
            self._containers.append((value, converted, list(converted)))
            return converted
        if isinstance(value, dict):
            return self._dict(value, depth)
        if isinstance(value, LAZY):
            return (self.take(v, depth + 1) for v in value)
        if isinstance(value, Structure):
            return value._make(self.take(v, depth + 1) for v in value._held)
        if isinstance(value, types.SimpleNamespace) or (
            dataclasses.is_dataclass(value) and not isinstance(value, type)
        ):
            return self._object(value, depth)
        return value

    def _tuple(self, value: tuple[Any, ...], depth: int) -> tuple[Any, ...]:
        items = [self.take(v, depth + 1) for v in value]
        if _same(items, value):
            return value
        if type(value) is tuple:
            return tuple(items)
        # of a named tuple or another subclass, whose __new__ may take and check other things
        converted = tuple.__new__(type(value), items)
        if getattr(value, "__dict__", None):
            converted.__dict__.update(value.__dict__)
        return converted

    def _dict(self, value: dict[Any, Any], depth: int) -> dict[Any, Any]:
        items = {k: self.take(v, depth + 1) for k, v in value.items()}
        converted: dict[Any, Any] = value
        if not _same(items.values(), value.values()):
            converted = _filled_dict(value, items, lambda v: self.take(v, depth + 1))
        if type(value) in (dict, OrderedDict, defaultdict):
            self._containers.append((value, converted, dict(converted)))
        return converted

    def _object(self, value: Any, depth: int) -> Any:
        names = [f.name for f in dataclasses.fields(value)] if _is_slotted(value) else vars(value)
        before = {n: getattr(value, n) for n in names if hasattr(value, n)}
        after = {n: self.take(v, depth + 1) for n, v in before.items()}
        converted = value
        if not _same(after.values(), before.values()):
            kind: Any = type(value)
            converted = kind.__new__(kind)
            for name, item in after.items():
                object.__setattr__(converted, name, item)  # also of a frozen dataclass
        self._containers.append((value, converted, after))
        return converted

    def write_back(self) -> None:
        """Carry what the other side changed in lists and dictionaries back to their originals."""
        for given, converted, before in self._containers:
            if isinstance(converted, list):
                if _same(converted, before):
                    continue
                back = Exchange(not self.into_torch)
                given[:] = [back.take(v) for v in converted]
            elif not isinstance(converted, dict):
                _write_attributes(given, converted, before, Exchange(not self.into_torch))
            else:
                if list(converted) == list(before) and _same(converted.values(), before.values()):
                    continue
                back = Exchange(not self.into_torch)
                items = {k: back.take(v) for k, v in converted.items()}
                given.clear()
                given.update(items)


def _write_attributes(given: Any, converted: Any, before: dict[str, Any], back: Exchange) -> None:
    now = before if _is_slotted(converted) else vars(converted)
    for name in {*before, *now}:
        item = getattr(converted, name, _GONE)
        if item is before.get(name, _GONE):
            continue
        if item is _GONE:
            object.__delattr__(given, name)
        else:
            object.__setattr__(given, name, back.take(item))


_GONE = object()


def to_agar(value: Any) -> Any:
    """The value with agar's tensors over torch's memory.

    Args:
        value (Any): a torch tensor, or an object with torch tensors in it.
    """
    return Exchange(into_torch=False).take(value)


def to_torch(value: Any) -> Any:
    """The value with the torch tensors under agar's.

    Args:
        value (Any): a Tensor, or an object with Tensors in it.
    """
    return Exchange(into_torch=True).take(value)


class _Hole:
    """The place of a tensor in a form."""

    __slots__ = ("i",)

    def __init__(self, i: int) -> None:
        self.i = i

    def __repr__(self) -> str:
        return f"<{self.i}>"


def take_apart(value: Any) -> tuple[Any, list[Tensor]] | None:
    """A form and its tensors, for what the graph engine does not give back as it was.

    Args:
        value (Any): an object with tensors in it.

    Returns:
        (form, tensors), or None for tensors in plain tuples, lists and dictionaries.
    """
    if _is_plain(value):
        return None
    tensors: list[Tensor] = []

    def hole(tensor: Tensor) -> _Hole:
        tensors.append(tensor)
        return _Hole(len(tensors) - 1)

    walk = Exchange(into_torch=True)
    walk._convert = hole
    form = walk.take(value)
    return (form, tensors) if tensors else None


def put_together(form: Any, tensors: Any) -> Any:
    """What `take_apart` has taken apart, over other tensors.

    Args:
        form (Any): the form, from :func:`take_apart`.
        tensors (Sequence[Tensor]): the tensors, in the order of those that were taken out.
    """
    walk = Exchange(into_torch=False)
    walk._kind = _Hole
    walk._convert = lambda hole: tensors[hole.i]
    return walk.take(form)


def _is_plain(value: Any) -> bool:
    if isinstance(value, (Tensor, Structure)) or type(value) in _ATOMS:
        return True
    if type(value) in (tuple, list):
        return all(_is_plain(v) for v in value)
    if type(value) is dict:
        return all(_is_plain(v) for v in value.values())
    return isinstance(value, tuple) and hasattr(value, "_fields") and all(map(_is_plain, value))


def _same(one: Any, other: Any) -> bool:
    one, other = list(one), list(other)
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _is_slotted(value: Any) -> bool:
    return not hasattr(value, "__dict__")


def _filled_list(like: list[Any], items: list[Any]) -> list[Any]:
    if type(like) is list:
        return items
    converted = list.__new__(type(like))
    converted.extend(items)
    if getattr(like, "__dict__", None):
        converted.__dict__.update(like.__dict__)
    return converted


def _filled_dict(
    like: dict[Any, Any], items: dict[Any, Any], attribute: Callable[[Any], Any]
) -> dict[Any, Any]:
    """A dictionary of the same class, without a run of what a subclass does when it is filled."""
    if type(like) is dict:
        return items
    if type(like) is defaultdict:
        return defaultdict(like.default_factory, items)
    base: Any = OrderedDict if isinstance(like, OrderedDict) else dict
    converted = base.__new__(type(like))
    for key, item in items.items():
        base.__setitem__(converted, key, item)
    for name, item in getattr(like, "__dict__", {}).items():
        converted.__dict__[name] = attribute(item)
    return converted
