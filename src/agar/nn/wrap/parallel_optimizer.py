"""Training cells whose optimizer works on parts of parameters."""

from __future__ import annotations

import functools
import types
from typing import Any

# what stands for a parameter that is not collected is a tensor without memory
import torch

from agar._core.distributed.parameter_parts import CellParts, Parts, cut_of
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.errors import missing_feature
from agar._core.runtime import runtime
from agar._core.settings import auto_parallel
from agar.nn.cell import Cell
from agar.nn.wrap.grad_reducer import broadcast_parameters, require_same

__all__: list[str] = []

#: Modules whose training cells hand gradients to the optimizer and to nothing else.
_OURS = ("agar.nn.wrap.cell_wrapper", "agar.nn.wrap.loss_scale")


def cut_for(cell: Any) -> None:
    """Cut the parameters of a new training cell as its optimizer asks for.

    Raises:
        RuntimeError: a parallel optimizer was asked for, and the optimizer or the cell is none.
        NotImplementedError: the cell would see parts of gradients.
    """
    owner = type(cell).__name__
    parts: Parts | None = vars(cell.optimizer).get("_cut_as")
    if parts is None:
        asked = auto_parallel.get("enable_parallel_optimizer") and groups.expected_size > 1
        if asked and cell.parallel_mode not in ("semi_auto_parallel", "auto_parallel"):
            raise RuntimeError(
                f"For '{owner}', enable_parallel_optimizer is set, but the optimizer "
                f"{type(cell.optimizer).__name__} is none of agar.nn, or was made before it was "
                "set or before the processes joined. Call communication.init() and "
                "set_auto_parallel_context(...) first, and use an optimizer of agar.nn."
            )
        return
    if not cell.reducer_flag:
        raise RuntimeError(
            f"For '{owner}', the optimizer works on parts of parameters, but the parallel mode is "
            f"'{cell.parallel_mode}', in which gradients are not added. Set "
            "parallel_mode='data_parallel' before the training cell is made."
        )
    if parts.level == 1:
        return
    ours = type(cell).construct.__module__ in _OURS
    if cell.return_grad or not ours:
        raise missing_feature(
            f"{'return_grad=True' if ours else owner} with the parallel optimizer of level "
            f"{parts.level}",
            "each process has parts of gradients, and what is made of them would be of parts",
            "optimizer_level='level1', or nn.TrainOneStepCell without return_grad",
        )
    if parts.level == 3:
        _cut(owner, cell.network, cell.optimizer, parts)


def read_by(cell: Any) -> list[Any]:
    """A cell's own parameters, and those of its children that the code of its class names."""
    entries = [p for p in cell._params.values() if p is not None]
    names = _names_of(type(cell))
    for attribute, child in cell._cells.items():
        if child is not None and attribute in names:
            entries += [p for n, p in child._params.items() if p is not None and n in names]
    return entries


@functools.cache
def _names_of(kind: type) -> frozenset[str]:
    """The names in the methods of a class of cells but those that every cell has."""
    names: set[str] = set()
    for base in kind.__mro__[: kind.__mro__.index(Cell)]:
        codes = [f.__code__ for f in vars(base).values() if isinstance(f, types.FunctionType)]
        while codes:
            code = codes.pop()
            if code.co_name != "__init__":
                names.update(code.co_names)
                codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return frozenset(names)


def _cut(owner: str, network: Any, optimizer: Any, parts: Parts) -> None:
    """Leave each process its part of the parameters of a network."""
    known = [(p, cut_of(p)) for p in optimizer.parameters]
    chosen = {id(p) for p, part in known if part is not None and not part.held}
    cells = []
    for name, cell in network.cells_and_names():
        mine = [p for p in read_by(cell) if id(p) in chosen]
        if mine:
            cells.append((name or type(cell).__name__, cell, mine))
    owned = list({id(p): p for _, _, mine in cells for p in mine}.values())
    if auto_parallel.get("parameter_broadcast"):
        broadcast_parameters(owned, WORLD)
    else:
        require_same(owner, owned, WORLD)
    for name, cell, mine in cells:
        vars(cell)["_cut"] = CellParts(name, mine, parts)
        cell._route()
    root = vars(network).setdefault("_cut", CellParts(type(network).__name__, [], parts))
    root.all = owned
    network._route()
    for p in owned:
        part = cut_of(p)
        assert part is not None
        part.absent = torch.empty_like(p._value, device="meta")
        p._value = parts.rows(p._value).clone()
        part.held = True
    vars(optimizer).pop("_cache", None)
    parts.applied = True
    runtime.epoch += 1
