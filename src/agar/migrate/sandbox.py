"""Running other people's networks and leaving them as they were.

Modules run with copies of their parameters and buffers; cells get copies put into their parameters
for the time of a run. Everything else that a run may change (flags, attributes, hooks, random
states, the mode) is noted before and put back afterwards, whatever happens.
"""

from __future__ import annotations

import contextlib
import operator
import random as python_random
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator
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
    "CellValues",
    "keep_cell",
    "keep_module",
    "keep_random_states",
    "module_state",
    "named_tensors",
    "run_module",
    "seeded",
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


class _Note:
    """The attributes of an object and what is in its containers, to be put back.

    Args:
        state (dict): the attributes.
    """

    __slots__ = ("attributes", "empty", "filled", "state")

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state
        self.attributes = state.copy()
        self.filled: list[tuple[Any, Any]] = []
        self.empty: list[Any] = []
        for value in state.values():
            if type(value) in _CONTAINERS:
                if value:
                    self.filled.append((value, value.copy()))
                else:
                    self.empty.append(value)

    def restore(self) -> None:
        """Put everything back; most is as it was."""
        for value, content in self.filled:
            if type(value) is set or not _same_items(value, content):
                value.clear()
                (value.extend if type(value) is list else value.update)(content)
        if any(self.empty):
            for value in self.empty:
                value.clear()
        if not _same_items(self.state, self.attributes):
            self.state.clear()
            self.state.update(self.attributes)


def _same_items(now: Any, before: Any) -> bool:
    """Whether two dictionaries or lists have the same objects in the same order."""
    same = len(now) == len(before) and all(map(operator.is_, now, before))
    if not same or type(now) is list:
        return same
    return all(map(operator.is_, now.values(), before.values()))


@contextlib.contextmanager
def keep_module(module: torch.nn.Module) -> Iterator[None]:
    """Put a module's attributes, flags, hooks and tensors' flags back at the end.

    Args:
        module (torch.nn.Module): the module.
    """
    notes = [_Note(m.__dict__) for m in module.modules()]
    flags = [(p, p.requires_grad, p.grad) for p in module.parameters()]
    try:
        yield
    finally:
        for note in notes:
            note.restore()
        for p, requires_grad, grad in flags:
            if p.requires_grad != requires_grad:
                p.requires_grad_(requires_grad)
            p.grad = grad


@contextlib.contextmanager
def keep_cell(cell: Cell) -> Iterator[None]:
    """Put a cell's attributes, flags, parameters' slots and the mode back at the end.

    Args:
        cell (Cell): the cell.
    """
    cells = [c for _, c in cell.cells_and_names()]
    seen: set[torch.nn.Module] = set()
    modules = [
        m for c in cells if isinstance(c, TorchCell) for _, m in c.module.named_modules(seen)
    ]
    parts = [*cells, *modules]
    notes = [_Note(part.__dict__) for part in parts]
    slots = [(p, p._value) for p in cell.get_parameters()]
    buffers = [(b, b._value) for b in cell.buffers()]
    names = [(p, dict(vars(p))) for p, _ in slots]
    mode, plans = runtime.mode, runtime.plans
    # recordings made here are of copies, and a plan in the background is nobody's wish
    for c in cells:
        for name in ("_compiled", "_gradients", "_gradient_records"):
            c.__dict__.pop(name, None)
    runtime.plans = False
    runtime.epoch += 1
    try:
        yield
    finally:
        runtime.mode, runtime.plans = mode, plans
        for tensor, value in [*slots, *buffers]:
            if tensor._value is not value:
                tensor._value = value
        for p, attributes in names:
            vars(p).clear()
            vars(p).update(attributes)
        for note in notes:
            note.restore()
        runtime.epoch += 1
        runtime.weights += 1


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
            copied = value.detach() if is_parameter and not copy else value.detach().clone()
            if dtype is not None and copied.is_floating_point():
                copied = copied.to(dtype)
            seen[id(value)] = copied.requires_grad_(is_parameter and value.requires_grad)
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
        self._undo: list[Callable[[], None]] = []
        self.copies: list[tuple[Tensor, torch.Tensor]] = []
        shared: dict[int, torch.Tensor] = {}
        for tensor in [*cell.get_parameters(), *cell.buffers()]:
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
        for _, c in cell.cells_and_names():
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
        for m in module.modules():
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
        for tensor, value in self.copies:
            old = tensor._value
            self._undo.append(lambda t=tensor, v=old: setattr(t, "_value", v))
            tensor._value = value
        for registry, name, value in self._foreign:
            self._undo.append(lambda r=registry, n=name, v=registry[name]: r.__setitem__(n, v))
            registry[name] = value
        runtime.epoch += 1
        runtime.weights += 1
        return self

    def __exit__(self, *error: Any) -> None:
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        runtime.epoch += 1
        runtime.weights += 1

    def rewind(self) -> None:
        """Give everything that a run may have changed its first values again, in place."""
        for (_, value), first in zip(self.copies, self._first, strict=True):
            if value is not first:
                value.data.copy_(first)
        runtime.weights += 1
