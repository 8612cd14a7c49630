"""Comparisons, tests and logic, at MindSpore's path."""

from __future__ import annotations

from typing import Any

from agar.numpy import _logic as _logic
from agar.numpy._declare import find_in as _find_in
from agar.numpy._declare import names_of as _names_of

__all__ = _names_of("logic_ops")


def __getattr__(name: str) -> Any:
    return _find_in("logic_ops", name, globals())


def __dir__() -> list[str]:
    return __all__
