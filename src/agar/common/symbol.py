"""Descriptions of sizes that are not known, under MindSpore's path."""

from agar._core.jit import Symbol as Symbol

__all__ = [
    "Symbol",
]
