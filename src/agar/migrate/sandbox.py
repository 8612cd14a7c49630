"""Running other people's networks and leaving them as they were.

Modules run with copies of their parameters and buffers; cells get copies put into their parameters
for the time of a run. Everything else that a run may change (flags, attributes, hooks, random
states, the mode) is noted before and put back afterwards, whatever happens.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import random as python_random
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

# modules are torch's, and so are the tensors in cells
import torch

from agar._core import random as agar_random
from agar._core.parameter import Parameter
from agar._core.runtime import runtime
from agar._core.tensor import Tensor
from agar.migrate.trees import Call
from agar.nn.cell import Cell
from agar.nn.torch_cell import TorchCell

__all__ = [
    "CellBaseline",
    "CellValues",
    "cells_of",
    "keep_cell",
    "keep_module",
    "keep_random_states",
    "module_state",
    "modules_of",
    "named_modules",
    "named_tensors",
    "parameters_in",
    "run_module",
    "seeded",
    "tensors_of",
]

_CONTAINERS = frozenset({dict, OrderedDict, list, set})


@contextlib.contextmanager
def keep_random_states() -> Iterator[None]:
    """Put all random states back at the end: torch's, numpy's, Python's and agar's."""
    python, plain, engine = python_random.getstate(), np.random.get_state(), torch.get_rng_state()
    own = agar_random.get_all_state()
    own["streams"] = []  # below, by identity: some may be gone at the end, and others be there
    streams = [(s, s.state) for s in list(agar_random._live.values())]
    try:
        yield
    finally:
        agar_random.set_all_state(own)
        for stream, state in streams:
            stream.state = state
        python_random.setstate(python)
        np.random.set_state(plain)
        torch.set_rng_state(engine)


def seeded(seed: int) -> None:
    """Start all random numbers that a module may draw from a seed.

    Args:
        seed (int): the seed.
    """
    python_random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def modules_of(module: torch.nn.Module, seen: set[int] | None = None) -> list[torch.nn.Module]:
    """A module and all inside, each once; PyTorch's own walk takes ten times as long.

    Args:
        module (torch.nn.Module): the module.
        seen (set, optional): identities of modules to leave out, to which these are added.
            Default: ``None``.
    """
    return _all_inside(module, "_modules", set() if seen is None else seen)


def named_modules(module: torch.nn.Module) -> dict[str, torch.nn.Module]:
    """A module and all inside by their paths, parents first, each once under its first path.

    Args:
        module (torch.nn.Module): the module.
    """
    out: dict[str, torch.nn.Module] = {}
    seen: set[int] = set()
    left = [("", module)]
    while left:
        path, inside = left.pop()
        if id(inside) in seen:
            continue
        seen.add(id(inside))
        out[path] = inside
        prefix = f"{path}." if path else ""
        children = [(prefix + n, c) for n, c in inside._modules.items() if c is not None]
        left += reversed(children)
    return out


def parameters_in(modules: Iterable[torch.nn.Module]) -> list[torch.nn.Parameter]:
    """The parameters that modules themselves hold, each once.

    Args:
        modules (Iterable): the modules.
    """
    every = [p for m in modules for p in m._parameters.values() if p is not None]
    return list({id(p): p for p in every}.values())


def cells_of(cell: Cell) -> list[Cell]:
    """A cell and all inside, each once.

    Args:
        cell (Cell): the cell.
    """
    return _all_inside(cell, "_cells", set())


def _all_inside(whole: Any, children: str, seen: set[int]) -> list[Any]:
    """A module or cell and all inside, by the name of the attribute that holds those of each."""
    if id(whole) in seen:
        return []
    seen.add(id(whole))
    out = [whole]
    for around in out:  # it grows
        for inside in getattr(around, children).values():
            if inside is not None and id(inside) not in seen:
                seen.add(id(inside))
                out.append(inside)
    return out


def tensors_of(cells: Iterable[Cell]) -> tuple[list[Parameter], list[Tensor]]:
    """The parameters and the buffers that cells themselves hold, each once.

    Args:
        cells (Iterable): the cells.
    """
    parameters = {id(p): p for c in cells for p in c._params.values() if p is not None}
    buffers = {id(b): b for c in cells for b in c._buffers.values() if b is not None}
    return list(parameters.values()), list(buffers.values())


class _Contents:
    """What is in dictionaries, lists and sets, to be put back.

    Most is as it was: all of it is compared at once, and one by one only where something changed.

    Args:
        holders (list): the dictionaries, lists and sets.
    """

    __slots__ = ("empty", "filled", "items", "sizes")

    def __init__(self, holders: list[Any]) -> None:
        self.filled = [h for h in holders if h]
        self.empty = [h for h in holders if not h]
        self.sizes, self.items = _contents(self.filled)

    def restore(self) -> None:
        """Put everything back."""
        if any(self.empty):
            for holder in self.empty:
                holder.clear()
        sizes, items = _contents(self.filled)
        if sizes == self.sizes and all(map(operator.is_, items, self.items)):
            return
        at = 0
        for holder, size in zip(self.filled, self.sizes, strict=True):
            keys = self.items[at : at + size]
            at += size
            if not isinstance(holder, dict):
                if len(holder) != size or not all(map(operator.is_, holder, keys)):
                    holder.clear()
                    (holder.extend if isinstance(holder, list) else holder.update)(keys)
                continue
            values = self.items[at : at + size]
            at += size
            same = len(holder) == size and all(map(operator.is_, holder, keys))
            if not same or not all(map(operator.is_, holder.values(), values)):
                holder.clear()
                holder.update(zip(keys, values, strict=True))


def _contents(holders: list[Any]) -> tuple[list[int], list[Any]]:
    """The sizes of containers, and what is in them one after another; keys before values."""
    parts: list[Any] = []
    for holder in holders:
        parts.append(holder)
        if isinstance(holder, dict):
            parts.append(holder.values())
    return list(map(len, holders)), list(itertools.chain.from_iterable(parts))


class _Note:
    """The attributes of objects and what is in their containers, to be put back.

    Args:
        states (list): the dictionaries of attributes.
    """

    __slots__ = ("attributes", "containers")

    def __init__(self, states: list[dict[str, Any]]) -> None:
        self.attributes = _Contents(states)
        values = itertools.chain.from_iterable(map(dict.values, states))
        self.containers = _Contents([v for v in values if type(v) in _CONTAINERS])

    def restore(self) -> None:
        """Put everything back."""
        self.containers.restore()
        self.attributes.restore()


@contextlib.contextmanager
def keep_module(module: torch.nn.Module) -> Iterator[None]:
    """Put a module's attributes, flags, hooks and tensors' flags back at the end.

    Args:
        module (torch.nn.Module): the module.
    """
    modules = modules_of(module)
    note = _Note([m.__dict__ for m in modules])
    flags = [(p, p.requires_grad, p.grad) for p in parameters_in(modules)]
    try:
        yield
    finally:
        note.restore()
        for p, requires_grad, grad in flags:
            if p.requires_grad != requires_grad:
                p.requires_grad_(requires_grad)
            if p.grad is not grad:
                p.grad = grad


class CellBaseline:
    """A cell's attributes, flags and parameters' slots, as they are now.

    Args:
        cell (Cell): the cell.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self._cells = cells_of(cell)
        seen: set[int] = set()
        parts: list[Any] = [*self._cells]
        for c in self._cells:
            if isinstance(c, TorchCell):
                parts += modules_of(c.module, seen)
        self._note = _Note([part.__dict__ for part in parts])
        parameters, buffers = tensors_of(self._cells)
        self._slots = [(t, t._value) for t in (*parameters, *buffers)]
        self._names = _Contents([vars(p) for p in parameters])

    @contextlib.contextmanager
    def put_back(self) -> Iterator[None]:
        """Put them, and the mode, back at the end; may be entered again, also inside of itself."""
        mode, plans = runtime.mode, runtime.plans
        # recordings made here are of copies, and a plan in the background is nobody's wish
        for c in self._cells:
            for name in ("_compiled", "_gradients", "_gradient_records"):
                if name in c.__dict__:
                    del c.__dict__[name]
        runtime.plans = False
        runtime.epoch += 1
        try:
            yield
        finally:
            runtime.mode, runtime.plans = mode, plans
            for tensor, value in self._slots:
                if tensor._value is not value:
                    tensor._value = value
            self._names.restore()
            self._note.restore()
            runtime.epoch += 1
            runtime.weights += 1


