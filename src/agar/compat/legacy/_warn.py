"""Where a warning about an old name belongs: the first line that is not agar's."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["stack_level"]

_ROOT = str(Path(__file__).resolve().parents[2])


def stack_level() -> int:
    """The `stacklevel` of `warnings.warn`, called by the caller, for the program's own line.

    Python does not count the frames of its import machinery.
    """
    frame, level = sys._getframe(1), 0
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith("<frozen importlib"):
            level += 1
            if not file.startswith(_ROOT):
                break
        frame = frame.f_back
    return level
