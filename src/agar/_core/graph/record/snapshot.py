"""Objects of Python before a symbolic run, put back after it."""

from __future__ import annotations

import operator
import random as python_random
from typing import Any

import numpy as np
import torch

from agar._core.graph.guard.getters import attributes_of
from agar._core.tensor import SymbolicTensor, Tensor

__all__ = ["CellsMet", "Snapshot"]


# ------------------------------------------------------------------------ leaving no marks


class CellsMet(dict[int, Any]):
    """The cells that a run calls, each noted in a snapshot before it runs."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self._snapshot = snapshot

    def __setitem__(self, key: int, cell: Any) -> None:
        if key not in self:
            self._snapshot.add(cell)
            super().__setitem__(key, cell)


#: Attributes of cells that are caches of agar's own.
_CACHES = frozenset({"_cache", "_compiled", "_gradients", "_gradient_records"})
_DEPTH = 6


class Snapshot:
    """Objects of Python as they were, to find out what a run has changed and to put it back."""

    def __init__(self) -> None:
        self._contents: dict[int, tuple[Any, Any]] = {}  # container -> its contents then
        self._tensors: dict[int, tuple[Tensor, torch.Tensor]] = {}
        self._numpy = np.random.get_state()
        self._python = python_random.getstate()
        self._torch = torch.random.get_rng_state()

    def add(self, value: Any, depth: int = 0) -> None:
        """Note an object and what it holds."""
        if id(value) in self._contents or id(value) in self._tensors or depth > _DEPTH:
            return
        if isinstance(value, Tensor):
            if not isinstance(value, SymbolicTensor):  # which only describes
                self._tensors[id(value)] = value, value._value
            self._contents[id(vars(value))] = vars(value), dict(vars(value))
            return
        inside: Any
        if isinstance(value, dict):
            self._contents[id(value)] = value, dict(value)
            inside = value.values()
        elif isinstance(value, (list, set)):
            self._contents[id(value)] = value, type(value)(value)
            inside = value
        elif isinstance(value, tuple):
            inside = value
        elif hasattr(value, "construct") and hasattr(value, "_cells"):
            self._contents[id(value.__dict__)] = value.__dict__, dict(value.__dict__)
            inside = [v for k, v in value.__dict__.items() if k not in _CACHES]
        elif _is_users(value):
            self._contents[id(value.__dict__)] = value.__dict__, dict(value.__dict__)
            inside = value.__dict__.values()
        else:
            return
        for v in inside:
            self.add(v, depth + 1)

    def put_back(self) -> str | None:
        """Undo what has changed since, and say what that was."""
        changed = None
        for held, then in self._contents.values():
            if not _same_contents(held, then):
                changed = changed or "objects of Python"
                if isinstance(held, list):
                    held[:] = then
                    continue
                caches = {k: held[k] for k in _CACHES & held.keys()} if type(held) is dict else ()
                held.clear()
                held.update(then)
                if caches:
                    held.update(caches)
        for t, value in self._tensors.values():
            if t._value is not value:
                changed = changed or "the tensor of a parameter"
                t._value = value
        if not _same_numpy(np.random.get_state(), self._numpy):
            changed = changed or "numpy's random state"
            np.random.set_state(self._numpy)
        if python_random.getstate() != self._python:
            changed = changed or "the state of Python's random"
            python_random.setstate(self._python)
        if not torch.equal(torch.random.get_rng_state(), self._torch):
            changed = changed or "torch's random state"
            torch.random.set_rng_state(self._torch)
        return changed


def _is_users(value: Any) -> bool:
    module = type(value).__module__
    return (
        type(attributes_of(value)) is dict
        and not callable(value)
        and not isinstance(value, (type, torch.Tensor))
        and not module.startswith(("agar.", "torch.", "numpy.", "builtins", "functools"))
    )


def _same_contents(now: Any, then: Any) -> bool:
    if isinstance(now, set):
        return now == then
    if isinstance(now, list):
        return len(now) == len(then) and all(map(operator.is_, now, then))
    now = {k: v for k, v in now.items() if k not in _CACHES}
    then = {k: v for k, v in then.items() if k not in _CACHES}
    return now.keys() == then.keys() and all(v is then[k] for k, v in now.items())


def _same_numpy(a: Any, b: Any) -> bool:
    return a[0] == b[0] and bool((a[1] == b[1]).all()) and a[2:] == b[2:]
