"""A warning of cells and parameters in plain lists, which training would silently leave out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agar._core.parameter import Parameter

if TYPE_CHECKING:
    from agar.nn.cell import Cell

__all__ = ["warn_of_unregistered"]


def warn_of_unregistered(net: Cell) -> None:
    """Warn once of what stands in lists, tuples and dicts of a network, and in no child cell.

    Such a cell runs, but it has no part in the network: its parameters are not trained, saved or
    moved. What needs no gradient may stand there on purpose.
    """
    if "_lists_checked" in vars(net):
        return
    vars(net)["_lists_checked"] = True
    cells = list(net.cells_and_names())
    known = {id(cell) for _, cell in cells} | {id(p) for p in net.get_parameters()}
    for path, cell in cells:
        for name, value in vars(cell).items():
            if name.startswith("_") or type(value) not in (list, tuple, dict):
                continue
            lost = next((v for v in _items(value) if id(v) not in known and _trains(v)), None)
            if lost is not None:
                _warn(cell, f"{path}.{name}".lstrip("."), value, lost)


def _items(value: Any) -> Iterator[Any]:
    return iter(value.values() if isinstance(value, dict) else value)


def _trains(value: Any) -> bool:
    if isinstance(value, Parameter):
        return value.requires_grad
    return hasattr(type(value), "construct") and any(
        p.requires_grad for p in value.get_parameters()
    )


def _warn(cell: Cell, path: str, value: Any, lost: Any) -> None:
    is_dict = isinstance(value, dict)
    if isinstance(lost, Parameter):
        kind, instead = "Parameter", "ms.ParameterTuple(...)"
    else:
        kind = type(lost).__name__
        instead = "nn.CellDict(...)" if is_dict else "nn.CellList(...) or nn.SequentialCell(...)"
    warnings.warn(
        f"The {type(value).__name__} '{path}' of '{type(cell).__name__}' holds a {kind} that is "
        f"not part of the network: it is not trained, saved or moved. Write {instead}; what is "
        "held on purpose needs requires_grad=False.",
        stacklevel=4,
    )
