"""The Primitive classes, at MindSpore's path: ``from agar.ops import operations as P``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from agar.ops import _paths

# Paths of primitives that are not public names.
_PRIVATE = frozenset(
    {"_csr_ops", "_grad_ops", "_inner_ops", "_rl_inner_ops", "_scalar_ops", "_sequence_ops"}
)
_paths.children(
    __name__,
    (
        "_embedding_cache_ops",
        "_infer_ops",
        "_map_tensor_ops",
        "_ocr_ops",
        "_quant_ops",
        "_sparse_grad_ops",
        "_thor_ops",
        "array_ops",
        "comm_ops",
        "control_ops",
        "custom_ops",
        "debug_ops",
        "image_ops",
        "inner_ops",
        "linalg_ops",
        "manually_defined",
        "math_ops",
        "nn_ops",
        "other_ops",
        "random_ops",
        "reshard_ops",
        "sparse_ops",
        "spectral_ops",
    ),
)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _paths.names(lambda n: n[0].isupper())
    if name in _PRIVATE:
        return import_module(f"{__name__}.{name}")
    return _paths.find(__name__, name)


def __dir__() -> list[str]:
    return _paths.names(lambda n: n[0].isupper())
