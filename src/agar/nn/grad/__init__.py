"""Derivatives as cells."""

from agar.nn.grad.cell_grad import Jvp as Jvp
from agar.nn.grad.cell_grad import Vjp as Vjp

__all__ = ["Jvp", "Vjp"]
