"""Which name of a torch state dictionary belongs to which parameter of a cell.

NOTE Where the names come from. A cell that `from_torch` made knows its module's names. For a cell
that was written by hand, its class says which rule it stands for, and the rule how the weights of
the module are called (`nn.BatchNorm2d`: gamma is weight, moving_mean is running_mean). The
parameters that a cell of a user's own class holds itself have one name on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

# torch's state holds torch tensors
import torch

from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.migrate.rules import Rule, Weight, rules
from agar.migrate.rules._rule import TRANSFORMS, namespace
from agar.nn.cell import Cell
from agar.nn.layer.container import CellDict, CellList, SequentialCell

__all__ = ["Entry", "entries", "extra_of", "rule_of_cell", "set_extra"]


class Entry(NamedTuple):
    """One name of the torch state that a cell stands for.

    Attributes:
        name: the name in PyTorch.
        path: the path in the cell; empty for what the cell does not keep.
        held: the cell's parameter or buffer; None for what it does not keep.
        transform: how the value changes its form on the way to the cell.
        extras: the cell that stands for what it does not keep, and the name there; None otherwise.
        optional: torch may lack it.
    """

    name: str
    path: str
    held: Tensor | None
    transform: str
    extras: tuple[Cell, str] | None = None
    optional: bool = False

    def to_cell(self, value: torch.Tensor) -> torch.Tensor:
        """The value in the cell's form.

        Args:
            value (torch.Tensor): the value as torch keeps it.
        """
        return TRANSFORMS[self.transform][0](value)

    def to_torch(self, value: torch.Tensor) -> torch.Tensor:
        """The value in torch's form.

        Args:
            value (torch.Tensor): the value as the cell keeps it.
        """
        return TRANSFORMS[self.transform][1](value)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in PyTorch."""
        if self.held is None:
            return ()
        if self.transform == "same":
            return tuple(self.held.shape)
        return tuple(self.to_torch(torch.empty(self.held.shape, device="meta")).shape)


_STATISTICS = frozenset({"running_mean", "running_var", "num_batches_tracked"})

#: Cells that have rows in the table and no weights of their own.
_HOLDERS = (Cell, SequentialCell, CellList, CellDict)


@cache
def _by_class() -> dict[type, tuple[Rule, ...]]:
    """The rules of modules by the class of the cell that they build."""
    tensors: dict[type, list[Rule]] = {}
    for row in rules("module"):
        if row.container:
            continue
        for case in row.cases:
            for text in re.findall(r"\b((?:nn|mint)(?:\.\w+)+)\(", case.template):
                kind: Any = namespace()[text.split(".")[0]]
                for part in text.split(".")[1:]:
                    kind = getattr(kind, part, None)
                if isinstance(kind, type) and issubclass(kind, Cell) and kind not in _HOLDERS:
                    rows = tensors.setdefault(kind, [])
                    if row not in rows:
                        rows.append(row)
    return {kind: tuple(rows) for kind, rows in tensors.items()}


def rule_of_cell(cell: Cell) -> Rule | None:
    """The rule whose counterpart a cell is; None for a class of the user's own.

    Args:
        cell (Cell): the cell.
    """
    for kind in type(cell).__mro__:
        rows = _by_class().get(kind)
        if rows:
            # of several (torch.nn.Linear, its quantizable subclass) the one that says most
            return max(rows, key=lambda row: (bool(_weights(row)), -len(row.source)))
    return None


def _weights(row: Rule) -> tuple[Weight, ...]:
    for case in row.cases:
        if case.weights is not None and case.when is None:
            return case.weights
    return row.weights


def _backwards(weights: tuple[Weight, ...], target: str) -> tuple[str, str]:
    """The name in PyTorch of an entry of the cell, and the transform."""
    for weight in weights:
        if not weight.target:
            continue
        fits = re.fullmatch(re.escape(weight.target).replace(r"\*", "(.*)"), target)
        if fits:
            name = weight.source
            for part in fits.groups():
                name = name.replace("*", part, 1)
            return name, weight.transform
    return target, "same"


