"""Operators by name, at the path ``agar.ops.auto_generate`` of MindSpore's generated code."""

from __future__ import annotations

from typing import Any

from agar.ops import _paths


def __getattr__(name: str) -> Any:
    return _paths.find(__name__, name)
