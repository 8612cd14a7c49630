"""Interchange with PyTorch: a torch module as a Cell, and a Cell as a torch module.

Both share memory: nothing is copied in either direction.

NOTE Whose tensors. A torch tool may run a module over other tensors than its own: copies with
gradients, batches of them, or tensors without values while it traces. They are lent to the cell
for the call (see `agar._core.parameter`), never stored in it. Only tensors with values of their own
are taken over for good, and only where the module itself was given them: by ``module.to(...)``,
``load_state_dict(assign=True)`` or an assignment.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

# torch modules are what this file is about
import torch
from torch._C import _functorch  # pyright: ignore[reportAttributeAccessIssue]

from agar._core import autodiff
from agar._core.autodiff import GradScope, map_tensors, tensors_in
from agar._core.errors import describe, missing_feature
from agar._core.parameter import lending, own_value, parameter_over, set_own_value
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell

__all__ = ["TorchCell", "as_torch"]


class TorchCell(Cell):
    """A live torch module as a Cell.

    The module's parameters are the cell's parameters (named by their paths), its buffers the
    cell's buffers, in the same memory; ``set_train`` and the module's own ``train``/``eval`` are
    one switch (the last change counts); gradients flow through.

    Args:
        module (torch.nn.Module): the module.

    Inputs:
        - **args** (tuple) - the arguments of the module's ``forward``, with Tensors for torch
          tensors.
        - **kwargs** (dict) - its keyword arguments, likewise.

    Outputs: Those of the module's ``forward``, with Tensors for torch tensors.

    Raises:
        TypeError: `module` is not a torch module.

    Difference from PyTorch: outside of gradients the module runs without recording.

    Source: agar's own.

    Examples:
        >>> import agar as ms, torch
        >>> cell = ms.TorchCell(torch.nn.Linear(2, 1))
        >>> [p.name for p in cell.trainable_params()]
        ['weight', 'bias']
        >>> cell(ms.Tensor([[1.0, 2.0]])).shape
        (1, 1)
    """

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        if not isinstance(module, torch.nn.Module):
            raise TypeError(
                f"For 'TorchCell', 'module' must be a torch.nn.Module, but got {describe(module)}."
            )
        self.module = module
        for name, value in module.named_parameters():
            result = parameter_over(value, name, value.requires_grad)
            self.insert_param_to_cell(name, result, check_name_contain_dot=False, attribute=False)
        for name, value in module.named_buffers():
            self._buffers[name] = wrap(value)
        #: the module's tensors as they were when the cell last looked
        self.__dict__["_seen"] = dict(self._registered())
        self.training = module.training
        self._modes = (bool(module.training), module.training)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Run the module."""
        self._share_mode()
        plain = map_tensors(args, _value)
        options = map_tensors(kwargs, _value)
        recording = (
            thread.grad_scopes
            or autodiff.functorch_level()
            or any(t._value.requires_grad for t in autodiff.tensors_in([*args, *kwargs.values()]))
        )
        if recording:
            return wrap(self._run_module(plain, options))
        with torch.no_grad():
            return wrap(self._run_module(plain, options))

    def settle(self) -> None:
        """Give the module the tensors that the cell was given for good."""
        seen = self.__dict__.get("_seen")
        if seen is None:
            return  # a ForeignCell, whose tree keeps both sides in step
        for name, other in self._replaced().items():
            held = self._held(name)
            value = seen[name]
            if held is None or id(held) in thread.lent or not _is_real(other):
                continue
            if torch._has_compatible_shallow_copy_type(value, other):
                value.data = other.detach()
            else:  # on another device, where torch makes another object as well
                if isinstance(value, torch.nn.Parameter):
                    new: torch.Tensor = torch.nn.Parameter(other.detach(), value.requires_grad)
                else:
                    new = other.detach()
                for part in self.module.modules():
                    registries: tuple[Any, ...] = (part._parameters, part._buffers)
                    for registry in registries:
                        registry.update({k: new for k, v in registry.items() if v is value})
                value = new
            set_own_value(held, value)
            seen[name] = value

    def __getstate__(self) -> dict[str, Any]:
        self.settle()
        return super().__getstate__()

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_seen" not in state:
            return
        self.__dict__["_seen"] = dict(self._registered())
        for name, value in self._registered():  # a copy's tensors were copied one by one
            held = self._held(name)
            if held is not None:
                set_own_value(held, value)

    def _held(self, name: str) -> Tensor | None:
        entry: Tensor | None = self._params.get(name)
        return self._buffers.get(name) if entry is None else entry

    def _run_module(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """Run the module over the cell's tensors, which are its own unless they were replaced."""
        others = self._replaced()
        if not others:
            return self.module(*args, **kwargs)
        if isinstance(self.module, torch.jit.ScriptModule):
            raise missing_feature(
                f"TorchCell over a TorchScript module with another tensor for {min(others)!r}",
                "TorchScript reads its own parameters only",
                "give the module that was scripted",
            )
        return torch.func.functional_call(self.module, others, args, kwargs)

    def _registered(self) -> Iterator[tuple[str, torch.Tensor]]:
        yield from self.module.named_parameters()
        yield from self.module.named_buffers()

    def _replaced(self) -> dict[str, torch.Tensor]:
        """The cell's tensors that are not those of the module; the cell follows the module."""
        others: dict[str, torch.Tensor] = {}
        seen: dict[str, torch.Tensor] = self.__dict__["_seen"]
        for name, value in self._registered():
            held = self._held(name)
            if held is None or held._value is value:
                continue
            if seen.get(name) is value:
                others[name] = held._value
            elif _is_real(value) and id(held) not in thread.lent:
                held._value = seen[name] = value  # the module was given another one
        return others

    def _share_mode(self) -> None:
        """Give the side that did not change the other's train mode."""
        cell_mode, module_mode = bool(self.training), self.module.training
        if (cell_mode, module_mode) == self._modes:
            return
        if cell_mode != self._modes[0]:
            self.module.train(cell_mode)
        else:
            self.__dict__["training"] = module_mode
        self.__dict__["_modes"] = (bool(self.training), self.module.training)

    def extend_repr(self) -> str:
        """The class of the module."""
        kind = type(self.module)
        return f"{kind.__module__}.{kind.__qualname__}"


def _value(tensor: Tensor) -> torch.Tensor:
    return tensor._value


_PLAIN = frozenset({torch.Tensor, torch.nn.Parameter, torch.nn.Buffer})


def _is_real(value: torch.Tensor) -> bool:
    """Whether a torch tensor has values of its own: no fake one, and none of a transform."""
    return (
        type(value) in _PLAIN
        and not _functorch.is_functorch_wrapped_tensor(value)
        and not torch._is_functional_tensor(value)
    )


class _Link:
    """A tensor of a cell and the one of the mirror over the same memory.

    Attributes:
        holder: the cell's.
        name: the attribute of the mirror.
        twin: the torch tensor that the mirror registered for it.
        synced: what the cell's tensor held when both were last in step.
    """

    __slots__ = ("holder", "name", "synced", "twin")

    def __init__(self, holder: Tensor, name: str, twin: torch.Tensor) -> None:
        self.holder = holder
        self.name = name
        self.twin = twin
        self.synced = own_value(holder)

    def take_over(self, value: torch.Tensor) -> None:
        """The mirror was given another tensor, which the cell takes over."""
        self.twin = value
        own = own_value(self.holder)
        keep_kind = isinstance(own, torch.nn.Parameter) and isinstance(value, torch.nn.Parameter)
        if own is not value and (keep_kind or not _one_memory(own, value)):
            set_own_value(self.holder, value if keep_kind else value.detach())
        self.synced = own_value(self.holder)
        runtime.epoch += 1


class _Mirror(torch.nn.Module):
    """The parameters of one cell of a tree as a torch module, without a forward of its own."""

    def __init__(self, cell: Cell, shared: dict[int, torch.Tensor]) -> None:
        super().__init__()
        self._cell = [cell]  # in a list: torch must not look for tensors in it
        self._links: list[_Link] = []
        for name, p in cell._params.items():
            if p is not None:
                self._add(_attribute(name), p, p.requires_grad, shared)
        for name, buffer in cell._buffers.items():
            if buffer is None:
                self.register_buffer(_attribute(name), None)
            else:
                self._add(_attribute(name), buffer, False, shared)
        for name, child in cell._cells.items():
            if child is not None:
                self.add_module(_attribute(name), _Mirror(child, shared))

    def _add(
        self, name: str, holder: Tensor, trained: bool, shared: dict[int, torch.Tensor]
    ) -> None:
        entry = shared.get(id(holder))
        if entry is None:
            entry = holder._value
            if trained and not isinstance(entry, torch.nn.Parameter):
                entry = torch.nn.Parameter(entry)
            shared[id(holder)] = entry
        if trained:
            assert isinstance(entry, torch.nn.Parameter)
            self.register_parameter(name, entry)
        else:
            self.register_buffer(name, entry)
        self._links.append(_Link(holder, name, entry))

    def _registered(self, name: str) -> torch.Tensor | None:
        entry = self._parameters.get(name)
        return self._buffers.get(name) if entry is None else entry

    def links(self) -> Iterator[tuple[_Mirror, _Link]]:
        """The links of the whole tree, with the mirrors to which they belong."""
        for mirror in self.modules():
            if isinstance(mirror, _Mirror):
                for link in mirror._links:
                    yield mirror, link

    # ------------------------------------------------------- what torch changes in the module

    def _follow(self) -> None:
        """Take over the tensors that the tree was given; shared ones stay one tensor."""
        taken: dict[int, torch.Tensor] = {}
        cells: dict[int, Cell] = {}
        for mirror, link in self.links():
            cells[id(mirror)] = mirror._cell[0]
            value = mirror._registered(link.name)
            if value is None or not _is_real(value):
                continue
            first = taken.setdefault(id(link.holder), value)
            if first is not value:
                registry: dict[str, Any] = (
                    mirror._parameters if link.name in mirror._parameters else mirror._buffers
                )
                registry[link.name] = first
            link.take_over(first)
        for cell in cells.values():
            if isinstance(cell, TorchCell):
                cell.settle()

    def _apply(self, fn: Any, recurse: bool = True) -> _Mirror:
        try:
            return super()._apply(fn, recurse)
        finally:  # where it failed midway, a part has moved
            self._follow()

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, torch.Tensor) and _is_real(value):
            for link in self.__dict__.get("_links", ()):
                if link.name == name and self._registered(name) is value:
                    link.take_over(value)
                    if isinstance(self._cell[0], TorchCell):
                        self._cell[0].settle()

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._follow()  # a copy's tensors were copied one by one


