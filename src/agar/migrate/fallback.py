"""The cell of a torch module whose forward stays PyTorch code, and what a tree says of them."""

from __future__ import annotations

from typing import Any, NamedTuple

# torch modules are what this file is about
import torch

from agar._core.autodiff import tensors_in
from agar._core.errors import describe
from agar._core.parameter import Parameter
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar.migrate.proxy_calls import entered
from agar.migrate.proxy_sync import is_of_cells
from agar.migrate.proxy_tree import Tree
from agar.migrate.tensor_interop import LAZY, Exchange, put_together, take_apart, to_agar, to_torch
from agar.nn.cell import Cell
from agar.nn.torch_cell import TorchCell

__all__ = ["Foreign", "ForeignCell", "class_name", "foreign", "native_fraction"]

#: Marks a result that was taken apart.
_FORM = "agar.migrate: the tensors of a form"


class Foreign(NamedTuple):
    """A cell that PyTorch computes.

    Attributes:
        path: its path in the tree of cells; empty for the whole network.
        torch_class: the module's class.
        reason: why no cell of agar's stands there.
    """

    path: str
    torch_class: str
    reason: str


class ForeignCell(TorchCell):
    """A torch module whose forward stays PyTorch code, while the modules inside are cells.

    Made by :func:`from_torch`. The parameters and buffers that the module holds itself are the
    cell's, in the same memory; those of the modules inside belong to their cells.

    Args:
        proxy (torch.nn.Module): a copy of the module, whose children call cells.
        tree (Tree): the converted network that the module is part of.
        reason (str): why no rule converts the module.

    Inputs:
        - **args** (tuple) - the arguments of the module's ``forward``, with Tensors for torch
          tensors.
        - **kwargs** (dict) - its keyword arguments, likewise.

    Outputs: Those of the module's ``forward``, with Tensors for torch tensors, also in
    dictionaries, named tuples, dataclasses and subclasses of these. Other objects are given as they
    are.

    Raises:
        NotImplementedError: the forward put another tensor in a parameter's place, or changed a
            known layer in a way that its cell cannot follow.
        TypeError: the forward returned a generator, which would run after the call.

    Difference from PyTorch: outside of gradients nothing is recorded, and parameters say
    ``requires_grad=False`` to the forward; inside, those say True that the gradient is taken by.

    Source: agar's own.
    """

    # the base class makes parameters of all that the module has
    def __init__(self, proxy: torch.nn.Module, tree: Tree, reason: str) -> None:
        Cell.__init__(self)
        self.__dict__.update(module=proxy, _tree=tree, reason=reason, training=proxy.training)
        self.__dict__["_cache"] = {}  # forms of results, by what they look like
        self.__dict__["_own_call"] = type(proxy).__call__ is not torch.nn.Module.__call__

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """As of any cell; in GRAPH_MODE also results that the graph engine takes for others.

        It knows tuples, lists and dictionaries. Other forms leave the compiled call as their
        tensors, and the form stays with the cell.
        """
        if runtime.mode == PYNATIVE_MODE or thread.inside or self._hooked or self.requires_grad:
            return super()._call(args, kwargs)
        if self._tree.children_changed():
            runtime.epoch += 1  # what was compiled calls the others
        self._tree.follow()  # before the engine looks, for which it would be an effect of the call
        entered.compiled = self
        try:
            out = super()._call(args, kwargs)
        finally:
            entered.compiled = None
            self._tree.rest()
        if type(out) is tuple and out and isinstance(out[0], str) and out[0] == _FORM:
            return put_together(self._cache[out[1]], out[2:])
        return out

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Run the module's forward over the cells inside."""
        compiled, entered.compiled = entered.compiled is self, None
        bridged = bool(entered.cells) and entered.cells[-1] is self
        if bridged:
            entered.cells.pop()
        tree = self._tree
        exchange = Exchange(into_torch=True)
        outermost = tree.enter()
        completed = False
        try:
            given = [exchange.take(v) for v in args]
            named = {k: exchange.take(v) for k, v in kwargs.items()}
            tree.lend_buffers(self, self._proxy)  # again: hooks may have changed them
            self._proxy.__dict__["training"] = bool(self.training)
            if not outermost or tree.recording(tensors_in([*args, *kwargs.values()])):
                out = self._run(bridged, given, named)
            else:
                with torch.no_grad():
                    out = self._run(bridged, given, named)
            completed = True
        finally:
            tree.leave(completed)
        exchange.write_back()
        if isinstance(out, LAZY) and not any(t is tree for t in entered.trees):
            raise TypeError(
                f"The forward of {class_name(type(self._proxy))} returned a "
                f"{type(out).__name__}, whose items would be computed after the call, without its "
                "weights and gradient; return list(...) of it."
            )
        out = to_agar(out)
        apart = take_apart(out) if compiled else None
        if apart is None:
            return out
        form, tensors = apart
        key = f"{class_name(type(form))} {form!r}"
        self._cache[key] = form
        return (_FORM, key, *tensors)

    def _run(self, bridged: bool, given: list[Any], named: dict[str, Any]) -> Any:
        proxy = self._proxy
        if not self._own_call or bridged:
            return proxy._call_impl(*given, **named)
        entered.proxies.append(proxy)
        try:
            return proxy(*given, **named)
        finally:
            if entered.proxies and entered.proxies[-1] is proxy:
                entered.proxies.pop()

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; one that the module has for itself is set for its forward."""
        proxy = self.__dict__.get("module")
        if proxy is None or not _is_own(proxy, name) or isinstance(value, (Cell, Parameter)):
            super().__setattr__(name, value)
            return
        proxy.__dict__[name] = to_torch(value)
        runtime.epoch += 1

    def __getattr__(self, name: str) -> Any:
        """An attribute that the module has for itself, such as a number; methods are not given."""
        proxy = self.__dict__.get("module")
        if proxy is not None and _is_own(proxy, name) and not callable(proxy.__dict__[name]):
            return to_agar(proxy.__dict__[name])
        return super().__getattr__(name)

    @property
    def _proxy(self) -> torch.nn.Module:
        return self.__dict__["module"]

    def foreign(self) -> list[Foreign]:
        """This cell and those inside that PyTorch computes; see :func:`foreign`."""
        return foreign(self)

    def extend_repr(self) -> str:
        """The class of the module, and why it is foreign."""
        return f"foreign {class_name(type(self._proxy))}: {self.reason}"


def _is_own(proxy: torch.nn.Module, name: str) -> bool:
    """Whether a name is a plain attribute of a module, which its forward may read."""
    return name in proxy.__dict__ and not name.startswith("_") and not is_of_cells(name)


def foreign(cell: Cell) -> list[Foreign]:
    """The cells of a tree that PyTorch computes.

    Args:
        cell (Cell): the tree, such as :func:`from_torch` returns.

    Returns:
        list[Foreign], parents first. A cell of agar's appears where one of its calls had to be
        computed by PyTorch.

    Raises:
        TypeError: `cell` is not a Cell.

    Examples:
        >>> import agar as ms, torch
        >>> from agar.migrate.live_conversion import foreign
        >>> class Twice(torch.nn.Module):
        ...     def forward(self, x):
        ...         return 2 * x
        >>> [(f.path, f.reason) for f in foreign(ms.migrate.from_torch(Twice()))]
        [('', 'there is no rule for it')]
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'foreign', 'cell' must be a Cell, but got {describe(cell)}.")
    entries = []
    bypassed: dict[int, str] = {}
    for path, part in cell.cells_and_names():
        if isinstance(part, ForeignCell):
            bypassed.update(part._tree.bypassed)
            entries.append(Foreign(path, class_name(type(part._proxy)), part.reason))
        elif isinstance(part, TorchCell):
            reason = part.__dict__.get("reason", "it was put there as a TorchCell")
            entries.append(Foreign(path, class_name(type(part.module)), reason))
        elif id(part) in bypassed:
            kind = part.__dict__.get("torch_class", type(part).__name__)
            entries.append(Foreign(path, kind, bypassed[id(part)]))
    return entries


def native_fraction(cell: Cell) -> float:
    """The fraction of the leaf cells (those without cells inside) that agar computes.

    Args:
        cell (Cell): the tree.

    Returns:
        float between 0 and 1; 0 for a tree without leaves.

    Raises:
        TypeError: `cell` is not a Cell.

    Examples:
        >>> import agar as ms
        >>> from agar.migrate.live_conversion import native_fraction
        >>> native_fraction(ms.nn.Dense(2, 1))
        1.0
    """
    cells = dict(cell.cells_and_names())
    leaves = [p for p, c in cells.items() if not any(c._cells.values())]
    others = {f.path for f in foreign(cell)}
    # a cell of agar's whose call PyTorch computed is so with all that is in it
    whole = tuple(f"{p}." for p in others if not isinstance(cells[p], ForeignCell))
    native = [p for p in leaves if p not in others and not p.startswith(whole)]
    return len(native) / len(leaves) if leaves else 0.0


def class_name(kind: type) -> str:
    """The full name of a class.

    Args:
        kind (type): the class.
    """
    return f"{kind.__module__}.{kind.__qualname__}"
