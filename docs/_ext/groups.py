"""Groups of names for the index of a module: by the packages and modules that declare them.

Their titles are the first lines of those modules' docstrings, so that the index says what the
source says.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from typing import Any, NamedTuple

from agar._core.optable import table

__all__ = ["Group", "grouped"]

#: The packages of operators in the order in which a reader looks for them; others come after.
_ORDER = (
    "agar.ops.math",
    "agar.ops.tensor",
    "agar.ops.linalg",
    "agar.ops.nn",
    "agar.ops.attention",
    "agar.ops.image",
    "agar.ops.random",
    "agar.ops.sparse",
    "agar.ops.python",
    "agar.ops.collective",
    "agar.ops.optim",
    "agar.ops.gradients",
    "agar.ops.primitives",
    "agar.ops.ascend",
    "agar.nn.layer",
    "agar.nn.loss",
    "agar.nn.optim",
    "agar.nn.metrics",
    "agar.nn.wrap",
)
#: Below this average, the modules of a package are not told apart.
_SMALL = 3


class Group(NamedTuple):
    """Names under one title, and groups below them."""

    title: str
    names: list[str]
    groups: list[Group]


def _declared_in(module: str, name: str, value: Any) -> str:
    """The module with the declaration behind a public name."""
    entry = vars(value).get("_entry") if inspect.isclass(value) else None
    if entry is None and module == "agar.ops":
        entry = table.functions.get(name)
    if entry is None and module.startswith("agar.mint"):
        entry = table.mints.get(f"{module}.{name}".removeprefix("agar.mint."))
    return getattr(value, "__module__", module) if entry is None else entry.impl.__module__


def _title(module: str) -> str:
    try:
        doc = importlib.import_module(module).__doc__ or ""
    except ImportError:
        doc = ""
    first = doc.strip().split("\n")[0].rstrip(".").replace("``", "`")
    return first or module.rpartition(".")[2]


def _package(module: str) -> str:
    """The package two steps below the root: ``agar.ops.math`` of ``agar.ops.math.arithmetic``."""
    return ".".join(module.split(".")[:3])


def grouped(module: str, objects: Iterable[tuple[str, Any]]) -> list[Group]:
    """The names of a module in groups.

    Args:
        module: its path.
        objects: its public names, each with its object.

    Returns:
        Groups, some with groups of their own; a single one without a title if there is no more
        than one.
    """
    packages: dict[str, dict[str, list[str]]] = {}
    for name, value in objects:
        declared = _declared_in(module, name, value)
        modules = packages.setdefault(_package(declared), {})
        modules.setdefault(declared, []).append(name)

    order = {path: i for i, path in enumerate(_ORDER)}
    groups, rest = [], []
    for package in sorted(packages, key=lambda p: (order.get(p, len(order)), p)):
        modules = packages[package]
        total = sum(map(len, modules.values()))
        if total < _SMALL and package not in order:
            rest += [name for names in modules.values() for name in names]
        elif len(modules) == 1 or total < _SMALL * len(modules):
            names = sorted((n for names in modules.values() for n in names), key=str.lower)
            title = _title(package if len(modules) > 1 else next(iter(modules)))
            groups.append(Group(title, names, []))
        else:
            below = [Group(_title(path), modules[path], []) for path in sorted(modules)]
            groups.append(Group(_title(package), [], below))
    if rest:
        groups.append(Group("Others", sorted(rest, key=str.lower), []))
    if len(groups) == 1 and not groups[0].groups:
        groups[0] = groups[0]._replace(title="")
    return groups