def _attribute(name: str) -> str:
    # torch keeps dots and some names for itself
    name = name.replace(".", "__")
    return f"{name}_" if hasattr(torch.nn.Module, name) else name


class CellModule(_Mirror):
    """What :func:`as_torch` returns: a torch module that runs a Cell over the same memory."""

    def __init__(self, cell: Cell) -> None:
        super().__init__(cell, {})
        self.training = bool(cell.training)

    @property
    def cell(self) -> Cell:
        """The Cell that runs."""
        return self._cell[0]

    def train(self, mode: bool = True) -> CellModule:
        """Switch module and cell to training (or evaluation)."""
        super().train(mode)
        self.cell.set_train(mode)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the cell on torch tensors."""
        if torch.compiler.is_dynamo_compiling():
            return self._forward_compiled(args, kwargs)
        _refuse_proxies(args, kwargs)
        given = wrap(args), wrap(kwargs)
        tracing = bool(
            autodiff.functorch_level()
            or torch._C._len_torch_dispatch_stack()
            or not all(_is_real(t._value) for t in tensors_in([*given]))
        )
        links = list(self.links())
        if not tracing:
            self._sync(links)
        lent = self._lent(links)
        tracing = tracing or not all(_is_real(value) for _, value in lent.values())
        scope = restored_attributes(self.cell) if tracing else contextlib.nullcontext()
        with scope, lending(lent.values()) as now, _as_python():
            out = self.cell(*given[0], **given[1])
            if not tracing:
                self._keep_replaced(links, lent, now)
        return map_tensors(out, _value)

    def _forward_compiled(self, args: Any, kwargs: Any) -> Any:
        """What torch's compiler reads in the place of :meth:`forward`; nothing of it runs."""
        pairs = [(link.holder, getattr(mirror, link.name)) for mirror, link in self.links()]
        olds = [holder._value for holder, _ in pairs]
        try:
            for holder, value in pairs:
                holder._value = value
            with _as_python():
                out = self.cell(*wrap(args), **wrap(kwargs))
        finally:
            for (holder, _), old in zip(pairs, olds, strict=True):
                holder._value = old
        return map_tensors(out, _value)

    def _sync(self, links: list[tuple[_Mirror, _Link]]) -> None:
        """Bring both sides in step: either may have been given other memory since."""
        for mirror, link in links:
            twin, holder = link.twin, link.holder
            if mirror._registered(link.name) is not twin:
                continue  # lent for this call, or computed
            own = own_value(holder)
            if own is not link.synced:
                if own is twin:
                    pass
                elif isinstance(twin, torch.nn.Parameter):
                    twin.data = own.detach()
                else:
                    mirror._buffers[link.name] = link.twin = own
            elif own is not twin and not _one_memory(own, twin):
                set_own_value(holder, twin.detach())
                runtime.epoch += 1
            link.synced = own_value(holder)

    def _lent(self, links: list[tuple[_Mirror, _Link]]) -> dict[int, tuple[Tensor, torch.Tensor]]:
        """What the cell's tensors are in this call, by their identity."""
        lent: dict[int, tuple[Tensor, torch.Tensor]] = {}
        for mirror, link in links:
            value = getattr(mirror, link.name)
            known = lent.setdefault(id(link.holder), (link.holder, value))[1]
            if known is not value:
                name = getattr(link.holder, "name", link.name)
                raise ValueError(
                    f"For 'as_torch', the parameter '{name}' of {type(self.cell).__name__} is in "
                    f"several places of the Cell, and was given different tensors for them (one "
                    f"at '{link.name}'); give the same tensor for all, or leave tie_weights=True."
                )
        return lent

    def _keep_replaced(
        self,
        links: list[tuple[_Mirror, _Link]],
        lent: dict[int, tuple[Tensor, torch.Tensor]],
        now: dict[int, torch.Tensor],
    ) -> None:
        """Follow a construct that put other tensors in the places of its own."""
        for _, link in links:
            value = lent[id(link.holder)][1]
            if value is not link.twin:
                continue  # another's tensor, lent for this call alone
            after = now[id(link.holder)]
            if after is not value and not _one_memory(after, value):
                set_own_value(link.holder, after.detach())
        for mirror in self.modules():
            if not isinstance(mirror, _Mirror):
                continue
            for name, buffer in mirror._cell[0]._buffers.items():
                link = next((k for k in mirror._links if k.name == _attribute(name)), None)
                if buffer is None or (link is not None and link.holder is buffer):
                    continue
                value = own_value(buffer)
                mirror._buffers[_attribute(name)] = value
                if link is not None:
                    link.holder = buffer
                    link.take_over(value)


