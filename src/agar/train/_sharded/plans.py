"""What concerns the splitting of a program while it runs, at MindSpore's module of checkpoints."""

from __future__ import annotations

import os
from typing import Any

from agar._core.errors import describe
from agar._core.multi_device import world
from agar.context import get_auto_parallel_context
from agar.nn.cell import Cell

__all__ = ["set_op_strategy_config", "sync_pipeline_shared_parameters"]


def set_op_strategy_config(mode: str = "SAVE", path: str = "") -> None:
    """Say where the search for a strategy saves or loads how operators are split.

    One process does not split operators, so there is nothing to save or load. With several
    processes it raises, at once or when `communication.init` joins them.

    Args:
        mode (str): ``"SAVE"`` or ``"LOAD"``. Default: ``"SAVE"``.
        path (str): the absolute path of a ``.json`` file. Default: ``""``, which raises.

    Raises:
        KeyError: `mode` is another, or `path` is not absolute or does not end with ``.json``.
        NotImplementedError: several processes have joined.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10, which makes the folder of `path`.

    Examples:
        >>> import os
        >>> from agar.parallel import set_op_strategy_config
        >>> set_op_strategy_config("SAVE", os.path.abspath("strategy.json"))
    """
    op_name = "set_op_strategy_config"
    if not isinstance(path, (str, os.PathLike)) or not os.path.isabs(path):
        raise KeyError(f"For '{op_name}', File path must be an absolute path, but got {path!r}")
    if os.path.splitext(path)[1] != ".json":
        raise KeyError(f"For '{op_name}', File type must be .json, but got {path!r}")
    if mode not in ("SAVE", "LOAD"):
        raise KeyError(f"For '{op_name}', Type must be 'SAVE' or 'LOAD', but got {mode!r}")
    world.refuse(
        f"{op_name}({mode!r})",
        "operators are not split by a search",
        "split operators with shard, or train data parallel",
    )


def sync_pipeline_shared_parameters(net: Cell) -> None:
    """Send parameters that stages of a pipeline share from the first stage to the others.

    Training keeps them equal; values that were put into one stage alone need it. With one stage, or
    in one process, which has all stages, nothing is done.

    Args:
        net (Cell): the network.

    Raises:
        TypeError: `net` is not a Cell.
        RuntimeError: the network has several stages and was not cut yet, which its first call does.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10 in one process, and described for several.

    Examples:
        >>> import agar as ms
        >>> ms.parallel.sync_pipeline_shared_parameters(ms.nn.ReLU())
    """
    op_name = "sync_pipeline_shared_parameters"
    if not isinstance(net, Cell):
        raise TypeError(
            f"For '{op_name}', the argument 'net' should be a Cell, but got {describe(net)}."
        )
    plans: list[Any] = [
        vars(cell).get("_plan", {})
        for _, cell in net.cells_and_names()
        if type(cell).__name__ == "AutoParallel"
    ]
    stages = [plan.get("pipeline_stages", 1) for plan in plans]
    if world.size == 1 or max(get_auto_parallel_context("pipeline_stages"), *stages, 1) == 1:
        return
    held = [vars(cell).get("_pipeline") for _, cell in net.cells_and_names()]
    cut = [p for p in (*held, *(plan.get("staged") for plan in plans)) if p is not None]
    if not cut:
        raise RuntimeError(
            f"For '{op_name}', the network was not cut into its pipeline stages yet, so nothing is "
            "shared. Call it once before."
        )
    for pipeline in cut:
        pipeline.sync_shared()
