"""Functions that make tensors, at MindSpore's path."""

from __future__ import annotations

from typing import Any

from agar.numpy import _creation as _creation
from agar.numpy import _histograms as _histograms
from agar.numpy import _padding as _padding
from agar.numpy import _patterns as _patterns
from agar.numpy import _random as _random
from agar.numpy._declare import find_in as _find_in
from agar.numpy._declare import names_of as _names_of

__all__ = _names_of("array_creations")


def __getattr__(name: str) -> Any:
    return _find_in("array_creations", name, globals())


def __dir__() -> list[str]:
    return __all__
