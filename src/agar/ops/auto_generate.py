"""Operators by name, at the path ``agar.ops.auto_generate`` of MindSpore's generated code."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from agar.ops import _paths

# a package for imports: MindSpore's paths below it have no files
__path__: list[str] = []


def __getattr__(name: str) -> Any:
    if "Grad" in name:  # gradients are not part of agar.ops; their module hands on what is
        return getattr(import_module("agar.ops.operations._grad_ops"), name)
    return _paths.find(__name__, name)