def _refuse_proxies(args: Any, kwargs: Any) -> None:
    """Say what torch.fx's symbolic tracing lacks; it gives a Proxy for ``*args`` as a whole."""
    proxy = torch.fx.Proxy
    if isinstance(args, proxy) or isinstance(kwargs, proxy):
        result = True
    else:
        result = any(isinstance(value, proxy) for value in (*args, *kwargs.values()))
    if result:
        raise missing_feature(
            "torch.fx.symbolic_trace of a Cell",
            "operators of agar look at shapes and types, which a Proxy does not have",
            "use torch.export.export(module, inputs), or "
            "torch.fx.experimental.proxy_tensor.make_fx(module)(*inputs)",
        )


def _one_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    return (
        one.data_ptr() == other.data_ptr()
        and one.dtype == other.dtype
        and one.shape == other.shape
        and one.device == other.device
    )


@contextlib.contextmanager
def _as_python() -> Iterator[None]:
    """Run cells as ordinary Python in GRAPH_MODE too: torch records, compiles or traces them."""
    # in PYNATIVE_MODE nothing is inside of a compiled call
    before = thread.inside
    thread.inside = before or runtime.mode != PYNATIVE_MODE
    thread.open_gradient(GradScope())
    try:
        yield
    finally:
        thread.close_gradient()
        thread.inside = before


