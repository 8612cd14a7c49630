"""Generators of random numbers, under MindSpore's path."""

from agar._core.random.generator import Generator as Generator
from agar._core.random.generator import default_generator as default_generator
from agar._core.random.generator import get_rng_state as get_rng_state
from agar._core.random.generator import initial_seed as initial_seed
from agar._core.random.generator import manual_seed as manual_seed
from agar._core.random.generator import seed as seed
from agar._core.random.generator import set_rng_state as set_rng_state

__all__ = [
    "Generator",
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]
