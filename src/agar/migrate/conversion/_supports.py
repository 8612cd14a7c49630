"""Modules that go beside converted files: what libraries on named axes compute, on Cells."""

from __future__ import annotations

from agar.migrate.conversion._einops import TEXT as EINOPS
from agar.migrate.conversion._einx import TEXT as EINX

__all__ = ["SUPPORTS", "support_text"]

#: library: the module that stands for it
SUPPORTS = {"einops": "einops_cells", "einx": "einx_cells"}
_TEXTS = {"einops_cells": EINOPS, "einx_cells": EINX}


def support_text(module: str, package: str) -> str:
    """The text of a module of SUPPORTS for ``mindspore`` or ``agar``."""
    return _TEXTS[module].format(package=package)
