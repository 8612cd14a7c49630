"""Operators with PyTorch's names and arguments (``mint.add``, ``mint.nn.functional.relu``)."""

from agar import ops as ops
from agar.mint import linalg as linalg
from agar.mint import nn as nn
from agar.mint import special as special
from agar.mint._bindings import finder as _finder
from agar.mint._bindings import names_under as _names_under
from agar.mint.nn import functional as functional

__all__ = sorted(
    {"distributed", "functional", "linalg", "nn", "optim", "special", *_names_under("")}
)
_find = _finder("", globals())


def __getattr__(name: str) -> object:
    """Make a binding, or load a part, when it is first asked for."""
    if name in ("distributed", "optim"):
        import importlib

        return importlib.import_module(f"agar.mint.{name}")
    return _find(name)


def __dir__() -> list[str]:
    return __all__
