"""Copies of torch modules that hand their calls to cells.

NOTE What a proxy is. A shallow copy of a module, of the same class: its attributes are the
original's, its parameters are the tensors of the cells' Parameters, its children are proxies.
Torch code that runs over proxies sees the modules that it was written for (`isinstance`,
`self.fc.weight`, `self.fc.in_features`), and where it *calls* a child, the child's cell runs. The
original module is never touched.

NOTE Where calls are caught. torch's ``Module.__call__`` looks for ``_compiled_call_impl`` on the
object first; that is where a proxy has its :class:`Bridge`. So hooks of the module belong to what
the cell runs, and run whether the cell is called by torch code or by agar's.

NOTE In step. A cell's Parameter may get another tensor (``set_data``, a functional gradient), a
cell another train mode. :class:`Tree` brings the proxies in step with the cells when the outermost
torch code of a call begins.
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
import warnings
import weakref
from collections.abc import Callable, Iterable
from typing import Any

# torch modules are what this file is about
import torch
from torch.nn.modules.module import _has_any_global_hook
from torch.nn.utils.rnn import PackedSequence

from agar._core.autodiff import functorch_level
from agar._core.parameter import Parameter
from agar._core.runtime import runtime, thread
from agar._core.tensor import Tensor, wrap
from agar.migrate.checkpoint_rng import repeated, watched
from agar.migrate.proxy_sync import keep_changes
from agar.migrate.tensor_interop import Exchange, to_torch
from agar.nn.cell import Cell
from agar.nn.layer.container import CellDict, CellList, SequentialCell
from agar.nn.torch_cell import TorchCell

__all__ = ["Bridge", "Rewiring", "StandIn", "ToldPhase", "Tree", "proxy_of"]

_CALL = "_compiled_call_impl"
_GONE = object()
_HOOKS = (
    "_backward_hooks",
    "_backward_pre_hooks",
    "_forward_hooks",
    "_forward_hooks_always_called",
    "_forward_hooks_with_kwargs",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
)


def proxy_of(module: torch.nn.Module) -> torch.nn.Module:
    """A copy of a module without children; what is registered in one is not in the other.

    Args:
        module (torch.nn.Module): the module.
    """
    copy = object.__new__(type(module))
    state = dict(module.__dict__)
    for name in ("_parameters", "_buffers", *_HOOKS):
        if name in state:
            state[name] = state[name].copy()
    state["_modules"] = {}
    state["_non_persistent_buffers_set"] = set(state.get("_non_persistent_buffers_set", ()))
    state[_CALL] = None
    copy.__dict__.update(state)
    return copy


class _Entered(threading.local):
    """Which calls of this thread are on their way from a proxy to its cell, or back."""

    def __init__(self) -> None:
        self.trees: list[Any] = []  # whose calls are open, the outermost first
        self.cells: list[Any] = []  # that a bridge is about to call
        self.proxies: list[Any] = []  # that a cell is about to call
        self.compiled: Any = None  # the cell whose call the graph engine is about to serve


entered = _Entered()
#: Held while proxies and cells are brought in step: threads may call one network.
_in_step = threading.RLock()


class Bridge:
    """What a proxy's call does: the tensors are wrapped, the cell runs, its tensors unwrapped.

    Args:
        cell (Cell): the module's cell.
        proxy (torch.nn.Module): the module's proxy.
        foreign (bool): the cell runs the proxy's forward itself.
        bypassed (dict): where it is noted that a call could not be made by the cell.
        tree (Tree): the network's.
    """

    def __init__(
        self,
        cell: Cell,
        proxy: torch.nn.Module,
        foreign: bool,
        bypassed: dict[int, str],
        tree: Tree,
    ) -> None:
        self.tree = tree
        self.cell = cell
        self.proxy = proxy
        self.foreign = foreign
        self.bypassed = bypassed
        self.inplace = not foreign and getattr(proxy, "inplace", False) is True
        self.container = isinstance(cell, (SequentialCell, CellList, CellDict))
        self.draws = self.container or _draws(cell)
        #: the modules in the proxy, the bridges of those below, and the links of all of them
        self.below: list[torch.nn.Module] = []
        self.inside: list[Bridge] = []
        self.links: list[Link] = []
        self.kind: type | None = None
        self.parts: list[tuple[str, torch.nn.Module | None]] | None = None
        self.built: dict[str, Any] = {}
        self._signatures: tuple[inspect.Signature, inspect.Signature] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.proxy.training is not self.cell.training or (
            self.container and not _uniform(self.proxy, self.proxy.training)
        ):
            self.tree.take_modes()
        if not self.foreign:
            return self._call_native(args, kwargs)
        if entered.proxies and entered.proxies[-1] is self.proxy:
            entered.proxies.pop()
            return self.proxy._call_impl(*args, **kwargs)
        exchange = Exchange(into_torch=False)
        given = [exchange.take(v) for v in args]
        named = {k: exchange.take(v) for k, v in kwargs.items()}
        entered.cells.append(self.cell)
        out = watched(self.cell, lambda: self.cell(*given, **named))
        exchange.write_back()
        return to_torch(out)

    def _call_native(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        proxy = self.proxy
        if "forward" in proxy.__dict__ or any(map(_is_swapped, self.links)):
            return proxy._call_impl(*args, **kwargs)
        if self.container:
            # parts that the cell would call itself; where torch calls them, each has a bridge
            if self.below != list(proxy.modules()) or any(b.changed() for b in self.inside):
                return proxy._call_impl(*args, **kwargs)
        elif changed := self.changed():
            return self._bypass(f"torch code set its '{changed}'", args, kwargs)
        elif proxy._modules and not _uniform(proxy, proxy.training):
            return self._bypass(
                "a part of it was switched between training and evaluation", args, kwargs
            )
        if not _hooked(proxy):
            return self._call_cell(args, kwargs)
        # registered by torch code that runs over proxies, around what the cell computes
        proxy.__dict__["forward"] = lambda *a, **k: self._call_cell(a, k)
        try:
            return proxy._call_impl(*args, **kwargs)
        finally:
            proxy.__dict__.pop("forward", None)

    def settle(self) -> None:
        """Note how the layer is set, which the cell was built from."""
        self.kind = type(self.proxy)
        if not self.foreign and not self.container:
            self.parts = list(self.proxy._modules.items())
            self.built = {n: v for n, v in self.proxy.__dict__.items() if _is_setting(n, v)}

    def remade(self) -> bool:
        """Whether torch code made another layer of it, as a parametrization does."""
        if type(self.proxy) is not self.kind:
            return True
        parts, now = self.parts, self.proxy._modules
        return parts is not None and bool(parts or now) and parts != list(now.items())

    def changed(self) -> str:
        """A setting that torch code changed, such as ``p`` of a Dropout; empty if none was."""
        now = self.proxy.__dict__
        for name, value in self.built.items():
            current = now.get(name, _GONE)
            if current is not value and (type(current) is not type(value) or current != value):
                return name
        return ""

    def _call_cell(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        run = repeated if self.draws else watched
        return run(self.cell, lambda: self._call_cell_once(args, kwargs))

    def _call_cell_once(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) == 1 and not kwargs and type(args[0]) is torch.Tensor:
            given = args[0]
            # the original overwrites its input, which its backward must not miss
            input_ = given.clone() if self.inplace and given.requires_grad else given
            try:
                out = self.cell(wrap(input_))
            except _REFUSED as error:
                return self._refused(error, args, kwargs)
            out = out._value if isinstance(out, Tensor) else to_torch(out)
            return self._into(given, out) if self.inplace else out
        reason = self._fit(args, kwargs)
        if isinstance(reason, str):
            return self._bypass(reason, args, kwargs)
        original = args, kwargs
        args, kwargs = reason
        exchange = Exchange(into_torch=False)
        given = [exchange.take(v) for v in args]
        try:
            result = self.cell(*given, **{k: exchange.take(v) for k, v in kwargs.items()})
        except _REFUSED as error:
            return self._refused(error, *original)
        out = to_torch(result)
        if self.inplace and args and isinstance(args[0], torch.Tensor):
            return self._into(args[0], out)
        return out

    @staticmethod
    def _into(given: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        if out is not given and out.data_ptr() != given.data_ptr():
            given.copy_(out)
        return given

    def _fit(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | str:
        """The arguments as the cell takes them, or why it cannot."""
        if any(isinstance(v, PackedSequence) for v in (*args, *kwargs.values())):
            return "it was given a PackedSequence, which cells do not take"
        if self._signatures is None:
            self._signatures = (
                inspect.signature(self.proxy.forward),
                inspect.signature(self.cell.construct),
            )
        torchs, agars = self._signatures
        named = {
            n: v
            for n, v in kwargs.items()
            if n not in torchs.parameters or not _same(v, torchs.parameters[n].default)
        }
        try:
            if named and all(n in agars.parameters for n in named):
                agars.bind(*args, **named)
                return args, named
            bound = torchs.bind(*args, **kwargs)
        except TypeError as error:
            return str(error)
        bound.apply_defaults()
        if bound.kwargs or len(bound.args) != len(bound.arguments):
            return f"it was called with {', '.join(bound.arguments)}"
        values = list(bound.arguments.items())
        while values and _same(values[-1][1], torchs.parameters[values[-1][0]].default):
            values.pop()
        positional = tuple(v for _, v in values)
        try:
            agars.bind(*positional)
        except TypeError:
            return f"it was called with {', '.join(n for n, _ in values)}"
        return positional, {}

    def _refused(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Let PyTorch compute what the cell does not take; what neither takes is an error."""
        try:
            out = self._by_torch(args, kwargs)
        except Exception as other:
            raise other from error
        self._say_bypassed(f"the cell raised {type(error).__name__}: {_first_line(error)}")
        return out

    def _bypass(self, reason: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._say_bypassed(reason)
        return self._by_torch(args, kwargs)

    def _by_torch(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        proxy: Any = self.proxy
        if "forward" in proxy.__dict__:  # within its hooks
            return type(proxy).forward(proxy, *args, **kwargs)
        return proxy._call_impl(*args, **kwargs)

    def _say_bypassed(self, reason: str) -> None:
        if id(self.cell) not in self.bypassed:
            self.bypassed[id(self.cell)] = reason
            kind = type(self.proxy).__name__
            warnings.warn(
                f"A call of a {kind} was computed by PyTorch, not by its cell "
                f"{type(self.cell).__name__}: {reason.removesuffix('.')}.",
                stacklevel=5,
            )


def _is_setting(name: str, value: Any) -> bool:
    return (
        not name.startswith("_")
        and name != "training"
        and isinstance(value, (int, float, str, tuple, list, type(None)))
    )


def _draws(cell: Cell) -> bool:
    """Whether a cell of agar's draws random numbers in training."""
    return any(
        "Dropout" in type(part).__name__
        or type(part).__name__ == "RReLU"
        or (isinstance(rate := getattr(part, "dropout", None), float) and rate > 0)
        for _, part in cell.cells_and_names()
    )


def _hooked(proxy: torch.nn.Module) -> bool:
    state = proxy.__dict__
    return bool(
        state["_forward_hooks"]
        or state["_forward_pre_hooks"]
        or state["_backward_hooks"]
        or state["_backward_pre_hooks"]
        or _has_any_global_hook()
    )


def _uniform(proxy: torch.nn.Module, mode: bool) -> bool:
    """Whether all modules inside are in a mode."""
    return all(
        child is None or (child.training is mode and (not child._modules or _uniform(child, mode)))
        for child in proxy._modules.values()
    )


#: What cells raise for arguments of a form that they do not take.
_REFUSED = (NotImplementedError, TypeError, ValueError)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")[:200]


def _same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    return isinstance(value, (bool, int, float, str)) and bool(value == default)


class Link:
    """A name of a proxy's parameters or buffers, and the cell's tensor that it stands for.

    Args:
        home (dict): the proxy's parameters or buffers.
        name (str): the name there.
        owner (Cell): the cell that holds the tensor.
        key (str): the name there.
        transform (tuple, optional): the way to the cell's form, and back. Default: ``None``.
        buffer (bool): the proxy has it as a buffer. Default: ``False``.
    """

    __slots__ = ("buffer", "home", "key", "name", "owner", "put", "transform", "viewed")

    def __init__(
        self,
        home: dict[str, Any],
        name: str,
        owner: Cell,
        key: str,
        transform: tuple[Callable[..., Any], ...] | None = None,
        buffer: bool = False,
    ) -> None:
        self.buffer = buffer
        self.home = home
        self.name = name
        self.owner = owner
        self.key = key
        self.transform = transform
        #: what the proxy was given for the call that is open
        self.put: torch.Tensor | None = None
        #: the cell's tensor, and what the proxy has of it between calls
        self.viewed: tuple[torch.Tensor, torch.Tensor] | None = None

    def view(self, held: torch.Tensor) -> torch.Tensor:
        """The proxy's form of a tensor between calls, free of any call's gradient.

        The same object for the same tensor: another one would be a change that a call leaves.
        """
        assert self.transform is not None
        known = self.viewed
        # either may have been given other memory (p.data = ...)
        if (
            known is None
            or known[0] is not held
            or (not functorch_level() and known[1].data_ptr() != held.data_ptr())
        ):
            known = self.viewed = held, self.transform[1](held.detach())
        return known[1]

    def is_swapped(self) -> bool:
        """Whether torch code put another tensor there, as ``functional_call`` does."""
        put = self.put
        if put is None:
            return False
        return self.home.get(self.name) is not put or (self.transform is not None and self.moved())

    @property
    def held(self) -> Tensor | None:
        """The cell's parameter or buffer as it is now; None where it was deleted."""
        known = self.owner._params.get(self.key)
        return self.owner._buffers.get(self.key) if known is None else known

    def moved(self) -> bool:
        """Whether a view of the cell's tensor was given memory of its own (``p.data = ...``)."""
        held = self.held
        if self.transform is None or self.put is None or held is None or functorch_level():
            return False
        return held._value.numel() > 0 and self.put.data_ptr() != held._value.data_ptr()

    def lend(self) -> bool:
        """Give the proxy the cell's tensor; whether that is another one."""
        held: Tensor | None = self.owner._params.get(self.key)
        if held is None:
            held = self.owner._buffers.get(self.key)
        if held is None:
            self.put = None
            return self.home.pop(self.name, None) is not None
        if self.transform is not None:
            value = held._value
            fresh = value.requires_grad or functorch_level()
            self.put = self.transform[1](value) if fresh else self.view(value)
            self.home[self.name] = self.put
            return False
        self.put = held._value
        if self.home.get(self.name) is self.put:
            return False
        self.home[self.name] = self.put
        return True


_is_swapped = Link.is_swapped


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
            calls = [part.__dict__.get(_CALL) for part in bridge.below]
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
            proxy.__dict__[_CALL] = bridge = Bridge(cell, proxy, True, tree.bypassed, tree)
            bridge.settle()
        elif type(cell) is CellList:
            proxy = torch.nn.ModuleList()
        elif type(cell) is CellDict:
            proxy = torch.nn.ModuleDict()
        elif type(cell) is SequentialCell:
            proxy = torch.nn.Sequential()
            bridge = Bridge(cell, proxy, False, self.bypassed, self)
            proxy.__dict__[_CALL] = bridge
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
            bridge.proxy.__dict__[_CALL] = bridge
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


class StandIn(torch.nn.Module):
    """What torch code finds where a cell without a module was put in a child's place.

    Its parameters are listed by the cell's names, for what looks at all of a network.

    Args:
        cell (Cell): the cell; calls are its own.
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.cell: Cell
        self.links: list[Link]
        self.__dict__.update(cell=cell, links=[])

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the cell with agar's tensors over the same memory.

        Args:
            *args (Any): the positional arguments, with torch tensors.
            **kwargs (Any): the keyword arguments, with torch tensors.
        """
        if any(map(_is_swapped, self.links)):
            raise TypeError(
                "torch.func.functional_call gives other parameters to a child in whose place a "
                f"{type(self.cell).__name__} was put, which it cannot lend to a cell; leave these "
                "out, or put a torch module there and convert the whole again with from_torch."
            )
        exchange = Exchange(into_torch=False)
        given = [exchange.take(v) for v in args]
        named = {k: exchange.take(v) for k, v in kwargs.items()}
        out = repeated(self.cell, lambda: self.cell(*given, **named))
        exchange.write_back()
        return to_torch(out)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # private: what looks into any object asks for such
            raise AttributeError(name)
        # no AttributeError: a forward that asks with hasattr must not go another way unseen
        raise TypeError(
            f"The forward of a torch module reads '{name}' of a child in whose place a "
            f"{type(self.cell).__name__} was put, which can only be called; replace the parent "
            "too, or put a torch module there and convert the whole again with from_torch."
        )


def collect_flat_weights(proxy: Any) -> None:
    """Renew torch's own list of a recurrent module's weights."""
    proxy.__dict__["_flat_weights"] = [
        proxy._parameters.get(name) for name in proxy._flat_weights_names
    ]


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
            if name in ("_parameters", "_buffers", "_modules", _CALL):
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


def gradient_hooks(value: torch.Tensor, p: Parameter) -> str | None:
    """Carry a torch parameter's gradient hooks over; says what could not be carried."""
    for hook in list((value._backward_hooks or {}).values()):

        def seen(grad: Tensor, hook: Callable[..., Any] = hook) -> Tensor | None:
            out = hook(grad._value)
            return None if out is None else wrap(out)

        p.register_hook(seen)
    if getattr(value, "_post_accumulate_grad_hooks", None):
        return "hooks after the accumulation of its gradient, which agar does not accumulate"
    return None
