"""Operators with several forms, at MindSpore's path ``agar.ops.functional_overload``: mint's."""

from __future__ import annotations

from typing import Any

from agar.ops import _paths


def __getattr__(name: str) -> Any:
    result = None if name.startswith("__") else _paths.mint_form(name)
    if result is None:
        return _paths.find(__name__, name)
    globals()[name] = result
    return result
