"""Objects among the arguments of a compiled function that a signature names by identity."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Set
from typing import Any

from agar._core.graph.guard.flatten import can_be_taken_apart

__all__ = ["ArgumentObjects", "is_builtin_iterator"]

_FIRST = 8  # objects that are held when they are first seen
_HELD = 32  # objects that are held in all
_PASSING = 64  # objects that are remembered without being held
_CLASSES = 256  # classes of objects that are told apart
_STRANGERS = 8  # objects seen once after which those that never came again are let go


class ArgumentObjects:
    """Which objects are held.

    A recording that depends on an object holds it, since another one may get its identity later.
    An object that comes with one call only, a batch say, is not worth that: its memory would stay
    for as long as the function. So beyond the first few, an object must come twice.

    Attributes:
        held: the objects by identity.
    """

    def __init__(self) -> None:
        self.held: dict[int, Any] = {}
        self._again: set[int] = set()  # identities of those that came with more than one call
        self._passing: OrderedDict[int, Any] = OrderedDict()
        self._strangers = 0
        self._wary = False
        #: Classes of objects that have come as arguments, and whether they can be taken apart.
        self._kinds: dict[type, bool] = {}
        self.whole: set[type] = set()  # classes whose objects lead to too much
        self.roots: dict[type, None] = {}  # the program's classes of what is taken apart

    def learn(self, value: Any) -> None:
        """Hold an object that a run has used."""
        self.held[id(value)] = value
        self._again.add(id(value))

    def known(self, value: Any) -> bool:
        """Whether an object is held; then it has come again."""
        if id(value) not in self.held:
            return False
        self._again.add(id(value))
        return True

    def meet(self, value: Any) -> bool:
        """Hold an object, if it is worth that; False if it is not."""
        key = id(value)
        if len(self.held) >= _HELD:
            return False
        if self._wary or len(self.held) >= _FIRST:
            reference = self._passing.pop(key, None)
            if reference is None or reference() is not value:
                self._pass(key, value)
                return False
        self.held[key] = value
        return True

    def _pass(self, key: int, value: Any) -> None:
        self._strangers += 1
        try:
            self._passing[key] = weakref.ref(value)
        except TypeError:  # such objects are never recognized
            return
        while len(self._passing) > _PASSING:
            self._passing.popitem(last=False)

    def in_vain(self) -> bool:
        """Whether objects are held that never came again, while others came and went."""
        return self._strangers >= _STRANGERS and len(self._again) < len(self.held)

    def is_another(self, value: Any) -> bool:
        """Whether an object can be taken apart, and another one of its class came before."""
        kind = type(value)
        known = self._kinds.get(kind)
        if known is None:
            if len(self._kinds) >= _CLASSES:
                return False
            self._kinds[kind] = can_be_taken_apart(value)
            return False
        return known and kind not in self.whole and id(value) not in self.held

    def let_go(self, kinds: Iterable[type]) -> None:
        """Hold no objects of some classes."""
        kinds = frozenset(kinds)
        self.held = {k: v for k, v in self.held.items() if type(v) not in kinds}
        self._again.intersection_update(self.held)

    def root(self, kinds: Set[type]) -> bool:
        """Note classes of what is taken apart, whose code calls may run; whether any is new."""
        if kinds <= self.roots.keys():
            return False
        if len(self.roots) < _CLASSES:
            self.roots.update(dict.fromkeys(kinds))
        return True

    def forget(self, wary: bool = False) -> None:
        """Hold nothing; `wary` means that from now on every object must come twice."""
        self.held = {}
        self._again = set()
        self._wary = self._wary or wary


def is_builtin_iterator(value: Any) -> bool:
    """Whether a value is a generator or an iterator of Python's own, which one call uses up."""
    kind = type(value)  # nothing is asked of the value: it may count its attributes
    return (
        type(kind) is type
        and kind.__module__ in ("builtins", "itertools")
        and issubclass(kind, Iterator)
    )