def keep_cell(cell: Cell) -> contextlib.AbstractContextManager[None]:
    """Put a cell's attributes, flags, parameters' slots and the mode back at the end.

    Args:
        cell (Cell): the cell.
    """
    return CellBaseline(cell).put_back()


# ------------------------------------------------------------------------------------- modules


def named_tensors(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Parameters and then buffers, by all their names.

    PyTorch's own functions walk through the network once for each, by generators in generators.

    Args:
        module (torch.nn.Module): the module.
    """
    parameters: dict[str, torch.Tensor] = {}
    buffers: dict[str, torch.Tensor] = {}
    left = [("", module)]
    while left:
        path, inside = left.pop()
        for out, own in ((parameters, inside._parameters), (buffers, inside._buffers)):
            out |= {path + name: value for name, value in own.items() if value is not None}
        children = [(f"{path}{n}.", c) for n, c in inside._modules.items() if c is not None]
        left += reversed(children)
    return parameters | buffers


def module_state(
    module: torch.nn.Module, dtype: torch.dtype | None = None, copy: bool = True
) -> dict[str, torch.Tensor]:
    """What stands for a module's parameters and buffers in a run, by their names.

    Args:
        module (torch.nn.Module): the module.
        dtype (torch.dtype, optional): type of what holds floats. Default: ``None``, their own.
        copy (bool): whether parameters are copies too, for modules that change them; buffers
            always are. Default: ``True``.
    """
    out: dict[str, torch.Tensor] = {}
    seen: dict[int, torch.Tensor] = {}
    for name, value in named_tensors(module).items():
        if id(value) not in seen:
            is_parameter = isinstance(value, torch.nn.Parameter)
            copied = value.detach()
            copied = copied if is_parameter and not copy else copied.clone()
            if dtype is not None and copied.is_floating_point():
                copied = copied.to(dtype)
            if is_parameter and value.requires_grad:
                copied.requires_grad_()
            seen[id(value)] = copied
        out[name] = seen[id(value)]
    return out


def run_module(module: torch.nn.Module, state: dict[str, torch.Tensor], call: Call) -> Any:
    """Run a module with other tensors in the place of its parameters and buffers.

    Args:
        module (torch.nn.Module): the module.
        state (dict[str, torch.Tensor]): the tensors, by the names of its parameters and buffers.
        call (Call): the arguments.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.func.functional_call(module, state, call.args, call.kwargs, tie_weights=False)


# --------------------------------------------------------------------------------------- cells


class CellValues:
    """Copies in the parameters and buffers of a cell, for one or several runs.

    Args:
        cell (Cell): the cell; `keep_cell` puts its own values back.
        values (dict): id of a Parameter or buffer: the tensor to take in its place.
        dtype (torch.dtype, optional): type of the copies that hold floats. Default: ``None``.
    """

    def __init__(
        self, cell: Cell, values: dict[int, torch.Tensor], dtype: torch.dtype | None = None
    ) -> None:
        cells = cells_of(cell)
        parameters, buffers = tensors_of(cells)
        self.copies: list[tuple[Tensor, torch.Tensor]] = []
        self._before: list[tuple[Tensor, torch.Tensor]] = []
        shared: dict[int, torch.Tensor] = {}
        for tensor in (*parameters, *buffers):
            old: torch.Tensor = tensor._value
            copy = shared.get(id(old))
            if copy is None:
                copy = values.get(id(tensor), old).detach().clone()
                if dtype is not None and copy.is_floating_point():
                    copy = copy.to(dtype)
                shared[id(old)] = copy
            self.copies.append((tensor, copy))
        self._first = [m.clone() if self._may_change(t) else m for t, m in self.copies]
        self._foreign: list[tuple[dict[str, Any], str, torch.Tensor]] = []
        self._registered: list[tuple[dict[str, Any], str, Any]] = []
        for c in cells:
            # those with cells inside follow the cells' tensors by themselves
            if type(c) is TorchCell:
                self._look_into(c.module, shared, dtype)

    @staticmethod
    def _may_change(tensor: Tensor) -> bool:
        return not isinstance(tensor, Parameter) or not tensor.requires_grad

    def _look_into(
        self, module: torch.nn.Module, shared: dict[int, torch.Tensor], dtype: torch.dtype | None
    ) -> None:
        """A module in a TorchCell reads its own registries."""
        for m in modules_of(module):
            registries: tuple[dict[str, Any], ...] = (m._parameters, m._buffers)
            for registry in registries:
                for name, value in registry.items():
                    if value is None:
                        continue
                    if id(value) not in shared:
                        copy = value.detach().clone()
                        floats = dtype is not None and copy.is_floating_point()
                        shared[id(value)] = copy.to(dtype) if floats else copy
                    self._foreign.append((registry, name, shared[id(value)]))

    def __enter__(self) -> CellValues:
        self._before = [(t, t._value) for t, _ in self.copies]
        self._registered = [(r, n, r[n]) for r, n, _ in self._foreign]
        self._put(self.copies, self._foreign)
        return self

    def __exit__(self, *error: Any) -> None:
        self._put(self._before, self._registered)

    @staticmethod
    def _put(
        values: list[tuple[Tensor, torch.Tensor]], registered: list[tuple[dict[str, Any], str, Any]]
    ) -> None:
        for tensor, value in values:
            tensor._value = value
        for registry, name, value in registered:
            registry[name] = value
        runtime.epoch += 1
        runtime.weights += 1

    def rewind(self) -> None:
        """Give everything that a run may have changed its first values again, in place."""
        for (_, value), first in zip(self.copies, self._first, strict=True):
            if value is not first:
                value.data.copy_(first)
        runtime.weights += 1
