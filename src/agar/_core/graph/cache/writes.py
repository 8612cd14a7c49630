"""What a recorded run has written into containers and objects among its arguments.

Items and attributes that it sets are part of what the run returns: a replay sets them, too
(`Outcome.writes`). What it does otherwise (it deletes, sorts, takes out) is an effect that is not
repeated: such calls run as Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core.graph.guard.flatten import FlatArguments, argument_changes, is_apart
from agar._core.graph.guard.getters import (
    MISSING,
    attributes_of,
    items_of,
    kind_of_mapping,
    settings_of,
    slot_value,
    slots_of,
)
from agar._core.tensor import Structure

__all__ = ["ArgumentContents", "Write"]


class Write:
    """One item or attribute that a run has set.

    Attributes:
        holder: the container or object.
        how: ``"item"``, ``"append"``, ``"attribute"`` or ``"slot"``.
        key: of the item, the name of the attribute, or the descriptor of the slot.
        value: what was set.
        before: what stood there; `MISSING` if nothing did.
    """

    __slots__ = ("before", "holder", "how", "key", "value")

    def __init__(self, holder: Any, how: str, key: Any, value: Any, before: Any) -> None:
        self.holder = holder
        self.how = how
        self.key = key
        self.value = value
        self.before = before

    def undo(self) -> None:
        """Make it what it was."""
        if self.before is not MISSING:
            put(self.how)(self.holder, self.key, self.before)
        elif self.how == "append":
            list.pop(self.holder)
        elif self.how == "attribute":
            del self.holder.__dict__[self.key]
        elif self.how == "slot":
            self.key.__delete__(self.holder)
        else:
            base: Any = kind_of_mapping(self.holder)
            base.__delitem__(self.holder, self.key)

    def redo(self) -> None:
        """Set it again."""
        put(self.how)(self.holder, self.key, self.value)


def _put_item(holder: Any, key: Any, value: Any) -> None:
    base: Any = list if isinstance(holder, list) else kind_of_mapping(holder)
    base.__setitem__(holder, key, value)


def _put_attribute(holder: Any, key: str, value: Any) -> None:
    holder.__dict__[key] = value


_PUT: dict[str, Callable[[Any, Any, Any], None]] = {
    "item": _put_item,
    "append": lambda holder, key, value: list.append(holder, value),
    "attribute": _put_attribute,
    "slot": lambda holder, key, value: key.__set__(holder, value),
}


def put(how: str) -> Callable[[Any, Any, Any], None]:
    """The function that sets an item or attribute, past the methods of its class."""
    return _PUT[how]


class ArgumentContents:
    """What containers and objects among the arguments hold; make it before the run."""

    def __init__(self, flat: FlatArguments) -> None:
        self.flat = flat
        self.before = [_Contents(holder, flat) for holder in flat.holders]

    def writes(self) -> list[Write] | None:
        """What was set since then; None if something else has changed, too."""
        results: list[Write] = []
        for contents in self.before:
            more = contents.writes()
            if more is None:
                return None
            results += more
        return results

    def changes(self, writes: list[Write] | None) -> list[str]:
        """What a run has changed about its arguments, but for what it has set."""
        if writes is None:
            return ["a container or object among the arguments"]
        for write in reversed(writes):
            write.undo()
        try:
            return argument_changes(self.flat)
        finally:
            for write in writes:
                write.redo()

    def is_same(self) -> bool:
        """Whether nothing was set or changed."""
        return self.writes() == []


class _Contents:
    """What one container or object holds."""

    def __init__(self, holder: Any, flat: FlatArguments) -> None:
        self.holder = holder
        kind = type(holder)
        self.kind = kind
        self.apart = is_apart(holder, kind, flat.rules)
        self.items = _items(holder)
        self.home = attributes_of(holder)
        self.attributes = None if type(self.home) is not dict else list(self.home.items())
        self.slots: list[tuple[Any, Any]] = []
        for base in kind.__mro__ if self.apart else ():
            for name in slots_of(base):
                descriptor = base.__dict__[name]
                self.slots.append((descriptor, slot_value(descriptor, holder)[0]))

    def writes(self) -> list[Write] | None:
        holder = self.holder
        if type(holder) is not self.kind or attributes_of(holder) is not self.home:
            return None
        how = "append" if isinstance(holder, list) else "item"
        results = _set(holder, self.items, _items(holder), how, "item")
        if results is None or (results and isinstance(holder, (tuple, Structure))):
            return None
        if self.attributes is not None:
            now = list((settings_of(holder) or {}).items())
            more = _set(holder, self.attributes, now, "attribute", "attribute")
            if more is None or (more and not self.apart):
                return None
            results += more
        for descriptor, before in self.slots:
            value = slot_value(descriptor, holder)[0]
            if value is MISSING and before is not MISSING:
                return None
            if value is not before:
                results.append(Write(holder, "slot", descriptor, value, before))
        return results


def _items(holder: Any) -> list[tuple[Any, Any]]:
    if isinstance(holder, dict):
        base: Any = kind_of_mapping(holder)
        return list(base.items(holder))
    if isinstance(holder, Structure):
        return list(enumerate(holder._held))
    return list(enumerate(items_of(holder))) if isinstance(holder, (list, tuple)) else []


def _set(
    holder: Any,
    before: list[tuple[Any, Any]],
    now: list[tuple[Any, Any]],
    new: str,
    old: str,
) -> list[Write] | None:
    """What was set among pairs; None if some were taken out, or have another order."""
    if len(now) < len(before):
        return None
    results = []
    for (key, value), (its, then) in zip(now, before, strict=False):
        if key is not its and (type(key) is not int or key != its):
            return None
        if value is not then:
            results.append(Write(holder, old, key, value, then))
    results += [Write(holder, new, key, value, MISSING) for key, value in now[len(before) :]]
    return results
