"""Functions that rearrange and select, at MindSpore's path."""

from __future__ import annotations

from typing import Any

from agar.numpy import _arrangement as _arrangement
from agar.numpy import _functional as _functional
from agar.numpy import _indices as _indices
from agar.numpy import _joins as _joins
from agar.numpy import _shapes as _shapes
from agar.numpy._declare import find_in as _find_in
from agar.numpy._declare import names_of as _names_of

__all__ = _names_of("array_ops")


def __getattr__(name: str) -> Any:
    return _find_in("array_ops", name, globals())


def __dir__() -> list[str]:
    return __all__
