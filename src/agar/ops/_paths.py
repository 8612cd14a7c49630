"""MindSpore's many module paths for one set of operators.

Programs import ``ops.operations``, ``ops.functional``, ``ops.operations.nn_ops`` and so on. Each is
a view: it has no names of its own and hands on those of ``agar.ops``.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

__all__ = ["children", "find", "names"]


def find(module: str, name: str) -> Any:
    """The operator of that name, for a view's ``__getattr__``.

    Raises:
        AttributeError: ``agar.ops`` has no such name.
    """
    if name.startswith("__"):
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    try:
        return getattr(importlib.import_module("agar.ops"), name)
    except AttributeError:
        raise AttributeError(
            f"module '{module}' has no attribute '{name}', nor has 'agar.ops'."
        ) from None


def names(belongs: Callable[[str], bool]) -> list[str]:
    """The public names of ``agar.ops`` that belong into a view."""
    return [name for name in importlib.import_module("agar.ops").__all__ if belongs(name)]


def children(package: str, found: Iterable[str]) -> None:
    """Give a package submodules that are views, such as ``ops.operations.nn_ops``."""
    for short in found:
        full = f"{package}.{short}"
        child = ModuleType(full, f"The operators of agar.ops, at MindSpore's path {full}.")
        child.__getattr__ = lambda name, full=full: find(full, name)
        child.__package__ = package
        sys.modules[full] = child
        setattr(sys.modules[package], short, child)
