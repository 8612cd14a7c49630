"""What processes send each other while tensors lie on several of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from agar._core.dispatch_mode import DispatchMode

__all__ = ["Message", "Messages", "meaning"]

_KINDS = {
    "all_reduce": "all-reduce",
    "all_reduce_": "all-reduce",
    "all_gather_into_tensor": "all-gather",
    "reduce_scatter_tensor": "reduce-scatter",
    "all_to_all_single": "all-to-all",
    "broadcast": "broadcast",
}


@dataclass(frozen=True)
class Message:
    """A collective.

    Attributes:
        kind: ``"all-reduce"``, ``"all-gather"``, ``"reduce-scatter"``, ``"all-to-all"``, ...
        processes: how many take part.
        bytes: of the tensor before or after it, whichever is larger.
        operator: what sent it: the name of an operator, ``"gradient"`` or ``"optimizer"``.
        cell: the innermost Cell in which it was sent, or None.
    """

    kind: str
    processes: int
    bytes: int
    operator: str
    cell: Any


class _Meant(threading.local):
    kind: str | None = None


_meant = _Meant()


@contextmanager
def meaning(kind: str) -> Iterator[None]:
    """Note collectives as another kind: the one for which the engine has them on this device."""
    before, _meant.kind = _meant.kind, kind
    try:
        yield
    finally:
        _meant.kind = before


class Messages(DispatchMode):
    """Notes the collectives of DTensors while it is entered.

    Attributes:
        messages: the collectives, in order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Message] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        from torch.distributed.tensor import DTensor

        # ordinarily modes come before subclasses; this lets DTensor run first, and send
        if any(issubclass(t, DTensor) for t in types):
            return NotImplemented
        result = func(*args, **(kwargs or {}))
        name = func._schema.name
        kind = _KINDS.get(name.removeprefix("_c10d_functional::"))
        if kind is not None and name.startswith("_c10d_functional::"):
            operator, cell = _sender()
            size = max(_bytes(args[0]), _bytes(result))
            kind = _meant.kind or kind
            self.messages.append(Message(kind, _group_size(args), size, operator, cell))
        return result


def _bytes(value: Any) -> int:
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    return 0


def _group_size(args: tuple[Any, ...]) -> int:
    from torch.distributed import distributed_c10d as c10d

    group: Any = args[-1]
    return c10d._resolve_process_group(group).size()


def _sender() -> tuple[str, Any]:
    """Which operator, or what else, is running; and in which cell."""
    operator: str = ""
    cell: Any = None
    frame: Any = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if not operator and code.co_filename.startswith("<agar operator "):
            operator = code.co_filename[len("<agar operator ") : -1]
            if operator == "__call__":
                operator = getattr(frame.f_locals.get("self"), "name", operator)
        elif not operator and code.co_name in _PLACES:
            operator = _PLACES[code.co_name]
        owner: Any = frame.f_locals.get("self")
        if operator == "reshard" and code.co_name == "call" and hasattr(owner, "every_split"):
            operator = owner.name or "shard"  # of the operator, or of the cell or function
        if cell is None and code.co_name == "construct" and hasattr(owner, "cells_and_names"):
            cell = owner
        frame = frame.f_back
    return operator, cell


_PLACES = {
    "backward_from": "gradient",
    "_answer": "gradient",
    "_parts": "optimizer",
    "placed": "reshard",
    "whole": "reading",
}
