"""What torch code put into proxies during a call, taken over by their cells.

A forward may register buffers, make layers, switch children to evaluation. It does so with the
proxies that it runs over, and the cells must follow: otherwise the next call would find it undone.
What they cannot follow is an error.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# proxies are torch modules
import torch

from agar._core.parameter import Parameter, parameter_over
from agar._core.runtime import runtime
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell

if TYPE_CHECKING:
    from agar.migrate.proxies import Link
    from agar.migrate.proxy_tree import Tree

__all__ = ["is_of_cells", "keep_changes", "place", "put_in_place"]

_GONE = object()


def keep_changes(tree: Tree) -> None:
    """Let the cells of a tree follow what torch code did to their proxies.

    Args:
        tree (Tree): the network's, at the end of its outermost call.

    Raises:
        NotImplementedError: a parameter was replaced or deleted, or a part of a layer was switched
            to training or evaluation by itself.
    """
    tree.take_modes()
    for bridge in tree.bridges:
        if bridge.remade():
            assert bridge.kind is not None
            raise NotImplementedError(
                f"{_place_of(tree, bridge.proxy)}: torch code gave other parts to a "
                f"{bridge.kind.__name__} after its conversion (it is a "
                f"{type(bridge.proxy).__name__} now), which its cell cannot follow; register "
                "parametrizations before the conversion, or convert the whole again."
            )
    for proxy, part in tree.inner:
        if part.training is not proxy.training:
            kind, inside = type(proxy).__name__, type(part).__name__
            raise NotImplementedError(
                f"{_place_of(tree, proxy)}: torch code switched a {inside} inside of a {kind} to "
                f"training={part.training}, and the {kind} is one cell as a whole; switch the "
                f"{kind}, or do it before the conversion."
            )
    for cell, proxy in tree.holders:
        _keep_buffers(tree, cell, proxy)
        _keep_parameters(tree, cell, proxy)
    for link in tree.weights:
        if link.transform is not None or link.home.get(link.name, _GONE) is not link.put:
            _keep(tree, link)
    for cell, proxy, seen in list(tree.parents):
        modules = proxy._modules
        if len(seen) != len(modules) or any(
            modules.get(name, _GONE) is not child for name, (_, child) in seen.items()
        ):
            _keep_children(tree, cell, proxy, seen)


def _place_of(tree: Tree, proxy: torch.nn.Module) -> str:
    """How messages call a proxy: its cell's path in the network."""
    cell = next((c for c, child in tree.child_proxies if child is proxy), None)
    return _path(tree, cell) or type(proxy).__name__


def _path(tree: Tree, cell: Cell | None) -> str:
    parts = () if tree.root is None else tree.root.cells_and_names()
    return next((path for path, part in parts if part is cell), "")


# ------------------------------------------------------------------------------------ tensors


def _keep_buffers(tree: Tree, cell: Cell, proxy: torch.nn.Module) -> None:
    if not proxy._buffers and not cell._buffers:
        return
    key = id(proxy._buffers)
    for name, value in proxy._buffers.items():
        held = cell._buffers.get(name, _GONE)
        given = None if held is None else getattr(held, "_value", _GONE)
        # another thread's call may have ended, and forgotten what both were lent
        if value is tree.lent.get((key, name), _GONE) or value is given:
            continue
        held = None if value is None else wrap(value)
        if name in cell._buffers:
            cell._buffers[name] = held
            if name in cell.__dict__:
                cell.__dict__[name] = held
        else:
            place(cell, "_buffers", name, held)
            runtime.epoch += 1
        if name in proxy._non_persistent_buffers_set:
            cell.__dict__.setdefault("_transient_buffers", set()).add(name)
    for name in [n for n in cell._buffers if n not in proxy._buffers]:
        if (key, name) in tree.lent:
            del cell._buffers[name]
            cell.__dict__.pop(name, None)
            runtime.epoch += 1


def _keep_parameters(tree: Tree, cell: Cell, proxy: torch.nn.Module) -> None:
    """Parameters that a forward has made and registered."""
    if len(proxy._parameters) == len(cell._params):
        return
    known = {link.name for link in tree.weights if link.home is proxy._parameters}
    for name, value in list(proxy._parameters.items()):
        if value is None or name in known:
            continue
        p = next((link.held for link in tree.weights if _is_lent(link, value)), None)
        if not isinstance(p, Parameter):
            path = _path(tree, cell)
            full = f"{path}.{name}" if path else name
            p = parameter_over(value.detach(), full, value.requires_grad)
        place(cell, "_params", name, p)
        tree.link(proxy._parameters, name, cell, name)
        runtime.epoch += 1


def _is_lent(link: Link, value: Any) -> bool:
    return link.put is value and link.transform is None


