"""How transforms are carried out, under MindSpore's path."""

from __future__ import annotations

import enum

__all__ = ["Implementation"]


class Implementation(enum.IntEnum):
    """Whether an operation works as MindSpore's C++ ones (arrays) or Python ones (PIL images)."""

    C = 0
    PY = 1
