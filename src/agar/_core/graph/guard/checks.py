"""Whether what a recording has read is as it was, compared quickly enough for every call."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import torch

from agar._core import context
from agar._core.graph.guard.getters import (
    MISSING,
    Getter,
    cell_contents_of,
    get_bases,
    get_code,
    get_defaults,
    get_keywords,
    get_value,
    requires_grad,
    same_items,
    same_value,
)
from agar._core.tensor import Tensor

__all__ = ["Checks"]

_SEVERAL = 6
"""How often contents are compared before code is generated for it."""
_GONE = (KeyError, IndexError, AttributeError, TypeError, ValueError, RuntimeError)
"""What a check raises when the thing that it reads is there no more."""


class Checks:
    """Things of Python with what they held; `guard.reads` fills it.

    Attributes:
        tensors: those that were reached, by id.
        idle: whether there is nothing to compare.
    """

    def __init__(self) -> None:
        self.tensors: dict[int, Tensor] = {}
        self._parts: list[tuple[Callable[[Any], Any], Any, tuple[Any, ...]]] = []
        self._part_names: list[list[str]] = []
        self._homes: list[tuple[Any, dict[str, Any]]] = []
        self._keys: list[tuple[Any, tuple[Any, ...]]] = []
        self._absent: list[tuple[Any, frozenset[str]]] = []
        self._items: list[tuple[Any, tuple[Any, ...]]] = []
        self._lengths: list[tuple[Any, int]] = []
        self._typed: list[Any] = []
        self._classes: list[type] = []
        self._functions: list[types.FunctionType] = []
        self._enclosed: list[types.CellType] = []
        self._asked: list[tuple[Callable[[], Any], Any]] = []
        self._labels: dict[int, str] = {}  # of what the checks compare, by id
        self._shaped = False  # whether the shapes and types of tensors are compared as well
        self._quick: Callable[[], bool] | None = None
        self._asked_for = 0
        self._askers: list[dict[str, Any]] = []  # globals of entries, until there is a quick way

    def _freeze(self) -> None:
        self._length_of = [home for home, _ in self._lengths]
        self._length_was = [n for _, n in self._lengths]
        held = list(self.tensors.values())
        self._held = held
        self._held_was = [t._value for t in held]
        shaped = self._held_was if self._shaped else []
        self._metadata = [(t, t.shape, t.dtype) for t in shaped]
        self._type_was = list(map(type, self._typed))
        self._bases_was = [c.__mro__ for c in self._classes]
        self._code_was = [f.__code__ for f in self._functions]
        self._default_was = [f.__defaults__ for f in self._functions]
        self._keyword_was = [f.__kwdefaults__ for f in self._functions]
        self._enclosed_was = tuple([cell_contents_of(c) for c in self._enclosed])
        self.idle = not (
            self._parts
            or self._keys
            or self._absent
            or self._items
            or self._lengths
            or self._typed
            or self._classes
            or self._functions
            or self._enclosed
            or self._asked
            or held
        )

    def unchanged(self) -> bool:
        """Whether all contents are what they were."""
        is_ = operator.is_
        try:
            for get, home, then in self._parts:
                now = get(home)
                if not all(map(is_, now, then)) and not same_items(now, then):
                    return False
            for items, then in self._items:
                if len(items) != len(then) or (
                    not all(map(is_, items, then)) and not same_items(items, then)
                ):
                    return False
        except (KeyError, AttributeError, TypeError, RuntimeError):
            return False
        if any(value.__dict__ is not home for value, home in self._homes):
            return False
        for home, then in self._keys:
            if tuple(home) != then:
                return False
        for home, names in self._absent:
            if not names.isdisjoint(home):
                return False
        if self._lengths and not all(map(operator.eq, map(len, self._length_of), self._length_was)):
            return False
        if self._typed and not all(map(is_, map(type, self._typed), self._type_was)):
            return False
        if self._classes and not all(map(is_, map(get_bases, self._classes), self._bases_was)):
            return False
        if self._functions and not (
            all(map(is_, map(get_code, self._functions), self._code_was))
            and all(map(is_, map(get_defaults, self._functions), self._default_was))
            and all(map(is_, map(get_keywords, self._functions), self._keyword_was))
        ):
            return False
        if self._enclosed and not same_items(
            map(cell_contents_of, self._enclosed), self._enclosed_was
        ):
            return False
        if self._held and not all(map(is_, map(get_value, self._held), self._held_was)):
            return False
        if any(t.shape != shape or t.dtype is not dtype for t, shape, dtype in self._metadata):
            return False
        return all(ask() == then for ask, then in self._asked)

    def holds(self) -> bool:
        """The same as `unchanged`; quicker, through generated code, where it is asked often."""
        if self._quick is None:
            self._asked_for += 1
            if self._asked_for <= _SEVERAL:
                return self.unchanged()
            self._quick = self._generated()
            for names in self._askers:
                names["unchanged"] = self._quick
            self._askers.clear()
        return self._quick()

    def answer(self, entry: Callable[..., Any]) -> None:
        """Let generated code ask by its global ``unchanged``, as directly as is possible."""
        names = entry.__globals__
        if self._quick is not None:
            names["unchanged"] = self._quick
        else:
            self._askers.append(names)

    def conditions(self, names: dict[str, Any]) -> list[str]:
        """Expressions that compare by identity alone; where one is false, `unchanged` decides.

        Args:
            names: gets what they need. They may raise ``errors``, which `unchanged` judges, too.
        """
        names.update(all=all, map=map, len=len, tuple=tuple, type=type, is_=operator.is_)
        names.update(errors=_GONE, unchanged=self.unchanged)
        known: dict[int, str] = {}
        conditions: list[str] = []

        def name(value: Any) -> str:
            result = known.get(id(value))
            if result is None:
                result = known[id(value)] = f"g{len(known)}"
                names[result] = value
            return result

        for (get, home, then), keys in zip(self._parts, self._part_names, strict=True):
            if isinstance(get, (Getter, operator.itemgetter)):
                for key, value in zip(keys, then, strict=True):
                    conditions.append(f"{name(home)}[{key!r}] is {name(value)}")
            else:
                conditions.append(f"all(map(is_, {name(get)}({name(home)}), {name(then)}))")
        for items, then in self._items:
            conditions.append(f"len({name(items)}) == {len(then)}")
            if type(items) is list and len(then) <= 8:
                for i, value in enumerate(then):
                    conditions.append(f"{name(items)}[{i}] is {name(value)}")
            else:
                conditions.append(f"all(map(is_, {name(items)}, {name(then)}))")
        for value, home in self._homes:
            conditions.append(f"{name(value)}.__dict__ is {name(home)}")
        for home, then in self._keys:
            conditions.append(f"tuple({name(home)}) == {name(then)}")
        for home, absent in self._absent:
            conditions.append(f"{name(absent)}.isdisjoint({name(home)})")
        for home, n in self._lengths:
            conditions.append(f"len({name(home)}) == {n}")
        for value, then in zip(self._typed, self._type_was, strict=True):
            conditions.append(f"type({name(value)}) is {name(then)}")
        for cls, then in zip(self._classes, self._bases_was, strict=True):
            conditions.append(f"{name(cls)}.__mro__ is {name(then)}")
        for i, f in enumerate(self._functions):
            conditions.append(f"{name(f)}.__code__ is {name(self._code_was[i])}")
            conditions.append(f"{name(f)}.__defaults__ is {name(self._default_was[i])}")
            conditions.append(f"{name(f)}.__kwdefaults__ is {name(self._keyword_was[i])}")
        for cell, then in zip(self._enclosed, self._enclosed_was, strict=True):
            if then is MISSING:
                conditions.append(f"{name(cell_contents_of)}({name(cell)}) is {name(then)}")
            else:
                conditions.append(f"{name(cell)}.cell_contents is {name(then)}")
        for t, then in zip(self._held, self._held_was, strict=True):
            conditions.append(f"{name(t)}._value is {name(then)}")
        for t, shape, dtype in self._metadata:
            conditions.append(f"{name(t)}.shape == {name(shape)}")
            conditions.append(f"{name(t)}.dtype is {name(dtype)}")
        for ask, then in self._asked:
            if isinstance(ask, functools.partial) and ask.func is requires_grad:
                conditions.append(f"{name(ask.args[0])}._requires_grad is {then}")
            elif ask is context.torch_device:
                conditions.append(f"{name(vars(context))}['_device'] is {name(then)}")
            elif isinstance(then, torch.dtype):
                conditions.append(f"{name(ask)}() is {name(then)}")
            else:
                conditions.append(f"{name(ask)}() == {name(then)}")
        return conditions

    def _generated(self) -> Callable[[], bool]:
        """Code that looks at the conditions."""
        names: dict[str, Any] = {}
        conditions = self.conditions(names)
        if not conditions:
            return lambda: True
        lines = ["def quick():", "  try:"]
        lines += [
            f"    if not ({' and '.join(conditions[start : start + 32])}): return unchanged()"
            for start in range(0, len(conditions), 32)
        ]
        lines.append("  except errors: return unchanged()")
        lines.append("  return True")
        exec(compile("\n".join(lines), "<agar reads>", "exec"), names)
        return names["quick"]

    def changes(self) -> list[str]:
        """What has changed, in words."""
        results: list[str] = []

        def differ(home: Any, what: str = "") -> None:
            results.append(self._labels.get(id(home), "something") + what)

        for (get, home, then), names in zip(self._parts, self._part_names, strict=True):
            try:
                now = get(home)
            except (KeyError, AttributeError, TypeError, RuntimeError):
                differ(home, " (an attribute or name is gone)")
                continue
            if not same_items(now, then):
                at = [
                    i
                    for i, (a, b) in enumerate(zip(now, then, strict=True))
                    if not same_value(a, b)
                ]
                differ(home, "".join([f".{names[i]}" for i in at[:1] if i < len(names)]))
        for items, then in self._items:
            if not same_items(tuple(items), then):
                differ(items, " (its items)")
        for value, home in self._homes:
            if value.__dict__ is not home:
                differ(home, " (its attributes, all at once)")
        for home, then in self._keys:
            if tuple(home) != then:
                differ(home, " (its names)")
        for home, names in self._absent:
            if not names.isdisjoint(home):
                differ(home, f".{min(names.intersection(home))}")
        for home, n in self._lengths:
            if len(home) != n:
                differ(home, " (its attributes)")
        for value, then in zip(self._typed, self._type_was, strict=True):
            if type(value) is not then:
                differ(value, " (its class)")
        for cls, then in zip(self._classes, self._bases_was, strict=True):
            if cls.__mro__ is not then:
                differ(cls, " (its bases)")
        for i, f in enumerate(self._functions):
            now = f.__code__, f.__defaults__, f.__kwdefaults__
            if not same_items(now, (self._code_was[i], self._default_was[i], self._keyword_was[i])):
                differ(f, " (its code or defaults)")
        for cell, then in zip(self._enclosed, self._enclosed_was, strict=True):
            if not same_value(cell_contents_of(cell), then):
                differ(cell)
        for t, then in zip(self._held, self._held_was, strict=True):
            if t._value is not then:
                differ(t, " (the memory of a tensor)")
        for t, (value, shape, dtype) in zip(self._held, self._metadata, strict=False):
            if value.shape != shape or value.dtype is not dtype:
                differ(t, " (the shape or type of a tensor)")
        for ask, then in self._asked:
            if ask() != then:
                differ(ask)
        return list(dict.fromkeys(results))
