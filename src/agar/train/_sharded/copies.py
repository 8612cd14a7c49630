"""Which devices hold the same part of a parameter, and whose checkpoint may stand for another's."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from agar.communication.management import get_rank
from agar.train._sharded.layout import Sharding
from agar.train._sharded.strategy import Strategy, open_strategy

__all__ = [
    "dealt_out",
    "get_ckpt_path_with_strategy",
    "holders",
    "holders_of_parts",
    "parts_by_ranks",
    "ranks_with_all_parts",
]

#: names of values that every device makes for itself, and which say nothing of checkpoints
_OWN = ("accu_grads", "inputs")
_RANK = re.compile(r"rank_\d+")


def holders(sharding: Sharding, first: int) -> tuple[tuple[int, ...], ...]:
    """The ranks that hold each part of a tensor; `first` is the first of the stage."""
    result: dict[tuple[int, ...], list[int]] = {}
    for rank in range(sharding.devices):
        result.setdefault(sharding.position(rank), []).append(rank + first)
    return tuple(tuple(ranks) for _, ranks in sorted(result.items()))


def dealt_out(redundancy: Mapping[str, Any], copies: int) -> dict[int, set[str]]:
    """Which parameters each rank saves, so that each part is saved by so many ranks.

    Parts that the same ranks hold are dealt out to them in turn.

    Args:
        redundancy (Mapping): for each parameter the ranks that hold each of its parts.
        copies (int): by how many ranks a part is saved.
    """
    result: dict[int, set[str]] = {}
    for ranks, parts in parts_by_ranks(redundancy).items():
        for place, (name, _) in enumerate(parts):
            for copy in range(copies):
                result.setdefault(ranks[(place + copy) % len(ranks)], set()).add(name)
    return result


def parts_by_ranks(redundancy: Mapping[str, Any]) -> dict[tuple[int, ...], list[tuple[str, int]]]:
    """From ranks to the parts that they hold, as pairs of a name and a place.

    Args:
        redundancy (Mapping): for each parameter the ranks that hold each of its parts.
    """
    result: dict[tuple[int, ...], list[tuple[str, int]]] = {}
    for name, parts in redundancy.items():
        for place, ranks in enumerate(parts):
            result.setdefault(ranks, []).append((name, place))
    return result


def holders_of_parts(strategy: Strategy, first: int) -> dict[str, tuple[tuple[int, ...], ...]]:
    """For each parameter, by name, the ranks that hold each of its parts.

    Args:
        strategy (Strategy): how the parameters are split over the devices of one stage.
        first (int): the rank of the first of these devices.
    """
    return {
        name: holders(strategy.layouts[name][strategy.first_stage(name)], first)
        for name in sorted(strategy.layouts)
    }


def ranks_with_all_parts(strategy: Strategy, rank: int) -> tuple[int, ...]:
    """The ranks that hold the same part of every parameter as a rank, itself among them."""
    first = rank // strategy.devices * strategy.devices
    common: set[int] = set(range(first, first + strategy.devices))
    for name, parts in holders_of_parts(strategy, first).items():
        if not name.startswith(_OWN):
            common &= next(set(ranks) for ranks in parts if rank in ranks)
    return tuple(sorted(common))


def get_ckpt_path_with_strategy(cur_ckpt_path: str, cur_strategy_path: str) -> str | None:
    """Find a checkpoint of the numbers of this process: its own, or that of a copy.

    Where the device of one process is lost with its files, a device that held the same part of
    every parameter has a checkpoint with the same numbers.

    Args:
        cur_ckpt_path (str): the checkpoint file of this process, whose path has ``rank_N`` in it.
        cur_strategy_path (str): the strategy file of this process's stage.

    Returns:
        str, `cur_ckpt_path` if it is a file of this rank, else that path with the rank of the first
        copy that has such a file; None where no copy has one.

    Raises:
        TypeError: an argument is not a str.
        ValueError: the strategy file does not exist, is damaged or contradicts itself.

    Difference from PyTorch: none (no counterpart).

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import json, os, tempfile
        >>> import agar as ms
        >>> layout = {
        ...     "dev_matrix": [2, 2],
        ...     "tensor_map": [0, -1],
        ...     "field": 0,
        ...     "opt_weight_shard_step": 0,
        ...     "opt_weight_shard_size": 0,
        ... }
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     strategy = os.path.join(folder, "strategy.json")
        ...     with open(strategy, "w") as file:
        ...         json.dump({"current_stage": 0, "parallel_layout_item": {"w": layout}}, file)
        ...     os.mkdir(os.path.join(folder, "rank_2"))
        ...     open(os.path.join(folder, "rank_2", "net.ckpt"), "w").close()
        ...     lost = os.path.join(folder, "rank_0", "net.ckpt")
        ...     found = ms.train.get_ckpt_path_with_strategy(lost, strategy)
        ...     os.path.relpath(found, folder)
        'rank_2/net.ckpt'
    """
    op_name = "get_ckpt_path_with_strategy"
    if not isinstance(cur_ckpt_path, str):
        raise TypeError(
            f"For '{op_name}', 'cur_ckpt_path' must be a str, but got "
            f"{type(cur_ckpt_path).__name__}."
        )
    rank = get_rank()
    own = f"rank_{rank}" in _RANK.findall(cur_ckpt_path)
    if own and os.path.isfile(cur_ckpt_path):
        return cur_ckpt_path
    strategy = open_strategy(op_name, "cur_strategy_path", cur_strategy_path)
    if strategy is None:
        raise TypeError(f"For '{op_name}', 'cur_strategy_path' must be a str, but got None.")
    for copy in ranks_with_all_parts(strategy, rank):
        path = _RANK.sub(f"rank_{copy}", cur_ckpt_path)
        if os.path.isfile(path):
            return path
    return None
