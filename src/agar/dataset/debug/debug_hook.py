"""The base of debug hooks."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any

__all__ = ["DebugHook"]


class DebugHook(ABC):
    """Base of hooks for ``config.set_debug_mode``; a subclass defines ``compute(self, *args)``.

    Args:
        prev_op_name (str, optional): the operation before it. Default: ``None``.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.debug import PrintDataHook
        >>> values = PrintDataHook()(1)
        Column 0. The data is [1].
    """

    def __init__(self, prev_op_name: str | None = None) -> None:
        self.prev_op_name = prev_op_name
        self.is_first_op: bool | None = None

    def __call__(self, *args: Any) -> Any:
        if self.prev_op_name:
            side = "INPUT" if self.is_first_op else "OUTPUT"
            print(
                f"[Dataset debugger] Print the [{side}] of the operation [{self.prev_op_name}].",
                flush=True,
            )
        self.compute(args)
        return args

    @abstractmethod
    def compute(self, *args: Any) -> Any:
        """Show the values, which come as one tuple."""

    def set_previous_op_name(self, prev_op_name: str) -> None:
        """Set the operation before the hook."""
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first_op: bool) -> None:
        """Set whether the hook stands before that operation."""
        self.is_first_op = is_first_op


def around(operations: list[Any], hooks: list[DebugHook]) -> list[Any]:
    """The operations with copies of the hooks before the first and behind each of them."""

    def made(operation: Any, first: bool) -> list[DebugHook]:
        name = getattr(operation, "__name__", None) or type(operation).__name__
        found = []
        for hook in hooks:
            own = copy.deepcopy(hook)
            own.set_previous_op_name(name)
            own.set_is_first(first)
            found.append(own)
        return found

    shown: list[Any] = made(operations[0], True)
    for operation in operations:
        shown += [operation, *made(operation, False)]
    return shown
