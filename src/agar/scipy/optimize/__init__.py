"""Minimization of functions, and assignment."""

from agar.scipy.optimize.line_search import line_search as line_search
from agar.scipy.optimize.linear_sum_assignment import (
    linear_sum_assignment as linear_sum_assignment,
)
from agar.scipy.optimize.minimize import minimize as minimize

__all__ = ["line_search", "linear_sum_assignment", "minimize"]
