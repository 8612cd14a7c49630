"""One table of what agar knows of PyTorch: names, arguments, defaults, weights, differences.

Scan, conversion, weights, parity and the page of the documentation read it, and the tests execute
every row on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from agar.migrate.rules._declare import TABLE
from agar.migrate.rules._rule import Case, Expansion, Rule, RuleRefused, Unknown, Weight

__all__ = ["Case", "Expansion", "Rule", "RuleRefused", "Unknown", "Weight", "find", "rules"]

#: The modules that write rows, in the order of the table.
_PARTS = (
    "layers",
    "layers_conv",
    "layers_norm",
    "layers_activation",
    "layers_pool",
    "layers_recurrent",
    "losses",
    "optim",
    "schedulers",
    "init",
    "net_utils",
    "module_methods",
    "functional_activations",
    "functional",
    "functional_images",
    "functional_losses",
    "elementwise",
    "reductions",
    "shapes",
    "indexing",
    "creation",
    "linalg",
    "fft",
    "special",
    "tensor",
    "torch_names",
)


@cache
def _load() -> None:
    for part in _PARTS:
        import_module(f"agar.migrate.rules.{part}")


def rules(kind: str | None = None) -> Iterator[Rule]:
    """All rows, or those of one kind.

    Args:
        kind (str, optional): module, function, method, attribute, optimizer, scheduler or
            initializer. Default: ``None``, all.

    Examples:
        >>> from agar.migrate.rules import rules
        >>> any(rule.source == "torch.nn.Conv2d" for rule in rules("module"))
        True
    """
    _load()
    return (row for row in TABLE.values() if kind is None or row.kind == kind)


@cache
def _by_identity() -> dict[int, Rule]:
    out: dict[int, Rule] = {}
    for row in rules():
        # to look Dynamo's up would import it, which costs as much as to convert 1,000 lines
        if not row.source.startswith("torch._dynamo.") and row.original is not None:
            out.setdefault(id(row.original), row)
    return out


def find(name: Any) -> Rule | None:
    """The row of a name of PyTorch.

    Args:
        name (str, type, callable): a path such as ``torch.nn.Conv2d``, or the class or function
            itself.

    Returns:
        Rule, or None where the table has no row for it.

    Examples:
        >>> import torch
        >>> from agar.migrate.rules import find
        >>> find(torch.nn.Conv2d).target
        'nn.Conv2d'
        >>> find("torch.nn.Nothing") is None
        True
    """
    _load()
    if not isinstance(name, str):
        return _by_identity().get(id(name))
    if name in TABLE:
        return TABLE[name]
    target: Any = None
    head, *rest = name.split(".")
    if head == "torch":
        import torch

        target = torch
        for part in rest:
            target = getattr(target, part, None)
            if target is None:
                return None
        return _by_identity().get(id(target))
    return None