def entries(cell: Cell, path: str = "") -> Iterator[Entry]:
    """Every name of the torch state that a tree of cells stands for, in torch's order.

    Args:
        cell (Cell): the tree.
        path (str): the path of the cell. Default: ``""``.
    """
    own = cell.__dict__.get("torch_names")
    if own is not None:
        yield from _of_converted(cell, path, own)
        return
    rule = rule_of_cell(cell)
    if rule is not None and _owns(cell):
        yield from _of_rule(cell, path, rule)
        return
    dot = f"{path}." if path else ""
    for name, p in cell._params.items():
        if p is not None:
            yield Entry(dot + name, dot + name, p, "same")
    transient = cell.__dict__.get("_transient_buffers", ())
    for name, buffer in cell._buffers.items():
        if buffer is not None and name not in transient:
            yield Entry(dot + name, dot + name, buffer, "same")
    for name, child in cell._cells.items():
        if child is not None:
            yield from entries(child, dot + name)


def _owns(cell: Cell) -> bool:
    """Whether there are parameters below the cell at all."""
    return next(cell.get_parameters(), None) is not None


def _held(cell: Cell) -> dict[str, Tensor]:
    """The parameters and buffers below a cell by path, shared ones in every place."""
    tensors: dict[str, Tensor] = {}

    def walk(part: Cell, path: str) -> None:
        for name, value in [*part._params.items(), *part._buffers.items()]:
            if value is not None:
                tensors[path + name] = value
        for name, child in part._cells.items():
            if child is not None:
                walk(child, f"{path}{name}.")

    walk(cell, "")
    return tensors


def _of_converted(cell: Cell, path: str, own: dict[str, Any]) -> Iterator[Entry]:
    held = _held(cell)
    dot = f"{path}." if path else ""
    for name, place in own.items():
        if place is None:
            yield Entry(dot + name, "", None, "same", (cell, name), True)
        else:
            target, transform = place
            yield Entry(dot + name, dot + target, held[target], transform)


def _of_rule(cell: Cell, path: str, rule: Rule) -> Iterator[Entry]:
    weights = _weights(rule)
    dot = f"{path}." if path else ""
    tensors = []
    # such a module has statistics only where it tracks them, which no cell does
    alone = _STATISTICS if rule.name.startswith("InstanceNorm") else frozenset()
    for target, value in _held(cell).items():
        name, transform = _backwards(weights, target)
        if name in alone:
            continue
        # of a layer without trained parameters torch may keep none (affine=False)
        optional = isinstance(value, Parameter) and not value.requires_grad
        optional = optional and name.rpartition(".")[2] in ("weight", "bias")
        tensors.append(Entry(dot + name, dot + target, value, transform, None, optional))
    if rule.name.startswith(("BatchNorm", "SyncBatchNorm", "InstanceNorm")):
        order = {"weight": 0, "bias": 1, "running_mean": 2, "running_var": 3}
        tensors.sort(key=lambda e: order.get(e.name.rpartition(".")[2], 9))
    yield from tensors
    for weight in weights:
        if weight.source in alone:
            continue
        if not weight.target and "*" not in weight.source and _keeps(cell):
            yield Entry(dot + weight.source, "", None, "same", (cell, weight.source), True)


def _keeps(cell: Cell) -> bool:
    """Whether the module has running statistics, with which torch counts batches."""
    return "moving_mean" in cell._params or "running_mean" in cell._params


def extra_of(entry: Entry) -> torch.Tensor:
    """What PyTorch keeps and the cell does not: what was loaded, or what a new module has.

    Args:
        entry (Entry): an entry that the cell does not keep.
    """
    assert entry.extras is not None
    cell, name = entry.extras
    extra = cell.__dict__.get("torch_extras", {}).get(name)
    # the one such entry that torch's layers have counts batches
    return torch.tensor(0, dtype=torch.int64) if extra is None else extra


def set_extra(entry: Entry, value: torch.Tensor) -> None:
    """Keep what the cell has no place for, for the way back.

    Args:
        entry (Entry): an entry that the cell does not keep.
        value (torch.Tensor): its value.
    """
    assert entry.extras is not None
    cell, name = entry.extras
    held = cell.__dict__.setdefault("torch_extras", {})
    if name in held and held[name].shape == value.shape:
        held[name].copy_(value)
    else:
        held[name] = value.clone()
