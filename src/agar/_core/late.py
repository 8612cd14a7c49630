"""Packages that load what they hand on when it is first asked for (PEP 562).

Such a package imports its names under ``if TYPE_CHECKING:``, where type checkers and readers see
them, and has ``__getattr__, __dir__ = late(globals())``. At run time the names come from
`agar._core.late_index`, which scripts/late_index.py makes of those imports.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from agar._core.hints import MissingName
from agar._core.late_index import PACKAGES

__all__ = ["late", "load_all", "names"]


def _homes(package: str) -> dict[str, tuple[str, str]]:
    """The module of each name that a package hands on, and what it is called there."""
    homes = {}
    for module, listed in PACKAGES.get(package, {}).items():
        for name in listed.split():
            own, _, shown = name.partition("=")
            homes[shown or own] = (module, own)
    for module in PACKAGES.get(package, {}):
        if module.startswith(f"{package}."):  # the modules themselves are attributes too
            child = module[len(package) + 1 :].partition(".")[0]
            homes.setdefault(child, (package, child))
    return homes


def names(package: str) -> list[str]:
    """The names that a package hands on, without its modules."""
    return sorted(name for name, (module, _) in _homes(package).items() if module != package)


def late(
    space: dict[str, Any], otherwise: Callable[[str], Any] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package that loads its names late.

    Args:
        space: the package's globals, which keep what was asked for.
        otherwise: is asked for names that the package's index does not have.
    """
    package = space["__name__"]
    homes = _homes(package)

    def __getattr__(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            if otherwise is not None:
                return otherwise(name)
            raise MissingName(f"module '{package}' has no attribute '{name}'")
        module, own = home
        if module == package:
            value: Any = import_module(f"{package}.{own}")
        else:
            value = getattr(import_module(module), own)
        space[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*space, *homes} - {"TYPE_CHECKING"})

    return __getattr__, __dir__


def load_all() -> None:
    """Load everything that packages load late."""
    for package in PACKAGES:
        module = import_module(package)
        for name in _homes(package):
            getattr(module, name)
