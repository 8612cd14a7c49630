"""Parameters of one process made those of all that hold the same parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# parameters are sent as the engine's tensors
import torch

from agar._core.distributed.parameter_parts import is_part
from agar._core.distributed.process_groups import groups
from agar._core.distributed.sharding import is_split
from agar._core.errors import describe
from agar._core.settings import auto_parallel
from agar.nn.cell import Cell
from agar.nn.wrap.grad_reducer import broadcast_into
from agar.ops._checks import integer
from agar.train._sharded.copies import dealt_out, holders
from agar.train._sharded.layout import LayoutError, Sharding
from agar.train._sharded.strategy import sharding_of

__all__ = ["parameter_broadcast"]

_NAME = "parameter_broadcast"


def parameter_broadcast(
    net: Any, layout: Mapping[str, Any] | None, cur_rank: int = 0, initial_rank: int = 0
) -> None:
    """Send parameters to the processes that hold the same parts, of which one has loaded them.

    After checkpoints without redundancy are loaded, each part is right in one process: of the
    parts that the same processes hold, in the order of their names, the first process has the
    first, the second the next, and so on. With an empty layout, as networks of agar have it, the
    first process of the stage sends every parameter. With one process nothing is sent.

    Args:
        net (Cell): the network; its parameters are changed in place.
        layout (dict): from the name of each parameter to send to how it is split:
            ``[device matrix, tensor map]`` and what MindSpore's ``parameter_layout_dict`` or
            ``parse_strategy_ckpt`` have behind them, or what `build_searched_strategy` gives. Empty
            or None for parameters that every process has whole.
        cur_rank (int): the rank of this process. Default: ``0``.
        initial_rank (int): the first rank of this process's pipeline stage. Default: ``0``.

    Raises:
        TypeError: `net` is not a Cell, `layout` not a dict, or a rank not an int.
        ValueError: `cur_rank` is another process's, `initial_rank` is not the first of this stage,
            the network does not have a parameter of `layout`, or a layout contradicts itself, the
            number of processes or what the process holds.
        RuntimeError: the processes have not joined.

    Difference from PyTorch: ``torch.distributed.broadcast`` for each parameter.

    Source: behavior described for MindSpore 2.10, which returns at once for an empty layout.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.Dense(2, 1)
        >>> ms.parallel.parameter_broadcast(net, net.parameter_layout_dict)
    """
    if not isinstance(net, Cell):
        raise TypeError(f"For '{_NAME}', 'net' must be a Cell, but got {describe(net)}.")
    if not (layout is None or isinstance(layout, Mapping)):
        raise TypeError(
            f"For '{_NAME}', 'layout' must be a dict by the names of parameters, but got "
            f"{describe(layout)}. Read a strategy file with build_searched_strategy(path)."
        )
    cur_rank = integer(_NAME, "cur_rank", cur_rank)
    initial_rank = integer(_NAME, "initial_rank", initial_rank)
    if groups.expected_size <= 1:
        return
    groups.require()
    size = groups.world_size // auto_parallel.get("pipeline_stages")
    stage = groups.world_rank // size * size
    if cur_rank != groups.world_rank:
        raise ValueError(
            f"For '{_NAME}', 'cur_rank' must be the rank of this process, {groups.world_rank}, "
            f"but got {cur_rank}. Pass communication.get_rank()."
        )
    if initial_rank != stage:
        raise ValueError(
            f"For '{_NAME}', 'initial_rank' must be the first rank of this process's stage of "
            f"{size} processes, {stage}, but got {initial_rank}."
        )
    for ranks, values in _to_send(net, layout, stage, size).items():
        group = str(ranks)
        if group not in groups.ranks:
            groups.create(group, ranks)
        for value, source in values:
            broadcast_into(value, ranks.index(source), group)


_Sent = dict[tuple[int, ...], list[tuple[torch.Tensor, int]]]


def _to_send(net: Cell, layout: Mapping[str, Any] | None, first: int, size: int) -> _Sent:
    """By the processes that hold a part: this process's tensors, with who sends them."""
    parameters = {p.name: p for _, p in net.parameters_and_names()}
    if not layout:
        ranks = tuple(range(first, first + size))
        every = [(_whole(p), first) for p in parameters.values()]
        return {ranks: every} if size > 1 else {}
    shardings = {name: _sharding(name, layout[name], size) for name in sorted(layout)}
    for name in shardings:
        if name not in parameters:
            raise ValueError(
                f"For '{_NAME}', the network has no parameter '{name}', which 'layout' has. Take "
                "out of 'layout' what is not to be sent."
            )
    redundancy = {name: holders(sharding, first) for name, sharding in shardings.items()}
    senders = dealt_out(redundancy, 1)
    result: _Sent = {}
    for name, parts in redundancy.items():
        ranks = next(r for r in parts if groups.world_rank in r)
        if len(ranks) > 1:
            value = _part(parameters[name], shardings[name])
            source = next(r for r in ranks if name in senders.get(r, ()))
            result.setdefault(ranks, []).append((value, source))
    return result


def _sharding(name: str, entry: Any, size: int) -> Sharding:
    try:
        result = _read(entry)
    except LayoutError as error:
        raise ValueError(f"For '{_NAME}', the layout of '{name}': {error}.") from None
    if result.devices != size:
        raise ValueError(
            f"For '{_NAME}', the layout of '{name}' is one over {result.devices} devices, but the "
            f"stage has {size} processes."
        )
    return result


def _read(entry: Any) -> Sharding:
    if hasattr(entry, "dev_matrix"):
        return sharding_of(entry)
    if not isinstance(entry, (list, tuple)) or len(entry) < 2:
        raise LayoutError(f"it must begin with a device matrix and a tensor map, but is {entry!r}")
    matrix, places, *rest = entry
    if len(rest) == 2:  # of a strategy file: the split of the optimizer
        return Sharding(matrix, places, *rest)
    if len(rest) > 3 and rest[3]:
        raise LayoutError("an optimizer's group splits it, whose ranks are not in the layout")
    return Sharding(matrix, places)


def _whole(parameter: Any) -> torch.Tensor:
    value = parameter._value
    if is_part(parameter) or is_split(value):
        raise ValueError(
            f"For '{_NAME}', '{parameter.name}' is split over processes, and 'layout' does not say "
            "how. Give the layouts of all parameters that are to be sent."
        )
    return value


def _part(parameter: Any, sharding: Sharding) -> torch.Tensor:
    """What this process holds of a parameter, which must be the part of the layout."""
    value = parameter._value
    local = value.to_local() if is_split(value) else value
    whole = tuple(value.shape)
    expected = whole
    if is_split(value):
        expected = tuple(n // parts for n, parts in zip(whole, sharding.parts, strict=True))
    split = any(parts > 1 for parts in sharding.parts)
    if is_part(parameter) or tuple(local.shape) != expected or (split and not is_split(value)):
        raise ValueError(
            f"For '{_NAME}', the layout of '{parameter.name}' splits it into {sharding.parts} "
            f"parts, but the process holds {tuple(local.shape)} of {whole}. Give the layout that "
            "the network has now."
        )
    return local
