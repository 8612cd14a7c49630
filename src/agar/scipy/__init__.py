"""Functions with the names of SciPy, on agar's tensors. SciPy itself is not used."""

from agar.scipy import fft as fft
from agar.scipy import linalg as linalg
from agar.scipy import optimize as optimize

__all__ = ["fft", "linalg", "optimize"]
