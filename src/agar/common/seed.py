"""Seeds of random operators and initializers, under MindSpore's path."""

from agar._core.random import get_seed as get_seed
from agar._core.random import set_seed as set_seed

__all__ = [
    "get_seed",
    "set_seed",
]
