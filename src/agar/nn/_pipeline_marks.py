"""Cells that are marked with a pipeline stage; outside of a pipeline they are not called.

NOTE Fail closed. With several processes and `pipeline_stages` set, a marked cell that is called as
any other would train one network in each process. Until its network is cut, a hook refuses the
call; afterwards the cells of other stages, whose parameters are gone, refuse it by their class.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from agar._core.multi_device import world
from agar._core.settings import auto_parallel

__all__ = ["asked_for", "note", "release"]

_marked: weakref.WeakSet[Any] = weakref.WeakSet()
_GUARD = "_pipeline_guard"


def asked_for() -> bool:
    """Whether the context asks several processes for pipeline stages."""
    return world.size > 1 and auto_parallel.get("pipeline_stages") > 1


def note(cell: Any) -> None:
    """A cell was marked."""
    _marked.add(cell)
    if asked_for():
        _guard(cell)


def release(cells: Iterable[Any]) -> None:
    """Cells belong to a pipeline, which calls them."""
    for cell in cells:
        _marked.discard(cell)
        guard = vars(cell).pop(_GUARD, None)
        if guard is not None:
            guard.remove()


def _guard(cell: Any) -> None:
    if _GUARD not in vars(cell):
        vars(cell)[_GUARD] = cell.register_forward_pre_hook(_refuse)


def _refuse(cell: Any, inputs: Any) -> None:
    if asked_for():
        raise RuntimeError(
            f"The cell {type(cell).__name__} is marked with the pipeline_stage "
            f"{cell.pipeline_stage}, and the context has pipeline_stages="
            f"{auto_parallel.get('pipeline_stages')} for {world.size} processes, but it is called "
            "outside of a pipeline, where each process would train alone. Wrap the network with "
            "its loss in nn.PipelineCell, and call that."
        )


def _watch() -> None:
    if asked_for():
        for cell in list(_marked):
            _guard(cell)


world.watchers.append(_watch)
