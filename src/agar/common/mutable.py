"""The mark of inputs that may change, under MindSpore's path."""

from agar._core.jit import mutable as mutable

__all__ = [
    "mutable",
]
