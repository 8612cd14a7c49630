"""Random operators as objects: the streams that each keeps.

NOTE Streams. An object takes its seeds when it is made and has one stream for each signature of
its inputs (shapes and types; values of shapes and counts). A stream continues from call to call;
another object with equal seeds starts over. A shape given as a Tensor has another stream than an
equal tuple. Seeds 0 and 0 take the next seed pair of the class's name when the object is made,
entropy before any ``ms.set_seed`` (MindSpore: entropy always).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.optable import Primitive
from agar._core.random import Stream
from agar.ops._checks import integer
from agar.ops.random.distributions import (
    own_pair,
    random_type,
)

__all__: list[str] = [
    "FLOATS",
    "OPTIONS",
    "metadata_of",
    "object_stream",
    "shape_signature",
    "stream_of_any_seed",
    "stream_of_type",
]

FLOATS = (torch.float16, torch.float32, torch.float64)
OPTIONS = {"cast": "never", "differentiable": False, "tags": ("random",)}


# ----------------------------------------------------------------------------------------- setup


def object_stream(instance: Primitive, *, negative: bool = False) -> Stream:
    """The streams of an object with the attributes seed and seed2."""
    for name in ("seed", "seed2"):
        integer(instance.name, name, getattr(instance, name), None if negative else 0)
    instance.add_prim_attr("side_effect_hidden", True)
    return Stream(*own_pair(instance.seed, instance.seed2, instance.name), instance.name)


def stream_of_any_seed(instance: Primitive) -> Stream:
    """As `object_stream`, for classes whose seeds may be negative."""
    return object_stream(instance, negative=True)


def stream_of_type(*allowed: torch.dtype, negative: bool = False) -> Any:
    """As `object_stream`, for classes with a dtype."""

    def setup(instance: Primitive) -> Stream:
        random_type(instance.name, instance.dtype, allowed)
        return object_stream(instance, negative=negative)

    return setup


def shape_signature(shape: Any) -> tuple[str, Any]:
    """How a shape was given and its sizes; tensors arrive as lists (NOTE Streams)."""
    dims = tuple(shape) if isinstance(shape, (tuple, list)) else shape
    return "Tensor" if isinstance(shape, list) else "tuple", dims


def metadata_of(*values: Any) -> tuple[Any, ...]:
    """Shapes and types of tensors, for a signature."""
    return tuple(
        (tuple(v.shape), v.dtype) if isinstance(v, Tensor) else type(v).__name__ for v in values
    )
