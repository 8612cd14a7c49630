"""The gradient primitives, at MindSpore's path: ``from agar.ops.operations import _grad_ops``."""

from __future__ import annotations

from typing import Any

from agar.ops import _paths, gradients_layers, gradients_rare
from agar.ops.gradients import register

__all__ = ["gradients_layers", "gradients_rare"]  # their imports register their primitives


def __getattr__(name: str) -> Any:
    return register.find(name) if name in register.names() else _paths.find(__name__, name)


def __dir__() -> list[str]:
    return register.names()
