"""Attributes of modules that refer to other modules: those of proxies refer to proxies."""

from __future__ import annotations

import functools
import types
import weakref
from typing import Any

# torch modules are what this file is about
import torch

from agar._core.tensor import Tensor
from agar.migrate.proxies import CALL
from agar.nn.cell import Cell

__all__ = ["Rewiring"]


class Rewiring:
    """Puts proxies and shared tensors where attributes of modules refer to the originals.

    Args:
        known (dict): what stands for what, by the identity of the original.
    """

    _LIMIT = 8

    def __init__(self, known: dict[int, Any]) -> None:
        self.known = known
        self._done: dict[int, tuple[Any, Any]] = {}  # with the original, whose identity is used
        self._open: set[int] = set()

    def attributes(self, proxy: torch.nn.Module) -> None:
        """Rewire one proxy's own attributes.

        Args:
            proxy (torch.nn.Module): the copy of a module.
        """
        state = proxy.__dict__
        for name, value in list(state.items()):
            if name in ("_parameters", "_buffers", "_modules", CALL):
                continue
            copied = self.value(value)
            if copied is not value:
                state[name] = copied

    def value(self, value: Any, depth: int = 0) -> Any:
        """The value, or a copy of it where it refers to an original.

        Args:
            value (Any): the value of an attribute.
            depth (int): how many objects it lies within; beyond a limit it stays as it is.
                Default: 0.
        """
        known = self.known.get(id(value))
        if known is not None:
            return known
        if isinstance(value, _ATOMS) or depth > self._LIMIT or id(value) in self._open:
            return value
        if id(value) in self._done:
            return self._done[id(value)][1]
        self._open.add(id(value))
        try:
            copy = self._copied(value, depth + 1)
        finally:
            self._open.discard(id(value))
        self._done[id(value)] = (value, copy)
        return copy

    def _copied(self, value: Any, depth: int) -> Any:
        if isinstance(value, (list, tuple, set, frozenset)):
            return self._sequence(value, depth)
        if isinstance(value, dict):
            items = {k: self.value(v, depth) for k, v in value.items()}
            if all(items[k] is v for k, v in value.items()):
                return value
            copy = value.copy()
            copy.update(items)
            return copy
        if isinstance(value, types.MethodType):
            owner = self.value(value.__self__, depth)
            return value if owner is value.__self__ else types.MethodType(value.__func__, owner)
        if isinstance(value, functools.partial):
            parts = [self.value(v, depth) for v in (value.func, value.args, value.keywords)]
            if parts[0] is value.func and parts[1] is value.args and parts[2] is value.keywords:
                return value
            return functools.partial(parts[0], *parts[1], **parts[2])
        if isinstance(value, types.FunctionType):
            return self._function(value, depth)
        if isinstance(value, weakref.ref):
            target = value()
            copy = self.known.get(id(target)) if target is not None else None
            return value if copy is None else weakref.ref(copy)
        return self._object(value, depth)

    def _sequence(self, value: Any, depth: int) -> Any:
        before = list(value)
        items = [self.value(v, depth) for v in before]
        if all(a is b for a, b in zip(before, items, strict=True)):
            return value
        if hasattr(value, "_fields"):
            return type(value)(*items)
        return type(value)(items)

    def _function(self, value: types.FunctionType, depth: int) -> Any:
        cells = []
        changed = False
        for cell in value.__closure__ or ():
            try:
                inside = cell.cell_contents
            except ValueError:  # not filled yet
                cells.append(cell)
                continue
            copy = self.value(inside, depth)
            changed = changed or copy is not inside
            # the others stay, so that functions which share a variable go on sharing it
            cells.append(cell if copy is inside else types.CellType(copy))
        defaults = self.value(value.__defaults__, depth)
        if not changed and defaults is value.__defaults__:
            return value
        copy = types.FunctionType(
            value.__code__, value.__globals__, value.__name__, defaults, tuple(cells)
        )
        copy.__kwdefaults__ = self.value(value.__kwdefaults__, depth)
        copy.__dict__.update(value.__dict__)
        copy.__qualname__ = value.__qualname__
        return copy

    def _object(self, value: Any, depth: int) -> Any:
        inner = getattr(value, "__dict__", None)
        if type(inner) is not dict or len(inner) > 200:
            return value
        items = {k: self.value(v, depth) for k, v in inner.items()}
        if all(items[k] is v for k, v in inner.items()):
            return value
        copy = object.__new__(type(value))
        copy.__dict__.update(items)
        return copy


_ATOMS = (
    int, float, bool, str, bytes, complex, type(None), type, types.ModuleType, torch.dtype,
    torch.device, torch.Size, torch.Tensor, torch.nn.Module, torch.Generator,
    types.BuiltinFunctionType, Tensor, Cell,
)  # fmt: skip