def _keep(tree: Tree, link: Link) -> None:
    """What became of one parameter, or of a buffer that a cell of agar's has as a parameter."""
    now: Any = link.home.get(link.name, _GONE)
    held = link.held
    if held is None or link.put is None:
        return
    if now is link.put:
        if link.moved():
            assert link.transform is not None
            held._value.data.copy_(link.transform[0](now.detach()))
            runtime.weights += 1
        return
    if link.buffer and isinstance(now, torch.Tensor):
        held._value = now.detach() if link.transform is None else link.transform[0](now.detach())
        runtime.weights += 1
        return
    other = next((k.held for k in tree.weights if _is_lent(k, now)), None)
    if isinstance(other, Parameter) and link.transform is None:
        put_in_place(link.owner, link.key, held, other)
        runtime.epoch += 1
        return
    link.home[link.name] = link.put
    proxy = next(m for _, m in tree.child_proxies if link.home in (m._parameters, m._buffers))
    what = "the buffer" if link.buffer else "the parameter"
    did = "another tensor in the place of" if isinstance(now, torch.Tensor) else "nothing for"
    raise NotImplementedError(
        f"{_place_of(tree, proxy)}: torch code put {did} {what} '{link.name}' of a "
        f"{type(proxy).__name__} during a call, which its cell cannot follow; write into it "
        "instead: with torch.no_grad(): p.copy_(...), or p.data = ..."
    )


# ----------------------------------------------------------------------------------- children


def _keep_children(tree: Tree, cell: Cell, proxy: torch.nn.Module, seen: dict[str, Any]) -> None:
    before = dict(cell._cells)
    after: dict[str, Cell | None] = {}
    for name, module in list(proxy._modules.items()):
        if name in seen and seen[name][1] is module:
            after[name] = before.get(name, seen[name][0])
        elif module is None:
            after[name] = None
        else:
            after[name] = _cell_of(tree, cell, proxy, name, module)
    cell._cells.clear()
    cell._cells.update(after)
    for name, old in before.items():
        if old is not after.get(name) and cell.__dict__.get(name) is old:
            cell.__dict__.pop(name, None)
    for name, new in after.items():
        if name not in before or before[name] is not new:
            place(cell, "_cells", name, new)
    seen.clear()
    seen.update({name: (after[name], proxy._modules[name]) for name in after})
    tree.version += 1
    runtime.epoch += 1


def _cell_of(
    tree: Tree, parent: Cell, proxy: torch.nn.Module, name: str, module: torch.nn.Module
) -> Cell:
    """The cell of a module that torch code registered, which stands for it from now on."""
    for cell, child in tree.child_proxies:
        if child is module:
            return cell
    # the conversion stands above the cells that it makes
    converted, child = import_module("agar.migrate.live_conversion").convert_inside(tree, module)
    proxy._modules[name] = child
    path = _path(tree, parent)
    prefix = f"{path}.{name}" if path else name
    old = {id(link.held) for link in tree.weights if link.put is not None}
    for inside, p in converted.parameters_and_names():
        if id(p) not in old:
            p.name = f"{prefix}.{inside}"
    return converted


# --------------------------------------------------------------------------------- registries


def place(owner: Cell, registry: str, name: str, value: Any) -> None:
    """Register a parameter, buffer or cell; as an attribute too where that hides nothing.

    Args:
        owner (Cell): the cell that gets it.
        registry (str): where it is registered: ``"_params"``, ``"_buffers"`` or ``"_cells"``.
        name (str): its name in the cell.
        value (Any): the parameter, buffer or cell.
    """
    owner.__dict__[registry][name] = value
    if not is_of_cells(name) and name not in owner.__dict__:
        owner.__dict__[name] = value


def is_of_cells(name: str) -> bool:
    """Whether cells have an attribute of their own by a name.

    Args:
        name (str): the name of an attribute.
    """
    return name in _OWN or hasattr(Cell, name)


_OWN = frozenset({*vars(Cell()), "module", "reason", "bprop"})


def put_in_place(cell: Cell, path: str, old: Tensor, new: Tensor) -> None:
    """Put a parameter that other cells have in the place of one of the cell's own.

    Args:
        cell (Cell): the cell.
        path (str): the name of the parameter in the cell.
        old (Tensor): the parameter that is replaced.
        new (Tensor): the one that takes its place.
    """
    home, _, name = path.rpartition(".")
    owner = cell.get_sub_cell(home)
    (owner._params if name in owner._params else owner._buffers)[name] = new  # pyright: ignore[reportArgumentType]
    for part in (owner, cell):
        for key, value in part.__dict__.items():
            if value is old:
                part.__dict__[key] = new
            elif type(value) in (tuple, list) and any(v is old for v in value):
                part.__dict__[key] = type(value)(new if v is old else v for v in value)
