"""The functions, at MindSpore's path ``agar.ops.function`` and its parts (``.nn_func``, ...)."""

from __future__ import annotations

from typing import Any

from agar.ops import _paths

_paths.children(
    __name__,
    (
        "array_func",
        "clip_func",
        "debug_func",
        "fft_func",
        "grad",
        "image_func",
        "linalg_func",
        "math_func",
        "nn_func",
        "other_func",
        "parameter_func",
        "random_func",
        "sparse_func",
        "sparse_unary_func",
        "spectral_func",
        "vmap_func",
    ),
)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _paths.names(lambda n: not n[0].isupper())
    return _paths.find(__name__, name)


def __dir__() -> list[str]:
    return _paths.names(lambda n: not n[0].isupper())
