"""Copies of torch modules that hand their calls to cells.

NOTE What a shadow is. A shallow copy of a module, of the same class: its attributes are the
original's, its parameters are the tensors of the cells' Parameters, its children are shadows.
Torch code that runs over shadows sees the modules that it was written for (`isinstance`,
`self.fc.weight`, `self.fc.in_features`), and where it *calls* a child, the child's cell runs. The
original module is never touched.

NOTE Where calls are caught. torch's ``Module.__call__`` looks for ``_compiled_call_impl`` on the
object first; that is where a shadow has its :class:`Bridge`. So hooks of the module belong to what
the cell runs, and run whether the cell is called by torch code or by agar's.

NOTE In step. A cell's Parameter may get another tensor (``set_data``, a functional gradient), a
cell another train mode. :class:`Tree` brings the shadows in step with the cells when the outermost
torch code of a call begins.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Callable, Iterable
from typing import Any

# torch modules are what this file is about
import torch
import torch.utils.checkpoint
from torch.nn.utils.rnn import PackedSequence

from agar._core.autodiff import functorch_level
from agar._core.parameter import Parameter
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import Tensor, wrap
from agar.migrate.exchange import Exchange, to_torch
from agar.nn.cell import Cell
from agar.nn.layer.container import CellDict, CellList, SequentialCell
from agar.nn.torch_cell import TorchCell

__all__ = ["Bridge", "Rewiring", "StandIn", "Tree", "shadow_of"]

_CALL = "_compiled_call_impl"
_HOOKS = (
    "_backward_hooks",
    "_backward_pre_hooks",
    "_forward_hooks",
    "_forward_hooks_always_called",
    "_forward_hooks_with_kwargs",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
)


def shadow_of(module: torch.nn.Module) -> torch.nn.Module:
    """A copy of a module without children; what is registered in one is not in the other."""
    made = object.__new__(type(module))
    state = dict(module.__dict__)
    for name in ("_parameters", "_buffers", *_HOOKS):
        if name in state:
            state[name] = state[name].copy()
    state["_modules"] = {}
    state["_non_persistent_buffers_set"] = set(state.get("_non_persistent_buffers_set", ()))
    state[_CALL] = None
    made.__dict__.update(state)
    return made


class _Entered(threading.local):
    """Which calls of this thread are on their way from a shadow to its cell, or back."""

    def __init__(self) -> None:
        self.trees: list[Any] = []  # whose calls are open, the outermost first
        self.cells: list[Any] = []  # that a bridge is about to call
        self.shadows: list[Any] = []  # that a cell is about to call
        self.compiled: Any = None  # the cell whose call the graph engine is about to serve


entered = _Entered()


class Bridge:
    """What a shadow's call does: the tensors are wrapped, the cell runs, its tensors unwrapped.

    Args:
        cell (Cell): the module's cell.
        shadow (torch.nn.Module): the module's shadow.
        foreign (bool): the cell runs the shadow's forward itself.
        bypassed (dict): where it is noted that a call could not be made by the cell.
        tree (Tree): the network's.
    """

    def __init__(
        self,
        cell: Cell,
        shadow: torch.nn.Module,
        foreign: bool,
        bypassed: dict[int, str],
        tree: Tree,
    ) -> None:
        self.tree = tree
        self.cell = cell
        self.shadow = shadow
        self.foreign = foreign
        self.bypassed = bypassed
        self.inplace = not foreign and getattr(shadow, "inplace", False) is True
        self.draws = isinstance(cell, SequentialCell) or bool(_drawing(cell))
        self._signatures: tuple[inspect.Signature, inspect.Signature] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.foreign:
            return self._call_native(args, kwargs)
        if entered.shadows and entered.shadows[-1] is self.shadow:
            entered.shadows.pop()
            return self.shadow._call_impl(*args, **kwargs)
        exchange = Exchange(into_torch=False)
        given = [exchange.take(v) for v in args]
        named = {k: exchange.take(v) for k, v in kwargs.items()}
        entered.cells.append(self.cell)
        out = self.cell(*given, **named)
        exchange.write_back()
        return to_torch(out)

    def _call_native(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.tree.swapped(self.shadow):
            return self.shadow._call_impl(*args, **kwargs)
        if self.draws and _in_checkpoint():
            return self._call_checkpointed(args, kwargs)
        if len(args) == 1 and not kwargs and type(args[0]) is torch.Tensor:
            given = args[0]
            # the original overwrites its input, which its backward must not miss
            kept = given.clone() if self.inplace and given.requires_grad else given
            try:
                out = self.cell(wrap(kept))
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
            made = self.cell(*given, **{k: exchange.take(v) for k, v in kwargs.items()})
        except _REFUSED as error:
            return self._refused(error, *original)
        out = to_torch(made)
        if self.inplace and args and isinstance(args[0], torch.Tensor):
            return self._into(args[0], out)
        return out

    def _call_checkpointed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Draw with PyTorch's generator, which a checkpoint puts back for its second run."""
        if not isinstance(self.cell, SequentialCell):  # whose parts have bridges of their own
            mode = bool(self.cell.training)
            if mode and runtime.mode != PYNATIVE_MODE:
                raise RuntimeError(
                    f"A {type(self.cell).__name__} that draws random numbers is called inside of "
                    "torch.utils.checkpoint in GRAPH_MODE, where the second run would draw others; "
                    "use PYNATIVE_MODE, or leave the checkpoint out (cell.recompute() instead)."
                )
            for part in self.shadow.modules():
                part.__dict__["training"] = mode
        return self.shadow._call_impl(*args, **kwargs)

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
                inspect.signature(self.shadow.forward),
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
            out = self.shadow._call_impl(*args, **kwargs)
        except Exception as other:
            raise other from error
        self._say_bypassed(f"the cell raised {type(error).__name__}: {_first_line(error)}")
        return out

    def _bypass(self, reason: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self._say_bypassed(reason)
        return self.shadow._call_impl(*args, **kwargs)

    def _say_bypassed(self, reason: str) -> None:
        if id(self.cell) not in self.bypassed:
            self.bypassed[id(self.cell)] = reason
            kind = type(self.shadow).__name__
            warnings.warn(
                f"A call of a {kind} was computed by PyTorch, not by its cell "
                f"{type(self.cell).__name__}: {reason.removesuffix('.')}.",
                stacklevel=5,
            )


def _drawing(cell: Cell) -> list[Cell]:
    """The cells of a tree that draw random numbers in training."""
    return [
        part
        for _, part in cell.cells_and_names()
        if "Dropout" in type(part).__name__
        or type(part).__name__ == "RReLU"
        or (isinstance(rate := getattr(part, "dropout", None), float) and rate > 0)
    ]


def _in_checkpoint() -> bool:
    """Whether ``torch.utils.checkpoint`` runs this code, for the first or the second time."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == _CHECKPOINT:
            return True
        frame = frame.f_back
    return False


_CHECKPOINT = torch.utils.checkpoint.checkpoint.__code__.co_filename


#: What cells raise for arguments of a form that they do not take.
_REFUSED = (NotImplementedError, TypeError, ValueError)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "")[:200]


def _same(value: Any, default: Any) -> bool:
    if value is default:
        return True
    return isinstance(value, (bool, int, float, str)) and bool(value == default)


class Tree:
    """What the foreign cells of one network share: how shadows follow the cells."""

    def __init__(self) -> None:
        #: (the shadow's dictionary, name, the cell's parameter or buffer, the way back or None)
        self.weights: list[tuple[dict[str, Any], str, Tensor, Callable[..., Any] | None]] = []
        self.modes: list[tuple[Cell, torch.nn.Module]] = []
        self.bridges: list[Bridge] = []
        #: cells whose module has a ``train`` of its own, with the mode that was told to it
        self.switches: list[list[Any]] = []
        self.recurrent: list[torch.nn.Module] = []
        #: (cell, its shadow, the children that the shadow follows by their names)
        self.parents: list[tuple[Cell, torch.nn.Module, _Seen]] = []
        #: the shadow of every cell that was a child; found by identity, also after a copy
        self.faces: list[tuple[Cell, torch.nn.Module]] = []
        #: what was put for a weight that the cell keeps in another form
        self.views: dict[tuple[int, str], Any] = {}
        #: why PyTorch computed a call of a native cell, by the cell's identity
        self.bypassed: dict[int, str] = {}

    def enter(self) -> bool:
        """Bring the shadows in step, at the beginning of the outermost call; whether it is that."""
        first = not any(tree is self for tree in entered.trees)
        entered.trees.append(self)
        try:
            if first:
                self.follow()
        except BaseException:
            entered.trees.pop()
            raise
        return len(entered.trees) == 1

    def leave(self) -> None:
        """End what `enter` began."""
        entered.trees.pop()
        if not any(tree is self for tree in entered.trees):
            self.views.clear()
            for home, name, held, back in self.weights:
                if back is not None:  # a view that belongs to this call's gradient
                    home[name] = back(held._value.detach())

    def children_changed(self) -> bool:
        """Whether a cell was put in another's place, taken away, or added since the last call."""
        return any(not _same_children(*parent) for parent in self.parents)

    def _follow_children(self) -> None:
        """Give the shadows the children that their cells have now."""
        for cell, shadow, seen in self.parents:  # grows where a container was put in
            if _same_children(cell, shadow, seen):
                continue
            after: dict[str, torch.nn.Module | None] = {}
            for name, child in cell._cells.items():
                if name in seen and seen[name][0] is child:
                    after[name] = seen[name][1]
                else:
                    after[name] = None if child is None else self._face(child)
                    shadow.__dict__.pop(name, None)  # such as None for a layer that is optional
            shadow._modules.clear()
            shadow._modules.update(after)
            seen.clear()
            seen.update({n: (c, after[n]) for n, c in cell._cells.items()})

    def _face(self, cell: Cell) -> torch.nn.Module:
        """What torch code finds in the place of a cell."""
        for known, face in self.faces:
            if known is cell:
                return face
        made: torch.nn.Module
        tree = cell.__dict__.get("_tree")
        if isinstance(cell, TorchCell) and isinstance(tree, Tree):
            made = cell.module
            made.__dict__[_CALL] = Bridge(cell, made, True, tree.bypassed, tree)
        elif type(cell) is CellList:
            made = torch.nn.ModuleList()
        elif type(cell) is CellDict:
            made = torch.nn.ModuleDict()
        elif type(cell) is SequentialCell:
            made = torch.nn.Sequential()
            bridge = Bridge(cell, made, False, self.bypassed, self)
            made.__dict__[_CALL] = bridge
            self.bridges.append(bridge)
        else:
            made = StandIn(cell)
        self.faces.append((cell, made))
        if type(cell) in (CellList, CellDict, SequentialCell):
            self.parents.append((cell, made, {}))
        return made

    def swapped(self, shadow: torch.nn.Module) -> bool:
        """Whether torch code put other tensors into a shadow, as ``functional_call`` does."""
        homes = {id(h) for m in shadow.modules() for h in (m._parameters, m._buffers)}
        return any(
            home[name]
            is not (held._value if back is None else self.views.get((id(home), name), home[name]))
            for home, name, held, back in self.weights
            if id(home) in homes
        )

    def follow(self) -> None:
        """Bring the shadows in step with the cells."""
        self._follow_children()
        moved = False
        for home, name, held, back in self.weights:
            if back is not None:
                home[name] = self.views[id(home), name] = back(held._value)
            elif home[name] is not held._value:
                home[name] = held._value
                moved = True
        if moved:
            for shadow in self.recurrent:
                collect_flat_weights(shadow)
        for switch in self.switches:
            self._switch(switch)
        for cell, shadow in self.modes:
            shadow.__dict__["training"] = bool(cell.training)
        for bridge in self.bridges:
            # torch leaves it out of copies and pickles
            bridge.shadow.__dict__[_CALL] = bridge

    def _switch(self, switch: list[Any]) -> None:
        """Tell a module that has a ``train`` of its own, and take over what it decides."""
        cell, shadow, before = switch
        mode = bool(cell.training)
        if mode == before:
            return
        switch[2] = mode
        shadow.train(mode)
        below = {id(m) for m in shadow.modules()}
        for other, module in self.modes:
            if id(module) in below and bool(other.training) != module.training:
                other.set_train(module.training)

    def recording(self, values: Iterable[Tensor]) -> bool:
        """Whether torch must record a call with these tensors among its inputs."""
        return bool(
            thread.grad_scopes
            or functorch_level()
            or any(t._value.requires_grad for t in values)
            or any(held._value.requires_grad for _, _, held, _ in self.weights)
            or any(
                p._value.requires_grad
                for cell, face in self.faces
                if isinstance(face, StandIn)
                for p in cell.get_parameters()
            )
        )


#: by name, a child and what stands for it among the shadow's modules
_Seen = dict[str, tuple[Cell | None, torch.nn.Module | None]]


def _same_children(cell: Cell, shadow: torch.nn.Module, seen: _Seen) -> bool:
    # the shadow's too: a run that is undone puts those from before it back
    now, there = cell._cells, shadow._modules
    return len(now) == len(seen) == len(there) and all(
        a == b == c and now[a] is seen[b][0] and there[c] is seen[b][1]
        for a, b, c in zip(now, seen, there, strict=True)
    )


class StandIn(torch.nn.Module):
    """What torch code finds where a cell without a module was put in a child's place.

    Args:
        cell (Cell): the cell; calls are its own.
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.__dict__["cell"] = cell

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the cell with agar's tensors over the same memory."""
        if _in_checkpoint() and any(part.training for part in _drawing(self.cell)):
            raise NotImplementedError(
                f"A {type(self.cell).__name__} that draws random numbers was put in a child's "
                "place inside of torch.utils.checkpoint, whose second run would draw others; put "
                "a torch module there and convert the whole again, or leave the checkpoint out."
            )
        exchange = Exchange(into_torch=False)
        given = [exchange.take(v) for v in args]
        out = self.cell(*given, **{k: exchange.take(v) for k, v in kwargs.items()})
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


def collect_flat_weights(shadow: Any) -> None:
    """Renew torch's own list of a recurrent module's weights."""
    shadow.__dict__["_flat_weights"] = [
        shadow._parameters.get(name) for name in shadow._flat_weights_names
    ]


class Rewiring:
    """Puts shadows and shared tensors where attributes of modules refer to the originals.

    Args:
        known (dict): what stands for what, by the identity of the original.
    """

    _LIMIT = 8

    def __init__(self, known: dict[int, Any]) -> None:
        self.known = known
        self._done: dict[int, tuple[Any, Any]] = {}  # with the original, whose identity is used
        self._open: set[int] = set()

    def attributes(self, shadow: torch.nn.Module) -> None:
        """Rewire one shadow's own attributes."""
        state = shadow.__dict__
        for name, value in list(state.items()):
            if name in ("_parameters", "_buffers", "_modules", _CALL):
                continue
            made = self.value(value)
            if made is not value:
                state[name] = made

    def value(self, value: Any, depth: int = 0) -> Any:
        """The value, or a copy of it where it refers to an original."""
        found = self.known.get(id(value))
        if found is not None:
            return found
        if isinstance(value, _ATOMS) or depth > self._LIMIT or id(value) in self._open:
            return value
        if id(value) in self._done:
            return self._done[id(value)][1]
        self._open.add(id(value))
        try:
            made = self._copied(value, depth + 1)
        finally:
            self._open.discard(id(value))
        self._done[id(value)] = (value, made)
        return made

    def _copied(self, value: Any, depth: int) -> Any:
        if isinstance(value, (list, tuple, set, frozenset)):
            return self._sequence(value, depth)
        if isinstance(value, dict):
            items = {k: self.value(v, depth) for k, v in value.items()}
            if all(items[k] is v for k, v in value.items()):
                return value
            made = value.copy()
            made.update(items)
            return made
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
            made = self.known.get(id(target)) if target is not None else None
            return value if made is None else weakref.ref(made)
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
            made = self.value(inside, depth)
            changed = changed or made is not inside
            # the others stay, so that functions which share a variable go on sharing it
            cells.append(cell if made is inside else types.CellType(made))
        defaults = self.value(value.__defaults__, depth)
        if not changed and defaults is value.__defaults__:
            return value
        made = types.FunctionType(
            value.__code__, value.__globals__, value.__name__, defaults, tuple(cells)
        )
        made.__kwdefaults__ = self.value(value.__kwdefaults__, depth)
        made.__dict__.update(value.__dict__)
        made.__qualname__ = value.__qualname__
        return made

    def _object(self, value: Any, depth: int) -> Any:
        inner = getattr(value, "__dict__", None)
        if type(inner) is not dict or len(inner) > 200:
            return value
        items = {k: self.value(v, depth) for k, v in inner.items()}
        if all(items[k] is v for k, v in inner.items()):
            return value
        made = object.__new__(type(value))
        made.__dict__.update(items)
        return made


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
