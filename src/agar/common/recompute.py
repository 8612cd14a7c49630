"""Recomputation in place of storage, under MindSpore's path."""

from agar._core.recompute import recompute as recompute

__all__ = [
    "recompute",
]
