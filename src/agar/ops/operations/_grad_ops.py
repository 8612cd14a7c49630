"""The gradient primitives, at MindSpore's path: ``from agar.ops.operations import _grad_ops``."""

from __future__ import annotations

from typing import Any

from agar.ops import _paths
from agar.ops.gradients import layers, rare, windows
from agar.ops.gradients.elementwise import register

__all__ = ["layers", "rare", "windows"]  # their imports register their primitives


def __getattr__(name: str) -> Any:
    return register.find(name) if name in register.names() else _paths.find(__name__, name)


def __dir__() -> list[str]:
    return register.names()
