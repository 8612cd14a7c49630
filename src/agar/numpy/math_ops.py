"""Functions that compute, at MindSpore's path."""

from __future__ import annotations

from typing import Any

from agar.numpy import _binary as _binary
from agar.numpy import _differences as _differences
from agar.numpy import _histograms as _histograms
from agar.numpy import _indices as _indices
from agar.numpy import _polynomials as _polynomials
from agar.numpy import _products as _products
from agar.numpy import _reductions as _reductions
from agar.numpy import _statistics as _statistics
from agar.numpy import _types as _types
from agar.numpy import _unary as _unary
from agar.numpy._declare import find_in as _find_in
from agar.numpy._declare import names_of as _names_of

__all__ = _names_of("math_ops")


def __getattr__(name: str) -> Any:
    return _find_in("math_ops", name, globals())


def __dir__() -> list[str]:
    return __all__