_CONTAINERS = (dict, list, set)


@contextlib.contextmanager
def restored_attributes(cell: Cell) -> Iterator[None]:
    """Undo what a traced call stores in attributes: such tensors mean nothing after it."""
    states = [c.__dict__ for _, c in cell.cells_and_names()]
    notes = [
        {k: (v, v.copy() if isinstance(v, _CONTAINERS) else None) for k, v in state.items()}
        for state in states
    ]
    try:
        yield
    finally:
        for state, note in zip(states, notes, strict=True):
            _restore(state, note)


def _restore(state: dict[str, Any], note: dict[str, tuple[Any, Any]]) -> None:
    for name in [n for n in state if n not in note]:
        if _holds_traced(state[name]):
            del state[name]
    for name, (value, content) in note.items():
        if content is not None and _holds_traced(value):
            if isinstance(value, list):
                value[:] = content
            else:
                value.clear()
                value.update(content)
        if name not in state or (state[name] is not value and _holds_traced(state[name])):
            state[name] = value


def _holds_traced(value: Any) -> bool:
    if isinstance(value, set):
        value = list(value)
    return any(not _is_real(t._value) for t in tensors_in(value)) if _may_hold(value) else False


def _may_hold(value: Any) -> bool:
    return isinstance(value, (Tensor, tuple, list, dict))


def as_torch(cell: Cell) -> torch.nn.Module:
    """A torch module over the parameters of a Cell, in the same memory.

    Trainable parameters become the module's parameters, the others (running statistics, frozen
    weights) its buffers, under the paths of the cell's attributes. Training it with torch trains
    the cell.

    Args:
        cell (Cell): the cell.

    Returns:
        torch.nn.Module whose ``forward`` takes and returns torch tensors. ``torch.export``,
        ``torch.compile`` and ``torch.func`` take it; what they put in the place of its parameters
        holds for their call alone. A copy (``copy.deepcopy``, pickle) has a Cell of its own.

    Raises:
        TypeError: `cell` is not a Cell.

    Difference from PyTorch: none (no counterpart).

    Source: agar's own.

    Examples:
        >>> import agar as ms, torch
        >>> module = ms.as_torch(ms.nn.Dense(2, 1))
        >>> module(torch.ones(3, 2)).sum().backward()
        >>> module.weight.grad
        tensor([[3., 3.]])
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'as_torch', 'cell' must be a Cell, but got {describe(cell)}.")
    return CellModule(cell)
