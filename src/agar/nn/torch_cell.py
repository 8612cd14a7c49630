"""Interchange with PyTorch: a torch module as a Cell, and a Cell as a torch module.

Both share memory: nothing is copied in either direction.
"""

from __future__ import annotations

from typing import Any

# torch modules are what this file is about
import torch

from agar._core import autodiff
from agar._core.autodiff import GradScope, map_tensors
from agar._core.errors import describe
from agar._core.parameter import Parameter, parameter_over
from agar._core.runtime import thread
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
        Those of the module's ``forward``, with Tensors for torch tensors.

    Outputs:
        Those of the module's ``forward``, with Tensors for torch tensors.

    Raises:
        TypeError: `module` is no torch module.

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
            made = parameter_over(value, name, value.requires_grad)
            self.insert_param_to_cell(name, made, check_name_contain_dot=False, attribute=False)
        for name, value in module.named_buffers():
            self._buffers[name] = wrap(value)
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
            return wrap(self.module(*plain, **options))
        with torch.no_grad():
            return wrap(self.module(*plain, **options))

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


class _Mirror(torch.nn.Module):
    """The parameters of one cell of a tree as a torch module, without a forward of its own."""

    def __init__(self, cell: Cell, shared: dict[int, torch.nn.Parameter]) -> None:
        super().__init__()
        self._cell = [cell]  # in a list: torch must not look for tensors in it
        self._pairs: list[tuple[Parameter, str]] = []
        for name, p in cell._params.items():
            if p is not None:
                self._pairs.append((p, _attribute(name)))
                self._register(_attribute(name), p, shared)
        for name, buffer in cell._buffers.items():
            self.register_buffer(_attribute(name), None if buffer is None else buffer._value)
        for name, child in cell._cells.items():
            if child is not None:
                self.add_module(_attribute(name), _Mirror(child, shared))

    def _register(self, name: str, p: Parameter, shared: dict[int, torch.nn.Parameter]) -> None:
        if not p.requires_grad:
            self.register_buffer(name, p._value)
            return
        found = shared.get(id(p))
        if found is None:
            value = p._value
            found = value if isinstance(value, torch.nn.Parameter) else torch.nn.Parameter(value)
            shared[id(p)] = found
        self.register_parameter(name, found)

    def tensors(self) -> list[tuple[Parameter, torch.Tensor]]:
        """The cell's parameters and the torch tensors that stand for them, for the whole tree."""
        found = []
        for mirror in self.modules():
            if isinstance(mirror, _Mirror):
                found += [(p, getattr(mirror, name)) for p, name in mirror._pairs]
        return found


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
        pairs = self.tensors()
        olds = [p._value for p, _ in pairs]
        scope = GradScope()
        thread.grad_scopes.append(scope)
        try:
            for p, value in pairs:
                p._value = value
            out = self.cell(*_wrap_all(args), **_wrap_all(kwargs))
        finally:
            thread.grad_scopes.pop()
            for (p, value), old in zip(pairs, olds, strict=True):
                # after module.to(...) the memory is another one, which the cell follows
                p._value = old if old.data_ptr() == value.data_ptr() else value.data
        return map_tensors(out, _value)


def _wrap_all(value: Any) -> Any:
    return wrap(value)


def as_torch(cell: Cell) -> torch.nn.Module:
    """A torch module over the parameters of a Cell, in the same memory.

    Trainable parameters become the module's parameters, the others (running statistics, frozen
    weights) its buffers, under the paths of the cell's attributes. Training it with torch trains
    the cell.

    Args:
        cell (Cell): the cell.

    Returns:
        torch.nn.Module whose ``forward`` takes and returns torch tensors.

    Raises:
        TypeError: `cell` is no Cell.

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
