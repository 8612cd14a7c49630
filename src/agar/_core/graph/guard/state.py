"""What a compiled function can reach, and its state: attributes of cells and what their code reads.

A recording holds for the *signature* of the call (structure, shapes, strides, types and devices of
its tensors, values of its constants; `guard.flatten`) and for the *state* of the cells that it ran
through (their attributes, their parameters). The signature is checked at every call by generated
code (`guard.entry`); the state only when `runtime.epoch` has moved, which every change of an
attribute of any cell does.

NOTE What is a constant. Numbers, texts and objects in arguments and attributes are constants of a
recording: other values make another recording. So are globals, variables of enclosing functions and
the contents of what these lead to, see `agar._core.graph.guard.reads`.
"""

from __future__ import annotations

import functools
import types
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from agar._core.graph.guard.getters import (
    WEAK_PROXIES,
    attributes_of,
    computes_attributes,
    items_of,
    kind_is_of_processes,
    pairs_of,
)
from agar._core.graph.guard.reads import UNSEEN, Reads, is_cell
from agar._core.parameter import Parameter
from agar._core.runtime import runtime
from agar._core.tensor import Tensor

__all__ = ["Environment", "State", "all_cells"]

_PLAIN = (int, float, bool, str, bytes, complex, type(None))
_WRITTEN_OUT = frozenset({int, bool, str, bytes, type(None)})
_HOLDERS = frozenset({dict, list, tuple, OrderedDict})
_LIBRARIES = ("agar.", "torch.", "numpy.", "builtins", "functools")


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
            inner = attributes_of(value)
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
                    token.append((name, id(value), hooks, value.name))
                    weights.append(id(value._value))
                    self.pins += (value, value._value)
                    token.append(value.requires_grad)
                else:
                    token.append((name, self._value(value, 0)))
        for t in environment.tensors.values():
            token.append((id(t), id(t._value)))
            self.pins += (t, t._value)
        for p in environment.parameters.values():
            token.append(p.name)
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
        inner = attributes_of(value)
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
