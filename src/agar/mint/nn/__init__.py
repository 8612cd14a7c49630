"""``mint.nn``: functions under ``mint.nn.functional``."""

from agar.mint.nn import functional as functional

__all__ = ["functional"]
