"""The base of debug hooks."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any

__all__ = ["DebugHook"]


class DebugHook(ABC):
    """Base of the hooks of ``config.set_debug_mode``; a subclass defines ``compute(self, *args)``.

    Args:
        prev_op_name (str, optional): the name of the operation that the hook stands beside.
            Default: ``None``.

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
        """Inspect the values of a row.

        Args:
            *args (tuple): one argument, a tuple of the values at this point of the pipeline.
        """

    def set_previous_op_name(self, prev_op_name: str) -> None:
        """Set the name of the operation that the hook stands beside, which is printed.

        Args:
            prev_op_name (str): the name.
        """
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first_op: bool) -> None:
        """Set whether the hook sees the input of its operation or the output.

        Args:
            is_first_op (bool): ``True`` for the input, as of the first operation of a ``map``;
                ``False`` for the output.
        """
        self.is_first_op = is_first_op


def around(operations: list[Any], hooks: list[DebugHook]) -> list[Any]:
    """The operations with copies of the hooks before the first and behind each of them."""

    def function(operation: Any, first: bool) -> list[DebugHook]:
        name = getattr(operation, "__name__", None) or type(operation).__name__
        entries = []
        for hook in hooks:
            own = copy.deepcopy(hook)
            own.set_previous_op_name(name)
            own.set_is_first(first)
            entries.append(own)
        return entries

    shown: list[Any] = function(operations[0], True)
    for operation in operations:
        shown += [operation, *function(operation, False)]
    return shown
