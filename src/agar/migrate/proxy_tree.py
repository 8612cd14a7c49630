"""The proxies of one network, in step with its cells from the beginning of a call to its end."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

# torch modules are what this file is about
import torch

from agar._core.autodiff import functorch_level
from agar._core.runtime import runtime, thread
from agar._core.tensor import Tensor
from agar.migrate.proxies import CALL, Link, StandIn, collect_flat_weights
from agar.migrate.proxy_calls import Bridge, entered
from agar.migrate.proxy_sync import keep_changes
from agar.nn.cell import Cell
from agar.nn.layer.container import CellDict, CellList, SequentialCell
from agar.nn.torch_cell import TorchCell

__all__ = ["ToldPhase", "Tree"]

_GONE = object()
#: Held while proxies and cells are brought in step: threads may call one network.
_in_step = threading.RLock()


class Tree:
    """What the foreign cells of one network share: how proxies follow the cells."""

    def __init__(self) -> None:
        self.weights: list[Link] = []
        #: cells with parameters and buffers that their proxies hold by the same names
        self.holders: list[tuple[Cell, torch.nn.Module]] = []
        #: a proxy, and one inside of it that has no cell
        self.inner: list[tuple[torch.nn.Module, torch.nn.Module]] = []
        self.root: Cell | None = None
        #: how many threads have a call open, and whether one of these calls has completed
        self.open, self.completed = 0, False
        #: counts what was linked or put among the children, and which of it the bridges know
        self.version, self.known = 0, -1
        self.modes: list[tuple[Cell, torch.nn.Module]] = []
        self.bridges: list[Bridge] = []
        #: cells whose module has a ``train`` of its own, with the mode that was told to it
        self.switches: list[list[Any]] = []
        self.recurrent: list[torch.nn.Module] = []
        #: (cell, its proxy, the children that the proxy follows by their names)
        self.parents: list[tuple[Cell, torch.nn.Module, _Seen]] = []
        #: the proxy of every cell that was a child; found by identity, also after a copy
        self.child_proxies: list[tuple[Cell, torch.nn.Module]] = []
        #: the modes that the proxies were told for the call that is open
        self.told: list[bool] = []
        #: the buffers that they were given, by their dictionary and name
        self.lent: dict[tuple[int, str], torch.Tensor | None] = {}
        #: the tensors that pass for torch's parameters during the call
        self.marked: list[torch.Tensor] = []
        #: why PyTorch computed a call of a native cell, by the cell's identity
        self.bypassed: dict[int, str] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "open": 0, "completed": False}

    def enter(self) -> bool:
        """Bring the proxies in step, at the beginning of the outermost call; whether it is that."""
        first = not any(tree is self for tree in entered.trees)
        entered.trees.append(self)
        try:
            if first:
                with _in_step:
                    self.follow()
                    self.open += 1
        except BaseException:
            entered.trees.pop()
            raise
        return len(entered.trees) == 1

    def leave(self, completed: bool) -> None:
        """End what `enter` began.

        Args:
            completed (bool): no exception ended the call; what torch code put into proxies is kept.
        """
        entered.trees.pop()
        if any(tree is self for tree in entered.trees):
            return
        with _in_step:
            self.open -= 1
            self.completed = self.completed or completed
            if self.open:  # calls of other threads, the last of which does it
                return
            completed, self.completed = self.completed, False
            try:
                if completed:
                    keep_changes(self)
            finally:
                self.rest()

    def rest(self) -> None:
        """Forget what `follow` lent for a call."""
        if self.open:
            return
        for value in self.marked:
            vars(value).pop("_is_param", None)
        self.marked.clear()
        self.lent.clear()
        for link in self.weights:
            held = link.held
            if link.transform is not None and held is not None and link.put is not None:
                link.home[link.name] = link.view(held._value)
            link.put = None

    def link(self, *link: Any) -> Link:
        """Let a proxy follow one more tensor of a cell; see :class:`Link`.

        Args:
            *link (Any): the fields of a :class:`Link`.
        """
        new_link = Link(*link)
        new_link.lend()
        if new_link.transform is not None and new_link.held is not None:
            new_link.home[new_link.name] = new_link.view(new_link.held._value)
        self.weights.append(new_link)
        self.version += 1
        return new_link

    def _tell_bridges(self) -> None:
        """Let the bridges know what is below them; the proxies are in step."""
        links: dict[int, list[Link]] = {}
        for link in self.weights:
            links.setdefault(id(link.home), []).append(link)
        for bridge in self.bridges:
            bridge.below = list(bridge.proxy.modules())
            calls = [part.__dict__.get(CALL) for part in bridge.below]
            bridge.inside = [b for b in calls if isinstance(b, Bridge) and b is not bridge]
            bridge.links = []
            for part in bridge.below:
                bridge.links += links.get(id(part._parameters), ())
                bridge.links += links.get(id(part._buffers), ())
        self.known = self.version

    def children_changed(self) -> bool:
        """Whether a cell was put in another's place, taken away, or added since the last call."""
        return any(not _same_children(*parent) for parent in self.parents)

    def _follow_children(self) -> None:
        """Give the proxies the children that their cells have now."""
        for cell, proxy, seen in self.parents:  # grows where a container was put in
            if _same_children(cell, proxy, seen):
                continue
            after: dict[str, torch.nn.Module | None] = {}
            for name, child in cell._cells.items():
                if name in seen and seen[name][0] is child:
                    after[name] = seen[name][1]
                else:
                    after[name] = None if child is None else self._proxy_for(child)
                    proxy.__dict__.pop(name, None)  # such as None for a layer that is optional
            proxy._modules.clear()
            proxy._modules.update(after)
            seen.clear()
            seen.update({n: (c, after[n]) for n, c in cell._cells.items()})
            self.version += 1

    def _proxy_for(self, cell: Cell) -> torch.nn.Module:
        """What torch code finds in the place of a cell."""
        for known, known_proxy in self.child_proxies:
            if known is cell:
                return known_proxy
        proxy: torch.nn.Module
        tree = cell.__dict__.get("_tree")
        if isinstance(cell, TorchCell) and isinstance(tree, Tree):
            proxy = cell.module
            proxy.__dict__[CALL] = bridge = Bridge(cell, proxy, True, tree.bypassed, tree)
            bridge.settle()
        elif type(cell) is CellList:
            proxy = torch.nn.ModuleList()
        elif type(cell) is CellDict:
            proxy = torch.nn.ModuleDict()
        elif type(cell) is SequentialCell:
            proxy = torch.nn.Sequential()
            bridge = Bridge(cell, proxy, False, self.bypassed, self)
            proxy.__dict__[CALL] = bridge
            bridge.settle()
            self.bridges.append(bridge)
        else:
            proxy = StandIn(cell)
            for path, _ in cell.parameters_and_names():
                at, _, key = path.rpartition(".")
                proxy.links.append(self.link(proxy._parameters, path, cell.get_sub_cell(at), key))
        self.child_proxies.append((cell, proxy))
        if type(cell) in (CellList, CellDict, SequentialCell):
            self.parents.append((cell, proxy, {}))
        return proxy

    def follow(self) -> None:
        """Bring the proxies in step with the cells."""
        self._follow_children()
        for cell, proxy in self.holders:
            if proxy._buffers or cell._buffers:
                for name in [n for n in proxy._buffers if n not in cell._buffers]:
                    del proxy._buffers[name]
                self.lend_buffers(cell, proxy)
            if cell._params:
                self._follow_parameters(cell, proxy)
        moved = False
        for link in self.weights:
            moved = link.lend() or moved
            value = link.put
            # torch makes another parameter of what it takes for none, such as in a ParameterList
            if type(value) is torch.Tensor and not link.buffer:
                vars(value)["_is_param"] = True
                self.marked.append(value)
        if moved:
            for proxy in self.recurrent:
                collect_flat_weights(proxy)
        for switch in self.switches:
            self._switch(switch)
        for cell, proxy in self.modes:
            proxy.__dict__["training"] = bool(cell.training)
        self.told = [proxy.training for _, proxy in self.modes]
        for proxy, part in self.inner:
            part.__dict__["training"] = proxy.training
        for bridge in self.bridges:
            # torch leaves it out of copies and pickles
            bridge.proxy.__dict__[CALL] = bridge
        if self.known != self.version:
            self._tell_bridges()

    def lend_buffers(self, cell: Cell, proxy: torch.nn.Module) -> None:
        """Give a proxy its cell's buffers, except for those that torch code replaced since.

        Args:
            cell (Cell): the cell that has the buffers.
            proxy (torch.nn.Module): the copy of its module.
        """
        buffers, key = proxy._buffers, id(proxy._buffers)
        for name, held in cell._buffers.items():
            value = None if held is None else held._value
            known = self.lent.get((key, name), _GONE)
            if known is not _GONE and buffers.get(name, _GONE) is not known:
                continue
            buffers[name] = self.lent[key, name] = value

    def _follow_parameters(self, cell: Cell, proxy: torch.nn.Module) -> None:
        """Give a proxy the parameters that its cell was given since the conversion."""
        if len(cell._params) <= len(proxy._parameters) and all(
            name in proxy._parameters for name in cell._params
        ):
            return
        known = {link.name for link in self.weights if link.home is proxy._parameters}
        for name in cell._params:
            if name not in known:
                proxy.__dict__.pop(name, None)
                self.link(proxy._parameters, name, cell, name)
                if isinstance(proxy, torch.nn.ParameterList) and name.isdigit():
                    proxy._size = max(proxy._size, int(name) + 1)

    def take_modes(self) -> None:
        """Tell the cells which proxies torch code switched to training or evaluation."""
        for i, (cell, proxy) in enumerate(self.modes[: len(self.told)]):
            mode = proxy.training
            if mode is self.told[i]:
                continue
            self.told[i] = mode
            if bool(cell.training) != mode:
                cell.__dict__["training"] = mode
                runtime.epoch += 1

    def _switch(self, switch: list[Any]) -> None:
        """Tell a module that has a ``train`` of its own, and take over what it decides."""
        cell, proxy, before = switch
        mode = bool(cell.training)
        # set_train writes the phase anew, also where the mode stays
        if mode == before and isinstance(cell.__dict__.get("_phase"), ToldPhase):
            return
        switch[2] = mode
        cell.__dict__["_phase"] = ToldPhase("train" if mode else "predict")
        proxy.train(mode)
        below = {id(m) for m in proxy.modules()}
        for other, module in self.modes:
            if id(module) in below and bool(other.training) != module.training:
                other.__dict__["training"] = module.training
                runtime.epoch += 1

    def recording(self, values: Iterable[Tensor]) -> bool:
        """Whether torch must record a call with these tensors among its inputs.

        Args:
            values (Iterable[Tensor]): the Tensors among the inputs.
        """
        return bool(
            thread.grad_scopes
            or functorch_level()
            or any(t._value.requires_grad for t in values)
            or any(
                held._value.requires_grad
                for link in self.weights
                if (held := link.held) is not None
            )
        )


class ToldPhase(str):
    """The phase of a cell whose module was told its mode since the last ``set_train``."""

    __slots__ = ()


#: by name, a child and what stands for it among the proxy's modules
_Seen = dict[str, tuple[Cell | None, torch.nn.Module | None]]


def _same_children(cell: Cell, proxy: torch.nn.Module, seen: _Seen) -> bool:
    # the proxy's too: a run that is undone puts those from before it back
    now, there = cell._cells, proxy._modules
    return len(now) == len(seen) == len(there) and all(
        a == b == c and now[a] is seen[b][0] and there[c] is seen[b][1]
        for a, b, c in zip(now, seen, there, strict=True)
    )
