"""Operators with PyTorch's names and arguments (``mint.add``, ``mint.nn.functional.relu``)."""

from agar import ops as ops
from agar.mint import linalg as linalg
from agar.mint import nn as nn
from agar.mint import special as special
from agar.mint._faces import finder as _finder
from agar.mint._faces import names_under as _names_under

__all__ = sorted({"linalg", "nn", "special", *_names_under("")})
__getattr__ = _finder("", globals())


def __dir__() -> list[str]:
    return __all__
