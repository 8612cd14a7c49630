"""Makes the modules of mint from the operator table: their names are paths in its entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core import optable


def names_under(path: str) -> list[str]:
    """The names that entries have directly under a path (``""`` for mint itself)."""
    prefix = f"{path}." if path else ""
    return sorted(
        name[len(prefix) :]
        for name in optable.table.mints
        if name.startswith(prefix) and "." not in name[len(prefix) :]
    )


def finder(path: str, namespace: dict[str, Any]) -> Callable[[str], Any]:
    """A module's ``__getattr__`` that makes a face when it is first asked for."""
    module = f"agar.mint.{path}" if path else "agar.mint"

    def find(name: str) -> Any:
        entry = optable.table.mints.get(f"{path}.{name}" if path else name)
        if entry is None:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        made = namespace[name] = optable.face(entry, name, module=module)
        return made

    return find
