"""Calls of proxies: what one does with its tensors, and when PyTorch computes it instead."""

from __future__ import annotations

import inspect
import threading
import warnings
from typing import TYPE_CHECKING, Any

# torch modules are what this file is about
import torch
from torch.nn.modules.module import _has_any_global_hook
from torch.nn.utils.rnn import PackedSequence

from agar._core.tensor import Tensor, wrap
from agar.migrate.checkpoint_rng import repeated, watched
from agar.migrate.proxies import Link
from agar.migrate.tensor_interop import Exchange, to_torch
from agar.nn.cell import Cell
from agar.nn.layer.container import CellDict, CellList, SequentialCell

if TYPE_CHECKING:
    from agar.migrate.proxy_tree import Tree

__all__ = ["Bridge", "entered"]

_GONE = object()


class _Entered(threading.local):
    """Which calls of this thread are on their way from a proxy to its cell, or back."""

    def __init__(self) -> None:
        self.trees: list[Any] = []  # whose calls are open, the outermost first
        self.cells: list[Any] = []  # that a bridge is about to call
        self.proxies: list[Any] = []  # that a cell is about to call
        self.compiled: Any = None  # the cell whose call the graph engine is about to serve


entered = _Entered()


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
        if "forward" in proxy.__dict__ or any(map(Link.is_swapped, self.links)):
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
