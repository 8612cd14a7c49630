"""Functions of neural networks with PyTorch's names and arguments."""

from agar import ops as _ops  # registers the entries
from agar.mint._bindings import finder as _finder
from agar.mint._bindings import names_under as _names_under

__all__ = _names_under("nn.functional")
__getattr__ = _finder("nn.functional", globals())
_REGISTERED = _ops


def __dir__() -> list[str]:
    return __all__
