"""Compilation, under MindSpore's path."""

from agar._core.jit import jit as jit
from agar._core.jit import jit_class as jit_class
from agar._core.jit import set_recursion_limit as set_recursion_limit

__all__ = [
    "jit",
    "jit_class",
    "set_recursion_limit",
]
