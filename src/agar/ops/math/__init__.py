"""Arithmetic, comparison, elementwise functions, and reductions."""
