"""Marks in a recording."""

from __future__ import annotations

import itertools
from typing import Any

# marks are the engine's
import torch

__all__ = ["Mstx"]

_numbers = itertools.count(1)
_open: dict[int, Any] = {}


def _text(op_name: str, message: Any) -> str:
    if not isinstance(message, str) or not message:
        raise TypeError(
            f"For 'mstx.{op_name}', the 'message' must be a str that is not empty, but got "
            f"{message!r}."
        )
    return message


class Mstx:
    """Marks and ranges that a recording of the profiler shows.

    Difference from PyTorch: ``torch.profiler.record_function``.

    Source: behavior described for MindSpore 2.10, where they show on Ascend chips alone.

    Examples:
        >>> import agar as ms
        >>> number = ms.profiler.mstx.range_start("training")
        >>> ms.profiler.mstx.range_end(number)
    """

    @staticmethod
    def mark(message: str, stream: Any = None, domain: str = "default") -> None:
        """Mark this moment.

        Args:
            message (str): the text that the timeline shows.
            stream (Stream): accepted for compatibility: marks belong to the thread. Default:
                ``None``.
            domain (str): accepted for compatibility. Default: ``"default"``.

        Raises:
            TypeError: `message` is not a str.
        """
        with torch.profiler.record_function(_text("mark", message)):
            return

    @staticmethod
    def range_start(message: str, stream: Any = None, domain: str = "default") -> int:
        """Begin a range and return its number.

        Args:
            message (str): the text that the timeline shows.
            stream (Stream): accepted for compatibility: marks belong to the thread. Default:
                ``None``.
            domain (str): accepted for compatibility. Default: ``"default"``.

        Raises:
            TypeError: `message` is not a str.
        """
        number = next(_numbers)
        _open[number] = torch.profiler.record_function(_text("range_start", message))
        _open[number].__enter__()
        return number

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """End the range of that number; nothing happens if there is none.

        Args:
            range_id (int): the number that `range_start` returned.
            domain (str): accepted for compatibility. Default: ``"default"``.
        """
        entry = _open.pop(range_id, None)
        if entry is not None:
            entry.__exit__(None, None, None)


mark, range_start, range_end = Mstx.mark, Mstx.range_start, Mstx.range_end
