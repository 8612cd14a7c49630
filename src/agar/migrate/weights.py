"""Weights both ways, without loss: PyTorch's states and files to cells and checkpoints, and back.

All problems are found before anything is changed, and are listed at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# states hold torch tensors
import torch

from agar._core.errors import describe
from agar._core.parameter import Parameter
from agar._core.runtime import runtime
from agar.migrate import optimizer_state
from agar.migrate.names import entries, extra_of, set_extra
from agar.migrate.torch_files import TorchCheckpoint, read_torch_file
from agar.migrate.weight_files import convert_weights
from agar.migrate.weight_matching import (
    Match,
    Row,
    Transfer,
    WeightsError,
    check_cell,
    in_order,
    raise_all,
    says_nothing,
    shaped,
    torch_optimizer,
    torch_parameters,
    type_name,
)
from agar.nn.cell import Cell
from agar.train._load_parameters import similar

__all__ = [
    "Row",
    "TorchCheckpoint",
    "Transfer",
    "WeightsError",
    "convert_weights",
    "load_torch_optimizer",
    "load_torch_state",
    "read_torch_file",
    "to_torch_optimizer",
    "to_torch_state",
]


def load_torch_state(
    cell: Cell,
    state: Mapping[str, Any],
    *,
    module: torch.nn.Module | None = None,
    strict: bool = True,
) -> Transfer:
    """Fill a cell with a torch module's state.

    Args:
        cell (Cell): made by ``from_torch``, or written by hand.
        state (mapping): names to tensors: ``module.state_dict()``, or what
            :func:`read_torch_file` gives.
        module (torch.nn.Module, optional): the module whose state it is; its order of names helps
            where names differ. Default: ``None``.
        strict (bool): whether names without a value or a place are errors. Default: ``True``.

    Returns:
        Transfer, which says what went where.

    Raises:
        TypeError: `cell` is not a Cell, or `state` no mapping.
        WeightsError: names or shapes do not fit (a ValueError); all are listed, and nothing was
            changed. Shapes that differ are an error in any case.

    Source: agar's own.

    Examples:
        >>> import agar as ms, torch
        >>> from agar.migrate import load_torch_state
        >>> cell = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.BatchNorm1d(3))
        >>> module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
        >>> moved = load_torch_state(cell, module.state_dict())
        >>> moved.complete, moved.rows[2].source, moved.rows[2].target
        (True, '1.weight', '1.gamma')
    """
    check_cell("load_torch_state", cell)
    if not isinstance(state, Mapping):
        raise TypeError(
            "For 'load_torch_state', 'state' must be a dictionary of names to tensors, but got "
            f"{describe(state)}; read a file with agar.migrate.read_torch_file."
        )
    match = Match(cell, state, () if module is None else module.state_dict()).run()
    out = match.transfer
    if out.mismatched or (strict and not out.complete):
        raise_all("load_torch_state", out)
    for pair in match.pairs.values():
        held = pair.entry.held
        if held is None:
            set_extra(pair.entry, pair.value)
        else:
            held._value.data.copy_(pair.entry.to_cell(pair.value))
    runtime.weights += 1
    return out


def to_torch_state(cell: Cell) -> dict[str, torch.Tensor]:
    """The state that ``load_state_dict`` of the torch module takes.

    Args:
        cell (Cell): made by ``from_torch``, or written by hand.

    Returns:
        dict of names to tensors that share the cell's memory, as torch's own do. What PyTorch
        keeps and the cell does not (the count of batches) is added: as it was loaded, or zero.

    Raises:
        TypeError: `cell` is not a Cell.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> from agar.migrate import to_torch_state
        >>> list(to_torch_state(ms.nn.BatchNorm1d(3)))
        ['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked']
    """
    check_cell("to_torch_state", cell)
    out: dict[str, torch.Tensor] = {}
    for entry in entries(cell):
        if entry.held is None:
            out[entry.name] = extra_of(entry)
        elif not (entry.optional and says_nothing(entry)):
            out[entry.name] = entry.to_torch(entry.held._value.detach())
    return out


def load_torch_optimizer(optimizer: Any, state: Mapping[str, Any], *, cell: Cell) -> Transfer:
    """Fill an optimizer of agar's with the state of a torch optimizer.

    Args:
        optimizer (Optimizer): one whose formula PyTorch has (Adam, AdamW, SGD, Momentum, RMSProp,
            Adagrad, AdaMax, Adadelta, ASGD, Rprop, NAdam, RAdam).
        state (mapping): ``optimizer.state_dict()`` of PyTorch.
        cell (Cell): the network, whose parameters the optimizer updates.

    Returns:
        Transfer, with the differences between the formulas among its assumptions.

    Raises:
        TypeError: PyTorch has no counterpart of the optimizer, or `cell` is not a Cell.
        ValueError: the state is of another optimizer, has other parameters or shapes; nothing was
            changed.

    Source: agar's own.

    Examples:
        >>> import agar as ms, torch
        >>> from agar.migrate.weights import load_torch_optimizer
        >>> module = torch.nn.Linear(2, 1)
        >>> theirs = torch.optim.Adam(module.parameters())
        >>> module(torch.ones(1, 2)).sum().backward()
        >>> theirs.step()
        >>> cell = ms.migrate.from_torch(module)
        >>> ours = ms.nn.Adam(cell.trainable_params())
        >>> done = load_torch_optimizer(ours, theirs.state_dict(), cell=cell)
        >>> int(ours.global_step.asnumpy()[0])
        1
    """
    check_cell("load_torch_optimizer", cell)
    family = optimizer_state.family_of_cell(optimizer)
    kind = optimizer_state.family_of_state(state)
    if kind.removesuffix("W") != family.kind.removesuffix("W"):
        raise ValueError(
            f"For 'load_torch_optimizer', the state is of torch.optim.{kind}, and the optimizer "
            f"{family.cell} is the counterpart of torch.optim.{family.kind}."
        )
    chosen = in_order(cell, len(optimizer_state.indices(state)))
    names = [e.held.name for e in chosen if isinstance(e.held, Parameter)]
    slots, notes = optimizer_state.to_agar(state, names, family)
    slots = shaped(slots, chosen, family)
    out = Transfer(assumptions=notes)
    targets = {p.name: p for p in optimizer.get_parameters()}
    for extra in getattr(optimizer, "mu_product", ()):
        targets.setdefault(extra.name, extra)
    plan = []
    for name, value in slots.items():
        target = targets.get(name)
        if target is None:
            if value.numel() and bool(value.any()):
                out.unexpected[name] = similar([name], targets).get(name, [])
            continue
        if target._value.numel() != value.numel():
            out.mismatched.append(
                f"'{name}' has shape {tuple(value.shape)}, the optimizer's {tuple(target.shape)}"
            )
            continue
        plan.append((target, value))
        out.optimizer.append(Row(name, name, tuple(value.shape), type_name(value), kind))
    if not out.complete:
        raise_all("load_torch_optimizer", out)
    for target, value in plan:
        target._value.data.copy_(value.reshape(target._value.shape))
    runtime.weights += 1
    return out


def to_torch_optimizer(
    optimizer: Any, *, cell: Cell, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The state that ``load_state_dict`` of the torch optimizer takes.

    Args:
        optimizer (Optimizer): one whose formula PyTorch has.
        cell (Cell): the network; the torch optimizer must have its trained parameters, in torch's
            order, in one group.
        options (mapping, optional): options of the torch optimizer (``betas``, ``weight_decay``).
            Default: ``None``, its defaults, and agar's learning rate.

    Raises:
        TypeError: PyTorch has no counterpart of the optimizer, or `cell` is not a Cell.

    Source: agar's own.

    Examples:
        >>> import agar as ms
        >>> from agar.migrate.weights import to_torch_optimizer
        >>> cell = ms.nn.Dense(2, 1)
        >>> state = to_torch_optimizer(ms.nn.Adam(cell.trainable_params(), 0.5), cell=cell)
        >>> state["param_groups"][0]["lr"], sorted(state["state"][0])
        (0.5, ['exp_avg', 'exp_avg_sq', 'step'])
    """
    check_cell("to_torch_optimizer", cell)
    family = optimizer_state.family_of_cell(optimizer)
    mine = {id(p) for p in optimizer.parameters}
    chosen = [e for e in torch_parameters(cell).values() if id(e.held) in mine]
    held = {p.name: p._value.detach() for p in optimizer.get_parameters()}
    for extra in getattr(optimizer, "mu_product", ()):
        held.setdefault(extra.name, extra._value.detach())
    return torch_optimizer(held, chosen, family, options)
