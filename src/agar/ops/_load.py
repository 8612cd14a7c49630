"""Imports every family of operators, which registers their entries in the table."""

from agar.ops import math as math
