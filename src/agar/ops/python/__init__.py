"""Operators over functions and Python values."""
