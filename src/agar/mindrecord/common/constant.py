"""The number of MindRecord among MindSpore's systems."""

from __future__ import annotations

__all__ = ["SYS_ID"]

SYS_ID = 0b00101010
