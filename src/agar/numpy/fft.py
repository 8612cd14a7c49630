"""Discrete Fourier transforms under numpy's names."""

from __future__ import annotations

from typing import Any

from agar.numpy import _transforms as _transforms
from agar.numpy._declare import find_in as _find_in
from agar.numpy._declare import names_of as _names_of

__all__ = _names_of("fft")


def __getattr__(name: str) -> Any:
    return _find_in("fft", name, globals())


def __dir__() -> list[str]:
    return __all__
